//! What makes two requests the same.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::request::Request;

/// The digest of a request: of the model asked, the input, the sampling and everything else that the answer depends on,
/// but not of limits on time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of a request to a model, by the name that the request is recorded under.
    pub fn of(model: &str, request: &Request) -> Self {
        let mut canonical = String::new();
        let mut asked = json!({ "model": model, "request": request });
        // Where the answer's length is left open, the digest is the one that such requests always had.
        asked["request"]["sampling"]["max_tokens"] = request.sampling.most_tokens(false).into();
        write(&asked, &mut canonical);
        Self(*blake3::hash(canonical.as_bytes()).as_bytes())
    }

    /// A seed that belongs to the request.
    pub(crate) fn seed(&self) -> u64 {
        let mut first = [0; 8];
        first.copy_from_slice(&self.0[..8]);
        u64::from_le_bytes(first)
    }

    /// Its first 12 hexadecimal digits, to show to people.
    pub fn short(&self) -> String {
        self.to_string()[..12].to_owned()
    }
}

/// Writes JSON without spaces and with sorted keys. Nesting is what the program wrote itself.
fn write(value: &Value, out: &mut String) {
    match value {
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                write(item, out);
            }
            out.push(']');
        }
        Value::Object(fields) => {
            let mut keys: Vec<&String> = fields.keys().collect();
            keys.sort();
            out.push('{');
            for (i, key) in keys.into_iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write(&fields[key], out);
            }
            out.push('}');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({})", self.short())
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let hash = blake3::Hash::from_hex(&text).map_err(serde::de::Error::custom)?;
        Ok(Self(*hash.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::request::Sampling;

    #[test]
    fn what_the_answer_depends_on_makes_the_digest() {
        let request = Request::prompt("goal:::");
        let digest = Digest::of("m", &request);
        assert_eq!(digest, Digest::of("m", &request.clone()));
        assert_ne!(digest, Digest::of("other", &request));
        assert_ne!(digest, Digest::of("m", &Request::prompt("goal::: ")));
        assert_ne!(digest, Digest::of("m", &Request { log_probs: None, ..request.clone() }));
        let seeded = Sampling { seed: Some(1), ..Sampling::default() };
        assert_ne!(digest, Digest::of("m", &request.clone().with_sampling(seeded)));
    }

    #[test]
    fn delivery_does_not() {
        let request = Request::prompt("goal:::");
        let hurried = Request { timeout: Some(Duration::from_secs(1)), stream: true, ..request.clone() };
        assert_eq!(Digest::of("m", &request), Digest::of("m", &hurried));
    }

    /// Records outlive versions of the program: when this fails, old records can no longer be replayed.
    #[test]
    fn digests_do_not_change_between_versions() {
        let mut canonical = String::new();
        write(&json!({ "b": [1.5, null], "a": { "z": "⊢", "y": true } }), &mut canonical);
        assert_eq!(canonical, r#"{"a":{"y":true,"z":"⊢"},"b":[1.5,null]}"#);
        let digest = Digest::of("m", &Request::prompt("goal:::"));
        assert_eq!(serde_json::from_value::<Digest>(json!(digest)).unwrap(), digest);
        assert_eq!(digest.short(), "589f981b58f0");
    }
}
