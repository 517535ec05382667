"""Answers for a part of a search in the protocol of ``docs/formats/exec.md``: in a process of its own, or in this one."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

#: What a part may be asked for, and the methods that answer. One with `_batch` takes all requests that wait.
METHODS = {
    "tactics": ("suggest_batch", "suggest"),
    "values": ("evaluate_batch", "evaluate"),
    "order": ("rank_batch", "rank"),
    "plan": ("plan_batch", "plan"),
}


@dataclass(frozen=True)
class Request:
    """What a part is asked. ``goals`` are texts, in order; tactics apply to the first. ``state`` is all of them as one text."""

    theorem: dict[str, str]
    #: The goals; of a request for values, those of the first obligation.
    goals: list[str] = field(default_factory=list)
    state: str = ""
    #: ``seed``, ``attempt``, ``number`` of the call at this goal, and ``sampling_seed``.
    call: dict[str, int] = field(default_factory=dict)
    #: Tactics that failed here, with ``tactic`` and ``error``.
    failed: list[dict[str, str]] = field(default_factory=list)
    #: Lemmas, with ``name`` and ``statement``.
    lemmas: list[dict[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: What :meth:`evaluate` is asked about: obligations, each with ``goals`` and ``state``.
    obligations: list[dict[str, Any]] = field(default_factory=list)
    #: What :meth:`rank` is asked to order: ``tactic``, ``log_prior`` and ``provider`` of each.
    candidates: list[dict[str, Any]] = field(default_factory=list)
    #: Of a request for a plan: what was wrong with the last answer, with ``step`` and ``error``.
    faulty: list[dict[str, str]] = field(default_factory=list)
    #: Steps that are proved, with which the plan must begin.
    proven: list[str] = field(default_factory=list)
    #: The step that could not be proved, and what was tried there, with ``step`` (a tactic) and ``error``.
    stuck: str | None = None
    tried: list[dict[str, str]] = field(default_factory=list)


_FIELDS = Request.__dataclass_fields__.keys()


def answers(part: Any) -> list[str]:
    """What a part can be asked for."""
    found = [ask for ask, names in METHODS.items() if any(hasattr(part, name) for name in names)]
    return found or (["tactics"] if callable(part) else [])


def _method(part: Any, ask: str) -> tuple[Callable[..., Any], bool]:
    for name in METHODS[ask]:
        if hasattr(part, name):
            return getattr(part, name), name.endswith("_batch")
    return part, False


class BadAnswer(TypeError):
    """A part answered something else than it was asked for."""


def _candidate(given: Any) -> dict[str, Any]:
    if isinstance(given, str):
        return {"tactic": given}
    if isinstance(given, dict):
        return given
    if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str):
        return {"tactic": given[0], "log_prior": float(given[1])}
    raise BadAnswer(f"{given!r} is no candidate; give a text, a pair (tactic, log_prior) or a dictionary")


def _tactics(given: Any, request: Request) -> dict[str, Any]:
    if isinstance(given, dict):
        listed = _tactics(given.get("candidates"), request)
        return {**given, **listed}
    if isinstance(given, (str, bytes)) or not hasattr(given, "__iter__"):
        raise BadAnswer(f"{given!r} ({type(given).__name__}) was returned; a list of tactics is needed")
    return {"candidates": [_candidate(candidate) for candidate in given]}


def _values(given: Any, request: Request) -> dict[str, Any]:
    try:
        values = [float(value) for value in given]
    except (TypeError, ValueError):
        raise BadAnswer(f"{given!r} was returned; a number from 0 to 1 for each obligation is needed") from None
    if len(values) != len(request.obligations):
        raise BadAnswer(f"{len(values)} values were returned for {len(request.obligations)} obligations")
    if not all(0 <= value <= 1 for value in values):
        raise BadAnswer(f"{values} were returned; values are from 0 to 1")
    return {"values": values}


def _order(given: Any, request: Request) -> dict[str, Any]:
    try:
        order = [int(place) for place in given]
    except (TypeError, ValueError):
        raise BadAnswer(f"{given!r} was returned; the places of the candidates in their new order are needed") from None
    if sorted(order) != list(range(len(request.candidates))):
        raise BadAnswer(f"{order} was returned; the place of each of {len(request.candidates)} candidates is needed once")
    return {"order": order}


def _plan(given: Any, request: Request) -> dict[str, Any]:
    if isinstance(given, (list, tuple)) and all(isinstance(step, str) for step in given):
        given = "\n".join(given)
    if not isinstance(given, str):
        raise BadAnswer(f"{given!r} ({type(given).__name__}) was returned; a plan is a list of texts, or one text")
    return {"plan": given}


_READ = {"tactics": _tactics, "values": _values, "order": _order, "plan": _plan}


def _blame(error: BaseException) -> str:
    """An exception on one line, with the place in the part that raised it."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__]
    place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


Reply = Callable[[str], object]


def _run(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


class Desk:
    """Asks a part in a thread with an event loop of its own. Synchronous methods are called one after the other."""

    def __init__(self, part: Any, name: str) -> None:
        self._part = part
        self._name = name
        self._loop: asyncio.AbstractEventLoop | None = None
        self._waiting: list[tuple[dict[str, Any], Reply]] = []
        self._lock = threading.Lock()
        self._tasks: set[asyncio.Task[None]] = set()

    def greet(self, hello: str) -> str:
        """The first line, for the first line of andor."""
        if self._loop is None:
            self._loop = loop = asyncio.new_event_loop()
            threading.Thread(target=_run, args=(loop,), name="andor part", daemon=True).start()
            weakref.finalize(self, loop.call_soon_threadsafe, loop.stop).atexit = False
        return json.dumps({"version": 1, "name": self._name, "answers": answers(self._part)})

    def submit(self, line: str, reply: Reply) -> None:
        """Takes a request. The answer goes to ``reply``, from another thread."""
        assert self._loop is not None
        with self._lock:
            self._waiting.append((json.loads(line), reply))
            if len(self._waiting) > 1:
                return
        self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        with self._lock:
            waiting, self._waiting = self._waiting, []
        kinds: dict[str, list[tuple[dict[str, Any], Reply]]] = {}
        for asked, reply in waiting:
            kinds.setdefault(asked.get("ask", "tactics"), []).append((asked, reply))
        for ask, of_kind in kinds.items():
            method, is_batched = _method(self._part, ask)
            for group in [of_kind] if is_batched else [[one] for one in of_kind]:
                assert self._loop is not None
                task = self._loop.create_task(self._answer(ask, method, is_batched, group))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _answer(
        self, ask: str, method: Callable[..., Any], is_batched: bool, group: list[tuple[dict[str, Any], Reply]]
    ) -> None:
        requests = [Request(**{k: v for k, v in asked.items() if k in _FIELDS}) for asked, _ in group]
        outcomes: Sequence[Any]
        try:
            given = method(requests if is_batched else requests[0])
            if inspect.isawaitable(given):
                given = await given
            outcomes = list(given) if is_batched else [given]
            if len(outcomes) != len(group):
                raise BadAnswer(f"{len(outcomes)} answers were returned for {len(group)} requests")
        except BaseException as error:  # Whatever a part raises is its answer; otherwise it would seem to hang.
            outcomes = [error] * len(group)
        for (asked, reply), request, outcome in zip(group, requests, outcomes):
            reply(self._line(ask, asked["id"], request, outcome))

    @staticmethod
    def _line(ask: str, number: int, request: Request, outcome: Any) -> str:
        try:
            if isinstance(outcome, BaseException):
                raise outcome
            return json.dumps({"id": number, **_READ[ask](outcome, request)}, allow_nan=False)
        except BaseException as error:
            return json.dumps({"id": number, "error": _blame(error)})


def limit_memory(megabytes: int) -> None:
    """Limits what this process may allocate. More raises ``MemoryError``."""
    import resource

    limit = megabytes << 20
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))


def serve(part: Any, name: str = "python") -> None:
    """Answers over standard input and output until the input ends: the body of a program for ``--provider exec=COMMAND``.

    What ``part`` prints goes to standard error.
    """
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:
            output.write(line + "\n")
            output.flush()

    desk = Desk(part, name)
    write(desk.greet(sys.stdin.readline()))
    for line in sys.stdin:
        desk.submit(line, write)
    os._exit(0)


def main() -> None:
    """Answers for the part in a file that :mod:`andor.parts` wrote."""
    file, name, megabytes = sys.argv[1:]
    if int(megabytes):
        limit_memory(int(megabytes))
    import pickle

    with open(file, "rb") as source:
        sys.path[:] = pickle.load(source)
        serve(pickle.load(source), name)
