//! `andor show --tui`: the tree of a search in a terminal, for reading and replaying.

mod draw;
mod outline;
mod panel;
mod screen;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use andor_terminal::exit::Exit;
use andor_view::search::Search;
use anyhow::{Context, bail};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyEventKind};
use tokio::signal::unix::{SignalKind, signal};

use screen::{Flow, Screen};

/// How often the files and the signals are looked at while no key is pressed.
const LOOK: Duration = Duration::from_millis(250);

/// Shows the search in an attempt's folder until the user leaves.
pub(super) fn run(folder: &Path) -> anyhow::Result<Exit> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("--tui: input and output must be a terminal; without --tui the tree is printed as text");
    }
    let ended = ended()?;
    let mut screen = Screen::new(Search::open(folder));
    let mut shown = Shown::begin()?;
    let result = follow(&mut shown.0, &mut screen, &ended);
    drop(shown);
    result.context("--tui: the terminal cannot be used")
}

/// Whether the program was asked to end from outside. Ctrl-C is a key here.
fn ended() -> anyhow::Result<Arc<AtomicBool>> {
    let ended = Arc::new(AtomicBool::new(false));
    for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
        let (mut asked, ended) = (signal(kind)?, Arc::clone(&ended));
        tokio::spawn(async move {
            asked.recv().await;
            ended.store(true, Ordering::Relaxed);
        });
    }
    Ok(ended)
}

fn follow(terminal: &mut DefaultTerminal, screen: &mut Screen, ended: &AtomicBool) -> io::Result<Exit> {
    loop {
        terminal.draw(|frame| draw::draw(screen, frame))?;
        // Whatever was pressed in the meantime is taken in before the next picture.
        let mut wait = LOOK;
        while event::poll(wait)? {
            wait = Duration::ZERO;
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && screen.key(key) == Flow::End
            {
                return Ok(Exit::Success);
            }
        }
        if ended.load(Ordering::Relaxed) {
            return Ok(Exit::Interrupted);
        }
        screen.refresh();
    }
}

/// The terminal while the program has it. It is given back when this is dropped, and before a panic is told.
struct Shown(DefaultTerminal);

impl Shown {
    fn begin() -> anyhow::Result<Self> {
        Ok(Self(ratatui::try_init().context("--tui: the terminal cannot be used")?))
    }
}

impl Drop for Shown {
    fn drop(&mut self) {
        // Where this fails there is no terminal any more.
        drop(ratatui::try_restore());
    }
}
