//! SVG plots of a sweep: a measurement over one parameter, with a line for each combination of the others.

use std::ops::Range;

use andor_artifact::basin::{Estimate, Quartiles};
use andor_report::chart::{COLOURS, FONT, LEGEND_ROW, marker};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::summary::CellSummary;
use super::sweep::{Cell, SweepRequest};
use super::table::{SweepColumn, VARIED, text};

/// The contents of a plot.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// Its name, without extension.
    pub name: &'static str,
    /// The label of the vertical axis, with the unit.
    axis: &'static str,
    /// The meaning of the bars.
    bars: &'static str,
    /// Whether the axis ranges from 0 to 1.
    to_one: bool,
    of: fn(&CellSummary) -> Option<Estimate>,
}

const INTERVAL: &str = "bars: 95 % interval";

/// The plots of a sweep.
pub const FIGURES: [Figure; 8] = [
    Figure {
        name: "solve-rate",
        axis: "share of searches solved",
        bars: INTERVAL,
        to_one: true,
        of: |s| s.solve_rate,
    },
    Figure {
        name: "time-to-proof",
        axis: "median virtual time to proof (s)",
        bars: "bars: middle half of the searches solved",
        to_one: false,
        of: |s| {
            let Quartiles { q1, median, q3 } = s.proof_ms?;
            Some(Estimate { value: median / 1e3, low: Some(q1 / 1e3), high: Some(q3 / 1e3) })
        },
    },
    Figure {
        name: "duplicate-work",
        axis: "duplicate share of iterations",
        bars: INTERVAL,
        to_one: false,
        of: |s| s.duplicate_share,
    },
    Figure {
        name: "collisions",
        axis: "colliding share of iterations",
        bars: INTERVAL,
        to_one: false,
        of: |s| s.collision_share,
    },
    Figure {
        name: "worker-utilisation",
        axis: "share of worker time in use",
        bars: INTERVAL,
        to_one: true,
        of: |s| s.worker_utilisation,
    },
    Figure {
        name: "worker-utilisation-with-work",
        axis: "share of worker time in use while there is work for all",
        bars: INTERVAL,
        to_one: true,
        of: |s| s.worker_utilisation_with_work,
    },
    Figure {
        name: "model-utilisation",
        axis: "calls at the model at once",
        bars: INTERVAL,
        to_one: false,
        of: |s| s.model_calls,
    },
    Figure {
        name: "throughput",
        axis: "tactic applications per virtual second",
        bars: INTERVAL,
        to_one: false,
        of: |s| s.attempts_per_s,
    },
];

/// The default parameter of the horizontal axis: the first one with the most values.
pub fn default_x(request: &SweepRequest, cells: &[Cell]) -> &'static str {
    let most = VARIED.iter().map(|column| values(column, request, cells).len()).max();
    let first = VARIED.iter().find(|column| Some(values(column, request, cells).len()) == most);
    match first.map_or("agents", |column| column.name) {
        "problem" if most == Some(1) => "agents",
        name => name,
    }
}

/// The distinct values of a parameter, in the given order.
fn values(column: &SweepColumn<()>, request: &SweepRequest, cells: &[Cell]) -> Vec<String> {
    let mut values = Vec::new();
    for cell in cells {
        let value = text(&(column.of)(request, cell, &()));
        if !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

/// A combination of the parameters that are not on the horizontal axis.
struct Line {
    label: String,
    /// Positions on the horizontal axis, and the measurements there.
    points: Vec<(usize, Estimate)>,
}

/// Draws a figure with `x`, one of [`VARIED`], on the horizontal axis. The output is deterministic.
///
/// # Panics
///
/// If there is no such parameter.
pub fn draw(figure: &Figure, x: &str, request: &SweepRequest, results: &[(Cell, CellSummary)]) -> String {
    let cells: Vec<Cell> = results.iter().map(|(cell, _)| *cell).collect();
    let at_x = VARIED.iter().find(|column| column.name == x).expect("x is one of the varied parameters");
    let places = values(at_x, request, &cells);
    let others: Vec<&SweepColumn<()>> =
        VARIED.iter().filter(|c| c.name != x && values(c, request, &cells).len() > 1).collect();
    let mut lines: Vec<Line> = Vec::new();
    for (cell, summary) in results {
        let said = |c: &&SweepColumn<()>| format!("{} {}", words(c.name), text(&(c.of)(request, cell, &())));
        let label = others.iter().map(said).collect::<Vec<_>>().join(", ");
        let line = match lines.iter().position(|line| line.label == label) {
            Some(place) => place,
            None => {
                lines.push(Line { label, points: Vec::new() });
                lines.len() - 1
            }
        };
        let value = text(&(at_x.of)(request, cell, &()));
        let place = places.iter().position(|p| *p == value).expect("every value has a place");
        lines[line].points.extend((figure.of)(summary).map(|estimate| (place, estimate)));
    }
    let mut svg = String::new();
    render(figure, &axis_of(x), &places, &lines, &mut svg).expect("nothing fails when drawing into memory");
    svg
}

fn words(name: &str) -> String {
    name.replace('_', " ")
}

/// The label of the horizontal axis.
fn axis_of(parameter: &str) -> String {
    let unit = match parameter {
        "block_duration" | "delay_duration" => " (iterations)",
        "block_fraction" => " (share of nodes)",
        "reroute" => " (other nodes tried)",
        _ => "",
    };
    words(parameter) + unit
}

/// The size in pixels.
const PLOT: (u32, u32) = (620, 400);
const LETTER: u32 = 7;

type Drawn = Result<(), Box<dyn std::error::Error>>;

/// Layout, in pixels.
struct Layout {
    width: u32,
    height: u32,
    /// The height of the area below the plot.
    below: u32,
    /// The width of the legend; 0 if it would be empty.
    legend_width: u32,
    /// Whether the labels of the horizontal axis are rotated, because they do not fit side by side.
    upright: bool,
}

impl Layout {
    fn of(places: &[String], lines: &[Line]) -> Self {
        let longest = |texts: &mut dyn Iterator<Item = &String>| {
            let longest = texts.map(|text| text.chars().count()).max().unwrap_or(0);
            LETTER * u32::try_from(longest).expect("names are short")
        };
        let count = |n: usize| u32::try_from(n).expect("a plot has few lines and places");
        let (n_places, n_lines) = (count(places.len()), count(lines.len()));
        let place = longest(&mut places.iter());
        let upright = n_places * (place + 2 * LETTER) > PLOT.0 - 90;
        let below = if upright { 40 + place } else { 46 };
        Self {
            width: if upright { PLOT.0.max(90 + 18 * n_places) } else { PLOT.0 },
            height: (PLOT.1 - 46 + below).max(n_lines * LEGEND_ROW as u32 + 60),
            below,
            legend_width: if n_lines > 1 { 50 + longest(&mut lines.iter().map(|l| &l.label)) } else { 0 },
            upright,
        }
    }
}

/// The upper end of the vertical axis.
fn top_of(figure: &Figure, lines: &[Line]) -> f64 {
    let highest =
        lines.iter().flat_map(|l| &l.points).map(|(_, e)| e.high.unwrap_or(e.value)).fold(0.0, f64::max);
    if figure.to_one || highest <= 0.0 { 1.0 } else { highest * 1.08 }
}

fn render(figure: &Figure, x_axis: &str, places: &[String], lines: &[Line], svg: &mut String) -> Drawn {
    let Layout { width, height, below, legend_width, upright } = Layout::of(places, lines);
    let root = SVGBackend::with_string(svg, (width + legend_width, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (plot, legend) = root.split_horizontally(width);
    let top = top_of(figure, lines);
    let mut chart = ChartBuilder::on(&plot)
        .margin(14)
        .x_label_area_size(below)
        .y_label_area_size(60)
        .build_cartesian_2d(Places { texts: places.to_vec(), upright }, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .bold_line_style(RGBColor(221, 221, 221))
        .max_light_lines(1)
        .label_style((FONT, 13))
        .axis_desc_style((FONT, 14))
        .x_labels(places.len())
        .x_desc(format!("{x_axis}; {}", figure.bars))
        .y_desc(figure.axis)
        .draw()?;
    if upright {
        let style = (FONT, 13).into_font().transform(FontTransform::Rotate90).color(&BLACK);
        let style = style.pos(Pos::new(HPos::Left, VPos::Center));
        for (place, text) in places.iter().enumerate() {
            let (x, y) = chart.backend_coord(&(place as f64, 0.0));
            plot.draw(&Text::new(text.clone(), (x, y + 10), style.clone()))?;
        }
    }
    // The bars of different lines are drawn side by side.
    let gap = 0.3 / lines.len().max(6) as f64;
    for (number, line) in lines.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let aside = (number as f64 - (lines.len() - 1) as f64 / 2.0) * gap;
        let at = |place: usize| place as f64 + aside;
        let bar = |(place, e): &(usize, Estimate)| {
            let ends = [e.low, e.high].map(|end| (at(*place), end.unwrap_or(e.value).clamp(0.0, top)));
            PathElement::new(ends, colour.mix(0.6).stroke_width(1))
        };
        chart.draw_series(line.points.iter().map(bar))?;
        let points: Vec<(f64, f64)> = line.points.iter().map(|(place, e)| (at(*place), e.value)).collect();
        chart.draw_series(LineSeries::new(points.clone(), colour.stroke_width(2)))?;
        chart.draw_series(points.into_iter().map(|point| marker(point, number)))?;
        if legend_width > 0 {
            let y = 24 + LEGEND_ROW * i32::try_from(number)?;
            legend.draw(&PathElement::new([(8, y), (32, y)], colour.stroke_width(2)))?;
            legend.draw(&marker((20, y), number))?;
            let style = (FONT, 13).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
            legend.draw(&Text::new(line.label.clone(), (40, y), style))?;
        }
    }
    root.present()?;
    Ok(())
}

/// A horizontal axis with equidistant labels.
struct Places {
    texts: Vec<String>,
    /// Whether the labels are rotated, which plotters does not support for this axis.
    upright: bool,
}

impl Ranged for Places {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, (left, right): (i32, i32)) -> i32 {
        let Range { start, end } = self.range();
        left + (f64::from(right - left) * (place - start) / (end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        (0..self.texts.len()).map(|place| place as f64).collect()
    }

    fn range(&self) -> Range<f64> {
        -0.5..self.texts.len() as f64 - 0.5
    }
}

impl ValueFormatter<f64> for Places {
    fn format(place: &f64) -> String {
        place.to_string()
    }

    fn format_ext(&self, place: &f64) -> String {
        let text = self.texts.get(place.round() as usize).filter(|_| !self.upright);
        text.cloned().unwrap_or_default()
    }
}
