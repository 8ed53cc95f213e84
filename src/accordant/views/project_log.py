"""The log, a sentence for each event as a person may read it; and what an act would bring about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Annotated, Any

import msgspec

from ..actions import Action
from ..errors import unknown
from ..kinds import Typed
from ..numbers import count_of, joined
from ..resolution.command import step
from ..resolution.corrections import Rescored
from ..resolution.event import Event
from ..resolution.logbook import Entry
from ..resolution.logbook import log as entries_of
from ..resolution.preview import Preview
from ..resolution.procedure import KINDS, read_event
from ..resolution.requests import dependent_cells
from ..resolution.state import State
from .blocks import Block
from .project_subject import Subject, minute, table
from .view import view

__all__ = ["asked_now", "preview_lines", "sentences"]

MOST = 3  # events of a kind that are told one by one


@view("log", of="project", title="Log", place=30)
def log(
    subject: Subject,
    *,
    last: int = 0,
    by: Annotated[str, Typed("NAME")] = "",
    kind: str = "",
    case: Annotated[int, Typed("N", "--case")] = 0,
) -> Iterator[Block]:
    """Show everything that happened, as you may see it.

    While a round is open, nothing of what others answer is shown. Nothing is ever deleted. Each
    event holds the hash of the one before, which can be verified.

    Parameters
    ----------
    last : int
        Only so many events from the end.
    by : str
        Only what one person did.
    kind : str
        Only events of a kind, such as "case agreed".
    case : int
        Only events of a case.

    Examples
    --------
    Everything that happened:
    $ accordant project log
    The end of it:
    $ accordant project log --last 20
    One case, with every detail:
    $ accordant project log --case 3 -f json
    What somebody did:
    $ accordant project log --by bob --kind annotated
    """
    if kind and kind not in KINDS:
        raise unknown("kind of event", kind, sorted(KINDS), "there are")
    rows = [
        {
            "number": one.seq or None,
            "when": one.at,
            "minute": minute(one.at),
            "who": one.actor,
            "what": one.kind,
            "about": _about(one),
            "withheld": one.withheld,
            "hash": one.hash,
            "body": one.body,
        }
        for one in entries_of(subject.records, subject.state, subject.person)
        if by in ("", one.actor)
        and kind in ("", one.kind)
        and (not case or one.stream == f"case {case}" or case in _opened(one))
    ]
    yield table("", "number minute who about", rows[-last:], keep=("minute", "about"))


def _opened(entry: Entry) -> Sequence[int]:
    """Numbers of the cases that an event opens."""
    if entry.kind != "cases opened":
        return ()
    return range(entry.body["first"], entry.body["first"] + len(entry.body["items"]))


def _about(entry: Entry) -> str:
    """An event in a sentence; what is withheld, as far as it may be told."""
    if not entry.withheld:
        return read_event(entry.kind, msgspec.json.encode(entry.body).decode()).sentence()
    told = (f"{k} {x}" for k, x in entry.body.items() if isinstance(x, str | int) and x != "")
    return f"{entry.kind}: {'; '.join(told)}; {entry.withheld}"


def sentences(events: Iterable[Event]) -> Iterator[str]:
    """What happened, in the order in which it happened; many events of a kind are counted."""
    for kind, group in groupby(events, key=lambda event: event.kind):
        each: list[Any] = list(group)
        many = _many(kind, each) if len(each) > MOST else ""
        yield from ([many] if many else filter(None, (e.sentence() for e in each[:MOST])))
        if len(each) > MOST and not many:
            yield f"and {len(each) - MOST:,} more of this kind: {kind}"


def _many(kind: str, each: list[Any]) -> str:
    """Many events of a kind in one sentence, where it says more than their number."""
    if kind == "case agreed":
        return f"{count_of(len(each), 'case')} are agreed: {joined(str(e.case) for e in each)}"
    if kind == "assigned":
        return f"items are assigned to {joined(e.coder for e in each)}"
    if kind == "annotated":
        n = count_of(sum(len(e.items) for e in each), "annotation")
        of = count_of(len({e.question for e in each}), "question")
        return f"{each[0].coder}: {n} of {of} kept"
    return ""


def asked_now(events: Sequence[Event], state: State) -> Iterator[Action]:
    """Which dependent questions somebody is asked since an answer changed."""
    changed = {(e.coder, e.item, e.question) for e in events if isinstance(e, Rescored)}
    for coder, case, where, question in dependent_cells(state) if changed else ():
        name, asked_if = state.items.ids[where], state.epoch.questions[question].asked_if
        if asked_if is not None and (coder, name, asked_if.question) in changed:
            item = {} if case.item == where else {"item": name}
            why = f"{coder} is now asked question {question} about {name}"
            yield step("case rescore", why, case=case.number, question=question, **item)


def preview_lines(found: Preview) -> Iterator[str]:
    """One line for each thing that would differ, what would happen first.

    Examples
    --------
    >>> print(*preview_lines(Preview(again={"5a": 108, "5c": 63}, agreed={"5a": 59})), sep="; ")
    171 annotations asked for again (5a: 108 and 5c: 63); 59 agreed answers among them (5a: 59)
    """
    yield from sentences(found.events)
    if found.again:
        n, where = _counted(found.again, "annotation")
        yield f"{n} asked for again{where}"
    if found.agreed:
        n, where = _counted(found.agreed, "agreed answer")
        yield f"{n} among them{where}"
    for (before, after), k in Counter(found.cases.values()).items():
        yield f"{count_of(k, 'case')}: {f'{before} → {after}' if before else f'new, {after}'}"
    if found.to_read:
        yield f"to read or sign: {joined(found.to_read)}"
    now, then = found.release
    if now is not then:
        yield f"a release, now {now}, would be: {then}"
    if found.withheld:
        yield f"what follows from it is {found.withheld}"


def _counted(by_question: dict[str, int], noun: str) -> tuple[str, str]:
    """How many there are in all, and of each question."""
    each = joined(f"{question}: {n:,}" for question, n in by_question.items())
    return count_of(sum(by_question.values()), noun), f" ({each})"
