//! Random streams: one root seed per attempt, split by purpose.
//!
//! Streams of different purposes are independent, so drawing more numbers for one never changes another.

use rand::SeedableRng;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// The generator used everywhere: small, fast, and the same on every platform.
pub type Rng = rand_pcg::Pcg64Mcg;

/// What a stream is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Choosing where to work.
    Selection,
    /// Choosing among equals.
    Ties,
    /// Shuffling candidates.
    Candidates,
    /// Blocking nodes on purpose.
    Blocks,
    /// Lifting blocks.
    Lifts,
    /// Delaying nodes on purpose.
    Delays,
    /// How long things take on the virtual clock.
    Latencies,
    /// Estimating how sure a statistic is.
    Bootstrap,
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
        }
    }
}

/// The stream for `purpose` under the attempt's root seed.
pub fn stream(seed: u64, purpose: Purpose) -> Rng {
    Rng::seed_from_u64(xxh3_64_with_seed(purpose.label(), seed))
}

/// The stream for one thing among those that `purpose` decides, told by `place` and `number`. What it holds does not
/// depend on when, or how often, other things are decided.
pub fn stream_at(seed: u64, purpose: Purpose, place: u64, number: u64) -> Rng {
    let mut bytes = purpose.label().to_vec();
    bytes.extend(place.to_le_bytes());
    bytes.extend(number.to_le_bytes());
    Rng::seed_from_u64(xxh3_64_with_seed(&bytes, seed))
}
