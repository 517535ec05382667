//! Benchmarks. On the synthetic environment, without processes and latencies: search quality ([`quality`]) and speed
//! ([`speed`]). With the provers: the cost of workers ([`prover`], [`mini`]) and of verification ([`ladder`]), whether
//! verification rejects cheats ([`cheats`], [`mutants`]) and accepts correct proofs ([`stdlib`]), and whether the
//! embedded prover keeps its limits ([`hostile`]).

pub mod cheats;
pub mod engine;
pub mod floor;
pub mod hostile;
pub mod ladder;
pub mod mini;
pub mod mutants;
pub mod prover;
pub mod quality;
pub mod speed;
pub mod stdlib;
pub mod traced;

use crate::corpus::CorpusError;
use andor_core::policy::{Backup, Expansion, Selection, Widening};
use andor_core::search::Config;
use andor_core::tree::Identity;
use andor_engine::registry::RegistryError;
use andor_env::error::EnvError;

/// Why a benchmark failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A system is unavailable.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The proof assistant fails.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// A file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The library cannot be read.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// The library is not installed.
    #[error("the library `{name}` is not installed; installed libraries besides Rocq's own: {there}")]
    NoLibrary {
        /// The name.
        name: String,
        /// The installed libraries.
        there: String,
    },
    /// A correct proof is rejected.
    #[error("a proof that should be accepted was rejected: {0}")]
    Rejected(String),
}

/// A named search configuration for benchmarks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contestant {
    /// Its name in tables.
    pub name: &'static str,
    /// The configuration.
    pub config: Config,
}

/// The searches that benchmarks compare. All but the last share nodes between equal goals.
pub fn contestants() -> Vec<Contestant> {
    let all = |selection, constant, backup| Config {
        identity: Identity::Strict,
        selection,
        exploration: constant,
        depth_reward: constant,
        backup,
        ..Config::default()
    };
    let widening = Some(Widening { scale: 1.0, exponent: 0.5 });
    let product = all(Selection::Puct, 0.0, Backup::Product);
    let contestant = |name, config| Contestant { name, config };
    let sqrt_2 = std::f64::consts::SQRT_2;
    vec![
        contestant("ucb1 uniform", all(Selection::Ucb1, sqrt_2, Backup::Uniform)),
        contestant("ucb1 and-min", all(Selection::Ucb1, sqrt_2, Backup::AndMin)),
        contestant("puct and-min", all(Selection::Puct, 1.0, Backup::AndMin)),
        contestant("puct product c=1", all(Selection::Puct, 1.0, Backup::Product)),
        contestant("puct product c=0", product),
        contestant(
            "puct product c=0 first-novel",
            Config { expansion: Expansion::FirstNovel, widening, ..product },
        ),
        contestant("best-first", all(Selection::BestFirst, 0.0, Backup::Uniform)),
        contestant("best-first alpha=0.5", all(Selection::BestFirst, 0.5, Backup::Uniform)),
        contestant("blind-uniform", all(Selection::BlindUniform, 0.0, Backup::Uniform)),
        contestant("puct product c=0 tree", Config { identity: Identity::Checkpoint, ..product }),
    ]
}
