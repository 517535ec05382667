//! Arguments of `andor agent`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_config::{AgentConfig, AgentPreset, ToolCalls};
use andor_terminal::names;
use andor_terminal::options::{Agents, Coders, Given, at_least_one};
use clap::{Args, Subcommand};

use super::{InputArgs, OutputArgs};

#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    #[command(subcommand)]
    pub(crate) what: AgentCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum AgentCommand {
    /// Have a language model prove theorems with tools, and search over its states
    Prove(Box<AgentProveArgs>),
    /// Have a language model write programs that pass hidden tests, and search over its states
    Code(Box<AgentCodeArgs>),
}

#[derive(Debug, Args)]
#[command(after_help = AGENT_CODE_HELP)]
pub(crate) struct AgentCodeArgs {
    /// A task's folder, or a JSON Lines file with a task in each line
    #[arg(value_name = "TASKS")]
    pub(crate) tasks: PathBuf,

    /// Take only this task; repeatable
    #[arg(long, value_name = "ID", help_heading = "Input")]
    pub(crate) task: Vec<String>,

    #[command(flatten)]
    pub(crate) agent: AgentOptions,

    #[command(flatten)]
    pub(crate) given: Given<Coders>,

    #[command(flatten)]
    pub(crate) attempts: AttemptsArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
#[command(after_help = AGENT_PROVE_HELP)]
pub(crate) struct AgentProveArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,

    #[command(flatten)]
    pub(crate) agent: AgentOptions,

    #[command(flatten)]
    pub(crate) given: Given<Agents>,

    #[command(flatten)]
    pub(crate) attempts: AttemptsArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What agents are configured by, and how often they try.
#[derive(Debug, Args)]
pub(crate) struct AttemptsArgs {
    /// Read the configuration from a TOML file, or from the `run.json` of an earlier run; options on the command
    /// line override it
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) config: Option<PathBuf>,

    /// Number of attempts to run concurrently
    #[arg(long, value_name = "N", default_value = "1", value_parser = at_least_one, allow_negative_numbers = true,
        help_heading = "Workers")]
    pub(crate) jobs: NonZeroUsize,

    /// Maximum number of attempts at each theorem or task, until one succeeds. Attempt N uses seed --seed + N - 1
    #[arg(long, value_name = "K", default_value_t = 1, help_heading = "Agent",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) pass_k: u32,
}

/// The agent, and the search over its states.
#[derive(Debug, Args)]
#[command(next_help_heading = "Agent")]
pub(crate) struct AgentOptions {
    /// The model: its name in --config, its URL or URL#NAME; or replay=RUN for the answers recorded in a run
    #[arg(long, value_name = "NAME|URL")]
    pub(crate) model: Option<String>,

    /// How the states of the agent are searched: one branch, a beam, the best first, or by Monte-Carlo tree search
    /// [default: linear]
    #[arg(long, value_name = "PRESET", value_parser = names!(AgentPreset))]
    pub(crate) preset: Option<AgentPreset>,

    /// How tools are called: by the server's interface, or by text for servers without one [default: native]
    #[arg(long, value_name = "HOW", value_parser = names!(ToolCalls))]
    pub(crate) tool_calls: Option<ToolCalls>,

    /// Branches of each expansion; 4 for beam and best-first, else 1 unless given
    #[arg(long, value_name = "N")]
    pub(crate) branch: Option<u32>,

    /// Turns of each branch in an expansion: answers of the model with the calls in them [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) turns: Option<u32>,

    /// Turns of an agent from the beginning on; then it stops [default: 40]
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<u32>,

    /// Steps of the search, each of which expands nodes; 40 for linear and beam, else 100 unless given
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// beam: nodes that are kept [default: 4]
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<u32>,

    /// best-first: do not expand nodes below this score [default: 0]
    #[arg(long, value_name = "SCORE")]
    pub(crate) min_score: Option<f64>,

    /// best-first: do not expand nodes as deep as this; unlimited unless given
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<u32>,

    /// mcts: weight of exploration; √2 unless given
    #[arg(long, value_name = "C")]
    pub(crate) exploration: Option<f64>,

    /// Sampling temperatures of the branches of an expansion, in turn; all that of the model unless given
    #[arg(long, value_name = "T,…", value_delimiter = ',')]
    pub(crate) branch_temperature: Vec<f64>,

    /// Branches that run at the same time; the tree does not depend on it [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) parallel: Option<u32>,

    /// Subagents that an agent may spawn in a branch for parts of its task [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) subagents: Option<u32>,
}

impl AgentOptions {
    /// The agent of a configuration file, with what was given in place of its values. The parts of its preset go with it if
    /// another one was given.
    pub(crate) fn over(&self, file: AgentConfig) -> AgentConfig {
        let file = match self.preset {
            Some(preset) if preset != file.preset => AgentConfig {
                branch: None,
                max_steps: None,
                width: None,
                min_score: None,
                max_depth: None,
                exploration: None,
                temperatures: Vec::new(),
                ..file
            },
            _ => file,
        };
        AgentConfig {
            model: self.model.clone().unwrap_or(file.model),
            preset: self.preset.unwrap_or(file.preset),
            tool_calls: self.tool_calls.unwrap_or(file.tool_calls),
            branch: self.branch.or(file.branch),
            turns: self.turns.or(file.turns),
            max_turns: self.max_turns.or(file.max_turns),
            max_steps: self.max_steps.or(file.max_steps),
            width: self.width.or(file.width),
            min_score: self.min_score.or(file.min_score),
            max_depth: self.max_depth.or(file.max_depth),
            exploration: self.exploration.or(file.exploration),
            temperatures: match &self.branch_temperature[..] {
                [] => file.temperatures,
                given => given.to_vec(),
            },
            parallel: self.parallel.or(file.parallel),
            subagents: self.subagents.or(file.subagents),
        }
    }
}

const AGENT_PROVE_HELP: &str = "\
The model gets a theorem and these tools:
  goals    the open goals              try      several tactics at once, without effect
  commit   apply tactics               undo     take tactics back
  search   andor's own tree search     finish   standard tactics, 200 candidates
  lookup   lemmas about symbols        submit   hand the proof to the judge

A proof counts only if the judge accepts it: the whole file, in a fresh process, to the level of
--verify. What is tried passes the same screen and filters as in `andor prove`.

Presets (docs/guide/agents.md):
  linear      one branch until it ends; --pass-k makes several attempts
  beam        all nodes of the beam get --branch children, the best --width stay
  best-first  the node with the best score gets --branch children
  mcts        UCB1 over the scores of the nodes

With --out, every branch is kept as soon as it has ended, and a search that was interrupted or
killed goes on with --resume. With --record, the answers are kept, too: --model replay=RUN repeats
the search without the model. `andor show RUN` shows the tree, `andor export RUN --format
trajectories` writes its conversations.

Exit codes: as for `andor prove`.

Examples:
  andor agent prove file.v --model http://127.0.0.1:8000/v1
  andor agent prove file.lean --model prover --config models.toml --preset beam --out RUN
  andor agent prove --statement 'theorem t (p q : Prop) : p ∧ q → q ∧ p' --model URL --pass-k 4
  andor agent prove file.v --model URL --preset mcts --out RUN --record --resume
  andor agent prove file.v --model replay=RUN --preset mcts
  andor show RUN --dot | dot -Tsvg > tree.svg";

const AGENT_CODE_HELP: &str = "\
The model gets a task's prompt and files, and these tools:
  list   the files                  read    a file
  write  a file                     run     a shell command in the folder, without network
  submit hand the files in

All that it runs is in a sandbox with limits on time, memory, processes and files. After each
branch, the task's command is run once for each hidden test, in a fresh copy of the files; it
passes if it exits with 0 and writes what is expected. Expected outputs never enter the sandbox.
The score is the share of tests that pass, and only if all do the task is solved.

Tasks are described in docs/formats/code.md, presets in docs/guide/agents.md. With --out, every
branch is kept as soon as it has ended, and a search that was interrupted or killed goes on with
--resume. `andor results RUN`, `andor show RUN` and `andor export RUN --format trajectories` read
the run.

Exit codes: 0 all tasks are solved, 1 not all, 2 wrong usage or no sandbox, 3 too many attempts
failed for technical reasons, 130 interrupted.

Examples:
  andor agent code examples/code/sum --model http://127.0.0.1:8000/v1
  andor agent code tasks.jsonl --model coder --config models.toml --preset beam --out RUN
  andor agent code tasks.jsonl --model URL --preset mcts --pass-k 4 --jobs 4 --out RUN --resume
  andor agent code examples/code/sum --model replay=RUN";
