//! Theorems and the systems they are stated in.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use crate::language::{LANGUAGES, Language};

/// A proof system: what its crate calls itself. Systems are ordered by their names.
#[derive(Clone, Copy)]
pub struct System(&'static Language);

impl System {
    /// The system of a language.
    pub const fn of(language: &'static Language) -> Self {
        Self(language)
    }

    /// All systems that are linked into the program, sorted.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = LANGUAGES.iter().copied().map(Self).collect();
        all.sort_unstable();
        all
    }

    /// The name used on the command line and in artifacts.
    pub const fn name(self) -> &'static str {
        self.0.system
    }

    /// Its language.
    pub const fn language(self) -> &'static Language {
        self.0
    }
}

impl PartialEq for System {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for System {}

impl PartialOrd for System {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for System {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl Hash for System {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for System {
    type Err = UnknownSystem;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        LANGUAGES.iter().find(|language| language.system == text).map(|language| Self(language)).ok_or_else(
            || UnknownSystem {
                name: text.to_owned(),
                known: Self::all().into_iter().map(Self::name).collect(),
            },
        )
    }
}

/// The text is not the name of a system of this program.
#[derive(Debug, thiserror::Error)]
#[error("unknown system `{name}` (known: {})", known.join(", "))]
pub struct UnknownSystem {
    /// The text.
    pub name: String,
    /// The names of all systems.
    pub known: Vec<&'static str>,
}

/// A named statement with its header, for one system.
///
/// `header`, `statement` and `footer` are the user's text, byte for byte: a finished proof is checked in a file that
/// contains them unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Theorem {
    /// Unique within a run.
    pub id: String,
    /// The declaration's name in the system.
    pub name: String,
    /// The system whose language the texts are in.
    pub system: System,
    /// Everything before the statement: imports, options, definitions, opened sections.
    pub header: String,
    /// The statement without a proof, for example `Theorem t : 1 = 1.`
    pub statement: String,
    /// What must follow the proof, for example `End section.`
    pub footer: String,
    /// Imports that a provider's tactics need. They are placed after the statement, so they cannot change its
    /// meaning; imports that the system rejects are left out.
    pub extra_imports: Vec<ExtraImport>,
}

impl Theorem {
    /// A digest of the theorem and its system, as 16 hexadecimal digits. Id and name are not included.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for part in [self.system.name(), &self.header, &self.statement, &self.footer] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }
}

/// An import in addition to a theorem's own header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExtraImport {
    /// The line, for example `From Coq Require Import Lia.`
    pub line: String,
    /// The tactics that it brings. It is left out of finished proofs that use neither these nor what it extends.
    pub provides: Vec<String>,
    /// Words of tactics that are there without it, and do more with it.
    pub extends: Vec<String>,
}

impl ExtraImport {
    /// Whether a script mentions a tactic that needs the import. One that provides no tactics is always needed.
    pub fn is_used_in(&self, script: &str) -> bool {
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '.');
        let is_meant = |word: &str| self.provides.iter().chain(&self.extends).any(|tactic| tactic == word);
        self.provides.is_empty()
            || script.split(|c| !is_word(c)).any(|word| is_meant(word.trim_end_matches('.')))
    }
}
