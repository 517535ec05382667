//! The plots beside the table.

use std::path::PathBuf;

use andor_report::analyze::{self, Label, Measure, Request, plots};
use andor_run::folder::RunFolder;
use andor_view::{Plot, Plots, Window};

use crate::args::ViewArgs;

/// The window with the plots of `andor analyze` for the runs as they are when it shows them.
pub(super) fn added(window: Window, args: &ViewArgs) -> Window {
    let (runs, theorems) = (args.runs.clone(), args.theorems.clone());
    window.with_plots(move || drawn(&runs, &theorems))
}

fn drawn(runs: &[PathBuf], theorems: &[String]) -> Plots {
    let request = Request {
        measures: vec![Measure::Survival, Measure::Costs, Measure::Proofs, Measure::Paths],
        label: Label::Strict,
        theorems: theorems.to_vec(),
        seed: 0,
    };
    let analyzed = runs.iter().map(|run| RunFolder::read(run)).collect::<Result<Vec<_>, _>>();
    let analyzed = analyzed.map_err(|why| why.to_string()).and_then(|runs| {
        analyze::analyze(&runs, &analyze::names(&runs), &request).map_err(|why| why.to_string())
    });
    match analyzed {
        Ok(analysis) => {
            let plot = |of: plots::Plot| Plot { title: of.chart.title.clone(), svg: of.chart.svg() };
            Plots { plots: plots::plots(&analysis).into_iter().map(plot).collect(), notes: analysis.missing }
        }
        Err(why) => Plots { plots: Vec::new(), notes: vec![format!("Nothing is plotted: {why}")] },
    }
}
