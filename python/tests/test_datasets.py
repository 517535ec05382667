"""Data sets to share, as others read them."""

import json
import subprocess

import pytest
from pyarrow import parquet

DATA = "examples/loop/train.lean"
OPTIONS = ["--limit", "6", "--max-candidates", "40", "--time", "none", "--verify", "1", "--json"]


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Makes a run of the program, once."""
    made = {}

    def make(program):
        if not made:
            made["run"] = tmp_path_factory.mktemp("runs") / "first"
            command = [program, "run", DATA, "--out", made["run"], *OPTIONS]
            subprocess.run(command, check=False, capture_output=True)
        return made["run"]

    return make


@pytest.mark.parametrize("form", ["sft", "dpo", "stepwise", "steps", "chat"])
def test_a_data_set_is_read_back_with_its_types(form, program, run, tmp_path):
    folder = tmp_path / "data"
    form, *more = ["dpo", "--chat"] if form == "chat" else [form]
    command = [program, "export", run(program), "--format", form, "--json", *more]
    command += ["--dataset", folder, "--licence", "mit", "--validation", "0.3", "--test", "0.2"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert report == json.loads((folder / "report.json").read_text())
    head, card = (folder / "README.md").read_text().removeprefix("---\n").split("---\n", 1)
    assert "license: mit\n" in head and "## Provenance" in card
    theorems = {}
    for split in report["splits"]:
        table = parquet.read_table(folder / split["file"])
        assert table.num_rows == split["rows"] > 0
        assert f"  - split: {split['name']}\n    path: \"{split['file']}\"\n" in head
        # The card names the columns in their order, each with its type.
        types = {"string": "dtype: string", "int64": "dtype: int64", "double": "dtype: float64", "bool": "dtype: bool"}
        for field in table.schema:
            kind = types.get(str(field.type), "list:")
            assert f"  - name: {field.name}\n    {kind}" in head, field
        rows = table.to_pylist()
        assert all(row["run"] == "first" and row["assistant"].startswith("mini") for row in rows)
        assert len({row["theorem"] for row in rows}) == split["theorems"]
        for row in rows:
            assert theorems.setdefault(row["theorem"], split["name"]) == split["name"]
            if more:
                assert [message["role"] for message in row["prompt"] + row["chosen"]] == ["user", "assistant"]
            elif form == "stepwise":
                assert len(row["completions"]) == len(row["labels"]) > 0
            elif form != "steps":
                assert row["prompt"].endswith(":::")
    assert theorems


def test_a_benchmark_that_is_the_data_set_leaves_nothing(program, run, tmp_path):
    command = [program, "export", run(program), "--format", "sft", "--dataset", tmp_path / "data"]
    command += ["--benchmark", f"itself={DATA}", "--drop-contaminated"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 1 and "nothing to export" in done.stderr, done.stderr
    assert not (tmp_path / "data").exists()
