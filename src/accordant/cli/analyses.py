"""The commands that analyse annotations, each beside the public call that it makes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from ..api.agreement import agreement as measure
from ..api.agreement import check as hold_against
from ..api.agreement import compare as compare_rounds
from ..api.agreement import items_needed
from ..api.data_sets import read
from ..api.diagnosis import decompose as take_apart
from ..api.diagnosis import describe as tell_of
from ..api.diagnosis import diagnose as look_into
from ..api.model_use import model_as_coder, score_predictions, soft_labels
from ..api.models import fit as estimate
from ..api.models import to_check
from ..api.types import Names
from ..errors import RequestError
from ..inputs import inputs_of
from ..kinds import AtLeast, Metavar, Typed
from .calls import Asked, command
from .console import tell
from .output import Output, written
from .view_options import Shown

Files = Annotated[Path, Metavar("FILE..."), AtLeast(1)]
Rounds = Annotated[Path, Metavar("BEFORE AFTER | FILE..."), AtLeast(1)]


@command(measure, without="simulations undefined")
def agreement(asked: Asked, *files: Files) -> Any:
    """Coefficients of agreement, per question and pooled.

    Examples
    --------
    All coefficients, with 95 % intervals:

    $ accordant agreement ratings.csv

    Krippendorff's alpha on an ordered scale:

    $ accordant agreement ratings.csv -c alpha --scale ordinal --categories low,mid,high

    One file per coder, bootstrap interval:

    $ accordant agreement anna.csv bob.csv -c kappa --interval bootstrap --seed 1

    Is alpha above .800?

    $ accordant agreement ratings.csv -c alpha --null 0.8 --alternative greater

    Several labels in a cell:

    $ accordant agreement ratings.csv --separator ';' -c boot_f1,alpha_masi

    The same rows for a program:

    $ accordant agreement ratings.csv --format json
    """
    table = asked.call(asked.data)
    if "coefficients" in asked:
        return table
    from ..views.coefficient_tables import caveats_in_short

    return Shown(table, after=lambda: (caveats_in_short(table),))


@command(tell_of)
def describe(asked: Asked, *files: Files) -> Any:
    """Who annotated what: coverage, gaps, labels.

    Examples
    --------
    Is the file understood, and is anything missing?

    $ accordant describe ratings.csv

    What each coder annotated:

    $ accordant describe ratings.csv --show coders

    How frequent each label is:

    $ accordant describe ratings.csv --show labels --format csv
    """
    return asked.call(asked.data)


@command(look_into)
def diagnose(asked: Asked, *files: Files) -> Any:
    """Where and why coders disagree, and what to resolve first.

    Examples
    --------
    Why coders disagree, and what to resolve first:

    $ accordant diagnose ratings.csv

    How much agreement would rise:

    $ accordant diagnose ratings.csv --show what-if

    The confusion matrix of two coders:

    $ accordant diagnose ratings.csv --of anna --against bob

    The items behind one cell:

    $ accordant diagnose ratings.csv --cell yes no

    Each coder against anna:

    $ accordant diagnose ratings.csv --gold anna --show scores

    The findings for a program:

    $ accordant diagnose ratings.csv --format json
    """
    return asked.call(asked.data)


@command(take_apart, without="search minimum_share rounding")
def decompose(asked: Asked, *files: Files) -> Any:
    """Split the scheme into levels, to see where coders disagree.

    Examples
    --------
    Which division of the categories explains most disagreement?

    $ accordant decompose ratings.csv

    First whether any label applies, then which:

    $ accordant decompose ratings.csv --separator ';' --by 'any label'

    The items on which coders differ in yes or no, with texts:

    $ accordant decompose ratings.csv --by 'yes,probably|no' --listed 1

    Three levels: any, how many, which:

    $ accordant decompose ratings.csv --by 'any label' --then 'number of labels'

    The ten with the highest level 2, as Levi & Shenhav (2022) rank them:

    $ accordant decompose ratings.csv --rank second -n 10
    """
    return asked.call(asked.data)


@command(estimate, without="restarts")  # --set has them
def fit(
    asked: Asked, *files: Files, set: Annotated[Mapping[str, str], Metavar("NAME=VALUE")] = {}
) -> Any:
    """Estimate annotator reliability and labels with a model of coders.

    A model of coders and items estimates both together: how certain each label is, whether it
    equals the majority vote, and how accurate each coder is. With -o the labels are written, each
    with its probability. What can be set of a model is listed by
    `accordant models NAME`.

    Parameters
    ----------
    set : mapping
        Something that can be set of the model, such as ``method=em``.

    Examples
    --------
    Labels and coders together:

    $ accordant fit ratings.csv

    A label for each item, with probabilities:

    $ accordant fit ratings.csv -o labels.csv

    Ties and close votes, with all annotations:

    $ accordant fit ratings.csv -m majority --show items

    Only labels with a probability of 0.95 or more:

    $ accordant fit ratings.csv --keep 0.95 -o sure.csv

    The confusion matrix of anna:

    $ accordant fit ratings.csv --of anna

    Scored by a coder left out:

    $ accordant fit ratings.csv --truth anna --show scores
    """
    more = {name: _read_as(value) for name, value in set.items()}
    data, truth = asked.data, asked.typed.get("truth")
    if truth not in data.coders:
        return asked.call(data, **more)
    rest = data.of_coders([name for name in data.coders if name != truth])
    found = asked.call(rest, **more)  # whose labels are the truth has no vote
    return Shown(found, options={"truth": data.of_coders([truth])})


def _read_as(text: str) -> Any:
    """A number where it is one, several values where there are commas."""
    if "," in text:
        return [_read_as(part) for part in text.split(",")]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return {"true": True, "false": False}.get(text.lower(), text)


@command(to_check, without="n")  # --most
def check_next(asked: Asked, *files: Files) -> Any:
    """Labels to check next, and how right those are that nobody checked.

    Examples
    --------
    Fifty items, as a sheet to fill in:

    $ accordant check-next ratings.csv -n 50 -o check.csv

    What the sheet tells of all other labels, and what to check after it:

    $ accordant check-next ratings.csv --gold check.csv
    """
    n = {"n": asked.typed["most"]} if "most" in asked else {}
    found, target = asked.call(asked.data, **n), asked.typed.get("output")
    if target is None or "format" in asked:
        return found
    if hasattr(found, "each"):
        raise click.UsageError("a sheet is of one question: choose it by --label.")
    found.save(target)
    written(target)
    tell([f"fill in the column 'gold', then: --gold {target}"])
    return 0


@command(soft_labels, kinds=("soft",))
def soft(asked: Asked, *files: Files) -> Any:
    """Soft labels: a distribution for each item, to train and score models.

    A soft label is either the distribution of the coders' labels (opinion), or the probability
    that each label is correct (belief); the two are never mixed.

    Examples
    --------
    How spread the opinions about each item are:

    $ accordant soft ratings.csv

    The distributions, to train on:

    $ accordant soft ratings.csv -o soft.jsonl

    The probability that each label is correct:

    $ accordant soft ratings.csv --of belief -o beliefs.csv
    """
    found = asked.call(asked.data)
    target = asked.typed.get("output")
    if target is None or {"format", "show"} & {*asked.typed} or hasattr(found, "each"):
        return found
    found.save(target)
    return written(target)


@command(score_predictions, also=soft_labels, kinds=("soft-scores",), without="resamples seed")
def score(
    asked: Asked,
    *files: Files,
    predictions: Annotated[Sequence[Path], Typed(option="--predictions")],
) -> Any:
    """Score a model's predictions against the distribution of the coders' labels.

    The scores stand beside those of the majority label and of the frequencies of the categories.

    Parameters
    ----------
    predictions : list of path
        A file with a column item and a column for each category, or one for the label; or JSON
        lines with item and soft. Repeat it for several models.

    Examples
    --------
    Cross-entropy, divergences, F1, beside the best that could be done:

    $ accordant score ratings.csv --predictions model.csv

    Two models:

    $ accordant score ratings.csv --predictions old.csv --predictions new.csv
    """
    named = {path.stem: path for path in predictions}
    each = named if len(named) == len(predictions) else {str(path): path for path in predictions}
    return asked.call(predictions[0] if len(predictions) == 1 else each, asked.data)


@command(compare_rounds, without="null population")
def compare(asked: Asked, *files: Rounds) -> Any:
    """Whether agreement differs between two rounds or two files.

    If both rounds have the same items the test is paired, which detects smaller changes than two
    separate intervals.

    Examples
    --------
    All coefficients, after less before:

    $ accordant compare round1.csv round2.csv

    Did training raise alpha?

    $ accordant compare round1.csv round2.csv -c alpha --alternative greater

    Items that are different ones:

    $ accordant compare first.csv second.csv --no-paired
    """
    if len(files) != 2:
        raise click.UsageError("name two files, those before and after.")
    return asked.call(*map(asked.read, files))


FALLS_SHORT = 3  # the exit code of a gate


@command(hold_against)
def check(
    asked: Asked,
    *files: Annotated[Path, Metavar("[FILE]...")],
    format: Literal["table", "json", "csv", "md", "latex", "junit", "github"] | None = None,
) -> Any:
    """Whether labels meet conditions: a gate for pipelines.

    Exits with 0 if every condition holds, with 3 if one falls short, with 2 if the command is
    wrong, with 1 if the file cannot be read. Files, conditions and how the files are read may
    stand in accordant.toml, or in pyproject.toml under [tool.accordant], in this folder or one
    above it; what is typed goes before.

    Parameters
    ----------
    format : str
        junit: a test report in XML; github: annotations of a workflow. Default: what the name
        of --output ends in, else a table for reading.

    Examples
    --------
    Alpha at least .667, and not below .6 by its interval:

    $ accordant check ratings.csv --min alpha=.667 --min-lower alpha=.6

    Nobody left items out, and the file is understood without a doubt:

    $ accordant check ratings.csv --max-missing 0.1 --no-warning

    A test report for a pipeline:

    $ accordant check ratings.csv --min alpha=.667 --format junit -o check.xml
    """
    from ..render.pipelines import FORMATS
    from .configuration import configured

    config = configured(one.name for f in (hold_against, read) for one in inputs_of(f, 1))
    chosen = files or config.files
    if not chosen:
        raise click.UsageError("name a file, or set files in accordant.toml.")
    typed, asked.typed = asked.typed, {**config.options, **asked.typed}
    try:
        found = asked.call(asked.read(*chosen))
    except RequestError as error:
        raise config.refused(error, typed) from None
    code = 0 if found.holds else FALLS_SHORT
    if format not in FORMATS:
        return Shown(found, code=code)
    told = FORMATS[format](found, str(chosen[0]) if len(chosen) == 1 else "")
    Output(format, asked.typed.get("output")).deliver(told)
    return code


@command(model_as_coder, kinds=("compare-models",), without="q min_items")
def alt_test(
    asked: Asked, *files: Files, models: Names = (), models_file: Path | None = None
) -> Any:
    """Whether a model may replace a human: the alternative annotator test.

    Agreement of humans with humans and with models; in the test a model takes the place of each
    human in turn.

    Parameters
    ----------
    models : list of str
        Coders of the file who are models.
    models_file : path
        A file of which all coders are models, or of the labels of one, with the items named as in
        the other.

    Examples
    --------
    May gpt, a coder of the file, stand in for a human?

    $ accordant alt-test ratings.csv --models gpt --epsilon skilled

    Each model beside each human:

    $ accordant alt-test people.csv --models-file models.csv --show humans
    """
    if bool(models) is (models_file is not None):
        raise click.UsageError(
            "name coders of the file with --models, or a file with --models-file."
        )
    return asked.call(
        asked.data, models if models_file is None else asked.read(models_file, least=1)
    )


@command(items_needed)
def plan(asked: Asked, *pilot: Annotated[Path, Metavar("[PILOT]...")]) -> Any:
    """Items needed for an interval of a given width.

    Based on a pilot study, or on an expected kappa and the expected share of each category. The
    plan is for as many coders as the pilot has, or --coders.

    Examples
    --------
    More items like those of a pilot study:

    $ accordant plan pilot.csv --width 0.1

    No data yet: an expected kappa and how common the categories are:

    $ accordant plan --width 0.2 --agreement 0.6 --shares 0.7,0.3

    Three coders for every item:

    $ accordant plan --width 0.1 --agreement 0.8 --shares 0.5,0.3,0.2 --coders 3 --coefficient alpha
    """
    return asked.call(pilot=asked.data if pilot else None)
