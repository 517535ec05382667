//! Proof states are values, and goals that share metavariables are held together.

use andor_mini::prover::{State, Theory};

const STEPS: u64 = 1_000_000;

fn opened(statement: &str) -> State {
    Theory::prelude().open(statement).unwrap()
}

fn after(state: &State, tactic: &str) -> State {
    state.apply(tactic, STEPS).unwrap_or_else(|e| panic!("{tactic}: {e}\n{}", shown(state)))
}

fn shown(state: &State) -> String {
    state.goals().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n")
}

#[test]
fn any_old_state_goes_on_as_if_nothing_had_happened() {
    let statement = "example (p q r : Prop) (h : p ∧ (q ∨ r)) : p ∧ q ∨ p ∧ r";
    let script = [
        "obtain ⟨hp, hq⟩ := h",
        "rcases hq with hq | hr",
        "left",
        "constructor",
        "exact hp",
        "exact hq",
        "exact Or.inr ⟨hp, hr⟩",
    ];
    let states: Vec<State> = script.iter().fold(vec![opened(statement)], |mut states, tactic| {
        states.push(after(states.last().unwrap(), tactic));
        states
    });
    assert_eq!(states.last().unwrap().n_goals(), 0);
    // From the last to the first, and each twice with something else in between.
    for (at, tactic) in script.iter().enumerate().rev() {
        let before = shown(&states[at]);
        let _ = states[at].apply("sorry", STEPS);
        let _ = states[at].apply("exact nothing", STEPS);
        let other = states[at].clone();
        assert_eq!(shown(&after(&states[at], tactic)), shown(&states[at + 1]));
        let names = |s: &State| s.goals().into_iter().map(|g| (g.name, g.metas)).collect::<Vec<_>>();
        assert_eq!(names(&after(&other, tactic)), names(&after(&states[at], tactic)), "names too");
        assert_eq!(shown(&states[at]), before);
    }
}

#[test]
fn a_state_goes_to_another_thread() {
    let state = opened("example (a b : Nat) (h : a = b) : b = a");
    let there = std::thread::spawn(move || after(&state, "rw [h]").n_goals());
    assert_eq!(there.join().unwrap(), 0);
}

const CHAIN: &str = "example (a b c : Nat) (h : a ≤ b) (k : b ≤ c) : a ≤ c";

#[test]
fn goals_that_share_a_metavariable_are_a_group() {
    let state = after(&opened(CHAIN), "apply Nat.le_trans");
    assert_eq!(state.groups(), [vec![0, 1, 2]]);
    let goals = state.goals();
    let shared = &goals[2].metas;
    assert_eq!(shared.len(), 1);
    assert!(goals.iter().all(|g| g.metas == *shared));
    for tactics in ["refine ⟨?_, ?_⟩", "constructor"] {
        let state = after(&opened("example (f : Nat → Nat) : ∃ n, f n = f 2"), tactics);
        assert_eq!(state.groups(), [vec![0, 1]], "{tactics}");
    }
    let state = after(&opened("example (p q : Prop) : p ∧ q ∧ ∃ n : Nat, n = 2"), "refine ⟨?_, ?_, ?_, ?_⟩");
    assert_eq!(state.groups(), [vec![0], vec![1], vec![2, 3]]);
    let state = after(&opened("example (p q : Prop) : p ∧ q"), "constructor");
    assert_eq!(state.groups(), [[0], [1]]);
}

#[test]
fn solving_one_of_a_group_shows_in_the_others() {
    let state = after(&opened(CHAIN), "apply Nat.le_trans");
    let solved = after(&state, "exact h");
    assert_eq!(shown(&solved), "case a\na b c : Nat\nh : a ≤ b\nk : b ≤ c\n⊢ b ≤ c");
    assert!(solved.goals()[0].metas.is_empty());
    assert_eq!(after(&solved, "exact k").n_goals(), 0);
    // In the other order.
    let other = after(&state, "rotate_left");
    let solved = after(&other, "exact k");
    assert_eq!(solved.goals()[0].target.text, "a ≤ b");
    // The shared one first.
    let witness = after(&state, "case m => exact b");
    let targets: Vec<String> = witness.goals().into_iter().map(|g| g.target.text).collect();
    assert_eq!(targets, ["a ≤ b", "b ≤ c"]);
    assert_eq!(witness.groups(), [[0], [1]]);
    let state = after(&opened("example (f : Nat → Nat) (h : f 1 = 2) : ∃ n, f n = 2"), "constructor");
    assert_eq!(after(&state, "exact h").n_goals(), 0, "the witness is found");
}

#[test]
fn a_group_is_not_solved_inconsistently() {
    let state = after(&opened(CHAIN), "apply Nat.le_trans");
    let wrong = after(&state, "case m => exact c");
    assert!(wrong.apply("exact h", STEPS).is_err());
    let wrong = after(&state, "exact Nat.le.refl");
    assert_eq!(wrong.goals()[0].target.text, "a ≤ c");
    assert!(wrong.apply("exact k", STEPS).is_err());
    let two = opened("example (p : Nat → Prop) (h : p 1) (k : p 2) : ∃ n, p n ∧ p (n + 0)");
    let state = after(&two, "refine ⟨?n, ?_, ?_⟩");
    assert_eq!(state.groups(), [vec![0, 1, 2]]);
    let first = after(&state, "case n => exact 1");
    let first = after(&first, "exact h");
    assert!(first.apply("exact k", STEPS).is_err());
    assert_eq!(after(&first, "exact h").n_goals(), 0);
    // No variable of one goal gets into another by a shared metavariable.
    let state = after(&opened("example (h : ∀ x : Nat, ∃ y, x = y) : ∃ y, ∀ x : Nat, x = y"), "constructor");
    let state = after(&state, "intro x");
    assert!(state.apply("rfl", STEPS).is_err());
    assert!(state.apply("exact rfl", STEPS).is_err());
    assert!(state.apply("assumption", STEPS).is_err());
}

#[test]
fn a_group_alone_is_a_state_of_its_own() {
    let state = after(&opened("example (p q : Prop) (hp : p) (hq : q) : p ∧ q"), "constructor");
    let second = state.focused(1);
    assert_eq!(shown(&second), "case right\np q : Prop\nhp : p\nhq : q\n⊢ q");
    assert_eq!(second.groups(), [[0]]);
    assert_eq!(after(&second, "exact hq").n_goals(), 0);
    assert_eq!(after(&state.focused(0), "exact hp").n_goals(), 0);
    assert_eq!(state.focused(2).n_goals(), 0, "there is no third");
    assert_eq!(state.n_goals(), 2);
    let chain = after(&opened(CHAIN), "apply Nat.le_trans");
    assert_eq!(shown(&chain.focused(0)), shown(&chain), "a single group is all there is");
    let both = after(&opened(&CHAIN.replace(": a ≤ c", ": a ≤ c ∧ b = b")), "constructor");
    let both = after(&both, "apply Nat.le_trans");
    let groups = both.groups();
    let chained = groups.iter().position(|g| g.len() > 1).unwrap();
    let alone = both.focused(chained);
    assert_eq!(alone.n_goals(), groups[chained].len());
    let solved = after(&alone, "exact h");
    assert_eq!(after(&solved, "exact k").n_goals(), 0);
}
