"""The one table of fields: a key has one meaning, and a value looks the same everywhere."""

from __future__ import annotations

import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import accordant
from accordant.fields import FIELDS, cell, columns, shown, telling
from accordant.numbers import tied
from accordant.views.blocks import Table

SOURCE = Path(accordant.__file__).parent


def test_a_key_is_described_once() -> None:
    text = "\n".join(p.read_text(encoding="utf-8") for p in SOURCE.glob("field*.py"))
    keys = Counter(re.findall(r'^\s+Field\(\s*"(\w+)"|, Field\("(\w+)"', text, re.MULTILINE))
    named = Counter(key for pair, n in keys.items() for key in pair if key for _ in range(n))
    assert not [key for key, n in named.items() if n > 1]
    assert named.keys() <= FIELDS.keys()


def test_ends_of_intervals_are_no_keys_of_their_own() -> None:
    for field in FIELDS.values():
        assert (field.kind == "interval") == (len(field.ends) == 2), field.key
        assert not field.of or field.of in FIELDS, field.key


@pytest.mark.parametrize("key, value, text", [
    ("observed", 0.84612, "0.846"),
    ("observed", -0.02, "−0.020"),
    ("observed", math.nan, "—"),
    ("n_items", 1234, "1,234"),
    ("p_value", 0.0004, "< 0.001"),
    ("p_value", 0.0123, "0.012"),
    ("interval", (0.1, 0.25), "[0.100, 0.250]"),
    ("coders", ["Ada", "Bea"], "Ada and Bea"),
])  # fmt: skip
def test_digits_follow_the_kind(key: str, value: object, text: str) -> None:
    assert shown(key, value) == text


def test_a_row_without_the_key_has_an_empty_cell() -> None:
    value, interval = columns("value interval")
    assert cell(value, {"other": 1}) == ""
    assert cell(interval, {"low": 0.5, "high": 0.75}) == "[0.500, 0.750]"


def test_a_column_without_a_word_is_left_out_with_what_belongs_to_it() -> None:
    keys = columns("coder overused overuse note n_items")
    silent = {"coder": "A", "overused": None, "overuse": float("nan"), "n_items": 0}
    told = {"coder": "B", "overused": "yes", "overuse": 2.0, "note": "new", "n_items": 0}
    assert [one.key for one in telling(keys, [silent])] == ["coder", "n_items"]
    assert telling(keys, [silent, told]) == keys
    assert telling(keys, []) == keys


def test_the_last_digits_of_a_sum_decide_no_order() -> None:
    """Processors add in another order: rows that are equal but for that stay as they were."""
    rows = [{"name": "first", "value": 0.3}, {"name": "second", "value": 0.1 + 0.2}]
    for by in ("value", "-value"):
        shown_rows = Table.of("name value", rows, by=by).rows
        assert [row["name"] for row in shown_rows] == ["first", "second"]
        assert [row["name"] for row in Table.of("name value", rows[::-1], by=by).rows] == [
            "second", "first",
        ]  # fmt: skip
    assert tied(np.array([0.3, 0.1 + 0.2])).argmax() == 0
    assert math.isnan(tied(math.nan))
