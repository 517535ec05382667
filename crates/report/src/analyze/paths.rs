//! How a search moves through its tree, iteration by iteration.

use std::path::Path;

use andor_analysis::overlap::entropy;
use andor_artifact::trace::{Iteration, IterationReason, TraceEvent};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};

use super::goal_map::{self, Course, Work};
use super::records::{Records, TraceError};
use super::{Analysis, Subject, Table};

/// The paths of all searches: a row for each iteration, one for each agent of each search, and a map of the goals of each
/// theorem.
pub(super) fn paths(subjects: &[Subject<'_>], analysis: &mut Analysis) {
    let mut summary = Table {
        name: "paths",
        about: "How the agents of a search move: revisits are iterations at a node that had one, switches are those \
                below another step of the root than the last. `obstacle_ms` of the `ms` went to iterations that ended at \
                an obstacle. A row without an agent is about all of them together.",
        columns: &[
            "run",
            "theorem",
            "attempt",
            "agent",
            "iterations",
            "nodes",
            "revisits",
            "switches",
            "mean_depth",
            "max_depth",
            "entropy",
            "obstacles",
            "ms",
            "obstacle_ms",
        ],
        rows: Vec::new(),
    };
    let mut steps = Table {
        name: "path_steps",
        about: "The path of a search through its tree.",
        columns: &[
            "run",
            "theorem",
            "attempt",
            "iteration",
            "agent",
            "ms",
            "node",
            "goal",
            "depth",
            "visits",
            "value",
            "best_value",
            "expanded",
            "revisit",
            "switch",
            "nodes",
            "frontier",
            "obstacle",
        ],
        rows: Vec::new(),
    };
    let mut courses: Vec<(&str, Vec<Course>)> = Vec::new();
    for subject in subjects {
        for theorem in &subject.summary.theorems {
            for result in &theorem.results {
                let place = [json!(subject.name), json!(theorem.theorem), json!(result.attempt)];
                let folder = subject.folder.attempt(theorem.theorem, result.attempt);
                let (mut walk, before) = (Walk::default(), steps.rows.len());
                match walk.read(&folder, &place, &mut steps) {
                    Ok(()) => summary.rows.extend(walk.rows(&place)),
                    Err(why) => {
                        steps.rows.truncate(before);
                        let (id, attempt) = (theorem.theorem, result.attempt);
                        analysis.missing.push(format!(
                            "the path of `{id}`, attempt {attempt} of {}: {why}",
                            subject.name
                        ));
                        continue;
                    }
                }
                let [run, _, attempt] = place;
                let course = match Course::read(&folder, [run, attempt], walk.goals) {
                    Ok(course) => course,
                    Err(why) => {
                        let (id, attempt) = (theorem.theorem, result.attempt);
                        analysis.missing.push(format!(
                            "the goals of `{id}`, attempt {attempt} of {}: {why}",
                            subject.name
                        ));
                        continue;
                    }
                };
                match courses.iter_mut().find(|(id, _)| *id == theorem.theorem) {
                    Some((_, of_theorem)) => of_theorem.push(course),
                    None => courses.push((theorem.theorem, vec![course])),
                }
            }
        }
    }
    let mut map = goal_map::table();
    for (theorem, courses) in &courses {
        goal_map::add(theorem, courses, &mut map);
    }
    analysis.tables.extend([summary, steps, map]);
}

/// A search that is read.
#[derive(Default)]
struct Walk {
    /// Nodes that no iteration has come to.
    frontier: FxHashSet<String>,
    /// Iterations at each node.
    visits: FxHashMap<String, u64>,
    agents: Vec<Agent>,
    together: Agent,
    /// The greatest value of a node below the root so far.
    best_value: Option<f64>,
    /// The goals at which an iteration worked.
    goals: FxHashMap<String, Work>,
}

/// What one agent did, or all of them.
#[derive(Clone, Default)]
struct Agent {
    iterations: u64,
    revisits: u64,
    switches: u64,
    depths: u64,
    max_depth: u32,
    obstacles: u64,
    /// When its last iteration ended.
    now_ms: u64,
    /// The time of its iterations.
    ms: u64,
    /// The time of those that ended at an obstacle.
    obstacle_ms: u64,
    visits: FxHashMap<String, u64>,
    /// The second obligation on its last path: the child of the root.
    branch: Option<String>,
}

impl Walk {
    fn read(&mut self, folder: &Path, place: &[Value; 3], steps: &mut Table) -> Result<(), TraceError> {
        for event in Records::open(folder)? {
            match event? {
                TraceEvent::Start(start) => {
                    self.frontier.insert(start.root.mvar_id.to_string());
                }
                TraceEvent::Iteration(iteration) => steps.rows.push(self.step(&iteration, place)),
                TraceEvent::GraftStep(step) => self.grow(&step.new_nodes),
                _ => {}
            }
        }
        Ok(())
    }

    fn grow(&mut self, nodes: &[andor_artifact::trace::NewNode]) {
        for node in nodes {
            self.frontier.insert(node.mvar_id.to_string());
        }
    }

    fn step(&mut self, iteration: &Iteration, place: &[Value; 3]) -> Vec<Value> {
        let node = &iteration.node;
        let name = node.mvar_id.to_string();
        self.grow(&iteration.new_nodes);
        self.frontier.remove(&name);
        let at_node = self.visits.entry(name).or_default();
        let revisit = *at_node > 0;
        *at_node += 1;
        let number = iteration.agent_id as usize;
        if self.agents.len() <= number {
            self.agents.resize(number + 1, Agent::default());
        }
        let obstacle = match iteration.reason {
            IterationReason::Blocked => Some("blocked"),
            IterationReason::Delayed => Some("delayed"),
            _ => None,
        };
        let agent = &mut self.agents[number];
        let ms = iteration.timestamp_ms.saturating_sub(agent.now_ms);
        agent.now_ms = iteration.timestamp_ms;
        let switch = agent.note(iteration, revisit, obstacle.is_some(), ms);
        self.together.note(iteration, revisit, obstacle.is_some(), ms);
        if obstacle.is_none() {
            let goal = self.goals.entry(node.goal_sig_strict.to_string());
            goal.or_insert(Work { first: iteration.iteration, iterations: 0 }).iterations += 1;
        }
        let value = (node.visit_count > 0).then(|| node.success_count / f64::from(node.visit_count));
        if node.depth > 0 {
            self.best_value = self.best_value.into_iter().chain(value).reduce(f64::max);
        }
        let mut row = place.to_vec();
        row.extend([
            json!(iteration.iteration),
            json!(iteration.agent_id),
            json!(iteration.timestamp_ms),
            json!(node.mvar_id),
            json!(node.goal_sig_strict),
            json!(node.depth),
            json!(node.visit_count),
            json!(value),
            json!(self.best_value),
            json!(iteration.expanded),
            json!(revisit),
            json!(switch),
            json!(iteration.tree.nodes),
            json!(self.frontier.len()),
            json!(obstacle),
        ]);
        row
    }

    fn rows(&self, place: &[Value; 3]) -> Vec<Vec<Value>> {
        let agents = self.agents.iter().enumerate().filter(|(_, agent)| agent.iterations > 0);
        let agents: Vec<(Option<usize>, &Agent)> =
            agents.map(|(number, agent)| (Some(number), agent)).collect();
        let together = (agents.len() > 1).then_some((None, &self.together));
        let row = |(number, agent): (Option<usize>, &Agent)| {
            let mut row = place.to_vec();
            row.extend([
                json!(number),
                json!(agent.iterations),
                json!(agent.visits.len()),
                json!(agent.revisits),
                json!(agent.switches),
                json!(agent.depths as f64 / agent.iterations as f64),
                json!(agent.max_depth),
                json!(entropy(agent.visits.values().copied())),
                json!(agent.obstacles),
                json!(agent.ms),
                json!(agent.obstacle_ms),
            ]);
            row
        };
        agents.into_iter().chain(together).map(row).collect()
    }
}

impl Agent {
    /// Counts an iteration. Returns whether it is below another step of the root than the last one.
    fn note(&mut self, iteration: &Iteration, revisit: bool, is_obstacle: bool, ms: u64) -> bool {
        let branch = iteration.selected_path.get(1).map(|name| name.to_string());
        let switch = matches!((&branch, &self.branch), (Some(now), Some(before)) if now != before);
        self.branch = branch.or_else(|| self.branch.take());
        self.iterations += 1;
        self.revisits += u64::from(revisit);
        self.switches += u64::from(switch);
        self.depths += u64::from(iteration.node.depth);
        self.max_depth = self.max_depth.max(iteration.node.depth);
        self.ms += ms;
        if is_obstacle {
            self.obstacles += 1;
            self.obstacle_ms += ms;
        }
        *self.visits.entry(iteration.node.mvar_id.to_string()).or_default() += 1;
        switch
    }
}
