"""CrowdTruth 2.0: against the definitions written out, laws, and what is undefined."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.errors import ReadingWarning
from accordant.models.crowdtruth.quality_scores import CrowdTruth

FLOOR = 1e-8
LABELS = ("a", "b", "c", "d")
Rows = list[tuple[str, str, frozenset[str]]]


def written_out(rows: Rows, *, closed: bool, tolerance: float = 1e-3) -> tuple[dict[str, Any], ...]:
    """The definitions of Dumitrache et al. (2018) with a loop over every pair."""
    given = {(i, c): s or frozenset({""}) for i, c, s in rows}
    by_item: dict[str, list[str]] = {}
    for i, c in given:
        by_item.setdefault(i, []).append(c)
    coders = sorted({c for _, c in given})
    labels = sorted({x for s in given.values() for x in s})
    items = {i: who for i, who in by_item.items() if len(who) > 1}
    uqs = dict.fromkeys(items, 1.0)
    known = [c for c in coders if any(c in who for who in items.values())]
    wqs, aqs = dict.fromkeys(known, 1.0), dict.fromkeys(labels, 1.0)

    def cos(x: dict[str, float], y: dict[str, float]) -> float:
        top = sum(aqs[k] * x[k] * y.get(k, 0) for k in x)
        low = math.sqrt(
            sum(aqs[k] * v**2 for k, v in x.items()) * sum(aqs[k] * v**2 for k, v in y.items())
        )
        return FLOOR if low < FLOOR else top / low

    def vector(i: str, c: str, weight: float = 1.0) -> dict[str, float]:
        return dict.fromkeys(given[i, c], weight)

    while True:
        new_uqs, new_wqs, new_aqs = {}, {}, dict(aqs)
        for i, who in items.items():
            pairs = [(c, d) for k, c in enumerate(who) for d in who[k + 1 :]]
            top = sum(cos(vector(i, c), vector(i, d)) * wqs[c] * wqs[d] for c, d in pairs)
            new_uqs[i] = top / max(sum(wqs[c] * wqs[d] for c, d in pairs), FLOOR)
        wwa, wua = {}, {}
        for c in known:
            own = [i for i, who in items.items() if c in who]
            others = [(i, d) for i in own for d in items[i] if d != c]
            top = sum(cos(vector(i, c), vector(i, d)) * wqs[d] * uqs[i] for i, d in others)
            wwa[c] = top / max(sum(wqs[d] * uqs[i] for i, d in others), FLOOR)
            top = 0.0
            for i in own:
                rest: dict[str, float] = {}
                for d in items[i]:
                    for k in given[i, d] if d != c else ():
                        rest[k] = rest.get(k, 0) + wqs[d]
                top += uqs[i] * cos(vector(i, c, wqs[c]), rest)
            wua[c] = top / max(sum(uqs[i] for i in own), FLOOR)
            new_wqs[c] = wwa[c] * wua[c]
        if closed:
            for a in labels:
                top = low = 0.0
                for c, d in permutations(known, 2):
                    both = [i for i, who in items.items() if c in who and d in who]
                    under = sum(uqs[i] * (a in given[i, d]) for i in both)
                    if under > 0:
                        over = sum(uqs[i] * (a in given[i, d] and a in given[i, c]) for i in both)
                        top += wqs[c] * wqs[d] * over / under
                        low += wqs[c] * wqs[d]
                new_aqs[a] = max(top / low, FLOOR) if low > FLOOR else FLOOR
        change = max(
            abs(new[k] - old[k])
            for new, old in ((new_uqs, uqs), (new_wqs, wqs), (new_aqs, aqs))
            for k in new
        )
        uqs, wqs, aqs = new_uqs, new_wqs, new_aqs
        if change < tolerance:
            break
    uas = {
        i: {
            k: sum(wqs[c] * (k in given[i, c]) for c in who) / max(sum(wqs[c] for c in who), FLOOR)
            for k in labels
        }
        for i, who in items.items()
    }
    return uqs, wqs, wwa, wua, aqs, uas


def fitted(rows: Rows, **more: Any) -> CrowdTruth:
    """The same rows, by the call."""
    table = [{"item": i, "coder": c, "label": "|".join(sorted(s)) or "none"} for i, c, s in rows]
    found = ac.crowdtruth(
        table, item="item", coder="coder", label="label", separator="|", empty=["none"], **more
    )
    assert isinstance(found, CrowdTruth)
    return found


@st.composite
def some_rows(draw: st.DrawFn) -> Rows:
    """Label sets, the empty one among them, of a few coders for a few items, with gaps."""
    n_items, n_coders = draw(st.integers(1, 5)), draw(st.integers(2, 5))
    sets = st.frozensets(st.sampled_from(LABELS), max_size=3)
    rows = [
        (f"i{i}", f"w{c}", draw(sets))
        for i in range(n_items)
        for c in range(n_coders)
        if draw(st.integers(0, 3))
    ]
    rows.append(("i0", "w0", frozenset("a"))) if not any(r[:2] == ("i0", "w0") for r in rows) else 0
    rows.append(("i0", "w1", frozenset("ab"))) if not any(
        r[:2] == ("i0", "w1") for r in rows
    ) else 0
    return rows


@given(some_rows(), st.booleans())
@settings(max_examples=60)
def test_the_definitions_written_out(rows: Rows, closed: bool) -> None:
    found = fitted(rows, task="closed" if closed else "open")
    uqs, wqs, wwa, wua, aqs, uas = written_out(rows, closed=closed)
    quality = dict(zip(found.items, found.item_quality.tolist(), strict=True))
    assert {i for i, x in quality.items() if not math.isnan(x)} == set(uqs)
    near = {"abs": 1e-6, "rel": 1e-6}
    assert {i: quality[i] for i in uqs} == pytest.approx(uqs, **near)
    for array, wanted in (
        (found.coder_quality, wqs),
        (found.agreement_with_coders, wwa),
        (found.agreement_with_items, wua),
    ):
        by_coder = dict(zip(found.coders, array.tolist(), strict=True))
        assert {c for c, x in by_coder.items() if not math.isnan(x)} == set(wanted)
        assert {c: by_coder[c] for c in wanted} == pytest.approx(wanted, **near)
    names = ["" if k == () else str(k) for k in found.categories]
    if closed:
        by_category = dict(zip(names, found.category_quality.tolist(), strict=True))
        assert {k: by_category[k] for k in aqs} == pytest.approx(aqs, **near)
    for i, scores in uas.items():
        row = found.item_category[list(found.items).index(i)]
        by_category = dict(zip(names, row.tolist(), strict=True))
        assert {k: by_category[k] for k in scores} == pytest.approx(scores, **near)


def random_rows(seed: int, n_items: int = 30, n_coders: int = 8) -> Rows:
    """Coders who mostly agree, of different reliability."""
    rng = np.random.default_rng(seed)
    rows = []
    for i in range(n_items):
        truth = frozenset(rng.choice(LABELS, rng.integers(1, 3), replace=False).tolist())
        for c in range(n_coders):
            if rng.random() < 0.7:
                good = rng.random() < 0.95 - 0.1 * c
                noise = frozenset(rng.choice(LABELS, 1).tolist())
                rows.append((f"i{i:02d}", f"w{c}", truth if good else noise))
    return rows


def by_name(found: CrowdTruth) -> dict[tuple[str, str], float]:
    """Every quality."""
    return {(row["of"], row["name"]): row["quality"] for row in found.to_rows()}


def test_the_order_of_rows_and_the_names_change_nothing() -> None:
    rows = random_rows(1)
    whole = by_name(fitted(rows))
    turned = by_name(fitted(rows[::-1]))
    assert turned == pytest.approx(whole, abs=1e-12)
    other = dict(zip(LABELS, "dcab", strict=True))
    renamed = [(i, "z" + c[::-1], frozenset(other[x] for x in s)) for i, c, s in rows]
    wanted = {
        (of, {"item": n, "coder": "z" + n[::-1]}.get(of) or other.get(n, n)): x
        for (of, n), x in whole.items()
    }
    assert by_name(fitted(renamed)) == pytest.approx(wanted, abs=1e-12)


def test_worse_coders_are_seen_and_weigh_less() -> None:
    found = fitted(random_rows(2, n_items=150))
    quality = found.coder_quality
    assert np.corrcoef(quality, -np.arange(8))[0, 1] > 0.95
    assert (found.coder_quality <= found.agreement_with_items + 1e-12).all()
    assert found.converged
    assert 0 < found.change < found.tolerance


def test_empty_sets_agree_with_each_other_and_with_nothing_else() -> None:
    none, a = frozenset[str](), frozenset("a")
    rows = [
        ("1", "x", none),
        ("1", "y", none),
        ("2", "x", none),
        ("2", "y", a),
        ("3", "x", a),
        ("3", "y", a),
    ]
    found = fitted(rows)
    assert found.categories == ("a", ())
    assert found.item_quality == pytest.approx([1, 0, 1], abs=1e-6)
    assert [row["name"] for row in found.to_rows() if row["of"] == "category"] == [
        "a",
        "(no label)",
    ]


def test_times_are_counted_when_a_coder_annotates_an_item_again() -> None:
    rows = [
        ("1", "x", "a"),
        ("1", "x", "a"),
        ("1", "x", "b"),
        ("1", "y", "a"),
        ("2", "x", "b"),
        ("2", "y", "b"),
    ]
    table = [{"item": i, "coder": c, "label": s} for i, c, s in rows]
    found = ac.crowdtruth(table, item="item", coder="coder", label="label", duplicates="keep")
    assert isinstance(found, CrowdTruth)
    first = (2 / 3) / math.hypot(2 / 3, 1 / 3)
    assert found.first.item == pytest.approx([first, 1])
    assert found.vectors.times.tolist() == [3, 1, 1, 1]


def test_what_nobody_can_be_compared_with_is_undefined_and_changes_nothing_else() -> None:
    rows = random_rows(3)
    whole = by_name(fitted(rows))
    more = [*rows, ("alone", "w0", frozenset("a")), ("lone", "hermit", frozenset("b"))]
    found = fitted(more)
    scores = by_name(found)
    assert math.isnan(scores.pop(("item", "alone")))
    assert math.isnan(scores.pop(("item", "lone")))
    assert math.isnan(scores.pop(("coder", "hermit")))
    assert scores == pytest.approx(whole, abs=1e-12)
    reasons = {row["name"]: row["undefined"] for row in found.to_rows() if row["undefined"]}
    assert set(reasons) == {"alone", "lone", "hermit"}
    place = {item: k for k, item in enumerate(found.items)}
    assert found.item_category[place["alone"]].tolist() == [1, 0, 0, 0]
    assert np.isnan(found.item_category[place["lone"]]).all()
    assert {f.code for f in found.findings} == {"single_annotations", "nobody_beside"}
    assert "hermit" in " ".join(map(str, found.findings))


def test_one_annotation_for_each_item_is_said() -> None:
    found = ac.crowdtruth([["a", None, "b"], [None, "a", None]])
    assert isinstance(found, CrowdTruth)
    assert np.isnan(found.item_quality).all()
    assert np.isnan(found.coder_quality).all()
    assert [f.code for f in found.findings] == ["nothing_shared"]
    assert "nan" not in str(found)


def test_no_coder_with_any_quality_is_said() -> None:
    found = ac.crowdtruth([["a"], ["b"], ["c"]])
    assert isinstance(found, CrowdTruth)
    assert found.item_category.tolist() == [[0, 0, 0]]
    assert [f.code for f in found.findings] == ["no_weight"]


def test_a_limit_on_the_rounds_is_a_fact() -> None:
    found = fitted(random_rows(4), max_iterations=2)
    assert not found.converged
    assert found.n_iterations == 2
    assert [f.code for f in found.findings] == ["not_converged"]
    seen: list[tuple[int, int]] = []
    fitted(
        random_rows(4), max_iterations=3, progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_tolerance_is_a_tolerance() -> None:
    loose, tight = fitted(random_rows(5), tolerance=0.1), fitted(random_rows(5), tolerance=1e-10)
    assert loose.n_iterations < tight.n_iterations
    assert tight.change < 1e-10
    again = tight.scores
    assert np.abs(fitted(random_rows(5), tolerance=1e-12).scores.item - again.item).max() < 1e-8


def test_several_questions_are_several_results() -> None:
    table = [
        {"item": i, "coder": c, "topic": a, "tone": b}
        for i, c, a, b in [
            ("1", "x", "p", "+"),
            ("1", "y", "p", "-"),
            ("2", "x", "q", "+"),
            ("2", "y", "q", "+"),
        ]
    ]
    found = ac.crowdtruth(table, item="item", coder="coder", label=["topic", "tone"])
    assert [one.question for one in found] == ["topic", "tone"]
    assert {row["question"] for row in found.to_rows()} == {"topic", "tone"}


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"task": "both"}, "'closed' or 'open'"),
        ({"tolerance": 0}, "above 0"),
        ({"max_iterations": 0}, "1 or more"),
    ],
)
def test_bad_requests_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ac.RequestError, match=text):
        ac.crowdtruth([["a", "b"], ["a", "b"]], **options)


@pytest.mark.parametrize("call", [ac.crowdtruth, ac.crowdtruth_original])
def test_codes_of_nothing_are_asked_about_and_booleans_stay(call: Any) -> None:
    with pytest.warns(ReadingWarning, match="may say that nothing was given"):
        call([[1, 2, 3, -1], [1, 2, 4, 4]])
    assert call([[1, 2, 3, -1], [1, 2, 4, 4]], missing="-1").categories == (1, 2, 3, 4)
    table = [[True, False, True], [True, True, True]]
    assert call(table).categories == (False, True)
    assert call(table, categories=["False", "True"]).categories == ("False", "True")


def test_tables_have_the_same_columns_in_every_row() -> None:
    found = fitted(random_rows(6))
    tables = (found, found.of_items, found.of_coders, found.of_categories)
    for table in tables:
        rows = table.to_rows()
        assert rows
        assert len({tuple(row) for row in rows}) == 1
    assert {row["crowdtruth"] for row in found.to_rows()} == {"UQS", "WQS", "AQS"}


def test_many_annotations_are_fast() -> None:
    rng = np.random.default_rng(7)
    n_items, n_coders = 20_000, 100
    truth = rng.integers(0, 5, n_items)
    wrong = rng.random((n_items, n_coders)) < 0.3
    labels = np.where(wrong, rng.integers(0, 5, wrong.shape), truth[:, None])
    grid = np.where(rng.random(wrong.shape) < 0.05, labels, -1)
    table = np.where(grid < 0, np.nan, grid)
    found = ac.crowdtruth(table, layout="wide")
    assert isinstance(found, CrowdTruth)
    assert found.converged
    assert np.nanmean(found.item_quality) > 0.5
