//! The tools of a proof.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Duration;

use andor_artifact::graft::GraftOrigin;
use andor_config::{BudgetConfig, Config};
use andor_core::policy::StopReason;
use andor_engine::graft::{Given, Grafted};
use andor_engine::interactive::{Seeking, Sought};
use andor_env::error::EnvError;
use andor_env::outline::Place;
use andor_model::Usage;
use andor_model::request::Tool;
use andor_provider::contract::Provider;
use andor_provider::heuristic::Heuristic;
use serde_json::{Value, json};

use super::feedback::{blocked, counted, listed, shortened};
use super::{Judged, Proof, Trouble, state};
use crate::environment::{Call, Outcome};

/// Tactics that are tried by one call.
const MOST_TACTICS: usize = 16;
/// Lemmas that are shown.
const MOST_LEMMAS: usize = 20;
/// Candidates of a search, unless the agent says otherwise.
const CANDIDATES: u64 = 200;
/// The most candidates of a search.
const MOST_CANDIDATES: u64 = 5000;

pub(super) fn tools() -> Vec<Tool> {
    let tool = |name: &str, description: &str, required: &[&str], properties: Value| Tool {
        name: name.to_owned(),
        description: description.to_owned(),
        parameters: json!({ "type": "object", "required": required, "additionalProperties": false,
            "properties": properties }),
    };
    let goal =
        json!({ "type": "integer", "minimum": 1, "description": "The number of the goal; 1 unless given." });
    let tactics = json!({ "type": "array", "items": { "type": "string" } });
    vec![
        tool("goals", "Shows the open goals.", &[], json!({})),
        tool(
            "try",
            "Tries tactics on a goal, each by itself, and says what each would leave or why it fails. Nothing is changed.",
            &["tactics"],
            json!({ "tactics": tactics, "goal": goal }),
        ),
        tool(
            "commit",
            "Applies tactics one after the other: the first to the goal, each further one to what then has its number. \
             Stops at the first that fails; those before it are kept.",
            &["tactics"],
            json!({ "tactics": tactics, "goal": goal }),
        ),
        tool(
            "undo",
            "Takes back the last tactics that were applied.",
            &[],
            json!({ "steps": { "type": "integer", "minimum": 1, "description": "How many; 1 unless given." } }),
        ),
        tool(
            "search",
            "Searches for a proof of a goal, and applies it if it finds one.",
            &[],
            json!({ "goal": goal,
                "candidates": { "type": "integer", "minimum": 1,
                    "description": format!("The most tactics that it tries; {CANDIDATES} unless given.") },
                "seconds": { "type": "number", "minimum": 0,
                    "description": "The longest time that it may take; unlimited unless given." } }),
        ),
        tool(
            "finish",
            "Tries to close all open goals by standard tactics, and keeps the proofs of those that it can close.",
            &[],
            json!({}),
        ),
        tool(
            "lookup",
            "Shows lemmas that mention symbols, or those of a goal.",
            &[],
            json!({ "symbols": { "type": "array", "items": { "type": "string" },
                    "description": "Such as Nat.add; those of the goal unless given." },
                "goal": goal }),
        ),
        tool(
            "submit",
            "Hands the finished proof to the judge, who checks the whole file afresh. With a script, that is first applied to \
             the first goal, as far as it holds.",
            &[],
            json!({ "script": { "type": "string", "description": "Tactics, one a line, as in a proof." } }),
        ),
    ]
}

impl Proof {
    /// Executes a call of a tool.
    pub(super) async fn call(&mut self, call: Call<'_>) -> Result<Outcome, Trouble> {
        let text = match call.tool {
            "goals" => {
                let failed = self.failed_here(0).map(|failed| format!("\n\n{failed}"));
                self.goals() + &failed.unwrap_or_default()
            }
            "try" => self.try_all(call).await?,
            "commit" => self.commit(call).await?,
            "undo" => self.undo(call),
            "search" => return Ok(self.search(call).await?),
            "finish" => return Ok(self.finish(call).await?),
            "lookup" => self.lookup(call).await,
            _ => return self.submit(call).await,
        };
        Ok(Outcome::say(text))
    }

    /// The place of the goal that a call names, or what to say if there is none.
    fn place(&self, call: Call<'_>) -> Result<usize, String> {
        let open = self.proof.obligations().len();
        let number = number(call, "goal").unwrap_or(1);
        match usize::try_from(number) {
            _ if open == 0 => Err("No goals are left. Submit the proof.".to_owned()),
            Ok(number @ 1..) if number <= open => Ok(number - 1),
            _ => Err(format!("There is no goal {number}: {}.", counted(open))),
        }
    }

    async fn try_all(&mut self, call: Call<'_>) -> Result<String, EnvError> {
        let place = match self.place(call) {
            Ok(place) => place,
            Err(text) => return Ok(text),
        };
        let tactics = texts(call, "tactics");
        if tactics.is_empty() {
            return Ok("Give at least one tactic.".to_owned());
        }
        let before = self.failed_here(place);
        let mut text = String::new();
        for (number, tactic) in (1..).zip(tactics.iter().take(MOST_TACTICS)) {
            let tactic = plain(tactic, self.system());
            let came = match blocked(&self.parts, tactic) {
                Some(refused) => format!("fails: {}", refused),
                None => match self.proof.preview(place, tactic).await? {
                    Ok(left) if left.is_empty() => "closes the goal".to_owned(),
                    Ok(left) => format!("leaves {}:\n{}", counted(left.len()), listed(&left, 1)),
                    Err(message) => format!("fails: {}", self.failure(place, tactic, &message).await?),
                },
            };
            writeln!(text, "{number}. `{tactic}` {came}").expect("a text takes everything");
        }
        if tactics.len() > MOST_TACTICS {
            writeln!(text, "The others were not tried: at most {MOST_TACTICS} at a time.")
                .expect("a text takes everything");
        }
        if let Some(before) = before {
            writeln!(text, "Before this call: {before}").expect("a text takes everything");
        }
        text += "Nothing was changed; commit what helps.";
        Ok(text)
    }

    async fn commit(&mut self, call: Call<'_>) -> Result<String, EnvError> {
        let mut place = match self.place(call) {
            Ok(place) => place,
            Err(text) => return Ok(text),
        };
        let tactics = texts(call, "tactics");
        let mut applied = 0;
        let mut trouble = None;
        for tactic in &tactics {
            let open = self.proof.obligations().len();
            if open == 0 {
                trouble = Some(format!("`{tactic}` was not applied: no goals are left."));
                break;
            }
            place = place.min(open - 1);
            let tactic = plain(tactic, self.system());
            let failed = match blocked(&self.parts, tactic) {
                Some(refused) => Some(refused),
                None => match self.proof.apply_to(place, tactic).await? {
                    Ok(()) => None,
                    Err(message) => Some(self.failure(place, tactic, &message).await?),
                },
            };
            if let Some(failed) = failed {
                trouble = Some(format!("`{tactic}` fails: {}", failed));
                break;
            }
            applied += 1;
            self.judged = None;
        }
        let said = trouble.map(|trouble| format!("{trouble}\n")).unwrap_or_default();
        Ok(format!("{said}{applied} of {} applied. {}", counted_tactics(tactics.len()), self.goals()))
    }

    fn undo(&mut self, call: Call<'_>) -> String {
        let steps = number(call, "steps").unwrap_or(1).max(1);
        let mut undone = 0_u64;
        while undone < steps && self.proof.undo() {
            undone += 1;
            self.judged = None;
        }
        match undone {
            0 => "There is nothing to undo.".to_owned(),
            n => format!("{} taken back. {}", counted_tactics(usize::try_from(n).unwrap_or(0)), self.goals()),
        }
    }

    async fn search(&mut self, call: Call<'_>) -> Result<Outcome, EnvError> {
        let place = match self.place(call) {
            Ok(place) => place,
            Err(text) => return Ok(Outcome::say(text)),
        };
        let candidates = number(call, "candidates").unwrap_or(CANDIDATES).clamp(1, MOST_CANDIDATES);
        let seconds = call.arguments.get("seconds").and_then(Value::as_f64);
        let asked = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
        let time = asked.into_iter().chain(call.time).min();
        let provider = Arc::clone(&self.parts.provider);
        let sought = self.seek(place, provider, candidates, time, call.seed).await?;
        let text = match &sought.failure {
            _ if sought.stop == StopReason::Proved => {
                format!("The goal is proved, and the proof applied. {}", self.goals())
            }
            Some(failure) => format!("The search failed: {}", shortened(failure)),
            None => format!(
                "No proof was found: the search {} after {} candidates and {} nodes; it gives the goal a value of {:.2}.",
                sought.stop, sought.spent.candidates, sought.spent.nodes, sought.value
            ),
        };
        Ok(Outcome { usage: usage(&sought), ..Outcome::say(text) })
    }

    async fn finish(&mut self, call: Call<'_>) -> Result<Outcome, EnvError> {
        let (mut place, mut left, mut closed) = (0, CANDIDATES, 0_usize);
        let provider: Arc<dyn Provider> = Arc::new(Heuristic);
        while place < self.proof.obligations().len() && left > 0 {
            let sought = self.seek(place, Arc::clone(&provider), left, call.time, call.seed).await?;
            left = left.saturating_sub(sought.spent.candidates.max(1));
            match sought.stop {
                StopReason::Proved => closed += 1,
                _ => place += 1,
            }
        }
        Ok(Outcome::say(format!("{} closed. {}", counted(closed), self.goals())))
    }

    /// Searches for a proof of the goal at a place, and notes what it found the goal to be worth.
    async fn seek(
        &mut self,
        place: usize,
        provider: Arc<dyn Provider>,
        candidates: u64,
        time: Option<Duration>,
        seed: u64,
    ) -> Result<Sought, EnvError> {
        let goal = state(&self.proof.obligations()[place]);
        let budget = BudgetConfig {
            time_s: time.map(|time| time.as_secs_f64()),
            max_candidates: Some(candidates),
            ..BudgetConfig::default()
        };
        let config = Config { budget, seed, ..self.parts.config.clone() };
        let seeking = Seeking {
            config: &config,
            provider,
            ranker: self.parts.ranker.clone(),
            latencies: self.parts.latencies.clone(),
        };
        let sought = self.proof.search(place, seeking).await?;
        match sought.stop {
            StopReason::Proved => self.judged = None,
            _ => {
                self.values.insert(goal, sought.value);
            }
        }
        Ok(sought)
    }

    async fn lookup(&self, call: Call<'_>) -> String {
        let symbols: Vec<String> = texts(call, "symbols").into_iter().map(str::to_owned).collect();
        let lemmas = match (symbols.is_empty(), self.place(call)) {
            (false, _) => self.proof.lookup(&symbols, MOST_LEMMAS).await,
            (true, Ok(place)) => self.proof.lemmas_at(place, MOST_LEMMAS).await,
            (true, Err(text)) => return text,
        };
        if lemmas.is_empty() {
            return "No lemma was found.".to_owned();
        }
        let lines = lemmas.iter().map(|lemma| format!("{} : {}", lemma.name, shortened(&lemma.statement)));
        lines.collect::<Vec<_>>().join("\n")
    }

    async fn submit(&mut self, call: Call<'_>) -> Result<Outcome, Trouble> {
        let script = call.text("script");
        let mut said = String::new();
        if !script.trim().is_empty() {
            let given = Given {
                script: script.to_owned(),
                start: Place::START,
                origin: GraftOrigin::Draft,
                plan: Vec::new(),
            };
            let before = self.proof.n_steps();
            let parts = Arc::clone(&self.parts);
            let blocked = |tactic: &str| blocked(&parts, tactic);
            let grafted = self.proof.graft_unless(&given, blocked).await?;
            let held = self.proof.n_steps() - before;
            if held > 0 {
                self.judged = None;
            }
            said = applied(held, &grafted);
        }
        let open = self.proof.obligations().len();
        if open > 0 {
            return Ok(Outcome::say(format!("{said}The proof is not finished. {}", self.goals())));
        }
        if self.judged.is_none() {
            self.judge().await?;
        }
        Ok(match &self.judged {
            Some(Judged::Accepted(_)) => Outcome::done(format!("{said}The judge accepts the proof.")),
            _ => {
                let why = self.rejected.last().map_or("", |claim| claim.message.as_str());
                Outcome::say(format!(
                    "{said}The judge rejects the proof: {}\nUndo what is wrong, and prove it otherwise.",
                    shortened(why)
                ))
            }
        })
    }
}

/// What became of a script, as sentences.
fn applied(held: usize, grafted: &Grafted) -> String {
    let mut text = format!("{} of the script applied. ", counted_tactics(held));
    for cut in &grafted.cuts {
        let tactic = cut.tactic.as_deref().unwrap_or("the script");
        writeln!(text, "Line {}: `{tactic}` fails: {}", cut.place.line, shortened(cut.error.trim()))
            .expect("a text takes everything");
    }
    if !grafted.holes.is_empty() {
        writeln!(text, "{} left open by it.", counted(grafted.holes.len())).expect("a text takes everything");
    }
    text
}

fn counted_tactics(n: usize) -> String {
    if n == 1 { "1 tactic".to_owned() } else { format!("{n} tactics") }
}

/// A tactic without what models put around it: white space, and in Rocq the period at its end.
fn plain(tactic: &str, system: andor_core::theorem::System) -> &str {
    let tactic = tactic.trim();
    let period = system.language().statements.period;
    let plain = tactic.strip_suffix(period).filter(|rest| !rest.ends_with(period));
    if period.is_empty() { tactic } else { plain.map_or(tactic, str::trim_end) }
}

fn number(call: Call<'_>, name: &str) -> Option<u64> {
    call.arguments.get(name).and_then(Value::as_u64)
}

fn texts<'a>(call: Call<'a>, name: &str) -> Vec<&'a str> {
    let list = call.arguments.get(name).and_then(Value::as_array);
    list.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// What language models that a search asked cost.
fn usage(sought: &Sought) -> Usage {
    Usage {
        questions: sought.usage.questions,
        requests: sought.usage.requests,
        retries: sought.usage.retries,
        input_tokens: sought.usage.prompt_tokens,
        output_tokens: sought.usage.completion_tokens,
        ..Usage::default()
    }
}
