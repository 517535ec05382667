//! What the heuristics propose at real goals.

mod mini;
mod rocq;

use std::sync::Arc;

use andor_core::theorem::Theorem;
use andor_env::environment::Environment;
use andor_env::session::{Limits, Session};
use andor_env::worker::Grouping;
use andor_env::workers::Workers;
use andor_provider::contract::{Provider, Request, tidy};
use andor_provider::heuristic::Heuristic;
use andor_testkit::{block_on, theorem};

/// Header, statement, tactics before, what is expected, among how many.
type Case<'a> = (&'a str, &'a str, &'a [&'a str], &'a str, usize);

/// The tactics proposed at a statement, after some tactics, best first.
async fn proposals(
    environment: Arc<dyn Environment>,
    header: &str,
    statement: &str,
    before: &[&str],
) -> Vec<String> {
    let stated = match environment.system().name() {
        "rocq" => format!("Theorem t : {statement}."),
        _ => format!("theorem t : {statement}"),
    };
    let theorem = Theorem { header: header.to_owned(), ..theorem(environment.system(), "t", &stated) };
    let workers = Workers::new(Arc::clone(&environment), Grouping::Coupled);
    let session = Session::open(workers, theorem, Limits::default()).await.expect("it opens");
    let mut at = session.root();
    for tactic in before {
        let mut preview = session.lease(at).preview(tactic).await.expect("an answer");
        at = session.commit(&mut preview).obligations[0];
    }
    let goals = session.goals(at);
    let request = Request::new(session.theorem(), &goals);
    let suggest = async || tidy("heuristic", Heuristic.suggest(request).await.expect("no error"));
    let suggestions = suggest().await.expect("the numbers are in order");
    assert_eq!(suggestions, suggest().await.expect("again"), "equal goals get equal proposals");
    let tactics: Vec<String> = suggestions.candidates.into_iter().map(|c| c.tactic).collect();
    for tactic in &tactics {
        assert!(environment.screen(tactic).is_ok(), "`{tactic}` is one tactic");
    }
    tactics
}

/// Checks that what helps comes early.
fn check(environment: &Arc<dyn Environment>, cases: &[Case<'_>]) {
    block_on(async {
        for (header, statement, before, expected, within) in cases {
            let tactics = proposals(Arc::clone(environment), header, statement, before).await;
            let place = tactics.iter().position(|t| t == expected);
            assert!(
                place.is_some_and(|p| p < *within),
                "{statement}: `{expected}` at {place:?} of {tactics:?}"
            );
        }
    });
}
