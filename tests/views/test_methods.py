"""How agreement was measured: the table of assumptions, the references, the paragraph."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.views.methods import references_section
from accordant.views.methods_paragraph import paragraph
from accordant.views.view import named

from .test_coefficient_choice import ONE, TWO

SETS = [[("a",), ("a", "b"), ("b",), ("c",)] * 5, [("a", "b"), ("a",), ("b",), ("c", "a")] * 5]


def test_golden_page(golden: Callable[..., None]) -> None:
    two = ac.agreement(TWO)
    sets = ac.agreement(SETS)
    told = [
        named("agreement", name).section(table.told_parts)
        for table, names in (
            (ac.agreement(ONE), ("methods-paragraph", "methods", "references")),
            (two, ("methods-paragraph",)),
            (sets, ("methods-paragraph",)),
        )
        for name in names
    ]
    golden("methods", told)


def test_the_paragraph_holds_the_figures() -> None:
    table = ac.agreement(TWO)
    text = paragraph(table)
    for question in ("topic", "mood"):
        row = table[question, "alpha"]
        assert f"{row.value:.3f}".replace("-", "−") in text
        assert f"{row.high:.3f} ".strip() in text
        assert f"{table[question, 'percent'].value:.3f}" in text
    assert text.count("interval") == 1
    assert table.data.fingerprint[:12] in text


def test_thresholds_are_those_of_the_chosen_scale() -> None:
    table = ac.agreement(ONE)
    assert ".667 and .800 (Krippendorff, 2004" in paragraph(table)
    assert ".000, .200, .400, .600 and .800 (Landis & Koch, 1977)" in paragraph(
        table, "landis_koch"
    )
    with pytest.raises(RequestError, match="landis_koch"):
        paragraph(table, "landis_kock")


def test_many_questions_are_told_by_their_range() -> None:
    rows = [
        {"item": i, "coder": c, "question": f"q{q}", "label": "uvw"[(i + (i % (k + q) == 0)) % 3]}
        for i in range(40)
        for c, k in (("Ada", 3), ("Bea", 5))
        for q in range(9)
    ]
    names = [f"q{q}" for q in range(9)]
    table = ac.agreement(rows, "alpha")
    values = {q: table[q, "alpha"].value for q in names}
    text = paragraph(table)
    for question in (min(values, key=values.__getitem__), max(values, key=values.__getitem__)):
        assert f"for {question}" in text
    assert len(text.split()) < 140


def test_what_is_cited_is_listed() -> None:
    table = ac.agreement(ONE)
    listed = {key for key, _, _ in references_section(table).blocks[0].entries}  # type: ignore[union-attr]
    assert {"cohen1960", "gwet2008", "landis1977"} <= listed
    rows = named("agreement", "methods").rows(table.told_parts)
    assert [row["coefficient"] for row in rows] == [row.coefficient for row in table]
