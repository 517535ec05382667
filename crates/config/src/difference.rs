//! Differences between two configurations.

use std::fmt;

use serde_json::Value;

use super::{Config, ConfigOption};

/// A key whose values differ.
#[derive(Clone, PartialEq, Debug)]
pub struct Difference {
    /// The key: table and key names separated by periods.
    pub key: String,
    /// Its value in the first configuration.
    pub before: Value,
    /// Its value in the second.
    pub now: Value,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} → {}", self.key, self.before, self.now)?;
        match ConfigOption::of_key(&self.key) {
            Some(option) => write!(f, " ({})", option.flag),
            None => Ok(()),
        }
    }
}

/// Keys of a model's table that say how its server is reached, and nothing about its answers.
const OF_SERVERS: &[&str] = &["base_url", "api_key_env", "timeouts", "retries", "limits"];

/// Whether a key says where and how a language model is reached: a run goes on with the same model elsewhere.
fn is_of_server(key: &str) -> bool {
    let mut parts = key.strip_prefix("models.").unwrap_or_default().rsplit('.');
    // The names of models have periods.
    parts.any(|part| OF_SERVERS.contains(&part)) || matches!(key, "llm.timeout_s" | "llm.wait_s")
}

/// The differences between a recorded configuration and `now`, both valid, but for how servers of models are reached. Keys missing from the record have their default
/// values, and so have values that older records leave open.
pub fn differences(before: &Value, now: &Config) -> Vec<Difference> {
    let table = |config: &Config| {
        let mut config = config.clone();
        if config.validate().is_ok() {
            config.resolve_defaults();
        }
        serde_json::to_value(&config).expect("a configuration is JSON")
    };
    // A record with unknown keys is compared as it is.
    let before = serde_json::from_value(before.clone()).map_or_else(|_| before.clone(), |c| table(&c));
    let mut found = Vec::new();
    compare("", &before, &table(now), &mut found);
    found.retain(|difference| !is_of_server(&difference.key));
    found
}

fn compare(key: &str, before: &Value, now: &Value, found: &mut Vec<Difference>) {
    let (Value::Object(old), Value::Object(new)) = (before, now) else {
        if before != now {
            found.push(Difference { key: key.to_owned(), before: before.clone(), now: now.clone() });
        }
        return;
    };
    let added = new.keys().filter(|name| !old.contains_key(*name));
    for name in old.keys().chain(added) {
        let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
        let value = |table: &serde_json::Map<String, Value>| table.get(name).cloned().unwrap_or_default();
        compare(&key, &value(old), &value(new), found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Selection;

    #[test]
    fn every_key_that_differs_is_named_with_its_option() {
        let mut config = Config::default();
        let before = serde_json::to_value(&config).unwrap();
        assert_eq!(differences(&before, &config), []);
        config.search.policy = Selection::Ucb1;
        config.budget.time_s = None;
        let found = differences(&before, &config);
        let said: Vec<String> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            ["budget.time_s: 60.0 → \"none\" (--time)", "search.policy: \"puct\" → \"ucb1\" (--policy)"]
        );
    }

    #[test]
    fn where_a_model_is_served_is_no_difference() {
        let mut config = Config::default();
        let at = |url: &str| crate::ModelConfig { base_url: url.to_owned(), ..Default::default() };
        config.providers = vec![crate::ProviderConfig::Llm { model: "m.1".to_owned() }];
        config.models.insert("m.1".to_owned(), at("http://a/v1"));
        let before = serde_json::to_value(&config).unwrap();
        config.models.insert("m.1".to_owned(), at("http://b/v1"));
        config.llm.wait_s = Some(1.0);
        assert_eq!(differences(&before, &config), []);
        config.models.get_mut("m.1").unwrap().sampling.temperature = 0.1;
        assert_eq!(differences(&before, &config)[0].key, "models.m.1.sampling.temperature");
    }

    #[test]
    fn what_a_record_leaves_out_is_as_by_default() {
        let config = Config::default();
        let mut before = serde_json::to_value(&config).unwrap();
        before.as_object_mut().unwrap().remove("basin");
        assert_eq!(differences(&before, &config), []);
        before["novelty"] = Value::from(3);
        let said: Vec<String> = differences(&before, &config).iter().map(ToString::to_string).collect();
        assert_eq!(said[0], "novelty: 3 → null");
    }
}
