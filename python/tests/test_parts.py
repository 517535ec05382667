"""Providers, critics, rankers, planners and priorities in Python, also ones that misbehave."""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import andor
import pytest
from andor import Part

BOTH = "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ q"
SWAPPED = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p"
FEW = {"max_iterations": 50, "time": None}


def good(request):
    """Proves BOTH."""
    return ["constructor", *(f"exact {line.split(' :')[0]}" for line in request.goals[0].splitlines()[1:-1])]


class Asynchronous:
    async def suggest(self, request):
        await asyncio.sleep(0)
        return [(tactic, -1.0) for tactic in good(request)]


class Batched:
    def suggest_batch(self, requests):
        return [{"candidates": good(request), "value": 0.5} for request in requests]


class Critic:
    """Tells what it is asked to a file."""

    def __init__(self, path):
        self.path = str(path)

    def evaluate(self, request):
        with open(self.path, "a") as file:
            file.write(json.dumps([obligation["goals"] for obligation in request.obligations]) + "\n")
        return [1.0 for _ in request.obligations]


class LastFirst:
    async def rank(self, request):
        return reversed(range(len(request.candidates)))


@pytest.mark.parametrize("in_process", [False, True])
@pytest.mark.parametrize("provider", [good, Asynchronous(), Batched()])
def test_providers(provider, in_process):
    result = andor.prove(BOTH, provider=provider, in_process=in_process, **FEW)
    assert result and result.spent["unanswered"] == 0
    assert result.proof.splitlines() == ["constructor", "exact hp", "exact hq"]


@pytest.mark.parametrize("in_process", [False, True])
def test_critics_and_rankers(tmp_path, in_process):
    asked = tmp_path / "asked"
    plain = andor.prove(BOTH, provider=good, **FEW)
    ranked = andor.prove(BOTH, provider=good, ranker=LastFirst(), in_process=in_process, **FEW)
    assert ranked and ranked.config_digest != plain.config_digest
    assert ranked.spent["candidates"] != plain.spent["candidates"]
    valued = andor.prove(BOTH, provider=good, critic=Critic(asked), in_process=in_process, **FEW)
    assert valued and [len(json.loads(line)) for line in asked.read_text().splitlines()] == [2]


def test_where_a_part_works_changes_nothing():
    results = [andor.prove(BOTH, provider=good, in_process=where, seed=5, **FEW) for where in (False, True)]
    assert len({result.tree_digest for result in results}) == 1
    assert len({result.config_digest for result in results}) == 1


def test_a_program_and_a_part_give_equal_searches():
    example = f"exec={sys.executable} examples/provider.py"


    def same(request):
        goal = request.goals[0].splitlines()
        target = goal[-1].removeprefix("⊢ ")
        yield "intro h"
        for word, tactic in {"∧": "constructor", "/\\": "split", "=": "rfl", "↔": "constructor"}.items():
            if word in target:
                yield tactic
        for line in goal[:-1]:
            name = line.split(" :")[0]
            yield from (f"exact {name}", f"exact {name}.1", f"exact {name}.2", f"apply {name}")


    theorem = "theorem t (p q : Prop) (h : p ∧ q) : q ∧ p"
    program, part = (andor.prove(theorem, provider=provider, **FEW) for provider in (example, same))
    assert program and program.tree_digest == part.tree_digest


def test_parts_stand_beside_providers_of_the_program():
    result = andor.prove(BOTH, provider=["heuristic", lambda request: ["nonsense"]], **FEW)
    assert result and result.spent["unanswered"] == 0


def test_a_priority_orders_best_first_search():
    depths = []

    def deepest(cumulative, depth, next, value):
        depths.append(depth)
        return depth

    assert andor.prove(BOTH, policy="best-first", priority=deepest, **FEW) and depths


class Halves:
    """Its first plan is wrong, and it says what it was told of that."""

    def plan(self, request):
        if not request.faulty:
            return ["have first : r", "have second : p"]
        assert "step 1" in request.faulty[0]["error"] and request.goals[0].endswith("⊢ q ∧ p")
        return ["have first : q", "have second : p"]


class AsyncHalves:
    async def plan_batch(self, requests):
        await asyncio.sleep(0)
        return ["Here it is.\n\nhave first : q\nhave second : p" for _ in requests]


def raises(request):
    raise KeyError("no model")


def wrong(request):
    return 3


def wrong_number(request):
    return [("rfl", "very likely")]


def bad_prior(request):
    return [("rfl", 2.0)]


def ends(request):
    sys.exit("done")


def dies(request):
    os._exit(3)


def hangs(request):
    time.sleep(1000)


def eats(request):
    return ["x" * (1 << 30)]


def interrupts(request):
    raise KeyboardInterrupt("enough")


def talks(request):
    print("{}")
    return good(request)


@pytest.mark.parametrize("in_process", [False, True])
@pytest.mark.parametrize(
    "provider, said",
    [
        (raises, "KeyError: 'no model' (test_parts.py, line"),
        (wrong, "3 (int) was returned; a list of tactics is needed"),
        (wrong_number, "could not convert string to float"),
        (bad_prior, "the log_prior 2 of `rfl` is above 0"),
        (ends, "SystemExit: done"),
        (interrupts, "KeyboardInterrupt: enough"),
    ],
)
def test_a_failure_is_told_and_nothing_crashes(provider, said, in_process):
    result = andor.prove(BOTH, provider=provider, in_process=in_process, **FEW)
    assert result.outcome == "infrastructure_error" and result.spent["unanswered"] == 1
    assert said in result.infrastructure_error
    # Beside another that works, it is only left out.
    assert andor.prove(BOTH, provider=[provider, "heuristic"], in_process=in_process, **FEW)


@pytest.mark.parametrize("in_process", [False, True])
def test_a_part_that_hangs_is_not_waited_for(in_process):
    provider = Part(hangs, timeout=0.2, in_process=in_process)
    result = andor.prove(BOTH, provider=provider, **FEW)
    assert result.outcome == "infrastructure_error"
    assert "`python:hangs` failed last: it did not answer within 0.2 s" in result.infrastructure_error


def test_a_part_that_dies_is_given_up():
    result = andor.prove(BOTH, provider=dies, **FEW)
    assert result.outcome == "infrastructure_error" and "exit status: 3" in result.infrastructure_error
    assert "RuntimeWarning" not in result.infrastructure_error


def test_memory_is_limited():
    result = andor.prove(BOTH, provider=Part(eats, memory_mb=256), **FEW)
    assert result.outcome == "infrastructure_error" and "MemoryError" in result.infrastructure_error


def test_a_part_may_print():
    assert andor.prove(BOTH, provider=talks, **FEW)


@pytest.mark.parametrize(
    "options, said",
    [
        ({"provider": 3}, "3 is no part"),
        ({"critic": good}, "it has no method `evaluate`"),
        ({"ranker": Batched()}, "it has no method `rank`"),
        ({"planner": good}, "it has no method `plan`"),
        ({"planner": Halves(), "plan_prompt": "p.j2"}, "plan_prompt is for language models"),
        ({"in_process": True}, "none is given"),
        ({"priority": 3}, "priority=3 is no function"),
        ({"provider": lambda request, lock=threading.Lock(): []}, "cannot be sent to a process of its own"),
    ],
)
def test_what_is_no_part(options, said):
    with pytest.raises(TypeError) as error:
        andor.prove(BOTH, **options)
    assert said in str(error.value)


@pytest.mark.parametrize(
    "wrong, said",
    [
        (lambda: andor.prove(BOTH, provider=[]), "provider=[] names no provider"),
        (lambda: andor.prove(BOTH, policy="puct", priority=max), "policy='puct': a priority orders best-first search"),
        (lambda: Part(good, timeout=0), "timeout=0: give a number of seconds above 0"),
        (lambda: Part(good, memory_mb=-5), "memory_mb=-5: give a whole number of megabytes"),
        (lambda: andor.Run.start(andor.read("examples/logic.lean"), pass_k=0), "pass_k=0: give a number from 1"),
        (lambda: andor.Run.start(andor.read("examples/logic.lean"), jobs=0), "jobs=0: give a number from 1"),
    ],
)
def test_wrong_values_are_refused(wrong, said):
    with pytest.raises(ValueError) as error:
        wrong()
    assert said in str(error.value)


@pytest.mark.parametrize("in_process", [False, True])
def test_a_critic_that_fails_is_counted(in_process):
    class Broken:
        def evaluate(self, request):
            raise KeyError("no model")

    result = andor.prove(BOTH, critic=Broken(), in_process=in_process, policy="puct", **FEW)
    assert result and result.spent["unanswered"] > 0


def test_a_ranker_that_loses_candidates_is_told():
    class Lossy:
        def rank(self, request):
            return [0, 0]

    result = andor.prove(BOTH, provider=good, ranker=Lossy(), **FEW)
    assert result and result.spent["unanswered"] > 0


def test_a_run_with_a_part_is_resumed_with_it(tmp_path):
    data, out = andor.read("examples/logic.lean")[:2], tmp_path / "out"
    results = andor.Run.start(data, out=out, provider=good, **FEW).wait()
    assert andor.Run.resume(out, provider=good).wait() == results
    with pytest.raises(andor.RegistryError) as error:
        andor.Run.resume(out).wait()
    assert error.value.variant == "NotBrought"


def test_a_script_of_its_own_without_a_guard(tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        "import andor\n\nclass Mine:\n    def suggest(self, request):\n        return helper()\n\n"
        "def helper():\n    return ['exact h']\n\n"
        "print(andor.prove('theorem t (p : Prop) (h : p) : p', provider=Mine()).outcome)\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert (ended.stdout, ended.stderr) == ("accepted\n", "")


def test_serve_makes_a_program(tmp_path):
    script = tmp_path / "serves.py"
    script.write_text("import andor\nandor.serve(lambda request: ['exact h'])\n")
    provider = f"exec={sys.executable} {script}"
    assert andor.prove("theorem t (p : Prop) (h : p) : p", provider=provider)


def test_folders_and_threads_of_parts_do_not_stay():
    import gc

    def parts():
        return list(Path(tempfile.gettempdir()).glob(f"andor-{os.getpid()}-*/*"))

    andor.prove(BOTH, provider=good, **FEW)
    before = threading.active_count(), len(parts())
    andor.prove(BOTH, provider=good, in_process=True, **FEW)
    andor.prove(BOTH, provider=good, **FEW)
    gc.collect()
    for _ in range(200):
        if (threading.active_count(), len(parts())) <= before:
            break
        time.sleep(0.01)
    assert threading.active_count() <= before[0] and len(parts()) <= before[1]


@pytest.mark.parametrize("in_process", [False, True])
def test_planners(in_process):
    result = andor.prove(SWAPPED, planner=Halves(), in_process=in_process, **FEW)
    assert result and result.planning["planner"] == "python:Halves"
    assert (result.planning["ended"], len(result.planning["tries"])) == ("verified", 2)
    result = andor.prove(SWAPPED, planner=AsyncHalves(), in_process=in_process, **FEW)
    assert result and (result.planning["ended"], len(result.planning["tries"])) == ("verified", 1)


class Planning:
    """One who does something else."""

    def __init__(self, does):
        self.plan = does


@pytest.mark.parametrize("in_process", [False, True])
@pytest.mark.parametrize(
    "does, said",
    [
        (raises, "KeyError: 'no model' (test_parts.py, line"),
        (wrong, "3 (int) was returned; a plan is a list of texts, or one text"),
        (wrong_number, "was returned; a plan is a list of texts, or one text"),
        (ends, "SystemExit: done"),
        (interrupts, "KeyboardInterrupt: enough"),
        (hangs, "it did not answer within 2 s"),
    ],
)
def test_a_failed_planner_is_told_and_the_search_goes_on(does, said, in_process):
    planner = Part(Planning(does), timeout=2, in_process=in_process)
    result = andor.prove(BOTH, provider=good, planner=planner, **FEW)
    assert result and result.planning["ended"] == "failed"
    assert said in result.planning["error"]
