//! What environments cost: `cargo run --release -p andor-rollout --example environments`.
//!
//! For a proof in `mini`, one in Rocq, and programming tasks with few and with many files: what a fork takes, what it takes to
//! save and to restore a state, to use a tool and to judge a state. All are wall times, in microseconds, and means; other
//! programs on the machine make them longer.

#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use andor_system_mini::MINI;
use andor_system_rocq::ROCQ;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use andor_config::Config;
use andor_core::theorem::{System, Theorem};
use andor_engine::interactive::Interactive;
use andor_engine::registry::{self, OwnParts};
use andor_rollout::code::{Case, Code, File, Limits, Task};
use andor_rollout::environment::{Call, Environment, EnvironmentError};
use andor_rollout::proof::{Parts, Proof, Verdicts};
use serde_json::{Value, json};

type Error = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    println!("{:28} {:>9} {:>9} {:>9} {:>9} {:>9}", "", "fork", "save", "restore", "tool", "judge");
    for (system, statement, begin) in [
        (MINI, "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p", json!(["have k := h", "constructor"])),
        (ROCQ, "Theorem swap : forall p q : Prop, p /\\ q -> q /\\ p.", json!(["intros p q h", "split"])),
    ] {
        let mut proof = proof(system, statement).await?;
        call(&mut proof, "commit", &json!({ "tactics": begin })).await?;
        let tool = ("try", json!({ "tactics": ["exact h"] }));
        costs(&format!("proof in {}", system.name()), &mut proof, tool).await?;
    }
    for (files, bytes) in [(1, 100), (1000, 16 << 10)] {
        let mut code = Code::new(Arc::new(task(files, bytes))).await?;
        let name = format!("{files} files of {bytes} bytes");
        costs(&name, &mut code, ("run", json!({ "command": "true" }))).await?;
    }
    Ok(())
}

async fn costs(name: &str, environment: &mut dyn Environment, tool: (&str, Value)) -> Result<(), Error> {
    const FORKS: u32 = 1000;
    const OTHERS: u32 = 20;
    let began = Instant::now();
    for _ in 0..FORKS {
        drop(std::hint::black_box(environment.fork().await?));
    }
    let fork = began.elapsed() / FORKS;
    let mut others = [Duration::ZERO; 4];
    for _ in 0..OTHERS {
        let began = Instant::now();
        let saved = environment.serialize().await?;
        others[0] += began.elapsed();
        let began = Instant::now();
        let mut restored = environment.restore(&saved).await?;
        others[1] += began.elapsed();
        let began = Instant::now();
        call(environment, tool.0, &tool.1).await?;
        others[2] += began.elapsed();
        let began = Instant::now();
        restored.verify().await?;
        others[3] += began.elapsed();
    }
    let micro = |time: Duration| time.as_secs_f64() * 1e6;
    let [save, restore, tool, judge] = others.map(|time| micro(time / OTHERS));
    println!("{name:28} {:9.1} {save:9.1} {restore:9.1} {tool:9.1} {judge:9.1}", micro(fork));
    Ok(())
}

async fn call(
    environment: &mut dyn Environment,
    tool: &str,
    arguments: &Value,
) -> Result<(), EnvironmentError> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    environment.exec(Call { tool, arguments: &arguments, seed: 0, time: None }).await.map(drop)
}

async fn proof(system: System, statement: &str) -> Result<Proof, Error> {
    let config = Config::default();
    let theorem = Theorem {
        id: "swap".to_owned(),
        name: "swap".to_owned(),
        system,
        header: String::new(),
        statement: statement.to_owned(),
        footer: String::new(),
        extra_imports: Vec::new(),
    };
    let means = registry::means(theorem.system, &config, 1, &OwnParts::default())?;
    let filter = registry::tactic_filter(theorem.system, &config);
    let open = Interactive::begin(means.workers, theorem, &config).await?;
    let (provider, verdicts) = (means.provider, Verdicts::default());
    let parts = Parts { config, provider, ranker: None, latencies: means.latencies, filter, verdicts };
    Ok(Proof::new(open, Arc::new(parts)))
}

/// A task with one test, which a shell fails.
fn task(files: usize, bytes: usize) -> Task {
    let file = File::new(vec![b'x'; bytes]);
    let files: BTreeMap<String, File> = (0..files).map(|n| (format!("{n}.txt"), file.clone())).collect();
    let test =
        Case { name: "one".to_owned(), args: Vec::new(), input: String::new(), output: "1".to_owned() };
    Task {
        id: "task".to_owned(),
        prompt: String::new(),
        command: vec!["true".to_owned()],
        limits: Limits { files: files.len() + 10, disk_mib: 64, ..Limits::default() },
        files,
        fixed: Vec::new(),
        tests: vec![test],
        secret: None,
    }
}
