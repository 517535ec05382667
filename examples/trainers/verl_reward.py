"""A reward for verl, from the judge: 1 for a proof that andor accepts, 0 for everything else.

In verl's configuration:

    custom_reward_function.path=examples/trainers/verl_reward.py
    custom_reward_function.name=compute_score

``python verl_reward.py THEOREMS OUT.parquet`` makes verl's data from ``{theorems}`` of a loop: a prompt for each theorem, and the
theorem itself as the ground truth. The answer is the proof, alone or in a block of code; with the statement in front of it or
without. The file that is judged is put together here, and its statement is compared with the theorem's own, so that an answer that
proves something else is worth nothing. Needs the Python package ``andor``.
"""

import json
import re
import sys
import tempfile
from pathlib import Path

import andor

PROMPT = "Prove this theorem of {language}. Answer with the proof alone, in a block of code.\n\n```\n{statement}\n```\n"
LANGUAGES = {"lean4": "Lean 4", "mini": "Lean 4", "rocq": "Rocq"}
#: A longer answer is no proof; the most seconds for the judge.
MOST_BYTES, SECONDS = 100_000, 60
STATING = re.compile(r"\b(theorem|lemma|example|Theorem|Lemma|Example|Fact|Remark|Corollary|Proposition|Goal)\b")


def compute_score(data_source, solution_str, ground_truth, extra_info=None):
    """The reward of an answer. ``ground_truth`` is a row of ``theorems.jsonl``, as a dictionary or as JSON."""
    theorem = json.loads(ground_truth) if isinstance(ground_truth, str) else ground_truth
    proof = answer(solution_str)
    if not proof or len(proof.encode()) > MOST_BYTES:
        return 0.0
    ending = "v" if theorem["system"] == "rocq" else "lean"
    with tempfile.TemporaryDirectory() as folder:
        task, file = Path(folder, f"task.{ending}"), Path(folder, f"answer.{ending}")
        task.write_text(whole(theorem, "Admitted." if ending == "v" else ":= by sorry"))
        file.write_text(whole(theorem, proof))
        try:
            verdict = andor.check(file, statement_from=task, system=theorem["system"], verify=2, check_timeout=SECONDS)
        except andor.CheckError as error:
            if error.variant == "Io":
                raise
            return 0.0  # what is put together is no file with this theorem
    if verdict.verdict == "infrastructure":
        raise RuntimeError(f"the judge failed: {verdict.message}")
    return float(verdict.verdict == "accepted")


def answer(text):
    """The proof in an answer: its last block of code, or all of it, without the reasoning."""
    text = text.rpartition("</think>")[2]
    blocks = re.findall(r"```[\w-]*\n(.*?)```", text, flags=re.DOTALL)
    return (blocks[-1] if blocks else text).strip()


def whole(theorem, proof):
    """A file with a proof. One that begins with the theorem's statement is taken as it is, and compared."""
    statement, header, footer = (theorem[part] for part in ("statement", "header", "footer"))
    if STATING.search(proof):
        text = proof
    elif theorem["system"] == "rocq":
        text = f"{statement}\n{proof}"
    else:
        text = f"{statement} {proof}" if proof.startswith(":=") else f"{statement} := by\n{indented(proof)}"
    return "\n".join(part for part in (header, text, footer) if part) + "\n"


def indented(proof):
    proof = re.sub(r"\Aby\b\s*", "", proof)
    return "\n".join("  " + line for line in proof.splitlines())


def make(theorems, out):
    """Writes verl's data."""
    import pyarrow
    import pyarrow.parquet

    rows = [json.loads(line) for line in Path(theorems).read_text().splitlines()]
    table = [
        {
            "data_source": "andor",
            "prompt": [
                {
                    "role": "user",
                    "content": PROMPT.format(language=LANGUAGES[row["system"]], statement=row["statement"]),
                }
            ],
            "ability": "proof",
            "reward_model": {"style": "rule", "ground_truth": json.dumps(row, ensure_ascii=False)},
            "extra_info": {"index": row["theorem"]},
        }
        for row in rows
    ]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(table), out)


if __name__ == "__main__":
    make(*sys.argv[1:])
