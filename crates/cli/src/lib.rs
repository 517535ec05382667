//! The program `andor`, for its `main` and for programs that link systems of their own.
//!
//! Results go to standard output, progress and logs to standard error. Exit codes are listed in
//! [`andor_terminal::exit::Exit`].

mod args;
mod basin;
mod commands;
mod features;
mod ray;
mod settings;
mod summary;

use std::ffi::OsString;
use std::process::ExitCode;

// Systems are known by being linked.
#[cfg(feature = "lean")]
use andor_system_lean as _;
#[cfg(feature = "mini")]
use andor_system_mini as _;
#[cfg(feature = "rocq")]
use andor_system_rocq as _;
#[cfg(feature = "synthetic")]
use andor_system_synthetic as _;

use andor_terminal::{command, exit, program};
use args::{Cli, Command};

/// Runs a command line: the name of the program, and its arguments.
pub fn run(line: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli: Cli = match command::read(line) {
        Ok(cli) => cli,
        Err(error) => return exit::without_command(error),
    };
    if cli.command.is_of_lab() {
        return exit::fail(&commands::lab::run());
    }
    program::run(cli.verbosity, async |progress| {
        let result = match &cli.command {
            Command::Prove(args) => commands::prove::run(args, progress).await,
            Command::Run(args) => commands::run::run(args, progress).await,
            Command::Agent(args) => commands::agent::run(args, progress).await,
            Command::Repl(args) => commands::repl::run(args, progress).await,
            Command::Plan(args) => commands::plan::run(args, progress).await,
            Command::Check(args) => commands::check::run(args, progress).await,
            Command::Cache(args) => commands::cache::run(args),
            Command::Runs(args) => commands::runs::run(args),
            Command::Results(args) => commands::results::run(args),
            Command::Compare(args) => commands::compare::run(args),
            Command::Analyze(args) => commands::analyze::run(args),
            Command::Show(args) => commands::show::run(args),
            #[cfg(feature = "view")]
            Command::View(args) => commands::view::run(args).await,
            #[cfg(not(feature = "view"))]
            Command::View(_) => Err(features::missing("`andor view`", "view")),
            Command::Verify(args) => commands::verify::run(args, progress).await,
            Command::Trace(args) => commands::trace::run(args),
            Command::Export(args) => commands::export::run(args, progress).await,
            #[cfg(feature = "learn")]
            Command::Learn(args) => commands::learn::run(args, progress).await,
            #[cfg(not(feature = "learn"))]
            Command::Learn(_) => Err(features::missing("`andor learn`", "learn")),
            Command::Doctor(args) => commands::doctor::run(args).await,
            Command::Model(args) => commands::model::run(args).await,
            Command::Simulate(_) | Command::Study(_) | Command::Bench(_) | Command::Corpus(_) => {
                unreachable!("`andor-lab` was called")
            }
            Command::Completions(args) => commands::documents::completions(args),
            Command::Man(args) => commands::documents::man(args),
        };
        // Programs of the user's get their time to end.
        andor_engine::registry::programs_ended().await;
        result
    })
}
