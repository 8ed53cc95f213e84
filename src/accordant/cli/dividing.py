"""How a user wants a scheme taken apart, from the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from .group import MEASURING, OUTPUT
from .options import option

__all__ = ["RANKS", "REPEATED", "SEARCHES", "Dividing", "dividing_options"]

# Spelled out, so that the help does not load the statistics; a test compares them.
RANKS = (
    "auto", "beyond_slips", "excess", "gain", "explained", "first", "second", "lift",
    "information", "sides", "rule",
)  # fmt: skip
SEARCHES = ("auto", "exhaustive", "families", "local")
ROUNDINGS = ("levi2022",)
REPEATED = frozenset({"coefficient", "over", "rank", "hierarchy", "level", "resamples", "seed"})
"""The options that the next command repeats if they were given."""


@dataclass(frozen=True)
class Dividing:
    """The options of `accordant decompose`; ``listed`` is the level whose items are listed."""

    by: tuple[str, ...] = ()
    then: tuple[str, ...] = ()
    coefficient: str = "kappa"
    over: str = "pairs"
    rank: str = "auto"
    most: int = 20
    search: str = "auto"
    minimum_share: float | None = None
    hierarchy: str | None = None
    level: float = 0.95
    resamples: int = 300
    seed: int = 0
    rounding: str | None = None
    listed: str | None = None

    @property
    def listed_level(self) -> int | None:
        """The level whose items are listed."""
        return None if self.listed is None else int(self.listed)

    def check(self) -> None:
        """Refuse options that say nothing together.

        Raises
        ------
        UsageError
        """
        if self.then and len(self.by) != 1:
            raise click.UsageError("--then RULE goes with one --by RULE: what to ask after it")
        if self.then and self.rounding:
            raise click.UsageError("--rounding knows two levels: leave --then out")
        if self.listed is not None and len(self.by) != 1:
            raise click.UsageError("--list goes with one --by RULE: the partition to look behind")

    @property
    def partitions(self) -> Any:
        """What was named: one partition, several, or one with deeper levels; None to search."""
        if not self.by:
            return None
        return [(self.by[0], *self.then)] if self.then else list(self.by)

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.decompose`."""
        return {
            "by": self.partitions,
            "coefficient": self.coefficient,
            "over": self.over,
            "rank": self.rank,
            "most": self.most,
            "search": self.search,
            "minimum_share": self.minimum_share,
            "hierarchy": self.hierarchy,
            "level": self.level,
            "n_resamples": self.resamples,
            "rng": self.seed,
            "rounding": self.rounding,
        }


dividing_options = (
    option(
        MEASURING, "--by", multiple=True, metavar="RULE",
        help="A partition of the values, in words: 'any label', 'exactly one label', 'number of "
        "labels', 'A without B', 'A or B'; values with commas: '000,011' or 'a,b|c'; 'top of the "
        "hierarchy'. A label that is called like one of these words stands in double quotes within "
        "the rule. Repeat it to compare several. Default: all bipartitions are searched.",
    ),
    option(
        MEASURING, "--then", multiple=True, metavar="RULE",
        help="A deeper level, asked within the blocks of --by (repeat it).",
    ),
    option(
        MEASURING, "-c", "--coefficient", default="kappa", show_default=True, metavar="NAME",
        help="percent, s, pi, kappa, alpha or ac: the mean over all pairs of coders; with --over "
        "all any that `agreement` knows.",
    ),
    option(
        MEASURING, "--over", type=click.Choice(("pairs", "all")), default="pairs",
        show_default=True,
        help="The mean over pairs of coders, or one coefficient of all coders at once (with --by).",
    ),
    option(
        MEASURING, "--rank", type=click.Choice(RANKS), default="auto", show_default=True,
        metavar="CRITERION",
        help="beyond_slips: disagreement that level 1 explains beyond what independent slips in "
        "the labels would give, the default for sets of labels; excess: beyond chance, the default "
        "for categories; gain: level 2 beyond independent slips; explained, lift, information; "
        "first: the lowest level 1; second: the highest level 2; rule: simple rules first; sides: "
        "small sides first.",
    ),
    option(
        MEASURING, "--search", type=click.Choice(SEARCHES), default="auto", show_default=True,
        help="auto: of few values all bipartitions, of many those with a short rule; exhaustive: "
        "all, however long it takes; families: those with a short rule; local: these and what a "
        "search finds.",
    ),
    option(
        MEASURING, "--minimum-share", type=click.FloatRange(0, 0.5), metavar="SHARE",
        help="Leave out what has a smaller share of the annotations on one side. Default: 0.01 "
        "where there are many bipartitions.",
    ),
    option(
        MEASURING, "--hierarchy", metavar="SEPARATOR",
        help="What stands between the parts of category names, such as '.' in Cause.Reason. "
        "Recognised if not given.",
    ),
    option(
        MEASURING, "--level", type=float, default=0.95, show_default=True, metavar="SHARE",
        help="Confidence level.",
    ),
    option(
        MEASURING, "--resamples", type=click.IntRange(0), default=300, show_default=True,
        metavar="N", help="Resamples of the items that show how firm the ranking is; 0: none.",
    ),
    option(
        MEASURING, "--seed", type=click.IntRange(0), default=0, show_default=True, metavar="N",
        help="Of the resamples and of a local search.",
    ),
    option(
        OUTPUT, "-n", "--most", type=click.IntRange(1), default=20, show_default=True, metavar="N",
        help="How many partitions, or listed items.",
    ),
    option(
        OUTPUT, "--list", "listed", type=click.Choice(("1", "2")),
        help="List the items on which coders differ on level 1, or on level 2 only, with texts.",
    ),
    option(
        OUTPUT, "--rounding", type=click.Choice(ROUNDINGS),
        help="Print as Levi & Shenhav (2022) do, with their order of rounding and averaging.",
    ),
)  # fmt: skip
