"""What goes wrong on a cluster before workers and model servers are ready, on a real Ray."""

import asyncio
import json
import os
import re
import signal
import socket
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import andor
import andor.ray
import pytest
import ray
from andor import _cluster, _recovery
from andor._cluster import Driver
from andor._recovery import FIRST, LONGEST, Failed, Group, pause

DATA = "examples/quantifiers.lean"
OPTIONS = {"in_process": True, "max_iterations": 30, "time": None, "seed": 3}


def until(holds):
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture
def notes(monkeypatch):
    """What a run says."""
    said, tell = [], Driver._tell

    def listen(driver, **line):
        said.append(line.get("note", ""))
        tell(driver, **line)

    monkeypatch.setattr(Driver, "_tell", listen)
    return said


class Provider:
    """Something happens where it arrives, unless that is one of some nodes. It answers as soon as there is a file `go`."""

    def __init__(self, folder, happens, except_at):
        self.arguments = folder, happens, except_at

    def __reduce__(self):
        return arrived, self.arguments

    def __call__(self, request):
        until((self.arguments[0] / "go").exists)
        return ["intro h"]


def arrived(folder, happens, except_at):
    node = ray.get_runtime_context().get_node_id()
    if node not in except_at:
        with open(folder / "arrived", "a") as file:
            file.write(node + "\n")
        happens()
    return Provider(folder, happens, except_at)


def arrivals(folder):
    file = folder / "arrived"
    return len(file.read_text().splitlines()) if file.exists() else 0


def hang():
    while True:
        signal.pause()


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def find_no_lean():
    raise ValueError("no such lean")


def are_made(results):
    return {result.outcome for result in results} <= {"accepted", "not_proved"}


def test_lost_nodes_are_no_fault_of_workers(nodes, tmp_path, notes):
    steady = [node.node_id for node in nodes.worker_nodes]
    spot = nodes.add_node(num_cpus=2)
    provider = Provider(tmp_path, hang, steady)
    with andor.ray.run(andor.read(DATA)[:4], provider=provider, num_provers=4, **OPTIONS) as run:
        until(lambda: arrivals(tmp_path) == 2)
        nodes.remove_node(spot, allow_graceful=False)
        spot = nodes.add_node(num_cpus=2)
        until(lambda: arrivals(tmp_path) == 4)
        nodes.remove_node(spot, allow_graceful=False)
        gone = "a node is gone with a worker that was starting; another is started elsewhere"
        until(lambda: notes.count(gone) == 2)
        (tmp_path / "go").touch()
        assert are_made(run.wait())


def test_a_node_where_workers_do_not_start_is_told_and_the_others_work(nodes, tmp_path, notes):
    good = next(iter(nodes.worker_nodes)).node_id
    provider = Provider(tmp_path, find_no_lean, [good])
    with andor.ray.run(andor.read(DATA)[:4], provider=provider, num_provers=2, **OPTIONS) as run:
        until(lambda: arrivals(tmp_path) > _recovery.TRIES and "" in notes)
        (tmp_path / "go").touch()
        assert are_made(run.wait())
        (told,) = [note for note in notes if note]
        assert told.startswith("a worker does not start, and is tried again now and then (") and "no such lean" in told


@pytest.mark.parametrize("happens, said", [(die, "its process died"), (find_no_lean, "no such lean")])
def test_a_run_ends_if_no_worker_starts_for_the_same_reason(nodes, tmp_path, happens, said):
    run = andor.ray.run(andor.read(DATA)[:1], provider=Provider(tmp_path, happens, []), num_provers=1, **OPTIONS)
    with pytest.raises(andor.RunError, match=f"no worker starts: .*{said}"):
        run.wait()
    assert arrivals(tmp_path) == _recovery.TRIES


@ray.remote(num_cpus=1)
class Occupant:
    async def there(self):
        pass


@pytest.fixture
def occupants(nodes):
    """What takes all processors of the cluster."""
    ray.init(address=nodes.address, ignore_reinit_error=True, log_to_driver=False)
    actors = [Occupant.remote() for _ in nodes.worker_nodes]
    ray.get([actor.there.remote() for actor in actors])
    yield actors
    for actor in actors:
        ray.kill(actor)
    ray.shutdown()


def test_a_server_that_waits_for_room_is_not_late(occupants, tmp_path, notes, monkeypatch):
    limit = 5
    monkeypatch.setenv("MODEL_READINESS_TIMEOUT", str(limit))
    monkeypatch.setattr(_recovery, "ROOM", limit + 1)
    (tmp_path / "v1").mkdir()
    (tmp_path / "v1" / "models").touch()
    (tmp_path / "go").touch()
    with andor.ray.run(
        andor.read(DATA)[:1], provider=Provider(tmp_path, hang, [node["NodeID"] for node in ray.nodes()]),
        config={"models": {"tiny": {"base_url": "http://localhost/v1", "model": "tiny"}}},
        serve={"tiny": f"{sys.executable} -m http.server --directory {tmp_path} {{port}}"},
        num_provers=1, num_cpus_per_prover=0, num_gpus_per_tac_gen=0, **OPTIONS,
    ) as run:
        until(lambda: notes)
        assert notes == ["0 of 1 servers of `tiny` run, and for 1 there is no room: each asks for 1 CPU"]
        ray.kill(occupants[0])
        assert are_made(run.wait())


def test_workers_without_room_are_told_once(occupants, tmp_path, notes, monkeypatch):
    monkeypatch.setattr(_recovery, "ROOM", 2)
    ray.kill(occupants[0])
    provider = Provider(tmp_path, hang, [node["NodeID"] for node in ray.nodes()])
    with andor.ray.run(andor.read(DATA)[:1], provider=provider, num_provers=3, **OPTIONS) as run:
        until(lambda: any(notes) and "" in notes)
        (tmp_path / "go").touch()
        assert are_made(run.wait())
        (told,) = [note for note in notes if note]
        assert re.fullmatch(r"\d of 3 workers run, and for \d there is no room: each asks for 1 CPU", told)


def test_who_has_room_and_what_no_node_has_is_told(occupants, monkeypatch):
    monkeypatch.setattr(_recovery, "ROOM", 0)
    told = []

    async def waits():
        group = Group("server of `m`", 3, {"GPU": 1, "CPU": 64}, told.append)
        found, *never = [asyncio.get_running_loop().create_future() for _ in range(3)]
        found.set_result("some node")
        await group.room(0, found)
        rooms = [asyncio.ensure_future(group.room(place, future)) for place, future in enumerate(never, 1)]
        while not told:
            await asyncio.sleep(0)
        for room in rooms:
            room.cancel()

    asyncio.run(waits())
    assert told == [
        "1 of 3 servers of `m` run, and for 2 there is no room: each asks for 1 GPU and 64 CPU, more than any node has"
    ]


def test_causes_are_counted_apart(occupants, monkeypatch):
    monkeypatch.setattr(_recovery, "FIRST", 0)
    told = []

    async def fails():
        group = Group("worker", 3, {"CPU": 1}, told.append)
        node = nodes_of_ray()[0]

        async def start(place):
            found = asyncio.get_running_loop().create_future()
            found.set_result(node)
            await group.room(place, found)

        async def fail(place, why):
            await start(place)
            await group.failed(place, ray.exceptions.RayTaskError("ready", why, None))

        for number in range(_recovery.TRIES - 1):
            await fail(0, f"process {number}: no lean")
            await fail(0, f"process {number}: no rocq")
        # One that starts for the first time may be better.
        await start(1)
        await fail(0, "process 7: no lean")
        group.ready(1)
        for _ in range(_recovery.TRIES):
            await fail(0, "process 8: no lean")
        group.ended(1)
        with pytest.raises(Failed, match="no worker starts: process 9: no lean"):
            await fail(1, "process 9: no lean")

    asyncio.run(fails())
    assert len(told) == 2


def nodes_of_ray():
    return [node["NodeID"] for node in ray.nodes() if node["Alive"]]


def test_pauses_grow_and_are_bounded():
    pauses = [pause(failures) for failures in range(1, 2000)]
    assert pauses[:3] == [FIRST, 2 * FIRST, 4 * FIRST] and max(pauses) == pauses[-1] == LONGEST


class Model(BaseHTTPRequestHandler):
    """A model server that always says the same."""

    def answer(self, what):
        text = json.dumps(what).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        self.answer({"data": [{"id": "m"}]})

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer({"choices": [{"index": 0, "text": "intro h", "finish_reason": "stop"}]})

    def log_message(self, *_):
        pass


class Dying(Model):
    """One that ends when it is asked after a worker has begun."""

    def do_POST(self):
        if "" in self.server.notes:
            self.server.shutdown()
            self.server.server_close()
        else:
            super().do_POST()


@pytest.fixture
def serve(notes):
    servers = []

    def start(handler, port=0):
        servers.append(ThreadingHTTPServer(("127.0.0.1", port), handler))
        servers[-1].notes = notes
        threading.Thread(target=servers[-1].serve_forever, args=[0.02], daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/v1"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def test_an_address_that_does_not_answer_has_a_successor(nodes, notes, serve, monkeypatch):
    """Of three servers, one is not there, one ends in the middle, and the third does the rest."""
    monkeypatch.setattr(_cluster, "LOOK", 0.2)
    with socket.socket() as taken:
        # It is bound, and does not listen.
        taken.bind(("127.0.0.1", 0))
        absent, dying = f"http://127.0.0.1:{taken.getsockname()[1]}/v1", serve(Dying)
        run = andor.ray.run(
            andor.read(DATA)[:9], config={"models": {"m": {"base_url": absent, "kind": "completions"}}}, provider="llm=m",
            serve={"m": [absent, dying, serve(Model)]}, num_provers=3, num_cpus_per_prover=0.5, model_wait=1,
            n_sampling_search=2, max_iterations=4, time=None, seed=3,
        )
        results = run.wait()
    assert are_made(results)
    lost = "the server of `m` at {} does not answer any more".format
    assert lost(absent) in notes and lost(dying) in notes


def test_attempts_wait_for_the_only_server_to_be_back(nodes, notes, serve, monkeypatch):
    monkeypatch.setattr(_cluster, "LOOK", 0.2)
    address = serve(Dying)
    with andor.ray.run(
        andor.read(DATA)[:2], config={"models": {"m": {"base_url": address, "kind": "completions"}}}, provider="llm=m",
        serve={"m": [address]}, num_provers=1, n_sampling_search=2, max_iterations=4, time=None, seed=3,
    ) as run:
        until(lambda: f"the server of `m` at {address} does not answer any more" in notes)
        serve(Model, urlsplit(address).port)
        assert are_made(run.wait())
    assert f"the server of `m` at {address} is asked again" in notes
