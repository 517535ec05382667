//! Records of how agents reach nodes. The driver writes them to the trace; replay compares them with its own.

use std::sync::Arc;

use andor_artifact::trace::{IterationReason, Reservation, TraceBlock, TraceDelay, TraceDetour};
use andor_core::ids::NodeId;
use andor_core::schedule::{Interventions, Obstacle, Span};
use andor_core::search::{Approach, Detour};

/// The trace fields of an approach, apart from the node it reached.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    /// The reservation, and the work in flight at that time.
    pub reservation: Reservation,
    /// The obstacles met on the way.
    pub reroute: Vec<TraceDetour>,
    /// The nodes whose blocks the agent lifted.
    pub lifted: Vec<Arc<str>>,
}

/// The record of an approach, with nodes replaced by their names.
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

/// The record of the obstacles in the way of an agent that started after `after` finished iterations.
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

/// Reads an obstacle back from its record; `None` if the record has neither a block nor a delay.
pub fn obstacle(block: Option<&TraceBlock>, delay: Option<&TraceDelay>) -> Option<Obstacle> {
    match (block, delay) {
        (Some(&TraceBlock { until, immovable, .. }), _) => Some(Obstacle::Blocked { until, immovable }),
        (None, Some(&TraceDelay { until, .. })) => Some(Obstacle::Delayed { until }),
        (None, None) => None,
    }
}
