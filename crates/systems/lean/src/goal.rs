//! Goals as Lean prints them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use andor_core::goal::{Goal, Hypothesis, Term};

use super::explicit;
use andor_env::worker::ProofState;

/// A goal, as printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedGoal {
    /// The case tag.
    pub case: Option<String>,
    /// The context, outermost first.
    pub hypotheses: Vec<PrintedHypothesis>,
    /// The statement to prove, on one line.
    pub target: String,
}

/// A line of a goal's context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedHypothesis {
    /// The names, in order; inaccessible ones end in `✝`.
    pub names: Vec<String>,
    /// The type, on one line.
    pub ty: String,
    /// The value of a let-bound name, on one line.
    pub body: Option<String>,
}

/// A text that is not a goal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a goal as Lean prints it: {0}")]
pub struct NotAGoal(String);

/// Reads several goals, separated by empty lines, or the words `no goals`.
pub fn read_goals(text: &str) -> Result<Vec<PrintedGoal>, NotAGoal> {
    let text = text.trim();
    if text.is_empty() || text == "no goals" {
        return Ok(Vec::new());
    }
    text.split("\n\n").filter(|goal| !goal.trim().is_empty()).map(read_goal).collect()
}

/// Reads one goal: `case tag`, a line for each hypothesis, `⊢ target`. Indented lines continue the one before.
pub fn read_goal(text: &str) -> Result<PrintedGoal, NotAGoal> {
    let not_a_goal = || NotAGoal(text.chars().take(200).collect());
    let mut entries: Vec<String> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        match entries.last_mut() {
            Some(entry) if line.starts_with(char::is_whitespace) => {
                entry.push(' ');
                entry.push_str(line.trim());
            }
            _ => entries.push(line.trim_end().to_owned()),
        }
    }
    let target = entries.pop().ok_or_else(not_a_goal)?;
    let target = target.strip_prefix('⊢').or_else(|| target.strip_prefix('|')).ok_or_else(not_a_goal)?;
    let mut entries = entries.into_iter().peekable();
    let case = entries.next_if(|line| line.starts_with("case "));
    let case = case.map(|line| line["case ".len()..].trim().to_owned());
    let hypotheses = entries.map(|line| read_hypothesis(&line).ok_or_else(not_a_goal));
    Ok(PrintedGoal {
        case,
        hypotheses: hypotheses.collect::<Result<_, _>>()?,
        target: target.trim().to_owned(),
    })
}

fn read_hypothesis(line: &str) -> Option<PrintedHypothesis> {
    let colon = top_level(line, " : ", &[])?;
    let (names, rest) = (&line[..colon], &line[colon + " : ".len()..]);
    let (ty, body) = match top_level(rest, " := ", BINDING) {
        Some(at) => (&rest[..at], Some(&rest[at + " := ".len()..])),
        None => (rest, None),
    };
    Some(PrintedHypothesis {
        names: names_in(names),
        ty: ty.trim().to_owned(),
        body: body.map(|body| body.trim().to_owned()),
    })
}

/// Words of a type whose own `:=` follows.
const BINDING: &[&str] = &["let", "have", "let_fun", "letI", "haveI"];

/// Where a separator begins that is in no bracket, guillemets or string, and belongs to none of the words before it.
fn top_level(text: &str, separator: &str, words: &[&str]) -> Option<usize> {
    let (mut depth, mut owed) = (0_usize, 0_usize);
    let (mut in_string, mut in_name) = (false, false);
    let mut word_start = None;
    for (at, c) in text.char_indices() {
        if in_string {
            in_string = c != '"' || text[..at].ends_with('\\');
            continue;
        }
        if in_name {
            in_name = c != '»';
            continue;
        }
        if depth == 0 && text[at..].starts_with(separator) {
            if owed == 0 {
                return Some(at);
            }
            owed -= 1;
        }
        let is_word = c.is_alphanumeric() || matches!(c, '_' | '\'' | '.' | '!' | '?');
        match (word_start, is_word) {
            (None, true) => word_start = Some(at),
            (Some(start), false) => {
                if depth == 0 && words.contains(&&text[start..at]) {
                    owed += 1;
                }
                word_start = None;
            }
            _ => {}
        }
        match c {
            '(' | '[' | '{' | '⟨' | '⦃' => depth += 1,
            ')' | ']' | '}' | '⟩' | '⦄' => depth = depth.saturating_sub(1),
            '"' => in_string = true,
            '«' => in_name = true,
            _ => {}
        }
    }
    None
}

/// Names separated by blanks, except those between guillemets.
fn names_in(text: &str) -> Vec<String> {
    let mut names = vec![String::new()];
    let mut quoted = false;
    for c in text.trim().chars() {
        quoted = if c == '«' { true } else { quoted && c != '»' };
        match names.last_mut() {
            Some(name) if c != ' ' || quoted => name.push(c),
            _ => names.push(String::new()),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The metavariables that a printed term mentions, such as `?m.12` and `?w`.
pub fn metavariables(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let starts = c == '?' && !(before.is_alphanumeric() || matches!(before, '_' | '\'' | '?' | '!'));
        before = c;
        if !starts {
            continue;
        }
        let name: String = text[at + 1..]
            .chars()
            .take_while(|c| c.is_alphanumeric() || "_.'✝¹²³⁴⁵⁶⁷⁸⁹⁰«»".contains(*c))
            .collect();
        let name = name.trim_end_matches('.');
        if !name.is_empty() {
            found.insert(name.to_owned());
        }
    }
    found
}

/// The proof state of some goals, as Lean prints them by default and, in the same order, with everything shown. Without the
/// second form the goals are known by their texts only, and a metavariable that only implicit arguments mention is not
/// seen.
pub fn proof_state(pretty: Vec<PrintedGoal>, explicit: Option<&[PrintedGoal]>) -> ProofState {
    let explicit = explicit.filter(|twins| twins.len() == pretty.len());
    let mut numbers = Numbers::default();
    let goals = pretty.into_iter().enumerate().map(|(index, printed)| {
        let twin = explicit.map(|twins| &twins[index]);
        goal(index, printed, twin, &mut numbers)
    });
    let mut goals: Vec<Goal> = goals.collect();
    couple(&mut goals);
    ProofState { groups: groups(&goals), goals }
}

/// The numbers of nameless metavariables: Lean's own, such as that of `?m.173`, depend on what was elaborated before.
#[derive(Default)]
struct Numbers(HashMap<String, usize>);

impl Numbers {
    fn renumbered(&mut self, text: &str) -> String {
        let mut renamed = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = ["?m.", "?u."].iter().filter_map(|prefix| rest.find(prefix)).min() {
            let digits = rest[at + 3..].bytes().take_while(u8::is_ascii_digit).count();
            let (before, name) = (&rest[..at + 3], &rest[at..at + 3 + digits]);
            renamed += before;
            if digits > 0 {
                let next = self.0.len() + 1;
                renamed += &self.0.entry(name.to_owned()).or_insert(next).to_string();
            }
            rest = &rest[at + 3 + digits..];
        }
        renamed + rest
    }
}

fn goal(index: usize, pretty: PrintedGoal, twin: Option<&PrintedGoal>, numbers: &mut Numbers) -> Goal {
    let locals: HashSet<&str> =
        pretty.hypotheses.iter().flat_map(|h| h.names.iter().map(String::as_str)).collect();
    let mut metas = BTreeSet::new();
    let mut term = |pretty: &str, explicit: Option<&str>| {
        let pretty = numbers.renumbered(pretty);
        let explicit = explicit.map(|text| numbers.renumbered(text));
        metas.extend(metavariables(explicit.as_deref().unwrap_or(&pretty)));
        Term { expr: explicit.and_then(|text| explicit::parse(&text, &locals)), text: pretty }
    };
    let hypotheses = pretty.hypotheses.iter().enumerate().map(|(at, h)| {
        // Lean joins neighbours whose types are the same, however they are printed.
        let twin = twin.and_then(|twin| twin.hypotheses.get(at)).filter(|twin| twin.names == h.names);
        Hypothesis {
            names: h.names.clone(),
            ty: term(&h.ty, twin.map(|twin| twin.ty.as_str())),
            body: h.body.as_ref().map(|body| term(body, twin.and_then(|twin| twin.body.as_deref()))),
        }
    });
    let hypotheses = hypotheses.collect();
    let target = term(&pretty.target, twin.map(|twin| twin.target.as_str()));
    Goal {
        name: (index + 1).to_string(),
        case: pretty.case,
        tag: None,
        hypotheses,
        target,
        metas: metas.into_iter().collect(),
        canonical: BTreeMap::new(),
    }
}

/// Lets a goal count as one with metavariables if another one may mention its own, still missing proof: by its case tag or,
/// if it has none, by a number.
fn couple(goals: &mut [Goal]) {
    let bare = |name: &str| name.trim_end_matches(|c: char| "✝¹²³⁴⁵⁶⁷⁸⁹⁰".contains(c)).to_owned();
    let mentioned: BTreeSet<String> =
        goals.iter().flat_map(|goal| goal.metas.iter().map(|m| bare(m))).collect();
    let by_number = mentioned.iter().any(|name| name.starts_with("m."));
    for goal in goals.iter_mut().filter(|goal| goal.metas.is_empty()) {
        match &goal.case {
            Some(case) if mentioned.contains(&bare(case)) => goal.metas.push(case.clone()),
            None if by_number => goal.metas.push("m".to_owned()),
            _ => {}
        }
    }
}

/// Goals without metavariables are separate. The others form one group, even if they share none directly: in a script a
/// bullet isolates one goal, not several.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn hypothesis(names: &[&str], ty: &str, body: Option<&str>) -> PrintedHypothesis {
        PrintedHypothesis {
            names: names.iter().map(|&name| name.to_owned()).collect(),
            ty: ty.to_owned(),
            body: body.map(str::to_owned),
        }
    }

    #[test]
    fn goals_are_read_as_lean_prints_them() {
        let text = "case inl.h\nα✝ : Type\na b : Nat\nx : Nat := a + 1\nh :\n  a = b ∧\n    b = a\n\
                    k : let y := 5;\n  y = x\nm : (let z := 1; z) = 1 := rfl\n⊢ a =\n    b\n\ncase «a b»\n«x : y» z : Nat\n⊢ True";
        let goals = read_goals(text).unwrap();
        assert_eq!(goals[0].case.as_deref(), Some("inl.h"));
        assert_eq!(goals[0].target, "a = b");
        assert_eq!(
            goals[0].hypotheses,
            [
                hypothesis(&["α✝"], "Type", None),
                hypothesis(&["a", "b"], "Nat", None),
                hypothesis(&["x"], "Nat", Some("a + 1")),
                hypothesis(&["h"], "a = b ∧ b = a", None),
                hypothesis(&["k"], "let y := 5; y = x", None),
                hypothesis(&["m"], "(let z := 1; z) = 1", Some("rfl")),
            ]
        );
        assert_eq!(goals[1].case.as_deref(), Some("«a b»"));
        assert_eq!(goals[1].hypotheses, [hypothesis(&["«x : y»", "z"], "Nat", None)]);
        assert_eq!(read_goals("no goals"), Ok(Vec::new()));
        assert!(read_goals("error: unknown").is_err());
    }

    #[test]
    fn metavariables_are_found() {
        let found = |text| metavariables(text).into_iter().collect::<Vec<_>>();
        assert_eq!(found("?m.12 = f ?w ?w (?h.left)"), ["h.left", "m.12", "w"]);
        assert_eq!(found("a ≠ b ∧ f? x ∨ xs[0]? = none"), Vec::<String>::new());
    }

    fn groups_of(texts: &[&str]) -> Vec<Vec<usize>> {
        let goals = texts.iter().map(|text| read_goal(text).unwrap()).collect();
        proof_state(goals, None).groups
    }

    #[test]
    fn goals_that_may_share_a_metavariable_stay_together() {
        assert_eq!(groups_of(&["⊢ a", "⊢ b"]), [[0], [1]]);
        assert_eq!(
            groups_of(&["case h\n⊢ ?w✝ = 3", "case x\n⊢ True", "case w\n⊢ Nat"]),
            [vec![0, 2], vec![1]]
        );
        assert_eq!(groups_of(&["case a\n⊢ p ?m.7", "⊢ Nat", "case b\n⊢ q"]), [vec![0, 1], vec![2]]);
    }

    #[test]
    fn what_only_implicit_arguments_mention_counts() {
        let pretty = vec![read_goal("case a\n⊢ f x").unwrap(), read_goal("case w\n⊢ Type").unwrap()];
        let explicit = [read_goal("case a\n⊢ @f ?w x").unwrap(), read_goal("case w\n⊢ Type").unwrap()];
        assert_eq!(proof_state(pretty, Some(&explicit)).groups, [[0, 1]]);
    }

    #[test]
    fn nameless_metavariables_are_numbered_by_appearance() {
        let mut numbers = Numbers::default();
        assert_eq!(numbers.renumbered("?m.173 = f ?m.9 ?m.173 ?u.4 ?m"), "?m.1 = f ?m.2 ?m.1 ?u.3 ?m");
        assert_eq!(numbers.renumbered("?m.9 ?w"), "?m.2 ?w");
    }
}
