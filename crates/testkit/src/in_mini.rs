//! The contract suite in the language of the embedded prover, for whatever has it behind.

use andor_system_mini::MINI;
use std::sync::Arc;

use andor_core::theorem::Theorem;
use andor_env::environment::Environment;

use crate::contract::Fixture;
use crate::theorem;

/// A fixture without lemmas.
pub fn in_mini(environment: Arc<dyn Environment>) -> Fixture {
    let in_mini = |name: &str, statement: &str| theorem(MINI, name, statement);
    Fixture {
        environment,
        theorem: in_mini("t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q"),
        split: "constructor".into(),
        close: ["exact hp".into(), "exact hq".into()],
        fail: "exact nonsense".into(),
        coupled: Some((
            in_mini("c", "theorem c : ∃ x y : Nat, x = 3 ∧ y = x"),
            ["refine ⟨?_, ?_, ?_⟩", "exact 3", "exact 3", "exact ⟨rfl, rfl⟩"].map(str::to_owned).to_vec(),
        )),
        commuting: commuting(),
        lemma: None,
        endless: Some("repeat skip".into()),
        crash: None,
    }
}

/// A statement about each commutative operator, and a tactic that exchanges its arguments.
fn commuting() -> Vec<(&'static str, Theorem, String)> {
    let numbers = "(P : Nat → Prop) (a b : Nat) : P";
    let bools = "(P : Bool → Prop) (a b : Bool) : P";
    [
        ("And", "(p q : Prop) : p ∧ q", "rw [and_comm]"),
        ("Or", "(p q : Prop) : p ∨ q", "rw [or_comm]"),
        ("Iff", "(p q : Prop) : p ↔ q", "apply Iff.symm"),
        ("Eq", "(a b : Nat) : a = b", "apply Eq.symm"),
        ("Ne", "(a b : Nat) : a ≠ b", "apply Ne.symm"),
        ("Nat.add", &format!("{numbers} (a + b)"), "rw [Nat.add_comm]"),
        ("Nat.mul", &format!("{numbers} (a * b)"), "rw [Nat.mul_comm]"),
        ("Bool.and", &format!("{bools} (Bool.and a b)"), "rw [and_comm']"),
        ("Bool.or", &format!("{bools} (Bool.or a b)"), "rw [or_comm']"),
    ]
    .map(|(constant, statement, tactic)| {
        let of_bools = |name, op| {
            format!("theorem {name} (a b : Bool) : {op} a b = {op} b a := by cases a <;> cases b <;> rfl\n")
        };
        let header = of_bools("and_comm'", "Bool.and") + &of_bools("or_comm'", "Bool.or");
        let statement = format!("theorem t {statement}");
        let theorem = Theorem { header, ..theorem(MINI, "t", &statement) };
        (constant, theorem, tactic.to_owned())
    })
    .to_vec()
}
