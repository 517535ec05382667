//! The known soundness bugs of Rocq's kernel: `known_bugs.toml`.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use super::table;
use andor_core::verdict::Feature;

/// A release of Rocq.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Version {
    major: u64,
    minor: u64,
    patch: u64,
}

impl Version {
    /// Its three numbers.
    pub fn numbers(self) -> [u64; 3] {
        [self.major, self.minor, self.patch]
    }

    fn branch(self) -> (u64, u64) {
        (self.major, self.minor)
    }
}

impl FromStr for Version {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<u64>, _> = text.split('.').map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[major, minor, patch]) => Ok(Self { major, minor, patch }),
            _ => Err(format!("`{text}` is no version; write three numbers, such as 8.16.1")),
        }
    }
}

/// The name of a known bug: its number in the issues of Rocq.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BugId(pub(super) u32);

impl fmt::Display for BugId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rocq#{}", self.0)
    }
}

/// What decides whether a file meets a bug.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Trigger {
    FixNotStructural,
    CofixTypeOpen,
    CofixNestedMutual,
    ConstructorLetSprop,
    ConstructorLetModule,
    ConstructorLetUniverse,
    WrongAlias,
    PolymorphicWith,
    PrimitiveInModuleType,
    /// Only what leaves a mark in the compiled file; the screen of commands sees the rest.
    FlagCommand,
    VmCastInSection,
    VmCastIntShift,
    /// Leaves no mark in the compiled file: the screen of commands refuses `Register Inline`.
    VmCastInline,
    NativeCast,
    StrictMatch,
    CumulativeSprop,
    UndischargedVariable,
}

impl Trigger {
    /// Whether it belongs to the checks of recursion: what these accept does not meet the bug, which is then not worth a word.
    pub(super) fn is_recursion(self) -> bool {
        matches!(self, Self::FixNotStructural | Self::CofixTypeOpen | Self::CofixNestedMutual)
    }
}

/// What a proof must use to meet a bug.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Concern {
    Fix,
    Cofix,
    Vm,
    Native,
    Int,
    Float,
    Array,
    Sprop,
    Polymorphism,
    Module,
    Inductive,
    Inline,
    Flags,
    Section,
    Axiom,
}

impl Concern {
    /// The feature that tells that a proof uses it, if one does.
    pub(super) fn feature(self) -> Option<Feature> {
        Some(match self {
            Self::Fix => Feature::Fix,
            Self::Cofix => Feature::CoFix,
            Self::Vm => Feature::Vm,
            Self::Native => Feature::Native,
            Self::Int => Feature::Int,
            Self::Float => Feature::Float,
            Self::Array => Feature::Array,
            Self::Sprop => Feature::SProp,
            Self::Polymorphism => Feature::Polymorphism,
            Self::Module => Feature::Functor,
            Self::Inductive | Self::Inline | Self::Flags | Self::Section | Self::Axiom => return None,
        })
    }
}

/// Whether the second run of the kernel, by `coqchk`, has the bug too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Recheck {
    /// It has it.
    Shares,
    /// It does not.
    Refuses,
}

/// A known bug.
#[derive(Debug)]
pub struct Bug {
    /// Its name.
    pub id: BugId,
    /// What is wrong.
    pub title: String,
    /// The first release that has it.
    pub(super) since: Version,
    /// The first release without it, of each branch that has one.
    pub(super) fixed: Vec<Version>,
    /// The part of the prover that is wrong.
    pub component: String,
    pub(crate) feature: Concern,
    pub(crate) trigger: Option<Trigger>,
    /// Whether the second run of the kernel has it.
    pub coqchk: Recheck,
    /// Where to read about it.
    pub url: String,
}

impl Bug {
    /// Whether a release has it. Releases of branches before the last in which it was fixed have it, unless it was fixed there.
    pub fn is_open_in(&self, version: Version) -> bool {
        let fixed = self.fixed.iter().any(|fixed| match fixed.branch().cmp(&version.branch()) {
            Ordering::Equal => version >= *fixed,
            Ordering::Less => self.fixed.iter().all(|other| other.branch() <= fixed.branch()),
            Ordering::Greater => false,
        });
        version >= self.since && !fixed
    }

    /// Whether it is worth a word about a proof that uses some features and is not seen to meet it. Recursion that the checks
    /// accept is not, and a bug of modules without a trigger concerns files that others compiled.
    pub(super) fn is_named_with(&self, features: &[Feature]) -> bool {
        let decided = match self.trigger {
            Some(trigger) => trigger.is_recursion(),
            None => self.feature == Concern::Module,
        };
        !decided && self.feature.feature().is_some_and(|feature| features.contains(&feature))
    }
}

/// All known bugs.
pub(crate) fn all() -> &'static [Bug] {
    static TABLE: LazyLock<Vec<Bug>> =
        LazyLock::new(|| table::read(include_str!("../known_bugs.toml")).expect("a test reads the table"));
    &TABLE
}

/// The bug of a number.
pub(crate) fn numbered(number: u32) -> Option<&'static Bug> {
    all().iter().find(|bug| bug.id == BugId(number))
}

/// A bug of the table by its id.
pub fn of(id: BugId) -> &'static Bug {
    all().iter().find(|bug| bug.id == id).expect("ids are made from the table")
}

/// The bug of a name such as `rocq#20455`.
pub fn named(name: &str) -> Option<&'static Bug> {
    all().iter().find(|bug| bug.id.to_string() == name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn versions_are_read_and_ordered() {
        assert!(version("8.20.1") < version("9.0.0") && version("8.9.1") < version("8.16.0"));
        assert!("9.1".parse::<Version>().is_err() && "9.2+rc1".parse::<Version>().is_err());
    }

    #[test]
    fn bugs_are_open_from_the_first_release_to_the_fix_of_each_branch() {
        for (bug, open, closed) in [
            ("rocq#20455", &["8.16.1", "8.20.1", "9.0.0"][..], &["8.15.2", "9.0.1", "9.1.0", "9.2.0"][..]),
            ("rocq#22021", &["8.20.0", "9.0.1", "9.1.3", "9.2.0"], &["8.19.2", "9.2.1", "9.3.0"]),
            ("rocq#16957", &["8.16.0", "8.16.1", "8.17.0", "9.2.0"], &["8.15.2"]),
            ("rocq#17871", &["8.16.0", "8.17.1"], &["8.18.0", "9.0.0"]),
            ("rocq#16645", &["8.16.0"], &["8.16.1", "8.17.0", "8.18.0"]),
            ("rocq#18629", &["8.19.0"], &["8.18.0", "8.19.1", "8.19.2", "8.20.0"]),
            ("rocq#21683", &["9.0.1", "9.1.0"], &["9.0.0", "9.2.0"]),
            ("rocq#22386", &["8.16.1", "9.2.0"], &["8.15.0", "9.2.1", "9.9.0"]),
            ("rocq#22024", &["8.16.1", "9.9.0"], &["8.15.0"]),
        ] {
            let bug = named(bug).unwrap();
            open.iter().for_each(|v| assert!(bug.is_open_in(version(v)), "{} {v}", bug.id));
            closed.iter().for_each(|v| assert!(!bug.is_open_in(version(v)), "{} {v}", bug.id));
        }
        assert!(named("rocq#1").is_none() && named("20455").is_none());
    }

    #[test]
    fn the_table_is_well_formed() {
        let ids: BTreeSet<BugId> = all().iter().map(|bug| bug.id).collect();
        assert_eq!(ids.len(), all().len(), "two entries have one number");
        for bug in all() {
            let (kind, number) = bug
                .url
                .strip_prefix("https://github.com/rocq-prover/rocq/")
                .and_then(|rest| rest.split_once('/'))
                .unwrap();
            // The number of a bug without an issue is that in the prover's list; its page is the request that fixed it.
            assert!(
                number.parse::<u32>().is_ok() && (kind == "pull" || BugId(number.parse().unwrap()) == bug.id)
            );
            assert!(["issues", "pull"].contains(&kind), "{}", bug.id);
            let parts = ["kernel", "vm", "native", "modules", "universes", "primitive", "tactics"];
            assert!(parts.contains(&&*bug.component) && !bug.title.is_empty(), "{}", bug.id);
            // The checker runs no tactics and knows no flags of commands.
            if bug.component == "tactics" || bug.trigger == Some(Trigger::FlagCommand) {
                assert_eq!(bug.coqchk, Recheck::Refuses, "{}", bug.id);
            }
            assert!(bug.fixed.iter().all(|fixed| *fixed > bug.since), "{}", bug.id);
            assert!(bug.fixed.is_sorted_by(|a, b| a.branch() < b.branch()), "{}", bug.id);
        }
    }

    #[test]
    fn the_documented_table_is_that_of_the_data() {
        fn name<T: PartialEq>(names: &[(&'static str, T)], of: &T) -> &'static str {
            names.iter().find(|(_, known)| known == of).unwrap().0
        }
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/known-bugs.md");
        let page = std::fs::read_to_string(page).unwrap();
        let (_, table) = page.split_once("<!-- begin: known bugs -->").unwrap();
        let (table, _) = table.split_once("<!-- end: known bugs -->").unwrap();
        let documented: Vec<&str> = table.trim().lines().skip(2).collect();
        let mut bugs: Vec<&Bug> = all().iter().collect();
        bugs.sort_by_key(|bug| std::cmp::Reverse(bug.id));
        let rows = bugs.into_iter().map(|bug| {
            let met = match &bug.trigger {
                Some(trigger) => format!("`{}`", name(table::TRIGGERS, trigger)),
                None => format!("named with {}", name(table::CONCERNS, &bug.feature)),
            };
            let written = |version: &Version| version.numbers().map(|number| number.to_string()).join(".");
            let since = (bug.since > version("8.16.0")).then(|| format!("from {}", written(&bug.since)));
            let fixed: Vec<String> = bug.fixed.iter().map(written).collect();
            let fixed = (!fixed.is_empty()).then(|| format!("until {}", fixed.join(", ")));
            let open = since.into_iter().chain(fixed).collect::<Vec<_>>().join(" ");
            let recheck = name(table::RECHECKS, &bug.coqchk);
            format!("| [`{}`]({}) | {} | {met} | {open} | {recheck} |", bug.id, bug.url, bug.title)
        });
        let rows: Vec<String> = rows.collect();
        for (row, documented) in rows.iter().zip(&documented) {
            assert_eq!(row, documented);
        }
        assert_eq!(rows.len(), documented.len());
        // And every recogniser is explained.
        for (trigger, _) in table::TRIGGERS {
            assert!(page.contains(&format!("\n| `{trigger}` | ")), "{trigger}");
        }
    }
}
