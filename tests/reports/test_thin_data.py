"""Data that lack something: a report says what there is to say, in every format."""

from __future__ import annotations

from typing import Any

import pytest

from accordant.views.document import Table
from accordant.views.report import Report, report


@pytest.mark.parametrize(
    "data, options",
    [
        ([["a", "b", "a", "c"]], {}),
        ([["a", "a", "a"], ["a", "a", "a"]], {}),
        ({"item": list("wxyz"), "a": [2, 0, 1, 3], "b": [1, 3, 2, 0]}, {"layout": "counts"}),
        ([["a", "b", None, None], [None, None, "a", "b"]], {}),
        ([["a,b", "", "a", "c"], ["b", "", "a,c", "c"]], {"separator": ","}),
        ([[1.5, 2.5, 9.0, 3.5], [1.0, 2.5, 7.5, 3.0]], {"scale": "interval"}),
    ],
    ids=["one coder", "undefined", "anonymous counts", "apart", "sets", "measurements"],
)
def test_what_is_lacking_is_no_failure(data: Any, options: Any, tmp_path: Any) -> None:
    found = report(data, **options)
    for suffix in Report.endings:
        assert found.save(tmp_path / f"r{suffix}").stat().st_size > 500
    for section in found.sections:
        for block in section.every_block():
            if isinstance(block, Table) and block.depth != "evidence":
                assert block.rows, (section.key, block.title)
