"""How notebooks show things. All texts come from outside, and are escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .records import Goal, Tried

_COLOURS = {"accepted": "#1a7f37", "not_proved": "#9a6700", "proved": "#1a7f37", "open": "#9a6700"}

#: Rows of results, or nodes of a tree, that are shown.
_SHOWN = 50


def _pre(text: str) -> str:
    return f'<pre style="margin:0.3em 0;padding:0.4em;background:rgba(128,128,128,0.1)">{escape(text)}</pre>'


def _badge(word: str) -> str:
    colour = _COLOURS.get(word, "#cf222e")
    return f'<b style="color:{colour}">{escape(word.replace("_", " "))}</b>'


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are HTML already."""
    lines = "".join("<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in row) + "</tr>" for row in rows)
    return f"<table><thead><tr>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr></thead><tbody>{lines}</tbody></table>"


def _details(summary: str, inside: str) -> str:
    return f"<details><summary>{escape(summary)}</summary>{inside}</details>"


def goal(goal: Goal) -> str:
    case = f"<div>case <b>{escape(goal.case)}</b></div>" if goal.case else ""
    context = "".join(f"<div><code>{escape(str(hypothesis))}</code></div>" for hypothesis in goal.hypotheses)
    return f"{case}{context}<div><b>⊢</b> <code>{escape(goal.target)}</code></div>"


def goals(goals: Sequence[Goal]) -> str:
    if not goals:
        return "<div>no goals</div>"
    return "<hr>".join(map(goal, goals))


def tried(tried: Tried) -> str:
    after = goals(tried.goals) if tried.goals is not None else _pre(tried.error or "")
    return f"<div><code>{escape(tried.tactic)}</code></div>{after}"


def steps(steps: Sequence[Mapping[str, Any]]) -> str:
    """A proof, step by step, with the goals before each."""
    rows = ([f"<code>{escape(step['tactic'])}</code>", _pre(step["state"])] for step in steps)
    return _table(["tactic", "goals before it"], rows)


def result(result: Mapping[str, Any]) -> str:
    spent = result["spent"]
    level = result["verification_level"]
    facts = [f"{spent['nodes']} nodes", f"{spent['candidates']} candidates", f"{result['timing']['total_ms'] / 1e3:.2f} s"]
    if level is not None:
        facts.insert(0, f"verified to level {level}")
    why = result["infrastructure_error"] or (result["stop_detail"] if result["outcome"] != "accepted" else "")
    proof = result["source"] or result["proof"]
    return (
        f"<div><b>{escape(result['theorem'])}</b>: {_badge(result['outcome'])} ({escape(', '.join(facts))})</div>"
        + (f"<div>{escape(why)}</div>" if why else "")
        + (_pre(proof) if proof else "")
        + (_details("steps", steps(result["proof_steps"])) if result["proof_steps"] else "")
    )


def results(results: Sequence[Mapping[str, Any]]) -> str:
    proved = sum(result["outcome"] == "accepted" for result in results)
    rows = (
        [
            escape(r["theorem"]),
            str(r["attempt"]),
            _badge(r["outcome"]),
            escape(r["stop_reason"]),
            str(r["spent"]["nodes"]),
            f"{r['timing']['total_ms'] / 1e3:.2f}",
        ]
        for r in results[:_SHOWN]
    )
    more = f"<div>and {len(results) - _SHOWN} more</div>" if len(results) > _SHOWN else ""
    head = ["theorem", "attempt", "outcome", "stopped by", "nodes", "seconds"]
    return f"<div>{len(results)} results, {proved} accepted</div>{_table(head, rows)}{more}"


def models(models: Sequence[Mapping[str, Any]], best: Mapping[str, Any]) -> str:
    def row(model: Mapping[str, Any]) -> list[str]:
        name = escape(model["name"])
        counts = model["evaluation"]
        tested = model["against"]
        against = f"{escape(tested['model'])}, p = {tested['p_value']:.2g}" if tested else ""
        return [
            f"<b>{name}</b>" if model is best else name,
            escape(model["parent"] or ""),
            f"{counts['solved']} of {counts['theorems']}",
            against,
        ]

    return _table(["model", "trained from", "held-out theorems proved", "compared with"], map(row, models))


def tree(tree: Mapping[str, Any]) -> str:
    """The nodes as nested lists, those of a proof unfolded. A node that occurs again is only named."""
    nodes = {node["id"]: node for node in tree["nodes"]}
    steps: dict[str, list[Mapping[str, Any]]] = {}
    for step in tree["steps"]:
        steps.setdefault(step["node"], []).append(step)
    shown: set[str] = set()

    def of(name: str) -> str:
        node = nodes[name]
        goal = escape(node["goals"][-1]) if node["goals"] else ""
        head = f"{_badge(node['status'])} <code>{goal}</code> ({node['visit_count']} visits)"
        if name in shown:
            return f"<div>{head}, as above</div>"
        if len(shown) >= _SHOWN:
            return f"<div>{head}, …</div>"
        shown.add(name)
        inside = "".join(
            f"<li><code>{escape(step['tactic'])}</code>{''.join(map(of, step['children']))}</li>"
            for step in steps.get(name, [])
        )
        if not inside:
            return f"<div>{head}</div>"
        unfolded = " open" if node["status"] == "proved" else ""
        return f"<details{unfolded}><summary>{head}</summary><ul>{inside}</ul></details>"

    size = f"{len(tree['nodes'])} nodes, {len(tree['steps'])} steps"
    return f"<div><b>{escape(tree['theorem'])}</b>: {size}</div>{of(tree['nodes'][0]['id'])}"


def verdict(verdict: Mapping[str, Any]) -> str:
    theorems = ", ".join(verdict["theorems"])
    message = f"<div>{escape(verdict['message'])}</div>" if verdict["message"] else ""
    return f"<div>{_badge(verdict['verdict'])} at level {verdict['level']}: {escape(theorems)}</div>{message}"
