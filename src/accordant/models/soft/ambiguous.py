"""Ambiguity of items told from errors of coders: what was found, and how it is told."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...diagnosis.finding import Finding
from ...numbers import TIED, count_of, joined, p_text, percent, shares_of_all
from ...results import Result
from ..posterior import Posterior
from ..votes import Votes

__all__ = ["Ambiguity"]

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

LEAST_TOLD = 0.005  # a share below it is 0 % in words
DOUBTED = 0.05  # p-value above which no item may be ambiguous


@dataclass(frozen=True, eq=False, repr=False)
class Ambiguity(Result):
    """Which disagreements coders explain and which remain with the item; made by `ambiguity`.

    I items, K categories.

    Parameters
    ----------
    posterior : Posterior
        The model of coders, fitted to all annotations.
    beliefs : ndarray
        (I, K) what is true of each item if there is one truth, with the error rates that coders
        have on items that are not ambiguous.
    disagreement, expected : ndarray
        (I,) share of the pairs of annotations that differ, and what the error rates of these
        coders produce; NaN for items with one annotation.
    bits : ndarray
        (I,) by how much several readings explain the annotations better than one.
    shares : ndarray
        (I, K) the readings that explain an item best.
    probability : ndarray
        (I,) that the item is ambiguous, given how many items are. With two categories: ambiguous
        or hard.
    p_value, q_value : ndarray
        (I,) how often these coders, all seeing the same and erring as usual, give annotations that
        look as ambiguous; and adjusted for the number of items (Benjamini & Hochberg 1995). NaN
        for items with one annotation. A small value says *ambiguous or hard*.
    hard_p_value, hard_q_value : ndarray
        (I,) the same if the item may be hard as well: how often errors, however many, concentrate
        on one label as much; never below ``p_value``. 1 with two categories, where nobody can
        tell. The second is adjusted for the items that could be significant (Gilbert 2005).
    level : float
        The share of false ones that is accepted among the items called ambiguous.
    difficulty : float
        How much the items differ in ease: the standard deviation of its logarithm that fits best,
        of those that are tried (0 to 2); 0 with two categories.
    share, share_low, share_high : float
        Share of all items with two annotations that are ambiguous (with two categories: ambiguous
        or hard), with a 95 % interval from the profile likelihood, error rates taken as known.
        With few annotations it is too low.
    any_p_value : float
        Of the likelihood ratio test that no item is.
    surprise : ndarray
        (N,) bits of each annotation, given the coder's confusion and the other annotations.
    schools : tuple of tuple of str
        Coders who share a reading; empty if there are no schools.
    schools_differ : ndarray
        (I,) whether schools give different labels to the item.
    between : ndarray
        (I,) share of all pairs of annotations of such an item that differ and are of coders of
        different schools; 0 for other items.
    signature : str
    findings : tuple of Finding
    """

    told_as: ClassVar[str] = "ambiguity"

    posterior: Posterior
    beliefs: Floats
    disagreement: Floats
    expected: Floats
    bits: Floats
    shares: Floats
    probability: Floats
    p_value: Floats
    q_value: Floats
    hard_p_value: Floats
    hard_q_value: Floats
    level: float
    difficulty: float
    share: float
    share_low: float
    share_high: float
    any_p_value: float
    surprise: Floats
    schools: tuple[tuple[str, ...], ...]
    schools_differ: Bools
    between: Floats
    signature: str
    findings: tuple[Finding, ...] = field(default=())

    @property
    def question(self) -> str | None:
        """The question."""
        return self.posterior.question

    @property
    def votes(self) -> Votes:
        """What was annotated."""
        return self.posterior.votes

    @cached_property
    def ambiguous(self) -> Bools:
        """(I,) whether more than errors about a hard item speaks for several readings of it."""
        return np.asarray(self.hard_q_value <= self.level)

    @cached_property
    def unclear(self) -> Bools:
        """(I,) whether coders disagree more than they usually err: ambiguous, or hard."""
        return np.asarray((self.q_value <= self.level) | self.ambiguous)

    @property
    def told_apart(self) -> bool:
        """Whether ambiguous items can be told from hard ones: not with two categories.

        A hard item has errors of all kinds, an ambiguous one many of the same kind. With two
        categories there is one kind only.
        """
        return self.votes.n_categories > 2

    @property
    def what(self) -> str:
        """What ``share``, ``probability`` and ``by_ambiguous`` are about."""
        return "ambiguous" if self.told_apart else "ambiguous or hard"

    @property
    def items(self) -> list[Any]:
        """The ambiguous items, the clearest first."""
        return self._clearest(self.ambiguous)

    @property
    def unclear_items(self) -> list[Any]:
        """The items that are ambiguous or hard, the clearest first."""
        return self._clearest(self.unclear)

    def _clearest(self, chosen: Bools) -> list[Any]:
        at = np.flatnonzero(chosen)
        keys = (-self.bits[at]).round(TIED), self.p_value[at].round(TIED)
        at = at[np.lexsort((self.votes.order.argsort()[at], *keys))]
        names = self._names
        return [names[i] for i in at.tolist()]

    # ------------------------------------------------------------------ all disagreement

    @cached_property
    def _pairable(self) -> Bools:
        return np.asarray(~np.isnan(self.disagreement))

    @property
    def total(self) -> float:
        """Mean disagreement of the items with two annotations or more."""
        seen = self._pairable
        return float(self.disagreement[seen].mean()) if seen.any() else math.nan

    @property
    def parts(self) -> tuple[float, float, float]:
        """Whom all disagreement comes from: `by_coders`, `between_schools`, `by_items`; 1 in all.

        NaN without any disagreement.
        """
        return self.by_coders, self.between_schools, self.by_items

    @cached_property
    def by_coders(self) -> float:
        """Share of all disagreement that the usual errors of coders suffice to explain.

        What their error rates produce by themselves, without what is between schools (a model with
        one truth counts that among the errors of the smaller one), and never more than what schools
        and ambiguous items leave.
        """
        room = 1 - self.between_schools - self.by_ambiguous
        return max(min(self._part(self._errors), room), 0.0)

    @cached_property
    def between_schools(self) -> float:
        """Share of all disagreement that is of coders of different schools, where these differ."""
        return self._part(self.between)

    @property
    def by_items(self) -> float:
        """Share of all disagreement that is left with the items: several readings, hard, or chance.

        The part of it with several readings is `by_ambiguous`.
        """
        return max(1 - self.by_coders - self.between_schools, 0.0)

    @cached_property
    def by_ambiguous(self) -> float:
        """Share of all disagreement beyond usual errors, on items as far as they are ambiguous.

        With two categories: as far as they are ambiguous or hard.
        """
        excess = self.disagreement - self.between - self._errors
        found = max(self._part(self.probability * excess), 0.0)
        return min(found, 1 - self.between_schools)

    @property
    def _errors(self) -> Floats:
        """(I,) what the error rates of coders produce, without what is between schools."""
        return np.where(
            self.schools_differ, np.maximum(self.expected - self.between, 0), self.expected
        )

    def _part(self, x: Floats) -> float:
        seen = self._pairable
        total = self.disagreement[seen].sum()
        return float(x[seen].sum() / total) if total > 0 else math.nan

    # ------------------------------------------------------------------ shown

    @cached_property
    def sources(self) -> list[str]:
        """(I,) where an item's disagreement comes from.

        ``'none'`` without any, ``'schools'`` if schools of coders give different labels, ``'item'``
        if it is ambiguous, ``'unclear'`` if it is ambiguous or hard, else ``'coders'``: their
        usual errors suffice to explain it.
        """
        found = np.full(self.votes.n_items, "coders", dtype=object)
        found[self.unclear] = "unclear"
        found[self.ambiguous] = "item"
        found[self.schools_differ] = "schools"
        found[~(self.disagreement > 0)] = "none"
        return [str(x) for x in found]

    @property
    def _names(self) -> Any:
        items = self.votes.items
        return items.tolist() if isinstance(items, np.ndarray) else items

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, in the order of the data."""
        names = self.votes.categories
        order = np.argsort((-self.shares).round(TIED), axis=1, kind="stable")
        two = min(2, len(names))
        rows = []
        for i, item in enumerate(self._names):
            readings: dict[str, Any] = {}
            for k in range(2):
                share = float(self.shares[i, order[i, k]]) if k < two else 0.0
                given = share > 0.01 and not math.isnan(share)
                readings[f"reading_{k + 1}"] = names[order[i, k]] if given else None
                readings[f"share_{k + 1}"] = share if given else None
            rows.append(
                {
                    "question": self.question,
                    "item": item,
                    "source": self.sources[i],
                    "ambiguous": bool(self.ambiguous[i]),
                    "unclear": bool(self.unclear[i]),
                    "p_value": float(self.p_value[i]),
                    "q_value": float(self.q_value[i]),
                    "hard_p_value": float(self.hard_p_value[i]),
                    "hard_q_value": float(self.hard_q_value[i]),
                    "probability": float(self.probability[i]),
                    "bits": float(self.bits[i]),
                    "n": int(self.votes.per_item[i]),
                    "disagreement": float(self.disagreement[i]),
                    "expected": float(self.expected[i]),
                    "schools_differ": bool(self.schools_differ[i]),
                    **readings,
                }
            )
        return rows

    def annotation_rows(self) -> list[dict[str, Any]]:
        """One row for each annotation: how surprising it is, and what it is put down to.

        ``put_down_to`` is ``'agrees'`` for the label that is believed in, else the source of the
        item's disagreement.
        """
        table, sources = self.votes, self.sources
        believed = self.beliefs.argmax(1)
        answers = (*table.categories, None)
        columns = zip(
            table.item.tolist(), table.coder.tolist(), table.label.tolist(),
            self.surprise.tolist(), strict=True,
        )  # fmt: skip
        return [
            {
                "question": self.question,
                "item": self._names[i],
                "coder": table.coders[c],
                "label": answers[k],
                "surprise": bits,
                "put_down_to": "agrees" if k == believed[i] else sources[i],
            }
            for i, c, k, bits in columns
        ]

    @property
    def _differ(self) -> str:
        return f"Two annotations of an item differ in {percent(self.total)} of the pairs"

    @property
    def explained(self) -> str:
        """Where the disagreement comes from: parts that add up to 100 %."""
        coders, schools, items = shares_of_all(self.parts)
        told = [f"usual errors of each coder explain {coders}"]
        if self.between_schools > 0:
            told.append(f"differences between coder groups {schools}")
        if items == percent(0, 0):
            little = "almost none" if self.unclear.any() else "none"
            told.append(f"{little} remains for the items")
        else:
            told.append(f"{items} remains for the items{self._among(items)}")
        return f"Of this disagreement, {joined(told)}"

    def _among(self, items: str) -> str:
        """How much of what is left with items is with ambiguous ones."""
        share = percent(self.by_ambiguous, 0)
        if self.by_ambiguous < LEAST_TOLD:
            return " (hard items, or chance)"
        return f", all of it with {self.what} ones" if share == items else (
            f", {share} with {self.what} ones"
        )  # fmt: skip

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        if not self.total > 0:
            return "Coders do not disagree, so there is nothing to explain."
        parts = [f"{self._differ}. {self.explained}"]
        n, more = int(self.ambiguous.sum()), int((self.unclear & ~self.ambiguous).sum())
        if n:
            parts.append(f"{count_of(n, 'item is', 'items are')} ambiguous")
        if more:
            what = "more item" if n else "item"
            parts.append(f"{count_of(more, f'{what} is', f'{what}s are')} ambiguous or hard")
        if not n and not more:
            parts.append(f"no item can be called {self.what} by itself")
        if self.share >= LEAST_TOLD:
            least = "or more are" if self.any_p_value <= DOUBTED else "are, or none is,"
            parts.append(
                f"in all about {percent(self.share, 0)} of the items {least} {self.what} "
                f"({p_text(self.any_p_value)})"
            )
        said = f"{'; '.join(parts[:-1])}, and {parts[-1]}." if len(parts) > 2 else (
            f"{'; '.join(parts)}."
        )  # fmt: skip
        if self.told_apart:
            return said
        return f"{said} With two categories, hard and ambiguous items cannot be told apart."
