"""`accordant plan`: how many items an interval, or a test of a model, needs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..group import MEASURING, STANDING_IN, Option, command
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
        (
            "accordant plan --advantage 0.8 --human-advantage 0.85 --coders 5 --epsilon expert",
            "items by each of five humans to show that a model may stand in for them",
        ),
    )
)
@bundle("source", Source, (pilot, *source_options))
@output
@click.option(
    "--width", type=click.FloatRange(0, 2, min_open=True), metavar="WIDTH",
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
    "--coders", type=click.IntRange(2), metavar="N",
    cls=Option, section=MEASURING,
    help="Without a pilot: coders of each item. Default: 2, and 3 beside a model.",
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
@click.option(
    "--advantage", type=click.FloatRange(0, 1), metavar="RHO", cls=Option, section=STANDING_IN,
    help="For the alternative annotator test: how often the model is as near to the other humans "
    "as a human, or nearer (`accordant compare --model` on a pilot says).",
)  # fmt: skip
@click.option(
    "--human-advantage", type=click.FloatRange(0, 1), metavar="RHO", cls=Option,
    section=STANDING_IN, help="The same of a human beside the model.",
)  # fmt: skip
@click.option(
    "--epsilon", default="0.1", show_default=True, metavar="LOSS", cls=Option, section=STANDING_IN,
    help="How much worse than a human a model may be: a number, expert, skilled or crowd.",
)  # fmt: skip
@click.option(
    "--power", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.8,
    show_default=True, metavar="SHARE", cls=Option, section=STANDING_IN,
    help="How likely such a model is to pass.",
)  # fmt: skip
def plan(
    source: Source,
    output: Output,
    width: float | None,
    coefficient: str,
    agreement: float | None,
    shares: str | None,
    coders: int | None,
    weights: str | None,
    level: float,
    population: float | None,
    advantage: float | None,
    human_advantage: float | None,
    epsilon: str,
    power: float,
) -> None:
    """How many items an interval, or the test of a model, needs.

    From a pilot study, or from what is expected: the kappa and how common each category is. The
    plan holds for as many coders as the pilot has, or --coders. With --advantage and
    --human-advantage: how many items each human must annotate so that a model passes the
    alternative annotator test.
    """
    if advantage is not None or human_advantage is not None:
        if width is not None or source.files or advantage is None or human_advantage is None:
            raise click.UsageError(
                "the test of a model needs --advantage and --human-advantage, and neither --width "
                "nor a pilot"
            )
        from ..standing_in import loss

        _show_test(output, advantage, human_advantage, coders or 3, loss(epsilon), power)
        return
    if width is None:
        raise click.UsageError(
            "say what is wanted: --width WIDTH of an interval; or, to test a model, --advantage "
            "and --human-advantage"
        )
    parts = None if shares is None else _shares(shares)
    from ...inference.needed import items_needed

    found = items_needed(
        width, source.read() if source.files else None, coefficient=coefficient,
        agreement=agreement, shares=parts, n_coders=coders or 2, weights=weights, level=level,
        population=population,
    )  # fmt: skip
    from ...views.document import Column, Table

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


def _show_test(
    output: Output, advantage: float, human: float, n_humans: int, epsilon: float | str,
    power: float,
) -> None:  # fmt: skip
    """Items for the alternative annotator test."""
    from ...models.standing_in.planning import alternative_test_items
    from ...views.document import Column, Table

    found = alternative_test_items(
        advantage, human, n_humans=n_humans, epsilon=epsilon, power=power
    )
    table = Table(
        "Items for the alternative annotator test",
        (
            Column("n_humans", "humans", "count"), Column("advantage", "ρ", "value"),
            Column("human_advantage", "ρ of humans", "value"), Column("epsilon", "ε", "bits"),
            Column("n_items", "items for each", "count"), Column("chance", "passes", "share"),
        ),
        tuple(found.to_rows()),
        (found.note,) if found.note else (),
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
