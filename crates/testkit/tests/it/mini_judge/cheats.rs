//! Cheats, each with the lowest level that rejects it.

use andor_core::verdict::Reason::{self, Axiom, Missing, Refused, Statement, Unproved};
use andor_env::checker::Level::{self, Audited, Claimed, Compiled, Judged};
use andor_env::checker::Verdict;

use super::{claim, verdict};

struct Cheat {
    challenge: &'static str,
    submission: &'static str,
    /// The lowest level that rejects it.
    level: Level,
    reason: Reason,
    /// What the message must say.
    says: &'static str,
}

const fn cheat(
    challenge: &'static str,
    submission: &'static str,
    level: Level,
    reason: Reason,
    says: &'static str,
) -> Cheat {
    Cheat { challenge, submission, level, reason, says }
}

const COLOURS: &str = "inductive Even : Nat → Prop where | zero : Even 0 | step (n : Nat) (h : Even n) : Even (n + 2)\n\
                       theorem t : Even 5 := by sorry";

/// What Lean reads otherwise.
const READINGS: &[Cheat] = &[
    // The name of a declaration opens its namespaces, and `0x1` is a number.
    cheat(
        "def f : Nat := 2\ndef A.f : Nat := 1\ntheorem A.t : f = 2 := by sorry\ntheorem t : 1 = 1 := by sorry",
        "def f : Nat := 2\ndef A.f : Nat := 1\ntheorem A.t : f = 2 := rfl\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "",
    ),
    cheat(
        "def B.f : Nat := 2\ndef A.B.f : Nat := 1\ndef A.g : Nat := B.f\ntheorem t : A.g = 2 := by sorry",
        "def B.f : Nat := 2\ndef A.B.f : Nat := 1\ndef A.g : Nat := B.f\ntheorem t : A.g = 2 := rfl",
        Compiled,
        Refused,
        "",
    ),
    // Lean may have `Nat.gcd`, and does not see `Nat.add` by the name `add`.
    cheat(
        "def gcd : Nat := 2\ntheorem Nat.s : gcd = 2 := by sorry\ntheorem t : 1 = 1 := by sorry",
        "def gcd : Nat := 2\ntheorem Nat.s : gcd = 2 := rfl\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "Lean may read `gcd` as `Nat.gcd`",
    ),
    cheat(
        "def add : Nat := 2\ndef Nat.s : Nat := add\ntheorem t : 1 = 1 := by sorry",
        "def add : Nat := 2\ndef Nat.s : Nat := add\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "Lean may read `add` as `Nat.add`",
    ),
    // For Lean `add` is a variable of its own here.
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "theorem Nat.s : add = fun a b => Nat.add a b := rfl\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "Lean may read `add` as `Nat.add`",
    ),
    // Lean has values in namespaces that are no types.
    cheat(
        "def Lean : Nat := 0\ndef defaultMaxRecDepth : Nat := 2\ntheorem t : 1 = 1 := by sorry",
        "def Lean : Nat := 0\ndef defaultMaxRecDepth : Nat := 2\n\
         theorem Lean.s : defaultMaxRecDepth = 2 := rfl\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "as `Lean.defaultMaxRecDepth`",
    ),
    cheat(
        "def f : Nat := 2\ntheorem t : 1 = 1 := by sorry",
        "def f : Nat := 2\nprotected def A.f : Nat := 1\ntheorem A.s : f = 1 := rfl\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "unsupported: `protected`",
    ),
    // The file's own name comes before the one that is another way to write `Nat`.
    cheat(
        "inductive ℕ where | only\ntheorem t : 1 = 1 := by sorry",
        "inductive ℕ where | only\ntheorem s : (fun n : ℕ => n) 0 = 0 := rfl\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "",
    ),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "theorem s : ∀ x1 x2 : Nat, Nat.sub 0x1 = Nat.sub 0x2 := fun _ _ => rfl\ntheorem t : 1 = 1 := rfl",
        Compiled,
        Refused,
        "unexpected character `0`",
    ),
];

/// Names that stand for something else.
const NAMES: &[Cheat] = &[
    cheat(
        "def big (n : Nat) : Prop := 5 ≤ n\ntheorem t : big 3 := by sorry",
        "def big (n : Nat) : Prop := True\ntheorem t : big 3 := by\n  show True\n  trivial",
        Audited,
        Statement,
        "`t` mentions `big`, which differs: it stands for\n  fun n => True\nnot\n  fun n => 5 ≤ n",
    ),
    cheat(
        "def two : Nat := 2\ndef big (n : Nat) : Prop := two ≤ n\ntheorem t : big 1 := by sorry",
        "def two : Nat := 1\ndef big (n : Nat) : Prop := two ≤ n\ntheorem t : big 1 := by\n  show 1 ≤ 1\n  omega",
        Audited,
        Statement,
        "`t` mentions `two`",
    ),
    cheat(
        "def two : Nat := 2\ntheorem t : two = 3 := by sorry",
        "abbrev two : Nat := 3\ntheorem t : two = 3 := rfl",
        Audited,
        Statement,
        "`t` mentions `two`",
    ),
    cheat(
        "def k : Nat := 2\ntheorem t : k = k → False := by sorry",
        "def k : Prop := False\ntheorem t : k = True → False := fun h => by\n  have e : False = True := h\n  exact e ▸ trivial",
        Audited,
        Statement,
        "`t` differs: it says",
    ),
    cheat(
        COLOURS,
        "inductive Even : Nat → Prop where | zero : Even 0 | step (n : Nat) (h : Even n) : Even (n + 1)\n\
         theorem t : Even 5 := Even.step _ (Even.step _ (Even.step _ (Even.step _ (Even.step _ Even.zero))))",
        Audited,
        Statement,
        "`t` mentions `Even.step`",
    ),
    cheat(
        COLOURS,
        "inductive Even : Nat → Prop where | any (n : Nat) : Even n\ntheorem t : Even 5 := Even.any 5",
        Audited,
        Statement,
        "`t` mentions `Even`, which differs: its parameters or constructors differ",
    ),
    cheat(
        COLOURS,
        "def Even (n : Nat) : Prop := True\ntheorem t : Even 5 := by\n  show True\n  trivial",
        Audited,
        Statement,
        "it is a definition, not an inductive type",
    ),
    cheat(
        COLOURS,
        "axiom helper : Nat → Prop\ninductive Even : Nat → Prop where | zero : Even 0 \
         | step (n : Nat) (h : Even n) : Even (n + 2) | odd : Even 5\ntheorem t : Even 5 := Even.odd",
        Audited,
        Statement,
        "`t` mentions `Even`",
    ),
];

/// Axioms where there are none, and others than there are.
const AXIOMS: &[Cheat] = &[
    cheat(
        "axiom c : Nat\ntheorem t : c = 5 := by sorry",
        "def c : Nat := 5\ntheorem t : c = 5 := rfl",
        Audited,
        Statement,
        "`t` mentions `c`, which differs: it is a definition, not an axiom",
    ),
    cheat(
        "axiom helper : 1 = 1\ntheorem t : True := by sorry",
        "theorem helper : 1 = 1 := rfl\ntheorem t : True := trivial",
        Audited,
        Axiom,
        "the axiom `helper` differs from the challenge: it is a theorem, not an axiom",
    ),
    cheat(
        "axiom helper : 1 = 1\ntheorem t : 1 = 2 := by sorry",
        "axiom helper : 1 = 2\ntheorem t : 1 = 2 := helper",
        Audited,
        Axiom,
        "the axiom `helper` differs from the challenge: it says\n  1 = 2\nnot\n  1 = 1",
    ),
    cheat(
        "def two : Nat := 2\naxiom helper : two = 2\ntheorem t : 3 = 2 := by sorry",
        "def two : Nat := 3\naxiom helper : two = 2\ntheorem t : 3 = 2 := helper",
        Audited,
        Axiom,
        "the axiom `helper` of the challenge mentions `two`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "axiom cheat : False\ntheorem t : 1 = 2 := cheat.elim",
        Audited,
        Axiom,
        "`cheat` is an axiom here but not in the challenge",
    ),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "axiom not_needed : False\ntheorem t : 1 = 1 := rfl",
        Audited,
        Axiom,
        "`not_needed` is an axiom here",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "axiom bad : False\ntheorem via : 1 = 2 := bad.elim\ntheorem t : 1 = 2 := via",
        Compiled,
        Axiom,
        "`t` depends on the axiom `bad`, which only the submission declares",
    ),
    cheat(
        "axiom bad : False\ntheorem t : 1 = 2 := by sorry",
        "axiom bad : False\ntheorem t : 1 = 2 := bad.elim",
        Compiled,
        Axiom,
        "not an allowed axiom",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "axiom sorryAx : 1 = 2\ntheorem t : 1 = 2 := sorryAx",
        Compiled,
        Refused,
        "`sorryAx` is already declared",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "axiom propext : 1 = 2\ntheorem t : 1 = 2 := propext",
        Compiled,
        Refused,
        "`propext` is already declared",
    ),
];

/// Something else than a theorem, and what is given up.
const GAPS: &[Cheat] = &[
    cheat("theorem t : 1 = 1 := by sorry", "def t : 1 = 1 := rfl", Compiled, Missing, "it is a definition"),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "abbrev t : 1 = 1 := rfl",
        Compiled,
        Missing,
        "it is a definition",
    ),
    cheat("theorem t : 1 = 2 := by sorry", "axiom t : 1 = 2", Compiled, Missing, "it is an axiom"),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "inductive t : Prop where | mk : t",
        Compiled,
        Missing,
        "it is an inductive type",
    ),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "-- theorem t : 1 = 1 := rfl",
        Compiled,
        Missing,
        "no theorem `t`",
    ),
    cheat("theorem t : 1 = 1 := by sorry", "theorem t.t : 1 = 1 := rfl", Compiled, Missing, "no theorem `t`"),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "theorem t : 1 = 2 := by sorry",
        Compiled,
        Unproved,
        "uses `sorry`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "def gap : 1 = 2 := sorry\ntheorem t : 1 = 2 := gap",
        Compiled,
        Unproved,
        "uses `sorry`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "@[simp] theorem s : 1 = 2 := by\n  admit\ntheorem t : 1 = 2 := s",
        Compiled,
        Unproved,
        "uses `sorry`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "theorem any (p : Prop) : p := @sorryAx p\ntheorem t : 1 = 2 := any _",
        Compiled,
        Unproved,
        "uses `sorry`",
    ),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "theorem t : 1 = 1 := rfl\n\ntheorem other : 1 = 2 := by\n  sorry",
        Audited,
        Unproved,
        "`other` is left open",
    ),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "def hole : Nat := sorry\ntheorem t : 1 = 1 := rfl",
        Audited,
        Unproved,
        "`hole` is left open",
    ),
    cheat(
        "theorem other : 1 = 1 := rfl\ntheorem t : 1 = 1 := by sorry",
        "theorem other : 1 = 1 := by admit\ntheorem t : 1 = 1 := rfl",
        Audited,
        Unproved,
        "`other` is left open",
    ),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "theorem t : 1 = 1 := rfl\nexample : 1 = 2 := by admit",
        Audited,
        Unproved,
        "`_example_1` is left open",
    ),
    cheat(
        "theorem t : 1 = 1 := by sorry",
        "theorem t : 1 = 1 := rfl\nexample : 1 = 2 := sorryAx _",
        Audited,
        Unproved,
        "`_example_1` is left open",
    ),
];

/// Statements that are others.
const STATEMENTS: &[Cheat] = &[
    cheat(
        "theorem t (n : Nat) : n ≤ 5 := by sorry",
        "theorem t (n : Nat) (h : n ≤ 5) : n ≤ 5 := h",
        Audited,
        Statement,
        "`t` differs: it says\n  ∀ (n : Nat), n ≤ 5 → n ≤ 5\nnot\n  ∀ (n : Nat), n ≤ 5",
    ),
    cheat(
        "theorem t : ∀ n : Nat, n = 0 := by sorry",
        "theorem t : ∃ n : Nat, n = 0 := ⟨0, rfl⟩",
        Audited,
        Statement,
        "`t` differs",
    ),
    cheat(
        "theorem t : ∃ m : Nat, ∀ n : Nat, n ≤ m := by sorry",
        "theorem t : ∀ n : Nat, ∃ m : Nat, n ≤ m := fun n => ⟨n, Nat.le.refl⟩",
        Audited,
        Statement,
        "`t` differs",
    ),
    cheat(
        "theorem t : 2 + 2 = 5 := by sorry",
        "theorem t : 2 + 2 = 4 := rfl",
        Audited,
        Statement,
        "2 + 2 = 4",
    ),
    cheat("theorem t : 1 = 2 := by sorry", "theorem t : True := trivial", Audited, Statement, "`t` differs"),
    cheat(
        "theorem t (p q : Prop) (h : p) : q := by sorry",
        "theorem t (q p : Prop) (h : p) : p := h",
        Audited,
        Statement,
        "`t` differs",
    ),
    // The same by computation, but not what was asked for.
    cheat("theorem t : 1 + 1 = 2 := by sorry", "theorem t : 2 = 2 := rfl", Audited, Statement, "`t` differs"),
    // For fewer types.
    cheat(
        "theorem t {α : Type u} (a b : α) (h : a = b) : b = a := by sorry",
        "theorem t {α : Type} (a b : α) (h : a = b) : b = a := h.symm",
        Audited,
        Statement,
        "it has 0 universe variables, not 1",
    ),
    cheat(
        "theorem t {α : Type u} {β : Type v} (p : α → β → Prop) (h : ∀ a b, p a b) (a : α) (b : β) : p a b := by sorry",
        "theorem t {α : Type u} {β : Type u} (p : α → β → Prop) (h : ∀ a b, p a b) (a : α) (b : β) : p a b := h a b",
        Audited,
        Statement,
        "it has 1 universe variables, not 2",
    ),
    cheat(
        "theorem t (α : Type 1) (a b : α) (h : a = b) : b = a := by sorry",
        "theorem t (α : Type) (a b : α) (h : a = b) : b = a := h.symm",
        Audited,
        Statement,
        "`t` differs",
    ),
    // A proof for one universe of a statement about several: both statements are false.
    cheat(
        "theorem t (α : Sort (max u 2)) (C : Prop) (k : ∀ (β : Type 1) (f : α → β) (g : β → α), (∀ a : α, g (f a) = a) → C) : C := sorry",
        "theorem t (α : Sort (max u 2)) (C : Prop) (k : ∀ (β : Type 1) (f : α → β) (g : β → α), (∀ a : α, g (f a) = a) → C) : C := k α (fun a => a) (fun a => a) (fun a => rfl)",
        Compiled,
        Refused,
        "type mismatch",
    ),
    cheat(
        "theorem t (α : Sort (max u 2)) (p : α → Prop) (h : ∀ (β : Type 1) (f : α → β) (g : β → α), (∀ a : α, g (f a) = a) → False) : False := sorry",
        "theorem t (α : Sort (max u 2)) (p : α → Prop) (h : ∀ (β : Type 1) (f : α → β) (g : β → α), (∀ a : α, g (f a) = a) → False) : False := h α (fun a => a) (fun a => a) (fun a => rfl)",
        Compiled,
        Refused,
        "type mismatch",
    ),
    // What this fragment has no words for.
    cheat(
        "theorem t (h : 1 = 2) : False := by sorry",
        "notation \"False\" => True\ntheorem t (h : 1 = 2) : False := trivial",
        Compiled,
        Refused,
        "unsupported: `notation`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "variable (h : 1 = 2)\ntheorem t : 1 = 2 := h",
        Compiled,
        Refused,
        "unsupported: `variable`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "namespace Fake\ntheorem t : 1 = 2 := by decide\nend Fake",
        Compiled,
        Refused,
        "unsupported: `namespace`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "macro \"x\" : tactic => `(tactic| sorry)\ntheorem t : 1 = 2 := by x",
        Compiled,
        Refused,
        "unsupported: `macro`",
    ),
    cheat(
        "theorem t : 1 = 2 := by sorry",
        "def Nat : Type := Bool\ntheorem t : 1 = 2 := rfl",
        Compiled,
        Refused,
        "already declared",
    ),
];

/// Rejected at their level, which is the lowest that does: the levels below have accepted them by then.
fn reject(cheats: &[Cheat]) {
    for cheat in cheats {
        let found = verdict(&claim(cheat.challenge, cheat.submission, &["t"]), Judged);
        let Verdict::Rejected { level, reason, message, .. } = found else {
            panic!("{}\n{found:?}", cheat.submission)
        };
        let told = (level, reason, message.contains(cheat.says));
        assert_eq!(told, (cheat.level, cheat.reason, true), "{}\n{message}", cheat.submission);
    }
}

/// What a level does not see, it accepts.
#[test]
fn levels_below_accept_what_only_higher_ones_see() {
    let claim = claim(NAMES[0].challenge, NAMES[0].submission, &["t"]);
    for level in [Claimed, Compiled] {
        let found = verdict(&claim, level);
        assert!(matches!(found, Verdict::Accepted { level: Compiled, shortfall: None, .. }), "{found:?}");
    }
    assert!(matches!(verdict(&claim, Audited), Verdict::Rejected { level: Audited, .. }));
}

#[test]
fn what_lean_reads_otherwise_is_not_read() {
    reject(READINGS);
}

#[test]
fn names_that_stand_for_something_else_are_found() {
    reject(NAMES);
}

#[test]
fn axioms_that_are_not_the_challenges_are_found() {
    reject(AXIOMS);
}

#[test]
fn gaps_are_found() {
    reject(GAPS);
}

#[test]
fn other_statements_are_found() {
    reject(STATEMENTS);
}
