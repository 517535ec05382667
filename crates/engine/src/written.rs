//! Proofs as text for the source files that state their theorems.

use andor_core::ids::NodeId;
use andor_env::outline::Gap;
use andor_env::session::Session;

use crate::driver::{Found, Searched};

use andor_env::in_place::{Fill, WrittenProof};

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
