"""The verdict on a fit: what a reader of its labels must know before using them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ...actions import FILE, Action
from ...arrays import Floats, Ints
from ...diagnosis.finding import Finding, Told, found_by, rule
from ...messages import listed
from ...numbers import count_of, decimal, joined
from ..estimate import Average, Estimate, label_codes
from ..model import Model
from ..solutions import repurposed
from ..votes import UNKNOWN, Votes

NEARLY = 0.05  # of a label: a mean that is told as a number of them
MANY_VALUES = 20  # with fewer, a small file may well hold nearly as many values as annotations
OWN = 0.5  # values for each annotation: with more, most annotations share theirs with no other
SHOWN = 3  # groups of coders who share no item
MOST_NAMES = 5
KNOWN_LABELS = Action("", {"gold": FILE}, "known labels")


class Withheld(NamedTuple):
    """Why it cannot be said how sure labels are: a clause, empty if nothing is withheld.

    ``labels_too``: whether the model's labels mean nothing either, so that the votes stand.
    """

    reason: str = ""
    labels_too: bool = False


def withheld(model: Model, votes: Votes) -> Withheld:
    """Whether confidences would only look like knowledge.

    Examples
    --------
    >>> import accordant as ac
    >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"]])
    >>> withheld(found.model, found.votes).reason
    'two coders alone cannot show who is right where they differ'
    """
    known = bool((votes.known != UNKNOWN).any())
    first, end = votes.item_start[:-1], votes.item_start[1:]
    some = end > first
    if (votes.coder[first[some]] == votes.coder[end[some] - 1]).all():
        reason = "no item has annotations of two coders, so nothing shows who is right"
        return Withheld() if known else Withheld(reason, labels_too=True)
    n = int(np.count_nonzero(np.bincount(votes.label)))
    if n == 1 and not known and not isinstance(votes.categories[0], bool):  # a label of sets may be
        return Withheld("every annotation is the same, so nothing shows who errs", labels_too=True)
    if n >= MANY_VALUES and n > OWN * len(votes):
        return Withheld("nearly every annotation is a category of its own", labels_too=True)
    if model.probabilistic and not known and votes.n_coders <= 2 and votes.n_categories > 1:
        return Withheld("two coders alone cannot show who is right where they differ")
    return Withheld()


def verdicts(model: Model, votes: Votes, estimate: Estimate) -> Iterator[Finding]:
    """What is to be said of a fit, whatever the model."""
    why = withheld(model, votes)
    if why.labels_too:  # what a model says beyond that means nothing
        yield from found_by(nothing_to_learn(votes, why.reason))
        return
    rest = [disjoint_coders(votes), ties(votes, estimate)]
    if model.probabilistic:
        rest += [not_identified(votes) if why.reason else None, not_converged(estimate)]
        rest.append(repurposed_category(votes, estimate.probabilities))
    yield from found_by(*rest)


@rule("problem")
def nothing_to_learn(votes: Votes, reason: str) -> Told:
    """Nothing to estimate.

    The model learns nothing from these annotations, since {reason}. The labels are those that most
    coders gave, without a probability.

    Have the same items annotated by several coders, with labels from a list of categories.
    """
    return Told({"n": votes.n_items}, {"reason": reason}, do=(KNOWN_LABELS,))


@rule("warning", "dawid1979")
def not_identified(votes: Votes) -> Told:
    """Too few coders to determine who is right.

    With {n_coders:coder} nothing shows who is right where they differ, so the labels have no
    probability.

    Add a third coder, or items whose label is known; until then report agreement, not accuracy.
    """
    return Told({"n_coders": votes.n_coders}, do=(KNOWN_LABELS,))


@rule("warning")
def not_converged(estimate: Estimate) -> Told | None:
    """No convergence.

    The model did not converge in {n:iteration}: the {objective} still rose, or a label moved.

    The data hardly determine this model: use the pooled one.
    """
    run = estimate.climb
    facts, words = {"n": run.n_iterations}, {"objective": run.objective}
    do = (Action("fit", {"model": "pooled"}),)
    return None if run.converged else Told(facts, words, do=do)


@rule("warning")
def repurposed_category(votes: Votes, q: Floats) -> Told | None:
    """A class that stands for other items.

    The model uses {category:quoted} for other items than the coders do: of {n:item} with this label
    {unsaid:,} were called so by no coder.

    Do not read the label of these items by its name. The pooled model ties such a category to its
    label; or leave the category out if it was a slip.
    """
    found = repurposed(votes, q)
    if not found:
        return None
    categories = tuple(votes.categories[one.category] for one in found)
    facts = {"category": categories[0], "n": found[0].items, "unsaid": found[0].unsaid}
    return Told({**facts, "categories": categories}, do=(Action("fit", {"model": "pooled"}),))


def parts_of(votes: Votes) -> Ints:
    """(C,) the part of each coder: coders of different parts share no item, however indirectly.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.models.votes import votes
    >>> rows = [["a", "b", None], ["a", "a", None], [None, None, "b"], [None, None, "a"]]
    >>> parts_of(votes(read(rows, layout="transposed"))).tolist()
    [0, 0, 1, 1]
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = votes.n_coders + votes.n_items
    edges = (votes.coder.astype(np.int64), votes.item.astype(np.int64) + votes.n_coders)
    graph = coo_array((np.ones(len(votes.coder), np.int8), edges), shape=(n, n))
    found = connected_components(graph, directed=False)[1][: votes.n_coders]
    return np.asarray(np.unique(found, return_inverse=True)[1])


@rule("warning")
def disjoint_coders(votes: Votes) -> Told | None:
    """Disconnected design.

    The coders fall into {n:,} parts that share no item, {each}. Coders of different parts cannot be
    compared, and a part whose coders make the same errors looks as good as one that makes none.

    Give some of the same items to coders of every part, or control items to all of them.
    """
    of = parts_of(votes)
    n_parts = int(of.max(initial=0)) + 1
    part = of[votes.coder]
    # control items connect whoever annotated some of them: what is known is the same for all
    controlled = np.unique(part[votes.known[votes.item] != UNKNOWN])
    if n_parts - len(controlled) + (len(controlled) > 0) < 2:
        return None
    n_items = [len(np.unique(votes.item[part == g])) for g in range(n_parts)]
    names = [sorted(votes.coders[c] for c in np.flatnonzero(of == g)) for g in range(n_parts)]
    order = sorted(range(n_parts), key=lambda g: (-len(names[g]), -n_items[g], names[g]))
    each = [f"{listed(names[g], most=3)} ({count_of(n_items[g], 'item')})" for g in order]
    facts = {"parts": tuple(tuple(names[g]) for g in order), "n": n_parts}
    return Told(facts, {"each": joined(each, most=SHOWN)}, do=(KNOWN_LABELS,))


@rule("note", "snow2008")
def ties(votes: Votes, estimate: Estimate) -> Told | None:
    """Items without a label, since two categories are equally probable.

    {n:item} of {of:,} ({share:%}) {n:is a tie and has|are ties and have} no label: two categories
    are equally probable or have as many votes ({items:listed}).

    Have them annotated once more, or use a model that weighs coders; ties are not broken at random
    or by the alphabet.
    """
    tied = np.flatnonzero(label_codes(estimate.probabilities) < 0)
    n = len(tied)
    names = [votes.items[int(i)] for i in tied[:MOST_NAMES]]
    words = {"of": votes.n_items, "share": n / votes.n_items}
    return Told({"n": n, "items": names}, words) if n else None


@rule("note", "kish1965")
def dependence_unseen(votes: Votes, found: Average) -> Told | None:
    """How far coders err alike is not told.

    With {per_item} an item nothing in these data tells how far coders err alike: probabilities rest
    on what public crowds with known labels show.

    Label about 50 items with care, some of them drawn at random: known labels tell.
    """
    if not found.untold:
        return None
    facts = {"independent": found.independent, "factor": found.dependence.factor}
    return Told(facts, {"per_item": _per_item(votes)}, do=(KNOWN_LABELS,))


def _per_item(votes: Votes) -> str:
    n = float(votes.per_item.mean())
    return count_of(round(n), "label") if abs(n - round(n)) < NEARLY else f"{n:.1f} labels"


def shared_errors(votes: Votes, found: Average) -> str:
    """How far coders err together, in a sentence, and what tells so."""
    seen = found.dependence
    counts = decimal(float(np.average(found.worth, weights=votes.per_item)), 2)
    worth = f"an annotation counts {counts} of an independent one, on average"
    if math.isnan(seen.correlation):
        return "No item has annotations of two coders, so nothing tells how far coders err alike."
    size = (
        f"errors of coders of the same item correlate by {decimal(seen.correlation)} ± "
        f"{decimal(seen.error)} ({decimal(seen.expected)} expected if they were independent)"
    )
    if found.n_known:
        known = count_of(found.n_known, "known label")
        return f"By {known}, each judged before it was told, and by how errors correlate, {worth}."
    if found.untold:
        return f"By what public crowds show, {worth}; these data do not tell: {size}."
    return f"{size[0].upper()}{size[1:]}; {worth}."


@rule("warning")
def positions(n_coders: int) -> Told:
    """Coders are positions, so that no statement about a coder holds.

    The data do not say who annotated what: the {n:,} columns are positions, which different people
    may have filled. Coders are not judged; read the probabilities with care.

    Name the column of the coders if it is known who annotated what. Otherwise use the majority, or
    soft labels.
    """
    do = Action("", {"coder": ...}, "the column of the coders"), Action("soft_labels")
    return Told({"n": n_coders}, title="Coders are positions, not persons", do=do)
