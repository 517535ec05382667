//! False rejections: theorems of installed Rocq libraries are verified one by one with their own proofs. All should
//! be accepted.

use andor_system_rocq::ROCQ;
use std::sync::Arc;
use std::time::Instant;

use crate::corpus::library::{self, File};
use andor_config::{Binding, Config, LoadPath};
use andor_core::rng::{Purpose, stream};
use andor_core::theorem::Theorem;
use andor_core::verdict::Reason;
use andor_engine::registry;
use andor_env::checker::{Claim, Level, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::error::EnvError;
use andor_system_rocq as rocq;
use andor_system_rocq::{axioms, sentence, source};
use rand::seq::SliceRandom;
use serde::Serialize;
use tokio::task::JoinSet;

use super::BenchError;

/// What to verify.
#[derive(Clone, Debug)]
pub struct StdlibSample {
    /// The libraries to draw theorems from.
    pub libraries: Libraries,
    /// Number of theorems.
    pub count: usize,
    /// The seed of the random choice.
    pub seed: u64,
    /// The level.
    pub level: Level,
    /// Number of theorems verified concurrently.
    pub jobs: usize,
}

/// A selection of libraries.
#[derive(Clone, Debug)]
pub enum Libraries {
    /// Rocq's standard library.
    Own,
    /// All other installed libraries.
    Others,
    /// Some of those: names of folders in `user-contrib`, such as `stdpp`.
    Named(Vec<String>),
}

/// A verified theorem.
#[derive(Clone, Debug, Serialize)]
pub struct StdlibRow {
    /// The file, relative to the folder of the standard library or, for other libraries, to `user-contrib`.
    pub file: String,
    /// The theorem.
    pub theorem: String,
    /// The outcome.
    pub outcome: RecheckOutcome,
    /// The level reached, or not reached.
    pub level: u8,
    /// The message, unless accepted.
    pub message: String,
    /// Time in seconds, including the challenge.
    pub seconds: f64,
}

/// The outcome for a theorem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RecheckOutcome {
    /// The proof is accepted.
    Accepted,
    /// A false rejection.
    Rejected,
    /// It could not be verified.
    Infrastructure,
    /// Rocq itself does not compile the file outside its library. Such theorems do not count.
    Skipped,
}

/// Verifies a sample of theorems, and calls `each` after every one.
pub async fn run(
    sample: StdlibSample,
    config: &Config,
    mut each: impl FnMut(&StdlibRow),
) -> Result<(), BenchError> {
    let Sources { files, allowed_axioms, load_path } = sources(&sample.libraries).await?;
    let config = Config { allowed_axioms, load_path, ..config.clone() };
    let environment = registry::environment(ROCQ, &config);
    let mut candidates = candidates(&files);
    candidates.shuffle(&mut stream(sample.seed, Purpose::Candidates));
    let (mut waiting, mut running) = (candidates.into_iter(), JoinSet::new());
    let mut judged = 0;
    loop {
        while judged + running.len() < sample.count && running.len() < sample.jobs.max(1) {
            let Some(candidate) = waiting.next() else { break };
            let own = declared(&candidate.theorem.header);
            let environment = match own.is_empty() {
                true => Arc::clone(&environment),
                false => {
                    let allowed_axioms = config.allowed_axioms.iter().cloned().chain(own).collect();
                    registry::environment(ROCQ, &Config { allowed_axioms, ..config.clone() })
                }
            };
            running.spawn(async move { one(environment.as_ref(), &candidate, sample.level).await });
        }
        let Some(row) = running.join_next().await else { return Ok(()) };
        let row = row.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        judged += usize::from(row.outcome != RecheckOutcome::Skipped);
        each(&row);
    }
}

/// The files of the libraries, and what they need to compile.
struct Sources {
    files: Vec<File>,
    allowed_axioms: Vec<String>,
    load_path: Vec<LoadPath>,
}

async fn sources(libraries: &Libraries) -> Result<Sources, BenchError> {
    let installed = rocq::library_folder().await?;
    let (folder, name) = library::own(&installed);
    let own = library::files(&folder, &[""])?;
    let mut allowed_axioms = allowed(&own, &format!("{name}."));
    let there = library::others(&installed)?;
    let names = match libraries {
        Libraries::Own => return Ok(Sources { files: own, allowed_axioms, load_path: Vec::new() }),
        Libraries::Others => &there,
        Libraries::Named(names) => names,
    };
    if let Some(name) = names.iter().find(|name| !there.contains(name)) {
        return Err(BenchError::NoLibrary { name: name.clone(), there: there.join(", ") });
    }
    let folder = installed.join(library::OTHERS);
    let files = library::files(&folder, &names.iter().map(String::as_str).collect::<Vec<_>>())?;
    allowed_axioms.extend(allowed(&files, ""));
    // Their files refer to each other by short names.
    let bound =
        |name: &String| LoadPath { binding: Binding::R, folder: folder.join(name), name: name.clone() };
    Ok(Sources { files, allowed_axioms, load_path: names.iter().map(bound).collect() })
}

/// A theorem with its own proof.
struct Candidate {
    file: String,
    theorem: Theorem,
    submission: String,
}

async fn one(environment: &dyn Environment, candidate: &Candidate, level: Level) -> StdlibRow {
    let began = Instant::now();
    // The proof in the file counts, not the script.
    let claim = Claim {
        submission: candidate.submission.clone(),
        challenge: environment.challenge(&candidate.theorem),
        theorems: vec![candidate.theorem.name.clone()],
    };
    let (outcome, level, message) = match environment.checker().pin(&candidate.theorem).await {
        Err(EnvError::TheoremRefused { message, .. }) => {
            // Only Rocq's own refusal of the file excuses ours of the statement.
            match judge(environment.checker(), &claim, Level::Compiled).await {
                Verdict::Rejected { reason: Reason::Refused, .. } => {
                    (RecheckOutcome::Skipped, Level::Claimed, message)
                }
                _ => {
                    (RecheckOutcome::Rejected, Level::Claimed, format!("the statement is refused: {message}"))
                }
            }
        }
        Err(error) => (RecheckOutcome::Infrastructure, Level::Claimed, error.to_string()),
        Ok(()) => match judge(environment.checker(), &claim, level).await {
            Verdict::Accepted { level: reached, shortfall: None, .. } => {
                (RecheckOutcome::Accepted, reached, String::new())
            }
            Verdict::Accepted { level: reached, shortfall: Some(why), .. } => {
                (RecheckOutcome::Infrastructure, reached, why)
            }
            Verdict::Rejected { level, message, .. } => (RecheckOutcome::Rejected, level, message),
            Verdict::Infrastructure { level, error } => {
                (RecheckOutcome::Infrastructure, level, error.to_string())
            }
        },
    };
    StdlibRow {
        file: candidate.file.clone(),
        theorem: candidate.theorem.name.clone(),
        outcome,
        level: level.number(),
        message,
        seconds: began.elapsed().as_secs_f64(),
    }
}

/// All theorems that have a tactic proof and a global name.
fn candidates(files: &[File]) -> Vec<Candidate> {
    let of = |file: &File| {
        let found = source::theorems(&file.text).unwrap_or_default();
        let proved = found.into_iter().filter(|t| t.ending == source::ProofEnding::Opaque && t.reachable);
        let candidates = proved.map(|t| Candidate {
            file: file.name.clone(),
            submission: format!("{}\n{}", &file.text[..t.proof_end], t.closers),
            theorem: Theorem {
                id: t.name.clone(),
                name: t.name,
                system: ROCQ,
                header: file.text[..t.start].to_owned(),
                statement: file.text[t.start..t.opened].to_owned(),
                footer: t.closers,
                extra_imports: Vec::new(),
            },
        });
        candidates.collect::<Vec<_>>()
    };
    files.iter().flat_map(of).collect()
}

/// The axioms that a library declares, by their full names, which begin with `root`.
fn allowed(files: &[File], root: &str) -> Vec<String> {
    let sets = axioms::SETS.iter().flat_map(|(_, members)| members.iter().map(|m| (*m).to_owned()));
    let full = |file: &File| {
        let module = file.module();
        declared(&file.text).into_iter().map(move |name| format!("{root}{module}.{name}"))
    };
    let mut allowed: Vec<String> = sets.chain(files.iter().flat_map(full)).collect();
    allowed.sort();
    allowed.dedup();
    allowed
}

/// The axioms that a file declares, by their names within it.
fn declared(text: &str) -> Vec<String> {
    let mut declared = Vec::new();
    for sentence in sentence::split(text).unwrap_or_default() {
        let mut words = sentence.text.split_whitespace();
        if matches!(words.next(), Some("Axiom" | "Axioms" | "Parameter" | "Parameters" | "Primitive")) {
            let names = words.take_while(|word| !word.starts_with(':'));
            let names = names.map(|name| name.trim_start_matches('(').trim_end_matches(':'));
            declared.extend(names.filter(|name| axioms::is_name(name)).map(str::to_owned));
        }
    }
    declared
}
