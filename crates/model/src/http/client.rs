//! The HTTP client.

use std::error::Error;
use std::sync::Once;
use std::time::Duration;

use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use reqwest::{RequestBuilder, Url, redirect};

use crate::config::{ConfigError, ModelConfig, seconds};
use crate::error::{ModelError, Phase};

/// The most connections without TLS that are kept for later.
const IDLE_WITHOUT_TLS: usize = 2;

/// A client of one server.
#[derive(Debug)]
pub(super) struct Client {
    client: reqwest::Client,
    authorization: Option<HeaderValue>,
    connect: Duration,
}

/// An answer that has begun.
#[derive(Debug)]
pub(super) struct Response(reqwest::Response);

impl Client {
    pub(super) fn new(config: &ModelConfig, authorization: Option<String>) -> Result<Self, ConfigError> {
        let connect = seconds(config.timeouts.connect_s);
        let mut builder = reqwest::Client::builder()
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
        let authorization = authorization.map(|value| {
            let mut value = HeaderValue::from_str(&value).map_err(|_| ConfigError::Client {
                message: "the API key cannot be sent in a header".to_owned(),
            })?;
            value.set_sensitive(true);
            Ok(value)
        });
        Ok(Self { client, authorization: authorization.transpose()?, connect })
    }

    pub(super) async fn get(&self, url: &str) -> Result<Response, ModelError> {
        self.send(self.client.get(url)).await
    }

    pub(super) async fn post(&self, url: &str, json: String) -> Result<Response, ModelError> {
        let is_json = HeaderValue::from_static("application/json");
        self.send(self.client.post(url).header(CONTENT_TYPE, is_json).body(json)).await
    }

    async fn send(&self, request: RequestBuilder) -> Result<Response, ModelError> {
        let request = match &self.authorization {
            Some(value) => request.header(AUTHORIZATION, value.clone()),
            None => request,
        };
        request.send().await.map(Response).map_err(|error| self.broken(&error))
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
}

impl Response {
    pub(super) fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// When the server says to ask again.
    pub(super) fn retry_after(&self) -> Option<&str> {
        self.0.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok())
    }

    /// The next bytes of its body.
    pub(super) async fn piece(&mut self) -> Result<Option<impl AsRef<[u8]> + use<>>, ModelError> {
        self.0.chunk().await.map_err(|error| ModelError::Interrupted { message: chain(&error) })
    }
}

/// What is wrong with the address of a server.
pub(crate) fn objection(base_url: &str) -> Option<String> {
    let url = match Url::parse(base_url) {
        Ok(url) => url,
        Err(error) => return Some(format!("this is no URL ({error})")),
    };
    let wrong = if !matches!(url.scheme(), "http" | "https") {
        "it must begin with http:// or https://"
    } else if !url.username().is_empty() || url.password().is_some() {
        "it contains a name or password; keys are given by `api_key_env`"
    } else if url.query().is_some() || url.fragment().is_some() {
        "it must end before any `?` or `#`"
    } else {
        return None;
    };
    Some(wrong.to_owned())
}

/// TLS needs an implementation of its cryptography; ours is `ring`, unless the program has chosen another.
fn cryptography() {
    static CHOSEN: Once = Once::new();
    CHOSEN.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
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
