"""Proofs by hand, one tactic after the other."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from . import _andor
from ._call import Call
from ._settings import Config, listed, settings
from .dataset import Theorem, the_dataset
from .records import Goals, Tried, Verdict

__all__ = ["AsyncSession", "Session"]


class _Proof:
    """What both kinds of sessions have: what needs no waiting, and the calls that do."""

    def __init__(self, session: _andor.Session, config: Config) -> None:
        self._session = session
        self._config = config

    @staticmethod
    def _open(
        what: str | Theorem, system: str | None, imports: Sequence[str], config: Config, options: dict[str, Any]
    ) -> Call[_andor.Session]:
        return Call(_andor.open(the_dataset(what, system, imports), settings(options, config)), lambda session: session)

    @property
    def goals(self) -> Goals:
        """The open goals, in order. Tactics apply to the first."""
        return Goals._read(json.loads(self._session.goals()))

    @property
    def script(self) -> list[str]:
        """The tactics so far."""
        return [tactic for _, tactic in self._session.steps()]

    @property
    def source(self) -> str:
        """The source file, with a placeholder at every open goal."""
        return self._session.source()

    def undo(self) -> bool:
        """Undoes the last tactic. False if there is none."""
        return self._session.undo()

    def focus(self, goal: int) -> None:
        """Moves a goal to the front, by its place in ``goals``, from 0."""
        self._session.focus(goal)

    def _repr_html_(self) -> str:
        return self.goals._repr_html_()

    def _try_many(self, tactics: Iterable[str]) -> Call[list[Tried]]:
        read = lambda text: [Tried._of(tried) for tried in json.loads(text)]  # noqa: E731
        return Call(self._session.try_many(listed("tactics", tactics)), read)

    def _commit(self, tactic: str | Tried) -> Call[Goals]:
        text = tactic.tactic if isinstance(tactic, Tried) else tactic
        return Call(self._session.commit(text), lambda _: self.goals)

    def _lemmas(self, symbols: Sequence[str], most: int) -> Call[dict[str, str]]:
        return Call(self._session.lemmas(listed("symbols", symbols), most), dict)

    def _search(self, options: dict[str, Any]) -> Call[bool]:
        def read(ended: tuple[str, str | None]) -> bool:
            return ended[0] == "proved"

        return Call(self._session.search(settings(options, self._config)), read)

    def _check(self) -> Call[Verdict]:
        return Call(self._session.check(), Verdict._read)


class Session(_Proof):
    """A proof by hand.

    >>> import andor
    >>> session = andor.Session("theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q", system="mini")
    >>> print(session.goals)
    p q : Prop
    hp : p
    hq : q
    ⊢ p ∧ q
    >>> [bool(tried) for tried in session.try_many(["constructor", "rfl"])]
    [True, False]
    >>> other = session.fork()
    >>> len(session.commit("constructor"))
    2
    >>> session.commit("exact hq")
    Traceback (most recent call last):
      ...
    andor.errors.TacticError: ...
    >>> for tactic in ["exact hp", "exact hq"]:
    ...     goals = session.commit(tactic)
    >>> session.script
    ['constructor', 'exact hp', 'exact hq']
    >>> session.check().level
    3
    >>> other.search(max_iterations=100), len(other.goals)
    (True, 0)
    """

    def __init__(
        self,
        what: str | Theorem,
        *,
        system: str | None = None,
        imports: Sequence[str] = (),
        config: Config = None,
        **options: Any,
    ) -> None:
        super().__init__(self._open(what, system, imports, config, options).wait(), config)

    def try_many(self, tactics: Iterable[str]) -> list[Tried]:
        """Tries tactics on the first goal, as many at a time as the session has ``workers``, and changes nothing."""
        return self._try_many(tactics).wait()

    def commit(self, tactic: str | Tried) -> Goals:
        """Applies a tactic to the first goal, and returns the open goals. Raises ``TacticError`` if it fails."""
        return self._commit(tactic).wait()

    def lemmas(self, *symbols: str, most: int = 20) -> dict[str, str]:
        """Lemmas about symbols, or about those of the first goal: statements by name, the best first."""
        return self._lemmas(symbols, most).wait()

    def search(self, **options: Any) -> bool:
        """Searches for a proof of the first goal, and applies it. Says whether there is one."""
        return self._search(options).wait()

    def check(self) -> Verdict:
        """Verifies the finished proof in a fresh proof assistant."""
        return self._check().wait()

    def fork(self) -> Session:
        """A proof of its own, with what was done so far."""
        fork = Session.__new__(Session)
        _Proof.__init__(fork, self._session.fork(), self._config)
        return fork


class AsyncSession(_Proof):
    """A session whose methods are awaited. :meth:`open` makes one.

    >>> import andor, asyncio
    >>> async def main():
    ...     session = await andor.AsyncSession.open("theorem t (p : Prop) (h : p) : p", system="mini")
    ...     await session.commit("exact h")
    ...     return await session.check()
    >>> asyncio.run(main()).verdict
    'accepted'
    """

    @classmethod
    async def open(
        cls,
        what: str | Theorem,
        *,
        system: str | None = None,
        imports: Sequence[str] = (),
        config: Config = None,
        **options: Any,
    ) -> AsyncSession:
        """Opens a theorem."""
        return cls(await cls._open(what, system, imports, config, options), config)

    async def try_many(self, tactics: Iterable[str]) -> list[Tried]:
        """As :meth:`Session.try_many`."""
        return await self._try_many(tactics)

    async def commit(self, tactic: str | Tried) -> Goals:
        """As :meth:`Session.commit`."""
        return await self._commit(tactic)

    async def lemmas(self, *symbols: str, most: int = 20) -> dict[str, str]:
        """As :meth:`Session.lemmas`."""
        return await self._lemmas(symbols, most)

    async def search(self, **options: Any) -> bool:
        """As :meth:`Session.search`."""
        return await self._search(options)

    async def check(self) -> Verdict:
        """As :meth:`Session.check`."""
        return await self._check()

    def fork(self) -> AsyncSession:
        """As :meth:`Session.fork`."""
        return AsyncSession(self._session.fork(), self._config)
