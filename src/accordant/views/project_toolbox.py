"""The toolbox: task, guidelines and concepts in force, their history, and who agreed to them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..fields import FIELDS, columns
from ..numbers import count_of, joined
from ..resolution.records import Concept, Guidelines
from ..resolution.sentences import told
from ..resolution.state import Toolbox
from ..resolution.toolbox import diff, snapshot
from .blocks import Block, Entry, Prose, Table
from .document import Section
from .project_subject import Subject, called, filled, table
from .view import view

__all__ = ["toolbox_section"]

HASH = 12  # characters of a hash that a table shows


@view("task", of="project", title="Task", place=150)
def task(subject: Subject) -> Iterator[Block]:
    """Show the task: its questions and what belongs to them."""
    found = subject.epoch.task
    if found is None:
        yield Prose("No task is written yet.")
        return
    more = (("", found.text), ("Item: ", found.item_definition), ("Context: ", found.context))
    yield from (Prose(name + text) for name, text in more if text)
    yield table("", "question text group answering asked_if", (
        {
            "question": q.id, "text": q.text, "group": q.group, "answering": q.answering.value,
            "asked_if": f"{q.asked_if.question} is {joined(q.asked_if.labels, last='or')}"
            if q.asked_if else "",
        }
        for q in found.questions
    ))  # fmt: skip


@view("guidelines", of="project", title="Guidelines", place=151)
def guidelines(subject: Subject) -> Iterator[Block]:
    """Show the guidelines in force, and who has read them."""
    if not subject.epoch.guidelines:
        yield Prose("No guidelines are written yet.")
        return
    found = subject.epoch.guidelines[-1]
    change = f", a change that is {found.change}: {found.reason}" if found.change else ""
    yield Prose(" ".join(filter(None, [f"Version {found.version}{change}.", found.text])))
    options = tuple(
        {"question": q, "labels": joined(x, last="or")} for q, x in found.options.items()
    )
    yield Table("", (*columns("question"), called("what may be answered", "labels")), options)
    policy = found.ambiguity
    if policy is None:
        yield Prose("Whether an item may be called ambiguous is not stated yet.")
    elif policy.allowed:
        yield Prose(f"Or “ambiguous”, because of {joined(policy.sources, last='or')}.")
    else:
        yield Prose(f"“Ambiguous” is no answer{f': {policy.reason}' if policy.reason else ''}.")
    if found.rules:
        rules = tuple({"id": rule.id, "text": rule.text, "questions": joined(rule.questions)}
                      for rule in found.rules)  # fmt: skip
        heads = (FIELDS["id"].called("rule"), *filled("text questions", rules))
        yield Table("", heads, rules)
    read = [c for c, (_, version) in subject.epoch.acknowledged.items()
            if version == found.version and c in subject.state.coders]  # fmt: skip
    yield Prose(_agreed(subject, "Read", read))


@view("concepts", of="project", title="Concepts", place=152)
def concepts(subject: Subject) -> Iterator[Block]:
    """Show the key concepts in force, each with who has signed it."""
    found = [versions[-1] for versions in subject.epoch.concepts.values()]
    rows = tuple({"concept": c.name, "version": c.version, "kind": c.kind.value,
                  "definition": c.definition} for c in found)  # fmt: skip
    yield Table("", (), rows, depth="evidence")
    if not found:
        yield Prose("No concept is written yet.")
    for one in found:
        used = told("{q:+question}", {"q": one.questions}) if one.questions else "no question"
        yield Entry(f"concept-{one.name}", one.name, f"{one.kind}, version {one.version}; {used}",
                    tuple(_concept(subject, one)))  # fmt: skip


def _concept(subject: Subject, one: Concept) -> Iterator[str]:
    yield one.definition or "No definition yet."
    if one.subconcepts:
        yield f"Sub-concepts: {joined(one.subconcepts)}."
    yield from (f"{r.source} — {r.relation} — {r.target}" for r in one.relations)
    yield from (f"Example: {text}" for text in one.examples)
    yield from (f"Not: {text}" for text in one.counter_examples)
    signed = subject.epoch.signed.get(one.name, {})
    yield _agreed(subject, "Signed", [c for c, version in signed.items() if version == one.version])
    for objection in subject.epoch.objections:
        if objection.concept == one.name:
            yield f"{objection.coder} objects: {objection.text}"


def _agreed(subject: Subject, what: str, by: list[str]) -> str:
    """Who has agreed, and who is awaited."""
    missing = [coder for coder in subject.state.coders if coder not in by]
    waits = f"; awaited: {joined(missing)}" if missing else ""
    return f"{what} by {joined(c for c in subject.state.coders if c in by) or 'nobody yet'}{waits}."


# ------------------------------------------------------------------ the chapter of the report


def toolbox_section(subject: Subject) -> Section | None:
    """The toolbox in force and every change since the first round; None if there is no toolbox."""
    boxes = [box for box in subject.state.toolboxes if box.epoch == subject.epoch.number]
    if not boxes:
        return None
    first, later = _parted(subject, boxes)
    blocks: list[Block] = [_in_force(subject, boxes[-1]), _versions(subject)]
    for before, box in zip([first, *later], later, strict=False):
        blocks += _change(subject, before, box)
    if first is not None and not later:
        blocks.append(Prose("Nothing in the toolbox has changed since the first round opened."))
    return Section("toolbox", "History of the toolbox", _lead(subject, later),
                   (*blocks, *_earlier(subject)))  # fmt: skip


def _parted(subject: Subject, boxes: list[Toolbox]) -> tuple[Toolbox | None, list[Toolbox]]:
    """The toolbox of the first round, and those that came later."""
    rounds = subject.epoch.rounds
    if not rounds:
        return None, []
    start = next((box for box in boxes if box.ordinal == rounds[0].toolbox), boxes[0])
    return start, [box for box in boxes if box.ordinal > start.ordinal]


def _lead(subject: Subject, later: list[Toolbox]) -> str:
    epoch = subject.epoch
    text = count_of(len(epoch.questions), "question")
    if epoch.guidelines:
        last = epoch.guidelines[-1]
        text += f", guidelines {last.version} with {count_of(len(last.rules), 'rule')}"
    n = len(epoch.concepts)
    text += f", {count_of(n, 'key concept') if n else 'no key concept'}."
    if epoch.rounds:
        text += f" {count_of(len(later), 'change')} since the first round opened."
    return text


def _in_force(subject: Subject, box: Toolbox) -> Block:
    rows = ({"what": c.what, "after": c.after}
            for c in diff(None, snapshot(subject.state, box.ordinal)))  # fmt: skip
    title = f"The toolbox in force (number {box.ordinal}, hash {box.hash[:HASH]})"
    heads = (FIELDS["what"].called("part"), FIELDS["text"].called("text", key="after"))
    return Table(title, heads, tuple(rows), (f"Hash: {box.hash}",), depth="detail")


def _versions(subject: Subject) -> Table:
    epoch = subject.epoch
    rows = [_version(subject, f"guidelines {g.version}", g, g.change) for g in epoch.guidelines]
    for versions in epoch.concepts.values():
        for c in versions:
            change = f"version {c.version}" if c.version > 1 else None
            rows.append(_version(subject, f"concept {c.name} v{c.version}", c, change))
    notes = () if subject.history.known else (
        "Without the log only the latest signature of each coder is known.",)  # fmt: skip
    keys = "part change reason cases signed objected"
    return table("Versions, and who agreed to them", keys, rows, *notes)


def _version(subject: Subject, part: str, of: Guidelines | Concept, change: Any) -> dict[str, Any]:
    return {
        "part": part, "change": str(change or "first version"), "reason": of.reason,
        "cases": joined(map(str, of.cases), most=20), "signed": _signed(subject, part),
        "objected": joined((f"{s.person}: {s.text}" for s in subject.history.signatures
                            if s.part == part and s.what == "objected"), most=20),
    }  # fmt: skip


def _signed(subject: Subject, part: str) -> str:
    epoch, names = subject.epoch, list[str]()
    if subject.history.known:
        found = {s.person: s.what for s in subject.history.signatures
                 if s.part == part and s.what != "objected"}  # fmt: skip
        names = [f"{who} (changes no answer)" if what == "confirmed" else who
                 for who, what in found.items()]  # fmt: skip
    else:
        known = [(f"guidelines {v}", who) for who, (_, v) in epoch.acknowledged.items()]
        known += [(f"concept {name} v{v}", who) for name, signed in epoch.signed.items()
                  for who, v in signed.items()]  # fmt: skip
        names = [who for signed, who in known if signed == part]
    return joined(names, most=20) or "nobody"


def _change(subject: Subject, before: Toolbox | None, box: Toolbox) -> Iterator[Block]:
    old = snapshot(subject.state, before.ordinal) if before else None
    changed = diff(old, snapshot(subject.state, box.ordinal))
    parts = _new_parts(subject, before, box)
    why = "; ".join(part.reason.rstrip(".") for part in parts if part.reason)
    cases = list(dict.fromkeys(str(n) for part in parts for n in part.cases))
    who = subject.history.authors.get(box.ordinal, "")
    paragraphs = [
        f"Why: {why}." if why else "No reason is written down.",
        f"Behind it: case{'s' * (len(cases) > 1)} {joined(cases, most=40)}." if cases else "",
        "" if changed else "A new version with the same words.",
    ]
    yield Entry(
        f"toolbox-{box.ordinal}", f"Change {box.ordinal}: {_named(before, box)}",
        " · ".join(filter(None, (box.at[:10], who and f"by {who}", box.hash[:HASH]))),
        tuple(filter(None, paragraphs)),
    )  # fmt: skip
    if changed:
        rows = ({"what": c.what, "before": c.before or "(new)", "after": c.after or "(gone)"}
                for c in changed)  # fmt: skip
        yield Table("", columns("what before after"), tuple(rows))


def _named(before: Toolbox | None, box: Toolbox) -> str:
    old = before.concepts if before else {}
    parts = [f"concept {name} v{v}" for name, v in box.concepts.items() if old.get(name) != v]
    if before is None or before.guidelines != box.guidelines:
        parts.insert(0, f"guidelines {box.guidelines}")
    if before is not None and before.task != box.task:
        parts.insert(0, "task")
    return joined(parts) or "nothing named"


def _new_parts(
    subject: Subject, before: Toolbox | None, box: Toolbox
) -> list[Concept | Guidelines]:
    """The versions that are new: their reasons and cases are those of the change."""
    epoch, old = subject.epoch, before.concepts if before else {}
    found: list[Concept | Guidelines] = [
        c
        for name, version in box.concepts.items()
        if old.get(name) != version
        for c in epoch.concepts.get(name, [])
        if c.version == version
    ]
    if before is None or before.guidelines != box.guidelines:
        found += [g for g in epoch.guidelines if g.version == box.guidelines]
    return found


def _earlier(subject: Subject) -> Iterator[Block]:
    ended = [epoch for epoch in subject.state.epochs if epoch.number != subject.epoch.number]
    if ended:
        each = joined(
            f"task {epoch.number} with {count_of(len(epoch.rounds), 'round')} and "
            f"{count_of(len(epoch.cases), 'case')}{', abandoned' if epoch.abandoned else ''}"
            for epoch in ended
        )
        yield Prose(
            f"{count_of(len(ended), 'earlier task')} ended before this one: {each}. Nothing "
            "annotated under them counts; their records are kept in the log."
        )
