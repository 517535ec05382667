//! The cheats in Lean 4, on a real Lean: each is stopped at its level, and its honest twin is accepted.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod support;

use support::{andor, left};

/// Tries the entries whose names begin with a letter of a range.
fn try_all(names: std::ops::RangeInclusive<char>) {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/cheats");
    let mut tried = 0;
    for first in names {
        let filter = format!("lean4/{first}");
        let mut program = andor(&["bench", "cheats", "--corpus", corpus, "--filter", &filter, "--json"]);
        let (code, rows, progress) =
            left(program.env("LEAN_SYSROOT", andor_testkit::lean::sysroot()).output().unwrap());
        if rows.is_empty() {
            continue;
        }
        assert_eq!(code, 0, "{progress}");
        for row in rows.lines() {
            let row: serde_json::Value = serde_json::from_str(row).unwrap();
            let stopped_at = &row["rejected_at"];
            let levels: Vec<_> =
                row["cheat"].as_array().unwrap().iter().map(|trial| &trial["level"]).collect();
            assert!(levels.contains(&stopped_at), "{}: not tried at level {stopped_at}", row["name"]);
            tried += 1;
        }
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn the_first_third_is_stopped() {
    try_all('a'..='d');
}

#[test]
fn the_second_third_is_stopped() {
    try_all('e'..='m');
}

#[test]
fn the_last_third_is_stopped() {
    try_all('n'..='z');
}
