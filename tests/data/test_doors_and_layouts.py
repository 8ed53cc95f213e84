"""The same annotations through every door: each layout in each format gives an equal reading."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from accordant import RequestError, read

Rows = list[dict[str, Any]]

LONG: Rows = [
    {"item": i, "coder": c, "label": label}
    for i, labels in {
        "s1": ("yes", "no", "yes"),
        "s2": ("yes", "yes", "yes"),
        "s3": (None, "no", "yes"),
        "s4": ("no", "no", "no"),
        "s5": ("yes", None, "no"),
    }.items()
    for c, label in zip(("Ann", "Bob", "Cem"), labels)
]
WIDE: Rows = [
    {"item": i} | {r["coder"]: r["label"] for r in LONG if r["item"] == i}
    for i in ("s1", "s2", "s3", "s4", "s5")
]
QUESTIONS_LONG: Rows = [
    {"item": i, "question": q, "coder": c, "label": label}
    for i, labels in {
        "t1": (1, 2, "a", "a"),
        "t2": (3, 3, "b", "a"),
        "t3": (2, 2, None, "b"),
    }.items()
    for (q, c), label in zip(
        [("size", "Ann"), ("size", "Bob"), ("kind", "Ann"), ("kind", "Bob")], labels
    )
]
QUESTIONS_COLUMNS: Rows = [
    {"item": i, "coder": c}
    | {r["question"]: r["label"] for r in QUESTIONS_LONG if (r["item"], r["coder"]) == (i, c)}
    for i in ("t1", "t2", "t3")
    for c in ("Ann", "Bob")
]
QUESTIONS_WIDE: Rows = [
    {"item": i}
    | {f"{r['question']}_{r['coder']}": r["label"] for r in QUESTIONS_LONG if r["item"] == i}
    for i in ("t1", "t2", "t3")
]


ARRAY = [[1, 2, 2, None], [1, 2, 1, 3], [2, None, 1, 3]]  # (coders, items)


def text(cell: Any) -> str:
    return "" if cell is None else str(cell)


def as_csv(rows: Rows, folder: Path, suffix: str = ".csv", mark: str = ",") -> Path:
    path = folder / f"data{suffix}"
    lines = [mark.join(rows[0]), *(mark.join(map(text, r.values())) for r in rows)]
    path.write_text("\r\n".join(lines), encoding="utf-8-sig")
    return path


def as_excel(rows: Rows, folder: Path) -> Path:
    pd.DataFrame(rows).to_excel(folder / "data.xlsx", index=False)
    return folder / "data.xlsx"


def as_parquet(rows: Rows, folder: Path) -> Path:
    frame = pd.DataFrame(rows)
    mixed = [c for c in frame if len({type(x) for x in frame[c].dropna()}) > 1]
    frame[mixed] = frame[mixed].map(lambda x: None if pd.isna(x) else str(x))
    frame.to_parquet(folder / "data.parquet")
    return folder / "data.parquet"


def as_json_lines(rows: Rows, folder: Path) -> Path:
    pd.DataFrame(rows).to_json(folder / "data.jsonl", orient="records", lines=True)
    return folder / "data.jsonl"


def as_json(rows: Rows, folder: Path) -> Path:
    pd.DataFrame(rows).to_json(folder / "data.json", orient="records", indent=1)
    return folder / "data.json"


def texts_only(rows: Rows) -> Rows:
    return [{k: None if v is None else str(v) for k, v in r.items()} for r in rows]


DOORS: dict[str, Callable[[Rows, Path], Any]] = {
    "csv": as_csv,
    "tsv": lambda r, f: as_csv(r, f, ".tsv", "\t"),
    "tsv called csv": lambda r, f: as_csv(r, f, ".csv", "\t"),
    "semicolons": lambda r, f: as_csv(r, f, ".txt", ";"),
    "pipes": lambda r, f: as_csv(r, f, "", "|"),
    "xlsx": as_excel,
    "parquet": as_parquet,
    "jsonl": as_json_lines,
    "json": as_json,
    "pandas": lambda r, _: pd.DataFrame(r),
    "pandas category": lambda r, _: pd.DataFrame(texts_only(r)).astype("category"),
    "polars": lambda r, _: pl.DataFrame(texts_only(r)),
    "arrow": lambda r, _: pa.Table.from_pylist(texts_only(r)),
    "arrow dictionary": lambda r, _: pa.table(
        {k: pa.array([x[k] for x in texts_only(r)]).dictionary_encode() for k in r[0]}
    ),
    "dict of columns": lambda r, _: {k: [x[k] for x in r] for k in r[0]},
    "list of dicts": lambda r, _: r,
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("layout", ["long", "wide"])
def test_every_door_gives_the_same_annotations(door: str, layout: str, tmp_path: Path) -> None:
    expected = read([tuple(r.values()) for r in LONG])
    rows = LONG if layout == "long" else WIDE
    data = read(DOORS[door](rows, tmp_path))
    assert data.reading.layout == layout
    assert data.reading.blanks == 2
    assert data.fingerprint == expected.fingerprint
    assert data.coders == ("Ann", "Bob", "Cem")
    assert list(data.items) == ["s1", "s2", "s3", "s4", "s5"]


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("rows", [QUESTIONS_LONG, QUESTIONS_COLUMNS, QUESTIONS_WIDE])
def test_several_questions_through_every_door(door: str, rows: Rows, tmp_path: Path) -> None:
    expected = read(QUESTIONS_LONG)
    data = read(DOORS[door](rows, tmp_path))
    assert set(data.questions) == {"size", "kind"}
    assert data.schemes[data.questions.index("size")].categories == (1, 2, 3)
    assert data.schemes[data.questions.index("kind")].categories == ("a", "b")
    assert data.fingerprint == expected.fingerprint


# ------------------------------------------------------------------ arrays


@pytest.mark.parametrize(
    "source",
    [
        ARRAY,
        tuple(map(tuple, ARRAY)),
        np.array(ARRAY, float),
        np.array(ARRAY, object),
        [np.array(row, float) for row in ARRAY],
        np.ma.masked_invalid(np.array(ARRAY, float)),
        np.array(ARRAY, np.float32),
    ],
    ids=["lists", "tuples", "float", "object", "rows", "masked", "float32"],
)
def test_arrays(source: Any) -> None:
    data = read(source)
    assert data.coders == ("coder 1", "coder 2", "coder 3")
    assert data.reading.layout == "array, coders x items"
    assert data.values == (1, 2, 3)
    assert all(type(v) is int for v in data.values)
    assert data.reading.blanks == 2
    assert data.grid is not None
    assert data.grid.tolist() == [[0, 0, 1], [1, 1, -1], [1, 0, 0], [-1, 2, 2]]
    turned = np.array(ARRAY, object).T
    assert read(turned, layout="wide").fingerprint == data.fingerprint


def test_an_array_is_a_wide_file_without_header(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    lines = [",".join(text(row[k]) for row in ARRAY) for k in range(4)]
    path.write_text("\n".join(lines))
    assert read(path).fingerprint == read(ARRAY).fingerprint


def test_coders_of_an_array_can_be_named() -> None:
    assert read(ARRAY, coder=["Ann", "Bob", "Cem"]).coders == ("Ann", "Bob", "Cem")
    assert read(np.array([[1, 2], [1, 2]]), coder=["Ann", "Bob"]).coders == ("Ann", "Bob")
    with pytest.raises(RequestError, match="coder: the array has 3 coders; names given: 2"):
        read(ARRAY, coder=["Ann", "Bob"])
    with pytest.raises(RequestError, match="item: an array has no named columns"):
        read(ARRAY, item="item")


def test_two_sequences_are_two_coders() -> None:
    a, b = ["x", "y", "x"], ["x", "x", None]
    data = read((a, b))
    assert (len(data.items), len(data.coders), len(data)) == (3, 2, 5)


@pytest.mark.parametrize(
    "dtype", ["Int64", "float64", "string", "object", "int64[pyarrow]", "category"]
)
def test_pandas_types(dtype: str) -> None:
    frame = pd.DataFrame({"item": list("abcd"), "A": [1, 2, None, 1], "B": [1, 1, 2, None]})
    whole = frame.astype({"A": "Int64", "B": "Int64"})
    typed = whole.astype({"A": dtype, "B": dtype})
    data = read(typed)
    assert data.values == (1, 2)
    assert data.fingerprint == read(frame).fingerprint


# ------------------------------------------------------------------ one table for each coder


def test_a_file_for_each_coder(tmp_path: Path) -> None:
    paths = []
    for coder in ("Ann", "Bob", "Cem"):
        rows = [{"item": r["item"], "label": r["label"]} for r in LONG if r["coder"] == coder]
        (tmp_path / coder).mkdir()
        as_csv(rows, tmp_path / coder).rename(tmp_path / f"{coder}.csv")
        paths.append(tmp_path / f"{coder}.csv")
    data = read(paths)
    assert data.reading.layout == "a file per coder"
    assert data.fingerprint == read(LONG).fingerprint


def test_a_sheet_for_each_coder_and_one_of_a_consensus(tmp_path: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    book.remove(book.active)
    for coder in ("Ann", "Bob", "Consensus"):
        sheet = book.create_sheet(coder)
        sheet.append(["item", "size", "kind"])
        for i in ("t1", "t2", "t3"):
            found = {
                r["question"]: r["label"]
                for r in QUESTIONS_LONG
                if (r["item"], r["coder"]) == (i, coder)
            }
            sheet.append([i, found.get("size", 1), found.get("kind", "a")])
    notes = book.create_sheet("Codebook")
    notes.append(["code", "meaning"])
    notes.append(["a", "the first kind"])
    book.save(tmp_path / "book.xlsx")
    data = read(tmp_path / "book.xlsx")
    assert data.fingerprint == read(QUESTIONS_LONG).fingerprint
    assert data.reading.layout == "a sheet per coder"
    assert data.metadata["Consensus: kind"] == ("a", "a", "a")
    assert any("'Consensus' looks like a consensus" in n for n in data.reading.notes)
    assert any("sheet 'Codebook' has other columns" in n for n in data.reading.notes)


def test_files_that_say_who_the_coder_is_are_put_below_one_another(tmp_path: Path) -> None:
    for k, part in enumerate((LONG[:7], LONG[7:])):
        as_csv(part, tmp_path).rename(tmp_path / f"part{k}.csv")
    data = read([tmp_path / "part0.csv", str(tmp_path / "part1.csv")])
    assert data.reading.layout == "long"
    assert data.fingerprint == read(LONG).fingerprint


# ------------------------------------------------------------------ counts


def test_a_contingency_table(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text("Ann \\ Bob,pro,con,Total\npro,20,10,30\ncon,20,50,70\nTotal,40,60,100\n")
    data = read(path)
    assert data.reading.layout == "contingency table"
    assert data.coders == ("Ann", "Bob")
    assert len(data.items) == 100
    grid = data.grid
    assert grid is not None
    pairs = {(data.values[a], data.values[b]) for a, b in grid.tolist()}
    n = sum(data.values[a] == "pro" and data.values[b] == "con" for a, b in grid.tolist())
    assert (len(pairs), n) == (4, 10)
    frame = pd.DataFrame([[20, 10], [20, 50]], index=["pro", "con"], columns=["pro", "con"])
    assert read(frame).of_coders(["coder 1", "coder 2"]).grid.tolist() == grid.tolist()


def test_counts_for_each_item() -> None:
    table = {"item": ["p", "q", "r", "s"], "pro": [3, 0, 2, 1], "con": [0, 3, 1, 2]}
    data = read(table)
    assert data.anonymous
    assert data.reading.layout == "counts per item"
    assert data.coders == ("slot 1", "slot 2", "slot 3")
    assert len(data) == 12
    rows = [
        (item, label)
        for item, pro, con in zip(*table.values())
        for label in ["pro"] * pro + ["con"] * con
    ]
    unnamed = read({"item": [i for i, _ in rows], "label": [x for _, x in rows]})
    assert unnamed.anonymous
    assert unnamed.fingerprint == data.fingerprint
