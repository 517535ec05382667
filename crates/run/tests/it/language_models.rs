//! Theorems proved by nothing but what a real server of language models proposes; such runs recorded, and repeated without
//! the server.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use andor_artifact::result::{AttemptResult, Outcome};
use andor_config::{Clock, Config, LlmConfig, Preset, ProviderConfig};
use andor_core::theorem::System;
use andor_dataset::{self as dataset, Problem};
use andor_engine::event::Event;
use andor_run::folder::RunFolder;
use andor_run::orchestrate::{RunError, RunRequest, run};
use andor_run::store::Store;
use andor_testkit::bigram;
use andor_testkit::block_on;
use andor_testkit::llama::{Llama, Options};
use andor_testkit::peer::{Peer, Reply};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// After the `:` that a prompt ends in, these tactics have these probabilities.
const TACTICS: &[(&str, f64)] = &[
    ("constructor", 0.15),
    ("exact hp", 0.1),
    ("exact hq", 0.1),
    ("assumption", 0.05),
    ("intros n", 0.2),
    ("induction n as [|n IH]", 0.1),
    ("reflexivity", 0.1),
    ("simpl; rewrite IH; reflexivity", 0.1),
    ("no such tactic", 0.1),
];

fn problems() -> Vec<Problem> {
    let mini = "theorem both (p q : Prop) (hp : p) (hq : q) : (p ∧ q) ∧ p";
    let rocq = "Theorem right_unit : forall n : nat, n + 0 = n.";
    vec![dataset::from_statement(MINI, mini, &[]).unwrap(), dataset::from_statement(ROCQ, rocq, &[]).unwrap()]
}

fn request(config: Config, out: &Path) -> RunRequest {
    RunRequest { out: Some(out.to_owned()), ..RunRequest::new(problems(), config) }
}

async fn results(request: &RunRequest) -> Result<Vec<AttemptResult>, RunError> {
    let sink = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    run(request, &CancellationToken::new(), sink).await
}

fn config(model: &Llama, clock: Clock, inflight: u32) -> Config {
    let mut config = Preset::BestFirst.config();
    config.seed = 11;
    config.clock = clock;
    config.budget.time_s = Some(120.0);
    config.budget.max_candidates = Some(3000);
    config.workers.workers = inflight as usize;
    config.distributed_mcts.inflight = Some(inflight);
    config.providers = vec![ProviderConfig::Llm { model: model.url.clone() }];
    config.llm =
        LlmConfig { record: true, n: Some(16), temperature: Some(1.0), max_tokens: Some(8), ..config.llm };
    config
}

/// A trace without what tells the two searches apart: real time, and the configuration of the providers.
fn comparable(folder: &Path, theorem: &str, with_times: bool) -> Vec<Value> {
    fn without_times(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                fields.remove("timestamp_ms");
                fields.values_mut().for_each(without_times);
            }
            Value::Array(items) => items.iter_mut().for_each(without_times),
            _ => {}
        }
    }
    let file = RunFolder::read(folder).unwrap().attempt(theorem, 1).join("trace.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut lines: Vec<Value> = lines.collect();
    for line in &mut lines {
        if let Some(start) = line.as_object_mut() {
            start.remove("config");
        }
        if !with_times {
            without_times(line);
        }
    }
    lines
}

#[test]
fn a_search_with_a_model_is_repeated_from_its_record_without_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let gguf = folder.path().join("bigram.gguf");
    bigram::write(&gguf, &[(b':', TACTICS)]).unwrap();
    block_on(async {
        for (clock, inflight) in [(Clock::Virtual, 1), (Clock::Wall, 3)] {
            let server = Llama::start(&gguf, &Options::default()).await;
            let (recorded, repeated) = (
                folder.path().join(format!("recorded-{inflight}")),
                folder.path().join(format!("repeated-{inflight}")),
            );
            let config = config(&server, clock, inflight);
            let first = results(&request(config.clone(), &recorded)).await.unwrap();
            server.kill().await;
            for result in &first {
                assert_eq!(result.outcome, Outcome::Accepted, "{}: {result:?}", result.theorem);
                let model = &result.spent.model;
                assert!(
                    model.requests > 0 && model.prompt_tokens > 0 && model.completion_tokens > 0,
                    "{model:?}"
                );
            }

            let replay = ProviderConfig::Replay { run: recorded.clone() };
            let llm = LlmConfig::default();
            let config = Config { providers: vec![replay], llm, ..config };
            let second = results(&request(config, &repeated)).await.unwrap();
            for (first, second) in first.iter().zip(&second) {
                assert_eq!(first.tree_digest, second.tree_digest, "{}", first.theorem);
                assert_eq!(first.proof, second.proof);
                assert_eq!(first.spent.candidates, second.spent.candidates);
                let with_times = clock == Clock::Virtual;
                let trace = |run: &Path| comparable(run, &first.theorem, with_times);
                assert_eq!(trace(&recorded), trace(&repeated), "{}", first.theorem);
            }
        }
    });
}

/// A theorem in whose middle something has to be found, what a model proposes for it, and its plans: a wrong one, and the
/// one that it answers when it is told so.
struct Roles {
    system: System,
    theorem: &'static str,
    tactics: &'static [(&'static str, f64)],
    wrong: &'static str,
    right: &'static str,
}

const ROLES: &[Roles] = &[
    Roles {
        system: MINI,
        theorem: "theorem t (f : Nat → Nat) (n : Nat) (h : ∀ n, f n = 0) : f n = f 0",
        tactics: &[
            ("exact h n", 0.25),
            ("exact h 0", 0.25),
            ("exact Eq.trans h1 (Eq.symm h2)", 0.25),
            ("have useless : 0 = 0 := rfl", 0.25),
        ],
        wrong: "have h1 : f n = 0\nhave h2 : f zero = 0",
        right: "have h1 : f n = 0\nhave h2 : f 0 = 0",
    },
    Roles {
        system: ROCQ,
        theorem: "Theorem t (f : nat -> nat) (n : nat) (h : forall m, f m = 0) : f n = f 0.",
        tactics: &[
            ("exact (h n)", 0.25),
            ("exact (h 0)", 0.25),
            ("exact (eq_trans H1 (eq_sym H2))", 0.25),
            ("pose proof (eq_refl 0)", 0.25),
        ],
        wrong: "assert (H1 : f n = 0).\nassert (H2 : f zero = 0).",
        right: "assert (H1 : f n = 0).\nassert (H2 : f 0 = 0).",
    },
];

#[test]
fn one_server_plans_and_proves() {
    let folder = tempfile::tempdir().unwrap();
    for Roles { system, theorem, tactics, wrong, right } in ROLES {
        let gguf = folder.path().join(format!("{system}.gguf"));
        // A prompt of the prover ends in a colon. That of the planner ends in the state, in a block of code, and in a
        // sentence if its last plan was wrong.
        let tables = [(b':', *tactics), (b'`', &[(*wrong, 1.0)][..]), (b'.', &[(*right, 1.0)][..])];
        bigram::write(&gguf, &tables).unwrap();
        block_on(async {
            // A byte of a prompt is a token of this model.
            let options = Options { slots: 2, context: 1 << 15, ..Options::default() };
            let server = Llama::start(&gguf, &options).await;
            let attempt = async |planner: Option<String>| {
                let mut config = config(&server, Clock::Virtual, 1);
                config.budget.max_iterations = Some(60);
                config.search = Preset::Mcts.config().search;
                config.llm.record = false;
                config.plan.planner = planner;
                let problems = vec![dataset::from_statement(*system, theorem, &[]).unwrap()];
                results(&RunRequest::new(problems, config)).await.unwrap().remove(0)
            };
            let alone = attempt(None).await;
            assert_eq!(alone.outcome, Outcome::NotProved, "{alone:#?}");
            let planned = attempt(Some(server.url.clone())).await;
            assert_eq!(planned.outcome, Outcome::Accepted, "{planned:#?}");
            let planning = planned.planning.unwrap();
            let tries = &planning.tries[..];
            assert_eq!((tries.len(), tries[0].faulty.len(), tries[1].faulty.len()), (2, 1, 0), "{tries:#?}");
            assert!(planning.model.completion_tokens > 0, "{planning:#?}");
            let plan = planned.plan.unwrap();
            assert_eq!((plan.steps.len(), plan.progress), (2, 2), "{plan:#?}");
            let source = planned.source.unwrap();
            assert!(!source.contains("sorry") && !source.contains("admit"), "{source}");
        });
    }
}

#[test]
fn attempts_differ_and_each_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let gguf = folder.path().join("bigram.gguf");
    bigram::write(&gguf, &[(b':', TACTICS)]).unwrap();
    block_on(async {
        let server = Llama::start(&gguf, &Options::default()).await;
        let mut digests = Vec::new();
        for name in ["a", "b"] {
            let mut config = config(&server, Clock::Virtual, 1);
            config.llm.n = Some(2);
            let mut request = request(config, &folder.path().join(name));
            request.problems.truncate(1);
            request.config.basin.seeds = Some(4);
            let results = results(&request).await.unwrap();
            digests.push(results.into_iter().map(|r| r.tree_digest.unwrap()).collect::<Vec<_>>());
        }
        assert_eq!(digests[0], digests[1]);
        let mut distinct = digests[0].clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert!(distinct.len() > 1, "{digests:?}");
    });
}

/// The key is withdrawn at the first request of the search: twenty theorems do not fail one by one.
#[test]
fn a_run_ends_when_its_model_is_gone() {
    let gone = AtomicBool::new(false);
    let (error, stored) = block_on(async {
        let peer = Peer::start(move |r, _| {
            let is_search = r.body["prompt"].as_str().is_some_and(|prompt| prompt.contains('⊢'));
            if gone.fetch_or(is_search, Ordering::Relaxed) || is_search {
                return Reply::Json(401, json!({ "error": { "message": "the key has expired" } }));
            }
            match r.line.as_str() {
                "GET /v1/models" => Reply::Json(200, json!({ "data": [{ "id": "m" }] })),
                _ => Reply::Json(200, json!({ "choices": [{ "text": "trivial", "finish_reason": "stop" }] })),
            }
        })
        .await;
        let folder = tempfile::tempdir().unwrap();
        let mut config = Preset::BestFirst.config();
        config.providers = vec![ProviderConfig::Llm { model: peer.url.clone() }];
        let out = folder.path().join("out");
        let of = |n| dataset::from_statement(MINI, &format!("theorem t{n} : {n} = {n}"), &[]).unwrap();
        let problems = (0..20).map(of).collect();
        let request = RunRequest { out: Some(out.clone()), ..RunRequest::new(problems, config) };
        let error = results(&request).await.unwrap_err().to_string();
        (error, Store::open(&out.join("run.db")).unwrap().results().unwrap())
    });
    assert!(error.contains("refuses the API key"), "{error}");
    assert_eq!(stored.len(), 4);
    assert!(stored.iter().all(|result| result.outcome == Outcome::InfrastructureError));
}

/// The attempt at a theorem whose model answers once, and then in this way only.
fn after_the_first_answer(then: fn() -> Reply) -> AttemptResult {
    let answered = AtomicBool::new(false);
    block_on(async {
        let peer = Peer::start(move |r, _| {
            let is_search = r.body["prompt"].as_str().is_some_and(|prompt| prompt.contains('⊢'));
            if is_search && answered.fetch_or(true, Ordering::Relaxed) {
                return then();
            }
            match r.line.as_str() {
                "GET /v1/models" => Reply::Json(200, json!({ "data": [{ "id": "m" }] })),
                _ => Reply::Json(
                    200,
                    json!({ "choices": [{ "text": "constructor", "finish_reason": "stop" }] }),
                ),
            }
        })
        .await;
        let folder = tempfile::tempdir().unwrap();
        let mut config = Preset::BestFirst.config();
        let mut model = andor_config::ModelConfig { base_url: peer.url.clone(), ..Default::default() };
        model.retries.pause_s = 0.05;
        model.sampling.n = 1;
        config.models.insert("m".to_owned(), model);
        config.providers = vec![ProviderConfig::Llm { model: "m".to_owned() }];
        config.budget.time_s = Some(3.0);
        let both = "theorem both (p q : Prop) (hp : p) (hq : q) : (p ∧ q) ∧ p";
        let problems = vec![dataset::from_statement(MINI, both, &[]).unwrap()];
        let out = folder.path().join("out");
        let request = RunRequest { out: Some(out), ..RunRequest::new(problems, config) };
        results(&request).await.unwrap().remove(0)
    })
}

#[test]
fn an_attempt_that_ends_while_its_model_fails_or_hangs_has_failed() {
    let fails = || Reply::Json(503, json!({ "error": { "message": "no capacity" } }));
    for (found, expected) in [
        (after_the_first_answer(fails), "was asked again and again"),
        (after_the_first_answer(|| Reply::Silence), "had not answered for"),
    ] {
        assert_eq!(found.outcome, Outcome::InfrastructureError, "{found:?}");
        let message = found.infrastructure_error.unwrap();
        assert!(message.contains(&format!("the time was up while the model `m` {expected}")), "{message}");
    }
}

#[test]
fn limits_on_tokens_need_a_server_that_counts_them() {
    let error = block_on(async {
        let peer = Peer::start(|r, _| match r.line.as_str() {
            "GET /v1/models" => Reply::Json(200, json!({ "data": [{ "id": "m" }] })),
            _ => Reply::Json(200, json!({ "choices": [{ "text": "intro", "finish_reason": "stop" }] })),
        })
        .await;
        let folder = tempfile::tempdir().unwrap();
        let mut config = Preset::BestFirst.config();
        config.providers = vec![ProviderConfig::Llm { model: peer.url.clone() }];
        config.budget.max_tokens_total = Some(50);
        results(&request(config, &folder.path().join("out"))).await.unwrap_err().to_string()
    });
    assert!(
        error.contains("--max-tokens-total") && error.contains("does not state how many tokens"),
        "{error}"
    );
}

#[test]
fn a_server_that_is_not_there_is_an_error_before_the_first_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Preset::BestFirst.config();
    config.providers = vec![ProviderConfig::Llm { model: "small".to_owned() }];
    let mut model =
        andor_config::ModelConfig { base_url: "http://127.0.0.1:9/v1".to_owned(), ..Default::default() };
    model.timeouts.wait_s = 0.05;
    model.timeouts.ready_poll_s = 0.01;
    config.models.insert("small".to_owned(), model);
    let error = block_on(results(&request(config, &folder.path().join("out")))).unwrap_err().to_string();
    assert!(error.contains("not ready") && error.contains("http://127.0.0.1:9/v1"), "{error}");
}

#[test]
fn a_run_that_is_interrupted_does_not_wait_for_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = Preset::BestFirst.config();
    config.providers = vec![ProviderConfig::Llm { model: "small".to_owned() }];
    let mut model =
        andor_config::ModelConfig { base_url: "http://127.0.0.1:9/v1".to_owned(), ..Default::default() };
    model.timeouts.wait_s = 1e6;
    config.models.insert("small".to_owned(), model);
    let request = request(config, &folder.path().join("out"));
    let cancel = CancellationToken::new();
    cancel.cancel();
    let results = block_on(run(&request, &cancel, Arc::new(Mutex::new(|_: &str, _: &Event| {}))));
    assert_eq!(results.unwrap(), []);
}
