"""F1 of spans: by hand, against an exhaustive matching, and what it refuses."""

from __future__ import annotations

import math
import random
from itertools import permutations
from pathlib import Path

import pytest

import accordant as ac
from accordant.data.annotations import Annotations
from accordant.data.formats.records import Records
from accordant.data.options import Options
from accordant.data.read import _of_import
from accordant.errors import RequestError
from accordant.measure.span_f1 import _overlapping

Mark = tuple[int, int, str]


def data_of(marks: dict[str, dict[str, list[Mark]]]) -> Annotations:
    """Coder to text to marks; a text with no marks was read all the same."""
    to = Records("made", "made.json")
    for coder, texts in marks.items():
        for text, found in texts.items():
            to.looked(text, coder)
            for start, end, label in found:
                to.span(text, coder, start, end, label)
    return _of_import(to.done(), Options(), "made.json")


THREE = data_of(
    {
        "anna": {"s": [(0, 3, "A"), (5, 9, "B"), (20, 25, "A")], "t": [(0, 4, "A")]},
        "bob": {"s": [(0, 3, "A"), (5, 8, "B"), (20, 25, "B")], "t": []},
        "cem": {"s": [(0, 3, "A")]},
    }
)


def test_by_hand() -> None:
    found = {(p.first, p.second): p for p in ac.span_f1(THREE).pairs}
    pair = found["anna", "bob"]
    assert (pair.n_items, pair.n_first, pair.n_second, pair.n_matched) == (2, 4, 3, 1)
    assert pair.f1 == 2 / 7
    assert found["anna", "cem"].f1 == found["bob", "cem"].f1 == 2 * 1 / (3 + 1)
    assert ac.span_f1(THREE).mean() == pytest.approx((2 / 7 + 0.5 + 0.5) / 3, abs=1e-15)
    assert ac.span_f1(THREE, match="overlap").pairs[0].f1 == 4 / 7
    assert ac.span_f1(THREE, labels=False).pairs[0].f1 == 4 / 7
    assert ac.span_f1(THREE, match="overlap", labels=False).pairs[0].f1 == 6 / 7


def test_f1_is_precision_and_recall_whoever_is_right() -> None:
    for p in ac.span_f1(THREE).pairs:
        precision, recall = p.n_matched / p.n_second, p.n_matched / p.n_first
        assert p.f1 == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-15)


def best(ours: list[Mark], theirs: list[Mark]) -> int:
    """The most pairs that overlap, by trying all."""
    short, long = sorted((ours, theirs), key=len)

    def fits(x: Mark, y: Mark) -> bool:
        return x[2] == y[2] and (min(x[1], y[1]) > max(x[0], y[0]) or x[:2] == y[:2])

    return max(
        (sum(map(fits, short, order)) for order in permutations(long, len(short))), default=0
    )


def test_overlap_finds_as_many_pairs_as_an_exhaustive_search() -> None:
    rng = random.Random(7)

    def some() -> list[Mark]:
        starts = [rng.randrange(12) for _ in range(rng.randrange(6))]
        return list({(s, s + rng.randrange(6), rng.choice("AB")): None for s in starts})

    for _ in range(300):
        ours, theirs = some(), some()
        assert _overlapping(ours, theirs) == best(ours, theirs) == _overlapping(theirs, ours)


def test_nobody_marked_anything_and_no_common_text() -> None:
    data = data_of({"anna": {"s": [], "t": [(0, 1, "A")]}, "bob": {"s": []}})
    assert math.isnan(ac.span_f1(data).mean())
    with pytest.raises(RequestError, match="no two coders went through the same text"):
        ac.span_f1(data_of({"anna": {"s": [(0, 1, "A")]}, "bob": {"t": [(0, 1, "A")]}}))


def test_what_has_no_spans_is_refused() -> None:
    with pytest.raises(RequestError, match="do not say where spans begin and end"):
        ac.span_f1([["a", "b"], ["a", "a"]])
    with pytest.raises(RequestError, match="choose one of 'exact', 'overlap', not 'most'"):
        ac.span_f1(THREE, match="most")  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="choose one of ''"):
        ac.span_f1(THREE).mean("topic")


def test_kappa_of_characters_approaches_f1_as_the_text_grows() -> None:
    """Hripcsak & Rothschild 2005: with few spans in much text kappa is nearly F1."""
    ours, theirs = {3, 4, 5, 9}, {4, 5, 9, 12}
    f1 = 2 * len(ours & theirs) / (len(ours) + len(theirs))
    gaps = []
    for n in (50, 500, 5000):
        rows = [["x" if k in marked else "o" for k in range(n)] for marked in (ours, theirs)]
        gaps.append(abs(ac.agreement(rows, "kappa", interval="none")["kappa"].value - f1))
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 1e-3


def test_rows_and_view(tmp_path: Path) -> None:
    found = ac.span_f1(THREE)
    assert [r["first"] for r in found.to_rows()] == ["anna", "anna", "bob", "mean of pairs"]
    assert set(found.to_rows()[0]) == {
        "question",
        "first",
        "second",
        "n_items",
        "n_first",
        "n_second",
        "n_matched",
        "f1",
    }
    assert "Mean F1 of the pairs of coders: 0.429" in str(found)
    assert "Hripcsak & Rothschild (2005)" in str(found).replace("\n  ", " ")
