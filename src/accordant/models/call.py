"""The public call: a model of coders and items, fitted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from inspect import signature
from typing import Any, get_args

import numpy as np

from ..actions import Action
from ..data.annotations import Annotations
from ..data.options import KEYWORDS
from ..data.read import read
from ..errors import RequestError, unknown
from ..validation import checked
from .em import How
from .gold import ALL_MATCHED, Gold, GoldLabels, gold_labels, gold_of_question
from .model import DEFAULT, Model, model_of, whole
from .model_list import MODELS, owned_by, takers_of
from .posterior import Posterior
from .question_results import Each
from .sets.label_by_label import Known, Sets, can_share, fit_sets
from .sets.label_decisions import RULES, Rule
from .sets.set_posterior import SetPosterior
from .trust.identifiability import withheld
from .votes import Votes, votes

__all__ = ["MODELS", "Posteriors", "fit", "fit_votes", "refuse_option_of_model"]


MANY = 20_000  # annotations; below it restarts cost nothing that anybody would notice
MANY_CELLS = 500_000  # of the confusion matrices of all coders, for the same reason
RESTARTS = 5


@checked
def fit(
    data: Any,
    model: str | Model = DEFAULT,
    *,
    gold: Gold | None = None,
    abstentions: str = "missing",
    sets: Sets = "labels",
    decide: Rule = "marginal",
    worth: float | None = None,
    restarts: int | None = None,
    tolerance: float = 1e-9,
    max_iterations: int = 2000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    **more: Any,
) -> Posterior | SetPosterior | Posteriors:
    """Estimate annotator reliability and labels together, with a model of coders."""
    chosen = model_of(model)
    _all_known(chosen, more)
    for name, given, choices in (("sets", sets, get_args(Sets)), ("decide", decide, RULES)):
        if given not in choices:
            raise unknown("choice", given, map(repr, choices), "choose one of", parameter=name)
    options = {name: more.pop(name) for name in chosen.takes if name in more}
    how = _how(restarts, tolerance, max_iterations, seed, progress)
    annotations = read(data, **more)

    def answer(question: str) -> Posterior | SetPosterior:
        own = annotations.of_question(question)
        about = gold_of_question(gold, question, annotations)
        told = GoldLabels({}, (), ALL_MATCHED) if about is None else gold_labels(about, own)

        def prepared(part: Annotations, labels: Known) -> Votes:
            return votes(part, known=labels, without=told.coders, abstentions=abstentions)

        def fitted(name: str | None, part: Annotations, table: Votes, /, **held: Any) -> Posterior:
            n = _restarts(table) if restarts is None else restarts
            settings = replace(how, restarts=n)
            return fit_votes(name, part, table, chosen, settings, {**options, **held})

        name = question or None
        if own.schemes[0].max_labels == 1:
            found: Posterior | SetPosterior = fitted(name, own, prepared(own, told.labels))
        else:
            found = fit_sets(
                name,
                own,
                told.labels,
                prepared,
                fitted,
                shares=can_share(chosen, options),
                how=how,
                sets=sets,
                rule=decide,
            )
        if worth is not None:
            found = found.recalibrated(worth)
        about_gold = told.unmatched.finding
        return found if about_gold is None else replace(found, remarks=(*found.remarks, about_gold))

    found = tuple(map(answer, annotations.questions))
    return found[0] if len(found) == 1 else Posteriors(found)


def _all_known(model: Model, more: dict[str, Any]) -> None:
    """Raise a `RequestError` if an option is neither the model's nor one of `read`."""
    unknown = [name for name in more if name not in (*model.takes, *KEYWORDS)]
    if not unknown:
        return
    name, own = unknown[0], [*signature(fit).parameters][2:-1]
    refuse_option_of_model(name, more[name], f"{model.key!r} has no option {name!r}, which")
    near = get_close_matches(name, [*model.takes, *own, *KEYWORDS], 1)
    raise RequestError(
        f"{model.key!r} has no option {name!r}"
        + (f" (did you mean {near[0]!r}?)" if near else "")
        + f". Its options: {', '.join(model.takes) or 'none'}. Every model takes: "
        + f"{', '.join(own)}. Reading takes: {', '.join(KEYWORDS)}"
    )


def refuse_option_of_model(name: str, value: Any, what: str) -> None:
    """Raise a `RequestError` if an option belongs to models other than the one that is fitted."""
    if owners := takers_of(name):
        raise RequestError(
            f"{what} belongs to {owned_by(owners)}",
            do=[Action("fit", {"model": owners[0], name: value})],
        )


def fit_votes(
    question: str | None, data: Annotations, table: Any, model: Model, how: How, options: Any
) -> Posterior:
    """Fit a model to votes that stand ready."""
    estimate = model.fit(table, how, **options)
    if withheld(model, table).reason:  # an interval would only look like knowledge
        estimate = replace(estimate, intervals={})
    told = {**model.options, **options}
    return Posterior(question, data, table, model, how, told, estimate)


def _restarts(table: Votes) -> int:
    """How many further starts go without a wait."""
    cells = table.n_coders * table.n_categories * table.n_answers
    return RESTARTS if len(table) <= MANY and cells <= MANY_CELLS else 0


def _how(
    restarts: int | None, tolerance: float, max_iterations: int, seed: Any, progress: Any
) -> How:
    """The settings, checked."""
    whole(0, restarts=restarts or 0)
    whole(1, max_iterations=max_iterations)
    if not isinstance(tolerance, int | float) or not 0 <= tolerance < 1:
        raise RequestError(f"a number from 0 to 1, not {tolerance!r}", parameter="tolerance")
    if seed is None:
        seed = int(np.random.SeedSequence().generate_state(1)[0])
    whole(0, seed=seed)
    return How(restarts or 0, float(tolerance), int(max_iterations), int(seed), progress)


@dataclass(frozen=True, eq=False, repr=False)
class Posteriors(Each[Posterior | SetPosterior]):
    """What a model found for each question; there is nothing to pool, truths being different."""
