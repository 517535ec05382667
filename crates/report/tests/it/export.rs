//! Training data of real runs, row by row against what the files of the attempts say, read by other means.

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use andor_config::{
    BudgetConfig, Config, Expansion, Grouping, Identity, Level, ProviderConfig, SearchConfig, Selection,
    VerifyConfig,
};
use andor_core::theorem::System;
use andor_dataset::{self as dataset, Problem};
use andor_engine::event::Event;
use andor_report::export::{Encoding, Export, ExportError, Exported, Format, View, Writer, export};
use andor_run::folder::RunFolder;
use andor_run::orchestrate::{RunRequest, run};
use andor_testkit::block_on;
use flate2::read::GzDecoder;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../run/tests/data").join(name)
}

/// A run in a folder that goes with it.
struct Made {
    _folder: tempfile::TempDir,
    /// What the run's provider reads.
    _rules: Option<tempfile::TempDir>,
    path: PathBuf,
}

fn make(problems: Vec<Problem>, config: Config) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("RUN");
    let out = Some(path.clone());
    let request = RunRequest { jobs: 2, out, ..RunRequest::new(problems, config) };
    let silent = Arc::new(Mutex::new(|_: &str, _: &Event| {}));
    block_on(run(&request, &CancellationToken::new(), silent)).unwrap();
    Made { _folder: folder, _rules: None, path }
}

/// A run whose provider proposes these tactics everywhere, in this order.
fn scripted(system: System, statement: &str, tactics: &[&str], level: Level) -> Made {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rules.json");
    let candidate = |(at, tactic): (usize, &&str)| json!({"tactic": tactic, "log_prior": -0.1 - at as f64});
    let tactics: Vec<Value> = tactics.iter().enumerate().map(candidate).collect();
    fs_err::write(&path, json!({"rules": [{"tactics": tactics}]}).to_string()).unwrap();
    let config = Config {
        providers: vec![ProviderConfig::Scripted { path }],
        verify: VerifyConfig { level, ..VerifyConfig::default() },
        ..Config::default()
    };
    let made = make(vec![dataset::from_statement(system, statement, &[]).unwrap()], config);
    Made { _rules: Some(folder), ..made }
}

fn mini(search: SearchConfig) -> Made {
    let config = Config {
        search,
        providers: vec![ProviderConfig::Scripted { path: data("rules.json") }],
        budget: BudgetConfig { max_candidates: Some(300), ..BudgetConfig::default() },
        ..Config::default()
    };
    make(dataset::read(&data("theorems.lean"), None, None).unwrap().problems, config)
}

fn goal_level() -> Made {
    mini(SearchConfig::default())
}

fn state_level() -> Made {
    let search = SearchConfig {
        obligation: Grouping::Whole,
        policy: Selection::BestFirst,
        expand: Expansion::All,
        identity: Identity::Strict,
        ..SearchConfig::default()
    };
    mini(search)
}

fn rocq() -> Made {
    let statements = [
        "Theorem nb : forall b : bool, negb (negb b) = b.",
        "Theorem ex : exists n : nat, n + 1 = 3 /\\ n = 2.",
        "Theorem no : False.",
    ];
    let problem = |text: &&str| dataset::from_statement(ROCQ, text, &[]).unwrap();
    let config = Config {
        budget: BudgetConfig { max_candidates: Some(60), ..BudgetConfig::default() },
        verify: VerifyConfig { level: Level::Compiled, ..VerifyConfig::default() },
        ..Config::default()
    };
    make(statements.iter().map(problem).collect(), config)
}

fn what(format: Format) -> Export {
    let separator = ":::".to_owned();
    Export {
        format,
        view: View::Pp,
        separator,
        chat: false,
        complete_pairs: false,
        theorems: Vec::new(),
        jobs: 2,
    }
}

fn exported(run: &Path, what: &Export) -> (Exported, Vec<Value>) {
    let file = run.join("rows.jsonl");
    let _ = fs_err::remove_file(&file);
    let writer = Writer::file(what.format.columns(what.chat), &file, Encoding::JsonLines).unwrap();
    let run = RunFolder::read(run).unwrap();
    let exported = block_on(export(&run, what, writer, &CancellationToken::new(), &mut |_, _| {})).unwrap();
    let text = fs_err::read_to_string(&file).unwrap_or_default();
    assert!(text.is_empty() || text.ends_with('\n'));
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(exported.rows, rows.len() as u64);
    let names: HashSet<Vec<String>> =
        rows.iter().map(|row| row.as_object().unwrap().keys().cloned().collect()).collect();
    assert!(names.len() <= 1, "every row has every column");
    (exported, rows)
}

/// What the files of an attempt say.
struct Files {
    theorem: String,
    graph: Value,
    /// Node, attempt, score.
    tried: Vec<(String, Value, f64)>,
    winning: Vec<Value>,
}

fn files(run: &Path, theorem: &str) -> Files {
    let folder = run.join("theorems").join(theorem).join("attempt-1");
    let graph = serde_json::from_str(&fs_err::read_to_string(folder.join("graph.json")).unwrap()).unwrap();
    let mut assembly = String::new();
    let packed = fs_err::File::open(folder.join("assembly.json.gz")).unwrap();
    GzDecoder::new(packed).read_to_string(&mut assembly).unwrap();
    let assembly: Value = serde_json::from_str(&assembly).unwrap();
    let mut tried = Vec::new();
    for line in fs_err::read_to_string(folder.join("trace.jsonl")).unwrap().lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let node = line["node"]["mvar_id"].as_str().unwrap_or_default();
        for (at, attempt) in line["attempts"].as_array().into_iter().flatten().enumerate() {
            if attempt["outcome"] != "blocked" {
                let score = line["tactics"][at]["score"].as_f64().unwrap();
                tried.push((node.to_owned(), attempt.clone(), score));
            }
        }
    }
    let winning = assembly["winning"].as_array().cloned().unwrap_or_default();
    Files { theorem: theorem.to_owned(), graph, tried, winning }
}

impl Files {
    fn all(run: &Path) -> Vec<Self> {
        RunFolder::read(run).unwrap().problems.iter().map(|p| files(run, &p.theorem.id)).collect()
    }

    fn step(&self, id: &Value) -> &Value {
        self.graph["steps"].as_array().unwrap().iter().find(|s| s["id"] == *id).unwrap()
    }

    /// The node with this in a field.
    fn node(&self, field: &str, text: &str) -> &Value {
        self.graph["nodes"].as_array().unwrap().iter().find(|n| n[field] == text).unwrap()
    }

    fn state(&self, field: &str, text: &str) -> String {
        let goals = self.node(field, text)["goals"].as_array().unwrap();
        goals.iter().map(|g| g.as_str().unwrap()).collect::<Vec<_>>().join("\n\n")
    }

    /// The steps of the proof, with their nodes and prompts.
    fn winning_steps(&self) -> impl Iterator<Item = (&Value, &str, String)> {
        self.winning.iter().map(|winning| {
            let step = self.step(&winning["step"]);
            let node = step["node"].as_str().unwrap();
            (step, node, self.state("id", node) + ":::")
        })
    }

    /// The tactics that failed at a node.
    fn failed(&self, node: &str) -> Vec<&str> {
        let name = self.node("id", node)["mvar_id"].as_str().unwrap();
        let at = self.tried.iter().filter(|(node, attempt, _)| {
            node == name && (attempt["outcome"] == "failure" || attempt["outcome"] == "timeout")
        });
        at.map(|(_, attempt, _)| attempt["tactic"].as_str().unwrap()).collect()
    }

    /// Positions in the winning tree in the order of the script.
    fn script(&self, at: usize, order: &mut Vec<usize>) {
        if at == 0 && self.winning.is_empty() {
            return;
        }
        order.push(at);
        for child in self.winning[at]["children"].as_array().unwrap() {
            self.script(usize::try_from(child.as_u64().unwrap()).unwrap(), order);
        }
    }
}

/// Some fields of rows, without those that repeat an earlier one.
fn fields(rows: &[Value], names: &[&str]) -> Vec<Vec<Value>> {
    rows.iter().map(|row| names.iter().map(|name| row[*name].clone()).collect()).collect()
}

fn distinct(rows: Vec<Vec<Value>>, read: usize) -> Vec<Vec<Value>> {
    let mut seen = HashSet::new();
    rows.into_iter().filter(|row| seen.insert(format!("{:?}", &row[..read]))).collect()
}

fn check_sft(made: &Made) {
    let (exported, rows) = exported(&made.path, &what(Format::Sft));
    let mut expected = Vec::new();
    for files in Files::all(&made.path) {
        for (step, node, prompt) in files.winning_steps() {
            expected.push(vec![
                json!(prompt),
                step["tactic"].clone(),
                json!(files.theorem),
                json!(1),
                step["id"].clone(),
                json!(node),
                json!("RUN"),
            ]);
        }
    }
    let names = ["prompt", "completion", "theorem", "attempt", "step", "node", "run"];
    assert!(!rows.is_empty());
    assert_eq!(fields(&rows, &names), distinct(expected, 2));
    assert_eq!((exported.left_out, exported.skipped.len()), (0, 0));
}

fn check_dpo(made: &Made) {
    let (exported, rows) = exported(&made.path, &what(Format::Dpo));
    let mut expected = Vec::new();
    for files in Files::all(&made.path) {
        for (step, node, prompt) in files.winning_steps() {
            for rejected in files.failed(node) {
                let pair = vec![json!(prompt), step["tactic"].clone(), json!(rejected)];
                expected.push(pair.into_iter().chain([json!(files.theorem), step["id"].clone()]).collect());
            }
        }
    }
    assert!(!rows.is_empty());
    let names = ["prompt", "chosen", "rejected", "theorem", "step"];
    assert_eq!(fields(&rows, &names), distinct(expected, 3));
    assert_eq!(exported.left_out, 0);
}

fn check_stepwise(made: &Made) {
    let (exported, rows) = exported(&made.path, &what(Format::Stepwise));
    let mut expected = Vec::new();
    for files in Files::all(&made.path) {
        let mut order = Vec::new();
        files.script(0, &mut order);
        let prompt = files.state("id", "n0") + ":::";
        let mut tactics: Vec<Value> = Vec::new();
        for at in &order {
            let step = files.step(&files.winning[*at]["step"]);
            for failed in files.failed(step["node"].as_str().unwrap()) {
                let all: Vec<Value> = tactics.iter().cloned().chain([json!(failed)]).collect();
                let labels: Vec<bool> = (0..all.len()).map(|i| i + 1 < all.len()).collect();
                expected.push(vec![json!(prompt), json!(all), json!(labels), step["id"].clone()]);
            }
            tactics.push(step["tactic"].clone());
        }
        if !order.is_empty() {
            let labels = vec![true; tactics.len()];
            expected.push(vec![json!(prompt), json!(tactics), json!(labels), Value::Null]);
        }
    }
    assert!(!rows.is_empty());
    let names = ["prompt", "completions", "labels", "step"];
    assert_eq!(fields(&rows, &names), distinct(expected, 3));
    assert_eq!(exported.left_out, 0);
}

fn check_steps(made: &Made) {
    let (exported, rows) = exported(&made.path, &what(Format::Steps));
    let mut expected = Vec::new();
    for files in Files::all(&made.path) {
        let steps = files.graph["steps"].as_array().unwrap();
        let proof: Vec<&Value> = files.winning.iter().map(|w| &w["step"]).collect();
        let mut next = 0;
        for (node, attempt, score) in &files.tried {
            let step = (attempt["outcome"] == "success").then(|| {
                next += 1;
                &steps[next - 1]
            });
            expected.push(vec![
                attempt["tactic"].clone(),
                json!(files.state("mvar_id", node)),
                attempt["outcome"].clone(),
                json!(score),
                attempt["error"].clone(),
                json!(step.is_some_and(|s| proof.contains(&&s["id"]))),
                attempt["provider_id"].clone(),
                step.map_or(Value::Null, |s| s["id"].clone()),
                files.node("mvar_id", node)["id"].clone(),
                json!(files.theorem),
            ]);
            let row = &rows[expected.len() - 1];
            let after = row["state_after"].as_str();
            match step.map(|s| s["children"].as_array().unwrap().as_slice()) {
                Some([]) => assert_eq!(after, Some("no goals")),
                Some(children) => {
                    for child in children {
                        let state = files.state("id", child.as_str().unwrap());
                        assert!(after.unwrap().contains(&state), "{row}");
                    }
                }
                None => assert_eq!(after.is_some(), attempt["outcome"] == "cyclic", "{row}"),
            }
        }
    }
    let names = [
        "tactic",
        "state_before",
        "outcome",
        "log_prior",
        "error",
        "in_proof",
        "provider",
        "step",
        "node",
        "theorem",
    ];
    assert_eq!(fields(&rows, &names), expected);
    assert!(rows.iter().all(|r| r["state_before"].as_str().unwrap().contains('⊢')));
    assert!(rows.iter().any(|r| r["in_proof"] == true) && rows.iter().any(|r| r["outcome"] == "failure"));
    assert_eq!((exported.left_out, exported.unsuited), (0, 0));
    assert_eq!(exported.replayed, rows.len() as u64);
}

fn check_all(made: &Made) {
    check_sft(made);
    check_dpo(made);
    check_stepwise(made);
    check_steps(made);
}

#[test]
fn rows_of_a_search_for_goals_are_what_its_files_say() {
    check_all(&goal_level());
}

#[test]
fn rows_of_a_search_for_states_are_what_its_files_say() {
    check_all(&state_level());
}

#[test]
fn rows_of_a_search_with_rocq_are_what_its_files_say() {
    check_all(&rocq());
}

/// Replaces a text in a file of an attempt, wherever it stands.
fn tamper(run: &Path, theorem: &str, file: &str, from: &str, to: &str) {
    let path = run.join("theorems").join(theorem).join("attempt-1").join(file);
    let text = fs_err::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs_err::write(&path, text.replace(from, to)).unwrap();
}

fn of<'a>(rows: &'a [Value], theorem: &str) -> Vec<&'a Value> {
    rows.iter().filter(|row| row["theorem"] == theorem).collect()
}

#[test]
fn what_does_not_replay_is_left_out_with_all_below() {
    let made = goal_level();
    let (_, whole) = exported(&made.path, &what(Format::Sft));
    // The graph alone: it contradicts the trace.
    tamper(&made.path, "twice_both", "graph.json", "constructor", "unfold Both");
    // Graph and trace agree on a tactic that leaves the same goals under other names: what refers to them fails.
    tamper(&made.path, "and_swap", "graph.json", "intro h", "intro k");
    tamper(&made.path, "and_swap", "trace.jsonl", "intro h", "intro k");
    let (sft, rows) = exported(&made.path, &what(Format::Sft));
    assert!(sft.left_out > 0);
    assert_eq!(of(&rows, "or_swap"), of(&whole, "or_swap"));
    let of_swap: Vec<&Value> = of(&rows, "and_swap").iter().map(|r| &r["completion"]).collect();
    assert_eq!(of_swap, ["intro k", "constructor"]);
    assert!(of(&rows, "twice_both").is_empty(), "its first step is the one that was changed");
    // A sequence that is no proof any more gives no row at all.
    let (_, rows) = exported(&made.path, &what(Format::Stepwise));
    assert!(of(&rows, "and_swap").is_empty() && of(&rows, "twice_both").is_empty());
    assert!(!of(&rows, "or_swap").is_empty());
}

#[test]
fn a_tactic_that_leaves_more_than_recorded_is_left_out() {
    let made = goal_level();
    let graph = fs_err::read_to_string(made.path.join("theorems/and_swap/attempt-1/graph.json")).unwrap();
    let graph: Value = serde_json::from_str(&graph).unwrap();
    let name = |node: usize| graph["nodes"][node]["mvar_id"].as_str().unwrap();
    let (left, right) = (name(2), name(3));
    tamper(
        &made.path,
        "and_swap",
        "trace.jsonl",
        &format!("[\"{left}\",\"{right}\"]"),
        &format!("[\"{left}\"]"),
    );
    let children =
        |ids: &[&str]| ids.iter().map(|id| format!("\"{id}\"")).collect::<Vec<_>>().join(",\n        ");
    tamper(&made.path, "and_swap", "graph.json", &children(&["n2", "n3"]), &children(&["n2"]));
    let (sft, rows) = exported(&made.path, &what(Format::Sft));
    let of_swap: Vec<&Value> = of(&rows, "and_swap").iter().map(|r| &r["completion"]).collect();
    assert_eq!(of_swap, ["intro h"], "{:?}", sft.skipped);
}

#[test]
fn only_what_fails_again_is_a_negative() {
    let made = goal_level();
    // A tactic that works once the hypothesis is there, recorded as a failure.
    tamper(&made.path, "or_swap", "trace.jsonl", "\"tactic\":\"exact h.1\"", "\"tactic\":\"apply Or.inl\"");
    let (dpo, rows) = exported(&made.path, &what(Format::Dpo));
    let applies = |r: &&Value| r["prompt"].as_str().unwrap().contains("h : p ∨ q");
    assert_eq!(dpo.left_out, 1);
    assert!(rows.iter().filter(applies).all(|r| r["rejected"] != "apply Or.inl"));
    assert!(rows.iter().any(|r| r["rejected"] == "apply Or.inl"), "at the root it fails");
    let (_, rows) = exported(&made.path, &what(Format::Stepwise));
    assert!(rows.iter().all(|r| r["completions"] != json!(["intro h", "apply Or.inl"])));
    assert!(rows.iter().any(|r| r["completions"] == json!(["apply Or.inl"])));
}

#[test]
fn what_no_assistant_saw_is_in_no_export() {
    // The search does not try the first, and the screen stops the second.
    let unseen = ["sorry", "exact\u{a0}h"];
    let tactics = [unseen[0], unseen[1], "rfl", "intro h", "constructor", "exact h.1", "exact h.2"];
    let swap = "theorem and_swap (p q : Prop) : p ∧ q → q ∧ p";
    let made = scripted(MINI, swap, &tactics, Level::Compiled);
    let files = files(&made.path, "and_swap");
    assert!(files.tried.iter().any(|(_, attempt, _)| attempt["tactic"] == unseen[1]), "it is in the trace");
    let (dpo, rows) = exported(&made.path, &what(Format::Dpo));
    assert!(rows.iter().any(|row| row["rejected"] == "rfl"));
    assert!(rows.iter().all(|row| !unseen.contains(&row["rejected"].as_str().unwrap())), "{rows:?}");
    assert!(dpo.screened > 0 && dpo.left_out == 0, "{dpo:?}");
    let pairs: Vec<Vec<Value>> = RunFolder::read(&made.path).unwrap().results[0]
        .preference_pairs
        .iter()
        .map(|pair| vec![json!(pair.state.clone() + ":::"), json!(pair.chosen), json!(pair.rejected)])
        .collect();
    assert_eq!(fields(&rows, &["prompt", "chosen", "rejected"]), distinct(pairs, 3), "as in the result");
    let (stepwise, rows) = exported(&made.path, &what(Format::Stepwise));
    let last = |row: &Value| row["completions"].as_array().unwrap().last().unwrap().clone();
    assert!(rows.iter().any(|row| last(row) == "rfl"));
    assert!(rows.iter().all(|row| !unseen.contains(&last(row).as_str().unwrap())), "{rows:?}");
    assert_eq!(stepwise.screened, dpo.screened);
    let (steps, rows) = exported(&made.path, &what(Format::Steps));
    assert!(rows.iter().all(|row| !unseen.contains(&row["tactic"].as_str().unwrap())), "{rows:?}");
    assert!(steps.screened > 0);
}

#[test]
fn the_siblings_of_a_tactic_that_closed_a_goal_complete_the_pairs() {
    // `intros` applies, `admit` is kept out by hygiene, and the screen stops the last one.
    let tactics = ["now rewrite <- plus_n_O", "simp", "ring", "intros", "admit", "exact (1"];
    let statement = "Theorem t (n : nat) : n + 0 = n.";
    let made = scripted(ROCQ, statement, &tactics, Level::Compiled);
    let (plain, _) = exported(&made.path, &what(Format::Dpo));
    assert_eq!((plain.rows, plain.completed), (0, 0), "the search stopped at the first tactic");
    let complete = Export { complete_pairs: true, ..what(Format::Dpo) };
    let (completed, rows) = exported(&made.path, &complete);
    let prompt = "n : nat\n⊢ n + 0 = n:::";
    let pairs = [[prompt, tactics[0], "simp"], [prompt, tactics[0], "ring"]];
    let pairs: Vec<Vec<Value>> =
        pairs.iter().map(|pair| pair.iter().map(|text| json!(text)).collect()).collect();
    assert_eq!(fields(&rows, &["prompt", "chosen", "rejected"]), pairs);
    assert_eq!((completed.completed, completed.screened), (3, 0), "`intros` applied");
}

#[test]
fn attempts_without_files_are_skipped_and_say_why() {
    let made = goal_level();
    fs_err::remove_file(made.path.join("theorems/and_swap/attempt-1/graph.json")).unwrap();
    tamper(&made.path, "or_swap", "graph.json", "\"tree_digest\": \"", "\"tree_digest\": \"0");
    let (exported, rows) = exported(&made.path, &what(Format::Sft));
    let why: HashMap<&str, &str> =
        exported.skipped.iter().map(|s| (s.theorem.as_str(), s.reason.as_str())).collect();
    assert!(why["and_swap"].contains("it has no graph.json"), "{why:?}");
    assert!(why["or_swap"].contains("are inconsistent"), "{why:?}");
    assert_eq!((why.len(), of(&rows, "and_swap").len()), (2, 0));
}

#[test]
fn views_chats_and_theorems_are_chosen() {
    let made = goal_level();
    let theorems = vec!["and_swap".to_owned()];
    let chat = Export {
        view: View::Pp1,
        separator: String::new(),
        chat: true,
        theorems: theorems.clone(),
        ..what(Format::Dpo)
    };
    let (_, rows) = exported(&made.path, &chat);
    assert!(rows.iter().all(|r| r["theorem"] == "and_swap"));
    let last = rows.last().unwrap();
    let prompt = json!([{"role": "user", "content": "p q : Prop\nh : p ∧ q\n⊢ p"}]);
    assert_eq!(last["prompt"], prompt, "without its case line");
    assert_eq!(last["chosen"], json!([{"role": "assistant", "content": "exact h.1"}]));
    assert_eq!(last["rejected"][0]["role"], "assistant");
    let unknown = Export { theorems: vec!["nobody".to_owned()], ..what(Format::Sft) };
    let run = RunFolder::read(&made.path).unwrap();
    let writer = Writer::stream(Format::Sft.columns(false), std::io::sink());
    let error = block_on(export(&run, &unknown, writer, &CancellationToken::new(), &mut |_, _| {}));
    assert!(matches!(error, Err(ExportError::UnknownTheorem { .. })));
}

#[test]
fn an_interrupted_export_leaves_no_file() {
    let made = goal_level();
    let file = made.path.join("sft.jsonl");
    let writer = Writer::file(Format::Sft.columns(false), &file, Encoding::JsonLines).unwrap();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let run = RunFolder::read(&made.path).unwrap();
    let error = block_on(export(&run, &what(Format::Sft), writer, &cancel, &mut |_, _| {}));
    assert!(matches!(error, Err(ExportError::Interrupted)));
    assert!(!file.exists());
}

#[test]
fn parquet_holds_the_same_rows() {
    let made = goal_level();
    for (format, chat) in
        [(Format::Sft, false), (Format::Dpo, true), (Format::Stepwise, false), (Format::Steps, false)]
    {
        let what = Export { chat, ..what(format) };
        let (_, rows) = exported(&made.path, &what);
        let file = made.path.join("rows.parquet");
        let writer = Writer::file(format.columns(chat), &file, Encoding::Parquet).unwrap();
        let run = RunFolder::read(&made.path).unwrap();
        block_on(export(&run, &what, writer, &CancellationToken::new(), &mut |_, _| {})).unwrap();
        let reader = SerializedFileReader::new(fs_err::File::open(&file).unwrap().into_file()).unwrap();
        let read: Vec<Value> = reader.get_row_iter(None).unwrap().map(|row| object(&row.unwrap())).collect();
        assert_eq!(read, rows, "{format:?}");
    }
}

fn object(row: &Row) -> Value {
    let fields = row.get_column_iter().map(|(name, field)| (name.clone(), value(field)));
    Value::Object(fields.collect::<Map<String, Value>>())
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(b) => json!(b),
        Field::Long(n) => json!(n),
        Field::Double(x) => json!(x),
        Field::Str(text) => json!(text),
        Field::Group(row) => object(row),
        Field::ListInternal(list) => list.elements().iter().map(value).collect(),
        other => panic!("no such type is written: {other:?}"),
    }
}
