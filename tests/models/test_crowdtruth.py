"""CrowdTruth: its authors' values, against the definitions written out, laws, what is undefined."""

from __future__ import annotations

import csv
import math
import string
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from models.planted import published

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


def fitted(rows: Rows, **more: Any) -> Any:
    """The same rows, by the call."""
    table = [{"item": i, "coder": c, "label": "|".join(sorted(s)) or "none"} for i, c, s in rows]
    columns = {"item": "item", "coder": "coder", "label": "label"}
    return ac.crowdtruth(table, separator="|", empty=["none"], **columns, **more)


@st.composite
def some_rows(draw: st.DrawFn) -> Rows:
    """Label sets, the empty one among them, of a few coders for a few items, with gaps."""
    sets = st.frozensets(st.sampled_from(LABELS), max_size=3)
    cells = [(f"i{i}", f"w{c}") for i in range(4) for c in range(4)]
    given = {cell: draw(sets) for cell in cells if draw(st.integers(0, 2))}
    given.setdefault(("i0", "w0"), frozenset("a"))
    given.setdefault(("i0", "w1"), frozenset("ab"))
    return [(*cell, s) for cell, s in given.items()]


def by_name(found: Any, names: Any, measure: str) -> dict[str, float]:
    return dict(zip(map(str, names), found[measure].tolist(), strict=True))


def known(scores: dict[str, float]) -> dict[str, float]:
    return {name: x for name, x in scores.items() if not math.isnan(x)}


@given(some_rows(), st.booleans())
@settings(max_examples=60)
def test_the_definitions_written_out(rows: Rows, closed: bool) -> None:
    found = fitted(rows, task="closed" if closed else "open")
    uqs, wqs, wwa, wua, aqs, uas = written_out(rows, closed=closed)
    near = {"abs": 1e-6, "rel": 1e-6}
    assert known(by_name(found, found.items, "item_quality")) == pytest.approx(uqs, **near)
    coders = {"coder_quality": wqs, "agreement_with_coders": wwa, "agreement_with_items": wua}
    for measure, wanted in coders.items():
        assert known(by_name(found, found.coders, measure)) == pytest.approx(wanted, **near)
    names = ["" if k == () else str(k) for k in found.categories]
    if closed:
        assert by_name(found, names, "category_quality") == pytest.approx(aqs, **near)
    for i, scores in uas.items():
        row = found["item_category"][list(found.items).index(i)]
        assert dict(zip(names, row.tolist(), strict=True)) == pytest.approx(scores, **near)


def cosine(x: Counter[str], y: Counter[str]) -> float:
    top = sum(x[k] * y[k] for k in x)
    return top / math.sqrt(sum(v * v for v in x.values()) * sum(v * v for v in y.values()))


@given(some_rows())
@settings(max_examples=60)
def test_the_definitions_of_version_1_written_out(rows: Rows) -> None:
    found = fitted(rows, version="1.0")
    vectors = {(i, c): Counter(s or [""]) for i, c, s in rows}
    items, coders = list(found.items), list(found.coders)
    total: dict[str, Counter[str]] = {i: Counter() for i in items}
    for (i, _), v in vectors.items():
        total[i] += v
    names = ["" if k == () else str(k) for k in found.categories]
    for k, i in enumerate(items):
        scores = [cosine(total[i], Counter([name])) for name in names]
        assert found["item_category"][k] == pytest.approx(scores)
        assert found["item_clarity"][k] == pytest.approx(max(scores))
    for k, c in enumerate(coders):
        own = [i for i in items if (i, c) in vectors and sum(j == i for j, _ in vectors) > 1]
        apart = [1 - cosine(vectors[i, c], total[i] - vectors[i, c]) for i in own]
        wanted = sum(apart) / len(apart) if apart else math.nan
        assert found["disagreement_with_items"][k] == pytest.approx(wanted, abs=1e-9, nan_ok=True)
        pairs = []
        for d in coders:
            both = [i for i in items if (i, c) in vectors and (i, d) in vectors and c != d]
            if both:
                apart = [1 - cosine(vectors[i, c], vectors[i, d]) for i in both]
                pairs.append(sum(apart) / len(apart))
        wanted = sum(pairs) / len(pairs) if pairs else math.nan
        assert found["disagreement_with_coders"][k] == pytest.approx(wanted, abs=1e-9, nan_ok=True)
        sizes = [len(s) for _, d, s in rows if d == c]
        assert found["labels_per_item"][k] == pytest.approx(sum(sizes) / len(sizes))
    for r, one in enumerate(names):
        having = [i for i in items if total[i][one]]
        for q, other in enumerate(names):
            n = sum(total[i][other] > 0 for i in having)
            wanted = n / len(having) if having else math.nan
            assert found["category_similarity"][r, q] == pytest.approx(wanted, nan_ok=True)


def test_a_sentence_by_hand() -> None:
    """Eight coders of one sentence: 6 say treats, 3 causes, 2 of these both, 1 none."""
    sets = ["treats"] * 4 + ["causes"] + ["treats|causes"] * 2 + ["none"]
    rows = [{"item": "s", "coder": f"w{k}", "label": x} for k, x in enumerate(sets)]
    found = ac.crowdtruth(
        rows, version="1.0", separator="|", categories=["treats", "causes", "none"]
    )
    length = math.sqrt(6**2 + 3**2 + 1)
    assert found["item_category"][0] == pytest.approx([6 / length, 3 / length, 1 / length])
    assert found["item_clarity"] == pytest.approx([6 / length])
    # w0 said treats; the others together said treats 5, causes 3, none 1
    assert found["disagreement_with_items"][0] == pytest.approx(1 - 5 / math.sqrt(25 + 9 + 1))
    # w0 beside 3 others with treats, 1 with causes, 2 with both, 1 with none
    assert found["disagreement_with_coders"][0] == pytest.approx(1 - (3 + 2 / math.sqrt(2)) / 7)
    assert found["labels_per_item"].tolist() == [1, 1, 1, 1, 1, 2, 2, 1]


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


@pytest.mark.parametrize("version", ["2.0", "1.0"])
def test_the_order_of_rows_and_the_names_change_nothing(version: str) -> None:
    rows = random_rows(1)

    def scores(given: Rows, name: Any = lambda of, x: x) -> dict[Any, float]:
        return {
            (row["of"], name(row["of"], row["name"]), key): x
            for row in fitted(given, version=version).to_rows()
            for key, x in row.items()
            if isinstance(x, float)
        }

    whole = scores(rows)
    assert scores(rows[::-1]) == pytest.approx(whole, abs=1e-12)
    other = dict(zip(LABELS, "dcab", strict=True))
    back = {new: old for old, new in other.items()} | {
        "z" + f"w{c}"[::-1]: f"w{c}" for c in range(8)
    }
    renamed = [(i, "z" + c[::-1], frozenset(other[x] for x in s)) for i, c, s in rows]
    found = scores(renamed, lambda of, x: x if of == "item" else back[x])
    assert found == pytest.approx(whole, abs=1e-12)


def test_worse_coders_are_seen() -> None:
    found = fitted(random_rows(2, n_items=150))
    assert np.corrcoef(found["coder_quality"], -np.arange(8))[0, 1] > 0.95
    assert found.converged


def test_empty_sets_agree_with_each_other_and_with_nothing_else() -> None:
    none, a = frozenset[str](), frozenset("a")
    each = {"1": (none, none), "2": (none, a), "3": (a, a)}
    found = fitted([(i, c, s) for i, own in each.items() for c, s in zip("xy", own, strict=True)])
    assert found.categories == ("a", ())
    assert found["item_quality"] == pytest.approx([1, 0, 1], abs=1e-6)


def test_times_are_counted_when_a_coder_annotates_an_item_again() -> None:
    rows = [("1", "x", x) for x in "aab"] + [("1", "y", "a"), ("2", "x", "b"), ("2", "y", "b")]
    found = ac.crowdtruth(rows, duplicates="keep")
    first = (2 / 3) / math.hypot(2 / 3, 1 / 3)
    assert found["first_item_quality"] == pytest.approx([first, 1])


def test_what_nobody_can_be_compared_with_is_undefined_and_changes_nothing_else() -> None:
    rows = random_rows(3)
    more = [*rows, ("alone", "w0", frozenset("a")), ("lone", "hermit", frozenset("b"))]
    whole, found = fitted(rows), fitted(more)
    for names, measure, gone in (
        ("items", "item_quality", {"alone", "lone"}),
        ("coders", "coder_quality", {"hermit"}),
    ):
        one, other = (by_name(x, getattr(x, names), measure) for x in (whole, found))
        assert set(other) - set(known(other)) == gone
        assert known(other) == pytest.approx(one, abs=1e-12)
    place = {item: k for k, item in enumerate(found.items)}
    assert found["item_category"][place["alone"]].tolist() == [1, 0, 0, 0]
    assert np.isnan(found["item_category"][place["lone"]]).all()
    first = fitted(more, version="1.0")
    assert math.isnan(by_name(first, first.coders, "disagreement_with_coders")["hermit"])


def test_what_is_told() -> None:
    found = ac.crowdtruth([["a", None, "b"], [None, "a", None]])
    assert np.isnan(found["item_quality"]).all()
    assert [f.code for f in found.findings] == ["nothing_shared"]
    assert "nan" not in str(found)
    zero = ac.crowdtruth([["a"], ["b"], ["c"]])  # all coders have quality 0
    assert zero["item_category"].tolist() == [[0, 0, 0]]
    for version in ("2.0", "1.0"):
        rows = fitted(random_rows(6), version=version).to_rows()
        assert len({tuple(row) for row in rows}) == 1
    two = ac.crowdtruth(
        {"item": [1, 1], "coder": ["x", "y"], "topic": ["p", "p"], "tone": ["+", "-"]},
        label=["topic", "tone"],
    )
    assert [one.question for one in two] == ["topic", "tone"]


@pytest.mark.parametrize(
    "options",
    [{"task": "both"}, {"version": "3"}, {"version": "1.0", "task": "open"}],
)
def test_bad_requests_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ac.RequestError):
        ac.crowdtruth([["a", "b"], ["a", "b"]], **options)


def test_many_annotations() -> None:
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 5, 20_000)
    wrong = rng.random((20_000, 100)) < 0.3
    labels = np.where(wrong, rng.integers(0, 5, wrong.shape), truth[:, None])
    table = np.where(rng.random(wrong.shape) < 0.05, labels, np.nan)
    found = ac.crowdtruth(table, layout="wide")
    assert found.converged
    assert np.nanmean(found["item_quality"]) > 0.5


# ------------------------------------------------------------------ the authors' program


@pytest.fixture(scope="module")
def golden(real_data: Callable[[str], Path]) -> list[dict[str, Any]]:
    """Entries of the golden file that are about CrowdTruth."""
    return published(real_data, "CrowdTruth 2.0")


def differences(names: Any, found: Any, wanted: dict[str, float]) -> list[float]:
    """Of everything that the golden values name."""
    by_name = dict(zip(map(str, names), np.asarray(found).tolist(), strict=True))
    return [abs(by_name[name] - value) for name, value in wanted.items()]


@pytest.mark.parametrize("task", ["closed", "open"])
def test_the_test_files_of_crowdtruth(
    golden: list[dict[str, Any]], real_data: Callable[[str], Path], task: Any
) -> None:
    entries = [x for x in golden if f"{task} task (annotation_vector" in x["measure"]]
    assert len(entries) == 33
    for entry in entries:
        path = real_data("crowdtruth/" + entry["data"].rsplit("/", 1)[1])
        found = ac.crowdtruth(
            path,
            task=task,
            item="_unit_id",
            coder="_worker_id",
            label="out_col",
            categories=list(string.ascii_uppercase),
        )
        assert found.converged
        value, off = entry["value"], []
        off += differences(found.items, found["item_quality"], value["uqs"])
        off += differences(found.items, found["first_item_quality"], value["uqs_initial"])
        off += differences(found.coders, found["coder_quality"], value["wqs"])
        off += differences(found.coders, found["first_coder_quality"], value["wqs_initial"])
        off += differences(found.coders, found["agreement_with_coders"], value["wwa"])
        off += differences(found.coders, found["agreement_with_items"], value["wsa"])
        if task == "closed":
            off += differences(found.categories, found["category_quality"], value["aqs"])
        else:
            assert np.isnan(found["category_quality"]).all()
        for item, scores in value["uas"].items():
            row = found["item_category"][list(map(str, found.items)).index(item)]
            off += differences(found.categories, row, scores)
            assert row.sum() == pytest.approx(sum(scores.values()), abs=1e-6)
        assert max(off) < entry["tol"], entry["data"]


def test_relations_of_which_coders_give_several(
    golden: list[dict[str, Any]], real_data: Callable[[str], Path]
) -> None:
    entry = next(x for x in golden if x["data"].startswith("ct_relex_multichoice"))
    value = entry["value"]
    found = ac.crowdtruth(
        real_data("crowd/ct_relex_multichoice.csv"), separator="|", categories=list(value["aqs"])
    )
    assert len(found.items) == value["units"]
    assert len(found.coders) == value["workers"]
    assert found.n_iterations == value["iters"]
    near = {"abs": entry["tol"]}
    assert found["item_quality"].mean() == pytest.approx(value["uqs_mean"], **near)
    assert np.median(found["item_quality"]) == pytest.approx(value["uqs_median"], **near)
    assert found["coder_quality"].mean() == pytest.approx(value["wqs_mean"], **near)
    assert np.median(found["coder_quality"]) == pytest.approx(value["wqs_median"], **near)
    assert found["coder_quality"].min() == pytest.approx(value["wqs_min"], **near)
    assert found["coder_quality"].max() == pytest.approx(value["wqs_max"], **near)
    assert max(differences(found.items, found["item_quality"], value["uqs_first5"])) < entry["tol"]
    assert (
        max(differences(found.categories, found["category_quality"], value["aqs"])) < entry["tol"]
    )


@pytest.mark.parametrize(
    ("name", "positive", "names"),
    [
        ("snow_rte", "1", {"0": "0", "1": "1"}),
        ("snow_temporal", "1", {"1": "before", "2": "after"}),
    ],
)
def test_snow(
    golden: list[dict[str, Any]],
    real_data: Callable[[str], Path],
    name: str,
    positive: str,
    names: dict[str, str],
) -> None:
    entry = next(x for x in golden if x["data"] == name)
    value = entry["value"]
    data = ac.read(real_data(f"crowd/{name}.csv"))
    found = ac.crowdtruth(data)
    assert found.n_iterations == value["iters"]
    near = {"abs": entry["tol"]}
    assert found["item_quality"].mean() == pytest.approx(value["uqs_mean"], **near)
    assert np.median(found["item_quality"]) == pytest.approx(value["uqs_median"], **near)
    assert found["coder_quality"].mean() == pytest.approx(value["wqs_mean"], **near)
    assert found["coder_quality"].min() == pytest.approx(value["wqs_min"], **near)
    assert found["coder_quality"].max() == pytest.approx(value["wqs_max"], **near)
    category = dict(
        zip(map(str, found.categories), found["category_quality"].tolist(), strict=True)
    )
    for ours, theirs in names.items():
        assert category[ours] == pytest.approx(value["aqs"][theirs], **near)
    with real_data(f"crowd/{name}.gold.csv").open() as file:
        truth = {row["item"]: row["gold"] for row in csv.DictReader(file)}
    right = np.array([truth[str(item)] == positive for item in found.items])
    score = found["item_category"][:, list(map(str, found.categories)).index(positive)]
    assert np.mean((score >= 0.5) == right) == pytest.approx(value["acc05"], abs=1e-9)
    assert f1(score >= 0.5, right) == pytest.approx(value["F1"], abs=1e-9)
    assert f1(score >= value["best_th"], right) == pytest.approx(value["bestF1"], abs=1e-9)


def f1(said: Any, true: Any) -> float:
    """Of the positive category."""
    return 2 * np.sum(said & true) / (said.sum() + true.sum())
