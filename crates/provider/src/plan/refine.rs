//! Asks a planner to mend a blueprint at a node that could not be proved.

use andor_core::plan::PlanStep;
use andor_core::rng::{Purpose, seed_at};
use andor_core::theorem::System;
use andor_model::{Input, Request as ModelRequest, Sampling};
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::parse::{self, PlanFault};
use super::{Author, Planner, Prompted, RefusedStep};
use crate::contract::{ProviderError, Usage};
use crate::llm::prompt::messages;

/// The template of the request.
const TEMPLATE: &str = include_str!("templates/refine.j2");

/// A node that could not be proved, and what surrounds it.
#[derive(Clone, Copy, Debug)]
pub struct RefineRequest<'a> {
    /// The system.
    pub system: System,
    /// What the file has before the node: header and definitions.
    pub header: &'a str,
    /// The node.
    pub node: Described<'a>,
    /// What is known of it for people.
    pub informal: Option<&'a str>,
    /// Whether its statement is never changed.
    pub is_fixed: bool,
    /// The lemmas that it needs; all of them are proved.
    pub lemmas: &'a [Described<'a>],
    /// What became of it.
    pub failure: Failure<&'a str>,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the request, from 0.
    pub number: u32,
    /// What was wrong with the last answer.
    pub faulty: &'a [RefusedStep],
}

/// A node as planners are shown it.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Described<'a> {
    /// Its name.
    pub name: &'a str,
    /// The sentence that states it.
    pub statement: &'a str,
}

/// Why a node needs to be mended.
#[derive(Clone, Copy, Debug)]
pub enum Failure<T> {
    /// No proof was found. Says why the search ended.
    NotProved(T),
    /// Its negation is proved, by this script.
    Disproved(T),
    /// The system rejects the statement, with this message.
    Refused(T),
}

impl Failure<String> {
    /// With borrowed text.
    pub fn as_deref(&self) -> Failure<&str> {
        match self {
            Self::NotProved(text) => Failure::NotProved(text),
            Self::Disproved(text) => Failure::Disproved(text),
            Self::Refused(text) => Failure::Refused(text),
        }
    }
}

/// What a planner answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Refined {
    /// The lemmas, in order. The last may be the node itself, with another statement.
    pub lemmas: Result<Vec<RefinedLemma>, PlanFault>,
    /// What it cost.
    pub usage: Usage,
}

/// A lemma in an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefinedLemma {
    /// Its name and statement.
    pub step: PlanStep,
    /// The names of what its proof needs, if the answer says.
    pub uses: Option<Vec<String>>,
}

/// What the template can name.
#[derive(Serialize)]
struct Context<'a> {
    language: &'a str,
    fence: &'a str,
    form: &'a str,
    system: &'a str,
    header: &'a str,
    node: Described<'a>,
    informal: Option<&'a str>,
    is_fixed: bool,
    lemmas: &'a [Described<'a>],
    reason: Option<&'a str>,
    disproof: Option<&'a str>,
    refused: Option<&'a str>,
    faulty: Vec<super::Refused<'a>>,
}

impl Planner {
    /// Asks for lemmas from which a node follows, or for another statement of it.
    ///
    /// # Errors
    ///
    /// The model does not answer, or the planner is no model.
    pub async fn refine(&self, request: &RefineRequest<'_>) -> Result<Refined, ProviderError> {
        match &self.author {
            Author::Model(model) => model.refine(request).await,
            Author::Own(writer) => Err(ProviderError::Unusable {
                provider: writer.id().to_owned(),
                reason: "only language models mend blueprints".to_owned(),
            }),
        }
    }
}

impl Prompted {
    async fn refine(&self, request: &RefineRequest<'_>) -> Result<Refined, ProviderError> {
        let shaped = |full| self.refinement(request, full);
        let (_, answer) = self.asker.ask(shaped(true)?, || shaped(false)).await?;
        let text = answer.choices.into_iter().next().map(|choice| choice.text).unwrap_or_default();
        Ok(Refined { lemmas: lemmas(&text, request.system), usage: self.asker.usage(&answer.usage) })
    }

    fn refinement(&self, request: &RefineRequest<'_>, full: bool) -> Result<ModelRequest, ProviderError> {
        let language = request.system.language();
        let (mut reason, mut disproof, mut refused) = (None, None, None);
        match request.failure {
            Failure::NotProved(text) => reason = Some(text),
            Failure::Disproved(text) => disproof = Some(text),
            Failure::Refused(text) => refused = Some(text),
        }
        let context = Context {
            language: language.title,
            fence: language.fence(),
            form: parse::form(request.system),
            system: request.system.name(),
            header: if full { request.header.trim() } else { "" },
            node: request.node,
            informal: request.informal,
            is_fixed: request.is_fixed,
            lemmas: request.lemmas,
            reason,
            disproof,
            refused,
            faulty: super::refused(request.faulty),
        };
        let text = render(&context).map_err(|error| self.asker.unusable(error.to_string()))?;
        let seed = seed_at(request.seed, Purpose::Sampling, 1, u64::from(request.number));
        let sampling = Sampling { n: 1, seed: Some(seed), ..self.sampling.clone() };
        let mut shaped = ModelRequest::prompt("").with_sampling(sampling);
        shaped.input = messages(&text).map_or(Input::Prompt(text), Input::Messages);
        Ok(shaped)
    }
}

fn render(context: &Context<'_>) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.render_str(TEMPLATE, context)
}

/// The lemmas in an answer: steps as in a plan, each perhaps with a line `uses a, b` after it.
fn lemmas(answer: &str, system: System) -> Result<Vec<RefinedLemma>, PlanFault> {
    let (mut text, mut uses) = (String::new(), Vec::new());
    for line in answer.lines() {
        let words = line.trim().trim_start_matches("--").trim_start().strip_prefix("uses");
        let names = words.filter(|rest| rest.is_empty() || rest.starts_with([' ', ':'])).map(names);
        match names {
            Some(names) => {
                // What stands before it ends with the step that it is of.
                let before = parse::steps(&text, system).ok().and_then(|steps| steps.last().cloned());
                uses.extend(before.map(|step| (step.name, names)));
            }
            None => text = text + line + "\n",
        }
    }
    let with_uses = |step: PlanStep| {
        let of_step = uses.iter().rfind(|(name, _)| *name == step.name);
        RefinedLemma { uses: of_step.map(|(_, names)| names.clone()), step }
    };
    Ok(parse::steps(&text, system)?.into_iter().map(with_uses).collect())
}

fn names(list: &str) -> Vec<String> {
    let names =
        list.trim_start_matches(':').split([',', ' ', ';']).map(|name| name.trim().trim_matches(['`', '.']));
    names.filter(|name| !name.is_empty() && *name != "nothing").map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    #[test]
    fn lemmas_say_what_they_use() {
        let answer = "Split it.\n```lean\nhave a : 1 = 1\nuses\nhave b : 2 =\n  2 := by rfl\n-- uses: a, `c`\n\nhave t : 3 = 3\n```\nDone.";
        let found = lemmas(answer, MINI).unwrap();
        let brief: Vec<(&str, &str, Option<usize>)> = found
            .iter()
            .map(|l| (l.step.name.as_str(), l.step.statement.as_str(), l.uses.as_ref().map(Vec::len)))
            .collect();
        assert_eq!(brief, [("a", "1 = 1", Some(0)), ("b", "2 = 2", Some(2)), ("t", "3 = 3", None)]);
        assert_eq!(found[1].uses.as_deref(), Some(&["a".to_owned(), "c".to_owned()][..]));
        let rocq = lemmas("assert (a : 1 = 1).\nuses x\nassert (b : 2 = 2).", ROCQ).unwrap();
        assert_eq!(rocq[0].uses.as_deref(), Some(&["x".to_owned()][..]));
        assert!(matches!(lemmas("I cannot.", MINI), Err(PlanFault::NoStep { .. })));
    }

    #[test]
    fn the_template_names_what_there_is() {
        let node = Described { name: "n", statement: "theorem n : 1 = 2" };
        for system in [MINI, LEAN4, ROCQ] {
            let language = system.language();
            let lemmas = [node];
            let context = |disproof| Context {
                language: language.title,
                fence: language.fence(),
                form: parse::form(system),
                system: system.name(),
                header: "def x := 1",
                node,
                informal: Some("obvious"),
                is_fixed: disproof == Some("decide"),
                lemmas: &lemmas,
                reason: Some("time"),
                disproof,
                refused: None,
                faulty: Vec::new(),
            };
            let text = render(&context(Some("decide"))).unwrap();
            assert!(text.contains("decide") && text.contains("must stay as it is"), "{text}");
            assert!(render(&context(None)).unwrap().contains("correct its statement"));
        }
    }
}
