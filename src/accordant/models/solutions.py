"""Where a model starts, which of several solutions it keeps: categories keep their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..numbers import ESTIMATED, tied
from .em import How
from .emission import with_known
from .estimate import Estimate, label_codes
from .votes import UNKNOWN, Votes

Run: TypeAlias = Callable[[Floats, How], Estimate]
Starts: TypeAlias = Callable[[Votes, How], Iterator[Floats]]

MOSTLY = 0.5  # of the items that are believed to be of a category
LEAST = 2.0  # such items, in expectation: one of them may be a slip
SAME = 1e-3  # nats: the same solution but for where the loop stopped
OWN = 0.7  # share of a start that comes from the item's own votes


@dataclass(frozen=True)
class Repurposed:
    """A category (its position) that a model uses for something else than coders do.

    ``items`` have its label, of which ``unsaid`` were called so by no coder.
    """

    category: int
    items: int
    unsaid: int


def repurposed(votes: Votes, q: Floats) -> tuple[Repurposed, ...]:
    """The categories that no longer mean their labels, the most items first.

    That is so if most items that are believed to be of a category were called so by nobody, and
    coders say something else of its items more often. A coder who gives a wrong label to an item
    is what models are for; but if nobody says k of the items of k, these are a class without a
    name that took the one of a category for which there was little evidence. Either condition by
    itself is harmless: where most coders overlook a category, they say something else more often
    and yet somebody says it of most of its items.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> found = votes(read([list("aaaabc"), list("aaaabc")]))
    >>> repurposed(found, found.shares)
    ()
    >>> (one,) = repurposed(found, found.shares[:, [2, 1, 0]])
    >>> found.categories[one.category], one.items, one.unsaid
    ('c', 4, 4)
    """
    counts = votes.counts
    free = (votes.known == UNKNOWN) & (counts.sum(1) > 0)
    if not free.all():
        q, counts = q[free], counts[free]
    silent = counts == 0
    unsaid = np.einsum("ik,ik->k", q, silent)
    said = q.T @ counts
    elsewhere = said.max(1) > said.diagonal()
    strange = np.flatnonzero((unsaid > LEAST) & (unsaid > MOSTLY * q.sum(0)) & elsewhere)
    label = label_codes(q) if len(strange) else np.empty(0)
    order = strange[np.argsort(-tied(unsaid[strange], ESTIMATED), kind="stable")].tolist()
    return tuple(
        Repurposed(k, int((label == k).sum()), int(((label == k) & silent[:, k]).sum()))
        for k in order
    )


def anchor(votes: Votes) -> Floats:
    """(I, K) the start that gives categories their meaning: shares of the votes."""
    controlled = (votes.known != UNKNOWN).any()
    return with_known(votes, votes.shares) if controlled else votes.shares


def starts(votes: Votes, how: How) -> Iterator[Floats]:
    """Further starts (I, K) near the votes, ``how.restarts`` of them.

    In each, every coder has a random weight in each item, and every item borrows some votes of
    another item drawn at random. Draws go to items and coders in the order of their names, so that
    the order of rows changes nothing.
    """
    cell = votes.place[votes.item].astype(np.int64) * votes.n_coders + votes.coder
    pair, group = np.unique(cell, return_inverse=True)  # a coder and an item
    for k in range(how.restarts):
        rng = how.generator(1, k)
        own = votes.tally(rng.exponential(size=len(pair))[group] * votes.times)
        total = own.sum(1, keepdims=True)
        own = np.where(total > 0, own / np.where(total > 0, total, 1), votes.shares)
        share = 1 - rng.beta(1, OWN / (1 - OWN), votes.n_items)[votes.place][:, None]
        other = votes.order[rng.integers(0, votes.n_items, votes.n_items)[votes.place]]
        yield with_known(votes, share * own + (1 - share) * votes.shares[other])


def best_of(
    votes: Votes, how: How, run: Run, further: Starts = starts, first: Estimate | None = None
) -> Estimate:
    """The best solution from the votes (``first``, if it stands ready) and further starts.

    That is the one with the highest objective among those whose categories still mean what the
    votes say; all other climbs stand in ``restarts``. A solution with exchanged categories (label
    switching) is turned back and climbed from there; if it exchanges them again it is not taken,
    nor is one that uses a category for something else (see `repurposed`), unless all do. Of
    solutions that are the same but for rounding the first is taken.
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
    lost = [{one.category for one in repurposed(votes, e.probabilities)} for e in found]
    no_worse = [not t and x <= lost[0] for t, x in zip(turned, lost, strict=True)]
    clear = [good and not x for good, x in zip(no_worse, lost, strict=True)]
    taken = clear if any(clear) else no_worse
    value = np.where(taken, [e.climb.value for e in found], -np.inf)
    best = int(np.argmax(value >= value.max() - SAME))
    others = tuple(e.climb for k, e in enumerate(found) if k != best)
    return replace(found[best], restarts=others)


def part_of(how: How, k: int) -> How:
    """One of several runs, which reports its progress as a part of all."""
    report, runs = how.progress, how.restarts + 1
    if report is None or runs == 1:
        return how

    def shifted(done: int, total: int) -> None:
        report(k * total + done, runs * total)

    return replace(how, progress=shifted)


def switched(votes: Votes, q: Floats) -> NDArray[np.intp] | None:
    """(K,) the categories of the votes that those of a solution mean, or None if its own.

    Found by the assignment that puts most of what coders said on the diagonal of the confusion
    matrix of all coders together (each row a distribution; Hungarian method). ``q[:, order]`` has
    its categories in the order of the votes.

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
