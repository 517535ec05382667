//! `basin.json`: what came of repeating theorems under several seeds.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::version::Opening;

/// The file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct BasinRecord {
    /// Kind and version.
    pub opening: Opening,
    /// The digest of the run's configuration, in hexadecimal.
    pub config_digest: String,
    /// The first seed.
    pub seed: u64,
    /// How many seeds were asked for.
    pub seeds: u32,
    /// Where the configured search works: the name of its policy.
    pub policy: String,
    /// One entry per theorem, in order.
    pub theorems: Vec<Basin>,
    /// All theorems together.
    pub all: Basin,
}

/// What came of a theorem, or of all theorems together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Basin {
    /// The theorem's id; `null` for all theorems together.
    pub theorem: Option<String>,
    /// Of the search as configured.
    pub configured: RepeatedSearch,
    /// Of the blind search, if there was one.
    pub blind: Option<RepeatedSearch>,
    /// What the two cost, if there was a blind search.
    pub cost: Option<CostComparison>,
}

/// What came of the attempts of one search. Shares and quartiles are `null` when there is nothing to take them from.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct RepeatedSearch {
    /// Attempts that count: those that ended with an accepted proof, or without a proof.
    pub attempts: u32,
    /// Those of them that ended with an accepted proof.
    pub solved: u32,
    /// Their share, with its Wilson 95 % interval.
    pub solved_share: Option<Estimate>,
    /// Different structures among the accepted proofs of each theorem, by `proof_digest`.
    pub distinct_proofs: u32,
    /// Iterations to proof, of the attempts that ended with an accepted proof.
    pub iterations: Option<Quartiles>,
    /// Attempts that do not count.
    pub left_out: LeftOut,
}

/// Attempts that say nothing about a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct LeftOut {
    /// The machinery failed, in the search or in the verification of its proof.
    pub infrastructure: u32,
    /// The assistant refuses the theorem.
    pub refused: u32,
    /// The user interrupted.
    pub interrupted: u32,
    /// Nothing hung on chance, so that they are the same as the first such attempt at their theorem.
    #[serde(default)]
    pub copies: u32,
}

/// A number with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end of the interval; `null` when it is unknown.
    pub low: Option<f64>,
    /// The upper end of the interval; `null` when it is unknown or infinite.
    pub high: Option<f64>,
}

/// Quartiles, by linear interpolation between the two nearest values.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct Quartiles {
    /// A quarter of the values is at most this.
    pub q1: f64,
    /// Half of the values are at most this.
    pub median: f64,
    /// Three quarters of the values are at most this.
    pub q3: f64,
}

/// What blind search costs, as a multiple of what the configured search costs. The cost of an attempt is its number of
/// iterations, also of one that found no proof.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
pub struct CostComparison {
    /// Pairs of one configured and one blind attempt at the same theorem with the same seed, both of which count.
    pub pairs: u32,
    /// The mean cost of the configured attempts.
    pub configured: Option<f64>,
    /// The mean cost of the blind attempts.
    pub blind: Option<f64>,
    /// Configured attempts without a proof: a proof would have cost more.
    pub configured_censored: u32,
    /// Blind attempts without a proof: a proof would have cost more.
    pub blind_censored: u32,
    /// Blind cost over configured cost, with its bootstrap interval; `null` when the configured attempts cost nothing.
    pub k: Option<Estimate>,
}
