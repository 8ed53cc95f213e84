"""`accordant compare`: two rounds, or models beside humans."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ...errors import unknown
from ..group import MEASURING, Option, command
from ..measuring import Measuring
from ..options import bundle, measuring, output, source_options
from ..output import Output
from ..source import Source
from ..standing_in import StandingIn, standing_in_options
from ..terminal import progress, tell, waiting

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["compare"]

ONLY_ALONE = ("population", "sampled_coders", "coder_population", "method", "n_simulations")
"""What can be asked of one data set, but not of the difference of two."""

OF_ROUNDS = (
    "paired", "interval", "null", "alternative", "population", "sampled_coders",
    "coder_population", "resamples", "seed", "method", "simulations",
)  # fmt: skip
OF_MODELS = ("human", "epsilon", "alignment", "q", "min_items", "few", "show", "most")

pair = click.argument(
    "files", nargs=-1, required=True, metavar="BEFORE AFTER | FILE...",
    type=click.Path(path_type=Path),
)  # fmt: skip


@command(
    examples=(
        ("accordant compare round1.csv round2.csv", "all coefficients, after less before"),
        (
            "accordant compare round1.csv round2.csv -c alpha --alternative greater",
            "did training raise alpha?",
        ),
        ("accordant compare people.csv models.csv --unpaired", "items that are different ones"),
        (
            "accordant compare ratings.csv --model gpt --epsilon skilled",
            "may gpt, a coder of the file, stand in for a human?",
        ),
        (
            "accordant compare people.csv --models models.csv --show humans",
            "each model beside each human",
        ),
    )
)
@bundle("source", Source, (pair, *source_options))
@bundle("standing", StandingIn, standing_in_options)
@measuring
@output
@click.option(
    "--paired/--unpaired", default=None, cls=Option, section=MEASURING,
    help="Whether items of the same id are the same. Default: paired if half are in both.",
)  # fmt: skip
def compare(
    source: Source,
    standing: StandingIn,
    measuring: Measuring,
    output: Output,
    paired: bool | None,
) -> None:
    """Whether two rounds differ, or a model may replace a human.

    On the same items the test is paired: it follows each item through both rounds, which shows
    smaller changes than two intervals side by side. What makes the two hard to compare is told.

    With --model or --models the coders of one file (or several) are compared: agreement of humans
    with humans, with models, and of models, and the alternative annotator test, in which a model
    takes the place of each human in turn.
    """
    measuring.check()
    _check(standing.asked, len(source.files))
    if standing.asked:
        _models(source, standing, measuring, output)
    else:
        _rounds(source, measuring, output, paired)


def _check(models: bool, n_files: int) -> None:
    """Refuse options that say nothing together."""
    context = click.get_current_context()

    def given(names: tuple[str, ...]) -> str | None:
        for parameter in context.command.params:
            source = context.get_parameter_source(parameter.name or "")
            if parameter.name in names and source is ParameterSource.COMMANDLINE:
                return parameter.opts[0]
        return None

    wrong = given(OF_ROUNDS if models else OF_MODELS)
    if wrong is not None:
        raise click.UsageError(
            f"{wrong} is for two rounds; leave it out beside --model" if models
            else f"{wrong} is for models beside humans: name them with --model or --models"
        )  # fmt: skip
    if not models and n_files != 2:
        raise click.UsageError(
            f"{n_files} file{'' if n_files == 1 else 's'}: name two, those before and after; or "
            "one, and with --model the coders who are models"
        )


def _models(source: Source, standing: StandingIn, measuring: Measuring, output: Output) -> None:
    """Models beside humans."""
    if standing.model and standing.models is not None:
        raise click.UsageError("--model names coders of the file, --models another file: give one")
    names = measuring.names or ["alpha"]
    if len(names) > 1:
        raise click.UsageError("humans and models are compared by one coefficient: give -c once")
    data = source.read()
    for name in standing.names:
        if name not in data.coders:
            raise unknown("coder", name, data.coders, hint="A file of models is --models FILE")
    models = standing.names if standing.models is None else (
        replace(source, files=(standing.models,), only_coder=()).read()
    )  # fmt: skip
    from ...models.standing_in.call import model_as_coder
    from ..standing_in_tables import print_standing_in, standing_in_table

    with waiting("comparing humans and models", quiet=source.quiet):
        found = model_as_coder(
            data, models, coefficient=names[0], weights=measuring.weighting,
            level=measuring.level, **standing.keywords(),
        )  # fmt: skip
        shown = standing_in_table(found, standing.show or "tests", standing.most)

    def pretty(console: Console) -> None:
        print_standing_in(console, found, standing.show, standing.most)

    output.show(shown.rows_as(output.kind), shown.table, pretty)


def _rounds(source: Source, measuring: Measuring, output: Output, paired: bool | None) -> None:
    """Two rounds, or two data sets."""
    before, after = (replace(source, files=(path,)).read() for path in source.files)
    from ...public import compare as compared
    from ..changes import mismatches

    one, two = source.files
    names = (one.name, two.name) if one.name != two.name else (str(one), str(two))
    told = mismatches(before, after, names)
    tell(line for line in told if line.startswith("warning") or not source.quiet)
    keywords = measuring.keywords()
    for name in ONLY_ALONE:
        del keywords[name]
    with progress("resampling", quiet=source.quiet) as watch:
        table = compared(before, after, paired=paired, progress=watch, **keywords)

    from ...views.names import compares_sets

    of_sets = compares_sets(before) or compares_sets(after)

    def pretty(console: Console) -> None:
        from ..changes import changes_table, how_paired
        from ..tables import print_sentences, print_table

        console.print()
        print_sentences(console, [how_paired(table.rows)])
        console.print()
        shown = changes_table(table.rows, of_sets=of_sets)
        print_table(console, shown, group="question" if len(shown.columns) > 7 else "")

    from ..changes import changes_table

    output.show(table.to_rows(), lambda: changes_table(table.rows, of_sets=of_sets), pretty)
