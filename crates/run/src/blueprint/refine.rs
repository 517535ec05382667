//! Asks the planner to mend a blueprint at a node that could not be proved, and checks its answers before they are used.

use std::collections::BTreeSet;

use andor_artifact::blueprint::{BlueprintNode, NodeKind, RefinementRecord};
use andor_core::plan::PlanStep;
use andor_core::theorem::{System, Theorem};
use andor_engine::attempt::Means;
use andor_engine::plan;
use andor_env::error::EnvError;
use andor_provider::contract::Usage;
use andor_provider::plan::parse::PlanFault;
use andor_provider::plan::refine::{Described, Failure, RefineRequest, RefinedLemma};
use andor_provider::plan::{Planner, RefusedStep};

use super::node::{Blueprint, Node, closed, is_name, sentence};
use super::work::origin;
use crate::orchestrate::RunRequest;

/// What to refine.
pub(super) struct Refining {
    pub(super) blueprint: Blueprint,
    /// The place of the node.
    pub(super) place: usize,
    /// What became of it.
    pub(super) failure: Failure<String>,
    /// A theorem that says nothing, behind all that the node needs.
    pub(super) neutral: Theorem,
    /// How often nodes were refined before.
    pub(super) number: u32,
}

/// What the planner changes.
pub(super) struct Refinement {
    /// The nodes that are added.
    pub(super) added: Vec<BlueprintNode>,
    /// The node as it is then.
    pub(super) after: BlueprintNode,
    /// The number of answers until this one.
    pub(super) tries: u64,
    /// What they cost.
    pub(super) usage: Usage,
}

/// Asks until an answer can be used, at most `1 + plan.retries` times. `None` if none can.
///
/// # Errors
///
/// The assistant fails.
pub(super) async fn refine(
    refining: &Refining,
    planner: &Planner,
    means: &Means,
    request: &RunRequest,
) -> Result<Option<Refinement>, EnvError> {
    let Refining { blueprint, place, failure, neutral, number } = refining;
    let (node, graph) = (&blueprint.nodes()[*place], blueprint.graph());
    let needs = graph.needs(*place);
    let of_kind = |wanted: fn(&Node) -> bool| {
        needs.iter().map(|&used| &blueprint.nodes()[used]).filter(move |node| wanted(node))
    };
    let definitions = of_kind(|node| node.kind == NodeKind::Definition);
    let header = blueprint.header.clone() + &definitions.map(|node| node.text.as_str()).collect::<String>();
    let lemmas = of_kind(|node| node.kind != NodeKind::Definition);
    let lemmas: Vec<Described<'_>> =
        lemmas.map(|node| Described { name: node.name(), statement: &node.text }).collect();
    let environment = std::sync::Arc::clone(means.workers.environment());
    let session = plan::open(neutral, environment, &*means.provider, &request.config).await?;
    let (mut faulty, mut usage) = (Vec::new(), Usage::default());
    for try_ in 0..=request.config.plan.retries {
        let asking = RefineRequest {
            system: blueprint.system,
            header: &header,
            node: Described { name: node.name(), statement: &node.text },
            informal: node.record.informal.as_deref(),
            is_fixed: node.is_root,
            lemmas: &lemmas,
            failure: failure.as_deref(),
            seed: request.config.seed,
            number: number.saturating_mul(request.config.plan.retries.saturating_add(1)).saturating_add(try_),
            faulty: &faulty,
        };
        let refined = match planner.refine(&asking).await {
            Ok(refined) => refined,
            Err(error) => {
                tracing::warn!("node `{}` is not refined: {error}", node.name());
                break;
            }
        };
        usage += refined.usage;
        let lemmas = match refined.lemmas {
            Ok(lemmas) => lemmas,
            Err(PlanFault::NoStep { .. }) => {
                tracing::warn!("node `{}` is not refined: the planner's answer has no lemma", node.name());
                break;
            }
            Err(fault) => {
                faulty = vec![RefusedStep { step: String::new(), error: fault.to_string() }];
                continue;
            }
        };
        faulty = faults(blueprint, *place, &lemmas);
        if faulty.is_empty() {
            let steps: Vec<PlanStep> = lemmas.iter().map(|lemma| lemma.step.clone()).collect();
            let wrong = plan::verify(&session, neutral, &steps, Some(&*means.provider)).await?;
            let told =
                |fault: &plan::StepFault| refused(&fault.step, blueprint.system, fault.fault.to_string());
            faulty = wrong.iter().map(told).collect();
        }
        if faulty.is_empty() {
            session.close();
            let (added, after) = nodes(blueprint, *place, lemmas);
            return Ok(Some(Refinement { added, after, tries: u64::from(try_) + 1, usage }));
        }
        tracing::info!("node `{}`: an answer of the planner is refused: {}", node.name(), faulty[0].error);
    }
    session.close();
    Ok(None)
}

impl Blueprint {
    /// The blueprint after a change. What is not of the planner's to change stays as it is, whatever the record says: it may
    /// come from a file.
    ///
    /// # Errors
    ///
    /// What is wrong with the change.
    pub(super) fn refined(&self, record: &RefinementRecord) -> Result<Self, String> {
        let RefinementRecord { node: name, before, after, added, .. } = record;
        let place = self.place(name).ok_or_else(|| format!("there is no node `{name}`"))?;
        let node = &self.nodes()[place];
        let is_stated_anew = after.statement != before.statement;
        let kept = BlueprintNode {
            statement: after.statement.clone(),
            uses: after.uses.clone(),
            proof: before.proof.clone().filter(|_| !is_stated_anew),
            draft: before.draft.clone().filter(|_| !is_stated_anew),
            plan: if is_stated_anew { Vec::new() } else { before.plan.clone() },
            ..before.clone()
        };
        if *before != node.record || *after != kept || node.kind == NodeKind::Definition {
            return Err(format!("it is not a change of `{name}` that a planner can make"));
        }
        if is_stated_anew && node.is_root {
            return Err(format!("the statement of `{name}` must stay as it is"));
        }
        let text = match &after.statement {
            Some(statement) if is_stated_anew => {
                sentence(name, statement, self.system).map_err(|error| error.to_string())?
            }
            _ => node.text.clone(),
        };
        let mut nodes = self.nodes().to_vec();
        nodes[place] = Node { record: after.clone(), text, ..node.clone() };
        let mut new: Vec<Node> = Vec::new();
        for lemma in added {
            let is_taken = self.mentions(&lemma.name) || new.iter().any(|node| node.name() == lemma.name);
            let (kind, statement) = (NodeKind::Lemma, lemma.statement.clone().unwrap_or_default());
            let kept = BlueprintNode {
                name: lemma.name.clone(),
                kind: Some(kind),
                uses: lemma.uses.clone(),
                statement: lemma.statement.clone(),
                ..BlueprintNode::default()
            };
            if is_taken || !is_name(&lemma.name, self.system) || *lemma != kept {
                return Err(format!("`{}` is not a lemma that a planner can add", lemma.name));
            }
            let text = sentence(&lemma.name, &statement, self.system).map_err(|error| error.to_string())?;
            let origin = Some(origin(node).to_owned());
            new.push(Node { origin, ..Node::stated(lemma.clone(), kind, text) });
        }
        nodes.splice(place..place, new);
        let names: BTreeSet<&str> = nodes.iter().map(Node::name).collect();
        let uses = nodes.iter().flat_map(|node| &node.record.uses);
        if let Some(missing) = uses.map(String::as_str).find(|used| !names.contains(used)) {
            return Err(format!("there is no node `{missing}`"));
        }
        Blueprint::new(self.system, self.header.clone(), nodes)
            .map_err(|_| "nodes need each other".to_owned())
    }
}

fn refused(step: &PlanStep, system: System, error: String) -> RefusedStep {
    RefusedStep { step: step.tactic(system), error }
}

/// What is wrong with an answer, apart from what only the assistant can say.
fn faults(blueprint: &Blueprint, place: usize, lemmas: &[RefinedLemma]) -> Vec<RefusedStep> {
    let (node, system) = (&blueprint.nodes()[place], blueprint.system);
    let own = closed(node.name(), &node.text, system).map(|own| squeezed(&own));
    let mut usable: BTreeSet<&str> =
        blueprint.graph().needs(place).into_iter().map(|used| blueprint.nodes()[used].name()).collect();
    let mut faults = Vec::new();
    for (index, RefinedLemma { step, uses }) in lemmas.iter().enumerate() {
        let mut note = |error: String| faults.push(refused(step, system, error));
        let is_node = step.name == node.name();
        let is_same = own.as_ref() == Some(&squeezed(&step.statement));
        if is_node && node.is_root {
            note(format!("the statement of `{}` must stay as it is", node.name()));
        } else if is_node && index + 1 < lemmas.len() {
            note(format!("`{}` must come last", node.name()));
        } else if is_node && is_same {
            note("this is the statement that it has already".to_owned());
        } else if !is_node && is_same {
            note(format!("this is `{}` itself under another name", node.name()));
        } else if !is_node && !is_name(&step.name, system) {
            note(format!("`{}` cannot be the name of a lemma", step.name));
        } else if !is_node && blueprint.mentions(&step.name) {
            note(format!("the name `{}` occurs already; choose another", step.name));
        }
        if let Err(error) = sentence(&step.name, &step.statement, system) {
            note(error.to_string());
        }
        if let Some(unknown) = uses.iter().flatten().find(|used| !usable.contains(used.as_str())) {
            note(format!("it cannot use `{unknown}`, which is no lemma before it"));
        }
        usable.insert(&step.name);
    }
    faults
}

/// A text without its spaces.
fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The nodes of an answer: those that are added, and the node itself as it is then.
fn nodes(
    blueprint: &Blueprint,
    place: usize,
    lemmas: Vec<RefinedLemma>,
) -> (Vec<BlueprintNode>, BlueprintNode) {
    let node = &blueprint.nodes()[place];
    let definitions = blueprint.graph().needs(place).into_iter().map(|used| &blueprint.nodes()[used]);
    let definitions = definitions.filter(|node| node.kind == NodeKind::Definition);
    let definitions: Vec<String> = definitions.map(|node| node.name().to_owned()).collect();
    let mut after = node.record.clone();
    let mut added: Vec<BlueprintNode> = Vec::new();
    for RefinedLemma { step: PlanStep { name, statement }, uses } in lemmas {
        if name == node.name() {
            after.statement = Some(statement);
            // They were for the other statement.
            (after.proof, after.draft, after.plan) = (None, None, Vec::new());
            continue;
        }
        let earlier = || node.record.uses.iter().cloned().chain(added.iter().map(|node| node.name.clone()));
        let mut uses = uses.unwrap_or_else(|| earlier().collect());
        uses.extend(definitions.iter().cloned());
        uses.sort_unstable();
        uses.dedup();
        after.uses.push(name.clone());
        added.push(BlueprintNode {
            name,
            kind: Some(NodeKind::Lemma),
            uses,
            statement: Some(statement),
            ..BlueprintNode::default()
        });
    }
    (added, after)
}
