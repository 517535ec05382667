//! What is special about Rocq, with the real one.

use andor_system_rocq::ROCQ;
use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::Theorem;
use andor_env::checker::{Level, Verdict};
use andor_env::environment::{Script, ScriptStep};
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Limits, Obligation, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::{block_on, theorem};

fn with_header(header: &str, statement: &str) -> Theorem {
    Theorem { header: format!("{header}\n"), ..theorem(ROCQ, "t", &format!("Theorem t : {statement}.")) }
}

fn rocq() -> Arc<Workers> {
    Workers::new(Arc::new(Rocq::new(RocqConfig::default())), Grouping::Coupled)
}

async fn open(theorem: Theorem) -> Arc<Session> {
    let limits = Limits { tactic: Duration::from_secs(10), ..Limits::default() };
    Session::open(rocq(), theorem, limits).await.unwrap()
}

async fn attempt(session: &Arc<Session>, at: Obligation, tactic: &str) -> Arc<Attempted> {
    Arc::clone(&session.lease(at).preview(tactic).await.unwrap().attempted)
}

/// The rejection of a tactic at the root.
async fn rejection(session: &Arc<Session>, tactic: &str) -> String {
    match &*attempt(session, session.root(), tactic).await {
        Attempted::Rejected { message, .. } => message.clone(),
        Attempted::Screened { refusal } => refusal.to_string(),
        other => panic!("`{tactic}`: {other:?}"),
    }
}

/// Proves a theorem by applying each tactic to the first open obligation, and has the script checked.
/// Returns the targets seen on the way.
async fn prove(theorem: Theorem, tactics: &[&str]) -> Vec<String> {
    let session = open(theorem).await;
    let mut steps: Vec<ScriptStep> = Vec::new();
    // Open obligations, each with the step and the place among its children that wait for it.
    let mut todo: Vec<(Obligation, Option<(usize, usize)>)> = vec![(session.root(), None)];
    let mut seen = Vec::new();
    for tactic in tactics {
        let (at, parent) = todo.pop().expect("an obligation is open");
        let mut lease = session.lease(at);
        let mut preview = lease.preview(tactic).await.unwrap();
        drop(lease);
        let Attempted::Applied { script, .. } = &*Arc::clone(&preview.attempted) else {
            panic!("`{tactic}`: {:?}", preview.attempted);
        };
        let committed = session.commit(&mut preview);
        let (_, groups) = session.script_of(committed.checkpoint);
        let children = vec![usize::MAX; committed.obligations.len()];
        steps.push(ScriptStep { text: script.clone(), groups, children });
        let step = steps.len() - 1;
        if let Some((parent, place)) = parent {
            steps[parent].children[place] = step;
        }
        for (place, child) in committed.obligations.into_iter().enumerate().rev() {
            todo.push((child, Some((step, place))));
        }
        let targets = todo.last().map(|(o, _)| session.goals(*o)[0].target.text.clone());
        seen.extend(targets);
    }
    assert!(todo.is_empty(), "{} obligations are open", todo.len());
    let claim = session.assemble(&Script { steps });
    let verdict = rocq().environment().checker().check(&claim, Level::Rechecked).await;
    assert!(matches!(verdict, Verdict::Accepted { .. }), "{verdict:?}\n{}", claim.submission);
    seen
}

#[test]
fn unicode_and_notations() {
    let header = "Require Import Utf8 Arith.\nNotation \"x ⊕ y\" := (x + y) (at level 50).\n\
                  Definition größe := 3.";
    let theorem = with_header(header, "∀ α β : nat, α ⊕ größe ⊕ β = β ⊕ (α ⊕ größe)");
    let seen = block_on(prove(theorem, &["intros α' β'", "apply Nat.add_comm"]));
    assert_eq!(seen, ["(α' ⊕ größe) ⊕ β' = β' ⊕ (α' ⊕ größe)"]);
}

#[test]
fn tactics_with_capitals() {
    let header = "Tactic Notation \"Halve\" := split.\nLtac Finish := exact I.";
    let theorem = with_header(header, "True /\\ True");
    block_on(prove(theorem, &["Halve", "Finish", "(Finish)"]));
}

#[test]
fn what_a_header_may_not_have_is_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let written = folder.path().join("written");
    for (header, part) in [
        (format!("Redirect {written:?} Print nat."), "writes a file"),
        ("Set Debug \"all\".".to_owned(), "run a program"),
        ("Unset Guard Checking.".to_owned(), "a kernel check"),
        ("Hammer.".to_owned(), "does not begin a known command"),
    ] {
        let theorem = with_header(&header, "True");
        let opened = block_on(Session::open(rocq(), theorem, Limits::default()));
        let error = opened.err().unwrap_or_else(|| panic!("{header}"));
        assert!(matches!(error, EnvError::TheoremRefused { part: "the header", .. }), "{error}");
        assert!(error.to_string().contains(part), "{error}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn scopes_options_and_sections() {
    let header = "Require Import ZArith Lia.\nOpen Scope Z_scope.\nSet Implicit Arguments.\n\
                  Set Default Goal Selector \"!\".\nSet Bullet Behavior \"Strict Subproofs\".\n\
                  Section S.\nVariable k : Z.\nHypothesis pos : 0 < k.";
    let mut theorem = with_header(header, "0 < k * k /\\ k - k = 0");
    theorem.footer = "End S.".to_owned();
    block_on(prove(theorem, &["split", "apply Z.mul_pos_pos; assumption", "lia"]));
}

#[test]
fn printing_options_of_the_header_do_not_confuse() {
    for option in [
        "Set Printing All.",
        "Unset Printing Notations.",
        "Set Printing Universes.",
        "Set Printing Width 20.",
    ] {
        let theorem = with_header(option, "forall n m : nat, n = m -> m = n /\\ True");
        block_on(prove(theorem, &["intros n m H", "split", "symmetry; exact H", "exact I"]));
    }
}

/// What a header sets must neither change what a tactic means to us, nor hide a part of a goal.
#[test]
fn options_of_the_header_change_neither_tactics_nor_goals() {
    let statement = "forall R : nat -> nat -> Prop, (forall x y z, R x y -> R y z -> R x z) -> \
                     forall a b c, R a b -> R (S (S b)) c -> R b (S (S b)) -> R a c /\\ 1 = 1";
    let tactics = [
        "intros R T a b c H K L",
        "split",
        "eapply T",
        "exact H",
        "eapply T",
        "exact L",
        "exact K",
        "reflexivity",
    ];
    let prove_under = |header: &str| block_on(prove(with_header(header, statement), &tactics));
    let plain = prove_under("");
    for header in [
        "Set Default Goal Selector \"!\".",
        "Set Default Goal Selector \"all\".",
        "From Ltac2 Require Import Ltac2.",
        "From Ltac2 Require Import Ltac2. Set Default Proof Mode \"Ltac2\".",
        "Set Bullet Behavior \"None\".",
        "Set Default Timeout 9.",
        "Set Default Proof Using \"Type\".",
        "Set Printing Depth 2.",
        "Set Hyps Limit 1.",
        "Unset Printing Goal Names.",
        "Set Printing Existential Instances.",
        "Set Printing Compact Contexts.",
        "Set Nested Proofs Allowed.",
    ] {
        assert_eq!(prove_under(header), plain, "{header}");
    }
    // Names of metavariables are mangled, too.
    assert_eq!(prove_under("Set Mangle Names.").len(), plain.len());
}

#[test]
fn the_headers_time_limit_holds_for_tactics() {
    block_on(async {
        let header = "Fixpoint slow (n : nat) : nat := match n with 0 => 0 | S m => slow m + slow m end.\n\
                      Set Default Timeout 1.";
        let session = open(with_header(header, "slow 60 = 0")).await;
        let attempted = attempt(&session, session.root(), "vm_compute; reflexivity").await;
        assert!(matches!(&*attempted, Attempted::OverTime { .. }), "{attempted:?}");
    });
}

#[test]
fn a_fixpoint_is_no_proof_of_itself() {
    block_on(async {
        let fixpoint = theorem(ROCQ, "g", "Fixpoint g (n : nat) : n = n.");
        let message = rejection(&open(fixpoint.clone()).await, "exact (g n)").await;
        assert!(message.contains("Recursive"), "{message}");
        prove(fixpoint, &["destruct n as [|m]", "reflexivity", "exact (f_equal S (g m))"]).await;
    });
}

#[test]
fn a_named_metavariable_is_solved_by_its_name_where_goals_mention_it() {
    block_on(async {
        let theorem = with_header("", "(exists x : nat, x = x /\\ 0 = 0) /\\ exists y : nat, y = 1");
        let tactics =
            ["split", "eexists ?[w']", "[w']: exact 3", "split; reflexivity", "eexists ?[v]", "reflexivity"];
        prove(theorem.clone(), &tactics).await;
        // It belongs to another obligation.
        let session = open(theorem).await;
        let message = rejection(&session, "[other]: exact 3").await;
        assert!(message.contains("?other"), "{message}");
        for screened in ["[w']: admit", "[w']: exact 3. exact 4", "[w']: Qed", "[w']: [v]: exact 3"] {
            assert!(
                matches!(&*attempt(&session, session.root(), screened).await, Attempted::Screened { .. }),
                "{screened}"
            );
        }
    });
}

#[test]
fn a_metavariable_that_nothing_determines_becomes_a_goal() {
    block_on(async {
        let theorem = with_header("", "exists x : nat, x = x /\\ 0 = 0");
        let seen = prove(theorem, &["eexists", "split", "reflexivity", "exact 3", "reflexivity"]).await;
        assert_eq!(seen[2..4], ["nat", "0 = 0"], "{seen:?}");
    });
}

#[test]
fn ssreflect() {
    let header = "From Coq Require Import ssreflect ssrbool.";
    let theorem = with_header(
        header,
        "forall (a b : bool) (P : nat -> Prop), P 0 -> a && b -> b && a /\\ exists n, P n",
    );
    block_on(prove(theorem, &["move=> a b P p0 /andP [ha hb]", "split", "by rewrite ha hb", "by exists 0"]));
}

#[test]
fn goals_of_every_kind_end_in_an_accepted_script() {
    let cases: &[(&str, &[&str])] = &[
        // Several goals at once.
        ("True /\\ (0 = 0 /\\ 1 = 1)", &["split; [ | split]", "exact I", "reflexivity", "reflexivity"]),
        // Coupled goals, then a goal that stands alone.
        ("exists n, n = 2 /\\ 1 = 1", &["eexists; split", "reflexivity", "reflexivity"]),
        ("exists x y : nat, x = 3 /\\ x <= y", &["do 2 eexists; split", "reflexivity", "apply le_n"]),
        // A goal for the witness itself.
        ("exists n, n = 2", &["unshelve eexists", "exact 2", "reflexivity"]),
        // A metavariable that is left on the shelf, and then found by unification.
        ("exists n, n = 2", &["refine (ex_intro _ _ _)", "reflexivity"]),
        // Several instances of one metavariable.
        (
            "exists f : nat -> nat, f 0 = 1 /\\ f 1 = 1",
            &["exists (fun _ => 1)", "split", "reflexivity", "reflexivity"],
        ),
        // An assertion within.
        ("1 = 1", &["assert (H : 2 = 2)", "reflexivity", "reflexivity"]),
        ("1 = 1", &["enough (H : 2 = 2)", "reflexivity", "reflexivity"]),
        // A transparent sub-proof.
        ("1 + 1 = 2", &["abstract reflexivity"]),
    ];
    for (statement, tactics) in cases {
        block_on(prove(with_header("", statement), tactics));
    }
}

#[test]
fn definitions_stay_usable() {
    // A `Definition` by tactics, an `Instance` and a `Fact` are stated like theorems.
    for keyword in ["Lemma", "Fact", "Corollary", "Definition", "Example", "Proposition", "Remark"] {
        let theorem = theorem(ROCQ, "t", &format!("{keyword} t : exists n : nat, n = 0."));
        block_on(prove(theorem, &["exists 0", "reflexivity"]));
    }
}

#[test]
fn large_goals_and_deep_terms() {
    let conjunction = vec!["0 = 0"; 300].join(" /\\ ");
    block_on(prove(with_header("", &conjunction), &["repeat split; reflexivity"]));
    let list = vec!["7"; 2000].join("; ");
    let theorem = with_header("Require Import List. Import ListNotations.", &format!("[{list}] <> []"));
    block_on(prove(theorem, &["intro H", "discriminate H"]));
    let deep = (0..300).fold("x".to_owned(), |term, _| format!("S ({term})"));
    let seen = block_on(async {
        let session = open(with_header("", &format!("forall x, {deep} = x + 300"))).await;
        let signatures = session.signatures(session.root());
        assert!(!signatures.textual, "the expression is complete");
        let Attempted::Applied { children, .. } = &*attempt(&session, session.root(), "intro x").await else {
            panic!("it can be introduced");
        };
        children[0].goals[0].target.text.clone()
    });
    assert!(seen.ends_with("= x + 300"), "{seen}");
    let hypotheses: Vec<String> = (0..150).map(|i| format!("forall a{i} : nat, a{i} = a{i} ->")).collect();
    block_on(prove(with_header("", &format!("{} True", hypotheses.join(" "))), &["intros; exact I"]));
}

#[test]
fn nothing_escapes_the_tactic() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("written").display().to_string();
    let redirect = format!("Redirect \"{file}\" Check nat");
    let escapes = [
        "idtac. Axiom bad : False. idtac",
        "idtac). Axiom bad : False. (idtac",
        "Axiom bad : False",
        "Abort",
        "Admitted",
        "Qed",
        "admit",
        "give_up",
        "1: auto",
        "all: auto",
        "par: auto",
        "[t]: auto",
        "{ auto",
        "}",
        "- auto",
        "Show",
        "Undo",
        "Restart",
        "Unshelve",
        "Focus 1",
        "Require Import Classical",
        "Set Printing All",
        "Unset Guard Checking",
        "Definition x := 1",
        "Reset Initial",
        "Cd \"/\"",
        "Drop",
        "Quit",
        "idtac (*",
        "idtac \"",
        "Timeout 100 auto",
        redirect.as_str(),
    ];
    block_on(async {
        let session = open(with_header("", "forall P : Prop, P")).await;
        for tactic in escapes {
            rejection(&session, tactic).await;
        }
        assert_eq!(session.counters().workers_lost, 0);
        assert!(!folder.path().join("written").exists());
        // What is left is as it was.
        assert!(matches!(&*attempt(&session, session.root(), "intro P").await, Attempted::Applied { .. }));
    });
}

#[test]
fn circular_proofs_are_rejected() {
    block_on(async {
        let session = open(with_header("", "forall n : nat, n = n + 1")).await;
        let message = rejection(&session, "fix IH 1; exact IH").await;
        assert!(message.contains("ill-formed") || message.contains("guard"), "{message}");
        rejection(&session, "cofix IH; exact IH").await;
    });
}

#[test]
fn errors_of_a_tactic_say_where() {
    block_on(async {
        let session = open(with_header("", "forall n : nat, n = n")).await;
        let message = rejection(&session, "intros n; rewrite nonsense").await;
        assert!(message.contains("nonsense"), "{message}");
        let message = rejection(&session, "intros n ; ; auto").await;
        assert!(message.contains("yntax error"), "{message}");
        let message = rejection(&session, "frobnicate").await;
        assert!(message.contains("frobnicate"), "{message}");
    });
}

#[test]
fn computations_without_end_are_interrupted_and_the_worker_kept() {
    block_on(async {
        let limits = Limits { tactic: Duration::from_millis(300), ..Limits::default() };
        let header = "Fixpoint slow (n : nat) : nat := match n with 0 => 0 | S m => slow m + slow m end.";
        let session = Session::open(rocq(), with_header(header, "slow 60 = 0"), limits).await.unwrap();
        for endless in ["vm_compute; reflexivity", "reflexivity", "repeat (pose proof I)", "cbv"] {
            let attempted = attempt(&session, session.root(), endless).await;
            assert!(matches!(&*attempted, Attempted::OverTime { .. }), "`{endless}`: {attempted:?}");
        }
        assert!(matches!(&*attempt(&session, session.root(), "idtac").await, Attempted::Applied { .. }));
        assert_eq!(session.counters().over_time, 4);
    });
}

#[test]
fn a_worker_out_of_memory_is_replaced() {
    block_on(async {
        let config = RocqConfig { max_memory: Some(400 << 20), ..RocqConfig::default() };
        let limits = Limits { tactic: Duration::from_secs(60), ..Limits::default() };
        let environment = Arc::new(Rocq::new(config));
        let theorem = with_header("Require Import List.", "True");
        let session =
            Session::open(Workers::new(environment, Grouping::Coupled), theorem, limits).await.unwrap();
        let hungry = "let l := eval vm_compute in (repeat 0 (Nat.pow 2 24)) in pose (x := l)";
        let attempted = attempt(&session, session.root(), hungry).await;
        assert!(
            matches!(&*attempted, Attempted::Crashed { .. } | Attempted::Rejected { .. }),
            "{attempted:?}"
        );
        assert!(matches!(&*attempt(&session, session.root(), "exact I").await, Attempted::Applied { .. }));
    });
}

#[test]
fn a_header_that_rocq_refuses_is_named() {
    let refused =
        |theorem: Theorem| block_on(Session::open(rocq(), theorem, Limits::default())).err().unwrap();
    let error = refused(with_header("Require Import Nonsense.", "True")).to_string();
    assert!(error.contains("the header") && error.contains("Nonsense"), "{error}");
    let error = refused(with_header("", "forall x, undefined x")).to_string();
    assert!(error.contains("the statement") && error.contains("undefined"), "{error}");
    let error = refused(theorem(ROCQ, "t", "Definition t := 1.")).to_string();
    assert!(error.contains("statement"), "{error}");
    let error = refused(with_header("Lemma open : True.", "True")).to_string();
    assert!(error.contains("theorem `t`"), "{error}");
}

#[test]
fn signatures_see_through_names_and_notations() {
    block_on(async {
        let signatures = async |header: &str, statement: &str, tactic: &str| {
            let session = open(with_header(header, statement)).await;
            let Attempted::Applied { children, .. } = &*attempt(&session, session.root(), tactic).await
            else {
                panic!("`{tactic}` applies");
            };
            children[0].signatures
        };
        let one = signatures("", "forall n m : nat, n + m = m", "intros n m").await;
        let renamed = signatures("", "forall a b : nat, a + b = b", "intros a b").await;
        let swapped = signatures("", "forall a b : nat, b = b + a", "intros a b").await;
        let other = signatures("", "forall a b : nat, a + b = a", "intros a b").await;
        assert!(!one.textual);
        assert_eq!((one.coarse, one.strict), (renamed.coarse, renamed.strict));
        assert_eq!(one.coarse, swapped.coarse, "addition and equality commute");
        assert_ne!(one.strict, swapped.strict);
        assert_ne!(one.coarse, other.coarse);
    });
}
