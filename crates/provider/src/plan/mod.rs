//! Plans from language models.
//!
//! A [`Planner`] asks a model for the intermediate statements of a proof. [`parse`] reads its answer. Whether the
//! statements mean anything, only the assistant can say; what it said goes into the next request.

pub mod parse;
pub mod refine;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use andor_core::goal::Goal;
use andor_core::lemma::Lemma;
use andor_core::plan::PlanStep;
use andor_core::rng::{Purpose, seed_at};
use andor_core::theorem::Theorem;
use andor_core::view;
use andor_model::{Input, Model, Prices, Request as ModelRequest, Sampling};
use async_trait::async_trait;
use minijinja::Environment;
use serde::Serialize;

use crate::contract::{ProviderError, Usage};
use crate::llm::asker::Asker;
use crate::llm::names;
use crate::llm::prompt::{NAME, environment, messages};
use parse::PlanFault;

/// The template that comes with the program.
const BUILT_IN: &str = include_str!("templates/plan.j2");

/// A prompt template for planners.
#[derive(Debug)]
pub struct PlanTemplate {
    environment: Environment<'static>,
    is_conversation: bool,
}

impl Default for PlanTemplate {
    /// The one that comes with the program: a conversation.
    fn default() -> Self {
        Self::of(BUILT_IN).expect("the built-in template is well-formed")
    }
}

impl PlanTemplate {
    fn of(source: &str) -> Result<Self, minijinja::Error> {
        let template =
            Self { environment: environment(source)?, is_conversation: messages(source).is_some() };
        // Everything that a template can name is there, so that a misspelt name is found before the first request.
        let faulty = Refused { step: "have h : p", error: "error" };
        let tried = Refused { step: "simp", error: "error" };
        template.render(&Context {
            theorem: Stated { name: "name", statement: "statement" },
            header: "header",
            state: "⊢ True",
            language: "Lean 4",
            fence: "lean4",
            form: "have name : statement",
            system: "mini",
            lemmas: vec![Stated { name: "lemma", statement: "statement" }],
            faulty: vec![faulty],
            proven: vec!["have h : p"],
            stuck: Some("have h : p"),
            tried: vec![tried],
        })?;
        Ok(template)
    }

    /// Reads a template (minijinja). `path` is for error messages.
    ///
    /// # Errors
    ///
    /// The template is malformed, or uses a name that does not exist.
    pub fn read(source: &str, path: &Path) -> Result<Self, ProviderError> {
        Self::of(source).map_err(|error| ProviderError::BadTemplate {
            path: path.display().to_string(),
            line: error.line(),
            what: error.detail().map_or_else(|| error.kind().to_string(), str::to_owned),
        })
    }

    /// Whether it makes a conversation, which completions cannot take.
    pub fn is_conversation(&self) -> bool {
        self.is_conversation
    }

    fn render(&self, context: &Context<'_>) -> Result<String, minijinja::Error> {
        self.environment.get_template(NAME)?.render(context)
    }
}

/// What a template can name.
#[derive(Serialize)]
struct Context<'a> {
    theorem: Stated<'a>,
    /// What the file has before the theorem.
    header: &'a str,
    /// The goals.
    state: &'a str,
    /// The language of the system, for people.
    language: &'a str,
    /// The language of the system, for code blocks.
    fence: &'a str,
    /// How a step is written.
    form: &'a str,
    /// The system: `lean4`, `rocq`, `mini`.
    system: &'a str,
    /// Lemmas about symbols of the goal.
    lemmas: Vec<Stated<'a>>,
    /// The steps of the last plan that were refused, or what kept it from being read.
    faulty: Vec<Refused<'a>>,
    /// Steps that are proved, and stay.
    proven: Vec<&'a str>,
    /// The step that could not be proved.
    stuck: Option<&'a str>,
    /// What was tried there.
    tried: Vec<Refused<'a>>,
}

#[derive(Serialize)]
struct Stated<'a> {
    name: &'a str,
    statement: &'a str,
}

#[derive(Serialize)]
struct Refused<'a> {
    step: &'a str,
    error: &'a str,
}

/// A step, or a tactic, with what the assistant said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedStep {
    /// Its text; empty if it is about the answer as a whole.
    pub step: String,
    /// What is wrong with it.
    pub error: String,
}

/// What a planner is asked.
#[derive(Clone, Copy, Debug)]
pub struct PlanRequest<'a> {
    /// The theorem.
    pub theorem: &'a Theorem,
    /// Its goals.
    pub goals: &'a [Goal],
    /// Lemmas about symbols in them.
    pub lemmas: &'a [Lemma],
    /// The seed of the attempt.
    pub seed: u64,
    /// The number of the request in the attempt, from 0.
    pub number: u32,
    /// What was wrong with the last plan.
    pub faulty: &'a [RefusedStep],
    /// Steps that are proved, and stay at the beginning of the plan.
    pub proven: &'a [PlanStep],
    /// The step that could not be proved.
    pub stuck: Option<&'a PlanStep>,
    /// What was tried there.
    pub tried: &'a [RefusedStep],
}

/// An answer of a planner.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// The steps in it.
    pub steps: Result<Vec<PlanStep>, PlanFault>,
    /// The text; empty if the model refused to answer.
    pub answer: String,
    /// What it cost.
    pub usage: Usage,
}

/// Writes plans itself: a part of the program that uses the library.
#[async_trait]
pub trait PlanWriter: Send + Sync {
    /// Its name.
    fn id(&self) -> &str;

    /// The number of lemmas that it wants in requests.
    fn n_lemmas(&self) -> usize;

    /// A plan as text, which is read as a model's answer is.
    ///
    /// # Errors
    ///
    /// There is no answer.
    async fn write(&self, request: &PlanRequest<'_>) -> Result<String, ProviderError>;
}

/// Makes plans.
pub struct Planner {
    author: Author,
    n_lemmas: usize,
}

/// Who writes the plans.
enum Author {
    Model(Box<Prompted>),
    Own(Arc<dyn PlanWriter>),
}

impl fmt::Debug for Planner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Planner").field("id", &self.id()).finish_non_exhaustive()
    }
}

/// A language model that is asked by a template.
struct Prompted {
    asker: Asker,
    template: PlanTemplate,
    sampling: Sampling,
}

impl Planner {
    /// A planner `planner:NAME`. Of `sampling`, the number of answers and the seed are its own.
    pub fn new(
        name: &str,
        model: Arc<dyn Model>,
        template: PlanTemplate,
        sampling: Sampling,
        prices: Prices,
        n_lemmas: usize,
    ) -> Self {
        let asker = Asker::new(format!("planner:{name}"), model, prices);
        Self { author: Author::Model(Box::new(Prompted { asker, template, sampling })), n_lemmas }
    }

    /// One of the program that uses the library.
    pub fn own(writer: Arc<dyn PlanWriter>) -> Self {
        Self { n_lemmas: writer.n_lemmas(), author: Author::Own(writer) }
    }

    /// Its name.
    pub fn id(&self) -> &str {
        match &self.author {
            Author::Model(model) => model.asker.id(),
            Author::Own(writer) => writer.id(),
        }
    }

    /// The number of lemmas that it wants in requests.
    pub fn n_lemmas(&self) -> usize {
        self.n_lemmas
    }

    /// Asks for a plan.
    ///
    /// # Errors
    ///
    /// There is no answer, or the template fails.
    pub async fn plan(&self, request: &PlanRequest<'_>) -> Result<Planned, ProviderError> {
        match &self.author {
            Author::Model(model) => model.plan(request).await,
            Author::Own(writer) => {
                let answer = writer.write(request).await?;
                let steps = parse::steps(&answer, request.theorem.system);
                Ok(Planned { steps, answer, usage: Usage { questions: 1, requests: 1, ..Usage::default() } })
            }
        }
    }
}

impl Prompted {
    async fn plan(&self, request: &PlanRequest<'_>) -> Result<Planned, ProviderError> {
        let (_, answer) = self.asker.ask(self.shaped(request, true)?, || self.shaped(request, false)).await?;
        let text = answer.choices.into_iter().next().map(|choice| choice.text).unwrap_or_default();
        Ok(Planned {
            steps: parse::steps(&text, request.theorem.system),
            answer: text,
            usage: self.asker.usage(&answer.usage),
        })
    }

    fn shaped(&self, request: &PlanRequest<'_>, full: bool) -> Result<ModelRequest, ProviderError> {
        let theorem = request.theorem;
        let system = theorem.system;
        let state = names::canonical(&view::pp(request.goals));
        let language = system.language();
        let proven: Vec<String> = request.proven.iter().map(|step| step.tactic(system)).collect();
        let stuck = request.stuck.map(|step| step.tactic(system));
        let lemmas = request.lemmas.iter().map(|l| Stated { name: &l.name, statement: &l.statement });
        let context = Context {
            theorem: Stated { name: &theorem.name, statement: &theorem.statement },
            header: if full { theorem.header.trim() } else { "" },
            state: &state,
            language: language.title,
            fence: language.fence(),
            form: parse::form(system),
            system: system.name(),
            lemmas: if full { lemmas.collect() } else { Vec::new() },
            faulty: refused(request.faulty),
            proven: proven.iter().map(String::as_str).collect(),
            stuck: stuck.as_deref(),
            tried: if full { refused(request.tried) } else { Vec::new() },
        };
        let text = self.template.render(&context).map_err(|error| self.asker.unusable(error.to_string()))?;
        let seed = seed_at(request.seed, Purpose::Sampling, 0, u64::from(request.number));
        let sampling = Sampling { n: 1, seed: Some(seed), ..self.sampling.clone() };
        let mut shaped = ModelRequest::prompt("").with_sampling(sampling);
        shaped.input = messages(&text).map_or(Input::Prompt(text), Input::Messages);
        Ok(shaped)
    }
}

fn refused(steps: &[RefusedStep]) -> Vec<Refused<'_>> {
    steps.iter().map(|refused| Refused { step: &refused.step, error: &refused.error }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_is_an_error_with_its_line() {
        let error = PlanTemplate::read("{{ state }}\n{{ stat }}", Path::new("plan.j2")).unwrap_err();
        assert!(error.to_string().starts_with("plan.j2:2:"), "{error}");
        assert!(PlanTemplate::default().is_conversation());
    }
}
