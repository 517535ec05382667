//! Arguments of `view`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct ViewArgs {
    /// The folders of runs, finished or not, or of single attempts
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,

    /// The port on this machine; 0 for any that is free
    #[arg(
        long,
        value_name = "PORT",
        default_value = "0",
        hide_default_value = true,
        conflicts_with = "export"
    )]
    pub(crate) port: u16,

    /// Write the page with its data into FILE instead, which needs no server and no network
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,

    /// Export the searches of this theorem only; repeat it for more. The table keeps all theorems
    #[arg(long = "theorem", value_name = "ID", requires = "export", conflicts_with = "port")]
    pub(crate) theorems: Vec<String>,
}

const HELP: &str = "\
The command prints the address of the page, which is on this machine only, and serves it until
Ctrl-C. It never writes to a run. The page shows a run while it is on, and damaged runs as far as
they can be read.

Examples:
  andor view RUN
  andor view A B --port 8765             # two runs in one table, their trees side by side
  andor view RUN --export report.html
  andor view RUN --export one.html --theorem and_swap";
