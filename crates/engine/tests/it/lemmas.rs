//! Lemmas for providers that want some.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use andor_artifact::result::{Outcome, Role};
use andor_config::{BudgetConfig, Clock, Config, DistributedMcts, Level, MctsMode, VerifyConfig};
use andor_core::theorem::{System, Theorem};
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_env::environment::Environment;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::composite::Composite;
use andor_provider::contract::{Candidate, Provider, ProviderError, Request, Suggestions};
use andor_provider::scripted::Scripted;
use andor_system_mini::{Mini, MiniConfig};
use andor_system_rocq::{Rocq, RocqConfig};
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// Applies the lemmas that it gets, besides some tactics, and notes their names by the goals' targets.
struct Applier {
    tactics: &'static [&'static str],
    n_lemmas: usize,
    got: Mutex<Vec<(String, Vec<String>)>>,
}

impl Applier {
    fn new(tactics: &'static [&'static str], n_lemmas: usize) -> Arc<Self> {
        Arc::new(Self { tactics, n_lemmas, got: Mutex::default() })
    }
}

#[async_trait]
impl Provider for Applier {
    fn id(&self) -> &str {
        "applier"
    }

    fn speaks(&self, _system: System) -> bool {
        true
    }

    fn n_lemmas(&self) -> usize {
        self.n_lemmas
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let names: Vec<String> = request.lemmas.iter().map(|lemma| lemma.name.clone()).collect();
        self.got.lock().unwrap().push((request.goals[0].target.text.clone(), names.clone()));
        let lemmas = names.iter().map(|name| format!("apply {name}"));
        let tactics = lemmas.chain(self.tactics.iter().map(|&tactic| tactic.to_owned()));
        let candidate =
            |tactic| Candidate { tactic, log_prior: -1.0, tokens: None, provider: "applier".into() };
        Ok(Suggestions { candidates: tactics.map(candidate).collect(), ..Suggestions::default() })
    }
}

async fn outcome(
    environment: Arc<dyn Environment>,
    provider: Arc<dyn Provider>,
    theorem: Theorem,
    config: Config,
) -> Outcome {
    let means = Means {
        workers: Workers::new(environment, Grouping::Coupled),
        provider,
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: andor_engine::registry::latencies(&config).unwrap(),
        cancel: CancellationToken::new(),
    };
    let request = AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory: None };
    attempt::run(&request, &means, &mut |_: &str, _: &Event| {}).await.unwrap().outcome
}

fn config() -> Config {
    Config {
        budget: BudgetConfig { time_s: None, max_iterations: Some(60), ..BudgetConfig::default() },
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        ..Config::default()
    }
}

const TABLE: &str = "root: split -> a b | again -> a\na: apply about -> .\nb: done -> .\n\
                     lemma: about a here\nlemma: other nothing\nlemma: further root a b\n";

#[test]
fn a_request_carries_the_lemmas_about_its_first_goal() {
    block_on(async {
        let environment = Arc::new(ScriptedEnvironment::default());
        let applier = Applier::new(&["split", "again", "done"], 2);
        let outcome = outcome(
            Arc::clone(&environment) as _,
            Arc::clone(&applier) as _,
            theorem(MINI, "t", TABLE),
            config(),
        );
        assert_eq!(outcome.await, Outcome::Accepted);
        let got = applier.got.lock().unwrap().clone();
        for (target, lemmas) in &got {
            let expected: &[&str] = match target.as_str() {
                "root" => &["further"],
                "a" => &["about", "further"],
                "b" => &["further"],
                other => panic!("{other}"),
            };
            assert_eq!(lemmas, expected, "{target}");
        }
        let mut targets: Vec<&str> = got.iter().map(|(target, _)| target.as_str()).collect();
        targets.sort_unstable();
        targets.dedup();
        assert_eq!(targets, ["a", "b", "root"]);
        assert_eq!(environment.n_lookups.load(Ordering::Relaxed), 3, "one for each set of symbols");
    });
}

#[test]
fn nothing_is_looked_up_for_providers_that_want_no_lemmas() {
    block_on(async {
        let environment = Arc::new(ScriptedEnvironment::default());
        let provider = Arc::new(Scripted::always(&["split", "apply about", "done"]));
        let table = theorem(MINI, "t", TABLE);
        assert_eq!(
            outcome(Arc::clone(&environment) as _, provider, table, config()).await,
            Outcome::Accepted
        );
        assert_eq!(environment.n_lookups.load(Ordering::Relaxed), 0);
        assert_eq!(environment.n_workers.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn each_of_several_providers_gets_as_many_as_it_wants() {
    block_on(async {
        let (few, many) = (Applier::new(&["split"], 1), Applier::new(&["done"], 9));
        let both = Composite::new(vec![Arc::clone(&few) as _, Arc::clone(&many) as _]);
        let table = theorem(MINI, "t", TABLE);
        let outcome = outcome(Arc::new(ScriptedEnvironment::default()), Arc::new(both), table, config());
        assert_eq!(outcome.await, Outcome::Accepted);
        let at_a = |applier: &Applier| {
            let got = applier.got.lock().unwrap();
            got.iter().find(|(target, _)| target == "a").unwrap().1.clone()
        };
        assert_eq!(at_a(&few), ["about"]);
        assert_eq!(at_a(&many), ["about", "further"]);
    });
}

/// With a single worker, which one agent holds, another looks something up.
#[test]
fn a_lookup_waits_for_no_worker() {
    block_on(async {
        for clock in [Clock::Virtual, Clock::Wall] {
            let distributed = DistributedMcts {
                mode: MctsMode::Distributed,
                agents: Some(4),
                inflight: Some(4),
                ..DistributedMcts::default()
            };
            let config = Config { clock, distributed_mcts: distributed, ..config() };
            let applier = Applier::new(&["intro h", "constructor", "exact h"], 4);
            let statement = "theorem t (p q : Prop) (hp : p) (hq : q) : (q → q) ∧ (p ∧ q ↔ q ∧ p)";
            let theorem = theorem(MINI, "t", statement);
            let environment = Arc::new(Mini::new(MiniConfig::default()));
            assert_eq!(outcome(environment, applier, theorem, config).await, Outcome::Accepted);
        }
    });
}

#[test]
fn a_theorem_of_rocq_is_proved_by_a_lemma_that_was_found() {
    block_on(async {
        let applier = Applier::new(&["intros"], 8);
        let statement = "Theorem t : forall n m p : nat, n + (m + p) = n + m + p.";
        let theorem =
            Theorem { header: "Require Import Arith.\n".to_owned(), ..theorem(ROCQ, "t", statement) };
        let environment = Arc::new(Rocq::new(RocqConfig::default()));
        let outcome = outcome(environment, Arc::clone(&applier) as _, theorem, config()).await;
        assert_eq!(outcome, Outcome::Accepted, "{:?}", applier.got.lock().unwrap());
    });
}
