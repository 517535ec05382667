//! Models whose behaviour is known.

use std::sync::Arc;

use andor_model::request::{Role, ToolCall};
use andor_model::{Answer, Choice, Finish, Input, Model, Request, Scripted};

/// A choice that calls tools: names with arguments.
pub(crate) fn calling(calls: &[(&str, &str)]) -> Choice {
    let call = |(name, arguments): &(&str, &str)| ToolCall {
        id: String::new(),
        name: (*name).to_owned(),
        arguments: (*arguments).to_owned(),
    };
    Choice { tool_calls: calls.iter().map(call).collect(), finish: Finish::ToolCalls, ..Choice::of_text("") }
}

pub(crate) fn answer(choice: Choice) -> Answer {
    let usage = andor_model::Usage {
        requests: 1,
        input_tokens: 10,
        output_tokens: 5,
        ..andor_model::Usage::default()
    };
    Answer { choices: vec![choice], usage, ..Answer::default() }
}

/// A model that answers by the messages of the request, and by nothing else.
pub(crate) fn model(
    name: &str,
    script: impl Fn(&Asked<'_>) -> Choice + Send + Sync + 'static,
) -> Arc<dyn Model> {
    Arc::new(Scripted::new(name, move |request, _| Ok(answer(script(&Asked { request })))))
}

/// What a model was asked.
pub(crate) struct Asked<'a> {
    pub(crate) request: &'a Request,
}

impl Asked<'_> {
    pub(crate) fn messages(&self) -> &[andor_model::Message] {
        match &self.request.input {
            Input::Messages(messages) => messages,
            Input::Prompt(_) | Input::Prompts(_) => &[],
        }
    }

    /// The last message that is not the assistant's.
    pub(crate) fn told(&self) -> &str {
        &self.messages().iter().rfind(|m| m.role != Role::Assistant).unwrap().content
    }

    /// The number that the conversation speaks of last: in `The number is 5.`
    pub(crate) fn number(&self) -> u64 {
        let said = self.messages().iter().rev().find_map(|m| m.content.split("The number is ").nth(1));
        said.unwrap().split(['.', ' ']).next().unwrap().parse().unwrap()
    }

    pub(crate) fn seed(&self) -> u64 {
        self.request.sampling.seed.unwrap()
    }
}

/// Moves by its seed: doubles, adds 1 to 3, or submits when it is there.
pub(crate) fn wanderer(target: u64) -> Arc<dyn Model> {
    model("wanderer", move |asked| {
        if asked.number() == target {
            return calling(&[("submit", "{}")]);
        }
        match asked.seed() % 5 {
            0 | 1 => calling(&[("double", "{}")]),
            n => calling(&[("add", &format!(r#"{{"what": {}}}"#, n - 1))]),
        }
    })
}
