//! Prompts: templates, and what they are filled with.

use std::path::Path;

use andor_core::theorem::System;
use andor_model::request::Role;
use andor_model::{Input, Message};
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;

use super::answer::Form;
use super::names;
use crate::contract::{ProviderError, Request};

/// A template that comes with the program.
#[derive(Clone, Copy, Debug)]
struct BuiltIn {
    /// Its name in the configuration.
    name: &'static str,
    /// The languages that it asks for.
    languages: Languages,
    /// How answers are read.
    form: Form,
    source: &'static str,
}

/// The languages that a template asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Languages {
    /// All.
    All,
    /// Those that are written in files.
    Written,
    /// Those of this title.
    Titled(&'static str),
    /// That of one system.
    Of(System),
}

/// The templates that come with the program, besides those of languages (`chat-SYSTEM`).
const BUILT_IN: &[BuiltIn] = &[
    // BFS-Prover and BFS-Prover-V2: the state, then `:::`.
    BuiltIn {
        name: "bfs-prover",
        languages: Languages::All,
        form: Form::Tactic,
        source: include_str!("templates/bfs-prover.j2"),
    },
    // ReProver without retrieval: the state.
    BuiltIn {
        name: "reprover",
        languages: Languages::All,
        form: Form::Tactic,
        source: include_str!("templates/reprover.j2"),
    },
    // InternLM2-StepProver: declaration, goal, `PROOFSTEP`.
    BuiltIn {
        name: "internlm-step",
        languages: Languages::Titled("Lean 4"),
        form: Form::Tactic,
        source: include_str!("templates/internlm-step.j2"),
    },
    // Models that write whole proofs, such as DeepSeek-Prover-V2, Goedel-Prover-V2 and Kimina.
    BuiltIn {
        name: "whole-proof",
        languages: Languages::Written,
        form: Form::Proof,
        source: include_str!("templates/whole-proof.j2"),
    },
];

/// The names of all templates that come with the program.
pub fn built_in_names() -> Vec<String> {
    let of_languages = System::all().into_iter().filter(|system| system.language().prompts.chat.is_some());
    let all = BUILT_IN.iter().map(|template| template.name.to_owned());
    all.chain(of_languages.map(|system| format!("chat-{system}"))).collect()
}

/// A template and how its answers are read.
#[derive(Debug)]
pub struct Template {
    environment: Environment<'static>,
    /// How answers are read.
    pub form: Form,
    languages: Languages,
    is_conversation: bool,
    shows_lemmas: bool,
}

pub(crate) const NAME: &str = "prompt";
/// The name by which templates use lemmas.
const LEMMAS: &str = "lemmas";

impl Template {
    /// The built-in template of a name.
    pub fn built_in(name: &str) -> Option<Self> {
        let of_language = || {
            let system: System = name.strip_prefix("chat-")?.parse().ok()?;
            Some((system.language().prompts.chat?, Form::Alternatives, Languages::Of(system)))
        };
        let of_all = BUILT_IN.iter().find(|template| template.name == name);
        let (source, form, languages) =
            of_all.map(|found| (found.source, found.form, found.languages)).or_else(of_language)?;
        let environment = environment(source).expect("the built-in templates are well-formed");
        let is_conversation = messages(source).is_some();
        let shows_lemmas = source.contains(LEMMAS);
        Some(Self { environment, form, languages, is_conversation, shows_lemmas })
    }

    /// Reads a template (minijinja). `path` is for error messages.
    ///
    /// # Errors
    ///
    /// The template is malformed, or uses a name that does not exist.
    pub fn read(source: &str, path: &Path, form: Form) -> Result<Self, ProviderError> {
        let bad = |error: minijinja::Error| ProviderError::BadTemplate {
            path: path.display().to_string(),
            line: error.line(),
            what: error.detail().map_or_else(|| error.kind().to_string(), str::to_owned),
        };
        let environment = environment(source).map_err(bad)?;
        let is_conversation = messages(source).is_some();
        let shows_lemmas = source.contains(LEMMAS);
        let template = Self { environment, form, languages: Languages::All, is_conversation, shows_lemmas };
        // Everything that a template can name is there, so that a misspelt name is found before the first request.
        let sample = Context {
            state: "⊢ True",
            state_first: "⊢ True",
            goals: vec!["⊢ True"],
            theorem: TheoremContext { id: "id", name: "name", statement: "statement" },
            header: "header",
            language: "Lean 4",
            fence: "lean4",
            alternatives: 1,
            failed: vec![FailedContext { tactic: "simp", error: "error" }],
            lemmas: vec![LemmaContext { name: "lemma", statement: "statement" }],
            notes: vec!["note"],
        };
        template.render(&sample).map_err(bad)?;
        Ok(template)
    }

    /// Whether it makes a conversation, which completions cannot take.
    pub fn is_conversation(&self) -> bool {
        self.is_conversation
    }

    /// Whether it may show lemmas.
    pub fn shows_lemmas(&self) -> bool {
        self.shows_lemmas
    }

    /// Whether it asks for the language of a system.
    pub fn speaks(&self, system: System) -> bool {
        match self.languages {
            Languages::All => true,
            Languages::Written => system.language().is_written(),
            Languages::Titled(title) => system.language().title == title,
            Languages::Of(only) => system == only,
        }
    }

    fn render(&self, context: &Context<'_>) -> Result<String, minijinja::Error> {
        self.environment.get_template(NAME)?.render(context)
    }
}

pub(crate) fn environment(source: &str) -> Result<Environment<'static>, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.add_template_owned(NAME, source.to_owned())?;
    Ok(environment)
}

/// What a template can name.
#[derive(Serialize)]
struct Context<'a> {
    /// All goals.
    state: &'a str,
    /// The first goal, simplified.
    state_first: &'a str,
    /// Each goal.
    goals: Vec<&'a str>,
    theorem: TheoremContext<'a>,
    /// What the file has before the theorem.
    header: &'a str,
    /// The language of the system, for people.
    language: &'a str,
    /// The language of the system, for code blocks.
    fence: &'a str,
    /// How many tactics an answer may hold.
    alternatives: u32,
    /// Tactics that failed at this state.
    failed: Vec<FailedContext<'a>>,
    /// Lemmas about symbols of the state.
    lemmas: Vec<LemmaContext<'a>>,
    /// Hints about mistakes in earlier answers.
    notes: Vec<&'a str>,
}

#[derive(Serialize)]
struct TheoremContext<'a> {
    id: &'a str,
    name: &'a str,
    statement: &'a str,
}

#[derive(Serialize)]
struct FailedContext<'a> {
    tactic: &'a str,
    error: &'a str,
}

#[derive(Serialize)]
struct LemmaContext<'a> {
    name: &'a str,
    statement: &'a str,
}

/// How much of a request goes into a prompt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Length {
    /// All of it.
    Full,
    /// The theorem and its state only: for a context that is too short for more.
    Short,
}

/// The text or the conversation that a model is sent for a request.
///
/// # Errors
///
/// The template fails on these values.
pub(super) fn input(
    template: &Template,
    request: &Request<'_>,
    alternatives: u32,
    length: Length,
) -> Result<Input, String> {
    let (state, state_first) = (names::canonical(&request.pp()), names::canonical(&request.pp1()));
    let goals: Vec<String> = request.goals.iter().map(|goal| names::canonical(&goal.to_string())).collect();
    let theorem = request.theorem;
    let full = length == Length::Full;
    let language = theorem.system.language();
    let failed = request.failed.iter().map(|f| FailedContext { tactic: &f.tactic, error: &f.error });
    let lemmas = request.lemmas.iter().map(|l| LemmaContext { name: &l.name, statement: &l.statement });
    let context = Context {
        state: &state,
        state_first: &state_first,
        goals: goals.iter().map(String::as_str).collect(),
        theorem: TheoremContext { id: &theorem.id, name: &theorem.name, statement: &theorem.statement },
        header: if full { theorem.header.trim() } else { "" },
        language: language.title,
        fence: language.fence(),
        alternatives,
        failed: if full { failed.collect() } else { Vec::new() },
        lemmas: if full { lemmas.collect() } else { Vec::new() },
        notes: request.notes.iter().map(AsRef::as_ref).collect(),
    };
    let text = template.render(&context).map_err(|error| error.to_string())?;
    Ok(messages(&text).map_or(Input::Prompt(text), Input::Messages))
}

/// The conversation that a text is, if it begins with a line `<|role|>`.
pub(crate) fn messages(text: &str) -> Option<Vec<Message>> {
    let mut messages: Vec<Message> = Vec::new();
    for line in text.trim_start().lines() {
        let role = match line.trim_end() {
            "<|system|>" => Some(Role::System),
            "<|user|>" => Some(Role::User),
            "<|assistant|>" => Some(Role::Assistant),
            _ => None,
        };
        match role {
            Some(role) => messages.push(Message::new(role, "")),
            None => {
                let content = &mut messages.last_mut()?.content;
                content.push_str(line);
                content.push('\n');
            }
        }
    }
    for message in &mut messages {
        message.content = message.content.trim().to_owned();
    }
    (!messages.is_empty()).then_some(messages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_roles_is_a_conversation() {
        let found = messages("<|system|>\nBe brief.\n<|user|>\na\n\nb\n").unwrap();
        assert_eq!(found, [Message::system("Be brief."), Message::user("a\n\nb")]);
        assert_eq!(messages("no roles\n<|user|>\nx"), None);
        assert_eq!(messages(""), None);
    }

    #[test]
    fn the_built_in_templates_are_well_formed() {
        for template in BUILT_IN {
            let read = Template::read(template.source, Path::new(template.name), template.form);
            assert!(read.is_ok(), "{}: {read:?}", template.name);
            assert!(Template::built_in(template.name).is_some());
        }
        assert!(Template::built_in("none").is_none());
    }

    #[test]
    fn a_misspelt_name_is_an_error_with_its_line() {
        let error = Template::read("{{ state }}\n{{ stat }}", Path::new("my.j2"), Form::Tactic).unwrap_err();
        assert!(error.to_string().starts_with("my.j2:2:"), "{error}");
        let error = Template::read("{% if %}", Path::new("my.j2"), Form::Tactic).unwrap_err();
        assert!(error.to_string().starts_with("my.j2:1:"), "{error}");
    }
}
