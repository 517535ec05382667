//! An environment whose every answer is written down in the theorem's statement.
//!
//! ```text
//! root: split -> a b | pair -> x* y* | done -> . | bad -> !no such thing
//! a: done -> .
//! b: hang -> %time | die -> %crash
//! ```
//!
//! Each line gives a goal and its tactics. What follows the arrow: `.` closes the goal, names are the goals
//! left (those with `*` share a metavariable and stay together), `!` rejects with a message, `%time` runs
//! over the limit on wall time, `%cpu` over that on processor time, `%crash` loses the worker, `%hang` loses
//! it by not answering, `%spin` by using up its processor time without answering. `x / y` does x on the
//! first worker and y on all others, as no honest assistant does. After `~` come the tactics, separated by commas, that it
//! suggests in its own place. The first line's goal is the root. The
//! checker replays scripts by the same table, and rejects those with a tactic named in a line
//! `forbidden: tactic ...`. A line `lemma: NAME STATEMENT` gives a lemma, whose symbols are the words of its statement.

use andor_system_mini::MINI;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use andor_core::goal::{Goal, Term};
use andor_core::lemma::{FoundLemma, Lemma, best, words};
use andor_core::signature::{Commutative, Infix};
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_core::verdict::Reason;
use andor_env::checker::{Checker, Claim, Level, Verdict};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::outline::Outline;
use andor_env::screen::Refusal;
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_process::error::ProcessError;
use andor_process::limits::TimeLimit;
use async_trait::async_trait;

/// The scripted environment.
#[derive(Clone, Debug, Default)]
pub struct ScriptedEnvironment {
    /// Tactics applied by all workers so far.
    pub n_applied: Arc<AtomicU64>,
    /// Lookups of lemmas by all workers so far.
    pub n_lookups: Arc<AtomicU64>,
    /// Workers made so far.
    pub n_workers: Arc<AtomicU64>,
}

#[derive(Clone, Debug)]
struct Table {
    root: String,
    tactics: HashMap<(String, String), String>,
    suggestions: HashMap<(String, String), Vec<String>>,
    forbidden: Vec<String>,
    lemmas: Vec<Lemma>,
}

impl Table {
    fn read(statement: &str) -> Result<Self, String> {
        let mut table = Self {
            root: String::new(),
            tactics: HashMap::new(),
            suggestions: HashMap::new(),
            forbidden: Vec::new(),
            lemmas: Vec::new(),
        };
        for line in statement.lines().filter(|l| !l.trim().is_empty()) {
            let (goal, rest) = line.split_once(':').ok_or_else(|| format!("no colon in `{line}`"))?;
            let goal = goal.trim().to_owned();
            if goal == "forbidden" {
                table.forbidden.extend(rest.split_whitespace().map(str::to_owned));
                continue;
            }
            if goal == "lemma" {
                let (name, statement) = rest.trim().split_once(' ').ok_or("a lemma without a statement")?;
                table.lemmas.push(Lemma { name: name.to_owned(), statement: statement.to_owned() });
                continue;
            }
            if table.root.is_empty() {
                table.root.clone_from(&goal);
            }
            for tactic in rest.split('|').filter(|t| !t.trim().is_empty()) {
                let (name, effect) =
                    tactic.split_once("->").ok_or_else(|| format!("no arrow in `{tactic}`"))?;
                let key = (goal.clone(), name.trim().to_owned());
                let (effect, suggested) = effect.split_once('~').unwrap_or((effect, ""));
                let suggested = suggested.split(',').map(|t| t.trim().to_owned()).filter(|t| !t.is_empty());
                table.suggestions.insert(key.clone(), suggested.collect());
                table.tactics.insert(key, effect.trim().to_owned());
            }
        }
        if table.root.is_empty() { Err("no goal".to_owned()) } else { Ok(table) }
    }

    fn suggestions(&self, goal: &str, tactic: &str) -> Vec<String> {
        let key = (goal.trim_end_matches('*').to_owned(), tactic.to_owned());
        self.suggestions.get(&key).cloned().unwrap_or_default()
    }

    fn effect(&self, goal: &str, tactic: &str) -> Option<&str> {
        self.tactics.get(&(goal.trim_end_matches('*').to_owned(), tactic.to_owned())).map(String::as_str)
    }
}

#[async_trait]
impl Environment for ScriptedEnvironment {
    fn system(&self) -> System {
        MINI
    }

    fn commutative(&self) -> &'static Commutative {
        &Commutative { constants: &[], infix: &[&[Infix { symbol: "+", commutes: true }]] }
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        let is_first = self.n_workers.fetch_add(1, Ordering::Relaxed) == 0;
        let n_applied = Arc::clone(&self.n_applied);
        Box::new(ScriptedWorker {
            grouping,
            is_first,
            header: None,
            table: None,
            states: HashMap::new(),
            next: 0,
            lost: false,
            n_applied,
            n_lookups: Arc::clone(&self.n_lookups),
        })
    }

    /// A tactic has a line of its own in the script.
    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        tactic.find('\n').map_or(Ok(()), |at| Err(Refusal::Several { at }))
    }

    /// It borrows the name of `mini`, but not its syntax.
    fn outline(&self, script: &str) -> Outline {
        Outline::of_lines(script)
    }

    fn checker(&self) -> &dyn Checker {
        self
    }

    fn assemble(&self, theorem: &Theorem, _imports: &[ExtraImport], script: &Script) -> Claim {
        let challenge = format!("{}\n---\n", theorem.statement);
        let mut submission = challenge.clone();
        let mut stack = vec![0];
        while let Some(index) = stack.pop() {
            let step = &script.steps[index];
            submission += &format!("{}\n", step.text);
            // A group of several goals is proved after those that stand alone, as in a real script.
            let (alone, together): (Vec<_>, Vec<_>) =
                step.groups.iter().zip(&step.children).partition(|(group, _)| group.len() == 1);
            let in_order = alone.into_iter().chain(together).map(|(_, &child)| child);
            stack.extend(in_order.collect::<Vec<_>>().into_iter().rev());
        }
        Claim { submission, challenge, theorems: vec![theorem.name.clone()] }
    }

    async fn probe(&self) -> Vec<Finding> {
        Vec::new()
    }
}

#[async_trait]
impl Checker for ScriptedEnvironment {
    async fn check(&self, claim: &Claim, _level: Level) -> Verdict {
        let (statement, script) = claim.submission.split_once("\n---\n").expect("as assembled");
        let table = Table::read(statement).expect("a session opened it before");
        let rejected = |message: String| Verdict::rejected(Level::Compiled, Reason::Refused, message);
        let mut open = vec![table.root.clone()];
        for tactic in script.lines() {
            if table.forbidden.iter().any(|f| f == tactic) {
                return rejected(format!("`{tactic}` is forbidden"));
            }
            let Some(goal) = open.pop() else { return rejected("the script is too long".to_owned()) };
            match table.effect(&goal, tactic) {
                Some(".") => {}
                Some(goals) if !goals.starts_with(['!', '%']) => {
                    let (together, alone): (Vec<_>, Vec<_>) =
                        goals.split_whitespace().map(str::to_owned).partition(|g| g.ends_with('*'));
                    open.extend(together.into_iter().rev());
                    open.extend(alone.into_iter().rev());
                }
                other => return rejected(format!("`{tactic}` on `{goal}`: {other:?}")),
            }
        }
        if open.is_empty() {
            Verdict::accepted(Level::Compiled, Vec::new())
        } else {
            rejected(format!("left: {open:?}"))
        }
    }
}

struct ScriptedWorker {
    grouping: Grouping,
    is_first: bool,
    /// That of the last theorem.
    header: Option<String>,
    table: Option<Table>,
    states: HashMap<StateId, ProofState>,
    next: u64,
    lost: bool,
    n_applied: Arc<AtomicU64>,
    n_lookups: Arc<AtomicU64>,
}

impl ScriptedWorker {
    fn hold(&mut self, names: &[String]) -> (StateId, ProofState) {
        let id = StateId(self.next);
        self.next += 1;
        let goal = |name: &String| Goal {
            name: name.clone(),
            target: Term::textual(name.trim_end_matches('*')),
            metas: if name.ends_with('*') { vec!["?shared".to_owned()] } else { Vec::new() },
            ..Goal::default()
        };
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut together: Option<usize> = None;
        for (index, name) in names.iter().enumerate() {
            match together {
                Some(group) if name.ends_with('*') => groups[group].push(index),
                _ => {
                    if name.ends_with('*') {
                        together = Some(groups.len());
                    }
                    groups.push(vec![index]);
                }
            }
        }
        let state = ProofState { goals: names.iter().map(goal).collect(), groups };
        let state = state.grouped(self.grouping);
        self.states.insert(id, state.clone());
        (id, state)
    }
}

#[async_trait]
impl Worker for ScriptedWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        let table = Table::read(&theorem.statement).map_err(|message| EnvError::TheoremRefused {
            theorem: theorem.id.clone(),
            part: "the statement",
            text: theorem.statement.clone(),
            at: None,
            message,
        })?;
        let root = table.root.clone();
        self.header = Some(theorem.header.clone());
        self.table = Some(table);
        let (state, proof_state) = self.hold(&[root]);
        let assistant = "scripted".to_owned();
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant, importing: Duration::ZERO })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        if self.lost {
            return Err(EnvError::Lost);
        }
        self.n_applied.fetch_add(1, Ordering::Relaxed);
        let goals = self.states.get(&state).ok_or(EnvError::Lost)?.group(group);
        let table = self.table.as_ref().ok_or(EnvError::Lost)?;
        let [first, rest @ ..] = &goals[..] else { return Err(EnvError::Lost) };
        let suggestions = table.suggestions(&first.name, tactic);
        let rejected = |message: &str| {
            Ok(TacticOutcome::Rejected { message: message.to_owned(), suggestions: suggestions.clone() })
        };
        let effect = table.effect(&first.name, tactic).map(|effect| match effect.split_once(" / ") {
            Some((on_first, _)) if self.is_first => on_first,
            Some((_, elsewhere)) => elsewhere,
            None => effect,
        });
        let left = match effect {
            None => return rejected("unknown tactic"),
            Some("%time") => return Ok(TacticOutcome::OverTime { limit: TimeLimit::Wall(limits.wall) }),
            Some("%cpu") => {
                let limit = limits.cpu.map_or(TimeLimit::Wall(limits.wall), |cpu| TimeLimit::Cpu(cpu.limit));
                return Ok(TacticOutcome::OverTime { limit });
            }
            Some("%crash") => {
                self.lost = true;
                let (doing, status) = ("applying a tactic".to_owned(), "signal: 9 (SIGKILL)".to_owned());
                return Err(EnvError::Process(ProcessError::Died { doing, status, stderr: String::new() }));
            }
            Some("%spin") => {
                self.lost = true;
                let limit = limits.cpu.map_or(limits.wall, |cpu| cpu.limit);
                return Err(EnvError::Process(ProcessError::OverCpu {
                    doing: "applying a tactic".to_owned(),
                    limit,
                }));
            }
            Some("%hang") => {
                self.lost = true;
                return Err(EnvError::Process(ProcessError::Overdue {
                    doing: "applying a tactic".to_owned(),
                    after: limits.wall,
                }));
            }
            Some(".") => Vec::new(),
            Some(effect) => match effect.strip_prefix('!') {
                Some(message) => return rejected(message),
                None => effect.split_whitespace().map(str::to_owned).collect(),
            },
        };
        let names: Vec<String> = left.into_iter().chain(rest.iter().map(|g| g.name.clone())).collect();
        let (state, proof_state) = self.hold(&names);
        let proof_state = Arc::new(proof_state);
        Ok(TacticOutcome::Applied { state, proof_state, script: tactic.to_owned(), suggestions })
    }

    async fn lookup(&mut self, symbols: &[String], most: usize) -> Result<Vec<Lemma>, EnvError> {
        if self.lost {
            return Err(EnvError::Lost);
        }
        self.n_lookups.fetch_add(1, Ordering::Relaxed);
        let table = self.table.as_ref().ok_or(EnvError::Lost)?;
        let found = table.lemmas.iter().map(|lemma| FoundLemma {
            lemma: lemma.clone(),
            symbols: words(&lemma.statement).map(str::to_owned).collect(),
        });
        Ok(best(found.collect(), symbols, most))
    }

    fn release(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn forget_theorem(&mut self) -> bool {
        self.states.clear();
        !self.lost
    }

    fn shares(&self, header: &str) -> Option<usize> {
        (self.header.as_deref() == Some(header)).then_some(header.len())
    }

    fn health(&self) -> Health {
        Health { memory_bytes: None, n_states: self.states.len() }
    }

    fn process_id(&self) -> Option<u32> {
        None
    }
}
