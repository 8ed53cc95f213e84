"""Coders, items and labels estimated together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..kinds import AtLeast, Metavar
from ..validation import checked
from .types import (
    Abstentions,
    Count,
    Data,
    Gold,
    Model,
    Names,
    Number,
    Positive,
    Progress,
    Seed,
)

if TYPE_CHECKING:
    from ..models.call import Posteriors
    from ..models.model_list import ModelList
    from ..models.posterior import Posterior
    from ..models.sets.set_posterior import SetPosterior
    from ..models.trust.model_choice import ModelChoice

__all__ = ["fit", "list_models", "which_model"]


@checked
def fit(
    data: Data,
    model: Model = "blend",
    *,
    gold: Gold | None = None,
    abstentions: Abstentions = "missing",
    sets: Literal["labels", "apart", "whole"] = "labels",
    decide: Literal["marginal", "most probable", "jaccard"] = "marginal",
    worth: Annotated[float, AtLeast(0), Metavar("SHARE")] | None = None,
    restarts: Count | None = None,
    tolerance: Number = 1e-9,
    max_iterations: Positive = 2000,
    seed: Seed = 0,
    progress: Progress | None = None,
    **more: Any,
) -> Posterior | SetPosterior | Posteriors:
    """Estimate annotator reliability and labels together with a model of coders.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes.
    model : str
        A key of the models, e.g. ``'majority'``, ``'dawid_skene'``, ``'mace'``, ``'glad'``;
        `list_models` has all of them, `which_model` compares them.
    gold : str, path, mapping or frame, optional
        Control items, whose labels are known: a coder of the data, a file, or item → label; for
        several questions a coder, a table with a column for each, or question → labels. The
        model learns from them.
    abstentions : {'missing', 'informative'}
        Whether skipping an item carries information about its category.
    sets : {'labels', 'apart', 'whole'}
        Of annotations that are sets of labels. 'labels': a model of each label, with what a coder
        does with all labels together as its prior, if it takes one; 'apart': nothing is shared;
        'whole': each set that was given is a category.
    decide : {'marginal', 'most probable', 'jaccard'}
        How the probabilities of the labels become a set; see `SetPosterior.deciding`.
    worth : float, optional
        What an annotation counts in the posterior probabilities: 1 for those of the model itself,
        which assumes independent coders. By default they are recalibrated by control items or by
        how much errors of coders correlate; see `Posterior.recalibrated`.
    restarts : int, optional
        Further starts; by default 5 for up to 20,000 annotations and 500,000 cells of confusion
        matrices (coders x categories x categories), none for more.
    tolerance : float
        Relative change of the objective at which to stop.
    max_iterations : int
        Stop after so many iterations.
    seed : int
        Seed of whatever is drawn.
    progress : callable, optional
        Called with (done, total) during long work.
    **more
        Options of `read`, and those of the model, which ``list_models("mace")`` explains:
        ``one_vote_per_coder`` (majority, weighted), ``weights`` (weighted), ``prior`` (dawid_skene,
        pooled, map, one_coin), ``strength`` (dawid_skene, pooled, map), ``history`` (dawid_skene,
        pooled, map, variational), ``diagonal``, ``off`` (variational, subtypes), ``prevalence``
        (variational, mace, glad, subtypes), ``method``, ``knowing``, ``spamming``, ``strategy``,
        ``smoothing`` (mace), ``draws``, ``warm_up``, ``chains``, ``level`` (hierarchical),
        ``order`` (ordinal), ``subtypes``, ``sharing`` (subtypes).

    Returns
    -------
    Posterior
        Or `SetPosterior` for sets of labels, label by label; or `Posteriors`, one for each
        question, if there are several.

    Raises
    ------
    InputError
        If the data or the gold labels cannot be read.
    RequestError
        If there is no such model or option.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.fit([["a", "b", "a", "a"], ["a", "b", "b", "a"], ["a", "b", "a", "b"]])
    >>> found.labels
    ['a', 'b', 'a', 'a']
    """
    from ..models.call import fit as found

    return found(
        data,
        model,
        gold=gold,
        abstentions=abstentions,
        sets=sets,
        decide=decide,
        worth=worth,
        restarts=restarts,
        tolerance=tolerance,
        max_iterations=max_iterations,
        seed=seed,
        progress=progress,
        **more,
    )


@checked
def which_model(
    data: Data,
    models: str | Names | None = None,
    *,
    gold: Gold | None = None,
    folds: Annotated[int, AtLeast(2), Metavar("N")] = 5,
    abstentions: Abstentions = "missing",
    seed: Seed = 0,
    progress: Progress | None = None,
    **reading: Any,
) -> ModelChoice:
    """Compare models by how well they predict held-out annotations.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes; of one question.
    models : iterable of str, optional
        Keys of models; by default those that are quick, which depends on the size of the data.
        The result says which were left out, and why (`ModelChoice.not_compared`).
    gold : str, path, mapping or frame, optional
        Known labels. Models do not see them: accuracy stands beside the predictions.
    folds : int
        Folds of the cross-validation; in each, every item has a coder left.
    abstentions : {'missing', 'informative'}
        As in `fit`.
    seed : int
        Seed of the parts.
    progress : callable, optional
        Called with (done, total).
    **reading
        Options of `read`.

    Returns
    -------
    ModelChoice

    Raises
    ------
    RequestError
        If there is nothing to hide, since no item has two coders; or if there are several
        questions.

    Notes
    -----
    A hidden annotation has the probability Σ_s q_s P(label | s), with the posterior q of its item
    and the parameters of the coders estimated from the other annotations. Differences are paired,
    and their standard errors clustered by items.

    Predicting coders does not show which labels are correct: where many share an error, a model
    that predicts them well shares it too. So the default is advised, unless known labels clearly
    speak for another model; if the default is not among the models, the simplest one within one
    standard error of the best prediction (Breiman et al. 1984).

    Examples
    --------
    >>> import accordant as ac
    >>> rows = [["a", "b"] * 10, ["a", "b"] * 10, ["a", "b"] * 9 + ["b", "a"]]
    >>> found = ac.which_model(rows, ["majority", "dawid_skene"])
    >>> len(found.to_rows()), found.n_annotations
    (2, 60)
    """
    from ..models.trust.model_choice import which_model as found

    return found(
        data,
        models,
        gold=gold,
        folds=folds,
        abstentions=abstentions,
        seed=seed,
        progress=progress,
        **reading,
    )


@checked
def list_models(*names: str) -> ModelList:
    """The models of coders that `fit` takes, and the options of those that are named.

    Parameters
    ----------
    *names : str
        Keys of models; all models by default.

    Returns
    -------
    ModelList
        One row for each model, or one for each option of the models that are named.

    Raises
    ------
    RequestError
        If there is no such model.

    Examples
    --------
    >>> import accordant as ac
    >>> [(row["option"], row["default"]) for row in ac.list_models("glad").to_rows()]
    [('prevalence', 'uniform')]
    >>> [row["model"] for row in ac.list_models().to_rows()][:3]
    ['blend', 'majority', 'weighted']
    """
    from ..models.model_list import list_models as found

    return found(*names)
