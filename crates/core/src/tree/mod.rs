//! The AND/OR tree: its data, the upkeep of statuses, and what can be read off it.
//!
//! ```text
//!            node n0  (OR: any step)
//!            ├── step s0 `split`  (AND: all children)
//!            │     ├── slot c0 → node n1
//!            │     └── slot c1 → node n2
//!            └── step s1 `simp`   (no children: closes the goal)
//! ```
//!
//! Shape lives here, in arenas that only grow. What an algorithm keeps about a node (visits, values,
//! priorities) lives in tables beside the tree, indexed by the same ids.

pub mod check;
mod data;
mod digest;
pub mod dot;
pub mod extract;
mod recompute;
mod status;
mod traverse;

pub use data::{Child, Identity, Phase, Status, Tree};

#[cfg(test)]
mod tests;
