"""Annotator reliability by models of coders, and the measures of CrowdTruth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..validation import checked
from .types import Count, Data, Gold, Level, Model, Progress, Seed

if TYPE_CHECKING:
    from ..models.coders.coders import Coders, CodersOfQuestions
    from ..models.quality_scores import CrowdTruth
    from ..models.question_results import Each

__all__ = ["coders", "crowdtruth"]


@checked
def coders(
    data: Data,
    model: Model = "blend",
    *,
    gold: Gold | None = None,
    level: Level = 0.95,
    leave_out: Count | None = None,
    seed: Seed = 0,
    progress: Progress | None = None,
    **more: Any,
) -> Coders | CodersOfQuestions:
    """Annotator reliability, with intervals, and the labels that change without each coder.

    Parameters
    ----------
    data : Posterior, SetPosterior, Posteriors, Annotations, path, data frame or array
        What `fit` returned, or anything that `read` takes.
    model : str
        The model to fit, see `fit`; not used for a posterior.
    gold : str, path, mapping or frame, optional
        Control items, see `fit`. Accuracy on them is reported separately; the model learns from
        them too.
    level : float
        Confidence level of all intervals.
    leave_out : int, optional
        How many coders are left out one at a time, those with most annotations first; by default
        as many as take about two seconds, 0 for none.
    seed : int
        Seed of whatever is drawn.
    progress : callable, optional
        Called with (done, total) during long work.
    **more
        Other arguments of `fit`.

    Returns
    -------
    Coders
        Or `CodersOfQuestions`, if there are several questions, or sets of labels: then one table
        for each label.

    Raises
    ------
    InputError
        If the data or the gold labels cannot be read.
    RequestError
        If an argument is not understood.

    Notes
    -----
    *Skill* is Cohen's kappa of a coder with the estimated labels, so 0 is chance whatever labels a
    coder prefers. Verdicts rest on its interval: certainly below 0 is below chance; not above 0, or
    itself below 0.1, and certainly below half of the usual (median) skill is random; above 0 and
    certainly below three quarters is sloppy; else certainly above half is reliable; otherwise the
    verdict is undetermined. The verdicts below chance, sloppy and reliable also need agreement with
    the labels of the other coders, without the own one, that is certainly below or above chance. If
    coders do not agree beyond chance at all, all are undetermined. No coder is excluded because of
    a verdict.

    Intervals are those of the model, where it has any at this level that do not take the labels as
    certain. Otherwise true categories and confusion matrices are drawn alternately (Gibbs
    sampling), with a prior of 0.5 to 4 annotations by the average coder for each row. Where that
    would take long, the rows of each confusion matrix are drawn from the expected counts, less the
    missing information about the true categories (Louis 1982), with a prior of two annotations; for
    more than 500,000 cells (1,000 categories, for example) means and variances are computed
    instead. On simulated crowds 95 % intervals covered the true accuracy in 93 to 97 % of the
    cases, and in 90 % where most coders were sloppy or spammers. A vote has no posterior
    probabilities: its skill and verdicts compare with the labels of the others.

    Examples
    --------
    >>> import accordant as ac
    >>> data = ac.simulate(400, 7, 3, per_item=4, accuracy=[0.85] * 6 + [1 / 3], seed=2)
    >>> found = ac.coders(data)
    >>> found.of_verdict("random"), found["coder 1"].words
    (('coder 7',), 'reliable')
    """
    from ..models.coders.call import coders as found

    return found(
        data,
        model,
        gold=gold,
        level=level,
        leave_out=leave_out,
        seed=seed,
        progress=progress,
        **more,
    )


@checked
def crowdtruth(
    data: Data,
    *,
    version: Literal["2.0", "1.0"] = "2.0",
    task: Literal["closed", "open"] = "closed",
    **reading: Any,
) -> CrowdTruth | Each[CrowdTruth]:
    """Quality of items, coders and categories by CrowdTruth.

    An annotation is a vector with 1 for each category that was given; the labels may be single
    ones or sets. In version 2.0 an item is good where its coders agree, a coder is good who agrees
    with others on good items, and a category is good that coders give to the same items; all are
    updated in turns until they converge. In version 1.0 nothing is weighted.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes.
    version : {'2.0', '1.0'}
        Dumitrache et al. (2018), or the original measures of Aroyo & Welty (2013).
    task : {'closed', 'open'}
        'closed': the categories are the same for all items. 'open': they belong to the item
        (words of a text, free answers), so that categories have no quality and all count the same.
    **reading
        Options of `read`, such as ``categories=`` to name categories that nobody gave.

    Returns
    -------
    CrowdTruth
        2.0: ``found["item_quality"]`` (UQS), ``"coder_quality"`` (WQS) with its factors
        ``"agreement_with_coders"`` (WWA) and ``"agreement_with_items"`` (WUA),
        ``"category_quality"`` (AQS) and ``"item_category"`` (UAS), the weighted share of each
        category of an item. 1.0: ``"item_clarity"``, ``"item_category"``, ``"category_clarity"``,
        ``"category_ambiguity"``, ``"category_similarity"``, ``"disagreement_with_items"``,
        ``"disagreement_with_coders"``, ``"labels_per_item"``. One for each question, if there are
        several.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If an option is not one of these, or version 1.0 is asked for an open task.

    Notes
    -----
    2.0, with cos the cosine weighted by category quality:

    - item: mean of cos over pairs of its coders, weighted by the quality of both;
    - coder: the mean of cos with each other coder of an item, times the mean of cos with the sum
      of all others' vectors, weighted by quality;
    - category: mean over pairs of coders of the probability that one gives it where the other does.

    All start at 1, and follow from the round before, until no score changes by 0.001. Weights and
    scores below 1e-8 are set to 1e-8, as in the authors' program, whose values this gives. The
    program gives 0 to an item that one coder annotated, and to a coder who shares no item; here
    both are NaN and enter nothing.

    1.0: the disagreement of a coder with an item is 1 − cosine with the vectors of the other
    coders. That with other coders is first averaged over the items that two coders share, and then
    over the coders, so that everybody counts the same.

    A coder of low quality disagrees with the others. That may be a spammer, or a member of a group
    with another reading.

    Examples
    --------
    >>> import accordant as ac
    >>> votes = [["a", "b", "a"], ["a", "b", "b"], ["a", "b", "b"]]
    >>> found = ac.crowdtruth(votes)
    >>> found["item_quality"].round(2).tolist(), found["coder_quality"].round(2).tolist()
    ([1.0, 1.0, 0.39], [0.7, 0.9, 0.9])
    >>> ac.crowdtruth(votes, version="1.0")["item_clarity"].round(3).tolist()
    [1.0, 1.0, 0.894]
    """
    from ..data.read import read
    from ..models.quality_scores import quality_of
    from ..models.question_results import Each

    found = tuple(quality_of(read(data, **reading), version, task))
    return found[0] if len(found) == 1 else Each(found)
