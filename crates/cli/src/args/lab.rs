//! Commands of `andor-lab`, which reads their arguments.

use std::ffi::OsString;

use clap::Args;

#[derive(Debug, Args)]
#[command(disable_help_flag = true, after_help = "The options are those of `andor-lab`.")]
pub(crate) struct LabArgs {
    /// As for andor-lab
    #[arg(value_name = "ARG", trailing_var_arg = true, allow_hyphen_values = true)]
    _args: Vec<OsString>,
}
