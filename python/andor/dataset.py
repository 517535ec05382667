"""Theorems to prove."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Union, overload

from . import _andor

__all__ = ["Dataset", "Theorem", "read"]

#: What can be proved: a statement, a theorem, or all theorems of a data set.
Provable = Union[str, "Theorem", "Dataset"]


@dataclass(frozen=True)
class Theorem:
    """A theorem of a data set."""

    id: str
    name: str
    system: str
    header: str
    statement: str
    fields: dict[str, Any]
    _dataset: _andor.Dataset
    _place: int

    def __repr__(self) -> str:
        return f"<Theorem {self.id} ({self.system})>"


class Dataset(Sequence[Theorem]):
    """Theorems, in order. Slices and :meth:`where` give data sets again.

    >>> import andor
    >>> logic = andor.read("examples/logic.lean")
    >>> logic["and_swap"]
    <Theorem and_swap (mini)>
    >>> len(logic[:3])
    3
    """

    def __init__(self, dataset: _andor.Dataset) -> None:
        self._dataset = dataset
        theorems = (json.loads(dataset.at(place)) for place in range(len(dataset)))
        self._theorems = [Theorem(**fields, _dataset=dataset, _place=place) for place, fields in enumerate(theorems)]

    def __len__(self) -> int:
        return len(self._theorems)

    @overload
    def __getitem__(self, key: int | str) -> Theorem: ...
    @overload
    def __getitem__(self, key: slice) -> Dataset: ...

    def __getitem__(self, key: int | str | slice) -> Theorem | Dataset:
        if isinstance(key, slice):
            return self._only(range(*key.indices(len(self))))
        if isinstance(key, str):
            for theorem in self._theorems:
                if theorem.id == key:
                    return theorem
            raise KeyError(key)
        return self._theorems[key]

    def __iter__(self) -> Iterator[Theorem]:
        return iter(self._theorems)

    def where(self, wanted: Callable[[Theorem], bool]) -> Dataset:
        """The theorems for which a function is true."""
        return self._only([place for place, theorem in enumerate(self._theorems) if wanted(theorem)])

    def _only(self, places: Sequence[int]) -> Dataset:
        return Dataset(self._dataset.only(list(places)))

    @property
    def notes(self) -> list[str]:
        """What is to be known of how the theorems were read."""
        return self._dataset.notes

    @property
    def refused(self) -> list[str]:
        """Rows of the file that state no usable theorem."""
        return self._dataset.refused

    def __repr__(self) -> str:
        return f"<Dataset of {len(self)} theorems>"


def read(
    path: str | os.PathLike[str],
    *,
    system: str | None = None,
    project: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Reads theorems from a ``.lean`` or ``.v`` file, a folder of them, rows, or another format of data sets.

    ``project`` is the folder of the Lean project with the theorems of rows that only say where a theorem is.
    """
    return Dataset(_andor.read(os.fspath(path), system, None if project is None else os.fspath(project)))


def the_dataset(what: Provable, system: str | None = None, imports: Sequence[str] = ()) -> _andor.Dataset:
    """What is to be proved, as the library takes it."""
    if isinstance(what, Dataset):
        return what._dataset
    if isinstance(what, Theorem):
        return what._dataset.only([what._place])
    if isinstance(what, str):
        return _andor.statement(what, system, list(imports))
    raise TypeError(f"a statement, a theorem or a data set is needed, not {type(what).__name__}")
