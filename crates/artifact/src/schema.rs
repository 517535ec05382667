//! The JSON schemas of the records here. `andor-report` has those of its own and checks all of them in.

use schemars::{Schema, schema_for};

use crate::assembly::Assembly;
use crate::basin::BasinRecord;
use crate::blueprint::{Blueprint, BlueprintRun};
use crate::check::CheckRecord;
use crate::code::CodeResult;
use crate::doctor::{DoctorModelRecord, DoctorRecord};
use crate::graph::Graph;
use crate::history::History;
use crate::latency::MeasuredLatency;
use crate::learned::LearnedModel;
use crate::order::Order;
use crate::plan::Plans;
use crate::progress::ProgressLine;
use crate::result::AttemptResult;
use crate::rollout::RolloutLine;
use crate::run::RunRecord;
use crate::trace::TraceEvent;

/// Each schema with its file name.
pub fn all() -> Vec<(&'static str, Schema)> {
    vec![
        ("run.schema.json", schema_for!(RunRecord)),
        ("results.schema.json", schema_for!(AttemptResult)),
        ("trace.schema.json", schema_for!(TraceEvent)),
        ("history.schema.json", schema_for!(History)),
        ("graph.schema.json", schema_for!(Graph)),
        ("assembly.schema.json", schema_for!(Assembly)),
        ("order.schema.json", schema_for!(Order)),
        ("plans.schema.json", schema_for!(Plans)),
        ("progress.schema.json", schema_for!(ProgressLine)),
        ("latencies.schema.json", schema_for!(MeasuredLatency)),
        ("basin.schema.json", schema_for!(BasinRecord)),
        ("blueprint.schema.json", schema_for!(Blueprint)),
        ("blueprint-run.schema.json", schema_for!(BlueprintRun)),
        ("rollout.schema.json", schema_for!(RolloutLine)),
        ("learned.schema.json", schema_for!(LearnedModel)),
        ("code-results.schema.json", schema_for!(CodeResult)),
        ("check.schema.json", schema_for!(CheckRecord)),
        ("doctor.schema.json", schema_for!(Vec<DoctorRecord>)),
        ("doctor-model.schema.json", schema_for!(Vec<DoctorModelRecord>)),
    ]
}

/// The text of a schema as checked in.
pub fn text(schema: &Schema) -> String {
    let mut text = serde_json::to_string_pretty(schema).expect("a schema is JSON");
    text.push('\n');
    text
}
