//! When a failed request is sent again.

use std::time::Duration;

use tokio::time::Instant;

use crate::config::{Retries, seconds};
use crate::error::{ModelError, Retry};
use crate::seed::derived;

/// The tries of one request.
#[derive(Debug)]
pub(crate) struct Tries<'a> {
    policy: &'a Retries,
    /// Where the random parts of the pauses begin.
    seed: u64,
    began: Instant,
    failed: u32,
}

impl<'a> Tries<'a> {
    pub(crate) fn new(policy: &'a Retries, seed: u64) -> Self {
        Self { policy, seed, began: Instant::now(), failed: 0 }
    }

    /// How long to wait before the request is sent again; the error, if it is not.
    pub(crate) fn pause(&mut self, error: ModelError) -> Result<Duration, ModelError> {
        self.failed += 1;
        let tries = match error.retry() {
            Retry::Never => return Err(error),
            Retry::Few => self.policy.tries_after_server_error.min(self.policy.tries),
            Retry::Patient => self.policy.tries,
        };
        if self.failed >= tries {
            return Err(error);
        }
        let pause = self.back_off().max(error.retry_after().unwrap_or_default());
        let left = seconds(self.policy.total_s).saturating_sub(self.began.elapsed());
        if pause >= left { Err(error) } else { Ok(pause) }
    }

    /// Doubles from time to time. Half of it is random, so that those who failed together do not return together.
    fn back_off(&self) -> Duration {
        let doubled =
            self.policy.pause_s * 2f64.powi(i32::try_from(self.failed - 1).unwrap_or(i32::MAX).min(60));
        let random = (derived(self.seed, u64::from(self.failed)) >> 11) as f64 / (1u64 << 53) as f64;
        seconds(doubled.min(self.policy.max_pause_s) * (0.5 + 0.5 * random))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: Retries =
        Retries { tries: 5, tries_after_server_error: 2, pause_s: 1.0, max_pause_s: 4.0, total_s: 100.0 };

    fn overloaded(retry_after: Option<u64>) -> ModelError {
        let retry_after = retry_after.map(Duration::from_secs);
        ModelError::Overloaded { status: 429, retry_after, message: String::new() }
    }

    #[tokio::test]
    async fn pauses_double_up_to_their_limit_and_differ_by_seed() {
        let pauses = |seed| {
            let mut tries = Tries::new(&POLICY, seed);
            (0..4).map(|_| tries.pause(overloaded(None)).unwrap().as_secs_f64()).collect::<Vec<_>>()
        };
        for (pause, most) in pauses(1).into_iter().zip([1.0, 2.0, 4.0, 4.0]) {
            assert!((most / 2.0..=most).contains(&pause), "{pause} of {most}");
        }
        assert_eq!(pauses(1), pauses(1));
        assert_ne!(pauses(1), pauses(2));
    }

    #[tokio::test]
    async fn tries_are_bounded_by_the_class_of_error() {
        let failed = ModelError::ServerError { status: 500, message: String::new() };
        let count = |error: &ModelError| {
            let mut tries = Tries::new(&POLICY, 1);
            1 + (0..).take_while(|_| tries.pause(error.clone()).is_ok()).count()
        };
        assert_eq!(count(&overloaded(None)), 5);
        assert_eq!(count(&failed), 2);
        assert_eq!(count(&ModelError::Unauthorized { status: 401, message: String::new() }), 1);
        assert_eq!(
            count(&ModelError::ContextTooLong { prompt: None, limit: None, message: String::new() }),
            1
        );
    }

    #[tokio::test]
    async fn the_servers_wish_counts_within_the_time_for_all_tries() {
        assert_eq!(Tries::new(&POLICY, 1).pause(overloaded(Some(9))), Ok(Duration::from_secs(9)));
        assert_eq!(Tries::new(&POLICY, 1).pause(overloaded(Some(100))), Err(overloaded(Some(100))));
    }
}
