"""How far coders agree, where and why they do not, and whether that changed."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, ParamSpec, TypeVar

from ..actions import Action
from ..errors import RequestError
from ..kinds import AtLeast, Between, Metavar
from ..validation import checked
from .types import (
    Alternative,
    Coefficient,
    Count,
    Data,
    Interval,
    Level,
    Names,
    Number,
    Numbers,
    Progress,
    Seed,
    Share,
    Weights,
)

if TYPE_CHECKING:
    from ..diagnosis.agreement_table import AgreementTable
    from ..diagnosis.gate import Check
    from ..inference.benchmarks import Benchmark
    from ..inference.coefficient_table import ComparisonTable
    from ..inference.sample_size import ItemPlan
    from ..measure.span_f1 import SpanF1

__all__ = ["agreement", "benchmark", "check", "compare", "items_needed", "span_f1"]

P = ParamSpec("P")
R = TypeVar("R")


def pairs(function: Callable[P, R]) -> Callable[P, R]:
    """A function of data that takes the labels of two coders as its first two arguments too.

    Raises
    ------
    RequestError
        If two data sets are given.
    """

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        first: Any = args[0] if args else None
        second: Any = args[1] if len(args) > 1 else None
        if _labels(first) and _labels(second) and len(first) == len(second):
            return function((first, second), *args[2:], **kwargs)  # type: ignore[arg-type]
        if _several(first) and _several(second):
            raise RequestError(
                "two data sets are given", do=[Action("compare", {}, "to compare them")]
            )
        return function(*args, **kwargs)

    return call


def _labels(given: Any) -> bool:
    """Whether something holds a label for each item, and is no list of files."""
    if hasattr(given, "dtype"):
        return getattr(given, "ndim", 1) == 1 and not getattr(given.dtype, "names", None)
    return (
        isinstance(given, list | tuple)
        and len(given) > 0
        and all(x is None or isinstance(x, str | int | float) for x in given)
        and not all(isinstance(x, str) and Path(x).suffix for x in given)
    )


def _several(given: Any) -> bool:
    return isinstance(given, list | tuple) and len(given) > 0 and all(map(_labels, given))


Resamples = Annotated[int, AtLeast(2), Metavar("N")]


@pairs
@checked
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
    resamples: Resamples = 2000,
    simulations: Resamples | None = None,
    seed: Seed | None = None,
    undefined: float | Literal["error"] = float("nan"),
    progress: Progress | None = None,
    **reading: Any,
) -> AgreementTable:
    """Measure how far coders agree, with chance correction and uncertainty.

    Where coders may give several labels, the default measures are those of Marchal et al. (2022)
    and others for sets of labels.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes; further keywords go to `read`. The labels of two coders may
        also be the first two arguments.
    coefficients : str or iterable of str, optional
        Keys or aliases (``"alpha"``, ``"fleiss"``, ``"ac1"`` …), for sets of labels also
        ``"boot_match"``, ``"augmented"``, ``"alpha_masi"`` …, or a coefficient with its weights
        (``"kappa_linear"``); all that fit the data by default, but for the mean of pairwise kappas
        (``"light"``).
    weights : str, array_like, callable or Distance, optional
        What counts as agreement: ``"identity"``, ``"linear"``, ``"quadratic"``, ``"ordinal"``,
        ``"radical"``, ``"ratio"``, ``"circular"``, ``"bipolar"``, ``"ordinal-metric"``; for sets
        of labels ``"overlap"``, ``"precision"``, ``"recall"``, ``"f1"``, ``"jaccard"``,
        ``"masi"``, ``"divided-vote"``. By default what fits the scheme. In Python also a (K, K)
        matrix or a function of two values, 1 for full agreement; or a `Distance`.
    interval : {'auto', 'analytic', 'bootstrap', 'none'}
        How uncertainty is computed. 'auto' takes a score interval where few items decide and the
        delta method elsewhere; 'analytic' is Gwet's linearisation with a t interval; 'bootstrap'
        draws items. ``method`` of each row says what was used.
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
    resamples : int
        Number of bootstrap resamples.
    simulations : int, optional
        Simulate the agreement that label draw and soft-match expect by chance so many times, as
        Marchal et al. (2022) do, with its error in ``expected_error``. By default it is computed.
    seed : int or Generator, optional
        Makes resamples and simulations repeatable.
    undefined : float or 'error'
        What an undefined coefficient becomes: NaN, another number, or an error.
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
    if isinstance(undefined, str) and undefined != "error":
        raise RequestError(f"a number or 'error', not {undefined!r}", parameter="undefined")
    from ..data.read import read
    from ..diagnosis.agreement_table import agreement as measured
    from ..inference.settings import Settings
    from ..measure.measures import measures

    settings = Settings(
        interval,
        level,
        null,
        alternative,
        math.inf if population is None else population,
        sampled_coders,
        resamples,
        seed,
        simulations,
        progress,
    )
    chosen = None if coefficients is None else measures(coefficients)
    found = read(data, **reading)
    return measured(found, chosen, settings, weights=weights, undefined=undefined)


@checked
def compare(
    before: Data,
    after: Data,
    coefficients: str | Names | None = None,
    *,
    paired: bool | None = None,
    weights: Weights | None = None,
    interval: Literal["auto", "analytic", "none"] = "auto",
    level: Level = 0.95,
    null: float = 0.0,
    alternative: Alternative = "two-sided",
    population: Number | None = None,
    **reading: Any,
) -> ComparisonTable:
    """Test whether agreement differs between two rounds or two data sets.

    On the same items the test is paired (Gwet 2016): it uses the difference of each item between
    the rounds, and detects smaller changes than two intervals side by side.

    Parameters
    ----------
    before, after : Annotations, path, data frame or array
        Items are matched by id.
    coefficients : str or iterable of str, optional
        As in `agreement`.
    paired : bool, optional
        Whether equal ids mean equal items. By default, if at least two items, and half of the
        items of the smaller data set, are in both, and the data name their items. In Python, the
        positions in an array are no names.
    weights, level, alternative, population
        As in `agreement`.
    interval : {'auto', 'analytic', 'none'}
        'auto' takes the ends from the intervals of both values (Zou & Donner 2008; on the same
        items with their correlation, Zou 2007); 'analytic' is a t interval.
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
    >>> print(ac.compare(before, after, "percent", paired=True)["percent"])
    percent 0.500 → 0.833: +0.333 [-0.186, +0.693], p = 0.16 (6 items in both)
    """
    from ..data.read import read
    from ..inference.coefficient_table import ComparisonTable
    from ..inference.comparison import comparisons
    from ..inference.settings import Settings
    from ..measure.measures import default_measures, measures

    settings = Settings(
        interval,
        level,
        null,
        alternative,
        math.inf if population is None else population,
    )
    first, second = read(before, **reading), read(after, **reading)
    of_sets = any(x.scheme.max_labels != 1 for x in (first, second))
    wanted = (
        default_measures(of_sets=of_sets, weights=weights)
        if coefficients is None
        else measures(coefficients)
    )
    rows = comparisons(first, second, wanted, settings, weights=weights, paired=paired)
    return ComparisonTable(tuple(rows), (first, second))


Thresholds = Annotated[Mapping[str, float], Metavar("NAME=X")]


@pairs
@checked
def check(
    data: Data,
    *,
    min: Thresholds | None = None,
    min_lower: Thresholds | None = None,
    max_missing: Share | None = None,
    min_annotations: Count | None = None,
    no_warning: bool = False,
    weights: Weights | None = None,
    interval: Literal["auto", "analytic", "bootstrap"] = "auto",
    level: Level = 0.95,
    seed: Seed | None = None,
    **reading: Any,
) -> Check:
    """Hold annotations against conditions, as a gate in a pipeline.

    Every question must meet every condition. A coefficient that is undefined does not meet its
    threshold.

    Parameters
    ----------
    data : Annotations, path, data frame or array
        Anything that `read` takes; further keywords go to `read`.
    min : mapping of str to float, optional
        The least value of a coefficient; names as in `agreement`. In Python
        ``{"alpha": 0.667}``.
    min_lower : mapping of str to float, optional
        The least lower end of the interval of a coefficient: more items make it easier to reach.
    max_missing : float, optional
        The largest share of annotated items × coders without an annotation.
    min_annotations : int, optional
        The least number of annotations of every item.
    no_warning : bool
        Whether a doubt about how the file is to be read counts as falling short.
    weights : str, array_like, callable or Distance, optional
        As in `agreement`.
    interval : {'auto', 'analytic', 'bootstrap'}
        As in `agreement`.
    level : float
        Confidence level.
    seed : int or Generator, optional
        Makes resamples repeatable.
    **reading
        Options of `read`.

    Returns
    -------
    Check
        A record for each question and condition, and whether all hold.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If there is no condition, or no such coefficient.

    Examples
    --------
    >>> import accordant as ac
    >>> labels = [["a", "b", "c", "a", "b"] * 8, ["a", "b", "c", "a", "c"] * 8]
    >>> found = ac.check(labels, min={"alpha": 0.667}, max_missing=0.1)
    >>> found.holds, [one.certainty for one in found.records]
    (True, ['undecided', 'certain'])
    """
    from ..data.read import read
    from ..diagnosis.gate import Limits, checked_against
    from ..inference.settings import Settings

    limits = Limits(min or {}, min_lower or {}, max_missing, min_annotations, no_warning)
    if limits == Limits({}, {}, None, None, False):
        raise RequestError(
            "there is no condition to check", do=[Action("", {"min": {"alpha": 0.667}})]
        )
    settings = Settings(interval, level, rng=seed)
    return checked_against(read(data, **reading), limits, settings, weights)


@checked
def items_needed(
    width: Annotated[float, Between(0, 2, open=True), Metavar("WIDTH")],
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
    >>> ac.items_needed(0.2, coefficient="kappa", agreement=0.6, shares=[0.7, 0.3]).n_items
    298
    """
    from ..data.read import read
    from ..inference.sample_size import plan_from_assumptions, plan_from_pilot
    from ..measure.measures import measures

    if (pilot is None) == (agreement is None or shares is None):
        raise RequestError(
            "say what is expected: either a pilot, or the expected kappa and how common each "
            "category is",
            do=[Action("", {"agreement": ..., "shares": ...})],
        )
    (asked,), within = measures(coefficient), math.inf if population is None else population
    if pilot is not None:
        data = read(pilot, **reading)
        return plan_from_pilot(asked, data, width, weights, level=level, population=within)
    return plan_from_assumptions(
        asked,
        agreement or 0,
        () if shares is None else shares,
        coders,
        width,
        weights,
        level=level,
        population=within,
    )


@checked
def benchmark(
    value: float, se: float, scale: str = "landis_koch", *, level: Level = 0.95
) -> Benchmark:
    """Place a coefficient on a published scale, with the probability of each band.

    The coefficient is taken as normal around its estimate, cut to -1 … 1, and the highest band
    is chosen that it reaches with probability ``level`` (Gwet 2014, ch. 6).

    Parameters
    ----------
    value, se : float
        A coefficient corrected for chance and its standard error; the scales are not meant for
        percent agreement.
    scale : str
        ``'landis_koch'``, ``'fleiss'``, ``'altman'``, ``'cicchetti'``, ``'regier'``,
        ``'krippendorff'`` or ``'artstein_poesio'``.
    level : float
        The probability with which a band must be reached.

    Returns
    -------
    Benchmark
        The band, and the probability of each.

    Raises
    ------
    RequestError
        If there is no such scale, or if the standard error is not a number from 0 up.

    Examples
    --------
    >>> print(benchmark(0.77544, 0.14295, "altman"))
    at least 'moderate' (Altman (1991, p. 404); probability 0.995); the estimate falls in 'good'
    """
    from ..inference.benchmarks import benchmark as found

    return found(value, se, scale, level=level)


@checked
def span_f1(
    data: Data,
    *,
    match: Literal["exact", "overlap"] = "exact",
    labels: bool = True,
    **reading: Any,
) -> SpanF1:
    r"""Measure how far coders mark the same spans of texts: F1 of each pair, and the mean.

    F1 of two coders is 2 matched / (spans of the one + spans of the other), over the texts that
    both went through; it does not matter whom of them one takes to be right. Where nothing could
    be counted as 'not marked by either', F1 is what kappa approaches as true negatives grow, so no
    correction for chance is missing (Hripcsak & Rothschild 2005). F1 of several coders is the mean
    over the pairs, as they propose.

    Parameters
    ----------
    data : Annotations or path
        The export of a platform in which spans were marked; further keywords go to `read`.
    match : {'exact', 'overlap'}
        Spans match if they begin and end at the same characters, or if they share a character. In
        the latter case each span is in one pair at most, and as many pairs as possible are made.
    labels : bool
        Whether spans that match must have the same label.
    **reading
        Options of `read`.

    Returns
    -------
    SpanF1
        A row for each question and pair of coders, then their mean. NaN if neither marked any.

    Raises
    ------
    InputError
        If the data cannot be read.
    RequestError
        If the data do not say where spans begin and end.

    Examples
    --------
    >>> import accordant as ac, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> for coder, end in (("anna", 3), ("bob", 8)):
    ...     (folder / coder).mkdir()
    ...     text = f"T1\tName 0 {end}\t…\nT2\tPlace 20 26\tLondon\n"
    ...     n = (folder / coder / "talk.ann").write_text(text, encoding="utf-8")
    >>> ac.span_f1(folder).mean(), ac.span_f1(folder, match="overlap").mean()
    (0.5, 1.0)
    """
    from ..measure.span_f1 import span_f1 as found

    return found(data, match=match, labels=labels, **reading)
