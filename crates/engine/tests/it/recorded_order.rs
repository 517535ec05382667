//! A search under the wall clock is repeated by following the order in which it took in results.

use andor_system_mini::MINI;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use andor_artifact::folders::attempt_folder;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{BudgetConfig, Clock, Config, LlmConfig, Preset, ProviderConfig};
use andor_core::theorem::System;
use andor_engine::attempt::{self, AttemptRequest, Means};
use andor_engine::event::Event;
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Provider, ProviderError, Request, Suggestions};
use andor_provider::scripted::Scripted;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// A provider whose answers come out of turn, otherwise for each salt.
struct OutOfTurn {
    salt: u64,
    answers: Scripted,
}

#[async_trait]
impl Provider for OutOfTurn {
    fn id(&self) -> &str {
        "out-of-turn"
    }

    fn speaks(&self, _system: System) -> bool {
        true
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let turns = (request.call.seed ^ self.salt).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57;
        for _ in 0..turns {
            tokio::task::yield_now().await;
        }
        self.answers.suggest(request).await
    }
}

/// A tree of goals of this depth. One of the deepest cannot be closed, so that all others are visited.
fn tree(depth: u32) -> String {
    let inner = (1..1_u32 << depth).map(|n| match n {
        1 => "root: split -> g2 g3\n".to_owned(),
        n => format!("g{n}: split -> g{} g{}\n", 2 * n, 2 * n + 1),
    });
    let leaves = (1_u32 << depth..2 << depth).map(|n| match n % 7 {
        3 => format!("g{n}: done -> !no\n"),
        _ => format!("g{n}: done -> .\n"),
    });
    inner.chain(leaves).collect()
}

fn search(salt: u64, providers: Vec<ProviderConfig>, run: &Path) -> AttemptResult {
    let answers = Scripted::always(&["split", "done"]);
    let provider = Arc::new(OutOfTurn { salt, answers });
    search_with(Clock::Wall, provider, CancellationToken::new(), providers, run)
}

fn search_with(
    clock: Clock,
    provider: Arc<dyn Provider>,
    cancel: CancellationToken,
    providers: Vec<ProviderConfig>,
    run: &Path,
) -> AttemptResult {
    let theorem = theorem(MINI, "t", &tree(4));
    let mut config = Config {
        clock,
        seed: 5,
        budget: BudgetConfig { time_s: Some(60.0), ..BudgetConfig::default() },
        providers,
        llm: LlmConfig { record: true, ..LlmConfig::default() },
        ..Preset::BestFirst.config()
    };
    // Fewer workers than nodes in progress: who waits for its turn must not keep one.
    config.workers.workers = 2;
    config.distributed_mcts.inflight = Some(4);
    let means = Means {
        workers: Workers::new(Arc::new(ScriptedEnvironment::default()), Grouping::Coupled),
        provider,
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: None,
        cancel,
    };
    let directory = Some(attempt_folder(run, &theorem.id, 1));
    let request = AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory };
    block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap()
}

#[test]
fn a_search_whose_answers_come_in_another_order_makes_the_same_tree() {
    let mut n_orders = 0;
    for salt in 0..8 {
        let folder = tempfile::tempdir().unwrap();
        let (first, second, free) =
            (folder.path().join("first"), folder.path().join("second"), folder.path().join("free"));
        let recorded = search(salt, vec![ProviderConfig::Heuristic], &first);
        assert!(recorded.spent.expansions > 10, "{recorded:?}");
        let followed = search(salt + 100, vec![ProviderConfig::Replay { run: first }], &second);
        assert_eq!(recorded.tree_digest, followed.tree_digest, "salt {salt}");
        assert_eq!(recorded.spent.candidates, followed.spent.candidates, "salt {salt}");
        let unguided = search(salt + 100, vec![ProviderConfig::Heuristic], &free);
        n_orders += u32::from(unguided.tree_digest != recorded.tree_digest);
    }
    assert!(n_orders > 0, "answers that come in another order change the search");
}

/// A provider that answers so many requests, and no other: it waits, as for a slow model, or has no record of them.
struct Few {
    answered: u64,
    then: Then,
    asked: AtomicU64,
    answers: Scripted,
    cancel: CancellationToken,
}

#[derive(Clone, Copy)]
enum Then {
    Interrupted,
    Unrecorded,
}

#[async_trait]
impl Provider for Few {
    fn id(&self) -> &str {
        "few"
    }

    fn speaks(&self, _system: System) -> bool {
        true
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        if self.asked.fetch_add(1, Ordering::Relaxed) < self.answered {
            return self.answers.suggest(request).await;
        }
        match self.then {
            Then::Interrupted => {
                self.cancel.cancel();
                std::future::pending().await
            }
            Then::Unrecorded => {
                Err(ProviderError::Unusable { provider: "few".to_owned(), reason: "no record".to_owned() })
            }
        }
    }
}

#[test]
fn a_search_that_was_stopped_ends_where_it_was_stopped() {
    for clock in [Clock::Wall, Clock::Virtual] {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (folder.path().join("first"), folder.path().join("second"));
        let few = |then| {
            let (asked, cancel) = (AtomicU64::default(), CancellationToken::new());
            Arc::new(Few { answered: 9, then, asked, answers: Scripted::always(&["split"]), cancel })
        };
        let stopped = few(Then::Interrupted);
        let cancel = stopped.cancel.clone();
        let recorded = search_with(clock, stopped, cancel, vec![ProviderConfig::Heuristic], &first);
        assert_eq!(recorded.outcome, Outcome::Interrupted);
        let replay = vec![ProviderConfig::Replay { run: first }];
        let never = CancellationToken::new();
        let followed = search_with(clock, few(Then::Unrecorded), never, replay, &second);
        assert_eq!(followed.outcome, Outcome::Interrupted, "{:?}", followed.infrastructure_error);
        assert_eq!(recorded.tree_digest, followed.tree_digest);
    }
}
