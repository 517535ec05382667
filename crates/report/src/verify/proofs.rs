//! Accepted proofs, judged again from theorem and script by the judge of `andor check`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use andor_artifact::result::Outcome;
use andor_config::Config;
use andor_core::theorem::System;
use andor_engine::registry;
use andor_env::checker::{Claim, Demand, Level, Verdict, judge};
use andor_env::environment::Environment;
use andor_env::trust::Trust;
use andor_run::blueprint;
use tokio::task::JoinSet;

use super::{Remark, Request, Run, Stored, Verified, VerifyError, remark};

/// Judges the accepted proofs of a run again, each at the level that its record claims.
pub(super) async fn verify(
    run: &Run,
    request: &Request<'_>,
    found: &mut Verified,
    tick: &mut (dyn FnMut() + Send),
) -> Result<(), VerifyError> {
    let (jobs, sandbox, is_compared) = (request.jobs, request.sandbox, request.trusted.is_some());
    let mut environments: HashMap<(System, usize), Arc<dyn Environment>> = HashMap::new();
    let (mut running, mut judged) = (JoinSet::new(), BTreeMap::new());
    let mut waiting = accepted(run);
    loop {
        while running.len() < jobs.max(1) {
            let Some((at, stored)) = waiting.next() else { break };
            let system = stored.theorem.system;
            let environment = environments
                .entry((system, stored.of))
                .or_insert_with(|| registry::environment(system, &judging(&run.configs[stored.of], sandbox)));
            let (environment, stored) = (Arc::clone(environment), Stored::clone(stored));
            let level = level(&stored, is_compared);
            running.spawn(async move { (at, judged_again(&*environment, &stored, level).await) });
        }
        match running.join_next().await {
            Some(Ok((at, verdict))) => {
                judged.insert(at, verdict);
                tick();
            }
            Some(Err(panic)) => std::panic::resume_unwind(panic.into_panic()),
            None => break,
        }
    }
    for (at, verdict) in judged {
        take_in(&run.attempts[at], verdict, found);
    }
    if run.is_whole {
        whole(run, sandbox, found).await?;
    }
    Ok(())
}

/// The attempts whose proofs are recorded as accepted, with their places among all.
pub(super) fn accepted(run: &Run) -> impl Iterator<Item = (usize, &Stored)> {
    run.attempts.iter().enumerate().filter(|(_, stored)| stored.result.outcome == Outcome::Accepted)
}

/// A configuration with the sandbox that the user wants: the run may come from someone else.
pub(super) fn judging(config: &Config, sandbox: bool) -> Config {
    let mut config = config.clone();
    config.workers.sandbox = sandbox;
    config
}

/// The verdict on a stored proof; `None` if there is no text to judge.
async fn judged_again(environment: &dyn Environment, stored: &Stored, level: Level) -> Option<Verdict> {
    let Stored { theorem, result, .. } = stored;
    let submission = result.source.clone()?;
    let claim =
        Claim { submission, challenge: environment.challenge(theorem), theorems: vec![theorem.name.clone()] };
    Some(judge(environment.checker(), &claim, demand(level)).await)
}

/// The level that a record claims. An accepted proof has one.
fn claimed(number: Option<u8>) -> Level {
    Level::VERIFIED.iter().copied().find(|level| Some(level.number()) == number).unwrap_or(Level::Compiled)
}

/// The level at which a proof is judged again: the one that its record claims, but never less than the run demands, nor
/// than compares it with a theorem that the user has.
fn level(stored: &Stored, is_compared: bool) -> Level {
    let compared = if is_compared { Level::Audited } else { Level::Compiled };
    claimed(stored.result.verification_level).max(stored.config.verify.least()).max(compared)
}

fn demand(level: Level) -> Demand {
    Demand { least: level, ..level.into() }
}

fn take_in(stored: &Stored, verdict: Option<Verdict>, found: &mut Verified) {
    let Stored { result, config, .. } = stored;
    let recorded = claimed(result.verification_level);
    if result.verification_level != Some(recorded.number()) {
        found.fail("run.db", Some(result), "the proof is recorded as accepted at no level");
    } else if recorded < config.verify.least() {
        let least = config.verify.least();
        found.fail("run.db", Some(result), format!("accepted at {recorded}, where the run demands {least}"));
    }
    match verdict {
        None => {}
        Some(Verdict::Accepted { level, axioms, trust, .. }) => {
            let Trust { features, bugs, statement_axioms, universes, second_judge, libraries } = *trust;
            let features: Vec<String> = features.iter().map(|feature| feature.name().to_owned()).collect();
            let names = |all: &[String]| if all.is_empty() { "none".to_owned() } else { all.join(", ") };
            for (what, now, recorded) in [
                ("axioms", &*axioms, &result.axioms),
                ("statement_axioms", &statement_axioms, &result.statement_axioms),
                ("features", &features, &result.features),
                ("known_bugs", &bugs, &result.known_bugs),
                ("libraries", &libraries, &result.libraries),
                ("universes", &universes, &result.universes),
            ] {
                if now != *recorded {
                    let (now, recorded) = (names(now), names(recorded));
                    found.fail("run.db", Some(result), format!("{what}: {recorded}, and judged again {now}"));
                }
            }
            // This depends on what is installed here.
            if !result.kernels.iter().all(|kernel| second_judge.kernels().contains(kernel))
                || (result.second_judge.as_deref() == Some("accepted") && second_judge.name() != "accepted")
            {
                found.skip("run.db", Some(result), "what the second judge says of the proof");
            }
            let trusted = &config.trusted_bugs;
            found.trusted_bugs.extend(bugs.into_iter().filter(|bug| trusted.contains(bug)));
            found.universes.extend(universes);
            found.folders.extend(
                config.load_path.iter().map(|bound| bound.folder.clone()).chain(config.project.clone()),
            );
            *found.proofs.entry(level.number()).or_default() += 1;
            found.axioms.extend(axioms);
        }
        Some(Verdict::Rejected { level, message, .. }) => {
            found.fail("run.db", Some(result), format!("the proof is rejected at {level}: {message}"));
        }
        Some(Verdict::Infrastructure { level, error }) => {
            found.unjudged += 1;
            found.skip("run.db", Some(result), format!("the proof, at {level}: {error}"));
        }
    }
}

/// Works out again what a run of a blueprint says of its nodes, and judges its final file again.
async fn whole(run: &Run, sandbox: bool, found: &mut Verified) -> Result<(), VerifyError> {
    let folder = &run.folder.path;
    let Some(system) = run.folder.problems.first().map(|problem| problem.theorem.system) else {
        return Ok(());
    };
    let environment = registry::environment(system, &judging(&run.folder.config, sandbox));
    let Some(again) = blueprint::verify(folder, &*environment).await.map_err(Box::new)? else {
        return Ok(());
    };
    for (node, what) in again.fails {
        found.fails.push(Remark { theorem: node, ..remark(blueprint::FILE, None, what) });
    }
    if let Some(why) = again.unjudged {
        found.unjudged += 1;
        found.skip(blueprint::FILE, None, format!("the final file: {why}"));
    }
    let axioms: BTreeSet<String> = again.axioms.into_iter().collect();
    found.axioms.extend(axioms);
    Ok(())
}
