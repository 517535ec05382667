//! Interned tactic texts: a tactic that occurs a million times is stored once.

use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

use crate::ids::TacticId;

/// The table of a search's tactic texts.
#[derive(Debug, Default, Clone)]
pub struct Tactics {
    texts: Vec<Box<str>>,
    by_text: HashTable<TacticId>,
}

impl Tactics {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The id of `text`, which is added if it is new. Equal texts have equal ids.
    pub fn intern(&mut self, text: &str) -> TacticId {
        let hash = xxh3_64(text.as_bytes());
        if let Some(&id) = self.by_text.find(hash, |&id| &*self.texts[id.index()] == text) {
            return id;
        }
        let id = TacticId::from_index(self.texts.len());
        self.texts.push(text.into());
        let texts = &self.texts;
        self.by_text.insert_unique(hash, id, |&id| xxh3_64(texts[id.index()].as_bytes()));
        id
    }

    /// The text with this id.
    pub fn text(&self, id: TacticId) -> &str {
        &self.texts[id.index()]
    }

    /// The number of distinct texts.
    pub fn len(&self) -> usize {
        self.texts.len()
    }

    /// Whether the table is empty.
    pub fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_share_an_id() {
        let mut tactics = Tactics::new();
        let a = tactics.intern("intros");
        let b = tactics.intern("split");
        assert_ne!(a, b);
        assert_eq!(tactics.intern("intros"), a);
        assert_eq!(tactics.text(b), "split");
        assert_eq!(tactics.len(), 2);
    }
}
