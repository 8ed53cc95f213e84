"""Answers of coders as the readers of platforms gather them: files, labels and spans alike."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..annotations import Status
from ..options import Options
from .format import File
from .import_report import Import
from .records import Label, Records

__all__ = [
    "Answer",
    "Span",
    "as_label",
    "owners",
    "put",
    "read_answers",
    "shown",
    "sort_out",
    "source_of",
]

_FEW, _LONG = 20, 30  # answers from which a share counts; characters of an answer in own words
_MANY = 10  # labels, more than half of which were given once


class Span(NamedTuple):
    """A part of a text with its label, ``end`` excluded; None of a picture."""

    start: int | None
    end: int | None
    label: str


class Answer(NamedTuple):
    """What a coder said to one question about one item; as `Records` takes it.

    The coder is None for whoever is known to be right, the question None for each of the file.
    Spans are instead of a label, with the text that they are of.
    """

    item: object
    coder: object | None
    label: Label = None
    question: str | None = ""
    status: Status = Status.ANSWERED
    row: int | None = None
    sets: bool = True
    time: float = 0.0
    spans: Sequence[Span] | None = None
    text: str | None = None
    tokens: Sequence[tuple[int, int]] | None = None


def sort_out(files: Sequence[File], takes: Callable[[File], bool]) -> tuple[list[File], list[File]]:
    """The files of a format, and those beside them."""
    taken = [f for f in files if takes(f)]
    return taken, [f for f in files if f not in taken]


def read_answers(
    layout: str,
    columns: Mapping[str, str],
    takes: Callable[[File], bool],
    answers: Callable[[Sequence[File], Options, Records], Iterable[Answer]],
) -> Callable[[Sequence[File], Options], Import]:
    """The reader of a format of which ``answers`` walks the files; others are counted."""

    def read(files: Sequence[File], options: Options) -> Import:
        taken, beside = sort_out(files, takes)
        to = Records(layout, source_of(taken), columns, options.spans)
        to.leave_out("files beside the export", len(beside))
        put(answers(taken, options, to), to, options)
        return to.done()

    return read


def source_of(files: Sequence[File]) -> str:
    """What messages call the files."""
    return files[0].source if len(files) == 1 else f"{len(files)} files"


def owners(files: Sequence[File]) -> list[str]:
    """A coder for each file: its name, or that of its folder where all files are called alike."""
    stems = [f.path.stem for f in files]
    folders = [
        f.path.parent.name or (f.local.resolve().parent.name if f.local else "") for f in files
    ]
    if len(set(stems)) == len(files) and not (len(files) == 1 and stems[0] == "user_state"):
        return stems
    if len(set(folders)) == len(files):
        return folders
    return [f"{folder}/{stem}" for folder, stem in zip(folders, stems, strict=True)]


def as_label(value: Any) -> tuple[bool, Label]:
    """Whether a JSON value is an answer, and the answer: a category, or several of a list."""
    if isinstance(value, bool | int | str) or value is None:
        return True, value
    if isinstance(value, float):
        return True, value if math.isfinite(value) else None
    if isinstance(value, list | tuple) and all(isinstance(v, str | int | float) for v in value):
        return True, tuple(map(str, value))
    return False, None


def put(answers: Iterable[Answer], to: Records, options: Options) -> None:
    """Add answers: the newest of each coder, without questions that are answered in own words."""
    found = list(answers)
    for question in _own_words(found):
        kept = [a for a in found if a.question != question]
        to.leave_out("answers in the coders' own words", len(found) - len(kept))
        found = kept
    for question, words in _said(found).items():
        n = len(set(words))
        if n >= _MANY and 2 * n > len(words):
            of = f" to question {question!r}" if question else ""
            told = f"{n:,} different labels in {len(words):,} answers{of}"
            to.warnings.append(f"{told}: perhaps texts in the coders' own words, which are none")
    if options.duplicates == "error":
        newest = dict[tuple[str, str | None, str | None], Answer]()
        for a in sorted(found, key=lambda a: a.time):
            newest[str(a.item), a.question, None if a.coder is None else str(a.coder)] = a
        to.leave_out("earlier annotations of an item by the same coder", len(found) - len(newest))
        kept_ids = {id(a) for a in newest.values()}
        found = [a for a in found if id(a) in kept_ids]
    for a in found:
        if a.spans is not None:
            to.looked(
                a.item,
                a.coder,
                question=a.question,
                text=a.text,
                tokens=a.tokens,
                status=a.status,
                row=a.row,
            )
            for start, end, label in a.spans:
                to.span(a.item, a.coder, start, end, label, a.question or "")
        elif a.question is None:
            to.every(a.item, a.coder, a.status, a.row)
        elif a.coder is None:
            to.gold(a.item, a.label, a.question)
        else:
            to.add(
                a.item,
                a.coder,
                a.label,
                question=a.question,
                status=a.status,
                row=a.row,
                sets=a.sets,
            )


def _own_words(answers: Sequence[Answer]) -> list[str | None]:
    """Questions that coders answered in their own words: hardly any answer is given twice."""
    return [q for q, words in _said(answers).items() if _free(words)]


def _said(answers: Sequence[Answer]) -> Mapping[str | None, list[str]]:
    """The words that were given to each question, numbers apart."""
    said = defaultdict[str | None, list[str]](list)
    for a in answers:
        labels = a.label if isinstance(a.label, tuple | list) else [a.label]
        said[a.question].extend(x for x in labels if isinstance(x, str) and not x.isdecimal())
    return {q: words for q, words in said.items() if words}


def _free(words: Sequence[str]) -> bool:
    share = len(set(words)) / len(words)
    long = sum(len(w) > _LONG and " " in w for w in words) / len(words)
    sentences = sum(w.count(" ") > 2 for w in words) / len(words)
    own = len(words) >= _FEW and share > 0.8 and (long > 0.1 or sentences > 0.5)
    return own or (long > 0.5 and share > 0.3)


def shown(value: Any) -> str | None:
    """A text as an item shows it; of several parts each with its name."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and value and all(isinstance(v, str) for v in value.values()):
        return "\n".join(f"{name}: {part}" for name, part in value.items())
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else None
