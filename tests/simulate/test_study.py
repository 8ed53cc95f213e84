"""The study measures data sets as any others, and says what it did."""

from __future__ import annotations

import json
import math
import multiprocessing
import statistics
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant import RequestError
from accordant.simulate.design import annotations_of, design_of, drawn
from accordant.simulate.study import PAPER, MultilabelStudy, tasks_of

SMALL: dict[str, Any] = {"double": [0.0, 0.5], "agreement": [0.75], "datasets": 60, "seed": 3}


@pytest.fixture(scope="module")
def study() -> MultilabelStudy:
    return ac.multilabel_study(**SMALL)


# ------------------------------------------------------------------ the same numbers


@pytest.mark.parametrize("n_coders", [2, 3])
def test_data_sets_are_measured_like_any_others(n_coders: int) -> None:
    """Many at once, as multiplicities of shared patterns, against one by one through the door."""
    names = (*PAPER, "alpha_masi", "label_kappa", "kappa_sets", "percent")
    design = design_of(0.7, double=0.4, n_coders=n_coders, entropy=1.2)
    (task,) = tasks_of([design], names, 40, 4, None, seed=9)
    found = task.measured()
    assert found.shape == (len(names), 3, 4)

    of_data, _ = tasks_of([design], names, 40, 4, None, seed=9)[0].seed.spawn(2)
    members, _ = drawn(design, 160, np.random.default_rng(of_data))
    for k in range(4):
        data = annotations_of(design, members[40 * k : 40 * (k + 1)])
        table = ac.agreement(data, names, interval="none")
        for row, one in zip(table, found, strict=True):
            single = (row.observed, row.expected, row.value)
            assert one[:, k] == pytest.approx(single, abs=1e-12), row.coefficient


def test_means_errors_and_spread(study: MultilabelStudy) -> None:
    for cell in study:
        assert cell.n_datasets == 60
        assert cell.value_se == pytest.approx(cell.value_sd / math.sqrt(60))
        assert cell.observed_se == pytest.approx(cell.observed_sd / math.sqrt(60))
        assert 0 < cell.expected < cell.observed < 1
    single = study["soft_match", 0.75, 0.0]
    assert single.observed_sd == pytest.approx(math.sqrt(0.75 * 0.25 / 100), rel=0.35)


def test_the_spread_is_that_of_the_data_sets() -> None:
    design = design_of(0.75, double=0.5)
    (task,) = tasks_of([design], ("boot_match",), 100, 5, None, seed=3)
    (cell,) = ac.multilabel_study("boot_match", double=[0.5], agreement=[0.75], datasets=5, seed=3)
    for x, part in zip(task.measured()[0], ("observed", "expected", "value")):
        assert getattr(cell, part) == pytest.approx(statistics.mean(x))
        assert getattr(cell, f"{part}_sd") == pytest.approx(statistics.stdev(x))


def test_one_data_set_has_no_spread() -> None:
    (cell,) = ac.multilabel_study("boot_match", double=[0.5], agreement=[0.9], datasets=1, seed=1)
    assert not math.isnan(cell.value)
    assert math.isnan(cell.value_se)
    assert (
        json.loads(
            ac.multilabel_study("percent", double=[0.5], agreement=[0.9], datasets=1).to_json()
        )[0]["value_se"]
        is None
    )


def test_seeds_and_measures(study: MultilabelStudy) -> None:
    assert ac.multilabel_study(**SMALL) == study
    assert ac.multilabel_study(**SMALL | {"seed": 4}) != study
    alone = ac.multilabel_study("boot_f1", **SMALL)
    assert alone.cells == study.of_measure("boot_f1")  # others do not change the data
    unseeded = ac.multilabel_study("percent", **SMALL | {"seed": None})
    again = ac.multilabel_study("percent", **SMALL | {"seed": unseeded.seed})
    assert again == unseeded


def test_any_number_of_cores() -> None:
    options = SMALL | {"method": "simulation", "simulations": 3, "double": [0.5]}
    one = ac.multilabel_study(["boot_match", "soft_match"], **options)
    two = ac.multilabel_study(["boot_match", "soft_match"], cores=2, **options)
    assert one == two
    assert one.to_json() == two.to_json()


def test_an_interrupted_study_leaves_nothing_behind() -> None:
    def interrupted(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ac.multilabel_study(**SMALL, cores=2, progress=interrupted)
    assert not multiprocessing.active_children()


def test_progress() -> None:
    told: list[tuple[int, int]] = []
    ac.multilabel_study("percent", progress=lambda done, total: told.append((done, total)), **SMALL)
    assert told == [(50, 120), (60, 120), (110, 120), (120, 120)]


def test_large_data_sets_are_cut_into_more_tasks() -> None:
    design = design_of(0.9, double=0.5)
    assert [t.n_datasets for t in tasks_of([design], ("percent",), 100, 120, None, 1)] == [
        50,
        50,
        20,
    ]
    large = tasks_of([design], ("percent",), 100_000, 12, None, 1)
    assert sum(t.n_datasets for t in large) == 12
    assert max(t.n_datasets for t in large) * 100_000 * 10 <= 4_000_000
    several = tasks_of([design, design], ("percent",), 100, 120, None, 1)
    seeds = {tuple(t.seed.generate_state(2)) for t in several}
    assert len(seeds) == len(several) == 6  # of every design and part its own


# ------------------------------------------------------------------ chance by simulation


def test_simulated_chance_agrees_with_exact_chance() -> None:
    names = ["boot_match", "boot_f1", "soft_match"]
    exact = ac.multilabel_study(names, **SMALL)
    simulated = ac.multilabel_study(names, method="simulation", simulations=40, **SMALL)
    for one, other in zip(exact, simulated, strict=True):
        assert one.observed == other.observed  # the same data
        if one.measure == "soft_match":
            assert one == other
            continue
        # a mean of 60 x 40 simulated data sets of 100 items: sd of one below 0.5 / 10
        assert one.expected != other.expected
        assert abs(one.expected - other.expected) < 4.5 * 0.05 / math.sqrt(60 * 40)
        assert other.expected_sd > one.expected_sd  # an estimate of an estimate
    (single,) = ac.multilabel_study(
        "boot_f1", method="simulation", double=[0.5], agreement=[0.75], datasets=1, seed=1
    )
    room = 1 - single.expected
    assert single.value == pytest.approx((single.observed - single.expected) / room, abs=1e-12)


# ------------------------------------------------------------------ what it says


def test_rows_and_look_up(study: MultilabelStudy) -> None:
    rows = study.to_rows()
    assert len(rows) == len(study) == len(PAPER) * 2
    assert [r["measure"] for r in rows[::2]] == list(PAPER)
    assert study["boot-F1", 0.75, 0.5].name == "boot-F1"
    assert study["Boot-match", 0.75, 0.5] is study["boot_match", 0.75, 0.5]
    with pytest.raises(RequestError, match="agreement 0.75; double 0, 0.5"):
        study["boot_match", 0.75, 0.25]
    with pytest.raises(RequestError, match="no alpha_masi"):
        study["alpha_masi", 0.75, 0.5]


def test_weights_are_part_of_the_name() -> None:
    found = ac.multilabel_study(["boot_jaccard", "boot_match", "kappa_sets"], **SMALL)
    assert found.measures == ("boot_jaccard", "boot_match", "kappa_sets")
    one, other = found["boot_jaccard", 0.75, 0.5], found["boot_match", 0.75, 0.5]
    assert one.observed < other.observed
    assert (one.name, found["kappa_sets", 0.75, 0.5].name) == ("boot (Jaccard)", "κ of whole sets")


def test_the_axes_are_sorted_and_hold_a_share_once() -> None:
    found = ac.multilabel_study("percent", double=[1, 0, 1], agreement=0.9, datasets=2)
    assert found.double == (0.0, 1.0)
    assert found.agreement == (0.9,)


def test_certain_agreement_is_undefined_with_a_reason() -> None:
    found = ac.multilabel_study(
        "boot_match", categories=2, double=[0.5, 1], agreement=[1], datasets=5, seed=1
    )
    half, both = found
    assert half.undefined is None
    assert math.isnan(both.value)
    assert both.undefined == "agreement is certain by chance in every data set"
    assert both.n_undefined == 5
    assert json.loads(found.to_json())[1]["value"] is None


def test_the_signature(study: MultilabelStudy) -> None:
    assert "60 data sets, 100 items, 2 coders, 5 categories, equally likely" in study.signature
    assert study.signature.endswith("seed 3")
    skewed = ac.multilabel_study(
        "percent", entropy=0.5, method="simulation", datasets=2, double=[0], agreement=[1]
    )
    assert "entropy 0.500 bits, chance by 100 simulations" in skewed.design


@pytest.mark.parametrize(
    "options, message",
    [
        ({"measures": "boot_mach"}, "did you mean 'boot_match'"),
        ({"measures": []}, "no measure"),
        ({"double": [0.5, 1.5]}, "the share of double labels must lie between 0 and 1"),
        ({"double": []}, "double is empty"),
        (
            {"agreement": ["high"]},
            "agreement: a number, or a list|agreement: a list of numbers|agreement: a number or a list",
        ),
        ({"datasets": 0}, "datasets: 1 or more"),
        ({"method": "monte carlo"}, "choose from exact, simulation"),
        ({"method": "simulation", "simulations": 1}, "simulations: 2 or more"),
        ({"cores": 0}, "cores: 1 or more"),
        ({"categories": 3}, "need 4 categories"),
        ({"seed": -1}, "seed: 0 or more|seed must be"),
    ],
)
def test_one_clear_message(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        ac.multilabel_study(**options)
