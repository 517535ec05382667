//! Rankers: reorder candidates, and do nothing else.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;

use crate::contract::{Candidate, ProviderError, Request};

/// Reorders candidates. It gets them sorted by log-prior and must return the same multiset of tactics.
#[async_trait]
pub trait Ranker: Send + Sync {
    /// A short name, for error messages and traces.
    fn id(&self) -> &str;

    /// Whether its orders may differ between attempts (see [`Provider::draws`](crate::contract::Provider::draws)).
    fn draws(&self) -> bool {
        true
    }

    /// The candidates in a new order.
    ///
    /// # Errors
    ///
    /// It gives no answer, or cannot be used.
    async fn rank(
        &self,
        request: Request<'_>,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, ProviderError>;
}

/// Applies a ranker; fails if it does more than reorder.
pub async fn apply(
    ranker: &dyn Ranker,
    request: Request<'_>,
    candidates: Vec<Candidate>,
) -> Result<Vec<Candidate>, ProviderError> {
    let count = |candidates: &[Candidate]| {
        let mut counts: BTreeMap<String, i64> = BTreeMap::new();
        candidates.iter().for_each(|c| *counts.entry(c.tactic.clone()).or_default() += 1);
        counts
    };
    let before = count(&candidates);
    let ranked = ranker.rank(request, candidates).await?;
    let after = count(&ranked);
    if before == after {
        return Ok(ranked);
    }
    let lost = before.keys().find(|t| after.get(*t) < before.get(*t)).map(|t| format!("it lost `{t}`"));
    let added = after.keys().find(|t| before.get(*t) < after.get(*t)).map(|t| format!("it added `{t}`"));
    let what = lost.or(added).expect("different counts differ somewhere");
    Err(ProviderError::RankerViolation { ranker: ranker.id().to_owned(), what })
}

/// Sorts by length in characters, shortest first; ties keep the order of the log-priors.
pub struct ShortestFirst;

#[async_trait]
impl Ranker for ShortestFirst {
    fn id(&self) -> &str {
        "shortest-first"
    }

    fn draws(&self) -> bool {
        false
    }

    async fn rank(
        &self,
        _request: Request<'_>,
        mut candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, ProviderError> {
        candidates.sort_by_key(|c| c.tactic.chars().count());
        Ok(candidates)
    }
}

/// Takes one candidate of each provider in turn, and keeps the order within each. For providers whose log-priors cannot
/// be compared, so that the one with the higher numbers does not come first throughout.
pub struct RoundRobin;

#[async_trait]
impl Ranker for RoundRobin {
    fn id(&self) -> &str {
        "round-robin"
    }

    fn draws(&self) -> bool {
        false
    }

    async fn rank(
        &self,
        _request: Request<'_>,
        candidates: Vec<Candidate>,
    ) -> Result<Vec<Candidate>, ProviderError> {
        let mut n_of: BTreeMap<Arc<str>, usize> = BTreeMap::new();
        let mut in_rounds: Vec<(usize, Candidate)> = Vec::with_capacity(candidates.len());
        for candidate in candidates {
            let n = n_of.entry(Arc::clone(&candidate.provider)).or_default();
            in_rounds.push((*n, candidate));
            *n += 1;
        }
        in_rounds.sort_by_key(|(round, _)| *round);
        Ok(in_rounds.into_iter().map(|(_, candidate)| candidate).collect())
    }
}

#[cfg(test)]
mod tests {
    use andor_core::goal::Goal;
    use andor_core::theorem::Theorem;

    use super::*;
    use andor_system_rocq::ROCQ;

    struct Fn<F>(F);

    #[async_trait]
    impl<F: std::ops::Fn(Vec<Candidate>) -> Vec<Candidate> + Send + Sync> Ranker for Fn<F> {
        fn id(&self) -> &str {
            "test"
        }

        async fn rank(
            &self,
            _request: Request<'_>,
            candidates: Vec<Candidate>,
        ) -> Result<Vec<Candidate>, ProviderError> {
            Ok(self.0(candidates))
        }
    }

    async fn check(ranker: &dyn Ranker) -> Result<Vec<String>, ProviderError> {
        check_with(ranker, ["intros", "lia", "auto"].map(|tactic| (tactic, "p"))).await
    }

    /// Ranks tactics of these providers.
    async fn check_with<const N: usize>(
        ranker: &dyn Ranker,
        tactics: [(&str, &str); N],
    ) -> Result<Vec<String>, ProviderError> {
        let theorem = Theorem {
            id: "t".into(),
            name: "t".into(),
            system: ROCQ,
            header: String::new(),
            statement: String::new(),
            footer: String::new(),
            extra_imports: Vec::new(),
        };
        let goals = [Goal::default()];
        let request = Request::new(&theorem, &goals);
        let candidates = tactics.map(|(tactic, provider)| Candidate {
            tactic: tactic.into(),
            log_prior: -1.0,
            tokens: None,
            provider: provider.into(),
        });
        let ranked = apply(ranker, request, candidates.to_vec()).await?;
        Ok(ranked.into_iter().map(|c| c.tactic).collect())
    }

    #[tokio::test]
    async fn reordering_passes() {
        assert_eq!(check(&ShortestFirst).await.unwrap(), ["lia", "auto", "intros"]);
        let reverse = Fn(|mut c: Vec<Candidate>| {
            c.reverse();
            c
        });
        assert_eq!(check(&reverse).await.unwrap(), ["auto", "lia", "intros"]);
    }

    #[tokio::test]
    async fn providers_take_turns() {
        let tactics =
            [("intros", "a"), ("lia", "a"), ("auto", "b"), ("ring", "a"), ("split", "b"), ("left", "c")];
        let ranked = check_with(&RoundRobin, tactics).await.unwrap();
        assert_eq!(ranked, ["intros", "auto", "left", "lia", "split", "ring"]);
    }

    #[tokio::test]
    async fn everything_else_fails_fast() {
        let drop = Fn(|c: Vec<Candidate>| c[1..].to_vec());
        let double = Fn(|c: Vec<Candidate>| c.iter().chain(&c[..1]).cloned().collect());
        let change = Fn(|mut c: Vec<Candidate>| {
            c[0].tactic = "sorry".into();
            c
        });
        for (ranker, what) in [
            (&drop as &dyn Ranker, "it lost `intros`"),
            (&double, "it added `intros`"),
            (&change, "it lost `intros`"),
        ] {
            let error = check(ranker).await.unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
