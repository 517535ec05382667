//! What is recursive in inductive types: the trees that Rocq's kernel computes for them (`lib/rtree.ml`).

use std::collections::HashMap;

use super::Corrupt;
use super::decode::Decoder;
use super::marshal::{Heap, Value};
use super::term::Name;

/// A tree of a library. It is infinite where a type is recursive, so trees are nodes of a graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(in crate::rocq) struct TreeId(u32);

/// What a node of a tree stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::rocq) enum Recursion {
    /// Nothing recursive. The nodes of constructors are such, too.
    None,
    /// A type of the block itself.
    Type(Name, u32),
    /// Another inductive type, with the block in its parameters.
    Nested(Name, u32),
    /// Arrays, with the block in their elements.
    Primitive,
}

/// A node. Below a type stands one for each constructor, below that one for each argument, `let`s left out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::rocq) struct Tree {
    pub(in crate::rocq) recursion: Recursion,
    pub(in crate::rocq) below: Vec<TreeId>,
}

enum Node {
    Tree(Tree),
    /// It is another one; `None` until that is known.
    Same(Option<TreeId>),
}

/// Trees that were read.
#[derive(Default)]
pub(super) struct Trees {
    nodes: Vec<Node>,
    /// Those that stand under no other, by the value of their equations.
    outermost: HashMap<Value, Vec<TreeId>>,
}

/// Nodes of one file, at most. The largest of real files has some thousands.
const MAX_NODES: usize = 2_000_000;
/// Trees within trees, at most.
const MAX_DEPTH: usize = 2_000;

impl Decoder<'_, '_> {
    /// The tree of an inductive type.
    pub(super) fn tree(&mut self, value: Value) -> Result<TreeId, Corrupt> {
        let mut trees = std::mem::take(&mut self.trees);
        let tree = trees.read(self.heap, value, &mut |value| self.inductive(value));
        self.trees = trees;
        tree
    }
}

impl Trees {
    /// Reads a tree; `inductive` reads the name of a type.
    fn read(
        &mut self,
        heap: &Heap<'_>,
        value: Value,
        inductive: &mut dyn FnMut(Value) -> Result<(Name, u32), Corrupt>,
    ) -> Result<TreeId, Corrupt> {
        self.within(heap, value, inductive, &mut Vec::new(), 0)
    }

    /// Reads a tree that stands within equations, the innermost last.
    fn within(
        &mut self,
        heap: &Heap<'_>,
        value: Value,
        inductive: &mut dyn FnMut(Value) -> Result<(Name, u32), Corrupt>,
        equations: &mut Vec<Vec<TreeId>>,
        depth: usize,
    ) -> Result<TreeId, Corrupt> {
        if depth > MAX_DEPTH {
            return Err(Corrupt("an inductive type is nested too deeply"));
        }
        match heap.fields(value)? {
            (0, &[outwards, number]) => {
                let (outwards, number) = (heap.count(outwards)? as usize, heap.count(number)? as usize);
                let block = equations.len().checked_sub(outwards + 1).map(|at| &equations[at]);
                block.and_then(|block| block.get(number)).copied().ok_or(Corrupt(UNBOUND))
            }
            (1, &[label, below]) => {
                let recursion = match label {
                    Value::Int(0) => Recursion::None,
                    label => match heap.fields(label)? {
                        (0, &[this]) => inductive(this).map(|(name, n)| Recursion::Type(name, n))?,
                        (1, &[nested]) => match heap.fields(nested)? {
                            (0, &[this]) => inductive(this).map(|(name, n)| Recursion::Nested(name, n))?,
                            (1, &[_]) => Recursion::Primitive,
                            _ => return Err(Corrupt(UNKNOWN)),
                        },
                        _ => return Err(Corrupt(UNKNOWN)),
                    },
                };
                let mut trees = Vec::new();
                for &tree in heap.array(below)? {
                    trees.push(self.within(heap, tree, inductive, equations, depth + 1)?);
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
                    let tree = self.within(heap, value, inductive, equations, depth + 1)?;
                    self.nodes[id as usize] = Node::Same(Some(tree));
                }
                equations.pop();
                block.get(number).copied().ok_or(Corrupt(UNBOUND))
            }
            _ => Err(Corrupt(UNKNOWN)),
        }
    }

    fn add(&mut self, node: Node) -> Result<TreeId, Corrupt> {
        if self.nodes.len() >= MAX_NODES {
            return Err(Corrupt("the inductive types are too many or too large"));
        }
        self.nodes.push(node);
        Ok(TreeId(u32::try_from(self.nodes.len() - 1).expect("there are no more than the most")))
    }

    /// The graph, in which no node is just another one.
    pub(super) fn graph(self) -> Result<Graph, Corrupt> {
        let mut target = Vec::with_capacity(self.nodes.len());
        for start in 0..self.nodes.len() {
            let mut at = start;
            let mut steps = 0;
            while let Node::Same(next) = &self.nodes[at] {
                at = next.ok_or(Corrupt(UNBOUND))?.0 as usize;
                steps += 1;
                if steps > MAX_DEPTH {
                    return Err(Corrupt("an inductive type is defined by itself alone"));
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
pub(in crate::rocq) struct Graph {
    nodes: Vec<Option<Tree>>,
    target: Vec<TreeId>,
}

impl Graph {
    /// A node of the library that the number is from.
    pub(in crate::rocq) fn node(&self, id: TreeId) -> &Tree {
        let node = &self.nodes[self.target[id.0 as usize].0 as usize];
        node.as_ref().expect("the targets are trees")
    }
}

const UNBOUND: &str = "an inductive type refers to a tree that there is not";
const UNKNOWN: &str = "the tree of an inductive type is of no known form";
