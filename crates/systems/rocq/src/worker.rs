//! The Rocq worker: a process, its document, and the states it holds.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_core::goal::Goal;
use andor_core::lemma::Lemma;
use andor_core::theorem::{ExtraImport, Theorem};
use async_trait::async_trait;

use super::commands::forbidden_commands;
use super::compiler::program;
use super::connection::{Connection, Patience};
use super::document::{Document, Goals, Ran, Sentence};
use super::goal::{Printed, mentioned, proof_state};
use super::lookup::lookup;
use super::names::Names;
use super::premises::Premises;
use super::screen::{addressed, in_parentheses, in_script, tactic_body};
use super::script::opens_proof;
use super::sentence::{self, split};
use super::undo;
use super::wire::{CoqError, shorten};
use super::{RocqConfig, dialect};
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_process::scratch::Scratch;
use andor_process::{ChildSpec, resident_bytes};

/// The proof mode in which tactics are those of Ltac.
const CLASSIC: &str = "Classic";

const HEADER: &str = "the header";
const STATEMENT: &str = "the statement";

/// Time limit for a sentence of a header, which may import large libraries or contain long proofs.
const FOR_A_SENTENCE: Patience = Patience {
    wall: Duration::from_secs(300),
    slack: Duration::ZERO,
    then_kill_after: Duration::from_secs(1),
    cpu: None,
};

/// A worker over one `coqidetop` process.
pub(super) struct RocqWorker {
    config: RocqConfig,
    premises: Arc<Premises>,
    grouping: Grouping,
    document: Option<Document>,
    version: String,
    /// Whether going back to the header undoes everything after it.
    is_undoable: bool,
    /// The time limit that the header sets for each sentence.
    most: Option<Duration>,
    /// Whether the statement is a fixpoint, which is a hypothesis of its own proof.
    is_recursive: bool,
    /// The working folder of this process alone: the files that Rocq finds there, and the caches of its arithmetic
    /// tactics, must not differ between runs. Outlives the process.
    scratch: Option<Scratch>,
    names: Names,
    /// What no lookup may find: the theorem, and the hypotheses that it begins with.
    hidden: HashSet<String>,
    states: HashMap<StateId, State>,
    next_state: u64,
}

/// A proof state, as the sentences that lead to it.
#[derive(Clone)]
struct State {
    path: Vec<Sentence>,
    proof_state: Arc<ProofState>,
    /// The shelved goals, by id. They belong to other groups, or will be instantiated.
    shelf: BTreeSet<String>,
}

#[async_trait]
impl Worker for RocqWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.states.clear();
        // Both are parsed here, whether or not a checker does so later. The statement may use notations of its
        // header.
        let stated = format!("{}\n{}", theorem.header, theorem.statement);
        for (part, text) in [(HEADER, &theorem.header), (STATEMENT, &stated)] {
            forbidden_commands(text).map_err(|e| refused(theorem, part, "", e.to_string()))?;
        }
        let importing = self.read_header(theorem).await?;
        let sentences = sentences(theorem, STATEMENT, &theorem.statement)?;
        self.is_undoable = sentences.iter().all(|s| undo::of_sentence(s.text));
        self.is_recursive = ["Fixpoint", "CoFixpoint"].iter().any(|word| theorem.statement.contains(word));
        let document = self.document.as_mut().ok_or(EnvError::Lost)?;
        for sentence in &sentences {
            let added = document.add_to_base(sentence.text, FOR_A_SENTENCE).await?;
            added.map_err(|e| refused_sentence(theorem, STATEMENT, sentence, e.message))?;
        }
        let refused = |message: String| refused(theorem, STATEMENT, &theorem.statement, message);
        let goals = match document.goals(FOR_A_SENTENCE).await? {
            Ran::Goals(goals) if !goals.pretty.foreground.is_empty() => goals,
            Ran::Goals(_) => return Err(refused("it leaves no goal".into())),
            Ran::NoProof => return Err(refused("it does not open a proof".into())),
            Ran::Failed(error) => return Err(refused(error.message)),
            Ran::Stopped(_) => return Err(refused("it takes too long".into())),
        };
        let mut proof_state = proof_state(&goals.pretty.foreground, &goals.explicit.foreground);
        self.names.clear();
        self.names.tell(document, &mut proof_state.goals).await?;
        if !opens_proof(&theorem.statement) {
            // Some headers forbid it; it has no effect on the goals.
            let _ = document.add_to_base("Proof.", FOR_A_SENTENCE).await?;
        }
        let mut imports = Vec::new();
        // What a header sets must not change what a tactic means.
        let [mode, timeout] = document.options(["Default Proof Mode", "Default Timeout"]).await?;
        if mode.is_some_and(|mode| mode != CLASSIC) {
            let line = format!("Proof Mode \"{CLASSIC}\".");
            let added = document.add_to_base(&line, FOR_A_SENTENCE).await?;
            added.map_err(|error| refused(error.message))?;
            imports.push(ExtraImport { line, provides: Vec::new(), extends: Vec::new() });
        }
        // 0 seconds are no limit.
        let seconds = timeout.and_then(|seconds| seconds.parse().ok()).filter(|seconds| *seconds > 0);
        self.most = seconds.map(Duration::from_secs);
        self.is_undoable &= theorem.extra_imports.iter().all(|import| undo::of_import(&import.line));
        for ExtraImport { line, provides, extends } in &theorem.extra_imports {
            let line = dialect::import(line, &self.version);
            match document.add_to_base(&line, FOR_A_SENTENCE).await? {
                Ok(()) => {
                    let (provides, extends) = (provides.clone(), extends.clone());
                    imports.push(ExtraImport { line, provides, extends });
                }
                Err(error) => tracing::info!("`{line}` is not available here: {}", error.message),
            }
        }
        // Commands since then may have changed the meaning of names.
        self.names.clear();
        // The root is a single obligation, however many goals it has.
        let proof_state = proof_state.grouped(Grouping::Whole);
        let locals = proof_state.goals.iter().flat_map(Goal::locals).map(|(name, _)| name);
        self.hidden = std::iter::once(theorem.name.as_str()).chain(locals).map(str::to_owned).collect();
        let shelf = ids(&goals.pretty.shelf);
        let state = self.hold(State { path: Vec::new(), proof_state: Arc::new(proof_state.clone()), shelf });
        let assistant = format!("rocq {}", self.version);
        Ok(Opened { state, proof_state, imports, assistant, importing })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        let (address, tactic) = addressed(tactic);
        let body = match tactic_body(tactic) {
            Ok(body) => body,
            Err(refusal) => return Ok(rejected(refusal.to_string())),
        };
        let from = self.states.get(&state).ok_or(EnvError::Lost)?.clone();
        // A metavariable that these goals do not mention may belong to another obligation.
        let ProofState { goals, groups } = &*from.proof_state;
        let mentions =
            |name: &str| groups[group].iter().any(|&goal| goals[goal].metas.contains(&format!("?{name}")));
        if let Some(name) = address.filter(|name| !mentions(name)) {
            return Ok(rejected(format!("no goal here mentions the existential variable `?{name}`")));
        }
        // A header may have bare tactics mean something else than the first of several goals.
        let first = if groups[group].len() > 1 { "1: " } else { "" };
        let address = address.map_or(first.to_owned(), |name| format!("[{name}]: "));
        // The header's limit holds for the finished script, too.
        let limits = TacticLimits { wall: limits.wall.min(self.most.unwrap_or(limits.wall)), ..limits };
        let document = self.document.as_mut().ok_or(EnvError::Lost)?;
        let (mut path, shelved) = focus(&from, group);
        document.goto(&path).await?;
        let seconds = limits.wall.as_secs_f64().ceil().max(1.0);
        let patience = Patience::for_tactic(limits);
        let tactic = format!("{address}{}", in_parentheses(body));
        let limited = format!("Timeout {seconds} {tactic}.");
        let (ran, doc_state) = document.try_sentence(&limited, patience).await?;
        let mut goals = match ran {
            Ran::Goals(goals) => goals,
            Ran::NoProof => return Ok(rejected("it ended the proof".into())),
            Ran::Failed(error) => return Ok(rejected(located(error, &limited, body))),
            Ran::Stopped(limit) => return Ok(TacticOutcome::OverTime { limit }),
        };
        if !goals.pretty.given_up.is_empty() {
            return Ok(rejected("it gives up a goal".into()));
        }
        let committed: Sentence = format!("{tactic}.").into();
        document.keep(Arc::clone(&committed), doc_state);
        path.push(committed);
        let mut script = format!("{address}{}", in_script(body));
        let base: BTreeSet<String> = from.shelf.iter().cloned().chain(shelved).collect();
        // What this obligation mentions belongs to it, although it was shelved before.
        let is_own = |goal: &Printed| goal.name.as_deref().is_some_and(mentions);
        let is_foreign = |goal: &Printed| base.contains(&goal.id) && !is_own(goal);
        if orphans(&goals, is_foreign) {
            // Metavariables that no goal mentions would remain at the end; turn them into goals.
            if goals.explicit.shelf.iter().any(is_foreign) {
                return Ok(rejected("it leaves an existential variable that no goal determines".into()));
            }
            let (ran, doc_state) = document.try_sentence("Unshelve.", patience).await?;
            let Ran::Goals(unshelved) = ran else {
                return Ok(rejected("it leaves existential variables that cannot become goals".into()));
            };
            goals = unshelved;
            let unshelve: Sentence = "Unshelve.".into();
            document.keep(Arc::clone(&unshelve), doc_state);
            path.push(unshelve);
            script += " Unshelve.";
        }
        if goals.pretty.foreground.is_empty() && (self.is_recursive || mentions_fix(&path)) {
            // A fixpoint may have closed the goal by itself; `Guarded` checks this.
            if let Err(error) = document.would_accept("Guarded.", patience).await? {
                return Ok(rejected(error.message));
            }
        }
        let mut proof_state = proof_state(&goals.pretty.foreground, &goals.explicit.foreground);
        self.names.tell(document, &mut proof_state.goals).await?;
        let proof_state = Arc::new(proof_state.grouped(self.grouping));
        let shelf = ids(&goals.pretty.shelf);
        let state = self.hold(State { path, proof_state: Arc::clone(&proof_state), shelf });
        Ok(TacticOutcome::Applied { state, proof_state, script, suggestions: Vec::new() })
    }

    async fn lookup(&mut self, symbols: &[String], most: usize) -> Result<Vec<Lemma>, EnvError> {
        let document = self.document.as_mut().ok_or(EnvError::Lost)?;
        document.goto(&[]).await?;
        lookup(document, symbols, most, &self.hidden).await
    }

    fn release(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn forget_theorem(&mut self) -> bool {
        self.states.clear();
        self.is_undoable && self.process_id().is_some()
    }

    /// Measured in sentences. A worker that would have to restart, or to undo what cannot be undone, shares nothing.
    fn shares(&self, header: &str) -> Option<usize> {
        let wanted = split(header).ok()?;
        let document = self.document.as_ref()?;
        let common = in_common(document, &wanted);
        let mut to_undo = document.header().skip(common);
        let is_start = common == 0 && document.header().len() + wanted.len() > 0;
        (!is_start && to_undo.all(undo::of_sentence)).then_some(common)
    }

    async fn wake(&mut self) -> Result<(), EnvError> {
        self.document.as_mut().ok_or(EnvError::Lost)?.wake().await
    }

    fn health(&self) -> Health {
        Health { memory_bytes: self.process_id().and_then(resident_bytes), n_states: self.states.len() }
    }

    fn process_id(&self) -> Option<u32> {
        self.document.as_ref().and_then(Document::process_id)
    }
}

impl RocqWorker {
    pub(super) fn new(config: RocqConfig, premises: Arc<Premises>, grouping: Grouping) -> Self {
        Self {
            config,
            premises,
            grouping,
            document: None,
            version: String::new(),
            is_undoable: false,
            most: None,
            is_recursive: false,
            scratch: None,
            names: Names::default(),
            hidden: HashSet::new(),
            states: HashMap::new(),
            next_state: 0,
        }
    }

    /// Moves the document to the end of the theorem's header, and returns the time spent reading new sentences.
    async fn read_header(&mut self, theorem: &Theorem) -> Result<Duration, EnvError> {
        let sentences = sentences(theorem, HEADER, &theorem.header)?;
        self.is_undoable = false;
        let common = match &mut self.document {
            Some(document) => {
                let common = in_common(document, &sentences);
                document.back_to_header(common).await?;
                common
            }
            None => {
                self.start().await?;
                0
            }
        };
        let document = self.document.as_mut().ok_or(EnvError::Lost)?;
        let started = Instant::now();
        for sentence in &sentences[common..] {
            if let Err(error) = document.add_to_header(sentence.text, FOR_A_SENTENCE).await? {
                self.is_undoable = undo::of_failure(sentence.text, &error.message);
                return Err(refused_sentence(theorem, HEADER, sentence, error.message));
            }
        }
        Ok(if common < sentences.len() { started.elapsed() } else { Duration::ZERO })
    }

    /// Starts the process.
    async fn start(&mut self) -> Result<(), EnvError> {
        let server = program(dialect::SERVERS)?;
        let server = server.to_string_lossy().into_owned();
        let scratch = self.scratch.insert(Scratch::new()?).path().to_owned();
        let connection = Connection::new(self.premises.used().await.spawn(self.spec(&server, scratch))?);
        let (document, version) = Document::start(connection, &server).await?;
        self.document = Some(document);
        self.version = version;
        Ok(())
    }

    fn spec(&self, server: &str, directory: PathBuf) -> ChildSpec {
        ChildSpec {
            program: server.to_owned(),
            args: dialect::SERVER_ARGS
                .iter()
                .map(|a| (*a).to_owned())
                .chain(self.config.load_path_args())
                .collect(),
            env: dialect::environment(),
            directory,
            limits: self.config.limits(),
        }
    }

    fn hold(&mut self, state: State) -> StateId {
        let id = StateId(self.next_state);
        self.next_state += 1;
        self.states.insert(id, state);
        id
    }
}

/// The sentences in a part of a theorem.
fn sentences<'a>(
    theorem: &Theorem,
    part: &'static str,
    text: &'a str,
) -> Result<Vec<sentence::Sentence<'a>>, EnvError> {
    split(text).map_err(|e| refused(theorem, part, text, e.to_string()))
}

/// The number of a header's leading sentences that the document has read. Text between sentences is ignored.
fn in_common(document: &Document, header: &[sentence::Sentence<'_>]) -> usize {
    document.header().zip(header).take_while(|(read, wanted)| *read == wanted.text).count()
}

fn refused(theorem: &Theorem, part: &'static str, text: &str, message: String) -> EnvError {
    EnvError::TheoremRefused { theorem: theorem.id.clone(), part, text: shorten(text), at: None, message }
}

/// The refusal of a sentence in a part of a theorem.
fn refused_sentence(
    theorem: &Theorem,
    part: &'static str,
    sentence: &sentence::Sentence<'_>,
    message: String,
) -> EnvError {
    let start = if part == HEADER { 0 } else { theorem.header.len() };
    let at = Some(Place::of(&format!("{}{}", theorem.header, theorem.statement), start + sentence.start));
    EnvError::TheoremRefused { theorem: theorem.id.clone(), part, text: shorten(sentence.text), at, message }
}

/// The sentences that isolate one group of a state: a single goal is focused; for several goals, the others are
/// shelved. Also returns the ids of the shelved goals.
fn focus(state: &State, group: usize) -> (Vec<Sentence>, Vec<String>) {
    let mut path = state.path.clone();
    let ProofState { goals, groups } = &*state.proof_state;
    let mut shelved = Vec::new();
    match &groups[group][..] {
        _ if groups.len() == 1 => {}
        [only] => path.push(format!("{}: {{", only + 1).into()),
        several => {
            let others: Vec<usize> = (0..goals.len()).filter(|i| !several.contains(i)).collect();
            let selector: Vec<String> = others.iter().map(|i| (i + 1).to_string()).collect();
            path.push(format!("{}: shelve.", selector.join(", ")).into());
            shelved.extend(others.iter().map(|&i| goals[i].name.clone()));
        }
    }
    (path, shelved)
}

fn ids(goals: &[Printed]) -> BTreeSet<String> {
    goals.iter().map(|g| g.id.clone()).collect()
}

/// Whether a goal is shelved that is not foreign and that no open goal mentions, directly or through other shelved goals.
fn orphans(goals: &Goals, is_foreign: impl Fn(&Printed) -> bool) -> bool {
    let new: Vec<&Printed> = goals.explicit.shelf.iter().filter(|g| !is_foreign(g)).collect();
    if new.is_empty() {
        return false;
    }
    let mut known: HashSet<String> = mentioned(&goals.explicit.foreground);
    loop {
        let (reached, rest): (Vec<&&Printed>, Vec<&&Printed>) =
            new.iter().partition(|g| g.name.as_ref().is_some_and(|n| known.contains(n)));
        let before = known.len();
        known.extend(reached.into_iter().flat_map(|g| mentioned(std::slice::from_ref(g))));
        if known.len() == before {
            return !rest.is_empty();
        }
    }
}

/// Whether a sentence of the path mentions `fix` or `cofix`.
fn mentions_fix(path: &[Sentence]) -> bool {
    let words = |s: &Sentence| {
        s.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| matches!(w, "fix" | "cofix"))
    };
    path.iter().any(words)
}

fn rejected(message: String) -> TacticOutcome {
    TacticOutcome::rejected(message)
}

/// The error's message, with the part of the tactic that it refers to.
fn located(error: CoqError, sentence: &str, body: &str) -> String {
    let part = error.range.and_then(|(start, end)| sentence.get(start..end));
    match part.filter(|p| !p.is_empty() && *p != body && body.contains(p)) {
        Some(part) => format!("{} (at `{}`)", error.message, shorten(part)),
        None => error.message,
    }
}

#[cfg(test)]
mod tests {
    use andor_process::error::ProcessError;

    use super::*;

    #[tokio::test]
    async fn a_sentence_whose_time_is_up_is_not_refused() {
        let config = RocqConfig::default();
        let premises = Arc::new(Premises::new(config.clone()));
        let mut worker = RocqWorker::new(config, premises, Grouping::Coupled);
        worker.start().await.unwrap();
        let document = worker.document.as_mut().unwrap();
        let ack = "Fixpoint ack (m : nat) : nat -> nat := match m with 0 => S | S m => \
                   fix go n := match n with 0 => ack m 1 | S n => ack m (go n) end end.";
        document.add_to_header(ack, FOR_A_SENTENCE).await.unwrap().unwrap();
        let brief = Patience { wall: Duration::from_millis(200), ..Patience::QUICK };
        let slow = "Definition slow := Eval vm_compute in Nat.eqb (ack 3 12) 0.";
        let added = document.add_to_header(slow, brief).await;
        assert!(matches!(added, Err(EnvError::Process(ProcessError::Overdue { .. }))), "{added:?}");
    }
}
