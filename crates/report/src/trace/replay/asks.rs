//! Reconstructs the order in which agents reserved nodes or met obstacles, from the records written when they
//! finished.

use andor_artifact::files::FileError;
use andor_artifact::trace::{Abort, GivenUp, Proved, Reservation, Start, TraceEvent};
use andor_config::{Config, Policy};
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
}

impl Asks {
    /// Reads the requests of a trace.
    pub(super) fn read(
        records: impl IntoIterator<Item = Result<TraceEvent, FileError>>,
    ) -> Result<Self, FileError> {
        let mut all: Vec<(u64, Asked)> = Vec::new();
        let mut note = |agent: u32, reservation: &Reservation| {
            let asked = Asked { agent: AgentId(agent), after: reservation.after };
            all.push((reservation.number, asked));
        };
        for record in records {
            match record? {
                TraceEvent::Start(start) if draws_from_a_bag(&start) => return Ok(Self::default()),
                TraceEvent::Iteration(iteration) => {
                    if let Some(reservation) = &iteration.reservation {
                        note(iteration.agent_id, reservation);
                    }
                }
                TraceEvent::Abort(Abort { given_up, .. }) | TraceEvent::Proved(Proved { given_up, .. }) => {
                    given_up
                        .iter()
                        .for_each(|GivenUp { agent_id, reservation, .. }| note(*agent_id, reservation));
                }
                TraceEvent::Start(_)
                | TraceEvent::Rejection(_)
                | TraceEvent::GraftStep(_)
                | TraceEvent::Focus(_)
                | TraceEvent::Replan(_)
                | TraceEvent::Graft(_) => {}
            }
        }
        all.sort_by_key(|(number, _)| *number);
        let known = all.into_iter().zip(0..).take_while(|((number, _), place)| number == place);
        Ok(Self { asked: known.map(|((_, asked), _)| asked).collect(), next: 0 })
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
    config.is_ok_and(|config| config.search.policy == Policy::BlindUniform)
}
