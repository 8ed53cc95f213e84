"""The alternative annotator test: ``{coder: {item: label}}``, as JSON or as Python has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ...errors import InputError
from ...messages import Action, Notice
from ..names import coder_like, role_of
from ..options import Options
from .answers import Answer, as_label, put, sort_out, source_of
from .entries import first_entry, whole_object
from .format import File, Format
from .records import Import, Records

__all__ = ["FORMAT", "of_mapping"]

Nested: TypeAlias = Mapping[Any, Mapping[Any, Any]]
NONE = "-1"  # what the test's authors write where a coder did not annotate an item
_SCALAR = str | int | float | None


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
        "JSON with the labels of each coder (alternative annotator test)", source_of(taken),
        {"coder": "the outer keys", "item": "the inner keys", "label": "the values"},
    )  # fmt: skip
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
    """An answer of each coder to each item; turned where the names say so."""
    inner = list(dict.fromkeys(str(k) for own in found.values() for k in own))
    turned = all(map(coder_like, inner)) and not all(coder_like(str(k)) for k in found)
    answers = list[Answer]()
    for outer, own in found.items():
        for name, value in own.items():
            well, label = as_label(value)
            coder, item = (name, outer) if turned else (outer, name)
            if well and label is not None:
                answers.append(Answer(str(item), str(coder), label))
            else:
                to.leave_out("cells that hold no label")
    if turned:
        to.notes.append("the outer keys are read as items, the inner ones as coders")
    else:
        to.notes.append("the outer keys are read as coders, the inner ones as items")
    _doubt(answers, to, options)
    return answers


def _doubt(answers: Sequence[Answer], to: Records, options: Options) -> None:
    """-1 often means that a coder did not annotate an item."""
    n = sum(str(a.label) in (NONE, "-1.0") for a in answers)
    known = NONE in options.missing or options.categories is not None
    if n and n < len(answers) and not known:
        to.warnings.append(Notice(
            f"label -1 ({n:,} times) counts as a category, but often stands for an item that a "
            "coder did not annotate",
            Action("", {"missing": NONE}, "if it means that nothing was given"),
        ))  # fmt: skip
    if not answers:
        raise InputError("no cell holds a label", file=to.source)


FORMAT = Format("AltTest", _takes, _read)
