"""Tables of analyses, as others read them."""

import subprocess

import pandas
import pytest
from pyarrow import parquet

RUNS = {"A": [], "B": ["--preset", "best-first"]}
OPTIONS = ["--limit", "4", "--max-iterations", "30", "--time", "none", "--basin-seeds", "2", "--verify", "1"]


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Makes two runs of the program, once."""
    made = []

    def make(program):
        if not made:
            folder = tmp_path_factory.mktemp("runs")
            for name, options in RUNS.items():
                command = [program, "run", "examples/logic.lean", "--out", folder / name, *OPTIONS, *options]
                subprocess.run(command, check=False, capture_output=True)
                made.append(folder / name)
        return made

    return make


def test_parquet_has_the_tables_of_csv_with_types(program, runs, tmp_path):
    measures = "costs,survival,proofs,searches,paths"
    command = [program, "analyze", *runs(program), "--measure", measures, "--out", tmp_path / "tables"]
    subprocess.run(command, check=True, capture_output=True)
    names = sorted(path.stem for path in (tmp_path / "tables").glob("*.csv"))
    assert {"costs", "survival", "survival_curves", "proofs", "searches", "paths", "path_steps"} <= set(names)
    assert names == sorted(path.stem for path in (tmp_path / "tables").glob("*.parquet"))
    for name in names:
        expected = pandas.read_csv(tmp_path / "tables" / f"{name}.csv", float_precision="round_trip")
        table = parquet.read_table(tmp_path / "tables" / f"{name}.parquet")
        pandas.testing.assert_frame_equal(table.to_pandas(), expected, check_dtype=False, check_exact=True)
    steps = parquet.read_schema(tmp_path / "tables" / "path_steps.parquet")
    types = {"theorem": "string", "iteration": "int64", "expanded": "bool"}
    assert {name: str(steps.field(name).type) for name in types} == types
    assert str(parquet.read_schema(tmp_path / "tables" / "costs.parquet").field("ratio").type) == "double"
