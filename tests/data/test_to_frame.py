"""`Annotations.to_frame`: what is written into a data frame is what `read` takes back."""

from __future__ import annotations

from typing import Any

import pytest

import accordant as ac

pd = pytest.importorskip("pandas")

LONG = {
    "item": ["i1", "i1", "i2", "i2", "i3"],
    "coder": ["anna", "bob", "anna", "bob", "anna"],
    "label": ["x", "y", "x", None, "y"],
}
ASKED = {
    "item": [1, 1, 2, 2] * 2,
    "coder": ["anna", "bob"] * 4,
    "question": ["q"] * 4 + ["r"] * 4,
    "label": ["x", "y", "x", "x", "m", "n", "m", "m"],
}
SETS = {
    "item": [1, 1, 2, 2],
    "coder": ["anna", "bob"] * 2,
    "label": [("a", "b"), ("a",), (), ("b", "c")],
}


@pytest.mark.parametrize("table", [LONG, ASKED, SETS])
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_it_is_read_back(table: dict[str, Any], layout: Any) -> None:
    data = ac.read(table)
    frame = data.to_frame(layout)
    again = ac.read(frame)
    wanted = {(r["item"], r.get("question"), r["coder"], r["label"]) for r in answered(data)}
    assert {
        (r["item"], r.get("question"), r["coder"], r["label"]) for r in answered(again)
    } == wanted
    assert ac.agreement(again, "alpha")["alpha"].value == pytest.approx(
        ac.agreement(data, "alpha")["alpha"].value, rel=1e-12, nan_ok=True
    )


def answered(data: ac.Annotations) -> list[dict[str, Any]]:
    return [row for row in data.to_rows() if row["status"].startswith("answered")]


def test_the_columns() -> None:
    data = ac.read(LONG)
    assert data.to_frame().columns.tolist() == ["item", "coder", "label", "status"]
    assert ac.read(ASKED).to_frame().columns[1] == "question"
    wide = data.to_frame("wide")
    assert wide.columns.tolist() == ["item", "anna", "bob"]
    assert wide["bob"].isna().tolist() == [False, True, True]
    assert len(ac.read(ASKED).to_frame("wide")) == 4
    grid = ac.read([["a", "b", None], ["a", "c", "a"]], coder=["anna", "bob"])
    assert grid.to_frame("wide")["anna"].tolist()[:2] == ["a", "b"]


def test_another_layout_is_refused() -> None:
    with pytest.raises(ac.RequestError, match="'long' or 'wide'"):
        ac.read(LONG).to_frame("table")  # type: ignore[arg-type]
