//! `andor show`

use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use andor_artifact::files::read_json;
use andor_artifact::graph::{Graph, GraphNode, GraphStatus, GraphStep};
use andor_artifact::version::Kind;
use andor_run::export;
use andor_run::orchestrate::folder_name;
use anyhow::bail;

use crate::args::ShowArgs;
use crate::exit::Exit;
use crate::report;

pub(crate) fn run(args: &ShowArgs) -> anyhow::Result<Exit> {
    let graph: Graph = read_json(&find(args)?, Kind::Graph)?;
    let text = if args.dot {
        export::dot(&graph)
    } else if args.json {
        serde_json::to_string_pretty(&graph)? + "\n"
    } else {
        text(&graph, args.all)
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

/// The graph file that the arguments mean.
fn find(args: &ShowArgs) -> anyhow::Result<PathBuf> {
    let run = &args.run;
    if run.is_file() {
        return Ok(run.clone());
    }
    if run.join("graph.json").is_file() {
        return Ok(run.join("graph.json"));
    }
    let theorems = run.join("theorems");
    if !theorems.is_dir() {
        bail!(
            "`{}` is no run: it has neither graph.json nor theorems/ (runs are written by --out)",
            run.display()
        );
    }
    let mut ids: Vec<String> = Vec::new();
    for entry in fs_err::read_dir(&theorems)? {
        let entry = entry?;
        if graph_of(&entry.path()).is_file() {
            ids.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
    ids.sort();
    let id = match (&args.theorem, &ids[..]) {
        (Some(id), _) if ids.contains(&folder_name(id)) => &folder_name(id),
        (Some(id), _) if ids.contains(id) => id,
        (Some(id), _) => bail!("the run has no finished theorem `{id}`; it has: {}", ids.join(", ")),
        (None, [only]) => only,
        (None, []) => bail!("the run has no finished theorem yet"),
        (None, _) => bail!("the run has several theorems; choose one with --theorem: {}", ids.join(", ")),
    };
    Ok(graph_of(&theorems.join(id)))
}

fn graph_of(theorem: &Path) -> PathBuf {
    theorem.join("attempt-1").join("graph.json")
}

/// A graph with its links looked up.
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

/// The tree as indented text: each goal, then its tactics, then what they leave.
fn text(graph: &Graph, all: bool) -> String {
    let view = View::new(graph);
    let Some(root) = graph.nodes.first() else { return String::new() };
    let proved = graph.nodes.iter().filter(|n| n.status == GraphStatus::Proved).count();
    let mut out = format!(
        "{}: {} nodes ({proved} proved), {} steps, tree {}\n",
        graph.theorem,
        graph.nodes.len(),
        graph.steps.len(),
        graph.tree_digest
    );
    let mut shown: Vec<&str> = Vec::new();
    let mut stack: Vec<(usize, Item<'_>)> = vec![(0, Item::Node(root))];
    while let Some((indent, item)) = stack.pop() {
        let margin = "  ".repeat(indent);
        match item {
            Item::Node(node) => {
                let goal = node.goals.first().map_or("", |g| g.rsplit('⊢').next().unwrap_or(g).trim());
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
                    node.mvar_id,
                    node.visit_count,
                    node.value
                );
                if again {
                    continue;
                }
                shown.push(&node.id);
                let steps = view.steps_at.get(node.id.as_str()).into_iter().flatten();
                let steps: Vec<&&GraphStep> =
                    steps.filter(|s| all || s.status != GraphStatus::Exhausted).collect();
                stack.extend(steps.into_iter().rev().map(|s| (indent + 1, Item::Step(s))));
            }
            Item::Step(step) => {
                let _ = writeln!(
                    out,
                    "{margin}{} {}  [log-prior {:.2}]",
                    mark(step.status),
                    step.tactic,
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

fn mark(status: GraphStatus) -> &'static str {
    match status {
        GraphStatus::Open => "?",
        GraphStatus::Proved => "✓",
        GraphStatus::Exhausted => "✗",
    }
}
