//! The document of one process. Lean elaborates it again from the first difference on whenever it changes.

use std::time::Duration;

use serde_json::{Value, json};

use super::connection::{Connection, Exchanged, Patience};
use super::wire::{Diagnostic, Failure, Outgoing};
use crate::goal::{self, PrintedGoal};
use crate::shorten;
use andor_env::error::EnvError;
use andor_process::limits::TimeLimit;

/// The name of the document. Lean would look for a project around a file; this is none.
pub(super) const URI: &str = "untitled:Theorem.lean";

/// A process idle for longer than this may have been stopped.
const LONG_IDLE: Duration = Duration::from_secs(1);

/// A place in the document, both numbers from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: usize,
    /// In UTF-16 units.
    pub(super) character: usize,
}

impl Position {
    fn to_json(self) -> Value {
        json!({"line": self.line, "character": self.character})
    }
}

/// The document of one process.
#[derive(Debug)]
pub(super) struct Document {
    connection: Connection,
    /// The text that the server has; empty before the first one.
    text: String,
    version: i64,
}

impl Document {
    /// The empty document of a fresh process.
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection, text: String::new(), version: 0 }
    }

    pub(super) fn process_id(&self) -> Option<u32> {
        self.connection.process_id()
    }

    /// What Lean says of the current text. Silence is no consent: at least an empty report is due.
    pub(super) fn diagnostics(&self) -> Result<&[Diagnostic], EnvError> {
        self.connection.diagnostics(self.version).ok_or_else(|| EnvError::Garbled {
            doing: "waiting for the messages of Lean".to_owned(),
            got: "no report".to_owned(),
        })
    }

    /// Changes the text, which must end in a line break, and waits until Lean has elaborated all of it; or returns the limit
    /// that was exceeded.
    pub(super) async fn show(
        &mut self,
        text: &str,
        doing: &str,
        patience: Patience,
    ) -> Result<Option<TimeLimit>, EnvError> {
        let mut messages = self.change(text);
        messages.push(self.wait());
        match self.connection.exchange(&messages, doing, patience).await? {
            Exchanged::Answers(answers) => {
                all_good(answers, doing)?;
                Ok(None)
            }
            Exchanged::Late(limit) => Ok(Some(limit)),
        }
    }

    /// The same for a text that may not be late: then the process is killed.
    pub(super) async fn demand(
        &mut self,
        text: &str,
        doing: &str,
        patience: Patience,
    ) -> Result<(), EnvError> {
        let mut messages = self.change(text);
        messages.push(self.wait());
        let answers = self.connection.demand(&messages, doing, patience).await?;
        all_good(answers, doing).map(|_| ())
    }

    /// Kills the process, which a tactic kept busy for too long.
    pub(super) fn give_up(&mut self, doing: &str, limit: TimeLimit) -> EnvError {
        match limit {
            TimeLimit::Wall(wall) => self.connection.overdue(doing, wall),
            TimeLimit::Cpu(limit) => self.connection.over_cpu(doing, limit),
        }
    }

    /// The goals at some places of the text.
    pub(super) async fn goals(
        &mut self,
        places: &[Position],
        patience: Patience,
    ) -> Result<Vec<Vec<PrintedGoal>>, EnvError> {
        const DOING: &str = "reading goals";
        // Not by the interactive interface, whose answers are nested as deeply as the terms.
        let at = |place: &Position| json!({"textDocument": {"uri": URI}, "position": place.to_json()});
        let asked = places.iter().map(|place| Outgoing::Request("$/lean/plainGoal", at(place)));
        let asked: Vec<Outgoing> = asked.collect();
        let answers = self.connection.demand(&asked, DOING, patience).await?;
        let answers = all_good(answers, DOING)?;
        let garbled =
            |got: &Value| EnvError::Garbled { doing: DOING.to_owned(), got: shorten(&got.to_string()) };
        answers.iter().map(|answer| read_goals(answer).ok_or_else(|| garbled(answer))).collect()
    }

    /// Checks that a process that was idle for long still answers.
    pub(super) async fn wake(&mut self) -> Result<(), EnvError> {
        if self.connection.idle_for() > LONG_IDLE {
            let wait = [self.wait()];
            self.connection.demand(&wait, "waking the process", Patience::WAKE).await?;
        }
        Ok(())
    }

    /// The messages that change the text: one edit, from the first line that differs to the end.
    fn change(&mut self, text: &str) -> Vec<Outgoing> {
        self.version += 1;
        if self.version == 1 {
            text.clone_into(&mut self.text);
            let initialise = json!({"processId": null, "rootUri": null, "capabilities": {}});
            let document = json!({"uri": URI, "languageId": "lean4", "version": 1, "text": text});
            let open = json!({"textDocument": document, "dependencyBuildMode": "never"});
            return vec![
                Outgoing::Greeting("initialize", initialise),
                Outgoing::Notification("textDocument/didOpen", open),
            ];
        }
        let same = common_lines(&self.text, text);
        let start = Position { line: self.text[..same].matches('\n').count(), character: 0 };
        let end = Position { line: self.text.matches('\n').count(), character: 0 };
        let change =
            json!({"range": {"start": start.to_json(), "end": end.to_json()}, "text": &text[same..]});
        text.clone_into(&mut self.text);
        let params =
            json!({"textDocument": {"uri": URI, "version": self.version}, "contentChanges": [change]});
        vec![Outgoing::Notification("textDocument/didChange", params)]
    }

    fn wait(&self) -> Outgoing {
        Outgoing::Request("textDocument/waitForDiagnostics", json!({"uri": URI, "version": self.version}))
    }
}

/// The results, if no request failed.
fn all_good(answers: Vec<Result<Value, Failure>>, doing: &str) -> Result<Vec<Value>, EnvError> {
    let failed = |failure: Failure| EnvError::Garbled {
        doing: doing.to_owned(),
        got: shorten(&format!("error {}: {}", failure.code, failure.message)),
    };
    answers.into_iter().map(|answer| answer.map_err(failed)).collect()
}

/// The length of the lines that both texts begin with.
fn common_lines(old: &str, new: &str) -> usize {
    let lines = old.split_inclusive('\n').zip(new.split_inclusive('\n'));
    lines.take_while(|(a, b)| a == b).map(|(line, _)| line.len()).sum()
}

fn read_goals(answer: &Value) -> Option<Vec<PrintedGoal>> {
    let goals = answer.get("goals")?.as_array()?.iter();
    goals.map(|goal| goal::read_goal(goal.as_str()?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_begins_at_the_first_line_that_differs() {
        assert_eq!(common_lines("a\nb\nc\n", "a\nb\nd\n"), 4);
        assert_eq!(common_lines("a\nb\n", "a\nb\nc\n"), 4);
        assert_eq!(common_lines("a\nbc\n", "a\nb\n"), 2);
        assert_eq!(common_lines("", "a\n"), 0);
    }
}
