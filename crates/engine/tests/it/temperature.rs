//! The order of proposals drawn by seed (`--proposal-temperature`), and attempts in which something was drawn.

use andor_system_mini::MINI;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use andor_artifact::result::{AttemptResult, Role};
use andor_config::{Clock, Config, LatencySpec, Level, Selection, VerifyConfig};
use andor_core::signature::GoalKey;
use andor_core::theorem::System;
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Candidate, Provider, ProviderError, Request, Suggestions};
use andor_testkit::block_on;
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Another prior at every goal, so that no two ways have the same sum.
fn prior(goal: GoalKey, at: usize) -> f64 {
    let mixed = (goal.0 ^ (at as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)) >> 11;
    -1.0 - mixed as f64 / 2_f64.powi(53)
}

/// Always proposes the same at a goal, without ties. Its tactics leave one goal at most: two would tie.
struct Fixed {
    /// Whether it says that it draws them.
    draws: bool,
}

#[async_trait]
impl Provider for Fixed {
    fn id(&self) -> &str {
        "fixed"
    }

    fn speaks(&self, system: System) -> bool {
        system == MINI
    }

    fn draws(&self) -> bool {
        self.draws
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let tactics = ["intro h", "intro k", "intro m", "clear h", "clear k", "assumption"];
        let candidate = |(at, tactic): (usize, &str)| Candidate {
            tactic: tactic.to_owned(),
            log_prior: prior(request.call.goal, at),
            tokens: None,
            provider: "fixed".into(),
        };
        let candidates = tactics.into_iter().enumerate().map(candidate).collect();
        Ok(Suggestions { candidates, ..Suggestions::default() })
    }
}

fn search(temperature: f64, policy: Selection, seed: u64) -> AttemptResult {
    let mut config = Config { seed, ..Config::default() };
    config.search.policy = policy;
    config.search.proposal_temperature = temperature;
    search_by(Fixed { draws: false }, config)
}

fn search_by(provider: Fixed, mut config: Config) -> AttemptResult {
    config.budget.max_candidates = Some(100);
    config.verify = VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() };
    config.validate().unwrap();
    let statement = "theorem t (p q r s u : Prop) : p → q → r → s → u";
    let theorem = andor_dataset::from_statement(MINI, statement, &[]).unwrap().theorem;
    let means = Means {
        workers: Workers::new(registry::environment(theorem.system, &config), Grouping::Coupled),
        provider: Arc::new(provider),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&config).unwrap(),
        cancel: CancellationToken::new(),
    };
    let request = AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory: None };
    block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap()
}

#[test]
fn seeds_give_other_searches_only_with_temperature() {
    for policy in [Selection::BestFirst, Selection::Puct] {
        let trees = |temperature| -> HashSet<Option<String>> {
            (0..8).map(|seed| search(temperature, policy, seed).tree_digest).collect()
        };
        assert_eq!(trees(0.0).len(), 1, "{policy}: the provider is deterministic");
        assert!(trees(1.0).len() > 4, "{policy}");
        assert_eq!(search(1.0, policy, 3).tree_digest, search(1.0, policy, 3).tree_digest);
        assert!(search(1.0, policy, 3).chance && !search(0.0, policy, 3).chance, "{policy}");
    }
}

#[test]
fn an_attempt_is_a_copy_only_if_nobody_was_asked_who_draws() {
    // The configuration names no provider that draws.
    let search = |draws, change: fn(&mut Config)| {
        let mut config = Config::default();
        change(&mut config);
        search_by(Fixed { draws }, config).chance
    };
    assert!(!search(false, |_| {}));
    assert!(search(true, |_| {}));
    assert!(search(false, |config| config.clock = Clock::Wall), "real time decides");
    let vary = |config: &mut Config| {
        config.latencies.tactic = LatencySpec::LogNormal { median: Duration::from_secs(1), sigma: 1.0 };
    };
    assert!(!search(false, vary), "one thing at a time, however long it takes");
    let within = |config: &mut Config| {
        config.latencies.tactic = LatencySpec::LogNormal { median: Duration::from_secs(1), sigma: 1.0 };
        config.budget.virtual_time_s = Some(5.0);
    };
    assert!(search(false, within), "how much fits into the time was drawn");
}
