//! Reads files, statements and rows of Lean 4.

use std::ops::Range;
use std::path::{Path, PathBuf};

use andor_core::theorem::{System, Theorem};
use andor_env::in_place::{Edit, Span, WrittenProof};
use andor_env::outline::Outline;
use andor_env::source::{
    Called, ExternalKernel, Fit, Form, Holds, Likeness, Malformed, Project, ProjectError, ProjectOption,
    ReadFile, Row, SOURCES, Source, SourceFile, joined,
};
use andor_lean_language::above::OpenTheorems;
use andor_lean_language::declarations::{
    Sort, SourceTheorem, declarations, goal, holes, imports, open_scopes,
};
use andor_lean_language::in_place;
use andor_lean_language::outline::outline;
use andor_lean_language::reader::{
    is_proof_alone, leaves_open, likeness, parts, proof_of, sentence, with_proof,
};
use linkme::distributed_slice;

use crate::{LEAN4, kernels, lake};

#[distributed_slice(SOURCES)]
static REGISTERED: &dyn Source = &Reader;

/// The reader of Lean 4.
struct Reader;

impl Source for Reader {
    fn system(&self) -> System {
        LEAN4
    }

    fn called(&self) -> Called {
        Called { files: "Lean", project: "a Lake project" }
    }

    /// Files without imports outside Lake projects may be of another system.
    fn fit(&self, path: Option<&Path>, text: &str) -> Fit {
        let is_certain = !imports(text).is_empty() || path.is_some_and(|path| lake::project(path).is_some());
        if is_certain { Fit::Certain } else { Fit::Possible }
    }

    fn is_no_source(&self, path: &Path) -> bool {
        path.ends_with("lakefile.lean")
    }

    fn likeness(&self, statement: &str) -> Likeness {
        likeness(statement)
    }

    fn read(&self, text: &str) -> Result<SourceFile, Malformed> {
        let all = declarations(text).map_err(|unclosed| Malformed::unclosed(text, unclosed))?;
        let mut found = SourceFile::default();
        let mut open = OpenTheorems::of(text);
        for mut declared in all {
            let is_theorem = declared.sort == Sort::Theorem;
            if is_theorem {
                declared.finished &= !leaves_open(&text[declared.proof.clone()]);
            }
            let is_open = !declared.finished && (is_theorem || declared.gives_up || declared.gives_up_behind);
            let proof = declared.proof.clone();
            let why = || unprovable(&declared).or_else(|| of_fields(&text[proof.start..], &declared));
            if let Some(why) = is_open.then(why).flatten() {
                // An abbreviation left open is an answer to be put in, which a note tells.
                let is_answer = text[declared.start..].starts_with("abbrev");
                found.refused.extend((!is_answer).then_some((declared.start, why)));
                continue;
            }
            // The header of one in a `mutual` block would be a part of the block.
            if !is_theorem || declared.in_mutual {
                continue;
            }
            let Range { start, end } = declared.command.clone();
            let (before, statement) = parts(&text[start..end], &declared.within(start));
            let name = declared.name.clone().unwrap_or_default();
            let theorem = Theorem {
                id: name.clone(),
                name: name.clone(),
                system: LEAN4,
                header: open.header(start, declared.end) + &before,
                statement,
                footer: match text[proof.end..end].trim() {
                    "" => declared.closers,
                    behind => format!("{behind}\n{}", declared.closers),
                },
                extra_imports: Vec::new(),
            };
            let has_steps = !declared.finished && outline(&text[proof.clone()]).has_tactics();
            if !declared.finished {
                open.add(start..end, &name);
            }
            found.theorems.push(andor_env::source::SourceTheorem {
                theorem,
                draft: has_steps.then(|| proof.clone()),
                at: Span { statement: declared.start..declared.end, proof },
                is_finished: declared.finished,
            });
        }
        Ok(found)
    }

    /// Those in `mutual` blocks, too. An example has no name.
    fn names(&self, text: &str) -> Result<Vec<String>, Malformed> {
        let found = declarations(text).map_err(|unclosed| Malformed::unclosed(text, unclosed))?;
        let is_named = |name: &String| !name.rsplit('.').next().unwrap_or_default().starts_with("_example_");
        let theorems = found.into_iter().filter(|declared| declared.sort == Sort::Theorem);
        Ok(theorems.filter_map(|declared| declared.name).filter(is_named).collect())
    }

    fn imports(&self, text: &str) -> Vec<String> {
        imports(text).into_iter().map(str::to_owned).collect()
    }

    fn lacks_imports(&self, header: &str) -> bool {
        imports(header).is_empty()
    }

    fn open_values(&self, header: &str) -> usize {
        holes(header)
    }

    fn statement(&self, statement: &str, imports: &[String]) -> Result<Theorem, String> {
        let header = imports.iter().map(|line| format!("{}\n", command(line))).collect();
        let statement = sentence(statement);
        let stated = goal(&statement).filter(|goal| goal.start == 0 && goal.name.is_some());
        let stated = stated.ok_or("the statement needs a name: write `theorem NAME …`")?;
        let (_, statement) = parts(&statement, &stated);
        let row = Row { header, statement, ..Row::default() };
        Ok(row.theorem(LEAN4, stated.name.unwrap_or_default()))
    }

    fn states(&self, text: &str) -> bool {
        goal(text).is_some()
    }

    fn is_whole_file(&self, text: &str) -> bool {
        !imports(text).is_empty()
    }

    fn row(&self, mut row: Row) -> Result<Theorem, String> {
        let goal = goal(&row.statement)
            .ok_or("the statement names no theorem; it should begin like `theorem name`")?;
        if let Some(why) = unprovable(&goal) {
            return Err(why);
        }
        let scopes = open_scopes(&row.header);
        let (header, statement) = parts(&row.statement, &goal);
        row.header = joined(&[std::mem::take(&mut row.header), header]);
        row.statement = statement;
        if row.footer.trim().is_empty() {
            row.footer = scopes.closers();
        }
        row.footer.insert_str(0, &goal.closers);
        let name = goal.name.unwrap_or_default();
        Ok(row.theorem(LEAN4, scopes.qualified(&name)))
    }

    fn forms(&self) -> &'static [Form] {
        FORMS
    }

    fn kernels(&self) -> Vec<ExternalKernel> {
        kernels::all()
    }

    fn qualified(&self, header: &str, name: &str) -> String {
        open_scopes(header).qualified(name)
    }

    fn outline(&self, script: &str) -> Outline {
        outline(script)
    }

    fn is_proof_alone(&self, text: &str) -> bool {
        is_proof_alone(text)
    }

    fn with_proof(&self, file: &str, theorem: &str, proof: &str) -> Option<[String; 3]> {
        with_proof(file, theorem, proof)
    }

    fn filled(&self, file: &str, at: &Span, proof: &WrittenProof) -> Option<Vec<Edit>> {
        in_place::filled(file, at, proof)
    }

    fn whole(&self, file: &str, at: &Span, proof: &WrittenProof) -> Vec<Edit> {
        in_place::whole(file, at, proof)
    }

    fn proof_of(&self, file: &str, theorem: &str) -> Option<Range<usize>> {
        proof_of(file, theorem)
    }

    fn project_folder(&self, source: &Path) -> Option<PathBuf> {
        lake::project(source)
    }

    fn project_option(&self) -> Option<ProjectOption> {
        Some(ProjectOption::Folder)
    }

    fn project(&self, source: &Path, _read: ReadFile<'_>) -> Result<Option<Project>, ProjectError> {
        let project = |folder: PathBuf| Project {
            notes: vec![format!("using the Lean project {}", folder.display())],
            folder: Some(folder),
            ..Project::default()
        };
        Ok(lake::project(source).map(project))
    }
}

/// Why a declaration cannot be proved as a theorem of its own, if so.
fn unprovable(declared: &SourceTheorem) -> Option<String> {
    let name = declared.name.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
    Some(match declared.sort {
        Sort::Instance => format!(
            "the instance{name} is left open; andor proves theorems: state what it needs as `theorem name : type`, and \
             give that to the instance"
        ),
        Sort::Definition => format!(
            "the definition{name} is left open; andor proves theorems, and chooses no definitions: put in its value"
        ),
        Sort::Theorem if declared.in_mutual => format!(
            "the theorem{name} is in a `mutual` block, whose other declarations may depend on it; state it outside"
        ),
        Sort::Theorem if declared.gives_up_behind => format!(
            "what stands behind the proof of the theorem{name} is left open; andor proves theorems: state that as one, above this"
        ),
        Sort::Theorem => return None,
    })
}

/// Why a theorem whose proof is this text cannot be proved, if its fields are given behind `where`.
fn of_fields(proof: &str, declared: &SourceTheorem) -> Option<String> {
    let name = declared.name.as_deref().unwrap_or_default();
    proof.starts_with("where").then(|| {
        format!("the proof of `{name}` is given by `where`, which andor does not read: write it as `:= ⟨…⟩` or `:= by …`")
    })
}

/// A line of a header; a bare module name becomes an import.
fn command(line: &str) -> String {
    let line = line.trim();
    if line.contains(char::is_whitespace) { line.to_owned() } else { format!("import {line}") }
}

const LEAN_3: Holds = Holds::Other(
    "theorems of Lean 3, which andor does not support; use a port to Lean 4, such as ProofNet-lean4 or ProofNet#",
);

/// Rows of known data sets.
const FORMS: &[Form] = &[
    Form { name: "ProofNet (original) rows", keys: &["src_header"], holds: LEAN_3 },
    Form { name: "Goedel-Prover-V2 rows", keys: &["lean4_code"], holds: Holds::Theorem(&["lean4_code"]) },
    Form {
        name: "ProofNet# rows",
        keys: &["lean4_src_header", "lean4_formalization"],
        holds: Holds::Theorem(&["lean4_src_header", "lean4_formalization"]),
    },
    Form {
        name: "ProofNet-Verified rows",
        keys: &["formal_stmt"],
        holds: Holds::Theorem(&["header", "helper", "formal_stmt"]),
    },
    Form {
        name: "rows with `formal_statement`",
        keys: &["formal_statement"],
        holds: Holds::Theorem(&["header", "informal_prefix", "formal_statement"]),
    },
    Form {
        name: "rows with `lean4_statement`",
        keys: &["lean4_statement"],
        holds: Holds::Theorem(&["header", "lean4_statement"]),
    },
    Form {
        name: "LeanDojo benchmark rows",
        keys: &["url", "commit", "file_path", "full_name", "traced_tactics"],
        holds: Holds::Location,
    },
    Form {
        name: "LeanDojo locations",
        keys: &["url", "commit", "file_path", "full_name"],
        holds: Holds::Location,
    },
];
