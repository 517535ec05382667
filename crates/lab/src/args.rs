//! Command-line arguments, as parsed by clap.

mod bench;
mod corpus;
mod simulate;
mod study;

use std::fmt::Display;

use andor_terminal::command;
use andor_terminal::options::Verbosity;
use clap::{Parser, Subcommand};

pub(crate) use bench::{
    AgentsArgs, BenchArgs, BenchCommand, CheatsArgs, HostileArgs, MeasureArgs, MutantsArgs, ProverBenchArgs,
    SpeedArgs, StdlibArgs, SyntheticArgs,
};
pub(crate) use corpus::{CorpusArgs, CorpusCommand, RocqStdlibArgs};
pub(crate) use simulate::{SimulateArgs, SimulationOutputArgs};
pub(crate) use study::StudyArgs;

/// Experiments with andor, and measurements of it.
#[derive(Debug, Parser)]
#[command(name = "andor-lab", version, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) verbosity: Verbosity,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run benchmarks
    Bench(BenchArgs),
    /// Build a corpus of theorems from installed libraries
    Corpus(CorpusArgs),
    /// Simulate agents that share a tree, over all combinations of parameters, and plot the results
    Simulate(Box<SimulateArgs>),
    /// Run a declared experiment, test its comparisons, and write a report
    Study(StudyArgs),
}

const AFTER_HELP: &str = "\
`andor simulate` and `andor study` run these commands. Exit codes and environment variables are those of
andor: see `andor --help`.";

/// A usage error of a command.
pub(crate) fn usage(command: &str, message: impl Display) -> anyhow::Error {
    command::usage::<Cli>(command, message)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
