//! What is known of a blueprint in a run, and what is to be done next.

use std::collections::{BTreeMap, HashMap, HashSet};

use andor_artifact::blueprint::{
    BlueprintRun, NodeKind, NodeRecord, NodeState, RefinementRecord, WholeRecord,
};
use andor_artifact::result::{AttemptResult, Outcome};
use andor_artifact::version::{Kind, Opening};
use andor_core::theorem::Theorem;
use andor_dataset::Problem;
use serde_json::Map;

use super::graph::{Progress, Standing};
use super::node::{Blueprint, Node, has_hypotheses, negation};

/// The number of refinements for the sake of one node of the given blueprint.
const REFINEMENTS: usize = 3;

/// What follows a node's name in the id of its disproof.
pub(super) const DISPROOF: &str = "#disproof";

/// Of a node whose negation is proved from hypotheses that may contradict each other.
const REFUTED_IN_CONTEXT: &str = "its negation is proved, but from the variables, hypotheses or axioms of its context, which may \
                                  contradict each other; this disproves the statement only if they do not";

/// A blueprint in a run.
pub(super) struct Work {
    pub(super) blueprint: Blueprint,
    /// The digest of the blueprint as it was given.
    given_digest: String,
    /// The number of attempts at each node.
    pass_k: u32,
    /// Whether there is a planner to refine nodes.
    has_planner: bool,
    /// Whether definitions are accepted, by the digest of a theorem behind them.
    pub(super) defined: HashMap<String, Result<(), String>>,
    /// Results by id and number. Those under another statement or context do not count.
    results: BTreeMap<String, BTreeMap<u32, AttemptResult>>,
    pub(super) refinements: Vec<RefinementRecord>,
    /// Nodes for which the planner has no more answers.
    pub(super) given_up: HashSet<String>,
    pub(super) whole: Option<WholeRecord>,
}

/// Something to do. Nodes are named, since refinements change their places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Task {
    /// See whether the system accepts a definition.
    Define,
    /// Make the attempt with this number.
    Prove(u32),
    /// Attempt the negation.
    Disprove,
    /// Ask the planner.
    Refine,
}

/// How a node stands.
pub(super) struct Review {
    pub(super) progress: Progress,
    pub(super) detail: Option<String>,
    /// What it is in files of nodes that need it, if it is done.
    pub(super) text: Option<String>,
    /// Its theorem, in a file with all that it needs; for a definition, one behind it. `None` as long as something that it
    /// needs is missing.
    pub(super) theorem: Option<Theorem>,
    /// The theorem that states its negation, if that was attempted or is to be.
    pub(super) disproof: Option<Theorem>,
    pub(super) task: Option<Task>,
}

impl Work {
    /// The work on a blueprint; `earlier` is what a run in the same folder left.
    pub(super) fn new(
        given: Blueprint,
        earlier: Option<BlueprintRun>,
        results: Vec<AttemptResult>,
        (pass_k, has_planner): (u32, bool),
    ) -> Self {
        let given_digest = given.digest();
        let mut work = Self {
            blueprint: given,
            given_digest,
            pass_k,
            has_planner,
            defined: HashMap::new(),
            results: BTreeMap::new(),
            refinements: Vec::new(),
            given_up: HashSet::new(),
            whole: None,
        };
        for result in results.into_iter().filter(|result| result.outcome.is_final()) {
            work.add(result);
        }
        if let Some(earlier) = earlier.filter(|earlier| !earlier.refinements.is_empty()) {
            work.refined_before(earlier);
        }
        work
    }

    /// Takes over the refinements of an earlier run, if it was of the same blueprint.
    fn refined_before(&mut self, earlier: BlueprintRun) {
        if earlier.given_digest != self.given_digest {
            tracing::warn!(
                "the blueprint has changed; {} refinements of the earlier run are left out",
                earlier.refinements.len()
            );
            return;
        }
        // Made again from the given blueprint, so that nothing that the file says of its nodes is believed.
        for (index, record) in earlier.refinements.into_iter().enumerate() {
            match self.blueprint.refined(&record) {
                Ok(blueprint) => {
                    self.blueprint = blueprint;
                    self.refinements.push(record);
                }
                Err(error) => {
                    tracing::warn!(
                        "refinement {} of the earlier run, and those after it, are left out: {error}",
                        index + 1
                    );
                    return;
                }
            }
        }
    }

    /// Takes in the result of an attempt.
    pub(super) fn add(&mut self, result: AttemptResult) {
        self.results.entry(result.theorem.clone()).or_default().insert(result.attempt, result);
    }

    /// The results of a theorem under its present statement.
    fn results<'w>(&'w self, theorem: &'w Theorem) -> impl Iterator<Item = &'w AttemptResult> {
        let digest = theorem.digest();
        let of = self.results.get(&theorem.id).into_iter().flat_map(BTreeMap::values);
        of.filter(move |result| result.statement_digest == digest)
    }

    /// How each node stands.
    pub(super) fn review(&self) -> Vec<Review> {
        let (blueprint, graph) = (&self.blueprint, self.blueprint.graph());
        let mut reviews: Vec<Review> = blueprint.nodes().iter().map(|_| Review::waiting()).collect();
        for &place in graph.order() {
            let is_ready = graph.uses(place).iter().all(|&used| reviews[used].progress == Progress::Done);
            if is_ready {
                let header = blueprint.file(graph.needs(place), |used| reviews[used].text.as_deref());
                let node = &blueprint.nodes()[place];
                let mut review = match node.kind {
                    NodeKind::Definition => self.definition(node, place, &reviews),
                    NodeKind::Lemma | NodeKind::Theorem => self.stated(node, header),
                };
                if review.task.is_none() && self.is_refinable(node, review.progress) {
                    review.task = Some(Task::Refine);
                }
                reviews[place] = review;
            }
        }
        reviews
    }

    fn definition(&self, node: &Node, place: usize, reviews: &[Review]) -> Review {
        let graph = self.blueprint.graph();
        let needs = graph.needs(place).into_iter().chain([place]);
        let text =
            |used: usize| if used == place { Some(&*node.text) } else { reviews[used].text.as_deref() };
        let theorem = self.neutral(node.name(), self.blueprint.file(needs, text));
        let (progress, detail, task) = match self.defined.get(&theorem.digest()) {
            None => (Progress::Open, None, Some(Task::Define)),
            Some(Ok(())) => (Progress::Done, None, None),
            Some(Err(message)) => (Progress::Refused, Some(message.clone()), None),
        };
        let text = (progress == Progress::Done).then(|| node.text.clone());
        Review { progress, detail, text, theorem: Some(theorem), disproof: None, task }
    }

    /// A theorem that says nothing, behind a header.
    pub(super) fn neutral(&self, id: &str, header: String) -> Theorem {
        let name = self.blueprint.fresh("andor_blueprint");
        let statement = self.blueprint.system.language().theorem(&name, "True");
        self.blueprint.theorem(id, &name, &statement, header)
    }

    fn stated(&self, node: &Node, header: String) -> Review {
        let theorem = self.blueprint.theorem(node.name(), node.name(), &node.text, header);
        let mut review = Review { theorem: Some(theorem.clone()), ..Review::waiting() };
        let results: Vec<&AttemptResult> = self.results(&theorem).collect();
        if let Some(text) = results.iter().find_map(|result| proved_text(result, &theorem)) {
            review.progress = Progress::Done;
            review.text = Some(text);
            return review;
        }
        if let Some(refused) = results.iter().find(|result| result.outcome == Outcome::Refused) {
            review.progress = Progress::Refused;
            review.detail = Some(refused.stop_detail.clone());
            return review;
        }
        let has = |number: u32| results.iter().any(|result| result.attempt == number);
        if let Some(number) = (1..=self.pass_k).find(|number| !has(*number)) {
            review.task = Some(Task::Prove(number));
            return review;
        }
        review.progress = Progress::NotProved;
        let last = results.last().expect("at least one attempt is made");
        let failure = last.infrastructure_error.as_ref();
        review.detail = Some(failure.unwrap_or(&last.stop_detail).clone());
        if results.iter().all(|result| !result.outcome.is_final()) {
            review.progress = Progress::Failed;
            return review;
        }
        let Some(disproof) = self.disproof(node, &theorem.header) else { return review };
        let found: Vec<&AttemptResult> = self.results(&disproof).collect();
        match found.first() {
            None => {
                review.progress = Progress::Open;
                review.task = Some(Task::Disprove);
            }
            Some(_) if found.iter().any(|result| proved_text(result, &disproof).is_some()) => {
                if has_hypotheses(&disproof.header, self.blueprint.system) {
                    review.detail = Some(REFUTED_IN_CONTEXT.to_owned());
                } else {
                    review.progress = Progress::Disproved;
                    review.detail = Some("its negation is proved".to_owned());
                }
            }
            Some(_) => {}
        }
        review.disproof = Some(disproof);
        review
    }

    /// The theorem that states the negation of a node.
    fn disproof(&self, node: &Node, header: &str) -> Option<Theorem> {
        let name = self.blueprint.fresh(&format!("not_{}", node.name().replace('.', "_")));
        let statement = negation(node, &name, self.blueprint.system)?;
        let id = format!("{}{DISPROOF}", node.name());
        Some(self.blueprint.theorem(&id, &name, &statement, header.to_owned()))
    }

    /// The accepted proof of the negation, as a complete file.
    pub(super) fn disproof_of<'w>(&'w self, review: &'w Review) -> Option<&'w AttemptResult> {
        let theorem = review.disproof.as_ref().filter(|_| review.progress == Progress::Disproved)?;
        self.results(theorem).find(|result| result.outcome == Outcome::Accepted)
    }

    fn is_refinable(&self, node: &Node, progress: Progress) -> bool {
        let failed = match progress {
            Progress::Open | Progress::Done | Progress::Failed => false,
            Progress::NotProved => true,
            // Nothing but another statement can help.
            Progress::Disproved | Progress::Refused => !node.is_root,
        };
        let is_statement = node.kind != NodeKind::Definition;
        let is_open = !self.given_up.contains(node.name());
        failed && is_statement && is_open && self.has_planner && self.refined(origin(node)) < REFINEMENTS
    }

    /// How often nodes with this origin were refined.
    fn refined(&self, origin: &str) -> usize {
        self.refinements.iter().filter(|refinement| refinement.origin == origin).count()
    }

    /// What is known of the nodes for their states.
    fn standings(&self, reviews: &[Review]) -> Vec<Standing> {
        let is_in_whole = self.whole.as_ref().is_some_and(|whole| whole.accepted);
        let nodes = self.blueprint.nodes().iter().zip(reviews);
        nodes.map(|(node, r)| Standing { kind: node.kind, progress: r.progress, is_in_whole }).collect()
    }

    /// The state of each node.
    pub(super) fn states(&self, reviews: &[Review]) -> Vec<NodeState> {
        self.blueprint.graph().states(&self.standings(reviews))
    }

    /// The theorems of the run: nodes whose context is not known yet stand behind the header alone.
    pub(super) fn problems(&self, reviews: &[Review]) -> Vec<Problem> {
        let mut problems = Vec::new();
        for &place in self.blueprint.graph().order() {
            let (node, review) = (&self.blueprint.nodes()[place], &reviews[place]);
            if node.kind == NodeKind::Definition {
                continue;
            }
            let mut fields = Map::new();
            if let Some(informal) = &node.record.informal {
                fields.insert("informal".to_owned(), informal.clone().into());
            }
            let alone = || {
                let header = self.blueprint.header.clone();
                self.blueprint.theorem(node.name(), node.name(), &node.text, header)
            };
            let theorem = review.theorem.clone().unwrap_or_else(alone);
            problems.push(Problem { theorem, fields, place: None });
            let disproof = review.disproof.clone();
            problems.extend(disproof.map(|theorem| Problem { theorem, fields: Map::new(), place: None }));
        }
        problems
    }

    /// The results that count, in the order of the nodes.
    pub(super) fn counted(&self, reviews: &[Review]) -> Vec<AttemptResult> {
        let problems = self.problems(reviews);
        problems
            .iter()
            .flat_map(|problem| self.results(&problem.theorem).cloned().collect::<Vec<_>>())
            .collect()
    }

    /// The record of the run.
    pub(super) fn record(&self, reviews: &[Review]) -> BlueprintRun {
        let states = self.states(reviews);
        let graph = self.blueprint.graph();
        let node = |&place: &usize| {
            let (node, review) = (&self.blueprint.nodes()[place], &reviews[place]);
            let blocking = || {
                let names = graph.needs(place).into_iter().filter(|&used| {
                    matches!(
                        states[used],
                        NodeState::NotProved | NodeState::Failed | NodeState::Disproved | NodeState::Refused
                    )
                });
                let names: Vec<&str> = names.map(|used| self.blueprint.nodes()[used].name()).collect();
                format!("it needs {}", names.join(", "))
            };
            let is_blocked = states[place] == NodeState::Blocked;
            NodeRecord {
                node: node.record.clone(),
                kind: node.kind,
                root: node.is_root,
                state: states[place],
                detail: if is_blocked { Some(blocking()) } else { review.detail.clone() },
                disproof: self.disproof_of(review).and_then(|result| result.source.clone()),
                origin: node.origin.clone(),
            }
        };
        BlueprintRun {
            opening: Opening::new(Kind::BlueprintRun),
            given_digest: self.given_digest.clone(),
            system: self.blueprint.system.name().to_owned(),
            header: self.blueprint.header.clone(),
            nodes: graph.order().iter().map(node).collect(),
            refinements: self.refinements.clone(),
            whole: self.whole.clone(),
        }
    }
}

impl Review {
    fn waiting() -> Self {
        Self { progress: Progress::Open, detail: None, text: None, theorem: None, disproof: None, task: None }
    }
}

/// The node of the given blueprint that a node came from.
pub(super) fn origin(node: &Node) -> &str {
    node.origin.as_deref().unwrap_or(node.name())
}

/// The text of an accepted proof, without what stands before it.
fn proved_text(result: &AttemptResult, theorem: &Theorem) -> Option<String> {
    let source = result.source.as_deref().filter(|_| result.outcome == Outcome::Accepted)?;
    source.strip_prefix(&theorem.header).map(str::to_owned)
}
