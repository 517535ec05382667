"""Workers and model servers on a Ray cluster, and the driver that hands jobs to them.

The driver belongs to the process that owns the run: it gets jobs and writes answers as lines of JSON (``crates/run/src/remote.rs``).
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
import traceback
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from urllib.parse import urlsplit, urlunsplit

try:
    import ray
except ImportError as error:
    raise ImportError("runs on a cluster need the package ray: pip install 'andor[ray]'") from error

from . import _andor, parts
from ._call import Call
from .errors import AndorError

#: How often a job is given to another worker after one was lost with it, and how often a process may die before it is ready.
TRIES = 3

#: How often the job that waits longest is passed over for one with the header that a worker has loaded.
PATIENCE = 8

#: Among how many waiting jobs, or idle workers, one is chosen.
CHOICE = 64

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


class Failed(Exception):
    """The run cannot go on."""


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


def _last_line(error: BaseException) -> str:
    """Of what a remote call raised, the exception itself."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__


# What runs on the nodes.


class Prover:
    """Makes attempts, one at a time, with provers that stay warm."""

    def __init__(self, beginning: str, roles: Sequence[parts.Role], variables: Mapping[str, str]) -> None:
        os.environ.update(variables)
        folder = json.loads(beginning)["folder"]
        if os.path.isdir(folder):
            os.chdir(folder)
        self._worker = _andor.Worker(beginning, parts.made(roles))
        self._calls: dict[int, Call[tuple[str, str]]] = {}
        self._files = parts.Folder()

    async def ready(self, addresses: dict[str, str]) -> tuple[str, str, str]:
        """Waits until it can begin. Says on which node it is, its name, and what it found of the proof assistants."""
        found = await Call(self._worker.ready(addresses), str)
        context = ray.get_runtime_context()
        return context.get_node_id(), f"{socket.gethostname()} (process {os.getpid()})", found

    async def attempt(
        self, number: int, attempt: str, shared: str, keeps_files: bool, addresses: dict[str, str]
    ) -> tuple[str, str, dict[str, bytes]]:
        """Makes an attempt. Returns its result, what it adds to what is shared, and its files, by their paths."""
        folder = os.path.join(self._files.name, str(number))
        kept = folder if keeps_files else None
        call: Call[tuple[str, str]] = Call(self._worker.attempt(attempt, shared, kept, addresses), tuple)
        self._calls[number] = call
        try:
            result, news = await call
            return result, news, _read(folder)
        finally:
            del self._calls[number]
            shutil.rmtree(folder, ignore_errors=True)

    async def cancel(self, number: int) -> None:
        if number in self._calls:
            self._calls[number].cancel()


def _read(folder: str) -> dict[str, bytes]:
    files = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


def _write(folder: str, files: Mapping[str, bytes]) -> None:
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)


class TacGen:
    """A model server, started by a command. It ends with this process."""

    def __init__(self, command: str, address: str, folder: str) -> None:
        host = ray.util.get_node_ip_address()
        with socket.socket() as probe:
            probe.bind((host, 0))
            port = probe.getsockname()[1]
        words = [word.replace("{port}", str(port)).replace("{host}", host) for word in shlex.split(command)]
        parts = urlsplit(address)
        self._address = urlunsplit((parts.scheme, f"{host}:{port}", *parts[2:]))
        self._errors = tempfile.TemporaryFile()
        self._server = subprocess.Popen(
            words,
            cwd=folder if os.path.isdir(folder) else None,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._errors,
            preexec_fn=_die_with_parent,
        )

    async def ready(self) -> str:
        """Waits until the server answers, and returns its address."""
        while self._server.poll() is None:
            if await asyncio.to_thread(self._answers):
                return self._address
            await asyncio.sleep(0.1)
        raise Failed(await self.ended())

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(self._address.rstrip("/") + "/models", timeout=5):
                return True
        except urllib.error.HTTPError as error:
            # Whoever asks for a key is there.
            return error.code in (401, 403)
        except OSError:
            return False

    async def ended(self) -> str:
        """Waits for the end of the server, and says how it ended."""
        status = await asyncio.to_thread(self._server.wait)
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - 1000))
        said = self._errors.read().decode(errors="replace").strip()
        return f"it ended with status {status}" + (f": {said}" if said else "")


def _die_with_parent() -> None:
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


# What runs with the owner.


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
    #: Grows with each start.
    start: int = 0
    ready: asyncio.Event = field(default_factory=asyncio.Event)


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
        self._actors: set[Any] = set()
        self._is_ready = False
        self._deaths = 0
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
            for actor in self._actors:
                ray.kill(actor)
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
                self._servers[name] = [_Server(name) for _ in range(cluster.num_tac_gen)]
                address = models[name]["base_url"]
                tasks += [self._keep_server(server, served, address) for server in self._servers[name]]
            else:
                self._servers[name] = [_Server(name, address) for address in served]
                for server in self._servers[name]:
                    server.ready.set()
        number = cluster.num_provers
        if number is None:
            each = cluster.num_cpus_per_prover or 1
            number = max(1, int(ray.cluster_resources().get("CPU", 1) / each))
        self._number = number
        return tasks + [self._keep_prover(place) for place in range(number)]

    async def _keep_server(self, server: _Server, command: str, address: str) -> None:
        """Starts a replica, and starts it again when it ends."""
        cluster = self._cluster
        kind = ray.remote(num_gpus=cluster.num_gpus_per_tac_gen, num_cpus=cluster.num_cpus_per_tac_gen)(TacGen)
        deaths = 0
        while True:
            actor = kind.remote(command, address, self._begun["folder"])
            self._actors.add(actor)
            try:
                server.address = await self._within_limit(actor.ready.remote(), f"the server of `{server.name}`")
                deaths = 0
                server.start += 1
                server.ready.set()
                how = await actor.ended.remote()
            except ray.exceptions.RayError as error:
                how = _last_line(error)
            server.ready.clear()
            # An attempt asks the address that it began with, and the server gets another.
            for job in self._jobs.values():
                if job.at is not None and server in job.servers:
                    job.at.cancel.remote(job.number)
            deaths += 1
            if deaths == TRIES:
                raise Failed(f"the server of `{server.name}` does not start: {how}")
            self._tell(note=f"a server of `{server.name}` is started again: {how}")
            self._actors.discard(actor)
            ray.kill(actor)

    @staticmethod
    async def _within_limit(ready: Any, what: str) -> Any:
        limit = float(os.environ.get("MODEL_READINESS_TIMEOUT") or 600)
        try:
            return await asyncio.wait_for(ready, limit)
        except asyncio.TimeoutError:
            raise Failed(f"{what} was not ready within {limit:g} s ($MODEL_READINESS_TIMEOUT)") from None

    async def _addresses(self, place: int) -> tuple[dict[str, str], list[tuple[_Server, int]]]:
        """The model servers of a worker: of each model, the replica of its number."""
        mine = [replicas[place % len(replicas)] for replicas in self._servers.values()]
        for server in mine:
            await server.ready.wait()
        return {server.name: str(server.address) for server in mine}, [(server, server.start) for server in mine]

    async def _keep_prover(self, place: int) -> None:
        """Starts a worker, gives it jobs, and starts another when it is lost."""
        kind = ray.remote(num_cpus=self._cluster.num_cpus_per_prover, max_concurrency=16)(Prover)
        variables = {name: os.environ[name] for name in VARIABLES if name in os.environ}
        beginning = json.dumps(self._begun)
        while True:
            addresses, _ = await self._addresses(place)
            actor = kind.remote(beginning, self._roles, variables)
            self._actors.add(actor)
            try:
                node, name, found = await actor.ready.remote(addresses)
            except ray.exceptions.RayTaskError as error:
                raise Failed(f"a worker cannot begin: {_last_line(error)}") from None
            except ray.exceptions.RayError as error:
                self._actors.discard(actor)
                self._deaths += 1
                if self._deaths == TRIES:
                    raise Failed(f"workers die before they begin: {_last_line(error)}") from None
                continue
            self._deaths = 0
            self._tell(worker={"name": name, "found": json.loads(found)})
            if not self._is_ready:
                self._is_ready = True
                # As many more wait, so that there is something to choose from.
                self._tell(ready=2 * self._number)
            header = None
            while True:
                job = await self._next(header)
                try:
                    await self._make(job, actor, place)
                except ray.exceptions.RayError as error:
                    self._lost(job, node, name, error)
                    break
                header = job.header
            self._actors.discard(actor)
            ray.kill(actor)

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
            self._again(job, _last_line(error))
            return
        if any(server.start != start or not server.ready.is_set() for server, start in servers):
            failed = json.loads(result)["outcome"] in ("infrastructure_error", "interrupted")
            if failed and not job.is_cancelled:
                self._again(job, "the model server ended")
                return
        if job.folder is not None and files:
            await asyncio.to_thread(_write, job.folder, files)
        del self._jobs[job.number]
        self._say(f'{{"done":{job.number},"result":{result},"shared":{news}}}')

    def _lost(self, job: _Job, node: str, name: str, error: Exception) -> None:
        """A worker is gone with its job. That its node is gone says nothing about the job."""
        alive = {about["NodeID"] for about in ray.nodes() if about["Alive"]}
        if node not in alive or getattr(error, "preempted", False):
            job.tries -= 1
        self._again(job, f"the worker {name} is gone")

    def _again(self, job: _Job, why: str) -> None:
        job.at = None
        job.tries += 1
        if job.is_cancelled:
            self._done(job)
        elif job.tries >= TRIES:
            self._done(job, lost=f"it failed {TRIES} times, on different workers; at last: {why}")
        else:
            self._tell(note=f"an attempt is made again: {why}")
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
