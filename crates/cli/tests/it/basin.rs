//! Basin runs as their users meet them.

use crate::support::{Folder, andor, left};
use serde_json::Value;

#[test]
fn a_table_says_what_came_of_all_seeds() {
    let folder = Folder::new();
    let rows = r#"{"id": "near", "system": "synthetic", "statement": "easy 1"}
        {"id": "far", "system": "synthetic", "statement": "hard 1"}"#;
    let file = folder.write("rows.jsonl", rows);
    let args = ["prove", &file, "--basin-seeds", "3", "--basin-blind", "--max-iterations", "60"];
    let (code, out, err) = left(andor(&args).output().unwrap());
    assert_eq!(code, 1, "{err}");
    assert_eq!(out.lines().filter(|line| *line == "near").count(), 1, "one proof of each theorem: {out}");
    assert!(err.contains("[12/12, 3 proved] far, attempt 6 (blind): not proved"), "{err}");
    let table: Vec<Vec<&str>> = err.lines().map(|l| l.split_whitespace().collect()).collect();
    let row = |name: &str| table.iter().find(|row| row.first() == Some(&name)).unwrap();
    assert_eq!(row("theorem")[..3], ["theorem", "search", "solved"]);
    assert_eq!(row("near")[..8], ["near", "puct", "3", "of", "3", "100", "%", "(44–100)"]);
    assert_eq!(row("far")[..8], ["far", "puct", "0", "of", "3", "0", "%", "(0–56)"]);
    assert_eq!(row("all")[..6], ["all", "together", "puct", "3", "of", "6"]);
    assert!(
        err.contains("9 of 12 attempts compared found no proof (3 by puct, 6 by blind-uniform)"),
        "{err}"
    );
}

#[test]
fn one_proof_is_enough_and_json_lines_end_with_the_summary() {
    let folder = Folder::new();
    let file = folder.write("t.lean", "theorem weakening (p q : Prop) : p → q → p := by sorry\n");
    let run = folder.path("RUN");
    let args = ["prove", &file, "--basin-seeds", "2", "--verify", "compiled", "--json", "--out", &run];
    let (code, out, err) = left(andor(&args).output().unwrap());
    assert_eq!(code, 0, "{err}");
    let lines: Vec<Value> = out.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    let [first, second, summary] = &lines[..] else { panic!("{out}") };
    assert!([first, second].iter().all(|l| l["role"] == "configured" && l["kind"].is_null()));
    assert_eq!((&summary["kind"], &summary["theorem"]), (&"basin".into(), &"weakening".into()));
    // There were no equals for the seed to decide between: the second attempt is the first again.
    let search = &summary["configured"];
    assert_eq!((&search["solved"], &search["left_out"]["copies"]), (&1.into(), &1.into()), "{search}");
    assert_eq!(summary["blind"], Value::Null);
    let kept = fs_err::read_to_string(folder.path("RUN/basin.json")).unwrap();
    let kept: Value = serde_json::from_str(&kept).unwrap();
    assert_eq!(kept["theorems"][0]["configured"], summary["configured"]);
}
