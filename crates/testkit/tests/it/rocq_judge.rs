//! The Rocq checker at levels 2 and 3, with the real `coqc` and `coqchk`: what it accepts, and what it does not.

use andor_system_rocq::ROCQ;
use std::time::Duration;

use andor_core::axioms::AllowedAxioms;
use andor_core::verdict::Reason;
use andor_env::checker::{Claim, Level, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_process::{ChildSpec, ResourceLimits, run_to_end};
use andor_system_rocq::{Binding, LoadPath, Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};

/// The verdict on the theorem `t` of a submission that is judged against a challenge.
fn verdict_on(challenge: &str, submission: &str, allowed: &[&str]) -> Verdict {
    verdict_of(&["t"], challenge, submission, allowed)
}

fn verdict_of(theorems: &[&str], challenge: &str, submission: &str, allowed: &[&str]) -> Verdict {
    let allowed: Vec<String> = allowed.iter().map(|a| (*a).to_owned()).collect();
    let allowed_axioms = AllowedAxioms::named(&allowed);
    let rocq = Rocq::new(RocqConfig { allowed_axioms, ..RocqConfig::default() });
    let claim = Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: theorems.iter().map(|t| (*t).to_owned()).collect(),
    };
    block_on(judge(rocq.checker(), &claim, Level::Rechecked))
}

pub(crate) fn accepts(challenge: &str, submission: &str, allowed: &[&str]) -> Vec<String> {
    match verdict_on(challenge, submission, allowed) {
        Verdict::Accepted { level: Level::Rechecked, axioms, shortfall: None, .. } => axioms,
        other => panic!("{other:?}\n--- challenge\n{challenge}\n--- submission\n{submission}"),
    }
}

pub(crate) fn rejects(challenge: &str, submission: &str, allowed: &[&str], expected: Reason) -> String {
    match verdict_on(challenge, submission, allowed) {
        Verdict::Rejected { reason, message, .. } if reason == expected => message,
        other => {
            panic!("{other:?}, not {expected:?}\n--- challenge\n{challenge}\n--- submission\n{submission}")
        }
    }
}

#[test]
fn a_statement_may_be_written_otherwise() {
    let challenge =
        "Definition two := 2.\nTheorem t : forall n : nat, n + two = two + n.\nProof. Admitted.\n";
    let rest = "Require Import PeanoNat.\nDefinition two := 1 + 1.\nLemma helper : two = 2. Proof. reflexivity. Qed.\n";
    accepts(
        challenge,
        &format!("{rest}Theorem t (m : nat) : (m + two)%nat = two + m. Proof. apply Nat.add_comm. Qed.\n"),
        &[],
    );
    accepts(
        challenge,
        &format!("{rest}Definition t : forall m, m + 2 = 2 + m := fun m => Nat.add_comm m 2.\n"),
        &[],
    );
}

/// A type whose constructor nests another type so often. Rocq 9.2 takes minutes to make its principles of induction.
fn nested(times: usize) -> String {
    let (open, close) = ("(box ".repeat(times), ")".repeat(times));
    format!(
        "Unset Elimination Schemes.\nInductive box (A : Type) : Type := bx : A -> box A.\n\
         Inductive deep : Type := leaf | node : {open}deep{close} -> deep.\n"
    )
}

#[test]
fn what_is_more_than_the_judge_reads_is_rejected() {
    let (challenge, proof) =
        ("Theorem t : 1 = 1.\nProof. Admitted.\n", "Theorem t : 1 = 1. Proof. reflexivity. Qed.\n");
    accepts(challenge, &format!("{}{proof}", nested(50)), &[]);
    let beyond = format!("{}{proof}", nested(1100));
    // Whether the challenge is another file or the same.
    for challenge in [challenge, &beyond] {
        let message = rejects(challenge, &beyond, &[], Reason::Refused);
        assert!(message.contains("nested more than 2,000 levels deep"), "{message}");
    }
}

#[test]
fn another_statement_is_another_statement() {
    let challenge = "Theorem t : forall n : nat, n + 0 = n.\n";
    for (submission, expected) in [
        ("Theorem t : True. Proof. exact I. Qed.\n", Reason::Statement),
        (
            "Theorem t : forall n : nat, n = 0 -> n + 0 = n. Proof. intros; subst; reflexivity. Qed.\n",
            Reason::Statement,
        ),
        (
            "Theorem t (P : Prop) {p : P} (n : nat) : n + 0 = n. Proof. induction n; simpl; auto. Qed.\n",
            Reason::Statement,
        ),
        (
            "Definition nat := bool. Definition plus := orb. Theorem t : forall n : nat, plus n false = n.\n\
          Proof. intros []; reflexivity. Qed.\n",
            Reason::Statement,
        ),
        (
            "Notation \"x = y\" := (x = x) : type_scope.\nTheorem t : forall n : nat, n + 0 = n. Proof. auto. Qed.\n",
            Reason::Statement,
        ),
        (
            "Section S. Hypothesis h : False. Theorem t : forall n : nat, n + 0 = n. Proof. destruct h. Qed. End S.\n",
            Reason::Statement,
        ),
        (
            "Module M. Theorem t : forall n : nat, n + 0 = n. Proof. induction n; simpl; auto. Qed. End M.\n",
            Reason::Missing,
        ),
        (
            "Module M. Theorem t : forall n : nat, n + 0 = n. Proof. auto. Qed. End M. Import M.\n",
            Reason::Missing,
        ),
        ("Theorem t : forall n : nat, n + 0 = n. Proof. Admitted.\n", Reason::Unproved),
        ("Axiom t : forall n : nat, n + 0 = n.\n", Reason::Unproved),
    ] {
        rejects(challenge, submission, &[], expected);
    }
}

#[test]
fn what_stays_open_behind_a_theorem_is_no_axiom_of_its_proof() {
    let challenge = "Theorem t : 1 = 1.\nAdmitted.\nModule M. Theorem later : 1 = 2.\nAdmitted. End M.\n";
    accepts(challenge, &challenge.replacen("Admitted", "Proof. reflexivity. Qed", 1), &[]);
    let before = "Module M. Theorem later : 1 = 2.\nAdmitted. End M.\nTheorem t : 1 = 1.\n\
                  Proof. pose proof M.later. reflexivity. Qed.\n";
    rejects(challenge, before, &[], Reason::Axiom);
}

#[test]
fn a_rejection_tells_of_what_differs_and_of_nothing_else() {
    let stated = "Inductive color := red | green.\nTheorem t : red = red.\nProof. Admitted.\n\
                  Theorem u : green = green.\nProof. Admitted.\n";
    let proved = stated.replace("Admitted", "reflexivity. Qed");
    let at_u = proved.find("Theorem u").unwrap();
    let message = |theorems: &[&str], challenge: &str, submission: &str| match verdict_of(
        theorems,
        challenge,
        submission,
        &[],
    ) {
        Verdict::Rejected { reason, message, .. } => (reason, message),
        other => panic!("{other:?}"),
    };
    let both = ["t", "u"];
    let missing = (Reason::Missing, "`u` is missing from the submission".to_owned());
    assert_eq!(message(&both, stated, &proved[..at_u]), missing);
    // Whatever mentions the type differs with it.
    let (reason, other) = message(&both, stated, &proved.replace("red | green", "red | green | blue"));
    assert_eq!(reason, Reason::Statement);
    assert!(other.starts_with("the inductive type `color` differs in the submission\nRocq: "), "{other}");
    assert!(!other.contains("\"t\"") && !other.contains("andor"), "{other}");
    // Neither file leaves `x` undefined.
    let opaque = "Definition x : nat. Proof. exact 3. Qed.\nTheorem t : x = x. Proof. reflexivity. Qed.\n";
    let shown =
        (Reason::Statement, "`x` is opaque in the challenge but transparent in the submission".to_owned());
    assert_eq!(message(&["t"], opaque, &opaque.replacen("Qed", "Defined", 1)), shown);
}

#[test]
fn a_theorem_of_a_module_is_asked_for_by_its_whole_name() {
    let file = "Module A. Theorem t : True. Proof. exact I. Qed. End A.\n";
    match verdict_on(file, file, &[]) {
        Verdict::Infrastructure { error, .. } => {
            let message = error.to_string();
            assert!(message.contains("The reference t was not found"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn types_and_axioms_that_the_file_declares_are_compared_by_the_kernel() {
    let challenge = "Inductive color := red | green.\nParameter f : color -> color.\n\
                     Axiom inverse : forall c, f (f c) = c.\nTheorem t : forall c, f (f (f (f c))) = c.\n";
    let proof = "Proof. intros. rewrite inverse. apply inverse. Qed.\n";
    let honest = format!("{challenge}{proof}");
    assert_eq!(accepts(challenge, &honest, &["f", "inverse"]), ["f", "inverse"]);
    let message = rejects(challenge, &honest, &["f"], Reason::Axiom);
    assert!(message.contains("`inverse`"), "{message}");
    let changed = |from: &str, to: &str| honest.replace(from, to);
    for (submission, expected) in [
        (changed("red | green", "red | green | blue"), Reason::Statement),
        (changed("red | green", "red : color | green : color -> color"), Reason::Statement),
        (changed("Parameter f : color -> color", "Definition f (c : color) := c"), Reason::Statement),
        (
            changed("f (f c) = c.", "f c = c.")
                .replace("rewrite inverse. apply inverse", "rewrite !inverse. reflexivity"),
            Reason::Statement,
        ),
        (
            changed(
                "Axiom inverse : forall c, f (f c) = c.",
                "Axiom inverse : forall c, f (f c) = c. Axiom extra : False.",
            )
            .replace("intros. rewrite inverse. apply inverse", "destruct extra"),
            Reason::Axiom,
        ),
    ] {
        rejects(challenge, &submission, &["f", "inverse", "extra"], expected);
    }
}

#[test]
fn what_the_challenge_leaves_open_stays_open() {
    // A number that nobody can look into, and a parameter that only the type of another mentions.
    let challenge = "Lemma n : nat. Proof. exact 5. Qed.\nDefinition d := n.\nParameter f : nat.\n\
                     Parameter g : f = 0 -> nat.\nParameter e : f = 0.\nTheorem t : g e = g e /\\ (d = d \\/ d = 0).\n";
    let proof = "Proof. split; [reflexivity | left; reflexivity]. Qed.\n";
    let honest = format!("{challenge}{proof}");
    let allowed = ["e", "f", "g"];
    accepts(challenge, &honest, &allowed);
    // Another proof of a lemma is as good, as long as it is hidden too.
    accepts(challenge, &honest.replace("exact 5. Qed", "exact 0. Qed"), &allowed);
    for (from, to, said) in [
        ("exact 5. Qed", "exact 0. Defined", "`n` is opaque in the challenge but transparent"),
        ("Parameter f : nat.", "Definition f := 0.", "`f` is left undefined by the challenge"),
    ] {
        let message = rejects(challenge, &honest.replace(from, to), &allowed, Reason::Statement);
        assert!(message.starts_with(said), "{message}");
    }
}

#[test]
fn a_submission_may_assume_only_what_the_challenge_does() {
    let challenge = "Theorem s : True. Admitted.\nTheorem t : 1 = 1.\n";
    let proof = "Theorem t : 1 = 1. Proof. reflexivity. Qed.\n";
    accepts(challenge, &format!("Theorem s : True. Admitted.\n{proof}"), &[]);
    rejects(challenge, &format!("Theorem other : True. Admitted.\n{proof}"), &[], Reason::Axiom);
    // A file that is judged by itself may be unfinished elsewhere.
    let file = format!("{proof}Theorem other : 2 = 2. Admitted.\n");
    accepts(&file, &file, &[]);
}

#[test]
fn an_axiom_is_allowed_by_its_full_name_only() {
    let challenge = "Theorem t : forall P : Prop, P \\/ ~ P.\n";
    let classic =
        "Require Import Classical.\nTheorem t : forall P : Prop, P \\/ ~ P. Proof. exact classic. Qed.\n";
    let allowed = ["Coq.Logic.Classical_Prop.classic"];
    assert_eq!(accepts(challenge, classic, &allowed), ["Classical_Prop.classic"]);
    rejects(challenge, classic, &[], Reason::Axiom);
    for module in ["", "Module Classical_Prop.", "Module Coq. Module Logic. Module Classical_Prop."] {
        let ends: String = module
            .split('.')
            .rev()
            .filter_map(|m| m.trim().strip_prefix("Module "))
            .map(|m| format!("End {m}. "))
            .collect();
        // Found by its type: later releases take the full name for that of the library.
        let own = format!(
            "Class absurd := no : False.\n\
             {module} Axiom classic : False. #[global] Instance it : absurd := classic. {ends}\n\
             Theorem t : forall P : Prop, P \\/ ~ P. Proof. destruct no. Qed.\n"
        );
        rejects(challenge, &own, &allowed, Reason::Axiom);
        rejects(challenge, &own, &["classic"], Reason::Axiom);
    }
}

#[test]
fn a_family_of_types_keeps_its_universe() {
    let family =
        |sort: &str| format!("Universe u. Constraint Set < u.\nInductive box : {sort} := mk : nat -> box.\n");
    let theorem = "Theorem t : exists B : Set, @eq Type B box.\n";
    let proof = "Proof. exists box. reflexivity. Qed.\n";
    let challenge = format!("{}{theorem}", family("Type@{u}"));
    rejects(&challenge, &format!("{}{theorem}{proof}", family("Type@{u}")), &[], Reason::Refused);
    rejects(&challenge, &format!("{}{theorem}{proof}", family("Set")), &[], Reason::Statement);
    let challenge = format!("{}{theorem}", family("Set"));
    accepts(&challenge, &format!("{}{theorem}{proof}", family("Set")), &[]);
}

#[test]
fn a_theorem_cannot_be_allowed_as_its_own_axiom() {
    let admitted = "Theorem t : 1 = 2. Admitted.\n";
    rejects(admitted, admitted, &["t"], Reason::Unproved);
    rejects("Theorem t : 1 = 2.\n", "Axiom t : 1 = 2.\n", &["t"], Reason::Unproved);
}

/// To allow an axiom helps only if the file that states the theorem declares it, too; a rejection says nothing else.
#[test]
fn a_permission_is_offered_only_where_it_helps() {
    let theorem = "Theorem t : 0 = 1.\n";
    let axiom = "Axiom no : False.\n";
    let admitted = "Lemma no : False. Admitted.\n";
    let proof = "Proof. destruct no. Qed.\n";
    let other = "Axiom of_the_challenge : True.\n";
    for (challenge, own, said, helps) in [
        (axiom, axiom, "`t` depends on `no`, which is not an allowed axiom", true),
        (admitted, admitted, "`t` depends on `no`, which is admitted, not proved", true),
        (other, axiom, "the proof depends on the axiom `no`, which only the submission declares", false),
        (
            other,
            admitted,
            "the proof depends on `no`, which the submission admits instead of proving it",
            false,
        ),
    ] {
        let (challenge, submission) = (format!("{challenge}{theorem}"), format!("{own}{theorem}{proof}"));
        let Verdict::Rejected { message, permission, .. } = verdict_on(&challenge, &submission, &[]) else {
            panic!("accepted: {submission}");
        };
        assert_eq!((message.as_str(), permission.is_some()), (said, helps));
        let allowed = verdict_on(&challenge, &submission, &["no"]);
        assert_eq!(matches!(allowed, Verdict::Accepted { .. }), helps, "{submission}");
    }
}

#[test]
fn checks_of_the_kernel_cannot_be_switched_off() {
    let challenge = "Theorem t : False.\n";
    for submission in [
        "Unset Guard Checking. Fixpoint loop (n : nat) : False := loop n. Theorem t : False. Proof. exact (loop 0). Qed.\n",
        "#[bypass_check(guard)] Fixpoint loop (n : nat) : False := loop n. Theorem t : False. Proof. exact (loop 0). Qed.\n",
        "Global Unset Guard Checking. Fixpoint loop (n : nat) : False := loop n. Theorem t : False. exact (loop 0). Qed.\n",
        "Unset Positivity Checking. Inductive bad := c : (bad -> False) -> bad. Set Positivity Checking.\n\
         Definition no (b : bad) : False := match b with c f => f b end. Theorem t : False. Proof. exact (no (c no)). Qed.\n",
    ] {
        rejects(challenge, submission, &[], Reason::Unchecked);
    }
}

/// A folder with a compiled library, and where it is bound.
pub(crate) fn compiled_library(name: &str, text: &str) -> (tempfile::TempDir, Vec<LoadPath>) {
    compiled_below("", name, text)
}

/// The same for a library below a logical name.
pub(crate) fn compiled_below(root: &str, name: &str, text: &str) -> (tempfile::TempDir, Vec<LoadPath>) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = format!("{name}.v");
    let path = folder.path().join(&file);
    std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("it can be made");
    std::fs::write(path, text).expect("it can be written");
    let spec = ChildSpec {
        program: "coqc".to_owned(),
        args: ["-q", "-R", ".", root, &file].map(str::to_owned).into(),
        env: Vec::new(),
        directory: folder.path().to_owned(),
        limits: ResourceLimits::default(),
    };
    let compiled = block_on(run_to_end(&spec, "compiling a library", Duration::from_secs(60), 1 << 20));
    assert_eq!(compiled.expect("coqc runs").exit.code, Some(0));
    let binding = if root.is_empty() { Binding::Q } else { Binding::R };
    let bound = LoadPath { binding, folder: folder.path().to_owned(), name: root.to_owned() };
    (folder, vec![bound])
}

#[test]
fn files_with_the_same_declarations_are_told() {
    let rocq = Rocq::new(RocqConfig::default());
    let file = "Require Import ZArith.\nDefinition one := 1.\nLemma t : one = one. Proof. reflexivity. Qed.\nLemma u : True. Admitted.\n";
    let other = |from: &str, to: &str| file.replace(from, to);
    for (other, expected) in [
        (other("ZArith.", "ZArith Lia."), Some(true)),
        (other("reflexivity", "exact (eq_refl 1)"), Some(true)),
        (other("ZArith.", "ZArith. Open Scope Z_scope."), Some(false)),
        (other(":= 1", ":= 2"), Some(false)),
        (other("u : True", "u : 1 = 1"), Some(false)),
        (other("Lemma u", "Lemma v"), Some(false)),
        (other("Lemma u", "Lemma"), Some(false)),
    ] {
        assert_eq!(block_on(rocq.has_all(file, &other)).unwrap(), expected, "{other}");
    }
    assert_eq!(block_on(rocq.has_all("Lemma t.", file)).unwrap(), None);
}

#[test]
fn compiled_libraries_from_elsewhere_are_named() {
    let (_folder, load_path) = compiled_library("elsewhere", "Definition two := 2.\n");
    let rocq = Rocq::new(RocqConfig { load_path, ..RocqConfig::default() });
    let libraries = |submission: &str| {
        let claim = Claim {
            submission: submission.to_owned(),
            challenge: "Theorem t : True.\n".to_owned(),
            theorems: vec!["t".to_owned()],
        };
        match block_on(judge(rocq.checker(), &claim, Level::Audited)) {
            Verdict::Accepted { trust, .. } => trust.libraries.into_vec(),
            other => panic!("{other:?}"),
        }
    };
    let proof = "Theorem t : True. Proof. exact I. Qed.\n";
    assert_eq!(libraries(&format!("Require Import Lia.\n{proof}")), [""; 0]);
    assert_eq!(libraries(&format!("Require Import Lia elsewhere.\n{proof}")), ["elsewhere"]);
}

#[test]
fn a_library_that_a_recheck_refuses_is_a_reason_to_reject() {
    let wrong = "Section s. Variable x : nat. Definition d := x.\nLemma wrong : d = 1. Proof.\n\
         assert (True -> d = d) as _ by (intros _; rename x into y; pose (x := 1); vm_compute; reflexivity).\n\
         vm_cast_no_check (eq_refl 1). Qed. End s.\n";
    let from_wrong = "Theorem t : False. Proof. discriminate (other.wrong 0). Qed.\n";
    let honest = "Theorem t : True. Proof. exact I. Qed.\n";
    let unchecked = "Unset Guard Checking. Fixpoint loop (n : nat) : nat := loop n.\n";
    for (library, proof, statement, rejected) in [
        (wrong, from_wrong, "False", Some((Reason::Kernel, ["`other`", "`other.wrong`", "Type error"]))),
        (unchecked, honest, "True", Some((Reason::Unchecked, ["libraries", "unsafe", "`other.loop`"]))),
        ("Definition right := 0.\n", honest, "True", None),
    ] {
        let (_folder, load_path) = compiled_library("other", library);
        let header = "Require other.\n";
        let claim = Claim {
            submission: format!("{header}{proof}"),
            challenge: format!("{header}Theorem t : {statement}.\n"),
            theorems: vec!["t".to_owned()],
        };
        let trusting = Rocq::new(RocqConfig { load_path: load_path.clone(), ..RocqConfig::default() });
        let verdict = block_on(judge(trusting.checker(), &claim, Level::Rechecked));
        assert!(matches!(verdict, Verdict::Accepted { level: Level::Rechecked, .. }), "{verdict:?}");
        let rocq = Rocq::new(RocqConfig { load_path, recheck_deps: true, ..RocqConfig::default() });
        // No level below the third would check the libraries.
        for level in [Level::Compiled, Level::Rechecked] {
            let verdict = block_on(judge(rocq.checker(), &claim, level));
            match (&verdict, rejected) {
                (Verdict::Accepted { level: Level::Rechecked, .. }, None) => {}
                (
                    Verdict::Rejected { level: Level::Rechecked, reason, message, .. },
                    Some((expected, parts)),
                ) => {
                    assert_eq!(*reason, expected, "{message}");
                    parts.iter().for_each(|part| assert!(message.contains(part), "{part}: {message}"));
                }
                _ => panic!("{level}: {verdict:?}\n{library}"),
            }
        }
    }
}

#[test]
fn what_a_library_did_not_check_is_seen_in_what_rests_on_it() {
    let library = "Unset Guard Checking. Fixpoint loop (n : nat) : False := loop n.\n";
    let (_folder, load_path) = compiled_library("unsafe_library", library);
    let rocq = Rocq::new(RocqConfig { load_path, ..RocqConfig::default() });
    let header = "Require unsafe_library.\nTheorem t : False.\n";
    for challenge in [header, "Theorem t : False.\n"] {
        let claim = Claim {
            submission: format!("{header}Proof. exact (unsafe_library.loop 0). Qed.\n"),
            challenge: challenge.to_owned(),
            theorems: vec!["t".to_owned()],
        };
        for level in [Level::Compiled, Level::Audited, Level::Rechecked] {
            let verdict = block_on(judge(rocq.checker(), &claim, level));
            assert!(
                matches!(verdict, Verdict::Rejected { reason: Reason::Unchecked, .. }),
                "{level}: {verdict:?}"
            );
        }
    }
}

#[test]
fn options_of_the_submission_do_not_reach_the_judge() {
    let challenge = "Theorem t : 1 = 2.\n";
    for options in [
        "Global Set Printing Depth 1. Global Set Printing Width 1.",
        "Global Set Silent.",
        "Global Set Printing All. Global Set Typeclasses Debug.",
        "Require Coq.Program.Tactics. Global Set Program Mode. Global Set Universe Polymorphism. Global Set Default Timeout 9.",
    ] {
        let cheat = format!("{options}\nAxiom bad : 1 = 2.\nTheorem t : 1 = 2. Proof. exact bad. Qed.\n");
        match verdict_on(challenge, &cheat, &[]) {
            Verdict::Rejected { level: Level::Audited, .. } => {}
            other => panic!("{options}: {other:?}"),
        }
        let honest = format!("{options}\nTheorem t : 1 = 1. Proof. exact eq_refl. Qed.\n");
        accepts("Theorem t : 1 = 1.\n", &honest, &[]);
    }
}

#[test]
fn universe_polymorphic_theorems_are_compared_as_such() {
    let polymorphic = "Set Universe Polymorphism.\nTheorem t@{u} : forall A : Type@{u}, A -> A.";
    let proof = "Proof. exact (fun A a => a). Qed.\n";
    accepts(polymorphic, &format!("{polymorphic} {proof}"), &[]);
    let plain = "Theorem t : forall A : Type, A -> A.";
    rejects(polymorphic, &format!("{plain} {proof}"), &[], Reason::Statement);
    let small = "Set Universe Polymorphism.\nTheorem t@{u | Set < u} : forall A : Type@{u}, A -> A.";
    rejects(polymorphic, &format!("{small} {proof}"), &[], Reason::Statement);
}

#[test]
fn modules_called_like_the_judges_own_deceive_nobody() {
    let challenge = "Theorem t : 1 = 2.\n";
    for submission in [
        "Module andor_submission. Theorem t : 1 = 1. Proof. reflexivity. Qed. End andor_submission.\n",
        "Module andor_challenge. Definition andor_statement_0 := True. End andor_challenge.\nTheorem t : True. Proof. exact I. Qed.\n",
        "Module andor_challenge. Module Type andor_question. End andor_question. End andor_challenge.\nTheorem t : True. Proof. exact I. Qed.\n",
        "Require andor_challenge. Theorem t : 1 = 2. Proof. exact andor_challenge.andor_asked.t. Qed.\n",
    ] {
        assert!(matches!(verdict_on(challenge, submission, &[]), Verdict::Rejected { .. }), "{submission}");
    }
}

#[test]
fn a_challenge_that_does_not_state_the_theorem_is_no_rejection() {
    for challenge in
        ["Theorem s : True.\n", "Theorem t : nonsense.\n", "Theorem t : True", "Unset Guard Checking."]
    {
        match verdict_on(challenge, "Theorem t : True. Proof. exact I. Qed.\n", &[]) {
            Verdict::Infrastructure { error: EnvError::TheoremRefused { .. }, .. } => {}
            other => panic!("{challenge}: {other:?}"),
        }
    }
}

#[test]
fn a_theorem_is_pinned_before_it_is_proved() {
    let rocq = Rocq::new(RocqConfig::default());
    let pin = |header: &str, statement: &str| {
        let mut theorem = theorem(ROCQ, "t", statement);
        theorem.header = header.to_owned();
        block_on(rocq.checker().pin(&theorem))
    };
    pin("Require Import BinNat.\nOpen Scope N_scope.\n", "Theorem t : 1 + 1 = 2.").expect("it is fine");
    let unsafe_header = "Unset Guard Checking.\nFixpoint f (n : nat) : nat := f n.\n";
    let error = pin(unsafe_header, "Theorem t : f 0 = 1.").expect_err("it means nothing");
    assert!(error.to_string().contains("turns off a kernel check"), "{error}");
    assert!(matches!(error, EnvError::TheoremRefused { .. }));
}

#[test]
fn several_theorems_are_judged_together() {
    let file = "Theorem a : 1 = 1. Proof. reflexivity. Qed.\nModule M.\nTheorem b : 2 = 2. Proof. reflexivity. Qed.\nEnd M.\n\
                Definition three : nat. exact 3. Defined.\nTheorem c : three = 3. Proof. reflexivity. Qed.\n";
    let names = ["a", "M.b", "three", "c"].map(str::to_owned).to_vec();
    let claim = Claim { submission: file.to_owned(), challenge: file.to_owned(), theorems: names };
    let rocq = Rocq::new(RocqConfig::default());
    let verdict = block_on(judge(rocq.checker(), &claim, Level::Rechecked));
    assert!(matches!(verdict, Verdict::Accepted { level: Level::Rechecked, .. }), "{verdict:?}");
    let other = Claim {
        submission: file.replace("exact 3. D", "exact 4. D").replace("three = 3", "three = 4"),
        ..claim
    };
    let verdict = block_on(judge(rocq.checker(), &other, Level::Rechecked));
    assert!(matches!(verdict, Verdict::Rejected { reason: Reason::Statement, .. }), "{verdict:?}");
}

#[test]
fn what_an_axiom_of_the_proof_mentions_is_left_open() {
    let allowed = ["p", "p_false"];
    let challenge = "Parameter p : Prop.\nAxiom p_false : ~ p.\nTheorem t : 1 = 2.\nProof. Admitted.\n";
    let submission = "Definition p : Prop := True.\nAxiom p_false : ~ p.\nTheorem t : 1 = 2.\n\
                      Proof. destruct (p_false I). Qed.\n";
    rejects(challenge, submission, &allowed, Reason::Statement);
    let challenge = challenge.replace("1 = 2", "p -> 1 = 2");
    let submission = submission
        .replace("1 = 2", "p -> 1 = 2")
        .replace("Definition p : Prop := True", "Parameter p : Prop")
        .replace("destruct (p_false I)", "intro h; destruct (p_false h)");
    accepts(&challenge, &submission, &allowed);
}

#[test]
fn what_is_left_open_keeps_its_universe() {
    let challenge = "Parameter A : Type.\nTheorem t : exists B : Set, @eq Type B A.\nProof. Admitted.\n";
    let submission = "Parameter A : Set.\nTheorem t : exists B : Set, @eq Type B A.\n\
                      Proof. exists A. reflexivity. Qed.\n";
    rejects(challenge, submission, &["A"], Reason::Statement);
    let opaque = |text: &str| {
        text.replace(".\nTheorem", ". Proof. exact nat. Qed.\nTheorem").replace("Parameter", "Lemma")
    };
    rejects(&opaque(challenge), &opaque(submission), &[], Reason::Statement);
    let functions =
        |text: &str| text.replace("Parameter A :", "Parameter F : nat ->").replace(" A.", " (F 0).");
    let submission_of_functions = functions(submission).replace("exists A", "exists (F 0)");
    rejects(&functions(challenge), &submission_of_functions, &["F"], Reason::Statement);
    let strict = "Parameter A : Type.\nTheorem t : forall x y : A, x = y.\nProof. Admitted.\n";
    let submission = "Global Set Cumulative StrictProp.\nParameter A : SProp.\n\
                      Theorem t : forall x y : A, x = y. Proof. reflexivity. Qed.\n";
    // Later releases have no such option, and refuse the file.
    let release = block_on(andor_system_rocq::installed_release()).unwrap();
    let reason = if release < [8, 20, 0] { Reason::Statement } else { Reason::Refused };
    rejects(strict, submission, &["A"], reason);
}

#[test]
fn a_file_may_state_itself() {
    let file = "Lemma once : 1 = 2. Abort.\nLemma once : 1 = 1. Proof. reflexivity. Qed.\n\
                Section S.\nVariable n : nat.\nHypothesis positive : 0 < n.\nInductive kept : Prop := keep : kept.\n\
                Lemma a_name_after_which_the_line_is_broken : kept /\\ 0 < n.\n\
                Proof. split; [constructor | exact positive]. Qed.\nEnd S.\n\
                Lemma t : a_name_after_which_the_line_is_broken = a_name_after_which_the_line_is_broken.\n\
                Proof. reflexivity. Qed.\n";
    let claim = Claim {
        submission: file.to_owned(),
        challenge: file.to_owned(),
        theorems: ["once", "a_name_after_which_the_line_is_broken", "t"].map(str::to_owned).to_vec(),
    };
    let verdict = block_on(judge(Rocq::new(RocqConfig::default()).checker(), &claim, Level::Rechecked));
    assert!(matches!(verdict, Verdict::Accepted { level: Level::Rechecked, .. }), "{verdict:?}");
}
