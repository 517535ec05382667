//! What a terminal shows while a run goes on, and how the run ends when it is interrupted.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod support;

use std::fs::File;
use std::io::Read;
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use support::{Folder, andor, left};

/// A terminal.
struct Terminal {
    master: File,
    /// Kept open until the program has its own.
    slave: Option<File>,
    screen: vt100::Parser,
}

impl Terminal {
    fn new(rows: u16, columns: u16) -> Self {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let slave = File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
        let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&slave, size).unwrap();
        Self { master: master.into(), slave: Some(slave), screen: vt100::Parser::new(rows, columns, 0) }
    }

    /// Starts the program. The command goes, since it holds the terminal too.
    fn start(&self, mut command: Command) -> Child {
        let stderr = Stdio::from(self.slave.as_ref().unwrap().try_clone().unwrap());
        command.stdout(Stdio::null()).stderr(stderr).env("TERM", "xterm");
        if command.get_envs().all(|(name, _)| name != "CI") {
            command.env_remove("CI");
        }
        command.spawn().unwrap()
    }

    /// Shows what comes next.
    fn read(&mut self) {
        let mut bytes = [0; 4096];
        let n = self.master.read(&mut bytes).unwrap();
        self.screen.process(&bytes[..n]);
    }

    /// The rows of the screen on which something stands.
    fn lines(&self) -> Vec<String> {
        let screen = self.screen.screen();
        let rows = screen.rows(0, screen.size().1).map(|row| row.trim_end().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    }

    /// Waits until a line on the screen is so.
    fn until(&mut self, is_so: impl Fn(&str) -> bool) {
        while !self.lines().iter().any(|line| is_so(line)) {
            self.read();
        }
    }

    /// Shows all that the program writes until it ends.
    fn finish(mut self, mut program: Child) -> (Option<i32>, Vec<String>) {
        // When nobody has the terminal any more, reading ends with an error.
        drop(self.slave.take());
        let mut bytes = Vec::new();
        let _ = self.master.read_to_end(&mut bytes);
        self.screen.process(&bytes);
        (program.wait().unwrap().code(), self.lines())
    }
}

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
    terminal.until(|line| line.contains("[0/5, 0 proved] 2 running, 3 left"));
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
    let (logged, ended, table) = (logged.count(), ended.count(), table.count());
    assert!(logged > 20, "{lines:#?}");
    assert_eq!((ended, table), (12, 13), "{lines:#?}");
    assert_eq!(logged + ended + table + 1, lines.len(), "no other line: {lines:#?}");
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
