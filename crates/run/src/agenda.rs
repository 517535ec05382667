//! The state of a run's attempts: which are waiting, running, or finished.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::result::{AttemptResult, Outcome};
use andor_engine::event::{Event, Outlook, Sink};
use tokio_util::sync::CancellationToken;

use crate::orchestrate::{Place, RunError, RunRequest, lock};
use crate::records::Records;

/// Tracks which attempts of a run are running, have ended, or are not needed.
///
/// The first attempt at a theorem is the one with the lowest number. Once an attempt is accepted, later ones are not
/// needed, even if they ended earlier; those before it still are, since one of them may be the first accepted
/// attempt. A complete run therefore consists of the attempts up to the first accepted one at each theorem, in
/// whatever order they ended. A basin run needs all attempts.
pub(crate) struct Agenda<'a> {
    request: &'a RunRequest,
    records: Option<Records>,
    sink: Arc<Mutex<dyn Sink>>,
    /// Results of finished attempts, which are not repeated.
    results: BTreeMap<Place, AttemptResult>,
    /// Attempts of an earlier run that failed for technical reasons and will be repeated.
    futile: BTreeMap<Place, AttemptResult>,
    /// The lowest number of an accepted attempt for each theorem that has one; empty in basin runs.
    accepted: HashMap<usize, u32>,
    running: BTreeMap<Place, Running>,
    /// The progress last reported to the sink, or to be reported next.
    outlook: Outlook,
}

/// A running attempt.
struct Running {
    name: String,
    cancel: CancellationToken,
}

impl<'a> Agenda<'a> {
    /// The agenda of a new run, or of one that is resumed.
    pub(crate) fn new(
        request: &'a RunRequest,
        records: Option<Records>,
        sink: Arc<Mutex<dyn Sink>>,
    ) -> Result<Self, RunError> {
        let (mut results, mut futile) = (BTreeMap::new(), BTreeMap::new());
        if let Some(records) = &records {
            let ids = request.problems.iter().enumerate().map(|(index, p)| (p.theorem.id.as_str(), index));
            let index: HashMap<&str, usize> = ids.collect();
            records.visit(|result| {
                let of = if result.outcome.is_final() { &mut results } else { &mut futile };
                of.insert((index[result.theorem.as_str()], result.attempt), result);
            })?;
        }
        let (accepted, running) = (HashMap::new(), BTreeMap::new());
        let mut agenda =
            Self { request, records, sink, results, futile, accepted, running, outlook: Outlook::default() };
        if agenda.stops_early() {
            let results = agenda.results.iter().rev();
            let accepted = results.filter(|(_, result)| result.outcome == Outcome::Accepted);
            agenda.accepted = accepted.map(|(&(index, number), _)| (index, number)).collect();
        }
        agenda.sweep()?;
        let is_accepted = |result: &&AttemptResult| result.outcome == Outcome::Accepted;
        agenda.outlook = Outlook {
            jobs: request.jobs.max(1),
            finished_earlier: agenda.results.len(),
            accepted_earlier: agenda.results.values().filter(is_accepted).count(),
            waiting: request.in_turn().filter(|(place, _)| agenda.is_wanted(*place)).count(),
            limit: request.config.budget.time_s.map(Duration::from_secs_f64),
        };
        lock(&agenda.sink).outlook(agenda.outlook);
        Ok(agenda)
    }

    fn stops_early(&self) -> bool {
        self.request.config.basin.seeds.is_none()
    }

    /// Removes the files of attempts that were superseded by an accepted one when the program was killed.
    fn sweep(&self) -> Result<(), RunError> {
        let Some(records) = self.records.as_ref().filter(|_| self.request.resume) else { return Ok(()) };
        for &index in self.accepted.keys() {
            let theorem = self.theorem(index);
            for number in records.attempts_with_files(theorem) {
                let place = (index, number);
                if !self.is_needed(place) && !self.results.contains_key(&place) {
                    records.remove_files(theorem, number)?;
                }
            }
        }
        Ok(())
    }

    fn theorem(&self, index: usize) -> &'a str {
        &self.request.problems[index].theorem.id
    }

    /// Whether no earlier attempt at the theorem is accepted.
    fn is_needed(&self, (index, number): Place) -> bool {
        self.accepted.get(&index).is_none_or(|&first| number <= first)
    }

    fn is_accepted(&self, place: Place) -> bool {
        self.results.get(&place).is_some_and(|result| result.outcome == Outcome::Accepted)
    }

    /// Whether an attempt is needed and has not ended.
    pub(crate) fn is_wanted(&self, place: Place) -> bool {
        self.is_needed(place) && !self.results.contains_key(&place)
    }

    /// Records the start of an attempt, and returns the token that cancels it.
    pub(crate) fn begin(
        &mut self,
        place: Place,
        name: &str,
        cancel: &CancellationToken,
    ) -> Result<CancellationToken, RunError> {
        if let Some(records) = self.records.as_ref().filter(|_| !self.request.continues_attempts()) {
            // Remove files left by an earlier, unfinished start.
            records.remove_files(self.theorem(place.0), place.1)?;
        }
        let cancel = cancel.child_token();
        self.running.insert(place, Running { name: name.to_owned(), cancel: cancel.clone() });
        self.outlook.waiting -= 1;
        lock(&self.sink).outlook(self.outlook);
        Ok(cancel)
    }

    /// Stores the results of attempts, and then reports them to the sink.
    pub(crate) fn end(&mut self, ended: Vec<(Place, AttemptResult)>) -> Result<(), RunError> {
        let mut names = Vec::new();
        for (place, result) in ended {
            let running = self.running.remove(&place).expect("only what has begun can end");
            names.push((place, running.name));
            self.futile.remove(&place);
            self.results.insert(place, result);
        }
        for (place, _) in &names {
            if self.stops_early() && self.is_needed(*place) && self.is_accepted(*place) {
                self.accept(*place);
            }
        }
        let mut dropped = Vec::new();
        for ((index, _), _) in &names {
            dropped.extend(self.take_surplus(*index));
        }
        let kept = names.iter().filter_map(|(place, _)| self.results.get(place));
        let kept: Vec<&AttemptResult> = kept.collect();
        if let Some(records) = &mut self.records {
            for result in kept.iter().filter(|result| !self.request.keep.keeps(result)) {
                records.remove_files(&result.theorem, result.attempt)?;
            }
            records.update(&kept, &dropped)?;
        }
        let mut sink = lock(&self.sink);
        for (place, name) in &names {
            let event = match self.results.get(place) {
                Some(result) => Event::AttemptFinished(Box::new(result.clone())),
                None => Event::AttemptDropped,
            };
            sink.event(name, &event);
        }
        sink.outlook(self.outlook);
        Ok(())
    }

    /// Records an accepted attempt, and cancels the running attempts after it.
    fn accept(&mut self, (index, number): Place) {
        let last = self.accepted.insert(index, number).unwrap_or(u32::MAX).min(self.request.pass_k);
        let has_begun = |place| self.results.contains_key(&place) || self.running.contains_key(&place);
        self.outlook.waiting -= (number + 1..=last).filter(|&n| !has_begun((index, n))).count();
        for running in self.running.range(after((index, number))).map(|(_, running)| running) {
            running.cancel.cancel();
        }
    }

    /// Removes the results at a theorem that are no longer needed, and returns their theorem and number.
    fn take_surplus(&mut self, index: usize) -> Vec<(&'a str, u32)> {
        let Some(&first) = self.accepted.get(&index) else { return Vec::new() };
        let of = |results: &BTreeMap<Place, AttemptResult>| -> Vec<Place> {
            results.range(after((index, first))).map(|(place, _)| *place).collect()
        };
        let mut surplus = of(&self.results);
        surplus.extend(of(&self.futile));
        for place in &surplus {
            self.results.remove(place);
            self.futile.remove(place);
        }
        surplus.into_iter().map(|(_, number)| (self.theorem(index), number)).collect()
    }

    /// The results, ordered by theorem and by number of the attempt.
    pub(crate) fn finish(mut self) -> Result<Vec<AttemptResult>, RunError> {
        if let Some(records) = self.records.take() {
            records.finish()?;
        }
        self.results.append(&mut self.futile);
        Ok(self.results.into_values().collect())
    }
}

/// The later attempts at the same theorem.
fn after((index, number): Place) -> std::ops::Range<Place> {
    (index, number + 1)..(index + 1, 0)
}
