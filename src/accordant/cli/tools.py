"""The commands beside the analyses: reports, files, lists of what there is, the shell."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from ..api.agreement import agreement as measure
from ..api.data_sets import multilabel_study, read
from ..api.data_sets import simulate as draw
from ..api.models import list_models
from ..api.reports import report as report_on
from ..data.atomic_file import check_target
from ..kinds import AtLeast, Metavar, Typed
from .calls import Asked, command
from .console import MARGIN, tell, waiting, width
from .output import Output, check_new, written

__all__: list[str] = []

Files = Annotated[Path, Metavar("FILE..."), AtLeast(1)]
Some = Annotated[str, Metavar("[NAME]...")]
NOT_REPORTED = "null alternative population sampled_coders resamples simulations undefined"
PAGES = (".html", ".pdf", ".md", ".tex", ".json")
EXAMPLE, PAGE = "visitors", "accordant-report.html"


@command(report_on, also=measure, shows=False, without=NOT_REPORTED)
def report(
    asked: Asked,
    *files: Files,
    output: Sequence[Annotated[Path, Metavar("FILE")]] = (),
    open: bool = False,
) -> None:
    """Write a report, and print its first page.

    The report is one HTML file that works offline: whether agreement is good enough, the main
    source of disagreement and what to do next, followed by chapters with all tables.

    Parameters
    ----------
    output : list of path
        Write there; the name says the format: .html, .pdf, .md, .tex, .json. Repeat it for
        several. Default: the name of the file with -report.html, in this folder.
    open : bool
        Open it when it is written.

    Examples
    --------
    Print the first page and write ratings-report.html:

    $ accordant report ratings.csv

    Two formats:

    $ accordant report ratings.csv -o report.html -o report.pdf

    Labels with an order:

    $ accordant report survey.xlsx --scale ordinal --categories never,sometimes,often

    One file per coder:

    $ accordant report anna.csv bob.csv cleo.csv --open

    Against anna, in order of time:

    $ accordant report ratings.csv --gold anna

    May the coder gpt stand in for the others?

    $ accordant report ratings.csv --models gpt
    """
    targets = output or (Path(f"{files[0].stem}-report.html"),)
    for target in targets:
        check_target(target, PAGES)
    _report(asked, asked.data, targets)
    if open:
        click.launch(str(targets[0]))


def _report(asked: Asked, data: Any, targets: Sequence[Path]) -> None:
    """Print the first page, and write the report whole."""
    from ..render.show import sections_of
    from ..render.terminal import Terminal, print_sections

    made = report_on(data, **asked.given(report_on, measure))
    how = Terminal(shell=True)
    Output().print(lambda console: print_sections(console, sections_of(made), how))
    for target in targets:
        with waiting(f"writing {target.name}", quiet=asked.quiet):
            written(made.save(target))


@command(shows=False)
def convert(
    asked: Asked,
    *files: Annotated[Path, Metavar("FILE... [OUT]"), AtLeast(1)],
    output: Annotated[Path, Metavar("OUT")] | None = None,
    to: Annotated[str, Metavar("SHAPE")] = "long",
    force: bool = False,
) -> None:
    """Write annotations in another shape or format.

    The last name, or --output, is the file to write; its suffix says the format: .csv, .tsv,
    .xlsx, .parquet or .jsonl. For a platform it is .json (Label Studio, Argilla), .jsonl (doccano)
    or the name of a folder (Hugging Face, with a card; UIMA CAS, for INCEpTION). What the shape or
    the platform cannot hold is reported. A file that exists is not replaced. In .csv and .tsv, text
    that a spreadsheet would compute (beginning with =, +, - or @) is written with an apostrophe
    before it, and read without.

    Parameters
    ----------
    output : path
        The file to write, instead of the last name.
    to : str
        long: one row per annotation; wide: a column per coder (and question). For platforms:
        label_studio, argilla, doccano, hugging_face, uima_cas (INCEpTION), and those of
        installed packages.
    force : bool
        Replace OUT if it exists.

    Examples
    --------
    One row per annotation, as CSV:

    $ accordant convert survey.xlsx ratings.csv

    A column per coder:

    $ accordant convert ratings.csv wide.xlsx --to wide

    The file to write as an option:

    $ accordant convert ratings.csv -o ratings.jsonl

    Several files into one:

    $ accordant convert anna.csv bob.csv both.csv

    What most coders said, as predictions of Label Studio:

    $ accordant convert ratings.csv tasks.json --to label_studio
    """
    from ..data.write import suffixes_of, write

    sources, target = (files, output) if output is not None else (files[:-1], files[-1])
    if not sources:
        raise click.UsageError(f"name the file to write after {str(files[0])!r}, or with --output.")
    check_target(target, suffixes_of(to))
    check_new(target, force=force, hint=" (the last name is the file to write)")
    data = asked.read(*sources)
    with waiting(f"writing {target.name}", quiet=asked.quiet):
        lost = write(data, target, to)
    tell(lost)
    written(target)


@command(reads=False)
def coefficients(asked: Asked, *names: Some) -> Any:
    """List the coefficients: assumption, formula, names, source.

    All are (A_o − A_e) / (1 − A_e) and differ in how expected agreement A_e is defined. With
    weights for sets of labels some have names of their own, such as boot-match; these measures are
    listed last.

    Examples
    --------
    What each coefficient assumes:

    $ accordant coefficients

    These, with the literature to cite:

    $ accordant coefficients alpha fleiss

    A measure of sets of labels:

    $ accordant coefficients boot_match

    The same for a program:

    $ accordant coefficients --format json
    """
    from ..measure.measures import list_coefficients

    return list_coefficients(*names)


@command(list_models, reads=False)
def models(asked: Asked, *names: Some) -> Any:
    """List the models of coders: assumption, options, source.

    With names, the options of these models, each with its default and what it does. A model
    describes how coders arrive at their labels; it estimates the accuracy of each coder and the
    probability of each label. `accordant fit -m NAME` fits one.

    Examples
    --------
    What each model assumes:

    $ accordant models

    Its options, with their defaults, and what to cite:

    $ accordant models mace

    The same for a program:

    $ accordant models --format json
    """
    return asked.call(*names)


@command(reads=False, shows=False)
def demo(asked: Asked, *, output: Annotated[Path, Metavar("FOLDER")] = Path()) -> None:
    """Try everything on a bundled example.

    Reads annotations of four coders, prints the first page of a reliability report and writes the
    report, one HTML file that opens in any browser and works offline.

    Parameters
    ----------
    output : path
        Where to put the report. Default: here.

    Examples
    --------
    Write accordant-report.html into this folder:

    $ accordant demo

    Write it elsewhere:

    $ accordant demo --output /tmp
    """
    target = output / PAGE
    check_target(target)
    from ..data import examples

    example = examples.about(EXAMPLE)
    for line in (f"{example.what}.", str(examples.path(EXAMPLE))):
        click.echo(textwrap.indent(textwrap.fill(line, width() - MARGIN), " " * MARGIN))
    _report(asked, read(examples.path(EXAMPLE)), (target,))
    click.echo(textwrap.indent(NEXT.format(target.resolve()), " " * MARGIN))


NEXT = """
The report: {}
Open it in a browser; it works offline and can be sent as it is.

Now with a file of your own:
  accordant describe FILE     is it understood?
  accordant report FILE       the report
  accordant agreement FILE    the coefficients only
  accordant --help            everything else"""


# ------------------------------------------------------------------ simulated annotations


@command(multilabel_study, kinds=("study",), reads=False, without="simulations")
def study(asked: Asked, *, pages: Sequence[Annotated[Path, Metavar("FILE")]] = ()) -> Any:
    """What measures make of data sets with several labels.

    Parameters
    ----------
    pages : list of path
        Write a page (.html, .pdf, .md, .tex), the figure (.svg, .png) or the numbers (.csv,
        .json). Repeat it for several.

    Examples
    --------
    Figure 1 of Marchal et al. (2022) as a table:

    $ accordant study

    As a page and a picture:

    $ accordant study --pages study.html --pages figure.svg

    A scheme of your own:

    $ accordant study --categories 19 --double 0.1,0.65 --agreement 0.8

    Some categories common, others rare; other measures:

    $ accordant study --shares 0.6,0.2,0.1,0.05,0.05 --measures boot_match,alpha_masi
    """
    for page in pages:
        check_target(page)
    found = asked.call()
    if not pages:
        return found
    from ..views.simulation import study_report

    made = study_report(found)
    for target in pages:
        written(made.save(target))
    return None


@command(draw, reads=False, shows=False)
def simulate(
    asked: Asked,
    *,
    output: Annotated[Path, Typed("FILE", "--output")],
    layout: Literal["long", "wide"] = "long",
    force: bool = False,
) -> None:
    """Write a simulated data set whose true labels are known.

    A column, truth, holds the true label of each item. A file that exists is not replaced.

    Parameters
    ----------
    output : path
        Where to write; the name says the format: .csv, .tsv, .xlsx, .parquet, .jsonl.
    layout : str
        One row per annotation, or a column per coder.
    force : bool
        Replace FILE if it exists.

    Examples
    --------
    Then: accordant agreement made.csv

    $ accordant simulate -o made.csv --items 300 --coders 4 --accuracy 0.9 --seed 1

    Coders who differ in accuracy, two for each item:

    $ accordant simulate -o made.xlsx --layout wide --accuracy 0.9,0.8,0.6 --per-item 2

    A second label for a quarter of the annotations:

    $ accordant simulate -o made.jsonl --double 0.25 --categories 19
    """
    from ..data.write import suffixes_of, write

    check_target(output, suffixes_of(layout))
    check_new(output, force=force)
    made = asked.call()
    lost = write(made, output, layout)
    written(output)
    if lost:
        names = ",".join(map(str, made.scheme.categories))
        tell([f"for the same scheme read it with --categories {names}"])
