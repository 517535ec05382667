"""The statistics of the program, against those of SciPy."""

import json
import math
import subprocess

import andor
import pytest
from scipy import stats

DATA = "examples/nat.lean"
PRESETS = {"first": "mcts", "second": "best-first"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two runs over the same theorems, by different searches, with few tactics for each."""
    folder = tmp_path_factory.mktemp("runs")
    theorems = andor.read(DATA)[:40]
    for name, preset in PRESETS.items():
        options = {"preset": preset, "max_candidates": 60, "time": None, "verify": 1, "easy_gate": True}
        andor.Run.start(theorems, out=folder / name, jobs=2, keep="none", **options).wait()
    return [folder / name for name in PRESETS]


def printed(program, *arguments):
    done = subprocess.run([program, *arguments, "--json"], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def table(rows, name):
    return [row for row in rows if row["table"] == name]


def log_ratio(a, b):
    """Of inverse ratios, the same size to the last bit: they tie."""
    return -math.log(a / b) if b < a else math.log(b / a)


def test_mcnemar(program, runs):
    [compared] = printed(program, "compare", *runs)
    only = [len(compared["only_a"]), len(compared["only_b"])]
    assert sum(only) > 0
    assert compared["mcnemar"]["p_value"] == pytest.approx(stats.binomtest(only[0], sum(only)).pvalue, rel=1e-9)


def test_paired_costs(program, runs):
    rows = printed(program, "analyze", *runs, "--measure", "costs")
    pairs = table(rows, "cost_pairs")
    tested = 0
    for cost in table(rows, "costs"):
        if cost["stratum"] != "all" or cost["cost"] == "seconds":
            continue
        ratios = [log_ratio(pair["of_a"], pair["of_b"]) for pair in pairs if pair["cost"] == cost["cost"]]
        assert cost["theorems"] == len(ratios)
        assert cost["ratio"] == pytest.approx(math.exp(sum(ratios) / len(ratios)), rel=1e-9)
        unequal = [ratio for ratio in ratios if ratio]
        if not unequal:
            continue
        # Exact for few pairs, as ours is; otherwise close to it.
        method = stats.PermutationMethod(n_resamples=50_000, rng=1)
        exact = 2 ** len(unequal) <= 50_000
        expected = stats.wilcoxon(unequal, method=method).pvalue
        assert cost["p_value"] == pytest.approx(expected, abs=1e-9 if exact else 0.01), cost
        if len(set(ratios)) > 2:
            low, high = stats.bootstrap([ratios], lambda x, axis: x.mean(axis), method="percentile", rng=1).confidence_interval
            assert math.log(cost["low"]) == pytest.approx(low, abs=0.06)
            assert math.log(cost["high"]) == pytest.approx(high, abs=0.06)
        tested += 1
    assert tested >= 2


def score(a, b):
    """The score of the log-rank test for two searches, each what it spent and whether it found a proof."""
    when = min(spent for spent, proved in (a, b) if proved) if a[1] or b[1] else math.inf
    at_risk = [search for search in (a, b) if search[0] >= when]
    if len(at_risk) < 2:
        return 0.0
    first = [search for search in at_risk if search[1] and search[0] == when]
    return (b in first) - len(first) / 2 if a != b else 0.0


def test_survival(program, runs):
    rows = printed(program, "analyze", *runs, "--measure", "survival")

    def searches(run, cost):
        return {result.theorem: (result.spent[cost], bool(result)) for result in andor.Run.results(run)}

    for cost in ("candidates", "iterations"):
        first, second = (searches(run, cost) for run in runs)
        medians = {row["run"]: row for row in table(rows, "survival") if row["cost"] == cost}
        scores = [score(first[theorem], second[theorem]) for theorem in first]
        assert 0.5 in scores and set(scores) <= {-0.5, 0.0, 0.5}
        # Scores of one size make it a sign test.
        expected = stats.binomtest(scores.count(0.5), len(scores) - scores.count(0.0)).pvalue
        assert medians["second"]["common"] == len(scores)
        assert medians["second"]["p_value"] == pytest.approx(expected, rel=1e-9)
        for name, run in (("first", first), ("second", second)):
            proved = [spent for spent, proved in run.values() if proved]
            open_ = [spent for spent, proved in run.values() if not proved]
            curve = stats.ecdf(stats.CensoredData(uncensored=proved, right=open_)).sf
            ours = [row for row in table(rows, "survival_curves") if (row["run"], row["cost"]) == (name, cost)]
            assert len(ours) > 3
            for row in ours:
                assert row["open"] == pytest.approx(curve.evaluate(row["spent"]), abs=1e-9)
