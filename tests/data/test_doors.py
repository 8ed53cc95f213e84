"""The same records through every door: each kind of source gives the same annotations."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import random
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from accordant import Annotations, read
from data.formats.json_files import Loaded

Rows = list[dict[str, Any]]
CODERS = ("Ann", "Bob", "Cem")


def long(labels: Sequence[Any], seed: int, **told: Any) -> Rows:
    """20 items; each coder errs in a quarter of them and leaves out some."""
    rng, rows = random.Random(seed), list[dict[str, Any]]()
    for k in range(20):
        true = rng.choice(labels)
        for coder in told.get("coders", CODERS):
            given = true if rng.random() > 0.25 else rng.choice(labels)
            if rng.random() > told.get("missing", 0.15):
                cells = {"item": told.get("ids", "t{}").format(k + 1), "coder": coder}
                more = {n: make(k, rng) for n, make in told.get("more", {}).items()}
                rows.append(cells | {told.get("label", "label"): given} | more)
    return rows


def wide(rows: Rows, *more: str) -> Rows:
    items: dict[Any, dict[str, Any]] = {}
    for row in rows:
        new = {"item": row["item"], **{n: row[n] for n in more}, **dict.fromkeys(CODERS)}
        items.setdefault(row["item"], new)[row["coder"]] = row["label"]
    return list(items.values())


def nested(seed: int) -> Iterator[tuple[dict[str, Any], list[str], list[str]]]:
    """What is known of each item, its coders and their labels."""
    for item, own in itertools.groupby(long("xyz", seed), lambda r: r["item"]):
        rows = list(own)
        about = {"id": item, "text": f"The text of {item}", "hard_label": rows[0]["label"]}
        yield about, [r["coder"] for r in rows], [r["label"] for r in rows]


def tagged(nested: bool) -> Rows:
    rng, rows = random.Random(5), list[dict[str, Any]]()
    for k in range(8):
        said = {c: rng.choices(["O", "B-PER", "I-PER", "B-LOC"], k=3) for c in ("u1", "u2")}
        about = {"id": f"s{k}", "tokens": ["Ann", "met", "Bob"]}
        each = [{"annotator": c, "ner_tags": tags} for c, tags in said.items()]
        rows += [about | {"annotations": each}] if nested else [about | one for one in each]
    return rows


TEXT = {
    "text": lambda k, _: f'Text no. {k}; with "quotes", é and 😀',
    "genre": lambda k, _: "news" if k % 2 else "web",
}
TIME = {
    "created_at": lambda k, _: f"2024-01-{k + 1:02}T10:00:00",
    "seconds": lambda _, rng: round(rng.random() * 9, 2),
}
STATUSES = ["answered"] * 6 + ["skipped"]
SETS = [["joy"], ["awe", "joy"], ["fear"], ["joy", "fear"], []]
RECORDS: dict[str, Rows] = {
    "long": long("xyz", 1),
    "wide": wide(long("xyz", 1)),
    "grades": long([1, 2, 3, 4, 5], 2),
    "grades, wide": wide(long([1, 2, 3, 4, 5], 2)),
    "yes or no": long([True, False], 3),
    "yes or no, wide": wide(long([True, False], 3, missing=0)),
    "0 and 1": wide(long([0, 1], 14)),
    "halves": wide(long([0.5, 1.0, 1.5, 2.0], 16)),
    "negative": wide(long([-1, 0, 1], 17)),
    "sparse": wide(long([1, 2, 3], 15, missing=0.5)),
    "numbers as ids": long("xyz", 4, ids="10{}"),
    "numbers as ids, wide": wide(long("xyz", 4, ids="10{}")),
    "ids with zeros": long("xyz", 18, ids="{:03}"),
    "texts": long("xyz", 5, more=TEXT),
    "texts, wide": wide(long("xyz", 5, more=TEXT), "text", "genre"),
    "times": long("xyz", 6, more=TIME),
    "confidence": long("xyz", 20, more={"confidence": lambda _, rng: round(rng.random(), 2)}),
    "statuses": [
        r | {"label": r["label"] if s == "answered" else None, "status": s}
        for r, s in zip(long("xyz", 7), itertools.cycle(STATUSES))
    ],
    "many coders": long("xyz", 9, coders=[f"w{k}" for k in range(12)], missing=0.5),
    "addresses": long("xyz", 21, coders=["ann@x.org", "bob@x.org"]),
    "questions in rows": [
        r | {"question": q} for k, q in enumerate(("tone", "irony")) for r in long("xyz", 10 + k)
    ],
    "questions in columns": [
        r | {"irony": y} for r, y in zip(long("xyz", 12, label="tone"), itertools.cycle("ynn"))
    ],
    "labels in a cell": long(["joy", "joy;awe", "awe", "fear;joy"], 13),
    "case": long(["Yes", "yes", "No"], 19),
    "sets": [r | {"label": s} for r, s in zip(long("x", 22), itertools.cycle(SETS))],
    "records": [
        about | {"annotations": [{"annotator": c, "label": x} for c, x in zip(coders, labels)]}
        for about, coders, labels in nested(23)
    ],
    "sequence": [
        about | {"annotations": {"annotator": coders, "label": labels}}
        for about, coders, labels in nested(23)
    ],
    "parallel lists": [
        about | {"annotators": coders, "annotations": labels}
        for about, coders, labels in nested(23)
    ],
    "without coders": [about | {"annotations": labels} for about, _, labels in nested(24)],
    "fields of coders": [
        {"id": about["id"], "labels": dict.fromkeys(CODERS) | dict(zip(coders, labels))}
        for about, coders, labels in nested(25)
    ],
    "nested fields": [
        {"item": r["item"], "out": {"coder": r["coder"], "label": r["label"]}}
        for r in long("xyz", 26)
    ],
    "tags": tagged(nested=False),
    "tags in records": tagged(nested=True),
    "nobody annotated one": [
        *wide(long("xyz", 27, more=TEXT), "genre"),
        {"item": "t21", "genre": "web"},
    ],
}


def names_of(rows: Rows) -> list[str]:
    return list(dict.fromkeys(n for r in rows for n in r))


def full(rows: Rows) -> Rows:
    return [{n: r.get(n) for n in names_of(rows)} for r in rows]


def columns(rows: Rows) -> dict[str, list[Any]]:
    return {n: [r.get(n) for r in rows] for n in names_of(rows)}


def flat(rows: Rows) -> bool:
    return not any(isinstance(x, list | dict) for r in rows for x in r.values())


def delimited(rows: Rows, mark: str = ",") -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=mark)
    writer.writerow(names_of(rows))
    writer.writerows(["" if x is None else x for x in r.values()] for r in full(rows))
    return out.getvalue()


def held(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zipped(folder: Path, name: str, content: str) -> Path:
    with zipfile.ZipFile(folder / "a.zip", "w") as archive:
        archive.writestr(name, content)
    return folder / "a.zip"


def excel(rows: Rows, folder: Path) -> Path:
    pd.DataFrame(full(rows)).to_excel(folder / "a.xlsx", index=False)
    return folder / "a.xlsx"


def parquet(rows: Rows, folder: Path) -> Path:
    pq.write_table(pa.Table.from_pylist(full(rows)), folder / "a.parquet")
    return folder / "a.parquet"


Door = Callable[[Rows, Path], Any]
DOORS: dict[str, Door] = {
    "tuple of dicts": lambda r, _: tuple(r),
    "iterator of dicts": lambda r, _: iter(r),
    "dict of lists": lambda r, _: columns(r),
    "pandas": lambda r, _: pd.DataFrame(r),
    "pandas, objects": lambda r, _: pd.DataFrame(
        {n: pd.Series(c, dtype=object) for n, c in columns(r).items()}
    ),
    "pandas, nullable": lambda r, _: pd.DataFrame(r).convert_dtypes(),
    "pandas, arrow": lambda r, _: pd.DataFrame(full(r)).convert_dtypes(dtype_backend="pyarrow"),
    "polars": lambda r, _: pl.DataFrame(full(r)),
    "polars, lazy": lambda r, _: pl.DataFrame(full(r)).lazy(),
    "arrow": lambda r, _: pa.Table.from_pylist(full(r)),
    "arrow batch": lambda r, _: pa.RecordBatch.from_pylist(full(r)),
    "data set": lambda r, _: Loaded(pa.Table.from_pylist(full(r)), None),
    "data set dict": lambda r, _: {"train": Loaded(pa.Table.from_pylist(full(r)), None)},
    "json": lambda r, f: held(f, "a.json", json.dumps(r)),
    "json lines": lambda r, f: held(f, "a.jsonl", "\n".join(map(json.dumps, r))),
    "json, by column": lambda r, f: held(f, "a.json", json.dumps(columns(r))),
    "json, packed": lambda r, f: held(f, "a.json.gz", gzip.compress(json.dumps(r).encode())),
    "json in an archive": lambda r, f: zipped(f, "a.json", json.dumps(r)),
    "a folder": lambda r, f: held(f, "a.json", json.dumps(r)).parent,
    "parquet": parquet,
}
FLAT_DOORS: dict[str, Door] = {
    "pandas, strings": lambda r, _: pd.DataFrame(
        {n: [None if x is None else str(x) for x in c] for n, c in columns(r).items()}, dtype="str"
    ),
    "pandas, categories": lambda r, _: pd.DataFrame(r).astype("category"),
    "records array": lambda r, _: pd.DataFrame(full(r)).to_records(index=False),
    "csv": lambda r, f: held(f, "a.csv", delimited(r)),
    "csv in UTF-16": lambda r, f: held(f, "a.csv", delimited(r).encode("utf-16")),
    "tsv, by its name": lambda r, f: str(held(f, "a.tsv", delimited(r, "\t"))),
    "csv in an archive": lambda r, f: zipped(f, "a.csv", delimited(r)),
    "xlsx": excel,
}


def told(data: Annotations) -> tuple[str, dict[str, str], set[str]]:
    """What was read, without the order of the items."""
    texts = dict(zip(map(str, data.items), data.texts or (), strict=False))
    return data.fingerprint, texts, {*data.metadata}


@pytest.mark.parametrize("name", RECORDS)
def test_every_door_gives_the_same(name: str, tmp_path: Path) -> None:
    rows = RECORDS[name]
    expected = read(rows)
    assert len(expected) > 20
    for k, (door, make) in enumerate({**DOORS, **(FLAT_DOORS if flat(rows) else {})}.items()):
        (tmp_path / f"{k}").mkdir()
        assert told(read(make(rows, tmp_path / f"{k}"))) == told(expected), door


def test_arrays_are_tables_without_names() -> None:
    rows = wide(long([1, 2, 3], 15))
    array = np.array([[r[c] for r in rows] for c in CODERS], object)
    coders = {f"coder {k + 1}": row for k, row in enumerate(array.tolist())}
    expected = read({"item": list(range(1, 21)), **coders})
    assert read(array).fingerprint == expected.fingerprint
    assert read(array.astype(float)).fingerprint == expected.fingerprint
