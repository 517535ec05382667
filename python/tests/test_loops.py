"""Learning loops and trees: what the program makes, Python makes and reads too."""

import asyncio
import subprocess
from pathlib import Path

import andor
import pytest

EXAMPLES = Path("examples/loop")


@pytest.fixture
def loop(tmp_path):
    """A small loop: its declaration."""
    for name, most in (("train", 6), ("held_out", 5)):
        theorems = (EXAMPLES / f"{name}.lean").read_text().split("sorry\n")[:most]
        (tmp_path / f"{name}.lean").write_text("sorry\n".join([*theorems, ""]))
    file = tmp_path / "loop.toml"
    file.write_text(
        '[theorems]\ntrain = "train.lean"\nheld_out = "held_out.lean"\n[config]\nseed = 1\n'
        '[config.budget]\ntime_s = "none"\nmax_candidates = 15\n[config.verify]\nlevel = "compiled"\n'
        "[rollout]\nsample = 12\n[plateau]\nwindow = 1\niterations = 2\nrounds = 1\n"
    )
    return file


def test_a_loop_of_python_is_that_of_the_program(loop, tmp_path, program):
    said = []
    learned = andor.learn(loop, out=tmp_path / "python", jobs=2, say=said.append)
    subprocess.run([program, "learn", loop, "--out", tmp_path / "program"], check=True, capture_output=True)
    assert said[0].startswith("base: ") and len(said) >= len(learned.models)
    assert learned.best in learned.models and learned.models[1].parent == "base"
    for model in learned.models:
        assert 0 <= model.evaluation["solved"] <= model.evaluation["theorems"] == 5
        theirs = tmp_path / "program" / model.file
        assert Path(model.path).read_bytes() == theirs.read_bytes()
    assert f"<b>{learned.best.name}</b>" in learned._repr_html_()
    proved = andor.prove("theorem t (p : Prop) (h : p) : p", provider=f"learned={learned.best.path}")
    assert proved.outcome == "accepted"
    # What is finished is not repeated, whoever made it.
    again = asyncio.run(andor.alearn(loop, out=tmp_path / "program", resume=True))
    assert [model.digest for model in again.models] == [model.digest for model in learned.models]
    with pytest.raises(andor.LoopError) as error:
        andor.learn(loop, out=tmp_path / "python")
    assert error.value.variant == "Resumable"


def test_what_is_wrong_with_a_loop_is_said(tmp_path):
    with pytest.raises(andor.LoopError, match="theorems"):
        file = tmp_path / "loop.toml"
        file.write_text("[model]\n")
        andor.learn(file, out=tmp_path / "out")
    with pytest.raises(andor.FileError, match="nowhere"):
        andor.learn("nowhere.toml", out=tmp_path / "out")
    with pytest.raises(ValueError, match="jobs=0"):
        andor.learn(file, out=tmp_path / "out", jobs=0)
    with pytest.raises(TypeError, match="say='aloud': give a function"):
        andor.learn(file, out=tmp_path / "out", say="aloud")
    assert not (tmp_path / "out").exists()


def test_a_cancelled_loop_goes_on(loop, tmp_path):
    async def cancelled():
        task = asyncio.current_task()
        running = asyncio.get_running_loop()
        stop = lambda line: running.call_soon_threadsafe(task.cancel)  # noqa: E731
        await andor.alearn(loop, out=tmp_path / "out", say=stop)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    learned = andor.learn(loop, out=tmp_path / "out", resume=True)
    whole = andor.learn(loop, out=tmp_path / "whole")
    assert [model.digest for model in learned.models] == [model.digest for model in whole.models]


def test_trees_are_read_and_shown(tmp_path):
    statement = "theorem t (p q : Prop) (hp : p) (hq : q) : p ∧ (q ∧ p)"
    result = andor.prove(statement, out=tmp_path / "run")
    tree = andor.Tree.read(tmp_path / "run")
    assert tree.tree_digest == result.tree_digest and tree.root["status"] == "proved"
    assert len(tree.nodes) == result.spent["nodes"] and repr(tree).startswith("<Tree of ")
    shown = tree._repr_html_()
    assert "constructor" in shown and "p ∧ (q ∧ p)" in shown.replace("p ∧ q ∧ p", "p ∧ (q ∧ p)")
    with pytest.raises(andor.FileError, match="graph.json"):
        andor.Tree.read(tmp_path / "run", attempt=7)
    with pytest.raises(andor.RunError):
        andor.Tree.read(tmp_path / "nowhere")


def test_what_a_tree_contains_cannot_forge_its_page():
    node = {"id": "n0", "goals": ["⊢ <script>"], "status": "open", "visit_count": 1}
    step = {"id": "s0", "node": "n0", "tactic": "<b>", "status": "open", "children": ["n0"]}
    shown = andor.Tree({"theorem": "<i>", "nodes": [node], "steps": [step]})._repr_html_()
    assert not any(tag in shown for tag in ("<script>", "<i>", "<code><b>")) and "as above" in shown
    many = [{**node, "id": f"n{at}"} for at in range(500)]
    chain = [{**step, "node": f"n{at}", "children": [f"n{at + 1}"]} for at in range(499)]
    assert andor.Tree({"theorem": "t", "nodes": many, "steps": chain})._repr_html_().count("<li>") < 100
