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

pub(super) fn pruning(id: &NodeId, reason: &PruneReason) -> RolloutPruning {
    let detail = match reason {
        PruneReason::Other(detail) => Some(detail.to_string()),
        _ => None,
    };
    RolloutPruning { node: id.to_string(), reason: reason.name().to_owned(), detail }
}

pub(super) fn reason(pruning: &RolloutPruning) -> Result<PruneReason, String> {
    let RolloutPruning { reason: name, detail, .. } = pruning;
    let known = PruneReason::NAMED.into_iter().find(|(_, known)| known == name).map(|(reason, _)| reason);
    let other = || PruneReason::Other(detail.as_deref().unwrap_or_default().into());
    known
        .or_else(|| (name == "other").then(other))
        .ok_or_else(|| format!("`{name}` is no reason to prune a node"))
}
