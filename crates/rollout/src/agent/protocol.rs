//! How tools are shown to a model, and how its calls are read.

use std::fmt::Write;

use andor_config::ToolCalls;
use andor_model::request::{Message, Role, Tool, ToolCall};
use andor_model::{Choice, Request};
use std::sync::Arc;

/// The word after the backquotes that makes a block a call.
const BLOCK: &str = "tool";

/// The result of a call that was not executed.
pub(super) const NOT_EXECUTED: &str = "This call was not executed: the agent had stopped before.";

/// The request for the next message of a conversation.
pub(super) fn request<'a>(
    called: ToolCalls,
    messages: impl Iterator<Item = &'a Arc<Message>>,
    tools: Vec<Tool>,
) -> Request {
    match called {
        ToolCalls::Native => {
            let messages = messages.map(|message| readable(message)).collect();
            Request { tools, log_probs: None, ..Request::messages(messages) }
        }
        ToolCalls::Text => {
            let messages = as_text(messages, &instructions(&tools));
            Request { log_probs: None, ..Request::messages(messages) }
        }
    }
}

/// The message of an answer, and the calls in it. Calls without id, and those with the id of another, get one of their
/// own. A block that is no call has no name.
pub(super) fn message(called: ToolCalls, choice: &Choice, turn: u32) -> Message {
    let mut calls = match called {
        ToolCalls::Native => choice.tool_calls.clone(),
        ToolCalls::Text => calls_in(&choice.text),
    };
    for i in 0..calls.len() {
        let (before, rest) = calls.split_at_mut(i);
        if rest[0].id.is_empty() || before.iter().any(|call| call.id == rest[0].id) {
            rest[0].id = format!("call_{turn}_{i}");
        }
    }
    Message { tool_calls: calls, ..Message::assistant(choice.text.as_str()) }
}

/// The message as servers can read it: some fail on calls whose arguments are not JSON.
fn readable(message: &Message) -> Message {
    let mut message = message.clone();
    for call in &mut message.tool_calls {
        if !serde_json::from_str::<serde_json::Value>(&call.arguments).is_ok_and(|json| json.is_object()) {
            call.arguments = serde_json::json!({ "unreadable": call.arguments }).to_string();
        }
    }
    message
}

fn instructions(tools: &[Tool]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let mut text = format!(
        "You can call tools. To call one, write a block of this form:\n\n\
         ```{BLOCK}\n{{\"name\": \"NAME\", \"arguments\": {{\"ARGUMENT\": \"VALUE\"}}}}\n```\n\n\
         Several blocks call several tools, one after the other. Their results come in the next message. \
         These are the tools:\n"
    );
    for Tool { name, description, parameters } in tools {
        write!(text, "\n`{name}`: {description}\nSchema of its arguments: {parameters}\n")
            .expect("a text takes everything");
    }
    text
}

/// The conversation with calls and results as text. Messages of the same side are joined, because many models only know
/// conversations in which the sides alternate.
fn as_text<'a>(messages: impl Iterator<Item = &'a Arc<Message>>, instructions: &str) -> Vec<Message> {
    let mut plain: Vec<Message> = Vec::new();
    let mut calls: &[ToolCall] = &[];
    if !instructions.is_empty() {
        plain.push(Message::system(""));
    }
    for message in messages {
        let (role, content) = match message.role {
            Role::Tool => {
                let id = message.tool_call_id.as_deref();
                let name = calls.iter().find(|call| Some(call.id.as_str()) == id).map_or("", |c| &c.name);
                (Role::User, format!("Result of `{name}`:\n{}", message.content))
            }
            role => (role, message.content.clone()),
        };
        if message.role == Role::Assistant {
            calls = &message.tool_calls;
        }
        match plain.last_mut().filter(|last| last.role == role) {
            Some(last) if last.content.is_empty() => last.content = content,
            Some(last) => {
                last.content.push_str("\n\n");
                last.content.push_str(&content);
            }
            None => plain.push(Message::new(role, content)),
        }
    }
    if let Some(system) = plain.first_mut().filter(|_| !instructions.is_empty()) {
        if !system.content.is_empty() {
            system.content.push_str("\n\n");
        }
        system.content.push_str(instructions);
    }
    plain
}

/// The calls written in a text. A block that is cut off, or is no call, becomes a call without name.
fn calls_in(text: &str) -> Vec<ToolCall> {
    let mut calls = Vec::new();
    let mut block: Option<String> = None;
    for line in text.lines() {
        match &mut block {
            None if line.trim().strip_prefix("```").is_some_and(|word| word.trim() == BLOCK) => {
                block = Some(String::new());
            }
            None => {}
            Some(body) if line.trim() == "```" => {
                calls.push(call(body));
                block = None;
            }
            Some(body) => {
                body.push_str(line);
                body.push('\n');
            }
        }
    }
    calls.extend(block.as_deref().map(call));
    calls
}

fn call(body: &str) -> ToolCall {
    #[derive(serde::Deserialize)]
    struct Written {
        name: String,
        #[serde(default)]
        arguments: serde_json::Value,
    }
    match serde_json::from_str(body) {
        Ok(Written { name, arguments }) => {
            let arguments = if arguments.is_null() { String::new() } else { arguments.to_string() };
            ToolCall { id: String::new(), name, arguments }
        }
        Err(_) => ToolCall { id: String::new(), name: String::new(), arguments: body.to_owned() },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn calls_are_read_from_blocks_and_broken_ones_have_no_name() {
        let text = "I try.\n```tool\n{\"name\": \"try\",\n \"arguments\": {\"a\": 1}}\n```\n```python\nx\n```\n\
                    ```tool\n{oops}\n```\n```tool\n{\"name\": \"goals\"}";
        let calls = calls_in(text);
        let read: Vec<(&str, &str)> = calls.iter().map(|c| (&*c.name, &*c.arguments)).collect();
        assert_eq!(read, [("try", r#"{"a":1}"#), ("", "{oops}\n"), ("goals", "")]);
    }

    #[test]
    fn calls_get_ids_of_their_own() {
        let call = |id: &str| ToolCall { id: id.into(), name: "t".into(), arguments: String::new() };
        let choice =
            Choice { tool_calls: vec![call(""), call("x"), call("x"), call("")], ..Choice::of_text("") };
        let message = message(ToolCalls::Native, &choice, 3);
        let ids: Vec<&str> = message.tool_calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids, ["call_3_0", "x", "call_3_2", "call_3_3"]);
    }

    #[test]
    fn arguments_that_are_not_json_are_sent_as_json() {
        let call = ToolCall { id: "1".into(), name: "add".into(), arguments: "{what".into() };
        let said = [Arc::new(Message { tool_calls: vec![call], ..Message::assistant("") })];
        let andor_model::Input::Messages(sent) = request(ToolCalls::Native, said.iter(), Vec::new()).input
        else {
            panic!()
        };
        assert_eq!(sent[0].tool_calls[0].arguments, r#"{"unreadable":"{what"}"#);
    }

    #[test]
    fn as_text_the_sides_alternate_and_results_name_their_tool() {
        let tool = Tool { name: "add".into(), description: "Adds.".into(), parameters: json!({}) };
        let call = ToolCall { id: "1".into(), name: "add".into(), arguments: "{}".into() };
        let said = Message { tool_calls: vec![call.clone()], ..Message::assistant("I add.") };
        let messages =
            [Message::user("Go."), said, Message::tool(&call, "5"), Message::user("Closer.")].map(Arc::new);
        let request = request(ToolCalls::Text, messages.iter(), vec![tool]);
        assert!(request.tools.is_empty());
        let andor_model::Input::Messages(sent) = request.input else { panic!() };
        assert_eq!(
            sent.iter().map(|m| m.role).collect::<Vec<_>>(),
            [Role::System, Role::User, Role::Assistant, Role::User]
        );
        assert!(sent[0].content.contains("`add`: Adds."), "{}", sent[0].content);
        assert_eq!(sent[3].content, "Result of `add`:\n5\n\nCloser.");
        assert!(sent.iter().all(|m| m.tool_calls.is_empty()));
    }
}
