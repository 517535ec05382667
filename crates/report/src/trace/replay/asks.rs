//! Reconstructs the order in which agents reserved nodes or met obstacles, from the records written when they
//! finished.

use andor_artifact::files::FileError;
use andor_artifact::trace::{Abort, GivenUp, Proved, Reservation, Start, TraceEvent};
use andor_config::{Config, Selection};
use andor_core::ids::AgentId;

/// A request of an agent for work.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) agent: AgentId,
    /// The number of iterations finished at that time.
    pub(super) after: u64,
}

/// The requests of all agents, by number, up to the first one that is unknown because the program was killed before
/// it finished. Traces before version 3.1 record no requests.
#[derive(Debug, Default)]
pub(super) struct Asks {
    asked: Vec<Asked>,
    next: usize,
    /// Whether the trace records requests.
    pub(super) are_recorded: bool,
    /// The first number that no record has, although a later one is recorded or in flight.
    pub(super) missing: Option<u64>,
    /// Whether the search came to its end, so that each request is recorded.
    has_ended: bool,
}

impl Asks {
    /// Reads the requests of a trace.
    pub(super) fn read(
        records: impl IntoIterator<Item = Result<TraceEvent, FileError>>,
    ) -> Result<Self, FileError> {
        let mut all: Vec<(u64, Asked)> = Vec::new();
        let (mut last, mut is_bag, mut has_ended) = (None, false, false);
        let mut note = |agent: u32, reservation: &Reservation| {
            let asked = Asked { agent: AgentId(agent), after: reservation.after };
            all.push((reservation.number, asked));
            last = last.max(Some(reservation.number)).max(reservation.in_flight.iter().max().copied());
        };
        for record in records {
            match record? {
                TraceEvent::Start(start) => is_bag = draws_from_a_bag(&start),
                TraceEvent::Iteration(iteration) => {
                    if let Some(reservation) = &iteration.reservation {
                        note(iteration.agent_id, reservation);
                    }
                }
                TraceEvent::Abort(Abort { given_up, .. }) | TraceEvent::Proved(Proved { given_up, .. }) => {
                    has_ended = true;
                    given_up
                        .iter()
                        .for_each(|GivenUp { agent_id, reservation, .. }| note(*agent_id, reservation));
                }
                TraceEvent::Rejection(_)
                | TraceEvent::GraftStep(_)
                | TraceEvent::Focus(_)
                | TraceEvent::Replan(_)
                | TraceEvent::Graft(_) => {}
            }
        }
        all.sort_by_key(|(number, _)| *number);
        let known = all.into_iter().zip(0..).take_while(|((number, _), place)| number == place);
        let mut asked: Vec<Asked> = known.map(|((_, asked), _)| asked).collect();
        let missing = last.map(|_| asked.len() as u64).filter(|next| last >= Some(*next));
        if is_bag {
            asked.clear();
        }
        Ok(Self { asked, next: 0, are_recorded: last.is_some(), missing, has_ended })
    }

    /// The same, if the choices cannot be made again.
    pub(super) fn unrepeated(self) -> Self {
        Self { asked: Vec::new(), ..self }
    }

    /// Whether all requests are known, so that what is in flight is, too.
    pub(super) fn are_complete(&self) -> bool {
        self.has_ended && self.missing.is_none() && !self.asked.is_empty()
    }

    /// Whether the request with this number is known.
    pub(super) fn has(&self, number: u64) -> bool {
        usize::try_from(number).is_ok_and(|number| number < self.asked.len())
    }

    /// The next request due when `finished` iterations are finished, with its number, if that is below `end`.
    pub(super) fn due(&mut self, finished: u64, end: u64) -> Option<(u64, Asked)> {
        let next = self.asked.get(self.next).filter(|_| (self.next as u64) < end);
        let asked = *next.filter(|asked| asked.after == finished)?;
        self.next += 1;
        Some((self.next as u64 - 1, asked))
    }

    /// The number of requests.
    pub(super) fn len(&self) -> u64 {
        self.asked.len() as u64
    }
}

/// Whether nodes are drawn from a bag, whose order depends on failed draws, which traces do not record.
fn draws_from_a_bag(start: &Start) -> bool {
    let config = serde_json::from_value::<Config>(start.config.clone());
    config.is_ok_and(|config| config.search.policy == Selection::BlindUniform)
}
