//! `basin.json`: what came of repeating theorems under several seeds.

use serde::{Deserialize, Serialize};

use crate::version::Opening;

/// The file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BasinRecord {
    /// Kind and version.
    pub opening: Opening,
    /// The digest of the run's configuration, in hexadecimal.
    pub config_digest: String,
    /// The first seed.
    pub seed: u64,
    /// How many seeds were asked for.
    pub seeds: u32,
    /// The name of the configured search's policy.
    pub policy: String,
    /// One entry per theorem, in order.
    pub theorems: Vec<Basin>,
    /// The totals over all theorems.
    pub all: Basin,
}

/// The results for one theorem, or for all theorems together.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Basin {
    /// The theorem's id; `null` for all theorems together.
    pub theorem: Option<String>,
    /// The results of the configured search.
    pub configured: RepeatedSearch,
    /// The results of blind search, if it was run.
    pub blind: Option<RepeatedSearch>,
    /// A comparison of their costs, if blind search was run.
    pub cost: Option<CostComparison>,
}

/// The results of one search's attempts. Shares and quartiles are `null` for an empty sample.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepeatedSearch {
    /// Attempts that count: those that ended with an accepted proof, or without a proof.
    pub attempts: u32,
    /// The attempts among them that ended with an accepted proof.
    pub solved: u32,
    /// Their share, with its Wilson 95 % interval.
    pub solved_share: Option<Estimate>,
    /// The number of distinct structures among the accepted proofs of each theorem, by `proof_digest`.
    pub distinct_proofs: u32,
    /// Iterations to proof, of the attempts that ended with an accepted proof.
    pub iterations: Option<Quartiles>,
    /// Attempts that do not count.
    pub left_out: LeftOut,
}

/// Attempts that do not count as observations of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Attempts that failed for technical reasons, in the search or in the verification of its proof.
    pub infrastructure: u32,
    /// The assistant refuses the theorem.
    pub refused: u32,
    /// The user interrupted.
    pub interrupted: u32,
    /// Copies: no random choice was made, so they equal the first such attempt at their theorem.
    #[serde(default)]
    pub copies: u32,
}

/// A number with its 95 % confidence interval.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// The lower end of the interval; `null` when it is unknown.
    pub low: Option<f64>,
    /// The upper end of the interval; `null` when it is unknown or infinite.
    pub high: Option<f64>,
}

/// Quartiles, by linear interpolation between the two nearest values.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Quartiles {
    /// A quarter of the values is at most this.
    pub q1: f64,
    /// Half of the values are at most this.
    pub median: f64,
    /// Three quarters of the values are at most this.
    pub q3: f64,
}

/// The cost of blind search relative to the configured search. The cost of an attempt is its number of iterations,
/// whether or not it found a proof.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CostComparison {
    /// Pairs of one configured and one blind attempt at the same theorem with the same seed, both of which count.
    pub pairs: u32,
    /// The mean cost of the configured attempts.
    pub configured: Option<f64>,
    /// The mean cost of the blind attempts.
    pub blind: Option<f64>,
    /// Configured attempts without a proof, whose cost is only a lower bound.
    pub configured_censored: u32,
    /// Blind attempts without a proof, whose cost is only a lower bound.
    pub blind_censored: u32,
    /// Blind cost divided by configured cost, with its bootstrap interval; `null` if the configured cost is 0.
    pub k: Option<Estimate>,
}
