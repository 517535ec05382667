//! `simp`, `simp_all` and `simpa`: what they prove, what they leave, and where they fail.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use andor_mini::budget::Exceeded;
use andor_mini::judge::File;
use andor_mini::prover::{TacticError, Theory};
use proptest::prelude::*;

const STEPS: u64 = 2_000_000;

/// Applies a tactic to the goal of a statement.
fn apply(statement: &str, tactic: &str) -> Result<Vec<andor_core::goal::Goal>, TacticError> {
    #![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]
    let state = Theory::prelude().open(&format!("example {statement}")).unwrap();
    state.apply(tactic, STEPS).map(|state| state.goals())
}

/// Statements with tactics that finish their proofs; the kernel checks what they find.
const PROVED: &[(&str, &str)] = &[
    // Connectives and quantifiers.
    ("(n : Nat) (p : Prop) (h : p) : n + 0 = n ∧ p", "simp [h]"),
    ("(p q r : Prop) : (p ∧ q → r) ↔ (p → q → r)", "simp"),
    ("(p q : Prop) (h : ¬p) : p → q", "simp [h]"),
    ("(p q : Prop) : p ∧ q ↔ q ∧ p", "simp [and_comm]"),
    ("(p q r : Prop) : p ∧ q ∧ r ↔ r ∧ q ∧ p", "simp only [and_comm, and_left_comm, and_assoc]"),
    ("(α : Type) (P : α → Prop) : (¬∃ x, P x) ↔ ∀ x, ¬P x", "simp"),
    ("(α : Type) (P : α → Prop) : ¬(∀ x, P x) ↔ ∃ x, ¬P x", "simp"),
    ("(α : Type) (P Q : α → Prop) (h : ∀ x, P x ↔ Q x) : (∃ x, P x) ↔ ∃ x, Q x", "simp [h]"),
    ("(α : Type) (P Q : α → Prop) (h : ∀ x, P x ↔ Q x) : (∀ x, P x) ↔ ∀ x, Q x", "simp [← h]"),
    (": ∃ x, x = 3", "simp"),
    ("(P : Nat → Prop) (h : P 3) : ∃ x, x = 3 ∧ P x", "simp [h]"),
    ("(P : Nat → Prop) (h : P 3) : ∀ x, x = 3 → P x", "simp [h]"),
    ("{α : Type} (x y : α) (h : x ≠ y) : x = y → False", "simp [h]"),
    // Numbers.
    (": 2 * 3 = 6", "simp"),
    (": 2 ^ 10 - 24 = 1000 ∧ 3 - 5 = 0", "simp"),
    (": ¬(3 < 2) ∧ 3 < 5 ∧ ¬(5 ≤ 4) ∧ 4 ≤ 4 ∧ 3 ≠ 5 ∧ 5 ≠ 3", "simp"),
    (": 123456789012345678901234567890 < 123456789012345678901234567891", "simp"),
    ("(x : Nat) : x + 1 ≠ 0", "simp"),
    ("(x : Nat) : 0 ≠ x + 3", "simp"),
    ("(x y : Nat) : x + 2 + 3 = y + 5 → x = y", "simp"),
    ("(x y : Nat) : x + 7 < y + 7 ↔ x < y", "simp"),
    ("(x : Nat) : x + 3 = 5 ↔ x = 2", "simp"),
    ("(x : Nat) : x + 3 ≤ 5 ↔ x ≤ 2", "simp"),
    ("(x y z : Nat) : x + y + z = z + y + x", "simp [Nat.add_comm, Nat.add_left_comm, Nat.add_assoc]"),
    ("(x y : Nat) (h : y ≤ x) : x - y + y = x", "simp [h]"),
    ("(x y : Nat) (h : x > y) : y < x", "simp [h]"),
    ("(x y : Nat) (h : y = x + 1) : x < y", "simp [h]"),
    ("(f : Nat → Nat) (h : ∀ x, 0 < x → f x = 0) : f 3 = 0", "simp [h]"),
    ("(f : Nat → Nat) (h : ∀ x, x ≠ 0 → f x = 0) (y : Nat) : f (y + 1) = 0", "simp [h]"),
    ("(f : Nat → Nat → Nat) (h : ∀ a b, f a b = f b a) (x y : Nat) : f y x = f x y", "simp [h]"),
    ("(f : Nat → Nat) (h : ∀ x, f x = x) : (fun y => f (y + 0)) = fun y => y", "simp [h]"),
    // Lists, pairs and constructors.
    ("(xs ys : List Nat) : (xs ++ ys).length = ys.length + xs.length", "simp [Nat.add_comm]"),
    ("(xs : List Nat) : (xs ++ []).map (fun x => x + 0) = xs", "simp"),
    ("(a : Nat) (l : List Nat) : [] ≠ a :: l", "simp"),
    ("(a b : Nat) : (a, b).fst = a ∧ (a, b).snd = b", "simp"),
    ("(x y : Nat) (h : x = y) : (x, 2) = (y, 2)", "simp [h]"),
    // Hypotheses.
    ("(a b : Nat) (h : a = b) (k : b = 3) : a + 1 = 4", "simp [*]"),
    ("(x y : Nat) (h : x = y ∧ y = 3) : x = 3", "simp [h]"),
    ("(x : Nat) (h : x < 0) : x = 7", "simp at h"),
    ("(x : Nat) (h : x + 1 = 0) : x = 7", "simp at *"),
    ("(x : Nat) : x = x + 0", "simp only [Nat.add_zero]"),
    // Hypotheses among each other.
    ("(p q r : Prop) (h : p → q) (k : q → r) (hp : p) : r", "simp_all"),
    ("(p q : Prop) (h : p ∨ q) (k : ¬p) : q", "simp_all"),
    ("(p : Prop) (h : ¬p) (k : p) : 1 = 2", "simp_all"),
    ("(x : Nat) (h : x = 2) (k : x = 3) : False", "simp_all"),
    ("(a b : Nat) (h : a = b) (k : b = a) : a + b = b + a", "simp_all"),
    ("(a b : Nat) (h : a = b) (k : a + 2 = 5) : b = 3", "simp_all"),
    // `simpa`
    ("(a b : Nat) (h : a + 0 = b) : b = a", "simpa using h.symm"),
    ("(x y z : Nat) (h : x * y = z) : y * x = z", "simpa [Nat.mul_comm] using h"),
    ("(a b : Nat) (h : ¬b ≤ a) : a < b", "simpa using h"),
    ("(p q : Nat → Prop) (h : ∃ x, p x ∧ q x) : ∃ x, q x ∧ p x", "simpa [and_comm] using h"),
    ("(a b : Nat) (h : a = b) : a + 0 = b", "simpa"),
    ("(p q : Prop) (h : p ∧ q) : q ∧ p", "simpa using And.symm h"),
];

#[test]
fn what_simp_finds_is_a_proof() {
    let mut text = String::new();
    for (n, (statement, tactic)) in PROVED.iter().enumerate() {
        text += &format!("theorem t{n} {statement} := by\n  {tactic}\n");
    }
    let file = File::read(&text).unwrap();
    let axioms = |n: usize| file.axioms(&format!("t{n}")).unwrap();
    let used: BTreeSet<String> = (0..PROVED.len()).flat_map(axioms).collect();
    let expected: BTreeSet<String> =
        ["Classical.em", "funext", "propext"].into_iter().map(str::to_owned).collect();
    assert_eq!(used, expected);
}

#[test]
fn what_simp_leaves_is_what_lean_would_leave() {
    let rows: &[(&str, &str, &str)] = &[
        ("(n : Nat) (p : Prop) : n + 0 = n ∧ p", "simp", "⊢ p"),
        ("(x y : Nat) (p : Prop) : x + 1 = y + 1 ∧ p", "simp", "⊢ x = y ∧ p"),
        ("(x y : Nat) : x + 2 + 3 = y", "simp", "⊢ x + 5 = y"),
        ("(x y : Nat) : x ≥ y", "simp", "⊢ y ≤ x"),
        ("(x y : Nat) : ¬x < y", "simp", "⊢ y ≤ x"),
        ("(x y : Nat) : x ≠ y + 0", "simp", "⊢ ¬x = y"),
        ("(x y : Nat) : x * y = 0", "simp", "⊢ x = 0 ∨ y = 0"),
        ("(p q : Prop) : ¬(p ∨ q)", "simp", "⊢ ¬p ∧ ¬q"),
        ("(p q : Prop) : ¬(p ∧ q)", "simp", "⊢ p → ¬q"),
        ("(p q : Prop) (h : p) : p ∧ q", "simp [h]", "h : p\n⊢ q"),
        ("(p q : Prop) (h : p) : p ∧ q", "simp only [h]", "h : p\n⊢ True ∧ q"),
        ("(P : Nat → Prop) : ¬∀ x, P (x + 0)", "simp", "⊢ ∃ x, ¬P x"),
        ("(P : Nat → Prop) : ∀ x, P x ∧ True", "simp", "⊢ ∀ (x : Nat), P x"),
        ("(a b : Nat) (s t : List Nat) : a :: s = b :: t", "simp", "⊢ a = b ∧ s = t"),
        ("(s t : List Nat) : (s ++ t).length = 3", "simp", "⊢ s.length + t.length = 3"),
        ("(x y : Nat) (h : x + 0 = y) : y = 3", "simp at h", "h : x = y\n⊢ y = 3"),
        ("(x y : Nat) (h : x + 0 = y) : y + 0 = 3", "simp at h ⊢", "h : x = y\n⊢ y = 3"),
        ("(x y : Nat) (h : ¬x < y) (k : y < 2) : y = 3", "simp at h", "k : y < 2\nh : y ≤ x\n⊢ y = 3"),
        ("(x y : Nat) (h : x = x) (k : x = y) : y = 3", "simp at *", "k : x = y\n⊢ y = 3"),
        ("(x y : Nat) (h : x = 2) (k : x = y) : y = 3", "simp_all", "y : Nat\nx : Nat\n"),
        ("(x y : Nat) : x + 0 = y ∧ 0 + y = x", "simp [-Nat.zero_add]", "⊢ x = y ∧ 0 + y = x"),
        ("(x y : Nat) : y + x = 2", "simp [Nat.add_comm]", "⊢ x + y = 2"),
        ("(x : Nat) : 2 + x = 2", "simp only [Nat.add_comm]", "⊢ x + 2 = 2"),
    ];
    for (statement, tactic, expected) in rows {
        let goals = apply(statement, tactic).map(|goals| goals.iter().map(ToString::to_string).collect());
        let goals: Result<Vec<String>, _> = goals;
        let Ok([goal]) = goals.as_deref() else { panic!("{statement}: {tactic}: {goals:?}") };
        if expected.contains('⊢') {
            assert!(goal.ends_with(&format!("\n{expected}")), "{statement}: {tactic}: {goal}");
        }
    }
}

#[test]
fn simp_fails_where_nothing_changes() {
    let rows = [
        ("(x y : Nat) : x = y", "simp"),
        ("(x y : Nat) (h : x = y) : x = 3", "simp at h"),
        ("(x y : Nat) : x + y = y + x", "simp"),
        ("(x y : Nat) : x + 0 = y", "simp only []"),
        ("(p q : Prop) (h : p) : q", "simp_all"),
        ("(p q : Prop) (h : p) : q", "simpa using h"),
        ("(p q : Prop) (h : p) : q", "simp [nothing_of_this_name]"),
        ("(x : Nat) : x = 1", "simp [x]"),
        ("(x y : Nat) : x = y", "simpa"),
    ];
    for (statement, tactic) in rows {
        let result = apply(statement, tactic);
        assert!(matches!(result, Err(TacticError::Failed(_))), "{statement}: {tactic}: {result:?}");
    }
    let failure = apply("(x y : Nat) : x = y", "simp");
    assert_eq!(failure.err(), Some(TacticError::Failed("simp made no progress".into())));
}

#[test]
fn a_loop_ends_in_out_of_steps() {
    let rows = [
        ("(f : Nat → Nat) (h : ∀ x, f x = f (x + 1)) : f 0 = 1", "simp only [h]"),
        ("(f : Nat → Nat) (h : ∀ x, f x = f (f x)) : f 0 = 1", "simp only [h]"),
        ("(a b : Nat) (h : a = b) (k : b = a) : a = 1", "simp only [h, k]"),
    ];
    for (statement, tactic) in rows {
        let began = Instant::now();
        let result = apply(statement, tactic);
        assert_eq!(result.map(|_| ()), Err(TacticError::Exceeded(Exceeded::Steps)), "{statement}");
        assert!(began.elapsed() < Duration::from_secs(5), "{statement}");
    }
}

/// Propositional formulas with equations of small numbers in them.
fn formula() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("p".to_owned()),
        Just("q".to_owned()),
        Just("r x".to_owned()),
        Just("True".to_owned()),
        Just("False".to_owned()),
        (0u8..4, 0u8..4).prop_map(|(a, b)| format!("x + {a} = y + {b}")),
        (0u8..4, 0u8..4).prop_map(|(a, b)| format!("x + {a} ≤ {b}")),
        (0u8..4, 0u8..4).prop_map(|(a, b)| format!("{a} < x + {b}")),
        (0u8..4, 0u8..4).prop_map(|(a, b)| format!("{a} - {b} = x * {b}")),
        (0u8..4, 0u8..4).prop_map(|(a, b)| format!("f (x + {a}) = f y + {b}")),
        (0u8..4, 0u8..4).prop_map(|(a, b)| format!("[f x, {a}] ++ l = {b} :: m")),
        Just("(l ++ m).map f = (m.map f).reverse".to_owned()),
        Just("(x, y) = (f x, l.length)".to_owned()),
        Just("f = fun z => f (z + 0)".to_owned()),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) ∧ ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) ∨ ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) → ({b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) ↔ ({b})")),
            inner.clone().prop_map(|a| format!("¬({a})")),
            inner.clone().prop_map(|a| format!("∃ x : Nat, {a}")),
            inner.prop_map(|a| format!("∀ x : Nat, {a}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn whatever_simp_does_the_kernel_accepts(goal in formula(), hypothesis in formula(), tactic in 0usize..4) {
        let tactic = ["simp", "simp at h", "simp_all", "simp [*]"][tactic];
        // What is left is taken for granted, so that the whole proof reaches the kernel.
        let text = format!(
            "theorem t (p q : Prop) (r : Nat → Prop) (f : Nat → Nat) (x y : Nat) (l m : List Nat) (h : {hypothesis}) : {goal} := by\n  \
             first | ({tactic}; done) | ({tactic}; sorry) | sorry\n"
        );
        // Hypotheses such as `x = 0 ∧ 0 = x` make a loop, as they do in Lean.
        match Theory::prelude().extended(&text) {
            Err(error) if error.what != "the step limit is reached" => {
                prop_assert!(false, "{text}{error}");
            }
            _ => {}
        }
    }
}
