//! Probes: everything that the adapter takes for granted of the Lean that is there, tried out on it.
//!
//! Most are texts that the compiler reads, with what it should say; the others open a theorem on a worker. They need nothing but
//! Lean's core, and are what makes an unknown version a difference with a name instead of a wrong answer.

mod texts;

use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::theorem::Theorem;
use serde_json::Value;

use super::dialect::OLDEST_LEAN;
use super::launch::{Launch, Program};
use super::pantograph::PantographWorker;
use super::premises::Premises;
use super::repl::ReplWorker;
use super::server::ServerWorker;
use super::{Lean, LeanBackend, shorten};
use andor_env::environment::Finding;
use andor_env::error::EnvError;
use andor_env::worker::{Grouping, TacticLimits, TacticOutcome, Worker};
use andor_process::scratch::Scratch;
use andor_process::{ChildSpec, ResourceLimits};
use texts::{Compiled, Need, TEXTS, TextProbe};

/// Time limit for a text, and for a tactic on a worker.
const LIMIT: Duration = Duration::from_secs(60);

/// Output limit of the compiler, in bytes.
const MAX_OUTPUT_BYTES: usize = 4 << 20;

/// A probe that found something else than expected.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Difference {
    probe: Probe,
    /// What was found.
    found: String,
}

/// What a probe is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Probe {
    name: &'static str,
    /// What should be the case.
    shows: &'static str,
    need: Need,
}

const fn probe(name: &'static str, shows: &'static str, need: Need) -> Probe {
    Probe { name, shows, need }
}

const VERSION: Probe = probe("version", "the version is 4.8.0 or later", Need::Judging);

/// The probes of workers, in the order in which [`of_worker`] makes them.
const OF_WORKER: [Probe; 8] = [
    probe("worker-opens", "a theorem opens with one goal and its hypotheses", Need::Goals),
    probe("worker-shows-expressions", "goals come with expressions", Need::Goals),
    probe("worker-applies", "two tactics in one block leave two goals", Need::Tactics),
    probe("worker-separates-goals", "goals that share nothing are separate", Need::Goals),
    probe("worker-couples-goals", "goals that share a metavariable stay together", Need::Goals),
    probe("worker-closes", "a tactic closes its goal", Need::Tactics),
    probe("worker-rejects-errors", "an unknown name is rejected", Need::Tactics),
    probe("worker-rejects-sorry", "`sorry` is rejected", Need::Tactics),
];

/// The number of probes of a Lean and its own server.
const COUNT: usize = TEXTS.len() + OF_WORKER.len() + 1;

impl Lean {
    /// Tries out the compiler, a worker over Lean's own server, and one over each other server that is there. For each of them
    /// one line says how many probes found what they should; one more names each that did not. A Lean that does not run, or
    /// rejects a correct file, is one finding.
    pub(super) async fn try_all(&self) -> Vec<Finding> {
        if let Err(finding) = runs(&self.premises).await {
            return vec![finding];
        }
        let mut differences = of_compiler(&self.premises).await;
        let server = ServerWorker::new(Arc::clone(&self.premises), Grouping::Coupled);
        differences.extend(of_worker(Box::new(server)).await);
        let mut findings = report("what is relied on", COUNT, differences, true);
        let chosen = self.premises.choice().await.backend;
        for (backend, worker) in self.other_workers() {
            let name = if backend == LeanBackend::Repl { "the REPL" } else { "Pantograph" };
            let differences = of_worker(worker).await;
            findings.extend(report(name, OF_WORKER.len(), differences, backend == chosen));
        }
        findings
    }

    /// Workers over the servers that are not Lean's own, where these are installed.
    fn other_workers(&self) -> Vec<(LeanBackend, Box<dyn Worker>)> {
        let launch = |program: Program| {
            program.find(self.premises.config().project.as_deref())?;
            Some(Arc::new(Launch::beside(Arc::clone(&self.premises), program)))
        };
        let mut workers: Vec<(LeanBackend, Box<dyn Worker>)> = Vec::new();
        if let Some(launch) = launch(Program::Repl) {
            workers.push((LeanBackend::Repl, Box::new(ReplWorker::new(launch, Grouping::Coupled))));
        }
        if let Some(launch) = launch(Program::Pantograph) {
            workers
                .push((LeanBackend::Pantograph, Box::new(PantographWorker::new(launch, Grouping::Coupled))));
        }
        workers
    }
}

/// What the probes of something found. If it is used, what it lacks is needed.
fn report(what: &str, count: usize, differences: Vec<Difference>, is_used: bool) -> Vec<Finding> {
    let is_needed = |difference: &Difference| is_used && difference.probe.need != Need::Suggestions;
    let needed = differences.iter().any(is_needed);
    let found = match differences.len() {
        0 => Ok(format!("all {count} probes found it")),
        n => Err(format!("{n} of {count} probes found something else")),
    };
    let summary = Finding { what: what.to_owned(), found, remedy: None, needed };
    let each = differences.into_iter().map(|difference| {
        let needed = is_needed(&difference);
        let Difference { probe: Probe { name, shows, need }, found } = difference;
        let advice = if is_used {
            "use another version (supported: 4.8.0 to 4.35.0), and please report this"
        } else {
            "leave the backend at `auto` or `server`, and please report this"
        };
        Finding {
            what: format!("probe `{name}`"),
            found: Err(format!("expected: {shows}; but {found}")),
            remedy: Some(format!("{}; {advice}", need.consequence())),
            needed,
        }
    });
    std::iter::once(summary).chain(each).collect()
}

/// Whether Lean runs and accepts a correct file. Where it does not, no other probe says more.
async fn runs(premises: &Premises) -> Result<(), Finding> {
    let lacks = |found: String, remedy: &str| Finding {
        what: "compiling a correct file".to_owned(),
        found: Err(found),
        remedy: Some(remedy.to_owned()),
        needed: true,
    };
    match compile(premises, TEXTS[0].text).await {
        Ok(compiled) if compiled.code == Some(0) => Ok(()),
        Ok(compiled) => Err(lacks(
            compiled.shown(),
            "nothing can be proved or judged: the toolchain is damaged or incomplete; install it again (with elan: \
             `elan toolchain uninstall` and `elan toolchain install`), or name another one with LEAN_SYSROOT",
        )),
        Err(error) => Err(lacks(
            error,
            "nothing can be proved or judged before this is mended; temporary files are in the folder of TMPDIR, or in /tmp",
        )),
    }
}

/// Puts all texts to the compiler.
async fn of_compiler(premises: &Premises) -> Vec<Difference> {
    let mut differences = Vec::new();
    match premises.toolchain().await {
        Ok(toolchain) if toolchain.version >= OLDEST_LEAN => {}
        Ok(toolchain) => {
            differences.push(Difference { probe: VERSION, found: format!("it is {}", toolchain.version) })
        }
        Err(error) => return vec![Difference { probe: VERSION, found: error.to_string() }],
    }
    for TextProbe { name, shows, need, text, expected } in TEXTS {
        let found = compile(premises, text).await.and_then(|compiled| expected(&compiled));
        differences.extend(found.err().map(|found| Difference { probe: probe(name, shows, *need), found }));
    }
    differences
}

/// Compiles a text.
async fn compile(premises: &Premises, text: &str) -> Result<Compiled, String> {
    let toolchain = premises.toolchain().await.map_err(|error| error.to_string())?;
    let folder = Scratch::new().map_err(|error| error.to_string())?;
    let file = folder.path().join("Probe.lean");
    std::fs::write(&file, text).map_err(|error| format!("cannot write {}: {error}", file.display()))?;
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
        .map(|line| {
            serde_json::from_str(line).map_err(|_| format!("a line that is no JSON: {}", shorten(line)))
        })
        .collect();
    Ok(Compiled { code: ran.exit.code, messages: messages? })
}

/// Opens a theorem on a worker and tries what searches rely on.
async fn of_worker(mut worker: Box<dyn Worker>) -> Vec<Difference> {
    let theorem = Theorem {
        id: "probe".to_owned(),
        name: "probe".to_owned(),
        system: crate::LEAN4,
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
    expect(opens, goals.len() == 1 && names == ["p", "q", "hp", "hq"], of_goals(goals));
    let is_expression = goals.iter().all(|goal| {
        goal.target.expr.as_ref().is_some_and(|expr| expr.app_of::<2>(expr.root(), "And").is_some())
    });
    expect(shows, is_expression, of_goals(goals));
    let limits = TacticLimits::wall(LIMIT);
    let split = "refine ⟨hp, ?_⟩\nconstructor";
    let (split, state) = match worker.apply(opened.state, 0, split, limits).await {
        Ok(TacticOutcome::Applied { state, proof_state, .. }) => (proof_state, state),
        other => {
            expect(applies, false, of_outcome(&other));
            return differences;
        }
    };
    expect(applies, split.goals.len() == 2, of_goals(&split.goals));
    expect(separates, split.groups == [[0], [1]], format!("the goals are grouped as {:?}", split.groups));
    let exists = worker.apply(state, 1, "refine Exists.intro ?w ?h", limits).await;
    let are_coupled = match &exists {
        Ok(TacticOutcome::Applied { proof_state, .. }) => {
            proof_state.goals.len() == 2 && proof_state.groups.len() == 1
        }
        _ => false,
    };
    expect(couples, are_coupled, of_outcome(&exists));
    let closed = worker.apply(state, 0, "exact hq", limits).await;
    let is_closed =
        matches!(&closed, Ok(TacticOutcome::Applied { proof_state, .. }) if proof_state.goals.is_empty());
    expect(closes, is_closed, of_outcome(&closed));
    for (probe, tactic) in [(errors, "exact no_such_name"), (sorry, "sorry")] {
        let refused = worker.apply(state, 0, tactic, limits).await;
        expect(probe, matches!(refused, Ok(TacticOutcome::Rejected { .. })), of_outcome(&refused));
    }
    differences
}

fn of_goals(goals: &[Goal]) -> String {
    let shown: Vec<String> =
        goals.iter().map(|goal| shorten(&goal.to_string().replace('\n', ", "))).collect();
    match &shown[..] {
        [] => "no goal is left".to_owned(),
        goals => format!("the goals are: {}", goals.join("; ")),
    }
}

fn of_outcome(outcome: &Result<TacticOutcome, EnvError>) -> String {
    match outcome {
        Ok(TacticOutcome::Applied { proof_state, .. }) => {
            format!("it succeeds, and {}", of_goals(&proof_state.goals))
        }
        Ok(TacticOutcome::Rejected { message, .. }) => format!("it is rejected: {}", shorten(message)),
        Ok(TacticOutcome::OverTime { limit }) => format!("it exceeds its limit: {limit:?}"),
        Err(error) => format!("it cannot be tried: {error}"),
    }
}
