//! Expressions: the fully explicit structure of a target or hypothesis, independent of the system.
//!
//! An [`Expr`] is a flat list of nodes in which every child precedes its parent. Expressions of any depth can
//! therefore be built, cloned, digested and dropped without recursion.

use std::ops::Range;
use std::sync::Arc;

/// A name as the system prints it.
pub type Name = Arc<str>;

/// The index of a node within its [`Expr`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(u32);

impl ExprId {
    /// The position in [`Expr::nodes`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One node of an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ExprNode {
    /// A global constant, inductive type or constructor.
    Const(Name),
    /// A hypothesis or other local of the goal's context.
    Local(Name),
    /// A metavariable.
    Meta(Name),
    /// A bound variable, by the number of binders between it and its own (0 is the innermost).
    Bound(u32),
    /// A universe such as `Prop` or `Type`.
    Sort(Name),
    /// A literal.
    Literal(Name),
    /// An application whose head is not an application.
    App {
        /// The function.
        head: ExprId,
        /// Its arguments, at least one (read them with [`Expr::list`]).
        args: ExprList,
    },
    /// A dependent function type; an implication when the body does not mention the variable.
    Pi {
        /// The variable's name, a hint without meaning.
        name: Name,
        /// The variable's type.
        ty: ExprId,
        /// The type of the result, under one more binder.
        body: ExprId,
    },
    /// A function.
    Lambda {
        /// The variable's name, which has no meaning.
        name: Name,
        /// The variable's type.
        ty: ExprId,
        /// The result, under one more binder.
        body: ExprId,
    },
    /// A local definition.
    Let {
        /// The variable's name, which has no meaning.
        name: Name,
        /// The variable's value.
        value: ExprId,
        /// The result, under one more binder.
        body: ExprId,
    },
    /// Any other form (a match, a fixpoint, a token group), identified by its tag.
    Other {
        /// The form.
        tag: Name,
        /// Its parts in order (read them with [`Expr::list`]).
        parts: ExprList,
    },
}

/// A list of nodes, stored in the same [`Expr`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExprList {
    start: u32,
    end: u32,
}

/// An expression. The last node is the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expr {
    nodes: Vec<ExprNode>,
    lists: Vec<ExprId>,
}

impl Expr {
    /// The id of the root.
    pub fn root(&self) -> ExprId {
        ExprId(u32::try_from(self.nodes.len() - 1).expect("the builder bounds the number of nodes"))
    }

    /// The node at `id`.
    pub fn node(&self, id: ExprId) -> &ExprNode {
        &self.nodes[id.index()]
    }

    /// The id of the node at `index`.
    pub fn id_at(&self, index: usize) -> Option<ExprId> {
        (index < self.nodes.len()).then(|| ExprId(u32::try_from(index).expect("the builder bounds it")))
    }

    /// The members of a list.
    pub fn list(&self, list: ExprList) -> &[ExprId] {
        &self.lists[list.start as usize..list.end as usize]
    }

    /// All nodes; every child precedes its parent.
    pub fn nodes(&self) -> &[ExprNode] {
        &self.nodes
    }

    /// The head of an application and its arguments; any other node is its own head, without arguments.
    pub fn head_args(&self, id: ExprId) -> (&ExprNode, &[ExprId]) {
        match self.node(id) {
            ExprNode::App { head, args } => (self.node(*head), self.list(*args)),
            node => (node, &[]),
        }
    }

    /// The arguments, if the node at `id` is the constant `name` applied to exactly `N` of them.
    pub fn app_of<const N: usize>(&self, id: ExprId, name: &str) -> Option<[ExprId; N]> {
        match self.head_args(id) {
            (ExprNode::Const(head), args) if &**head == name => args.try_into().ok(),
            _ => None,
        }
    }

    /// Whether the subexpression at `id` mentions the variable bound `depth` binders above it.
    pub fn mentions_bound(&self, id: ExprId, depth: u32) -> bool {
        let mut stack = vec![(id, depth)];
        while let Some((id, depth)) = stack.pop() {
            match self.node(id) {
                ExprNode::Bound(index) if *index == depth => return true,
                _ => self.for_children(id, |child, binders| stack.push((child, depth + binders))),
            }
        }
        false
    }

    /// Whether the subexpression at `id` mentions the local `name`.
    pub fn mentions_local(&self, id: ExprId, name: &str) -> bool {
        self.find(id, |node| matches!(node, ExprNode::Local(n) if &**n == name))
    }

    /// Whether some node of the subexpression at `id` satisfies the predicate.
    pub fn find(&self, id: ExprId, mut predicate: impl FnMut(&ExprNode) -> bool) -> bool {
        let mut stack = vec![id];
        while let Some(id) = stack.pop() {
            if predicate(self.node(id)) {
                return true;
            }
            self.for_children(id, |child, _| stack.push(child));
        }
        false
    }

    /// The names of the constants, with repetitions.
    pub fn constants(&self) -> impl Iterator<Item = &Name> {
        self.nodes.iter().filter_map(|node| if let ExprNode::Const(name) = node { Some(name) } else { None })
    }

    /// Renames each constant for which `name_of` returns a name.
    pub fn rename_constants(&mut self, name_of: impl Fn(&Name) -> Option<Name>) {
        for node in &mut self.nodes {
            if let ExprNode::Const(name) = node
                && let Some(other) = name_of(name)
            {
                *name = other;
            }
        }
    }

    /// Calls `visit` with each child of the node at `id` and the number of binders it stands under.
    pub fn for_children(&self, id: ExprId, mut visit: impl FnMut(ExprId, u32)) {
        match self.node(id) {
            ExprNode::Const(_)
            | ExprNode::Local(_)
            | ExprNode::Meta(_)
            | ExprNode::Bound(_)
            | ExprNode::Sort(_)
            | ExprNode::Literal(_) => {}
            ExprNode::App { head, args } => {
                visit(*head, 0);
                self.list(*args).iter().for_each(|&a| visit(a, 0));
            }
            ExprNode::Pi { ty, body, .. } | ExprNode::Lambda { ty, body, .. } => {
                visit(*ty, 0);
                visit(*body, 1);
            }
            ExprNode::Let { value, body, .. } => {
                visit(*value, 0);
                visit(*body, 1);
            }
            ExprNode::Other { parts, .. } => self.list(*parts).iter().for_each(|&p| visit(p, 0)),
        }
    }
}

/// Builds an [`Expr`] bottom-up: each method adds a node and returns its id.
#[derive(Default, Debug)]
pub struct ExprBuilder {
    nodes: Vec<ExprNode>,
    lists: Vec<ExprId>,
}

impl ExprBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `node`, whose children must have been added before.
    pub fn push(&mut self, node: ExprNode) -> ExprId {
        let id = u32::try_from(self.nodes.len()).expect("an expression has fewer than 2^32 nodes");
        self.nodes.push(node);
        ExprId(id)
    }

    /// The application of `head` to `args`. Without arguments it is `head` itself; if `head` is an application, the
    /// arguments are merged, so that heads are never applications.
    pub fn app(&mut self, head: ExprId, args: &[ExprId]) -> ExprId {
        if args.is_empty() {
            return head;
        }
        let (head, earlier) = match self.nodes[head.index()] {
            ExprNode::App { head, args } => (head, args.start as usize..args.end as usize),
            _ => (head, 0..0),
        };
        let args = self.store(earlier, args);
        self.push(ExprNode::App { head, args })
    }

    /// A form named `tag` with the given parts.
    pub fn other(&mut self, tag: impl Into<Name>, parts: &[ExprId]) -> ExprId {
        let parts = self.store(0..0, parts);
        self.push(ExprNode::Other { tag: tag.into(), parts })
    }

    /// The expression with the given root. Nodes added after `root` are dropped.
    pub fn finish(mut self, root: ExprId) -> Expr {
        self.nodes.truncate(root.index() + 1);
        Expr { nodes: self.nodes, lists: self.lists }
    }

    fn store(&mut self, earlier: Range<usize>, items: &[ExprId]) -> ExprList {
        let start = self.lists.len();
        self.lists.extend_from_within(earlier);
        self.lists.extend_from_slice(items);
        let bound = |n: usize| u32::try_from(n).expect("an expression has fewer than 2^32 arguments");
        ExprList { start: bound(start), end: bound(self.lists.len()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_applications_are_flattened() {
        let mut b = ExprBuilder::new();
        let f = b.push(ExprNode::Const("f".into()));
        let x = b.push(ExprNode::Local("x".into()));
        let y = b.push(ExprNode::Local("y".into()));
        let fx = b.app(f, &[x]);
        let fxy = b.app(fx, &[y]);
        let expr = b.finish(fxy);
        assert_eq!(expr.app_of::<2>(expr.root(), "f"), Some([x, y]));
        assert!(expr.mentions_local(expr.root(), "y"));
        assert!(!expr.mentions_local(expr.root(), "z"));
    }

    #[test]
    fn a_bound_variable_is_found_through_binders() {
        // fun (x : A) (y : B) => x
        let mut b = ExprBuilder::new();
        let a = b.push(ExprNode::Const("A".into()));
        let body = b.push(ExprNode::Bound(1));
        let inner = b.push(ExprNode::Lambda { name: "y".into(), ty: a, body });
        let outer = b.push(ExprNode::Lambda { name: "x".into(), ty: a, body: inner });
        let expr = b.finish(outer);
        assert!(expr.mentions_bound(inner, 0));
        assert!(!expr.mentions_bound(inner, 1));
    }
}
