//! A provider that looks for counterexamples.

use std::sync::Arc;

use andor_core::theorem::System;
use async_trait::async_trait;

use crate::contract::{Candidate, Provider, ProviderError, Request, Suggestions};

/// Proposes to put small values for the first variable of a hypothesis that holds for all of them. In a proof of a negation, this is
/// how a statement that claims too much is refuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counterexamples;

/// Values to try, by what their type's name contains.
const VALUES: &[(&[&str], &[&str])] = &[
    (&["Nat", "nat", "ℕ", "Int", "ℤ", "Z"], &["0", "1", "2"]),
    (&["Bool", "bool"], &["true", "false"]),
    (&["Prop"], &["True", "False"]),
];

/// The values for the first variable of a statement.
fn values(statement: &str) -> &'static [&'static str] {
    let words = ["∀", "forall"];
    let Some(rest) = words.iter().find_map(|word| statement.trim_start().strip_prefix(word)) else {
        return &[];
    };
    let binder = rest.split([',', ')']).next().unwrap_or_default();
    let Some((_, ty)) = binder.split_once(':') else { return &[] };
    let is_of = |names: &[&str]| names.contains(&ty.trim());
    VALUES.iter().find(|(names, _)| is_of(names)).map_or(&[], |(_, values)| values)
}

#[async_trait]
impl Provider for Counterexamples {
    fn id(&self) -> &str {
        "counterexamples"
    }

    fn draws(&self) -> bool {
        false
    }

    fn speaks(&self, system: System) -> bool {
        system.language().is_written()
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let provider: Arc<str> = self.id().into();
        let locals = request.goals.first().into_iter().flat_map(|goal| goal.locals());
        let specialised = locals.flat_map(|(name, local)| {
            let specialize = request.theorem.system.language().tactics.specialize;
            let tactic = move |value: &&str| specialize(name, value);
            values(&local.ty.text).iter().map(tactic)
        });
        let candidates = specialised.enumerate().map(|(index, tactic)| Candidate {
            tactic,
            log_prior: -0.7 - 0.1 * index as f64,
            tokens: None,
            provider: Arc::clone(&provider),
        });
        Ok(Suggestions { candidates: candidates.collect(), ..Suggestions::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_says_which_values_there_are() {
        assert_eq!(values("∀ (n : Nat), n = n"), ["0", "1", "2"]);
        assert_eq!(values("∀ n : Nat, n = n"), ["0", "1", "2"]);
        assert_eq!(values("forall (b c : bool) (n : nat), b = c"), ["true", "false"]);
        assert_eq!(values("forall n m : nat, n = m"), ["0", "1", "2"]);
        for other in ["∀ (f : Nat → Nat), f 0 = 0", "∀ n, n = n", "n = n"] {
            assert!(values(other).is_empty(), "{other}");
        }
    }
}
