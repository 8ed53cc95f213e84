"""The alternative annotator test: ``{coder: {item: label}}``, as JSON or as Python has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log2
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...actions import Action, Notice
from ...errors import InputError
from ..column_pairs import agreement
from ..labels import codes_of_nothing
from ..names import coder_like, role_of, words_of
from ..options import Options
from ..plan import NAME, ORIENT, WARNS
from .answers import Answer, as_label, put, sort_out, source_of
from .entries import first_entry, whole_object
from .format import File, Format
from .import_report import Import
from .records import Label, Records

__all__ = ["FORMAT", "of_mapping"]

Nested: TypeAlias = Mapping[Any, Mapping[Any, Any]]
NONE = "-1"  # what the test's authors write where a coder did not annotate an item
_SCALAR = str | int | float | None
WORD = 4.0  # times what a short name such as 'c1' says
USUAL, SIZES = 2.0, 3.0  # bits: the test's authors have coders outside; most for a difference


def of_mapping(source: Any, options: Options) -> Import | None:
    """A dict of dicts as annotations; None if it is another thing, such as columns by row."""
    if not _nested(source) or any(role_of(str(name)) for name in source):
        return None
    if any(
        not isinstance(v, _SCALAR | list | tuple) for own in source.values() for v in own.values()
    ):
        return None
    to = Records("a dict of dicts", "dict", {"coder": "the outer keys", "item": "the inner keys"})
    put(_answers(source, to, options), to, options)
    return to.done()


def _nested(source: Any) -> bool:
    return (
        isinstance(source, Mapping)
        and len(source) > 0
        and all(isinstance(own, Mapping) for own in source.values())
        and any(source.values())
    )


def _takes(file: File) -> bool:
    found = first_entry(file)
    if found is None or not found[1] or role_of(found[0]) is not None:
        return False
    scalar = all(isinstance(v, _SCALAR) and not isinstance(v, bool) for v in found[1].values())
    whole = file.record
    alike = not isinstance(whole, dict) or _nested(whole)
    return scalar and alike and not any(role_of(name) for name in found[1])


def _read(files: Sequence[File], options: Options) -> Import:
    taken, beside = sort_out(files, _takes)
    to = Records(
        "JSON with the labels of each coder (alternative annotator test)",
        source_of(taken),
        {"coder": "the outer keys", "item": "the inner keys", "label": "the values"},
    )
    found = dict[str, Mapping[Any, Any]]()
    for file in taken:
        for coder, own in whole_object(file, options).items():
            if not isinstance(own, dict):
                to.leave_out("entries that are no coders")
            else:
                found[coder if coder not in found else f"{file.path.stem}: {coder}"] = own
    items = {str(k) for own in found.values() for k in own}
    for file in beside:  # the labels of a model: {item: label}
        record = file.record
        if isinstance(record, dict) and items & set(record):
            found[file.path.stem] = record
            to.notes.append(f"{file.source!r} is read as a coder of that name")
        else:
            to.leave_out("files beside the export")
    put(_answers(found, to, options), to, options)
    return to.done()


def _answers(found: Nested, to: Records, options: Options) -> list[Answer]:
    """An answer of each coder to each item; turned where the inner keys are the coders."""
    cells = list[tuple[str, str, Label]]()  # outer key, inner key, label
    for outer, own in found.items():
        for name, value in own.items():
            well, label = as_label(value)
            if well and label is not None:
                cells.append((str(outer), str(name), label))
            else:
                to.leave_out("cells that hold no label")
    bits = _for_inner_coders(found, cells)
    turned = bits > 0 if options.layout is None else options.layout == "wide"
    ways = [
        Action("", {"layout": "transposed"}, "if the outer keys are the coders"),
        Action("", {"layout": "wide"}, "if the inner keys are the coders"),
    ]
    if turned:
        to.columns = {**to.columns, "coder": "the inner keys", "item": "the outer keys"}
        said = "the outer keys are read as items, the inner ones as coders"
    else:
        said = "the outer keys are read as coders, the inner ones as items"
    if options.layout is None and abs(bits) < WARNS:
        to.warnings.append(Notice(said, *(ways[::-1] if turned else ways)))
    else:
        to.notes.append(said)
    pairs = [(inner, outer) if not turned else (outer, inner) for outer, inner, _ in cells]
    answers = [Answer(*pair, label) for pair, (_, _, label) in zip(pairs, cells, strict=True)]
    _doubt(answers, to, options)
    return answers


def _for_inner_coders(found: Nested, cells: Sequence[tuple[str, str, Label]]) -> float:
    """Bits for the inner keys being the coders, against the outer ones.

    Names speak, but not alone: ids of items may look like 'c001'. Coders are fewer than items,
    and the labels of an item are alike.
    """
    inner = list(dict.fromkeys(str(k) for own in found.values() for k in own))
    outer = [str(k) for k in found]
    names = _called(inner) - _called(outer)
    sizes = max(-SIZES, min(SIZES, log2(len(outer) / max(1, len(inner)))))
    by_outer, by_inner, label = (_numbered(cell[k] for cell in cells) for k in (0, 1, 2))
    alike = agreement(label, by_outer) - agreement(label, by_inner)
    return NAME * names + sizes + 2 * ORIENT * alike - USUAL


def _called(names: Sequence[str]) -> float:
    """How much names say that they are of coders: 'annotator 1' more than 'c1', 'item 1' less."""
    roles = [{role_of(word) for word in words_of(name)} for name in names]
    for role, times in (("coder", WORD), ("item", -WORD)):
        if roles and all(role in found for found in roles):
            return times
    return float(all(map(coder_like, names)))


def _numbered(cells: Iterable[Label]) -> NDArray[np.int64]:
    """(N,) the same number for the same cell."""
    known = dict[Label, int]()
    return np.array([known.setdefault(cell, len(known)) for cell in cells], np.int64)


def _doubt(answers: Sequence[Answer], to: Records, options: Options) -> None:
    """-1 often means that a coder did not annotate an item, also where labels are no scale."""
    n = sum(str(a.label) in (NONE, "-1.0") for a in answers)
    known = NONE in options.missing or options.categories is not None
    asked = codes_of_nothing({a.label for a in answers})
    if n and n < len(answers) and not known and not asked:
        to.warnings.append(
            Notice(
                f"label -1 ({n:,} times) counts as a category, but often stands for an item that a "
                "coder did not annotate",
                Action("", {"missing": NONE}, "if it means that nothing was given"),
            )
        )
    if not answers:
        raise InputError("no cell holds a label", file=to.source)


FORMAT = Format("AltTest", _takes, _read)
