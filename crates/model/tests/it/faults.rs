//! Every way in which a server fails to answer, and what is done about it.

use std::time::Duration;

use andor_model::{ApiKey, Http, Model, ModelError, Phase, Request, Sampling};
use andor_testkit::peer::{Peer, Received, Reply};
use serde_json::{Value, json};

use super::{config, http};

pub(crate) fn request(n: u32) -> Request {
    Request::prompt("goal:").with_sampling(Sampling { n, seed: Some(5), ..Sampling::default() })
}

/// An answer of this many choices in the classic form.
pub(crate) fn completion(n: u64) -> Value {
    let choice = |index| {
        json!({ "index": index, "text": "auto.", "finish_reason": "stop",
            "logprobs": { "tokens": ["auto", "."], "token_logprobs": [-0.5, -0.25], "text_offset": [5, 9],
                "top_logprobs": [{ "auto": -0.5 }, { ".": -0.25 }] } })
    };
    let choices: Vec<Value> = (0..n).map(choice).collect();
    json!({ "model": "served", "choices": choices, "usage": { "prompt_tokens": 3, "completion_tokens": 2 * n } })
}

pub(crate) fn asked(received: &Received) -> u64 {
    received.body["n"].as_u64().unwrap_or(1)
}

pub(crate) fn good(received: &Received) -> Reply {
    Reply::Json(200, completion(asked(received)))
}

fn error(status: u16, kind: &str) -> Reply {
    Reply::Json(status, json!({ "error": { "code": status, "message": "no luck", "type": kind } }))
}

/// What comes of a request to a server that answers so each time, and how often it was asked.
async fn always(reply: Reply) -> (ModelError, usize) {
    let peer = Peer::start(move |_, _| reply.clone()).await;
    let error = http(&peer.url).ask(&request(1)).await.unwrap_err().error;
    (error, peer.received().len())
}

/// A server that fails so once is asked again, with the same seed.
async fn once(reply: Reply) {
    let shown = format!("{reply:?}");
    let peer = Peer::start(move |r, number| if number == 0 { reply.clone() } else { good(r) }).await;
    let model = http(&peer.url);
    let answer = model.ask(&request(2)).await.unwrap_or_else(|error| panic!("{shown}: {error}"));
    assert_eq!((answer.choices.len(), answer.usage.requests, answer.usage.retries), (2, 2, 1), "{shown}");
    let received = peer.received();
    assert_eq!(received.len(), 2, "{shown}");
    assert_eq!(received[0].body, received[1].body, "{shown}");
    assert_eq!(received[0].body["seed"], 5);
}

#[tokio::test]
async fn what_passes_is_waited_for() {
    for status in [408, 409, 429, 500, 502, 503, 504, 529] {
        once(error(status, "unavailable_error")).await;
    }
    once(Reply::Full(503, Vec::new(), "<html>Bad Gateway</html>".to_owned())).await;
    once(Reply::Close).await;
    once(Reply::Reset).await;
    once(Reply::Cut(r#"{"choices": [{"te"#.to_owned())).await;
    once(Reply::Full(200, Vec::new(), "this is no JSON".to_owned())).await;
    once(Reply::Json(200, json!({ "error": { "code": 503, "message": "loading" } }))).await;
    once(Reply::Json(200, json!({ "unexpected": true }))).await;
}

#[tokio::test]
async fn what_lasts_is_an_error_after_as_many_tries_as_its_class_has() {
    let (error_503, tries) = always(error(503, "unavailable_error")).await;
    assert!(matches!(error_503, ModelError::Overloaded { status: 503, .. }), "{error_503}");
    assert_eq!(tries, 8);
    // It may be the request's fault.
    let (error_500, tries) = always(error(500, "internal_error")).await;
    assert!(matches!(error_500, ModelError::ServerError { status: 500, .. }), "{error_500}");
    // As it is, without log-probabilities, and without a seed.
    assert_eq!(tries, 3 * 3);
    let (malformed, tries) = always(Reply::Full(200, Vec::new(), "no JSON".to_owned())).await;
    assert!(matches!(malformed, ModelError::Malformed { .. }), "{malformed}");
    assert_eq!(tries, 3 * 3);
    let (reset, tries) = always(Reply::Reset).await;
    assert!(matches!(reset, ModelError::Interrupted { .. }), "{reset}");
    assert_eq!(tries, 8);
}

#[tokio::test]
async fn what_is_wrong_is_said_at_once() {
    let (e, tries) = always(error(401, "authentication_error")).await;
    assert!(matches!(e, ModelError::Unauthorized { status: 401, .. }) && tries == 1, "{e}");
    let (e, tries) = always(error(403, "permission_error")).await;
    assert!(matches!(e, ModelError::Unauthorized { status: 403, .. }) && tries == 1, "{e}");
    let (e, tries) = always(error(404, "not_found_error")).await;
    assert!(matches!(e, ModelError::NotFound { .. }) && e.is_fatal() && tries == 1, "{e}");
    let (e, tries) = always(error(400, "invalid_request_error")).await;
    assert!(matches!(e, ModelError::BadRequest { status: 400, .. }) && !e.is_fatal() && tries == 3, "{e}");
    assert_eq!(e.to_string(), "the server refuses the request (HTTP 400): no luck");
    let (e, tries) = always(Reply::Json(422, json!({ "detail": [{ "msg": "n must be positive" }] }))).await;
    assert!(matches!(e, ModelError::BadRequest { status: 422, .. }) && tries == 3, "{e}");
    let elsewhere = vec![("location", "http://192.0.2.1/".to_owned())];
    let (e, tries) = always(Reply::Full(302, elsewhere, String::new())).await;
    assert!(matches!(e, ModelError::NotFound { .. }) && tries == 1, "{e}");
}

#[tokio::test]
async fn a_context_that_is_exceeded_is_known_by_every_servers_words() {
    let llama = json!({ "error": { "code": 400, "message": "request exceeds", "type": "exceed_context_size_error",
        "n_prompt_tokens": 600, "n_ctx": 512 } });
    let vllm = json!({ "object": "error", "type": "BadRequestError", "code": 400,
        "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens." });
    let openai = json!({ "error": { "code": "context_length_exceeded", "message": "too long" } });
    // A shorter answer may fit, unless the prompt alone is known to be too long.
    for (body, limit, expected) in [(llama, Some(512), 1), (vllm, None, 4), (openai, None, 4)] {
        let (e, tries) = always(Reply::Json(400, body)).await;
        assert!(matches!(e, ModelError::ContextTooLong { limit: l, .. } if l == limit), "{e}");
        assert_eq!(tries, expected, "{e}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_servers_wish_to_wait_is_heard() {
    let busy = Reply::Full(429, vec![("retry-after", "17".to_owned())], "{}".to_owned());
    let peer = Peer::start(move |r, number| if number == 0 { busy.clone() } else { good(r) }).await;
    let answer = http(&peer.url).ask(&request(1)).await.unwrap();
    assert!((17.0..18.0).contains(&answer.usage.waited_s), "{}", answer.usage.waited_s);
}

#[tokio::test]
async fn an_overloaded_server_is_sent_less_at_a_time() {
    let peer = Peer::start(|r, number| if number < 3 { error(429, "overloaded") } else { good(r) }).await;
    let mut config = config(&peer.url);
    config.limits.in_flight = 16;
    let model = Http::new(config, None).unwrap();
    model.ask(&request(1)).await.unwrap();
    assert_eq!(model.in_flight_limit(), 3, "16 was halved three times, and has grown by one");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_not_waited_for_forever() {
    let peer = Peer::start(|_, _| Reply::Silence).await;
    let mut config = config(&peer.url);
    (config.timeouts.first_byte_s, config.timeouts.total_s, config.retries.tries) =
        (Some(20.0), Some(60.0), 2);
    let model = Http::new(config, None).unwrap();
    let error = model.ask(&request(1)).await.unwrap_err().error;
    assert_eq!(error, ModelError::Timeout { phase: Phase::FirstByte, limit: Duration::from_secs(20) });
    assert_eq!(model.usage().requests, 2);
    assert!(model.usage().waited_s >= 40.0);

    let hurried = Request { timeout: Some(Duration::from_secs(3)), ..request(1) };
    let error = model.ask(&hurried).await.unwrap_err().error;
    assert_eq!(error, ModelError::Timeout { phase: Phase::Total, limit: Duration::from_secs(3) });
}

#[tokio::test]
async fn giving_a_request_up_closes_its_connection_and_counts_it() {
    let peer = Peer::start(|_, _| Reply::Silence).await;
    let model = http(&peer.url);
    {
        let request = request(1);
        let mut asked = std::pin::pin!(model.ask(&request));
        tokio::select! {
            _ = &mut asked => panic!("there is no answer"),
            () = peer.arrived() => {}
        }
    }
    peer.dropped().await;
    assert_eq!(model.usage().requests, 1);
}

#[tokio::test]
async fn answers_without_end_are_not_read_to_their_end() {
    let peer = Peer::start(|_, _| Reply::Endless).await;
    let mut config = config(&peer.url);
    config.limits.max_answer_bytes = 100_000;
    let error = Http::new(config, None).unwrap().ask(&request(1)).await.unwrap_err().error;
    assert_eq!(error, ModelError::TooLarge { limit: 100_000 });
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unreachable() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = http(&format!("http://127.0.0.1:{port}/v1")).ask(&request(1)).await.unwrap_err().error;
    assert!(matches!(error, ModelError::Unreachable { .. }), "{error}");
    // No TLS where it is expected.
    let peer = Peer::start(|r, _| good(r)).await;
    let error = http(&peer.url.replace("http:", "https:")).ask(&request(1)).await.unwrap_err().error;
    assert!(matches!(error, ModelError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn keys_appear_in_the_header_and_nowhere_else() {
    const KEY: &str = "sk-secret-123456";
    let peer = Peer::start(|r, _| {
        let said = format!("wrong key {}", r.headers["authorization"]);
        Reply::Json(401, json!({ "error": { "message": said } }))
    })
    .await;
    let model = Http::new(config(&peer.url), Some(ApiKey::new(KEY))).unwrap();
    let error = model.ask(&request(1)).await.unwrap_err().error;
    assert_eq!(peer.received()[0].headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(
        error.to_string(),
        "the server refuses the API key, or its absence (HTTP 401): wrong key Bearer ***"
    );
    let exchange = model.exchange(&request(1)).await.unwrap();
    // Nor in what is no JSON, nor in an answer, which would be recorded.
    let peer = Peer::start(|r, number| {
        let said = format!("as you said: {}", r.headers["authorization"]);
        let choice = json!({ "index": 0, "text": said, "finish_reason": "stop" });
        match number {
            0 => Reply::Full(200, Vec::new(), said),
            _ => Reply::Json(200, json!({ "choices": [choice] })),
        }
    })
    .await;
    let repeating = Http::new(config(&peer.url), Some(ApiKey::new(KEY))).unwrap();
    let unreadable = repeating.exchange(&request(1)).await.unwrap().received.unwrap_err().to_string();
    assert!(unreadable.ends_with("as you said: Bearer ***"), "{unreadable}");
    let answer = repeating.ask(&request(1)).await.unwrap();
    assert_eq!(answer.choices[0].text, "as you said: Bearer ***");
    for shown in [format!("{model:?}"), format!("{error:?}"), format!("{exchange:?}")] {
        assert!(!shown.contains(KEY), "{shown}");
    }
}

#[tokio::test]
async fn readiness_is_asked_for_until_it_comes_or_its_time_is_over() {
    let list = json!({ "data": [{ "id": "m", "owned_by": "vllm", "max_model_len": 16384 }] });
    let peer = Peer::start(move |_, number| match number {
        0 => Reply::Close,
        1..4 => error(503, "unavailable_error"),
        _ => Reply::Json(200, list.clone()),
    })
    .await;
    let model = http(&peer.url);
    assert_eq!(model.ready().await.unwrap().context, Some(16384));
    assert_eq!(peer.received().len(), 5);
    assert_eq!(peer.received()[0].line, "GET /v1/models");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_never_gets_ready_ends_the_wait() {
    let loading =
        json!({ "error": { "code": 503, "message": "Loading model", "type": "unavailable_error" } });
    for (answer, every_10_s) in [
        (Reply::Json(503, loading), 55..=61),
        (error(503, "unavailable_error"), 3..=4),
        (error(429, "rate_limit_error"), 3..=4),
    ] {
        let peer = Peer::start(move |_, _| answer.clone()).await;
        let mut config = config(&peer.url);
        (config.timeouts.ready_s, config.timeouts.ready_poll_s) = (600.0, 10.0);
        config.timeouts.wait_s = 30.0;
        let model = Http::new(config, None).unwrap();
        let error = model.ready().await.unwrap_err();
        assert!(
            matches!(&error, ModelError::NotReady { message, .. } if message.contains("HTTP")),
            "{error}"
        );
        let asked = peer.received().len();
        assert!(every_10_s.contains(&asked), "every 10 s: {asked}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_says_nothing_is_waited_for_no_longer() {
    let peer = Peer::start(|_, _| Reply::Silence).await;
    let mut config = config(&peer.url);
    (config.timeouts.wait_s, config.timeouts.ready_poll_s) = (3.0, 1.0);
    (config.timeouts.first_byte_s, config.timeouts.total_s) = (Some(60.0), Some(60.0));
    let began = tokio::time::Instant::now();
    let error = Http::new(config, None).unwrap().ready().await.unwrap_err();
    assert!(matches!(&error, ModelError::NotReady { .. }), "{error}");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_server_whose_answers_break_off_is_asked_for_no_longer() {
    let list = json!({ "data": [{ "id": "m" }] });
    let answer = move |request: &Received, _| match request.line.starts_with("GET") {
        true => Reply::Json(200, list.clone()),
        false => Reply::Cut("{\"choices\": [".to_owned()),
    };
    let peer = Peer::start(answer).await;
    let mut config = config(&peer.url);
    (config.retries.tries, config.retries.pause_s, config.timeouts.wait_s) = (8, 1.0, 3.0);
    let began = tokio::time::Instant::now();
    let error = Http::new(config, None).unwrap().probe().await.unwrap_err();
    assert!(matches!(&error, ModelError::Interrupted { .. }), "{error}");
    // With a seed, and without.
    assert!(began.elapsed() <= Duration::from_secs(6), "{:?}", began.elapsed());
    assert!(peer.received().len() > 3, "a connection may break once");
}

#[tokio::test]
async fn a_model_that_the_server_does_not_have_is_said_with_those_it_has() {
    let list = json!({ "data": [{ "id": "a", "owned_by": "vllm" }, { "id": "b", "owned_by": "vllm" }] });
    let peer = Peer::start(move |_, _| Reply::Json(200, list.clone())).await;
    let error = http(&peer.url).ready().await.unwrap_err();
    assert_eq!(error.to_string(), "the server has no such model or interface: `m`; it has a, b");
    let unnamed = andor_model::ModelConfig { model: String::new(), ..config(&peer.url) };
    let error = Http::new(unnamed, None).unwrap().ready().await.unwrap_err();
    assert!(
        error.to_string().ends_with("it has 2; say which by URL#NAME, or by `model` in --config: a, b"),
        "{error}"
    );
}
