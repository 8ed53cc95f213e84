"""Answers of coders as the readers of platforms gather them: files, labels and spans alike."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...errors import InputError
from ...messages import Action
from ..annotations import Status
from ..options import Options
from .format import File
from .records import Label, Records

__all__ = ["Answer", "Span", "as_label", "owners", "put", "sort_out", "source_of", "span_answers"]

_TOKEN = re.compile(r"\w+|[^\w\s]")
OUTSIDE = "O"  # of a token without a label, as CoNLL has it
_FEW, _LONG = 20, 30  # answers from which a share counts; characters of an answer in own words


class Answer(NamedTuple):
    """What a coder said to one question about one item; as `Records.add` takes it."""

    item: object
    coder: object
    label: Label
    question: str = ""
    status: Status = Status.ANSWERED
    row: int | None = None
    sets: bool = True
    time: float = 0.0


class Span(NamedTuple):
    """A part of a text with its label; ``end`` is the character after it."""

    start: int
    end: int
    label: str


def sort_out(files: Sequence[File], takes: Callable[[File], bool]) -> tuple[list[File], list[File]]:
    """The files of a format, and those beside them."""
    taken = [f for f in files if takes(f)]
    return taken, [f for f in files if f not in taken]


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
    if options.duplicates == "error":
        newest = dict[tuple[str, str, str], Answer]()
        for answer in sorted(found, key=lambda a: a.time):
            newest[str(answer.item), answer.question, str(answer.coder)] = answer
        to.leave_out("earlier annotations of an item by the same coder", len(found) - len(newest))
        kept_ids = {id(a) for a in newest.values()}
        found = [a for a in found if id(a) in kept_ids]
    for a in found:
        to.add(a.item, a.coder, a.label, question=a.question, status=a.status, row=a.row,
               sets=a.sets)  # fmt: skip


def _own_words(answers: Sequence[Answer]) -> list[str]:
    """Questions that coders answered in their own words: hardly any answer is given twice."""
    said = defaultdict[str, list[str]](list)
    for a in answers:
        labels = a.label if isinstance(a.label, tuple | list) else [a.label]
        said[a.question].extend(x for x in labels if isinstance(x, str))
    return [q for q, words in said.items() if words and _free(words)]


def _free(words: Sequence[str]) -> bool:
    share = len(set(words)) / len(words)
    long = sum(len(w) > _LONG and " " in w for w in words) / len(words)
    return (long > 0.5 and share > 0.3) or (len(words) >= _FEW and share > 0.8 and long > 0.1)


def span_answers(
    whole: Answer,
    spans: Sequence[Span],
    text: str | None,
    tokens: Sequence[tuple[int, int]] | None,
    options: Options,
    to: Records,
) -> Iterator[Answer]:
    """What spans say about an item: the set of their labels, or a label for each token.

    Parameters
    ----------
    whole : Answer
        The item, coder, question and status; its label is replaced.
    tokens : sequence of pairs, optional
        Start and end of each token; without it words and marks of the text.

    Raises
    ------
    InputError
        If tokens are asked for and the export has no text.
    """
    if options.spans == "labels":
        yield whole._replace(label=tuple(s.label for s in spans), sets=True)
        return
    if tokens is None and text is None:
        raise InputError(
            f"tokens can be compared only where the export holds the text, and item "
            f"{str(whole.item)!r} has none",
            file=to.source,
            row=whole.row,
            do=[Action("", {"spans": "labels"}, "to compare the set of labels of each item")],
        )
    if tokens is None:
        tokens = [m.span() for m in _TOKEN.finditer(text or "")]
    for k, (start, end) in enumerate(tokens, 1):
        item = f"{whole.item}:{k}"
        over = tuple(s.label for s in spans if s.start < end and start < s.end)
        to.about(item, text[start:end] if text else None, {"document": str(whole.item)})
        yield whole._replace(item=item, label=over or (OUTSIDE,), sets=False)


def shown(value: Any) -> str | None:
    """A text as an item shows it; of several parts each with its name."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and value and all(isinstance(v, str) for v in value.values()):
        return "\n".join(f"{name}: {part}" for name, part in value.items())
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else None
