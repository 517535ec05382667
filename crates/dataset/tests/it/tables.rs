//! Parquet files, and rows that say where a theorem is in a project.

use andor_system_lean::LEAN4;
use std::path::{Path, PathBuf};

use andor_dataset::{self as dataset, Dataset, Problem};
use proptest::prelude::*;
use serde_json::{Value, json};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

fn ids(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|p| p.theorem.id.as_str()).collect()
}

#[test]
fn parquet_rows_are_rows() {
    let read = dataset::read(&data("numina.parquet"), None, None).unwrap();
    assert_eq!(read.form, "rows with `formal_statement`");
    assert_eq!(ids(&read.problems), ["u1", "u2", "u3"]);
    let first = &read.problems[0];
    assert_eq!(first.theorem.statement, "theorem a1 (n : ℕ) : n + 1 = 1 + n");
    assert_eq!(first.theorem.header, "import Mathlib\n\nopen Nat\n\n");
    assert_eq!(first.fields["informal"], "Show it.");
    assert_eq!(first.fields["rl_data"], json!({"n_correct_proofs": 1, "n_proofs": 2, "win_rate": 0.5}));
    assert_eq!(first.fields["tags"], json!(["algebra", "easy"]));
    assert_eq!(read.problems[1].fields["rl_data"], Value::Null);
}

#[test]
fn parquet_is_read_in_the_usual_compressions() {
    for compression in ["none", "gzip", "zstd"] {
        let path = data(&format!("minif2f_{compression}.parquet"));
        let read = dataset::read(&path, None, None).unwrap();
        assert_eq!(ids(&read.problems), ["a1", "a2", "a3", "a4", "a5"], "{compression}");
        assert_eq!(read.problems[4].split(), Some("test"), "{compression}");
    }
    let error = dataset::read(&data("minif2f_lz4.parquet"), None, None).unwrap_err().to_string();
    assert!(error.contains("compressed by lz4") && error.contains("to_parquet"), "{error}");
}

#[test]
fn a_parquet_file_is_known_by_its_content() {
    let folder = tempfile::tempdir().unwrap();
    let named = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs_err::write(&path, bytes).unwrap();
        dataset::read(&path, None, None).map_err(|error| error.to_string())
    };
    let bytes = fs_err::read(data("numina.parquet")).unwrap();
    assert_eq!(named("rows", &bytes).unwrap().problems.len(), 3);
    let error = named("rows.lean", &bytes).unwrap_err();
    assert!(error.ends_with("a Parquet file; its name should end in `.parquet`"), "{error}");
    let error = named("half.parquet", &bytes[..bytes.len() / 2]).unwrap_err();
    assert!(error.contains("a Parquet file, but it cannot be read"), "{error}");
}

/// A project as a traced repository leaves it.
struct Traced(tempfile::TempDir);

const SOURCE: &str = "import P.Base\n\nnamespace P\n\nvariable (n : Nat)\n\n/-- One. -/\n@[simp]\ntheorem a : n + 0 = n := rfl\n\n\
                      private theorem b : n = n := by\n  sorry\n\nmutual\ntheorem c : True := trivial\nend\n\nend P\n";

impl Traced {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("temporary files can be made");
        fs_err::create_dir_all(folder.path().join("project/P")).expect("temporary files can be made");
        fs_err::write(folder.path().join("project/P/A.lean"), SOURCE).expect("temporary files can be made");
        fs_err::write(folder.path().join("P.lean"), "theorem outside : True := trivial\n")
            .expect("temporary files can be made");
        Self(folder)
    }

    fn read(&self, rows: &[Value], name: &str, text: impl Fn(&[Value]) -> String) -> Result<Dataset, String> {
        let path = self.0.path().join(name);
        fs_err::write(&path, text(rows)).expect("temporary files can be made");
        let project = self.0.path().join("project");
        dataset::read(&path, None, Some(&project)).map_err(|error| error.to_string())
    }

    fn lines(&self, rows: &[Value]) -> Result<Dataset, String> {
        self.read(rows, "rows.jsonl", |rows| rows.iter().map(|row| format!("{row}\n")).collect())
    }
}

fn row(file: &str, name: &str) -> Value {
    json!({"url": "https://example.org/p", "commit": "0123", "file_path": file, "full_name": name})
}

fn with(mut row: Value, more: Value) -> Value {
    let (Value::Object(row_fields), Value::Object(more)) = (&mut row, more) else {
        unreachable!("both are objects")
    };
    row_fields.extend(more);
    row
}

#[test]
fn theorems_are_found_where_leandojo_says() {
    let traced = Traced::new();
    let benchmark = [
        with(
            row("P/A.lean", "P.a"),
            json!({"start": [7, 1], "end": [9, 29], "traced_tactics": [{"tactic": "rfl", "state_before": "…"}]}),
        ),
        with(
            row("P/A.lean", "_private.P.A.0.P.b"),
            json!({"start": [11, 1], "end": [12, 8], "traced_tactics": []}),
        ),
    ];
    let read = traced.read(&benchmark, "val.json", |rows| json!(rows).to_string()).unwrap();
    assert_eq!(read.form, "LeanDojo benchmark rows");
    assert_eq!(ids(&read.problems), ["P.a", "_private.P.A.0.P.b"]);
    let a = &read.problems[0];
    assert_eq!(a.theorem.system, LEAN4);
    assert_eq!((a.theorem.name.as_str(), a.theorem.statement.as_str()), ("P.a", "theorem a : n + 0 = n"));
    assert_eq!(
        a.theorem.header,
        "import P.Base\n\nnamespace P\n\nvariable (n : Nat)\n\n/-- One. -/\n@[simp]\n"
    );
    assert_eq!(a.theorem.footer, "end P\n");
    assert_eq!(a.fields["commit"], "0123");
    assert_eq!(a.fields.get("traced_tactics"), None, "the known proof is no part of the problem");
    let b = &read.problems[1].theorem;
    assert_eq!((b.name.as_str(), b.statement.as_str()), ("P.b", "theorem b : n = n"));
    assert!(b.header.contains("theorem a : n + 0 = n := rfl"), "{}", b.header);

    let places =
        traced.lines(&[with(row("P/A.lean", "P.a"), json!({"split": "val", "id": "first"}))]).unwrap();
    assert_eq!(ids(&places.problems), ["first"]);
    assert_eq!(places.problems[0].split(), Some("valid"));
}

#[test]
fn what_is_not_where_leandojo_says_is_refused_by_name() {
    let traced = Traced::new();
    let cases = [
        (row("P/A.lean", "P.z"), "no theorem `P.z` in P/A.lean"),
        (row("P/A.lean", "P.c"), "none of a `mutual` block"),
        (row("P/B.lean", "P.a"), "no file P/B.lean in "),
        (row("../P.lean", "outside"), "`file_path` should lead into the project: ../P.lean"),
        (row("/etc/passwd", "outside"), "`file_path` should lead into the project: /etc/passwd"),
        (
            with(row("P/A.lean", "P.a"), json!({"start": [27, 1], "end": [29, 6]})),
            "`P.a` is at line 9 of P/A.lean, and the row says otherwise",
        ),
        (
            with(row("P/A.lean", "P.a"), json!({"start": "here"})),
            "`start` should be a line and a column, like [27, 1]",
        ),
        (
            json!({"url": 1, "commit": "c", "file_path": 2, "full_name": "P.a"}),
            "`file_path` should be a text",
        ),
    ];
    let mut rows: Vec<Value> = cases.iter().map(|(row, _)| row.clone()).collect();
    rows.insert(3, row("P/A.lean", "P.b"));
    let read = traced.lines(&rows).unwrap();
    assert_eq!(ids(&read.problems), ["P.b"]);
    let mut lines: Vec<usize> = (1..=rows.len()).collect();
    lines.remove(3);
    for ((refused, (_, what)), line) in read.refused.iter().zip(&cases).zip(lines) {
        assert_eq!(refused.line, Some(line), "{refused}");
        assert!(refused.what.contains(what), "{refused}");
    }
    assert_eq!(read.refused.len(), cases.len());
    let path = traced.0.path().join("rows.jsonl");
    let error = dataset::read(&path, None, None).unwrap_err().to_string();
    assert!(error.contains("LeanDojo locations (9)") && error.contains("--project DIR"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// A damaged file is refused, or read as something else; it never ends the program.
    #[test]
    fn damaged_parquet_files_are_refused(which in 0..3usize, at in any::<prop::sample::Index>(), byte: u8, cut: bool) {
        let name = ["numina.parquet", "minif2f_zstd.parquet", "minif2f_none.parquet"][which];
        let mut bytes = fs_err::read(data(name)).unwrap();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs_err::write(&path, bytes).unwrap();
        match dataset::read(&path, None, None) {
            Ok(read) => prop_assert!(read.problems.len() + read.refused.len() <= 5),
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
