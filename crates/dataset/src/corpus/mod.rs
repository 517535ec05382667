//! Benchmark corpora made from what is installed: theorems of Rocq's own library, each cut out of its file and checked
//! again with its own proof. The library's text is under the LGPL and is never part of the project.

mod excerpt;
pub mod library;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use andor_config::Config;
use andor_core::rng::{Purpose, stream};
use andor_core::theorem::System;
use andor_engine::registry::{self, RegistryError};
use andor_env::checker::{Claim, Level, Reason, Verdict, judge};
use andor_env::environment::{Environment, Script, ScriptStep};
use andor_env::error::EnvError;
use andor_env::rocq;
use excerpt::Source;
use rand::seq::SliceRandom;
use serde::Serialize;
use tokio::task::JoinSet;

pub use excerpt::Category;

/// The folders of the library whose theorems are taken unless others are named.
pub const FOLDERS: [&str; 10] =
    ["Init", "Bool", "Arith", "Lists", "Logic", "PArith", "NArith", "ZArith", "Sets", "Relations"];

/// Why a corpus cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// A system cannot be had.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The proof assistant fails.
    #[error(transparent)]
    Env(#[from] EnvError),
    /// A file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The library has no such folder.
    #[error("{}: the library has no such folder; it is installed in part, or its folders are called otherwise", .0.display())]
    NoFolder(PathBuf),
    /// The library's sources are not there.
    #[error("{}: there are compiled modules only; install the sources of Rocq's library, too", .0.display())]
    NoSources(PathBuf),
}

/// What to take from Rocq's library.
#[derive(Clone, Debug)]
pub struct Request {
    /// Folders of the library, such as `Bool`.
    pub folders: Vec<String>,
    /// How many theorems to draw; all unless given.
    pub sample: Option<usize>,
    /// The seed of the drawing.
    pub seed: u64,
    /// Theorems checked at the same time.
    pub jobs: usize,
}

/// A row of the corpus.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// The file and the theorem's name in it: `Bool.Bool.andb_true_r`.
    pub id: String,
    /// The theorem's name in the library, qualified by the modules around it.
    pub name: String,
    /// `rocq`
    pub system: &'static str,
    /// The file: `Bool.Bool`.
    pub library: String,
    /// How much of the file the header holds.
    pub category: Category,
    /// What stands before the statement.
    pub header: String,
    /// The statement.
    pub statement: String,
    /// What closes the sections and modules around it.
    pub footer: String,
    /// The name by which header, statement and footer together make the theorem known.
    pub theorem_name: String,
    /// The library's own proof, from `Proof` to `Qed`. No provider ever sees it.
    pub reference_proof: String,
    /// The axioms that this proof rests on.
    pub axioms: Vec<String>,
}

/// What came of a theorem.
#[derive(Clone, Debug)]
pub enum Checked {
    /// Its own proof was accepted afresh.
    Taken(Box<Entry>),
    /// Its own proof was not accepted in any surroundings.
    Refused {
        /// The theorem.
        id: String,
        /// Why not in the fullest: a reason of the checker, `statement` when it cannot be pinned, or `infrastructure`.
        why: &'static str,
        /// The same for people.
        message: String,
    },
}

/// How many theorems there were, and what came of them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Theorems with tactic proofs in the folders.
    pub found: usize,
    /// Those in functors and module types, which cannot be called by their names. They are never taken.
    pub hidden: usize,
    /// Rows by category.
    pub taken: BTreeMap<char, usize>,
    /// Theorems that were refused, by why.
    pub refused: BTreeMap<&'static str, usize>,
}

impl Summary {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.taken.values().sum()
    }
}

/// Makes the corpus of Rocq's library: its rows in the library's order. `each` is told of every theorem as it comes, with
/// how many are still to be checked at most.
///
/// A sample is drawn before anything is checked, and a theorem that is refused is replaced by the next one drawn: equal
/// requests give equal rows.
pub async fn rocq_stdlib(
    request: &Request,
    config: &Config,
    mut each: impl FnMut(&Checked, usize),
) -> Result<(Vec<Entry>, Summary), CorpusError> {
    let folder = rocq::library_folder().await?.join(library::OWN);
    let names: Vec<&str> = request.folders.iter().map(String::as_str).collect();
    let files = library::files(&folder, &names)?;
    if files.is_empty() {
        return Err(CorpusError::NoSources(folder));
    }
    let environment = registry::environment(System::Rocq, config)?;
    let mut summary = Summary::default();
    let mut candidates = candidates(files, &mut summary);
    if request.sample.is_some() {
        candidates.shuffle(&mut stream(request.seed, Purpose::Candidates));
    }
    let wanted = request.sample.unwrap_or(candidates.len()).min(candidates.len());
    let (mut waiting, mut running) = (candidates.into_iter(), JoinSet::new());
    let mut taken: BTreeMap<usize, Entry> = BTreeMap::new();
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
                taken.insert(place, Entry::clone(entry));
            }
            Checked::Refused { why, .. } => *summary.refused.entry(why).or_default() += 1,
        }
        each(&checked, (wanted - taken.len()).min(waiting.len() + running.len()));
    }
    Ok((taken.into_values().collect(), summary))
}

/// A theorem of the library.
struct Candidate {
    /// Its place in the library.
    place: usize,
    library: Arc<str>,
    source: Arc<Source>,
    /// Its place among the proofs of its file.
    at: usize,
}

/// The theorems that can be called by their names.
fn candidates(files: Vec<library::File>, summary: &mut Summary) -> Vec<Candidate> {
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
    /// Looks for the least surroundings in which the theorem can be pinned and its own proof holds.
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
            let step = ScriptStep { text: String::new(), groups: Vec::new(), children: Vec::new() };
            let claim = environment.assemble(&stated, &[], &Script { steps: vec![step] });
            let submission = format!("{}\n{}\n{proof}\n{}", stated.header, stated.statement, stated.footer);
            let claim = Claim { submission, ..claim };
            last = match judge(environment.checker(), &claim, Level::Compiled).await {
                Verdict::Accepted { axioms, .. } => match environment.checker().pin(&stated).await {
                    Ok(()) => {
                        return Checked::Taken(Box::new(Entry {
                            name: theorem.name.clone(),
                            system: System::Rocq.name(),
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
