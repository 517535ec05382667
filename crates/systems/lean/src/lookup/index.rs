//! The lemmas of compiled modules, by the constants in their statements.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::super::explicit::{NUMBERS, OVERLOADED};
use super::super::modules::Modules;
use andor_audit::olean::{Address, Constant, Kind, Level, Module, Name, Names, Node, OleanError, Term};

/// The module that every file imports unless it begins with `prelude`.
const INIT: &str = "Init";

/// What may be a lemma.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) name: String,
    /// Whether it is known to be a proof, and not only an axiom or a constructor.
    pub(super) is_proof: bool,
}

/// Which lemmas mention which constants.
#[derive(Debug, Default)]
pub(super) struct Index {
    lemmas: Vec<Found>,
    /// The lemmas that mention a constant, ascending.
    by_constant: HashMap<String, Vec<u32>>,
}

impl Index {
    /// The lemmas that can be used where these modules are imported. Modules that are not found are left out, since a theorem
    /// that imports them is refused before.
    pub(super) fn read(modules: &Modules, imports: &[String]) -> Result<Self, (PathBuf, OleanError)> {
        let mut index = Self::default();
        let mut open: Vec<String> = imports.iter().cloned().chain([INIT.to_owned()]).collect();
        let mut seen: HashSet<String> = open.iter().cloned().collect();
        while let Some(name) = open.pop() {
            let Some(path) = modules.find(&name) else { continue };
            let imported = index.add(&path).map_err(|error| (path, error))?;
            open.extend(imported.into_iter().filter(|module| seen.insert(module.clone())));
        }
        Ok(index)
    }

    /// Adds the lemmas of a module; returns what it imports. The part of the file that importers do not see, which has the
    /// proofs, is not read: without it, lemmas of the module system look like axioms.
    fn add(&mut self, path: &Path) -> Result<Vec<String>, OleanError> {
        let module = Module::read(path)?;
        let mut names = Names::default();
        let mut declared: Vec<(Name, Node<'_>)> = module.constants(&mut names)?.into_iter().collect();
        declared.sort_by(|(a, _), (b, _)| a.cmp(b));
        let propositions = declared.iter().filter_map(|(name, node)| {
            let constant = Constant::read(*node).ok()?;
            let is_type = matches!(constant.kind, Kind::Inductive { .. });
            (is_type && is_proposition(constant.statement)).then(|| name.clone())
        });
        let propositions: HashSet<Name> = propositions.collect();
        for (name, node) in declared.iter().filter(|(name, _)| is_for_people(name.as_str())) {
            let constant = Constant::read(*node)?;
            let is_proof = match constant.kind {
                Kind::Theorem { .. } => Some(true),
                Kind::Axiom { is_unsafe: false } => Some(false),
                Kind::Constructor { of, .. } => propositions.contains(&names.read(of)?).then_some(true),
                _ => None,
            };
            if let Some(is_proof) = is_proof {
                let number = self.lemmas.len() as u32;
                self.lemmas.push(Found { name: name.as_str().to_owned(), is_proof });
                for constant in mentioned(constant.statement, &mut names)? {
                    self.by_constant.entry(constant).or_default().push(number);
                }
            }
        }
        let imports = module.imports(&mut names)?;
        Ok(imports.iter().map(|module| module.as_str().to_owned()).collect())
    }

    /// The most promising lemmas: a symbol counts the more the fewer lemmas mention it.
    pub(super) fn promising(&self, symbols: &[String], most: usize) -> Vec<Found> {
        let mut weights: HashMap<u32, f64> = HashMap::new();
        for lemmas in symbols.iter().filter_map(|symbol| self.by_constant.get(symbol)) {
            for lemma in lemmas {
                *weights.entry(*lemma).or_default() += 1.0 / lemmas.len() as f64;
            }
        }
        let name = |lemma: u32| self.lemmas[lemma as usize].name.as_str();
        let mut found: Vec<(u32, f64)> = weights.into_iter().collect();
        // Library authors give short names to what is general.
        found.sort_by(|&(a, x), &(b, y)| {
            y.total_cmp(&x).then(name(a).len().cmp(&name(b).len())).then_with(|| name(a).cmp(name(b)))
        });
        found.into_iter().take(most).map(|(lemma, _)| self.lemmas[lemma as usize].clone()).collect()
    }
}

/// The constants in a term, as goals have them: with the operations on numbers under their own names.
fn mentioned(term: Node<'_>, names: &mut Names) -> Result<HashSet<String>, OleanError> {
    let mut found: HashSet<String> = HashSet::new();
    let mut seen: HashSet<Address> = HashSet::new();
    let mut open = vec![term];
    while let Some(node) = open.pop() {
        if !seen.insert(node.address()) {
            continue;
        }
        match Term::read(node)? {
            Term::Bound(_) | Term::Sort(_) | Term::Literal(_) => {}
            Term::Constant(name, _) => {
                found.insert(names.read(name)?.as_str().to_owned());
            }
            Term::Application(a, b) | Term::Lambda(a, b) | Term::Pi(a, b) => open.extend([a, b]),
            Term::Let(a, b, c) => open.extend([a, b, c]),
            Term::Projection(_, _, value) => open.push(value),
        }
    }
    let numbers: Vec<&str> = NUMBERS.iter().copied().filter(|number| found.contains(*number)).collect();
    let own =
        OVERLOADED.iter().filter(|(overloaded, _, own)| own.starts_with('.') && found.contains(*overloaded));
    let own: Vec<String> =
        own.flat_map(|(_, _, own)| numbers.iter().map(move |number| format!("{number}{own}"))).collect();
    found.extend(own);
    Ok(found)
}

/// Whether a type of a type ends in `Prop`.
fn is_proposition(mut ty: Node<'_>) -> bool {
    while let Ok(Term::Pi(_, body)) = Term::read(ty) {
        ty = body;
    }
    matches!(Term::read(ty), Ok(Term::Sort(level)) if level.small() == Some(0) || is_zero(level))
}

fn is_zero(level: Node<'_>) -> bool {
    matches!(Level::read(level), Ok(Level::Zero))
}

/// Whether a name is none that Lean made up.
fn is_for_people(name: &str) -> bool {
    const GENERATED: &[&str] =
        &["eq_def", "sizeOf_spec", "congr_simp", "noConfusion", "below", "brecOn", "recOn", "casesOn", "rec"];
    const NUMBERED: &[&str] = &["eq_", "match_", "proof_", "hcongr_", "splitter_", "fun_cases_"];
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    name.split('.').all(|part| {
        let is_numbered = NUMBERED.iter().any(|start| part.strip_prefix(start).is_some_and(is_number));
        !(part.starts_with('_') || is_number(part) || is_numbered || GENERATED.contains(&part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lean_makes_up_are_known() {
        for name in ["Nat.add_comm", "A.«b c».d", "eq_self", "Nat.rec_add_one", "List.eq_nil_of"] {
            assert!(is_for_people(name), "{name}");
        }
        for name in
            ["_private.A.0.b", "A.b._proof_1", "f.eq_1", "f.match_3", "T.rec", "a._@.b.12", "T.noConfusion"]
        {
            assert!(!is_for_people(name), "{name}");
        }
    }

    #[test]
    fn a_rare_symbol_counts_for_more() {
        let by_constant = [("Eq", vec![0, 1, 2, 3]), ("f", vec![2]), ("g", vec![1, 2]), ("h", vec![0, 1, 3])];
        let index = Index {
            lemmas: ["a", "ab", "abc", "b"]
                .map(|name| Found { name: name.to_owned(), is_proof: true })
                .to_vec(),
            by_constant: by_constant.map(|(name, lemmas)| (name.to_owned(), lemmas)).into(),
        };
        let promising = |symbols: &[&str], most| {
            let symbols: Vec<String> = symbols.iter().map(|&symbol| symbol.to_owned()).collect();
            index.promising(&symbols, most).into_iter().map(|found| found.name).collect::<Vec<_>>()
        };
        assert_eq!(promising(&["Eq", "f", "no"], 3), ["abc", "a", "b"]);
        assert_eq!(promising(&["g"], 9), ["ab", "abc"]);
        // More than several common ones do.
        assert_eq!(promising(&["Eq", "h", "f"], 2), ["abc", "a"]);
        assert!(promising(&["no"], 9).is_empty());
    }
}
