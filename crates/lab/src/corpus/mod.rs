//! Benchmark corpora from installed libraries: theorems of Rocq's standard library, each extracted from its file and
//! verified with its own proof. The library is under the LGPL, so its text is never part of this project.

mod excerpt;
pub mod library;

use andor_system_rocq::ROCQ;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use andor_config::Config;
use andor_core::rng::{Purpose, stream};
use andor_core::verdict::Reason;
use andor_engine::registry::{self, RegistryError};
use andor_env::checker::{Claim, Level, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_system_rocq as rocq;
use excerpt::Source;
use rand::seq::SliceRandom;
use serde::Serialize;
use tokio::task::JoinSet;

pub use excerpt::Category;

/// The folders that are used by default.
pub const FOLDERS: [&str; 10] =
    ["Init", "Bool", "Arith", "Lists", "Logic", "PArith", "NArith", "ZArith", "Sets", "Relations"];

/// Why a corpus cannot be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// A system is unavailable.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The proof assistant fails.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// A file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The library has no such folder.
    #[error("{}: no such folder in the library; it is installed only in part, or under other folder names", .0.display())]
    NoFolder(PathBuf),
    /// The library's sources are not installed.
    #[error("{}: only compiled modules were found; install the sources of Rocq's library as well", .0.display())]
    NoSources(PathBuf),
}

/// Which theorems to extract.
#[derive(Clone, Debug)]
pub struct CorpusRequest {
    /// Folders of the library, such as `Bool`.
    pub folders: Vec<String>,
    /// Number of theorems to draw at random; by default all.
    pub sample: Option<usize>,
    /// The seed of the random choice.
    pub seed: u64,
    /// Number of theorems verified concurrently.
    pub jobs: usize,
}

/// A row of the corpus.
#[derive(Clone, Debug, Serialize)]
pub struct CorpusEntry {
    /// The file and the theorem's name in it: `Bool.Bool.andb_true_r`.
    pub id: String,
    /// The theorem's name in the library, qualified by its modules.
    pub name: String,
    /// `rocq`
    pub system: &'static str,
    /// The file: `Bool.Bool`.
    pub library: String,
    /// How much of the file the header contains.
    pub category: Category,
    /// The text before the statement.
    pub header: String,
    /// The statement.
    pub statement: String,
    /// The text that closes the sections and modules around it.
    pub footer: String,
    /// The name of the theorem at the end of header, statement and footer.
    pub theorem_name: String,
    /// The library's own proof, from `Proof` to `Qed`. Providers never see it.
    pub reference_proof: String,
    /// The axioms that this proof depends on.
    pub axioms: Vec<String>,
}

/// The outcome for a theorem.
#[derive(Clone, Debug)]
pub enum Checked {
    /// Its proof was accepted in a fresh process.
    Taken(Box<CorpusEntry>),
    /// Its proof was not accepted in any context.
    Refused {
        /// The theorem.
        id: String,
        /// The reason in the largest context: a reason of the checker, `statement` if it cannot be pinned, or
        /// `infrastructure`.
        why: &'static str,
        /// The message.
        message: String,
    },
}

/// Statistics of the corpus.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CorpusSummary {
    /// Number of theorems with tactic proofs in the folders.
    pub found: usize,
    /// Number of those in functors and module types, which have no global name and are never used.
    pub hidden: usize,
    /// Number of rows by category.
    pub taken: BTreeMap<char, usize>,
    /// Number of rejected theorems by reason.
    pub refused: BTreeMap<&'static str, usize>,
}

impl CorpusSummary {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.taken.values().sum()
    }
}

/// Builds the corpus of Rocq's standard library, with rows in the library's order. `each` is called for every theorem
/// with the maximum number of theorems still to verify.
///
/// The sample is drawn before anything is verified, and a rejected theorem is replaced by the next one drawn, so
/// equal requests give equal rows.
pub async fn rocq_stdlib(
    request: &CorpusRequest,
    config: &Config,
    mut each: impl FnMut(&Checked, usize),
) -> Result<(Vec<CorpusEntry>, CorpusSummary), CorpusError> {
    let (folder, _) = library::own(&rocq::library_folder().await?);
    let names: Vec<&str> = request.folders.iter().map(String::as_str).collect();
    let files = library::files(&folder, &names)?;
    if files.is_empty() {
        return Err(CorpusError::NoSources(folder));
    }
    let environment = registry::environment(ROCQ, config);
    let mut summary = CorpusSummary::default();
    let mut candidates = candidates(files, &mut summary);
    if request.sample.is_some() {
        candidates.shuffle(&mut stream(request.seed, Purpose::Candidates));
    }
    let wanted = request.sample.unwrap_or(candidates.len()).min(candidates.len());
    let (mut waiting, mut running) = (candidates.into_iter(), JoinSet::new());
    let mut taken: BTreeMap<usize, CorpusEntry> = BTreeMap::new();
    loop {
        while taken.len() + running.len() < wanted && running.len() < request.jobs.max(1) {
            let Some(candidate) = waiting.next() else { break };
            let environment = Arc::clone(&environment);
            running.spawn(async move {
                let checked = candidate.checked(environment.as_ref()).await;
                (candidate.place, checked)
            });
        }
        let Some(checked) = running.join_next().await else { break };
        let (place, checked) = checked.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        match &checked {
            Checked::Taken(entry) => {
                *summary.taken.entry(entry.category.letter()).or_default() += 1;
                taken.insert(place, CorpusEntry::clone(entry));
            }
            Checked::Refused { why, .. } => *summary.refused.entry(why).or_default() += 1,
        }
        each(&checked, (wanted - taken.len()).min(waiting.len() + running.len()));
    }
    Ok((taken.into_values().collect(), summary))
}

/// A theorem of the library.
struct Candidate {
    /// Its position in the library.
    place: usize,
    library: Arc<str>,
    source: Arc<Source>,
    /// Its index among the proofs of its file.
    at: usize,
}

/// The theorems with global names.
fn candidates(files: Vec<library::File>, summary: &mut CorpusSummary) -> Vec<Candidate> {
    let mut found = Vec::new();
    for file in files {
        let library: Arc<str> = file.module().into();
        let source = match Source::new(file.text) {
            Ok(source) => Arc::new(source),
            Err(error) => {
                tracing::warn!("{library} is left out: {error}");
                continue;
            }
        };
        for at in source.finished() {
            summary.found += 1;
            if source.theorem(at).reachable {
                let (library, source) = (Arc::clone(&library), Arc::clone(&source));
                found.push(Candidate { place: found.len(), library, source, at });
            } else {
                summary.hidden += 1;
            }
        }
    }
    found
}

impl Candidate {
    /// Finds the smallest context in which the statement can be pinned and the proof is accepted.
    async fn checked(&self, environment: &dyn Environment) -> Checked {
        let (theorem, proof) = (self.source.theorem(self.at), self.source.proof(self.at));
        let id = format!("{}.{}", self.library, theorem.name);
        let refused = |why, message| Checked::Refused { id: id.clone(), why, message };
        let excerpts = match self.source.excerpts(self.at, &id) {
            Ok(excerpts) => excerpts,
            Err(error) => return refused(Reason::Malformed.name(), error.to_string()),
        };
        let mut last = refused(Reason::Malformed.name(), "it has no surroundings".to_owned());
        for (category, stated) in excerpts {
            let submission = format!("{}\n{}\n{proof}\n{}", stated.header, stated.statement, stated.footer);
            let (challenge, theorems) = (environment.challenge(&stated), vec![stated.name.clone()]);
            let claim = Claim { submission, challenge, theorems };
            last = match judge(environment.checker(), &claim, Level::Compiled).await {
                Verdict::Accepted { axioms, .. } => match environment.checker().pin(&stated).await {
                    Ok(()) => {
                        return Checked::Taken(Box::new(CorpusEntry {
                            name: theorem.name.clone(),
                            system: ROCQ.name(),
                            library: self.library.to_string(),
                            category,
                            header: stated.header,
                            statement: stated.statement,
                            footer: stated.footer,
                            theorem_name: stated.name,
                            reference_proof: proof.to_owned(),
                            axioms,
                            id,
                        }));
                    }
                    Err(EnvError::TheoremRefused { message, .. }) => {
                        refused(Reason::Statement.name(), message)
                    }
                    Err(error) => refused("infrastructure", error.to_string()),
                },
                Verdict::Rejected { reason, message, .. } => refused(reason.name(), message),
                Verdict::Infrastructure { error, .. } => refused("infrastructure", error.to_string()),
            };
        }
        last
    }
}
