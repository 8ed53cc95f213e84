"""Coders, items and labels estimated together, and models in the place of humans."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..kinds import AtLeast, Between, Metavar
from ..validation import checked
from .types import (
    Coefficient,
    Count,
    Data,
    Epsilon,
    Gold,
    Level,
    Model,
    Names,
    Progress,
    Seed,
    Weights,
)

if TYPE_CHECKING:
    from ..models.alternative_test.model_as_coder import ModelAsCoder
    from ..models.alternative_test.noninferiority import AlternativePlan
    from ..models.call import Posteriors
    from ..models.model_list import ModelList
    from ..models.posterior import Posterior
    from ..models.set_posterior import SetPosterior

__all__ = ["alternative_test_items", "fit", "list_models", "model_as_coder"]

Rho = Annotated[float, Between(0, 1), Metavar("RHO")]


@checked
def fit(
    data: Data,
    model: Model = "blend",
    *,
    gold: Gold | None = None,
    restarts: Count | None = None,
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
        `list_models` has all of them.
    gold : str, path, mapping or frame, optional
        Control items, whose labels are known: a coder of the data, a file, or item → label; for
        several questions a coder, a table with a column for each, or question → labels. The
        model learns from them.
    restarts : int, optional
        Further starts; by default 5 for up to 20,000 annotations and 500,000 cells of confusion
        matrices (coders x categories x categories), none for more.
    seed : int
        Seed of the restarts.
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
def model_as_coder(
    data: Data,
    models: Data,
    *,
    humans: Names | None = None,
    epsilon: Epsilon = 0.1,
    alignment: Annotated[Any, Metavar("NAME")] = "accuracy",
    q: Level = 0.05,
    min_items: Count = 30,
    few: Literal["exact", "wilcoxon", "leave_out"] = "exact",
    coefficient: Coefficient = "alpha",
    weights: Weights | None = None,
    level: Level = 0.95,
    **reading: Any,
) -> ModelAsCoder:
    """Test whether a model may replace a human coder, with agreement of humans and models.

    The alternative annotator test leaves out each human in turn and asks whether the model agrees
    with the remaining humans as well as the one who was left out. Tables of human–human,
    human–model and model–model agreement stand beside it.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Annotations by humans, perhaps with those of models among them.
    models : str, sequence of str, or a source
        Which coders of the data are models; or a file, frame or annotations of which all coders
        are models. Items are matched by name.
    humans : sequence of str, optional
        Whom to compare with; by default all coders who are not models.
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
        If there is no human or no model, or an option is out of its range.

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
    paper's text uses Wilcoxon's test there. It tests the median, and at a level of 5 % it lets
    through too many models that lose exactly ε: 70 % with 11 items, ε = .1 and a model that is
    never nearer. With ``few="wilcoxon"`` p is 1 at least where the model loses more than ε on
    average.

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
    >>> found = ac.model_as_coder([*human, right], ["model"], coder=names, epsilon="crowd")
    >>> found["model"].passed, found["model"].n_beaten
    (True, 3)
    """
    from ..models.alternative_test.model_as_coder import model_as_coder as found

    return found(
        data,
        models,
        humans=humans,
        epsilon=epsilon,
        alignment=alignment,
        q=q,
        min_items=min_items,
        few=few,
        coefficient=coefficient,
        weights=weights,
        level=level,
        **reading,
    )


@checked
def alternative_test_items(
    advantage: Rho,
    human_advantage: Rho,
    *,
    humans: Annotated[int, AtLeast(2), Metavar("N")] = 3,
    epsilon: Annotated[float | str, Metavar("LOSS")] = 0.1,
    q: Level = 0.05,
    power: Level = 0.8,
    seed: Seed = 0,
) -> AlternativePlan:
    """How many items each human must annotate so that a good model passes.

    Parameters
    ----------
    advantage, human_advantage : float
        ρ of the model and of the humans, expected or from a pilot: on which share of the items
        each agrees with the other humans at least as well as the other. Their sum is 1 plus the
        share of ties, so it is 1 or more.
    humans : int
        How many humans there will be.
    epsilon : float or str
        As in `model_as_coder`.
    q : float
        False discovery rate.
    power : float
        The probability with which the model should pass.
    seed : int
        Seed of the simulation.

    Returns
    -------
    AlternativePlan
        30 items or more, since fewer are too few for the t-test.

    Raises
    ------
    RequestError
        If a number is out of its range.

    Notes
    -----
    The test of one human needs about ((z_{1−a} + z_power) σ / (ε − δ))² items, δ being the mean
    and σ² the variance of the difference of the two indicators, and a the level that is left
    after Benjamini & Yekutieli's correction if half of the humans are to be beaten. Whether the
    whole test is passed is found by simulation, 4,000 times for each number of items, of humans
    who differ from the model by chance alone and independently of each other. As in reality they
    share their items, take more rather than fewer. Calderon et al. (2025) find 50 to 100 items
    enough in most cases.

    Examples
    --------
    >>> plan = alternative_test_items(0.8, 0.85, humans=5, epsilon="expert")
    >>> plan.n_items, plan.chance >= 0.8
    (112, True)
    >>> print(alternative_test_items(0.7, 0.85, epsilon=0.1))
    no number of items: the model would be worse than the humans by 0.150, which is ε = 0.1 or more
    """
    from ..models.alternative_test.noninferiority import alternative_test_items as found

    return found(
        advantage, human_advantage, n_humans=humans, epsilon=epsilon, q=q, power=power, rng=seed
    )
