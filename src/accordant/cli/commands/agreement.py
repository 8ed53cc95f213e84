"""`accordant agreement`: coefficients with their uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..group import OUTPUT, Option, command
from ..measuring import Measuring
from ..options import measuring, output, source
from ..output import Output
from ..source import Source
from ..terminal import progress

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["agreement"]


@command(
    examples=(
        ("accordant agreement ratings.csv", "all coefficients, with 95 % intervals"),
        (
            "accordant agreement ratings.csv -c alpha --scale ordinal --categories low,mid,high",
            "Krippendorff's alpha on an ordered scale",
        ),
        (
            "accordant agreement anna.csv bob.csv -c kappa --interval bootstrap --seed 1",
            "one file per coder, bootstrap interval",
        ),
        (
            "accordant agreement ratings.csv -c alpha --null 0.8 --alternative greater",
            "is alpha above .800?",
        ),
        (
            "accordant agreement ratings.csv --separator ';' -c boot_f1,alpha_masi",
            "several labels in a cell",
        ),
        (
            "accordant agreement ratings.csv --separator ';' --method simulation --seed 1",
            "chance from simulated coders, with its own error",
        ),
        ("accordant agreement ratings.csv --format json", "the same rows for a program"),
    )
)
@source
@measuring
@output
@click.option(
    "--signature", is_flag=True, cls=Option, section=OUTPUT,
    help="End with what others need to repeat the numbers.",
)  # fmt: skip
def agreement(source: Source, measuring: Measuring, output: Output, signature: bool) -> None:
    """Coefficients of agreement, per question and pooled.

    For each coefficient: observed agreement A_o, agreement by chance A_e, the value
    (A_o − A_e) / (1 − A_e), and how sure it is. Without -c all coefficients are shown, and below
    them which to report and what to know about these data.

    Where coders may give several labels, the measures are those for sets of labels: boot-match,
    augmented κ, α with MASI and others, with observed, expected and adjusted side by side.
    """
    measuring.check()
    data = source.read()
    from ...public import agreement as measure

    with progress(measuring.doing, quiet=source.quiet) as report:
        table = measure(data, **measuring.keywords(), progress=report)
    from ..views import agreement_table, print_agreement

    def pretty(console: Console) -> None:
        asked = measuring.names is not None
        print_agreement(
            console,
            table,
            signature=signature,
            advice=None if asked else table.diagnosis,  # knows what is measured already
            name=source.typed,
        )

    output.show(table.to_rows(), lambda: agreement_table(table), pretty)
