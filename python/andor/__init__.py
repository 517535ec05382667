"""Proof search over proof assistants.

andor takes theorems stated in Lean 4, Rocq or its own small prover ``mini``, searches for proofs, and returns those that a fresh
proof assistant has accepted.

>>> import andor
>>> result = andor.prove("theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", system="mini")
>>> result.outcome
'accepted'

:func:`prove` makes one attempt, :class:`Run` many, :class:`Session` is a proof by hand, and :func:`check` judges finished files.
:func:`learn` trains a model by its own proofs. What takes time lets other threads run meanwhile, ends at Ctrl-C, and has a twin for ``asyncio``: :func:`aprove`,
:func:`acheck`, :func:`alearn`, :class:`AsyncSession`, and ``await`` or ``async for`` on a :class:`Run`.
"""

import atexit

from . import _andor, errors
from ._andor import __version__
from .dataset import Dataset, Theorem, read
from .errors import *  # noqa: F403
from .loop import Learned, Model, alearn, learn
from .parts import Part, Request, serve
from .records import Goal, Hypothesis, Result, Tried, Verdict
from .run import Results, Run, acheck, aprove, check, prove
from .session import AsyncSession, Session
from .tree import Tree

__all__ = [
    "AsyncSession",
    "Dataset",
    "Goal",
    "Hypothesis",
    "Learned",
    "Model",
    "Part",
    "Request",
    "Result",
    "Results",
    "Run",
    "Session",
    "Theorem",
    "Tree",
    "Tried",
    "Verdict",
    "__version__",
    "acheck",
    "alearn",
    "aprove",
    "check",
    "learn",
    "prove",
    "read",
    "serve",
    *errors.__all__,
]

atexit.register(_andor.shut_down)
