"""The toolbox: what is in force, its history, who agreed to it, what is annotated again for it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from ..fields import FIELDS
from ..numbers import count_of, joined, percent
from ..resolution.provenance import Again
from ..resolution.records import Concept, Guidelines
from ..resolution.sentences import told
from ..resolution.staleness import order_state, stale_counts
from ..resolution.state import Order, Toolbox
from ..resolution.toolbox import Changed, diff, snapshot
from ..resolution.words import OrderState
from .blocks import Block, Prose, Table, entry
from .project_subject import Subject, Told, called, chapter, table
from .view import view

__all__ = ["again_section", "toolbox_section"]

HASH = 12  # characters of a hash that a label shows
AGREED_TOO = (
    "The scope includes answers on which coders agreed: under the old toolbox they may "
    "have agreed for different reasons."
)


@view("task", of="project", title="Task", place=150)
def task(subject: Subject) -> Iterator[Block]:
    """Show the task: its questions and what belongs to them."""
    found = subject.epoch.task
    if found is None:
        yield Prose("No task is written yet.")
        return
    more = (("", found.text), ("Item: ", found.item_definition), ("Context: ", found.context))
    yield from (Prose(name + text) for name, text in more if text)
    yield table(
        "",
        "question text group answering asked_if",
        (
            {
                "question": q.id,
                "text": q.text,
                "group": q.group,
                "answering": q.answering.value,
                "asked_if": f"{q.asked_if.question} is {joined(q.asked_if.labels, last='or')}"
                if q.asked_if
                else "",
            }
            for q in found.questions
        ),
    )


@view("guidelines", of="project", title="Guidelines", place=151)
def guidelines(subject: Subject) -> Iterator[Block]:
    """Show the guidelines in force, and who has read them."""
    if not subject.epoch.guidelines:
        yield Prose("No guidelines are written yet.")
        return
    found = subject.epoch.guidelines[-1]
    change = f", a change that is {found.change}: {found.reason}" if found.change else ""
    yield Prose(" ".join(filter(None, [f"Version {found.version}{change}.", found.text])))
    options = ({"question": q, "labels": joined(x, last="or")} for q, x in found.options.items())
    yield table("", ("question", called("what may be answered", "labels")), options)
    policy = found.ambiguity
    if policy is None:
        yield Prose("Whether an item may be called ambiguous is not stated yet.")
    elif policy.allowed:
        yield Prose(f"Or “ambiguous”, because of {joined(policy.sources, last='or')}.")
    else:
        yield Prose(f"“Ambiguous” is no answer{f': {policy.reason}' if policy.reason else ''}.")
    if found.rules:
        heads = (FIELDS["id"].called("rule"), "text", "questions")
        yield table(
            "",
            heads,
            (
                {"id": rule.id, "text": rule.text, "questions": joined(rule.questions)}
                for rule in found.rules
            ),
        )
    yield Prose(_agreed(subject, "Read", f"guidelines {found.version}"))


@view("concepts", of="project", title="Concepts", place=152)
def concepts(subject: Subject) -> Iterator[Block]:
    """Show the key concepts in force, each with who has signed it."""
    found = [versions[-1] for versions in subject.epoch.concepts.values()]
    rows = tuple(
        {"concept": c.name, "version": c.version, "kind": c.kind.value, "definition": c.definition}
        for c in found
    )
    yield Table("", (), rows, depth="evidence")
    if not found:
        yield Prose("No concept is written yet.")
    for one in found:
        used = told("{q:+question}", {"q": one.questions}) if one.questions else "no question"
        yield entry(
            f"concept-{one.name}",
            one.name,
            f"{one.kind}, version {one.version}; {used}",
            tuple(_concept(subject, one)),
        )


def _concept(subject: Subject, one: Concept) -> Iterator[str]:
    yield one.definition or "No definition yet."
    if one.subconcepts:
        yield f"Sub-concepts: {joined(one.subconcepts)}."
    yield from (f"{r.source} — {r.relation} — {r.target}" for r in one.relations)
    yield from (f"Example: {text}" for text in one.examples)
    yield from (f"Not: {text}" for text in one.counter_examples)
    yield _agreed(subject, "Signed", f"concept {one.name} v{one.version}")
    for objection in subject.epoch.objections:
        if objection.concept == one.name:
            yield f"{objection.coder} objects: {objection.text}"


def _agreed(subject: Subject, what: str, part: str) -> str:
    """Who has agreed to a part that is in force, and who is awaited."""
    coders, agreed = subject.state.coders, _latest(subject).get(part, ())
    missing = [coder for coder in coders if coder not in agreed]
    waits = f"; awaited: {joined(missing)}" if missing else ""
    return f"{what} by {joined(c for c in coders if c in agreed) or 'nobody yet'}{waits}."


def _latest(subject: Subject) -> Mapping[str, list[str]]:
    """Each part of the toolbox that coders agreed to last, with their names."""
    found = defaultdict[str, list[str]](list)
    for who, (_, version) in subject.epoch.acknowledged.items():
        found[f"guidelines {version}"].append(who)
    for name, signed in subject.epoch.signed.items():
        for who, number in signed.items():
            found[f"concept {name} v{number}"].append(who)
    return found


# ------------------------------------------------------------------ the chapter of the report


@chapter("toolbox", "History of the toolbox")
def toolbox_section(subject: Subject) -> Told:
    """The toolbox in force and every change since the first round."""
    epoch = subject.epoch
    boxes = [box for box in subject.state.toolboxes if box.epoch == epoch.number]
    if not boxes:
        return
    since = [box for box in boxes if epoch.rounds and box.ordinal >= epoch.rounds[0].toolbox]
    parts = count_of(len(epoch.questions), "question")
    if epoch.guidelines:
        last = epoch.guidelines[-1]
        parts += f", guidelines {last.version} with {count_of(len(last.rules), 'rule')}"
    n = len(epoch.concepts)
    parts += f", {count_of(n, 'key concept') if n else 'no key concept'}."
    if since:
        parts += f" {count_of(len(since) - 1, 'change')} since the first round opened."
    yield parts
    yield _versions(subject)
    for before, box in pairwise(since):
        yield from _change(subject, before, box)


def _written(subject: Subject) -> dict[str, Guidelines | Concept]:
    """Every version of guidelines and concepts by its name."""
    concepts = [c for versions in subject.epoch.concepts.values() for c in versions]
    return {
        **{f"guidelines {g.version}": g for g in subject.epoch.guidelines},
        **{f"concept {c.name} v{c.version}": c for c in concepts},
    }


def _versions(subject: Subject) -> Table:
    """Who agreed to each version, and who objected."""
    log = subject.history
    signed = {part: who.values() for part, who in log.signed.items()} or _latest(subject)
    rows = (
        {
            "part": part,
            "change": _changed_by(of),
            "reason": of.reason,
            "cases": joined(map(str, of.cases), most=20),
            "signed": joined(signed.get(part, ()), most=20) or "nobody",
            "objected": joined(log.objected.get(part, ()), most=20),
        }
        for part, of in _written(subject).items()
    )
    notes = (
        () if log.known else ("Without the log only the latest signature of each coder is known.",)
    )
    keys = "part change reason cases signed objected"
    return table("Versions, and who agreed to them", keys, rows, *notes)


def _before_and_after(changed: Sequence[Changed]) -> Table:
    return table(
        "",
        "what before after",
        (
            {"what": c.what, "before": c.before or "(new)", "after": c.after or "(gone)"}
            for c in changed
        ),
    )


def _changed_by(of: Guidelines | Concept) -> str:
    """How far a version changes the one before."""
    if isinstance(of, Guidelines):
        return str(of.change or "first version")
    return f"version {of.version}" if of.version > 1 else "first version"


def _change(subject: Subject, before: Toolbox, box: Toolbox) -> Iterator[Block]:
    state, written = subject.state, _written(subject)
    new = [name for name in _named(box) if name not in _named(before)]
    parts = [written[name] for name in new if name in written]
    why = "; ".join(part.reason.rstrip(".") for part in parts if part.reason)
    cases = list(dict.fromkeys(str(n) for part in parts for n in part.cases))
    who = subject.history.authors.get(box.ordinal, "")
    changed = diff(snapshot(state, before.ordinal), snapshot(state, box.ordinal))
    paragraphs = [
        f"Why: {why}." if why else "No reason is written down.",
        f"Behind it: case{'s' * (len(cases) > 1)} {joined(cases, most=40)}." if cases else "",
        "" if changed else "A new version with the same words.",
    ]
    if before.task != box.task:
        new.insert(0, "task")
    yield entry(
        f"toolbox-{box.ordinal}",
        f"Change {box.ordinal}: {joined(new) or 'nothing named'}",
        " · ".join(filter(None, (box.at[:10], who and f"by {who}", box.hash[:HASH]))),
        tuple(filter(None, paragraphs)),
    )
    if changed:
        yield _before_and_after(changed)


def _named(box: Toolbox) -> list[str]:
    concepts = (f"concept {name} v{version}" for name, version in box.concepts.items())
    return [f"guidelines {box.guidelines}", *concepts]


# ------------------------------------------------------------------ what is annotated again


@view("reannotate", of="project", title="Re-annotation", place=123)
def orders(subject: Subject) -> Iterator[Block]:
    """Show what must be annotated again: owed, done or waived."""
    yield _orders(subject, "")


def _orders(subject: Subject, title: str) -> Table:
    found = subject.epoch.orders
    keys = "order trigger questions items state rounds cases note"
    note = AGREED_TOO if found else "Nothing has to be annotated again."
    keep = ("order", "trigger", "state", "questions")
    return table(title, keys, (_order(subject, one) for one in found), note, keep=keep)


def _order(subject: Subject, order: Order) -> dict[str, Any]:
    rounds = (r.number for r in subject.epoch.rounds if order.number in r.orders)
    notes = {"narrowed": order.narrowed, "waived": order.waived}
    return {
        "order": order.number,
        "trigger": order.trigger,
        "questions": joined(order.questions, most=30),
        "items": len(subject.state.items.ids if order.items is None else order.items),
        "state": order_state(subject.epoch, order).value,
        "rounds": joined(f"round {n}" for n in rounds),
        "cases": joined(map(str, order.cases), most=20),
        "note": "; ".join(f"{what}: {why}" for what, why in notes.items() if why),
    }


@chapter("again", "Re-annotation")
def again_section(subject: Subject) -> Told:
    """Orders to annotate again, and what the rounds changed that carried them out."""
    found = subject.epoch.orders
    if not found:
        return
    now, hides = subject.epoch.number, subject.sight.hides_some
    shown = [a for a in subject.history.again if a.epoch == now and not hides(a.question)]
    n = Counter(order_state(subject.epoch, order) for order in found)
    each = (OrderState.DONE, OrderState.OPEN, OrderState.WAIVED)
    states = joined(f"{n[state]:,} {state}" for state in each if n[state])
    text = f"{count_of(len(found), 'order')} to annotate again: {states}."
    if agreed := sum(a.agreed for a in shown):
        changed = sum(a.changed for a in shown)
        text += (
            f" Of {count_of(agreed, 'answer')} on which coders had agreed before, {changed:,} "
            f"({percent(changed / agreed)}) changed."
        )
    yield text
    yield _orders(subject, "Orders")
    if not subject.history.known:
        yield Prose("Without the log it cannot be told what a round changed.")
    elif shown:
        keys = "what agreed kept other torn lost share conflicting settled"
        rows = map(_changed, shown)
        yield table("What annotating again changed, by item and question", keys, rows)
    if stale := 0 if subject.sight.round else sum(stale_counts(subject.epoch).values()):
        yield Prose(
            f"{count_of(stale, 'annotation was', 'annotations were')} made under an earlier "
            "toolbox and must be made again before these are a ground truth."
        )


def _changed(a: Again) -> dict[str, Any]:
    return {
        "what": f"round {a.round}, question {a.question}",
        "agreed": a.agreed,
        "kept": a.kept,
        "other": a.other,
        "torn": a.torn,
        "lost": a.lost or None,
        "share": a.changed / a.agreed if a.agreed else float("nan"),
        "conflicting": a.conflicting,
        "settled": a.settled,
    }
