//! The `andor-lab` program: experiments with andor, and measurements of it. It is one more user of what `andor` runs, and
//! behaves as it does.

mod args;
mod commands;

use std::process::ExitCode;

use andor_terminal::{command, exit, program};
use args::{Cli, Command};

/// As in `andor`, so that both measure the same.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli: Cli = match command::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => return exit::without_command(error),
    };
    program::run(cli.verbosity, async |progress| {
        let result = match &cli.command {
            Command::Bench(args) => commands::bench::run(args).await,
            Command::Corpus(args) => commands::corpus::run(args).await,
            Command::Simulate(args) => commands::simulate::run(args, progress).await,
            Command::Study(args) => commands::study::run(args, progress).await,
        };
        // Programs of the user's get their time to end.
        andor_engine::registry::programs_ended().await;
        result
    })
}
