"""Makes the Parquet files of this folder: rows as NuminaMath-LEAN and miniF2F have them. Needs pyarrow."""

import pyarrow as pa
import pyarrow.parquet as pq

STATEMENT = "theorem a{0} (n : ℕ) : n + {0} = {0} + n := by"
HEADER = "import Mathlib\n\nopen Nat\n\n"

numina = pa.table(
    {
        "uuid": ["u1", "u2", "u3"],
        "problem": ["Show it.", None, "Show it again."],
        "formal_statement": [HEADER + STATEMENT.format(n) + " sorry" for n in range(1, 4)],
        "formal_proof": pa.array([None, "by omega", None], pa.string()),
        "rl_data": pa.array(
            [{"n_correct_proofs": 1, "n_proofs": 2, "win_rate": 0.5}, None, {"n_correct_proofs": 0, "n_proofs": 2, "win_rate": 0.0}],
            pa.struct([("n_correct_proofs", pa.int64()), ("n_proofs", pa.int64()), ("win_rate", pa.float64())]),
        ),
        "tags": [["algebra", "easy"], [], None],
    }
)
minif2f = pa.table(
    {
        "name": [f"a{n}" for n in range(1, 6)],
        "split": ["test"] * 5,
        "informal_prefix": ["/-- Show it. -/\n"] * 5,
        "formal_statement": [STATEMENT.format(n) + "\n" for n in range(1, 6)],
        "header": [HEADER] * 5,
    }
)
pq.write_table(numina, "numina.parquet", compression="snappy")
# Several groups of rows, and the other common compressions.
for compression in ["none", "gzip", "zstd", "lz4"]:
    pq.write_table(minif2f, f"minif2f_{compression}.parquet", compression=compression, row_group_size=2)
