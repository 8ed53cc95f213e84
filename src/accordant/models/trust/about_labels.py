"""The verdict on the labels of a fit: which of them do not mean what they seem to."""

from __future__ import annotations

import numpy as np

from ...actions import FILE, Action
from ...arrays import Floats, Ints
from ...diagnosis.finding import Catalogue, Finding, Told
from ...diagnosis.words import quoted
from ...numbers import count_of
from ..estimate import TIE, Estimate
from ..meaning import left_to_itself, repurposed
from ..model import Model
from ..votes import UNKNOWN, Votes

__all__ = ["about_labels", "lost_lead", "one_label"]


ALIKE = 3  # coders who give an item the same label
SOME = 0.01  # share of the items that so many coders label alike
MUCH = 0.1
MOST_NAMES = 5

rule = Catalogue().rule


def about_labels(model: Model, votes: Votes, estimate: Estimate) -> list[Finding | None]:
    """Findings about categories and labels.

    Parameters
    ----------
    model : Model
    votes : Votes
    estimate : Estimate

    Returns
    -------
    list of Finding or None
        ``degenerate_class``, ``repurposed_category``, ``against_all_coders``, ``ties``.
    """
    told: list[Finding | None] = []
    if model.probabilistic:
        expected = estimate.probabilities.sum(0)
        rare = np.flatnonzero((np.count_nonzero(votes.counts, axis=0) > 1) & (expected < 1))
        led = lost_lead(votes, estimate.probabilities)
        told += [
            degenerate_class(votes, estimate, k, float(expected[k]), int(led[k]))
            for k in rare.tolist()
        ]
        if found := repurposed(votes, estimate.probabilities):
            told.append(left_to_itself(votes, found))
        told.append(against_all_coders(votes, estimate))
    if not any(f.code == "ties" for f in estimate.findings):
        told.append(ties(votes, estimate))
    return told


@rule("warning")
def one_label(votes: Votes) -> Told | None:
    """Only one label was given.

    {all} by {coders:coder} is {name}, so the accuracy of coders cannot be estimated, and the model
    repeats what all of them gave.

    Have items annotated of which another label may be true before you judge the coders.
    """
    given = votes.counts.sum(0)
    used = np.flatnonzero(given > 0)
    if len(used) != 1:
        return None
    k, n = int(used[0]), int(given[used[0]])
    every = "The only annotation" if n == 1 else f"Each of the {n:,} annotations"
    words = {"all": every, "coders": votes.n_coders, "name": _name(votes, k)}
    return Told({"category": votes.categories[k], "n": n}, words)


def _name(votes: Votes, k: int) -> str:
    """A category; that an item has a label is a yes."""
    category = votes.categories[k]
    return quoted(("no", "yes")[category] if isinstance(category, bool) else category)


@rule("warning")
def degenerate_class(
    votes: Votes, estimate: Estimate, k: int, expected: float, led: int
) -> Told | None:
    """A category that coders gave to several items, and that is believed of less than one.

    The model assigns {name} to less than one item ({expected:.2} of {items:,} expected), though
    coders gave it {n:time}, {where}.

    Read the items with this label. If it is real but rare, have them annotated by more coders, or
    label some of them with care as control items.
    """
    category = votes.categories[k]
    told = [f.evidence["categories"] for f in estimate.findings if f.code == "repurposed_category"]
    if any(category in held for held in told):
        return None
    # it is lost if it leads the votes on an item with another label; else coders outvoted it
    on_items = int(np.count_nonzero(votes.counts[:, k]))
    where = f"to {count_of(on_items, 'item')}: it was outvoted everywhere"
    if led:
        items = count_of(led, "item")
        where = f"as the most frequent label of {items} that have another label now"
    return Told(
        {"category": category, "expected": expected, "n": int(votes.counts[:, k].sum())},
        {"name": _name(votes, k), "items": votes.n_items, "where": where},
        None if led else "note", (Action("", {"gold": FILE}, "control items"),),
    )  # fmt: skip


def lost_lead(votes: Votes, p: Floats) -> Ints:
    """(K,) items where most votes are for a category and another one is more probable."""
    counts = votes.counts
    at = np.arange(len(counts))
    first = counts.argmax(1)
    alone = np.count_nonzero(counts == counts[at, first][:, None], axis=1) == 1
    lost = alone & (votes.known == UNKNOWN) & (p[at, first] < p.max(1) - TIE)
    return np.bincount(first[lost], minlength=votes.n_categories)


@rule("warning")
def against_all_coders(votes: Votes, estimate: Estimate) -> Told | None:
    """Estimated labels that no coder gave.

    {n:,} of the {of:item} ({share:%}) to which {alike} coders or more all gave the same label
    {n:gets|get} another one from the model: {items:listed}{more} ({first:quoted}: {said:coder} say
    {label}, the model says {other}).

    Read these items: if the coders are right, so is the majority vote. A model does so if it has
    learned that these coders confuse the two categories.
    """
    counts, p = votes.counts, estimate.probabilities
    free = votes.known == UNKNOWN
    coders = np.diff(votes.item_start)  # of one label: a row for each coder
    alike = free & (coders >= ALIKE) & (counts.max(1) == votes.per_item)
    of = int(alike.sum())
    label = counts.argmax(1)
    at = np.arange(len(p))
    against = np.flatnonzero(alike & (p[at, label] < p.max(1) - TIE))
    n = len(against)
    if n <= SOME * of:
        return None
    first = against[np.argsort(-coders[against], kind="stable")]
    names = [votes.items[int(i)] for i in first[:MOST_NAMES]]
    words = {
        "of": of, "alike": ALIKE, "more": _more(n), "first": names[0],
        "said": int(coders[first[0]]), "label": _name(votes, label[first[0]]),
        "other": _name(votes, p[first[0]].argmax()),
    }  # fmt: skip
    facts = {"n": n, "share": n / of, "items": names}
    return Told(facts, words, None if n > MUCH * of else "note")


@rule("note")
def ties(votes: Votes, estimate: Estimate) -> Told | None:
    """Items without a label, since two categories are equally probable.

    {n:,} of {of:item} ({share:%}) {n:is a tie and has|are ties and have} no label: two categories
    are equally probable ({items:listed}{more}).

    Have them annotated once more, or use a model that weighs coders; ties are not broken at random
    or by the alphabet.
    """
    p = estimate.probabilities
    tied = np.flatnonzero(np.count_nonzero(p >= p.max(1, keepdims=True) - TIE, axis=1) > 1)
    n = len(tied)
    names = [votes.items[int(i)] for i in tied[:MOST_NAMES]]
    words = {"of": votes.n_items, "share": n / votes.n_items, "more": _more(n)}
    return Told({"n": n, "items": names}, words) if n else None


def _more(n: int) -> str:
    """What stands behind the first few names of so many."""
    return ", …" if n > MOST_NAMES else ""
