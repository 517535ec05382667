//! Runs a corpus, several theorems at once, and goes on with the run if it was made before:
//! `cargo run -p andor --example corpus -- examples/logic.lean RUN`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use andor::{CancellationToken, Event, Outcome, Prover, RunRequest};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1).map(PathBuf::from);
    let (Some(corpus), Some(out)) = (args.next(), args.next()) else {
        return Err("usage: corpus FILE RUN".into());
    };
    let problems = andor::read_dataset(&corpus, None, None)?.problems;
    let request = RunRequest {
        jobs: 2,
        resume: out.exists(),
        out: Some(out.clone()),
        ..Prover::default().run_request(problems)
    };
    let tell = |attempt: &str, event: &Event| {
        if let Event::AttemptFinished(result) = event {
            println!("{attempt}: {:?}", result.outcome);
        }
    };
    andor::run(&request, &CancellationToken::new(), Arc::new(Mutex::new(tell))).await?;
    let results = andor::read_run(&out)?.results;
    let proved = results.iter().filter(|result| result.outcome == Outcome::Accepted).count();
    println!("{proved} of {} proved", results.len());
    Ok(())
}
