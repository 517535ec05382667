//! Nodes as they are written.

use std::num::NonZeroU64;

use andor_artifact::rollout::{RolloutNode, RolloutPruning};
use serde_json::Value;

use crate::tree::{Child, NodeId, PruneReason, VerifyResult};

pub(super) fn node<S>(child: &Child<S>, state: Value) -> RolloutNode {
    let VerifyResult { score, valid, terminal, feedback } = &child.verdict;
    RolloutNode {
        state,
        score: *score,
        valid: *valid,
        terminal: *terminal,
        feedback: feedback.as_deref().map(str::to_owned),
        stopped: child.stopped,
        cost: child.cost,
        digest: child.digest.map(NonZeroU64::get),
    }
}

pub(super) fn child(node: RolloutNode) -> Child<Value> {
    let RolloutNode { state, score, valid, terminal, feedback, stopped, cost, digest } = node;
    let verdict = VerifyResult { score, valid, terminal, feedback: feedback.map(Into::into) };
    Child { state, verdict, stopped, cost, digest: digest.and_then(NonZeroU64::new) }
}

/// Reasons with the names that they have in files.
const REASONS: [(PruneReason, &str); 7] = [
    (PruneReason::Beam, "beam"),
    (PruneReason::Threshold, "threshold"),
    (PruneReason::Depth, "depth"),
    (PruneReason::Budget, "budget"),
    (PruneReason::Duplicate, "duplicate"),
    (PruneReason::Barren, "barren"),
    (PruneReason::Above, "above"),
];

const OTHER: &str = "other";

pub(super) fn pruning(id: &NodeId, reason: &PruneReason) -> RolloutPruning {
    let name = REASONS.iter().find(|(known, _)| known == reason).map_or(OTHER, |(_, name)| name);
    let detail = match reason {
        PruneReason::Other(detail) => Some(detail.to_string()),
        _ => None,
    };
    RolloutPruning { node: id.to_string(), reason: name.to_owned(), detail }
}

pub(super) fn reason(pruning: &RolloutPruning) -> Result<PruneReason, String> {
    let known = REASONS.iter().find(|(_, name)| *name == pruning.reason).map(|(reason, _)| reason.clone());
    match (known, &pruning.detail) {
        (Some(reason), _) => Ok(reason),
        (None, detail) if pruning.reason == OTHER => {
            Ok(PruneReason::Other(detail.as_deref().unwrap_or_default().into()))
        }
        (None, _) => Err(format!("`{}` is no reason to prune a node", pruning.reason)),
    }
}
