"""The notebook of the examples: its cells run, in order, on a run that its own command makes."""

import ast
import json
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

# Both bind pyarrow when they are first imported: before the test hides it, or other tests would miss it.
import pandas  # noqa: F401
import polars  # noqa: F401

NOTEBOOK = Path("examples/notebook.ipynb")


def run_cell(source, names):
    """Runs a cell as Jupyter does, and returns the value of a last line that is an expression."""
    body = ast.parse(source)
    last = body.body.pop() if isinstance(body.body[-1], ast.Expr) else None
    exec(compile(body, str(NOTEBOOK), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names) if last else None


def test_the_notebook_reads_a_run_with_pandas_and_polars_only(program, tmp_path, monkeypatch):
    notebook = json.loads(NOTEBOOK.read_text())
    assert notebook["nbformat"] == 4
    cells = [(cell["cell_type"], "".join(cell["source"])) for cell in notebook["cells"]]
    assert not any(cell.get("outputs") for cell in notebook["cells"]), "outputs are not kept"
    lines = "\n".join(text for kind, text in cells if kind == "markdown").splitlines()
    [command] = [line for line in lines if line.startswith("andor run ")]
    _, *arguments = shlex.split(command)
    folder = tmp_path / "RUN"
    arguments = [folder if argument == "RUN" else argument for argument in arguments]
    done = subprocess.run([program, *arguments], check=False, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    summary = subprocess.run([program, "results", folder, "--json"], check=True, capture_output=True, text=True)
    theorems = [row for row in map(json.loads, summary.stdout.splitlines()) if row["kind"] == "theorem"]

    monkeypatch.chdir(tmp_path)
    for package in ("andor", "matplotlib", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    names, shown = {}, []
    for kind, source in cells:
        if kind == "code":
            shown.append(run_cell(source, names))

    table = names["table"]
    assert list(table.index) == [row["theorem"] for row in theorems]
    assert (table["attempts"] == 2).all() and 0 < table["accepted"].sum()
    assert list(table["accepted"] > 0) == [row["standing"] == "proved" for row in theorems]
    iterations = names["results"]["spent.iterations"].sum()
    assert len(names["iterations"]) == iterations == names["revisits"]["iterations"].sum()
    assert names["tactics"]["tried"].sum() == len(names["candidates"]) == names["results"]["spent.candidates"].sum()
    plot = ElementTree.fromstring(shown[-1]._repr_svg_())
    points = plot.findall("{http://www.w3.org/2000/svg}circle")
    assert len(points) == names["longest"]["iterations"] > 1
