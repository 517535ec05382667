//! `ring`, `omega` and `decide`, by what they prove and what they refuse.

use andor_mini::judge::File;
use andor_mini::prover::Theory;

/// Checks that a tactic proves all these, each a list of binders and a statement.
fn proves(tactic: &str, goals: &[&str]) {
    let theory = Theory::prelude();
    let failed: Vec<String> = goals
        .iter()
        .filter_map(|goal| {
            let error = theory.extended(&format!("example {goal} := by {tactic}")).err()?;
            Some(format!("{goal}\n    {error}"))
        })
        .collect();
    assert!(failed.is_empty(), "{tactic} fails on\n{}", failed.join("\n"));
}

/// Checks that a tactic fails on these with messages that contain these words.
fn refuses(tactic: &str, goals: &[(&str, &str)]) {
    for (goal, words) in goals {
        match Theory::prelude().extended(&format!("example {goal} := by {tactic}")) {
            Ok(_) => panic!("{tactic} proves {goal}"),
            Err(error) => assert!(error.what.contains(words), "{goal}\n{error}"),
        }
    }
}

#[test]
fn ring_proves_identities() {
    proves(
        "ring",
        &[
            "(a b : Nat) : a + b = b + a",
            "(a b c d : Nat) : a + b + c + d = d + c + b + a",
            "(a b : Nat) : (a + b) * (a + b) = a * a + 2 * (a * b) + b * b",
            "(a b : Nat) : (a + b) ^ 2 = a ^ 2 + 2 * a * b + b ^ 2",
            "(a b : Nat) : (a + b) ^ 3 = a ^ 3 + 3 * a ^ 2 * b + 3 * a * b ^ 2 + b ^ 3",
            "(a b c d : Nat) : (a + b) * (c + d) = a * c + a * d + b * c + b * d",
            "(n : Nat) : n ^ 2 = n * n",
            "(n : Nat) : (n + 1) * (n + 1 + 1) = n * (n + 1) + 2 * (n + 1)",
            "(n : Nat) : Nat.succ n * Nat.succ n = n * n + 2 * n + 1",
            "(a m n : Nat) : a ^ (m + n) = a ^ m * a ^ n",
            "(a m n : Nat) : (a ^ m) ^ n = a ^ (n * m)",
            "(a b n : Nat) : (a * b) ^ n = b ^ n * a ^ n",
            "(n : Nat) : 2 ^ (n + 1) = 2 * 2 ^ n",
            "(a b n : Nat) : (a + b) ^ (n + 1) = a * (b + a) ^ n + b * (a + b) ^ n",
            "(n : Nat) : 1 ^ n = 1",
            "(a : Nat) : a ^ 0 + 0 * a = 1",
            "(f : Nat → Nat) (a b : Nat) : f a * (b + f b) = f b * f a + b * f a",
            "(a b : Nat) : (a - b) * 2 = (a - b) + (a - b)",
            "(x : Nat) : 2 * 3 * x = x * 6",
            ": 2 ^ 10 + 1 = 1025",
            "(x y z : Nat) : (x + y + z) ^ 2 = x*x + y*y + z*z + 2*x*y + 2*y*z + 2*z*x",
            "(a : Nat) : (2 * a) ^ 3 = 8 * a ^ 3",
            "(a b : Nat) : 0 = 0 * (a + b)",
            "(a : Nat) : a * 1 = a",
            "(a : Nat) (h : a = 2) : a + 0 = a",
        ],
    );
}

#[test]
fn ring_refuses_what_is_no_identity() {
    refuses(
        "ring",
        &[
            ("(a b : Nat) : a + b = a", "normal forms"),
            ("(a b : Nat) : a - b = b - a", "normal forms"),
            ("(a b : Nat) : a ^ b = b ^ a", "normal forms"),
            ("(a b : Nat) : (a + b) ^ 2 = a ^ 2 + b ^ 2", "normal forms"),
            ("(a b : Nat) : a ≤ b", "proves equations"),
            ("(p q : Prop) : (p ∧ q) = (q ∧ p)", "natural numbers"),
        ],
    );
}

#[test]
fn omega_proves_linear_facts() {
    proves(
        "omega",
        &[
            "(a b c d : Nat) : a + b + c + d = d + c + b + a",
            "(a b c d : Nat) : (a + b) + (c + d) = (a + c) + (b + d)",
            "(n : Nat) : 2 * n = n + n",
            "(a b : Nat) (h : a + 1 = b + 1) : a = b",
            "(a b : Nat) (h : a + b = 0) : a = 0",
            "(a b : Nat) (h : a < b) (k : b < a + 1) : False",
            "(a b : Nat) (h : 2 * a ≤ 2 * b) : a ≤ b",
            "(x y : Nat) (h : x + y = 10) (k : x = y + 4) : x = 7",
            "(x y : Nat) (h : x + y = 10) (k : x = y + 4) : x = 7 ∧ y = 3",
            "(x y : Nat) (h : 2 * x = 2 * y + 1) : False",
            "(x y : Nat) : 2 * x + 1 ≠ 2 * y",
            "(x y z : Nat) (h : x < y) (k : y < z) : x + 1 < z",
            "(x y : Nat) (h : ¬x ≤ y) : y < x",
            "(x y : Nat) (h : ¬x < y) (k : x ≠ y) : y < x",
            "(x y : Nat) (h : x ≠ y) : x < y ∨ y < x",
            "(x y : Nat) : x ≤ y ∨ y ≤ x",
            "(x y : Nat) (h : x ≤ 2 ∧ 2 ≤ x) : x = 2",
            "(x y : Nat) (h : x = 1 ∨ x = 2) : x ≤ 2",
            "(x y : Nat) (h : x ≤ 3 → y ≤ 3) (k : 5 ≤ y) : 4 ≤ x",
            "(x y : Nat) (h : x ≤ 3 ↔ y ≤ 3) (k : 5 ≤ y) : 4 ≤ x",
            "(x y : Nat) (h : ¬(x ≤ 3 ∧ y ≤ 3)) (k : x = 1) : y > 3",
            "(x y : Nat) (h : ¬(x ≤ 3 ∨ y ≤ 3)) : x ≥ 4 ∧ y ≥ 4",
            "(x y : Nat) (h : ¬(x ≤ 3 → y ≤ 3)) : x < y",
            "(x y : Nat) (h : ¬(x ≤ 3 ↔ y ≤ 3)) : x ≠ y",
            "(x y : Nat) (h : y ≤ x) : x - y + y = x",
            "(x y : Nat) : x - y ≤ x",
            "(x y z : Nat) : x - y - z = x - (y + z)",
            "(x y : Nat) (h : x < y) : x - y = 0",
            "(x y : Nat) : (x - y) + (y - x) = 0 → x = y",
            "(x : Nat) (h : 0 < x) : x - 1 < x",
            "(x y : Nat) (h : 3 * x + 5 * y = 7) : False",
            "(x : Nat) (h : 2 ≤ 3 * x) (k : 3 * x ≤ 7) : x = 1 ∨ x = 2",
            "(f : Nat → Nat) (n : Nat) (h : f (n + 1) < f n) (k : f n + n ≤ f 0) : f (n + 1) + (n + 1) ≤ f 0",
            "(x y : Nat) (h : x * y = 3) : x * y + 1 = 4",
            "(x y z : Nat) (h : 3 * x = 5 * y + 1) (k : 3 * z = 5 * y + 2) : False",
            "(n : Nat) : Nat.succ n ≠ 0",
            "(n : Nat) (h : n < 1) : n = Nat.zero",
            "(p : Prop) (x : Nat) (h : x < x) : p",
            "(x y : Nat) : ¬(x < y ∧ y < x)",
            "(x y : Nat) : x < y ↔ x + 1 ≤ y",
            "(x : Nat) : x ≤ 1000000000000000000 → x < 1000000000000000001",
            "(x y : Nat) : x + 1 ≤ y → ¬ y ≤ x",
            "(x y : Nat) (p : Prop) (h : x < 5 ∧ p) : x ≤ 4",
            "(a b c : Nat) (h₁ : a ≤ b) (h₂ : b ≤ c) (h₃ : c ≤ a) : a = c",
            "(x y z : Nat) (h : 2 * x + 3 * y ≤ 4 * z) (k : z ≤ y) (l : y ≤ x) (m : 0 < x) : False",
            "(k l : Nat) (h : k + 1 = 2 * l + 1 + 1) : k = 2 * l + 1",
            "(x : Nat) (h : ¬¬x = 2) : x + x = 4",
        ],
    );
}

#[test]
fn omega_refuses_what_does_not_follow() {
    refuses(
        "omega",
        &[
            ("(x y : Nat) : x ≤ y", "y = 0"),
            ("(x y : Nat) (h : x ≤ y) : x < y", "does not prove"),
            ("(x y : Nat) : x - y + y = x", "does not prove"),
            ("(x y : Nat) (h : 2 * x = 2 * y + 2) : x = y", "does not prove"),
            ("(x y : Nat) (h : 3 * x + 5 * y = 8) : x = 0", "does not prove"),
            ("(x y : Nat) (h : x ≠ y) : x < y", "does not prove"),
            ("(x y : Nat) : x * y = y * x", "does not prove"),
            ("(x y : Nat) (h : x < 3 ∨ y < 3) : x < 3", "does not prove"),
            ("(p : Prop) : p", "No fact"),
            ("(x : Nat) : x ^ 2 = x * x", "does not prove"),
            ("(x y z : Nat) (h : 6 * x + 2 = 10 * y + 15 * z) : x < 2 ^ 200", "too large"),
        ],
    );
}

/// The scripts of the corpus that use arithmetic.
#[test]
fn arithmetic_in_the_corpus_is_proved() {
    for file in [include_str!("../proofs/nat.lean"), include_str!("../proofs/hard.lean")] {
        File::read(file).unwrap();
    }
}

#[test]
fn decide_computes_closed_propositions() {
    let long = format!(": {0}7 < {0}8", "1234567890".repeat(100));
    proves(
        "decide",
        &[
            &long,
            ": 2 + 2 = 4",
            ": 2 ^ 10 < 2000",
            ": 2 ^ 1000 < 2 ^ 1001",
            ": 3 ≠ 4",
            ": 5 ≠ 4",
            ": ¬7 ≤ 6",
            ": 7 ≥ 6 ∧ 7 > 6",
            ": 1 = 2 ∨ 2 = 2",
            ": ¬(1 = 2 ∨ 2 = 1)",
            ": 1 = 2 → False",
            ": 1 = 1 → 2 = 2",
            ": ¬(1 = 1 → 2 = 1)",
            ": 1 = 2 ↔ 3 ≤ 2",
            ": ¬(1 = 1 ↔ 3 ≤ 2)",
            ": ¬(3 ≤ 2 ↔ 1 = 1)",
            ": True ∧ ¬False",
            ": 1000000 - 999999 = 1",
            ": 3 - 5 = 0",
            ": 2 * (10 - 3) + 1 = 5 * 3",
            ": (10 - 3) < 8 - 0",
            ": ¬10 - 3 = 8 - 3",
            ": Nat.succ 3 = 4",
            ": [1, 2] ++ [3] = [1, 2, 3]",
            ": [1, 2] ≠ [2, 1]",
            ": [1, 2] ≠ [1]",
            ": List.length [1, 2, 3] = 3",
            ": List.length [1, 2, 3] < 4",
            ": Bool.and Bool.true Bool.false = Bool.false",
            ": Bool.true ≠ Bool.false",
            ": Option.some 3 ≠ Option.none",
            ": Option.some 3 = Option.some (1 + 2)",
            ": Prod.mk 1 Bool.true ≠ Prod.mk 1 Bool.false",
            ": ∀ x, x < 10 → x * x < 100",
            ": ∃ x, x < 10 ∧ x * x = 49",
            ": ¬∀ x, x < 10 → x * x < 50",
            ": ¬∃ x, x < 10 ∧ x * x = 50",
            ": ∀ x, x < 5 → ∃ y, y < 6 ∧ y = x + 1",
            ": ∀ x, x < 1000 → x + 0 = x",
            ": ∀ x, x < 0 → False",
        ],
    );
}

#[test]
fn decide_refuses_what_is_false_or_not_computed() {
    refuses(
        "decide",
        &[
            (": 2 + 2 = 5", "the proposition is false"),
            (": 2 ^ 10 < 1000", "the proposition is false"),
            (": ¬1 ≤ 2", "the proposition is false"),
            (": [1] = [2]", "the proposition is false"),
            (": ∀ x, x < 10 → x < 9", "the proposition is false"),
            (": ∃ x, x < 10 ∧ 10 < x", "the proposition is false"),
            (": ∀ x, x < 1001 → x = x", "unsupported"),
            (": ∀ x : Nat, x = x", "unsupported"),
            ("(x : Nat) : x = x", "unsupported"),
            ("(p : Prop) (h : p) : p", "unsupported"),
            (": 2 ^ (2 ^ 40) = 1", "unsupported"),
            (": (fun x : Nat => x) = (fun x : Nat => x)", "unsupported"),
        ],
    );
}

/// What is proved from relations that are decided needs no excluded middle.
#[test]
fn arithmetic_uses_no_axioms() {
    let text = "theorem a (x y : Nat) (h : ¬(x < y ∧ y < 5)) (k : x - y = 0 ↔ y ≤ 3) : x < y → 5 ≤ y ∨ x = y := by omega\n\
                theorem b (x y : Nat) : (x + y) ^ 2 = x ^ 2 + 2 * x * y + y ^ 2 := by ring\n\
                theorem c : ¬(∀ x, x < 5 → x * x < 16 ∨ [x] = [3]) := by decide";
    let file = File::read(text).unwrap();
    for theorem in ["a", "b", "c"] {
        assert_eq!(file.axioms(theorem), Some(Vec::new()), "{theorem}");
    }
}
