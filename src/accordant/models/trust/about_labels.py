"""The verdict on the labels of a fit: which of them do not mean what they seem to."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...actions import FILE, Action
from ...arrays import Floats, Ints
from ...diagnosis.finding import Finding
from ...diagnosis.words import listed, quoted
from ...numbers import count_of, decimal, percent
from ..estimate import TIE, Estimate
from ..meaning import left_to_itself, repurposed
from ..model import Model
from ..votes import UNKNOWN, Votes

__all__ = ["about_labels", "lost_lead", "one_label"]


ALIKE = 3  # coders who give an item the same label
SOME = 0.01  # share of the items that so many coders label alike
MUCH = 0.1


def about_labels(model: Model, votes: Votes, estimate: Estimate) -> Iterator[Finding]:
    """Findings about categories and labels.

    Parameters
    ----------
    model : Model
    votes : Votes
    estimate : Estimate

    Yields
    ------
    Finding
        ``degenerate_class``, ``repurposed_category``, ``against_all_coders``, ``ties``.
    """
    if model.probabilistic:
        yield from _degenerate(votes, estimate)
        if found := repurposed(votes, estimate.probabilities):
            yield left_to_itself(votes, found)
        yield from _against_all(votes, estimate)
    if not any(f.code == "ties" for f in estimate.findings):
        yield from _ties(votes, estimate)


def one_label(votes: Votes) -> Iterator[Finding]:
    """Everybody gave everything the same label: nobody differs from anybody."""
    given = votes.counts.sum(0)
    used = np.flatnonzero(given > 0)
    if len(used) != 1:
        return
    k, n = int(used[0]), int(given[used[0]])
    yield Finding(
        "one_label",
        "warning",
        f"{'The only annotation' if n == 1 else f'Each of the {n:,} annotations'} by "
        f"{count_of(votes.n_coders, 'coder')} is {_name(votes, k)}, so the accuracy of coders "
        "cannot be estimated, and the model repeats what all of them gave.",
        "Have items annotated of which another label may be true before you judge the coders.",
        {"category": votes.categories[k], "n": n},
    )


def _name(votes: Votes, k: int) -> str:
    """A category; that an item has a label is a yes."""
    category = votes.categories[k]
    return quoted(("no", "yes")[category] if isinstance(category, bool) else category)


def _degenerate(votes: Votes, estimate: Estimate) -> Iterator[Finding]:
    """A category that coders gave to several items, and that is believed of less than one.

    It is lost if it leads the votes on an item with another label; else coders outvoted it. Of a
    single item that most of them call something else, nothing was lost.
    """
    given = votes.counts.sum(0)
    on_items = np.count_nonzero(votes.counts, axis=0)
    expected = estimate.probabilities.sum(0)
    led = lost_lead(votes, estimate.probabilities)
    told = [f.evidence["categories"] for f in estimate.findings if f.code == "repurposed_category"]
    for k in np.flatnonzero((on_items > 1) & (expected < 1)).tolist():
        if any(votes.categories[k] in held for held in told):
            continue
        n = int(led[k])
        where = (
            f"as the most frequent label of {count_of(n, 'item')} that have another label now"
            if n
            else f"to {count_of(int(on_items[k]), 'item')}: it was outvoted everywhere"
        )
        yield Finding(
            "degenerate_class",
            "warning" if n else "note",
            f"The model assigns {_name(votes, k)} to less than one item "
            f"({decimal(float(expected[k]), 2)} of {votes.n_items:,} expected), though coders gave "
            f"it {count_of(float(given[k]), 'time')}, {where}.",
            "Read the items with this label. If it is real but rare, have them annotated by more "
            "coders, or label some of them with care as control items.",
            {"category": votes.categories[k], "expected": float(expected[k]), "n": int(given[k])},
            do=(Action("", {"gold": FILE}, "control items"),),
        )


def lost_lead(votes: Votes, p: Floats) -> Ints:
    """(K,) items where most votes are for a category and another one is more probable."""
    counts = votes.counts
    at = np.arange(len(counts))
    first = counts.argmax(1)
    alone = np.count_nonzero(counts == counts[at, first][:, None], axis=1) == 1
    lost = alone & (votes.known == UNKNOWN) & (p[at, first] < p.max(1) - TIE)
    return np.bincount(first[lost], minlength=votes.n_categories)


def _against_all(votes: Votes, estimate: Estimate) -> Iterator[Finding]:
    """Labels against coders who all agree."""
    counts, p = votes.counts, estimate.probabilities
    free = votes.known == UNKNOWN
    coders = np.diff(votes.item_start)  # of one label: a row for each coder
    alike = free & (coders >= ALIKE) & (counts.max(1) == votes.per_item)
    n = int(alike.sum())
    told = counts.argmax(1)
    at = np.arange(len(p))
    against = np.flatnonzero(alike & (p[at, told] < p.max(1) - TIE))
    if len(against) <= SOME * n:
        return
    first = against[np.argsort(-coders[against], kind="stable")]
    names = [votes.items[int(i)] for i in first[:5]]
    k, j = told[first[0]], p[first[0]].argmax()
    yield Finding(
        "against_all_coders",
        "warning" if len(against) > MUCH * n else "note",
        f"{len(against):,} of the {count_of(n, 'item')} ({percent(len(against) / n)}) to which "
        f"{ALIKE} coders or more all gave the same label {'gets' if len(against) == 1 else 'get'} "
        f"another one from the model: {listed(names)}{'' if len(against) <= 5 else ', …'} "
        f"({quoted(names[0])}: {count_of(int(coders[first[0]]), 'coder')} say "
        f"{_name(votes, k)}, the model says {_name(votes, j)}).",
        "Read these items: if the coders are right, so is the majority vote. A model does so if it "
        "has learned that these coders confuse the two categories.",
        {"n": len(against), "share": len(against) / n, "items": names},
    )


def _ties(votes: Votes, estimate: Estimate) -> Iterator[Finding]:
    """Items without a label, since two categories are equally probable."""
    p = estimate.probabilities
    tied = np.flatnonzero(np.count_nonzero(p >= p.max(1, keepdims=True) - TIE, axis=1) > 1)
    if not len(tied):
        return
    names = [votes.items[int(i)] for i in tied[:5]]
    yield Finding(
        "ties",
        "note",
        f"{len(tied):,} of {count_of(votes.n_items, 'item')} ({percent(len(tied) / votes.n_items)})"
        f" {'is a tie and has' if len(tied) == 1 else 'are ties and have'} no label: two "
        f"categories are equally probable ({listed(names)}{'' if len(tied) <= 5 else ', …'}).",
        "Have them annotated once more, or use a model that weighs coders; ties are not broken at "
        "random or by the alphabet.",
        {"n": len(tied), "items": names},
    )
