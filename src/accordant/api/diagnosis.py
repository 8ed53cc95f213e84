"""Where and why coders disagree, who annotated what, and the scheme taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..kinds import Between, Metavar
from ..validation import checked
from .agreement import agreement  # noqa: F401 - what is as there is told there
from .types import Coefficient, Data, Gold, Level, Positive, Weights

if TYPE_CHECKING:
    from ..decomposition.decompositions import Decompositions
    from ..diagnosis.diagnose import Description, Diagnosis

__all__ = ["decompose", "describe", "diagnose"]

Rank = Literal["auto", "beyond", "first", "second", "sides"]
Rules = Annotated[Any, Metavar("RULE")]


@checked
def diagnose(
    data: Data,
    *,
    weights: Weights | None = None,
    level: Level = 0.95,
    gold: Gold | None = None,
    **reading: Any,
) -> Diagnosis:
    """Find out where and why coders disagree, what to resolve first, and which pitfalls apply.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes; further keywords go to `read`.
    weights : str, array_like, callable or Distance, optional
        As in `agreement`.
    level : float
        Confidence level.
    gold : str, path, mapping or frame, optional
        What coders are scored against, as in `fit`: a coder, a column about the items, a file with
        the columns item and gold, or item → label.
    **reading
        Options of `read`.

    Returns
    -------
    Diagnosis
        Per question and pooled; each part is computed when it is first used.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If there are no such labels.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.diagnose([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> found.pooled.confusion.mix_ups(1)[0][:2]
    ('a', 'b')
    """
    from ..diagnosis.diagnose import diagnose as found
    from ..models.gold import coder_beside
    from .data_sets import read

    data = read(data, **reading)
    coder, beside = (None, None) if gold is None else coder_beside(gold, data)
    return found(data, weights=weights, level=level, gold=coder, beside=beside)


@checked
def describe(data: Data, **reading: Any) -> Description:
    """Who annotated what: coverage, gaps, labels, sizes of label sets.

    Entropy is in bits: 0 if one label was always given, 1 for two labels in equal numbers.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes; further keywords go to `read`.
    **reading
        Options of `read`.

    Returns
    -------
    Description
        Per question and pooled.

    Raises
    ------
    InputError
        If the data cannot be read.

    Examples
    --------
    >>> import accordant as ac
    >>> ac.describe([["a", "b", None], ["a", "b", "b"]]).to_rows()[0]["n_single"]
    1
    """
    from ..diagnosis.diagnose import Description
    from ..diagnosis.diagnose import diagnose as found
    from .data_sets import read

    return Description(found(read(data, **reading)).parts)


@checked
def decompose(
    data: Data,
    by: Rules | Sequence[Rules] | None = None,
    *,
    then: Rules | Sequence[Rules] = (),
    coefficient: Coefficient = "kappa",
    rank: Rank | None = None,
    most: Positive = 8,
    search: Literal["auto", "exhaustive", "families"] = "auto",
    minimum_share: Annotated[float, Between(0, 0.5), Metavar("SHARE")] | None = None,
    hierarchy: Annotated[Any, Metavar("SEPARATOR")] | None = None,
    level: Level = 0.95,
    rounding: Literal["levi2022"] | None = None,
    **reading: Any,
) -> Decompositions:
    """Measure agreement on two levels of the scheme (hierarchical agreement).

    A partition puts the values (categories, or sets of labels) into blocks. Level 1 asks for the
    block, level 2 for the value itself among the items on whose block two coders agree (Levi &
    Shenhav 2022, section 3.1). Without ``by`` all bipartitions are scored, and the best are shown
    (section 4).

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes; further keywords go to `read`.
    by : rule, mapping, callable, list or tuple, optional
        The partition, or several: values with commas between them and blocks with bars
        (``'a,b|c'``, sets of labels as bits: ``'000,011'``), where what is not named is a block of
        its own; of sets also a label, ``'any label'`` or ``'number of labels'``. In Python also a
        mapping from value to block, or a function that gives the block of a value. A tuple is a
        chain of levels, each of which divides the blocks of the one before.
    then : rule or list, optional
        A deeper level, or several, asked within the blocks of ``by``.
    coefficient : str
        Of two coders: ``'percent'``, ``'s'``, ``'pi'``, ``'kappa'``, ``'alpha'`` or ``'ac'``, the
        mean over all pairs of coders.
    rank : str, optional
        ``'beyond'``, the default (``'auto'``): how far level 1 separates more, or less,
        disagreement than random errors alone would, counting how many partitions compete.
        ``'first'``: the lowest level 1 (section 4.2.1). ``'second'``: the highest level 2 (section
        4.2.2), mostly a property of the partition itself. ``'sides'``: the smallest sides first, as
        in Appendix A.
    most : int
        How many are shown.
    search : {'auto', 'exhaustive', 'families'}
        What is looked at. ``'auto'``: of up to 21 values all bipartitions, of more those by a
        single label, category or number of labels (``'families'``); of an ordered scale the cut
        points. ``'exhaustive'``: all bipartitions.
    minimum_share : float, optional
        Leave out partitions with a smaller share of the annotations on one side, or that differ
        from one before by less. By default 0.01 where there are many; less where most values are
        rarer.
    hierarchy : mapping or str, optional
        Instead of ``by``: what separates the parts of the categories' names; each part is a level.
        In Python also category → group, where a group may have a group of its own.
    level : float
        Confidence level.
    rounding : {'levi2022'}, optional
        Rows as the paper prints them, with its order of rounding and averaging.
    **reading
        Options of `read`.

    Returns
    -------
    Decompositions
        Rows in their order, and how they were found.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If a rule, ranking or coefficient is unknown, or there is nothing to take apart.

    Notes
    -----
    A high level 2 is mostly a property of the partition. Most disagreements are about one label,
    and some partitions separate all of these by construction: the best of the paper's Table 6 asks
    whether the number of labels is odd. Such partitions explain most disagreement too. So what
    random errors alone would show stands beside both, ``explained_by_slips`` and
    ``null_second``, and partitions are ranked by ``score``: how far they are beyond that. Above 0
    the best of all exceeds what it reaches in one of twenty data sets of random errors alone.

    Shares of disagreement are means over the pairs of coders of shares of items; where all coders
    are counted in one table, they are shares of pairs of annotations.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> neat = examples.load("levi2022_neat")
    >>> (row,) = ac.decompose(neat, by="any label")
    >>> round(row.first.mean.value, 2), round(row.second.mean.value, 2)
    (0.7, 0.83)
    >>> for row in ac.decompose(neat, rank="first", most=2):
    ...     print(row.rule, round(row.first.mean.value, 2))
    exactly 2 labels and not Resolution 0.35
    010, 101 0.42
    """
    from ..data.read import read
    from ..decomposition.search import SearchPlan, chained, decomposed

    asked = SearchPlan(rank or "auto", most, search, minimum_share, hierarchy, rounding)
    return decomposed(read(data, **reading), chained(by, then), coefficient, asked, level)
