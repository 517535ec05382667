//! Scripts that are applied as far as they hold: proofs read back, unfinished proofs, broken drafts, drafts by a provider.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use andor_system_synthetic::SYNTHETIC;
use std::path::Path;
use std::sync::Arc;

use andor_artifact::files::read_lines;
use andor_artifact::graft::{GraftOrigin, GraftRecord};
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::trace::TraceEvent;
use andor_artifact::version::Kind;
use andor_config::{Config, Grouping, Identity, Level, Selection, VerifyConfig};
use andor_core::theorem::{System, Theorem};
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::graft::Given;
use andor_engine::registry;
use andor_env::environment::Environment;
use andor_env::outline::Place;
use andor_env::workers::Workers;
use andor_provider::contract::Provider;
use andor_provider::heuristic::Heuristic;
use andor_provider::scripted::Scripted;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_system_synthetic::Synthetic;
use andor_system_synthetic::SyntheticPolicy;
use andor_testkit::{block_on, theorem};
use tokio_util::sync::CancellationToken;

fn environment(system: System) -> Arc<dyn Environment> {
    match system.name() {
        "rocq" => Arc::new(Rocq::new(RocqConfig::default())),
        "synthetic" => Arc::new(Synthetic),
        _ => Arc::new(Mini::new(MiniConfig::default())),
    }
}

fn config() -> Config {
    let mut config = Config::default();
    config.verify = VerifyConfig { level: Level::Compiled, ..config.verify };
    config.budget.max_candidates = Some(3000);
    config
}

fn draft(script: &str) -> Given {
    Given { script: script.to_owned(), start: Place::START, origin: GraftOrigin::Draft, plan: Vec::new() }
}

fn partial(script: &str) -> Given {
    Given { origin: GraftOrigin::File, ..draft(script) }
}

/// An attempt that begins with a script, with its files in a folder.
fn attempt(
    theorem: &Theorem,
    config: &Config,
    provider: impl Provider + 'static,
    given: Option<Given>,
    folder: Option<&Path>,
) -> AttemptResult {
    let request = attempt::AttemptRequest {
        theorem: theorem.clone(),
        attempt: 1,
        role: Role::Configured,
        config: config.clone(),
        directory: folder.map(Path::to_owned),
    };
    let means = Means {
        workers: Workers::new(environment(theorem.system), config.search.obligation),
        provider: Arc::new(provider),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(config).unwrap(),
        cancel: CancellationToken::new(),
    };
    block_on(attempt::run_from(&request, &means, given, &mut |_: &str, _: &Event| {})).unwrap()
}

fn nobody() -> Scripted {
    Scripted::always(&[])
}

/// Grafts the proof of a result, and expects the same proof without any search.
fn read_back(theorem: &Theorem, config: &Config, result: &AttemptResult) {
    let source = result.source.as_deref().unwrap();
    let script = if theorem.system == SYNTHETIC { source.split_once('\n').unwrap().1 } else { source };
    let again = attempt(theorem, config, nobody(), Some(draft(script)), None);
    assert_eq!(again.outcome, Outcome::Accepted, "{source}\n{:#?}", again.grafts);
    // In Lean's syntax, a step of several tactics cannot be told from several steps.
    let is_one = |tactic: &str| theorem.system != MINI || !tactic.contains(['\n', ';']);
    if result.proof_steps.iter().all(|step| is_one(&step.tactic)) {
        assert_eq!(again.proof_digest, result.proof_digest, "{source}\n{}", again.source.unwrap());
    }
    assert_eq!((again.spent.iterations, again.grafts[0].cuts.len()), (0, 0), "{source}");
    assert!(again.proof_steps.iter().all(|step| step.graft == Some(0)));
}

const IN_MINI: &[&str] = &[
    "(p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ p",
    "(p q : Prop) (h : p ∨ q) : q ∨ p",
    "(p q r : Prop) : p ∧ (q ∨ r) → (p ∧ q) ∨ (p ∧ r)",
    "(n m : Nat) (h : n = m) : m + 0 = n",
    "(p : Nat → Prop) (h : p 3) : ∃ n, p n",
    "(p q : Prop) : ¬(p ∨ q) → ¬p ∧ ¬q",
    "(a b c : Nat) (h : a ≤ b) (k : b ≤ c) : a ≤ c",
    "(p q : Prop) (h : p ↔ q) (k : q) : p",
];

#[test]
fn proofs_of_mini_read_back_are_the_same_proofs() {
    for (policy, seed) in [(Selection::Puct, 0), (Selection::BlindUniform, 1), (Selection::BlindUniform, 2)] {
        for statement in IN_MINI {
            let theorem = theorem(MINI, "t", &format!("theorem t {statement}"));
            let mut config = config();
            (config.search.policy, config.seed) = (policy, seed);
            let result = attempt(&theorem, &config, Heuristic, None, None);
            assert_eq!(result.outcome, Outcome::Accepted, "{statement}, seed {seed}");
            read_back(&theorem, &config, &result);
        }
    }
}

#[test]
fn synthetic_proofs_read_back_are_the_same_proofs() {
    let mut proved = 0;
    for seed in 0..12 {
        for identity in [Identity::Checkpoint, Identity::Strict] {
            for obligation in [Grouping::Coupled, Grouping::Whole] {
                let theorem = theorem(SYNTHETIC, "t", &format!("easy {seed}"));
                let mut config = config();
                (config.search.identity, config.search.obligation) = (identity, obligation);
                let result = attempt(&theorem, &config, SyntheticPolicy { critic: false }, None, None);
                if result.outcome == Outcome::Accepted {
                    proved += 1;
                    read_back(&theorem, &config, &result);
                }
            }
        }
    }
    assert!(proved > 20, "{proved} proofs");
}

const IN_ROCQ: &[&str] = &[
    "forall p q : Prop, p -> q -> p /\\ (q /\\ p)",
    "forall (A : Type) (l m : list A), length (l ++ m) = length m + length l",
    "forall (P : nat -> Prop), P 3 -> exists n, P n /\\ n = n",
    "forall n m : nat, n = m -> m + 0 = n",
];

#[test]
fn proofs_of_rocq_read_back_are_the_same_proofs() {
    for statement in IN_ROCQ {
        let header = "Require Import List Lia.\n".to_owned();
        let stated = theorem(ROCQ, "t", &format!("Theorem t : {statement}."));
        let theorem = Theorem { header, ..stated };
        let result = attempt(&theorem, &config(), Heuristic, None, None);
        assert_eq!(result.outcome, Outcome::Accepted, "{statement}: {:?}", result.infrastructure_error);
        read_back(&theorem, &config(), &result);
    }
}

/// The steps of a proof by hand in the only graft, and what was cut off.
fn graft(result: &AttemptResult) -> &GraftRecord {
    assert_eq!(result.grafts.len(), 1);
    &result.grafts[0]
}

#[test]
fn only_the_holes_of_an_unfinished_proof_of_rocq_are_searched() {
    let theorem = theorem(ROCQ, "t", "Theorem t : forall p q r : Prop, p -> q -> r -> p /\\ q /\\ r.");
    let script = "\nProof.\n  intros p q r a b c. split.\n  - admit.\n  - split.\n    + (exact b).\n    + admit.\nAdmitted.";
    let folder = tempfile::tempdir().unwrap();
    let provider = Scripted::always(&["assumption", "intros"]);
    let result = attempt(&theorem, &config(), provider, Some(partial(script)), Some(folder.path()));
    assert_eq!(result.outcome, Outcome::Accepted, "{:?}", result.infrastructure_error);
    let record = graft(&result);
    assert_eq!((record.steps, record.holes, record.cuts.len(), record.origin), (4, 2, 0, GraftOrigin::File));
    let tactics: Vec<_> = result.proof_steps.iter().map(|s| (s.tactic.as_str(), s.graft)).collect();
    let expected = [
        ("intros p q r a b c", Some(0)),
        ("split", Some(0)),
        ("assumption", None),
        ("split", Some(0)),
        ("(exact b)", Some(0)),
        ("assumption", None),
    ];
    assert_eq!(tactics, expected);
    // The provider was asked at the holes alone.
    assert_eq!((result.spent.explored_nodes, result.spent.iterations), (2, 2));
    let trace = read_lines::<TraceEvent>(&folder.path().join("trace.jsonl"), Kind::Trace).unwrap();
    let grafted = trace.records.iter().filter(|record| matches!(record, TraceEvent::GraftStep(_))).count();
    assert_eq!(grafted, 4);
}

/// The goal above is left by the user's own steps alone, so that the same one below must not be refused as a cycle.
#[test]
fn a_hole_may_lead_to_a_goal_that_stands_above_it() {
    let theorem = theorem(MINI, "t", "theorem t (p r : Prop) (hp : p) (hr : r) : p ∧ r");
    let script = "by\n  constructor\n  · exact hp\n  · have h : r ∧ r := by sorry\n    exact h.1";
    let folder = tempfile::tempdir().unwrap();
    let provider = Scripted::always(&["constructor", "exact hr"]);
    let result = attempt(&theorem, &config(), provider, Some(partial(script)), Some(folder.path()));
    assert_eq!(result.outcome, Outcome::Accepted, "{:?}", result.stop_detail);
}

#[test]
fn goals_that_share_metavariables_are_followed_from_step_to_step() {
    let statement =
        "Theorem t : forall (P Q : nat -> Prop), P 3 -> Q 3 -> exists n, P n /\\ (Q n /\\ n = 3).";
    let theorem = theorem(ROCQ, "t", statement);
    for (script, steps, cuts) in [
        // The goals of `split` share the number. The first one fixes it.
        ("intros P Q a b. eexists. split. - exact a. - split. + exact b. + reflexivity.", 7, 0),
        ("intros P Q a b. eexists. split. exact a. split. exact b. reflexivity.", 7, 0),
        // The second one is not tried before the first.
        ("intros P Q a b. eexists. split. - admit. - split. + exact b.", 3, 1),
        ("intros P Q a b. eexists. split. 2: { split. } exact a.", 4, 1),
    ] {
        let result = attempt(&theorem, &config(), nobody(), Some(draft(script)), None);
        let record = graft(&result);
        assert_eq!((record.steps, record.cuts.len()), (steps, cuts), "{script}: {record:#?}");
        assert_eq!(result.outcome == Outcome::Accepted, cuts == 0, "{script}");
        let error = "its goal shares metavariables with an open goal before it";
        assert!(record.cuts.iter().all(|cut| cut.error == error), "{record:#?}");
    }
}

#[test]
fn what_fails_is_cut_off_and_every_other_case_is_kept() {
    let theorem = theorem(ROCQ, "t", "Theorem t : forall p q r : Prop, p -> q -> r -> p /\\ q /\\ r.");
    let script = "intros p q r a b c.\nsplit.\n- nonsense.\n  exact a.\n- split.\n  + exact b.\n  + exact b. exact c.\n- exact c.\n";
    let result = attempt(&theorem, &config(), nobody(), Some(draft(script)), None);
    let record = graft(&result);
    assert_eq!(record.steps, 4, "{record:#?}");
    let cuts: Vec<_> = record.cuts.iter().map(|c| (c.line, c.column, c.tactic.as_deref())).collect();
    assert_eq!(cuts, [(3, 3, Some("nonsense")), (7, 5, Some("exact b")), (8, 1, None)]);
    assert!(record.cuts[0].error.contains("nonsense was not found"), "{record:#?}");
    assert!(record.cuts[1].error.contains("has type \"q\""), "{record:#?}");
    assert_eq!(record.cuts[2].error, "no goal is left for this block");
    assert!(record.cuts[0].mvar_id.is_some() && record.cuts[2].mvar_id.is_none());
}

#[test]
fn tactics_that_change_nothing_are_no_steps() {
    let theorem = theorem(ROCQ, "t", "Theorem t : forall p : Prop, p -> p /\\ True.");
    let script = "intros p h. idtac. split. all: idtac. - simpl. exact h. - exact I.";
    for identity in [Identity::Checkpoint, Identity::Strict] {
        let mut config = config();
        config.search.identity = identity;
        let result = attempt(&theorem, &config, nobody(), Some(draft(script)), None);
        assert_eq!(result.outcome, Outcome::Accepted);
        let record = graft(&result);
        assert_eq!((record.steps, record.known, record.cuts.len()), (4, 4, 0), "{record:#?}");
    }
}

#[test]
fn a_script_is_no_way_around_the_screen() {
    let theorem = theorem(ROCQ, "t", "Theorem t : True /\\ False.");
    for script in [
        "split. exact I. give_up; idtac.",
        "Axiom x : False. destruct x.",
        "split. exact I. all: admit. Qed.",
        "Qed. exact I.",
    ] {
        let result = attempt(&theorem, &config(), nobody(), Some(draft(script)), None);
        // Where nothing of it can be tried, the attempt has failed.
        assert!(matches!(result.outcome, Outcome::NotProved | Outcome::InfrastructureError), "{script}");
        assert!(result.rejected_claims.is_empty(), "{script}");
    }
    let theorem = self::theorem(MINI, "t", "theorem t : True ∧ False");
    for script in ["constructor\n· trivial\n· sorry", "exact ⟨trivial, sorry⟩", "exact sorryAx _ true"]
    {
        let result = attempt(&theorem, &config(), nobody(), Some(draft(script)), None);
        assert!(matches!(result.outcome, Outcome::NotProved | Outcome::InfrastructureError), "{script}");
        assert!(result.rejected_claims.is_empty(), "{script}");
    }
}

#[test]
fn an_unfinished_proof_of_mini_is_filled() {
    let statement = "theorem t (p q : Prop) (h : p ∨ q) (k : p → q) : q ∧ (q ∨ p)";
    let theorem = theorem(MINI, "t", statement);
    for (script, steps, holes) in [
        (
            ":= by\n  constructor\n  · cases h with\n    | inl a => sorry\n    | inr b => exact b\n  · sorry",
            3,
            2,
        ),
        (
            ":= by\n  have c : q := by\n    cases h with\n    | inl a => exact k a\n    | inr b => sorry\n  exact ⟨c, sorry⟩",
            4,
            2,
        ),
        (":= ⟨sorry, sorry⟩", 1, 2),
    ] {
        let result = attempt(&theorem, &config(), Heuristic, Some(partial(script)), None);
        assert_eq!(result.outcome, Outcome::Accepted, "{script}: {result:#?}");
        let record = graft(&result);
        assert_eq!(
            (record.steps, record.holes, record.cuts.len()),
            (steps, holes, 0),
            "{script}: {record:#?}"
        );
    }
}

#[test]
fn a_tactic_with_a_failing_proof_in_it_is_taken_apart() {
    let theorem = theorem(MINI, "t", "theorem t (p q : Prop) (h : p ∨ q) : q ∨ p");
    let script = "cases h with\n| inl a =>\n  right\n  exact a\n| inr b =>\n  right\n  exact b";
    let result = attempt(&theorem, &config(), nobody(), Some(draft(script)), None);
    let record = graft(&result);
    assert_eq!((record.steps, record.cuts.len(), record.cuts[0].line), (4, 1, 7), "{record:#?}");
    assert_eq!(record.cuts[0].tactic.as_deref(), Some("exact b"));
}

#[test]
fn a_draft_leaves_other_ways_open_and_an_unfinished_proof_does_not() {
    // `left` was the wrong choice.
    let theorem = theorem(MINI, "t", "theorem t (p q : Prop) (h : q) : p ∨ q");
    let provider = || Scripted::always(&["right", "assumption"]);
    let result = attempt(&theorem, &config(), provider(), Some(draft("left")), None);
    assert_eq!(result.outcome, Outcome::Accepted);
    let result = attempt(&theorem, &config(), provider(), Some(partial(":= by\n  left\n  sorry")), None);
    assert_eq!((result.outcome, result.stop_reason.as_str()), (Outcome::NotProved, "exhausted"));
}

const DRAFTS: &str = r#"{"rules": [{"tactics": [{"tactic": "assumption", "log_prior": -1}]}], "drafts": [
    {"when": "∧", "script": "constructor\n· exact hp\n· exact nothing"},
    {"when": "∧", "after_error": "nothing", "script": "constructor\n· exact hp\n· constructor\n  · exact hq\n  · exact hp"}
]}"#;

#[test]
fn the_error_of_a_draft_goes_into_the_request_for_the_next() {
    let theorem = theorem(MINI, "t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ p");
    let read = |text: &str| Scripted::read(text, Path::new("drafts.json")).unwrap();
    let mut config = config();
    config.drafts.share = 0.7;
    let result = attempt(&theorem, &config, read(DRAFTS), None, None);
    assert_eq!(result.outcome, Outcome::Accepted, "{:#?}", result.grafts);
    let [first, second] = &result.grafts[..] else { panic!("{:#?}", result.grafts) };
    assert_eq!((first.steps, first.known, first.cuts.len(), first.cuts[0].line), (2, 0, 1, 3));
    // What held of the first draft is not tried again.
    assert_eq!((second.steps, second.known, second.cuts.len()), (3, 2, 0));
    assert_eq!(second.provider_id.as_deref(), Some("scripted"));
    let origins: Vec<_> = result.proof_steps.iter().map(|step| step.graft).collect();
    assert_eq!(origins, [Some(0), Some(0), Some(1), Some(1), Some(1)]);
    // Without a share no draft is requested, and the provider's tactics do not suffice.
    config.drafts.share = 0.0;
    assert_eq!(attempt(&theorem, &config, read(DRAFTS), None, None).outcome, Outcome::NotProved);
}

#[test]
fn the_error_of_a_draft_is_told_where_it_was_cut_off() {
    // After the root, a draft is requested only for the goal that is left.
    let drafts = r#"{"drafts": [
        {"when": "∧", "script": "constructor\n· exact hp\n· exact nothing"},
        {"after_error": "nothing", "script": "exact hq"}
    ]}"#;
    let theorem = theorem(MINI, "t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q");
    let mut config = config();
    config.drafts.share = 0.5;
    let provider = Scripted::read(drafts, Path::new("drafts.json")).unwrap();
    let result = attempt(&theorem, &config, provider, None, None);
    assert_eq!(result.outcome, Outcome::Accepted, "{:#?}", result.grafts);
    let origins: Vec<_> = result.proof_steps.iter().map(|s| (s.tactic.as_str(), s.graft)).collect();
    assert_eq!(origins, [("constructor", Some(0)), ("exact hp", Some(0)), ("exact hq", Some(1))]);
    assert_ne!(result.grafts[1].mvar_id, result.grafts[0].mvar_id);
}

#[test]
fn equal_searches_with_drafts_write_equal_traces() {
    let theorem = theorem(MINI, "t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ p");
    let trace = || {
        let folder = tempfile::tempdir().unwrap();
        let provider = Scripted::read(DRAFTS, Path::new("drafts.json")).unwrap();
        let mut config = config();
        config.drafts.share = 0.4;
        attempt(&theorem, &config, provider, Some(draft("constructor")), Some(folder.path()));
        fs_err::read_to_string(folder.path().join("trace.jsonl")).unwrap()
    };
    assert_eq!(trace(), trace());
}

#[test]
fn an_interactive_proof_begins_with_a_script() {
    use andor_engine::interactive::Interactive;
    use andor_engine::registry::OwnParts;
    let theorem = theorem(MINI, "t", "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q ∧ p");
    block_on(async {
        let mut proof = Interactive::open(&theorem, &config(), &OwnParts::default()).await.unwrap();
        let given = draft("constructor\n· exact hq\n· constructor\n  · exact hq\n  · sorry");
        let grafted = proof.graft(&given).await.unwrap();
        assert_eq!((grafted.holes.len(), grafted.cuts.len(), proof.n_steps()), (1, 1, 3));
        let targets: Vec<String> = proof.goals().iter().map(|goal| goal.target.text.clone()).collect();
        assert_eq!(targets, ["p", "p"]);
        for _ in 0..2 {
            proof.apply("exact hp").await.unwrap().unwrap();
        }
        assert!(proof.goals().is_empty() && proof.source().contains("exact hq"), "{}", proof.source());
        assert!(proof.undo() && proof.goals().len() == 1);
    });
}
