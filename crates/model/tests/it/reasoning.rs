//! Models that reason before they answer, and what they need for it.

use andor_model::config::Kind;
use andor_model::{Http, Message, Model, ModelConfig, Replay, Request, Sampling, read_record};
use andor_model::{Record, Recorded};
use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::json;

use super::config;
use super::faults::good;

/// How many tokens the model reasons for.
const REASONS_FOR: u64 = 5000;

/// A server of such a model, with a context of so many tokens, if it says so.
fn reasoning(r: &Received, context: Option<u64>) -> Reply {
    if r.line == "GET /v1/models" {
        return Reply::Json(200, json!({ "data": [{ "id": "m", "max_model_len": context }] }));
    }
    let (content, finish) = match r.body["max_tokens"].as_u64().unwrap() {
        ..REASONS_FOR => (None, "length"),
        _ => (Some("auto."), "stop"),
    };
    let message = json!({ "role": "assistant", "content": content, "reasoning_content": "Let me see." });
    let usage = json!({ "prompt_tokens": 10, "completion_tokens": 100 });
    let choice = json!({ "index": 0, "message": message, "finish_reason": finish });
    Reply::Json(200, json!({ "choices": [choice], "usage": usage }))
}

fn chat(url: &str) -> Http {
    Http::new(ModelConfig { kind: Kind::Chat, ..config(url) }, None).unwrap()
}

fn question(max_tokens: Option<u32>) -> Request {
    let sampling = Sampling { n: 1, max_tokens, ..Sampling::default() };
    Request::messages(vec![Message::user("goal:")]).with_sampling(sampling)
}

fn tokens(received: &[Received]) -> Vec<u64> {
    received.iter().filter_map(|r| r.body["max_tokens"].as_u64()).collect()
}

#[tokio::test]
async fn a_model_that_is_seen_to_reason_may_have_more_tokens() {
    let peer = Peer::start(|r, _| reasoning(r, None)).await;
    let model = chat(&peer.url);
    let answer = model.ask(&question(None)).await.unwrap();
    assert_eq!((answer.choices[0].text.as_str(), answer.max_tokens), ("auto.", Some(16_384)));
    assert_eq!((answer.usage.questions, answer.usage.requests, answer.usage.output_tokens), (1, 2, 200));
    model.ask(&question(None)).await.unwrap();
    assert_eq!(tokens(&peer.received()), [2048, 16_384, 16_384]);
    // What is asked for is what is asked for.
    let cut_off = model.ask(&question(Some(4000))).await.unwrap();
    assert_eq!((cut_off.choices[0].text.as_str(), cut_off.max_tokens), ("", Some(4000)));
    assert_eq!(tokens(&peer.received())[3..], [4000]);
}

#[tokio::test]
async fn the_probe_sees_that_a_model_reasons_and_the_context_limits_what_it_gets() {
    let peer = Peer::start(|r, _| reasoning(r, Some(8192))).await;
    let model = chat(&peer.url);
    assert!(model.probe().await.unwrap().reasons);
    let probed = peer.received().len();
    model.ask(&question(None)).await.unwrap();
    assert_eq!(tokens(&peer.received()[probed..]), [8191]);
}

#[tokio::test]
async fn reasoning_in_the_text_shows_as_well_and_one_without_changes_nothing() {
    let cut_off = |text: &'static str| {
        move |_: &Received, _| {
            Reply::Json(200, json!({ "choices": [{ "index": 0, "text": text, "finish_reason": "length" }] }))
        }
    };
    for (text, asked) in
        [("<think>so", vec![2048, 16_384]), ("so</think>", vec![2048, 16_384]), ("so", vec![2048])]
    {
        let peer = Peer::start(cut_off(text)).await;
        let request = Request::prompt("goal:").with_sampling(Sampling { n: 1, ..Sampling::default() });
        super::http(&peer.url).ask(&request).await.unwrap();
        assert_eq!(tokens(&peer.received()), asked, "{text}");
    }
    let peer = Peer::start(|r, _| good(r)).await;
    super::http(&peer.url).ask(&Request::prompt("goal:")).await.unwrap();
    assert_eq!(tokens(&peer.received()), [2048]);
}

#[tokio::test]
async fn a_record_says_how_many_tokens_there_were_and_repeats_what_came_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("models.jsonl.gz");
    let peer = Peer::start(|r, _| reasoning(r, None)).await;
    let model = Recorded::new(chat(&peer.url), std::sync::Arc::new(Record::open(&path).unwrap()));
    let answer = model.ask(&question(None)).await.unwrap();
    drop(model);
    let entry = serde_json::to_value(&read_record(&path).unwrap()[0]).unwrap();
    assert_eq!(entry["answer"]["max_tokens"], 16_384, "{entry}");
    assert_eq!(Replay::open(&path, None).unwrap().ask(&question(None)).await, Ok(answer));
}

/// An answer of this many tokens may take as long as one of 2048 does, as often as that fits into it.
#[tokio::test(start_paused = true)]
async fn longer_answers_may_take_longer() {
    for (max_tokens, seconds) in [(100, 60), (2048, 60), (16_384, 480)] {
        let peer = Peer::start(|_, _| Reply::Silence).await;
        let mut config = config(&peer.url);
        config.retries.tries = 1;
        let began = tokio::time::Instant::now();
        let sampling = Sampling { n: 1, max_tokens: Some(max_tokens), ..Sampling::default() };
        let model = Http::new(config, None).unwrap();
        model.ask(&Request::prompt("goal:").with_sampling(sampling)).await.unwrap_err();
        assert_eq!(began.elapsed().as_secs(), seconds, "{max_tokens}");
    }
}
