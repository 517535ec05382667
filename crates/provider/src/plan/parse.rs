//! From the text that a model answers to the steps of a plan.

use andor_core::plan::PlanStep;
use andor_core::theorem::System;

use crate::llm::answer::{code_blocks, indentation, without_marker, without_reasoning};

/// Why an answer is no plan. Lines count from 1 within the answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// There is no step in it.
    #[error("there is no step: write each as `{form}`, on a line of its own")]
    NoStep {
        /// How a step looks.
        form: &'static str,
    },
    /// A step has no name, or no identifier for one.
    #[error("line {line}: the step needs a name: write it as `{form}`")]
    NoName {
        /// The line of the step.
        line: usize,
        /// How a step looks.
        form: &'static str,
    },
    /// A step says nothing.
    #[error("line {line}: `{name}` has no statement: write it as `{form}`")]
    NoStatement {
        /// The line of the step.
        line: usize,
        /// Its name.
        name: String,
        /// How a step looks.
        form: &'static str,
    },
    /// A bracket is not closed, or one is closed that is not open.
    #[error("line {line}: the brackets of `{name}` do not match")]
    Brackets {
        /// The line of the step.
        line: usize,
        /// Its name.
        name: String,
    },
    /// Two steps have one name.
    #[error("line {line}: another step is called `{name}`; give each its own name")]
    SameName {
        /// The line of the second.
        line: usize,
        /// The name.
        name: String,
    },
    /// There are too many steps.
    #[error("there are more than {MOST_STEPS} steps; state fewer and larger ones")]
    TooMany,
}

/// The greatest number of steps.
pub const MOST_STEPS: usize = 500;

/// How a step of a plan is written in a system.
pub fn form(system: System) -> &'static str {
    system.language().plan.form
}

/// The steps in an answer. Prose, numbers, bullets, comments, reasoning and proofs (`:= …`, `by …`) are left out; of
/// several code blocks, the last one with a step counts.
///
/// # Errors
///
/// The first fault.
pub fn steps(answer: &str, system: System) -> Result<Vec<PlanStep>, PlanFault> {
    let form = form(system);
    let text = without_reasoning(answer);
    let has_step = |text: &&str| text.lines().any(|line| begins_step(line, system).is_some());
    let text = code_blocks(text).into_iter().rfind(has_step).unwrap_or(text);
    let first_line = 1 + answer[..offset(answer, text)].matches('\n').count();
    let mut steps: Vec<PlanStep> = Vec::new();
    for (line, source) in sources(text, system) {
        let line = line + first_line;
        let step = step(&source, system, line, form)?;
        if steps.iter().any(|other| other.name == step.name) {
            return Err(PlanFault::SameName { line, name: step.name });
        }
        if steps.len() == MOST_STEPS {
            return Err(PlanFault::TooMany);
        }
        steps.push(step);
    }
    if steps.is_empty() { Err(PlanFault::NoStep { form }) } else { Ok(steps) }
}

/// Checks steps that were read from a file, as those in an answer are checked. Lines are their numbers.
///
/// # Errors
///
/// The first fault.
pub fn check(steps: &[PlanStep], system: System) -> Result<(), PlanFault> {
    let form = form(system);
    if steps.is_empty() {
        return Err(PlanFault::NoStep { form });
    }
    if steps.len() > MOST_STEPS {
        return Err(PlanFault::TooMany);
    }
    for (index, PlanStep { name, statement }) in steps.iter().enumerate() {
        let (line, name) = (index + 1, name.clone());
        if name.is_empty() || first_name(&name) != name {
            return Err(PlanFault::NoName { line, form });
        }
        if statement.trim().is_empty() {
            return Err(PlanFault::NoStatement { line, name, form });
        }
        if steps[..index].iter().any(|other| other.name == name) {
            return Err(PlanFault::SameName { line, name });
        }
    }
    Ok(())
}

/// Where a part of a text begins in it.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize).min(text.len())
}

/// What follows the keyword of a step, if the line begins one: by itself, or as code after a label, as in
/// "**h1:** `have h1 : p`, since …".
fn begins_step(line: &str, system: System) -> Option<&str> {
    let after = |text: &'_ str, keyword: &str| -> Option<usize> {
        let rest = text.strip_prefix(keyword)?;
        rest.starts_with([' ', '(', ':']).then_some(text.len() - rest.len())
    };
    let keywords = system.language().plan.keywords;
    let rest = |text: &'_ str| keywords.iter().find_map(|keyword| after(text, keyword));
    let line = without_marker(line.trim_start());
    let of_code = line.split_once('`').and_then(|(label, code)| {
        let label = label.trim_end_matches(['*', ' ']);
        let code = code.trim_start_matches('`');
        let code = code.split_once('`').map_or(code, |(code, _)| code);
        rest(code).filter(|_| label.is_empty() || label.ends_with(':')).map(|at| &code[at..])
    });
    of_code.or_else(|| {
        let line = line.trim_start_matches(['`', '*']);
        rest(line).map(|at| &line[at..])
    })
}

/// A step that may go on in the next line.
struct Open {
    /// Its indentation.
    margin: usize,
    /// How many brackets are open; `None` once one was closed that is not open.
    depth: Option<usize>,
    /// Whether its proof has begun.
    has_proof: bool,
}

impl Open {
    fn new(line: &str, rest: &str) -> Self {
        let mut open = Self { margin: indentation(line), depth: Some(0), has_proof: false };
        open.take(rest);
        open
    }

    fn take(&mut self, code: &str) {
        self.has_proof |= self.depth.is_some_and(|depth| at_depth_0_from(depth, code, ":=").is_some());
        self.depth = self.depth.and_then(|depth| depth_after(depth, code));
    }
}

/// The steps of a text: the index of the line, and what follows the keyword, with the lines that continue it.
fn sources(text: &str, system: System) -> Vec<(usize, String)> {
    let mut sources: Vec<(usize, String)> = Vec::new();
    let mut open: Option<Open> = None;
    for (index, line) in text.lines().enumerate() {
        let code = without_comment(line, system);
        if let Some(rest) = begins_step(code, system) {
            // A `have` within the proof of a step is part of the proof.
            let is_inner =
                open.as_ref().is_some_and(|open| indentation(line) > open.margin && open.has_proof);
            if !is_inner {
                open = Some(Open::new(line, rest));
                sources.push((index, rest.to_owned()));
                continue;
            }
        }
        let goes_on = |open: &&mut Open| {
            !code.trim().is_empty()
                && (indentation(line) > open.margin || open.depth.is_none_or(|depth| depth > 0))
        };
        match (open.as_mut().filter(goes_on), sources.last_mut()) {
            (Some(open), Some((_, last))) => {
                open.take(code);
                last.push('\n');
                last.push_str(code);
            }
            _ => open = None,
        }
    }
    sources
}

fn without_comment(line: &str, system: System) -> &str {
    match system.language().lexis.line_comment {
        None => line,
        Some(begin) => line.split(begin).next().unwrap_or(line),
    }
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '⟨' | '⦃')
}

fn is_closing(c: char) -> bool {
    matches!(c, ')' | ']' | '}' | '⟩' | '⦄')
}

/// How many brackets are open at the end, if so many are open at the beginning; `None` if one is closed that is not open.
fn depth_after(depth: usize, text: &str) -> Option<usize> {
    text.chars().try_fold(depth, |depth, c| {
        if is_opening(c) {
            Some(depth + 1)
        } else if is_closing(c) {
            depth.checked_sub(1)
        } else {
            Some(depth)
        }
    })
}

/// Where a text stands for the first time outside of all brackets.
fn at_depth_0(text: &str, wanted: &str) -> Option<usize> {
    at_depth_0_from(0, text, wanted)
}

/// The same, if so many brackets are open at the beginning.
fn at_depth_0_from(depth: usize, text: &str, wanted: &str) -> Option<usize> {
    let mut depth = i64::try_from(depth).unwrap_or(i64::MAX);
    for (at, c) in text.char_indices() {
        if depth == 0 && text[at..].starts_with(wanted) {
            return Some(at);
        }
        depth += i64::from(is_opening(c)) - i64::from(is_closing(c));
    }
    None
}

fn step(source: &str, system: System, line: usize, form: &'static str) -> Result<PlanStep, PlanFault> {
    let source = source.trim_start();
    let no_name = || PlanFault::NoName { line, form };
    let inside = if source.starts_with('(') && form.contains('(') {
        let end =
            closing(source).ok_or_else(|| PlanFault::Brackets { line, name: first_name(&source[1..]) })?;
        &source[1..end]
    } else {
        cut_off_proof(source, system)
    };
    let inside = inside.trim().trim_end_matches('`').trim_end();
    let name = first_name(inside);
    if name.is_empty() {
        return Err(no_name());
    }
    if depth_after(0, inside) != Some(0) {
        return Err(PlanFault::Brackets { line, name });
    }
    let rest = &inside[name.len()..];
    let no_statement = || PlanFault::NoStatement { line, name: name.clone(), form };
    let colon = at_depth_0(rest, ":").ok_or_else(no_statement)?;
    let (binders, statement) = (one_line(&rest[..colon]), one_line(&rest[colon + 1..]));
    if statement.is_empty() {
        return Err(no_statement());
    }
    let statement = system.language().for_all(&binders, &statement);
    Ok(PlanStep { name, statement })
}

/// Where the bracket that a text begins with is closed.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        if is_opening(c) {
            depth += 1;
        } else if is_closing(c) {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// A step `name : statement` without a proof, and without what ends a sentence.
fn cut_off_proof(source: &str, system: System) -> &str {
    let language = system.language();
    let end = language.plan.ends.iter().filter_map(|end| at_depth_0(source, end)).min();
    let step = source[..end.unwrap_or(source.len())].trim_end();
    match language.statements.period {
        "" => step,
        period => step.trim_end_matches(period),
    }
}

fn first_name(text: &str) -> String {
    let text = text.trim_start();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '\'' | '₀'..='₉');
    let name: String = text.chars().take_while(|&c| is_part(c)).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) { String::new() } else { name }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    fn read(answer: &str, system: System) -> Vec<(String, String)> {
        let steps = steps(answer, system).unwrap_or_else(|fault| panic!("{answer}: {fault}"));
        steps.into_iter().map(|step| (step.name, step.statement)).collect()
    }

    fn of(steps: &[(&str, &str)]) -> Vec<(String, String)> {
        steps.iter().map(|&(name, statement)| (name.to_owned(), statement.to_owned())).collect()
    }

    #[test]
    fn prose_numbers_and_proofs_are_left_out() {
        let expected = of(&[("h1", "a + b = b + a"), ("h₂", "∀ n, n ≤ n + (1 : Nat)")]);
        for answer in [
            "have h1 : a + b = b + a\nhave h₂ : ∀ n, n ≤ n + (1 : Nat)",
            "1. **h1**: `have h1 : a + b = b + a`, since `+` commutes\n**Step 2:** `have h₂ : ∀ n, n ≤ n + (1 : Nat)`",
            "First we commute.\n\n1. `have h1 : a + b = b + a`\n2) have h₂ : ∀ n,\n     n ≤ n +\n     (1 : Nat) := by\n     omega\nDone.",
            "<think>have x : y</think>\n```lean4\nhave bad : 0 = 1\n```\nNo, rather:\n```lean4\nhave h1 : a + b = b + a := by\n  have inner : a = a := rfl\n  simp -- have it\n\nhave h₂ (n) : n ≤ n + (1 : Nat) := sorry\n```",
        ] {
            let found = read(answer, LEAN4);
            let binder = |pair: &(String, String)| (pair.0.clone(), pair.1.replace("∀ (n),", "∀ n,"));
            assert_eq!(found.iter().map(binder).collect::<Vec<_>>(), expected, "{answer}");
        }
    }

    #[test]
    fn rocq_steps_are_assertions() {
        let expected = of(&[("H1", "a + b = b + a"), ("H2", "forall n, n <= n + 1")]);
        for answer in [
            "assert (H1 : a + b = b + a).\nassert (H2 : forall n, n <= n + 1).",
            "- assert (H1: a + b =\n    b + a) by lia.\n- assert (H2 : forall n, n <= n + 1). { intros. lia. }",
            "* First: `assert (H1 : a + b = b + a).`\n* Then: `assert (H2 : forall n, n <= n + 1).` This ends it.",
            "have H1 : a + b = b + a by lia.\nhave H2 : forall n, n <= n + 1.",
        ] {
            assert_eq!(read(answer, ROCQ), expected, "{answer}");
        }
    }

    #[test]
    fn faults_name_line_and_rule() {
        let fault = |answer: &str, system| steps(answer, system).unwrap_err().to_string();
        assert!(fault("I cannot help.", MINI).starts_with("there is no step"));
        assert!(fault("so\nhave : 1 = 1", MINI).starts_with("line 2: the step needs a name"));
        assert!(fault("```lean\nhave h\n```", MINI).starts_with("line 2: `h` has no statement"));
        assert!(fault("have h : (1 = 1", MINI).contains("brackets of `h`"));
        assert!(fault("assert (H : (1 = 1.", ROCQ).contains("brackets of `H`"));
        assert!(fault("have h : p\nhave h : q", MINI).starts_with("line 2: another step is called `h`"));
    }

    #[test]
    fn a_plan_has_a_bounded_number_of_steps() {
        let of = |n: usize| (0..n).map(|i| format!("have h{i} : {i} = {i}\n")).collect::<String>();
        assert_eq!(steps(&of(MOST_STEPS), MINI).unwrap().len(), MOST_STEPS);
        assert_eq!(steps(&of(MOST_STEPS + 1), MINI), Err(PlanFault::TooMany));
    }

    #[test]
    fn what_is_indented_is_a_step_unless_it_is_in_a_proof() {
        assert_eq!(read("have h : p\n  have k : q", MINI), of(&[("h", "p"), ("k", "q")]));
        assert_eq!(read("have h : p := by\n  have k : q\n  simp", MINI), of(&[("h", "p")]));
    }

    #[test]
    fn a_step_may_have_very_many_lines() {
        // Reading them takes time in proportion to their number.
        let lines = "  (n + 0) +\n".repeat(200_000);
        let steps = steps(&format!("have h : n =\n{lines}  n\nhave k : n = n"), MINI).unwrap();
        assert_eq!(
            (steps.len(), steps[0].statement.len()),
            (2, "n = ".len() + 200_000 * "(n + 0) + ".len() + 1)
        );
    }

    #[test]
    fn steps_of_files_are_checked() {
        let fault = |steps: &[(&str, &str)]| {
            let step = |&(name, statement): &(&str, &str)| PlanStep {
                name: name.to_owned(),
                statement: statement.to_owned(),
            };
            check(&steps.iter().map(step).collect::<Vec<_>>(), MINI).map_err(|fault| fault.to_string())
        };
        assert_eq!(fault(&[("h1", "1 = 1"), ("h₂", "let x := 1; x = x")]), Ok(()));
        for (steps, expected) in [
            (&[][..], "there is no step"),
            (&[("h : True := trivial; exact", "1 = 1")], "line 1: the step needs a name"),
            (&[("h", "1 = 1"), ("", "1 = 1")], "line 2: the step needs a name"),
            (&[("h", " ")], "line 1: `h` has no statement"),
            (&[("h", "1 = 1"), ("h", "2 = 2")], "line 2: another step is called `h`"),
        ] {
            assert!(fault(steps).unwrap_err().starts_with(expected), "{steps:?}");
        }
        let many = vec![("h", "1 = 1"); MOST_STEPS + 1];
        assert!(fault(&many).unwrap_err().starts_with("there are more than 500 steps"));
    }

    proptest::proptest! {
        #[test]
        fn anything_can_be_read(answer in "(have |assert |[(:=)h`\\n. p⟨⟩0-9-]){0,40}") {
            for system in [LEAN4, ROCQ, MINI] {
                if let Ok(steps) = steps(&answer, system) {
                    assert!(!steps.is_empty());
                    assert!(steps.iter().all(|s| !s.name.is_empty() && !s.statement.contains('\n')));
                }
            }
        }
    }
}
