//! `andor model`

use std::io::Read as _;
use std::path::Path;

use andor_config::{Config, ConfigFile, overlay};
use andor_engine::models;
use andor_model::config::Kind;
use andor_model::serve::{Engine, shell_line};
use andor_model::{Message, Request};
use andor_terminal::exit::Exit;
use andor_terminal::report;
use andor_terminal::shown;
use anyhow::Context as _;
use serde_json::{Value, json};

use crate::args::{self, AskArgs, ModelArgs, ModelCommand, ServeCommandArgs};

pub(crate) async fn run(args: &ModelArgs) -> anyhow::Result<Exit> {
    match &args.command {
        ModelCommand::Ask(args) => ask(args).await,
        ModelCommand::ServeCommand(args) => serve_command(args),
    }
}

/// The configuration of a file, or the default one.
pub(super) fn config(command: &str, file: Option<&Path>) -> anyhow::Result<Config> {
    let file = file.map(ConfigFile::read).transpose();
    let file = file.map_err(|error| args::usage(command, format!("--config: {error}")))?;
    Ok(file.map_or_else(Config::default, |file| file.config))
}

async fn ask(args: &AskArgs) -> anyhow::Result<Exit> {
    let mut config = config("model ask", args.config.as_deref())?;
    overlay(&mut config, &args.given.0);
    let server = models::server(&args.model, &config)?.without_waiting();
    let prompt = match args.prompt.as_str() {
        "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
            text
        }
        text => text.to_owned(),
    };
    let mut request = match server.config().kind {
        Kind::Completions => Request::prompt(prompt),
        Kind::Chat | Kind::Responses => Request::messages(vec![Message::user(prompt)]),
    };
    request.sampling = server.config().sampling.clone();
    // One answer shows how the server answers.
    if !args.given.has("--n-sampling-search") {
        request.sampling.n = 1;
    }
    request.sampling.seed = args.seed;
    // Some servers take a request only with the name of their model, which their list has.
    server.ready().await?;
    let exchange = server.exchange(&request).await?;
    let exit = if exchange.answer.is_ok() { Exit::Success } else { Exit::Unusable };
    if args.json {
        let received = exchange.received.unwrap_or_else(|error| json!({"error": error.to_string()}));
        let answer = match &exchange.answer {
            Ok(answer) => json!(answer),
            Err(error) => json!({"error": error.to_string()}),
        };
        let record = json!({"sent": exchange.sent, "received": received, "answer": answer});
        report::print(&format!("{record}\n"))?;
        return Ok(exit);
    }
    let pretty = |value: &Value| format!("{value:#}");
    let mut text = format!("sent to {}:\n{}\n", server.config().base_url, pretty(&exchange.sent));
    match &exchange.received {
        Ok(received) => text += &format!("received:\n{}\n", pretty(received)),
        Err(error) => text += &format!("received: {}\n", shown::message(&error.to_string())),
    }
    match &exchange.answer {
        Ok(answer) => {
            text += "understood as:\n";
            for choice in &answer.choices {
                let log_prob = choice.log_prob().map_or_else(
                    || "log-probability unknown".to_owned(),
                    |p| format!("log-probability {p:.4}"),
                );
                text +=
                    &format!("- {} ({log_prob}, ended by {:?})\n", shown::line(&choice.text), choice.finish);
            }
            let usage = &answer.usage;
            text += &format!(
                "{} tokens in, {} out, {:.2} s\n",
                usage.input_tokens, usage.output_tokens, usage.waited_s
            );
        }
        Err(error) => text += &format!("no answer: {}\n", shown::message(&error.to_string())),
    }
    report::print(&text)?;
    Ok(exit)
}

fn serve_command(args: &ServeCommandArgs) -> anyhow::Result<Exit> {
    let config = config("model serve-command", args.config.as_deref())?;
    let known = config.models.get(&args.model).map(|model| model.model.clone());
    let model = known.filter(|model| !model.is_empty()).unwrap_or_else(|| args.model.clone());
    let engine = Engine { model, port: args.port, tensor_parallel_size: args.gpus, ..Engine::default() };
    report::print(&format!("{}\n{}\n", shell_line(&engine.vllm()), shell_line(&engine.llama_cpp())))?;
    Ok(Exit::Success)
}
