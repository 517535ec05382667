"""Runs: what the program does, Python does too."""

import json
import subprocess

import andor
import pytest

OPTIONS = {"max_iterations": 30, "time": None, "seed": 3, "verify": 2}
ARGUMENTS = ["--max-iterations", "30", "--time", "none", "--seed", "3", "--verify", "2"]


def without_times(result):
    result = dict(result)
    del result["timing"]
    result["proof_steps"] = [{**step, "took_ms": 0} for step in result["proof_steps"]]
    return result


def test_the_program_and_python_make_the_same_run(tmp_path, program):
    file = "examples/quantifiers.lean"
    arguments = [program, "run", file, "--out", tmp_path / "program", "--limit", "3", *ARGUMENTS, "--json"]
    subprocess.run(arguments, check=False, capture_output=True)
    run = andor.Run.start(andor.read(file)[:3], out=tmp_path / "python", **OPTIONS)
    results = run.wait()
    theirs = andor.Run.results(tmp_path / "program")
    assert [without_times(r) for r in results] == [without_times(r) for r in theirs]
    assert all(result.tree_digest and result.config_digest for result in results)
    traces = sorted((tmp_path / "python").rglob("trace.jsonl*"))
    assert len(traces) == 3
    for trace in traces:
        other = tmp_path / "program" / trace.relative_to(tmp_path / "python")
        assert trace.read_bytes() == other.read_bytes()
    # Either can resume the other's run.
    assert andor.Run.resume(tmp_path / "program").wait() == theirs


def test_a_run_is_resumed_and_nothing_is_repeated(tmp_path):
    out = tmp_path / "out"
    data = andor.read("examples/logic.lean")[:4]
    with andor.Run.start(data, out=out, **OPTIONS) as run:
        first = next(iter(run))
    assert first.outcome == "accepted"
    before = andor.Run.results(out)
    resumed = andor.Run.resume(out, jobs=2)
    results = resumed.wait()
    assert len(results) == 4 and all(result in results for result in before)
    with pytest.raises(andor.RunError) as error:
        andor.Run.start(data, out=out, **OPTIONS).wait()
    assert error.value.variant == "Occupied"


def test_tables_have_a_row_for_each_result():
    results = andor.Run.start(andor.read("examples/logic.lean")[:2], **OPTIONS).wait()
    table = results.to_arrow()
    assert table.num_rows == 2
    assert table["theorem"].to_pylist() == [result.theorem for result in results]
    assert table["spent_nodes"].to_pylist() == [result.spent["nodes"] for result in results]
    assert json.loads(table["proof_steps"][0].as_py()) == results[0].proof_steps
    assert table["axioms"].to_pylist() == [[], []]
    import pyarrow

    streamed = pyarrow.RecordBatchReader.from_stream(results).read_all()
    assert streamed.equals(table)
    assert andor.Results(results[:1]).to_arrow().schema.equals(table.schema)


def test_other_tables():
    results = andor.Run.start(andor.read("examples/logic.lean")[:1], **OPTIONS).wait()
    assert results.to_pandas()["outcome"].tolist() == ["accepted"]
    assert results.to_polars()["outcome"].to_list() == ["accepted"]


def test_data_sets_can_be_chosen_from():
    logic = andor.read("examples/logic.lean")
    chosen = logic.where(lambda theorem: "swap" in theorem.id)
    assert 0 < len(chosen) < len(logic) and all("swap" in theorem.id for theorem in chosen)
    assert andor.prove(logic["and_swap"]).theorem == "and_swap"
    with pytest.raises(KeyError):
        logic["nobody"]
    with pytest.raises(TypeError):
        andor.prove(logic)
    with pytest.raises(andor.DatasetError):
        andor.read("/nonexistent.lean")
