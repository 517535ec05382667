"""Runs on a real Ray, with several nodes on this machine; workers, nodes and drivers are killed in the middle."""

import json
import os
import signal
import socket
import subprocess
import sys

import andor
import andor.ray
import pytest
import ray
from andor._cluster import PATIENCE, Cluster, Driver, _Job, connect

OPTIONS = {"max_iterations": 30, "time": None, "seed": 3}
ARGUMENTS = ["--max-iterations", "30", "--time", "none", "--seed", "3"]
DATA = "examples/quantifiers.lean"

#: A theorem that gets no answer until something has happened.
STUCK = "somes_swap"


def comparable(results):
    """Results without what was measured, or depends on which prover was warm."""

    def one(result):
        result = {**result}
        del result["timing"]
        result["spent"] = {k: v for k, v in result["spent"].items() if not k.startswith("workers_")}
        result["spent"]["model"] = {k: v for k, v in result["spent"]["model"].items() if k != "waited_ms"}
        result["proof_steps"] = [{**step, "took_ms": 0} for step in result["proof_steps"]]
        return result

    return [one(result) for result in results]


def attempt_files(out):
    """The files of attempts that do not depend on time."""
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.name.startswith(("trace", "proof"))}


def provider(folder, trouble):
    """Answers by name. At the first attempt at one theorem there is trouble, once."""

    def by_name(request):
        name = request.theorem["name"]
        if name == STUCK:
            try:
                open(f"{folder}/met", "x").close()
            except FileExistsError:
                pass
            else:
                trouble(folder)
        with open(f"{folder}/asked", "a") as file:
            file.write(name + "\n")
        yield "intro h"
        yield "constructor"
        for line in request.goals[0].splitlines()[:-1]:
            yield f"exact {line.split(' :')[0]}"

    return by_name


def kill_worker(folder):
    os.kill(os.getpid(), signal.SIGKILL)


def hang(folder):
    """Says where, and waits for what never comes."""
    import threading

    import ray

    with open(f"{folder}/node", "w") as file:
        file.write(ray.get_runtime_context().get_node_id())
    threading.Event().wait()


def no_trouble(folder):
    pass


OWN = {"in_process": True, "pass_k": 2}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """What a run in this process makes of the same."""
    out = tmp_path_factory.mktemp("expected")
    made = provider(out, no_trouble)
    results = andor.Run.start(andor.read(DATA)[:8], provider=made, out=out / "run", **OWN, **OPTIONS).wait()
    assert 0 < len(results.proved) < len(results.best) == 8 < len(results)
    assert [result.outcome for result in results if result.theorem == STUCK] == ["not_proved"] * 2
    return results, attempt_files(out / "run")


def test_a_run_on_a_cluster_is_the_same_run(nodes, tmp_path):
    data, out = andor.read(DATA)[:10], tmp_path / "out"
    arriving = andor.ray.run(data, out=out, pass_k=2, **OPTIONS)
    assert {result.theorem for result in arriving} == {theorem.id for theorem in data}
    here = andor.Run.start(data, out=tmp_path / "here", pass_k=2, **OPTIONS).wait()
    assert comparable(arriving.wait()) == comparable(here) == comparable(andor.Run.results(out))
    assert attempt_files(out) == attempt_files(tmp_path / "here")
    # It is finished, wherever it is resumed.
    assert andor.Run.resume(out).wait() == arriving.wait()


def test_a_lost_worker_costs_its_attempt_only(nodes, tmp_path, expected):
    made = provider(tmp_path, kill_worker)
    run = andor.ray.run(andor.read(DATA)[:8], provider=made, out=tmp_path / "run", **OWN, **OPTIONS)
    results = run.wait()
    assert (tmp_path / "met").exists()
    assert comparable(results) == comparable(expected[0])
    assert attempt_files(tmp_path / "run") == expected[1]


def test_a_job_that_costs_one_worker_after_the_other_is_given_up(nodes, tmp_path):
    def deadly(request):
        os.kill(os.getpid(), signal.SIGKILL)

    results = andor.ray.run(andor.read(DATA)[:1], provider=deadly, in_process=True, **OPTIONS).wait()
    assert [result.outcome for result in results] == ["infrastructure_error"]
    assert "it failed 3 times, on different workers; at last: the worker" in results[0].infrastructure_error


def test_a_lost_node_costs_its_attempt_only(nodes, tmp_path, expected):
    made = provider(tmp_path, hang)
    run = andor.ray.run(andor.read(DATA)[:8], provider=made, out=tmp_path / "run", **OWN, **OPTIONS)
    arriving = iter(run)
    # One worker hangs, and the other does everything else.
    for _ in range(len(expected[0]) - 1):
        next(arriving)
    (node,) = [node for node in nodes.worker_nodes if node.node_id == (tmp_path / "node").read_text()]
    nodes.remove_node(node, allow_graceful=False)
    assert comparable(run.wait()) == comparable(expected[0])
    assert attempt_files(tmp_path / "run") == expected[1]
    nodes.add_node(num_cpus=1)


def test_a_killed_driver_loses_nothing_and_nothing_is_repeated(nodes, tmp_path, expected):
    driver = (
        "import andor, andor.ray, python.tests.test_ray as t\n"
        f"run = andor.ray.run(andor.read(t.DATA)[:8], provider=t.provider({str(tmp_path)!r}, t.hang), "
        f"out={str(tmp_path / 'run')!r}, **t.OWN, **t.OPTIONS)\n"
        "for result in run:\n  print(result.theorem, flush=True)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", driver], stdout=subprocess.PIPE, text=True)
    finished = [child.stdout.readline().strip() for _ in range(len(expected[0]) - 1)]
    asked = (tmp_path / "asked").read_text().splitlines()
    child.kill()
    child.wait()
    child.stdout.close()
    kept = andor.Run.results(tmp_path / "run")
    assert sorted(result.theorem for result in kept) == sorted(finished)
    run = andor.ray.resume(tmp_path / "run", provider=provider(tmp_path, no_trouble), in_process=True)
    assert comparable(run.wait()) == comparable(expected[0])
    assert attempt_files(tmp_path / "run") == expected[1]
    assert set((tmp_path / "asked").read_text().splitlines()[len(asked) :]) == {STUCK}


def test_what_is_proved_of_plans_is_shared(nodes, tmp_path):
    names = ["t0", "t1", "t2"]
    statement = "theorem {} (f : Nat → Nat) (h : ∀ n, f n = 0) : f 0 = 0 ∧ f 1 = 0 := by\n  sorry\n"
    (tmp_path / "t.lean").write_text("".join(map(statement.format, names)))
    plan = {"plan": ["have k0 : f 0 = 0", "have k1 : f 1 = 0"], "progress": 0}
    (tmp_path / "plans.json").write_text(json.dumps(dict.fromkeys(names, plan)))

    def only_steps(request):
        return ["exact h 0", "exact h 1"]

    run = andor.ray.run(
        andor.read(tmp_path / "t.lean"), provider=only_steps, in_process=True, num_provers=1, pass_k=2,
        plan=tmp_path / "plans.json", share_progress="run", ignore_partial_proof=True, out=tmp_path / "out",
        max_iterations=20, time=None,
    )
    by_attempt = {(result.theorem, result.attempt): result.sharing for result in run.wait()}
    assert all(by_attempt[name, 1]["accepted"] == 2 for name in names)
    assert all(by_attempt[name, 2]["closed"] == 2 for name in names)
    lines = (tmp_path / "out" / "progress.jsonl").read_text().splitlines()[1:]
    assert len(lines) == 6


def test_the_program_runs_on_a_cluster(nodes, tmp_path, program):
    out = tmp_path / "out"
    arguments = [program, "run", DATA, "--limit", "4", "--pass-k", "2", "--out", out, *ARGUMENTS]
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]
    variables = {**os.environ, "PATH": path}
    ended = subprocess.run([*arguments, "--on", "ray"], env=variables, capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1), ended.stderr
    here = andor.Run.start(andor.read(DATA)[:4], out=tmp_path / "here", pass_k=2, **OPTIONS).wait()
    assert comparable(andor.Run.results(out)) == comparable(here)
    assert attempt_files(out) == attempt_files(tmp_path / "here")


@pytest.fixture
def guarded(tmp_path):
    """A cluster that authenticates its users: the address of its client server, and what a user must know."""
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0123456789abcdef" * 2, "HOME": str(tmp_path)}
    variables = {**os.environ, **token}
    variables.pop("RAY_ADDRESS", None)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    ray_itself = os.path.join(os.path.dirname(sys.executable), "ray")
    command = [
        ray_itself, "start", "--head", "--block", "--port=0", f"--ray-client-server-port={port}", "--num-cpus=2",
        "--include-dashboard=false", "--disable-usage-stats",
    ]
    with open(tmp_path / "log", "w") as log:
        head = subprocess.Popen(command, env=variables, stdout=log, stderr=log)
    try:
        yield f"ray://127.0.0.1:{port}", variables
    finally:
        head.terminate()
        head.wait()


def test_the_program_asks_a_cluster_from_outside_with_its_token(guarded, tmp_path, program):
    address, variables = guarded
    out = tmp_path / "out"
    variables = {**variables, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}
    command = [program, "run", DATA, "--limit", "4", "--pass-k", "2", "--out", out, *ARGUMENTS, "--on", address]
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ended.returncode in (0, 1), ended.stderr
    here = andor.Run.start(andor.read(DATA)[:4], out=tmp_path / "here", pass_k=2, **OPTIONS).wait()
    assert comparable(andor.Run.results(out)) == comparable(here)
    assert attempt_files(out) == attempt_files(tmp_path / "here")


def test_who_cannot_connect_is_told_of_tokens(monkeypatch):
    def late(**_):
        raise ConnectionError("ray client connection timeout")

    monkeypatch.setattr(ray, "init", late)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(andor.AndorError) as error:
        connect("ray://head:10001")
    assert "ray client connection timeout" in str(error.value) and "RAY_AUTH_TOKEN" in str(error.value)


@pytest.mark.parametrize("failures", [1, 2])
def test_a_client_server_that_fails_once_is_asked_again(monkeypatch, failures):
    asked = []

    def init(**_):
        asked.append(1)
        if len(asked) <= failures:
            raise ConnectionAbortedError("Initialization failure from server:\nno process\nmore")

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    if failures == 1:
        assert connect("ray://head:10001")
    else:
        with pytest.raises(andor.AndorError, match="from server: no process"):
            connect("ray://head:10001")
    assert len(asked) == 2


def test_the_program_says_that_its_driver_died(tmp_path, program):
    """One that takes a job, and ends."""
    driver = tmp_path / "python3"
    driver.write_text("#!/bin/sh\nread begin; echo '{\"ready\": 2}'; read job; echo gone >&2; exit 3\n")
    driver.chmod(0o755)
    variables = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    command = [program, "run", DATA, "--limit", "1", "--on", "ray", "--out", tmp_path / "out"]
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "Ray's driver ended (exit status: 3): gone; what is finished is kept" in ended.stderr
    again = subprocess.run(command[:-4] + command[-2:] + ["--resume"], capture_output=True, text=True, check=False)
    assert again.returncode in (0, 1)


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--on", "ray"], "install the Python packages andor and ray"),
        (["--on", "spark"], "give `ray` or `ray://HOST:PORT`"),
        (["--on", "ray", "--jobs", "2"], "cannot be used with '--jobs"),
        (["--on", "ray", "--serve", "m=server"], "where the port goes"),
        (["--num-provers", "2"], "--on"),
    ],
)
def test_the_program_says_what_is_wrong(tmp_path, program, arguments, said):
    variables = {**os.environ, "PYTHONPATH": "", "PATH": "/usr/bin:/bin"}
    command = [program, "run", DATA, "--limit", "1", "--out", tmp_path / "out", *arguments]
    ended = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert ended.returncode == 2 and said in ended.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "options, raised, said",
    [
        ({"num_provers": 0}, ValueError, "num_provers=0"),
        ({"num_cpus_per_prover": -1}, ValueError, "num_cpus_per_prover=-1"),
        ({"serve": {"m": "server"}}, ValueError, "where the port goes"),
        ({"serve": {"m": "server {port}"}}, andor.RunError, "there is no [models.m]"),
        ({"config": {"llm": {"record": True}}, "provider": "llm=http://localhost:1/v1"}, andor.RunError, "--record"),
    ],
)
def test_wrong_settings_are_errors(nodes, options, raised, said):
    with pytest.raises(raised) as error:
        andor.ray.run(andor.read(DATA)[:1], **options).wait()
    assert said in str(error.value)


def job(number, header):
    return _Job(number, header, "{}", "null", None)


def test_jobs_go_where_their_header_is_warm():
    said = []
    driver = Driver(Cluster(), [], said.append, False)

    async def placed():
        driver._queue(job(1, "a"))
        driver._queue(job(2, "b"))
        driver._queue(job(3, "a"))
        chosen = [(await driver._next(header)).number for header in ("b", "a", "b")]
        # The oldest is not passed over for ever.
        driver._queue(job(4, "a"))
        for number in range(5, 6 + PATIENCE):
            driver._queue(job(number, "b"))
        patient = [(await driver._next("b")).number for _ in range(PATIENCE + 1)]
        return chosen, patient

    import asyncio

    chosen, patient = asyncio.run_coroutine_threadsafe(placed(), driver._loop).result()
    driver.end()
    assert chosen == [2, 1, 3]
    assert patient == [*range(5, 5 + PATIENCE), 4]


@pytest.fixture
def model():
    """What a real server of language models needs: a Python that has it, and a model that knows few tactics."""
    if "ANDOR_LLAMA" not in os.environ:
        pytest.fail("ANDOR_LLAMA names no Python with a server; `cargo xtask test` does")
    return json.loads(os.environ["ANDOR_LLAMA"])


BOTH = "theorem both (p q : Prop) (hp : p) (hq : q) : p ∧ q"
MODEL = {
    "config": {"models": {"tiny": {"base_url": "http://localhost:8080/v1", "kind": "completions", "model": "bigram"}}},
    "provider": "llm=tiny",
    "preset": "best-first",
    "n_sampling_search": 16,
}


def test_models_are_served_by_replicas(nodes, tmp_path, model):
    python, script, gguf = model
    command = f"{python} {script} {gguf} 8 4096 {{host}}:{{port}}"
    run = andor.ray.run(
        BOTH, serve={"tiny": command}, num_provers=1, num_gpus_per_tac_gen=0, num_cpus_per_tac_gen=0.5,
        num_cpus_per_prover=0.5, **MODEL, max_iterations=200, time=None,
    )
    (result,) = run.wait()
    assert result.outcome == "accepted" and result.spent["model"]["requests"] > 0


def test_a_lost_model_server_costs_nothing(nodes, tmp_path, model):
    """Two workers with a server each; one server is killed in the middle, and is started again."""
    python, script, gguf = model
    names = [f"both{number}" for number in range(6)]
    (tmp_path / "t.lean").write_text("\n".join(BOTH.replace("both", name) + " := by\n  sorry\n" for name in names))
    data = andor.read(tmp_path / "t.lean")
    options = {**MODEL, "pass_k": 2, "max_iterations": 60, "time": None, "seed": 3}
    serve = f"{python} {script} {gguf} 8 4096 {{host}}:{{port}}"
    command = f"sh -c 'echo $$ >> {tmp_path}/servers; exec {serve}'"
    run = andor.ray.run(
        data, out=tmp_path / "run", serve={"tiny": command}, num_provers=2, num_tac_gen=2, num_gpus_per_tac_gen=0,
        num_cpus_per_tac_gen=0.25, num_cpus_per_prover=0.5, **options,
    )
    next(iter(run))
    started = (tmp_path / "servers").read_text().split()
    assert len(started) == 2
    os.kill(int(started[0]), signal.SIGKILL)
    results = run.wait()
    assert len((tmp_path / "servers").read_text().split()) == 3

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = serve.format(host="127.0.0.1", port=port).split()
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout.readline()
        config = {"models": {"tiny": {**MODEL["config"]["models"]["tiny"], "base_url": f"http://127.0.0.1:{port}/v1"}}}
        here = andor.Run.start(data, out=tmp_path / "here", **{**options, "config": config}).wait()
        server.stdin.close()
    assert len(results.proved) == len(names)
    # The address of the server is part of the configuration.
    found, expected = ([{**result, "config_digest": None} for result in comparable(both)] for both in (results, here))
    assert found == expected


def test_a_server_that_does_not_start_is_told(nodes):
    command = f"{sys.executable} -c 'import sys; sys.exit(\"no weights\")' {{port}}"
    with pytest.raises(andor.RunError) as error:
        andor.ray.run(BOTH, serve={"tiny": command}, num_gpus_per_tac_gen=0, **MODEL).wait()
    assert "no server of `tiny` starts" in str(error.value) and "no weights" in str(error.value)
