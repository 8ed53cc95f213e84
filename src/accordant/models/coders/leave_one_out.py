"""What hangs on a single coder: labels and coefficients without each of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...arrays import Ints
from ...counts.count import count
from ...counts.counts import Counts
from ...diagnosis.finding import Contrast, Evidence, Told, rule
from ...inference.measurement import fitting_weights
from ...measure.coefficients import COEFFICIENTS
from ...numbers import decimal
from ...results import Result
from ..estimate import Estimate, label_codes
from ..model import model_of
from ..posterior import Posterior
from ..votes import Votes

__all__ = ["LeavingOut", "Left", "decisive_coder", "leaving_out"]


QUICK = 400_000_000  # steps of all fits, if no number of coders is asked for: about 2 s
ROUND = 20_000  # steps that a round takes with next to no data
FIT = 1_000_000  # steps of a fit besides its rounds: the smaller data, alpha
CELL = 5  # steps for each cell of a confusion matrix: how alike coders are is learned
FEWEST = 3  # coders to compare with each other; what hangs on one or two of many tells little
MOST_NAMES = 20
DECISIVE = 0.1  # of the labels hang on one coder
MOST_TOLD = 12


@dataclass(frozen=True)
class Left:
    """What changes without a coder.

    Parameters
    ----------
    coder : str
    n_annotations : int
    n_items : int
        Items with a label from all coders.
    changed, tied, lost : int
        Items that get another label, become a tie, or have no annotation left.
    items : tuple
        Names of those, the first of many.
    alpha : float
        Krippendorff's alpha without the coder; NaN where it is undefined.
    rise : float
        By how much alpha rises without the coder; below 0 if it falls.
    """

    coder: str
    n_annotations: int
    n_items: int
    changed: int
    tied: int
    lost: int
    items: tuple[Hashable, ...]
    alpha: float
    rise: float

    @property
    def share(self) -> float:
        """Share of the labels that hang on the coder."""
        n = self.changed + self.tied + self.lost
        return n / self.n_items if self.n_items else math.nan


@dataclass(frozen=True, eq=False, repr=False)
class LeavingOut(Result):
    """What changes without each coder, the most influential first.

    Parameters
    ----------
    question : str or None
    each : tuple of Left
    alpha : float
        With all coders.
    n_coders : int
        How many coders there are; of many, only those with most annotations are left out.
    model : str
        Name of the model that was fitted again.
    """

    question: str | None
    each: tuple[Left, ...]
    alpha: float
    n_coders: int
    model: str
    told_as: ClassVar[str] = "leave-one-out"

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coder that was left out."""
        return [
            {
                "question": self.question,
                "coder": x.coder,
                "n_annotations": x.n_annotations,
                "n_items": x.n_items,
                "n_changed": x.changed,
                "n_tied": x.tied,
                "n_unannotated": x.lost,
                "labels_changing": x.share,
                "alpha_without": x.alpha,
                "alpha_change": x.rise,
                "items": "; ".join(map(str, x.items)) or None,
            }
            for x in self.each
        ]

    @property
    def bounded(self) -> str:
        """Which coders were left out, if not all; else empty."""
        if len(self.each) == self.n_coders:
            return ""
        if not self.each:
            return "No coder was left out, since each takes a fit of all the others."
        return (
            f"Left out one at a time: the {len(self.each):,} of {self.n_coders:,} coders with most "
            "annotations, since each takes a fit of all the others."
        )


def leaving_out(
    posterior: Posterior,
    n: int | None = None,
    *,
    progress: Callable[[int, int], None] | None = None,
) -> LeavingOut:
    """Fit the model again without each coder, and compare labels and alpha.

    Parameters
    ----------
    posterior : Posterior
    n : int, optional
        How many coders at most, those with most annotations first; by default as many as go
        quickly, by the rounds that the model needs and the size of the data.
    progress : callable, optional
        Called with (done, total).

    Returns
    -------
    LeavingOut

    Notes
    -----
    Both fits start from the votes, without further starts, so that nothing but the coder differs.
    A model that draws samples is replaced by its fast relative, the pooled model.

    Examples
    --------
    >>> import accordant as ac
    >>> table = [["a", "b", "a", "b"], ["a", "b", "a", "a"], ["a", "b", "b", "a"]]
    >>> found = leaving_out(ac.fit(table, "majority"))
    >>> [(x.coder, x.changed, x.tied) for x in found.each]
    [('coder 2', 0, 2), ('coder 1', 0, 1), ('coder 3', 0, 1)]
    """
    votes, model, options = posterior.votes, posterior.model, dict(posterior.options)
    if model.drawn:
        model, options = model_of("pooled"), {}
    how = replace(posterior.how, restarts=0, progress=None)
    counts = count(posterior.data.of_coders(votes.coders))
    whole = _alpha(posterior, counts)
    at_least = len(posterior.estimate.climb.history)
    most = min(_quick(votes, at_least) if n is None else n, votes.n_coders)
    if most == 0 or votes.n_coders == 1 or counts.coder is None:
        return LeavingOut(posterior.question, (), whole, votes.n_coders, model.name)
    rounds: list[int] = []
    counted = replace(how, progress=lambda done, total: rounds.append(done))
    base = _codes(model.fit(votes, counted, **options), votes)
    if n is None:
        most = min(_quick(votes, len(rounds)), most)
        most = most if most >= min(FEWEST, votes.n_coders) else 0
    names, had = votes.names, base >= 0

    def left(c: int) -> Left:
        part = votes.without(votes.coder == c)
        codes = _codes(model.fit(part, how, **options), part)
        others = [k for k, name in enumerate(counts.coders) if name != votes.coders[c]]
        alpha = _alpha(posterior, counts.of_coders(np.array(others)))
        differs = np.flatnonzero(had & (codes != base))
        now, order = codes[differs], np.argsort(votes.place[differs], kind="stable")
        return Left(
            votes.coders[c],
            int(votes.per_coder[c]),
            int(had.sum()),
            int((now >= 0).sum()),
            int((now == -1).sum()),
            int((now == -2).sum()),
            tuple(names[i] for i in differs[order][:MOST_NAMES].tolist()),
            alpha,
            alpha - whole,
        )

    chosen = np.argsort(-votes.per_coder, kind="stable")[:most].tolist()
    found = []
    for done, c in enumerate(chosen, start=1):
        found.append(left(c))
        if progress is not None:
            progress(done, len(chosen))
    found.sort(key=lambda x: (-x.share, x.coder))
    return LeavingOut(posterior.question, tuple(found), whole, votes.n_coders, model.name)


def _quick(votes: Votes, rounds: int) -> int:
    """How many coders can be left out one at a time without a long wait, at so many rounds each.

    Steps are counted and not seconds, so that every machine leaves out the same coders.
    """
    sizes = (len(votes.item) + votes.n_items) * votes.n_categories
    cells = CELL * votes.n_coders * votes.n_categories * votes.n_answers
    return int(QUICK // (FIT + rounds * (ROUND + sizes + cells)))


def _codes(found: Estimate, votes: Votes) -> Ints:
    """(I,) the label of each item, -1 for a tie, -2 without an annotation."""
    return np.where(votes.per_item > 0, label_codes(found.probabilities), -2)


def _alpha(posterior: Posterior, counts: Counts) -> float:
    """Krippendorff's alpha with the weights that fit the scale."""
    w = fitting_weights(counts, posterior.data.schemes[0], None, metric=True)
    return float(COEFFICIENTS["alpha"].parts(counts, w).value)


@rule("note")
def decisive_coder(found: LeavingOut) -> Told | None:
    """Labels that change without one coder.

    {share:%} of the labels change without {coder:quoted}: of {first.n_items:item}
    {first.changed:,} {first.changed:gets|get} another label, {first.tied:,} {ties} and
    {first.lost:,} {first.lost:has|have} none.{alpha}{more}

    Have these items annotated by somebody else too before you rely on their labels.
    """
    strong = [x for x in found.each if x.share >= DECISIVE]
    if not strong:
        return None
    first = strong[0]
    more = f" The same holds for {len(strong) - 1:,} more." if len(strong) > 1 else ""
    alpha = f" α would be {decimal(first.alpha)} instead of {decimal(found.alpha)}."
    if math.isnan(first.alpha + found.alpha):
        alpha = ""
    ties = "becomes a tie" if first.tied == 1 else "become ties"
    lines = tuple(Contrast(x.coder, x.n_annotations, x.share) for x in strong[:MOST_TOLD])
    about = "coder", "annotations", "labels that change without the coder"
    return Told(
        {"coder": first.coder, "share": first.share, "coders": tuple(x.coder for x in strong)},
        {"first": first, "alpha": alpha, "ties": ties, "more": more},
        remedy="task",
        seen=Evidence(lines, *about, names=first.items),
        title="Labels that change without one coder",
    )
