"""Where a model starts, which of several solutions it keeps: categories keep their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..actions import FILE, Action
from ..arrays import Bools, Floats
from ..diagnosis.finding import Told, found_by, rule
from ..diagnosis.words import listed, quoted
from ..numbers import ESTIMATED, count_of, how_often, tied
from .em import Climb, How
from .emission import with_known
from .estimate import Estimate, label_codes
from .estimators.canonical import places
from .votes import UNKNOWN, Votes

__all__ = [
    "ALIKE",
    "SAME",
    "Repurposed",
    "anchor",
    "best_of",
    "part_of",
    "repurposed",
    "repurposed_category",
    "solutions_refused",
    "starts",
    "switched",
]


MOSTLY = 0.5  # of the items that are believed to be of a category
LEAST = 2.0  # such items, in expectation: one of them may be a slip
CHECKS = Action("report", {"fit": "pooled"}, "with posterior predictive checks")
SAME = 1e-3  # nats: the same solution but for where the loop stopped


@dataclass(frozen=True)
class Repurposed:
    """A category that a model uses for something else than coders do.

    Parameters
    ----------
    category : int
        Its position.
    expected : float
        Items that are believed to be of it, as a sum of probabilities.
    unsaid : float
        Those among them that no coder called so.
    prevalence : float
        ``expected`` as a share of the items.
    items, unsaid_items : int
        The same for items whose label it is.
    given : int
        How often coders gave it.
    """

    category: int
    expected: float
    unsaid: float
    prevalence: float
    items: int
    unsaid_items: int
    given: int


def repurposed(votes: Votes, q: Floats) -> tuple[Repurposed, ...]:
    """The categories that no longer mean their labels, the most items first.

    That is so if most items that are believed to be of a category were called so by nobody, and
    coders say something else of its items more often. A coder who gives a wrong label to an item
    is what models are for; but if nobody says k of the items of k, these are a class without a
    name that took the one of a category for which there was little evidence.

    Parameters
    ----------
    votes : Votes
        Control items do not count, nor items without a label.
    q : ndarray
        (I, K) probabilities.

    Returns
    -------
    tuple of Repurposed

    Notes
    -----
    Either condition by itself is harmless: where most coders overlook a category, they say
    something else more often and yet somebody says it of most of its items; and a category of
    three items of which nobody said it is a category with two slips.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> found = votes(read([list("aaaabc"), list("aaaabc")]))
    >>> repurposed(found, found.shares)
    ()
    >>> (one,) = repurposed(found, found.shares[:, [2, 1, 0]])
    >>> found.categories[one.category], one.items, one.unsaid_items, one.given
    ('c', 4, 4, 2)
    """
    counts = votes.counts
    free = (votes.known == UNKNOWN) & (counts.sum(1) > 0)
    if not free.all():
        q, counts = q[free], counts[free]
    expected = q.sum(0)
    silent = counts == 0
    unsaid = np.einsum("ik,ik->k", q, silent)
    said = q.T @ counts
    elsewhere = said.max(1) > said.diagonal()
    strange = np.flatnonzero((unsaid > LEAST) & (unsaid > MOSTLY * expected) & elsewhere)
    if not len(strange):
        return ()
    label = label_codes(q)
    return tuple(
        Repurposed(
            k,
            float(expected[k]),
            float(unsaid[k]),
            float(expected[k] / len(q)),
            int((label == k).sum()),
            int(((label == k) & silent[:, k]).sum()),
            round(float(counts[:, k].sum())),
        )
        for k in strange[np.argsort(-tied(unsaid[strange], ESTIMATED), kind="stable")].tolist()
    )


@rule("warning")
def repurposed_category(
    votes: Votes, found: Sequence[Repurposed], q: Floats | None = None, right: float = 0.0
) -> Told | None:
    """A class that stands for other items.

    {who} uses {category:quoted} for other items than the coders do: it {assigns} {category:quoted}
    to {n:item} (prevalence {prevalence:.3}), though no coder gave it to {unsaid:,} of them, and in
    all it was given {often} in {annotations:annotation}{others}.{so}

    {advice} Such a class often shows coder groups, or items that differ in kind.
    """
    # q (I, K): the probabilities now, if the categories are held to their labels by a probability
    # that is assumed of a right answer; None if the model was left to itself
    if not found:
        return None
    first, held = found[0], q is not None
    name = quoted(votes.categories[first.category])
    categories = tuple(votes.categories[one.category] for one in found)
    facts = {
        "category": categories[0],
        "categories": categories,
        "prevalence": first.prevalence,
        "n": first.items,
        "unsaid": first.unsaid_items,
        "given": first.given,
        "held": held,
    }
    words = {
        "who": "The model",
        "assigns": "assigns",
        "often": how_often(first.given),
        "annotations": float(votes.counts.sum()),
        "so": "",
        "others": f". The same holds for {listed(categories[1:])}" if found[1:] else "",
        "advice": f"Do not read the label of these items as {name}. The pooled model ties such a "
        "category to its label; or leave the category out if it was a slip.",
    }
    if q is None:
        return Told(facts, words, do=(Action("fit", {"model": "pooled"}), Action("coders"), CHECKS))
    now = int((q.argmax(1) == first.category).sum())
    words |= {
        "who": "Without a constraint the model",
        "assigns": "would assign",
        "so": " So the accuracy of coders where "
        f"{'one of these categories' if found[1:] else name} is true was not estimated but set to "
        f"{right:.1f}. Now {count_of(now, 'item gets', 'items get')} the label {name}.",
        "advice": f"If {name} is a slip, correct it. If it is a category, have more clear cases "
        "of it annotated, or add some as control items.",
    }
    do = Action("", {"gold": FILE}, "control items"), Action("coders"), CHECKS
    return Told(facts | {"n_held": now}, words, do=do)


@rule("note")
def solutions_refused(
    votes: Votes,
    chosen: Climb,
    reached: Floats,
    taken: Floats,
    lost: Sequence[Sequence[Repurposed]],
) -> Told | None:
    """Better solutions that were not taken, since their categories mean something else.

    {n:,} of {of:start} led to a {objective} up to {gap:.2} higher that was excluded: {what}.

    If a model fits better with a category that stands for other items, there may be coder groups,
    or items may differ in kind.
    """
    # (R,) objectives as reached and as taken, minus infinity for what cannot be; what each lost
    better = np.flatnonzero((reached > chosen.value + SAME) & np.isneginf(taken))
    if not len(better):
        return None
    top = int(better[np.argmax(reached[better])])
    what = "there the labels of categories are exchanged"
    if lost[top]:
        first = lost[top][0]
        name, items = quoted(votes.categories[first.category]), count_of(first.items, "item")
        unsaid = f"no coder gave it to {first.unsaid_items:,} of them"
        what = f"there {name} is the label of {items}, and {unsaid}"
    categories = tuple(votes.categories[one.category] for one in lost[top])
    gap = float(reached[top] - chosen.value)
    return Told(
        {"n": len(better), "gap": gap, "categories": categories},
        {"of": len(reached), "objective": chosen.objective, "what": what},
        do=(Action("coders"), CHECKS),
    )


Ints = NDArray[np.intp]
Run: TypeAlias = Callable[[Floats, How], Estimate]
Starts: TypeAlias = Callable[[Votes, How], Iterator[Floats]]

OWN = 0.7  # share of a start that comes from the item's own votes
ALIKE = 2.0  # nats: with a smaller difference the data do not tell two solutions apart
FEW = 0.01  # of the items


def anchor(votes: Votes) -> Floats:
    """(I, K) the start that gives categories their meaning: shares of the votes.

    Control items have their category.
    """
    controlled = (votes.known != UNKNOWN).any()
    return with_known(votes, votes.shares) if controlled else votes.shares


def starts(votes: Votes, how: How) -> Iterator[Floats]:
    """Further starts (I, K) near the votes, ``how.restarts`` of them.

    In each, every coder has a random weight in each item, and every item borrows some votes of
    another item drawn at random. A start knows nothing of what items, coders and categories are
    called, nor of how rows are ordered: draws go to items and coders as they stand in an order
    that the annotations alone decide (`canonical.places`).

    Parameters
    ----------
    votes : Votes
    how : How

    Yields
    ------
    ndarray
        (I, K) probabilities.
    """
    given = votes.label < votes.n_categories
    if not how.restarts or not given.any():
        return
    place, stand, _ = places(votes)
    order = np.argsort(place)
    cell = place[votes.item].astype(np.int64) * votes.n_coders + stand[votes.coder]
    pair = np.unique(cell[given])  # a coder and an item
    group = np.minimum(np.searchsorted(pair, cell), len(pair) - 1)
    for k in range(how.restarts):
        rng = how.generator(1, k)
        own = votes.tally(rng.exponential(size=len(pair))[group] * votes.times)
        total = own.sum(1, keepdims=True)
        own = np.where(total > 0, own / np.where(total > 0, total, 1), votes.shares)
        share = 1 - rng.beta(1, OWN / (1 - OWN), votes.n_items)[place][:, None]
        other = order[rng.integers(0, votes.n_items, votes.n_items)[place]]
        yield with_known(votes, share * own + (1 - share) * votes.shares[other])


def best_of(
    votes: Votes, how: How, run: Run, further: Starts = starts, first: Estimate | None = None
) -> Estimate:
    """The best solution from the votes and ``how.restarts`` starts near them.

    Parameters
    ----------
    votes : Votes
    how : How
    run : callable
        Fits the model once: from a start (I, K) and how to climb to an `Estimate`.
    further : callable
        Yields the starts after the first, if the model has some of its own.
    first : Estimate, optional
        The solution from the votes, if it stands ready.

    Returns
    -------
    Estimate
        That with the highest objective among those whose categories still mean what the votes
        say; with all other climbs in ``restarts``, with the finding ``several_solutions`` where
        another one is as good and gives other labels, and with ``solutions_refused`` where a
        better one has categories that mean something else.

    Notes
    -----
    A solution with exchanged categories (label switching) is turned back and climbed from there;
    if it exchanges them again it is not taken, nor is one that uses a category for something else
    (see `repurposed`), unless all do. Of solutions that are the same but for rounding the
    first is taken.
    """
    found = [run(anchor(votes), part_of(how, 0)) if first is None else first]
    if how.restarts == 0:
        return found[0]
    turned = [False]
    for k, start in enumerate(further(votes, how), start=1):
        estimate = run(start, part_of(how, k))
        order = switched(votes, estimate.probabilities)
        if order is not None:
            back = with_known(votes, estimate.probabilities[:, order])
            estimate = run(np.ascontiguousarray(back), part_of(how, k))
        found.append(estimate)
        turned.append(order is not None and switched(votes, estimate.probabilities) is not None)
    reached = np.array([e.climb.value for e in found])
    if np.isnan(reached).any():
        return found[0]
    lost = [repurposed(votes, e.probabilities) for e in found]
    value = np.where(_meant(turned, lost), reached, -np.inf)
    best = int(np.argmax(value >= value.max() - SAME))
    others = tuple(e.climb for k, e in enumerate(found) if k != best)
    told = found_by(
        several_solutions(votes, found, value, best),
        solutions_refused(votes, found[best].climb, reached, value, lost),
    )
    findings = (*found[best].findings, *told)
    return replace(found[best], restarts=others, findings=findings)


def _meant(turned: list[bool], lost: list[tuple[Repurposed, ...]]) -> Bools:
    """Which solutions may be taken: the best as to meaning, and never worse than the votes'."""
    own = {one.category for one in lost[0]}
    no_worse = [
        not exchanged and {one.category for one in x} <= own
        for exchanged, x in zip(turned, lost, strict=True)
    ]
    clear = [good and not x for good, x in zip(no_worse, lost, strict=True)]
    return np.array(clear if any(clear) else no_worse, np.bool_)


def part_of(how: How, k: int) -> How:
    """One of several runs, which reports its progress as a part of all."""
    report, runs = how.progress, how.restarts + 1
    if report is None or runs == 1:
        return how

    def shifted(done: int, total: int) -> None:
        report(k * total + done, runs * total)

    return replace(how, progress=shifted)


def switched(votes: Votes, q: Floats) -> Ints | None:
    """(K,) the categories of the votes that those of a solution mean, or None if its own.

    Found by the assignment that puts most of what coders said on the diagonal of the confusion
    matrix of all coders together (each row a distribution; Hungarian method).

    Parameters
    ----------
    votes : Votes
    q : ndarray
        (I, K) probabilities of a solution.

    Returns
    -------
    ndarray of int or None
        ``q[:, order]`` has its categories in the order of the votes.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> found = votes(read([["a", "b", "a"], ["a", "b", "b"]]))
    >>> switched(found, found.shares), switched(found, found.shares[:, ::-1]).tolist()
    (None, [1, 0])
    """
    from scipy.optimize import linear_sum_assignment

    said = q.T @ votes.shares
    total = said.sum(1, keepdims=True)
    k = np.arange(len(said))
    said = np.where(total > SAME, said / np.where(total > SAME, total, 1), np.eye(len(said)))
    row, column = linear_sum_assignment(said, maximize=True)
    if said[row, column].sum() <= said[k, k].sum() + SAME:
        return None
    return np.argsort(column)


@rule("note", "dawid1979")
def several_solutions(votes: Votes, found: list[Estimate], value: Floats, best: int) -> Told | None:
    """The nearest other solution that gives other labels, if the data hardly tell it apart.

    From another start the model reaches a solution whose {objective} is only {gap:.2} lower
    ({other:.2} instead of {own:.2}), and {n:item} of {of:,} would get another label:
    {items:listed}.

    Have these items annotated by more coders, or read them yourself: a difference below 2 does not
    tell two solutions apart.
    """
    chosen = found[best].probabilities
    label = chosen.argmax(1)
    for k in np.argsort(-value, kind="stable").tolist():
        gap = float(value[best] - value[k])
        if gap > ALIKE:
            break
        other = found[k].probabilities
        differs = np.flatnonzero((other.argmax(1) != label) & (np.abs(other - chosen).max(1) > 0.1))
        n = len(differs)
        if not n:
            continue
        first = differs[
            np.argsort(-tied(np.abs(other - chosen).max(1)[differs], ESTIMATED), kind="stable")
        ]
        names = [votes.items[int(i)] for i in first]
        alike = int((value >= value[best] - ALIKE).sum())
        return Told(
            {"gap": gap, "n": n, "items": names, "solutions": alike, "chosen": best},
            {
                "objective": found[best].climb.objective,
                "other": float(value[k]),
                "own": float(value[best]),
                "of": votes.n_items,
                "gap": abs(gap),
            },
            "warning" if n > FEW * votes.n_items else None,
        )
    return None
