"""The commands that make annotations whose truth is known, and tell what measures make of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..api.simulation import Cause as Causes
from ..api.simulation import multilabel_study, simulate_cause, simulate_crowd, simulate_multilabel
from ..kinds import Metavar
from .calls import Asked, command
from .output import check_new, check_target, written
from .terminal import tell

if TYPE_CHECKING:
    from ..data.annotations import Annotations

__all__: list[str] = []

DATA = (".csv", ".tsv", ".xlsx", ".parquet", ".jsonl")
Cause = Annotated[Causes, Metavar("CAUSE")]
Page = Annotated[Path, Metavar("FILE")]
Layout = Literal["long", "wide"]


@command(multilabel_study, group="simulate", reads=False)
def multilabel(asked: Asked, *, pages: Sequence[Page] = ()) -> Any:
    """What measures make of data sets with several labels.

    Parameters
    ----------
    pages : list of path
        Write a page (.html, .pdf, .md, .tex), the figure (.svg, .png) or the numbers (.csv,
        .json). Repeat it for several.

    Examples
    --------
    Figure 1 of Marchal et al. (2022) as a table:

    $ accordant simulate multilabel

    As a page and a picture:

    $ accordant simulate multilabel --pages study.html --pages figure.svg

    A scheme of your own:

    $ accordant simulate multilabel --categories 19 --double 0.1,0.65 --agreement 0.8

    Some categories common, others rare; other measures:

    $ accordant simulate multilabel --entropy 1.2 --measures boot_match,alpha_masi
    """
    for page in pages:
        check_target(page)
    study = asked.call(multilabel_study)
    if not pages:
        return study
    from ..views.simulation import study_report

    made = study_report(study)
    for target in pages:
        written(made.save(target))
    return None


@command(simulate_multilabel, group="simulate", reads=False, shows=False)
def data(asked: Asked, *, output: Page, layout: Layout = "long", force: bool = False) -> None:
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

    $ accordant simulate data -o made.csv --double 0.25 --agreement 0.9 --seed 1

    A coder who gives one label, and one who gives two:

    $ accordant simulate data -o made.xlsx --layout wide --double 0.11,0.65

    Up to three labels:

    $ accordant simulate data -o made.jsonl --sizes 0.5,0.3,0.2 --categories 19
    """
    _check(output, force=force)
    made = asked.call(simulate_multilabel)
    if _write(made, output, layout):
        names = ",".join(map(str, made.scheme.categories))
        tell([f"for the same scheme read it with --categories {names}"])


@command(simulate_cause, group="simulate", reads=False, shows=False)
def cause(
    asked: Asked, cause: Cause, *, output: Page, layout: Layout = "long", force: bool = False
) -> None:
    """Write annotations that disagree for one known reason.

    Parameters
    ----------
    output, layout, force
        As in `data`.

    Examples
    --------
    Then: accordant diagnose made.csv

    $ accordant simulate cause drift -o made.csv --seed 1

    A coin decides between two categories:

    $ accordant simulate cause confused_pair -o made.xlsx --layout wide --strength 0.8

    Random errors only, spread evenly: a diagnosis should find nothing:

    $ accordant simulate cause none -o made.csv --items 1000 --correct 0.95
    """
    _check(output, force=force)
    _write(asked.call(simulate_cause, cause), output, layout)


@command(simulate_crowd, group="simulate", reads=False, shows=False)
def crowd(asked: Asked, *, output: Page, layout: Layout = "long", force: bool = False) -> None:
    """Write annotations by coders of several kinds, with the truth beside them.

    Parameters
    ----------
    output, layout, force
        As in `data`.

    Examples
    --------
    Then: accordant fit made.csv --truth truth

    $ accordant simulate crowd -o made.csv --coders good=8,sloppy=3,spammer=2 --seed 1

    A minority who reads some items otherwise: accordant fit made.csv --show groups

    $ accordant simulate crowd -o made.csv --coders good=4,school=3 --per-item 7

    Items that mislead most coders, and control items: accordant fit made.csv --gold gold

    $ accordant simulate crowd -o made.csv --gold 0.1 --misleading 0.2
    """
    _check(output, force=force)
    made = asked.call(simulate_crowd)
    known: dict[str, Any] = {"truth": tuple(made.labels)}
    if made.gold:
        known["gold"] = tuple(made.gold.get(k + 1) for k in range(len(made.labels)))
    _write(replace(made.data, metadata={**made.data.metadata, **known}), output, layout)
    tell([str(made)])


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
