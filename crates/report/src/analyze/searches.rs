//! Distances between searches of one theorem: the edit distance of their graphs, the goals that both visited, and where
//! they part.

use std::path::Path;

use andor_analysis::graph_distance::{self, Bounds, Method};
use andor_analysis::overlap::{entropy, jaccard};
use andor_artifact::files::{FileError, read_json};
use andor_artifact::graph::Graph;
use andor_artifact::trace::{AttemptOutcome, Iteration, TraceEvent};
use andor_artifact::version::Kind;
use andor_run::estimate;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::records::{Records, TraceError};
use super::{Analysis, Label, Subject, Table};

/// A search's graph as it is compared.
struct Searched {
    graph: graph_distance::Graph<String>,
    /// Visits of each goal.
    visits: FxHashMap<String, f64>,
    /// The entropy of the visits of its nodes, in bits.
    entropy: f64,
}

/// Compares the searches of each theorem: the first attempt of the first run with the first of every other. In a
/// single run, its first attempt with every later one.
pub(super) fn searches(subjects: &[Subject<'_>], label: Label, analysis: &mut Analysis) {
    let mut table = Table {
        name: "search_pairs",
        about: "Two searches of one theorem: edits between their graphs, common goals, and the first iteration that \
                differs.",
        columns: &[
            "theorem",
            "a",
            "attempt_a",
            "nodes_a",
            "entropy_a",
            "b",
            "attempt_b",
            "nodes_b",
            "entropy_b",
            "edits_low",
            "edits_high",
            "method",
            "common_goals",
            "common_visits",
            "parts_at",
            "choice_a",
            "choice_b",
        ],
        rows: Vec::new(),
    };
    let mut totals: Vec<Total> = Vec::new();
    let Some((first, others)) = subjects.split_first() else { return };
    for theorem in &first.summary.theorems {
        let id = theorem.theorem;
        let attempts = |subject: &Subject<'_>| -> Vec<u32> {
            let results = subject.theorem(id).map(|theorem| theorem.results.as_slice()).unwrap_or_default();
            results.iter().map(|result| result.attempt).collect()
        };
        let of_first = attempts(first);
        let Some(&baseline) = of_first.first() else { continue };
        let compared: Vec<(&Subject<'_>, u32)> = if others.is_empty() {
            of_first[1..].iter().map(|attempt| (first, *attempt)).collect()
        } else {
            others.iter().filter_map(|other| Some((other, *attempts(other).first()?))).collect()
        };
        if compared.is_empty() {
            continue;
        }
        let folder = first.folder.attempt(id, baseline);
        let a = match read(&folder, label) {
            Ok(a) => a,
            Err(why) => {
                analysis
                    .missing
                    .push(format!("the search of `{id}`, attempt {baseline} of {}: {why}", first.name));
                continue;
            }
        };
        for (subject, attempt) in compared {
            let other = subject.folder.attempt(id, attempt);
            let b = match read(&other, label) {
                Ok(b) => b,
                Err(why) => {
                    analysis
                        .missing
                        .push(format!("the search of `{id}`, attempt {attempt} of {}: {why}", subject.name));
                    continue;
                }
            };
            let edits = graph_distance::distance(&a.graph, &b.graph);
            let goals = jaccard(&once(&a), &once(&b));
            let visits = jaccard(&a.visits, &b.visits);
            let parting = parting(&folder, &other).unwrap_or_else(|why| {
                analysis.missing.push(format!("where the searches of `{id}` part: {why}"));
                None
            });
            let mut row = vec![json!(id)];
            row.extend([json!(first.name), json!(baseline), json!(a.graph.nodes()), json!(a.entropy)]);
            row.extend([json!(subject.name), json!(attempt), json!(b.graph.nodes()), json!(b.entropy)]);
            row.extend([
                json!(edits.low),
                json!(edits.high),
                json!(method(edits)),
                json!(goals),
                json!(visits),
            ]);
            let total = match totals.iter_mut().find(|total| total.name == subject.name) {
                Some(total) => total,
                None => {
                    totals.push(Total { name: subject.name.clone(), ..Total::default() });
                    totals.last_mut().expect("it was just added")
                }
            };
            total.add(edits, goals, visits, parting.as_ref());
            row.extend(match parting {
                Some(Parting { iteration, a, b }) => [json!(iteration), json!(a), json!(b)],
                None => [Value::Null, Value::Null, Value::Null],
            });
            table.rows.push(row);
        }
    }
    let summary = Table {
        name: "searches",
        about: "How different the searches of a theorem are, on average; `same` ones have equal graphs and choices.",
        columns: &[
            "a",
            "b",
            "pairs",
            "same",
            "edits_low",
            "edits_high",
            "common_goals",
            "common_visits",
            "parts_at_median",
        ],
        rows: totals.iter().map(|total| total.row(&first.name)).collect(),
    };
    analysis.tables.extend([summary, table]);
}

fn method(edits: Bounds) -> &'static str {
    match edits.method {
        _ if edits.low == edits.high => "exact",
        Method::Exact => "exact",
        Method::Assignment => "assignment",
        Method::Labels => "labels",
    }
}

/// The goals of a search, each once.
fn once(of: &Searched) -> FxHashMap<String, f64> {
    of.visits.keys().map(|goal| (goal.clone(), 1.0)).collect()
}

/// Sums over the theorems, for one compared run.
#[derive(Default)]
struct Total {
    name: String,
    pairs: usize,
    same: usize,
    low: usize,
    high: usize,
    goals: f64,
    visits: f64,
    partings: Vec<f64>,
}

impl Total {
    fn add(&mut self, edits: Bounds, goals: Option<f64>, visits: Option<f64>, parting: Option<&Parting>) {
        self.pairs += 1;
        self.same += usize::from(edits.high == 0 && parting.is_none());
        self.low += edits.low;
        self.high += edits.high;
        self.goals += goals.unwrap_or(1.0);
        self.visits += visits.unwrap_or(1.0);
        self.partings.extend(parting.map(|parting| parting.iteration as f64));
    }

    fn row(&self, first: &str) -> Vec<Value> {
        let n = self.pairs as f64;
        let parts_at = estimate::quartiles(self.partings.iter().copied()).map(|quartiles| quartiles.median);
        vec![
            json!(first),
            json!(self.name),
            json!(self.pairs),
            json!(self.same),
            json!(self.low as f64 / n),
            json!(self.high as f64 / n),
            json!(self.goals / n),
            json!(self.visits / n),
            json!(parts_at),
        ]
    }
}

/// Reads the graph of an attempt: goals as nodes, and an edge from each to those that one of its steps leaves.
fn read(folder: &Path, label: Label) -> Result<Searched, FileError> {
    let graph: Graph = read_json(&folder.join("graph.json"), Kind::Graph)?;
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut visits: FxHashMap<String, f64> = FxHashMap::default();
    let mut labels = Vec::with_capacity(graph.nodes.len());
    for (number, node) in graph.nodes.iter().enumerate() {
        let goal = match label {
            Label::Coarse => &node.goal_sig,
            Label::Strict | Label::Tactic => &node.goal_sig_strict,
        };
        numbers.insert(&node.id, number);
        labels.push(goal.clone());
        *visits.entry(goal.clone()).or_default() += f64::from(node.visit_count);
    }
    let edges = graph.steps.iter().flat_map(|step| {
        let from = numbers.get(step.node.as_str()).copied();
        let to = step.children.iter().filter_map(|child| numbers.get(child.as_str()).copied());
        to.filter_map(move |to| Some((from?, to))).collect::<Vec<_>>()
    });
    Ok(Searched {
        graph: graph_distance::Graph::new(labels, edges),
        entropy: entropy(graph.nodes.iter().map(|node| u64::from(node.visit_count))),
        visits,
    })
}

/// The first iteration at which two searches differ, and what each did there.
struct Parting {
    iteration: u64,
    a: String,
    b: String,
}

/// Where two traces part: the first iteration in which they select different goals or add different steps. `None` if
/// they never do.
fn parting(a: &Path, b: &Path) -> Result<Option<Parting>, TraceError> {
    let (mut a, mut b) = (iterations(Records::open(a)?), iterations(Records::open(b)?));
    for number in 1.. {
        let (x, y) = (a.next().transpose()?, b.next().transpose()?);
        let same = match (&x, &y) {
            (None, None) => return Ok(None),
            (Some(x), Some(y)) => choice(x) == choice(y),
            _ => false,
        };
        if !same {
            let told = |iteration: Option<Box<Iteration>>| {
                iteration.map_or_else(|| "ended".to_owned(), |i| told(&i))
            };
            return Ok(Some(Parting { iteration: number, a: told(x), b: told(y) }));
        }
    }
    unreachable!("the loop ends with the traces")
}

fn iterations(records: Records) -> impl Iterator<Item = Result<Box<Iteration>, TraceError>> {
    records.filter_map(|record| match record {
        Ok(TraceEvent::Iteration(iteration)) => Some(Ok(iteration)),
        Ok(_) => None,
        Err(error) => Some(Err(error)),
    })
}

/// What a search decides in an iteration: the goal and its depth, and the step that was added.
fn choice(iteration: &Iteration) -> (&str, u32, Option<&str>) {
    (&iteration.node.goal_sig_strict, iteration.node.depth, step(iteration))
}

/// The tactic of the first step that was added.
fn step(iteration: &Iteration) -> Option<&str> {
    iteration.attempts.iter().find(|a| a.outcome == AttemptOutcome::Success).map(|a| a.tactic.as_ref())
}

fn told(iteration: &Iteration) -> String {
    const LONGEST: usize = 60;
    let step = step(iteration).unwrap_or("no step");
    let goal = iteration.node.goal_type.as_ref();
    let short: String = goal.chars().take(LONGEST).collect();
    let rest = if short.len() < goal.len() { " …" } else { "" };
    format!("{step} at {short}{rest}")
}
