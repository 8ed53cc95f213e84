"""`accordant diagnose`: where and why coders disagree, and what to settle first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..asked import Asked, asked_options
from ..group import command
from ..options import bundle, output, source
from ..output import Output
from ..source import Source
from ..terminal import tell, waiting

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["diagnose"]


@command(
    examples=(
        ("accordant diagnose ratings.csv", "why coders disagree, and what to settle first"),
        ("accordant diagnose ratings.csv --show levers", "what each thing would bring"),
        ("accordant diagnose ratings.csv --of anna --against bob", "who said what instead"),
        ("accordant diagnose ratings.csv --of anna", "one coder and all others"),
        ("accordant diagnose ratings.csv --cell yes no", "the items behind one cell"),
        ("accordant diagnose ratings.csv --gold anna --show scores", "each coder against anna"),
        ("accordant diagnose ratings.csv --format json", "the findings for a program"),
    )
)
@source
@bundle("asked", Asked, asked_options)
@output
def diagnose(source: Source, asked: Asked, output: Output) -> None:
    """Where and why coders disagree, and what to settle first.

    For each question: the patterns in the disagreements (a confused pair of categories, a
    coder who stands apart, items of one kind, a drift over time …), the one with most agreement
    at stake first, each with its numbers and what to do about it; then what agreement would be if
    one thing after the other were settled. Where there is no pattern, that is told too.
    """
    asked.check()
    data = source.read()
    from ...diagnosis.diagnose import diagnose as diagnosed
    from ..breakdowns import breakdown, print_breakdown
    from ..why import print_why

    found = diagnosed(data, **asked.keywords())
    with waiting("looking for patterns", quiet=source.quiet):
        broken = breakdown(found, asked)
    if not broken.rows and output.kind in ("json", "csv"):
        tell(broken.table().notes)  # else nobody would know why

    def pretty(console: Console) -> None:
        if asked.shown is None and asked.cell is None:
            print_why(console, found, asked.most)
        else:
            print_breakdown(console, found, broken, asked)

    output.show(broken.rows_as(output.kind), broken.table, pretty)
