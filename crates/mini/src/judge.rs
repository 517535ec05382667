//! Queries of a judge about a finished file: what it proves from which axioms, whether it gives up a proof, whether
//! it states the same as another file, and whether the kernel accepts it again.

use crate::elab::context::MetaContext;
use crate::elab::theory::Theory;
use crate::kernel::compare::{Comparison, Difference, Differs, written_size};
use crate::kernel::env::{Body, Declaration, Env};
use crate::kernel::replay::ReplayError;
use crate::kernel::term::{Name, Term};
use crate::lean_term::{Unwritable, written};
use crate::prover::{FileError, read_prelude};

/// The axiom that every unfinished proof depends on.
pub const SORRY: &str = "sorryAx";

/// Words that close a goal without a proof.
pub const GIVING_UP: &[&str] = &["sorry", "admit", SORRY];

/// Maximum size of a term in a message, written out.
const MAX_SHOWN: usize = 2_000;

/// A file, read and checked from the prelude on.
pub struct File {
    prelude: Env,
    theory: Theory,
    text: String,
}

impl File {
    /// Reads a file, including the prelude. Nothing is shared with other readings.
    pub fn read(text: &str) -> Result<Self, FileError> {
        let prelude = read_prelude();
        let theory = prelude.extended(text)?;
        Ok(Self { prelude: prelude.env, theory, text: text.to_owned() })
    }

    /// The kind of a name that the file itself declares, in words.
    pub fn kind(&self, name: &str) -> Option<&'static str> {
        let own = |name: &&str| self.prelude.get(name).is_none();
        Some(name).filter(own).and_then(|name| self.theory.env.get(name)).map(|d| d.body.kind())
    }

    /// The axioms that a theorem of the file depends on, in order; includes `sorryAx` if something is not proved.
    /// `None` if the file itself proves no theorem of that name.
    pub fn axioms(&self, theorem: &str) -> Option<Vec<String>> {
        self.kind(theorem)?;
        self.theory.axioms(theorem)
    }

    /// A declaration that gives up a proof, whether a theorem needs it or not, and that does not in a trusted file, too.
    pub fn left_open(&self, trusted: &Self) -> Option<String> {
        let gives_up = |declaration: &Declaration| {
            let value = match &declaration.body {
                Body::Definition(value, _) | Body::Theorem(value) => Some(value),
                _ => None,
            };
            declaration.ty.mentions(SORRY) || value.is_some_and(|value| value.mentions(SORRY))
        };
        let is_open_there = |name: &Name| trusted.theory.env.get(name).is_some_and(|there| gives_up(there));
        let mut open = self.declared().filter(|(name, here)| gives_up(here) && !is_open_there(name));
        open.next().map(|(name, _)| name.to_string())
    }

    /// How a theorem differs from its statement in a trusted file, in words; `None` if they are equal. Every name
    /// that the statement depends on must have the same definition in both files.
    pub fn statement_differs(&self, trusted: &Self, theorem: &str) -> Option<String> {
        let Differs { name, how } = self.comparison(trusted).same(theorem).err()?;
        let told = self.told(trusted, &how);
        Some(match *name == *theorem {
            true => format!("`{theorem}` differs: {told}"),
            false => format!("`{theorem}` mentions `{name}`, which differs: {told}"),
        })
    }

    /// An axiom that differs between this file and a trusted one, or that only one of them declares, in words.
    pub fn axioms_differ(&self, trusted: &Self) -> Option<String> {
        if let Some(axiom) = self.assumed().find(|axiom| !trusted.assumed().any(|a| a == *axiom)) {
            return Some(format!("`{axiom}` is an axiom here but not in the challenge"));
        }
        let mut comparison = self.comparison(trusted);
        trusted.assumed().find_map(|axiom| {
            let Differs { name, how } = comparison.same(axiom).err()?;
            let told = self.told(trusted, &how);
            Some(match name == *axiom {
                true => format!("the axiom `{axiom}` differs from the challenge: {told}"),
                false => {
                    format!("the axiom `{axiom}` of the challenge mentions `{name}`, which differs: {told}")
                }
            })
        })
    }

    /// The file after the kernel has checked all its declarations again, including the prelude, from
    /// the declarations alone.
    pub fn replayed(&self) -> Result<Self, ReplayError> {
        let mut theory = self.theory.clone();
        theory.env = theory.env.replayed()?;
        Ok(Self { prelude: self.prelude.clone(), theory, text: self.text.clone() })
    }

    /// A Lean file that proves theorems of this file, and all that they depend on, as terms.
    pub fn lean_terms(&self, theorems: &[String]) -> Result<String, Unwritable> {
        written(&self.theory.env, &self.prelude, theorems)
    }

    /// The declarations of the file itself, in order.
    fn declared(&self) -> impl Iterator<Item = (&Name, &Declaration)> {
        self.theory.env.declarations().filter(|(name, _)| self.prelude.get(name).is_none())
    }

    /// The axioms declared by the file itself, in order.
    fn assumed(&self) -> impl Iterator<Item = &Name> {
        self.declared().filter(|(_, d)| matches!(d.body, Body::Axiom)).map(|(name, _)| name)
    }

    fn comparison<'e>(&'e self, trusted: &'e Self) -> Comparison<'e> {
        Comparison::new(&self.prelude, &trusted.theory.env, &self.theory.env)
    }

    /// Describes a difference.
    fn told(&self, trusted: &Self, how: &Difference) -> String {
        let both = |expected: &Term, found: &Term| {
            let (mut here, mut there) = (self.shown(found), trusted.shown(expected));
            if here == there && written_size(found).max(written_size(expected)) <= MAX_SHOWN {
                // Printed in full, without abbreviations.
                (here, there) = (format!("{found:?}"), format!("{expected:?}"));
            }
            let note = if here == there { " (with other universe levels)" } else { "" };
            format!("\n  {here}\nnot\n  {there}{note}")
        };
        match how {
            Difference::Undeclared => "it is not declared".to_owned(),
            Difference::Kind(expected, found) => format!("it is {found}, not {expected}"),
            Difference::Parameters(expected, found) => {
                format!("it has {found} universe variables, not {expected}")
            }
            Difference::Type(expected, found) => format!("it says{}", both(expected, found)),
            Difference::Value(expected, found) => format!("it stands for{}", both(expected, found)),
            Difference::Shape => "its parameters or constructors differ".to_owned(),
        }
    }

    /// A closed term in source syntax, unless it is too long.
    fn shown(&self, term: &Term) -> String {
        match written_size(term) {
            size if size > MAX_SHOWN => "(a term too large to be shown)".to_owned(),
            _ => MetaContext::new(&self.theory, 0).show(term),
        }
    }
}
