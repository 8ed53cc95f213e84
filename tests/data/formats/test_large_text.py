"""A text file of many megabytes is read as the same cells in Python are, and errors name its lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from accordant import InputError, read

N = 110_000
LABELS = ["joy", '"a ""b"", c"', " fear ", ""]


def rows() -> list[tuple[str, str, str]]:
    return [
        (f"document number {k}", coder, LABELS[(k + n * (k % 3)) % 4])
        for k in range(N)
        for n, coder in enumerate(("Ann", "Bob", "Cem"))
    ]


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("large") / "data.csv"
    lines = [",".join(row) for row in rows()]
    lines[7:7] = ["", ",,"]
    path.write_text("\n".join(["item,coder,label", *lines, ""]), encoding="utf-8")
    assert path.stat().st_size > 9_000_000
    return path


def test_it_is_read_as_its_cells_are(large: Path) -> None:
    data = read(large)
    plain = {"joy": "joy", LABELS[1]: 'a "b", c', " fear ": "fear", "": None}
    item, coder, label = zip(*rows(), strict=True)
    same = read({"item": item, "coder": coder, "label": [plain[x] for x in label]})
    assert data.fingerprint == same.fingerprint
    assert data.coders == ("Ann", "Bob", "Cem")


def test_errors_name_the_line(large: Path, tmp_path: Path) -> None:
    path = tmp_path / "twice.csv"
    path.write_text(large.read_text() + "document number 0,Bob,fear\n")
    with pytest.raises(InputError, match=rf"row {3 * N + 4}\b.*'Bob' annotated item"):
        read(path)
    path.write_text(large.read_text() + "one,two\n")
    with pytest.raises(InputError, match=rf"row {3 * N + 4}\b.*the row has 2 cells"):
        read(path)
