"""The kinds of explanations: of categories, labels and items, of a coder, of groups of coders."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import factorial, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..inference.null import surprise
from ..numbers import tied
from .deviations import Deviations
from .explanation import (
    INSTEAD,
    LINK,
    SELDOM,
    Explanation,
    Mask,
    best,
    cost,
    explanation,
    usual_counts,
)

Bools = NDArray[np.bool_]


@explanation(
    title="{pairs} are confused",
    text="{n:,} of the {of:pair} of annotations that differ are between {pairs} ({rate}), more "
    "than random errors make ({p_value:p}).",
    advice="Add the difference to the guideline, with examples from these items, or ask whether "
    "the distinction is needed.",
    remedy="categories",
    sources=("darroch1986", "artstein2008"),
)
def pair(at: Deviations) -> Iterator[Explanation]:
    """Two labels confused with each other."""
    (d, e), (dk, ek) = at.changed, rows_of(at)
    null = at.null
    e = np.maximum(e, at.alike) if at.changes.plain else e
    once, twice = (at.changes.table(x) for x in (null.once, null.twice))
    yield from best(
        at,
        "pair",
        d.size / 2,
        np.triu(d + d.T, 1),
        dk[:, None] + dk,
        np.triu(e + e.T, 1) / (ek[:, None] + ek),
        null.clumping(once + once.T, twice + twice.T),
        lambda a, b: Mask(
            labels=(a, b), cells=at.mask(at.changes.cells(a, b) | at.changes.cells(b, a))
        ),
    )


def rows_of(at: Deviations) -> tuple[Floats, Floats]:
    """(L,) observed and expected deviations in which each label is lost."""
    d, e = at.observed.sum(0), at.expected.sum(0)
    return at.changes.losses(d), np.maximum(at.changes.losses(e), 1e-9)


@explanation(
    title="Neighbours are confused along {labels}",
    text="{n:,} of the {of:pair} of annotations that differ are between neighbours in the order "
    "{labels} ({rate}), more than random errors make ({p_value:p}).",
    advice="If the categories have this order, use an ordinal scale and fix the points between "
    "neighbours by examples.",
    remedy="categories",
)
def chain(at: Deviations) -> Iterator[Explanation]:
    """Neighbours confused along a chain of labels.

    It grows from the best pair as long as each link is significant by itself.
    """
    d, e = at.changed
    n = len(d)
    if n < 3 or not at.changes.plain:
        return
    z = tied(d + d.T - e - e.T)
    ends = [int(k) for k in np.unravel_index(z.argmax(), z.shape)]
    known = np.zeros(d.shape, bool)
    known[ends, ends[::-1]] = True
    while len(ends) < n:
        links = np.zeros(d.shape, bool)
        free = [k for k in range(n) if k not in ends]
        head, tail = (max(free, key=lambda k: float(z[ends[end], k])) for end in (0, -1))
        first = z[ends[0], head] > z[ends[-1], tail]
        ends = [head, *ends] if first else [*ends, tail]
        links[ends[1:], ends[:-1]] = links[ends[:-1], ends[1:]] = True
        (cells, own), (added, own_added) = (_of_links(x) for x in (links, links & ~known))
        known = links
        clumping = float(at.null.clumping(at.null.once[cells].sum(), at.null.twice[cells].sum()))
        if not surprise(*_counts(at, added, own_added), clumping) >= log(n / LINK):
            return
        o, of, share = _counts(at, cells, own)
        ways = factorial(n) / factorial(n - len(ends)) / 2
        score = float(surprise(o, of, share, clumping)) - cost(ways)
        if score > 0:
            there = float(of * share)
            named = tuple(min(ends, ends[::-1]))
            excess = float(o - there) / at.n
            yield Explanation(
                "chain", (), named, (), float(o), there, of, score, excess, at.mask(cells)
            )


def _of_links(links: Bools) -> tuple[Bools, Bools]:
    """(K, K) cells of links between labels, and those in which any of these is lost."""
    return links, np.repeat(links.any(1, keepdims=True), len(links), 1)


def _counts(at: Deviations, cells: Bools, of: Bools) -> tuple[NDArray[Any], float, float]:
    """Observed deviations in some cells, those to compare with, and their share by the null."""
    d, e = at.observed.sum(0), at.expected.sum(0)
    return d[cells].sum(), float(d[of].sum()), float(e[cells].sum() / max(e[of].sum(), 1e-9))


@explanation(
    title="Items {where} are harder",
    text="On items {where} {n:,} of {of:pair} of annotations differ ({rate}); on the others "
    "{usual} ({p_value:p}).",
    advice="Read these items: add a rule and examples if the guideline does not fit them; if "
    "they are hard by themselves, report agreement on them apart.",
    remedy="items",
    counted=lambda beside, _, items: beside.on_items(items),
)
def item_group(at: Deviations) -> Iterator[Explanation]:
    """A group of items on which all coders deviate more.

    It must be harder by the values of its items, and by the number of its annotations: where all
    items have one value, those on which most coders err seem to have another, and that one to be a
    hard value.
    """
    n = sum(int(x.max(initial=-1)) + 1 for x in at.groups.values())
    rows = np.lexsort((at.difficulty, at.null.patterns.pattern))  # sums whatever the items' order
    observed, *expected = (x[rows] for x in at.by_item)
    wide = max(1.0, float(((observed - expected[0]) ** 2).sum() / max(expected[0].sum(), 1)))
    for name, of in at.groups.items():
        group = of[rows]
        has, many = group >= 0, int(group.max(initial=-1)) + 1
        d, *both = (
            np.bincount(group[has], x[has], many).astype(float) for x in (observed, *expected)
        )
        share = np.max([e / max(e.sum(), 1e-9) for e in both], 0)
        total = float(d.sum())
        yield from best(
            at,
            "item_group",
            n,
            d,
            total,
            share,
            wide,
            lambda s, name=name: Mask(place=(name, s)),
        )


SPREAD = 0.07  # coders usually differ by so much in accuracy (sd), unless the data say more
ABLE, FAR = 1.25, 2.5  # standard deviations from the median: worth telling, and not ordinary
WAYS = ("up", "down")
CONFIRMED = 3.0  # nats: of what is beyond the bound, this rules out an artefact of the null
NEVER = 1e9  # clumping of a candidate that has no excess within items


def ordinary_rate(at: Deviations, far: float = FAR) -> Floats:
    """(C,) how often the least accurate of ordinary coders would deviate on the coder's items."""
    null, net = at.null, _net(at)
    n = null.exposure.sum(1)
    rate = (net / np.maximum(n, 1))[n > 0]
    middle = float(np.median(rate))
    spread = max(SPREAD, 1.48 * float(np.median(np.abs(rate - middle))))
    top = np.clip(middle + far * spread, 0.01, 0.99)
    hard = null.weakness / max(null.weakness @ null.exposure.sum(0) / null.exposure.sum(), 1e-9)
    hard = np.clip(null.exposure @ np.minimum(hard, 3) / np.maximum(n, 1), 0.5, 2)
    return np.asarray(np.clip(top * hard, 0, 0.99))


def _net(at: Deviations) -> Floats:
    """(C,) deviations without those that have been explained."""
    return np.asarray((at.observed / np.maximum(at.null.factors, 1)).sum((1, 2)))


@explanation(
    title="{coder} agrees less with the others",
    text="{coder} differs from the label that most others gave in {n:,} of {of:annotation} "
    "({rate}); the other coders do in {usual} of theirs ({p_value:p}).",
    advice="Read these items with the coder, and check that files, ids and labels were not "
    "mixed up. A misread guideline can be corrected; keep a considered view, and do not drop "
    "a coder to raise the coefficient.",
    remedy="coder",
)
def coder(at: Deviations) -> Iterator[Explanation]:
    """A coder who deviates more often than coders do on average, ordinarily or not."""
    if not at.sure:
        return
    net, n = _net(at), at.null.exposure.sum(1)
    ordinary = net <= ordinary_rate(at) * n
    yield from best(
        at,
        "coder",
        len(n),
        net,
        n,
        ordinary_rate(at, ABLE),
        1.0,
        lambda c: Mask(
            (c,),
            place=("ordinary",) if ordinary[c] else (),
            cells=at.mask(np.ones(at.observed.shape[1:], bool), c),
        ),
    )


@explanation(
    title="{coder} gives {first} too {often}",
    text="Where most others give {asked}, {coder} gives {answer} in {n:,} of {of:annotation} "
    "({rate}); the other coders do in {usual} of theirs ({p_value:p}).",
    advice="Read some of these items with the coder and one of the others: both may be right "
    "where the guideline is open.",
    remedy="coder",
)
def coder_gives(at: Deviations) -> Iterator[Explanation]:
    """A coder who gives a label too often, in place of any other or of one, or too seldom."""
    if not at.sure or not at.changes.plain:
        return
    n = at.changes.n
    o, e = (_with_sums(x) for x in (at.observed, at.by_others))
    dc, ec = (x[:, None, None] for x in at.of_coder)
    seen = np.zeros(o.shape)
    seen[:, :, :n] = at.within_items[0][:, None]
    seen[:, :n, n] = at.within_items[1]

    def mask(c: int, a: int, b: int) -> Mask:
        cells = np.zeros((n, n), bool)
        cells[slice(None) if a == n else a, slice(None) if b == n else b] = True
        place = SELDOM if b == n else () if a == n else (INSTEAD, a)
        return Mask((c,), (a if b == n else b,), place, at.mask(cells & ~np.eye(n, dtype=bool), c))

    clumping = np.where(seen > CONFIRMED, 1.0, NEVER)
    yield from best(at, "coder_gives", o.size, o, dc, e / ec, clumping, mask)


def _with_sums(x: Floats) -> Floats:
    """(C, K + 1, K + 1) changes, and behind them those of any value, and into any."""
    into = np.concatenate([x, x.sum(1, keepdims=True)], 1)
    return np.concatenate([into, into.sum(2, keepdims=True)], 2)


@explanation(
    title="{coder} swaps {first} and {second}",
    text="Where most others give {first} or {second}, {coder} gives the other one of the two in "
    "{n:,} of {of:annotation} ({rate}); the other coders do in {usual} of theirs ({p_value:p}).",
    advice="Ask the coder what the two names, or keys, stand for. If they were mixed up, "
    "correct the data and report it.",
    remedy="coder",
    counted=lambda beside, one, _: beside.swaps(one.coders[0], *one.labels),
)
def swapped(at: Deviations) -> Iterator[Explanation]:
    """A coder who takes two labels for each other, as with swapped keys."""
    if not at.sure:
        return
    o, e = at.changed_by
    z = (o - e) / np.sqrt(e + 1)
    both = np.minimum(z, np.swapaxes(z, 1, 2))
    o, e = (np.triu(x + np.swapaxes(x, 1, 2), 1) for x in (o, e))
    dc, ec = at.of_coder
    yield from best(
        at,
        "swapped",
        o.size / 2,
        o,
        dc[:, None, None],
        e / ec[:, None, None],
        np.where(both > 2, 1.0, NEVER),
        lambda c, a, b: Mask(
            (c,), (a, b), cells=at.mask(at.changes.cells(a, b) | at.changes.cells(b, a), c)
        ),
    )


@explanation(
    title="The values of {coder} are {direction} than those of {beside}",
    text="Where {coder} differs from {beside}, the values are {direction} in {n:,} of "
    "{of:annotation} ({rate}; {p_value:p}).",
    advice="The coder may order the items alike and use the scale differently. Fix its points "
    "by examples that all annotate.",
    remedy="coder",
    counted=lambda beside, one, items: (
        beside.above(up=one.place == WAYS[:1])
        if len(one.coders) == 2
        else usual_counts(beside, one, items, beside.differs)
    ),
)
def shifted(at: Deviations) -> Iterator[Explanation]:
    """A coder who gives higher, or lower, values than the others, or than the only other one."""
    if not at.ordinal:
        return
    every = np.ones(at.observed.shape[1:], bool)
    yield from along_the_scale(at, "shifted", np.array([np.triu(every, 1), np.tril(every, -1)]))


def along_the_scale(at: Deviations, kind: str, ways: NDArray[np.bool_]) -> Iterator[Explanation]:
    """Deviations in one of two ways (2, K, K), by latent and given value; the place says which.

    Of two coders, how often the first differs from the second so.
    """
    two = of_two(at)
    if two is not None:
        n = np.array([(two * x).sum() for x in ways[::-1]])
        yield from best(
            at,
            kind,
            2,
            n,
            n.sum(),
            np.full(2, 0.5),
            1.0,
            lambda s: Mask((0, 1), place=WAYS[s : s + 1], cells=np.stack([ways[s], ways[1 - s]])),
        )
    if not at.sure:
        return
    o, e = (np.einsum("ckl,skl->cs", x, ways) for x in (at.observed, at.by_others))
    dc, ec = at.of_coder
    yield from best(
        at,
        kind,
        o.size,
        o,
        dc[:, None],
        e / ec[:, None],
        1.0,
        lambda c, s: Mask((c,), place=WAYS[s : s + 1], cells=at.mask(ways[s], c)),
    )


@explanation(
    title="Two groups of coders read {first} and {second} differently",
    text="On items that got both labels, {coders} give {first} in {n:,} of {of:annotation} "
    "({rate}), {others} in {others_n:,} of {others_of:,} ({usual}; {p_value:p}).",
    advice="Ask both groups for their reasons before any vote: a majority only shows which "
    "group is larger. If both readings are sound, keep both; if not, decide in the guideline.",
    remedy="guideline",
    sources=("kairam2016",),
    counted=lambda beside, one, _: beside.on_both(np.array(one.coders), *one.labels),
)
def coder_groups(at: Deviations) -> Iterator[Explanation]:
    """Some coders give one label where the others give another."""
    n = at.observed.shape[0]
    if not at.sure or n < 4:
        return
    factors = np.maximum(at.null.factors, 1)  # net of what a coder was seen to do
    d, e = (at.changes.table(x / factors) for x in (at.observed, at.expected))
    rows, both = (d.sum(2), e.sum(2)), d.sum(0)
    found = []
    for a, b in np.argwhere(np.triu(both + both.T, 1) > 0).tolist():
        one = _parted(at, d, e, rows, a, b)
        if one is not None:
            found.append(one)
    yield from sorted(found, key=lambda x: -tied(x.score))[:3]


def _parted(
    at: Deviations, d: Floats, whole: Floats, rows: tuple[Floats, Floats], a: int, b: int
) -> Explanation | None:
    """The best division of coders over two labels, if it is beyond the bound.

    Net of how often each coder deviates elsewhere. Members of a group must do it about alike:
    coders who differ by degrees are no groups. The rows are sums over what labels became (C, K).
    """
    n = len(d)
    observed, expected = (np.stack([x[:, a, b], x[:, b, a]]) for x in (d, whole))
    rest, by_null = (
        r.sum(1) - x.sum(0) + 3 for r, x in zip(rows, (observed, expected), strict=True)
    )
    times = rest / by_null
    e = expected * times
    z = (observed - e) / np.sqrt(e + 1)
    lean = (observed - e)[0] - (observed - e)[1]
    order = np.argsort(tied(-lean / np.sqrt(e.sum(0) + 1)), kind="stable")
    of = np.array(rows[0][:, [a, b]].sum())
    by_all = (rows[1][:, [a, b]] * times[:, None]).sum()
    o, x = (
        np.cumsum(t[0, order])[:-1] + np.cumsum(t[1, order[::-1]])[::-1][1:] for t in (observed, e)
    )
    score = surprise(o, of, x / by_all, at.clumping[a, b])
    score -= log(2) * (n - 1) + cost(at.changes.n * (at.changes.n - 1) / 2)
    if at.changes.plain:  # more than coders who all confuse the two would show
        both = [a, b], [b, a]
        clumping = (at.null.twice[both].sum() + 1) / (at.null.once[both].sum() + 1)
        divide = surprise(o, float(observed.sum()), x / max(float(e.sum()), 1e-9), clumping)
        score[divide <= n * log(2) - log(LINK)] = 0
    for split in np.argsort(-tied(score), kind="stable").tolist():
        one, two = order[: split + 1], order[split + 1 :]
        if score[split] <= 0:
            return None
        several = (z[0, one] > 2).sum() + (z[1, two] > 2).sum() >= 2
        large = min(len(one), len(two)) >= 2
        if large and several and _alike(at, d, one, a, b) and _alike(at, d, two, b, a):
            cells = np.zeros(at.observed.shape, bool)
            cells[one] |= at.changes.cells(a, b)
            cells[two] |= at.changes.cells(b, a)
            there = float(x[split] / by_all * of)
            return Explanation(
                "coder_groups",
                tuple(sorted(one.tolist())),
                (a, b),
                (),
                float(o[split]),
                there,
                float(of),
                float(score[split]),
                float(o[split] - there) / at.n,
                cells,
            )
    return None


def _alike(at: Deviations, d: Floats, members: NDArray[np.int64], a: int, b: int) -> bool:
    """Whether the members of a group change a into b about equally often."""
    exposure = at.null.exposure[members] @ at.changes.lost[:, :, a].any(1)
    o = d[members, a, b]
    e = exposure * o.sum() / max(float(exposure.sum()), 1e-9)
    return bool(((o - e) ** 2 / (e + 0.5)).sum() < 3 * len(members))


@explanation(
    title="{coder} gives {first} where {other} gives {second}",
    text="{coder} gives {first} and {other} gives {second} on {n:,} of the {of:item} to which the "
    "two give these two labels ({p_value:p}).",
    advice="Two coders cannot show who is right. Read these items with both, and say in the "
    "guideline where the one label ends and the other begins.",
    remedy="guideline",
    sources=("darroch1986", "artstein2008"),
    counted=lambda beside, one, _: beside.two(*one.labels),
)
def one_sided(at: Deviations) -> Iterator[Explanation]:
    """Two coders who differ about two labels nearly always in the same way.

    Given how often they differ about each pair, only pairs about which they do are candidates.
    """
    values = of_two(at)
    if values is None:
        return
    crossed = at.changes.table(values)
    of = crossed + crossed.T
    yield from best(
        at,
        "one_sided",
        float((of > 0).sum()),
        crossed,
        of,
        np.full(of.shape, 0.5),
        1.0,
        lambda a, b: Mask((0, 1), (a, b), cells=_between_two(at, a, b)),
    )


def of_two(at: Deviations) -> Floats | None:
    """(K, K) items to which the first of two coders gives a value, the second another."""
    rows = at.null.patterns
    if not rows.known or rows.n_coders != 2:
        return None
    n = rows.n_values
    first = np.full(len(rows.weight), -1)
    second = first.copy()
    for c, value in enumerate((first, second)):
        own = rows.coder == c
        value[rows.row[own]] = rows.value[own]
    both = (first >= 0) & (second >= 0)
    cells = np.bincount(first[both] * n + second[both], rows.weight[both], n * n).reshape(n, n)
    return np.where(np.eye(n, dtype=bool), 0.0, cells)


def _between_two(at: Deviations, a: int, b: int) -> NDArray[np.bool_]:
    """(C, K, K) the first coder gives a where b is right, or the second b where a is."""
    return np.stack([at.changes.cells(b, a), at.changes.cells(a, b)])


# ------------------------------------------------------------------ what would have been seen

SURELY = 1.64  # standard deviations of a count above the bound, so that chance hides it seldom
MOST_SEEN = 0.9  # more than that is nothing to promise


def would_be_seen(at: Deviations) -> dict[str, float]:
    """The share of annotations in which a coder, of deviations that a pair, must have to be told.

    Of the coder with a middling number of annotations, and of the pair of labels of which least
    can be seen, among those that are no rarer than most.
    """
    found = {}
    if at.sure:
        n, rate = at.null.exposure.sum(1), ordinary_rate(at, ABLE)
        c = int(np.argsort(n, kind="stable")[len(n) // 2])
        found["coder"] = _least(0.0, n[c], rate[c], 1.0, cost(len(n))) / n[c]
    if at.changes.n > 2:
        often = at.null.exposure.sum(0) @ at.changes.held
        often = np.flatnonzero(often >= np.median(often))
        dk, ek = rows_of(at)
        e = at.changed[1] + at.changed[1].T
        each = []
        for a, b in combinations(often.tolist(), 2):
            of, clump = dk[a] + dk[b], at.clumping[a, b]
            x = _least(of, of, e[a, b] / (ek[a] + ek[b]), clump, cost(at.changes.n**2 / 2))
            each.append(x / (at.n + x))
        found["pair"] = max(each, default=1.0)
    return {key: float(x) for key, x in found.items() if x < MOST_SEEN}


def _least(more: float, of: float, share: float, clumping: float, bound: float) -> float:
    """The least count, of so many, beyond a bound; it adds to those of which it is one (``more``).

    The count that is seen for certain is larger than the bound by what chance takes away.
    """
    low, high = (0.0, 20 * of) if more else (of * share, of)
    for _ in range(40):
        x = (low + high) / 2
        n, count = (of + x, of * share + x) if more else (of, x)
        sure = count - SURELY * np.sqrt(clumping * max(count, 1))
        beyond = sure > n * share and surprise(np.array(sure), n, share, clumping) > bound
        low, high = (low, x) if beyond else (x, high)
    return high
