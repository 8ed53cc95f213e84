"""CrowdTruth 2.0: the values that its authors' program gives, on its own test files and tutorials."""

from __future__ import annotations

import csv
import string
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import published

FLOOR = 1e-8


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
        off += differences(found.items, found.item_quality, value["uqs"])
        off += differences(found.items, found.first.item, value["uqs_initial"])
        off += differences(found.coders, found.coder_quality, value["wqs"])
        off += differences(found.coders, found.first.coder, value["wqs_initial"])
        off += differences(found.coders, found.agreement_with_coders, value["wwa"])
        off += differences(found.coders, found.agreement_with_items, value["wsa"])
        if task == "closed":
            off += differences(found.categories, found.category_quality, value["aqs"])
        else:
            assert np.isnan(found.category_quality).all()
        for item, scores in value["uas"].items():
            row = found.item_category[list(map(str, found.items)).index(item)]
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
    assert found.item_quality.mean() == pytest.approx(value["uqs_mean"], **near)
    assert np.median(found.item_quality) == pytest.approx(value["uqs_median"], **near)
    assert found.coder_quality.mean() == pytest.approx(value["wqs_mean"], **near)
    assert np.median(found.coder_quality) == pytest.approx(value["wqs_median"], **near)
    assert found.coder_quality.min() == pytest.approx(value["wqs_min"], **near)
    assert found.coder_quality.max() == pytest.approx(value["wqs_max"], **near)
    assert max(differences(found.items, found.item_quality, value["uqs_first5"])) < entry["tol"]
    assert max(differences(found.categories, found.category_quality, value["aqs"])) < entry["tol"]


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
    assert found.item_quality.mean() == pytest.approx(value["uqs_mean"], **near)
    assert np.median(found.item_quality) == pytest.approx(value["uqs_median"], **near)
    assert found.coder_quality.mean() == pytest.approx(value["wqs_mean"], **near)
    assert found.coder_quality.min() == pytest.approx(value["wqs_min"], **near)
    assert found.coder_quality.max() == pytest.approx(value["wqs_max"], **near)
    category = dict(zip(map(str, found.categories), found.category_quality.tolist(), strict=True))
    for ours, theirs in names.items():
        assert category[ours] == pytest.approx(value["aqs"][theirs], **near)
    with real_data(f"crowd/{name}.gold.csv").open() as file:
        truth = {row["item"]: row["gold"] for row in csv.DictReader(file)}
    right = np.array([truth[str(item)] == positive for item in found.items])
    score = found.item_category[:, list(map(str, found.categories)).index(positive)]
    assert np.mean((score >= 0.5) == right) == pytest.approx(value["acc05"], abs=1e-9)
    assert f1(score >= 0.5, right) == pytest.approx(value["F1"], abs=1e-9)
    assert f1(score >= value["best_th"], right) == pytest.approx(value["bestF1"], abs=1e-9)


def f1(said: Any, true: Any) -> float:
    """Of the positive category."""
    return 2 * np.sum(said & true) / (said.sum() + true.sum())
