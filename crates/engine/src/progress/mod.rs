//! What attempts at one theorem share: proofs of the subgoals of its plans.
//!
//! A proof counts only after it was replayed in a session of its own. An attempt finds it by the strict
//! signature of a subgoal, renames the hypotheses if they are called otherwise there, and grafts it like any
//! other script. Nothing rests on it: the finished proof is judged as a whole.

mod kept;
mod names;
mod owner;
mod plans;
mod replay;
mod sharing;

pub use kept::KeptPlan;
pub(crate) use names::{names, renaming};
pub use owner::{Added, Luggage, Progress};
pub use plans::{PlanBook, read_with_progress};
pub(crate) use sharing::Replays;
pub use sharing::Sharing;
