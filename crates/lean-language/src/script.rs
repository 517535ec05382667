//! Writes a finished proof as a Lean file.
//!
//! Every step was tried on its own group of goals alone. In a file all goals form one list, of which
//! tactics work on the first. So the writer keeps that list as Lean will have it at each point, and brings the
//! goals of the next step to its front:
//!
//! * a step that leaves one group is followed by its continuation at the same indentation;
//! * single goals get a bullet each, which hides the others;
//! * groups of several goals have no such form in Lean, since a bullet contains one goal. They come after all bullets,
//!   so that a single one is alone in the list, as it was when its tactics were tried.
//!
//! If one step leaves several groups of several goals, the later ones are visible while the first is worked
//! on, and tactics for all goals would reach them. Such a script may fail; the checker decides.

use andor_core::theorem::Theorem;

use andor_env::environment::{Script, ScriptStep};
use andor_env::file::source_file;

/// The theorem's own statement, unchanged, with a proof.
pub fn file(theorem: &Theorem, proof: &str) -> String {
    let statement = bare(&theorem.statement);
    // A trailing comment would hide the text after it.
    let comment = statement.lines().next_back().is_some_and(|line| line.contains("--"));
    let by = if comment { "\n    := by" } else { " := by" };
    source_file(theorem, &format!("{statement}{by}\n{proof}"))
}

/// A goal, numbered by creation.
type Goal = usize;

/// Pending output.
enum Task {
    /// A step on some goals.
    Step(usize, Vec<Goal>),
    /// Moves a goal to the front of the list.
    Front(Goal),
    /// Opens a bullet for the first goal.
    Bullet,
    /// Opens a block for a goal.
    Open(Goal),
    /// Closes the bullet or the block.
    Close,
}

/// Writes the steps of a script, each on the goals that it was tried on.
#[derive(Default)]
pub struct Writer {
    text: String,
    /// The visible goals, in order; those of the innermost bullet are last.
    views: Vec<Vec<Goal>>,
    goals: usize,
    /// Whether the next line follows its bullet directly.
    behind_bullet: bool,
    /// Which steps are written with a block.
    opened: Option<Opened>,
}

/// How a step is written whose proof of one goal stands in a block: the text before the block, and the number of the goal. `None`
/// for a step without one.
pub type Opened = fn(&ScriptStep) -> Option<(String, usize)>;

impl Writer {
    /// Writes some steps with blocks.
    pub fn with_blocks(opened: Opened) -> Self {
        Self { opened: Some(opened), ..Self::default() }
    }

    /// Writes the tactics of a script.
    pub fn write(mut self, script: &Script) -> String {
        let root = self.new_goal();
        self.views.push(vec![root]);
        // A stack, with the next task last.
        let mut tasks = vec![Task::Step(0, vec![root])];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Step(index, goals) => {
                    let next = self.step(script, index, &goals);
                    tasks.extend(next.into_iter().rev());
                }
                Task::Front(goal) => self.bring_to_front(goal),
                Task::Bullet => {
                    self.text += &format!("{}· ", self.margin());
                    self.behind_bullet = true;
                    let goal = self.view()[0];
                    self.open(goal);
                }
                Task::Open(goal) => self.open(goal),
                Task::Close => {
                    self.views.pop();
                }
            }
        }
        self.text
    }

    /// Writes a step, and returns the tasks that follow.
    fn step(&mut self, script: &Script, index: usize, goals: &[Goal]) -> Vec<Task> {
        let step = &script.steps[index];
        let block = self.opened.and_then(|opened| opened(step));
        self.line(block.as_ref().map_or(&step.text, |(head, _)| head));
        let left: usize = step.groups.iter().map(Vec::len).sum();
        let new: Vec<Goal> = (0..left).map(|_| self.new_goal()).collect();
        self.view().retain(|g| !goals.contains(g));
        self.view().splice(0..0, new.iter().copied());
        let of = |group: &Vec<usize>| group.iter().map(|&g| new[g]).collect::<Vec<Goal>>();
        let children = || step.groups.iter().map(of).zip(step.children.iter().copied());
        if let [only] = &step.groups[..] {
            return vec![Task::Step(step.children[0], of(only))];
        }
        if let Some((_, proved)) = block {
            let (inner, rest): (Vec<_>, Vec<_>) = children().partition(|(goals, _)| goals[0] == new[proved]);
            let steps =
                |of: Vec<(Vec<Goal>, usize)>| of.into_iter().map(|(goals, child)| Task::Step(child, goals));
            return [Task::Open(new[proved])]
                .into_iter()
                .chain(steps(inner))
                .chain([Task::Close])
                .chain(steps(rest))
                .collect();
        }
        let mut tasks = Vec::new();
        for (goals, child) in children().filter(|(goals, _)| goals.len() == 1) {
            tasks.extend([Task::Front(goals[0]), Task::Bullet, Task::Step(child, goals), Task::Close]);
        }
        for (goals, child) in children().filter(|(goals, _)| goals.len() > 1) {
            tasks.extend([Task::Front(goals[0]), Task::Step(child, goals)]);
        }
        tasks
    }

    fn open(&mut self, goal: Goal) {
        self.view().retain(|&other| other != goal);
        self.views.push(vec![goal]);
    }

    fn bring_to_front(&mut self, goal: Goal) {
        let place = self.view().iter().position(|&g| g == goal).unwrap_or_default();
        if place > 0 {
            self.line(&format!("rotate_left {place}"));
            self.view().rotate_left(place);
        }
    }

    /// Writes a tactic; its further lines are shifted like the first.
    fn line(&mut self, tactic: &str) {
        let margin = self.margin();
        for (number, line) in tactic.trim_end().lines().enumerate() {
            if number > 0 || !self.behind_bullet {
                self.text += &margin;
            }
            self.text += line;
            self.text.push('\n');
        }
        self.behind_bullet = false;
    }

    fn margin(&self) -> String {
        "  ".repeat(self.views.len())
    }

    fn view(&mut self) -> &mut Vec<Goal> {
        self.views.last_mut().expect("bullets close after they open")
    }

    fn new_goal(&mut self) -> Goal {
        self.goals += 1;
        self.goals
    }
}

/// A statement without a final `:=`, `:= by`, `:= sorry` or `:= by sorry`.
pub fn bare(statement: &str) -> &str {
    let mut rest = statement.trim_end();
    for word in ["sorry", "by"] {
        let shorter =
            rest.strip_suffix(word).filter(|r| r.ends_with(|c: char| c.is_whitespace() || c == '='));
        rest = shorter.unwrap_or(rest).trim_end();
    }
    rest.strip_suffix(":=").unwrap_or(statement).trim_end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(text: &str, groups: &[&[usize]], children: &[usize]) -> ScriptStep {
        ScriptStep {
            text: text.into(),
            groups: groups.iter().map(|g| g.to_vec()).collect(),
            children: children.to_vec(),
        }
    }

    fn body(steps: Vec<ScriptStep>) -> String {
        Writer::default().write(&Script { steps })
    }

    #[test]
    fn one_group_goes_on_and_single_goals_get_bullets() {
        let steps = vec![
            step("intro h", &[&[0]], &[1]),
            step("constructor", &[&[0], &[1]], &[2, 3]),
            step("exact h.2", &[], &[]),
            step("apply And.intro", &[&[0], &[1]], &[2, 4]),
            step("exact h.1", &[], &[]),
        ];
        let expected = "  intro h\n  constructor\n  · exact h.2\n  · apply And.intro\n    · exact h.2\n    · exact h.1\n";
        assert_eq!(body(steps), expected);
    }

    #[test]
    fn lines_of_a_tactic_keep_their_distance() {
        let cases = "cases h with\n| inl a =>\n  exact a\n| inr b => exact b";
        let steps = vec![step("constructor", &[&[0], &[1]], &[1, 1]), step(cases, &[], &[])];
        let part = "  · cases h with\n    | inl a =>\n      exact a\n    | inr b => exact b\n";
        assert_eq!(body(steps), format!("  constructor\n{part}{part}"));
    }

    #[test]
    fn a_group_of_several_goals_comes_last_and_in_its_order() {
        // The goals are c1 s c2 t, where c1 and c2 belong together.
        let steps = vec![
            step("start", &[&[0, 2], &[1], &[3]], &[1, 2, 3]),
            step("first c", &[&[0]], &[4]),
            step("exact s", &[], &[]),
            step("exact t", &[], &[]),
            step("second c", &[], &[]),
        ];
        // c1 s c2 t → s c2 t c1; c2 t c1 → t c1 c2; c1 c2
        let expected =
            "  start\n  rotate_left 1\n  · exact s\n  rotate_left 1\n  · exact t\n  first c\n  second c\n";
        assert_eq!(body(steps), expected);
    }

    #[test]
    fn several_groups_of_several_goals_are_worked_on_in_turn() {
        // The goals are a1 a2 s b1 b2.
        let steps = vec![
            step("start", &[&[0, 1], &[2], &[3, 4]], &[1, 2, 1]),
            step("both", &[&[0], &[1]], &[2, 2]),
            step("one", &[], &[]),
        ];
        // After the bullet: b1 b2 a1 a2, so a comes to the front, and is split with b visible.
        let expected = "  start\n  rotate_left 2\n  · one\n  rotate_left 2\n  both\n  · one\n  · one\n  both\n  · one\n  · one\n";
        assert_eq!(body(steps), expected);
    }

    #[test]
    fn what_stands_for_a_proof_is_left_out() {
        for end in ["", " :=", " := by", " := sorry", ":=sorry", " := by\n  sorry\n", "  "] {
            assert_eq!(bare(&format!("theorem t : a = b{end}")), "theorem t : a = b", "{end}");
        }
        assert_eq!(bare("theorem t : f = by"), "theorem t : f = by");
    }
}
