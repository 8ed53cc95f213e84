"""The toolbox: what is in force, its history, who agreed to it, what is annotated again for it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from ..fields import FIELDS
from ..numbers import count_of, joined, percent
from ..resolution.logbook import Again
from ..resolution.staleness import order_state
from ..resolution.state import Order
from ..resolution.terms import Concept, Guidelines
from ..resolution.toolbox import diff, snapshot
from .blocks import Block, Prose, Table, entry
from .project_subject import Subject, Told, called, chapter, table
from .view import view

HASH = 12  # characters of a hash that a label shows
AGREED_TOO = (
    "Answers on which coders agreed are in the scope too: they may have agreed for different "
    "reasons."
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
        yield Prose("Whether an item may be called ambiguous is not stated.")
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
        used = f"questions: {joined(one.questions)}" if one.questions else "no question"
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
    """Every version of guidelines and concepts, with why, and who agrees; every change since."""
    epoch, state = subject.epoch, subject.state
    boxes = [box for box in state.toolboxes if box.epoch == epoch.number]
    if not boxes:
        return
    since = [box for box in boxes if epoch.rounds and box.ordinal >= epoch.rounds[0].toolbox]
    n = count_of(max(len(since) - 1, 0), "change")
    questions, concepts = len(epoch.questions), len(epoch.concepts)
    yield (
        f"{count_of(questions, 'question')}, {count_of(concepts, 'key concept')}; {n} since the "
        "first round."
    )
    versions: list[Guidelines | Concept] = [*epoch.guidelines]
    versions += [c for each in epoch.concepts.values() for c in each]
    keys = "part reason cases signed"
    yield table("Versions, and who agrees to them", keys, (_version(subject, v) for v in versions))
    for before, box in pairwise(since):
        changed = diff(snapshot(state, before.ordinal), snapshot(state, box.ordinal))
        yield table(
            f"Change of {box.at[:10]}",
            "what before after",
            (
                {"what": c.what, "before": c.before or "(new)", "after": c.after or "(gone)"}
                for c in changed
            ),
            f"Hash: {box.hash}.",
        )


def _version(subject: Subject, of: Guidelines | Concept) -> dict[str, Any]:
    part = f"guidelines {of.version}"
    if isinstance(of, Concept):
        part = f"concept {of.name} v{of.version}"
    cases = joined(map(str, of.cases), most=20)
    signed = joined(_latest(subject).get(part, ()), most=20) or "nobody now"
    return {"part": part, "reason": of.reason, "cases": cases, "signed": signed}


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
    shown = [a for a in subject.again if a.epoch == now and not hides(a.question)]
    text = f"{count_of(len(found), 'order')} to annotate again."
    if agreed := sum(a.agreed for a in shown):
        changed = sum(a.changed for a in shown)
        text += (
            f" Of {count_of(agreed, 'answer')} on which coders had agreed {changed:,} "
            f"({percent(changed / agreed)}) changed."
        )
    yield text
    yield _orders(subject, "Orders")
    if shown:
        columns = (
            "what",
            "agreed",
            called("changed", "changed", "count"),
            "conflicting",
            "settled",
        )
        rows = map(_changed, shown)
        yield table("What annotating again changed", columns, rows)


def _changed(a: Again) -> dict[str, Any]:
    return {
        "what": f"round {a.round}, question {a.question}",
        "agreed": a.agreed,
        "changed": a.changed,
        "conflicting": a.conflicting,
        "settled": a.settled,
    }
