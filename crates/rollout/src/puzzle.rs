//! A small environment: a number that is to be made from another. For examples and tests, and as a model for environments of
//! your own.

use andor_model::request::{Message, Tool};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::environment::{Call, Environment, EnvironmentError, Outcome};
use crate::tree::VerifyResult;

/// A number that is to become another by doubling and adding, with few steps. Above the target there is no way back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    /// The number now.
    pub number: u64,
    /// What it shall become.
    pub target: u64,
    /// The steps so far.
    pub steps: u32,
    /// Whether the number was handed in.
    pub submitted: bool,
}

impl Puzzle {
    /// The puzzle to get from one number to another.
    pub fn new(number: u64, target: u64) -> Self {
        Self { number, target, steps: 0, submitted: false }
    }

    /// What to tell an agent.
    pub fn task(&self) -> Message {
        let Self { number, target, .. } = self;
        Message::user(format!("The number is {number}. Make it {target} with the tools, then submit it."))
    }
}

#[async_trait]
impl Environment for Puzzle {
    fn tools(&self) -> Vec<Tool> {
        let tool = |name: &str, description: &str, parameters: Value| Tool {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters,
        };
        let none = json!({ "type": "object", "properties": {}, "additionalProperties": false });
        vec![
            tool("double", "Doubles the number.", none.clone()),
            tool(
                "add",
                "Adds to the number.",
                json!({ "type": "object", "required": ["what"], "additionalProperties": false,
                    "properties": { "what": { "type": "integer", "enum": [1, 2, 3] } } }),
            ),
            tool("submit", "Hands the number in.", none),
        ]
    }

    async fn exec(&mut self, call: Call<'_>) -> Result<Outcome, EnvironmentError> {
        let number = match call.tool {
            "double" => self.number.saturating_mul(2),
            "add" => {
                self.number.saturating_add(call.arguments.get("what").and_then(Value::as_u64).unwrap_or(0))
            }
            _ => {
                self.submitted = true;
                return Ok(Outcome::done("Handed in."));
            }
        };
        self.number = number;
        self.steps += 1;
        Ok(Outcome::say(format!("The number is {number}.")))
    }

    /// A message that says "I give up" is taken at its word.
    async fn on_message(&mut self, message: &Message) -> Result<Option<Outcome>, EnvironmentError> {
        let gives_up = message.content.contains("I give up");
        let stop = Some(crate::agent::Stop::GaveUp);
        Ok(gives_up.then(|| Outcome { stop, ..Outcome::default() }))
    }

    /// Solved if the right number was handed in. Otherwise, the nearer the better; illegal above the target.
    async fn verify(&mut self) -> Result<VerifyResult, EnvironmentError> {
        let Self { number, target, .. } = *self;
        Ok(if number > target {
            VerifyResult::invalid(format!("{number} is above {target}."))
        } else if self.submitted && number == target {
            VerifyResult::solved()
        } else {
            let left = target - number;
            VerifyResult::scored(number as f64 / target as f64 * 0.9)
                .with_feedback(format!("{left} to go. Steps so far: {}.", self.steps))
        })
    }

    async fn fork(&self) -> Result<Box<dyn Environment>, EnvironmentError> {
        Ok(Box::new(self.clone()))
    }

    async fn serialize(&self) -> Result<Value, EnvironmentError> {
        serde_json::to_value(self).map_err(EnvironmentError::new)
    }

    async fn restore(&self, saved: &Value) -> Result<Box<dyn Environment>, EnvironmentError> {
        let saved: Self = serde_json::from_value(saved.clone()).map_err(EnvironmentError::new)?;
        Ok(Box::new(saved))
    }
}
