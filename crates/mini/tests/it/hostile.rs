//! Tactics and files made to use up time or memory: each ends at a limit, and says which.

use andor_mini::budget::{self, Exceeded, Limits, Stop};
use andor_mini::prover::{State, TacticError, Theory};

/// Half a second of a tactic.
const STEPS: u64 = 1_000_000;

fn open(statement: &str) -> State {
    Theory::prelude().open(&format!("example {statement}")).unwrap()
}

/// Reads a file in less than files may take, so that it is over sooner.
fn extended(text: &str) -> Result<(), String> {
    let read = budget::within(Limits { steps: STEPS, bytes: 64 << 20 }, || {
        Theory::prelude().extended(text).map(drop).map_err(|error| error.to_string())
    });
    read.unwrap_or_else(|exceeded| Err(exceeded.to_string()))
}

fn exceeded(statement: &str, tactic: &str) -> Exceeded {
    match open(statement).apply(tactic, STEPS) {
        Err(TacticError::Exceeded(exceeded)) => exceeded,
        Err(TacticError::Failed(message)) => panic!("{tactic}: {message}"),
        Ok(state) => panic!("{tactic} leaves {} goals", state.n_goals()),
    }
}

/// `let y1 := f y0`, `let y2 := f y1` and so on, one below the other.
fn lets(n: usize, f: impl Fn(&str) -> String) -> String {
    (0..n).map(|i| format!("let y{} := {}\n", i + 1, f(&format!("y{i}")))).collect()
}

#[test]
fn loops_that_never_fail_end() {
    for tactic in [
        "repeat (have h : 0 = 0 := rfl)",
        "repeat (by_cases h : 0 = 1)",
        "repeat (let x := 5)",
        "repeat exfalso",
        "repeat (have : True := trivial)",
        "repeat (suffices p by assumption)",
        "repeat (by_contra h; exfalso)",
        "repeat (first | skip | done)",
        "repeat (repeat skip)",
        "repeat (all_goals (by_cases h : p))",
        "repeat (rotate_left)",
        "repeat (generalize 0 = z)",
        "repeat (revert p; intro p)",
        "repeat (obtain ⟨a, b⟩ : True ∧ True := ⟨trivial, trivial⟩)",
        "repeat (have n : Nat := 0; cases n)",
    ] {
        let why = exceeded("(p : Prop) : p", tactic);
        assert!(matches!(why, Exceeded::Steps | Exceeded::Memory), "{tactic}: {why}");
    }
}

#[test]
fn goals_that_multiply_end() {
    let cases = "by_cases h : p".to_owned() + &" <;> by_cases h : p".repeat(40);
    let nested = "constructor".to_owned() + &" <;> (try constructor)".repeat(40);
    let deep = (0..40).fold("p".to_owned(), |p, _| format!("({p} ∧ p)"));
    assert!(matches!(exceeded("(p : Prop) : p", &cases), Exceeded::Steps | Exceeded::Memory));
    assert_eq!(open(&format!("(p : Prop) : {deep}")).apply(&nested, STEPS).map(|s| s.n_goals()), Ok(41));
}

/// What is shared is worked on once. Written out it would have 2 ^ 60 parts.
#[test]
fn shared_terms_are_worked_on_once() {
    let sums = lets(60, |y| format!("{y} + {y}"));
    let state = open("(y0 : Nat) : y0 = y0").apply(&sums, STEPS).map(|state| state.n_goals());
    assert_eq!(state, Ok(1));
    let closed =
        open("(y0 : Nat) : y0 = y0").apply(&format!("{sums}rfl"), STEPS).map(|state| state.n_goals());
    assert_eq!(closed, Ok(0));
    // Where the form of the whole is asked for, there is a limit.
    for tactic in
        ["exact absurd rfl y60", "show y60 = y0", "simp [y60]", "rw [Nat.add_comm y60]", "ring", "omega"]
    {
        let ended = open("(y0 : Nat) : y0 = y0 + 1").apply(&format!("{sums}{tactic}"), STEPS);
        assert!(ended.is_err(), "{tactic}");
    }
    let term = (0..60).fold("y60 = y60".to_owned(), |body, i| {
        let i = 59 - i;
        format!("let y{} := y{i} + y{i}; {body}", i + 1)
    });
    let text = format!("theorem t (y0 : Nat) : {term} := rfl");
    assert_eq!(extended(&text), Ok(()));
    let pairs = format!(
        "theorem t (y0 : Nat) : True := by\n  {}  trivial",
        lets(60, |y| format!("({y}, {y})\n ")).trim_end()
    );
    let _ = extended(&pairs);
}

#[test]
fn a_state_too_large_to_be_shown_is_refused() {
    let mut state = open("(f : Nat → Nat → Nat) (n : Nat) (d : ∀ x, f x x = x) : n = 0");
    for _ in 0..40 {
        state = match state.apply("rw [← d n]", STEPS) {
            Ok(next) => next,
            Err(_) => return,
        };
        if let Err(error) = state.shown() {
            assert_eq!(error.to_string(), "the goals that it leaves are too large to be shown");
            return;
        }
    }
    panic!("2 ^ 40 variables were shown");
}

#[test]
fn numbers_are_computed_as_numbers() {
    for statement in [
        "Nat.sub 10000000 9999999 = 1",
        "10000000 - 9999999 = 1",
        "9999999 - 10000000 = 0",
        "2 ^ 1000 - 2 ^ 999 = 2 ^ 999",
        "(2 ^ 100 - 1) * 2 + 2 = 2 ^ 101",
    ] {
        for proof in ["rfl", "by rfl", "by decide", "by simp", "by omega"] {
            let text = format!("theorem t : {statement} := {proof}");
            if let Err(error) = extended(&text) {
                assert!(proof == "by omega" || proof == "by simp", "{text}: {error}");
            }
        }
    }
    for statement in ["Nat.sub 10000000 9999999 = 2", "5 - 7 = 1"] {
        assert!(extended(&format!("theorem t : {statement} := rfl")).is_err(), "{statement}");
    }
}

/// What is computed one by one ends at a limit: in the elaborator, and in the kernel.
#[test]
fn towers_end() {
    let count = "Nat.rec (motive := fun _ => Nat) 0 (fun _ n => Nat.succ n)";
    for number in ["10000000", "(2 ^ 70)"] {
        let statement = format!("theorem t : {count} {number} = {number}");
        for proof in ["rfl", "by rfl", "by decide", "by simp"] {
            assert!(extended(&format!("{statement} := {proof}")).is_err(), "{number}");
        }
    }
    let longer = "theorem t : List.length (List.replicate 10000000 0) = 10000000 := rfl";
    assert!(extended(longer).is_err());
}

#[test]
fn polynomials_end() {
    let sum = "(a + b + c + d + e + f + g)";
    let statement = format!("(a b c d e f g : Nat) : {sum} ^ 60 = {sum} ^ 60 + 1");
    assert!(matches!(exceeded(&statement, "ring"), Exceeded::Steps | Exceeded::Memory));
}

#[test]
fn work_is_stopped_from_outside() {
    let state = open("(p : Prop) : p");
    let stop = Stop::default();
    stop.stop();
    let stopped = budget::until(&stop, Limits::NONE, || state.apply("repeat skip", u64::MAX));
    assert_eq!(stopped.err(), Some(Exceeded::Stopped));
    let stop = Stop::default();
    let worker = {
        let stop = stop.clone();
        std::thread::spawn(move || {
            budget::until(&stop, Limits::NONE, || state.apply("repeat skip", u64::MAX)).err()
        })
    };
    stop.stop();
    assert_eq!(worker.join().expect("it does not panic"), Some(Exceeded::Stopped));
}

/// What is broken off leaves nothing behind: the same thread goes on.
#[test]
fn work_goes_on_after_a_limit() {
    let state = open("(p q : Prop) (hp : p) (hq : q) : p ∧ q");
    for steps in [0, 1, 10, 100, 1_000] {
        let _ = state.apply("repeat (have h : 0 = 0 := rfl)", steps);
        assert_eq!(state.apply("exact ⟨hp, hq⟩", STEPS).map(|state| state.n_goals()), Ok(0));
    }
}

#[test]
fn a_hostile_file_is_refused_with_its_place() {
    for tactic in ["repeat (let x := 5)", "repeat (by_cases h : 0 = 1)", "repeat exfalso"] {
        let text = format!("theorem fine : True := trivial\n\ntheorem t (p : Prop) : p := by\n  {tactic}");
        let error = extended(&text).unwrap_err();
        assert!(error.starts_with("3:1: the "), "{tactic}: {error}");
    }
}
