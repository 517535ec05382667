//! The Rocq (formerly Coq) adapter: a worker over `coqidetop`, a checker over `coqc`.
//!
//! `dialect` contains the differences between versions. The layers of the protocol are `xml` (elements), `wire`
//! (calls and replies), `connection` (one process, deadlines), `document` (Coq's linear document), `worker` (states
//! and tactics). `pp`, `goal` and `explicit` parse goals, `names` resolves the constants in them. `lexer` and
//! `sentence` implement Coq's lexical rules, `commands` lists its commands, `screen` checks tactics, and `undo`
//! determines which sentences can be undone completely.
//!
//! `premises` runs all programs, in the sandbox if possible.
//!
//! For finished proofs, `checker` goes through the levels, with `compiler` (running programs), `compiled` (reading their files), `challenge`, `variables`
//! and `judge` (the three modules of level 2), `recheck` (level 3), `assumptions` and `axioms` (the assumptions of a
//! theorem, and the allowed ones).

mod agreement;
mod assumptions;
pub mod axioms;
mod challenge;
mod checker;
pub mod commands;
mod compiled;
mod compiler;
mod connection;
mod dialect;
mod document;
mod explicit;
mod goal;
mod heuristic;
mod in_place;
mod judge;
mod language;
mod lexer;
mod lookup;
mod names;
pub mod outline;
mod pp;
mod premises;
mod project;
mod reader;
mod recheck;
mod required;
pub mod screen;
mod script;
pub mod sentence;
pub mod source;
mod submission;
mod undo;
mod variables;
mod wire;
mod worker;
mod xml;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use andor_audit::vo::{Known, Version, bugs};
use andor_core::signature::{Commutative, Infix};
use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;
use linkme::distributed_slice;

use andor_core::axioms::AllowedAxioms;
use andor_env::checker::{Checker, Claim, Verdict};
use andor_env::environment::{Environment, Example, Finding, Script};
use andor_env::error::EnvError;
use andor_env::registry::{ENVIRONMENTS, Made, Settings};
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Worker};
use andor_process::{ResourceLimits, ask};

pub use agreement::Opinions;
use checker::RocqChecker;
use premises::Premises;
use required::Required;
use worker::RocqWorker;

pub use andor_core::load_path::{Binding, LoadPath};
pub use andor_core::systems::Universes;

/// Rocq.
pub const ROCQ: System = System::of(&language::LANGUAGE);

/// The configuration of Rocq.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RocqConfig {
    /// Folders of compiled modules besides Rocq's own library.
    pub load_path: Vec<LoadPath>,
    /// Whether processes run in a sandbox, if one is available.
    pub sandbox: bool,
    /// Limit of the memory of each process with its descendants, in bytes.
    pub max_memory: Option<u64>,
    /// Wall-time and processor-time limit of each program used to verify a proof.
    pub check_limit: Duration,
    /// Allowed axioms; by default those of libraries that a statement depends on are among them.
    pub allowed_axioms: AllowedAxioms,
    /// Known bugs, such as `rocq#20455`, that a proof is trusted not to exploit.
    pub trusted_bugs: Vec<String>,
    /// For which universes a polymorphic theorem has to be proved.
    pub universes: Universes,
    /// Whether level 3 also checks the libraries.
    pub recheck_deps: bool,
    /// Where rechecked libraries are recorded; `None` disables this.
    pub cache: Option<PathBuf>,
}

impl Default for RocqConfig {
    fn default() -> Self {
        Self {
            load_path: Vec::new(),
            sandbox: true,
            max_memory: Some(8 << 30),
            check_limit: Duration::from_secs(120),
            allowed_axioms: AllowedAxioms::default(),
            trusted_bugs: Vec::new(),
            universes: Universes::default(),
            recheck_deps: false,
            cache: None,
        }
    }
}

impl From<&Settings> for RocqConfig {
    fn from(settings: &Settings) -> Self {
        let settings = settings.clone();
        Self {
            load_path: settings.load_path,
            sandbox: settings.sandbox,
            check_limit: settings.check_limit,
            allowed_axioms: settings.allowed_axioms,
            trusted_bugs: settings.trusted_bugs,
            universes: settings.universes,
            recheck_deps: settings.recheck_deps,
            cache: settings.cache,
            ..Self::default()
        }
    }
}

#[distributed_slice(ENVIRONMENTS)]
static MADE: Made = Made { system: ROCQ, environment: |settings| Arc::new(Rocq::new(settings.into())) };

impl RocqConfig {
    /// The resource limits of each process.
    fn limits(&self) -> ResourceLimits {
        ResourceLimits { memory: self.max_memory, ..ResourceLimits::default() }
    }

    fn load_path_args(&self) -> Vec<String> {
        self.load_path.iter().flat_map(LoadPath::args).collect()
    }
}

/// The Rocq environment.
pub struct Rocq {
    config: RocqConfig,
    premises: Arc<Premises>,
    checker: RocqChecker,
    /// The modules of the load path, as they were when they were first asked for.
    required: OnceLock<Required>,
}

impl Rocq {
    /// The installed Rocq.
    pub fn new(config: RocqConfig) -> Self {
        let premises = Arc::new(Premises::new(config.clone()));
        let checker = RocqChecker::new(config.clone(), Arc::clone(&premises));
        Self { checker, premises, config, required: OnceLock::new() }
    }
}

impl Rocq {
    /// The separate results of the two comparisons of level 2 for a claim, or the verdict if it ends before them.
    pub async fn opinions(&self, claim: &Claim) -> Result<Opinions, Verdict> {
        self.checker.opinions(claim).await
    }

    /// Whether a file has all declarations of another, term for term but for opaque proofs. `None` if the other does not compile.
    ///
    /// # Errors
    ///
    /// The compiler cannot be run.
    pub async fn has_all(&self, of: &str, file: &str) -> Result<Option<bool>, EnvError> {
        self.checker.has_all(of, file).await
    }
}

#[async_trait]
impl Environment for Rocq {
    fn system(&self) -> System {
        ROCQ
    }

    fn commutative(&self) -> &'static Commutative {
        &COMMUTATIVE
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        Box::new(RocqWorker::new(self.config.clone(), Arc::clone(&self.premises), grouping))
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        screen::tactic_body(screen::addressed(tactic).1).map(|_| ())
    }

    fn checker(&self) -> &dyn Checker {
        &self.checker
    }

    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
        script::assemble(theorem, imports, script)
    }

    fn proof_text(&self, script: &Script) -> String {
        script::body(script)
    }

    fn with_names(&self, step: &str, names: &[&str]) -> Option<String> {
        matches!(step, "intros." | "intro.").then(|| format!("intros {}.", names.join(" ")))
    }

    async fn is_value(&self, theorem: &Theorem, proved: &str) -> bool {
        in_place::is_value(&self.checker, theorem, proved).await
    }

    async fn is_harmless(&self, file: &[String; 2], above: &[String; 2], imports: &[ExtraImport]) -> bool {
        in_place::is_harmless(&self.checker, file, above, imports).await
    }

    async fn modules_of(&self, header: &str) -> Vec<PathBuf> {
        self.required.get_or_init(|| Required::find(&self.config.load_path)).required(header)
    }

    fn example(&self) -> Option<Example> {
        let statement = "Theorem andor_example : forall n : nat, n = n.";
        Some(Example { statement, tactic: "intros n; reflexivity" })
    }

    async fn probe(&self) -> Vec<Finding> {
        let (mut findings, mut versions) = (Vec::new(), Vec::new());
        for (what, names) in
            [("Rocq interactive server", dialect::SERVERS), ("Rocq compiler", dialect::COMPILERS)]
        {
            let found = match find(names) {
                Some(path) => probe_version(&path).await.map(|version| {
                    let found = format!("{} ({version})", path.display());
                    versions.push(version);
                    found
                }),
                None => Err(format!("none of {} was found on PATH", names.join(", "))),
            };
            let remedy = found.is_err().then(|| INSTALL_HINT.to_owned());
            findings.push(Finding { what: what.to_owned(), found, remedy, needed: true });
        }
        if let [server, compiler] = &versions[..]
            && server != compiler
        {
            findings.push(Finding {
                what: "Rocq release".to_owned(),
                found: Err(format!("proofs are searched for with {server} and checked with {compiler}")),
                remedy: Some(SERVER_HINT.to_owned()),
                needed: true,
            });
        }
        if let Some(newer) = versions.iter().find(|version| Known::of(version) == Known::Newer) {
            let found = Err(Known::newer(newer));
            findings.push(Finding { what: "Rocq release".to_owned(), found, remedy: None, needed: false });
        }
        // Without Rocq there is nothing to try in the sandbox.
        if find(dialect::COMPILERS).is_some() {
            findings.push(Finding::of_sandbox(self.premises.sandbox().await));
        }
        findings
    }
}

/// Whether a name such as `rocq#20455` is a known bug.
pub fn is_known_bug(name: &str) -> bool {
    bugs::named(name).is_some()
}

/// The numbers of the installed release, such as 8, 16 and 1. Fails if there is none, and for release candidates.
pub async fn installed_release() -> Result<[u64; 3], EnvError> {
    release().await.map(Version::numbers)
}

/// The folder of the installed libraries.
pub async fn library_folder() -> Result<PathBuf, EnvError> {
    compiler::library_folder(&compiler::program(dialect::COMPILERS)?).await
}

const INSTALL_HINT: &str = "install Rocq: on Debian and Ubuntu `apt-get install coq`";
const SERVER_HINT: &str =
    "put both programs of one release first on PATH; opam has the server as the package `coqide-server`";

/// The version of the compiler or of the server.
async fn probe_version(program: &Path) -> Result<String, String> {
    let version = ask(program, &["--print-version"], dialect::environment())
        .await
        .map_err(|error| error.to_string())?;
    Ok(version.split_whitespace().next().unwrap_or("unknown version").to_owned())
}

/// The release of the installed compiler.
async fn release() -> Result<Version, EnvError> {
    let program = compiler::program(dialect::COMPILERS)?;
    let unexpected = |got| EnvError::Handshake { program: program.display().to_string(), got };
    let mut version = probe_version(&program).await.map_err(unexpected)?;
    // Version 9.2.0 reports itself as 9.2.
    if version.matches('.').count() == 1 {
        version += ".0";
    }
    version.parse().map_err(unexpected)
}

/// The first of some programs that is on `PATH`.
fn find(names: &[&str]) -> Option<PathBuf> {
    find_in(&std::env::var_os("PATH")?, names)
}

/// The first of some programs in the first folder that contains one: if several releases are installed, all programs
/// must come from the same one.
fn find_in(path: &OsStr, names: &[&str]) -> Option<PathBuf> {
    let programs = std::env::split_paths(path).flat_map(|d| names.iter().map(move |name| d.join(name)));
    programs.into_iter().find(|program| program.is_file())
}

/// Rocq's commutative connectives and operators, under the names of the modules that define them (Rocq 8.16).
const COMMUTATIVE: Commutative = Commutative {
    constants: &[
        ("Coq.Init.Logic.and", 2),
        ("Coq.Init.Logic.or", 2),
        ("Coq.Init.Logic.iff", 2),
        ("Coq.Init.Logic.eq", 3),
        ("Coq.Init.Datatypes.andb", 2),
        ("Coq.Init.Datatypes.orb", 2),
        ("Coq.Init.Datatypes.xorb", 2),
        ("Coq.Init.Nat.add", 2),
        ("Coq.Init.Nat.mul", 2),
        ("Coq.Init.Nat.max", 2),
        ("Coq.Init.Nat.min", 2),
        ("Coq.Init.Nat.gcd", 2),
        ("Coq.Init.Nat.eqb", 2),
        ("Coq.PArith.BinPosDef.Pos.add", 2),
        ("Coq.PArith.BinPosDef.Pos.mul", 2),
        ("Coq.NArith.BinNatDef.N.add", 2),
        ("Coq.NArith.BinNatDef.N.mul", 2),
        ("Coq.NArith.BinNatDef.N.max", 2),
        ("Coq.NArith.BinNatDef.N.min", 2),
        ("Coq.NArith.BinNatDef.N.eqb", 2),
        ("Coq.ZArith.BinIntDef.Z.add", 2),
        ("Coq.ZArith.BinIntDef.Z.mul", 2),
        ("Coq.ZArith.BinIntDef.Z.max", 2),
        ("Coq.ZArith.BinIntDef.Z.min", 2),
        ("Coq.ZArith.BinIntDef.Z.gcd", 2),
        ("Coq.ZArith.BinIntDef.Z.eqb", 2),
        ("Coq.QArith.QArith_base.Qplus", 2),
        ("Coq.QArith.QArith_base.Qmult", 2),
        ("Coq.QArith.QArith_base.Qeq", 2),
        ("Coq.Reals.Rdefinitions.RbaseSymbolsImpl.Rplus", 2),
        ("Coq.Reals.Rdefinitions.RbaseSymbolsImpl.Rmult", 2),
        ("Coq.Reals.Rbasic_fun.Rmax", 2),
        ("Coq.Reals.Rbasic_fun.Rmin", 2),
    ],
    infix: &[
        &[Infix { symbol: "<->", commutes: true }],
        &[Infix { symbol: "->", commutes: false }],
        &[Infix { symbol: "\\/", commutes: true }],
        &[Infix { symbol: "/\\", commutes: true }],
        &[
            Infix { symbol: "=", commutes: true },
            Infix { symbol: "<>", commutes: true },
            Infix { symbol: "<", commutes: false },
            Infix { symbol: "<=", commutes: false },
            Infix { symbol: ">", commutes: false },
            Infix { symbol: ">=", commutes: false },
        ],
        &[Infix { symbol: "+", commutes: true }, Infix { symbol: "-", commutes: false }],
        &[Infix { symbol: "*", commutes: true }, Infix { symbol: "/", commutes: false }],
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_folder_with_any_of_the_programs_counts() {
        let [none, new, old] = [(); 3].map(|()| tempfile::tempdir().unwrap());
        std::fs::write(new.path().join("rocq"), "").unwrap();
        ["coqc", "rocq"].iter().for_each(|name| std::fs::write(old.path().join(name), "").unwrap());
        let path = |folders: &[&tempfile::TempDir]| std::env::join_paths(folders.iter().map(|f| f.path()));
        let found = find_in(&path(&[&none, &new, &old]).unwrap(), &["coqc", "rocq"]);
        assert_eq!(found, Some(new.path().join("rocq")));
        let found = find_in(&path(&[&old, &new]).unwrap(), &["coqc", "rocq"]);
        assert_eq!(found, Some(old.path().join("coqc")));
        assert_eq!(find_in(&path(&[&none]).unwrap(), &["coqc"]), None);
    }
}
