"""`accordant fit`: who can be trusted, and what is probably true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..fit_options import Fitting, fitting_options
from ..group import command
from ..options import bundle, output, source
from ..output import Output
from ..source import Source
from ..terminal import progress, tell

if TYPE_CHECKING:
    from rich.console import Console

    from ...data.annotations import Annotations

__all__ = ["fit"]


@command(
    examples=(
        ("accordant fit ratings.csv", "labels and coders together, in a page"),
        ("accordant fit ratings.csv -o labels.csv", "a label for each item, with probabilities"),
        ("accordant fit ratings.csv --which", "which model predicts these annotations best?"),
        (
            "accordant fit ratings.csv -m majority --show items",
            "ties and close votes, who said what",
        ),
        (
            "accordant fit ratings.csv --keep 0.95 -o sure.csv",
            "only labels that are right with 95 %",
        ),
        ("accordant fit ratings.csv --of anna", "what anna answers to what is true"),
        ("accordant fit ratings.csv --truth anna --show scores", "scored by a coder left out"),
    )
)
@source
@bundle("asked", Fitting, fitting_options)
@output
def fit(source: Source, asked: Fitting, output: Output) -> None:
    """Who can be trusted, and what is probably true of each item.

    A model of coders and items estimates both together. For each question: how many labels are
    sure, less sure or tied, and whether they are those of the majority vote; how far each coder
    can be trusted, with intervals; what to know before the labels are used. With -o the labels
    are written, each with its probability.
    """
    asked.check()
    data = source.read()
    if asked.which:
        _which(data, asked, output, quiet=source.quiet)
        return
    from ..fit_shown import print_shown, shown
    from ..fitted import Fitted

    with progress(f"fitting {source.name}", quiet=source.quiet) as watch:
        found = Fitted.fit(data, asked, watch)
        whole = output.kind == "table" and asked.shown is None and not output.of_rows
        made = None if whole else shown(found)
        if whole:
            _ = found.findings  # what takes long is done while the bar is there

    def pretty(console: Console) -> None:
        from ..fit_answer import print_answer

        if made is None:
            print_answer(console, found)
        else:
            print_shown(console, found, made)

    if made is None:
        output.print(pretty)
        return
    if not made.rows and output.kind != "table":
        tell(made.table().notes)  # else nobody would know why
    output.show(made.rows_as(output.kind), made.table, pretty)
    if output.output is not None and not source.quiet:
        tell(found.summary)


def _which(data: Annotations, asked: Fitting, output: Output, *, quiet: bool) -> None:
    """Models compared by hidden annotations."""
    from ...models.trust.choosing import which_model
    from ..which import print_choice, table_of_choice

    each = []
    for question in data.questions:
        with progress(f"comparing models {question}".strip(), quiet=quiet) as watch:
            each.append(which_model(
                data.of_question(question), asked.names, gold=asked.truth or asked.gold,
                abstentions=asked.abstentions, rng=asked.seed, progress=watch,
            ))  # fmt: skip

    def pretty(console: Console) -> None:
        for found in each:
            print_choice(console, found)

    rows = [row for found in each for row in found.to_rows()]
    output.show(rows, lambda: table_of_choice(*each), pretty)
