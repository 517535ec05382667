"""Proofs, verdicts, errors, options."""

import pickle
import subprocess
import sys
import time
from pathlib import Path

import andor
import pytest

SWAP = "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p"
#: Without a proof, and searched without end.
HARD = "theorem hard (f : Nat → Nat) (a b c : Nat) (h : f a = b) (k : f b = c) : f (f (f a)) = f (a + b * c + 1)"


def test_rocq_theorems_are_proved_and_judged(tmp_path):
    result = andor.prove("Theorem t (p q : Prop) (h : p /\\ q) : q /\\ p.", max_iterations=100)
    assert result and result.system == "rocq"
    file = tmp_path / "t.v"
    file.write_text(result.source)
    assert andor.check(file, verify=2).level == 2
    file.write_text("Theorem t : True. Proof. exact I. Qed. Theorem u : False. Proof. Admitted.")
    verdict = andor.check(file)
    assert not verdict and verdict.reason == "unproved" and verdict.theorems == ["t", "u"]


def test_no_proof_is_a_result():
    result = andor.prove("theorem no (p q : Prop) (h : p) : q", max_iterations=20)
    assert not result and result.outcome == "not_proved"
    assert result.source is None and "no" in repr(result)


@pytest.mark.parametrize(
    "options, raised, said",
    [
        ({"max_iteration": 1}, TypeError, "did you mean `max_iterations`"),
        ({"policy": "luck"}, ValueError, "policy='luck': choose one of ucb1"),
        ({"max_iterations": "many"}, ValueError, "max_iterations='many'"),
        ({"max_iterations": True}, ValueError, "a number or a text is needed"),
        ({"no_sandbox": 1}, ValueError, "no_sandbox=1: True or False"),
        ({"workers": 0}, andor.ConfigError, "--workers"),
        ({"config": {"budget": {"time": 1}}}, andor.ConfigError, "unknown field `time`"),
        ({"config": "/nonexistent.toml"}, andor.ConfigError, "/nonexistent.toml"),
        ({"system": "coq"}, ValueError, "coq"),
        ({"provider": "llm=nobody"}, andor.AndorError, "nobody"),
    ],
)
def test_wrong_options_are_errors_that_say_what_is_wrong(options, raised, said):
    with pytest.raises(raised) as error:
        andor.prove(SWAP, **options)
    assert said in str(error.value)


def test_errors_have_their_class_and_variant():
    with pytest.raises(andor.EnvError) as error:
        andor.Session("theorem t (n : Nat) : m = n", system="mini")
    assert error.value.variant == "TheoremRefused" and "`m`" in str(error.value)
    with pytest.raises(andor.RunError) as error:
        andor.Run.results("/nonexistent")
    assert error.value.variant == "NoRun"
    with pytest.raises(andor.CheckError) as error:
        andor.check("README.md")
    assert error.value.variant == "UnknownKind"
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.variant) == (str(error.value), "UnknownKind")


def test_options_can_come_from_files_and_dictionaries(tmp_path):
    file = tmp_path / "a.toml"
    file.write_text("[budget]\nmax_iterations = 1\ntime_s = 'none'\n")
    theorem = "theorem no (p q : Prop) (h : p) : q ∧ q"
    for config in (file, {"budget": {"max_iterations": 1, "time_s": "none"}}):
        limited = andor.prove(theorem, config=config)
        assert (limited.stop_reason, limited.spent["iterations"]) == ("iterations", 1)
    assert andor.prove(theorem, config=file, max_iterations=2).spent["iterations"] == 2
    assert andor.prove(theorem, max_iterations=1, time=None).config_digest == limited.config_digest


def test_an_option_without_effect_is_a_warning():
    with pytest.warns(UserWarning, match="--exploration has no effect without --policy ucb1 or puct"):
        andor.prove(SWAP, policy="best-first", exploration=2)


def test_the_list_of_options_is_complete():
    names = [name for name, *_ in andor._andor.options()]
    assert len(names) == len(set(names)) and "max_iterations" in names


def interrupted(script: str) -> subprocess.CompletedProcess[str]:
    """A script that says `ready`, and is then interrupted."""
    child = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    child.send_signal(2)
    out, err = child.communicate(timeout=120)
    return subprocess.CompletedProcess(child.args, child.returncode, out, err)


def test_ctrl_c_ends_a_search():
    ended = interrupted(
        "import andor\nprint('ready', flush=True)\n"
        f"try:\n  andor.prove({HARD!r}, time=None)\nexcept KeyboardInterrupt:\n  print('interrupted')\n"
    )
    assert ended.stdout == "interrupted\n" and ended.stderr == ""


def test_ctrl_c_ends_a_run_and_keeps_what_is_finished(tmp_path):
    data = tmp_path / "two.lean"
    data.write_text(f"{SWAP} := by sorry\n{HARD} := by sorry\n")
    ended = interrupted(
        "import andor\nrun = andor.Run.start(andor.read("
        f"{str(data)!r}), out={str(tmp_path / 'out')!r}, time=None)\n"
        "try:\n  for result in run:\n    print('ready', flush=True)\nexcept KeyboardInterrupt:\n"
        "  print(len(run.wait()))\n"
    )
    assert ended.stderr == "" and ended.stdout == "2\n"
    kept = andor.Run.results(tmp_path / "out")
    assert [result.theorem for result in kept] == ["swap"]


def test_a_fork_says_why_it_cannot_be_used():
    script = (
        "import andor, os, sys\nandor.prove('theorem t (p : Prop) (h : p) : p')\nif os.fork():\n"
        "  sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))\ntry:\n  andor.prove('theorem t (p : Prop) (h : p) : p')\n"
        "except andor.AndorError as error:\n  assert 'spawn' in str(error)\n  os._exit(7)\nos._exit(1)\n"
    )
    assert subprocess.run([sys.executable, "-W", "ignore", "-c", script], check=False).returncode == 7


def test_other_threads_run_meanwhile():
    import threading

    counted = 0
    over = threading.Event()

    def count():
        nonlocal counted
        while not over.wait(0.001):
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    andor.prove(HARD, max_iterations=200)
    over.set()
    thread.join()
    assert counted > 5


def test_notebooks_show_escaped_text():
    result = andor.prove("theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p")
    shown = result._repr_html_()
    assert "accepted" in shown and "obtain ⟨h1, h2⟩ := h" in shown
    hostile = andor.Result({**result, "theorem": "<script>", "source": "<b>"})
    assert "<script>" not in hostile._repr_html_() and "&lt;b&gt;" in hostile._repr_html_()
    session = andor.Session("theorem t (p q : Prop) (h : p) (k : q) : p ∧ q", system="mini")
    assert "<code>p ∧ q</code>" in session._repr_html_()
    assert "&lt;" in session.try_many(["exact <x>"])[0]._repr_html_()


def test_the_examples_are_where_the_documentation_says():
    assert Path("examples/logic.lean").is_file()
