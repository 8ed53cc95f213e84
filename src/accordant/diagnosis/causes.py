"""Explanations as findings: their facts, what resolving them would gain, and items to read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..actions import Action
from ..arrays import Ints
from ..counts.counts import Counts
from ..counts.tables import positions_of
from ..data.annotations import Annotations
from ..inference.exact_tests import exact_interval
from ..inference.item_patterns import Patterns
from ..measure.shares import held_labels
from ..measure.weights import Weights
from ..messages import MessageKind, catalogued, listed, quoted
from ..numbers import joined, percent, tied
from ..results import Record
from ..scheme import Value, number
from .deviations import Deviations, gain_of
from .explain import Explanations, explain
from .explanation import KINDS, NOMINAL, Explanation
from .finding import Contrast, Evidence, Finding, told
from .groups import columns_of
from .pairs import CoderPairs

__all__ = ["WORTH", "Causes", "CoderGroup", "coder_groups", "no_pattern"]

WORTH = 0.02  # points of alpha: what moves less than the second digit is only a note
MOST_CELLS = 20_000_000  # coders x values x values
ORDERED = frozenset({"ordinal", "interval", "ratio", "bipolar"})
MOST_ITEMS = 25
MOST_NAMED = 8  # coders of a group in a sentence
MOST_PAIRS = 3  # of labels in a sentence
NO_LABEL = "no such label"  # of a set: neither this one nor another in its place


@dataclass(frozen=True, eq=False)
class Causes:
    """Why the coders of some annotations of one question disagree.

    Parameters
    ----------
    data : Annotations
    counts : Counts
        The same annotations, counted.
    weights : Weights
        Those of alpha.

    Examples
    --------
    >>> from accordant import diagnose
    >>> right = ["a", "b", "c"] * 40
    >>> diagnose([right, right, ["a", "b", "b"] * 40]).pooled.causes.found[0].title
    '“coder 3” gives “b” too often'
    """

    data: Annotations
    counts: Counts
    weights: Weights

    @cached_property
    def values(self) -> tuple[tuple[Any, ...], NDArray[np.bool_], Ints]:
        """Labels, (K, L) which value holds which, and (K,) positions of the values in order."""
        counts, categories = self.counts, self.data.scheme.categories
        if counts.of_sets:
            labels, members = held_labels(counts, categories)
            return labels, members, np.arange(counts.n_values)
        position: dict[Any, int] = {label: k for k, label in enumerate(categories)}
        every = range(counts.n_values)
        by = sorted(every, key=lambda k: position.get(counts.values[k], len(position)))
        return tuple(counts.values[k] for k in by), np.eye(len(by), dtype=bool), np.array(by)

    @property
    def ordinal(self) -> bool:
        """Whether the values are in order."""
        return self.data.scheme.scale in ORDERED and not self.counts.of_sets

    @property
    def numbers(self) -> bool:
        """Whether single labels are numbers that stand in order, though no scale is declared."""
        found = [number(x) for x in self.values[0]]
        known = [x for x in found if x is not None]
        return not self.counts.of_sets and known == sorted(known) and len(known) == len(found) > 2

    @cached_property
    def groups(self) -> dict[str, tuple[Ints, tuple[str, ...]]]:
        """(I,) groups of items and their names, by column."""
        every = np.arange(len(self.data.items))
        return {name: (code, names) for name, code, names in columns_of(self.data, every)}

    @cached_property
    def explained(self) -> Explanations | None:
        """What was found; None where nothing can be: too many values, or nothing to compare."""
        k = self.counts.n_values
        if k < 2 or self.counts.n_coders * k**2 > MOST_CELLS or self.counts.n_questions > 1:
            return None
        _, members, by = self.values
        place = np.empty(len(by), int)
        place[by] = np.arange(len(by))
        return explain(
            Patterns.of(self.counts).renamed(place),
            members,
            ordinal=self.ordinal,
            numbers=self.numbers,
            groups={name: code.astype(np.int64) for name, (code, _) in self.groups.items()},
        )

    @property
    def at(self) -> Deviations:
        """The table before anything was explained."""
        if self.explained is None:
            raise ValueError("nothing is explained")
        return self.explained.first

    @cached_property
    def found(self) -> tuple[Finding, ...]:
        """A finding for each explanation."""
        explained = () if self.explained is None else self.explained.found
        return tuple(self.finding(one) for one in explained)

    def finding(self, one: Explanation) -> Finding:
        """One explanation with everything that is known of it."""
        facts, gain = self.facts_of(one), self.gain_of(one)
        ordinary = one.place == ("ordinary",)
        found = told(
            one.kind,
            {**facts, "gain": gain},
            self._words(one),
            question=self.data.questions[0] or None,
            severity="note" if gain < WORTH or ordinary else "warning",
            stake=gain,
            remedy=KINDS[one.kind].remedy,
            seen=self._evidence(one),
            do=self._do(one),
        )
        return replace(found, sentence=f"{found.sentence}{self._parts(one)}")

    def facts_of(self, one: Explanation) -> dict[str, Any]:
        """What a finding says, as values."""
        names = [self.label(k) for k in one.labels]
        coders = [self.counts.coders[c] for c in one.coders]
        two = len(coders) == 2 and one.kind in ("one_sided", "shifted")
        pairs = one.pairs if one.kind in ("pair", "chain") else ()
        place: tuple[Any, ...] = one.place
        if one.kind == "item_group":
            name, group = one.place
            place = name, self.groups[name][1][group]
        return {
            "coder": coders[0] if len(coders) == 1 or two else None,
            "other": coders[1] if two else None,
            "coders": tuple(coders),
            "first": names[0] if names else None,
            "second": names[1] if len(names) > 1 else None,
            "labels": tuple(names),
            "pairs": tuple((self.label(a), self.label(b)) for a, b in pairs),
            "place": place,
            "n": round(one.observed),
            "expected": one.expected,
            "of": round(one.of),
            "share": one.share,
            "p_value": min(1.0, NOMINAL / len(KINDS) * math.exp(-one.score)),
        }

    def label(self, k: int) -> Any:
        """A label by its position; the empty tuple for none."""
        return self.values[0][k] if k < len(self.values[0]) else ()

    def _words(self, one: Explanation) -> dict[str, str]:
        """The facts as they stand in sentences."""
        facts = self.facts_of(one)
        others = [c for k, c in enumerate(self.counts.coders) if k not in one.coders]
        rate, usual = (x / max(one.of, 1e-9) for x in (one.observed, one.expected))
        pairs = (" and ".join(map(_named, pair)) for pair in facts["pairs"])
        group = facts["place"] if one.kind == "item_group" else ("", "")
        return {
            "coder": quoted(facts["coder"]),
            "other": quoted(facts["other"]),
            "beside": quoted(facts["other"]) if facts["other"] else "the other coders",
            "coders": listed(facts["coders"], most=MOST_NAMED),
            "others": listed(others, most=MOST_NAMED),
            "first": _named(facts["first"]),
            "second": _named(facts["second"]),
            "labels": joined(map(_named, facts["labels"])),
            "pairs": joined(pairs, most=MOST_PAIRS),
            "where": f"with {group[0]} = {quoted(group[1])}",
            "direction": one.direction,
            "part": percent(one.share, 0),
            "expected": f"about {one.expected:,.0f}" if one.expected >= 1 else "fewer than one",
            "rate": percent(rate),
            "ordinary": f"{percent(usual)} or less",
        }

    def _parts(self, one: Explanation) -> str:
        """What else was found about the same coder, with the number of annotations."""
        parts = (told(x.kind, self.facts_of(x), self._words(x)) for x in one.parts)
        each = "; ".join(f"{x.title} ({x.facts['n']:,})" for x in parts)
        return f" Also found: {each}." if each else ""

    # -------------------------------------------------------------- weight

    def gain_of(self, one: Explanation) -> float:
        """By how much alpha would rise, roughly."""
        by = self.values[2]
        return gain_of(
            self.at.null,
            self._cells(one),
            1 - one.expected / max(one.observed, 1e-9),
            np.asarray(self.weights.matrix[np.ix_(by, by)]),
            self._items_at(one),
        )

    def _cells(self, one: Explanation) -> NDArray[np.bool_]:
        """(C, K, K) the deviations it is about."""
        return np.ones(self.at.observed.shape, bool) if one.cells is None else one.cells

    def _items_at(self, one: Explanation) -> NDArray[np.bool_] | None:
        """(I,) the items of a group."""
        if one.kind != "item_group":
            return None
        return np.asarray(self.groups[one.place[0]][0] == one.place[1])

    def _do(self, one: Explanation) -> tuple[Action, ...]:
        """The next call: an ordinal scale for a chain of numbers."""
        in_order = list(one.labels) in (sorted(one.labels), sorted(one.labels, reverse=True))
        if one.kind != "chain" or not in_order or not self.numbers or self.ordinal:
            return ()
        question = self.data.questions[0]
        scale: Any = {question: "ordinal"} if question else "ordinal"
        return (Action("report", {"scale": scale}, "ordinal scale"),)

    # -------------------------------------------------------------- evidence

    def items_of(self, one: Explanation, most: int = MOST_ITEMS) -> tuple[int, ...]:
        """Positions of the items that show it, the clearest first."""
        null = self.at.null
        rows, cells = null.patterns, self._cells(one)
        shown = (null.latent[rows.row] * cells[rows.coder, :, rows.value]).sum(1)
        # The last digits of floats differ between processors, and must not order items.
        by_pattern = tied(rows.sums(shown[:, None])[:, 0])
        there = self._items_at(one)
        if there is None:
            order = np.argsort(-by_pattern, kind="stable")
            order = order[by_pattern[order] > 0.1]
            return tuple(positions_of(self.counts, order, most).tolist())
        x = np.append(by_pattern, 0)[rows.pattern]
        found = np.flatnonzero(there & (x > 0.1))
        return tuple(found[np.argsort(-x[found], kind="stable")][:most].tolist())

    def _evidence(self, one: Explanation) -> Evidence:
        """Its share among comparable deviations, beside what is expected."""
        of = max(one.of, 1e-9)
        line = Contrast("found", round(one.of), one.observed / of, one.expected / of)
        what = "annotations" if one.kind == "coder" else "comparable differences"
        return Evidence(
            (line,), "what", what, "share of these", "expected", items=self.items_of(one)
        )


def _named(label: Any) -> str:
    """A label in a sentence, or that there is none."""
    return NO_LABEL if label == () else quoted(label)


# ------------------------------------------------------------------ no cause


FEW_DISPUTED = 10  # disputed items: fewer spread like anything
TENTATIVE = 0.667  # below, the disagreement itself is a warning (Krippendorff 2004)

catalogued(
    MessageKind(
        "no_pattern",
        "note",
        "No pattern",
        "The {n_items:disputed item} show no pattern: labels, coders and items differ no more "
        "than random errors make them differ.",
        lambda facts: (Action("diagnose", {"show": "items"}, "the items to read"),),
        ("artstein2008", "krippendorff2004"),
        "If agreement is low, look for a general problem: whether coders see enough to do the "
        "task, know the guideline, and pay attention.",
    )
)


def no_pattern(causes: Causes, alpha: float, n_disputed: int) -> Iterator[Finding]:
    """Disagreements that spread as random errors spread; a warning where agreement is low."""
    explained = causes.explained
    if explained is None or n_disputed < FEW_DISPUTED:
        return
    if len(causes.values[0]) <= 2 and not explained.last.sure:
        return  # two labels that two coders confuse show nothing, however many items
    low = alpha < TENTATIVE
    yield told(
        "no_pattern",
        {"n_items": n_disputed},
        question=causes.data.questions[0] or None,
        severity="warning" if low else "note",
        stake=0.0,
        remedy="task" if low else None,
    )


# ------------------------------------------------------------------ groups of coders


@dataclass(frozen=True, eq=False)
class CoderGroup(Record):
    """Coders who give one label where others give another.

    Parameters
    ----------
    coder_group : int
        From 1; two for each pair of labels.
    coders : tuple of str
    label, instead : Value
        What the group gives, and what the others give there.
    n_pairs : int
        Pairs of annotations of one item by two coders of the group.
    within, between : float
        Agreement of two of the group, and of one of them with one of the other group.
    low, high : float
        Exact interval of ``within``, as if it were of the mean number of common items: pairs of
        annotations of one item say less than as many items.
    """

    coder_group: int
    coders: tuple[str, ...]
    label: Value
    instead: Value
    n_pairs: int
    within: float
    low: float
    high: float
    between: float


def coder_groups(
    found: tuple[Finding, ...], pairs: CoderPairs, everybody: tuple[str, ...], level: float
) -> Iterator[CoderGroup]:
    """The groups that explain disagreement, two for each pair of labels."""
    n_groups = 0
    for one in found:
        if one.code != "coder_groups":
            continue
        own: tuple[str, ...] = one.facts["coders"]
        other = tuple(c for c in everybody if c not in own)
        first, second = one.facts["first"], one.facts["second"]
        for who, rest, label, instead in ((own, other, second, first), (other, own, first, second)):
            n_groups += 1
            n, within, common = _agreement(pairs, list(combinations(who, 2)))
            _, between, _ = _agreement(pairs, list(product(who, rest)))
            low, high = math.nan, math.nan
            if n:
                ends = exact_interval([within * common], [common], level)
                low, high = (float(x[0]) for x in ends)
            yield CoderGroup(n_groups, who, label, instead, n, within, low, high, between)


def _agreement(pairs: CoderPairs, chosen: list[tuple[str, str]]) -> tuple[int, float, float]:
    """How many pairs of annotations, their agreement, and the mean number of common items."""
    place = {name: k for k, name in enumerate(pairs.coders)}
    at = [(place[a], place[b]) for a, b in chosen if a in place and b in place]
    if not at:
        return 0, math.nan, math.nan
    a, b = np.array(at).T
    n, share = pairs.n_common[a, b], np.nan_to_num(pairs.percent[a, b])
    total = float(n.sum())
    return int(total), float(n @ share / total) if total else math.nan, float(n.mean())
