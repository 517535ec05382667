//! In place of the HTTP client, in a build without it: there is no client, so nothing is asked.

use crate::config::{ConfigError, ModelConfig};
use crate::error::ModelError;

/// No client.
#[derive(Debug)]
pub(super) enum Client {}

/// No answer.
#[derive(Debug)]
pub(super) enum Response {}

impl Client {
    pub(super) fn new(_: &ModelConfig, _: Option<String>) -> Result<Self, ConfigError> {
        Err(ConfigError::NoClient)
    }

    pub(super) async fn get(&self, _: &str) -> Result<Response, ModelError> {
        match *self {}
    }

    pub(super) async fn post(&self, _: &str, _: String) -> Result<Response, ModelError> {
        match *self {}
    }
}

impl Response {
    pub(super) fn status(&self) -> u16 {
        match *self {}
    }

    pub(super) fn retry_after(&self) -> Option<&str> {
        match *self {}
    }

    pub(super) async fn piece(&mut self) -> Result<Option<Vec<u8>>, ModelError> {
        match *self {}
    }
}

/// Addresses are not looked at.
pub(crate) fn objection(_: &str) -> Option<String> {
    None
}
