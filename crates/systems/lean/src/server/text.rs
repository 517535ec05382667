//! The document of a state: the theorem, with the tactics that lead to the state as its proof.
//!
//! ```text
//! import …
//! axiom _andor_hole …            what takes the place of missing proofs
//! (the rest of the header)
//! theorem t … := by
//!   constructor                  a step of the path
//!   · (exact _andor_hole)        goals that the next step is not for
//!   skip
//!   (
//!     simp                       the tactic that is tried
//!   )
//!   skip                         here its goals are read, as Lean prints them by default,
//!   set_option pp.all true in skip        and with everything shown
//!   all_goals exact _andor_hole           what remains open
//! ```
//!
//! Such a document has no error if and only if the tactic succeeds. Missing proofs are not `sorry`, since Lean reports
//! that once for the whole theorem: so a tactic that uses `sorry` can be told. The tactic that is tried stands alone between
//! parentheses, which are on lines of their own, so that nothing that follows can become part of it.
//!
//! The steps of the path stand as in a finished script, and all at one level. Lean looks at every step whenever the document
//! changes, even if it does not run it again, and at nested bullets for a time that grows with the square of their number
//! (ADR 23).

use andor_core::theorem::Theorem;

use super::document::Position;
use crate::script::step_text;
use andor_env::outline::Place;
use andor_lean_language::script::bare;

/// The axiom in place of missing proofs. Its name is that of an internal constant, which searches for lemmas pass over.
pub(super) const HOLE: &str = "_andor_hole";

const AXIOM: &str = "axiom _andor_hole.{_andor_u} {α : Sort _andor_u} : α\n";

/// The end: whatever is still open.
const CLOSE: &str = "all_goals exact _andor_hole";

/// The indentation of steps. The tactic that is tried has twice that.
const MARGIN: &str = "  ";

/// Where goals are read in the second form.
const EXPLICIT: &str = "set_option pp.all true in ";

/// A step of a path: a tactic, the groups of goals that it leaves, and the one that the next step is for.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) tactic: String,
    pub(super) groups: Vec<Vec<usize>>,
    pub(super) next: usize,
    /// Whether it needs parentheses, since it is something else beside other steps.
    pub(super) in_parentheses: bool,
}

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Text {
    pub(super) text: String,
    /// The first line of the tactic that is tried, with the parenthesis before it.
    pub(super) tactic_at: usize,
    /// Where its goals are read, in both forms.
    pub(super) goals_at: [Position; 2],
}

/// A theorem up to its proof.
#[derive(Clone, Debug)]
pub(super) struct Base {
    text: String,
    /// The first line of the statement.
    pub(super) statement_at: usize,
    /// The first line of the proof.
    pub(super) proof_at: usize,
    /// The line before which the axiom stands.
    axiom_at: usize,
    /// Where the statement begins behind the header.
    statement: Place,
}

impl Base {
    pub(super) fn new(theorem: &Theorem) -> Self {
        let (imports, rest) = theorem.header.split_at(imports(&theorem.header).len());
        let mut text = format!("{imports}{}", line_break(imports));
        let axiom_at = text.matches('\n').count();
        text += &format!("{AXIOM}{rest}");
        text += line_break(rest);
        let statement_at = text.matches('\n').count();
        let statement = bare(&theorem.statement);
        // A trailing comment would hide the text after it.
        let comment = statement.lines().next_back().is_some_and(|line| line.contains("--"));
        text += &format!("{statement}{} := by\n", if comment { "\n   " } else { "" });
        let proof_at = text.matches('\n').count();
        let statement = Place::of(&theorem.header, theorem.header.len());
        Self { text, statement_at, proof_at, axiom_at, statement }
    }

    /// The place of a position of the document in the header and the statement behind it.
    pub(super) fn place(&self, at: Position) -> Option<Place> {
        let text = self.text.lines().nth(at.line)?;
        let mut units = 0;
        let before = text.chars().take_while(|c| {
            let is_before = units < at.character;
            units += c.len_utf16();
            is_before
        });
        let column = before.count() + 1;
        if at.line >= self.proof_at || at.line == self.axiom_at {
            return None;
        }
        if at.line >= self.statement_at {
            return Some(Place { line: at.line - self.statement_at + 1, column }.within(self.statement));
        }
        let line = at.line - usize::from(at.line > self.axiom_at) + 1;
        Some(Place { line, column })
    }

    /// The document in which commands stand in place of the theorem. They begin at [`Base::statement_at`].
    pub(super) fn asking(&self, commands: &[String]) -> String {
        let header = self.text.split_inclusive('\n').take(self.statement_at);
        header.map(str::to_owned).chain(commands.iter().map(|command| format!("{command}\n"))).collect()
    }

    /// The document in which a tactic is tried at the end of a path; without one, the end of the path itself.
    pub(super) fn with(&self, path: &[Step], tactic: Option<&str>) -> Text {
        let mut writer = Writer { text: self.text.clone() };
        for step in path {
            match step.in_parentheses {
                true => writer.in_parentheses(&step.tactic),
                false => step_text(step.tactic.trim_end()).lines().for_each(|line| writer.line(line)),
            }
            writer.focus(&step.groups, step.next);
        }
        // Lean takes a parenthesis at the start of a line for an argument of a term that ends the line before.
        writer.line("skip");
        let tactic_at = writer.lines();
        if let Some(tactic) = tactic {
            writer.in_parentheses(tactic);
        }
        let line = writer.lines();
        writer.line("skip");
        writer.line(&format!("{EXPLICIT}skip"));
        writer.line(CLOSE);
        let position = |line, before: &str| Position { line, character: MARGIN.len() + before.len() };
        let goals_at = [position(line, ""), position(line + 1, EXPLICIT)];
        Text { text: writer.text, tactic_at, goals_at }
    }
}

impl Text {
    /// The byte of the tactic at a place of the document, given in UTF-16 units.
    pub(super) fn in_tactic(&self, tactic: &str, place: Position) -> Option<usize> {
        let number = place.line.checked_sub(self.tactic_at + 1)?;
        let line = tactic.lines().nth(number)?;
        let mut units = place.character.checked_sub(2 * MARGIN.len())?;
        let mut at: usize = tactic.split_inclusive('\n').take(number).map(str::len).sum();
        for c in line.chars() {
            if units == 0 {
                break;
            }
            units = units.checked_sub(c.len_utf16())?;
            at += c.len_utf8();
        }
        (units == 0).then_some(at)
    }
}

struct Writer {
    text: String,
}

impl Writer {
    fn lines(&self) -> usize {
        self.text.matches('\n').count()
    }

    fn line(&mut self, line: &str) {
        self.text += MARGIN;
        self.text += line;
        self.text.push('\n');
    }

    /// Writes a tactic between parentheses, with its lines shifted by the same.
    fn in_parentheses(&mut self, tactic: &str) {
        self.line("(");
        for line in tactic.trim_end().lines() {
            self.line(&format!("{MARGIN}{line}"));
        }
        self.line(")");
    }

    /// Leaves only the goals of one group, by closing the others.
    fn focus(&mut self, groups: &[Vec<usize>], group: usize) {
        if groups.len() == 1 {
            return;
        }
        let mut goals: Vec<usize> = (0..groups.iter().map(Vec::len).sum()).collect();
        let mut front = |writer: &mut Self, goal: usize| {
            let place = goals.iter().position(|&g| g == goal).expect("groups are a partition of the goals");
            if place > 0 {
                writer.line(&format!("rotate_left {place}"));
            }
            goals.rotate_left(place);
            goals.remove(0);
        };
        for other in groups.iter().enumerate().filter(|(at, _)| *at != group).flat_map(|(_, other)| other) {
            front(self, *other);
            // In parentheses: Lean takes one on the next line for an argument of the hole.
            self.line(&format!("· (exact {HOLE})"));
        }
        let place = goals.iter().position(|goal| groups[group].first() == Some(goal)).unwrap_or_default();
        if place > 0 {
            self.line(&format!("rotate_left {place}"));
        }
    }
}

fn line_break(text: &str) -> &'static str {
    if text.is_empty() || text.ends_with('\n') { "" } else { "\n" }
}

/// The beginning of a header that imports modules.
pub(super) fn imports(header: &str) -> &str {
    let (mut at, mut end) = (0, 0);
    let mut before_name = false;
    loop {
        let rest = after_blanks(&header[at..]);
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        at = header.len() - rest.len() + word.len();
        match word {
            "" => return &header[..end],
            "all" if before_name => {}
            "import" => before_name = true,
            "public" | "meta" => {}
            _ if before_name || matches!(word, "prelude" | "module") => (before_name, end) = (false, at),
            _ => return &header[..end],
        }
    }
}

/// A text without white space and comments at its start.
fn after_blanks(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        rest = if rest.starts_with("--") {
            rest.find('\n').map_or("", |end| &rest[end..])
        } else if rest.starts_with("/-") {
            after_comment(rest)
        } else {
            return rest;
        };
        rest = rest.trim_start();
    }
}

/// The text after the block comment that it begins with. Such comments nest.
fn after_comment(text: &str) -> &str {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(next) = ["/-", "-/"].iter().filter_map(|mark| text[at..].find(mark)).min() {
        at += next + 2;
        depth = if text[..at].ends_with("/-") { depth + 1 } else { depth - 1 };
        if depth == 0 {
            return &text[at..];
        }
    }
    ""
}

#[cfg(test)]
mod tests {

    use super::*;

    fn theorem(header: &str) -> Theorem {
        Theorem {
            id: "t".into(),
            name: "t".into(),
            system: crate::LEAN4,
            header: header.into(),
            statement: "theorem t : p ∧ q := by sorry".into(),
            footer: String::new(),
            extra_imports: Vec::new(),
        }
    }

    #[test]
    fn imports_end_with_the_last_one() {
        let header = "/- a /- b -/ -/ import A.B -- c\npublic import all C\nopen Nat\nimport D";
        assert_eq!(imports(header), "/- a /- b -/ -/ import A.B -- c\npublic import all C");
        assert_eq!(imports("module\n\npublic section\n"), "module");
        for header in ["", "open Nat", "-- import A", "/- import A"] {
            assert_eq!(imports(header), "");
        }
    }

    #[test]
    fn a_tactic_is_tried_on_one_group() {
        let base = Base::new(&theorem("import A\nopen B"));
        let step = |tactic: &str, in_parentheses: bool| {
            let groups = vec![vec![0], vec![1]];
            Step { tactic: tactic.into(), groups, next: usize::from(!in_parentheses), in_parentheses }
        };
        let path = [step("constructor", false), step("(odd)", true)];
        let Text { text, tactic_at, goals_at } = base.with(&path, Some("intro h\nexact h"));
        let expected = "import A\naxiom _andor_hole.{_andor_u} {α : Sort _andor_u} : α\n\nopen B\n\
                        theorem t : p ∧ q := by\n  constructor\n  · (exact _andor_hole)\n  (\n    (odd)\n  )\n  \
                        rotate_left 1\n  · (exact _andor_hole)\n  skip\n  (\n    intro h\n    exact h\n  )\n  skip\n  \
                        set_option pp.all true in skip\n  all_goals exact _andor_hole\n";
        assert_eq!(text, expected);
        assert_eq!((base.statement_at, base.proof_at, tactic_at), (4, 5, 13));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(&lines[goals_at[0].line][goals_at[0].character..], "skip");
        assert_eq!(&lines[goals_at[1].line][goals_at[1].character..], "skip");
    }

    #[test]
    fn a_place_in_the_document_is_one_in_the_tactic() {
        let base = Base::new(&theorem(""));
        let tactic = "intro 𝔽\nexact?";
        let text = base.with(&[], Some(tactic));
        let line = |word: &str| text.text.lines().position(|line| line.contains(word)).unwrap();
        let place = |line, character| text.in_tactic(tactic, Position { line, character });
        assert_eq!(place(line("intro"), 10), Some(6));
        assert_eq!(place(line("intro"), 12), Some("intro 𝔽".len()));
        assert_eq!(place(line("exact?"), 4), Some(tactic.find("exact?").unwrap()));
        for (line, character) in [(0, 4), (line("intro"), 2), (line("intro"), 11), (line("skip"), 4)] {
            assert_eq!(place(line, character), None);
        }
    }

    #[test]
    fn several_goals_of_a_group_are_left_alone_with_each_other() {
        let base = Base::new(&theorem(""));
        let groups = vec![vec![0], vec![1, 3], vec![2]];
        let path = [Step { tactic: "start".into(), groups, next: 1, in_parentheses: false }];
        let text = base.with(&path, None).text;
        // a c1 b c2: without a, c1 b c2; b in front, b c2 c1; without it, c2 c1; in order, c1 c2.
        let part =
            "  · (exact _andor_hole)\n  rotate_left 1\n  · (exact _andor_hole)\n  rotate_left 1\n  skip\n";
        assert!(text.contains(part), "{text}");
    }
}
