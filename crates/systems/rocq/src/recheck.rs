//! Level 3: the kernel alone reads the compiled modules again, in a process without tactics, notations and plugins.
//! Its exit code does not cover axioms and disabled checks, so its summary is parsed.

use std::path::{Path, PathBuf};

use super::challenge::{self, asked};
use super::compiler::{Compiled, Compiler, KernelRun, file_error, garbled, program};
use super::judge::{self, SUBMISSION, own_name};
use super::{RocqConfig, dialect, probe_version};
use andor_core::verdict::Reason;
use andor_env::checker::{Level, Step, Verdict};
use andor_env::error::EnvError;

/// Has the kernel check the submission and the modules that judged it. It may assume what the challenge does, and theorems that
/// are `open` in the trusted file, behind what the challenge states.
pub(super) async fn modules(compiler: &Compiler, folder: &Path, open: &[String]) -> Step<()> {
    let failed = Verdict::failed(Level::Rechecked);
    let modules = [challenge::MODULE, SUBMISSION, judge::MODULE];
    let doing = "rechecking a proof";
    let rejected = |reason, message: String| Err(Verdict::rejected(Level::Rechecked, reason, message));
    let summary = match compiler.recheck(folder, &modules, KernelRun::Alone, doing).await.map_err(&failed)? {
        Compiled::Done(stdout) => stdout,
        Compiled::Refused(message) => {
            return rejected(Reason::Kernel, format!("the second kernel run rejects it: {message}"));
        }
    };
    let sections = read(&summary).ok_or_else(|| failed(garbled(doing, &summary)))?;
    for section in &sections {
        let mut own = section.entries.iter().filter_map(|e| own_name(e));
        if section.is_axioms() {
            // Level 2 determined what each theorem uses. This is independent of that result.
            if let Some(name) = own
                .find(|name| !section.entries.contains(&asked(name)) && !open.iter().any(|open| open == name))
            {
                let message = format!("the submission assumes `{name}`, but the challenge does not");
                return rejected(Reason::Axiom, message);
            }
        } else if let Some(name) = own.next() {
            let title = section.title.to_lowercase();
            return rejected(Reason::Unchecked, format!("the submission has {title}: `{name}`"));
        }
    }
    Ok(())
}

/// A section of the summary.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Section {
    title: String,
    entries: Vec<String>,
}

impl Section {
    /// Axioms of all modules are listed, whether or not a theorem uses them.
    fn is_axioms(&self) -> bool {
        self.title == "Axioms"
    }
}

/// Sections that the summary must contain.
const EXPECTED: &[&str] = &["Theory", "Axioms"];

/// Parses a summary: lines `* title: <none>` or `* title:`, followed by an indented line per entry. `None` if it is
/// not a summary, or names an unknown theory.
fn read(summary: &str) -> Option<Vec<Section>> {
    let mut sections: Vec<Section> = Vec::new();
    for line in summary.lines() {
        if let Some((title, rest)) = line.strip_prefix("* ").and_then(|l| l.split_once(':')) {
            let inline = Some(rest.trim()).filter(|r| !r.is_empty() && *r != "<none>");
            let entries = inline.map(str::to_owned).into_iter().collect();
            sections.push(Section { title: title.to_owned(), entries });
        } else if line.starts_with(' ')
            && !line.trim().is_empty()
            && let Some(section) = sections.last_mut()
        {
            section.entries.push(line.trim().to_owned());
        }
    }
    let complete = EXPECTED.iter().all(|e| sections.iter().any(|s| s.title == *e));
    let predicative = sections.iter().any(|s| s.title == "Theory" && s.entries == ["Set is predicative"]);
    (complete && predicative).then_some(sections)
}

/// The module that queries which libraries a submission has loaded.
const LIBRARIES: &str = "andor_libraries";

/// Has the kernel check all libraries that a compiled submission, in a folder, has loaded, unless this is recorded as
/// done. What it refuses is rejected.
pub(super) async fn libraries(compiler: &Compiler, config: &RocqConfig, folder: &Path) -> Step<()> {
    let level = Level::Rechecked;
    let failed = Verdict::failed(level);
    let doing = "rechecking the libraries";
    let text = format!("Require {SUBMISSION}.\nPrint Libraries.\n");
    let loaded = match compiler.compile(folder, LIBRARIES, &text, doing).await.map_err(&failed)? {
        Compiled::Done(stdout) => {
            // There are always some, unless nothing is.
            let loaded = read_libraries(&stdout);
            if loaded.is_empty() { Err(failed(garbled(doing, &stdout))) } else { Ok(loaded) }
        }
        Compiled::Refused(message) => Err(failed(garbled(doing, &message))),
    }?;
    let known = match &config.cache {
        Some(cache) => {
            let digest = digest(config, &loaded).await.map_err(&failed)?;
            Some(cache.join("rocq-libraries").join(digest))
        }
        None => None,
    };
    if known.as_ref().is_some_and(|k| k.exists()) {
        return Ok(());
    }
    tracing::info!("rechecking the libraries; this takes about a minute, once");
    match compiler.recheck(folder, &loaded, KernelRun::All, doing).await.map_err(&failed)? {
        Compiled::Done(summary) => {
            let sections = read(&summary).ok_or_else(|| failed(garbled(doing, &summary)))?;
            let unchecked =
                sections.iter().find(|s| !s.is_axioms() && s.title != "Theory" && !s.entries.is_empty());
            if let Some(section) = unchecked {
                let (title, names) = (section.title.to_lowercase(), section.entries.join("`, `"));
                let message = format!("the libraries that it loads have {title}: `{names}`");
                return Err(Verdict::rejected(level, Reason::Unchecked, message));
            }
        }
        Compiled::Refused(message) => {
            // Without the names, the message often says only that there is an error in a type.
            let shown = compiler.recheck(folder, &loaded, KernelRun::AllShown, doing).await;
            let place = match &shown {
                Ok(Compiled::Refused(shown)) => last_checked(shown),
                Ok(Compiled::Done(_)) | Err(_) => None,
            };
            let what = place.unwrap_or_else(|| "a library that the proof uses".to_owned());
            let message = format!("the second kernel run rejects {what}: {message}");
            return Err(Verdict::rejected(level, Reason::Kernel, message));
        }
    }
    if let Some(known) = known
        && let Err(error) = remember(&known, &loaded)
    {
        tracing::warn!("cannot save the result of rechecking the libraries: {error}");
    }
    Ok(())
}

/// The last library of which the kernel says that it checks it, with the declaration at which it stopped.
fn last_checked(shown: &str) -> Option<String> {
    let lines: Vec<&str> = shown.lines().collect();
    let (at, library) = lines
        .iter()
        .enumerate()
        .rev()
        .find_map(|(at, line)| Some((at, line.strip_prefix("Checking library: ")?.trim())))?;
    let declaration = lines[at..].iter().rev().find_map(|line| line.trim().strip_prefix("checking cst:"));
    Some(match declaration {
        Some(declaration) => format!("the library `{library}` at `{}`", declaration.trim()),
        None => format!("the library `{library}`"),
    })
}

/// The libraries that Rocq lists as loaded, in order, without the submission itself.
fn read_libraries(stdout: &str) -> Vec<String> {
    let names = stdout.lines().filter(|l| l.starts_with(' ')).map(str::trim);
    names.filter(|n| !n.is_empty() && *n != SUBMISSION).map(str::to_owned).collect()
}

/// Records what was rechecked, atomically.
fn remember(known: &Path, libraries: &[String]) -> Result<(), EnvError> {
    let folder = known.parent().expect("it has a folder above it");
    let write = || {
        std::fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        std::io::Write::write_all(&mut file, libraries.join("\n").as_bytes())?;
        file.persist(known)?;
        Ok(())
    };
    write().map_err(|source: std::io::Error| file_error("cannot write", known, source))
}

/// A digest of libraries, by name, and of all compiled files that may belong to them, by name, size and time.
async fn digest(config: &RocqConfig, libraries: &[String]) -> Result<String, EnvError> {
    let program = program(dialect::COMPILERS)?;
    let version = probe_version(&program).await.unwrap_or_default();
    let mut hasher = blake3::Hasher::new();
    let mut add = |part: &str| {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    };
    add(&version);
    for library in libraries {
        add(library);
    }
    let standard = super::compiler::library_folder(&program).await?;
    for folder in std::iter::once(&standard).chain(config.load_path.iter().map(|bound| &bound.folder)) {
        for file in compiled_files(folder) {
            add(&file);
        }
    }
    Ok(hasher.finalize().to_hex()[..32].to_owned())
}

/// The compiled modules below a folder with their sizes and times, sorted.
fn compiled_files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(data) = entry.metadata() else { continue };
            if data.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "vo") {
                let time = data.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
                found.push(format!("{} {} {time:?}", path.display(), data.len()));
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const SUMMARY: &str = "\nCONTEXT SUMMARY\n===============\n\n* Theory: Set is predicative\n  \n* Axioms:\n    \
        Coq.Logic.Classical_Prop.classic\n    andor_submission.f\n  \n* Constants/Inductives relying on type-in-type: <none>\n  \n\
        * Constants/Inductives relying on unsafe (co)fixpoints:\n    andor_submission.loop\n  \n\
        * Inductives whose positivity is assumed: <none>\n  \n";

    #[test]
    fn all_sections_are_read() {
        let sections = read(SUMMARY).unwrap();
        let brief: Vec<(&str, usize)> =
            sections.iter().map(|s| (s.title.as_str(), s.entries.len())).collect();
        let expected = [
            ("Theory", 1),
            ("Axioms", 2),
            ("Constants/Inductives relying on type-in-type", 0),
            ("Constants/Inductives relying on unsafe (co)fixpoints", 1),
            ("Inductives whose positivity is assumed", 0),
        ];
        assert_eq!(brief, expected);
    }

    #[test]
    fn the_summaries_of_each_release_are_read_alike() {
        for text in [
            include_str!("../tests/data/answers/8.16.1/summary.txt"),
            include_str!("../tests/data/answers/8.20.1/summary.txt"),
            include_str!("../tests/data/answers/9.2.0/summary.txt"),
        ] {
            let sections = read(text).unwrap();
            let assumed: Vec<&str> = sections
                .iter()
                .filter(|section| section.title != "Theory")
                .flat_map(|section| section.entries.iter().map(String::as_str))
                .collect();
            assert_eq!(assumed, ["submission.own"]);
        }
    }

    #[test]
    fn loaded_libraries_are_read() {
        let stdout = "Loaded library files: \n  Coq.Init.Logic\n  My.Own\n  andor_submission\n";
        assert_eq!(read_libraries(stdout), ["Coq.Init.Logic", "My.Own"]);
    }

    #[test]
    fn the_library_that_is_refused_is_named() {
        let shown = "Checking library: Coq.Init.Nat\n  checking cst:Coq.Init.Nat.add\nChecking library: L.Lib\n  \
                     checking module: L.Lib\n  checking cst:L.Lib.first\n  checking cst:L.Lib.wrong\nFatal Error: Type error\n";
        assert_eq!(last_checked(shown).unwrap(), "the library `L.Lib` at `L.Lib.wrong`");
        let loading = "Checking library: Coq.Init.Nat\n  checking cst:Coq.Init.Nat.add\nChecking library: L.Lib\nError\n";
        assert_eq!(last_checked(loading).unwrap(), "the library `L.Lib`");
        assert_eq!(last_checked("Fatal Error: no such file\n"), None);
    }

    #[test]
    fn another_theory_or_another_output_is_not_understood() {
        assert_eq!(read(&SUMMARY.replace("predicative", "impredicative")), None);
        assert_eq!(read("Modules were successfully checked\n"), None);
        assert_eq!(read(""), None);
    }
}
