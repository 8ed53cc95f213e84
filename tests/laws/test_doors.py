"""The same answer through every door: arrays, lists, frames, records, files, tables, counts."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordant import AgreementTable, agreement
from laws.drawing import missing_out, same

CATEGORIES = ["no", "perhaps", "yes"]
CODERS = ["Ann", "Ben", "Cem"]
ITEMS = 25


def codes(seed: int, coders: int = 3, missing: float = 0.2) -> Any:
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=(ITEMS, 1))
    labels = np.where(
        rng.random((ITEMS, coders)) < 0.6, truth, rng.integers(3, size=(ITEMS, coders))
    )
    return missing_out(rng, labels, missing)


def labels(rows: Any) -> list[list[str | None]]:
    """(coders, items) words."""
    return [[None if v < 0 else CATEGORIES[v] for v in column] for column in rows.T]


def records(rows: Any) -> list[tuple[str, str, str]]:
    return [
        (f"item {i + 1}", CODERS[c], CATEGORIES[v])
        for i, row in enumerate(rows)
        for c, v in enumerate(row)
        if v >= 0
    ]


def long_columns(rows: Any) -> dict[str, list[str]]:
    return dict(
        zip(("item", "coder", "label"), map(list, zip(*records(rows), strict=True)), strict=True)
    )


def wide_columns(rows: Any) -> dict[str, list[Any]]:
    items = [f"item {i + 1}" for i in range(len(rows))]
    return {"item": items, **dict(zip(CODERS, labels(rows), strict=True))}


def write_csv(path: Path, columns: dict[str, list[Any]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def write_parquet(path: Path, columns: dict[str, list[Any]]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def doors(rows: Any, folder: Path) -> dict[str, Any]:
    long, wide = long_columns(rows), wide_columns(rows)
    return {
        "nested lists": labels(rows),
        "object array": np.array(labels(rows), dtype=object),
        "records": records(rows),
        "dict, long": long,
        "dict, wide": wide,
        "list of dicts": [dict(zip(long, r, strict=True)) for r in records(rows)],
        "pandas, long": pd.DataFrame(long),
        "pandas, wide": pd.DataFrame(wide),
        "pandas, categorical": pd.DataFrame(long).astype({"label": "category"}),
        "polars, long": pl.DataFrame(long),
        "polars, wide": pl.DataFrame(wide),
        "arrow, long": pa.table(long),
        "CSV, long": write_csv(folder / "long.csv", long),
        "CSV, wide": write_csv(folder / "wide.csv", wide),
        "parquet, long": write_parquet(folder / "long.parquet", long),
    }


def numbers(table: AgreementTable) -> dict[str, list[float]]:
    return {
        r.coefficient: [
            r.value,
            r.observed,
            r.expected,
            r.se,
            r.low,
            r.high,
            r.n_items,
            r.n_annotations,
        ]
        for r in table
    }


@pytest.mark.parametrize("seed", range(3))
def test_every_door_gives_the_same_answer(seed: int, tmp_path: Path) -> None:
    rows = codes(seed)
    found = {
        name: numbers(agreement(source, categories=CATEGORIES, scale="ordinal"))
        for name, source in doors(rows, tmp_path).items()
    }
    wanted = found["nested lists"]
    assert {"alpha", "kappa", "ac"} <= set(wanted)
    for name, got in found.items():
        for key in wanted:
            assert got[key] == same(wanted[key]), f"{name}: {key}"


def test_numbers_with_nan_are_numbers_with_none() -> None:
    rows = codes(1)
    floats = np.where(rows < 0, np.nan, rows + 1).T
    nones = [[None if v < 0 else int(v) + 1 for v in column] for column in rows.T]
    by_columns = agreement(floats.T, layout="wide")
    for other in (agreement(nones), by_columns):
        assert numbers(agreement(floats)) == {k: same(v) for k, v in numbers(other).items()}


@pytest.mark.parametrize("seed", range(3))
def test_counts_door(seed: int) -> None:
    """How many coders gave each category: all but the coefficients that need to know who."""
    rows = codes(seed)
    counts = {c: [int((row == k).sum()) for row in rows] for k, c in enumerate(CATEGORIES)}
    bare = agreement(counts, layout="counts", categories=CATEGORIES, scale="ordinal")
    full = agreement(labels(rows), categories=CATEGORIES, scale="ordinal")
    for key in numbers(full):
        if key == "kappa":
            assert bare[key].undefined is not None
            assert bare[key].undefined.reason == "unknown_coders"
        else:
            assert numbers(bare)[key] == same(numbers(full)[key])


@pytest.mark.parametrize("seed", range(3))
def test_contingency_table_door(seed: int) -> None:
    rows = codes(seed, coders=2, missing=0.0)
    table = np.zeros((3, 3), int)
    np.add.at(table, (rows[:, 0], rows[:, 1]), 1)
    source = {"Ann": CATEGORIES, **{c: table[:, k].tolist() for k, c in enumerate(CATEGORIES)}}
    crossed = agreement(source, layout="table", categories=CATEGORIES, scale="ordinal")
    full = agreement(labels(rows), categories=CATEGORIES, scale="ordinal")
    assert numbers(crossed) == {k: same(v) for k, v in numbers(full).items()}
