"""What the program prints for programs, against its own schemas, by a validator that no one here wrote."""

import json
import subprocess
from pathlib import Path

from jsonschema import Draft202012Validator

FORMATS = Path("docs/formats")
SOURCE = """
theorem swap (p q : Prop) : p ∧ q → q ∧ p := by sorry

theorem wrong (p q : Prop) : p → q := by sorry
"""


def records(program, *arguments):
    """The JSON that a command prints, a record a line."""
    done = subprocess.run([program, *map(str, arguments)], check=False, capture_output=True, text=True)
    assert done.returncode in (0, 1) and done.stdout, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def validator(name):
    schema = json.loads((FORMATS / f"{name}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def test_what_is_printed_has_the_form_of_its_schema(program, tmp_path):
    source, a, b = tmp_path / "logic.lean", tmp_path / "A", tmp_path / "B"
    source.write_text(SOURCE)
    limits = ["--system", "mini", "--max-iterations", "50"]
    printed = {
        "results": records(program, "run", source, "--out", a, *limits, "--json")
        + records(program, "prove", source, *limits, "--no-cache", "--json"),
        "check": records(program, "check", source, "--system", "mini", "--json"),
        "doctor": records(program, "doctor", "--system", "mini", "--json"),
        "results-summary": records(program, "results", a, "--json")
        + records(program, "results", a, "--theorem", "swap", "--json"),
    }
    records(program, "run", source, "--out", b, *limits, "--seed", "7", "--json")
    printed["compare"] = records(program, "compare", a, b, "--json")
    for name, lines in printed.items():
        checked = validator(name)
        for line in lines:
            checked.validate(line)
    # A schema that takes anything would find no fault.
    for name, lines in printed.items():
        assert not validator(name).is_valid({"no": "record"}), name
