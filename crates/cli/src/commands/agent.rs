//! `andor agent`: one module per task.

pub(super) mod code;
mod prove;

use std::sync::{Arc, Mutex};

use andor_terminal::exit::Exit;
use andor_terminal::progress::Progress;

use crate::args::{AgentArgs, AgentCommand};

pub(crate) async fn run(args: &AgentArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    match &args.what {
        AgentCommand::Prove(args) => prove::run(args, progress).await,
        AgentCommand::Code(args) => code::run(args, progress).await,
    }
}
