//! The second judge: other kernels, which are asked about an export.

use tokio::time::Instant;

use super::{Compilation, LeanChecker, implied_imports, unreadable};
use crate::kernels::{self, Kernels};
use andor_audit::olean::judge::CORE_THEOREM;
use andor_audit::olean::judge::catalogue::Catalogue;
use andor_audit::olean::judge::export::{End, Export, export};
use andor_core::verdict::Reason;
use andor_env::checker::{Level, Step, Verdict};
use andor_env::error::EnvError;
use andor_env::trust::SecondJudge;

impl LeanChecker {
    /// Asks the other kernels of this machine about theorems of a compiled submission.
    pub(super) async fn judged_again(
        &self,
        deadline: Instant,
        submission: &Compilation,
        theorems: &[String],
    ) -> Step<SecondJudge> {
        let level = Level::Rechecked;
        let kernels = self.kernels().await.map_err(Verdict::failed(level))?;
        if kernels.is_empty() {
            return Ok(SecondJudge::Absent);
        }
        let said = match self.exported(deadline, submission, theorems).await {
            Ok(export) => kernels.say(&self.compiler, deadline, export).await,
            Err(error) => kernels.silent(&error.to_string()),
        };
        match said.refusing {
            None => Ok(SecondJudge::of(said.accepting, &said.silent)),
            Some((kernel, why)) => {
                let message = format!("the kernel `{kernel}` rejects it: {why}");
                Err(Verdict::rejected(level, Reason::SecondJudge, message))
            }
        }
    }

    /// Theorems of a compiled submission, with everything that they need.
    pub(super) async fn exported(
        &self,
        deadline: Instant,
        submission: &Compilation,
        theorems: &[String],
    ) -> Result<Export, EnvError> {
        let (built, theorems) = (submission.built()?, theorems.to_vec());
        let write =
            move || export(Some(&built.path), &built.world, &theorems, End::Theorems, &Catalogue::shared());
        let written = self.within(deadline, "exporting a proof", write).await?;
        written.map_err(|error| unreadable("the export", error))
    }

    /// The other kernels of this machine. The first call looks for them, and tries them.
    pub(super) async fn kernels(&self) -> Result<&Kernels, EnvError> {
        let find = async || {
            let found = Kernels::find(self.premises.toolchain().await?);
            if found.is_empty() {
                return Ok(found);
            }
            let deadline = Instant::now() + kernels::TRIAL;
            Ok(match self.known_theorems(deadline).await {
                Ok(known) => found.tried(&self.compiler, deadline, known).await,
                Err(error) => found.untried(&error.to_string()),
            })
        };
        self.kernels.get_or_try_init(find).await
    }

    /// A theorem of Lean's core, and the same with a false one behind it.
    async fn known_theorems(&self, deadline: Instant) -> Result<[Export; 2], EnvError> {
        const CORE: &str = "Lean's core";
        let core = self.world(implied_imports("")).await?.map_err(|error| unreadable(CORE, error))?;
        let write = move || {
            let theorems = [CORE_THEOREM.to_owned()];
            let of = |end| export(None, &core, &theorems, end, &Catalogue::shared());
            Ok([of(End::Theorems)?, of(End::Falsehood)?])
        };
        let known = self.within(deadline, "exporting a theorem of Lean's core", write).await?;
        known.map_err(|error| unreadable(CORE, error))
    }
}
