//! Builds a configuration from an optional file and the command-line options, which override it.

use std::path::Path;

use andor_config::{Config, ConfigFile, overlay};
use andor_core::theorem::System;
use andor_dataset::project::{self, Applied};
use andor_terminal::options::Given;

use crate::args::{self, AgentOptions, CheckArgs, DoctorArgs, PlanArgs, ProveArgs, ReplArgs};

/// The valid configuration of a search, for `andor prove` and other commands with its options.
pub(crate) fn prove(command: &str, args: &ProveArgs) -> anyhow::Result<Config> {
    let file = args.config.as_deref().map(ConfigFile::read).transpose();
    let file = file.map_err(|error| args::usage(command, format!("--config: {error}")))?;
    let config = Config::assemble(file.as_ref(), &args.given.0);
    if let Err(error) = config.validate() {
        let blamed = file.as_ref().and_then(|file| Some((file.blame(&error, &config)?, &file.path)));
        return Err(args::usage(
            command,
            match blamed {
                Some((key, path)) => format!("{error} ({key} in `{}`)", path.display()),
                None => error.to_string(),
            },
        ));
    }
    resolved(command, config)
}

/// The valid configuration of a command under `andor agent`.
pub(crate) fn agent<C>(
    command: &str,
    file: Option<&Path>,
    options: &AgentOptions,
    given: &Given<C>,
) -> anyhow::Result<Config> {
    let file = file.map(ConfigFile::read).transpose();
    let file = file.map_err(|error| args::usage(command, format!("--config: {error}")))?;
    let mut config = file.as_ref().map_or_else(Config::default, |file| file.config.clone());
    let gives = |key: &str| file.as_ref().is_some_and(|file| file.gives(key));
    overlay(&mut config, &given.0);
    config.agent = Some(options.over(config.agent.take().unwrap_or_default()));
    // A model takes minutes; what ends an attempt are its steps and turns.
    if !given.has("--time") && !gives("budget.time_s") {
        config.budget.time_s = None;
    }
    if !given.has("--tactic-timeout") && !gives("workers.tactic_timeout_s") {
        config.workers.tactic_timeout_s = config.default_tactic_timeout_s();
    }
    if !gives("clock") {
        config.clock = config.default_clock();
    }
    // A replay has nothing to record; its configuration is often that of the recorded run.
    if !given.has("--record") && !config.asks_models() {
        config.llm.record = false;
    }
    if config.agent.as_ref().is_some_and(|agent| agent.model.is_empty()) {
        return Err(args::usage(
            command,
            "--model: name the language model: a name in --config, or the URL of a server",
        ));
    }
    // The first node is the task itself.
    if config.budget.max_nodes.is_some_and(|nodes| nodes < 2) {
        return Err(args::usage(
            command,
            "--max-nodes: must be at least 2: the task, and a branch of the agent",
        ));
    }
    if config.budget.max_tokens_total == Some(0) {
        return Err(args::usage(command, "--max-tokens-total: must be at least 1"));
    }
    config.validate().map_err(|error| args::usage(command, error))?;
    resolved(command, config)
}

/// The configuration of `andor repl`.
pub(crate) fn repl(args: &ReplArgs) -> anyhow::Result<Config> {
    without_search("repl", &args.given)
}

/// The configuration of `andor plan`.
pub(crate) fn plan(args: &PlanArgs) -> anyhow::Result<Config> {
    let file = args.config.as_deref().map(ConfigFile::read).transpose();
    let file = file.map_err(|error| args::usage("plan", format!("--config: {error}")))?;
    let mut config = file.map_or_else(Config::default, |file| file.config);
    config.agent = None;
    overlay(&mut config, &args.given.0);
    config.validate().map_err(|error| args::usage("plan", error))?;
    resolved("plan", config)
}

/// The configuration of `andor check`.
pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<Config> {
    without_search("check", &args.given)
}

/// The configuration of `andor doctor`.
pub(crate) fn doctor(args: &DoctorArgs) -> anyhow::Result<Config> {
    without_search("doctor", &args.given)
}

fn without_search<C>(command: &str, given: &Given<C>) -> anyhow::Result<Config> {
    let mut config = Config::default();
    overlay(&mut config, &given.0);
    config.validate().map_err(|error| args::usage(command, error))?;
    resolved(command, config)
}

/// A valid configuration with absolute folders, and with named sets of axioms expanded.
fn resolved(command: &str, mut config: Config) -> anyhow::Result<Config> {
    config.resolve().map_err(|error| args::usage(command, error))?;
    Ok(config)
}

/// Applies the project of a source ([`project::apply`]), and reports it to `say`.
pub(crate) fn apply_project(
    config: &mut Config,
    source: &Path,
    system: System,
    say: impl Fn(&str),
) -> anyhow::Result<String> {
    let Applied { prelude, notes } = project::apply(config, source, system)?;
    notes.iter().for_each(|note| say(&format!("note: {note}")));
    Ok(prelude)
}

#[cfg(test)]
mod tests;
