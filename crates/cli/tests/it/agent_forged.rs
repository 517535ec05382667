//! Runs of agents that someone changed afterwards: readers take nothing for proved that does not fit, and `andor verify` says
//! what does not hold.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::agent::{learner, run};
use crate::support::Folder;

const THEOREMS: &str = "theorem bad : 0 = 1 := sorry\n\
     theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p := sorry\n";

/// Makes a run of an agent that tries something wrong first, and returns its folder.
async fn made(folder: &Folder, options: &[&str]) -> String {
    let server = learner("exact ⟨h.2, h.1⟩").await;
    let (file, out) = (folder.write("f.lean", THEOREMS), folder.path("RUN"));
    let given = ["agent", "prove", &file, "--system", "mini", "--model", &server.url, "--out", &out];
    let (code, _, err) = run(&[&given[..], &["--max-steps", "3"], options].concat()).await;
    assert!(code < 2, "{err}");
    out
}

fn journal(out: &str, theorem: &str) -> PathBuf {
    Path::new(out).join(format!("theorems/{theorem}/attempt-1/rollout.jsonl"))
}

/// The lines of a journal, after its opening.
fn lines(path: &Path) -> Vec<Value> {
    let text = fs_err::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write(path: &Path, lines: &[Value]) {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs_err::write(path, text).unwrap();
}

/// The children of branches, in the order in which they ended.
fn children(lines: &mut [Value]) -> Vec<&mut Value> {
    let branches = lines.iter_mut().filter(|line| line["event"] == "branch");
    branches.map(|line| &mut line["children"][0]).collect()
}

/// What `andor verify` finds: its exit code, and what does not hold.
async fn verified(out: &str) -> (i32, String) {
    let (code, text, err) = run(&["verify", out, "--json"]).await;
    let found: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{err}"));
    (code, found["fails"].to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_run_of_an_agent_is_rebuilt_from_its_journals() {
    let folder = Folder::new();
    let out = made(&folder, &["--preset", "beam", "--branch", "2", "--width", "2"]).await;
    let (code, text, err) = run(&["verify", &out]).await;
    assert_eq!(code, 0, "{text}{err}");
    for said in ["2 trees rebuilt", "1 proof judged again", "what the model answered", "\nholds\n"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    // One of two branches is deleted, or invented.
    let path = journal(&out, "bad");
    let honest = lines(&path);
    let place = honest.iter().rposition(|line| line["event"] == "branch").unwrap();
    let mut deleted = honest.clone();
    deleted.remove(place);
    write(&path, &deleted);
    let (code, fails) = verified(&out).await;
    assert!(code == 1 && fails.contains("is missing"), "{fails}");
    let mut invented = honest.clone();
    invented.insert(place, honest[place].clone());
    invented[place]["branch"] = json!(2);
    write(&path, &invented);
    let (code, fails) = verified(&out).await;
    assert!(code == 1 && fails.contains("branch 2 of node") && fails.contains("was not begun"), "{fails}");
    write(&path, &honest);
    assert_eq!(verified(&out).await, (0, "[]".to_owned()));
}

/// What is changed in the lines of a journal, and what is said of it.
type Forgery = (&'static str, fn(&mut Vec<Value>), &'static str);

#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_was_changed_is_found_out() {
    let folder = Folder::new();
    let out = made(&folder, &[]).await;
    assert_eq!(verified(&out).await, (0, "[]".to_owned()));
    let forgeries: [Forgery; 9] = [
        ("swap", |lines| children(lines)[0]["score"] = json!(0.5), "its score is 0.5, and computed again 0"),
        ("swap", |lines| children(lines)[0]["cost"] = json!(1), "its cost is 1, and by its usage"),
        (
            "swap",
            |lines| {
                children(lines).into_iter().for_each(|child| {
                    child["state"]["environment"]["failed"] = json!([]);
                });
            },
            "preference_pairs of run.db are not those of its proof",
        ),
        (
            "swap",
            |lines| children(lines)[1]["state"]["environment"]["failed"] = json!([]),
            "tactics that failed before are missing",
        ),
        ("swap", |lines| lines[1]["settings"]["statement_digest"] = json!("0"), "statement_digest: "),
        (
            "swap",
            |lines| lines[1]["node"]["state"]["messages"][1]["content"] = json!("Prove this theorem: p → p"),
            "the agent was given another theorem",
        ),
        (
            "swap",
            |lines| children(lines)[1]["state"]["messages"][1]["content"] = json!("I know."),
            "its digest is not that of its messages",
        ),
        // Solved without a proof.
        (
            "bad",
            |lines| {
                let child = children(lines).pop().unwrap();
                (child["terminal"], child["score"]) = (json!(true), json!(1.0));
            },
            "the journal has a solution",
        ),
        (
            "bad",
            |lines| {
                let child = children(lines).pop().unwrap();
                child["state"]["environment"]["steps"] = json!([[0, "exact absurd"]]);
            },
            "its proof cannot be made again",
        ),
    ];
    for (theorem, forge, said) in forgeries {
        let path = journal(&out, theorem);
        let honest = lines(&path);
        let mut forged = honest.clone();
        forge(&mut forged);
        write(&path, &forged);
        let (code, fails) = verified(&out).await;
        assert!(code == 1 && fails.contains(said), "{said}: {fails}");
        write(&path, &honest);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_that_its_journal_does_not_know_is_unverified() {
    let folder = Folder::new();
    let out = made(&folder, &[]).await;
    let (_, table, _) = run(&["results", &out]).await;
    assert!(table.contains("1 of 2 proved"), "{table}");
    // `bad` gets what proves `swap`, with the statement in its file.
    let database = Connection::open(Path::new(&out).join("run.db")).unwrap();
    let stored = |theorem: &str| -> Value {
        let row = "SELECT result FROM attempts WHERE theorem = ?1";
        let text: String = database.query_row(row, [theorem], |row| row.get(0)).unwrap();
        serde_json::from_str(&text).unwrap()
    };
    let (mut bad, swap) = (stored("bad"), stored("swap"));
    for key in ["outcome", "verification_level", "axioms", "validated", "root_status", "proof"] {
        bad[key] = swap[key].clone();
    }
    let source = swap["source"].as_str().unwrap();
    bad["source"] = json!(source.replace("swap (p q : Prop) (h : p ∧ q) : q ∧ p", "bad : 0 = 1"));
    let update = "UPDATE attempts SET result = ?1 WHERE theorem = 'bad'";
    database.execute(update, params![bad.to_string()]).unwrap();
    drop(database);
    let (_, table, _) = run(&["results", &out]).await;
    assert!(table.contains("1 of 2 proved, 1 unverified"), "{table}");
    let (_, one, _) = run(&["results", &out, "--theorem", "bad"]).await;
    assert!(one.contains("its journal has no such proof"), "{one}");
    let (code, fails) = verified(&out).await;
    assert!(code == 1 && fails.contains("the journal has no solution"), "{fails}");
    assert!(fails.contains("the proof is rejected at level"), "{fails}");
    // A journal that says so, too, is of another search than the result.
    let path = journal(&out, "bad");
    let mut forged = lines(&path);
    let child = children(&mut forged).pop().unwrap();
    (child["terminal"], child["score"]) = (json!(true), json!(1.0));
    child["state"]["environment"]["verified"] = json!({ "source": bad["source"] });
    write(&path, &forged);
    let (_, table, _) = run(&["results", &out]).await;
    assert!(table.contains("1 of 2 proved, 1 unverified"), "{table}");
    let (_, shown, err) = run(&["show", &out, "--theorem", "bad"]).await;
    assert!(!shown.contains('✓') && err.contains("unverified"), "{shown}{err}");
    let (_, shown, err) = run(&["show", &out, "--theorem", "swap"]).await;
    assert!(shown.contains('✓') && !err.contains("unverified"), "{shown}{err}");
    let (_, rows, _) = run(&["export", &out, "--format", "trajectories", "--theorem", "bad"]).await;
    assert_eq!(rows, "");
}
