"""`accordant soft`: distributions in place of labels, for training and for scoring."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ...errors import RequestError
from ..group import command
from ..options import bundle, output, source
from ..output import Output
from ..softly import Softly, soft_options
from ..source import Source
from ..terminal import progress, waiting

if TYPE_CHECKING:
    from rich.console import Console

    from ...data.annotations import Annotations
    from ...models.soft.soft_labels import SoftLabels

__all__ = ["soft"]


@command(
    examples=(
        ("accordant soft ratings.csv", "how spread the opinions about each item are"),
        ("accordant soft ratings.csv -o soft.jsonl", "the distributions, to train on"),
        ("accordant soft ratings.csv --of belief -o beliefs.csv", "what is probably true instead"),
        (
            "accordant soft ratings.csv --predictions model.csv",
            "cross-entropy, divergences, F1, beside the best that could be done",
        ),
        ("accordant soft ratings.csv --ambiguity", "which items have several readings?"),
    )
)
@source
@bundle("softly", Softly, soft_options)
@output
def soft(source: Source, softly: Softly, output: Output) -> None:
    """Distributions in place of labels, to train and score by.

    Where coders disagree for good reasons one label hides it. A soft label is the opinion of the
    coders, or the belief in what is true; the two are never mixed. With --predictions a model is
    scored against them, beside what a perfect model, a guess and one coder would get. With
    --ambiguity the items are told that remain ambiguous when errors of coders are accounted for.
    """
    context = click.get_current_context()
    typed = ParameterSource.COMMANDLINE
    softly.check({
        p.name or "" for p in context.command.params
        if context.get_parameter_source(p.name or "") is typed
    })  # fmt: skip
    data = source.read()
    if softly.ambiguity:
        _ambiguity(data, softly, output, quiet=source.quiet)
        return
    from ...models.soft.call import soft_labels
    from ..soft_tables import print_soft, soft_table

    with waiting("computing distributions", quiet=source.quiet):
        each = _each(soft_labels(data, **softly.keywords()))
    if softly.predictions:
        _scores(each, softly, output, quiet=source.quiet)
        return
    if output.format is None and output.output is not None and len(each) == 1 and (
        output.of_rows or output.kind == "csv"
    ):  # fmt: skip
        each[0].save(output.output)
        click.echo(f"written to {output.output}", err=True)
        return
    if output.output is not None and output.output.suffix.lower() == ".jsonl":
        raise RequestError(
            f"the soft labels of {len(each)} questions do not fit a file of JSON lines: choose one "
            "with of_question(), or write .csv"
        )
    made = soft_table(each, softly.most)
    output.show(made.rows, made.table, lambda console: print_soft(console, each, softly.most))


def _each(found: Any) -> list[Any]:
    """The results of the questions."""
    from ...models.each import Each

    return list(found.each) if isinstance(found, Each) else [found]


def _scores(each: list[SoftLabels], softly: Softly, output: Output, *, quiet: bool) -> None:
    """Predictions scored against the soft labels of one question."""
    if len(each) > 1:
        raise RequestError(
            f"predictions are of one question, and there are {len(each)}: choose one with "
            "of_question()"
        )
    from ...models.soft.model_scores import ModelScores
    from ...models.soft.scoring import score_predictions
    from ..soft_tables import print_scores, scores_table
    from ..tables_of_models import models_table, print_models

    with waiting("scoring", quiet=quiet):
        found = score_predictions(softly.predicted(), each[0], **softly.scoring())
    if isinstance(found, ModelScores):
        many = found
        output.show(
            many.to_rows(), lambda: models_table(many), lambda console: print_models(console, many)
        )
        return
    output.show(
        found.to_rows(), lambda: scores_table(found), lambda console: print_scores(console, found)
    )


def _ambiguity(data: Annotations, softly: Softly, output: Output, *, quiet: bool) -> None:
    """Ambiguous items told from erring coders."""
    from ...models.soft.ambiguity import ambiguity
    from ..soft_tables import ambiguity_table, print_ambiguity

    with progress("comparing readings", quiet=quiet) as watch:
        found = ambiguity(
            data, softly.model or "pooled", level=softly.false, rng=softly.seed,
            gold=softly.gold, progress=watch,
        )  # fmt: skip
        each = _each(found)
        made = ambiguity_table(each, softly.most)

    def pretty(console: Console) -> None:
        print_ambiguity(console, each, softly.most)

    output.show(made.rows, made.table, pretty)
