//! `andor verify` on single traces, and `andor trace`, on the trace of a search in process.

use crate::support::{Folder, andor, andor_lab, left};
use serde_json::Value;

fn run(args: &[&str]) -> (i32, String, String) {
    left(andor(args).output().unwrap())
}

/// A folder with a trace.
fn traced() -> Folder {
    let folder = Folder::new();
    let made = andor_lab(&["bench", "measure", "traced-puct", "400", &folder.path("")]).output().unwrap();
    let (code, _, err) = left(made);
    assert_eq!(code, 0, "{err}");
    folder
}

fn trace(folder: &Folder) -> String {
    fs_err::read_to_string(folder.path("trace.jsonl")).unwrap()
}

#[test]
fn a_trace_is_rebuilt_to_the_digest_it_records() {
    let folder = traced();
    let last: Value = serde_json::from_str(trace(&folder).lines().last().unwrap()).unwrap();
    let recorded = last["tree_digest"].as_str().unwrap();
    for input in [folder.path(""), folder.path("trace.jsonl")] {
        let (code, out, err) = run(&["verify", &input]);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        assert!(out.contains(&format!("tree {recorded}: ")) && out.ends_with("holds\n"), "{out}");
        assert!(out.contains("proof: it lies in no run folder"), "{out}");
    }
    let (code, out, _) = run(&["verify", &folder.path(""), "--json", "--expect", recorded]);
    let found: Value = serde_json::from_str(&out).unwrap();
    let search = &found["searches"][folder.path("trace.jsonl")];
    assert_eq!(
        (code, &search["tree_digest"], &found["holds"]),
        (0, &last["tree_digest"], &true.into()),
        "{out}"
    );
    assert_eq!(search["nodes"], last["tree"]["nodes"]);
}

#[test]
fn a_difference_ends_with_one_and_is_named() {
    let folder = traced();
    let forged =
        folder.write("forged.jsonl", &trace(&folder).replacen("\"visit_count\":1,", "\"visit_count\":9,", 1));
    let (code, out, _) = run(&["verify", &forged]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("forged.jsonl: line 3: node.visit_count is 9 in the trace but 1 in"), "{out}");
    let (code, out, _) = run(&["verify", &folder.path(""), "--expect", "0123456789abcdef"]);
    assert_eq!(code, 1);
    assert!(out.contains("not 0123456789abcdef"), "{out}");
}

#[test]
fn the_trace_of_a_killed_program_is_followed_as_far_as_it_goes() {
    let folder = traced();
    let text = trace(&folder);
    let torn = folder.write("torn.jsonl", &text[..text.len() * 2 / 3]);
    let (code, out, err) = run(&["verify", &torn]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("the trace breaks off"), "{out}");
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
        (vec!["verify", &text], "notes.txt, line 1"),
        (vec!["verify", &empty], "empty.jsonl: the trace contains no search"),
        (vec!["verify", &old], "format version 2.0"),
        (vec!["trace", "stats", &old], "format version 2.0"),
        (vec!["verify", &folder.path("")], "neither a run folder nor"),
    ] {
        let (code, out, err) = run(&args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}: {err}");
        assert!(err.contains(expected), "{args:?}: {err}");
    }
}
