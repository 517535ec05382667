//! Reading the command line; the short help, `-h`, of commands with many options.

use std::ffi::OsString;
use std::fmt::Display;

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, Error, Parser};

use crate::shown;

/// The most options that a command's short help lists in full.
const MANY: usize = 20;

/// The options in the short help of commands with more: what most people need.
const ESSENTIAL: &[&str] = &[
    "statement",
    "system",
    "theorem",
    "write",
    "diff",
    "watch",
    "time",
    "model",
    "preset",
    "jobs",
    "out",
    "allow-axioms",
    "verify",
    "json",
    "help",
];

/// Reads a command line, beginning with the name of the program.
pub fn read<C: Parser>(line: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<C, Error> {
    let mut command = shortened(C::command());
    let matches = command.try_get_matches_from_mut(line).map_err(near)?;
    C::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// A usage error, shown in the same form as clap's own errors, with the usage of the command.
pub fn usage<C: CommandFactory>(command: &str, message: impl Display) -> anyhow::Error {
    let mut program = C::command();
    program.build();
    let of = |at, name| Command::find_subcommand_mut(at, name).expect("the command exists");
    let command = command.split(' ').fold(&mut program, of);
    command.error(ErrorKind::ValueValidation, shown::message(&message.to_string())).into()
}

/// An error whose suggestion, if it has one, is near to what was written: one is part of the other, or two letters differ.
fn near(mut error: Error) -> Error {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let (given, suggested) = (text(ContextKind::InvalidArg), text(ContextKind::SuggestedArg));
    let is_part = suggested.contains(&given) || given.contains(&suggested);
    if !is_part && strsim::damerau_levenshtein(&given, &suggested) > 2 {
        error.remove(ContextKind::SuggestedArg);
    }
    error
}

/// The command with a short help of one screen: `--help` shows the other options, and the text after them.
pub fn shortened(command: Command) -> Command {
    let command = command.mut_subcommands(shortened);
    if command.get_arguments().count() <= MANY {
        return command;
    }
    let is_essential =
        |arg: &clap::Arg| arg.is_positional() || arg.get_long().is_some_and(|long| ESSENTIAL.contains(&long));
    let after = command.get_after_help().cloned();
    let command = command.mut_args(|arg| {
        let is_hidden = !is_essential(&arg);
        arg.hide_short_help(is_hidden)
    });
    command.after_help(Resettable::Reset).after_long_help(after.map_or(Resettable::Reset, Resettable::Value))
}
