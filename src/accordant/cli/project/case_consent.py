"""Consent: to the cause of a case, or to its outcome, whichever waits for it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ...errors import RequestError
from ...numbers import joined
from ..group import GIVEN, command
from ..options import option
from ..terminal import tell
from .acting import Acting, acting
from .case import named_cases
from .typed import text_of

if TYPE_CHECKING:
    from ...resolution.state import Case, State

__all__ = ["accept", "refuse", "withdraw"]


@command(
    examples=(
        ("accordant project case 3 accept --as bob", "what was proposed for one case"),
        ("accordant project case 3-7 accept --as bob", "for several"),
        ("accordant project case wording accept --as bob --yes", "for a group, without asking"),
    )
)
@option(GIVEN, "-y", "--yes", is_flag=True, help="Do not ask at a terminal whether this is meant.")
@acting
def accept(acting: Acting, yes: bool) -> None:
    """Accept the cause or, once that is settled, the outcome."""
    from ...resolution.commands.causes import accept_cause
    from ...resolution.commands.outcomes import accept_outcome
    from ...resolution.disagreement import cases_named

    with acting.opened() as opened:
        named = cases_named(opened.state, named_cases())
        causes = [one for one in named if _of_cause(one)]
        if causes and len(causes) < len(named):
            raise RequestError(
                f"a cause is proposed for case {joined(str(c.number) for c in causes)}, an outcome "
                "for the others: accept them one after the other"
            )
        tell(_one_sided(opened.state, opened.by, causes))
        if not yes and sys.stdin.isatty():
            for one in named:
                click.echo(_proposed(opened.state, one))
            click.confirm("Accept?", default=False, abort=True)
        numbers = [one.number for one in named]
        opened.do(accept_cause if causes else accept_outcome, cases=numbers)


def _of_cause(one: Case) -> bool:
    from ...resolution.disagreement import awaited_assessment

    return awaited_assessment(one) is not None


def _one_sided(state: State, person: str, causes: list[Case]) -> list[str]:
    """What to ask before another case is put down to inconsistency, if all go the same way."""
    from ...resolution.suggestions.direction import direction_question
    from ...resolution.words import Cause

    of_c = [one for one in causes if one.assessments[-1].cause == Cause.C]
    found = (direction_question(state, person, one.number) for one in of_c)
    return list(filter(None, found))


def _proposed(state: State, one: Case) -> str:
    """What is to be accepted."""
    from ...resolution.disagreement import awaited_assessment, awaited_proposal, label_of_case

    if (assessment := awaited_assessment(one)) is not None:
        what = f"cause {assessment.cause.value}, proposed by {assessment.by}"
    elif (proposal := awaited_proposal(one)) is not None:
        cites = joined(proposal.cites)
        what = f"“{proposal.answer}”, proposed by {proposal.by} ({cites}): {proposal.text}"
    else:
        what = "nothing is proposed"
    return f"{label_of_case(state, one)}: {what}"


@command(
    examples=(
        ("accordant project case 3 refuse 'I meant what I said' --as bob", "the cause or outcome"),
        ("accordant project case 3 refuse - --as bob < why.txt", "with a longer reason"),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@acting
def refuse(acting: Acting, reason: str | None) -> None:
    """Refuse the cause or, once that is settled, the outcome."""
    from ...resolution.commands.causes import refuse_cause
    from ...resolution.commands.outcomes import refuse_outcome
    from ...resolution.disagreement import the_case

    (number,) = named_cases(one=True)
    with acting.opened() as opened:
        function = (
            refuse_cause if _of_cause(the_case(opened.state, int(number))) else refuse_outcome
        )
        opened.do(function, case=number, reason=text_of(reason, "why"))


@command(
    examples=(
        ("accordant project case 3 withdraw --as bob", "the cause that bob proposed"),
        ("accordant project case 3 reopen 'another cause' --as bob", "once it is accepted"),
    )
)
@acting
def withdraw(acting: Acting) -> None:
    """Take back a cause that you proposed, before all consent."""
    from ...resolution.commands.causes import withdraw_cause

    (number,) = named_cases(one=True)
    with acting.opened() as opened:
        opened.do(withdraw_cause, case=number)
