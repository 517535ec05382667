//! Whether the arguments of a call are what the tool's schema asks for, as far as tools need it: types, required and
//! unknown properties, enumerations, items of arrays. Other words of JSON Schema are for the model to read.

use serde_json::{Map, Value};

/// Reads the arguments of a call. What is wrong with them is told to the agent.
pub(super) fn arguments(text: &str, schema: &Value) -> Result<Map<String, Value>, String> {
    // A call without arguments has an empty text with some servers.
    let text = if text.trim().is_empty() { "{}" } else { text };
    let value: Value =
        serde_json::from_str(text).map_err(|error| format!("the arguments are not valid JSON: {error}"))?;
    let mut wrong = Vec::new();
    compare(&value, schema, "the arguments", MAX_DEPTH, &mut wrong);
    match value {
        Value::Object(object) if wrong.is_empty() => Ok(object),
        Value::Object(_) => Err(wrong.join("; ")),
        _ if wrong.is_empty() => Err("the arguments must be of type object".to_owned()),
        _ => Err(wrong.join("; ")),
    }
}

/// Deeper than any schema of ours.
const MAX_DEPTH: usize = 16;

fn compare(value: &Value, schema: &Value, name: &str, depth: usize, wrong: &mut Vec<String>) {
    if depth == 0 {
        return;
    }
    let types: Vec<&str> = match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !types.is_empty() && !types.iter().any(|wanted| is_of(value, wanted)) {
        wrong.push(format!("{name} must be of type {}", types.join(" or ")));
        return;
    }
    if let Some(choices) = schema["enum"].as_array()
        && !choices.contains(value)
    {
        let choices: Vec<String> = choices.iter().map(Value::to_string).collect();
        wrong.push(format!("{name} must be one of {}", choices.join(", ")));
    }
    match value {
        Value::Object(object) => {
            for required in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
                if !object.contains_key(required) {
                    wrong.push(format!("`{required}` is missing"));
                }
            }
            let Some(properties) = schema["properties"].as_object() else { return };
            for (key, value) in object {
                match properties.get(key) {
                    Some(schema) => compare(value, schema, &format!("`{key}`"), depth - 1, wrong),
                    None if schema["additionalProperties"] == false => {
                        let known: Vec<&str> = properties.keys().map(String::as_str).collect();
                        wrong.push(format!("there is no `{key}`; there are: {}", known.join(", ")));
                    }
                    None => {}
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                compare(item, &schema["items"], &format!("an item of {name}"), depth - 1, wrong);
            }
        }
        _ => {}
    }
}

fn is_of(value: &Value, wanted: &str) -> bool {
    match wanted {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({ "type": "object", "required": ["tactics"], "additionalProperties": false, "properties": {
            "tactics": { "type": "array", "items": { "type": "string" } },
            "budget": { "type": "integer" },
            "mode": { "enum": ["fast", "slow"] } } })
    }

    #[test]
    fn what_the_schema_asks_for_is_taken() {
        let given = r#"{"tactics": ["intro h"], "budget": 3, "mode": "fast"}"#;
        assert_eq!(arguments(given, &schema()).unwrap().len(), 3);
        assert!(arguments("", &json!({ "type": "object" })).unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (given, said) in [
            ("{tactics", "not valid JSON"),
            ("[1]", "must be of type object"),
            ("{}", "`tactics` is missing"),
            (r#"{"tactics": "intro"}"#, "`tactics` must be of type array"),
            (r#"{"tactics": [1]}"#, "an item of `tactics` must be of type string"),
            (r#"{"tactics": [], "budget": 1.5}"#, "`budget` must be of type integer"),
            (r#"{"tactics": [], "mode": "no"}"#, r#"must be one of "fast", "slow""#),
            (r#"{"tactics": [], "tactic": 1}"#, "there is no `tactic`; there are: budget, mode, tactics"),
        ] {
            let error = arguments(given, &schema()).unwrap_err();
            assert!(error.contains(said), "{given}: {error}");
        }
    }
}
