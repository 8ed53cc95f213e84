"""The history of the toolbox: what changed in task, guidelines and concepts, why, who signed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..numbers import count_of, joined
from ..resolution.records import Concept, Guidelines
from ..resolution.state import Toolbox
from ..resolution.toolbox import Changed, diff, snapshot
from .document import Block, Column, Entry, Prose, Section, Table
from .project_subject import Subject

__all__ = ["toolbox_section"]

HASH = 12  # characters of a hash that a table shows
_PARTS = (Column("what", "part"), Column("before", "before"), Column("after", "after"))


def toolbox_section(subject: Subject) -> Section | None:
    """The toolbox in force and every change since the first round; None if there is no toolbox."""
    boxes = [box for box in subject.state.toolboxes if box.epoch == subject.epoch.number]
    if not boxes:
        return None
    first, later = _parted(subject, boxes)
    blocks: list[Block] = [_in_force(subject, boxes[-1]), _versions(subject)]
    if first is not None and later:
        before: Toolbox | None = first
        for box in later:
            blocks += _change(subject, before, box)
            before = box
    elif first is not None:
        blocks.append(Prose("Nothing in the toolbox has changed since the first round opened."))
    blocks += _earlier(subject)
    return Section("toolbox", "History of the toolbox", _lead(subject, boxes, later), tuple(blocks))


def _parted(subject: Subject, boxes: list[Toolbox]) -> tuple[Toolbox | None, list[Toolbox]]:
    """The toolbox of the first round, and those that came later."""
    rounds = subject.epoch.rounds
    if not rounds:
        return None, []
    start = next((box for box in boxes if box.ordinal == rounds[0].toolbox), boxes[0])
    return start, [box for box in boxes if box.ordinal > start.ordinal]


def _lead(subject: Subject, boxes: list[Toolbox], later: list[Toolbox]) -> str:
    epoch = subject.epoch
    text = f"{count_of(len(epoch.questions), 'question')}"
    if epoch.guidelines:
        last = epoch.guidelines[-1]
        text += f", guidelines {last.version} with {count_of(len(last.rules), 'rule')}"
    n = len(epoch.concepts)
    text += f", {count_of(n, 'key concept')}." if n else ", no key concept."
    if epoch.rounds:
        text += f" {count_of(len(later), 'change')} since the first round opened."
    return text


# ------------------------------------------------------------------ what is in force


def _in_force(subject: Subject, box: Toolbox) -> Block:
    parts = [
        {"what": c.what, "after": c.after} for c in diff(None, snapshot(subject.state, box.ordinal))
    ]
    columns = (Column("what", "part"), Column("after", "text"))
    title = f"The toolbox in force (number {box.ordinal}, hash {box.hash[:HASH]})"
    return Table(title, columns, tuple(parts), (f"Hash: {box.hash}",), depth="detail")


# ------------------------------------------------------------------ versions and signatures


def _versions(subject: Subject) -> Table:
    epoch = subject.epoch
    rows = [_guidelines_row(subject, g) for g in epoch.guidelines]
    rows += [_concept_row(subject, c) for versions in epoch.concepts.values() for c in versions]
    columns = (
        Column("part", "part"),
        Column("change", "change"),
        Column("reason", "why"),
        Column("cases", "cases behind it"),
        Column("signed", "agreed"),
        Column("objected", "objected"),
    )
    notes = []
    if not subject.history.known:
        notes.append("Without the log only the latest signature of each coder is known.")
    shown = [
        c for c in columns if c.key not in ("cases", "objected") or any(r[c.key] for r in rows)
    ]
    return Table("Versions, and who agreed to them", tuple(shown), tuple(rows), tuple(notes))


def _guidelines_row(subject: Subject, g: Guidelines) -> dict[str, Any]:
    return {
        "part": f"guidelines {g.version}",
        "change": g.change.value if g.change else "first version",
        "reason": g.reason,
        "cases": joined(map(str, g.cases), most=20),
        "signed": _signed(subject, f"guidelines {g.version}"),
        "objected": _objected(subject, f"guidelines {g.version}"),
    }


def _concept_row(subject: Subject, c: Concept) -> dict[str, Any]:
    part = f"concept {c.name} v{c.version}"
    return {
        "part": part,
        "change": "first version" if c.version == 1 else f"version {c.version}",
        "reason": c.reason,
        "cases": joined(map(str, c.cases), most=20),
        "signed": _signed(subject, part),
        "objected": _objected(subject, part),
    }


def _signed(subject: Subject, part: str) -> str:
    if subject.history.known:
        found = {s.person: s.what for s in subject.history.signatures
                 if s.part == part and s.what != "objected"}  # fmt: skip
        names = [f"{who} (changes no answer)" if what == "confirmed" else who
                 for who, what in found.items()]  # fmt: skip
        return joined(names, most=20) or "nobody"
    epoch = subject.epoch
    if part.startswith("guidelines "):
        version = part.removeprefix("guidelines ")
        names = [who for who, (_, known) in epoch.acknowledged.items() if known == version]
    else:
        names = [
            who
            for concept, signed in epoch.signed.items()
            for who, version in signed.items()
            if part == f"concept {concept} v{version}"
        ]
    return joined(names, most=20) or "nobody"


def _objected(subject: Subject, part: str) -> str:
    found = [f"{s.person}: {s.text}" for s in subject.history.signatures
             if s.part == part and s.what == "objected"]  # fmt: skip
    return joined(found, most=20)


# ------------------------------------------------------------------ changes


def _change(subject: Subject, before: Toolbox | None, box: Toolbox) -> Iterator[Block]:
    old = snapshot(subject.state, before.ordinal) if before else None
    changed = diff(old, snapshot(subject.state, box.ordinal))
    why, cases = _why(subject, before, box)
    who = subject.history.authors.get(box.ordinal, "")
    label = " · ".join(filter(None, (box.at[:10], who and f"by {who}", box.hash[:HASH])))
    paragraphs = [f"Why: {why}." if why else "No reason is written down."]
    if cases:
        paragraphs.append(
            f"Behind it: {'case' if len(cases) == 1 else 'cases'} "
            f"{joined(map(str, cases), most=40)}."
        )
    if not changed:
        paragraphs.append("A new version with the same words.")
    yield Entry(f"toolbox-{box.ordinal}", f"Change {box.ordinal}: {_named(before, box)}", label,
                tuple(paragraphs))  # fmt: skip
    if changed:
        yield Table("", _PARTS, tuple(_row(c) for c in changed))


def _row(changed: Changed) -> dict[str, str]:
    return {
        "what": changed.what,
        "before": changed.before or "(new)",
        "after": changed.after or "(gone)",
    }


def _named(before: Toolbox | None, box: Toolbox) -> str:
    old = before.concepts if before else {}
    parts = [f"concept {name} v{v}" for name, v in box.concepts.items() if old.get(name) != v]
    if before is None or before.guidelines != box.guidelines:
        parts.insert(0, f"guidelines {box.guidelines}")
    if before is not None and before.task != box.task:
        parts.insert(0, "task")
    return joined(parts) or "nothing named"


def _why(subject: Subject, before: Toolbox | None, box: Toolbox) -> tuple[str, tuple[int, ...]]:
    """The reason that was written with the versions that are new, and the cases behind them."""
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
    cases = dict.fromkeys(n for part in found for n in part.cases)
    return "; ".join(part.reason.rstrip(".") for part in found if part.reason), tuple(cases)


def _earlier(subject: Subject) -> Iterator[Block]:
    ended = [epoch for epoch in subject.state.epochs if epoch.number != subject.epoch.number]
    if ended:
        yield Prose(
            f"{count_of(len(ended), 'earlier task')} ended before this one: "
            + joined(
                f"task {epoch.number} with {count_of(len(epoch.rounds), 'round')} and "
                f"{count_of(len(epoch.cases), 'case')}" + (", abandoned" if epoch.abandoned else "")
                for epoch in ended
            )
            + ". Nothing annotated under them counts; their records are kept in the log."
        )
