//! Output of basin runs: a table, and JSON lines.

use std::io::{self, BufWriter, Write};

use andor_artifact::basin::{Basin, BasinRecord, Estimate, Quartiles, RepeatedSearch};
use andor_config::Selection;
use andor_terminal::report::{Align, COPIES, aligned, left_out, share, stdout};
use serde_json::Value;

/// Prints the result of each theorem, and a total if there are several, as JSON lines with `"kind": "basin"`.
pub(crate) fn records(record: &BasinRecord) -> io::Result<()> {
    let mut out = BufWriter::new(stdout());
    for basin in entries(record) {
        let mut line = serde_json::to_value(basin).map_err(io::Error::from)?;
        line["kind"] = Value::from("basin");
        writeln!(out, "{line}")?;
    }
    out.flush()
}

fn entries(record: &BasinRecord) -> impl Iterator<Item = &Basin> {
    let all = (record.theorems.len() > 1).then_some(&record.all);
    record.theorems.iter().chain(all)
}

type Row = [String; 8];

/// A table for standard error: one line per search and theorem, and an explanation of the columns.
pub(crate) fn table(record: &BasinRecord) -> String {
    let headings = ["theorem", "search", "solved", "share", "proofs", "iterations", "left out", "K"];
    let mut rows: Vec<Row> = vec![headings.map(str::to_owned)];
    for basin in entries(record) {
        let name = basin.theorem.as_deref().unwrap_or("all together");
        rows.push(row(name, &record.policy, &basin.configured, String::new()));
        if let (Some(blind), Some(cost)) = (&basin.blind, basin.cost) {
            rows.push(row("", Selection::BlindUniform.name(), blind, ratio(cost.k)));
        }
    }
    let mut lines = aligned(&rows, Align::Left);
    lines.push(
        "share: with its 95 % interval; iterations: median to a proof, and first to third quartile"
            .to_owned(),
    );
    if record.all.configured.left_out.copies > 0 {
        lines.push(COPIES.to_owned());
    }
    if let Some(cost) = record.all.cost {
        let (policy, blind) = (&record.policy, Selection::BlindUniform.name());
        lines.push(format!("K: iterations of {blind} over those of {policy}, with its 95 % interval"));
        let censored = cost.configured_censored + cost.blind_censored;
        if censored > 0 {
            lines.push(format!(
                "   {censored} of {} attempts compared found no proof ({} by {policy}, {} by {blind}), and count with what they spent",
                2 * cost.pairs, cost.configured_censored, cost.blind_censored
            ));
        }
    }
    lines.join("\n")
}

fn row(theorem: &str, policy: &str, search: &RepeatedSearch, k: String) -> Row {
    let solved = format!("{} of {}", search.solved, search.attempts);
    let (share, iterations) = (share(search.solved_share), quartiles(search.iterations));
    let proofs = search.distinct_proofs.to_string();
    [theorem.to_owned(), policy.to_owned(), solved, share, proofs, iterations, left_out(search.left_out), k]
}

fn ratio(k: Option<Estimate>) -> String {
    let end = |x: Option<f64>| x.map_or("?".to_owned(), |x| format!("{x:.2}"));
    k.map_or("–".to_owned(), |k| format!("{:.2} ({}–{})", k.value, end(k.low), end(k.high)))
}

fn quartiles(quartiles: Option<Quartiles>) -> String {
    quartiles.map_or("–".to_owned(), |Quartiles { q1, median, q3 }| format!("{median} ({q1}–{q3})"))
}
