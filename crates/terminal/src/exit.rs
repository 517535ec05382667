//! Exit codes, and how errors are shown.

use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use andor_dataset::DatasetError;
use andor_engine::judge::JudgeError;
use andor_env::outline::Place;

use crate::located::Located;
use crate::shown;

/// Exit codes of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// 0: everything was proved or accepted.
    Success,
    /// 1: the program completed, but something was not proved or not accepted.
    NotProved,
    /// 2: wrong usage, input or environment.
    Unusable,
    /// 3: too many attempts failed for technical reasons; see `--infra-threshold`.
    Infrastructure,
    /// 130: interrupted by the user; finished results are kept.
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

/// An error with those of its causes that it does not quote.
pub fn with_causes(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.ends_with(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Ends a program whose command line cannot be read, or asks for help or the version, which are not errors.
pub fn without_command(error: clap::Error) -> ExitCode {
    if error.use_stderr() { fail(&error.into()) } else { error.exit() }
}

/// Prints an error with its causes.
#[expect(clippy::print_stderr, reason = "errors go to standard error")]
pub fn fail(error: &anyhow::Error) -> ExitCode {
    // A closed pipe is not an error.
    let broken_pipe = error.chain().any(|cause| {
        cause.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        return ExitCode::SUCCESS;
    }
    match error.downcast_ref::<clap::Error>() {
        // Clap quotes its input, such as file names chosen by someone else, so control characters are escaped.
        Some(usage) if std::env::args_os().any(|arg| is_odd(&arg)) => {
            eprintln!("{}", shown::message(&usage.render().to_string()));
        }
        // Clap prints its own errors. If standard error is closed, there is nothing else to do.
        Some(usage) => drop(usage.print()),
        None => {
            eprintln!("error: {}", shown::message(&with_causes(error)));
            if let Some(located) = place(error).and_then(|(path, place)| Located::of(path, place)) {
                eprint!("{}", located.caret());
            }
        }
    }
    Exit::Unusable.into()
}

/// The place in a file that an error is about.
fn place(error: &anyhow::Error) -> Option<(&Path, Place)> {
    match (error.downcast_ref(), error.downcast_ref()) {
        (Some(DatasetError::Malformed { path, line: Some(line), column: Some(column), .. }), _) => {
            Some((path, Place { line: *line, column: *column }))
        }
        (_, Some(JudgeError::Malformed { path, at: Some(at), .. })) => Some((path, *at)),
        _ => None,
    }
}

/// Whether an argument contains characters that would be escaped.
fn is_odd(argument: &OsStr) -> bool {
    let argument = argument.to_string_lossy();
    shown::line(&argument) != argument
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::with_causes;

    #[test]
    fn each_cause_is_told_once() {
        let quoted = Err::<(), _>(std::io::Error::other("not found")).context("cannot start `x`: not found");
        let error = quoted.context("the trainer").unwrap_err();
        assert_eq!(with_causes(&error), "the trainer: cannot start `x`: not found");
    }
}
