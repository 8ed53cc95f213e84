"""What may be asked for: anything else is refused before any work is done."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from accordant import RequestError
from accordant.inference.settings import Settings

NAN, INF = math.nan, math.inf


@pytest.mark.parametrize(
    "wrong",
    [
        {"method": "magic"},
        {"method": None},
        {"alternative": "more"},
        {"alternative": 1},
        {"level": 95},
        {"level": 0},
        {"level": 1},
        {"level": "95%"},
        {"level": NAN},
        {"level": None},
        {"level": True},
        {"null": NAN},
        {"null": INF},
        {"null": "0.8"},
        {"n_resamples": 1},
        {"n_resamples": 99.5},
        {"n_resamples": "many"},
        {"n_resamples": True},
        {"population": 0},
        {"population": -5},
        {"population": NAN},
        {"population": "100"},
        {"sampled_coders": True, "coder_population": 0},
        {"sampled_coders": True, "coder_population": -1},
        {"sampled_coders": True, "coder_population": NAN},
        {"coder_population": 10},
        {"rng": "seed"},
        {"rng": -1},
        {"rng": 1.5},
        {"rng": "a seed"},
    ],
    ids=str,
)
def test_bad_settings_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(RequestError):
        Settings(**wrong)


@pytest.mark.parametrize("endless", [None, INF])
def test_no_end_to_items_or_coders(endless: float | None) -> None:
    found = Settings(population=endless, coder_population=endless)  # type: ignore[arg-type]
    assert (found.population, found.coder_population) == (INF, INF)


def test_numbers_of_numpy_are_numbers() -> None:
    found = Settings(
        "bootstrap", np.float64(0.9), np.float32(0.5), n_resamples=np.int64(100), rng=np.int64(3)
    )  # type: ignore[arg-type]
    assert found.seed == 3
    assert isinstance(found.seed, int)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
def test_a_seed_is_drawn_and_known(method: Any) -> None:
    one, two = Settings(method), Settings(method)
    assert one.seed is not None
    assert 0 <= one.seed < 2**32
    assert one.rng == one.seed != two.seed
    assert Settings(method, rng=one.seed) == one


def test_without_resamples_there_is_no_seed() -> None:
    assert Settings().seed is None
    assert Settings() == Settings()
    generator = np.random.default_rng(1)
    assert Settings("bootstrap", rng=generator).seed is None
