//! The rules of a configuration, whose options are named as on the command line. Those of agents and interventions
//! stand beside their fields, in [`super::DistributedMcts`]; those of tactics in [`super::TacticConfig`].
//!
//! Upper bounds keep numbers finite wherever they are added, multiplied or turned into durations; each is far above
//! what makes sense.

use std::path::Path;

use andor_env::checker::Level;
use andor_env::rocq::axioms::is_name;
use andor_env::rocq::is_known_bug;

use super::{
    BasinConfig, Clock, Config, ConfigError, LatencyConfig, LatencySpec, MctsMode, ProviderConfig,
    SearchConfig,
};

/// The greatest number of agents, reservations, workers and seeds, and the greatest weight.
pub(super) const MOST: u32 = 1_000_000;

/// The greatest duration, in seconds.
const LONGEST_S: f64 = 1e9;

/// The first rule that is broken.
pub(super) fn check(config: &Config) -> Result<(), ConfigError> {
    search(&config.search)?;
    limits(config)?;
    virtual_clock(config)?;
    config.distributed_mcts.agents(config)?;
    config.distributed_mcts.control(config)?;
    config.tactics.check()?;
    basin(config.basin, config)?;
    if config.verify.recheck_deps && config.verify.wanted() < Level::Rechecked {
        return broken("--recheck-deps", "belongs to level 3 (rechecked); a lower --verify never gets there");
    }
    if config.providers.is_empty() {
        return broken("--provider", "needs at least one provider");
    }
    if !config.allowed_axioms.iter().all(|name| is_name(name)) {
        return broken("--allow-axioms", "takes names: identifiers, with periods between them");
    }
    if !config.trusted_bugs.iter().all(|name| is_known_bug(name)) {
        return broken(
            "--trust",
            "takes names of known bugs, such as rocq#20455; docs/known-bugs.md lists them",
        );
    }
    paths(config)
}

pub(super) fn broken<T>(option: &'static str, rule: &'static str) -> Result<T, ConfigError> {
    Err(ConfigError { option, rule })
}

/// A weight of something: zero is none.
pub(super) fn weight(option: &'static str, weight: f64) -> Result<(), ConfigError> {
    if (0.0..=f64::from(MOST)).contains(&weight) {
        Ok(())
    } else {
        broken(option, "must be at least 0 and at most 1000000")
    }
}

/// Agents, reservations, workers or seeds.
pub(super) fn count(option: &'static str, count: usize) -> Result<(), ConfigError> {
    if (1..=MOST as usize).contains(&count) {
        Ok(())
    } else {
        broken(option, "must be at least 1 and at most 1000000")
    }
}

fn seconds(option: &'static str, seconds: f64) -> Result<(), ConfigError> {
    if seconds > 0.0 && seconds <= LONGEST_S {
        Ok(())
    } else {
        broken(option, "must be positive and at most 1000000000 seconds")
    }
}

fn search(search: &SearchConfig) -> Result<(), ConfigError> {
    weight("--exploration", search.exploration)?;
    weight("--depth-reward", search.depth_reward)?;
    if search.widening.is_some_and(|w| !(0.0..=1.0).contains(&w)) {
        return broken("--widening", "must be between 0 and 1");
    }
    // As the search counts, where a number beside 0 or 1 may become 0 or 1.
    let (value, discount) = (search.default_value as f32, search.step_discount as f32);
    if !(value > 0.0 && value < 1.0) {
        return broken("--default-value", "must lie strictly between 0 and 1");
    }
    if !(discount > 0.0 && search.step_discount <= 1.0) {
        return broken("--step-discount", "must be above 0 and at most 1");
    }
    Ok(())
}

fn limits(config: &Config) -> Result<(), ConfigError> {
    let (budget, workers) = (&config.budget, &config.workers);
    budget.time_s.map_or(Ok(()), |s| seconds("--time", s))?;
    budget.virtual_time_s.map_or(Ok(()), |s| seconds("--virtual-time", s))?;
    count("--workers", workers.workers)?;
    seconds("--tactic-timeout", workers.tactic_timeout_s)?;
    workers.tactic_cpu_timeout_s.map_or(Ok(()), |s| seconds("--tactic-cpu-timeout", s))?;
    seconds("--check-timeout", workers.check_timeout_s)?;
    if !(1..=1 << 40).contains(&workers.max_memory_mb) {
        return broken("--max-memory", "must be at least 1 and at most 1099511627776 megabytes");
    }
    Ok(())
}

fn virtual_clock(config: &Config) -> Result<(), ConfigError> {
    let (latencies, default) = (&config.latencies, LatencyConfig::default());
    let given = [
        ("--virtual-time", config.budget.virtual_time_s.is_some()),
        ("--provider-latency", latencies.provider != default.provider),
        ("--tactic-latency", latencies.tactic != default.tactic),
    ];
    if let (Clock::Wall, Some((option, _))) = (config.clock, given.into_iter().find(|(_, given)| *given)) {
        return broken(option, "needs --clock virtual");
    }
    latency("--provider-latency", &latencies.provider)?;
    latency("--tactic-latency", &latencies.tactic)
}

fn latency(option: &'static str, spec: &LatencySpec) -> Result<(), ConfigError> {
    let (longest, sigma) = match spec {
        LatencySpec::Constant(latency) => (*latency, 0.0),
        LatencySpec::LogNormal { median, sigma } => (*median, *sigma),
        LatencySpec::Recorded(path) if path.as_os_str().is_empty() => {
            return broken(option, "recorded: must name a file");
        }
        LatencySpec::Recorded(_) => return Ok(()),
    };
    if longest > LatencySpec::LONGEST {
        return broken(option, "must be at most 1000000 seconds");
    }
    if !(0.0..=LatencySpec::WIDEST).contains(&sigma) {
        return broken(option, "the standard deviation of the logarithm must be between 0 and 10");
    }
    Ok(())
}

fn basin(basin: BasinConfig, config: &Config) -> Result<(), ConfigError> {
    let Some(seeds) = basin.seeds else {
        let BasinConfig { blind, same_damage, .. } = basin;
        return match (blind, same_damage) {
            (true, _) => broken("--basin-blind", "needs --basin-seeds"),
            (false, true) => broken("--basin-same-damage", "needs --basin-seeds"),
            (false, false) => Ok(()),
        };
    };
    count("--basin-seeds", seeds as usize)?;
    if config.providers.len() > 1 {
        return broken("--basin-seeds", "needs a single --provider");
    }
    if basin.blind && config.distributed_mcts.mode == MctsMode::Distributed {
        return broken("--basin-blind", "needs --mcts-mode centralized");
    }
    if basin.same_damage && !config.distributed_mcts.has_obstacles() {
        return broken("--basin-same-damage", "needs --mcts-block-fraction or --mcts-delay-prob");
    }
    Ok(())
}

/// Files hold text, so paths must be text too.
fn paths(config: &Config) -> Result<(), ConfigError> {
    let is_text = |path: &Path| path.to_str().is_some();
    let rule = "must be a path in UTF-8";
    if let Some(bound) = config.load_path.iter().find(|bound| !is_text(&bound.folder)) {
        return broken(bound.binding.option(), rule);
    }
    if let Some(bound) = config.load_path.iter().find(|b| !b.name.is_empty() && !is_name(&b.name)) {
        return broken(
            bound.binding.option(),
            "binds a folder to a name: identifiers, with periods between them",
        );
    }
    if config.providers.iter().any(|p| matches!(p, ProviderConfig::Scripted { path } if !is_text(path))) {
        return broken("--provider", rule);
    }
    let latencies = &config.latencies;
    for (option, spec) in
        [("--provider-latency", &latencies.provider), ("--tactic-latency", &latencies.tactic)]
    {
        if matches!(spec, LatencySpec::Recorded(path) if !is_text(path)) {
            return broken(option, rule);
        }
    }
    Ok(())
}
