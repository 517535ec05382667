//! What tests of lemmas share, whatever proof assistant finds them.

use std::sync::Arc;

use andor_core::lemma::{Lemma, symbols};
use andor_env::session::Session;

/// What is found for the goal of a session's theorem.
pub(crate) async fn found_by(session: &Arc<Session>, most: usize) -> Vec<Lemma> {
    let symbols = symbols(&session.goals(session.root())[0]);
    session.lookup(&symbols, most).await.to_vec()
}

pub(crate) fn names(lemmas: &[Lemma]) -> Vec<&str> {
    lemmas.iter().map(|lemma| lemma.name.as_str()).collect()
}
