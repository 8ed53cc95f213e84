"""Is agreement higher in one of two data sets? On the same items, or on independent ones.

On the same items a coefficient that is high by chance is high in both rounds. The paired test
follows each item through both (Gwet 2016): the pull of the item on one coefficient less its
pull on the other, and the spread of these differences.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from math import nan
from typing import Any

import numpy as np

from ..actions import Action
from ..arrays import Ints
from ..counts.count import count
from ..counts.counts import Counts, Kinds
from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.coefficient_value import Undefined
from ..measure.distances import WeightsLike
from ..measure.measures import Measure, key_of
from ..measure.registry import Coefficient
from ..measure.undefined import why_undefined
from ..measure.weights import Weights
from ..messages import Message, MessageKind, catalogued
from ..numbers import count_of, p_text
from ..results import Result
from ..scheme import Scheme, union
from .distributions import t_quantile
from .influence import linearise
from .intervals import (
    Uncertainty,
    clustered,
    interval,
    p_value,
    satterthwaite,
    standard_error,
    uncertainty,
)
from .measurement import compared
from .settings import Settings

LEAST_SHARED = 0.5
"""Share of the smaller data set's items that must be in both, to be paired unasked.

A paired test rests on the shared items only. With variance s and correlation r of an item's two
values its variance is 2 s (1 - r) / n_common, that of an unpaired test s / n + s / m: at the
correlations of .5 and more that two rounds show, half of the items is where pairing starts to pay.
"""

MEASURED = ("interval", "ratio", "circular")
"""Scales of measurements: numbers that happen to differ are no categories."""


@dataclass(frozen=True)
class Comparison(Result):
    """One coefficient before and after, with the test of their difference.

    Parameters
    ----------
    question : str or None
    coefficient, weights : str
    before, after, difference : float
        Both coefficients on the items compared, and ``after`` less ``before``.
    se, low, high, level, method
        Of the difference.
    null : float
        The difference that ``p_value`` tests against.
    statistic, df, p_value : float
        t with ``df`` degrees of freedom (infinite: z); NaN where none is computed.
    paired : bool
        Whether the same items are compared in both.
    n_before, n_after : int
        Items with an annotation.
    n_common : int
        Items with an annotation in both. A paired test rests on these only.
    n_coders : int
        Coders of the second.
    undefined : str or None
        Why a number is missing or should be read with care.
    """

    question: str | None
    coefficient: str
    weights: str
    before: float
    after: float
    difference: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    level: float = math.nan
    method: str = ""
    null: float = 0.0
    statistic: float = math.nan
    df: float = math.nan
    p_value: float = math.nan
    paired: bool = True
    n_before: int = 0
    n_after: int = 0
    n_common: int = 0
    n_coders: int = 0
    undefined: str | None = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row."""
        named = {"question": self.question, "measure": key_of(self.coefficient, self.weights)}
        return [named | {f.name: getattr(self, f.name) for f in fields(self)}]

    def __str__(self) -> str:
        where = f"{self.question}: " if self.question else ""
        name = key_of(self.coefficient, self.weights)
        if math.isnan(self.difference):
            return f"{where}{name}: no difference, {self.undefined}"
        interval = "" if math.isnan(self.low) else f" [{self.low:+.3f}, {self.high:+.3f}]"
        p = "" if math.isnan(self.p_value) else f", {p_text(self.p_value)}"
        how = f"{count_of(self.n_common, 'item')} in both" if self.paired else "independent items"
        return (
            f"{where}{name} {self.before:.3f} → {self.after:.3f}: "
            f"{self.difference:+.3f}{interval}{p} ({how})"
        )


catalogued(
    MessageKind(
        "paired",
        "note",
        "Paired test",
        "{n_common:item} {n_common:is|are} in both and compared as pairs. Items of one data set "
        "alone ({n_apart:,}) are left out.",
        lambda facts: (Action("", {"paired": False}, "if equal ids do not mean equal items"),),
    ),
    MessageKind(
        "unpaired",
        "note",
        "Unpaired test",
        "The data sets are compared as independent ones: {n_common:item} {n_common:is|are} known "
        "to be in both.",
        lambda facts: (Action("", {"paired": True}, "if they are about the same items"),),
    ),
    MessageKind(
        "sets_and_labels",
        "warning",
        "Sets of labels against single labels",
        "{sets_in} holds sets of labels and {labels_in} single labels, which are compared as sets "
        "of one.",
        lambda facts: (Action("", {"separator": ...}, "if a cell holds several labels"),),
    ),
    MessageKind(
        "scales_differ",
        "warning",
        "Different scales",
        "The scale is {scale_before} in the first data set and {scale_after} in the second, so "
        "coefficients that weight disagreements change by the scale alone.",
        lambda facts: [
            Action("", {"scale": x if facts["asked"] is None else {facts["asked"]: x}}, "for both")
            for x in (facts["scale_before"], facts["scale_after"])
        ],
    ),
    MessageKind(
        "categories_differ",
        "note",
        "Different categories",
        "Only {source} has {only:this category|these categories}: {only}.",
    ),
)


def remarks(
    before: Annotations, after: Annotations, rows: Sequence[Comparison]
) -> Iterator[Message]:
    """How the test was done, and what makes two sets of annotations hard to compare."""
    if rows and rows[-1].paired:
        row = rows[-1]
        n, apart = row.n_common, row.n_before + row.n_after - 2 * row.n_common
        yield Message("paired", {"n_common": n, "n_apart": apart})
    elif rows:
        named = not (before.reading.generated_ids or after.reading.generated_ids)
        yield Message("unpaired", {"n_common": rows[-1].n_common if named else 0})
    others = dict(zip(after.questions, after.schemes, strict=True))
    for question, other in _partners(before, after).items():
        own = dict(zip(before.questions, before.schemes, strict=True))[question]
        yield from _mismatches((own, others[other]), question or None)


def _partners(before: Annotations, after: Annotations) -> dict[str, str]:
    """The questions that both ask, as both call them: a single one may go by two names."""
    if len(before.questions) == len(after.questions) == 1:
        return {before.questions[0]: after.questions[0]}
    return {name: name for name in before.questions if name in after.questions}


def _mismatches(schemes: tuple[Scheme, Scheme], question: str | None) -> Iterator[Message]:
    names = "the first data set", "the second data set"
    sets = [scheme.max_labels != 1 for scheme in schemes]
    if sets[0] != sets[1]:
        several, single = names if sets[0] else names[::-1]
        yield Message("sets_and_labels", {"sets_in": several, "labels_in": single}, question)
    before, after = (scheme.scale for scheme in schemes)
    if before != after:
        told = {"scale_before": before, "scale_after": after, "asked": question}
        yield Message("scales_differ", told, question)
    if any(scheme.scale in MEASURED for scheme in schemes):
        return
    one, two = (dict.fromkeys(map(str, scheme.categories)) for scheme in schemes)
    for name, own, other in zip(names, (one, two), (two, one), strict=True):
        if only := tuple(c for c in own if c not in other):
            yield Message("categories_differ", {"source": name, "only": only}, question)


def overlap(before: Annotations, after: Annotations) -> tuple[Ints, Ints]:
    """(N,) and (N,) positions of the items of both, matched by id; 7 and "7" are the same id."""
    one, two = (np.array([str(i) for i in data.items]) for data in (before, after))
    _, first, second = np.intersect1d(one, two, return_indices=True)
    order = np.argsort(first, kind="stable")
    return first[order], second[order]


def comparisons(
    before: Annotations,
    after: Annotations,
    wanted: Iterable[Measure],
    settings: Settings,
    *,
    weights: WeightsLike | None = None,
    paired: bool | None = None,
) -> list[Comparison]:
    """Compare coefficients question by question, and pooled if the questions are the same.

    Parameters
    ----------
    before, after : Annotations
    wanted : iterable of Measure
    settings : Settings
        Its ``null`` is the difference that is tested.
    weights : str, array_like, callable or Distance, optional
    paired : bool, optional
        Whether to follow items through both. By default if at least two, and half of the items of
        the smaller data set, are in both. Generated ids are positions: they never are.

    Raises
    ------
    RequestError
        If no question is in both, or a paired test is asked for and no item is in both, or nobody
        can know which.
    """
    before, after = before.of_persons(), after.of_persons()
    common = overlap(before, after)
    n, fewest = len(common[0]), min(len(before.items), len(after.items))
    if paired is None:
        named = not (before.reading.generated_ids or after.reading.generated_ids)
        paired = named and n >= max(2, LEAST_SHARED * fewest)
    elif paired:
        _check_paired(before, after, n)
    wanted = list(wanted)
    return [
        _compare(question, m.coefficient, m.weighed(weights), settings, paired)
        for question in _questions(before, after, common, paired)
        for m in wanted
    ]


def _check_paired(before: Annotations, after: Annotations, n_common: int) -> None:
    """Refuse to pair what has no partner, or whose partner nobody knows."""
    if not n_common:
        raise RequestError(
            f"no item is in both (such as {next(iter(before.items), None)}), so there is nothing "
            "to pair",
            do=[Action("", {"paired": False}, "for independent data")],
        )
    n, m = len(before.items), len(after.items)
    if before.reading.generated_ids and after.reading.generated_ids and n != m:
        raise RequestError(
            f"the data name no items, and there are {n:,} before and {m:,} after, so it is not "
            "known which belong together; give both item ids",
            do=[Action("", {"paired": False}, "for independent data")],
        )


@dataclass(frozen=True, eq=False)
class _Question:
    """Counts and schemes of a question in both, the former as they are and as they are compared."""

    name: str | None
    schemes: tuple[Scheme, Scheme]
    whole: tuple[Counts, Counts]
    used: tuple[Counts, Counts]
    n_common: int


def _questions(
    before: Annotations, after: Annotations, common: tuple[Ints, Ints], paired: bool
) -> Iterator[_Question]:
    """Each question that both ask, then all pooled if both ask the same ones."""
    partners = _partners(before, after)
    if not partners:
        raise RequestError(
            f"no question is in both: {', '.join(before.questions)} and "
            f"{', '.join(after.questions)}"
        )
    for name, other in partners.items():
        pair = before.of_question(name), after.of_question(other)
        yield _question(name or None, pair, common, paired)
    if 1 < len(partners) == len(before.questions) == len(after.questions):
        yield _question(None, (before, after), common, paired)


def _question(
    name: str | None, pair: tuple[Annotations, Annotations], common: tuple[Ints, Ints], paired: bool
) -> _Question:
    one, two = _same_values(*pair)
    whole, n = (count(one), count(two)), len(one.questions)
    at = [two.questions.index(_partners(one, two)[q]) for q in one.questions]
    rows = (common[0][:, None] * n + np.arange(n)).ravel()
    others = (common[1][:, None] * n + at).ravel()
    met = in_common(*whole, rows, others)
    used = met if paired else whole
    return _Question(name, (one.scheme, two.scheme), whole, used, int(met[0].n_items))


def _same_values(one: Annotations, two: Annotations) -> tuple[Annotations, Annotations]:
    """Schemes read off the data become one, but for the scale: S and AC look at the categories."""
    if any(s.declared for s in (*one.schemes, *two.schemes)):
        return one, two
    partners, others = _partners(one, two), dict(zip(two.questions, two.schemes, strict=True))
    known = {
        partners[q]: union([s, others[partners[q]]])
        for q, s in zip(one.questions, one.schemes, strict=True)
    }
    first, second = (
        tuple(replace(known[name], scale=s.scale) for name, s in zip(asked, schemes, strict=True))
        for asked, schemes in ((known, one.schemes), (two.questions, two.schemes))
    )
    return replace(one, schemes=first), replace(two, schemes=second)


def _compare(
    question: _Question,
    coefficient: Coefficient,
    weights: WeightsLike | None,
    settings: Settings,
    paired: bool,
) -> Comparison:
    first, second = (
        Side(coefficient, *compared(coefficient, counts, scheme, weights))
        for counts, scheme in zip(question.used, question.schemes, strict=True)
    )
    found = difference(first, second, settings, paired=paired)
    names = dict.fromkeys((first.w.name, second.w.name))
    why = found.note
    if math.isnan(found.value):
        sides = {"before": first, "after": second}
        why = "; ".join(f"{when}: {side.why}" for when, side in sides.items() if side.why)
    own = ("se", "low", "high", "method", "statistic", "df", "p_value")
    return Comparison(
        question.name,
        coefficient.key,
        ", ".join(names),
        first.value,
        second.value,
        found.value,
        level=settings.level,
        null=settings.null,
        paired=paired,
        n_before=int(question.whole[0].n_items),
        n_after=int(question.whole[1].n_items),
        n_common=question.n_common,
        n_coders=second.counts.n_coders,
        undefined=why,
        **{name: getattr(found, name) for name in own},
    )


# ------------------------------------------------------------------ the difference


@dataclass(frozen=True, eq=False)
class Side:
    """One of two coefficients: a coefficient of counts with weights."""

    coefficient: Coefficient
    counts: Counts
    w: Weights

    @cached_property
    def value(self) -> float:
        """The coefficient."""
        return float(self.coefficient.parts(self.counts, self.w).value)

    @property
    def why(self) -> Undefined | None:
        """Why there is no value, if there is none."""
        found = self.coefficient.parts(self.counts, self.w)
        return why_undefined(
            self.coefficient, self.counts, float(found.observed), float(found.expected)
        )

    @cached_property
    def viewed(self) -> Side:
        """What the coefficient looks at, of the items that it rests on."""
        sample = self.coefficient.sample(self.counts)
        return Side(self.coefficient, *self.coefficient.view(sample, self.w))

    @property
    def kinds(self) -> Kinds:
        """The items that the coefficient rests on, each with all answers about it."""
        return self.viewed.counts.kinds


@dataclass(frozen=True, kw_only=True)
class Difference(Uncertainty):
    """The second coefficient less the first, with its standard error, interval and test.

    ``n`` is the number of items in both, or None if the sides are independent.
    """

    value: float
    statistic: float = np.nan
    df: float = np.nan
    n: int | None = None


def difference(first: Side, second: Side, settings: Settings, *, paired: bool) -> Difference:
    """How much the second coefficient is above the first.

    If ``paired``, row i of both ``counts.pattern_of`` is the same item, or the same question about
    it; rows that one side does not have are emptied beforehand (`in_common`). Paired, the variance
    is that of the mean of n differences (Gwet 2016); else the sum of both, with the degrees of
    freedom of Welch (1947). 'auto' takes the ends from the intervals of both sides.
    """
    s, value = settings, second.value - first.value
    there = (first.kinds.of >= 0) | (second.kinds.of >= 0) if paired else None
    n = None if there is None else int(np.count_nonzero(there))
    if np.isnan(value) or s.method == "none":
        return Difference(value=value, n=n)
    # of the delta method the number of items with two annotations is sampled too
    auto = s.method == "auto"
    pulls = [linearise(x.coefficient, x.counts, x.w, ratio=auto) for x in (first, second)]
    if n is None:
        one, two = (x.variance(population=s.population) for x in pulls)
        square, df = one + two, satterthwaite((one, pulls[0].n - 1), (two, pulls[1].n - 1))
        common = 0.0
    else:
        x, y = (pull.of_items() * n / pull.n for pull in pulls)
        square = (1 - n / s.population) * float((y - x) @ (y - x)) / (n * (n - 1)) if n > 1 else nan
        size = math.sqrt((x @ x) * (y @ y))
        df, common = n - 1.0, float(x @ y) / size if size > 0 else 0.0
    se = standard_error(square)
    found = Difference(
        value=value,
        se=se,
        df=df,
        n=n,
        method=f"{'paired' if paired else 'unpaired'}, "
        f"{'from both intervals' if auto else 'linearised'}{clustered(first.counts)}",
        note=None if se > 0 else "the items show no variation in the difference",
    )
    if auto:
        return _of_both_intervals(first, second, s, common, found)
    low, high = interval(value, se, df, s.level)
    statistic = (value - s.null) / se if se > 0 else nan
    p = p_value(value, s.null, se, df, s.alternative)
    return replace(found, low=low, high=high, statistic=statistic, p_value=p)


def _of_both_intervals(
    first: Side, second: Side, s: Settings, common: float, found: Difference
) -> Difference:
    """The interval of a difference from those of both sides (Zou & Donner 2008; Zou 2007, paired).

    Each end is as far away as the ends of both intervals, in the direction that makes it, add up
    to; on the same items less what both have in common. So it is as wide as few items make them,
    on the side where they make them wide. The test is the one that fits it.
    """
    value = found.value
    one, two = (uncertainty(x.coefficient, x.counts, x.w, x.value, s) for x in (first, second))

    def together(a: float, b: float) -> float:
        return math.sqrt(max(a**2 + b**2 - 2 * common * a * b, 0.0))

    below = together(second.value - two.low, one.high - first.value)
    above = together(two.high - second.value, first.value - one.low)
    toward = (below if value > s.null else above) / t_quantile((1 + s.level) / 2, found.df)
    why = dict.fromkeys(x.note for x in (one, two) if x.note and np.isnan(x.low))
    return replace(
        found,
        low=value - below,
        high=value + above,
        statistic=(value - s.null) / toward if toward > 0 else nan,
        p_value=p_value(value, s.null, toward, found.df, s.alternative),
        note="; ".join(why) or None,
    )


def in_common(first: Counts, second: Counts, rows: Ints, others: Ints) -> tuple[Counts, Counts]:
    """Both counts on what both have: row ``rows[i]`` of one is ``others[i]`` of two.

    With several questions the rows about an item stay side by side, those that one lacks empty.
    """
    one, two = first.pattern_of[rows], second.pattern_of[others]
    there = (one >= 0) & (two >= 0)
    return _only(first, np.where(there, one, -1)), _only(second, np.where(there, two, -1))


def _only(counts: Counts, pattern_of: Ints) -> Counts:
    times = np.bincount(pattern_of[pattern_of >= 0], minlength=counts.n_patterns)
    return replace(counts.drawn(times), pattern_of=pattern_of)
