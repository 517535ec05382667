//! `andor check`

use std::time::Duration;

use andor_env::checker::{SourceFile, Verdict};
use andor_env::environment::Environment;
use andor_env::rocq::{Rocq, RocqConfig, source};
use anyhow::{Context, bail};
use serde_json::json;

use super::prove::{allowed_axioms, load_path};
use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::report;

pub(crate) async fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let path = args.file.display();
    if args.file.extension().is_none_or(|e| e != "v") {
        bail!("{path}: unknown kind of file: this version checks `.v` files");
    }
    let text = fs_err::read_to_string(&args.file)?;
    let theorems = theorems(args, &text)?;
    let rocq = Rocq::new(RocqConfig {
        load_path: load_path(&args.load_path)?,
        check_limit: Duration::from_secs_f64(args.soundness.check_timeout.as_secs_f64()),
        allowed_axioms: allowed_axioms(&args.soundness.allow_axioms),
        ..RocqConfig::default()
    });
    let file = SourceFile { text, theorems: theorems.clone() };
    let verdict =
        rocq.checker().check(&file).await.with_context(|| format!("{path}: could not be judged"))?;
    let names = theorems.join(", ");
    let (exit, line, record) = match verdict {
        Verdict::Accepted { level, axioms } => {
            let rests_on = match &axioms[..] {
                [] => "no axioms".to_owned(),
                axioms => format!("axioms: {}", axioms.join(", ")),
            };
            let line = format!("accepted: {names} (level {} {}, {rests_on})", level.number(), level.name());
            let record = json!({
                "verdict": "accepted", "level": level.number(), "theorems": theorems, "axioms": axioms,
            });
            (Exit::Success, line, record)
        }
        Verdict::Rejected { reason } => {
            let record = json!({"verdict": "rejected", "theorems": theorems, "reason": reason});
            (Exit::NotProved, format!("rejected: {reason}"), record)
        }
    };
    if args.json {
        report::print(&format!("{record}\n"))?;
    } else {
        report::print(&format!("{path}: {line}\n"))?;
    }
    Ok(exit)
}

fn theorems(args: &CheckArgs, text: &str) -> anyhow::Result<Vec<String>> {
    if !args.theorem.is_empty() {
        return Ok(args.theorem.clone());
    }
    let path = args.file.display();
    let found = source::theorems(text).with_context(|| format!("{path}: the file is malformed"))?;
    if found.is_empty() {
        bail!("{path}: the file states no theorem; name one with --theorem");
    }
    Ok(found.into_iter().map(|t| t.name).collect())
}
