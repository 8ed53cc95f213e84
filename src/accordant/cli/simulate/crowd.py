"""`accordant simulate crowd`: coders of several kinds, and the truth beside them, in a file."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import click

from ..group import SIMULATING, command
from ..options import option
from ..terminal import tell
from .options import categories_option, counted_or_named, items_option, numbers, seed_option
from .target import Target, into

__all__ = ["KINDS", "crowd"]

# Spelled out, so that the help does not load the statistics; a test compares them.
KINDS = ("adversary", "biased", "constant", "good", "school", "sloppy", "spammer")


def per_kind(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> float | dict[str, float] | None:
    """A number, or one for each kind of coder: good=8,spammer=2."""
    if value is None:
        return None
    try:
        if "=" not in value:
            return float(value)
        pairs = (part.split("=", 1) for part in value.split(","))
        return {kind.strip(): float(number) for kind, number in pairs}
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is neither a number nor a list such as good=8,spammer=2", ctx, param
        ) from None


def counts(ctx: click.Context, param: click.Parameter, value: str) -> int | dict[str, int]:
    """A whole number, or one for each kind of coder."""
    found = per_kind(ctx, param, value)
    every = list(found.values()) if isinstance(found, dict) else [found]
    if not all(x is not None and math.isfinite(x) and x == int(x) for x in every):
        raise click.BadParameter(f"{value!r}: numbers of coders are whole ones", ctx, param)
    if isinstance(found, dict):
        return {kind: int(n) for kind, n in found.items()}
    return int(found or 0)


def least_and_most(ctx: click.Context, param: click.Parameter, value: str) -> int | tuple[int, int]:
    """A whole number, or the least and the most: 3-6."""
    try:
        ends = [int(part) for part in value.split("-")]
    except ValueError:
        ends = []
    if len(ends) not in (1, 2):
        raise click.BadParameter(f"{value!r} is neither a number nor, such as 3-6, two", ctx, param)
    return ends[0] if len(ends) == 1 else (ends[0], ends[1])


@command(
    examples=(
        (
            "accordant simulate crowd -o made.csv --coders good=8,sloppy=3,spammer=2 --seed 1",
            "then: accordant fit made.csv --truth truth",
        ),
        (
            "accordant simulate crowd -o made.csv --coders good=4,school=3 --per-item 7",
            "a minority who reads some items otherwise: accordant fit made.csv --show schools",
        ),
        (
            "accordant simulate crowd -o made.csv --gold 0.1 --misleading 0.2",
            "items that mislead most coders, and control items: accordant fit made.csv --gold gold",
        ),
    )
)
@items_option(500)
@option(
    SIMULATING, "--coders", callback=counts, default="20", show_default=True,
    metavar="N|KIND=N,...",
    help=f"How many good coders, or how many of each kind: {', '.join(KINDS)}.",
)  # fmt: skip
@categories_option("3")
@option(
    SIMULATING, "--per-item", callback=least_and_most, default="5", show_default=True,
    metavar="N|N-M", help="Coders of each item, or the least and the most.",
)  # fmt: skip
@option(
    SIMULATING, "--prevalence", callback=numbers, metavar="P,P,...",
    help="How likely each category is to be true, summing to 1. Default: all alike.",
)  # fmt: skip
@option(
    SIMULATING, "--accuracy", callback=per_kind, metavar="P|KIND=P,...",
    help="How often good coders, or coders of each kind that looks, are right. Default: 0.85, "
    "sloppy ones 0.6.",
)  # fmt: skip
@option(
    SIMULATING, "--errors", type=click.Choice(["own", "equal"]), default="own", show_default=True,
    help="Whether each coder confuses some categories more than others.",
)  # fmt: skip
@option(
    SIMULATING, "--difficulty", type=click.FloatRange(0), default=0.0, show_default=True,
    metavar="SD", help="How far items differ in difficulty.",
)  # fmt: skip
@option(
    SIMULATING, "--ambiguous", type=click.FloatRange(0, 1), default=0.0, show_default=True,
    metavar="SHARE", help="Items of which up to half of the coders see another category.",
)  # fmt: skip
@option(
    SIMULATING, "--misleading", type=click.FloatRange(0, 1), default=0.0, show_default=True,
    metavar="SHARE", help="Items of which most coders see the same wrong category.",
)  # fmt: skip
@option(
    SIMULATING, "--disputed", type=click.FloatRange(0, 1), default=0.3, show_default=True,
    metavar="SHARE", help="Items that a school sees differently, if there is one.",
)  # fmt: skip
@option(
    SIMULATING, "--uneven", type=click.FloatRange(0), default=0.0, show_default=True,
    metavar="SD", help="How unevenly the work is shared.",
)  # fmt: skip
@option(
    SIMULATING, "--gold", type=click.FloatRange(0, 1), default=0.0, show_default=True,
    metavar="SHARE", help="Items that are control items, in a column gold.",
)  # fmt: skip
@option(
    SIMULATING, "--abstentions", type=click.FloatRange(0, 1), default=0.0, show_default=True,
    metavar="SHARE", help="Annotations without a label.",
)  # fmt: skip
@option(
    SIMULATING, "--scale", type=click.Choice(["nominal", "ordinal"]), default="nominal",
    show_default=True, help="On an ordered scale errors fall on categories near by.",
)  # fmt: skip
@seed_option
@into
def crowd(
    items: int,
    coders: Any,
    categories: str,
    per_item: int | tuple[int, int],
    prevalence: tuple[float, ...] | None,
    accuracy: float | dict[str, float] | None,
    seed: int | None,
    target: Target,
    **more: Any,
) -> None:
    """Write annotations by coders of several kinds, with the truth beside them.

    The names of coders tell their kinds: good and sloppy ones look; biased ones prefer a category;
    an adversary mistakes each category for the next; a spammer does not look, a constant always
    says the same; a school agrees on another category of the disputed items. A column, truth, holds
    the true category of each item. A file that exists is not replaced.
    """
    target.check()
    from ...simulate.crowd import simulate_crowd

    if accuracy is not None:
        more["accuracy"] = accuracy
    made = simulate_crowd(
        items, coders, counted_or_named(categories), per_item=per_item,
        prevalence=prevalence, rng=seed, **more,
    )  # fmt: skip
    known: dict[str, Any] = {"truth": tuple(made.labels)}
    if made.gold:
        known["gold"] = tuple(made.gold.get(k + 1) for k in range(items))
    target.write(replace(made.data, metadata={**made.data.metadata, **known}))
    tell([str(made)])
