//! Which axioms proofs in Rocq may depend on.

use andor_core::axioms::AllowedAxioms;
use andor_core::theorem::Theorem;
use andor_core::verdict::Reason;
use andor_env::checker::{Claim, Level, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_system_rocq::ROCQ;
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};

use crate::rocq_judge::{compiled_below, compiled_library};

const REALS: &str = "From Coq Require Import Reals Lra Classical.\nOpen Scope R_scope.\n";
const STATED: &str = "Theorem t x : 0 <= x -> sqrt x * sqrt x = x.\n";
const PROOF: &str = "Proof. exact (sqrt_sqrt x). Qed.\n";

fn rocq(allowed: &[&str], config: RocqConfig) -> Rocq {
    let allowed: Vec<String> = allowed.iter().map(|axiom| (*axiom).to_owned()).collect();
    Rocq::new(RocqConfig { allowed_axioms: AllowedAxioms::named(&allowed), ..config })
}

/// The axioms of an accepted proof of `t`, and those of them that its statement depends on; or the reason and message of a
/// rejection.
fn judged(
    rocq: &Rocq,
    challenge: &str,
    submission: &str,
    level: Level,
) -> Result<(Vec<String>, Vec<String>), (Reason, String)> {
    let claim = Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: vec!["t".to_owned()],
    };
    match block_on(judge(rocq.checker(), &claim, level)) {
        Verdict::Accepted { axioms, trust, .. } => Ok((axioms, trust.statement_axioms.into_vec())),
        Verdict::Rejected { reason, message, .. } => Err((reason, message)),
        Verdict::Infrastructure { error, .. } => panic!("{error}"),
    }
}

#[test]
fn what_the_statement_depends_on_is_allowed() {
    let (default, strict) = (rocq(&[], RocqConfig::default()), rocq(&["none"], RocqConfig::default()));
    let (challenge, submission) = (format!("{REALS}{STATED}Admitted.\n"), format!("{REALS}{STATED}{PROOF}"));
    for level in [Level::Compiled, Level::Audited] {
        let (axioms, of_statement) = judged(&default, &challenge, &submission, level).unwrap();
        assert!(axioms.iter().any(|axiom| axiom.ends_with("sig_forall_dec")), "{axioms:?}");
        assert_eq!(axioms, of_statement);
        let (reason, message) = judged(&strict, &challenge, &submission, level).unwrap_err();
        assert_eq!(reason, Reason::Axiom, "{message}");
    }
    let error = block_on(strict.checker().pin(&theorem_with(REALS, STATED))).unwrap_err();
    assert!(error.to_string().contains("sig_forall_dec"), "{error}");
}

#[test]
fn what_only_the_proof_depends_on_is_not() {
    let default = rocq(&[], RocqConfig::default());
    let challenge = format!("{REALS}{STATED}Admitted.\n");
    // Another axiom of a library, a statement that depends on none, and axioms that only have the names of those of the statement.
    let named = "Module ClassicalDedekindReals. Axiom sig_forall_dec : False. End ClassicalDedekindReals.\n";
    for (challenge, submission) in [
        (
            challenge.as_str(),
            format!("{REALS}{STATED}Proof. destruct (classic True); exact (sqrt_sqrt x). Qed.\n"),
        ),
        (
            "Theorem t : 1 = 1.\nAdmitted.\n",
            format!(
                "{REALS}Theorem t : (1 = 1)%nat.\nProof. pose proof (sqrt_sqrt 1 ltac:(lra)); reflexivity. Qed.\n"
            ),
        ),
        (
            challenge.as_str(),
            format!("{REALS}{named}{STATED}Proof. destruct ClassicalDedekindReals.sig_forall_dec. Qed.\n"),
        ),
    ] {
        for level in [Level::Compiled, Level::Audited] {
            let (reason, message) = judged(&default, challenge, &submission, level).unwrap_err();
            assert_eq!(reason, Reason::Axiom, "{message}\n{submission}");
        }
    }
}

#[test]
fn axioms_of_the_project_and_of_the_file_are_named() {
    let (_folder, load_path) =
        compiled_library("project", "Axiom size : nat. Definition twice := size + size.\n");
    let header = "Require Import project.\n";
    let statement = "Theorem t : twice = twice + 0.\n";
    let of_file = "Axiom size : nat. Definition twice := size + size.\n";
    for (header, load_path, name) in [(header, load_path, "project.size"), (of_file, Vec::new(), "size")] {
        let config = || RocqConfig { load_path: load_path.clone(), ..RocqConfig::default() };
        let (challenge, submission) =
            (format!("{header}{statement}Admitted.\n"), format!("{header}{statement}Proof. auto. Qed.\n"));
        let (unnamed, named) = (rocq(&[], config()), rocq(&[name], config()));
        let (reason, message) = judged(&unnamed, &challenge, &submission, Level::Audited).unwrap_err();
        assert_eq!(reason, Reason::Axiom, "{message}");
        let (_, of_statement) = judged(&named, &challenge, &submission, Level::Audited).unwrap();
        assert!(of_statement.is_empty(), "{of_statement:?}");
        // A search does not begin.
        let theorem = theorem_with(header, statement);
        match block_on(unnamed.checker().pin(&theorem)) {
            Err(EnvError::StatementAxioms { axioms, .. }) => assert_eq!(axioms, [name]),
            other => panic!("{other:?}"),
        }
        block_on(named.checker().pin(&theorem)).unwrap();
    }
}

#[test]
fn a_project_takes_no_name_of_the_installation() {
    let text = "Axiom classic : False. Definition k : nat := match classic with end.\n";
    // Later releases call the library `Stdlib`.
    let is_late = std::env::var("ANDOR_ROCQ_RELEASE").is_ok_and(|release| release.starts_with('9'));
    let root = if is_late { "Stdlib" } else { "Coq" };
    let (_folder, load_path) = compiled_below(root, "Logic/Classical_Prop", text);
    let challenge =
        format!("From {root} Require Import Classical_Prop.\nTheorem t : k = k -> False.\nAdmitted.\n");
    let submission = challenge.replace("Admitted.", "Proof. destruct classic. Qed.");
    for allowed in [&[][..], &["Coq.Logic.Classical_Prop.classic"]] {
        let config = RocqConfig { load_path: load_path.clone(), ..RocqConfig::default() };
        let rocq = rocq(allowed, config);
        let (reason, message) = judged(&rocq, &challenge, &submission, Level::Audited).unwrap_err();
        assert_eq!(reason, Reason::Axiom, "{message}");
    }
}

#[test]
fn a_short_name_may_mean_one_axiom_only() {
    let (_folder, load_path) = compiled_library("mine", "Axiom classic : False.\n");
    let config = RocqConfig { load_path, ..RocqConfig::default() };
    let challenge = "Require Import Classical.\nTheorem t : 1 = 2.\nAdmitted.\n";
    let submission =
        "Require Import Classical mine.\nTheorem t : 1 = 2.\nProof. destruct mine.classic. Qed.\n";
    let claim = Claim {
        submission: submission.to_owned(),
        challenge: challenge.to_owned(),
        theorems: vec!["t".to_owned()],
    };
    match block_on(judge(rocq(&["classic"], config).checker(), &claim, Level::Audited)) {
        Verdict::Infrastructure { error: EnvError::TheoremRefused { message, .. }, .. } => {
            assert!(message.contains("which may be") && message.contains("mine.classic"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_short_name_means_no_lemma_of_the_library() {
    let header = "Axiom absurd : False.\nDefinition k : nat := match absurd with end.\n";
    let challenge = format!("{header}Theorem t : k = k.\nAdmitted.\n");
    let submission = format!("{header}Theorem t : k = k.\nProof. destruct absurd. Qed.\n");
    let (axioms, _) =
        judged(&rocq(&["absurd"], RocqConfig::default()), &challenge, &submission, Level::Audited).unwrap();
    assert_eq!(axioms, ["absurd"]);
}

#[test]
fn the_theorem_is_no_axiom_of_its_own_proof() {
    let (_folder, load_path) = compiled_library("stated", "Theorem t : 1 = 2. Admitted.\n");
    let config = || RocqConfig { load_path: load_path.clone(), ..RocqConfig::default() };
    let challenge = "Theorem t : 1 = 2.\nAdmitted.\n";
    let submission = "Require stated.\nTheorem t : 1 = 2.\nProof. exact stated.t. Qed.\n";
    for allowed in [&[][..], &["stated.t"], &["t"]] {
        let (reason, message) =
            judged(&rocq(allowed, config()), challenge, submission, Level::Audited).unwrap_err();
        assert_eq!(reason, Reason::Axiom, "{message}");
        assert!(message.contains("has the name of `t` itself"), "{message}");
    }
}

#[test]
fn a_name_that_nothing_has_is_an_error() {
    let misspelt = rocq(&["clasic"], RocqConfig::default());
    let error = block_on(misspelt.checker().pin(&theorem_with(REALS, STATED))).unwrap_err().to_string();
    assert!(
        error.contains("an axiom `clasic` is allowed, but nothing that is loaded has this name"),
        "{error}"
    );
    // A full name may be of a library that other theorems load.
    for allowed in ["classic", "Coq.Logic.PropExtensionality.propositional_extensionality"] {
        block_on(rocq(&[allowed], RocqConfig::default()).checker().pin(&theorem_with(REALS, STATED)))
            .unwrap();
    }
}

fn theorem_with(header: &str, statement: &str) -> Theorem {
    Theorem { header: header.to_owned(), ..theorem(ROCQ, "t", statement) }
}
