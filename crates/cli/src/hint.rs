//! What a user can do about it: the options that belong to what the library says. The library knows none of them.

use andor_artifact::result::{AttemptResult, RejectedClaim};
use andor_engine::judge::Permission;

/// How to permit what a claim is rejected for, in brackets, after a space.
pub(crate) fn permission(permission: Option<&Permission>) -> String {
    match permission {
        Some(Permission::Axioms(name)) => format!(" (--allow-axioms {name} allows it)"),
        Some(Permission::Bug(name)) => format!(" (--trust {name} allows it)"),
        None => String::new(),
    }
}

/// The same of a claim that was recorded.
pub(crate) fn permission_of(claim: &RejectedClaim) -> String {
    let axioms = claim.allow_axioms.clone().map(Permission::Axioms);
    permission(axioms.or_else(|| claim.trust.clone().map(Permission::Bug)).as_ref())
}

/// Why an attempt ended, with the option that lets the next one go on for longer.
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
    // Records of earlier versions say it themselves.
    match result.stop_detail.contains("(raise --") {
        true => result.stop_detail.clone(),
        false => format!("{} ({option})", result.stop_detail),
    }
}
