//! Heuristics for Rocq.
//!
//! Each module contributes one kind of knowledge: `logic` about connectives, `equality` about equations and
//! definitions, `induction` about inductive types, `cases` about case analysis, `lemmas` about the header's lemmas,
//! `habits` about its proofs, `library` about naming conventions, `sweeps` about all hypotheses in turn, and
//! `arithmetic` about number systems. Log-priors are rough: tactics that nearly always help are near 0, and cheap
//! tactics come before those that may time out.

mod arithmetic;
mod cases;
mod equality;
mod habits;
mod header;
mod induction;
mod lemmas;
mod library;
mod logic;
mod shape;
mod sweeps;

use andor_core::goal::Goal;
use andor_core::language::{HeuristicRequest, Proposed};
use andor_core::theorem::{ExtraImport, Theorem};
use header::Header;
use shape::{Domain, domains};

/// The proposals so far: tactics with log-priors.
#[derive(Debug, Default)]
struct Proposals(Vec<(String, f64)>);

impl Proposals {
    fn add(&mut self, log_prior: f64, tactic: impl Into<String>) {
        self.0.push((tactic.into(), log_prior));
    }
}

/// The data that the heuristics use.
struct Situation<'a> {
    theorem: &'a Theorem,
    goal: &'a Goal,
    header: Header,
    domains: Vec<Domain>,
}

/// Tactics that `Lia` provides.
const INTEGERS: &[&str] = &["lia", "nia", "zify"];

/// Words of tactics that it extends: it adds hints for `auto with *`, which `intuition` uses too, and rewriting by
/// equivalences.
const EXTENDED: &[&str] = &["with", "intuition", "rewrite"];

/// Imports of the decision procedures for the goal's number systems, as far as the header lacks them.
pub(super) fn imports(theorem: &Theorem) -> Vec<ExtraImport> {
    let text = format!("{}\n{}", theorem.header, theorem.statement);
    let mentions = |words: &[&str]| words.iter().any(|w| text.contains(w));
    let imported = header::imports(&theorem.header);
    let import = |libraries: &[&str], provides: &[&str], extends: &[&str]| {
        let missing: Vec<&str> = libraries.iter().copied().filter(|l| !imported.contains(*l)).collect();
        let [provides, extends] =
            [provides, extends].map(|words| words.iter().map(|w| (*w).to_owned()).collect());
        let line = format!("From Coq Require Import {}.", missing.join(" "));
        (!missing.is_empty()).then_some(ExtraImport { line, provides, extends })
    };
    // Without `ZifyNat`, `lia` does not support division of natural numbers.
    let divides = mentions(&[" mod ", " / ", "Nat.div", "Nat.modulo", "Z.div", "Z.modulo"]);
    let integers = if divides { &["Lia", "ZifyNat"][..] } else { &["Lia"] };
    let fractions = if mentions(&["Reals", "Lra", "Psatz", "Coquelicot"]) {
        import(&["Lra"], &["lra", "nra"], &[])
    } else if mentions(&["QArith", "Lqa"]) {
        import(&["Lqa"], &["lra", "nra"], &[])
    } else {
        None
    };
    import(integers, INTEGERS, EXTENDED).into_iter().chain(fractions).collect()
}

/// Tactics for an obligation, with log-priors.
pub(super) fn suggest(request: HeuristicRequest<'_>) -> Proposed {
    let Some(goal) = request.goals.first() else { return Proposed::default() };
    let header = header::read(&request.theorem.header);
    let situation = Situation { theorem: request.theorem, goal, header, domains: domains(goal) };
    let mut proposals = Proposals::default();
    logic::propose(&situation, &mut proposals);
    equality::propose(&situation, &mut proposals);
    induction::propose(&situation, &mut proposals);
    cases::propose(&situation, &mut proposals);
    lemmas::propose(&situation, &mut proposals);
    habits::propose(&situation, &mut proposals);
    library::propose(&situation, &mut proposals);
    sweeps::propose(&situation, &mut proposals);
    arithmetic::propose(&situation, &mut proposals);
    Proposed { tactics: proposals.0, notes: Vec::new() }
}
