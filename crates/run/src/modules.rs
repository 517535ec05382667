//! The compiled modules of the user's project that theorems require: a result counts only as long as they are the same.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use andor_artifact::result::AttemptResult;
use andor_core::theorem::{System, Theorem};
use andor_engine::attempt::Means;
use andor_env::environment::Environment;

/// Digests of the modules that theorems require, as they are when a run begins.
#[derive(Clone, Debug, Default)]
pub(crate) struct Modules {
    of_headers: HashMap<String, String>,
    /// In place of those of headers: of everything that some text requires.
    of_all: Option<String>,
}

impl Modules {
    /// Those of the headers of theorems. Each file is read once.
    pub(crate) async fn of_theorems(
        theorems: impl Iterator<Item = &Theorem>,
        means: &BTreeMap<System, Means>,
    ) -> Self {
        let (mut of_headers, mut known, mut met) = (HashMap::new(), Known::default(), HashSet::new());
        for theorem in theorems {
            if !met.insert(theorem.header.as_str()) {
                continue;
            }
            let environment = means[&theorem.system].workers.environment();
            if let Some(digest) = known.digest(&environment.modules_of(&theorem.header).await) {
                of_headers.insert(theorem.header.clone(), digest);
            }
        }
        Self { of_headers, of_all: None }
    }

    /// Those of a text, for every theorem.
    pub(crate) async fn of_text(text: &str, environment: &dyn Environment) -> Self {
        let of_all = Known::default().digest(&environment.modules_of(text).await);
        Self { of_headers: HashMap::new(), of_all }
    }

    /// The digest of the modules behind a header; `None` if it requires none.
    pub(crate) fn digest(&self, header: &str) -> Option<&str> {
        self.of_all.as_ref().or_else(|| self.of_headers.get(header)).map(String::as_str)
    }

    /// Whether a result was made with these modules, as far as it says so.
    pub(crate) fn agree(&self, header: &str, result: &AttemptResult) -> bool {
        result.modules_digest.is_none() || result.modules_digest.as_deref() == self.digest(header)
    }
}

/// Digests of the files that were read.
#[derive(Default)]
struct Known(HashMap<PathBuf, blake3::Hash>);

impl Known {
    fn digest(&mut self, files: &[PathBuf]) -> Option<String> {
        let mut hasher = blake3::Hasher::new();
        for file in files {
            // A file that has just been removed counts as empty.
            let read = || blake3::hash(&std::fs::read(file).unwrap_or_default());
            hasher.update(self.0.entry(file.clone()).or_insert_with(read).as_bytes());
        }
        (!files.is_empty()).then(|| hasher.finalize().to_hex()[..16].to_owned())
    }
}
