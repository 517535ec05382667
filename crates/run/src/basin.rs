//! Basin runs: every theorem is searched under several seeds, optionally also by blind search, to estimate how the
//! search depends on chance (`docs/guide/basin.md`).

use std::collections::{HashMap, HashSet};

use andor_artifact::basin::{Basin, BasinRecord, CostComparison, Estimate, LeftOut, RepeatedSearch};
use andor_artifact::result::{AttemptResult, Outcome, Role};
use andor_artifact::version::{Kind, Opening};
use andor_config::{BasinConfig, Config, Selection};

use crate::estimate;

/// One attempt of a basin run, as made at each theorem.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The attempt's number, from 1.
    pub attempt: u32,
    /// Whether this is the configured search or the blind one.
    pub role: Role,
    /// The configuration of this attempt: no repetition, its own seed and policy.
    pub config: Config,
}

/// The trials that a configuration asks for: one, or one for each seed, counted up from the configured seed. The
/// seeds of blocks and delays are counted up likewise, unless the damage is to stay the same. For a comparison, each
/// trial is followed by a blind one; the blind trials are numbered after all others.
///
/// Blind search differs only in its policy, `blind-uniform`, which ignores the backed-up values.
pub fn trials(config: &Config) -> impl Iterator<Item = Trial> + use<> {
    let BasinConfig { seeds, blind, same_damage } = config.basin;
    let seeds = seeds.unwrap_or(1);
    let config = Config { basin: BasinConfig::default(), ..config.clone() };
    (0..seeds).flat_map(move |n| {
        let config = seeded(&config, n, same_damage);
        let blind = blind.then(|| Trial {
            attempt: seeds + n + 1,
            role: Role::Blind,
            config: blinded(config.clone()),
        });
        [Some(Trial { attempt: n + 1, role: Role::Configured, config }), blind].into_iter().flatten()
    })
}

/// The configuration with which a run of this configuration makes the attempt with a number, counted from 1.
pub fn config_of_attempt(config: &Config, attempt: u32) -> Config {
    let BasinConfig { seeds, blind, same_damage } = config.basin;
    let config = Config { basin: BasinConfig::default(), ..config.clone() };
    match seeds.filter(|seeds| blind && attempt > *seeds) {
        Some(seeds) => blinded(seeded(&config, attempt - seeds - 1, same_damage)),
        None => seeded(&config, attempt.saturating_sub(1), same_damage),
    }
}

/// The configuration of a trial under a later seed.
fn seeded(config: &Config, n: u32, same_damage: bool) -> Config {
    let mut config = Config { seed: config.seed.wrapping_add(n.into()), ..config.clone() };
    if !same_damage {
        let agents = &mut config.distributed_mcts;
        agents.block_seed = agents.block_seed.map(|seed| seed.wrapping_add(n.into()));
        // Keeps the seed non-negative.
        agents.delay_seed = agents.delay_seed.map(|seed| seed.wrapping_add(n.into()) & i64::MAX);
    }
    config
}

fn blinded(mut config: Config) -> Config {
    config.search.policy = Selection::BlindUniform;
    // It shuffles anyway.
    config.search.proposal_temperature = 0.0;
    config
}

/// Summarises the results for each theorem and for all together, independently of their order. Missing results are
/// left out.
pub fn summarise(config: &Config, theorems: &[&str], results: &[AttemptResult]) -> BasinRecord {
    let mut by_theorem: HashMap<&str, Vec<&AttemptResult>> = HashMap::new();
    for result in results {
        by_theorem.entry(&result.theorem).or_default().push(result);
    }
    let of_theorem = |id: &&str| {
        let results = by_theorem.get(id).map_or(&[][..], Vec::as_slice);
        basin(config, Some((*id).to_owned()), results)
    };
    let all: Vec<&AttemptResult> =
        theorems.iter().filter_map(|id| by_theorem.get(id)).flatten().copied().collect();
    BasinRecord {
        opening: Opening::new(Kind::Basin),
        config_digest: config.digest(),
        seed: config.seed,
        seeds: config.basin.seeds.unwrap_or(1),
        policy: config.search.policy.name().to_owned(),
        theorems: theorems.iter().map(of_theorem).collect(),
        all: basin(config, None, &all),
    }
}

fn basin(config: &Config, theorem: Option<String>, results: &[&AttemptResult]) -> Basin {
    let blind = config.basin.blind;
    Basin {
        theorem,
        configured: repeated(results, Role::Configured),
        blind: blind.then(|| repeated(results, Role::Blind)),
        cost: blind.then(|| cost(results, config.seed)),
    }
}

/// Summarises the attempts of one kind of search.
pub fn repeated(results: &[&AttemptResult], role: Role) -> RepeatedSearch {
    let results: Vec<&AttemptResult> = results.iter().copied().filter(|r| r.role == role).collect();
    let mut left_out = LeftOut::default();
    for result in &results {
        match result.outcome {
            Outcome::Accepted | Outcome::AxiomNotAllowed | Outcome::NotProved => {}
            Outcome::Claimed | Outcome::Unverified | Outcome::InfrastructureError => {
                left_out.infrastructure += 1;
            }
            Outcome::Refused => left_out.refused += 1,
            Outcome::Interrupted => left_out.interrupted += 1,
        }
    }
    let n_made = results.len();
    let results = without_copies(results);
    left_out.copies = count(results.len()..n_made);
    let solved: Vec<&AttemptResult> = results.iter().copied().filter(|r| is_solved(r)).collect();
    let structures: HashSet<(&str, &str)> =
        solved.iter().filter_map(|r| Some((r.theorem.as_str(), r.proof_digest.as_deref()?))).collect();
    let (n_counted, n_solved) = (count(results.iter().filter(|r| counts(r))), count(solved.iter()));
    RepeatedSearch {
        attempts: n_counted,
        solved: n_solved,
        solved_share: estimate::share(n_solved, n_counted),
        distinct_proofs: count(structures.iter()),
        iterations: estimate::quartiles(solved.iter().map(|r| r.spent.iterations as f64)),
        left_out,
    }
}

/// The attempts without copies. An attempt is a copy if it made no random choice, so that it equals the first such
/// attempt at the theorem and is not an independent observation.
pub fn without_copies(results: Vec<&AttemptResult>) -> Vec<&AttemptResult> {
    let is_certain = |result: &&AttemptResult| counts(result) && result.is_certain();
    let mut first: HashMap<(&str, Role), u32> = HashMap::new();
    for result in results.iter().copied().filter(is_certain) {
        let first = first.entry((&result.theorem, result.role)).or_insert(result.attempt);
        *first = result.attempt.min(*first);
    }
    let stays = |r: &&AttemptResult| !is_certain(r) || first[&(r.theorem.as_str(), r.role)] == r.attempt;
    results.into_iter().filter(stays).collect()
}

fn is_solved(result: &AttemptResult) -> bool {
    result.outcome == Outcome::Accepted
}

/// Whether an attempt counts as an observation of its search.
pub fn counts(result: &AttemptResult) -> bool {
    result.outcome.is_answer()
}

fn count(items: impl Iterator) -> u32 {
    u32::try_from(items.count()).expect("a run makes fewer than 2^32 attempts")
}

/// Iterations of the configured and of the blind attempt at a theorem with the same seed.
type Pair = (u64, u64);

fn cost(results: &[&AttemptResult], seed: u64) -> CostComparison {
    let blind: HashMap<(&str, u64), &AttemptResult> =
        results.iter().filter(|r| r.role == Role::Blind && counts(r)).map(|r| (key(r), *r)).collect();
    let configured = results.iter().filter(|r| r.role == Role::Configured && counts(r));
    let mut paired: Vec<(&AttemptResult, &AttemptResult)> =
        configured.filter_map(|r| Some((*r, *blind.get(&key(r))?))).collect();
    // Sorted, so that the resamples do not depend on the order of the results.
    paired.sort_by_key(|(configured, _)| key(configured));
    let pairs: Vec<Pair> = paired.iter().map(|(c, b)| (c.spent.iterations, b.spent.iterations)).collect();
    let total = sum(pairs.iter().copied());
    let mean = |total: u64| (!pairs.is_empty()).then(|| total as f64 / pairs.len() as f64);
    CostComparison {
        pairs: count(pairs.iter()),
        configured: mean(total.0),
        blind: mean(total.1),
        configured_censored: count(paired.iter().filter(|(configured, _)| !is_solved(configured))),
        blind_censored: count(paired.iter().filter(|(_, blind)| !is_solved(blind))),
        k: ratio(total).filter(|k| k.is_finite()).map(|value| {
            let (low, high) = bootstrap(&pairs, seed);
            Estimate { value, low, high }
        }),
    }
}

fn key(result: &AttemptResult) -> (&str, u64) {
    (&result.theorem, result.seed)
}

fn sum(pairs: impl Iterator<Item = Pair>) -> Pair {
    pairs.fold((0, 0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1))
}

/// Blind cost divided by configured cost; infinite if only the latter is 0, `None` if both are.
fn ratio((configured, blind): Pair) -> Option<f64> {
    (configured > 0 || blind > 0).then(|| blind as f64 / configured as f64)
}

/// Number of bootstrap resamples.
const RESAMPLES: usize = 10_000;

/// The bootstrap interval of the ratio; a single pair has none.
fn bootstrap(pairs: &[Pair], seed: u64) -> (Option<f64>, Option<f64>) {
    let of_drawn = |drawn: &[usize]| ratio(sum(drawn.iter().map(|&i| pairs[i])));
    estimate::bootstrap(pairs.len(), RESAMPLES, seed, of_drawn)
}

#[cfg(test)]
mod tests;
