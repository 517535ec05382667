//! The forms of data sets are told apart, and each is read or refused with advice.

use andor_system_lean::LEAN4;
use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::io::Write;
use std::path::PathBuf;

use andor_core::theorem::System;
use andor_dataset::{self as dataset, Dataset, Problem};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A folder of files that are written by tests.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("temporary folders can be made"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs_err::create_dir_all(path.parent().expect("it is in the folder")).expect("folders can be made");
        fs_err::write(&path, bytes).expect("files can be written");
        path
    }
}

fn read_as(name: &str, bytes: impl AsRef<[u8]>, wanted: Option<System>) -> Result<Dataset, String> {
    let files = Files::new();
    dataset::read(&files.write(name, bytes), wanted, None).map_err(|e| e.to_string())
}

fn read(name: &str, bytes: impl AsRef<[u8]>) -> Result<Dataset, String> {
    read_as(name, bytes, None)
}

fn rows(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

fn ids(problems: &[Problem]) -> Vec<&str> {
    problems.iter().map(|p| p.theorem.id.as_str()).collect()
}

const HEADER: &str = "import Mathlib\n\nopen Nat\n\n";

/// Rows of Lean 4 in the forms that people have; each states `theorem a1 (n : ℕ) : n + 0 = n`.
fn lean_rows() -> Vec<(&'static str, Value)> {
    let doc = "/-- Show n+0=n. -/\n";
    let statement = "theorem a1 (n : ℕ) : n + 0 = n";
    let whole = format!("{HEADER}{doc}{statement} := by\n");
    vec![
        (
            "rows with `statement`",
            json!({"id": "a1", "split": "test", "statement": format!("{statement} :=\n  by sorry")}),
        ),
        (
            "rows with `statement`",
            json!({"id": "a1", "system": "lean4", "header": HEADER, "statement": format!("{statement} :=")}),
        ),
        (
            "rows with `formal_statement`",
            json!({"name": "a1", "split": "valid", "informal_prefix": doc, "formal_statement": format!("{statement} := by\n"),
                   "goal": "⊢", "header": HEADER}),
        ),
        (
            "rows with `formal_statement`",
            json!({"header": HEADER, "name": "a1", "formal_statement": format!("{statement} := by\n"),
                   "informal_statement": "x", "coq_statement": "null", "isabelle_statement": "null"}),
        ),
        (
            "Goedel-Prover-V2 rows",
            json!({"name": "a1", "problem_id": "a1", "split": "test", "informal_prefix": doc, "formal_statement": whole,
                   "lean4_code": format!("{whole} sorry")}),
        ),
        ("rows with `formal_statement`", json!({"uuid": "a1", "problem": "x", "formal_statement": whole})),
        (
            "ProofNet# rows",
            json!({"id": "B|a1", "nl_statement": "x", "lean4_src_header": HEADER,
                   "lean4_formalization": format!("{statement} :=")}),
        ),
        (
            "ProofNet-Verified rows",
            json!({"index": 1, "name": "a1", "header": "import Mathlib", "helper": "def f := 1",
                   "formal_stmt": format!("{statement} := by\n  sorry"), "informal_stmt": "x"}),
        ),
        ("rows with `lean4_statement`", json!({"name": "a1", "lean4_statement": statement})),
    ]
}

#[test]
fn rows_of_lean_4_are_recognised_whatever_their_keys() {
    for (form, row) in lean_rows() {
        let dataset = read("rows.jsonl", rows(&[row.clone(), row.clone()])).unwrap();
        assert_eq!((dataset.form.as_str(), dataset.problems.len()), (form, 2), "{row}");
        let theorem = &dataset.problems[0].theorem;
        assert_eq!((theorem.name.as_str(), theorem.system), ("a1", LEAN4), "{row}");
        assert_eq!(theorem.statement, "theorem a1 (n : ℕ) : n + 0 = n", "{row}");
        assert!(theorem.header.is_empty() || theorem.header.starts_with("import Mathlib\n"), "{row}");
        assert_eq!((dataset.form.as_str(), dataset.problems.len()), (form, 2), "{row}");
        // The embedded prover has no Mathlib, and may try.
        let tried = read_as("rows.jsonl", rows(std::slice::from_ref(&row)), Some(MINI)).unwrap();
        assert_eq!(tried.problems[0].theorem.system, MINI);
        assert!(!tried.problems[0].theorem.header.contains("import"), "{row}");
    }
}

#[test]
fn english_statements_are_kept_without_comment_marks() {
    let (_, row) = lean_rows().swap_remove(2);
    let problem = read("rows.jsonl", rows(&[row])).unwrap().problems.remove(0);
    assert_eq!((&problem.fields["informal"], &problem.fields["goal"]), (&json!("Show n+0=n."), &json!("⊢")));
    assert_eq!(problem.split(), Some("valid"));
}

#[test]
fn statements_are_cut_from_their_proofs() {
    let cut = |text: &str| {
        let problem = read("rows.jsonl", rows(&[json!({"statement": text})])).unwrap().problems.remove(0);
        (problem.theorem.name, problem.theorem.header, problem.theorem.statement)
    };
    let plain = |text: &str| cut(text).2;
    for end in [
        "",
        " :=",
        " := by",
        ":= by sorry",
        " := sorry",
        " :=\n  by sorry -- done",
        " := by\n  have h : x := y\n  sorry",
    ] {
        assert_eq!(
            plain(&format!("theorem t (h : f (x := 1) = 2) : p{end}")),
            "theorem t (h : f (x := 1) = 2) : p"
        );
    }
    assert_eq!(plain("theorem t : let x := 3; x = 3 := by sorry"), "theorem t : let x := 3; x = 3");
    assert_eq!(plain("lemma t : p /- := -/ := sorry"), "lemma t : p /- := -/");
    assert_eq!(
        plain("theorem t : (n : Nat) → n = n\n  | 0 => rfl\n  | _ => rfl"),
        "theorem t : (n : Nat) → n = n"
    );
    assert_eq!(plain("theorem t : |x| = 1 ∧\n  |y| = 1 := by sorry"), "theorem t : |x| = 1 ∧\n  |y| = 1");
    let (name, header, statement) = cut(
        "abbrev a : ℕ := 1\n\nnamespace N\n\n/-- theorem -/\n@[simp]\nprivate theorem t : a = 1 := by sorry\nend N",
    );
    assert_eq!((name.as_str(), statement.as_str()), ("N.t", "theorem t : a = 1"));
    assert!(
        header.starts_with("abbrev a : ℕ := 1\n\nnamespace N") && header.ends_with("@[simp]\n"),
        "{header}"
    );
    assert_eq!(plain("example (n : Nat) : n = n := by sorry"), "theorem _example_1 (n : Nat) : n = n");
    for (text, what) in [
        ("instance : Foo x where\n  y := sorry", "the instance is left open"),
        ("def d : Nat := sorry", "the definition `d` is left open"),
        ("mutual\ntheorem t : p := sorry\nend", "the theorem `t` is in a `mutual` block"),
    ] {
        let error = read("rows.jsonl", rows(&[json!({"system": "lean4", "statement": text})])).unwrap_err();
        assert!(error.to_string().contains(what), "{error}");
    }
}

#[test]
fn what_is_no_problem_set_is_refused_with_advice() {
    let location = json!({"url": "u", "commit": "c", "file_path": "A.lean", "full_name": "a"});
    let cases = [
        (json!({"prompt": "a", "chosen": "b", "rejected": "c"}), "training data"),
        (json!({"messages": []}), "training data"),
        (json!({"problem_id": "a", "full_proof": "theorem"}), "andor check"),
        (json!({"custom_id": "a", "code": "theorem"}), "andor check"),
        (json!({"id": "a", "split": "valid", "proof": "by ring"}), "andor check"),
        (location, "LeanDojo locations (2): names and locations"),
        (json!({"id": "a", "formal_statement": "theorem a", "src_header": "import .common"}), "Lean 3"),
        (
            json!({"id": "a\u{1b}[31m", "system": "mini", "statement": "theorem a : True"}),
            r#"the id "a\u{1b}[31m" contains control characters"#,
        ),
        (json!({"a": 1, "b": 2}), "unknown form of row, with the keys a, b"),
    ];
    for (row, advice) in cases {
        let error = read("rows.jsonl", rows(&[row.clone(), row])).unwrap_err();
        assert!(error.contains(advice), "{error}");
    }
    let plan = read("plan.json", r#"{"a1": {"plan": ["have h : 1 = 1"], "progress": 0}}"#).unwrap_err();
    assert!(plan.contains("plans (1)"), "{plan}");
    let request =
        read("request.json", r#"{"codes": [{"custom_id": "1", "code": "x"}], "timeout": 3}"#).unwrap_err();
    assert!(request.contains("entries of a server request (1)"), "{request}");
}

#[test]
fn bad_files_are_refused_at_the_right_line() {
    let good = r#"{"id": "a", "system": "rocq", "statement": "Lemma a : True."}"#;
    let cases: [(&str, Vec<u8>, &str); 8] = [
        ("a.json", format!("[{good}, ").into(), ":1: not a JSON array"),
        ("a.json", b"{\n \"id\": 1,\n oops".to_vec(), ":3: not a JSON object"),
        ("a.jsonl", b" \n".to_vec(), "the file is empty"),
        (
            "a.jsonl",
            format!("{0}\n{0}", good.replace("Lemma a", "Print a")).into(),
            ":1: the statement names no theorem",
        ),
        ("a.jsonl", [b"{}\n\xff".as_slice(), b""].concat(), ":2: not UTF-8 text"),
        ("a.parquet", b"PAR1....".to_vec(), "Parquet"),
        ("a.jsonl.gz", vec![0x1f, 0x8b, 8, 0, 1], "damaged archive"),
        ("a.v", b"Lemma a : True.\n\nLemma b : Tru".to_vec(), "a.v:3:"),
    ];
    for (name, bytes, what) in cases {
        let error = read(name, bytes).unwrap_err();
        assert!(error.contains(what) && error.contains(name), "{error}");
    }
    assert!(read("notes.md", "# Notes").unwrap_err().contains("unsupported file"));
}

#[test]
fn rows_of_several_forms_are_read_row_by_row() {
    let text = "{\"id\": \"a\", \"system\": \"rocq\", \"statement\": \"Lemma a : True.\"}\n\
                {\"name\": \"b\", \"formal_statement\": \"theorem b : True := by\"}\n";
    let dataset = read("a.jsonl", text).unwrap();
    let systems: Vec<System> = dataset.problems.iter().map(|problem| problem.theorem.system).collect();
    assert_eq!((ids(&dataset.problems), systems), (vec!["a", "b"], vec![ROCQ, LEAN4]));
    assert!(dataset.refused.is_empty());
}

#[test]
fn a_row_that_is_refused_does_not_cost_the_others() {
    let good = r#"{"id": "a", "system": "rocq", "statement": "Lemma a : True."}"#;
    let cases = [
        (format!("{good}\n\n{{\"id\":\n{good}"), "line 3: not a JSON object"),
        (format!("[{good}, 3, {good}]"), "row 2: not a JSON object"),
        (
            format!("{good}\n{good}\n{}", good.replace("Lemma a", "Print a")),
            "line 3: the statement names no theorem",
        ),
        (format!("{{\"a\": 1}}\n{good}\n{good}"), "line 1: unknown form of row, with the keys a"),
        (
            format!("{good}\n{}\n{good}", good.replace("Lemma a", "Module F (X : T). Lemma a")),
            "line 2: theorem `F.a` is inside a functor",
        ),
    ];
    for (text, refusal) in cases {
        let dataset = read("a.jsonl", &text).unwrap();
        assert_eq!(ids(&dataset.problems), ["a", "a#2"], "{text}");
        let refused: Vec<String> = dataset.refused.iter().map(ToString::to_string).collect();
        assert_eq!((refused.len(), refused[0].starts_with(refusal)), (1, true), "{refused:?}");
    }
}

#[test]
fn a_theorem_is_called_by_the_modules_that_the_header_leaves_open() {
    let row = |rest: Value| {
        let mut row = json!({
            "id": "a",
            "system": "rocq",
            "header": "Module M. Section S. Module N. End N.",
            "statement": "Lemma a : True.",
        });
        row.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        read("a.jsonl", row.to_string()).unwrap().problems.remove(0).theorem
    };
    for rest in [json!({}), json!({"theorem_name": "a"}), json!({"theorem_name": "M.a"})] {
        let theorem = row(rest);
        assert_eq!((theorem.name.as_str(), theorem.footer.as_str()), ("M.a", "End S.\nEnd M.\n"));
    }
    assert_eq!(row(json!({"footer": "End S. End M. (* done *)"})).footer, "End S. End M. (* done *)");
    assert_eq!(row(json!({"theorem_name": "other"})).name, "other");
    // The statement may open modules too.
    assert_eq!(row(json!({"statement": "Module O. Lemma a : True."})).name, "M.O.a");
}

#[test]
fn theorems_that_cannot_be_judged_are_left_out_with_a_note() {
    let hidden =
        "Module Type T. Lemma a : True. Admitted. End T.\nModule F (X : T). Lemma b : True. Admitted. End F.";
    let dataset = read("a.v", format!("{hidden}\nLemma c : True. Admitted.")).unwrap();
    assert_eq!(ids(&dataset.problems), ["c"]);
    assert_eq!(
        dataset.notes,
        [
            "2 theorems, such as `T.a`, are left out: they are inside a functor, a module type or a sealed module, \
          where proofs cannot be checked"
        ]
    );
    let files = Files::new();
    files.write("lib/a.v", hidden);
    files.write("lib/b.v", "Lemma c : True. Admitted.");
    let dataset = dataset::read(&files.path("lib"), None, None).unwrap();
    assert!(dataset.notes[0].starts_with("2 theorems, such as `T.a`, are left out"), "{:?}", dataset.notes);
    let list = files.write("lib/list.txt", "F.b\n");
    let error = dataset::read(&list, None, None).unwrap_err().to_string();
    assert!(error.contains(":1: theorem `F.b` is inside a functor"), "{error}");
}

#[test]
fn places_are_joined_to_statements_by_id() {
    let files = Files::new();
    let statement = |id: &str, rest: &str| {
        format!("{{\"id\": \"{id}\", \"system\": \"rocq\", \"statement\": \"Lemma t : True.\"{rest}}}\n")
    };
    let place =
        |rest: &str| format!("{{\"url\": \"u\", \"commit\": \"c\", \"file_path\": \"A.v\", {rest}}}\n");
    // A statement may stand beside its place.
    let beside = place("\"full_name\": \"a\", \"system\": \"rocq\", \"statement\": \"Lemma a : True.\"");
    let beside = read("a.jsonl", beside).unwrap();
    assert_eq!(
        (beside.problems[0].theorem.name.as_str(), &beside.problems[0].fields["url"]),
        ("a", &json!("u"))
    );

    let statements = files
        .write("s.jsonl", statement("a", "") + &statement("b", ", \"url\": \"own\"") + &statement("c", ""));
    let join = |places: &str| {
        let mut dataset = dataset::read(&statements, None, None).unwrap();
        let joined = dataset::join_locations(&mut dataset, &files.write("places.jsonl", places));
        joined.map(|()| dataset).map_err(|error| error.to_string())
    };
    let places =
        place("\"full_name\": \"a\", \"split\": \"valid\"") + &place("\"full_name\": \"X.b\", \"id\": \"b\"");
    let dataset = join(&(places.clone() + &place("\"full_name\": \"z\""))).unwrap();
    let [a, b, c] = &dataset.problems[..] else { panic!("three problems") };
    assert_eq!(
        (&a.fields["file_path"], &a.fields["full_name"], a.split()),
        (&json!("A.v"), &json!("a"), Some("valid"))
    );
    assert_eq!((&b.fields["url"], &b.fields["full_name"]), (&json!("own"), &json!("X.b")));
    assert!(!c.fields.contains_key("url"));
    let notes = dataset.notes.join("\n");
    assert!(notes.contains("1 theorems, such as `c`, have no row"), "{notes}");
    assert!(notes.contains("1 of the 3 rows in") && notes.contains("match no theorem"), "{notes}");

    let error = |places: &str| join(places).unwrap_err();
    assert!(error(&place("\"full_name\": \"z\"")).contains("none of its rows matches the id of a theorem"));
    assert!(error(&(places.clone() + &places)).contains(":3: a second row with the id `a`"));
    assert!(error("{\"url\": \"u\"}").contains(":1: a row of locations needs `commit`"));
}

#[test]
fn packed_files_and_arrays_and_byte_order_marks_are_read() {
    let row = json!({"id": "a", "system": "rocq", "statement": "Lemma a : True."});
    let text = format!("\u{feff}{row}\r\n{row}\r\n");
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text.as_bytes()).unwrap();
    let zstd = zstd::encode_all(text.as_bytes(), 1).unwrap();
    let array = json!([row, row]).to_string();
    let plain = read("rows.jsonl", &text).unwrap();
    assert_eq!(ids(&plain.problems), ["a", "a#2"]);
    for (name, bytes) in [
        ("rows.jsonl.gz", gzip.finish().unwrap()),
        ("rows.jsonl.zst", zstd),
        ("rows.json", array.into_bytes()),
    ] {
        assert_eq!(read(name, bytes).unwrap(), plain, "{name}");
    }
}

#[test]
fn rows_of_rocq_are_cut_as_far_as_they_must() {
    let whole = "Require Import Arith.\nDefinition f := 1.\nTheorem t : f = 1.\nProof. Admitted.\n";
    let row = json!({"name": "t", "header": "import Mathlib", "formal_statement": "theorem t : True := by", "coq_statement": whole});
    let without = json!({"name": "u", "formal_statement": "theorem u : True := by", "coq_statement": "null"});
    let dataset = read_as("rows.jsonl", rows(&[row, without]), Some(ROCQ)).unwrap();
    let theorem = &dataset.problems[0].theorem;
    assert_eq!(theorem.header, "Require Import Arith.\nDefinition f := 1.\n");
    assert_eq!((theorem.statement.as_str(), theorem.name.as_str()), ("Theorem t : f = 1.", "t"));
    assert_eq!((dataset.problems.len(), dataset.notes.len()), (1, 1), "{:?}", dataset.notes);
    let other = json!({"id": "p", "system": "rocq", "header": "Section s.\n", "statement": "Theorem q : True.",
                       "theorem_name": "q", "footer": "End s.", "requires": ["coquelicot"]});
    let problem = read("rows.jsonl", rows(&[other])).unwrap().problems.remove(0);
    assert_eq!((problem.theorem.id.as_str(), problem.theorem.name.as_str()), ("p", "q"));
    assert_eq!(
        (problem.theorem.footer.as_str(), &problem.fields["requires"]),
        ("End s.", &json!(["coquelicot"]))
    );
}

#[test]
fn a_lean_file_that_imports_is_one_of_lean_4() {
    let text = "import Mathlib\n\nabbrev a : ℕ := sorry\n\nnamespace N\n\ntheorem one : a = 1 := by\n  sorry\n\n\
                /-- Two. -/\n@[simp]\ntheorem two : 2 = 2 := rfl\n\n/-- sorry -/\nlemma three : 3 = 3 := by\n  simp; sorry\n\nend N\n";
    let dataset = read("a.lean", text).unwrap();
    assert_eq!(ids(&dataset.problems), ["N.one", "N.three"]);
    let theorem = &dataset.problems[1].theorem;
    assert!(
        !theorem.header.contains("one") && theorem.header.contains("two : 2 = 2 := rfl"),
        "{}",
        theorem.header
    );
    assert!(theorem.header.ends_with("/-- sorry -/\n"), "{}", theorem.header);
    assert_eq!((theorem.statement.as_str(), theorem.footer.as_str()), ("lemma three : 3 = 3", "end N\n"));
    assert_eq!(dataset.problems[0].fields["answer_holes"], json!(1));
    assert!(dataset.notes[0].contains("in 2 theorems an answer is left open"), "{:?}", dataset.notes);
    assert_eq!(read("b.lean", "theorem t : True := sorry").unwrap().problems[0].theorem.system, MINI);
}

#[test]
fn theorems_of_lean_4_stand_in_their_file() {
    let text = "import Mathlib\nnamespace N\nvariable (n : Nat)\n\ntheorem used : n = n := by\n  sorry\n\n\
                theorem unused : n = n := sorry\n\ndef d : Nat := sorry\n\ninstance i : Inhabited Nat := sorry\n\n\
                private theorem after : n = n := by\n  have h := N.used n\n  sorry\n\nexample : 1 = 1 := by\n  simp\n  sorry\nend N\n";
    let dataset = read("a.lean", text).unwrap();
    assert_eq!(ids(&dataset.problems), ["N.used", "N.unused", "N.after", "N._example_1"]);
    // A theorem that later ones mention stays, though it is unproved; others are left out.
    let example = &dataset.problems[3].theorem;
    assert!(
        example.header.contains("theorem used") && !example.header.contains("unused"),
        "{}",
        example.header
    );
    assert_eq!(example.statement, "theorem _example_1 : 1 = 1");
    assert_eq!(dataset.problems[2].theorem.statement, "theorem after : n = n");
    assert!(
        dataset.problems[2].theorem.header.ends_with("sorry\n\n"),
        "{}",
        dataset.problems[2].theorem.header
    );
    assert!(dataset.problems[2].fields.contains_key("partial_proof"));
    let refused: Vec<_> = dataset.refused.iter().map(|row| row.to_string()).collect();
    assert!(refused[0].starts_with("line 10: the definition `N.d`"), "{refused:?}");
    assert!(refused[1].starts_with("line 12: the instance `N.i`"), "{refused:?}");
    let unclosed = read("b.lean", "import A\ntheorem t : p := /- sorry\n").unwrap_err().to_string();
    assert!(unclosed.contains(":2:18: the comment that begins here"), "{unclosed}");
}

#[test]
fn folders_are_read_in_order_with_splits_and_unique_ids() {
    let files = Files::new();
    let lemma = "Lemma a : True.\nAdmitted.\n";
    files.write("set/valid/b.v", lemma);
    files.write("set/test/b.v", "Lemma b : True.\nProof.");
    files.write("set/test/a.v", format!("{lemma}Lemma done : True. Proof. exact I. Qed.\n"));
    files.write("set/_build/c.v", lemma);
    files.write("set/.hidden/c.v", lemma);
    files.write("set/_CoqProject", "-Q theories Foo # comment\n-R lib \"Bar\"\n");
    std::os::unix::fs::symlink(files.path("set"), files.path("set/test/loop")).unwrap();
    std::os::unix::fs::symlink(files.path("set/test/b.v"), files.path("set/test/z.v")).unwrap();
    let dataset = dataset::read(&files.path("set"), None, None).unwrap();
    assert_eq!(ids(&dataset.problems), ["test.a.a", "b", "valid.b.a"]);
    let splits: Vec<_> = dataset.problems.iter().filter_map(Problem::split).collect();
    assert_eq!(splits, ["test", "test", "valid"]);
    assert_eq!(dataset.problems[2].fields["name"], "a");
    assert_eq!(dataset.form, "a Rocq project");

    files.write("set/x.lean", "import Mathlib\ntheorem x : 1 = 1 := by sorry\n");
    fs_err::remove_file(files.path("set/_CoqProject")).unwrap();
    files.write("set/notes.toml", "");
    let mixed = dataset::read(&files.path("set"), None, None).unwrap();
    assert_eq!((mixed.form.as_str(), mixed.problems.len()), ("a folder of Lean and Rocq files", 4));
    assert!(mixed.notes[0].ends_with("notes.toml is passed over: it is no source file"), "{:?}", mixed.notes);
    assert_eq!(dataset::read(&files.path("set"), Some(ROCQ), None).unwrap().problems.len(), 3);
    files.write("set/lean-toolchain", "leanprover/lean4:v4.20.0\n");
    let lake = dataset::read(&files.path("set"), None, None).unwrap();
    assert_eq!((lake.form.as_str(), ids(&lake.problems)), ("a Lake project", vec!["x"]));
    std::os::unix::fs::symlink(files.path("nowhere"), files.path("set/gone.v")).unwrap();
    let gone = dataset::read(&files.path("set"), None, None).unwrap_err().to_string();
    assert!(gone.contains("gone.v") && gone.contains("remove it"), "{gone}");

    files.write("empty/rows.jsonl", "{}");
    let empty = dataset::read(&files.path("empty"), None, None).unwrap_err().to_string();
    assert!(empty.contains("without `.lean` or `.v` files") && empty.contains("rows.jsonl"), "{empty}");
}

#[test]
fn a_list_of_names_says_which_theorems_are_meant() {
    let files = Files::new();
    files.write("a.v", "Lemma one : True.\nProof. exact I. Qed.\nLemma two : True.\nAdmitted.\n");
    files.write("sub/b.v", "Lemma two : True.\nAdmitted.\n");
    let listed = |text: &str| {
        let path = files.write("names.txt", text);
        dataset::read(&path, None, None).map_err(|e| e.to_string())
    };
    let some = listed("# chosen\na.v:one # finished\n\nsub/b.v:2\na.v:two\n").unwrap();
    assert_eq!(ids(&some.problems), ["one", "sub.b.two", "a.two"]);
    assert_eq!(some.problems[1].fields["file"], "sub/b.v");
    assert!(listed("one\nthree").unwrap_err().contains(":2: no theorem `three`"));
    assert!(listed("two").unwrap_err().contains("occurs several times; write `FILE:two`"));
    assert!(listed("one\na.v:1").unwrap_err().contains("repeats the theorem of line 1"));
    assert!(listed("# none").unwrap_err().contains("the list is empty"));
}

#[test]
fn a_leandojo_benchmark_is_refused() {
    let files = Files::new();
    files.write("lean/corpus.jsonl", "");
    files.write("lean/random/train.json", "[{}, {}]");
    files.write("lean/random/val.json", "[{}]");
    let error = dataset::read(&files.path("lean"), None, None).unwrap_err().to_string();
    assert!(
        error.contains("theorems of a LeanDojo benchmark (3)") && error.contains("--project DIR"),
        "{error}"
    );
}

/// An internal record, as rows of it are written.
fn record(problem: &Problem) -> Value {
    let theorem = &problem.theorem;
    let mut row = problem.fields.clone();
    let system = theorem.system.name();
    let known = json!({"id": theorem.id, "theorem_name": theorem.name, "system": system, "header": theorem.header,
                       "statement": theorem.statement, "footer": theorem.footer});
    row.extend(known.as_object().expect("it is an object").clone());
    row.into()
}

proptest! {
    #[test]
    fn records_are_read_back_as_they_were_written(
        texts in prop::collection::vec(("[a-z][a-zA-Z0-9_']{0,8}", "[ -~∀→ℕ\n]{0,20}", "[a-z =+()∀→\n]{0,20}", 0..3usize, any::<bool>()), 1..6)
    ) {
        let written: Vec<Value> = texts.iter().enumerate().map(|(at, (name, header, ty, system, has_split))| {
            let (system, statement) = match system {
                0 => ("rocq", format!("Theorem {name} : x {}.", ty.replace(['(', ')'], ""))),
                1 => ("lean4", format!("theorem {name} : x {}", ty.replace(['(', ')'], "").trim_end()).trim_end().to_owned()),
                _ => ("synthetic", format!("{name} {ty}")),
            };
            let mut row = json!({"id": format!("{name}{at}"), "system": system, "statement": statement,
                                 "theorem_name": name, "footer": "", "x": [at]});
            // Brackets in a header would have to match.
            row["header"] = header.replace("/-", "").into();
            if *has_split {
                row["split"] = "valid".into();
            }
            row
        }).collect();
        let first = read("rows.jsonl", rows(&written)).map_err(TestCaseError::fail)?;
        for (row, problem) in written.iter().zip(&first.problems) {
            for (key, text) in [("statement", &problem.theorem.statement), ("header", &problem.theorem.header)] {
                prop_assert_eq!(row[key].as_str(), Some(text.as_str()));
            }
        }
        let records: Vec<Value> = first.problems.iter().map(record).collect();
        let second = read("rows.jsonl", rows(&records)).map_err(TestCaseError::fail)?;
        prop_assert_eq!(first.problems, second.problems);
    }

    #[test]
    fn no_bytes_make_reading_panic(
        name in "a\\.(v|lean|jsonl|txt|json)",
        text in "(\\{\"|\"\\}|theorem|Lemma|[a-z:=.()\\[\\]{}\" \n]|import|sorry|PAR1|\u{feff}){0,30}|\\PC{0,40}"
    ) {
        let _ = read(&name, text);
    }
}

#[test]
fn unfinished_proofs_are_kept_with_their_places() {
    let partial = |name: &str, text: &str, id: &str| {
        let dataset = read(name, text).unwrap();
        let problem = dataset.problems.into_iter().find(|p| p.theorem.id == id);
        problem.map(|problem| {
            problem.partial_proof().map(|given| (given.script, given.start.line, given.start.column))
        })
    };
    let rocq = "Lemma a : True. Proof. Admitted.\nLemma b : True /\\ True. split. - exact I. Admitted.\n\
                Lemma c : True.\nProof. admit. Qed.\nLemma d : True. exact I. Qed.\nLemma e : True. idtac. Abort.\n\
                Lemma f : True.\nidtac.";
    assert_eq!(partial("t.v", rocq, "a"), Some(None));
    assert_eq!(partial("t.v", rocq, "b"), Some(Some((" split. - exact I. Admitted.".to_owned(), 2, 24))));
    // A hole alone is no proof, but it is no finished one either.
    assert_eq!(partial("t.v", rocq, "c"), Some(None));
    assert_eq!(partial("t.v", rocq, "d"), None);
    assert_eq!(partial("t.v", rocq, "e"), Some(None));
    assert_eq!(partial("t.v", rocq, "f"), Some(Some(("\nidtac.".to_owned(), 7, 16))));
    let lean = "theorem a : True := by sorry\ntheorem b : True ∧ True := by\n  constructor\n  · trivial\n  · sorry\n\
                theorem c : True ∧ True := ⟨trivial, sorry⟩\ntheorem d : True := trivial\n";
    assert_eq!(partial("t.lean", lean, "a"), Some(None));
    let (script, line, _) = partial("t.lean", lean, "b").unwrap().unwrap();
    assert!(
        script.ends_with(":= by\n  constructor\n  · trivial\n  · sorry") && line == 2,
        "{script:?} {line}"
    );
    assert!(partial("t.lean", lean, "c").unwrap().is_some());
    assert_eq!(partial("t.lean", lean, "d"), None);
    let row = json!({"system": "rocq", "statement": "Lemma a : True.", "partial_proof": "idtac. admit."});
    assert_eq!(partial("rows.jsonl", &rows(&[row]), "a"), Some(Some(("idtac. admit.".to_owned(), 1, 1))));
}
