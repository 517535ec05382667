//! What requests cost.

use std::ops::{Add, AddAssign, Sub};

use serde::{Deserialize, Serialize};

/// What requests cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Questions that were asked, however many requests each took.
    pub questions: u64,
    /// Requests that were sent for them, repetitions included.
    pub requests: u64,
    /// Those of them that were sent because another had failed.
    pub retries: u64,
    /// Tokens of prompts.
    pub input_tokens: u64,
    /// Those of them that the server had kept from earlier requests.
    pub cached_tokens: u64,
    /// Tokens of answers, reasoning included: as the server states them or, if that is more, as many as it lists.
    pub output_tokens: u64,
    /// Time from sending a request to its answer or error, in seconds, summed over requests. Pauses before
    /// repetitions count; waiting for the limits of [`Limits`](crate::config::Limits) does not.
    pub waited_s: f64,
}

impl Usage {
    /// Tokens of prompts and answers.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// What the tokens cost.
    pub fn cost(&self, prices: &Prices) -> f64 {
        let fresh = self.input_tokens.saturating_sub(self.cached_tokens) as f64;
        let cached = prices.cached_input.unwrap_or(prices.input) * self.cached_tokens as f64;
        (fresh * prices.input + cached + self.output_tokens as f64 * prices.output) / 1e6
    }
}

impl AddAssign for Usage {
    /// Adds up to the largest number that there is: servers may state any number of tokens.
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in [
            (&mut self.questions, other.questions),
            (&mut self.requests, other.requests),
            (&mut self.retries, other.retries),
            (&mut self.input_tokens, other.input_tokens),
            (&mut self.cached_tokens, other.cached_tokens),
            (&mut self.output_tokens, other.output_tokens),
        ] {
            *sum = sum.saturating_add(more);
        }
        self.waited_s += other.waited_s;
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl Sub for Usage {
    type Output = Self;

    /// What was added since an earlier state of the same account.
    fn sub(self, earlier: Self) -> Self {
        Self {
            questions: self.questions.saturating_sub(earlier.questions),
            requests: self.requests.saturating_sub(earlier.requests),
            retries: self.retries.saturating_sub(earlier.retries),
            input_tokens: self.input_tokens.saturating_sub(earlier.input_tokens),
            cached_tokens: self.cached_tokens.saturating_sub(earlier.cached_tokens),
            output_tokens: self.output_tokens.saturating_sub(earlier.output_tokens),
            waited_s: self.waited_s - earlier.waited_s,
        }
    }
}

/// Prices per million tokens, in any currency.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Prices {
    /// Of prompts.
    pub input: f64,
    /// Of prompts that the server had kept; the price of prompts if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// Of answers.
    pub output: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absurd_numbers_of_tokens_can_be_added() {
        let absurd = Usage { input_tokens: u64::MAX, output_tokens: u64::MAX, ..Usage::default() };
        let mut sum = absurd;
        sum += absurd;
        assert_eq!((sum, sum.tokens()), (absurd, u64::MAX));
    }

    #[test]
    fn tokens_cost_what_the_prices_say() {
        let usage = Usage {
            input_tokens: 3_000_000,
            cached_tokens: 1_000_000,
            output_tokens: 500_000,
            ..Usage::default()
        };
        assert_eq!(usage.cost(&Prices { input: 2.0, cached_input: None, output: 8.0 }), 10.0);
        assert_eq!(usage.cost(&Prices { input: 2.0, cached_input: Some(0.5), output: 8.0 }), 8.5);
    }
}
