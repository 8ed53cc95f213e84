"""Whether a category of a solution still means what coders call by its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..actions import FILE, Action
from ..arrays import Floats
from ..diagnosis.finding import Catalogue, Finding, Told
from ..diagnosis.words import listed, quoted
from ..numbers import count_of, decimal, how_often
from .em import Climb
from .estimate import TIE
from .votes import UNKNOWN, Votes

__all__ = [
    "SAME",
    "Repurposed",
    "held_to_its_label",
    "left_to_itself",
    "repurposed",
    "solutions_refused",
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
    label = np.where(
        np.count_nonzero(q >= q.max(1, keepdims=True) - TIE, axis=1) > 1, -1, q.argmax(1)
    )
    return tuple(
        Repurposed(
            k, float(expected[k]), float(unsaid[k]), float(expected[k] / len(q)),
            int((label == k).sum()), int(((label == k) & silent[:, k]).sum()),
            round(float(counts[:, k].sum())),
        )
        for k in strange[np.argsort(-unsaid[strange], kind="stable")].tolist()
    )  # fmt: skip


def left_to_itself(votes: Votes, found: Sequence[Repurposed]) -> Finding:
    """The warning that categories of a fit do not mean their labels."""
    first = found[0]
    name = quoted(votes.categories[first.category])
    return Finding(
        "repurposed_category",
        "warning",
        f"The model uses {name} for other items than the coders do: it assigns {name} to "
        f"{_numbers(votes, first)}{_others(votes, found)}.",
        f"Do not read the label of these items as {name}. The pooled model ties such a category to "
        "its label; or leave the category out if it was a slip. Such a class often shows coder "
        "groups, or items that differ in kind.",
        _evidence(votes, found, held=False),
        do=(Action("fit", {"model": "pooled"}), Action("coders"), CHECKS),
    )


def held_to_its_label(
    votes: Votes, found: Sequence[Repurposed], q: Floats, right: float
) -> Finding:
    """The warning that what coders do with categories had to be assumed.

    Parameters
    ----------
    votes : Votes
    found : sequence of Repurposed
        As the model had it when it was left to itself.
    q : ndarray
        (I, K) the probabilities now.
    right : float
        The probability that is assumed of a right answer.
    """
    first = found[0]
    name = quoted(votes.categories[first.category])
    now = int((q.argmax(1) == first.category).sum())
    several = len(found) > 1
    return Finding(
        "repurposed_category",
        "warning",
        f"Without a constraint the model uses {name} for other items than the coders do: it would "
        f"assign {name} to {_numbers(votes, first)}{_others(votes, found)}. So the accuracy of "
        f"coders where {'one of these categories' if several else name} is true was not estimated "
        f"but set to {right:.1f}. Now {count_of(now, 'item gets', 'items get')} the label {name}.",
        f"If {name} is a slip, correct it. If it is a category, have more clear cases of it "
        "annotated, or add some as control items. Such a class often shows coder groups, or items "
        "that differ in kind.",
        {**_evidence(votes, found, held=True), "n_held": now},
        do=(Action("", {"gold": FILE}, "control items"), Action("coders"), CHECKS),
    )


def _numbers(votes: Votes, one: Repurposed) -> str:
    """Of how many items, and how often coders gave it."""
    return (
        f"{count_of(one.items, 'item')} (prevalence {decimal(one.prevalence)}), though no coder "
        f"gave it to {one.unsaid_items:,} of them, and in all it was given "
        f"{how_often(one.given)} in {count_of(float(votes.counts.sum()), 'annotation')}"
    )


def _others(votes: Votes, found: Sequence[Repurposed]) -> str:
    more = [votes.categories[one.category] for one in found[1:]]
    return f". The same holds for {listed(more)}" if more else ""


def _evidence(votes: Votes, found: Sequence[Repurposed], *, held: bool) -> dict[str, object]:
    first = found[0]
    return {
        "category": votes.categories[first.category],
        "categories": tuple(votes.categories[one.category] for one in found),
        "prevalence": first.prevalence,
        "n": first.items,
        "unsaid": first.unsaid_items,
        "given": first.given,
        "held": held,
    }


@Catalogue().rule("note")
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
