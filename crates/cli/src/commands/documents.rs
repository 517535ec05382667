//! `andor completions`, `andor man`

use std::io;

use andor_terminal::exit::Exit;
use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};

pub(crate) fn completions(args: &CompletionsArgs) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "andor", &mut script);
    io::Write::write_all(&mut io::stdout(), &script)?;
    Ok(Exit::Success)
}

pub(crate) fn man(args: &ManArgs) -> anyhow::Result<Exit> {
    match &args.out {
        Some(directory) => {
            fs_err::create_dir_all(directory)?;
            clap_mangen::generate_to(Cli::command(), directory)?;
        }
        None => clap_mangen::Man::new(Cli::command()).render(&mut io::stdout())?,
    }
    Ok(Exit::Success)
}
