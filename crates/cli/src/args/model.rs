//! Arguments of `andor model`.

use std::path::PathBuf;

use andor_terminal::options::{Asking, Given};
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub(crate) struct ModelArgs {
    #[command(subcommand)]
    pub(crate) command: ModelCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Send one request; show what was sent and received, and how it is understood
    Ask(AskArgs),
    /// Print commands that serve a model, by vLLM and by llama.cpp
    ServeCommand(ServeCommandArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The model: a name of `[models]` in --config, the URL of a server, or URL#NAME
    #[arg(value_name = "NAME|URL")]
    pub(crate) model: String,

    /// The text to continue or to answer; `-` reads it from standard input
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) prompt: String,

    /// The seed of the sampling
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Read the models' configurations from a TOML file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) given: Given<Asking>,

    /// Print one JSON object: request, answer as received, answer as understood
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeCommandArgs {
    /// The model: a name of `[models]` in --config, a folder, a GGUF file, or a name that the server knows
    #[arg(value_name = "NAME")]
    pub(crate) model: String,

    /// The port to listen on
    #[arg(long, value_name = "PORT", default_value_t = 8000)]
    pub(crate) port: u16,

    /// The number of GPUs to spread the model over
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(crate) gpus: u32,

    /// Read the models' configurations from a TOML file
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}
