//! The worker over Lean's language server, on a real Lean.

use andor_system_lean::LEAN4;
use std::time::Duration;

use andor_core::theorem::Theorem;
use andor_env::checker::{Level, Verdict};
use andor_env::environment::{Environment, Script, ScriptStep};
use andor_env::error::EnvError;
use andor_env::worker::{Grouping, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_process::error::ProcessError;
use andor_testkit::contract::kill;
use andor_testkit::{block_on, lean, theorem};

const LIMITS: TacticLimits = TacticLimits { wall: Duration::from_secs(20), cpu: None };

fn stated(header: &str, statement: &str) -> Theorem {
    Theorem { header: header.to_owned(), ..theorem(LEAN4, "t", statement) }
}

async fn open(worker: &mut dyn Worker, theorem: &Theorem) -> Opened {
    worker.open(theorem).await.unwrap_or_else(|error| panic!("{}: {error}", theorem.statement))
}

fn worker() -> Box<dyn Worker> {
    lean::environment().new_worker(Grouping::Coupled)
}

async fn try_on(worker: &mut dyn Worker, state: StateId, group: usize, tactic: &str) -> TacticOutcome {
    worker.apply(state, group, tactic, LIMITS).await.unwrap_or_else(|error| panic!("`{tactic}`: {error}"))
}

async fn apply(worker: &mut dyn Worker, state: StateId, group: usize, tactic: &str) -> (StateId, ProofState) {
    match try_on(worker, state, group, tactic).await {
        TacticOutcome::Applied { state, proof_state, .. } => (state, (*proof_state).clone()),
        other => panic!("`{tactic}`: {other:?}"),
    }
}

async fn rejection(worker: &mut dyn Worker, state: StateId, tactic: &str) -> String {
    match try_on(worker, state, 0, tactic).await {
        TacticOutcome::Rejected { message, .. } => message,
        other => panic!("`{tactic}`: {other:?}"),
    }
}

fn targets(state: &ProofState) -> Vec<&str> {
    state.goals.iter().map(|goal| goal.target.text.as_str()).collect()
}

#[test]
fn what_lean_recovers_from_is_no_success() {
    block_on(async {
        let header =
            "macro \"give_up\" : tactic => `(tactic| sorry)\ntheorem lie (p : Prop) : p := by sorry\n";
        let mut worker = worker();
        let root =
            open(&mut *worker, &stated(header, "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q")).await;
        for (tactic, expected) in [
            ("exact ⟨hp, by simp⟩", "simp"),
            ("have h : q := by\n  exact hp\nexact ⟨hp, h⟩", "mismatch"),
            ("constructor\n· exact hp\n· skip", "unsolved goals"),
            ("have h : q := by", "unsolved goals"),
            ("exact ⟨hp, _⟩", "placeholder"),
            ("give_up", "gives up"),
            ("exact ⟨hp, sorry⟩", "gives up"),
            ("exact ⟨hp, by give_up⟩", "gives up"),
            ("exact ⟨hp", "expected"),
            ("exact _andor_hole", "reserved"),
            ("nonsense", "unknown"),
        ] {
            let message = rejection(&mut *worker, root.state, tactic).await;
            assert!(message.contains(expected), "`{tactic}`: {message}");
        }
        // The same text again, which is no change.
        for _ in 0..2 {
            assert!(rejection(&mut *worker, root.state, "nonsense").await.contains("unknown"));
        }
        // The header's own gap is for the checker to find.
        assert!(apply(&mut *worker, root.state, 0, "exact lie _").await.1.goals.is_empty());
        assert!(
            apply(&mut *worker, root.state, 0, "first | exact hp | exact ⟨hp, hq⟩").await.1.goals.is_empty()
        );
    });
}

#[test]
fn a_tactic_reaches_the_goals_of_its_group_alone() {
    block_on(async {
        let mut worker = worker();
        let statement = "theorem t (p q : Prop) (hp : p) (hq : q) : (p ∧ q) ∧ (q ∧ p) ∧ ∃ n : Nat, n = 3 ∧ p";
        let root = open(&mut *worker, &stated("", statement)).await;
        let split = "refine ⟨?_, ?_, ?w, ?_, ?_⟩";
        let (state, all) = apply(&mut *worker, root.state, 0, split).await;
        assert_eq!(targets(&all), ["p ∧ q", "q ∧ p", "Nat", "?w = 3", "p"]);
        assert_eq!(all.groups, [vec![0], vec![1], vec![2, 3], vec![4]]);
        // Each group, in any order.
        let (_, left) = apply(&mut *worker, state, 3, "all_goals exact hp").await;
        assert!(left.goals.is_empty());
        let (second, left) = apply(&mut *worker, state, 1, "all_goals constructor").await;
        assert_eq!(targets(&left), ["q", "p"]);
        let (coupled, left) = apply(&mut *worker, state, 2, "rotate_left 1").await;
        assert_eq!(targets(&left), ["?w = 3", "Nat"]);
        assert_eq!(left.groups, [[0, 1]]);
        let (_, left) = apply(&mut *worker, coupled, 0, "rfl").await;
        assert!(left.goals.is_empty(), "the goal `Nat` is solved, too");
        let (_, left) = apply(&mut *worker, second, 1, "exact hp").await;
        assert!(left.goals.is_empty());
    });
}

/// Tries tactics one after the other, and judges the script that they make.
fn script_holds(statement: &str, tactics: &[&str]) {
    block_on(async {
        let environment = lean::environment();
        let mut worker = environment.new_worker(Grouping::Coupled);
        let theorem = stated("", statement);
        let root = open(&mut *worker, &theorem).await;
        let (mut state, mut steps) = (root.state, Vec::new());
        for (at, tactic) in tactics.iter().enumerate() {
            let TacticOutcome::Applied { state: next, proof_state, script, .. } =
                try_on(&mut *worker, state, 0, tactic).await
            else {
                panic!("`{tactic}` fails")
            };
            let groups = proof_state.groups.clone();
            steps.push(ScriptStep { text: script, children: vec![at + 1; groups.len()], groups });
            state = next;
        }
        let claim = environment.assemble(&theorem, &[], &Script { steps });
        let verdict = environment.checker().check(&claim, Level::Compiled).await;
        assert!(matches!(verdict, Verdict::Accepted { .. }), "{verdict:?}\n{}", claim.submission);
    });
}

#[test]
fn a_script_with_parentheses_is_read_as_it_was_tried() {
    let statement = "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q";
    script_holds(statement, &["have h := hp", "(skip; skip)", "refine ⟨h, ?_⟩", "(\n  exact hq\n)"]);
}

#[test]
fn a_calculation_of_one_step_takes_in_nothing_that_follows() {
    let statement = "theorem t (a b : Nat) (h : a = b) : a = b";
    script_holds(statement, &["calc a = b := ?_", "exact h"]);
}

#[test]
fn goals_have_expressions() {
    block_on(async {
        let mut worker = worker();
        let statement = "theorem t (f : Nat → Nat) (h : ∀ x y : Nat, x ≤ y → f x ≤ f y + 2 ^ 3) (k : List (Nat × Bool))\n\
                         {α : Type u} [Inhabited α] (g : (a : α) → a = default → Sort v) : ∃ m, f m * 2 ≠ 7 ∧ k.length = m";
        let opened = open(&mut *worker, &stated("", statement)).await;
        let goal = &opened.proof_state.goals[0];
        for hypothesis in &goal.hypotheses {
            assert!(hypothesis.ty.expr.is_some(), "{}", hypothesis.ty.text);
        }
        let target = goal.target.expr.as_ref().expect("it can be read");
        let constants: Vec<&str> = target.constants().map(|name| &**name).collect();
        assert!(constants.contains(&"Nat.mul") && constants.contains(&"Ne"), "{constants:?}");
        assert!(
            !constants.iter().any(|name| name.starts_with("inst") || name.contains("OfNat")),
            "{constants:?}"
        );
    });
}

#[test]
fn theorems_are_read_where_they_stand() {
    block_on(async {
        let mut worker = worker();
        let header = "import Admit\n\nnamespace A\nuniverse u\nvariable {α : Type u} (x : α)\nopen Nat in\n/-- One. -/\n";
        let opened =
            open(&mut *worker, &stated(header, "theorem t (h : x = x) : x = x ∧ True := by sorry")).await;
        assert_eq!(opened.proof_state.goals[0].to_string(), "α : Type u\nx : α\nh : x = x\n⊢ x = x ∧ True");
        let (_, left) = apply(&mut *worker, opened.state, 0, "exact ⟨h, trivial⟩ -- done").await;
        assert!(left.goals.is_empty());
        for (header, statement, part) in [
            ("theorem a : False := rfl\n", "theorem t : True", "the header"),
            ("import Nowhere\n", "theorem t : True", "the header"),
            ("", "theorem t : nonsense", "the statement"),
            ("", "theorem t (h : sorry) : True", "the statement"),
            ("", "theorem t : True := trivial", "the statement"),
        ] {
            let mut worker = self::worker();
            let refused = worker.open(&stated(header, statement)).await;
            let Err(EnvError::TheoremRefused { part: found, .. }) = refused else {
                panic!("{statement}: {refused:?}")
            };
            assert_eq!(found, part, "{header}{statement}");
        }
    });
}

#[test]
fn a_worker_keeps_what_it_has_read() {
    block_on(async {
        let mut worker = worker();
        let header = "theorem a : 1 = 1 := rfl\n";
        let first = open(&mut *worker, &stated(header, "theorem t : 1 = 1")).await;
        let process = worker.process_id();
        assert!(first.importing > Duration::ZERO);
        assert!(apply(&mut *worker, first.state, 0, "exact a").await.1.goals.is_empty());
        assert!(worker.forget_theorem());
        assert_eq!(worker.shares(header), Some(header.len()));
        assert_eq!(worker.shares("import Admit\n"), None);
        let longer = format!("{header}theorem b : 2 = 2 := rfl\n");
        let second = open(&mut *worker, &stated(&longer, "theorem t : 2 = 2")).await;
        assert!(apply(&mut *worker, second.state, 0, "exact b").await.1.goals.is_empty());
        assert!(worker.forget_theorem());
        let third = open(&mut *worker, &stated(header, "theorem t : 2 = 2")).await;
        assert!(rejection(&mut *worker, third.state, "exact b").await.contains("b"));
        assert_eq!(worker.process_id(), process);
    });
}

#[test]
fn a_hung_lean_is_killed_and_a_killed_one_is_an_error() {
    block_on(async {
        let mut worker = worker();
        let root = open(&mut *worker, &stated("", "theorem t : 1 = 1")).await;
        let pid = worker.process_id().expect("it runs");
        let lean = andor_process::program_within(pid).unwrap_or(pid);
        let limits = TacticLimits::wall(Duration::from_millis(200));
        // A tactic that Lean can be told to give up.
        let outcome = worker.apply(root.state, 0, "repeat skip", limits).await.expect("it is cancelled");
        assert!(matches!(outcome, TacticOutcome::OverTime { .. }), "{outcome:?}");
        assert!(apply(&mut *worker, root.state, 0, "rfl").await.1.goals.is_empty());
        // A process that does nothing any more.
        let stop =
            rustix::process::Pid::from_raw(i32::try_from(lean).expect("process ids fit")).expect("not zero");
        rustix::process::kill_process(stop, rustix::process::Signal::STOP).expect("the process is ours");
        let hung = worker.apply(root.state, 0, "skip", limits).await;
        assert!(matches!(hung, Err(EnvError::Process(ProcessError::Overdue { .. }))), "{hung:?}");
        assert!(matches!(worker.apply(root.state, 0, "rfl", limits).await, Err(EnvError::Lost)));
        let mut worker = self::worker();
        let root = open(&mut *worker, &stated("", "theorem t : 1 = 1")).await;
        let pid = worker.process_id().expect("it runs");
        kill(andor_process::program_within(pid).unwrap_or(pid));
        let died = worker.apply(root.state, 0, "rfl", LIMITS).await;
        assert!(matches!(died, Err(EnvError::Process(ProcessError::Died { .. }))), "{died:?}");
    });
}

#[test]
fn steps_mean_beside_others_what_they_mean_alone() {
    let statement =
        "theorem t (f : Nat → Nat) (p q : Prop) (hp : p) (hq : q) : p ∧ (q ∧ ∃ n : Nat, f n = f n)";
    block_on(async {
        let mut worker = worker();
        let root = open(&mut *worker, &stated("", statement)).await;
        // A parenthesis behind a term, a calculation, an empty line, a comment at the end, and bullets.
        let (state, _) = apply(&mut *worker, root.state, 0, "refine ⟨hp, ?_⟩").await;
        let (state, left) = apply(&mut *worker, state, 0, "(constructor)").await;
        assert_eq!(left.groups, [[0], [1]]);
        let (state, _) = apply(&mut *worker, state, 1, "have h : f 1 = f 1 := by\n\n  rfl").await;
        let (state, _) = apply(&mut *worker, state, 0, "have k : f 1 = f 1 :=\n  calc f 1 = f 1 := h").await;
        let (state, _) = apply(&mut *worker, state, 0, "have l := k -- that is all").await;
        let (state, _) = apply(
            &mut *worker,
            state,
            0,
            "have : f 1 = f 1 ∧ p := by\n  constructor\n  · exact l\n  · exact hp",
        )
        .await;
        let (state, left) = apply(&mut *worker, state, 0, "(refine ⟨1, ?_⟩)").await;
        assert_eq!(targets(&left), ["f 1 = f 1"]);
        assert!(apply(&mut *worker, state, 0, "(exact l)").await.1.goals.is_empty());
        assert!(rejection(&mut *worker, state, "exact hp").await.contains("mismatch"));
    });
}
