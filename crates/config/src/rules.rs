//! Rules about several options, or about values that are not simple numbers. Rules about single numbers are in the
//! table of options; those of interventions are in [`super::DistributedMcts`], and those of tactics in
//! [`super::TacticConfig`].

use std::borrow::Cow;
use std::path::Path;

use andor_core::theorem::System;
use andor_env::checker::Level;
use andor_env::source;
use andor_provider::exec;

use super::{
    BasinConfig, Clock, Config, ConfigError, Grouping, LatencyConfig, LatencySpec, MctsMode, OPTIONS,
    PlanConfig, ProviderConfig, RankerConfig, SecondJudgeConfig, Section, Selection, ShareProgress, agent,
};

/// The first violated rule, beginning with those in the table of options.
pub(super) fn check(config: &Config) -> Result<(), ConfigError> {
    let is_distributed = config.distributed_mcts.mode == MctsMode::Distributed;
    for option in OPTIONS {
        option.check(config)?;
    }
    for option in OPTIONS.iter().filter(|_| !is_distributed) {
        option.check_mode(config)?;
    }
    for option in OPTIONS {
        option.check_needs(config, is_distributed)?;
    }
    search(config, is_distributed)?;
    virtual_clock(config)?;
    config.distributed_mcts.check()?;
    config.tactics.check()?;
    basin(config.basin, config)?;
    agent::check(config)?;
    models(config)?;
    money(config)?;
    if !Level::VERIFIED.contains(&config.verify.level) {
        return broken("--verify", "must be 1 to 4, since level 0 verifies nothing");
    }
    if config.verify.recheck_deps && config.verify.wanted() < Level::Rechecked {
        return broken("--recheck-deps", "applies to level 3 (rechecked) and above; raise --verify");
    }
    if config.verify.second_judge == SecondJudgeConfig::Required && config.verify.wanted() < Level::Rechecked
    {
        return broken("--second-judge", "is asked at level 3 (rechecked) and above; raise --verify");
    }
    if config.workers.inflight.is_some() && is_distributed {
        return broken("--inflight", "is for centralized searches; use --mcts-inflight");
    }
    if config.providers.is_empty() {
        return broken("--provider", "must name at least one provider");
    }
    let commands = config.providers.iter().filter_map(|provider| match provider {
        ProviderConfig::Exec { command } => Some(command),
        _ => None,
    });
    let commands: Vec<_> = commands.map(|command| exec::words(command)).collect();
    if config.provider_timeout_s.is_some() && commands.is_empty() {
        return broken("--provider-timeout", "needs --provider exec=COMMAND");
    }
    if let Some(wrong) = commands.into_iter().find_map(Result::err) {
        return broken("--provider", format!("the command of exec=COMMAND {wrong}"));
    }
    if config.ranker == Some(RankerConfig::RoundRobin) && config.providers.len() == 1 {
        return broken("--ranker", "round-robin has no effect with a single provider; give several");
    }
    if !config.allowed_axioms.iter().all(|name| is_name(name) || is_axiom_set(name)) {
        return broken(
            "--allow-axioms",
            "takes qualified names, such as Coq.Logic.Classical_Prop.classic, and the sets listed by `andor prove --help`",
        );
    }
    if let Some(unknown) =
        config.trusted_bugs.iter().find(|name| !source::all().iter().any(|source| source.knows_bug(name)))
    {
        return broken(
            "--trust",
            format!(
                "`{unknown}` is not a known bug; give a name such as rocq#20455 from docs/reference/known-bugs.md"
            ),
        );
    }
    plans(config)?;
    paths(config)
}

fn plans(config: &Config) -> Result<(), ConfigError> {
    let PlanConfig { file, planner, prompt, share_progress, .. } = &config.plan;
    let default = PlanConfig::default();
    if planner.as_ref().is_some_and(String::is_empty) {
        return broken("--planner", "needs the name or the URL of a model");
    }
    if prompt.is_some() && planner.is_none() {
        return broken("--plan-prompt", "needs --planner");
    }
    let of_planners = [
        ("--plan-retries", config.plan.retries != default.retries),
        ("--replans", config.plan.replans != default.replans),
        ("--subgoal-replans", config.plan.subgoal_replans != default.subgoal_replans),
    ];
    if let (Some((option, _)), None) = (of_planners.into_iter().find(|(_, given)| *given), planner) {
        return broken(option, "needs --planner");
    }
    let has_plan = config.plan.has_plan();
    let of_plans = [
        ("--plan-schedule", config.plan.schedule != default.schedule),
        ("--plan-subgoal-candidates", config.plan.subgoal_candidates != default.subgoal_candidates),
        ("--plan-subgoal-time", config.plan.subgoal_time_s.is_some()),
    ];
    if let (Some((option, _)), false) = (of_plans.into_iter().find(|(_, given)| *given), has_plan) {
        return broken(option, "needs --plan or --planner");
    }
    if has_plan && config.search.obligation == Grouping::Whole {
        let option = if file.is_some() { "--plan" } else { "--planner" };
        return broken(
            option,
            "needs --obligation goal: in a proof state, the statements of a plan are no goals of their own",
        );
    }
    if config.drafts.file.is_some() && has_plan {
        return broken("--draft", "cannot be combined with a plan");
    }
    if *share_progress != ShareProgress::Off {
        if !has_plan {
            return broken("--share-progress", "needs --plan or --planner");
        }
        if config.basin.seeds.is_some() {
            return broken(
                "--share-progress",
                "cannot be combined with --basin-seeds, whose attempts are to be independent",
            );
        }
    }
    Ok(())
}

pub(super) fn broken<T>(option: &'static str, rule: impl Into<Cow<'static, str>>) -> Result<T, ConfigError> {
    Err(ConfigError { option, rule: rule.into() })
}

fn search(config: &Config, is_distributed: bool) -> Result<(), ConfigError> {
    let search = &config.search;
    if is_distributed && matches!(search.policy, Selection::BlindUniform | Selection::BestFirst) {
        return broken("--policy", "must be ucb1 or puct in distributed mode");
    }
    if search.priority.is_some() && search.policy != Selection::BestFirst {
        return broken("--policy", "must be best-first with a priority of the program's own");
    }
    if search.policy == Selection::BlindUniform && search.proposal_temperature > 0.0 {
        return broken("--proposal-temperature", "has no effect with --policy blind-uniform, which shuffles");
    }
    // Checked in single precision, as the search uses them: rounding may give 0 or 1.
    let (value, discount) = (search.default_value as f32, search.step_discount as f32);
    if !(value > 0.0 && value < 1.0) {
        return broken("--default-value", "must lie strictly between 0 and 1");
    }
    if discount == 0.0 {
        return broken("--step-discount", "must be above 0 and at most 1");
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
    if basin.seeds.is_some() && config.providers.len() > 1 {
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

/// Options for language models need one.
fn models(config: &Config) -> Result<(), ConfigError> {
    if !config.providers.iter().any(ProviderConfig::is_llm) && config.agent.is_none() {
        let preset = config.search.preset.config();
        let has_program = config.providers.iter().any(|p| matches!(p, ProviderConfig::Exec { .. }));
        for option in OPTIONS.iter().filter(|option| {
            // Programs and planners take lemmas, too.
            let has_planner = config.plan.planner.is_some();
            let is_free = match option.flag {
                "--lemmas" => has_program || has_planner,
                "--record" => has_planner,
                _ => option.key.starts_with("plan."),
            };
            option.section == Section::Models && option.key != "providers" && !is_free
        }) {
            if (option.get)(config) != (option.get)(&preset) {
                return broken(
                    option.flag,
                    "needs a language model: --model MODEL, or --provider replay=RUN",
                );
            }
        }
    }
    if config.llm.record && !config.asks_models() {
        return broken("--record", "needs a language model that is asked: --model MODEL");
    }
    if config.llm.replay_else_ask
        && !config.providers.iter().any(|p| matches!(p, ProviderConfig::Replay { .. }))
    {
        return broken("--replay-else-ask", "needs --provider replay=RUN");
    }
    if config.providers.iter().any(|p| matches!(p, ProviderConfig::Llm { model } if model.is_empty())) {
        return broken("--provider", "llm= needs the name or URL of a model");
    }
    for (name, model) in &config.models {
        if let Err(error) = model.validate() {
            let rule = format!("model `{name}` of the configuration file: {error}");
            return Err(ConfigError { option: "--provider", rule: rule.into() });
        }
    }
    Ok(())
}

/// Limits on tokens and money need a provider that states them. What programs and records state is known later only.
fn money(config: &Config) -> Result<(), ConfigError> {
    let states_tokens = |provider: &ProviderConfig| match provider {
        ProviderConfig::Llm { .. }
        | ProviderConfig::Replay { .. }
        | ProviderConfig::Exec { .. }
        | ProviderConfig::Program { .. } => true,
        ProviderConfig::Heuristic
        | ProviderConfig::Scripted { .. }
        | ProviderConfig::Learned { .. }
        | ProviderConfig::Synthetic { .. } => false,
    };
    let has_price = |provider: &ProviderConfig| match provider {
        ProviderConfig::Llm { model } => config.models.get(model).is_some_and(|m| m.prices.is_some()),
        other => states_tokens(other),
    };
    let limits = [
        ("--max-tokens-total", config.budget.max_tokens_total.is_some()),
        ("--max-cost", config.budget.max_cost.is_some()),
    ];
    if let Some((option, _)) = limits.into_iter().find(|(_, given)| *given)
        && !config.providers.iter().any(states_tokens)
        && config.agent.is_none()
    {
        return broken(option, "needs a language model, or a program that states what it uses");
    }
    if config.budget.max_cost.is_some() && !config.providers.iter().any(has_price) {
        return broken("--max-cost", "needs the prices of a model: `prices` in its table in --config");
    }
    Ok(())
}

/// Configuration files are UTF-8, so paths must be too.
fn paths(config: &Config) -> Result<(), ConfigError> {
    let is_text = |path: &Path| path.to_str().is_some();
    let rule = "must be a path in UTF-8";
    if let Some(bound) = config.load_path.iter().find(|bound| !is_text(&bound.folder)) {
        return broken(bound.binding.option(), rule);
    }
    if let Some(bound) = config.load_path.iter().find(|b| !b.name.is_empty() && !is_name(&b.name)) {
        return broken(
            bound.binding.option(),
            "needs a folder and a logical name: identifiers separated by periods",
        );
    }
    for provider in &config.providers {
        let (name, path) = match provider {
            ProviderConfig::Scripted { path } => ("scripted", path),
            ProviderConfig::Learned { path } => ("learned", path),
            _ => continue,
        };
        if path.as_os_str().is_empty() {
            return broken("--provider", format!("{name}= needs the path of a file"));
        }
        if !is_text(path) {
            return broken("--provider", rule);
        }
    }
    for (option, file) in [
        ("--project", &config.project),
        ("--draft", &config.drafts.file),
        ("--plan", &config.plan.file),
        ("--plan-prompt", &config.plan.prompt),
    ] {
        if file.as_deref().is_some_and(|path| !is_text(path)) {
            return broken(option, rule);
        }
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

/// Whether a text may be a qualified name in one of the systems.
fn is_name(text: &str) -> bool {
    let is_of = |system: &System| text.split('.').all(|part| (system.language().statements.is_name)(part));
    System::all().iter().filter(|system| system.language().is_written()).any(is_of)
}

/// Whether a text names a set of axioms. Some of these are not identifiers.
fn is_axiom_set(text: &str) -> bool {
    let sets = source::all().into_iter().flat_map(|source| source.axiom_sets());
    sets.into_iter().any(|(set, _)| *set == text)
}
