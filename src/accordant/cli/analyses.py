"""The commands that analyse annotations, each beside the public call that it makes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import click

from ..api.agreement import agreement as measure
from ..api.agreement import compare as compare_rounds
from ..api.agreement import items_needed
from ..api.diagnosis import decompose as take_apart
from ..api.diagnosis import describe as tell_of
from ..api.diagnosis import diagnose as look_into
from ..api.models import alternative_test_items, model_as_coder
from ..api.models import fit as estimate
from ..api.soft_labels import score_predictions, soft_labels
from ..api.types import Names
from ..kinds import AtLeast, Metavar
from .answers import Shown
from .calls import Asked, Call, command
from .output import written
from .parameters import Option, hints_of, option

__all__: list[str] = []

HELP = ("-h", "--help")


def options_of_model(args: Sequence[str]) -> Iterator[Option]:
    """The options of the model that was typed; for a help text without a model none."""
    name = _typed(args)
    if name is None and (not args or any(word in HELP for word in args)):
        return
    from ..models.model import DEFAULT, model_of
    from ..models.model_list import options_of

    model = model_of(name or DEFAULT)
    hints = hints_of(model.fitting)
    signature = inspect.signature(model.fitting).parameters
    for told in options_of(model):
        if told.name in signature:
            hint = _hint(told.allowed, hints[told.name])
            made = option(told.name, hint, told.default, told.meaning, model.name)
            if made is not None:
                yield made


def _hint(allowed: str, hint: Any) -> Any:
    """The choices that the docstring names, and other numbers where it has any."""
    words = tuple(re.findall(r"'([^']+)'", allowed))
    if not words:
        return hint
    return Literal[words] | (float if "float" in allowed else None)


def _typed(args: Sequence[str]) -> str | None:
    """The value of --model; several are compared and have no options."""
    for word, after in zip(args, [*args[1:], ""], strict=True):
        if word in ("-m", "--model"):
            return after
        if word.startswith("--model="):
            return word.partition("=")[2]
    return None


Files = Annotated[Path, Metavar("FILE..."), AtLeast(1)]
Rounds = Annotated[Path, Metavar("BEFORE AFTER | FILE..."), AtLeast(1)]


@command(measure)
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
    table = asked.call(measure, asked.data)
    if "coefficients" in asked:
        return table
    from ..views.coefficient_choice import caveats_in_short

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
    return asked.call(tell_of, asked.data)


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
    return asked.call(look_into, asked.data)


@command(take_apart)
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
    return asked.call(take_apart, asked.data)


@command(estimate, more=options_of_model)
def fit(asked: Asked, *files: Files) -> Any:
    """Estimate annotator reliability and labels with a model of coders.

    A model of coders and items estimates both together: how certain each label is, whether it
    equals the majority vote, and how accurate each coder is. With -o the labels are written, each
    with its probability. The options of a model are listed by `accordant fit --model NAME --help`.

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
    data, truth = asked.data, asked.typed.get("truth")
    if truth not in data.coders:
        return asked.call(estimate, data, **asked.more)
    rest = data.of_coders([name for name in data.coders if name != truth])
    found = asked.call(estimate, rest, **asked.more)  # whose labels are the truth has no vote
    return Shown(found, options={"truth": data.of_coders([truth])})


@command(
    Call(soft_labels, kinds=("soft",)),
    Call(
        score_predictions,
        when=("predictions",),
        also=(soft_labels,),
        kinds=("soft-scores", "model-scores"),
    ),
)
def soft(
    asked: Asked,
    *files: Files,
    predictions: Sequence[Path] | None = None,
) -> Any:
    """Soft labels: a distribution for each item, to train and score models.

    A soft label is either the distribution of the coders' labels (opinion), or the probability
    that each label is correct (belief); the two are never mixed. With --predictions a model is
    scored against the opinions, beside a perfect model, a guess and a single coder.

    Parameters
    ----------
    predictions : list of path
        Score a model's predictions: a file with a column item and a column for each category, or
        one for the label; or JSON lines with item and soft. Repeat it for several models.

    Examples
    --------
    How spread the opinions about each item are:

    $ accordant soft ratings.csv

    The distributions, to train on:

    $ accordant soft ratings.csv -o soft.jsonl

    The probability that each label is correct:

    $ accordant soft ratings.csv --of belief -o beliefs.csv

    Cross-entropy, divergences, F1, beside the best that could be done:

    $ accordant soft ratings.csv --predictions model.csv
    """
    if predictions is None:
        found = asked.call(soft_labels, asked.data)
        target = asked.typed.get("output")
        if target is None or {"format", "show"} & {*asked.typed} or hasattr(found, "each"):
            return found
        found.save(target)
        return written(target)
    named = {path.stem: path for path in predictions}
    each = named if len(named) == len(predictions) else {str(path): path for path in predictions}
    models = predictions[0] if len(predictions) == 1 else each
    return asked.call(score_predictions, models, asked.data, also=(soft_labels,))


@command(compare_rounds, Call(model_as_coder, when=("model", "models"), kinds=("compare-models",)))
def compare(
    asked: Asked,
    *files: Rounds,
    model: Names | None = None,
    models: Path | None = None,
) -> Any:
    """Whether two rounds differ, or a model may replace a human.

    If both rounds have the same items the test is paired, which detects smaller changes than two
    separate intervals.

    With --model or --models the coders of one file (or several) are compared: agreement of humans
    with humans, with models, and of models, and the alternative annotator test, in which a model
    takes the place of each human in turn.

    Parameters
    ----------
    model : list of str
        A coder of the file who is a model: may it stand in for a human?
    models : path
        A file of which all coders are models, or of the labels of one, with the items named as in
        the other.

    Examples
    --------
    All coefficients, after less before:

    $ accordant compare round1.csv round2.csv

    Did training raise alpha?

    $ accordant compare round1.csv round2.csv -c alpha --alternative greater

    Items that are different ones:

    $ accordant compare people.csv models.csv --no-paired

    May gpt, a coder of the file, stand in for a human?

    $ accordant compare ratings.csv --model gpt --epsilon skilled

    Each model beside each human:

    $ accordant compare people.csv --models models.csv --show humans
    """
    if asked.made(model_as_coder):
        if model and models:
            raise click.UsageError("--model names coders of the file, --models a file: give one.")
        beside = model if models is None else asked.read(models, least=1)
        return asked.call(model_as_coder, asked.data, beside)
    if len(files) != 2:
        raise click.UsageError(
            "name two files, those before and after; or one, with the coders who are models "
            "in --model."
        )
    return asked.call(compare_rounds, *map(asked.read, files))


@command(items_needed, Call(alternative_test_items, when=("advantage", "human_advantage")))
def plan(asked: Asked, *pilot: Annotated[Path, Metavar("[PILOT]...")]) -> Any:
    """Items needed for an interval of a given width, or to test a model.

    Based on a pilot study, or on an expected kappa and the expected share of each category. The
    plan is for as many coders as the pilot has, or --coders. With --advantage and
    --human-advantage: how many items each human must annotate so that a model passes the
    alternative annotator test.

    Examples
    --------
    More items like those of a pilot study:

    $ accordant plan pilot.csv --width 0.1

    No data yet: an expected kappa and how common the categories are:

    $ accordant plan --width 0.2 --agreement 0.6 --shares 0.7,0.3

    Three coders for every item:

    $ accordant plan --width 0.1 --agreement 0.8 --shares 0.5,0.3,0.2 --coders 3 --coefficient alpha

    Items by each of five humans to show that a model may stand in for them:

    $ accordant plan --advantage 0.8 --human-advantage 0.85 --humans 5 --epsilon expert
    """
    if asked.made(alternative_test_items):
        return asked.call(alternative_test_items)
    return asked.call(items_needed, pilot=asked.data if pilot else None)
