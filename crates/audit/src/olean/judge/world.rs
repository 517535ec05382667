//! All modules that a file imports, directly and indirectly, and which of them declares what.

use std::collections::HashMap;
use std::sync::Arc;

use super::catalogue::Contents;
use super::symbols::Symbol;
use crate::libraries::libraries;
use crate::olean::Name;

/// A module that is imported, as it was read.
pub(super) type Imported = (Name, Arc<Contents>);

/// The modules that a file imports. A module comes before those that it imports.
pub struct World {
    imports: Vec<Name>,
    modules: Vec<Imported>,
    /// By name of a constant: the position of the module that declares it, or [`NONE`].
    owners: Vec<u32>,
    /// Further modules that declare the same name.
    others: HashMap<Symbol, Vec<u32>>,
}

const NONE: u32 = u32::MAX;

/// Lean's own libraries, apart from its compiler: no tactic in them switches the kernel off.
const CORE: &[&str] = &["Init", "Std"];
/// All that come with Lean.
const OWN: &[&str] = &["Init", "Std", "Lean", "Lake"];

impl World {
    /// The world of these modules, in which `symbols` names are known.
    pub(super) fn new(imports: Vec<Name>, modules: Vec<Imported>, symbols: usize) -> Self {
        let mut owners = vec![NONE; symbols];
        let mut others: HashMap<Symbol, Vec<u32>> = HashMap::new();
        for ((_, contents), position) in modules.iter().zip(0..) {
            for (symbol, _) in &contents.declared {
                match &mut owners[*symbol as usize] {
                    owner if *owner == NONE => *owner = position,
                    _ => others.entry(*symbol).or_default().push(position),
                }
            }
        }
        Self { imports, modules, owners, others }
    }

    /// What the file imports directly.
    pub fn imports(&self) -> &[Name] {
        &self.imports
    }

    /// Whether it has just these modules, as they were read.
    pub(super) fn consists_of(&self, imports: &[Name], modules: &[Imported]) -> bool {
        let same =
            |(ours, theirs): (&Imported, &Imported)| ours.0 == theirs.0 && Arc::ptr_eq(&ours.1, &theirs.1);
        self.imports == imports
            && self.modules.len() == modules.len()
            && self.modules.iter().zip(modules).all(same)
    }

    /// Whether another world has the same modules, as they were read at the same time.
    pub fn is(&self, other: &Self) -> bool {
        self.consists_of(&other.imports, &other.modules)
    }

    /// Whether a module is among them.
    pub(super) fn has(&self, module: &Name) -> bool {
        self.find(module).is_some()
    }

    /// What is known of a module.
    pub(super) fn find(&self, module: &Name) -> Option<&Contents> {
        self.modules.iter().find(|(name, _)| name == module).map(|(_, contents)| &**contents)
    }

    /// The libraries that its modules belong to, without Lean's own.
    pub fn libraries(&self) -> Box<[String]> {
        libraries(self.modules.iter().map(|(name, _)| name.as_str()), OWN)
    }

    /// Whether it has other modules than those of Lean's own libraries.
    pub fn goes_beyond_core(&self) -> bool {
        let is_core = |name: &Name| CORE.contains(&name.as_str().split('.').next().unwrap_or_default());
        self.modules.iter().any(|(name, _)| !is_core(name))
    }

    /// The words with which the commands begin that the modules define, each with its module.
    pub fn commands(&self) -> impl Iterator<Item = (&str, &str)> {
        self.modules
            .iter()
            .flat_map(|(name, contents)| contents.commands.iter().map(|word| (word.as_str(), name.as_str())))
    }

    pub(super) fn module(&self, position: u32) -> (&Name, &Contents) {
        let (name, contents) = &self.modules[position as usize];
        (name, contents)
    }

    /// The positions of the modules that declare a constant.
    pub(super) fn declaring(&self, symbol: Symbol) -> impl Iterator<Item = u32> {
        let first = self.owners.get(symbol as usize).copied().filter(|owner| *owner != NONE);
        first.into_iter().chain(self.others.get(&symbol).into_iter().flatten().copied())
    }

    /// A module that is in both worlds, but with different files.
    pub fn changed(&self, other: &Self) -> Option<&Name> {
        let there: HashMap<&Name, &Arc<Contents>> =
            other.modules.iter().map(|(name, at)| (name, at)).collect();
        let differs = |(name, here): &&Imported| {
            there.get(name).is_some_and(|there| !Arc::ptr_eq(here, there) && here.files != there.files)
        };
        self.modules.iter().find(differs).map(|(name, _)| name)
    }

    /// Whether another world has a module in which this one finds a constant.
    pub(super) fn shares(&self, symbol: Symbol, other: &Self) -> bool {
        let modules: Vec<&Name> = self.declaring(symbol).map(|position| self.module(position).0).collect();
        other.modules.iter().any(|(name, _)| modules.contains(&name))
    }
}
