//! `andor compare`

use andor_artifact::basin::LeftOut;
use andor_report::compare::{self, Comparison};
use andor_run::folder::RunFolder;
use andor_terminal::exit::Exit;
use andor_terminal::report::{self, Align, aligned, left_out};
use andor_terminal::shown;

use crate::args::CompareArgs;

pub(crate) fn run(args: &CompareArgs) -> anyhow::Result<Exit> {
    let (a, b) = (RunFolder::read(&args.a)?, RunFolder::read(&args.b)?);
    let comparison = compare::compare(&a, &b)?;
    let text = if args.json {
        serde_json::to_string(&comparison)? + "\n"
    } else {
        let mut lines = vec![heading("A", &a), heading("B", &b)];
        lines.extend(text(&comparison));
        lines.join("\n") + "\n"
    };
    report::print(&text)?;
    Ok(Exit::Success)
}

fn heading(name: &str, run: &RunFolder) -> String {
    let path = shown::line(&run.path.display().to_string());
    let digest = shown::line(&run.record.config_digest);
    let attempts = run.config.basin.seeds.unwrap_or(run.record.pass_k);
    let attempts = if attempts == 1 { "1 attempt".to_owned() } else { format!("up to {attempts} attempts") };
    format!("{name}: {path} (configuration {digest}, {attempts} at each theorem)")
}

fn text(comparison: &Comparison) -> Vec<String> {
    let Comparison { both, only_a, only_b, neither, undecided, missing_in_a, missing_in_b, mcnemar } =
        comparison;
    let n = |names: &Vec<String>| names.len().to_string();
    let rows = [
        ["", "solved by B", "not by B"].map(str::to_owned),
        ["solved by A".to_owned(), n(both), n(only_a)],
        ["not by A".to_owned(), n(only_b), n(neither)],
    ];
    let mut lines = vec![String::new()];
    lines.extend(aligned(&rows, Align::Left));
    let odds = match mcnemar.odds {
        Some(odds) => format!("{odds:.2}"),
        None if only_a.is_empty() => "undefined".to_owned(),
        None => "infinite".to_owned(),
    };
    lines.push(format!(
        "McNemar's exact test: p = {}; odds of A against B {odds} ({} to {})",
        p_value(mcnemar.p_value),
        only_a.len(),
        only_b.len()
    ));
    lines.push(String::new());
    for (what, names) in [
        ("solved by both", both),
        ("solved by A only", only_a),
        ("solved by B only", only_b),
        ("solved by neither", neither),
        ("in A only", missing_in_b),
        ("in B only", missing_in_a),
    ] {
        if !names.is_empty() {
            lines.push(format!("{what} ({}): {}", names.len(), shown::line(&names.join(", "))));
        }
    }
    if !undecided.is_empty() {
        lines.push(format!("left out above, without a counted attempt ({}):", undecided.len()));
    }
    for theorem in undecided {
        let sides = [("A", theorem.a), ("B", theorem.b)];
        let sides = sides.into_iter().filter_map(|(name, left)| Some(format!("{name}: {}", attempts(left?))));
        lines.push(format!("  {} ({})", shown::line(&theorem.theorem), sides.collect::<Vec<_>>().join("; ")));
    }
    lines
}

fn attempts(left: LeftOut) -> String {
    let text = left_out(left);
    if text.is_empty() { "not begun".to_owned() } else { text }
}

fn p_value(p: f64) -> String {
    if p < 1e-4 { format!("{p:.1e}") } else { format!("{p:.4}") }
}
