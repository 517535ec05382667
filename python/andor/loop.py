"""Learning loops: models that are trained by their own proofs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from . import _andor, _html
from ._call import Call
from .records import Record

__all__ = ["Learned", "Model", "alearn", "learn"]


class Model(Record):
    """A model of a loop: its ``name``, ``parent``, ``digest``, the receipts of its ``stages``, and its ``evaluation`` on the
    held-out theorems. ``path`` is its file, or its folder."""

    def __repr__(self) -> str:
        return f"<Model {self['name']}: {self['evaluation']['solved']} of {self['evaluation']['theorems']}>"


@dataclass(frozen=True)
class Learned:
    """What a loop made: all ``models`` in order, the first of which is the base, and the ``best`` of them."""

    models: tuple[Model, ...]
    best: Model

    def _repr_html_(self) -> str:
        return _html.models(self.models, self.best)


def _learning(
    file: str | os.PathLike[str],
    out: str | os.PathLike[str],
    jobs: int,
    resume: bool,
    say: Callable[[str], object] | None,
) -> Call[Learned]:
    folder = Path(out)

    def read(text: str) -> Learned:
        made = json.loads(text)
        models = tuple(Model({**model, "path": str(folder / model["file"])}) for model in made["models"])
        return Learned(models, models[made["best"]])

    if jobs < 1:
        raise ValueError(f"jobs={jobs}: at least one attempt at a time is needed")
    if say is not None and not callable(say):
        raise TypeError(f"say={say!r}: give a function of one text")
    return Call(_andor.learn(os.fspath(file), os.fspath(out), jobs, resume, say), read)


def learn(
    file: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    jobs: int = 1,
    resume: bool = False,
    say: Callable[[str], object] | None = None,
) -> Learned:
    """Carries out the learning loop that a TOML file declares, as ``andor learn`` does.

    ``out`` is its folder; with ``resume``, the loop that was begun there goes on. ``jobs`` attempts are made at a time, and
    ``say`` is called with each line about the progress, from another thread.

    .. code-block:: python

        learned = andor.learn("examples/loop.toml", out="LOOP", jobs=2, say=print)
        andor.prove(statement, provider=f"learned={learned.best.path}")
    """
    return _learning(file, out, jobs, resume, say).wait()


async def alearn(
    file: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str],
    jobs: int = 1,
    resume: bool = False,
    say: Callable[[str], object] | None = None,
) -> Learned:
    """:func:`learn` for ``asyncio``. Cancelling the task ends the loop; it can be resumed."""
    return await _learning(file, out, jobs, resume, say)
