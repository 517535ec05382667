//! What is logged, how much of it, and in which format.

use std::process::Command;

use crate::support::{Folder, andor, left};
use serde_json::Value;

/// A search of some hundred tactics on the virtual clock.
const SEARCH: &str =
    "prove --system synthetic --statement open\u{a0}1 --time none --clock virtual --max-iterations 200";

fn search(more: &[&str]) -> Command {
    let args: Vec<String> = SEARCH.split(' ').map(|arg| arg.replace('\u{a0}', " ")).collect();
    andor(&[&args.iter().map(String::as_str).collect::<Vec<_>>()[..], more].concat())
}

/// Standard error of a command that finds no proof.
fn logged(command: &mut Command) -> String {
    let (code, _, err) = left(command.output().unwrap());
    assert_eq!(code, 1, "{err}");
    err
}

/// Log records of these targets.
fn records(err: &str, target: &str) -> Vec<Value> {
    let records = err.lines().map(|line| serde_json::from_str::<Value>(line).expect("every line is JSON"));
    records.filter(|r| r["target"] == target).collect()
}

/// The number of lines, without those on how close a search came.
fn told(err: &str) -> usize {
    err.lines().filter(|line| !line.starts_with("  ")).count()
}

/// What a record says, without times.
fn said(mut record: Value) -> Value {
    record.as_object_mut().unwrap().remove("timestamp");
    if let Some(fields) = record["fields"].as_object_mut() {
        fields.remove("took_ms");
    }
    record
}

#[test]
fn problems_are_told_even_if_it_is_to_be_quiet() {
    let refused = ["prove", "--statement", "theorem t (a : Nat) : a / 2 = a", "--system", "mini", "--quiet"];
    let (code, _, err) = left(andor(&refused).output().unwrap());
    assert_eq!(code, 2);
    assert!(err.contains("t: refused: ") && err.contains("unsupported: `/`"), "{err}");
}

#[test]
fn events_of_searches_are_not_logged_unless_asked_for() {
    let err = logged(&mut search(&[]));
    assert_eq!(told(&err), 1, "{err}");
    assert_eq!(logged(search(&["-q"]).env("LOG_RATE", "1")), "");
    // A variable shows its own class, and the rate says how much of it.
    let err = logged(search(&[]).env("LOG_RATE", "1"));
    assert!(
        err.contains("theorem{id=open-1}:attempt{number=1}:node{id=") && err.contains("tactic executed"),
        "{err}"
    );
    assert!(!err.contains("team move"), "{err}");
    assert!(logged(search(&[]).env("LOG_RATE_FREQUENT_EVENT", "1")).contains("team move"));
    assert_eq!(told(&logged(search(&[]).env("LOG_RATE", "0"))), 1);
    // RUST_LOG is above that.
    let quiet = logged(search(&[]).env("LOG_RATE", "1").env("RUST_LOG", "andor::standard=off"));
    assert_eq!(told(&quiet), 1, "{quiet}");
    let all = logged(search(&[]).env("RUST_LOG", "debug").env("LOG_RATE", "1"));
    assert!(all.contains("node expanded"), "{all}");
}

#[test]
fn records_say_where_they_come_from() {
    let mut command = search(&["--log-format", "json"]);
    let err = logged(command.env("LOG_RATE", "1").env("LOG_RATE_FREQUENT_EVENT", "1"));
    let of = |kind: &str| {
        let all = [records(&err, "andor::standard"), records(&err, "andor::frequent")].concat();
        all.into_iter().filter(|r| r["fields"]["message"] == kind).collect::<Vec<_>>()
    };
    for kind in ["tactic executed", "node expanded", "state reached", "tactic generated", "team move"] {
        let first = of(kind).into_iter().next().unwrap_or_else(|| panic!("no `{kind}` in {err}"));
        assert!(first["timestamp"].is_string() && first["level"] == "DEBUG", "{first}");
        let spans: Vec<&str> =
            first["spans"].as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
        assert_eq!(spans, ["run", "theorem", "attempt", "node"], "{first}");
        assert_eq!((&first["spans"][1]["id"], &first["spans"][2]["number"]), (&"open-1".into(), &1.into()));
        assert!(first["spans"][3]["id"].as_str().unwrap().starts_with("cp"), "{first}");
    }
    assert_eq!(of("team move").len(), 200, "one for each iteration");
    assert_eq!(records(&err, "andor::progress").len(), 1, "the result");
    // Errors too.
    let (code, _, err) = left(andor(&["prove", "missing.v", "--log-format", "json"]).output().unwrap());
    assert_eq!(code, 2);
    assert_eq!(serde_json::from_str::<Value>(err.trim()).unwrap()["level"], "ERROR", "{err}");
}

#[test]
fn best_first_search_logs_its_queue() {
    let moves = |policy: &[&str]| -> Vec<(String, String, f64)> {
        let options = [&["--log-format", "json"], policy].concat();
        let err = logged(search(&options).env("LOG_RATE_FREQUENT_EVENT", "1"));
        let records = records(&err, "andor::frequent").into_iter();
        let records = records.filter(|record| record["fields"]["message"] == "queue move");
        let said = records.map(|record| {
            let node = record["spans"].as_array().unwrap().last().unwrap()["id"].clone();
            let (node, what) = (node.as_str().unwrap().to_owned(), record["fields"]["move"].clone());
            (node, what.as_str().unwrap().to_owned(), record["fields"]["priority"].as_f64().unwrap())
        });
        said.collect()
    };
    let moves_of_queue = moves(&["--policy", "best-first", "--expand", "first-novel"]);
    let mut waiting: Vec<(String, f64)> = vec![(moves_of_queue[0].0.clone(), moves_of_queue[0].2)];
    let mut n_taken = 0;
    for (node, what, priority) in moves_of_queue {
        if what == "push" {
            waiting.push((node, priority));
            continue;
        }
        assert_eq!(what, "pop");
        let at = waiting.iter().position(|(waiting, _)| *waiting == node);
        let (_, queued_with) = waiting.remove(at.expect("what is taken out was put in"));
        assert_eq!(queued_with, priority, "{node}");
        assert!(waiting.iter().all(|(_, other)| *other <= priority), "{node} is the best");
        n_taken += 1;
    }
    assert_eq!(n_taken, 200, "one for each iteration");
    assert_eq!(moves(&["--policy", "ucb1"]), [], "a walk has no queue");
}

#[test]
fn equal_runs_log_equal_events_whatever_runs_beside() {
    let folder = Folder::new();
    let rows =
        (1..=6).map(|i| format!(r#"{{"id": "t{i}", "system": "synthetic", "statement": "open {i}"}}"#));
    let rows = folder.write("rows.jsonl", &rows.collect::<Vec<_>>().join("\n"));
    let of = |jobs: &str| {
        let args =
            format!("--time none --clock virtual --max-iterations 300 --log-format json --jobs {jobs}");
        let args: Vec<&str> = ["prove", &rows].into_iter().chain(args.split(' ')).collect();
        let err = logged(andor(&args).env("LOG_RATE", "0.05").env("LOG_RATE_FREQUENT_EVENT", "0.02"));
        let both = ["andor::standard", "andor::frequent"].map(|target| {
            let mut lines: Vec<String> =
                records(&err, target).into_iter().map(|r| said(r).to_string()).collect();
            // Attempts run beside each other, so only the order within each is the same.
            lines.sort_unstable();
            lines
        });
        assert!(both.iter().all(|lines| lines.len() > 10), "{err}");
        both
    };
    assert_eq!(of("1"), of("3"));
}

#[test]
fn rates_and_filters_are_checked() {
    for (variable, value, expected) in [
        ("LOG_RATE", "2", "must be a number from 0 to 1"),
        ("LOG_RATE", "-0.1", "must be a number from 0 to 1"),
        ("LOG_RATE", "often", "must be a number from 0 to 1"),
        ("LOG_RATE_FREQUENT_EVENT", "NaN", "must be a number from 0 to 1"),
        ("RUST_LOG", "andor=loud", "write for example"),
    ] {
        let (code, out, err) = left(search(&[]).env(variable, value).output().unwrap());
        assert_eq!((code, out.as_str()), (2, ""), "{variable}={value}: {err}");
        assert!(
            err.starts_with(&format!("error: {variable}=`{value}`: ")) && err.contains(expected),
            "{err}"
        );
    }
    let (code, _, err) = left(search(&["--log-format", "xml"]).output().unwrap());
    assert!(code == 2 && err.contains("[possible values: text, json]"), "{err}");
}
