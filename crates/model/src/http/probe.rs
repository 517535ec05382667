//! What a server can do, found out by asking it.

use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout_at};

use super::Http;
use crate::capabilities::{Capabilities, Choices, LogProbShape, Server};
use crate::config::{Kind, Retries, seconds};
use crate::error::{ModelError, Phase, Retry};
use crate::request::{Grammar, Input, Request, Sampling};
use crate::retry::Tries;
use crate::wire;

impl Http {
    /// Waits until the server is ready: it lists its models. It is asked every `timeouts.ready_poll_s`, up to
    /// `timeouts.ready_s` once it says that it is loading, else up to `timeouts.wait_s`, and whoever reads the log is told
    /// that andor waits. Returns what the list says of the server; a server that is up but has no such model, or refuses the
    /// key, is an error at once.
    pub async fn ready(&self) -> Result<Capabilities, ModelError> {
        let mut limit = seconds(self.config.timeouts.wait_s);
        let poll = seconds(self.config.timeouts.ready_poll_s);
        let began = Instant::now();
        let mut before = None;
        for asked in 1.. {
            // Where the time is over before an answer, an earlier one says more.
            let late = |_| before.take().unwrap_or(ModelError::Timeout { phase: Phase::FirstByte, limit });
            let listed = timeout_at(began + limit, self.listed(&self.config.address("models"))).await;
            let error = match listed.map_err(late).flatten() {
                Ok(list) => return self.list(&list),
                // A server without a list of models is ready, as far as can be said.
                Err(ModelError::NotFound { .. } | ModelError::NotSupported { .. }) => {
                    return Ok(self.capabilities());
                }
                Err(error) if !error.is_infrastructure() => return Err(error),
                Err(error) => error,
            };
            if error.is_loading() {
                limit = seconds(self.config.timeouts.ready_s);
            }
            let waited = began.elapsed();
            if !self.waits || waited >= limit {
                return Err(ModelError::NotReady { waited, message: error.to_string() });
            }
            if asked == 1 {
                let (url, limit) = (&self.config.base_url, limit.as_secs_f64());
                tracing::warn!("waiting up to {limit} s for the server of the model, {url}: {error}");
            } else {
                tracing::debug!(%error, "the server of the model is not ready yet");
            }
            before = Some(error);
            sleep(poll.min(limit - waited)).await;
        }
        unreachable!("a range without end")
    }

    /// Waits until the server is ready, then finds out what it can do, by about six short requests. Requests from then on
    /// take account of it.
    pub async fn probe(&self) -> Result<Capabilities, ModelError> {
        let mut found = self.ready().await?;
        if found.server == Server::LlamaCpp
            && let Ok(properties) = self.listed(&self.properties()).await
        {
            let slots = properties["total_slots"].as_u64().and_then(|n| u32::try_from(n).ok());
            found.choices = Choices::UpTo(slots);
            found.context = properties["default_generation_settings"]["n_ctx"].as_u64().or(found.context);
        }
        if self.config.kind == Kind::Responses {
            found.choices = Choices::One;
        }
        found.prompt_lists = self.config.kind == Kind::Completions;
        self.note(&found);
        // The server can do what it does; what it fails at, it lacks if it does the rest.
        let least = Request { log_probs: None, ..short(1, 1) };
        let mut unseeded = least.clone();
        unseeded.sampling.seed = None;
        let tried = match self.try_out(&least).await {
            Ok(tried) => tried,
            Err(error) => {
                let without = self.try_out(&unseeded).await;
                (found.takes_seed, found.seed) = (false, Some(false));
                without.ok().filter(|_| !error.is_fatal()).ok_or(error)?
            }
        };
        found.usage = Some(tried.states_usage);
        let least = if found.takes_seed { least } else { unseeded };
        let one = Request { log_probs: short(1, 1).log_probs, ..least.clone() };
        found.log_probs = match self.try_out(&one).await {
            Ok(tried) => tried.shape,
            Err(error) if error.is_fatal() || error.retry() == Retry::Patient => return Err(error),
            Err(_) => None,
        };
        let one = if found.log_probs.is_some() { one } else { least };
        let most = found.choices.most();
        if most > 1 {
            let mut two = one.clone();
            two.sampling.n = 2.min(most);
            match self.try_out(&two).await {
                Ok(tried) if tried.given < 2 => found.choices = Choices::One,
                Ok(_) => {}
                Err(error) if error.is_fatal() || error.retry() == Retry::Patient => return Err(error),
                Err(_) => found.choices = Choices::One,
            }
        }
        self.note(&found);
        if found.prompt_lists {
            let list = Request { input: Input::Prompts(vec![PROMPT.to_owned(); 2]), ..one.clone() };
            found.prompt_lists = self.try_out(&list).await.is_ok_and(|tried| tried.given == 2);
        }
        found.grammar = self.grammar().await;
        if found.takes_seed {
            found.seed = self.seeds(found.choices.most().min(4)).await;
        }
        self.note(&found);
        Ok(self.capabilities())
    }

    fn note(&self, found: &Capabilities) {
        self.believe(found.clone());
    }

    /// Believes this of the server from now on, and that its model reasons if that was seen. Returns what was believed.
    pub(super) fn believe(&self, found: Capabilities) -> Capabilities {
        let mut known = self.capabilities.lock().expect("no holder panics");
        let reasons = known.reasons || found.reasons;
        std::mem::replace(&mut *known, Capabilities { reasons, ..found })
    }

    async fn listed(&self, url: &str) -> Result<Value, ModelError> {
        self.transport.get(url, self.limits(&short(1, 1))).await
    }

    /// Where llama.cpp says how many slots it has: beside the interface, not in it.
    fn properties(&self) -> String {
        let models = self.config.address("models");
        let root = models.strip_suffix("/v1/models").unwrap_or(&models);
        format!("{root}/props")
    }

    /// Reads the list of models.
    fn list(&self, json: &Value) -> Result<Capabilities, ModelError> {
        let models = json["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        let id = |model: &Value| model["id"].as_str().unwrap_or_default().to_owned();
        let mut found = self.capabilities();
        found.models = models.iter().map(id).collect();
        let configured = self.config.model.as_str();
        let ours = match (configured, models) {
            ("", [only]) => {
                // Another probe of the same server finds the same.
                let _ = self.found.set(id(only));
                Some(only)
            }
            ("", _) => {
                let message = match models.len() {
                    0 => "its list of models is empty".to_owned(),
                    n => format!(
                        "it has {n}; say which by URL#NAME, or by `model` in --config: {}",
                        some(&found.models)
                    ),
                };
                return Err(ModelError::NotFound { message });
            }
            (name, _) => models.iter().find(|model| model["id"] == name),
        };
        let any = ours.or(models.first());
        found.server = any.and_then(|m| m["owned_by"].as_str()).map_or(Server::Unknown, Server::by_owner);
        // llama.cpp serves its model by any name; others are asked, and say 404.
        let context = |model: &Value| model["max_model_len"].as_u64().or(model["meta"]["n_ctx"].as_u64());
        found.context = ours.and_then(context).or(found.context);
        let strict = matches!(found.server, Server::Vllm | Server::Sglang);
        if strict && ours.is_none() {
            let message = format!("`{configured}`; it has {}", some(&found.models));
            return Err(ModelError::NotFound { message });
        }
        self.note(&found);
        Ok(found)
    }

    /// Sends a request once, and repeats it only where the server was not reached, for no longer than is waited for a
    /// server that is not ready.
    async fn try_out(&self, request: &Request) -> Result<TriedOut, ModelError> {
        let body = self.body(request)?;
        let total_s = self.config.retries.total_s.min(self.config.timeouts.wait_s);
        let policy = Retries { total_s, ..self.config.retries };
        let mut tries = Tries::new(&policy, 0);
        loop {
            let posted = self.transport.post(&self.address(), &body, self.limits(request)).await;
            let error = match posted.map_err(|failed| failed.error) {
                Ok(json) => {
                    let decoded = wire::decode(self.config.kind, request, &json)?;
                    self.see(&decoded.answer);
                    let given = decoded.answer.choices.len();
                    let states_usage = decoded.answer.usage.output_tokens > 0;
                    return Ok(TriedOut { given, shape: decoded.shape, states_usage });
                }
                Err(error @ ModelError::ServerError { .. }) => return Err(error),
                Err(error) => error,
            };
            sleep(tries.pause(error)?).await;
        }
    }

    /// Whether the server keeps to a grammar that allows one unlikely text.
    async fn grammar(&self) -> Option<bool> {
        const TEXT: &str = "zqx";
        let mut request = short(1, 8);
        request.grammar = Some(Grammar::Choice(vec![TEXT.to_owned()]));
        match self.exchange(&request).await {
            Ok(exchange) => {
                Some(exchange.answer.is_ok_and(|a| a.choices.iter().all(|c| c.text.trim() == TEXT)))
            }
            // No way is known to ask this server for it.
            Err(_) => Some(false),
        }
    }

    /// Whether equal seeds give equal answers. A model that is sure of its answers gives equal ones without.
    async fn seeds(&self, n: u32) -> Option<bool> {
        if self.config.kind == Kind::Responses {
            return Some(false);
        }
        let texts = async || {
            let exchange = self.exchange(&short(n, 8)).await?;
            Ok::<_, ModelError>(exchange.answer?.choices.into_iter().map(|c| c.text).collect::<Vec<_>>())
        };
        Some(texts().await.ok()? == texts().await.ok()?)
    }
}

/// What an answer shows of a server.
struct TriedOut {
    /// The number of texts.
    given: usize,
    /// The form of their log-probabilities.
    shape: Option<LogProbShape>,
    /// Whether it states the number of tokens.
    states_usage: bool,
}

/// The first names of a list, which may be very long.
fn some(names: &[String]) -> String {
    const SHOWN: usize = 20;
    let mut listed = names.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        listed += &format!(" and {} more", names.len() - SHOWN);
    }
    listed
}

/// The end of a prompt after which a model may say anything.
const PROMPT: &str = "1 + 1 = 2\n2 + 3 =";

fn short(n: u32, max_tokens: u32) -> Request {
    // Some servers refuse fewer tokens than 16 in `responses`.
    let max_tokens = Some(max_tokens.max(1));
    let sampling = Sampling { n, max_tokens, temperature: 1.0, seed: Some(7), ..Sampling::default() };
    Request::prompt(PROMPT).with_sampling(sampling)
}

/// Waits until all these models are ready, and finds out what their servers can do. The first that is not ends it, with the
/// address of its server.
pub async fn probe_all(models: &[&Http]) -> Result<Vec<Capabilities>, (String, ModelError)> {
    let probe =
        async |model: &&Http| model.probe().await.map_err(|error| (model.config.base_url.clone(), error));
    try_join_all(models.iter().map(probe)).await
}
