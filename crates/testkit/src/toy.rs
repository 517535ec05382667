//! A proof assistant in a few hundred lines, to try out what a system has to bring. It is entered into no table here: the test that
//! links it does that.
//!
//! A file has lines `claim NAME : NUMBER`, each with a proof below it, one tactic to a line, up to `end`. The tactic `half` leaves
//! two halves of a number as goals, `one` proves 1, and `hole` leaves a goal open.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::{Goal, Term};
use andor_core::language::{
    Heuristic, Language, Lexis, Plan, Prompts, Proposed, Statements, Tactics, family,
};
use andor_core::signature::Commutative;
use andor_core::theorem::{ExtraImport, System, Theorem};
use andor_core::verdict::Reason;
use andor_env::checker::{Checker, Claim, Level, Verdict};
use andor_env::environment::{Environment, Finding, Script};
use andor_env::error::EnvError;
use andor_env::in_place::{Edit, Span, WrittenProof};
use andor_env::outline::{Outline, Place};
use andor_env::screen::{self, Refusal};
use andor_env::source::{Called, Likeness, Malformed, Row, Source, SourceFile, SourceTheorem};
use andor_env::worker::{Grouping, Health, Opened, ProofState, StateId, TacticLimits, TacticOutcome, Worker};
use async_trait::async_trait;

/// The system.
pub const TOY: System = System::of(&LANGUAGE);

/// Its language.
pub static LANGUAGE: Language = Language {
    system: "toy",
    title: "Toy",
    extension: "toy",
    fences: &["toy"],
    lexis: Lexis {
        block_comment: None,
        line_comment: Some("#"),
        strings: None,
        has_characters: false,
        marks: &[],
        has_fields: false,
        has_paths: false,
    },
    statements: Statements {
        theorem: "claim",
        period: "",
        not: "not",
        for_all: "all",
        bare: str::trim,
        is_name: |name| !name.is_empty() && name.chars().all(char::is_alphanumeric),
        assumptions: &[],
    },
    tactics: Tactics {
        families: &[family("division", &["half"]), family("closing", &["one"])],
        easy: &["one"],
        hygiene: &[],
        foreign: &[],
        shapes: "",
        placeholder: "hole",
        rewrite: |lemma, _| lemma.to_owned(),
        specialize: |hypothesis, _| hypothesis.to_owned(),
        rename: |_, _| None,
        from_answer: |answer| answer.trim().to_owned(),
        is_other: |_| false,
    },
    plan: Plan {
        form: "have name : statement",
        keywords: &["have"],
        ends: &["end"],
        step: |name, statement| format!("have {name} : {statement}"),
        left_open: |tactic| format!("{tactic}\nhole\n"),
    },
    prompts: Prompts { prover: "Toy", tactic: "`half` or `one`", chat: None },
    heuristic: Some(Heuristic {
        imports: |_| Vec::new(),
        suggest: |request| {
            let tactics = ["one", "half"].into_iter().map(|tactic| (tactic.to_owned(), 0.0));
            assert!(!request.goals.is_empty());
            Proposed { tactics: tactics.collect(), notes: Vec::new() }
        },
    }),
};

/// What a tactic leaves of a number.
fn applied(number: u64, tactic: &str) -> Result<Vec<u64>, String> {
    match (tactic.trim(), number) {
        ("half", 2..) => Ok(vec![number / 2, number - number / 2]),
        ("one", 1) => Ok(Vec::new()),
        (tactic, number) => Err(format!("`{tactic}` does not prove {number}")),
    }
}

/// The name and number of a line that states something.
fn stated(line: &str) -> Option<(&str, u64)> {
    let (name, number) = line.trim().strip_prefix("claim ")?.split_once(':')?;
    Some((name.trim(), number.trim().parse().ok()?))
}

/// The lines of a text, each with its place.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches('\n')))
    })
}

/// A theorem of a file.
struct Stated<'a> {
    source: SourceTheorem,
    number: u64,
    tactics: Vec<&'a str>,
}

/// The theorems of a file.
fn theorems(text: &str) -> Result<Vec<Stated<'_>>, Malformed> {
    let mut found = Vec::new();
    let mut rest = lines(text);
    while let Some((start, line)) = rest.next() {
        let Some((name, number)) = stated(line) else { continue };
        let statement = start..start + line.trim_end().len();
        let mut tactics = Vec::new();
        let end = loop {
            match rest.next() {
                Some((at, line)) if line.trim() == "end" => break at + line.len(),
                Some((_, line)) => tactics.extend(Some(line.trim()).filter(|line| !line.is_empty())),
                None => {
                    let at = Place::of(text, start);
                    return Err(Malformed { at, what: "the proof of this claim has no `end`".to_owned() });
                }
            }
        };
        let row = Row {
            header: text[..start].to_owned(),
            statement: text[statement.clone()].to_owned(),
            ..Row::default()
        };
        let proof = statement.end..end;
        let is_finished = !tactics.is_empty() && !tactics.contains(&"hole");
        let has_steps = !is_finished && tactics.iter().any(|tactic| *tactic != "hole");
        let source = SourceTheorem {
            theorem: Theorem { id: name.to_owned(), ..row.theorem(TOY, name.to_owned()) },
            draft: has_steps.then(|| proof.clone()),
            at: Span { statement, proof },
            is_finished,
        };
        found.push(Stated { source, number, tactics });
    }
    Ok(found)
}

/// The reader of its texts.
pub struct Reader;

impl Source for Reader {
    fn system(&self) -> System {
        TOY
    }

    fn called(&self) -> Called {
        Called { files: "Toy", project: "a Toy project" }
    }

    fn likeness(&self, statement: &str) -> Likeness {
        if stated(statement).is_some() { Likeness::Stated } else { Likeness::None }
    }

    fn read(&self, text: &str) -> Result<SourceFile, Malformed> {
        let theorems = theorems(text)?.into_iter().map(|stated| stated.source).collect();
        Ok(SourceFile { theorems, ..SourceFile::default() })
    }

    fn imports(&self, _text: &str) -> Vec<String> {
        Vec::new()
    }

    fn statement(&self, statement: &str, _imports: &[String]) -> Result<Theorem, String> {
        let statement = match stated(statement) {
            Some(_) => statement.to_owned(),
            None => format!("claim goal : {statement}"),
        };
        self.row(Row { statement, ..Row::default() })
    }

    fn states(&self, text: &str) -> bool {
        stated(text).is_some()
    }

    fn row(&self, row: Row) -> Result<Theorem, String> {
        let (name, _) = stated(&row.statement).ok_or("a statement is `claim NAME : NUMBER`")?;
        let name = name.to_owned();
        Ok(row.theorem(TOY, name))
    }

    fn outline(&self, script: &str) -> Outline {
        Outline::of_lines(script)
    }

    fn is_proof_alone(&self, text: &str) -> bool {
        !text.lines().any(|line| stated(line).is_some())
    }

    fn with_proof(&self, file: &str, theorem: &str, proof: &str) -> Option<[String; 3]> {
        let Range { start, end } = self.proof_of(file, theorem)?;
        let proof = format!("\n{}\nend", proof.trim_end().trim_end_matches("end").trim_end());
        Some([file[..start].to_owned(), proof, file[end..].to_owned()])
    }

    fn proof_of(&self, file: &str, theorem: &str) -> Option<Range<usize>> {
        let found = self.read(file).ok()?.theorems.into_iter();
        found
            .map(|stated| (stated.theorem.name, stated.at.proof))
            .find(|(name, _)| name == theorem)
            .map(|f| f.1)
    }

    fn filled(&self, _file: &str, _at: &Span, _proof: &WrittenProof) -> Option<Vec<Edit>> {
        None
    }

    fn whole(&self, _file: &str, at: &Span, proof: &WrittenProof) -> Vec<Edit> {
        let lines: String = proof.whole.lines().map(|line| format!("\n  {line}")).collect();
        vec![Edit { range: at.proof.clone(), text: format!("{lines}\nend") }]
    }
}

/// The assistant.
#[derive(Clone, Copy, Debug, Default)]
pub struct Toy;

#[async_trait]
impl Environment for Toy {
    fn system(&self) -> System {
        TOY
    }

    fn commutative(&self) -> &'static Commutative {
        &Commutative { constants: &[], infix: &[] }
    }

    fn new_worker(&self, grouping: Grouping) -> Box<dyn Worker> {
        Box::new(ToyWorker { grouping, states: HashMap::new(), next: 0 })
    }

    fn screen(&self, tactic: &str) -> Result<(), Refusal> {
        screen::length(tactic)?;
        screen::characters(tactic, 0..tactic.len())?;
        tactic.trim().find('\n').map_or(Ok(()), |at| Err(Refusal::Several { at }))
    }

    fn checker(&self) -> &dyn Checker {
        self
    }

    fn assemble(&self, theorem: &Theorem, _imports: &[ExtraImport], script: &Script) -> Claim {
        let file = |proof: &str| {
            format!("{}{}\n{proof}end\n{}", theorem.header, theorem.statement.trim(), theorem.footer)
        };
        let (submission, challenge) = (file(&self.proof_text(script)), file("hole\n"));
        Claim { submission, challenge, theorems: vec![theorem.name.clone()] }
    }

    async fn probe(&self) -> Vec<Finding> {
        let found = Ok("built in".to_owned());
        vec![Finding { what: "toy".to_owned(), found, remedy: None, needed: true }]
    }
}

#[async_trait]
impl Checker for Toy {
    fn ceiling(&self) -> Level {
        Level::Compiled
    }

    async fn check(&self, claim: &Claim, level: Level) -> Verdict {
        let rejected = |reason, message: String| Verdict::rejected(Level::Compiled, reason, message);
        let (submission, challenge) = match (theorems(&claim.submission), theorems(&claim.challenge)) {
            (Ok(submission), Ok(challenge)) => (submission, challenge),
            (Err(error), _) | (_, Err(error)) => return rejected(Reason::Malformed, error.to_string()),
        };
        for theorem in &claim.theorems {
            let is_it = |found: &&Stated<'_>| found.source.theorem.name == *theorem;
            let (Some(proved), Some(wanted)) = (submission.iter().find(is_it), challenge.iter().find(is_it))
            else {
                return rejected(Reason::Missing, format!("there is no `{theorem}`"));
            };
            if proved.number != wanted.number {
                return rejected(Reason::Statement, format!("`{theorem}` is another claim"));
            }
            let mut open = vec![proved.number];
            for tactic in &proved.tactics {
                match open.pop().ok_or("no goal is left".to_owned()).and_then(|goal| applied(goal, tactic)) {
                    Ok(left) => open.extend(left.into_iter().rev()),
                    Err(message) => return rejected(Reason::Refused, message),
                }
            }
            if !open.is_empty() {
                return rejected(Reason::Unproved, format!("`{theorem}` is not proved"));
            }
        }
        Verdict::accepted(level, Vec::new())
    }
}

struct ToyWorker {
    grouping: Grouping,
    states: HashMap<StateId, Vec<u64>>,
    next: u64,
}

impl ToyWorker {
    fn hold(&mut self, numbers: Vec<u64>) -> (StateId, ProofState) {
        let id = StateId(self.next);
        self.next += 1;
        let goal = |(at, number): (usize, &u64)| Goal {
            name: format!("g{at}"),
            target: Term::textual(number.to_string()),
            ..Goal::default()
        };
        let state = ProofState {
            groups: (0..numbers.len()).map(|at| vec![at]).collect(),
            goals: numbers.iter().enumerate().map(goal).collect(),
        };
        self.states.insert(id, numbers);
        (id, state.grouped(self.grouping))
    }
}

#[async_trait]
impl Worker for ToyWorker {
    async fn open(&mut self, theorem: &Theorem) -> Result<Opened, EnvError> {
        let Some((_, number)) = stated(&theorem.statement) else {
            return Err(EnvError::TheoremRefused {
                theorem: theorem.id.clone(),
                part: "the statement",
                text: theorem.statement.clone(),
                at: None,
                message: "a statement is `claim NAME : NUMBER`".to_owned(),
            });
        };
        let (state, proof_state) = self.hold(vec![number]);
        let assistant = "toy 1".to_owned();
        Ok(Opened { state, proof_state, imports: Vec::new(), assistant, importing: Duration::ZERO })
    }

    async fn apply(
        &mut self,
        state: StateId,
        group: usize,
        tactic: &str,
        _limits: TacticLimits,
    ) -> Result<TacticOutcome, EnvError> {
        let numbers = self.states.get(&state).ok_or(EnvError::Lost)?.clone();
        let number = *numbers.get(group).ok_or(EnvError::Lost)?;
        Ok(match applied(number, tactic) {
            Err(message) => TacticOutcome::rejected(message),
            Ok(mut left) => {
                if self.grouping == Grouping::Whole {
                    left.extend(&numbers[1..]);
                }
                let (state, proof_state) = self.hold(left);
                let (script, suggestions) = (tactic.trim().to_owned(), Vec::new());
                TacticOutcome::Applied { state, proof_state: Arc::new(proof_state), script, suggestions }
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
