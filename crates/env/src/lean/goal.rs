//! Goals as Lean prints them, and as its server describes them.

use std::collections::BTreeSet;

use serde_json::Value;

/// A goal, as printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PrintedGoal {
    /// The id of its metavariable, if Lean told it.
    pub id: Option<String>,
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
        id: None,
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

/// Reads a goal of the answer to `Lean.Widget.getInteractiveGoals`.
pub fn read_interactive(goal: &Value) -> Result<PrintedGoal, NotAGoal> {
    let not_a_goal = || NotAGoal(goal.to_string().chars().take(200).collect());
    let hypothesis = |value: &Value| {
        let names = value.get("names")?.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned);
        Some(PrintedHypothesis {
            names: names.collect(),
            ty: one_line(value.get("type")?),
            body: value.get("val").filter(|val| !val.is_null()).map(one_line),
        })
    };
    let hypotheses = goal.get("hyps").and_then(Value::as_array).ok_or_else(not_a_goal)?.iter();
    Ok(PrintedGoal {
        id: goal.get("mvarId").and_then(Value::as_str).map(str::to_owned),
        case: goal.get("userName").and_then(Value::as_str).map(str::to_owned),
        hypotheses: hypotheses.map(|h| hypothesis(h).ok_or_else(not_a_goal)).collect::<Result<_, _>>()?,
        target: goal.get("type").map(one_line).ok_or_else(not_a_goal)?,
    })
}

/// A text with tags, without them and on one line.
fn one_line(tagged: &Value) -> String {
    let mut text = String::new();
    // Nested as deeply as the term, so without recursion; the next part is last.
    let mut parts = vec![tagged];
    while let Some(part) = parts.pop() {
        if let Some(plain) = part.get("text").and_then(Value::as_str) {
            text += plain;
        } else if let Some(several) = part.get("append").and_then(Value::as_array) {
            parts.extend(several.iter().rev());
        } else if let Some(inner) = part.get("tag").and_then(|tag| tag.get(1)) {
            parts.push(inner);
        }
    }
    collapse(&text)
}

/// The text with each line break and the blanks around it replaced by one blank.
pub(super) fn collapse(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
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
    fn interactive_goals_say_the_same() {
        let json = r#"{"mvarId":"_uniq.7","userName":"inl","goalPrefix":"⊢ ",
            "hyps":[{"names":["a","b✝"],"fvarIds":["x","y"],"type":{"tag":[{"info":{}},{"text":"Nat"}]}},
                    {"names":["h"],"fvarIds":["z"],"type":{"text":"Nat"},"val":{"append":[{"text":"a\n"},{"tag":[1,{"text":"  + 1"}]}]}}],
            "type":{"append":[{"tag":[0,{"text":"a"}]},{"text":" = "},{"text":"?m.3"}]}}"#;
        let goal = read_interactive(&serde_json::from_str(json).unwrap()).unwrap();
        assert_eq!(goal.id.as_deref(), Some("_uniq.7"));
        assert_eq!(goal.case.as_deref(), Some("inl"));
        assert_eq!(
            goal.hypotheses,
            [hypothesis(&["a", "b✝"], "Nat", None), hypothesis(&["h"], "Nat", Some("a + 1"))]
        );
        assert_eq!(goal.target, "a = ?m.3");
    }

    #[test]
    fn metavariables_are_found() {
        let found = |text| metavariables(text).into_iter().collect::<Vec<_>>();
        assert_eq!(found("?m.12 = f ?w ?w (?h.left)"), ["h.left", "m.12", "w"]);
        assert_eq!(found("a ≠ b ∧ f? x ∨ xs[0]? = none"), Vec::<String>::new());
    }
}
