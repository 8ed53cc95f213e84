"""The bundled examples."""

from __future__ import annotations

import pytest

from accordant import RequestError
from accordant.data import examples


@pytest.mark.parametrize("name", examples.names())
def test_every_example_is_read(name: str) -> None:
    data = examples.load(name)
    assert len(data) > 30 or name == "marchal2022_table1"
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


def test_label_sets() -> None:
    table = examples.load("marchal2022_table1")
    labels = [r["label"] for r in table.to_rows()]
    assert labels == [("A",), ("A", "B"), ("A", "B"), ("B", "C"), ("A", "B"), ("A", "B")]
    case = examples.load("marchal2022_case")
    assert (len(case.items), len(case.scheme.categories)) == (884, 19)
    doubles = [
        sum(len(r["label"]) == 2 for r in case.to_rows() if r["coder"] == c) for c in case.coders
    ]
    assert doubles == [101, 579]
    assert "not the annotations of the authors" in examples.about("marchal2022_case").source


def test_simulated_crowd() -> None:
    data, models = examples.load("crowd"), examples.load("crowd_models")
    assert (len(data.items), len(data.coders), len(data)) == (150, 10, 1350)
    truth, gold = data.metadata["truth"], data.metadata["gold"]
    assert sum(x in data.values for x in gold) == 30
    assert all(a == b for a, b in zip(truth, gold, strict=True) if b in data.values)
    right = dict.fromkeys(models.coders, 0)
    for row in models.to_rows():
        right[row["coder"]] += row["label"] == truth[list(data.items).index(row["item"])]
    assert right == {"model A": 131, "model B": 114}


def test_unknown_example() -> None:
    with pytest.raises(RequestError, match="did you mean 'visitors'"):
        examples.load("visitor")
