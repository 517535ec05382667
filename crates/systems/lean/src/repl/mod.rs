//! The transport over the community's REPL: commands give environments, and each `sorry` in them a proof state.
//!
//! What the REPL lacks is made up for here, as far as that goes:
//!
//! * A tactic acts on all goals, and none can be chosen. So before a tactic is tried on some goals of a state, the others are
//!   given up in a branch of their own, which is kept for the next tactic on the same goals.
//! * A tactic with an error is reported as a success. A message that is an error is a failure here, and so is any `sorry`.
//! * What a tactic leaves undetermined shows only in the status of the finished proof, which is why a branch that has no
//!   goals left is refused if its status says so.
//! * Goals are texts. With each tactic they are traced once more with everything shown, which can be read as expressions. Goals
//!   with metavariables stay together.
//! * Nothing is ever freed. The session replaces a worker whose memory has grown, and none is kept for another theorem that has
//!   answered many requests.
//!
//! Pickles are not used: an environment that is read back lacks what its commands declared besides constants, such as
//! `simp` lemmas, instances and notation.

pub mod message;
mod worker;

pub use worker::ReplWorker;
