"""Runs on a `Ray <https://ray.io>`_ cluster. Needs the package ``ray``.

.. code-block:: python

    run = andor.ray.run(andor.read("theorems.jsonl"), out="runs/first", num_provers=96, pass_k=4)
    for result in run:
        print(result)

The attempts are those of :meth:`andor.Run.start`, and so are the results and the files. These stay with this process: what has
arrived is kept, whatever happens to workers, nodes or this process, and ``andor.ray.resume``, ``andor.Run.resume`` or
``andor run --resume`` goes on from there.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from typing import Any

from . import _andor, parts
from ._cluster import Cluster, Driver, connect
from ._settings import Config, assembled
from .dataset import Provable, the_dataset
from .errors import AndorError
from .run import Run

__all__ = ["resume", "run"]


def run(
    dataset: Provable,
    *,
    out: str | os.PathLike[str] | None = None,
    pass_k: int = 1,
    keep: str = "all",
    config: Config = None,
    address: str | None = None,
    num_provers: int | None = None,
    num_cpus_per_prover: float = 1,
    serve: Mapping[str, str | Sequence[str]] | None = None,
    num_tac_gen: int = 1,
    num_gpus_per_tac_gen: float = 1,
    num_cpus_per_tac_gen: float = 1,
    **options: Any,
) -> Run:
    """Starts a run on Ray: on the cluster that this process is connected to, at ``address``, at ``$RAY_ADDRESS``, or on this machine.

    ``num_provers`` workers make one attempt at a time, by default one for each ``num_cpus_per_prover`` processors that no server
    takes. ``serve`` names model servers: for a model of the configuration, a command with ``{port}``, of which Ray starts
    ``num_tac_gen`` replicas, or the addresses of servers. Worker *i* asks server *i* mod *n*. Everything else is as for :meth:`andor.Run.start`.
    """
    cluster = _cluster(locals())
    roles = parts.taken(options)
    made = assembled(options, config, roles)
    folder, theorems = None if out is None else os.fspath(out), the_dataset(dataset)
    with _remote(cluster, roles) as remote:
        return Run(_andor.run(theorems, made, out=folder, pass_k=pass_k, keep=keep, remote=remote))


def resume(
    out: str | os.PathLike[str],
    *,
    keep: str = "all",
    address: str | None = None,
    num_provers: int | None = None,
    num_cpus_per_prover: float = 1,
    serve: Mapping[str, str | Sequence[str]] | None = None,
    num_tac_gen: int = 1,
    num_gpus_per_tac_gen: float = 1,
    num_cpus_per_tac_gen: float = 1,
    **own: Any,
) -> Run:
    """Continues the run in a folder, wherever it was begun. Parts written in Python are given again."""
    cluster = _cluster(locals())
    roles = parts.only(own)
    made = parts.made(roles)
    with _remote(cluster, roles) as remote:
        return Run(_andor.resume(os.fspath(out), keep=keep, parts=made, remote=remote))


def _cluster(arguments: Mapping[str, Any]) -> Cluster:
    given = {field.name: arguments[field.name] for field in fields(Cluster)}
    return Cluster(**{**given, "serve": given["serve"] or {}})


@contextmanager
def _remote(cluster: Cluster, roles: Sequence[parts.Role]) -> Iterator[_andor.Remote]:
    """A driver in this process, as a run takes it. It ends with the run, or at once if none begins."""
    owns_ray = connect(cluster.address)
    drivers: list[Driver] = []
    remote = _andor.Remote(lambda line: drivers[0].take(line))
    drivers.append(Driver(cluster, roles, remote.receive, owns_ray))
    try:
        yield remote
    except BaseException:
        drivers[0].end()
        raise


def _drive(settings: str) -> None:
    """Drives a run of the program, which writes to the standard input and reads the standard output."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(line: str) -> None:
        try:
            out.write(line + "\n")
            out.flush()
        except BrokenPipeError:
            # The program has ended, and its end is noticed below.
            pass

    cluster = Cluster(**json.loads(settings))
    try:
        owns_ray = connect(cluster.address)
    except AndorError as error:
        say(json.dumps({"failed": str(error)}))
        return
    driver = Driver(cluster, [], say, owns_ray)
    for line in sys.stdin:
        driver.take(line)
        if driver.is_over:
            return
    driver.end()


if __name__ == "__main__":
    _drive(sys.argv[1])
