"""One to three items, coders and categories: every public call answers, or raises our error."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.errors import AccordantError
from accordant.models.call import MODELS
from accordant.models.priors import learned, strength_of


def grids() -> list[Any]:
    """Coders × items, numbers as labels; some with an annotation missing."""
    out: list[Any] = []
    for n_items, n_coders, k in product((1, 2, 3), repeat=3):
        at = np.arange(n_items * n_coders).reshape(n_coders, n_items)
        full = (at**2 // 2) % k + 1.0
        holed = full.copy()
        holed[0, 0] = np.nan
        out += [at % k + 1.0, full, holed]
    return out


def ordered(model: str) -> dict[str, Any]:
    """What a model needs beside the annotations."""
    return {"scale": "ordinal"} if model == "ordinal" else {}


GOLD = {1: 1, 2: 1, 3: 1}
CALLS: dict[str, Callable[[Any], Any]] = {
    "opinions": ac.soft_labels,
    "beliefs": lambda grid: ac.soft_labels(grid, of="belief"),
    "coders": ac.coders,
    "which_model": ac.which_model,
    "crowdtruth": ac.crowdtruth,
    "model_as_coder": lambda grid: ac.model_as_coder(grid, "coder 1"),
    "checks": lambda grid: ac.fit(grid).checks(20),
    "coverage": lambda grid: ac.fit(grid).coverage(),
    "keep": lambda grid: ac.fit(grid).keep(share=0.5),
    "calibration": lambda grid: ac.fit(grid).calibration(GOLD),
    "scores": lambda grid: ac.fit(grid).scores(GOLD),
    "coder_scores": lambda grid: ac.fit(grid).coder_scores(GOLD),
    "with gold": lambda grid: ac.fit(grid, gold={1: 1}),
}


def answers(call: Callable[[Any], Any]) -> list[Any]:
    """What a call says of every grid that it does not refuse; any other exception ends the test."""
    found = []
    for grid in grids():
        with suppress(AccordantError):
            found.append(call(grid))
    return found


@pytest.mark.parametrize("name", CALLS)
def test_every_call_answers_or_raises_our_error(name: str) -> None:
    found = answers(CALLS[name])
    assert found
    assert all(str(x) for x in found)


@pytest.mark.parametrize("model", MODELS)
def test_a_fit_is_undefined_only_with_a_reason(model: str) -> None:
    for found in answers(lambda grid: ac.fit(grid, model, **ordered(model))):
        assert str(found)
        rows = [*found.to_rows(), *found.coder_rows()]
        undefined = [k for row in rows for k, x in row.items() if x is not x]
        if {"confidence", "low"} & {*undefined}:
            assert found.withheld
            assert {f.code for f in found.findings} & {"nothing_to_learn", "not_identified"}
        if found.withheld and found.model.probabilistic:
            assert math.isnan(found.confidence[0])


def test_annotations_without_weight_say_nothing_of_a_strength() -> None:
    alike = np.array([[[8.0, 2.0], [2.0, 8.0]]] * 2)
    cells = learned(alike, 2.0)
    for counts in (np.zeros((2, 2, 2)), np.full((2, 2, 2), 1e-300), 1e-9 * alike):
        assert strength_of(counts, cells) == 2
