"""Answers of coders as the readers of platforms gather them: files, labels and spans alike."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..annotations import NO_VALUE, Annotations, Status
from ..names import apart
from ..options import Options
from ..table import plain
from .format import File
from .import_report import Import
from .records import Label, Records

_FEW, _LONG = 20, 30  # answers from which a share counts; characters of an answer in own words
_PLAIN = (str, int, float, bool)


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
    return folders if stems == ["user_state"] else apart(stems, folders)


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
    for question in [q for q, words in _said(found).items() if _free(words)]:
        kept = [a for a in found if a.question != question]
        to.leave_out("answers in the coders' own words", len(found) - len(kept))
        found = kept
    if options.duplicates == "error":
        newest = dict[tuple[str, str | None, str | None], Answer]()
        for a in sorted(found, key=lambda a: a.time):
            newest[str(a.item), a.question, None if a.coder is None else str(a.coder)] = a
        to.leave_out("earlier annotations of an item by the same coder", len(found) - len(newest))
        kept_ids = {id(a) for a in newest.values()}
        found = [a for a in found if id(a) in kept_ids]
    for a in found:
        own: dict[str, Any] = {"question": a.question, "status": a.status, "row": a.row}
        if a.spans is not None:
            to.looked(a.item, a.coder, text=a.text, tokens=a.tokens, **own)
            for start, end, label in a.spans:
                to.span(a.item, a.coder, start, end, label, a.question or "")
        elif a.question is None:
            to.every(a.item, a.coder, a.status, a.row)
        elif a.coder is None:
            to.gold(a.item, a.label, a.question)
        else:
            to.add(a.item, a.coder, a.label, sets=a.sets, **own)


def _said(answers: Sequence[Answer]) -> Mapping[str | None, list[str]]:
    """The words that were given to each question, numbers apart."""
    said = defaultdict[str | None, list[str]](list)
    for a in answers:
        labels = a.label if isinstance(a.label, tuple | list) else [a.label]
        said[a.question].extend(x for x in labels if isinstance(x, str) and not x.isdecimal())
    return {q: words for q, words in said.items() if words}


def _free(words: Sequence[str]) -> bool:
    """Whether answers are in the coders' own words: hardly any is given twice."""
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


# ------------------------------------------------------------------ back to a platform


class Majority(NamedTuple):
    """What most coders said to a question about an item, and the share of those who did.

    No labels where coders are tied. Of sets of labels those that more than half gave, and of the
    labels the mean share of those who agree about it.
    """

    question: str
    labels: tuple[str, ...] | None
    share: float


def majorities(data: Annotations) -> Iterator[tuple[int, list[Majority]]]:
    """Of each item that has answers; not of regions, which are no label of an item."""
    c, marked = data.answered, () if data.spans is None else data.spans.questions
    given = defaultdict[int, dict[int, list[Any]]](lambda: defaultdict(list))
    for i, q, v in zip(c.item.tolist(), c.question.tolist(), c.value.tolist(), strict=True):
        if data.questions[q] not in marked:
            given[i][q].append(() if v == NO_VALUE else data.values[v])
    for i, found in sorted(given.items()):
        each = sorted(found.items())
        yield i, [_majority(data.questions[q], x, data.schemes[q].max_labels != 1) for q, x in each]


def _majority(question: str, values: Sequence[Any], sets: bool) -> Majority:
    votes = Counter(x for v in values for x in (v if sets else (v,)))
    shares = {plain(x): n / len(values) for x, n in votes.items()}
    if sets:
        share = sum(max(p, 1 - p) for p in shares.values()) / max(len(shares), 1) if shares else 1.0
        return Majority(question, tuple(x for x, p in shares.items() if p > 0.5), share)
    top = max(shares.values())
    first = [x for x, p in shares.items() if p == top]
    return Majority(question, tuple(first) if len(first) == 1 else None, top)


def facts_of(data: Annotations, i: int) -> dict[str, Any]:
    """An item as a platform takes it: its text, its id and what else is known of it."""
    cells = {n: x for n, column in data.metadata.items() if (x := column[i]) is not None}
    facts = {
        n: x if isinstance(x, _PLAIN) else json.dumps(x, default=str) for n, x in cells.items()
    }
    text = data.texts[i] if data.texts is not None else None
    return {"text": text or plain(data.items[i]), "item": plain(data.items[i])} | facts


def not_written(data: Annotations, tied: int) -> Iterator[str]:
    """What of annotations is lost in the labels that most coders gave, a sentence each."""
    yield "each item has what most coders said, and their share as its score: not what each said"
    if tied:
        yield f"without a label: answers on which coders are tied ({tied:,}); their score is low"
    if data.spans is not None:
        yield "left out: spans and the labels of regions"
