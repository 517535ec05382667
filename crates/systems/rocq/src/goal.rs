//! Parses printed goals into a [`ProofState`].

use std::collections::{BTreeMap, HashSet};

use andor_core::goal::{Goal, Hypothesis, Term};

use super::xml::{Document, ElementId};
use super::{explicit, pp};
use andor_env::worker::ProofState;

/// A goal as printed, in one of the two forms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Printed {
    /// The number of the goal's existential variable.
    pub(super) id: String,
    /// The name of that variable, without question mark.
    pub(super) name: Option<String>,
    hypotheses: Vec<PrintedHypothesis>,
    conclusion: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct PrintedHypothesis {
    names: Vec<String>,
    body: Option<String>,
    ty: String,
}

/// The lists of a `Subgoals` reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct PrintedGoals {
    pub(super) foreground: Vec<Printed>,
    pub(super) shelf: Vec<Printed>,
    pub(super) given_up: Vec<Printed>,
}

/// Reads a `Subgoals` reply; `None` when no proof is open.
pub(super) fn read(document: &Document, result: ElementId) -> Result<Option<PrintedGoals>, String> {
    if document.val(result) == "none" {
        return Ok(None);
    }
    let goals = document.child(result, 0)?;
    let list = |index| {
        let list = document.child(goals, index)?;
        document.children(list).map(|goal| read_goal(document, goal)).collect::<Result<Vec<_>, String>>()
    };
    Ok(Some(PrintedGoals { foreground: list(0)?, shelf: list(2)?, given_up: list(3)? }))
}

fn read_goal(document: &Document, goal: ElementId) -> Result<Printed, String> {
    let hypotheses = document.child(goal, 1)?;
    let hypotheses = document.children(hypotheses).map(|h| read_hypothesis(document, h));
    let name = document.child(goal, 3).ok().and_then(|option| document.child(option, 0).ok());
    Ok(Printed {
        id: document.full_text(document.child(goal, 0)?),
        name: name.map(|n| document.full_text(n)),
        hypotheses: hypotheses.collect::<Result<_, String>>()?,
        conclusion: pp::flatten(document, document.child(goal, 2)?),
    })
}

/// A goal whose hypotheses have no names would be another goal, so a form that is not known is an error.
fn read_hypothesis(document: &Document, id: ElementId) -> Result<PrintedHypothesis, String> {
    let unknown =
        || format!("a hypothesis in a form that andor does not know: `{}`", pp::flatten(document, id));
    let pp::Hypothesis { names, body, ty } = pp::split_hypothesis(document, id).ok_or_else(unknown)?;
    let text = |parts: Vec<ElementId>| {
        pp::collapse(&parts.into_iter().map(|part| pp::flatten(document, part)).collect::<Vec<_>>().join(" "))
    };
    let names: Vec<String> = text(names).split(',').map(|name| name.trim().to_owned()).collect();
    let ty = pp::flatten(document, ty);
    let is_name = |name: &String| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| matches!(c, '_' | '\'') || !(c.is_whitespace() || c.is_ascii_punctuation()))
    };
    if !names.iter().all(is_name) || ty.is_empty() {
        return Err(unknown());
    }
    Ok(PrintedHypothesis { names, body: body.map(text), ty })
}

/// The proof state of the foreground goals, printed in pretty and in explicit form.
pub(super) fn proof_state(pretty: &[Printed], explicit: &[Printed]) -> ProofState {
    let mut goals: Vec<Goal> = pretty.iter().zip(explicit).map(|(p, e)| goal(p, e)).collect();
    // A goal is coupled also with the goals that mention its own, still missing proof.
    for (index, printed) in pretty.iter().enumerate() {
        let Some(own) = printed.name.as_ref().map(|n| format!("?{n}")) else { continue };
        if goals.iter().any(|g| g.metas.contains(&own)) && !goals[index].metas.contains(&own) {
            goals[index].metas.push(own);
            goals[index].metas.sort();
        }
    }
    ProofState { groups: groups(&goals), goals }
}

/// Goals without metavariables are separate. The others form one group, even if they share none directly:
/// a script can take up goals in order, or one goal by its number, but not a selection of several.
fn groups(goals: &[Goal]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut coupled: Option<usize> = None;
    for (index, goal) in goals.iter().enumerate() {
        match coupled {
            Some(group) if !goal.metas.is_empty() => groups[group].push(index),
            _ => {
                if !goal.metas.is_empty() {
                    coupled = Some(groups.len());
                }
                groups.push(vec![index]);
            }
        }
    }
    groups
}

/// The metavariables that printed goals mention, in explicit form, without question marks.
pub(super) fn mentioned(explicit: &[Printed]) -> HashSet<String> {
    explicit.iter().flat_map(metavariables).map(|m| m.trim_start_matches('?').to_owned()).collect()
}

fn metavariables(printed: &Printed) -> Vec<String> {
    let types = printed.hypotheses.iter().flat_map(|h| std::iter::once(&h.ty).chain(&h.body));
    let mut found: Vec<String> =
        types.chain([&printed.conclusion]).flat_map(|t| explicit::metavariables(t)).collect();
    found.sort();
    found.dedup();
    found
}

fn goal(pretty: &Printed, explicit: &Printed) -> Goal {
    let locals: HashSet<&str> =
        explicit.hypotheses.iter().flat_map(|h| h.names.iter().map(String::as_str)).collect();
    let term = |pretty: &str, explicit: Option<&str>| Term {
        text: pretty.to_owned(),
        expr: explicit.and_then(|e| explicit::parse(e, &locals)),
    };
    let same_context = pretty.hypotheses.len() == explicit.hypotheses.len();
    let hypotheses = pretty.hypotheses.iter().enumerate().map(|(index, h)| {
        let twin = explicit.hypotheses.get(index).filter(|e| same_context && e.names == h.names);
        Hypothesis {
            names: h.names.clone(),
            ty: term(&h.ty, twin.map(|e| e.ty.as_str())),
            body: h.body.as_ref().map(|b| term(b, twin.and_then(|e| e.body.as_deref()))),
        }
    });
    Goal {
        name: pretty.id.clone(),
        case: None,
        tag: pretty.name.clone(),
        hypotheses: hypotheses.collect(),
        target: term(&pretty.conclusion, Some(&explicit.conclusion)),
        metas: metavariables(explicit),
        // Only Rocq can say.
        canonical: BTreeMap::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answers of each release to the sentences of `tests/data/answers/make.sh`.
    const ANSWERS: [(&str, &str); 3] = [
        ("8.16.1", include_str!("../tests/data/answers/8.16.1/goals.xml")),
        ("8.20.1", include_str!("../tests/data/answers/8.20.1/goals.xml")),
        ("9.2.0", include_str!("../tests/data/answers/9.2.0/goals.xml")),
    ];

    fn read_text(text: &str) -> Result<Option<PrintedGoals>, String> {
        let document = Document::parse(text).unwrap();
        let value = document.child(document.root(), 0).unwrap();
        read(&document, document.child(value, 0).unwrap())
    }

    #[test]
    fn the_goals_of_each_release_are_read_alike() {
        let shown = |h: &PrintedHypothesis| {
            let body = h.body.as_ref().map_or(String::new(), |body| format!(" := {body}"));
            format!("{}{body} : {}", h.names.join(" "), h.ty)
        };
        for (release, text) in ANSWERS {
            let goals = read_text(text).unwrap().unwrap().foreground;
            let hypotheses: Vec<String> = goals[0].hypotheses.iter().map(shown).collect();
            let expected = [
                "n m : nat",
                "x := n + m : nat",
                "f := fun y : nat => y : nat -> nat",
                "P : nat -> Prop",
                "H α H' : P n",
            ];
            assert_eq!(hypotheses, expected, "{release}");
            assert_eq!((goals.len(), goals[0].conclusion.as_str()), (2, "nat"), "{release}");
            assert_eq!(goals[1].name.as_deref(), Some("Goal"), "{release}");
        }
    }

    #[test]
    fn a_form_that_is_not_known_is_an_error_that_names_it() {
        for (release, text) in ANSWERS {
            let other = text.replace("&nbsp;:&nbsp;</string>", "&nbsp;∷&nbsp;</string>");
            let other = other.replace("&nbsp;:</string>", "&nbsp;∷</string>");
            let error = read_text(&other).unwrap_err();
            assert!(error.contains("does not know") && error.contains("∷ nat"), "{release}: {error}");
            let nameless = text.replace(
                "<string>n</string></ppdoc><ppdoc val=\"string\"><string>,",
                "<string></string></ppdoc><ppdoc val=\"string\"><string>,",
            );
            assert!(read_text(&nameless).unwrap_err().contains("does not know"), "{release}");
        }
    }
}
