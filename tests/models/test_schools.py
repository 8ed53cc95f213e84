"""Schools: the declared groups are recovered, planted ones are, and one school is never split."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import accordant as ac
from accordant.models.coders.group_search import Grid, kappas
from accordant.models.coders.schools import Schools, schools
from claims.simulated_crowd import simulate_crowd
from models.planted import relabelled, shuffled

# Cohen's kappa of pairs of coders: golden list, tolerance .0001
HATE = {("Ann1", "Ann2"): 0.4075, ("Ann3", "Ann4"): 0.284, ("Ann4", "Ann5"): 0.6649}
OFFENSIVE = {("Ann1", "Ann2"): 0.4878, ("Ann2", "Ann5"): 0.2876, ("Ann5", "Ann6"): 0.431}
AGGRESSIVE = {("Ann1", "Ann2"): 0.4446, ("Ann2", "Ann5"): 0.1759, ("Ann5", "Ann6"): 0.3161}


def of(crowd, model: str = "majority") -> Schools:
    return schools(ac.fit(crowd.data, model))


def groups(found: Schools) -> set[frozenset[str]]:
    return {frozenset(names) for names in found.names}


@pytest.mark.parametrize(
    ("task", "pairs"), [("hate", HATE), ("offensive", OFFENSIVE), ("aggressive", AGGRESSIVE)]
)
def test_the_declared_groups_of_hs_brexit(
    real_data: Callable[[str], Path], task: str, pairs: dict
) -> None:
    path = real_data(f"crowd/hsbrexit_{task}.csv")
    found = ac.coders(path, leave_out=0)
    split = found.schools
    target, control = {"Ann1", "Ann2", "Ann3"}, {"Ann4", "Ann5", "Ann6"}
    assert groups(split) == {frozenset(target), frozenset(control)}
    names = found.posterior.coders
    for (a, b), kappa in pairs.items():
        assert split.kappa[names.index(a), names.index(b)] == pytest.approx(kappa, abs=1e-4)
    assert found.findings[0].code == "minority_school"
    assert len(found.of_verdict("school")) == 3
    assert split.p_value <= 0.005
    assert (split.within > split.between).all()


def test_what_one_truth_does_to_a_school(real_data: Callable[[str], Path]) -> None:
    found = ac.coders(real_data("crowd/hsbrexit_hate.csv"), leave_out=0)
    split = found.schools
    assert split.names[0] == ("Ann4", "Ann5", "Ann6")  # whom the model follows
    assert split.competence[0] > split.competence[1] + 0.05
    assert split.against[1] > 4 * split.against[0]
    own = split.posterior_of(2)
    assert own.coders == ("Ann1", "Ann2", "Ann3")
    assert own.prevalence[1] < found.posterior.prevalence[1] / 2
    rows = split.side_by_side()
    assert len(rows) == 1120
    assert set(rows[0]) == {"item", "label", "school_1", "school_2"}
    differs = [r for r in rows if None not in r.values() and r["label"] != r["school_2"]]
    assert len(differs) / 1120 == pytest.approx(split.against[1], abs=0.01)
    told = found.findings[0]
    assert "18" in told.sentence
    assert told.evidence["schools"] == split.names
    assert len(told.seen.names) == 12


@pytest.mark.parametrize("seed", range(4))
def test_planted_schools_are_recovered(seed: int) -> None:
    crowd = simulate_crowd(400, {"good": 4, "school": 3}, 3, per_item=7, seed=seed)
    expected = {
        frozenset(c for c, k in zip(crowd.data.coders, crowd.kinds, strict=True) if k == kind)
        for kind in ("good", "school")
    }
    found = of(crowd)
    assert groups(found) == expected
    assert all("good" in name for name in found.names[0])
    assert found.against[1] > 0.12 > found.against[0]


@pytest.mark.parametrize(
    "crowd",
    [
        {"coders": 6, "categories": 2, "per_item": 6},
        {"coders": 10, "categories": 3, "per_item": 5},
        {"coders": 8, "categories": 3, "per_item": 8, "difficulty": 1.0, "errors": "equal"},
        {"coders": {"good": 5, "biased": 3}, "categories": 3, "per_item": 8},
        {"coders": {"good": 6, "sloppy": 3, "spammer": 2}, "categories": 3, "per_item": 6},
        {"coders": {"good": 5, "constant": 1, "adversary": 2}, "categories": 3, "per_item": 8},
    ],
)
def test_one_school_is_not_split(crowd: dict) -> None:
    found = [of(simulate_crowd(200, seed=seed, **crowd)) for seed in range(12)]
    assert sum(map(bool, found)) == 0
    assert all(x.reason for x in found)
    assert all(x.finding is None and x.to_rows() == [] for x in found)


def test_coders_below_chance_are_no_school() -> None:
    kinds = {"good": 12, "adversary": 3}
    for seed in range(6):
        crowd = simulate_crowd(300, kinds, 3, per_item=6, seed=seed)
        assert not of(crowd)


def experts_and_novices(seed: int) -> list[list[str]]:
    """Four coders who know hard items too, four who guess there; (8, 200) labels."""
    rng = np.random.default_rng(seed)
    true, hard = rng.integers(0, 2, 200), rng.random(200) < 0.3
    right = np.full((8, 200), 0.95)
    right[4:, hard] = 0.5
    label = np.where(rng.random((8, 200)) < right, true, 1 - true)
    return [["ab"[x] for x in row] for row in label.tolist()]


def test_careful_coders_are_no_school_beside_those_who_guess() -> None:
    found = [schools(ac.fit(experts_and_novices(seed), "majority")) for seed in range(12)]
    rare = [x for x in found if x.p_value <= 0.005]  # one truth does not explain the gap
    assert sum(map(bool, found)) <= 1
    assert all("less sure" in x.reason for x in rare if not x)


def test_strict_and_lenient_coders_are_no_schools() -> None:
    strict = np.array([[0.98, 0.02], [0.45, 0.55]])
    lenient = np.array([[0.7, 0.3], [0.03, 0.97]])
    for seed in range(5):
        crowd = simulate_crowd(500, np.stack([strict] * 3 + [lenient] * 3), per_item=6, seed=seed)
        assert not of(crowd)


def test_order_and_names_do_not_matter() -> None:
    data = simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=6, seed=2).data
    base = schools(ac.fit(data, "majority"))
    assert base
    for other in (shuffled(data, 1), relabelled(data)):
        found = schools(ac.fit(other, "majority"))
        assert found.names == base.names
        assert found.p_value == base.p_value
        assert found.kappa == pytest.approx(base.kappa, nan_ok=True)


def test_kappas_against_the_coefficient() -> None:
    crowd = simulate_crowd(80, 5, 3, per_item=3, seed=1)
    post = ac.fit(crowd.data, "majority")
    v = post.votes
    grid = Grid(v.coder.astype(np.int64) * v.n_items + v.item, v.n_coders, v.n_items)
    kappa, shrunk, n = kappas(grid, v.label, 3)
    for i, one in enumerate(v.coders):
        for j, other in enumerate(v.coders[:i]):
            part = crowd.data.of_coders([one, other]).of_shared()
            assert kappa[i, j] == pytest.approx(ac.agreement(part, "kappa")["kappa"].value)
            assert n[i, j] == len(part) / 2
            assert abs(shrunk[i, j]) < abs(kappa[i, j])


def test_where_schools_are_not_looked_for() -> None:
    few = schools(ac.fit([["a", "b", "a"], ["a", "b", "b"]], "majority"))
    assert "four coders" in str(few)
    many = of(simulate_crowd(200, 70, 2, per_item=5, seed=1))
    assert "at most 60" in many.reason
    with pytest.raises(ac.RequestError, match="no coder group 1"):
        few.posterior_of(1)
    assert set(few.side_by_side()[0]) == {"item", "label"}


def test_a_coder_with_two_labels_for_an_item_is_left_out_there() -> None:
    crowd = simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=7, seed=1)
    rows = crowd.data.columns
    first = rows.where(np.arange(40))
    turned = replace(first, value=(first.value + 1) % 3)
    both = type(rows)(
        *(np.concatenate([getattr(rows, f.name), getattr(turned, f.name)]) for f in fields(rows))
    )
    found = schools(ac.fit(replace(crowd.data, layout=both), "majority"))
    assert (np.nan_to_num(found.kappa) <= 1).all()
    assert found
