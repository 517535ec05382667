//! What is known of installed modules: what they import, where they declare what, and what their declarations refer
//! to. A module is read as far as a question needs it, and what was read is kept for the next check, as long as its
//! files remain the same.
//!
//! Nothing of this is written to disk: a file that is compiled outside of a sandbox could change it there.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use super::libraries::Libraries;
use super::primitives::is_base;
use super::programs;
use super::reach::{Parts, Walk};
use super::symbols::{Symbol, Symbols};
use super::words;
use super::world::{Imported, World};
use super::{AuditError, CORE_THEOREM, STANDARD_AXIOMS};
use crate::olean::{self, Address, Identity, Kind, Module, Name, Names, OleanError};

/// Number of remembered worlds.
const MAX_WORLDS: usize = 8;

/// For how long after a change of a file another one may have the same time, in seconds.
const SETTLED_AFTER: i64 = 3;

/// What is known of installed modules.
#[derive(Default)]
pub struct Catalogue {
    pub(super) symbols: Symbols,
    /// By the path of the compiled file.
    modules: HashMap<PathBuf, Arc<Contents>>,
    /// What is known of their declarations: by number of the contents and of the name.
    facts: HashMap<(u32, Symbol), Fact>,
    worlds: VecDeque<Arc<World>>,
    /// The number of contents that were read so far.
    read: u32,
}

/// A module in one state of its files.
pub(super) struct Contents {
    /// Contents that were read later, even of the same files, have another number.
    pub(super) number: u32,
    pub(super) files: Vec<Identity>,
    pub(super) imports: Vec<Name>,
    /// Where it declares what, in the order of the names.
    pub(super) declared: Vec<(Symbol, Address)>,
    /// The words with which the commands begin that it defines.
    pub(super) commands: Vec<String>,
    paths: Vec<PathBuf>,
    /// Whether another change of its files would be noticed.
    is_settled: bool,
}

impl Contents {
    /// Opens the files of the module, which must be as they were when it was read.
    pub(super) fn open(&self, name: &Name) -> Result<Module, AuditError> {
        let failed = |source| AuditError::file(name, source);
        let module = Module::installed(&self.paths).map_err(failed)?;
        match module.files() == self.files {
            true => Ok(module),
            false => Err(failed(OleanError::Changed { path: self.paths[0].clone() })),
        }
    }

    /// Where a constant is that a world finds in this module.
    pub(super) fn at(&self, symbol: Symbol) -> Address {
        let at = self.declared.binary_search_by_key(&symbol, |(symbol, _)| *symbol);
        self.declared[at.expect("a world knows where a name is declared")].1
    }
}

/// What the question for axioms needs to know of a declaration.
struct Fact {
    is_axiom: bool,
    /// Whether Lean does not check it as it checks proofs.
    is_unsafe: bool,
    /// The type of programs that its own type mentions.
    program: Option<&'static str>,
    /// The constants that it refers to.
    references: Box<[Symbol]>,
}

impl Catalogue {
    /// The catalogue of this process. It does not depend on any configuration, since modules are told apart by their
    /// files.
    pub fn shared() -> MutexGuard<'static, Self> {
        static SHARED: LazyLock<Mutex<Catalogue>> = LazyLock::new(Mutex::default);
        // What a panic leaves is complete or absent.
        SHARED.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// The modules that some modules import, directly and indirectly, and themselves, as their files are now.
    pub fn world(&mut self, libraries: &Libraries, imported: &[Name]) -> Result<Arc<World>, AuditError> {
        let modules = self.closure(libraries, imported)?;
        if let Some(at) = self.worlds.iter().position(|known| known.consists_of(imported, &modules)) {
            let known = self.worlds.remove(at).expect("it was found there");
            self.worlds.push_back(Arc::clone(&known));
            return Ok(known);
        }
        let new = Arc::new(World::new(imported.to_vec(), modules, self.symbols.len()));
        self.worlds.push_back(Arc::clone(&new));
        if self.worlds.len() > MAX_WORLDS {
            self.worlds.pop_front();
        }
        Ok(new)
    }

    /// A module comes before those that it imports.
    fn closure(&mut self, libraries: &Libraries, imported: &[Name]) -> Result<Vec<Imported>, AuditError> {
        enum Visit {
            Enter(Name),
            Leave(Name, Arc<Contents>),
        }
        let mut search = libraries.search();
        let mut done = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<Visit> = imported.iter().rev().cloned().map(Visit::Enter).collect();
        while let Some(visit) = open.pop() {
            match visit {
                Visit::Enter(module) => {
                    if !seen.insert(module.clone()) {
                        continue;
                    }
                    let contents = self.module(&module, &search.find(&module)?)?;
                    open.push(Visit::Leave(module, Arc::clone(&contents)));
                    open.extend(contents.imports.iter().cloned().map(Visit::Enter));
                }
                Visit::Leave(module, contents) => done.push((module, contents)),
            }
        }
        done.reverse();
        Ok(done)
    }

    /// A module as its files are now.
    fn module(&mut self, name: &Name, path: &Path) -> Result<Arc<Contents>, AuditError> {
        let failed = |source| match source {
            OleanError::File { source, .. } if source.kind() == std::io::ErrorKind::NotFound => {
                AuditError::Module(name.to_string())
            }
            source => AuditError::file(name, source),
        };
        let paths = olean::files(path);
        let files: Vec<Identity> =
            paths.iter().map(|path| Identity::of(path)).collect::<Result<_, _>>().map_err(failed)?;
        let known = self.modules.get(path).filter(|known| known.is_settled && known.files == files);
        if let Some(known) = known {
            return Ok(Arc::clone(known));
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() as i64);
        let contents = Arc::new(self.read(paths, now).map_err(failed)?);
        if let Some(old) = self.modules.insert(path.to_owned(), Arc::clone(&contents)) {
            for (symbol, _) in &old.declared {
                self.facts.remove(&(old.number, *symbol));
            }
        }
        Ok(contents)
    }

    fn read(&mut self, paths: Vec<PathBuf>, now: i64) -> Result<Contents, OleanError> {
        let module = Module::installed(&paths)?;
        let mut names = Names::default();
        let imports = module.imports(&mut names)?;
        let index = module.index(&mut names)?;
        let commands = words::commands(&module, &mut names, &index)?;
        let mut declared: Vec<(Symbol, Address)> =
            index.into_iter().map(|(name, at)| (self.symbols.number(name.as_str()), at)).collect();
        declared.sort_unstable();
        if let Some(twice) = declared.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(OleanError::Twice { name: self.symbols.name(twice[0].0).to_owned() });
        }
        module.verify()?;
        let files = module.files().to_vec();
        let is_settled = files.iter().all(|file| file.changed() + SETTLED_AFTER < now);
        self.read += 1;
        Ok(Contents { number: self.read, files, imports, declared, commands, paths, is_settled })
    }

    /// What some constants rest on, and all that they refer to: axioms, and declarations that Lean does not check as it
    /// checks proofs.
    pub(super) fn rests_on(
        &mut self,
        world: &World,
        constants: impl IntoIterator<Item = Symbol>,
    ) -> Result<RestsOn, AuditError> {
        let mut found = RestsOn::default();
        let mut open = Open { world, met: vec![false; self.symbols.len()], waiting: BTreeMap::new() };
        for constant in constants {
            open.add(constant, &self.symbols)?;
        }
        // A module refers only to itself and to what it imports, so that each is visited once.
        while let Some((position, mut here)) = open.waiting.pop_first() {
            let (name, contents) = world.module(position);
            let mut reading = None;
            let mut fresh = Vec::new();
            let mut visit = || -> Result<(), AuditError> {
                while let Some(symbol) = here.pop() {
                    let key = (contents.number, symbol);
                    if !self.facts.contains_key(&key) {
                        let fact = self.learn(name, contents, symbol, &mut reading)?;
                        self.facts.insert(key, fact);
                        fresh.push(key);
                    }
                    let fact = &self.facts[&key];
                    found.axioms.extend(fact.is_axiom.then_some(symbol));
                    found.is_unsafe.extend(fact.is_unsafe.then_some(symbol));
                    for &reference in &fact.references {
                        open.add(reference, &self.symbols)?;
                    }
                    here.append(open.waiting.entry(position).or_default());
                }
                open.waiting.remove(&position);
                let unchanged = reading.as_ref().map_or(Ok(()), |(module, _): &Reading| module.verify());
                unchanged.map_err(|source| AuditError::file(name, source))
            };
            if let Err(error) = visit() {
                fresh.iter().for_each(|key| drop(self.facts.remove(key)));
                return Err(error);
            }
        }
        Ok(found)
    }

    /// The type of programs that the type of a constant mentions, if it does.
    pub(super) fn program(
        &mut self,
        world: &World,
        constant: &Name,
    ) -> Result<Option<&'static str>, AuditError> {
        let Some(symbol) = self.symbols.find(constant.as_str()) else { return Ok(None) };
        for position in world.declaring(symbol) {
            let (name, contents) = world.module(position);
            let key = (contents.number, symbol);
            if !self.facts.contains_key(&key) {
                let mut reading = None;
                let fact = self.learn(name, contents, symbol, &mut reading)?;
                let unchanged = reading.as_ref().map_or(Ok(()), |(module, _): &Reading| module.verify());
                unchanged.map_err(|source| AuditError::file(name, source))?;
                self.facts.insert(key, fact);
            }
            if let Some(found) = self.facts[&key].program {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Whether a module of a world declares an axiom of this name.
    pub(super) fn is_axiom(&mut self, world: &World, name: &Name) -> Result<bool, AuditError> {
        let Some(symbol) = self.symbols.find(name.as_str()) else { return Ok(false) };
        for position in world.declaring(symbol) {
            let (module, contents) = world.module(position);
            if self.learn(module, contents, symbol, &mut None)?.is_axiom {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a theorem of Lean's core that rests on exactly the axioms of its logic.
    pub fn knows_core(&mut self, world: &World) -> Result<(), AuditError> {
        let theorem = self.symbols.find(CORE_THEOREM);
        let theorem = theorem.ok_or_else(|| AuditError::Constant(CORE_THEOREM.to_owned()))?;
        let found = self.rests_on(world, [theorem])?;
        let axioms: BTreeSet<&str> = found.axioms.iter().map(|symbol| self.symbols.name(*symbol)).collect();
        match found.is_unsafe.is_empty() && axioms == STANDARD_AXIOMS.iter().copied().collect() {
            true => Ok(()),
            false => {
                Err(AuditError::Core { theorem: CORE_THEOREM, axioms: Vec::from_iter(axioms).join(", ") })
            }
        }
    }

    /// The axioms of the modules that a file imports by name, without those of Lean's core.
    pub(super) fn axioms(&mut self, world: &World) -> Result<Vec<String>, AuditError> {
        let mut axioms = Vec::new();
        for name in world.imports().iter().filter(|name| !is_base(name)) {
            let Some(contents) = world.find(name) else { continue };
            let mut reading = None;
            for (symbol, _) in &contents.declared {
                if self.learn(name, contents, *symbol, &mut reading)?.is_axiom {
                    axioms.push(self.symbols.name(*symbol).to_owned());
                }
            }
        }
        Ok(axioms)
    }

    /// Reads a declaration of a module.
    fn learn(
        &mut self,
        name: &Name,
        contents: &Contents,
        symbol: Symbol,
        reading: &mut Option<Reading>,
    ) -> Result<Fact, AuditError> {
        let failed = |source| AuditError::file(name, source);
        let (module, walk) = match reading {
            Some(reading) => reading,
            None => reading.insert((contents.open(name)?, Walk::default())),
        };
        let at = contents.at(symbol);
        let written = self.symbols.name(symbol);
        let constant = module.constant(written, at, &mut walk.names).map_err(failed)?;
        let references = walk.references(&constant, Parts::All).map_err(failed)?;
        let references = references.iter().map(|name| self.symbols.number(name.as_str())).collect();
        let program = programs::mentioned(&walk.references(&constant, Parts::Statement).map_err(failed)?);
        let is_axiom = matches!(constant.kind, Kind::Axiom { .. });
        Ok(Fact { is_axiom, is_unsafe: constant.is_unsafe(), program, references })
    }
}

/// An open module, and what was met in it.
type Reading = (Module, Walk);

/// What constants rest on.
#[derive(Default)]
pub(super) struct RestsOn {
    pub(super) axioms: Vec<Symbol>,
    pub(super) is_unsafe: Vec<Symbol>,
}

/// Constants that wait until their modules are visited.
struct Open<'w> {
    world: &'w World,
    met: Vec<bool>,
    /// By the position of the module.
    waiting: BTreeMap<u32, Vec<Symbol>>,
}

impl Open<'_> {
    fn add(&mut self, symbol: Symbol, symbols: &Symbols) -> Result<(), AuditError> {
        let at = symbol as usize;
        if self.met.len() <= at {
            self.met.resize(symbols.len(), false);
        }
        if std::mem::replace(&mut self.met[at], true) {
            return Ok(());
        }
        let mut is_declared = false;
        // Lean allows several modules to prove a theorem of the same name.
        for position in self.world.declaring(symbol) {
            is_declared = true;
            self.waiting.entry(position).or_default().push(symbol);
        }
        match is_declared {
            true => Ok(()),
            false => Err(AuditError::Constant(symbols.name(symbol).to_owned())),
        }
    }
}
