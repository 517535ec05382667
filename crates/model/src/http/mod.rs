//! A server that speaks one of OpenAI's interfaces.

#[cfg(not(feature = "http"))]
#[path = "no_client.rs"]
mod client;
#[cfg(feature = "http")]
mod client;
mod plan;
mod probe;
mod pulse;
mod transport;

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use async_trait::async_trait;
use futures_util::future::try_join_all;
use serde_json::Value;
use tokio::time::{Instant, sleep, timeout};
use tracing::{Instrument, Span, field};

use crate::answer::{Answer, Finish};
use crate::capabilities::{Capabilities, Choices};
use crate::config::{ApiKey, ConfigError, ModelConfig};
use crate::digest::Digest;
use crate::error::{ModelError, Phase, Unanswered};
use crate::limit::Limiter;
use crate::model::Model;
use crate::request::{Input, Request};
use crate::retry::Tries;
use crate::usage::Usage;
use crate::wire;
pub(crate) use client::objection;
pub use probe::probe_all;
use pulse::Pulse;
use transport::{Limits, Transport};

/// A model at a server. Failed requests are repeated, requests beyond the limits wait, and what the server cannot do is
/// worked around where that is possible ([`Capabilities::notes`] says how).
#[derive(Debug)]
pub struct Http {
    config: ModelConfig,
    transport: Transport,
    /// The name of the server's only model, where the configuration gives none.
    found: OnceLock<String>,
    capabilities: Mutex<Capabilities>,
    limiter: Arc<Limiter>,
    shared: Option<Arc<Limiter>>,
    usage: Mutex<Usage>,
    /// Whether a server that is not ready may get ready.
    waits: bool,
    /// Whether it was said that the server is in trouble, and it has not answered since.
    in_trouble: AtomicBool,
    pulse: Pulse,
    /// Whether it was said that answers are shortened to fit into the model's context.
    is_short: AtomicBool,
    /// Whether it was said that the model reasons, and may have more tokens therefore.
    is_told_to_reason: AtomicBool,
    /// What was believed of the server before a request failed and succeeded in another way.
    doubt: Mutex<Option<plan::Doubt>>,
    /// What requests asked for that the server answered.
    proved: Mutex<plan::Proved>,
}

/// A request that failed so many times is worth a warning, if it is sent again.
const TROUBLE: u64 = 3;

/// A piece of an answer that is sent in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece<'a> {
    /// The choice that grew, counted from 0.
    pub choice: u64,
    /// Its text so far.
    pub text: &'a str,
}

impl Http {
    /// A model by its configuration. Nothing is sent yet.
    pub fn new(config: ModelConfig, key: Option<ApiKey>) -> Result<Self, ConfigError> {
        config.validate()?;
        Ok(Self {
            transport: Transport::new(&config, key)?,
            found: OnceLock::new(),
            capabilities: Mutex::new(Capabilities::default()),
            limiter: Limiter::new(&config.limits),
            shared: None,
            usage: Mutex::new(Usage::default()),
            waits: true,
            in_trouble: AtomicBool::new(false),
            pulse: Pulse::new(),
            is_short: AtomicBool::new(false),
            is_told_to_reason: AtomicBool::new(false),
            doubt: Mutex::new(None),
            proved: Mutex::new(plan::Proved::default()),
            config,
        })
    }

    /// The same model, within bounds that it shares with others.
    #[must_use]
    pub fn sharing(self, limiter: Arc<Limiter>) -> Self {
        Self { shared: Some(limiter), ..self }
    }

    /// The same model, whose server is ready at once or not at all.
    #[must_use]
    pub fn without_waiting(self) -> Self {
        Self { waits: false, ..self }
    }

    /// Its configuration.
    pub fn config(&self) -> &ModelConfig {
        &self.config
    }

    /// What the server can do, as far as it is known: what the [probe](Self::probe) found, and what answers showed since.
    pub fn capabilities(&self) -> Capabilities {
        self.capabilities.lock().expect("no holder panics").clone()
    }

    /// What seems to be wrong with the server: a request is repeated because it fails, and none has been answered since; or
    /// no answer has come for much longer than answers take.
    pub fn trouble(&self) -> Option<String> {
        if self.in_trouble.load(Ordering::Relaxed) {
            return Some(format!("the model `{}` was asked again and again", self.name()));
        }
        let silence = self.pulse.silence()?;
        Some(format!("the model `{}` had not answered for {} s", self.name(), silence.as_secs()))
    }

    /// What all requests so far cost, those without an answer included.
    pub fn usage(&self) -> Usage {
        *self.usage.lock().expect("no holder panics")
    }

    /// The number of requests that may be in flight now: less than configured after the server was overloaded.
    pub fn in_flight_limit(&self) -> usize {
        self.limiter.width()
    }

    /// The body that would be sent for a request, and what comes back, as they are: one try, nothing worked around.
    pub async fn exchange(&self, request: &Request) -> Result<Exchange, ModelError> {
        let sent = self.body(&Request { stream: false, ..request.clone() })?;
        let received = self.transport.post(&self.address(), &sent, self.limits(request)).await;
        let received = received.map_err(|failed| failed.error);
        let answer =
            received.clone().and_then(|json| Ok(wire::decode(self.config.kind, request, &json)?.answer));
        if let Ok(answer) = &answer {
            self.see(answer);
        }
        Ok(Exchange { sent, received, answer })
    }

    /// Asks, and shows the answer while it grows. Once `read` breaks, the connection is closed, which makes the server
    /// stop, and the answer so far is the answer. A request that fails in the middle is repeated: `read` then sees the
    /// text from its beginning again.
    pub async fn stream(
        &self,
        request: &Request,
        read: &mut (dyn for<'a> FnMut(Piece<'a>) -> ControlFlow<()> + Send),
    ) -> Result<Answer, Unanswered> {
        let mut request = Request { stream: true, ..request.clone() };
        request.sampling.max_tokens = Some(self.most_tokens(&request));
        let ledger = Ledger::new(&self.usage);
        match self.tried(&request, &ledger, read).await {
            Ok(mut answer) => {
                self.see(&answer);
                self.cut(&request, &mut answer);
                Ok(Answer { usage: ledger.usage(), ..answer })
            }
            Err(error) => Err(Unanswered { error, usage: ledger.usage() }),
        }
    }

    fn address(&self) -> String {
        self.config.address(self.config.kind.path())
    }

    fn limits(&self, request: &Request) -> Limits {
        let (first_byte, total) = self.config.timeouts.of_answer(self.most_tokens(request));
        Limits { first_byte, total }
    }

    /// The most tokens of each text of an answer, as far as the request and what was seen of the model say.
    fn most_tokens(&self, request: &Request) -> u32 {
        request.sampling.most_tokens(self.capabilities().reasons)
    }

    /// Takes note of what an answer shows of the model.
    fn see(&self, answer: &Answer) {
        if answer.reasons() {
            self.capabilities.lock().expect("no holder panics").reasons = true;
        }
    }

    fn body(&self, request: &Request) -> Result<Value, ModelError> {
        wire::encode(self.config.kind, self.capabilities().server, self.name(), request)
    }

    /// Sends a request until there is an answer, or an error that lasts.
    async fn tried(
        &self,
        request: &Request,
        ledger: &Ledger<'_>,
        read: &mut (dyn for<'a> FnMut(Piece<'a>) -> ControlFlow<()> + Send),
    ) -> Result<Answer, ModelError> {
        let body = self.body(request)?;
        let mut tries = Tries::new(&self.config.retries, Digest::of(self.name(), request).seed());
        for sent in 1_u64.. {
            let tokens = (request.input.bytes() / 4 + request.wanted()) as u64;
            let shared = match &self.shared {
                Some(limiter) => Some(limiter.leave(tokens).await),
                None => None,
            };
            let own = self.limiter.leave(tokens).await;
            // From here on, also a request that is given up counts.
            let mut account = ledger.sent();
            let in_flight = self.pulse.asked();
            let result = self.once(request, &body, read).await;
            match &result {
                Ok(answer) => {
                    in_flight.answered();
                    account.spent += answer.usage;
                }
                Err(failed) => {
                    account.has_failed = true;
                    account.spent += failed.usage;
                }
            }
            let taken = account.spent.tokens();
            drop(account);
            drop(in_flight);
            own.settle(taken).await;
            if let Some(shared) = shared {
                shared.settle(taken).await;
            }
            match result {
                Ok(answer) => {
                    self.limiter.grow();
                    self.in_trouble.store(false, Ordering::Relaxed);
                    return Ok(answer);
                }
                Err(Unanswered { error, .. }) => {
                    if matches!(error, ModelError::Overloaded { .. }) {
                        self.limiter.shrink();
                    }
                    let said = error.to_string();
                    let pause = tries.pause(error)?;
                    if sent >= TROUBLE && !self.in_trouble.swap(true, Ordering::Relaxed) {
                        tracing::warn!("the model `{}` is asked again and again: {said}", self.name());
                    } else {
                        tracing::debug!(error = said, tries = sent, "a request to a model failed");
                    }
                    sleep(pause).await;
                    ledger.add(Usage { waited_s: pause.as_secs_f64(), ..Usage::default() });
                }
            }
        }
        unreachable!("a range without end")
    }

    /// One try.
    async fn once(
        &self,
        request: &Request,
        body: &Value,
        read: &mut (dyn for<'a> FnMut(Piece<'a>) -> ControlFlow<()> + Send),
    ) -> Result<Answer, Unanswered> {
        let json = if request.stream {
            self.in_pieces(request, body, read).await?
        } else {
            self.transport.post(&self.address(), body, self.limits(request)).await?
        };
        let unread = |error| Unanswered { error, usage: wire::usage(&json["usage"]) };
        Ok(wire::decode(self.config.kind, request, &json).map_err(unread)?.answer)
    }

    async fn in_pieces(
        &self,
        request: &Request,
        body: &Value,
        read: &mut (dyn for<'a> FnMut(Piece<'a>) -> ControlFlow<()> + Send),
    ) -> Result<Value, Unanswered> {
        let mut assembly = wire::Assembly::new(self.config.kind);
        let here = self.stops_cut_here(request);
        let mut enough = false;
        let piece = |json: Value| {
            for choice in assembly.add(&json) {
                let text = assembly.text(choice);
                let stopped = request.wanted() == 1 && here.iter().any(|stop| text.contains(stop.as_str()));
                if stopped || read(Piece { choice, text }).is_break() {
                    enough = true;
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        };
        self.transport.post_in_pieces(&self.address(), body, self.limits(request), piece).await?;
        if enough {
            assembly.cut();
        }
        let interrupted =
            || ModelError::Interrupted { message: "the pieces end before the answer does".to_owned() };
        Ok(assembly.finish().ok_or_else(interrupted)?)
    }

    /// The texts that stop an answer which the server is not told of.
    fn stops_cut_here<'a>(&self, request: &'a Request) -> &'a [String] {
        let stops = &request.sampling.stop;
        let sent = wire::stops_to_send(self.config.kind, self.capabilities().server, stops).len();
        &stops[sent..]
    }

    fn cut(&self, request: &Request, answer: &mut Answer) {
        let stops = self.stops_cut_here(request);
        for choice in &mut answer.choices {
            wire::cut_at_stops(choice, stops);
        }
    }
}

/// What was sent and received, as it was.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// The body of the request.
    pub sent: Value,
    /// The body of the answer.
    pub received: Result<Value, ModelError>,
    /// The answer as it is understood.
    pub answer: Result<Answer, ModelError>,
}

/// What one question costs, whatever comes of it.
struct Ledger<'a> {
    /// What all questions to the model cost.
    all: &'a Mutex<Usage>,
    question: Mutex<Usage>,
    /// The requests that failed and for which no other was sent yet.
    failed: AtomicU64,
}

impl<'a> Ledger<'a> {
    fn new(all: &'a Mutex<Usage>) -> Self {
        let ledger = Self { all, question: Mutex::default(), failed: AtomicU64::new(0) };
        ledger.add(Usage { questions: 1, ..Usage::default() });
        ledger
    }

    fn usage(&self) -> Usage {
        *self.question.lock().expect("no holder panics")
    }

    fn add(&self, usage: Usage) {
        for account in [self.all, &self.question] {
            *account.lock().expect("no holder panics") += usage;
        }
    }

    /// The account of a request that is sent now.
    fn sent(&self) -> Account<'_> {
        let repeats =
            self.failed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok();
        let spent = Usage { requests: 1, retries: repeats.into(), ..Usage::default() };
        Account { of: self, began: Instant::now(), spent, has_failed: false }
    }
}

/// Counts what a request cost, also if it is dropped in the middle.
struct Account<'a> {
    of: &'a Ledger<'a>,
    began: Instant,
    spent: Usage,
    has_failed: bool,
}

impl Drop for Account<'_> {
    fn drop(&mut self) {
        self.of.failed.fetch_add(self.has_failed.into(), Ordering::Relaxed);
        self.of.add(Usage { waited_s: self.began.elapsed().as_secs_f64(), ..self.spent });
    }
}

#[async_trait]
impl Model for Http {
    fn name(&self) -> &str {
        let configured = &self.config.model;
        if configured.is_empty() { self.found.get().map_or("default", String::as_str) } else { configured }
    }

    /// Asks the server. Several requests may be sent for it, at the same time.
    async fn ask(&self, request: &Request) -> Result<Answer, Unanswered> {
        let span = self.span(request);
        let ledger = Ledger::new(&self.usage);
        let asked = self.thought_through(request, &ledger);
        let result = async {
            match request.timeout {
                Some(limit) => {
                    let late = |_| ModelError::Timeout { phase: Phase::Total, limit };
                    timeout(limit, asked).await.map_err(late)?
                }
                None => asked.await,
            }
        }
        .instrument(span.clone())
        .await;
        let usage = ledger.usage();
        match result {
            Ok(answer) => {
                let answer = Answer { usage, ..answer };
                note_answer(&span, &answer);
                Ok(answer)
            }
            Err(error) => {
                span.record("error.type", error.class());
                Err(Unanswered { error, usage })
            }
        }
    }
}

impl Http {
    /// A span with the names of OpenTelemetry's conventions for generative models.
    fn span(&self, request: &Request) -> Span {
        let operation = self.config.kind.operation();
        let sampling = &request.sampling;
        tracing::info_span!(
            "model.ask",
            otel.name = format!("{operation} {}", self.name()),
            otel.kind = "client",
            gen_ai.operation.name = operation,
            gen_ai.provider.name = %self.capabilities().server,
            gen_ai.request.model = self.name(),
            gen_ai.request.choice.count = sampling.n,
            gen_ai.request.temperature = sampling.temperature,
            gen_ai.request.top_p = sampling.top_p,
            gen_ai.request.max_tokens = sampling.max_tokens,
            gen_ai.request.seed = sampling.seed,
            gen_ai.response.model = field::Empty,
            gen_ai.response.finish_reasons = field::Empty,
            gen_ai.usage.input_tokens = field::Empty,
            gen_ai.usage.output_tokens = field::Empty,
            error.r#type = field::Empty,
        )
    }
}

fn note_answer(span: &Span, answer: &Answer) {
    if let Some(model) = &answer.model {
        span.record("gen_ai.response.model", model.as_str());
    }
    let reasons: Vec<&Finish> = answer.choices.iter().map(|choice| &choice.finish).collect();
    span.record("gen_ai.response.finish_reasons", field::debug(reasons));
    span.record("gen_ai.usage.input_tokens", answer.usage.input_tokens);
    span.record("gen_ai.usage.output_tokens", answer.usage.output_tokens);
}
