//! Providers that give no answer: the search goes on without them, and their silence is never a failure to prove.

use andor_system_mini::MINI;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Config, Level, VerifyConfig};
use andor_core::theorem::System;
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::composite::Composite;
use andor_provider::contract::{Call, Provider, ProviderError, Request, Suggestions, Usage};
use andor_provider::scripted;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// How a provider fails to answer.
#[derive(Clone, Copy)]
enum How {
    Unavailable,
    NoAnswer,
    NoTactic,
    Unusable,
}

/// A provider that fails so many times, then answers. Each request costs ten tokens.
struct Faulty {
    how: How,
    times: u32,
    asked: AtomicU32,
    calls: Mutex<Vec<Call>>,
    answers: scripted::Scripted,
}

impl Faulty {
    fn new(how: How, times: u32, tactics: &[&str]) -> Arc<Self> {
        let answers = scripted::Scripted::always(tactics);
        Arc::new(Self { how, times, asked: AtomicU32::default(), calls: Mutex::default(), answers })
    }
}

fn usage() -> Usage {
    let waited = Duration::from_millis(1);
    Usage {
        questions: 1,
        requests: 1,
        retries: 0,
        prompt_tokens: 8,
        completion_tokens: 2,
        waited,
        cost_micros: 500_000,
    }
}

#[async_trait]
impl Provider for Faulty {
    fn id(&self) -> &str {
        "faulty"
    }

    fn speaks(&self, _system: System) -> bool {
        true
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        self.calls.lock().unwrap().push(request.call);
        let (provider, reason) = (self.id().to_owned(), "it is asleep".to_owned());
        if self.asked.fetch_add(1, Ordering::Relaxed) >= self.times {
            return Ok(Suggestions { usage: usage(), ..self.answers.suggest(request).await? });
        }
        Err(match self.how {
            How::Unavailable => ProviderError::Unavailable { provider, reason, usage: usage() },
            How::NoAnswer => ProviderError::NoAnswer { provider, reason, usage: usage() },
            How::NoTactic => ProviderError::NoTactic { provider, reason, usage: usage() },
            How::Unusable => ProviderError::Unusable { provider, reason },
        })
    }
}

fn attempt(provider: Arc<dyn Provider>, budget: BudgetConfig) -> AttemptResult {
    let means = Means {
        workers: Workers::new(Arc::new(ScriptedEnvironment::default()), Grouping::Coupled),
        provider,
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: None,
        cancel: CancellationToken::new(),
    };
    let verify = VerifyConfig { level: Level::Compiled, demanded: true, ..VerifyConfig::default() };
    let config = Config { verify, budget, seed: 7, ..Config::default() };
    let theorem = theorem(MINI, "t", "root: split -> left right\nleft: done -> .\nright: done -> .");
    let request =
        attempt::AttemptRequest { theorem, attempt: 3, role: Role::Configured, config, directory: None };
    block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap()
}

#[test]
fn a_provider_that_fails_for_now_is_asked_again() {
    let result = attempt(Faulty::new(How::Unavailable, 2, &["split", "done"]), BudgetConfig::default());
    assert_eq!(result.outcome, Outcome::Accepted);
    assert_eq!(result.spent.unanswered, 0);
    // Two failures, and three nodes.
    assert_eq!((result.spent.model.requests, result.spent.model.prompt_tokens), (5, 40));
    assert!((result.spent.model.cost - 2.5).abs() < 1e-9);
}

#[test]
fn others_answer_for_a_provider_that_does_not() {
    for how in [How::Unavailable, How::NoAnswer] {
        let others: Arc<dyn Provider> = Arc::new(scripted::Scripted::always(&["split", "done"]));
        let provider = Composite::new(vec![Faulty::new(how, 1000, &["split"]), others]);
        let result = attempt(Arc::new(provider), BudgetConfig::default());
        assert_eq!((result.outcome, result.spent.unanswered), (Outcome::Accepted, 3));
    }
}

#[test]
fn no_answer_at_all_is_not_a_failure_to_prove() {
    for how in [How::Unavailable, How::NoAnswer] {
        let result = attempt(Faulty::new(how, 1000, &["split"]), BudgetConfig::default());
        assert_eq!(result.outcome, Outcome::InfrastructureError);
        let message = result.infrastructure_error.unwrap();
        assert!(message.contains("no provider answered at one node, and nothing"), "{message}");
        assert!(message.contains("failed last: "), "{message}");
    }
    // Nothing the provider said leads on, so there is no proof to be found.
    let result = attempt(Faulty::new(How::NoAnswer, 0, &["other"]), BudgetConfig::default());
    assert_eq!(result.outcome, Outcome::NotProved);
}

#[test]
fn answers_without_a_tactic_are_no_answers_unless_another_has_one() {
    let silent = || Faulty::new(How::NoTactic, 1000, &[]);
    let result = attempt(silent(), BudgetConfig::default());
    assert_eq!((result.outcome, result.spent.unanswered), (Outcome::InfrastructureError, 1));
    let message = result.infrastructure_error.unwrap();
    assert!(message.contains("no provider wrote a tactic at one node"), "{message}");
    // What was said once leads to a node where nothing is: the search is at its end.
    let result = attempt(Faulty::new(How::NoTactic, 0, &["other"]), BudgetConfig::default());
    assert_eq!(result.outcome, Outcome::NotProved);
    let others: Arc<dyn Provider> = Arc::new(scripted::Scripted::always(&["other"]));
    let both = Composite::new(vec![silent(), others]);
    assert_eq!(attempt(Arc::new(both), BudgetConfig::default()).outcome, Outcome::NotProved);
}

#[test]
fn a_provider_that_cannot_be_used_ends_the_attempt() {
    let result = attempt(Faulty::new(How::Unusable, 1, &["split", "done"]), BudgetConfig::default());
    assert_eq!(result.outcome, Outcome::InfrastructureError);
    assert!(result.infrastructure_error.unwrap().contains("cannot be used: it is asleep"));
}

#[test]
fn tokens_and_money_are_budgets() {
    let provider = || Faulty::new(How::NoAnswer, 0, &["split", "done"]);
    let tokens = BudgetConfig { max_tokens_total: Some(15), ..BudgetConfig::default() };
    assert_eq!(attempt(provider(), tokens).stop_reason, "tokens");
    let money = BudgetConfig { max_cost: Some(0.75), ..BudgetConfig::default() };
    let result = attempt(provider(), money);
    assert_eq!((&*result.stop_reason, &*result.stop_detail), ("cost", "reached a cost of 0.75"));
}

#[test]
fn each_call_has_a_seed_of_its_own() {
    let provider = Faulty::new(How::NoAnswer, 0, &["split", "done"]);
    attempt(Arc::clone(&provider) as Arc<dyn Provider>, BudgetConfig::default());
    let calls = provider.calls.lock().unwrap().clone();
    assert!(calls.iter().all(|call| (call.seed, call.attempt, call.number) == (7, 3, 0)), "{calls:?}");
    let mut seeds: Vec<u64> = calls.iter().map(|call| call.sampling_seed()).collect();
    seeds.push(Call { number: 1, ..calls[0] }.sampling_seed());
    seeds.push(Call { seed: 8, ..calls[0] }.sampling_seed());
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), calls.len() + 2);
}
