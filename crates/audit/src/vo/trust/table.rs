//! Reading the table of known bugs.

use toml::{Table, Value};

use super::bugs::{Bug, BugId, Concern, Recheck, Trigger, Version};

/// Triggers by their names in the table.
pub(super) const TRIGGERS: &[(&str, Trigger)] = &[
    ("fix-not-structural", Trigger::FixNotStructural),
    ("cofix-type-open", Trigger::CofixTypeOpen),
    ("cofix-nested-mutual", Trigger::CofixNestedMutual),
    ("constructor-let-sprop", Trigger::ConstructorLetSprop),
    ("constructor-let-module", Trigger::ConstructorLetModule),
    ("constructor-let-universe", Trigger::ConstructorLetUniverse),
    ("wrong-alias", Trigger::WrongAlias),
    ("polymorphic-with", Trigger::PolymorphicWith),
    ("primitive-in-module-type", Trigger::PrimitiveInModuleType),
    ("flag-command", Trigger::FlagCommand),
    ("vm-cast-in-section", Trigger::VmCastInSection),
    ("vm-cast-int-shift", Trigger::VmCastIntShift),
    ("vm-cast-inline", Trigger::VmCastInline),
    ("native-cast", Trigger::NativeCast),
    ("strict-match", Trigger::StrictMatch),
    ("cumulative-sprop", Trigger::CumulativeSprop),
    ("undischarged-variable", Trigger::UndischargedVariable),
];

/// What a proof must use, by its name in the table.
pub(super) const CONCERNS: &[(&str, Concern)] = &[
    ("fix", Concern::Fix),
    ("cofix", Concern::Cofix),
    ("vm", Concern::Vm),
    ("native", Concern::Native),
    ("int", Concern::Int),
    ("float", Concern::Float),
    ("array", Concern::Array),
    ("sprop", Concern::Sprop),
    ("polymorphism", Concern::Polymorphism),
    ("module", Concern::Module),
    ("inductive", Concern::Inductive),
    ("inline", Concern::Inline),
    ("flags", Concern::Flags),
    ("section", Concern::Section),
    ("axiom", Concern::Axiom),
];

/// What the second run of the kernel does, by its name in the table.
pub(super) const RECHECKS: &[(&str, Recheck)] = &[("shares", Recheck::Shares), ("refuses", Recheck::Refuses)];

/// The keys of a row. All but `trigger` must be there.
const KEYS: &[&str] = &["id", "title", "since", "fixed", "component", "feature", "trigger", "coqchk", "url"];

/// Reads the table. An error names the row and the key at fault.
pub(super) fn read(text: &str) -> Result<Vec<Bug>, String> {
    let table: Table = text.parse().map_err(|error| format!("{error}"))?;
    let rows = table.get("bug").and_then(Value::as_array).ok_or("there are no rows `[[bug]]`")?;
    rows.iter().map(|row| bug(row).map_err(|error| format!("{error} in {row}"))).collect()
}

fn bug(row: &Value) -> Result<Bug, String> {
    let row = row.as_table().ok_or("a row is no table")?;
    if let Some(key) = row.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!("the key `{key}` is not known"));
    }
    let id = row.get("id").and_then(Value::as_integer).and_then(|id| u32::try_from(id).ok());
    let fixed = row.get("fixed").and_then(Value::as_array).ok_or("`fixed` is no list")?;
    let fixed = fixed.iter().map(|version| version.as_str().ok_or("`fixed` has no text")?.parse());
    Ok(Bug {
        id: BugId(id.ok_or("`id` is no number")?),
        title: text(row, "title")?.to_owned(),
        since: text(row, "since")?.parse::<Version>()?,
        fixed: fixed.collect::<Result<_, String>>()?,
        component: text(row, "component")?.to_owned(),
        feature: one_of(CONCERNS, row, "feature")?,
        trigger: row.get("trigger").map(|_| one_of(TRIGGERS, row, "trigger")).transpose()?,
        coqchk: one_of(RECHECKS, row, "coqchk")?,
        url: text(row, "url")?.to_owned(),
    })
}

fn text<'a>(row: &'a Table, key: &str) -> Result<&'a str, String> {
    row.get(key).and_then(Value::as_str).ok_or_else(|| format!("`{key}` is no text"))
}

fn one_of<T: Copy>(names: &[(&str, T)], row: &Table, key: &str) -> Result<T, String> {
    let name = text(row, key)?;
    let found = names.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or_else(|| format!("`{name}` is no {key}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_row_is_said() {
        let row = "[[bug]]\nid = 1\ntitle = \"t\"\nsince = \"8.16.0\"\nfixed = [\"9.0.0\"]\ncomponent = \"kernel\"\n\
                   feature = \"fix\"\ntrigger = \"wrong-alias\"\ncoqchk = \"shares\"\nurl = \"u\"\n";
        assert_eq!(read(row).unwrap().len(), 1);
        for (old, new, expected) in [
            ("id = 1", "id = \"x\"", "`id` is no number"),
            ("8.16.0", "8.16", "is no version"),
            ("wrong-alias", "wrong", "`wrong` is no trigger"),
            ("\"fix\"", "\"fax\"", "`fax` is no feature"),
            ("url", "link", "`link` is not known"),
        ] {
            let error = read(&row.replace(old, new)).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
