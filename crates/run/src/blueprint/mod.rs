//! Blueprints: graphs of definitions, lemmas and theorems, proved in the order of their dependencies.
//!
//! [`read()`] reads one, [`run()`] proves its nodes. A node is attempted in a file with the definitions and lemmas that it
//! needs, and the lemmas stand there with their accepted proofs: nothing rests on a lemma that is not proved. What is
//! proved is read from the results of the run, so that it is neither lost nor done again; the only other thing that is
//! kept is what a planner changed (`blueprint.json`).

pub mod graph;
mod node;
mod read;
mod refine;
mod run;
mod source;
mod stored;
mod whole;
mod work;

pub use node::{Blueprint, Node};
pub use read::{BlueprintError, BlueprintFault, is_blueprint, read};
pub use run::{Made, config_of_attempt, run};
pub use stored::{Again, AgainError, FILE, compare, read_run, verify};
