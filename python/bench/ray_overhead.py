"""What Python and Ray add to an attempt: `python ray_overhead.py [ATTEMPTS]`. Prints measured times."""

import resource
import statistics
import sys
import time

import andor
import andor.ray
import ray

QUICK = {"max_iterations": 1, "time": None, "keep": "none"}
SWAP = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"


def theorems(text, number):
    path = f"/tmp/ray_overhead_{number}.jsonl"
    with open(path, "w") as file:
        for place in range(number):
            file.write('{"id": "%s-%d", "system": "synthetic", "statement": "%s"}\n' % (text[:4], place, text))
    return andor.read(path)


def timed(work):
    began, used = time.perf_counter(), sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    results = work()
    return time.perf_counter() - began, sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) - used, results


def on_ray(data, workers, **options):
    """A run without the time for starting workers: from its first result to its last."""
    run = andor.ray.run(data, num_provers=workers, num_cpus_per_prover=0, **options)
    arriving = iter(run)
    next(arriving)
    wall, used, _ = timed(lambda: list(arriving))
    run.wait()
    return wall / (len(data) - 1), used / (len(data) - 1)


def main(n):
    data = theorems("easy 1", n)
    here, _, _ = timed(lambda: andor.Run.start(data, **QUICK).wait())
    print(f"an attempt in this process: {here / n * 1e3:.2f} ms")
    calls = []
    for _ in range(200):
        wall, _, result = timed(lambda: andor.prove(SWAP, verify=1))
        calls.append(wall * 1e3 - result.timing["total_ms"])
    print(f"a call of andor.prove, beside its attempt: {statistics.median(calls):.2f} ms")
    ray.init(log_to_driver=False, logging_level="error")
    costs = []
    for workers in (1, 2, 4):
        wall, used = on_ray(data, workers, **QUICK)
        costs.append((wall, used))
        print(f"an attempt on Ray, {workers} workers: {wall * 1e3:.2f} ms, of which the driver computes {used * 1e3:.2f} ms")
    # What one worker waits between attempts while the driver and Ray pass on the result and the next job.
    latency = costs[0][0] - here / n
    hard = theorems("hard 4", 40)
    for workers in (1, 2, 4):
        wall, _ = on_ray(hard, workers, max_iterations=1500, time=None, keep="none")
        print(f"an attempt of a long search, {workers} workers: {wall * 1e3:.0f} ms, {1 / wall:.2f} a second")
    cost = min(used for _, used in costs)
    print(
        f"the driver computes {cost * 1e3:.2f} ms for each job, and a worker waits {max(latency, 0) * 1e3:.2f} ms between two; "
        f"how far one driver goes: andor simulate --model-slots 1 --provider-latency {cost * 1e3:.2f}ms (docs/experiments/ray.md)"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
