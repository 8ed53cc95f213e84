"""The public call: models beside the humans whose place they might take."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from ...errors import RequestError
from ...measure.distances import WeightsLike
from ...measure.measures import measures
from .aligning import Alignment, nearer, unmoved
from .alternative import FEW, Epsilon, ModelTest, epsilons, model_test
from .rejecting import share_of
from .result import ModelAsCoder
from .sides import Sides, sides
from .tables import tables

__all__ = ["model_as_coder"]


def model_as_coder(
    data: Any,
    models: Any,
    *,
    humans: Sequence[str] | None = None,
    epsilon: Epsilon = 0.1,
    alignment: Alignment = "accuracy",
    q: float = 0.05,
    min_items: int = 30,
    few: str = "exact",
    coefficient: str = "alpha",
    weights: WeightsLike | None = None,
    level: float = 0.95,
    **reading: Any,
) -> ModelAsCoder:
    """May a model stand in for a human coder? The alternative annotator test, and agreement.

    Each human is left out in turn, and the model takes the place: is it as near to the humans who
    remain as the one who was left out? Beside the test stand the tables of human–human,
    human–model and model–model agreement.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Annotations by humans, perhaps with those of models among them.
    models : str, sequence of str, or a source
        Which coders of the data are models; or a file, frame or annotations of which all coders
        are models. Items are matched by name.
    humans : sequence of str, optional
        Whom to compare with; by default everybody who is no model.
    epsilon : float, str or mapping
        How much worse a model may be than a human, in exchange for being cheaper: a number, or
        'expert' (.2), 'skilled' (.15), 'crowd' (.1); or one for each human.
    alignment : {'accuracy', 'neg_rmse', 'similarity'} or callable
        How near a label is to those of the other humans: the share who gave the same; −√ of the
        mean squared distance, for numbers; the mean of the weights that fit the scale (for sets
        of labels MASI). Or a function of a label and the list of the other humans' labels, higher
        for nearer.
    q : float
        False discovery rate over the humans (Benjamini & Yekutieli 2001).
    min_items : int
        With fewer items of a human the t-test is not trusted.
    few : {'exact', 'wilcoxon', 'leave_out'}
        What happens to humans with fewer items: a test that is exact whatever the share of ties
        is; Wilcoxon's signed-rank test, as in the text of the paper; or none, as in the program
        of its authors.
    coefficient : str
        Of the tables of agreement: 'alpha', 'kappa', 'percent', 'kappa_linear' …
    weights : str, array_like, callable or Distance, optional
        As in `agreement`; by default those that fit the scale.
    level : float
        Confidence level.
    **reading
        Options of `read`, for both sources.

    Returns
    -------
    ModelAsCoder
        With ``tests`` (per model), ``human_tests`` (per human and model), ``groups``, ``pairs``,
        ``beside`` (paired tests of agreement), ``rivals`` (pairs of models), ``findings``.

    Raises
    ------
    InputError
        If the data cannot be read, or no item of the models is one of the data.
    RequestError
        If nobody is a human or a model, or an option makes no sense.

    Notes
    -----
    Source: Calderon, Reichart & Dror (2025), with the program and the data that they published
    beside the paper. On item i human j wins if S(h_j) ≥ S(f) and the model if S(f) ≥ S(h_j), both
    in a tie. The hypothesis ρ_model ≤ ρ_human − ε is tested for each human by a paired one-sided
    t-test; ω is the share of humans for whom it is rejected, and ω ≥ .5 passes. An item counts if
    two humans and the model annotated it. Of a coder who annotated an item more than once the
    first annotation is taken.

    The differences that are tested are −1, 0 and 1, most of them ties. With fewer than
    ``min_items`` items of a human the test is therefore an exact one: the score statistic of the
    difference, its p-value the largest over all shares of ties (Hsueh, Liu & Chen 2001). The
    paper's text turns to Wilcoxon's test there. That asks about the middle, and lets a model that
    loses exactly ε through in 14 to 55 % of the tests at a level of 5 % (10 to 29 items); with
    ``few="wilcoxon"`` p is 1 at least where the model loses more than ε on average.

    With more items the t-test is kept, as published. It too is unsafe where a model is hardly
    ever nearer than the human: with no such item and a loss of exactly ε = .1 it rejects 18 % at
    30 items and 12 % at 100. Findings name the humans for whom the exact test does not agree
    (`t_test_unsafe`); a large ``min_items`` tests all humans exactly.

    Intervals of ρ and of agreement are linearised over items: all comparisons on an item count
    as one observation.

    Examples
    --------
    >>> import accordant as ac
    >>> right = [k % 3 for k in range(60)]
    >>> human = [[(x + (k % j == 0)) % 3 for k, x in enumerate(right)] for j in (5, 7, 9)]
    >>> names = ["Ada", "Bea", "Cem", "model"]
    >>> print(ac.model_as_coder([*human, right], ["model"], coder=names, epsilon="crowd"))
    model: passed, winning rate 1.00 (3 of 3 humans), advantage probability 0.98
    """
    q, level = share_of("q", q), share_of("level", level)
    if isinstance(min_items, bool) or not isinstance(min_items, Integral) or min_items < 0:
        raise RequestError(f"a whole number from 0 up, not {min_items!r}", parameter="min_items")
    if few not in FEW:
        known = ", ".join(map(repr, FEW))
        raise RequestError(f"choose one of {known}, not {few!r}", parameter="few")
    if not isinstance(coefficient, str):
        raise RequestError(
            f"the name of one coefficient, not {coefficient!r}", parameter="coefficient"
        )
    measure = measures(coefficient)[0]
    found = sides(data, models, humans, measure, weights, reading)
    made = tables(found, level)
    loss = epsilons(epsilon, found.humans)
    how = {"q": q, "min_items": int(min_items), "few": few, "level": level}
    signs = nearer(found, found.said, alignment)
    named = alignment if isinstance(alignment, str) else getattr(alignment, "__name__", "function")
    return ModelAsCoder(
        found.data.questions[0] or None,
        found,
        _tests(found, found.models, signs, loss, how),
        _yardstick(found, alignment, loss, how),
        made,
        named,
        epsilon,
        signs=signs,
        **how,
    )


def _tests(
    found: Sides, names: Sequence[str], signs: Any, loss: Any, how: dict[str, Any]
) -> tuple[ModelTest, ...]:
    return tuple(
        model_test(name, signs[:, m], found.item, found.human, found.humans, loss, **how)
        for m, name in enumerate(names)
    )


def _yardstick(
    found: Sides, alignment: Alignment, loss: Any, how: dict[str, Any]
) -> tuple[ModelTest, ...]:
    """The test of models that always give the same label."""
    if callable(alignment):  # a function may be dear, and is asked for the models only
        return ()
    labels = unmoved(found, alignment)
    said = np.broadcast_to(labels, (found.n_items, len(labels)))
    names = [f"always {found.counts.values[k]}" for k in labels.tolist()]
    return _tests(found, names, nearer(found, said, alignment), loss, how)
