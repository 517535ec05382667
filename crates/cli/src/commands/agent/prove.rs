//! `andor agent prove`

use std::sync::{Arc, Mutex};

use andor_run::orchestrate::RunRequest;
use andor_terminal::exit::Exit;
use andor_terminal::progress::Progress;

use super::super::prove::{self, InPlace, Selected};
use crate::args::AgentProveArgs;
use crate::settings;

pub(crate) async fn run(args: &AgentProveArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let config = settings::agent("agent prove", args.attempts.config.as_deref(), &args.agent, &args.given)?;
    let Selected { request, refused, .. } =
        prove::selected(config, &args.input, &args.output, &progress).await?;
    let request = RunRequest { jobs: args.attempts.jobs.get(), pass_k: args.attempts.pass_k, ..request };
    progress.lock().expect("progress does not panic").tell_each();
    prove::tell(&request, &refused, &args.output, InPlace::default(), progress).await
}
