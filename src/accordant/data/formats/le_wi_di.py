"""Learning With Disagreements: JSON with an entry for each item, of 2023 and of 2025."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from ...errors import InputError
from ..names import role_of
from ..options import Options
from .answers import Answer, as_label, read_answers, shown
from .entries import first_entry, whole_object
from .format import File, Format
from .records import Label, Records

__all__ = ["FORMAT"]

Record: TypeAlias = Mapping[str, Any]
OTHER, INFO = "other annotations", "other_info"


def _takes(file: File) -> bool:
    found = first_entry(file)
    if found is None or role_of(found[0]) is not None:
        return False
    return any(role_of(name) in ("item", "coder", "label", "text") for name in found[1])


def _answers(files: Sequence[File], options: Options, to: Records) -> Iterator[Answer]:
    given, hard, aggregated = 0, 0, False
    for file in files:
        for row, (key, entry) in enumerate(whole_object(file, options).items(), 1):
            if not isinstance(entry, dict):
                to.leave_out("entries that are no items")
                continue
            item = key if len(files) == 1 else f"{_split_of(entry)}{key}"
            found = list(_of_item(entry, Answer(item, "", row=row), to))
            given += len(found)
            aggregated |= not found and any("label" in str(k).casefold() for k in entry)
            hard += "hard_label" in entry
            to.about(item, shown(_parsed(entry.get("text"))), _facts(entry))
            yield from found
    if not given:
        said = "labels, but not who gave which" if aggregated else "no annotations"
        raise InputError(
            f"this is one JSON object with an entry for each item that holds {said}. Agreement "
            "needs each coder's labels, as annotators and annotations in each entry, or a JSON "
            "object for each annotation, one a line, with item, coder and label",
            file=to.source,
        )
    if hard:
        to.notes.append(
            "'hard_label' is kept as item metadata and is no known label: where coders were "
            "divided equally it was drawn at random"
        )


def _split_of(entry: Record) -> str:
    """Which part an entry is of: keys begin anew in each file."""
    part = entry.get("split")
    return f"{part}:" if isinstance(part, str) else ""


def _of_item(entry: Record, whole: Answer, to: Records) -> Iterator[Answer]:
    info = entry.get(INFO)
    other = info.get(OTHER) if isinstance(info, dict) else None
    task = entry.get("annotation task")
    main = str(task) if isinstance(other, dict) and isinstance(task, str) else ""
    soft = entry.get("soft_label")
    several = isinstance(soft, dict) and any(isinstance(v, dict) for v in soft.values())
    questions = {main: entry.get("annotations")} | (other if isinstance(other, dict) else {})
    for question, given in questions.items():
        pairs = _pairs(given, entry.get("annotators"))
        if pairs is None:
            to.leave_out("entries whose annotations and annotators do not match")
            continue
        for coder, value in pairs:
            well, label = _label(value, several=several)
            if not well or coder is None:
                to.leave_out("annotations that are no labels")
            else:
                yield whole._replace(coder=coder, question=str(question), label=label)


def _pairs(given: Any, annotators: Any) -> list[tuple[Any, Any]] | None:
    """Each coder with what they said; None if that cannot be told."""
    if isinstance(given, dict):
        return list(given.items())
    if isinstance(given, list) and any(isinstance(g, dict) for g in given):
        found = [_by_role(g) for g in given if isinstance(g, dict)]
        return found if len(found) == len(given) else None
    said, who = _split(given), _split(annotators)
    if said is None or who is None or len(said) != len(who):
        return None
    return list(zip(who, said, strict=True))


def _by_role(one: Record) -> tuple[Any, Any]:
    """The coder and the label of an object for each annotation."""
    roles = {role_of(str(k)): v for k, v in one.items()}
    coder = roles.get("coder")
    return coder if isinstance(coder, str | int) else None, roles.get("label")


def _split(cell: Any) -> list[Any] | None:
    if isinstance(cell, str):
        return [part.strip() for part in cell.split(",")]
    return cell if isinstance(cell, list) else None


def _label(value: Any, *, several: bool) -> tuple[bool, Label]:
    """A category; several where the task lets coders give them, separated by commas."""
    if several and isinstance(value, str):
        return True, tuple(part.strip() for part in value.split(",") if part.strip())
    well, label = as_label(value)
    return well and label is not None, label


def _parsed(text: Any) -> Any:
    """What was shown; ConvAbuse keeps it as JSON in a text."""
    if isinstance(text, str) and text[:1] == "{":
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text


def _facts(entry: Record) -> dict[str, Any]:
    """What else is said of an item: the label drawn from the coders' among it."""
    known = {"text", "annotations", "annotators", "annotation task"}
    return {str(k): v for k, v in entry.items() if k not in known}


COLUMNS = {"item": "the key of the entry", "coder": "annotators", "label": "annotations"}
LAYOUT = "JSON with an entry for each item (Le-Wi-Di)"
FORMAT = Format("Le-Wi-Di", _takes, read_answers(LAYOUT, COLUMNS, _takes, _answers))
