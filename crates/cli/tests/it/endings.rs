//! How runs end before their time: interrupts and kills.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::support;
use rustix::process::{Pid, Signal, kill_process};

fn andor(args: &[String]) -> Command {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let mut command = support::andor(&args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A search without end: a tactic that works, then one that runs until it is stopped.
struct Endless {
    folder: tempfile::TempDir,
    args: Vec<String>,
}

const RULES: &str = r#"{"rules": [
    {"when": "forall", "tactics": [{"tactic": "intros n", "log_prior": -0.1}]},
    {"tactics": [{"tactic": "repeat (pose proof I)", "log_prior": -0.5}]}]}"#;

impl Endless {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        fs_err::write(path("rules.json"), RULES).unwrap();
        let (provider, run) = (format!("scripted={}", path("rules.json")), path("RUN"));
        let args =
            ["prove", "--statement", "forall n : nat, n = n + 1", "--time", "none", "--tactic-timeout"];
        let args = args.into_iter().chain(["60s", "--provider", &provider, "--out", &run]);
        let args = args.map(str::to_owned).collect();
        Self { folder, args }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join("RUN").join(name)
    }

    /// Starts the search, and returns the program and its prover when the prover is at work.
    fn start(&self) -> (Child, u32) {
        let mut program = andor(&self.args).spawn().unwrap();
        let trace = self.file("theorems/goal/attempt-1/trace.jsonl");
        until(&mut program, |_| trace.exists().then_some(()));
        let prover = until(&mut program, |pid| children(pid).first().copied());
        (program, prover)
    }
}

/// The processes of which `pid` is the parent.
fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs_err::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let of = |task: &Path| fs_err::read_to_string(task.join("children")).unwrap_or_default();
    let all: Vec<String> = tasks.flatten().map(|t| of(&t.path())).collect();
    all.iter().flat_map(|line| line.split_whitespace()).map(|p| p.parse().unwrap()).collect()
}

fn is_alive(pid: u32) -> bool {
    let stat = fs_err::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.trim_start().starts_with('Z'))
}

/// Waits until something holds while the program runs.
fn until<T>(program: &mut Child, mut what: impl FnMut(u32) -> Option<T>) -> T {
    loop {
        if let Some(found) = what(program.id()) {
            return found;
        }
        assert!(program.try_wait().unwrap().is_none(), "the program ended too early");
        std::thread::yield_now();
    }
}

fn send(pid: u32, signal: Signal) {
    kill_process(Pid::from_raw(i32::try_from(pid).unwrap()).unwrap(), signal).unwrap();
}

#[test]
fn an_interrupt_ends_the_run_and_its_provers() {
    for signal in [Signal::INT, Signal::TERM] {
        let endless = Endless::new();
        let (program, prover) = endless.start();
        send(program.id(), signal);
        let output = program.wait_with_output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{err}");
        assert!(err.contains("interrupted"), "{err}");
        assert!(!is_alive(prover), "no orphan");
        // The run's files are whole.
        let text = fs_err::read_to_string(endless.file("results.jsonl")).unwrap();
        assert!(text.ends_with('\n'), "{text}");
    }
}

#[test]
fn when_the_program_is_killed_its_provers_die() {
    let (mut program, prover) = Endless::new().start();
    program.kill().unwrap();
    program.wait().unwrap();
    // The kernel kills the prover when its parent is gone; that takes a moment.
    while is_alive(prover) {
        std::thread::yield_now();
    }
}

#[test]
fn when_a_prover_is_killed_the_search_goes_on() {
    let endless = Endless::new();
    let (mut program, prover) = endless.start();
    send(prover, Signal::KILL);
    let next = until(&mut program, |pid| children(pid).into_iter().find(|&child| child != prover));
    assert!(is_alive(next));
    send(program.id(), Signal::INT);
    assert_eq!(program.wait_with_output().unwrap().status.code(), Some(130));
}

#[test]
fn a_killed_run_goes_on_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rows = ["easy 1", "easy 2", "open 1"].map(|instance| {
        format!(r#"{{"id": "{instance}", "system": "synthetic", "statement": "{instance}"}}"#)
    });
    fs_err::write(path("rows.jsonl"), rows.join("\n")).unwrap();
    let (rows, out) = (path("rows.jsonl"), path("RUN"));
    let args = ["prove", &rows, "--time", "none", "--out", &out].map(str::to_owned).to_vec();
    let mut program = andor(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let results = || fs_err::read_to_string(path("RUN/results.jsonl")).unwrap_or_default();
    // One line opens the file, then come two results.
    until(&mut program, |_| (results().lines().count() >= 3).then_some(()));
    program.kill().unwrap();
    program.wait().unwrap();
    let resumed = ["--resume", "--filter", "easy", "--json"].map(str::to_owned);
    let output = andor(&[args, resumed.to_vec()].concat()).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2);
    assert!(!err.contains("easy 1: proved"), "it is not proved again: {err}");
}

#[test]
fn a_team_that_was_stopped_comes_to_the_same_tree_when_its_run_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs_err::write(path("rows.jsonl"), r#"{"id": "x", "system": "synthetic", "statement": "open 1"}"#)
        .unwrap();
    let args = |out: &str, more: &[&str]| {
        let options = "--mcts-mode distributed --mcts-agents 6 --mcts-inflight 6 --workers 4 --clock virtual \
            --tactic-latency lognormal:50ms:0.5 --provider-latency 200ms --mcts-delay-prob 0.1 \
            --mcts-delay-duration 3 --mcts-delay-seed 1 --time none --max-candidates 20000";
        let mut args = vec!["prove".to_owned(), path("rows.jsonl"), "--out".to_owned(), path(out)];
        args.extend(options.split_whitespace().chain(more.iter().copied()).map(str::to_owned));
        args
    };
    let trace = |out: &str| path(&format!("{out}/theorems/x/attempt-1/trace.jsonl"));
    let read = |out: &str| fs_err::read_to_string(trace(out)).unwrap_or_default();
    assert_eq!(andor(&args("WHOLE", &[])).output().unwrap().status.code(), Some(1));
    for (out, signal) in [("INTERRUPTED", Signal::INT), ("KILLED", Signal::KILL)] {
        let mut program = andor(&args(out, &[])).spawn().unwrap();
        until(&mut program, |_| (read(out).lines().count() >= 100).then_some(()));
        send(program.id(), signal);
        let ended = program.wait_with_output().unwrap();
        if signal == Signal::INT {
            assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
            assert!(read(out).lines().last().unwrap().starts_with(r#"{"event":"abort""#));
        }
        let replayed = andor(&["verify".to_owned(), trace(out)]).output().unwrap();
        assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stderr));
        assert_eq!(andor(&args(out, &["--resume"])).output().unwrap().status.code(), Some(1));
        assert_eq!(read(out), read("WHOLE"));
    }
}
