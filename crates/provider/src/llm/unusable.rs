//! Answers of a language model in which there is no tactic, and why.

use std::collections::BTreeMap;
use std::sync::Mutex;

use andor_model::{Choice, Finish};

/// Why a text of a model has no tactic in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Unusable {
    /// It reached the limit on tokens before the model stopped reasoning.
    CutInReasoning,
    /// It reached the limit on tokens before there was a tactic.
    CutOff,
    /// There is reasoning, and nothing after it.
    OnlyReasoning,
    /// It is a call of a tool.
    ToolCall,
    /// A filter of the server's withheld it.
    Filtered,
    /// It is empty.
    Empty,
}

impl Unusable {
    /// Why a text without a tactic has none.
    pub(super) fn of(choice: &Choice) -> Self {
        match (&choice.finish, choice.reasons()) {
            (Finish::Length, true) => Self::CutInReasoning,
            (Finish::Length, false) => Self::CutOff,
            (Finish::ToolCalls, _) => Self::ToolCall,
            (Finish::Filtered, _) => Self::Filtered,
            _ if !choice.tool_calls.is_empty() => Self::ToolCall,
            (_, true) => Self::OnlyReasoning,
            (_, false) => Self::Empty,
        }
    }

    /// What is said of so many texts, and what to do.
    fn told(self, n: u64, max_tokens: u32) -> String {
        match self {
            Self::CutInReasoning => {
                format!("{n} cut off while the model reasons, at max_tokens = {max_tokens} (raise it)")
            }
            Self::CutOff => format!("{n} cut off at max_tokens = {max_tokens} (raise it)"),
            Self::OnlyReasoning => format!("{n} with reasoning and nothing after it"),
            Self::ToolCall => format!("{n} that call a tool (tactics are wanted as text)"),
            Self::Filtered => format!("{n} withheld by a filter of the server's"),
            Self::Empty => format!("{n} empty"),
        }
    }
}

/// The reasons of some texts, in words.
pub(super) fn told(reasons: &[Unusable], max_tokens: u32) -> String {
    let mut counts: BTreeMap<Unusable, u64> = BTreeMap::new();
    for reason in reasons {
        *counts.entry(*reason).or_default() += 1;
    }
    told_counts(&counts, max_tokens)
}

fn told_counts(counts: &BTreeMap<Unusable, u64>, max_tokens: u32) -> String {
    counts.iter().map(|(reason, n)| reason.told(*n, max_tokens)).collect::<Vec<_>>().join(", ")
}

/// What a model's texts were so far; warns once when most of them have no tactic.
#[derive(Debug, Default)]
pub(super) struct Watch(Mutex<Seen>);

#[derive(Debug, Default)]
struct Seen {
    texts: u64,
    unusable: BTreeMap<Unusable, u64>,
    has_warned: bool,
}

impl Watch {
    /// Takes note of an answer's texts. Returns the warning, if it is time for it.
    pub(super) fn note(&self, texts: usize, reasons: &[Unusable], max_tokens: u32) -> Option<String> {
        /// Texts before which nothing is said.
        const FEW: u64 = 8;
        let mut seen = self.0.lock().expect("nobody panics holding it");
        seen.texts += texts as u64;
        for reason in reasons {
            *seen.unusable.entry(*reason).or_default() += 1;
        }
        let unusable: u64 = seen.unusable.values().sum();
        let is_time = seen.texts >= FEW && 2 * unusable > seen.texts && !seen.has_warned;
        seen.has_warned |= is_time;
        let told = || {
            format!(
                "{unusable} of {} texts have no tactic: {}",
                seen.texts,
                told_counts(&seen.unusable, max_tokens)
            )
        };
        is_time.then(told)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_texts_without_a_tactic_are_told_of_once() {
        let watch = Watch::default();
        assert_eq!(watch.note(7, &[Unusable::Empty; 7], 9), None, "too few");
        assert_eq!(watch.note(9, &[], 9), None, "not most of them");
        let warning = watch.note(4, &[Unusable::CutInReasoning; 4], 256).unwrap();
        assert!(warning.starts_with("11 of 20 texts have no tactic: 4 cut off while"), "{warning}");
        assert!(warning.contains("max_tokens = 256 (raise it), 7 empty"), "{warning}");
        assert_eq!(watch.note(9, &[Unusable::Empty; 9], 256), None, "once");
    }
}
