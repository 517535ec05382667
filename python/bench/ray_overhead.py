"""What Python and Ray add to an attempt, and how far one driver goes: `python ray_overhead.py [ATTEMPTS]`.

Prints measured times, and from them by simulation the throughput of up to 10,000 workers.
"""

import heapq
import random
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


def simulated(workers, attempt, cost, latency, jobs):
    """Attempts a second: one driver takes `cost` for each, one after the other; a worker waits `latency` in between."""
    rng = random.Random(1)
    free, driver = [0.0] * workers, 0.0
    for _ in range(jobs):
        driver = max(driver, heapq.heappop(free)) + cost
        heapq.heappush(free, driver + latency + rng.expovariate(1 / attempt))
    # Until there is no more to hand out: the end, when ever fewer work, is another matter.
    return (jobs - workers) / driver


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
    print(f"simulated: the driver computes {cost * 1e3:.2f} ms for each job, a worker waits {max(latency, 0) * 1e3:.2f} ms")
    for attempt in (1.0, 10.0, 60.0):
        row = []
        for workers in (1, 10, 100, 1000, 10000):
            rate = simulated(workers, attempt, cost, max(latency, 0), max(2000, 20 * workers))
            row.append(f"{workers}: {rate:.1f}/s ({rate * attempt / workers:.0%})")
        print(f"attempts of {attempt:g} s: " + ", ".join(row))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
