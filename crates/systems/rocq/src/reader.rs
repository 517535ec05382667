//! Reads files, statements and rows of Rocq.

use std::ops::Range;
use std::path::{Path, PathBuf};

use andor_core::theorem::{System, Theorem};
use andor_env::in_place::{Edit, Span, WrittenProof};
use andor_env::outline::{self, Place};
use andor_env::source::{
    Called, Form, Hidden, Holds, Likeness, Malformed, Project, ProjectError, ProjectOption, ReadFile, Row,
    SOURCES, Source, SourceFile, joined,
};
use linkme::distributed_slice;

use crate::axioms::SETS;
use crate::outline::outline;
use crate::sentence::{SentenceError, split};
use crate::source::{
    Outline, ProofEnding, SourceTheorem, Untaken, given_by_terms, outline as declarations, statement_name,
    theorems,
};
use crate::{ROCQ, in_place, is_known_bug, project};

#[distributed_slice(SOURCES)]
static REGISTERED: &dyn Source = &Reader;

/// Where a theorem is that has no name at the end of its file.
const HIDDEN: &str = "inside a functor, a module type or a sealed module, where proofs cannot be checked";

/// The reader of Rocq.
struct Reader;

impl Source for Reader {
    fn system(&self) -> System {
        ROCQ
    }

    fn called(&self) -> Called {
        Called { files: "Rocq", project: "a Rocq project" }
    }

    fn guessed(&self, is_statement: bool) -> Option<&'static str> {
        is_statement.then_some("system: rocq (for a statement of Lean, --system mini or lean4)")
    }

    fn likeness(&self, statement: &str) -> Likeness {
        const WORDS: &[&str] = &["forall", "exists", "->", "/\\", "\\/", "Theorem", "Lemma"];
        match statement_name(statement) {
            Some(_) => Likeness::Stated,
            None if WORDS.iter().any(|word| statement.contains(word)) => Likeness::Symbols,
            None => Likeness::Plain,
        }
    }

    fn read(&self, text: &str) -> Result<SourceFile, Malformed> {
        let Outline { theorems: found, untaken, .. } =
            declarations(text).map_err(|error| malformed(text, error))?;
        let (reachable, hidden): (Vec<_>, Vec<_>) = found.into_iter().partition(|t| t.reachable);
        let hidden = hidden.into_iter().filter(|t| !t.finished());
        let theorems = reachable.into_iter().map(|t| andor_env::source::SourceTheorem {
            is_finished: t.finished() && !gives_up(&text[t.end..t.proof_end]),
            draft: draft(text, &t),
            at: Span { statement: t.start..t.opened, proof: t.opened..t.proof_end },
            theorem: Theorem {
                id: t.name.clone(),
                name: t.name,
                system: ROCQ,
                header: text[..t.start].to_owned(),
                statement: text[t.start..t.opened].to_owned(),
                footer: t.closers,
                extra_imports: Vec::new(),
            },
        });
        let refused = untaken
            .into_iter()
            .map(|Untaken { start, what, why }| (start, format!("`{what}` is not taken: {why}")));
        Ok(SourceFile {
            theorems: theorems.collect(),
            hidden: hidden.map(|t| Hidden { name: t.name, why: HIDDEN }).collect(),
            refused: refused.collect(),
        })
    }

    /// Those given by terms, too.
    fn names(&self, text: &str) -> Result<Vec<String>, Malformed> {
        let unreadable = |error| malformed(text, error);
        let found = theorems(text).map_err(unreadable)?;
        let proved = found.into_iter().filter(|t| t.reachable && t.ending != ProofEnding::Aborted);
        let given = given_by_terms(text).map_err(unreadable)?;
        Ok(proved.flat_map(|t| std::iter::once(t.name).chain(t.also)).chain(given).collect())
    }

    /// Rocq derives names from declarations, such as `nat_ind` and `half_obligation_1`, and `Program` proves others: the name occurs
    /// as a whole word, or begins with such a word followed by an underscore.
    fn may_declare(&self, text: &str, name: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'');
        let is_of =
            |word: &str| name == word || name.strip_prefix(word).is_some_and(|rest| rest.starts_with('_'));
        text.split(|c: char| !is_part(c)).any(|word| !word.is_empty() && is_of(word))
    }

    fn imports(&self, text: &str) -> Vec<String> {
        let sentences = split(text).unwrap_or_default();
        let required = sentences.iter().filter(|sentence| sentence.text.contains("Require"));
        let modules = required.flat_map(|sentence| {
            let words = sentence.text.trim_end_matches('.').split_whitespace();
            let root = sentence.text.strip_prefix("From ").and_then(|rest| rest.split_whitespace().next());
            let modules = words.skip_while(|word| *word != "Require").skip(1);
            let modules = modules.filter(|word| !["Import", "Export"].contains(word));
            modules
                .map(move |module| root.map_or_else(|| module.to_owned(), |root| format!("{root}.{module}")))
        });
        modules.collect()
    }

    fn statement(&self, statement: &str, imports: &[String]) -> Result<Theorem, String> {
        let mut statement = statement.to_owned();
        if !statement.ends_with('.') {
            statement.push('.');
        }
        let name = match statement_name(&statement) {
            Some(name) => name,
            None => {
                statement.insert_str(0, "Theorem goal : ");
                "goal".to_owned()
            }
        };
        let sentences = split(&statement).unwrap_or_default();
        let is_open = |text: &str| matches!(text, "Proof." | "Admitted." | "Abort.");
        if let [first, rest @ ..] = &sentences[..]
            && rest.iter().all(|sentence| is_open(sentence.text))
        {
            statement = first.text.to_owned();
        } else if sentences.len() > 1 {
            return Err("the statement has more than one sentence; put what comes before the theorem into the header \
                        (--import)"
                .to_owned());
        }
        let header = imports.iter().map(|line| format!("{}\n", import(line))).collect();
        Ok(Row { header, statement, ..Row::default() }.theorem(ROCQ, name))
    }

    fn states(&self, text: &str) -> bool {
        theorems(text).is_ok_and(|found| !found.is_empty())
    }

    fn row(&self, mut row: Row) -> Result<Theorem, String> {
        let nameless = "the statement names no theorem; it must be a sentence like `Theorem name : forall n : nat, n = n.`";
        let found = theorems(&row.statement).map_err(|e| {
            // A bare proposition is the usual case.
            if row.statement.trim_end().ends_with('.') {
                format!("cannot parse the statement: {e}")
            } else {
                nameless.to_owned() + ", with its period"
            }
        })?;
        let wanted = row.theorem_name.as_ref();
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
        if let Some(also) = goal.also.first() {
            return Err(format!(
                "the statement states several theorems at once, `{}` with `{also}`; state them one by one",
                goal.name
            ));
        }
        let bare = goal.name.clone();
        let is_alone = found.len() == 1
            && row.statement[..goal.start].trim().is_empty()
            && row.statement[goal.opened..].trim().is_empty();
        if !is_alone {
            row.footer.insert_str(0, &goal.closers);
            row.cut(goal.start..goal.opened);
        }
        // Text that is not valid is reported when the theorem is opened.
        let Some(around) = around(&row) else { return Ok(row.theorem(ROCQ, bare)) };
        if !around.reachable {
            return Err(format!("theorem `{}` is {HIDDEN}", around.name));
        }
        if row.theorem_name.as_ref().is_some_and(|given| *given == bare) {
            row.theorem_name = None;
        }
        if row.footer.trim().is_empty() {
            row.footer = around.closers;
        }
        Ok(row.theorem(ROCQ, around.name))
    }

    fn forms(&self) -> &'static [Form] {
        const COQ_STATEMENT: Form = Form {
            name: "rows with `coq_statement`",
            keys: &["coq_statement"],
            holds: Holds::Theorem(&["coq_statement"]),
        };
        &[COQ_STATEMENT]
    }

    fn knows_bug(&self, name: &str) -> bool {
        is_known_bug(name)
    }

    fn axiom_sets(&self) -> &'static [(&'static str, &'static [&'static str])] {
        SETS
    }

    fn outline(&self, script: &str) -> outline::Outline {
        outline(script)
    }

    fn is_proof_alone(&self, text: &str) -> bool {
        let declares = |text| {
            theorems(text).map_or(true, |found| !found.is_empty())
                || given_by_terms(text).map_or(true, |found| !found.is_empty())
        };
        let begins = split(text).unwrap_or_default().first().map(|first| first.text);
        let is_proof = |first: &str| first.starts_with("Proof") || !first.starts_with(char::is_uppercase);
        text.trim_start().starts_with(":=") || begins.is_some_and(is_proof) && !declares(text)
    }

    /// Tactics, with `Proof` and `Qed` around them or without.
    fn with_proof(&self, file: &str, theorem: &str, proof: &str) -> Option<[String; 3]> {
        let theorem = named(file, theorem)?;
        let start = format!("{}\n", file[..theorem.opened].trim_end());
        // A second `Proof` is an error.
        let opened = file[theorem.end..theorem.opened].contains("Proof");
        let proof = match (proof.trim_start().strip_prefix("Proof."), proof.trim_start().strip_prefix(":=")) {
            (Some(tactics), _) if opened => tactics.to_owned(),
            (_, Some(term)) => format!("exact ({}).", term.trim().trim_end_matches('.')),
            _ => proof.to_owned(),
        };
        let sentences = split(&proof).unwrap_or_default();
        let is_ended = sentences.last().is_some_and(|last| {
            let is_term = |rest: &str| {
                !rest.starts_with('.') && !rest.starts_with("using") && !rest.starts_with("with")
            };
            ["Qed", "Defined", "Admitted", "Abort", "Save"].iter().any(|end| last.text.starts_with(end))
                || last.text.strip_prefix("Proof").is_some_and(|rest| is_term(rest.trim_start()))
        });
        let end = if is_ended { "" } else { "\nQed." };
        Some([start, format!("{proof}{end}\n"), theorem.closers])
    }

    fn filled(&self, file: &str, at: &Span, proof: &WrittenProof) -> Option<Vec<Edit>> {
        in_place::filled(file, at, proof)
    }

    fn whole(&self, file: &str, at: &Span, proof: &WrittenProof) -> Vec<Edit> {
        in_place::whole(file, at, proof)
    }

    fn imports_at_top(&self, file: &str, lines: &[String]) -> Option<Edit> {
        Some(in_place::at_top(file, lines))
    }

    fn imports_in_proof(&self, at: &Span, lines: &[String]) -> Option<Edit> {
        Some(in_place::behind_statement(at, lines))
    }

    fn proof_of(&self, file: &str, theorem: &str) -> Option<Range<usize>> {
        named(file, theorem).map(|theorem| theorem.end..theorem.proof_end)
    }

    fn unended(&self, text: &str) -> Option<(String, Place)> {
        let is_ended = |theorem: &SourceTheorem| {
            let sentences = split(&text[theorem.start..theorem.proof_end]).unwrap_or_default();
            theorem.ending != ProofEnding::Open
                || sentences.last().is_some_and(|last| last.text.starts_with("Admitted"))
        };
        let theorem = theorems(text).ok()?.into_iter().find(|theorem| !is_ended(theorem))?;
        let place = Place::of(text, theorem.start);
        Some((theorem.name, place))
    }

    fn project_folder(&self, source: &Path) -> Option<PathBuf> {
        project::folder(source)
    }

    fn project_option(&self) -> Option<ProjectOption> {
        Some(ProjectOption::LoadPath)
    }

    fn project(&self, source: &Path, read: ReadFile<'_>) -> Result<Option<Project>, ProjectError> {
        project::of(source, read).map_err(ProjectError::of)
    }
}

fn malformed(text: &str, error: SentenceError) -> Malformed {
    match error {
        SentenceError::Unclosed(unclosed) => Malformed::unclosed(text, unclosed),
        SentenceError::NoPeriod(at) => Malformed {
            at: Place::of(text, at.min(text.len())),
            what: "the sentence that begins here has no period".to_owned(),
        },
    }
}

fn named(text: &str, name: &str) -> Option<SourceTheorem> {
    theorems(text).ok()?.into_iter().find(|theorem| theorem.name == name)
}

/// Whether a proof gives up a goal.
fn gives_up(proof: &str) -> bool {
    ["admit", "give_up"].iter().any(|word| proof.contains(word)) && outline(proof).has_holes()
}

/// Where the unfinished proof of a theorem is, if it has a tactic and is not aborted.
fn draft(text: &str, theorem: &SourceTheorem) -> Option<Range<usize>> {
    let proof = &text[theorem.end..theorem.proof_end];
    let is_open = theorem.ending == ProofEnding::Open || (theorem.finished() && gives_up(proof));
    (is_open && outline(proof).has_tactics()).then_some(theorem.end..theorem.proof_end)
}

/// An import line with its final period; a bare library name becomes `Require Import`.
fn import(line: &str) -> String {
    let line = line.trim().trim_end_matches('.');
    let is_command = line.starts_with(|c: char| c.is_ascii_uppercase()) && line.contains(' ');
    if is_command { format!("{line}.") } else { format!("Require Import {line}.") }
}

/// The theorem of a row where it stands in its header.
fn around(row: &Row) -> Option<SourceTheorem> {
    let text = joined(&[row.header.clone(), row.statement.clone()]);
    let begins = text.len() - row.statement.len();
    theorems(&text).ok()?.into_iter().find(|theorem| theorem.start >= begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_mentioned_as_words() {
        for text in ["Axiom a : True.", "a", "M.a:=a'"] {
            assert!(Reader.may_declare(text, "a"), "{text}");
        }
        for text in ["", "Axiom ab : True.", "a' _a 1a"] {
            assert!(!Reader.may_declare(text, "a"), "{text}");
        }
        assert!(!Reader.may_declare("anything", ""));
        assert!(Reader.may_declare("Program Definition half", "half_obligation_1"));
        assert!(!Reader.may_declare("Program Definition half", "halfway"));
    }

    #[test]
    fn proofs_alone_are_told_from_files() {
        for proof in [
            "Proof.\n  auto.\nQed.\n",
            "intros. auto.",
            "- auto.",
            ":= eq_refl",
            "(* why *) Proof using. auto. Qed.",
        ] {
            assert!(Reader.is_proof_alone(proof), "{proof}");
        }
        for file in ["Theorem t : True. Proof. auto. Qed.", "Require Import List.", "Definition d := 1.", ""]
        {
            assert!(!Reader.is_proof_alone(file), "{file}");
        }
    }
}
