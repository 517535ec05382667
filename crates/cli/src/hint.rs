//! Hints that name the option which resolves a problem. The library reports reasons as data and knows no options.

use andor_artifact::result::{AttemptResult, RejectedClaim};
use andor_engine::judge::Permission;

/// The option that permits what a claim was rejected for, in parentheses after a space; empty if there is none.
pub(crate) fn permission(permission: Option<&Permission>) -> String {
    match permission {
        Some(Permission::Axioms(name)) => format!(" (--allow-axioms {name} allows it)"),
        Some(Permission::Bug(name)) => format!(" (--trust {name} allows it)"),
        None => String::new(),
    }
}

/// The same for a recorded claim.
pub(crate) fn permission_of(claim: &RejectedClaim) -> String {
    let axioms = claim.allow_axioms.clone().map(Permission::Axioms);
    permission(axioms.or_else(|| claim.trust.clone().map(Permission::Bug)).as_ref())
}

/// Why an attempt ended, and the option that raises the limit it reached.
pub(crate) fn ending(result: &AttemptResult) -> String {
    let option = match result.stop_reason.as_str() {
        "blocked" => "lower --mcts-block-fraction",
        "iterations" => "raise --max-iterations",
        "expansions" => "raise --max-expansions",
        "nodes" => "raise --max-nodes",
        "candidates" => "raise --max-candidates",
        "time" => "raise --time",
        "virtual_time" => "raise --virtual-time",
        _ => return result.stop_detail.clone(),
    };
    // Records of earlier versions contain the hint.
    match result.stop_detail.contains("(raise --") {
        true => result.stop_detail.clone(),
        false => format!("{} ({option})", result.stop_detail),
    }
}
