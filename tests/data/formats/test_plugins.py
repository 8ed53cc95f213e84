"""The format on the page about formats of your own, installed as its package would be."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from accordant import InputError, read
from accordant.data.formats import format as registry
from accordant.data.write import write

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "plugins.md"
LOG = "# annotation log\n1 | Anna = yes\n1 | Ben = no\n2 | Anna = no\n2 | Ben = \nnoise\n"


def install(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = re.search(r"```toml\n\[project\.entry-points\.\"(.+)\"\]\n(.+?)\n```", PAGE.read_text())
    assert entry is not None
    info = folder / "accordant_log-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: accordant-log\nVersion: 1.0\n")
    value = entry[2].replace('"', "")
    (info / "entry_points.txt").write_text(f"[{entry[1]}]\n{value}\n")
    (folder / "accordant_log.py").write_text(code)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "accordant_log", raising=False)
    registry._added.cache_clear()


@pytest.fixture(autouse=True)
def _forgotten() -> Iterator[None]:
    yield
    registry._added.cache_clear()


def example() -> str:
    found = re.search(r"<!-- file: accordant_log\.py -->\n```py\n(.+?)```", PAGE.read_text(), re.S)
    assert found is not None
    assert found[1].count("\n") <= 45
    return found[1]


def test_the_example_reads_and_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, example(), monkeypatch)
    (tmp_path / "a.log").write_text(LOG)
    data = read(tmp_path / "a.log")
    assert data.reading.layout == "annotation log"
    assert (data.coders, len(data), data.items) == (("Anna", "Ben"), 3, ("1", "2"))
    assert data.reading.left_out == (("lines that are no annotations", 1),)
    assert write(data, tmp_path / "b.log", "log") == ()
    again = read(tmp_path / "b.log")
    assert [(r["item"], r["coder"], r["label"]) for r in again.to_rows()] == [
        (r["item"], r["coder"], r["label"]) for r in data.to_rows()
    ]
    (tmp_path / "a.log").write_text("# annotation log\n")
    with pytest.raises(InputError, match="a.log"):
        read(tmp_path / "a.log")


@pytest.mark.parametrize(
    ("code", "message"),
    [("import no_such_module", "cannot be loaded"), ("FORMAT = 3", "is no Format")],
)
def test_a_package_that_does_not_work_is_named(
    code: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, code, monkeypatch)
    (tmp_path / "a.csv").write_text("item,A,B\n1,x,y\n2,x,x\n")
    with pytest.raises(
        InputError, match=f"'log' of the installed package 'accordant-log' {message}"
    ):
        read(tmp_path / "a.csv")
