"""What becomes of workers and model servers that end before they are ready, or find no room.

A lost node says nothing about what ran there. Anything else may be the fault of one node, so while others work it is tried again,
ever more rarely.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping

import ray
from ray.exceptions import ActorUnavailableError, LocalRayletDiedError, NodeDiedError, RayTaskError

#: How often one cause may keep processes from getting ready while none works.
TRIES = 3

#: How long the next try waits, in seconds: after the first failure, and at most.
FIRST, LONGEST = 0.5, 60.0

#: How many seconds without room are too usual to be told.
ROOM = 20.0


class Failed(Exception):
    """The run cannot go on."""


class Late(Exception):
    """Something was not ready in time."""


def pause(failures: int) -> float:
    """How long to wait after so many failures in a row."""
    return min(LONGEST, FIRST * 2.0 ** min(failures - 1, 30))


def cause(error: Exception) -> str:
    """Why a process ended, or what it raised, in a line."""
    said = str(error)
    if died := re.search(r"worker process has died.*?Worker exit detail: (.*?)\.(?:\s|$)", said, re.DOTALL):
        return f"its process died, which a lack of memory often causes; Ray says: {died[1]}"
    lines = [line for line in said.splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__


class Group:
    """The workers of a run, or the servers of a model, each at a place of its own: how they get on."""

    def __init__(self, name: str, number: int, asks: Mapping[str, float], note: Callable[[str], object]) -> None:
        #: What one of them is called: "worker", "server of `m`".
        self._name = name
        self._names = name.replace(name.split()[0], name.split()[0] + "s", 1)
        self._number = number
        self._asks = {resource: amount for resource, amount in asks.items() if amount}
        self._note = note
        #: The nodes where each may be.
        self._nodes: dict[int, set[str]] = {}
        self._waiting: set[int] = set()
        self._starting: set[int] = set()
        self._working: set[int] = set()
        #: How often each ended since it was ready, and which of them by no fault of a node.
        self._ends: Counter[int] = Counter()
        self._failed: set[int] = set()
        #: How often each cause was met since one was ready.
        self._causes: Counter[str] = Counter()
        self._told: set[str] = set()
        self._lacks_room = False

    async def room(self, place: int, node: Awaitable[str]) -> None:
        """Waits until a process has room, which has no limit, and says once if that takes long."""
        self._nodes[place] = _alive()
        self._waiting.add(place)
        timer = asyncio.get_running_loop().call_later(ROOM, self._tell_of_room)
        try:
            self._nodes[place] = {await node}
            self._starting.add(place)
        finally:
            timer.cancel()
            self._waiting.discard(place)
        self._lacks_room = self._lacks_room and bool(self._waiting)

    def _tell_of_room(self) -> None:
        if self._lacks_room:
            return
        self._lacks_room = True
        nodes = [about["Resources"] for about in ray.nodes() if about["Alive"]]
        fits = any(all(node.get(resource, 0) >= amount for resource, amount in self._asks.items()) for node in nodes)
        run, wait = len(self._starting | self._working), len(self._waiting)
        asks = " and ".join(f"{amount:g} {resource}" for resource, amount in self._asks.items())
        self._note(
            f"{run} of {self._number} {self._names} run, and for {wait} there is no room: "
            f"each asks for {asks or 'a process'}{'' if fits else ', more than any node has'}"
        )

    def ready(self, place: int) -> None:
        self._starting.discard(place)
        self._working.add(place)
        self._failed.discard(place)
        del self._ends[place]
        self._causes.clear()

    def ended(self, place: int) -> None:
        """One that was ready is not any more."""
        self._working.discard(place)

    def is_lost(self, place: int, error: Exception) -> bool:
        """Whether a node ended, or the way to it, and not the process alone. Before its node is known, any that is gone may be it."""
        if isinstance(error, (ActorUnavailableError, LocalRayletDiedError, NodeDiedError)) or getattr(error, "preempted", False):
            return True
        return not self._nodes[place] <= _alive()

    async def failed(self, place: int, error: Exception, counts: bool = True) -> None:
        """Takes note of one that did not get ready, and waits until it is to be tried again.

        Raises :class:`Failed` if there is no use in that: none works, none starts for the first time, and the cause is known well.
        """
        self._starting.discard(place)
        speaks = isinstance(error, (RayTaskError, Late))
        if not speaks:
            # Ray may notice the end of a process before that of its node.
            await asyncio.sleep(FIRST)
        self._ends[place] += 1
        if not speaks and self.is_lost(place, error):
            gone = ", ".join(sorted(self._nodes[place] - _alive()))
            self._once(gone, f"a node is gone with a {self._name} that was starting; another is started elsewhere")
        elif counts:
            self._count(place, cause(error), TRIES if isinstance(error, Late) else 1)
        await asyncio.sleep(pause(self._ends[place]))

    def _count(self, place: int, why: str, times: int) -> None:
        # The same on another node, or in another process, differs in numbers.
        same = re.sub(r"\S*\d\S*", "…", why)
        self._causes[same] += times
        self._failed.add(place)
        if self._causes[same] >= TRIES and not self._working and self._starting <= self._failed:
            raise Failed(f"no {self._name} starts: {why}")
        working = f"{len(self._working)} of {self._number} work"
        self._once(same, f"a {self._name} does not start, and is tried again now and then ({working}): {why}")

    def _once(self, what: str, note: str) -> None:
        if what not in self._told:
            self._told.add(what)
            self._note(note)


def _alive() -> set[str]:
    return {about["NodeID"] for about in ray.nodes() if about["Alive"]}
