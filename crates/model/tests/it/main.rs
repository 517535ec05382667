//! The client against servers: a real llama.cpp, and one that misbehaves.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the answer")]

mod account;
mod faults;
mod llama;
mod quirks;
mod reasoning;
mod record;
mod stream;

use andor_model::{Http, ModelConfig};

/// A model at a server, asked without pauses between tries.
fn config(url: &str) -> ModelConfig {
    let mut config =
        ModelConfig { base_url: url.to_owned(), model: "m".to_owned(), ..ModelConfig::default() };
    config.retries.pause_s = 0.0;
    config.timeouts.ready_poll_s = 0.001;
    config
}

fn http(url: &str) -> Http {
    Http::new(config(url), None).unwrap()
}
