//! Reads files, statements and rows for `mini`.

use std::ops::Range;
use std::path::Path;

use andor_core::theorem::{System, Theorem};
use andor_env::in_place::{Edit, Span, WrittenProof};
use andor_env::outline::{Outline, Place};
use andor_env::source::{Called, Fit, Likeness, Malformed, Row, SOURCES, Source, SourceFile, SourceTheorem};
use andor_lean_language::above::OpenTheorems;
use andor_lean_language::declarations;
use andor_lean_language::in_place;
use andor_lean_language::outline::outline;
use andor_lean_language::reader::{is_proof_alone, leaves_open, likeness, proof_of, sentence, with_proof};
use linkme::distributed_slice;

use crate::source::{FileError, has_axiom, statement_name, theorems};
use crate::{MINI, STANDARD_AXIOMS, lean_term};

#[distributed_slice(SOURCES)]
static REGISTERED: &dyn Source = &Reader;

/// The reader of `mini`.
struct Reader;

impl Source for Reader {
    fn system(&self) -> System {
        MINI
    }

    fn called(&self) -> Called {
        Called { files: "Lean", project: "a Lean project" }
    }

    fn guessed(&self, _is_statement: bool) -> Option<&'static str> {
        Some(
            "system: mini (the embedded prover, for a fragment of Lean 4; --system lean4 uses an installed Lean)",
        )
    }

    /// Nothing needs to be installed for it, so it is for any file that is not certainly of another system.
    fn fit(&self, _path: Option<&Path>, _text: &str) -> Fit {
        Fit::Usual
    }

    fn likeness(&self, statement: &str) -> Likeness {
        likeness(statement)
    }

    fn read(&self, text: &str) -> Result<SourceFile, Malformed> {
        let mut open = OpenTheorems::of(text);
        let all = theorems(text).map_err(|error| {
            let Malformed { at, what } = malformed(error);
            Malformed { at, what: format!("{what}; the system `mini` reads a fragment of Lean 4") }
        })?;
        let stated = all.into_iter().map(|stated| {
            let proof = stated.end..stated.command.end;
            let is_finished = stated.finished && !leaves_open(&text[proof.clone()]);
            let header = open.header(stated.command.start, stated.end);
            if !is_finished {
                open.add(stated.command.clone(), &stated.name);
            }
            let statement = text[stated.start..stated.end].trim_end().to_owned();
            // An `example` is named by its number, and the header lacks the open ones before it.
            let of_example = || named(&header, &statement).ok();
            let called = if statement.starts_with("example") { of_example() } else { None };
            let name = called.unwrap_or_else(|| stated.name.clone());
            let row = Row { header, statement, ..Row::default() };
            let theorem = Theorem { id: stated.name, ..row.theorem(MINI, name) };
            let has_steps = !is_finished && outline(&text[proof.clone()]).has_tactics();
            let draft = has_steps.then(|| proof.clone());
            let at = Span { statement: stated.start..stated.end, proof };
            SourceTheorem { theorem, at, is_finished, draft }
        });
        Ok(SourceFile { theorems: stated.collect(), ..SourceFile::default() })
    }

    fn names(&self, text: &str) -> Result<Vec<String>, Malformed> {
        Ok(theorems(text).map_err(malformed)?.into_iter().map(|stated| stated.name).collect())
    }

    fn imports(&self, text: &str) -> Vec<String> {
        declarations::imports(text).into_iter().map(str::to_owned).collect()
    }

    fn statement(&self, statement: &str, imports: &[String]) -> Result<Theorem, String> {
        let header: String = imports.iter().map(|line| format!("{line}\n")).collect();
        let statement = sentence(statement);
        let name = named(&header, &statement).map_err(|why| match statement.contains(":=") {
            true => why + "; give only the part before `:=`, without a proof",
            false => why,
        })?;
        Ok(Row { header, statement, ..Row::default() }.theorem(MINI, name))
    }

    fn states(&self, text: &str) -> bool {
        declarations::goal(text).is_some()
    }

    fn row(&self, row: Row) -> Result<Theorem, String> {
        let name = named(&row.header, &row.statement)?;
        Ok(row.theorem(MINI, name))
    }

    /// A theorem of Lean 4 without its imports, since `mini` has its own library. Whether `mini` accepts the rest shows when the
    /// theorem is opened.
    fn adopted(&self, theorem: &Theorem) -> Option<Theorem> {
        let is_lean =
            theorem.system != MINI && theorem.system.language().extension == MINI.language().extension;
        let header = without_imports(&theorem.header);
        is_lean.then(|| Theorem { system: MINI, header, ..theorem.clone() })
    }

    fn lacks_axiom(&self, name: &str, files: &[String]) -> Option<String> {
        let is_known =
            STANDARD_AXIOMS.contains(&name) || files.iter().any(|file| has_axiom(file, name) != Some(false));
        let own = STANDARD_AXIOMS.join(", ");
        (!is_known).then(|| format!("`{name}` is no axiom of the file; `mini` itself has {own}"))
    }

    fn for_other_kernel(&self, file: &str, theorem: &str) -> Option<Result<String, String>> {
        Some(lean_term(file, theorem).map_err(|error| error.to_string()))
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
}

fn malformed(FileError { what, line, column }: FileError) -> Malformed {
    Malformed { at: Place { line, column }, what }
}

/// The name of the theorem in a statement, or the reason why there is none.
fn named(header: &str, statement: &str) -> Result<String, String> {
    match statement_name(header, statement) {
        Ok(Some(name)) => Ok(name),
        Ok(None) => Err("it should state one theorem, like `theorem name : 1 = 1`".to_owned()),
        Err(error) => Err(format!("cannot parse the statement: {}", error.what)),
    }
}

/// A text without its imports, and without `open` and `set_option` commands.
fn without_imports(text: &str) -> String {
    let is_left_out =
        |line: &&str| ["import ", "open ", "set_option "].iter().any(|word| line.starts_with(word));
    let kept: String = text.split_inclusive('\n').filter(|line| !is_left_out(line)).collect();
    if kept.trim().is_empty() { String::new() } else { kept }
}
