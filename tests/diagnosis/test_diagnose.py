"""The bundle: every part on data that are small, broken or large."""

from __future__ import annotations

import numpy as np
import pytest

from accordant import agreement
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.diagnose import diagnose
from accordant.errors import RequestError
from accordant.measure.confusion import MOST_VALUES
from accordant.results import Result
from diagnosis.made import at_random, from_counts, of_grid

PARTS = (
    "coverage",
    "confusion",
    "confusions",
    "indices",
    "categories",
    "coders",
    "pairs",
    "items",
    "facts",
    "findings",
    "recommendation",
)

ODD = {
    "no items": of_grid(np.zeros((0, 2), int), "ab"),
    "no annotations": of_grid(np.full((3, 2), -1), "ab"),
    "one annotation": of_grid(np.array([[0, -1]]), "ab"),
    "one coder": of_grid(np.zeros((3, 1), int), "ab"),
    "no common item": of_grid(np.array([[0, -1], [-1, 1]]), "ab"),
    "one item": of_grid(np.array([[0, 1]]), "ab"),
    "one label": of_grid(np.zeros((5, 2), int), "ab"),
    "one category": of_grid(np.zeros((5, 2), int), "a"),
    "unknown coders": from_counts([[2, 1], [0, 3]]),
    "groups": of_grid(np.array([[0, 1, -1, -1], [-1, -1, 1, 1]]), "ab"),
    "ordinal": of_grid(at_random(1).grid, (1, 2, 3, 4), scale="ordinal"),
    "interval": of_grid(at_random(1).grid, (1, 2, 3, 4), scale="interval"),
    "circular": of_grid(at_random(1).grid, (1, 2, 3, 4), scale="circular"),
    "words on an interval": of_grid(at_random(1).grid, ("w", "x", "y", "z"), scale="interval"),
}


@pytest.mark.parametrize("name", ODD)
def test_every_part_of_odd_data(name: str) -> None:
    for part in diagnose(ODD[name]):
        for key in PARTS:
            found = getattr(part, key)
            for x in found if isinstance(found, tuple) else (found,):
                if isinstance(x, Result):
                    assert "NaN" not in x.to_json()
                    assert x._repr_html_().startswith("<")


def test_parts_are_computed_when_used() -> None:
    part = diagnose(at_random(1)).pooled
    assert "counts" not in part.__dict__
    assert part.coverage is part.coverage
    assert "items" not in part.__dict__


def test_more_values_than_a_table_can_hold() -> None:
    rng = np.random.default_rng(1)
    n = MOST_VALUES + 500
    grid = np.stack([rng.permutation(n), rng.permutation(n)], axis=1)
    part = diagnose(
        of_grid(grid, tuple(map(float, range(n))), scale="interval", declared=False)
    ).pooled
    assert part.confusion is None
    assert part.confusions == ()
    assert (part.categories.rows, part.categories.left_out) == ((), n)
    assert part.recommendation.primary == "alpha"


def test_questions_by_name(real_data) -> None:
    found = diagnose(read(real_data("bjhp/bjhp_annotations_long.csv")))
    assert [p.question for p in found] == ["1", "2", "3", "4", "5a", "5c", None]
    assert found["5a"].coverage.n_annotated == 54
    assert found[None] is found.pooled
    with pytest.raises(RequestError, match="no question '9'"):
        found["9"]


def test_items_behind_a_cell_have_names_and_labels() -> None:
    part = diagnose(of_grid(np.array([[0, 0], [0, 1], [1, 0], [0, 1]]), "ab")).pooled
    behind = part.items.named(part.confusions[0].items("a", "b"))
    assert [(h.item, dict(h.labels)) for h in behind] == [
        ("i1", {"coder 1": "a", "coder 2": "b"}),
        ("i3", {"coder 1": "a", "coder 2": "b"}),
    ]


def test_weights_that_were_asked_for() -> None:
    data: Annotations = ODD["ordinal"]
    assert diagnose(data).pooled.pairs.weights == "ordinal"
    assert diagnose(data, weights="linear").pooled.pairs.weights == "linear-by-value"
    assert (
        diagnose(data, weights="linear").pooled.facts.coefficients["alpha"].weights
        == "linear-by-value"
    )


def test_what_is_measured_is_not_measured_again() -> None:
    """A bootstrap interval that was asked for is the one that findings speak of."""
    table = agreement(at_random(2), interval="bootstrap", resamples=50, seed=1, level=0.8)
    facts = table.diagnosis.pooled.facts
    assert facts.coefficients["alpha"] is table["alpha"]
    bare = agreement(at_random(2), "alpha", interval="none").diagnosis.pooled.facts
    assert bare.coefficients["alpha"].low < bare.coefficients["alpha"].high
    one = agreement(of_grid(np.zeros((5, 2), int), "ab"), undefined=0.0)
    assert np.isnan(one.diagnosis.pooled.facts.value("alpha"))


def test_the_level_reaches_every_interval() -> None:
    narrow, wide = (diagnose(at_random(2), level=x).pooled for x in (0.5, 0.99))
    assert narrow.categories.rows[0].pi.high < wide.categories.rows[0].pi.high
    assert narrow.facts.coefficients["pi"].high < wide.facts.coefficients["pi"].high
    assert narrow.indices[0].pabak.low > wide.indices[0].pabak.low
