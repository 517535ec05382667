//! How a server answers: whether it seems to hang.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use tokio::time::Instant;

/// A server that has been silent for less time does not hang.
const SHORTEST_SILENCE: Duration = Duration::from_secs(2);
/// Nor does one that is silent for less than so many times its slowest answer.
const TIMES_THE_SLOWEST: u32 = 3;

/// The requests in flight, and when the server was last heard of.
#[derive(Debug)]
pub(super) struct Pulse(Mutex<Beat>);

#[derive(Debug)]
struct Beat {
    in_flight: usize,
    /// When the last answer came, or the first of the requests in flight was sent.
    since: Instant,
    /// The time that the slowest answer took.
    slowest: Duration,
}

impl Pulse {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Beat { in_flight: 0, since: Instant::now(), slowest: Duration::ZERO }))
    }

    /// Notes that a request is in flight, until the guard is dropped.
    pub(super) fn asked(&self) -> InFlight<'_> {
        let mut beat = self.beat();
        if beat.in_flight == 0 {
            beat.since = Instant::now();
        }
        beat.in_flight += 1;
        InFlight { pulse: self, began: Instant::now() }
    }

    /// How long a server that answered before has been silent, if this is much longer than its answers take.
    pub(super) fn silence(&self) -> Option<Duration> {
        let beat = self.beat();
        let silent = beat.since.elapsed();
        let hangs = beat.in_flight > 0
            && !beat.slowest.is_zero()
            && silent > SHORTEST_SILENCE.max(beat.slowest * TIMES_THE_SLOWEST);
        hangs.then_some(silent)
    }

    fn beat(&self) -> MutexGuard<'_, Beat> {
        self.0.lock().expect("no holder panics")
    }
}

/// A request in flight.
pub(super) struct InFlight<'a> {
    pulse: &'a Pulse,
    began: Instant,
}

impl InFlight<'_> {
    pub(super) fn answered(&self) {
        let mut beat = self.pulse.beat();
        beat.since = Instant::now();
        beat.slowest = beat.slowest.max(self.began.elapsed());
    }
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.pulse.beat().in_flight -= 1;
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_server_hangs_if_it_is_silent_for_much_longer_than_its_answers_take() {
        let pulse = Pulse::new();
        let first = pulse.asked();
        advance(Duration::from_secs(60)).await;
        // Perhaps its answers take so long.
        assert_eq!(pulse.silence(), None);
        first.answered();
        drop(first);
        advance(Duration::from_secs(1000)).await;
        assert_eq!(pulse.silence(), None);
        let (second, third) = (pulse.asked(), pulse.asked());
        advance(Duration::from_secs(180)).await;
        assert_eq!(pulse.silence(), None);
        second.answered();
        advance(Duration::from_secs(1)).await;
        drop(second);
        assert_eq!(pulse.silence(), None);
        advance(Duration::from_secs(540)).await;
        assert_eq!(pulse.silence(), Some(Duration::from_secs(541)));
        drop(third);
        assert_eq!(pulse.silence(), None);
    }
}
