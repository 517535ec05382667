//! The rows of one attempt: the steps of its proof, or all tactics that it tried.

use andor_core::goal::Goal;
use andor_env::error::EnvError;

use super::recorded::Recorded;
use super::replay::{Again, Counts, Failure, Replay};
use super::table::{Cell, Message, Row};
use super::{Export, Format};

/// LeanDojo's text for a state without goals.
const NO_GOALS: &str = "no goals";

/// The rows and counts of an attempt.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) rows: Vec<Row>,
    pub(super) counts: Counts,
    pub(super) unsuited: u64,
}

/// The origin of rows.
pub(super) struct Origin<'a> {
    pub(super) what: &'a Export,
    pub(super) theorem: &'a str,
    pub(super) attempt: u32,
    /// The name of the run's folder.
    pub(super) run: &'a str,
    /// The assistant used for the replay.
    pub(super) assistant: &'a str,
}

impl Origin<'_> {
    /// A row: the training data, then its origin.
    pub(super) fn row(
        &self,
        read: impl IntoIterator<Item = Cell>,
        step: Option<&str>,
        node: Option<&str>,
    ) -> Row {
        let origin = [
            Cell::Text(self.theorem.to_owned()),
            Cell::Integer(self.attempt.into()),
            step.into(),
            node.into(),
            Cell::Text(self.run.to_owned()),
            Cell::Text(self.assistant.to_owned()),
        ];
        read.into_iter().chain(origin).collect()
    }

    /// The prompt for a state.
    pub(super) fn prompt(&self, goals: &[Goal]) -> String {
        self.what.view.of(goals) + &self.what.separator
    }

    fn said(&self, role: &'static str, content: &str) -> Cell {
        let content = content.to_owned();
        match self.what.chat {
            true => Cell::Messages(vec![Message { role, content }]),
            false => Cell::Text(content),
        }
    }
}

/// The steps of the accepted proof, each with its state, or paired with each tactic that failed at the same node.
pub(super) async fn of_proof(
    replay: &mut Replay<'_>,
    recorded: &Recorded,
    origin: &Origin<'_>,
) -> Result<Rows, Failure> {
    let failures = recorded.failures();
    let mut rows = Vec::new();
    for proof_step in &recorded.proof {
        let step = &recorded.steps[proof_step.step];
        let won = &recorded.trials[step.trial];
        let Again::Applied(_) = replay.again(won).await? else { continue };
        let goals = replay.goals(won.node).expect("a tactic was tried there");
        let (step, node) = (Some(step.id.as_str()), Some(recorded.nodes[won.node].id.as_str()));
        let prompt = origin.said("user", &origin.prompt(&goals));
        let answer = origin.said("assistant", won.tactic.trim());
        if origin.what.format == Format::Sft {
            rows.push(origin.row([prompt, answer], step, node));
            continue;
        }
        let mut lost: Vec<String> = Vec::new();
        for failure in failures.get(&won.node).into_iter().flatten() {
            if let Again::Failed = replay.again(failure).await? {
                lost.push(failure.tactic.trim().to_owned());
            }
        }
        if origin.what.complete_pairs {
            lost.extend(replay.refused_of_the_rest(won.node).await?);
        }
        for tactic in lost {
            let rejected = origin.said("assistant", &tactic);
            rows.push(origin.row([prompt.clone(), answer.clone(), rejected], step, node));
        }
    }
    Ok(Rows { rows, counts: replay.counts, unsuited: 0 })
}

/// All tried tactics, in the order tried.
pub(super) async fn of_trials(
    replay: &mut Replay<'_>,
    recorded: &Recorded,
    origin: &Origin<'_>,
) -> Result<Rows, EnvError> {
    let mut in_proof = vec![false; recorded.steps.len()];
    recorded.proof.iter().for_each(|s| in_proof[s.step] = true);
    let (mut rows, mut unsuited) = (Vec::new(), 0);
    for trial in &recorded.trials {
        let after = match replay.again(trial).await? {
            Again::Applied(goals) if goals.is_empty() => Some(NO_GOALS.to_owned()),
            Again::Applied(goals) => Some(origin.what.view.of(&goals)),
            Again::Failed | Again::Crashed => None,
            Again::Screened | Again::Otherwise => continue,
        };
        let goals = replay.goals(trial.node).expect("a tactic was tried there");
        let before = origin.what.view.of(&goals);
        // ReProver's loader asserts this for every state.
        if !before.contains('⊢') || before.contains("<a>") {
            unsuited += 1;
            continue;
        }
        let step = trial.step.map(|step| recorded.steps[step].id.as_str());
        let read = [
            Cell::Text(trial.tactic.trim().to_owned()),
            Cell::Text(before),
            after.as_deref().into(),
            Cell::Text(trial.outcome.name().to_owned()),
            Cell::Number(trial.log_prior),
            trial.error.as_deref().into(),
            Cell::Truth(trial.step.is_some_and(|step| in_proof[step])),
            Cell::Text(trial.provider.clone()),
        ];
        rows.push(origin.row(read, step, Some(&recorded.nodes[trial.node].id)));
    }
    Ok(Rows { rows, counts: replay.counts, unsuited })
}
