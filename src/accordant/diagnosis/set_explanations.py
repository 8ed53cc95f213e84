"""What coders do with the labels of sets: they leave one out, add one, give more or fewer of them.

Each label is a decision of its own, with rates of its own at which it is left out and added. What
most others decided can be counted: whether more than half of them give the label.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from ..arrays import Bools, Floats, Ints
from .deviations import Deviations
from .explanation import Explanation, Mask, best, explanation
from .explanation_kinds import CONFIRMED, NEVER, SPREAD, WAYS, along_the_scale
from .others_label import NONE, Beside, Tally

OF_ALL = "label_omitted", "label_added"
FAR = 2.5  # standard deviations from the median of labels: not ordinary


@dataclass(frozen=True, eq=False)
class BesideSets(Beside):
    """Sets beside what most of the others decided, label by label."""

    def holds(self, label: int) -> tuple[Bools, Ints]:
        """(E,) whether an annotation holds a label, and whether most others do: 1, 0, or -1."""
        rows = self.rows
        own = self.held[rows.value, label]
        others = (rows.given @ self.held[:, label])[rows.row] - own
        size = rows.size[rows.row] - 1
        return own, np.where(2 * others == size, NONE, 2 * others > size).astype(np.int64)

    @cached_property
    def decided(self) -> tuple[Bools, Bools, Bools]:
        """(E,) whether most others decided about any label, and whether it is added, left out."""
        known, added, left_out = np.zeros((3, len(self.rows.row)), bool)
        for label in range(self.held.shape[1]):
            own, most = self.holds(label)
            known |= most != NONE
            added |= own & (most == 0)
            left_out |= ~own & (most == 1)
        return known, added, left_out

    @property
    def known(self) -> Bools:
        """(E,) whether most others decided about any label."""
        return self.decided[0]

    @cached_property
    def differs(self) -> Bools:
        """(E,) whether an annotation differs in any label from what most others decided."""
        return self.decided[1] | self.decided[2]

    def of_coder(self, c: int, cells: Bools, of: Bools | None = None) -> Tally:
        """How often a coder differs in any label."""
        return self.tally(np.array([c]), self.known, self.differs)

    def of_label(self, one: Explanation) -> Tally:
        """How often a coder adds a label, or leaves it out; of all coders beside other labels."""
        added, every = one.kind == "label_added", range(self.held.shape[1])
        if one.coders:
            own, most = self.holds(one.labels[0])
            return self.tally(np.array(one.coders), most == (not added), own == added)
        n = np.zeros((2, 2), np.int64)
        for label in every:
            own, most = self.holds(label)
            of = self.weight * (most == (not added))
            n[int(label != one.labels[0])] += of[own == added].sum(), of.sum()
        return Tally(*n.ravel().tolist())

    def more(self, one: Explanation) -> tuple[int, ...]:
        """Of the labels in which a coder differs from most others, how many the coder added."""
        up, mine = one.place == WAYS[:1], np.isin(self.rows.coder, one.coders[:1])
        n = np.zeros(4, np.int64)
        for label in range(self.held.shape[1]):
            own, most = self.holds(label)
            differs = (most != NONE) & (own != most)
            each = (differs & who & way for who in (mine, ~mine) for way in (own == up, True))
            n += [self.weight[x].sum() for x in each]
        return tuple(n.tolist()[: 2 if len(one.coders) == 2 else 4])

    def flipped(self, labels: tuple[int, ...]) -> Ints:
        """(K,) the value with some labels changed and the others kept; -1 if there is none."""
        at = {row.tobytes(): k for k, row in enumerate(self.held)}
        other = self.held.copy()
        other[:, list(labels)] ^= True
        found = [at.get(row.tobytes(), NONE) for row in other]
        return np.array(found if labels else [NONE] * len(found), np.int64)

    def only(self, a: int, b: int) -> Bools:
        """(E,) whether an annotation holds one of two labels and not the other."""
        held = self.held[self.rows.value]
        return np.asarray(held[:, a] & ~held[:, b])

    def exchanged(self, a: int, b: int) -> tuple[Bools, Bools]:
        """(E,) who holds only the one, and only the other, on items where somebody does either."""
        each = self.only(a, b), self.only(b, a)
        one, other = (self.rows.sums(x[:, None].astype(float))[self.rows.row, 0] > 0 for x in each)
        return each[0] & other, each[1] & one

    def both(self, a: int, b: int) -> Bools:
        """(E,) who holds only one of two labels, on items where others hold only the other."""
        return np.asarray(np.any(self.exchanged(a, b), 0))

    def swaps(self, c: int, a: int, b: int) -> Tally:
        """How often a coder holds one of two labels where most others hold the other instead."""
        (own, most), (own_b, most_b) = self.holds(a), self.holds(b)
        two = (np.minimum(most, most_b) != NONE) & (most != most_b)
        return self.tally(np.array([c]), two, (own != most) & (own_b == most))

    def on_both(self, coders: Ints, a: int, b: int) -> Tally:
        """How often some coders hold a and not b, on items where others hold b and not a."""
        one, other = self.exchanged(a, b)
        return self.tally(coders, one | other, one)

    def two(self, a: int, b: int) -> tuple[int, int]:
        """Of two coders: items where the first holds only a and the second only b; either way."""
        one, other = self.exchanged(a, b)
        return tuple(int(self.weight[x & (self.rows.coder == 0)].sum()) for x in (one, one | other))  # type: ignore[return-value]

    def between(self, links: tuple[tuple[int, int], ...]) -> tuple[int, int]:
        """Pairs of annotations of which one holds a label and the other another instead."""
        rows, only = self.rows, self.held[:, :, None] & ~self.held[:, None, :]
        linked = np.zeros((len(self.held),) * 2, bool)
        for a, b in links:
            linked |= np.outer(only[:, a, b], only[:, b, a])
        n = ((rows.given @ (linked | linked.T)) * rows.given).sum(1) / 2
        return round(float(rows.weight @ n)), round(float(rows.weight @ self.pairs()))

    def shows(self, one: Explanation) -> Bools:
        """(E,) which annotations are what an explanation tells of."""
        mine = np.isin(self.rows.coder, one.coders)
        if one.kind in OF_ALL:
            own, most = self.holds(one.labels[0])
            added = one.kind == "label_added"
            return np.asarray((own == added) & (most == (not added)) & (mine | (not one.coders)))
        if one.kind == "set_size" and len(one.coders) == 1:
            return mine & self.decided[1 if one.place == WAYS[:1] else 2]
        if one.kind in ("coder_groups", "one_sided"):
            first, second = self.exchanged(*one.labels)
            mine = mine if one.kind == "coder_groups" else self.rows.coder == 0
            return np.where(mine, first, second)
        if one.kind == "pair":
            return np.asarray(np.any([self.both(a, b) for a, b in one.pairs], 0))
        return mine & self.differs if len(one.coders) == 1 else np.ones(len(mine), bool)


def _by_label(at: Deviations, kind: str, sums: Any, cells: Bools, there: Bools) -> Iterator[Any]:
    """A coder, or all coders, who change a label beyond its own rate; ``there`` (K, L) may it."""
    if at.changes.plain or not at.sure:
        return
    o, (dc, ec) = sums(at.observed), at.of_coder
    seen = at.within_items[kind == "label_omitted"]
    yield from best(
        at,
        kind,
        o.size,
        o,
        dc[:, None],
        sums(at.by_others) / ec[:, None],
        np.where(seen > CONFIRMED, 1.0, NEVER),
        lambda c, b: Mask((c,), (b,), cells=at.mask(cells[:, :, b], c)),
    )
    net, n = sums((at.observed / np.maximum(at.null.factors, 1)).sum(0)), _exposed(at, there)
    rate = net / n
    usual = float(np.median(rate))
    spread = max(SPREAD, 1.48 * float(np.median(np.abs(rate - usual))))
    once, twice = sums(at.null.once), sums(at.null.twice)
    hard = best(
        at,
        kind,
        len(n),
        net,
        n,
        np.full(len(n), min(usual + FAR * spread, 0.99)),
        at.null.clumping(once, twice),
        lambda b: Mask(labels=(b,), cells=at.mask(cells[:, :, b])),
    )
    for one in hard:  # it is far from what is usual, but what is usual is what would be left
        expected = usual * one.of
        yield replace(one, expected=expected, share=(one.observed - expected) / at.n)


def _exposed(at: Deviations, there: Bools) -> Floats:
    """(L,) annotations of items of which a label could be changed so."""
    return np.asarray(np.maximum(at.null.exposure.sum(0) @ there, 1e-9))


@explanation(
    title="{first} is often left out{by}",
    text="Where most others give {first}, it is missing in {n:,} of {of:annotation}{of_whom} "
    "({rate}; {for_others} {usual}; {p_value:p}).",
    advice="Read some of these items: say in the guideline when the label is given, and ask those "
    "who leave it out whether they saw it.",
    remedy="guideline",
    counted=lambda beside, one, _: beside.of_label(one),
)
def label_omitted(at: Deviations) -> Iterator[Explanation]:
    """A label that a coder, or all coders, leave out of sets more often than is usual."""
    yield from _by_label(at, "label_omitted", at.changes.losses, at.changes.lost, at.changes.held)


@explanation(
    title="{first} is often added{by}",
    text="Where most others do not give {first}, it is given in {n:,} of {of:annotation}{of_whom} "
    "({rate}; {for_others} {usual}; {p_value:p}).",
    advice="Read some of these items: say in the guideline when the label is not given, and ask "
    "those who add it what they saw.",
    remedy="guideline",
    counted=lambda beside, one, _: beside.of_label(one),
)
def label_added(at: Deviations) -> Iterator[Explanation]:
    """A label that a coder, or all coders, add to sets more often than is usual."""
    yield from _by_label(at, "label_added", at.changes.gains, at.changes.gained, ~at.changes.held)


@explanation(
    title="{coder} gives {direction} labels than {beside}",
    text="Of {of:label} in which {coder} differs from {beside}, {coder} {adds} {n:,} "
    "({rate}; {p_value:p}).",
    advice="Say in the guideline when a further label is given: for what the item is mainly "
    "about, or for all that it mentions.",
    remedy="guideline",
    counted=lambda beside, one, _: beside.more(one),
)
def set_size(at: Deviations) -> Iterator[Explanation]:
    """A coder who gives more labels, or fewer, than the others, or than the only other one."""
    if not at.changes.plain:
        size = at.changes.held.sum(1)
        more = size[None, :] > size[:, None]
        yield from along_the_scale(at, "set_size", np.array([more, more.T]))
