"""One golden page for each module of views: wording, order and digits in one place.

``pytest tests/views --update-golden`` writes them anew; read the difference before it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from accordant import Diagnosis, diagnose, read
from accordant.data import examples
from accordant.render.terminal import text
from accordant.views.document import Section
from planted import CODERS, planted

GOLDEN = Path(__file__).parent / "golden"
WIDTH = 100


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, Iterable[Section]], None]:
    """Compare sections with the page of a name: golden("coders", sections)."""

    def check(name: str, sections: Iterable[Section]) -> None:
        page, path = text(sections, width=WIDTH) + "\n", GOLDEN / f"{name}.txt"
        if request.config.getoption("--update-golden", default=False):
            path.write_text(page, encoding="utf-8")
        assert page == path.read_text(encoding="utf-8")

    return check


@pytest.fixture(scope="session")
def known() -> Diagnosis:
    """The diagnosis of data of which everything can be known."""
    return diagnose(read(planted(), coder=list(CODERS)))


@pytest.fixture(scope="session")
def sets() -> Diagnosis:
    """The case study of Marchal et al. (2022): two coders, one or two labels."""
    return diagnose(read(examples.path("marchal2022_case"), separator=";"))
