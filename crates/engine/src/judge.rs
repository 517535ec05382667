//! Verification of finished proofs outside a search.

pub mod comparator;
mod record;
mod sent;

use std::path::{Path, PathBuf};

use andor_artifact::input::{self, InputError};
use andor_core::theorem::System;
use andor_env::checker::{Claim, judge};
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_env::source::{self, Malformed, Source};

pub use andor_core::verdict::Reason;
pub use andor_env::checker::{Level, Permission, Verdict};
pub use andor_env::trust::Trust;
pub use record::unusable;

use sent::Placed;

use crate::allowed::{self, UnknownAxiom};
use crate::registry::{self, RegistryError};
use andor_config::Config;

/// Why a file cannot be verified. A rejection is not an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// No checker supports this kind of file.
    #[error("{}: the name ends in none of {}; name its system with --system", .0.display(), endings())]
    UnknownKind(PathBuf),
    /// The file is not for the system that was asked for.
    #[error("{}: --system {system}: a file of this system ends in `.{}`", path.display(), system.language().extension)]
    NotOfSystem {
        /// The file.
        path: PathBuf,
        /// The system.
        system: System,
    },
    /// The file is a proof alone, and it is not clear of which theorem.
    #[error("{}: the file has a proof only; say with --theorem NAME which theorem of the other file it proves", .0.display())]
    OnlyProof(PathBuf),
    /// Another file states the theorems, but the level compares no statements.
    #[error("--statement-from: statements are compared only at level 2 (audited) and above; raise --verify")]
    NotCompared,
    /// The two files are for different systems.
    #[error("{}: a {trusted} file cannot state the theorems of {}, which is a {system} file", path.display(), proofs.display())]
    OtherSystem {
        /// The file that states the theorems.
        path: PathBuf,
        /// Its system.
        trusted: System,
        /// The file with the proofs.
        proofs: PathBuf,
        /// The system of that file.
        system: System,
    },
    /// The file is malformed.
    #[error("{}{}: malformed file: {what}", path.display(), in_file(*at))]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Where in it.
        at: Option<Place>,
        /// What is wrong.
        what: String,
    },
    /// The file is larger than `--max-file-size`.
    #[error("{}: the file is larger than {} MB; --max-file-size allows more", path.display(), max_bytes >> 20)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        max_bytes: u64,
    },
    /// The file is empty.
    #[error("{}: the file is empty", .0.display())]
    Empty(PathBuf),
    /// There is no theorem to verify.
    #[error("{}: no theorem was found in the file; name one with --theorem", .0.display())]
    NoTheorem(PathBuf),
    /// The trusted file does not state the theorem in question.
    #[error("{}: the file has no theorem `{theorem}`; it has: {}", path.display(), nearest(theorem, stated))]
    NotStated {
        /// The file.
        path: PathBuf,
        /// The theorem.
        theorem: String,
        /// The theorems that the file states.
        stated: Vec<String>,
    },
    /// An allowed axiom does not exist.
    #[error("--allow-axioms: {0}")]
    UnknownAxiom(#[from] UnknownAxiom),
    /// The system is unavailable.
    #[error(transparent)]
    Registry(#[from] RegistryError),
}

/// How the names of source files end.
fn endings() -> String {
    let mut endings: Vec<String> = source::all()
        .into_iter()
        .map(|reader| format!("`.{}`", reader.system().language().extension))
        .collect();
    endings.dedup();
    endings.join(", ")
}

/// `:line:column`.
fn in_file(at: Option<Place>) -> String {
    at.map_or(String::new(), |Place { line, column }| format!(":{line}:{column}"))
}

/// The names most similar to `wanted`, and the number of the others.
fn nearest(wanted: &str, names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut sorted: Vec<&str> = names.iter().map(String::as_str).collect();
    sorted.sort_by_key(|name| strsim::damerau_levenshtein(wanted, name));
    let more = match sorted.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    sorted.truncate(SHOWN);
    if sorted.is_empty() { "nothing".to_owned() } else { sorted.join(", ") + &more }
}

/// A verified file, and the verdict.
#[derive(Debug)]
pub struct Judgement {
    /// The system.
    pub system: System,
    /// The theorems.
    pub theorems: Vec<String>,
    /// The verdict on all theorems together.
    pub verdict: Verdict,
    /// What of the file was judged, if it was not the whole.
    pub note: Option<String>,
    /// What was judged; `None` of a proof that was made here.
    pub claim: Option<Claim>,
}

impl Judgement {
    /// The theorems with everything that they need, as other kernels of Lean read them ([`Checker::export`]).
    ///
    /// # Errors
    ///
    /// The system has no such form, or the proofs are not accepted at level 2.
    ///
    /// [`Checker::export`]: andor_env::checker::Checker::export
    pub async fn export(&self, config: &Config) -> Result<Vec<u8>, EnvError> {
        match &self.claim {
            Some(claim) => registry::environment(self.system, config).checker().export(claim).await,
            None => Err(EnvError::NoExport),
        }
    }
}

/// What states the theorems.
#[derive(Clone, Copy, Debug)]
pub struct Stated<'a> {
    /// The file.
    pub path: &'a Path,
    /// The system and the text, where they are not those of the file: a row of a data set.
    pub row: Option<(System, &'a str)>,
}

/// What to verify.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// A file with finished proofs: source, Markdown with a block of code, or the proof of one theorem alone.
    pub file: &'a Path,
    /// Its system; by default that of its extension, and of its imports.
    pub system: Option<System>,
    /// The theorems; by default all of the file that states them.
    pub theorems: &'a [String],
    /// What states them; by default the file itself.
    pub statement_from: Option<Stated<'a>>,
    /// Text before each file; it carries the options that a project is compiled with.
    pub prelude: &'a str,
}

/// Verifies the theorems of a file in a fresh process.
pub async fn file(request: Request<'_>, config: &Config) -> Result<Judgement, JudgeError> {
    let Request { file: path, system: wanted, theorems: named, statement_from, prelude } = request;
    if statement_from.is_some() && config.verify.wanted() < Level::Audited {
        return Err(JudgeError::NotCompared);
    }
    let with_options = |text: &str| prelude.to_owned() + text;
    let mut sent = read(path, config.verify.max_bytes())?;
    let mut note = None;
    let of_row = statement_from.and_then(|stated| stated.row).map(|(system, _)| system);
    let of_extension =
        statement_from.and_then(|stated| readers(stated.path).first().map(|reader| reader.system()));
    if let Some(block) = sent::code_block(&sent, named, wanted.or(of_row).or(of_extension)) {
        let line = block.lines().take_while(|line| line.is_empty()).count() + 1;
        sent = block;
        note = Some(format!("only the block of code at line {line} was judged"));
    }
    let mut submission = with_options(&sent);
    let (stating, challenge, row) = match statement_from {
        None => (path, submission.clone(), None),
        Some(Stated { path, row: Some((system, text)) }) => (path, with_options(text), Some(system)),
        Some(Stated { path, row: None }) => {
            (path, with_options(&read(path, config.verify.max_bytes())?), None)
        }
    };
    let trusted = row.map_or_else(|| system_of(stating, &challenge, wanted), Ok)?;
    // The trusted text decides which system its language is for, and what is no source file.
    let own = readers(path);
    let follows = own.is_empty() || own.iter().any(|reader| reader.system() == trusted);
    let system = system_of(path, &challenge, wanted.or(follows.then_some(trusted)))?;
    if trusted != system {
        let (path, proofs) = (stating.to_owned(), path.to_owned());
        return Err(JudgeError::OtherSystem { path, trusted, proofs, system });
    }
    let reader = source::of(system).ok_or_else(|| JudgeError::UnknownKind(path.to_owned()))?;
    let mut placed = None;
    if statement_from.is_some() && reader.is_proof_alone(&sent) {
        let all = stated(reader, &challenge, stating, prelude)?;
        for theorem in named {
            stated_by(reader, &challenge, theorem, stating, prelude)?;
        }
        let names = if named.is_empty() { all } else { named.to_vec() };
        let put = match &names[..] {
            [name] => sent::with_statement(reader, &sent, &challenge, name),
            _ => None,
        };
        let Placed { text, there, here } = put.ok_or_else(|| JudgeError::OnlyProof(path.to_owned()))?;
        (submission, placed) = (text, Some((there, here)));
    }
    // A submission with imports, say, is for another system than the trusted file, which has none.
    let fitting = source::fitting(own, None, &submission).map(|reader| reader.system());
    let meant_for = fitting.filter(|fitting| wanted.is_none() && *fitting != system);
    let mut demand = config.verify.demand();
    let mut theorems: Vec<String> = Vec::new();
    for name in named {
        if !theorems.contains(name) {
            theorems.push(name.clone());
        }
    }
    if statement_from.is_some() {
        // The first level that compares statements.
        demand.least = demand.least.max(Level::Audited);
    }
    for theorem in named {
        match stated_by(reader, &challenge, theorem, stating, prelude) {
            // Errors in the file under verification are for the checker to report.
            Err(JudgeError::Malformed { .. }) if statement_from.is_none() => {}
            stated => stated?,
        }
    }
    if theorems.is_empty() {
        theorems = stated(reader, &challenge, stating, prelude)?;
    }
    if theorems.is_empty() {
        return Err(JudgeError::NoTheorem(stating.to_owned()));
    }
    allowed::known(config, [system], &[submission.clone(), challenge.clone()])?;
    let environment = registry::environment(system, config);
    let mut claim = Claim { submission, challenge, theorems: theorems.clone() };
    let checker = environment.checker();
    let mut verdict = judge(checker, &claim, demand).await;
    if statement_from.is_none() && is_refused_statement(&verdict) {
        // The file states its own theorems, so the fault may be in the file itself.
        let alone = judge(checker, &claim, Level::Compiled).await;
        if matches!(alone, Verdict::Rejected { .. }) {
            verdict = alone;
        }
    }
    // What the compiler says of what follows comes from a proof that never ends.
    if let Verdict::Rejected { level: Level::Compiled, message, at, .. } = &mut verdict
        && let Some((theorem, place)) = reader.unended(&claim.submission)
    {
        match at {
            None => {
                *message =
                    format!("the proof of `{theorem}` is not ended; write `Qed.` behind its last tactic");
                *at = Some(place);
            }
            Some(at) if *at > place => {
                let line = of_file(place, prelude).unwrap_or(place).line;
                *message += &format!(
                    "\nthe proof of `{theorem}` at line {line} is not ended; write `Qed.` behind its last tactic"
                );
            }
            Some(_) => {}
        }
    }
    // A message about the text counts lines in the whole file.
    if let (Some((there, here)), Verdict::Rejected { level: Level::Compiled, message, .. }) =
        (placed, &mut verdict)
    {
        *message += &format!(
            "\nthe proof was put behind its statement: what is line {there} there is line {here} of {}",
            path.display()
        );
    }
    if let (Some(other), Verdict::Rejected { message, .. }) = (meant_for, &mut verdict) {
        *message += &format!(
            "\nby its imports it is for {title}; `{system}` was asked because {} has none: --system {other} asks {title}",
            stating.display(),
            title = other.language().title
        );
    }
    // A file that imports the module that states the theorem has everything of it twice.
    let module = statement_from.and_then(|_| sent::imports_module_of(reader, &sent, stating));
    if let (Some(module), true) = (module, matches!(verdict, Verdict::Rejected { .. })) {
        let moved = match &theorems[..] {
            [name] => sent::proof_of(reader, &sent, name)
                .and_then(|proof| sent::with_statement(reader, &proof, &claim.challenge, name)),
            _ => None,
        };
        let moved = match moved {
            Some(Placed { text, .. }) => {
                let claim = Claim { submission: text, ..claim.clone() };
                Some((judge(checker, &claim, demand).await, claim))
            }
            None => None,
        };
        match (moved, &mut verdict) {
            (Some((accepted @ Verdict::Accepted { .. }, moved)), _) => {
                (verdict, claim) = (accepted, moved);
                note = Some(format!(
                    "it imports `{module}`, the module that states the theorem, so its proof was judged in {}",
                    stating.display()
                ));
            }
            (_, Verdict::Rejected { message, .. }) => {
                *message += &format!(
                    "\nit imports `{module}`; if that is the module that states the theorem, repeat what stands above the theorem in \
                     {} instead, or give the proof alone",
                    stating.display()
                );
            }
            _ => {}
        }
    }
    if let Verdict::Rejected { message, at: told @ Some(_), .. } = &mut verdict
        && let Some(at) = told.take()
    {
        // The text may be the file's with another around it.
        match claim.submission == with_options(&sent) {
            true => *told = of_file(at, prelude),
            false => *message = format!("{at}: {message}"),
        }
    }
    let passed_over = if named.is_empty() { passed_over(reader, &claim.challenge, prelude) } else { None };
    let notes: Vec<String> = note.into_iter().chain(passed_over).collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(Judgement { system, theorems, verdict, note, claim: Some(claim) })
}

/// What a file leaves unproved besides its theorems, which is not judged.
fn passed_over(reader: &dyn Source, text: &str, prelude: &str) -> Option<String> {
    let file = reader.read(text).ok()?;
    let refused = file.refused.into_iter().map(|(start, what)| {
        let line = of_file(Place::of(text, start), prelude).map_or(1, |place| place.line);
        format!("line {line}: {what}")
    });
    let hidden = file.hidden.into_iter().map(|hidden| format!("`{}` is {}", hidden.name, hidden.why));
    let open: Vec<String> = refused.chain(hidden).collect();
    (!open.is_empty()).then(|| format!("not judged, though the file leaves it open: {}", open.join("; ")))
}

/// Whether the checker rejected the trusted file's statement.
fn is_refused_statement(verdict: &Verdict) -> bool {
    matches!(verdict, Verdict::Infrastructure { error: EnvError::TheoremRefused { .. }, .. })
}

/// The readers of files with the extension of this one.
fn readers(path: &Path) -> Vec<&'static dyn Source> {
    source::of_extension(path.extension().and_then(|extension| extension.to_str()).unwrap_or_default())
}

/// The system of a file: the one that is wanted, or that of its extension that a text fits best.
fn system_of(path: &Path, text: &str, wanted: Option<System>) -> Result<System, JudgeError> {
    let own = readers(path);
    match wanted {
        None => source::fitting(own, None, text)
            .map(|reader| reader.system())
            .ok_or_else(|| JudgeError::UnknownKind(path.to_owned())),
        Some(system) if own.is_empty() || own.iter().any(|reader| reader.system() == system) => Ok(system),
        Some(system) => Err(JudgeError::NotOfSystem { path: path.to_owned(), system }),
    }
}

/// The text of a file of at most so many bytes, without a byte order mark.
fn read(path: &Path, max_bytes: u64) -> Result<String, JudgeError> {
    let text = input::text_at_most(max_bytes, path).map_err(|error| {
        let source = error.get_ref().and_then(|source| source.downcast_ref());
        match source {
            Some(InputError::TooLarge { path, .. }) => JudgeError::TooLarge { path: path.clone(), max_bytes },
            _ => error.into(),
        }
    })?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if text.trim().is_empty() {
        return Err(JudgeError::Empty(path.to_owned()));
    }
    Ok(text.to_owned())
}

/// The theorems of a file, behind the options of its project, that can be referred to by name at its end.
fn stated(reader: &dyn Source, text: &str, path: &Path, prelude: &str) -> Result<Vec<String>, JudgeError> {
    reader.names(text).map_err(|Malformed { at, what }| {
        let at = of_file(at, prelude);
        JudgeError::Malformed { path: path.to_owned(), at, what }
    })
}

/// The place in a file of a place behind the options of its project, which stand before it; `None` if it is in those.
fn of_file(Place { line, column }: Place, prelude: &str) -> Option<Place> {
    let start = Place::of(prelude, prelude.len());
    let line = (line + 1).checked_sub(start.line).filter(|line| *line > 0)?;
    let column = if line == 1 { (column + 1).checked_sub(start.column)? } else { column };
    (column > 0).then_some(Place { line, column })
}

/// Checks that a file may state a theorem. If the name occurs in the file but not as a theorem that is recognised, for
/// example as an axiom or definition, the checker decides.
fn stated_by(
    reader: &dyn Source,
    text: &str,
    theorem: &str,
    path: &Path,
    prelude: &str,
) -> Result<(), JudgeError> {
    let stated = stated(reader, text, path, prelude)?;
    let last = theorem.rsplit('.').next().unwrap_or(theorem);
    if stated.iter().any(|name| name == theorem) || reader.may_declare(text, last) {
        return Ok(());
    }
    Err(JudgeError::NotStated { path: path.to_owned(), theorem: theorem.to_owned(), stated })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_much_alike_come_first() {
        let names = ["plus_0_r", "mult_comm", "goal", "lemma", "zero", "plus_comm"].map(str::to_owned);
        assert_eq!(nearest("gaol", &names[2..3]), "goal");
        assert_eq!(nearest("gaol", &[]), "nothing");
        assert!(nearest("plus_com", &names).starts_with("plus_comm, "));
        assert!(nearest("plus_com", &names).ends_with(" and 1 more"));
    }
}
