//! Records and replays.

use std::path::Path;
use std::sync::Arc;

use andor_model::{
    Answer, Choice, Model, ModelError, Record, Recorded, Replay, Request, Sampling, Scripted, read_record,
};

/// A model that answers by the prompt and by how often it was asked.
fn model() -> Scripted {
    Scripted::new("prover", |request, asked| {
        if matches!(&request.input, andor_model::Input::Prompt(text) if text == "too long") {
            return Err(ModelError::ContextTooLong {
                prompt: Some(9),
                limit: Some(8),
                message: String::new(),
            });
        }
        Ok(Answer {
            choices: vec![Choice::of_token(format!("tactic {asked}"), -0.1 / 3.0)],
            ..Answer::default()
        })
    })
}

async fn ask(model: &dyn Model, prompt: &str) -> Result<Answer, ModelError> {
    model.ask(&Request::prompt(prompt)).await.map_err(|failed| failed.error)
}

/// Records the answers to these prompts.
async fn recorded(path: &Path, prompts: &[&str]) -> Vec<Result<Answer, ModelError>> {
    let model = Recorded::new(model(), Arc::new(Record::open(path).unwrap()));
    let mut answers = Vec::new();
    for prompt in prompts {
        answers.push(ask(&model, prompt).await);
    }
    answers
}

async fn replayed(path: &Path, prompts: &[&str]) -> Vec<Result<Answer, ModelError>> {
    let model = Replay::open(path, None).unwrap();
    let mut answers = Vec::new();
    for prompt in prompts {
        answers.push(ask(&model, prompt).await);
    }
    answers
}

#[tokio::test]
async fn a_replay_answers_as_the_model_did_in_its_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl.gz");
    let first = recorded(&path, &["a", "b", "a", "too long", "a"]).await;
    assert_eq!(replayed(&path, &["a", "b", "a", "too long", "a"]).await, first);
    // The order is that of each request: others may come in between.
    let other = replayed(&path, &["b", "too long", "a", "a", "a"]).await;
    assert_eq!(other[2..], [first[0].clone(), first[2].clone(), first[4].clone()]);
}

#[tokio::test]
async fn what_is_not_recorded_is_an_error_or_the_models_affair() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl.gz");
    recorded(&path, &["a"]).await;
    let replay = Replay::open(&path, None).unwrap();
    assert_eq!((replay.name(), replay.left()), ("prover", 1));
    ask(&replay, "a").await.unwrap();
    let error = ask(&replay, "a").await.unwrap_err();
    assert!(error.to_string().contains("answer number 2"), "{error}");
    let other = Request::prompt("a").with_sampling(Sampling { seed: Some(1), ..Sampling::default() });
    let missing = replay.ask(&other).await.unwrap_err().error;
    assert!(matches!(missing, ModelError::MissingRecord { asked: 0, .. }));
    let replay =
        Replay::open(&path, Some("prover")).unwrap().or_else_ask(Arc::new(Scripted::always(["fresh"])));
    assert_eq!(ask(&replay, "b").await.unwrap().choices[0].text, "fresh");
    let error = Replay::open(&path, Some("planner")).unwrap_err();
    assert!(error.to_string().ends_with("model `planner` was not asked; asked: prover"), "{error}");
}

#[tokio::test]
async fn a_record_is_continued_and_stores_each_request_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl.gz");
    let mut answers = recorded(&path, &["a", "b"]).await;
    answers.extend(recorded(&path, &["a"]).await);
    assert_eq!(replayed(&path, &["a", "b", "a"]).await, answers);
    let stored: Vec<bool> = read_record(&path).unwrap().iter().map(|entry| entry.request.is_some()).collect();
    assert_eq!(stored, [true, true, false]);
}

/// Wherever the file is cut, all records before the cut are read, and it can be continued.
#[tokio::test]
async fn a_record_cut_off_anywhere_keeps_what_was_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("requests.jsonl.gz");
    let record = Arc::new(Record::open(&path).unwrap());
    let model = Recorded::new(model(), record);
    let mut ends = Vec::new();
    for prompt in ["a", "b", "c"] {
        ask(&model, prompt).await.unwrap();
        // It was flushed: a program that is killed now has lost nothing.
        ends.push(std::fs::metadata(&path).unwrap().len());
    }
    let bytes = std::fs::read(&path).unwrap();
    for length in 0..=bytes.len() {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let complete = ends.iter().filter(|end| **end <= length as u64).count();
        let read = read_record(&path).unwrap().len();
        assert!(read >= complete, "{read} of {complete} at {length}");
    }
    for length in [1, ends[0] as usize + 3, ends[1] as usize - 1, bytes.len()] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let before = read_record(&path).unwrap().len();
        recorded(&path, &["d"]).await;
        assert_eq!(read_record(&path).unwrap().len(), before + 1, "cut at {length}");
    }
}

#[test]
fn what_is_no_record_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Replay::open(&folder.path().join("none"), None).unwrap_err();
    assert!(matches!(missing, ModelError::Record { .. }), "{missing}");
    let path = folder.path().join("empty");
    std::fs::write(&path, "").unwrap();
    let empty = Replay::open(&path, None).unwrap_err();
    assert!(empty.to_string().ends_with("it is empty: no model was asked"), "{empty}");
}
