//! Clap arguments that several commands have; those of the configuration are generated from the table [`andor_config::OPTIONS`].

use std::marker::PhantomData;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use andor_config::{ConfigOption, LoadPath, Notation, OPTIONS, Section, Setting};
use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

use crate::logging::LogFormat;

/// How much goes to standard error, and in what form.
#[derive(Clone, Copy, Debug, Args)]
pub struct Verbosity {
    /// Print more to standard error; give it twice for details
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub verbose: u8,

    /// Print only errors to standard error
    #[arg(short, long, global = true)]
    pub quiet: bool,

    /// Write progress and logs as `text`, or as `json` (one object per line)
    #[arg(long, global = true, value_enum, value_name = "FORMAT", default_value_t = LogFormat::Text,
        hide_possible_values = true)]
    pub log_format: LogFormat,
}

/// The configuration options of a command, with the values that were given.
#[derive(Clone, Debug)]
pub struct Given<C>(pub Vec<(&'static ConfigOption, Setting)>, PhantomData<C>);

/// Selects the options that a command accepts.
pub trait Choice {
    /// Whether it accepts this one.
    fn has(option: &ConfigOption) -> bool;
}

/// All options: for commands that search.
#[derive(Clone, Debug)]
pub enum All {}

/// Options for verifying finished proofs.
#[derive(Clone, Debug)]
pub enum Judging {}

/// Options for interactive proofs.
#[derive(Clone, Debug)]
pub enum ByHand {}

/// Options for asking a language model.
#[derive(Clone, Debug)]
pub enum Asking {}

/// Options for agents that prove theorems.
#[derive(Clone, Debug)]
pub enum Agents {}

/// Options for agents that program.
#[derive(Clone, Debug)]
pub enum Coders {}

/// Options for making and checking plans.
#[derive(Clone, Debug)]
pub enum Planning {}

/// Options for benchmarks that verify proofs.
#[derive(Clone, Debug)]
pub enum Checks {}

/// Options for finding proof assistants.
#[derive(Clone, Debug)]
pub enum Finding {}

/// Options that decide whether external programs run in the sandbox.
#[derive(Clone, Debug)]
pub enum Confinement {}

impl Choice for All {
    fn has(_: &ConfigOption) -> bool {
        true
    }
}

impl Choice for Judging {
    fn has(option: &ConfigOption) -> bool {
        matches!(option.section, Section::Soundness | Section::RocqProject | Section::LeanProject)
    }
}

impl Choice for ByHand {
    fn has(option: &ConfigOption) -> bool {
        let others = ["--tactic-timeout", "--draft", "--plan", "--ignore-partial-proof"];
        Judging::has(option) || others.contains(&option.flag)
    }
}

impl Choice for Asking {
    fn has(option: &ConfigOption) -> bool {
        matches!(
            option.flag,
            "--n-sampling-search"
                | "--sampling-temperature"
                | "--sampling-top-p"
                | "--max-tokens"
                | "--model-timeout"
        )
    }
}

impl Choice for Agents {
    fn has(option: &ConfigOption) -> bool {
        let others = [
            "--time",
            "--max-nodes",
            "--max-tokens-total",
            "--seed",
            "--provider",
            "--provider-timeout",
            "--ranker",
            "--record",
        ];
        let sections = [
            Section::Soundness,
            Section::RocqProject,
            Section::LeanProject,
            Section::Workers,
            Section::Tactics,
        ];
        let of_models = Asking::has(option) && option.flag != "--n-sampling-search";
        sections.contains(&option.section) || others.contains(&option.flag) || of_models
    }
}

impl Choice for Coders {
    fn has(option: &ConfigOption) -> bool {
        let others = ["--time", "--max-nodes", "--max-tokens-total", "--seed", "--record"];
        let of_models = Asking::has(option) && option.flag != "--n-sampling-search";
        others.contains(&option.flag) || of_models
    }
}

impl Choice for Planning {
    fn has(option: &ConfigOption) -> bool {
        let others = [
            "--planner",
            "--plan-prompt",
            "--plan-retries",
            "--lemmas",
            "--seed",
            "--tactic-timeout",
            "--no-sandbox",
        ];
        option.section == Section::RocqProject || others.contains(&option.flag)
    }
}

impl Choice for Checks {
    fn has(option: &ConfigOption) -> bool {
        matches!(option.flag, "--max-file-size" | "--check-timeout" | "--no-sandbox")
    }
}

impl Choice for Finding {
    fn has(option: &ConfigOption) -> bool {
        option.section == Section::LeanProject || option.flag == "--no-sandbox"
    }
}

impl Choice for Confinement {
    fn has(option: &ConfigOption) -> bool {
        option.flag == "--no-sandbox"
    }
}

impl<C> Given<C> {
    /// Whether an option was given.
    pub fn has(&self, flag: &str) -> bool {
        self.0.iter().any(|(option, _)| option.flag == flag)
    }
}

impl<C: Choice + Clone + Send + Sync + 'static> Args for Given<C> {
    fn augment_args(command: Command) -> Command {
        let mut options: Vec<_> = OPTIONS.iter().filter(|option| C::has(option)).collect();
        // Help lists sections in the order in which they come up: what most people need first, then what studies need.
        options.sort_by_key(|option| is_for_studies(option.section));
        options.into_iter().fold(command, |command, option| command.arg(arg(option)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<C: Choice> FromArgMatches for Given<C> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given = Vec::new();
        for option in OPTIONS.iter().filter(|option| C::has(option)) {
            if matches.value_source(option.flag) != Some(ValueSource::CommandLine) {
                continue;
            }
            match option.notation {
                Notation::Switch(to) => given.push((option, Setting::Switch(to))),
                Notation::LoadPath(binding) => {
                    let words: Vec<&String> = matches.get_many(option.flag).into_iter().flatten().collect();
                    let (pairs, _) = words.as_chunks::<2>();
                    let bound = pairs.iter().map(|[folder, name]| LoadPath {
                        binding,
                        folder: PathBuf::from(folder),
                        name: (*name).clone(),
                    });
                    given.push((option, Setting::LoadPath(bound.collect())));
                }
                _ => {
                    let settings = matches.get_many::<Setting>(option.flag).into_iter().flatten();
                    given.extend(settings.map(|setting| (option, setting.clone())));
                }
            }
        }
        Ok(Self(given, PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Whether the options of a section are for those who study searches.
fn is_for_studies(section: Section) -> bool {
    match section {
        Section::Budget
        | Section::Providers
        | Section::Models
        | Section::Soundness
        | Section::Workers
        | Section::RocqProject
        | Section::LeanProject => false,
        Section::Search
        | Section::Agents
        | Section::Interventions
        | Section::Tactics
        | Section::Basins
        | Section::Clock => true,
    }
}

fn arg(option: &'static ConfigOption) -> Arg {
    let arg = Arg::new(option.flag).help(option.help()).help_heading(option.section.heading());
    let arg = match option.flag.strip_prefix("--") {
        Some(long) => arg.long(long),
        None => arg.short(option.flag.chars().nth(1)),
    };
    let arg = match option.alias.and_then(|alias| alias.strip_prefix("--")) {
        Some(alias) => arg.visible_alias(alias),
        None => arg,
    };
    match option.notation {
        Notation::Switch(_) => arg.action(ArgAction::SetTrue),
        Notation::LoadPath(_) => {
            arg.action(ArgAction::Append).num_args(2).value_names(option.value_name.split(' '))
        }
        notation => {
            let action = if notation.is_list() { ArgAction::Append } else { ArgAction::Set };
            let arg = arg.action(action).value_name(option.value_name).value_parser(parser(notation));
            let arg = if matches!(notation, Notation::Words) { arg.value_delimiter(',') } else { arg };
            arg.allow_negative_numbers(notation.range().is_some() || matches!(notation, Notation::Integer(_)))
        }
    }
}

fn parser(notation: Notation) -> ValueParser {
    match notation {
        Notation::OneOf(names) => PossibleValuesParser::new(names()).map(Setting::Name).into(),
        _ => ValueParser::new(move |text: &str| notation.read(text)),
    }
}

/// A positive count.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "write a whole number, 1 or more".to_owned())
}

/// A clap parser for an enum with named values.
#[macro_export]
macro_rules! names {
    ($type:ty) => {
        clap::builder::TypedValueParser::map(
            clap::builder::PossibleValuesParser::new(<$type>::ALL.iter().map(|c| c.name())),
            |text| <$type>::ALL.iter().copied().find(|c| c.name() == text).expect("only listed names pass"),
        )
    };
}
