"""`release`, `abandon`: how a project ends."""

from __future__ import annotations

import textwrap

import click

from ...numbers import joined
from ..group import GIVEN, command
from ..options import option, output
from ..output import Output
from ..terminal import width
from .acting import Acting, acting
from .refusing import lines_of
from .shown import show_rows
from .typed import text_of

__all__ = ["abandon", "release"]


@command(
    examples=(
        ("accordant project release --check", "what a release would be now, and what is missing"),
        ("accordant project release", "finish as ground truth, if everything is agreed"),
        (
            "accordant project release --reason 'two readings stand'",
            "finish with what is unresolved",
        ),
        ("accordant project release --list", "the releases there are"),
    )
)
@option(GIVEN, "--check", is_flag=True, help="Only say what a release would be now.")
@option(GIVEN, "--reason", metavar="TEXT", help="Why cases or conflicts remain, if any do.")
@option(GIVEN, "--list", "list_", is_flag=True, help="Show the releases.")
@output
@acting
def release(acting: Acting, check: bool, reason: str | None, list_: bool, output: Output) -> None:
    """Finish and release, as ground truth or as what it is.

    The status is computed, never chosen. Ground truth: everything is agreed, nothing is owed.
    Comparison only: nothing was resolved. Deprecated: something was left disagreed or decided by
    one person.
    """
    from ...resolution.commands.ending import finish
    from ...resolution.release import status_now
    from ...resolution.sight import seeing

    with acting.opened(reads=check or list_) as opened:
        if list_:
            hidden = seeing(opened.state, opened.viewer).until
            rows = [
                {
                    "release": r.version,
                    "when": r.at[:16].replace("T", " "),
                    "status": r.status.value,
                    "reason": r.reason,
                    "flags": hidden or "; ".join(r.flags),
                    "head": r.head,
                }
                for r in opened.state.releases
            ]
            heads = ("release", ("when", "when (UTC)"), "status", "reason", "flags")
            show_rows(output, "Releases", heads, rows)
            return
        if check:
            now = status_now(opened.state)
            click.echo(f"a release would be: {now.status.value}")
            _print_flags(now.flags)
            if now.missing:
                click.echo("for a ground truth is missing:")
                for line in lines_of(now.missing):
                    click.echo(line)
            return
        opened.do(finish, reason=reason or "")
        last = opened.state.releases[-1]
        _print_flags(last.flags)
        counts = joined(f"{name} {n:,}" for name, n in last.counts.items())
        click.echo(textwrap.fill(f"  {counts}", width(), subsequent_indent="  "))
        click.echo("Next: accordant project export labels.csv, accordant project report")


def _print_flags(flags: tuple[str, ...]) -> None:
    for flag in flags:
        click.echo(textwrap.fill(f"  · {flag}", width(), subsequent_indent="    "))


@command(
    examples=(
        ("accordant project abandon 'two tasks, no agreement on which'", "then a new task follows"),
        ("accordant project task new.toml --reason 'one of the two'", "then"),
    )
)
@click.argument("reason", metavar="[REASON]", required=False)
@acting
def abandon(acting: Acting, reason: str | None) -> None:
    """Abandon a task that cannot be agreed on; another one follows."""
    from ...resolution.commands.ending import abandon as abandoned

    with acting.opened() as opened:
        opened.do(abandoned, reason=text_of(reason, "why"))
