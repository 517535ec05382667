//! Limits on the time of one operation.

use std::fmt;
use std::time::Duration;

/// A limit on the processor time of a process tree, including ended descendants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuLimit {
    /// The limit.
    pub limit: Duration,
    /// The sampling interval of the process tree.
    pub poll: Duration,
}

/// The limit that an operation exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeLimit {
    /// Of processor time.
    Cpu(Duration),
    /// Of wall time; in a prover without processes, the corresponding number of steps.
    Wall(Duration),
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cpu(limit) => write!(f, "{} s of processor time", limit.as_secs_f64()),
            Self::Wall(limit) => write!(f, "{} s", limit.as_secs_f64()),
        }
    }
}
