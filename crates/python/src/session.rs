//! Proofs by hand.

use std::sync::Arc;

use andor::judge::Judgement;
use andor::{EnvError, Goal, Interactive, Prover};
use futures_util::future::try_join_all;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use serde_json::{Value, json};
use tokio::sync::{Mutex, MutexGuard};

use crate::dataset::Dataset;
use crate::failure::Failure;
use crate::job::Job;
use crate::options::Settings;

/// A proof in progress.
#[pyclass(frozen)]
pub(crate) struct Session {
    proof: Arc<Mutex<Interactive>>,
    settings: Settings,
}

/// Opens the first theorem.
#[pyfunction]
pub(crate) fn open(dataset: &Dataset, settings: &Settings) -> PyResult<Job> {
    let Some(problem) = dataset.problems.first() else {
        return Err(PyIndexError::new_err("there is no theorem"));
    };
    let (mut theorem, mut settings) = (problem.theorem.clone(), settings.clone());
    if let Some(source) = &dataset.source
        && let Some(system) = andor::project::system_of(source, &dataset.problems)
    {
        let applied = andor::project::apply(&mut settings.config, source, system).map_err(Failure::from)?;
        theorem.header.insert_str(0, &applied.prelude);
    }
    Ok(Job::new(async move {
        let proof = Interactive::open(&theorem, &settings.config, &settings.own).await?;
        Ok(Session { proof: Arc::new(Mutex::new(proof)), settings })
    })?)
}

/// Goals as JSON: each as its parts, and as text.
fn goals<'a>(goals: impl IntoIterator<Item = &'a Goal>) -> Value {
    let of = |goal: &Goal| {
        let hypotheses = goal.hypotheses.iter().map(|hypothesis| {
            json!({
                "names": hypothesis.names,
                "type": hypothesis.ty.text,
                "body": hypothesis.body.as_ref().map(|body| &body.text),
            })
        });
        json!({
            "case": goal.case,
            "hypotheses": hypotheses.collect::<Vec<_>>(),
            "target": goal.target.text,
            "text": goal.to_string(),
        })
    };
    goals.into_iter().map(of).collect()
}

impl Session {
    /// The proof, while no job works on it.
    fn proof(&self) -> PyResult<MutexGuard<'_, Interactive>> {
        let busy =
            || Failure::new("SessionError", "Busy", "the session is at work; wait for the earlier call");
        Ok(self.proof.try_lock().map_err(|_| busy())?)
    }
}

fn no_goal() -> Failure {
    Failure::new("SessionError", "NoGoal", "no goal is open at this place")
}

#[pymethods]
impl Session {
    /// The open goals as JSON, in order.
    fn goals(&self) -> PyResult<String> {
        Ok(goals(&self.proof()?.goals()).to_string())
    }

    /// Tries tactics on the first goal, as many at a time as there are workers, and changes nothing. The job ends with JSON: for
    /// each, the goals that it leaves or why it fails.
    fn try_many(&self, tactics: Vec<String>) -> PyResult<Job> {
        let proof = Arc::clone(&self.proof);
        Ok(Job::new(async move {
            let proof = proof.lock().await;
            if proof.goals().is_empty() {
                return Err(no_goal());
            }
            let one = async |tactic: &String| {
                Ok::<_, EnvError>(match proof.preview(0, tactic).await? {
                    Ok(left) => {
                        let left = left.iter().flat_map(|goals| goals.iter());
                        json!({"tactic": tactic, "goals": goals(left), "error": null})
                    }
                    Err(message) => json!({"tactic": tactic, "goals": null, "error": message}),
                })
            };
            let tried = try_join_all(tactics.iter().map(one)).await?;
            Ok(Value::from(tried).to_string())
        })?)
    }

    /// Applies a tactic to the first goal. The job ends with the tactic that the script gets.
    fn commit(&self, tactic: String) -> PyResult<Job> {
        let proof = Arc::clone(&self.proof);
        Ok(Job::new(async move {
            let mut proof = proof.lock().await;
            match proof.apply(&tactic).await? {
                Ok(applied) => Ok(applied.to_string()),
                Err(message) => Err(Failure::new("TacticError", "Rejected", &message)),
            }
        })?)
    }

    /// Undoes the last tactic; false if there is none.
    fn undo(&self) -> PyResult<bool> {
        Ok(self.proof()?.undo())
    }

    /// Moves a goal to the front, by its place from 0.
    fn focus(&self, place: usize) -> PyResult<()> {
        match self.proof()?.choose(place.saturating_add(1)) {
            true => Ok(()),
            false => Err(no_goal().into()),
        }
    }

    /// A proof of its own that shares what was done so far.
    fn fork(&self) -> PyResult<Self> {
        let proof = self.proof()?.clone();
        Ok(Self { proof: Arc::new(Mutex::new(proof)), settings: self.settings.clone() })
    }

    /// The tactics so far, each with the place of its goal.
    fn steps(&self) -> PyResult<Vec<(usize, String)>> {
        let steps = self.proof()?.steps();
        Ok(steps.into_iter().map(|step| (step.place, step.tactic.to_string())).collect())
    }

    /// The source file, with a placeholder at every open goal.
    fn source(&self) -> PyResult<String> {
        Ok(self.proof()?.source())
    }

    /// Lemmas about symbols, or about those of the first goal. The job ends with pairs of name and statement.
    fn lemmas(&self, symbols: Vec<String>, most: usize) -> PyResult<Job> {
        let proof = Arc::clone(&self.proof);
        Ok(Job::new(async move {
            let lemmas = proof.lock().await.lookup(&symbols, most).await;
            Ok(lemmas.into_iter().map(|lemma| (lemma.name, lemma.statement)).collect::<Vec<_>>())
        })?)
    }

    /// Searches for a proof of the first goal, and applies it. The job ends with why the search ended,
    /// `proved` among others, and its technical failure.
    fn search(&self, settings: &Settings) -> PyResult<Job> {
        let prover = Prover::new(settings.config.clone()).with_parts(settings.own.clone());
        let proof = Arc::clone(&self.proof);
        Ok(Job::new(async move {
            let mut proof = proof.lock().await;
            if proof.goals().is_empty() {
                return Err(no_goal());
            }
            let sought = prover.search(&mut proof, 0).await?;
            Ok((sought.stop.name(), sought.failure))
        })?)
    }

    /// Verifies the finished proof. The job ends with the record of a judgement.
    fn check(&self) -> PyResult<Job> {
        let (proof, config) = (Arc::clone(&self.proof), self.settings.config.clone());
        Ok(Job::new(async move {
            let proof = proof.lock().await;
            if !proof.goals().is_empty() {
                return Err(Failure::new("SessionError", "Unfinished", "goals are left; prove them first"));
            }
            let theorem = proof.session().theorem();
            let judged = Judgement {
                system: theorem.system,
                theorems: vec![theorem.name.clone()],
                verdict: proof.check(config.verify.demand()).await,
                note: None,
                claim: None,
            };
            Ok(serde_json::json!(judged.record(&config, None)).to_string())
        })?)
    }
}
