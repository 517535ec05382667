//! Writes large JSON objects without holding them as values.

use serde::{Serialize, Serializer};

/// An object that is being written.
pub(crate) struct Object(Vec<u8>);

impl Object {
    pub(crate) fn new() -> Self {
        Self(vec![b'{'])
    }

    pub(crate) fn field(&mut self, name: &str, value: &impl Serialize) {
        if self.0.len() > 1 {
            self.0.push(b',');
        }
        self.write(&name);
        self.0.push(b':');
        self.write(value);
    }

    fn write(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut self.0, value).expect("plain data is JSON");
    }

    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.0.push(b'}');
        self.0
    }
}

struct Column<'a, T, F>(&'a [T], F);

/// One value of each row, as an array.
pub(crate) fn column<'a, T, V: Serialize, F: Fn(&'a T) -> V>(rows: &'a [T], of: F) -> impl Serialize {
    Column(rows, of)
}

impl<'a, T, V: Serialize, F: Fn(&'a T) -> V> Serialize for Column<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}
