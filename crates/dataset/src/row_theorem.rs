//! Builds a theorem from a row.

use andor_core::theorem::{System, Theorem};
use andor_system_lean::LEAN4;
use andor_system_lean::source as lean;
use andor_system_mini::MINI;
use andor_system_rocq as rocq;
use andor_system_rocq::ROCQ;
use serde_json::{Map, Value};

use super::choice::canonical;
use super::rocq_source::HIDDEN;
use super::{Problem, lean_source};

/// The keys that may hold an id; the first one present is used.
const IDS: &[&str] = &["id", "name", "full_name", "problem_id", "uuid"];
/// The keys that may hold an English statement.
const INFORMAL: &[&str] = &[
    "informal",
    "informal_prefix",
    "informal_stmt",
    "informal_statement",
    "nl_statement",
    "natural_language_statement",
    "problem",
];

/// The problem of a row, or the reason why there is none.
pub(super) fn problem(
    mut row: Map<String, Value>,
    system: Option<System>,
    parts: &[&str],
    wanted: Option<System>,
) -> Result<Problem, String> {
    let said = take(&mut row, "system")?.map(|name| name.parse::<System>()).transpose();
    let said = said.map_err(|e| e.to_string())?;
    let informal = informal(&row);
    let id = IDS.iter().find_map(|key| row.get(*key).and_then(named));
    let texts = texts(&mut row, parts)?;
    let (statement, header) = texts.split_last().expect("every form has a statement");
    let mut header = joined(header);
    // If a row names its system, its header is kept byte for byte.
    if said.is_none() && !header.is_empty() && !header.ends_with('\n') {
        header.push('\n');
    }
    let theorem_name = take(&mut row, "theorem_name")?;
    let footer = take(&mut row, "footer")?.unwrap_or_default();
    let given = Given { header, statement: statement.clone(), footer, theorem_name };
    let language = match said.or(system) {
        Some(system) => system,
        None => language(&given.statement).ok_or(
            "the statement is neither Lean (`theorem name : type`) nor Rocq (`Theorem name : type.`); set \
             the key `system`",
        )?,
    };
    let mut theorem = match language {
        _ if language == LEAN4 && wanted == Some(MINI) => for_mini(given)?,
        _ if language == LEAN4 => of_lean(given)?,
        _ if language == ROCQ => of_rocq(given)?,
        _ if language == MINI => of_mini(given)?,
        _ => given.theorem(language, String::new()),
    };
    row.remove("id");
    theorem.id = id.unwrap_or_else(|| theorem.name.clone());
    // They would break tables or control a terminal.
    if theorem.id.contains(char::is_control) {
        return Err(format!("the id {:?} contains control characters; remove them", theorem.id));
    }
    if theorem.name.is_empty() {
        theorem.name.clone_from(&theorem.id);
    }
    if let Some(informal) = informal {
        row.insert("informal".to_owned(), informal.into());
    }
    if theorem.system == LEAN4 {
        note_holes(&theorem, &mut row);
    }
    if let Some(Value::String(split)) = row.get_mut("split") {
        *split = canonical(split);
    }
    Ok(Problem { theorem, fields: row, place: None })
}

/// A theorem whose header contains `sorry` depends on it whatever its proof, so this is recorded.
pub(super) fn note_holes(theorem: &Theorem, fields: &mut Map<String, Value>) {
    let holes = lean::holes(&theorem.header);
    if holes > 0 {
        fields.entry("answer_holes").or_insert(holes.into());
    }
}

/// The texts of a row, before the theorem is located.
struct Given {
    header: String,
    statement: String,
    footer: String,
    theorem_name: Option<String>,
}

impl Given {
    fn theorem(self, system: System, name: String) -> Theorem {
        Theorem {
            id: String::new(),
            name: self.theorem_name.unwrap_or(name),
            system,
            header: self.header,
            statement: self.statement,
            footer: self.footer,
            extra_imports: Vec::new(),
        }
    }

    /// Moves the text before the theorem from the statement to the header.
    fn cut(&mut self, start: usize, end: usize) {
        if start > 0 {
            self.header = joined(&[std::mem::take(&mut self.header), self.statement[..start].to_owned()]);
        }
        self.statement = self.statement[start..end].trim_end().to_owned();
    }
}

fn of_lean(mut given: Given) -> Result<Theorem, String> {
    let goal = lean::goal(&given.statement)
        .ok_or("the statement names no theorem; it should begin like `theorem name`")?;
    if let Some(why) = lean_source::unprovable(&goal) {
        return Err(why);
    }
    let scopes = lean::open_scopes(&given.header);
    let (header, statement) = lean_source::parts(&given.statement, &goal);
    given.header = joined(&[std::mem::take(&mut given.header), header]);
    given.statement = statement;
    if given.footer.trim().is_empty() {
        given.footer = scopes.closers();
    }
    given.footer.insert_str(0, &goal.closers);
    let name = goal.name.unwrap_or_default();
    Ok(given.theorem(LEAN4, scopes.qualified(&name)))
}

/// Converts a statement of Lean 4 for `mini`, which has its own library instead of the imports in the header. Whether
/// `mini` accepts the rest shows when the theorem is opened.
fn for_mini(given: Given) -> Result<Theorem, String> {
    let mut theorem = of_lean(given)?;
    theorem.system = MINI;
    theorem.header = without_imports(&theorem.header);
    Ok(theorem)
}

/// A text without its imports, and without `open` and `set_option` commands.
fn without_imports(text: &str) -> String {
    let is_left_out = |line: &&str| ["import ", "open ", "set_option "].iter().any(|w| line.starts_with(w));
    let kept: String = text.split_inclusive('\n').filter(|line| !is_left_out(line)).collect();
    if kept.trim().is_empty() { String::new() } else { kept }
}

fn of_mini(given: Given) -> Result<Theorem, String> {
    let name = lean_source::name(&given.header, &given.statement)?;
    Ok(given.theorem(MINI, name))
}

fn of_rocq(mut given: Given) -> Result<Theorem, String> {
    let nameless =
        "the statement names no theorem; it must be a sentence like `Theorem name : forall n : nat, n = n.`";
    let found = rocq::source::theorems(&given.statement).map_err(|e| {
        // A bare proposition is the usual case.
        if given.statement.trim_end().ends_with('.') {
            format!("cannot parse the statement: {e}")
        } else {
            nameless.to_owned() + ", with its period"
        }
    })?;
    let wanted = given.theorem_name.as_ref();
    let unproved: Vec<&str> = found.iter().filter(|t| !t.finished()).map(|t| t.name.as_str()).collect();
    if wanted.is_none() && unproved.len() > 1 {
        let names = unproved.join("`, `");
        return Err(format!(
            "the statement states several theorems without proofs, `{names}`; move all but the one to prove into `header`"
        ));
    }
    let goal = match wanted.and_then(|name| found.iter().find(|t| t.name == *name)) {
        Some(goal) => goal,
        None => found.iter().rfind(|t| !t.finished()).or(found.last()).ok_or(nameless)?,
    };
    let bare = goal.name.clone();
    let is_alone = found.len() == 1
        && given.statement[..goal.start].trim().is_empty()
        && given.statement[goal.opened..].trim().is_empty();
    if !is_alone {
        given.footer.insert_str(0, &goal.closers);
        given.cut(goal.start, goal.opened);
    }
    let Some(Surroundings { name, closers, is_hidden }) = surroundings(&given) else {
        return Ok(given.theorem(ROCQ, bare));
    };
    if is_hidden {
        return Err(format!("theorem `{name}` is {HIDDEN}"));
    }
    if given.theorem_name.as_ref().is_some_and(|given| *given == bare) {
        given.theorem_name = None;
    }
    if given.footer.trim().is_empty() {
        given.footer = closers;
    }
    Ok(given.theorem(ROCQ, name))
}

/// How the open sections and modules of a header affect the theorem.
struct Surroundings {
    /// The name of the theorem at the end of the file.
    name: String,
    /// The sentences that close them.
    closers: String,
    /// Whether it has no name there.
    is_hidden: bool,
}

/// `None` if the header is not valid Rocq, which is reported when the theorem is opened.
fn surroundings(given: &Given) -> Option<Surroundings> {
    let text = joined(&[given.header.clone(), given.statement.clone()]);
    let begins = text.len() - given.statement.len();
    let found = rocq::source::theorems(&text).ok()?;
    let theorem = found.into_iter().find(|theorem| theorem.start >= begins)?;
    Some(Surroundings { name: theorem.name, closers: theorem.closers, is_hidden: !theorem.reachable })
}

/// The language of a statement: Lean writes `theorem` in lower case.
fn language(statement: &str) -> Option<System> {
    let is_rocq = || rocq::source::theorems(statement).is_ok_and(|found| !found.is_empty());
    match lean::goal(statement) {
        Some(_) => Some(LEAN4),
        None => is_rocq().then_some(ROCQ),
    }
}

/// The texts under the given keys, without missing ones. A statement with imports is a complete file.
fn texts(row: &mut Map<String, Value>, parts: &[&str]) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for key in parts {
        texts.extend(take(row, key)?);
    }
    let statement = texts.last().ok_or("the row has no statement")?;
    if statement.trim().is_empty() {
        return Err("the statement is empty".to_owned());
    }
    if !lean::imports(statement).is_empty() {
        texts.drain(..texts.len() - 1);
    }
    Ok(texts)
}

/// Removes the text under a key from a row.
fn take(row: &mut Map<String, Value>, key: &str) -> Result<Option<String>, String> {
    match row.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(_) => Err(format!("`{key}` should be a text")),
    }
}

/// Concatenates texts, each on lines of its own.
fn joined(texts: &[String]) -> String {
    let mut whole = String::new();
    for text in texts.iter().filter(|t| !t.is_empty()) {
        if !whole.is_empty() && !whole.ends_with('\n') {
            whole.push('\n');
        }
        whole += text;
    }
    whole
}

/// A name as text, whether it is a JSON string or a number.
fn named(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The English statement of a row, without comment markers.
fn informal(row: &Map<String, Value>) -> Option<String> {
    let text = INFORMAL.iter().find_map(|key| row.get(*key)?.as_str())?;
    let bare = text.trim();
    let marked = ["/--", "/-!", "/-"].iter().find_map(|mark| bare.strip_prefix(mark)?.strip_suffix("-/"));
    Some(marked.map_or(text, str::trim).to_owned())
}
