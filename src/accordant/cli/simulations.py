"""The commands that make annotations whose truth is known, and tell what measures make of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..api.simulation import multilabel_study, simulate_multilabel
from ..kinds import Metavar, Typed
from .calls import Asked, command
from .output import check_new, check_target, written
from .terminal import tell

if TYPE_CHECKING:
    from ..data.annotations import Annotations

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

    $ accordant study --entropy 1.2 --measures boot_match,alpha_masi
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


@command(simulate_multilabel, reads=False, shows=False)
def simulate(
    asked: Asked,
    *,
    output: Annotated[Path, Typed("FILE", "--output")],
    layout: Layout = "long",
    force: bool = False,
) -> None:
    """Write a simulated data set with several labels.

    A column, truth, holds the label that all coders share by design; it is empty where they share
    none. A file that exists is not replaced.

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

    $ accordant simulate -o made.csv --double 0.25 --agreement 0.9 --seed 1

    A coder who gives one label, and one who gives two:

    $ accordant simulate -o made.xlsx --layout wide --double 0.11,0.65

    Up to three labels:

    $ accordant simulate -o made.jsonl --sizes 0.5,0.3,0.2 --categories 19
    """
    _check(output, force=force)
    made = asked.call()
    if _write(made, output, layout):
        names = ",".join(map(str, made.scheme.categories))
        tell([f"for the same scheme read it with --categories {names}"])


def _check(target: Path, *, force: bool) -> None:
    """Refuse a file that cannot be written, before anything is made."""
    check_target(target, DATA)
    check_new(target, force=force)


def _write(made: Annotations, target: Path, layout: Layout) -> bool:
    """Write the annotations; whether the file cannot say all of their scheme."""
    from ..data.write import write

    lost = write(made, target, layout)
    written(target)
    return bool(lost)
