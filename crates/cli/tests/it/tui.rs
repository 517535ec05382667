//! `andor show --tui` in a real terminal.

use crate::support::terminal::Terminal;
use crate::support::{Folder, andor, left};
use rustix::process::{Pid, Signal, kill_process};

/// Makes a run with one theorem.
fn run(folder: &Folder) -> String {
    let out = folder.path("run");
    let statement = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p";
    let (code, _, errors) =
        left(andor(&["prove", "--statement", statement, "--out", &out]).output().unwrap());
    assert_eq!(code, 0, "{errors}");
    out
}

#[test]
fn the_terminal_is_given_back_however_the_program_ends() {
    let folder = Folder::new();
    let run = run(&folder);
    for (end, expected) in [(Some("q"), 0), (Some("\u{3}"), 0), (None, 130)] {
        let mut terminal = Terminal::new(30, 120);
        assert!(terminal.is_cooked());
        let mut program = terminal.start_inside(andor(&["show", &run, "--tui"]));
        terminal.until(|line| line.contains("✓ ⊢ q ∧ p"));
        terminal.until(|line| line.contains("? keys"));
        assert!(!terminal.is_cooked() && terminal.is_taken());
        terminal.press("p");
        terminal.until(|line| line.contains("left"));
        terminal.press("0");
        terminal.until(|line| line.starts_with("start of "));
        match end {
            Some(keys) => terminal.press(keys),
            None => kill_process(Pid::from_child(&program), Signal::TERM).unwrap(),
        }
        let code = program.wait().unwrap().code();
        assert_eq!(code, Some(expected), "{end:?}");
        assert!(terminal.is_cooked(), "{end:?}");
        terminal.drain();
        assert!(!terminal.is_taken(), "{end:?}");
    }
}

#[test]
fn elsewhere_it_says_what_it_needs() {
    let folder = Folder::new();
    let run = run(&folder);
    let (code, out, errors) = left(andor(&["show", &run, "--tui"]).output().unwrap());
    assert_eq!((code, out.as_str()), (2, ""));
    let expected =
        "error: --tui: input and output must be a terminal; without --tui the tree is printed as text";
    assert_eq!(errors.trim(), expected);
    let (code, _, errors) = left(andor(&["show", "/nowhere", "--tui"]).output().unwrap());
    assert_eq!(code, 2);
    assert!(errors.contains("is not a run folder"), "{errors}");
}
