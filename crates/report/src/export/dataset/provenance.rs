//! Where the rows of a data set come from.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use andor_artifact::result::Outcome;
use andor_config::ProviderConfig;
use andor_run::folder::RunFolder;
use serde::Serialize;
use serde_json::json;

use super::super::Exported;

/// A run that rows come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Provenance {
    /// The name of its folder, and that of the folder around it if other runs have the same.
    pub name: String,
    /// A digest of its results: of each, theorem, statement, configuration, attempt, outcome, tree and proof. Runs that found the
    /// same by the same searches have the same. The first 16 hexadecimal digits of BLAKE3.
    pub digest: String,
    /// The digest of its configuration.
    pub config_digest: String,
    /// When it began, in UTC, RFC 3339.
    pub started_at: String,
    /// The systems of its theorems, each with the proof assistants that searched, with their versions.
    pub assistants: BTreeMap<String, BTreeSet<String>>,
    /// What proposed tactics: the kinds of providers, with the names of files and models; files with their digests.
    pub provers: Vec<String>,
    /// The number of its theorems.
    pub theorems: u64,
    /// The number of its attempts.
    pub attempts: u64,
    /// How many were accepted.
    pub accepted: u64,
    /// The lowest level to which one of these was verified.
    pub verification_level: Option<u8>,
    /// How many recorded tactics had the same outcome when they were replayed.
    pub replayed: u64,
    /// How many had not, and were left out.
    pub left_out: u64,
    /// How many attempts had no files to replay.
    pub skipped: u64,
}

impl Provenance {
    pub(super) fn of(name: String, run: &RunFolder, exported: &Exported) -> Self {
        let mut assistants: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for result in &run.results {
            assistants.entry(result.system.clone()).or_default().extend(result.assistant.clone());
        }
        let accepted = || run.results.iter().filter(|result| result.outcome == Outcome::Accepted);
        let mut hasher = blake3::Hasher::new();
        for result in &run.results {
            let found = json!([
                result.theorem,
                result.statement_digest,
                result.config_digest,
                result.attempt,
                result.outcome,
                result.tree_digest,
                result.proof_digest,
            ]);
            hasher.update(found.to_string().as_bytes());
        }
        Self {
            name,
            digest: hasher.finalize().to_hex()[..16].to_owned(),
            config_digest: run.record.config_digest.clone(),
            started_at: run.record.started_at.clone(),
            assistants,
            provers: run.config.providers.iter().map(prover).collect(),
            theorems: run.problems.len() as u64,
            attempts: run.results.len() as u64,
            accepted: accepted().count() as u64,
            verification_level: accepted().filter_map(|result| result.verification_level).min(),
            replayed: exported.replayed,
            left_out: exported.left_out,
            skipped: exported.skipped.len() as u64,
        }
    }
}

/// The names of runs: those of their folders, with the folder around them where several have the same.
pub(super) fn names(runs: &[RunFolder]) -> Vec<String> {
    let part = |path: Option<&Path>| {
        let name = path.and_then(Path::file_name).unwrap_or_default();
        name.to_string_lossy().into_owned()
    };
    let paths: Vec<PathBuf> =
        runs.iter().map(|run| run.path.canonicalize().unwrap_or_else(|_| run.path.clone())).collect();
    let names: Vec<String> = paths.iter().map(|path| part(Some(path))).collect();
    let is_shared = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let name = |(path, name): (&PathBuf, &String)| {
        if is_shared(name) { format!("{}/{name}", part(path.parent())) } else { name.clone() }
    };
    paths.iter().zip(&names).map(name).collect()
}

/// A provider's kind, and its model without the place where it is kept: commands and addresses are nobody else's business.
fn prover(provider: &ProviderConfig) -> String {
    let file = |kind: &str, path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let digest = fs_err::read(path).ok().map(|bytes| blake3::hash(&bytes).to_hex()[..16].to_owned());
        format!("{kind} {name}{}", digest.map_or_else(String::new, |digest| format!(" ({digest})")))
    };
    match provider {
        ProviderConfig::Heuristic => "heuristic".to_owned(),
        ProviderConfig::Scripted { path } => file("scripted", path),
        ProviderConfig::Learned { path } => file("learned", path),
        ProviderConfig::Llm { model } => {
            let name = model.rsplit_once('#').map_or(model.as_str(), |(_, name)| name);
            if name.contains("://") { "llm".to_owned() } else { format!("llm {name}") }
        }
        ProviderConfig::Replay { .. } => "replay".to_owned(),
        ProviderConfig::Exec { .. } => "exec".to_owned(),
        ProviderConfig::Synthetic { .. } => "synthetic".to_owned(),
        ProviderConfig::Program { name } => format!("program {name}"),
    }
}
