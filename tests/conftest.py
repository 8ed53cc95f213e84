"""What all tests share: repeatable random examples, what a machine may lack, the browser."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from resolution.store import cluster

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("ACCORDANT_DATA") or ROOT.parent / "shared" / "data")
CHROMIUM = "/usr/bin/chromium"


def chromium_path() -> str | None:
    """Where the system's browser is, if there is one."""
    return CHROMIUM if Path(CHROMIUM).exists() else shutil.which("chromium")


def peer_python(name: str) -> Path:
    """The interpreter of a peer that has an environment of its own: `make irrcac`."""
    return ROOT / f".venv-{name}" / "bin" / "python"


ABSENT = {
    "real_data": "" if DATA.exists() else f"no real data sets at {DATA} (set ACCORDANT_DATA)",
    "chromium": "" if chromium_path() else "no Chromium (apt-get install chromium)",
    "cluster": (why := cluster.missing()) and f"{why} (apt-get install postgresql)",
    "irrcac": "" if peer_python("irrcac").exists() else "no irrCAC (make irrcac)",
    "crowdkit": "" if peer_python("crowdkit").exists() else "no crowd-kit (make crowdkit)",
}
"""What a machine may lack: a fixture or the name in `pytest.mark.needs` -> why, or nothing."""

LEFT_OUT = pytest.StashKey[dict[str, int]]()


def lacking(item: pytest.Item) -> str:
    """The first thing that this test needs and the machine lacks."""
    needs = {*getattr(item, "fixturenames", ()), *(m.args[0] for m in item.iter_markers("needs"))}
    return next((why for name, why in ABSENT.items() if why and name in needs), "")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write the golden pages anew")
    parser.addoption("--everything", action="store_true", help="the long version of some tests")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what cannot run here: one line for each reason, no skip for each test."""
    reasons = [lacking(item) for item in items]
    config.stash[LEFT_OUT] = dict(Counter(filter(None, reasons)))
    config.hook.pytest_deselected(items=[x for x, why in zip(items, reasons) if why])
    items[:] = [x for x, why in zip(items, reasons) if not why]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A process of pytest-xdist tells the one that prints."""
    output: dict[str, Any] = getattr(session.config, "workeroutput", {})
    output["left_out"] = session.config.stash.get(LEFT_OUT, {})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every process has collected the same."""
    if left_out := getattr(node, "workeroutput", {}).get("left_out"):
        node.config.stash[LEFT_OUT] = left_out


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for why, n in config.stash.get(LEFT_OUT, {}).items():
        terminalreporter.write_line(f"NOT tested ({n}): {why}", yellow=True)


# The same examples on every machine and every run; `explore` draws new ones, and more of them.
settings.register_profile(
    "repeatable", derandomize=True, database=None, deadline=None, max_examples=100
)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def real_data() -> Callable[[str], Path]:
    """The path of a real data set: `real_data("bjhp")`, `real_data("bjhp/some/file.csv")`."""

    def path(name: str) -> Path:
        wanted = DATA / name
        if not wanted.exists():
            raise FileNotFoundError(f"{wanted}: only a part of the real data sets is there")
        return wanted

    return path


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the system's Chromium; nothing is downloaded."""
    found = chromium_path()
    assert found
    return found


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Any]:
    """A headless browser (playwright); open pages with `browser.new_context(offline=True)`."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield running
        running.close()
