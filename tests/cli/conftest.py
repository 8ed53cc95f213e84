"""A command line in the same process, a small file, and what a command printed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from accordant.cli.main import cli

RATINGS = """\
item,coder,label
1,anna,yes
1,bob,yes
1,cleo,yes
2,anna,no
2,bob,no
2,cleo,yes
3,anna,yes
3,bob,
3,cleo,no
4,anna,unsure
4,bob,unsure
4,cleo,unsure
5,anna,no
5,bob,no
5,cleo,no
6,anna,yes
6,bob,yes
6,cleo,no
"""

WIDE = "item,anna,bob\n" + "".join(
    f"{i},{a},{b}\n"
    for i, (a, b) in enumerate(
        [("low", "low"), ("mid", "low"), ("high", "high"), ("mid", "mid"), ("high", "mid")]
    )
)

TWO_QUESTIONS = "item,question,coder,label\n" + "".join(
    f"{i},{q},{c},{label}\n"
    for i in range(1, 5)
    for q, labels in (("tone", "+-"), ("topic", "aa"))
    for c, label in (("anna", labels[i % 2]), ("bob", labels[i // 4 if q == "tone" else 0]))
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder with ratings.csv, wide.csv, questions.csv, round2.csv,
    anna.csv and bob.csv."""
    monkeypatch.chdir(tmp_path)
    for name in [n for n in os.environ if n.startswith("ACCORDANT_")]:
        monkeypatch.delenv(name)
    (tmp_path / "ratings.csv").write_text(RATINGS)
    (tmp_path / "wide.csv").write_text(WIDE)
    (tmp_path / "questions.csv").write_text(TWO_QUESTIONS)
    (tmp_path / "round2.csv").write_text(RATINGS.replace("2,cleo,yes", "2,cleo,no"))
    for k, name in enumerate(("anna", "bob")):
        rows = [line.split(",") for line in WIDE.splitlines()[1:]]
        cells = [f"{row[0]},{row[1 + k]}\n" for row in rows]
        (tmp_path / f"{name}.csv").write_text("item,label\n" + "".join(cells))
    return tmp_path


@pytest.fixture
def run(folder: Path) -> Callable[..., Result]:
    """Run `accordant` with words in the folder: run("agreement", "ratings.csv")."""

    def invoke(*words: str, **settings: object) -> Result:
        return CliRunner().invoke(cli, list(words), prog_name="accordant", **settings)  # type: ignore[arg-type]

    return invoke
