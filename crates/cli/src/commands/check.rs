//! `andor check`

use andor_run::config::{Config, WorkerConfig};
use andor_run::judge::{self, Verdict};
use andor_run::registry;
use serde_json::json;

use super::prove::load_path;
use crate::args::CheckArgs;
use crate::exit::Exit;
use crate::report;

pub(crate) async fn run(args: &CheckArgs) -> anyhow::Result<Exit> {
    let config = Config {
        load_path: load_path(&args.load_path)?,
        allowed_axioms: registry::axioms(&args.soundness.allow_axioms),
        workers: WorkerConfig {
            check_timeout_s: args.soundness.check_timeout.as_secs_f64(),
            ..WorkerConfig::default()
        },
        ..Config::default()
    };
    let judged = judge::file(&args.file, &args.theorem, None, &config).await?;
    let (exit, line, record) = match judged.verdict {
        Verdict::Accepted { level, axioms, .. } => {
            let names = judged.theorems.join(", ");
            let rests_on = report::axioms(&axioms);
            let line = format!("accepted: {names} (level {} {}, {rests_on})", level.number(), level.name());
            let record = json!({
                "verdict": "accepted",
                "level": level.number(),
                "theorems": judged.theorems,
                "axioms": axioms,
            });
            (Exit::Success, line, record)
        }
        Verdict::Rejected { level, reason, message } => {
            let record = json!({
                "verdict": "rejected",
                "level": level.number(),
                "theorems": judged.theorems,
                "reason": reason.name(),
                "message": message,
            });
            (Exit::NotProved, format!("rejected at {level}: {message}"), record)
        }
        Verdict::Infrastructure { level, error } => {
            let record = json!({
                "verdict": "infrastructure",
                "level": level.number(),
                "theorems": judged.theorems,
                "message": error.to_string(),
            });
            (Exit::Unusable, format!("could not be judged at {level}: {error}"), record)
        }
    };
    if args.json {
        report::print(&format!("{record}\n"))?;
    } else {
        report::print(&format!("{}: {line}\n", args.file.display()))?;
    }
    Ok(exit)
}
