"""Annotations whose truth is known, and what measures make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ..errors import RequestError
from ..kinds import AtLeast, Metavar
from ..validation import checked
from .types import Categories, Names, Numbers, Positive, Progress, Share

if TYPE_CHECKING:
    from ..data.annotations import Annotations
    from ..simulation.study import MultilabelStudy

__all__ = ["multilabel_study", "simulate"]

Pair = Annotated[int, AtLeast(2), Metavar("N")]


@checked
def simulate(
    items: Positive = 100,
    coders: Pair = 3,
    categories: Categories = 3,
    *,
    per_item: Positive | None = None,
    accuracy: Share | Numbers = 0.85,
    shares: Numbers | None = None,
    double: Share = 0.0,
    seed: Annotated[int, AtLeast(0), Metavar("N")] | None = None,
) -> Annotations:
    """Simulate annotations whose true labels are known, to plan or to try an analysis.

    Each item has one true label. A coder gives it with the probability ``accuracy``, else any
    other one; and perhaps a second label.

    Parameters
    ----------
    items, coders : int
        How many there are.
    categories : int or sequence
        How many categories there are, or which.
    per_item : int, optional
        How many of the coders annotate each item. Default: all.
    accuracy : float or sequence of float
        How often coders are correct, all alike or one number for each.
    shares : sequence of float, optional
        (K,) how likely each category is to be true. Default: all equally.
    double : float
        Share of the annotations that have a second label, any other one.
    seed : int or Generator, optional
        Makes the draws repeatable.

    Returns
    -------
    Annotations
        One question; ``metadata["truth"]`` holds the true label of each item.

    Raises
    ------
    RequestError
        If a number is out of its range.

    Examples
    --------
    >>> import accordant as ac
    >>> data = ac.simulate(200, 4, 3, per_item=2, accuracy=[0.9, 0.9, 0.9, 0.5], seed=1)
    >>> data
    <Annotations: 200 items, 4 coders, 400 annotations, 3 values>
    >>> data.metadata["truth"][:4]
    ('B', 'C', 'A', 'C')
    """
    from ..simulation.known_truth import simulated

    return simulated(items, coders, categories, per_item, accuracy, shares, double, seed)


@checked
def multilabel_study(
    measures: str | Names | None = None,
    *,
    double: Numbers = (0.0, 0.25, 0.5, 0.75, 1.0),
    agreement: Numbers = (0.6, 0.75, 0.9),
    categories: Categories = 5,
    shares: Numbers | None = None,
    items: Positive = 100,
    datasets: Positive = 100,
    simulations: Pair | None = None,
    seed: Annotated[int, AtLeast(0), Metavar("N")] | None = None,
    progress: Progress | None = None,
) -> MultilabelStudy:
    """Compare measures of label sets on simulated data sets whose true labels are known.

    The defaults are the study of Marchal et al. (2022, section 5 and Figure 1): two coders who give
    one or two labels, and share one as often as you say.

    Parameters
    ----------
    measures : str or iterable of str, optional
        Measures, as in `agreement`. Default: those of the paper.
    double : sequence of float
        Shares of annotations with two labels instead of one.
    agreement : sequence of float
        Intersection agreement: shares of items of which the coders share a label.
    categories : int or sequence
        How many categories there are, or which.
    shares : sequence of float, optional
        (K,) how likely each label is to be the first of an annotation. Default: all equally.
    items : int
        Items of a data set.
    datasets : int
        Data sets for each combination of ``double`` and ``agreement``.
    simulations : int, optional
        How often the agreement by chance of boot-match, -precision, -recall and -F1 is simulated
        for each data set, as in the paper. By default it is computed exactly. That of the others is
        computed.
    seed : int, optional
        Makes the draws repeatable.
    progress : callable, optional
        Called with (data sets done, all).

    Returns
    -------
    MultilabelStudy
        Means of observed, expected and adjusted agreement with Monte Carlo standard errors.

    Raises
    ------
    RequestError
        If there is no such measure, a number is out of its range, or there are too few
        categories for coders to differ.

    Notes
    -----
    With the probability of the intersection agreement both coders share a label of an item, drawn
    by ``shares``. Of the other items the second coder draws from the labels that the first did not
    use. Second labels are drawn from the rest, all equally likely, by each coder alone; how many
    labels there are does not depend on the item. Marchal et al. say how often coders give two
    labels and how often they share one, and that additional labels are "sampled randomly"; the rest
    is our reading, which reproduces what they print.

    Examples
    --------
    >>> import accordant as ac
    >>> study = ac.multilabel_study("boot_match", double=[0, 1], agreement=[0.75], seed=1)
    >>> [f"{cell.expected:.1f}" for cell in study]
    ['0.2', '0.7']
    """
    from ..simulation.study import PAPER, studied

    for name, given in (("double", double), ("agreement", agreement)):
        if not len(given) or not all(0 <= x <= 1 for x in given):
            raise RequestError(f"shares from 0 to 1, not {given!r}", parameter=name)
    wanted: Any = PAPER if measures is None else measures
    axes = double, agreement, categories, shares
    return studied(wanted, *axes, items, datasets, simulations, seed, progress)
