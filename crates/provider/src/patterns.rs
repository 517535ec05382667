//! Regular expressions of languages, each compiled once.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;

static COMPILED: LazyLock<Mutex<HashMap<&'static str, Regex>>> = LazyLock::new(Mutex::default);

/// A pattern of a language.
pub(crate) fn compiled(pattern: &'static str) -> Regex {
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let regex = compiled
        .entry(pattern)
        .or_insert_with(|| Regex::new(pattern).expect("the patterns of languages are well-formed"));
    regex.clone()
}
