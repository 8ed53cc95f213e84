"""What to know before the scores of CrowdTruth are used."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ...actions import Action
from ...diagnosis.finding import Finding
from ...diagnosis.words import listed
from ...numbers import count_of, decimal
from .rounds import FLOOR, Scores
from .vectors import Vectors

__all__ = ["remarks"]

SOURCE = ("dumitrache2018",)
MORE_ROUNDS = Action("", {"max_iterations": ...})


def remarks(
    question: str | None, vectors: Vectors, scores: Scores, n_rounds: int, converged: bool,
    change: float,
) -> tuple[Finding, ...]:  # fmt: skip
    """The findings about the scores of a question."""
    found = _found(vectors, scores, n_rounds, converged, change)
    return tuple(
        Finding(
            code, severity, sentence, advice, {"n": n}, SOURCE, question,  # type: ignore[arg-type]
            do=(MORE_ROUNDS,) if code == "not_converged" else (),
        )
        for code, severity, n, sentence, advice in found
    )  # fmt: skip


def _found(
    v: Vectors, scores: Scores, n_rounds: int, converged: bool, change: float
) -> Iterator[tuple[str, str, int, str, str]]:
    if not v.shared.any():
        yield (
            "nothing_shared", "problem", len(v.items),
            "No item was annotated by two coders, so there is no agreement to measure.",
            "Have some items annotated by two coders or more.",
        )  # fmt: skip
        return
    if not converged:
        yield (
            "not_converged", "warning", n_rounds,
            f"After {count_of(n_rounds, 'round')} a score still changed by {decimal(change, 4)}.",
            "Allow more rounds.",
        )  # fmt: skip
    if n := int(np.count_nonzero(~v.shared)):
        yield (
            "single_annotations", "note", n,
            f"{count_of(n, 'item')} of {len(v.items):,} "
            f"{'was' if n == 1 else 'were'} annotated by one coder only and "
            f"{'has' if n == 1 else 'have'} no quality.",
            "They do not enter the quality of coders and categories.",
        )  # fmt: skip
    lone = [name for name, k in zip(v.coders, v.n_shared.tolist(), strict=True) if not k]
    if lone:
        yield (
            "nobody_beside", "note", len(lone),
            f"{count_of(len(lone), 'coder')} ({listed(lone)}) shared no item with another coder "
            "and cannot be judged.",
            "Have some of their items annotated by others too.",
        )  # fmt: skip
    weight = np.bincount(v.item, scores.coder[v.coder], len(v.items))
    empty = v.shared & (weight < FLOOR)
    if n := int(np.count_nonzero(empty)):
        yield (
            "no_weight", "warning", n,
            f"All coders of {count_of(n, 'item')} have quality 0, so every category scores 0 "
            f"{'there' if n == 1 else 'in them'}.",
            "Use the unweighted shares of these items instead of the scores.",
        )  # fmt: skip
