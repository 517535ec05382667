//! The declaration of a loop: a TOML file, described in `docs/formats/loop.md`.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use andor_artifact::input;
use andor_config::{Config, ConfigFile, ProviderConfig};
use andor_learn::train::Parameters;
use serde::{Deserialize, Serialize};

use crate::error::LoopError;

/// A loop as its user declares it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Loop {
    /// The theorems.
    pub theorems: Theorems,
    /// The first model.
    #[serde(default)]
    pub model: Start,
    /// The configuration of all searches, with the keys of `andor run --config`. A provider's `{model}` is the file of the
    /// model in turn.
    #[serde(default)]
    pub config: toml::Table,
    /// How the model in turn searches for proofs.
    #[serde(default)]
    pub rollout: Rollout,
    /// Which tactics of a rollout are kept for training.
    #[serde(default)]
    pub filter: Filter,
    /// How models are trained.
    #[serde(default)]
    pub train: Train,
    /// When the inner loop ends.
    #[serde(default)]
    pub plateau: Plateau,
    /// How data is made again at a plateau.
    #[serde(default)]
    pub synthesis: Synthesis,
    /// Which of these proofs are kept for training.
    #[serde(default)]
    pub curate: Curate,
}

/// The theorems of a loop. Relative paths start at the folder of the declaration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theorems {
    /// To learn from.
    pub train: PathBuf,
    /// To evaluate every model on; never learned from.
    pub held_out: PathBuf,
}

/// The first model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Start {
    /// The file of the base; without it, the built-in model with zero weights.
    pub base: Option<PathBuf>,
    /// Shapes of tactics that the built-in model has besides its own, one a line.
    pub shapes: Option<PathBuf>,
    /// The name of a model's file or folder.
    pub file: String,
    /// A program that serves a model while a search uses it. `{model}` is the model's file.
    pub serve: Option<String>,
}

impl Default for Start {
    fn default() -> Self {
        Self { base: None, shapes: None, file: "model.json".to_owned(), serve: None }
    }
}

/// How the model in turn searches for proofs of the theorems to train on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Rollout {
    /// Attempts at each theorem. The first follows the model, further ones draw from it.
    pub attempts: u32,
    /// How many theorems are drawn for each rollout; by default all.
    pub sample: Option<usize>,
}

impl Default for Rollout {
    fn default() -> Self {
        Self { attempts: 2, sample: None }
    }
}

/// Which tactics of a rollout are kept. Those of accepted proofs always are.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Filter {
    /// Other tactics need at least this log-prior.
    pub min_log_prior: f64,
    /// And their shape fails at most in this part of its tries.
    pub max_failure_rate: f64,
    /// And they count this much; a tactic of a proof counts 1.
    pub weight: f64,
}

impl Default for Filter {
    fn default() -> Self {
        Self { min_log_prior: -4.6, max_failure_rate: 0.75, weight: 0.02 }
    }
}

/// How models are trained.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Train {
    /// A program that trains, instead of the built-in trainer.
    pub command: Option<String>,
    /// How long it may take, in seconds; by default a day.
    pub timeout_s: Option<f64>,
    /// The built-in trainer's parameters.
    #[serde(flatten)]
    pub parameters: Parameters,
}

/// When the inner loop is at a plateau, and when the whole loop ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plateau {
    /// The inner loop ends after this many iterations without an improvement beyond chance over the best before them.
    pub window: u32,
    /// An improvement is beyond chance if McNemar's exact test gives it a p-value below this.
    pub significance: f64,
    /// The most iterations of the inner loop.
    pub iterations: u32,
    /// The most rounds of the outer loop.
    pub rounds: u32,
}

impl Default for Plateau {
    fn default() -> Self {
        Self { window: 2, significance: 0.05, iterations: 8, rounds: 3 }
    }
}

/// How data is made again at a plateau: by the best model so far, over all theorems to train on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Synthesis {
    /// Attempts at each theorem.
    pub attempts: u32,
}

impl Default for Synthesis {
    fn default() -> Self {
        Self { attempts: 4 }
    }
}

/// Which proofs are kept for training from the base.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Curate {
    /// Proofs with more steps are left out.
    pub max_steps: usize,
    /// For each theorem, this many proofs are kept, the shortest first.
    pub proofs: usize,
    /// A step is a near duplicate if one with the same shape shares at least this part of its features (Jaccard).
    pub near_duplicate: f64,
    /// Steps of rarely proved theorems count more, at most by this factor.
    pub max_boost: f64,
}

impl Default for Curate {
    fn default() -> Self {
        Self { max_steps: 30, proofs: 2, near_duplicate: 0.95, max_boost: 4.0 }
    }
}

/// The place of a model's file in the configuration.
const MODEL: &str = "{model}";

impl Loop {
    /// Reads a declaration; its paths then start at the current folder.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is malformed, or a value is out of range.
    pub fn read(path: &Path) -> Result<Self, LoopError> {
        let refuse = |what: String| LoopError::Declaration { path: path.to_owned(), what };
        let mut declared: Self = toml::from_str(&input::text(path)?)
            .map_err(|error| refuse(error.to_string().trim_end().to_owned()))?;
        declared.check().map_err(refuse)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let Theorems { train, held_out } = &mut declared.theorems;
        let Start { base, shapes, .. } = &mut declared.model;
        for file in [Some(train), Some(held_out), base.as_mut(), shapes.as_mut()].into_iter().flatten() {
            *file = folder.join(&*file);
        }
        declared.searching_with(Path::new("model"))?;
        Ok(declared)
    }

    fn check(&self) -> Result<(), String> {
        let Self { model, rollout, filter, train, plateau, synthesis, curate, .. } = self;
        let share = |x: f64| (0.0..=1.0).contains(&x);
        let positive = |x: f64| x.is_finite() && x > 0.0;
        let rules = [
            (!model.file.is_empty() && !model.file.contains('/'), "model.file is a name without slashes"),
            (rollout.attempts > 0, "rollout.attempts must be at least 1"),
            (synthesis.attempts > 0, "synthesis.attempts must be at least 1"),
            (rollout.sample != Some(0), "rollout.sample must be at least 1"),
            (filter.min_log_prior <= 0.0, "filter.min_log_prior must be at most 0"),
            (share(filter.max_failure_rate), "filter.max_failure_rate must be from 0 to 1"),
            (filter.weight >= 0.0 && filter.weight.is_finite(), "filter.weight must be at least 0"),
            (
                train.timeout_s.is_none_or(|s| positive(s) && s <= 1e9),
                "train.timeout_s must be a number of seconds",
            ),
            (
                train.timeout_s.is_none() || train.command.is_some(),
                "train.timeout_s has no effect without train.command",
            ),
            (
                train
                    .command
                    .as_ref()
                    .is_none_or(|command| shlex::split(command).is_some_and(|words| !words.is_empty())),
                "train.command must be a command, with every quote closed",
            ),
            (train.parameters.epochs > 0, "train.epochs must be at least 1"),
            (positive(train.parameters.rate), "train.rate must be positive"),
            (train.parameters.decay >= 0.0, "train.decay must be at least 0"),
            (plateau.window > 0, "plateau.window must be at least 1"),
            (share(plateau.significance), "plateau.significance must be from 0 to 1"),
            (
                plateau.iterations > 0 && plateau.rounds > 0,
                "plateau.iterations and plateau.rounds must be at least 1",
            ),
            (
                curate.max_steps > 0 && curate.proofs > 0,
                "curate.max_steps and curate.proofs must be at least 1",
            ),
            (
                share(curate.near_duplicate) && curate.near_duplicate > 0.0,
                "curate.near_duplicate must be above 0 and at most 1",
            ),
            (curate.max_boost >= 1.0, "curate.max_boost must be at least 1"),
            (
                train.command.is_none() || self.config.contains_key("providers"),
                "train.command needs config.providers: the built-in provider cannot read the model of another trainer",
            ),
            (
                train.command.is_none() || model.base.is_some(),
                "train.command needs model.base, the model that its training begins with",
            ),
            (
                model.serve.is_none() || self.config.contains_key("providers"),
                "model.serve needs config.providers, one of which asks the server",
            ),
            (model.base.is_none() || model.shapes.is_none(), "model.shapes has no effect with model.base"),
        ];
        rules.into_iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, rule)| Err(rule.to_owned()))
    }

    /// The configuration of searches with a model.
    ///
    /// # Errors
    ///
    /// The configuration is malformed or breaks a rule.
    pub fn searching_with(&self, model: &Path) -> Result<Config, LoopError> {
        let text = toml::to_string(&self.config).expect("a table that was read can be written");
        let mut config = ConfigFile::parse(&text, Path::new("config")).map_err(LoopError::ConfigFile)?.config;
        if !self.config.contains_key("providers") {
            config.providers = vec![ProviderConfig::Learned { path: PathBuf::from(MODEL) }];
        }
        let model = model.to_string_lossy();
        for provider in &mut config.providers {
            let put = |path: &PathBuf| PathBuf::from(path.to_string_lossy().replace(MODEL, &model));
            *provider = match provider.clone() {
                ProviderConfig::Learned { path } => ProviderConfig::Learned { path: put(&path) },
                ProviderConfig::Scripted { path } => ProviderConfig::Scripted { path: put(&path) },
                ProviderConfig::Exec { command } => {
                    ProviderConfig::Exec { command: command.replace(MODEL, &model) }
                }
                ProviderConfig::Llm { model: named } => {
                    ProviderConfig::Llm { model: named.replace(MODEL, &model) }
                }
                other => other,
            };
        }
        config.validate()?;
        Ok(config)
    }

    /// The command that serves a model while a search uses it.
    pub fn serving_with(&self, model: &Path) -> Option<String> {
        let model = model.to_string_lossy();
        let quoted = shlex::try_quote(&model).unwrap_or(Cow::Borrowed(&model));
        self.model.serve.as_ref().map(|command| command.replace(MODEL, &quoted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(more: &str) -> Result<Loop, String> {
        let text = format!("[theorems]\ntrain = \"a.lean\"\nheld_out = \"b.lean\"\n{more}");
        let declared: Loop = toml::from_str(&text).map_err(|e| e.to_string())?;
        declared.check().map(|()| declared)
    }

    #[test]
    fn the_model_takes_its_place_in_the_providers() {
        let providers =
            |more: &str| parsed(more).unwrap().searching_with(Path::new("m/1")).unwrap().providers;
        assert_eq!(providers(""), [ProviderConfig::Learned { path: PathBuf::from("m/1") }]);
        let exec = providers("[[config.providers]]\nkind = \"exec\"\ncommand = \"serve {model}\"\n");
        assert_eq!(exec, [ProviderConfig::Exec { command: "serve m/1".to_owned() }]);
    }

    #[test]
    fn mistakes_are_named() {
        for (more, expected) in [
            ("[train]\nepoch = 3", "epoch"),
            ("[rollout]\nattempts = 0", "attempts"),
            ("[plateau]\nsignificance = 2", "significance"),
            ("[train]\ncommand = \"x\"", "config.providers"),
            ("[model]\nbase = \"x\"\nshapes = \"y\"", "shapes"),
        ] {
            let error = parsed(more).unwrap_err();
            assert!(error.contains(expected), "{more}: {error}");
        }
    }
}
