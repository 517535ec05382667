//! The AND/OR tree: its data, status updates, and queries.
//!
//! ```text
//!            node n0  (OR: any step)
//!            ├── step s0 `split`  (AND: all children)
//!            │     ├── slot c0 → node n1
//!            │     └── slot c1 → node n2
//!            └── step s1 `simp`   (no children: closes the goal)
//! ```
//!
//! This module holds the structure, in arenas that only grow. What an algorithm stores about nodes (visits, values,
//! priorities) is in separate tables, indexed by the same ids.

pub mod check;
mod data;
mod digest;
pub mod dot;
pub mod extract;
mod frontier;
mod recompute;
mod status;
mod traverse;

pub use data::{Child, Identity, Phase, Status, Tree};

#[cfg(test)]
mod tests;
