"""Frames of pandas, polars and arrow: the same annotations whichever way they come."""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from accordant import read

WORDS = np.array(["b", "a", "c"])
RNG = np.random.default_rng(3)
CODES = RNG.integers(0, 3, (4, 50))
NAMES = ["Ann", "Bob", "Cy", "Di"]
TEXT = {n: WORDS[c].tolist() for n, c in zip(NAMES, CODES)}
FRAMES = {
    "object": lambda: pd.DataFrame({n: np.array(c, object) for n, c in TEXT.items()}),
    "str": lambda: pd.DataFrame(TEXT).astype("str"),
    "category": lambda: pd.DataFrame(TEXT).astype("category"),
    "polars": lambda: pl.DataFrame(TEXT),
    "polars categorical": lambda: pl.DataFrame(TEXT).cast(pl.Categorical),
    "arrow": lambda: pa.table(TEXT),
    "arrow dictionary": lambda: pa.table(
        {n: pa.array(c).dictionary_encode() for n, c in TEXT.items()}
    ),
    "arrow large": lambda: pa.table({n: pa.array(c, "large_string") for n, c in TEXT.items()}),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_texts_and_categories(kind: str) -> None:
    expected = read({"item": list(range(50)), **TEXT})
    frame = FRAMES[kind]()
    data = read(frame.assign(item=range(50)) if hasattr(frame, "assign") else _with_item(frame))
    assert data.fingerprint == expected.fingerprint
    assert (data.grid is not None, data.coders) == (True, tuple(NAMES))


def _with_item(frame: Any) -> Any:
    if isinstance(frame, pl.DataFrame):
        return frame.with_columns(pl.Series("item", list(range(50))))
    return frame.append_column("item", pa.array(range(50)))


BLANKS = {
    "Int64": pd.DataFrame({n: pd.array([1, None, 3, 2], "Int64") for n in NAMES}),
    "float": pd.DataFrame({n: [1, np.nan, 3, 2] for n in NAMES}),
    "polars": pl.DataFrame({n: [1, None, 3, 2] for n in NAMES}),
    "arrow": pa.table({n: pa.array([1, None, 3, 2]) for n in NAMES}),
    "decimal": pa.table({n: pa.array([1, None, 3, 2], pa.decimal128(5, 1)) for n in NAMES}),
}


@pytest.mark.parametrize("kind", BLANKS)
def test_numbers_and_blanks(kind: str) -> None:
    data = read(BLANKS[kind])
    assert (data.values, len(data), data.reading.blanks) == ((1, 2, 3), 12, 4)


def test_an_ordered_categorical_brings_its_order_and_unused_categories() -> None:
    kind = pd.CategoricalDtype(["low", "middle", "high", "top"], ordered=True)
    wide = pd.DataFrame({"Ann": ["low", "high", "low"], "Bob": ["low", "middle", "high"]})
    long = wide.rename_axis("item").reset_index().melt("item", var_name="coder", value_name="label")
    for frame in (wide.astype(kind), long.astype({"label": kind})):
        (scheme,) = read(frame).schemes
        assert (scheme.categories, scheme.scale) == (("low", "middle", "high", "top"), "ordinal")
        assert scheme.declared
        assert read(frame, scale="nominal").schemes[0].scale == "nominal"
    assert read(wide.astype("category")).schemes[0].scale == "nominal"
    order = pl.Enum(["low", "middle", "high", "top"])
    assert len(read(pl.DataFrame(wide.to_dict("list")).cast(order)).values) >= 3


@pytest.mark.parametrize("pyarrow", [True, False])
def test_columns_that_polars_calls_null(pyarrow: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not pyarrow:
        imported = builtins.__import__

        def without(name: str, *args: Any, **more: Any) -> Any:
            if name == "pyarrow":
                raise ImportError(name)
            return imported(name, *args, **more)

        monkeypatch.setattr(builtins, "__import__", without)
    columns = {"item": [1, 2], "A": ["x", "y"], "B": ["x", "x"], "C": [None, None]}
    frame = pl.DataFrame(columns)
    assert frame.schema["C"] == pl.Null
    assert read(frame).fingerprint == read(columns).fingerprint


def test_a_series_by_item_and_coder_is_read() -> None:
    rows = [("i", "x", "a"), ("i", "y", "b"), ("j", "x", "a"), ("j", "y", "a")]
    frame = pd.DataFrame(rows, columns=["item", "coder", "label"])
    series = frame.set_index(["item", "coder"]).label
    for given in (series, series.rename(None)):
        assert read(given).fingerprint == read(frame).fingerprint
