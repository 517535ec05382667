use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn no_file_makes_the_search_for_theorems_panic(
        words in prop::collection::vec("Theorem|Module|Section|End|Qed|:=|:|#\\[|\\]|x|δ|\\.|\n|Definition|let", 0..30)
    ) {
        let _ = theorems(&words.join(" "));
    }
}

#[test]
fn words_that_say_how_a_sentence_runs_do_not_hide_it() {
    let text = "#[universes(polymorphic)] Section S. Polymorphic Section T. Time Section U.\n\
                Time Lemma a : True. Proof. exact I. Time Qed.\n\
                #[deprecated(note=\"not [using] it\")] Lemma b : True. Proof withI.\n\
                #[using = \"x\"] Lemma c : True. Timeout 5 Admitted.\nEnd U. End T. End S.";
    let found = theorems(text).unwrap();
    let brief: Vec<_> =
        found.iter().map(|t| (t.name.as_str(), t.ending, t.using.is_some(), t.in_section)).collect();
    assert_eq!(
        brief,
        [
            ("a", ProofEnding::Opaque, false, true),
            ("b", ProofEnding::Opaque, false, true),
            ("c", ProofEnding::Open, true, true),
        ]
    );
    assert_eq!(found[0].closers.matches("End").count(), 3);
}

#[test]
fn comments_say_nothing() {
    let text = "Module (* a *) M (* see (this) := *) <: SIG(N).\n#[local] (* b *) Theorem (* helper lemma *) t : True. Admitted.\n\
                Time (* c *) #[using=\"x\"] Lemma (* := *) u : True. Proof (* using y *). exact I. Qed (* d *) .\nEnd M.\n\
                Module F (X : T). Lemma v : True. Admitted. End F. Module S : T. Lemma w : True. Admitted. End S.";
    let found = theorems(text).unwrap();
    let brief: Vec<_> =
        found.iter().map(|t| (t.name.as_str(), t.ending, t.using.is_some(), t.reachable)).collect();
    assert_eq!(
        brief,
        [
            ("M.t", ProofEnding::Open, false, true),
            ("M.u", ProofEnding::Opaque, true, true),
            ("F.v", ProofEnding::Open, false, false),
            ("S.w", ProofEnding::Open, false, false),
        ]
    );
}

#[test]
fn what_a_sentence_states_with_others_is_found() {
    let text = "Module M. Theorem a (n : nat) : match n with 0 => True | S _ => True end\n\
                with b : (match 0 with _ => True end)\nwith c : True. Admitted. End M.\n\
                Lemma d : match 0 with _ => match 1 with _ => True end end. Admitted.\n\
                Lemma e : \"match\" = \"match\" with h : True. Admitted.";
    let found = theorems(text).unwrap();
    assert_eq!(found[0].also, ["M.b", "M.c"]);
    assert!(found[1].also.is_empty());
    assert_eq!(found[2].also, ["h"]);
}

#[test]
fn unfinished_theorems_are_found_with_their_surroundings() {
    let text = "Section S.\nVariable n : nat.\nLemma a : n = n. Proof. auto. Qed.\n\
                Module M.\n#[local] Theorem b' (x : nat) : let y := x in y = x.\nProof.\nAdmitted.\nEnd M.\n\
                Definition c := 3. Definition d : nat. exact 0. Defined.\nEnd S.\nExample e : 1 = 1.\nProof.";
    let found = theorems(text).unwrap();
    let brief: Vec<_> = found.iter().map(|t| (t.name.as_str(), t.finished(), t.closers.as_str())).collect();
    let expected = [
        ("a", true, "End S.\n"),
        ("M.b'", false, "End M.\nEnd S.\n"),
        ("d", true, "End S.\n"),
        ("e", false, ""),
    ];
    assert_eq!(brief, expected);
    assert_eq!(&text[found[1].start..found[1].end], "#[local] Theorem b' (x : nat) : let y := x in y = x.");
}

#[test]
fn what_is_given_and_what_is_hidden_is_told_apart() {
    let text = "Definition a x : let (q, r) := x in q = 1 -> let y := r in y = y := fun _ => eq_refl.\n\
                Lemma b (outlet := 1) : let x := 1 in let '(y, z) := (x, 2) in x = 1. Proof. auto. Qed.\n\
                Module M := N. Module M' <: T with Definition x := 3 with Module E := O.\n\
                Lemma c : True. Proof. exact I. Qed. End M'.\n\
                Module S : T. Lemma d : True. Proof. exact I. Qed. End S.\n\
                Instance : Reflexive eq. Proof. constructor. Qed.\n\
                Goal 1 = 2. Abort. Goal 1 = 1. auto. Qed. Goal 2 = 2. auto. Qed. Goal 3 = 3. auto. Qed.";
    let found = theorems(text).unwrap();
    let brief: Vec<(&str, bool)> = found.iter().map(|t| (t.name.as_str(), t.reachable)).collect();
    let expected = [
        ("b", true),
        ("M'.c", true),
        ("S.d", false),
        ("Unnamed_thm", true),
        ("Unnamed_thm", true),
        ("Unnamed_thm0", true),
        ("Unnamed_thm1", true),
    ];
    assert_eq!(brief, expected);
    assert_eq!(found[3].ending, ProofEnding::Aborted);
}

#[test]
fn theorems_given_by_a_term_are_found() {
    let text = "Example a (n : nat) : n = n := eq_refl. #[local] Example b : let x := 1 in x = x := eq_refl.\n\
                Example c := fun x : nat => x. Example d : True. Proof. exact I. Qed. Definition e : True := I.\n\
                Module M. Example f : True := I. End M. Module Type T. Example g : True := I. End T.";
    assert_eq!(given_by_terms(text).unwrap(), ["a", "b", "M.f"]);
}

#[test]
fn families_that_name_universes_are_found() {
    let text = "#[local] Inductive a : Type@{u} := b : a. Module M. Private Record r@{u} := mk { x : nat }. End M.\n\
                Module F (X : T). Variant v@{u} := w. End F. Section S. Class c (A : Type@{u}) := y : A. End S.\n\
                Inductive d := e.";
    let names: Vec<String> = outline(text).unwrap().families.into_iter().map(|f| f.name).collect();
    assert_eq!(names, ["a", "M.r", "c"]);
}

#[test]
fn what_stands_between_a_statement_and_its_tactics_belongs_to_it() {
    for (text, stated) in [
        ("Lemma a : P. Proof. x. Qed.", "Lemma a : P."),
        ("Lemma a : P. (* b *) Proof using b. x. Qed.", "Lemma a : P. (* b *) Proof using b."),
        ("Lemma a : P. Proof with x. y... Admitted.", "Lemma a : P. Proof with x."),
        ("Lemma a : P. Set Printing All. Proof. x. Qed.", "Lemma a : P. Set Printing All."),
        ("Lemma a : P. x. Set Printing All. y. Qed.", "Lemma a : P."),
        ("Lemma a : P. Admitted.", "Lemma a : P."),
    ] {
        let found = &theorems(text).unwrap()[0];
        assert_eq!(&text[found.start..found.opened], stated);
    }
}

#[test]
fn other_unfinished_proofs_are_named() {
    let text = "Fixpoint f (n : nat) : P n. Proof. Admitted. CoFixpoint g : Q. Admitted.\n\
                Let a : P. Proof. Admitted. Let b : P. Proof. exact x. Qed. Let c := 1.\n\
                Fixpoint h (n : nat) : P n with k (n : nat) : Q n. Proof. Abort. Fixpoint h (n : nat) : P n with k (n : nat) : Q n. Admitted.\n\
                Program Definition d : P := x. Next Obligation. Admitted. Obligation 2. Proof. x. Defined. Final Obligation. Admitted.\n\
                Add Parametric Morphism : f with signature eq ==> eq as m. Proof. Admitted. Equations? e : P. Proof. x.";
    let Outline { theorems, untaken, .. } = outline(text).unwrap();
    assert_eq!(theorems.iter().map(|t| t.name.as_str()).collect::<Vec<_>>(), ["f", "g"]);
    let what: Vec<&str> = untaken.iter().map(|untaken| untaken.what.as_str()).collect();
    let expected = [
        "Let a",
        "Fixpoint h (n",
        "Next Obligation",
        "Final Obligation",
        "Add Parametric Morphism",
        "Equations? e",
    ];
    assert_eq!(what, expected);
    assert!(text[untaken[1].start..].starts_with("Fixpoint h") && untaken[1].why.contains("several"));
}

#[test]
fn proofs_end_where_they_end() {
    let text = "Lemma a : True. exact I. Qed.\nSection S.\nLemma b : True.\nProof using x y. exact I. Defined.\n\
                Lemma c : True. Proof I.\nLemma d : True. Proof. Abort. Lemma e : True.\nProof.\n Lemma f : True.";
    let found = theorems(text).unwrap();
    let brief: Vec<_> = found.iter().map(|t| (&text[t.start..t.proof_end], t.ending)).collect();
    let expected = [
        ("Lemma a : True. exact I. Qed.", ProofEnding::Opaque),
        ("Lemma b : True.\nProof using x y. exact I. Defined.", ProofEnding::Transparent),
        ("Lemma c : True. Proof I.", ProofEnding::Opaque),
        ("Lemma d : True. Proof. Abort.", ProofEnding::Aborted),
        ("Lemma e : True.\nProof.\n ", ProofEnding::Open),
        ("Lemma f : True.", ProofEnding::Open),
    ];
    assert_eq!(brief, expected);
    assert_eq!(found[1].using, Some(Using::Command("x y".to_owned())));
    assert!(!found[0].in_section && found[1].in_section);
}
