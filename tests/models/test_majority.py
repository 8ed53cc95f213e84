"""Majority vote: ties are ties, whatever the order of rows."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import accordant as ac
from accordant.models.em import How
from accordant.models.estimators.vote import majority, one_vote_each, tied, winners
from accordant.models.votes import votes
from models.planted import estimate, mixed, reversed_categories, shuffled
from models.published import accuracy, crowd, published


def test_by_hand() -> None:
    rows = [["a", "b", "a", "b"], ["a", "b", "b", "a"], ["b", "b", None, "a"]]
    found = ac.fit(rows, "majority", categories=["a", "b"])
    assert found.labels == ["a", "b", None, "a"]
    assert found.probabilities.tolist() == [[2 / 3, 1 / 3], [0, 1], [0.5, 0.5], [2 / 3, 1 / 3]]
    # a tie of two counts one half: coder 1 agrees on items 1 and 2, half on 3, not on 4
    assert found.competence.tolist() == [2.5 / 4, 3.5 / 4, 2 / 3]
    assert found.prevalence.tolist() == [2.5 / 4, 1.5 / 4]


def test_ties_are_told() -> None:
    rows = [["a", "b", "a", "c"], ["b", "a", "a", "b"]]
    found = ac.fit(rows, "majority")
    (finding,) = [f for f in found.estimate.findings if f.code == "ties"]
    assert finding.evidence["n"] == 3
    assert "3 items of 4 (75.0\N{NO-BREAK SPACE}%) are ties and have no label" in finding.sentence
    assert [(line.name, line.n) for line in finding.seen.lines] == [("a, b", 2), ("b, c", 1)]
    assert finding.to_rows()[0]["n"] == 2
    assert not [f for f in ac.fit([["a"], ["a"]], "majority").findings if f.code == "ties"]
    (one,) = [f for f in ac.fit([["a", "a"], ["a", "b"]], "majority").findings if f.code == "ties"]
    assert "1 item of 2 (50.0\N{NO-BREAK SPACE}%) is a tie and has no label" in one.sentence


def test_a_tie_of_three_is_divided() -> None:
    assert winners(np.array([[1.0, 1, 1, 0]])).tolist() == [[1 / 3, 1 / 3, 1 / 3, 0]]
    assert tied(np.array([[0.1 + 0.2, 0.3, 0.0]])).tolist() == [[True, True, False]]


def test_one_vote_per_coder() -> None:
    rows = [("1", "x", "a"), ("1", "x", "a"), ("1", "x", "b"), ("1", "y", "b"), ("1", "z", "b")]
    rows += [("2", "x", "a"), ("2", "y", "a"), ("2", "z", "a")]
    columns = dict(zip(("item", "coder", "label"), zip(*rows, strict=True), strict=True))
    import pandas as pd

    data = ac.read(pd.DataFrame(columns), duplicates="keep")
    each = ac.fit(data, "majority")
    assert each.probabilities[0].tolist() == pytest.approx([2 / 5, 3 / 5])
    once = ac.fit(data, "majority", one_vote_per_coder=True)
    assert once.probabilities[0].tolist() == pytest.approx([2 / 9, 7 / 9])
    assert one_vote_each(votes(data)).sum() == 6


def test_control_items_keep_their_label() -> None:
    found = ac.fit([["a", "b"], ["a", "b"]], "majority", gold={1: "b"})
    assert found.labels[0] == "b"
    assert found.competence.tolist() == [0.5, 0.5]


def test_nothing_depends_on_rows_or_on_the_order_of_categories() -> None:
    data = mixed().data
    base = estimate(data, "majority")
    moved = shuffled(data)
    found, table = estimate(moved, "majority"), votes(moved)
    where = {item: k for k, item in enumerate(map(str, table.items))}
    order = [where[str(item)] for item in votes(data).items]
    assert np.array_equal(found.probabilities[order], base.probabilities)
    assert np.allclose(found.competence, base.competence, atol=1e-12)
    turned = estimate(reversed_categories(data), "majority")
    assert np.allclose(turned.probabilities[:, ::-1], base.probabilities, atol=1e-15)


def test_abstentions_are_no_votes() -> None:
    rows = [["a", "b", ""], ["a", "", ""], ["b", "", "a"]]
    found = ac.fit(rows, "majority", blank="skipped", abstentions="informative")
    assert found.labels == ["a", "b", "a"]
    assert found.votes.informative
    assert np.allclose(found.estimate.emission.table(np.zeros(1, int), np.zeros(1, int)).sum(2), 1)


def test_an_item_without_labels_is_a_tie() -> None:
    table = votes(ac.read([["a", "b"], ["a", "b"]]))
    hidden = table.without(table.item == 1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = majority(hidden, How())
    assert found.probabilities[1].tolist() == [0.5, 0.5]


def test_every_label_that_somebody_gives_is_possible() -> None:
    table = votes(ac.read([["a", "b", "a", "c"], ["a", "b", "b", "c"], ["a", "b", "a", "c"]]))
    found = majority(table, How())
    rows = found.emission.table(table.item, table.coder)
    assert rows.min() > 0
    assert np.allclose(rows.sum(2), 1)


def test_published_accuracies(real_data: Callable[[str], Path]) -> None:
    for entry in published(real_data, "majority vote accuracy"):
        name = entry["data"]
        if name in ("trec", "relevance", "adult"):  # large; the same code
            continue
        table = crowd(real_data, name)
        found = majority(table, How())
        got = accuracy(real_data, name, table, found.probabilities)
        assert got == pytest.approx(entry["value"], abs=entry["tol"]), name
