"""What all tests share: repeatable random examples, the real data sets, the browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
CHROMIUM = "/usr/bin/chromium"

# The same examples on every machine and every run; `explore` draws new ones.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], Path]:
    """The path of a real data set: `real_data("bjhp")`, `real_data("bjhp/some/file.csv")`.

    Looks in the folder that ACCORDANT_DATA names, else in ../shared/data beside the repository.
    The test is skipped, with the path that was tried, where the data are absent.
    """
    default = ROOT.parent / "shared" / "data"
    folder = Path(os.environ.get("ACCORDANT_DATA") or default)

    def path(name: str) -> Path:
        wanted = folder / name
        if not wanted.exists():
            pytest.skip(f"real data sets not found at {wanted} (set ACCORDANT_DATA)")
        return wanted

    return path


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium; nothing is downloaded."""
    found = CHROMIUM if Path(CHROMIUM).exists() else shutil.which("chromium")
    if found is None:
        pytest.skip(f"no browser at {CHROMIUM}: pages were NOT tested (apt-get install chromium)")
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    """A headless browser (playwright); open pages with `browser.new_context(offline=True)`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()
