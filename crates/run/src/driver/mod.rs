//! The driver: owns session, provider, time and cancellation around the passive search.
//!
//! One task owns the tree. Expansions run beside it, each on a leased worker, and come back as messages. The
//! order in which they come back is the only thing that the search's state depends on.

mod claim;
mod expand;
mod ledger;

use std::sync::Arc;
use std::time::Duration;

use andor_artifact::result::{RejectedClaim, Timing};
use andor_core::ids::AgentId;
use andor_core::policy::{Spent, StopReason};
use andor_core::search::{Ask, Job, Search};
use andor_core::tree::Status;
use andor_env::checker::Checker;
use andor_env::error::EnvError;
use andor_env::session::Session;
use andor_provider::contract::{Provider, ProviderError};
use andor_provider::ranker::Ranker;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::event::{Event, Sink};

use claim::Judged;
pub use claim::{Accepted, Found};
use expand::{Expanded, Expander, Failure};
pub use ledger::Ledger;

/// What an attempt works with.
pub struct Tools {
    /// The open session.
    pub session: Arc<Session>,
    /// Proposes tactics.
    pub provider: Arc<dyn Provider>,
    /// Reorders them.
    pub ranker: Option<Arc<dyn Ranker>>,
    /// Ends the attempt early.
    pub cancel: CancellationToken,
    /// When the attempt began: its time is counted from here.
    pub began: Instant,
}

/// How a search ended.
pub struct Searched {
    /// Why.
    pub stop: StopReason,
    /// The proof, if one was found.
    pub proof: Option<Found>,
    /// The claimed proofs that were rejected, in order.
    pub rejected_claims: Vec<RejectedClaim>,
    /// The failure that ended the search, if one did.
    pub failure: Option<String>,
    /// What was spent.
    pub spent: Spent,
    /// Obligations given up because their state could not be rebuilt.
    pub replays_diverged: u64,
    /// Time spent waiting for providers.
    pub providing: Duration,
    /// Time spent checking claimed proofs.
    pub checking: Duration,
    /// The tree and the names in it.
    pub ledger: Ledger,
}

/// Searches until a proof is accepted, the budget is spent, nothing is left, or the attempt is cancelled.
pub async fn search(tools: &Tools, config: &Config, checker: &dyn Checker, sink: &mut dyn Sink) -> Searched {
    Driver::new(tools, config, checker, sink).run().await
}

struct Driver<'a> {
    tools: &'a Tools,
    config: &'a Config,
    checker: &'a dyn Checker,
    sink: &'a mut dyn Sink,
    search: Search,
    ledger: Ledger,
    expander: Arc<Expander>,
    running: JoinSet<(Job, Expanded)>,
    rejected_claims: Vec<RejectedClaim>,
    replays_diverged: u64,
    providing: Duration,
    checking: Duration,
    /// Time of the trace's virtual clock.
    virtual_ms: u64,
}

/// Modelled latencies of the virtual clock.
const VIRTUAL_PROVIDER_MS: u64 = 5;
const VIRTUAL_TACTIC_MS: u64 = 1;

/// What the loop does next.
enum Turn {
    Expanded(Job, Box<Expanded>),
    Stop(StopReason),
}

impl<'a> Driver<'a> {
    fn new(tools: &'a Tools, config: &'a Config, checker: &'a dyn Checker, sink: &'a mut dyn Sink) -> Self {
        let root = tools.session.root();
        let signatures = tools.session.signatures(root);
        let search = Search::new(config.search(), expand::child(&signatures, None));
        let expander = Expander {
            session: Arc::clone(&tools.session),
            provider: Arc::clone(&tools.provider),
            ranker: tools.ranker.clone(),
            expansion: config.search().expansion,
        };
        Self {
            ledger: Ledger::new(&tools.session),
            expander: Arc::new(expander),
            running: JoinSet::new(),
            rejected_claims: Vec::new(),
            replays_diverged: 0,
            providing: Duration::ZERO,
            checking: Duration::ZERO,
            virtual_ms: 0,
            tools,
            config,
            checker,
            sink,
            search,
        }
    }

    async fn run(mut self) -> Searched {
        let mut failure = None;
        let mut proof = None;
        let stop = 'search: loop {
            match self.turn().await {
                Turn::Stop(reason) => break reason,
                Turn::Expanded(job, expanded) => {
                    if let Err(message) = self.take_in(&job, *expanded) {
                        failure = Some(message);
                        break StopReason::Infrastructure;
                    }
                    // One expansion may have completed several proofs, so a rejected one may leave others.
                    while self.search.tree().status(self.search.tree().root()) == Status::Proved {
                        match self.claim().await {
                            Judged::Accepted(found) => {
                                proof = Some(*found);
                                break 'search StopReason::Proved;
                            }
                            Judged::Rejected => {}
                            Judged::Unchecked(found, message) => {
                                (proof, failure) = (Some(*found), Some(message));
                                break 'search StopReason::Infrastructure;
                            }
                            Judged::Interrupted => break 'search StopReason::Interrupted,
                            Judged::Unwritable => {
                                failure = Some("the proof found is too large to be written down".to_owned());
                                break 'search StopReason::Infrastructure;
                            }
                        }
                    }
                }
            }
        };
        // Dropping the tasks gives their workers up.
        self.running.shutdown().await;
        if stop != StopReason::Proved {
            self.emit(&Event::Abort(self.ledger.abort(&self.search, stop)));
        }
        let spent = *self.search.spent();
        self.ledger.finish(self.search);
        Searched {
            stop,
            proof,
            rejected_claims: self.rejected_claims,
            failure,
            spent,
            replays_diverged: self.replays_diverged,
            providing: self.providing,
            checking: self.checking,
            ledger: self.ledger,
        }
    }

    fn emit(&mut self, event: &Event) {
        self.sink.event(&self.tools.session.theorem().id, event);
    }

    /// Starts what can be started, then waits for the next thing to happen.
    async fn turn(&mut self) -> Turn {
        let budget = self.config.budget();
        let deadline = budget.time.map(|t| self.tools.began + t);
        while self.running.len() < self.config.workers.workers {
            if let Some(reason) = budget.exceeded(self.search.spent(), self.tools.began.elapsed()) {
                return Turn::Stop(reason);
            }
            match self.search.ask(AgentId(0)) {
                Ask::Job(job) => self.start(job),
                Ask::Pass(_) => {}
                Ask::Wait => break,
                Ask::Done(reason) if self.running.is_empty() => return Turn::Stop(reason),
                Ask::Done(_) => break,
            }
        }
        let time_up = async {
            match deadline {
                Some(deadline) => tokio::time::sleep_until(deadline).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            () = self.tools.cancel.cancelled() => Turn::Stop(StopReason::Interrupted),
            finished = self.running.join_next() => match finished.expect("something is running") {
                Ok((job, expanded)) => Turn::Expanded(job, Box::new(expanded)),
                Err(error) => std::panic::resume_unwind(error.into_panic()),
            },
            () = time_up => Turn::Stop(StopReason::Time(budget.time.unwrap_or_default())),
        }
    }

    fn start(&mut self, job: Job) {
        let expander = Arc::clone(&self.expander);
        let guard = self.search.guard(&job);
        let obligation = self.ledger.obligation(job.node);
        let waiting = self.ledger.take_waiting(job.node);
        self.running.spawn(async move {
            let expanded = expander.expand(obligation, waiting, &guard, job.order).await;
            (job, expanded)
        });
    }

    /// Tells the search what came of a job. The error is a failure that ends the attempt.
    fn take_in(&mut self, job: &Job, mut expanded: Expanded) -> Result<(), String> {
        self.providing += expanded.providing;
        match expanded.failure.take() {
            Some(Failure::Fatal(message)) => {
                self.search.abandon(job.id);
                return Err(message);
            }
            Some(Failure::Diverged(message)) => {
                tracing::warn!("an obligation is given up: {message}");
                self.replays_diverged += 1;
                expanded.waiting.clear();
            }
            None => {}
        }
        let path = self.search.path(job.id).to_vec();
        let in_flight = self.search.n_in_flight() as u64 - 1;
        let report = expanded.report(self.search.tactics_mut());
        let told = self.search.tell(job.id, &report);
        self.ledger.grow(&self.search, &told, &expanded);
        let clock = match self.config.clock {
            crate::config::Clock::Virtual => {
                self.virtual_ms += if expanded.asked_provider { VIRTUAL_PROVIDER_MS } else { 0 };
                ledger::Stamps::Virtual { next_ms: &mut self.virtual_ms, tactic_ms: VIRTUAL_TACTIC_MS }
            }
            crate::config::Clock::Wall => ledger::Stamps::Wall { began: self.tools.began },
        };
        let iteration = self.ledger.iteration(&self.search, job, &path, &expanded, in_flight, clock);
        self.ledger.put_waiting(job.node, std::mem::take(&mut expanded.waiting));
        self.emit(&Event::Iteration(Box::new(iteration)));
        Ok(())
    }
}

/// Where the time of an attempt went. `pinning` is how long the checker prepared when the session was open already.
pub fn timing(searched: &Searched, session: &Session, pinning: Duration, total: Duration) -> Timing {
    let counters = session.counters();
    let opening = counters.opening + pinning;
    let ms = |d: Duration| d.as_secs_f64() * 1e3;
    let known = [opening, counters.previewing, counters.replaying, searched.providing, searched.checking];
    Timing {
        total_ms: ms(total),
        opening_ms: ms(opening),
        previewing_ms: ms(counters.previewing),
        replaying_ms: ms(counters.replaying),
        providing_ms: ms(searched.providing),
        checking_ms: ms(searched.checking),
        searching_ms: ms(total.saturating_sub(known.iter().sum())),
    }
}

/// Why an expansion could not be made.
impl From<EnvError> for Failure {
    fn from(error: EnvError) -> Self {
        match error {
            EnvError::ReplayDiverged { .. } => Self::Diverged(error.to_string()),
            error => Self::Fatal(error.to_string()),
        }
    }
}

impl From<ProviderError> for Failure {
    fn from(error: ProviderError) -> Self {
        Self::Fatal(error.to_string())
    }
}
