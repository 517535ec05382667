//! `andor-lab bench cheats`: what it says of a corpus, and its exit codes.

use andor_testkit::program::{Folder, left};

use super::andor_lab;

const ENTRY: &str = "title = 'The proof is left out'\ntries = 'x'\nsource = 's'\nkind = 'file'\ntheorem = 't'\n\
                     rejected_at = 1\nreasons = ['unproved']\n";
const OPEN: &str = "theorem t : True := sorry\n";
const PROVED: &str = "theorem t : True := trivial\n";

/// A corpus of one entry.
fn corpus(entry: &str, cheat: &str, twin: &str) -> Folder {
    let folder = Folder::new();
    fs_err::create_dir(folder.path("mini")).unwrap();
    folder.write("mini/one.toml", entry);
    folder.write("mini/one.lean", cheat);
    folder.write("mini/one.twin.lean", twin);
    folder.write("mini/one.challenge.lean", OPEN);
    folder
}

/// Exit code, standard output, standard error.
fn run(folder: &Folder, more: &[&str]) -> (i32, String, String) {
    let at = folder.path("");
    let levels: &[&str] = if more.contains(&"--levels") { &[] } else { &["--levels", "1"] };
    left(andor_lab(&[&["bench", "cheats", "--corpus", &at], levels, more].concat()).output().unwrap())
}

#[test]
fn a_corpus_that_holds_ends_with_0() {
    let folder = corpus(ENTRY, OPEN, PROVED);
    let (code, table, progress) = run(&folder, &[]);
    assert_eq!(code, 0, "{progress}");
    assert!(
        table.contains("mini/one") && table.contains("unproved") && table.contains("accepted"),
        "{table}"
    );
    assert!(progress.contains("1/1 mini/one: as it should be"), "{progress}");
    let (_, rows, _) = run(&folder, &["--json"]);
    let row: serde_json::Value = serde_json::from_str(&rows).unwrap();
    assert_eq!(row["cheat"][0]["reason"], "unproved");
    assert_eq!(row["faults"], serde_json::json!([]));
    let (_, markdown, _) = run(&folder, &["--markdown"]);
    assert!(
        markdown.contains("### mini: 1 cheats\n\nStopped at level 1, `unproved`:\n\n`one`\n"),
        "{markdown}"
    );
}

#[test]
fn a_cheat_that_gets_through_and_a_twin_that_does_not_end_with_1() {
    for (cheat, twin, fault) in [
        (PROVED, PROVED, "the cheat is accepted at level 1"),
        (OPEN, OPEN, "the honest twin is rejected at level 1"),
    ] {
        let (code, _, progress) = run(&corpus(ENTRY, cheat, twin), &[]);
        assert_eq!(code, 1);
        assert!(progress.contains("NOT as it should be") && progress.contains(fault), "{progress}");
    }
}

#[test]
fn a_corpus_that_cannot_be_read_ends_with_2() {
    let (code, _, message) = run(&corpus("title = 'x'\n", OPEN, PROVED), &[]);
    assert_eq!(code, 2);
    assert!(message.contains("one.toml") && message.contains("tries"), "{message}");
    let (code, _, message) = run(&Folder::new(), &[]);
    assert_eq!(code, 2);
    assert!(message.contains("--corpus must name the folder"), "{message}");
    let (code, _, message) = run(&corpus(ENTRY, OPEN, PROVED), &["--filter", "nothing-like-it"]);
    assert_eq!(code, 2);
    assert!(message.contains("nothing-like-it"), "{message}");
}

#[test]
fn a_corpus_that_is_not_tried_at_its_levels_ends_with_2() {
    let (code, table, progress) = run(&corpus(ENTRY, OPEN, PROVED), &["--levels", "4"]);
    assert_eq!(code, 2, "{progress}");
    assert!(
        progress.contains("1/1 mini/one: not verified\n")
            && progress.contains("the level is not available")
            && !table.contains("accepted"),
        "{progress}\n{table}"
    );
}

/// Tries the cheats in Lean 4 on a real Lean, those whose names begin with a letter of a range.
fn try_in_lean(names: std::ops::RangeInclusive<char>) {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/cheats");
    let mut tried = 0;
    for first in names {
        let filter = format!("lean4/{first}");
        let mut program = andor_lab(&["bench", "cheats", "--corpus", corpus, "--filter", &filter, "--json"]);
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
fn cheats_in_lean_are_stopped_first_third() {
    try_in_lean('a'..='d');
}

#[test]
fn cheats_in_lean_are_stopped_second_third() {
    try_in_lean('e'..='m');
}

#[test]
fn cheats_in_lean_are_stopped_last_third() {
    try_in_lean('n'..='z');
}
