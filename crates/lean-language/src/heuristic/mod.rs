//! Heuristics for what core Lean and the embedded prover have.
//!
//! A step that preserves provability (an introduction, splitting a conjunction) is proposed alone, after tactics that
//! may close the goal at once, so that a search has nothing to choose. Otherwise each module contributes one kind of
//! knowledge: `logic` about connectives, `chaining` about consequences of hypotheses, `witness` about existentials,
//! `equality` about equations, `induction` about inductive types, `arithmetic` about numbers, and `lemmas` about the
//! library. Only tactics of core Lean get high log-priors; inaccessible names are never used.

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

use andor_core::language::HeuristicRequest;
use situation::Situation;

/// Maximum number of candidates for a goal.
const MOST: usize = 100;

/// The proposals so far: tactics with log-priors.
#[derive(Debug, Default)]
struct Proposals(Vec<(String, f64)>);

impl Proposals {
    fn add(&mut self, log_prior: f64, tactic: impl Into<String>) {
        self.0.push((tactic.into(), log_prior));
    }
}

/// Tactics for an obligation, with log-priors.
pub fn suggest(request: HeuristicRequest<'_>) -> Vec<(String, f64)> {
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
