//! Proofs as text for the source files that state their theorems.

use andor_core::ids::NodeId;
use andor_core::theorem::ExtraImport;
use andor_env::outline::Gap;
use andor_env::session::Session;

use crate::driver::{Found, Searched};

/// A proof as text for a source file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenProof {
    /// Imports that its tactics need.
    pub imports: Vec<ExtraImport>,
    /// All tactics.
    pub whole: String,
    /// If the theorem's own unfinished proof holds: what fills the holes that it leaves.
    pub fills: Option<Vec<Fill>>,
}

/// The proof of a goal that an unfinished proof leaves open. One hole may leave several goals open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fill {
    /// Where the hole is in the file; `None` if the goal is left open at the end.
    pub gap: Option<Gap>,
    /// The tactics.
    pub script: String,
}

/// The proof that a search found.
pub(crate) fn of(found: &Found, session: &Session, searched: &Searched) -> WrittenProof {
    let whole = session.proof_text(&found.script);
    let fill = |&(gap, node): &(Option<Gap>, NodeId)| {
        let step = found.proof.steps.iter().position(|step| step.node == node)?;
        Some(Fill { gap, script: session.proof_text(&found.script.part(step)) })
    };
    let fills = searched.holes.as_deref().and_then(|holes| holes.iter().map(fill).collect());
    WrittenProof { imports: session.imports_of(&whole), whole, fills }
}
