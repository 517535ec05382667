//! Against a real llama.cpp server with a model whose answers are known exactly.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use andor_model::capabilities::{Choices, LogProbShape, Server};
use andor_model::config::Kind;
use andor_model::request::Grammar;
use andor_model::{Answer, ApiKey, Finish, Http, Message, Model, ModelError, Piece, Request, Sampling};
use andor_testkit::bigram;
use andor_testkit::llama::{Llama, Options};
use futures_util::future::join_all;

use super::config;

/// After a colon: tactics. After a turnstile (its last byte): one that ends in a character of three bytes. After a
/// question mark: a plan.
const TABLES: &[bigram::Table<'_>] = &[
    (
        b':',
        &[("intros.", 0.4), ("reflexivity.", 0.2), ("simpl.", 0.15), ("induction n.", 0.15), ("auto.", 0.1)],
    ),
    ("⊢".as_bytes()[2], &[("exact ⟨h⟩", 1.0)]),
    (b'?', &[("first then second", 1.0)]),
];

struct Served {
    llama: Llama,
    _folder: tempfile::TempDir,
}

async fn serve(options: Options) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("bigram.gguf");
    bigram::write(&model, TABLES).unwrap();
    Served { llama: Llama::start(&model, &options).await, _folder: folder }
}

fn sampling(n: u32) -> Sampling {
    Sampling { n, temperature: 1.0, max_tokens: Some(16), seed: Some(11), ..Sampling::default() }
}

fn tactics(n: u32) -> Request {
    Request::prompt("goal:").with_sampling(sampling(n))
}

fn counts(answer: &Answer) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    answer.choices.iter().for_each(|choice| *counts.entry(choice.text.as_str()).or_default() += 1);
    counts
}

#[tokio::test]
async fn priors_are_the_models_probabilities_and_rank_like_them() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let answer = model.ask(&tactics(64)).await.unwrap();
    assert_eq!(answer.choices.len(), 64);
    let known: BTreeMap<&str, f64> = TABLES[0].1.iter().copied().collect();
    for choice in &answer.choices {
        let expected = known[choice.text.as_str()].ln();
        assert!((choice.log_prob().unwrap() - expected).abs() < 1e-5, "{choice:?}");
        // The end of the text is none of its tokens, but counted: it is certain here.
        assert_eq!(choice.log_probs.as_ref().unwrap().len(), 1);
        assert!(choice.end_log_prob.unwrap().abs() < 1e-5);
        assert_eq!(choice.finish, Finish::Stop);
    }
    // Duplicates are left in: their number is information.
    let counts = counts(&answer);
    assert!(counts.len() <= 5 && counts.values().sum::<usize>() == 64);
    assert!(counts["intros."] > counts.get("auto.").copied().unwrap_or(0), "{counts:?}");
    // The server counts two tokens of the first answer only. It refuses so many answers at a time, and is asked for one first.
    assert_eq!(answer.usage.output_tokens, 128 + 2);
}

#[tokio::test]
async fn equal_seeds_give_equal_answers_and_others_do_not() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let texts = async |seed| {
        let request = tactics(20).with_sampling(Sampling { seed: Some(seed), ..sampling(20) });
        model.ask(&request).await.unwrap().choices.into_iter().map(|c| c.text).collect::<Vec<_>>()
    };
    assert_eq!(texts(1).await, texts(1).await);
    assert_ne!(texts(1).await, texts(2).await);
}

#[tokio::test]
async fn more_answers_than_slots_are_asked_for_by_several_requests() {
    let served = serve(Options { slots: 2, ..Options::default() }).await;
    let model = super::http(&served.llama.url);
    // Unprobed, the server's refusal shows it.
    assert_eq!(model.ask(&tactics(5)).await.unwrap().choices.len(), 5);
    assert_eq!(model.capabilities().choices, Choices::UpTo(Some(1)));

    let model = super::http(&served.llama.url);
    assert_eq!(model.probe().await.unwrap().choices, Choices::UpTo(Some(2)));
    let answer = model.ask(&tactics(5)).await.unwrap();
    assert_eq!((answer.choices.len(), answer.usage.requests), (5, 3));
}

#[tokio::test]
async fn the_probe_finds_what_the_server_can_do() {
    let served = serve(Options::default()).await;
    let config = andor_model::ModelConfig { model: String::new(), ..config(&served.llama.url) };
    let model = Http::new(config, None).unwrap();
    let found = model.probe().await.unwrap();
    assert_eq!(found.server, Server::LlamaCpp);
    assert_eq!(found.choices, Choices::UpTo(Some(8)));
    assert_eq!(found.log_probs, Some(LogProbShape::Content));
    assert_eq!(found.context, Some(512));
    assert_eq!((found.seed, found.grammar, found.prompt_lists), (Some(true), Some(true), true));
    assert_eq!(model.name(), "bigram");
    assert_eq!(
        found.notes(),
        ["It gives at most 8 answers a request: more are asked for by several requests at a time."]
    );
}

#[tokio::test]
async fn several_prompts_are_answered_in_their_order() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let request = Request::prompts(["goal:", "plan?"]).with_sampling(sampling(3));
    let answer = model.ask(&request).await.unwrap();
    let prompts: Vec<usize> = answer.choices.iter().map(|choice| choice.prompt).collect();
    assert_eq!(prompts, [0, 0, 0, 1, 1, 1]);
    assert!(answer.choices[3..].iter().all(|choice| choice.text == "first then second"));
    assert!(answer.choices[..3].iter().all(|choice| choice.text != "first then second"));
}

#[tokio::test]
async fn a_stop_inside_the_only_token_leaves_the_prior_unknown() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let stop = vec![" then".to_owned()];
    let request = Request::prompt("plan?").with_sampling(Sampling { stop, ..sampling(1) });
    let answer = model.ask(&request).await.unwrap();
    assert_eq!(answer.choices[0].text, "first");
    assert_eq!(answer.choices[0].log_prob(), None);
}

#[tokio::test]
async fn a_prompt_beyond_the_context_is_an_error_of_its_own() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let request = Request::prompt("x".repeat(3000)).with_sampling(sampling(1));
    let error = model.ask(&request).await.unwrap_err().error;
    let ModelError::ContextTooLong { prompt, limit, .. } = &error else { panic!("{error}") };
    assert_eq!(*limit, Some(512));
    assert!(*prompt > Some(2990), "{prompt:?}");
    // It is the request's fault: it was sent once.
    assert_eq!(model.usage().requests, 1);
}

#[tokio::test]
async fn a_wrong_or_missing_key_is_said_and_the_right_one_works() {
    let key = Some("the-right-key".to_owned());
    let served = serve(Options { key, ..Options::default() }).await;
    let with = |key: Option<&str>| Http::new(config(&served.llama.url), key.map(ApiKey::new)).unwrap();
    for key in [None, Some("a-wrong-key")] {
        let error = with(key).ask(&tactics(1)).await.unwrap_err().error;
        assert!(matches!(error, ModelError::Unauthorized { status: 401, .. }), "{error}");
        assert!(error.is_fatal());
    }
    assert_eq!(with(Some("the-right-key")).ask(&tactics(1)).await.unwrap().choices.len(), 1);
}

#[tokio::test]
async fn a_server_killed_in_the_middle_is_an_interruption() {
    let served = serve(Options { slots: 1, context: 8192, ..Options::default() }).await;
    let mut config = config(&served.llama.url);
    config.retries.tries = 1;
    let model = Http::new(config, None).unwrap();
    model.probe().await.unwrap();
    let mut request =
        Request::prompt("goal:").with_sampling(Sampling { max_tokens: Some(4000), ..sampling(1) });
    request.grammar = Some(Grammar::Gbnf("root ::= part{60}\npart ::= \"z\"{60}".to_owned()));
    let mut llama = Some(served.llama);
    let mut kill = |_: Piece<'_>| {
        drop(llama.take());
        ControlFlow::Continue(())
    };
    let error = model.stream(&request, &mut kill).await.unwrap_err().error;
    assert!(matches!(error, ModelError::Interrupted { .. }), "{error}");
    let error = model.ask(&request).await.unwrap_err().error;
    assert!(matches!(error, ModelError::Unreachable { .. }), "{error}");
}

#[tokio::test]
async fn a_server_that_starts_slowly_is_waited_for() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let model = super::http(&format!("http://127.0.0.1:{port}/v1"));
    let (ready, _served) = tokio::join!(model.ready(), serve(Options { port, ..Options::default() }));
    assert_eq!(ready.unwrap().models, ["bigram"]);
    assert_eq!(model.ask(&tactics(1)).await.unwrap().choices.len(), 1);
}

#[tokio::test]
async fn sixty_four_clients_are_all_served() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let answers = join_all((0..64).map(|seed| {
        let request = tactics(2).with_sampling(Sampling { seed: Some(seed), ..sampling(2) });
        let model = &model;
        async move { model.ask(&request).await }
    }))
    .await;
    assert!(answers.iter().all(|answer| answer.as_ref().is_ok_and(|a| a.choices.len() == 2)));
    let usage = model.usage();
    assert_eq!((usage.requests, usage.retries, usage.output_tokens), (64, 0, 256));
}

#[tokio::test]
async fn prompts_and_answers_are_unicode() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let request = Request::prompt("∀ x, p x ⊢").with_sampling(sampling(1));
    let choice = &model.ask(&request).await.unwrap().choices[0];
    assert_eq!(choice.text, "exact ⟨h⟩");
    assert!(choice.log_prob().unwrap().abs() < 1e-5);
}

#[tokio::test]
async fn a_grammar_holds_the_model() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    model.probe().await.unwrap();
    let mut request = tactics(4);
    request.grammar = Some(Grammar::Choice(vec!["auto.".to_owned(), "simpl.".to_owned()]));
    let answer = model.ask(&request).await.unwrap();
    assert!(answer.choices.iter().all(|c| ["auto.", "simpl."].contains(&c.text.as_str())), "{answer:?}");
}

#[tokio::test]
async fn streams_give_what_whole_answers_give() {
    let served = serve(Options::default()).await;
    let model = super::http(&served.llama.url);
    let whole = model.ask(&tactics(8)).await.unwrap();
    let mut pieces = 0;
    let mut read = |_: Piece<'_>| {
        pieces += 1;
        ControlFlow::Continue(())
    };
    let streamed = model.stream(&tactics(8), &mut read).await.unwrap();
    assert_eq!(streamed.choices, whole.choices);
    assert_eq!(streamed.usage.output_tokens, 16);
    assert!(pieces >= 8);
}

#[tokio::test]
async fn chat_and_responses_answer_conversations() {
    let served = serve(Options::default()).await;
    for kind in [Kind::Chat, Kind::Responses] {
        let model = Http::new(andor_model::ModelConfig { kind, ..config(&served.llama.url) }, None).unwrap();
        let request = Request::messages(vec![Message::system("Prove it. "), Message::user("plan?")]);
        let answer = model.ask(&request.with_sampling(sampling(2))).await.unwrap();
        let texts: Vec<&str> = answer.choices.iter().map(|choice| choice.text.as_str()).collect();
        assert_eq!(texts, ["first then second"; 2], "{kind:?}");
        let known = answer.choices[0].log_prob();
        assert_eq!(known.is_some(), kind == Kind::Chat, "this server states none in `responses`");
        assert!(answer.usage.output_tokens >= 4, "{:?}", answer.usage);
    }
}
