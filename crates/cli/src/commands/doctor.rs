//! `andor doctor`

use andor_config::Config;
use andor_core::theorem::System;
use andor_engine::{registry, verification};
use serde_json::json;

use crate::args::DoctorArgs;
use crate::exit::Exit;
use crate::report;

pub(crate) async fn run(args: &DoctorArgs) -> anyhow::Result<Exit> {
    let config = Config::default();
    let mut records = Vec::new();
    let mut lines = vec![format!("andor {}", env!("CARGO_PKG_VERSION"))];
    let mut all_found = true;
    for system in System::ALL {
        let Ok(environment) = registry::environment(system, &config) else {
            lines.push(format!("  -     {system}: not part of this version"));
            records.push(json!({"system": system.name(), "available": false}));
            continue;
        };
        for finding in environment.probe().await {
            let what = &finding.what;
            match &finding.found {
                Ok(found) => lines.push(format!("  ok    {system}: {what}: {found}")),
                Err(missing) if !finding.needed => lines.push(format!("  low   {system}: {what}: {missing}")),
                Err(missing) => {
                    all_found = false;
                    lines.push(format!("  MISS  {system}: {what}: {missing}"));
                    lines.extend(finding.remedy.iter().map(|r| format!("        {r}")));
                }
            }
            records.push(json!({
                "system": system.name(),
                "available": true,
                "what": what,
                "found": finding.found.as_ref().ok(),
                "missing": finding.found.as_ref().err(),
                "remedy": finding.remedy,
                "needed": finding.needed,
            }));
        }
        let reach = environment.checker().reach().await;
        let sign = if reach.highest < verification::ceiling(system) { "low " } else { "ok  " };
        let why = reach.shortfall.as_ref().map(|why| format!("; no higher: {why}")).unwrap_or_default();
        lines.push(format!("  {sign}  {system}: proofs are verified up to {}{why}", reach.highest));
        records.push(json!({
            "system": system.name(),
            "available": true,
            "what": "verification",
            "level": reach.highest.number(),
            "shortfall": reach.shortfall,
        }));
    }
    if args.json {
        report::print(&format!("{}\n", serde_json::Value::Array(records)))?;
    } else {
        report::print(&format!("{}\n", lines.join("\n")))?;
    }
    Ok(if all_found { Exit::Success } else { Exit::Unusable })
}
