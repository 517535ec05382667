//! The files of the cheat corpus: a folder per system, a `.toml` file per entry (`docs/reference/cheats.md`).

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_core::theorem::{System, Theorem};
use andor_core::verdict::Reason;
use andor_env::checker::{Claim, Level};
use serde::Deserialize;

/// A cheat with its honest twin.
#[derive(Clone, Debug)]
pub struct Cheat {
    /// The name of its file; unique within its system.
    pub name: String,
    /// The system.
    pub system: System,
    /// A short title.
    pub title: String,
    /// What it does.
    pub tries: String,
    /// The origin of the trick.
    pub source: String,
    /// The verdict of naive checks.
    pub naive: Option<String>,
    /// What must become of it.
    pub expected: Expected,
    /// What must become of it instead from a release of its system on, by that release's numbers: 8 and 20 for all of
    /// 8.20. Each holds until the next.
    pub from: BTreeMap<Vec<u64>, Expected>,
    /// The axioms that a proof may use, by name or by the name of a set.
    pub allow_axioms: Vec<String>,
    /// The cheat.
    pub cheat: Trick,
    /// A valid proof that differs as little as possible.
    pub twin: Trick,
}

impl Cheat {
    /// The system and the name; unique in the corpus.
    pub fn id(&self) -> String {
        format!("{}/{}", self.system, self.name)
    }

    /// Makes what must become of it that for a release, such as 8, 20 and 1.
    pub fn settle(&mut self, release: &[u64]) {
        let from = std::mem::take(&mut self.from);
        if let Some((_, expected)) = from.into_iter().rfind(|(first, _)| first.as_slice() <= release) {
            self.expected = expected;
        }
    }
}

/// What must become of a cheat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    /// The lowest level that must reject it; [`Level::Claimed`] if the search must reject it.
    pub rejected_at: Level,
    /// The acceptable reasons for rejection; empty if the search rejects it.
    pub reasons: Vec<Reason>,
}

/// How a proof is submitted.
#[derive(Clone, Debug)]
pub enum Trick {
    /// As a finished file, checked against a trusted one.
    File(Claim),
    /// By a search, as a single tactic that is meant to prove a theorem.
    Tactic {
        /// The theorem. Its header and statement may be part of the trick.
        theorem: Box<Theorem>,
        /// The tactic.
        tactic: String,
    },
}

/// Why the corpus cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheatError {
    /// The folder does not exist or is empty.
    #[error("{}: no cheats were found; --corpus must name the folder that contains `rocq`, `lean4` and `mini`", .0.display())]
    Nothing(PathBuf),
    /// The file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A file is malformed.
    #[error("{}: {what}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The invalid key, and the problem.
        what: String,
    },
}

/// The systems with cheats, and the extension of their files.
const SYSTEMS: [(System, &str); 3] = [(ROCQ, "v"), (LEAN4, "lean"), (MINI, "lean")];

/// An entry's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    title: String,
    tries: String,
    source: String,
    naive: Option<String>,
    kind: Kind,
    theorem: String,
    challenge: Option<String>,
    rejected_at: usize,
    reasons: Vec<String>,
    #[serde(default)]
    from: BTreeMap<String, Change>,
    #[serde(default)]
    allow_axioms: Vec<String>,
    header: Option<String>,
    statement: Option<String>,
    tactic: Option<String>,
    twin_header: Option<String>,
    twin_statement: Option<String>,
    twin_tactic: Option<String>,
}

/// What an entry states for later releases.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    rejected_at: usize,
    reasons: Vec<String>,
}

/// Where the trick is located.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// In a finished file.
    File,
    /// In a tactic that a provider proposes.
    Tactic,
    /// In the header or the statement of a problem.
    Header,
}

/// Reads all entries, ordered by system and name.
pub fn read(folder: &Path) -> Result<Vec<Cheat>, CheatError> {
    let mut entries = Vec::new();
    for (system, extension) in SYSTEMS {
        let folder = folder.join(system.name());
        if folder.is_dir() {
            read_system(system, extension, &folder, &mut entries)?;
        }
    }
    if entries.is_empty() { Err(CheatError::Nothing(folder.to_owned())) } else { Ok(entries) }
}

fn read_system(
    system: System,
    extension: &str,
    folder: &Path,
    entries: &mut Vec<Cheat>,
) -> Result<(), CheatError> {
    let mut names = BTreeSet::new();
    for file in fs_err::read_dir(folder)? {
        names.insert(file?.file_name().to_string_lossy().into_owned());
    }
    let mut used = BTreeSet::new();
    let described: BTreeSet<&str> = names.iter().filter_map(|n| n.strip_suffix(".toml")).collect();
    for name in described {
        let mut reader = Reader { system, extension, folder, name, used: &mut used };
        entries.push(reader.entry()?);
    }
    let has_ending = |name: &&String| Path::new(name).extension().is_some_and(|e| e == extension);
    match names.iter().filter(has_ending).find(|name| !used.contains(*name)) {
        Some(stray) => Err(malformed(&folder.join(stray), "no entry uses it".to_owned())),
        None => Ok(()),
    }
}

/// Reads one entry.
struct Reader<'a> {
    system: System,
    extension: &'a str,
    folder: &'a Path,
    name: &'a str,
    /// The files that entries refer to.
    used: &'a mut BTreeSet<String>,
}

impl Reader<'_> {
    fn entry(&mut self) -> Result<Cheat, CheatError> {
        let path = self.folder.join(format!("{}.toml", self.name));
        let wrong = |key: &str, what: &str| Err(malformed(&path, format!("`{key}` {what}")));
        let text = input::text(&path)?;
        let mut d: Description = toml::from_str(&text).map_err(|e| malformed(&path, e.to_string()))?;
        let expected = expected(d.kind, d.rejected_at, &d.reasons)
            .map_err(|(key, what)| malformed(&path, format!("`{key}` {what}")))?;
        let from = changes(self.system, d.kind, &d.from, &expected).map_err(|what| malformed(&path, what))?;
        let (cheat, twin) = match d.kind {
            Kind::File => match unexpected(&d) {
                Some(key) => return wrong(key, "is not for entries of this kind"),
                None => self.files(&d)?,
            },
            Kind::Tactic | Kind::Header => {
                if d.challenge.is_some() {
                    return wrong("challenge", "is not for entries of this kind");
                }
                let changes = [
                    ("twin_tactic", &d.twin_tactic, Kind::Tactic),
                    ("twin_header", &d.twin_header, Kind::Header),
                    ("twin_statement", &d.twin_statement, Kind::Header),
                ];
                if !changes.iter().any(|(_, value, kind)| value.is_some() && *kind == d.kind) {
                    let key = if d.kind == Kind::Tactic { "twin_tactic" } else { "twin_header" };
                    return wrong(key, "is missing");
                }
                let Some(statement) = d.statement.take() else { return wrong("statement", "is missing") };
                let Some(tactic) = d.tactic.take() else { return wrong("tactic", "is missing") };
                let header = d.header.take().unwrap_or_default();
                let twin = self.tactic(
                    &d.theorem,
                    d.twin_header.take().unwrap_or_else(|| header.clone()),
                    d.twin_statement.take().unwrap_or_else(|| statement.clone()),
                    d.twin_tactic.take().unwrap_or_else(|| tactic.clone()),
                );
                (self.tactic(&d.theorem, header, statement, tactic), twin)
            }
        };
        Ok(Cheat {
            name: self.name.to_owned(),
            system: self.system,
            title: d.title,
            tries: d.tries,
            source: d.source,
            naive: d.naive,
            expected,
            from,
            allow_axioms: d.allow_axioms,
            cheat,
            twin,
        })
    }

    /// The cheat and its twin, both checked against the same trusted file.
    fn files(&mut self, d: &Description) -> Result<(Trick, Trick), CheatError> {
        let (name, extension) = (self.name, self.extension);
        let own = || format!("{name}.challenge.{extension}");
        let challenge = self.text(d.challenge.clone().unwrap_or_else(own))?;
        let against = |submission| {
            let (challenge, theorems) = (challenge.clone(), vec![d.theorem.clone()]);
            Trick::File(Claim { submission, challenge, theorems })
        };
        let cheat = against(self.text(format!("{name}.{extension}"))?);
        Ok((cheat, against(self.text(format!("{name}.twin.{extension}"))?)))
    }

    fn text(&mut self, name: String) -> Result<String, CheatError> {
        let text = input::text(self.folder.join(&name))?;
        self.used.insert(name);
        Ok(text)
    }

    fn tactic(&self, theorem: &str, header: String, statement: String, tactic: String) -> Trick {
        let theorem = Theorem {
            id: self.name.to_owned(),
            name: theorem.to_owned(),
            system: self.system,
            header,
            statement,
            footer: String::new(),
            extra_imports: Vec::new(),
        };
        Trick::Tactic { theorem: Box::new(theorem), tactic }
    }
}

/// What must become of a cheat, or the key at fault and what is wrong with it.
fn expected(kind: Kind, rejected_at: usize, reasons: &[String]) -> Result<Expected, (&'static str, String)> {
    let Some(&rejected_at) = Level::ALL.get(rejected_at) else {
        return Err(("rejected_at", "must be a level, 0 to 4".to_owned()));
    };
    let known = |name: &String| {
        let found = Reason::ALL.into_iter().find(|reason| reason.name() == name);
        found.ok_or_else(|| ("reasons", format!("has no reason to reject a proof: `{name}`")))
    };
    let reasons: Vec<Reason> = reasons.iter().map(known).collect::<Result<_, _>>()?;
    if reasons.is_empty() != (rejected_at == Level::Claimed) {
        let what = "must be given for level 1 and above, and be empty for level 0";
        return Err(("reasons", what.to_owned()));
    }
    if kind == Kind::File && rejected_at == Level::Claimed {
        return Err(("rejected_at", "must be at least 1 for a file".to_owned()));
    }
    Ok(Expected { rejected_at, reasons })
}

/// What must become of a cheat from later releases on.
fn changes(
    system: System,
    kind: Kind,
    stated: &BTreeMap<String, Change>,
    first: &Expected,
) -> Result<BTreeMap<Vec<u64>, Expected>, String> {
    if !stated.is_empty() && system != ROCQ {
        return Err("`from` is for Rocq only, which is tested with several releases".to_owned());
    }
    let mut changes = BTreeMap::new();
    for (release, change) in stated {
        let numbers: Result<Vec<u64>, _> = release.split('.').map(str::parse).collect();
        let numbers = numbers.ok().filter(|numbers| matches!(numbers.len(), 2 | 3));
        let numbers = numbers.ok_or_else(|| {
            format!("`from.\"{release}\"` must name a release by two or three numbers, such as 8.20")
        })?;
        let expected = expected(kind, change.rejected_at, &change.reasons)
            .map_err(|(key, what)| format!("`{key}` of `from.\"{release}\"` {what}"))?;
        if changes.insert(numbers, expected).is_some() {
            return Err(format!("`from.\"{release}\"` is there twice"));
        }
    }
    let mut before = first;
    for (release, expected) in &changes {
        if expected == before {
            let release: Vec<String> = release.iter().map(u64::to_string).collect();
            return Err(format!("`from.\"{}\"` says what holds without it", release.join(".")));
        }
        before = expected;
    }
    Ok(changes)
}

/// A key that is not allowed in an entry of files.
fn unexpected(d: &Description) -> Option<&'static str> {
    let keys = [
        ("header", &d.header),
        ("statement", &d.statement),
        ("tactic", &d.tactic),
        ("twin_header", &d.twin_header),
        ("twin_statement", &d.twin_statement),
        ("twin_tactic", &d.twin_tactic),
    ];
    keys.into_iter().find(|(_, value)| value.is_some()).map(|(key, _)| key)
}

fn malformed(path: &Path, what: String) -> CheatError {
    CheatError::Malformed { path: path.to_owned(), what }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "title = 'T'\ntries = 'x'\nsource = 's'\nkind = 'file'\ntheorem = 't'\n";

    /// A corpus of one entry and the files given.
    fn corpus(system: &str, toml: &str, files: &[&str]) -> Result<Vec<Cheat>, CheatError> {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let own = folder.path().join(system);
        fs_err::create_dir(&own).expect("it is empty");
        fs_err::write(own.join("one.toml"), toml).expect("it is writable");
        for file in files {
            fs_err::write(own.join(file), "theorem t : True := trivial\n").expect("it is writable");
        }
        read(folder.path())
    }

    /// The error for a corpus of one entry and the files given.
    fn error(toml: &str, files: &[&str]) -> String {
        corpus("mini", toml, files).expect_err("the corpus is malformed").to_string()
    }

    #[test]
    fn malformed_entries_are_named_with_their_keys() {
        let all = ["one.lean", "one.twin.lean", "one.challenge.lean"];
        let with = |rest: &str| format!("{FILE}{rest}");
        for (toml, files, expected) in [
            (with("rejected_at = 2\nreasons = ['axiom']\n"), &all[..2], "one.challenge.lean"),
            (with("rejected_at = 5\nreasons = ['axiom']\n"), &all, "one.toml: `rejected_at`"),
            (with("rejected_at = 0\nreasons = []\n"), &all, "one.toml: `rejected_at`"),
            (with("rejected_at = 2\nreasons = ['luck']\n"), &all, "`luck`"),
            (with("rejected_at = 2\nreasons = []\n"), &all, "one.toml: `reasons`"),
            (with("rejected_at = 2\nreasons = ['axiom']\ntactic = 'x'\n"), &all, "one.toml: `tactic`"),
            (with("rejected_at = 2\nreasons = ['axiom']\nnonsense = 1\n"), &all, "nonsense"),
            (with("reasons = ['axiom']\n"), &all, "rejected_at"),
            (
                with("rejected_at = 0\nreasons = []\n").replace("'file'", "'tactic'"),
                &[],
                "`twin_tactic` is missing",
            ),
        ] {
            let message = error(&toml, files);
            assert!(message.contains(expected), "{expected}: {message}");
        }
        let stray = error(
            &with("rejected_at = 2\nreasons = ['axiom']\n"),
            &["one.lean", "one.twin.lean", "one.challenge.lean", "two.lean"],
        );
        assert!(stray.contains("two.lean: no entry uses it"), "{stray}");
    }

    #[test]
    fn an_entry_may_hold_from_a_release_on() {
        const FILES: [&str; 3] = ["one.v", "one.twin.v", "one.challenge.v"];
        let with = |from: &str| format!("{FILE}rejected_at = 2\nreasons = ['bug']\n{from}");
        let change = |release: &str, rest: &str| format!("[from.'{release}']\n{rest}\n");
        let refused = "rejected_at = 1\nreasons = ['refused']";
        let text =
            with(&(change("8.20", refused) + &change("9.0.1", "rejected_at = 2\nreasons = ['axiom']")));
        let entries = corpus("rocq", &text, &FILES).unwrap();
        let settled = |release: [u64; 3]| {
            let mut entry = entries[0].clone();
            entry.settle(&release);
            (entry.expected.rejected_at, entry.expected.reasons)
        };
        for release in [[8, 16, 1], [8, 19, 2]] {
            assert_eq!(settled(release), (Level::Audited, vec![Reason::Bug]));
        }
        for release in [[8, 20, 0], [8, 20, 1], [9, 0, 0]] {
            assert_eq!(settled(release), (Level::Compiled, vec![Reason::Refused]));
        }
        for release in [[9, 0, 1], [9, 2, 0], [10, 0, 0]] {
            assert_eq!(settled(release), (Level::Audited, vec![Reason::Axiom]));
        }
        for (system, from, expected) in [
            ("rocq", change("8", refused), "`from.\"8\"` must name a release"),
            ("rocq", change("8.x", refused), "must name a release"),
            ("rocq", change("8.20", "rejected_at = 1\nreasons = []"), "`reasons` of `from.\"8.20\"`"),
            ("rocq", change("8.20", "rejected_at = 1\nreasons = ['refused']\nuntil = '9.0'"), "until"),
            ("rocq", change("8.20", refused) + &change("08.20", refused), "is there twice"),
            ("rocq", change("8.20", refused) + &change("9.0", refused), "`from.\"9.0\"` says what holds"),
            ("rocq", change("8.20", "rejected_at = 2\nreasons = ['bug']"), "says what holds without it"),
            ("mini", change("8.20", refused), "`from` is for Rocq only"),
        ] {
            let files =
                FILES.map(|file| if system == "mini" { file.replace(".v", ".lean") } else { file.into() });
            let message = corpus(system, &with(&from), &files.each_ref().map(String::as_str)).unwrap_err();
            assert!(message.to_string().contains(expected), "{expected}: {message}");
        }
    }

    #[test]
    fn an_empty_folder_has_no_cheats() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(read(folder.path()), Err(CheatError::Nothing(_))));
    }
}
