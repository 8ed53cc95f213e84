"""The study measures data sets as any others; simulated annotations have what was asked for."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import accordant as ac

SMALL: dict[str, Any] = {"double": [0.0, 0.5], "agreement": [0.75], "datasets": 60, "seed": 3}
FAR = 4.5  # standard errors


def near(found: float, wanted: float, n: int) -> bool:
    return abs(found - wanted) <= FAR * math.sqrt(max(wanted * (1 - wanted), 1e-3) / n)


# ------------------------------------------------------------------ the study


@pytest.fixture(scope="module")
def study() -> Any:
    return ac.multilabel_study(**SMALL)


def test_means_errors_and_spread(study: Any) -> None:
    assert len(study) == 12
    for cell in study:
        assert cell.n_datasets == 60
        assert cell.value_se == pytest.approx(cell.value_sd / math.sqrt(60))
        assert 0 < cell.expected < cell.observed < 1
    single = study["soft_match", 0.75, 0.0]
    assert single.observed_sd == pytest.approx(math.sqrt(0.75 * 0.25 / 100), rel=0.35)
    assert study["boot-F1", 0.75, 0.5] is study["boot_f1", 0.75, 0.5]


def test_seeds_and_measures(study: Any) -> None:
    assert ac.multilabel_study(**SMALL) == study
    assert ac.multilabel_study(**SMALL | {"seed": 4}) != study
    alone = ac.multilabel_study("boot_f1", **SMALL)
    assert alone.cells == study.of_measure("boot_f1")  # others do not change the data
    unseeded = ac.multilabel_study("percent", **SMALL | {"seed": None})
    assert ac.multilabel_study("percent", **SMALL | {"seed": unseeded.seed}) == unseeded
    assert study.signature.endswith("seed 3")


def test_one_data_set_has_no_spread_and_certain_agreement_no_value() -> None:
    (cell,) = ac.multilabel_study("boot_match", double=[0.5], agreement=[0.9], datasets=1, seed=1)
    assert not math.isnan(cell.value)
    assert math.isnan(cell.value_se)
    certain = ac.multilabel_study(
        "percent", categories=4, shares=[1, 0, 0, 0], double=[0], agreement=[1], datasets=2, seed=1
    )
    kappa = ac.multilabel_study(
        "augmented", categories=4, shares=[1, 0, 0, 0], double=[0], agreement=[1], datasets=2
    )
    assert [c.observed for c in certain] == [1]
    assert [c.n_undefined for c in kappa] == [2]
    assert json.loads(kappa.to_json())[0]["value"] is None


def test_progress_and_axes() -> None:
    told: list[tuple[int, int]] = []
    ac.multilabel_study("percent", progress=lambda done, total: told.append((done, total)), **SMALL)
    assert told == [(50, 120), (60, 120), (110, 120), (120, 120)]
    found = ac.multilabel_study("percent", double=[1, 0, 1], agreement=[0.9], datasets=2)
    assert (found.double, found.agreement) == ((0.0, 1.0), (0.9,))


def test_simulated_chance_agrees_with_exact_chance() -> None:
    names = ["boot_match", "boot_f1", "soft_match"]
    exact = ac.multilabel_study(names, **SMALL)
    simulated = ac.multilabel_study(names, simulations=40, **SMALL)
    for one, other in zip(exact, simulated, strict=True):
        assert one.observed == other.observed  # the same data
        if one.measure == "soft_match":
            assert one == other
            continue
        # a mean of 60 x 40 simulated data sets of 100 items: sd of one below 0.5 / 10
        assert one.expected != other.expected
        assert abs(one.expected - other.expected) < FAR * 0.05 / math.sqrt(60 * 40)


def test_weights_are_part_of_the_name() -> None:
    found = ac.multilabel_study(["boot_jaccard", "boot_match", "kappa_sets"], **SMALL)
    assert found.measures == ("boot_jaccard", "boot_match", "kappa_sets")
    one, other = found["boot_jaccard", 0.75, 0.5], found["boot_match", 0.75, 0.5]
    assert one.observed < other.observed
    with pytest.raises(ac.RequestError):
        found["boot_match", 0.75, 0.25]


@pytest.mark.parametrize(
    "options",
    [
        {"measures": "boot_mach"},
        {"double": [0.5, 1.5]},
        {"double": []},
        {"agreement": ["high"]},
        {"datasets": 0},
        {"simulations": 1},
        {"categories": 3},
        {"shares": [0.5, 0.6, 0, 0, 0]},
        {"seed": -1},
    ],
)
def test_bad_requests_of_the_study(options: dict[str, Any]) -> None:
    with pytest.raises(ac.RequestError):
        ac.multilabel_study(**options)


# ------------------------------------------------------------------ annotations with known truth


def rows(data: Any) -> tuple[list[tuple[str, ...]], list[str]]:
    """The labels of each annotation, and the truth of its item."""
    truth = dict(zip(data.items.tolist(), data.metadata["truth"], strict=True))
    found = data.to_rows()
    labels = [x if isinstance(x, tuple) else (x,) for x in (row["label"] for row in found)]
    return labels, [truth[row["item"]] for row in found]


def test_coders_are_right_as_often_as_asked() -> None:
    accuracy = [0.95, 0.7, 0.25]
    data = ac.simulate(4000, 3, 4, accuracy=accuracy, shares=[0.4, 0.3, 0.2, 0.1], seed=1)
    for coder, wanted in zip(data.coders, accuracy, strict=True):
        labels, truth = rows(data.of_coders([coder]))
        right = np.mean([t in x for x, t in zip(labels, truth, strict=True)])
        assert near(float(right), wanted, 4000)
        wrong = [x[0] for x, t in zip(labels, truth, strict=True) if t == "A" and x != ("A",)]
        assert near(wrong.count("B") / len(wrong), 1 / 3, len(wrong))
    share = data.metadata["truth"].count("B") / 4000
    assert near(share, 0.3, 4000)


def test_some_coders_for_each_item() -> None:
    data = ac.simulate(3000, 6, per_item=2, seed=2)
    assert len(data) == 6000
    items = [row["item"] for row in data.to_rows()]
    assert {items.count(i) for i in items[:40]} == {2}
    n = np.unique([row["coder"] for row in data.to_rows()], return_counts=True)[1]
    assert all(near(k / 6000, 1 / 6, 6000) for k in n)


def test_second_labels() -> None:
    data = ac.simulate(3000, 2, ["x", "y", "z"], double=0.3, seed=3)
    labels, _ = rows(data)
    assert near(np.mean([len(x) == 2 for x in labels]), 0.3, 6000)
    assert data.scheme.categories == ("x", "y", "z")
    assert not np.isnan(ac.agreement(data, "boot_f1")["boot_f1"].value)


def test_the_same_seed_gives_the_same() -> None:
    one, same, other = (ac.simulate(50, 3, seed=s) for s in (1, 1, 2))
    assert one.fingerprint == same.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    "options",
    [
        {"items": 0},
        {"coders": 1},
        {"categories": 1},
        {"categories": ["a"]},
        {"accuracy": 1.2},
        {"accuracy": [0.9]},
        {"shares": [0.5, 0.6]},
        {"per_item": 9},
        {"double": -1},
        {"seed": "x"},
    ],
)
def test_bad_requests(options: dict[str, Any]) -> None:
    with pytest.raises((ac.RequestError, TypeError)):
        ac.simulate(**options)


# ------------------------------------------------------------------ the page


def test_every_number_is_on_the_page() -> None:
    study = ac.multilabel_study(datasets=20, seed=5)
    page, text = study._repr_html_(), str(study)
    assert "<svg" in page
    for cell in study:
        assert f"{cell.expected:.3f}" in page
        assert f"{cell.expected:.3f}" in text
    first, last = (study["boot_match", 0.6, d].expected for d in (0, 1))
    assert f"boot-match goes from {first:.3f} to {last:.3f} by chance" in text
