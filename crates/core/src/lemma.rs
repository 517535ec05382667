//! Lemmas that were looked up.

/// A lemma, as the assistant prints it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Lemma {
    /// Its name.
    pub name: String,
    /// Its statement, on one line.
    pub statement: String,
}
