//! Language models of a configuration: servers, and records of earlier runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_artifact::files::{FileError, read_json};
use andor_artifact::input;
use andor_artifact::run::RunRecord;
use andor_artifact::version::Kind;
use andor_config::{Config, Form, LlmConfig, ModelConfig, PlanConfig, ProviderConfig};
use andor_core::theorem::System;
use andor_model::config::{ConfigError, Kind as Interface};
use andor_model::request::Sampling;
use andor_model::{Http, Model, ModelError, Prices, Record, Recorded, Replay};
use andor_provider::contract::{Provider as _, ProviderError};
use andor_provider::llm::Llm;
use andor_provider::llm::prompt::{Template, built_in_names};
use andor_provider::plan::{PlanTemplate, Planner};

/// The file of a run's folder with the requests and answers of its models.
pub const RECORD: &str = "models.jsonl.gz";
/// The file of a run's folder with the prompt template that its models got, if that is no built-in one.
pub const PROMPT: &str = "prompt.j2";

/// Why a language model is unavailable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ModelsError {
    /// Its configuration is wrong, or its key is missing.
    #[error("{}{error}", of_model(.model, .error))]
    Config {
        /// The model, by its name or URL.
        model: String,
        /// What is wrong.
        error: ConfigError,
    },
    /// The variable with the limit on the time for getting ready has no number.
    #[error("$MODEL_READINESS_TIMEOUT=`{0}`: give a number of seconds above 0")]
    ReadinessTimeout(String),
    /// Its server is not ready, or does not have it.
    #[error("the model at {url} cannot be asked: {error}")]
    NotReady {
        /// The address of the server.
        url: String,
        /// Why.
        error: ModelError,
    },
    /// A limit cannot be kept.
    #[error(
        "{option}: the model at {url} does not state how many tokens its answers have, so that the limit cannot be kept"
    )]
    NoUsage {
        /// The option with the limit.
        option: &'static str,
        /// The address of the server.
        url: String,
    },
    /// An option differs from the recorded run's, whose requests are the only ones that have answers.
    #[error(
        "{option}: the answers recorded in {} were given to requests {}; leave the option out", run.display(),
        .recorded.as_ref().map_or_else(|| "without it".to_owned(), |value| format!("with {value}"))
    )]
    NotRecorded {
        /// The option.
        option: &'static str,
        /// The recorded run.
        run: PathBuf,
        /// Its value of the option, if it had one.
        recorded: Option<String>,
    },
    /// A record cannot be read.
    #[error(transparent)]
    Record(ModelError),
    /// The configuration of a recorded run cannot be read.
    #[error("{}: {message}", path.display())]
    Run {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// A file of a recorded run cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The prompt is a conversation, and the model continues texts.
    #[error(
        "the prompt is a conversation, and the model `{0}` is asked for completions; set `kind = \"chat\"` in [models.{0}], or \
         choose another --prompt"
    )]
    Conversation(String),
    /// An agent is a conversation, and the model continues texts.
    #[error(
        "an agent is a conversation, and the model `{0}` is asked for completions; set `kind = \"chat\"` in [models.{0}]"
    )]
    NoConversation(String),
    /// The prompt asks for whole proofs, and no drafts are wanted.
    #[error(
        "the prompt asks for whole proofs, which are requested by --draft-share only; give, for example, --draft-share 0.5"
    )]
    NoDraftShare,
    /// A prompt template cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// A prompt template is malformed.
    #[error(transparent)]
    Provider(#[from] ProviderError),
}

/// The model that an error is about, where the error does not name it.
fn of_model(model: &str, error: &ConfigError) -> String {
    match error {
        ConfigError::UnknownModel { .. } => String::new(),
        // A URL may have a key in it: that is one of the errors.
        ConfigError::Value { field, .. } if field == "base_url" && model.contains("://") => String::new(),
        _ => format!("model `{model}`: "),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// A model of the configuration, by its name or URL. Values of `[llm]` take the place of the model's own. Nothing is sent yet.
///
/// # Errors
///
/// There is no such model, its configuration is wrong, or its key is missing.
pub fn server(name: &str, config: &Config) -> Result<Http, ModelsError> {
    let model = configured(name, config)?;
    let wrong = |error| ModelsError::Config { model: name.to_owned(), error };
    let key = model.key(variable).map_err(wrong)?;
    Http::new(model, key).map_err(wrong)
}

/// The configuration of a model, with the values of `[llm]` in place of its own.
fn configured(name: &str, config: &Config) -> Result<ModelConfig, ModelsError> {
    let wrong = |error| ModelsError::Config { model: name.to_owned(), error };
    let mut model = ModelConfig::named(name, &config.models, variable).map_err(wrong)?;
    // A URL says nothing about the interface, but the prompt may.
    let prompt = config.llm.prompt.as_deref();
    if !config.models.contains_key(name) && prompt.is_some_and(|prompt| is_conversation(prompt, &config.llm))
    {
        model.kind = Interface::Chat;
    }
    let LlmConfig { n, temperature, top_p, max_tokens, timeout_s, .. } = config.llm;
    let sampling = &mut model.sampling;
    sampling.n = n.unwrap_or(sampling.n);
    sampling.temperature = temperature.unwrap_or(sampling.temperature);
    sampling.top_p = top_p.unwrap_or(sampling.top_p);
    sampling.max_tokens = max_tokens.or(sampling.max_tokens);
    if let Some(limit) = timeout_s {
        (model.timeouts.first_byte_s, model.timeouts.total_s) = (Some(limit), Some(limit));
    }
    set_readiness_limit(&mut model)?;
    model.timeouts.wait_s = config.llm.wait_s.unwrap_or(model.timeouts.wait_s);
    Ok(model)
}

fn set_readiness_limit(model: &mut ModelConfig) -> Result<(), ModelsError> {
    if let Some(text) = variable("MODEL_READINESS_TIMEOUT").filter(|text| !text.is_empty()) {
        let limit = text.parse().ok().filter(|limit: &f64| *limit > 0.0 && limit.is_finite());
        let limit = limit.ok_or(ModelsError::ReadinessTimeout(text))?;
        (model.timeouts.ready_s, model.timeouts.wait_s) = (limit, limit);
    }
    Ok(())
}

/// A provider that asks a language model, or answers in place of one.
pub(crate) struct Asking {
    pub(crate) provider: Llm,
    /// The server that it may ask.
    pub(crate) server: Option<Arc<Http>>,
}

/// A provider that asks a model.
pub(crate) fn asking(
    name: &str,
    system: System,
    config: &Config,
    record: Option<&Arc<Record>>,
) -> Result<Asking, ModelsError> {
    let server = Arc::new(server(name, config)?);
    let model: Arc<dyn Model> = match record {
        Some(record) => Arc::new(Recorded::new(Arc::clone(&server), Arc::clone(record))),
        None => Arc::clone(&server) as Arc<dyn Model>,
    };
    let provider = provider(name, model, server.config(), system, &config.llm, None)?;
    if provider.writes_drafts() && config.drafts.share == 0.0 {
        return Err(ModelsError::NoDraftShare);
    }
    Ok(Asking { provider, server: Some(server) })
}

/// A planner, and the server that it may ask.
pub(crate) struct Planning {
    pub(crate) planner: Planner,
    pub(crate) server: Option<Arc<Http>>,
}

/// The planner of a configuration, if it names one. It answers from a record if the providers do.
pub(crate) fn planning(
    config: &Config,
    record: Option<&Arc<Record>>,
) -> Result<Option<Planning>, ModelsError> {
    let PlanConfig { planner: Some(name), prompt, .. } = &config.plan else { return Ok(None) };
    let replayed = config.providers.iter().find_map(|provider| match provider {
        ProviderConfig::Replay { run } => Some(run),
        _ => None,
    });
    let configured = configured_planner(name, config)?;
    let (model, server): (Arc<dyn Model>, _) = match replayed {
        Some(run) => {
            let only = Some(configured.model.as_str()).filter(|model| !model.is_empty());
            (Arc::new(Replay::open(&run.join(RECORD), only).map_err(ModelsError::Record)?), None)
        }
        None => {
            let wrong = |error| ModelsError::Config { model: name.clone(), error };
            let key = configured.key(variable).map_err(wrong)?;
            let server = Arc::new(Http::new(configured.clone(), key).map_err(wrong)?);
            let model: Arc<dyn Model> = match record {
                Some(record) => Arc::new(Recorded::new(Arc::clone(&server), Arc::clone(record))),
                None => Arc::clone(&server) as Arc<dyn Model>,
            };
            (model, Some(server))
        }
    };
    let template = match prompt {
        Some(file) => PlanTemplate::read(&input::text(file)?, file)?,
        None => PlanTemplate::default(),
    };
    if template.is_conversation() && configured.kind == Interface::Completions {
        return Err(ModelsError::Conversation(name.clone()));
    }
    let prices = configured.prices.unwrap_or_default();
    let planner =
        Planner::new(name, model, template, configured.sampling, prices, config.llm.lemmas as usize);
    Ok(Some(Planning { planner, server }))
}

/// The configuration of a planner. A URL means a conversation, unless there is a prompt of the user's.
fn configured_planner(name: &str, config: &Config) -> Result<ModelConfig, ModelsError> {
    let wrong = |error| ModelsError::Config { model: name.to_owned(), error };
    let mut model = ModelConfig::named(name, &config.models, variable).map_err(wrong)?;
    if !config.models.contains_key(name) && config.plan.prompt.is_none() {
        model.kind = Interface::Chat;
    }
    set_readiness_limit(&mut model)?;
    Ok(model)
}

/// A model that acts as an agent.
#[derive(Clone, Debug)]
pub struct Acting {
    /// The model, or its record.
    pub model: Arc<dyn Model>,
    /// The server that it asks.
    pub server: Option<Arc<Http>>,
    /// How answers are drawn.
    pub sampling: Sampling,
    /// What tokens cost.
    pub prices: Prices,
}

/// The model of a configuration's agent, if it has one.
///
/// # Errors
///
/// There is no such model, its configuration is wrong, its key is missing, or its record cannot be read.
pub fn acting(config: &Config, record: Option<&Arc<Record>>) -> Result<Option<Acting>, ModelsError> {
    let Some(agent) = &config.agent else { return Ok(None) };
    if let Some(run) = agent.replayed() {
        let run = Path::new(run);
        let recorded = recorded_config(run)?;
        let of_agent = recorded.agent.as_ref().filter(|_| recorded.llm.record);
        let Some(of_agent) = of_agent.filter(|agent| agent.replayed().is_none()) else {
            let message = "the run has no recorded agent: it was made without an agent, or without --record";
            return Err(ModelsError::Run { path: run.join("run.json"), message: message.to_owned() });
        };
        if let Some((option, recorded)) = differing(&config.llm, &recorded.llm) {
            return Err(ModelsError::NotRecorded { option, run: run.to_owned(), recorded });
        }
        let configured = configured_agent(&of_agent.model, &recorded)?;
        let several = recorded.providers.iter().any(ProviderConfig::is_llm);
        let only = Some(configured.model.as_str()).filter(|model| several && !model.is_empty());
        let replay = Replay::open(&run.join(RECORD), only).map_err(ModelsError::Record)?;
        let prices = configured.prices.unwrap_or_default();
        return Ok(Some(Acting {
            model: Arc::new(replay),
            server: None,
            sampling: configured.sampling,
            prices,
        }));
    }
    let configured = configured_agent(&agent.model, config)?;
    let wrong = |error| ModelsError::Config { model: agent.model.clone(), error };
    let key = configured.key(variable).map_err(wrong)?;
    let server = Arc::new(Http::new(configured.clone(), key).map_err(wrong)?);
    let model: Arc<dyn Model> = match record {
        Some(record) => Arc::new(Recorded::new(Arc::clone(&server), Arc::clone(record))),
        None => Arc::clone(&server) as Arc<dyn Model>,
    };
    let prices = configured.prices.unwrap_or_default();
    Ok(Some(Acting { model, server: Some(server), sampling: configured.sampling, prices }))
}

/// The configuration of an agent's model. A URL means a conversation.
fn configured_agent(name: &str, config: &Config) -> Result<ModelConfig, ModelsError> {
    let mut model = configured(name, config)?;
    if !config.models.contains_key(name) {
        model.kind = Interface::Chat;
    }
    if model.kind == Interface::Completions {
        return Err(ModelsError::NoConversation(name.to_owned()));
    }
    Ok(model)
}

/// The configuration of a recorded run.
fn recorded_config(run: &Path) -> Result<Config, ModelsError> {
    let file = run.join("run.json");
    let recorded: RunRecord = read_json(&file, Kind::Run)?;
    serde_json::from_value(recorded.config).map_err(|error| ModelsError::Run {
        path: file,
        message: format!("its configuration cannot be read: {error}"),
    })
}

/// Providers that answer in place of the models that a recorded run asked, and the servers that they ask where the record has
/// no answer.
pub(crate) fn replaying(run: &Path, system: System, config: &Config) -> Result<Vec<Asking>, ModelsError> {
    let file = run.join("run.json");
    let wrong = |message: String| ModelsError::Run { path: file.clone(), message };
    let recorded = recorded_config(run)?;
    let names: Vec<&String> = recorded
        .providers
        .iter()
        .filter_map(|provider| match provider {
            ProviderConfig::Llm { model } => Some(model),
            _ => None,
        })
        .collect();
    if (names.is_empty() && recorded.plan.planner.is_none()) || !recorded.llm.record {
        return Err(wrong("the run asked no language model, or was made without --record".to_owned()));
    }
    if let Some((option, recorded)) = differing(&config.llm, &recorded.llm) {
        return Err(ModelsError::NotRecorded { option, run: run.to_owned(), recorded });
    }
    let several = names.len() > 1 || recorded.plan.planner.is_some();
    let prompt = Some(run.join(PROMPT)).filter(|file| file.is_file());
    let replay = |name: &String| {
        let model = configured(name, &recorded)?;
        let only = Some(model.model.as_str()).filter(|model| several && !model.is_empty());
        let replay = Replay::open(&run.join(RECORD), only).map_err(ModelsError::Record)?;
        let (answering, server): (Arc<dyn Model>, _) = match config.llm.replay_else_ask {
            true => {
                let server = Arc::new(server(name, &recorded)?);
                (Arc::new(replay.or_else_ask(Arc::clone(&server) as Arc<dyn Model>)), Some(server))
            }
            false => (Arc::new(replay), None),
        };
        let provider = provider(name, answering, &model, system, &recorded.llm, prompt.as_deref())?;
        Ok(Asking { provider, server })
    };
    names.into_iter().map(replay).collect()
}

/// The first option that is given and differs from the recorded one, with the recorded value.
fn differing(given: &LlmConfig, recorded: &LlmConfig) -> Option<(&'static str, Option<String>)> {
    let values = |llm: &LlmConfig| {
        [
            ("--prompt", llm.prompt.clone()),
            ("--answer", llm.answer.map(|form| form.name().to_owned())),
            ("--n-sampling-search", llm.n.map(|n| n.to_string())),
            ("--sampling-temperature", llm.temperature.map(|t| t.to_string())),
            ("--sampling-top-p", llm.top_p.map(|p| p.to_string())),
            ("--max-tokens", llm.max_tokens.map(|n| n.to_string())),
            ("--lemmas", Some(llm.lemmas).filter(|n| *n > 0).map(|n| n.to_string())),
        ]
    };
    let pairs = values(given).into_iter().zip(values(recorded));
    pairs
        .filter(|((_, given), (_, recorded))| given.is_some() && given != recorded)
        .map(|((option, _), (_, recorded))| (option, recorded))
        .next()
}

fn provider(
    name: &str,
    model: Arc<dyn Model>,
    config: &ModelConfig,
    system: System,
    llm: &LlmConfig,
    recorded_prompt: Option<&Path>,
) -> Result<Llm, ModelsError> {
    let mut template = match (recorded_prompt, llm.prompt.as_deref()) {
        (Some(file), _) => read_template(file, llm.answer)?,
        (None, Some(prompt)) => match Template::built_in(prompt) {
            Some(template) => template,
            None => read_template(Path::new(prompt), llm.answer)?,
        },
        (None, None) => {
            let name = match config.kind {
                Interface::Completions => "bfs-prover".to_owned(),
                Interface::Chat | Interface::Responses => format!("chat-{}", system.name()),
            };
            Template::built_in(&name).or_else(|| Template::built_in("bfs-prover")).expect("it is built in")
        }
    };
    template.form = llm.answer.unwrap_or(template.form);
    if template.is_conversation() && config.kind == Interface::Completions {
        return Err(ModelsError::Conversation(name.to_owned()));
    }
    let prices = config.prices.unwrap_or_default();
    Ok(Llm::new(name, model, template, config.sampling.clone(), prices, llm.lemmas as usize))
}

/// Whether a prompt is a conversation. One that cannot be read is reported where it is used.
fn is_conversation(prompt: &str, llm: &LlmConfig) -> bool {
    let template = Template::built_in(prompt).or_else(|| read_template(Path::new(prompt), llm.answer).ok());
    template.is_some_and(|template| template.is_conversation())
}

fn read_template(file: &Path, form: Option<Form>) -> Result<Template, ModelsError> {
    if !file.is_file() {
        let names = built_in_names();
        return Err(ModelsError::Run {
            path: file.to_owned(),
            message: format!("it is neither a file nor a built-in prompt ({})", names.join(", ")),
        });
    }
    Ok(Template::read(&input::text(file)?, file, form.unwrap_or(Form::Tactic))?)
}

/// The file of the prompt template that a configuration uses, if it is no built-in one.
pub fn prompt_file(config: &Config) -> Option<&Path> {
    config.llm.prompt.as_deref().filter(|name| Template::built_in(name).is_none()).map(Path::new)
}
