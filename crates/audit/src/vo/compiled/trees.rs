//! The recursive structure of inductive types: the trees that Rocq's kernel computes (`lib/rtree.ml`).

use std::collections::{HashMap, HashSet};

use super::DecodeError::{self, Beyond, Corrupt};
use super::decode::{Decoder, deep};
use super::layout::TreeForm;
use super::marshal::{Heap, Value};
use super::term::Name;

/// A tree of a library. Trees of recursive types are infinite, so they are nodes of a graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct TreeId(u32);

/// The label of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Recursion {
    /// Not recursive. Nodes of constructors also have this label.
    None,
    /// A type of the block itself, or another type with the block in its parameters.
    Type(Name, u32),
    /// Arrays, with the block in their elements.
    Primitive,
}

/// A node. A type has a child for each constructor, which has a child for each argument, without `let`s.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tree {
    pub(crate) recursion: Recursion,
    pub(crate) below: Vec<TreeId>,
}

enum Node {
    Tree(Tree),
    /// It equals another node; `None` until that is known.
    Same(Option<TreeId>),
}

/// Decoded trees.
#[derive(Default)]
pub(super) struct Trees {
    nodes: Vec<Node>,
    /// Top-level trees, by the value of their equations.
    outermost: HashMap<Value, Vec<TreeId>>,
}

/// Maximum number of nodes in a file. Real files have up to some thousands.
const MAX_NODES: usize = 2_000_000;
/// Maximum nesting depth of trees.
const MAX_DEPTH: usize = 2_000;

/// Reads the values of a heap as trees of one form.
#[derive(Clone, Copy)]
struct Reading<'h> {
    heap: &'h Heap<'h>,
    form: TreeForm,
}

impl Reading<'_> {
    /// The content of a label, if it is recursive.
    fn recursion(
        self,
        label: Value,
        inductive: &mut dyn FnMut(Value) -> Result<(Name, u32), DecodeError>,
    ) -> Result<Recursion, DecodeError> {
        let mut ty = |value| inductive(value).map(|(name, number)| Recursion::Type(name, number));
        match (self.form, self.heap.fields(label)?) {
            (TreeForm::Nodes | TreeForm::Arrays, (0, &[this])) => ty(this),
            (TreeForm::Nodes | TreeForm::Arrays, (1, &[inner])) | (TreeForm::Unmarked, (0, &[inner])) => {
                match self.heap.fields(inner)? {
                    (0, &[this]) => ty(this),
                    (1, &[_]) => Ok(Recursion::Primitive),
                    _ => Err(Corrupt(UNKNOWN)),
                }
            }
            _ => Err(Corrupt(UNKNOWN)),
        }
    }
}

impl Decoder<'_, '_> {
    /// The tree of an inductive type.
    pub(super) fn tree(&mut self, value: Value) -> Result<TreeId, DecodeError> {
        let mut trees = std::mem::take(&mut self.trees);
        let reading = Reading { heap: self.heap, form: self.layout.trees };
        let tree = trees.within(reading, value, &mut |value| self.inductive(value), &mut Vec::new(), 0);
        self.trees = trees;
        tree
    }
}

impl Trees {
    /// Reads a tree inside equations, the innermost last; `inductive` reads the name of a type.
    fn within(
        &mut self,
        reading: Reading<'_>,
        value: Value,
        inductive: &mut dyn FnMut(Value) -> Result<(Name, u32), DecodeError>,
        equations: &mut Vec<Vec<TreeId>>,
        depth: usize,
    ) -> Result<TreeId, DecodeError> {
        if depth > MAX_DEPTH {
            return Err(Beyond(DEEP));
        }
        deep(|| self.one(reading, value, inductive, equations, depth))
    }

    /// Reads a tree, those below it by [`Self::within`].
    fn one(
        &mut self,
        reading: Reading<'_>,
        value: Value,
        inductive: &mut dyn FnMut(Value) -> Result<(Name, u32), DecodeError>,
        equations: &mut Vec<Vec<TreeId>>,
        depth: usize,
    ) -> Result<TreeId, DecodeError> {
        let heap = reading.heap;
        match heap.fields(value)? {
            (0, &[outwards, number]) => {
                let (outwards, number) = (heap.count(outwards)? as usize, heap.count(number)? as usize);
                let block = equations.len().checked_sub(outwards + 1).map(|at| &equations[at]);
                block.and_then(|block| block.get(number)).copied().ok_or(Corrupt(UNBOUND))
            }
            (1, &[label, below]) => {
                let recursion = match label {
                    Value::Int(0) => Recursion::None,
                    label => reading.recursion(label, inductive)?,
                };
                let mut trees = Vec::new();
                for &value in heap.array(below)? {
                    trees.push(match reading.form {
                        TreeForm::Nodes => self.within(reading, value, inductive, equations, depth + 1)?,
                        TreeForm::Arrays | TreeForm::Unmarked => {
                            let mut arguments = Vec::new();
                            for &value in heap.array(value)? {
                                arguments.push(self.within(
                                    reading,
                                    value,
                                    inductive,
                                    equations,
                                    depth + 1,
                                )?);
                            }
                            self.add(Node::Tree(Tree { recursion: Recursion::None, below: arguments }))?
                        }
                    });
                }
                self.add(Node::Tree(Tree { recursion, below: trees }))
            }
            (2, &[number, defined]) => {
                let number = heap.count(number)? as usize;
                let known = self.outermost.get(&defined).filter(|_| equations.is_empty());
                if let Some(known) = known {
                    return known.get(number).copied().ok_or(Corrupt(UNBOUND));
                }
                let values = heap.array(defined)?;
                let block: Vec<TreeId> =
                    values.iter().map(|_| self.add(Node::Same(None))).collect::<Result<_, _>>()?;
                if equations.is_empty() {
                    self.outermost.insert(defined, block.clone());
                }
                equations.push(block.clone());
                for (&value, &TreeId(id)) in values.iter().zip(&block) {
                    let tree = self.within(reading, value, inductive, equations, depth + 1)?;
                    self.nodes[id as usize] = Node::Same(Some(tree));
                }
                equations.pop();
                block.get(number).copied().ok_or(Corrupt(UNBOUND))
            }
            _ => Err(Corrupt(UNKNOWN)),
        }
    }

    fn add(&mut self, node: Node) -> Result<TreeId, DecodeError> {
        if self.nodes.len() >= MAX_NODES {
            return Err(Beyond(MANY));
        }
        self.nodes.push(node);
        Ok(TreeId(u32::try_from(self.nodes.len() - 1).expect("there are no more than the most")))
    }

    /// The graph, with equal nodes resolved.
    pub(super) fn graph(self) -> Result<Graph, DecodeError> {
        let mut target = Vec::with_capacity(self.nodes.len());
        for start in 0..self.nodes.len() {
            let mut at = start;
            let mut steps = 0;
            while let Node::Same(next) = &self.nodes[at] {
                at = next.ok_or(Corrupt(UNBOUND))?.0 as usize;
                steps += 1;
                if steps > MAX_DEPTH {
                    return Err(Corrupt("an inductive type is defined only by itself"));
                }
            }
            target.push(TreeId(u32::try_from(at).expect("there are no more than the most")));
        }
        let resolve = |node| match node {
            Node::Tree(mut tree) => {
                tree.below.iter_mut().for_each(|tree| *tree = target[tree.0 as usize]);
                Some(tree)
            }
            Node::Same(_) => None,
        };
        let nodes = self.nodes.into_iter().map(resolve).collect();
        Ok(Graph { nodes, target })
    }
}

/// All trees of a library.
#[derive(Debug, Default)]
pub(crate) struct Graph {
    nodes: Vec<Option<Tree>>,
    target: Vec<TreeId>,
}

impl Graph {
    /// The node with a number.
    pub(crate) fn node(&self, id: TreeId) -> &Tree {
        let node = &self.nodes[self.target[id.0 as usize].0 as usize];
        node.as_ref().expect("the targets are trees")
    }

    /// Whether a type is nested: it occurs in its constructors as an argument of another type.
    pub(crate) fn is_nested(&self, tree: TreeId) -> bool {
        let Recursion::Type(own, _) = &self.node(tree).recursion else { return false };
        let (mut open, mut met) = (vec![tree], HashSet::new());
        while let Some(tree) = open.pop() {
            if !met.insert(self.target[tree.0 as usize]) {
                continue;
            }
            let node = self.node(tree);
            match &node.recursion {
                Recursion::Type(name, _) if name.canonical != own.canonical => return true,
                Recursion::Primitive => return true,
                Recursion::Type(..) | Recursion::None => open.extend(&node.below),
            }
        }
        false
    }
}

const DEEP: &str = "an inductive type is nested more than 2,000 levels deep";
const MANY: &str = "the recursive structure of its inductive types has more than 2,000,000 nodes";
const UNBOUND: &str = "an inductive type refers to a missing tree";
const UNKNOWN: &str = "the tree of an inductive type has an unknown form";
