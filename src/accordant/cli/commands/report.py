"""`accordant report`: the whole answer, as a summary here and a document to send."""

from __future__ import annotations

from pathlib import Path

import click

from ...data.saving import check_target
from ..asked import order_option
from ..group import FITTING, MEASURING, OUTPUT, STANDING_IN, Option, command
from ..measuring import Measuring
from ..options import measuring, option, source
from ..source import Source

__all__ = ["report"]

FITS = {"none": False, "all": True}
SUFFIXES = (".html", ".pdf", ".md", ".tex", ".json")


@command(
    examples=(
        ("accordant report ratings.csv", "print a summary and write ratings-report.html"),
        ("accordant report ratings.csv -o report.html -o report.pdf", "two formats"),
        (
            "accordant report survey.xlsx --scale ordinal --categories never,sometimes,often",
            "labels with an order",
        ),
        ("accordant report anna.csv bob.csv cleo.csv --open", "one file per coder"),
        ("accordant report ratings.csv --gold anna --order time", "against anna, in order of time"),
        ("accordant report ratings.csv --model gpt", "may the coder gpt stand in for the others?"),
    )
)
@source
@measuring
@order_option
@option(
    MEASURING,
    "--gold",
    metavar="FILE|NAME",
    help="The coder whose labels count as right, or labels that are known of some items: a file "
    "with the columns item and gold, or a column about the items. A model of coders does not see "
    "them: they show how right its labels are.",
)
@click.option(
    "-o", "--output", "outputs", metavar="FILE", multiple=True, cls=Option, section=OUTPUT,
    type=click.Path(path_type=Path, dir_okay=False),
    help=f"Write there; the name says the format: {', '.join(SUFFIXES)}. Repeat it for several. "
    "Default: the name of the file with -report.html, in this folder.",
)  # fmt: skip
@option(
    FITTING, "--fit", metavar="NAME",
    help="The model of coders behind who can be trusted and what is probably true: a name as in "
    "accordant fit, all (the usual one, with what takes longer too) or none. Default: the usual "
    "one, with what goes quickly.",
)  # fmt: skip
@option(
    STANDING_IN, "--model", "models", multiple=True, metavar="CODER",
    help="A coder of the file who is a model (repeat it, or separate names by commas): may it "
    "stand in for a human?",
)  # fmt: skip
@click.option(
    "--open", "opened", is_flag=True, cls=Option, section=OUTPUT, help="Open it when it is written."
)
def report(
    source: Source, measuring: Measuring, outputs: tuple[Path, ...], opened: bool,
    order: str | None, gold: str | None, fit: str | None, models: tuple[str, ...],
) -> None:  # fmt: skip
    """Print a summary and write a report to send.

    The report is one HTML file that works offline: what was read, who annotated what, the
    coefficients with intervals, where coders differ and on which items, who can be trusted and
    what is probably true, what to report and why.
    """
    targets = outputs or (Path(f"{source.files[0].stem}-report.html"),)
    for target in targets:
        check_target(target, SUFFIXES)
    measuring.check()
    data = source.read()
    from ..making import make_report

    asked = {"order": order, "gold": gold, "fit": FITS.get(str(fit), fit)}
    named = [name.strip() for given in models for name in given.split(",")]
    make_report(data, targets, measuring, quiet=source.quiet, **asked, models=named or None)
    for target in targets:
        click.echo(f"written to {target}", err=True)
    if opened:
        click.launch(str(targets[0]))
