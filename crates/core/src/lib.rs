//! The pure core of andor: vocabulary (goals, expressions, theorems), signatures, the AND/OR tree, search policies,
//! and the ask/tell [`search::Search`].
//!
//! Nothing here does I/O, reads a clock, spawns tasks or knows a proof assistant. Unusual but possible situations are
//! values; misuse is a panic that states the violated rule.

pub mod axioms;
pub mod choice;
pub mod clock;
pub mod control;
pub mod expr;
pub mod goal;
pub mod ids;
pub mod language;
pub mod lemma;
pub mod load_path;
pub mod plan;
pub mod policy;
pub mod rng;
pub mod schedule;
pub mod search;
pub mod signature;
pub mod stats;
pub mod systems;
pub mod tactic;
pub mod team;
pub mod theorem;
pub mod tree;
pub mod verdict;
pub mod view;
