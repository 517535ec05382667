//! Programs that agents write, and how those that cheat are scored.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use andor_rollout::agent::Agent;
use andor_rollout::code::{Case, Code, Limits, Task};
use andor_rollout::search::{End, linear};
use andor_rollout::{AgentState, Call, Child, Environment, VerifyResult, turns};
use serde_json::{Value, json};

use crate::models::{calling, model};

const HONEST: &str = "import sys\nprint(sum(int(line) for line in sys.stdin))\n";

fn case(name: &str, input: &str, output: &str) -> Case {
    Case { name: name.to_owned(), args: Vec::new(), input: input.to_owned(), output: output.to_owned() }
}

/// A task whose answers are kept in a file outside the folder too, as those of a folder of a task are.
fn task() -> Arc<Task> {
    Arc::new(Task {
        prompt: "Print the sum of the integers in the input.".to_owned(),
        command: ["/usr/bin/python3", "main.py"].map(str::to_owned).to_vec(),
        files: [("main.py".to_owned(), Arc::from(*b"pass\n"))].into(),
        fixed: Vec::new(),
        tests: vec![case("few", "1\n2\n3\n", "6\n"), case("large", "400000\n7\n", "400007\n")],
        limits: Limits { seconds: 5, memory_mib: 256, ..Limits::default() },
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
async fn the_honest_are_solved_and_cheats_score_nothing() {
    assert!(scored(&[("main.py", HONEST)]).await.terminal);
    // A file that exists here, to be reached from inside, and one that must not come to exist.
    let place = tempfile::tempdir().unwrap();
    let (answers, outside) = (place.path().join("few.out"), place.path().join("outside"));
    std::fs::write(&answers, "6\n").unwrap();
    let reads = format!("print(open({answers:?}).read())");
    let writes = format!("open({outside:?}, 'w').write('out')\nimport sys\nprint(sum(map(int, sys.stdin)))");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let connects = format!(
        "import socket, sys\nsocket.create_connection(('127.0.0.1', {port}))\nprint(sum(map(int, sys.stdin)))"
    );
    let cheats: &[(&str, &[(&str, &str)])] = &[
        ("writes tests of its own", &[("tests/few.out", "x\n"), ("main.py", "print('x')")]),
        (
            "writes a conftest.py",
            &[("conftest.py", "def pytest_runtest_makereport(): pass"), ("main.py", "")],
        ),
        ("exits with 0 at once", &[("main.py", "import os\nos._exit(0)")]),
        ("prints a summary", &[("main.py", "print('2 passed, 0 failed')\nprint('{\"score\": 1.0}')")]),
        (
            "takes the place of a library",
            &[("unittest.py", "def main(): pass"), ("sitecustomize.py", "print(6)")],
        ),
        ("forks without end", &[("main.py", "import os\nwhile True: os.fork()")]),
        ("takes all memory", &[("main.py", "held = []\nwhile True: held.append(bytearray(1 << 24))")]),
        ("reads the answers", &[("main.py", &reads)]),
        ("writes outside", &[("main.py", &writes)]),
        ("asks the network", &[("main.py", &connects)]),
        (
            "fills the disk",
            &[("main.py", "n = 0\nwhile True:\n  open(str(n), 'w').write('x' * 10**6)\n  n += 1")],
        ),
        ("never ends", &[("main.py", "while True: pass")]),
        ("is right and fails", &[("main.py", &format!("{HONEST}sys.exit(3)"))]),
        (
            "kills its parents",
            &[(
                "main.py",
                "import os\nfor p in (1, os.getppid(), -1):\n  try: os.kill(p, 9)\n  except OSError: pass",
            )],
        ),
    ];
    for (what, files) in cheats {
        let verdict = scored(files).await;
        assert_eq!((verdict.score, verdict.terminal), (Some(0.0), false), "{what}: {verdict:?}");
    }
    assert!(!outside.exists());
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "nothing came through");
}

#[tokio::test]
async fn tests_do_not_share_what_they_write() {
    // With the input of the first test the second would be told.
    let keeps =
        "import os, sys\nif os.path.exists('seen'): print(400007)\nelse:\n  open('seen', 'w')\n  print(6)";
    let verdict = scored(&[("main.py", keeps)]).await;
    assert_eq!(verdict.score, Some(0.5));
    assert_eq!(verdict.feedback.as_deref(), Some("1 of 2 tests fail: large."));
}

#[tokio::test]
async fn fixed_files_are_as_given_in_tests() {
    let mut given = Task::clone(&task());
    given.files.insert("main.py".to_owned(), Arc::from(*b"import answer\nprint(answer.of(input()))\n"));
    given.files.insert("answer.py".to_owned(), Arc::from(*b"def of(x): return 0\n"));
    (given.fixed, given.tests) = (vec!["main.py".to_owned()], vec![case("twice", "4\n", "8\n")]);
    let mut code = Code::new(Arc::new(given)).await.unwrap();
    call(&mut code, "write", json!({ "path": "main.py", "content": "print(8)" })).await;
    assert_eq!(code.verify().await.unwrap().score, Some(0.0));
    call(&mut code, "write", json!({ "path": "answer.py", "content": "def of(x): return 2 * int(x)" })).await;
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
    for path in ["../x", "/x", "", "a//x", "a/b/c", "a"] {
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
    let restored = fresh.restore(&saved).await.unwrap();
    assert_eq!(restored.serialize().await.unwrap(), saved);
}

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/code/sum")
}

#[tokio::test]
async fn a_task_in_a_folder_is_solved_by_a_model_that_is_told_what_fails() {
    // The folder is put where the sandbox hides it.
    let place = tempfile::tempdir().unwrap();
    for folder in ["files", "tests"] {
        std::fs::create_dir(place.path().join(folder)).unwrap();
        for entry in std::fs::read_dir(example().join(folder)).unwrap() {
            let entry = entry.unwrap();
            std::fs::copy(entry.path(), place.path().join(folder).join(entry.file_name())).unwrap();
        }
    }
    std::fs::copy(example().join("task.toml"), place.path().join("task.toml")).unwrap();
    let code = Code::new(Arc::new(Task::open(place.path()).unwrap())).await.unwrap();
    let right = "import math, sys\nnumbers = [int(line) for line in sys.stdin]\n\
                 print(math.prod(numbers) if sys.argv[1:] == ['product'] else sum(numbers))\n";
    let learner = model("learner", move |asked| {
        let content = if asked.told().contains("tests fail: product.") { right } else { HONEST };
        calling(&[("write", &json!({ "path": "main.py", "content": content }).to_string())])
    });
    let state = AgentState::new(code.task(), Arc::new(code));
    let search = linear(turns(Agent::new(learner), 1, 1), 5);
    let result = search.run(Child::new(state, VerifyResult::default())).await.unwrap();
    assert_eq!((result.end, result.steps), (End::Solved, 2));
}

#[test]
fn a_task_whose_tests_could_be_read_inside_is_refused() {
    let error = Task::open(Path::new("/usr")).unwrap_err().to_string();
    assert!(error.contains("could read its tests"), "{error}");
}
