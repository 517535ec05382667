//! What an agent does in a turn: it is asked, its calls are executed, and it is told the results.

use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_model::request::{MAX_TOKENS_REASONING, Message, Sampling, Tool, ToolCall};
use andor_model::seed::derived;
use andor_model::{Answer, Finish, Model, ModelError, Phase, Unanswered};

use super::protocol::{self, NOT_EXECUTED};
use super::{Agent, AgentError, AgentState, Branch, Idle, Stop, schema, subagent};
use crate::environment::{Call, Environment, Outcome};
use crate::tree::Child;

/// How a branch is run: by which it differs from others, and whom it asks.
#[derive(Clone, Debug)]
pub struct Run {
    /// By what the branch differs from its siblings.
    pub branch: Branch,
    /// The model that is asked.
    pub model: Arc<dyn Model>,
}

impl Agent {
    /// The branch with this seed, with the agent's own model and temperature.
    pub fn run(&self, seed: u64) -> Run {
        let model = Arc::clone(&self.model);
        let temperature = self.sampling.temperature;
        Run { branch: Branch { seed, temperature, model: model.name().to_owned() }, model }
    }

    /// Goes on from a state for at most so many turns, in a fork of its environment, and has the environment judge where it
    /// got to. The feedback is said to it first.
    ///
    /// # Errors
    ///
    /// If the model or the environment fails, through no fault of the agent.
    pub async fn go(
        &self,
        from: &AgentState,
        feedback: Option<&str>,
        turns: u32,
        run: &Run,
    ) -> Result<Child<AgentState>, AgentError> {
        let began = Instant::now();
        let mut state = AgentState { branch: Some(run.branch.clone()), ..from.clone() };
        if let Some(feedback) = feedback.filter(|text| !text.is_empty()) {
            state.say(Message::user(feedback));
        }
        let mut turn = Turn { agent: self, run, environment: from.environment.fork().await?, state, began };
        for _ in 0..turns {
            if turn.state.stop.is_some() {
                break;
            }
            turn.take().await?;
        }
        let verdict = turn.environment.verify().await?;
        let Turn { environment, mut state, .. } = turn;
        if state.stop.is_none() && state.turns >= self.limits.turns {
            state.stop = Some(Stop::Turns);
        }
        state.elapsed += began.elapsed();
        state.environment = Arc::from(environment);
        Ok(Child {
            cost: state.usage.tokens().saturating_sub(from.usage.tokens()),
            stopped: state.stop.is_some(),
            digest: Some(state.digest(from.messages.len())),
            ..Child::new(state, verdict)
        })
    }
}

/// A turn in progress.
pub(super) struct Turn<'a> {
    pub(super) agent: &'a Agent,
    pub(super) run: &'a Run,
    pub(super) environment: Box<dyn Environment>,
    pub(super) state: AgentState,
    pub(super) began: Instant,
}

impl Turn<'_> {
    /// The tokens left to the agent. `None`: no limit.
    pub(super) fn tokens_left(&self) -> Option<u64> {
        self.agent.limits.tokens.map(|most| most.saturating_sub(self.state.usage.tokens()))
    }

    /// The time left to the agent. `None`: no limit.
    pub(super) fn time_left(&self) -> Option<Duration> {
        let spent = self.state.elapsed + self.began.elapsed();
        self.agent.limits.time.map(|most| most.saturating_sub(spent))
    }

    /// The seed of this turn.
    pub(super) fn seed(&self) -> u64 {
        derived(self.run.branch.seed, u64::from(self.state.turns))
    }

    fn limit_reached(&self) -> Option<Stop> {
        if self.state.turns >= self.agent.limits.turns {
            Some(Stop::Turns)
        } else if self.tokens_left() == Some(0) {
            Some(Stop::Tokens)
        } else if self.time_left() == Some(Duration::ZERO) {
            Some(Stop::Time)
        } else {
            None
        }
    }

    async fn take(&mut self) -> Result<(), AgentError> {
        self.state.stop = self.limit_reached();
        if self.state.stop.is_some() {
            return Ok(());
        }
        let mut tools = self.environment.tools();
        tools.extend(subagent::tool(&self.agent.subagents));
        let answer = match self.ask(tools.clone()).await {
            Ok(answer) => answer,
            Err(Unanswered { error, usage }) => {
                self.state.spend(usage);
                let limited = self.agent.limits.time.is_some();
                self.state.stop = Some(refusal(error, limited, self.run.model.name())?);
                return Ok(());
            }
        };
        self.state.spend(answer.usage);
        let choice = answer.choices.into_iter().next().ok_or_else(|| AgentError::Model {
            model: self.run.model.name().to_owned(),
            source: ModelError::Malformed { message: "the answer has no choices".to_owned() },
        })?;
        let message = protocol::message(self.agent.tool_calls, &choice, self.state.turns);
        let seed = self.seed();
        self.state.turns += 1;
        self.state.say(message.clone());

        let reaction = self.environment.on_message(&message).await?;
        if let Some(reaction) = &reaction {
            self.state.spend(reaction.usage);
            self.state.stop = reaction.stop.clone();
        }
        for (place, call) in (0..).zip(&message.tool_calls) {
            let result = if self.state.stop.is_some() {
                Outcome::say(NOT_EXECUTED)
            } else {
                self.execute(call, &tools, derived(seed, place)).await?
            };
            self.state.spend(result.usage);
            self.state.say(Message::tool(call, result.content));
            self.state.stop = self.state.stop.take().or(result.stop);
        }
        match reaction {
            Some(reaction) if !reaction.content.is_empty() => self.state.say(Message::user(reaction.content)),
            Some(_) => {}
            None if !message.tool_calls.is_empty() => {}
            None if choice.finish == Finish::Length => {
                self.state.say(Message::user(CUT_OFF));
            }
            None => match &self.agent.idle {
                Idle::Stop => self.state.stop = Some(Stop::Answered),
                Idle::Remind(text) => self.state.say(Message::user(text.as_str())),
            },
        }
        Ok(())
    }

    async fn ask(&self, tools: Vec<Tool>) -> Result<Answer, Unanswered> {
        let sampling = &self.agent.sampling;
        // No answer is asked to be longer than a model's own limit lets it be.
        let own = sampling.max_tokens.unwrap_or(MAX_TOKENS_REASONING);
        let left = self.tokens_left().and_then(|left| u32::try_from(left).ok()).filter(|left| *left < own);
        let mut request = protocol::request(self.agent.tool_calls, self.state.messages.iter(), tools);
        request.sampling = Sampling {
            n: 1,
            seed: Some(self.seed()),
            temperature: self.run.branch.temperature,
            max_tokens: left.or(sampling.max_tokens),
            ..sampling.clone()
        };
        request.timeout = self.time_left();
        self.run.model.ask(&request).await
    }

    /// Executes a call. What is wrong with it is told to the agent.
    async fn execute(&mut self, call: &ToolCall, tools: &[Tool], seed: u64) -> Result<Outcome, AgentError> {
        let Some(tool) = tools.iter().find(|tool| tool.name == call.name) else {
            let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
            let names = names.join(", ");
            return Ok(Outcome::say(if call.name.is_empty() {
                format!(
                    "This is no call: a call is a JSON object with `name` and `arguments`. Tools: {names}."
                )
            } else {
                format!("There is no tool `{}`. Tools: {names}.", call.name)
            }));
        };
        let arguments = match schema::arguments(&call.arguments, &tool.parameters) {
            Ok(arguments) => arguments,
            Err(wrong) => return Ok(Outcome::say(format!("The call of `{}` is wrong: {wrong}.", call.name))),
        };
        if subagent::is_named(&self.agent.subagents, &call.name) {
            return subagent::spawn(self, &arguments, seed).await;
        }
        let call = Call { tool: &call.name, arguments: &arguments, seed, time: self.time_left() };
        Ok(self.environment.exec(call).await?)
    }
}

const CUT_OFF: &str = "Your message was cut off because it was too long. Be brief, and call a tool.";

/// Why the agent stops when the model does not answer this request, or the error if another try may succeed. `limited`: the
/// agent has a limit on time, which the request was sent with.
fn refusal(error: ModelError, limited: bool, model: &str) -> Result<Stop, AgentError> {
    match error {
        ModelError::ContextTooLong { .. } => Ok(Stop::Context),
        ModelError::BadRequest { .. } => Ok(Stop::Refused),
        ModelError::Timeout { phase: Phase::Total, .. } if limited => Ok(Stop::Time),
        source => Err(AgentError::Model { model: model.to_owned(), source }),
    }
}
