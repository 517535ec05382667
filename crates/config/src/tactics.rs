//! Which tactics are blocked.

use andor_core::theorem::System;
use andor_provider::filters::{EasyGate, HygieneRule, is_word};
use serde::{Deserialize, Serialize};

use super::ConfigError;

/// Which tactics are blocked, regardless of their provider. By default only the hygiene rules apply.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TacticConfig {
    /// Families of tactics, by name, and single tactics, by their first word.
    pub block: Vec<String>,
    /// Whether easy tactics are blocked, so that the search has to find longer proofs.
    pub easy_gate: bool,
    /// Whether easy tactics pass despite `easy_gate`.
    pub allow_easy: bool,
    /// The tactics that count as easy; `None` for the system's default list.
    pub easy: Option<Vec<String>>,
    /// Whether all hygiene rules are disabled, including `hygiene`.
    pub no_hygiene: bool,
    /// Additional hygiene rules.
    pub hygiene: Vec<HygieneRule>,
}

impl TacticConfig {
    /// Whether easy tactics pass.
    pub fn gate(&self) -> EasyGate {
        match (&self.easy, self.easy_gate && !self.allow_easy) {
            (_, false) => EasyGate::Open,
            (None, true) => EasyGate::Closed,
            (Some(easy), true) => EasyGate::ClosedTo(easy.clone()),
        }
    }

    /// Names that are neither a family of the system nor in its tables of tactics: misspelled, or tactics unknown to
    /// the tables, which are blocked nonetheless.
    pub fn unknown(&self, system: System) -> impl Iterator<Item = &str> {
        let names = self.block.iter().chain(self.easy.iter().flatten()).map(String::as_str);
        names.filter(move |name| !system.language().knows(name))
    }

    /// The first violated rule.
    pub(super) fn check(&self) -> Result<(), ConfigError> {
        let broken = |option, rule: &'static str| Err(ConfigError { option, rule: rule.into() });
        let is_family =
            |name: &str| System::all().into_iter().any(|system| system.language().family(name).is_some());
        if !self.block.iter().all(|name| is_family(name) || is_word(name)) {
            return broken("--block-tactics", "takes names of families, or first words of tactics");
        }
        match &self.easy {
            Some(easy) if easy.is_empty() => broken("--easy-tactics", "needs at least one tactic"),
            Some(easy) if !easy.iter().all(|name| is_word(name)) => {
                broken("--easy-tactics", "takes first words of tactics")
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|n| (*n).to_owned()).collect()
    }

    #[test]
    fn rules() {
        let gate = TacticConfig { easy_gate: true, ..TacticConfig::default() };
        let block = |list: &[&str]| TacticConfig { block: names(list), ..TacticConfig::default() };
        let easy = |list: &[&str]| TacticConfig { easy: Some(names(list)), ..gate.clone() };
        let cases = [
            (TacticConfig::default(), None),
            (gate.clone(), None),
            (block(&["case-analysis", "lia", "exact?", "t3", "Lia.lia", "unheard_of"]), None),
            (block(&["lia", ""]), Some("--block-tactics")),
            (block(&["intros; lia"]), Some("--block-tactics")),
            (block(&["case-analysi"]), Some("--block-tactics")),
            (TacticConfig { allow_easy: true, ..gate.clone() }, None),
            (TacticConfig { allow_easy: true, ..TacticConfig::default() }, Some("--allow-easy")),
            (easy(&["ring", "t3"]), None),
            (TacticConfig { easy_gate: false, ..easy(&["ring"]) }, Some("--easy-tactics")),
            (easy(&[]), Some("--easy-tactics")),
            (easy(&["case-analysis"]), Some("--easy-tactics")),
            (easy(&["ring "]), Some("--easy-tactics")),
        ];
        for (tactics, expected) in cases {
            let found = Config { tactics: tactics.clone(), ..Config::default() }.validate();
            assert_eq!(found.err().map(|e| e.option), expected, "{tactics:?}");
        }
    }

    #[test]
    fn the_gate_is_open_unless_it_is_closed_and_easy_tactics_are_not_allowed() {
        let tactics = |easy_gate, allow_easy, easy: Option<&[&str]>| {
            TacticConfig { easy_gate, allow_easy, easy: easy.map(names), ..TacticConfig::default() }.gate()
        };
        assert_eq!(tactics(false, false, None), EasyGate::Open);
        assert_eq!(tactics(true, true, None), EasyGate::Open);
        assert_eq!(tactics(true, true, Some(&["ring"])), EasyGate::Open);
        assert_eq!(tactics(true, false, None), EasyGate::Closed);
        assert_eq!(tactics(true, false, Some(&["ring"])), EasyGate::ClosedTo(names(&["ring"])));
    }

    #[test]
    fn names_that_may_be_misspelled() {
        let tactics = TacticConfig {
            block: names(&["arithmetic", "lia", "omega", "inducton"]),
            easy: Some(names(&["auto", "autto"])),
            ..TacticConfig::default()
        };
        assert_eq!(tactics.unknown(ROCQ).collect::<Vec<_>>(), ["omega", "inducton", "autto"]);
        assert_eq!(tactics.unknown(MINI).collect::<Vec<_>>(), ["lia", "inducton", "auto", "autto"]);
    }
}
