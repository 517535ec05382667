"""A trainer and a provider of one's own for `andor learn`: it counts which tactics proved goals of a class.

The class of a goal is the first symbol of a list that its target has. `{h}` in a tactic is any name of the goal.
Trains with `counts.py train STEPS PARENT MODEL`, and proposes tactics with `counts.py serve MODEL`.
"""

import json
import math
import re
import sys
from pathlib import Path

SYMBOLS = ["↔", "→", "∧", "∨", "¬", "∃", "∀", "≤", "++", "*", "+", "="]
TACTICS = """assumption|rfl|constructor|left|right|intro h|intros|omega|ring|simp|simp_all|exact {h}|apply {h}|cases {h}
rw [{h}]|rw [← {h}]|simp [{h}]|exact {h}.1|exact {h}.2|contradiction|exfalso|exists {h}|subst {h}""".replace("\n", "|")


def read(state):
    """The class of a goal, and its names."""
    context, _, target = state.rpartition("⊢")
    names = [name for line in context.splitlines() for name in line.split(" : ")[0].split() if name.isidentifier()]
    return next((symbol for symbol in SYMBOLS if symbol in target), "other"), names


def train(steps, parent, model):
    counts = json.loads(Path(parent).read_text())
    for line in Path(steps).read_text().splitlines():
        row = json.loads(line)
        kind, names = read(row["prompt"].removesuffix(":::"))
        shape = re.sub(r"[\w✝]+", lambda word: "{h}" if word[0] in names else word[0], row["completion"], count=0)
        if shape.count("{h}") < 2:
            of_kind = counts.setdefault(kind, {})
            of_kind[shape] = round(of_kind.get(shape, 0) + row["weight"], 6)
    Path(model).write_text(json.dumps(counts, ensure_ascii=False, indent=1, sort_keys=True))


def serve(model):
    counts = json.loads(Path(model).read_text())
    json.loads(sys.stdin.readline())
    print(json.dumps({"version": 1, "name": "counts"}), flush=True)
    for line in sys.stdin:  # ends with andor
        request = json.loads(line)
        kind, names = read(request["goals"][0])
        seen = counts.get(kind, {})
        shapes = dict.fromkeys([*TACTICS.split("|"), *seen])
        total = sum(seen.values()) + 0.1 * len(shapes)
        candidates = []
        for shape in shapes:
            share = (seen.get(shape, 0) + 0.1) / total
            fills = names[::-1] if "{h}" in shape else [""]
            for name in fills:
                prior = math.log(share / len(fills))
                candidates.append({"tactic": shape.replace("{h}", name), "log_prior": prior})
        print(json.dumps({"id": request["id"], "candidates": candidates}), flush=True)


{"train": train, "serve": serve}[sys.argv[1]](*sys.argv[2:])
