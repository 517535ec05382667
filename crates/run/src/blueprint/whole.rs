//! The final file of a blueprint: all that is defined and proved, in order.

use andor_artifact::blueprint::{NodeKind, WholeRecord};
use andor_env::checker::{Claim, Verdict, judge};
use andor_env::environment::Environment;

use super::graph::Progress;
use super::work::{Review, Work};
use crate::orchestrate::RunRequest;

/// The final file, and the claim that it makes.
pub(super) struct Whole {
    /// Its name.
    pub(super) file: String,
    /// What the file claims.
    pub(super) claim: Claim,
}

impl Whole {
    /// The text of the file.
    pub(super) fn text(&self) -> &str {
        &self.claim.submission
    }

    /// Has the checker judge the file in a fresh process.
    pub(super) async fn judge(&self, environment: &dyn Environment, request: &RunRequest) -> WholeRecord {
        let verdict = judge(environment.checker(), &self.claim, request.config.verify.demand()).await;
        let mut record = WholeRecord {
            file: self.file.clone(),
            accepted: false,
            verification_level: None,
            verification_shortfall: None,
            axioms: Vec::new(),
            second_judge_silence: None,
            error: None,
        };
        match verdict {
            Verdict::Accepted { level, axioms, trust, shortfall } => {
                record.accepted = true;
                record.verification_level = Some(level.number());
                record.verification_shortfall = shortfall;
                record.axioms = axioms;
                record.second_judge_silence = trust.second_judge.silence().map(str::to_owned);
            }
            Verdict::Rejected { level, message, .. } => {
                record.error = Some(format!("{level}: {message}"));
            }
            Verdict::Infrastructure { level, error } => {
                record.error = Some(format!("{level} did not finish: {error}"));
            }
        }
        record
    }
}

/// The final file; `None` if nothing is proved.
///
/// What it is compared with has no proof in it, unless a definition needs a lemma; and no lemma and no statement of a
/// planner's. So it says what the given blueprint says, whatever was found.
pub(super) fn whole(work: &Work, reviews: &[Review], environment: &dyn Environment) -> Option<Whole> {
    let blueprint = &work.blueprint;
    let (nodes, graph) = (blueprint.nodes(), blueprint.graph());
    let is_corrected = |name: &str| {
        let mut of_node = work.refinements.iter().filter(|refinement| refinement.node == name);
        of_node.any(|refinement| refinement.before.statement != refinement.after.statement)
    };
    let done: Vec<usize> =
        graph.order().iter().copied().filter(|&place| reviews[place].progress == Progress::Done).collect();
    let is_claimed = |place: usize| {
        let node = &nodes[place];
        node.kind != NodeKind::Definition && node.origin.is_none() && !is_corrected(node.name())
    };
    let of_definitions = nodes.iter().enumerate().filter(|(_, node)| node.kind == NodeKind::Definition);
    let of_definitions: Vec<usize> = of_definitions.flat_map(|(place, _)| graph.needs(place)).collect();
    let admitted: Vec<Option<String>> = nodes
        .iter()
        .enumerate()
        .map(|(place, node)| match () {
            () if node.kind == NodeKind::Definition || of_definitions.contains(&place) => {
                reviews[place].text.clone()
            }
            () if is_claimed(place) => {
                Some(environment.challenge(&blueprint.theorem("", node.name(), &node.text, String::new())))
            }
            () => None,
        })
        .collect();
    let submission = blueprint.file(done.iter().copied(), |place| reviews[place].text.as_deref());
    let challenge = blueprint.file(done.iter().copied(), |place| admitted[place].as_deref());
    let name = |place: usize| reviews[place].theorem.as_ref().map(|theorem| theorem.name.clone());
    let theorems: Vec<String> =
        done.into_iter().filter(|&place| is_claimed(place)).filter_map(name).collect();
    if theorems.is_empty() {
        return None;
    }
    let file = format!("blueprint.{}", blueprint.system.language().extension);
    Some(Whole { file, claim: Claim { submission, challenge, theorems } })
}

#[cfg(test)]
mod tests {
    use andor_artifact::result::{AttemptResult, Outcome, Role};
    use andor_config::{Config, Level, VerifyConfig};
    use andor_system_mini::{Mini, MiniConfig};
    use andor_testkit::block_on;

    use super::*;

    /// The verdict on the final file of a blueprint, in which a node is taken for proved by this text.
    fn judged(definition: &str, statement: &str, text: &str, level: Level) -> WholeRecord {
        verified(definition, statement, text, VerifyConfig { level, ..VerifyConfig::default() })
    }

    /// The same at the levels that a user asks for.
    fn verified(definition: &str, statement: &str, text: &str, verify: VerifyConfig) -> WholeRecord {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("b.toml");
        let blueprint = format!(
            "system = \"mini\"\n[[nodes]]\nname = \"d\"\ndefinition = \"{definition}\"\n\
             [[nodes]]\nname = \"top\"\nuses = [\"d\"]\nstatement = \"{statement}\"\n"
        );
        fs_err::write(&file, blueprint).unwrap();
        let blueprint = super::super::read(&file, None).unwrap();
        let mut work = Work::new(blueprint, None, Vec::new(), (1, false));
        let definition = work.review()[0].theorem.clone().unwrap();
        work.defined.insert(definition.digest(), Ok(()));
        let theorem = work.review()[1].theorem.clone().unwrap();
        work.add(AttemptResult {
            statement_digest: theorem.digest(),
            outcome: Outcome::Accepted,
            source: Some(theorem.header.clone() + text),
            ..AttemptResult::empty("top".to_owned(), "mini".to_owned(), 1, Role::Configured, 0)
        });
        let environment = Mini::new(MiniConfig::default());
        let found = whole(&work, &work.review(), &environment).unwrap();
        assert_eq!(found.text().matches(text).count(), 1);
        let request = RunRequest::new(Vec::new(), Config { verify, ..Config::default() });
        block_on(found.judge(&environment, &request))
    }

    #[test]
    fn the_final_file_must_say_what_the_blueprint_says() {
        let of = |text, level| judged("def two : Nat := 2", "two = 2", text, level);
        let accepted = of("theorem top : two = 2 := rfl\n", Level::Audited);
        assert_eq!((accepted.accepted, accepted.verification_level), (true, Some(2)), "{accepted:?}");
        for (text, level) in [
            ("theorem top : 1 = 1 := rfl\n", Level::Audited),
            ("axiom more : False\ntheorem top : two = 2 := rfl\n", Level::Audited),
            ("theorem other : two = 2 := rfl\n", Level::Compiled),
            ("theorem top : two = 2 := sorry\n", Level::Compiled),
        ] {
            let refused = of(text, level);
            assert!(!refused.accepted && refused.error.is_some(), "{text}: {refused:?}");
        }
    }

    #[test]
    fn the_final_file_must_reach_the_level_that_is_demanded() {
        // No proof of `mini` reaches it.
        let level = Level::Judged;
        for demanded in [false, true] {
            let verify = VerifyConfig { level, demanded, ..VerifyConfig::default() };
            let text = "theorem top : two = 2 := rfl\n";
            let record = verified("def two : Nat := 2", "two = 2", text, verify);
            assert_eq!(record.accepted, !demanded, "{record:?}");
            assert_eq!(record.verification_level.is_some(), !demanded, "{record:?}");
            let error = record.error.unwrap_or_default();
            assert_eq!(error.contains("accepted only at"), demanded, "{error}");
        }
    }
}
