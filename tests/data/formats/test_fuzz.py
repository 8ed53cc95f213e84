"""Fifty damaged files for each reader; `python -m data.formats.fuzz` tries ten thousand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from data.formats import fuzz


@pytest.mark.parametrize("reader", fuzz.SEEDS)
def test_damaged_files_give_annotations_or_an_error_of_ours(
    reader: str, real_data: Callable[[str], Path]
) -> None:
    found = Counter(fuzz.outcome(reader, k) for k in range(50))
    assert set(found) <= {"read", "refused"}
    assert found["read"]  # else nothing but the first look at the file would be tried
    assert found["refused"]


def test_every_format_is_tried() -> None:
    from accordant.data.formats.format import BUILT_IN

    assert set(BUILT_IN) <= set(fuzz.SEEDS)
