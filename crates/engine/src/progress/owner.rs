//! The owner of what is shared: the only writer, in memory and of the file.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use andor_artifact::files::{FileError, LinesWriter, read_lines};
use andor_artifact::progress::{ProgressLine, ProvedSubgoal, WithdrawnProof};
use andor_artifact::version::Kind;
use serde::{Deserialize, Serialize};

/// Proofs of subgoals, for all theorems of a run.
///
/// Additions are idempotent and monotone: in whatever order attempts add proofs, and however often, the best proof of
/// each subgoal counts, and never gives way to a worse one. With a file, an addition is on disk before it counts.
#[derive(Default)]
pub struct Progress {
    state: Mutex<State>,
    /// Held while proofs from the file are replayed, so that each is replayed once.
    pub(super) confirming: tokio::sync::Mutex<()>,
    /// The name of the run.
    run: Option<String>,
}

/// What an attempt that is made elsewhere takes with it of what is shared.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Luggage {
    /// The name of the run.
    run: Option<String>,
    /// What is known about its theorem.
    lines: Vec<ProgressLine>,
}

#[derive(Default)]
struct State {
    /// The proofs of each subgoal, the best first.
    proofs: HashMap<Subgoal, Vec<Known>>,
    withdrawn: HashSet<WithdrawnProof>,
    file: Option<LinesWriter<ProgressLine>>,
    /// What was added without a file.
    added: Vec<ProgressLine>,
}

/// The digest of a theorem's statement, and the signature of a subgoal.
type Subgoal = (String, String);

struct Known {
    proof: Arc<ProvedSubgoal>,
    /// Whether it was replayed since the program started. What a file says is not believed.
    is_replayed: bool,
}

/// What became of an addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Added {
    /// It is the best proof of its subgoal now.
    Best,
    /// It is no better than a proof that is known, or was taken back.
    Known,
}

/// Smaller is better: fewer tactics, then a shorter text, then the one that sorts first, so that any two proofs compare.
fn rank(proof: &ProvedSubgoal) -> (u64, usize, &str) {
    (proof.size, proof.script.len(), &proof.script)
}

fn subgoal(proof: &ProvedSubgoal) -> Subgoal {
    (proof.statement_digest.clone(), proof.signature.clone())
}

impl Progress {
    /// Keeps what is shared in a file, and goes on with what it holds. No other process may use the file.
    ///
    /// # Errors
    ///
    /// The file cannot be read or written, or a line of it is malformed. A last line without an end is passed over.
    pub fn open(path: &Path, run: Option<String>) -> Result<Self, FileError> {
        let mut file = match path.exists() {
            true => LinesWriter::append(path, Kind::Progress)?,
            false => LinesWriter::create(path, Kind::Progress)?,
        };
        file.sync()?;
        let mut state = State { file: Some(file), ..State::default() };
        state.read(read_lines::<ProgressLine>(path, Kind::Progress)?.records);
        Ok(Self { state: Mutex::new(state), run, ..Self::default() })
    }

    /// What an attempt elsewhere brought with it, kept in memory. Nothing of it is believed, as of a file.
    pub fn unpacked(Luggage { run, lines }: Luggage) -> Self {
        let mut state = State::default();
        state.read(lines);
        Self { state: Mutex::new(state), run, ..Self::default() }
    }

    /// What is known about a theorem, for an attempt elsewhere.
    pub fn packed(&self, statement_digest: &str) -> Luggage {
        let state = self.state();
        let proofs = state.proofs.iter().filter(|((digest, _), _)| digest == statement_digest);
        let mut lines: Vec<(&Subgoal, &Known)> =
            proofs.flat_map(|(subgoal, known)| known.iter().map(move |known| (subgoal, known))).collect();
        lines.sort_by_key(|(subgoal, known)| (*subgoal, rank(&known.proof)));
        let proved = |(_, known): (_, &Known)| ProgressLine::Proved(Box::new((*known.proof).clone()));
        let withdrawn = state.withdrawn.iter().filter(|known| known.statement_digest == statement_digest);
        let lines = lines.into_iter().map(proved).chain(withdrawn.cloned().map(ProgressLine::Withdrawn));
        Luggage { run: self.run.clone(), lines: lines.collect() }
    }

    /// What was added to what an attempt brought with it.
    pub fn news(&self) -> Vec<ProgressLine> {
        self.state().added.clone()
    }

    /// Takes what an attempt elsewhere added, whose process replayed each proof.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn take(&self, news: Vec<ProgressLine>) -> Result<(), FileError> {
        for line in news {
            match line {
                ProgressLine::Proved(proof) => drop(self.add(*proof)?),
                ProgressLine::Withdrawn(withdrawn) => drop(self.withdraw(withdrawn)?),
            }
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nothing panics while holding what is shared")
    }

    /// The name of the run.
    pub(super) fn run(&self) -> Option<&str> {
        self.run.as_deref()
    }

    /// The best proof of a subgoal that has been replayed.
    pub fn best(&self, statement_digest: &str, signature: &str) -> Option<Arc<ProvedSubgoal>> {
        let state = self.state();
        let known = state.proofs.get(&(statement_digest.to_owned(), signature.to_owned()))?;
        known.iter().find(|known| known.is_replayed).map(|known| Arc::clone(&known.proof))
    }

    /// Whether a proof is better than what is known.
    pub(super) fn wants(&self, proof: &ProvedSubgoal) -> bool {
        self.state().wants(proof)
    }

    /// Adds a proof that has been replayed.
    ///
    /// # Errors
    ///
    /// The file cannot be written. Then nothing is added.
    pub(super) fn add(&self, proof: ProvedSubgoal) -> Result<Added, FileError> {
        let mut state = self.state();
        if !state.wants(&proof) {
            return Ok(Added::Known);
        }
        let is_in_file = state.confirm(&proof);
        if !is_in_file {
            state.write(&ProgressLine::Proved(Box::new(proof.clone())))?;
            state.insert(Arc::new(proof), true);
        }
        Ok(Added::Best)
    }

    /// Takes a proof back, for good. Returns whether it counted until now.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn withdraw(&self, withdrawn: WithdrawnProof) -> Result<bool, FileError> {
        let mut state = self.state();
        if state.withdrawn.contains(&withdrawn) {
            return Ok(false);
        }
        state.write(&ProgressLine::Withdrawn(withdrawn.clone()))?;
        let before = state.n_proofs();
        state.withdrawn.insert(withdrawn);
        state.drop_withdrawn();
        Ok(state.n_proofs() < before)
    }

    /// The proofs for a theorem that were read from a file and not replayed since, by subgoal, the best first.
    pub(super) fn unconfirmed(&self, statement_digest: &str) -> Vec<Vec<Arc<ProvedSubgoal>>> {
        let state = self.state();
        let of_theorem = state.proofs.iter().filter(|((digest, _), _)| digest == statement_digest);
        let mut lists: Vec<(&Subgoal, Vec<_>)> = of_theorem
            .map(|(subgoal, known)| {
                // Nobody asks for a proof that is worse than one that holds.
                let unsure = known.iter().take_while(|known| !known.is_replayed);
                (subgoal, unsure.map(|known| Arc::clone(&known.proof)).collect())
            })
            .collect();
        lists.sort_by_key(|(subgoal, _)| *subgoal);
        lists.into_iter().map(|(_, proofs)| proofs).filter(|proofs| !proofs.is_empty()).collect()
    }

    /// Records whether a proof from a file held when it was replayed. If not, it is forgotten.
    pub(super) fn confirmed(&self, proof: &ProvedSubgoal, holds: bool) {
        let mut state = self.state();
        if holds {
            state.confirm(proof);
        } else if let Some(known) = state.proofs.get_mut(&subgoal(proof)) {
            known.retain(|known| *known.proof != *proof);
        }
    }
}

impl State {
    /// Takes in lines, of which nothing is believed yet.
    fn read(&mut self, lines: Vec<ProgressLine>) {
        for line in lines {
            match line {
                ProgressLine::Proved(proof) => self.insert(Arc::from(proof), false),
                ProgressLine::Withdrawn(withdrawn) => {
                    self.withdrawn.insert(withdrawn);
                }
            }
        }
        self.drop_withdrawn();
    }

    fn wants(&self, proof: &ProvedSubgoal) -> bool {
        let known = self.proofs.get(&subgoal(proof)).into_iter().flatten();
        let is_worse = |known: &Known| known.is_replayed && rank(&known.proof) <= rank(proof);
        !self.withdrawn.contains(&proof.withdrawn()) && !known.into_iter().any(is_worse)
    }

    fn insert(&mut self, proof: Arc<ProvedSubgoal>, is_replayed: bool) {
        let known = self.proofs.entry(subgoal(&proof)).or_default();
        if known.iter().any(|known| known.proof == proof) {
            return;
        }
        let place = known.partition_point(|known| rank(&known.proof) <= rank(&proof));
        known.insert(place, Known { proof, is_replayed });
    }

    /// Marks a proof as replayed. Returns whether it is known.
    fn confirm(&mut self, proof: &ProvedSubgoal) -> bool {
        let known = self.proofs.get_mut(&subgoal(proof)).into_iter().flatten();
        let mut same = known.filter(|known| *known.proof == *proof);
        same.next().map(|known| known.is_replayed = true).is_some()
    }

    fn drop_withdrawn(&mut self) {
        let withdrawn = &self.withdrawn;
        for known in self.proofs.values_mut() {
            known.retain(|known| !withdrawn.contains(&known.proof.withdrawn()));
        }
    }

    fn n_proofs(&self) -> usize {
        self.proofs.values().map(Vec::len).sum()
    }

    fn write(&mut self, line: &ProgressLine) -> Result<(), FileError> {
        let Some(file) = &mut self.file else {
            self.added.push(line.clone());
            return Ok(());
        };
        file.write(line)?;
        file.sync()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
