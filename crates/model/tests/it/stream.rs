//! Answers sent in pieces.

use std::ops::ControlFlow;

use andor_model::config::Kind;
use andor_model::{Finish, Http, Model, ModelConfig, ModelError, Piece, Request, Sampling};
use andor_testkit::peer::{Peer, Reply};
use serde_json::{Value, json};

use super::faults::request;
use super::{config, http};

fn piece(index: u64, text: &str, finish: Option<&str>) -> String {
    let logprobs = json!({ "tokens": [text], "token_logprobs": [-0.5] });
    let logprobs = if text.is_empty() { Value::Null } else { logprobs };
    json!({ "model": "s", "choices":
        [{ "index": index, "text": text, "logprobs": logprobs, "finish_reason": finish }] })
    .to_string()
}

fn all(_: Piece<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

#[tokio::test]
async fn interleaved_choices_are_put_together() {
    let events = vec![
        piece(1, "simp", None),
        piece(0, "intro", None),
        piece(1, " only", None),
        piece(0, " h", None),
        piece(1, "", Some("length")),
        piece(0, "", Some("stop")),
        json!({ "choices": [], "usage": { "prompt_tokens": 3, "completion_tokens": 4 } }).to_string(),
        "[DONE]".to_owned(),
    ];
    let peer = Peer::start(move |_, _| Reply::Events(events.clone())).await;
    let mut seen = Vec::new();
    let mut read = |piece: Piece<'_>| {
        seen.push((piece.choice, piece.text.to_owned()));
        ControlFlow::Continue(())
    };
    let answer = http(&peer.url).stream(&request(2), &mut read).await.unwrap();
    let texts: Vec<&str> = answer.choices.iter().map(|choice| choice.text.as_str()).collect();
    assert_eq!(texts, ["intro h", "simp only"]);
    assert_eq!(answer.choices[1].finish, Finish::Length);
    assert_eq!(answer.choices[0].log_prob(), Some(-1.0));
    assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (3, 4));
    assert_eq!(seen[3], (0, "intro h".to_owned()));
}

#[tokio::test]
async fn whoever_has_enough_closes_the_connection() {
    let peer =
        Peer::start(|_, _| Reply::EventsThenSilence(vec![piece(0, "simp", None), piece(0, "\n", None)]))
            .await;
    let mut read = |piece: Piece<'_>| {
        if piece.text.contains('\n') { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let answer = http(&peer.url).stream(&request(1), &mut read).await.unwrap();
    assert_eq!((answer.choices[0].text.as_str(), &answer.choices[0].finish), ("simp\n", &Finish::Cut));
    peer.dropped().await;
}

#[tokio::test]
async fn a_fifth_stop_is_looked_for_here_and_ends_the_answer() {
    let peer =
        Peer::start(|_, _| Reply::EventsThenSilence(vec![piece(0, "simp", None), piece(0, " QED", None)]))
            .await;
    let stop = ["a", "b", "c", "d", " QED"].map(str::to_owned).to_vec();
    let stopping = request(1).with_sampling(Sampling { n: 1, stop, ..Sampling::default() });
    let answer = http(&peer.url).ask(&Request { stream: true, ..stopping }).await.unwrap();
    assert_eq!((answer.choices[0].text.as_str(), answer.choices[0].log_prob()), ("simp", Some(-0.5)));
    assert_eq!(peer.received()[0].body["stop"], json!(["a", "b", "c", "d"]));
    peer.dropped().await;
}

#[tokio::test]
async fn an_error_in_the_middle_discards_what_came_before() {
    let failing =
        vec![piece(0, "half", None), json!({ "error": { "code": 500, "message": "slot lost" } }).to_string()];
    let whole = vec![piece(0, "whole", Some("stop")), "[DONE]".to_owned()];
    let peer = Peer::start(move |_, number| {
        Reply::Events(if number == 0 { failing.clone() } else { whole.clone() })
    })
    .await;
    let answer = http(&peer.url).stream(&request(1), &mut all).await.unwrap();
    assert_eq!((answer.choices[0].text.as_str(), answer.usage.retries), ("whole", 1));
}

#[tokio::test]
async fn an_end_in_the_middle_is_an_interruption() {
    let peer = Peer::start(|_, _| Reply::Events(vec![piece(0, "half", None)])).await;
    let error = http(&peer.url).stream(&request(1), &mut all).await.unwrap_err().error;
    assert!(matches!(error, ModelError::Interrupted { .. }), "{error}");
}

#[tokio::test]
async fn chat_is_put_together_with_its_tool_calls() {
    let delta = |delta: Value, finish: Option<&str>| {
        json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": finish }] }).to_string()
    };
    let call = |id: Option<&str>, name: Option<&str>, arguments: &str| json!({ "tool_calls": [{ "index": 0, "id": id, "function": { "name": name, "arguments": arguments } }] });
    let events = vec![
        delta(json!({ "role": "assistant", "reasoning_content": "let me" }), None),
        delta(json!({ "reasoning_content": " see" }), None),
        delta(json!({ "content": "by " }), None),
        delta(json!({ "content": "simp" }), None),
        delta(call(Some("c1"), Some("lookup"), "{\"a\""), None),
        delta(call(None, None, ":1}"), None),
        delta(json!({}), Some("tool_calls")),
        "[DONE]".to_owned(),
    ];
    let peer = Peer::start(move |_, _| Reply::Events(events.clone())).await;
    let model = Http::new(ModelConfig { kind: Kind::Chat, ..config(&peer.url) }, None).unwrap();
    let choice = model.stream(&request(1), &mut all).await.unwrap().choices.remove(0);
    assert_eq!((choice.text.as_str(), choice.reasoning.as_deref()), ("by simp", Some("let me see")));
    assert_eq!(choice.tool_calls[0].arguments, "{\"a\":1}");
    assert_eq!((choice.tool_calls[0].id.as_str(), choice.tool_calls[0].name.as_str()), ("c1", "lookup"));
}
