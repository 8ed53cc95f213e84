"""A model of coders and items, fitted to each question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..actions import Action
from ..data.annotations import Annotations
from ..data.options import KEYWORDS
from ..errors import RequestError, meant
from .em import How
from .gold import Gold, GoldLabels, gold_labels, gold_not_in_data, gold_of_question
from .model import DEFAULT, Model, model_of
from .model_list import owned_by, takers_of
from .posterior import Posterior
from .question_results import Each
from .set_posterior import Known, SetPosterior, fit_sets
from .votes import Votes, votes

MANY = 20_000  # annotations; below it restarts cost nothing that anybody would notice
MANY_CELLS = 500_000  # of the confusion matrices of all coders, for the same reason
RESTARTS = 5


def fitted(
    data: Annotations,
    model: str | Model = DEFAULT,
    *,
    gold: Gold | None = None,
    restarts: int | None = None,
    how: How = How(),  # noqa: B008 - it is frozen
    options: Mapping[str, Any] | None = None,
) -> Posterior | SetPosterior | Posteriors:
    """Fit a model to annotations that are read; see `api.models.fit`.

    Parameters
    ----------
    data : Annotations
    model : str or Model
    gold : str, path, mapping or frame, optional
    restarts : int, optional
        By default as many as go without a wait.
    how : How
        Everything else: seed, progress, and when the loop stops.
    options : mapping, optional
        Of the model.
    """
    chosen, given = model_of(model), dict(options or {})

    def answer(question: str) -> Posterior | SetPosterior:
        own = data.of_question(question)
        about = gold_of_question(gold, question, data)
        told = GoldLabels({}) if about is None else gold_labels(about, own)

        def one(name: str | None, part: Annotations, known: Known) -> Posterior:
            table = votes(part, known=known, without=told.coders)
            if told.at_random:
                drawn = np.array([item in told.at_random for item in table.names])
                table = replace(table, drawn=drawn)
            settings = replace(how, restarts=_restarts(table) if restarts is None else restarts)
            estimate = chosen.fit(table, settings, **given)
            return Posterior(
                name, part, table, chosen, settings, {**chosen.options, **given}, estimate
            )

        name, single = question or None, own.schemes[0].max_labels == 1
        found: Posterior | SetPosterior = (
            one(name, own, told.labels) if single else fit_sets(name, own, told.labels, one)
        )
        remark = gold_not_in_data(told.unmatched)
        return found if remark is None else replace(found, remarks=(remark,))

    found = tuple(map(answer, data.questions))
    return found[0] if len(found) == 1 else Posteriors(found)


def refuse_unknown(model: Model, names: Sequence[str], own: Sequence[str]) -> None:
    """Raise a `RequestError` if an option is neither the model's, the call's nor one of `read`."""
    known = [*model.takes, *own, *KEYWORDS]
    for name in (name for name in names if name not in known):
        if owners := takers_of(name):
            raise RequestError(
                f"{model.key!r} has no option {name!r}, which belongs to {owned_by(owners)}",
                do=[Action("fit", {"model": owners[0]})],
            )
        raise RequestError(
            f"{model.key!r} has no option {name!r}{meant(name, known)}. Its options: "
            f"{', '.join(model.takes) or 'none'}. Of every model: {', '.join(own)}. Of "
            f"reading: {', '.join(KEYWORDS)}"
        )


def _restarts(table: Votes) -> int:
    """How many further starts go without a wait."""
    cells = table.n_coders * table.n_categories**2
    return RESTARTS if len(table) <= MANY and cells <= MANY_CELLS else 0


@dataclass(frozen=True, eq=False, repr=False)
class Posteriors(Each[Posterior | SetPosterior]):
    """What a model found for each question; there is nothing to pool, truths being different."""
