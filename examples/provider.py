"""A provider for andor: andor prove FILE --provider 'exec=python3 examples/provider.py'"""

import json
import sys


def tactics(request):
    goal = request["goals"][0].splitlines()
    target = goal[-1].removeprefix("⊢ ")
    yield "intro h" if request["theorem"]["system"] == "mini" else "intro"
    for word, tactic in {"∧": "constructor", "/\\": "split", "=": "rfl", "↔": "constructor"}.items():
        if word in target:
            yield tactic
    for line in goal[:-1]:
        name = line.split(" :")[0]
        yield from (f"exact {name}", f"exact {name}.1", f"exact {name}.2", f"apply {name}")


hello = json.loads(sys.stdin.readline())
print(json.dumps({"version": 1, "name": "example"}), flush=True)
for line in sys.stdin:  # ends with andor
    request = json.loads(line)
    known = {failure["tactic"] for failure in request["failed"]}
    candidates = [{"tactic": tactic} for tactic in tactics(request) if tactic not in known]
    print(json.dumps({"id": request["id"], "candidates": candidates}), flush=True)
