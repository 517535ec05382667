//! `andor run` on a blueprint, and `andor show` on what it made.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use andor_artifact::blueprint::{BlueprintRun, NodeState};
use andor_artifact::files::write_bytes;
use andor_dataset::Split;
use andor_engine::judge::Level;
use andor_engine::registry::OwnParts;
use andor_report::export;
use andor_report::summary::Failures;
use andor_run::blueprint::{self, Blueprint, Made};
use andor_run::orchestrate::RunRequest;
use andor_terminal::exit::Exit;
use andor_terminal::folder::fresh_folder;
use andor_terminal::progress::{Progress, say, say_lines};
use andor_terminal::report::{self, Align, aligned, count};
use andor_terminal::shown;
use anyhow::bail;

use super::prove::{self, Ended, limited};
use crate::args::{self, RunArgs, ShowArgs};
use crate::settings;

/// Proves the blueprint in a file.
pub(super) async fn run(args: &RunArgs, file: &Path, progress: Arc<Mutex<Progress>>) -> anyhow::Result<Exit> {
    let mut config = settings::prove("run", &args.prove)?;
    for sentence in config.without_effect() {
        say(&progress, sentence);
    }
    let mut blueprint = chosen(args, file)?;
    let prelude = settings::apply_project(&mut config, file, blueprint.system, |text| say(&progress, text))?;
    blueprint.header.insert_str(0, &prelude);
    let output = &args.prove.output;
    let out = match &output.out {
        Some(out) => out.clone(),
        None => fresh_folder(&name(file))?,
    };
    let request = RunRequest {
        pass_k: args.pass_k,
        jobs: args.prove.jobs.get(),
        out: Some(out.clone()),
        keep: args.keep,
        resume: output.resume,
        force: output.force,
        record_latencies: args.prove.record_latencies.clone(),
        own: OwnParts::default(),
        ..RunRequest::new(Vec::new(), config)
    };
    let total_time = args.total_time.map(Duration::from_secs_f64);
    let run = async |stop, sink: Arc<Mutex<Progress>>| blueprint::run(&request, blueprint, &stop, sink).await;
    let made = limited(total_time, &progress, run).await;
    if made.is_err() && output.out.is_none() {
        // Remove the folder again if it is empty, because the run could not begin.
        let _ = std::fs::remove_dir(&out);
    }
    let (Made { record, results }, ended) = made?;
    write_bytes(&out.join("blueprint.dot"), export::blueprint_dot(&record).as_bytes())?;
    write_bytes(&out.join("blueprint.svg"), export::blueprint_svg(&record).as_bytes())?;
    print(&record, &out, output.json)?;
    prove::hint_axioms(&results, &progress);
    let folder = out.display();
    say(&progress, &format!("the run is in {folder}; see {folder}/blueprint.svg, or `andor show {folder}`"));
    let failures = Failures::among(&results);
    if let Some(text) = report::too_many_failures(&failures, output.infra_threshold) {
        say_lines(&progress, &text);
    }
    if ended != Ended::Done {
        say(&progress, "to continue, repeat the command with --resume and --out as above");
    }
    let mut roots = record.nodes.iter().filter(|node| node.root);
    Ok(if ended == Ended::Interrupted {
        Exit::Interrupted
    } else if failures.share() > output.infra_threshold {
        Exit::Infrastructure
    } else if roots.all(|root| root.state == NodeState::FullyProved) {
        Exit::Success
    } else {
        Exit::NotProved
    })
}

/// The blueprint, or the part of it that --theorem selects.
fn chosen(args: &RunArgs, file: &Path) -> anyhow::Result<Blueprint> {
    let input = &args.prove.input;
    let given = [
        ("--split", input.split != Split::Generic),
        ("--filter", !input.filter.is_empty()),
        ("--limit", input.limit.is_some()),
        ("--locations", input.source.locations.is_some()),
    ];
    if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given) {
        let message = format!(
            "{option} does not apply to blueprints; --theorem NAME takes a node and all that it needs"
        );
        return Err(args::usage("run", message));
    }
    let blueprint = blueprint::read(file, input.source.system)?;
    let Some(name) = &input.source.theorem else { return Ok(blueprint) };
    match blueprint.below(name) {
        Some(part) => Ok(part),
        None => bail!("--theorem: `{}` has no node `{name}`", file.display()),
    }
}

/// A name for the run: that of the file, or of its folder if all blueprints are called so.
fn name(file: &Path) -> String {
    let of = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let stem = of(file).unwrap_or_default();
    let path = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = path.parent().and_then(of).filter(|_| stem == "blueprint");
    andor_artifact::folders::folder_name(&folder.unwrap_or(stem))
}

/// `andor show` on the folder of a run: its blueprint, if it is one of a blueprint and no theorem is named.
pub(super) fn shown(args: &ShowArgs) -> anyhow::Result<Option<Exit>> {
    let folder: &PathBuf = &args.run;
    let of_search = args.graphml || args.cytoscape;
    if args.theorem.is_some() || args.attempt.is_some() || of_search || !folder.is_dir() {
        return Ok(None);
    }
    let Some(record) = blueprint::read_run(folder)? else { return Ok(None) };
    if args.dot {
        report::print(&export::blueprint_dot(&record))?;
    } else {
        print(&record, folder, args.json)?;
    }
    Ok(Some(Exit::Success))
}

fn print(record: &BlueprintRun, run: &Path, as_json: bool) -> anyhow::Result<()> {
    let text = if as_json { serde_json::to_string_pretty(record)? + "\n" } else { table(record, run) };
    Ok(report::print(&text)?)
}

/// One line per node, and what is proved altogether.
fn table(record: &BlueprintRun, run: &Path) -> String {
    let mut rows = vec![["node", "", "state", "uses", ""].map(str::to_owned)];
    rows.extend(record.nodes.iter().map(|node| {
        let kind = if node.root { format!("{}, root", node.kind) } else { node.kind.to_string() };
        let detail = node.detail.as_deref().unwrap_or_default();
        let first = detail.lines().next().unwrap_or_default().to_owned();
        [node.node.name.clone(), kind, node.state.words().to_owned(), node.node.uses.join(" "), first]
    }));
    let mut text = aligned(&rows, Align::Left).join("\n") + "\n";
    let counted = NodeState::ALL.into_iter().filter_map(|state| {
        let n = record.nodes.iter().filter(|node| node.state == state).count();
        (n > 0).then(|| format!("{n} {}", state.words()))
    });
    let counted: Vec<String> = counted.collect();
    text += &format!("{}: {}\n", count(record.nodes.len() as u64, "node"), counted.join(", "));
    for refinement in &record.refinements {
        let added: Vec<&str> = refinement.added.iter().map(|node| node.name.as_str()).collect();
        let corrected = refinement.before.statement != refinement.after.statement;
        text += &format!(
            "refined: {} ({}){}{}\n",
            shown::line(&refinement.node),
            refinement.state.words(),
            if added.is_empty() {
                String::new()
            } else {
                format!(", added {}", shown::line(&added.join(" ")))
            },
            if corrected { ", statement corrected" } else { "" }
        );
    }
    for node in record.nodes.iter().filter(|node| node.disproof.is_some()) {
        let name = shown::line(&node.node.name);
        let run = run.display();
        text += &format!("`{name}` is false; the proof: `andor results {run} --theorem '{name}#disproof'`\n");
    }
    if let Some(whole) = &record.whole {
        let level = whole
            .verification_level
            .and_then(|level| Level::ALL.into_iter().find(|known| known.number() == level));
        text += &match (level, &whole.error) {
            (Some(level), _) => {
                let silence = whole.second_judge_silence.as_deref();
                format!("{}: accepted as a whole, {level}{}\n", whole.file, report::silence(silence))
            }
            (None, error) => {
                format!(
                    "{}: not accepted: {}\n",
                    whole.file,
                    shown::message(error.as_deref().unwrap_or_default())
                )
            }
        };
    }
    text
}
