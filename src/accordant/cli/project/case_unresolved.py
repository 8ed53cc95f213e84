"""What is done about cases on which the coders do not come to agree."""

from __future__ import annotations

import click

from ..group import GIVEN, command
from ..options import option
from .acting import Acting, acting
from .case import named_cases
from .case_outcomes import SOURCE, one_question, written_answer
from .typed import text_of

__all__ = ["METHODS", "TIES", "aggregate", "decide", "leave"]

METHODS = ("majority", "plurality")  # spelled out, so that the help stays light; a test compares
TIES = ("left disagreed", "first option")


@command(
    examples=(
        ("accordant project case 8 leave 'two readings stand'", "all answers are kept"),
        ("accordant project case 8 decide no 'the editor says so' --as dora", "then, if at all"),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@acting
def leave(acting: Acting, reason: str | None) -> None:
    """Leave cases disagreed, as a researcher.

    All answers are kept. The data are then no ground truth.
    """
    from ...resolution.commands.unresolved import leave_disagreed

    with acting.opened() as opened:
        opened.do(leave_disagreed, cases=named_cases(), reason=text_of(reason, "why"))


@command(
    examples=(
        ("accordant project case 8 decide no 'the editor says so' --as dora", "the adjudicator"),
        ("accordant project adjudicator dora", "appoints one; this is advised against"),
    )
)
@click.argument("answer", metavar="ANSWER")
@click.argument("reason", metavar="[REASON]", required=False)
@SOURCE
@acting
def decide(acting: Acting, answer: str, reason: str | None, source: str) -> None:
    """Decide a case that was left disagreed, as the adjudicator."""
    from ...resolution.commands.unresolved import decide as decided

    (number,) = named_cases(one=True)
    with acting.opened() as opened:
        new = written_answer(opened, answer, one_question(opened))
        why = text_of(reason, "why")
        opened.do(decided, case=number, answer=new, reason=why, source=source)


@command(
    examples=(
        ("accordant project case 8-12 aggregate --as dora", "the majority; ties stay disagreed"),
        ("accordant project case 8-12 aggregate --method majority --as dora", "the same"),
    )
)
@option(
    GIVEN, "--method", type=click.Choice(METHODS), default="majority", show_default=True,
    help="The answer of more than half of the coders, or the one that most gave.",
)  # fmt: skip
@option(
    GIVEN, "--ties", type=click.Choice(TIES), default="left disagreed", show_default=True,
    help="What happens where that gives no answer: the case stays as it is, or the label that "
    "stands first in the guidelines is taken.",
)  # fmt: skip
@acting
def aggregate(acting: Acting, method: str, ties: str) -> None:
    """Let a rule decide cases left disagreed, as the adjudicator."""
    from ...resolution.commands.unresolved import aggregate as aggregated

    with acting.opened() as opened:
        opened.do(aggregated, cases=named_cases(), method=method, ties=ties)
