"""One case on a terminal, as the person may see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import click

from ...errors import RequestError
from ...numbers import joined
from ..group import command
from ..options import output
from ..output import Output
from .acting import Acting, acting
from .case import ACTIONS, named_cases
from .shown import show_rows

if TYPE_CHECKING:
    from rich.console import Console

    from ...resolution.state import Assessment, Proposal
    from ...resolution.views import CaseView

__all__ = ["show"]


@command(
    examples=(
        ("accordant project case 3", "the item, the answers, what was said and what is next"),
        ("accordant project case 3 show -f json", "everything as data"),
    )
)
@output
@acting
def show(acting: Acting, output: Output) -> None:
    """Show a case as you may see it.

    Others' reasons are shown after you have given your own.
    """
    from ...resolution.disagreement import cases_named
    from ...resolution.views import case_view

    with acting.opened(reads=True) as opened:
        named = named_cases()
        earlier = [n for n in named if isinstance(n, int)]
        if len(earlier) == len(named):
            numbers = earlier
        else:
            _no_action(named, opened.state.groups)
            numbers = [c.number for c in cases_named(opened.state, named)]
        if not numbers:
            raise RequestError("which case? accordant project case NUMBER")
        views = [case_view(opened.state, number, opened.viewer) for number in numbers]

    def pretty(console: Console) -> None:
        for view in views:
            _print(console, view)

    heads = ["case", "item", "question", "answers", "state", "cause", "outcome", "waits for"]
    show_rows(output, "Cases", heads, map(_row, views), pretty=pretty)


def _no_action(named: Sequence[int | str], groups: Iterable[str]) -> None:
    """Complain about a word that is no group, and nearly an action."""
    for word in named:
        close = get_close_matches(str(word), ACTIONS, 1)
        if close and str(word) not in groups:
            raise click.UsageError(f"There is no action {word!r}. Did you mean {close[0]!r}?")
        if isinstance(word, str) and word not in groups and len(named) > 1:
            raise click.UsageError(
                f"There is no action and no group of cases {word!r}: accordant project case --help"
            )


def _row(view: CaseView) -> dict[str, Any]:
    """Everything about a case as data."""
    import msgspec

    row = view.summary.row()
    inside: dict[str, Any] = msgspec.to_builtins(view, enc_hook=str)
    inside.pop("summary")
    return row | inside


def _print(console: Console, view: CaseView) -> None:
    from ..tables import print_list, print_sentences

    row = view.summary
    place = f"item {row.item}, question {row.question}"
    group = f", group {row.group}" if row.group else ""
    print_sentences(console, [f"Case {row.number}: {place}"], style="bold")
    console.print()
    for text in filter(None, (view.context, view.text)):
        print_sentences(console, [text])
    print_sentences(console, [f"{row.question}: {view.question_text}"], style="dim")
    if row.withheld:
        print_sentences(console, ["", row.withheld])
        return
    console.print()
    for coder, answer in row.answers.items():
        first = view.first.get(coder)
        before = f" (first: {first})" if first is not None else ""
        print_sentences(console, [f"{coder}: {answer}{before}"])
    told = list(_said(view))
    if told:
        console.print()
        print_list(console, told)
    console.print()
    print_sentences(console, [f"State: {row.state.value}{group}. {_next(view)}"])
    if view.same_item:
        also = joined(map(str, view.same_item))
        print_sentences(console, [f"Other cases of this item: {also}"], style="dim")
    console.print()


def _said(view: CaseView) -> Iterator[str]:
    """What was said, in sentences."""
    for coder, reason in view.reasons.items():
        cites = f" [{joined(reason.cites)}]" if reason.cites else ""
        yield f"{coder}'s reason: {reason.text}{cites}"
    if view.unread:
        yield f"reasons of {joined(view.unread)}: shown after you have given yours"
    for assessment in view.assessments:
        yield _assessment(assessment)
    for proposal in view.proposals:
        yield _proposal(proposal)
    for coder, because, at in view.rescored:
        yield f"{coder} changed the annotation ({because}) on {at[:10]}"
    yield from _reopened(view)
    summary = view.summary
    if summary.answer is not None:
        how = summary.settled or summary.outcome
        by = f" by {view.decided_by}" if view.decided_by else ""
        method = f" ({view.method})" if view.method else ""
        cites = f" [{joined(view.cites)}]" if view.cites else ""
        why = f": {view.says}" if view.says else ""
        yield f"the answer is “{summary.answer}”, {how}{by}{method}{cites}{why}"
    elif summary.settled:
        yield f"{summary.settled.value}: {view.says}"
    if view.review_date:
        yield f"to be looked at again on {view.review_date}: {view.says}"


def _reopened(view: CaseView) -> Iterator[str]:
    """That the case was taken up again: what was said before is no longer the last word."""
    talk = ("open", "reasons")
    for (_, before, _), (when, now, why) in pairwise(view.history):
        if now in talk and before not in (*talk, "cause proposed"):
            yield f"opened again on {when[:10]}: {why}"


def _assessment(one: Assessment) -> str:
    """A cause that was proposed, its evidence, and what became of it."""
    import msgspec

    evidence = msgspec.to_builtins(one.evidence)
    proof = "; ".join(f"{key}: {_flat(value)}" for key, value in evidence.items() if value)
    state = (
        "withdrawn" if one.withdrawn
        else "accepted" if one.accepted
        else f"accepted by {joined(one.consents)}" if one.consents else "proposed"
    )  # fmt: skip
    refused = "".join(f"; {who} refused: {why}" for who, why in one.refusals.items())
    disputed = f"; {one.disputed}" if one.disputed else ""
    about = f" ({proof})" if proof else ""
    return f"cause {one.cause.value} by {one.by}, {state}{about}{refused}{disputed}"


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {text}" for key, text in value.items())
    return joined(value) if isinstance(value, list | tuple) else str(value)


def _proposal(one: Proposal) -> str:
    """An outcome that was proposed, and what became of it."""
    cites = f" [{joined(one.cites)}]" if one.cites else ""
    accepted = f"; accepted by {joined(one.consents)}" if one.consents else ""
    refused = "".join(f"; {who} refused: {why}" for who, why in one.refusals.items())
    return f"{one.by} proposes “{one.answer}”{cites}: {one.text}{accepted}{refused}"


NEXT = {
    "open": "reason TEXT", "reasons": "reason TEXT, or cause CAUSE",
    "cause proposed": "accept, or refuse REASON", "cause accepted": "outcome, return or rescore",
    "rescoring": "rescore LABEL", "argued": "outcome ANSWER --cites ELEMENT",
    "postponed": "reopen REASON", "unresolved": "decide ANSWER, or reopen REASON",
    "agreed": "", "returned": "", "closed": "",
}  # fmt: skip
"""What is typed next, by the state of a case."""


def _next(view: CaseView) -> str:
    row = view.summary
    typed = NEXT.get(row.state.value, "")
    if any(p.consents and not p.ended for p in view.proposals):
        typed = "accept, or refuse REASON"
    waits = f"Awaited: {joined(row.waits_for)}. " if row.waits_for else ""
    return waits + (f"Next: accordant project case {row.number} {typed}" if typed else "")
