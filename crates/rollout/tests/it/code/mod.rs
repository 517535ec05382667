//! Programs that agents write.

mod cheats;
mod escapes;
mod searches;

use std::sync::Arc;

use andor_rollout::code::{Case, Code, File, Limits, Task};
use andor_rollout::{Call, Environment, VerifyResult};
use serde_json::{Value, json};

const HONEST: &str = "import sys\nprint(sum(int(line) for line in sys.stdin))\n";

fn case(name: &str, input: &str, output: &str) -> Case {
    Case { name: name.to_owned(), args: Vec::new(), input: input.to_owned(), output: output.to_owned() }
}

/// A task whose answers are kept in a file outside the folder too, as those of a folder of a task are.
fn task() -> Arc<Task> {
    Arc::new(Task {
        id: "sum".to_owned(),
        prompt: "Print the sum of the integers in the input.".to_owned(),
        command: ["/usr/bin/python3", "main.py"].map(str::to_owned).to_vec(),
        files: [("main.py".to_owned(), File::new(*b"pass\n"))].into(),
        fixed: Vec::new(),
        tests: vec![case("few", "1\n2\n3\n", "6\n"), case("large", "400000\n7\n", "400007\n")],
        limits: Limits { seconds: 5, memory_mib: 256, processes: 24, ..Limits::default() },
        secret: None,
    })
}

async fn call(code: &mut Code, tool: &str, arguments: Value) -> String {
    let arguments = arguments.as_object().unwrap();
    code.exec(Call { tool, arguments, seed: 0, time: None }).await.unwrap().content
}

async fn scored(files: &[(&str, &str)]) -> VerifyResult {
    let mut code = Code::new(task()).await.unwrap();
    for (path, content) in files {
        let told = call(&mut code, "write", json!({ "path": path, "content": content })).await;
        assert!(told.starts_with("Written"), "{told}");
    }
    code.verify().await.unwrap()
}

#[tokio::test]
async fn tests_do_not_share_what_they_write() {
    // With the input of the first test the second would be told.
    let keeps =
        "import os, sys\nif os.path.exists('seen'): print(400007)\nelse:\n  open('seen', 'w')\n  print(6)";
    let verdict = scored(&[("main.py", keeps)]).await;
    assert_eq!(verdict.score, Some(0.5));
    assert_eq!(verdict.feedback.as_deref(), Some("1 of 2 tests fail: large (the output is wrong)."));
}

#[tokio::test]
async fn fixed_files_are_as_given_in_tests() {
    let mut given = Task::clone(&task());
    given.files.insert("main.py".to_owned(), File::new(*b"import answer\nprint(answer.of(input()))\n"));
    given.files.insert("answer.py".to_owned(), File::new(*b"def of(x): return 0\n"));
    (given.fixed, given.tests) = (vec!["main.py".to_owned()], vec![case("twice", "4\n", "8\n")]);
    let mut code = Code::new(Arc::new(given)).await.unwrap();
    call(&mut code, "write", json!({ "path": "main.py", "content": "print(8)" })).await;
    assert_eq!(code.verify().await.unwrap().score, Some(0.0));
    call(&mut code, "write", json!({ "path": "answer.py", "content": "def of(x): return 2 * int(x)" })).await;
    assert!(code.verify().await.unwrap().terminal);
    // Nor can a folder take its place.
    call(&mut code, "run", json!({ "command": "rm main.py; mkdir main.py; echo 8 > main.py/x" })).await;
    assert_eq!(code.files().keys().collect::<Vec<_>>(), ["answer.py", "main.py/x"]);
    assert!(code.verify().await.unwrap().terminal);
}

#[tokio::test]
async fn an_agent_runs_commands_in_its_folder_and_links_lead_nowhere() {
    let mut code = Code::new(task()).await.unwrap();
    let told = call(
        &mut code,
        "run",
        json!({ "command": "mkdir a; cat > a/b; ln -s /etc/passwd link; rm main.py; echo done", "input": "text" }),
    )
    .await;
    assert!(told.contains("done"), "{told}");
    assert_eq!(code.files().keys().collect::<Vec<_>>(), ["a/b"]);
    assert_eq!(call(&mut code, "read", json!({ "path": "a/b" })).await, "text");
    assert!(call(&mut code, "read", json!({ "path": "link" })).await.starts_with("There is no file"));
    let (long, deep) = ("x".repeat(300), "x/".repeat(40) + "x");
    for path in ["../x", "/x", "", "a//x", "a/b/c", "a", "nul\0", &long, &deep] {
        let told = call(&mut code, "write", json!({ "path": path, "content": "" })).await;
        assert!(!told.starts_with("Written"), "{path}: {told}");
    }
    let told = call(
        &mut code,
        "run",
        json!({ "command": "cd a; i=0; while [ $i -lt 2000 ]; do : > $i; i=$((i+1)); done" }),
    )
    .await;
    assert!(told.contains("The files are as before"), "{told}");
    assert_eq!(code.files().len(), 1);
    // What cannot be given to a program is said, and ends nothing.
    for command in ["x".repeat(10 << 20), "echo \0".to_owned()] {
        let told = call(&mut code, "run", json!({ "command": command })).await;
        assert!(told.starts_with("Not run"), "{told}");
    }
    let long =
        call(&mut code, "run", json!({ "command": "cat > long", "input": "x".repeat(10 << 20) })).await;
    assert!(long.contains("it ended"), "{long}");
    let many = call(&mut code, "run", json!({ "command": "head -c 10000000 /dev/zero" })).await;
    assert!(many.starts_with("it wrote too much output"), "{}", &many[..100]);
}

#[tokio::test]
async fn a_program_that_was_built_can_be_run_and_is_kept() {
    let mut given = Task::clone(&task());
    given.command = vec!["./sum".to_owned()];
    let mut code = Code::new(Arc::new(given)).await.unwrap();
    let build = format!("printf '#!/usr/bin/python3\n%s' '{}' > sum; chmod +x sum", HONEST.trim_end());
    call(&mut code, "run", json!({ "command": build })).await;
    let saved = code.serialize().await.unwrap();
    let mut restored = code.restore(&saved).await.unwrap();
    assert!(restored.verify().await.unwrap().terminal, "{saved}");
}

#[tokio::test]
async fn a_task_hides_where_it_comes_from() {
    // Not in a place that is hidden anyhow.
    let place = tempfile::tempdir_in(env!("CARGO_MANIFEST_DIR")).unwrap();
    let write = |path: &str, text: &str| {
        let path = place.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("folder/task.toml", "prompt = \"p\"\ncommand = [\"true\"]");
    write("folder/tests/one.out", "SECRET");
    write(
        "tasks.jsonl",
        r#"{"id": "t", "prompt": "p", "command": ["true"], "tests": [{"name": "one", "output": "SECRET"}]}"#,
    );
    for path in ["folder", "tasks.jsonl"] {
        let task = Task::all(&place.path().join(path)).unwrap().remove(0);
        let mut code = Code::new(Arc::new(task)).await.unwrap();
        let command = format!("grep -r SECRET '{}'", place.path().join(path).display());
        let told = call(&mut code, "run", json!({ "command": command })).await;
        assert!(!told.contains("SECRET"), "{told}");
    }
}

#[test]
fn tasks_that_cannot_be_used_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("tasks.jsonl");
    let good =
        json!({ "id": "t", "prompt": "p", "command": ["true"], "tests": [{ "name": "n", "output": "" }] });
    let with = |key: &str, value: Value| {
        let mut task = good.clone();
        task[key] = value;
        task.to_string()
    };
    let refused = [
        (String::new(), "contains no tasks"),
        ("{".to_owned(), "line 1: not a task"),
        (format!("{good}\n\n{good}"), "two tasks have the id `t`"),
        (with("colour", json!("red")), "unknown field `colour`"),
        (with("id", json!("")), "its id is empty"),
        (with("command", json!([])), "its `command` is empty"),
        (with("command", json!(["a\0"])), "contains NUL"),
        (with("tests", json!([])), "it has no tests"),
        (with("files", json!({ "../x": "" })), "`../x` is not the path"),
        (with("files", json!({ "a": "", "a!": "", "a/b": "" })), "`a/b` is below what is a file"),
        (with("fixed", json!(["x"])), "`x` is in `fixed` and not in `files`"),
        (with("limits", json!({ "seconds": 0 })), "the limit `seconds` must be from 1"),
    ];
    for (text, why) in refused {
        std::fs::write(&path, &text).unwrap();
        let error = Task::all(&path).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    std::fs::write(&path, good.to_string()).unwrap();
    assert_eq!(Task::all(&path).unwrap().len(), 1);
    assert!(Task::open(place.path()).unwrap_err().to_string().contains("task.toml"));
}

#[tokio::test]
async fn forks_are_independent_and_what_is_saved_comes_back() {
    let mut code = Code::new(task()).await.unwrap();
    let fresh = code.clone();
    let fork = code.fork().await.unwrap();
    call(&mut code, "write", json!({ "path": "new", "content": "ÿ" })).await;
    call(&mut code, "run", json!({ "command": "rm main.py" })).await;
    let saved = code.serialize().await.unwrap();
    assert_eq!(fork.serialize().await.unwrap(), fresh.serialize().await.unwrap());
    assert_ne!(fork.serialize().await.unwrap(), saved);
    let mut restored = fresh.restore(&saved).await.unwrap();
    let arguments = serde_json::Map::new();
    let list = Call { tool: "list", arguments: &arguments, seed: 0, time: None };
    assert_eq!(restored.exec(list).await.unwrap().content, "Files:\nnew (2 bytes)");
    assert_eq!(restored.serialize().await.unwrap(), saved);
}
