//! Agents that program, from the command line to their results: with a server whose answers are known.

use std::path::Path;
use std::process::{Child, Stdio};

use crate::support::{Folder, andor, left};
use andor_testkit::peer::{Peer, Reply};
use serde_json::{Value, json};

const SUM: &str = "import sys\nprint(sum(map(int, sys.stdin)))\n";
const BOTH: &str = "import math, sys\nn = [int(line) for line in sys.stdin]\n\
                    print(math.prod(n) if sys.argv[1:] == ['product'] else sum(n))\n";

fn example() -> String {
    format!("{}/../../examples/code/sum", env!("CARGO_MANIFEST_DIR"))
}

fn tasks() -> String {
    format!("{}/../../examples/code/tasks.jsonl", env!("CARGO_MANIFEST_DIR"))
}

/// A server that answers each conversation by one call.
async fn server(call: impl Fn(&Value) -> (&'static str, Value) + Send + Sync + 'static) -> Peer {
    Peer::start(move |request, _| {
        if request.line.starts_with("GET") {
            return Reply::Json(200, json!({ "object": "list", "data": [{ "id": "m", "object": "model" }] }));
        }
        let (name, arguments) = call(&request.body);
        let arguments = arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned);
        let call = json!({ "id": "c", "type": "function", "function": { "name": name, "arguments": arguments } });
        let message = json!({ "role": "assistant", "content": "", "tool_calls": [call] });
        let choice = json!({ "index": 0, "finish_reason": "stop", "message": message });
        let usage = json!({ "prompt_tokens": 10, "completion_tokens": 5 });
        Reply::Json(200, json!({ "id": "1", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage }))
    })
    .await
}

fn write(content: &str) -> (&'static str, Value) {
    ("write", json!({ "path": "main.py", "content": content }))
}

/// Is right only once it is told what fails.
async fn learner() -> Peer {
    server(|body| write(if body.to_string().contains("tests fail: product (") { BOTH } else { SUM })).await
}

/// Acts by the seed of the request.
async fn wanderer() -> Peer {
    server(|body| match body["seed"].as_u64().unwrap_or(0) % 6 {
        0 => write("print(0)"),
        1 => write("print(6)"),
        2 => ("run", json!({ "command": "echo x >> notes" })),
        3 => ("read", json!({ "path": "main.py" })),
        4 => ("write", json!("no JSON")),
        _ => write(SUM),
    })
    .await
}

async fn run(args: &[&str]) -> (i32, String, String) {
    let mut command = andor(args);
    left(tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap())
}

async fn digest(run: &str) -> Value {
    let (code, text, err) = self::run(&["show", run, "--json"]).await;
    assert_eq!(code, 0, "{err}");
    serde_json::from_str::<Value>(&text).unwrap()["tree_digest"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_is_solved_once_the_model_is_told_what_fails() {
    let (server, folder) = (learner().await, Folder::new());
    let (out, task) = (folder.path("RUN"), example());
    let given = ["agent", "code", &task, "--model", &server.url, "--out", &out, "--record"];
    let (code, files, err) = run(&given).await;
    assert_eq!(code, 0, "{err}");
    assert!(files.contains("math.prod"), "{files}");
    assert!(err.contains("solved") && err.contains("2 steps"), "{err}");
    let solution = format!("{out}/theorems/sum/attempt-1/solution/main.py");
    assert_eq!(std::fs::read_to_string(solution).unwrap(), BOTH);

    let (_, results, _) = run(&["results", &out]).await;
    assert!(results.contains("attempt 1") && results.contains("pass@1 100 %"), "{results}");
    let (_, lines, _) = run(&["results", &out, "--json"]).await;
    let line: Value = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!((&line["outcome"], &line["node"]), (&json!("solved"), &json!("0.0.0")));
    let (_, shown, _) = run(&["show", &out]).await;
    assert!(shown.contains("1 of 4 tests fail: product (the output is wrong)."), "{shown}");
    let (code, rows, _) = run(&["export", &out, "--format", "trajectories"]).await;
    assert_eq!((code, rows.lines().count()), (0, 1));

    // From the record, without the server, everything is the same.
    drop(server);
    let (again, replay) = (folder.path("AGAIN"), format!("replay={out}"));
    let (code, repeated, err) = run(&["agent", "code", &task, "--model", &replay, "--out", &again]).await;
    assert_eq!((code, &repeated), (0, &files), "{err}");
    assert_eq!(digest(&again).await, digest(&out).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_tasks_are_attempted_until_they_are_solved() {
    let (server, folder) = (server(|_| write(SUM)).await, Folder::new());
    let (out, tasks) = (folder.path("RUN"), tasks());
    let given = ["agent", "code", &tasks, "--model", &server.url, "--out", &out, "--max-steps", "2"];
    let (code, _, err) = run(&given).await;
    assert_eq!(code, 1, "{err}");
    assert!(err.contains("1 of 2 tasks solved"), "{err}");
    let asked = server.received().len();
    // More attempts only at what is not solved; the finished ones are not repeated.
    let (code, _, err) = run(&[&given[..], &["--resume", "--pass-k", "2"]].concat()).await;
    assert_eq!(code, 1, "{err}");
    let (_, lines, _) = run(&["results", &out, "--json"]).await;
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let attempts: Vec<_> = lines.iter().map(|line| (line["task"].clone(), line["attempt"].clone())).collect();
    let of = |task: &str, attempt: u32| (json!(task), json!(attempt));
    assert_eq!(attempts[..3], [of("sum", 1), of("reverse", 1), of("reverse", 2)]);
    assert!(server.received().len() > asked);
    let (_, runs, _) = run(&["runs", &folder.path(""), "--json"]).await;
    let listed: Value = serde_json::from_str(&runs).unwrap();
    let of_run = ["systems", "theorems", "attempts", "attempts_planned", "proved", "finished"];
    assert_eq!(
        of_run.map(|key| listed[key].clone()),
        [json!(["code"]), 2.into(), 3.into(), 3.into(), 1.into(), true.into()]
    );
    for other in [
        &["compare", out.as_str(), &out][..],
        &["verify", &out],
        &["prove", "--statement", "theorem t : True", "--out", &out],
    ] {
        let (code, _, err) = run(other).await;
        assert_eq!(code, 2, "{other:?}: {err}");
        assert!(err.contains("programming tasks") || err.contains("has a trace.jsonl"), "{other:?}: {err}");
    }
    let (code, _, err) = run(&[&given[..], &["--resume", "--seed", "9"]].concat()).await;
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("different configuration"), "{err}");
}

/// Kills the program by force once the journal has so many bytes, or the program has ended.
fn kill_at(mut program: Child, journal: &Path, bytes: u64) {
    loop {
        let long = std::fs::metadata(journal).is_ok_and(|journal| journal.len() >= bytes);
        if long || program.try_wait().unwrap().is_some() {
            break;
        }
        std::thread::yield_now();
    }
    let _ = program.kill();
    program.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_that_is_killed_goes_on_and_ends_with_the_same_tree() {
    const MOMENTS: u64 = 10;
    let beam = ["--preset", "beam", "--branch", "3", "--width", "2", "--max-steps", "4"];
    let mcts = ["--preset", "mcts", "--max-steps", "10"];
    for preset in [&beam[..], &mcts] {
        let (server, folder, task) = (wanderer().await, Folder::new(), example());
        let command = |out: &str, more: &[&str]| {
            let fixed = ["agent", "code", &task, "--model", &server.url, "--seed", "5", "--parallel", "2"];
            let all = [&fixed[..], preset, &["--out", out], more].concat();
            all.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        let whole = folder.path("WHOLE");
        let args = command(&whole, &[]);
        let (code, _, err) = run(&args.iter().map(String::as_str).collect::<Vec<_>>()).await;
        assert_eq!(code, 1, "{err}");
        let journal = |run: &str| Path::new(run).join("theorems/sum/attempt-1/rollout.jsonl");
        let length = std::fs::metadata(journal(&whole)).unwrap().len();
        for part in 0..MOMENTS {
            let out = folder.path(&format!("RUN{part}"));
            let (args, path) = (command(&out, &[]), journal(&out));
            let killed = tokio::task::spawn_blocking(move || {
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let program = andor(&args).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
                kill_at(program, &path, length * part / MOMENTS + 1);
            });
            killed.await.unwrap();
            let args = command(&out, &["--resume"]);
            let (code, _, err) = run(&args.iter().map(String::as_str).collect::<Vec<_>>()).await;
            assert_eq!(code, 1, "part {part}: {err}");
            assert_eq!(digest(&out).await, digest(&whole).await, "part {part} of {preset:?}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_and_damage_are_explained() {
    let (server, folder, task) = (wanderer().await, Folder::new(), example());
    let out = folder.path("RUN");
    let model = ["--model", server.url.as_str()];
    let nothing = folder.path("nothing");
    let torn = folder.write("tasks.jsonl", "{\"id\": \"sum\"");
    for (path, options, wanted) in [
        (&task, &[][..], "--model: name the language model"),
        (&nothing, &model[..], "nothing"),
        (&torn, &model[..], "tasks.jsonl, line 1: not a task"),
        (&task, &["--model", &server.url, "--task", "x"], "there is no task `x`; there are: sum"),
        (&task, &["--model", &server.url, "--max-steps", "0"], "--max-steps: must be at least 1"),
        (&task, &["--model", &server.url, "--max-nodes", "1"], "--max-nodes: must be at least 2"),
        (
            &task,
            &["--model", &server.url, "--max-tokens-total", "0"],
            "--max-tokens-total: must be at least 1",
        ),
        (&task, &["--model", &server.url, "--record"], "--record needs a folder"),
        (&task, &["--model", &server.url, "--tactic-timeout", "1"], "unexpected argument"),
    ] {
        let (code, _, err) = run(&[&["agent", "code", path.as_str()], options].concat()).await;
        assert_eq!(code, 2, "{options:?}: {err}");
        assert!(err.contains(wanted), "{options:?}: {err}");
    }
    let given = ["agent", "code", &task, "--model", &server.url, "--out", &out, "--max-steps", "2"];
    assert_eq!(run(&given).await.0, 1);
    let (code, _, err) = run(&given).await;
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("already contains a run"), "{err}");
    // Another program has the folder.
    let held = std::fs::File::open(&out).unwrap();
    held.lock().unwrap();
    let resumed = [&given[..], &["--resume"]].concat();
    let (code, _, err) = run(&resumed).await;
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("another andor process"), "{err}");
    drop(held);
    // A journal that is damaged ends its attempt, and is left as it is.
    let journal = Path::new(&out).join("theorems/sum/attempt-1/rollout.jsonl");
    let text = std::fs::read_to_string(&journal).unwrap();
    std::fs::remove_file(Path::new(&out).join("code-results.jsonl")).unwrap();
    let damaged = text.replacen("\"event\":\"step\"", "\"event\":\"stop\"", 1);
    std::fs::write(&journal, &damaged).unwrap();
    let (code, _, err) = run(&resumed).await;
    assert_eq!(code, 3, "{err}");
    assert!(err.contains("rollout.jsonl, line 3"), "{err}");
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), damaged);
    // A record that was cut off is named with what to do.
    let record = Path::new(&out).join("run.json");
    let whole = std::fs::read(&record).unwrap();
    std::fs::write(&record, &whole[..20]).unwrap();
    let (code, _, err) = run(&resumed).await;
    assert_eq!(code, 2, "{err}");
    assert!(err.contains("run.json") && err.contains("delete the file"), "{err}");
    std::fs::remove_file(&record).unwrap();
    // So is a run that was killed before it had results.
    std::fs::write(Path::new(&out).join("code-results.jsonl"), "").unwrap();
    std::fs::write(&record, &whole).unwrap();
    let (code, told, err) = run(&["results", &out]).await;
    assert_eq!(code, 0, "{err}");
    assert!(told.contains("0 of 1 task solved"), "{told}");
    // Technical failures are repeated.
    std::fs::write(&journal, &text).unwrap();
    assert_eq!(run(&resumed).await.0, 1);
}
