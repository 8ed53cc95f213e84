"""`accordant simulate multilabel`: what measures make of several labels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ...data.saving import check_target
from ..group import MEASURING, OUTPUT, SIMULATING, command
from ..options import option
from ..output import FORMATS, Output
from ..terminal import progress, waiting
from .options import Simulated, numbers, simulated

if TYPE_CHECKING:
    from rich.console import Console

    from ...simulate.study import MultilabelStudy
    from ...views.simulation import StudyReport

__all__ = ["multilabel"]

SUFFIXES = (".html", ".pdf", ".svg", ".png", ".csv", ".json", ".md", ".tex")


@command(
    examples=(
        ("accordant simulate multilabel", "Figure 1 of Marchal et al. (2022) as a table"),
        ("accordant simulate multilabel -o study.html -o figure.svg", "as a page and a picture"),
        (
            "accordant simulate multilabel --categories 19 --double 0.1,0.65 --agreement 0.8",
            "a scheme of your own",
        ),
        (
            "accordant simulate multilabel --entropy 1.2 --measure boot_match,alpha_masi",
            "some categories common, others rare; other measures",
        ),
        (
            "accordant simulate multilabel --method simulation --cores 4",
            "chance agreement simulated as in the paper",
        ),
    )
)
@simulated
@option(
    SIMULATING, "--double", callback=numbers, default="0,0.25,0.5,0.75,1", show_default=True,
    metavar="P,P,...", help="Shares of annotations with two labels instead of one.",
)  # fmt: skip
@option(
    SIMULATING, "--agreement", callback=numbers, default="0.6,0.75,0.9", show_default=True,
    metavar="P,P,...", help="Shares of items of which the coders share a label.",
)  # fmt: skip
@option(
    SIMULATING, "--datasets", type=click.IntRange(1), default=100, show_default=True, metavar="N",
    help="Data sets for each pair of the two.",
)  # fmt: skip
@option(
    SIMULATING, "--cores", type=click.IntRange(1), default=1, show_default=True, metavar="N",
    help="Processes that share the work; the result is the same for any number.",
)  # fmt: skip
@option(
    MEASURING, "-m", "--measure", "measures", multiple=True, metavar="NAME",
    help="boot_match, boot_f1, augmented … as `accordant coefficients` lists them; repeat it or "
    "separate names by commas. Default: those of the paper.",
)  # fmt: skip
@option(
    MEASURING, "--method", type=click.Choice(("exact", "simulation")), default="exact",
    show_default=True, help="How boot-match, -precision, -recall and -F1 find agreement by chance.",
)  # fmt: skip
@option(
    MEASURING, "--simulations", type=click.IntRange(2), default=100, show_default=True,
    metavar="N", help="How often each data set is simulated then.",
)  # fmt: skip
@option(
    OUTPUT, "-f", "--format", "kind", type=click.Choice(FORMATS),
    help="What to print. Default: a table for reading.",
)  # fmt: skip
@option(
    OUTPUT, "-o", "--output", "outputs", metavar="FILE", multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write there; the name says the format: a page (.html, .pdf, .md, .tex), the figure "
    "(.svg, .png) or the numbers (.csv, .json). Repeat it for several.",
)  # fmt: skip
@option(OUTPUT, "-q", "--quiet", is_flag=True, help="Do not show progress.")
def multilabel(
    simulated: Simulated,
    double: tuple[float, ...],
    agreement: tuple[float, ...],
    datasets: int,
    cores: int,
    measures: tuple[str, ...],
    method: str,
    simulations: int,
    kind: str | None,
    outputs: tuple[Path, ...],
    quiet: bool,
) -> None:
    """What measures make of data sets with several labels.

    Simulates coders who share a label of some items and give two labels to some, and shows the
    mean observed, expected and adjusted agreement of each measure. The defaults are the study of
    Marchal et al. (2022, section 5).
    """
    for target in outputs:
        check_target(target, SUFFIXES)
    names = [name.strip() for given in measures for name in given.split(",") if name.strip()]
    from ...simulate.study import multilabel_study

    with progress("simulating", quiet=quiet) as watch:
        study = multilabel_study(
            names or None, double=double, agreement=agreement, n_datasets=datasets, cores=cores,
            method="simulation" if method == "simulation" else "exact",
            n_simulations=simulations, progress=watch, **simulated.keywords(),
        )  # fmt: skip
    from ...views.simulation import study_report, study_table

    report = study_report(study)
    if kind or not outputs:
        table = study_table(study)
        Output(kind).show(study.to_rows(), lambda: table, lambda c: _print(c, study, report))
    else:
        Output().print(lambda console: _print_verdict(console, report))
    for target in outputs:
        with waiting(f"writing {target.name}", quiet=quiet):
            report.save(target)
        click.echo(f"written to {target}", err=True)


def _print(console: Console, study: MultilabelStudy, report: StudyReport) -> None:
    """The table, a block for each measure."""
    from ...views.simulation import study_table
    from ..tables import print_signature, print_table

    _print_verdict(console, report)
    console.print()
    print_table(console, study_table(study), group="measure")
    print_signature(console, study.signature)


def _print_verdict(console: Console, report: StudyReport) -> None:
    from ..tables import print_sentences

    console.print()
    print_sentences(console, report.verdict)
