//! Probes: everything that the adapter takes for granted of the Lean that is there, tried out on it.
//!
//! Most are texts that the compiler reads, with what it should say; the others open a theorem on a worker. They need nothing but
//! Lean's core, and are what makes an unknown version a difference with a name instead of a wrong answer.

mod texts;

use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::{System, Theorem};
use serde_json::Value;

use super::Lean;
use super::dialect::OLDEST_LEAN;
use super::launch::{Launch, Program};
use super::pantograph::PantographWorker;
use super::premises::Premises;
use super::repl::ReplWorker;
use super::server::ServerWorker;
use crate::environment::Finding;
use crate::process::scratch::Scratch;
use crate::process::{ChildSpec, ResourceLimits};
use crate::worker::{Grouping, TacticLimits, TacticOutcome, Worker};
use texts::{Compiled, TEXTS, TextProbe};

/// Time limit for a text, and for a tactic on a worker.
const LIMIT: Duration = Duration::from_secs(60);

/// Output limit of the compiler, in bytes.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// A probe that found something else than expected.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Difference {
    /// The name of the probe.
    probe: &'static str,
    /// What was found, and what was expected.
    found: String,
}

/// The names of the probes of workers, in the order in which [`of_worker`] makes them.
const OF_WORKER: [&str; 8] = [
    "worker-opens",
    "worker-shows-expressions",
    "worker-applies",
    "worker-separates-goals",
    "worker-couples-goals",
    "worker-closes",
    "worker-rejects-errors",
    "worker-rejects-sorry",
];

/// The number of probes of a Lean and its own server.
const COUNT: usize = TEXTS.len() + OF_WORKER.len() + 1;

impl Lean {
    /// Tries out the compiler, a worker over Lean's own server, and one over each other server that is there. For each of them
    /// one line says how many probes found what they should; one more names each that did not.
    pub(super) async fn try_all(&self) -> Vec<Finding> {
        let mut differences = of_compiler(&self.premises).await;
        let server = ServerWorker::new(Arc::clone(&self.premises), Grouping::Coupled);
        differences.extend(of_worker(Box::new(server)).await);
        let mut findings = report("what is relied on", COUNT, differences);
        for (name, worker) in self.other_workers() {
            findings.extend(report(name, OF_WORKER.len(), of_worker(worker).await));
        }
        findings
    }

    /// Workers over the servers that are not Lean's own, where these are installed.
    fn other_workers(&self) -> Vec<(&'static str, Box<dyn Worker>)> {
        let launch = |program: Program| {
            program.find(self.premises.config().project.as_deref())?;
            Some(Arc::new(Launch::beside(Arc::clone(&self.premises), program)))
        };
        let mut workers: Vec<(&'static str, Box<dyn Worker>)> = Vec::new();
        if let Some(launch) = launch(Program::Repl) {
            workers.push(("the REPL", Box::new(ReplWorker::new(launch, Grouping::Coupled))));
        }
        if let Some(launch) = launch(Program::Pantograph) {
            workers.push(("Pantograph", Box::new(PantographWorker::new(launch, Grouping::Coupled))));
        }
        workers
    }
}

fn report(what: &str, count: usize, differences: Vec<Difference>) -> Vec<Finding> {
    let found = match differences.len() {
        0 => Ok(format!("all {count} probes found it")),
        n => Err(format!("{n} of {count} probes found something else")),
    };
    let summary = Finding { what: what.to_owned(), found, remedy: None, needed: false };
    let each = differences.into_iter().map(|difference| Finding {
        what: format!("probe `{}`", difference.probe),
        found: Err(difference.found),
        remedy: Some("this version of Lean is not supported in this respect: please report it".to_owned()),
        needed: false,
    });
    std::iter::once(summary).chain(each).collect()
}

/// Puts all texts to the compiler.
async fn of_compiler(premises: &Premises) -> Vec<Difference> {
    let mut differences = Vec::new();
    match premises.toolchain().await {
        Ok(toolchain) if toolchain.version >= OLDEST_LEAN => {}
        Ok(toolchain) => differences.push(Difference {
            probe: "version",
            found: format!("{} is older than {OLDEST_LEAN}", toolchain.version),
        }),
        Err(error) => return vec![Difference { probe: "version", found: error.to_string() }],
    }
    for TextProbe { name, text, expected } in TEXTS {
        let found = compile(premises, text).await.and_then(|compiled| expected(&compiled));
        differences.extend(found.err().map(|found| Difference { probe: name, found }));
    }
    differences
}

/// Compiles a text.
async fn compile(premises: &Premises, text: &str) -> Result<Compiled, String> {
    let toolchain = premises.toolchain().await.map_err(|error| error.to_string())?;
    let folder = Scratch::new().map_err(|error| error.to_string())?;
    std::fs::write(folder.path().join("Probe.lean"), text).map_err(|error| error.to_string())?;
    let spec = ChildSpec {
        program: toolchain.lean.to_string_lossy().into_owned(),
        args: ["--json", "-DmaxErrors=0", "Probe.lean"].map(str::to_owned).to_vec(),
        env: toolchain.environment(),
        directory: folder.path().to_owned(),
        limits: ResourceLimits::default(),
    };
    let ran = premises.used().await.run_to_end(spec, "compiling a probe", LIMIT, MAX_OUTPUT_BYTES).await;
    let ran = ran.map_err(|error| error.to_string())?;
    let lines = ran.stdout.lines().filter(|line| !line.trim().is_empty());
    let messages: Result<Vec<Value>, String> = lines
        .map(|line| serde_json::from_str(line).map_err(|_| format!("a line that is no JSON: {line}")))
        .collect();
    Ok(Compiled { code: ran.exit.code, messages: messages? })
}

/// Opens a theorem on a worker and tries what searches rely on.
async fn of_worker(mut worker: Box<dyn Worker>) -> Vec<Difference> {
    let theorem = Theorem {
        id: "probe".to_owned(),
        name: "probe".to_owned(),
        system: System::Lean4,
        header: String::new(),
        statement: "theorem probe (p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ ∃ x : Prop, x".to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    let [opens, shows, applies, separates, couples, closes, errors, sorry] = OF_WORKER;
    let opened = match worker.open(&theorem).await {
        Ok(opened) => opened,
        Err(error) => return vec![Difference { probe: opens, found: error.to_string() }],
    };
    let mut differences = Vec::new();
    let mut expect = |probe, holds: bool, found: String| {
        if !holds {
            differences.push(Difference { probe, found });
        }
    };
    let goals = &opened.proof_state.goals;
    let names: Vec<&str> = goals.iter().flat_map(|goal| goal.locals()).map(|(name, _)| name).collect();
    expect(opens, goals.len() == 1 && names == ["p", "q", "hp", "hq"], format!("{goals:?}"));
    let is_expression = goals.iter().all(|goal| {
        goal.target.expr.as_ref().is_some_and(|expr| expr.app_of::<2>(expr.root(), "And").is_some())
    });
    expect(shows, is_expression, format!("{goals:?}"));
    let limits = TacticLimits::wall(LIMIT);
    let split = "refine ⟨hp, ?_⟩\nconstructor";
    let (split, state) = match worker.apply(opened.state, 0, split, limits).await {
        Ok(TacticOutcome::Applied { state, proof_state, .. }) => (proof_state, state),
        other => {
            expect(applies, false, format!("{other:?}"));
            return differences;
        }
    };
    expect(applies, split.goals.len() == 2, format!("{:?}", split.goals));
    expect(separates, split.groups == [[0], [1]], format!("{:?}", split.groups));
    let exists = worker.apply(state, 1, "refine Exists.intro ?w ?h", limits).await;
    let are_coupled = match &exists {
        Ok(TacticOutcome::Applied { proof_state, .. }) => {
            proof_state.goals.len() == 2 && proof_state.groups.len() == 1
        }
        _ => false,
    };
    expect(couples, are_coupled, format!("{exists:?}"));
    let closed = worker.apply(state, 0, "exact hq", limits).await;
    let is_closed =
        matches!(&closed, Ok(TacticOutcome::Applied { proof_state, .. }) if proof_state.goals.is_empty());
    expect(closes, is_closed, format!("{closed:?}"));
    for (probe, tactic) in [(errors, "exact no_such_name"), (sorry, "sorry")] {
        let refused = worker.apply(state, 0, tactic, limits).await;
        expect(probe, matches!(refused, Ok(TacticOutcome::Rejected { .. })), format!("{refused:?}"));
    }
    differences
}
