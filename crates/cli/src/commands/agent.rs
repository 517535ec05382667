//! `andor agent`: one module per task.

pub(super) mod code;
mod prove;

use std::sync::{Arc, Mutex};

use crate::args::{AgentArgs, AgentCommand};
use crate::exit::Exit;
use crate::progress::Progress;

pub(crate) async fn run(args: &AgentArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    match &args.what {
        AgentCommand::Prove(args) => prove::run(args, progress).await,
        AgentCommand::Code(args) => code::run(args, progress).await,
    }
}
