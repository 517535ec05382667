//! Converts trace fields to the types of the search.

use andor_artifact::trace::NewNode;
use andor_core::signature::{GoalKey, GoalSig};
use andor_core::tree::Child;

/// A field has a value that no search writes.
#[derive(Debug, thiserror::Error)]
#[error("{field}: {what}")]
pub struct Unusable {
    /// The field.
    pub field: &'static str,
    /// What is wrong with it.
    pub what: String,
}

/// The data of a new node for the tree.
pub fn child(new: &NewNode) -> Result<Child, Unusable> {
    let digest = |field, text: &str| {
        u64::from_str_radix(text, 16)
            .map_err(|_| Unusable { field, what: format!("`{text}` is not a digest of 16 digits") })
    };
    Ok(Child {
        coarse: GoalSig(digest("goal_coarse", &new.goal_coarse)?),
        key: GoalKey(digest("goal_key", &new.goal_key)?),
        value: new.value.map(|value| estimate("new_nodes.value", value)).transpose()?,
    })
}

/// A log-prior in single precision, as the search keeps it.
pub fn log_prior(field: &'static str, score: f64) -> Result<f32, Unusable> {
    let single = score as f32;
    if single.is_finite() && single <= 0.0 {
        return Ok(single);
    }
    Err(Unusable { field, what: format!("{score} is not a log-prior: it must be finite and at most 0") })
}

/// An estimate of the probability to prove a node.
pub fn estimate(field: &'static str, value: f64) -> Result<f32, Unusable> {
    if (0.0..=1.0).contains(&value) {
        return Ok(value as f32);
    }
    Err(Unusable { field, what: format!("{value} is not an estimate: it must be between 0 and 1") })
}
