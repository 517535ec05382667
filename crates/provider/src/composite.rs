//! Several providers as one.

use std::sync::Arc;

use andor_core::goal::Goal;
use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;
use futures_util::future::try_join_all;

use crate::contract::{Provider, ProviderError, Request, Suggestions, tidy};

/// Asks all of several providers at once and merges their answers: a tactic proposed by several is kept once,
/// with its best log-prior and the provider that gave it. Values are averaged over those that have one.
pub struct Composite {
    providers: Vec<Arc<dyn Provider>>,
    id: String,
}

impl Composite {
    /// The providers, the first of which wins ties.
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

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        let answers = try_join_all(
            self.providers.iter().map(|p| async move { tidy(p.id(), p.suggest(request).await?) }),
        );
        let answers = answers.await?;
        let values: Vec<f64> = answers.iter().filter_map(|a| a.value).collect();
        let value = mean(&values);
        let candidates = answers.into_iter().flat_map(|a| a.candidates).collect();
        tidy(&self.id, Suggestions { candidates, value })
    }

    async fn evaluate(
        &self,
        theorem: &Theorem,
        obligations: &[&[Goal]],
    ) -> Result<Option<Vec<f64>>, ProviderError> {
        let answers = try_join_all(self.providers.iter().map(|p| p.evaluate(theorem, obligations))).await?;
        let answers: Vec<Vec<f64>> = answers.into_iter().flatten().collect();
        let means = (0..obligations.len()).map(|i| mean(&answers.iter().map(|a| a[i]).collect::<Vec<_>>()));
        Ok(means.collect())
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}
