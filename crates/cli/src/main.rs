//! The `andor` program.
//!
//! Results go to standard output, progress and logs to standard error. Exit codes are listed in
//! [`exit::Exit`].

mod args;
mod basin;
mod commands;
mod exit;
mod hint;
mod interrupt;
mod located;
mod logging;
mod progress;
mod ray;
mod report;
mod settings;
mod shown;
mod summary;

use std::process::ExitCode;

use args::{Cli, Command};
use logging::LogFormat;

/// The embedded prover allocates and frees millions of small terms; with the system allocator that takes a third of
/// its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        // Help and version are not errors.
        Err(asked) if !asked.use_stderr() => asked.exit(),
        Err(error) => return exit::fail(&error.into()),
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return exit::fail(&anyhow::anyhow!("cannot start the runtime: {error}")),
    };
    let (progress, log) = progress::terminal(&cli);
    if let Err(error) = logging::start(&cli, log) {
        return exit::fail(&error);
    }
    // A killed run cannot remove its own temporary folders, so the next one does.
    andor_process::scratch::sweep();
    let result = runtime.block_on(async {
        progress::keep_up_to_date(&progress);
        match &cli.command {
            Command::Prove(args) => commands::prove::run(args, progress).await,
            Command::Run(args) => commands::run::run(args, progress).await,
            Command::Agent(args) => commands::agent::run(args, progress).await,
            Command::Repl(args) => commands::repl::run(args, progress).await,
            Command::Plan(args) => commands::plan::run(args, progress).await,
            Command::Check(args) => commands::check::run(args, progress).await,
            Command::Cache(args) => commands::cache::run(args),
            Command::Runs(args) => commands::runs::run(args),
            Command::Results(args) => commands::results::run(args),
            Command::Compare(args) => commands::compare::run(args),
            Command::Analyze(args) => commands::analyze::run(args),
            Command::Show(args) => commands::show::run(args),
            Command::View(args) => commands::view::run(args).await,
            Command::Verify(args) => commands::verify::run(args, progress).await,
            Command::Trace(args) => commands::trace::run(args),
            Command::Export(args) => commands::export::run(args, progress).await,
            Command::Learn(args) => commands::learn::run(args, progress).await,
            Command::Doctor(args) => commands::doctor::run(args).await,
            Command::Model(args) => commands::model::run(args).await,
            Command::Bench(args) => commands::bench::run(args).await,
            Command::Study(args) => commands::study::run(args, progress).await,
            Command::Simulate(args) => commands::simulate::run(args, progress).await,
            Command::Corpus(args) => commands::corpus::run(args).await,
            Command::Completions(args) => commands::documents::completions(args),
            Command::Man(args) => commands::documents::man(args),
        }
    });
    // Programs of the user's get their time to end. Workers that are still shutting down are not waited for.
    runtime.block_on(andor_engine::registry::programs_ended());
    runtime.shutdown_background();
    match result {
        Ok(exit) => exit.into(),
        Err(error) if cli.log_format == LogFormat::Json && error.downcast_ref::<clap::Error>().is_none() => {
            tracing::error!("{}", exit::with_causes(&error));
            exit::Exit::Unusable.into()
        }
        Err(error) => exit::fail(&error),
    }
}
