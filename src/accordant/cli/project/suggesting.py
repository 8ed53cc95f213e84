"""`suggest`: what the data suggest about cases; people decide."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from ...errors import RequestError
from ...numbers import joined
from ..group import GIVEN, command
from ..options import option, output
from ..output import Output
from ..terminal import progress
from .acting import Acting, Opened, acting
from .cases import numbered
from .shown import show_rows

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["suggest"]

KINDS = ("causes", "groups", "direction", "items")
MOST = 500  # cases that are looked at unless more are named: every text is compared with theirs


@command(
    examples=(
        ("accordant project suggest", "likely causes, cases that look alike, one-sided patterns"),
        ("accordant project suggest 3 4", "the likely cause of two cases"),
        ("accordant project suggest --show items", "items whose texts are nearly identical"),
    )
)
@click.argument("cases", metavar="[CASE...]", nargs=-1)
@option(
    GIVEN, "--show", "kinds", type=click.Choice(KINDS), multiple=True,
    help="Only this kind (repeat it). Default: causes, groups, direction.",
)  # fmt: skip
@output
@acting
def suggest(acting: Acting, cases: tuple[str, ...], kinds: tuple[str, ...], output: Output) -> None:
    """Suggest likely causes, with the evidence. Nothing is written: you decide.

    The same text answered differently by one coder suggests c; a lone deviation on an easy item e;
    a question with low agreement a2. Where "inconsistent" cases all go the same way, the question
    is whether they are inconsistencies at all.
    """
    wanted = kinds or (("causes",) if cases else KINDS[:3])
    with acting.opened(reads=True) as opened:
        live = [case.number for case in opened.state.epoch.cases.values() if case.live]
        if not cases and len(live) > MOST and "causes" in wanted:
            cases = tuple(map(str, live[:MOST]))
            wanted = kinds or ("causes", "direction")
            click.echo(
                f"the first {MOST:,} of {len(live):,} cases that wait; name others to hear of "
                "these, and ask for groups with --show groups",
                err=True,
            )
        rows = [row for kind in wanted for row in OF[kind](opened, cases)]
        some = opened.state.epoch.round
        nothing = (
            f"withheld until round {some.number} closes" if some and set(wanted) - {"items"}
            else "nothing stands out" if opened.state.epoch.cases
            else "there are no cases yet: causes are suggested in step 5"
        )  # fmt: skip

    def pretty(console: Console) -> None:
        from ..tables import print_list, print_sentences

        for kind in wanted:
            told = [row["says"] for row in rows if row["kind"] == kind]
            if told:
                print_sentences(console, [HEADINGS[kind]], style="bold")
                print_list(console, told)
                console.print()
        if not rows:
            print_sentences(console, [nothing])

    show_rows(output, "Suggestions", ("kind", "cases", "suggests", "says"), rows, pretty=pretty)


HEADINGS = {
    "causes": "Likely causes", "groups": "Cases that look alike",
    "direction": "Direction of the differences", "items": "Items with similar texts",
}  # fmt: skip


def _causes(opened: Opened, words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    from ...resolution.disagreement import cases_named
    from ...resolution.suggestions.causes import likely_causes

    named = [one.number for one in cases_named(opened.state, numbered(words))] if words else None
    with progress("comparing texts", quiet=False) as report:
        likely = likely_causes(opened.state, opened.viewer, named, progress=report)
    for found in likely:
        yield {
            "kind": "causes", "cases": str(found.case), "suggests": found.cause.value,
            "says": f"case {found.case}, {found.cause.value}: {found.because}",
        }  # fmt: skip


def _groups(opened: Opened, words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    from ...resolution.suggestions.groups import alike_cases

    for found in alike_cases(opened.state, opened.viewer):
        numbers = joined(map(str, found.cases))
        yield {
            "kind": "groups", "cases": ", ".join(map(str, found.cases)), "suggests": "group",
            "says": f"cases {numbers}: {found.because}",
        }  # fmt: skip


def _direction(opened: Opened, words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    from ...resolution.suggestions.direction import directions

    for found in directions(opened.state, opened.viewer):
        question = " Are these really inconsistencies?" if "'c'" in found.about else ""
        yield {
            "kind": "direction", "cases": "", "suggests": "one-sided" if found.one_sided else "",
            "says": f"{found}.{question if found.one_sided else ''}",
        }  # fmt: skip


def _items(opened: Opened, words: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    from ...resolution.suggestions.similar import similar_items

    if not opened.state.items.texts:
        raise RequestError("the items have no texts to compare")
    with progress("comparing texts", quiet=False) as report:
        pairs = similar_items(opened.state, opened.viewer, progress=report)
    for found in pairs:
        yield {
            "kind": "items", "cases": "", "suggests": f"{found.first}, {found.second}",
            "says": str(found),
        }  # fmt: skip


OF = {"causes": _causes, "groups": _groups, "direction": _direction, "items": _items}
"""What finds the suggestions of each kind."""
