"""`halt`, `finding`, `resume`: the project waits for research, and goes on."""

from __future__ import annotations

import click

from ..group import GIVEN, command
from ..options import option
from .acting import Acting, acting
from .cases import numbered
from .typed import text_of

__all__ = ["finding", "halt", "resume"]


@command(
    examples=(
        (
            "accordant project halt 'the edition must be checked' --review 2027-03-01 --case 6",
            "cases wait for research",
        ),
        ("accordant project finding 'the edition is right'", "then: what was found"),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@option(GIVEN, "--review", required=True, metavar="DATE", help="When to look again: 2027-03-01.")
@option(GIVEN, "--case", "cases", multiple=True, metavar="CASE", help="A case that waits.")
@acting
def halt(acting: Acting, reason: str | None, review: str, cases: tuple[str, ...]) -> None:
    """Stop until research has found what cases need."""
    from ...resolution.commands.returning import halt as halted

    with acting.opened() as opened:
        given = numbered(cases) or None
        opened.do(halted, review_date=review, reason=text_of(reason, "why"), cases=given)


@command(
    examples=(
        ("accordant project finding 'the edition is right'", "what the research found"),
        ("accordant project finding", "what was found so far"),
    )
)
@click.argument("text", metavar="[TEXT]", required=False)
@acting
def finding(acting: Acting, text: str | None) -> None:
    """Record what the research found, or show it."""
    from ...resolution.commands.returning import record_finding

    with acting.opened(reads=text is None) as opened:
        if text is None:
            for at, told in opened.state.findings:
                click.echo(f"{at[:10]}  {told}")
            if not opened.state.findings:
                click.echo("nothing is recorded")
            return
        opened.do(record_finding, text=text_of(text, "what was found"))


@command(
    examples=(
        ("accordant project resume", "the toolbox stays: back to the cases"),
        ("accordant project go task 'the finding changes rule R2'", "the toolbox changes"),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@acting
def resume(acting: Acting, reason: str | None) -> None:
    """Go on after research that changes nothing in the toolbox."""
    from ...resolution.commands.returning import resume as resumed

    with acting.opened() as opened:
        opened.do(resumed, reason=reason or "")
