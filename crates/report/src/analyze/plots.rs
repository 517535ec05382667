//! Plots of the tables of an analysis.

use serde_json::Value;

use super::{Analysis, Table};
use crate::chart::{Axis, Chart, Mark, Series};

/// A plot: the name of its file without extension, and the chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Plot {
    /// The name.
    pub name: String,
    /// The chart.
    pub chart: Chart,
}

/// A map has the paths of at most this many searches. More could not be told apart.
const TRACKS: usize = 3;

/// At most this many theorems have a plot of their own for each kind, in the order of the tables.
const THEOREMS: usize = 12;

/// The plots of all tables that have one. What is proved by seconds comes first: it is what most readers look for.
pub fn plots(analysis: &Analysis) -> Vec<Plot> {
    let mut plots = Vec::new();
    for table in &analysis.tables {
        match table.name {
            "survival_curves" => plots.extend(survival(table)),
            "cost_pairs" => plots.extend(costs(table)),
            "proof_map" => plots.extend(proofs(table)),
            "goal_map" => plots.extend(goals(table)),
            "path_steps" => plots.extend(depths(table)),
            "access" => plots.extend(doses(table)),
            _ => {}
        }
    }
    plots.sort_by_key(|plot| plot.name != "survival-seconds");
    plots
}

/// The share of theorems proved by what was spent: a curve for each run.
fn survival(table: &Table) -> Vec<Plot> {
    let [run, cost, spent, open] = ["run", "cost", "spent", "open"].map(|name| table.column(name));
    let plot = |(name, rows): (String, Vec<&Vec<Value>>)| {
        let series = grouped(rows, &[run]).into_iter().map(|(label, rows)| {
            // Costs of nothing have no place on a logarithmic axis.
            let points =
                rows.iter().map(|row| (number(&row[spent]).max(f64::MIN_POSITIVE), 1.0 - number(&row[open])));
            Series { label, points: points.collect(), mark: Mark::Steps }
        });
        let y = Axis { at_least: Some((0.0, 1.0)), ..Axis::linear("share of theorems proved") };
        let (x, title) = (Axis::log(words(&name)), format!("Theorems proved by {}", words(&name)));
        Plot {
            name: format!("survival-{name}"),
            chart: Chart { title, x, y, series: series.collect(), diagonal: false },
        }
    };
    grouped(table.rows.iter(), &[cost]).into_iter().map(plot).collect()
}

/// What each theorem costs under two runs.
fn costs(table: &Table) -> Vec<Plot> {
    let [a, b, cost, of_a, of_b] = ["a", "b", "cost", "of_a", "of_b"].map(|name| table.column(name));
    let plot = |(name, rows): (String, Vec<&Vec<Value>>)| {
        let axis = |run: usize| Axis::log(format!("{}, {}", words(&name), text(&rows[0][run])));
        let (x, y) = (axis(a), Axis::log(words(&name)));
        let series = grouped(rows.iter().copied(), &[b]).into_iter().map(|(label, rows)| {
            let points = rows.iter().map(|row| (number(&row[of_a]), number(&row[of_b]))).collect();
            Series { label, points, mark: Mark::Points }
        });
        let series: Vec<Series> = series.collect();
        let y = if series.len() == 1 { axis(b) } else { y };
        let below = match &series[..] {
            [b] => format!("{} is cheaper", b.label),
            _ => format!("a run is cheaper than {}", text(&rows[0][a])),
        };
        let title = format!("{}: below the line, {below}", words(&name));
        Plot { name: format!("costs-{name}"), chart: Chart { title, x, y, series, diagonal: true } }
    };
    grouped(table.rows.iter(), &[cost]).into_iter().map(plot).collect()
}

/// The proofs of a theorem as points.
fn proofs(table: &Table) -> Vec<Plot> {
    let title = |name: &str, fits| format!("Proofs of {name}; {fits:.0} % of distances shown");
    maps(table, ("proof-map", "edits"), Mark::Points, title)
}

/// The goals of the first search of each run for a theorem, joined in the order in which the search came to them.
fn goals(table: &Table) -> Vec<Plot> {
    let title = |name: &str, fits| format!("Goals of {name} in order; {fits:.0} % of distances shown");
    maps(table, ("goal-map", "share of words that differ"), Mark::Line, title)
}

/// A map for each theorem: points of a table in the plane, a series for each run. The title is of the theorem and the percentage
/// of the distances that is shown.
fn maps(
    table: &Table,
    (file, unit): (&str, &str),
    mark: Mark,
    title: impl Fn(&str, f64) -> String,
) -> Vec<Plot> {
    let columns = ["theorem", "run", "attempt", "x", "y", "shown"].map(|name| table.column(name));
    let [theorem, run, attempt, x, y, shown] = columns;
    let plot = |(name, rows): (String, Vec<&Vec<Value>>)| {
        let title = title(&name, 100.0 * number(&rows[0][shown]));
        let most = if mark == Mark::Line { TRACKS } else { usize::MAX };
        let series = grouped(rows, &[run]).into_iter().take(most).map(|(label, rows)| {
            let first = &rows[0][attempt];
            let drawn = rows.iter().filter(|row| mark != Mark::Line || row[attempt] == *first);
            let points = drawn.map(|row| (number(&row[x]), number(&row[y]))).collect();
            Series { label, points, mark }
        });
        let (x, y) = (Axis::linear(unit), Axis::linear(unit));
        let chart = Chart { title, x, y, series: series.collect(), diagonal: false };
        Plot { name: format!("{file}-{}", file_name(&name)), chart }
    };
    grouped(table.rows.iter(), &[theorem]).into_iter().take(THEOREMS).map(plot).collect()
}

/// The depth of the selected node over the iterations of searches for a theorem.
fn depths(table: &Table) -> Vec<Plot> {
    let columns = ["run", "theorem", "attempt", "agent", "iteration", "depth"].map(|name| table.column(name));
    let [run, theorem, attempt, agent, iteration, depth] = columns;
    let plot = |(name, rows): (String, Vec<&Vec<Value>>)| {
        let series = grouped(rows, &[run, attempt, agent]).into_iter().take(THEOREMS).map(|(label, rows)| {
            let points = rows.iter().map(|row| (number(&row[iteration]), number(&row[depth]))).collect();
            Series { label, points, mark: Mark::Line }
        });
        let chart = Chart {
            title: format!("Path of the search for {name} (run, attempt, agent)"),
            x: Axis::linear("iteration"),
            y: Axis::linear("depth of the selected node"),
            series: series.collect(),
            diagonal: false,
        };
        Plot { name: format!("path-{}", file_name(&name)), chart }
    };
    grouped(table.rows.iter(), &[theorem]).into_iter().take(THEOREMS).map(plot).collect()
}

/// What grows with the share of blocked nodes: a line for each number of agents, duration of blocks, and number of detours.
/// Nothing is drawn of a single share.
fn doses(table: &Table) -> Vec<Plot> {
    let dose = table.column("block_fraction");
    let others = ["agents", "block_duration", "reroute"].map(|name| table.column(name));
    let blocked: Vec<&Vec<Value>> = table.rows.iter().filter(|row| row[dose].is_f64()).collect();
    if grouped(blocked.iter().copied(), &[dose]).len() < 2 {
        return Vec::new();
    }
    let plot = |(column, y): (&str, &str)| {
        let at = table.column(column);
        let series = grouped(blocked.iter().copied(), &others).into_iter().map(|(label, rows)| {
            let mut points: Vec<(f64, f64)> =
                rows.iter().map(|row| (number(&row[dose]), number(&row[at]))).collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            Series { label, points, mark: Mark::Line }
        });
        let y = Axis { at_least: Some((0.0, 1.0)), ..Axis::linear(y) };
        let title = format!("{} (agents, duration of blocks, detours)", words(column));
        let x = Axis::linear("share of blocked nodes");
        let chart = Chart { title, x, y, series: series.collect(), diagonal: false };
        Plot { name: format!("dose-{column}"), chart }
    };
    let drawn = [
        ("missed", "share of goals missed"),
        ("behind_blocks", "share of goals missed behind blocks"),
        ("solved", "share of attempts with a proof"),
    ];
    drawn.into_iter().map(plot).collect()
}

/// Rows by the texts of some columns, in order of appearance.
fn grouped<'t>(
    rows: impl IntoIterator<Item = &'t Vec<Value>>,
    by: &[usize],
) -> Vec<(String, Vec<&'t Vec<Value>>)> {
    let mut groups: Vec<(String, Vec<&Vec<Value>>)> = Vec::new();
    for row in rows {
        let key = by.iter().map(|&column| text(&row[column])).collect::<Vec<_>>().join(", ");
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    groups
}

fn number(cell: &Value) -> f64 {
    cell.as_f64().unwrap_or(f64::NAN)
}

fn text(cell: &Value) -> String {
    cell.as_str().map_or_else(|| cell.to_string(), str::to_owned)
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

fn file_name(theorem: &str) -> String {
    andor_artifact::folders::folder_name(theorem)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_map_has_the_first_search_of_the_first_runs() {
        let row = |run: &str, attempt: u32, x: f64| {
            let (run, attempt) = (json!(run), json!(attempt));
            vec![
                json!("t"),
                run,
                attempt,
                json!("g"),
                json!(""),
                json!(1),
                json!(1),
                json!(x),
                json!(0.0),
                json!(0.5),
            ]
        };
        let rows = [("A", 1, 0.1), ("A", 1, 0.2), ("A", 2, 0.3), ("B", 2, 0.4), ("C", 1, 0.5), ("D", 1, 0.6)];
        let table = Table {
            rows: rows.into_iter().map(|(run, attempt, x)| row(run, attempt, x)).collect(),
            ..super::super::goal_map::table()
        };
        let drawn = plots(&Analysis { tables: vec![table], missing: Vec::new() });
        let series = &drawn[0].chart.series;
        let labels: Vec<&str> = series.iter().map(|series| series.label.as_str()).collect();
        assert_eq!((drawn.len(), labels), (1, vec!["A", "B", "C"]));
        assert_eq!(series[0].points, [(0.1, 0.0), (0.2, 0.0)]);
        assert_eq!(series[1].points, [(0.4, 0.0)]);
    }

    #[test]
    fn curves_are_drawn_by_cost_and_run() {
        let row = |run: &str, cost: &str, spent: f64, open: f64| {
            vec![
                json!(run),
                json!(cost),
                json!(spent),
                json!(3),
                json!(1),
                json!(open),
                json!(0.1),
                json!(0.9),
            ]
        };
        let table = Table {
            name: "survival_curves",
            about: "",
            columns: &["run", "cost", "spent", "at_risk", "proved", "open", "low", "high"],
            rows: vec![
                row("A", "iterations", 2.0, 0.75),
                row("B", "iterations", 1.0, 0.5),
                row("A", "iterations", 8.0, 0.25),
                row("A", "seconds", 1.0, 0.75),
            ],
        };
        let drawn = plots(&Analysis { tables: vec![table], missing: Vec::new() });
        let names: Vec<&str> = drawn.iter().map(|plot| plot.name.as_str()).collect();
        assert_eq!(names, ["survival-seconds", "survival-iterations"]);
        let series = &drawn[1].chart.series;
        assert_eq!((series[0].label.as_str(), series[1].label.as_str()), ("A", "B"));
        assert_eq!(series[0].points, [(2.0, 0.25), (8.0, 0.75)]);
    }
}
