//! Declarations that are right or wrong for their universes: those of mini's table, and random ones.

use std::fmt;

use andor_mini::prover::Theory;

use super::lean::answers;

const TABLE: &str = include_str!("../../../../mini/tests/data/universes.txt");

/// Recursors are compiled to nothing.
const HEADER: &str = "noncomputable section\n";

#[test]
fn lean_answers_as_the_table_of_universes() {
    let entries: Vec<&str> = TABLE.trim_end().split("\n\n").skip(1).collect();
    let in_namespace = |(at, entry): (usize, &&str)| {
        let (_, text) = entry.split_once('\n').unwrap();
        format!("namespace U{at}\n{text}\nend U{at}")
    };
    let texts: Vec<String> = entries.iter().enumerate().map(in_namespace).collect();
    let answers = answers(HEADER, &texts);
    let is_wrong = |entry: &str, accepted: bool| entry.starts_with("accepted: ") != accepted;
    let wrong = entries.iter().zip(&answers).filter(|(entry, answer)| is_wrong(entry, answer.is_accepted()));
    let wrong: Vec<String> = wrong.map(|(entry, answer)| format!("{entry}\n{:?}", answer.errors)).collect();
    assert!(wrong.is_empty(), "{} are wrong:\n\n{}", wrong.len(), wrong.join("\n\n"));
}

/// A level.
#[derive(Clone, Debug)]
enum Level {
    Num(u32),
    /// `u`, `v` or `w`.
    Var(usize),
    Succ(Box<Level>),
    Max(Box<Level>, Box<Level>),
    IMax(Box<Level>, Box<Level>),
}

use Level::{IMax, Max, Num, Succ, Var};

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Num(n) => write!(f, "{n}"),
            Var(i) => write!(f, "{}", ["u", "v", "w"][*i]),
            Succ(a) => write!(f, "({a} + 1)"),
            Max(a, b) => write!(f, "(max {a} {b})"),
            IMax(a, b) => write!(f, "(imax {a} {b})"),
        }
    }
}

fn max(a: Level, b: Level) -> Level {
    Max(a.into(), b.into())
}

fn imax(a: Level, b: Level) -> Level {
    IMax(a.into(), b.into())
}

fn succ(a: Level) -> Level {
    Succ(a.into())
}

impl Level {
    fn value(&self, vars: [u32; 3]) -> u32 {
        match self {
            Num(n) => *n,
            Var(i) => vars[*i],
            Succ(a) => a.value(vars) + 1,
            Max(a, b) => a.value(vars).max(b.value(vars)),
            IMax(a, b) => match b.value(vars) {
                0 => 0,
                b => a.value(vars).max(b),
            },
        }
    }

    fn leaves(&self) -> usize {
        match self {
            Num(_) | Var(_) => 1,
            Succ(a) => a.leaves(),
            Max(a, b) | IMax(a, b) => a.leaves() + b.leaves(),
        }
    }
}

/// Whether a relation holds between two levels for all variables. None of the levels here adds more than 9.
fn always(a: &Level, b: &Level, holds: fn(&u32, &u32) -> bool) -> bool {
    let values = || 0..12;
    let all = values().flat_map(|x| values().flat_map(move |y| values().map(move |z| [x, y, z])));
    all.into_iter().all(|vars| holds(&a.value(vars), &b.value(vars)))
}

/// Random numbers, the same in each run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    fn var(&mut self) -> Level {
        Var(usize::try_from(self.below(3)).unwrap())
    }

    fn level(&mut self, depth: u32) -> Level {
        match self.below(if depth == 0 { 4 } else { 10 }) {
            0 => Num(u32::try_from(self.below(3)).unwrap()),
            1..4 => self.var(),
            4..6 => succ(self.level(depth - 1)),
            6..9 => max(self.level(depth - 1), self.level(depth - 1)),
            _ => imax(self.level(depth - 1), self.level(depth - 1)),
        }
    }

    /// An equal level, written otherwise.
    fn rewritten(&mut self, level: &Level) -> Level {
        let level = match level {
            Num(_) | Var(_) => level.clone(),
            Succ(a) => match (&**a, self.below(2)) {
                (Max(a, b), 0) => max(succ(self.rewritten(a)), succ(self.rewritten(b))),
                _ => succ(self.rewritten(a)),
            },
            Max(a, b) => match (&**b, self.below(3)) {
                (Max(b, c), 0) => max(max(self.rewritten(a), self.rewritten(b)), self.rewritten(c)),
                (_, 1) => max(self.rewritten(b), self.rewritten(a)),
                _ => max(self.rewritten(a), self.rewritten(b)),
            },
            IMax(a, b) => match (&**b, self.below(2)) {
                (Succ(_), 0) => max(self.rewritten(a), self.rewritten(b)),
                _ => imax(self.rewritten(a), self.rewritten(b)),
            },
        };
        match self.below(12) {
            0 => max(level.clone(), level),
            1 => max(Num(0), level),
            2 => imax(Num(1), level),
            _ => level,
        }
    }

    /// A level that differs in one place, though perhaps not in its value.
    fn changed(&mut self, level: &Level) -> Level {
        match level {
            Num(n) => Num(n + 1),
            Var(_) => match self.below(2) {
                0 => self.var(),
                _ => succ(level.clone()),
            },
            Succ(a) => match self.below(2) {
                0 => (**a).clone(),
                _ => succ(self.changed(a)),
            },
            Max(a, b) => match self.below(4) {
                0 => imax((**a).clone(), (**b).clone()),
                1 => (**a).clone(),
                2 => max(self.changed(a), (**b).clone()),
                _ => max((**a).clone(), self.changed(b)),
            },
            IMax(a, b) => match self.below(4) {
                0 => max((**a).clone(), (**b).clone()),
                1 => (**b).clone(),
                2 => imax(self.changed(a), (**b).clone()),
                _ => imax((**a).clone(), self.changed(b)),
            },
        }
    }
}

/// A declaration, the number of levels in it, and whether it is right.
struct Case {
    text: String,
    n_levels: usize,
    is_right: bool,
}

fn case(form: u64, a: &Level, b: &Level) -> Case {
    let vars = "(x : Sort u) (y : Sort v) (z : Sort w)";
    let (text, is_right) = match form {
        0 => (format!("def t {vars} (α : Sort {a}) : Sort {b} := α"), always(a, b, u32::eq)),
        1 => (
            format!("def t {vars} (α : Sort {a}) : Sort (imax {b} v) := α → y"),
            always(&imax(a.clone(), Var(1)), &imax(b.clone(), Var(1)), u32::eq),
        ),
        2 => (
            format!(
                "theorem t {vars} (p : Sort {a} → Prop) (h : ∀ α : Sort {a}, p α) (α : Sort {b}) : p α := h α"
            ),
            always(a, b, u32::eq),
        ),
        _ => (
            format!("inductive T {vars} (α : Sort {a}) : Sort (max 1 {b}) where\n  | mk (a : α) : T x y z α"),
            always(a, &max(Num(1), b.clone()), u32::le),
        ),
    };
    Case { text, n_levels: a.leaves() + b.leaves(), is_right }
}

#[test]
fn lean_and_mini_agree_on_random_universes() {
    let mut random = Random(20_240_607);
    let cases: Vec<Case> = (0..2_000)
        .map(|at| {
            let a = random.level(3);
            let b = match random.below(8) {
                0 => random.level(3),
                1..4 => random.changed(&a),
                _ => random.rewritten(&a),
            };
            case(at % 4, &a, &b)
        })
        .collect();
    let texts = cases.iter().enumerate().map(|(at, c)| format!("namespace U{at}\n{}\nend U{at}", c.text));
    let answers = answers(HEADER, &texts.collect::<Vec<_>>());
    let (mut accepted, mut refused, mut missed) = (0, 0, 0);
    let mut wrong = Vec::new();
    for (case, lean) in cases.iter().zip(answers) {
        let mini = Theory::prelude().extended(&case.text);
        match (case.is_right, mini.is_ok(), lean.is_accepted()) {
            (true, true, true) => accepted += usize::from(case.n_levels >= 3),
            (false, false, false) => refused += 1,
            // Lean's comparison is not complete where `imax` occurs.
            (true, true, false) if case.text.contains("imax") => missed += 1,
            _ => wrong.push(format!(
                "{}\nright: {}\nmini: {:?}\nLean: {:?}",
                case.text,
                case.is_right,
                mini.err(),
                lean.errors
            )),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(accepted >= 300 && refused >= 300 && missed <= 200, "{accepted} {refused} {missed}");
}
