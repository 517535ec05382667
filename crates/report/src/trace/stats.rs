//! Statistics of traces.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use andor_artifact::trace::{AttemptOutcome, Iteration, IterationReason, TraceEvent};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// The statistics of one or several traces. Shares and rates are between 0 and 1; a share of nothing is 0.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TraceStats {
    /// Number of traces.
    pub traces: u64,
    /// The theorem's id; `null` if the traces are of several theorems, or have no records.
    pub theorem: Option<String>,
    /// `proved`, or the stop reason; `null` for a truncated trace, and for several traces.
    pub ending: Option<String>,
    /// Number of traces by ending, without truncated ones.
    pub endings: Vec<Counted<String>>,
    /// Iterations.
    pub iterations: u64,
    /// Claims that the checker rejected.
    pub rejections: u64,
    /// Iterations by reason.
    pub reasons: Vec<ReasonStats>,
    /// Iterations by agent.
    pub agents: Vec<AgentStats>,
    /// Iterations in which agents met at a node.
    pub collisions: CollisionStats,
    /// Candidates.
    pub attempts: AttemptStats,
    /// Redundant work.
    pub duplicates: DuplicateStats,
    /// Blocks and delays.
    pub obstacles: ObstacleStats,
    /// Duration.
    pub time: TimeStats,
    /// Iterations and new nodes by depth, from the root down.
    pub depths: Vec<DepthStats>,
}

/// The iterations with one reason.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReasonStats {
    /// The reason.
    pub reason: IterationReason,
    /// Their number.
    pub iterations: u64,
    /// Their share of all iterations.
    pub share: f64,
    /// The mean number of other reservations in flight at their end.
    pub inflight_mean: f64,
    /// The maximum number.
    pub inflight_max: u64,
}

/// The iterations of an agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentStats {
    /// Its number.
    pub agent_id: u32,
    /// The number of its iterations.
    pub iterations: u64,
    /// Their share of all iterations.
    pub share: f64,
    /// The number of those that added a step.
    pub expansions: u64,
    /// The number of its tactics that became steps.
    pub successes: u64,
}

/// Iterations at a node that another agent had reserved too.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct CollisionStats {
    /// Their number.
    pub iterations: u64,
    /// Their share of all iterations.
    pub rate: f64,
    /// By reason.
    pub reasons: Vec<Counted<IterationReason>>,
}

/// The outcomes of candidates.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct AttemptStats {
    /// Number of candidates, including blocked ones.
    pub total: u64,
    /// By outcome.
    pub outcomes: Vec<Counted<AttemptOutcome>>,
    /// By provider.
    pub providers: Vec<ProviderStats>,
    /// Blocked candidates by reason.
    pub block_reasons: Vec<Counted<Arc<str>>>,
}

/// The count of one kind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Counted<K> {
    /// The kind.
    pub kind: K,
    /// The number of this kind.
    pub count: u64,
    /// Its share of all kinds.
    pub share: f64,
}

/// The candidates of a provider.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProviderStats {
    /// Its name.
    pub provider_id: Arc<str>,
    /// The number of its candidates.
    pub attempts: u64,
    /// Their share of all candidates.
    pub share: f64,
    /// The number of those that became steps.
    pub successes: u64,
}

/// Redundant work.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct DuplicateStats {
    /// Iterations at nodes that another agent had settled in the meantime.
    pub settled_iterations: u64,
    /// Their share of all iterations.
    pub settled_share: f64,
    /// Number of candidates tried.
    pub previews: u64,
    /// Number of those tried before on an equal obligation.
    pub repeated_previews: u64,
    /// Their share of the candidates tried.
    pub repeated_share: f64,
}

/// The effects of blocks and delays.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct ObstacleStats {
    /// Iterations that ended at a block.
    pub blocked: u64,
    /// Iterations that ended at a delay.
    pub delayed: u64,
    /// Iterations in which the agent tried another node.
    pub rerouted: u64,
    /// The iterations among them that found a node to work on.
    pub rescued: u64,
    /// The mean number of nodes given up in a rerouted iteration.
    pub mean_trail: f64,
}

/// The duration of a search.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct TimeStats {
    /// The clock, `virtual` or `wall`; `null` when the trace does not say.
    pub clock: Option<String>,
    /// The last timestamp of an iteration, in milliseconds since the start.
    pub span_ms: u64,
    /// Iterations per second of that clock; `null` if no time passed.
    pub iterations_per_s: Option<f64>,
}

/// One level of the tree.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct DepthStats {
    /// Depth, in steps from the root.
    pub depth: u32,
    /// Number of nodes.
    pub nodes: u64,
    /// Number of iterations that selected one of them.
    pub iterations: u64,
}

/// Accumulates the statistics of a trace's records.
#[derive(Debug, Default)]
pub struct Counter {
    traces: u64,
    theorems: BTreeSet<String>,
    endings: BTreeMap<String, u64>,
    clocks: BTreeSet<String>,
    iterations: u64,
    rejections: u64,
    reasons: BTreeMap<IterationReason, Inflight>,
    agents: BTreeMap<u32, Agent>,
    collisions: BTreeMap<IterationReason, u64>,
    outcomes: BTreeMap<AttemptOutcome, u64>,
    providers: BTreeMap<Arc<str>, Provider>,
    block_reasons: BTreeMap<Arc<str>, u64>,
    previews: Previews,
    rerouted: u64,
    rescued: u64,
    detours: u64,
    /// The total time of the previous traces.
    span_ms: u64,
    /// The last timestamp of the current trace.
    last_ms: u64,
    depths: BTreeMap<u32, Level>,
}

#[derive(Debug, Default)]
struct Inflight {
    iterations: u64,
    sum: u64,
    max: u64,
}

#[derive(Debug, Default)]
struct Agent {
    iterations: u64,
    expansions: u64,
    successes: u64,
}

#[derive(Debug, Default)]
struct Provider {
    attempts: u64,
    successes: u64,
}

#[derive(Debug, Default)]
struct Level {
    nodes: u64,
    iterations: u64,
}

/// The tactics tried on each obligation.
#[derive(Debug, Default)]
struct Previews {
    /// The key of each node's obligation, by the node's name.
    keys: FxHashMap<Arc<str>, Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
    seen: FxHashSet<(u32, u32)>,
    total: u64,
    repeated: u64,
}

impl Previews {
    fn add(&mut self, node: &Arc<str>, tactic: &Arc<str>) {
        let key = self.keys.get(node).unwrap_or(node).clone();
        let pair = (self.number(&key), self.number(tactic));
        self.total += 1;
        self.repeated += u64::from(!self.seen.insert(pair));
    }

    /// An integer for a text, so that pairs of texts can be stored compactly.
    fn number(&mut self, text: &Arc<str>) -> u32 {
        let next = u32::try_from(self.numbers.len()).expect("a trace has fewer than 2^32 texts");
        *self.numbers.entry(Arc::clone(text)).or_insert(next)
    }
}

impl Counter {
    /// Begins a new trace. Tactics tried in other traces do not count as repetitions.
    pub fn begin(&mut self) {
        self.traces += 1;
        self.span_ms += std::mem::take(&mut self.last_ms);
        self.previews.keys.clear();
        self.previews.seen.clear();
    }

    /// Adds a record.
    pub fn add(&mut self, record: &TraceEvent) {
        match record {
            TraceEvent::Start(start) => {
                self.theorems.insert(start.theorem.clone());
                self.clocks.extend(start.config["clock"].as_str().map(str::to_owned));
                let root = &start.root;
                self.previews.keys.insert(Arc::clone(&root.mvar_id), Arc::clone(&root.goal_key));
                self.depths.entry(0).or_default().nodes += 1;
            }
            TraceEvent::Iteration(iteration) => self.iteration(iteration),
            TraceEvent::GraftStep(step) => {
                let below = self.depths.entry(step.depth.saturating_add(1)).or_default();
                below.nodes += step.new_nodes.len() as u64;
                for node in &step.new_nodes {
                    self.previews.keys.insert(Arc::clone(&node.mvar_id), Arc::clone(&node.goal_key));
                }
            }
            TraceEvent::Graft(_) | TraceEvent::Focus(_) | TraceEvent::Replan(_) => {}
            TraceEvent::Rejection(_) => self.rejections += 1,
            TraceEvent::Abort(abort) => *self.endings.entry(abort.reason.clone()).or_default() += 1,
            TraceEvent::Proved(_) => *self.endings.entry("proved".to_owned()).or_default() += 1,
        }
    }

    fn iteration(&mut self, iteration: &Iteration) {
        self.iterations += 1;
        self.last_ms = self.last_ms.max(iteration.timestamp_ms);
        let reason = self.reasons.entry(iteration.reason).or_default();
        reason.iterations += 1;
        reason.sum += iteration.tree.inflight;
        reason.max = reason.max.max(iteration.tree.inflight);
        if iteration.collision {
            *self.collisions.entry(iteration.reason).or_default() += 1;
        }
        if !iteration.reroute.is_empty() {
            let found = !matches!(iteration.reason, IterationReason::Blocked | IterationReason::Delayed);
            self.rerouted += 1;
            self.rescued += u64::from(found);
            self.detours += iteration.reroute.len() as u64;
        }
        let depth = iteration.node.depth;
        self.depths.entry(depth).or_default().iterations += 1;
        if !iteration.new_nodes.is_empty() {
            let below = self.depths.entry(depth.saturating_add(1)).or_default();
            below.nodes += iteration.new_nodes.len() as u64;
        }
        let agent = self.agents.entry(iteration.agent_id).or_default();
        agent.iterations += 1;
        agent.expansions += u64::from(iteration.expanded);
        for attempt in &iteration.attempts {
            let success = u64::from(attempt.outcome == AttemptOutcome::Success);
            agent.successes += success;
            *self.outcomes.entry(attempt.outcome).or_default() += 1;
            let provider = self.providers.entry(Arc::clone(&attempt.provider_id)).or_default();
            provider.attempts += 1;
            provider.successes += success;
            if attempt.outcome == AttemptOutcome::Blocked {
                let reason = attempt.block_reason.as_deref().unwrap_or("without a reason");
                *self.block_reasons.entry(reason.into()).or_default() += 1;
            } else {
                self.previews.add(&iteration.node.mvar_id, &attempt.tactic_norm);
            }
        }
        for new in &iteration.new_nodes {
            self.previews.keys.insert(Arc::clone(&new.mvar_id), Arc::clone(&new.goal_key));
        }
    }

    /// The statistics.
    pub fn finish(mut self) -> TraceStats {
        let n = self.iterations;
        let span_ms = self.span_ms + self.last_ms;
        let (theorem, clock) = (only(&mut self.theorems), only(&mut self.clocks));
        let ending = self.endings.keys().next().filter(|_| self.traces == 1).cloned();
        let reason = |reason| self.reasons.get(&reason).map_or(0, |r| r.iterations);
        let settled = reason(IterationReason::TerminalNode) + reason(IterationReason::DeadNode);
        let (blocked, delayed) = (reason(IterationReason::Blocked), reason(IterationReason::Delayed));
        let n_attempts: u64 = self.outcomes.values().sum();
        let n_collisions: u64 = self.collisions.values().sum();
        TraceStats {
            traces: self.traces,
            theorem,
            ending,
            endings: counted(self.endings),
            iterations: n,
            rejections: self.rejections,
            reasons: self.reasons.into_iter().map(|(reason, inflight)| inflight.stats(reason, n)).collect(),
            agents: self.agents.into_iter().map(|(id, agent)| agent.stats(id, n)).collect(),
            collisions: CollisionStats {
                iterations: n_collisions,
                rate: share(n_collisions, n),
                reasons: counted(self.collisions),
            },
            attempts: AttemptStats {
                total: n_attempts,
                outcomes: counted(self.outcomes),
                providers: self.providers.into_iter().map(|(id, p)| p.stats(id, n_attempts)).collect(),
                block_reasons: counted(self.block_reasons),
            },
            duplicates: DuplicateStats {
                settled_iterations: settled,
                settled_share: share(settled, n),
                previews: self.previews.total,
                repeated_previews: self.previews.repeated,
                repeated_share: share(self.previews.repeated, self.previews.total),
            },
            obstacles: ObstacleStats {
                blocked,
                delayed,
                rerouted: self.rerouted,
                rescued: self.rescued,
                mean_trail: share(self.detours, self.rerouted),
            },
            time: TimeStats {
                clock,
                span_ms,
                iterations_per_s: (span_ms > 0).then(|| n as f64 / (span_ms as f64 / 1e3)),
            },
            depths: self.depths.into_iter().map(|(depth, level)| level.stats(depth)).collect(),
        }
    }
}

impl Inflight {
    fn stats(&self, reason: IterationReason, all: u64) -> ReasonStats {
        ReasonStats {
            reason,
            iterations: self.iterations,
            share: share(self.iterations, all),
            inflight_mean: share(self.sum, self.iterations),
            inflight_max: self.max,
        }
    }
}

impl Agent {
    fn stats(self, agent_id: u32, all: u64) -> AgentStats {
        let Self { iterations, expansions, successes } = self;
        AgentStats { agent_id, iterations, share: share(iterations, all), expansions, successes }
    }
}

impl Provider {
    fn stats(self, provider_id: Arc<str>, all: u64) -> ProviderStats {
        let Self { attempts, successes } = self;
        ProviderStats { provider_id, attempts, share: share(attempts, all), successes }
    }
}

impl Level {
    fn stats(self, depth: u32) -> DepthStats {
        DepthStats { depth, nodes: self.nodes, iterations: self.iterations }
    }
}

/// The only name; `None` if there are several.
fn only(names: &mut BTreeSet<String>) -> Option<String> {
    names.pop_first().filter(|_| names.is_empty())
}

fn counted<K>(counts: BTreeMap<K, u64>) -> Vec<Counted<K>> {
    let all = counts.values().sum();
    counts.into_iter().map(|(kind, count)| Counted { kind, count, share: share(count, all) }).collect()
}

fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { part as f64 / all as f64 }
}

#[cfg(test)]
mod tests;
