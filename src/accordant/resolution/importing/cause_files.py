"""Causes, consensus and questions from files, in any format that annotations are read from."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...actions import Action
from ...data.annotations import Annotations
from ...data.formats.files import tables_of
from ...data.names import CONSENSUS, consensus_like, role_of, tidy
from ...data.options import make
from ...data.table import Table
from ...errors import InputError, RequestError
from ..records import Answer, AskedIf, Question
from ..wording import all_known
from .first_round import Cell, KnownCase, answer_of, name_of

__all__ = [
    "CASE_COLUMNS",
    "file_digest",
    "known_of",
    "read_cases",
    "read_consensus",
    "read_questions",
]

CASE_COLUMNS: dict[str, tuple[str, ...]] = {
    "item": ("item",),
    "question": ("question",),
    "cause": ("cause", "causeletter", "type", "reasonofdisagreement"),
    "coder": ("coder", "annotator", "codernamed", "annotatornamed", "inconsistentcoder"),
    "others": ("others", "otheritems", "otheritem"),
    "prevails": ("prevails", "prevailing", "prevailingcoder"),
    "concept": ("concept", "keyconcept"),
    "element": ("element", "toolboxelement", "cites"),
    "heading": ("heading",),
    "discussed": ("discussed", "mentionsquestion"),
    "text": ("text", "discussion", "resolution", "note"),
}
"""What is known of a case, and how columns that hold it are called (case does not matter)."""
_YES = {"1", "yes", "true", "y", "x"}
_NO = {"0", "no", "false", "n"}
_NOBODY = {"neither", "none", "nobody", "no one", "both", "-"}


def file_digest(path: str | Path) -> str:
    """SHA-256 of a file (64 hexadecimal digits)."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _table(path: str | Path) -> Table:
    """The only table of a file."""
    path = Path(path)
    if not path.exists():
        raise InputError("there is no such file", file=str(path))
    found = tables_of(path, make({}))
    if len(found) != 1:
        raise InputError("this is no single table with a header", file=path.name)
    return found[0]


def _rows(table: Table, names: list[str]) -> Iterator[tuple[str, ...]]:
    """The cells of some columns as text, blank ones empty."""
    columns = [table[name] for name in names]
    cells = []
    for column in columns:
        words = [*column.text, ""]  # −1, a blank, is the last one
        cells.append([words[code] for code in column.codes.tolist()])
    return zip(*cells, strict=True)


def _column(table: Table, role: str, given: str | None, fits: tuple[str, ...]) -> str | None:
    """The column that plays a role: the one that is given, else one with such a name."""
    if given is not None:
        all_known("column", [given], table.names, f"{table.source} has")
        return given
    if role in ("item", "question"):
        return next((name for name in table.names if role_of(name) == role), None)
    return next((name for name in table.names if tidy(name) in fits), None)


def _needed(table: Table, role: str, given: str | None, fits: tuple[str, ...] = ()) -> str:
    column = _column(table, role, given, fits)
    if column is None:
        raise RequestError(
            f"{table.source}: no column is recognised as the {role}: say which of "
            f"{', '.join(table.names)} it is"
        )
    return column


def read_cases(
    path: str | Path, columns: Mapping[str, str] | None = None, *, question: str | None = None
) -> tuple[KnownCase, ...]:
    """What a file says about disagreements: a row for each, or several for one item.

    Parameters
    ----------
    path : str or Path
    columns : mapping of str to str, optional
        Role (`CASE_COLUMNS`) → name of the column, where it is not recognised by its name.
    question : str, optional
        The only question there is: then no column need name it.

    Raises
    ------
    RequestError
        If a role is unknown, or no column says which item and question a row is about.
    InputError
        If the file cannot be read, or a cell has two rows.
    """
    table = _table(path)
    return _cases(table, _roles(table, columns or {}, question), question)


def _cases(table: Table, roles: Mapping[str, str], question: str | None) -> tuple[KnownCase, ...]:
    only = {"question": question} if question is not None else {}
    cases: dict[Cell, KnownCase] = {}
    for number, row in enumerate(_rows(table, list(roles.values()))):
        case = _case({**only, **dict(zip(roles, row, strict=True))})
        if case.cell in cases:
            raise InputError(
                f"item {case.item!r} has a second row for question {case.question!r}",
                file=table.source,
                row=table.row(number),
            )
        cases[case.cell] = case
    return tuple(cases.values())


def _roles(table: Table, wanted: Mapping[str, str], question: str | None) -> dict[str, str]:
    all_known("role of a column", wanted, CASE_COLUMNS, "roles are")
    found: dict[str, str] = {}
    for role, fits in CASE_COLUMNS.items():
        if role == "item" or (role == "question" and question is None):
            found[role] = _needed(table, role, wanted.get(role))
        elif (name := _column(table, role, wanted.get(role), fits)) is not None:
            found[role] = name
    likely = [name for name in table.names if "cause" in tidy(name)]
    if "cause" not in found and likely:
        raise RequestError(
            f"{table.source}: which column is the cause? {' or '.join(map(repr, likely))}",
            do=[Action("", {"case_column": {"cause": likely[0]}})],
        )
    return found


def _case(cells: dict[str, str]) -> KnownCase:
    said = cells.pop("discussed", "").strip().casefold()
    others = tuple(o.strip() for o in cells.pop("others", "").split(";") if o.strip())
    discussed = True if said in _YES else False if said in _NO else None
    for role in ("coder", "prevails"):
        if cells.get(role, "").strip().casefold() in _NOBODY:
            cells[role] = ""
    return KnownCase(discussed=discussed, others=others, **cells)


def read_consensus(
    path: str | Path,
    data: Annotations,
    *,
    item: str | None = None,
    question: str | None = None,
    consensus: str | None = None,
) -> dict[Cell, Answer]:
    """The consensus that a file has: what coders agreed on, or what stands as gold.

    Parameters
    ----------
    path : str or Path
        A row for each item (and question).
    data : Annotations
        The annotations it belongs to; several labels in a cell are parted by semicolons where a
        question allows them.
    item, question, consensus : str, optional
        Columns, where they are not recognised by their names.

    Returns
    -------
    dict of (item, question) to Answer
        Blank cells are absent.
    """
    table = _table(path)
    by_item = _needed(table, "item", item)
    if consensus is None:
        fits = [name for name in table.names if consensus_like(name)]
        exact = [name for name in fits if tidy(name) in CONSENSUS[:1]]
        if len(exact or fits) != 1:
            raise RequestError(
                f"{table.source}: which column is the consensus? One of {', '.join(table.names)}"
            )
        consensus = (exact or fits)[0]
    by_answer = _needed(table, "consensus", consensus)
    several = {
        name_of(q): s.max_labels != 1 for q, s in zip(data.questions, data.schemes, strict=True)
    }
    if len(several) == 1 and _column(table, "question", question, ()) is None:
        rows = ((i, next(iter(several)), a) for i, a in _rows(table, [by_item, by_answer]))
    else:
        by_question = _needed(table, "question", question)
        rows = ((i, q, a) for i, q, a in _rows(table, [by_item, by_question, by_answer]))
    found: dict[Cell, Answer] = {}
    for number, (i, q, a) in enumerate(rows):
        if not a.strip():
            continue
        parts = tuple(p.strip() for p in a.split(";") if p.strip())
        answer = answer_of(parts if several.get(q) else a.strip())
        if found.setdefault((i, q), answer) != answer:
            raise InputError(
                f"item {i!r} has two different answers to {q!r}",
                file=table.source,
                row=table.row(number),
                column=by_answer,
            )
    return found


def read_questions(path: str | Path) -> tuple[Question, ...]:
    """Questions of a task from a file: id, text, group, and which answer another one asks it after.

    The column ``asked_if`` holds "5a=1" (several labels: "5a=1|2"), or "always", or nothing; what
    stands in brackets after it is left out.

    Raises
    ------
    InputError
        If a condition cannot be understood.
    """
    table = _table(path)
    names = {tidy(name): name for name in table.names}
    id_column = names.get("id") or _needed(table, "question", None)
    wanted = [id_column, *(names.get(n, "") for n in ("text", "group", "askedif"))]
    there = [name for name in wanted if name]
    found = []
    for number, row in enumerate(_rows(table, there)):
        cells = dict(zip(there, row, strict=True))
        id, text, group, condition = (cells.get(name, "") for name in wanted)
        try:
            asked_if = _condition(condition)
        except ValueError:
            raise InputError(
                f"{condition!r}: a condition is written QUESTION=LABEL",
                file=table.source,
                row=table.row(number),
                column=names.get("askedif"),
            ) from None
        found.append(Question(id, text, group, asked_if=asked_if))
    return tuple(found)


def known_of(
    data: Annotations,
    *,
    cases: Path | None = None,
    columns: Mapping[str, str],
    consensus: Path | None = None,
    consensus_column: str = "",
    questions: Path | None = None,
) -> tuple[dict[str, Any], list[str]]:
    """What files say about cases, consensus and questions, as `Finished` takes it, and how read.

    Raises
    ------
    RequestError
        If columns are named of a file that is not given, or one cannot be recognised.
    """
    for given, column, of in (
        (cases, columns, "cases"),
        (consensus, consensus_column, "consensus"),
    ):
        if column and given is None:
            raise RequestError(f"a column of the {of} is named, but no file of the {of}")
    found: dict[str, Any] = {}
    told = []
    if questions is not None:
        found["questions"] = read_questions(questions)
    if cases is not None:
        only = name_of(data.questions[0]) if len(data.questions) == 1 else None
        table = _table(cases)
        roles = _roles(table, columns, only)
        left = [name for name in table.names if name not in roles.values()]
        each = ", ".join(f"{role} = {name}" for role, name in roles.items())
        unread = f"; not read: {', '.join(left)}" if left else ""
        told.append(f"read {cases.name} ({each}){unread}")
        found["cases"] = _cases(table, roles, only)
    if consensus is not None:
        found["consensus"] = read_consensus(consensus, data, consensus=consensus_column or None)
    return found, told


def _condition(text: str) -> AskedIf | None:
    plain = text.split("(")[0].strip()
    if not plain or plain.casefold() == "always":
        return None
    question, equals, labels = plain.partition("=")
    if not equals or not question.strip() or not labels.strip():
        raise ValueError(text)
    return AskedIf(question.strip(), tuple(label.strip() for label in labels.split("|")))
