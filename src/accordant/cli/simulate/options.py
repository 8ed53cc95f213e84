"""The options that simulations share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from ..group import SIMULATING
from ..options import bundle, option

__all__ = [
    "FURTHER", "Simulated", "categories_option", "counted_or_named", "items_option", "numbers",
    "seed_option", "simulated",
]  # fmt: skip

F = TypeVar("F", bound=Callable[..., Any])
FURTHER = ("uniform", "distribution")  # spelled out, so that the help stays light; a test compares


def numbers(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[float, ...] | None:
    """Numbers with commas between them."""
    if value is None:
        return None
    try:
        return tuple(float(part) for part in value.split(","))
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a list of numbers such as 0,0.25,0.5", ctx, param
        ) from None


def counted_or_named(categories: str) -> int | tuple[str, ...]:
    """How many categories, or which.

    Raises
    ------
    BadParameter
        If it is a single name.
    """
    if "," in categories:
        return tuple(name.strip() for name in categories.split(","))
    try:
        return int(categories)
    except ValueError:
        raise click.BadParameter(
            f"{categories!r} is neither a number nor a list of names such as joy,anger",
            param_hint="--categories",
        ) from None


@dataclass(frozen=True)
class Simulated:
    """What coders do, as the command line gives it."""

    categories: str | None = None
    items: int = 100
    coders: int = 2
    distribution: tuple[float, ...] | None = None
    entropy: float | None = None
    further: str = "uniform"
    seed: int | None = None

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.simulate_multilabel` and `accordant.multilabel_study`."""
        return {
            "categories": self.named,
            "n_items": self.items,
            "n_coders": self.coders,
            "distribution": self.distribution,
            "entropy": self.entropy,
            "further": self.further,
            "rng": self.seed,
        }

    @property
    def named(self) -> int | tuple[str, ...] | None:
        """How many categories, or which."""
        return None if self.categories is None else counted_or_named(self.categories)


def items_option(default: int, of: str = "the data set") -> Callable[[F], F]:
    """How many items are made."""
    return option(
        SIMULATING, "--items", type=click.IntRange(1), default=default, show_default=True,
        metavar="N", help=f"Items of {of}.",
    )  # fmt: skip


def categories_option(default: str | None = None, more: str = "") -> Callable[[F], F]:
    """How many categories there are, or which."""
    return option(
        SIMULATING, "--categories", default=default, show_default=default is not None,
        metavar="N|A,B,C", help=f"How many categories there are, or which.{more}",
    )  # fmt: skip


seed_option = option(
    SIMULATING, "--seed", type=click.IntRange(0), metavar="N",
    help="Makes the simulation repeatable.",
)  # fmt: skip

simulated_options = (
    categories_option(more=" Default: 5, or as many as --distribution."),
    items_option(100, "a data set"),
    option(
        SIMULATING, "--coders", type=click.IntRange(2), default=2, show_default=True, metavar="N",
        help="Coders of each item.",
    ),
    option(
        SIMULATING, "--distribution", callback=numbers, metavar="P,P,...",
        help="How likely each category is to be the first label, summing to 1. Default: all alike.",
    ),
    option(
        SIMULATING, "--entropy", type=float, metavar="BITS",
        help="Instead of --distribution: its entropy, from 0 (one category) to log2 of their "
        "number (all alike).",
    ),
    option(
        SIMULATING, "--further", type=click.Choice(FURTHER), default="uniform", show_default=True,
        help="Whether further labels are all alike, or drawn like the first.",
    ),
    seed_option,
)  # fmt: skip


def simulated(function: F) -> F:
    """What coders do, as ``simulated``."""
    return bundle("simulated", Simulated, simulated_options)(function)
