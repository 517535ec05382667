//! Blueprints and their nodes.

use std::collections::HashMap;

use andor_artifact::blueprint::{BlueprintNode, NodeKind};
use andor_artifact::graft::GraftOrigin;
use andor_core::theorem::{System, Theorem};
use andor_dataset::from_statement;
use andor_engine::graft::Given;
use andor_engine::plan;
use andor_env::outline::Place;
use andor_env::source::{self, Likeness};
use andor_provider::plan::parse::{PlanFault, steps};

use super::graph::Graph;
use super::read::BlueprintFault;

/// A graph of definitions, lemmas and theorems.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blueprint {
    /// The proof system.
    pub system: System,
    /// What comes before every node; empty, or whole lines.
    pub header: String,
    nodes: Vec<Node>,
    graph: Graph,
    places: HashMap<String, usize>,
}

/// A node of a blueprint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The node in a file, with the texts of files that it names.
    pub record: BlueprintNode,
    /// What it is.
    pub kind: NodeKind,
    /// The text of a definition, or the sentence that states a lemma or theorem.
    pub text: String,
    /// Whether its statement is never changed: it is a theorem, or no other node of the given blueprint uses it.
    pub is_root: bool,
    /// The node of the given blueprint for whose sake a planner added it.
    pub origin: Option<String>,
}

impl Node {
    /// A definition.
    pub(super) fn definition(record: BlueprintNode) -> Self {
        let mut text = record.definition.clone().unwrap_or_default();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Self { record, kind: NodeKind::Definition, text, is_root: false, origin: None }
    }

    /// A lemma or theorem.
    pub(super) fn stated(record: BlueprintNode, kind: NodeKind, sentence: String) -> Self {
        Self { record, kind, text: sentence, is_root: false, origin: None }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.record.name
    }

    /// What its search begins with.
    pub(super) fn given(&self, system: System) -> Result<Option<Given>, PlanFault> {
        let BlueprintNode { proof, draft, plan, .. } = &self.record;
        if !plan.is_empty() {
            return steps(&plan.join("\n"), system).map(|steps| Some(plan::given(&steps, system)));
        }
        let script = |text: &Option<String>, origin| {
            text.clone().map(|script| Given { script, start: Place::START, origin, plan: Vec::new() })
        };
        Ok(script(proof, GraftOrigin::File).or_else(|| script(draft, GraftOrigin::Draft)))
    }
}

impl Blueprint {
    /// A blueprint of nodes that use only each other.
    ///
    /// # Errors
    ///
    /// Nodes need each other, as [`Graph::new`] says.
    pub(super) fn new(system: System, header: String, nodes: Vec<Node>) -> Result<Self, Vec<usize>> {
        let name = |(place, node): (usize, &Node)| (node.name().to_owned(), place);
        let places: HashMap<String, usize> = nodes.iter().enumerate().map(name).collect();
        let uses = |node: &Node| node.record.uses.iter().map(|used| places[used]).collect();
        let graph = Graph::new(nodes.iter().map(uses).collect())?;
        Ok(Self { system, header, nodes, graph, places })
    }

    /// Says for which nodes of the given blueprint a planner added nodes.
    pub(super) fn set_origins<'a>(&mut self, origin: impl Fn(&str) -> Option<&'a str>) {
        for node in &mut self.nodes {
            node.origin = origin(&node.record.name).map(str::to_owned);
        }
    }

    /// Its nodes, in the order in which they were given.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What its nodes need.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The place of a node.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// The part that a node needs, with the node.
    pub fn below(&self, name: &str) -> Option<Self> {
        let place = self.place(name)?;
        let mut kept = self.graph.needs(place);
        kept.push(place);
        kept.sort_unstable();
        let mut nodes: Vec<Node> = kept.into_iter().map(|node| self.nodes[node].clone()).collect();
        for node in nodes.iter_mut().filter(|node| node.name() == name) {
            node.is_root = node.kind != NodeKind::Definition;
        }
        Some(Self::new(self.system, self.header.clone(), nodes).expect("part of a graph without cycles"))
    }

    /// A digest, in hexadecimal.
    pub fn digest(&self) -> String {
        let nodes: Vec<&BlueprintNode> = self.nodes.iter().map(|node| &node.record).collect();
        let text = serde_json::to_vec(&(self.system.name(), &self.header, nodes)).expect("texts are JSON");
        blake3::hash(&text).to_hex()[..16].to_owned()
    }

    /// A file that begins with the header and goes on with texts of nodes. `text` says what a node is written as; nodes
    /// without a text are left out.
    pub(super) fn file<'t>(
        &self,
        nodes: impl IntoIterator<Item = usize>,
        text: impl Fn(usize) -> Option<&'t str>,
    ) -> String {
        let mut file = self.header.clone();
        for text in nodes.into_iter().filter_map(text) {
            if !file.is_empty() && !file.ends_with("\n\n") {
                file.push('\n');
            }
            file += text;
            if !file.ends_with('\n') {
                file.push('\n');
            }
        }
        if !file.is_empty() && !file.ends_with("\n\n") {
            file.push('\n');
        }
        file
    }

    /// A theorem behind a header.
    pub(super) fn theorem(&self, id: &str, name: &str, statement: &str, header: String) -> Theorem {
        let reader = source::of(self.system);
        let name = reader.map_or_else(|| name.to_owned(), |reader| reader.qualified(&header, name));
        Theorem {
            id: id.to_owned(),
            name,
            system: self.system,
            header,
            statement: statement.to_owned(),
            footer: String::new(),
            extra_imports: Vec::new(),
        }
    }

    /// A name that begins with another and occurs nowhere in the blueprint.
    pub(super) fn fresh(&self, name: &str) -> String {
        let mut fresh = name.to_owned();
        while self.mentions(&fresh) {
            fresh.push('_');
        }
        fresh
    }

    /// Whether a name occurs in a text of the blueprint, or is that of a node.
    pub(super) fn mentions(&self, name: &str) -> bool {
        let in_text = |text: &str| words(text).any(|word| word == name);
        in_text(&self.header) || self.nodes.iter().any(|node| node.name() == name || in_text(&node.text))
    }
}

/// The names in a text, and the parts of qualified ones.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_part(c)).filter(|word| !word.is_empty())
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '!' | '?') || ('₀'..='₉').contains(&c)
}

/// Whether a system accepts a text as the name of a declaration, keywords aside.
pub(super) fn is_name(name: &str, system: System) -> bool {
    (system.language().statements.is_name)(name)
}

/// The sentence that states a node: its own, or one around a proposition.
pub(super) fn sentence(name: &str, text: &str, system: System) -> Result<String, BlueprintFault> {
    let text = text.trim();
    let is_sentence = source::of(system).is_some_and(|reader| reader.likeness(text) == Likeness::Stated);
    let language = system.language();
    let whole = if is_sentence {
        text.to_owned()
    } else {
        language.theorem(name, text.strip_suffix(language.statements.period).unwrap_or(text))
    };
    if text.is_empty() {
        return Err(BlueprintFault::Statement("the statement is empty".to_owned()));
    }
    let problem = from_statement(system, &whole, &[]);
    let theorem = problem.map_err(|error| BlueprintFault::Statement(error.to_string()))?.theorem;
    if theorem.name == name { Ok(theorem.statement) } else { Err(BlueprintFault::OtherName(theorem.name)) }
}

/// The proposition of a sentence with nothing left of its colon, so that it can be negated: `∀ (n : Nat), n = n` for
/// `theorem t (n : Nat) : n = n`. `None` if that cannot be said for sure.
pub(super) fn closed(name: &str, sentence: &str, system: System) -> Option<String> {
    let language = system.language();
    let mut unclear = language.lexis.comment_marks().chain([".{"]);
    if unclear.any(|unclear| sentence.contains(unclear)) {
        return None;
    }
    let rest = sentence.trim().split_once(char::is_whitespace)?.1.trim_start().strip_prefix(name)?;
    let rest = rest.trim_end().strip_suffix(language.statements.period)?;
    let mut depth = 0_i64;
    let colon = rest.char_indices().find_map(|(at, c)| {
        match c {
            '(' | '[' | '{' | '⟨' | '⦃' => depth += 1,
            ')' | ']' | '}' | '⟩' | '⦄' => depth -= 1,
            ':' if depth == 0 => return Some(at),
            _ => {}
        }
        None
    })?;
    let (binders, proposition) = (rest[..colon].trim(), rest[colon + 1..].trim());
    Some(language.for_all(binders, proposition))
}

/// The sentence that states the negation of a node.
pub(super) fn negation(node: &Node, name: &str, system: System) -> Option<String> {
    let proposition = closed(node.name(), &node.text, system)?;
    let language = system.language();
    Some(language.theorem(name, &language.not(&proposition)))
}

/// Whether a context may hold hypotheses: then its theorems speak of what satisfies these, and there may be nothing that
/// does. Words in comments count, too.
pub(super) fn has_hypotheses(context: &str, system: System) -> bool {
    let assumes = system.language().statements.assumptions;
    words(context).any(|word| assumes.contains(&word))
}

#[cfg(test)]
mod tests {
    use andor_system_lean::LEAN4;
    use andor_system_mini::MINI;
    use andor_system_rocq::ROCQ;

    use super::*;

    #[test]
    fn propositions_are_closed() {
        let lean = |text| closed("t", text, LEAN4);
        assert_eq!(lean("theorem t : 1 = 1").as_deref(), Some("1 = 1"));
        assert_eq!(
            lean("theorem t {p : Prop} (h : p) : p ∧ p").as_deref(),
            Some("∀ {p : Prop} (h : p), p ∧ p")
        );
        assert_eq!(lean("theorem t.{u} (α : Sort u) : True"), None);
        assert_eq!(lean("theorem t -- :\n : True"), None);
        let rocq = |text| closed("t", text, ROCQ);
        assert_eq!(rocq("Lemma t n (m : nat) : n = m.").as_deref(), Some("forall n (m : nat), n = m"));
        assert_eq!(rocq("Lemma t : forall n : nat, n = n.").as_deref(), Some("forall n : nat, n = n"));
    }

    #[test]
    fn hypotheses_of_a_context_are_seen() {
        for (context, of_rocq, of_lean) in [
            ("", false, false),
            ("Definition two := 2.\nLtac t := match goal with |- context [S] => idtac end.\n", false, false),
            ("Section s.\nVariable h : False.\n", true, false),
            ("Section s.\n#[local] Hypotheses (h : False).\n", true, false),
            ("Context {A : Type} (h : A -> False).\n", true, false),
            ("Axiom h : False.\n", true, false),
            ("variable (h : False)\n", false, true),
            ("axiom h : False\n", false, true),
            ("theorem variables_ : True := trivial\n", false, false),
        ] {
            let found = (has_hypotheses(context, ROCQ), has_hypotheses(context, MINI));
            assert_eq!(found, (of_rocq, of_lean), "{context}");
        }
    }

    #[test]
    fn names_are_those_of_the_system() {
        for (name, of_lean, of_rocq) in [
            ("a", true, true),
            ("Nat.x_1'", true, false),
            ("α₁", true, true),
            ("", false, false),
            ("1a", false, false),
            ("a b", false, false),
            ("a.", false, false),
            ("_", false, false),
            ("a\n:= trivial", false, false),
        ] {
            assert_eq!((is_name(name, LEAN4), is_name(name, ROCQ)), (of_lean, of_rocq), "{name}");
        }
    }

    #[test]
    fn sentences_are_completed_and_have_the_name_of_their_node() {
        let mini = |text| sentence("t", text, MINI);
        assert_eq!(mini("∀ n : Nat, n = n").unwrap(), "theorem t : ∀ n : Nat, n = n");
        assert_eq!(mini("lemma t (n : Nat) : n = n").unwrap(), "lemma t (n : Nat) : n = n");
        assert!(matches!(mini("theorem u : True"), Err(BlueprintFault::OtherName(name)) if name == "u"));
        let rocq = |text| sentence("t", text, ROCQ);
        assert_eq!(rocq("1 = 1").unwrap(), "Theorem t : 1 = 1.");
        assert!(rocq("True. Axiom a : False").is_err());
        assert!(sentence("fun", "True", MINI).is_err());
    }
}
