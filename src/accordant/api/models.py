"""Coders, items and labels estimated together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..validation import checked
from .types import Count, Data, Gold, Model, Progress, Seed

if TYPE_CHECKING:
    from ..models.call import Posteriors
    from ..models.model_list import ModelList
    from ..models.posterior import Posterior
    from ..models.set_posterior import SetPosterior

__all__ = ["fit", "list_models"]


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
