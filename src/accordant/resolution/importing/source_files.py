"""What an import reads besides annotations: a toolbox, causes and consensus from files.

A toolbox is TOML or JSON. The keys of a file are the fields of the records; a list of records
stands under the name of one (``[[task.question]]``), a relation is a triple. Each key is checked,
and what is wrong has a place.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ...data.annotations import Annotations
from ...data.formats.files import tables_of
from ...data.names import CONSENSUS, consensus_like, role_of, tidy
from ...data.options import make
from ...data.table import Table
from ...errors import InputError, RequestError, meant
from ..terms import (
    OF_A_CHANGE,
    Answer,
    Concept,
    Guidelines,
    Immutable,
    Question,
    Relation,
    Rule,
    Task,
)
from .first_round import Cell, KnownCase, answer_of, name_of

KINDS: dict[str, type[Immutable]] = {"task": Task, "guidelines": Guidelines, "concept": Concept}


def read_toolbox(path: Path) -> dict[str, Any]:
    """What a file holds: "task", "guidelines", and under "concept" all concepts, those it has.

    Raises
    ------
    InputError
        If the file is not there, is neither TOML nor JSON, or holds none of the three.
    """
    parts = _parts(path)
    return {name: _read(path, name, given) for name, given in parts.items()}


def read_task(path: Path) -> Task:
    """The task of a file."""
    return _one(path, "task")  # type: ignore[no-any-return]


def read_guidelines(path: Path) -> Guidelines:
    """The guidelines of a file; the project gives them their version."""
    return _one(path, "guidelines")  # type: ignore[no-any-return]


def read_concepts(path: Path) -> list[Concept]:
    """The key concepts of a file; the project gives them their versions."""
    return list(_one(path, "concept"))


def _parts(path: Path) -> dict[str, Any]:
    file = str(path)
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("the file is not written in UTF-8", file=file) from None
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=file) from None
    is_json = path.suffix.lower() == ".json"
    try:
        found = json.loads(text) if is_json else tomllib.loads(text)
    except ValueError as error:
        kind = "JSON" if is_json else "TOML"
        raise InputError(f"this is not {kind}: {error}", file=file) from None
    if not isinstance(found, dict) or not found:
        raise InputError("the file holds no [task], no [guidelines] and no [[concept]]", file=file)
    for key in found:
        if key not in KINDS:
            raise InputError(
                f"there is no key {key!r}: there are {', '.join(KINDS)}{meant(key, KINDS)}",
                file=file,
            )
    return found


def _one(path: Path, name: str) -> Any:
    parts = _parts(path)
    if name not in parts:
        wanted = f"[[{name}]]" if name == "concept" else f"[{name}]"
        has = ", ".join(f"[{part}]" for part in parts)
        raise InputError(f"the file holds no {wanted}, only {has}", file=str(path))
    return _read(path, name, parts[name])


def _read(path: Path, name: str, given: Any) -> Any:
    """A record of a table of the file, with a place in it for whatever is wrong."""
    kind: Any = tuple[Concept, ...] if name == "concept" else KINDS[name]
    listed = given if name == "concept" and isinstance(given, list) else [given]
    tables = [_filled(one, name) for one in listed]
    try:
        return msgspec.convert(tables if isinstance(given, list) else tables[0], kind)
    except msgspec.ValidationError as error:
        told = str(error).replace("$", name, 1).replace("Object", "the table")
        raise InputError(f"{name}: {told}", file=str(path)) from None


LISTS = {"question": "questions", "rule": "rules"}
"""What stands in double brackets, and the field that holds the list."""
EMPTY: dict[str, dict[str, Any]] = {
    "task": {"questions": []},
    "guidelines": {"version": "", "options": {}},
    "concept": {"version": 0, "definition": ""},
}


def _filled(given: Any, name: str) -> Any:
    """A table with the names of the fields, numbers as labels, and what the project fills in."""
    if not isinstance(given, dict):
        return given
    one = {**EMPTY[name], **_worded(given)}
    for key, many in LISTS.items():
        if key in one and name != "concept":
            one[many] = one.pop(key)
    relations = one.get("relations")
    if isinstance(relations, list):
        fields = Relation.__struct_fields__
        one["relations"] = [
            dict(zip(fields, each, strict=True))
            if isinstance(each, list) and len(each) == len(fields)
            else each
            for each in relations
        ]
    return one


def _worded(given: Any) -> Any:
    """Whole numbers as texts, and texts without white space around them."""
    if isinstance(given, dict):
        return {key: x if key == "cases" else _worded(x) for key, x in given.items()}
    if isinstance(given, list):
        return [_worded(x) for x in given]
    if isinstance(given, str):
        return given.strip()
    return str(given) if type(given) is int else given


# ------------------------------------------------------------------ written back


def written(*records: Task | Guidelines | Concept) -> str:
    """Records as the file that they are read from, without what belonged to the last change."""
    lines: list[str] = []
    for one in records:
        name = next(name for name, kind in KINDS.items() if isinstance(one, kind))
        lines += [f"# version {one.version}"] if not isinstance(one, Task) else []
        lines += [f"[[{name}]]" if name == "concept" else f"[{name}]", *_lines(one, name), ""]
    return "\n".join(lines)


def _lines(record: Any, name: str) -> Iterator[str]:
    later, singular = list[str](), {many: one for one, many in LISTS.items()}
    for f in msgspec.structs.fields(record):
        value, top = getattr(record, f.name), type(record) in KINDS.values()
        if (top and f.name in OF_A_CHANGE) or (not f.required and value == f.default):
            continue
        inner = f"{name}.{f.name}"
        if isinstance(value, tuple) and value and isinstance(value[0], Question | Rule):
            for one in value:
                inner = f"{name}.{singular[f.name]}"
                later += ["", f"[[{inner}]]", *_lines(one, inner)]
        elif top and isinstance(value, dict):
            later += ["", f"[{inner}]", *(f"{_plain(k)} = {_plain(x)}" for k, x in value.items())]
        elif top and isinstance(value, Immutable):
            later += ["", f"[{inner}]", *_lines(value, inner)]
        elif value is not None:
            yield f"{f.name} = {_plain(value)}"
    yield from later


def _plain(value: Any) -> str:
    """A value of TOML; its texts are those of JSON, but for the one sign that JSON leaves."""
    if isinstance(value, Relation):
        return _plain((value.source, value.relation, value.target))
    if isinstance(value, Immutable):
        facts = msgspec.structs.asdict(value)
        return f"{{ {', '.join(f'{k} = {_plain(x)}' for k, x in facts.items())} }}"
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str) and isinstance(value, Iterable):
        return f"[{', '.join(map(_plain, value))}]"
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def template(name: str) -> str:
    """A commented example of a file: of "task", "guidelines" or "concepts"."""
    return (Path(__file__).parent / "templates" / f"{name}.toml").read_text("utf-8")


# ------------------------------------------------------------------ causes and consensus

CASE_COLUMNS: dict[str, tuple[str, ...]] = {
    "item": ("item",),
    "question": ("question",),
    "cause": ("cause", "causeletter", "type", "reasonofdisagreement"),
    "coder": ("coder", "annotator", "inconsistentcoder"),
    "others": ("others", "otheritems", "otheritem"),
    "concept": ("concept", "keyconcept"),
    "element": ("element", "toolboxelement", "cites"),
    "text": ("text", "discussion", "resolution", "note"),
}
"""Columns of what is known of a case, by their names in lower case."""
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


def _column(table: Table, role: str, fits: tuple[str, ...] = ()) -> str | None:
    """The column that plays a role, by its name."""
    if role in ("item", "question"):
        return next((name for name in table.names if role_of(name) == role), None)
    return next((name for name in table.names if tidy(name) in fits), None)


def _needed(table: Table, role: str) -> str:
    column = _column(table, role)
    if column is None:
        names = ", ".join(table.names)
        raise RequestError(f"{table.source}: no column is called {role!r}: there are {names}")
    return column


def read_cases(path: Path, data: Annotations) -> tuple[tuple[KnownCase, ...], str]:
    """What a file says about disagreements, a row for each; and which columns were read.

    Raises
    ------
    RequestError
        If no column says which item and question a row is about.
    InputError
        If the file cannot be read, or a cell has two rows.
    """
    table, only = _table(path), dict[str, str]()
    if len(data.questions) == 1:
        only = {"question": name_of(data.questions[0])}
    roles: dict[str, str] = {}
    for role, fits in CASE_COLUMNS.items():
        needed = role == "item" or (role == "question" and not only)
        if (name := _needed(table, role) if needed else _column(table, role, fits)) is not None:
            roles[role] = name
    cases: dict[Cell, KnownCase] = {}
    for number, row in enumerate(_rows(table, list(roles.values()))):
        cells = {**only, **dict(zip(roles, row, strict=True))}
        others = tuple(o.strip() for o in cells.pop("others", "").split(";") if o.strip())
        if cells.get("coder", "").strip().casefold() in _NOBODY:
            cells["coder"] = ""
        case = KnownCase(others=others, **cells)
        if case.cell in cases:
            said = f"item {case.item!r} has a second row for question {case.question!r}"
            raise InputError(said, file=table.source, row=table.row(number))
        cases[case.cell] = case
    each = ", ".join(f"{role} = {name}" for role, name in roles.items())
    return tuple(cases.values()), f"read {path.name} ({each})"


def read_consensus(path: Path, data: Annotations) -> dict[Cell, Answer]:
    """The consensus that a file has: what coders agreed on, or what stands as gold.

    A row for each item (and question); several labels in a cell are parted by semicolons where a
    question allows them; blank cells are absent.

    Raises
    ------
    RequestError
        If it cannot be told which column is the consensus.
    InputError
        If an item has two answers to a question.
    """
    table = _table(path)
    fits = [name for name in table.names if consensus_like(name)]
    exact = [name for name in fits if tidy(name) in CONSENSUS[:1]]
    if len(exact or fits) != 1:
        names = ", ".join(table.names)
        raise RequestError(f"{table.source}: which column is the consensus? One of {names}")
    by_answer = (exact or fits)[0]
    several = {
        name_of(q): s.max_labels != 1 for q, s in zip(data.questions, data.schemes, strict=True)
    }
    if len(several) == 1 and _column(table, "question") is None:
        rows = (
            (i, next(iter(several)), a)
            for i, a in _rows(table, [_needed(table, "item"), by_answer])
        )
    else:
        names_ = [_needed(table, "item"), _needed(table, "question"), by_answer]
        rows = ((i, q, a) for i, q, a in _rows(table, names_))
    found: dict[Cell, Answer] = {}
    for number, (i, q, a) in enumerate(rows):
        if not a.strip():
            continue
        parts = tuple(p.strip() for p in a.split(";") if p.strip())
        answer = answer_of(parts if several.get(q) else a.strip())
        if found.setdefault((i, q), answer) != answer:
            said = f"item {i!r} has two different answers to {q!r}"
            row = table.row(number)
            raise InputError(said, file=table.source, row=row, column=by_answer)
    return found
