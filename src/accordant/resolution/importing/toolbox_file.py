"""The toolbox as one readable file: task, guidelines, key concepts, in TOML or JSON.

The keys of a file are the fields of the records; a list of records stands under the name of one
(``[[task.question]]``), a relation is a triple. Each key is checked, and what is wrong has a place.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import msgspec

from ...errors import InputError
from ..records import OF_A_CHANGE, Concept, Guidelines, Question, Record, Relation, Rule, Task

__all__ = [
    "read_concepts",
    "read_guidelines",
    "read_task",
    "read_toolbox",
    "template",
    "written",
]

KINDS: dict[str, type[Record]] = {"task": Task, "guidelines": Guidelines, "concept": Concept}


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
        raise InputError("the file is not written in UTF-8; save it as such", file=file) from None
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
            near = get_close_matches(key, KINDS, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(KINDS)}"
            raise InputError(f"there is no key {key!r} here; {hint}", file=file)
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
"""What stands in double brackets under the name of one, and the field that holds the list."""
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
        elif top and isinstance(value, Record):
            later += ["", f"[{inner}]", *_lines(value, inner)]
        elif value is not None:
            yield f"{f.name} = {_plain(value)}"
    yield from later


def _plain(value: Any) -> str:
    """A value of TOML; its texts are those of JSON, but for the one sign that JSON leaves."""
    if isinstance(value, Relation):
        return _plain((value.source, value.relation, value.target))
    if isinstance(value, Record):
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
