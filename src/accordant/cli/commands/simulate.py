"""`accordant simulate`: annotations whose truth is known, and what measures make of them."""

from __future__ import annotations

import click

from ..group import Group

__all__ = ["SIMULATIONS", "simulate"]

SIMULATIONS = ("multilabel", "data", "cause", "crowd")
"""What can be simulated; each is the function of that name in its module."""


@click.command(
    cls=Group,
    commands_in=("accordant.cli.simulate", SIMULATIONS),
    examples=(
        ("accordant simulate multilabel", "the study of Marchal et al. (2022) as a table"),
        ("accordant simulate multilabel -o study.html", "as a page with the figure"),
        ("accordant simulate data -o made.csv --double 0.25", "a data set to try things on"),
        ("accordant simulate cause drift -o made.csv", "annotations that disagree for one reason"),
        (
            "accordant simulate crowd -o made.csv",
            "good, careless and useless coders, with the truth",
        ),
    ),
)
def simulate() -> None:
    """Simulate annotations whose truth is known.

    Coders share a label as often as you say, and give two labels as often as you say: what the
    measures make of that tells which of them fits your data before there are any. Or coders
    disagree for one known reason: what a diagnosis makes of it tells what it can see. Or a crowd of
    coders of several kinds annotates items whose truth is known: what models of coders find.
    """
