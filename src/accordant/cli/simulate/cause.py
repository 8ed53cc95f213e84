"""`accordant simulate cause`: annotations that disagree for one known reason, in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import click

from ..group import SIMULATING, command
from ..options import option
from .options import categories_option, counted_or_named, items_option, seed_option
from .target import Target, into

if TYPE_CHECKING:
    from ...simulate.planted import Cause

__all__ = ["CAUSES", "cause"]

# Spelled out, so that the help does not load the statistics; a test compares them.
CAUSES = ("none", "confused_pair", "biased_coder", "rare_category", "ambiguous_group", "drift")


@command(
    examples=(
        (
            "accordant simulate cause drift -o made.csv --seed 1",
            "then: accordant diagnose made.csv",
        ),
        (
            "accordant simulate cause confused_pair -o made.xlsx --layout wide --strength 0.8",
            "two categories told apart by a coin, and who would see it",
        ),
        (
            "accordant simulate cause none -o made.csv --items 1000 --correct 0.95",
            "slips only, spread evenly: a diagnosis should find nothing",
        ),
    )
)
@click.argument("name", metavar="CAUSE", type=click.Choice(CAUSES))
@items_option(300)
@option(
    SIMULATING, "--coders", type=click.IntRange(2), default=4, show_default=True, metavar="N",
    help="Coders of each item.",
)  # fmt: skip
@categories_option("5")
@option(
    SIMULATING, "--correct", type=click.FloatRange(0, 1), default=0.9, show_default=True,
    metavar="P", help="How often coders are right apart from the cause.",
)  # fmt: skip
@option(
    SIMULATING, "--strength", type=click.FloatRange(0, 1), metavar="P",
    help="How likely the cause acts where it can; drift grows from 0 to that. Default: what suits "
    "the cause, 0.35 to 0.7.",
)  # fmt: skip
@seed_option
@into
def cause(
    name: str,
    items: int,
    coders: int,
    categories: str,
    correct: float,
    strength: float | None,
    seed: int | None,
    target: Target,
) -> None:
    """Write annotations that disagree for one known reason.

    Coders are right equally often and else give any other category. On top of that comes the cause:
    none; confused_pair (a coin decides between the first two categories); biased_coder (the last
    coder gives the first category, whatever is right); rare_category (coders who should give the
    last category, right for 8 %, give another); ambiguous_group (on the letters coders give any
    category); drift (the last coder gives any category, more often from item to item).

    A file that exists is not replaced.
    """
    target.check()
    from ...simulate.planted import simulate_cause

    made = simulate_cause(
        cast("Cause", name), items, n_coders=coders, categories=counted_or_named(categories),
        correct=correct, strength=strength, rng=seed,
    )  # fmt: skip
    target.write(made)
