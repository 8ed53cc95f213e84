"""Annotations whose truth is known, and what measures make of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..kinds import AtLeast, Metavar
from ..validation import checked
from .types import Categories, Names, Numbers, Positive, Progress, Seed, Share

if TYPE_CHECKING:
    from ..data.annotations import Annotations
    from ..simulate.crowd import SimulatedCrowd
    from ..simulate.study import MultilabelStudy

__all__ = ["multilabel_study", "simulate_cause", "simulate_crowd", "simulate_multilabel"]

Cause = Literal[
    "none", "confused_pair", "biased_coder", "rare_category", "ambiguous_group", "drift"
]
Pair = Annotated[int, AtLeast(2), Metavar("N")]
Spread = Annotated[float, AtLeast(0), Metavar("SD")]
Entropy = Annotated[float, AtLeast(0), Metavar("BITS")]
Further = Literal["uniform", "distribution"]


@checked
def simulate_cause(
    cause: Cause,
    items: Positive = 300,
    *,
    coders: Pair = 4,
    categories: Categories = 5,
    correct: Share = 0.9,
    strength: Share | None = None,
    seed: Seed | None = None,
) -> Annotations:
    """Annotations that disagree for one known reason.

    Each item has a true category, and each coder gives it with probability ``correct``, else any
    other one. The cause is added to that:

    - ``'none'``: nothing.
    - ``'confused_pair'``: where one of the first two categories is true, a coder chooses between
      the two at random.
    - ``'biased_coder'``: the last coder gives the first category, whatever is true.
    - ``'rare_category'``: the last category is true for 8 % of the items, and a coder who should
      give it gives any other one.
    - ``'ambiguous_group'``: on the letters (``metadata["genre"]``) a coder gives any category.
    - ``'drift'``: the last coder gives any category, more often from item to item.

    Parameters
    ----------
    cause : str
        One of those above.
    items, coders : int
        I and C.
    categories : int or sequence
        How many categories there are, or which; equally likely, but for the rare one.
    correct : float
        How often coders are correct apart from the cause.
    strength : float, optional
        Probability that the cause acts where it can; drift grows from 0 to that. By default a value
        for each cause (`accordant.simulate.planted.STRENGTH`).
    seed : int or Generator, optional
        Makes the draws repeatable.

    Returns
    -------
    Annotations
        One question, every item annotated by every coder in the order of the data, with made-up
        texts and ``metadata["genre"]``.

    Raises
    ------
    RequestError
        If there is no such cause, or a number is out of its range.

    Examples
    --------
    >>> import accordant as ac
    >>> data = ac.simulate_cause("biased_coder", coders=3, seed=1)
    >>> data
    <Annotations: 300 items, 3 coders, 900 annotations, 5 values>
    >>> found = ac.diagnose(data).findings[0]
    >>> found.code, found.evidence["coder"]
    ('coder_gives', 'coder 3')
    """
    from ..simulate.cause import simulate_cause as found

    return found(
        cause,
        items,
        n_coders=coders,
        categories=categories,
        correct=correct,
        strength=strength,
        rng=seed,
    )


@checked
def simulate_crowd(
    items: Positive = 500,
    coders: Annotated[int | Mapping[str, int] | Any, Metavar("N|KIND=N,...")] = 20,
    categories: Categories = 3,
    *,
    per_item: Annotated[int | tuple[int, int], Metavar("N|N-M")] = 5,
    prevalence: Numbers | None = None,
    accuracy: Annotated[float | Mapping[str, float], Metavar("P|KIND=P,...")] = 0.85,
    errors: Literal["own", "equal"] = "own",
    difficulty: Spread = 0.0,
    ambiguous: Share = 0.0,
    misleading: Share = 0.0,
    disputed: Share = 0.3,
    uneven: Spread = 0.0,
    gold: Share = 0.0,
    abstentions: Share | Numbers = 0.0,
    scale: Literal["nominal", "ordinal"] = "nominal",
    seed: Seed | None = None,
) -> SimulatedCrowd:
    """Simulate annotations by coders of several kinds, of items whose true label is known.

    Parameters
    ----------
    items : int
        How many items.
    coders : int, mapping or array
        How many good coders there are; or how many of each kind; or their confusion matrices
        (C, K, K), whose rows sum to 1. The kinds:

        - ``'good'`` and ``'sloppy'`` coders are correct with probability ``accuracy`` (.85 and .6
          by default);
        - ``'biased'`` coders give a favourite category half of the time; on an ordered scale they
          are a category too high or too low;
        - an ``'adversary'`` mistakes each category for the next (on an ordered scale: reads it
          upside down);
        - a ``'spammer'`` gives random labels, a ``'constant'`` always the same one;
        - a ``'school'`` is a group of good coders who agree on another category of the disputed
          items.
    categories : int or sequence
        How many categories there are, or which.
    per_item : int or (int, int)
        Coders of each item, or the least and the most. Never the same coder twice.
    prevalence : sequence of float, optional
        (K,) how likely each category is to be true. Default: all equally.
    accuracy : float or mapping of kind to float
        How often good coders, or coders of each kind that does not guess, are correct about an
        ordinary item.
    errors : {'own', 'equal'}
        Whether each coder confuses some categories more than others (rows of the confusion matrix
        are drawn from a Dirichlet distribution worth 20 annotations), or all errors are equally
        likely and all coders of a kind are alike.
    difficulty : float
        Standard deviation of the logarithm of an item's ease. The log odds of a correct label are
        multiplied by the ease (Whitehill et al. 2009); 0 makes all items alike.
    ambiguous : float
        Share of the items of which between half and a fifth of the coders see another category.
    misleading : float
        Share of the items of which most coders (65 %) see the same wrong category: errors that
        are not independent.
    disputed : float
        Share of the items that a coder group (school) reads differently, if there is one.
    uneven : float
        How unevenly annotations are distributed: standard deviation of the logarithm of a coder's
        share.
    gold : float
        Share of the items that are control items.
    abstentions : float or sequence of float
        Share of annotations without a label, overall or (K,) where each category is true.
    scale : {'nominal', 'ordinal'}
        On an ordered scale errors fall on categories near by, and coders have a shift and noise.
    seed : int or Generator, optional
        Makes the draws repeatable.

    Returns
    -------
    SimulatedCrowd
        The annotations (``data``), the truth and all parameters.

    Raises
    ------
    RequestError
        If a number is out of its range, or coders cannot do what they are asked to.

    Notes
    -----
    Annotations follow Dawid & Skene (1979) as long as no share of special items is above 0, and the
    model of Whitehill et al. (2009) with ``errors="equal"`` and ``difficulty`` above 0. Five
    million annotations take one or two seconds.

    Examples
    --------
    >>> import accordant as ac
    >>> crowd = ac.simulate_crowd(300, {"good": 8, "spammer": 2}, 3, per_item=4, seed=1)
    >>> crowd
    300 items with known truth, 10 coders, 1,200 annotations, 3 categories
    >>> crowd.kinds[-1], crowd.data.coders[-1], crowd.labels[:4]
    ('spammer', 'spammer 2', ['A', 'C', 'A', 'A'])
    """
    from ..simulate.crowd import simulate_crowd as found

    return found(
        items,
        coders,
        categories,
        per_item=per_item,
        prevalence=prevalence,
        accuracy=accuracy,
        errors=errors,
        difficulty=difficulty,
        ambiguous=ambiguous,
        misleading=misleading,
        disputed=disputed,
        uneven=uneven,
        gold=gold,
        abstentions=abstentions,
        scale=scale,
        rng=seed,
    )


@checked
def simulate_multilabel(
    items: Positive = 100,
    *,
    agreement: Share = 0.75,
    double: Share | Numbers | None = None,
    sizes: Any | Numbers | None = None,
    categories: Categories | None = None,
    distribution: Numbers | None = None,
    entropy: Entropy | None = None,
    further: Further = "uniform",
    coders: Pair = 2,
    seed: Seed | None = None,
) -> Annotations:
    """Simulate annotations with several labels, and with a given intersection agreement.

    With probability ``agreement`` all coders share a label of an item, drawn from the label
    distribution. Of the other items each coder draws a label alone, the first coder from all
    categories and everybody else from those that the first one did not use. Further labels are
    drawn from the rest, by each coder alone. How many labels there are does not depend on the item.

    Parameters
    ----------
    items : int
        How many items.
    agreement : float
        Intersection agreement: the probability that coders share a label of an item.
    double : float or sequence of float, optional
        Share of the annotations with two labels instead of one, the same for all coders or one
        for each. Default: 0.
    sizes : mapping or sequence of mapping, optional
        Instead of ``double``: number of labels to the share of the annotations that have it,
        such as ``{1: 0.5, 2: 0.3, 3: 0.2}``, the same for all coders or one for each; or the
        shares with one label, two, three …
    categories : int or sequence, optional
        How many categories there are, or which. Default: as many as ``distribution`` has, or 5.
    distribution : sequence of float, optional
        (K,) how likely each label is to be the first of an annotation. Default: all equally.
    entropy : float, optional
        Instead of ``distribution``: entropy in bits, from 0 to log2 K, of shares in geometric
        proportion.
    further : {'uniform', 'distribution'}
        Whether the other labels of an annotation are all equally likely, or as the first one.
    coders : int
        How many coders.
    seed : int or Generator, optional
        Makes the draws repeatable.

    Returns
    -------
    Annotations
        One question of label sets. ``metadata["truth"]`` holds the label that all coders share,
        by design, and None where they share none.

    Raises
    ------
    RequestError
        If a number is out of its range, or there are too few categories for coders to differ.

    Notes
    -----
    Marchal et al. (2022, section 5) say how often coders give two labels and how often they
    share one, and that additional labels are "sampled randomly". That the coders do so
    independently, that their numbers of labels are independent, and how they avoid each other's
    labels is our reading; it reproduces what they print. So does ``further="uniform"``: the
    effects of entropy in section 5.2 show with it, but not with ``further="distribution"``.

    Examples
    --------
    >>> import accordant as ac
    >>> data = ac.simulate_multilabel(4, agreement=0.75, double=0.5, categories=4, seed=1)
    >>> data
    <Annotations: 4 items, 2 coders, 8 annotations, 6 values>
    >>> data.metadata["truth"]
    ('B', None, 'D', None)
    """
    from ..simulate.design import simulate_multilabel as found

    shares: Any = sizes
    if isinstance(sizes, Sequence) and all(isinstance(x, float | int) for x in sizes):
        shares = dict(enumerate(sizes, 1))

    return found(
        items,
        agreement=agreement,
        double=double,
        sizes=shares,
        categories=categories,
        distribution=distribution,
        entropy=entropy,
        further=further,
        n_coders=coders,
        rng=seed,
    )


@checked
def multilabel_study(
    measures: str | Names | None = None,
    *,
    double: float | Numbers = (0.0, 0.25, 0.5, 0.75, 1.0),
    agreement: float | Numbers = (0.6, 0.75, 0.9),
    categories: Categories | None = None,
    distribution: Numbers | None = None,
    entropy: Entropy | None = None,
    further: Further = "uniform",
    items: Positive = 100,
    coders: Pair = 2,
    datasets: Positive = 100,
    method: Literal["exact", "simulation"] = "exact",
    simulations: Pair = 100,
    seed: Seed | None = None,
    cores: Positive = 1,
    progress: Progress | None = None,
) -> MultilabelStudy:
    """Compare measures of label sets on simulated data sets whose true labels are known.

    The defaults are the study of Marchal et al. (2022, section 5 and Figure 1). Data sets are
    drawn by `simulate_multilabel`.

    Parameters
    ----------
    measures : str or iterable of str, optional
        Measures, as in `agreement`. Default: those of the paper.
    double : sequence of float
        Shares of annotations with two labels instead of one.
    agreement : sequence of float
        Shares of items of which the coders share a label.
    categories, distribution, entropy, further, items, coders
        As in `simulate_multilabel`.
    datasets : int
        Data sets for each combination of ``double`` and ``agreement``.
    method : {'exact', 'simulation'}
        Whether the agreement by chance of boot-match, -precision, -recall and -F1 is computed
        from each data set, or simulated as in the paper. That of the others is computed.
    simulations : int
        How often the data set is simulated then.
    seed : int or Generator, optional
        Makes the draws repeatable.
    cores : int
        Processes that share the work; the result is the same for any number. With more than
        one, a script needs the usual ``if __name__ == "__main__":``.
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

    Examples
    --------
    >>> import accordant as ac
    >>> study = ac.multilabel_study("boot_match", double=[0, 1], agreement=[0.75], seed=1)
    >>> [f"{cell.expected:.1f}" for cell in study]
    ['0.2', '0.7']
    """
    from ..simulate.study import multilabel_study as found

    return found(
        measures,
        double=double,
        agreement=agreement,
        categories=categories,
        distribution=distribution,
        entropy=entropy,
        further=further,
        n_items=items,
        n_coders=coders,
        n_datasets=datasets,
        method=method,
        n_simulations=simulations,
        rng=seed,
        cores=cores,
        progress=progress,
    )
