"""Confusion matrices: cells, rows for programs, the items behind a cell."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.diagnosis.diagnose import Diagnosis
from accordant.errors import RequestError
from accordant.render.html import notebook
from accordant.render.markdown import sections_markdown
from accordant.render.terminal import text
from accordant.views.blocks import Cell, Choice, Matrix
from accordant.views.confusion import NOTHING_MORE
from accordant.views.document import Section
from accordant.views.evidence import Collector, gathered
from accordant.views.view import named
from planted import CODERS, N

RATINGS = {
    "item": [1, 2, 3, 4],
    "ann": list("abac"),
    "bob": list("abbc"),
    "cleo": [*list("aab"), None],
}
VIEW = named("diagnose", "confusion")


@pytest.fixture(scope="module")
def small() -> Diagnosis:
    return ac.diagnose(RATINGS)


def matrix(found: Diagnosis, **options: str) -> Matrix:
    return next(
        b for b in VIEW.section(found.told_parts, **options).blocks if isinstance(b, Matrix)
    )


def test_golden_page(golden: Callable[..., None], known: Diagnosis) -> None:
    golden("confusion", [VIEW.section(known.told_parts)])


def test_programs_get_every_pair_of_coders(small: Diagnosis) -> None:
    rows = VIEW.rows(small.told_parts)
    assert {(row["first"], row["second"]) for row in rows} == {
        ("ann", "bob"),
        ("ann", "cleo"),
        ("bob", "cleo"),
    }
    assert sum(row["n"] for row in rows) == 4 + 3 + 3
    same = [row["row"] == row["column"] for row in rows]
    assert same == sorted(same), "disagreements stand first"


def test_readers_see_all_pairs_together(small: Diagnosis) -> None:
    shown = matrix(small)
    assert shown.row_names == ("a", "b", "c")
    assert [[cell.value for cell in line] for line in shown.cells] == [
        [6, 4, 0],
        [4, 4, 0],
        [0, 0, 2],
    ]
    assert shown.totals is not None
    assert shown.totals[2] == "20"


def test_a_coder_and_all_others(known: Diagnosis) -> None:
    shown = matrix(known, of="Cleo")
    assert (shown.rows_are, shown.columns_are) == ("Cleo", "all others")
    assert sum(cell.value for line in shown.cells for cell in line) == 3 * N
    for line in shown.cells:
        total = sum(cell.value for cell in line)
        assert all(c.small == f"{100 * c.value / total:.0f}\xa0%" for c in line if c.value)


def test_a_pair_of_coders(small: Diagnosis) -> None:
    rows = VIEW.rows(small.told_parts, of="ann", against="bob")
    assert [(r["row"], r["column"], r["n"]) for r in rows if r["row"] != r["column"]] == [
        ("a", "b", 1)
    ]


@pytest.mark.parametrize("options", [{"of": "nobody"}, {"against": "bob"}])
def test_coders_that_do_not_fit(small: Diagnosis, options: dict[str, str]) -> None:
    with pytest.raises(RequestError, match=r"nobody|against"):
        VIEW.rows(small.told_parts, **options)


def test_sets_are_compared_label_by_label(sets: Diagnosis) -> None:
    shown = matrix(sets)
    assert shown.row_names[-1] == NOTHING_MORE
    rows = VIEW.rows(sets.told_parts)
    assert any(row["column"] == NOTHING_MORE for row in rows)


def test_disagreements_open_their_items(small: Diagnosis) -> None:
    kept = Collector()
    section = gathered(VIEW.section(small.told_parts), kept)
    shown = next(b for b in section.blocks if isinstance(b, Matrix))
    evidence = kept.evidence()
    (n, places) = evidence.cells[shown.cells[0][1].items]
    assert n == 2
    assert {evidence.entries[k][0] for k in places} == {"2", "3"}
    assert shown.cells[0][0].items is None, "agreement needs no look"


def test_pairs_follow_as_a_detail(known: Diagnosis) -> None:
    (choice,) = [b for b in VIEW.section(known.told_parts).blocks if isinstance(b, Choice)]
    assert choice.depth == "detail"
    assert all(name.split(" and ")[0] in CODERS for name, _ in choice.options)


def test_too_many_values_say_so() -> None:
    data = ac.read([[k / 7 for k in range(60)], [k / 7 + 0.1 for k in range(60)]], scale="interval")
    assert VIEW.rows(ac.diagnose(data).told_parts) == []


def test_a_label_of_one_question_only() -> None:
    rows = [
        (i, q, c, v)
        for i in (1, 2)
        for c in "xy"
        for q, v in (("mood", "good" if (i, c) != (2, "y") else "bad"), ("topic", "sea"))
    ]
    table = [dict(zip(("item", "question", "coder", "label"), r, strict=True)) for r in rows]
    found = ac.diagnose(table)
    items = named("diagnose", "items")
    assert [r["item"] for r in items.rows(found.told_parts, cell=("good", "bad"))] == [2]
    with pytest.raises(RequestError, match="label"):
        items.rows(found.told_parts, cell=("good", "god"))


@pytest.mark.parametrize("n_columns, said", [(2, True), (13, False)])
def test_second_numbers_are_explained_where_they_stand(n_columns: int, said: bool) -> None:
    """A wide matrix has room for one number, and a note about another one would mislead."""
    names = tuple(f"c{k}" for k in range(n_columns))
    cells = ((Cell("7", 7.0, small="50 %"),) * n_columns,)
    matrix = Matrix("", "one", "other", ("r",), names, cells, second="share of the row")
    section = Section("key", "title", "", (matrix,))
    for page in (notebook([section]), text([section], width=200), sections_markdown([section])):
        assert ("share of the row" in page) == said == ("50 %" in page)
