//! Options of runs on a cluster.

use std::num::NonZeroUsize;

use clap::Args;
use serde_json::{Map, Value, json};

#[derive(Debug, Args)]
#[command(next_help_heading = "Ray")]
pub(crate) struct ClusterArgs {
    /// Make the attempts on a Ray cluster: `ray` is the one at $RAY_ADDRESS or on this machine, `ray://HOST:PORT` one
    /// that is asked through Ray's client. The run's folder stays here. Needs the Python packages andor and ray
    #[arg(long, value_name = "CLUSTER", value_parser = on, conflicts_with = "jobs")]
    pub(crate) on: Option<On>,

    /// Number of workers, each of which makes one attempt at a time. By default as many as the cluster has processors for
    #[arg(long, value_name = "N", requires = "on")]
    num_provers: Option<NonZeroUsize>,

    /// Processors of each worker [default: 1]
    #[arg(long, value_name = "N", value_parser = amount, requires = "on")]
    num_cpus_per_prover: Option<f64>,

    /// Serve MODEL of the configuration by a COMMAND with `{port}`, which Ray starts, or at addresses of servers,
    /// separated by commas; can be repeated
    #[arg(long, value_name = "MODEL=COMMAND", value_parser = served, requires = "on")]
    serve: Vec<(String, Value)>,

    /// Number of servers that a command starts. Worker I asks number I modulo N [default: 1]
    #[arg(long, value_name = "N", requires = "serve")]
    num_tac_gen: Option<NonZeroUsize>,

    /// GPUs of each server that a command starts [default: 1]
    #[arg(long, value_name = "N", value_parser = amount, requires = "serve")]
    num_gpus_per_tac_gen: Option<f64>,

    /// Processors of each server that a command starts [default: 1]
    #[arg(long, value_name = "N", value_parser = amount, requires = "serve")]
    num_cpus_per_tac_gen: Option<f64>,
}

/// A cluster.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct On {
    /// Its address, if it is not the one that Ray finds.
    address: Option<String>,
}

fn on(text: &str) -> Result<On, String> {
    match text.strip_prefix("ray://") {
        Some(address) if !address.is_empty() => Ok(On { address: Some(text.to_owned()) }),
        None if text == "ray" => Ok(On { address: None }),
        _ => Err("give `ray` or `ray://HOST:PORT`".to_owned()),
    }
}

fn amount(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..=1e6).contains(&number) => Ok(number),
        _ => Err("a number from 0 is needed".to_owned()),
    }
}

/// A model with its command or addresses, as the driver takes them.
fn served(text: &str) -> Result<(String, Value), String> {
    let Some((model, by)) = text.split_once('=').filter(|(model, _)| !model.is_empty()) else {
        return Err("give the name of a model, `=`, and a command or addresses".to_owned());
    };
    let is_address = by.starts_with("http://") || by.starts_with("https://");
    if !is_address && !by.contains("{port}") {
        return Err("the command must say where the port goes, by {port}".to_owned());
    }
    let by = if is_address { json!(by.split(',').collect::<Vec<_>>()) } else { json!(by) };
    Ok((model.to_owned(), by))
}

impl ClusterArgs {
    /// The settings for the driver, if there is a cluster.
    pub(crate) fn settings(&self) -> Option<Value> {
        let On { address } = self.on.as_ref()?;
        let serve: Map<String, Value> = self.serve.iter().cloned().collect();
        let given = [
            ("address", address.as_ref().map(|address| json!(address))),
            ("num_provers", self.num_provers.map(|n| json!(n.get()))),
            ("num_cpus_per_prover", self.num_cpus_per_prover.map(|n| json!(n))),
            ("serve", Some(Value::Object(serve))),
            ("num_tac_gen", self.num_tac_gen.map(|n| json!(n.get()))),
            ("num_gpus_per_tac_gen", self.num_gpus_per_tac_gen.map(|n| json!(n))),
            ("num_cpus_per_tac_gen", self.num_cpus_per_tac_gen.map(|n| json!(n))),
        ];
        Some(given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect())
    }
}
