//! Stages: what is done once, and how a loop knows that it was done.
//!
//! A stage reads files and writes files. When it is finished, its receipt is written: the digests of both, and its parameters.
//! A receipt whose inputs and parameters are those of now stands for the stage; otherwise the stage is done again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use andor_artifact::files::{FileError, remove_unfinished, write_json};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::error::LoopError;

/// The receipt of a stage: `NAME.stage.json` beside its outputs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Receipt {
    /// The digests of what it read, by name.
    pub inputs: BTreeMap<String, String>,
    /// Its parameters.
    pub parameters: Value,
    /// The digests of the files that it wrote, by name.
    pub outputs: BTreeMap<String, String>,
    /// Numbers about what it did.
    pub counts: BTreeMap<String, u64>,
    /// How long it took, in seconds, since it was last begun.
    pub seconds: f64,
}

/// A stage to be done: its folder and name, what it reads, and the names of the files that it writes.
pub struct Stage<'a> {
    /// The folder of its outputs.
    pub folder: &'a Path,
    /// Its name.
    pub name: &'static str,
    /// What it reads: names with digests.
    pub inputs: BTreeMap<String, String>,
    /// What else determines its outputs.
    pub parameters: Value,
    /// The files that it writes in its folder.
    pub outputs: Vec<String>,
    /// The folder of its run, which is continued if it was begun from the same inputs.
    pub run: Option<&'static str>,
}

/// What a stage with a run was begun from: `NAME.begun.json`.
#[derive(PartialEq, Serialize, Deserialize)]
struct Begun {
    inputs: BTreeMap<String, String>,
    parameters: Value,
}

impl Stage<'_> {
    fn path(&self) -> PathBuf {
        self.folder.join(format!("{}.stage.json", self.name))
    }

    /// The stage's receipt: of an earlier time, or after `work`, which writes the outputs and returns the counts. Outputs must
    /// appear when they are complete.
    ///
    /// # Errors
    ///
    /// The work fails, or an output of an earlier time was changed.
    pub async fn done(
        &self,
        work: impl AsyncFnOnce() -> Result<BTreeMap<String, u64>, LoopError>,
    ) -> Result<Receipt, LoopError> {
        if let Some(receipt) = self.earlier()? {
            return Ok(receipt);
        }
        let began = Instant::now();
        fs_err::create_dir_all(self.folder)?;
        remove_unfinished(self.folder)?;
        self.drop_other_run()?;
        let counts = work().await?;
        let receipt = Receipt {
            inputs: self.inputs.clone(),
            parameters: self.parameters.clone(),
            outputs: self.digests()?,
            counts,
            seconds: began.elapsed().as_secs_f64(),
        };
        write_json(&self.path(), &receipt)?;
        Ok(receipt)
    }

    fn earlier(&self) -> Result<Option<Receipt>, LoopError> {
        let path = self.path();
        let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
        let Ok(receipt) = serde_json::from_str::<Receipt>(&text) else { return Ok(None) };
        if receipt.inputs != self.inputs || receipt.parameters != self.parameters {
            return Ok(None);
        }
        for (name, digest) in &receipt.outputs {
            let file = self.folder.join(name);
            if self::digest(&file).ok().as_ref() != Some(digest) {
                return Err(LoopError::Changed { path: file, receipt: path });
            }
        }
        Ok(Some(receipt))
    }

    /// Removes a run that was begun from other inputs, whose attempts would be taken for those of this one.
    fn drop_other_run(&self) -> Result<(), LoopError> {
        let Some(run) = self.run else { return Ok(()) };
        let (run, path) = (self.folder.join(run), self.folder.join(format!("{}.begun.json", self.name)));
        let begun = Begun { inputs: self.inputs.clone(), parameters: self.parameters.clone() };
        let is_other = match std::fs::read_to_string(&path) {
            Ok(text) => serde_json::from_str::<Begun>(&text).ok().as_ref() != Some(&begun),
            // A receipt that is there is one of other inputs.
            Err(_) => self.path().exists(),
        };
        if is_other && run.exists() {
            fs_err::remove_dir_all(&run)?;
        }
        Ok(write_json(&path, &begun)?)
    }

    fn digests(&self) -> Result<BTreeMap<String, String>, FileError> {
        self.outputs.iter().map(|name| Ok((name.clone(), digest(&self.folder.join(name))?))).collect()
    }
}

/// The digest of a file, or of a folder with the names and contents of everything in it: the first 16 hexadecimal digits of BLAKE3.
///
/// # Errors
///
/// A file cannot be read.
pub fn digest(path: &Path) -> Result<String, FileError> {
    let mut hasher = blake3::Hasher::new();
    if path.is_dir() {
        let entries = fs_err::read_dir(path)?.collect::<Result<Vec<_>, _>>()?;
        let mut names: Vec<_> = entries.into_iter().map(|entry| entry.file_name()).collect();
        names.sort_unstable();
        for name in names {
            let line = format!("{} {}\n", digest(&path.join(&name))?, name.to_string_lossy());
            hasher.update(line.as_bytes());
        }
    } else {
        // Models can be larger than memory.
        std::io::copy(&mut fs_err::File::open(path)?, &mut hasher)?;
    }
    Ok(hasher.finalize().to_hex()[..16].to_owned())
}

/// The digest of bytes, as of a file.
pub fn of_bytes(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage<'a>(folder: &'a Path, parameter: u64) -> Stage<'a> {
        Stage {
            folder,
            name: "count",
            inputs: BTreeMap::from([("a".to_owned(), "1".to_owned())]),
            parameters: Value::from(parameter),
            outputs: vec!["out.txt".to_owned()],
            run: Some("run"),
        }
    }

    async fn done(folder: &Path, parameter: u64) -> (bool, Result<Receipt, LoopError>) {
        let mut worked = false;
        let work = async || {
            worked = true;
            std::fs::write(folder.join("out.txt"), parameter.to_string())?;
            Ok(BTreeMap::new())
        };
        let receipt = stage(folder, parameter).done(work).await;
        (worked, receipt)
    }

    #[tokio::test]
    async fn a_stage_is_done_once_unless_what_it_reads_changes() {
        let folder = tempfile::tempdir().unwrap();
        assert!(done(folder.path(), 1).await.0);
        assert!(!done(folder.path(), 1).await.0);
        assert!(done(folder.path(), 2).await.0);
    }

    #[tokio::test]
    async fn a_run_of_other_inputs_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().join("run/attempt");
        let interrupted = async |parameter| {
            let work = async || Err(LoopError::Interrupted);
            stage(folder.path(), parameter).done(work).await.unwrap_err();
        };
        let begin = async |parameter| {
            interrupted(parameter).await;
            std::fs::create_dir_all(mark.parent().unwrap()).unwrap();
            std::fs::write(&mark, "").unwrap();
        };
        begin(1).await;
        interrupted(1).await;
        assert!(mark.exists(), "the same stage goes on");
        interrupted(2).await;
        assert!(!mark.exists(), "another one begins anew");
        begin(2).await;
        done(folder.path(), 2).await.1.unwrap();
        assert!(mark.exists());
        std::fs::remove_file(folder.path().join("count.begun.json")).unwrap();
        interrupted(3).await;
        assert!(!mark.exists(), "its receipt is one of other inputs");
    }

    #[test]
    fn a_folder_has_the_digest_of_its_contents() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
        std::fs::create_dir(folder.path().join("in")).unwrap();
        write("a", "1");
        assert_eq!(digest(&folder.path().join("a")).unwrap(), of_bytes(b"1"));
        let before = digest(folder.path()).unwrap();
        write("in/b", "2");
        let after = digest(folder.path()).unwrap();
        assert_ne!(before, after);
        write("in/b", "3");
        assert_ne!(digest(folder.path()).unwrap(), after);
    }

    #[tokio::test]
    async fn a_changed_output_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        done(folder.path(), 1).await.1.unwrap();
        std::fs::write(folder.path().join("out.txt"), "other").unwrap();
        assert!(matches!(done(folder.path(), 1).await.1, Err(LoopError::Changed { .. })));
    }
}
