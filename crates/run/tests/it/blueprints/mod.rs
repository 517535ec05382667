//! Blueprints: read, proved in the order of their dependencies, disproved, refined, resumed; and never believed.

mod cheats;
mod reading;
mod refinement;
mod runs;
mod states;
mod systems;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use andor_artifact::blueprint::{BlueprintRun, NodeState};
use andor_config::{BudgetConfig, Config, Level, ProviderConfig, VerifyConfig};
use andor_engine::event::Event;
use andor_engine::registry::OwnParts;
use andor_provider::scripted::Scripted;
use andor_run::blueprint::{self, Blueprint, BlueprintError, Made};
use andor_run::orchestrate::RunRequest;
use andor_testkit::block_on;
use tokio_util::sync::CancellationToken;

/// Reads a blueprint from a text in TOML.
fn read(text: &str) -> Result<Blueprint, BlueprintError> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("b.toml");
    fs_err::write(&file, text).unwrap();
    blueprint::read(&file, None)
}

/// The configuration of most tests: heuristics with a small budget.
fn config() -> Config {
    Config {
        budget: BudgetConfig { time_s: Some(60.0), max_candidates: Some(300), ..BudgetConfig::default() },
        verify: VerifyConfig { level: Level::Audited, ..VerifyConfig::default() },
        ..Config::default()
    }
}

fn request(config: Config, out: Option<&Path>) -> RunRequest {
    RunRequest { out: out.map(Path::to_owned), ..RunRequest::new(Vec::new(), config) }
}

/// A request with nothing but these tactics.
fn with_tactics(tactics: &[&str]) -> RunRequest {
    let provider = Arc::new(Scripted::always(tactics));
    let config =
        Config { providers: vec![ProviderConfig::Program { name: "scripted".to_owned() }], ..config() };
    let own = OwnParts { providers: vec![provider], ..OwnParts::default() };
    RunRequest { own, ..request(config, None) }
}

fn run(request: &RunRequest, blueprint: &str) -> Made {
    block_on(make(request, blueprint))
}

async fn make(request: &RunRequest, blueprint: &str) -> Made {
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    blueprint::run(request, read(blueprint).unwrap(), &CancellationToken::new(), silent).await.unwrap()
}

fn states(record: &BlueprintRun) -> BTreeMap<&str, NodeState> {
    record.nodes.iter().map(|node| (node.node.name.as_str(), node.state)).collect()
}

/// The state of a node.
fn state(made: &Made, name: &str) -> NodeState {
    states(&made.record)[name]
}
