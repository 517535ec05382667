//! What a declaration refers to.

use std::collections::HashSet;

use crate::olean::{Address, Constant, Kind, Name, Names, Node, OleanError, Term};

/// A walk over declarations of one file.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) names: Names,
}

/// Which parts of a declaration count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parts {
    /// All of them.
    All,
    /// Those that determine its meaning: not the proofs of theorems.
    Meaning,
    /// Its type alone.
    Statement,
}

impl Walk {
    /// The names of constants to which a declaration refers. Structures whose fields are projected and relatives of an
    /// inductive type are among them.
    pub(super) fn references(
        &mut self,
        constant: &Constant<'_>,
        parts: Parts,
    ) -> Result<HashSet<Name>, OleanError> {
        let mut found = HashSet::new();
        let mut seen: HashSet<Address> = HashSet::new();
        let mut open = vec![constant.statement];
        let mut relatives: Vec<Node<'_>> = Vec::new();
        match &constant.kind {
            _ if parts == Parts::Statement => {}
            Kind::Axiom { .. } | Kind::Quotient { .. } => {}
            Kind::Definition { value, .. } | Kind::Opaque { value, .. } => open.push(*value),
            Kind::Theorem { value, .. } if parts == Parts::All => open.push(*value),
            Kind::Theorem { .. } => {}
            Kind::Inductive { all, constructors, .. } => {
                relatives.extend(all);
                relatives.extend(constructors);
            }
            Kind::Constructor { of, .. } => relatives.push(*of),
            Kind::Recursor { all, rules, .. } => {
                relatives.extend(all);
                open.extend(rules.iter().map(|rule| rule.value));
            }
        }
        for name in relatives {
            found.insert(self.names.read(name)?);
        }
        while let Some(node) = open.pop() {
            if !seen.insert(node.address()) {
                continue;
            }
            match Term::read(node)? {
                Term::Bound(_) | Term::Sort(_) | Term::Literal(_) => {}
                Term::Constant(name, _) => {
                    found.insert(self.names.read(name)?);
                }
                Term::Application(a, b) | Term::Lambda(a, b) | Term::Pi(a, b) => open.extend([a, b]),
                Term::Let(a, b, c) => open.extend([a, b, c]),
                Term::Projection(structure, _, value) => {
                    found.insert(self.names.read(structure)?);
                    open.push(value);
                }
            }
        }
        Ok(found)
    }
}
