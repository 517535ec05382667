use andor_system_lean::LEAN4;
use andor_system_rocq::ROCQ;
use std::path::Path;
use std::sync::Mutex;

use andor_core::goal::{Goal, Term};
use andor_core::theorem::Theorem;
use andor_model::{Finish, Input, Scripted};

use andor_model::ModelError;

use super::*;
use crate::contract::{Call, FailedTactic, ask, ask_draft};

fn theorem(system: System) -> Theorem {
    Theorem {
        id: "t".to_owned(),
        name: "t".to_owned(),
        system,
        header: "Require Import Lia.".to_owned(),
        statement: "Theorem t : forall n, n = n + 0.".to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    }
}

fn goal(text: &str) -> Goal {
    Goal { target: Term::textual(text), ..Goal::default() }
}

fn llm(model: Scripted, template: &str) -> Llm {
    let template = Template::built_in(template).unwrap();
    Llm::new("m", Arc::new(model), template, Sampling::default(), Prices::default(), 0)
}

/// What a provider suggests at a goal, as tactics with their priors.
async fn suggested(llm: &Llm, system: System) -> Vec<(String, f64)> {
    let (theorem, goals) = (theorem(system), [goal("n = n + 0")]);
    let answer = ask(llm, Request::new(&theorem, &goals)).await.unwrap();
    answer.candidates.into_iter().map(|c| (c.tactic, c.log_prior)).collect()
}

#[tokio::test]
async fn log_probabilities_become_averages_per_token() {
    let two = |text: &str, each: f64| {
        let token = |token: &str| andor_model::TokenLogProb {
            token: token.to_owned(),
            log_prob: Some(each),
            top: Vec::new(),
        };
        Choice { log_probs: Some(vec![token("a"), token("b")]), ..Choice::of_text(text) }
    };
    let choices =
        vec![two("simp", -0.5), two("rfl", -0.25), two("simp\n", -0.75), Choice::of_token("", -0.1)];
    let model = Scripted::new("m", move |_, _| Ok(Answer { choices: choices.clone(), ..Answer::default() }));
    let found = suggested(&llm(model, "bfs-prover"), LEAN4).await;
    assert_eq!(found, [("rfl".to_owned(), -0.25), ("simp".to_owned(), -0.5)]);
}

#[tokio::test]
async fn unknown_probabilities_are_shares_of_the_answers() {
    let model = Scripted::always(["intro h", "simp", "intro h", "intro h"]);
    let found = suggested(&llm(model, "bfs-prover"), LEAN4).await;
    assert_eq!(found[0].0, "intro h");
    assert!((found[0].1 - 0.75_f64.ln()).abs() < 1e-12 && (found[1].1 - 0.25_f64.ln()).abs() < 1e-12);
}

#[tokio::test]
async fn an_answer_may_list_several_tactics() {
    let model = Scripted::always(["```coq\n1. lia.\n2. auto.\n```", "```\nauto.\n```"]);
    let found = suggested(&llm(model, "chat-rocq"), ROCQ).await;
    assert_eq!(found.iter().map(|(tactic, _)| tactic.as_str()).collect::<Vec<_>>(), ["auto", "lia"]);
    assert!((found[0].1 - 0.6_f64.ln()).abs() < 1e-12, "{found:?}");
}

#[tokio::test]
async fn a_prompt_says_what_is_known_of_the_state() {
    let seen: Arc<Mutex<Vec<ModelRequest>>> = Arc::default();
    let log = Arc::clone(&seen);
    let model = Scripted::new("m", move |request, _| {
        log.lock().unwrap().push(request.clone());
        Ok(Answer::of_texts(["rw [h]"]))
    });
    let llm = llm(model, "chat-rocq");
    let (theorem, goals) = (theorem(ROCQ), [goal("n = n + ?x.123")]);
    let failed = [FailedTactic { tactic: "omega".into(), error: "not found".into() }];
    let call = Call { seed: 3, number: 1, ..Call::default() };
    let notes = ["mind the dialect".into()];
    let request = Request { failed: &failed, call, notes: &notes, ..Request::new(&theorem, &goals) };
    let answer = llm.suggest(request).await.unwrap();
    assert!(answer.notes[0].contains("rewrite"), "{:?}", answer.notes);

    let sent = seen.lock().unwrap().pop().unwrap();
    assert_eq!(sent.sampling.seed, Some(call.sampling_seed()));
    let Input::Messages(messages) = sent.input else { panic!("{sent:?}") };
    assert_eq!(messages.len(), 2);
    for part in
        ["Require Import Lia.", "Theorem t :", "n = n + ?x.1", "`omega`: not found", "mind the dialect"]
    {
        assert!(messages[1].content.contains(part), "{part}: {}", messages[1].content);
    }
}

#[tokio::test]
async fn a_prompt_that_is_too_long_is_shortened_once() {
    let too_long = || ModelError::ContextTooLong { prompt: None, limit: Some(10), message: String::new() };
    let model = Scripted::new("m", move |request, _| {
        let Input::Messages(messages) = &request.input else { panic!("{request:?}") };
        if messages[1].content.contains("Require Import") {
            Err(too_long())
        } else {
            Ok(Answer::of_texts(["lia."]))
        }
    });
    assert_eq!(suggested(&llm(model, "chat-rocq"), ROCQ).await[0].0, "lia");

    let never = Scripted::new("m", move |_, _| Err(too_long()));
    let (theorem, goals) = (theorem(ROCQ), [goal("True")]);
    let answer = ask(&llm(never, "chat-rocq"), Request::new(&theorem, &goals)).await.unwrap();
    assert!(answer.candidates.is_empty() && answer.failures.len() == 1, "{answer:?}");
}

#[tokio::test]
async fn errors_are_told_apart_by_what_helps() {
    let message = || "…".to_owned();
    for (error, fatal) in [
        (ModelError::Unauthorized { status: 401, message: message() }, true),
        (ModelError::NotFound { message: message() }, true),
        (ModelError::Overloaded { status: 503, retry_after: None, message: message() }, false),
        (ModelError::BadRequest { status: 400, message: message() }, false),
    ] {
        let model = Scripted::new("m", move |_, _| Err(error.clone()));
        let (theorem, goals) = (theorem(LEAN4), [goal("True")]);
        let answer = ask(&llm(model, "bfs-prover"), Request::new(&theorem, &goals)).await;
        assert_eq!(answer.is_err(), fatal, "{answer:?}");
    }
}

#[tokio::test]
async fn an_answer_without_a_tactic_is_a_failure_with_its_reason() {
    let text = |text: &str, finish: Finish| Choice { finish, ..Choice::of_text(text) };
    let reasoned = |finish: Finish| Choice { reasoning: Some("hm".to_owned()), finish, ..Choice::default() };
    for (choice, said) in [
        (text("<think>perhaps", Finish::Length), "cut off while the model reasons, at max_tokens = 2048"),
        (reasoned(Finish::Length), "cut off while the model reasons"),
        (reasoned(Finish::Stop), "1 with reasoning and nothing after it"),
        (text("", Finish::Length), "1 cut off at max_tokens = 2048 (raise it)"),
        (text("", Finish::ToolCalls), "1 that call a tool"),
        (text("", Finish::Filtered), "withheld by a filter"),
        (text("<|im_end|>", Finish::Stop), "1 empty"),
    ] {
        for (template, drafts) in [("bfs-prover", false), ("chat-lean4", false), ("chat-lean4", true)] {
            let choices = vec![choice.clone()];
            let model =
                Scripted::new("m", move |_, _| Ok(Answer { choices: choices.clone(), ..Answer::default() }));
            let mut llm = llm(model, template);
            if drafts {
                llm.template.form = Form::Proof;
            }
            let (theorem, goals) = (theorem(LEAN4), [goal("True")]);
            let request = Request::new(&theorem, &goals);
            let failure = match drafts {
                true => ask_draft(&llm, request, &DraftHistory::default()).await.unwrap().failure,
                false => ask(&llm, request).await.unwrap().failures.pop(),
            };
            let failure = failure.expect("it is told");
            assert!(failure.has_answered && failure.reason.contains(said), "{choice:?}: {failure:?}");
        }
    }
}

#[tokio::test]
async fn a_template_of_ones_own_can_be_used() {
    let template =
        Template::read("{{ theorem.name }}|{{ state_first }}", Path::new("p.j2"), Form::Tactic).unwrap();
    let model = Scripted::new("m", |request, _| {
        assert_eq!(request.input, Input::Prompt("t|⊢ n = n + 0".to_owned()));
        Ok(Answer::of_texts(["lia."]))
    });
    let llm = Llm::new("m", Arc::new(model), template, Sampling::default(), Prices::default(), 0);
    assert_eq!(suggested(&llm, ROCQ).await[0].0, "lia");
}
