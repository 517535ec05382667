//! Bounds on requests in flight and on tokens per minute.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

use crate::config::Limits;

/// Bounds on requests in flight and on tokens per minute, for one model or shared by several. Where a server is overloaded,
/// fewer requests are let through; with each success the bound grows back.
#[derive(Debug)]
pub struct Limiter {
    slots: Arc<Semaphore>,
    width: Mutex<Width>,
    tokens: Option<tokio::sync::Mutex<Bucket>>,
}

/// How many requests may be in flight.
#[derive(Debug)]
struct Width {
    configured: usize,
    now: usize,
    /// Slots that are to be given up when they come back.
    owed: usize,
}

/// Tokens that may be used now. It fills by the minute, and may be overdrawn by answers longer than foreseen.
#[derive(Debug)]
struct Bucket {
    per_minute: f64,
    level: f64,
    filled: Instant,
}

impl Bucket {
    fn fill(&mut self) {
        let now = Instant::now();
        let new = self.per_minute * (now - self.filled).as_secs_f64() / 60.0;
        self.level = (self.level + new).min(self.per_minute);
        self.filled = now;
    }
}

/// Leave to send one request. Dropping it ends it.
#[derive(Debug)]
pub struct Leave {
    limiter: Arc<Limiter>,
    slot: Option<OwnedSemaphorePermit>,
    reserved: u64,
}

impl Limiter {
    /// Bounds, with nothing in flight and a minute's tokens to use.
    pub fn new(limits: &Limits) -> Arc<Self> {
        let bucket = |per_minute: u64| {
            let per_minute = per_minute as f64;
            tokio::sync::Mutex::new(Bucket { per_minute, level: per_minute, filled: Instant::now() })
        };
        Arc::new(Self {
            slots: Arc::new(Semaphore::new(limits.in_flight)),
            width: Mutex::new(Width { configured: limits.in_flight, now: limits.in_flight, owed: 0 }),
            tokens: limits.tokens_per_minute.map(bucket),
        })
    }

    /// Waits until a request of about this many tokens may be sent. Whoever waits longest is first.
    pub async fn leave(self: &Arc<Self>, tokens: u64) -> Leave {
        if let Some(bucket) = &self.tokens {
            // Whoever waits keeps the lock, so that those behind wait their turn.
            let mut bucket = bucket.lock().await;
            bucket.fill();
            // A request for more than a minute's tokens is let through when all of them are there.
            let needed = (tokens as f64).min(bucket.per_minute);
            if bucket.level < needed {
                let missing = needed - bucket.level;
                tokio::time::sleep(Duration::from_secs_f64(missing / bucket.per_minute * 60.0)).await;
                bucket.fill();
            }
            bucket.level -= tokens as f64;
        }
        let slot = self.slots.clone().acquire_owned().await.expect("the semaphore is never closed");
        Leave { limiter: self.clone(), slot: Some(slot), reserved: tokens }
    }

    /// The number of requests that may be in flight now.
    pub fn width(&self) -> usize {
        self.width.lock().expect("no holder panics").now
    }

    /// Lets half as many requests through, at least one: the server is overloaded.
    pub fn shrink(&self) {
        let mut width = self.width.lock().expect("no holder panics");
        let less = width.now - (width.now / 2).max(1);
        width.now -= less;
        width.owed += less - self.slots.forget_permits(less);
    }

    /// Lets one more request through, up to the configured bound: the server has answered.
    pub fn grow(&self) {
        let mut width = self.width.lock().expect("no holder panics");
        if width.now < width.configured {
            width.now += 1;
            if width.owed > 0 {
                width.owed -= 1;
            } else {
                self.slots.add_permits(1);
            }
        }
    }
}

impl Leave {
    /// Says how many tokens the request took.
    pub async fn settle(mut self, tokens: u64) {
        if let Some(bucket) = &self.limiter.tokens {
            bucket.lock().await.level += self.reserved as f64 - tokens as f64;
        }
        self.reserved = tokens;
    }
}

impl Drop for Leave {
    fn drop(&mut self) {
        let mut width = self.limiter.width.lock().expect("no holder panics");
        if width.owed > 0
            && let Some(slot) = self.slot.take()
        {
            width.owed -= 1;
            slot.forget();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter(in_flight: usize, tokens_per_minute: Option<u64>) -> Arc<Limiter> {
        Limiter::new(&Limits { in_flight, tokens_per_minute, ..Limits::default() })
    }

    fn free(limiter: &Arc<Limiter>) -> usize {
        limiter.slots.available_permits()
    }

    #[tokio::test]
    async fn no_more_are_in_flight_than_may_be() {
        let limiter = limiter(2, None);
        let first = limiter.leave(1).await;
        let _second = limiter.leave(1).await;
        assert_eq!(free(&limiter), 0);
        drop(first);
        assert_eq!(free(&limiter), 1);
    }

    #[tokio::test]
    async fn the_bound_shrinks_and_grows_back() {
        let limiter = limiter(8, None);
        let held: Vec<Leave> = futures_util::future::join_all((0..7).map(|_| limiter.leave(1))).await;
        limiter.shrink();
        assert_eq!((limiter.width(), free(&limiter)), (4, 0));
        drop(held);
        assert_eq!((limiter.width(), free(&limiter)), (4, 4));
        (0..3).for_each(|_| limiter.shrink());
        assert_eq!((limiter.width(), free(&limiter)), (1, 1));
        (0..20).for_each(|_| limiter.grow());
        assert_eq!((limiter.width(), free(&limiter)), (8, 8));
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_flow_by_the_minute() {
        let limiter = limiter(8, Some(600));
        let begin = Instant::now();
        limiter.leave(600).await.settle(600).await;
        assert_eq!(begin.elapsed(), Duration::ZERO);
        // Ten tokens a second: 100 more take 10 s, and 50 unforeseen ones 5 s of the next request.
        limiter.leave(100).await.settle(150).await;
        assert_eq!(begin.elapsed().as_secs(), 10);
        limiter.leave(10).await.settle(0).await;
        assert_eq!(begin.elapsed().as_secs(), 16);
        // More than a minute's tokens pass when the minute's are there.
        limiter.leave(10_000).await.settle(10_000).await;
        assert_eq!(begin.elapsed().as_secs(), 75);
    }
}
