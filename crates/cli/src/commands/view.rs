//! `andor view`

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use andor_report::analyze::{self, Label, Measure, Request, plots};
use andor_run::folder::RunFolder;
use andor_view::{Exported, Plot, Plots, Server, Window};
use anyhow::{Context, bail};
use tokio::signal::unix::{SignalKind, signal};

use crate::args::ViewArgs;
use crate::exit::Exit;
use crate::report;

pub(crate) async fn run(args: &ViewArgs) -> anyhow::Result<Exit> {
    let window = tokio::task::block_in_place(|| Window::open(&args.runs))?;
    let (runs, theorems) = (args.runs.clone(), args.theorems.clone());
    let window = window.with_plots(move || plots(&runs, &theorems));
    if let Some(path) = &args.export {
        return tokio::task::block_in_place(|| export(&window, path, &args.theorems));
    }
    let server = match Server::bind(window, args.port).await {
        Ok(server) => server,
        Err(error) if error.kind() == ErrorKind::AddrInUse => {
            bail!("--port: another program uses port {}; choose another, or 0 for any", args.port)
        }
        Err(error) => {
            return Err(error).with_context(|| format!("--port: cannot listen on port {}", args.port));
        }
    };
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    report::print(&format!("{}\n", server.url()))?;
    tokio::select! {
        () = server.run() => {}
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
    Ok(Exit::Success)
}

/// The plots of `andor analyze` for the runs as they are now.
fn plots(runs: &[PathBuf], theorems: &[String]) -> Plots {
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

fn export(window: &Window, path: &Path, theorems: &[String]) -> anyhow::Result<Exit> {
    let unknown = window.without_search(theorems);
    if !unknown.is_empty() {
        bail!("--theorem: no search of these theorems is in the run: {}", unknown.join(", "));
    }
    let Exported { rows, searches, bytes } = window.export(path, theorems)?;
    report::print(&format!(
        "{}: {}, {}, {:.1} MB\n",
        path.display(),
        report::count(rows as u64, "row"),
        if searches == 1 { "1 search".to_owned() } else { format!("{searches} searches") },
        bytes as f64 / 1e6
    ))?;
    Ok(Exit::Success)
}
