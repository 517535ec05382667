//! Which theorems and rows are those of a benchmark: by the text of their statements, and by the strict signatures of their
//! goals, for which the theorems of both sides are opened in their proof assistant.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use andor_config::{Config, Grouping};
use andor_core::theorem::{System, Theorem};
use andor_dataset as dataset;
use andor_engine::registry;
use andor_env::error::EnvError;
use andor_env::session::{Attempted, Limits, Session};
use andor_env::workers::Workers;
use serde::Serialize;

use super::super::ExportError;
use super::super::replay::preview;

/// A data set that models are measured on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Benchmark {
    /// Its name in the report.
    pub name: String,
    /// Its file or folder, in any form that andor reads.
    pub path: PathBuf,
}

/// What a data set has in common with a benchmark.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Contamination {
    /// The benchmark's name.
    pub benchmark: String,
    /// The number of its theorems.
    pub theorems: u64,
    /// Those that this machine cannot open: they were compared by their statements only.
    pub not_opened: Vec<String>,
    /// What was found, by theorem.
    pub found: Vec<Overlap>,
}

impl Contamination {
    /// How many theorems of the benchmark were found.
    pub fn counterparts(&self) -> usize {
        self.found.iter().map(|overlap| overlap.benchmark_theorem.as_str()).collect::<HashSet<_>>().len()
    }
}

/// A theorem with rows about a theorem of a benchmark.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct Overlap {
    /// The theorem's id.
    pub theorem: String,
    /// The theorem's id in the benchmark.
    pub benchmark_theorem: String,
    /// How it was found.
    pub by: Measure,
    /// The number of rows concerned.
    pub rows: u64,
}

/// What two theorems have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// The normalised statement. All rows of the theorem are concerned.
    Statement,
    /// The strict signature of the goal, as stated or after `intros`. All rows of the theorem are concerned.
    Goal,
    /// The strict signature of a goal on the way. The rows about this goal are concerned.
    Step,
}

impl Measure {
    /// Its name in the report.
    pub fn name(self) -> &'static str {
        match self {
            Self::Statement => "statement",
            Self::Goal => "goal",
            Self::Step => "step",
        }
    }
}

/// The theorems of a benchmark, to be compared with others.
pub(super) struct Known {
    /// The ids by normalised statement.
    statements: HashMap<String, String>,
    /// The ids by system and strict signature.
    goals: HashMap<(System, String), String>,
    theorems: u64,
    not_opened: Vec<String>,
}

impl Known {
    /// Reads a benchmark. Ambiguous files are read for `system`.
    pub(super) async fn read(
        benchmark: &Benchmark,
        system: System,
        opener: &mut Opener,
    ) -> Result<Self, ExportError> {
        let project = opener.config.project.clone();
        let problems = dataset::read(&benchmark.path, Some(system), project.as_deref())?.problems;
        let mut known = Self {
            statements: HashMap::new(),
            goals: HashMap::new(),
            theorems: problems.len() as u64,
            not_opened: Vec::new(),
        };
        for problem in problems {
            let theorem = problem.theorem;
            known.statements.entry(normalised(&theorem)).or_insert_with(|| theorem.id.clone());
            match opener.goals(&theorem).await {
                Ok(goals) => {
                    for goal in goals {
                        known.goals.entry((theorem.system, goal)).or_insert_with(|| theorem.id.clone());
                    }
                }
                Err(_) => known.not_opened.push(theorem.id),
            }
        }
        Ok(known)
    }

    /// The theorem of the benchmark that a theorem is, if any.
    pub(super) fn is(&self, theorem: &Theorem, goals: &[String]) -> Option<(Measure, &str)> {
        if let Some(id) = self.statements.get(&normalised(theorem)) {
            return Some((Measure::Statement, id));
        }
        goals.iter().find_map(|goal| self.has(theorem.system, goal)).map(|id| (Measure::Goal, id))
    }

    /// The theorem of the benchmark with this goal.
    pub(super) fn has(&self, system: System, goal: &str) -> Option<&str> {
        self.goals.get(&(system, goal.to_owned())).map(String::as_str)
    }

    /// The report, with what was found: for each theorem, its counterpart and how it was found, the number of rows.
    pub(super) fn report(self, name: &str, found: BTreeMap<(String, String, Measure), u64>) -> Contamination {
        let overlap =
            |((theorem, benchmark_theorem, by), rows)| Overlap { theorem, benchmark_theorem, by, rows };
        Contamination {
            benchmark: name.to_owned(),
            theorems: self.theorems,
            not_opened: self.not_opened,
            found: found.into_iter().map(overlap).collect(),
        }
    }
}

/// Opens theorems to see their goals.
pub(super) struct Opener {
    config: Config,
    workers: HashMap<System, Arc<Workers>>,
}

impl Opener {
    pub(super) fn new(config: Config) -> Self {
        Self { config, workers: HashMap::new() }
    }

    /// The strict signatures of a theorem's goal: as stated, and after `intros`, so that it makes no difference where a
    /// variable is bound.
    pub(super) async fn goals(&mut self, theorem: &Theorem) -> Result<Vec<String>, EnvError> {
        let workers = self.workers.entry(theorem.system).or_insert_with(|| {
            Workers::new(registry::environment(theorem.system, &self.config), Grouping::Whole)
        });
        let limits = Limits { workers: 1, ..self.config.limits() };
        let session = Session::open(Arc::clone(workers), theorem.clone(), limits).await?;
        let root = session.root();
        let mut goals = vec![session.signatures(root).strict.to_string()];
        if let Some(preview) = preview(&session, root, "intros").await?
            && let Attempted::Applied { children, .. } = &*preview.attempted
        {
            goals.extend(children.iter().map(|child| child.signatures.strict.to_string()));
        }
        Ok(goals)
    }
}

/// The commands that state theorems.
const COMMANDS: &[&str] = &[
    "theorem",
    "lemma",
    "example",
    "def",
    "Theorem",
    "Lemma",
    "Example",
    "Fact",
    "Remark",
    "Corollary",
    "Proposition",
    "Property",
    "Goal",
    "Definition",
];

/// A statement without what can be changed freely: comments, white space, the command that states it, and its name.
pub(super) fn normalised(theorem: &Theorem) -> String {
    let words = words(&theorem.statement, theorem.system);
    let commands: HashSet<&str> = COMMANDS.iter().copied().collect();
    let start = words.iter().position(|word| commands.contains(word)).map_or(0, |at| {
        let is_named = !matches!(words[at], "Goal") && words.get(at + 1).is_some_and(|word| *word != ":");
        at + 1 + usize::from(is_named)
    });
    // A goal without a name has no colon before it, either.
    let start = start + usize::from(words.get(start) == Some(&":"));
    let end = words.len() - usize::from(words.last() == Some(&"."));
    words[start.min(end)..end].join(" ")
}

/// What a theorem states, and in which context: its system, the texts before and after it, and its normalised statement,
/// all without comments and white space. Theorems for which it is equal differ in their names only.
pub fn in_context(theorem: &Theorem) -> (System, [String; 3]) {
    let text = |text| words(text, theorem.system).join(" ");
    (theorem.system, [text(&theorem.header), normalised(theorem), text(&theorem.footer)])
}

/// The words and symbols of a text, without comments.
fn words(text: &str, system: System) -> Vec<&str> {
    let lexis = &system.language().lexis;
    let [opening, closing] = lexis.block_comment.map_or([None; 2], |marks| marks.map(Some));
    let mut words = Vec::new();
    let mut at = 0;
    let mut depth = 0_usize;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let begins = |mark: Option<&str>| mark.filter(|mark| rest.starts_with(mark)).map(str::len);
        if let Some(length) = begins(opening) {
            depth += 1;
            at += length;
        } else if let (true, Some(length)) = (depth > 0, begins(closing)) {
            depth -= 1;
            at += length;
        } else if depth > 0 || first.is_whitespace() {
            at += first.len_utf8();
        } else if begins(lexis.line_comment).is_some() {
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let length = word(rest).unwrap_or(first.len_utf8());
            words.push(&rest[..length]);
            at += length;
        }
    }
    words
}

/// The length of the name or number that a text begins with. Dots belong to it unless nothing of it follows.
fn word(text: &str) -> Option<usize> {
    let belongs = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let end = text.find(|c: char| !belongs(c) && c != '.').unwrap_or(text.len());
    let length = text[..end].trim_end_matches('.').len();
    (length > 0 && text.starts_with(belongs)).then_some(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    fn of(system: System, statement: &str) -> String {
        normalised(&Theorem {
            id: "t".to_owned(),
            name: "t".to_owned(),
            system,
            header: String::new(),
            statement: statement.to_owned(),
            footer: String::new(),
            extra_imports: Vec::new(),
        })
    }

    #[test]
    fn statements_are_equal_but_for_names_comments_and_space() {
        let lean = of(LEAN4, "theorem a.b (n:Nat)  -- all\n : n + 0 = n /- is /- nested -/ -/");
        assert_eq!(lean, "( n : Nat ) : n + 0 = n");
        assert_eq!(of(MINI, "@[simp] lemma other (n : Nat) : n + 0 = n"), lean);
        assert_ne!(of(MINI, "theorem other (n : Nat) : n + 1 = n"), lean);
        let rocq = of(ROCQ, "Theorem t : forall n, n = n. ");
        assert_eq!(rocq, "forall n , n = n");
        assert_eq!(of(ROCQ, "Lemma x:(* c *)forall n,n=n."), rocq);
        assert_eq!(of(ROCQ, "Goal forall n, n = n."), rocq);
        assert_eq!(of(MINI, "example : p"), "p");
    }
}
