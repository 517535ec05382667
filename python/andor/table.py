"""Results as a table. Its columns are the same for all results."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

#: Columns that are no texts.
_TYPES = {
    "attempt": "int64",
    "seed": "uint64",
    "chance": "bool",
    "from_cache": "bool",
    "verification_level": "int64",
    "validated": "bool",
    "virtual_ms": "double",
}

#: Records of numbers: a column for each.
_FLAT = {"spent": "int64", "timing": "double"}

#: Lists of texts.
_LISTS = ("axioms", "statement_axioms", "features", "known_bugs", "libraries", "universes", "kernels")


def row(result: Mapping[str, Any]) -> dict[str, Any]:
    """A row. What is nested is JSON, but for lists of texts and records of numbers: ``spent_nodes``, ``timing_total_ms``."""
    cells: dict[str, Any] = {}
    for name, value in result.items():
        if name in _FLAT:
            for part, number in value.items():
                if isinstance(number, dict):
                    cells |= {f"{name}_{part}_{inner}": n for inner, n in number.items()}
                else:
                    cells[f"{name}_{part}"] = number
        elif isinstance(value, (dict, list)) and name not in _LISTS:
            cells[name] = json.dumps(value, ensure_ascii=False)
        else:
            cells[name] = value
    return cells


def table(results: Sequence[Mapping[str, Any]]) -> Any:
    """A ``pyarrow.Table``."""
    import pyarrow as pa  # type: ignore[import-untyped]

    rows = [row(result) for result in results]
    names = list(dict.fromkeys(name for cells in rows for name in cells))

    def kind(name: str) -> Any:
        if name in _LISTS:
            return pa.list_(pa.string())
        if name in _TYPES:
            return pa.type_for_alias(_TYPES[name])
        if name.endswith(("_ms", "_cost")) and name.startswith(tuple(_FLAT)):
            return pa.float64()
        return pa.int64() if name.startswith("spent_") else pa.string()

    return pa.Table.from_pylist(rows, schema=pa.schema([(name, kind(name)) for name in names]))
