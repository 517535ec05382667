//! What is printed of attempts as soon as they end.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::{Arc, Mutex};

use andor_artifact::result::{AttemptResult, Outcome};
use andor_dataset::Problem;
use andor_engine::event::{Event, Outlook, Sink};
use andor_env::in_place::WrittenProof;
use andor_run::proof_cache::ProofCache;
use andor_terminal::progress::Progress;
use andor_terminal::report;
use tokio::sync::mpsc::UnboundedSender;

/// An accepted proof.
pub(super) struct Passed {
    pub(super) theorem: String,
    /// As it is put into a file; `None` if an earlier run found it.
    pub(super) written: Option<WrittenProof>,
    /// As it is printed.
    pub(super) text: String,
    /// The same for programs.
    pub(super) record: Box<AttemptResult>,
}

/// What is done with a result.
pub(super) enum Telling {
    /// It is printed as a line of JSON.
    Records,
    /// The first proof of each theorem is printed.
    Proofs,
    /// The first proof of each theorem is passed on, until the run is over. For programs, each other result is printed.
    Pass { to: Option<UnboundedSender<Passed>>, for_programs: bool },
}

/// Shows the progress of a run, and tells its results.
pub(super) struct Teller {
    progress: Arc<Mutex<Progress>>,
    problems: Vec<Problem>,
    telling: Telling,
    /// Where proofs are kept for later.
    cache: Option<ProofCache>,
    /// The attempts that have been told.
    told: HashSet<String>,
    /// The theorems of which a proof has been.
    proved: HashSet<String>,
    /// Proofs of attempts that are about to end, by their names.
    written: HashMap<String, WrittenProof>,
    failed: Option<io::Error>,
}

impl Teller {
    pub(super) fn new(
        progress: Arc<Mutex<Progress>>,
        problems: &[Problem],
        telling: Telling,
        cache: Option<ProofCache>,
    ) -> Self {
        Self {
            progress,
            problems: problems.to_vec(),
            telling,
            cache,
            told: HashSet::new(),
            proved: HashSet::new(),
            written: HashMap::new(),
            failed: None,
        }
    }

    /// The run is over. Tells the results that no event has told, those of an earlier run.
    pub(super) fn finish(&mut self, results: &[AttemptResult]) -> io::Result<()> {
        results.iter().for_each(|result| self.tell("", result));
        if let Telling::Pass { to, .. } = &mut self.telling {
            *to = None;
        }
        self.failed.take().map_or(Ok(()), Err)
    }

    fn tell(&mut self, attempt: &str, result: &AttemptResult) {
        let written = self.written.remove(attempt);
        let AttemptResult { theorem, attempt, role, seed, .. } = result;
        if !self.told.insert(format!("{theorem} {attempt} {role:?} {seed}")) {
            return;
        }
        let is_first_proof = result.outcome == Outcome::Accepted && self.proved.insert(theorem.clone());
        if let (true, Some(cache), Some(written)) = (is_first_proof, &self.cache, &written)
            && let Some(problem) = self.problems.iter().find(|problem| problem.theorem.id == *theorem)
            && problem.place.is_some()
            && let Err(error) = cache.keep(&problem.theorem, &written.whole)
        {
            tracing::warn!("the proof of {theorem} is not kept for later: {error}");
        }
        let inside = written.as_ref().and_then(|written| self.imports_inside(theorem, written));
        let progress = self.progress.lock().expect("progress does not panic");
        let record = || progress.above(|| report::records(std::slice::from_ref(result)));
        let printed = match &self.telling {
            Telling::Records => record(),
            Telling::Proofs if is_first_proof => progress.above(|| report::proof(result, &self.problems)),
            Telling::Pass { to, .. } if is_first_proof => {
                let text = report::proof_text(result, &self.problems);
                let passed =
                    Passed { theorem: theorem.clone(), written, text, record: Box::new(result.clone()) };
                // Who puts proofs into files listens until the run is over.
                if let Some(to) = to {
                    let _ = to.send(passed);
                }
                Ok(())
            }
            Telling::Pass { for_programs: true, .. } => record(),
            Telling::Proofs | Telling::Pass { .. } => Ok(()),
        };
        if let (Telling::Proofs, true, Some(inside)) = (&self.telling, is_first_proof, inside) {
            progress.say(&inside);
        }
        drop(progress);
        if let Err(error) = printed {
            self.failed.get_or_insert(error);
        }
    }

    /// Says which imports a printed proof has in it, if its theorem stands in a file.
    fn imports_inside(&self, theorem: &str, written: &WrittenProof) -> Option<String> {
        let problem = self.problems.iter().find(|problem| problem.theorem.id == theorem)?;
        let place = problem.place.as_ref().filter(|_| !written.imports.is_empty())?;
        let lines: Vec<&str> = written.imports.iter().map(|import| import.line.as_str()).collect();
        Some(format!(
            "{}:{}: the proof of {theorem} has {} in it; with --write, the file begins with that",
            place.file.display(),
            place.lines.start(),
            lines.join(" ")
        ))
    }
}

impl Sink for Teller {
    fn event(&mut self, attempt: &str, event: &Event) {
        self.progress.lock().expect("progress does not panic").event(attempt, event);
        match event {
            Event::Written(proof) => drop(self.written.insert(attempt.to_owned(), (**proof).clone())),
            Event::AttemptFinished(result) => self.tell(attempt, result),
            _ => {}
        }
    }

    fn outlook(&mut self, outlook: Outlook) {
        self.progress.lock().expect("progress does not panic").outlook(outlook);
    }
}
