//! The second comparison: of compiled files.

use std::path::Path;

use andor_audit::vo::{self, Difference};
use andor_env::checker::{Claim, Level, Step, Verdict};
use andor_env::checking::refused_challenge;
use andor_env::error::EnvError;
use andor_process::scratch::Scratch;

use super::RocqChecker;
use crate::challenge::{self, Extent};
use crate::compiled::{read, submitted, unreadable};
use crate::compiler::{Compiled, Compiler, take};
use crate::judge::{self, SUBMISSION};

impl RocqChecker {
    /// Compares the compiled submission of a folder with the challenge there, or with a module type in it. Values that differ
    /// in their files are compared by Rocq, and what it requires of universes to find them equal counts.
    pub(super) async fn files(
        &self,
        compiler: &Compiler,
        claim: &Claim,
        (folder, within): (&Path, Option<&str>),
        installed: &Path,
    ) -> Step<Result<vo::Compared, Difference>> {
        let values = match self.read_and_compare(claim, (folder, within), installed, false)? {
            Ok(vo::Compared { values, .. }) if !values.is_empty() => values,
            compared => return Ok(compared),
        };
        let are_equal = judge::are_equal(compiler, folder, &values, within.is_some()).await;
        match are_equal.map_err(Verdict::failed(Level::Audited))? {
            true => self.read_and_compare(claim, (folder, within), installed, true),
            false => Ok(Err(Difference::Value(values[0].0.clone()))),
        }
    }

    /// The same, but for the values. Rocq has compared these if they `are_asked`.
    fn read_and_compare(
        &self,
        claim: &Claim,
        (folder, within): (&Path, Option<&str>),
        installed: &Path,
        are_asked: bool,
    ) -> Step<Result<vo::Compared, Difference>> {
        let read =
            |module: &str, within| read(folder, module, within).map_err(|error| unreadable(module, &error));
        let (submission, challenge) = (submitted(folder)?, read(challenge::MODULE, within)?);
        let asked = are_asked.then(|| read(judge::VALUES, None)).transpose()?;
        let libraries = self.libraries(installed.to_owned());
        Ok(vo::compare(&challenge, &submission, &claim.theorems, &libraries, asked.as_ref()))
    }

    /// Compares the submission with a challenge that goes on behind the theorems, too: a proof may order the universes of the
    /// file only as all of it allows.
    pub(super) async fn with_the_rest(
        &self,
        compiler: &Compiler,
        claim: &Claim,
        using: &[Option<String>],
        compiled: &Path,
        installed: &Path,
    ) -> Step<Result<(), Difference>> {
        let failed = Verdict::failed(Level::Audited);
        let id = claim.theorems.join(", ");
        let folder = Scratch::new().map_err(EnvError::from).map_err(&failed)?;
        take(SUBMISSION, compiled, folder.path()).map_err(&failed)?;
        let whole = self.challenge(&id, &claim.challenge, &claim.theorems, using, Extent::WithoutProofs);
        let within = match whole.await {
            Ok(whole) => {
                take(challenge::MODULE, whole.folder.path(), folder.path()).map_err(&failed)?;
                Some(challenge::QUESTION)
            }
            // Not everything that a file may declare can stand in a module type.
            Err(EnvError::TheoremRefused { .. }) => {
                let plain = challenge::plain(&claim.challenge, &claim.theorems, using)
                    .map_err(|error| failed(refused_challenge(&id)(error.to_string())))?;
                let doing = "reading what stands behind the theorems";
                let compiled = compiler.compile(folder.path(), challenge::MODULE, &plain, doing).await;
                match compiled.map_err(&failed)? {
                    Compiled::Done(_) => None,
                    Compiled::Refused(message) => {
                        let what = "what stands behind the theorem does not compile, so that it cannot be told how it orders universes";
                        return Err(failed(refused_challenge(&id)(format!("{what}: {message}"))));
                    }
                }
            }
            Err(error) => return Err(failed(error)),
        };
        let compared = self.files(compiler, claim, (folder.path(), within), installed).await?;
        Ok(compared.map(drop))
    }
}
