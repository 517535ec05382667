//! Attempts at one theorem that share what is proved of its plan.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::path::Path;
use std::sync::Arc;

use andor_artifact::files::{LinesWriter, read_lines};
use andor_artifact::graft::GraftOrigin;
use andor_artifact::progress::{ProgressLine, ProvedSubgoal, SharingRecord};
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::version::Kind;
use andor_config::{BudgetConfig, Config, Level, VerifyConfig};
use andor_core::plan::PlanStep;
use andor_core::theorem::{System, Theorem};
use andor_engine::attempt::{self, AttemptRequest, Means, Shared};
use andor_engine::event::Event;
use andor_engine::plan;
use andor_engine::progress::Progress;
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::scripted::Scripted;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

/// A theorem with a plan, and tactics that prove its steps and what is left.
struct Problem {
    theorem: Theorem,
    plan: Vec<PlanStep>,
    /// For each step, and for what is left.
    tactics: &'static [&'static str],
}

fn step(name: &str, statement: &str) -> PlanStep {
    PlanStep { name: name.to_owned(), statement: statement.to_owned() }
}

fn mini() -> Problem {
    Problem {
        theorem: theorem(MINI, "t", "theorem t (f : Nat → Nat) (n : Nat) (h : ∀ n, f n = 0) : f n = f 0"),
        plan: vec![step("h1", "f n = 0"), step("h2", "f 0 = 0")],
        tactics: &["exact h n", "exact h 0", "exact Eq.trans h1 (Eq.symm h2)"],
    }
}

fn rocq() -> Problem {
    Problem {
        theorem: theorem(
            ROCQ,
            "t",
            "Theorem t (f : nat -> nat) (n : nat) (h : forall n, f n = 0) : f n = f 0.",
        ),
        plan: vec![step("h1", "f n = 0"), step("h2", "f 0 = 0")],
        tactics: &["exact (h n)", "exact (h 0)", "(rewrite h1, h2; reflexivity)"],
    }
}

fn environment(system: System) -> Arc<dyn Environment> {
    match system.name() {
        "rocq" => Arc::new(Rocq::new(RocqConfig::default())),
        _ => Arc::new(Mini::new(MiniConfig::default())),
    }
}

/// An attempt with a plan, in which the provider knows these tactics.
async fn attempt(
    problem: &Problem,
    plan: &[PlanStep],
    tactics: &[&str],
    number: u32,
    shared: Option<&Arc<Progress>>,
) -> AttemptResult {
    let means = Means {
        workers: Workers::new(environment(problem.theorem.system), Grouping::Coupled),
        provider: Arc::new(Scripted::always(tactics)),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: None,
        cancel: CancellationToken::new(),
    };
    let config = Config {
        budget: BudgetConfig { time_s: None, max_iterations: Some(100), ..BudgetConfig::default() },
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        ..Config::default()
    };
    let theorem = problem.theorem.clone();
    let request =
        AttemptRequest { theorem, attempt: number, role: Role::Configured, config, directory: None };
    let given = Some(plan::given(plan, problem.theorem.system));
    let sink = &mut |_: &str, _: &Event| {};
    let shared = Shared { progress: shared.cloned(), plans: None };
    attempt::run_sharing(&request, &means, given, shared, sink).await.unwrap()
}

fn sharing(result: &AttemptResult) -> SharingRecord {
    result.sharing.clone().unwrap()
}

/// The proofs in a file.
fn proofs(path: &Path) -> Vec<ProvedSubgoal> {
    let lines = read_lines::<ProgressLine>(path, Kind::Progress).unwrap().records;
    let proof = |line| match line {
        ProgressLine::Proved(proof) => Some(*proof),
        ProgressLine::Withdrawn(_) => None,
    };
    lines.into_iter().filter_map(proof).collect()
}

fn write(path: &Path, proofs: &[ProvedSubgoal]) {
    let mut lines = LinesWriter::create(path, Kind::Progress).unwrap();
    for proof in proofs {
        lines.write(&ProgressLine::Proved(Box::new(proof.clone()))).unwrap();
    }
    lines.sync().unwrap();
}

#[test]
fn what_one_attempt_proves_no_other_has_to_prove() {
    for problem in [mini(), rocq()] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress.jsonl");
        let shared = Arc::new(Progress::open(&path, Some("RUN".to_owned())).unwrap());
        let (first, rest) = problem.tactics.split_at(1);
        let result = block_on(attempt(&problem, &problem.plan, first, 1, Some(&shared)));
        assert_eq!(result.outcome, Outcome::NotProved);
        let expected = SharingRecord { offered: 1, accepted: 1, ..SharingRecord::default() };
        assert_eq!(sharing(&result), expected);
        let plan = result.plan.unwrap();
        assert_eq!((plan.progress, plan.proved, plan.steps.len()), (1, 1, 2));
        let [proof] = <[ProvedSubgoal; 1]>::try_from(proofs(&path)).unwrap();
        assert_eq!((proof.names.last().map(String::as_str), proof.size), (Some("h"), 1));
        assert_eq!((proof.found.attempt, proof.found.run.as_deref()), (1, Some("RUN")));
        assert_eq!((proof.steps.len(), proof.steps[0].tactic.as_str()), (1, first[0]));

        // The second attempt knows everything but this.
        let alone = block_on(attempt(&problem, &problem.plan, rest, 2, None));
        assert_eq!((alone.outcome, alone.sharing), (Outcome::NotProved, None));
        let result = block_on(attempt(&problem, &problem.plan, rest, 2, Some(&shared)));
        assert_eq!(result.outcome, Outcome::Accepted, "{result:?}");
        assert!(result.chance, "it depends on another attempt");
        let grafts: Vec<GraftOrigin> = result.grafts.iter().map(|graft| graft.origin).collect();
        assert_eq!(grafts, [GraftOrigin::Plan, GraftOrigin::Shared]);
        let expected =
            SharingRecord { found: 1, closed: 1, offered: 2, accepted: 2, ..SharingRecord::default() };
        assert_eq!(sharing(&result), expected);
        assert_eq!(result.plan.unwrap().progress, 2);

        // Another program goes on with the file. Nobody knows any tactic.
        drop(shared);
        let shared = Arc::new(Progress::open(&path, None).unwrap());
        let result = block_on(attempt(&problem, &problem.plan, &[], 3, Some(&shared)));
        assert_eq!(result.outcome, Outcome::Accepted, "{result:?}");
        let expected = SharingRecord { confirmed: 3, found: 3, closed: 3, ..SharingRecord::default() };
        assert_eq!(sharing(&result), expected);
        assert_eq!(result.spent.iterations, 0);
        assert_eq!(proofs(&path).len(), 3, "nothing is written twice");
    }
}

#[test]
fn of_two_attempts_at_a_subgoal_at_once_one_proof_is_kept() {
    for problem in [mini(), rocq()] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress.jsonl");
        let shared = Arc::new(Progress::open(&path, None).unwrap());
        let one = |number| attempt(&problem, &problem.plan, problem.tactics, number, Some(&shared));
        let (a, b) = block_on(async { tokio::join!(one(1), one(2)) });
        assert_eq!((a.outcome, b.outcome), (Outcome::Accepted, Outcome::Accepted));
        let sum = sharing(&a).and(&sharing(&b));
        assert_eq!((sum.accepted, sum.rejected, sum.unchecked), (3, 0, 0), "{sum:?}");
        assert_eq!(sum.offered - sum.known, 3, "{sum:?}");
        let mut signatures: Vec<String> = proofs(&path).into_iter().map(|proof| proof.signature).collect();
        signatures.sort();
        signatures.dedup();
        assert_eq!((signatures.len(), proofs(&path).len()), (3, 3));
    }
}

#[test]
fn hypotheses_with_other_names_are_renamed() {
    for problem in [mini(), rocq()] {
        let shared = Arc::new(Progress::default());
        let result = block_on(attempt(&problem, &problem.plan, problem.tactics, 1, Some(&shared)));
        assert_eq!(result.outcome, Outcome::Accepted);
        // The names change places, too.
        let plan = [step("h2", "f n = 0"), step("h1", "f 0 = 0")];
        let result = block_on(attempt(&problem, &plan, &[], 2, Some(&shared)));
        assert_eq!(result.outcome, Outcome::Accepted, "{:#?}", result.grafts);
        let found = sharing(&result);
        assert_eq!((found.found, found.renamed, found.closed, found.failed), (3, 2, 3, 0));
    }
}

#[test]
fn proofs_that_the_checker_does_not_accept_are_taken_back() {
    let mut problem = mini();
    // An axiom that is not allowed.
    problem.theorem.header = "axiom cheat : ∀ (f : Nat → Nat) (n : Nat), f n = 0\n".to_owned();
    problem.theorem.statement = "theorem t (f : Nat → Nat) (n : Nat) : f n = f 0".to_owned();
    let tactics = ["exact cheat f n", "exact cheat f 0", "exact Eq.trans h1 (Eq.symm h2)"];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("progress.jsonl");
    let shared = Arc::new(Progress::open(&path, None).unwrap());
    let first = block_on(attempt(&problem, &problem.plan, &tactics, 1, Some(&shared)));
    assert_eq!((first.outcome, first.rejected_claims.len()), (Outcome::AxiomNotAllowed, 1), "{first:?}");
    let counts = sharing(&first);
    assert_eq!((counts.accepted, counts.withdrawn), (3, 1), "{counts:?}");
    // It is not found again, here or after a new start.
    let again = sharing(&block_on(attempt(&problem, &problem.plan, &[], 2, Some(&shared))));
    assert_eq!((again.found, again.closed), (2, 2), "{again:?}");
    drop(shared);
    let shared = Arc::new(Progress::open(&path, None).unwrap());
    let again = sharing(&block_on(attempt(&problem, &problem.plan, &[], 3, Some(&shared))));
    assert_eq!((again.confirmed, again.found, again.closed), (2, 2, 2), "{again:?}");
}

#[test]
fn a_false_proof_in_the_file_is_refused_and_counted() {
    for problem in [mini(), rocq()] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("progress.jsonl");
        let shared = Arc::new(Progress::open(&path, None).unwrap());
        block_on(attempt(&problem, &problem.plan, problem.tactics, 1, Some(&shared)));
        drop(shared);
        let honest = proofs(&path);
        let of = |name: &str| {
            let proof = honest.iter().find(|proof| proof.script.contains(name));
            proof.unwrap_or_else(|| panic!("no proof with {name}: {honest:?}")).clone()
        };
        let (proof, last) = (of(problem.tactics[0].trim_matches(['(', ')'])), of("h1"));
        let hole = if problem.theorem.system == ROCQ { "admit." } else { "sorry" };
        let with = |change: &dyn Fn(&mut ProvedSubgoal)| {
            let mut proof = proof.clone();
            change(&mut proof);
            proof
        };
        let lies = [
            with(&|proof| proof.script = proof.script.replace('h', "missing")),
            with(&|proof| proof.script = hole.to_owned()),
            with(&|proof| proof.script = String::new()),
            // A proof of another subgoal, which is not reached this way.
            with(&|proof| proof.signature = last.signature.clone()),
            with(&|proof| proof.way = last.way.clone()),
            with(&|proof| proof.way[0].child += 7),
            with(&|proof| proof.way[0].tactic = "nonsense".to_owned()),
            with(&|proof| proof.names[0] = "other".to_owned()),
        ];
        // With Rocq each takes a second.
        let n = if problem.theorem.system == ROCQ { 4 } else { lies.len() };
        for lie in lies.into_iter().take(n) {
            // It seems better than the honest one.
            let lie = ProvedSubgoal { size: 0, ..lie };
            write(&path, std::slice::from_ref(&lie));
            let shared = Arc::new(Progress::open(&path, None).unwrap());
            let result = block_on(attempt(&problem, &problem.plan, &[], 2, Some(&shared)));
            assert_eq!(result.outcome, Outcome::NotProved, "{lie:?}");
            let expected = SharingRecord { refused: 1, ..SharingRecord::default() };
            assert_eq!(sharing(&result), expected, "{lie:?}");
            drop(shared);
            // It does not stand in the way of honest ones.
            let all: Vec<ProvedSubgoal> = [&lie].into_iter().chain(&honest).cloned().collect();
            write(&path, &all);
            let shared = Arc::new(Progress::open(&path, None).unwrap());
            let result = block_on(attempt(&problem, &problem.plan, &[], 2, Some(&shared)));
            assert_eq!(result.outcome, Outcome::Accepted, "{lie:?}");
            let counts = sharing(&result);
            assert_eq!((counts.confirmed, counts.refused, counts.closed), (3, 1, 3), "{lie:?}");
        }
    }
}
