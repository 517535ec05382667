"""A small trainer in NumPy, with the files of every trainer of `andor learn`, and the provider of its models.

    numpy_trainer.py train METHOD STEPS PAIRS PARENT MODEL SEED
    numpy_trainer.py serve MODEL

METHOD is `sft`: the tactics of STEPS become likely, or `dpo`: the chosen ones of PAIRS become likelier than the rejected ones,
compared with what the parent thinks of them. The model gives each tactic a score by the words of the goal. A model that is
`{}` knows nothing.
"""

import json
import sys
import zlib
from pathlib import Path

import numpy as np

FEATURES, RATE, EPOCHS, BETA, DECAY = 512, 0.5, 30, 0.5, 1e-3
TACTICS = """assumption|rfl|constructor|left|right|intro h|intros|omega|ring|simp|simp_all|exact h|apply h|cases h
exact h.1|exact h.2|contradiction|exfalso""".replace("\n", "|").split("|")


class Model:
    """A weight for each feature of a goal and each tactic."""

    def __init__(self, tactics, weights):
        self.tactics, self.weights = tactics, weights

    @classmethod
    def read(cls, path):
        data = json.loads(Path(path).read_text())
        tactics = data.get("tactics", TACTICS)
        return cls(tactics, np.array(data.get("weights", np.zeros((FEATURES, len(tactics))))))

    def write(self, path):
        weights = [[round(weight, 6) for weight in row] for row in self.weights.tolist()]
        Path(path).write_text(json.dumps({"tactics": self.tactics, "weights": weights}))

    def knowing(self, tactics):
        """The same model, with these tactics besides its own."""
        new = [tactic for tactic in dict.fromkeys(tactics) if tactic not in set(self.tactics)]
        return Model(self.tactics + new, np.hstack([self.weights, np.zeros((FEATURES, len(new)))]))

    def log_priors(self, features):
        scores = features @ self.weights
        return scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True)


def features(state):
    """The words and symbols of a goal, those of the target apart from the others, hashed."""
    context, _, target = state.rpartition("⊢")
    found = np.zeros(FEATURES)
    found[0] = 1.0
    for kind, text in (("t", target), ("h", context)):
        for word in text.split():
            found[1 + zlib.crc32(f"{kind}{word.strip('()')}".encode()) % (FEATURES - 1)] = 1.0
    return found / np.sqrt(found.sum())


def sft(model, rows, order):
    """Raises the likelihood of tactics. Returns the mean loss of each epoch."""
    model = model.knowing(row["completion"] for row in rows)
    place = {tactic: at for at, tactic in enumerate(model.tactics)}
    goals = np.array([features(row["prompt"].removesuffix(":::")) for row in rows])
    wanted = np.array([place[row["completion"]] for row in rows])
    weights = np.array([row["weight"] for row in rows])
    losses = []
    for _ in range(EPOCHS):
        losses.append(float(-(weights * model.log_priors(goals)[np.arange(len(rows)), wanted]).sum() / weights.sum()))
        for at in order.permutation(len(rows)):
            wrong = np.exp(model.log_priors(goals[at]))
            wrong[wanted[at]] -= 1
            model.weights -= RATE * (weights[at] * np.outer(goals[at], wrong) + DECAY / len(rows) * model.weights)
    return model, losses


def dpo(model, rows, order):
    """Raises the likelihood of chosen tactics above that of rejected ones. Returns the mean loss of each epoch."""
    model = model.knowing(row[key] for row in rows for key in ("chosen", "rejected"))
    parent = Model(model.tactics, model.weights.copy())
    place = {tactic: at for at, tactic in enumerate(model.tactics)}
    goals = np.array([features(row["prompt"].removesuffix(":::")) for row in rows])
    won, lost = (np.array([place[row[key]] for row in rows]) for key in ("chosen", "rejected"))

    def margins(of, goals, won, lost):
        scores = goals @ of.weights
        return scores[np.arange(len(goals)), won] - scores[np.arange(len(goals)), lost]

    before = margins(parent, goals, won, lost)
    losses = []
    for _ in range(EPOCHS):
        losses.append(float(np.logaddexp(0, -BETA * (margins(model, goals, won, lost) - before)).mean()))
        for at in order.permutation(len(rows)):
            one = slice(at, at + 1)
            margin = BETA * (margins(model, goals[one], won[one], lost[one])[0] - before[at])
            step = RATE * BETA / (1 + np.exp(margin)) * goals[at]
            model.weights[:, won[at]] += step
            model.weights[:, lost[at]] -= step
    return model, losses


def train(method, steps, pairs, parent, model, seed):
    rows = [json.loads(line) for line in Path(steps if method == "sft" else pairs).read_text().splitlines()]
    trained = Model.read(parent)
    if rows:
        trained, losses = {"sft": sft, "dpo": dpo}[method](trained, rows, np.random.default_rng(int(seed)))
        print(json.dumps({"rows": len(rows), "first_loss": losses[0], "last_loss": losses[-1]}))
    trained.write(model)


def serve(path):
    model = Model.read(path)
    json.loads(sys.stdin.readline())
    print(json.dumps({"version": 1, "name": "numpy"}), flush=True)
    for line in sys.stdin:  # ends with andor
        request = json.loads(line)
        priors = model.log_priors(features(request["goals"][0]))
        candidates = [
            {"tactic": tactic, "log_prior": float(prior)} for tactic, prior in zip(model.tactics, priors)
        ]
        print(json.dumps({"id": request["id"], "candidates": candidates}), flush=True)


if __name__ == "__main__":
    {"train": train, "serve": serve}[sys.argv[1]](*sys.argv[2:])
