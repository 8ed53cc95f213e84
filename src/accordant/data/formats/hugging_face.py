"""Data sets of Hugging Face: folders with arrow or Parquet files, labels by their names."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...numbers import count_of
from ..annotations import Annotations
from ..options import Options
from ..recognition import SHARES, of_splits, without_shares
from ..sheet import FORMATS, LAYOUTS, for_format
from .answers import sort_out, source_of
from .format import ARROW, File, Format
from .import_report import Import
from .json_records import UNNAMED, columns_of_records, table_of
from .parquet import columns_of_file

__all__ = ["FORMAT"]

INFO = ("dataset_info.json", "state.json", "dataset_dict.json")
_NOTICES = (".json", ".md", ".lock")  # files beside the data that hold no annotations
_SHARD = re.compile(r"-\d{5}-of-\d{5}$")
NAME = "Hugging Face data set"


def _takes(file: File) -> bool:
    if file.start.startswith(ARROW):
        return True
    if file.footer:
        named = [w for w in (*UNNAMED, "annotators", *SHARES) if w.encode() in file.footer]
        return b'{"info"' in file.footer or len(named) > 1
    record = file.record
    if not isinstance(record, dict):
        return False
    if file.path.name in INFO:
        return any(k in record for k in ("features", "_data_files", "splits"))
    return sum(w in record for w in SHARES) > 1


def _read(files: Sequence[File], options: Options) -> Import:
    taken, beside = sort_out(files, _takes)
    data = [f for f in taken if f.path.name not in INFO]
    data += [f for f in beside if f.footer]  # the other parts of the data set
    kept = [f for f in data if not f.path.name.startswith("cache-")]
    source = source_of(kept or taken)
    if not kept:
        raise InputError(
            "this folder describes a data set, but no file of data is in it", file=source
        )
    about = dict[str, Any]()
    for file in taken:
        if file.path.name == INFO[0] and isinstance(file.record, dict):
            found = file.record.get("features")
            about |= found if isinstance(found, dict) else {}
    parts = dict[str, list[dict[str, Any]]]()
    for file in kept:
        parts.setdefault(_split(file), []).append(_columns(file, about, options))
    tables = {split: table_of(source, _below(found)) for split, found in parts.items()}
    table = of_splits({s: without_shares(t, options) for s, t in tables.items()}, options)
    left = {
        "files beside the data": sum(f.suffix not in _NOTICES for f in beside if f not in kept),
        "files of the cache": len(data) - len(kept),
    }
    return Import(NAME, {}, (table,), (), left_out=tuple((w, n) for w, n in left.items() if n))


def _split(file: File) -> str:
    """The part of a data set that a file belongs to: by its name, or that of its folder."""
    stem = _SHARD.sub("", file.path.stem)
    return stem if stem != "data" else file.path.parent.name


def _columns(file: File, about: Mapping[str, Any], options: Options) -> dict[str, Any]:
    """The columns of a file, labels by their names."""
    if file.footer:
        columns = columns_of_file(file)
        at = file.footer.find(b'{"info"')
        about = {**about, **_features(file.footer[at:].decode("utf-8", "replace"))}
    else:
        records = [row for _, row in file.records(options) if isinstance(row, dict)]
        columns = columns_of_records(records)
    return {n: _named(cells, [about.get(n)]) for n, cells in columns.items()}


def _features(text: str) -> dict[str, Any]:
    """What the library writes about its columns."""
    try:
        found = json.JSONDecoder().raw_decode(text)[0]["info"]["features"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _named(cell: Any, feature: Any) -> Any:
    """A cell with labels by their names; -1 is what the library writes for none."""
    inner = feature[0] if isinstance(feature, list) and feature else feature
    if isinstance(inner, dict) and "feature" in inner and "_type" in inner:
        inner = inner["feature"]
    if isinstance(cell, list):
        return [_named(c, inner) for c in cell]
    if isinstance(cell, dict) and isinstance(inner, dict):
        return {k: _named(c, inner.get(k)) for k, c in cell.items()}
    if not isinstance(inner, dict) or inner.get("_type") != "ClassLabel" or type(cell) is not int:
        return cell
    names = inner.get("names")
    if not isinstance(names, list) or not names:
        return cell
    return str(names[cell]) if 0 <= cell < len(names) else None


def _below(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The columns of several files below one another."""
    sizes = [len(next(iter(p.values()), ())) for p in parts]
    names = dict.fromkeys(n for p in parts for n in p)
    return {
        n: [x for p, size in zip(parts, sizes, strict=True) for x in p.get(n, [None] * size)]
        for n in names
    }


# ------------------------------------------------------------------ writing


def _write(data: Annotations, path: Path) -> tuple[str, ...]:
    """A folder with the annotations, a row each, and a card that describes them."""
    sheet, lost = LAYOUTS["long"](data)
    (path / "data").mkdir(parents=True)
    FORMATS[".parquet"](for_format(sheet, ".parquet", data), path / "data" / "train.parquet")
    card = _card(data, path.name)
    (path / "README.md").write_text(card, encoding="utf-8", newline="\n")
    spans = data.spans is not None
    told = ("where spans begin and end is not written, only what labels each item got",) * spans
    return (*lost, *told, "the card names no license: add one to its head before you publish it")


def _card(data: Annotations, name: str) -> str:
    """The card: a head in YAML, and what a row is."""
    lines = [
        "---",
        f"pretty_name: {json.dumps(name, ensure_ascii=False)}",
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: train",
        "    path: data/train.parquet",
        "---",
        "",
        f"# {name}",
        "",
        f"{count_of(len(data), 'annotation')} of {count_of(len(data.items), 'item')} by "
        f"{count_of(len(data.coders), 'coder')}, a row for each "
        "annotation: the labels of all coders, not one label for each item.",
        "",
    ]
    return "\n".join(lines)


FORMAT = Format("Hugging Face", _takes, _read, _write, of_columns=True)
