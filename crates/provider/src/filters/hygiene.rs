//! Hygiene: rules that reject useless candidates regardless of the goal.
//!
//! Language models propose placeholders for proofs and tactics with holes. The standard rules of a language reject these.
//! Rules match whole words (`not_sorry` does not match `sorry`), and only within one tactic, since
//! rejecting a good tactic is worse than trying a bad one.

use std::ops::Range;
use std::sync::Arc;

use andor_core::theorem::System;
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::patterns;

/// A user-defined rule.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "RuleText", into = "RuleText")]
pub struct HygieneRule {
    name: String,
    system: Option<System>,
    pattern: Regex,
    why: String,
}

impl PartialEq for HygieneRule {
    fn eq(&self, other: &Self) -> bool {
        RuleText::from(self.clone()) == RuleText::from(other.clone())
    }
}

impl Eq for HygieneRule {}

/// The serialised form of a rule.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleText {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<String>,
    pattern: String,
    why: String,
}

/// Why a rule is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RuleError {
    /// The name cannot be used in traces.
    #[error("invalid rule name `{0}`: use only letters, digits, `-` and `_`")]
    Name(String),
    /// Unknown system.
    #[error("`system` of the rule `{rule}`: {message}")]
    System {
        /// The rule.
        rule: String,
        /// What is wrong.
        message: String,
    },
    /// The pattern is not a regular expression.
    #[error("`pattern` of the rule `{rule}` is not a valid regular expression: {message}")]
    Pattern {
        /// The rule.
        rule: String,
        /// What is wrong.
        message: String,
    },
    /// The pattern matches every text.
    #[error(
        "`pattern` of the rule `{0}` matches the empty string and would refuse every tactic; make it more specific"
    )]
    Everything(String),
}

impl HygieneRule {
    /// A rule for the tactics of a system, or of all. The pattern has the syntax of the crate `regex`.
    ///
    /// # Errors
    ///
    /// The name has characters other than letters, digits, `-` and `_`, or the pattern is invalid or matches every
    /// text.
    pub fn new(name: &str, system: Option<System>, pattern: &str, why: &str) -> Result<Self, RuleError> {
        let rule = name.to_owned();
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_')) {
            return Err(RuleError::Name(rule));
        }
        let pattern = match Regex::new(pattern) {
            Ok(pattern) if pattern.is_match("") => return Err(RuleError::Everything(rule)),
            Ok(pattern) => pattern,
            Err(error) => {
                // The preceding lines are a drawing.
                let message = error.to_string();
                let message = message.rsplit_once("error: ").map_or(&*message, |(_, last)| last).to_owned();
                return Err(RuleError::Pattern { rule, message });
            }
        };
        Ok(Self { name: rule, system, pattern, why: why.to_owned() })
    }
}

impl TryFrom<RuleText> for HygieneRule {
    type Error = RuleError;

    fn try_from(text: RuleText) -> Result<Self, RuleError> {
        let system = text.system.as_deref().map(str::parse).transpose();
        let system = system.map_err(|error: andor_core::theorem::UnknownSystem| RuleError::System {
            rule: text.name.clone(),
            message: error.to_string(),
        })?;
        Self::new(&text.name, system, &text.pattern, &text.why)
    }
}

impl From<HygieneRule> for RuleText {
    fn from(rule: HygieneRule) -> Self {
        Self {
            name: rule.name,
            system: rule.system.map(|system| system.name().to_owned()),
            pattern: rule.pattern.as_str().to_owned(),
            why: rule.why,
        }
    }
}

/// A compiled rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) name: Arc<str>,
    pattern: Regex,
    /// Whether a match must lie within one tactic.
    within_a_tactic: bool,
}

impl Rule {
    /// Whether the rule rejects a text without strings and comments.
    pub(super) fn refuses(&self, bare: &str) -> bool {
        if !self.within_a_tactic {
            return self.pattern.is_match(bare);
        }
        let mut from = 0;
        while let Some(found) = self.pattern.find_at(bare, from) {
            if is_one_tactic(bare, found.range()) {
                return true;
            }
            from = found.start() + 1;
            while !bare.is_char_boundary(from) {
                from += 1;
            }
        }
        false
    }
}

/// Whether all lines of a part of the text belong to the tactic at its beginning: each is empty or indented deeper.
fn is_one_tactic(text: &str, part: Range<usize>) -> bool {
    let column = text[..part.start].chars().rev().take_while(|&c| c != '\n').count();
    text[part].split('\n').skip(1).all(|line| match line.find(|c: char| !c.is_whitespace()) {
        Some(at) => line[..at].chars().count() > column,
        None => true,
    })
}

/// The standard rules of a system, followed by the user's.
pub(super) fn rules(system: System, own: &[HygieneRule]) -> Vec<Rule> {
    let standard = system.language().tactics.hygiene.iter().map(|rule| Rule {
        name: rule.name.into(),
        pattern: patterns::compiled(rule.pattern),
        within_a_tactic: true,
    });
    let own = own.iter().filter(|rule| rule.system.is_none_or(|only| only == system)).map(|rule| Rule {
        name: rule.name.as_str().into(),
        pattern: rule.pattern.clone(),
        within_a_tactic: false,
    });
    standard.chain(own).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use andor_core::language::StandardRule;

    use super::super::{EasyGate, TacticFilter};
    use super::*;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;
    use andor_system_synthetic::SYNTHETIC;

    fn reason(system: System, own: &[HygieneRule], tactic: &str) -> Option<String> {
        let filter = TacticFilter::new(system, &[], &EasyGate::Open).with_hygiene(own);
        filter.block_reason(tactic).map(|reason| reason.to_string())
    }

    #[test]
    fn standard_rules_keep_their_examples() {
        for system in System::all() {
            let rules = system.language().tactics.hygiene;
            let names: BTreeSet<&str> = rules.iter().map(|rule| rule.name).collect();
            assert_eq!(names.len(), rules.len());
            for rule in rules {
                assert!(HygieneRule::new(rule.name, None, rule.pattern, rule.why).is_ok(), "{}", rule.name);
                assert!(!rule.refused.is_empty() && !rule.passed.is_empty(), "{}", rule.name);
                for tactic in rule.refused {
                    assert_eq!(
                        reason(system, &[], tactic),
                        Some(format!("hygiene:{}", rule.name)),
                        "{tactic}"
                    );
                }
                for tactic in rule.passed {
                    assert_eq!(reason(system, &[], tactic), None, "{system} {tactic}");
                }
            }
        }
    }

    #[test]
    fn a_tactic_goes_on_in_lines_that_are_indented_deeper() {
        let refused = [
            ("rcases h with\n  ⟨?_, h2⟩", "hygiene:case-placeholder"),
            ("rcases h\n  with\n\n    ⟨h1, ?_⟩", "hygiene:case-placeholder"),
            ("constructor\n· rcases h with\n    ⟨?_, h2⟩\n· exact h2", "hygiene:case-placeholder"),
            ("rcases g with ⟨a, b⟩\nrcases h with\n  ⟨?_, h2⟩", "hygiene:case-placeholder"),
            ("simpa [h1,\n  _]", "hygiene:simpa-placeholder"),
            ("simpa only [_\n  , h1] using h2", "hygiene:simpa-placeholder"),
        ];
        for (tactic, expected) in refused {
            assert_eq!(reason(MINI, &[], tactic).as_deref(), Some(expected), "{tactic}");
        }
        for tactic in [
            "rcases h with ⟨a, b⟩\nrefine ⟨?_, a⟩",
            "· rcases h with ⟨a, b⟩\n  refine ⟨?_, a⟩",
            "have k : p := by rcases h with ⟨a, b⟩\n                 exact f ?_",
            "simpa using h\nexact f _ a",
            "· simpa [h1] using\n    h2\n  exact ⟨_, a⟩",
        ] {
            assert_eq!(reason(MINI, &[], tactic), None, "{tactic}");
        }
    }

    #[test]
    fn own_rules_see_line_breaks_as_they_say() {
        let rule = |pattern: &str| HygieneRule::new("own", None, pattern, "").unwrap();
        for (pattern, expected) in [(r"simp\s+at", true), ("simp.+at", false), ("(?s)simp.+at", true)] {
            assert_eq!(reason(MINI, &[rule(pattern)], "simp\nat h").is_some(), expected, "{pattern}");
        }
    }

    #[test]
    fn the_manual_has_the_same_rules() {
        let manual = include_str!("../../../../docs/guide/hygiene.md");
        // A bar would end the cell.
        let code = |text: &str| format!("`{}`", text.replace('|', "\\|"));
        let list = |texts: &[&str]| texts.iter().map(|text| code(text)).collect::<Vec<_>>().join(", ");
        let mut rules: Vec<(&StandardRule, Vec<&str>)> = Vec::new();
        for system in System::all() {
            for rule in system.language().tactics.hygiene {
                match rules.iter_mut().find(|(known, _)| *known == rule) {
                    Some((_, systems)) => systems.push(system.name()),
                    None => rules.push((rule, vec![system.name()])),
                }
            }
        }
        for (rule, systems) in &rules {
            let row = [
                code(rule.name),
                list(systems),
                code(rule.pattern),
                rule.why.to_owned(),
                list(rule.refused),
                list(rule.passed),
            ];
            let row = format!("| {} |", row.join(" | "));
            assert!(manual.lines().any(|line| line == row), "{row}");
        }
        let (standard, _) = manual.split_once("## Own rules").unwrap();
        assert_eq!(standard.lines().filter(|line| line.starts_with("| `")).count(), rules.len());
    }

    #[test]
    fn own_rules_come_after_the_standard_ones() {
        let rule = |name: &str, system, pattern: &str| HygieneRule::new(name, system, pattern, "").unwrap();
        let own = [rule("no-nia", Some(ROCQ), r"\bnia\b"), rule("long", None, "^.{20,}")];
        assert_eq!(reason(ROCQ, &own, "intros; nia").as_deref(), Some("hygiene:no-nia"));
        assert_eq!(reason(MINI, &own, "intros; nia"), None);
        let long = "exact f a b c d e f g h";
        assert_eq!(reason(MINI, &own, long).as_deref(), Some("hygiene:long"));
        assert_eq!(reason(SYNTHETIC, &own, long).as_deref(), Some("hygiene:long"));
        assert_eq!(reason(MINI, &own, "exact f a b c d e sorry").as_deref(), Some("hygiene:sorry"));
    }

    #[test]
    fn rules_are_read_and_written() {
        let text = r#"{"name":"no-nia","system":"rocq","pattern":"\\bnia\\b","why":"slow"}"#;
        let rule: HygieneRule = serde_json::from_str(text).unwrap();
        assert_eq!(rule, HygieneRule::new("no-nia", Some(ROCQ), r"\bnia\b", "slow").unwrap());
        assert_eq!(serde_json::to_string(&rule).unwrap(), text);
        let cases = [
            (("a b", None, "x"), "invalid rule name `a b`"),
            (("", None, "x"), "invalid rule name ``"),
            (("r", None, "("), "`pattern` of the rule `r` is not a valid regular expression: unclosed group"),
            (("r", None, "(?=x)"), "is not a valid regular expression: look-around"),
            (("r", None, "x*"), "`pattern` of the rule `r` matches the empty string"),
            (("r", Some("coq"), "x"), "`system` of the rule `r`: unknown system `coq`"),
        ];
        for ((name, system, pattern), expected) in cases {
            let text = serde_json::json!({"name": name, "system": system, "pattern": pattern, "why": ""});
            let error = serde_json::from_value::<HygieneRule>(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert!(serde_json::from_str::<HygieneRule>(r#"{"name":"r","pattern":"x"}"#).is_err());
    }
}
