//! `andor replay` and `andor trace`, on the trace of a search in process.

use crate::support::{Folder, andor, left};
use serde_json::Value;

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

/// A folder with a trace.
fn traced() -> Folder {
    let folder = Folder::new();
    let (code, _, err) = run(&["bench", "measure", "traced-puct", "400", &folder.path("")]);
    assert_eq!(code, 0, "{err}");
    folder
}

fn trace(folder: &Folder) -> String {
    fs_err::read_to_string(folder.path("trace.jsonl")).unwrap()
}

#[test]
fn a_trace_is_replayed_to_the_digest_it_records() {
    let folder = traced();
    let last: Value = serde_json::from_str(trace(&folder).lines().last().unwrap()).unwrap();
    let recorded = last["tree_digest"].as_str().unwrap();
    for input in [folder.path(""), folder.path("trace.jsonl")] {
        let (code, out, err) = run(&["replay", &input]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.contains(&format!("digest      {recorded}, the same as recorded")), "{out}");
    }
    let (code, out, _) = run(&["replay", &folder.path(""), "--json", "--expect", recorded]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (code, &summary["tree_digest"], &summary["digest_recorded"]),
        (0, &last["tree_digest"], &true.into())
    );
    assert_eq!(summary["nodes"], last["tree"]["nodes"]);
    let (code, out, _) = run(&["replay", &folder.path(""), "--dot"]);
    assert_eq!((code, out.matches("shape=box").count() as u64), (0, summary["nodes"].as_u64().unwrap()));
}

#[test]
fn a_difference_ends_with_one_and_is_named() {
    let folder = traced();
    let forged =
        folder.write("forged.jsonl", &trace(&folder).replacen("\"visit_count\":1,", "\"visit_count\":9,", 1));
    let (code, out, err) = run(&["replay", &forged]);
    assert_eq!((code, out.as_str()), (1, ""), "{err}");
    assert!(err.contains("forged.jsonl: line 3: node.visit_count is 9 in the trace but 1 in"), "{err}");
    let (code, _, err) = run(&["replay", &folder.path(""), "--expect", "0123456789abcdef"]);
    assert_eq!(code, 1);
    assert!(err.contains("not 0123456789abcdef"), "{err}");
}

#[test]
fn the_trace_of_a_killed_program_is_followed_as_far_as_it_goes() {
    let folder = traced();
    let text = trace(&folder);
    let torn = folder.write("torn.jsonl", &text[..text.len() * 2 / 3]);
    let (code, out, err) = run(&["replay", &torn]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("the trace is truncated") && out.contains("none is recorded"), "{out}");
}

#[test]
fn a_trace_is_counted() {
    let folder = traced();
    let (code, out, err) = run(&["trace", "stats", &folder.path("")]);
    assert_eq!((code, err.as_str()), (0, ""));
    for part in ["reason ", "expanded ", "agent ", "in flight", "synthetic ", "collisions: 0", "depth "] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let (code, out, _) = run(&["trace", "stats", &folder.path(""), "--json"]);
    let stats: Value = serde_json::from_str(&out).unwrap();
    let iterations = trace(&folder).matches("\"event\":\"iteration\"").count() as u64;
    assert_eq!((code, stats["iterations"].as_u64()), (0, Some(iterations)));
    assert_eq!(stats["agents"][0]["share"], 1.0);
}

#[test]
fn what_is_no_trace_ends_with_two() {
    let folder = Folder::new();
    let text = folder.write("notes.txt", "hello\n");
    let empty = folder.write(
        "empty.jsonl",
        "{\"kind\":\"andor.trace\",\"format_version\":{\"major\":3,\"minor\":0},\"engine_version\":\"0.1.0\"}\n",
    );
    let old = folder.write(
        "old.jsonl",
        "{\"kind\":\"andor.trace\",\"format_version\":{\"major\":2,\"minor\":0},\"engine_version\":\"0.1.0\"}\n",
    );
    for (args, expected) in [
        (vec!["replay", &text], "notes.txt, line 1"),
        (vec!["replay", &empty], "empty.jsonl: the trace contains no search"),
        (vec!["replay", &old], "format version 2.0"),
        (vec!["trace", "stats", &old], "format version 2.0"),
        (vec!["replay", &folder.path("")], "is not a run folder: it has neither trace.jsonl nor theorems/"),
    ] {
        let (code, out, err) = run(&args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
}
