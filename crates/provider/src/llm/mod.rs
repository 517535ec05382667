//! Tactics from language models.
//!
//! [`prompt`] fills a template with a request, [`answer`] reads tactics out of what the model writes, `dialect` recognises
//! tactics of another system, and `names` makes prompts equal that differ in invented names only. The model itself is an
//! [`andor_model::Model`]: a server, a record of one, or a script.

pub mod answer;
pub(crate) mod asker;
pub mod dialect;
pub(crate) mod names;
pub mod prompt;
mod unusable;

use std::collections::HashMap;
use std::sync::Arc;

use andor_core::theorem::System;
use andor_model::{Answer, Choice, Model, Prices, Request as ModelRequest, Sampling};
use async_trait::async_trait;

use crate::contract::{
    Candidate, Draft, DraftHistory, FailedTactic, Provider, ProviderError, Request, Suggestions,
};
use answer::Form;
use asker::Asker;
use prompt::{Length, Template};
use unusable::{Unusable, Watch};

/// How many tactics a chat model is asked for in one answer.
const ALTERNATIVES: u32 = 8;

/// Proposes what a language model writes.
#[derive(Debug)]
pub struct Llm {
    asker: Asker,
    template: Template,
    sampling: Sampling,
    n_lemmas: usize,
    watch: Watch,
}

impl Llm {
    /// A provider `llm:NAME`. The seeds of `sampling` are replaced by those of the calls.
    pub fn new(
        name: &str,
        model: Arc<dyn Model>,
        template: Template,
        sampling: Sampling,
        prices: Prices,
        n_lemmas: usize,
    ) -> Self {
        let (asker, watch) = (Asker::new(format!("llm:{name}"), model, prices), Watch::default());
        Self { asker, template, sampling, n_lemmas, watch }
    }

    /// The prompt for a request, as the model gets it: for people who look at it.
    ///
    /// # Errors
    ///
    /// The template fails on the request.
    pub fn request(&self, request: &Request<'_>) -> Result<ModelRequest, ProviderError> {
        self.shaped(request, Length::Full)
    }

    fn shaped(&self, request: &Request<'_>, length: Length) -> Result<ModelRequest, ProviderError> {
        let alternatives = if self.template.form == Form::Alternatives { ALTERNATIVES } else { 1 };
        let input = prompt::input(&self.template, request, alternatives, length)
            .map_err(|reason| self.asker.unusable(reason))?;
        // Of whole proofs, one at a time is used.
        let n = if self.template.form == Form::Proof { 1 } else { self.sampling.n };
        let sampling = Sampling { n, seed: Some(request.call.sampling_seed()), ..self.sampling.clone() };
        let mut shaped = ModelRequest::prompt("").with_sampling(sampling);
        shaped.input = input;
        Ok(shaped)
    }

    async fn ask(&self, request: &Request<'_>) -> Result<(ModelRequest, Answer), ProviderError> {
        self.asker.ask(self.shaped(request, Length::Full)?, || self.shaped(request, Length::Short)).await
    }

    /// The candidates in the model's texts, merged; how many repeated another; and why some texts have none.
    fn candidates(
        &self,
        choices: &[Choice],
        prompt: Option<&str>,
        system: System,
    ) -> (Vec<Candidate>, u64, Vec<Unusable>) {
        let (mut found, mut unusable) = (Merged::default(), Vec::new());
        for choice in choices {
            let tactics = answer::tactics(&choice.text, self.template.form, system, prompt);
            if tactics.is_empty() {
                unusable.push(Unusable::of(choice));
            }
            match (&tactics[..], choice.log_prob(), choice.log_probs.as_ref().map_or(0, Vec::len)) {
                // The log-probability is that of this tactic.
                ([tactic], Some(log_prob), tokens @ 1..) if self.template.form == Form::Tactic => {
                    found.add(tactic, Evidence::Known { log_prob: log_prob.min(0.0), tokens });
                }
                (tactics, ..) => {
                    for (rank, tactic) in tactics.iter().enumerate() {
                        found.add(tactic, Evidence::Rank(rank));
                    }
                }
            }
        }
        let (candidates, duplicates) = found.into_candidates(&Arc::from(self.asker.id()));
        (candidates, duplicates, unusable)
    }

    /// Takes note of an answer's texts, and of those without a tactic. An answer of nothing else is an error.
    fn watch(&self, answer: &Answer, unusable: &[Unusable]) -> Result<(), ProviderError> {
        let max_tokens = answer.max_tokens.unwrap_or_else(|| self.sampling.most_tokens(false));
        if let Some(warning) = self.watch.note(answer.choices.len(), unusable, max_tokens) {
            tracing::warn!("`{}`: {warning}", self.asker.id());
        }
        if unusable.len() < answer.choices.len() {
            return Ok(());
        }
        let reason = match unusable {
            [] => "the answer has no text".to_owned(),
            reasons => format!("no text of the answer has a tactic: {}", unusable::told(reasons, max_tokens)),
        };
        let usage = self.asker.usage(&answer.usage);
        Err(ProviderError::NoTactic { provider: self.asker.id().to_owned(), reason, usage })
    }
}

#[async_trait]
impl Provider for Llm {
    fn id(&self) -> &str {
        self.asker.id()
    }

    fn speaks(&self, system: System) -> bool {
        self.template.speaks(system)
    }

    fn n_lemmas(&self) -> usize {
        if self.template.shows_lemmas() { self.n_lemmas } else { 0 }
    }

    async fn suggest(&self, request: Request<'_>) -> Result<Suggestions, ProviderError> {
        if self.template.form == Form::Proof {
            return Ok(Suggestions::default());
        }
        let (asked, answer) = self.ask(&request).await?;
        let prompt = match &asked.input {
            andor_model::Input::Prompt(prompt) => Some(prompt.as_str()),
            _ => None,
        };
        let system = request.theorem.system;
        let (candidates, duplicates, unusable) = self.candidates(&answer.choices, prompt, system);
        self.watch(&answer, &unusable)?;
        let mut notes: Vec<Arc<str>> = Vec::new();
        for hint in candidates.iter().filter_map(|candidate| dialect::foreign(&candidate.tactic, system)) {
            if notes.iter().all(|note| &**note != hint) {
                notes.push(hint.into());
            }
        }
        let usage = self.asker.usage(&answer.usage);
        Ok(Suggestions { candidates, duplicates, usage, notes, ..Suggestions::default() })
    }

    fn writes_drafts(&self) -> bool {
        self.template.form == Form::Proof
    }

    async fn draft(
        &self,
        request: Request<'_>,
        history: &DraftHistory,
    ) -> Result<Option<Draft>, ProviderError> {
        let failed = cut_off(history);
        let request = Request { failed: &failed, ..request };
        let (_, answer) = self.ask(&request).await?;
        let usage = self.asker.usage(&answer.usage);
        // The likeliest of several proofs; the first of equals.
        let likelihood = |choice: &&Choice| choice.mean_log_prob().unwrap_or(f64::NEG_INFINITY);
        let best = answer.choices.iter().rev().max_by(|a, b| likelihood(a).total_cmp(&likelihood(b)));
        let script = best.and_then(|choice| answer::proof(&choice.text));
        let unusable: Vec<Unusable> =
            best.filter(|_| script.is_none()).map(Unusable::of).into_iter().collect();
        self.watch(&Answer { choices: best.cloned().into_iter().collect(), ..answer.clone() }, &unusable)?;
        let Some(script) = script else { return Ok(None) };
        let log_prior = best.and_then(Choice::mean_log_prob).unwrap_or(-1.0).min(0.0);
        Ok(Some(Draft { script, log_prior, provider: self.asker.id().into(), usage }))
    }
}

/// The errors of a failed draft, as far as they fit into a prompt.
fn cut_off(history: &DraftHistory) -> Vec<FailedTactic> {
    const CUTS: usize = 4;
    let cuts = history.last.iter().flat_map(|draft| &draft.cuts).take(CUTS);
    let failed = cuts.map(|cut| FailedTactic {
        tactic: cut.tactic.as_deref().unwrap_or("the script").into(),
        error: format!("line {}: {}", cut.line, cut.error).into(),
    });
    failed.collect()
}

/// What is known of the probability of a tactic.
enum Evidence {
    /// The log-probability of its text, and the number of its tokens.
    Known { log_prob: f64, tokens: usize },
    /// Its place in a list, from 0.
    Rank(usize),
}

/// Candidates by their texts, in the order in which they came first.
#[derive(Default)]
struct Merged {
    order: Vec<String>,
    by_text: HashMap<String, Weighed>,
    seen: u64,
}

#[derive(Default)]
struct Weighed {
    /// The best known log-probability.
    known: Option<(f64, usize)>,
    /// The sum of the weights of its places in lists.
    weight: f64,
}

impl Merged {
    fn add(&mut self, tactic: &str, evidence: Evidence) {
        self.seen += 1;
        if !self.by_text.contains_key(tactic) {
            self.order.push(tactic.to_owned());
        }
        let weighed = self.by_text.entry(tactic.to_owned()).or_default();
        match evidence {
            Evidence::Known { log_prob, tokens } => {
                let mean = |(log_prob, tokens): (f64, usize)| log_prob / tokens as f64;
                if weighed.known.is_none_or(|known| mean(known) < mean((log_prob, tokens))) {
                    weighed.known = Some((log_prob, tokens));
                }
            }
            Evidence::Rank(rank) => weighed.weight += 1.0 / (rank + 1) as f64,
        }
    }

    /// The candidates, and how many repeated another. Where no log-probability is known, the prior is the tactic's share of
    /// all places, a place counting the less the later it is in its list: an unknown probability is never taken for 1.
    fn into_candidates(mut self, provider: &Arc<str>) -> (Vec<Candidate>, u64) {
        let total: f64 = self.by_text.values().map(|weighed| weighed.weight).sum();
        let duplicates = self.seen - self.order.len() as u64;
        let candidate = |tactic: String| {
            let weighed = self.by_text.remove(&tactic)?;
            let (log_prior, tokens) = match weighed.known {
                Some((log_prob, tokens)) => (log_prob, u32::try_from(tokens).ok()),
                None => ((weighed.weight / total).ln().min(0.0), None),
            };
            Some(Candidate { tactic, log_prior, tokens, provider: Arc::clone(provider) })
        };
        (self.order.into_iter().filter_map(candidate).collect(), duplicates)
    }
}

#[cfg(test)]
mod tests;
