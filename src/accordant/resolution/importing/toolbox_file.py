"""The toolbox as one readable file: task, guidelines, key concepts, in TOML or JSON.

The keys of a file are the fields of the records; a list of records stands under the name of one
(``[[task.question]]``), a relation is a triple. Each key is checked, and what is wrong has a place.
"""

from __future__ import annotations

import json
import tomllib
import types
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

import msgspec

from ...errors import InputError
from ..records import OF_A_CHANGE, Concept, Guidelines, Record, Relation, Task

__all__ = [
    "read_concepts",
    "read_guidelines",
    "read_task",
    "read_toolbox",
    "setting_of",
    "template",
    "written",
]

KINDS: dict[str, type[Record]] = {"task": Task, "guidelines": Guidelines, "concept": Concept}
FILLED = ("version",)  # by the project


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


def setting_of(path: Path) -> dict[str, Any]:
    """Task, guidelines and concepts of a file, as `first_round.Finished` takes them."""
    found, setting = read_toolbox(path), dict[str, Any]()
    if task := found.get("task"):
        setting |= {
            "questions": task.questions,
            "task": task.text,
            "context": task.context,
            "item_definition": task.item_definition,
        }
    if rules := found.get("guidelines"):
        setting |= {
            "rules": rules.rules,
            "guidelines": rules.text,
            "options": rules.options,
            "ambiguity": rules.ambiguity,
        }
    return setting | ({"concepts": found["concept"]} if "concept" in found else {})


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
    _checked(found, KINDS, "the file", file)
    if not found:
        raise InputError("the file holds no [task], no [guidelines] and no [[concept]]", file=file)
    return dict(found)


def _one(path: Path, name: str) -> Any:
    parts = _parts(path)
    if name not in parts:
        wanted = f"[[{name}]]" if name == "concept" else f"[{name}]"
        has = ", ".join(f"[{part}]" for part in parts)
        raise InputError(f"the file holds no {wanted}, only {has}", file=str(path))
    return _read(path, name, parts[name])


def _read(path: Path, name: str, given: Any) -> Any:
    file = str(path)
    if name != "concept":
        return _record(KINDS[name], given, f"[{name}]", name, file)
    if not isinstance(given, list):
        raise InputError("write each concept under [[concept]], in double brackets", file=file)
    return tuple(
        _record(Concept, one, f"[[concept]] {k}", "", file) for k, one in enumerate(given, 1)
    )


# ------------------------------------------------------------------ a record of a table


def _record(kind: type[Any], given: Any, place: str, inside: str, file: str) -> Any:
    """A record of a table of the file; ``inside`` is the name of the table, for those in it."""
    hints = get_type_hints(kind)
    fields = {f.name: f for f in msgspec.structs.fields(kind) if f.name not in FILLED}
    keys = {_key(name, hints[name]): name for name in fields}
    _checked(given, keys, place, file)
    values: dict[str, Any] = {
        name: "" if kind is Guidelines else 0 for name in FILLED if name in hints
    }
    for key, name in keys.items():
        if key in given:
            values[name] = _value(hints[name], given[key], key, place, inside, file)
        elif fields[name].required:
            if hints[name] is str and name not in ("definition",):
                raise InputError(f"{place}: {key!r} is missing", file=file)
            values[name] = _empty(hints[name])
        elif isinstance(default := fields[name].default, tuple) and default:
            values[name] = (*default,)  # written down, though it is the default
    return kind(**values)


def _empty(hint: Any) -> Any:
    return "" if hint is str else {} if get_origin(hint) is dict else ()


def _key(name: str, hint: Any) -> str:
    """A list of records stands under the name of one."""
    return name[:-1] if _records(hint) not in (None, Relation) else name


def _records(hint: Any) -> type[Any] | None:
    """The kind of the records that a field holds a list of."""
    inside = get_args(hint)[:1] if get_origin(hint) is tuple else ()
    is_record = inside and isinstance(inside[0], type) and issubclass(inside[0], Record)
    return inside[0] if is_record else None


def _checked(given: Any, known: Mapping[str, Any], place: str, file: str) -> None:
    """Complain about what is no table, and about a key that is not known."""
    if not isinstance(given, Mapping):
        some = ", ".join(sorted(known))
        raise InputError(f"{place}: should be a table with keys such as {some}", file=file)
    for key in given:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"keys: {', '.join(sorted(known))}"
            raise InputError(f"{place}: there is no key {key!r} here; {hint}", file=file)


def _value(hint: Any, given: Any, key: str, place: str, inside: str, file: str) -> Any:
    """The value of a key, as the type of its field says."""

    def wrong(message: str) -> InputError:
        return InputError(f"{place}: {key!r} {message}", file=file)

    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    kind = next(k for k in kinds if k is not types.NoneType)
    path = f"{inside}.{key}" if inside else key
    if kind is str:
        return _text(given, wrong)
    if kind is bool:
        if not isinstance(given, bool):
            raise wrong("should be true or false")
        return given
    if get_origin(kind) is dict:
        _checked(given, given if isinstance(given, Mapping) else {}, f"[{path}]", file)
        of = get_args(kind)[1]
        return {k: _value(of, one, k, f"[{path}]", "", file) for k, one in given.items()}
    if get_origin(kind) is tuple:
        return tuple(_listed(kind, given, key, path, wrong, file))
    if issubclass(kind, StrEnum):
        try:
            return kind(_text(given, wrong))
        except ValueError:
            allowed = ", ".join(f'"{one.value}"' for one in kind)
            raise wrong(f"is {given!r}; allowed: {allowed}") from None
    within = f"[{path}]" if place.startswith("[") and "]]" not in place else f"{place}: {key}"
    return _record(kind, given, within, path, file)


def _listed(kind: Any, given: Any, key: str, path: str, wrong: Any, file: str) -> Iterator[Any]:
    records, of = _records(kind), get_args(kind)[0]
    if isinstance(given, str) or not isinstance(given, list | tuple):
        tables = records not in (None, Relation)
        raise wrong(f"should be a list{f' of tables: [[{key}]]' if tables else ': [“…”, “…”]'}")
    for k, one in enumerate(given, 1):
        if records is Relation:
            if not isinstance(one, list) or [type(word) for word in one] != [str] * 3:
                raise wrong('should be triples: ["concept", "how", "concept"]')
            yield Relation(*(word.strip() for word in one))
        elif records is not None:
            yield _record(records, one, f"[[{path}]] {k}", "", file)
        elif of is int and type(one) is not int:
            raise wrong("should be a list of whole numbers: [1, 2]")
        else:
            yield one if of is int else _text(one, wrong)


def _text(given: Any, wrong: Any) -> str:
    """A text, or a whole number as one; white space around it is left out."""
    if isinstance(given, str):
        return given.strip()
    if type(given) is int:
        return str(given)
    raise wrong(f'is no text: write texts in quotes, such as "{str(given).lower()}"')


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
    hints, later = get_type_hints(type(record)), list[str]()
    for f in msgspec.structs.fields(record):
        value, top = getattr(record, f.name), type(record) in KINDS.values()
        if (top and f.name in OF_A_CHANGE) or (not f.required and value == f.default):
            continue
        inner = f"{name}.{_key(f.name, hints[f.name])}"
        if _records(hints[f.name]) not in (None, Relation):
            for one in value:
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
