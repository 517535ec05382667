"""What andor answers: goals, verdicts and results. They are the records of the program, with attributes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from . import _html

__all__ = ["Goal", "Hypothesis", "Result", "Tried", "Verdict"]


class Record(Mapping[str, Any]):
    """A record: its fields are both items and attributes."""

    _fields: dict[str, Any]

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = dict(fields)

    @classmethod
    def _read(cls, text: str):  # type: ignore[no-untyped-def]
        return cls(json.loads(text))

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._fields[name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no field `{name}`") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def to_dict(self) -> dict[str, Any]:
        """The record as a dictionary, as JSON has it."""
        return dict(self._fields)


class Result(Record):
    """The result of an attempt: a line of ``results.jsonl``.

    It is true if a proof was found and accepted.

    >>> import andor
    >>> result = andor.prove("theorem t (p : Prop) (h : p) : p", system="mini")
    >>> bool(result), result.outcome, result.verification_level
    (True, 'accepted', 3)
    >>> result.spent["nodes"] > 0
    True
    """

    def __bool__(self) -> bool:
        return bool(self["outcome"] == "accepted")

    def __repr__(self) -> str:
        return f"<Result {self['theorem']}: {self['outcome']}, {self['stop_reason']}>"

    def _repr_html_(self) -> str:
        return _html.result(self)


class Verdict(Record):
    """What the checker says of a finished file. It is true if the file is accepted."""

    def __bool__(self) -> bool:
        return bool(self["verdict"] == "accepted")

    def __repr__(self) -> str:
        message = "" if self["message"] is None else f", {self['message']}"
        return f"<Verdict {self['verdict']} at level {self['level']}{message}>"

    def _repr_html_(self) -> str:
        return _html.verdict(self)


@dataclass(frozen=True)
class Hypothesis:
    """Names of the context that share a type, or one name with a value."""

    names: tuple[str, ...]
    type: str
    body: str | None = None

    def __str__(self) -> str:
        return f"{' '.join(self.names)} : {self.type}" + (f" := {self.body}" if self.body else "")


@dataclass(frozen=True)
class Goal:
    """A goal: its context, and what is to be proved."""

    hypotheses: tuple[Hypothesis, ...]
    target: str
    case: str | None
    text: str

    @classmethod
    def _of(cls, fields: Mapping[str, Any]) -> Goal:
        hypotheses = [Hypothesis(tuple(h["names"]), h["type"], h["body"]) for h in fields["hypotheses"]]
        return cls(tuple(hypotheses), fields["target"], fields["case"], fields["text"])

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return _html.goal(self)


class Goals(tuple[Goal, ...]):
    """The open goals of a session, in order."""

    @classmethod
    def _read(cls, fields: list[Any]) -> Goals:
        return cls(Goal._of(goal) for goal in fields)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self)) or "no goals"

    def _repr_html_(self) -> str:
        return _html.goals(self)


@dataclass(frozen=True)
class Tried:
    """A tactic that was tried: the goals that it leaves, or the ``error`` of the proof assistant. It is true if it works."""

    tactic: str
    goals: Goals | None
    error: str | None

    @classmethod
    def _of(cls, fields: Mapping[str, Any]) -> Tried:
        goals = None if fields["goals"] is None else Goals._read(fields["goals"])
        return cls(fields["tactic"], goals, fields["error"])

    def __bool__(self) -> bool:
        return self.error is None

    def _repr_html_(self) -> str:
        return _html.tried(self)
