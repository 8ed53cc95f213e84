"""`accordant simulate data`: annotations with known truth, in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..group import SIMULATING, command
from ..options import option
from ..terminal import tell
from .options import Simulated, numbers, simulated
from .target import Target, into

if TYPE_CHECKING:
    from ...scheme import Scheme

__all__ = ["data"]


@command(
    examples=(
        (
            "accordant simulate data -o made.csv --double 0.25 --agreement 0.9 --seed 1",
            "then: accordant agreement made.csv",
        ),
        (
            "accordant simulate data -o made.xlsx --layout wide --double 0.11,0.65",
            "a coder who gives one label, and one who gives two",
        ),
        (
            "accordant simulate data -o made.jsonl --sizes 0.5,0.3,0.2 --categories 19",
            "up to three labels",
        ),
    )
)
@simulated
@option(
    SIMULATING, "--double", callback=numbers, metavar="P[,P...]",
    help="Share of annotations with two labels instead of one, of all coders or of each. "
    "Default: 0.",
)  # fmt: skip
@option(
    SIMULATING, "--sizes", callback=numbers, metavar="P,P,...",
    help="Instead of --double: shares of annotations with one, two, three … labels.",
)  # fmt: skip
@option(
    SIMULATING, "--agreement", type=click.FloatRange(0, 1), default=0.75, show_default=True,
    metavar="P", help="Share of items of which the coders share a label.",
)  # fmt: skip
@into
def data(
    simulated: Simulated,
    double: tuple[float, ...] | None,
    sizes: tuple[float, ...] | None,
    agreement: float,
    target: Target,
) -> None:
    """Write a simulated data set with several labels.

    A column, truth, holds the label that all coders share by design; it is empty where they share
    none. A file that exists is not replaced.
    """
    target.check()
    from ...simulate.multilabel import simulate_multilabel

    made = simulate_multilabel(
        agreement=agreement,
        double=double[0] if double is not None and len(double) == 1 else double,
        sizes=None if sizes is None else dict(enumerate(sizes, 1)),
        **simulated.keywords(),
    )
    if target.write(made):
        scheme = made.scheme
        names = ",".join(map(str, scheme.categories))
        tell([f"for the same scheme read it with --categories {names} --max-labels {most(scheme)}"])


def most(scheme: Scheme) -> int:
    """How many labels an annotation may hold."""
    return scheme.max_labels or len(scheme.categories)
