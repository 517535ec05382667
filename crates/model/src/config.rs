//! How a model is reached and asked: plain data, as it stands in a configuration file.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::http;
use crate::request::{MAX_TOKENS, Sampling};
use crate::usage::Prices;

/// One model and its server.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// Where the interface begins, usually ending in `/v1`, which is added to a URL without a path. If it is empty, the
    /// variable [`OPENAI_BASE_URL`](BASE_URL_VARIABLE) has it, or else it is [OpenAI's](DEFAULT_BASE_URL).
    pub base_url: String,
    /// The model's name at the server. If it is empty, the server must have exactly one model.
    pub model: String,
    /// The interface that is used.
    pub kind: Kind,
    /// The name of the environment variable that has the API key. Never the key itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key_env: Option<String>,
    /// How answers are drawn, unless a request says otherwise.
    pub sampling: Sampling,
    /// How long things may take.
    pub timeouts: Timeouts,
    /// How failed requests are repeated.
    pub retries: Retries,
    /// How much may be asked at a time.
    pub limits: Limits,
    /// What tokens cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<Prices>,
}

/// The server of OpenAI.
pub const DEFAULT_BASE_URL: &str = "https://api.openai.com/v1";
/// The environment variable that has the address of the server if the configuration gives none.
pub const BASE_URL_VARIABLE: &str = "OPENAI_BASE_URL";
/// The environment variable that has the API key if the configuration names none.
pub const API_KEY_VARIABLE: &str = "OPENAI_API_KEY";

/// An interface of servers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// `/completions`: continues a text.
    #[default]
    Completions,
    /// `/chat/completions`: answers a conversation.
    Chat,
    /// `/responses`: answers a conversation; one answer a request, and no texts that stop it.
    Responses,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Completions, Self::Chat, Self::Responses];

    /// Its name in configurations.
    pub fn name(self) -> &'static str {
        match self {
            Self::Completions => "completions",
            Self::Chat => "chat",
            Self::Responses => "responses",
        }
    }

    /// Its address, after the base URL.
    pub fn path(self) -> &'static str {
        match self {
            Self::Completions => "completions",
            Self::Chat => "chat/completions",
            Self::Responses => "responses",
        }
    }

    /// What OpenTelemetry calls a request to it.
    pub fn operation(self) -> &'static str {
        match self {
            Self::Completions => "text_completion",
            Self::Chat | Self::Responses => "chat",
        }
    }
}

/// How long things may take, in seconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Timeouts {
    /// Until the server accepts a connection.
    pub connect_s: f64,
    /// Until the first byte of an answer. Servers send it when the whole answer is there, unless it is sent in pieces.
    /// `None` is as long as the whole answer may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_byte_s: Option<f64>,
    /// Until an answer is complete; for each try. `None` is 60, and as much again for every [`MAX_TOKENS`] that an answer may
    /// have more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_s: Option<f64>,
    /// Until a server that says it is loading its model is ready, before the first request.
    pub ready_s: f64,
    /// The same for a server that cannot be reached, does not answer, or refuses for now.
    pub wait_s: f64,
    /// Between two questions whether it is.
    pub ready_poll_s: f64,
}

impl Timeouts {
    /// The times until the first byte of an answer of so many tokens, and until its end.
    pub(crate) fn of_answer(&self, max_tokens: u32) -> (Duration, Duration) {
        const TOTAL_S: f64 = 60.0;
        let total = self
            .total_s
            .unwrap_or_else(|| TOTAL_S * (f64::from(max_tokens) / f64::from(MAX_TOKENS)).max(1.0));
        (seconds(self.first_byte_s.unwrap_or(total)), seconds(total))
    }
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect_s: 10.0,
            first_byte_s: None,
            total_s: None,
            ready_s: 600.0,
            wait_s: 10.0,
            ready_poll_s: 10.0,
        }
    }
}

/// How failed requests are repeated: with the same seed, after a pause that doubles from time to time and of which a part is
/// random.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retries {
    /// The most tries, the first included, where the server is overloaded or not reached.
    pub tries: u32,
    /// The most tries where the server fails in a way that may be the request's fault.
    pub tries_after_server_error: u32,
    /// The first pause, in seconds.
    pub pause_s: f64,
    /// The longest pause, in seconds. A longer one that the server asks for is kept within `total_s`.
    pub max_pause_s: f64,
    /// The longest time for all tries together, in seconds.
    pub total_s: f64,
}

impl Default for Retries {
    fn default() -> Self {
        Self { tries: 8, tries_after_server_error: 3, pause_s: 0.5, max_pause_s: 30.0, total_s: 600.0 }
    }
}

/// How much may be asked at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// The most requests in flight.
    pub in_flight: usize,
    /// The most tokens per minute, of prompts and answers together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens_per_minute: Option<u64>,
    /// The most bytes of an answer that are read.
    pub max_answer_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { in_flight: 64, tokens_per_minute: None, max_answer_bytes: 64 << 20 }
    }
}

/// What is wrong with a configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value is wrong.
    #[error("{field}: {message}")]
    Value {
        /// The field, with a dot before the field within it.
        field: String,
        /// What is wrong.
        message: String,
    },
    /// The variable that should have the key is not set.
    #[error("the environment variable {variable} is not set; it should have the API key of {base_url}")]
    NoKey {
        /// The variable.
        variable: String,
        /// The server.
        base_url: String,
    },
    /// The key cannot be sent in a header.
    #[error("the environment variable {variable} has a line break or another character that no API key has")]
    BadKey {
        /// The variable.
        variable: String,
    },
    /// No model of this name is configured.
    #[error("no model `{name}` is configured{}", instead(.known))]
    UnknownModel {
        /// The name.
        name: String,
        /// The names that are configured.
        known: Vec<String>,
    },
    /// This build has no HTTP client.
    #[error("this build asks no servers of language models; build it with the feature `models`")]
    NoClient,
    /// The HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up: {message}")]
    Client {
        /// Why.
        message: String,
    },
}

fn instead(known: &[String]) -> String {
    const URL: &str = "the URL of a server, which begins with http:// or https://";
    match known {
        [] => format!("; give {URL}, or configure the model in the file for --config"),
        names => format!(" (configured: {}); give one of these, or {URL}", names.join(", ")),
    }
}

impl ModelConfig {
    /// The configuration that a name or URL stands for: a URL, alone or as `URL#MODEL`, means a server with defaults for
    /// the rest; a name is looked up among the configured models. An
    /// empty `base_url` is filled in from the environment.
    ///
    /// ```
    /// use andor_model::config::ModelConfig;
    /// let environment = |_: &str| None;
    /// let config = ModelConfig::named("http://localhost:8000/v1#prover", &Default::default(), environment)?;
    /// assert_eq!((&*config.base_url, &*config.model), ("http://localhost:8000/v1", "prover"));
    /// # Ok::<(), andor_model::config::ConfigError>(())
    /// ```
    pub fn named(
        name: &str,
        configured: &BTreeMap<String, Self>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let mut config = if is_url(name) {
            let (base_url, model) = name.split_once('#').unwrap_or((name, ""));
            Self { base_url: base_url.to_owned(), model: model.to_owned(), ..Self::default() }
        } else {
            let unknown = || ConfigError::UnknownModel {
                name: name.to_owned(),
                known: configured.keys().cloned().collect(),
            };
            configured.get(name).cloned().ok_or_else(unknown)?
        };
        if config.base_url.is_empty() {
            let url = environment(BASE_URL_VARIABLE).filter(|url| !url.is_empty());
            config.base_url = url.unwrap_or_else(|| DEFAULT_BASE_URL.to_owned());
        }
        config.validate()?;
        Ok(config)
    }

    /// The API key. Without `api_key_env`, it is that of `OPENAI_API_KEY`, if the server is the one that this variable
    /// is for: OpenAI's, or that of `OPENAI_BASE_URL`. Other servers get no key.
    pub fn key(&self, environment: impl Fn(&str) -> Option<String>) -> Result<Option<ApiKey>, ConfigError> {
        let set = |variable: &str| environment(variable).filter(|value| !value.is_empty());
        let (variable, key) = match &self.api_key_env {
            Some(variable) => {
                let missing =
                    || ConfigError::NoKey { variable: variable.clone(), base_url: self.base_url.clone() };
                (variable.as_str(), set(variable).ok_or_else(missing)?)
            }
            None => {
                let addressed = set(BASE_URL_VARIABLE).is_some_and(|url| url == self.base_url);
                let Some(key) =
                    set(API_KEY_VARIABLE).filter(|_| addressed || self.base_url == DEFAULT_BASE_URL)
                else {
                    return Ok(None);
                };
                (API_KEY_VARIABLE, key)
            }
        };
        let key = key.trim();
        if !key.bytes().all(|b| b.is_ascii_graphic()) {
            return Err(ConfigError::BadKey { variable: variable.to_owned() });
        }
        Ok(Some(ApiKey::new(key)))
    }

    /// Checks every value.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let wrong = |field: &str, message: &str| {
            Err(ConfigError::Value { field: field.to_owned(), message: message.to_owned() })
        };
        if let Some(objection) = http::objection(&self.base_url) {
            return wrong("base_url", &objection);
        }
        if let Some(variable) = &self.api_key_env
            && !is_variable(variable)
        {
            // What is no name of a variable may be a key: it is not repeated.
            return wrong(
                "api_key_env",
                "this is no name of an environment variable; give the variable's name, not the key",
            );
        }
        if let Some(objection) = self.sampling.objection() {
            let (field, message) = objection.split_once(": ").unwrap_or(("", &objection));
            return wrong(&format!("sampling.{field}"), message);
        }
        let Timeouts { connect_s, first_byte_s, total_s, ready_s, wait_s, ready_poll_s } = self.timeouts;
        for (field, value) in [
            ("timeouts.connect_s", connect_s),
            ("timeouts.first_byte_s", first_byte_s.unwrap_or(1.0)),
            ("timeouts.total_s", total_s.unwrap_or(1.0)),
            ("timeouts.ready_s", ready_s),
            ("timeouts.wait_s", wait_s),
            ("timeouts.ready_poll_s", ready_poll_s),
            ("retries.total_s", self.retries.total_s),
        ] {
            if !(value > 0.0 && value <= MAX_SECONDS) {
                return wrong(field, &format!("{value} is not above 0 and at most {MAX_SECONDS}"));
            }
        }
        for (field, value) in
            [("retries.pause_s", self.retries.pause_s), ("retries.max_pause_s", self.retries.max_pause_s)]
        {
            if !(0.0..=MAX_SECONDS).contains(&value) {
                return wrong(field, &format!("{value} is not between 0 and {MAX_SECONDS}"));
            }
        }
        if self.retries.tries == 0 || self.retries.tries_after_server_error == 0 {
            return wrong("retries", "every request is tried at least once");
        }
        if self.limits.in_flight == 0 || self.limits.in_flight > MAX_IN_FLIGHT {
            return wrong("limits.in_flight", &format!("it must be between 1 and {MAX_IN_FLIGHT}"));
        }
        if self.limits.tokens_per_minute == Some(0) || self.limits.max_answer_bytes == 0 {
            return wrong("limits", "0 would allow nothing");
        }
        if let Some(Prices { input, cached_input, output }) = self.prices
            && [Some(input), cached_input, Some(output)]
                .into_iter()
                .flatten()
                .any(|p| !(p >= 0.0 && p.is_finite()))
        {
            return wrong("prices", "a price must not be negative");
        }
        Ok(())
    }

    /// The address of a part of the interface.
    pub(crate) fn address(&self, path: &str) -> String {
        let base = self.base_url.trim_end_matches('/');
        let host = base.split_once("://").map_or(base, |(_, rest)| rest);
        let version = if host.contains('/') { "" } else { "/v1" };
        format!("{base}{version}/{path}")
    }
}

/// A month; more is a mistake, and far more cannot be represented.
const MAX_SECONDS: f64 = 2_678_400.0;
const MAX_IN_FLIGHT: usize = 100_000;

fn is_url(text: &str) -> bool {
    text.starts_with("http://") || text.starts_with("https://")
}

fn is_variable(name: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !name.is_empty()
        && name.len() <= 64
        && !name.starts_with(|c: char| c.is_ascii_digit())
        && name.chars().all(word)
}

/// Seconds of a validated configuration.
pub(crate) fn seconds(value: f64) -> Duration {
    Duration::from_secs_f64(value)
}

/// An API key. It is printed as `***`, and cannot be serialised.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    /// A key.
    pub fn new(key: impl Into<String>) -> Self {
        Self(key.into())
    }

    /// The key itself, for the header that sends it.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    /// Bytes of the server's without the key, which some servers repeat in their errors.
    pub(crate) fn hide(&self, said: Vec<u8>) -> Vec<u8> {
        let key = self.0.as_bytes();
        // A key of a few characters is a placeholder, and could be a part of any word.
        if key.len() < 6 {
            return said;
        }
        let mut shown = Vec::with_capacity(said.len());
        let mut rest = &said[..];
        while let Some(at) = rest.windows(key.len()).position(|part| part == key) {
            shown.extend_from_slice(&rest[..at]);
            shown.extend_from_slice(b"***");
            rest = &rest[at + key.len()..];
        }
        shown.extend_from_slice(rest);
        shown
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

impl fmt::Display for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment<'a>(pairs: &'a [(&str, &str)]) -> impl Fn(&str) -> Option<String> + 'a {
        |name| pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| (*value).to_owned())
    }

    #[test]
    fn a_file_may_say_as_little_as_it_likes_and_nothing_unknown() {
        let config: ModelConfig = toml::from_str("model = \"m\"\n[sampling]\ntemperature = 1.3").unwrap();
        assert_eq!(
            (config.sampling.n, config.sampling.temperature, config.sampling.max_tokens),
            (16, 1.3, None)
        );
        assert_eq!((config.kind, config.timeouts.total_s), (Kind::Completions, None));
        assert_eq!(toml::from_str::<ModelConfig>(&toml::to_string(&config).unwrap()).unwrap(), config);
        assert!(toml::from_str::<ModelConfig>("api_key = \"sk-1\"").is_err());
    }

    #[test]
    fn models_are_named_by_the_configuration_or_a_url() {
        let configured = BTreeMap::from([("bfs".to_owned(), ModelConfig::default())]);
        let base = |name: &str, pairs: &[(&str, &str)]| {
            ModelConfig::named(name, &configured, environment(pairs)).map(|config| config.address("models"))
        };
        assert_eq!(base("bfs", &[]).unwrap(), "https://api.openai.com/v1/models");
        let local = [(BASE_URL_VARIABLE, "http://localhost:8000")];
        assert_eq!(base("bfs", &local).unwrap(), "http://localhost:8000/v1/models");
        assert_eq!(base("http://there:1/api/", &local).unwrap(), "http://there:1/api/models");
        let error = base("bsf", &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "no model `bsf` is configured (configured: bfs); give one of these, or the URL of a server, which begins \
             with http:// or https://"
        );
    }

    #[test]
    fn keys_go_to_the_server_that_they_are_for_and_are_never_shown() {
        let key = |config: &ModelConfig, pairs: &[(&str, &str)]| config.key(environment(pairs));
        let at = |url: &str| ModelConfig { base_url: url.to_owned(), ..ModelConfig::default() };
        let openai = [(API_KEY_VARIABLE, "sk-secret")];
        assert_eq!(key(&at(DEFAULT_BASE_URL), &openai), Ok(Some(ApiKey::new("sk-secret"))));
        assert_eq!(key(&at("http://elsewhere"), &openai), Ok(None));
        let both = [(API_KEY_VARIABLE, "sk-secret"), (BASE_URL_VARIABLE, "http://elsewhere")];
        assert_eq!(key(&at("http://elsewhere"), &both), Ok(Some(ApiKey::new("sk-secret"))));
        let named = ModelConfig { api_key_env: Some("MY_KEY".to_owned()), ..at("http://elsewhere") };
        assert!(matches!(key(&named, &openai), Err(ConfigError::NoKey { .. })));
        assert!(matches!(key(&named, &[("MY_KEY", "a\nb")]), Err(ConfigError::BadKey { .. })));
        let secret = ApiKey::new("sk-secret");
        assert_eq!(format!("{secret} {secret:?}"), "*** ***");
        assert_eq!(secret.hide(b"\xffsk-secret, sk-sk-secretsk-secre".to_vec()), b"\xff***, sk-***sk-secre");
    }

    #[test]
    fn wrong_values_are_named() {
        let objection = |text: &str| {
            let mut config: ModelConfig = toml::from_str(text).unwrap();
            if config.base_url.is_empty() {
                config.base_url = DEFAULT_BASE_URL.to_owned();
            }
            config.validate().unwrap_err().to_string()
        };
        for (text, expected) in [
            ("base_url = \"localhost\"", "base_url: this is no URL"),
            ("base_url = \"ftp://x\"", "base_url: it must begin with http:// or https://"),
            ("base_url = \"http://me:pw@x\"", "base_url: it contains a name or password"),
            ("base_url = \"http://x?key=1\"", "base_url: it must end before any `?` or `#`"),
            ("sampling = { n = 0 }", "sampling.n: at least one answer"),
            ("sampling = { top_p = nan }", "sampling.top_p: NaN"),
            ("timeouts = { total_s = 0.0 }", "timeouts.total_s: 0 is not above 0"),
            ("retries = { pause_s = -1.0 }", "retries.pause_s: -1 is not between"),
            ("limits = { in_flight = 0 }", "limits.in_flight: it must be between 1"),
            ("prices = { input = -1.0, output = 1.0 }", "prices: a price must not be negative"),
        ] {
            let found = objection(text);
            assert!(found.starts_with(expected), "{text}: {found}");
        }
        // What may be a key is not repeated.
        let key = objection("api_key_env = \"sk-secret-key\"");
        assert!(key.starts_with("api_key_env: ") && !key.contains("secret"), "{key}");
    }
}
