//! Blueprints of Rocq and Lean 4, and false lemmas in them.

use std::sync::Arc;

use andor_artifact::blueprint::NodeState;
use andor_artifact::result::Outcome;
use andor_config::{Level, VerifyConfig};
use andor_engine::registry::OwnParts;
use andor_run::orchestrate::RunRequest;

use super::{config, request, run, state};

const ROCQ: &str = r#"
system = "rocq"
header = "Require Import Arith."
[[nodes]]
name = "gauss"
kind = "theorem"
statement = "forall n : nat, 2 * sum n = n * S n"
uses = ["sum_step", "twice_step"]
draft = "intros n. induction n as [|n IH].\n- reflexivity.\n- rewrite sum_step. apply twice_step. exact IH."
[[nodes]]
name = "sum"
definition = "Fixpoint sum (n : nat) : nat := match n with 0 => 0 | S m => S m + sum m end."
[[nodes]]
name = "sum_step"
statement = "Lemma sum_step n : sum (S n) = S n + sum n."
uses = ["sum"]
[[nodes]]
name = "twice_step"
statement = "forall n s : nat, 2 * s = n * S n -> 2 * (S n + s) = S n * S (S n)"
[[nodes]]
name = "wrong"
statement = "Lemma wrong (n : nat) : sum n = S n."
uses = ["sum"]
[[nodes]]
name = "after_wrong"
statement = "sum 7 = 8"
uses = ["wrong"]
"#;

#[test]
fn a_blueprint_of_rocq_is_proved_and_its_false_lemma_disproved() {
    let mut config = config();
    config.verify = VerifyConfig { level: Level::Rechecked, ..config.verify };
    config.budget.max_candidates = Some(200);
    let folder = tempfile::tempdir().unwrap();
    let made = run(&RunRequest { jobs: 2, ..request(config, Some(folder.path())) }, ROCQ);
    for (name, expected) in [
        ("sum", NodeState::Defined),
        ("sum_step", NodeState::FullyProved),
        ("twice_step", NodeState::FullyProved),
        ("gauss", NodeState::FullyProved),
        ("wrong", NodeState::Disproved),
        ("after_wrong", NodeState::Blocked),
    ] {
        assert_eq!(state(&made, name), expected, "{name}: {:?}", made.record);
    }
    let whole = made.record.whole.as_ref().unwrap();
    assert_eq!((whole.accepted, whole.verification_level, whole.axioms.len()), (true, Some(3), 0));
    let wrong = made.record.nodes.iter().find(|node| node.node.name == "wrong").unwrap();
    let proof = wrong.disproof.as_ref().unwrap();
    assert!(proof.contains("Theorem not_wrong : ~ (forall (n : nat), sum n = S n)."), "{proof}");
    let blocked = made.record.nodes.iter().find(|node| node.node.name == "after_wrong").unwrap();
    assert_eq!(blocked.detail.as_deref(), Some("it needs wrong"));
    assert!(made.results.iter().any(|r| r.theorem == "wrong#disproof" && r.outcome == Outcome::Accepted));
    let text = fs_err::read_to_string(folder.path().join("blueprint.v")).unwrap();
    assert!(text.contains("gauss") && !text.contains("wrong"), "{text}");
}

#[test]
fn a_blueprint_of_lean_is_proved_in_its_namespace() {
    let text = r#"
        system = "lean4"
        header = "namespace Space\nvariable (m : Nat)"
        [[nodes]]
        name = "twice"
        definition = "def twice (n : Nat) : Nat := n + n"
        [[nodes]]
        name = "twice_one"
        statement = "twice 1 = 2"
        uses = ["twice"]
        [[nodes]]
        name = "top"
        kind = "theorem"
        statement = "theorem top (h : m = 1) : twice m = 2"
        uses = ["twice_one"]
        proof = "subst h\nexact twice_one"
        [[nodes]]
        name = "wrong"
        statement = "twice 1 = 1"
        uses = ["twice"]
    "#;
    let own =
        OwnParts { environments: vec![Arc::new(andor_testkit::lean::environment())], ..OwnParts::default() };
    let made = run(&RunRequest { own, ..request(config(), None) }, text);
    for (name, expected) in [
        ("twice_one", NodeState::FullyProved),
        ("top", NodeState::FullyProved),
        // Its negation is proved beside a variable.
        ("wrong", NodeState::NotProved),
    ] {
        assert_eq!(state(&made, name), expected, "{name}: {:?}", made.record);
    }
    let whole = made.record.whole.as_ref().unwrap();
    assert_eq!((whole.accepted, whole.verification_level), (true, Some(2)));
}
