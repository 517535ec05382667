//! The lines that andor and a program exchange, described in `docs/formats/exec.md`.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use andor_core::goal::Goal;
use andor_core::theorem::System;
use andor_core::view;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contract::{self, Candidate, Request, Suggestions};
use crate::plan::{PlanRequest, RefusedStep};

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

/// The first line of a program.
#[derive(Debug, PartialEq)]
pub(super) struct Greeting {
    /// The program's name.
    pub(super) name: String,
    /// What it answers; at least one kind.
    pub(super) answers: Vec<Ask>,
}

/// A kind of request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Ask {
    /// For tactics.
    Tactics,
    /// For estimates of the probability that obligations are provable.
    Values,
    /// For the order in which candidates are tried.
    Order,
    /// For a plan.
    Plan,
}

/// Reads the first line of the program.
///
/// # Errors
///
/// What is wrong with the line.
pub(super) fn greeting(line: &[u8]) -> Result<Greeting, String> {
    #[derive(Deserialize)]
    struct Hello {
        version: u32,
        name: String,
        #[serde(default = "tactics")]
        answers: Vec<Ask>,
    }
    fn tactics() -> Vec<Ask> {
        vec![Ask::Tactics]
    }
    let example = format!("{{\"version\": {VERSION}, \"name\": \"mine\"}}");
    let Hello { version, name, answers } = serde_json::from_slice(line)
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
    if answers.is_empty() {
        return Err(format!("its first line {} says that it answers nothing", quoted(line)));
    }
    Ok(Greeting { name, answers })
}

/// What a program is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Question<'a> {
    /// [`Ask::Tactics`].
    Tactics(Request<'a>),
    /// [`Ask::Values`]: each obligation is given by its goals.
    Values(&'a andor_core::theorem::Theorem, &'a [&'a [Goal]]),
    /// [`Ask::Order`].
    Order(Request<'a>, &'a [Candidate]),
    /// [`Ask::Plan`].
    Plan(&'a PlanRequest<'a>),
}

impl Question<'_> {
    /// Its kind.
    pub(super) fn ask(&self) -> Ask {
        match self {
            Self::Tactics(_) => Ask::Tactics,
            Self::Values(..) => Ask::Values,
            Self::Order(..) => Ask::Order,
            Self::Plan(_) => Ask::Plan,
        }
    }
}

#[derive(Serialize)]
struct Theorem<'a> {
    id: &'a str,
    name: &'a str,
    system: &'static str,
    header: &'a str,
    statement: &'a str,
}

impl<'a> From<&'a andor_core::theorem::Theorem> for Theorem<'a> {
    fn from(theorem: &'a andor_core::theorem::Theorem) -> Self {
        let andor_core::theorem::Theorem { id, name, system, header, statement, .. } = theorem;
        Self { id, name, system: system.name(), header, statement }
    }
}

#[derive(Serialize)]
struct Lemma<'a> {
    name: &'a str,
    statement: &'a str,
}

impl<'a> From<&'a andor_core::lemma::Lemma> for Lemma<'a> {
    fn from(lemma: &'a andor_core::lemma::Lemma) -> Self {
        Self { name: &lemma.name, statement: &lemma.statement }
    }
}

#[derive(Serialize)]
struct State {
    goals: Vec<String>,
    state: String,
}

impl From<&[Goal]> for State {
    fn from(goals: &[Goal]) -> Self {
        Self { goals: goals.iter().map(ToString::to_string).collect(), state: view::pp(goals) }
    }
}

#[derive(Serialize)]
struct Call {
    seed: u64,
    attempt: u32,
    number: u32,
    sampling_seed: u64,
}

impl From<contract::Call> for Call {
    fn from(call: contract::Call) -> Self {
        let contract::Call { seed, attempt, number, .. } = call;
        Self { seed, attempt, number, sampling_seed: call.sampling_seed() }
    }
}

/// A question as a line.
pub(super) fn request(id: u64, question: &Question<'_>) -> String {
    match question {
        Question::Tactics(request) => tactics(id, request),
        Question::Values(theorem, obligations) => values(id, theorem, obligations),
        Question::Order(request, candidates) => order(id, request, candidates),
        Question::Plan(request) => plan(id, request),
    }
}

/// The only kind of question that does not name itself: programs of version 1 need not know others.
fn tactics(id: u64, request: &Request<'_>) -> String {
    #[derive(Serialize)]
    struct Asked<'a> {
        id: u64,
        theorem: Theorem<'a>,
        #[serde(flatten)]
        state: State,
        call: Call,
        failed: Vec<Failed<'a>>,
        lemmas: Vec<Lemma<'a>>,
        notes: Vec<&'a str>,
    }
    #[derive(Serialize)]
    struct Failed<'a> {
        tactic: &'a str,
        error: &'a str,
    }
    let failed = request.failed.iter().map(|f| Failed { tactic: &f.tactic, error: &f.error });
    line(&Asked {
        id,
        theorem: request.theorem.into(),
        state: request.goals.into(),
        call: request.call.into(),
        failed: failed.collect(),
        lemmas: request.lemmas.iter().map(Lemma::from).collect(),
        notes: request.notes.iter().map(AsRef::as_ref).collect(),
    })
}

fn values(id: u64, theorem: &andor_core::theorem::Theorem, obligations: &[&[Goal]]) -> String {
    #[derive(Serialize)]
    struct Asked<'a> {
        id: u64,
        ask: Ask,
        theorem: Theorem<'a>,
        obligations: Vec<State>,
    }
    let obligations = obligations.iter().map(|goals| State::from(*goals)).collect();
    line(&Asked { id, ask: Ask::Values, theorem: theorem.into(), obligations })
}

fn order(id: u64, request: &Request<'_>, candidates: &[Candidate]) -> String {
    #[derive(Serialize)]
    struct Asked<'a> {
        id: u64,
        ask: Ask,
        theorem: Theorem<'a>,
        #[serde(flatten)]
        state: State,
        call: Call,
        candidates: Vec<Listed<'a>>,
    }
    #[derive(Serialize)]
    struct Listed<'a> {
        tactic: &'a str,
        log_prior: f64,
        provider: &'a str,
    }
    line(&Asked {
        id,
        ask: Ask::Order,
        theorem: request.theorem.into(),
        state: request.goals.into(),
        call: request.call.into(),
        candidates: candidates
            .iter()
            .map(|c| Listed { tactic: &c.tactic, log_prior: c.log_prior, provider: &c.provider })
            .collect(),
    })
}

fn plan(id: u64, request: &PlanRequest<'_>) -> String {
    #[derive(Serialize)]
    struct Asked<'a> {
        id: u64,
        ask: Ask,
        theorem: Theorem<'a>,
        #[serde(flatten)]
        state: State,
        call: PlanCall,
        lemmas: Vec<Lemma<'a>>,
        faulty: Vec<Refused<'a>>,
        proven: Vec<String>,
        stuck: Option<String>,
        tried: Vec<Refused<'a>>,
    }
    #[derive(Serialize)]
    struct PlanCall {
        seed: u64,
        number: u32,
    }
    #[derive(Serialize)]
    struct Refused<'a> {
        step: &'a str,
        error: &'a str,
    }
    fn refused(steps: &[RefusedStep]) -> Vec<Refused<'_>> {
        steps.iter().map(|refused| Refused { step: &refused.step, error: &refused.error }).collect()
    }
    let system = request.theorem.system;
    line(&Asked {
        id,
        ask: Ask::Plan,
        theorem: request.theorem.into(),
        state: request.goals.into(),
        call: PlanCall { seed: request.seed, number: request.number },
        lemmas: request.lemmas.iter().map(Lemma::from).collect(),
        faulty: refused(request.faulty),
        proven: request.proven.iter().map(|step| step.tactic(system)).collect(),
        stuck: request.stuck.map(|step| step.tactic(system)),
        tried: refused(request.tried),
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
    /// An estimate for each obligation.
    Values(Vec<f64>),
    /// The places of the candidates, from 0, in the order in which they are tried.
    Order(Vec<usize>),
    /// A plan, as text.
    Plan(String),
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
    let others: [(&str, Read, &str); 3] = [
        ("values", read_values, "a list of numbers"),
        ("order", read_order, "a list of numbers"),
        ("plan", read_plan, "a text"),
    ];
    for (key, read, form) in others {
        if let Some(value) = object.remove(key) {
            return match (read(value), object.keys().next()) {
                (None, _) => Err(bad(format!("`{key}` must be {form}"))),
                (Some(answer), None) => Ok((id, answer)),
                (_, Some(other)) => Err(bad(format!("`{other}` cannot stand beside `{key}`"))),
            };
        }
    }
    let proposed = Proposed::deserialize(Value::Object(object)).map_err(|error| bad(error.to_string()))?;
    proposed.validate().map_err(bad)?;
    Ok((id, Answer::Proposed(proposed)))
}

/// Reads the value of an answer.
type Read = fn(Value) -> Option<Answer>;

fn read_values(list: Value) -> Option<Answer> {
    serde_json::from_value(list).ok().map(Answer::Values)
}

fn read_order(list: Value) -> Option<Answer> {
    serde_json::from_value(list).ok().map(Answer::Order)
}

fn read_plan(text: Value) -> Option<Answer> {
    serde_json::from_value(text).ok().map(Answer::Plan)
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
                questions: requests.saturating_sub(retries).into(),
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
    use andor_system_rocq::ROCQ;

    #[test]
    fn a_greeting_states_version_and_name() {
        assert_eq!(hello(ROCQ), "{\"andor\":\"exec\",\"version\":1,\"system\":\"rocq\"}\n");
        let greeting = |answers: &[Ask]| Greeting { name: "mine-2.0".to_owned(), answers: answers.to_vec() };
        let line = br#"{"version": 1, "name": "mine-2.0", "more": []}"#;
        assert_eq!(super::greeting(line), Ok(greeting(&[Ask::Tactics])));
        let line = br#"{"version": 1, "name": "mine-2.0", "answers": ["order", "values"]}"#;
        assert_eq!(super::greeting(line), Ok(greeting(&[Ask::Order, Ask::Values])));
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
            let error = super::greeting(line.as_bytes()).unwrap_err();
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
