//! The lines of an export: names, levels and terms, each once and before the first that refers to it, and declarations.

use std::collections::{HashMap, HashSet};

use num_bigint::BigUint;
use serde_json::{Value, json};

use crate::olean::{
    Address, Binder, Component, Level, Literal, Name, Names, Natural, Node, OleanError, Term,
};

/// The version of the format.
const FORMAT: &str = "3.1.0";

/// The most bytes that an export may have.
const LONGEST: usize = 1 << 30;

/// The kinds of binders, in the order of Lean's `BinderInfo`.
const BINDERS: [&str; 4] = ["default", "implicit", "strictImplicit", "instImplicit"];

/// An export, as far as it is written. Numbers of names and levels begin at 1: 0 is the empty name, and the level zero.
pub(super) struct Records {
    text: Vec<u8>,
    names: HashMap<Name, u32>,
    /// By what they are written as, without the number. What variables are called is left out, so that terms that differ in
    /// nothing else have one number.
    levels: HashMap<String, u32>,
    terms: HashMap<String, u32>,
}

/// What was met in a file.
#[derive(Default)]
pub(super) struct Met {
    pub(super) names: Names,
    levels: HashMap<Address, u32>,
    terms: HashMap<Address, u32>,
    /// Terms all of whose constants were visited.
    pub(super) visited: HashSet<Address>,
}

impl Records {
    /// An export of files that were written by a version of Lean, of a revision of its sources.
    pub(super) fn new(version: &str, revision: &str) -> Self {
        let names = HashMap::from([(Name::from_text(""), 0)]);
        let mut new = Self { text: Vec::new(), names, levels: HashMap::new(), terms: HashMap::new() };
        let exporter = json!({"name": "andor", "version": env!("CARGO_PKG_VERSION")});
        let lean = json!({"githash": revision, "version": version});
        new.line(&json!({"meta": {"exporter": exporter, "format": {"version": FORMAT}, "lean": lean}}));
        new
    }

    /// The text, if it is no longer than an export may be.
    pub(super) fn finish(self) -> Result<Vec<u8>, OleanError> {
        match self.text.len() > LONGEST {
            true => Err(OleanError::Beyond("its export has more than 1 GiB")),
            false => Ok(self.text),
        }
    }

    /// Writes a declaration.
    pub(super) fn line(&mut self, record: &Value) {
        if self.text.len() <= LONGEST {
            serde_json::to_writer(&mut self.text, record).expect("memory can be written to");
            self.text.push(b'\n');
        }
    }

    /// The number of a name.
    pub(super) fn name(&mut self, met: &mut Met, node: Node<'_>) -> Result<u32, OleanError> {
        // From the last component back to a name that has a number.
        let mut new = Vec::new();
        let mut rest = node;
        let mut number = loop {
            let name = met.names.read(rest)?;
            if let Some(known) = self.names.get(&name) {
                break *known;
            }
            let (before, component) = Component::read(rest)?;
            new.push((name, component));
            rest = before;
        };
        for (name, component) in new.into_iter().rev() {
            number = self.component(name, number, &component);
        }
        Ok(number)
    }

    /// Writes a new name, given its parts.
    fn component(&mut self, name: Name, before: u32, component: &Component<'_>) -> u32 {
        let number = self.names.len() as u32;
        self.line(&match component {
            Component::Text(text) => json!({"in": number, "str": {"pre": before, "str": text}}),
            Component::Number(n) => json!({"in": number, "num": {"i": n, "pre": before}}),
        });
        self.names.insert(name, number);
        number
    }

    pub(super) fn names(&mut self, met: &mut Met, nodes: &[Node<'_>]) -> Result<Vec<u32>, OleanError> {
        nodes.iter().map(|node| self.name(met, *node)).collect()
    }

    /// The numbers of universe parameters. Each is a level, too.
    pub(super) fn parameters(&mut self, met: &mut Met, nodes: &[Node<'_>]) -> Result<Vec<u32>, OleanError> {
        let names = self.names(met, nodes)?;
        for name in &names {
            self.new_level(json!({"param": name}));
        }
        Ok(names)
    }

    /// The number of a level.
    fn level(&mut self, met: &mut Met, node: Node<'_>) -> Result<u32, OleanError> {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if met.levels.contains_key(&node.address()) {
                continue;
            }
            let level = Level::read(node)?;
            let parts = match level {
                Level::Zero | Level::Parameter(_) => Vec::new(),
                Level::Successor(a) => vec![a],
                Level::Max(a, b) | Level::IMax(a, b) => vec![a, b],
            };
            let of = |met: &Met, part: Node<'_>| met.levels.get(&part.address()).copied();
            if parts.iter().any(|part| of(met, *part).is_none()) {
                open.push(node);
                open.extend(parts.into_iter().rev());
                continue;
            }
            let of = |part| of(met, part).expect("its parts have numbers");
            let number = match level {
                Level::Zero => 0,
                Level::Successor(a) => self.new_level(json!({"succ": of(a)})),
                Level::Max(a, b) => self.new_level(json!({"max": [of(a), of(b)]})),
                Level::IMax(a, b) => self.new_level(json!({"imax": [of(a), of(b)]})),
                Level::Parameter(name) => {
                    let name = self.name(met, name)?;
                    self.new_level(json!({"param": name}))
                }
            };
            met.levels.insert(node.address(), number);
        }
        Ok(met.levels[&node.address()])
    }

    fn new_level(&mut self, mut record: Value) -> u32 {
        let key = record.to_string();
        if let Some(known) = self.levels.get(&key) {
            return *known;
        }
        let number = self.levels.len() as u32 + 1;
        record["il"] = number.into();
        self.line(&record);
        self.levels.insert(key, number);
        number
    }

    /// The number of a term.
    pub(super) fn term(&mut self, met: &mut Met, node: Node<'_>) -> Result<u32, OleanError> {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            if met.terms.contains_key(&node.address()) {
                continue;
            }
            let term = Term::read(node)?;
            let parts = match term {
                Term::Application(a, b) | Term::Lambda(a, b) | Term::Pi(a, b) => vec![a, b],
                Term::Let(a, b, c) => vec![a, b, c],
                Term::Projection(_, _, value) => vec![value],
                Term::Bound(_) | Term::Sort(_) | Term::Constant(..) | Term::Literal(_) => Vec::new(),
            };
            let of = |met: &Met, part: Node<'_>| met.terms.get(&part.address()).copied();
            if parts.iter().any(|part| of(met, *part).is_none()) {
                open.push(node);
                open.extend(parts.into_iter().rev());
                continue;
            }
            let of = |part| of(met, part).expect("its parts have numbers");
            let small = |number: &Natural<'_>| match number {
                Natural::Small(number) => Ok(*number),
                Natural::Large(_) => Err(node.unlike("a term with small numbers")),
            };
            let mut binding = None;
            let record = match term {
                Term::Bound(number) => json!({"bvar": small(&number)?}),
                Term::Application(f, a) => json!({"app": {"arg": of(a), "fn": of(f)}}),
                Term::Literal(Literal::Natural(number)) => json!({"natVal": decimal(&number)}),
                Term::Literal(Literal::Text(text)) => json!({"strVal": text}),
                Term::Lambda(ty, body) => {
                    binding = Some("lam");
                    json!({"lam": {"body": of(body), "type": of(ty)}})
                }
                Term::Pi(ty, body) => {
                    binding = Some("forallE");
                    json!({"forallE": {"body": of(body), "type": of(ty)}})
                }
                Term::Let(ty, value, body) => {
                    binding = Some("letE");
                    let [ty, value, body] = [ty, value, body].map(of);
                    json!({"letE": {"body": body, "nondep": false, "type": ty, "value": value}})
                }
                Term::Projection(structure, field, value) => {
                    let (field, value) = (small(&field)?, of(value));
                    let structure = self.name(met, structure)?;
                    json!({"proj": {"idx": field, "struct": value, "typeName": structure}})
                }
                Term::Sort(level) => json!({"sort": self.level(met, level)?}),
                Term::Constant(name, levels) => {
                    let name = self.name(met, name)?;
                    let levels = levels.list("a list of levels")?;
                    let levels = levels.into_iter().map(|level| self.level(met, level));
                    let levels: Vec<u32> = levels.collect::<Result<_, _>>()?;
                    json!({"const": {"name": name, "us": levels}})
                }
            };
            let number = match binding {
                None => self.new_term(record, None),
                Some(kind) => {
                    let Binder { name, kind: given } = Binder::read(node)?;
                    let given =
                        BINDERS.get(usize::from(given)).ok_or_else(|| node.unlike("a known binder"))?;
                    let given = (kind != "letE").then_some(*given);
                    let name = self.name(met, name)?;
                    self.new_term(record, Some((kind, name, given)))
                }
            };
            met.terms.insert(node.address(), number);
        }
        Ok(met.terms[&node.address()])
    }

    /// The number of a term with these parts, and for one that binds a variable: its kind, what the variable is called, and
    /// how its argument is given.
    fn new_term(&mut self, mut record: Value, binding: Option<(&str, u32, Option<&str>)>) -> u32 {
        let key = record.to_string();
        if let Some(known) = self.terms.get(&key) {
            return *known;
        }
        let number = self.terms.len() as u32;
        if let Some((kind, name, given)) = binding {
            record[kind]["name"] = name.into();
            if let Some(given) = given {
                record[kind]["binderInfo"] = given.into();
            }
        }
        record["ie"] = number.into();
        self.line(&record);
        self.terms.insert(key, number);
        number
    }

    /// Writes a theorem that no kernel accepts: `∀ p : Prop, p`, with the proof `fun p : Prop => p`.
    pub(super) fn false_theorem(&mut self) {
        const NAME: &str = "andor_false";
        let name = self.component(Name::from_text(NAME), 0, &Component::Text(NAME.into()));
        let prop = self.new_term(json!({"sort": 0}), None);
        let variable = self.new_term(json!({"bvar": 0}), None);
        let [statement, proof] = ["forallE", "lam"].map(|kind| {
            let record = json!({kind: {"body": variable, "type": prop}});
            self.new_term(record, Some((kind, name, Some("default"))))
        });
        self.line(&json!({"thm": {
            "all": [name], "levelParams": [], "name": name, "type": statement, "value": proof,
        }}));
    }
}

/// A number in base 10.
fn decimal(number: &Natural<'_>) -> String {
    match number {
        Natural::Small(number) => number.to_string(),
        Natural::Large(digits) => BigUint::from_bytes_le(digits).to_string(),
    }
}

/// A number among a declaration's own, which are small.
pub(super) fn count(number: &Natural<'_>, of: Node<'_>) -> Result<u64, OleanError> {
    match number {
        Natural::Small(number) => Ok(*number),
        Natural::Large(_) => Err(of.unlike("a declaration with small numbers")),
    }
}
