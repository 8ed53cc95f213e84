"""Which partitions of each question are looked at: those named, or all bipartitions if possible."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..actions import Action
from ..arrays import Bools, Floats, Ints
from ..counts.count import count
from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.measures import measures
from ..measure.sets import unranked
from ..numbers import count_of, joined, tied
from .contingency import States, cells_of, value_text
from .decomposition import Basis, Decomposition
from .decompositions import ORDERED, Decompositions, Explored, about_data
from .figures import CLOSED_FORMS, ClosedForm, closed_form
from .level_scores import LevelScores, Rounding, rounding_of, score, sides_of
from .partition import Partition, hierarchy_levels, named, partition_of
from .slips import KEPT, Slips

RANKS = ("auto", "beyond", "first", "second", "sides")
SEARCHES = ("auto", "exhaustive", "families")
MOST_STATES = 21  # 2^20 bipartitions
MANY = 12  # values: with so many, rare ones fill lists of the paper's rankings with copies
NEAR = 0.1  # share of the annotations on different sides below which two say the same
RARE = 0.01  # share of the annotations
STEP = 1 << 13  # bipartitions scored at a time


@dataclass(frozen=True, eq=False)
class Found:
    """What a search brought.

    Parameters
    ----------
    sides : ndarray of bool
        (n, C) the best, the best first; side 0 is the smaller one.
    n_scored : int
        How many were looked at.
    exhaustive : bool
        Whether these are all bipartitions there are.
    how : str
        How the search was limited, in a sentence.
    """

    sides: Bools
    n_scored: int
    exhaustive: bool
    how: str


def explore(
    states: States,
    slips: Slips | None,
    *,
    coefficient: str,
    rank: str,
    most: int,
    search: str = "auto",
    minimum_share: float | None = None,
    rounding: Rounding | None = None,
) -> Found:
    """Search the bipartitions of the values (Levi & Shenhav 2022, section 4.1).

    All 2^(C − 1) − 1 of them, up to 21 values; of more values those by a single label or size.
    Of an ordered scale its cut points, low values against high ones.

    Parameters
    ----------
    slips : Slips or None
        Needed by the ranking ``'beyond'``.
    rank : {'beyond', 'first', 'second', 'sides'}
    most : int
        How many to keep.
    search : {'auto', 'exhaustive', 'families'}
    minimum_share : float, optional
        Leave out bipartitions whose smaller side holds a smaller share of the annotations, and
        those that differ from one before by less. By default 0.01 where there are many.
    rounding : Rounding, optional
        Rank as a paper does that ranks rounded figures.

    Raises
    ------
    RequestError
        If there are too many values for an exhaustive search, or no such search.
    """
    if search not in SEARCHES:
        raise RequestError(f"unknown search {search!r}: choose from {', '.join(SEARCHES)}")
    many = states.n_states >= MANY
    sides, n_all, every, how = _candidates(states, slips, rank, search, most)
    order = ranked(states, slips, sides, n_all, coefficient, rank, rounding)
    least = minimum_share or 0.0
    if minimum_share is None and rank != "sides" and many and rounding is None:
        least = min(RARE, float(np.sort(states.share)[-max(2, states.n_states // 2)]))
    enough = _smaller(states, sides) >= least - 1e-12
    if not enough.all():
        n_rare = len(sides) - int(enough.sum())
        of = f"{n_rare:,} with" if len(sides) == n_all else "what has"
        how += f"; {of} less than {least:.2g} of the annotations on one side are left out"
        order = order[enough[order]]
    collapse = rank == "beyond" or (rank in ("first", "second") and many and rounding is None)
    if collapse and not states.ordered and minimum_share != 0:
        n, looked = len(order), order[: 50 * most]
        near = NEAR if rank == "beyond" and minimum_share is None else least or RARE
        order = looked[unlike(sides[looked], states.share, near, most)]
        if len(order) < min(most, n):
            how += f"; of partitions that differ in less than {near:.2g} of the annotations the "
            how += "first is shown"
    return Found(smaller_side(sides[order[:most]]), n_all, every, how)


def _candidates(
    states: States, slips: Slips | None, rank: str, search: str, most: int
) -> tuple[Bools, int, bool, str]:
    """(N, C) the sides that compete for a place, among how many, whether all; in a sentence."""
    c, cuts = states.n_states, states.ordered and rank != "sides"
    if search == "exhaustive" or (search == "auto" and c <= MOST_STATES and not cuts):
        if c > MOST_STATES:
            raise RequestError(
                f"{count_of(c, 'value')} have 2^{c - 1} bipartitions, too many to score each (at "
                f"most {MOST_STATES} values)",
                do=[Action("", {"search": "families"}), Action("", {"by": ...})],
            )
        n_all = 2 ** (c - 1) - 1
        if slips is not None and rank == "beyond":
            codes = slips.promising(most)
        else:
            codes = np.arange(1, n_all + 1)
        how = f"all {count_of(n_all, 'bipartition')} of {count_of(c, 'value')} were scored"
        return sides_of(codes, c), n_all, True, how
    sides = families(states)
    n_all = len(sides)
    how = f"{count_of(n_all, 'bipartition')} by a single label, category or size were scored"
    if states.ordered:
        how = f"the {count_of(n_all, 'cut point')} of an ordered scale were scored"
    return sides, n_all, False, how


def _smaller(states: States, sides: Bools) -> Floats:
    """(N,) share of the annotations on the side that has fewer."""
    one = sides @ states.share
    return np.asarray(np.minimum(one, states.share.sum() - one))


# ------------------------------------------------------------------ rankings


def ranked(
    states: States,
    slips: Slips | None,
    sides: Bools,
    n_compared: int,
    coefficient: str,
    rank: str,
    rounding: Rounding | None = None,
) -> Ints:
    """(N,) the bipartitions in the order asked for; ties in the order of the appendix."""
    appendix = appendix_order(sides)
    if rank == "sides" or not len(sides):
        return appendix
    if rank == "beyond" and slips is not None:
        key = -slips.scores((~sides).astype(np.int64), n_compared)
    else:
        key = np.concatenate(
            [
                _of_levels(score(states, ~sides[k : k + STEP], coefficient), rank, rounding)
                for k in range(0, len(sides), STEP)
            ]
        )
    return np.asarray(appendix[np.argsort(tied(key[appendix]), kind="stable")])


def _of_levels(scores: LevelScores, rank: str, rounding: Rounding | None) -> Floats:
    """(N,) what is ranked from the lowest on."""
    if rounding is not None:
        return rounding.key(scores, rank)
    return -scores.second if rank == "second" else scores.first


def smaller_side(sides: Bools) -> Bools:
    """(N, C) the same bipartitions with the smaller side first, as Levi & Shenhav print them.

    Of two sides of equal size the one with the first state is side 0 (2022, appendix A).

    Examples
    --------
    >>> smaller_side(np.array([[False, True, True], [True, False, False]])).tolist()
    [[True, False, False], [True, False, False]]
    """
    n_states = sides.shape[1]
    if not n_states:
        return sides
    size = 2 * np.count_nonzero(sides, axis=1)
    return np.asarray(sides ^ ((size > n_states) | (size == n_states) & ~sides[:, 0])[:, None])


def appendix_order(sides: Bools) -> Ints:
    """(N,) the bipartitions by the size of their smaller side, then by its states.

    The order of appendix A of Levi & Shenhav (2022).

    Examples
    --------
    >>> found = smaller_side(sides_of([1, 2, 3], 3))
    >>> found[appendix_order(found)].astype(int).tolist()
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    """
    smaller = smaller_side(sides)
    return np.lexsort((*~smaller.T[::-1], np.count_nonzero(smaller, axis=1)))


def unlike(sides: Bools, share: Floats, least: float, most: int) -> Ints:
    """The first ``most`` bipartitions that are not nearly one before: (n,) their places.

    Two are nearly the same if what stands on different sides holds a smaller share of the
    annotations than ``least``: a rare value changes no score, and fills a list with copies.

    Parameters
    ----------
    sides : ndarray of bool
        (N, C) in their order.
    share : ndarray
        (C,) share of each state in the annotations.

    Examples
    --------
    >>> sides = np.array([[True, False, False], [True, False, True], [False, True, False]])
    >>> unlike(sides, np.array([0.5, 0.495, 0.005]), 0.01, 20).tolist()
    [0]
    >>> unlike(sides, np.array([0.5, 0.3, 0.2]), 0.01, 20).tolist()  # the third is the second
    [0, 1]
    """
    kept: list[int] = []
    left = np.ones(len(sides), bool)
    while left.any() and len(kept) < most:
        kept.append(int(left.argmax()))
        apart = (sides ^ sides[kept[-1]]) @ share
        left &= np.minimum(apart, share.sum() - apart) >= least - 1e-12
        left[kept[-1]] = False
    return np.array(kept, np.int64)


# ------------------------------------------------------------------ by a single condition


def families(states: States) -> Bools:
    """(N, C) the bipartitions by a single condition, the smaller side first.

    Of sets each label, exactly so many labels and at least so many; each category against all
    others; of an ordered scale its cut points. Those that are the same on the values that occur
    are listed once.
    """
    c, sizes = states.n_states, states.members.sum(1)
    if states.of_sets:
        numbers = np.arange(states.members.shape[1] + 1)[:, None]
        sides = np.concatenate([states.members.T, sizes == numbers, sizes >= numbers])
    elif states.ordered:
        sides = np.tri(c - 1, c, dtype=bool)
    else:
        sides = np.eye(c, dtype=bool)
    found = smaller_side(sides)
    found = found[found.any(1)]
    return np.asarray(found[np.sort(np.unique(found, axis=0, return_index=True)[1])])


# ------------------------------------------------------------------ each question


def decomposed(
    annotations: Annotations, by: Any, coefficient: str, asked: SearchPlan, level: float
) -> Decompositions:
    """The partitions of each question; see `accordant.decompose`.

    ``by`` is a partition, a chain of them (a tuple) or a list of both; None to search.
    """
    if asked.rank not in RANKS:
        raise RequestError(f"unknown rank {asked.rank!r}: choose from {', '.join(RANKS)}")
    if by is not None and asked.hierarchy is not None:
        raise RequestError("give the partition or the hierarchy, not both", parameter="hierarchy")
    rounding_of(asked.rounding)
    annotations = annotations.of_persons()
    form = _form(coefficient)
    parts, left_out = [], {}
    tried, unfit = 0, dict[int, dict[str, str]]()
    for question in annotations.questions:
        own = annotations.of_question(question)
        try:
            basis = _basis(question or None, own, form, level)
            if by is None and asked.hierarchy is None:
                parts.append(_searched(basis, asked))
                continue
            fitting, wrong = _fitting(basis, by, asked.hierarchy)
            tried += 1
            for k, why in wrong.items():
                unfit.setdefault(k, {})[question] = why
            if wrong and not fitting:
                left_out[question] = next(iter(wrong.values()))
            else:
                parts.append(_named(basis, fitting, asked))
        except NothingToDivideError as error:
            left_out[question] = str(error)
        except RequestError as error:
            if len(annotations.questions) == 1:
                raise
            raise RequestError(
                f"question {question!r}: {error.message}",
                parameter=error.parameter,
                do=[*error.do, Action("of_question", {"question": ...}, "to take one question")],
            ) from error
    for told in unfit.values():
        if len(told) == tried:
            raise RequestError("; ".join(_of_questions(told)))
    if not parts:
        raise RequestError(f"there is nothing to take apart: {'; '.join(_of_questions(left_out))}")
    bases = [part.basis for part in parts]
    notes = about_data(annotations, bases, form.key)
    said = (*(f"left out: {why}" for why in _of_questions(left_out)), *notes)
    return Decompositions(tuple(replace(part, notes=said) for part in parts), left_out, notes)


def chained(by: Any, then: Any) -> Any:
    """The partition with deeper levels, asked within its blocks."""
    deeper = [*then] if isinstance(then, list | tuple) else [then]
    if not deeper:
        return by
    first = by if isinstance(by, list) else [by]
    if len(first) != 1 or by is None:
        raise RequestError(
            "deeper levels go with one named partition: they are asked within its blocks",
            parameter="then",
            do=[Action("", {"by": ...})],
        )
    return [(*(first[0] if isinstance(first[0], tuple) else first), *deeper)]


def _of_questions(told: dict[str, str]) -> list[str]:
    """What is said of each question, once where it is the same."""
    each: dict[str, list[str]] = {}
    for question, why in told.items():
        each.setdefault(why, []).append(question)
    return [f"{joined(qs)}: {why}" if any(qs) else why for why, qs in each.items()]


def _fitting(basis: Basis, by: Any, hierarchy: Any) -> tuple[list[list[Partition]], dict[int, str]]:
    """The chains of partitions that divide the values of a question; of others what is wrong."""
    chains, wrong = [], {}
    for k, spec in enumerate(by if isinstance(by, list) else [by]):
        try:
            chain = spec if isinstance(spec, tuple) else (spec,)
            states = basis.cells.states
            chains.append(
                [partition_of(x, states) for x in chain]
                if hierarchy is None
                else hierarchy_levels(hierarchy, states)
            )
        except RequestError as error:
            wrong[k] = str(error)
    return chains, wrong


def _form(coefficient: str) -> ClosedForm:
    """The closed form of two coders."""
    (found,) = measures(coefficient)  # or it is known to nobody
    if found.weights is None and found.coefficient.key in (*CLOSED_FORMS, "light"):
        return closed_form(coefficient)
    raise RequestError(
        f"pairs of coders are compared by {joined(CLOSED_FORMS, 'or')}, not {coefficient!r}",
        parameter="coefficient",
    )


class NothingToDivideError(RequestError):
    """A question without two coders or two values."""


def _basis(question: str | None, data: Annotations, form: ClosedForm, level: float) -> Basis:
    counts = unranked(count(data))
    cells = cells_of(counts, data.scheme.categories, ordered=data.scheme.scale in ORDERED)
    found = cells.states
    if found.is_pooled and form.key == "kappa":  # no coder has margins of their own
        form = closed_form("pi")
    if not found.n_states or not found.n.sum() > 0:
        n = counts.n_coders
        one = f"only one coder ({counts.coders[0]}) annotated anything" if n == 1 else ""
        raise NothingToDivideError(one or "no item was annotated by two coders")
    if found.n_states < 2:
        only = value_text(found.values[0])
        raise NothingToDivideError(
            f"every annotation of an item with two is {only!r}; at least two different values are "
            "needed"
        )
    return Basis(question, data, counts, cells, form, level)


# ------------------------------------------------------------------ searched, or named


@dataclass(frozen=True)
class SearchPlan:
    """What was asked of every question."""

    rank: str
    most: int
    search: str
    minimum_share: float | None
    hierarchy: Any
    rounding: str | None


def _searched(basis: Basis, asked: SearchPlan) -> Explored:
    """The best of all bipartitions, or of those that were looked at."""
    basis = replace(basis, rounding=rounding_of(asked.rounding, of_printed=asked.rank == "sides"))
    rank, how = _ranking(basis, asked.rank)
    found = explore(
        basis.cells.states,
        basis.slips if rank == "beyond" else None,
        coefficient=basis.form.key,
        rank=rank,
        most=asked.most,
        search=asked.search,
        minimum_share=asked.minimum_share,
        rounding=basis.rounding,
    )
    rows = tuple(
        Decomposition(basis, named(basis.cells.states, side), place, found.n_scored)
        for place, side in enumerate(found.sides, 1)
    )
    n, every = found.n_scored, found.exhaustive
    return Explored(basis, rows, rank, False, n, every, found.how + how)


def _ranking(basis: Basis, rank: str) -> tuple[str, str]:
    """The ranking that is meant, and why it is another than the one asked for."""
    rank = "beyond" if rank == "auto" else rank
    if rank == "beyond" and basis.slips is None:
        n = count_of(len(basis.values), "value")
        return "first", f"; {n} are too many to say what random errors alone would show"
    return rank, ""


def _named(basis: Basis, chains: list[list[Partition]], asked: SearchPlan) -> Explored:
    """The partitions that were named, with their places among all bipartitions if there are few."""
    basis = replace(basis, rounding=rounding_of(asked.rounding))
    rank, how = _ranking(basis, asked.rank)
    n_all, places = _places(basis, rank)
    rows = []
    for chain in chains:
        if not chain:
            raise RequestError("a chain of levels is empty: name one partition or more")
        row = Decomposition(basis, chain[0], n_compared=len(chains), deeper=tuple(chain[1:]))
        side = smaller_side((row.block == 0)[None])[0].tobytes()
        row = replace(row, rank=places.get(side) if row.partition.n_blocks == 2 else None)
        _ = row.deeper and row.steps  # a level that does not divide the one before is told now
        rows.append(row)
    if not rows:
        raise RequestError(
            "no partition is named: leave the option out to search, or name one", parameter="by"
        )
    how = f"{count_of(len(rows), 'partition')} named{how}"
    if n_all and rank != "sides":
        what = "cut point" if basis.cells.states.ordered else "bipartition"
        how += f"; ranks are those among all {count_of(n_all, what)}, by {rank}"
    return Explored(basis, tuple(rows), rank, True, len(rows), False, how)


def _places(basis: Basis, rank: str) -> tuple[int, dict[bytes, int]]:
    """How many compete if they are few, and the place of each of them in the ranking.

    All bipartitions; of an ordered scale its cut points.
    """
    if 2 ** (len(basis.values) - 1) > KEPT:
        return 0, {}
    found = explore(
        basis.cells.states,
        basis.slips if rank == "beyond" else None,
        coefficient=basis.form.key,
        rank=rank,
        most=KEPT,
        minimum_share=0.0,
    )
    return found.n_scored, {side.tobytes(): k for k, side in enumerate(found.sides, 1)}
