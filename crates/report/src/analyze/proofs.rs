//! Distances between proofs, and a map of them.

use std::collections::BTreeMap;
use std::path::Path;

use andor_analysis::scaling;
use andor_analysis::tree_distance::{Tree, distance};
use andor_artifact::assembly::Assembly;
use andor_artifact::files::read_json;
use andor_artifact::graph::Graph;
use andor_artifact::result::Outcome;
use andor_artifact::version::Kind;
use andor_run::basin::without_copies;
use rustc_hash::FxHashMap;
use serde_json::json;

use super::basins::Basins;
use super::{Analysis, Label, Request, Subject, Table};

/// A proof tree with more nodes is left out: its distances would take minutes.
const LARGEST: usize = 3_000;

/// Of more proofs of one theorem, only the first are compared, in the order of runs and attempts.
const MOST: usize = 60;

/// An accepted proof.
pub(super) struct Proof {
    /// The number of its run.
    pub(super) run: usize,
    pub(super) attempt: u32,
    pub(super) tree: Tree<String>,
}

/// The proofs of each theorem, compared pair by pair.
pub(super) fn proofs(subjects: &[Subject<'_>], request: &Request, analysis: &mut Analysis) {
    let label = request.label;
    let mut pairs = Table {
        name: "proof_distances",
        about: "Edit distances between proofs of one theorem; relative to the larger of the two.",
        columns: &[
            "theorem",
            "a",
            "attempt_a",
            "steps_a",
            "b",
            "attempt_b",
            "steps_b",
            "distance",
            "relative",
        ],
        rows: Vec::new(),
    };
    let mut basins = Basins::new();
    let mut map = Table {
        name: "proof_map",
        about: "Proofs as points whose distances are nearly those of the proofs; `shown` is the share that fits.",
        columns: &["theorem", "run", "attempt", "x", "y", "shown"],
        rows: Vec::new(),
    };
    let mut totals = Totals::default();
    let Some(first) = subjects.first() else { return };
    for theorem in &first.summary.theorems {
        let id = theorem.theorem;
        let proofs = of_theorem(subjects, id, label, analysis);
        let distances = all_distances(&proofs);
        for (j, b) in proofs.iter().enumerate() {
            for (i, a) in proofs[..j].iter().enumerate() {
                let (between, size) = (distances[i][j], a.tree.len().max(b.tree.len()));
                let relative = between / size as f64;
                totals.add((a.run, b.run), id, between, relative);
                pairs.rows.push(vec![
                    json!(id),
                    json!(subjects[a.run].name),
                    json!(a.attempt),
                    json!(a.tree.len()),
                    json!(subjects[b.run].name),
                    json!(b.attempt),
                    json!(b.tree.len()),
                    json!(between),
                    json!(relative),
                ]);
            }
        }
        let groups = groups(&proofs, &distances);
        basins.add(subjects, id, &proofs, &distances, &groups, request);
        if groups.len() > 2 {
            let picture = scaling::classical(&distances);
            map.rows.extend(proofs.iter().zip(&picture.points).map(|(proof, (x, y))| {
                let name = &subjects[proof.run].name;
                vec![json!(id), json!(name), json!(proof.attempt), json!(x), json!(y), json!(picture.shown)]
            }));
        }
    }
    analysis.tables.push(totals.table(subjects));
    basins.finish(subjects, analysis);
    analysis.tables.extend([pairs, map]);
}

/// Sums over pairs of proofs, by the numbers of their runs.
#[derive(Default)]
struct Totals(BTreeMap<(usize, usize), Total>);

#[derive(Default)]
struct Total {
    theorems: Vec<String>,
    pairs: usize,
    equal: usize,
    distance: f64,
    relative: f64,
}

impl Totals {
    fn add(&mut self, runs: (usize, usize), theorem: &str, distance: f64, relative: f64) {
        let total = self.0.entry(runs).or_default();
        if total.theorems.last().is_none_or(|last| last != theorem) {
            total.theorems.push(theorem.to_owned());
        }
        total.pairs += 1;
        total.equal += usize::from(distance == 0.0);
        total.distance += distance;
        total.relative += relative;
    }

    fn table(&self, subjects: &[Subject<'_>]) -> Table {
        let row = |(&(a, b), total): (&(usize, usize), &Total)| {
            let n = total.pairs as f64;
            vec![
                json!(subjects[a].name),
                json!(subjects[b].name),
                json!(total.theorems.len()),
                json!(total.pairs),
                json!(total.equal as f64 / n),
                json!(total.distance / n),
                json!(total.relative / n),
            ]
        };
        Table {
            name: "proofs",
            about: "How different the proofs of a theorem are, within a run and between runs, by tree edit distance.",
            columns: &["a", "b", "theorems", "pairs", "equal", "distance", "relative"],
            rows: self.0.iter().map(row).collect(),
        }
    }
}

fn all_distances(proofs: &[Proof]) -> Vec<Vec<f64>> {
    let mut distances = vec![vec![0.0; proofs.len()]; proofs.len()];
    for j in 0..proofs.len() {
        for i in 0..j {
            // Most proofs of a theorem are equal.
            let (a, b) = (&proofs[i].tree, &proofs[j].tree);
            let between = if a == b { 0.0 } else { f64::from(distance(a, b)) };
            distances[i][j] = between;
            distances[j][i] = between;
        }
    }
    distances
}

/// Equal proofs together, the largest group first.
fn groups(proofs: &[Proof], distances: &[Vec<f64>]) -> Vec<Vec<usize>> {
    let equal = |a: usize, b: usize| distances[a][b] == 0.0;
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in 0..proofs.len() {
        match groups.iter_mut().find(|group| equal(group[0], at)) {
            Some(group) => group.push(at),
            None => groups.push(vec![at]),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
    groups
}

/// The accepted proofs of a theorem, in the order of runs and attempts. An attempt that made no random choice is the same under
/// every seed, and counts once.
fn of_theorem(subjects: &[Subject<'_>], id: &str, label: Label, analysis: &mut Analysis) -> Vec<Proof> {
    let mut proofs = Vec::new();
    let mut more = 0;
    for (run, subject) in subjects.iter().enumerate() {
        let Some(theorem) = subject.theorem(id) else { continue };
        let results = without_copies(theorem.results.clone());
        for result in results.into_iter().filter(|result| result.outcome == Outcome::Accepted) {
            if proofs.len() == MOST {
                more += 1;
                continue;
            }
            match read(&subject.folder.attempt(id, result.attempt), label) {
                Ok(tree) => proofs.push(Proof { run, attempt: result.attempt, tree }),
                Err(why) => {
                    let attempt = result.attempt;
                    analysis
                        .missing
                        .push(format!("the proof of `{id}`, attempt {attempt} of {}: {why}", subject.name));
                }
            }
        }
    }
    if more > 0 {
        analysis.missing.push(format!("{more} proofs of `{id}`: only the first {MOST} are compared"));
    }
    proofs
}

/// Reads the proof tree of an attempt.
fn read(folder: &Path, label: Label) -> Result<Tree<String>, String> {
    let said = |error: andor_artifact::files::FileError| error.to_string();
    let assembly: Assembly = read_json(&folder.join("assembly.json.gz"), Kind::Assembly).map_err(said)?;
    let winning = assembly.winning.ok_or("assembly.json.gz contains no proof")?;
    // The size of the tree below each step, with shared parts counted for each place.
    let mut sizes = vec![1usize; winning.len()];
    for at in (0..winning.len()).rev() {
        for &child in &winning[at].children {
            let below = sizes.get(child).filter(|_| child > at).copied();
            sizes[at] = sizes[at].saturating_add(below.ok_or("assembly.json.gz does not contain a tree")?);
        }
    }
    match sizes.first() {
        None => return Err("assembly.json.gz contains an empty proof".to_owned()),
        Some(size) if *size > LARGEST => return Err(format!("it has more than {LARGEST} steps")),
        Some(_) => {}
    }
    let goals: FxHashMap<String, String> = match label {
        Label::Tactic => FxHashMap::default(),
        Label::Strict | Label::Coarse => {
            let graph: Graph = read_json(&folder.join("graph.json"), Kind::Graph).map_err(said)?;
            let of_node: FxHashMap<&str, &String> = graph
                .nodes
                .iter()
                .map(|node| {
                    let signature =
                        if label == Label::Coarse { &node.goal_sig } else { &node.goal_sig_strict };
                    (node.id.as_str(), signature)
                })
                .collect();
            let of_step = |step: &andor_artifact::graph::GraphStep| {
                Some((step.id.clone(), (*of_node.get(step.node.as_str())?).clone()))
            };
            graph.steps.iter().filter_map(of_step).collect()
        }
    };
    if label != Label::Tactic && winning.iter().any(|step| !goals.contains_key(&step.step)) {
        return Err("graph.json lacks a step of the proof".to_owned());
    }
    let text = |at: usize| goals.get(&winning[at].step).unwrap_or(&winning[at].script).clone();
    Ok(Tree::new(0, text, |at| winning[at].children.clone()))
}
