//! Input at its limits: deep, long, huge and strange. It is accepted or refused, without a panic and soon.

use andor_mini::budget::Exceeded;
use andor_mini::prover::{FileError, TacticError, Theory, theorems};

const STEPS: u64 = 1_000_000;

fn extended(text: &str) -> Result<Theory, FileError> {
    Theory::prelude().extended(text)
}

/// `before` and `after` so many times around `middle`.
fn nested(n: usize, before: &str, middle: &str, after: &str) -> String {
    format!("{}{middle}{}", before.repeat(n), after.repeat(n))
}

#[test]
fn ten_thousandfold_terms_are_refused() {
    let state = Theory::prelude().open("example (p : Prop) (h : p) (f : p → p) (n : Nat) : p").unwrap();
    for (before, middle, after) in [
        ("(", "p", ")"),
        ("¬", "p", ""),
        ("p → ", "p", ""),
        ("p ∧ ", "p", ""),
        ("(p ∧ ", "p", ")"),
        ("", "p", " ∨ p"),
        ("", "1", " + 1"),
        ("1 :: ", "[]", ""),
        ("[", "", "]"),
        ("⟨", "h", "⟩"),
        ("(h, ", "h", ")"),
        ("∀ x : Nat, ", "p", ""),
        ("∃ x, ", "p", ""),
        ("fun x => ", "h", ""),
        ("(fun x => x) (", "h", ")"),
        ("f (", "h", ")"),
        ("f <| ", "h", ""),
        ("let x := 1; ", "h", ""),
        ("have x := h; ", "h", ""),
        ("show p from ", "h", ""),
        ("by exact ", "h", ""),
        ("(h : ", "p", ")"),
        ("h ▸ ", "h", ""),
        ("Nat.succ (", "0", ")"),
        ("@", "id", ""),
        ("{", "p", "}"),
        ("@[simp] ", "p", ""),
        ("/-", "p", "-/"),
        ("h", "", ".1"),
        ("n", "", ".succ"),
    ] {
        let term = nested(10_000, before, middle, after);
        let _ = state.apply(&format!("exact {term}"), STEPS);
        let _ = state.apply(&format!("have k : {term} := h"), STEPS);
        let _ = extended(&format!("theorem deep (p : Prop) (h : p) (f : p → p) : p := {term}"));
        let _ = Theory::prelude().open(&format!("example : {term}"));
        let _ = theorems(&term);
    }
    let deep = nested(10_000, "(", "h", ")");
    assert!(matches!(state.apply(&format!("exact {deep}"), STEPS), Err(TacticError::Failed(_))));
}

#[test]
fn ten_thousandfold_tactics_are_refused() {
    let state = Theory::prelude().open("example (p : Prop) (h : p) : p").unwrap();
    for (before, middle, after) in [
        ("· ", "exact h", ""),
        ("{", "exact h", "}"),
        ("(", "exact h", ")"),
        ("try ", "exact h", ""),
        ("repeat ", "exact h", ""),
        ("all_goals ", "exact h", ""),
        ("first | ", "exact h", ""),
        ("focus ", "exact h", ""),
        ("case _ => ", "exact h", ""),
        ("next => ", "exact h", ""),
        ("", "skip", " <;> skip"),
        ("have : p := by ", "exact h", ""),
        ("rcases h with ", "h", ""),
        ("rcases h with ⟨", "h", "⟩"),
        ("rcases h with (", "h", " | h)"),
        ("cases h with | a => ", "exact h", ""),
        ("calc p = p := by ", "rfl", ""),
        ("suffices p by ", "exact h", ""),
        ("exact by ", "exact h", ""),
    ] {
        let tactic = nested(10_000, before, middle, after);
        let _ = state.apply(&tactic, STEPS);
        let _ = extended(&format!("theorem deep (p : Prop) (h : p) : p := by {tactic}"));
    }
    let deep = nested(10_000, "(", "exact h", ")");
    assert!(matches!(state.apply(&deep, STEPS), Err(TacticError::Failed(_))));
    // What is long but not deep is fine.
    let long = format!("{}exact h", "skip\n".repeat(10_000));
    assert_eq!(state.apply(&long, STEPS).unwrap().n_goals(), 0);
    let many = format!("intro {}", "x ".repeat(10_000));
    assert!(state.apply(&many, STEPS).is_err());
    let many = (0..2_000).map(|n| format!("theorem t{n} : {n} = {n} := rfl\n")).collect::<String>();
    assert!(extended(&many).is_ok());
}

#[test]
fn terms_as_deep_as_may_be_go_through_all_of_mini() {
    let tower = nested(900, "Nat.succ (", "0", ")");
    let theory = extended(&format!("theorem tower : {tower} = 900 := rfl")).unwrap();
    assert_eq!(theory.axioms("tower").unwrap(), Vec::<String>::new());
    assert!(extended(&format!("theorem tower : {tower} = 901 := rfl")).is_err());
    let state = Theory::prelude().open(&format!("example (n : Nat) (h : n = {tower}) : n = 900")).unwrap();
    let goals = state.goals();
    assert_eq!(goals[0].hypotheses[1].ty.text.matches("succ").count(), 900);
    assert_eq!(state.apply("exact h", STEPS).unwrap().n_goals(), 0);
    assert_eq!(state.apply("rw [h]", STEPS).unwrap().n_goals(), 0);
    assert!(state.apply("subst h", STEPS).is_ok());
    let sum = nested(900, "", "n", " + 1");
    let state = Theory::prelude().open(&format!("example (n : Nat) : {sum} = n + 900")).unwrap();
    assert_eq!(state.apply("rfl", STEPS).unwrap().n_goals(), 0);
    let chain = nested(900, "p → ", "p", "");
    let state = Theory::prelude().open(&format!("example (p : Prop) : {chain}")).unwrap();
    let state = state.apply("intros", STEPS).unwrap();
    assert_eq!(state.goals()[0].hypotheses.len(), 2);
    assert_eq!(state.apply("assumption", STEPS).unwrap().n_goals(), 0);
    assert!(extended(&format!("theorem chain (p : Prop) : {chain} := by\n  intros\n  assumption")).is_ok());
}

/// Towers deeper than can be written, made by tactics.
#[test]
fn a_tower_of_ten_thousand_is_made_and_proved() {
    let mut state = Theory::prelude()
        .open("example (f : Nat → Nat) (h : ∀ n, f n = f (n + 1)) : ∃ n, f n = f 0")
        .unwrap();
    let ten = nested(99, "Nat.succ (", "?n", ")");
    state = state.apply("refine ⟨?n, ?_⟩", STEPS).unwrap();
    for _ in 0..101 {
        state = state
            .apply(&format!("case n => refine {ten}"), STEPS)
            .or_else(|_| state.apply(&format!("refine {ten}"), STEPS))
            .unwrap();
    }
    let target = state.goals().iter().map(|g| g.target.text.matches("succ").count()).max().unwrap();
    assert_eq!(target, 9_999);
}

#[test]
fn huge_numbers_are_numbers() {
    let huge = "9".repeat(5_000);
    assert!(extended(&format!("theorem big : {huge} = {huge} := rfl")).is_ok());
    let other = format!("8{}", "9".repeat(4_999));
    assert!(extended(&format!("theorem big : {huge} = {other} := rfl")).is_err());
    let state = Theory::prelude().open(&format!("example (n : Nat) : n + {huge} = {huge} + n")).unwrap();
    assert!(state.goals()[0].target.text.contains(&huge));
    assert_eq!(state.apply("rw [Nat.add_comm]", STEPS).unwrap().n_goals(), 0);
    assert!(state.apply("rfl", STEPS).is_err());
    assert!(extended("theorem power : 2 ^ 1000 * 2 ^ 24 = 2 ^ 1024 := rfl").is_ok());
    assert!(extended("theorem power : 2 ^ 1000 * 2 ^ 24 = 2 ^ 1024 + 1 := rfl").is_err());
    // Nothing that is too large to be computed is.
    for statement in [
        "2 ^ 2 ^ 60 = 0",
        "(2 ^ 65536) ^ 65536 * (2 ^ 65536) ^ 65536 = 0",
        "2 ^ 2 ^ 60 = 2 ^ 2 ^ 60 + 1",
        "2 ^ 2 ^ 2 ^ 60 = 1",
        "10 ^ 10 ^ 10 * 10 ^ 10 ^ 10 = 3",
        "Nat.rec (motive := fun _ => Nat) 0 (fun _ n => n + 1) (2 ^ 70) = 5",
    ] {
        let begun = std::time::Instant::now();
        assert!(extended(&format!("theorem huge : {statement} := rfl")).is_err(), "{statement}");
        let state = Theory::prelude().open(&format!("example : {statement}")).unwrap();
        for tactic in [
            "rfl",
            "exact rfl",
            "contradiction",
            "constructor",
            "rw [Nat.pow_succ]",
            "symm",
            "injection (rfl : 1 = 1)",
        ] {
            let _ = state.apply(tactic, STEPS);
        }
        assert!(begun.elapsed().as_secs() < 60, "{statement}");
    }
    assert!(extended(&format!("theorem level : Type {huge} = Type {huge} := rfl")).is_err());
}

#[test]
fn names_may_be_of_any_letters() {
    for name in ["α", "x₁", "h'", "été", "名前", "«a b»", "x.y", "ℕ'", "𝔸", "_x", "λx", "σ₁₂", "ﬁ"]
    {
        let statement = format!("example ({name} : Nat) (h : {name} = 2) : 2 = {name}");
        // Accepted or not, but read alike everywhere.
        let Ok(state) = Theory::prelude().open(&statement) else { continue };
        let shown = state.goals()[0].to_string();
        assert!(shown.contains(name.trim_matches(['«', '»'])), "{shown}");
        assert_eq!(state.apply("rw [h]", STEPS).unwrap().n_goals(), 0, "{name}");
        assert!(extended(&format!("{statement} := by\n  exact h.symm")).is_ok(), "{name}");
    }
    for text in [
        "\u{feff}",
        "\u{200d}",
        "\u{202e}",
        "e\u{301}",
        "\0",
        "\r\n",
        "🙂",
        "a\u{300}\u{301}",
        "\u{2028}",
        "Ω",
        "ﷺ",
        "\u{10ffff}",
    ] {
        let _ = extended(text);
        let _ = extended(&format!("theorem {text} (p : Prop) : p → p := by\n  intro h\n  exact h"));
        let _ = extended(&format!("theorem t (p : Prop) : p → p := by\n  intro {text}\n  exact {text}"));
        let _ = extended(&format!("-- {text}\ntheorem t : True := by\n  trivial /- {text} -/"));
        let _ = Theory::prelude().open(&format!("example : {text}"));
        let state = Theory::prelude().open("example (p : Prop) (h : p) : p").unwrap();
        let _ = state.apply(text, STEPS);
        let _ = state.apply(&format!("exact {text}"), STEPS);
    }
}

#[test]
fn few_steps_end_in_a_message() {
    let text = "example (p q r : Prop) (h : p ∧ q ∧ r) (k : ∀ n : Nat, n = n) : (r ∧ q) ∧ p";
    let state = Theory::prelude().open(text).unwrap();
    for steps in 0..300 {
        for tactic in [
            "exact ⟨⟨h.2.2, h.2.1⟩, h.1⟩",
            "obtain ⟨a, b, c⟩ := h",
            "repeat constructor",
            "first | assumption | skip",
        ] {
            match state.apply(tactic, steps) {
                Ok(_) | Err(TacticError::Exceeded(Exceeded::Steps)) => {}
                Err(why) => panic!("{tactic} in {steps} steps: {why}"),
            }
        }
    }
    assert_eq!(state.apply("skip", 0).unwrap_err(), TacticError::Exceeded(Exceeded::Steps));
}
