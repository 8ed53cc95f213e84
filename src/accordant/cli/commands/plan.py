"""`accordant plan`: how many items give an interval of a wanted width."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..group import MEASURING, Option, command
from ..options import bundle, output, source_options
from ..output import Output
from ..source import Source

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["plan"]

pilot = click.argument(
    "files", nargs=-1, metavar="[PILOT]...", type=click.Path(path_type=Path, allow_dash=False)
)


@command(
    examples=(
        ("accordant plan pilot.csv --width 0.1", "more items like those of a pilot study"),
        (
            "accordant plan --width 0.2 --agreement 0.6 --shares 0.7,0.3",
            "no data yet: an expected kappa and how common the categories are",
        ),
        (
            "accordant plan --width 0.1 --agreement 0.8 --shares 0.5,0.3,0.2 --coders 3 -c alpha",
            "three coders for every item",
        ),
    )
)
@bundle("source", Source, (pilot, *source_options))
@output
@click.option(
    "--width", type=click.FloatRange(0, 2, min_open=True), required=True, metavar="WIDTH",
    cls=Option, section=MEASURING, help="Wanted width of the interval, from end to end.",
)  # fmt: skip
@click.option(
    "-c", "--coefficient", default="alpha", show_default=True, metavar="NAME",
    cls=Option, section=MEASURING, help="Which coefficient.",
)  # fmt: skip
@click.option(
    "--agreement", type=click.FloatRange(0, 1), metavar="KAPPA", cls=Option, section=MEASURING,
    help="Without a pilot: the kappa that is expected.",
)  # fmt: skip
@click.option(
    "--shares", metavar="P,P,...", cls=Option, section=MEASURING,
    help="Without a pilot: how common each category is, summing to 1.",
)  # fmt: skip
@click.option(
    "--coders", type=click.IntRange(2), default=2, show_default=True, metavar="N",
    cls=Option, section=MEASURING, help="Without a pilot: coders of each item.",
)  # fmt: skip
@click.option(
    "--weights", metavar="NAME", cls=Option, section=MEASURING,
    help="What counts as agreement. Default: what fits the scale.",
)  # fmt: skip
@click.option(
    "--level", type=float, default=0.95, show_default=True, metavar="SHARE",
    cls=Option, section=MEASURING, help="Confidence level.",
)  # fmt: skip
@click.option(
    "--population", type=float, metavar="N", cls=Option, section=MEASURING,
    help="Number of items that there are at all.",
)  # fmt: skip
def plan(
    source: Source,
    output: Output,
    width: float,
    coefficient: str,
    agreement: float | None,
    shares: str | None,
    coders: int,
    weights: str | None,
    level: float,
    population: float | None,
) -> None:
    """How many items are needed for an interval of a wanted width.

    From a pilot study, or from what is expected: the kappa and how common each category is. The
    plan holds for as many coders as the pilot has, or --coders.
    """
    parts = None if shares is None else _shares(shares)
    from ...inference.needed import items_needed

    found = items_needed(
        width, source.read() if source.files else None, coefficient=coefficient,
        agreement=agreement, shares=parts, n_coders=coders, weights=weights, level=level,
        population=population,
    )  # fmt: skip
    from ...reports.document import Column, Table

    table = Table(
        "Items needed",
        (
            Column("coefficient", "coefficient"), Column("value", "expected", "value"),
            Column("width", "width", "value"), Column("n_items", "items", "count"),
            Column("n_items_cautious", "to be careful", "count"),
        ),
        tuple(found.to_rows()),
        (found.basis,),
    )  # fmt: skip

    def pretty(console: Console) -> None:
        from ..tables import print_sentences

        console.print()
        print_sentences(console, [str(found)])

    output.show(found.to_rows(), lambda: table, pretty)


def _shares(text: str) -> list[float]:
    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise click.BadParameter(
            f"{text!r} is not a list of numbers such as 0.7,0.3", param_hint="--shares"
        ) from None
