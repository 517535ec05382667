//! Random streams, derived from one root seed per attempt and a purpose.
//!
//! Streams for different purposes are independent: drawing more numbers from one never changes another.

use rand::{RngExt, SeedableRng};
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The generator used everywhere: small, fast, and identical on all platforms.
pub type Rng = rand_pcg::Pcg64Mcg;

/// The purpose of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Selecting nodes.
    Selection,
    /// Breaking ties.
    Ties,
    /// Shuffling candidates.
    Candidates,
    /// Blocking nodes.
    Blocks,
    /// Lifting blocks.
    Lifts,
    /// Delaying nodes.
    Delays,
    /// Sampling latencies on the virtual clock.
    Latencies,
    /// Bootstrap resampling.
    Bootstrap,
    /// Sampling from language models.
    Sampling,
    /// Drawing the order of proposals.
    Proposals,
}

impl Purpose {
    fn label(self) -> &'static [u8] {
        match self {
            Self::Selection => b"selection",
            Self::Ties => b"ties",
            Self::Candidates => b"candidates",
            Self::Blocks => b"blocks",
            Self::Lifts => b"lifts",
            Self::Delays => b"delays",
            Self::Latencies => b"latencies",
            Self::Bootstrap => b"bootstrap",
            Self::Sampling => b"sampling",
            Self::Proposals => b"proposals",
        }
    }
}

/// The stream for `purpose` under the attempt's root seed.
pub fn stream(seed: u64, purpose: Purpose) -> Rng {
    Rng::seed_from_u64(xxh3_64_with_seed(purpose.label(), seed))
}

/// The stream for one decision of `purpose`, identified by `place` and `number`. It does not depend on when or how
/// often other decisions are made.
pub fn stream_at(seed: u64, purpose: Purpose, place: u64, number: u64) -> Rng {
    Rng::seed_from_u64(seed_at(seed, purpose, place, number))
}

/// Gumbel's noise for a text at a place. The largest of log-probabilities with this noise is a draw from the distribution, the
/// next one a draw from the rest, and so on.
pub fn gumbel_at(seed: u64, purpose: Purpose, place: u64, text: &str) -> f64 {
    let uniform: f64 = stream_at(seed, purpose, place, xxh3_64(text.as_bytes())).random();
    -(-uniform.max(f64::MIN_POSITIVE).ln()).ln()
}

/// The seed of [`stream_at`], for generators that are not ours.
pub fn seed_at(seed: u64, purpose: Purpose, place: u64, number: u64) -> u64 {
    let mut bytes = purpose.label().to_vec();
    bytes.extend(place.to_le_bytes());
    bytes.extend(number.to_le_bytes());
    xxh3_64_with_seed(&bytes, seed)
}
