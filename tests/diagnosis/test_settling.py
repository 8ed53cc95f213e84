"""What annotations would be if one thing were settled: by the rules, and by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.levers import levers
from accordant.diagnosis.projection import Lever, settled
from accordant.errors import RequestError
from accordant.inference.measurement import compared
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.sets import unranked
from diagnosis.made import at_random, of_grid, of_questions, sets_at_random
from diagnosis.settled_by_hand import by_hand, values_of

EXACT = 1e-9


def with_genres(data: Annotations, seed: int) -> Annotations:
    rng = np.random.default_rng(seed)
    return replace(data, metadata={"genre": tuple(rng.choice(["x", "y", "z"], len(data.items)))})


def levers_of(data: Annotations) -> list[Lever]:
    """Some of each kind."""
    categories = data.scheme.categories
    found = [Lever("category", (c,)) for c in categories]
    found += [Lever("pair", (a, b)) for a in categories for b in categories if a != b]
    found += [Lever("group", ("genre", g)) for g in "xyz"]
    found += [Lever("items", (0,)), Lever("items", (1, 3, 4))]
    if not data.anonymous:
        found += [Lever("coder", (name,)) for name in data.coders]
    return found


@st.composite
def single(draw) -> Annotations:
    """Single labels, with gaps, by known coders or not."""
    seed = draw(st.integers(0, 10_000))
    data = at_random(
        seed,
        draw(st.integers(5, 30)),
        draw(st.integers(2, 6)),
        draw(st.integers(2, 5)),
        draw(st.sampled_from([0, 0.3])),
    )
    return with_genres(replace(data, anonymous=draw(st.booleans())), seed)


@st.composite
def sets(draw) -> Annotations:
    seed = draw(st.integers(0, 10_000))
    data = sets_at_random(
        seed,
        draw(st.integers(5, 20)),
        draw(st.integers(2, 5)),
        draw(st.integers(2, 4)),
        draw(st.sampled_from([0, 0.2])),
        anonymous=draw(st.booleans()),
    )
    return with_genres(data, seed)


@given(single() | sets(), st.data())
def test_as_by_hand(data, draw) -> None:
    lever = draw.draw(st.sampled_from(levers_of(data)))
    assert values_of(settled(data, lever)) == by_hand(data, lever)


@given(single() | sets(), st.data())
def test_only_labels_change(data, draw) -> None:
    lever = draw.draw(st.sampled_from(levers_of(data)))
    after = settled(data, lever)
    assert after.items == data.items
    assert after.coders == data.coders
    assert len(after) == len(data)
    if lever.kind in ("group", "items"):
        assert settled(after, lever).fingerprint == after.fingerprint


def shared(a: tuple, b: tuple) -> float:
    """Weights of one's own: the share of the larger set."""
    return len(set(a) & set(b)) / max(len(a), len(b)) if a or b else 1.0


SCALED = [
    ("nominal", None),
    ("ordinal", None),
    ("interval", None),
    ("ordinal", "linear"),
    ("ordinal", "ordinal-metric"),
]


@settings(max_examples=60)
@given(single(), st.sampled_from(SCALED), st.sampled_from(list(COEFFICIENTS)))
def test_the_counterfactual_is_recomputation(data, scaled, key) -> None:
    scale, weights = scaled
    coefficient = COEFFICIENTS[key]
    if coefficient.only_sets:
        return
    data = replace(
        data,
        schemes=(replace(data.scheme, categories=(1, 2, 3, 4, 5)[: len(data.values)]),),
        values=(1, 2, 3, 4, 5)[: len(data.values)],
    ).of_scale(scale)
    _check(data, weights, key)


@settings(max_examples=40)
@given(
    sets(),
    st.sampled_from([None, "jaccard", "identity", shared]),
    st.sampled_from(["alpha", "pi", "kappa", "percent", "s", "ac", "boot"]),
)
def test_the_counterfactual_of_sets_is_recomputation(data, weights, key) -> None:
    _check(data, None if key == "boot" else weights, key)


def _check(data: Annotations, weights, key: str, *, ranked: bool = False) -> None:
    """Every lever's figure, and every step of a plan, from edited annotations."""
    counts = count(data) if ranked else unranked(count(data))
    found = levers(data, counts, weights, coefficient=key)
    for step in found:
        after = settled(data, step.lever, ranked=ranked)
        value, different = measured(after, weights, key)
        assert value == pytest.approx(step.after, abs=EXACT, nan_ok=True)
        assert (step.undefined is None) == (not np.isnan(step.after))
        before, was = measured(data, weights, key)
        assert before == pytest.approx(step.before, abs=EXACT)
        old, new = values_of(data), values_of(after)
        if not ranked:  # by hand the order of labels says nothing
            assert was - different == step.n_settled
            assert sum(old[p] != new[p] for p in old) == step.n_items
    for kinds in (("pair",), ("category", "group"), ("coder", "items")):
        now = data
        for step in found.plan(3, kinds):
            assert measured(now, weights, key)[0] == pytest.approx(step.before, abs=EXACT)
            now = settled(now, step.lever, ranked=ranked)
            assert measured(now, weights, key)[0] == pytest.approx(step.after, abs=EXACT)


def measured(data: Annotations, weights, key: str) -> tuple[float, int]:
    """A coefficient of annotations, and pairs of annotations that differ."""
    coefficient = COEFFICIENTS[key]
    counts, w = compared(coefficient, count(data), data.scheme, weights)
    different = 0
    for own in values_of(data).values():
        values = list(own.values())
        different += sum(a != b for i, a in enumerate(values) for b in values[:i])
    return float(coefficient.parts(counts, w).value), different


def test_several_questions_are_settled_together() -> None:
    rng = np.random.default_rng(4)
    grids = {q: rng.integers(-1, 3, (20, 3)) for q in ("q1", "q2")}
    data = with_genres(_three(grids), 1)
    for lever in levers_of(data):
        assert values_of(settled(data, lever)) == by_hand(data, lever)
    _check(data, None, "alpha")
    _check(data.of_question("q2"), None, "kappa")


def _three(grids: dict[str, np.ndarray]) -> Annotations:
    return of_questions(grids, dict.fromkeys(grids, "abc"))


def test_ranks_count_where_they_are_asked_for() -> None:
    rng = np.random.default_rng(2)
    cells = [("a", "b"), ("b", "a"), ("a",), ("c", "a"), ("b",), ("b", "c")]
    rows = [[cells[k] for k in rng.integers(0, 6, 30)] for _ in range(3)]
    data = read(rows, layout="ranked")
    _check(data, "divided-vote:0.7,0.3", "kappa", ranked=True)
    _check(data, None, "alpha")


def test_ties_go_to_what_is_given_more_often() -> None:
    data = of_grid(np.array([[0, 1], [1, 1], [0, 2], [2, 2], [2, 0]]), "abc")  # a 3, b 3, c 4
    after = settled(data, Lever("pair", ("a", "c"))).grid
    assert after.tolist() == [[0, 1], [1, 1], [2, 2], [2, 2], [2, 2]]
    after = settled(data, Lever("pair", ("b", "a"))).grid  # as often: the first of the scheme
    assert after[0].tolist() == [0, 0]
    after = settled(data, Lever("category", ("a",))).grid  # half of two: both get it
    assert after.tolist() == [[0, 0], [1, 1], [0, 0], [2, 2], [0, 0]]


def test_what_does_not_exist_cannot_be_settled() -> None:
    data = at_random(1)
    for lever, message in [
        (Lever("category", ("zz",)), "no category 'zz'"),
        (Lever("pair", ("a", "zz")), "no category 'zz'"),
        (Lever("coder", ("Ann",)), "no coder 'Ann'"),
        (Lever("group", ("genre", "news")), "no column 'genre'"),
    ]:
        with pytest.raises(RequestError, match=message):
            settled(data, lever)
    with pytest.raises(RequestError, match="do not say which coder"):
        settled(replace(data, anonymous=True), Lever("coder", ("coder 1",)))
