//! `andor show`

mod plan;
#[cfg(feature = "tui")]
mod tui;

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use andor_artifact::files::read_json;
use andor_artifact::graph::{Graph, GraphNode, GraphStep};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_artifact::version::Kind;
use andor_core::tree::Status;
use andor_report::export;
use andor_rollout::draw;
use andor_rollout::journal::{self, Recorded};
use andor_rollout::proof::JOURNAL;
use andor_run::folder::RunFolder;
use andor_terminal::exit::{Exit, with_causes};
use andor_terminal::{report, shown};
use anyhow::{anyhow, bail};
use serde_json::json;

use super::recorded::{find, find_search};
use crate::args::ShowArgs;

pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    if args.tui {
        #[cfg(feature = "tui")]
        return tui::run(&find_search(&args.run, args.theorem.as_deref(), args.attempt)?);
        #[cfg(not(feature = "tui"))]
        return Err(crate::features::missing("--tui", "tui"));
    }
    if let Some(exit) = super::blueprint::shown(args)? {
        return Ok(exit);
    }
    if args.plan {
        report::print(&plan::text(args)?)?;
        return Ok(Exit::Success);
    }
    // A file is a graph unless it has the name of an agent's journal.
    if (!args.run.is_file() || args.run.ends_with(JOURNAL))
        && let Ok(journal) = find(&args.run, args.theorem.as_deref(), args.attempt, JOURNAL)
    {
        return rollout(args, &journal);
    }
    let graph: Graph = find(&args.run, args.theorem.as_deref(), args.attempt, "graph.json")
        .and_then(read)
        .map_err(|why| match find_search(&args.run, args.theorem.as_deref(), args.attempt) {
            Ok(search) if search.join("trace.jsonl").is_file() => anyhow!(
                "{}; `andor show --tui` and `andor view` draw the search from {}",
                with_causes(&why),
                search.join("trace.jsonl").display()
            ),
            _ => why,
        })?;
    let text = if args.dot {
        export::dot(&graph)
    } else if args.graphml {
        export::graphml(&graph)
    } else if args.cytoscape {
        serde_json::to_string(&export::cytoscape(&graph))? + "\n"
    } else if args.json {
        serde_json::to_string_pretty(&graph)? + "\n"
    } else {
        text(&graph, args.all)
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

/// The graph. If its root is proved, and the run around it has no accepted proof with this tree, nothing in it is.
fn read(path: PathBuf) -> anyhow::Result<Graph> {
    let mut graph: Graph = read_json(&path, Kind::Graph)?;
    if graph.nodes.first().is_some_and(|root| root.status == Status::Proved)
        && !is_accepted(&path, &graph.theorem, &graph.tree_digest)
    {
        let path = path.display();
        tracing::warn!(
            "{path}: unverified: the run has no accepted proof with this tree; what it calls proved is shown as open"
        );
        let nodes = graph.nodes.iter_mut().map(|node| &mut node.status);
        for status in nodes.chain(graph.steps.iter_mut().map(|step| &mut step.status)) {
            if *status == Status::Proved {
                *status = Status::Open;
            }
        }
    }
    Ok(graph)
}

/// Whether the attempt with a file has an accepted proof of this theorem, by a search with this tree.
fn is_accepted(path: &Path, theorem: &str, tree_digest: &str) -> bool {
    let accepts = |result: &AttemptResult| {
        let is_of_tree = result.tree_digest.as_deref() == Some(tree_digest);
        result.outcome == Outcome::Accepted && result.theorem == theorem && is_of_tree
    };
    RunFolder::read_part(path).is_ok_and(|run| run.results.iter().any(accepts))
}

/// Shows the tree of an agent's search.
fn rollout(args: &ShowArgs, path: &Path) -> anyhow::Result<Exit> {
    if args.graphml || args.cytoscape {
        let option = if args.graphml { "--graphml" } else { "--cytoscape" };
        bail!("{option}: the search of an agent is drawn by --dot, and printed by --json");
    }
    let Recorded { mut tree, steps, settings } = journal::read(path)?;
    let digest = format!("{:016x}", tree.digest());
    // The tree of a programming task says itself what the tests said.
    if settings["task"].is_null()
        && !is_accepted(path, settings["theorem"].as_str().unwrap_or_default(), &digest)
        && tree.solutions().next().is_some()
    {
        tracing::warn!(
            "{}: unverified: the run has no accepted proof with this tree; what it calls solved is shown as open",
            path.display()
        );
        tree = tree.without_solutions();
    }
    let text = if args.dot {
        draw::dot(&tree)
    } else if args.json {
        let nodes = tree.nodes().map(|(key, node)| {
            json!({
                "node": tree.id(key),
                "score": node.score(),
                "solution": node.is_solution(),
                "stopped": node.stopped(),
                "pruned": node.pruned().map(ToString::to_string),
                "visits": node.visits(),
                "tokens": node.cost(),
                "feedback": node.verdict().feedback.as_deref(),
            })
        });
        let nodes: Vec<_> = nodes.collect();
        let all = json!({ "settings": settings, "steps": steps, "tree_digest": digest, "nodes": nodes });
        serde_json::to_string_pretty(&all)? + "\n"
    } else {
        let (nodes, solutions) = (tree.len() as u64, tree.solutions().count() as u64);
        format!(
            "{}: {}, {}, {}, {} tokens, tree {digest}\n{}",
            shown::line(settings["theorem"].as_str().or(settings["task"].as_str()).unwrap_or_default()),
            report::count(nodes, "node"),
            report::count(solutions, "solution"),
            report::count(steps, "step"),
            tree.cost(),
            shown::message(&draw::text(&tree, args.all))
        ) + "\n"
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

/// A graph with resolved links.
struct View<'a> {
    nodes: HashMap<&'a str, &'a GraphNode>,
    steps_at: HashMap<&'a str, Vec<&'a GraphStep>>,
}

impl<'a> View<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut steps_at: HashMap<&str, Vec<&GraphStep>> = HashMap::new();
        for step in &graph.steps {
            steps_at.entry(&step.node).or_default().push(step);
        }
        Self { nodes: graph.nodes.iter().map(|n| (n.id.as_str(), n)).collect(), steps_at }
    }
}

/// The tree as indented text: each goal, then its tactics, then the goals they leave.
fn text(graph: &Graph, all: bool) -> String {
    let view = View::new(graph);
    let Some(root) = graph.nodes.first() else { return String::new() };
    let proved = graph.nodes.iter().filter(|n| n.status == Status::Proved).count();
    let mut out = format!(
        "{}: {} ({proved} proved), {}, tree {}\n",
        shown::line(&graph.theorem),
        report::count(graph.nodes.len() as u64, "node"),
        report::count(graph.steps.len() as u64, "step"),
        shown::line(&graph.tree_digest)
    );
    let mut shown: Vec<&str> = Vec::new();
    let mut stack: Vec<(usize, Item<'_>)> = vec![(0, Item::Node(root))];
    while let Some((indent, item)) = stack.pop() {
        let margin = "  ".repeat(indent);
        match item {
            Item::Node(node) => {
                let goal = node.goals.first().map_or("", |g| g.rsplit('⊢').next().unwrap_or(g).trim());
                let goal = shown::message(goal).replace('\n', &format!("\n{margin}"));
                let more = if node.goals.len() > 1 {
                    format!(" (and {} more)", node.goals.len() - 1)
                } else {
                    String::new()
                };
                let again = shown.contains(&node.id.as_str());
                let seen = if again { " (shown above)" } else { "" };
                let _ = writeln!(
                    out,
                    "{margin}{} {} ⊢ {goal}{more}  [{} visits, value {:.2}]{seen}",
                    mark(node.status),
                    shown::line(&node.mvar_id),
                    node.visit_count,
                    node.value
                );
                if again {
                    continue;
                }
                shown.push(&node.id);
                let steps = view.steps_at.get(node.id.as_str()).into_iter().flatten();
                let steps: Vec<&&GraphStep> =
                    steps.filter(|s| all || s.status != Status::Exhausted).collect();
                stack.extend(steps.into_iter().rev().map(|s| (indent + 1, Item::Step(s))));
            }
            Item::Step(step) => {
                let _ = writeln!(
                    out,
                    "{margin}{} {}  [log-prior {:.2}]",
                    mark(step.status),
                    shown::message(&step.tactic).replace('\n', &format!("\n{margin}")),
                    step.log_prior
                );
                let children = step.children.iter().filter_map(|c| view.nodes.get(c.as_str()));
                let children: Vec<_> = children.map(|n| (indent + 1, Item::Node(n))).collect();
                stack.extend(children.into_iter().rev());
            }
        }
    }
    out
}

enum Item<'a> {
    Node(&'a GraphNode),
    Step(&'a GraphStep),
}

fn mark(status: Status) -> &'static str {
    match status {
        Status::Open => "?",
        Status::Proved => "✓",
        Status::Exhausted => "✗",
    }
}
