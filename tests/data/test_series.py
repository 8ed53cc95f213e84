"""Series, masked arrays and arrays that may lie on their side."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import accordant as ac

FIRST, SECOND = ["a", "b", "a", None, "b"], ["a", "b", "b", "a", "b"]
EXPECTED = ac.read([FIRST, SECOND])


@pytest.mark.parametrize("made", [pd.Series, pl.Series, list, tuple, lambda x: np.array(x, object)])
@pytest.mark.parametrize("together", [list, tuple])
def test_two_sequences(made: Any, together: Any) -> None:
    first, second = made(FIRST), made(SECOND)
    if made is tuple and together is list:  # records of a row each
        first, second = [*first], [*second]
    assert ac.read(together([first, second])).fingerprint == EXPECTED.fingerprint
    rows = ac.agreement(first, second, interval="none")
    assert rows["alpha"].value == ac.agreement(EXPECTED, interval="none")["alpha"].value
    assert [r.coefficient for r in ac.agreement((first, second), "alpha", interval="none")] == [
        "alpha"
    ]


def test_the_index_of_series_names_the_items() -> None:
    first = pd.Series(FIRST, ["p", "q", "r", "s", "t"], name="Ann")
    second = pd.Series(SECOND, ["p", "q", "r", "s", "t"], name="Bob")
    data = ac.read((first, second.iloc[::-1]))
    assert (data.items, data.coders) == (("p", "q", "r", "s", "t"), ("Ann", "Bob"))
    assert data.to_frame("wide")["Bob"].tolist() == SECOND
    assert ac.read((first, second), coder=["X", "Y"]).coders == ("X", "Y")
    assert len(ac.read((first, second.iloc[2:]))) == 7
    with pytest.raises(ac.InputError, match="names an item twice"):
        ac.read((first, pd.concat([second, second])))
    with pytest.raises(ac.RequestError, match="3 names were given for 2 sequences"):
        ac.read((first, second), coder=["X", "Y", "Z"])


def test_two_data_sets_are_no_data_set() -> None:
    one = (pd.Series(FIRST), pd.Series(SECOND))
    with pytest.raises(ac.InputError, match="several data sets"):
        ac.read((one, one))
    with pytest.raises(ac.RequestError, match="two data sets are given"):
        ac.agreement(one, one)
    with pytest.raises(ac.RequestError, match="coefficients: .*not 3"):
        ac.agreement(one, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [int, float, str, object])
def test_masked_cells_are_missing(kind: Any) -> None:
    cells = np.array([[1, 2, 3, 1], [1, 2, 2, 1]]).astype(kind)
    masked = np.ma.array(cells, mask=[[0, 0, 1, 0], [0, 1, 0, 0]])
    data = ac.read(masked)
    assert (len(data), data.reading.blanks, len(data.values)) == (6, 2, 2)
    again = ac.read(masked.T, layout="wide")
    assert again.fingerprint == data.fingerprint
    assert cells[0, 2] == np.array([3]).astype(kind)[0]
