//! Heuristics for the embedded prover, and for Lean: what a patient beginner with good habits would try.
//!
//! A step that loses nothing (an introduction, taking a conjunction apart) is proposed alone, behind what may
//! close the goal at once, so that a search has nothing to choose there. Otherwise each room proposes by one
//! kind of knowledge: `logic` by connectives, `chaining` by what hypotheses imply, `witness` for what is to
//! exist, `equality` by equations, `induction` by inductive types, `arithmetic` by numbers, and `lemmas` by
//! what the library knows. Only core Lean's tactics are proposed with confidence; names that cannot be written
//! are never used.

mod arithmetic;
mod chaining;
mod equality;
mod induction;
mod lemmas;
mod logic;
mod safe;
mod situation;
mod term;
mod witness;

use situation::Situation;

use crate::contract::Request;

/// The most candidates for one goal.
const MOST: usize = 100;

/// The proposals so far: tactics with their log-priors.
#[derive(Debug, Default)]
struct Proposals(Vec<(String, f64)>);

impl Proposals {
    fn add(&mut self, log_prior: f64, tactic: impl Into<String>) {
        self.0.push((tactic.into(), log_prior));
    }
}

/// Tactics for an obligation, with log-priors.
pub(super) fn suggest(request: Request<'_>) -> Vec<(String, f64)> {
    let Some(goal) = request.goals.first() else { return Vec::new() };
    let mut out = Proposals::default();
    match Situation::of(request.theorem, goal) {
        Some(situation) => propose(&situation, &mut out),
        None => {
            for (log_prior, tactic) in
                [(-0.3, "assumption"), (-0.5, "rfl"), (-1.0, "simp"), (-1.2, "omega"), (-1.5, "intro h")]
            {
                out.add(log_prior, tactic);
            }
        }
    }
    out.0.sort_by(|a, b| b.1.total_cmp(&a.1));
    out.0.truncate(MOST);
    out.0
}

fn propose(s: &Situation, out: &mut Proposals) {
    if safe::closes(s, out) || witness::value(s, out) {
        return;
    }
    arithmetic::closers(s, out);
    if !s.has_metas && safe::propose(s, out) {
        return;
    }
    logic::propose(s, out);
    witness::propose(s, out);
    chaining::propose(s, out);
    equality::propose(s, out);
    induction::propose(s, out);
    lemmas::propose(s, out);
    arithmetic::propose(s, out);
}
