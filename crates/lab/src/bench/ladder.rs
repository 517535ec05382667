//! The cost of each level of verification, for a small and a large header.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::collections::BTreeSet;
use std::time::Instant;

use andor_config::Config;
use andor_core::theorem::{System, Theorem};
use andor_engine::registry;
use andor_env::checker::{Level, Verdict};
use andor_env::environment::{Environment, Script, ScriptStep};
use andor_env::source;
use serde::Serialize;

use super::BenchError;

/// The cost of one level.
#[derive(Clone, Debug, Serialize)]
pub struct Rung {
    /// The system.
    pub system: &'static str,
    /// The header's name.
    pub header: &'static str,
    /// The level; 0 stands for stating the challenge, which is done once per theorem while the search begins.
    pub level: u8,
    /// The number of proofs that were verified.
    pub proofs: usize,
    /// The median, in seconds per proof.
    pub median_s: f64,
    /// The fastest run.
    pub lowest_s: f64,
    /// The slowest run.
    pub highest_s: f64,
}

/// Number of times each proof is verified.
const ROUNDS: usize = 3;

struct Subject {
    system: System,
    header_name: &'static str,
    header: String,
    /// Statements, each with a proof of one step.
    proofs: &'static [(&'static str, &'static str)],
    axioms: &'static [&'static str],
}

fn subjects() -> Vec<Subject> {
    let lemmas = (0..200).map(|i| {
        format!("theorem before_{i} (p q : Prop) : p ∧ q → q ∧ p := by\n  intro h\n  exact ⟨h.2, h.1⟩\n")
    });
    vec![
        Subject {
            system: ROCQ,
            header_name: "small: none",
            header: String::new(),
            proofs: &[
                ("Theorem t : forall n : nat, n + 0 = n.", "induction n; simpl; auto."),
                ("Theorem t : forall P Q : Prop, P /\\ Q -> Q /\\ P.", "tauto."),
                ("Theorem t : exists n : nat, n * n = 49.", "exists 7; reflexivity."),
            ],
            axioms: &[],
        },
        Subject {
            system: ROCQ,
            header_name: "large: Reals Lra Lia ZArith List",
            header: "From Coq Require Import Reals Lra Lia ZArith List.\nOpen Scope R_scope.\n".to_owned(),
            proofs: &[
                ("Theorem t : forall x y : R, x < y -> x < (x + y) / 2.", "intros; lra."),
                ("Theorem t : forall x : R, 0 <= x * x.", "intros; nra."),
                ("Theorem t : forall n m : Z, (n < m -> n + 1 <= m)%Z.", "lia."),
            ],
            axioms: &["reals"],
        },
        Subject {
            system: LEAN4,
            header_name: "small: none",
            header: String::new(),
            proofs: &[
                ("theorem t (n : Nat) : n + 0 = n", "rfl"),
                ("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", "exact ⟨h.2, h.1⟩"),
                (
                    "theorem t (n : Nat) : 0 + n = n",
                    "induction n with\n| zero => rfl\n| succ n ih => rw [Nat.add_succ, ih]",
                ),
            ],
            axioms: &[],
        },
        Subject {
            system: LEAN4,
            header_name: "large: 200 theorems",
            header: lemmas.clone().collect(),
            proofs: &[
                ("theorem t (n : Nat) : n + 0 = n", "rfl"),
                ("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", "exact ⟨h.2, h.1⟩"),
                ("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", "exact before_199 p q h"),
            ],
            axioms: &[],
        },
        Subject {
            system: MINI,
            header_name: "small: none",
            header: String::new(),
            proofs: &[
                ("theorem t (n : Nat) : n + 0 = n", "rfl"),
                ("theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b", "omega"),
                ("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", "exact ⟨h.2, h.1⟩"),
            ],
            axioms: &[],
        },
        Subject {
            system: MINI,
            header_name: "large: 200 theorems",
            header: lemmas.collect(),
            proofs: &[
                ("theorem t (n : Nat) : n + 0 = n", "rfl"),
                ("theorem t (a b : Nat) (h : a < b) : a + 1 ≤ b", "omega"),
                ("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", "exact before_199 p q h"),
            ],
            axioms: &[],
        },
    ]
}

/// Measures all levels that this machine supports, one after the other. Returns the systems that it does not have, with
/// the reasons. An error names a proof that is rejected.
pub async fn measure(config: &Config, mut each: impl FnMut(&Rung)) -> Result<BTreeSet<String>, BenchError> {
    let mut absent = BTreeSet::new();
    for subject in subjects() {
        let axioms: Vec<String> = subject.axioms.iter().map(|a| (*a).to_owned()).collect();
        let config = Config { allowed_axioms: source::expanded_axioms(&axioms), ..config.clone() };
        let environment = registry::environment(subject.system, &config);
        let reach = environment.checker().reach().await;
        if reach.highest == Level::Claimed {
            absent.insert(format!("{}: {}", subject.system.name(), reach.shortfall.unwrap_or_default()));
            continue;
        }
        for level in Level::ALL.into_iter().filter(|&l| l <= reach.highest) {
            let mut seconds = Vec::new();
            for _ in 0..ROUNDS {
                // A new environment has no cached challenge.
                let environment = registry::environment(subject.system, &config);
                for (statement, proof) in subject.proofs {
                    seconds.push(once(environment.as_ref(), &subject, statement, proof, level).await?);
                }
            }
            seconds.sort_by(f64::total_cmp);
            let rung = Rung {
                system: subject.system.name(),
                header: subject.header_name,
                level: level.number(),
                proofs: seconds.len(),
                median_s: seconds[seconds.len() / 2],
                lowest_s: seconds[0],
                highest_s: seconds[seconds.len() - 1],
            };
            each(&rung);
        }
    }
    Ok(absent)
}

/// The time for one verification, or for stating the challenge, in seconds.
async fn once(
    environment: &dyn Environment,
    subject: &Subject,
    statement: &str,
    proof: &str,
    level: Level,
) -> Result<f64, BenchError> {
    let theorem = Theorem {
        id: "t".to_owned(),
        name: "t".to_owned(),
        system: subject.system,
        header: subject.header.clone(),
        statement: statement.to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    let began = Instant::now();
    environment.checker().pin(&theorem).await?;
    if level == Level::Claimed {
        return Ok(began.elapsed().as_secs_f64());
    }
    let step = ScriptStep { text: proof.to_owned(), groups: Vec::new(), children: Vec::new() };
    let claim = environment.assemble(&theorem, &[], &Script { steps: vec![step] });
    let began = Instant::now();
    match environment.checker().check(&claim, level).await {
        Verdict::Accepted { .. } => Ok(began.elapsed().as_secs_f64()),
        Verdict::Infrastructure { error, .. } => Err(error.into()),
        Verdict::Rejected { message, .. } => {
            Err(BenchError::Rejected(format!("`{statement}` by `{proof}`: {message}")))
        }
    }
}
