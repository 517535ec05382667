//! Kernels other than the one that comes with every Lean: those that newer toolchains bring along, and `nanoda_bin`. Each
//! reads a theorem from an export (`judge::export`), and its exit code is its verdict.
//!
//! The list and the arguments are those of Lake's `check --paranoid`. None of them is believed before it has accepted a
//! theorem of Lean's core and refused a false one: another version might read another format, or take the arguments for a
//! question about its usage.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::compiler::Compiler;
use super::toolchain::Toolchain;
use andor_audit::olean::judge::export::Export;
use andor_env::error::EnvError;
use andor_env::other_kernel::Opinion;
use andor_env::source::ExternalKernel;
use andor_process::scratch::Scratch;

/// A kernel.
#[derive(PartialEq, Eq, Debug)]
struct Kernel {
    name: &'static str,
    program: &'static str,
    /// What stands before the file that it reads.
    args: &'static [&'static str],
    reads: Input,
}

/// What file a kernel reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Input {
    Export,
    /// A configuration in JSON that names the export.
    Configuration,
}

const KERNELS: &[Kernel] = &[
    Kernel {
        name: "leanchecker-paranoid",
        program: "leanchecker-paranoid",
        args: &["--silent", "--from-export"],
        reads: Input::Export,
    },
    Kernel { name: "lean4lean", program: "lean4lean", args: &["--import"], reads: Input::Export },
    Kernel { name: "nanoda", program: NANODA, args: &[], reads: Input::Configuration },
    Kernel { name: "con-leche", program: "con-leche", args: &[], reads: Input::Export },
    Kernel { name: "con-ron", program: "con-ron", args: &[], reads: Input::Export },
];

/// The one that is looked for on `PATH`, too.
const NANODA: &str = "nanoda_bin";

/// The time limit of all kernels together for the two theorems that they have to know.
pub(super) const TRIAL: Duration = Duration::from_secs(60);

/// Letters of a refusal that are shown.
const SHOWN: usize = 500;

/// All of them.
pub(crate) fn all() -> Vec<ExternalKernel> {
    let external = |&Kernel { name, program, args, .. }: &Kernel| ExternalKernel { name, program, args };
    KERNELS.iter().map(external).collect()
}

/// Their programs, for messages.
fn programs() -> String {
    KERNELS.iter().map(|kernel| format!("`{}`", kernel.program)).collect::<Vec<_>>().join(", ")
}

/// The kernels that are installed.
pub(super) struct Kernels(Vec<Installed>);

/// A kernel that is installed.
#[derive(Clone)]
struct Installed {
    kernel: &'static Kernel,
    program: PathBuf,
    /// Why it is not asked, if it is not.
    unusable: Option<String>,
}

/// What kernels say of a proof.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) accepting: Vec<String>,
    /// Each with its reason.
    pub(super) silent: Vec<String>,
    /// The first that refuses it, and what it says.
    pub(super) refusing: Option<(&'static str, String)>,
}

impl Kernels {
    /// Those beside a toolchain's `lean`, and `nanoda_bin` on `PATH`.
    pub(super) fn find(toolchain: &Toolchain) -> Self {
        let own = toolchain.sysroot.join("bin");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let on_path: Vec<PathBuf> = std::env::split_paths(&path).collect();
        let find = |kernel: &'static Kernel| {
            let elsewhere = if kernel.program == NANODA { &on_path[..] } else { &[] };
            let folders = std::iter::once(&own).chain(elsewhere);
            let program =
                folders.map(|folder| folder.join(kernel.program)).find(|program| program.is_file())?;
            // Inside the sandbox it is found at its path without links.
            let program = std::fs::canonicalize(program).ok()?;
            Some(Installed { kernel, program, unusable: None })
        };
        Self(KERNELS.iter().filter_map(find).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Tries all of them on a theorem that every kernel accepts, and on one that every kernel refuses.
    pub(super) async fn tried(mut self, compiler: &Compiler, deadline: Instant, known: [Export; 2]) -> Self {
        let [true_one, false_one] = known.map(Arc::new);
        let accepted = self.opinions(compiler, deadline, &true_one).await;
        let refused = self.opinions(compiler, deadline, &false_one).await;
        for (installed, (accepted, refused)) in self.0.iter_mut().zip(accepted.into_iter().zip(refused)) {
            installed.unusable = match (accepted, refused) {
                (Opinion::Accepts, Opinion::Refuses(_)) => None,
                (Opinion::Accepts, Opinion::Accepts) => Some("it accepts a false theorem, too".to_owned()),
                (Opinion::Refuses(why), _) => Some(format!(
                    "it refuses a theorem of Lean's core, too, and is probably for another version: {why}"
                )),
                (Opinion::Silent(why), _) | (_, Opinion::Silent(why)) => Some(why),
            };
        }
        self
    }

    /// All of them as unusable, for this reason.
    pub(super) fn untried(mut self, why: &str) -> Self {
        self.0.iter_mut().for_each(|installed| installed.unusable = Some(why.to_owned()));
        self
    }

    /// The names of those that can be asked, or why there are none.
    pub(super) fn usable(&self) -> Result<Vec<String>, String> {
        let (unusable, usable): (Vec<_>, Vec<_>) = self.0.iter().partition(|one| one.unusable.is_some());
        let why = |one: &Installed| one.unusable.as_ref().map(|why| format!("{}: {why}", one.kernel.name));
        match (usable.is_empty(), unusable.is_empty()) {
            (false, _) => Ok(usable.into_iter().map(|one| one.kernel.name.to_owned()).collect()),
            (true, false) => Err(unusable.into_iter().filter_map(why).collect::<Vec<_>>().join("; ")),
            (true, true) => Err(format!("none of {} is beside `lean`, nor `{NANODA}` on PATH", programs())),
        }
    }

    /// Asks all of them about an export.
    pub(super) async fn say(&self, compiler: &Compiler, deadline: Instant, export: Export) -> Said {
        let mut said = Said::default();
        let opinions = self.opinions(compiler, deadline, &Arc::new(export)).await;
        for (installed, opinion) in self.0.iter().zip(opinions) {
            let name = installed.kernel.name;
            match opinion {
                Opinion::Accepts => said.accepting.push(name.to_owned()),
                Opinion::Silent(why) => said.silent.push(format!("{name}: {why}")),
                Opinion::Refuses(why) => said.refusing = said.refusing.or(Some((name, why))),
            }
        }
        said
    }

    /// That none of them is asked, for this reason.
    pub(super) fn silent(&self, why: &str) -> Said {
        let silent = self.0.iter().map(|one| format!("{}: {why}", one.kernel.name)).collect();
        Said { silent, ..Said::default() }
    }

    /// What each of them says, in their order. They run at the same time, so that none takes the time of another.
    async fn opinions(&self, compiler: &Compiler, deadline: Instant, export: &Arc<Export>) -> Vec<Opinion> {
        let mut asked = JoinSet::new();
        for (index, installed) in self.0.iter().cloned().enumerate() {
            let (compiler, export) = (compiler.clone(), Arc::clone(export));
            asked.spawn(async move { (index, installed.opinion(&compiler, deadline, &export).await) });
        }
        let mut opinions = asked.join_all().await;
        opinions.sort_by_key(|(index, _)| *index);
        opinions.into_iter().map(|(_, opinion)| opinion).collect()
    }
}

impl Installed {
    async fn opinion(&self, compiler: &Compiler, deadline: Instant, export: &Export) -> Opinion {
        if let Some(why) = &self.unusable {
            return Opinion::Silent(why.clone());
        }
        self.ask(compiler, deadline, export).await.unwrap_or_else(|error| Opinion::Silent(error.to_string()))
    }

    async fn ask(
        &self,
        compiler: &Compiler,
        deadline: Instant,
        export: &Export,
    ) -> Result<Opinion, EnvError> {
        const EXPORT: &str = "export.ndjson";
        const CONFIGURATION: &str = "kernel.json";
        let folder = Scratch::new()?;
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).map_err(|source| EnvError::File {
                action: "cannot write",
                path: path.display().to_string(),
                source,
            })
        };
        write(EXPORT, &export.text)?;
        let file = match self.kernel.reads {
            Input::Export => EXPORT,
            Input::Configuration => {
                let configuration = json!({
                    "use_stdin": false,
                    "export_file_path": EXPORT,
                    "permitted_axioms": export.axioms,
                    "unpermitted_axiom_hard_error": true,
                    "nat_extension": true,
                    "string_extension": true,
                });
                write(CONFIGURATION, configuration.to_string().as_bytes())?;
                CONFIGURATION
            }
        };
        let args = self.kernel.args.iter().copied().chain([file]).map(str::to_owned).collect();
        let doing = "checking a proof by another kernel";
        let run = compiler.run(deadline, &self.program, args, Vec::new(), folder.path(), doing).await?;
        Ok(match run.exit.code {
            Some(0) => Opinion::Accepts,
            Some(_) => {
                let said = [run.exit.stderr.trim(), run.stdout.trim()].join("\n");
                let said: String = said.trim().chars().take(SHOWN).collect();
                Opinion::Refuses(if said.is_empty() { run.exit.status } else { said })
            }
            None => Opinion::Silent(format!("it ended by {}", run.exit.status)),
        })
    }
}
