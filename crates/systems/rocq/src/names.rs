//! Resolves printed names to constants.
//!
//! Modules that include others create aliases: `Nat.add` of `PeanoNat` is the constant `Init.Nat.add`, also for the
//! kernel, and goals show either name. Moreover, names are printed as short as the loaded modules allow. Signatures
//! therefore use the kernel's canonical name in full, as given by `Locate`.

use std::collections::HashMap;

use andor_core::expr::Name;
use andor_core::goal::{Goal, Term};

use super::document::Document;
use andor_env::error::EnvError;

/// The roots of the libraries that were once Coq's standard library, under this common name.
const LIBRARY: &str = "Coq.";
const LATER_LIBRARIES: [&str; 2] = ["Stdlib.", "Corelib."];

/// Modules of the core of 9.x whose contents earlier releases define elsewhere in the library.
const MOVED: [(&str, &str); 3] = [
    ("BinNums.PosDef.", "PArith.BinPosDef."),
    ("BinNums.NatDef.", "NArith.BinNatDef."),
    ("BinNums.IntDef.", "ZArith.BinIntDef."),
];

/// The canonical names found so far, by printed name. They are valid until something is loaded, declared or imported.
#[derive(Debug, Default)]
pub(super) struct Names(HashMap<Name, Option<Name>>);

/// The first result of `Locate Term`, to which the name refers.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Located {
    full: String,
    /// The printed name of the canonical constant, if it differs.
    alias_of: Option<String>,
}

impl Names {
    /// Forgets all names.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Adds to each goal the canonical names of the constants that it mentions.
    pub(super) async fn tell(&mut self, document: &mut Document, goals: &mut [Goal]) -> Result<(), EnvError> {
        let mut unknown: Vec<Name> =
            goals.iter().flat_map(constants).filter(|name| !self.0.contains_key(*name)).cloned().collect();
        unknown.sort();
        unknown.dedup();
        self.find(document, unknown).await?;
        for goal in goals {
            let known = constants(goal).filter_map(|name| Some((name.clone(), self.0.get(name)?.clone()?)));
            goal.canonical = known.collect();
        }
        Ok(())
    }

    /// The canonical name of a constant, or its own where it has none. It must have been found.
    pub(super) fn canonical<'a>(&'a self, name: &'a Name) -> &'a Name {
        self.0.get(name).and_then(Option::as_ref).unwrap_or(name)
    }

    /// Finds the canonical names of constants.
    pub(super) async fn find(&mut self, document: &mut Document, names: Vec<Name>) -> Result<(), EnvError> {
        if names.is_empty() {
            return Ok(());
        }
        let located = locate(document, &names).await?;
        // A canonical constant is not an alias, so one more query is enough.
        let aliased: Vec<(usize, Name)> = located.iter().enumerate().filter_map(alias).collect();
        let originals: Vec<Name> = aliased.iter().map(|(_, name)| name.clone()).collect();
        let originals = locate(document, &originals).await?;
        let mut found: Vec<Option<Name>> =
            located.iter().map(|l| l.as_ref().map(|l| canonical(&l.full))).collect();
        for ((index, _), original) in aliased.into_iter().zip(originals) {
            found[index] = original.map(|original| canonical(&original.full));
        }
        self.0.extend(names.into_iter().zip(found));
        Ok(())
    }
}

fn alias((index, located): (usize, &Option<Located>)) -> Option<(usize, Name)> {
    Some((index, located.as_ref()?.alias_of.as_deref()?.into()))
}

/// The constants that the expressions of a goal mention.
fn constants(goal: &Goal) -> impl Iterator<Item = &Name> {
    let terms = goal.hypotheses.iter().flat_map(|h| std::iter::once(&h.ty).chain(&h.body));
    let exprs = terms.chain([&goal.target]).filter_map(|Term { expr, .. }| expr.as_ref());
    exprs.flat_map(|expr| expr.constants())
}

async fn locate(document: &mut Document, names: &[Name]) -> Result<Vec<Option<Located>>, EnvError> {
    if names.is_empty() {
        return Ok(Vec::new());
    }
    let questions: Vec<String> = names.iter().map(|name| format!("Locate Term {name}.")).collect();
    let answers = document.ask(&questions).await?;
    Ok(answers.iter().map(|answer| answer.as_deref().and_then(read)).collect())
}

/// Parses an answer on one line: for each object with this name, its kind, its full name, and remarks in parentheses.
fn read(answer: &str) -> Option<Located> {
    let rest =
        ["Constant ", "Inductive ", "Constructor "].iter().find_map(|kind| answer.strip_prefix(kind))?;
    let (full, mut rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut alias_of = None;
    while let Some((remark, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        alias_of = alias_of.or(remark.strip_prefix("alias of ").map(str::to_owned));
        rest = after.trim_start();
    }
    Some(Located { full: full.to_owned(), alias_of })
}

fn canonical(full: &str) -> Name {
    let Some(rest) = LATER_LIBRARIES.iter().find_map(|library| full.strip_prefix(library)) else {
        return full.into();
    };
    let earlier = |(later, earlier): &(&str, &str)| Some(format!("{earlier}{}", rest.strip_prefix(later)?));
    format!("{LIBRARY}{}", MOVED.iter().find_map(earlier).as_deref().unwrap_or(rest)).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_name_stands_for_comes_first() {
        let located = |full: &str, alias: Option<&str>| {
            Some(Located { full: full.to_owned(), alias_of: alias.map(str::to_owned) })
        };
        let shorter = "(shorter name to refer to it in current context is A.b)";
        assert_eq!(
            read(&format!("Constant X.A.b (alias of Y.b) Constant Z.b {shorter}")),
            located("X.A.b", Some("Y.b"))
        );
        assert_eq!(read(&format!("Inductive X.A.b {shorter} (alias of c)")), located("X.A.b", Some("c")));
        assert_eq!(read("Constructor X.b Constant Z.b (alias of c)"), located("X.b", None));
        for other in ["No term of basename x", "Notation Coq.Reals.Rdefinitions.Rplus", ""] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn the_standard_library_has_one_name() {
        for full in ["Coq.Init.Nat.add", "Stdlib.Init.Nat.add", "Corelib.Init.Nat.add"] {
            assert_eq!(&*canonical(full), "Coq.Init.Nat.add");
        }
        assert_eq!(&*canonical("Mine.Init.Nat.add"), "Mine.Init.Nat.add");
        for full in
            ["Coq.ZArith.BinIntDef.Z.add", "Stdlib.ZArith.BinIntDef.Z.add", "Corelib.BinNums.IntDef.Z.add"]
        {
            assert_eq!(&*canonical(full), "Coq.ZArith.BinIntDef.Z.add");
        }
    }
}
