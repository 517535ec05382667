//! The mathematics of comparing searches, on plain numbers, trees and graphs: [`paired`] tests, [`survival`] curves,
//! [`overlap`] of what was visited, [`access`] to what lies behind blocked nodes, [`tree_distance`] of proofs,
//! [`graph_distance`] of search graphs, and [`scaling`] of distances to a picture.
//!
//! Nothing here reads a file or knows a prover. Everything is deterministic; where numbers are drawn, the seed is a
//! parameter.

pub mod access;
pub mod graph_distance;
pub mod overlap;
pub mod paired;
pub mod scaling;
pub mod survival;
pub mod tree_distance;
