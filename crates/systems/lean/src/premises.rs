//! Where Lean's programs run: in a sandbox if one is available, since all of them read untrusted input.

use std::path::PathBuf;
use std::sync::{Arc, Once};

use tokio::sync::OnceCell;

use super::LeanConfig;
use super::backend::Choice;
use super::lookup::Lookups;
use super::toolchain::Toolchain;
use andor_env::error::EnvError;
use andor_process::ChildSpec;
use andor_process::sandbox::NoSandbox;
use andor_process::sandbox::tested::{TestedSandbox, Used, remembered};

/// Starts Lean's programs, each in a writable folder of its own, in the sandbox if there is one.
pub(super) struct Premises {
    config: LeanConfig,
    toolchain: OnceCell<Toolchain>,
    sandbox: OnceCell<Result<TestedSandbox, NoSandbox>>,
    choice: OnceCell<Choice>,
    lookups: Lookups,
}

impl Premises {
    pub(super) fn new(config: LeanConfig) -> Self {
        Self {
            config,
            toolchain: OnceCell::new(),
            sandbox: OnceCell::new(),
            choice: OnceCell::new(),
            lookups: Lookups::default(),
        }
    }

    pub(super) fn config(&self) -> &LeanConfig {
        &self.config
    }

    /// The server that runs tactics. The first call chooses it.
    pub(super) async fn choice(self: &Arc<Self>) -> &Choice {
        self.choice.get_or_init(|| Choice::make(self)).await
    }

    /// The lemmas that can be looked up.
    pub(super) fn lookups(&self) -> &Lookups {
        &self.lookups
    }

    /// The Lean of this configuration. The first call looks for it.
    pub(super) async fn toolchain(&self) -> Result<&Toolchain, EnvError> {
        let find = async || match &self.config.toolchain {
            Some(toolchain) => Ok(toolchain.clone()),
            None => Toolchain::find(self.config.project.as_deref()).await,
        };
        self.toolchain.get_or_try_init(find).await
    }

    /// The sandbox, or why there is none. The first call looks for it.
    pub(super) async fn sandbox(&self) -> Result<&TestedSandbox, NoSandbox> {
        let build = async || match (self.config.sandbox, self.toolchain().await) {
            (false, _) => Err(NoSandbox::SwitchedOff),
            (true, Err(error)) => Err(NoSandbox::Failed(error.to_string())),
            (true, Ok(toolchain)) => tested(toolchain).await,
        };
        remembered(&self.sandbox, build).await
    }

    /// What Lean's programs run in.
    pub(super) async fn used(&self) -> Used<'_> {
        static WARNED: Once = Once::new();
        Used::of(self.sandbox().await, "Lean", &WARNED)
    }
}

/// A sandbox in which Lean can run; or why there is none.
async fn tested(toolchain: &Toolchain) -> Result<TestedSandbox, NoSandbox> {
    let sandbox = TestedSandbox::new(toolchain.folders()).await?;
    let program = ChildSpec {
        program: toolchain.lean.to_string_lossy().into_owned(),
        args: vec!["empty.lean".to_owned()],
        env: toolchain.environment(),
        directory: PathBuf::new(),
        limits: Default::default(),
    };
    sandbox.try_out("Lean", "empty.lean", program).await?;
    Ok(sandbox)
}
