"""How far coders agree, where and why they do not, and whether that changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from ..kinds import AtLeast, Between, Metavar
from .types import (
    Alternative,
    Count,
    Data,
    Interval,
    Level,
    Names,
    Number,
    Numbers,
    Positive,
    Progress,
    Seed,
    Weights,
    public,
)  # fmt: skip

if TYPE_CHECKING:
    from ..decomposition.decompositions import Decompositions
    from ..diagnosis.agreement import AgreementTable, ComparisonTable
    from ..diagnosis.diagnose import Description, Diagnosis
    from ..inference.benchmarks import Benchmark
    from ..inference.planning import ItemPlan

__all__ = ["agreement", "benchmark", "compare", "decompose", "describe", "diagnose", "items_needed"]

Rank = Literal[
    "auto", "beyond_slips", "excess", "gain", "explained", "first", "second", "lift",
    "information", "sides", "rule",
]  # fmt: skip
Resamples = Annotated[int, AtLeast(2), Metavar("N")]
Coefficient = Annotated[str, Metavar("NAME")]
Rules = Annotated[Any, Metavar("RULE")]


@public
def agreement(
    data: Data,
    coefficients: str | Names | None = None,
    *,
    weights: Weights | None = None,
    interval: Interval = "auto",
    level: Level = 0.95,
    null: float = 0.0,
    alternative: Alternative = "two-sided",
    population: Number | None = None,
    sampled_coders: bool = False,
    coder_population: Number | None = None,
    resamples: Resamples = 2000,
    seed: Seed | None = None,
    undefined: float | Literal["error"] = float("nan"),
    method: Literal["exact", "simulation"] = "exact",
    simulations: Resamples = 1000,
    progress: Progress | None = None,
    **reading: Any,
) -> AgreementTable:
    """Measure how far coders agree, with chance correction and uncertainty.

    Where coders may give several labels, the default measures are those of Marchal et al. (2022)
    and others for sets of labels.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes; further keywords go to `read`.
    coefficients : str or iterable of str, optional
        Keys or aliases (``"alpha"``, ``"fleiss"``, ``"ac1"`` …), for sets of labels also
        ``"boot_match"``, ``"augmented"``, ``"alpha_masi"`` …, or a coefficient with its weights
        (``"kappa_linear"``); all that fit the data by default.
    weights : str, array_like, callable or Distance, optional
        What counts as agreement: a name (``"identity"``, ``"linear"``, ``"quadratic"``,
        ``"ordinal"``, ``"radical"``, ``"ratio"``, ``"circular"``, ``"bipolar"``,
        ``"ordinal-metric"``; for sets of labels ``"overlap"``, ``"precision"``, ``"recall"``,
        ``"f1"``, ``"jaccard"``, ``"masi"``, ``"divided-vote"``), a (K, K) matrix or a function
        of two values, 1 for full agreement; or a `Distance`. By default what fits the scheme.
    interval : str
        How uncertainty is computed: 'auto', 'analytic', 'delta', 'large-sample', 'bootstrap',
        'bca', 'jackknife' or 'none'. 'auto' takes a score interval where few items decide and the
        delta method elsewhere; ``method`` says which.
    level : float
        Confidence level.
    null : float
        What the p-value tests against, 0 or a threshold.
    alternative : {'two-sided', 'greater', 'less'}
        Direction of the test.
    population : float, optional
        How many items the sample comes from (finite-population correction).
    sampled_coders : bool
        Add the variance between coders, for statements about coders like these.
    coder_population : float, optional
        How many coders the sample comes from.
    resamples : int
        Number of bootstrap resamples.
    seed : int or Generator, optional
        Makes resamples and simulations repeatable.
    undefined : float or 'error'
        What an undefined coefficient becomes: NaN, another number, or an error.
    method : {'exact', 'simulation'}
        How the agreement that label draw and soft-match expect by chance is found: computed,
        or simulated as Marchal et al. (2022) do, with its own error in ``expected_error``.
    simulations : int
        How often the data set is simulated.
    progress : callable, optional
        Called with (done, total) during long work.
    **reading
        Options of `read`, e.g. ``categories=[1, 2, 3]``, ``scale="ordinal"``.

    Returns
    -------
    AgreementTable
        Rows per question and pooled, each with A_o, A_e, value, standard error and interval.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If a coefficient or weights do not exist or do not fit.
    UndefinedError
        With ``undefined="error"``.

    Examples
    --------
    >>> import accordant as ac
    >>> labels = [["a", "b", "c", "a", "b"] * 8, ["a", "b", "c", "a", "c"] * 8]
    >>> print(ac.agreement(labels, "alpha")["alpha"])
    alpha = 0.701 [0.474, 0.847] (A_o 0.800, A_e 0.332, 40 items)
    """
    from ..diagnosis.agreement import agreement as found

    return found(
        data, coefficients, weights=weights, interval=interval, level=level, null=null,
        alternative=alternative, population=population, sampled_coders=sampled_coders,
        coder_population=coder_population, resamples=resamples, seed=seed, undefined=undefined,
        method=method, simulations=simulations, progress=progress, **reading,
    )  # fmt: skip


@public
def compare(
    before: Data,
    after: Data,
    coefficients: str | Names | None = None,
    *,
    paired: bool | None = None,
    weights: Weights | None = None,
    interval: Interval = "auto",
    level: Level = 0.95,
    null: float = 0.0,
    alternative: Alternative = "two-sided",
    resamples: Resamples = 2000,
    seed: Seed | None = None,
    progress: Progress | None = None,
    **reading: Any,
) -> ComparisonTable:
    """Test whether agreement differs between two rounds or two data sets.

    On the same items the test is paired (Gwet 2016): it uses the difference of each item between
    the rounds, and detects smaller changes than two intervals side by side. By default the interval
    of the difference is computed from the intervals of both values (Zou & Donner 2008; for paired
    values with their correlation, Zou 2007).

    Parameters
    ----------
    before, after : Annotations, path, data frame or array
        Items are matched by id.
    coefficients : str or iterable of str, optional
        As in `agreement`.
    paired : bool, optional
        Whether equal ids mean equal items. By default, if at least two items, and half of the
        items of the smaller data set, are in both, and the data name their items: the positions
        in an array are no names. Each row says in ``pairing`` why it is paired or not.
    weights, interval, level, alternative, resamples, seed, progress
        As in `agreement`.
    null : float
        The difference that is tested.
    **reading
        Options of `read`, for both.

    Returns
    -------
    ComparisonTable

    Raises
    ------
    RequestError
        If the two have no question, or for a paired test no item, in common, or if with
        ``paired=True`` arrays of different length leave open which items are the same.

    Examples
    --------
    >>> import accordant as ac
    >>> before = [["a", "b", "a", "a", "b", "a"], ["a", "b", "b", "a", "a", "b"]]
    >>> after = [["a", "b", "a", "a", "b", "a"], ["a", "b", "a", "a", "b", "b"]]
    >>> found = ac.compare(before, after, "percent", paired=True)["percent"]
    >>> round(found.difference, 3), round(found.low, 3), round(found.high, 3)
    (0.333, -0.186, 0.693)
    >>> round(found.p_value, 2), found.n_common
    (0.16, 6)
    """
    from ..diagnosis.agreement import compare as found

    return found(
        before, after, coefficients, paired=paired, weights=weights, interval=interval,
        level=level, null=null, alternative=alternative, resamples=resamples, seed=seed,
        progress=progress, **reading,
    )  # fmt: skip


@public
def diagnose(
    data: Data,
    *,
    weights: Weights | None = None,
    level: Level = 0.95,
    order: Annotated[str, Metavar("COLUMN")] | None = None,
    gold: Annotated[str, Metavar("CODER")] | None = None,
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
    order : str, optional
        The metadata column (a time, a batch, a position) that says in which order items were
        annotated; by default they were annotated in the order of the data.
    gold : str, optional
        The coder whose labels count as correct where coders are scored against known labels.
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
        If there is no such column or coder.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.diagnose([["a", "b", "a", "a"], ["a", "b", "b", "a"]])
    >>> found.pooled.confusion.mix_ups(1)[0][:2]
    ('a', 'b')
    """
    from ..diagnosis.diagnose import diagnose as found
    from .annotations import read

    return found(read(data, **reading), weights=weights, level=level, order=order, gold=gold)


@public
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
    from ..diagnosis.diagnose import describe as found
    from .annotations import read

    return found(read(data, **reading))


@public
def decompose(
    data: Data,
    by: Rules | Sequence[Rules] | None = None,
    *,
    then: Rules | Sequence[Rules] = (),
    coefficient: Coefficient = "kappa",
    over: Literal["pairs", "all"] = "pairs",
    rank: Rank | None = None,
    most: Positive = 20,
    search: Literal["auto", "exhaustive", "families", "local"] = "auto",
    minimum_share: Annotated[float, Between(0, 0.5), Metavar("SHARE")] | None = None,
    hierarchy: Annotated[Any, Metavar("SEPARATOR")] | None = None,
    level: Level = 0.95,
    resamples: Count = 300,
    seed: Seed | None = 0,
    rounding: Literal["levi2022"] | None = None,
    progress: Progress | None = None,
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
        The partition, or a list of them: a rule in words (``'any label'``, ``'exactly one label'``,
        ``'Resolution without Complication'``), values with commas (``'000,011'``, ``'a,b|c'``),
        ``'number of labels'``, ``'level 1'`` of the hierarchy; a mapping from block to values; a
        function that gives the block of a value. A tuple is a chain of levels, each of which
        divides the blocks of the one before.
    then : rule or list, optional
        A deeper level, or several, asked within the blocks of ``by``.
    coefficient : str
        Of two coders: ``'percent'``, ``'s'``, ``'pi'``, ``'kappa'``, ``'alpha'`` or ``'ac'``, the
        mean over all pairs of coders. With ``over='all'`` any that `agreement` knows.
    over : {'pairs', 'all'}
        The mean over the pairs of coders, as in the paper, or one coefficient of all coders at
        once; the second needs ``by``.
    rank : str, optional
        ``'beyond_slips'``, the default (``'auto'``) for sets of labels: disagreement that level 1
        explains beyond what independent slips in the labels would put there. ``'excess'``, the
        default for categories: beyond what chance would. ``'gain'``: level 2 beyond what
        independent slips would give; of sets only. ``'explained'``, ``'lift'`` and
        ``'information'``. ``'first'``: the lowest level 1 (section 4.2.1). ``'second'``: the
        highest level 2 (section 4.2.2), mostly a property of the partition itself. ``'rule'``: the
        simplest rules first. ``'sides'``: the smallest sides first, as in Appendix A.
    most : int
        How many are shown.
    search : {'auto', 'exhaustive', 'families', 'local'}
        What is listed. ``'auto'``: of few values all bipartitions; of twelve categories and more,
        and of many sets, those with a short rule, with the best of all beside them (`best_of_all`);
        of an ordered scale the cut points. ``'exhaustive'``: all of them, however long it takes.
        ``'families'``: those with a short rule only. ``'local'``: these and the best of a local
        search.
    minimum_share : float, optional
        Leave out partitions with a smaller share of the annotations on one side, or that differ
        from one before by less. By default 0.01 where there are many, since rare values win any
        search; less where most values are rarer.
    hierarchy : mapping or str, optional
        Groups of categories: category → group, group → categories, or what separates the parts of
        their names. By default read off the names where these show one.
    level : float
        Confidence level.
    resamples : int
        Resamples of the items that show how stable the ranking is; 0 for none. The search is
        repeated in each: fewer are drawn where that takes long, and none where it takes too long.
    seed : int or Generator, optional
        Seed of the resamples and of a local search.
    rounding : {'levi2022'}, optional
        Rows as the paper prints them, with its order of rounding and averaging.
    progress : callable, optional
        Called with (done, total) during long work.
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
    whether the number of labels is odd. Such partitions explain most disagreement too, so
    ``explained_by_slips`` and ``flip_baseline`` stand beside what they explain, and sets of labels
    are ranked by ``beyond_slips``, the difference.

    Shares of disagreement are means over the pairs of coders of shares of items; where all coders
    are counted in one table, they are shares of pairs of annotations.

    Examples
    --------
    >>> import accordant as ac
    >>> from accordant.data import examples
    >>> neat = examples.load("levi2022_neat")
    >>> (row,) = ac.decompose(neat, by="any label")
    >>> [round(x.value, 3) for x in (row.first.mean, row.second.mean, row.explained)]
    [0.696, 0.827, 0.515]
    >>> for row in ac.decompose(neat, rank="first", most=2):
    ...     print(row.rule, round(row.first.mean.value, 2))
    only Complication and Success 0.35
    only Resolution, or only Complication and Success 0.42
    """
    from ..decomposition.call import decompose as found

    return found(
        data, by, then=then, coefficient=coefficient, over=over, rank=rank, most=most,
        search=search, minimum_share=minimum_share, hierarchy=hierarchy, level=level,
        n_resamples=resamples, rng=seed, rounding=rounding, progress=progress, **reading,
    )  # fmt: skip


@public
def items_needed(
    width: Annotated[float, Between(0, 2), Metavar("WIDTH")],
    pilot: Data = None,
    *,
    coefficient: Coefficient = "alpha",
    agreement: Annotated[float, Between(0, 1), Metavar("KAPPA")] | None = None,
    shares: Numbers | None = None,
    coders: Annotated[int, AtLeast(2), Metavar("N")] = 2,
    weights: Weights | None = None,
    level: Level = 0.95,
    population: Number | None = None,
    **reading: Any,
) -> ItemPlan:
    """Tell how many items give an interval of the wanted width.

    Parameters
    ----------
    width : float
        Width of the interval from end to end.
    pilot : Annotations, path, data frame or array, optional
        Annotations like those to come. Without them, ``agreement`` and ``shares`` say what is
        expected.
    coefficient : str
        As in `agreement`.
    agreement : float, optional
        The expected value of kappa.
    shares : sequence of float, optional
        How common each category is expected to be.
    coders : int
        Coders of each item, where there is no pilot.
    weights, level, population
        As in `agreement`.
    **reading
        Options of `read`, for the pilot.

    Returns
    -------
    ItemPlan

    Raises
    ------
    RequestError
        If there is neither a pilot nor an expectation.

    Examples
    --------
    >>> import accordant as ac
    >>> print(ac.items_needed(0.2, coefficient="kappa", agreement=0.6, shares=[0.7, 0.3]))
    298 items for a 95% interval of kappa that is 0.2 wide, with 2 coders \
(assumed kappa 0.6, shares 0.7, 0.3, certain or guess)
    """
    from ..inference.needed import items_needed as found

    return found(
        width, pilot, coefficient=coefficient, agreement=agreement, shares=shares,
        n_coders=coders, weights=weights, level=level, population=population, **reading,
    )  # fmt: skip


@public
def benchmark(
    value: float, se: float, scale: Any = "landis_koch", *, level: Level = 0.95
) -> Benchmark:
    """Place a coefficient on a published scale, with the probability of each band.

    The coefficient is taken as normal around its estimate, cut to -1 … 1, and the highest band
    is chosen that it reaches with probability ``level`` (Gwet 2014, ch. 6).

    Parameters
    ----------
    value, se : float
        A coefficient corrected for chance and its standard error; the scales are not meant for
        percent agreement.
    scale : str or BenchmarkScale
        ``'landis_koch'``, ``'fleiss'``, ``'altman'``, ``'cicchetti'``, ``'regier'``,
        ``'krippendorff'``, ``'artstein_poesio'``, or a scale of your own.
    level : float
        The probability with which a band must be reached.

    Returns
    -------
    Benchmark
        The band, and the probability of each.

    Raises
    ------
    RequestError
        If there is no such scale, if the bands of your own scale are not in falling order, or if
        the standard error is not a number from 0 up.

    Examples
    --------
    >>> print(benchmark(0.77544, 0.14295, "altman"))
    at least 'moderate' (Altman (1991, p. 404); probability 0.995); the estimate falls in 'good'
    """
    from ..inference.benchmarks import benchmark as found

    return found(value, se, scale, level=level)
