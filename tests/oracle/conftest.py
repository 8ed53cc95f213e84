"""Rows of the arrays that are compared with peers are coders, however few the items are."""

from __future__ import annotations

import pytest

from accordant.data import grid


@pytest.fixture(autouse=True)
def _rows_are_coders(monkeypatch: pytest.MonkeyPatch) -> None:
    told = grid._orientation

    def by_rows(shape, options):
        return told(shape, options) if options.layout is not None else (False, ())

    monkeypatch.setattr(grid, "_orientation", by_rows)
