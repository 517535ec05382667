//! Asks a model, and says in the terms of providers what became of it.

use std::sync::Arc;
use std::time::Duration;

use andor_model::{Answer, Model, ModelError, Prices, Request as ModelRequest, Unanswered};

use crate::contract::{ProviderError, Usage};

/// A model under the name of a provider.
#[derive(Debug)]
pub(crate) struct Asker {
    id: String,
    model: Arc<dyn Model>,
    prices: Prices,
}

impl Asker {
    pub(crate) fn new(id: String, model: Arc<dyn Model>, prices: Prices) -> Self {
        Self { id, model, prices }
    }

    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Asks the model; if the prompt is too long for it, once more with a shorter one. Returns what was asked, too.
    pub(crate) async fn ask(
        &self,
        full: ModelRequest,
        short: impl FnOnce() -> Result<ModelRequest, ProviderError>,
    ) -> Result<(ModelRequest, Answer), ProviderError> {
        match self.model.ask(&full).await {
            Ok(answer) => Ok((full, answer)),
            Err(Unanswered { error: ModelError::ContextTooLong { .. }, usage: refused }) => {
                let short = short()?;
                match self.model.ask(&short).await {
                    Ok(answer) => Ok((short, Answer { usage: answer.usage + refused, ..answer })),
                    Err(failed) => Err(self.error(&failed.error, failed.usage + refused)),
                }
            }
            Err(failed) => Err(self.error(&failed.error, failed.usage)),
        }
    }

    fn error(&self, error: &ModelError, usage: andor_model::Usage) -> ProviderError {
        let (provider, reason, usage) = (self.id.clone(), error.to_string(), self.usage(&usage));
        match error {
            // To go on would make another search than the recorded one.
            ModelError::MissingRecord { .. } | ModelError::Record { .. } => self.unusable(reason),
            error if error.is_fatal() => self.unusable(reason),
            error if error.is_infrastructure() => ProviderError::Unavailable { provider, reason, usage },
            _ => ProviderError::NoAnswer { provider, reason, usage },
        }
    }

    pub(crate) fn unusable(&self, reason: String) -> ProviderError {
        ProviderError::Unusable { provider: self.id.clone(), reason }
    }

    pub(crate) fn usage(&self, usage: &andor_model::Usage) -> Usage {
        Usage {
            questions: usage.questions,
            requests: usage.requests,
            retries: usage.retries,
            prompt_tokens: usage.input_tokens,
            completion_tokens: usage.output_tokens,
            waited: Duration::try_from_secs_f64(usage.waited_s).unwrap_or_default(),
            cost_micros: (usage.cost(&self.prices) * 1e6).round() as u64,
        }
    }
}
