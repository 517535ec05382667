//! Proofs that were found before, kept for `andor prove` on source files: when a file has been edited or a prover upgraded, a
//! search begins with the proof that held then. It is judged like any other.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_core::theorem::Theorem;
use andor_dataset::Problem;
use serde::{Deserialize, Serialize};

/// The most proofs that are kept of one statement, in different contexts.
const MOST: usize = 8;

/// A proof of a statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Kept {
    /// The theorem's name.
    theorem: String,
    /// A digest of the theorem with all that stands above it.
    context: String,
    /// The tactics.
    script: String,
}

/// A folder of proofs.
#[derive(Clone, Debug)]
pub struct ProofCache {
    folder: PathBuf,
}

/// How much a cache holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Holdings {
    /// The number of statements.
    pub statements: usize,
    /// The number of proofs.
    pub proofs: usize,
    /// The size in bytes.
    pub bytes: u64,
}

impl ProofCache {
    /// The cache in a folder, which need not exist.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The proofs of problems by the ids of their theorems, where one is known: of the same context, or else the last one.
    /// Unfinished proofs of the user's own go first, so these have none.
    pub fn find(&self, problems: &[Problem]) -> HashMap<String, String> {
        let of = |problem: &Problem| {
            if problem.place.is_none() || problem.partial_proof().is_some() {
                return None;
            }
            let kept = self.read(&problem.theorem);
            let context = problem.theorem.digest();
            let found = kept.iter().find(|kept| kept.context == context).or(kept.first())?;
            Some((problem.theorem.id.clone(), found.script.clone()))
        };
        problems.iter().filter_map(of).collect()
    }

    /// Keeps a proof of a theorem, the last one first.
    ///
    /// # Errors
    ///
    /// It cannot be written.
    pub fn keep(&self, theorem: &Theorem, script: &str) -> io::Result<()> {
        let new =
            Kept { theorem: theorem.name.clone(), context: theorem.digest(), script: script.to_owned() };
        let mut kept = self.read(theorem);
        if kept.first() == Some(&new) {
            return Ok(());
        }
        kept.retain(|old| old.context != new.context);
        kept.insert(0, new);
        kept.truncate(MOST);
        fs_err::create_dir_all(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&serde_json::to_vec(&kept)?)?;
        file.persist(self.file(theorem))?;
        Ok(())
    }

    /// How much there is.
    ///
    /// # Errors
    ///
    /// The folder cannot be read.
    pub fn holdings(&self) -> io::Result<Holdings> {
        let mut holdings = Holdings::default();
        for path in self.files()? {
            let Ok(bytes) = input::bytes(&path) else { continue };
            holdings.statements += 1;
            holdings.bytes += bytes.len() as u64;
            holdings.proofs += serde_json::from_slice::<Vec<Kept>>(&bytes).map_or(0, |kept| kept.len());
        }
        Ok(holdings)
    }

    /// Forgets all proofs. Other files in the folder stay.
    ///
    /// # Errors
    ///
    /// One cannot be removed.
    pub fn clear(&self) -> io::Result<()> {
        self.files()?.iter().try_for_each(fs_err::remove_file)
    }

    fn files(&self) -> io::Result<Vec<PathBuf>> {
        if !self.folder.is_dir() {
            return Ok(Vec::new());
        }
        let mut files = Vec::new();
        for entry in fs_err::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "json") {
                files.push(path);
            }
        }
        Ok(files)
    }

    /// What is kept of a statement. A file that cannot be read holds nothing.
    fn read(&self, theorem: &Theorem) -> Vec<Kept> {
        let bytes = input::bytes(self.file(theorem)).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    fn file(&self, theorem: &Theorem) -> PathBuf {
        let alone = Theorem { header: String::new(), footer: String::new(), ..theorem.clone() };
        self.folder.join(format!("{}.json", alone.digest()))
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use andor_system_rocq::ROCQ;

    fn theorem(header: &str) -> Theorem {
        Theorem {
            id: "t".to_owned(),
            name: "t".to_owned(),
            system: ROCQ,
            header: header.to_owned(),
            statement: "Theorem t : True.".to_owned(),
            footer: String::new(),
            extra_imports: Vec::new(),
        }
    }

    #[test]
    fn the_last_proof_is_kept_for_each_context() {
        let folder = tempfile::tempdir().unwrap();
        let cache = ProofCache::new(folder.path().join("proofs"));
        assert_eq!(cache.holdings().unwrap(), Holdings::default());
        for context in 0..10 {
            cache.keep(&theorem(&context.to_string()), &format!("exact {context}.")).unwrap();
        }
        cache.keep(&theorem("9"), "exact I.").unwrap();
        let kept: Vec<String> = cache.read(&theorem("")).into_iter().map(|kept| kept.script).collect();
        assert_eq!((kept.len(), kept[0].as_str(), kept[1].as_str()), (MOST, "exact I.", "exact 8."));
        let Holdings { statements, proofs, bytes } = cache.holdings().unwrap();
        assert!((statements, proofs) == (1, MOST) && bytes > 100);
        fs_err::write(cache.file(&theorem("")), "[{").unwrap();
        assert!(cache.read(&theorem("")).is_empty());
        cache.clear().unwrap();
        assert_eq!(cache.holdings().unwrap(), Holdings::default());
    }
}
