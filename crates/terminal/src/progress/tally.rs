//! Formats the progress of a run. Knows no terminal and reads no clock.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_artifact::result::Outcome;
use andor_artifact::trace::Iteration;
use andor_engine::event::{AgentStep, Outlook};

use crate::shown;

/// The progress of a run.
#[derive(Default)]
pub(super) struct Tally {
    outlook: Outlook,
    /// When this process began or resumed the run.
    began: Option<Instant>,
    running: BTreeMap<String, Running>,
    /// Attempts that ended since then, without the interrupted ones.
    finished: usize,
    /// The interrupted ones.
    interrupted: usize,
    accepted: usize,
    /// The total time of these attempts.
    spent: Duration,
}

/// A running attempt.
pub(super) struct Running {
    began: Instant,
    doing: Doing,
}

/// The phase of an attempt.
pub(super) enum Doing {
    /// The theorem is being opened.
    Opening,
    /// The search begins with this assistant.
    Beginning(String),
    /// The search has finished this iteration.
    Searching { iteration: u64, nodes: u64, depth: u32, goal: Arc<str> },
    /// The search over an agent's states has made a step.
    Acting(AgentStep),
    /// The checker verifies a claimed proof.
    Checking,
}

impl Doing {
    pub(super) fn searching(i: &Iteration) -> Self {
        let goal = Arc::clone(&i.node.goal_type);
        Self::Searching { iteration: i.iteration, nodes: i.tree.nodes, depth: i.tree.max_depth, goal }
    }

    pub(super) fn acting(step: &AgentStep) -> Self {
        Self::Acting(*step)
    }

    fn text(&self) -> String {
        match self {
            Self::Opening => "opening".to_owned(),
            Self::Beginning(assistant) => format!("searching with {assistant}"),
            Self::Searching { iteration, nodes, depth, goal } => {
                format!("iteration {iteration}, {nodes} nodes, depth {depth}: {goal}")
            }
            Self::Acting(AgentStep { nodes, tokens, best }) => {
                let best = best.map_or(String::new(), |best| format!(", best score {best:.2}"));
                format!("{nodes} nodes, {tokens} tokens{best}")
            }
            Self::Checking => "checking a claimed proof".to_owned(),
        }
    }
}

impl Tally {
    pub(super) fn take_outlook(&mut self, outlook: Outlook, now: Instant) {
        self.began.get_or_insert(now);
        self.outlook = outlook;
    }

    pub(super) fn begin(&mut self, attempt: &str, now: Instant) {
        self.began.get_or_insert(now);
        self.running.insert(attempt.to_owned(), Running { began: now, doing: Doing::Opening });
    }

    pub(super) fn note(&mut self, attempt: &str, doing: Doing) {
        if let Some(running) = self.running.get_mut(attempt) {
            running.doing = doing;
        }
    }

    /// Records the end of an attempt. An interrupted attempt does not count as finished.
    pub(super) fn end(&mut self, attempt: &str, outcome: Outcome, now: Instant) {
        let Some(running) = self.running.remove(attempt) else { return };
        if outcome == Outcome::Interrupted {
            self.interrupted += 1;
            return;
        }
        self.finished += 1;
        self.accepted += usize::from(outcome == Outcome::Accepted);
        self.spent += now.duration_since(running.began);
    }

    /// The running attempts by name.
    pub(super) fn running(&self) -> impl Iterator<Item = (&str, &Running)> {
        self.running.iter().map(|(name, running)| (name.as_str(), running))
    }

    /// Number of attempts that ended, including those before a resume.
    pub(super) fn done(&self) -> usize {
        self.outlook.finished_earlier + self.finished
    }

    /// Number of attempts in the run.
    pub(super) fn total(&self) -> usize {
        self.done() + self.interrupted + self.running.len() + self.outlook.waiting
    }

    /// The number of ended attempts and of proofs; empty for a single attempt.
    pub(super) fn count(&self) -> String {
        let accepted = self.outlook.accepted_earlier + self.accepted;
        match self.total() {
            0 | 1 => String::new(),
            total => format!("[{}/{total}, {accepted} proved] ", self.done()),
        }
    }

    /// The number of running and waiting attempts, the rate, and the estimated time left.
    pub(super) fn line(&self, now: Instant) -> String {
        let elapsed = self.began.map_or(Duration::ZERO, |began| now.duration_since(began));
        let (running, waiting) = (self.running.len(), self.outlook.waiting);
        let mut line = format!("{running} running, {waiting} waiting; {}", span(elapsed));
        if self.finished > 0 {
            line += &format!(", {}", rate(self.finished, elapsed));
        }
        if let Some(left) = self.time_left(now) {
            line += &format!(", about {} left", span(left));
        }
        line
    }

    /// Estimates the remaining time: the average time of an attempt, for each unfinished attempt as far as its time
    /// limit allows, divided by the concurrency. Running attempts contribute to the average, since long attempts end
    /// last; without a limit the estimate is exact in expectation for exponentially distributed times.
    fn time_left(&self, now: Instant) -> Option<Duration> {
        let left = self.running.len() + self.outlook.waiting;
        let at_once = self.outlook.jobs.max(1).min(left);
        let finished = u32::try_from(self.finished).ok().filter(|&n| n > 0 && left > 0)?;
        let limit = self.outlook.limit.unwrap_or(Duration::MAX);
        let at_work = || self.running.values().map(|r| now.duration_since(r.began));
        let average = (self.spent + at_work().sum::<Duration>()) / finished;
        let running: Duration = at_work().map(|worked| average.min(limit.saturating_sub(worked))).sum();
        let waiting = average.min(limit).mul_f64(self.outlook.waiting as f64);
        Some((running + waiting).div_f64(at_once as f64))
    }
}

impl Running {
    /// The state of the attempt with this name, as one line without control characters.
    pub(super) fn line(&self, name: &str, now: Instant) -> String {
        let elapsed = span(now.duration_since(self.began));
        one_line(&format!("{name} ({elapsed}): {}", self.doing.text()))
    }
}

/// The text as one line without control characters.
pub(super) fn one_line(text: &str) -> String {
    let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
    shown::line(&words)
}

/// A human-readable duration with about two significant digits.
fn span(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        600..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h {:02} min", seconds / 3600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3600 % 24),
    }
}

/// The rate of finished attempts, in a unit that makes it at least one.
fn rate(finished: usize, elapsed: Duration) -> String {
    let per_s = finished as f64 / elapsed.as_secs_f64().max(1e-3);
    let (rate, unit) = match per_s {
        r if r >= 1.0 => (r, "s"),
        r if r * 60.0 >= 1.0 => (r * 60.0, "min"),
        r => (r * 3600.0, "h"),
    };
    if rate < 10.0 { format!("{rate:.1}/{unit}") } else { format!("{rate:.0}/{unit}") }
}

#[cfg(test)]
mod tests;
