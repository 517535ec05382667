"""The driver of a run on a Ray cluster: it starts workers and model servers, and hands jobs to the workers.

The driver belongs to the process that owns the run: it gets jobs and writes answers as lines of JSON (``crates/run/src/remote.rs``).
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import threading
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

try:
    import ray
except ImportError as error:
    raise ImportError("runs on a cluster need the package ray: pip install 'andor[ray]'") from error

from . import parts
from ._nodes import Prover, TacGen
from ._recovery import Failed, Group, Late, cause
from .errors import AndorError

#: How often a job is given to another worker after one was lost with it.
TRIES = 3

#: How often the job that waits longest is passed over for one with the header that a worker has loaded.
PATIENCE = 8

#: Among how many waiting jobs, or idle workers, one is chosen.
CHOICE = 64

#: Every how many seconds a worker looks whether a model server is there that was not started here.
LOOK = 10.0

#: Variables that workers get from the driver.
VARIABLES = ("MODEL_READINESS_TIMEOUT", "LOG_RATE", "LOG_RATE_FREQUENT_EVENT")


@dataclass(frozen=True)
class Cluster:
    """Where a run is made, and with what. The names are those of BFS-Prover."""

    address: str | None = None
    #: Workers; by default as many as the cluster has processors for.
    num_provers: int | None = None
    num_cpus_per_prover: float = 1
    #: Models by name: a command that starts a server, or the addresses of servers.
    serve: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    num_tac_gen: int = 1
    num_gpus_per_tac_gen: float = 1
    num_cpus_per_tac_gen: float = 1

    def __post_init__(self) -> None:
        for name in ("num_provers", "num_tac_gen"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise ValueError(f"{name}={getattr(self, name)}: give at least 1")
        for name in ("num_cpus_per_prover", "num_gpus_per_tac_gen", "num_cpus_per_tac_gen"):
            if not getattr(self, name) >= 0:
                raise ValueError(f"{name}={getattr(self, name)}: give 0 or more")
        for name, served in self.serve.items():
            if isinstance(served, str) and "{port}" not in served:
                raise ValueError(f"serve: the command of `{name}` must say where the port goes, by {{port}}")
            if not served:
                raise ValueError(f"serve: give a command or addresses for `{name}`")


def connect(address: str | None) -> bool:
    """Connects to Ray, unless this process has. Says whether it did."""
    if ray.is_initialized():
        return False
    try:
        try:
            _init(address)
        except ConnectionAbortedError:
            # The client server could not start the process that serves us. It forks beside threads, which fails now and then.
            _init(address)
    except Exception as error:
        where = address or os.environ.get("RAY_ADDRESS") or "this machine"
        hint = _OUTSIDE if where.startswith("ray://") and isinstance(error, ConnectionError) else ""
        raise AndorError(f"Ray at {where} cannot be used: {_first_line(error)}{hint}", "Ray") from error
    return True


def _init(address: str | None) -> None:
    ray.init(address=address, log_to_driver=False, logging_level="error")


#: Ray's client says no more than that time is up, also to those who lack the token.
_OUTSIDE = (
    "; is this the address of its client server (port 10001, if not set otherwise)? A cluster that authenticates its users "
    "needs RAY_AUTH_MODE=token and its token, in RAY_AUTH_TOKEN for example"
)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    # A colon announces the reason.
    return " ".join(lines[:2]) if lines[0].endswith(":") else lines[0]


@dataclass(eq=False)
class _Job:
    number: int
    header: str
    attempt: str
    shared: str
    folder: str | None
    #: The worker that has it, and the model servers that it asks.
    at: Any = None
    servers: Sequence[_Server] = ()
    tries: int = 0
    passed_over: int = 0
    is_cancelled: bool = False


@dataclass(eq=False)
class _Server:
    """A replica of a model server."""

    name: str
    address: str | None = None
    #: Whether it was running before, and is not ours to start.
    is_given: bool = False
    #: Grows with each start.
    start: int = 0
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    #: Whether it was lost, or failed to start, and others take its place.
    down: asyncio.Event = field(default_factory=asyncio.Event)

    def up(self) -> None:
        self.start += 1
        self.down.clear()
        self.ready.set()


class Driver:
    """Hands the jobs of a run to workers. It lives in a thread with an event loop of its own."""

    def __init__(self, cluster: Cluster, roles: Sequence[parts.Role], say: Callable[[str], object], owns_ray: bool) -> None:
        self._cluster = cluster
        self._roles = roles
        self._say = say
        self._owns_ray = owns_ray
        self._loop = asyncio.new_event_loop()
        self._begun: dict[str, Any] = {}
        self._over = asyncio.Event()
        #: Whether the owner has said its last line.
        self.is_over = False
        self._waiting: list[_Job] = []
        self._jobs: dict[int, _Job] = {}
        #: Workers without a job: what they have loaded, and who gets the job.
        self._idle: dict[asyncio.Future[_Job], str | None] = {}
        self._servers: dict[str, list[_Server]] = {}
        #: The workers that get jobs, by their places.
        self._able: dict[int, Any] = {}
        self._is_ready = False
        self._thread = threading.Thread(target=self._run, name="andor driver", daemon=True)
        self._thread.start()

    def take(self, line: str) -> None:
        """Takes a line of the owner. With the last one, it waits for the end of what was started."""
        said = json.loads(line)
        if "end" in said:
            self.is_over = True
            self.end()
        else:
            self._call(self._take, said)

    def end(self) -> None:
        self._call(self._over.set)
        self._thread.join(20)

    def _call(self, function: Callable[..., object], *arguments: Any) -> None:
        try:
            self._loop.call_soon_threadsafe(function, *arguments)
        except RuntimeError:
            # It has ended already.
            pass

    def _tell(self, **line: Any) -> None:
        self._say(json.dumps(line))

    def _run(self) -> None:
        try:
            self._loop.run_until_complete(self._work())
        except Failed as error:
            self._tell(failed=str(error))
        except Exception as error:
            traceback.print_exception(error)
            self._tell(failed=f"Ray failed: {type(error).__name__}: {_first_line(error)}")
        finally:
            self._loop.close()

    def _take(self, said: dict[str, Any]) -> None:
        if "begin" in said:
            self._begun = said["begin"]
            self._began.set()
        elif "job" in said:
            attempt, shared = json.dumps(said["attempt"]), json.dumps(said["shared"])
            job = _Job(said["job"], said["header"], attempt, shared, said["folder"])
            self._jobs[job.number] = job
            self._queue(job)
        elif "cancel" in said and (job := self._jobs.get(said["cancel"])):
            job.is_cancelled = True
            if job.at is not None:
                job.at.cancel.remote(job.number)
            elif job in self._waiting:
                self._waiting.remove(job)
                self._done(job)

    def _done(self, job: _Job, **what: str) -> None:
        del self._jobs[job.number]
        self._tell(done=job.number, **what)

    async def _work(self) -> None:
        self._began = asyncio.Event()
        over = asyncio.ensure_future(self._over.wait())
        tasks = [asyncio.ensure_future(self._start())]
        try:
            await asyncio.wait([over, *tasks], return_when=asyncio.FIRST_COMPLETED)
            if tasks[0].done():
                tasks = [asyncio.ensure_future(task) for task in tasks[0].result()]
                await asyncio.wait([over, *tasks], return_when=asyncio.FIRST_COMPLETED)
            for task in tasks:
                if task.done():
                    task.result()
        finally:
            for task in [over, *tasks]:
                task.cancel()
            await asyncio.gather(over, *tasks, return_exceptions=True)
            if self._owns_ray:
                ray.shutdown()

    async def _start(self) -> list[Any]:
        await self._began.wait()
        cluster = self._cluster
        models = self._begun["config"]["models"]
        tasks: list[Any] = []
        for name, served in cluster.serve.items():
            if name not in models:
                raise Failed(f"`{name}` is to be served, and there is no [models.{name}] in the configuration")
            if isinstance(served, str):
                replicas = self._servers[name] = [_Server(name) for _ in range(cluster.num_tac_gen)]
                asks = {"GPU": cluster.num_gpus_per_tac_gen, "CPU": cluster.num_cpus_per_tac_gen}
                group = Group(f"server of `{name}`", len(replicas), asks, self._note)
                address = models[name]["base_url"]
                tasks += [self._keep_server(server, served, address, group, i) for i, server in enumerate(replicas)]
            else:
                self._servers[name] = [_Server(name, address, is_given=True) for address in served]
                for server in self._servers[name]:
                    server.up()
                    tasks.append(self._watch(server))
        number = cluster.num_provers
        if number is None:
            started = [server for replicas in self._servers.values() for server in replicas if not server.is_given]
            for_servers = len(started) * cluster.num_cpus_per_tac_gen
            each = cluster.num_cpus_per_prover or 1
            number = max(1, int((ray.cluster_resources().get("CPU", 1) - for_servers) / each))
        self._number = number
        self._workers = Group("worker", number, {"CPU": cluster.num_cpus_per_prover}, self._note)
        return tasks + [self._keep_prover(place) for place in range(number)]

    def _note(self, note: str) -> None:
        self._tell(note=note)

    @contextmanager
    def _actor(self, kind: Any) -> Iterator[Any]:
        actor = kind.remote()
        try:
            yield actor
        finally:
            ray.kill(actor)

    # Model servers.

    async def _keep_server(self, server: _Server, command: str, address: str, group: Group, place: int) -> None:
        """Starts a replica, and starts it again when it ends."""
        cluster = self._cluster
        kind = ray.remote(num_gpus=cluster.num_gpus_per_tac_gen, num_cpus=cluster.num_cpus_per_tac_gen)(TacGen)
        while True:
            failure: Exception | None = None
            with self._actor(kind) as actor:
                try:
                    await group.room(place, actor.where.remote())
                    server.address = await self._within_limit(actor.ready.remote(command, address, self._begun["folder"]))
                except (ray.exceptions.RayError, Late) as error:
                    failure = error
                else:
                    group.ready(place)
                    server.up()
                    how = await self._end_of(actor)
                    group.ended(place)
                    self._note(f"a server of `{server.name}` is started again: {how}")
            self._down(server)
            if failure is not None:
                await group.failed(place, failure)

    @staticmethod
    async def _end_of(actor: Any) -> str:
        try:
            return await actor.ended.remote()
        except ray.exceptions.RayError as error:
            return cause(error)

    @staticmethod
    async def _within_limit(ready: Any) -> Any:
        limit = float(os.environ.get("MODEL_READINESS_TIMEOUT") or 600)
        try:
            return await asyncio.wait_for(ready, limit)
        except asyncio.TimeoutError:
            raise Late(f"it was not ready within {limit:g} s ($MODEL_READINESS_TIMEOUT)") from None

    def _down(self, server: _Server) -> None:
        server.ready.clear()
        server.down.set()
        # An attempt asks the address that it began with.
        for job in self._jobs.values():
            if job.at is not None and server in job.servers:
                job.at.cancel.remote(job.number)

    async def _addresses(self, place: int) -> tuple[dict[str, str], list[tuple[_Server, int]]]:
        """The model servers of a worker, and which start of them this is."""
        mine = [await self._replica(replicas, place % len(replicas)) for replicas in self._servers.values()]
        return {server.name: str(server.address) for server in mine}, [(server, server.start) for server in mine]

    async def _replica(self, replicas: Sequence[_Server], number: int) -> _Server:
        """The replica of a number or, while that is down, the next that answers."""
        await _any([replicas[number].ready, replicas[number].down])
        if self._are_gone(replicas) and not self._is_ready:
            # None of the addresses has ever answered. The worker finds out what is wrong with this one.
            return replicas[number]
        while True:
            for server in [*replicas[number:], *replicas[:number]]:
                if server.ready.is_set():
                    return server
            answer = _any([server.ready for server in replicas])
            try:
                await (self._within_limit(answer) if self._are_gone(replicas) else answer)
            except Late:
                where = ", ".join(str(server.address) for server in replicas)
                raise Failed(f"no server of `{replicas[0].name}` answers any more: {where}") from None

    @staticmethod
    def _are_gone(replicas: Sequence[_Server]) -> bool:
        """Whether none answers, and none is ours to start."""
        return all(server.is_given and server.down.is_set() for server in replicas)

    async def _have_ended(self, actor: Any, servers: Sequence[tuple[_Server, int]]) -> bool:
        """Whether a model server of a worker ended since. Of those that are not ours, the worker knows."""
        for server, start in servers:
            is_same = server.start == start and server.ready.is_set()
            if server.is_given and is_same and not await actor.reaches.remote(server.address):
                self._miss(server)
        return any(server.start != start or not server.ready.is_set() for server, start in servers)

    def _miss(self, server: _Server) -> None:
        self._note(f"the server of `{server.name}` at {server.address} does not answer any more")
        self._down(server)

    async def _watch(self, server: _Server) -> None:
        """Looks whether a server that is not ours is there."""
        misses = 0
        while True:
            await asyncio.sleep(LOOK)
            misses = 0 if await self._is_reached(server) else misses + 1
            if misses >= 2 and server.ready.is_set():
                self._miss(server)
            elif not misses and server.down.is_set():
                self._note(f"the server of `{server.name}` at {server.address} is asked again")
                server.up()

    async def _is_reached(self, server: _Server) -> bool:
        """Whether a worker reaches a server; we may be elsewhere. If there is no worker, the next one finds out."""
        try:
            return not self._able or await random.choice(list(self._able.values())).reaches.remote(server.address)
        except ray.exceptions.RayError:
            return True

    # Workers.

    async def _keep_prover(self, place: int) -> None:
        """Starts a worker, gives it jobs, and starts another when it is lost."""
        kind = ray.remote(num_cpus=self._cluster.num_cpus_per_prover, max_concurrency=16)(Prover)
        variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        beginning = json.dumps(self._begun)
        group = self._workers
        while True:
            # Servers take their room first. They may be others once there is room for the worker.
            await self._addresses(place)
            failure: Exception | None = None
            servers: Sequence[tuple[_Server, int]] = ()
            with self._actor(kind) as actor:
                try:
                    await group.room(place, actor.where.remote())
                    addresses, servers = await self._addresses(place)
                    name, found = await actor.ready.remote(beginning, self._roles, variables, addresses)
                except ray.exceptions.RayError as error:
                    failure, is_moved = error, await self._is_moved(actor, servers)
                else:
                    group.ready(place)
                    self._tell(worker={"name": name, "found": json.loads(found)})
                    if not self._is_ready:
                        self._is_ready = True
                        # As many more wait, so that there is something to choose from.
                        self._tell(ready=2 * self._number)
                    self._able[place] = actor
                    await self._use(actor, name, place)
                    del self._able[place]
                    group.ended(place)
            if failure is not None:
                await group.failed(place, failure, counts=not is_moved)

    async def _is_moved(self, actor: Any, servers: Sequence[tuple[_Server, int]]) -> bool:
        """Whether a worker could not begin because of a server that has a successor."""
        try:
            ended = await self._have_ended(actor, servers)
        except ray.exceptions.RayError:
            return False
        return ended and not any(map(self._are_gone, self._servers.values()))

    async def _use(self, actor: Any, name: str, place: int) -> None:
        """Gives a worker jobs until it is lost."""
        header = None
        while True:
            job = await self._next(header)
            try:
                await self._make(job, actor, place)
            except ray.exceptions.RayError as error:
                # That its node is gone says nothing about the job.
                if self._workers.is_lost(place, error):
                    job.tries -= 1
                self._again(job, f"the worker {name} is gone")
                return
            header = job.header

    async def _make(self, job: _Job, actor: Any, place: int) -> None:
        addresses, servers = await self._addresses(place)
        if job.is_cancelled:
            self._done(job)
            return
        job.at, job.servers = actor, [server for server, _ in servers]
        try:
            keeps_files = job.folder is not None
            answer = actor.attempt.remote(job.number, job.attempt, job.shared, keeps_files, addresses)
            result, news, files = await answer
        except ray.exceptions.RayTaskError as error:
            # The worker lives, and cannot do it.
            self._again(job, cause(error))
            return
        failed = servers and json.loads(result)["outcome"] in ("infrastructure_error", "interrupted")
        if failed and not job.is_cancelled and await self._have_ended(actor, servers):
            self._again(job, "the model server ended")
            return
        if job.folder is not None and files:
            await asyncio.to_thread(_write, job.folder, files)
        del self._jobs[job.number]
        self._say(f'{{"done":{job.number},"result":{result},"shared":{news}}}')

    def _again(self, job: _Job, why: str) -> None:
        job.at = None
        job.tries += 1
        if job.is_cancelled:
            self._done(job)
        elif job.tries >= TRIES:
            self._done(job, lost=f"it failed {TRIES} times, on different workers; at last: {why}")
        else:
            self._note(f"an attempt is made again: {why}")
            self._queue(job, first=True)

    # Which worker gets which job: provers stay warm if the header is the one before.

    def _queue(self, job: _Job, first: bool = False) -> None:
        if not self._idle:
            self._waiting.insert(0 if first else len(self._waiting), job)
            return
        idle = list(islice(self._idle, CHOICE))
        same = [taker for taker in idle if self._idle[taker] == job.header]
        fresh = [taker for taker in idle if self._idle[taker] is None]
        taker = (same or fresh or idle)[0]
        del self._idle[taker]
        taker.set_result(job)

    async def _next(self, header: str | None) -> _Job:
        if not self._waiting:
            taker: asyncio.Future[_Job] = self._loop.create_future()
            self._idle[taker] = header
            try:
                return await taker
            finally:
                self._idle.pop(taker, None)
        oldest = self._waiting[0]
        same = next((job for job in self._waiting[:CHOICE] if job.header == header), oldest)
        if same is not oldest and oldest.passed_over < PATIENCE:
            oldest.passed_over += 1
            self._waiting.remove(same)
            return same
        return self._waiting.pop(0)


async def _any(events: Sequence[asyncio.Event]) -> None:
    """Waits for the first of several events."""
    waits = [asyncio.ensure_future(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()


def _write(folder: str, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)
