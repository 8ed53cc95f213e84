"""Votes in an order that only the annotations decide, so that what is drawn hangs on nothing else.

A random draw for "the second category" would change if categories were listed another way, and one
for "the third coder" if coders had other names. So models that draw work on votes whose items,
coders and categories stand in an order of their own, and what they find is put back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...arrays import Floats, Ints
from ..em import How
from ..emission import Confusions, Emission, Uncertain
from ..estimate import Estimate, Interval
from ..votes import UNKNOWN, Votes

__all__ = ["Canonical", "canonical", "fitted_in_order", "moved", "places"]

Codes = NDArray[np.uint64]

ROUNDS = 3  # after which nothing in real data was told apart that was not before
APART = 8  # mirror images that are told apart


@dataclass(frozen=True, eq=False)
class Canonical:
    """Votes in canonical order, and where each item, coder and category stands there.

    Parameters
    ----------
    votes : Votes
    item : ndarray of int
        (I,) position in ``votes`` of each item of the votes as given.
    coder : ndarray of int
        (C,)
    category : ndarray of int
        (K,)
    """

    votes: Votes
    item: Ints
    coder: Ints
    category: Ints

    @property
    def answer(self) -> Ints:
        """(O,) position of each answer: the categories, then abstention if it is informative."""
        n = len(self.category)
        return np.concatenate([self.category, np.arange(n, self.votes.n_answers)])

    def restored(self, found: Estimate) -> Estimate:
        """What was found, by the items, coders and categories as given."""
        coder, item, k = self.coder, self.item, self.category
        back = {
            "competence": lambda x: x[coder],
            "prevalence": lambda x: x[k],
            "confusion": lambda x: x[coder][:, k][:, :, self.answer],
            **{name: (lambda x: x[coder]) for name in found.coder_parameters},
            **{name: (lambda x: x[item]) for name in found.item_parameters},
        }
        states = found.state_category
        return replace(
            found,
            probabilities=found.probabilities[item][:, k],
            prevalence=found.prevalence[k],
            emission=self._emission(found.emission, len(states) > 0),
            competence=found.competence[coder],
            confusion=None if found.confusion is None else back["confusion"](found.confusion),
            coder_parameters=_put_back(found.coder_parameters, back),
            item_parameters=_put_back(found.item_parameters, back),
            intervals={
                name: Interval(back[name](x.low), back[name](x.high), x.level, x.method)
                for name, x in found.intervals.items()
            },
            state_category=np.argsort(k)[states] if len(states) else states,
        )

    def _emission(self, emission: Emission, states: bool) -> Emission:
        """The same with coders, categories (states stay where they are) and answers put back."""
        if not isinstance(emission, Confusions):
            return emission

        def back(x: Floats) -> Floats:
            x = x[self.coder] if states else x[self.coder][:, self.category]
            return x[:, :, self.answer]

        if isinstance(emission, Uncertain):
            return Uncertain(back(emission.probabilities), back(emission.expected_logs))
        return Confusions(back(emission.probabilities))


def _put_back(
    parameters: Mapping[str, Floats], back: Mapping[str, Callable[[Floats], Floats]]
) -> dict[str, Floats]:
    return {name: back[name](x) for name, x in parameters.items()}


def canonical(votes: Votes) -> Canonical:
    """The votes with items, coders and categories in an order that does not hang on their names.

    See `places`.

    Parameters
    ----------
    votes : Votes

    Returns
    -------
    Canonical
    """
    item, coder, category = places(votes)
    answer = np.concatenate([category, np.arange(votes.n_categories, votes.n_answers)])
    return Canonical(moved(votes, item, coder, category, answer), item, coder, category)


def places(votes: Votes) -> tuple[Ints, Ints, Ints]:
    """Where each item (I,), coder (C,) and category (K,) stands, whatever they are called.

    Each has a number that is mixed from those of what it was annotated with, by or as, round
    after round (colour refinement, Weisfeiler & Leman 1968), and they stand in the order of these
    numbers. Twins, who have the same annotations, may stand as they like. Coders who are alike and
    no twins are mirror images; they are told apart by the name of an item on which they differ,
    since something must: a model may have two solutions then that mirror each other.

    Parameters
    ----------
    votes : Votes

    Returns
    -------
    item, coder, category : ndarray of int
    """
    codes = _Codes.of(votes)
    for _ in range(ROUNDS):
        codes = codes.refined(votes)
    by_name = votes.place
    whole = _summed(
        votes.coder,
        _mixed(_mixed(by_name[votes.item].astype(np.uint64)) + codes.answer[votes.label])
        * votes.times.astype(np.uint64),
        votes.n_coders,
    )  # of twins the same
    for _ in range(APART):
        mirrored = _mirrored(codes.coder, whole)
        if not len(mirrored):
            break
        item = _differs(votes, mirrored, codes.item, by_name)
        codes.item[item] = _mixed(codes.item[item : item + 1] + np.uint64(1))[0]
        codes = codes.coders_refined(votes).refined(votes)
    coder = _place(np.argsort(codes.coder, kind="stable"))
    # what is still alike is told apart by the coders as they now stand, and then by name
    item_code = codes.item_from(votes, _mixed(coder.astype(np.uint64)))
    return (
        _place(np.lexsort((by_name, item_code))),
        coder,
        _place(np.argsort(codes.answer[: votes.n_categories], kind="stable")),
    )


def _mirrored(code: Codes, whole: Codes) -> Ints:
    """The coders with the lowest number that is shared by coders who are no twins."""
    order = np.lexsort((whole, code))
    same = code[order[1:]] == code[order[:-1]]
    apart = np.flatnonzero(same & (whole[order[1:]] != whole[order[:-1]]))
    return np.flatnonzero(code == code[order[apart[0]]]) if len(apart) else apart


def _differs(votes: Votes, coders: Ints, code: Codes, by_name: Ints) -> int:
    """The first item, by its number and then its name, that not all of the coders label alike."""
    mine = np.flatnonzero(np.isin(votes.coder, coders))
    cell = votes.item[mine].astype(np.int64) * votes.n_answers + votes.label[mine]
    which, n = np.unique(cell, return_counts=True)
    items = np.unique(which[n < len(coders)] // votes.n_answers)
    if not len(items):  # they differ in how often they said so
        items = np.unique(votes.item[mine])
    return int(items[np.lexsort((by_name[items], code[items]))[0]])


@dataclass(frozen=True, eq=False)
class _Codes:
    """A number for each item, coder and answer, made from the annotations alone."""

    item: Codes
    coder: Codes
    answer: Codes

    @classmethod
    def of(cls, votes: Votes) -> _Codes:
        """How often each occurs."""
        times = votes.times.astype(np.uint64)
        answer = _mixed(_summed(votes.label, times, votes.n_answers))
        if votes.informative:
            answer[-1] = _mixed(answer[-1:] + np.uint64(1))[0]  # an abstention is no category
        return cls(np.zeros(votes.n_items, np.uint64), np.zeros(votes.n_coders, np.uint64), answer)

    def item_from(self, votes: Votes, coder: Codes) -> Codes:
        """(I,) from who gave it which label, and from its category if that is known."""
        what = _mixed(coder[votes.coder] + _mixed(self.answer)[votes.label])
        seen = _summed(votes.item, what * votes.times.astype(np.uint64), votes.n_items)
        told = _mixed(self.answer + np.uint64(2))[votes.known]
        return _mixed(self.item + seen + np.where(votes.known != UNKNOWN, told, np.uint64(0)))

    def refined(self, votes: Votes) -> _Codes:
        """One round: items from coders, then coders and categories from items."""
        return replace(self, item=self.item_from(votes, self.coder)).coders_refined(votes)

    def coders_refined(self, votes: Votes) -> _Codes:
        """Coders and categories from items."""
        times = votes.times.astype(np.uint64)
        seen = _mixed(self.item)[votes.item]
        to = _mixed(seen + self.answer[votes.label]) * times
        coder = _mixed(self.coder + _summed(votes.coder, to, votes.n_coders))
        by = _mixed(seen + self.coder[votes.coder]) * times
        answer = _mixed(self.answer + _summed(votes.label, by, votes.n_answers))
        return _Codes(self.item, coder, answer)


def fitted_in_order(votes: Votes, how: How, fitting: Callable[[Votes, How], Estimate]) -> Estimate:
    """What a fitting function finds in the votes in canonical order, put back."""
    ordered = canonical(votes)
    return ordered.restored(fitting(ordered.votes, how))


def _place(order: Ints) -> Ints:
    """Where each stands in an order."""
    place = np.empty(len(order), np.intp)
    place[order] = np.arange(len(order))
    return place


def _mixed(x: Codes) -> Codes:
    """Numbers without any order, from numbers (the finaliser of SplitMix64)."""
    z = x + np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)))


def _summed(of: Ints, x: Codes, n: int) -> Codes:
    """(n,) sums that wrap round: exact, in whatever order they are added."""
    total = np.zeros(n, np.uint64)
    np.add.at(total, of, x)
    return total


def moved(votes: Votes, item: Ints, coder: Ints, category: Ints, answer: Ints) -> Votes:
    """The same votes with each item, coder, category and answer at another position.

    Parameters
    ----------
    votes : Votes
    item, coder, category, answer : ndarray of int
        (I,), (C,), (K,) and (O,) where each stands then.
    """
    there = item[votes.item], coder[votes.coder], answer[votes.label]
    order = np.lexsort(there[::-1])
    rows = [x[order].astype(np.int32) for x in there]
    first = np.argsort(item)
    known = votes.known[first]
    names = votes.items
    return replace(
        votes,
        items=names[first] if isinstance(names, np.ndarray) else [names[i] for i in first],
        coders=tuple(votes.coders[c] for c in np.argsort(coder)),
        categories=tuple(votes.categories[k] for k in np.argsort(category)),
        item=rows[0],
        coder=rows[1],
        label=rows[2],
        times=votes.times[order],
        known=np.where(known == UNKNOWN, UNKNOWN, category[known]),
        abstained=votes.abstained[np.argsort(coder)],
    )
