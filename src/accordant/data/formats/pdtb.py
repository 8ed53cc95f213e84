"""PDTB: a relation of the Penn Discourse Treebank on each line, a file for each coder."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from ..options import Options
from .documents import chosen, is_gold, owners
from .format import File, Format
from .import_report import Import
from .records import Records

__all__ = ["FORMAT"]

LINE = re.compile(r"(Explicit|Implicit|AltLex|AltLexC|EntRel|NoRel|Hypophora)(\|[^|]*){20,}")
SPAN = re.compile(r"(\d{1,9})\.\.(\d{1,9})")
AGAIN = re.compile(r"^(.*?)[ _.-](inter|intra)$", re.I)
SENSES, SENSELESS = (8, 9, 11, 12), ("EntRel", "NoRel", "Hypophora")
ARG1, ARG2 = 14, 20
CODERS = {"": "annotator 1", "inter": "annotator 2", "intra": "annotator 1, again"}


def _takes(file: File) -> bool:
    lines = [x.rstrip("\r") for x in file.lines[:40]]
    return bool(lines) and all(map(LINE.fullmatch, lines))


def _read(files: Sequence[File], options: Options) -> Import:
    to = Records(
        "PDTB",
        "",
        {"item": "Arg1 and Arg2", "coder": "file", "label": "sense and type"},
    )
    taken = chosen(files, _takes, to, (".txt",))
    whose = _whose(taken)
    raw = {f.path: f for f in files if f not in taken and f.suffix == ".txt"}
    texts = len({text for text, _ in whose}) > 1
    answers = dict[tuple[str, str], tuple[dict[str, None], dict[str, None], int]]()
    for file, (text, coder) in zip(taken, whose, strict=True):
        content = _raw(file, raw, options)
        for row, line in enumerate(file.text(options).removeprefix("\ufeff").split("\n"), 1):
            if not line.strip():
                continue
            cells = line.rstrip("\r").split("|")
            arguments = _arguments(cells)
            if arguments is None:
                to.leave_out("lines that are no relations")
                continue
            to.leave_out("tokens marked as rejected", cells.count("Rejected"))
            item = f"{text}: {arguments}" if texts else arguments
            kinds, senses, _ = answers.setdefault((item, coder), ({}, {}, row))
            kinds[cells[0]] = None
            found = [cells[k] for k in SENSES if k < len(cells) and cells[k]]
            senses |= dict.fromkeys(found or ([cells[0]] if cells[0] in SENSELESS else []))
            if content:
                to.about(item, _words(cells[ARG1], content) + " | " + _words(cells[ARG2], content))
    _enter(answers, to)
    return to.done()


def _whose(files: Sequence[File]) -> list[tuple[str, str]]:
    """The text and the coder of each file; '_inter' and '_intra' say who annotated again."""
    parts = [
        (m[1], m[2].lower()) if (m := AGAIN.match(f.path.stem)) else (f.path.stem, "")
        for f in files
    ]
    if any(again for _, again in parts):
        return [(text, CODERS[again]) for text, again in parts]
    return owners([f.path for f in files], [None] * len(files))


def _arguments(cells: Sequence[str]) -> str | None:
    """Both arguments by their offsets: the relation, whatever the coder said of it."""
    if len(cells) <= ARG2 or not LINE.fullmatch("|".join(cells)):
        return None
    spans = [SPAN.findall(cells[k]) for k in (ARG1, ARG2)]
    if not spans[0] and not spans[1]:
        return None
    first, second = (";".join(f"{a}-{b}" for a, b in found) for found in spans)
    return f"{first} + {second}"


def _raw(file: File, given: Mapping[PurePosixPath, File], options: Options) -> str:
    """The text that a file annotates, whose offsets count a line break as one character."""
    named = {str(path): f for path, f in given.items()}
    name = str(file.path)
    found = named.get(re.sub(r"(^|[/_])ann(?=[/_])", r"\1raw", name))
    return "" if found is None else found.text(options).replace("\r\n", "\n")


def _words(spans: str, text: str) -> str:
    return " … ".join(text[int(a) : int(b)] for a, b in SPAN.findall(spans))


def _enter(
    answers: Mapping[tuple[str, str], tuple[dict[str, None], dict[str, None], int]], to: Records
) -> None:
    coders = defaultdict[str, set[str]](set)
    several = [any(len(a[k]) > 1 for a in answers.values()) for k in (0, 1)]  # type: ignore[arg-type]
    for (item, coder), (kinds, senses, row) in answers.items():
        coders[item].add(coder)
        for question, found, sets in (("type", kinds, several[0]), ("sense", senses, several[1])):
            label = list(found) if sets else next(iter(found), None)
            if is_gold(coder):
                to.gold(item, label, question)
            elif found:
                to.add(item, coder, label, question=question, row=row)
    shared = sum(len(who) > 1 for who in coders.values())
    if len({c for _, c in answers}) > 1:
        to.notes.append(
            f"{shared:,} of {len(coders):,} relations have the same two arguments for more than "
            "one coder; only these are compared"
        )


FORMAT = Format("PDTB", _takes, _read)
