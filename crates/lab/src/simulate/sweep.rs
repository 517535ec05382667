//! Sweeps: the same searches under all combinations of parameters.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use andor_config::{Clock, Config, ConfigError, DistributedMcts, Identity, MctsMode, ObstacleVisits};
use andor_core::clock::Latencies;
use andor_core::policy::{Spent, StopReason};
use andor_core::tree::Status;
use andor_engine::registry::{self, RegistryError};
use andor_system_synthetic::{World, WorldPreset};

use super::engine::{Simulated, SimulationSetting, simulate};
use super::meter::Measurements;
use super::problem::{SimulatedProblem, SyntheticProblem, proof_is_right};
use super::recorded::Recorded;
use crate::bench::quality::Seeds;

/// What to simulate.
#[derive(Clone, Debug)]
pub struct SweepRequest {
    /// The problems.
    pub subjects: Vec<Subject>,
    /// The seeds of the searches, of their interventions and of synthetic problems.
    pub seeds: Seeds,
    /// Whether to use the synthetic environment's critic.
    pub critic: bool,
    /// The varied parameters.
    pub axes: Axes,
    /// Maximum number of reservations that the agents of a search hold together; `None` means the number of agents.
    pub inflight: Option<u32>,
    /// Number of calls that the model serves concurrently; `None` means unlimited.
    pub model_slots: Option<u32>,
    /// All other settings: search, budget and latencies, and the fields of `distributed_mcts` that the axes leave
    /// open. Seeds of blocks and delays that are not given follow the seed of the search. A search without any budget
    /// gets the standard number of tactic applications of its preset, or [`RECORDED_ATTEMPTS`]; see also
    /// [`IDLE_ITERATIONS`].
    pub config: Config,
}

/// The default limit of tactic applications on a recorded problem.
pub const RECORDED_ATTEMPTS: u64 = 10_000;

/// The default limit of iterations per permitted tactic application, expansion or node, if neither iterations nor
/// time are limited. Without it, agents that only meet blocks would search forever, since they spend nothing else.
pub const IDLE_ITERATIONS: u64 = 10;

/// A problem to search.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Instances of the synthetic environment, one for each seed.
    Synthetic(WorldPreset),
    /// A theorem with recorded searches.
    Recorded(Recorded),
}

/// The values of each parameter. The sweep is their Cartesian product.
#[derive(Clone, PartialEq, Debug)]
pub struct Axes {
    /// Numbers of agents.
    pub agents: Vec<u32>,
    /// Numbers of workers.
    pub workers: Vec<u32>,
    /// Weights of the virtual loss.
    pub virtual_loss: Vec<f64>,
    /// Shares of blocked nodes; 0 disables blocking.
    pub block_fraction: Vec<f64>,
    /// Durations of blocks in iterations; negative means forever.
    pub block_duration: Vec<i64>,
    /// Maximum numbers of other nodes that an agent tries after an obstacle.
    pub reroute: Vec<u32>,
    /// Probabilities that a selected node is delayed; 0 disables delays.
    pub delay_prob: Vec<f64>,
    /// Durations of delays in iterations.
    pub delay_duration: Vec<i64>,
}

/// One combination of parameters.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Cell {
    /// The problem, as an index into [`SweepRequest::subjects`].
    pub subject: usize,
    /// Number of agents.
    pub agents: u32,
    /// Maximum number of reservations they hold together.
    pub inflight: u32,
    /// Number of workers.
    pub workers: u32,
    /// The weight of the virtual loss.
    pub virtual_loss: f64,
    /// The share of blocked nodes.
    pub block_fraction: f64,
    /// The duration of a block in iterations; negative means forever.
    pub block_duration: i64,
    /// Maximum number of other nodes that an agent tries after an obstacle.
    pub reroute: u32,
    /// The probability that a selected node is delayed.
    pub delay_prob: f64,
    /// The duration of a delay in iterations.
    pub delay_duration: i64,
}

/// Maximum number of combinations. Results and plots hold all of them.
const MAX_CELLS: usize = 1_000_000;

/// Why a sweep is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SweepError {
    /// A rule is violated. Options have the names of `andor simulate`.
    #[error("{0}")]
    Rule(String),
    /// Latencies cannot be read.
    #[error("--provider-latency and --tactic-latency: {0}")]
    Latencies(#[from] RegistryError),
}

/// A valid sweep.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// What is simulated.
    pub request: SweepRequest,
    /// Its cells, in the order of the results.
    pub cells: Vec<Cell>,
    latencies: Latencies,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FinishedSearch {
    /// The index of its cell.
    pub cell: usize,
    /// Its seed.
    pub seed: u64,
    /// Why the search ended.
    pub stop: StopReason,
    /// Whether the search claimed a proof.
    pub claimed: bool,
    /// Whether that proof is valid on a fresh problem.
    pub solved: bool,
    /// The budget spent.
    pub spent: Spent,
    /// The measurements.
    pub measured: Measurements,
    /// The digest of its tree.
    pub tree_digest: u64,
}

impl Sweep {
    /// Validates the request.
    ///
    /// # Errors
    ///
    /// The first rule that is violated, or latencies cannot be read.
    pub fn new(request: SweepRequest) -> Result<Self, SweepError> {
        request.axes.check().map_err(SweepError::Rule)?;
        if request.model_slots == Some(0) {
            return Err(SweepError::Rule("--model-slots: must be at least 1".to_owned()));
        }
        let n_cells = request.n_cells();
        if n_cells > MAX_CELLS {
            return Err(SweepError::Rule(format!(
                "the sweep has {n_cells} combinations of parameters, and at most {MAX_CELLS} are simulated together; \
                 give fewer values, or run several sweeps"
            )));
        }
        request.check_effect().map_err(SweepError::Rule)?;
        let cells = request.cells();
        for cell in &cells {
            request.config_of(cell, request.seeds.first).validate().map_err(named_as_here)?;
        }
        let config = Config { clock: Clock::Virtual, ..request.config.clone() };
        let latencies = registry::latencies(&config)?.expect("the virtual clock has latencies");
        Ok(Self { request, cells, latencies })
    }

    /// The number of searches.
    pub fn n_searches(&self) -> usize {
        self.cells.len().saturating_mul(self.n_seeds())
    }

    fn n_seeds(&self) -> usize {
        let further = self.request.seeds.last - self.request.seeds.first;
        usize::try_from(further).map_or(usize::MAX, |n| n.saturating_add(1))
    }

    /// Simulates all searches, up to `jobs` concurrently, until `cancelled` is set. `finished` is called for each, in
    /// an order that does not depend on `jobs`; an error from it ends the sweep. Returns the finished searches in the
    /// same order.
    ///
    /// # Errors
    ///
    /// Those of `finished`.
    pub fn run<E>(
        &self,
        jobs: NonZeroUsize,
        cancelled: &AtomicBool,
        mut finished: impl FnMut(&FinishedSearch) -> Result<(), E>,
    ) -> Result<Vec<FinishedSearch>, E> {
        let next = AtomicUsize::new(0);
        // Bounded, so that no thread runs far ahead of the writer.
        let (sender, receiver) = mpsc::sync_channel(jobs.get());
        thread::scope(|scope| {
            for _ in 0..jobs.get().min(self.n_searches()) {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        if number >= self.n_searches() || cancelled.load(Ordering::Relaxed) {
                            break;
                        }
                        let result = self.search(number, cancelled);
                        if result.stop == StopReason::Interrupted || sender.send((number, result)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut all: Vec<FinishedSearch> = Vec::new();
            let mut outcome = Ok(());
            let mut take = |result: FinishedSearch, all: &mut Vec<FinishedSearch>| {
                if outcome.is_ok() {
                    outcome = finished(&result);
                    if outcome.is_err() {
                        cancelled.store(true, Ordering::Relaxed);
                    }
                }
                all.push(result);
            };
            for (number, result) in receiver {
                early.insert(number, result);
                while let Some(result) = early.remove(&all.len()) {
                    take(result, &mut all);
                }
            }
            // After an interruption there may be gaps.
            early.into_values().for_each(|result| take(result, &mut all));
            outcome.map(|()| all)
        })
    }

    fn search(&self, number: usize, cancelled: &AtomicBool) -> FinishedSearch {
        let place = number / self.n_seeds();
        let cell = &self.cells[place];
        let seed = self.request.seeds.first + (number % self.n_seeds()) as u64;
        let config = self.request.config_of(cell, seed);
        let setting = SimulationSetting {
            search: config.search(),
            budget: config.budget(),
            agents: cell.agents,
            inflight: cell.inflight,
            workers: cell.workers,
            model_slots: self.request.model_slots,
            latencies: self.latencies.clone(),
        };
        let (simulated, solved) = match &self.request.subjects[cell.subject] {
            Subject::Synthetic(preset) => {
                let problem = SyntheticProblem::new(World::new(*preset, seed), self.request.critic);
                simulate_and_check(&problem, &setting, cancelled)
            }
            Subject::Recorded(problem) => simulate_and_check(problem, &setting, cancelled),
        };
        let tree = simulated.search.tree();
        FinishedSearch {
            cell: place,
            seed,
            stop: simulated.stop,
            claimed: tree.status(tree.root()) == Status::Proved,
            solved,
            spent: simulated.spent,
            measured: simulated.measured,
            tree_digest: simulated.search.digest(),
        }
    }
}

fn simulate_and_check(
    problem: &(impl SimulatedProblem + Clone),
    setting: &SimulationSetting,
    cancelled: &AtomicBool,
) -> (Simulated, bool) {
    let simulated = simulate(&mut problem.clone(), setting, cancelled);
    let solved = proof_is_right(&simulated.search, &mut problem.clone());
    (simulated, solved)
}

/// The rule with the option names of sweeps.
fn named_as_here(error: ConfigError) -> SweepError {
    SweepError::Rule(error.to_string().replace("--mcts-reroute-max", "--reroute").replace("--mcts-", "--"))
}

impl SweepRequest {
    /// The number of cells.
    fn n_cells(&self) -> usize {
        let Axes {
            agents,
            workers,
            virtual_loss,
            block_fraction,
            block_duration,
            reroute,
            delay_prob,
            delay_duration,
        } = &self.axes;
        let lengths = [
            self.subjects.len(),
            agents.len(),
            workers.len(),
            virtual_loss.len(),
            block_fraction.len(),
            block_duration.len(),
            reroute.len(),
            delay_prob.len(),
            delay_duration.len(),
        ];
        lengths.into_iter().fold(1, usize::saturating_mul)
    }

    /// Rejects options that have no effect in any cell.
    fn check_effect(&self) -> Result<(), String> {
        let (axes, given) = (&self.axes, &self.config.distributed_mcts);
        let blocks = axes.block_fraction.iter().any(|&fraction| fraction != 0.0);
        let delays = axes.delay_prob.iter().any(|&prob| prob != 0.0);
        let (block, delay) = ("--block-fraction", "--delay-prob");
        let needs = [
            ("--block-seed", given.block_seed.is_some(), blocks, block),
            ("--block-immovable-fraction", given.block_immovable_fraction.is_some(), blocks, block),
            ("--unfreeze-after", given.unfreeze_after.is_some(), blocks, block),
            ("--unfreeze-prob", given.unfreeze_prob.is_some(), blocks, block),
            ("--delay-seed", given.delay_seed.is_some(), delays, delay),
            ("--obstacle-visits", given.obstacle_visits.is_some(), blocks || delays, block),
            ("--reroute", axes.reroute.iter().any(|&n| n > 0), blocks || delays, block),
        ];
        match needs.into_iter().find(|(_, given, has_effect, _)| *given && !has_effect) {
            Some((option, .., needed)) => Err(format!("{option}: has no effect without {needed} above 0")),
            None if given.depth_bias.is_some() && self.config.search.identity == Identity::Checkpoint => {
                Err("--depth-bias: has no effect without --identity strict".to_owned())
            }
            None => match self.config.search.without_effect().first() {
                Some(&sentence) => Err(sentence.to_owned()),
                None => Ok(()),
            },
        }
    }

    /// The Cartesian product of the axes; the last one varies fastest.
    fn cells(&self) -> Vec<Cell> {
        let axes = &self.axes;
        let subjects: Vec<usize> = (0..self.subjects.len()).collect();
        let mut cells = vec![Cell::default()];
        vary(&mut cells, &subjects, |cell, subject| cell.subject = subject);
        vary(&mut cells, &axes.agents, |cell, agents| {
            (cell.agents, cell.inflight) = (agents, self.inflight.unwrap_or(agents));
        });
        vary(&mut cells, &axes.workers, |cell, workers| cell.workers = workers);
        vary(&mut cells, &axes.virtual_loss, |cell, loss| cell.virtual_loss = loss);
        vary(&mut cells, &axes.block_fraction, |cell, fraction| cell.block_fraction = fraction);
        vary(&mut cells, &axes.block_duration, |cell, duration| cell.block_duration = duration);
        vary(&mut cells, &axes.reroute, |cell, reroute| cell.reroute = reroute);
        vary(&mut cells, &axes.delay_prob, |cell, prob| cell.delay_prob = prob);
        vary(&mut cells, &axes.delay_duration, |cell, duration| cell.delay_duration = duration);
        cells
    }

    /// The configuration of a search.
    fn config_of(&self, cell: &Cell, seed: u64) -> Config {
        let mut config = Config { seed, clock: Clock::Virtual, ..self.config.clone() };
        let (blocks, delays) = (cell.block_fraction != 0.0, cell.delay_prob != 0.0);
        let (reroutes, given) = (cell.reroute > 0 && (blocks || delays), self.config.distributed_mcts);
        config.workers.workers = cell.workers as usize;
        config.distributed_mcts = DistributedMcts {
            mode: MctsMode::Distributed,
            agents: Some(cell.agents),
            inflight: Some(cell.inflight),
            virtual_loss: Some(cell.virtual_loss),
            block_fraction: blocks.then_some(cell.block_fraction),
            block_duration: blocks.then_some(cell.block_duration),
            block_seed: blocks.then_some(given.block_seed.unwrap_or(seed)),
            block_immovable_fraction: given.block_immovable_fraction.filter(|_| blocks),
            unfreeze_after: given.unfreeze_after.filter(|_| blocks),
            unfreeze_prob: given.unfreeze_prob.filter(|_| blocks),
            reroute_blocked: reroutes,
            reroute_max: reroutes.then_some(cell.reroute),
            // Without rerouting, the last obstacle is the only one.
            obstacle_visits: given.obstacle_visits.filter(|_| blocks || delays).map(|visits| match visits {
                ObstacleVisits::All if !reroutes => ObstacleVisits::Last,
                visits => visits,
            }),
            delay_prob: delays.then_some(cell.delay_prob),
            delay_duration: delays.then_some(cell.delay_duration),
            delay_seed: delays.then(|| given.delay_seed.unwrap_or(i64::try_from(seed).unwrap_or(i64::MAX))),
            depth_bias: given.depth_bias,
            path_bias: given.path_bias,
            history_cache: false,
            goal_cache: false,
        };
        let budget = &mut config.budget;
        budget.time_s = None;
        let limits = [budget.max_candidates, budget.max_expansions, budget.max_nodes];
        if budget.max_iterations.is_none() && budget.virtual_time_s.is_none() {
            let limit = limits.into_iter().flatten().max().unwrap_or_else(|| {
                let standard = match &self.subjects[cell.subject] {
                    Subject::Synthetic(preset) => preset.standard_budget(),
                    Subject::Recorded(_) => RECORDED_ATTEMPTS,
                };
                *budget.max_candidates.insert(standard)
            });
            budget.max_iterations = Some(limit.saturating_mul(IDLE_ITERATIONS));
        }
        config
    }
}

impl Axes {
    /// The rules for lists.
    fn check(&self) -> Result<(), String> {
        distinct("--agents", &self.agents)?;
        distinct("--workers", &self.workers)?;
        distinct("--virtual-loss", &self.virtual_loss)?;
        distinct("--block-fraction", &self.block_fraction)?;
        distinct("--block-duration", &self.block_duration)?;
        distinct("--reroute", &self.reroute)?;
        distinct("--delay-prob", &self.delay_prob)?;
        distinct("--delay-duration", &self.delay_duration)
    }
}

/// Replaces each cell by one cell for each value.
fn vary<T: Copy>(cells: &mut Vec<Cell>, values: &[T], set: impl Fn(&mut Cell, T)) {
    let with = |cell: &Cell, value: T| {
        let mut cell = *cell;
        set(&mut cell, value);
        cell
    };
    *cells = cells
        .iter()
        .flat_map(|cell| values.iter().map(|&value| with(cell, value)).collect::<Vec<_>>())
        .collect();
}

fn distinct<T: PartialEq + std::fmt::Display>(option: &str, values: &[T]) -> Result<(), String> {
    if values.is_empty() {
        return Err(format!("{option}: needs a value"));
    }
    match values.iter().enumerate().find(|(place, value)| values[..*place].contains(value)) {
        Some((_, value)) => Err(format!("{option}: {value} is listed twice")),
        None => Ok(()),
    }
}
