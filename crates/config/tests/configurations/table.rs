//! An independent statement of the validation rules, as a table: which options the error may name when a rule is
//! broken.

use andor_config::{
    Clock, Config, DistributedMcts, Grouping, LatencyConfig, LatencySpec, Level, MctsMode, ObstacleVisits,
    PlanSchedule, ProviderConfig, RankerConfig, SecondJudgeConfig, Selection, ShareProgress,
};

/// An option, and whether its rule is broken.
pub(crate) type Row = (&'static str, fn(&Config) -> bool);

fn distributed(c: &Config) -> bool {
    c.distributed_mcts.mode == MctsMode::Distributed
}

fn outside_unit(p: f64) -> bool {
    p.is_nan() || p <= 0.0 || p >= 1.0
}

fn outside(x: f64, least: f64, most: f64) -> bool {
    x.is_nan() || x < least || x > most
}

fn bad_count(n: Option<u32>) -> bool {
    n.is_some_and(|n| n == 0 || n > 1_000_000)
}

fn bad_latency(spec: &LatencySpec) -> bool {
    match spec {
        LatencySpec::Constant(d) => d.as_secs_f64() > 1e6,
        LatencySpec::LogNormal { median, sigma } => median.as_secs_f64() > 1e6 || outside(*sigma, 0.0, 10.0),
        LatencySpec::Recorded(path) => path.as_os_str().is_empty(),
    }
}

fn no_tactic(text: &str) -> bool {
    text.is_empty() || text.contains([' ', '-'])
}

macro_rules! m {
    (|$m:ident| $body:expr) => {
        |c: &Config| {
            let $m = &c.distributed_mcts;
            $body
        }
    };
}

/// An option of distributed mode that is given in centralized mode.
macro_rules! misplaced {
    ($field:ident) => {
        |c: &Config| !distributed(c) && c.distributed_mcts.$field != DistributedMcts::default().$field
    };
}

pub(crate) const ROWS: &[Row] = &[
    // --mcts-agents, --mcts-inflight: required in distributed mode; both must be provided.
    ("--mcts-agents", |c| distributed(c) && c.distributed_mcts.agents.is_none()),
    ("--mcts-inflight", |c| distributed(c) && c.distributed_mcts.inflight.is_none()),
    ("--mcts-agents", m!(|m| bad_count(m.agents))),
    ("--mcts-inflight", m!(|m| bad_count(m.inflight))),
    // Distributed options in centralized mode: forbidden.
    ("--mcts-agents", misplaced!(agents)),
    ("--mcts-inflight", misplaced!(inflight)),
    ("--mcts-virtual-loss", misplaced!(virtual_loss)),
    ("--mcts-depth-bias", misplaced!(depth_bias)),
    ("--mcts-path-bias", misplaced!(path_bias)),
    ("--mcts-history-cache", misplaced!(history_cache)),
    ("--mcts-goal-cache", misplaced!(goal_cache)),
    ("--mcts-block-fraction", misplaced!(block_fraction)),
    ("--mcts-block-duration", misplaced!(block_duration)),
    ("--mcts-block-seed", misplaced!(block_seed)),
    ("--mcts-block-immovable-fraction", misplaced!(block_immovable_fraction)),
    ("--mcts-unfreeze-after", misplaced!(unfreeze_after)),
    ("--mcts-unfreeze-prob", misplaced!(unfreeze_prob)),
    ("--mcts-reroute-blocked", misplaced!(reroute_blocked)),
    ("--mcts-reroute-max", misplaced!(reroute_max)),
    ("--mcts-obstacle-visits", misplaced!(obstacle_visits)),
    ("--mcts-delay-prob", misplaced!(delay_prob)),
    ("--mcts-delay-duration", misplaced!(delay_duration)),
    ("--mcts-delay-seed", misplaced!(delay_seed)),
    // --mcts-block-fraction: must be in (0,1).
    ("--mcts-block-fraction", m!(|m| m.block_fraction.is_some_and(outside_unit))),
    // --mcts-block-duration with block fraction: required, must be non-zero; it enables nothing alone.
    ("--mcts-block-duration", m!(|m| m.block_fraction.is_some() != m.block_duration.is_some())),
    ("--mcts-block-duration", m!(|m| m.block_duration == Some(0))),
    // --mcts-block-seed with block fraction: must be provided.
    ("--mcts-block-seed", m!(|m| m.block_fraction.is_some() != m.block_seed.is_some())),
    // --mcts-block-immovable-fraction: optional with block schedule; in [0,1]; requires positive duration.
    (
        "--mcts-block-immovable-fraction",
        m!(|m| m.block_immovable_fraction.is_some_and(|x| outside(x, 0.0, 1.0))),
    ),
    (
        "--mcts-block-immovable-fraction",
        m!(|m| m.block_immovable_fraction.is_some()
            && (m.block_fraction.is_none() || m.block_duration.is_none_or(|d| d <= 0))),
    ),
    // --mcts-unfreeze-after: optional with block schedule; >= 1.
    ("--mcts-unfreeze-after", m!(|m| m.unfreeze_after.is_some_and(|n| n < 1 || m.block_fraction.is_none()))),
    // --mcts-unfreeze-prob: optional with block schedule; in (0,1].
    (
        "--mcts-unfreeze-prob",
        m!(|m| m
            .unfreeze_prob
            .is_some_and(|p| p.is_nan() || p <= 0.0 || p > 1.0 || m.block_fraction.is_none())),
    ),
    // --mcts-reroute-blocked + --mcts-reroute-max: paired; max >= 1.
    ("--mcts-reroute-max", m!(|m| m.reroute_blocked != m.reroute_max.is_some())),
    ("--mcts-reroute-max", m!(|m| m.reroute_max == Some(0))),
    // --proposal-temperature: a temperature, for a search that does not shuffle.
    ("--proposal-temperature", |c| outside(c.search.proposal_temperature, 0.0, 100.0)),
    ("--proposal-temperature", |c| {
        c.search.policy == Selection::BlindUniform && c.search.proposal_temperature > 0.0
    }),
    // --mcts-goal-cache: instead of the agents' own caches.
    ("--mcts-goal-cache", m!(|m| m.goal_cache && m.history_cache)),
    // --mcts-obstacle-visits: something must be in the way, and `all` needs agents that go round it.
    (
        "--mcts-obstacle-visits",
        m!(|m| m.obstacle_visits.is_some() && m.block_fraction.is_none() && m.delay_prob.is_none()),
    ),
    ("--mcts-obstacle-visits", m!(|m| m.obstacle_visits == Some(ObstacleVisits::All) && !m.reroute_blocked)),
    // --basin-same-damage: needs --basin-seeds, and something that damages.
    ("--basin-same-damage", |c| c.basin.same_damage && c.basin.seeds.is_none()),
    ("--basin-same-damage", |c| {
        let m = &c.distributed_mcts;
        c.basin.same_damage && m.block_fraction.is_none() && m.delay_prob.is_none()
    }),
    // Delay triplet: all or none; prob in (0,1), duration >= 1, seed >= 0.
    (
        "--mcts-delay-prob",
        m!(|m| m.delay_prob.is_none() && (m.delay_duration.is_some() || m.delay_seed.is_some())),
    ),
    (
        "--mcts-delay-duration",
        m!(|m| m.delay_duration.is_none() && (m.delay_prob.is_some() || m.delay_seed.is_some())),
    ),
    (
        "--mcts-delay-seed",
        m!(|m| m.delay_seed.is_none() && (m.delay_prob.is_some() || m.delay_duration.is_some())),
    ),
    ("--mcts-delay-prob", m!(|m| m.delay_prob.is_some_and(outside_unit))),
    ("--mcts-delay-duration", m!(|m| m.delay_duration.is_some_and(|d| d < 1))),
    ("--mcts-delay-seed", m!(|m| m.delay_seed.is_some_and(|s| s < 0))),
    // --mcts-virtual-loss, --mcts-depth-bias, --mcts-path-bias: >= 0.
    ("--mcts-virtual-loss", m!(|m| m.virtual_loss.is_some_and(|x| outside(x, 0.0, 1e6)))),
    ("--mcts-depth-bias", m!(|m| m.depth_bias.is_some_and(|x| outside(x, 0.0, 1e6)))),
    ("--mcts-path-bias", m!(|m| m.path_bias.is_some_and(|x| outside(x, 0.0, 1e6)))),
    // Cross-mode constraints.
    ("--basin-blind", |c| c.basin.blind && c.basin.seeds.is_none()),
    ("--basin-blind", |c| c.basin.blind && distributed(c)),
    ("--basin-seeds", |c| c.basin.seeds.is_some() && c.providers.len() > 1),
    // Other rules.
    ("--policy", |c| c.search.priority.is_some() && c.search.policy != Selection::BestFirst),
    ("--policy", |c| {
        distributed(c) && matches!(c.search.policy, Selection::BlindUniform | Selection::BestFirst)
    }),
    ("--exploration", |c| outside(c.search.exploration, 0.0, 1e6)),
    ("--depth-reward", |c| outside(c.search.depth_reward, 0.0, 1e6)),
    ("--widening", |c| c.search.widening.is_some_and(|x| outside(x, 0.0, 1.0))),
    ("--default-value", |c| outside_unit(f64::from(c.search.default_value as f32))),
    ("--step-discount", |c| {
        c.search.step_discount as f32 == 0.0 || outside(c.search.step_discount, 0.0, 1.0)
    }),
    ("--time", |c| c.budget.time_s.is_some_and(|s| s == 0.0 || outside(s, 0.0, 1e9))),
    ("--virtual-time", |c| c.budget.virtual_time_s.is_some_and(|s| s == 0.0 || outside(s, 0.0, 1e9))),
    ("--virtual-time", |c| c.budget.virtual_time_s.is_some() && c.clock == Clock::Wall),
    ("--workers", |c| c.workers.workers == 0 || c.workers.workers > 1_000_000),
    ("--tactic-timeout", |c| {
        c.workers.tactic_timeout_s == 0.0 || outside(c.workers.tactic_timeout_s, 0.0, 1e9)
    }),
    ("--tactic-cpu-timeout", |c| {
        c.workers.tactic_cpu_timeout_s.is_some_and(|s| s == 0.0 || outside(s, 0.0, 1e9))
    }),
    ("--check-timeout", |c| c.workers.check_timeout_s == 0.0 || outside(c.workers.check_timeout_s, 0.0, 1e9)),
    ("--max-file-size", |c| c.verify.max_file_mb == 0 || c.verify.max_file_mb > 1 << 40),
    ("--max-memory", |c| c.workers.max_memory_mb == 0 || c.workers.max_memory_mb > 1 << 40),
    ("--provider", |c| c.providers.is_empty()),
    ("--provider", |c| {
        c.providers.iter().any(|p| matches!(p, ProviderConfig::Scripted { path } | ProviderConfig::Learned { path } if path.to_str().is_none()))
    }),
    ("--provider", |c| {
        let wrong = ["", "'", "x \"y", "''", "# x", "x \\"];
        c.providers
            .iter()
            .any(|p| matches!(p, ProviderConfig::Exec { command } if wrong.contains(&command.as_str())))
    }),
    ("--provider-timeout", |c| {
        let has_program = c.providers.iter().any(|p| matches!(p, ProviderConfig::Exec { .. }));
        c.provider_timeout_s.is_some_and(|s| s == 0.0 || outside(s, 0.0, 1e9) || !has_program)
    }),
    ("--ranker", |c| c.ranker == Some(RankerConfig::RoundRobin) && c.providers.len() < 2),
    ("--verify", |c| c.verify.level == Level::Claimed),
    ("--recheck-deps", |c| {
        c.verify.recheck_deps && matches!(c.verify.level, Level::Compiled | Level::Audited)
    }),
    ("--second-judge", |c| {
        let is_required = c.verify.second_judge == SecondJudgeConfig::Required;
        is_required && matches!(c.verify.level, Level::Compiled | Level::Audited)
    }),
    ("--allow-axioms", |c| c.allowed_axioms.iter().any(|a| ["", "a b", "x."].contains(&a.as_str()))),
    ("--trust", |c| c.trusted_bugs.iter().any(|bug| bug != "rocq#20455")),
    ("--provider-latency", |c| {
        c.clock == Clock::Wall && c.latencies.provider != LatencyConfig::default().provider
    }),
    ("--tactic-latency", |c| c.clock == Clock::Wall && c.latencies.tactic != LatencyConfig::default().tactic),
    ("--provider-latency", |c| bad_latency(&c.latencies.provider)),
    ("--tactic-latency", |c| bad_latency(&c.latencies.tactic)),
    ("--block-tactics", |c| c.tactics.block.iter().any(|t| no_tactic(t))),
    ("--allow-easy", |c| c.tactics.allow_easy && !c.tactics.easy_gate),
    ("--easy-tactics", |c| {
        let is_bad =
            |easy: &Vec<String>| !c.tactics.easy_gate || easy.is_empty() || easy.iter().any(|t| no_tactic(t));
        c.tactics.easy.as_ref().is_some_and(is_bad)
    }),
    ("--basin-seeds", |c| bad_count(c.basin.seeds)),
    ("--max-tokens-total", |c| c.budget.max_tokens_total.is_some() && !c.providers.iter().any(states_tokens)),
    ("--max-cost", |c| {
        let has_price = |provider: &ProviderConfig| match provider {
            ProviderConfig::Llm { model } => c.models.get(model).is_some_and(|m| m.prices.is_some()),
            other => states_tokens(other),
        };
        c.budget.max_cost.is_some_and(|cost| outside(cost, 0.0, 1e9) || !c.providers.iter().any(has_price))
    }),
    ("--provider", |c| {
        c.providers.iter().any(|p| matches!(p, ProviderConfig::Llm { model } if model.is_empty()))
    }),
    ("--inflight", |c| bad_count(c.workers.inflight) || (c.workers.inflight.is_some() && distributed(c))),
    // Language models.
    ("--prompt", |c| c.llm.prompt.is_some() && !has_model(c)),
    ("--answer", |c| c.llm.answer.is_some() && !has_model(c)),
    ("--n-sampling-search", |c| bad_count(c.llm.n) || (c.llm.n.is_some() && !has_model(c))),
    ("--sampling-temperature", |c| {
        c.llm.temperature.is_some_and(|t| outside(t, 0.0, 100.0) || !has_model(c))
    }),
    ("--sampling-top-p", |c| c.llm.top_p.is_some_and(|p| p == 0.0 || outside(p, 0.0, 1.0) || !has_model(c))),
    ("--max-tokens", |c| bad_count(c.llm.max_tokens) || (c.llm.max_tokens.is_some() && !has_model(c))),
    ("--model-timeout", |c| {
        c.llm.timeout_s.is_some_and(|s| s == 0.0 || outside(s, 0.0, 1e9) || !has_model(c))
    }),
    ("--model-wait", |c| c.llm.wait_s.is_some_and(|s| s == 0.0 || outside(s, 0.0, 1e9) || !has_model(c))),
    ("--lemmas", |c| {
        let has_program = c.providers.iter().any(|p| matches!(p, ProviderConfig::Exec { .. }));
        c.llm.lemmas > 0 && !has_model(c) && !has_program && c.plan.planner.is_none()
    }),
    ("--planner", |c| {
        let needs_goals = c.plan.file.is_none() && c.search.obligation == Grouping::Whole;
        c.plan.planner.as_ref().is_some_and(|planner| planner.is_empty() || needs_goals)
    }),
    ("--plan-prompt", |c| c.plan.prompt.is_some() && c.plan.planner.is_none()),
    ("--plan-retries", |c| c.plan.retries != 2 && c.plan.planner.is_none()),
    ("--replans", |c| c.plan.replans != 3 && c.plan.planner.is_none()),
    ("--subgoal-replans", |c| c.plan.subgoal_replans != 2 && c.plan.planner.is_none()),
    ("--plan-schedule", |c| c.plan.schedule != PlanSchedule::Parallel && !has_plan(c)),
    ("--plan-subgoal-candidates", |c| {
        c.plan.subgoal_candidates == 0 || (c.plan.subgoal_candidates != 1500 && !has_plan(c))
    }),
    ("--plan-subgoal-time", |c| {
        c.plan.subgoal_time_s.is_some_and(|s| s == 0.0 || outside(s, 0.0, 1e9) || !has_plan(c))
    }),
    ("--plan", |c| c.plan.file.is_some() && c.search.obligation == Grouping::Whole),
    ("--share-progress", |c| {
        let shares = c.plan.share_progress == ShareProgress::Run;
        shares && (!has_plan(c) || c.basin.seeds.is_some())
    }),
    ("--draft", |c| c.drafts.file.is_some() && (c.plan.file.is_some() || c.plan.planner.is_some())),
    ("--record", |c| {
        let has = |wanted: fn(&ProviderConfig) -> bool| c.providers.iter().any(wanted);
        let planned = c.plan.planner.is_some() && !has(|p| matches!(p, ProviderConfig::Replay { .. }));
        c.llm.record && !has(|p| matches!(p, ProviderConfig::Llm { .. })) && !planned
    }),
    ("--replay-else-ask", |c| {
        c.llm.replay_else_ask && !c.providers.iter().any(|p| matches!(p, ProviderConfig::Replay { .. }))
    }),
];

fn states_tokens(provider: &ProviderConfig) -> bool {
    provider.is_llm() || matches!(provider, ProviderConfig::Exec { .. } | ProviderConfig::Program { .. })
}

fn has_plan(c: &Config) -> bool {
    c.plan.file.is_some() || c.plan.planner.is_some()
}

fn has_model(c: &Config) -> bool {
    c.providers.iter().any(|p| matches!(p, ProviderConfig::Llm { .. } | ProviderConfig::Replay { .. }))
}
