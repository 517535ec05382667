"""Calls of the library: waited for, or awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator
from typing import Any, Generic, NoReturn, TypeVar

from ._andor import Job
from .errors import AndorError

T = TypeVar("T")


def _raise(error: AndorError) -> NoReturn:
    raise error


class Call(Generic[T]):
    """Work in the background, and how to read what it comes to."""

    def __init__(self, job: Job, read: Callable[[Any], T]) -> None:
        self._job = job
        self._read = read
        self._ended: Callable[[], T] | None = None

    def wait(self) -> T:
        """Waits without holding the interpreter. Ctrl-C ends the work and raises ``KeyboardInterrupt``."""
        if self._ended is None:
            try:
                value = self._read(self._job.wait())
                self._ended = lambda: value
            except AndorError as error:
                raised = error
                self._ended = lambda: _raise(raised)
        return self._ended()

    def cancel(self) -> None:
        self._job.cancel()

    def __await__(self) -> Generator[Any, None, T]:
        return self._awaited().__await__()

    async def _awaited(self) -> T:
        loop = asyncio.get_running_loop()
        over = asyncio.Event()
        self._job.on_end(lambda: loop.call_soon_threadsafe(over.set))
        try:
            await over.wait()
        except asyncio.CancelledError:
            self._job.cancel()
            # It ends in good order, unless this is cancelled again.
            await over.wait()
            raise
        return self.wait()
