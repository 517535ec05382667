//! What searches lose by blocked nodes: goals that they no longer reach, and what the ways around cost. Each run with blocks or
//! delays is compared with the one that has the same configuration without them.

mod track;

use std::collections::BTreeMap;

use andor_analysis::access::Graph;
use andor_analysis::paired;
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_config::{Config, Identity};
use andor_run::estimate;
use serde_json::{Value, json};

use super::{Analysis, Cost, Request, Subject, Table};
use track::{Places, Track};

/// Compares each damaged run with its undamaged one.
pub(super) fn access(subjects: &[Subject<'_>], request: &Request, analysis: &mut Analysis) {
    let mut tables = Tables::new();
    let is_damaged = |subject: &&Subject<'_>| subject.folder.config.distributed_mcts.has_obstacles();
    if !subjects.iter().any(|subject| is_damaged(&subject)) {
        analysis.missing.push("what damage costs: no run has blocks or delays".to_owned());
    }
    for damaged in subjects.iter().filter(is_damaged) {
        let config = &damaged.folder.config;
        let healthy = Config {
            distributed_mcts: config.distributed_mcts.without_damage(),
            basin: andor_config::BasinConfig { same_damage: false, ..config.basin },
            ..config.clone()
        };
        match subjects.iter().find(|other| other.folder.config == healthy) {
            Some(whole) => compare(whole, damaged, request, &mut tables, analysis),
            None => analysis.missing.push(format!(
                "what {} loses by its damage: add a run with the same configuration but no blocks and delays",
                damaged.name
            )),
        }
    }
    analysis.tables.extend(tables.all());
}

/// The attempts of two runs that differ in nothing but the damage.
struct Pair<'a> {
    whole: &'a AttemptResult,
    damaged: &'a AttemptResult,
}

fn compare(
    whole: &Subject<'_>,
    damaged: &Subject<'_>,
    request: &Request,
    tables: &mut Tables,
    analysis: &mut Analysis,
) {
    let mut total = Total::default();
    for theorem in &whole.summary.theorems {
        let Some(other) = damaged.theorem(theorem.theorem) else { continue };
        for result in theorem.results.iter().filter(|result| result.role == Role::Configured) {
            let same = |other: &&&AttemptResult| other.attempt == result.attempt;
            let Some(other) = other.results.iter().find(same) else { continue };
            total.note_costs(&Pair { whole: result, damaged: other });
            let mut places = Places::new(identity(&whole.folder.config));
            let mut read = |subject: &Subject<'_>| {
                let folder = subject.folder.attempt(theorem.theorem, result.attempt);
                Track::read(&folder, &mut places).map_err(|why| {
                    let (id, attempt) = (theorem.theorem, result.attempt);
                    analysis
                        .missing
                        .push(format!("the search of `{id}`, attempt {attempt} of {}: {why}", subject.name));
                })
            };
            let (Ok(without), Ok(with)) = (read(whole), read(damaged)) else { continue };
            let place = [json!(theorem.theorem), json!(result.attempt), json!(damaged.name)];
            let lost = Lost::of(&without, &with, places.len(), |row| {
                tables.gates.rows.push(place.iter().cloned().chain(row).collect());
            });
            tables.pairs.rows.push(pair_row(&place, &without, &with, &lost));
            total.note_visits(&without, &with, &lost);
        }
    }
    tables.note(whole, damaged, request, &total);
}

fn identity(config: &Config) -> Identity {
    config.search.identity
}

/// The goals at which the undamaged search worked, and what became of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Lost {
    goals: u64,
    /// At which the damaged search did not work.
    missed: u64,
    /// Of these: every way to them ends at a blocked node, and they stand there.
    blocked: u64,
    /// Of these: every way to them leads through a blocked node.
    behind: u64,
    /// Goals to which every way leads to or through a blocked node, but at which the damaged search worked.
    regained: u64,
}

impl Lost {
    /// Compares two searches of one theorem, and hands over a row for each blocked node.
    fn of(without: &Track, with: &Track, n_places: usize, mut gate: impl FnMut(Vec<Value>)) -> Self {
        // A vertex for each goal, which is reached from all its places.
        let goals = without.goals.iter().enumerate();
        let of_goals =
            goals.flat_map(|(number, (_, at))| at.iter().map(move |&place| (place, n_places + number)));
        let edges = without.edges.iter().copied().chain(of_goals);
        let n_goals = without.goals.len();
        let graph = Graph::new(n_places + n_goals, without.root, edges);
        let is_gate = |place: usize| with.gates.contains_key(&place);
        let entered = graph.reached(is_gate);
        let mut lost = Self { goals: n_goals as u64, ..Self::default() };
        for (number, (goal, at)) in without.goals.iter().enumerate() {
            let is_free = entered[n_places + number];
            let stands_at_gate = at.iter().any(|&place| entered[place]);
            match (with.goals.contains_key(goal), is_free) {
                (true, true) => {}
                (true, false) => lost.regained += 1,
                (false, is_free) => {
                    lost.missed += 1;
                    lost.blocked += u64::from(!is_free && stands_at_gate);
                    lost.behind += u64::from(!is_free && !stands_at_gate);
                }
            }
        }
        let gated = graph.gated(|vertex| vertex >= n_places);
        let reached = graph.reached(|_| false);
        for (&place, met) in &with.gates {
            let alone = reached[place].then(|| gated[place]);
            gate(vec![json!(met.depth), json!(met.first), json!(met.met), json!(met.until), json!(alone)]);
        }
        lost
    }

    fn add(&mut self, other: Self) {
        self.goals += other.goals;
        self.missed += other.missed;
        self.blocked += other.blocked;
        self.behind += other.behind;
        self.regained += other.regained;
    }
}

fn pair_row(place: &[Value; 3], without: &Track, with: &Track, lost: &Lost) -> Vec<Value> {
    let mut row = place.to_vec();
    row.extend([lost.goals, lost.missed, lost.blocked, lost.behind, lost.regained].map(Value::from));
    row.extend([json!(with.gates.len()), json!(with.stops), json!(with.detours)]);
    row.extend([json!(depth_shift(without, with)), json!(branch_shift(without, with))]);
    row
}

/// How much deeper the damaged search works on average.
fn depth_shift(without: &Track, with: &Track) -> Option<f64> {
    Some(with.depth()? - without.depth()?)
}

/// The share of work that moved to other children of the root: the total variation distance.
fn branch_shift(without: &Track, with: &Track) -> Option<f64> {
    let total = |track: &Track| track.branches.values().sum::<u64>() as f64;
    let (a, b) = (total(without), total(with));
    if a == 0.0 || b == 0.0 {
        return None;
    }
    let share = |track: &Track, of: f64, branch| track.branches.get(branch).copied().unwrap_or(0) as f64 / of;
    let mut all: Vec<&usize> = without.branches.keys().chain(with.branches.keys()).collect();
    all.sort_unstable();
    all.dedup();
    Some(all.into_iter().map(|at| (share(with, b, at) - share(without, a, at)).max(0.0)).sum())
}

/// What pairs of attempts have in common, over all of them.
#[derive(Default)]
struct Total {
    pairs: u64,
    solved: (u64, u64),
    lost: Lost,
    stops: u64,
    detours: u64,
    /// Iterations of the damaged searches that worked at a node.
    visits: u64,
    depth_shifts: Vec<f64>,
    branch_shifts: Vec<f64>,
    /// Iterations at each depth, without damage and with it.
    depths: BTreeMap<u32, (u64, u64)>,
    /// The logarithms of the ratios of costs where both found a proof, by theorem.
    costs: BTreeMap<&'static str, BTreeMap<String, Vec<f64>>>,
}

impl Total {
    fn note_costs(&mut self, pair: &Pair<'_>) {
        self.pairs += 1;
        let proved = |result: &AttemptResult| result.outcome == Outcome::Accepted;
        self.solved.0 += u64::from(proved(pair.whole));
        self.solved.1 += u64::from(proved(pair.damaged));
        if !(proved(pair.whole) && proved(pair.damaged)) {
            return;
        }
        let costs = [Cost::Iterations, Cost::Candidates, Cost::Tokens, Cost::VirtualSeconds];
        let costs = costs.map(|cost| (cost.name(), cost.of(pair.whole), cost.of(pair.damaged)));
        let steps = |result: &AttemptResult| Some(result.proof_steps.len() as f64);
        let steps = ("proof_steps", steps(pair.whole), steps(pair.damaged));
        for (name, whole, damaged) in costs.into_iter().chain([steps]) {
            let costs = whole.zip(damaged).filter(|(whole, damaged)| *whole > 0.0 && *damaged > 0.0);
            if let Some((whole, damaged)) = costs {
                let of_theorem = self.costs.entry(name).or_default();
                of_theorem.entry(pair.whole.theorem.clone()).or_default().push((damaged / whole).ln());
            }
        }
    }

    fn note_visits(&mut self, without: &Track, with: &Track, lost: &Lost) {
        self.lost.add(*lost);
        self.stops += with.stops;
        self.detours += with.detours;
        self.visits += with.visits();
        self.depth_shifts.extend(depth_shift(without, with));
        self.branch_shifts.extend(branch_shift(without, with));
        for (depth, n) in &without.depths {
            self.depths.entry(*depth).or_default().0 += n;
        }
        for (depth, n) in &with.depths {
            self.depths.entry(*depth).or_default().1 += n;
        }
    }
}

struct Tables {
    doses: Table,
    costs: Table,
    depths: Table,
    pairs: Table,
    gates: Table,
}

impl Tables {
    fn new() -> Self {
        let table = |name, about, columns| Table { name, about, columns, rows: Vec::new() };
        Self {
            doses: table(
                "access",
                "Shares of the goals of undamaged searches that damaged ones miss: in all, those at blocked nodes, those only \
                 behind them; and those at or behind blocked nodes that they reach all the same.",
                &[
                    "run",
                    "against",
                    "agents",
                    "block_fraction",
                    "block_duration",
                    "delay_prob",
                    "delay_duration",
                    "reroute",
                    "attempts",
                    "solved_without",
                    "solved",
                    "goals",
                    "missed",
                    "at_blocks",
                    "behind_blocks",
                    "regained",
                    "stops",
                    "detours",
                    "deeper",
                    "moved",
                ],
            ),
            costs: table(
                "detour_costs",
                "What proofs cost with damage relative to without, where both searches found one.",
                &["run", "against", "cost", "theorems", "ratio", "low", "high", "p_value"],
            ),
            depths: table(
                "visits_by_depth",
                "The share of iterations at each depth, without damage and with it.",
                &["run", "against", "depth", "without", "with"],
            ),
            pairs: table(
                "access_pairs",
                "What a damaged search misses of the goals of the undamaged one.",
                &[
                    "theorem",
                    "attempt",
                    "run",
                    "goals",
                    "missed",
                    "at_blocks",
                    "behind_blocks",
                    "regained",
                    "blocks",
                    "stops",
                    "detours",
                    "deeper",
                    "moved",
                ],
            ),
            gates: table(
                "blocked_nodes",
                "Blocked nodes, with the goals of the undamaged search to which every way leads through this node alone.",
                &["theorem", "attempt", "run", "depth", "first_met", "met", "until", "alone"],
            ),
        }
    }

    fn all(self) -> [Table; 5] {
        [self.doses, self.costs, self.depths, self.pairs, self.gates]
    }

    fn note(&mut self, whole: &Subject<'_>, damaged: &Subject<'_>, request: &Request, total: &Total) {
        let pair = [json!(damaged.name), json!(whole.name)];
        let agents = &damaged.folder.config.distributed_mcts;
        let mean = |values: &[f64]| estimate::mean(values.iter().copied()).map(|estimate| estimate.value);
        let share = |n: u64| (total.lost.goals > 0).then(|| n as f64 / total.lost.goals as f64);
        let of = |n: u64, of: u64| (of > 0).then(|| n as f64 / of as f64);
        let Lost { goals, missed, blocked, behind, regained } = total.lost;
        let mut row = pair.to_vec();
        row.extend([json!(agents.agents), json!(agents.block_fraction), json!(agents.block_duration)]);
        row.extend([json!(agents.delay_prob), json!(agents.delay_duration)]);
        row.extend([json!(agents.reroute_max.unwrap_or(0)), json!(total.pairs)]);
        row.extend([json!(of(total.solved.0, total.pairs)), json!(of(total.solved.1, total.pairs))]);
        row.push(json!(goals));
        row.extend([missed, blocked, behind, regained].map(|n| json!(share(n))));
        row.extend([total.stops, total.detours].map(|n| json!(of(n, total.visits + total.stops))));
        row.extend([json!(mean(&total.depth_shifts)), json!(mean(&total.branch_shifts))]);
        self.doses.rows.push(row);
        for (cost, theorems) in &total.costs {
            let logs: Vec<f64> =
                theorems.values().map(|logs| logs.iter().sum::<f64>() / logs.len() as f64).collect();
            let mean = |sum: f64| (sum / logs.len() as f64).exp();
            let (low, high) = estimate::bootstrap(logs.len(), RESAMPLES, request.seed, |drawn| {
                Some(mean(drawn.iter().map(|&i| logs[i]).sum()))
            });
            let mut row = pair.to_vec();
            row.extend([
                json!(cost),
                json!(logs.len()),
                json!(mean(logs.iter().sum())),
                json!(low),
                json!(high),
            ]);
            row.push(json!(paired::p_value(&logs)));
            self.costs.rows.push(row);
        }
        let sum = |part: fn(&(u64, u64)) -> u64| total.depths.values().map(part).sum::<u64>();
        let (without, with) = (sum(|n| n.0), sum(|n| n.1));
        self.depths.rows.extend(total.depths.iter().map(|(depth, n)| {
            let mut row = pair.to_vec();
            row.extend([json!(depth), json!(of(n.0, without)), json!(of(n.1, with))]);
            row
        }));
    }
}

/// Number of bootstrap resamples.
const RESAMPLES: usize = 2_000;
