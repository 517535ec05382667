//! Reads blueprints: `blueprint.json`, `blueprint.toml`, or a folder with one of these.

use std::collections::HashMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use andor_artifact::blueprint::{Blueprint as Record, BlueprintNode, NodeKind};
use andor_artifact::input;
use andor_artifact::version::Kind;
use andor_core::theorem::System;
use andor_provider::plan::parse::{PlanFault, steps};
use serde_json::Value;

use super::graph::Graph;
use super::node::{Blueprint, Node, is_name, sentence};
use super::source;

/// Why a blueprint cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}{}: {fault}", path.display(), place(.node.as_deref(), *.field))]
pub struct BlueprintError {
    /// The file.
    pub path: PathBuf,
    /// The node.
    pub node: Option<String>,
    /// The field.
    pub field: Option<&'static str>,
    /// What is wrong.
    pub fault: BlueprintFault,
}

fn place(node: Option<&str>, field: Option<&str>) -> String {
    let node = node.map(|node| format!(", node `{node}`")).unwrap_or_default();
    node + &field.map(|field| format!(", field `{field}`")).unwrap_or_default()
}

/// What is wrong with a blueprint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BlueprintFault {
    /// A file cannot be read. The message names it.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text is not of the format, or has unknown fields, or values of the wrong type.
    #[error("{0}")]
    Malformed(String),
    /// The system is unknown, or not the one that was asked for.
    #[error("{0}")]
    System(String),
    /// There is no node.
    #[error("a blueprint needs at least one node")]
    Empty,
    /// There are too many nodes.
    #[error("it has {0} nodes, and at most {MOST_NODES} are allowed; divide it")]
    TooLarge(usize),
    /// The system has no such names.
    #[error(
        "`{name}` is not a name in the system `{system}`; use letters, digits and `_`, not beginning with a digit"
    )]
    Name {
        /// The name.
        name: String,
        /// The system.
        system: System,
    },
    /// Two nodes have the same name.
    #[error("another node has this name; give each its own")]
    Duplicate,
    /// A node has no text.
    #[error("the node has neither `statement` nor `definition`, and no `file` with one; give it one of them")]
    NoText,
    /// Two fields exclude each other.
    #[error("it cannot be combined with `{0}`; leave one of the two out")]
    Excluded(&'static str),
    /// The kind does not fit the text.
    #[error("a {kind} needs `{needs}`")]
    Kind {
        /// The kind.
        kind: NodeKind,
        /// The field that it needs.
        needs: &'static str,
    },
    /// A node needs one that is not there.
    #[error("there is no node `{used}`{}", meant(.nearest.as_deref()))]
    Unknown {
        /// The missing node.
        used: String,
        /// A node with a similar name.
        nearest: Option<String>,
    },
    /// Nodes need each other.
    #[error("these nodes need each other: {}; remove one of the uses", .0.join(" → "))]
    Cycle(Vec<String>),
    /// The statement cannot be read.
    #[error("{0}")]
    Statement(String),
    /// The statement is about another name.
    #[error("it states `{0}`; the names of the node and of its statement must agree")]
    OtherName(String),
    /// The plan cannot be read.
    #[error("{0}")]
    Plan(#[from] PlanFault),
}

fn meant(nearest: Option<&str>) -> String {
    nearest.map(|name| format!("; is `{name}` meant?")).unwrap_or_default()
}

/// The greatest number of nodes: their states are written after every attempt.
const MOST_NODES: usize = 10_000;

/// Whether a path that a user names is a blueprint: a `.toml` file, or a JSON file called `blueprint.json` or with `nodes`.
pub fn is_blueprint(path: &Path) -> bool {
    let has_nodes = || {
        let text = input::text(path).ok()?;
        serde_json::from_str::<Value>(&text).ok()?.get("nodes").map(|_| ())
    };
    match path.extension().and_then(|extension| extension.to_str()) {
        _ if path.is_dir() => false,
        Some("toml") => true,
        Some("json") => {
            path.file_name().is_some_and(|name| name == "blueprint.json") || has_nodes().is_some()
        }
        _ => false,
    }
}

/// Reads the blueprint in a file.
///
/// # Errors
///
/// It cannot be read, or its graph or one of its nodes makes no sense. Whether the texts do, the system says later.
pub fn read(path: &Path, wanted: Option<System>) -> Result<Blueprint, BlueprintError> {
    let fault = |fault| BlueprintError { path: path.to_owned(), node: None, field: None, fault };
    let text = input::text(path).map_err(|error| fault(error.into()))?;
    of_record(path, &record(path, &text)?, wanted)
}

/// The blueprint of a record that a file holds.
pub(super) fn of_record(
    path: &Path,
    record: &Record,
    wanted: Option<System>,
) -> Result<Blueprint, BlueprintError> {
    let whole = |fault| BlueprintError { path: path.to_owned(), node: None, field: None, fault };
    let of = |field, fault| BlueprintError { field: Some(field), ..whole(fault) };
    let system: System = record.system.parse().map_err(|error: andor_core::theorem::UnknownSystem| {
        of("system", BlueprintFault::System(error.to_string()))
    })?;
    if !system.language().is_written() {
        let what = format!("the system `{system}` has no files; choose another");
        return Err(of("system", BlueprintFault::System(what)));
    }
    if let Some(wanted) = wanted.filter(|wanted| *wanted != system) {
        let what = format!("the blueprint is for the system `{system}`, not `{wanted}` as --system says");
        return Err(of("system", BlueprintFault::System(what)));
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut header = String::new();
    if let Some(file) = &record.header_file {
        header = source::beside(folder, file).map_err(|error| of("header_file", error))?;
        end_line(&mut header);
    }
    header += &record.header;
    end_line(&mut header);
    if record.nodes.is_empty() {
        return Err(whole(BlueprintFault::Empty));
    }
    if record.nodes.len() > MOST_NODES {
        return Err(whole(BlueprintFault::TooLarge(record.nodes.len())));
    }
    let reader = Reader { path, folder, system };
    let mut nodes = Vec::with_capacity(record.nodes.len());
    for node in &record.nodes {
        nodes.push(reader.node(node)?);
    }
    finish(path, system, header, nodes)
}

/// Checks names and dependencies of nodes, and finds the roots.
fn finish(
    path: &Path,
    system: System,
    header: String,
    mut nodes: Vec<Node>,
) -> Result<Blueprint, BlueprintError> {
    let at = |node: &str, field, fault| BlueprintError {
        path: path.to_owned(),
        node: Some(node.to_owned()),
        field: Some(field),
        fault,
    };
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, node) in nodes.iter().enumerate() {
        if places.insert(node.name(), place).is_some() {
            return Err(at(node.name(), "name", BlueprintFault::Duplicate));
        }
    }
    let mut uses = Vec::with_capacity(nodes.len());
    for node in &nodes {
        let place = |used: &String| {
            places.get(used.as_str()).copied().ok_or_else(|| {
                let like = |name: &&&str| strsim::damerau_levenshtein(used, name) <= 2;
                let mut names: Vec<&str> = places.keys().filter(like).copied().collect();
                names.sort_unstable();
                let nearest = names.first().map(|name| (*name).to_owned());
                at(node.name(), "uses", BlueprintFault::Unknown { used: used.clone(), nearest })
            })
        };
        uses.push(node.record.uses.iter().map(place).collect::<Result<Vec<usize>, _>>()?);
    }
    let graph = Graph::new(uses).map_err(|cycle| {
        let names = cycle.iter().chain(cycle.first()).map(|&node| nodes[node].name().to_owned());
        let names: Vec<String> = names.collect();
        at(&names[0], "uses", BlueprintFault::Cycle(names.clone()))
    })?;
    let sinks = graph.sinks();
    for (place, node) in nodes.iter_mut().enumerate() {
        let is_statement = node.kind != NodeKind::Definition;
        node.is_root = is_statement && (node.kind == NodeKind::Theorem || sinks.contains(&place));
    }
    Ok(Blueprint::new(system, header, nodes).expect("the graph has just been made"))
}

/// The record of a blueprint, with errors that name node and field as far as they can.
fn record(path: &Path, text: &str) -> Result<Record, BlueprintError> {
    let malformed = |node: Option<String>, what: String| BlueprintError {
        path: path.to_owned(),
        node,
        field: None,
        fault: BlueprintFault::Malformed(what),
    };
    let whole = |error: &dyn fmt::Display| malformed(None, error.to_string().trim_end().to_owned());
    let mut value: Value = if path.extension().is_some_and(|extension| extension == "toml") {
        let table: toml::Table = toml::from_str(text).map_err(|error| whole(&error))?;
        serde_json::to_value(table).map_err(|error| whole(&error))?
    } else {
        serde_json::from_str(text).map_err(|error| whole(&error))?
    };
    let nodes = value.get_mut("nodes").and_then(Value::as_array_mut).map(std::mem::take);
    let mut record: Record = serde_json::from_value(value).map_err(|error| whole(&error))?;
    if let Some(opening) = &record.opening {
        opening.check(Kind::Blueprint).map_err(|what| whole(&what))?;
    }
    for (index, node) in nodes.into_iter().flatten().enumerate() {
        let name = node.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let name = name.map_or_else(|| format!("number {}", index + 1), str::to_owned);
        let node: BlueprintNode =
            serde_json::from_value(node).map_err(|error| malformed(Some(name), error.to_string()))?;
        record.nodes.push(node);
    }
    Ok(record)
}

/// Reads nodes one by one.
struct Reader<'a> {
    path: &'a Path,
    folder: &'a Path,
    system: System,
}

impl Reader<'_> {
    fn node(&self, given: &BlueprintNode) -> Result<Node, BlueprintError> {
        let fail = |field, fault| BlueprintError {
            path: self.path.to_owned(),
            node: Some(given.name.clone()),
            field: Some(field),
            fault,
        };
        let BlueprintNode { name, definition, statement, file, proof, draft, plan, .. } = given;
        if !is_name(name, self.system) {
            let (name, system) = (name.clone(), self.system);
            return Err(fail("name", BlueprintFault::Name { name, system }));
        }
        let fields = [
            ("definition", definition.is_some()),
            ("statement", statement.is_some()),
            ("file", file.is_some()),
        ];
        let mut texts = fields.iter().filter(|(_, is_given)| *is_given).map(|(field, _)| *field);
        match (texts.next(), texts.next()) {
            (None, _) => return Err(fail("statement", BlueprintFault::NoText)),
            (Some(first), Some(second)) => return Err(fail(second, BlueprintFault::Excluded(first))),
            (Some(_), None) => {}
        }
        let begun = [("proof", proof.is_some()), ("draft", draft.is_some()), ("plan", !plan.is_empty())];
        let mut begun = begun.iter().filter(|(_, is_given)| *is_given).map(|(field, _)| *field);
        let (first, second) = (begun.next(), begun.next());
        if let (Some(first), Some(second)) = (first, second) {
            return Err(fail(second, BlueprintFault::Excluded(first)));
        }
        let by_text = if definition.is_some() { NodeKind::Definition } else { NodeKind::Lemma };
        let kind = given.kind.unwrap_or(by_text);
        match (kind, definition.is_some(), statement.is_some()) {
            (NodeKind::Definition, _, true) => {
                return Err(fail("kind", BlueprintFault::Kind { kind, needs: "definition" }));
            }
            (NodeKind::Lemma | NodeKind::Theorem, true, _) => {
                return Err(fail("kind", BlueprintFault::Kind { kind, needs: "statement" }));
            }
            _ => {}
        }
        let mut record = BlueprintNode { file: None, kind: Some(kind), ..given.clone() };
        if let Some(file) = file {
            let text = source::beside(self.folder, file).map_err(|fault| fail("file", fault))?;
            if kind == NodeKind::Definition {
                record.definition = Some(text);
            } else {
                let found = source::statement(&text, self.system).map_err(|fault| fail("file", fault))?;
                record.statement = Some(found.statement);
                record.proof = record.proof.or(found.proof.filter(|_| first.is_none()));
            }
        }
        if kind == NodeKind::Definition {
            if let Some(field) = first {
                return Err(fail(field, BlueprintFault::Excluded("definition")));
            }
            if record.definition.as_deref().is_some_and(|text| text.trim().is_empty()) {
                let field = if file.is_some() { "file" } else { "definition" };
                return Err(fail(field, BlueprintFault::Statement("the definition is empty".to_owned())));
            }
            return Ok(Node::definition(record));
        }
        if !plan.is_empty() {
            steps(&plan.join("\n"), self.system).map_err(|fault| fail("plan", fault.into()))?;
        }
        let stated = record.statement.as_deref().unwrap_or_default();
        let field = if file.is_some() { "file" } else { "statement" };
        let sentence = sentence(name, stated, self.system).map_err(|fault| fail(field, fault))?;
        Ok(Node::stated(record, kind, sentence))
    }
}

fn end_line(text: &mut String) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
}
