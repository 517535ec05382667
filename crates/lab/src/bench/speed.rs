//! Search speed: expansions per second and bytes per node, relative to a baseline.

use std::path::Path;
use std::time::{Duration, Instant};

use andor_artifact::files::FileError;
use andor_config::{Backup, Config, Expansion, Identity, SearchConfig, Selection};
use andor_process::error::ProcessError;
use andor_process::{ChildSpec, ResourceLimits, run_to_end};
use andor_system_synthetic::{World, WorldPreset};
use serde::{Deserialize, Serialize};

use super::engine::Engine;
use super::floor;
use super::traced::Tracer;

/// A subject of the measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    /// A baseline.
    Floor(Method),
    /// The engine.
    Engine(Method),
    /// The engine, writing a trace.
    Traced(Method),
    /// The engine with this number of agents, each with its own reservation.
    Team(Method, u32),
}

/// A selection method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// `ucb1` with `uniform`.
    Ucb1,
    /// `puct` with `product`.
    Puct,
    /// `best-first`.
    BestFirst,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::Ucb1, Self::Puct, Self::BestFirst];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ucb1 => "ucb1",
            Self::Puct => "puct",
            Self::BestFirst => "best-first",
        }
    }

    fn config(self) -> Config {
        let (policy, exploration, backprop) = match self {
            Self::Ucb1 => (Selection::Ucb1, std::f64::consts::SQRT_2, Backup::Uniform),
            Self::Puct => (Selection::Puct, 1.0, Backup::Product),
            Self::BestFirst => (Selection::BestFirst, 0.0, Backup::Uniform),
        };
        let search = SearchConfig {
            policy,
            exploration,
            backprop,
            expand: Expansion::All,
            identity: Identity::Strict,
            step_discount: 1.0,
            ..SearchConfig::default()
        };
        Config { search, ..Config::default() }
    }
}

impl Runner {
    /// Its name; [`Runner::from_name`] is the inverse.
    pub fn name(self) -> String {
        match self {
            Self::Floor(method) => format!("floor-{}", method.name()),
            Self::Engine(method) => format!("engine-{}", method.name()),
            Self::Traced(method) => format!("traced-{}", method.name()),
            Self::Team(method, agents) => format!("team-{}-{agents}", method.name()),
        }
    }

    /// The runner with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        if let Some((method, agents)) = name.strip_prefix("team-").and_then(|team| team.rsplit_once('-')) {
            let method = Method::ALL.into_iter().find(|m| m.name() == method)?;
            return Some(Self::Team(method, agents.parse().ok()?));
        }
        let mut all =
            Method::ALL.into_iter().flat_map(|m| [Self::Floor(m), Self::Engine(m), Self::Traced(m)]);
        all.find(|r| r.name() == name)
    }
}

/// A measurement.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Speed {
    /// Number of expansions.
    pub expansions: u64,
    /// Number of tactic applications.
    pub applications: u64,
    /// Number of nodes in the tree.
    pub nodes: u64,
    /// Time in seconds, including that of the environment.
    pub seconds: f64,
    /// Growth of the process's peak resident memory; `None` if it cannot be read.
    pub resident_bytes: Option<u64>,
}

/// Measures in a fresh process of this program, because earlier allocations would hide the memory used. The program
/// must respond to the arguments `bench measure RUNNER APPLICATIONS SCRATCH` with [`measure`]'s result as JSON.
pub async fn measure_in_fresh_process(
    runner: Runner,
    applications: u64,
    scratch: &Path,
) -> Result<Speed, MeasureError> {
    let program = std::env::current_exe().map_err(MeasureError::NoProgram)?;
    let args = ["bench", "measure", &runner.name(), &applications.to_string(), &scratch.to_string_lossy()];
    let spec = ChildSpec {
        program: program.to_string_lossy().into_owned(),
        args: args.map(str::to_owned).to_vec(),
        env: Vec::new(),
        directory: scratch.to_owned(),
        limits: ResourceLimits::default(),
    };
    let finished = run_to_end(&spec, "measuring", MEASURE_LIMIT, 1 << 20).await?;
    serde_json::from_str(&finished.stdout).map_err(|_| MeasureError::Failed(finished.exit.stderr))
}

/// Time limit of one measurement.
const MEASURE_LIMIT: Duration = Duration::from_secs(600);

/// Why a measurement in a fresh process failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeasureError {
    /// The path of this program is unknown.
    #[error("cannot find the path of this program: {0}")]
    NoProgram(std::io::Error),
    /// The process could not be run.
    #[error(transparent)]
    Process(#[from] ProcessError),
    /// Its output was not a measurement.
    #[error("the measuring process failed: {0}")]
    Failed(String),
}

/// Measures on the preset `open` with seed 1. Call it once in a fresh process, because earlier allocations would hide
/// the memory used.
pub fn measure(runner: Runner, applications: u64, scratch: &Path) -> Result<Speed, FileError> {
    let world = World::new(WorldPreset::Open, 1);
    let before = peak_resident_bytes();
    let began = Instant::now();
    let (expansions, applications, nodes) = match runner {
        Runner::Floor(method) => {
            let counts = match method {
                Method::Ucb1 => floor::uct(&world, applications),
                Method::Puct => floor::puct(&world, applications),
                Method::BestFirst => floor::best_first(&world, u64::MAX, applications),
            };
            (counts.policy_calls, counts.applications, counts.nodes)
        }
        Runner::Engine(method) => {
            let mut engine = Engine::new(world, method.config().search(), false);
            let spent = engine.run(applications);
            (spent.iterations, spent.candidates, spent.nodes)
        }
        Runner::Team(method, agents) => {
            let mut engine = Engine::new(world, method.config().search(), false);
            let spent = engine.run_team(applications, agents);
            (spent.iterations, spent.candidates, spent.nodes)
        }
        Runner::Traced(method) => {
            let config = method.config();
            let mut engine = Engine::new(world, config.search(), false);
            let mut tracer = Tracer::create(&scratch.join("trace.jsonl"), &engine, &config)?;
            let spent =
                engine.run_observed(applications, |engine, job, told| tracer.write(engine, job, told));
            tracer.finish(&engine)?;
            (spent.iterations, spent.candidates, spent.nodes)
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let resident_bytes = peak_resident_bytes().zip(before).map(|(after, before)| after - before);
    Ok(Speed { expansions, applications, nodes, seconds, resident_bytes })
}

/// The peak resident memory of this process.
pub(super) fn peak_resident_bytes() -> Option<u64> {
    status_bytes("VmHWM:")
}

/// A field of `/proc/self/status`, by name (proc(5)).
pub(super) fn status_bytes(name: &str) -> Option<u64> {
    let status = fs_err::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with(name))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}
