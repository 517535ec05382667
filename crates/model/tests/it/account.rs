//! Nothing is lost, and everything is accounted for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use andor_model::{Http, Limiter, Model, Request, Sampling, Usage};
use andor_testkit::peer::{Peer, Received, Reply};
use futures_util::StreamExt;
use serde_json::json;

use super::faults::{asked, completion, request};
use super::{config, http};

/// Of a hundred requests, five fail in each of these ways.
fn fault(draw: u64) -> Option<Reply> {
    let json = |status| Some(Reply::Json(status, json!({ "error": { "message": "injected" } })));
    match draw % 100 / 5 {
        0 => json(429),
        1 => json(500),
        2 => json(502),
        3 => json(503),
        4 => json(529),
        5 => Some(Reply::Reset),
        6 => Some(Reply::Close),
        7 => Some(Reply::Cut("{\"choices\": [".to_owned())),
        8 => Some(Reply::Full(200, Vec::new(), "<html>".to_owned())),
        9 => Some(Reply::Json(200, json!({ "error": { "message": "injected" } }))),
        _ => None,
    }
}

#[tokio::test]
async fn of_a_thousand_requests_with_faults_of_every_class_none_is_lost() {
    const SEED: u64 = 20_241_122;
    let completed = Arc::new(AtomicU64::new(0));
    let counted = completed.clone();
    let peer = Peer::start(move |r: &Received, number| {
        let draw = andor_model::seed::derived(SEED, number as u64);
        fault(draw).unwrap_or_else(|| {
            // This server counts the tokens of the first choice only.
            let mut body = completion(asked(r));
            body["usage"]["completion_tokens"] = 2.into();
            counted.fetch_add(3 + 2 * asked(r), Ordering::Relaxed);
            Reply::Json(200, body)
        })
    })
    .await;
    let mut config = config(&peer.url);
    // Half of all requests fail here: ten classes of 5 % each.
    (config.retries.tries, config.retries.tries_after_server_error) = (60, 60);
    let model = Http::new(config, None).unwrap();
    let ask = |number: u64| {
        let sampling = Sampling { n: 4, seed: Some(number), ..Sampling::default() };
        let request = Request::prompt(format!("goal {number}:")).with_sampling(sampling);
        let model = &model;
        async move { model.ask(&request).await }
    };
    let answers: Vec<_> = futures_util::stream::iter(0..1000).map(ask).buffer_unordered(32).collect().await;
    let lost: Vec<_> = answers.iter().filter_map(|answer| answer.as_ref().err()).collect();
    assert!(lost.is_empty(), "seed {SEED}: {} lost, such as {:?}", lost.len(), lost[0]);
    assert!(answers.iter().flatten().all(|answer| answer.choices.len() == 4), "seed {SEED}");

    let usage = model.usage();
    assert_eq!(usage.requests, peer.received().len() as u64, "seed {SEED}");
    assert_eq!(usage.requests, 1000 + usage.retries, "seed {SEED}");
    assert_eq!(usage.tokens(), completed.load(Ordering::Relaxed), "seed {SEED}");
    let summed: u64 = answers.iter().flatten().map(|answer| answer.usage.tokens()).sum();
    assert_eq!(summed, usage.tokens(), "seed {SEED}");
}

/// What is counted for a question that is answered so.
async fn counted(
    script: impl Fn(&Received, usize) -> Reply + Send + Sync + 'static,
    n: u32,
) -> (Usage, Usage) {
    let peer = Peer::start(script).await;
    let model = http(&peer.url);
    let usage = match model.ask(&request(n)).await {
        Ok(answer) => answer.usage,
        Err(failed) => failed.usage,
    };
    assert_eq!(usage.requests, peer.received().len() as u64);
    assert_eq!(usage.questions, 1);
    (usage, model.usage())
}

#[tokio::test]
async fn every_request_that_was_sent_counts_whatever_came_of_it() {
    let failing = |status| {
        move |_: &Received, _| {
            let usage = json!({ "prompt_tokens": 7, "completion_tokens": 1 });
            Reply::Json(status, json!({ "error": { "message": "no" }, "usage": usage }))
        }
    };
    // How often each failure is sent again: after some, also without log-probabilities, and without a seed.
    for (status, requests) in [(429, 8), (500, 3 * 3), (503, 8), (200, 3 * 3), (401, 1)] {
        let (usage, all) = counted(failing(status), 1).await;
        assert_eq!((usage.requests, usage.retries), (requests, requests - 1), "{status}");
        assert_eq!(usage.tokens(), 8 * requests, "{status}");
        assert_eq!(all, usage, "{status}");
    }
    // One that cannot be read was paid for, too.
    let unreadable = |_: &Received, _| Reply::Json(200, json!({ "usage": { "completion_tokens": 5 } }));
    let (usage, _) = counted(unreadable, 1).await;
    assert_eq!(usage.output_tokens, 5 * usage.requests);
    // Shorter answers and single ones are asked for instead of what failed, not beside it.
    let (usage, _) = counted(
        |r, _| match (r.body["max_tokens"].as_u64(), asked(r)) {
            (Some(513..), _) => Reply::Json(400, json!({ "code": "context_length_exceeded" })),
            (_, 2..) => Reply::Json(422, json!({ "detail": "no n" })),
            _ => Reply::Json(200, completion(1)),
        },
        3,
    )
    .await;
    // 2048 and 512 tokens; one, two and three texts.
    assert_eq!((usage.requests, usage.retries, usage.output_tokens), (6, 2, 8));
}

#[tokio::test]
async fn models_that_share_bounds_wait_for_each_other() {
    let peer =
        Peer::start(|_, number| if number == 0 { Reply::Silence } else { Reply::Json(200, completion(1)) })
            .await;
    let shared = Limiter::new(&andor_model::config::Limits { in_flight: 1, ..Default::default() });
    let (one, other) = (http(&peer.url).sharing(shared.clone()), http(&peer.url).sharing(shared));
    let request = Request::prompt("goal:").with_sampling(Sampling { n: 1, ..Sampling::default() });
    {
        let mut first = std::pin::pin!(one.ask(&request));
        tokio::select! {
            _ = &mut first => panic!("there is no answer"),
            () = peer.arrived() => {}
        }
        let second = other.ask(&request);
        tokio::select! {
            biased;
            _ = second => panic!("the first is still in flight"),
            () = tokio::task::yield_now() => {}
        }
        assert_eq!(peer.received().len(), 1);
    }
    // The first was given up: its slot is free.
    other.ask(&request).await.unwrap();
    assert_eq!(peer.received().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn tokens_per_minute_are_those_that_were_used() {
    let peer = Peer::start(|r, _| Reply::Json(200, completion(asked(r)))).await;
    let mut config = config(&peer.url);
    // Each request takes 3 + 2 × 10 tokens, of which 11 are foreseen.
    config.limits.tokens_per_minute = Some(60);
    let model = Http::new(config, None).unwrap();
    let request = Request::prompt("goal:").with_sampling(Sampling { n: 10, ..Sampling::default() });
    let began = tokio::time::Instant::now();
    for _ in 0..4 {
        model.ask(&request).await.unwrap();
    }
    // Three requests have taken 69 of 60 tokens: the fourth waits for 9 + 11, at one a second.
    assert!((19..=21).contains(&began.elapsed().as_secs()), "{:?}", began.elapsed());
}
