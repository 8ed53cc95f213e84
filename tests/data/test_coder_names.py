"""Coders are called as the user says; an e-mail address is shown nowhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from accordant import read, report

ANN, BOB, OTHER = "ann@b.org", "bob@b.org", "ann@c.example"
ROWS = [
    (f"t{k}", who, "xy"[(k + n) % 2 and k > 2])
    for k in range(8)
    for n, who in enumerate((ANN, BOB))
]


def long(**options: Any) -> Any:
    return read(pd.DataFrame(ROWS, columns=["item", "coder", "label"]), **options)


def wide(**options: Any) -> Any:
    cells: dict[str, Any] = {"item": [f"t{k}" for k in range(8)]}
    return read(cells | {c: [x for _, w, x in ROWS if w == c] for c in (ANN, BOB)}, **options)


@pytest.mark.parametrize("data", [long, wide, lambda **o: read(ROWS, **o)])
def test_addresses_are_shortened_in_every_layout_and_said(data: Any) -> None:
    found = data()
    assert found.coders == ("ann", "bob")
    assert sum("before the @" in note for note in found.reading.notes) == 1
    assert "@b.org" not in "\n".join(found.reading.lines())


def test_an_export_of_a_platform_and_a_report_show_no_address(tmp_path: Path) -> None:
    tasks = [
        {
            "id": k,
            "data": {"text": f"A text {k}."},
            "annotations": [
                {
                    "completed_by": {"id": n, "email": who},
                    "result": [
                        {
                            "type": "choices",
                            "from_name": "role",
                            "to_name": "text",
                            "value": {"choices": ["xy"[(k + n) % 2]]},
                        }
                    ],
                }
                for n, who in enumerate((ANN, OTHER))
            ],
        }
        for k in range(6)
    ]
    path = tmp_path / "export.json"
    path.write_text(__import__("json").dumps(tasks))
    assert read(path).coders == ("ann 1", "ann 2")
    report(read(path)).save(tmp_path / "report.html")
    shown = (tmp_path / "report.html").read_text()
    assert not re.search(r"ann@[bc]\.", shown)


def test_names_that_collide_are_numbered() -> None:
    found = read([("t1", ANN, 1), ("t1", OTHER, 2), ("t1", "ann 1", 1)])
    assert found.coders == ("ann 2", "ann 3", "ann 1")


def test_occasions_and_times_of_coders_follow() -> None:
    rows = [*ROWS, ("t1", ANN, "y")]
    found = read(rows, duplicates="keep")
    assert found.coders == ("ann", "ann (2nd time)", "bob")
    assert found.persons == ("ann", "ann", "bob")
    frame = pd.DataFrame(ROWS, columns=["item", "coder", "label"])
    frame["created_at"] = pd.date_range("2026-01-01", periods=len(frame), freq="h")
    assert set(read(frame).metadata) == {"ann: created_at", "bob: created_at"}
