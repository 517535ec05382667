//! A child that misbehaves on demand: `fake-child MODE`. It speaks lines: what it reads it answers, unless its
//! mode says otherwise. The first line it writes is its process id.

use std::io::{self, BufRead, Write};
use std::process::exit;

use rustix::process::{Signal, getpid, kill_process};
use rustix::time::{ClockId, clock_gettime};

/// What a burner uses up, in nanoseconds; less than a second.
const BURNT_NS: i64 = 300_000_000;

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mut out = io::stdout();
    let pid = getpid().as_raw_nonzero();
    writeln!(out, "{pid}").and_then(|()| out.flush()).expect("stdout is open");
    match mode.as_str() {
        "echo" => echo(),
        "hang" => hang(),
        "half-line" => {
            write!(out, "half a li").and_then(|()| out.flush()).expect("stdout is open");
            exit(3);
        }
        "die" => kill_process(getpid(), Signal::KILL).expect("we may kill ourselves"),
        "flood-stderr" => {
            let line = "x".repeat(1023);
            for _ in 0..4096 {
                writeln!(io::stderr(), "{line}").expect("stderr is drained");
            }
            writeln!(io::stderr(), "the last words").expect("stderr is drained");
            echo();
        }
        "flood-stdout" => loop {
            if out.write_all(&[b'x'; 1 << 16]).is_err() {
                exit(0);
            }
        },
        "garbage" => {
            out.write_all(&[0xff, 0xfe, 0, b'<', b'>', b'\n'])
                .and_then(|()| out.flush())
                .expect("stdout is open");
            echo();
        }
        "ignore-signals" => ignore_signals(),
        "fork-and-exit" => fork_and_exit(),
        "burn" => burn(),
        "fork-burner" => fork_burner(),
        "fork-burner-and-wait" => {
            wait_for_burner();
            writeln!(out, "buried").and_then(|()| out.flush()).expect("stdout is open");
            hang();
        }
        "orphan-burner" => {
            orphan_burner();
            hang();
        }
        "late" => {
            // Answers only when its input ends.
            for _ in io::stdin().lock().lines() {}
            writeln!(out, "late").expect("stdout is open");
        }
        other => {
            writeln!(io::stderr(), "unknown mode {other}").expect("stderr is open");
            exit(2);
        }
    }
}

fn echo() {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line.expect("lines are UTF-8");
        writeln!(out, "{line}").and_then(|()| out.flush()).expect("stdout is open");
    }
}

fn hang() {
    loop {
        std::thread::park();
    }
}

/// Becomes a shell that ignores the signals a polite parent sends, says so, and waits.
fn ignore_signals() {
    let error = exec(&["sh", "-c", "trap '' INT TERM; echo ready; while :; do sleep 3600; done"]);
    panic!("cannot become a shell: {error}");
}

/// Leaves a grandchild behind that holds our output open, says its process id, and ends.
#[expect(
    clippy::disallowed_methods,
    clippy::zombie_processes,
    reason = "the point is to start a process that nobody supervises"
)]
fn fork_and_exit() {
    let grandchild = std::process::Command::new("sleep").arg("3600").spawn().expect("sleep can be started");
    let mut out = io::stdout();
    writeln!(out, "{}", grandchild.id()).and_then(|()| out.flush()).expect("stdout is open");
}

/// Uses up processor time, says so, and waits to be killed.
fn burn() {
    let mut n = 0_u64;
    while clock_gettime(ClockId::ProcessCPUTime).tv_nsec < BURNT_NS {
        n = std::hint::black_box(n + 1);
    }
    let mut out = io::stdout();
    writeln!(out, "burnt").and_then(|()| out.flush()).expect("stdout is open");
    hang();
}

/// Starts a child that burns, and ends without it.
fn fork_burner() {
    drop(myself("burn"));
}

/// Starts a child that burns and waits for its end.
fn wait_for_burner() {
    myself("burn").wait().expect("the child is ours");
}

/// Has a burner started by a child that then ends, so that nobody in the family waits for the burner.
fn orphan_burner() {
    myself("fork-burner").wait().expect("the child is ours");
}

#[expect(clippy::disallowed_methods, reason = "the point is to start processes that nobody supervises")]
fn myself(mode: &str) -> std::process::Child {
    let program = std::env::current_exe().expect("this program has a path");
    std::process::Command::new(program).arg(mode).spawn().expect("this program can be started again")
}

#[expect(clippy::disallowed_methods, reason = "this process is replaced, none is spawned")]
fn exec(words: &[&str]) -> io::Error {
    use std::os::unix::process::CommandExt;
    std::process::Command::new(words[0]).args(&words[1..]).exec()
}
