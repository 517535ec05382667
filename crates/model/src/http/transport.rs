//! Bytes to and from a server, within limits on time and size.

use std::ops::ControlFlow;
use std::time::Duration;

use serde_json::Value;
use tokio::time::{Instant, timeout, timeout_at};

use super::client::{Client, Response};
use crate::config::{ApiKey, ConfigError, ModelConfig};
use crate::error::{ModelError, Phase, Unanswered};
use crate::wire;

/// How long an answer may take: until its first byte, and until its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) first_byte: Duration,
    pub(super) total: Duration,
}

#[derive(Debug)]
pub(super) struct Transport {
    client: Client,
    key: Option<ApiKey>,
    max_bytes: u64,
}

impl Transport {
    pub(super) fn new(config: &ModelConfig, key: Option<ApiKey>) -> Result<Self, ConfigError> {
        let authorization = key.as_ref().map(|key| format!("Bearer {}", key.reveal()));
        let client = Client::new(config, authorization)?;
        Ok(Self { client, key, max_bytes: config.limits.max_answer_bytes })
    }

    pub(super) async fn get(&self, url: &str, limits: Limits) -> Result<Value, ModelError> {
        self.whole(self.client.get(url), limits).await.map_err(|failed| failed.error)
    }

    pub(super) async fn post(&self, url: &str, body: &Value, limits: Limits) -> Result<Value, Unanswered> {
        self.whole(self.client.post(url, body.to_string()), limits).await
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
        let mut response = self.begin(self.client.post(url, body.to_string()), limits, deadline).await?;
        let mut events = wire::Events::default();
        let mut left = self.max_bytes;
        while let Some(bytes) =
            timeout_at(deadline, self.piece(&mut response, &mut left)).await.map_err(|_| late())??
        {
            for data in events.push(bytes.as_ref()) {
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

    async fn whole(
        &self,
        sent: impl Future<Output = Result<Response, ModelError>>,
        limits: Limits,
    ) -> Result<Value, Unanswered> {
        let deadline = Instant::now() + limits.total;
        let late = |_| ModelError::Timeout { phase: Phase::Total, limit: limits.total };
        let mut response = self.begin(sent, limits, deadline).await?;
        let body = timeout_at(deadline, self.body(&mut response)).await.map_err(late)??;
        let json = parse(&body)?;
        match wire::failure_in_body(&json) {
            Some(error) => Err(Unanswered { error, usage: wire::usage(&json["usage"]) }),
            None => Ok(json),
        }
    }

    /// Waits until the answer to a request begins, if it is no error.
    async fn begin(
        &self,
        sent: impl Future<Output = Result<Response, ModelError>>,
        limits: Limits,
        deadline: Instant,
    ) -> Result<Response, Unanswered> {
        let first = limits.first_byte.min(limits.total);
        let phase = if limits.first_byte < limits.total { Phase::FirstByte } else { Phase::Total };
        let sent = timeout(first, sent).await;
        let mut response = sent.map_err(|_| ModelError::Timeout { phase, limit: first })??;
        let status = response.status();
        if (200..300).contains(&status) {
            return Ok(response);
        }
        let wait = response.retry_after().and_then(wire::retry_after);
        // Whatever the body says, the status counts.
        let body = timeout_at(deadline, self.body(&mut response)).await;
        let body = body.ok().and_then(Result::ok).unwrap_or_default();
        let usage = parse(&body).map(|json| wire::usage(&json["usage"])).unwrap_or_default();
        Err(Unanswered { error: wire::failure(status, wait, &body), usage })
    }

    async fn body(&self, response: &mut Response) -> Result<Vec<u8>, ModelError> {
        let mut body = Vec::new();
        let mut left = self.max_bytes;
        while let Some(bytes) = self.piece(response, &mut left).await? {
            body.extend_from_slice(bytes.as_ref());
        }
        Ok(self.without_key(body))
    }

    async fn piece(
        &self,
        response: &mut Response,
        left: &mut u64,
    ) -> Result<Option<impl AsRef<[u8]> + use<>>, ModelError> {
        let piece = response.piece().await?;
        if let Some(bytes) = &piece {
            let bytes: &[u8] = bytes.as_ref();
            let too_large = || ModelError::TooLarge { limit: self.max_bytes };
            *left = left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        }
        Ok(piece)
    }

    /// What the server says without our key, which some servers repeat.
    fn without_key(&self, said: Vec<u8>) -> Vec<u8> {
        match &self.key {
            Some(key) => key.hide(said),
            None => said,
        }
    }
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
