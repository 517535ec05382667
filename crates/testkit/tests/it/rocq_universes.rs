//! Universe-polymorphic theorems: for which universes they have to be proved.

use andor_core::verdict::Reason;
use andor_env::checker::{Claim, Level, Permission, Verdict, judge};
use andor_env::environment::Environment;
use andor_system_rocq::{Rocq, RocqConfig, Universes};
use andor_testkit::block_on;

use crate::rocq_judge::{accepts, compiled_below, compiled_library, rejects};

const BOX: &str = "Set Universe Polymorphism.\n\
    Inductive box@{u} (A : Type@{u}) : Type@{u} := mk : A -> box A.\nArguments mk {A}.\n";
const LIST: &str = "Set Universe Polymorphism. Set Polymorphic Inductive Cumulativity.\n\
    Inductive plist@{u} (A : Type@{u}) : Type@{u} := pnil | pcons (a : A) (l : plist A).\n\
    Arguments pnil {A}. Arguments pcons {A}.\n\
    Fixpoint papp {A} (l m : plist A) := match l with pnil => m | pcons a l => pcons a (papp l m) end.\n";
const INJECTIVE: &str = "Theorem t : forall (A : Type) (a b : A), mk a = mk b -> a = b.\n";
const FROM_ONE: &str = "Theorem t : forall (A : Type) (P : A -> Prop) (a b : A), a = b -> P a -> P b.\n";
const BY_ONE: &str = "Proof. intros A P a b h p. pose (@eq_sym A a b h). rewrite <- h. exact p. Qed.\n";
const INJECTION: &str = "Proof. intros A a b h. injection h. auto. Qed.\n";

fn by_rule(universes: Universes, challenge: &str, submission: &str) -> Verdict {
    verdict(&RocqConfig { universes, ..RocqConfig::default() }, challenge, submission)
}

fn verdict(config: &RocqConfig, challenge: &str, submission: &str) -> Verdict {
    verdict_on(&["t"], config, challenge, submission)
}

fn verdict_on(theorems: &[&str], config: &RocqConfig, challenge: &str, submission: &str) -> Verdict {
    let rocq = Rocq::new(config.clone());
    let claim = Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: theorems.iter().map(|name| (*name).to_owned()).collect(),
    };
    block_on(judge(rocq.checker(), &claim, Level::Rechecked))
}

#[test]
fn a_proof_may_bound_universes_by_those_of_the_library() {
    let nil = "Theorem t : forall A (l : plist A), papp l pnil = l.\n";
    let by_rewriting = "Proof. induction l; simpl; [reflexivity | rewrite IHl; reflexivity]. Qed.\n";
    for (before, stated, proof) in [
        (LIST, nil, by_rewriting),
        (BOX, INJECTIVE, INJECTION),
        ("Set Universe Polymorphism.\n", FROM_ONE, BY_ONE),
        (BOX, &*format!("Polymorphic {INJECTIVE}"), INJECTION),
        (BOX, &*format!("#[local] {INJECTIVE}"), INJECTION),
    ] {
        let challenge = format!("{before}{stated}Admitted.\n");
        let submission = format!("{before}{stated}{proof}");
        match by_rule(Universes::AsRocq, &challenge, &submission) {
            Verdict::Accepted { level: Level::Rechecked, trust, .. } => {
                let [library] = &*trust.universes else { panic!("{:?}", trust.universes) };
                assert!(library.ends_with(".Init.Logic"), "{library}");
            }
            other => panic!("{other:?}\n{submission}"),
        }
        match by_rule(Universes::AsStated, &challenge, &submission) {
            Verdict::Rejected { reason: Reason::Statement, message, permission, .. } => {
                assert!(message.contains("universes up to those of"), "{message}");
                assert_eq!(permission, Some(Permission::Universes));
            }
            other => panic!("{other:?}\n{submission}"),
        }
    }
}

#[test]
fn what_no_library_bounds_is_accepted_either_way() {
    let stated = "Theorem t : forall A (l : plist A), l = l.\n";
    let (challenge, submission) =
        (format!("{LIST}{stated}Admitted.\n"), format!("{LIST}{stated}Proof. reflexivity. Qed.\n"));
    for universes in [Universes::AsRocq, Universes::AsStated] {
        match by_rule(universes, &challenge, &submission) {
            Verdict::Accepted { trust, .. } => assert!(trust.universes.is_empty(), "{:?}", trust.universes),
            other => panic!("{other:?}"),
        }
    }
}

/// A proof of the theorem about boxes by a lemma that is less general.
fn by(lemma: &str, stated: &str) -> String {
    format!("{BOX}{lemma}\n{INJECTION}{stated}Proof. exact small. Qed.\n")
}

#[test]
fn a_proof_may_bound_universes_by_nothing_else() {
    let challenge = format!("{BOX}{INJECTIVE}Admitted.\n");
    for lemma in [
        "Monomorphic Lemma small : forall (A : Type) (a b : A), mk a = mk b -> a = b.",
        "Monomorphic Universe tiny. Lemma small : forall (A : Type@{tiny}) (a b : A), mk a = mk b -> a = b.",
    ] {
        rejects(&challenge, &by(lemma, INJECTIVE), &[], Reason::Statement);
    }
    // Here the theorem keeps its universe, which is below one of the submission.
    let with_id = |kind: &str| {
        let posed = INJECTION.replace("injection h", "pose (@id A a). injection h");
        format!("{BOX}{kind} Definition id (A : Type) (a : A) := a.\n{INJECTIVE}{posed}")
    };
    rejects(&challenge, &with_id("Monomorphic"), &[], Reason::Statement);
    accepts(&challenge, &with_id("Polymorphic"), &[]);
    let two = INJECTIVE.replace("(A : Type)", "(A B : Type)");
    let challenge = format!("{BOX}{two}Admitted.\n");
    let with_order = |order: &str| {
        let lemma = format!(
            "Lemma small@{{u v | {order}}} : forall (A : Type@{{u}}) (B : Type@{{v}}) (a b : A), mk a = mk b -> a = b."
        );
        by(&lemma, &two).replacen("intros A a", "intros A B a", 1)
    };
    accepts(&challenge, &with_order("+"), &[]);
    rejects(&challenge, &with_order("u <= v +"), &[], Reason::Statement);
}

#[test]
fn universes_of_the_users_own_modules_bound_nothing() {
    let (_folder, load_path) = compiled_library("Mine", "Definition id (A : Type) (a : A) := a.\n");
    let config = RocqConfig { load_path, ..RocqConfig::default() };
    let challenge = format!("Require Mine.\n{BOX}{INJECTIVE}Admitted.\n");
    let submission = |pose: &str| {
        let proof = INJECTION.replace("injection h", &format!("{pose}injection h"));
        format!("Require Mine.\n{BOX}{INJECTIVE}{proof}")
    };
    assert!(matches!(verdict(&config, &challenge, &submission("")), Verdict::Accepted { .. }));
    let bounded = verdict(&config, &challenge, &submission("pose (Mine.id A a). "));
    assert!(matches!(bounded, Verdict::Rejected { reason: Reason::Statement, .. }), "{bounded:?}");
}

#[test]
fn a_statement_that_names_its_universes_means_all_of_them() {
    let named = INJECTIVE.replace("Theorem t", "Theorem t@{u}").replace("A : Type", "A : Type@{u}");
    let challenge = format!("{BOX}{named}Admitted.\n");
    rejects(&challenge, &format!("{BOX}{INJECTIVE}{INJECTION}"), &[], Reason::Statement);
}

/// Rocq would compare the values of `U` for universes at which they are equal, and the theorem for one instance; together the
/// universes do not exist.
#[test]
fn what_rocq_compares_alone_counts_for_no_parameter() {
    let stated = |universe: &str, e: &str| {
        format!(
            "forall Q : Prop, (one -> forall (B : U) (down : Type{universe} -> B) (up : B -> {e}), \
             (forall X (P : {e} -> Prop), P (up (down X)) -> P X) -> Q) -> Q.\n"
        )
    };
    let challenge = format!(
        "Definition U : Type := Type.\nDefinition one : U := unit.\nSet Universe Polymorphism.\n\
         Theorem t : {}Admitted.\n",
        stated("", "U")
    );
    let submission = format!(
        "Universes a b e. Constraint b < a. Constraint b <= e.\n\
         Definition U : Type := match true with true => Type@{{a}} | false => unit end.\n\
         Definition one : Type@{{b}} := unit.\nDefinition V : U := Type@{{b}}.\nSet Universe Polymorphism.\n\
         Theorem t@{{u|u<=b,u<=e}} : {}Proof. \
         exact (fun Q k => k tt V (fun X => X) (fun X => X) (fun X P p => p)). Qed.\n",
        stated("@{u}", "Type@{e}")
    );
    for universes in [Universes::AsRocq, Universes::AsStated] {
        match by_rule(universes, &challenge, &submission) {
            Verdict::Rejected { reason: Reason::Statement, level: Level::Audited, .. } => {}
            other => panic!("{other:?}"),
        }
    }
}

/// What a judged lemma shows by `Defined` is part of what the next one states.
#[test]
fn a_shown_proof_is_compared_even_if_it_is_judged_itself() {
    let shown = |of: &str| {
        format!(
            "Lemma s{of} : Prop.\nProof. exact (forall (A : Type) (Q : Prop), (forall (B : Type) (f : A -> B) (g : B -> A), \
             (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q). Defined.\n"
        )
    };
    let before = "Set Universe Polymorphism.\n";
    let proof = "Proof. exact (fun A Q k => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.\n";
    let challenge = format!("{before}{}Theorem t : s.\nAdmitted.\n", shown(""));
    let at_one = shown("@{u v}").replace(": Type)", ": Type@{w})");
    let submission =
        format!("{before}Monomorphic Universe w.\n{at_one}Theorem t@{{u v}} : s@{{u v}}.\n{proof}");
    for theorems in [&["t"][..], &["s", "t"]] {
        match verdict_on(theorems, &RocqConfig::default(), &challenge, &submission) {
            Verdict::Rejected { reason: Reason::Statement, level: Level::Audited, .. } => {}
            other => panic!("{theorems:?}: {other:?}"),
        }
    }
}

#[test]
fn a_bound_by_a_universe_of_the_challenge_is_none_by_a_library() {
    let before =
        |universe: &str| format!("Definition Small := Type{universe}.\nSet Universe Polymorphism.\n");
    let stated = "Theorem t : forall (A : Type) (Q : Prop), (forall (B : Small) (f : A -> B) (g : B -> A), \
                  (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q.\n";
    let proof = "Proof. exact (fun A Q k => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.\n";
    let challenge = format!("{}{stated}Admitted.\n", before(""));
    let submission = format!("{}{stated}{proof}", before("@{list.u0}"));
    match by_rule(Universes::AsRocq, &challenge, &submission) {
        Verdict::Rejected { reason: Reason::Statement, level: Level::Audited, .. } => {}
        other => panic!("{other:?}"),
    }
}

/// Some releases give the universes of sections names that no user can give.
#[test]
fn universes_of_sections_have_no_name() {
    let before =
        "Set Universe Polymorphism.\nSection S.\nVariables (A B : Type) (f : A -> B) (g : B -> A).\n";
    let stated = "Theorem t : (forall a, g (f a) = a) -> forall x y, f x = f y -> x = y.\n";
    let proof = "Proof. intros H x y e. rewrite <- (H x), <- (H y). rewrite e. reflexivity. Qed.\n";
    let challenge = format!("{before}{stated}Admitted.\nEnd S.\n");
    let submission = format!("{before}{stated}{proof}End S.\n");
    assert!(matches!(by_rule(Universes::AsRocq, &challenge, &submission), Verdict::Accepted { .. }));
}

/// The order that the libraries give to their universes is read from their compiled files.
#[test]
fn a_proof_leaves_universes_where_the_libraries_leave_room() {
    let import = "From Coq Require Import List.\n";
    let config = RocqConfig::default();
    let reversed =
        format!("{import}Constraint eq.u0 <= app_nil_r.u0.\nTheorem t : True.\nProof. exact I. Qed.\n");
    if matches!(verdict(&config, &reversed, &reversed), Verdict::Accepted { .. }) {
        // Releases since 9.0 order these two no more.
        return;
    }
    let nonempty = "Definition nonempty (A : Type) : Prop := forall Q : Prop, (A -> Q) -> Q.\n";
    let stated = "forall Q : Prop, (forall (B : Type@{app_nil_r.u0}) (f : A -> B) (g : B -> A), \
                  (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q.\n";
    let theorem = format!("Set Universe Polymorphism.\nTheorem t : forall A : Type, nonempty A -> {stated}");
    let challenge =
        format!("{import}{nonempty}Definition use (A : Type@{{eq.u0}}) := nonempty A.\n{theorem}Admitted.\n");
    let submission = format!(
        "{import}{nonempty}Lemma l : forall A : Type@{{nonempty.u0}}, {stated}\
         Proof. exact (fun A Q k => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.\n\
         {theorem}Proof. exact (fun A _ => l A). Qed.\n"
    );
    match verdict(&config, &challenge, &submission) {
        Verdict::Rejected { reason: Reason::Statement, level: Level::Audited, .. } => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_stands_behind_a_theorem_and_cannot_be_read_is_no_permission() {
    const STATED: &str = "Universes a b.\nTheorem t : forall A : Type@{a}, forall Q : Prop, \
        (forall B : Type@{b}, (A -> B) -> Q) -> Q -> Q.\n";
    // A module type cannot call the file by its name, and no other file has this name.
    let challenge = format!("{STATED}Admitted.\nCheck the_file.t.\nConstraint b < a.\n");
    let submission = format!("{STATED}Proof. intros A Q k q. exact q. Qed.\n");
    match by_rule(Universes::AsRocq, &challenge, &submission) {
        Verdict::Infrastructure { error, .. } => {
            assert!(error.to_string().contains("does not compile"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}

/// A statement that is true only if `a` is at most `b`, and its proof.
const EMBEDDED: &str = "forall A : Type@{a}, forall Q : Prop, (forall B : Type@{b}, forall (f : A -> B) (g : B -> A), \
    (forall (x : A) (P : A -> Prop), P (g (f x)) -> P x) -> Q) -> Q -> Q";
const BY_IDENTITY: &str =
    "Proof. exact (fun A Q k _ => k A (fun x => x) (fun x => x) (fun x P p => p)). Qed.\n";

#[test]
fn universes_that_constants_hide_are_mentioned() {
    let universes = "Universes a b.\n";
    let defined = format!("Definition P : Prop := {EMBEDDED}.\n");
    let stated = "Theorem t : P.\n";
    // In a value that only Rocq finds equal.
    let another = format!("Definition P : Prop := match true with true => {EMBEDDED} | false => True end.\n");
    let challenge = format!("{universes}{defined}{stated}Admitted.\nConstraint b < a.\n");
    let submission = format!("{universes}Constraint a <= b.\n{another}{stated}{BY_IDENTITY}");
    let verdict_of = |config: &RocqConfig, challenge: &str, submission: &str| {
        matches!(verdict(config, challenge, submission), Verdict::Rejected { reason: Reason::Statement, .. })
    };
    assert!(verdict_of(&RocqConfig::default(), &challenge, &submission));
    // In a library.
    let (_folder, load_path) = compiled_below("Lib", "hidden", &format!("{universes}{defined}"));
    let config = RocqConfig { load_path, ..RocqConfig::default() };
    let required = "Require Import Lib.hidden.\n";
    let challenge = format!("{required}{stated}Admitted.\nConstraint hidden.b < hidden.a.\n");
    let submission = format!("{required}Constraint hidden.a <= hidden.b.\n{stated}{BY_IDENTITY}");
    assert!(verdict_of(&config, &challenge, &submission));
}

#[test]
fn the_file_of_a_library_is_the_one_that_rocq_loads() {
    let [(_one, unordered), (_other, ordered)] =
        ["Definition nothing := 0.\n", "Constraint option.u0 < list.u0.\n"]
            .map(|text| compiled_below("Lib", "order", text));
    let stated = "Theorem t : forall A : Type@{list.u0}, forall Q : Prop, \
        (forall B : Type@{option.u0}, (A -> B) -> Q) -> Q -> Q.\n";
    let challenge = format!("Require Lib.order.\n{stated}Admitted.\n");
    let submission =
        format!("Constraint list.u0 <= option.u0.\n{stated}Proof. intros A Q k q. exact q. Qed.\n");
    // Of two folders with the library the last one counts.
    for (bound, is_accepted) in
        [([&unordered[..], &ordered].concat(), false), ([&ordered[..], &unordered].concat(), true)]
    {
        let config = RocqConfig { load_path: bound, ..RocqConfig::default() };
        let verdict = verdict(&config, &challenge, &submission);
        assert_eq!(matches!(verdict, Verdict::Accepted { .. }), is_accepted, "{verdict:?}");
    }
}

const PATHS: &str = "Set Universe Polymorphism.\n\
    Inductive paths@{u v} {A : Type@{u}} (a : A) : A -> Type@{v} := idpath : paths a a.\n";

#[test]
fn parameters_that_nobody_names_have_no_order() {
    let inverse = "Theorem t : forall A (x y : A), paths x y -> paths y x.\n";
    let proof = "Proof. intros A x y p. induction p. constructor. Qed.\n";
    for behind in ["", "Definition again@{u v w} := t@{u v w}.\n"] {
        let challenge = format!("{PATHS}{inverse}Admitted.\n{behind}");
        let submission = format!("{PATHS}{inverse}{proof}");
        for universes in [Universes::AsStated, Universes::AsRocq] {
            let verdict = by_rule(universes, &challenge, &submission);
            assert!(matches!(verdict, Verdict::Accepted { .. }), "{verdict:?}");
        }
    }
    // A proof for fewer universes is none for all.
    let composed = "Theorem t : forall A (x y z : A), paths x y -> paths y z -> paths x z.\n";
    let by_one = "Proof. intros A x y z p q. induction p. exact q. Qed.\n";
    let (challenge, submission) =
        (format!("{PATHS}{composed}Admitted.\n"), format!("{PATHS}{composed}{by_one}"));
    match by_rule(Universes::AsRocq, &challenge, &submission) {
        Verdict::Rejected { reason: Reason::Statement, message, .. } => {
            assert!(message.contains("differs in its universes only"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_a_judged_proof_sets_holds_for_the_text_behind_it() {
    let file = |first: &str, goal: &str| {
        format!(
            "Require Import ZArith.\nTheorem first : 1 = 1.\nProof. {first} reflexivity. Qed.\n\
             Theorem goal : forall x, 0 <= x.\nProof. {goal}\n"
        )
    };
    // For integers it is false.
    let challenge = file("pose (x := 1). Open Scope Z_scope.", "Admitted.");
    let submission = file("", "intro x. apply le_0_n. Qed.");
    match verdict_on(&["first", "goal"], &RocqConfig::default(), &challenge, &submission) {
        Verdict::Rejected { reason: Reason::Statement, .. } => {}
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_challenge_is_read_as_rocq_reads_it() {
    const MODULES: &str = "Module A. Module N. Definition x := 0. End N. End A. Import A.\n\
        Module B. Definition x := 1. End B.\n";
    const SECTION: &str = "Section S. Variable bad : False.\n";
    let of_section = |proof: &str| format!("{SECTION}Theorem t : 1 + 1 = 2.\n{proof}\nEnd S.\n");
    let with_bad = of_section("Proof. destruct bad. Qed.");
    let alias = |proof: &str, last: &str| {
        format!(
            "{MODULES}Theorem first : True.\nProof. {proof} exact I. Qed.\nTheorem t : N.x = 0.\nProof. {last}\n"
        )
    };
    let tactic = |proof: &str, last: &str| {
        format!(
            "Require Import Coq.Program.Tactics. Obligation Tactic := exact 0.\nTheorem first : True.\n\
             Proof. {proof} exact I. Qed.\nProgram Definition n : nat := _.\nTheorem t : n = 0.\nProof. {last}\n"
        )
    };
    for (names, challenge, submission) in [
        (&["first", "t"][..], alias("Module N := B.", "Admitted."), alias("", "reflexivity. Qed.")),
        (
            &["first", "t"],
            tactic("Obligation Tactic := exact 1.", "Admitted."),
            tactic("", "reflexivity. Qed."),
        ),
        // A value is shown, and a proof is ended, also where a word says how.
        (
            &["n"],
            "Definition n : nat.\nProof. exact 1. Time Defined.\n".to_owned(),
            "Definition n : nat.\nProof. exact 0. Defined.\n".to_owned(),
        ),
        (&["t"], of_section("Proof. reflexivity. Time Qed."), with_bad.clone()),
        (
            &["t"],
            of_section("Proof. idtac. Abort.\nTheorem t : 1 + 1 = 2.\nProof. reflexivity. Qed."),
            with_bad.clone(),
        ),
        (&["t"], format!("Set Default Proof Using \"Type\".\n{}", of_section("Proof. Admitted.")), with_bad),
    ] {
        match verdict_on(names, &RocqConfig::default(), &challenge, &submission) {
            Verdict::Rejected { reason: Reason::Statement, .. } => {}
            other => panic!("{other:?}\n{challenge}"),
        }
    }
}
