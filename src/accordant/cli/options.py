"""The options that commands share, each group handed over as one object."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from ..data.options import LAYOUTS
from ..scheme import SCALES
from .group import MEASURING, OUTPUT, READING, Option
from .measuring import ALTERNATIVES, METHODS, Measuring
from .output import FORMATS, Output
from .source import Source

__all__ = ["bundle", "files", "measuring", "output", "source", "source_options"]

F = TypeVar("F", bound=Callable[..., Any])


def option(section: str, *names: str, **settings: Any) -> Callable[[F], F]:
    """An option under a heading of the help."""
    return click.option(*names, cls=Option, section=section, **settings)


def bundle(name: str, kind: type[Any], options: tuple[Callable[..., Any], ...]) -> Callable[[F], F]:
    """A decorator that adds options and hands them over as one object called ``name``."""
    own = {field.name for field in fields(kind)}

    def decorate(function: F) -> F:
        @wraps(function)
        def call(*args: Any, **values: Any) -> Any:
            mine = {key: values.pop(key) for key in own & values.keys()}
            return function(*args, **values, **{name: kind(**mine)})

        decorated: Any = call
        for add in reversed(options):
            decorated = add(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


files = click.argument(
    "files", nargs=-1, required=True, metavar="FILE...", type=click.Path(path_type=Path)
)

source_options = (
    option(READING, "--item", metavar="COLUMN", help="Column of the item ids."),
    option(
        READING, "--coder", multiple=True, metavar="COLUMN",
        help="Column that says who annotated; or, repeated, the columns of the coders.",
    ),
    option(
        READING, "--label", multiple=True, metavar="COLUMN",
        help="Column of the labels; several columns are several questions.",
    ),
    option(READING, "--question", metavar="COLUMN", help="Column that names the question."),
    option(READING, "--text", metavar="COLUMN", help="Column of what the coders read."),
    option(
        READING, "--categories", multiple=True, metavar="A,B,C",
        help="The scheme, in order; a label with a comma in double quotes: '\"yes, partly\",no'; "
        "for one question of several: QUESTION=A,B,C.",
    ),
    option(
        READING, "--scale", multiple=True, metavar="SCALE",
        help=f"{', '.join(SCALES)}; for one question of several: QUESTION=SCALE. "
        "Labels are nominal until a scale is given, numbers too.",
    ),
    option(
        READING, "--layout", type=click.Choice([x for x in LAYOUTS if x != "array"]),
        help="One row per annotation, a column or a file per coder, a contingency table, "
        "counts per item and category, or a column of 0 and 1 per label. Recognised if not given.",
    ),
    option(
        READING, "--coders-in", type=click.Choice(["rows", "columns"]),
        help="Where a wide table has its coders.",
    ),
    option(
        READING, "--blank", metavar="MEANING",
        help="What an empty cell counts as: missing, not_applicable, skipped, empty (an answer "
        "that nothing applies) or a category. Default: missing.",
    ),
    option(
        READING, "--missing", multiple=True, metavar="WORD",
        help="A further word that means missing, beside NA, N/A, NaN and null.",
    ),
    option(
        READING, "--duplicates", type=click.Choice(["error", "first", "last", "union", "keep"]),
        default="error", show_default=True,
        help="What to do if a coder annotated an item twice; union: the rows are its labels; keep: "
        "each time is kept as an occasion of the coder.",
    ),
    option(
        READING, "--separator", metavar="TEXT",
        help="What stands between the labels of a cell, such as ';'. Recognised if not given.",
    ),
    option(
        READING, "--max-labels", type=click.IntRange(1), metavar="N",
        help="How many labels an annotation may hold; 1: a cell is one label, whatever is in it. "
        "Default: as found.",
    ),
    option(
        READING, "--ranked", is_flag=True,
        help="The first of several labels is the primary one; several label columns, or columns "
        "Ann_1, Ann_2, Bob_1, Bob_2, are the first, second ... label.",
    ),
    option(
        READING, "--label-weight", metavar="COLUMN",
        help="Column that says how strongly each of several labels, a row each, was given: it "
        "orders them.",
    ),
    option(
        READING, "--empty", multiple=True, metavar="WORD",
        help="A word that says that no label applies, such as none.",
    ),
    option(READING, "--sheet", metavar="NAME", help="Sheet of a workbook."),
    option(
        READING, "--header/--no-header", default=None,
        help="Whether the first row names the columns. Recognised if not given.",
    ),
    option(READING, "--delimiter", metavar="CHARACTER", help="Of a text file."),
    option(READING, "--encoding", metavar="NAME", help="Of a text file, e.g. cp1252."),
    option(
        READING, "--items", type=click.Choice(["annotated", "shared", "complete"]),
        default="annotated", show_default=True,
        help="Which items enter: all, those with two annotations or more (kappa of two coders is "
        "then that of their contingency table), or those that every coder annotated.",
    ),
    option(
        READING, "--only-question", multiple=True, metavar="NAME",
        help="Leave out the other questions (repeat the option).",
    ),
    option(
        READING, "--only-coder", multiple=True, metavar="NAME",
        help="Leave out the other coders (repeat the option).",
    ),
    option(
        OUTPUT, "-q", "--quiet", is_flag=True,
        help="Do not print how the file was understood, nor progress.",
    ),
)  # fmt: skip

measuring_options = (
    option(
        MEASURING, "-c", "--coefficient", "coefficients", multiple=True, metavar="NAME",
        help="percent, s, pi, kappa, alpha, ac; for sets of labels boot_match, boot_f1, "
        "augmented, alpha_masi …; or another name that `accordant coefficients` lists. Repeat it "
        "or separate names by commas. Default: all that fit.",
    ),
    option(
        MEASURING, "--weights", metavar="NAME",
        help="What counts as agreement: identity, linear, quadratic, ordinal, radical, ratio, "
        "circular, bipolar, ordinal-metric; for sets of labels identity, overlap, precision, "
        "recall, f1, jaccard, masi, divided-vote, of ranked labels divided-vote:0.6,0.4; or a CSV "
        "file with a row and a column for each category. Default: what fits the scheme.",
    ),
    option(
        MEASURING, "--method", type=click.Choice(("exact", "simulation")), default="exact",
        show_default=True,
        help="How the agreement is found that coders reach by chance who draw several labels: "
        "computed, or simulated as in the literature, with its own error.",
    ),
    option(
        MEASURING, "--simulations", type=click.IntRange(2), default=1000, show_default=True,
        metavar="N", help="How often the data set is simulated.",
    ),
    option(
        MEASURING, "--interval", type=click.Choice(METHODS), default="auto",
        show_default=True, help="How standard errors and intervals are made.",
    ),
    option(
        MEASURING, "--level", type=float, default=0.95, show_default=True, metavar="SHARE",
        help="Confidence level.",
    ),
    option(
        MEASURING, "--null", type=float, metavar="VALUE",
        help="Test against this value and show the p-value. Default: 0, not shown.",
    ),
    option(
        MEASURING, "--alternative", type=click.Choice(ALTERNATIVES), default="two-sided",
        show_default=True, help="Direction of the test.",
    ),
    option(
        MEASURING, "--population", type=float, metavar="N",
        help="Number of items that these are a sample of.",
    ),
    option(
        MEASURING, "--sampled-coders", is_flag=True,
        help="Add the variance between coders, for statements about coders like these.",
    ),
    option(
        MEASURING, "--coder-population", type=float, metavar="N",
        help="Number of coders that these are a sample of.",
    ),
    option(
        MEASURING, "--resamples", type=click.IntRange(2), default=2000, show_default=True,
        metavar="N", help="Bootstrap resamples.",
    ),
    option(
        MEASURING, "--seed", type=click.IntRange(0), metavar="N",
        help="Makes resamples and simulations repeatable.",
    ),
)  # fmt: skip

output_options = (
    option(
        OUTPUT, "-f", "--format", type=click.Choice(FORMATS),
        help="Default: what the name of --output ends in, else a table for reading.",
    ),
    option(
        OUTPUT, "-o", "--output", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
        help="Write there instead of printing.",
    ),
)  # fmt: skip


def source(function: F) -> F:
    """Files and how to read them, as ``source``."""
    return bundle("source", Source, (files, *source_options))(function)


def measuring(function: F) -> F:
    """What to measure and how, as ``measuring``."""
    return bundle("measuring", Measuring, measuring_options)(function)


def output(function: F) -> F:
    """Where to and in which format, as ``output``."""
    return bundle("output", Output, output_options)(function)
