"""Files of annotation tools: read, or refused in one sentence that says what to do instead."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import InputError, read

EXPORTS: dict[str, tuple[str, Any, str]] = {
    "fasttext": ("a.txt", "__label__a one text\n__label__b another\n", "fastText"),
    "xml": ("a.xmi", '<?xml version="1.0"?>\n<a/>\n', "XML"),
    "yaml": ("a.yaml", "a: 1\nb: 2\n", "a configuration, not a table"),
    "markdown": ("README.md", "# Data\n\nOne, two, three\n", "Markdown"),
    "text": (
        "a.txt",
        "A title\nOne sentence, with commas, three of them\nTwo, and\n",
        "fewer than the 3 columns",
    ),
}


@pytest.mark.parametrize("case", EXPORTS)
def test_exports_that_are_not_read_yet(case: str, tmp_path: Path) -> None:
    name, content, message = EXPORTS[case]
    if name.endswith(".jsonl"):
        content = "".join(json.dumps(r) + "\n" for r in content)
    elif name.endswith(".json"):
        content = json.dumps(content)
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=f"{path.name}.*({message})"):
        read(path)


def test_an_archive_without_tables(tmp_path: Path) -> None:
    path = tmp_path / "project.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("annotations/a.xmi", '<?xml version="1.0"?>\n<a/>\n')
    with pytest.raises(InputError, match=r"project\.zip: a\.xmi: this looks like XML"):
        read(path)


# ------------------------------------------------------------------ lists and objects in cells

PRODIGY = [
    {"_input_hash": i, "_task_hash": i, "_annotator_id": c, "accept": [x], "options": [{"id": "a"}]}
    for i, x in ((1, "a"), (2, "b"))
    for c in ("Ann", "Bob")
]


def test_a_user_who_says_what_is_what_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in PRODIGY))
    data = read(path, item="_input_hash", coder="_annotator_id", label="accept")
    assert (data.coders, data.values, len(data)) == (("Ann", "Bob"), ("a", "b"), 4)


@pytest.mark.parametrize(
    "cell", [{"a": 1}, [{"a": 1}], [[1, "x"]], [1, [2]], ({"s"},), {"x": {1, 2}}]
)
def test_anything_in_a_cell_beside_the_labels_is_a_fact(cell: Any) -> None:
    rows = [
        {"item": i, "coder": c, "label": x, "meta": cell}
        for i, c, x in ((1, "A", "x"), (1, "B", "x"), (2, "A", "y"), (2, "B", "x"))
    ]
    data = read(rows)
    assert data.values == ("x", "y")
    assert [name.split(".")[0] for name in data.metadata] == ["meta"]
