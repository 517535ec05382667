//! Heuristics for Rocq: what a patient beginner with good habits would try.
//!
//! Each room proposes by one kind of knowledge: `logic` by connectives, `equality` by equations and
//! definitions, `induction` by inductive types, `cases` by what is taken apart, `lemmas` by what the header states, `habits` by what its proofs
//! do, `library` by how lemmas are named, `sweeps` with all hypotheses in turn, `arithmetic` by number systems. Log-priors are rough: what
//! nearly always helps is near 0, what is cheap comes before what may run to its time limit.

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
use andor_core::theorem::{ExtraImport, Theorem};
use header::Header;
use shape::{Domain, domains};

use crate::contract::Request;

/// The proposals so far: tactics with their log-priors.
#[derive(Debug, Default)]
struct Proposals(Vec<(String, f64)>);

impl Proposals {
    fn add(&mut self, log_prior: f64, tactic: impl Into<String>) {
        self.0.push((tactic.into(), log_prior));
    }
}

/// What the rooms look at.
struct Situation<'a> {
    theorem: &'a Theorem,
    goal: &'a Goal,
    header: Header,
    domains: Vec<Domain>,
}

/// Tactics that `Lia` provides, and words of those that do more when it is there: it brings hints for `auto with *`, which
/// `intuition` uses too, and rewriting by equivalences.
const INTEGERS: &[&str] = &["lia", "nia", "zify", "with", "intuition", "rewrite"];

/// The decision procedures that the goal's number systems need.
pub(super) fn imports(theorem: &Theorem) -> Vec<ExtraImport> {
    let text = format!("{}\n{}", theorem.header, theorem.statement);
    let mentions = |words: &[&str]| words.iter().any(|w| text.contains(w));
    let import = |library: &str, provides: &[&str]| ExtraImport {
        line: format!("From Coq Require Import {library}."),
        provides: provides.iter().map(|p| (*p).to_owned()).collect(),
    };
    // Without `ZifyNat`, `lia` does not see through division of natural numbers.
    let divides = mentions(&[" mod ", " / ", "Nat.div", "Nat.modulo", "Z.div", "Z.modulo"]);
    let mut imports = vec![match divides {
        true => import("Lia ZifyNat", INTEGERS),
        false => import("Lia", INTEGERS),
    }];
    if mentions(&["Reals", "Lra", "Psatz", "Coquelicot"]) {
        imports.push(import("Lra", &["lra", "nra"]));
    } else if mentions(&["QArith", "Lqa"]) {
        imports.push(import("Lqa", &["lra", "nra"]));
    }
    imports
}

/// Tactics for an obligation, with log-priors.
pub(super) fn suggest(request: Request<'_>) -> Vec<(String, f64)> {
    let Some(goal) = request.goals.first() else { return Vec::new() };
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
    proposals.0
}
