"""What coders say in a case: first each their own reason, then argument and counter-argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from ..errors import RequestError, unknown
from .case_guards import given
from .case_table import unmet_in
from .cases import CaseEvent, told_in, turn
from .command import Events, command, require
from .disagreement import (
    Cases,
    awaited_assessment,
    awaited_proposal,
    cases_named,
    label_of_case,
    the_case,
)
from .event import Stamp, on
from .records import Highlight
from .state import Case, Reason, State
from .taken import Cites, Typed
from .toolbox import cited
from .words import SPEAKERS, CaseState, Role, Step

__all__ = [
    "ConsentTakenBack", "ReasonGiven", "Remarked", "give_reason", "remark", "take_back_consent",
]  # fmt: skip

Stretch = Highlight | tuple[int, int]
Stretches = Annotated[Sequence[Stretch] | Stretch | None, Typed("FROM-TO", "--highlight")]
"""Stretches of the text of an item."""
Marks = tuple[Highlight, ...]


class ReasonGiven(CaseEvent, frozen=True, tag="reason given"):
    """A coder says why they annotated as they did, before seeing the others' reasons."""

    says = "case {case}: {coder} gave a reason"
    commutes = True

    coder: str
    text: str
    cites: tuple[str, ...] = ()  # toolbox elements, see `toolbox.elements`
    highlight: Highlight | None = None  # in older logs: there was one
    highlights: tuple[Highlight, ...] = ()


class Remarked(CaseEvent, frozen=True, tag="remark made"):
    """An argument or an answer in the discussion of a case."""

    says = "case {case}: {by} says something"
    commutes = True

    by: str
    text: str
    cites: tuple[str, ...] = ()
    highlights: tuple[Highlight, ...] = ()
    reply_to: int = 0  # number of the event that it answers


class ConsentTakenBack(CaseEvent, frozen=True, tag="consent taken back"):
    """Somebody no longer accepts what still waits for others."""

    says = "case {case}: {by} takes a consent back"

    by: str
    proposal: int


@on(ReasonGiven)
def _reason_given(state: State, event: ReasonGiven, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    marks = (*filter(None, (event.highlight,)), *event.highlights)
    case.thread[-1].highlights = marks
    case.reasons[event.coder] = Reason.of(event, highlights=marks, at=stamp[0], seq=state.seq)
    if case.state == CaseState.OPEN:
        turn(case, CaseState.REASONS)


@on(Remarked)
def _remarked(state: State, event: Remarked, stamp: Stamp) -> None:
    told_in(state, event, stamp)


@on(ConsentTakenBack)
def _taken_back(state: State, event: ConsentTakenBack, stamp: Stamp) -> None:
    case = told_in(state, event, stamp)
    wanted = next(one for one in case.proposed if one.seq == event.proposal)
    wanted.consents.remove(event.by)
    wanted.events.pop(event.by, None)
    wanted.rivals.pop(event.by, None)


def _marks(state: State, case: Case, given: Sequence[Stretch] | Stretch | None) -> Marks:
    """Stretches that lie within the text of the item."""
    text = state.items.texts[case.item] if state.items.texts else ""
    found = []
    for start, end in _pairs(given):
        if not 0 <= start < end <= len(text):
            raise RequestError(
                f"characters {start} to {end} are not a stretch of the item's text, which has "
                f"{len(text):,} characters"
            )
        found.append(Highlight(start, end))
    return tuple(found)


def _pairs(given: Sequence[Stretch] | Stretch | None) -> Iterator[tuple[int, int]]:
    if isinstance(given, Highlight):
        yield given.start, given.end
    elif given and isinstance(given[0], int):
        yield int(given[0]), int(given[1])  # type: ignore[arg-type]
    else:
        for one in given or ():
            yield from _pairs(one)  # type: ignore[arg-type]


@command("case reason", "say why one annotated so", roles=(Role.CODER,), steps=(Step.RESOLUTION,))
def give_reason(
    state: State,
    by: str,
    *,
    case: Annotated[int, Typed(each=True)],
    text: str,
    cites: Cites = (),
    highlight: Stretches = None,
) -> Events:
    """Say why you annotated an item as you did.

    The others' reasons are shown after that. A reason that is given again stands beside the first,
    which stays as it was.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item.
    case : int
    text : str
        Your reason.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    highlight : Highlight, pair of int, or several
        The characters of the item's text that are meant, such as 10-42.

    Examples
    --------
    Why you said so:
    $ accordant project case 3 reason 'it is a report' --cites 'rule R2'
    A longer text:
    $ accordant project case 3 reason - < why.txt
    With the words that are meant:
    $ accordant project case 3 reason 'this part' --highlight 10-42
    """
    one = the_case(state, case)
    elements, marks = cited(state, cites), _marks(state, one, highlight)
    unmet = unmet_in("case reason", state, by, [one]) + given(text)
    require(f"giving a reason in {label_of_case(state, one)}", unmet)
    return [ReasonGiven(case, by, text.strip(), elements, highlights=marks)]


@command("case remark", "say something in a case", roles=SPEAKERS, steps=(Step.RESOLUTION,))
def remark(
    state: State,
    by: str,
    *,
    case: Annotated[int, Typed(each=True)],
    text: str,
    cites: Cites = (),
    highlight: Stretches = None,
    reply_to: Annotated[int, Typed("NUMBER", "--reply-to")] = 0,
) -> Events:
    """Say something in the discussion of a case, after your own reason.

    An argument or an answer to one: it changes nothing but the thread, which is part of the report.

    Parameters
    ----------
    state : State
    by : str
        A coder of the item (who has given a reason), a moderator or a researcher.
    case : int
    text : str
        What you say.
    cites : sequence of str
        What in the toolbox it rests on: 'question ID', 'rule ID' or 'concept NAME'.
    highlight : Highlight, pair of int, or several
        The characters of the item's text that are meant, such as 10-42.
    reply_to : int
        The number of what it answers, as the thread shows it.

    Examples
    --------
    An argument:
    $ accordant project case 3 remark 'it quotes a letter' --as bob
    An answer to number 48 of the thread:
    $ accordant project case 3 remark 'which does not decide it' --reply-to 48
    """
    one = the_case(state, case)
    elements, marks = cited(state, cites), _marks(state, one, highlight)
    if reply_to and reply_to not in (known := [turn.seq for turn in one.thread]):
        raise unknown("entry of the thread", reply_to, known, f"{label_of_case(state, one)} has")
    unmet = unmet_in("case remark", state, by, [one]) + given(text, "text", "text")
    require(f"saying something in {label_of_case(state, one)}", unmet)
    return [Remarked(case, by, text.strip(), elements, marks, reply_to)]


@command(
    "case retract", "take back one's own consent", roles=(Role.CODER,), steps=(Step.RESOLUTION,)
)
def take_back_consent(state: State, by: str, *, cases: Cases) -> Events:
    """Take back your consent while others are still asked.

    To a cause or an outcome, which then waits for you again.

    Parameters
    ----------
    state : State
    by : str
        Who has consented.
    cases : numbers or names of groups

    Examples
    --------
    Before the others have said:
    $ accordant project case 3 retract --as bob
    Once all have accepted:
    $ accordant project case 3 reopen 'I had read R2 wrongly' --as bob
    """
    named = cases_named(state, cases)
    require("taking back a consent", unmet_in("case retract", state, by, named))
    standing = ((case, awaited_assessment(case) or awaited_proposal(case)) for case in named)
    return [ConsentTakenBack(case.number, by, one.seq) for case, one in standing if one is not None]
