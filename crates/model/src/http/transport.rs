//! Bytes to and from a server, within limits on time and size.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::Once;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{Client, Method, RequestBuilder, Response, redirect};
use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use crate::config::{ApiKey, ConfigError, ModelConfig, seconds};
use crate::error::{ModelError, Phase, Unanswered};
use crate::wire;

/// The most connections without TLS that are kept for later.
const IDLE_WITHOUT_TLS: usize = 2;

/// How long an answer may take: until its first byte, and until its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) first_byte: Duration,
    pub(super) total: Duration,
}

#[derive(Debug)]
pub(super) struct Transport {
    client: Client,
    authorization: Option<HeaderValue>,
    key: Option<ApiKey>,
    connect: Duration,
    max_bytes: u64,
}

impl Transport {
    pub(super) fn new(config: &ModelConfig, key: Option<ApiKey>) -> Result<Self, ConfigError> {
        let connect = seconds(config.timeouts.connect_s);
        let mut builder = Client::builder()
            .connect_timeout(connect)
            .redirect(redirect::Policy::none())
            .tcp_nodelay(true)
            .user_agent(concat!("andor/", env!("CARGO_PKG_VERSION")));
        cryptography();
        if config.base_url.starts_with("http:") {
            // No certificates are needed: a machine without any can still reach its own server.
            //
            // llama.cpp has few threads for connections, and keeps one for each that is idle. If all of ours were kept,
            // the next ones would wait for seconds; without TLS a new connection costs next to nothing.
            builder = builder.tls_certs_only([]).pool_max_idle_per_host(IDLE_WITHOUT_TLS);
        }
        let client = builder.build().map_err(|e| ConfigError::Client { message: chain(&e) })?;
        let authorization = key.as_ref().map(|key| {
            let mut value = HeaderValue::from_str(&format!("Bearer {}", key.reveal())).map_err(|_| {
                ConfigError::Client { message: "the API key cannot be sent in a header".to_owned() }
            })?;
            value.set_sensitive(true);
            Ok(value)
        });
        Ok(Self {
            client,
            authorization: authorization.transpose()?,
            key,
            connect,
            max_bytes: config.limits.max_answer_bytes,
        })
    }

    pub(super) async fn get(&self, url: &str, limits: Limits) -> Result<Value, ModelError> {
        self.whole(self.client.request(Method::GET, url), limits).await.map_err(|failed| failed.error)
    }

    pub(super) async fn post(&self, url: &str, body: &Value, limits: Limits) -> Result<Value, Unanswered> {
        self.whole(self.with_body(url, body), limits).await
    }

    /// Reads an answer sent in pieces, until it ends or the reader has enough. The connection is closed then.
    pub(super) async fn post_in_pieces(
        &self,
        url: &str,
        body: &Value,
        limits: Limits,
        mut read: impl FnMut(Value) -> ControlFlow<()>,
    ) -> Result<(), Unanswered> {
        let deadline = Instant::now() + limits.total;
        let late = || ModelError::Timeout { phase: Phase::Total, limit: limits.total };
        let mut response = self.begin(self.with_body(url, body), limits, deadline).await?;
        let mut events = wire::Events::default();
        let mut left = self.max_bytes;
        while let Some(bytes) =
            timeout_at(deadline, self.piece(&mut response, &mut left)).await.map_err(|_| late())??
        {
            for data in events.push(&bytes) {
                if data == "[DONE]" {
                    return Ok(());
                }
                let json = parse(&self.without_key(data.into_bytes()))?;
                if let Some(error) = wire::failure_in_body(&json) {
                    return Err(Unanswered { error, usage: wire::usage(&json["usage"]) });
                }
                if read(json).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn with_body(&self, url: &str, body: &Value) -> RequestBuilder {
        let json = HeaderValue::from_static("application/json");
        self.client.request(Method::POST, url).header(CONTENT_TYPE, json).body(body.to_string())
    }

    async fn whole(&self, request: RequestBuilder, limits: Limits) -> Result<Value, Unanswered> {
        let deadline = Instant::now() + limits.total;
        let late = |_| ModelError::Timeout { phase: Phase::Total, limit: limits.total };
        let mut response = self.begin(request, limits, deadline).await?;
        let body = timeout_at(deadline, self.body(&mut response)).await.map_err(late)??;
        let json = parse(&body)?;
        match wire::failure_in_body(&json) {
            Some(error) => Err(Unanswered { error, usage: wire::usage(&json["usage"]) }),
            None => Ok(json),
        }
    }

    /// Sends a request, and waits until an answer begins that is no error.
    async fn begin(
        &self,
        request: RequestBuilder,
        limits: Limits,
        deadline: Instant,
    ) -> Result<Response, Unanswered> {
        let request = match &self.authorization {
            Some(value) => request.header(AUTHORIZATION, value.clone()),
            None => request,
        };
        let first = limits.first_byte.min(limits.total);
        let phase = if limits.first_byte < limits.total { Phase::FirstByte } else { Phase::Total };
        let sent = timeout(first, request.send()).await;
        let sent = sent.map_err(|_| ModelError::Timeout { phase, limit: first })?;
        let mut response = sent.map_err(|e| self.broken(&e))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let header = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let wait = header.and_then(wire::retry_after);
        // Whatever the body says, the status counts.
        let body = timeout_at(deadline, self.body(&mut response)).await;
        let body = body.ok().and_then(Result::ok).unwrap_or_default();
        let usage = parse(&body).map(|json| wire::usage(&json["usage"])).unwrap_or_default();
        Err(Unanswered { error: wire::failure(status.as_u16(), wait, &body), usage })
    }

    async fn body(&self, response: &mut Response) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        let mut left = self.max_bytes;
        while let Some(bytes) = self.piece(response, &mut left).await? {
            body.extend_from_slice(&bytes);
        }
        Ok(self.without_key(body))
    }

    async fn piece(
        &self,
        response: &mut Response,
        left: &mut u64,
    ) -> Result<Option<impl AsRef<[u8]> + std::ops::Deref<Target = [u8]>>, ModelError> {
        let piece = response.chunk().await.map_err(|e| ModelError::Interrupted { message: chain(&e) })?;
        if let Some(bytes) = &piece {
            let too_large = || ModelError::TooLarge { limit: self.max_bytes };
            *left = left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        }
        Ok(piece)
    }

    fn broken(&self, error: &reqwest::Error) -> ModelError {
        if error.is_connect() && error.is_timeout() {
            ModelError::Timeout { phase: Phase::Connect, limit: self.connect }
        } else if error.is_connect() {
            ModelError::Unreachable { message: chain(error) }
        } else {
            ModelError::Interrupted { message: chain(error) }
        }
    }

    /// What the server says without our key, which some servers repeat.
    fn without_key(&self, said: Vec<u8>) -> Vec<u8> {
        match &self.key {
            Some(key) => key.hide(said),
            None => said,
        }
    }
}

/// TLS needs an implementation of its cryptography; ours is `ring`, unless the program has chosen another.
fn cryptography() {
    static CHOSEN: Once = Once::new();
    CHOSEN.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

fn parse(bytes: &[u8]) -> Result<Value, ModelError> {
    let read = serde_json::from_slice(bytes);
    read.or_else(|error| serde_json::from_slice(&with_nulls(bytes)).map_err(|_| error)).map_err(|e| {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(200).collect();
        ModelError::Malformed { message: format!("this is no JSON ({e}): {shown}") }
    })
}

/// A text with `null` in place of what Python writes for numbers that JSON does not have: some servers state such
/// log-probabilities.
fn with_nulls(bytes: &[u8]) -> Vec<u8> {
    const NONE: [&[u8]; 3] = [b"-Infinity", b"Infinity", b"NaN"];
    let (mut read, mut in_string, mut at) = (Vec::with_capacity(bytes.len()), false, 0);
    while at < bytes.len() {
        let rest = &bytes[at..];
        let number = NONE.iter().find(|number| !in_string && rest.starts_with(number));
        let taken = match number {
            Some(number) => number.len(),
            None if in_string && rest[0] == b'\\' => 2.min(rest.len()),
            None => 1,
        };
        match number {
            Some(_) => read.extend(b"null"),
            None => read.extend(&rest[..taken]),
        }
        in_string ^= rest[0] == b'"';
        at += taken;
    }
    read
}

/// The causes of an error, without the address, which the first says.
fn chain(error: &reqwest::Error) -> String {
    let mut messages = Vec::new();
    let mut cause = error.source();
    while let Some(error) = cause {
        messages.push(error.to_string());
        cause = error.source();
    }
    // The causes repeat one another: the last says what happened.
    messages.pop().unwrap_or_else(|| "unknown cause".to_owned())
}
