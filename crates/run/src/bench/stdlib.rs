//! False alarms: theorems of Rocq's standard library with their own proofs, judged one by one. All of them should be accepted.

use std::sync::Arc;
use std::time::Instant;

use andor_core::rng::{Purpose, stream};
use andor_core::theorem::{System, Theorem};
use andor_env::checker::{Claim, Level, Verdict, judge};
use andor_env::environment::{Environment, Script, ScriptStep};
use andor_env::error::EnvError;
use andor_env::rocq::{self, axioms, sentence, source};
use rand::seq::SliceRandom;
use serde::Serialize;
use tokio::task::JoinSet;

use super::BenchError;
use crate::config::Config;
use crate::corpus::library::{self, File};
use crate::registry;

/// What to judge.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// How many theorems are judged.
    pub count: usize,
    /// The seed of their choice.
    pub seed: u64,
    /// The level.
    pub level: Level,
    /// How many at once.
    pub jobs: usize,
}

/// A theorem that was judged.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The file, relative to the library's folder.
    pub file: String,
    /// The theorem.
    pub theorem: String,
    /// What came of it.
    pub outcome: Outcome,
    /// The level reached, or not reached.
    pub level: u8,
    /// The message, unless accepted.
    pub message: String,
    /// Seconds it took, the challenge included.
    pub seconds: f64,
}

/// What came of a theorem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The proof is accepted.
    Accepted,
    /// A false alarm.
    Rejected,
    /// It could not be judged.
    Infrastructure,
    /// The file does not compile outside its library, so there is nothing to judge. Does not count.
    Skipped,
}

/// Judges a sample of the theorems; `each` is told of every one as it comes.
pub async fn run(sample: Sample, config: &Config, mut each: impl FnMut(&Row)) -> Result<(), BenchError> {
    let folder = rocq::library_folder().await?.join("theories");
    let files = library::files(&folder, &[""])?;
    let config = Config { allowed_axioms: allowed(&files), ..config.clone() };
    let environment = registry::environment(System::Rocq, &config)?;
    let mut candidates = candidates(&files);
    candidates.shuffle(&mut stream(sample.seed, Purpose::Candidates));
    let (mut waiting, mut running) = (candidates.into_iter(), JoinSet::new());
    let mut judged = 0;
    loop {
        while judged + running.len() < sample.count && running.len() < sample.jobs.max(1) {
            let Some(candidate) = waiting.next() else { break };
            let environment = Arc::clone(&environment);
            running.spawn(async move { one(environment.as_ref(), &candidate, sample.level).await });
        }
        let Some(row) = running.join_next().await else { return Ok(()) };
        let row = row.unwrap_or_else(|error| std::panic::resume_unwind(error.into_panic()));
        judged += usize::from(row.outcome != Outcome::Skipped);
        each(&row);
    }
}

/// A theorem with its own proof.
struct Candidate {
    file: String,
    theorem: Theorem,
    submission: String,
}

async fn one(environment: &dyn Environment, candidate: &Candidate, level: Level) -> Row {
    let began = Instant::now();
    let (outcome, level, message) = match environment.checker().pin(&candidate.theorem).await {
        Err(EnvError::TheoremRefused { message, .. }) => (Outcome::Skipped, Level::Claimed, message),
        Err(error) => (Outcome::Infrastructure, Level::Claimed, error.to_string()),
        Ok(()) => {
            // The proof that stands there counts, not the script.
            let step = ScriptStep { text: String::new(), groups: Vec::new(), children: Vec::new() };
            let stated = environment.assemble(&candidate.theorem, &[], &Script { steps: vec![step] });
            let claim = Claim { submission: candidate.submission.clone(), ..stated };
            match judge(environment.checker(), &claim, level).await {
                Verdict::Accepted { level: reached, shortfall: None, .. } => {
                    (Outcome::Accepted, reached, String::new())
                }
                Verdict::Accepted { level: reached, shortfall: Some(why), .. } => {
                    (Outcome::Infrastructure, reached, why)
                }
                Verdict::Rejected { level, message, .. } => (Outcome::Rejected, level, message),
                Verdict::Infrastructure { level, error } => {
                    (Outcome::Infrastructure, level, error.to_string())
                }
            }
        }
    };
    Row {
        file: candidate.file.clone(),
        theorem: candidate.theorem.name.clone(),
        outcome,
        level: level.number(),
        message,
        seconds: began.elapsed().as_secs_f64(),
    }
}

/// Every theorem that is proved by tactics and can be called by its name.
fn candidates(files: &[File]) -> Vec<Candidate> {
    let of = |file: &File| {
        let found = source::theorems(&file.text).unwrap_or_default();
        let proved = found.into_iter().filter(|t| t.ending == source::Ending::Opaque && t.reachable);
        let candidates = proved.map(|t| Candidate {
            file: file.name.clone(),
            submission: format!("{}\n{}", &file.text[..t.proof_end], t.closers),
            theorem: Theorem {
                id: t.name.clone(),
                name: t.name,
                system: System::Rocq,
                header: file.text[..t.start].to_owned(),
                statement: file.text[t.start..t.end].to_owned(),
                footer: t.closers,
                extra_imports: Vec::new(),
            },
        });
        candidates.collect::<Vec<_>>()
    };
    files.iter().flat_map(of).collect()
}

/// The axioms that the library itself brings: by their full names, and by the names they have within their files.
fn allowed(files: &[File]) -> Vec<String> {
    let sets = axioms::SETS.iter().flat_map(|(_, members)| members.iter().map(|m| (*m).to_owned()));
    let mut allowed: Vec<String> = sets.collect();
    for file in files {
        let module = file.module();
        for sentence in sentence::split(&file.text).unwrap_or_default() {
            let mut words = sentence.text.split_whitespace();
            if !matches!(words.next(), Some("Axiom" | "Axioms" | "Parameter" | "Parameters" | "Primitive")) {
                continue;
            }
            for name in words.take_while(|w| !w.starts_with(':')) {
                let name = name.trim_start_matches('(').trim_end_matches(':');
                if axioms::is_name(name) {
                    allowed.extend([name.to_owned(), format!("Coq.{module}.{name}")]);
                }
            }
        }
    }
    allowed.sort();
    allowed.dedup();
    allowed
}
