//! The worker: a process, its document, and the states it holds.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_core::lemma::Lemma;
use andor_core::theorem::Theorem;
use async_trait::async_trait;

use super::connection::{Connection, Patience};
use super::document::{Document, Position, URI};
use super::text::{Base, HOLE, Step, Text, imports};
use super::wire::Diagnostic;
use crate::goal::proof_state;
use crate::lookup::Questions;
use crate::premises::Premises;
use crate::script::step_text;
use crate::shorten;
use crate::suggested::{Said, suggested};
use crate::toolchain::Toolchain;
use andor_env::error::EnvError;
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use andor_process::scratch::Scratch;
use andor_process::{ChildSpec, ResourceLimits, resident_bytes};

const TRYING: &str = "trying a tactic";

/// A worker over one `lean --worker` process.
pub(crate) struct ServerWorker {
    premises: Arc<Premises>,
    grouping: Grouping,
    document: Option<Document>,
    /// The header that the document begins with.
    header: String,
    base: Option<Base>,
    /// The working folder of this process alone. Outlives it.
    scratch: Option<Scratch>,
    /// The steps that lead to each state. The last one's `next` is chosen when a tactic is tried.
    states: HashMap<StateId, Vec<Step>>,
    next_state: u64,
}

#[async_trait]
impl Worker for ServerWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        self.states.clear();
        let toolchain = self.premises.toolchain().await?.clone();
        let base = Base::new(theorem);
        let known = self.document.is_some() && self.header == theorem.header;
        if self.shares(&theorem.header).is_none() {
            self.start(&toolchain).await?;
        }
        let document = self.document.as_mut().ok_or(EnvError::Lost)?;
        let started = Instant::now();
        let shown = base.with(&[], None);
        document.demand(&shown.text, "reading the theorem", Patience::HEADER).await?;
        self.header.clone_from(&theorem.header);
        let importing = if known { Duration::ZERO } else { started.elapsed() };
        if let Some((part, wrong)) = refusal(document.diagnostics()?, &base) {
            let text = match part {
                "the header" => shown.text.lines().nth(wrong.line).unwrap_or_default(),
                _ => &theorem.statement,
            };
            return Err(EnvError::TheoremRefused {
                theorem: theorem.id.clone(),
                part,
                text: shorten(text),
                at: base.place(Position { line: wrong.line, character: wrong.character }),
                message: wrong.message.clone(),
            });
        }
        let proof_state = self.proof_state(&shown, Patience::QUICK).await?;
        // The root is a single obligation, however many goals it has.
        let proof_state = proof_state.grouped(Grouping::Whole);
        self.base = Some(base);
        let state = self.hold(Vec::new());
        let assistant = format!("lean {} (server)", toolchain.version);
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant, importing })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        let mut path = self.states.get(&state).ok_or(EnvError::Lost)?.clone();
        if let Some(last) = path.last_mut() {
            last.next = group;
        }
        let tactic = tactic.trim();
        if tactic.contains(HOLE) {
            return Ok(TacticOutcome::rejected(format!("the name `{HOLE}` is reserved")));
        }
        let (document, base) = match (&mut self.document, &self.base) {
            (Some(document), Some(base)) => (document, base),
            _ => return Err(EnvError::Lost),
        };
        let mut text = base.with(&path, Some(tactic));
        let patience = Patience::for_tactic(limits);
        loop {
            if let Some(limit) = document.show(&text.text, TRYING, patience).await? {
                // Another text cancels the tactic; Lean notices soon, or is killed.
                let without = base.with(&path, None);
                return match document.show(&without.text, TRYING, Patience::CANCELLED).await? {
                    None => Ok(TacticOutcome::OverTime { limit }),
                    Some(_) => Err(document.give_up(TRYING, limit)),
                };
            }
            // A step that succeeded between parentheses may be something else beside others.
            let is_plain = path.iter().any(|step| !step.in_parentheses);
            if !(is_plain && is_broken_before(document.diagnostics()?, base, &text)) {
                break;
            }
            path.iter_mut().for_each(|step| step.in_parentheses = true);
            self.states.insert(state, path.clone());
            text = base.with(&path, Some(tactic));
        }
        let diagnostics = document.diagnostics()?;
        let said = diagnostics.iter().filter_map(|d| {
            let place = Position { line: d.line, character: d.character };
            Some(Said { at: Some(text.in_tactic(tactic, place)?), message: &d.message })
        });
        let suggestions = suggested(tactic, said);
        if let Some(message) = rejection(diagnostics, base, &text)? {
            return Ok(TacticOutcome::Rejected { message, suggestions });
        }
        let proof_state = self.proof_state(&text, Patience::QUICK).await?;
        let proof_state = Arc::new(proof_state.grouped(self.grouping));
        let groups = proof_state.groups.clone();
        path.push(Step { tactic: tactic.to_owned(), groups, next: 0, in_parentheses: false });
        let state = self.hold(path);
        Ok(TacticOutcome::Applied { state, proof_state, script: step_text(tactic), suggestions })
    }

    async fn lookup(&mut self, symbols: &[String], most: usize) -> Result<Vec<Lemma>, EnvError> {
        let toolchain = self.premises.toolchain().await?.clone();
        let found = self.premises.lookups().promising(&toolchain, &self.header, symbols).await;
        let (document, base) = match (&mut self.document, &self.base) {
            (Some(document), Some(base)) => (document, base),
            _ => return Err(EnvError::Lost),
        };
        let questions = Questions::about(&found);
        document.demand(&base.asking(&questions.commands), "looking up lemmas", Patience::QUICK).await?;
        let answers = document.diagnostics()?.iter().filter(|d| !d.is_error);
        let answers = answers.filter_map(|d| Some((d.line.checked_sub(base.statement_at)?, &*d.message)));
        Ok(questions.best(answers, symbols, most))
    }

    fn release(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn forget_theorem(&mut self) -> bool {
        self.states.clear();
        self.process_id().is_some()
    }

    /// Measured in bytes. What is imported cannot be changed later.
    fn shares(&self, header: &str) -> Option<usize> {
        self.process_id()?;
        let same = self.header.bytes().zip(header.bytes()).take_while(|(a, b)| a == b).count();
        (imports(&self.header) == imports(header)).then_some(same)
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

impl ServerWorker {
    pub(crate) fn new(premises: Arc<Premises>, grouping: Grouping) -> Self {
        Self {
            premises,
            grouping,
            document: None,
            header: String::new(),
            base: None,
            scratch: None,
            states: HashMap::new(),
            next_state: 0,
        }
    }

    /// Starts a process.
    async fn start(&mut self, toolchain: &Toolchain) -> Result<(), EnvError> {
        self.document = None;
        let scratch = self.scratch.insert(Scratch::new()?).path().to_owned();
        let spawned = self.premises.used().await.spawn(self.spec(toolchain, scratch))?;
        self.document = Some(Document::new(Connection::new(spawned)));
        Ok(())
    }

    fn spec(&self, toolchain: &Toolchain, directory: PathBuf) -> ChildSpec {
        let memory =
            self.premises.config().max_memory.map(|bytes| ["-M".to_owned(), (bytes >> 20).to_string()]);
        let options = [
            // The server waits so long before it reports, for a user who types.
            "-Dserver.reportDelayMs=5",
            // Lean would stop to report.
            "-DmaxErrors=0",
            "-Dlinter.all=false",
            "--worker",
            URI,
        ];
        ChildSpec {
            program: toolchain.lean.to_string_lossy().into_owned(),
            args: memory.into_iter().flatten().chain(options.map(str::to_owned)).collect(),
            env: toolchain.environment(),
            directory,
            limits: ResourceLimits::default(),
        }
    }

    /// The goals of the document.
    async fn proof_state(&mut self, text: &Text, patience: Patience) -> Result<ProofState, EnvError> {
        let document = self.document.as_mut().ok_or(EnvError::Lost)?;
        let goals = document.goals(&text.goals_at, patience).await?;
        let [pretty, explicit] = <[_; 2]>::try_from(goals).map_err(|_| EnvError::Lost)?;
        Ok(proof_state(pretty, Some(&explicit)))
    }

    fn hold(&mut self, path: Vec<Step>) -> StateId {
        let id = StateId(self.next_state);
        self.next_state += 1;
        self.states.insert(id, path);
        id
    }
}

/// What is wrong with a theorem, and in which part. A header may admit lemmas; the checker looks at the axioms.
fn refusal<'a>(diagnostics: &'a [Diagnostic], base: &Base) -> Option<(&'static str, &'a Diagnostic)> {
    let in_header = |d: &&Diagnostic| d.line < base.statement_at;
    let header = diagnostics.iter().filter(in_header).find(|d| d.is_error);
    let statement = || diagnostics.iter().find(|d| !in_header(d) && (d.is_error || d.admits()));
    header.map(|d| ("the header", d)).or_else(|| Some(("the statement", statement()?)))
}

/// Whether there is an error among the steps before the tactic.
fn is_broken_before(diagnostics: &[Diagnostic], base: &Base, text: &Text) -> bool {
    diagnostics.iter().any(|d| d.is_error && d.line >= base.proof_at && d.line < text.tactic_at)
}

/// Why Lean rejects the tactic; `None` if it does not. An error among the steps before it is none of the tactic's.
fn rejection(diagnostics: &[Diagnostic], base: &Base, text: &Text) -> Result<Option<String>, EnvError> {
    let relevant = |d: &&Diagnostic| d.line >= base.statement_at && (d.is_error || d.admits());
    let wrong: Vec<&Diagnostic> = diagnostics.iter().filter(relevant).collect();
    let before = |d: &&Diagnostic| d.line >= base.proof_at && d.line < text.tactic_at;
    let (before, of_tactic): (Vec<&Diagnostic>, Vec<&Diagnostic>) = wrong.iter().partition(|d| before(d));
    match (&before[..], &of_tactic[..]) {
        ([], []) => Ok(None),
        ([first, ..], []) => {
            let got = format!("a tactic succeeded before and now gives: {}", shorten(&first.message));
            Err(EnvError::Garbled { doing: "going to a known state".to_owned(), got })
        }
        (_, all) => {
            let messages = all.iter().map(|d| if d.admits() { "it gives up a goal" } else { &*d.message });
            Ok(Some(messages.collect::<Vec<_>>().join("\n\n")))
        }
    }
}
