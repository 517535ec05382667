"""Runs over many theorems, and single attempts."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any

from . import _andor, _html, parts
from ._call import Call
from ._settings import Config, counted, listed, settings
from .dataset import Provable, Theorem, the_dataset
from .records import Result, Verdict
from .table import table

__all__ = ["Results", "Run", "aprove", "acheck", "check", "prove"]


#: Outcomes, the best first.
_RANK = {"accepted": 0, "claimed": 1}


class Results(tuple[Result, ...]):
    """Results, in order of theorem and attempt. Tables have one row for each."""

    @property
    def proved(self) -> Results:
        """Those with an accepted proof."""
        return Results(filter(None, self))

    @property
    def best(self) -> Results:
        """The best of each theorem: verified before claimed before others, and then the first."""
        best: dict[str, Result] = {}
        for result in self:
            known = best.setdefault(result.theorem, result)
            if _RANK.get(result.outcome, 2) < _RANK.get(known.outcome, 2):
                best[result.theorem] = result
        return Results(best.values())

    def to_arrow(self) -> Any:
        """A ``pyarrow.Table``. Needs the package ``pyarrow``."""
        return table(self)

    def to_pandas(self) -> Any:
        """A ``pandas.DataFrame``. Needs the packages ``pyarrow`` and ``pandas``."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> Any:
        """A ``polars.DataFrame``. Needs the packages ``pyarrow`` and ``polars``."""
        import polars

        return polars.from_arrow(self.to_arrow())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def _repr_html_(self) -> str:
        return _html.results(self)


def _results(texts: list[str]) -> Results:
    return Results(Result._read(text) for text in texts)


class Run:
    """A run, in the background. Iterating over it gives results as they arrive; :meth:`wait` gives all of them, in order.

    >>> import andor
    >>> run = andor.Run.start(andor.read("examples/logic.lean")[:4], jobs=2, max_iterations=200)
    >>> for result in run:
    ...     assert result.outcome == "accepted"
    >>> len(run.wait())
    4
    """

    def __init__(self, run: _andor.Run) -> None:
        self._run = run
        self._all = Call(run.job, _results)

    @classmethod
    def start(
        cls,
        dataset: Provable,
        *,
        out: str | os.PathLike[str] | None = None,
        jobs: int = 1,
        pass_k: int = 1,
        keep: str = "all",
        config: Config = None,
        **options: Any,
    ) -> Run:
        """Starts a run with ``jobs`` attempts at a time, at most ``pass_k`` at each theorem.

        With ``out``, a folder, its files are those of ``andor run --out``, and it can be resumed. ``keep`` says which attempts
        have files of their own: ``all``, ``proofs`` or ``none``.
        """
        counted(jobs=jobs, pass_k=pass_k)
        folder = None if out is None else os.fspath(out)
        made = settings(options, config)
        return cls(_andor.run(the_dataset(dataset), made, out=folder, pass_k=pass_k, jobs=jobs, keep=keep))

    @classmethod
    def resume(cls, out: str | os.PathLike[str], *, jobs: int = 1, keep: str = "all", **own: Any) -> Run:
        """Continues the run in a folder. What is finished is not repeated. Parts written in Python are given again."""
        counted(jobs=jobs)
        return cls(_andor.resume(os.fspath(out), jobs=jobs, keep=keep, parts=parts.made(parts.only(own))))

    @staticmethod
    def results(out: str | os.PathLike[str]) -> Results:
        """The results in a folder so far, of a run by Python or by the program."""
        return _results(_andor.read_run(os.fspath(out)))

    def __iter__(self) -> Iterator[Result]:
        while True:
            try:
                result = self._next().wait()
            except KeyboardInterrupt:
                self.stop()
                raise
            if result is None:
                self.wait()
                return
            yield result

    async def __aiter__(self) -> AsyncIterator[Result]:
        while (result := await self._next()) is not None:
            yield result
        await self

    def _next(self) -> Call[Result | None]:
        return Call(self._run.next(), lambda text: None if text is None else Result._read(text))

    def wait(self) -> Results:
        """Waits for the end. Ctrl-C ends the run; what is finished by then is kept in its folder."""
        return self._all.wait()

    def __await__(self) -> Any:
        return self._all.__await__()

    def stop(self) -> None:
        """Ends the run early. Attempts that were under way are repeated when it is resumed."""
        self._all.cancel()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self.wait()


def _proving(
    what: str | Theorem,
    system: str | None,
    imports: Sequence[str],
    out: str | os.PathLike[str] | None,
    config: Config,
    options: dict[str, Any],
) -> Call[Result]:
    dataset = the_dataset(what, system, imports)
    if len(dataset) != 1:
        raise TypeError("prove() takes one theorem; Run.start() takes a data set")
    folder = None if out is None else os.fspath(out)
    run = _andor.run(dataset, settings(options, config), out=folder)
    return Call(run.job, lambda texts: Result._read(texts[0]))


def prove(
    what: str | Theorem,
    *,
    system: str | None = None,
    imports: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    config: Config = None,
    **options: Any,
) -> Result:
    """Searches for a proof of a statement, or of a theorem of a data set.

    ``system`` is ``mini``, ``lean4`` or ``rocq``; by default, the statement's syntax decides. ``imports`` are lines before it.
    ``options`` are those of ``andor prove``: ``max_iterations=100`` is ``--max-iterations 100``. ``config`` is a configuration
    file, or its contents as a dictionary. With ``out``, a folder, the files of the attempt are kept.

    >>> import andor
    >>> result = andor.prove("theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p", time=30)
    >>> result.outcome
    'accepted'
    >>> print(result.proof)
    obtain ⟨h1, h2⟩ := h
    constructor
    exact h2
    exact h1
    """
    return _proving(what, system, imports, out, config, options).wait()


async def aprove(
    what: str | Theorem,
    *,
    system: str | None = None,
    imports: Sequence[str] = (),
    out: str | os.PathLike[str] | None = None,
    config: Config = None,
    **options: Any,
) -> Result:
    """:func:`prove` for ``asyncio``. Cancelling the task ends the search."""
    return await _proving(what, system, imports, out, config, options)


def _checking(
    file: str | os.PathLike[str],
    theorems: Sequence[str],
    statement_from: str | os.PathLike[str] | None,
    system: str | None,
    config: Config,
    options: dict[str, Any],
) -> Call[Verdict]:
    trusted = None if statement_from is None else os.fspath(statement_from)
    made = settings(options, config)
    return Call(_andor.check(os.fspath(file), made, listed("theorems", theorems), trusted, system), Verdict._read)


def check(
    file: str | os.PathLike[str],
    *,
    theorems: Sequence[str] = (),
    statement_from: str | os.PathLike[str] | None = None,
    system: str | None = None,
    config: Config = None,
    **options: Any,
) -> Verdict:
    """Verifies the proofs of a finished file, as ``andor check`` does.

    ``statement_from`` is a trusted file that states the theorems; without it, the file's own statements are proved.
    """
    return _checking(file, theorems, statement_from, system, config, options).wait()


async def acheck(
    file: str | os.PathLike[str],
    *,
    theorems: Sequence[str] = (),
    statement_from: str | os.PathLike[str] | None = None,
    system: str | None = None,
    config: Config = None,
    **options: Any,
) -> Verdict:
    """:func:`check` for ``asyncio``."""
    return await _checking(file, theorems, statement_from, system, config, options)
