"""Data sets of Hugging Face: folders with arrow or Parquet files, labels by their names."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ...errors import InputError
from ..annotations import Annotations
from ..names import fact_like, role_of, words_of
from ..options import Options
from ..recognition import recognise
from ..sheet import FORMATS, LAYOUTS, for_format
from ..table import Table, encode
from .answers import Answer, as_label, put, shown, sort_out, source_of
from .format import File, Format
from .import_report import Import
from .parquet import records_of_parquet
from .records import Label, Records

__all__ = ["FORMAT"]

Row: TypeAlias = Mapping[str, Any]
ARROW = (b"ARROW1\0\0", b"\xff\xff\xff\xff")
LISTED = ("annotations", "annotators", "annotator_labels", "annotator_ids")
SHARES = ("label_count", "label_dist", "label_counter", "label_distribution")
INFO = ("dataset_info.json", "state.json", "dataset_dict.json")
_NOTICES = (".json", ".md", ".lock")  # files beside the data that hold no annotations


def _takes(file: File) -> bool:
    if file.footer:
        named = [w for w in (*LISTED, *SHARES) if f"{w}".encode() in file.footer]
        return b'"ClassLabel"' in file.footer.replace(b"\\", b"") or len(named) > 1
    if file.start.startswith(ARROW):
        return True
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
    names = dict[str, list[str]]()
    rows = [(f, k, row) for f in kept for k, row in enumerate(_rows(f, options, names), 1)]
    for file in taken:
        if file.path.name == INFO[0] and isinstance(file.record, dict):
            names |= _class_names(file.record.get("features"))
    columns = list(dict.fromkeys(str(name) for _, _, row in rows for name in row))
    several = len({f.path.parent for f in kept}) > 1
    to = Records("Hugging Face data set", source)
    to.leave_out(
        "files beside the data", sum(f.suffix not in _NOTICES for f in beside if f not in kept)
    )
    to.leave_out("files of the cache", len(data) - len(kept))
    named = [{n: _named(cell, names.get(str(n))) for n, cell in row.items()} for _, _, row in rows]
    coders, labels = _lists(columns, named, options)
    if labels:
        places = [(f"{f.path.parent.name}:" if several else "", k) for f, k, _ in rows]
        key = options.item or next(
            (c for c in columns if role_of(c) == "item" and c not in labels), None
        )
        to.columns = {} if key is None else {"item": key}
        to.columns |= {"coder": coders or "not named", "label": ", ".join(labels)}
        put(_answers(named, places, (key, coders), labels, to), to, options)
        return to.done()
    if not any(role_of(c) == "coder" for c in columns):
        _refuse(columns, source)
    table = Table(source, tuple(encode(c, [row.get(c) for row in named]) for c in columns))
    plan = recognise(table, options)
    labels = list(dict.fromkeys(c.column for c in plan.cells))
    roles = {"item": plan.item, "coder": plan.coder, "label": ", ".join(labels)}
    return Import(
        "Hugging Face data set",
        {k: v for k, v in roles.items() if v},
        (table,),
        (plan,),
        notes=plan.notes,
        warnings=plan.warnings,
        left_out=tuple(to.left_out.items()),
    )


def _refuse(columns: Sequence[str], source: str) -> None:
    """What coders said of an item together, without them."""
    found = [c for c in columns if c in SHARES]
    if found:
        raise InputError(
            f"the columns {', '.join(map(repr, found))} say how often each label was given, not by "
            "whom. Agreement needs the labels of each coder; look for a version of the data set "
            "before aggregation",
            file=source,
        )


def _rows(file: File, options: Options, names: dict[str, list[str]]) -> Iterator[Row]:
    """The rows of a file; names of labels that it holds itself are added to ``names``."""
    if file.footer:
        at = file.footer.find(b'{"info"')
        names |= _class_names(_features(file.footer[at:].decode("utf-8", "replace")))
        yield from records_of_parquet(file)
    elif file.start.startswith(ARROW):
        yield from _of_arrow(file, names)
    else:
        yield from (row for _, row in file.records(options) if isinstance(row, dict))


def _of_arrow(file: File, names: dict[str, list[str]]) -> list[Row]:
    try:
        import pyarrow as pa
    except ImportError:
        raise InputError(
            "this is an arrow file; to read it install pyarrow, or save the data set with "
            "to_parquet",
            file=file.source,
        ) from None
    try:
        content = pa.BufferReader(file.load())
        is_file = file.start.startswith(ARROW[0])
        opened = pa.ipc.open_file(content) if is_file else pa.ipc.open_stream(content)
        table = opened.read_all()
        table.validate(full=True)  # a damaged file would crash what reads its cells
        rows: list[Row] = table.to_pylist()
    except (pa.ArrowException, OSError, ValueError, OverflowError, KeyError) as error:
        raise InputError(
            f"the arrow file cannot be read, it may be damaged: {str(error)[:200]!r}",
            file=file.source,
        ) from None
    about = (table.schema.metadata or {}).get(b"huggingface", b"")
    names |= _class_names(_features(about.decode("utf-8", "replace")))
    return rows


def _features(text: str) -> Any:
    try:
        found = json.JSONDecoder().raw_decode(text)[0]
        return found["info"]["features"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return None


def _class_names(features: Any) -> dict[str, list[str]]:
    """The names of the labels of each column that is a ClassLabel, or a list of them."""
    found = dict[str, list[str]]()
    for column, feature in features.items() if isinstance(features, dict) else ():
        inner = feature[0] if isinstance(feature, list) and feature else feature
        if isinstance(inner, dict) and isinstance(inner.get("feature"), dict):
            inner = inner["feature"]
        if isinstance(inner, dict) and inner.get("_type") == "ClassLabel":
            names = inner.get("names")
            if isinstance(names, list):
                found[str(column)] = [str(n) for n in names]
    return found


def _named(cell: Any, names: Sequence[str] | None) -> Any:
    """A label by its name; -1 is what the library writes for none."""
    if names is None:
        return cell
    if isinstance(cell, list):
        return [_named(c, names) for c in cell]
    if isinstance(cell, int) and not isinstance(cell, bool):
        return names[cell] if 0 <= cell < len(names) else None
    return cell


def _lists(columns: Sequence[str], rows: Sequence[Row], options: Options) -> tuple[str, list[str]]:
    """The column that lists the coders of an item, and those that list what each said.

    Those that the user names, as far as these are lists.
    """
    lists = [c for c in columns if c not in SHARES and _all_lists(c, rows)]
    named = [*options.coder] or [c for c in lists if role_of(c) == "coder" or c in LISTED[3:]]
    coders = next((c for c in named if c in lists), "")
    said = [c for c in options.label if c in lists]
    if options.label:
        return coders, said
    if coders:
        same = [
            c
            for c in lists
            if c != coders and all(len(r.get(c) or ()) == len(r.get(coders) or ()) for r in rows)
        ]
        told = [c for c in same if any(role_of(w) == "label" for w in (c, *words_of(c)))]
        return coders, told or [c for c in same if not fact_like(c)] or same
    return "", [c for c in lists if c in LISTED]


def _all_lists(column: str, rows: Sequence[Row]) -> bool:
    cells = [row.get(column) for row in rows if row.get(column) is not None]
    return bool(cells) and all(isinstance(c, list) for c in cells)


def _answers(
    rows: Sequence[Row],
    places: Sequence[tuple[str, int]],
    by: tuple[str | None, str],
    labels: Sequence[str],
    to: Records,
) -> Iterator[Answer]:
    """Lists of coders and of labels that are parallel, an item a row.

    ``by`` are the columns of the items and of the coders.
    """
    key, coders = by
    if not coders:
        to.notes.append("coders are not named; they are read as the places of the lists")
    for row, (part, k) in zip(rows, places, strict=True):
        item = f"{part}{k if key is None else row.get(key)}"
        text = next((v for c, v in row.items() if role_of(str(c)) == "text"), None)
        to.about(
            item,
            shown(text),
            {
                str(c): v
                for c, v in row.items()
                if c not in (key, coders, *labels) and v is not text
            },
        )
        for question in labels:
            cells = row.get(question) or []
            who = row.get(coders) or [] if coders else [f"slot {n + 1}" for n in range(len(cells))]
            if len(who) != len(cells):
                raise InputError(
                    f"the lists {coders!r} and {question!r} of an item are not equally long "
                    f"({len(who):,} and {len(cells):,}), so who gave which label is not known",
                    file=to.source,
                    row=k,
                )
            for coder, value in zip(who, cells, strict=True):
                well, label = as_label(value)
                if not well or coder is None or label is None:
                    to.leave_out("cells that hold no label")
                else:
                    name: Label = label
                    yield Answer(item, coder, name, question if len(labels) > 1 else "", row=k)


# ------------------------------------------------------------------ writing


def _write(data: Annotations, path: Path) -> tuple[str, ...]:
    """A folder with the annotations, a row each, and a card that describes them."""
    sheet, lost = LAYOUTS["long"](data)
    (path / "data").mkdir(parents=True)
    FORMATS[".parquet"](for_format(sheet, ".parquet", data), path / "data" / "train.parquet")
    card = _card(data, path.name, [f.name for f in sheet])
    (path / "README.md").write_text(card, encoding="utf-8", newline="\n")
    spans = data.spans is not None
    told = ("where spans begin and end is not written, only what labels each item got",) * spans
    return (*lost, *told, "the card names no license: add one to its head before you publish it")


def _card(data: Annotations, name: str, columns: Sequence[str]) -> str:
    """The card: a head in YAML, and what the columns are."""
    known = [f"| `{c}` | {_COLUMNS.get(c, 'further information on the item')} |" for c in columns]
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
        f"{len(data):,} annotations of {len(data.items):,} items by {len(data.coders):,} coders, a "
        "row for each annotation: the labels of all coders, not one label for each item.",
        "",
        "| column | what it holds |",
        "|---|---|",
        *known,
    ]
    return "\n".join([*lines, ""])


_COLUMNS = {
    "item": "the id of the item",
    "question": "what the coders were asked",
    "coder": "who annotated",
    "label": "the label, or the list of labels, that the coder gave",
    "status": "answered, answered empty, skipped, draft, not applicable or not assigned",
    "text": "what the coders read",
}


FORMAT = Format("Hugging Face", _takes, _read, _write, of_columns=True)
