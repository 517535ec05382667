use proptest::prelude::*;

use super::*;

/// An outline in one line: tactics, blocks in brackets, holes as `?`, parts after the head.
fn shown(block: &Block) -> String {
    let item = |item: &Item| match &item.what {
        What::Tactic(Tactic { parts: Some(parts), .. }) => {
            format!(
                "{}{} {}",
                if parts.has_hole { "" } else { "whole or " },
                parts.head,
                shown(&parts.proofs)
            )
        }
        What::Tactic(Tactic { text, on: Targets::First, .. }) => text.clone(),
        What::Tactic(Tactic { text, on, .. }) => format!("{on:?} {text}"),
        What::Focus(Pick::First, block) => format!("[{}]", shown(block)),
        What::Focus(Pick::Case(tag), block) => format!("{tag}[{}]", shown(block)),
        What::Focus(pick, block) => format!("{pick:?}[{}]", shown(block)),
        What::Rotate(by) => format!("rotate {by}"),
        What::Hole { on: Targets::First, .. } => "?".to_owned(),
        What::Hole { on, .. } => format!("{on:?} ?"),
    };
    block.iter().map(item).collect::<Vec<_>>().join("; ").replace('\n', "⏎")
}

fn read(text: &str) -> String {
    shown(&outline(text).block)
}

#[test]
fn layout_cuts_tactics() {
    for (text, expected) in [
        ("intro h\nexact h", "intro h; exact h"),
        ("  intro h; exact h", "intro h; exact h"),
        (
            "constructor\n· exact a\n· intro b\n  exact b\nrfl",
            "constructor; [exact a]; [intro b; exact b]; rfl",
        ),
        ("constructor\n  · simp; rfl\n  · { skip; rfl }", "constructor; [simp; rfl]; [[skip; rfl]]"),
        ("simp\n  [a,\n   b]\nrfl", "simp⏎  [a,⏎   b]; rfl"),
        ("calc a = b := h\n_ = c := k\nrfl", "calc a = b := h⏎_ = c := k; rfl"),
        ("constructor <;> simp\n<;> rfl", "constructor <;> simp⏎<;> rfl"),
        ("rotate_left 2\nrotate_right", "rotate 2; rotate -1"),
        ("all_goals simp\nall_goals sorry", "All simp; All ?"),
        ("(sorry)\n· (sorry; done)\ntry sorry", "?; [?]; ?"),
        ("constructor <;> sorry\nsimp <;> try (admit)", "[constructor; All ?]; [simp; All ?]"),
        ("have h : p := by simp <;> sorry", "have h : p := ?_ refine_1[[simp; All ?]]"),
        ("case inl h => exact h\nnext => rfl", "inl[rename_i h; exact h]; [rfl]"),
        ("no_such_tactic x\nrfl\ndone", "no_such_tactic x; rfl"),
        ("(simp; rfl)\nrfl", "(simp; rfl); rfl"),
        (
            "open Nat in\n  simp\nset_option maxRecDepth 9 in simp",
            "open Nat in⏎  simp; set_option maxRecDepth 9 in simp",
        ),
        ("trace \"a ; -- b\"\nexact «a ; b».c", "trace \"a ; -- b\"; exact «a ; b».c"),
        (
            "case inl h | inr h => exact h\ncase a | b => rfl",
            "inl[rename_i h; exact h]; inr[rename_i h; exact h]; a[rfl]; b[rfl]",
        ),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn tactics_with_proofs_in_them_are_taken_apart() {
    for (text, expected) in [
        (
            "cases h with\n| inl a =>\n  exact a\n| inr b => sorry\nrfl",
            "cases h with⏎| inl a => ?_⏎| inr b => ?_ inl[exact a]; inr[?]; rfl",
        ),
        (
            "induction n with\n  | zero => rfl\n  | succ n ih =>\n    cases n with\n    | zero => rfl\n    | succ m => skip; rfl",
            "whole or induction n with⏎| zero => ?_⏎| succ n ih => ?_ zero[rfl]; succ[whole or cases n with⏎| zero => ?_⏎\
             | succ m => ?_ zero[rfl]; succ[skip; rfl]]",
        ),
        (
            "cases h with | inl a => exact a | inr b => _",
            "whole or cases h with⏎| inl a => ?_⏎| inr b => ?_ inl[exact a]; inr[?]",
        ),
        ("have h : p := by\n  simp\n  sorry\nexact h", "have h : p := ?_ refine_1[simp; ?]; exact h"),
        ("have h : p := sorry", "have h : p := ?_ refine_1[?]"),
        ("have ⟨x, y⟩ : p ∧ q := by\n  sorry", "have ⟨x, y⟩ : p ∧ q := ?_ refine_1[?]"),
        ("have h := f x", "have h := f x"),
        ("obtain ⟨x, hx⟩ : ∃ x, p x := by\n  sorry\nexact hx", "obtain ⟨x, hx⟩ : ∃ x, p x [?]; exact hx"),
        ("suffices h : q by\n  sorry\nsimp", "suffices h : q from ?_ [?]; simp"),
        (
            "match h with\n| .inl a => exact a\n| .inr b => sorry",
            "match h with⏎| .inl a => ?_⏎| .inr b => ?_ [exact a]; [?]",
        ),
        (
            "cases h with\n| @inl a =>\n  exact a\n| _ => sorry",
            "cases h with⏎| @inl a => ?_⏎| _ => ?_ inl[exact a]; _[?]",
        ),
        (
            "calc a = b := by\n        simp\n        sorry\n  _ = c := h\n  _ = d := by rfl\nrfl",
            "calc a = b := ?_⏎  _ = c := h⏎  _ = d := ?_ [simp; ?]; [rfl]; rfl",
        ),
        ("  calc\n    a = b := sorry\n    _ = c := h", "calc⏎  a = b := ?_⏎  _ = c := h [?]"),
        ("exact ⟨h, sorry⟩", "refine ⟨h, ?_⟩ ?"),
        ("exact sorry", "?"),
        ("exact by\n  skip\n  sorry", "skip; ?"),
        ("exact f (by sorry) (by simp) sorry", "refine f (?_) (by simp) ?_ [?]; ?"),
        ("refine f ?_ sorry\n· rfl", "refine f ?_ ?_ Nth(2) ?; [rfl]"),
        ("refine f ?_\n  g\nrefine f ?_ ?x sorry", "refine f ?_⏎  g; refine f ?_ ?x ?_ ?; Nth(2) ?"),
        ("show p from by\n  skip\n  sorry", "refine show p from ?_ [skip; ?]"),
        ("show p by sorry", "refine show p from ?_ [?]"),
        ("show p", "show p"),
        (
            "exact\n  have h : p := by\n    exact hp\n  f h <| by\n    sorry",
            "refine⏎  have h : p := by⏎    exact hp⏎  f h <| ?_ [?]",
        ),
        ("exact\n  have h : p := by\n    sorry\n  ⟨h, g⟩", "refine⏎  have h : p := ?_⏎  ⟨h, g⟩ [?]"),
        ("exact have h : p := by simp\n      f h sorry", "refine have h : p := by simp⏎       f h ?_ ?"),
        (
            "exact\n  suffices h : q by\n    skip\n    sorry\n  g sorry",
            "refine⏎  suffices h : q from ?_⏎  g ?_ ?; [skip; ?]",
        ),
        (
            "exact f (suffices q from ⟨by a; sorry, this⟩; sorry) (by b; sorry)",
            "refine f (suffices q from ⟨?_, this⟩; ?_) (?_) ?; [a; ?]; [b; ?]",
        ),
        ("exact (show p by sorry)", "refine (show p from ?_) [?]"),
        (
            "exact f (show (p) by sorry) (show q from by sorry)",
            "refine f (show (p) from ?_) (show q from ?_) [?]; [?]",
        ),
        ("have h : p ∧ q := ⟨a, sorry⟩", "have h : p ∧ q := ?_ refine_1[refine ⟨a, ?_⟩ ?]"),
        ("exact f sorry <;> simp", "exact f sorry <;> simp"),
    ] {
        assert_eq!(read(text), expected, "{text}");
    }
}

#[test]
fn equations_are_cases_of_a_function() {
    let two = "refine fun⏎  | 0 => ?_⏎  | n+1 => ?_ [exact f]; [skip; ?]";
    for text in [
        "| 0 => f\n  | n+1 => by\n    skip\n    sorry",
        "| 0 => f | n+1 => by skip; sorry",
        "theorem t : ∀ n, p n\n  | 0 => f\n  | n+1 => by\n    skip\n    sorry\ntermination_by n => n",
    ] {
        assert_eq!(read(text), two, "{text}");
    }
    assert_eq!(
        read("| .inl h => match h with\n    | a => f a\n  | .inr h => sorry"),
        "refine fun⏎  | .inl h => ?_⏎  | .inr h => ?_ [exact match h with⏎      | a => f a]; [?]"
    );
    let several = outline("| 0 | 1 => f\n| n+2 => sorry");
    assert!(several.block.is_empty() && several.unread.unwrap().what.contains("several patterns"));
}

#[test]
fn helpers_behind_a_proof_are_not_of_it() {
    for behind in ["where\n  k : q := sorry", "termination_by n", "decreasing_by sorry"] {
        assert_eq!(read(&format!(":= ⟨a, sorry⟩\n{behind}")), "refine ⟨a, ?_⟩ ?", "{behind}");
        assert_eq!(read(&format!("theorem t : p := by\n  a\n  sorry\n{behind}")), "a; ?", "{behind}");
    }
}

#[test]
fn only_the_proof_of_a_theorem_is_read() {
    for text in [
        "by\n  a\n  b",
        ":= by\n  a\n  b\n\ntheorem other : p := sorry",
        "theorem t (h : p := q) : let x := 1; x = x := by\n  a\n  b",
        "@[simp] lemma t : p := by a; b",
        "/-- One. -/\nopen Nat in\nprivate theorem t : p := by\n  a\n  b\n\n/-- Two. -/\ntheorem u : q := by\n  c",
    ] {
        assert_eq!(read(text), "a; b", "{text}");
    }
    assert_eq!(read("theorem t : p := ⟨h,\n  sorry⟩"), "refine ⟨h,⏎       ?_⟩ ?");
    let cut = outline("a\nb /- c");
    assert_eq!(shown(&cut.block), "a; b");
    assert_eq!(cut.unread.unwrap().place, Place { line: 2, column: 3 });
}

proptest! {
    #[test]
    fn no_script_makes_the_reader_panic(
        words in prop::collection::vec(
            "by|cases h with|\\| a =>|\\||=>|have h : p :=|·|\\{|\\}|\\(|\\)|;|sorry|exact|case a =>|next|all_goals|theorem t :|:=|rotate_left|_|δ|\n|\n  ",
            0..30,
        )
    ) {
        let _ = outline(&words.join(" "));
    }
}
