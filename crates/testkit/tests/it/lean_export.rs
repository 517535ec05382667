//! Exports of theorems for other kernels, compared with those of the crate `olean-export`, which reads compiled files by
//! code of its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use andor_env::checker::Checker;
use andor_env::error::EnvError;
use andor_testkit::{block_on, lean};
use olean_export::{Counts, Env, Exporter, Record, Sink, ndjson};
use serde_json::Value;

use crate::lean_judge::{PROVED, STATED, claim, judge};

/// All kinds of declarations, of terms and of levels that the Lean of the tests has.
const RICH: &str = r#"universe u v
inductive Tree (α : Type u) : Type u where
  | leaf : Tree α
  | node (left : Tree α) (value : α) (right : Tree α) : Tree α
inductive Rose (α : Type u) : Type u where
  | rose (value : α) (children : List (Rose α)) : Rose α
mutual
inductive Even : Nat → Prop where
  | zero : Even 0
  | succ (n : Nat) : Odd n → Even (n + 1)
inductive Odd : Nat → Prop where
  | succ (n : Nat) : Even n → Odd (n + 1)
end
structure Pair (α : Sort u) (β : Sort v) where
  first : α
  second : β
def Tree.size {α : Type u} : Tree α → Nat
  | leaf => 0
  | node l _ r => l.size + 1 + r.size
def swapped {α : Sort u} {β : Sort v} (p : Pair α β) : Pair β α := ⟨p.2, p.1⟩
opaque hidden : Nat
private def two : Nat := 2
def large : Nat := 123456789012345678901234567890123456789012345678901234567890
def «with a space».«2».inner : Nat := 3
def parity : Nat → Prop := fun n => (∃ m, n = m + m) ∨ ∃ m, n = m + m + 1
abbrev Mod2 := Quot (fun a b : Nat => ∃ k, a = b + k + k)
def cls (n : Nat) : Mod2 := Quot.mk _ n
theorem by_tactics (n : Nat) (h : 0 < n ∧ two = 2) : n = n ∧ 0 < n := by
  have k := h.1
  refine ⟨?_, k⟩
  simp
theorem goal (p : Prop) (t : Tree Nat) (r : Rose Nat) (q : Pair Nat Prop) (e : Even 4) :
    (p ∨ ¬p) ∧ Tree.size (.node .leaf 1 .leaf) = 1 ∧ (swapped q).first = q.2 ∧ hidden = hidden ∧ two + 1 = 3 ∧
      large = large ∧ "a\n\"ü" = "a\n\"ü" ∧ «with a space».«2».inner = 3 ∧ parity 3 = parity 3 ∧ cls 1 = cls 1 ∧ t = t ∧
      r = r ∧ e = e ∧ (∀ n : Nat, (let m := n + 1; m) = Nat.succ n) :=
  have := by_tactics 2 ⟨by decide, rfl⟩
  ⟨Classical.em p, rfl, rfl, rfl, rfl, rfl, rfl, rfl, rfl, rfl, rfl, rfl, rfl, fun _ => rfl⟩
"#;

/// The export of `goal` from a file.
fn ours(text: &str) -> String {
    let export = block_on(judge(lean::toolchain()).export(&claim(text, text)));
    String::from_utf8(export.unwrap()).unwrap()
}

/// The same by the other exporter. The module's name is that under which the judge compiles.
fn theirs(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    lean::compile(folder.path(), "andor_judged", text);
    let search = [folder.path().to_owned(), lean::sysroot().join("lib/lean")];
    let env = Env::load(&search, &["andor_judged"]).unwrap();
    let mut exporter = Exporter::new(&env, Vec::new());
    exporter.meta().unwrap();
    exporter.constant(env.find_name("goal").unwrap()).unwrap();
    String::from_utf8(exporter.finish().unwrap()).unwrap()
}

/// An export with its references followed: each declaration by its kind and its name, with all of its parts as text.
#[derive(Default)]
struct Read {
    names: HashMap<u64, String>,
    levels: HashMap<u64, String>,
    /// Numbers of terms, by what they are without the names of variables.
    digests: BTreeMap<String, usize>,
    terms: HashMap<u64, usize>,
    declarations: BTreeMap<String, BTreeSet<String>>,
}

/// Terms are compared by numbers in a table that both exports share.
fn read(export: &str, digests: &mut BTreeMap<String, usize>) -> BTreeMap<String, BTreeSet<String>> {
    let mut read = Read { digests: std::mem::take(digests), ..Read::default() };
    read.names.insert(0, String::new());
    read.levels.insert(0, "0".to_owned());
    for line in export.lines().skip(1) {
        read.line(&serde_json::from_str(line).unwrap());
    }
    *digests = read.digests;
    read.declarations
}

impl Read {
    fn line(&mut self, record: &Value) {
        let number = |key: &str| record[key].as_u64();
        if let Some(name) = number("in") {
            let (kind, last) = if record["str"].is_object() { ("str", "str") } else { ("num", "i") };
            let before = &self.names[&record[kind]["pre"].as_u64().unwrap()];
            let full = format!("{before}.{kind}:{}", record[kind][last]);
            assert!(self.names.insert(name, full).is_none());
        } else if let Some(level) = number("il") {
            let mut whole = record.clone();
            whole.as_object_mut().unwrap().remove("il");
            if let Some(name) = record["param"].as_u64() {
                whole["param"] = self.names[&name].clone().into();
            } else {
                follow(&mut whole, &|n| self.levels[&n].clone());
            }
            assert!(self.levels.insert(level, whole.to_string()).is_none());
        } else if let Some(term) = number("ie") {
            let mut whole = record.clone();
            whole.as_object_mut().unwrap().remove("ie");
            for kind in ["lam", "forallE", "letE"] {
                if let Some(parts) = whole[kind].as_object_mut() {
                    assert!(self.names.contains_key(&parts.remove("name").unwrap().as_u64().unwrap()));
                    parts.remove("binderInfo");
                }
            }
            whole = self.resolved(whole);
            let next = self.digests.len();
            let digest = *self.digests.entry(whole.to_string()).or_insert(next);
            assert!(self.terms.insert(term, digest).is_none());
        } else {
            let (kind, parts) = record.as_object().unwrap().iter().next().unwrap();
            let parts = match kind.as_str() {
                "inductive" => {
                    ["types", "ctors", "recs"].map(|list| parts[list].as_array().unwrap().clone()).concat()
                }
                _ => vec![parts.clone()],
            };
            for part in parts {
                let name = self.names[&part["name"].as_u64().unwrap()].clone();
                let part = self.resolved(part);
                assert!(self.declarations.entry(name).or_default().insert(format!("{kind} {part}")));
            }
        }
    }

    /// A record with what its numbers stand for.
    fn resolved(&self, mut record: Value) -> Value {
        let Some(parts) = record.as_object_mut() else { return record };
        for (key, part) in parts {
            let table: &dyn Fn(u64) -> String = match key.as_str() {
                "name" | "all" | "ctors" | "levelParams" | "ctor" | "induct" | "typeName" => {
                    &|n| self.names[&n].clone()
                }
                "us" | "sort" => &|n| self.levels[&n].clone(),
                "type" | "value" | "body" | "fn" | "arg" | "struct" | "rhs" => {
                    &|n| self.terms[&n].to_string()
                }
                "const" | "app" | "lam" | "forallE" | "letE" | "proj" => {
                    *part = self.resolved(part.take());
                    continue;
                }
                "rules" => {
                    let rules = part.take().as_array().unwrap().clone();
                    *part = rules.into_iter().map(|rule| self.resolved(rule)).collect();
                    continue;
                }
                _ => continue,
            };
            follow(part, table);
        }
        record
    }
}

/// Puts what numbers stand for in their places.
fn follow(value: &mut Value, table: &dyn Fn(u64) -> String) {
    match value {
        Value::Number(number) => *value = table(number.as_u64().unwrap()).into(),
        Value::Array(values) => values.iter_mut().for_each(|value| follow(value, table)),
        Value::Object(parts) => parts.values_mut().for_each(|value| follow(value, table)),
        _ => {}
    }
}

#[test]
fn an_export_has_what_another_exporter_writes() {
    for text in [PROVED, RICH] {
        let (ours, theirs) = (ours(text), theirs(text));
        let mut digests = BTreeMap::new();
        let (ours, theirs) = (read(&ours, &mut digests), read(&theirs, &mut digests));
        assert!(ours.contains_key(".str:\"goal\""), "{:?}", ours.keys());
        assert_eq!(ours.keys().collect::<Vec<_>>(), theirs.keys().collect::<Vec<_>>());
        for (name, ours) in &ours {
            assert_eq!(ours, &theirs[name], "{name}");
        }
    }
}

/// Counts records, and checks that none refers to a later one.
#[derive(Default)]
struct Counted {
    next: Counts,
    declared: usize,
}

impl Sink for Counted {
    type Output = (usize, Counts);

    fn record(&mut self, record: &Record<'_>) -> olean_export::Result<()> {
        match record {
            Record::Decl(_) => self.declared += 1,
            Record::End(counts) => assert_eq!(*counts, self.next),
            record => drop(self.next.assign(record)),
        }
        Ok(())
    }

    fn finish(self) -> olean_export::Result<Self::Output> {
        Ok((self.declared, self.next))
    }
}

#[test]
fn the_other_exporter_reads_an_export() {
    let export = ours(RICH);
    let (declared, counts) = ndjson::read(export.as_bytes(), Counted::default()).unwrap();
    assert!(declared > 60 && counts.exprs > 500, "{declared} {counts:?}");
    let meta: Value = serde_json::from_str(export.lines().next().unwrap()).unwrap();
    assert_eq!(meta["meta"]["format"]["version"], "3.1.0");
    assert_eq!(meta["meta"]["lean"]["version"], "4.35.0");
    assert_eq!(meta["meta"]["lean"]["githash"].as_str().map(str::len), Some(40));
}

#[test]
fn only_what_is_accepted_is_exported() {
    let judge = judge(lean::toolchain());
    for (submission, said) in [
        (STATED, "the proof uses `sorry`"),
        ("theorem goal (n : Nat) : 0 = 0 := rfl", "statement"),
        ("theorem goal (n : Nat) : n + 0 = n := nonsense", "nonsense"),
    ] {
        match block_on(judge.export(&claim(STATED, submission))) {
            Err(EnvError::NotExported { why }) => assert!(why.contains(said), "{why}"),
            other => panic!("{submission}: {other:?}"),
        }
    }
}
