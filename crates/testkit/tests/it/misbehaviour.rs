//! Whatever a child does, it ends in the right typed outcome, and no process is left.

use std::path::PathBuf;
use std::time::Duration;

use andor_process::error::ProcessError;
use andor_process::{
    ChildProcess, ChildSpec, FrameError, FrameReader, ResourceLimits, Spawned, family, run_to_end,
};
use andor_testkit::block_on;
use tokio::io::AsyncWriteExt;
use tokio::process::{ChildStdin, ChildStdout};

const MAX_LINE: usize = 1 << 20;
/// Long enough that only a child that really hangs exceeds it in the tests that expect an answer.
const PATIENCE: Duration = Duration::from_secs(30);
/// Short, for children that hang for ever.
const IMPATIENCE: Duration = Duration::from_millis(50);

fn spec(mode: &str) -> ChildSpec {
    ChildSpec {
        program: env!("CARGO_BIN_EXE_fake-child").to_owned(),
        args: vec![mode.to_owned()],
        env: Vec::new(),
        directory: PathBuf::from("."),
        limits: ResourceLimits::default(),
    }
}

struct Talk {
    child: ChildProcess,
    stdin: ChildStdin,
    lines: FrameReader<ChildStdout>,
}

impl Talk {
    async fn start(mode: &str) -> Self {
        let Spawned { child, stdin, stdout } = ChildProcess::spawn(&spec(mode)).expect("the child starts");
        let mut talk = Self { child, stdin, lines: FrameReader::new(stdout, b"\n", MAX_LINE) };
        let pid = talk.line(PATIENCE).await.expect("the child says its process id");
        assert_eq!(pid, talk.child.id().to_string());
        talk
    }

    async fn line(&mut self, patience: Duration) -> Result<String, String> {
        match tokio::time::timeout(patience, self.lines.next()).await {
            Err(_) => Err("no answer".to_owned()),
            Ok(Err(error)) => Err(error.to_string()),
            Ok(Ok(line)) => Ok(String::from_utf8_lossy(line).trim_end().to_owned()),
        }
    }

    async fn say(&mut self, line: &str) {
        self.stdin.write_all(format!("{line}\n").as_bytes()).await.expect("the child reads");
    }
}

fn assert_nothing_left(leader: u32) {
    assert_eq!(family(leader), Vec::<u32>::new(), "processes of session {leader} are left");
    assert!(!std::path::Path::new(&format!("/proc/{leader}")).exists(), "{leader} is a zombie");
}

#[test]
fn a_well_behaved_child_answers_and_ends_when_its_input_does() {
    block_on(async {
        let mut talk = Talk::start("echo").await;
        talk.say("∀ x").await;
        assert_eq!(talk.line(PATIENCE).await, Ok("∀ x".to_owned()));
        let id = talk.child.id();
        drop(talk.stdin);
        let exit = talk.child.stop(PATIENCE).await;
        assert_eq!((exit.code, exit.signal), (Some(0), None));
        assert_nothing_left(id);
    });
}

#[test]
fn a_hanging_child_is_killed_on_drop() {
    block_on(async {
        let mut talk = Talk::start("hang").await;
        assert_eq!(talk.line(IMPATIENCE).await, Err("no answer".to_owned()));
        let id = talk.child.id();
        drop(talk);
        assert_nothing_left(id);
    });
}

#[test]
fn a_child_that_dies_in_mid_line_ends_the_stream() {
    block_on(async {
        let mut talk = Talk::start("half-line").await;
        assert_eq!(talk.line(PATIENCE).await, Err("the stream ended".to_owned()));
        assert_eq!(talk.lines.pending(), b"half a li");
        let id = talk.child.id();
        assert_eq!(talk.child.stop(PATIENCE).await.code, Some(3));
        assert_nothing_left(id);
    });
}

#[test]
fn a_child_that_is_killed_says_by_which_signal() {
    block_on(async {
        let mut talk = Talk::start("die").await;
        assert_eq!(talk.line(PATIENCE).await, Err("the stream ended".to_owned()));
        let exit = talk.child.stop(PATIENCE).await;
        assert_eq!((exit.code, exit.signal), (None, Some(9)));
    });
}

#[test]
fn a_flood_on_stderr_blocks_nothing_and_its_end_is_kept() {
    block_on(async {
        let mut talk = Talk::start("flood-stderr").await;
        talk.say("still there").await;
        assert_eq!(talk.line(PATIENCE).await, Ok("still there".to_owned()));
        drop(talk.stdin);
        let exit = talk.child.stop(PATIENCE).await;
        assert!(exit.stderr.len() <= 16 * 1024, "the ring is bounded");
        assert!(exit.stderr.ends_with("the last words\n"), "{}", &exit.stderr[exit.stderr.len() - 40..]);
    });
}

#[test]
fn an_endless_line_is_an_error_and_not_an_allocation() {
    block_on(async {
        let mut talk = Talk::start("flood-stdout").await;
        let result = talk.lines.next().await.map(<[u8]>::len);
        assert!(matches!(result, Err(FrameError::TooLarge(MAX_LINE))), "{result:?}");
        let id = talk.child.id();
        drop(talk);
        assert_nothing_left(id);
    });
}

#[test]
fn garbage_is_passed_on_as_it_is() {
    block_on(async {
        let mut talk = Talk::start("garbage").await;
        let line = talk.lines.next().await.expect("a line").to_vec();
        assert_eq!(line, [0xff, 0xfe, 0, b'<', b'>', b'\n']);
    });
}

#[test]
fn a_child_that_ignores_polite_signals_is_killed() {
    block_on(async {
        let mut talk = Talk::start("ignore-signals").await;
        assert_eq!(talk.line(PATIENCE).await, Ok("ready".to_owned()));
        talk.child.interrupt();
        let id = talk.child.id();
        let exit = talk.child.stop(IMPATIENCE).await;
        assert_eq!(exit.signal, Some(9));
        assert_nothing_left(id);
    });
}

#[test]
fn a_grandchild_does_not_outlive_the_child() {
    block_on(async {
        let mut talk = Talk::start("fork-and-exit").await;
        let grandchild: u32 = talk.line(PATIENCE).await.unwrap().parse().unwrap();
        let id = talk.child.id();
        let exit = talk.child.stop(PATIENCE).await;
        assert_eq!(exit.code, Some(0));
        assert_nothing_left(id);
        assert_eq!(family(grandchild), Vec::<u32>::new());
    });
}

#[test]
fn running_to_the_end_has_a_limit_in_time_and_output() {
    block_on(async {
        let hang = run_to_end(&spec("hang"), "testing", IMPATIENCE, MAX_LINE).await;
        assert!(matches!(hang, Err(ProcessError::Overdue { .. })), "{hang:?}");
        let flood = run_to_end(&spec("flood-stdout"), "testing", PATIENCE, MAX_LINE).await;
        assert!(matches!(flood, Err(ProcessError::TooLarge { .. })), "{flood:?}");
        let late = run_to_end(&spec("late"), "testing", PATIENCE, MAX_LINE).await.expect("it ends");
        assert!(late.stdout.ends_with("late\n"), "{late:?}");
        // The grandchild keeps the output open; it is killed with the rest when the time is up.
        let forked = run_to_end(&spec("fork-and-exit"), "testing", IMPATIENCE, MAX_LINE).await;
        assert!(matches!(forked, Err(ProcessError::Overdue { .. })), "{forked:?}");
    });
}

#[test]
fn a_program_that_is_not_there_is_a_typed_error() {
    block_on(async {
        let missing = ChildSpec { program: "/nonexistent/prover".into(), ..spec("echo") };
        let error = ChildProcess::spawn(&missing).expect_err("there is no such program");
        assert!(
            matches!(&error, ProcessError::Spawn { program, .. } if program == "/nonexistent/prover"),
            "{error}"
        );
    });
}
