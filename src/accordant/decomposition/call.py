"""The public call: a scheme taken apart, by partitions that are named or found."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..actions import Action
from ..counts.count import count
from ..data.annotations import Annotations
from ..errors import RequestError
from ..measure.measures import measures
from ..measure.sets import unranked
from ..numbers import count_of, joined
from .decomposition import Basis, Decomposition
from .decompositions import ORDERED, Decompositions, Explored, about_data
from .figures import CLOSED_FORMS, ClosedForm, closed_form
from .partition import Partition, hierarchy_levels, named, partition_of
from .scores import rounding_of
from .search import RANKS, explore, smaller_side
from .slips import KEPT
from .tables import cells_of, value_text

__all__ = ["Asked", "chained", "decomposed"]


def decomposed(
    annotations: Annotations, by: Any, coefficient: str, asked: Asked, level: float
) -> Decompositions:
    """The partitions of each question; see `accordant.decompose`.

    ``by`` is a partition, a chain of them (a tuple) or a list of both; None to search.
    """
    if asked.rank not in RANKS:
        raise RequestError(f"unknown rank {asked.rank!r}: choose from {', '.join(RANKS)}")
    if by is not None and asked.hierarchy is not None:
        raise RequestError("give the partition or the hierarchy, not both", parameter="hierarchy")
    rounding_of(asked.rounding)
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
class Asked:
    """What was asked of every question."""

    rank: str
    most: int
    search: str
    minimum_share: float | None
    hierarchy: Any
    rounding: str | None


def _searched(basis: Basis, asked: Asked) -> Explored:
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


def _named(basis: Basis, chains: list[list[Partition]], asked: Asked) -> Explored:
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
