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
    ending_of(&result.stop_reason, &result.stop_detail)
}

fn ending_of(reason: &str, detail: &str) -> String {
    let (what, flag) = match reason {
        "blocked" => ("lower", "--mcts-block-fraction"),
        "iterations" => ("raise", "--max-iterations"),
        "expansions" => ("raise", "--max-expansions"),
        "nodes" => ("raise", "--max-nodes"),
        "candidates" => ("raise", "--max-candidates"),
        "tokens" => ("raise", "--max-tokens-total"),
        "cost" => ("raise", "--max-cost"),
        "time" => ("raise", "--time"),
        "virtual_time" => ("raise", "--virtual-time"),
        _ => return detail.to_owned(),
    };
    // Records of earlier versions name the option themselves.
    match detail.contains(flag) {
        true => detail.to_owned(),
        false => format!("{detail} ({what} {flag})"),
    }
}

#[cfg(test)]
mod tests {
    use super::ending_of;

    #[test]
    fn an_ending_names_its_option_once() {
        let nodes = "9 nodes are made (raise --max-nodes)";
        assert_eq!(ending_of("nodes", "9 nodes are made"), nodes);
        assert_eq!(ending_of("nodes", nodes), nodes, "as earlier versions recorded it");
        let blocked = "everything left is blocked for good (--mcts-block-fraction)";
        assert_eq!(ending_of("blocked", blocked), blocked, "likewise");
        assert_eq!(ending_of("exhausted", "nothing is left"), "nothing is left");
    }
}
