"""`accordant decompose`: on which question of the scheme coders disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..again import again
from ..dividing import REPEATED, Dividing, dividing_options
from ..group import command
from ..options import bundle, output, source
from ..output import Output
from ..source import Source
from ..terminal import progress

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["decompose"]


@command(
    examples=(
        ("accordant decompose ratings.csv", "where does the scheme part the coders most?"),
        (
            "accordant decompose ratings.csv --separator ';' --by 'any label'",
            "first whether any label applies, then which",
        ),
        (
            "accordant decompose ratings.csv --by 'yes,probably|no' --list 1",
            "the items on which coders differ in yes or no, with texts",
        ),
        (
            "accordant decompose ratings.csv --by 'any label' --then 'number of labels'",
            "three levels: any, how many, which",
        ),
        (
            "accordant decompose ratings.csv --hierarchy . --by 'top of the hierarchy'",
            "the groups of the scheme",
        ),
        (
            "accordant decompose ratings.csv --rank second -n 10",
            "the ten with the highest level 2, as Levi & Shenhav (2022) rank them",
        ),
        ("accordant decompose ratings.csv --format json", "the same rows for a program"),
    )
)
@source
@bundle("dividing", Dividing, dividing_options)
@output
def decompose(source: Source, dividing: Dividing, output: Output) -> None:
    """Take the scheme apart, to see where in it coders disagree.

    A partition puts the values into blocks. Level 1 is agreement on the block, level 2 agreement
    on the value itself among the items on whose block two coders agree. Without --by all
    bipartitions of the values are scored, and those are shown that explain most disagreement beyond
    what independent slips in the labels, or chance, would give, each with the shortest rule that
    describes it.
    """
    dividing.check()
    data = source.read()
    from ...decomposition.call import decompose as taken_apart
    from ..taken_apart import answer

    def typed(*more: str, only: str | None = None) -> str:
        chosen = () if only is None else ("--only-question", only)
        without = () if only is None else ("only_question",)
        return again(*chosen, *more, keep=REPEATED, without=without)

    with progress("taking the scheme apart", quiet=source.quiet) as report:
        found = taken_apart(data, **dividing.keywords(), progress=report)
        told = answer(found, dividing, typed)

    def pretty(console: Console) -> None:
        told.print(console)

    output.show(told.rows, told.table, pretty)
