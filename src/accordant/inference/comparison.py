"""Two sets of annotations compared, question by question: from annotations to rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..fields import FIELDS
from ..measure.distances import WeightsLike
from ..measure.measures import Measure
from ..measure.naming import key_of
from ..measure.registry import Coefficient
from ..measure.undefined import why_undefined
from ..messages import Action, Message, MessageKind, catalogued
from ..numbers import p_text
from ..results import Result
from ..scheme import Scheme, union
from .compare import Side, difference, in_common
from .measured import compared
from .settings import Settings

__all__ = [
    "Comparison", "Overlap", "Pairing", "comparisons", "overlap", "paired_by_default", "remarks",
]  # fmt: skip

Ints = NDArray[np.integer[Any]]
Pairing = Literal["asked", "shared items", "generated ids", "few shared items", "no shared items"]

LEAST_SHARED = 0.5
"""Share of the smaller data set's items that must be in both, to be paired unasked.

A paired test rests on the shared items only. With variance s and correlation r of an item's two
values its variance is 2 s (1 - r) / n_common, that of an unpaired test s / n + s / m: at the
correlations of .5 and more that two rounds show, half of the items is where pairing starts to pay.
"""

INDEPENDENT = FIELDS["pairing"].names
"""Why a comparison is not paired, in words."""

MEASURED = ("interval", "ratio", "circular")
"""Scales of measurements: numbers that happen to differ are no categories."""

_UNPAIRED = Action("", {"paired": False}, "if equal ids do not mean equal items")
_PAIRED_IF: dict[str, str] = {
    "generated ids": "if the order of the items is the same",
    "few shared items": "compares the shared items alone",
}


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
    pairing : {'asked', 'shared items', 'generated ids', 'few shared items', 'no shared items'}
        Why they are, or are not.
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
    n_undefined_resamples: int = 0
    undefined: str | None = None
    pairing: Pairing = "asked"

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
        how = f"{self.n_common:,} items in both" if self.paired else INDEPENDENT[self.pairing]
        return (
            f"{where}{name} {self.before:.3f} → {self.after:.3f}: "
            f"{self.difference:+.3f}{interval}{p} ({how})"
        )


catalogued(
    MessageKind(
        "paired", "note", "Paired test",
        "{n_common:item} {n_common:is|are} in both and compared as pairs.",
        lambda facts: (_UNPAIRED,),
    ),
    MessageKind(
        "paired_in_part", "note", "Paired test",
        "{n_common:item} {n_common:is|are} in both and compared as pairs; {n_apart:other} "
        "{n_apart:is|are} left out.",
        lambda facts: (_UNPAIRED,),
    ),
    MessageKind(
        "unpaired", "note", "Unpaired test", "The test is unpaired: {pairing}.",
        lambda facts: (
            (Action("", {"paired": True}, _PAIRED_IF[facts["pairing"]]),)
            if facts["pairing"] in _PAIRED_IF else ()
        ),
    ),
    MessageKind(
        "sets_and_labels", "warning", "Sets of labels against single labels",
        "{sets_in} holds sets of labels and {labels_in} single labels, which are compared as sets "
        "of one.",
        lambda facts: (Action("", {"separator": ...}, "if a cell holds several labels"),),
    ),
    MessageKind(
        "categories_differ", "note", "Different categories",
        "Only {source} has {only:this category|these categories}: {only}.",
    ),
)  # fmt: skip


def remarks(
    before: Annotations, after: Annotations, rows: Sequence[Comparison]
) -> Iterator[Message]:
    """How the test was done, and what makes two sets of annotations hard to compare."""
    if rows:
        yield _how_paired(rows[-1])
    others = dict(zip(after.questions, after.schemes, strict=True))
    several = len(before.questions) > 1
    if not several and len(after.questions) == 1:
        others = {before.questions[0]: after.schemes[0]}  # it may go by two names
    names = _names(before, after)
    for question, scheme in zip(before.questions, before.schemes, strict=True):
        if question in others:
            where = f" ({question})" if several else ""
            told = tuple(f"{name}{where}" for name in names)
            yield from _mismatches((scheme, others[question]), told, question or None)


def _names(before: Annotations, after: Annotations) -> tuple[str, str]:
    """The names of the files, or what they are."""
    one, two = (Path(data.reading.source).name for data in (before, after))
    if "." in one and "." in two and one != two:
        return one, two
    return "the first data set", "the second data set"


def _how_paired(row: Comparison) -> Message:
    if not row.paired:
        return Message("unpaired", {"pairing": row.pairing, "n_common": row.n_common})
    apart = row.n_before + row.n_after - 2 * row.n_common
    code = "paired_in_part" if apart else "paired"
    return Message(code, {"n_common": row.n_common, "n_apart": apart})


def _mismatches(
    schemes: tuple[Scheme, Scheme], names: tuple[str, ...], question: str | None
) -> Iterator[Message]:
    sets = [scheme.max_labels != 1 for scheme in schemes]
    if sets[0] != sets[1]:
        several, single = names if sets[0] else names[::-1]
        yield Message("sets_and_labels", {"sets_in": several, "labels_in": single}, question)
    if any(scheme.scale in MEASURED for scheme in schemes):
        return
    one, two = (dict.fromkeys(map(str, scheme.categories)) for scheme in schemes)
    for name, own, other in zip(names, (one, two), (two, one), strict=True):
        only = tuple(c for c in own if c not in other)
        if only:
            yield Message("categories_differ", {"source": name, "only": only}, question)


@dataclass(frozen=True, eq=False)
class Overlap:
    """Which items stand in both sets of annotations, by their ids.

    ``before`` and ``after`` (N,) are positions of the same N items.
    """

    before: Ints
    after: Ints

    def __len__(self) -> int:
        return len(self.before)

    def rows(self, questions: tuple[int, int], n_questions: tuple[int, int]) -> tuple[Ints, Ints]:
        """Rows of ``Counts.pattern_of`` for one question of each."""
        (q, r), (n, m) = questions, n_questions
        return self.before * n + q, self.after * m + r


def overlap(before: Annotations, after: Annotations) -> Overlap:
    """The items of both, matched by id; 7 and "7" are the same id."""
    one, two = (np.array([str(i) for i in data.items]) for data in (before, after))
    _, first, second = np.intersect1d(one, two, return_indices=True)
    order = np.argsort(first, kind="stable")
    return Overlap(first[order], second[order])


def comparisons(
    before: Annotations,
    after: Annotations,
    wanted: Iterable[Measure],
    settings: Settings,
    *,
    weights: WeightsLike | None = None,
    paired: bool | None = None,
    default: bool = False,
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
        Whether to follow items through both. By default as `paired_by_default` decides.
    default : bool
        Whether nobody asked for these measures: what cannot be reported of a side is left out.

    Raises
    ------
    RequestError
        If no question is in both, or a paired test is asked for and no item is in both, or nobody
        can know which.
    """
    wanted, common = list(wanted), overlap(before, after)
    pairing: Pairing = "asked"
    if paired is None:
        paired, pairing = paired_by_default(before, after, common)
    elif paired:
        _check_paired(before, after, common)
    return [
        replace(_compare(name, sides, schemes, m.coefficient, paired, asked, settings),
                pairing=pairing)
        for name, sides, schemes in _questions(before, after, common, paired)
        for m, asked in [(m, m.weighed(weights)) for m in wanted]
        if not (default and _doubtful(m.coefficient, sides.used, schemes, asked))
    ]  # fmt: skip


def _doubtful(
    coefficient: Coefficient,
    both: tuple[Counts, Counts],
    schemes: tuple[Scheme, Scheme],
    weights: WeightsLike | None,
) -> bool:
    """Whether the coefficient should not be reported of one side."""
    if coefficient.doubt_of is None:
        return False
    sides = zip(both, schemes, strict=True)
    return any(coefficient.doubt(*compared(coefficient, c, s, weights)) for c, s in sides)


def paired_by_default(
    before: Annotations, after: Annotations, common: Overlap
) -> tuple[bool, Pairing]:
    """Whether items of equal ids are compared as pairs if nobody says so, and why.

    They are if at least two, and half of the items of the smaller data set, are in both. Generated
    ids are positions: they never are.
    """
    if before.reading.generated_ids or after.reading.generated_ids:
        return False, "generated ids"
    if not len(common):
        return False, "no shared items"
    fewest = min(len(before.items), len(after.items))
    if len(common) < max(2, LEAST_SHARED * fewest):
        return False, "few shared items"
    return True, "shared items"


def _check_paired(before: Annotations, after: Annotations, common: Overlap) -> None:
    """Refuse to pair what has no partner, or whose partner nobody knows."""
    if not len(common):
        raise RequestError(
            "no item is in both, so there is nothing to pair: the first has items "
            f"{_few(before)}, the second {_few(after)}",
            do=[Action("", {"paired": False}, "for independent data")],
        )
    n, m = len(before.items), len(after.items)
    if before.reading.generated_ids and after.reading.generated_ids and n != m:
        raise RequestError(
            f"the data name no items, and there are {n:,} before and {m:,} after, so it is not "
            "known which belong together; give both item ids",
            do=[Action("", {"paired": False}, "for independent data")],
        )


def _few(data: Annotations) -> str:
    return ", ".join(repr(i) for i in list(data.items)[:3]) + (" …" if len(data.items) > 3 else "")


@dataclass(frozen=True, eq=False)
class _Sides:
    """Counts of both, as they are and as they are compared."""

    whole: tuple[Counts, Counts]
    used: tuple[Counts, Counts]
    n_common: int


def _questions(
    before: Annotations, after: Annotations, common: Overlap, paired: bool
) -> Iterator[tuple[str | None, _Sides, tuple[Scheme, Scheme]]]:
    """Each question that both ask, then all pooled if both ask the same ones."""
    names = [q for q in before.questions if q in after.questions]
    if len(before.questions) == len(after.questions) == 1:
        names = [before.questions[0]]  # a single question may go by two names
    if not names:
        raise RequestError(
            f"no question is in both: {', '.join(before.questions)} and "
            f"{', '.join(after.questions)}"
        )
    for name in names:
        pair = (
            before.of_question(name),
            after.of_question(name if name in after.questions else after.questions[0]),
        )
        one, two = _same_values(*pair)
        rows = common.rows((0, 0), (1, 1))
        yield name or None, _sides(one, two, *rows, paired), (one.scheme, two.scheme)
    if len(names) > 1 and len(names) == len(before.questions) == len(after.questions):
        one, two = _same_values(before, after)
        n = len(names)
        at = [(q, after.questions.index(name)) for q, name in enumerate(before.questions)]
        parts = [common.rows(qr, (n, n)) for qr in at]
        first, second = (np.stack([p[k] for p in parts], axis=1).ravel() for k in (0, 1))
        yield None, _sides(one, two, first, second, paired), (one.scheme, two.scheme)


def _same_values(one: Annotations, two: Annotations) -> tuple[Annotations, Annotations]:
    """Schemes that were read off the data become one: S and AC depend on their categories."""
    if any(s.declared for s in (*one.schemes, *two.schemes)):
        return one, two
    if len(one.questions) == 1:  # they may go by two names
        both = (union([one.schemes[0], two.schemes[0]]),)
        return replace(one, schemes=both), replace(two, schemes=both)
    others = dict(zip(two.questions, two.schemes, strict=True))
    known = {q: union([s, others[q]]) for q, s in zip(one.questions, one.schemes, strict=True)}
    return (
        replace(one, schemes=tuple(known.values())),
        replace(two, schemes=tuple(known[q] for q in two.questions)),
    )


def _sides(one: Annotations, two: Annotations, rows: Ints, others: Ints, paired: bool) -> _Sides:
    whole = count(one), count(two)
    met = in_common(*whole, rows, others)
    return _Sides(whole, met if paired else whole, int(met[0].n_items))


def _compare(
    name: str | None,
    sides: _Sides,
    schemes: tuple[Scheme, Scheme],
    coefficient: Coefficient,
    paired: bool,
    weights: WeightsLike | None,
    settings: Settings,
) -> Comparison:
    first, second = (
        Side(coefficient, *compared(coefficient, counts, scheme, weights))
        for counts, scheme in zip(sides.used, schemes, strict=True)
    )
    found = difference(first, second, settings, paired=paired)
    names = dict.fromkeys((first.w.name, second.w.name))
    why = found.note
    if math.isnan(found.value):
        why = "; ".join(
            f"{when}: {reason}"
            for when, side in (("before", first), ("after", second))
            if (reason := _why(side))
        )
    return Comparison(
        name, coefficient.key, ", ".join(names), first.value, second.value, found.value,
        found.se, found.low, found.high, settings.level, found.method, settings.null,
        found.statistic, found.df, found.p_value, paired,
        int(sides.whole[0].n_items), int(sides.whole[1].n_items), sides.n_common,
        second.counts.n_coders, found.n_undefined_resamples, why,
    )  # fmt: skip


def _why(side: Side) -> str:
    """Why one side has no value."""
    found = side.coefficient.parts(side.counts, side.w)
    return str(
        why_undefined(side.coefficient, side.counts, float(found.observed), float(found.expected))
        or ""
    )
