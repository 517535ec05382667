//! `andor prove --watch`: the same again whenever a file is saved.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::input::{self, is_standard_input};
use andor_terminal::exit::{Exit, fail};
use andor_terminal::interrupt::Signals;
use andor_terminal::progress::{Progress, say};
use anyhow::{Context, bail};
use notify::{RecursiveMode, Watcher};
use tokio::sync::mpsc::unbounded_channel;

use super::in_place::OwnWrites;
use super::prove::once;
use crate::args::ProveCommandArgs;

/// An editor saves a file in several steps.
const SETTLED: Duration = Duration::from_millis(100);

/// Proves, and proves again after each change, until the user interrupts.
pub(super) async fn run(args: &ProveCommandArgs, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let paths: Vec<&Path> = args.prove.input.source.files.iter().map(|file| file.path.as_path()).collect();
    if paths.is_empty() || paths.iter().any(|path| is_standard_input(path)) {
        bail!("--watch needs a FILE or folder to watch");
    }
    let (changed, mut changes) = unbounded_channel();
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        if event.is_ok_and(|event| !event.kind.is_access()) {
            // The receiver lives as long as the program.
            let _ = changed.send(());
        }
    })
    .context("--watch: the files cannot be watched")?;
    for path in &paths {
        // Editors put a new file in the place of the old one, so the folder is watched.
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (watched, mode) = match path.is_dir() {
            true => (*path, RecursiveMode::Recursive),
            false => (folder, RecursiveMode::NonRecursive),
        };
        watcher.watch(watched, mode).with_context(|| format!("--watch: {}", watched.display()))?;
    }
    // Made once, so that no signal between two passes is lost.
    let mut signals = Signals::new().context("--watch")?;
    loop {
        let mut seen = state(&paths);
        let own = OwnWrites::default();
        let exit = match once(args, Arc::clone(&progress), &own).await {
            Ok(Exit::Interrupted) => return Ok(Exit::Interrupted),
            Ok(exit) => exit,
            Err(error) => {
                fail(&error);
                Exit::Unusable
            }
        };
        // Proofs that were written are no reason to begin again; what somebody else wrote meanwhile is.
        for (path, content) in own.lock().expect("it does not panic").iter() {
            if let Some(seen) = path.canonicalize().ok().and_then(|path| seen.get_mut(&path)) {
                *seen = digest(content.as_bytes());
            }
        }
        if state(&paths) == seen {
            say(&progress, "watching for changes; Ctrl-C ends");
        }
        while state(&paths) == seen {
            tokio::select! {
                () = signals.next() => return Ok(exit),
                _ = changes.recv() => {}
            }
            tokio::time::sleep(SETTLED).await;
        }
        while changes.try_recv().is_ok() {}
    }
}

/// What each source file holds.
fn state(paths: &[&Path]) -> BTreeMap<PathBuf, u64> {
    let mut found = BTreeMap::new();
    let mut open: Vec<PathBuf> = paths.iter().map(|path| path.to_path_buf()).collect();
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop() {
        let Ok(real) = path.canonicalize() else { continue };
        let is_source = path.extension().is_some_and(|extension| extension == "v" || extension == "lean");
        if real.is_dir() {
            // A link may lead back to where it stands.
            if !seen.insert(real) {
                continue;
            }
            let entries = std::fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path());
            // Not `.git` and the like.
            open.extend(entries.filter(|path| {
                !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
            }));
        } else if is_source || paths.contains(&path.as_path()) {
            // Its time and size would miss a quick change. What cannot be read has no content.
            let content = input::bytes(&real).unwrap_or_default();
            found.insert(real, digest(&content));
        }
    }
    found
}

fn digest(content: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    hasher.finish()
}
