"""Two sets of annotations compared, question by question: from annotations to rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..actions import Action
from ..arrays import Ints
from ..counts.count import count
from ..counts.counts import Counts
from ..data.annotations import Annotations
from ..errors import RequestError
from ..fields import FIELDS
from ..measure.distances import WeightsLike
from ..measure.measures import Measure, key_of
from ..measure.registry import Coefficient
from ..messages import Message, MessageKind, catalogued
from ..numbers import p_text
from ..results import Result
from ..scheme import Scheme, union
from .compare import Side, difference, in_common
from .measurement import compared, undoubted
from .settings import Settings

__all__ = [
    "Comparison",
    "Overlap",
    "Pairing",
    "comparisons",
    "overlap",
    "paired_by_default",
    "remarks",
]

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
        "paired",
        "note",
        "Paired test",
        "{n_common:item} {n_common:is|are} in both and compared as pairs.",
        lambda facts: (_UNPAIRED,),
    ),
    MessageKind(
        "paired_in_part",
        "note",
        "Paired test",
        "{n_common:item} {n_common:is|are} in both and compared as pairs; {n_apart:other} "
        "{n_apart:is|are} left out.",
        lambda facts: (_UNPAIRED,),
    ),
    MessageKind(
        "unpaired",
        "note",
        "Unpaired test",
        "The test is unpaired: {pairing}.",
        lambda facts: (
            (Action("", {"paired": True}, _PAIRED_IF[facts["pairing"]]),)
            if facts["pairing"] in _PAIRED_IF
            else ()
        ),
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
    if rows:
        yield _how_paired(rows[-1])
    partners, others = (
        _partners(before, after),
        dict(zip(after.questions, after.schemes, strict=True)),
    )
    names = _names(before, after)
    for question, scheme in zip(before.questions, before.schemes, strict=True):
        if question in partners:
            where = f" ({question})" if len(before.questions) > 1 else ""
            told = tuple(f"{name}{where}" for name in names)
            schemes = scheme, others[partners[question]]
            yield from _mismatches(schemes, told, question or None)


def _partners(before: Annotations, after: Annotations) -> dict[str, str]:
    """The questions that both ask, as both call them: a single one may go by two names."""
    if len(before.questions) == len(after.questions) == 1:
        return {before.questions[0]: after.questions[0]}
    return {name: name for name in before.questions if name in after.questions}


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
    found = []
    for question in _questions(before, after, common, paired):
        parts = [
            (question.name, *part) for part in zip(question.schemes, question.used, strict=True)
        ]
        for m in undoubted(wanted, parts, weights) if default else wanted:
            row = _compare(question, m.coefficient, m.weighed(weights), settings, paired)
            found.append(replace(row, pairing=pairing))
    return found


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
class _Question:
    """Counts and schemes of a question in both, the former as they are and as they are compared."""

    name: str | None
    schemes: tuple[Scheme, Scheme]
    whole: tuple[Counts, Counts]
    used: tuple[Counts, Counts]
    n_common: int


def _questions(
    before: Annotations, after: Annotations, common: Overlap, paired: bool
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
    name: str | None, pair: tuple[Annotations, Annotations], common: Overlap, paired: bool
) -> _Question:
    one, two = _same_values(*pair)
    whole, n = (count(one), count(two)), len(one.questions)
    at = [two.questions.index(_partners(one, two)[q]) for q in one.questions]
    rows = (common.before[:, None] * n + np.arange(n)).ravel()
    others = (common.after[:, None] * n + at).ravel()
    met = in_common(*whole, rows, others)
    used = met if paired else whole
    return _Question(name, (one.scheme, two.scheme), whole, used, int(met[0].n_items))


def _same_values(one: Annotations, two: Annotations) -> tuple[Annotations, Annotations]:
    """Schemes that were read off the data become one: S and AC depend on their categories."""
    if any(s.declared for s in (*one.schemes, *two.schemes)):
        return one, two
    partners, others = _partners(one, two), dict(zip(two.questions, two.schemes, strict=True))
    known = {
        partners[q]: union([s, others[partners[q]]])
        for q, s in zip(one.questions, one.schemes, strict=True)
    }
    return (
        replace(one, schemes=tuple(known.values())),
        replace(two, schemes=tuple(known[q] for q in two.questions)),
    )


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
    return Comparison(
        question.name,
        coefficient.key,
        ", ".join(names),
        first.value,
        second.value,
        found.value,
        found.se,
        found.low,
        found.high,
        settings.level,
        found.method,
        settings.null,
        found.statistic,
        found.df,
        found.p_value,
        paired,
        int(question.whole[0].n_items),
        int(question.whole[1].n_items),
        question.n_common,
        second.counts.n_coders,
        found.n_undefined_resamples,
        why,
    )
