//! All recorded exchanges are framed and read, by players that insist on their order.

use andor_system_lean::LEAN4;
use std::path::{Path, PathBuf};
use std::time::Duration;

use andor_env::error::EnvError;
use andor_env::worker::{Grouping, TacticLimits, TacticOutcome};
use andor_process::error::ProcessError;
use andor_process::{ChildProcess, ChildSpec, ResourceLimits};
use andor_system_lean::exchange::{Exchange, Framing};
use andor_system_lean::goal::read_goal;
use andor_system_lean::pantograph::message as pantograph;
use andor_system_lean::repl::message as repl;
use andor_testkit::lean_fakes::recorded::{Pair, read};
use andor_testkit::{block_on, theorem};
use serde_json::{Value, json};

use super::prover::{Kind, launch, worker};

const LIMITS: TacticLimits = TacticLimits { wall: Duration::from_secs(60), cpu: None };

fn file(program: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/recorded/{program}.jsonl"))
}

fn player(program: &str, session: &str) -> Exchange {
    let (path, framing) = match program {
        "repl" => (env!("CARGO_BIN_EXE_fake-repl"), Framing::EmptyLine),
        _ => (env!("CARGO_BIN_EXE_fake-pantograph"), Framing::Line),
    };
    let spec = ChildSpec {
        program: path.to_owned(),
        args: vec![format!("--play={}#{session}", file(program).display())],
        env: Vec::new(),
        directory: "/".into(),
        limits: ResourceLimits::default(),
    };
    Exchange::new(ChildProcess::spawn(&spec).expect("the player starts"), framing)
}

async fn ask(exchange: &mut Exchange, request: &Value) -> Result<Value, EnvError> {
    exchange.ask(request, "playing", LIMITS, Duration::ZERO).await
}

/// Plays all sessions of a program; `check` reads each response.
fn play(program: &str, check: impl Fn(&str, &Pair)) -> usize {
    block_on(async {
        let mut played = 0;
        for (session, pairs) in read(&file(program)) {
            let mut exchange = player(program, &session);
            if program == "pantograph" {
                let greeting = exchange.greeting("starting", LIMITS).await.expect("it starts");
                assert_eq!(greeting, "ready.");
            }
            for pair in &pairs {
                let response = ask(&mut exchange, &pair.request).await.expect("it answers");
                assert_eq!(response, pair.response, "{session}");
                check(&session, pair);
                played += 1;
            }
        }
        played
    })
}

#[test]
fn every_exchange_with_the_repl_is_read() {
    let played = play("repl", |session, Pair { request, response }| {
        let context = format!("{session}: {request}");
        match repl::Reply::read(response).unwrap_or_else(|error| panic!("{context}: {error}")) {
            repl::Reply::Failed(message) => assert_eq!(response["message"], message, "{context}"),
            repl::Reply::Environment(read) => {
                assert_eq!(response["env"], read.number, "{context}");
                read.sorries.iter().for_each(|sorry| assert!(read_goal(&sorry.goal).is_ok(), "{context}"));
            }
            repl::Reply::Step(step) => {
                assert!(step.status.is_some(), "{context}");
                assert_eq!(response["goals"], json!(step.goals), "{context}");
                step.goals.iter().for_each(|goal| assert!(read_goal(goal).is_ok(), "{context}"));
            }
        }
        if let (Some(text), Some(state)) = (request["tactic"].as_str(), request["proofState"].as_u64()) {
            assert_eq!(repl::Request::Tactic { text, state }.encode(), *request);
        }
    });
    assert_eq!(played, 210);
}

#[test]
fn every_exchange_with_pantograph_is_read() {
    let played = play("pantograph", |session, Pair { request, response }| {
        let context = format!("{session}: {request}");
        if pantograph::error_of(response).unwrap_or_else(|error| panic!("{context}: {error}")).is_some() {
            return;
        }
        match request["cmd"].as_str() {
            Some("goal.tactic") => {
                let step = pantograph::Step::read(response).unwrap_or_else(|e| panic!("{context}: {e}"));
                let made = matches!(step, pantograph::Step::Made(_));
                assert_eq!(made, response.get("nextStateId").is_some(), "{context}");
            }
            Some("frontend.process" | "frontend.distil") => {
                pantograph::opened(response).unwrap_or_else(|error| panic!("{context}: {error}")).unwrap();
            }
            _ => {}
        }
    });
    assert_eq!(played, 100);
}

#[test]
fn a_player_insists_on_the_order() {
    block_on(async {
        for program in ["repl", "pantograph"] {
            let (session, pairs) =
                read(&file(program)).into_iter().find(|(_, pairs)| pairs.len() > 2).unwrap();
            let mut exchange = player(program, &session);
            if program == "pantograph" {
                exchange.greeting("starting", LIMITS).await.unwrap();
            }
            let error = ask(&mut exchange, &pairs[1].request).await.unwrap_err();
            assert!(
                matches!(&error, EnvError::Process(ProcessError::Died { stderr, .. }) if stderr.contains("expected")),
                "{error}"
            );
            assert!(matches!(ask(&mut exchange, &pairs[0].request).await, Err(EnvError::Lost)));
        }
    });
}

/// What is asked of Pantograph is exactly this: tactics on the first goal of one state and, once enough of what they made is
/// released, its deletion.
#[test]
fn released_states_are_deleted_together() {
    let request = |request: pantograph::Request| request.encode();
    let state = |number: u64, target: &str| {
        let goal = json!({"name": "_uniq.1", "fragment": "tactic", "target": {"pp": target}, "vars": []});
        json!({"nextStateId": number, "stateId": number, "goals": [goal], "messages": []})
    };
    let mut pairs = vec![
        (request(pantograph::Request::options(300_000)), json!({})),
        (
            request(pantograph::Request::distil("theorem t : True\n  := sorry")),
            json!({"targets": [state(0, "True")]}),
        ),
        (request(pantograph::Request::options(60_000)), json!({})),
    ];
    let skip = |number| (request(pantograph::Request::tactic(0, 0, false, "skip")), state(number, "True"));
    pairs.extend((1..=32).map(skip));
    pairs.push((request(pantograph::Request::delete(&(1..=32).collect::<Vec<_>>())), json!({})));
    pairs.push(skip(33));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("session.jsonl");
    let line = |(request, response): &(Value, Value)| {
        json!({"session": "s", "request": request, "response": response}).to_string() + "\n"
    };
    std::fs::write(&file, pairs.iter().map(line).collect::<String>()).unwrap();
    block_on(async {
        let launch = launch(Kind::Pantograph, &[&format!("--play={}#s", file.display())]);
        let mut worker = worker(Kind::Pantograph, launch, Grouping::Coupled);
        let opened = worker.open(&theorem(LEAN4, "t", "theorem t : True")).await.unwrap();
        for _ in 0..33 {
            let outcome = worker.apply(opened.state, 0, "skip", LIMITS).await.unwrap();
            let TacticOutcome::Applied { state, .. } = outcome else { panic!("{outcome:?}") };
            worker.release(state);
        }
        assert_eq!(worker.health().n_states, 1);
    });
}
