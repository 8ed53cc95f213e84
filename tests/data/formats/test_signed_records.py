"""Lists of records that name their coder, in JSON lines and in Parquet: a row for each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accordant.data.read import read

ROWS = [
    {
        "post_id": f"p{k}",
        "text": f"A post about number {k}.",
        "annotators": [
            {"annotator_id": who, "label": ("hate", "normal", "offensive")[(k + n // 2) % 3]}
            for n, who in enumerate(("w1", "w2", "w3"))
            if (k + n) % 4
        ],
    }
    for k in range(8)
]


@pytest.mark.parametrize("suffix", [".jsonl", ".parquet"])
def test_a_row_for_each_member(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"posts{suffix}"
    if suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    else:
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        pq.write_table(pa.Table.from_pylist(ROWS), path)
    data = read(path)
    assert {(r["item"], r["coder"], r["label"]) for r in data.to_rows()} == {
        (row["post_id"], one["annotator_id"], one["label"])
        for row in ROWS
        for one in row["annotators"]
    }
