"""A category means what coders call by its name: the guard against classes that take its place."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.data.read import read
from accordant.models.em import Climb, How
from accordant.models.emission import Confusions
from accordant.models.estimate import Estimate
from accordant.models.estimators.dawid_skene import dawid_skene
from accordant.models.priors import Prior, heavy
from accordant.models.solutions import best_of, repurposed
from accordant.models.votes import Votes, votes
from models.planted import mixed, table
from models.published import crowd, published

RealData = Callable[[str], Path]


def told(found: Any, code: str) -> Any:
    (one,) = [f for f in found.findings if f.code == code]
    return one


def codes(found: Any) -> list[str]:
    return [f.code for f in found.findings]


def stray(seed: int, n: int = 500) -> list[list[str]]:
    """Two camps of three coders, 0 and 1, and a label No that slipped in twice.

    A quarter of the items is disputed between the camps: a third class, which is looking for a
    name.
    """
    rng = np.random.default_rng(seed)
    kind = rng.choice(3, n, p=[0.6, 0.15, 0.25])
    rows = []
    for c in range(6):
        one = np.array([0.04, 0.9, 0.75 if c < 3 else 0.08])[kind]
        rows.append(np.where(rng.random(n) < one, "1", "0").astype(object))
    for i in rng.choice(n, 2, replace=False):
        rows[1][i] = "No"
    return [list(row) for row in rows]


def test_a_class_that_nobody_called_so_is_found() -> None:
    found = votes(read([list("aaaaabbc"), list("aaaaabbc"), list("aaaabbba")]))
    q = found.shares.copy()
    assert repurposed(found, q) == ()
    q[:4] = [0, 0, 1]  # c is believed of four items whose coders all say a
    (one,) = repurposed(found, q)
    assert (one.category, one.items, one.unsaid_items, one.given) == (2, 5, 4, 2)
    assert one.expected == pytest.approx(4 + 2 / 3)
    assert one.unsaid == pytest.approx(4)
    assert one.prevalence == pytest.approx((4 + 2 / 3) / 8)


def test_a_category_that_most_coders_overlook_keeps_its_meaning() -> None:
    """One coder of five sees it: all others say a, and yet somebody says b of each such item."""
    rows = [list("a" * 12)] * 4 + [list("aaaaaabbbbbb")]
    found = votes(read(rows))
    q = np.zeros((12, 2))
    q[:6, 0] = q[6:, 1] = 1
    assert (q.T @ found.counts).argmax(1).tolist() == [0, 0]
    assert repurposed(found, q) == ()


def test_a_coder_who_is_put_right_is_no_offence() -> None:
    """Labels that their only coder did not give, but fewer than those that somebody gave."""
    found = votes(read([list("aaaabbbb"), list("aaaa") + [None] * 4, ["b"] * 4 + [None] * 4]))
    q = np.zeros((8, 2))
    q[:4, 0] = 1
    q[4:6, 1] = q[6:, 0] = 1  # two of the six items of a were called b
    assert repurposed(found, q) == ()


def test_control_items_and_items_without_labels_do_not_count() -> None:
    found = votes(read([list("aaaaabbc"), list("aaaaabbc"), list("aaaabbba")]))
    q = found.shares.copy()
    q[:4] = [0, 0, 1]
    known = np.array([2, 2, 2, -1, -1, -1, -1, -1])
    assert repurposed(found.with_known(known), q) == ()
    rows = [["a", "b"] + ["a"] * 3 + [None] * 5, ["a", "b", *["a"] * 3] + [None] * 5]
    skipped = votes(read(rows, blank="skipped"), abstentions="informative")
    assert skipped.n_items == 10
    q = np.zeros((10, 2))
    q[[0, 2, 3, 4], 0] = q[[1, 5, 6, 7, 8, 9], 1] = 1  # nobody said b of five skipped items
    assert repurposed(skipped, q) == ()


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("model", ["pooled", "map", "dawid_skene"])
def test_a_slip_becomes_no_category(model: str, seed: int) -> None:
    found = ac.fit(stray(seed), model)
    no = found.categories.index("No")
    assert found.prevalence[no] < 0.01
    assert found.labels.count("No") <= 2
    assert repurposed(found.votes, found.not_recalibrated.probabilities) == ()


def test_it_is_told_where_a_category_is_held_to_its_label() -> None:
    found = ac.fit(stray(0), "map")
    one = told(found, "repurposed_category")
    assert one.severity == "warning"
    assert one.evidence["category"] == "No"
    assert one.evidence["held"]
    assert one.evidence["given"] == 2
    assert one.evidence["unsaid"] > 100
    assert one.evidence["n_held"] == found.labels.count("No")
    assert "Without a constraint" in one.sentence
    assert "2 times in 3,000 annotations" in one.sentence
    assert "not estimated but set to 0.7" in one.sentence
    no = found.categories.index("No")
    assert found.confusion[:, no] == pytest.approx(np.tile([0.15, 0.15, 0.7], (6, 1)))
    assert "degenerate_class" not in codes(found)  # said already
    shown = found.interval("confusion")
    assert (shown.high - shown.low)[:, no, no].min() > 0.5  # hardly anything is known
    assert not found.estimate.climb.fell


def test_it_is_told_where_a_published_procedure_drifts() -> None:
    """Without restarts a number as prior is what the papers did: shown as it is, and told."""
    found = ac.fit(stray(0), "map", restarts=0)
    one = told(found, "repurposed_category")
    assert one.severity == "warning"
    assert not one.evidence["held"]
    assert one.evidence["n"] == found.labels.count("No") > 100
    assert one.evidence["prevalence"] == pytest.approx(found.prevalence[2], abs=1e-3)
    assert "Do not read the label of these items as “No”" in one.advice
    assert "pooled" in one.advice


def test_better_solutions_that_were_not_taken_are_told() -> None:
    found = ac.fit(stray(2), "dawid_skene")
    one = told(found, "solutions_refused")
    assert one.severity == "note"
    assert one.evidence["gap"] > 50
    assert one.evidence["categories"] == ("No",)
    assert "“No” is the label of" in one.sentence
    assert found.log_likelihood + one.evidence["gap"] == pytest.approx(
        max(run.value for run in found.estimate.restarts)
    )
    assert "no better admissible solution" in told(found, "converged").sentence
    assert "repurposed_category" not in codes(found)


def ends(q: np.ndarray, value: float) -> Estimate:
    run = Climb("log-likelihood", (value,), True)
    return Estimate(q, q.mean(0), Confusions(np.full((1, 3, 3), 1 / 3)), np.ones(1), run)


def three() -> tuple[Votes, np.ndarray, np.ndarray]:
    found = votes(read([list("aaaaaaaaabbbbccc"), list("aaaaaaaaabbbbccc")]))
    strange = found.shares.copy()
    strange[:4] = [0, 0, 1]
    return found, found.shares, strange


def test_the_best_solution_that_keeps_the_meaning_is_taken() -> None:
    found, good, strange = three()

    def best(*ended: tuple[np.ndarray, float]) -> float:
        runs = iter(ended)
        how = How(restarts=len(ended) - 1)
        return best_of(found, how, lambda start, how: ends(*next(runs))).climb.value

    assert best((good, -10), (strange, -1), (good, -9)) == -9
    assert best((strange, -10), (good, -20), (strange, -5)) == -20
    assert best((strange, -10), (strange, -5)) == -5  # where all do, no worse than the votes
    worse = strange.copy()
    worse[4:9] = [0, 1, 0]
    assert [x.category for x in repurposed(found, worse)] == [1, 2]
    assert best((strange, -10), (worse, -5)) == -10


def test_a_solution_that_stands_ready_is_not_climbed_again() -> None:
    found, good, _ = three()
    ready = ends(good, -3.0)
    assert best_of(found, How(), lambda start, how: 1 / 0, first=ready) is ready  # type: ignore[arg-type,return-value]


def test_rows_that_are_held_stay_and_the_others_are_learned() -> None:
    prior = Prior(np.full((1, 3, 3), 0.5)).holding((1,))
    counts = np.arange(18.0).reshape(2, 3, 3)
    rows = prior.rows(counts)
    assert rows[:, 1] == pytest.approx(np.tile(heavy(3, 3)[1], (2, 1)))
    free = Prior(np.full((1, 3, 3), 0.5)).rows(counts)
    assert rows[:, [0, 2]] == pytest.approx(free[:, [0, 2]])
    assert prior.holding((1,), 2.0).cells[0, 1].sum() == pytest.approx(2)
    assert heavy(3, 4).sum(1) == pytest.approx(1)
    assert heavy(1, 1).tolist() == [[1.0]]


def test_progress_never_goes_back() -> None:
    seen: list[tuple[int, int]] = []
    how = How(restarts=1, max_iterations=400, progress=lambda *x: seen.append(x))
    dawid_skene(votes(read(stray(0))), how, prior=0.01)
    assert [x for x, _ in seen] == sorted(x for x, _ in seen)
    assert {n for _, n in seen} == {800}


def test_nothing_is_held_where_nothing_drifts() -> None:
    for model in ("pooled", "map", "dawid_skene", "one_coin", "variational"):
        found = ac.fit(mixed().data, model)
        assert not {"repurposed_category", "solutions_refused"} & set(codes(found)), model
    assert repurposed(table(mixed().data), table(mixed().data).shares) == ()


@pytest.mark.parametrize("model", ["pooled", "dawid_skene", "map"])
def test_hsbrexit(model: str, real_data: RealData) -> None:
    """Labels 0 and 1, and No three times of 6,720: with restarts as from the votes."""
    (entry,) = [
        x
        for x in published(real_data, "what one-truth models do to two camps")
        if x["data"] == "hsbrexit_offensive"
    ]
    wanted = entry["value"]["ds_prevalence"]
    found = ac.fit(real_data("crowd/hsbrexit_offensive.csv"), model)
    for category, share in zip(found.categories, found.prevalence, strict=True):
        assert share == pytest.approx(wanted[str(category)], abs=0.01)
    assert found.labels.count("No") <= 2
    if model != "pooled":
        assert told(found, "solutions_refused").evidence["categories"] == ("No",)


def test_senses_of_fair(real_data: RealData) -> None:
    """Sense 7, given 29 times, is no name for 70 items that others call otherwise."""
    found = crowd(real_data, "masc_fair_j")
    got = dawid_skene(found, How(), prior="pooled")
    (one,) = got.findings
    assert one.code == "repurposed_category"
    assert one.evidence["held"]
    assert one.evidence["given"] == 29
    assert repurposed(found, got.probabilities) == ()
