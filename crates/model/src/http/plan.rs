//! One request as several, where the server does not take it as it is.

use std::ops::ControlFlow;

use super::*;
use crate::seed::derived;

impl Http {
    /// Asks in as many requests as the server needs, and corrects what was believed of the server by what it shows.
    pub(super) async fn worked_around(&self, request: &Request) -> Result<Answer, ModelError> {
        loop {
            let before = self.capabilities();
            let mut request = request.clone();
            if before.log_probs.is_none() {
                request.log_probs = None;
            }
            if self.config.kind == crate::config::Kind::Responses {
                request.stream |= !request.sampling.stop.is_empty();
            }
            let parts = parts(&request, self.most_choices(&before), self.takes_lists(&before));
            let split = parts.len() > 1;
            match try_join_all(parts.into_iter().map(|part| self.part(part))).await {
                Ok(answers) => {
                    let mut answer = merged(answers);
                    self.cut(&request, &mut answer);
                    return Ok(answer);
                }
                Err(error) if !split && self.learns_from(&request, &error) => {
                    tracing::debug!(%error, "asking in another way");
                }
                Err(error) => return Err(error),
            }
        }
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
    async fn part(&self, part: Part) -> Result<(usize, Answer), ModelError> {
        let mut ignore = |_: Piece<'_>| ControlFlow::Continue(());
        let mut answer = self.tried(&part.request, &mut ignore).await?;
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
                    self.tried(&one, &mut ignore).await
                }
            });
            for more in try_join_all(rest).await? {
                answer.usage += more.usage;
                answer.choices.extend(more.choices);
            }
        } else if given < wanted {
            let message = format!("{given} answers came where {wanted} were asked for");
            return Err(ModelError::Malformed { message });
        }
        answer.choices.truncate(wanted);
        Ok((part.prompt, answer))
    }

    /// Whether an error is due to something that can be asked for in another way, which is noted.
    fn learns_from(&self, request: &Request, error: &ModelError) -> bool {
        let mut known = self.capabilities.lock().expect("no holder panics");
        match error {
            // Some servers answer 500 to a list of prompts.
            ModelError::BadRequest { .. } | ModelError::ServerError { .. }
                if request.input.count() > 1 && known.prompt_lists =>
            {
                known.prompt_lists = false;
                true
            }
            // llama.cpp refuses more answers than it has slots.
            ModelError::BadRequest { .. }
                if request.sampling.n > 1 && known.choices == Choices::UpTo(None) =>
            {
                known.choices = Choices::UpTo(Some(1));
                true
            }
            ModelError::NotSupported { .. }
                if request.log_probs.is_some() && request.grammar.is_none() && request.tools.is_empty() =>
            {
                known.log_probs = None;
                true
            }
            _ => false,
        }
    }
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
        all.usage += answer.usage;
        all.model = all.model.or(answer.model);
        all.choices.extend(answer.choices.into_iter().map(|mut choice| {
            choice.prompt += prompt;
            choice
        }));
    }
    all
}
