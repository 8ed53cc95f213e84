"""The sparse layout of votes: against a dense table counted by hand, and what it refuses."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accordant as ac
from accordant.data.read import read
from accordant.errors import RequestError
from accordant.models.votes import UNKNOWN, votes

ROWS = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["w1", "w10", "w2", "w9"]), st.sampled_from("ab")),
    min_size=2,
    max_size=40,
)


def of_rows(rows: list[tuple[int, str, str]]):
    """Votes of records; everybody and everything may occur more than once."""
    extra = [(99, "w1", "a"), (99, "w2", "b")]  # two coders and two categories at least
    return votes(read([*rows, *extra], duplicates="keep"))


@given(rows=ROWS)
def test_every_figure_is_a_count(rows: list[tuple[int, str, str]]) -> None:
    found = of_rows(rows)
    wanted = Counter([*rows, (99, "w1", "a"), (99, "w2", "b")])
    names = [int(x) for x in found.items]
    got = {
        (names[i], found.coders[c], found.categories[k]): int(n)
        for i, c, k, n in zip(found.item, found.coder, found.label, found.times, strict=True)
    }
    assert got == dict(wanted)
    assert len(found) == wanted.total()
    dense = np.zeros((found.n_items, found.n_coders, found.n_answers))
    np.add.at(dense, (found.item, found.coder, found.label), found.times)
    assert (found.by_item.toarray() == dense.reshape(found.n_items, -1)).all()
    assert (found.answers(found.times) == dense.sum(0)).all()
    assert (found.tally(found.times) == dense.sum(1)[:, : found.n_categories]).all()
    assert (found.counts == dense.sum(1)).all()
    assert (found.per_coder == dense.sum((0, 2))).all()
    assert (found.per_item == dense.sum((1, 2))).all()
    assert found.shares.sum(1) == pytest.approx(1)
    assert found.coders == tuple(sorted(found.coders))


@given(rows=ROWS, seed=st.integers(0, 9))
def test_order_of_rows_does_not_matter(rows: list[tuple[int, str, str]], seed: int) -> None:
    one = of_rows(rows)
    order = np.random.default_rng(seed).permutation(len(rows))
    other = of_rows([rows[k] for k in order])
    here = {str(x): k for k, x in enumerate(one.items)}
    place = np.array([here[str(x)] for x in other.items])
    assert one.coders == other.coders
    assert one.categories == other.categories
    assert (one.by_item.toarray()[place] == other.by_item.toarray()).all()
    assert [str(one.items[i]) for i in one.order] == [str(other.items[i]) for i in other.order]


def test_items_and_coders_without_a_label_are_left_out() -> None:
    data = read([["a", None, "b"], ["b", None, "b"], [None, None, None]], blank="skipped")
    found = votes(data)
    assert list(found.items) == [1, 3]
    assert found.n_coders == 2
    assert found.left_out == {"items without a label": 1}
    assert votes(data, abstentions="informative").n_coders == 3


def test_abstentions_are_answers_where_they_inform() -> None:
    data = read([["a", None, "b"], ["b", "a", "b"]], blank="skipped")
    found = votes(data, abstentions="informative")
    assert found.n_answers == 3
    assert found.counts.tolist() == [[1, 1], [1, 0], [0, 2]]
    assert found.by_item.toarray()[1].tolist() == [0, 0, 1, 1, 0, 0]
    assert votes(data).n_answers == 2
    assert votes(data).abstained.tolist() == [1, 0]
    with pytest.raises(RequestError, match="cannot take abstentions"):
        ac.fit(data, "one_coin", abstentions="informative")
    assert ac.fit(data, "pooled", abstentions="informative").confusion.shape == (2, 2, 3)


def test_a_coder_who_holds_the_gold_is_no_coder() -> None:
    data = read([["a", "b"], ["b", "b"], ["a", "a"]], coder=["Ann", "Bob", "Expert"])
    found = votes(data, known={1: "a"}, without=["Expert"])
    assert found.coders == ("Ann", "Bob")
    assert found.known.tolist() == [0, UNKNOWN]


def test_occasions_of_a_person_are_one_coder() -> None:
    rows = [("i", "Ann", "a"), ("i", "Ann", "a"), ("i", "Ann", "b"), ("i", "Bob", "a")]
    found = votes(read(rows, duplicates="keep"))
    assert found.coders == ("Ann", "Bob")
    assert found.times.tolist() == [2, 1, 1]


def test_without_hides_annotations_and_keeps_items_and_coders() -> None:
    found = votes(read([["a", "b"], ["b", "b"]]))
    fewer = found.without(np.array([True, True, False, False]))
    assert fewer.n_items == 2
    assert fewer.counts.tolist() == [[0, 0], [0, 2]]
    assert fewer.shares[0].tolist() == [0.5, 0.5]


def test_several_questions_or_nothing_are_refused() -> None:
    with pytest.raises(RequestError, match="one question"):
        votes(
            read([{"item": 1, "coder": c, "q1": "a", "q2": "b"} for c in "AB"], label=["q1", "q2"])
        )
    with pytest.raises(RequestError, match="abstentions: .*'x'"):
        votes(read([["a"], ["b"]]), abstentions="x")


def test_large_tables_are_made_without_going_through_the_items(monkeypatch) -> None:
    """Nothing may ask for the name of every item unless control items are given."""
    data = read([["a", "b"] * 50, ["b", "b"] * 50])

    class Unnamed(list):
        def __iter__(self):
            raise AssertionError("went through the items")

    object.__setattr__(data, "items", Unnamed(data.items))
    assert votes(data).n_items == 100
