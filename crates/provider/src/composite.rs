//! Combines several providers.

use std::sync::Arc;

use andor_core::goal::Goal;
use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;
use futures_util::future::try_join_all;

use crate::contract::{
    Draft, DraftHistory, Failure, Provider, ProviderError, Request, Suggestions, Usage, ask, ask_draft, tidy,
    tidy_values,
};

/// Asks several providers concurrently and merges their answers; for drafts, they take turns. A tactic proposed by several
/// is kept once, with its best log-prior and the provider that gave it. Values are averaged over those that have one. A
/// provider that gives no answer is left out.
pub struct Composite {
    providers: Vec<Arc<dyn Provider>>,
    id: String,
}

impl Composite {
    /// Combines the providers; the first one wins ties.
    pub fn new(providers: Vec<Arc<dyn Provider>>) -> Self {
        let id = providers.iter().map(|p| p.id()).collect::<Vec<_>>().join("+");
        Self { providers, id }
    }
}

#[async_trait]
impl Provider for Composite {
    fn id(&self) -> &str {
        &self.id
    }

    fn draws(&self) -> bool {
        self.providers.iter().any(|p| p.draws())
    }

    fn speaks(&self, system: System) -> bool {
        self.providers.iter().all(|p| p.speaks(system))
    }

    fn imports(&self, theorem: &Theorem) -> Vec<ExtraImport> {
        let mut imports: Vec<ExtraImport> = Vec::new();
        for import in self.providers.iter().flat_map(|p| p.imports(theorem)) {
            if !imports.contains(&import) {
                imports.push(import);
            }
        }
        imports
    }

    fn n_lemmas(&self) -> usize {
        self.providers.iter().map(|p| p.n_lemmas()).max().unwrap_or(0)
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let for_one = |p: &Arc<dyn Provider>| {
            let lemmas = &request.lemmas[..request.lemmas.len().min(p.n_lemmas())];
            Request { lemmas, ..request }
        };
        let answers = try_join_all(self.providers.iter().map(|p| ask(p.as_ref(), for_one(p)))).await?;
        let values: Vec<f64> = answers.iter().filter_map(|a| a.value).collect();
        let mut all = Suggestions { value: mean(&values), ..Suggestions::default() };
        for answer in answers {
            all.duplicates += answer.duplicates;
            all.usage += answer.usage;
            all.candidates.extend(answer.candidates);
            all.notes.extend(answer.notes);
            all.failures.extend(answer.failures);
        }
        tidy(&self.id, all)
    }

    fn writes_drafts(&self) -> bool {
        self.providers.iter().any(|p| p.writes_drafts())
    }

    /// The providers take turns. One that has no draft leaves its turn to the next.
    async fn draft(
        &self,
        request: Request<'_>,
        history: &DraftHistory,
    ) -> Result<Option<Draft>, ProviderError> {
        let first = (history.number % self.providers.len().max(1) as u64) as usize;
        let (mut failure, mut usage) = (None, Usage::default());
        for provider in self.providers[first..].iter().chain(&self.providers[..first]) {
            let drafted = ask_draft(provider.as_ref(), request, history).await?;
            if let Some(draft) = drafted.draft {
                return Ok(Some(draft));
            }
            failure = failure.or(drafted.failure);
            usage += drafted.usage;
        }
        match failure {
            Some(Failure { provider, reason, has_answered }) => {
                let provider = provider.to_string();
                Err(match has_answered {
                    true => ProviderError::NoTactic { provider, reason, usage },
                    false => ProviderError::NoAnswer { provider, reason, usage },
                })
            }
            None => Ok(None),
        }
    }

    async fn evaluate(
        &self,
        theorem: &Theorem,
        obligations: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        let n = obligations.len();
        let answers = try_join_all(
            self.providers
                .iter()
                .map(|p| async move { tidy_values(p.id(), p.evaluate(theorem, obligations).await?, n) }),
        );
        let answers: Vec<Vec<f64>> = answers.await?.into_iter().flatten().collect();
        let means = (0..n).map(|i| mean(&answers.iter().map(|a| a[i]).collect::<Vec<_>>()));
        Ok(means.collect())
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Candidate;
    use andor_system_lean::LEAN4;
    use andor_system_rocq::ROCQ;

    struct Fixed {
        id: &'static str,
        candidates: &'static [(&'static str, f64)],
        value: Option<f64>,
    }

    #[async_trait]
    impl Provider for Fixed {
        fn id(&self) -> &str {
            self.id
        }

        fn speaks(&self, system: System) -> bool {
            system == ROCQ
        }

        async fn suggest(&self, _request: Request<'_>) -> Result<Suggestions, ProviderError> {
            let candidate = |&(tactic, log_prior): &(&str, f64)| Candidate {
                tactic: tactic.to_owned(),
                log_prior,
                tokens: None,
                provider: self.id.into(),
            };
            let candidates = self.candidates.iter().map(candidate).collect();
            Ok(Suggestions { candidates, value: self.value, ..Suggestions::default() })
        }

        async fn evaluate(
            &self,
            _theorem: &Theorem,
            obligations: &[&[Goal]],
        ) -> Result<Option<Vec<f64>>, ProviderError> {
            Ok(self.value.map(|v| vec![v; obligations.len()]))
        }
    }

    fn composite(second: &'static [(&'static str, f64)]) -> Composite {
        let first = &[("lia", -1.0), ("auto", -2.0)];
        let fixed = |id, candidates, value| Arc::new(Fixed { id, candidates, value }) as Arc<dyn Provider>;
        Composite::new(vec![
            fixed("a", first, Some(0.5)),
            fixed("b", second, Some(1.0)),
            fixed("c", &[], None),
        ])
    }

    fn theorem() -> Theorem {
        let text = String::new;
        Theorem {
            id: text(),
            name: text(),
            system: ROCQ,
            header: text(),
            statement: text(),
            footer: text(),
            extra_imports: Vec::new(),
        }
    }

    #[tokio::test]
    async fn answers_are_merged_by_the_best_log_prior() {
        let (theorem, goals) = (theorem(), [Goal::default()]);
        let request = Request::new(&theorem, &goals);
        let merged =
            composite(&[("auto", -0.5), ("lia", -1.0), ("ring", -3.0)]).suggest(request).await.unwrap();
        let found: Vec<(&str, f64, &str)> =
            merged.candidates.iter().map(|c| (c.tactic.as_str(), c.log_prior, &*c.provider)).collect();
        assert_eq!(found, [("auto", -0.5, "b"), ("lia", -1.0, "a"), ("ring", -3.0, "b")]);
        assert_eq!(merged.value, Some(0.75), "the mean of those that have one");
    }

    #[tokio::test]
    async fn values_are_averaged_over_those_that_have_them() {
        let goals = [Goal::default()];
        let values = composite(&[]).evaluate(&theorem(), &[&goals, &goals]).await.unwrap();
        assert_eq!(values, Some(vec![0.75, 0.75]));
        assert!(composite(&[]).speaks(ROCQ) && !composite(&[]).speaks(LEAN4));
    }

    #[tokio::test]
    async fn the_one_that_is_wrong_is_named() {
        let (theorem, goals) = (theorem(), [Goal::default()]);
        let request = Request::new(&theorem, &goals);
        let error = composite(&[("auto", 0.5)]).suggest(request).await.unwrap_err().to_string();
        assert!(error.contains("provider `b`"), "{error}");
    }
}
