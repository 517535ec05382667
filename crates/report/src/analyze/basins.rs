//! Basins: the different proofs into which the searches of a theorem fall.

use andor_analysis::overlap::entropy;
use andor_artifact::result::Role;
use andor_run::{basin, estimate};
use serde_json::{Value, json};

use super::proofs::Proof;
use super::{Analysis, Request, Subject, Table};

/// Number of bootstrap resamples.
const RESAMPLES: usize = 2_000;

/// The tables about basins.
pub(super) struct Basins {
    all: Table,
    distances: Table,
    falls: Table,
    stability: Table,
    costs: Table,
}

impl Basins {
    pub(super) fn new() -> Self {
        let table = |name, about, columns| Table { name, about, columns, rows: Vec::new() };
        Self {
            all: table(
                "basins",
                "Equal proofs of a theorem: their share with its 95 % interval, one of them, and edits to the nearest other \
                 basin and on average to all other proofs.",
                &[
                    "theorem",
                    "basin",
                    "proofs",
                    "share",
                    "low",
                    "high",
                    "steps",
                    "representative",
                    "nearest",
                    "distance_to_others",
                    "members",
                ],
            ),
            distances: table(
                "basin_distances",
                "Edits between the proofs of two basins, and relative to the larger one; within a basin there are none.",
                &["theorem", "a", "b", "distance", "relative"],
            ),
            falls: table(
                "basin_falls",
                "Which attempt falls into which basin; empty: it found no proof, or none that was compared.",
                &[
                    "theorem",
                    "run",
                    "attempt",
                    "seed",
                    "agents",
                    "block_fraction",
                    "block_duration",
                    "delay_prob",
                    "reroute",
                    "basin",
                ],
            ),
            stability: table(
                "basin_stability",
                "How proofs spread over basins, with 95 % bootstrap intervals over attempts: the share of the largest, the \
                 effective number, and the chance that a further proof is of a new basin.",
                &[
                    "theorem",
                    "run",
                    "proofs",
                    "basins",
                    "largest",
                    "largest_low",
                    "largest_high",
                    "effective",
                    "effective_low",
                    "effective_high",
                    "unseen",
                ],
            ),
            costs: table(
                "basin_costs",
                "K: iterations of blind search over those of the configured search, in runs with both.",
                &["theorem", "run", "pairs", "k", "low", "high"],
            ),
        }
    }

    /// Adds the proofs of a theorem, in groups of equal ones.
    pub(super) fn add(
        &mut self,
        subjects: &[Subject<'_>],
        id: &str,
        proofs: &[Proof],
        distances: &[Vec<f64>],
        groups: &[Vec<usize>],
        request: &Request,
    ) {
        let name = |at: usize| format!("{}:{}", subjects[proofs[at].run].name, proofs[at].attempt);
        let small = |n: usize| u32::try_from(n).expect("there are few proofs");
        for (number, members) in groups.iter().enumerate() {
            let first = members[0];
            let others = (0..proofs.len()).filter(|j| !members.contains(j));
            let apart: Vec<f64> = others.map(|j| distances[first][j]).collect();
            let mean = (!apart.is_empty()).then(|| apart.iter().sum::<f64>() / apart.len() as f64);
            let share = estimate::share(small(members.len()), small(proofs.len()));
            self.all.rows.push(vec![
                json!(id),
                json!(number + 1),
                json!(members.len()),
                json!(share.map(|share| share.value)),
                json!(share.and_then(|share| share.low)),
                json!(share.and_then(|share| share.high)),
                json!(proofs[first].tree.len()),
                json!(name(first)),
                json!(apart.iter().copied().reduce(f64::min)),
                json!(mean),
                json!(members.iter().map(|&at| name(at)).collect::<Vec<_>>().join(" ")),
            ]);
            for (before, other) in groups[..number].iter().enumerate() {
                let (distance, other) = (distances[other[0]][first], &proofs[other[0]].tree);
                let relative = distance / other.len().max(proofs[first].tree.len()) as f64;
                let row = [json!(before + 1), json!(number + 1), json!(distance), json!(relative)];
                self.distances.rows.push(std::iter::once(json!(id)).chain(row).collect());
            }
        }
        let basin_of = |at: usize| groups.iter().position(|members| members.contains(&at));
        for (run, subject) in subjects.iter().enumerate() {
            let Some(theorem) = subject.theorem(id) else { continue };
            for result in theorem.results.iter().filter(|result| result.role == Role::Configured) {
                let at = proofs.iter().position(|proof| proof.run == run && proof.attempt == result.attempt);
                let agents = &subject.folder.config.distributed_mcts;
                let mut row = vec![json!(id), json!(subject.name), json!(result.attempt), json!(result.seed)];
                row.extend([
                    json!(agents.agents),
                    json!(agents.block_fraction),
                    json!(agents.block_duration),
                ]);
                row.extend([json!(agents.delay_prob), json!(agents.reroute_max)]);
                row.push(json!(at.and_then(basin_of).map(|basin| basin + 1)));
                self.falls.rows.push(row);
            }
            let of_run = (0..proofs.len()).filter(|&at| proofs[at].run == run);
            let basins: Vec<usize> = of_run.filter_map(basin_of).collect();
            self.stability.rows.extend(stability(id, &subject.name, &basins, request.seed));
        }
    }

    /// Adds what blind search costs, and hands over the tables.
    pub(super) fn finish(mut self, subjects: &[Subject<'_>], analysis: &mut Analysis) {
        for subject in subjects {
            let theorems: Vec<&str> =
                subject.summary.theorems.iter().map(|theorem| theorem.theorem).collect();
            let record = basin::summarise(&subject.folder.config, &theorems, &subject.folder.results);
            for of in record.theorems.iter().chain([&record.all]) {
                let Some((cost, k)) = of.cost.and_then(|cost| Some((cost, cost.k?))) else { continue };
                self.costs.rows.push(vec![
                    json!(of.theorem.as_deref().unwrap_or("all")),
                    json!(subject.name),
                    json!(cost.pairs),
                    json!(k.value),
                    json!(k.low),
                    json!(k.high),
                ]);
            }
        }
        analysis.tables.extend([self.all, self.distances, self.falls, self.stability, self.costs]);
    }
}

/// How the proofs of a run spread over basins, given by their numbers. `None` without proofs.
fn stability(id: &str, run: &str, basins: &[usize], seed: u64) -> Option<Vec<Value>> {
    if basins.is_empty() {
        return None;
    }
    let counts = |drawn: &mut dyn Iterator<Item = usize>| -> Vec<u64> {
        let mut counts = vec![0; basins.iter().max().map_or(0, |most| most + 1)];
        drawn.for_each(|at| counts[basins[at]] += 1);
        counts
    };
    let largest = |counts: &[u64]| counts.iter().copied().max().unwrap_or(0) as f64 / basins.len() as f64;
    // The number of equally frequent basins with the same entropy.
    let effective = |counts: &[u64]| entropy(counts.iter().copied()).exp2();
    let interval = |of: &dyn Fn(&[u64]) -> f64| {
        estimate::bootstrap(basins.len(), RESAMPLES, seed, |drawn| {
            Some(of(&counts(&mut drawn.iter().copied())))
        })
    };
    let all = counts(&mut (0..basins.len()));
    let once = all.iter().filter(|n| **n == 1).count();
    let (of_largest, of_effective) = (interval(&largest), interval(&effective));
    Some(vec![
        json!(id),
        json!(run),
        json!(basins.len()),
        json!(all.iter().filter(|n| **n > 0).count()),
        json!(largest(&all)),
        json!(of_largest.0),
        json!(of_largest.1),
        json!(effective(&all)),
        json!(of_effective.0),
        json!(of_effective.1),
        // Good (1953): the share of what was seen once.
        json!((basins.len() > 1).then(|| once as f64 / basins.len() as f64)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proofs_that_spread_and_proofs_that_do_not() {
        let row = |basins: &[usize]| stability("t", "A", basins, 1).unwrap();
        let same = row(&[2, 2, 2, 2]);
        assert_eq!(
            same[2..],
            [4, 1]
                .map(Value::from)
                .into_iter()
                .chain([1.0; 6].map(Value::from))
                .chain([0.0.into()])
                .collect::<Vec<_>>()
        );
        let half = row(&[0, 1, 0, 1]);
        assert_eq!((&half[4], &half[7], &half[10]), (&0.5.into(), &2.0.into(), &0.0.into()));
        assert!(half[8].as_f64().unwrap() < 2.0 && half[9] == 2.0, "{half:?}");
        let apart = row(&[0, 1, 2]);
        assert_eq!((&apart[3], &apart[10]), (&3.into(), &1.0.into()));
        assert!(row(&[0])[5].is_null(), "a single proof has no interval");
        assert_eq!(stability("t", "A", &[], 1), None);
    }
}
