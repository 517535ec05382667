//! Languages: what the text of a proof assistant looks like, and what its tactics do. Each system brings one value, so that no
//! other room needs to know which systems there are.

use std::sync::Arc;

use linkme::distributed_slice;

use crate::goal::Goal;
use crate::theorem::{ExtraImport, Theorem};

/// The languages of the systems that are linked into a program. A system's crate adds its own.
#[distributed_slice]
pub static LANGUAGES: [&'static Language];

/// The language of a system.
#[derive(Debug)]
pub struct Language {
    /// The name of the system, on the command line and in artifacts.
    pub system: &'static str,
    /// Its name for people, for example `Lean 4`.
    pub title: &'static str,
    /// The extension of its files, without a period.
    pub extension: &'static str,
    /// How Markdown calls it at the beginning of a code block, the usual name first. None if it is written in no files.
    pub fences: &'static [&'static str],
    /// Words, comments and strings.
    pub lexis: Lexis,
    /// How statements are written.
    pub statements: Statements,
    /// What its tactics are.
    pub tactics: Tactics,
    /// How a proof is planned in it.
    pub plan: Plan,
    /// How models are asked for it.
    pub prompts: Prompts,
    /// Tactics by the shape of a goal.
    pub heuristic: Option<Heuristic>,
}

/// Words, comments and strings.
#[derive(Debug)]
pub struct Lexis {
    /// What opens and closes a comment, which may be nested.
    pub block_comment: Option<[&'static str; 2]>,
    /// What begins a comment that ends with its line.
    pub line_comment: Option<&'static str>,
    /// Strings, if there are any.
    pub strings: Option<Strings>,
    /// Whether there are character literals, such as `'"'`.
    pub has_characters: bool,
    /// Characters besides letters, digits, `_` and `'` that a word may have, but not begin with.
    pub marks: &'static [char],
    /// Whether terms have fields (`(h x).symm`) and metavariables (`?left`), whose names are not words of their own.
    pub has_fields: bool,
    /// Whether a name, of a tactic too, can be given by the last parts of its path: `Lia.lia`.
    pub has_paths: bool,
}

/// How strings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strings {
    /// A doubled quote stands for one. Strings in comments hide what closes the comment.
    Doubled,
    /// A backslash hides the character behind it. There are none in comments.
    Escaped,
}

/// How statements are written.
#[derive(Debug)]
pub struct Statements {
    /// The word that begins a theorem.
    pub theorem: &'static str,
    /// What ends a sentence, if anything.
    pub period: &'static str,
    /// The negation of a proposition in parentheses.
    pub not: &'static str,
    /// The quantifier of a proposition for all values of what stands behind it, up to a comma.
    pub for_all: &'static str,
    /// A statement without what ends it or stands for its proof.
    pub bare: fn(&str) -> &str,
    /// Whether a text may be the name of a declaration, keywords aside.
    pub is_name: fn(&str) -> bool,
    /// Words of declarations that assume something.
    pub assumptions: &'static [&'static str],
}

/// What the tactics of a system are.
#[derive(Debug)]
pub struct Tactics {
    /// Tactics that do the same kind of thing.
    pub families: &'static [Family],
    /// Those that the easy gate blocks by default: tactics that close whole goals automatically.
    pub easy: &'static [&'static str],
    /// What no proof can use.
    pub hygiene: &'static [StandardRule],
    /// Tactics of other languages, which models mix up with those of this one.
    pub foreign: &'static [Foreign],
    /// The tactics of a small learned model, one to a line (`andor_learn`).
    pub shapes: &'static str,
    /// The tactic that gives up a goal.
    pub placeholder: &'static str,
    /// The tactic that rewrites with an equation, from the right to the left if it is to go backwards.
    pub rewrite: fn(lemma: &str, backwards: bool) -> String,
    /// The tactic that gives a value to the first variable of a hypothesis.
    pub specialize: fn(hypothesis: &str, value: &str) -> String,
    /// Tactics that give the variables and hypotheses of a goal, called `names`, the names in `wanted`, each on a line. There are as
    /// many of both. `None` if there is no such tactic.
    pub rename: fn(names: &[&str], wanted: &[&str]) -> Option<String>,
    /// The tactic in what a model answers to the request for one.
    pub from_answer: fn(&str) -> String,
    /// Whether a name outside the families is that of a tactic.
    pub is_other: fn(&str) -> bool,
}

/// Tactics that do the same kind of thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Family {
    /// Its name, shared by all systems that have it.
    pub name: &'static str,
    /// The words that its tactics begin with. The families of a system are disjoint.
    pub tactics: &'static [&'static str],
}

/// The family of a name.
pub const fn family(name: &'static str, tactics: &'static [&'static str]) -> Family {
    Family { name, tactics }
}

/// A rule that rejects what no proof can use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StandardRule {
    /// Its name, shared by all systems that have it.
    pub name: &'static str,
    /// The regular expression that rejects a tactic if it matches. Each string, character literal and comment is
    /// replaced by a space. The match must lie within one tactic, which extends over the following lines that are
    /// indented deeper than its beginning.
    pub pattern: &'static str,
    /// The reason.
    pub why: &'static str,
    /// Examples that it rejects.
    pub refused: &'static [&'static str],
    /// Similar examples that it accepts.
    pub passed: &'static [&'static str],
}

/// What is a tactic in another language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreign {
    /// A regular expression that matches it.
    pub pattern: &'static str,
    /// What to tell a model that writes it.
    pub hint: &'static str,
}

/// How a proof is planned.
#[derive(Debug)]
pub struct Plan {
    /// How a step looks, for people and models.
    pub form: &'static str,
    /// The words that may begin a step.
    pub keywords: &'static [&'static str],
    /// What begins the proof of a step, or ends the step: it is left out, with all behind it.
    pub ends: &'static [&'static str],
    /// The tactic that states a step. It leaves two goals: the statement, and the goal with the statement as a hypothesis.
    pub step: fn(name: &str, statement: &str) -> String,
    /// The script that states a step by that tactic and leaves it open.
    pub left_open: fn(tactic: &str) -> String,
}

/// How models are asked.
#[derive(Debug)]
pub struct Prompts {
    /// The prover and its language, as agents are told.
    pub prover: &'static str,
    /// What a tactic is, as agents are told.
    pub tactic: &'static str,
    /// The prompt that asks a chat model for tactics (minijinja), which is called `chat-SYSTEM`.
    pub chat: Option<&'static str>,
}

/// Proposes tactics by the shape of a goal.
#[derive(Debug)]
pub struct Heuristic {
    /// Imports that its tactics need, as far as the theorem lacks them.
    pub imports: fn(&Theorem) -> Vec<ExtraImport>,
    /// Its tactics for an obligation.
    pub suggest: fn(HeuristicRequest<'_>) -> Proposed,
}

/// What a heuristic is asked about.
#[derive(Clone, Copy, Debug)]
pub struct HeuristicRequest<'a> {
    /// The theorem that the obligation belongs to.
    pub theorem: &'a Theorem,
    /// Its goals, in order; at least one.
    pub goals: &'a [Goal],
    /// The tactics that failed at it so far, in order.
    pub failed: &'a [FailedTactic],
    /// What was noted in this attempt so far, in order, each note once.
    pub notes: &'a [Arc<str>],
}

/// What a heuristic proposes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Proposed {
    /// Tactics with log-priors.
    pub tactics: Vec<(String, f64)>,
    /// Notes for later requests of the attempt.
    pub notes: Vec<Arc<str>>,
}

/// A tactic that the assistant rejected, or that exceeded its limits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedTactic {
    /// The tactic.
    pub tactic: Arc<str>,
    /// What the assistant said, shortened.
    pub error: Arc<str>,
}

impl Language {
    /// Whether it is written in files and by people, as that of a prover is.
    pub fn is_written(&self) -> bool {
        !self.fences.is_empty()
    }

    /// The usual name of its code blocks.
    pub fn fence(&self) -> &'static str {
        self.fences.first().copied().unwrap_or("text")
    }

    /// A theorem that states a proposition.
    pub fn theorem(&self, name: &str, proposition: &str) -> String {
        let Statements { theorem, period, .. } = self.statements;
        format!("{theorem} {name} : {proposition}{period}")
    }

    /// A proposition for all values of binders, if there are any.
    pub fn for_all(&self, binders: &str, proposition: &str) -> String {
        match binders {
            "" => proposition.to_owned(),
            binders => format!("{} {binders}, {proposition}", self.statements.for_all),
        }
    }

    /// The negation of a proposition.
    pub fn not(&self, proposition: &str) -> String {
        format!("{} ({proposition})", self.statements.not)
    }

    /// The family of a name.
    pub fn family(&self, name: &str) -> Option<&'static Family> {
        self.tactics.families.iter().find(|family| family.name == name)
    }

    /// Whether a name is a family or a tactic.
    ///
    /// A filter accepts other names too, since assistants have more tactics than the tables list.
    pub fn knows(&self, name: &str) -> bool {
        self.family(name).is_some()
            || self.tactics.families.iter().any(|family| family.tactics.contains(&name))
            || (self.tactics.is_other)(name)
    }
}

impl Lexis {
    /// A text of one line as a comment of a file. The text itself, if there are no comments.
    pub fn comment(&self, text: &str) -> String {
        match (self.line_comment, self.block_comment) {
            (Some(begin), _) => format!("{begin} {text}"),
            (None, Some([open, close])) => format!("{open} {text} {close}"),
            (None, None) => text.to_owned(),
        }
    }

    /// What comments begin with.
    pub fn comment_marks(&self) -> impl Iterator<Item = &'static str> {
        self.line_comment.into_iter().chain(self.block_comment.map(|[open, _]| open))
    }
}
