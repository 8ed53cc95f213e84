"""`go`, `resolve`: from step to step."""

from __future__ import annotations

import click

from ...resolution.words import Step
from ..group import GIVEN, command
from ..options import option
from .acting import Acting, acting

__all__ = ["go", "resolve"]

WORDS = {"setup": Step.SETUP, "task": Step.TASK, "alignment": Step.ALIGNMENT,
         "resolution": Step.RESOLUTION}  # fmt: skip
"""Where `go` leads, in a word; the other steps are reached by commands of their own."""


@command(
    examples=(
        ("accordant project go task", "from the set-up to task and guidelines"),
        ("accordant project go alignment", "when everybody has read them"),
        ("accordant project go setup 'the question is too wide'", "back, and why"),
        ("accordant project status", "where one can go, and what is missing"),
    )
)
@click.argument("step", type=click.Choice(tuple(WORDS)))
@click.argument("reason", metavar="[REASON]", required=False)
@option(GIVEN, "--reason", "why", metavar="TEXT", help="Why: needed for going back.")
@acting
def go(acting: Acting, step: str, reason: str | None, why: str | None) -> None:
    """Go to another step, forward or back.

    A round opens with `round open` and closes with `round close`, cases open with `resolve`, and
    `release` ends the project.
    """
    from ...resolution.commands.going import begin_resolution
    from ...resolution.commands.going import go as going

    with acting.opened() as opened:
        if WORDS[step] is Step.RESOLUTION and opened.state.step is Step.COMPARISON:
            opened.do(begin_resolution)
        else:
            opened.do(going, to=WORDS[step], reason=reason or why or "")


@command(
    examples=(
        ("accordant project resolve", "a case opens for each item on which coders disagree"),
        ("accordant project cases", "then"),
    )
)
@acting
def resolve(acting: Acting) -> None:
    """Begin step 5: open a case for each disagreement."""
    from ...resolution.commands.going import begin_resolution

    with acting.opened() as opened:
        opened.do(begin_resolution)
