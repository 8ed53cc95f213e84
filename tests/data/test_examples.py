"""The bundled examples."""

from __future__ import annotations

import csv

import pytest

from accordant.data import examples
from accordant.data.examples import make_visitors
from accordant.errors import RequestError


@pytest.mark.parametrize("name", examples.names())
def test_every_example_is_read(name: str) -> None:
    data = examples.load(name)
    assert len(data) > 30
    assert examples.about(name).what
    assert examples.about(name).source


def test_tables() -> None:
    table = examples.load("hoek2017_table5")
    assert table.coders == ("Coder B", "Coder A")
    assert (len(table.items), table.values) == (120, (1, 2))
    assert examples.load("krippendorff2011").statuses() == {"answered": 41, "not assigned": 7}


def test_visitors() -> None:
    data = examples.load("visitors")
    assert (len(data.items), data.questions) == (120, ("topic", "mood"))
    assert [s.scale for s in data.schemes] == ["nominal", "ordinal"]
    assert data.texts is not None
    assert len(set(data.texts)) == 120
    with examples.path("visitors").open(encoding="utf-8", newline="") as f:
        assert list(csv.DictReader(f)) == make_visitors.rows()


def test_unknown_example() -> None:
    with pytest.raises(RequestError, match="did you mean 'visitors'"):
        examples.load("visitor")
