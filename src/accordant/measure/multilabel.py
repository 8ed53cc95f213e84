"""Coefficients of label sets: label draw, soft-match, and means over labels.

Several labels can be right. Then chance is not one label drawn from a distribution, but a number
of labels and as many different labels (Marchal et al. 2022). The paper simulates such coders; here
their agreement is computed exactly where they can draw at most 100,000 sets, and
`Coefficient.simulation` is there to confirm it, and for the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..counts.counts import Counts
from ..errors import RequestError
from .chance import alpha, kappa
from .registry import Coefficient, Parts, Progress, Weighed
from .sets import SCORES, DividedVote, OfSets, Score, Terms, label_sets
from .weights import Identity, Weights

# ------------------------------------------------------------------ label draw


def _too_many_sets(counts: Counts) -> bool:
    """Whether coders can draw so many sets that expected agreement has to be simulated."""
    from .label_draw import few_sets

    return not few_sets(*_habits(counts))


@Coefficient(
    symbol="boot",
    name="Label draw",
    variants=(
        "boot-match (weights overlap)",
        "boot-precision, boot-recall, boot-F1 (weights precision, recall, f1)",
        "Cohen's kappa (single labels)",
    ),
    aliases=("marchal",),
    sources=("marchal2022",),
    formula=r"A_e = \binom{C}{2}^{-1} \sum_{c<d} \mathrm{E}\, w(A_c, A_d), \quad "
    r"|A_c| \sim q_c,\ A_c \text{ drawn without replacement from } p_c",
    needs_coders=True,
    of_sets="overlap",
    only_sets=True,
    simulated_if=_too_many_sets,
)
def boot(counts: Counts, w: Weights) -> Floats:
    """By chance, each coder draws a number of labels, then that many different labels.

    Both are drawn from the coder's own distributions: of label counts, and of labels.
    """
    from .label_draw import expected_score

    score, habits = _score(w), _habits(counts)
    if not isinstance(counts.times, np.ndarray) or counts.times.ndim > 1:
        return expected_score(score, *habits)
    known = _KNOWN.setdefault(counts, {})
    key = Terms(score, habits[1].shape[-1] - 1).by_overlap.tobytes()
    if key not in known:
        known[key] = expected_score(score, *habits)
    return known[key]


_KNOWN: WeakKeyDictionary[Counts, dict[bytes, Floats]] = WeakKeyDictionary()
"""Of counts that are not resamples, by the score: intervals ask again, which may take seconds."""


@boot.slope
def _(counts: Counts, w: Weights) -> Floats:
    from .label_draw import expected_score_slope

    sets = label_sets(counts.values)
    labels, sizes = _habits(counts)  # (C, L) and (C, S + 1), as numbers of labels and of items
    by_label, by_size = expected_score_slope(_score(w), labels, sizes)
    p, q = (x / np.maximum(x.sum(-1, keepdims=True), 1) for x in (labels, sizes))
    given = by_label @ sets.members.T - (by_label * p).sum(-1)[:, None] * sets.size
    number = by_size @ sets.by_size().T - (by_size * q).sum(-1)[:, None]
    pull = given / np.maximum(labels.sum(-1), 1)[:, None]
    pull += number / np.maximum(sizes.sum(-1), 1)[:, None]
    return counts.sum_entries(float(counts.n_items) * pull[counts.coder, counts.value])


@boot.simulation
def _(
    counts: Counts, w: Weights, n: int, rng: np.random.Generator, progress: Progress = None
) -> Floats:
    """The paper's way: as many items as there are, drawn again n times."""
    from .label_draw import simulated_score

    n_items = int(counts.n_items)
    return simulated_score(_score(w), *_habits(counts), n_items, n, rng, progress)


def _habits(counts: Counts) -> tuple[Floats, Floats]:
    """How often each coder gave each label (..., C, L), and how many labels (..., C, S + 1)."""
    sets = label_sets(counts.values)
    n = counts.by_coder
    return n @ sets.members.astype(float), n @ sets.by_size()


def _score(w: Weights) -> Score:
    if isinstance(w, OfSets):
        return w.score
    if isinstance(w, Identity):
        return SCORES["identity"]
    if isinstance(w, DividedVote) and w.equal:
        return SCORES["divided-vote"]
    raise RequestError(
        f"label draw needs weights that compare label sets ({', '.join(SCORES)}), not {w.name!r}"
    )


# ------------------------------------------------------------------ soft-match


def _usually_too_high(counts: Counts, w: Weights) -> str | None:
    """What the value leaves aside where a coder gave several labels."""
    if int(label_sets(counts.values).size.max(initial=0)) < 2:
        return None
    return (
        "usually too high: expected agreement assumes one label per coder (Marchal et al. "
        "2022); report boot-match"
    )


@Coefficient(
    symbol="soft-match",
    name="Soft-match",
    sources=("marchal2022", "crible2019"),
    formula=r"A_e = \sum_k \tilde p_{1k}\, \tilde p_{2k}, \quad \tilde p "
    r"\text{ after each item was reduced to a label that both coders gave}",
    needs_coders=True,
    of_sets="overlap",
    only_sets=True,
    fixed_weights=True,
    remark_of=_usually_too_high,
)
def soft_match(counts: Counts, w: Weights) -> Floats:
    """By chance, each coder draws one label, as if nobody had given a second one.

    Where two coders share labels both are taken to have given a shared one, so chance is
    usually estimated too low and the value too high. An item that only one coder annotated keeps
    that coder's labels.
    """
    total, n = np.zeros(counts.n_items.shape), np.zeros(counts.n_items.shape)
    for one, other, _ in _softened(counts):
        chance = (one * other).sum(-1)
        known = ~np.isnan(chance)
        total, n = total + np.where(known, chance, 0), n + known
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(total / n)


@soft_match.slope
def _(counts: Counts, w: Weights) -> Floats:
    total, n_pairs = np.zeros(counts.n_patterns), 0
    for one, other, (first, second) in _softened(counts):
        chance = float(one @ other)
        for votes, against in ((first, other), (second, one)):
            here = votes.any(-1)
            n = float(counts.times @ here)
            total += np.where(here, votes @ against - chance, 0) / n
        n_pairs += 1
    return float(counts.n_items) * total / max(n_pairs, 1)


def _softened(counts: Counts) -> Iterator[tuple[Floats, Floats, tuple[Floats, Floats]]]:
    """Each pair of coders, reduced: two distributions (..., L + 1), and votes (P, L + 1) each.

    The vote of an item goes to the labels that both gave, in equal parts; where they share
    none, or where one of them gave nothing, to the coder's own labels (the paper's footnote 3).
    """
    sets = label_sets(counts.values)
    own = sets.votes()
    held = np.column_stack([sets.members, sets.size == 0]).astype(float)
    value = np.full((counts.n_coders, counts.n_patterns), -1)
    value[counts.coder, counts.row] = counts.value
    for c, d in combinations(range(counts.n_coders), 2):
        a, b = value[c], value[d]
        both = held[a] * held[b] * ((a >= 0) & (b >= 0))[:, None]
        n_shared = both.sum(-1, keepdims=True)
        shared = both / np.maximum(n_shared, 1)
        votes = tuple(np.where(n_shared > 0, shared, own[v] * (v >= 0)[:, None]) for v in (a, b))
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = [
                counts.times @ x / np.asarray(counts.times @ x.any(-1).astype(float))[..., None]
                for x in votes
            ]
        yield shares[0], shares[1], (votes[0], votes[1])


@soft_match.simulation
def _(
    counts: Counts, w: Weights, n: int, rng: np.random.Generator, progress: Progress = None
) -> Floats:
    """Section 3.1: one label is drawn for each item, the same for both where they share some."""
    found = np.zeros(n)
    times = counts.times.astype(int)
    pairs = list(_softened(counts))
    for k in range(n):
        found[k] = np.mean([_sampled(*votes, times, rng) for _, _, votes in pairs])
        if progress:
            progress(k + 1, n)
    return found


def _sampled(
    first: Floats, second: Floats, times: NDArray[np.int64], rng: np.random.Generator
) -> float:
    """Expected agreement of two coders after one label was drawn for each item."""
    shared = (first == second).all(-1)
    one = rng.multinomial(np.where(first.any(-1), times, 0), _whole(first))
    other = rng.multinomial(np.where(second.any(-1), times, 0), _whole(second))
    other = np.where(shared[:, None], one, other)
    p, q = (x.sum(0) / max(x.sum(), 1) for x in (one, other))
    return float(p @ q)


def _whole(votes: Floats) -> Floats:
    """Votes with the last cell filled up to one: what the multinomial distribution asks for."""
    rest = np.maximum(1 - votes[:, :-1].sum(-1, keepdims=True), 0)
    return np.column_stack([votes[:, :-1], rest])


# ------------------------------------------------------------------ means over labels


RARE = 5


def _each_label(base: Coefficient, counts: Counts) -> Iterator[Weighed]:
    """The coefficient of each label, given or not given."""
    sets = label_sets(counts.values)
    for label, holds in zip(sets.labels, sets.members.T, strict=True):
        two = counts.merged(holds.astype(np.int64), (f"not {label}", label))
        yield base, two, Identity("identity", 2)


def _mean_over_labels(base: Coefficient, counts: Counts, w: Weights) -> Parts:
    """Mean A_o, A_e and value of the labels that have a value."""
    found = [c.parts(two, yes_no) for c, two, yes_no in _each_label(base, counts)]
    if not found:
        alike = np.ones(counts.n_items.shape)  # nobody gave a label: nothing tells them apart
        return Parts(alike, alike, np.full(counts.n_items.shape, np.nan))
    table = np.stack([(x.observed, x.expected, x.value) for x in found], axis=1)
    known = ~np.isnan(table[2])
    any_known = known.any(0)
    use = np.where(any_known, known, True)  # where no label has a value, all say why
    with np.errstate(invalid="ignore", divide="ignore"):
        observed, expected, value = np.where(use, table, 0).sum(1) / use.sum(0)
    return Parts(observed, expected, np.where(any_known, value, np.nan))


def _about_labels(base: Coefficient, counts: Counts, w: Weights) -> str | None:
    """Which labels are not in the mean, and which make its interval doubtful."""
    sets = label_sets(counts.values)
    given = counts.sum_by_value(np.ones(counts.n_patterns)) @ sets.members.astype(float)
    values = [float(c.parts(two, yes_no).value) for c, two, yes_no in _each_label(base, counts)]
    known = ~np.isnan(values)
    parts = []
    if not known.all():
        parts.append(
            f"mean of {known.sum():,} of {len(known):,} labels; the others have no {base.key}"
        )
    rare = [str(x) for x, n, has in zip(sets.labels, given, known, strict=True) if has and n < RARE]
    if rare:
        names = ", ".join(rare[:5]) + (f" and {len(rare) - 5:,} more" if len(rare) > 5 else "")
        parts.append(
            f"labels given fewer than {RARE} times ({names}) count as much as the others: the "
            "interval is too narrow"
        )
    return "; ".join(parts) or None


@Coefficient(
    symbol="κ per label",
    name="Mean κ over labels",
    aliases=("mean_label_kappa", "binary_kappa", "per_label"),
    sources=("levi2022", "cohen1960"),
    formula=r"\frac{1}{L} \sum_l \kappa_l \text{ of label } l \text{ given or not}",
    needs_coders=True,
    of_sets="identity",
    only_sets=True,
    fixed_weights=True,
    parts_of=partial(_mean_over_labels, kappa),
    each_of=partial(_each_label, kappa),
    remark_of=partial(_about_labels, kappa),
)
def label_kappa(counts: Counts, w: Weights) -> Floats:
    """By chance, each coder gives each label independently, as often as that coder gives it."""
    return _mean_over_labels(kappa, counts, w).expected


@Coefficient(
    symbol="α per label",
    name="Mean α over labels",
    aliases=("mean_label_alpha", "binary_alpha"),
    sources=("krippendorff2011",),
    formula=r"\frac{1}{L} \sum_l \alpha_l \text{ of label } l \text{ given or not}",
    of_sets="identity",
    only_sets=True,
    fixed_weights=True,
    pairs_only=True,
    parts_of=partial(_mean_over_labels, alpha),
    each_of=partial(_each_label, alpha),
    remark_of=partial(_about_labels, alpha),
)
def label_alpha(counts: Counts, w: Weights) -> Floats:
    """By chance, coders give each label independently, as often as all of them give it."""
    return _mean_over_labels(alpha, counts, w).expected
