//! Proofs written into the source files that state their theorems.
//!
//! `edit` replaces pieces of a file and leaves the rest as it is, `layout` decides which pieces a proof replaces, `follow` finds a
//! theorem in a file that somebody else has changed. Before a file is written, the theorem is judged with the proof as it stands there, and the whole file must compile if it did before.

mod edit;
mod follow;
mod layout;

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_artifact::result::SourceEdit;
use andor_config::Config;
use andor_core::verdict::Reason;
use andor_dataset::Problem;
use andor_engine::registry;
use andor_env::checker::{Checker, Claim, Demand, Level, Verdict, judge};
use andor_env::in_place::WrittenProof;
use andor_env::in_place::{Edit, overlap, replaced};
use andor_env::source;
use tempfile::Builder;

use edit::replaced_in_file;
use layout::Way;

/// Why a proof is not put into its file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InPlaceError {
    /// The theorem is not from a source file.
    #[error("it is not stated in a `.v` or `.lean` file")]
    NoSource,
    /// The file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The file is not as it was when its theorems were read, and the proof cannot follow the change.
    #[error("{} has changed since it was read, and the theorem with it; it is left as it is", .0.display())]
    Changed(PathBuf),
    /// An earlier run found the proof.
    #[error("an earlier run found it; repeat the command without --resume")]
    Earlier,
    /// Another proof stands in its place by now.
    #[error("a proof has been put there already")]
    Filled,
    /// No proposition, so that the value matters.
    #[error(
        "it states no proposition but asks for a value, and any of its type would do: choose the value yourself"
    )]
    Definition,
    /// The checker does not accept the file with the proof in it.
    #[error("the proof is not accepted where it would stand: {0}")]
    Refused(String),
}

/// How a proof was put into its file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Put {
    /// Whether it takes the place of an unfinished proof. If not, what the user's own proof leaves open was filled.
    pub is_whole: bool,
    /// Whether steps or comments of the user's own stood there, which are gone.
    pub has_replaced: bool,
    /// The lines that were put at the top of the file for it.
    pub imports: String,
    /// Both, as changes of the file as it was read.
    pub edits: Vec<SourceEdit>,
}

/// The name by which an `example` is judged in its file.
const EXAMPLE: &str = "andor_example";

/// The source files of a run's theorems, and the proofs that have been put into them.
#[derive(Debug)]
pub struct Sources {
    /// Text before each file; it carries the options that a project is compiled with.
    prelude: String,
    files: BTreeMap<PathBuf, Source>,
}

/// A source file.
#[derive(Debug)]
struct Source {
    /// As it was read, or as somebody else has made it since.
    original: String,
    /// The same without a byte order mark, and with `\n` line ends.
    text: String,
    /// That text as the theorems were read from it, if somebody else has changed the file since.
    read: Option<String>,
    /// As it is on the disk, if nobody else has changed it.
    now: String,
    edits: Vec<Edit>,
    /// Those of them that add imports at the top.
    imports: Vec<Edit>,
    is_written: bool,
}

impl Sources {
    /// Reads the source files of theorems.
    ///
    /// # Errors
    ///
    /// A theorem has none, or one cannot be read or may not be written.
    pub fn read<'a>(
        problems: impl IntoIterator<Item = &'a Problem>,
        prelude: &str,
        to_write: bool,
    ) -> Result<Self, InPlaceError> {
        let mut files = BTreeMap::new();
        for problem in problems {
            let place = problem.place.as_ref().ok_or(InPlaceError::NoSource)?;
            if !files.contains_key(&place.file) {
                let failed = |source| InPlaceError::Io { path: place.file.clone(), source };
                let original = input::text(&place.file).map_err(failed)?;
                if to_write {
                    let file = std::fs::OpenOptions::new().write(true).open(&place.file).map_err(failed)?;
                    // Some users may write what nobody should.
                    if file.metadata().map_err(failed)?.permissions().readonly() {
                        let kind = io::ErrorKind::PermissionDenied;
                        return Err(failed(io::Error::new(kind, "the file is read-only")));
                    }
                }
                files.insert(place.file.clone(), Source::of(original));
            }
            let text = &files[&place.file].text;
            // An `example` has no name there.
            let stated =
                text.get(place.at.statement.clone()).unwrap_or_default().trim_start_matches("example");
            let has_proof = text.get(place.at.proof.clone()).is_some();
            if !has_proof || stated.is_empty() || !problem.theorem.statement.ends_with(stated.trim_end()) {
                return Err(InPlaceError::Changed(place.file.clone()));
            }
        }
        Ok(Self { prelude: prelude.to_owned(), files })
    }

    /// Puts an accepted proof into its file as it is here, not on the disk, if the checker accepts it there.
    ///
    /// # Errors
    ///
    /// The proof cannot be put into its place. The file stays as it was.
    pub async fn put(
        &mut self,
        problem: &Problem,
        proof: &WrittenProof,
        config: &Config,
    ) -> Result<Put, InPlaceError> {
        let file = &problem.place.as_ref().ok_or(InPlaceError::NoSource)?.file;
        let source = self.files.get_mut(file).ok_or(InPlaceError::NoSource)?;
        let followed = match &source.read {
            Some(read) => Some(
                follow::followed(read, &source.text, problem, proof, &self.prelude)
                    .ok_or_else(|| InPlaceError::Changed(file.clone()))?,
            ),
            None => None,
        };
        let (problem, proof) =
            followed.as_ref().map_or((problem, proof), |(problem, proof)| (problem, proof));
        let place = problem.place.as_ref().ok_or(InPlaceError::NoSource)?;
        let theorem = &problem.theorem;
        let reader = source::of(theorem.system).ok_or(InPlaceError::NoSource)?;
        let environment = registry::environment(theorem.system, config);
        let checker = environment.checker();
        let challenge = environment.challenge(theorem);
        let claim = |submission, name: &str| Claim {
            submission,
            challenge: challenge.clone(),
            theorems: vec![name.to_owned()],
        };
        // In the file an `example` has no name.
        let is_example = source.text[place.at.statement.start..].starts_with("example");
        let name = match is_example {
            true => &reader.qualified(&theorem.header, EXAMPLE),
            false => &theorem.name,
        };
        let whole = |edits: &[Edit], at: usize| {
            let mut text = self.prelude.clone() + &replaced(&source.text, edits);
            if is_example {
                let at = self.prelude.len() + at;
                let named = format!("{} {EXAMPLE}", theorem.system.language().statements.theorem);
                text.replace_range(at..at + "example".len(), &named);
            }
            claim(text, name)
        };
        let moved = source.moved(place.at.statement.start);
        let mut refused = String::new();
        for Way { edits, is_whole, imports, effect } in layout::ways(&source.text, &place.at, proof, reader) {
            let top: Vec<Edit> = source.imports.iter().cloned().chain(imports.clone()).collect();
            let Some(header) = source.header(&self.prelude, &theorem.header, &top) else { continue };
            if let Some(effect) = &effect {
                let changed: Vec<Edit> = source.edits.iter().cloned().chain([effect.clone()]).collect();
                let file = [&source.edits, &changed].map(|edits| whole(edits, moved).submission);
                let before =
                    source.header(&self.prelude, &theorem.header, &source.imports).unwrap_or_default();
                let above = [before, header.clone()].map(|header| header + &theorem.footer);
                if !environment.is_harmless(&file, &above, &proof.imports).await {
                    refused = "the import that it needs would change something else in the file".to_owned();
                    continue;
                }
            }
            let of_proof = edits.iter().map(|edit| edit.within(place.at.proof.start));
            let text = replaced(&source.text[place.at.proof.clone()], &of_proof.collect::<Vec<_>>());
            // As in the search: what follows does not belong to it, and may be open.
            let part = format!("{header}{}{text}\n{}", theorem.statement, theorem.footer);
            let edits: Vec<Edit> = source.edits.iter().cloned().chain(imports.clone()).chain(edits).collect();
            if overlap(&edits) {
                return Err(InPlaceError::Filled);
            }
            let claims =
                [&claim(part.clone(), &theorem.name), &whole(&edits, moved), &whole(&source.edits, moved)];
            match accepted(checker, config.verify.demand(), claims, source.read.is_some()).await {
                Ok(()) => {
                    if environment.is_value(theorem, &part).await {
                        return Err(InPlaceError::Definition);
                    }
                    let of_proof = Edit { range: place.at.proof.clone(), text };
                    let edits_told =
                        imports.iter().chain([&of_proof]).map(|edit| source.told(&place.file, edit));
                    let edits_told = edits_told.collect();
                    (source.edits, source.imports) = (edits, top);
                    let imports = imports.map_or(String::new(), |edit| edit.text.trim().to_owned());
                    let old = &source.text[place.at.proof.clone()];
                    let has_replaced = is_whole && layout::has_content(old, theorem.system);
                    return Ok(Put { is_whole, has_replaced, imports, edits: edits_told });
                }
                Err(message) => refused = message,
            }
        }
        Err(InPlaceError::Refused(refused))
    }

    /// The same, and writes the file. If somebody else has changed it, the proof goes to where its theorem stands now, unless that
    /// or its unfinished proof is another one.
    ///
    /// # Errors
    ///
    /// The proof cannot be put into its place, or the file cannot be written. It is as it was.
    pub async fn write(
        &mut self,
        problem: &Problem,
        proof: &WrittenProof,
        config: &Config,
        backup: bool,
    ) -> Result<Put, InPlaceError> {
        /// How often the file may change while the proof is judged in it.
        const TRIES: usize = 5;
        let path = &problem.place.as_ref().ok_or(InPlaceError::NoSource)?.file;
        let mut tries = 0;
        loop {
            let source = self.files.get_mut(path).ok_or(InPlaceError::NoSource)?;
            source.take_in(path)?;
            let put = self.put(problem, proof, config).await?;
            let source = self.files.get_mut(path).ok_or(InPlaceError::NoSource)?;
            tries += 1;
            match source.save(path, backup) {
                Err(InPlaceError::Changed(_)) if tries < TRIES => {}
                saved => return saved.map(|()| put),
            }
        }
    }

    /// The compiled files of Rocq that are older than the proofs that were written.
    pub fn stale(&self) -> Vec<PathBuf> {
        let written = self.files.iter().filter(|(_, source)| source.is_written);
        let compiled = written.map(|(path, _)| path.with_extension("vo"));
        compiled.filter(|compiled| compiled.exists()).collect()
    }

    /// The files that were written and the content of each, without those that somebody else has changed, too.
    pub fn written(&self) -> impl Iterator<Item = (&Path, &str)> {
        let own = self.files.iter().filter(|(_, source)| source.is_written && source.read.is_none());
        own.map(|(path, source)| (path.as_path(), source.now.as_str()))
    }

    /// A unified diff of all files, which `git apply` and `patch -p1` take.
    pub fn diff(&self) -> String {
        let mut text = String::new();
        for (path, source) in self.files.iter().filter(|(_, source)| !source.edits.is_empty()) {
            let here = std::env::current_dir().unwrap_or_default();
            let name =
                path.strip_prefix(&here).or(path.strip_prefix("/")).unwrap_or(path).display().to_string();
            // Behind a name with blanks, programs need its end marked.
            let end = if name.contains(' ') { "\t" } else { "" };
            let name = name.strip_prefix("./").unwrap_or(&name);
            let content = replaced_in_file(&source.original, &source.edits);
            text += &similar::TextDiff::from_lines(&source.original, &content)
                .unified_diff()
                .header(&format!("a/{name}{end}"), &format!("b/{name}{end}"))
                .to_string();
        }
        text
    }
}

/// Judges a theorem in its file: up to its end at the demanded level, and then the whole file, which must compile if it did
/// before, or if somebody is at work on it.
async fn accepted(
    checker: &dyn Checker,
    demand: Demand,
    [part, whole, before]: [&Claim; 3],
    must_compile: bool,
) -> Result<(), String> {
    let told = |verdict| match verdict {
        Verdict::Accepted { .. } => Ok(()),
        Verdict::Rejected { message, .. } => Err(message),
        Verdict::Infrastructure { error, .. } => Err(error.to_string()),
    };
    let does_not_compile = |verdict: &Verdict| {
        matches!(verdict, Verdict::Rejected { reason: Reason::Refused | Reason::Malformed, .. })
    };
    told(judge(checker, part, demand).await)?;
    let verdict = judge(checker, whole, Level::Compiled).await;
    if !must_compile
        && does_not_compile(&verdict)
        && does_not_compile(&judge(checker, before, Level::Compiled).await)
    {
        return Ok(());
    }
    told(verdict)
}

/// Gives a file another content where it is.
fn overwrite(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).open(path)?;
    file.write_all(content)?;
    file.set_len(content.len() as u64)?;
    file.sync_all()
}

/// Where the file before the first proof is kept.
fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".orig");
    PathBuf::from(name)
}

impl Source {
    /// A file with this content.
    fn of(original: String) -> Self {
        let text = original.strip_prefix('\u{feff}').unwrap_or(&original).replace("\r\n", "\n");
        let now = original.clone();
        let (edits, imports) = (Vec::new(), Vec::new());
        Self { original, text, read: None, now, edits, imports, is_written: false }
    }

    /// Takes in what somebody else has made of the file.
    fn take_in(&mut self, path: &Path) -> Result<(), InPlaceError> {
        let now = input::text(path).map_err(|source| InPlaceError::Io { path: path.to_owned(), source })?;
        if now != self.now {
            let read = self.read.take().unwrap_or_else(|| std::mem::take(&mut self.text));
            *self = Self { read: Some(read), is_written: self.is_written, ..Self::of(now) };
        }
        Ok(())
    }

    /// Writes the file with the proofs that were put into it.
    fn save(&mut self, path: &Path, backup: bool) -> Result<(), InPlaceError> {
        let failed = |source| InPlaceError::Io { path: path.to_owned(), source };
        let content = replaced_in_file(&self.original, &self.edits);
        // A link stays one.
        let target = path.canonicalize().map_err(failed)?;
        let folder = target.parent().unwrap_or(Path::new("."));
        let mut file = Builder::new().prefix(".andor-").suffix(".tmp").tempfile_in(folder).map_err(failed)?;
        file.write_all(content.as_bytes()).map_err(failed)?;
        let metadata = std::fs::metadata(&target).map_err(failed)?;
        file.as_file().set_permissions(metadata.permissions()).map_err(failed)?;
        file.as_file().sync_all().map_err(failed)?;
        if std::fs::read_to_string(&target).map_err(failed)? != self.now {
            return Err(InPlaceError::Changed(path.to_owned()));
        }
        if backup {
            let kept = backup_of(&target);
            if !kept.exists() {
                std::fs::copy(&target, kept).map_err(failed)?;
            }
        }
        // Another name of the same file stays one, as in an editor.
        if metadata.nlink() > 1 {
            overwrite(&target, content.as_bytes()).map_err(failed)?;
        } else {
            file.persist(&target).map_err(|error| failed(error.error))?;
        }
        (self.now, self.is_written) = (content, true);
        Ok(())
    }

    /// The text above a theorem, with imports at the top of the file. `None` if they cannot be put there: the text is not that
    /// of the file.
    fn header(&self, prelude: &str, header: &str, imports: &[Edit]) -> Option<String> {
        if imports.is_empty() {
            return Some(header.to_owned());
        }
        let above = header.strip_prefix(prelude).filter(|above| self.text.starts_with(above))?;
        let fits = imports.iter().all(|edit| edit.range.end <= above.len());
        fits.then(|| prelude.to_owned() + &replaced(above, imports))
    }

    /// A change of the file, for programs.
    fn told(&self, file: &Path, Edit { range, text }: &Edit) -> SourceEdit {
        let at = |byte: usize| {
            let above = &self.text[..byte];
            let line = above.rsplit('\n').next().unwrap_or(above);
            (above.matches('\n').count() as u64 + 1, line.chars().count() as u64 + 1)
        };
        let ((line, column), (end_line, end_column)) = (at(range.start), at(range.end));
        let (file, replacement) = (file.display().to_string(), text.clone());
        SourceEdit { file, line, column, end_line, end_column, replacement }
    }

    /// Where a byte of the original text is, with the proofs that were put in before it.
    fn moved(&self, at: usize) -> usize {
        let before = self.edits.iter().filter(|edit| edit.range.end <= at);
        before.fold(at, |at, edit| at + edit.text.len() - edit.range.len())
    }
}
