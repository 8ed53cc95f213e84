"""Files are written whole or not at all; the format follows the name."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from accordant import RequestError
from accordant.data.atomic_file import save, write

Run = Callable[..., Result]


@pytest.mark.parametrize(
    "name, starts",
    [
        ("out.json", "["),
        ("out.csv", "question,"),
        ("out.txt", "\n  6 items"),
        ("out.md", "|"),
        ("out.tex", "\\begin"),
    ],
)
def test_the_name_says_the_format(run: Run, folder: Path, name: str, starts: str) -> None:
    result = run("agreement", "ratings.csv", "-o", name)
    assert result.exit_code == 0, result.stderr
    assert result.stdout == ""
    assert f"written to {name}" in result.stderr
    assert starts in (folder / name).read_text("utf-8")


@pytest.mark.parametrize("command", ["agreement", "fit", "soft", "describe", "diagnose"])
def test_no_text_under_the_name_of_a_page(run: Run, folder: Path, command: str) -> None:
    for name in ("out.html", "out.pdf", "out.doc"):
        result = run(command, "ratings.csv", "-o", name)
        assert result.exit_code == 2
        assert ".csv, .md, .tex" in result.stderr
        assert "accordant report" in " ".join(result.stderr.split())
        assert not (folder / name).exists()


def test_an_explicit_format_wins(run: Run, folder: Path) -> None:
    run("agreement", "ratings.csv", "-o", "out.txt", "-f", "json")
    assert json.loads((folder / "out.txt").read_text("utf-8"))


@pytest.mark.parametrize("command", ["agreement", "describe"])
@pytest.mark.parametrize("kind", ["table", "json", "csv", "md", "latex"])
def test_what_is_printed_is_what_is_written(
    run: Run, folder: Path, command: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    printed = run(command, "ratings.csv", "-f", kind)
    assert printed.exit_code == 0, printed.stderr
    run(command, "ratings.csv", "-f", kind, "-o", "out")
    assert (folder / "out").read_text("utf-8") == printed.stdout


def test_a_failed_write_leaves_the_old_file(folder: Path) -> None:
    target = folder / "out.txt"
    target.write_text("old")

    def fail(path: Path) -> None:
        path.write_text("half")
        raise OSError("disk full")

    with pytest.raises(RequestError, match="disk full"):
        save(target, fail)
    assert target.read_text() == "old"
    assert [name for name in os.listdir(folder) if name.startswith(".")] == []


def test_a_new_file_has_the_usual_permissions(folder: Path) -> None:
    write(folder / "ours.txt", "x")
    (folder / "usual.txt").write_text("x")
    modes = {stat.S_IMODE((folder / n).stat().st_mode) for n in ("ours.txt", "usual.txt")}
    assert len(modes) == 1


def test_unwritable_targets_are_refused_at_once(folder: Path) -> None:
    with pytest.raises(RequestError, match="it is a folder"):
        write(folder, "x")
