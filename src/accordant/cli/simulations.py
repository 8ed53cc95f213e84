"""The commands that make annotations whose truth is known, and tell what measures make of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from ..api.simulation import multilabel_study
from ..api.simulation import simulate as draw
from ..kinds import Metavar, Typed
from .calls import Asked, command
from .output import check_new, check_target, written
from .terminal import tell

__all__: list[str] = []

DATA = (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl")
Page = Annotated[Path, Metavar("FILE")]
Written = Annotated[Path, Typed("FILE", "--output")]
Layout = Literal["long", "wide"]


@command(multilabel_study, name="study", kinds=("study",), reads=False)
def study(asked: Asked, *, pages: Sequence[Page] = ()) -> Any:
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
    layout: Layout = "long",
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
    check_target(output, DATA)
    check_new(output, force=force)
    made = asked.call()
    from ..data.write import write

    lost = write(made, output, layout)
    written(output)
    if lost:
        names = ",".join(map(str, made.scheme.categories))
        tell([f"for the same scheme read it with --categories {names}"])
