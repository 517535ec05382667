//! How agents came to nodes, as traces say it: for the driver, which writes it, and for replays, which compare it.

use std::sync::Arc;

use andor_artifact::trace::{IterationReason, Reservation, TraceBlock, TraceDelay, TraceDetour};
use andor_core::ids::NodeId;
use andor_core::schedule::{Interventions, Obstacle, Span};
use andor_core::search::{Approach, Detour};

/// What a trace says of an approach beside the node that it led to.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    /// What was reserved, and what was in flight then.
    pub reservation: Reservation,
    /// What was in the way.
    pub reroute: Vec<TraceDetour>,
    /// The nodes whose blocks the agent lifted.
    pub lifted: Vec<Arc<str>>,
}

/// Writes an approach with the names of nodes.
pub fn written(
    approach: &Approach,
    interventions: &Interventions,
    name: impl Fn(NodeId) -> Arc<str>,
) -> Written {
    let detour = |&Detour { node, obstacle }: &Detour| {
        let (reason, block, delay) = obstructed(obstacle, approach.after, interventions);
        TraceDetour { mvar_id: name(node), reason, block, delay }
    };
    Written {
        reservation: Reservation {
            number: approach.number,
            after: approach.after,
            score: approach.score,
            in_flight: approach.in_flight.clone(),
        },
        reroute: approach.detours.iter().map(detour).collect(),
        lifted: approach.lifted.iter().map(|&node| name(node)).collect(),
    }
}

/// Writes what was in the way of an agent that came when `after` iterations were finished.
pub fn obstructed(
    obstacle: Obstacle,
    after: u64,
    interventions: &Interventions,
) -> (IterationReason, Option<TraceBlock>, Option<TraceDelay>) {
    match obstacle {
        Obstacle::Blocked { until, immovable } => {
            let span = interventions.block.map_or(Span::Forever, |b| b.span);
            let duration = match span {
                Span::Iterations(n) => i64::try_from(n).unwrap_or(i64::MAX),
                Span::Forever => -1,
            };
            let remaining = until.map(|until| until.saturating_sub(after));
            (IterationReason::Blocked, Some(TraceBlock { until, remaining, duration, immovable }), None)
        }
        Obstacle::Delayed { until } => {
            let duration = interventions.delay.map_or(0, |d| d.duration);
            let remaining = until.saturating_sub(after);
            (IterationReason::Delayed, None, Some(TraceDelay { until, remaining, duration }))
        }
    }
}

/// Reads back what was in the way; `None` when the record says neither.
pub fn obstacle(block: Option<&TraceBlock>, delay: Option<&TraceDelay>) -> Option<Obstacle> {
    match (block, delay) {
        (Some(&TraceBlock { until, immovable, .. }), _) => Some(Obstacle::Blocked { until, immovable }),
        (None, Some(&TraceDelay { until, .. })) => Some(Obstacle::Delayed { until }),
        (None, None) => None,
    }
}
