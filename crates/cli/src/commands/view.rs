//! `andor view`

#[cfg(feature = "plots")]
mod plots;

use std::io::ErrorKind;
use std::path::Path;

use andor_terminal::exit::Exit;
use andor_terminal::report;
use andor_view::{Exported, Server, Window};
use anyhow::{Context, bail};
use tokio::signal::unix::{SignalKind, signal};

use crate::args::ViewArgs;

pub(crate) async fn run(args: &ViewArgs) -> anyhow::Result<Exit> {
    let window = tokio::task::block_in_place(|| Window::open(&args.runs))?;
    #[cfg(feature = "plots")]
    let window = plots::added(window, args);
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
