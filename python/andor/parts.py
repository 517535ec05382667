"""Providers, critics, rankers, planners and priorities written in Python.

A *provider* proposes tactics. It is a function, or an object with a method ``suggest``:

>>> import andor
>>> def mine(request):
...     yield "constructor"
...     yield from (f"exact {line.split()[0]}" for line in request.goals[0].splitlines() if " : " in line)
>>> andor.prove("theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", provider=mine).outcome
'accepted'

A *critic* has a method ``evaluate`` that estimates how probably obligations can be proved, and a *ranker* a method ``rank`` that
orders candidates:

>>> class Shortest:
...     def rank(self, request):
...         return sorted(range(len(request.candidates)), key=lambda at: len(request.candidates[at]["tactic"]))
>>> andor.prove("theorem t (p : Prop) (h : p) : p ∧ p", ranker=Shortest()).outcome
'accepted'

A *planner* has a method ``plan`` that states what is to be proved on the way, step by step:

>>> class Halves:
...     def plan(self, request):
...         return ["have first : q", "have second : p"]
>>> andor.prove("theorem t (p q : Prop) (h : p ∧ q) : q ∧ p", planner=Halves()).planning["ended"]
'verified'

Methods may be ``async``. One named ``suggest_batch``, ``evaluate_batch``, ``rank_batch`` or ``plan_batch`` is given all requests that wait, and
returns an answer for each.

Parts work in a process of their own with limits (:class:`Part`), unless ``in_process=True``.
"""

from __future__ import annotations

import math
import os
import pickle
import re
import shlex
import sys
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from . import _andor, _serve
from ._serve import Request, serve

__all__ = ["Part", "Request", "serve"]

#: What a part does, and what it must be able to answer.
_NEEDS = {"provider": "tactics", "critic": "values", "ranker": "order", "planner": "plan"}


class Folder:
    """A folder that is deleted when nothing needs it any more; if this process is killed, by the next one."""

    def __init__(self) -> None:
        folder = _andor.Folder()
        self.name = folder.path
        weakref.finalize(self, folder.close)


class Part:
    """A part with its limits.

    In a process of its own, a part that crashes is started again, three times in a row at most. One that does not answer within
    ``timeout`` seconds is asked again, three times in all. It may allocate ``memory_mb`` megabytes (``None``: any number). It is
    sent there by ``cloudpickle``.

    ``in_process=True`` calls the part in this process, where nothing limits its memory, and a call without end stays.
    """

    def __init__(
        self,
        part: Any,
        *,
        name: str | None = None,
        timeout: float = 60.0,
        memory_mb: int | None = 4096,
        in_process: bool = False,
    ) -> None:
        if not _serve.answers(part):
            raise TypeError(f"{part!r} is no part: it is no function, and has none of the methods suggest, evaluate, rank, plan")
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout={timeout!r}: give a number of seconds above 0")
        if memory_mb is not None and (not isinstance(memory_mb, int) or not 1 <= memory_mb <= 1 << 30):
            raise ValueError(f"memory_mb={memory_mb!r}: give a whole number of megabytes, or None for any number")
        plain = getattr(part, "__name__", type(part).__name__)
        self.part = part
        self.name = name or re.sub(r"[^A-Za-z0-9._-]", "_", plain)[:64]
        self.timeout = timeout
        self.memory_mb = memory_mb
        self.in_process = in_process

    def _made(self) -> _andor.Part:
        if self.in_process:
            return _andor.Part(self.name, self.timeout, _serve.Desk(self.part, self.name), None)
        import cloudpickle  # type: ignore[import-untyped]

        folder = Folder()
        file = os.path.join(folder.name, "part")
        with open(file, "wb") as target:
            pickle.dump(sys.path, target)
            try:
                cloudpickle.dump(self.part, target)
            except Exception as error:
                raise TypeError(
                    f"the part `{self.name}` cannot be sent to a process of its own ({error}); make what it needs when it is "
                    "first asked, or use in_process=True"
                ) from error
        start = "from andor._serve import main; main()"
        words = [sys.executable, "-c", start, file, self.name, str(self.memory_mb or 0)]
        # The modules of a script lie beside it, and the folder of the program that starts the process is another's.
        path = os.pathsep.join(entry for entry in sys.path if entry)
        command = shlex.join(["env", f"PYTHONPATH={path}", *words])
        return _andor.Part(self.name, self.timeout, folder, command)


#: A part, or a priority, with its role.
Role = tuple[str, Any]


def taken(options: dict[str, Any]) -> list[Role]:
    """Takes the parts out of options: objects among the providers, a critic, a ranker or planner that is no name, a priority."""
    in_process = options.pop("in_process", None)
    found: list[Role] = []
    providers = options.get("provider")
    if providers is not None and not isinstance(providers, str):
        listed = list(providers) if isinstance(providers, (list, tuple)) else [providers]
        if not listed:
            raise ValueError("provider=[] names no provider; leave it out for the heuristics")
        found += [("provider", provider) for provider in listed if not isinstance(provider, str)]
        options["provider"] = [provider for provider in listed if isinstance(provider, str)]
        if not options["provider"]:
            del options["provider"]
    if options.get("critic") is not None:
        found.append(("critic", options["critic"]))
    options.pop("critic", None)
    for role in ("ranker", "planner"):
        if options.get(role) is not None and not isinstance(options[role], str):
            found.append((role, options.pop(role)))
            if role == "planner" and options.get("plan_prompt") is not None:
                raise TypeError("plan_prompt is for language models, and the planner is a part written in Python")
    roles: list[Role] = []
    for role, part in found:
        if not isinstance(part, Part):
            part = Part(part, in_process=bool(in_process))
        if _NEEDS[role] not in _serve.answers(part.part):
            method = _serve.METHODS[_NEEDS[role]][-1]
            raise TypeError(f"{role}={part.part!r}: it has no method `{method}`")
        roles.append((role, part))
    priority = options.pop("priority", None)
    if priority is not None:
        if not callable(priority):
            raise TypeError(f"priority={priority!r} is no function")
        if options.get("policy") not in (None, "best-first"):
            raise ValueError(f"policy={options['policy']!r}: a priority orders best-first search; leave policy out")
        roles.append(("priority", priority))
    if in_process is not None and not found:
        raise TypeError("in_process is for parts written in Python, and none is given")
    return roles


def made(roles: Sequence[Role]) -> list[tuple[str, _andor.Part]]:
    """Parts as the library takes them, in this process."""

    def one(role: str, part: Any) -> _andor.Part:
        if role != "priority":
            return part._made()
        name = re.sub(r"[^A-Za-z0-9._-]", "_", getattr(part, "__name__", type(part).__name__))
        return _andor.Part(name, 1.0, part, None)

    return [(role, one(role, part)) for role, part in roles]


def only(given: Mapping[str, Any]) -> list[Role]:
    """The parts, where nothing else can be given."""
    options = dict(given)
    roles = taken(options)
    if options:
        raise TypeError(f"only parts written in Python can be given here, and not `{next(iter(options))}`")
    return roles
