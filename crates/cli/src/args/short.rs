//! The short help, `-h`, of commands with many options.

use clap::builder::Resettable;
use clap::error::{ContextKind, ContextValue};
use clap::{Command, CommandFactory, Error, FromArgMatches};

use super::Cli;

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

impl Cli {
    /// The command line of this process.
    pub(crate) fn read() -> Result<Self, Error> {
        let mut command = shortened(Self::command());
        let matches = command.try_get_matches_from_mut(std::env::args_os()).map_err(near)?;
        Self::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }
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
fn shortened(command: Command) -> Command {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_near_names_are_suggested() {
        let told = |flag: &str| {
            let error =
                Cli::command().try_get_matches_from(["andor", "prove", flag]).map_err(near).unwrap_err();
            error.to_string().lines().find(|line| line.contains("similar")).map(str::to_owned)
        };
        for (flag, near) in [("--sytem", "--system"), ("--tim", "--time"), ("--timeout", "--time")] {
            assert!(told(flag).is_some_and(|line| line.contains(near)), "{flag}: {:?}", told(flag));
        }
        assert_eq!((told("--axioms"), told("--retry")), (None, None));
    }

    #[test]
    fn the_short_help_of_the_main_commands_fits_a_screen() {
        let mut program = shortened(Cli::command());
        program.build();
        for name in ["prove", "run"] {
            let command = program.find_subcommand_mut(name).unwrap();
            let (short, long) = (command.render_help().to_string(), command.render_long_help().to_string());
            assert!(short.lines().count() <= 64, "{name}: {}\n{short}", short.lines().count());
            assert!(short.contains("--time") && !short.contains("--mcts-mode"), "{short}");
            assert!(
                long.contains("--mcts-mode") && long.contains("Input is one of") || name == "run",
                "{long}"
            );
        }
    }
}
