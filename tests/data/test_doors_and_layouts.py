"""The same annotations through every door: each layout in each format gives an equal reading."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from accordant import InputError, RequestError, read
from accordant.data import annotations

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


@pytest.mark.parametrize("rows", [LONG, WIDE, QUESTIONS_LONG, QUESTIONS_WIDE])
def test_the_fingerprint_does_not_depend_on_the_order_of_rows(rows: Rows) -> None:
    shuffled = random.Random(3).sample(rows, len(rows))
    assert read(shuffled).fingerprint == read(rows).fingerprint


def test_the_fingerprint_sees_every_change() -> None:
    base = read(LONG).fingerprint
    changed = [dict(r) for r in LONG]
    changed[0]["label"] = "no"
    renamed = [r | {"coder": r["coder"].replace("Bob", "Eve")} for r in LONG]
    other_item = [r | {"item": r["item"].replace("s1", "s9")} for r in LONG]
    prints = [read(rows).fingerprint for rows in (changed, renamed, other_item)]
    prints += [read(LONG, scale="ordinal", categories=["no", "yes"]).fingerprint]
    assert len({base, *prints}) == 5


@pytest.mark.parametrize("rows", [LONG, WIDE, ARRAY])
def test_the_fingerprint_does_not_depend_on_the_layout_in_memory(
    rows: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = read(rows)
    assert data.grid is not None
    columns = replace(data, layout=data.columns)
    assert columns.grid is None
    assert columns.fingerprint == data.fingerprint
    monkeypatch.setattr(annotations, "_PIECE", 2)
    assert read(rows).fingerprint == data.fingerprint
    assert replace(data, layout=data.columns).fingerprint == data.fingerprint


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


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int64, np.uint64])
def test_integer_arrays_of_every_size(dtype: Any) -> None:
    array = np.array([[3, 100, 7, 3], [3, 99, 7, 100]], dtype)
    data = read(array)
    assert data.values == (3, 7, 99, 100)
    assert data.fingerprint == read(array.tolist()).fingerprint


def test_far_apart_and_real_numbers() -> None:
    far = read(np.array([[1, 10**15], [1, -(10**15)]]))
    assert far.values == (-(10**15), 1, 10**15)
    real = read(np.array([[0.5, np.nan, 2], [0.25, 1, 2]]))
    assert real.values == (0.25, 0.5, 1.0, 2.0)
    assert real.reading.blanks == 1


def test_words_and_truth_values() -> None:
    assert read(np.array([["a", "b"], ["a", ""]])).values == ("a", "b")
    truths = read(np.array([[True, False], [True, True]]))
    assert truths.values == (False, True)
    assert all(isinstance(v, bool) for v in truths.values)
    assert truths.fingerprint == read([["True", "False"], ["True", "True"]]).fingerprint
    assert read([[True, None], [False, True]]).values == (False, True)


def test_truth_values_beside_others_are_words() -> None:
    truths = [True, False, True, False]
    for others, values in ((["True", "False"] * 2, ("False", "True")), ([1, 0] * 2, ("0", "1"))):
        frame = pd.DataFrame({"item": list("abcd"), "Ann": truths, "Bob": others})
        assert read(frame, coder=["Ann", "Bob"]).values == values


def test_coders_of_an_array_can_be_named() -> None:
    assert read(ARRAY, coder=["Ann", "Bob", "Cem"]).coders == ("Ann", "Bob", "Cem")
    assert read(np.array([[1, 2], [1, 2]]), coder=["Ann", "Bob"]).coders == ("Ann", "Bob")
    with pytest.raises(RequestError, match="coder: 2 names .* the array has 3 coders"):
        read(ARRAY, coder=["Ann", "Bob"])
    with pytest.raises(RequestError, match="item: an array has no named columns"):
        read(ARRAY, item="item")


def test_two_sequences_are_two_coders() -> None:
    a, b = ["x", "y", "x"], ["x", "x", None]
    data = read((a, b))
    assert (len(data.items), len(data.coders), len(data)) == (3, 2, 5)


def test_orientation_is_echoed_and_questioned() -> None:
    tall = np.zeros((60, 3), int)
    with pytest.raises(InputError, match=r"60 rows and 3 columns.*layout='wide'"):
        read(tall)
    assert "coders x items" in read(tall, layout="transposed").reading.layout
    assert "coders x items" in read(tall.T).reading.layout
    assert "items x coders" in read(tall, layout="wide").reading.layout


def test_pandas_wide_without_item_column_and_with_index() -> None:
    plain = pd.DataFrame({"Ann": [1, 2, 2], "Bob": [1, 1, 2]})
    assert read(plain).coders == ("Ann", "Bob")
    indexed = plain.set_axis(["p", "q", "r"], axis=0)
    assert list(read(indexed).items) == ["p", "q", "r"]
    sampled = pd.DataFrame(LONG).sample(frac=1, random_state=1)
    assert read(sampled).fingerprint == read(LONG).fingerprint
    assert not read(sampled).metadata


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


def test_a_sheet_for_each_coder_with_a_consensus_in_colour(tmp_path: Path) -> None:
    import openpyxl
    from openpyxl.styles import PatternFill

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
    book["Consensus"]["B3"].fill = PatternFill("solid", fgColor="FFFFC7CE")
    notes = book.create_sheet("Codebook")
    notes.append(["code", "meaning"])
    notes.append(["a", "the first kind"])
    book.save(tmp_path / "book.xlsx")
    data = read(tmp_path / "book.xlsx")
    assert data.fingerprint == read(QUESTIONS_LONG).fingerprint
    assert data.reading.layout == "a sheet per coder"
    assert data.metadata["Consensus: kind"] == ("a", "a", "a")
    assert data.metadata["fill"] == (None, "size: FFFFC7CE", None)
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


def test_a_table_in_which_a_coder_never_used_a_category(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(",a,b,c\na,5,1,0\nb,0,4,2\n")
    data = read(path, layout="table")
    assert data.values == ("a", "b", "c")
    assert len(data.items) == 12


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


def test_counts_with_unequal_numbers_of_coders_are_read_when_told() -> None:
    data = read({"item": ["p", "q"], "pro": [3, 0], "con": [0, 2]}, layout="counts")
    assert len(data) == 5
    assert data.statuses() == {"answered": 5, "not assigned": 1}
