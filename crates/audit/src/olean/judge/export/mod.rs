//! Exports: theorems with everything that they need, as other kernels than Lean's read them. The format is that of
//! [lean4export](https://github.com/leanprover/lean4export), version 3.1.0: one JSON object per line.
//!
//! What is written comes from the compiled files alone, as the judge reads them (ADR 26).

mod records;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use serde_json::{Value, json};

use super::catalogue::Catalogue;
use super::world::World;
use super::{AuditError, SUBMISSION, private};
use crate::olean::{
    Address, Constant, Hints, Kind, Literal, Module, Name, Names, Natural, Node, OleanError, Term,
};
use records::{Met, Records, count};

/// Declarations that literals stand for.
const OF_NUMBERS: &[&str] = &["Nat"];
const OF_TEXTS: &[&str] = &["Nat", "Char.ofNat", "String.ofList"];

/// Theorems with everything that they need.
pub struct Export {
    /// The lines.
    pub text: Vec<u8>,
    /// The axioms among the declarations, in their order.
    pub axioms: Vec<String>,
}

/// What an export ends with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// The last theorem.
    Theorems,
    /// A false theorem, which every kernel refuses.
    Falsehood,
}

/// Exports theorems of a compiled file, or of the modules that it would import.
pub fn export(
    file: Option<&Path>,
    world: &World,
    theorems: &[String],
    end: End,
    catalogue: &Catalogue,
) -> Result<Export, AuditError> {
    let mut files = Files { world, catalogue, own: HashMap::new(), open: HashMap::new() };
    if let Some(file) = file {
        let failed = |source| AuditError::File { of: SUBMISSION.to_owned(), source };
        let module = super::read(SUBMISSION, file)?;
        let index = module.index(&mut Names::default()).map_err(failed)?;
        files.own.extend(index);
        files.open.insert(Home::Own, (module, Met::default()));
    }
    let home = if file.is_some() { Home::Own } else { Home::Module(0) };
    let written_by = files.open(home)?.0.written_by();
    let written_by = written_by.map_err(|source| files.failed(home, source))?;
    let mut exporter = Exporter {
        files,
        records: Records::new(&written_by.0, &written_by.1),
        visited: HashSet::new(),
        axioms: Vec::new(),
    };
    for theorem in super::names(theorems) {
        let is_private =
            !exporter.files.own.contains_key(&theorem) && exporter.files.own.contains_key(&private(&theorem));
        exporter.constant(if is_private { private(&theorem) } else { theorem })?;
    }
    if end == End::Falsehood {
        exporter.records.false_theorem();
    }
    for (home, (module, _)) in &exporter.files.open {
        module.verify().map_err(|source| exporter.files.failed(*home, source))?;
    }
    let text = exporter.records.finish();
    let text = text.map_err(|source| AuditError::File { of: SUBMISSION.to_owned(), source })?;
    Ok(Export { text, axioms: exporter.axioms })
}

/// The file that declares a constant.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Home {
    /// The file that is exported.
    Own,
    /// A module, by its position in the world.
    Module(u32),
}

/// The files that constants are looked for in.
struct Files<'w> {
    world: &'w World,
    catalogue: &'w Catalogue,
    /// Where the file itself declares what.
    own: HashMap<Name, Address>,
    /// Those that were needed, with what was met in each.
    open: HashMap<Home, (Module, Met)>,
}

impl Files<'_> {
    fn failed(&self, home: Home, source: OleanError) -> AuditError {
        match home {
            Home::Own => AuditError::File { of: SUBMISSION.to_owned(), source },
            Home::Module(position) => AuditError::file(self.world.module(position).0, source),
        }
    }

    /// Where a constant is declared, if it is.
    fn find(&self, name: &Name) -> Option<(Home, Address)> {
        if let Some(at) = self.own.get(name) {
            return Some((Home::Own, *at));
        }
        let symbol = self.catalogue.symbols.find(name.as_str())?;
        let position = self.world.declaring(symbol).next()?;
        Some((Home::Module(position), self.world.module(position).1.at(symbol)))
    }

    /// A file, and what was met in it.
    fn open(&mut self, home: Home) -> Result<&mut (Module, Met), AuditError> {
        if let (Home::Module(position), false) = (home, self.open.contains_key(&home)) {
            let (name, contents) = self.world.module(position);
            self.open.insert(home, (contents.open(name)?, Met::default()));
        }
        Ok(self.open.get_mut(&home).expect("the file itself is open from the beginning"))
    }

    /// Reads a constant, and does something with it.
    fn with<T>(
        &mut self,
        name: &Name,
        work: impl FnOnce(Home, Constant<'_>, &mut Met) -> Result<T, OleanError>,
    ) -> Result<T, AuditError> {
        let (home, at) = self.find(name).ok_or_else(|| AuditError::Constant(name.to_string()))?;
        let (module, met) = self.open(home)?;
        let constant = module.constant(name.as_str(), at, &mut met.names);
        let done = constant.and_then(|constant| work(home, constant, met));
        done.map_err(|source| self.failed(home, source))
    }
}

/// A step of the walk over declarations: whatever a declaration needs is written before it.
enum Task {
    Constant(Name),
    /// A constant that the kernel needs for a literal, if it is declared.
    Literal(Name),
    /// Visit the constants in a term.
    Term(Home, Address),
    /// All of them were visited.
    Visited(Home, Address),
    Write(Declaration),
}

/// What is declared at once.
enum Declaration {
    One(Name),
    Quotients,
    Family(Family),
}

/// Types that are declared together, with all that comes with them.
struct Family {
    types: Vec<Name>,
    constructors: Vec<Name>,
    recursors: Vec<Name>,
}

struct Exporter<'w> {
    files: Files<'w>,
    records: Records,
    visited: HashSet<Name>,
    axioms: Vec<String>,
}

impl Exporter<'_> {
    /// Writes a constant, and before it all that it needs.
    fn constant(&mut self, name: Name) -> Result<(), AuditError> {
        let mut open = vec![Task::Constant(name)];
        while let Some(task) = open.pop() {
            match task {
                Task::Constant(name) => {
                    if self.visited.insert(name.clone()) {
                        self.visit(name, &mut open)?;
                    }
                }
                Task::Literal(name) => open.extend(self.files.find(&name).map(|_| Task::Constant(name))),
                Task::Term(home, at) => {
                    let (module, met) = self.files.open(home)?;
                    if !met.visited.contains(&at) {
                        open.push(Task::Visited(home, at));
                        let needs = needs(home, module.node(at), &mut met.names);
                        open.extend(needs.map_err(|source| self.files.failed(home, source))?);
                    }
                }
                Task::Visited(home, at) => drop(self.files.open(home)?.1.visited.insert(at)),
                Task::Write(Declaration::One(name)) => {
                    let (kind, record) = self.record(&name)?;
                    self.records.line(&json!({kind: record}));
                }
                Task::Write(Declaration::Quotients) => {
                    for name in ["Quot", "Quot.mk", "Quot.lift", "Quot.ind"].map(Name::from_text) {
                        let (kind, record) = self.record(&name)?;
                        self.records.line(&json!({kind: record}));
                        self.visited.insert(name);
                    }
                }
                Task::Write(Declaration::Family(family)) => {
                    let mut records = |names: &[Name]| -> Result<Vec<Value>, AuditError> {
                        names.iter().map(|name| Ok(self.record(name)?.1)).collect()
                    };
                    let (ctors, recs) = (records(&family.constructors)?, records(&family.recursors)?);
                    let types = records(&family.types)?;
                    self.records.line(&json!({"inductive": {"ctors": ctors, "recs": recs, "types": types}}));
                }
            }
        }
        Ok(())
    }

    /// What has to be done for a constant that is met for the first time, the last first.
    fn visit(&mut self, name: Name, open: &mut Vec<Task>) -> Result<(), AuditError> {
        let is_unsafe = self.files.with(&name, |home, constant, met| {
            let mut names = |nodes: &[Node<'_>]| -> Result<Vec<Name>, OleanError> {
                nodes.iter().map(|node| met.names.read(*node)).collect()
            };
            let term = |node: Node<'_>| Task::Term(home, node.address());
            let one = || Task::Write(Declaration::One(name.clone()));
            match &constant.kind {
                Kind::Axiom { .. } => open.extend([one(), term(constant.statement)]),
                Kind::Definition { value, .. } | Kind::Theorem { value, .. } | Kind::Opaque { value, .. } => {
                    open.extend([one(), term(*value), term(constant.statement)]);
                }
                Kind::Quotient { .. } => {
                    open.push(Task::Write(Declaration::Quotients));
                    open.push(Task::Constant(Name::from_text("Eq")));
                }
                Kind::Constructor { of, .. } => open.extend(names(&[*of])?.into_iter().map(Task::Constant)),
                Kind::Recursor { all, .. } => open.extend(names(all)?.into_iter().rev().map(Task::Constant)),
                // Its family is looked for below.
                Kind::Inductive { .. } => {}
            }
            Ok(constant.is_unsafe())
        })?;
        if is_unsafe {
            return Err(AuditError::Unchecked(name.to_string()));
        }
        if let Some(family) = self.family(&name)? {
            let mut terms = Vec::new();
            for name in family.types.iter().chain(&family.constructors).chain(&family.recursors) {
                self.visited.insert(name.clone());
                self.files.with(name, |home, constant, _| {
                    terms.push(Task::Term(home, constant.statement.address()));
                    if let Kind::Recursor { rules, .. } = &constant.kind {
                        terms.extend(rules.iter().map(|rule| Task::Term(home, rule.value.address())));
                    }
                    Ok(())
                })?;
            }
            open.push(Task::Write(Declaration::Family(family)));
            open.extend(terms.into_iter().rev());
        }
        Ok(())
    }

    /// The family of an inductive type. `None` if it is no such type.
    fn family(&mut self, name: &Name) -> Result<Option<Family>, AuditError> {
        let found = self.files.with(name, |_, constant, met| {
            let Kind::Inductive { all, counts: [_, _, nested], .. } = &constant.kind else { return Ok(None) };
            let all: Result<Vec<Name>, _> = all.iter().map(|node| met.names.read(*node)).collect();
            Ok(Some((all?, count(nested, constant.statement)?)))
        })?;
        let Some((types, nested)) = found else { return Ok(None) };
        let mut constructors = Vec::new();
        for name in &types {
            constructors.extend(self.files.with(name, |_, constant, met| match &constant.kind {
                Kind::Inductive { constructors, .. } => {
                    constructors.iter().map(|node| met.names.read(*node)).collect::<Result<Vec<_>, _>>()
                }
                _ => Err(constant.statement.unlike("the type of an inductive type")),
            })?);
        }
        // Lean's kernel makes one for each type, and one for each that was made from a nested occurrence.
        let of_nested =
            types.first().into_iter().flat_map(|first| (1..=nested).map(move |n| format!("{first}.rec_{n}")));
        let recursors = types.iter().map(|name| format!("{name}.rec")).chain(of_nested);
        let recursors = recursors.map(|name| Name::from_text(&name)).collect();
        Ok(Some(Family { types, constructors, recursors }))
    }

    /// A constant as it is written, and what kind it is.
    fn record(&mut self, name: &Name) -> Result<(&'static str, Value), AuditError> {
        let (records, axioms) = (&mut self.records, &mut self.axioms);
        self.files.with(name, |_, constant, met| {
            let of = constant.statement;
            let count = |number: &Natural<'_>| count(number, of);
            let is_unsafe = constant.is_unsafe();
            let number = records.name(met, constant.name)?;
            let parameters = records.parameters(met, &constant.parameters)?;
            let ty = records.term(met, of)?;
            let mut record = json!({"levelParams": parameters, "name": number, "type": ty});
            let mut put = |key: &str, value: Value| record[key] = value;
            let kind = match &constant.kind {
                Kind::Axiom { .. } => {
                    axioms.push(name.to_string());
                    put("isUnsafe", is_unsafe.into());
                    "axiom"
                }
                Kind::Definition { value, hints, all, .. } => {
                    put("value", records.term(met, *value)?.into());
                    put("all", records.names(met, &all.list("a list of names")?)?.into());
                    put("safety", "safe".into());
                    put(
                        "hints",
                        match hints {
                            Hints::Opaque => "opaque".into(),
                            Hints::Abbreviation => "abbrev".into(),
                            Hints::Regular(height) => json!({"regular": height}),
                        },
                    );
                    "def"
                }
                Kind::Theorem { value, all } => {
                    put("value", records.term(met, *value)?.into());
                    put("all", records.names(met, &all.list("a list of names")?)?.into());
                    "thm"
                }
                Kind::Opaque { value, all, .. } => {
                    put("value", records.term(met, *value)?.into());
                    put("all", records.names(met, &all.list("a list of names")?)?.into());
                    put("isUnsafe", is_unsafe.into());
                    "opaque"
                }
                Kind::Quotient { number } => {
                    let kind = ["type", "ctor", "lift", "ind"].get(usize::from(*number));
                    put(
                        "kind",
                        (*kind.ok_or_else(|| of.unlike("the type of a constant of quotients"))?).into(),
                    );
                    "quot"
                }
                Kind::Inductive { counts, all, constructors, is_recursive, is_reflexive, .. } => {
                    let [parameters, indices, nested] = counts;
                    put("all", records.names(met, all)?.into());
                    put("ctors", records.names(met, constructors)?.into());
                    put("isRec", (*is_recursive).into());
                    put("isReflexive", (*is_reflexive).into());
                    put("isUnsafe", is_unsafe.into());
                    put("numParams", count(parameters)?.into());
                    put("numIndices", count(indices)?.into());
                    put("numNested", count(nested)?.into());
                    "type"
                }
                Kind::Constructor { of, counts: [place, parameters, fields], .. } => {
                    put("induct", records.name(met, *of)?.into());
                    put("isUnsafe", is_unsafe.into());
                    put("cidx", count(place)?.into());
                    put("numParams", count(parameters)?.into());
                    put("numFields", count(fields)?.into());
                    "ctor"
                }
                Kind::Recursor { all, counts: [parameters, indices, motives, minors], rules, k, .. } => {
                    let mut written = Vec::with_capacity(rules.len());
                    for rule in rules {
                        let ctor = records.name(met, rule.constructor)?;
                        let (fields, value) = (count(&rule.fields)?, records.term(met, rule.value)?);
                        written.push(json!({"ctor": ctor, "nfields": fields, "rhs": value}));
                    }
                    put("all", records.names(met, all)?.into());
                    put("isUnsafe", is_unsafe.into());
                    put("k", (*k).into());
                    put("numParams", count(parameters)?.into());
                    put("numIndices", count(indices)?.into());
                    put("numMotives", count(motives)?.into());
                    put("numMinors", count(minors)?.into());
                    put("rules", written.into());
                    "rec"
                }
            };
            Ok((kind, record))
        })
    }
}

/// What has to be visited for a term, the last first.
fn needs(home: Home, node: Node<'_>, names: &mut Names) -> Result<Vec<Task>, OleanError> {
    let term = |node: Node<'_>| Task::Term(home, node.address());
    Ok(match Term::read(node)? {
        Term::Bound(_) | Term::Sort(_) => Vec::new(),
        Term::Constant(name, _) => vec![Task::Constant(names.read(name)?)],
        Term::Literal(literal) => {
            let of = if matches!(literal, Literal::Natural(_)) { OF_NUMBERS } else { OF_TEXTS };
            of.iter().rev().map(|name| Task::Literal(Name::from_text(name))).collect()
        }
        Term::Application(a, b) | Term::Lambda(a, b) | Term::Pi(a, b) => vec![term(b), term(a)],
        Term::Let(a, b, c) => vec![term(c), term(b), term(a)],
        Term::Projection(structure, _, value) => {
            vec![term(value), Task::Constant(names.read(structure)?)]
        }
    })
}
