//! What a terminal shows while a run goes on, and how the run ends when it is interrupted.

use std::process::Child;

use crate::support::terminal::Terminal;
use crate::support::{Folder, andor, left};
use rustix::process::{Pid, Signal, kill_process};

/// Theorems on which searches go on until they are stopped, with names that are wide.
fn endless(folder: &Folder, n: usize) -> String {
    let row = |i| format!(r#"{{"id": "定理{i}", "system": "synthetic", "statement": "open {i}"}}"#);
    folder.write("rows.jsonl", &(1..=n).map(row).collect::<Vec<_>>().join("\n"))
}

fn interrupt(program: &Child) {
    kill_process(Pid::from_raw(program.id().cast_signed()).unwrap(), Signal::INT).unwrap();
}

#[test]
fn a_terminal_has_a_line_per_attempt_and_one_for_the_run() {
    let folder = Folder::new();
    let rows = endless(&folder, 5);
    let mut terminal = Terminal::new(40, 72);
    let program = terminal.start(andor(&["prove", &rows, "--time", "none", "--jobs", "2"]));
    terminal.until(|line| line.contains("定理1 (") && line.contains("iteration"));
    terminal.until(|line| line.contains("定理2 (") && line.contains("iteration"));
    terminal.until(|line| line.contains("[0/5, 0 proved] 2 running, 3 waiting"));
    assert_eq!(terminal.lines().len(), 3, "{:#?}", terminal.lines());
    interrupt(&program);
    let (code, lines) = terminal.finish(program);
    assert_eq!(code, Some(130), "{lines:#?}");
    // The lines of progress are gone.
    assert!(lines[0].starts_with("interrupted: finishing up"), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("running") || line.contains("░")), "{lines:#?}");
    assert!(lines.iter().any(|line| line.contains("定理2: interrupted")), "{lines:#?}");
}

#[test]
fn a_terminal_shows_how_far_a_run_is_verified() {
    let folder = Folder::new();
    let file = folder.write("t.v", "Theorem t : 1 = 1.\nProof. Admitted.\n");
    let out = folder.path("run");
    let (code, _, err) = left(andor(&["run", &file, "--out", &out]).output().unwrap());
    assert_eq!(code, 0, "{err}");
    let mut terminal = Terminal::new(40, 100);
    let program = terminal.start(andor(&["verify", &out]));
    // A search is rebuilt, and its proof judged.
    terminal.until(|line| line.contains("1/2 searches and proofs"));
    let (code, lines) = terminal.finish(program);
    assert_eq!(code, Some(0), "{lines:#?}");
    assert!(!lines.iter().any(|line| line.contains("searches and proofs")), "the line is gone: {lines:#?}");
}

#[test]
fn logs_and_progress_do_not_garble_each_other() {
    let folder = Folder::new();
    let rows = endless(&folder, 12);
    let terminal = Terminal::new(2000, 300);
    let args = ["prove", &rows, "--time", "none", "--max-iterations", "200", "--jobs", "3"];
    let mut command = andor(&args);
    command.env("LOG_RATE", "0.05").env("NO_COLOR", "1");
    let program = terminal.start(command);
    let (code, lines) = terminal.finish(program);
    assert_eq!(code, Some(1), "{lines:#?}");
    let logged = lines.iter().filter(|line| {
        line.starts_with("DEBUG run:theorem{id=定理") && line.contains("}: ") && !line.contains("running, ")
    });
    let ended = lines.iter().filter(|line| line.starts_with('[') && line.contains(": not proved: "));
    let table = lines.iter().filter(|line| line.starts_with("theorem ") || line.starts_with("定理"));
    // What is left to prove, why tactics fail, and what to try.
    let closest = lines.iter().filter(|line| line.starts_with("  ")).count();
    let (logged, ended, table) = (logged.count(), ended.count(), table.count());
    assert!(logged > 20, "{lines:#?}");
    assert_eq!((ended, table), (12, 13), "{lines:#?}");
    assert_eq!(logged + ended + closest + table + 1, lines.len(), "no other line: {lines:#?}");
}

#[test]
fn an_interrupt_may_follow_another_at_any_moment() {
    let folder = Folder::new();
    let mut terminal = Terminal::new(40, 80);
    // The tactic works until it is killed.
    let rules = r#"{"rules": [{"tactics": [{"tactic": "repeat (pose proof I)", "log_prior": -0.5}]}]}"#;
    let provider = format!("scripted={}", folder.write("rules.json", rules));
    let args = [
        "prove",
        "--statement",
        "1 = 2",
        "--time",
        "none",
        "--tactic-timeout",
        "60s",
        "--provider",
        &provider,
    ];
    let program = terminal.start(andor(&args));
    terminal.until(|line| line.contains("searching with"));
    interrupt(&program);
    terminal.until(|line| line.contains("interrupted: finishing up"));
    interrupt(&program);
    let (code, lines) = terminal.finish(program);
    assert_eq!(code, Some(130), "{lines:#?}");
}

#[test]
fn elsewhere_nothing_moves() {
    let folder = Folder::new();
    let rows = endless(&folder, 3);
    let args = ["prove", &rows, "--max-iterations", "20", "--time", "none"];
    let (_, _, err) = left(andor(&args).output().unwrap());
    assert!(!err.contains('\u{1b}') && !err.contains('\r'), "{err}");
    assert!(err.starts_with("[1/3, 0 proved] 定理1: not proved: "), "{err}");
    let terminal = Terminal::new(40, 80);
    let mut command = andor(&args);
    command.env("CI", "1");
    let program = terminal.start(command);
    let (_, lines) = terminal.finish(program);
    assert!(lines[0].starts_with("[1/3, 0 proved] 定理1: not proved: "), "{lines:#?}");
}
