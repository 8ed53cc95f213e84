"""Votes counted with weights, and who won: a tie belongs to all who tie."""

from __future__ import annotations

import numpy as np

from ...actions import Action
from ...arrays import Bools, Floats
from ...diagnosis.finding import Catalogue, Contrast, Evidence, Told
from ...diagnosis.words import label_text
from ..votes import UNKNOWN, Votes
from .pooling import answers_by_truth, rows_of

__all__ = [
    "agreement", "one_vote_each", "pooled_with_margin", "shares_of", "tally", "tied", "ties",
    "winners", "with_known",
]  # fmt: skip


EQUAL = 1e-9  # relative: sums of weights that differ by less are equal
MOST_KINDS = 5  # of ties, in a finding


def one_vote_each(votes: Votes) -> Floats:
    """(N,) how much each annotation counts if a coder has one vote for an item.

    However often the coder was asked; who gave several labels divides the vote among them.
    """
    pair = votes.item.astype(np.int64) * votes.n_coders + votes.coder
    said = votes.label < votes.n_categories
    first = np.flatnonzero(np.diff(pair, prepend=-1))
    total = np.add.reduceat(np.where(said, votes.times, 0), first) if len(first) else np.empty(0)
    total = np.repeat(total, np.diff(first, append=len(pair)))
    return np.where(said, votes.times / np.where(total > 0, total, 1), 0)


def tally(votes: Votes, weight: Floats) -> Floats:
    """(I, K) sum of the weights (N,) of the annotations with each label."""
    said = votes.label < votes.n_categories
    cell = votes.item[said].astype(np.int64) * votes.n_categories + votes.label[said]
    n = votes.n_items * votes.n_categories
    return np.asarray(np.bincount(cell, weight[said], n).reshape(votes.n_items, -1), np.float64)


def shares_of(counts: Floats, otherwise: Floats) -> Floats:
    """(I, K) shares of a tally; ``otherwise`` where nothing counts."""
    total = counts.sum(1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1), otherwise)


def with_known(votes: Votes, shares: Floats) -> Floats:
    """The same (I, K), with control items in their category."""
    control = np.flatnonzero(votes.known != UNKNOWN)
    found = shares.copy()
    found[control] = 0
    found[control, votes.known[control]] = 1
    return found


def tied(shares: Floats) -> Bools:
    """(I, K) whether a category has as many votes as any other: several do in a tie."""
    most = shares.max(1, keepdims=True)
    return np.asarray(shares >= most * (1 - EQUAL))


def winners(shares: Floats) -> Floats:
    """(I, K) 1 for the category with most votes; a tie is divided.

    Examples
    --------
    >>> winners(np.array([[0.6, 0.4, 0.0], [0.5, 0.5, 0.0]])).tolist()
    [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]]
    """
    won = tied(shares)
    return np.asarray(won / won.sum(1, keepdims=True))


def agreement(votes: Votes, truth: Floats, weight: Floats, only: Bools | None = None) -> Floats:
    """(C, 2) weight of each coder's annotations that are as in ``truth`` (I, K), and of all."""
    use = votes.label < votes.n_categories
    if only is not None:
        use &= only[votes.item]
    coder, w = votes.coder[use], weight[use]
    right = np.bincount(coder, w * truth[votes.item[use], votes.label[use]], votes.n_coders)
    return np.stack([right, np.bincount(coder, w, votes.n_coders)], 1)


def pooled_with_margin(votes: Votes, q: Floats) -> Floats:
    """(C, K, O) one confusion matrix for all coders, with an annotation more in each row.

    It falls as all annotations do, so that no label is impossible that somebody gives.
    """
    counts = answers_by_truth(votes, q).sum(0)
    said = counts.sum(0) + 1 / counts.shape[1]
    pooled = rows_of(counts + said / said.sum())
    return np.broadcast_to(pooled, (votes.n_coders, *pooled.shape))


@Catalogue().rule("warning", "snow2008")
def ties(votes: Votes, shares: Floats) -> Told | None:
    """Ties.

    {n:item} of {items:,} ({share:%}) {n:is a tie|are ties} and {n:has|have} no label: two or more
    categories have as many votes.

    Have them annotated by one more coder or discuss them; or use a model that weighs coders. Any
    rule that breaks ties invents labels.
    """
    won = tied(shares)
    found = np.flatnonzero(won.sum(1) > 1)
    n = len(found)
    if not n:
        return None
    kinds, which, times = np.unique(won[found], axis=0, return_inverse=True, return_counts=True)
    order = np.argsort(-times, kind="stable")[:MOST_KINDS].tolist()
    lines = tuple(
        Contrast(_names(votes, kinds[k]), int(times[k]), float(times[k] / n)) for k in order
    )
    first = found[np.argsort(np.argsort(-times, kind="stable")[which.ravel()], kind="stable")]
    items = first.tolist()
    about = "Tie between", "Items", "Share of ties"
    names = votes.names
    return Told(
        {"n": n, "items": votes.n_items, "share": n / votes.n_items},
        do=(Action("fit", {"model": "pooled"}),), remedy="items", title="Ties",
        seen=Evidence(lines, *about, items=tuple(items), names=tuple(names[i] for i in items)),
    )  # fmt: skip


def _names(votes: Votes, won: Bools) -> str:
    return ", ".join(label_text(votes.categories[k]) for k in np.flatnonzero(won).tolist())
