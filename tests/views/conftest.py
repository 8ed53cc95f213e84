"""One golden page for each module of views: wording, order and digits in one place.

``pytest tests/views --update-golden`` writes them anew; read the difference before it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant import read
from accordant.data import examples
from accordant.diagnosis.diagnose import Diagnosis, diagnose
from accordant.render.terminal import text
from accordant.views.document import Section

GOLDEN = Path(__file__).parent / "golden"
WIDTH = 100


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden pages anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Iterable[Section]], None]:
    """Compare sections with the page of a name: golden("coders", sections)."""

    def check(name: str, sections: Iterable[Section]) -> None:
        page, path = text(sections, width=WIDTH) + "\n", GOLDEN / f"{name}.txt"
        if request.config.getoption("--update-golden", default=False):
            path.write_text(page, encoding="utf-8")
        assert page == path.read_text(encoding="utf-8")

    return check


N = 240
CODERS = ("Ann", "Bob", "Cleo", "Dan")


def planted() -> dict[str, list[Any]]:
    """Four coders with metadata and repeated texts; two of them read "b" as "a"; poems are hard."""
    rng = np.random.default_rng(11)
    right = rng.integers(0, 4, N)
    poem = rng.random(N) < 0.4
    found: dict[str, list[Any]] = {
        "item": list(range(N)),
        "genre": ["poem" if p else "news" for p in poem],
        "day": [k // 20 for k in range(N)],
        "text": [f"text {k % 200}" for k in range(N)],
    }
    for c, name in enumerate(CODERS):
        said = np.where((right == 1) & (c > 1), 0, right)
        wrong = rng.random(N) < np.where(poem, 0.4, 0.04)
        said = np.where(wrong, rng.integers(0, 4, N), said)
        found[name] = ["abcd"[k] for k in said]
    return found


@pytest.fixture(scope="session")
def known() -> Diagnosis:
    """The diagnosis of data of which everything can be known."""
    return diagnose(read(planted(), coder=list(CODERS), text="text"), order="day")


@pytest.fixture(scope="session")
def sets() -> Diagnosis:
    """The case study of Marchal et al. (2022): two coders, one or two labels."""
    return diagnose(read(examples.path("marchal2022_case"), separator=";"))
