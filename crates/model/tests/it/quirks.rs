//! What servers do differently, and what is done about it.

use std::collections::BTreeSet;

use andor_model::capabilities::{Capabilities, Choices, LogProbShape, Server};
use andor_model::config::Kind;
use andor_model::request::{Grammar, Input, Tool};
use andor_model::{Finish, Http, Message, Model, ModelConfig, ModelError, Request, Sampling, Unanswered};
use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::{Value, json};

use super::faults::{asked, completion, good, request};
use super::{config, http};

/// The answer to a request when the server sends this.
async fn reading(body: Value) -> andor_model::Answer {
    let peer = Peer::start(move |_, _| Reply::Json(200, body.clone())).await;
    http(&peer.url).ask(&request(1)).await.unwrap()
}

fn one(logprobs: Value) -> Value {
    json!({ "choices": [{ "index": 0, "text": "auto.", "finish_reason": "stop", "logprobs": logprobs }] })
}

fn known(answer: &andor_model::Answer) -> Vec<Option<f64>> {
    answer.choices[0].log_probs.iter().flatten().map(|token| token.log_prob).collect()
}

#[tokio::test]
async fn log_probabilities_are_read_in_every_form() {
    let classic = reading(one(json!({ "tokens": ["auto", "."], "token_logprobs": [-0.5, -0.25] }))).await;
    let entry = |token: &str, p: f64| json!({ "token": token, "logprob": p, "bytes": token.as_bytes() });
    let content = reading(one(json!({ "content": [entry("auto", -0.5), entry(".", -0.25)] }))).await;
    for answer in [classic, content] {
        assert_eq!(known(&answer), [Some(-0.5), Some(-0.25)]);
        assert_eq!(answer.choices[0].log_prob(), Some(-0.75));
        assert_eq!(answer.choices[0].mean_log_prob(), Some(-0.375));
    }
}

#[tokio::test]
async fn unknown_log_probabilities_are_not_zero() {
    assert_eq!(reading(one(Value::Null)).await.choices[0].log_prob(), None);
    assert_eq!(reading(one(json!({ "content": [] }))).await.choices[0].log_prob(), None);
    let partly = reading(one(json!({ "tokens": ["auto", "."], "token_logprobs": [null, -0.25] }))).await;
    assert_eq!(known(&partly), [None, Some(-0.25)]);
    assert_eq!(partly.choices[0].log_prob(), None);
}

#[tokio::test]
async fn a_last_token_without_width_is_the_end_whether_or_not_a_server_lists_it() {
    let unlisted = json!({ "tokens": ["auto", "."], "token_logprobs": [-0.5, -0.25] });
    let empty = json!({ "tokens": ["auto", ".", ""], "token_logprobs": [-0.5, -0.25, -0.1] });
    let named = json!({ "tokens": ["auto", ".", "</s>"], "token_logprobs": [-0.5, -0.25, -0.1] });
    let stopped =
        json!({ "tokens": ["auto", ".", "\n", "\n"], "token_logprobs": [-0.5, -0.25, -0.06, -0.04] });
    for (logprobs, end) in [(unlisted, None), (empty, Some(-0.1)), (named, Some(-0.1)), (stopped, Some(-0.1))]
    {
        let answer = reading(one(logprobs)).await;
        assert_eq!(answer.choices[0].log_prob(), Some(-0.75), "{answer:?}");
        assert_eq!(answer.choices[0].end_log_prob, end);
    }
    // A leading space that the text lacks must not make its last token look like the end.
    let spaced = reading(one(json!({ "tokens": [" auto", "."], "token_logprobs": [-0.5, -0.25] }))).await;
    assert_eq!(known(&spaced).len(), 2);
}

#[tokio::test]
async fn an_answer_cut_off_by_its_length_keeps_all_its_tokens() {
    let mut body = one(json!({ "tokens": ["auto.", "x"], "token_logprobs": [-0.5, -0.25] }));
    body["choices"][0]["finish_reason"] = "length".into();
    let answer = reading(body).await;
    assert_eq!((known(&answer).len(), &answer.choices[0].finish), (2, &Finish::Length));
}

#[tokio::test]
async fn tokens_are_counted_where_the_server_counts_fewer() {
    let mut body = completion(4);
    body["usage"]["completion_tokens"] = 2.into();
    let peer = Peer::start(move |_, _| Reply::Json(200, body.clone())).await;
    let model = http(&peer.url);
    let answer = model.ask(&request(4)).await.unwrap();
    assert_eq!((answer.usage.input_tokens, answer.usage.output_tokens), (3, 8));
    assert_eq!(model.usage(), answer.usage);
}

#[tokio::test]
async fn a_server_that_ignores_n_is_asked_as_often_with_other_seeds() {
    let peer = Peer::start(|_, _| Reply::Json(200, completion(1))).await;
    let model = http(&peer.url);
    let answer = model.ask(&request(4)).await.unwrap();
    assert_eq!((answer.choices.len(), answer.usage.requests), (4, 4));
    assert_eq!(model.capabilities().choices, Choices::One);
    // From now on it is known.
    assert_eq!(model.ask(&request(3)).await.unwrap().usage.requests, 3);
    let received = peer.received();
    assert!(received[4..].iter().all(|r| asked(r) == 1));
    for (requests, count) in [(&received[..4], 4), (&received[4..], 3)] {
        let seeds: BTreeSet<u64> = requests.iter().map(|r| r.body["seed"].as_u64().unwrap()).collect();
        assert_eq!(seeds.len(), count);
        assert!(seeds.contains(&5), "the first keeps the seed of the request");
    }
}

#[tokio::test]
async fn a_server_that_fails_at_lists_is_sent_one_prompt_at_a_time() {
    let peer = Peer::start(|r, _| {
        if r.body["prompt"].is_array() { Reply::Json(500, json!({ "error": "TypeError" })) } else { good(r) }
    })
    .await;
    let model = http(&peer.url);
    let sampling = Sampling { n: 2, ..Sampling::default() };
    let answer = model.ask(&Request::prompts(["a", "b", "c"]).with_sampling(sampling)).await.unwrap();
    let prompts: Vec<usize> = answer.choices.iter().map(|choice| choice.prompt).collect();
    assert_eq!(prompts, [0, 0, 1, 1, 2, 2]);
    assert!(!model.capabilities().prompt_lists);
}

#[tokio::test]
async fn a_server_without_log_probabilities_is_asked_without() {
    let refuses = |r: &Received, _: usize| {
        if r.body.get("logprobs").is_some() {
            Reply::Json(501, json!({ "error": { "type": "not_supported_error", "message": "no logprobs" } }))
        } else {
            Reply::Json(200, json!({ "choices": [{ "text": "auto.", "finish_reason": "stop" }] }))
        }
    };
    let peer = Peer::start(refuses).await;
    let model = http(&peer.url);
    let answer = model.ask(&request(1)).await.unwrap();
    assert_eq!(answer.choices[0].log_prob(), None);
    assert_eq!(model.capabilities().log_probs, None);
    // What cannot be left out is an error.
    let error = model.ask(&Request { grammar: Some(Grammar::Regex("a+".to_owned())), ..request(1) }).await;
    assert!(matches!(error, Err(Unanswered { error: ModelError::NotSupported { .. }, .. })));
}

#[tokio::test]
async fn fields_have_the_names_and_neutral_values_of_each_server() {
    let sent = async |owner: &'static str| {
        let peer = Peer::start(move |r, _| match r.line.as_str() {
            "GET /v1/models" => Reply::Json(200, json!({ "data": [{ "id": "m", "owned_by": owner }] })),
            _ => good(r),
        })
        .await;
        let model = http(&peer.url);
        model.ready().await.unwrap();
        model.ask(&request(2)).await.unwrap();
        peer.received().pop().unwrap().body
    };
    let vllm = sent("vllm").await;
    assert_eq!(
        (&vllm["top_k"], &vllm["min_p"], &vllm["repetition_penalty"]),
        (&json!(-1), &json!(0.0), &json!(1.0))
    );
    let llama = sent("llamacpp").await;
    assert_eq!((&llama["top_k"], &llama["repeat_penalty"]), (&json!(0), &json!(1.0)));
    let other = sent("somebody").await;
    let fields: Vec<&String> = other.as_object().unwrap().keys().collect();
    let expected =
        ["logprobs", "max_tokens", "model", "n", "prompt", "seed", "stream", "temperature", "top_p"];
    assert_eq!(fields.into_iter().collect::<BTreeSet<_>>(), expected.map(str::to_owned).iter().collect());
    assert_eq!((&other["logprobs"], &other["max_tokens"], &other["n"]), (&json!(1), &json!(2048), &json!(2)));
}

#[tokio::test]
async fn the_probe_finds_a_quirky_server_out() {
    let peer = Peer::start(|r, _| match r.line.as_str() {
        "GET /v1/models" => Reply::Json(200, json!({ "data": [{ "id": "m", "owned_by": "me" }] })),
        _ if r.body["prompt"].is_array() => Reply::Json(500, json!({ "error": "list" })),
        _ => Reply::Json(200, completion(1)),
    })
    .await;
    let model = http(&peer.url);
    let found = model.probe().await.unwrap();
    let expected = Capabilities {
        server: Server::LlamaCppPython,
        models: vec!["m".to_owned()],
        choices: Choices::One,
        log_probs: Some(LogProbShape::Classic),
        takes_seed: true,
        seed: Some(true),
        context: None,
        grammar: Some(false),
        prompt_lists: false,
        usage: Some(true),
        reasons: false,
    };
    assert_eq!(found, expected);
    assert_eq!(found.notes().len(), 4);
    assert_eq!(model.ask(&request(3)).await.unwrap().choices.len(), 3);
}

/// A server that answers an error to requests with a field; the others it answers.
fn refusing(field: &'static str, status: u16) -> impl Fn(&Received, usize) -> Reply {
    move |r, _| match r.line.as_str() {
        "GET /v1/models" => Reply::Json(200, json!({ "data": [{ "id": "m" }] })),
        _ if field == "n" && asked(r) > 1 => Reply::Json(status, json!({ "detail": "no" })),
        _ if field != "n" && r.body.get(field).is_some() => Reply::Json(status, json!({ "detail": "no" })),
        _ => good(r),
    }
}

#[tokio::test]
async fn a_field_that_a_server_refuses_is_left_out() {
    for (field, status) in [("logprobs", 500), ("logprobs", 400), ("n", 500), ("n", 422), ("seed", 422)] {
        let is_missing = |found: &Capabilities| match field {
            "logprobs" => found.log_probs.is_none(),
            "n" => found.choices.most() == 1,
            _ => !found.takes_seed,
        };
        let peer = Peer::start(refusing(field, status)).await;
        let probed = http(&peer.url);
        assert!(is_missing(&probed.probe().await.unwrap()), "{field} {status}");
        // Without a probe, the first answer shows it.
        let model = http(&peer.url);
        for model in [&probed, &model] {
            assert_eq!(model.ask(&request(3)).await.unwrap().choices.len(), 3, "{field} {status}");
        }
        assert!(is_missing(&model.capabilities()), "{field} {status}");
    }
}

#[tokio::test]
async fn one_error_takes_nothing_from_a_server_that_could_do_it_before() {
    let peer = Peer::start(|r, number| match number {
        1 => Reply::Json(400, json!({ "error": { "message": "this prompt is not liked" } })),
        _ => good(r),
    })
    .await;
    let model = http(&peer.url);
    model.ask(&request(4)).await.unwrap();
    let refused = model.ask(&request(4)).await.unwrap_err();
    assert!(matches!(refused.error, ModelError::BadRequest { .. }));
    model.ask(&request(4)).await.unwrap();
    assert_eq!(peer.received().iter().map(asked).collect::<Vec<_>>(), [4, 4, 4]);
    // Nor does an error that stays whatever is left out.
    let peer = Peer::start(|_, _| Reply::Json(400, json!({ "error": { "message": "never" } }))).await;
    let model = http(&peer.url);
    model.ask(&request(4)).await.unwrap_err();
    assert_eq!(model.capabilities(), Capabilities::default());
}

#[tokio::test]
async fn what_seems_to_be_missing_is_tried_again_later() {
    let peer = Peer::start(|r, number| match number {
        0 => Reply::Json(400, json!({ "error": { "message": "busy with something else" } })),
        _ => good(r),
    })
    .await;
    let model = http(&peer.url);
    for _ in 0..102 {
        model.ask(&request(2)).await.unwrap();
    }
    let last = peer.received().pop().unwrap();
    assert_eq!(asked(&last), 2);
}

#[tokio::test]
async fn numbers_that_json_lacks_are_unknown_and_a_null_text_is_empty() {
    let body = r#"{"choices": [{"index": 0, "text": "NaN \" NaN", "finish_reason": "stop",
        "logprobs": {"tokens": ["NaN"], "token_logprobs": [-Infinity], "top_logprobs": [NaN]}},
        {"index": 1, "text": null, "finish_reason": "stop"}]}"#;
    let peer = Peer::start(move |_, _| Reply::Full(200, Vec::new(), body.to_owned())).await;
    let answer = http(&peer.url).ask(&request(2)).await.unwrap();
    let texts: Vec<&str> = answer.choices.iter().map(|choice| choice.text.as_str()).collect();
    assert_eq!(texts, ["NaN \" NaN", ""]);
    assert_eq!(answer.choices[0].log_prob(), None);
}

#[tokio::test]
async fn chat_answers_have_reasoning_and_tools() {
    let call =
        json!({ "id": "c1", "function": { "name": "lookup", "arguments": "{\"name\":\"add_comm\"}" } });
    let message =
        json!({ "role": "assistant", "content": null, "reasoning_content": "hm", "tool_calls": [call] });
    let body = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "tool_calls" }] });
    let peer = Peer::start(move |_, _| Reply::Json(200, body.clone())).await;
    let model = Http::new(ModelConfig { kind: Kind::Chat, ..config(&peer.url) }, None).unwrap();
    let mut request = Request::messages(vec![Message::user("prove")]);
    request.sampling.n = 1;
    request.tools =
        vec![Tool { name: "lookup".to_owned(), description: "d".to_owned(), parameters: json!({}) }];
    let answer = model.ask(&request).await.unwrap();
    let choice = &answer.choices[0];
    assert_eq!((choice.text.as_str(), choice.reasoning.as_deref()), ("", Some("hm")));
    assert_eq!((choice.tool_calls[0].name.as_str(), &choice.finish), ("lookup", &Finish::ToolCalls));

    request.input = Input::Messages(vec![
        Message { tool_calls: choice.tool_calls.clone(), ..Message::assistant("") },
        Message::tool(&choice.tool_calls[0], "a + b = b + a"),
    ]);
    model.ask(&request).await.unwrap();
    let sent = &peer.received()[1].body;
    assert_eq!(sent["messages"][1]["tool_call_id"], "c1");
    assert_eq!(sent["messages"][0]["tool_calls"][0]["function"]["name"], "lookup");
    assert_eq!((&sent["logprobs"], &sent["top_logprobs"]), (&json!(true), &json!(1)));
}

#[tokio::test]
async fn responses_are_asked_for_one_by_one_and_cut_at_stops_here() {
    let part = json!({ "type": "output_text", "text": "simp\nrest", "logprobs":
        [{ "token": "simp", "logprob": -0.5, "bytes": b"simp" }, { "token": "\nrest", "logprob": -1.0, "bytes": b"\nrest" }] });
    let output = json!([
        { "type": "reasoning", "summary": [{ "type": "summary_text", "text": "hm" }] },
        { "type": "message", "content": [part] },
    ]);
    let usage =
        json!({ "input_tokens": 4, "output_tokens": 9, "input_tokens_details": { "cached_tokens": 1 } });
    let body = json!({ "status": "completed", "model": "r", "output": output, "usage": usage });
    let event = json!({ "type": "response.completed", "response": body }).to_string();
    let peer = Peer::start(move |r, _| {
        if r.body["stream"] == true {
            Reply::Events(vec![event.clone()])
        } else {
            Reply::Json(200, body.clone())
        }
    })
    .await;
    let model = Http::new(ModelConfig { kind: Kind::Responses, ..config(&peer.url) }, None).unwrap();
    let plain = model.ask(&request(2)).await.unwrap();
    assert_eq!((plain.choices.len(), plain.usage.requests, plain.usage.output_tokens), (2, 2, 18));
    assert_eq!((plain.usage.cached_tokens, plain.choices[0].reasoning.as_deref()), (2, Some("hm")));
    assert_eq!(plain.choices[0].log_prob(), Some(-1.5));

    let stop = vec!["\n".to_owned()];
    let stopping = request(1).with_sampling(Sampling { n: 1, stop, ..Sampling::default() });
    let cut = model.ask(&stopping).await.unwrap();
    assert_eq!((cut.choices[0].text.as_str(), cut.choices[0].log_prob()), ("simp", Some(-0.5)));
    let sent = &peer.received()[2].body;
    assert!(sent.get("stop").is_none() && sent.get("n").is_none() && sent.get("seed").is_none(), "{sent}");
}

#[tokio::test]
async fn what_an_interface_cannot_say_is_refused_before_it_is_sent() {
    let peer = Peer::start(|r, _| good(r)).await;
    let model = http(&peer.url);
    let conversation = Request { log_probs: None, ..Request::messages(vec![Message::user("x")]) };
    let error = model.ask(&conversation).await.unwrap_err().error;
    assert!(matches!(error, ModelError::NotSupported { .. }), "{error}");
    let gbnf =
        Request { log_probs: None, grammar: Some(Grammar::Gbnf("root ::= \"a\"".to_owned())), ..request(1) };
    let error = model.ask(&gbnf).await.unwrap_err().error;
    assert!(
        error.to_string().contains("no way is known to hold this server (unknown) to a GBNF grammar"),
        "{error}"
    );
    assert!(peer.received().is_empty());
}

/// Refuses what exceeds a context of 1024 tokens, of which the prompt takes 100, in the words of vLLM.
fn narrow(r: &Received, context: Option<u64>) -> Reply {
    if r.line == "GET /v1/models" {
        return Reply::Json(200, json!({ "data": [{ "id": "m", "max_model_len": context }] }));
    }
    match r.body["max_tokens"].as_u64().unwrap() {
        ..=924 => good(r),
        tokens => {
            let message = format!(
                "This model's maximum context length is 1024 tokens. However, you requested {} tokens",
                tokens + 100
            );
            Reply::Json(400, json!({ "object": "error", "message": message, "code": 400 }))
        }
    }
}

#[tokio::test]
async fn answers_are_shortened_to_fit_into_the_context() {
    let tokens = |received: &[Received]| -> Vec<u64> {
        received.iter().filter_map(|r| r.body["max_tokens"].as_u64()).collect()
    };
    let peer = Peer::start(|r, _| narrow(r, None)).await;
    let model = http(&peer.url);
    assert_eq!(model.ask(&request(1)).await.unwrap().choices.len(), 1);
    assert_eq!(tokens(&peer.received()), [2048, 512]);
    // A server that states its context is not asked for what it cannot give.
    let peer = Peer::start(|r, _| narrow(r, Some(1024))).await;
    let model = http(&peer.url);
    model.probe().await.unwrap();
    let probed = peer.received().len();
    let long = Request { input: Input::Prompt("x".repeat(400)), ..request(1) };
    model.ask(&long).await.unwrap();
    assert_eq!(tokens(&peer.received()[probed..]), [891]);
    // A prompt that is too long by itself is given up after a few tries.
    let message =
        json!({ "error": { "message": "prompt is longer than the maximum model length", "code": 400 } });
    let peer = Peer::start(move |_, _| Reply::Json(400, message.clone())).await;
    let model = http(&peer.url);
    let refused = model.ask(&request(1)).await.unwrap_err();
    assert!(matches!(refused.error, ModelError::ContextTooLong { .. }));
    assert_eq!(tokens(&peer.received()), [2048, 512, 128, 32]);
}
