//! When the checker itself fails: that says nothing about the proof, and is never a rejection.

use andor_system_mini::MINI;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{Config, VerifyConfig};
use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_engine::attempt::{self, Means};
use andor_engine::event::Event;
use andor_engine::registry;
use andor_env::checker::{Checker, Claim, Level, Reach, Verdict};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Worker};
use andor_env::workers::Workers;
use andor_process::error::ProcessError;
use andor_provider::scripted;
use andor_testkit::scripted::ScriptedEnvironment;
use andor_testkit::{block_on, theorem};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

/// The scripted environment with a checker that fails.
struct Unreliable {
    scripted: ScriptedEnvironment,
    /// The highest level that it supports, at which it fails.
    at: Level,
    /// So many times, then no more.
    times: u32,
    how: How,
    calls: Arc<AtomicU32>,
}

/// How a checker fails.
#[derive(Clone, Copy)]
enum How {
    Dies,
    DoesNotAnswer,
    StopsShort,
    Panics,
}

impl Unreliable {
    fn new(at: Level, times: u32) -> Self {
        Self { scripted: ScriptedEnvironment::default(), at, times, how: How::Dies, calls: Arc::default() }
    }
}

#[async_trait]
impl Environment for Unreliable {
    fn system(&self) -> System {
        self.scripted.system()
    }

    fn commutative(&self) -> &'static Commutative {
        self.scripted.commutative()
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        self.scripted.new_worker(grouping)
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        self.scripted.screen(tactic)
    }

    fn checker(&self) -> &dyn Checker {
        self
    }

    fn assemble(&self, theorem: &Theorem, imports: &[ExtraImport], script: &Script) -> Claim {
        self.scripted.assemble(theorem, imports, script)
    }

    async fn probe(&self) -> Vec<Finding> {
        self.scripted.probe().await
    }
}

#[async_trait]
impl Checker for Unreliable {
    async fn reach(&self) -> Reach {
        Reach { highest: self.at, shortfall: Some("there is no second kernel".to_owned()) }
    }

    async fn check(&self, claim: &Claim, level: Level) -> Verdict {
        let calls = self.calls.fetch_add(1, Ordering::Relaxed);
        if level < self.at || calls >= self.times {
            return self.scripted.check(claim, level).await;
        }
        let doing = "checking a proof".to_owned();
        let error = match self.how {
            How::Dies => EnvError::Process(ProcessError::Died {
                doing,
                status: "signal: 9 (SIGKILL)".to_owned(),
                stderr: String::new(),
            }),
            How::StopsShort => return self.scripted.check(claim, level).await,
            How::DoesNotAnswer => {
                EnvError::Process(ProcessError::Overdue { doing, after: Duration::from_secs(1) })
            }
            How::Panics => panic!("the checker lost its way in {}", claim.theorems.join(", ")),
        };
        Verdict::Infrastructure { level: self.at, error }
    }
}

/// A theorem whose first proof is rejected, when it is judged at all.
const WORLD: &str = "root: bad -> . | done -> .\nforbidden: bad";

/// Makes an attempt by some tactics; returns its result and how often the checker was asked.
fn attempt(environment: Unreliable, tactics: &[&str], verify: VerifyConfig) -> (AttemptResult, u32) {
    let calls = Arc::clone(&environment.calls);
    let means = Means {
        workers: Workers::new(Arc::new(environment), Grouping::Coupled),
        provider: Arc::new(scripted::Scripted::always(tactics)),
        models: Vec::new(),
        planner: None,
        ranker: None,
        priority: None,
        latencies: registry::latencies(&Config::default()).unwrap(),
        cancel: CancellationToken::new(),
    };
    let config = Config { verify, ..Config::default() };
    let theorem = theorem(MINI, "t", WORLD);
    let request =
        attempt::AttemptRequest { theorem, attempt: 1, role: Role::Configured, config, directory: None };
    let result = block_on(attempt::run(&request, &means, &mut |_: &str, _: &Event| {})).unwrap();
    (result, calls.load(Ordering::Relaxed))
}

fn compiled() -> VerifyConfig {
    VerifyConfig { level: Level::Compiled, demanded: true, ..VerifyConfig::default() }
}

#[test]
fn a_check_that_failed_is_repeated() {
    let (result, calls) = attempt(Unreliable::new(Level::Compiled, 2), &["done"], compiled());
    assert_eq!((result.outcome, result.verification_level, calls), (Outcome::Accepted, Some(1), 3));
    assert_eq!((result.infrastructure_error, result.rejected_claims.len()), (None, 0));
    // The verdict after the failure may be a rejection, and then the search goes on.
    let (result, calls) = attempt(Unreliable::new(Level::Compiled, 1), &["bad", "done"], compiled());
    assert_eq!((result.outcome, result.rejected_claims.len(), calls), (Outcome::Accepted, 1, 3));
}

#[test]
fn a_proof_that_cannot_be_judged_stays_a_claim() {
    for (how, expected) in [(How::Dies, 3), (How::DoesNotAnswer, 1)] {
        let environment = Unreliable { how, ..Unreliable::new(Level::Compiled, u32::MAX) };
        let (result, calls) = attempt(environment, &["done"], compiled());
        assert_eq!((result.outcome, calls), (Outcome::Claimed, expected));
        assert_eq!((result.stop_reason.as_str(), result.verification_level), ("infrastructure", Some(0)));
        assert!(result.infrastructure_error.is_some_and(|e| e.contains("checking a proof")));
        assert_eq!((result.proof.as_deref(), result.rejected_claims.len()), (Some("done"), 0));
    }
}

#[test]
fn a_failure_high_up_is_no_acceptance_below() {
    for (how, calls_expected, said) in [
        (How::Dies, 3, "SIGKILL"),
        (How::DoesNotAnswer, 1, "no answer"),
        (How::StopsShort, 1, "accepted only at level 1 (compiled)"),
    ] {
        let environment = || Unreliable { how, ..Unreliable::new(Level::Audited, u32::MAX) };
        let (result, calls) = attempt(environment(), &["done"], VerifyConfig::default());
        assert_eq!((result.outcome, calls), (Outcome::Claimed, calls_expected));
        assert_eq!((result.verification_level, result.validated), (Some(0), None));
        let error = result.infrastructure_error.unwrap_or_default();
        assert!(error.contains("level 2 (audited) did not finish") && error.contains(said), "{error}");
        // Less that is asked for can still be had.
        let (result, _) = attempt(environment(), &["done"], compiled());
        assert_eq!((result.outcome, result.verification_level), (Outcome::Accepted, Some(1)));
    }
}

#[test]
fn what_is_not_installed_lowers_the_level_and_is_named() {
    let (result, _) = attempt(Unreliable::new(Level::Compiled, 0), &["done"], VerifyConfig::default());
    assert_eq!((result.outcome, result.verification_level), (Outcome::Accepted, Some(1)));
    assert!(result.verification_shortfall.is_some_and(|s| s.contains("no second kernel")));
    // Without any checker there is nothing to accept by.
    let (result, calls) = attempt(Unreliable::new(Level::Claimed, 0), &["done"], VerifyConfig::default());
    assert_eq!((result.outcome, calls), (Outcome::Claimed, 0));
    assert!(result.infrastructure_error.is_some_and(|e| e.contains("no second kernel")));
}

#[test]
fn a_panic_in_the_task_that_owns_the_tree_is_a_result_of_its_attempt() {
    let environment = Unreliable { how: How::Panics, ..Unreliable::new(Level::Compiled, u32::MAX) };
    let (result, calls) = attempt(environment, &["done"], compiled());
    assert_eq!((result.outcome, calls), (Outcome::InfrastructureError, 1));
    assert_eq!((result.stop_reason.as_str(), result.proof), ("infrastructure", None));
    let error = result.infrastructure_error.unwrap_or_default();
    assert_eq!(error, "internal error: the attempt panicked: the checker lost its way in t");
    assert!(result.timing.total_ms > 0.0);
}
