//! Agents that prove theorems: with models whose behaviour is known, in `mini` and in Rocq.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{AgentConfig, AgentPreset, Config};
use andor_core::theorem::{System, Theorem};
use andor_engine::attempt::AttemptRequest;
use andor_engine::event::Event;
use andor_engine::interactive::Interactive;
use andor_engine::models::Acting;
use andor_engine::registry::{self, OwnParts};
use andor_model::request::Sampling;
use andor_model::{Choice, Model, Prices};
use andor_rollout::environment::{Call, Environment, Outcome as Said};
use andor_rollout::journal;
use andor_rollout::proof::{JOURNAL, Parts, Proof, Verdicts, attempt};
use andor_rollout::trajectory::{branch_pairs, trajectories};
use andor_rollout::{NodeId, VerifyResult};
use serde_json::{Value, json};

use crate::models::{Asked, calling, model};

const SWAP: &str = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p";

fn theorem(system: System, header: &str, statement: &str) -> Theorem {
    Theorem {
        id: "swap".to_owned(),
        name: "swap".to_owned(),
        system,
        header: header.to_owned(),
        statement: statement.to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    }
}

pub(crate) fn in_mini() -> Theorem {
    theorem(MINI, "", SWAP)
}

fn in_rocq() -> Theorem {
    theorem(ROCQ, "", "Theorem swap : forall p q : Prop, p /\\ q -> q /\\ p.")
}

fn acting(model: Arc<dyn Model>) -> Acting {
    Acting {
        model,
        server: None,
        sampling: Sampling { n: 1, ..Sampling::default() },
        prices: Prices::default(),
    }
}

pub(crate) fn config(agent: AgentConfig) -> Config {
    let agent = AgentConfig { model: "scripted".to_owned(), ..agent };
    let mut config = Config { agent: Some(agent), ..Config::default() };
    config.budget.time_s = None;
    config
}

async fn made(
    theorem: Theorem,
    config: Config,
    model: Arc<dyn Model>,
    folder: Option<PathBuf>,
) -> AttemptResult {
    made_by(theorem, config, acting(model), folder).await
}

pub(crate) async fn made_by(
    theorem: Theorem,
    config: Config,
    acting: Acting,
    folder: Option<PathBuf>,
) -> AttemptResult {
    let means = registry::means(theorem.system, &config, 1, &OwnParts::default()).unwrap();
    let request = AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory: folder };
    let mut sink = |_: &str, _: &Event| {};
    attempt(&request, &means, &acting, &mut sink).await.unwrap()
}

async fn proof(theorem: Theorem, config: Config) -> Proof {
    let means = registry::means(theorem.system, &config, 1, &OwnParts::default()).unwrap();
    let system = theorem.system;
    let open = Interactive::begin(Arc::clone(&means.workers), theorem, &config).await.unwrap();
    let filter = registry::tactic_filter(system, &config);
    let parts = Parts {
        config,
        provider: means.provider,
        ranker: None,
        latencies: means.latencies,
        filter,
        verdicts: Verdicts::default(),
    };
    Proof::new(open, Arc::new(parts))
}

async fn call(proof: &mut dyn Environment, tool: &str, arguments: Value) -> Said {
    let Value::Object(arguments) = arguments else { panic!() };
    proof.exec(Call { tool, arguments: &arguments, seed: 0, time: None }).await.unwrap()
}

async fn say(proof: &mut dyn Environment, tool: &str, arguments: Value) -> String {
    call(proof, tool, arguments).await.content
}

fn contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in: {text}");
    }
}

#[tokio::test]
async fn tools_show_try_commit_and_undo() {
    let mut proof = proof(in_mini(), Config::default()).await;
    contains(&say(&mut proof, "goals", json!({})).await, &["1 goal:", "h : p ∧ q", "⊢ q ∧ p"]);
    let tried = json!({ "tactics": ["constructor", "exact ⟨h.2, h.1⟩", "exact h", "reflexivity", "sorry"] });
    let said = say(&mut proof, "try", tried).await;
    contains(
        &said,
        &["1. `constructor` leaves 2 goals:", "2. `exact ⟨h.2, h.1⟩` closes the goal", "3. `exact h` fails:"],
    );
    contains(
        &said,
        &["4. `reflexivity` fails:", "hint:", "5. `sorry` fails:", "blocked", "Nothing was changed"],
    );
    // What failed here is told again.
    let said = say(&mut proof, "try", json!({ "tactics": ["exact h"] })).await;
    contains(
        &said,
        &["It failed in this state before.", "These failed in this state: `reflexivity`, `exact h`"],
    );
    let said = say(
        &mut proof,
        "commit",
        json!({ "tactics": ["constructor", "exact h.2", "exact h.2", "exact h.1"] }),
    )
    .await;
    contains(&said, &["`exact h.2` fails:", "2 of 4 tactics applied", "1 goal:", "⊢ p"]);
    contains(
        &say(&mut proof, "commit", json!({ "tactics": ["rfl"], "goal": 7 })).await,
        &["There is no goal 7: 1 goal."],
    );
    contains(&say(&mut proof, "submit", json!({})).await, &["The proof is not finished.", "⊢ p"]);
    contains(&say(&mut proof, "undo", json!({ "steps": 9 })).await, &["2 tactics taken back.", "⊢ q ∧ p"]);
    contains(&say(&mut proof, "undo", json!({})).await, &["nothing to undo"]);
    let done = call(&mut proof, "submit", json!({ "script": "constructor\nexact h.2\nexact h.1" })).await;
    contains(&done.content, &["3 tactics of the script applied.", "The judge accepts the proof."]);
    assert_eq!(done.stop, Some(andor_rollout::Stop::Submitted));
    let VerifyResult { terminal, valid, score, .. } = proof.verify().await.unwrap();
    assert_eq!((terminal, valid, score), (true, true, Some(1.0)));
}

#[tokio::test]
async fn closed_goals_and_searches_raise_the_score() {
    let config = Config::default();
    let open = theorem(MINI, "", "theorem swap (p q r : Prop) (h : p ∧ q) : (q ∧ p) ∧ r");
    let mut proof = proof(open, config).await;
    let score = |verdict: VerifyResult| verdict.score.unwrap();
    assert_eq!(score(proof.verify().await.unwrap()), 0.0);
    say(&mut proof, "commit", json!({ "tactics": ["constructor"] })).await;
    assert_eq!(score(proof.verify().await.unwrap()), 0.0, "a split alone is no progress");
    contains(&say(&mut proof, "finish", json!({})).await, &["1 goal closed.", "⊢ r"]);
    let finished = score(proof.verify().await.unwrap());
    assert!(finished > 0.4, "{finished}");
    let said = call(&mut proof, "search", json!({ "candidates": 3 })).await;
    contains(&said.content, &["No proof was found", "candidates", "a value of"]);
    assert!(score(proof.verify().await.unwrap()) >= finished);
    assert!(!proof.verify().await.unwrap().terminal);
}

#[tokio::test]
async fn a_search_closes_a_goal_and_applies_its_proof() {
    let mut proof = proof(in_mini(), Config::default()).await;
    contains(&say(&mut proof, "search", json!({})).await, &["The goal is proved", "No goals are left."]);
    assert!(proof.proof().n_steps() > 0);
    // Nobody submitted it; it is judged all the same.
    assert!(proof.verify().await.unwrap().terminal);
}

#[tokio::test]
async fn names_that_do_not_exist_are_corrected() {
    let open = theorem(ROCQ, "Require Import Arith.\n", "Theorem swap : forall n m : nat, n + m = m + n.");
    let mut proof = proof(open, Config::default()).await;
    contains(
        &say(&mut proof, "commit", json!({ "tactics": ["intros n m."] })).await,
        &["1 of 1 tactic applied"],
    );
    contains(&say(&mut proof, "lookup", json!({ "symbols": ["Nat.add"] })).await, &["Nat.add_comm"]);
    let said = say(&mut proof, "try", json!({ "tactics": ["apply Nat.add_com", "rw [Nat.add_comm]"] })).await;
    contains(&said, &["did you mean `Nat.add_comm`", "`rw [h]` is Lean"]);
}

#[tokio::test]
async fn a_fork_is_independent_and_a_restored_one_the_same() {
    for open in [in_mini(), in_rocq()] {
        let mut proof = proof(open.clone(), Config::default()).await;
        let tactics = match open.system.name() {
            "rocq" => ["intros p q h", "split"],
            _ => ["have k := h", "constructor"],
        };
        say(&mut proof, "commit", json!({ "tactics": tactics })).await;
        say(&mut proof, "try", json!({ "tactics": ["exact h"] })).await;
        let mut fork = proof.fork().await.unwrap();
        let before = proof.serialize().await.unwrap();
        say(&mut *fork, "finish", json!({})).await;
        assert_ne!(fork.serialize().await.unwrap(), before);
        assert_eq!(proof.serialize().await.unwrap(), before);
        // In a session of its own, as after a restart.
        let other = self::proof(open, Config::default()).await;
        for saved in [before, fork.serialize().await.unwrap()] {
            let mut restored = other.restore(&saved).await.unwrap();
            assert_eq!(restored.serialize().await.unwrap(), saved);
            restored.verify().await.unwrap();
        }
    }
}

/// Prints what a fork costs; asserts nothing about time.
#[tokio::test]
async fn what_a_fork_costs() {
    let mut proof = proof(in_rocq(), Config::default()).await;
    say(&mut proof, "commit", json!({ "tactics": ["intros p q h", "split"] })).await;
    let began = Instant::now();
    for _ in 0..1000 {
        std::hint::black_box(proof.fork().await.unwrap());
    }
    println!("a fork of a proof in Rocq: {:?}", began.elapsed() / 1000);
}

/// The calls of a model that first tries what fails, and goes right only after it was told so.
fn learner(asked: &Asked<'_>, right: &str) -> Choice {
    if asked.messages().iter().any(|message| message.content.contains("fails:")) {
        calling(&[("commit", &json!({ "tactics": [right] }).to_string())])
    } else {
        calling(&[("try", r#"{"tactics": ["exact nonsense"]}"#)])
    }
}

#[tokio::test]
async fn a_model_that_learns_from_feedback_proves_it() {
    for (open, right) in [(in_mini(), "exact ⟨h.2, h.1⟩"), (in_rocq(), "intros p q h; split; apply h")] {
        let system = open.system;
        let model = model("learner", move |asked| learner(asked, right));
        let folder = tempfile::tempdir().unwrap();
        let result = made(open, config(AgentConfig::default()), model, Some(folder.path().to_owned())).await;
        assert_eq!(result.outcome, Outcome::Accepted, "{system}: {result:#?}");
        assert!(result.verification_level >= Some(2), "{result:#?}");
        assert_eq!((result.proof.as_deref(), result.spent.model.requests), (Some(right), 2), "{system}");
        assert!(result.axioms.is_empty(), "{result:#?}");
        assert_eq!(result.preference_pairs.len(), 1, "{result:#?}");
        assert_eq!(result.preference_pairs[0].rejected, "exact nonsense");
        assert!(folder.path().join(andor_engine::attempt::proof_file(system)).exists());
        let tree = journal::read(&folder.path().join(JOURNAL)).unwrap().tree;
        let trajectories = trajectories(&tree).unwrap();
        assert_eq!(trajectories.len(), 1);
        let credits: Vec<f64> = trajectories[0].credits.iter().flatten().copied().collect();
        assert_eq!(credits, [2.0 / 3.0, 1.0]);
    }
}

#[tokio::test]
async fn a_model_that_goes_round_in_circles_is_stopped() {
    let model = model("loop", |_| calling(&[("goals", "{}")]));
    let agent = AgentConfig { max_turns: Some(5), ..AgentConfig::default() };
    let result = made(in_mini(), config(agent), model, None).await;
    assert_eq!((result.outcome, result.stop_reason.as_str()), (Outcome::NotProved, "exhausted"));
    assert_eq!((result.spent.nodes, result.spent.model.requests), (6, 5));
    let silent = self::model("silent", |_| Choice::of_text("I think."));
    let agent = AgentConfig { max_steps: Some(3), ..AgentConfig::default() };
    let result = made(in_mini(), config(agent), silent, None).await;
    assert_eq!((result.stop_reason.as_str(), result.spent.nodes), ("iterations", 4));
}

#[tokio::test]
async fn broken_calls_are_told_and_not_fatal() {
    let broken = [
        ("prove_it", "{}"),
        ("try", "{tactics"),
        ("try", r#"{"tactics": "rfl"}"#),
        ("commit", "{}"),
        ("try", r#"{"tactics": []}"#),
        ("commit", r#"{"tactics": ["rfl"], "goal": 0}"#),
        ("undo", r#"{"steps": -3}"#),
        ("search", r#"{"seconds": "many"}"#),
        ("lookup", r#"{"symbols": [7]}"#),
        ("commit", "[1]"),
    ];
    let model = model("broken", move |asked| {
        let turn =
            asked.messages().iter().filter(|m| m.role == andor_model::request::Role::Assistant).count();
        match broken.get(turn) {
            Some(call) => calling(&[*call]),
            None if turn == broken.len() => calling(&broken),
            None => calling(&[("submit", r#"{"script": "exact ⟨h.2, h.1⟩"}"#)]),
        }
    });
    let result = made(in_mini(), config(AgentConfig::default()), model, None).await;
    assert_eq!(result.outcome, Outcome::Accepted, "{result:#?}");
}

/// Each attempt to cheat, and what the cheater must be told at some point.
const CHEATS: &[(&str, &str)] = &[
    ("commit", r#"{"tactics": ["sorry"]}"#),
    ("commit", r#"{"tactics": ["admit"]}"#),
    ("commit", r#"{"tactics": ["exact sorry"]}"#),
    ("commit", r#"{"tactics": ["exact?"]}"#),
    ("commit", r#"{"tactics": ["trivial. Qed. Theorem swap : True"]}"#),
    ("commit", r#"{"tactics": ["exact I\n\naxiom cheat : False"]}"#),
    ("submit", r#"{"script": "sorry"}"#),
    ("submit", r#"{"script": "admit."}"#),
    ("submit", r#"{"script": "theorem swap : True := trivial"}"#),
    ("submit", r#"{"script": "Theorem swap : True. Proof. exact I. Qed."}"#),
    ("submit", r#"{"script": "axiom cheat : False\nexact cheat.elim"}"#),
    ("submit", r#"{"script": "Axiom cheat : False.\ndestruct cheat."}"#),
    ("submit", r#"{"script": "native_decide"}"#),
    ("submit", "{}"),
];

#[tokio::test]
async fn who_cheats_proves_nothing() {
    let falsehoods = [
        theorem(MINI, "", "theorem swap (p q : Prop) : p ∨ q"),
        theorem(ROCQ, "", "Theorem swap : forall p q : Prop, p \\/ q."),
    ];
    for open in falsehoods {
        let system = open.system;
        let model = model("cheater", |asked| {
            let turn =
                asked.messages().iter().filter(|m| m.role == andor_model::request::Role::Assistant).count();
            calling(&[CHEATS[turn % CHEATS.len()]])
        });
        let folder = tempfile::tempdir().unwrap();
        let agent = AgentConfig { max_turns: Some(CHEATS.len() as u32), ..AgentConfig::default() };
        let result = made(open, config(agent), model, Some(folder.path().to_owned())).await;
        assert_eq!(result.outcome, Outcome::NotProved, "{system}: {result:#?}");
        let tree = journal::read(&folder.path().join(JOURNAL)).unwrap().tree;
        assert_eq!((tree.len(), tree.solutions().count()), (CHEATS.len() + 1, 0));
        assert!(tree.nodes().all(|(_, node)| !node.verdict().terminal));
        // No cheat leaves a step behind that closes the goal.
        let last: NodeId = vec!["0"; CHEATS.len() + 1].join(".").parse().unwrap();
        let state = tree.node(tree.find(&last).unwrap()).state().unwrap();
        assert!(state["environment"]["verified"].is_null(), "{state}");
    }
}

#[tokio::test]
async fn the_judge_rejects_axioms_and_says_so() {
    let header = "Axiom bad : forall p : Prop, p.\n";
    let open = theorem(ROCQ, header, "Theorem swap : 1 = 2.");
    let model = model("axiom", |asked| match asked.told() {
        told if told.contains("The judge rejects") => calling(&[("undo", "{}")]),
        told if told.contains("taken back") => Choice::of_text("It cannot be proved."),
        _ => calling(&[("commit", r#"{"tactics": ["apply bad"]}"#), ("submit", "{}")]),
    });
    let agent = AgentConfig { max_turns: Some(3), ..AgentConfig::default() };
    let result = made(open, config(agent), model, None).await;
    assert_eq!((result.outcome, result.validated), (Outcome::AxiomNotAllowed, Some(false)), "{result:#?}");
    assert_eq!(result.rejected_claims.len(), 1);
    assert_eq!(result.rejected_claims[0].reason, "axiom");
}

#[tokio::test]
async fn a_subagent_proves_it_in_its_copy_and_tells_how() {
    let right = "exact ⟨h.2, h.1⟩";
    let commit = move || calling(&[("commit", &json!({ "tactics": [right] }).to_string())]);
    let model = model("delegating", move |asked| {
        let is_subagent = asked.messages().iter().any(|message| message.content == "Close it.");
        match asked.told() {
            told if told.contains("No goals are left") => calling(&[("submit", "{}")]),
            _ if is_subagent => commit(),
            told if told.contains("Its tactics are:") => {
                assert!(told.contains(right), "{told}");
                commit()
            }
            told => {
                assert!(!told.contains("The subagent"), "{told}");
                calling(&[("spawn_subagent", r#"{"subtask": "Close it."}"#)])
            }
        }
    });
    let agent = AgentConfig { subagents: Some(1), max_turns: Some(4), ..AgentConfig::default() };
    let result = made(in_mini(), config(agent), model, None).await;
    assert_eq!((result.outcome, result.spent.nodes), (Outcome::Accepted, 3), "{result:#?}");
    // Two turns of the subagent, and two of its own.
    assert_eq!(result.spent.model.requests, 4);
}

/// Acts by its seed: tactics that help, tactics that do not, undoing, and submitting when it is told to.
fn wanderer(asked: &Asked<'_>) -> Choice {
    if asked.told().contains("No goals are left") {
        return calling(&[("submit", "{}")]);
    }
    let tactics = ["constructor", "exact h.1", "exact h.2", "have k := h", "exact h", "cases h"];
    match asked.seed() % 8 {
        0 => calling(&[("undo", "{}")]),
        1 => calling(&[("try", &json!({ "tactics": tactics }).to_string())]),
        n => calling(&[("commit", &json!({ "tactics": [tactics[n as usize - 2]] }).to_string())]),
    }
}

fn presets() -> Vec<(AgentPreset, AgentConfig)> {
    let agent =
        |preset| AgentConfig { preset, max_steps: Some(12), parallel: Some(3), ..AgentConfig::default() };
    let beam = AgentConfig { branch: Some(3), width: Some(2), ..agent(AgentPreset::Beam) };
    let best = AgentConfig { branch: Some(2), ..agent(AgentPreset::BestFirst) };
    let all = [agent(AgentPreset::Linear), beam, best, agent(AgentPreset::Mcts)];
    all.into_iter().map(|agent| (agent.preset, agent)).collect()
}

#[tokio::test]
async fn a_search_that_is_cut_off_anywhere_ends_with_the_same_tree() {
    for (preset, agent) in presets() {
        for seed in [1, 2] {
            let config = Config { seed, ..config(agent.clone()) };
            let folder = tempfile::tempdir().unwrap();
            let run = |folder: &Path| {
                made(in_mini(), config.clone(), model("wanderer", wanderer), Some(folder.to_owned()))
            };
            let whole = run(folder.path()).await;
            let journal = fs_err::read(folder.path().join(JOURNAL)).unwrap();
            for part in 0..=7 {
                let cut = tempfile::tempdir().unwrap();
                let kept = &journal[..journal.len() * part / 7];
                fs_err::write(cut.path().join(JOURNAL), kept).unwrap();
                let resumed = run(cut.path()).await;
                let what = format!("{preset}, seed {seed}, {part} of 7");
                assert_eq!(resumed.tree_digest, whole.tree_digest, "{what}");
                assert_eq!((&resumed.outcome, &resumed.proof), (&whole.outcome, &whole.proof), "{what}");
                assert_eq!(resumed.spent.model.requests, whole.spent.model.requests, "{what}");
            }
        }
    }
}

#[tokio::test]
async fn searches_find_what_a_single_branch_does_not() {
    let mut proved = Vec::new();
    for (preset, agent) in presets() {
        let folder = tempfile::tempdir().unwrap();
        let config = Config { seed: 3, ..config(AgentConfig { max_steps: Some(200), ..agent }) };
        let result =
            made(in_mini(), config, model("wanderer", wanderer), Some(folder.path().to_owned())).await;
        proved.push((preset, result.outcome == Outcome::Accepted));
        let tree = journal::read(&folder.path().join(JOURNAL)).unwrap().tree;
        assert_eq!(tree.objection(), None);
        let pairs = branch_pairs(&tree).unwrap();
        assert!(pairs.iter().all(|pair| pair.chosen_value > pair.rejected_value));
        assert!(pairs.iter().all(|pair| pair.chosen != pair.rejected && !pair.prompt.is_empty()));
        assert_eq!(preset == AgentPreset::Linear, pairs.is_empty(), "{preset}");
    }
    assert!(
        proved.iter().filter(|(preset, _)| *preset != AgentPreset::Linear).all(|(_, proved)| *proved),
        "{proved:?}"
    );
}
