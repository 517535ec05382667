use proptest::prelude::*;

use super::*;

/// What is found in a text, as name, command and statement.
fn found(text: &str) -> Vec<(Sort, String, &str, &str, bool)> {
    let brief = |d: SourceTheorem| {
        (
            d.sort,
            d.name.unwrap_or_default(),
            &text[d.command.start..d.start],
            text[d.start..d.end].trim_end(),
            d.finished,
        )
    };
    declarations(text).unwrap().into_iter().map(brief).collect()
}

#[test]
fn comments_inside_a_declaration_begin_no_other() {
    let text = "structure S where\n  /-- A field. -/\n  a : Nat\ninductive T\n/-- One. -/\n| one\n\
                theorem a : 1 = 1 ∧ 2 = 2 := by\n  constructor\n  · let rec\n      /-- d -/\n      foo : 1 = 1 := rfl\n    exact foo\n  · sorry\n\
                theorem b : 1 = 1 := ⟨k⟩\nwhere\n  /-- d -/\n  k : 1 = 1 := by sorry\n\
                /-- e -/ @[simp] /-- f -/ private theorem c : 1 = 1 := rfl\n/-- g -/\ninstance : Foo := ⟨⟩\n/-! About. -/";
    let brief: Vec<(String, &str, bool)> =
        found(text).into_iter().map(|(_, name, before, _, finished)| (name, before, finished)).collect();
    assert_eq!(
        brief,
        [
            ("a".into(), "", false),
            ("b".into(), "", false),
            ("c".into(), "/-- e -/ @[simp] /-- f -/ private ", true),
            (String::new(), "/-- g -/\n", true)
        ]
    );
}

#[test]
fn theorems_are_found_where_they_stand() {
    use Sort::{Definition, Instance, Theorem};
    let text = "/-! About -/\nimport Mathlib\nnamespace A.B\nsection\nvariable (n : Nat)\n\
                /-- One. -/\n@[simp] protected theorem one : n = n := by\n  sorry\n\
                open Nat in\nset_option maxRecDepth 100 in\nprivate lemma two (h : 1 = 1 := rfl) :\n    let x := 1; x = x := rfl\n\
                end\nomit [Foo] in theorem _root_.C.three : True := sorry\nexample : True := by simp; sorry\n\
                noncomputable def d : Nat := sorry\ninstance : Foo Nat where\n  bar := sorry\n\
                theorem four : Nat → True\n  | 0 => trivial\n  | _ => trivial\n#check four\nend A.B\ntheorem five : True";
    assert_eq!(
        found(text),
        [
            (Theorem, "A.B.one".into(), "/-- One. -/\n@[simp] protected ", "theorem one : n = n", false),
            (
                Theorem,
                "A.B.two".into(),
                "open Nat in\nset_option maxRecDepth 100 in\nprivate ",
                "lemma two (h : 1 = 1 := rfl) :\n    let x := 1; x = x",
                true
            ),
            (Theorem, "C.three".into(), "omit [Foo] in ", "theorem _root_.C.three : True", false),
            (Theorem, "A.B._example_1".into(), "", "example : True", false),
            (Definition, "A.B.d".into(), "noncomputable ", "def d : Nat", false),
            (Instance, String::new(), "", "instance : Foo Nat", false),
            (Theorem, "A.B.four".into(), "", "theorem four : Nat → True", true),
            (Theorem, "five".into(), "", "theorem five : True", false),
        ]
    );
    let all = declarations(text).unwrap();
    assert_eq!(all[0].closers, "end\nend A.B\n");
    assert_eq!(all[7].closers, "");
}

#[test]
fn scopes_close_as_they_were_opened() {
    let all = declarations(
        "namespace A\nnamespace B\nnoncomputable section S\ntheorem a : p := sorry\nend S\nend A.B\n\
         mutual\ntheorem b : p := sorry\nend\ntheorem c : p := sorry\n",
    )
    .unwrap();
    let brief: Vec<_> =
        all.iter().map(|d| (d.name.as_deref().unwrap(), d.closers.as_str(), d.in_mutual)).collect();
    assert_eq!(brief, [("A.B.a", "end S\nend B\nend A\n", false), ("b", "end\n", true), ("c", "", false)]);
    assert_eq!(open_scopes("namespace X\nsection\nopen Y").qualified("z"), "X.z");
}

#[test]
fn a_sorry_counts_where_it_is_code() {
    for (text, finished) in [
        ("theorem t : p := by\n  -- sorry\n  exact h", true),
        ("theorem t : p := by\n  trace \"sorry\"\n  exact h /- sorry -/", true),
        ("theorem t : p := by\n  exact sorry_not", true),
        ("theorem t : p := ⟨h, sorry⟩", false),
        ("theorem t : p := by\n  have h : q := by\n    sorry\n  exact h", false),
        ("theorem t : p := by", false),
        ("theorem t : p :=", false),
        ("theorem t : p where\n", false),
        ("theorem t : (n : Nat) → p\n  | 0 => h\n  | _ => sorry", false),
    ] {
        assert_eq!(declarations(text).unwrap()[0].finished, finished, "{text}");
    }
    let text = "abbrev a := sorry -- sorry\ndef b := \"sorry\"\ndef c : Nat → Nat | 0 => sorry\ntheorem d : p := sorry";
    assert_eq!(holes(text), 2);
    assert_eq!(declarations("theorem t : p := /- sorry"), Err(Unclosed { what: "comment", at: 17 }));
}

#[test]
fn equations_keep_their_line_break() {
    let text = "theorem t : (n : Nat) → p\n  | 0 => h\n  | _ => sorry\n";
    let found = declarations(text).unwrap();
    assert_eq!(&text[found[0].end..found[0].command.end], "\n  | 0 => h\n  | _ => sorry");
}

#[test]
fn what_stands_behind_a_proof_is_not_of_it() {
    let text = "theorem a : p ∧ q := ⟨h, sorry⟩\nwhere\n  /-- d -/\n  k : r := t\n\
                theorem b : p := by\n  exact k\nwhere k : p := by sorry\n\
                theorem c : (n : Nat) → p\n  | 0 => sorry\n  | n + 1 => c n\ntermination_by n => n\ndecreasing_by omega\n\
                theorem d : p where\n  left := sorry\n";
    let brief: Vec<(&str, &str, bool, bool)> = declarations(text)
        .unwrap()
        .into_iter()
        .map(|d| {
            (&text[d.proof.clone()], text[d.proof.end..d.command.end].trim(), d.gives_up, d.gives_up_behind)
        })
        .collect();
    assert_eq!(
        brief,
        [
            (":= ⟨h, sorry⟩", "where\n  /-- d -/\n  k : r := t", true, false),
            (":= by\n  exact k", "where k : p := by sorry", false, true),
            ("\n  | 0 => sorry\n  | n + 1 => c n", "termination_by n => n\ndecreasing_by omega", true, false),
            ("where\n  left := sorry", "", true, false),
        ]
    );
}

#[test]
fn imports_are_those_at_the_beginning() {
    let text = "/- A. -/\nmodule\npublic import Mathlib.Data.Nat\nimport all «A b».C\nimport Aesop\nopen Nat\nimport No";
    assert_eq!(imports(text), ["Mathlib.Data.Nat", "«A b».C", "Aesop"]);
    assert!(imports("theorem t : p").is_empty());
}

#[test]
fn names_are_found_in_code() {
    let places = places_of_names("foo -- foo\nexact N.foo.symm \"foo\" food");
    assert_eq!(places["foo"], [0, 17]);
    assert_eq!(places["symm"], [17]);
}

proptest! {
    #[test]
    fn what_is_found_lies_in_the_text(
        words in prop::collection::vec(
            "theorem t|lemma|example|def d|instance|:=|by|sorry|namespace A|section|end|mutual|open B in|@\\[|\\]|private|/--|-/|\\(|\\)|\\||=>|where|let x|δ|\n|\n  |#|in",
            0..30,
        )
    ) {
        let text = words.join(" ").replace("\n ", "\n");
        let mut end = 0;
        for d in declarations(&text).unwrap_or_default() {
            prop_assert!(end <= d.command.start && d.command.start <= d.start && d.start <= d.end && d.end <= d.command.end);
            prop_assert!(text.get(d.start..d.end).is_some() && text.get(d.command.clone()).is_some());
            end = d.command.end;
        }
    }
}
