//! One request as several, where the server does not take it as it is.

use std::ops::ControlFlow;

use super::*;
use crate::seed::derived;

/// No answer needs to be shorter to fit into the model's context than so many tokens.
const SHORTEST_ANSWER: u32 = 32;
/// A prompt has about a token for so many bytes.
const BYTES_PER_TOKEN: usize = 3;

impl Http {
    /// Asks once more if the model is seen to reason, may have more tokens therefore, and needs them.
    pub(super) async fn thought_through(
        &self,
        request: &Request,
        ledger: &Ledger<'_>,
    ) -> Result<Answer, ModelError> {
        loop {
            let most = self.most_tokens(request);
            let answer = self.fitted(request, most, ledger).await?;
            self.see(&answer);
            let cut_off = answer.choices.iter().all(|choice| choice.finish == Finish::Length);
            if most == self.most_tokens(request) || !cut_off {
                return Ok(answer);
            }
        }
    }

    /// Asks for shorter answers where the model's context has no room for the prompt and the longest answer.
    async fn fitted(&self, request: &Request, most: u32, ledger: &Ledger<'_>) -> Result<Answer, ModelError> {
        let mut fitting = request.clone();
        fitting.sampling.max_tokens = Some(most);
        if let Some(context) = self.capabilities().context {
            let room = context.saturating_sub((request.input.bytes_of_longest() / BYTES_PER_TOKEN) as u64);
            let room = u32::try_from(room).unwrap_or(u32::MAX).max(SHORTEST_ANSWER);
            fitting.sampling.max_tokens = Some(room.min(most));
        }
        if request.sampling.max_tokens.is_none()
            && self.capabilities().reasons
            && !self.is_told_to_reason.swap(true, Ordering::Relaxed)
        {
            let (model, tokens) = (self.name(), self.most_tokens(&fitting));
            tracing::warn!(
                "`{model}` reasons before it answers: its answers may have {tokens} tokens (max_tokens)"
            );
        }
        loop {
            let tokens = self.most_tokens(&fitting);
            match self.worked_around(&fitting, ledger).await {
                Err(ModelError::ContextTooLong { prompt, limit, .. })
                    if tokens > SHORTEST_ANSWER
                        && prompt.zip(limit).is_none_or(|(prompt, limit)| prompt < limit) =>
                {
                    fitting.sampling.max_tokens = Some((tokens / 4).max(SHORTEST_ANSWER));
                }
                Ok(answer) => {
                    if tokens < most && !self.is_short.swap(true, Ordering::Relaxed) {
                        let model = self.name();
                        tracing::warn!(
                            "the context of `{model}` has no room for max_tokens = {most}: some answers have at most \
                             {tokens} tokens"
                        );
                    }
                    return Ok(Answer { max_tokens: Some(tokens), ..answer });
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Asks in as many requests as the server needs, and corrects what was believed of the server by what it shows.
    async fn worked_around(&self, request: &Request, ledger: &Ledger<'_>) -> Result<Answer, ModelError> {
        self.doubt();
        let known = self.capabilities();
        let error = match self.asked(request, &known, ledger).await {
            Err(error) if is_of_the_request(&error) => error,
            Ok(answer) => {
                let mut proved = self.proved.lock().expect("no holder panics");
                *proved = proved.with(request);
                return Ok(answer);
            }
            Err(error) => return Err(error),
        };
        for (lacks, less) in self.with_less(request, &known) {
            // One part is enough to see whether that helps.
            let parts = self.parts(request, &less);
            let Some(Ok(_)) = futures_util::future::OptionFuture::from(
                parts.into_iter().next().map(|part| self.part(part, ledger)),
            )
            .await
            else {
                continue;
            };
            let answer = self.asked(request, &less, ledger).await?;
            tracing::warn!(
                "the server of `{}` seems to take no {lacks}, and is asked without: {error}",
                self.name()
            );
            let before = self.believe(less);
            self.doubt.lock().expect("no holder panics").get_or_insert(Doubt { before, asked: 0 });
            return Ok(answer);
        }
        Err(error)
    }

    /// After some requests, the server is asked again for what it seemed not to take: the error may have had another reason.
    fn doubt(&self) {
        const PATIENCE: u32 = 100;
        let mut doubt = self.doubt.lock().expect("no holder panics");
        let is_over = doubt.as_mut().is_some_and(|doubt| {
            doubt.asked += 1;
            doubt.asked > PATIENCE
        });
        if let Some(Doubt { before, .. }) = doubt.take_if(|_| is_over) {
            self.believe(before);
        }
    }

    /// Asks a server that can do this much.
    async fn asked(
        &self,
        request: &Request,
        known: &Capabilities,
        ledger: &Ledger<'_>,
    ) -> Result<Answer, ModelError> {
        let parts = self.parts(request, known).into_iter().map(|part| self.part(part, ledger));
        let mut answer = merged(try_join_all(parts).await?);
        self.cut(request, &mut answer);
        Ok(answer)
    }

    fn parts(&self, request: &Request, known: &Capabilities) -> Vec<Part> {
        let mut request = request.clone();
        if known.log_probs.is_none() {
            request.log_probs = None;
        }
        if !known.takes_seed {
            request.sampling.seed = None;
        }
        if self.config.kind == crate::config::Kind::Responses {
            request.stream |= !request.sampling.stop.is_empty();
        }
        parts(&request, self.most_choices(known), self.takes_lists(known))
    }

    /// What the server could lack that a request asks for, by name, each with what it can do then. What it once did, it
    /// does not lack: the error is about this request.
    fn with_less(&self, request: &Request, known: &Capabilities) -> Vec<(&'static str, Capabilities)> {
        let proved = *self.proved.lock().expect("no holder panics");
        let mut less = Vec::new();
        let mut add = |lacks, change: fn(&mut Capabilities)| {
            let mut changed = known.clone();
            change(&mut changed);
            less.push((lacks, changed));
        };
        if request.input.count() > 1 && self.takes_lists(known) && !proved.lists {
            add("lists of prompts", |known| known.prompt_lists = false);
        }
        // llama.cpp refuses more answers than it has slots.
        if request.sampling.n > proved.n.max(1) && self.most_choices(known) > 1 {
            add("requests for several answers", |known| known.choices = Choices::UpTo(Some(1)));
        }
        if request.log_probs.is_some()
            && !proved.log_probs
            && known.log_probs.is_some()
            && request.grammar.is_none()
            && request.tools.is_empty()
        {
            add("requests for log-probabilities", |known| known.log_probs = None);
        }
        if request.sampling.seed.is_some() && known.takes_seed && !proved.seed {
            add("seeds", |known| known.takes_seed = false);
        }
        less
    }

    fn most_choices(&self, known: &Capabilities) -> u32 {
        match self.config.kind {
            crate::config::Kind::Responses => 1,
            _ => known.choices.most(),
        }
    }

    fn takes_lists(&self, known: &Capabilities) -> bool {
        known.prompt_lists && self.config.kind == crate::config::Kind::Completions
    }

    /// A request that is sent as it is. Answers that are missing are asked for one by one: the server ignores `n`.
    async fn part(&self, part: Part, ledger: &Ledger<'_>) -> Result<(usize, Answer), ModelError> {
        let mut ignore = |_: Piece<'_>| ControlFlow::Continue(());
        let mut answer = self.tried(&part.request, ledger, &mut ignore).await?;
        let wanted = part.request.wanted();
        let given = answer.choices.len();
        if given == 0 {
            return Err(ModelError::Malformed { message: "the answer has no choices".to_owned() });
        }
        if given < wanted && part.request.input.count() == 1 {
            self.capabilities.lock().expect("no holder panics").choices = Choices::One;
            let rest = (given..wanted).map(|place| {
                let mut one = part.request.clone();
                one.sampling.n = 1;
                one.sampling.seed = one.sampling.seed.map(|seed| derived(seed, place as u64));
                async move {
                    let mut ignore = |_: Piece<'_>| ControlFlow::Continue(());
                    self.tried(&one, ledger, &mut ignore).await
                }
            });
            for more in try_join_all(rest).await? {
                answer.choices.extend(more.choices);
            }
        } else if given < wanted {
            let message = format!("{given} answers came where {wanted} were asked for");
            return Err(ModelError::Malformed { message });
        }
        answer.choices.truncate(wanted);
        Ok((part.prompt, answer))
    }
}

/// What answered requests had.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Proved {
    lists: bool,
    /// So many answers to one prompt.
    n: u32,
    log_probs: bool,
    seed: bool,
}

impl Proved {
    /// After another request was answered. One that was sent in parts proves no less: it is not sent otherwise again.
    fn with(self, request: &Request) -> Self {
        Self {
            lists: self.lists || request.input.count() > 1,
            n: self.n.max(request.sampling.n),
            log_probs: self.log_probs || request.log_probs.is_some(),
            seed: self.seed || request.sampling.seed.is_some(),
        }
    }
}

/// What was believed of a server, and the requests since it is believed no more.
#[derive(Debug)]
pub(super) struct Doubt {
    before: Capabilities,
    asked: u32,
}

/// Whether an error may be due to something in the request that can be asked for in another way.
fn is_of_the_request(error: &ModelError) -> bool {
    // Some servers answer 500, or with no JSON, to what they cannot do.
    matches!(
        error,
        ModelError::BadRequest { .. }
            | ModelError::ServerError { .. }
            | ModelError::NotSupported { .. }
            | ModelError::Malformed { .. }
    )
}

/// A request that the server takes, for the prompts from this one on.
struct Part {
    prompt: usize,
    request: Request,
}

/// Splits a request by prompts if it must be, then by numbers of answers. The first part of each prompt keeps the seed of
/// the request; the others have seeds derived from it.
fn parts(request: &Request, most: u32, lists: bool) -> Vec<Part> {
    let inputs: Vec<Input> = match &request.input {
        Input::Prompts(texts) if !lists || request.sampling.n > most => {
            texts.iter().map(|text| Input::Prompt(text.clone())).collect()
        }
        input => vec![input.clone()],
    };
    let mut parts = Vec::new();
    for (prompt, input) in inputs.into_iter().enumerate() {
        let mut left = request.sampling.n;
        while left > 0 {
            let n = left.min(most);
            let mut part = Request { input: input.clone(), ..request.clone() };
            part.sampling.n = n;
            if !parts.is_empty() {
                let place = parts.len() as u64;
                part.sampling.seed = request.sampling.seed.map(|seed| derived(seed, place));
            }
            parts.push(Part { prompt, request: part });
            left -= n;
        }
    }
    parts
}

fn merged(answers: Vec<(usize, Answer)>) -> Answer {
    let mut all = Answer::default();
    for (prompt, answer) in answers {
        all.model = all.model.or(answer.model);
        all.choices.extend(answer.choices.into_iter().map(|mut choice| {
            choice.prompt += prompt;
            choice
        }));
    }
    all
}
