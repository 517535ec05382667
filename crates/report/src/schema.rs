//! The JSON schemas of everything that andor writes or prints for programs. They are checked in under `docs/formats/`;
//! `cargo xtask schemas` regenerates them, and a test compares.

use andor_artifact::schema;
use schemars::{Schema, schema_for};

use crate::compare::Comparison;
use crate::summary::ResultsLine;

/// Each schema with its file name.
pub fn all() -> Vec<(&'static str, Schema)> {
    let mut all = schema::all();
    all.push(("compare.schema.json", schema_for!(Comparison)));
    all.push(("results-summary.schema.json", schema_for!(ResultsLine<'_>)));
    all
}
