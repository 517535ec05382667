//! For tests in which the program is killed.

use std::process::Stdio;

use crate::support::andor;

/// Starts the program without a terminal, and kills it once something holds. Returns whether it had not ended by itself.
pub(crate) fn kill_when(args: &[&str], holds: impl Fn() -> bool) -> bool {
    let mut program = andor(args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut ended = program.try_wait().unwrap();
    while ended.is_none() && !holds() {
        std::thread::yield_now();
        ended = program.try_wait().unwrap();
    }
    program.kill().unwrap();
    program.wait().unwrap();
    ended.is_none()
}
