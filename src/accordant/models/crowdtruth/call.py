"""The public call: CrowdTruth 2.0."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

from ...data.annotations import Annotations
from ...data.read import read
from ...errors import RequestError
from ..each import Each
from ..votes import votes
from .result import CrowdTruth, Task
from .rounds import Rounds
from .vectors import vectors

__all__ = ["crowdtruth"]


def crowdtruth(
    data: Any,
    *,
    task: Task = "closed",
    tolerance: float = 0.001,
    max_iterations: int = 500,
    progress: Callable[[int, int], None] | None = None,
    **reading: Any,
) -> CrowdTruth | Each[CrowdTruth]:
    """Quality of items, coders and categories after CrowdTruth 2.0: each judged by the others.

    An annotation is a vector with 1 for each category that was given; the labels may be single
    ones or sets. An item is good where its coders agree, a coder is good who agrees with others on
    good items, and a category is good that coders give to the same items; all are updated in
    turns until they stand still.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes.
    task : {'closed', 'open'}
        'closed': the categories are the same for all items. 'open': they belong to the item
        (words of a text, free answers), so that categories have no quality and all count the same.
    tolerance : float
        Stop when no score changes by as much; 0.001 in CrowdTruth.
    max_iterations : int
        Stop after so many rounds.
    progress : callable, optional
        Called with (done, total).
    **reading
        Options of `read`, such as ``categories=`` to name categories that nobody gave.

    Returns
    -------
    CrowdTruth
        `item_quality` (UQS), `coder_quality` (WQS) with its factors `agreement_with_coders` (WWA)
        and `agreement_with_items` (WUA), `category_quality` (AQS), and `item_category` (UAS), the
        weighted share of each category of an item. One for each question, if there are several.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If an option is not one of these.

    Notes
    -----
    Dumitrache et al. (2018). With cos the cosine weighted by category quality:

    - item: mean of cos over pairs of its coders, weighted by the quality of both;
    - coder: the mean of cos with each other coder of an item, times the mean of cos with the sum
      of all others' vectors, weighted by quality;
    - category: mean over pairs of coders of the probability that one gives it where the other does.

    All start at 1, and follow from the round before. Weights and scores below 1e-8 are set to
    1e-8, as in the authors' program, whose values this gives; also for categories that nobody
    gave. The program gives 0 to an item that one coder annotated, and to a coder who shares no
    item; here both are NaN and enter nothing.

    A coder of low quality disagrees with the others. That may be a spammer, or a group that sees
    something which the others do not.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.crowdtruth([["a", "b", "a"], ["a", "b", "b"], ["a", "b", "b"]])
    >>> [round(x, 2) for x in found.item_quality.tolist()]
    [1.0, 1.0, 0.39]
    >>> [round(x, 2) for x in found.coder_quality.tolist()]
    [0.7, 0.9, 0.9]
    """
    if task not in ("closed", "open"):
        raise RequestError(f"choose 'closed' or 'open', not {task!r}", parameter="task")
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or tolerance <= 0:
        raise RequestError(f"a number above 0, not {tolerance!r}", parameter="tolerance")
    whole = isinstance(max_iterations, Integral) and not isinstance(max_iterations, bool)
    if not whole or max_iterations < 1:
        raise RequestError(
            f"a whole number from 1 up, not {max_iterations!r}", parameter="max_iterations"
        )
    annotations = read(data, **reading)
    found = tuple(
        _of(question, annotations.of_question(question), task, tolerance, max_iterations, progress)
        for question in annotations.questions
    )
    return found[0] if len(found) == 1 else Each(found)


def _of(
    question: str,
    data: Annotations,
    task: Task,
    tolerance: float,
    most: int,
    progress: Callable[[int, int], None] | None,
) -> CrowdTruth:
    found = vectors(votes(data))
    rounds = Rounds(found, task == "closed")
    first, last, change, n = rounds.run(tolerance, most, progress)
    return CrowdTruth(question or None, data, found, task, tolerance, last, first, change, n)
