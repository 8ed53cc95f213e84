"""Levi & Shenhav (2022), A decomposition-based approach for evaluating disagreement.

Every figure of Tables 1, 2, 3, 5 and 6, with their order, and of the 127 rows of Appendix A, from
the bundled example. The annotations were reconstructed from these figures, so they agree by
construction; what is tested is that the public call works them out, rounds and averages as the
paper does. Conventions: `tests/golden/levi2022.json`, key "conventions".
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accordant import decompose, example

GOLDEN = json.loads(
    (Path(__file__).parents[1] / "golden" / "levi2022.json").read_text(encoding="utf-8")
)
LABELS = ("Complication", "Resolution", "Success")
PARITY = "000,011,101,110"  # the number of labels is odd
PAIRS = {"A1 × A2": "A1-A2", "A1 × A3": "A1-A3", None: "average"}


def paper(**options: Any) -> Any:
    return decompose(example("levi2022_neat"), rounding="levi2022", **options)


def printed(row: dict[str, Any]) -> dict[str, str]:
    """A row of ours under the names of the golden file."""
    own = {"first_level": row["first"], "average": row["second"]}
    return {label.lower(): row[label] for label in LABELS} | own


def figures(row: dict[str, Any]) -> dict[str, str]:
    """A row of the golden file without its sides."""
    return {key: x for key, x in row.items() if not key.startswith("side")}


def sides(row: dict[str, Any]) -> tuple[str, str]:
    """Both sides of a row of the golden file, as ours name them."""
    return ",".join(row["side0"]), ",".join(row["side1"])


# ------------------------------------------------------------------ the tables


def test_table_1() -> None:
    found = {row["coder"]: row for row in paper(most=1).total.given()}
    assert {c: {k.lower(): x for k, x in row.items()} for c, row in found.items()} == {
        c: {"coder": c, "n_items": row["sentences"]} | {x.lower(): row[x.lower()] for x in LABELS}
        for c, row in GOLDEN["table1"].items()
    }


@pytest.mark.parametrize("measure, table", [("percent", "ppa"), ("kappa", "kappa")])
def test_table_2(measure: str, table: str) -> None:
    rows = [row for row in paper(most=1).total.to_rows() if row["measure"] == measure]
    for row in rows:
        own = {label.lower(): row[label] for label in LABELS} | {"average": row["average"]}
        assert own == GOLDEN["table2"][table][PAIRS[row["pair"]]]
    assert len(rows) == 3


def test_table_3() -> None:
    rows = paper(by="any label")[0].by_pair()
    for row in rows:
        own = printed(row)
        own["plot"] = own.pop("first_level")
        assert own == GOLDEN["table3"][PAIRS[row["pair"]]]
    assert len(rows) == 3


@pytest.mark.parametrize("table, rank", [("table5", "first"), ("table6", "second")])
def test_tables_5_and_6_in_their_order(table: str, rank: str) -> None:
    rows = paper(rank=rank, most=10).to_rows()
    assert [(row["side_0"], row["side_1"]) for row in rows] == [sides(x) for x in GOLDEN[table]]
    assert [printed(row) for row in rows] == [figures(x) for x in GOLDEN[table]]


def test_appendix_in_its_order() -> None:
    rows = paper(rank="sides", most=127).to_rows()
    assert len(rows) == GOLDEN["text_facts"]["n_decompositions"] == 127
    assert [(r["side_0"], r["side_1"]) for r in rows] == [sides(x) for x in GOLDEN["appendix_a"]]
    assert [printed(row) for row in rows] == [figures(x) for x in GOLDEN["appendix_a"]]


def test_the_tables_and_the_appendix_differ_where_the_paper_does() -> None:
    """The mean over labels is rounded once in the tables and twice in the appendix."""
    known = {tuple(row["side0"]) for row in GOLDEN["published_table_disagreements"]}
    appendix = {sides(x)[0]: x["average"] for x in GOLDEN["appendix_a"]}
    found = {
        tuple(row["side_0"].split(","))
        for rank in ("first", "second")
        for row in paper(rank=rank, most=10).to_rows()
        if row["second"] != appendix[row["side_0"]]
    }
    assert found == known
    assert len(found) == 4


def test_the_text() -> None:
    facts = GOLDEN["text_facts"]
    plot, total = paper(by="any label"), paper(most=1).total
    (mean,) = [row for row in plot[0].by_pair() if row["pair"] is None]
    whole = [r for r in total.to_rows() if r["measure"] == "kappa" and r["pair"] is None]
    increase = float(mean["second"]) - float(whole[0]["average"])
    assert f"{increase:.2f}" == facts["average_increase_plot"]
    given = dict.fromkeys(("A1", "A2", "A3"), 0)
    for row in example("levi2022_neat").to_rows():
        given[row["coder"]] += row["label"] == ("Complication", "Success")
    n = {row["coder"]: row["n_items"] for row in total.given()}
    shares = {c: f"{100 * given[c] / n[c]:.1f}".removesuffix(".0") + "%" for c in given}
    assert shares == facts["share_101"]


def test_every_figure_is_counted() -> None:
    """787: those of the tables above, and the increase of .12 in section 3.2.2."""

    def leaves(x: Any) -> Iterator[Any]:
        if isinstance(x, dict):
            for key, inside in x.items():
                if not key.startswith("side"):
                    yield from leaves(inside)
        elif isinstance(x, list):
            for inside in x:
                yield from leaves(inside)
        else:
            yield x

    n = {
        key: len(list(leaves(GOLDEN[key])))
        for key in ("table1", "table2", "table3", "table5", "table6", "appendix_a")
    }
    expected = {
        "table1": 12,
        "table2": 24,
        "table3": 15,
        "table5": 50,
        "table6": 50,
        "appendix_a": 635,
    }
    assert n == expected
    assert sum(n.values()) + 1 == 787


# ------------------------------------------------------------------ beyond the paper


def test_the_open_question_of_the_paper() -> None:
    """Section 4.2.2: the scheme by 'narrative cardinality', 0, 1, 2 or 3 labels."""
    found = decompose(example("levi2022_neat"), by="number of labels")[0]
    assert found.partition.n_blocks == 4
    assert round(found.first.mean.value, 3) == 0.608
    assert round(found.second.mean.value, 3) == 0.947
    assert round(found.explained.value, 3) == 0.928
    assert found.flip == pytest.approx(1)


@pytest.mark.parametrize(
    "by, first, second, explained, chance, lift, flip",
    [
        ("any label", 0.696, 0.827, 0.515, 0.600, 0.86, 0.50),
        ("001,010,100", 0.565, 0.898, 0.835, 0.677, 1.23, 0.93),  # exactly one label
        (PARITY, 0.548, 0.904, 0.866, 0.676, 1.28, 1.00),
        ("Resolution", 0.646, 0.840, 0.482, 0.479, 1.01, 0.33),
        ("010,110", 0.559, 0.835, 0.470, 0.376, 1.25, 0.36),  # Resolution without Success
        ("001,010,101,110", 0.535, 0.892, 0.658, 0.499, 1.32, 0.67),  # one of these two
        ("010", 0.446, 0.767, 0.278, 0.178, 1.56, 0.23),  # only Resolution
        ("101", 0.35, 0.72, 0.04, None, 1.91, None),  # rare: has lift and hardly any excess
    ],
)
def test_against_an_independent_program(
    by: str,
    first: float,
    second: float,
    explained: float,
    chance: float | None,
    lift: float,
    flip: float | None,
) -> None:
    """Pair means, unrounded, from a prototype that was written for the notes of this project."""
    found = decompose(example("levi2022_neat"), by=by)[0]
    digits = 0.5e-2 if chance is None else 0.5e-3
    for own, other in (
        (found.first.mean.value, first),
        (found.second.mean.value, second),
        (found.explained.value, explained),
    ):
        assert own == pytest.approx(other, abs=digits + 1e-9)
    assert found.lift.value == pytest.approx(lift, abs=0.5e-2 + 1e-9)
    if chance is not None:
        assert found.chance.value == pytest.approx(chance, abs=0.5e-3 + 1e-9)
        assert found.flip == pytest.approx(flip, abs=0.5e-2 + 1e-9)


def test_every_unrounded_kappa() -> None:
    """127 decompositions x 4 kappas x 2 pairs, as a program that reads the tables works them out."""
    rows = {",".join(row["side0"]): row for row in GOLDEN["reconstruction_unrounded"]["rows"]}
    found = decompose(example("levi2022_neat"), rank="sides", most=127)
    assert [row.to_rows()[0]["side_0"] for row in found] == [*rows]
    for one, wanted in zip(found, rows.values(), strict=True):
        for row, pair in zip(one.by_pair(), ("pair12", "pair13"), strict=False):
            own = [row["first"], *(row[label] for label in LABELS)]
            assert own == pytest.approx(wanted[pair], abs=1e-12)  # twelve digits are stored


def test_parity_has_the_highest_level_2() -> None:
    assert decompose(example("levi2022_neat"), rank="second")[0].rule == "000, 011, 101, 110"
