"""JSON texts in blocks: the same values and lines wherever a block ends."""

from __future__ import annotations

import json
import re
from io import BytesIO
from typing import Any

import pytest

from accordant.data.formats.json_stream import blocks_of, values_of
from accordant.errors import InputError

VALUES = [{"a": 'ü "😊" \\n', "b": [1, 2.5e-3, None]}, 12, "x\ny", {}, [True]]
TEXTS = {
    "list": (json.dumps(VALUES, indent=1), [2, 10, 11, 12, 13]),
    "list in a line": (json.dumps(VALUES, ensure_ascii=False), [1] * 5),
    "lines": ("\n".join(map(json.dumps, VALUES[:4])) + "\n\n", [1, 2, 3, 4]),
    "one object": ('\n{"a":\n 1}', [2]),
    "nothing": (" \n", []),
    "no member": ("[ ]", []),
}


@pytest.mark.parametrize("case", TEXTS)
@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_values_are_the_same_in_blocks_of_any_size(case: str, size: int) -> None:
    text, lines = TEXTS[case]
    blocks = (text[k : k + size] for k in range(0, len(text), size))
    found = list(values_of(blocks, "a.json"))
    wanted: list[Any] = {"one object": [{"a": 1}], "lines": VALUES[:4]}.get(case, VALUES)
    assert found == list(zip(lines, wanted, strict=False))


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a": 1},\n{"a" 1}]', r"row 2: the file is not JSON \(Expecting ':' delimiter\)"),
        ('{"a": 1}\n{"a": [1,\n', "row 2: the file is not JSON"),
        ("[1, 2,, 3]", "row 1: the file is not JSON"),
        ("[" * 200_000, "too many brackets inside one another"),
    ],
)
def test_where_it_is_no_json(text: str, message: str, size: int) -> None:
    size = max(size, len(text) // 100)
    blocks = (text[k : k + size] for k in range(0, len(text), size))
    with pytest.raises(InputError, match=message):
        list(values_of(blocks, "a.json"))


@pytest.mark.parametrize("content", ["é".encode("latin-1"), b"a\0b", "é".encode()[:1]])
def test_only_utf8_comes_in_blocks(content: bytes) -> None:
    assert blocks_of(BytesIO(content)) is None


def test_the_mark_of_utf8_is_no_part_of_the_text() -> None:
    blocks = blocks_of(BytesIO("\ufeff[1]".encode()))
    assert blocks is not None
    assert re.fullmatch(r"\[1\]", "".join(blocks))
