"""`cases`, `group`: the disagreements, listed, and handled together where they look alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ...numbers import count_of
from ...resolution.words import CaseState, Cause
from ..group import GIVEN, command
from ..options import option, output
from ..output import Output
from .acting import Acting, acting
from .shown import show_rows

if TYPE_CHECKING:
    from rich.console import Console

    from ...resolution.views import CaseRow

__all__ = ["cases", "causes", "group", "numbered", "numbers_of"]


@command(
    examples=(
        ("accordant project cases", "every case of the task"),
        ("accordant project cases --waiting-for bob", "those in which bob must act"),
        ("accordant project cases --live -f csv", "what is not settled, for a spreadsheet"),
        ("accordant project cases --cause c --question scope", "by cause and question"),
    )
)
@option(
    GIVEN, "--state", "states", multiple=True, type=click.Choice([s.value for s in CaseState]),
    metavar="STATE",
    help=f"Only cases that stand there (repeat it): {', '.join(CaseState)}.",
)  # fmt: skip
@option(GIVEN, "-q", "--question", default="", metavar="QUESTION", help="Only of this question.")
@option(
    GIVEN, "--cause", type=click.Choice([c.value for c in Cause]),
    help="Only with this cause, accepted or proposed.",
)  # fmt: skip
@option(GIVEN, "--group", default="", metavar="NAME", help="Only of this group.")
@option(
    GIVEN, "--waiting-for", default="", metavar="NAME", help="Only those in which NAME must act."
)
@option(GIVEN, "--live", is_flag=True, help="Only those in which something is still to be done.")
@option(GIVEN, "--earlier", is_flag=True, help="Cases of earlier tasks too.")
@output
@acting
def cases(
    acting: Acting,
    states: tuple[str, ...],
    question: str,
    cause: str | None,
    group: str,
    waiting_for: str,
    live: bool,
    earlier: bool,
    output: Output,
) -> None:
    """List the cases: one for each disagreement."""
    from ...resolution.views import cases as found

    with acting.opened(reads=True) as opened:
        state = opened.state
        rows = found(
            state, opened.viewer,
            in_state=[CaseState(s) for s in states], question=question,
            cause=Cause(cause) if cause else None, group=group, waits_for=waiting_for, live=live,
            earlier=earlier,
        )  # fmt: skip
        heads = ["case", "item", *(["question"] if len(state.epoch.questions) > 1 else []),
                 "answers", "state", "cause", "group", "outcome", "waits for"]  # fmt: skip
        notes = (_counted(rows),) if rows else ()
        show_rows(
            output, "Cases", heads, (row.row() for row in rows), notes,
            going=("group", "waits for", "outcome"),
            empty="no case is like that" if state.epoch.cases else
            "no cases yet: accordant project resolve opens one for each disagreement",
        )  # fmt: skip


def _counted(rows: list[CaseRow]) -> str:
    """How many stand where."""
    states = [row.state.value for row in rows]
    each = (f"{states.count(name):,} {name}" for name in dict.fromkeys(states))
    return f"{count_of(len(rows), 'case')}: {', '.join(each)}"


@command(
    examples=(
        ("accordant project group wording 3 5 8 --reason 'the same phrase'", "name three cases"),
        ("accordant project case wording cause a2 --rule missing --wording TEXT", "then use it"),
        ("accordant project group", "the groups there are"),
    )
)
@click.argument("name", metavar="[NAME]", required=False)
@click.argument("numbers", metavar="[CASE...]", nargs=-1)
@option(GIVEN, "--reason", metavar="TEXT", default="", help="What they have in common.")
@acting
def group(acting: Acting, name: str | None, numbers: tuple[str, ...], reason: str) -> None:
    """Give several cases one name, or list the names."""
    from ...resolution.commands.cases import group_cases

    with acting.opened(reads=name is None) as opened:
        if name is None:
            for known, members in opened.state.groups.items():
                click.echo(f"{known}  case {', '.join(map(str, members))}")
            if not opened.state.groups:
                click.echo("no cases are grouped")
            return
        opened.do(group_cases, name=name, cases=numbered(numbers), reason=reason)


@command(
    examples=(
        ("accordant project causes", "to choose the right one"),
        ("accordant project causes -f json", "as rows"),
    )
)
@output
def causes(output: Output) -> None:
    """Explain the causes of disagreement, and what each asks for."""
    from ...resolution.causes import CAUSES
    from ..tables import print_sentences

    rows = [
        {"cause": c.cause.value, "label": c.label, "when": c.help, "record": c.asks,
         "consent": "all coders of the item" if c.everybody else "the coder it names",
         "leads to": c.returns_to.value if c.returns_to else "", "if it fails": c.fails}
        for c in CAUSES.values()
    ]  # fmt: skip

    def pretty(console: Console) -> None:
        for row in rows:
            print_sentences(console, [f"{row['cause']}  {row['label']}"], style="bold")
            print_sentences(console, [row["when"]])
            told = f"Record: {row['record']}. Consent: {row['consent']}."
            back = f" Leads to: {row['leads to']}." if row["leads to"] else ""
            print_sentences(console, [told + back], style="dim")
            console.print()

    show_rows(output, "Causes", tuple(rows[0]), rows, pretty=pretty)


def numbers_of(word: str) -> list[int] | None:
    """Numbers of cases in a word; None if it is none, such as the name of a group.

    Examples
    --------
    >>> numbers_of("3"), numbers_of("2-4,7"), numbers_of("wording")
    ([3], [2, 3, 4, 7], None)
    """
    found: list[int] = []
    for part in word.split(","):
        first, dash, last = part.partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            return None
        found += range(int(first), int(last or first) + 1)
    return found


def numbered(words: tuple[str, ...]) -> list[int | str]:
    """Numbers of cases, ranges and names of groups as the project takes them."""
    named: list[int | str] = []
    for word in words:
        numbers = numbers_of(word)
        named += [word] if numbers is None else numbers
    return named
