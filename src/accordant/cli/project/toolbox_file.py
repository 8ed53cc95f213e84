"""The annotation toolbox as one readable file: task, guidelines, key concepts, in TOML or JSON."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...resolution.records import (
    AmbiguityPolicy,
    AskedIf,
    Concept,
    Guidelines,
    Question,
    Relation,
    Rule,
    Task,
)
from ...resolution.words import Answering, Change, ConceptKind, Source
from .fields import Fields

__all__ = ["read_concepts", "read_guidelines", "read_task", "read_toolbox"]

PARTS = {"task", "guidelines", "concept"}
TASK = {"text", "item_definition", "context", "question"}
QUESTION = {"id", "text", "group", "answering", "asked_if"}
GUIDELINES = {"text", "options", "ambiguity", "rule", "change", "reason", "cases"}
RULE = {"id", "text", "questions"}
AMBIGUITY = {"allowed", "sources", "reason"}
CONCEPT = {
    "name", "definition", "questions", "rules", "kind", "subconcepts", "relations", "examples",
    "counter_examples", "reason", "cases",
}  # fmt: skip


def read_toolbox(path: Path) -> dict[str, Any]:
    """The parts of a file: ``task``, ``guidelines``, ``concept``, each if it is there.

    Raises
    ------
    InputError
        If the file is not there, is neither TOML nor JSON, or holds none of the three.
    """
    name = str(path)
    try:
        text = path.read_text("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(
            "the file is not written in UTF-8; save it again as such", file=name
        ) from None
    except OSError as error:
        raise InputError(f"the file cannot be read: {error.strerror}", file=name) from None
    try:
        found = json.loads(text) if path.suffix.lower() == ".json" else tomllib.loads(text)
    except ValueError as error:
        kind = "JSON" if path.suffix.lower() == ".json" else "TOML"
        raise InputError(f"this is not {kind}: {error}", file=name) from None
    parts = Fields(found, name, "the file", PARTS).given
    if not parts:
        raise InputError(
            "the file holds no [task], no [guidelines] and no [[concept]]; "
            "`accordant project task --template` prints an example",
            file=name,
        )
    return dict(parts)


def read_task(path: Path) -> Task:
    """The task of a file."""
    name = str(path)
    fields = Fields(_part(path, "task"), name, "[task]", TASK)
    questions = [
        _question(Fields(one, name, f"[[task.question]] {k}", QUESTION), name)
        for k, one in enumerate(fields.tables("question"), 1)
    ]
    return Task(
        questions=tuple(questions),
        text=fields.word("text", ""),
        item_definition=fields.word("item_definition", ""),
        context=fields.word("context", ""),
    )


def _question(fields: Fields, file: str) -> Question:
    asked_if = None
    if "asked_if" in fields.given:
        place = f"{fields.place}: asked_if"
        inner = Fields(fields.given["asked_if"], file, place, {"question", "labels"})
        asked_if = AskedIf(inner.word("question"), inner.words("labels"))
    return Question(
        id=fields.word("id"),
        text=fields.word("text"),
        group=fields.word("group", ""),
        answering=_one_of(fields, "answering", Answering, Answering.ONE),
        asked_if=asked_if,
    )


def read_guidelines(path: Path) -> Guidelines:
    """The guidelines of a file; the project gives them their version."""
    name = str(path)
    fields = Fields(_part(path, "guidelines"), name, "[guidelines]", GUIDELINES)
    options = fields.given.get("options", {})
    scoring = Fields(options, name, "[guidelines.options]", set(options))
    rules = [
        Fields(one, name, f"[[guidelines.rule]] {k}", RULE)
        for k, one in enumerate(fields.tables("rule"), 1)
    ]
    change = _one_of(fields, "change", Change, None) if "change" in fields.given else None
    return Guidelines(
        version="",
        options={question: scoring.words(question) for question in options},
        ambiguity=_policy(fields, name),
        rules=tuple(Rule(r.word("id"), r.word("text"), r.words("questions")) for r in rules),
        text=fields.word("text", ""),
        change=change,
        reason=fields.word("reason", ""),
        cases=fields.integers("cases"),
    )


def _policy(fields: Fields, file: str) -> AmbiguityPolicy | None:
    if "ambiguity" not in fields.given:
        return None
    inner = Fields(fields.given["ambiguity"], file, "[guidelines.ambiguity]", AMBIGUITY)
    known = tuple(source.value for source in Source)
    sources = inner.words("sources") if "sources" in inner.given else known
    return AmbiguityPolicy(inner.flag("allowed"), sources, inner.word("reason", ""))


def read_concepts(path: Path) -> list[Concept]:
    """The key concepts of a file; the project gives them their versions."""
    name = str(path)
    found = _part(path, "concept")
    if not isinstance(found, list):
        raise InputError("write each concept under [[concept]], in double brackets", file=name)
    return [
        _concept(Fields(one, name, f"[[concept]] {k}", CONCEPT)) for k, one in enumerate(found, 1)
    ]


def _concept(fields: Fields) -> Concept:
    return Concept(
        name=fields.word("name"),
        version=0,
        definition=fields.word("definition", ""),
        questions=fields.words("questions"),
        rules=fields.words("rules"),
        kind=_one_of(fields, "kind", ConceptKind, ConceptKind.SIMPLE),
        subconcepts=fields.words("subconcepts"),
        relations=_relations(fields),
        examples=fields.words("examples"),
        counter_examples=fields.words("counter_examples"),
        reason=fields.word("reason", ""),
        cases=fields.integers("cases"),
    )


def _relations(fields: Fields) -> tuple[Relation, ...]:
    """Triples: ["epistemology", "is contained in", "psychology"]."""
    found = []
    for one in fields.tables("relations"):
        if not isinstance(one, list) or [type(word) for word in one] != [str] * 3:
            raise fields.wrong('each of \'relations\' should be ["concept", "how", "concept"]')
        found.append(Relation(*(word.strip() for word in one)))
    return tuple(found)


def _part(path: Path, part: str) -> Any:
    found = read_toolbox(path)
    if part in found:
        return found[part]
    shown = f"[[{part}]]" if part == "concept" else f"[{part}]"
    has = ", ".join(f"[{name}]" for name in found)
    raise InputError(f"the file holds no {shown}, only {has}", file=str(path))


def _one_of(fields: Fields, key: str, kind: Any, default: Any) -> Any:
    word = fields.word(key, default)
    try:
        return kind(word)
    except ValueError:
        allowed = ", ".join(f'"{one.value}"' for one in kind)
        raise fields.wrong(f"{key!r} is {word!r}; allowed: {allowed}") from None
