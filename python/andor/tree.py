"""Trees of searches."""

from __future__ import annotations

import os
from typing import Any

from . import _andor, _html
from .records import Record

__all__ = ["Tree"]


class Tree(Record):
    """The tree of a search at its end: the record ``graph.json``.

    ``nodes`` are goals and ``steps`` are tactics, lists of dictionaries that a ``pandas.DataFrame`` takes as they are.

    >>> import andor, tempfile
    >>> out = tempfile.mkdtemp()
    >>> result = andor.prove("theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", out=out)
    >>> tree = andor.Tree.read(out)
    >>> tree.nodes[0]["status"], [step["tactic"] for step in tree.steps if step["status"] == "proved"]
    ('proved', ['constructor', 'exact hq', 'exact hp'])
    """

    @classmethod
    def read(cls, out: str | os.PathLike[str], theorem: str | None = None, attempt: int = 1) -> Tree:
        """The tree of an attempt in the folder of a run. Without ``theorem``, the run must be of a single one."""
        tree: Tree = cls._read(_andor.read_tree(os.fspath(out), theorem, attempt))
        return tree

    @property
    def root(self) -> dict[str, Any]:
        """The node of the theorem itself."""
        root: dict[str, Any] = self["nodes"][0]
        return root

    def __repr__(self) -> str:
        return f"<Tree of {self['theorem']}: {self.root['status']}, {len(self['nodes'])} nodes, {len(self['steps'])} steps>"

    def _repr_html_(self) -> str:
        return _html.tree(self)
