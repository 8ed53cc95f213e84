"""`accordant agreement`: coefficients with their uncertainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ..group import Option, command
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
        ("accordant agreement ratings.csv --format json", "the same rows for a program"),
    )
)
@source
@measuring
@output
@click.option(
    "--signature", is_flag=True, cls=Option, section="Output",
    help="End with what others need to repeat the numbers.",
)  # fmt: skip
def agreement(source: Source, measuring: Measuring, output: Output, signature: bool) -> None:
    """Coefficients of agreement, per question and pooled.

    For each coefficient: observed agreement A_o, agreement by chance A_e, the value
    (A_o − A_e) / (1 − A_e), and how sure it is.
    """
    data = source.read()
    from ... import public

    with progress("resampling", quiet=source.quiet) as report:
        table = public.agreement(data, **measuring.keywords(), progress=report)
    from ..views import agreement_table, headline

    shown = agreement_table(table, tested=measuring.tested)

    def pretty(console: Console) -> None:
        from ..tables import print_table

        console.print(f"\n{headline(table)}")
        print_table(console, shown, group="question", total="all questions together")
        if signature:
            console.print(table.signature, style="dim")

    output.show(table.to_rows(), lambda: shown, pretty)
