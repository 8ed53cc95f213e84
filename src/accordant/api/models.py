"""Coders, items and labels estimated together; how reliable coders are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..errors import RequestError
from ..validation import checked
from .types import Count, Data, Gold, Level, Model, Positive, Progress

if TYPE_CHECKING:
    from ..models.call import Posteriors
    from ..models.coder_reliability import Coders, CodersOfQuestions
    from ..models.label_checks import ToCheck
    from ..models.model_list import ModelList
    from ..models.posterior import Posterior
    from ..models.quality_scores import CrowdTruth
    from ..models.question_results import Each
    from ..models.set_posterior import SetPosterior

__all__ = ["coders", "crowdtruth", "fit", "list_models", "to_check"]


@checked
def fit(
    data: Data,
    model: Model = "blend",
    *,
    gold: Gold | None = None,
    restarts: Count | None = None,
    seed: Count = 0,
    progress: Progress | None = None,
    **more: Any,
) -> Posterior | SetPosterior | Posteriors:
    """Estimate annotator reliability and labels together with a model of coders.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes.
    model : str
        A key of the models, e.g. ``'majority'``, ``'dawid_skene'``, ``'mace'``, ``'glad'``. In
        Python `list_models` has all of them.
    gold : str, path, mapping or frame, optional
        Control items, whose labels are known: a coder of the data, or a file; for several
        questions a coder, or a table with a column for each. The model learns from them. In Python
        also item → label, or question → labels. By default they also weigh accounts of coders, each
        judged by how probable it held a label before it was told.
    restarts : int, optional
        Further starts; by default 5 for up to 20,000 annotations and 500,000 cells of confusion
        matrices (coders x categories x categories), none for more.
    seed : int
        Seed of whatever is drawn: restarts, and annotations that the default draws anew.
    progress : callable, optional
        Called with (done, total) during long work.
    **more
        Options of `read`, and those of the model, which ``list_models("mace")`` explains:
        ``one_vote_per_coder`` (majority, weighted), ``prior`` (dawid_skene), ``method`` (mace),
        ``prevalence`` (mace, glad).

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
    from ..data.read import read
    from ..models.call import fitted, refuse_unknown
    from ..models.em import How
    from ..models.model import model_of

    chosen = model_of(model)
    refuse_unknown(chosen, tuple(more), ("gold", "restarts", "seed", "progress"))
    options = {name: more.pop(name) for name in chosen.takes if name in more}
    how = How(seed=seed, progress=progress)
    return fitted(
        read(data, **more), chosen, gold=gold, restarts=restarts, how=how, options=options
    )


@checked
def to_check(
    data: Data,
    n: Positive = 50,
    *,
    gold: Gold | None = None,
    model: Model = "blend",
    level: Level = 0.95,
    seed: Count = 0,
    **reading: Any,
) -> ToCheck | Each[ToCheck]:
    """Items whose labels to check next, and what checked ones tell of all others.

    Three of ten are drawn at random: they show how right the labels are that nobody checked. The
    others are items whose label depends on how coders are taken to err, and then the least certain.
    They are mixed, so that one may stop anywhere.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes.
    n : int
        How many.
    gold : str, path, mapping or frame, optional
        What was checked before: the sheet that was written, filled in, or known labels as in
        `fit`. The model learns from them. Only the column *chosen* of such a sheet says which
        items were drawn at random.
    model : str
        As in `fit`.
    level : float
        Of the interval.
    seed : int
        Of what is drawn at random.
    **reading
        Options of `read`, such as ``label`` to choose one of several questions.

    Returns
    -------
    ToCheck
        With the accuracy of the labels that nobody checked (``unchecked``), and `ToCheck.save`. One
        for each question, if there are several.

    Raises
    ------
    InputError
        If the data or the gold labels cannot be read.
    RequestError
        If there is no such model.

    Notes
    -----
    The accuracy of unchecked labels is that of their probabilities, of which log odds are moved by
    one number. What that is, the items drawn at random show: each is judged by a model that was not
    told any of them. Without such items there is no accuracy.

    Examples
    --------
    >>> import accordant as ac
    >>> data = ac.simulate(200, 8, 3, per_item=3, seed=1)
    >>> found = ac.to_check(data, 10)
    >>> found.chosen.count("at random")
    3
    """
    from ..data.read import read
    from ..models.label_checks import checks

    return checks(read(data, **reading), n, gold=gold, model=model, level=level, seed=seed)


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
    from ..models.model import model_of
    from ..models.model_list import MODELS, ModelList

    chosen = {m.key: m for m in map(model_of, names)} or MODELS
    return ModelList(tuple(chosen.values()), bool(names))


@checked
def coders(
    data: Data,
    model: Model = "blend",
    *,
    gold: Gold | None = None,
    level: Level = 0.95,
    **more: Any,
) -> Coders | CodersOfQuestions:
    """Annotator reliability by a model of coders, with intervals.

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
    coder prefers. There are three verdicts. Below chance: the skill is below 0, and the labels of
    the other coders agree with the coder's certainly less than by chance. Constant: one label
    for all items, where a usual coder would give several. Few: fewer than five annotations. If
    coders do not agree beyond chance at all, nobody is judged. No coder is excluded because of a
    verdict.

    Intervals are Beta distributions of what is known of a coder, less what is missing since labels
    are uncertain (Louis 1982), and wider where coders err together or accounts of a coder differ. A
    vote has no posterior probabilities: its skill compares with the labels of the others.

    Examples
    --------
    >>> import accordant as ac
    >>> data = ac.simulate(400, 7, 3, per_item=4, accuracy=[0.85] * 6 + [1 / 3], seed=2)
    >>> found = ac.coders(data)
    >>> bool(found["coder 7"].skill_low < 0.1 < found["coder 1"].skill_low)
    True
    """
    from ..models.call import Posteriors
    from ..models.coder_reliability import coders_of
    from ..models.posterior import Posterior
    from ..models.set_posterior import SetPosterior

    if not isinstance(data, Posterior | SetPosterior | Posteriors):
        return coders_of(fit(data, model, gold=gold, **more), level)
    if gold is not None or more:
        name = "gold" if gold is not None else next(iter(more))
        raise RequestError("the model of this posterior is fitted already", parameter=name)
    return coders_of(data, level)


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
