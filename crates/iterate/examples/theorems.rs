//! Writes the theorems of `examples/loop.toml`: `cargo run -p andor-iterate --example theorems -- examples/loop`.
//!
//! Six families, all true by construction: propositional logic, equations of numbers, lists, recursive functions, chains of
//! equalities, and quantifiers. No theorem has the form of another one, up to names and numerals, and no held-out theorem is
//! a near duplicate of one to train on.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::collections::BTreeSet;
use std::path::PathBuf;

use andor_core::rng::{Purpose, Rng, stream};
use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

const SEED: u64 = 2026;
const TRAIN: usize = 240;
const HELD_OUT: usize = 100;

/// How often a family is asked for a theorem of a new form before it is passed over.
const TRIES: usize = 500;

/// Held-out theorems share at most this part of their triples of words with any theorem to train on.
const MOST_ALIKE: f64 = 0.8;

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).map_or_else(|| PathBuf::from("examples/loop"), PathBuf::from);
    let mut rng = stream(SEED, Purpose::Candidates);
    // Logic is the hardest family, so it comes most often.
    let families: [fn(&mut Rng) -> Option<String>; 9] =
        [logic, numbers, quantifiers, logic, lists, recursion, logic, chains, quantifiers];
    let (mut train, mut held_out): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let mut forms = BTreeSet::new();
    for at in (0..families.len()).cycle() {
        if train.len() == TRAIN && held_out.len() == HELD_OUT {
            break;
        }
        let drawn = std::iter::repeat_with(|| families[at](&mut rng)).take(TRIES).flatten();
        let Some(statement) = { drawn }.find(|statement| forms.insert(form(statement))) else { continue };
        let others = |all: &[String]| all.iter().map(|other| alike(other, &statement)).fold(0.0, f64::max);
        if held_out.len() < HELD_OUT && others(&train) < MOST_ALIKE && rng.random_bool(0.4) {
            held_out.push(statement);
        } else if train.len() < TRAIN && others(&held_out) < MOST_ALIKE {
            train.push(statement);
        }
    }
    for (name, theorems) in [("train", train), ("held_out", held_out)] {
        let line = |(at, statement): (usize, &String)| {
            format!("theorem {name}_{at:03} {statement} := by\n  sorry\n")
        };
        let text: Vec<String> = theorems.iter().enumerate().map(line).collect();
        let path = folder.join(format!("{name}.lean"));
        let about = "-- Made by crates/iterate/examples/theorems.rs; do not edit.\n\n";
        std::fs::write(&path, about.to_owned() + &text.join("\n"))?;
        println!("{}: {} theorems", path.display(), text.len());
    }
    Ok(())
}

/// The words of a statement, without names and numerals.
fn words(statement: &str) -> Vec<String> {
    let mut names: Vec<&str> = Vec::new();
    let spaced = statement.replace(['(', ')', ',', ':'], " ");
    let known = ["Nat", "Prop", "Type", "List", "List.map", "List.reverse", "List.length"];
    let mut word = |word: &str| -> String {
        if word.chars().all(|c| c.is_ascii_digit()) {
            return "0".to_owned();
        }
        if known.contains(&word) || !word.chars().all(|c| c.is_alphanumeric()) {
            return word.to_owned();
        }
        let word: &str = spaced[..].split_whitespace().find(|w| *w == word).unwrap_or("");
        let number = names.iter().position(|name| *name == word).unwrap_or(names.len());
        if number == names.len() {
            names.push(word);
        }
        format!("x{number}")
    };
    spaced.split_whitespace().map(&mut word).collect()
}

fn form(statement: &str) -> String {
    words(statement).join(" ")
}

/// The part of the triples of words that two statements share.
fn alike(a: &str, b: &str) -> f64 {
    let triples =
        |s: &str| -> BTreeSet<Vec<String>> { words(s).windows(3).map(<[String]>::to_vec).collect() };
    let (a, b) = (triples(a), triples(b));
    a.intersection(&b).count() as f64 / a.union(&b).count().max(1) as f64
}

/// A propositional formula over four variables.
#[derive(Clone, PartialEq)]
enum Formula {
    Var(usize),
    Not(Box<Formula>),
    Two(&'static str, Box<Formula>, Box<Formula>),
}

impl Formula {
    fn random(rng: &mut Rng, depth: u32) -> Self {
        if depth == 0 || rng.random_bool(0.25) {
            return Self::Var(rng.random_range(0..4));
        }
        if rng.random_bool(0.15) {
            return Self::Not(Box::new(Self::random(rng, depth - 1)));
        }
        let connective = ["∧", "∨", "→", "∧", "∨", "→", "↔"].choose(rng).expect("not empty");
        Self::Two(connective, Box::new(Self::random(rng, depth - 1)), Box::new(Self::random(rng, depth - 1)))
    }

    fn holds(&self, row: u32) -> bool {
        match self {
            Self::Var(at) => row >> at & 1 == 1,
            Self::Not(p) => !p.holds(row),
            Self::Two(connective, p, q) => {
                let (p, q) = (p.holds(row), q.holds(row));
                match *connective {
                    "∧" => p && q,
                    "∨" => p || q,
                    "→" => !p || q,
                    _ => p == q,
                }
            }
        }
    }

    fn text(&self, inner: bool) -> String {
        match self {
            Self::Var(at) => ["p", "q", "r", "s"][*at].to_owned(),
            Self::Not(p) => format!("¬ {}", p.text(true)),
            Self::Two(connective, p, q) => {
                let text = format!("{} {connective} {}", p.text(true), q.text(true));
                if inner { format!("({text})") } else { text }
            }
        }
    }
}

/// What follows from two hypotheses, and from neither of them alone.
fn logic(rng: &mut Rng) -> Option<String> {
    let hypotheses = [Formula::random(rng, 2), Formula::random(rng, 2)];
    let depth = rng.random_range(1..=2);
    let goal = Formula::random(rng, depth);
    let rows =
        |given: &[&Formula]| (0..16).filter(|row| given.iter().all(|h| h.holds(*row))).collect::<Vec<u32>>();
    let [a, b] = &hypotheses;
    let follows = |given: &[&Formula]| rows(given).into_iter().all(|row| goal.holds(row));
    let is_good = !rows(&[a, b]).is_empty() && follows(&[a, b]) && !follows(&[a]) && !follows(&[b]);
    is_good.then(|| {
        let [a, b] = [a.text(false), b.text(false)];
        format!("(p q r s : Prop) (h : {a}) (k : {b}) : {}", goal.text(false))
    })
}

/// A sum of products, written in two ways.
fn numbers(rng: &mut Rng) -> Option<String> {
    let n = rng.random_range(2..=4);
    let names = ["a", "b", "c"];
    let term = |rng: &mut Rng| {
        let pick = |rng: &mut Rng| names.choose(rng).expect("not empty").to_string();
        match rng.random_range(0..4) {
            0 => vec![pick(rng)],
            1 => vec![pick(rng), pick(rng)],
            2 => vec![rng.random_range(2..9).to_string(), pick(rng)],
            _ => vec![rng.random_range(1..9).to_string()],
        }
    };
    let terms: Vec<Vec<String>> = (0..n).map(|_| term(rng)).collect();
    let written = |rng: &mut Rng| {
        let mut terms = terms.clone();
        terms.shuffle(rng);
        let mut products: Vec<String> = terms
            .into_iter()
            .map(|mut term| {
                term.shuffle(rng);
                term.join(" * ")
            })
            .collect();
        while products.len() > 1 {
            let at = rng.random_range(0..products.len() - 1);
            let second = products.remove(at + 1);
            let last = products.len() == 1;
            let sum = format!("{} + {second}", products[at]);
            products[at] = if last { sum } else { format!("({sum})") };
        }
        products.remove(0)
    };
    let (left, right) = (written(rng), written(rng));
    let relation = ["=", "=", "≤"].choose(rng).expect("not empty");
    let extra = if *relation == "≤" { format!(" + {}", rng.random_range(0..5)) } else { String::new() };
    (left != right).then(|| format!("(a b c : Nat) : {left} {relation} {right}{extra}"))
}

/// An expression of lists, and what it becomes by laws of appending, mapping and reversing.
fn lists(rng: &mut Rng) -> Option<String> {
    fn expression(rng: &mut Rng, depth: u32) -> (String, Vec<String>) {
        let var = ["xs", "ys", "zs"].choose(rng).expect("not empty").to_string();
        if depth == 0 {
            return match rng.random_range(0..5) {
                0 => ("[]".to_owned(), Vec::new()),
                1 => ("[x]".to_owned(), vec!["[x]".to_owned()]),
                _ => (var.clone(), vec![var]),
            };
        }
        match rng.random_range(0..4) {
            0 => {
                let (text, parts) = expression(rng, depth - 1);
                let mapped = parts.iter().map(|part| {
                    if part == "[x]" { "[f x]".to_owned() } else { format!("List.map f {part}") }
                });
                // A mapped part is not mapped again, so that types stay simple.
                if text.contains("List.map") {
                    return (text, parts);
                }
                (format!("List.map f ({text})"), mapped.collect())
            }
            _ => {
                let (a, p) = expression(rng, depth - 1);
                let (b, q) = expression(rng, depth - 1);
                (format!("({a} ++ {b})"), [p, q].concat())
            }
        }
    }
    let depth = rng.random_range(1..=3);
    let (text, parts) = expression(rng, depth);
    if parts.is_empty() {
        return None;
    }
    let right = parts.join(" ++ ");
    let statement = match rng.random_range(0..3) {
        0 => {
            let lengths: Vec<String> = parts
                .iter()
                .map(|part| match part.trim_start_matches("List.map f ") {
                    "[x]" | "[f x]" => "1".to_owned(),
                    var => format!("List.length {var}"),
                })
                .collect();
            format!("List.length {} = {}", bracketed(&text), lengths.join(" + "))
        }
        _ => format!("{text} = {right}"),
    };
    (text != right).then(|| format!("(α : Type) (f : α → α) (x : α) (xs ys zs : List α) : {statement}"))
}

fn bracketed(text: &str) -> String {
    if text.starts_with('(') && text.ends_with(')') || !text.contains(' ') {
        text.to_owned()
    } else {
        format!("({text})")
    }
}

/// A function given by recursion equations, and a closed form or bound for it.
fn recursion(rng: &mut Rng) -> Option<String> {
    let (start, step) = (rng.random_range(0..6), rng.random_range(1..7));
    let name = ["f", "g"].choose(rng).expect("not empty");
    let first = format!("(h : {name} 0 = {start})");
    let statement = match rng.random_range(0..6) {
        0 => format!(
            "(k : ∀ n : Nat, {name} (n + 1) = {name} n + {step}) : ∀ n : Nat, {name} n = {step} * n + {start}"
        ),
        1 => format!("(k : ∀ n : Nat, {name} (n + 1) = {step} + {name} n) : ∀ n : Nat, {start} ≤ {name} n"),
        2 => format!("(k : ∀ n : Nat, {name} (n + 1) = {name} n) : ∀ n : Nat, {name} n = {start}"),
        3 => format!("(k : ∀ n : Nat, {name} n + {step} ≤ {name} (n + 1)) : ∀ n : Nat, n ≤ {name} n"),
        4 => format!(
            "(k : ∀ n : Nat, {name} (n + 1) ≤ {name} n + {step}) : ∀ n : Nat, {name} n ≤ {start} + {step} * n"
        ),
        _ => format!(
            "(k : ∀ n : Nat, {name} (n + 1) = {name} n + 2 * n + {step}) : ∀ n : Nat, {start} + n ≤ {name} n + n"
        ),
    };
    Some(format!("({name} : Nat → Nat) {first} {statement}"))
}

/// Equalities that lead from one thing to another, below functions.
fn chains(rng: &mut Rng) -> Option<String> {
    let mut things = ["a", "b", "c", "d", "e"];
    things.shuffle(rng);
    let n = rng.random_range(2..=4);
    let mut hypotheses: Vec<String> = (0..n - 1)
        .map(|at| {
            let (mut left, mut right) = (things[at], things[at + 1]);
            if rng.random_bool(0.5) {
                std::mem::swap(&mut left, &mut right);
            }
            format!("(h{at} : {left} = {right})")
        })
        .collect();
    hypotheses.shuffle(rng);
    let wrap = ["x", "f x", "g (f x)", "f (f x)", "op x a", "op a (f x)", "op (g x) (g x)"].choose(rng)?;
    let of = |thing: &str| wrap.replace('x', thing);
    let (first, last) = (of(things[0]), of(things[n - 1]));
    let goal = match rng.random_range(0..3) {
        0 => format!("{last} = {first}"),
        1 => {
            hypotheses.push(format!("(hp : p ({first}))"));
            format!("p ({last})")
        }
        _ => format!("{first} = {last}"),
    };
    let context = "(α : Type) (f g : α → α) (op : α → α → α) (p : α → Prop) (a b c d e : α)";
    Some(format!("{context} {} : {goal}", hypotheses.join(" ")))
}

/// Predicates that imply one another, and things that have them.
fn quantifiers(rng: &mut Rng) -> Option<String> {
    let mut predicates = ["p", "q", "r", "t"];
    predicates.shuffle(rng);
    let [a, b, c, d] = predicates;
    let mut hypotheses = vec![format!("(h : ∀ x, {a} x → {b} x)")];
    let has_second = rng.random_bool(0.5);
    if has_second {
        hypotheses.push(format!("(k : ∀ x, {b} x → {c} x)"));
    }
    let end = if has_second { c } else { b };
    let (more, goal) = match rng.random_range(0..6) {
        0 => (format!("(l : ∃ x, {a} x)"), format!("∃ x, {end} x")),
        1 => (format!("(l : ∃ x, {a} x ∧ {d} x)"), format!("∃ x, {end} x ∧ {d} x")),
        2 => (format!("(l : ∀ x, {a} x)"), format!("∀ x, {end} x")),
        3 => (format!("(l : ∀ x, {d} x → {a} x)"), format!("∀ x, {d} x → {end} x")),
        4 => (format!("(l : ¬ {end} e)"), format!("¬ {a} e")),
        _ => (format!("(l : {a} e) (m : {d} e)"), format!("∃ x, {d} x ∧ {end} x")),
    };
    hypotheses.push(more);
    hypotheses.shuffle(rng);
    Some(format!("(α : Type) (p q r t : α → Prop) (e : α) {} : {goal}", hypotheses.join(" ")))
}
