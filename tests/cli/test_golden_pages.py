"""What commands print on bundled examples: wording, order and digits of pages, and rows as JSON.

``pytest tests/cli --update-golden`` writes them anew; read the difference before it is kept. Pages
are compared as text; numbers of rows within 1e-9, which no processor's last bits reach.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import accordant as ac

GOLDEN = Path(__file__).with_name("golden")
BUNDLED = Path(ac.__file__).parent / "data" / "examples"
SETS = "--separator ';' --seed 1"
PAGES = f"""\
describe visitors.csv
describe visitors.csv --show coders
describe visitors.csv --show labels
agreement visitors.csv
agreement visitors.csv --show benchmarks
agreement visitors.csv --show methods-paragraph
agreement artstein_poesio2008_table2.csv -c pi,kappa,alpha --interval bootstrap --seed 1
agreement hoek2017_table4.csv
agreement marchal2022_table1.csv {SETS}
agreement levi2022_neat.csv
diagnose visitors.csv
diagnose visitors.csv --show what-if
diagnose visitors.csv --show confusion
diagnose visitors.csv --show categories
diagnose visitors.csv --show coders
diagnose visitors.csv --show caveats
diagnose visitors.csv --gold Ada --show scores
diagnose slides_forge.csv
diagnose slides_exploit.csv
diagnose slides_command.csv
diagnose marchal2022_case.csv --separator ';'
decompose levi2022_neat.csv
decompose visitors.csv --label topic
fit crowd.csv
fit crowd.csv --show labels -n 12
fit crowd.csv --show coders
fit crowd.csv -m dawid_skene --show confusion
fit crowd.csv --truth truth --show scores
fit crowd.csv --show crowdtruth -n 12
fit dawid_skene1979.csv --duplicates keep --scale ordinal --categories 1,2,3,4
soft visitors.csv --label topic -n 12
compare hoek2017_table2.csv hoek2017_table3.csv --no-paired
plan --width 0.2 --agreement 0.6 --shares 0.7,0.3
coefficients alpha kappa ac1
models mace
"""
ROWS = f"""\
describe visitors.csv --show coders
agreement visitors.csv
agreement visitors.csv --label mood --scale ordinal --categories 1,2,3,4,5
agreement krippendorff2011.csv -c alpha --scale interval
agreement marchal2022_case.csv -c boot_match,boot_f1,alpha_masi {SETS}
diagnose visitors.csv --show findings
diagnose visitors.csv --show categories
diagnose visitors.csv --show pairs
diagnose slides_forge.csv --show findings
decompose levi2022_neat.csv --by "any label" --show partitions
fit crowd.csv --show coders
fit crowd.csv -m dawid_skene --show coders
fit crowd.csv -m mace --show coders
fit crowd.csv -m glad --show coders
fit crowd.csv --show prevalence
soft visitors.csv --label topic -n 12
compare hoek2017_table2.csv hoek2017_table3.csv --no-paired
plan --width 0.2 --agreement 0.6 --shares 0.7,0.3
"""


def path_of(line: str, suffix: str) -> Path:
    """The file that holds what a command line gives."""
    return GOLDEN / (re.sub(r"[^a-z0-9]+", "-", line.lower()).strip("-") + suffix)


@pytest.fixture
def printed(folder: Path, run: Callable[..., Result]) -> Callable[..., str]:
    """What a command line prints in a folder with the bundled examples."""

    def print_(line: str, *more: str) -> str:
        words = [*shlex.split(line), *more]
        for word in words:
            if word.endswith(".csv"):
                shutil.copy(BUNDLED / word, folder)
        result = run(*words, "-q", env={"COLUMNS": "100"})
        assert result.exit_code == 0, result.stderr
        return result.stdout

    return print_


def kept(found: str, path: Path, request: pytest.FixtureRequest) -> str:
    """What the file holds; it is written anew if that is asked for."""
    if request.config.getoption("--update-golden"):
        GOLDEN.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("line", PAGES.splitlines())
def test_page(line: str, printed: Callable[..., str], request: pytest.FixtureRequest) -> None:
    page = printed(line)
    assert page == kept(page, path_of(line, ".txt"), request)


@pytest.mark.parametrize("line", ROWS.splitlines())
def test_rows(line: str, printed: Callable[..., str], request: pytest.FixtureRequest) -> None:
    found = printed(line, "--format", "json")
    alike(json.loads(found), json.loads(kept(found, path_of(line, ".json"), request)))


def alike(found: Any, expected: Any, where: str = "") -> None:
    """Whether two values of JSON are the same but for the last bits of numbers."""
    if isinstance(expected, dict):
        assert list(found) == list(expected), where
        for key, value in expected.items():
            alike(found[key], value, f"{where}.{key}")
    elif isinstance(expected, list):
        assert len(found) == len(expected), where
        for k, value in enumerate(expected):
            alike(found[k], value, f"{where}[{k}]")
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12), where
    else:
        assert found == expected, where


def test_a_planted_difference_is_noticed() -> None:
    with pytest.raises(AssertionError, match="a"):
        alike([{"a": 0.1}], [{"a": 0.1001}])
