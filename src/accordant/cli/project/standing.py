"""`status`: where a project stands, what is possible now, and who is awaited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from ...numbers import count_of, joined
from ..group import GIVEN, command
from ..options import option, output
from ..output import Output
from ..terminal import MARGIN
from .acting import Acting, acting
from .command_words import WORDS, as_typed
from .happened import deviation_text, questions
from .refusing import lines_of

if TYPE_CHECKING:
    from rich.console import Console

    from ...resolution.standing import Possible, Standing
    from ...resolution.state import Release

__all__ = ["status"]

WORD = {"setup": "setup", "task and guidelines": "task", "conceptual alignment": "alignment",
        "resolution": "resolution"}  # fmt: skip
STEPS = {"done": "✓", "here": "→", "to come": "·", "skipped": "✗", "not for this purpose": "–"}
SETTLED = ("agreed", "unresolved", "closed")
MOST = 6  # that a list shows without --all


@command(
    examples=(
        ("accordant project status", "where it stands, what is missing, who is awaited"),
        ("accordant project status --as bob", "and what bob may do"),
        ("accordant project status -f json", "for programs"),
    )
)
@option(GIVEN, "--all", "everything", is_flag=True, help="Every step that is possible, in full.")
@output
@acting
def status(acting: Acting, everything: bool, output: Output) -> None:
    """Show where it stands, what is possible now, who is awaited."""
    from ...resolution.standing import standing

    with acting.opened(reads=True) as opened:
        here = standing(opened.state, opened.viewer or None)
        name = opened.name
        deviations = [deviation_text(one) for one in opened.state.deviations]
        releases = list(opened.state.releases)
    if output.kind == "table":
        output.print(
            lambda console: _print(
                console, here, name, opened.given, everything, deviations, releases
            )
        )
    elif output.kind == "json":
        import msgspec

        from ..output import as_json

        output.deliver(as_json(msgspec.to_builtins(here)))
    else:
        raise click.UsageError("the status is printed as a table or as JSON: -f json")


def _print(
    console: Console,
    here: Standing,
    name: str,
    person: str | None,
    everything: bool,
    deviations: list[str],
    releases: list[Release],
) -> None:
    from ..tables import print_list, print_sentences

    print_sentences(console, [f"{here.title} ({name})"], style="bold")
    print_sentences(console, [_heading(here)], style="dim")
    console.print()
    _print_steps(console, here)
    if here.round is not None:
        _part(console, _round(here))
        print_list(console, [
            f"{p.coder}: {p.submitted + p.declined:,} of {p.expected:,}"
            + (f" ({p.declined:,} declined)" if p.declined else "")
            + (", dependent questions wait" if p.follows else "")
            for p in here.round.coders
        ])  # fmt: skip
    if here.orders:
        _part(console, "To be annotated again (accordant project reannotate)")
        print_list(console, here.orders)
    if here.cases:
        counts = joined(f"{n:,} {state}" for state, n in here.cases.items())
        _part(console, f"Cases: {counts} (accordant project cases)")
    if here.awaited:
        _part(console, "Awaited")
        print_list(console, _awaited(here.awaited, everything))
    shown = [a for a in here.arrows if _of_interest(a, everything)] or list(here.arrows)
    for heading, allowed in (("Possible now", True), ("Not yet", False)):
        ways = [arrow for arrow in shown if arrow.allowed is allowed]
        if ways:
            _part(console, heading)
        for arrow in ways:
            _print_arrow(console, arrow)
    hidden = len(here.arrows) - len(shown)
    if hidden:
        print_sentences(console, [f"and {count_of(hidden, 'other way')}: --all"], style="dim")
    if person is not None:
        _part(console, f"What {person} may do (accordant project …)")
        lines = _packed(as_typed(here.commands), console.width - 2 * MARGIN)
        print_sentences(console, lines or ["nothing at this step"])
    _part(console, _release(here, releases))
    because = here.because if everything else here.because[:MOST]
    print_list(console, because)
    if len(because) < len(here.because):
        left = len(here.because) - len(because)
        told = f"and {left:,} more: accordant project release --check"
        print_sentences(console, [told], style="dim")
    if deviations:
        _part(console, "Deviations from the procedure, printed on every export")
        print_list(console, deviations)
    console.print()


def _release(here: Standing, releases: list[Release]) -> str:
    """What was released, or would be."""
    if not releases:
        return f"A release now would be: {here.status.value}"
    last = f"Release {releases[-1].version}: {releases[-1].status.value}"
    if here.step.value == "finished":
        return f"{last} (accordant project export, accordant project report)"
    return f"{last}; it stands until the next one, which would be: {here.status.value}"


def _awaited(awaited: Mapping[str, Sequence[str]], everything: bool) -> list[str]:
    """Who is awaited for what; what several are awaited for is said once."""
    together: dict[str, list[str]] = {}
    for who, what in awaited.items():
        for one in what if everything else what[:MOST]:
            together.setdefault(one.removeprefix(f"{who} "), []).append(who)
    lines = []
    for what, people in together.items():
        names = joined(people)
        lines.append(f"{names}: {what.replace(f' ({names})', '')}")
    left = 0 if everything else sum(len(what) - len(what[:MOST]) for what in awaited.values())
    return lines + ([f"and {left:,} more: --all"] if left else [])


def _packed(words: Iterable[str], room: int) -> list[str]:
    """What may be typed, several on a line, none broken."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= room:
            lines[-1] += f" · {word}"
        else:
            lines.append(word)
    return lines


def _heading(here: Standing) -> str:
    purpose = here.purpose.value if here.purpose else "no purpose yet"
    told = [
        purpose,
        f"at “{here.step.value}”",
        count_of(here.n_items, "item"),
        f"{len([r for r in here.people.values() if 'coder' in r]):,} coders",
        f"guidelines {here.guidelines}" if here.guidelines else "no guidelines yet",
    ]
    if here.epoch > 1:
        told.append(f"epoch {here.epoch}")
    return " · ".join(told)


def _print_steps(console: Console, here: Standing) -> None:
    from rich.padding import Padding
    from rich.table import Table as Grid

    grid = Grid.grid(padding=(0, 2, 0, 0))
    for done in here.steps:
        style = "bold" if done.state == "here" else "dim" if done.state == "to come" else ""
        mark = STEPS.get(done.state, "·")
        if done.step.value == "resolution" and done.state == "done" and _cases_left(here):
            mark = "·"  # it has been left for the time being
        said = "; ".join(filter(None, ["skipped" * (done.state == "skipped"), done.says]))
        grid.add_row(mark, str(done.number), done.step.value, said, style=style)
    console.print(Padding(grid, (0, 0, 0, 2)))
    if here.step.value not in {done.step.value for done in here.steps}:
        console.print(Padding(f"→ {here.step.value}", (0, 0, 0, 2)), style="bold")


def _cases_left(here: Standing) -> int:
    """How many cases are still to be settled."""
    return sum(n for state, n in here.cases.items() if state not in SETTLED)


def _round(here: Standing) -> str:
    of = here.round
    if of is None:
        return ""
    again = ", annotated again" if of.again else ""
    return (
        f"Round {of.number}, open and blind: {questions(of.questions)}, "
        f"{count_of(of.n_items, 'item')}{again}"
    )


def _part(console: Console, heading: str) -> None:
    from ..tables import print_sentences

    console.print()
    print_sentences(console, [heading], style="bold")


def _of_interest(arrow: Possible, everything: bool) -> bool:
    """Forward, or allowed: what leads back or away stands behind --all."""
    back = arrow.command in ("task change", "abandon", "halt") or arrow.number in (2, 4, 5, 22, 23)
    return everything or not back


def _print_arrow(console: Console, arrow: Possible) -> None:
    from ..tables import print_list

    to = " or ".join(f"“{step.value}”" for step in arrow.targets)
    print_list(console, [f"{typed(arrow)} — {arrow.does}, to {to}"])
    missing = [one for one in arrow.unmet if not one.argument]
    given = [one for one in arrow.unmet if one.argument]
    if missing:
        for line in lines_of(missing, indent=6):
            console.print(line, highlight=False, soft_wrap=True)
    elif given:
        wanted = "; ".join(one.todo or one.says for one in given)
        console.print(f"      to be given: {wanted}", style="dim")


def typed(arrow: Possible) -> str:
    """What takes an arrow on the command line."""
    if arrow.command != "go":
        name = arrow.command if arrow.command in WORDS else f"case {arrow.command}"
        return f"accordant project {WORDS[name]}"
    words = [WORD[step.value] for step in arrow.targets if step.value in WORD]
    if "individual annotation" in {step.value for step in arrow.targets}:
        return f"accordant project round open, or go {'|'.join(words)}"
    needs = " REASON" if any(one.guard == "reason" for one in arrow.unmet) else ""
    return f"accordant project go {'|'.join(words)}{needs}"
