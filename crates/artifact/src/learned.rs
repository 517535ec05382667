//! A learned model of tactics: a file of `andor learn`, and of the provider `learned=FILE`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::version::Opening;

/// The model: shapes of tactics, and the weights of features for them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedModel {
    /// Kind and version.
    pub opening: Opening,
    /// The digest of everything below: the first 16 hexadecimal digits of BLAKE3 over its JSON with sorted keys and no spaces.
    pub digest: String,
    /// All else.
    #[serde(flatten)]
    pub content: LearnedContent,
}

/// What the digest of a model covers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LearnedContent {
    /// The system whose tactics it proposes.
    pub system: String,
    /// How it came about.
    pub provenance: Provenance,
    /// The shapes of tactics, in the order in which equally likely ones are proposed.
    pub shapes: Vec<String>,
    /// For each feature of goals, a weight for each shape.
    pub policy: BTreeMap<String, Vec<f64>>,
    /// For each feature of arguments, a weight for each place in a shape, in the order of the shapes.
    pub arguments: BTreeMap<String, Vec<f64>>,
    /// For each feature of goals, its weight in the estimate of whether a goal can be proved; empty if there is none.
    pub value: BTreeMap<String, f64>,
}

/// How a model came about.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// The digest of the model that training began with; `None` for a model that was not trained.
    pub parent: Option<String>,
    /// The digest of the rows that it was trained on.
    pub data: Option<String>,
    /// The number of these rows that it could use.
    pub steps: u64,
    /// The parameters of the training.
    pub parameters: BTreeMap<String, f64>,
}
