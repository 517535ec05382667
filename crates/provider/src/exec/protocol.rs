//! The lines that andor and a program exchange, described in `docs/formats/exec.md`.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use andor_core::theorem::System;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::{self, Candidate, Request, Suggestions};

/// The version of the protocol.
const VERSION: u32 = 1;

/// Length limit of a program's name.
const MAX_NAME: usize = 64;

/// How much of a line is quoted in an error, in characters.
const QUOTED: usize = 120;

/// The first line to the program.
pub(super) fn hello(system: System) -> String {
    #[derive(Serialize)]
    struct Hello {
        andor: &'static str,
        version: u32,
        system: &'static str,
    }
    line(&Hello { andor: "exec", version: VERSION, system: system.name() })
}

/// Reads the first line of the program, and returns the program's name.
///
/// # Errors
///
/// What is wrong with the line.
pub(super) fn name(line: &[u8]) -> Result<String, String> {
    #[derive(Deserialize)]
    struct Hello {
        version: u32,
        name: String,
    }
    let example = format!("{{\"version\": {VERSION}, \"name\": \"mine\"}}");
    let Hello { version, name } = serde_json::from_slice(line)
        .map_err(|error| format!("its first line must be like {example}, not {} ({error})", quoted(line)))?;
    if version != VERSION {
        return Err(format!(
            "it speaks version {version} of the protocol; this program speaks version {VERSION}"
        ));
    }
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c));
    if name.is_empty() || name.len() > MAX_NAME || !is_plain {
        let rule = format!("1 to {MAX_NAME} of the characters A-Z a-z 0-9 . _ -");
        return Err(format!("its name in {} must consist of {rule}", quoted(line)));
    }
    Ok(name)
}

/// A request as a line.
pub(super) fn request(id: u64, request: &Request<'_>) -> String {
    #[derive(Serialize)]
    struct Asked<'a> {
        id: u64,
        theorem: Theorem<'a>,
        goals: Vec<String>,
        state: String,
        call: Call,
        failed: Vec<Failed<'a>>,
        lemmas: Vec<Lemma<'a>>,
        notes: Vec<&'a str>,
    }
    #[derive(Serialize)]
    struct Theorem<'a> {
        id: &'a str,
        name: &'a str,
        system: &'static str,
        header: &'a str,
        statement: &'a str,
    }
    #[derive(Serialize)]
    struct Call {
        seed: u64,
        attempt: u32,
        number: u32,
        sampling_seed: u64,
    }
    #[derive(Serialize)]
    struct Failed<'a> {
        tactic: &'a str,
        error: &'a str,
    }
    #[derive(Serialize)]
    struct Lemma<'a> {
        name: &'a str,
        statement: &'a str,
    }
    let andor_core::theorem::Theorem { id: theorem, name, system, header, statement, .. } = request.theorem;
    let contract::Call { seed, attempt, number, .. } = request.call;
    let failed = request.failed.iter().map(|f| Failed { tactic: &f.tactic, error: &f.error });
    let lemmas = request.lemmas.iter().map(|l| Lemma { name: &l.name, statement: &l.statement });
    line(&Asked {
        id,
        theorem: Theorem { id: theorem, name, system: system.name(), header, statement },
        goals: request.goals.iter().map(ToString::to_string).collect(),
        state: request.pp(),
        call: Call { seed, attempt, number, sampling_seed: request.call.sampling_seed() },
        failed: failed.collect(),
        lemmas: lemmas.collect(),
        notes: request.notes.iter().map(AsRef::as_ref).collect(),
    })
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("it has no maps and no numbers that JSON lacks") + "\n"
}

/// The program's answer to a request.
#[derive(Debug, PartialEq)]
pub(super) enum Answer {
    /// Its proposals.
    Proposed(Proposed),
    /// It has none, for this reason.
    Error(String),
}

/// The proposals of a program.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Proposed {
    candidates: Vec<Tactic>,
    value: Option<f64>,
    #[serde(default)]
    usage: Usage,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tactic {
    tactic: String,
    log_prior: Option<f64>,
    tokens: Option<NonZeroU32>,
}

/// What an answer cost.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Usage {
    requests: u32,
    retries: u32,
    prompt_tokens: u32,
    completion_tokens: u32,
    waited_s: f64,
    cost: f64,
}

/// The most that an answer may cost in seconds and in money.
const MAX_USAGE: f64 = 1e9;

/// A line that is no answer.
#[derive(Debug, PartialEq)]
pub(super) struct Malformed {
    /// The request it answers, if it says.
    pub(super) id: Option<u64>,
    /// What is wrong with it.
    pub(super) what: String,
}

/// Reads an answer with the number of its request.
pub(super) fn answer(line: &[u8]) -> Result<(u64, Answer), Malformed> {
    let unknown = |what: String| Malformed { id: None, what };
    let hint = "only answers may go to standard output, one JSON object a line";
    let value: Value = serde_json::from_slice(line).map_err(|error| {
        unknown(format!("it wrote {}, which is not JSON ({error}); {hint}", quoted(line)))
    })?;
    let Value::Object(mut object) = value else {
        return Err(unknown(format!("it wrote {}, which is not an object; {hint}", quoted(line))));
    };
    let Some(id) = object.remove("id").and_then(|id| id.as_u64()) else {
        return Err(unknown(format!("its answer {} lacks the `id` of the request", quoted(line))));
    };
    let bad = |what: String| Malformed {
        id: Some(id),
        what: format!("its answer {} is invalid: {what}", quoted(line)),
    };
    if let Some(error) = object.remove("error") {
        let Value::String(error) = error else { return Err(bad("`error` must be a text".to_owned())) };
        return match object.keys().next() {
            None => Ok((id, Answer::Error(error))),
            Some(other) => Err(bad(format!("`{other}` cannot stand beside `error`"))),
        };
    }
    let proposed = Proposed::deserialize(Value::Object(object)).map_err(|error| bad(error.to_string()))?;
    proposed.validate().map_err(bad)?;
    Ok((id, Answer::Proposed(proposed)))
}

impl Proposed {
    fn validate(&self) -> Result<(), String> {
        for Tactic { tactic, log_prior, tokens } in &self.candidates {
            match log_prior {
                Some(log_prior) if *log_prior > 0.0 => {
                    return Err(format!("the log_prior {log_prior} of `{tactic}` is above 0"));
                }
                None if tokens.is_some() => {
                    return Err(format!(
                        "`{tactic}` has `tokens` without the `log_prior` that is summed over them"
                    ));
                }
                _ => {}
            }
        }
        let within = |name: &str, number: f64, most: f64| match (0.0..=most).contains(&number) {
            true => Ok(()),
            false => Err(format!("the {name} {number} is not between 0 and {most}")),
        };
        within("value", self.value.unwrap_or_default(), 1.0)?;
        within("waited_s", self.usage.waited_s, MAX_USAGE)?;
        within("cost", self.usage.cost, MAX_USAGE)
    }

    /// The proposals as those of `provider`. The prior of a candidate without one is its share of all places in the list, a
    /// place counting the less the later it is.
    pub(super) fn suggestions(self, provider: &Arc<str>) -> Suggestions {
        let Usage { requests, retries, prompt_tokens, completion_tokens, waited_s, cost } = self.usage;
        let weight = |place: usize| 1.0 / (place + 1) as f64;
        let total: f64 = (0..self.candidates.len()).map(weight).sum();
        let candidates = self.candidates.into_iter().enumerate().map(|(place, candidate)| Candidate {
            tactic: candidate.tactic,
            log_prior: candidate.log_prior.unwrap_or_else(|| (weight(place) / total).ln().min(0.0)),
            tokens: candidate.tokens.map(NonZeroU32::get),
            provider: Arc::clone(provider),
        });
        Suggestions {
            candidates: candidates.collect(),
            value: self.value,
            usage: contract::Usage {
                requests: requests.into(),
                retries: retries.into(),
                prompt_tokens: prompt_tokens.into(),
                completion_tokens: completion_tokens.into(),
                waited: Duration::from_secs_f64(waited_s),
                cost_micros: (cost * 1e6).round() as u64,
            },
            ..Suggestions::default()
        }
    }
}

/// The beginning of a line, for an error.
fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut chars = text.trim().chars();
    let start: String = chars.by_ref().take(QUOTED).collect();
    format!("`{start}{}`", if chars.next().is_some() { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_greeting_states_version_and_name() {
        assert_eq!(hello(System::Rocq), "{\"andor\":\"exec\",\"version\":1,\"system\":\"rocq\"}\n");
        assert_eq!(name(br#"{"version": 1, "name": "mine-2.0", "more": []}"#), Ok("mine-2.0".to_owned()));
        for (line, expected) in [
            (
                "Loading the model",
                "its first line must be like {\"version\": 1, \"name\": \"mine\"}, not `Loading the",
            ),
            (r#"{"version": 1}"#, "missing field `name`"),
            (r#"{"version": 2, "name": "mine"}"#, "it speaks version 2 of the protocol"),
            (r#"{"version": 1, "name": ""}"#, "must consist of 1 to 64"),
            (r#"{"version": 1, "name": "a b"}"#, "must consist of 1 to 64"),
        ] {
            let error = name(line.as_bytes()).unwrap_err();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    fn proposed(text: &str) -> Suggestions {
        match answer(text.as_bytes()) {
            Ok((7, Answer::Proposed(proposed))) => proposed.suggestions(&"p".into()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_becomes_suggestions() {
        let given = proposed(
            r#"{"id": 7, "candidates": [{"tactic": "auto", "log_prior": -3, "tokens": 2}, {"tactic": "lia", "log_prior": -1e-3}],
                "value": 0.25, "usage": {"requests": 1, "completion_tokens": 9, "waited_s": 0.5, "cost": 0.002}}"#,
        );
        let brief: Vec<_> = given.candidates.iter().map(|c| (&*c.tactic, c.log_prior, c.tokens)).collect();
        assert_eq!(brief, [("auto", -3.0, Some(2)), ("lia", -1e-3, None)]);
        assert_eq!(given.value, Some(0.25));
        assert_eq!((given.usage.requests, given.usage.completion_tokens), (1, 9));
        assert_eq!((given.usage.waited, given.usage.cost_micros), (Duration::from_millis(500), 2000));
        let refused = answer(br#"{"id": 7, "error": "no idea"}"#);
        assert_eq!(refused, Ok((7, Answer::Error("no idea".to_owned()))));
    }

    #[test]
    fn unknown_priors_follow_the_order() {
        let given =
            proposed(r#"{"id": 7, "candidates": [{"tactic": "a"}, {"tactic": "b"}, {"tactic": "c"}]}"#);
        let priors: Vec<f64> = given.candidates.iter().map(|c| c.log_prior.exp()).collect();
        let total: f64 = 1.0 + 1.0 / 2.0 + 1.0 / 3.0;
        for (place, prior) in priors.iter().enumerate() {
            assert!((prior - 1.0 / (place + 1) as f64 / total).abs() < 1e-12, "{priors:?}");
        }
        let mixed =
            proposed(r#"{"id": 7, "candidates": [{"tactic": "a", "log_prior": -2}, {"tactic": "b"}]}"#);
        let priors: Vec<f64> = mixed.candidates.iter().map(|c| c.log_prior).collect();
        assert_eq!(priors, [-2.0, (0.5_f64 / 1.5).ln()], "the place counts beside known priors too");
    }

    #[test]
    fn what_is_wrong_with_an_answer_is_said() {
        for (line, id, expected) in [
            ("loading…", None, "it wrote `loading…`, which is not JSON"),
            ("[1, 2]", None, "it wrote `[1, 2]`, which is not an object"),
            (r#"{"candidates": []}"#, None, "lacks the `id`"),
            (r#"{"id": -1, "candidates": []}"#, None, "lacks the `id`"),
            (r#"{"id": 7}"#, Some(7), "missing field `candidates`"),
            (r#"{"id": 7, "candidates": [{"tactc": "a"}]}"#, Some(7), "unknown field `tactc`"),
            (r#"{"id": 7, "candidates": [], "score": 1}"#, Some(7), "unknown field `score`"),
            (
                r#"{"id": 7, "candidates": [{"tactic": "a", "log_prior": 0.5}]}"#,
                Some(7),
                "0.5 of `a` is above 0",
            ),
            (
                r#"{"id": 7, "candidates": [{"tactic": "a", "tokens": 3}]}"#,
                Some(7),
                "without the `log_prior`",
            ),
            (
                r#"{"id": 7, "candidates": [{"tactic": "a", "log_prior": -1, "tokens": 0}]}"#,
                Some(7),
                "nonzero",
            ),
            (r#"{"id": 7, "candidates": [{"tactic": "a", "log_prior": -1e999}]}"#, None, "out of range"),
            (r#"{"id": 7, "candidates": [], "value": 2}"#, Some(7), "the value 2 is not between 0 and 1"),
            (r#"{"id": 7, "candidates": [], "usage": {"cost": -1}}"#, Some(7), "the cost -1 is not between"),
            (r#"{"id": 7, "error": 3}"#, Some(7), "`error` must be a text"),
            (
                r#"{"id": 7, "error": "e", "candidates": []}"#,
                Some(7),
                "`candidates` cannot stand beside `error`",
            ),
        ] {
            let malformed = answer(line.as_bytes()).unwrap_err();
            assert_eq!(malformed.id, id, "{line}");
            assert!(malformed.what.contains(expected), "{line}: {}", malformed.what);
        }
        let long = format!("{{\"id\": 7, \"x\": \"{}\"}}", "a".repeat(1000));
        assert!(answer(long.as_bytes()).unwrap_err().what.len() < 400);
    }
}
