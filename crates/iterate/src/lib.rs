//! Expert iteration: a model proposes tactics, its proofs train the next model, and so on (`docs/guide/learning.md`).
//!
//! The loop is declared in a file ([`declaration`]) and carried out by [`learn`]. Every model is made by the same stages: a
//! rollout ([`search`]), the selection of rows ([`filter`], [`curate`]), training ([`trainer`]), and an evaluation on held-out
//! theorems. Each stage's inputs and outputs are files whose digests its receipt ([`stage`]) lists, so that a loop that was
//! killed goes on with the stage it was at. [`lineage`] writes what became of it.

pub mod curate;
pub mod declaration;
mod error;
pub mod filter;
mod iteration;
pub mod lineage;
pub mod rows;
pub mod search;
mod server;
pub mod stage;
pub mod trainer;

pub use declaration::Loop;
pub use error::LoopError;
pub use iteration::{Learned, Tell, learn};
