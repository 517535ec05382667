//! The axioms that a user allows.

/// The name that stands for no axiom at all: those that a system allows by default are not allowed either.
pub const NONE: &str = "none";

/// The axioms that a proof may depend on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AllowedAxioms {
    /// Those that the user names, by their full names.
    pub named: Vec<String>,
    /// Whether no others are allowed: neither those that the system allows by default nor, in Rocq, those of libraries that the
    /// statement itself depends on.
    pub only_named: bool,
}

impl AllowedAxioms {
    /// These, and those that are allowed by default unless [`NONE`] is among the names.
    pub fn named(names: &[String]) -> Self {
        let only_named = names.iter().any(|name| name == NONE);
        Self { named: names.iter().filter(|name| *name != NONE).cloned().collect(), only_named }
    }

    /// Whether an axiom is allowed by name or, if it is among those given, by default.
    pub fn has(&self, axiom: &str, by_default: &[&str]) -> bool {
        !self.only_named && by_default.contains(&axiom) || self.named.iter().any(|named| named == axiom)
    }
}
