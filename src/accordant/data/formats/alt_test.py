"""The alternative annotator test: ``{coder: {item: label}}``, as JSON or as Python has it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...actions import Action, Notice
from ...errors import InputError
from ..labels import RARE, codes_of_nothing
from ..names import coder_like, role_of
from ..options import Options
from .answers import Answer, as_label, put, sort_out, source_of
from .format import File, Format
from .import_report import Import
from .records import Label, Records

Nested: TypeAlias = Mapping[Any, Mapping[Any, Any]]
NONE = "-1"  # what the test's authors write where a coder did not annotate an item
_SCALAR = str | int | float | None
_ENTRY = re.compile(
    r'\s*\{\s*"([^"\\]*)"\s*:\s*\{\s*"([^"\\]*)"\s*:\s*("[^"\\]*"|null|true|false|\[|-?[\d.]+)'
)


def _nested(source: Any) -> bool:
    return (
        isinstance(source, Mapping)
        and len(source) > 0
        and all(isinstance(own, Mapping) for own in source.values())
        and any(source.values())
    )


def _takes(file: File) -> bool:
    found, whole = _ENTRY.match(file.head), file.record
    if not found or any(map(role_of, found.group(1, 2))):
        return False
    if not isinstance(whole, dict):
        return True
    inner = [n for own in whole.values() if isinstance(own, dict) for n in own]
    return _nested(whole) and not any(map(role_of, inner[:200]))


def _read(files: Sequence[File], options: Options) -> Import:
    taken, beside = sort_out(files, _takes)
    to = Records("JSON with the labels of each coder", source_of(taken))
    found = dict[str, Mapping[Any, Any]]()
    for file in taken:
        values = [value for _, value in file.records(options)]
        if len(values) != 1 or not isinstance(values[0], dict):
            raise InputError(
                f"one JSON object is needed, this file has {len(values):,} values", file=file.source
            )
        for coder, own in values[0].items():
            if isinstance(own, dict):
                found[coder if coder not in found else f"{file.path.stem}: {coder}"] = own
            else:
                to.leave_out("entries that are no coders")
    items = {str(k) for own in found.values() for k in own}
    for file in beside:  # the labels of a model: {item: label}
        if isinstance(file.record, dict) and items & set(file.record):
            found[file.path.stem] = file.record
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
    if not cells:
        raise InputError("no cell holds a label", file=to.source)
    turned, sure = _turned({o for o, _, _ in cells}, {i for _, i, _ in cells})
    if options.layout is not None:
        turned, sure = options.layout == "wide", True
    to.columns = {"coder": f"the {'inner' if turned else 'outer'} keys", "label": "the values"}
    to.columns |= {"item": f"the {'outer' if turned else 'inner'} keys"}
    said = f"{to.columns['coder']} are read as coders, {to.columns['item']} as items"
    if sure:
        to.notes.append(said)
    else:
        way = Action("", {"layout": "transposed" if turned else "wide"}, "if it is the other way")
        to.warnings.append(Notice(said, way))
    n = sum(str(label) in (NONE, "-1.0") for *_, label in cells)
    known = NONE in options.missing or options.categories is not None
    labels, rare = {x for *_, x in cells}, n < RARE * len(cells)
    asked = codes_of_nothing(labels, rare=rare) or any(isinstance(x, str) for x in labels)
    if 0 < n < len(cells) and not known and not asked:
        way = Action("", {"missing": NONE}, "if it means that nothing was given")
        told = "label -1 counts as a category, but often stands for an item that a coder did not"
        to.warnings.append(Notice(f"{told} annotate", way))
    return [Answer(i, o, x) if not turned else Answer(o, i, x) for o, i, x in cells]


def _turned(outer: set[str], inner: set[str]) -> tuple[bool, bool]:
    """Whether the inner keys are the coders, and whether that is hardly in doubt.

    Names speak ('annotator 1' against 'text 7'), and coders are fewer than items; where neither
    does, the coders are outside, as the test's authors have them.
    """
    names, few = _called(inner) - _called(outer), len(inner) <= 2 * len(outer)
    if names:
        return names > 0 and few, names < 0 or few
    return 2 * len(inner) < len(outer), len(inner) > len(outer)


def _called(names: set[str]) -> int:
    """1 for names of coders, -1 for numbered ones of other things."""
    return 1 if all(map(coder_like, names)) else -all(re.search(r"\d", n) for n in names)


FORMAT = Format("AltTest", _takes, _read)
