"""Whether annotations can show coders and truth apart at all, and why they cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...actions import FILE, Action
from ...arrays import Floats, Ints
from ...diagnosis.finding import Finding, Told, found_by, rule
from ...diagnosis.words import quoted
from ...numbers import count_of
from ..emission import Confusions
from ..estimate import TIE, Estimate
from ..model import Model
from ..votes import UNKNOWN, Votes

__all__ = ["Withheld", "category_name", "lost_lead", "what_can_be_learned", "withheld"]

MOSTLY = 0.5  # share of the items
MANY_VALUES = 20  # with fewer, a small file may well hold nearly as many values as annotations
OWN = 0.5  # values for each annotation: with more, most annotations share theirs with no other
MORE_CODERS = (
    "Add a third coder, or items whose label is known; until then report agreement, not accuracy."
)
KNOWN_LABELS = Action("", {"gold": FILE}, "known labels")


class Withheld(NamedTuple):
    """Why it cannot be said how sure labels are.

    Parameters
    ----------
    reason : str
        A clause; empty if nothing is withheld.
    labels_too : bool
        Whether the model's labels mean nothing either, so that those of the votes stand.
    """

    reason: str = ""
    labels_too: bool = False


def withheld(model: Model, votes: Votes) -> Withheld:
    """Whether confidences would only look like knowledge.

    Parameters
    ----------
    model : Model
    votes : Votes

    Returns
    -------
    Withheld

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"]])
    >>> withheld(found.model, found.votes).reason
    'two coders alone cannot show who is right where they differ'
    """
    known = bool((votes.known != UNKNOWN).any())
    if _annotated_by_one(votes) == votes.n_items:
        if known:
            return Withheld()
        reason = "no item has annotations of two coders, so nothing shows who is right"
        return Withheld(reason, labels_too=True)
    if _own_values(votes):
        return Withheld("nearly every annotation is a category of its own", labels_too=True)
    if model.probabilistic and not known and votes.n_coders <= 2 and votes.n_categories > 1:
        return Withheld("two coders alone cannot show who is right where they differ")
    return Withheld()


def _own_values(votes: Votes) -> int:
    """How many categories there are, if most annotations share theirs with no other; else 0."""
    given = int(np.count_nonzero(np.bincount(votes.label, minlength=votes.n_answers)))
    return given if given >= MANY_VALUES and given > OWN * len(votes) else 0


@rule("problem")
def not_categories(votes: Votes) -> Told | None:
    """Measurements or free text that were taken for categories.

    Nearly every annotation is a category of its own: {n:,} different {what} in
    {annotations:annotation} (such as {first:listed}). Coders hardly ever give the same, so a model
    of categories learns nothing from them.

    {remedy}
    """
    n = _own_values(votes)
    what, remedy = _of_what(votes)
    words = {"what": what, "remedy": remedy, "first": votes.categories[:3]}
    return Told({"n": n, "annotations": len(votes)}, words) if n else None


def _of_what(votes: Votes) -> tuple[str, str]:
    """What the many values are, and what to do with them."""
    if all(isinstance(x, int | float) for x in votes.categories):
        return "numbers", (
            "These look like measurements: take the mean or the median of each item, or give "
            "classes in their place."
        )
    if any(isinstance(x, tuple) for x in votes.categories):
        return "sets of labels", "Fit a model of each label instead of whole sets."
    return "labels", "These look like names or free text: sort them into categories first."


def what_can_be_learned(model: Model, votes: Votes, estimate: Estimate) -> Iterator[Finding]:
    """Whether the annotations can tell coders and truth apart at all.

    Parameters
    ----------
    model : Model
    votes : Votes
    estimate : Estimate

    Yields
    ------
    Finding
        ``nothing_to_learn``, ``not_categories``, ``one_label``, ``not_identified``,
        ``single_annotations``.
    """
    if (nothing := nothing_to_learn(votes, estimate)) is not None:
        yield nothing
        return
    same = one_label(votes)
    yield from found_by(not_categories(votes), same)
    if model.probabilistic and same is None and not (votes.known != UNKNOWN).any():
        yield from found_by(not_identified(votes, estimate))
    yield from found_by(single_annotations(votes))


@rule("problem")
def nothing_to_learn(votes: Votes, estimate: Estimate) -> Told | None:
    """Nothing to estimate.

    Every item was annotated by one coder only ({n:item}, {coders:coder}), so nothing shows who is
    right. {left}

    Have some of the items annotated by several coders, or give items whose label is known.
    """
    if _annotated_by_one(votes) < votes.n_items:
        return None
    left = "Only the control items can be learned from."
    if not (votes.known != UNKNOWN).any():
        left = f"{_labels_of_one(votes, estimate)}, and the accuracies of coders are meaningless."
    words = {"coders": votes.n_coders, "left": left}
    return Told({"n": votes.n_items}, words, do=(KNOWN_LABELS,))


@rule("note")
def single_annotations(votes: Votes) -> Told | None:
    """Items with a single annotation.

    {n:,} of {of:item} ({share:%}) were annotated by one coder only: their labels are as good as
    that coder, whose accuracy is estimated from the other items.

    Have items with a low confidence annotated again.
    """
    n, of = _annotated_by_one(votes), votes.n_items
    return Told({"n": n}, {"of": of, "share": n / of}) if n > MOSTLY * of else None


def _labels_of_one(votes: Votes, estimate: Estimate) -> str:
    """Whether the model would have given other labels than the only coder of each item."""
    changed = int(lost_lead(votes, estimate.probabilities).sum())
    told = "The labels are those that the coders gave, without a confidence"
    if not changed:
        return told
    return (
        f"{told} (the model would give {count_of(changed, 'item')} another label, by what others "
        "gave elsewhere)"
    )


def _annotated_by_one(votes: Votes) -> int:
    """How many items one coder annotated, once or more often: the first one is the last one."""
    first, end = votes.item_start[:-1], votes.item_start[1:]
    some = end > first
    return int((votes.coder[first[some]] == votes.coder[end[some] - 1]).sum())


@rule("warning", "dawid1979")
def not_identified(votes: Votes, estimate: Estimate) -> Told | None:
    """Too few coders to determine who is right.

    {why}

    {advice}
    """
    # with two coders any confusion fits; with three and two categories exactly one does
    c, k = votes.n_coders, votes.n_categories
    matrices = isinstance(estimate.emission, Confusions)
    if k < 2 or c > 3 or (c == 3 and not (matrices and k == 2)):
        return None
    if c == 3:
        words = {
            "why": "Three coders and two categories determine a confusion matrix for each coder "
            "exactly: 7 parameters from 7 degrees of freedom. The model fits any data, so no check "
            "can show that it is wrong.",
            "advice": "Add a coder if the model is to be checked; say in the report that it could "
            "not be.",
        }
        return Told({"n_coders": 3, "parameters": 7, "cells": 7}, words, "note")
    free, cells = (c * k * (k - 1) + k - 1, k**c - 1) if matrices else (None, None)
    why = (
        f"With {count_of(c, 'coder')} hardly anything shows who is right: where they disagree, no "
        "third coder decides, and a model of accuracies can only use how often each of them gives "
        "a category. With equally frequent categories the two could not be told apart."
    )
    if matrices:
        why = (
            f"With {count_of(c, 'coder')} the annotations do not determine who is right: a "
            f"confusion matrix for each and the prevalence are {free:,} parameters, but a table of "
            f"{'two coders' if c == 2 else 'one coder'} has {cells:,} degrees of freedom. Many "
            "solutions fit as well, and the one shown depends on the start."
        )
    facts = {"n_coders": c, "parameters": free, "cells": cells}
    return Told(facts, {"why": why, "advice": MORE_CODERS}, do=(KNOWN_LABELS,))


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
    words = {"all": every, "coders": votes.n_coders, "name": category_name(votes, k)}
    return Told({"category": votes.categories[k], "n": n}, words)


def category_name(votes: Votes, k: int) -> str:
    """A category; that an item has a label is a yes."""
    category = votes.categories[k]
    return quoted(("no", "yes")[category] if isinstance(category, bool) else category)


def lost_lead(votes: Votes, p: Floats) -> Ints:
    """(K,) items where most votes are for a category and another one is more probable."""
    counts = votes.counts
    at = np.arange(len(counts))
    first = counts.argmax(1)
    alone = np.count_nonzero(counts == counts[at, first][:, None], axis=1) == 1
    lost = alone & (votes.known == UNKNOWN) & (p[at, first] < p.max(1) - TIE)
    return np.bincount(first[lost], minlength=votes.n_categories)
