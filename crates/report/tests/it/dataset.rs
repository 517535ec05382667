//! Data sets to share, of real runs.

use andor_system_mini::MINI;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_config::{Config, Level, ProviderConfig};
use andor_dataset::{self as dataset, Problem};
use andor_engine::event::Event;
use andor_report::export::{
    Benchmark, DatasetReport, DatasetRequest, Export, ExportError, Format, Measure, View, dataset as write,
};
use andor_run::folder::RunFolder;
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::block_on;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// Statements with the split that their data set names.
const THEOREMS: &[(&str, Option<&str>)] = &[
    ("theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p", Some("train")),
    // The same up to names, in another split.
    ("theorem swop (a b : Prop) (k : a ∧ b) : b ∧ a", Some("test")),
    ("theorem both (p q : Prop) (hp : p) (hq : q) : p ∧ q", Some("valid")),
    ("theorem twice (p : Prop) (hp : p) : p ∧ p", None),
];

fn made(folder: &Path, name: &str, theorems: &[(&str, Option<&str>)]) -> RunFolder {
    let rules = folder.join("rules.json");
    let tactics: Vec<Value> =
        ["constructor", "exact h.2", "exact h.1", "exact k.2", "exact k.1", "exact hp", "exact hq"]
            .iter()
            .enumerate()
            .map(|(at, tactic)| json!({ "tactic": tactic, "log_prior": -0.1 - at as f64 }))
            .collect();
    fs_err::write(&rules, json!({ "rules": [{ "tactics": tactics }] }).to_string()).unwrap();
    let problem = |(statement, split): &(&str, Option<&str>)| -> Problem {
        let mut problem = dataset::from_statement(MINI, statement, &[]).unwrap();
        problem.fields.extend(split.map(|split| ("split".to_owned(), split.into())));
        problem
    };
    let mut config =
        Config { providers: vec![ProviderConfig::Scripted { path: rules }], ..Config::default() };
    config.verify.level = Level::Compiled;
    let out = folder.join(name);
    let problems = theorems.iter().map(problem).collect();
    let request = RunRequest { out: Some(out.clone()), ..RunRequest::new(problems, config) };
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
    RunFolder::read(&out).unwrap()
}

fn request(folder: PathBuf) -> DatasetRequest {
    let what = Export {
        format: Format::Sft,
        view: View::Pp,
        separator: ":::".to_owned(),
        chat: false,
        complete_pairs: false,
        theorems: Vec::new(),
        jobs: 1,
    };
    DatasetRequest {
        what,
        folder,
        licence: "cc-by-4.0".to_owned(),
        validation: 0.0,
        test: 0.0,
        near_duplicate: DatasetRequest::NEAR_DUPLICATE,
        drop_near_duplicates: false,
        benchmarks: Vec::new(),
        drop_contaminated: false,
    }
}

fn written(runs: &[RunFolder], request: &DatasetRequest) -> Result<DatasetReport, ExportError> {
    block_on(write(runs, request, &CancellationToken::new(), &mut |_, _| {}))
}

/// The rows of a split: theorem, prompt and completion.
fn rows(folder: &Path, split: &str) -> Vec<(String, String, String)> {
    let path = folder.join(format!("data/{split}-00000-of-00001.parquet"));
    let reader = SerializedFileReader::new(std::fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_json_value());
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.map(|row| (text(&row, "theorem"), text(&row, "prompt"), text(&row, "completion"))).collect()
}

fn counts(report: &DatasetReport) -> BTreeMap<&str, (u64, u64)> {
    report.splits.iter().map(|split| (split.name, (split.rows, split.theorems))).collect()
}

#[test]
fn rows_go_to_their_splits_and_what_repeats_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [made(folder.path(), "a", THEOREMS), made(folder.path(), "b", &THEOREMS[..1])];
    let all = request(folder.path().join("all"));
    let report = written(&runs, &all).unwrap();
    let expected = BTreeMap::from([("test", (3, 1)), ("train", (6, 2)), ("validation", (3, 1))]);
    assert_eq!(counts(&report), expected);
    let duplicates = report.duplicates;
    // The second run repeats the first, `swop` has the steps of `swap`, and `twice` has two equal goals.
    assert_eq!(
        (duplicates.exact, duplicates.up_to_names, duplicates.across_splits),
        (3, 4, 5),
        "{duplicates:?}"
    );
    let test = rows(&all.folder, "test");
    assert!(test.iter().all(|(theorem, ..)| theorem == "swop"));
    assert_eq!(test[0].1, "a b : Prop\nk : a ∧ b\n⊢ b ∧ a:::");
    for split in &report.splits {
        assert_eq!(rows(&all.folder, split.name).len() as u64, split.rows);
    }
    assert_eq!(
        report.runs.iter().map(|run| (run.attempts, run.accepted)).collect::<Vec<_>>(),
        [(4, 4), (1, 1)]
    );
    assert_ne!(report.runs[0].digest, report.runs[1].digest);
    assert_eq!(report.runs[0].provers.len(), 1);
    assert!(report.runs[0].provers[0].starts_with("scripted rules.json ("), "{:?}", report.runs[0].provers);

    // All steps to train on are nearly those of the other splits.
    let alone = DatasetRequest { drop_near_duplicates: true, ..request(folder.path().join("alone")) };
    let left = written(&runs, &alone).unwrap();
    assert_eq!(counts(&left).into_keys().collect::<Vec<_>>(), ["test", "validation"]);

    // A folder in use stays as it is.
    assert!(matches!(written(&runs, &all), Err(ExportError::Occupied(_))));
    let card = fs_err::read_to_string(all.folder.join("README.md")).unwrap();
    for expected in [
        "---\npretty_name: \"all\"\nlicense: cc-by-4.0\n",
        "- mini\n",
        "  - split: validation\n    path: \"data/validation-00000-of-00001.parquet\"\n",
        "  - name: attempt\n    dtype: int64\n",
        "  - name: train\n    num_bytes: ",
        "Not checked: no benchmark was named.",
    ] {
        assert!(card.contains(expected), "{expected}: {card}");
    }
    assert!(!card.contains(folder.path().to_str().unwrap()), "{card}");
}

#[test]
fn theorems_without_a_split_are_drawn_by_their_statements() {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> =
        (0..12).map(|n| format!("theorem t{n} (p q : Prop) (h : p ∧ q) : q ∧ p")).collect();
    let same: Vec<(&str, Option<&str>)> = names.iter().map(|name| (name.as_str(), None)).collect();
    let runs = [made(folder.path(), "same", &same)];
    let drawn = DatasetRequest { validation: 0.4, test: 0.4, ..request(folder.path().join("drawn")) };
    assert_eq!(written(&runs, &drawn).unwrap().splits.len(), 1, "equal statements stay together");
    let test = DatasetRequest { test: 1.0, ..request(folder.path().join("test")) };
    assert_eq!(counts(&written(&runs, &test).unwrap()).keys().copied().collect::<Vec<_>>(), ["test"]);
}

#[test]
fn theorems_of_benchmarks_are_found_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let runs = [made(folder.path(), "run", THEOREMS)];
    let benchmark = |name: &str, text: &str| {
        let path = folder.path().join(format!("{name}.lean"));
        fs_err::write(&path, text).unwrap();
        Benchmark { name: name.to_owned(), path }
    };
    let benchmarks = vec![
        benchmark("text", "theorem other (p q:Prop) -- the same\n  (h : p ∧ q) :\n  q ∧ p := by sorry\n"),
        benchmark("goal", "theorem other : ∀ (x : Prop), x → x ∧ x := by sorry\n"),
        benchmark("step", "theorem other (u v : Prop) (g : u) (k : v) : v := by sorry\n"),
        benchmark("none", "theorem other (x y : Prop) : x → x ∨ y := by sorry\n"),
    ];
    let kept = DatasetRequest { benchmarks, ..request(folder.path().join("kept")) };
    let report = written(&runs, &kept).unwrap();
    let found = |at: usize| -> Vec<(&str, Measure, u64)> {
        let found = &report.contamination[at].found;
        found.iter().map(|o| (o.theorem.as_str(), o.by, o.rows)).collect()
    };
    // By the goal's signature, names make no difference.
    assert_eq!(found(0), [("swap", Measure::Statement, 3), ("swop", Measure::Goal, 3)]);
    assert_eq!(found(1), [("twice", Measure::Goal, 3)]);
    assert_eq!(found(2), [("both", Measure::Step, 1)]);
    assert_eq!(found(3), []);
    let all = counts(&report).values().map(|(rows, _)| rows).sum::<u64>();
    let dropped = DatasetRequest { drop_contaminated: true, folder: folder.path().join("dropped"), ..kept };
    let left = written(&runs, &dropped).unwrap();
    assert_eq!(left.contamination, report.contamination);
    assert_eq!((left.rows(), all - left.rows()), (2, 10));
    assert!(rows(&dropped.folder, "validation").iter().all(|(_, _, tactic)| tactic != "exact hq"));

    // If nothing is left, nothing is written.
    let whole = benchmark("whole", "theorem a (p q : Prop) (hp : p) (hq : q) : p ∧ q := by sorry\n");
    let folder = folder.path().join("nothing");
    let nothing =
        DatasetRequest { folder, benchmarks: [dropped.benchmarks.clone(), vec![whole]].concat(), ..dropped };
    assert_eq!(written(&runs, &nothing).unwrap().rows(), 0);
    assert!(!nothing.folder.exists());
}
