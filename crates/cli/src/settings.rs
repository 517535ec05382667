//! From arguments to a configuration: a file's, if one is given, with what the command line says laid over it.

use std::path::{Path, PathBuf};

use andor_run::config::{
    Config, ConfigFile, DistributedMcts, LoadPath, ProviderConfig, SearchConfig, VerifyConfig, VerifyLevel,
};
use andor_run::project::{self, Project};
use andor_run::registry;
use anyhow::bail;

use crate::args::{
    self, AgentArgs, CheckArgs, InterventionArgs, LoadPathArgs, ProveArgs, ReplArgs, SearchArgs,
    SoundnessArgs, Verify,
};

/// The configuration of a search, for `andor prove` or another command with its options; it keeps all rules.
pub(crate) fn prove(command: &str, args: &ProveArgs) -> anyhow::Result<Config> {
    let usage = |error: anyhow::Error| args::usage(command, error);
    let file = args.config.as_deref().map(ConfigFile::read).transpose();
    let file = file.map_err(|error| args::usage(command, format!("--config: {error}")))?;
    let mut config = file.as_ref().map_or_else(Config::default, |file| file.config.clone());
    let gives = |key: &str| file.as_ref().is_some_and(|file| file.gives(key));
    if let Some(preset) = args.search.preset {
        preset.fill_in(&mut config, gives);
    }
    lay_over(args, &mut config).map_err(usage)?;
    // What nobody gave follows from the rest.
    if args.search.exploration.is_none() && !gives("search.exploration") {
        config.search.exploration = config.search.policy.default_exploration();
    }
    if args.clock.clock.is_none() && !gives("clock") {
        config.clock = config.default_clock();
    }
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
    config.load_path = args::absolute(config.load_path).map_err(usage)?;
    config.allowed_axioms = registry::axioms(&config.allowed_axioms);
    Ok(config)
}

/// The configuration of `andor repl`.
pub(crate) fn repl(args: &ReplArgs) -> anyhow::Result<Config> {
    let mut config = by_hand("repl", &args.load_path, &args.soundness)?;
    set(&mut config.workers.tactic_timeout_s, args.tactic_timeout);
    config.validate().map_err(|error| args::usage("repl", error))?;
    Ok(config)
}

/// The configuration of `andor check`.
pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<Config> {
    let config = by_hand("check", &args.load_path, &args.soundness)?;
    config.validate().map_err(|error| args::usage("check", error))?;
    Ok(config)
}

/// A configuration without a search.
fn by_hand(command: &str, load_path: &LoadPathArgs, soundness: &SoundnessArgs) -> anyhow::Result<Config> {
    let mut config = Config::default();
    let usage = |error| args::usage(command, error);
    config.load_path = args::absolute(load_path.bound()).map_err(usage)?;
    lay_soundness_over(soundness, &mut config);
    config.allowed_axioms = registry::axioms(&config.allowed_axioms);
    Ok(config)
}

/// Binds what the Rocq project of a source binds, unless the configuration binds folders itself, and tells `say`.
pub(crate) fn apply_project(config: &mut Config, source: &Path, say: impl Fn(&str)) -> anyhow::Result<()> {
    if !config.load_path.is_empty() {
        return Ok(());
    }
    let Some(Project { file, load_path, notes }) = project::of(source)? else { return Ok(()) };
    let bound = load_path.iter().map(|LoadPath { binding, folder, name }| {
        let name = if name.is_empty() { "\"\"" } else { name };
        format!(" {} {} {name}", binding.option(), folder.display())
    });
    let bound: String = bound.collect();
    if !bound.is_empty() {
        say(&format!("note: the project {} is applied:{bound}", file.display()));
    }
    for note in notes {
        say(&format!("note: {}: {note}", file.display()));
    }
    config.load_path = load_path;
    Ok(())
}

fn lay_over(args: &ProveArgs, config: &mut Config) -> anyhow::Result<()> {
    lay_search_over(&args.search, &mut config.search);
    set(&mut config.seed, args.search.seed);
    lay_agents_over(&args.agents, &mut config.distributed_mcts);
    lay_interventions_over(&args.interventions, &mut config.distributed_mcts);
    lay_soundness_over(&args.soundness, config);

    let budget = &mut config.budget;
    set(&mut budget.time_s, args.budget.time.map(|time| time.0));
    set_some(&mut budget.virtual_time_s, args.budget.virtual_time);
    set_some(&mut budget.max_iterations, args.budget.max_iterations);
    set_some(&mut budget.max_expansions, args.budget.max_expansions);
    set_some(&mut budget.max_nodes, args.budget.max_nodes);
    set_some(&mut budget.max_candidates, args.budget.max_candidates);

    let workers = &mut config.workers;
    set(&mut workers.workers, args.workers.workers);
    workers.reuse &= !args.workers.fresh_workers;
    set(&mut workers.tactic_timeout_s, args.workers.tactic_timeout);
    set_some(&mut workers.tactic_cpu_timeout_s, args.workers.tactic_cpu_timeout);
    set(&mut workers.max_restarts, args.workers.max_restarts);
    set(&mut workers.max_memory_mb, args.workers.max_memory);
    let bound = args.load_path.bound();
    if !bound.is_empty() {
        config.load_path = bound;
    }

    if !args.providers.providers.is_empty() {
        config.providers = args.providers.providers.iter().map(|p| provider(p)).collect::<Result<_, _>>()?;
    }
    set_some(&mut config.ranker, args.providers.ranker);
    if !args.tactics.block_tactics.is_empty() {
        config.tactics.block.clone_from(&args.tactics.block_tactics);
    }
    config.tactics.easy_gate |= args.tactics.easy_gate;
    config.tactics.allow_easy |= args.tactics.allow_easy;
    set_some(&mut config.tactics.easy, args.tactics.easy_tactics.clone());
    config.tactics.no_hygiene |= args.tactics.no_hygiene;
    set_some(&mut config.basin.seeds, args.basin.basin_seeds);
    config.basin.blind |= args.basin.basin_blind;
    config.basin.same_damage |= args.basin.basin_same_damage;

    set(&mut config.clock, args.clock.clock);
    set(&mut config.latencies.provider, args.clock.provider_latency.clone());
    set(&mut config.latencies.tactic, args.clock.tactic_latency.clone());
    Ok(())
}

fn lay_search_over(args: &SearchArgs, search: &mut SearchConfig) {
    set(&mut search.preset, args.preset);
    set(&mut search.policy, args.policy);
    set(&mut search.exploration, args.exploration);
    set(&mut search.depth_reward, args.depth_reward);
    set(&mut search.backprop, args.backprop);
    set(&mut search.expand, args.expand);
    set(&mut search.widening, args.widening.map(|widening| widening.0));
    set(&mut search.obligation, args.obligation);
    set(&mut search.identity, args.identity);
    set(&mut search.cycle_rule, args.cycle_rule);
    set_some(&mut search.max_depth, args.max_depth);
    set(&mut search.default_value, args.default_value);
    set(&mut search.step_discount, args.step_discount);
}

fn lay_agents_over(args: &AgentArgs, mcts: &mut DistributedMcts) {
    set(&mut mcts.mode, args.mcts_mode);
    set_some(&mut mcts.agents, args.mcts_agents);
    set_some(&mut mcts.inflight, args.mcts_inflight);
    set_some(&mut mcts.virtual_loss, args.mcts_virtual_loss);
    set_some(&mut mcts.depth_bias, args.mcts_depth_bias);
    set_some(&mut mcts.path_bias, args.mcts_path_bias);
    mcts.history_cache |= args.mcts_history_cache;
}

fn lay_interventions_over(args: &InterventionArgs, mcts: &mut DistributedMcts) {
    set_some(&mut mcts.block_fraction, args.mcts_block_fraction);
    set_some(&mut mcts.block_duration, args.mcts_block_duration);
    set_some(&mut mcts.block_seed, args.mcts_block_seed);
    set_some(&mut mcts.block_immovable_fraction, args.mcts_block_immovable_fraction);
    set_some(&mut mcts.unfreeze_after, args.mcts_unfreeze_after);
    set_some(&mut mcts.unfreeze_prob, args.mcts_unfreeze_prob);
    mcts.reroute_blocked |= args.mcts_reroute_blocked;
    set_some(&mut mcts.reroute_max, args.mcts_reroute_max);
    set_some(&mut mcts.obstacle_visits, args.mcts_obstacle_visits);
    set_some(&mut mcts.delay_prob, args.mcts_delay_prob);
    set_some(&mut mcts.delay_duration, args.mcts_delay_duration);
    set_some(&mut mcts.delay_seed, args.mcts_delay_seed);
}

fn lay_soundness_over(args: &SoundnessArgs, config: &mut Config) {
    if !args.allow_axioms.is_empty() {
        config.allowed_axioms.clone_from(&args.allow_axioms);
    }
    if !args.trust.is_empty() {
        config.trusted_bugs.clone_from(&args.trust);
    }
    let level = args.verify.map(|verify| match verify {
        Verify::Demand(level) => (level, true),
        Verify::Best => (VerifyLevel::Judged, false),
    });
    if let Some((level, demanded)) = level {
        config.verify = VerifyConfig { level, demanded, ..config.verify };
    }
    config.verify.recheck_deps |= args.recheck_deps;
    config.workers.sandbox &= !args.sandbox.no_sandbox;
    set(&mut config.workers.check_timeout_s, args.check_timeout);
}

fn set<T>(field: &mut T, given: Option<T>) {
    if let Some(given) = given {
        *field = given;
    }
}

fn set_some<T>(field: &mut Option<T>, given: Option<T>) {
    if given.is_some() {
        *field = given;
    }
}

fn provider(text: &str) -> anyhow::Result<ProviderConfig> {
    match text.split_once('=') {
        None if text == "heuristic" => Ok(ProviderConfig::Heuristic),
        None if text == "synthetic" => Ok(ProviderConfig::Synthetic { critic: false }),
        None if text == "synthetic+critic" => Ok(ProviderConfig::Synthetic { critic: true }),
        Some(("scripted", path)) => Ok(ProviderConfig::Scripted { path: PathBuf::from(path) }),
        _ => bail!(
            "--provider: unknown provider `{text}`: known are heuristic, scripted=FILE, synthetic, synthetic+critic"
        ),
    }
}

#[cfg(test)]
mod tests;
