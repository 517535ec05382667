//! Names of constants as numbers. A large library has a million of them.

use std::hash::{BuildHasher, RandomState};

use hashbrown::HashTable;

/// The number of a name.
pub(super) type Symbol = u32;

/// All names that were met, one after the other in one text.
#[derive(Default)]
pub(super) struct Symbols {
    text: String,
    /// Where each name ends.
    ends: Vec<usize>,
    table: HashTable<Symbol>,
    hasher: RandomState,
}

impl Symbols {
    /// The number of a name, possibly a new one.
    pub(super) fn number(&mut self, name: &str) -> Symbol {
        if let Some(known) = self.find(name) {
            return known;
        }
        let new = Symbol::try_from(self.ends.len()).expect("fewer names than memory can hold");
        self.text.push_str(name);
        self.ends.push(self.text.len());
        let Self { text, ends, table, hasher } = self;
        table.insert_unique(hasher.hash_one(name), new, |&symbol| hasher.hash_one(of(text, ends, symbol)));
        new
    }

    /// The number of a name that was met.
    pub(super) fn find(&self, name: &str) -> Option<Symbol> {
        self.table.find(self.hasher.hash_one(name), |&symbol| self.name(symbol) == name).copied()
    }

    pub(super) fn name(&self, symbol: Symbol) -> &str {
        of(&self.text, &self.ends, symbol)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }
}

fn of<'t>(text: &'t str, ends: &[usize], symbol: Symbol) -> &'t str {
    let at = symbol as usize;
    let start = at.checked_sub(1).map_or(0, |before| ends[before]);
    &text[start..ends[at]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_numbers() {
        let mut symbols = Symbols::default();
        let names: Vec<String> = (0..5_000).map(|n| format!("{}name{}", ["", "a."][n % 2], n / 2)).collect();
        let numbers: Vec<Symbol> = names.iter().map(|name| symbols.number(name)).collect();
        for (name, number) in names.iter().zip(numbers) {
            assert_eq!((symbols.number(name), symbols.find(name)), (number, Some(number)));
            assert_eq!(symbols.name(number), name);
        }
        assert_eq!((symbols.len(), symbols.find(""), symbols.find("name")), (5_000, None, None));
    }
}
