"""The first CrowdTruth measures: by hand, against the definitions written out, and their limits."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.models.crowdtruth.original_measures import CrowdTruthOriginal, crowdtruth_original

LABELS = ("a", "b", "c", "d")
Given = dict[tuple[str, str], frozenset[str]]


def measured(given: Given) -> CrowdTruthOriginal:
    """The same annotations, by the call."""
    table = [
        {"item": i, "coder": c, "label": "|".join(sorted(s)) or "none"}
        for (i, c), s in given.items()
    ]
    found = crowdtruth_original(
        table, item="item", coder="coder", label="label", separator="|", empty=["none"]
    )
    assert isinstance(found, CrowdTruthOriginal)
    return found


def test_a_sentence_by_hand() -> None:
    # Ten coders of one sentence: 6 say treats, 3 causes, 2 of these both, 1 none.
    sets = ["treats"] * 4 + ["causes"] + ["treats|causes"] * 2 + ["none"] * 1
    rows = [{"item": "s", "coder": f"w{k}", "label": x} for k, x in enumerate(sets)]
    found = crowdtruth_original(
        rows,
        item="item",
        coder="coder",
        label="label",
        separator="|",
        categories=["treats", "causes", "none"],
    )
    assert isinstance(found, CrowdTruthOriginal)
    length = math.sqrt(6**2 + 3**2 + 1)
    assert found.item_category[0] == pytest.approx([6 / length, 3 / length, 1 / length])
    assert found.item_clarity == pytest.approx([6 / length])
    # w0 said treats; the others together said treats 5, causes 3, none 1.
    assert found.disagreement_with_items[0] == pytest.approx(1 - 5 / math.sqrt(25 + 9 + 1))
    # w0 beside 3 others with treats, 1 with causes, 2 with both, 1 with none.
    alike = (3 * 1 + 0 + 2 / math.sqrt(2) + 0) / 7
    assert found.disagreement_with_coders[0] == pytest.approx(1 - alike)
    assert found.labels_per_item.tolist() == [1, 1, 1, 1, 1, 2, 2, 1]


def test_ambiguity_of_categories_by_hand() -> None:
    a, b, c = frozenset("a"), frozenset("b"), frozenset("c")
    given = {
        ("1", "x"): a,
        ("1", "y"): b,
        ("2", "x"): a,
        ("2", "y"): a,
        ("3", "x"): c,
        ("3", "y"): b,
        ("4", "x"): a,
        ("4", "y"): b,
    }
    found = measured(given)
    # a is given to 1, 2, 4; b to 1, 3, 4; c to 3.
    wanted = [[1, 2 / 3, 0], [2 / 3, 1, 1 / 3], [0, 1, 1]]
    assert found.category_similarity == pytest.approx(np.array(wanted))
    assert found.category_ambiguity == pytest.approx([2 / 3, 2 / 3, 1])
    assert found.category_clarity == pytest.approx([1, math.sqrt(0.5), math.sqrt(0.5)])
    near = {row["category"]: row["most_similar"] for row in found.of_categories}
    assert near == {"a": "b", "b": "a", "c": "b"}


@st.composite
def annotations(draw: st.DrawFn) -> Given:
    """Label sets of a few coders for a few items, with gaps and empty sets."""
    sets = st.frozensets(st.sampled_from(LABELS), max_size=3)
    cells = [(f"i{i}", f"w{c}") for i in range(4) for c in range(4)]
    given = {cell: draw(sets) for cell in cells if draw(st.integers(0, 2))}
    given.setdefault(("i0", "w0"), frozenset("a"))
    given.setdefault(("i0", "w1"), frozenset("ab"))
    return given


def cos(x: Counter[str], y: Counter[str]) -> float:
    top = sum(x[k] * y[k] for k in x)
    return top / math.sqrt(sum(v * v for v in x.values()) * sum(v * v for v in y.values()))


@given(annotations())
@settings(max_examples=60)
def test_the_definitions_written_out(given: Given) -> None:
    found = measured(given)
    vectors = {cell: Counter(s or [""]) for cell, s in given.items()}
    items, coders = list(found.items), list(found.coders)
    total: dict[str, Counter[str]] = {i: Counter() for i in items}
    for (i, _), v in vectors.items():
        total[i] += v
    names = ["" if k == () else str(k) for k in found.categories]
    for k, i in enumerate(items):
        scores = [cos(total[i], Counter([name])) for name in names]
        assert found.item_category[k] == pytest.approx(scores)
        assert found.item_clarity[k] == pytest.approx(max(scores))
    for k, c in enumerate(coders):
        own = [i for i in items if (i, c) in given and sum(j == i for j, _ in given) > 1]
        apart = [1 - cos(vectors[i, c], total[i] - vectors[i, c]) for i in own]
        wanted = sum(apart) / len(apart) if apart else math.nan
        assert found.disagreement_with_items[k] == pytest.approx(wanted, abs=1e-9, nan_ok=True)
        pairs = []
        for d in coders:
            both = [i for i in items if (i, c) in given and (i, d) in given and c != d]
            if both:
                apart = [1 - cos(vectors[i, c], vectors[i, d]) for i in both]
                pairs.append(sum(apart) / len(apart))
        wanted = sum(pairs) / len(pairs) if pairs else math.nan
        assert found.disagreement_with_coders[k] == pytest.approx(wanted, abs=1e-9, nan_ok=True)
        sizes = [len(s) for (_, d), s in given.items() if d == c]
        assert found.labels_per_item[k] == pytest.approx(sum(sizes) / len(sizes))
    for r, one in enumerate(names):
        with_one = [i for i in items if total[i][one]]
        for q, other in enumerate(names):
            wanted = (
                sum(total[i][other] > 0 for i in with_one) / len(with_one) if with_one else math.nan
            )
            assert found.category_similarity[r, q] == pytest.approx(wanted, nan_ok=True)


def test_the_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    given = {
        (f"i{i}", f"w{c}"): frozenset(rng.choice(LABELS, rng.integers(1, 3), replace=False))
        for i in range(20)
        for c in range(5)
    }
    one = {(row["of"], row["name"]): row for row in measured(given).to_rows()}
    other = measured(dict(reversed(given.items()))).to_rows()
    for row in other:
        for key, value in one[row["of"], row["name"]].items():
            assert row[key] == (pytest.approx(value) if isinstance(value, float) else value)


def test_constant_and_contrary_coders_are_seen() -> None:
    given: Given = {}
    for i in range(40):
        truth = LABELS[i % 4]
        for c in range(4):
            given[f"i{i}", f"w{c}"] = frozenset(truth)
        given[f"i{i}", "constant"] = frozenset("a")
    found = measured(given)
    apart = dict(zip(found.coders, found.disagreement_with_items.tolist(), strict=True))
    assert apart["constant"] == pytest.approx(0.75)
    assert max(x for c, x in apart.items() if c != "constant") < 0.05
    fellows = dict(zip(found.coders, found.disagreement_with_coders.tolist(), strict=True))
    assert fellows["constant"] == pytest.approx(0.75)
    assert fellows["w0"] == pytest.approx(0.75 / 4)


def test_a_coder_beside_whom_nobody_worked_is_undefined() -> None:
    found = measured(
        {("1", "x"): frozenset("a"), ("1", "y"): frozenset("a"), ("2", "z"): frozenset("b")}
    )
    assert found.disagreement_with_items.tolist() == pytest.approx([0, 0, math.nan], nan_ok=True)
    assert found.disagreement_with_coders.tolist() == pytest.approx([0, 0, math.nan], nan_ok=True)


def test_an_open_task_is_refused() -> None:
    rows = [{"item": k, "coder": c, "label": f"{k}-{c}"} for k in range(2600) for c in ("x", "y")]
    with pytest.raises(ac.RequestError, match="closed tasks"):
        crowdtruth_original(
            rows,
            item="item",
            coder="coder",
            label="label",
            categories=[row["label"] for row in rows],
        )


def test_shown_and_in_rows() -> None:
    found: Any = crowdtruth_original([["a", "b", "a"], ["a", "b", "b"], ["a", "b", "b"]])
    rows = found.to_rows()
    assert len({tuple(row) for row in rows}) == 1
    assert [row["of"] for row in rows] == ["item"] * 3 + ["coder"] * 3 + ["category"] * 2
    assert "3 items (mean clarity 0.965)" in str(found)
    assert found.signature.count("|") == 2
