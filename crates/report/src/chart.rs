//! Charts as SVG: lines or points over two numeric axes. The output is deterministic.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Colours that colour-blind people can distinguish (Okabe and Ito 2008).
pub const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
    RGBColor(153, 153, 153),
];

/// The font of all charts.
pub const FONT: &str = "sans-serif";

/// The height of a row of the legend, in pixels.
pub const LEGEND_ROW: i32 = 20;

/// The marker of the series with this number. It is hollow if the colours repeat.
pub fn marker<C>(at: C, number: usize) -> Circle<C, i32> {
    let colour = COLOURS[number % COLOURS.len()];
    let is_first = (number / COLOURS.len()).is_multiple_of(2);
    Circle::new(at, 4, if is_first { colour.filled() } else { colour.stroke_width(2) })
}

/// An axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// Its label, with the unit.
    pub label: String,
    /// Whether it is logarithmic; values that are not positive are then left out.
    pub is_log: bool,
    /// The range that is shown at least.
    pub at_least: Option<(f64, f64)>,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), is_log: false, at_least: None }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Self {
        Self { is_log: true, ..Self::linear(label) }
    }

    fn place(&self, value: f64) -> Option<f64> {
        match self.is_log {
            true => (value > 0.0).then(|| value.log10()),
            false => Some(value),
        }
        .filter(|place| place.is_finite())
    }

    /// The range of the axis for values at these places, with a margin.
    fn range(&self, places: impl Iterator<Item = f64>) -> Range<f64> {
        let least = self.at_least.into_iter().flat_map(|(low, high)| [low, high]);
        let least = least.filter_map(|value| self.place(value));
        let (low, high) = places
            .chain(least)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| (low.min(place), high.max(place)));
        if low > high {
            return 0.0..1.0;
        }
        let margin = if low == high { 0.5 } else { (high - low) * 0.04 };
        low - margin..high + margin
    }

    /// The label of a place: three digits, without trailing zeros.
    fn text(&self, place: f64) -> String {
        let value = if self.is_log { 10f64.powf(place) } else { place };
        if value.abs() < 1e-12 {
            return "0".to_owned();
        }
        let decimals = (2.0 - value.abs().log10().floor()).max(0.0) as usize;
        let text = format!("{value:.decimals$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        text.to_owned()
    }
}

/// An axis as plotters wants it, over places.
struct Scale {
    range: Range<f64>,
    is_log: bool,
}

/// A logarithmic axis with more decades has labels at powers of ten only.
const DECADES: f64 = 3.0;

impl Ranged for Scale {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, place: &f64, (low, high): (i32, i32)) -> i32 {
        let share = (place - self.range.start) / (self.range.end - self.range.start);
        low + (f64::from(high - low) * share).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if !self.is_log {
            return plotters::coord::types::RangedCoordf64::from(self.range.clone()).key_points(hint);
        }
        let width = self.range.end - self.range.start;
        let within = if width <= DECADES { &[1.0, 2.0, 5.0][..] } else { &[1.0] };
        let stride = ((width / 8.0).ceil() as i32).max(1);
        let decades = self.range.start.floor() as i32..=self.range.end.ceil() as i32;
        let decades = decades.filter(|decade| decade % stride == 0).map(f64::from);
        let points = decades.flat_map(|decade| within.iter().map(move |digit: &f64| decade + digit.log10()));
        points.filter(|place| self.range.contains(place)).collect()
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

impl ValueFormatter<f64> for Scale {
    fn format(place: &f64) -> String {
        place.to_string()
    }
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Points only.
    Points,
    /// A line through them.
    Line,
    /// A line that stays at each point's height up to the next point.
    Steps,
}

/// A series: its name in the legend, and its points.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Its name.
    pub label: String,
    /// Its points, in order.
    pub points: Vec<(f64, f64)>,
    /// How they are drawn.
    pub mark: Mark,
}

/// A chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What it shows, above it.
    pub title: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
    /// Whether a line shows where both coordinates are equal.
    pub diagonal: bool,
}

/// The size of the plot without the legend, in pixels.
const SIZE: (u32, u32) = (620, 400);
const LETTER: u32 = 7;

impl Chart {
    /// The chart as an SVG file.
    pub fn svg(&self) -> String {
        let mut svg = String::new();
        self.draw(&mut svg).expect("nothing fails when drawing into memory");
        svg
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let longest = self.series.iter().map(|series| series.label.chars().count()).max().unwrap_or(0);
        let legend_width =
            if self.series.len() > 1 { 50 + LETTER * u32::try_from(longest.min(60))? } else { 0 };
        let rows = u32::try_from(self.series.len())? * LEGEND_ROW as u32;
        let root = SVGBackend::with_string(svg, (SIZE.0 + legend_width, SIZE.1.max(rows + 60)));
        let root = root.into_drawing_area();
        root.fill(&WHITE)?;
        let (plot, legend) = root.split_horizontally(SIZE.0);
        let placed: Vec<Vec<(f64, f64)>> = self.series.iter().map(|series| self.placed(series)).collect();
        let all = || placed.iter().flatten().copied();
        let (mut x, mut y) = (self.x.range(all().map(|p| p.0)), self.y.range(all().map(|p| p.1)));
        if self.diagonal {
            x = x.start.min(y.start)..x.end.max(y.end);
            y = x.clone();
        }
        let ends = [(x.start, x.start), (x.end, x.end)];
        let mut chart = ChartBuilder::on(&plot)
            .margin(14)
            .caption(&self.title, (FONT, 15))
            .x_label_area_size(46)
            .y_label_area_size(64)
            .build_cartesian_2d(
                Scale { range: x, is_log: self.x.is_log },
                Scale { range: y, is_log: self.y.is_log },
            )?;
        chart
            .configure_mesh()
            .bold_line_style(RGBColor(225, 225, 225))
            .max_light_lines(1)
            .label_style((FONT, 13))
            .axis_desc_style((FONT, 14))
            .x_labels(8)
            .y_labels(8)
            .x_desc(&self.x.label)
            .y_desc(&self.y.label)
            .x_label_formatter(&|place| self.x.text(*place))
            .y_label_formatter(&|place| self.y.text(*place))
            .draw()?;
        if self.diagonal {
            chart.draw_series([PathElement::new(ends, RGBColor(150, 150, 150).stroke_width(1))])?;
        }
        for (number, (series, points)) in self.series.iter().zip(&placed).enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            match series.mark {
                Mark::Points => {
                    chart.draw_series(points.iter().map(|point| marker(*point, number)))?;
                }
                Mark::Line | Mark::Steps => {
                    let points = if series.mark == Mark::Steps { steps(points) } else { points.clone() };
                    chart.draw_series(LineSeries::new(points, colour.stroke_width(2)))?;
                }
            }
            if legend_width > 0 {
                let y = 40 + LEGEND_ROW * i32::try_from(number)?;
                match series.mark {
                    Mark::Points => legend.draw(&marker((20, y), number))?,
                    _ => legend.draw(&PathElement::new([(8, y), (32, y)], colour.stroke_width(2)))?,
                }
                let style = (FONT, 13).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
                let label: String = series.label.chars().take(60).collect();
                legend.draw(&Text::new(label, (40, y), style))?;
            }
        }
        root.present()?;
        Ok(())
    }

    fn placed(&self, series: &Series) -> Vec<(f64, f64)> {
        series.points.iter().filter_map(|(x, y)| Some((self.x.place(*x)?, self.y.place(*y)?))).collect()
    }
}

/// The corners of a line that stays at each point's height up to the next point.
fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::with_capacity(2 * points.len());
    for &(x, y) in points {
        if let Some(&(_, before)) = corners.last() {
            corners.push((x, before));
        }
        corners.push((x, y));
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(x: Axis, points: Vec<(f64, f64)>, mark: Mark) -> Chart {
        let series = vec![Series { label: "a <b>".to_owned(), points, mark }];
        Chart { title: "t".to_owned(), x, y: Axis::linear("y"), series, diagonal: false }
    }

    #[test]
    fn steps_stay_at_a_height() {
        assert_eq!(steps(&[(0.0, 1.0), (2.0, 3.0)]), [(0.0, 1.0), (2.0, 1.0), (2.0, 3.0)]);
        assert_eq!(steps(&[]), []);
    }

    #[test]
    fn what_has_no_place_on_an_axis_is_left_out() {
        let drawn =
            chart(Axis::log("x"), vec![(0.0, 1.0), (-1.0, 1.0), (f64::NAN, 1.0), (10.0, 1.0)], Mark::Points);
        assert_eq!(drawn.placed(&drawn.series[0]), [(1.0, 1.0)]);
        assert_eq!(drawn.svg().matches("<circle").count(), 1);
    }

    #[test]
    fn any_points_can_be_drawn_and_texts_are_escaped() {
        for points in [vec![], vec![(1.0, 1.0)], vec![(1e300, -1e300), (-1e300, 1e300)]] {
            let mut drawn = chart(Axis::linear("x"), points, Mark::Steps);
            drawn.series.push(drawn.series[0].clone());
            let svg = drawn.svg();
            assert!(svg.contains("a &lt;b&gt;") && svg.ends_with("</svg>\n"), "{svg}");
        }
    }

    #[test]
    fn labels_are_short() {
        let axis = Axis::linear("x");
        let texts = [0.0, 0.5, 2.0, 1234.4, -0.0001].map(|x| axis.text(x));
        assert_eq!(texts, ["0", "0.5", "2", "1234", "-0.0001"].map(str::to_owned));
        assert_eq!(Axis::log("x").text(3.0), "1000");
    }
}
