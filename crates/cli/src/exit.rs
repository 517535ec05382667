//! Exit codes, and how errors are shown.

use std::ffi::OsStr;
use std::process::ExitCode;

use crate::shown;

/// What the program's exit code means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// 0: all that was asked is proved or accepted.
    Success,
    /// 1: the program ran to its end, and something is not proved or not accepted.
    NotProved,
    /// 2: wrong usage, input or environment.
    Unusable,
    /// 3: the share of attempts that failed because of the machinery is above the threshold.
    Infrastructure,
    /// 130: interrupted by the user; what was finished is kept.
    Interrupted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Success => Self::SUCCESS,
            Exit::NotProved => Self::from(1),
            Exit::Unusable => Self::from(2),
            Exit::Infrastructure => Self::from(3),
            Exit::Interrupted => Self::from(130),
        }
    }
}

/// Shows an error with its causes.
#[expect(clippy::print_stderr, reason = "errors go to standard error")]
pub(crate) fn fail(error: &anyhow::Error) -> ExitCode {
    // A pipe that is no longer read is no error.
    let broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    match error.downcast_ref::<clap::Error>() {
        // The parser quotes what it was given: names of files, perhaps, that someone else chose.
        Some(usage) if std::env::args_os().any(|arg| is_odd(&arg)) => {
            eprintln!("{}", shown::message(&usage.render().to_string()));
        }
        // It shows its errors itself. That standard error is closed is no reason to say more.
        Some(usage) => drop(usage.print()),
        None => eprintln!("error: {}", shown::message(&format!("{error:#}"))),
    }
    Exit::Unusable.into()
}

/// Whether an argument has characters that are not shown as they are.
fn is_odd(argument: &OsStr) -> bool {
    let argument = argument.to_string_lossy();
    shown::line(&argument) != argument
}
