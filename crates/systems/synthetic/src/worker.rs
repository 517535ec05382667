//! The worker of the synthetic environment.
//!
//! A theorem's statement is `<preset> <seed>`, for example `hard 17`. A goal's target is its id in hexadecimal; a
//! tactic is `t<index>`. A script lists the tactics in the order in which a prover that always works on its first
//! goal needs them.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Term;
use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use async_trait::async_trait;

use super::world::{Applied, World, WorldGoal};
use andor_core::verdict::Reason;
use andor_env::checker::{Checker, Claim, Level, Verdict};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::screen::{self, Refusal};
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};

/// The synthetic environment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Synthetic;

/// Parses a statement, `<preset> <seed>`.
pub fn read_statement(statement: &str) -> Result<World, String> {
    let mut words = statement.split_whitespace();
    let (Some(preset), Some(seed), None) = (words.next(), words.next(), words.next()) else {
        return Err("a statement is `<preset> <seed>`, for example `hard 17`".to_owned());
    };
    let preset = preset.parse().map_err(|e: super::UnknownPreset| e.to_string())?;
    Ok(World::new(preset, seed.parse().map_err(|_| format!("`{seed}` is not a seed"))?))
}

#[async_trait]
impl Environment for Synthetic {
    fn system(&self) -> System {
        crate::SYNTHETIC
    }

    fn commutative(&self) -> &'static Commutative {
        &Commutative { constants: &[], infix: &[] }
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        Box::new(SyntheticWorker { grouping, world: None, states: HashMap::new(), next_state: 0 })
    }

    /// A tactic is on a line of its own in the script.
    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        screen::length(tactic)?;
        screen::characters(tactic, 0..tactic.len())?;
        tactic.find('\n').map_or(Ok(()), |at| Err(Refusal::Several { at }))
    }

    fn checker(&self) -> &dyn Checker {
        self
    }

    fn assemble(&self, theorem: &Theorem, _imports: &[ExtraImport], script: &Script) -> Claim {
        let challenge = format!("{}\n", theorem.statement.trim());
        let mut submission = challenge.clone();
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let step = &script.steps[index];
            submission += &format!("{}\n", step.text);
            stack.extend(step.children.iter().rev());
        }
        Claim { submission, challenge, theorems: vec![theorem.name.clone()] }
    }

    async fn probe(&self) -> Vec<Finding> {
        let what = "synthetic environment".to_owned();
        vec![Finding { what, found: Ok("built in".to_owned()), remedy: None, needed: true }]
    }
}

#[async_trait]
impl Checker for Synthetic {
    fn ceiling(&self) -> Level {
        Level::Compiled
    }

    /// Replays the tactics on a fresh instance.
    async fn check(&self, claim: &Claim, _level: Level) -> Verdict {
        let rejected = |message: String| Verdict::rejected(Level::Compiled, Reason::Refused, message);
        if !claim.submission.starts_with(&claim.challenge) {
            let message = "the file belongs to another instance";
            return Verdict::rejected(Level::Compiled, Reason::Statement, message);
        }
        let mut lines = claim.submission.lines();
        let world = match read_statement(lines.next().unwrap_or_default()) {
            Ok(world) => world,
            Err(reason) => return rejected(reason),
        };
        let mut open = vec![world.root()];
        for (number, line) in lines.enumerate() {
            let Some(goal) = open.pop() else {
                return rejected(format!("tactic {number} comes after the proof is finished"));
            };
            match read_tactic(line, &world).map(|tactic| world.apply(goal, tactic)) {
                Some(Applied::Children(children)) => open.extend(children.into_iter().rev()),
                Some(Applied::Fail) | None => {
                    return rejected(format!("tactic {number}, `{line}`, fails on {goal}"));
                }
            }
        }
        if open.is_empty() {
            Verdict::accepted(Level::Compiled, Vec::new())
        } else {
            rejected(format!("{} goals remain", open.len()))
        }
    }
}

fn read_tactic(text: &str, world: &World) -> Option<u64> {
    let index: u64 = text.trim().strip_prefix('t')?.parse().ok()?;
    (index < world.parameters().b).then_some(index)
}

struct SyntheticWorker {
    grouping: Grouping,
    world: Option<World>,
    states: HashMap<StateId, Vec<WorldGoal>>,
    next_state: u64,
}

impl SyntheticWorker {
    fn hold(&mut self, goals: Vec<WorldGoal>) -> (StateId, ProofState) {
        let id = StateId(self.next_state);
        self.next_state += 1;
        let state = ProofState {
            groups: (0..goals.len()).map(|g| vec![g]).collect(),
            goals: goals.iter().map(|g| printed(*g)).collect(),
        };
        let state = state.grouped(self.grouping);
        self.states.insert(id, goals);
        (id, state)
    }
}

fn printed(goal: WorldGoal) -> andor_core::goal::Goal {
    let text = goal.to_string();
    andor_core::goal::Goal { name: text.clone(), target: Term::textual(text), ..Default::default() }
}

#[async_trait]
impl Worker for SyntheticWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        let world = read_statement(&theorem.statement).map_err(|message| EnvError::TheoremRefused {
            theorem: theorem.id.clone(),
            part: "the statement",
            text: theorem.statement.clone(),
            at: None,
            message,
        })?;
        self.world = Some(world);
        let (state, proof_state) = self.hold(vec![world.root()]);
        let assistant = "synthetic".to_owned();
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant, importing: Duration::ZERO })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        _limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        let world = self.world.ok_or(EnvError::Lost)?;
        let goals = self.states.get(&state).ok_or(EnvError::Lost)?;
        let goal = *goals.get(group).ok_or(EnvError::Lost)?;
        let others = match self.grouping {
            Grouping::Coupled => &[],
            Grouping::Whole => &goals[1..],
        };
        let Some(index) = read_tactic(tactic, &world) else {
            return Ok(TacticOutcome::rejected(format!("unknown tactic `{tactic}`")));
        };
        Ok(match world.apply(goal, index) {
            Applied::Fail => TacticOutcome::rejected("the tactic fails"),
            Applied::Children(mut children) => {
                children.extend(others);
                let (state, proof_state) = self.hold(children);
                let script = tactic.trim().to_owned();
                let (proof_state, suggestions) = (Arc::new(proof_state), Vec::new());
                TacticOutcome::Applied { state, proof_state, script, suggestions }
            }
        })
    }

    fn release(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn health(&self) -> Health {
        Health { memory_bytes: None, n_states: self.states.len() }
    }

    fn process_id(&self) -> Option<u32> {
        None
    }
}
