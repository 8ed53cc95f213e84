"""What a user wants to see of a diagnosis, from the command line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import click

from .group import MEASURING, OUTPUT
from .options import option

__all__ = [
    "SHOWN", "Asked", "asked_options", "gold_option", "most_option", "order_option",
]  # fmt: skip

# Spelled out, so that the help does not load the statistics; a test compares them.
SHOWN = (
    "findings", "levers", "merging", "confusion", "categories", "use", "directions", "margins",
    "movements", "coders", "scores", "pairs", "camps", "drift", "sequence", "consistency",
    "groups", "items",
)  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """The options of `accordant diagnose`.

    ``of`` and ``against`` say whose labels are compared with whose, ``against`` None with those of
    all others; ``cell`` are two labels; ``most`` is how many rows of a question, by default all.
    """

    weights: str | None = None
    level: float = 0.95
    order: str | None = None
    gold: str | None = None
    show: str | None = None
    of: str | None = None
    against: str | None = None
    cell: tuple[str, str] | None = None
    most: int | None = None

    @property
    def shown(self) -> str | None:
        """The table that is shown; None for the whole answer."""
        return "confusion" if self.of is not None and self.show is None else self.show

    def check(self) -> None:
        """Refuse options that say nothing together.

        Raises
        ------
        UsageError
        """
        if self.against is not None and self.of is None:
            raise click.UsageError("--against NAME goes with --of NAME: whose labels to compare")
        if self.cell is not None and self.show not in (None, "items", "confusion"):
            raise click.UsageError(f"--cell lists items; leave --show {self.show} out")
        if self.of is not None and self.shown != "confusion" and self.cell is None:
            raise click.UsageError("--of NAME goes with --show confusion or --cell")

    def keywords(self) -> dict[str, Any]:
        """The keywords of `accordant.diagnose`."""
        names = ("weights", "level", "order", "gold")
        return {name: getattr(self, name) for name in names}


order_option = option(
    MEASURING, "--order", metavar="COLUMN",
    help="Column that says in which order items were annotated: a time, a batch, a position. "
    "Default: the order of the file.",
)  # fmt: skip
gold_option = option(
    MEASURING, "--gold", metavar="CODER",
    help="The coder whose labels count as right; the others are scored against them.",
)  # fmt: skip

most_option = option(
    OUTPUT, "-n", "--most", type=click.IntRange(1), metavar="N",
    help="How many rows of a question, or patterns. Default: all, and in tables for reading "
    "the first 20.",
)  # fmt: skip

asked_options = (
    option(
        MEASURING, "--weights", metavar="NAME",
        help="What counts as agreement, as in `agreement`. Default: what fits the scheme.",
    ),
    option(
        MEASURING, "--level", type=float, default=0.95, show_default=True, metavar="SHARE",
        help="Confidence level.",
    ),
    order_option,
    gold_option,
    option(
        OUTPUT, "--show", type=click.Choice(SHOWN), metavar="TABLE",
        help="Only this table: findings; levers (what settling one thing would bring), merging "
        "(what it would cost); confusion (who said what instead), categories (each against the "
        "rest), use (how often each coder gives a label), directions (who is higher), margins and "
        "movements (what distributions do to a coefficient); coders, scores (precision, recall, "
        "F1), pairs, camps, drift, sequence (the label before), consistency (the same text "
        "twice); groups of items, items. JSON, CSV, Markdown and LaTeX hold one: findings unless "
        "you say otherwise.",
    ),
    option(
        OUTPUT, "--of", metavar="CODER",
        help="Whose labels to compare in the table of confusions, with those of --against, or of "
        "all others.",
    ),
    option(OUTPUT, "--against", metavar="CODER", help="The other coder."),
    option(
        OUTPUT, "--cell", nargs=2, metavar="LABEL LABEL",
        help="List the items where one coder gave the first label and another the second, with "
        "their texts; with --of, those where that coder gave the first.",
    ),
    most_option,
)  # fmt: skip
