//! Searches, rebuilt from their traces.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use andor_artifact::files::read_json;
use andor_artifact::folders::attempt_folder;
use andor_artifact::graph::{Graph, GraphNode, GraphStep};
use andor_artifact::result::Outcome;
use andor_artifact::version::Kind;
use andor_engine::attempt::proof_file;

use super::{Run, Stored, Verified, VerifyError, records, rollouts};
use crate::trace::replay::{ReplayError, Replayed, TraceEnding, replay, replay_following};

/// Rebuilds the search of each attempt, and compares what else the run says of it.
pub(super) fn verify(
    run: &Run,
    follow: bool,
    found: &mut Verified,
    tick: &mut (dyn FnMut() + Send),
) -> Result<(), VerifyError> {
    for stored in &run.attempts {
        let folder = attempt_folder(&run.folder.path, &stored.theorem.id, stored.result.attempt);
        attempt(run, stored, &folder, follow, found)?;
        // Those of agents are told of when they are rebuilt.
        if !rollouts::is_of_agent(&folder) {
            tick();
        }
    }
    if run.is_whole { unfinished(run, follow, found) } else { Ok(()) }
}

/// Rebuilds the searches of attempts that have no result yet.
fn unfinished(run: &Run, follow: bool, found: &mut Verified) -> Result<(), VerifyError> {
    let Ok(folders) = std::fs::read_dir(run.folder.path.join("theorems")) else { return Ok(()) };
    let done = run.attempts.iter();
    let done: HashSet<PathBuf> =
        done.map(|s| attempt_folder(&run.folder.path, &s.theorem.id, s.result.attempt)).collect();
    let attempts = folders.flatten().filter_map(|folder| std::fs::read_dir(folder.path()).ok());
    let attempts = attempts.flatten().flatten().map(|entry| entry.path());
    let open = attempts.filter(|attempt| !done.contains(attempt));
    let mut traces: Vec<PathBuf> = open.map(|attempt| attempt.join("trace.jsonl")).collect();
    traces.retain(|trace| trace.is_file());
    traces.sort();
    for path in traces {
        let name = path.strip_prefix(&run.folder.path).unwrap_or(&path).display().to_string();
        if rebuilt(&path, &name, follow, found)?.is_some() {
            found.skip(&name, None, "what came of the attempt: run.db has no result of it");
        }
    }
    Ok(())
}

fn attempt(
    run: &Run,
    stored: &Stored,
    folder: &Path,
    follow: bool,
    found: &mut Verified,
) -> Result<(), VerifyError> {
    let result = &stored.result;
    let name = |file: &str| {
        let path = folder.join(file);
        path.strip_prefix(&run.folder.path).unwrap_or(&path).display().to_string()
    };
    let proof = proof_file(stored.theorem.system);
    if let Ok(text) = fs_err::read_to_string(folder.join(&proof))
        && result.source.as_ref() != Some(&text)
    {
        found.fail(&name(&proof), None, "it is not the source of the result in run.db");
    }
    let trace = folder.join("trace.jsonl");
    if rollouts::is_of_agent(folder) {
        return Ok(());
    }
    if !trace.exists() {
        found.skip("run.db", Some(result), "the search: there is no trace of it");
        return Ok(());
    }
    let file = name("trace.jsonl");
    let Some(replayed) = rebuilt(&trace, &file, follow, found)? else {
        if result.spent.iterations > 0 || result.proof.is_some() {
            found.fail(&file, None, "it holds no search, and the result in run.db tells of one");
        }
        return Ok(());
    };
    for what in contradictions(stored, &replayed) {
        found.fail(&file, None, what);
    }
    let graph = folder.join("graph.json");
    if graph.is_file() {
        let recorded: Graph = read_json(&graph, Kind::Graph)?;
        if let Some(what) = other_graph(&recorded, &replayed) {
            found.fail(&name("graph.json"), None, what);
        }
    }
    Ok(())
}

/// The search of a trace. `None` if the trace holds none, or contradicts itself, which is then noted.
pub(super) fn rebuilt(
    path: &Path,
    name: &str,
    follow: bool,
    found: &mut Verified,
) -> Result<Option<Replayed>, VerifyError> {
    let replayed = match if follow { replay_following(path) } else { replay(path) } {
        Ok(replayed) => replayed,
        Err(ReplayError::Empty) => return Ok(None),
        Err(error) if error.is_difference() => {
            found.fail(name, None, error.to_string());
            return Ok(None);
        }
        // Only these errors name the file already.
        Err(ReplayError::File(error)) => return Err(error.into()),
        Err(error) => return Err(VerifyError::Trace { path: path.to_owned(), error }),
    };
    found.searches.insert(name.to_owned(), replayed.summary());
    if replayed.choices == 0 {
        found.skip(name, None, "the agents' choices; the recorded ones were followed");
    }
    if replayed.ending == TraceEnding::BrokenOff {
        found.skip(name, None, "the end of the search: the trace breaks off");
    }
    Ok(Some(replayed))
}

/// What a rebuilt search and the result of its attempt say differently.
fn contradictions(stored: &Stored, replayed: &Replayed) -> Vec<String> {
    let Stored { theorem, result, config, .. } = stored;
    let (start, search) = (&replayed.start, &replayed.search);
    let (tree, spent) = (search.tree(), search.spent());
    let mut found = Vec::new();
    let mut same = |what: &str, in_trace: String, in_run: String| {
        if in_trace != in_run {
            found.push(format!("{what}: {in_trace} by the trace, {in_run} by run.db"));
        }
    };
    same("theorem", start.theorem.clone(), theorem.id.clone());
    same("system", start.system.clone(), theorem.system.to_string());
    same("statement_digest", start.statement_digest.clone(), theorem.digest());
    let ending = match &replayed.ending {
        TraceEnding::Proved => "proved".to_owned(),
        TraceEnding::Aborted(reason) => reason.clone(),
        TraceEnding::BrokenOff => "broken off".to_owned(),
    };
    same("the end", ending, result.stop_reason.clone());
    same("tree_digest", replayed.digest(), result.tree_digest.clone().unwrap_or_default());
    // Those of given scripts that failed are not in a trace.
    let has_scripts = !result.grafts.is_empty() || result.sharing.is_some() || result.plan.is_some();
    let candidates = if has_scripts { spent.candidates } else { result.spent.candidates };
    for (what, in_trace, in_run) in [
        ("iterations", spent.iterations, result.spent.iterations),
        ("expansions", spent.expansions, result.spent.expansions),
        ("nodes", spent.nodes, result.spent.nodes),
        ("candidates", spent.candidates, candidates),
    ] {
        same(what, in_trace.to_string(), in_run.to_string());
    }
    let status = |status| format!("{status:?}").to_lowercase();
    same("the root", status(tree.status(tree.root())), status(result.root_status));
    if matches!(result.outcome, Outcome::Accepted | Outcome::Claimed) {
        let proof = tree.extract();
        let digest = proof.as_ref().map(|proof| format!("{:016x}", proof.digest(tree, search.tactics())));
        same("proof_digest", digest.unwrap_or_default(), result.proof_digest.clone().unwrap_or_default());
        let steps = proof.iter().flat_map(|proof| &proof.steps);
        let tactics: Vec<&str> = steps.map(|step| search.tactics().text(tree.tactic(step.step))).collect();
        let recorded: Vec<&str> = result.proof_steps.iter().map(|step| step.tactic.as_str()).collect();
        same("the proof", tactics.join("; "), recorded.join("; "));
    }
    found.extend(records::difference(&start.config, config));
    found
}

/// How a recorded graph differs from the rebuilt tree. Goals, strict signatures and times are not compared.
fn other_graph(recorded: &Graph, replayed: &Replayed) -> Option<String> {
    let (search, tree) = (&replayed.search, replayed.search.tree());
    if recorded.tree_digest != replayed.digest() {
        return Some(format!(
            "tree_digest is {}, and by the trace {}",
            recorded.tree_digest,
            replayed.digest()
        ));
    }
    if (recorded.nodes.len(), recorded.steps.len()) != (tree.n_nodes(), tree.n_steps()) {
        return Some("it has other nodes or steps than the tree of the trace".to_owned());
    }
    if recorded.theorem != replayed.start.theorem {
        return Some(format!(
            "its theorem is `{}`, and that of the trace `{}`",
            recorded.theorem, replayed.start.theorem
        ));
    }
    let other_node = tree.nodes().zip(&recorded.nodes).find(|(id, node)| {
        let record = search.stats().node(*id);
        let rebuilt = GraphNode {
            id: id.to_string(),
            mvar_id: replayed.nodes[id.index()].name.to_string(),
            goal_sig: tree.coarse(*id).to_string(),
            status: tree.status(*id),
            depth: tree.depth(*id),
            visit_count: record.visits,
            success_count: f64::from(record.success),
            value: f64::from(search.value(*id)),
            distance: tree.distance(*id),
            ..(*node).clone()
        };
        rebuilt != **node
    });
    let other_step = tree.all_steps().zip(&recorded.steps).find(|(id, step)| {
        let rebuilt = GraphStep {
            id: id.to_string(),
            node: tree.step_node(*id).to_string(),
            tactic: search.tactics().text(tree.tactic(*id)).to_owned(),
            log_prior: f64::from(tree.log_prior(*id)),
            status: tree.step_status(*id),
            children: tree.children(*id).map(|child| child.to_string()).collect(),
            ..(*step).clone()
        };
        rebuilt != **step
    });
    let of_node = other_node.map(|(id, _)| id.to_string());
    let differs = of_node.or_else(|| other_step.map(|(id, _)| id.to_string()))?;
    Some(format!("{differs} is not as in the tree of the trace"))
}
