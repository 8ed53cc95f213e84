"""The quick ways for large files give what the general reader gives."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accordant import Annotations, InputError, read
from accordant.data.formats import files, large_text, panel, parquet, text
from accordant.data.options import Options
from accordant.data.table import as_words


def same(a: Annotations, b: Annotations) -> None:
    assert a.fingerprint == b.fingerprint
    assert a.coders == b.coders
    assert list(map(str, a.items)) == list(map(str, b.items))
    assert a.values == b.values
    assert a.texts == b.texts
    assert dict(a.metadata) == dict(b.metadata)
    assert a.reading == b.reading


def frames() -> dict[str, pd.DataFrame]:
    rng = np.random.default_rng(5)
    n = 300
    item = np.repeat(np.arange(n), 4)
    coder = np.tile(["w3", "w1", "w2", "w4"], n)
    number = rng.integers(1, 6, 4 * n)
    base = pd.DataFrame({"item": item, "coder": coder, "label": number})
    words = base.assign(item=[f"doc {k}" for k in item], label=[f"c{x}" for x in number])
    holes = words.assign(label=words.label.where(rng.random(4 * n) < 0.9, None))
    tokens = words.assign(label=words.label.where(rng.random(4 * n) < 0.9, "NA"))
    return {
        "numbers": base,
        "words": words,
        "holes": holes,
        "tokens": tokens,
        "missing rows": words.sample(frac=0.8, random_state=1),
        "shuffled": base.sample(frac=1, random_state=2),
        "other order": holes[["label", "coder", "item"]],
        "more columns": words.assign(text=[f"The text of {k}" for k in item], mood="fine"),
        "numbered coders": base.assign(coder=np.tile([10, 2, 33, 4], n)),
        "spaces": words.assign(label=words.label + " ", item=words.item + " "),
    }


@pytest.mark.parametrize("name", frames())
def test_parquet_by_panel_and_by_table(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.parquet"
    frames()[name].to_parquet(path)
    quick = read(path)
    monkeypatch.setattr(parquet, "read_panel", lambda *_: None)
    same(quick, read(path))


@pytest.mark.parametrize("name", frames())
def test_text_by_duckdb_and_by_python(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "data.csv"
    frames()[name].to_csv(path, index=False)
    slow = read(path)
    monkeypatch.setattr(files, "LARGE", 0)
    same(read(path), slow)
    monkeypatch.setattr(large_text, "read_panel", lambda *_: None)
    same(read(path), slow)


def test_the_panel_reader_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "data.parquet"
    frames()["holes"].to_parquet(path)
    found = []
    monkeypatch.setattr(
        parquet, "read_panel", lambda *a: found.append(panel.read_panel(*a)) or found[0]
    )
    read(path)
    assert isinstance(found[0], Annotations)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_what_is_unusual_goes_to_the_general_reader(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGE", 0)
    path = tmp_path / f"data{suffix}"
    frame = frames()["words"]
    other = frame.iloc[[7]].assign(label=frame.label[frame.label != frame.label.iloc[7]].iloc[0])
    twice = pd.concat([frame, other])
    twice.to_parquet(path) if suffix == ".parquet" else twice.to_csv(path, index=False)
    with pytest.raises(ValueError, match=r"row 120\d.*'w4' annotated item 'doc 1' twice"):
        read(path)
    assert len(read(path, duplicates="first")) == len(frame)
    with pytest.raises(ValueError, match="not in the scheme"):
        read(path, duplicates="first", categories=["c1", "c2"])


CELLS = st.text(
    st.sampled_from('ab1 ,;"\n\r\té.'), max_size=6
)  # everything that quoting, trimming and blank cells can go wrong with


READERS = (text.read_text, large_text.read_large_text)


def _table_or_message(reader: Any, path: Path, options: Options) -> Any:
    try:
        return reader(path, options)
    except InputError as e:
        return str(e)


@settings(max_examples=25)
@given(rows=st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=3, max_size=12), quote=st.booleans())
def test_every_cell_is_read_alike(
    rows: list[tuple[str, ...]], quote: bool, tmp_path_factory: Any
) -> None:
    path = tmp_path_factory.mktemp("cells") / "data.csv"
    rows = [("x", "y", "z"), *rows]
    with path.open("w", encoding="utf-8", newline="") as f:
        csv.writer(f, quoting=csv.QUOTE_ALL if quote else csv.QUOTE_MINIMAL).writerows(rows)
    told = Options(header_row=1, delimiter=",")
    slow, quick = (_table_or_message(f, path, told) for f in READERS)
    if isinstance(slow, str):
        assert quick == slow
        return
    assert not isinstance(quick, str)
    assert not isinstance(quick, Annotations)
    assert len(quick) == len(slow)
    for a, b in zip(quick.columns, slow.columns, strict=True):
        assert a.name == b.name
        cells = [
            [None, *as_words(c.words)][k + 1] if k >= 0 else None for c in (a, b) for k in c.codes
        ]
        assert cells[: len(slow)] == cells[len(slow) :]
    assert [quick.row(k) for k in range(len(slow))] == [slow.row(k) for k in range(len(slow))]


def test_repeats_are_found_among_many_coders_with_few_items_each() -> None:
    """Far fewer annotations than cells: they are sorted, not marked in a table of all cells."""
    n = 3_000
    frame = pd.DataFrame({"item": np.arange(n), "coder": np.arange(n), "label": np.arange(n) % 3})
    assert len(read(frame).items) == n
    again = pd.concat([frame, frame.iloc[[7, 1_999]].assign(label=[0, 0])])
    with pytest.raises(InputError, match="2"):
        read(again)
    assert len(read(again, duplicates="first").columns.item) == n


def test_a_coder_of_few_rows_of_many_is_read() -> None:
    """Evidence comes from some rows, but a column is not blank because they are."""
    import pandas as pd

    n = 50_000
    labels = ["joy", "fear", "other"]
    frame = pd.DataFrame({c: [labels[k % 3] for k in range(n)] for c in ("Ann", "Bob", "Cy")})
    frame["Di"] = None
    frame.loc[[7, 1_011, 40_003], "Di"] = "joy"
    assert read(frame).coders == ("Ann", "Bob", "Cy", "Di")
