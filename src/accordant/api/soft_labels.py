"""Distributions in place of labels: to train and score by, and to separate ambiguity from error."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..kinds import AtLeast, Between, Metavar, Untyped
from ..validation import checked
from .types import Data, Gold, Level, Model, Seed

if TYPE_CHECKING:
    from ..models.question_results import Each
    from ..models.soft.scores import ModelScores, SoftScores
    from ..models.soft.soft_labels import SoftLabels

__all__ = ["read_soft", "score_predictions", "soft_labels"]


@checked
def soft_labels(
    data: Data,
    *,
    of: Literal["opinion", "belief"] | None = None,
    smoothing: Literal["hierarchical", "none", "cells", "jeffreys"] = "hierarchical",
    weights: Literal["competence"] | Annotated[Mapping[str, float], Untyped()] | None = None,
    entropy: Literal["bayes", "miller-madow", "plug-in"] | None = None,
    model: Model = "blend",
    recalibrated: bool = True,
    gold: Gold | None = None,
    **more: Any,
) -> SoftLabels | Each[SoftLabels]:
    """A distribution over the categories for each item: label distribution or posterior.

    An *opinion* is the distribution of the labels that coders give. A *belief* is the posterior
    probability that a label is the true one, given that there is one. Where coders legitimately
    differ, train on the opinion; the two are never mixed.

    Parameters
    ----------
    data : Annotations, path, data frame, array, Posterior or Posteriors
        Anything that `read` takes, or what `fit` returned.
    of : {'opinion', 'belief'}, optional
        By default the opinion; of a posterior the belief.
    smoothing : {'hierarchical', 'none', 'cells', 'jeffreys'}
        Of opinions. Few votes give extreme shares: three of three do not show that everybody would
        say so. 'hierarchical' shrinks the shares of an item towards those of all items, the more
        the fewer annotations it has and the more similar the items are, as estimated from the data
        (Dirichlet–multinomial distribution, Minka 2000). 'cells' adds one annotation, spread evenly
        over the categories (Perks 1947); 'jeffreys' adds one half to each category; 'none' adds
        nothing.
    weights : 'competence' or mapping of coder to float, optional
        Of opinions: coders count by their competence under the model, or by weights of your own.
        By default all coders count the same.
    entropy : {'bayes', 'miller-madow', 'plug-in'}, optional
        How the entropy of the label distribution behind the votes is estimated.
    model : str
        Of beliefs, and of competence: see `fit`.
    recalibrated : bool
        Whether beliefs are recalibrated for coders who err together, see `Posterior.recalibrated`.
    gold : str, path, mapping or frame, optional
        Known labels, see `fit`. A coder who holds them has no vote.
    **more
        Options of `read`; for beliefs also of `fit`.

    Returns
    -------
    SoftLabels
        Or one for each question, if there are several.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If there is no such kind, smoothing or option, or if a vote is asked for posterior
        probabilities.

    Examples
    --------
    >>> import accordant as ac
    >>> votes = [["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]]
    >>> ac.soft_labels(votes, smoothing="none").probabilities[2].round(3).tolist()
    [0.667, 0.333]
    >>> ac.soft_labels(votes, smoothing="cells").probabilities[1].round(3).tolist()
    [0.125, 0.875]
    """
    from ..models.soft.soft_labels import soft_labels as found

    return found(
        data,
        of=of,
        smoothing=smoothing,
        weights=weights,
        entropy=entropy,
        model=model,
        recalibrated=recalibrated,
        gold=gold,
        **more,
    )


@checked
def read_soft(path: str | Path) -> SoftLabels:
    """Soft labels from a file that `SoftLabels.save` wrote, or one of the same shape.

    Parameters
    ----------
    path : str or Path
        A table with a column ``item`` and a column ``p_<category>`` for each category, or JSON
        lines with ``item`` and ``soft``. A column ``kind`` says whether they are opinions or
        beliefs; ``n`` how many annotations each item has.

    Returns
    -------
    SoftLabels
        Without counts: statistics of single annotations cannot be computed from a file.

    Raises
    ------
    InputError
        If the file holds no distributions, or no kind.

    Examples
    --------
    >>> import tempfile, accordant as ac
    >>> soft = ac.soft_labels([["a", "b"], ["a", "a"]], smoothing="none")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     soft.save(f"{folder}/soft.csv")
    ...     ac.read_soft(f"{folder}/soft.csv").probabilities.tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    from ..models.soft.exchange import read_soft as found

    return found(path)


@checked
def score_predictions(
    predictions: Data,
    soft: Data,
    *,
    ties: Literal["left_out", "shared"] = "left_out",
    floor: Annotated[float, Between(0, 0.5), Metavar("P")] = 1e-12,
    unit: Literal["bits", "nats"] = "bits",
    clusters: Annotated[Mapping[Hashable, Hashable], Untyped()] | None = None,
    interval: Literal["delta", "bootstrap"] = "delta",
    level: Level = 0.95,
    resamples: Annotated[int, AtLeast(2), Metavar("N")] = 2000,
    seed: Seed = 0,
    **more: Any,
) -> SoftScores | ModelScores:
    """Score predictions against soft labels, beside the scores of reference predictions.

    Parameters
    ----------
    predictions : SoftLabels, Posterior, path, frame, series, mapping, list or array
        A distribution or a label for each item: a file or frame with a column ``item`` and a
        column for each category (its name, or ``p_`` and its name) or one ``label``; JSON lines
        with ``item`` and ``soft``; a mapping or series from item to {category: p}, to a list of
        probabilities in the order of the categories, or to a label; an array (I, K) or a list of
        labels in the order of the items. Of sets of labels each label has a probability of its
        own. Several models: a mapping from the name of each to any of these.
    soft : SoftLabels, path, frame or Annotations
        What to score against; annotations become opinions by `soft_labels`, without smoothing,
        which would favour predictions with the same shrinkage.
    ties : {'left_out', 'shared'}
        How accuracy and F1 treat items whose coders are tied: they are left out, or each tied label
        counts by its share. A prediction that is tied always counts by its share.
    floor : float
        Least probability of a prediction where logarithms are taken, since a label that occurs and
        has probability 0 gives an infinite score. ``0`` leaves predictions as they are.
    unit : {'bits', 'nats'}
        Of cross-entropy and divergences. Shared tasks report nats.
    clusters : mapping of item to group, optional
        Items of one group (a document, an author) are not independent.
    interval : {'delta', 'bootstrap'}
        Standard errors from each item's influence, with a t interval; or from resamples of items.
    level : float
        Confidence level.
    resamples, seed : int
        Of the bootstrap.
    **more
        Options of `soft_labels` if ``soft`` are annotations.

    Returns
    -------
    SoftScores
        Or `ModelScores`, with a row for each of several models.

    Raises
    ------
    InputError
        If a row is no distribution, a category is unknown, or no item fits.

    Notes
    -----
    Cross-entropy and Brier score are lowest for the coders' distribution itself (they are
    proper scores); accuracy does not reward calibrated probabilities. Uma et al. (2021, section 4)
    use cross-entropy, Jensen–Shannon divergence, and the correlation and the cosine of entropies.

    Examples
    --------
    >>> import accordant as ac
    >>> soft = ac.soft_labels([["a", "b", "a"], ["a", "b", "b"]], smoothing="none")
    >>> scores = ac.score_predictions([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], soft)
    >>> round(scores["total_variation"].value, 3), scores["accuracy"].value
    (0.1, 1.0)
    >>> guess = {"sure": ["a", "b", "a"], "unsure": [[0.5, 0.5]] * 3}
    >>> [row["accuracy"] for row in ac.score_predictions(guess, soft).to_rows()]
    [1.0, 0.5]
    """
    from ..models.soft.predictions import score_predictions as found

    return found(
        predictions,
        soft,
        ties=ties,
        floor=floor,
        unit=unit,
        clusters=clusters,
        interval=interval,
        level=level,
        n_resamples=resamples,
        rng=seed,
        **more,
    )
