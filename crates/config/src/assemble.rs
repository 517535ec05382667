//! From an optional file and options, which override it, to a configuration.

use std::path::{Path, PathBuf};

use andor_env::source;

use crate::{
    Config, ConfigError, ConfigFile, ConfigOption, Grouping, MctsMode, Preset, Setting, WorkerConfig,
    overlay, rules,
};

impl Config {
    /// The configuration of a search: that of the file or the default one, overridden by the options. Values that neither gives
    /// are derived from the others. It may violate rules.
    pub fn assemble(file: Option<&ConfigFile>, given: &[(&'static ConfigOption, Setting)]) -> Self {
        let mut config = file.map_or_else(Self::default, |file| file.config.clone());
        // A file may also say how agents are, for other commands.
        config.agent = None;
        let gives = |key: &str| file.is_some_and(|file| file.gives(key));
        let option = |flag: &str| given.iter().rfind(|(option, _)| option.flag == flag);
        if let Some((_, preset)) = option("--preset") {
            Preset::from(preset.clone()).fill_in(&mut config, gives);
        }
        overlay(&mut config, given);
        let is_given = |flag: &str, key: &str| option(flag).is_some() || gives(key);
        // The statements of a plan are goals of their own; a preset gives way to it.
        if config.plan.has_plan() && !is_given("--obligation", "search.obligation") {
            config.search.obligation = Grouping::Coupled;
        }
        if !is_given("--exploration", "search.exploration") {
            config.search.exploration = config.search.policy.default_exploration();
        }
        if !is_given("--tactic-timeout", "workers.tactic_timeout_s") {
            config.workers.tactic_timeout_s = config.default_tactic_timeout_s();
        }
        if !is_given("--clock", "clock") {
            config.clock = config.default_clock();
        }
        // A replay has nothing to record; its configuration is often that of the recorded run.
        if option("--record").is_none() && !config.asks_models() {
            config.llm.record = false;
        }
        config
    }

    /// Makes folders absolute, expands named sets of axioms, and writes down the numbers that hold where nothing is given.
    /// The configuration must be valid.
    ///
    /// # Errors
    ///
    /// A folder does not exist.
    pub fn resolve(&mut self) -> Result<(), ConfigError> {
        self.resolve_defaults();
        for bound in &mut self.load_path {
            bound.folder = folder(bound.binding.option(), &bound.folder)?;
        }
        if let Some(project) = &mut self.project {
            *project = folder("--project", project)?;
        }
        self.allowed_axioms = source::expanded_axioms(&self.allowed_axioms);
        Ok(())
    }

    /// Takes back what [`Self::resolve_defaults`] wrote down, so that it follows from other values when these change. Returns the
    /// keys in `workers`.
    pub(super) fn forget_defaults(&mut self) -> Vec<&'static str> {
        let mut forgotten = Vec::new();
        let WorkerConfig { workers, inflight, tactic_timeout_s, tactic_cpu_timeout_s, .. } =
            &mut self.workers;
        if inflight.is_some_and(|inflight| usize::try_from(inflight) == Ok(*workers)) {
            *inflight = None;
            forgotten.push("inflight");
        }
        if *tactic_cpu_timeout_s == Some(*tactic_timeout_s) {
            *tactic_cpu_timeout_s = None;
            forgotten.push("tactic_cpu_timeout_s");
        }
        forgotten
    }

    /// Writes down the numbers that hold where nothing is given.
    pub(super) fn resolve_defaults(&mut self) {
        self.distributed_mcts.resolve();
        let WorkerConfig { tactic_cpu_timeout_s, tactic_timeout_s, .. } = &mut self.workers;
        tactic_cpu_timeout_s.get_or_insert(*tactic_timeout_s);
        if self.distributed_mcts.mode == MctsMode::Centralized {
            self.workers.inflight = Some(self.agents().inflight);
        }
    }
}

/// The absolute path of a folder that an option names.
fn folder(option: &'static str, path: &Path) -> Result<PathBuf, ConfigError> {
    let broken = |rule: String| rules::broken(option, rule);
    let absolute = std::path::absolute(path).or_else(|error| broken(error.to_string()))?;
    match (absolute.is_dir(), absolute.to_str()) {
        (true, Some(_)) => Ok(absolute),
        (false, _) => broken(format!("`{}` is not a folder", absolute.display())),
        (_, None) => broken(format!("`{}` must be a path in UTF-8", absolute.display())),
    }
}
