"""The examples of trainers: the same files in and out for all, and a reward from the judge."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import andor
import pytest
from pyarrow import parquet

TRAINERS = Path(__file__).parents[2] / "examples" / "trainers"


def example(name):
    spec = importlib.util.spec_from_file_location(name, TRAINERS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MINI = {
    "theorem": "swap",
    "system": "mini",
    "header": "",
    "statement": "theorem swap (p q : Prop) (h : p ∧ q) : q ∧ p",
    "footer": "",
}
ROCQ = {
    "theorem": "swap",
    "system": "rocq",
    "header": "Require Import Lia.",
    "statement": "Theorem swap (p q : Prop) (h : p /\\ q) : q /\\ p.",
    "footer": "",
}


@pytest.mark.parametrize(
    "theorem, answer, reward",
    [
        # Right: alone, in a block behind some reasoning, with the statement, as a term.
        (MINI, "constructor\n· exact h.2\n· exact h.1", 1),
        (MINI, "<think>```lean\nsorry\n```</think>So:\n```lean4\nby\nconstructor\n· exact h.2\n· exact h.1\n```\nDone.", 1),
        (MINI, f"```lean\n{MINI['statement']} := ⟨h.2, h.1⟩\n```", 1),
        (MINI, ":= ⟨h.2, h.1⟩", 1),
        (ROCQ, "Proof. destruct h. split; assumption. Qed.", 1),
        (ROCQ, f"```coq\n{ROCQ['statement']}\nProof. tauto. Qed.\n```", 1),
        # Wrong.
        (MINI, "constructor\n· exact h.1\n· exact h.2", 0),
        (MINI, "constructor", 0),
        (ROCQ, "Proof. split. Qed.", 0),
        # Cheating: given up, another statement of the same name, an axiom, a statement made true by a definition.
        (MINI, "sorry", 0),
        (MINI, "```lean\ntheorem swap : 1 = 1 := rfl\n```", 0),
        (MINI, f"```lean\naxiom cheat : ∀ p : Prop, p\n{MINI['statement']} := cheat _\n```", 0),
        (ROCQ, "Proof. Admitted.", 0),
        (ROCQ, "Theorem swap : True. Proof. exact I. Qed.", 0),
        (ROCQ, f"Axiom cheat : forall p : Prop, p. {ROCQ['statement']} Proof. apply cheat. Qed.", 0),
        (ROCQ, f"Notation \"x /\\\\ y\" := True. {ROCQ['statement']} Proof. exact I. Qed.", 0),
        (ROCQ, "Proof. tauto. Qed. Redirect \"stolen\" Print nat.", 0),
        # Malformed.
        (MINI, "", 0),
        (MINI, "I do not know.", 0),
        (MINI, "```lean\n((((", 0),
        (MINI, "/- never closed", 0),
        (MINI, "exact h" * 100_000, 0),
        (ROCQ, "Proof. (* never closed", 0),
        (ROCQ, "\0", 0),
    ],
)
def test_the_reward_is_the_judges(theorem, answer, reward):
    score = example("verl_reward").compute_score
    assert score("andor", answer, theorem) == reward


def test_verl_gets_its_columns(tmp_path):
    (tmp_path / "theorems.jsonl").write_text(json.dumps(MINI) + "\n" + json.dumps(ROCQ) + "\n")
    example("verl_reward").make(tmp_path / "theorems.jsonl", tmp_path / "train.parquet")
    rows = parquet.read_table(tmp_path / "train.parquet").to_pylist()
    assert [row["prompt"][0]["role"] for row in rows] == ["user", "user"]
    assert MINI["statement"] in rows[0]["prompt"][0]["content"]
    score = example("verl_reward").compute_score
    assert score(rows[0]["data_source"], ":= ⟨h.2, h.1⟩", rows[0]["reward_model"]["ground_truth"]) == 1


STEPS = [
    {"prompt": f"p q : Prop\nh : {'p ∧ q' if at % 2 else 'p'}\n⊢ {'q' if at % 2 else 'p'}:::", "weight": 1.0}
    | {"completion": "exact h.2" if at % 2 else "exact h", "in_proof": True, "theorem": "t", "attempt": 1}
    for at in range(8)
]
PAIRS = [
    {"prompt": "p : Prop\nh : p\n⊢ p:::", "chosen": "exact h", "rejected": rejected, "theorem": "t", "attempt": 1}
    for rejected in ["rfl", "simp"]
]


@pytest.mark.parametrize("method", ["sft", "dpo"])
def test_the_small_trainer_learns_and_is_deterministic(method, tmp_path):
    for name, rows in (("steps", STEPS), ("pairs", PAIRS)):
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "parent").write_text("{}")

    def train(model, parent="parent"):
        command = [sys.executable, TRAINERS / "numpy_trainer.py", "train", method]
        command += [tmp_path / "steps", tmp_path / "pairs", tmp_path / parent, tmp_path / model, "3"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    losses = train("model")
    assert losses["last_loss"] < losses["first_loss"] / 2
    train("again")
    assert (tmp_path / "model").read_bytes() == (tmp_path / "again").read_bytes()
    trainer = example("numpy_trainer")
    trained, base = (trainer.Model.read(tmp_path / name) for name in ("model", "parent"))
    goal = trainer.features("p : Prop\nh : p\n⊢ p")

    def prior(model, tactic):
        return model.log_priors(goal)[model.tactics.index(tactic)]

    assert prior(trained, "exact h") > prior(base, "exact h") + 1
    if method == "dpo":
        assert prior(trained, "rfl") < prior(base, "rfl")
    # Without rows, a model is its parent.
    for name in ("steps", "pairs"):
        (tmp_path / name).write_text("")
    command = [sys.executable, TRAINERS / "numpy_trainer.py", "train", method]
    command += [tmp_path / name for name in ("steps", "pairs", "model", "same")]
    subprocess.run([*command, "3"], check=True)
    assert (tmp_path / "same").read_bytes() == (tmp_path / "model").read_bytes()


@pytest.mark.parametrize("method", ["sft", "dpo"])
def test_a_loop_with_the_small_trainer(method, program, tmp_path):
    examples = TRAINERS.parent / "loop"
    for name, most in (("train", 12), ("held_out", 6)):
        theorems = (examples / f"{name}.lean").read_text().split("sorry\n")[:most]
        (tmp_path / f"{name}.lean").write_text("sorry\n".join([*theorems, ""]))
    (tmp_path / "base.json").write_text("{}")
    trainer = f"{sys.executable} {TRAINERS / 'numpy_trainer.py'}"
    (tmp_path / "loop.toml").write_text(f"""
[theorems]
train = "train.lean"
held_out = "held_out.lean"
[model]
base = "base.json"
[train]
command = "{trainer} train {method} {{steps}} {{pairs}} {{parent}} {{model}} {{seed}}"
[[config.providers]]
kind = "exec"
command = "{trainer} serve {{model}}"
[config.budget]
time_s = "none"
max_candidates = 20
[config.verify]
level = "compiled"
[rollout]
attempts = 1
[plateau]
iterations = 1
rounds = 1
""")
    out = tmp_path / "out"
    command = [program, "learn", tmp_path / "loop.toml", "--out", out]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    rows = {name: (out / "1.1" / f"{name}.jsonl").read_text().splitlines() for name in ("steps", "pairs", "theorems")}
    pairs = [json.loads(row) for row in rows["pairs"]]
    assert pairs and all(row["prompt"].endswith(":::") and row["chosen"] != row["rejected"] for row in pairs)
    theorems = [json.loads(row) for row in rows["theorems"]]
    assert len(theorems) == 12
    assert json.loads((out / "1.1" / "model.json").read_text())["weights"]
    # The judge takes the theorems as the loop states them.
    compute_score = example("verl_reward").compute_score
    assert [compute_score("andor", "sorry", theorem) for theorem in theorems[:2]] == [0, 0]
    proof = andor.prove(theorems[0]["statement"], system="mini", max_iterations=200)
    assert proof and compute_score("andor", f"```lean\n{proof.source}```", theorems[0]) == 1
