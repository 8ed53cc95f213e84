"""A distribution in place of a label for each item: the one shape of soft labels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...diagnosis.finding import Finding
from ...results import Result
from ...scheme import Label, Scheme
from ..posterior import TIE
from .entropies import effective, entropy, expected_entropy, miller_madow
from .ordered import ON_A_SCALE
from .smoothing import Smoothing

__all__ = ["KINDS", "Kind", "SoftLabels"]

Floats = NDArray[np.float64]
Kind: TypeAlias = Literal["opinion", "belief"]
KINDS: Mapping[Kind, str] = {
    "opinion": "the distribution of the labels that coders give",
    "belief": "the probability that a label is the true one",
}
"""The two things that a soft label can mean; they are never mixed."""


@dataclass(frozen=True, eq=False, repr=False)
class SoftLabels(Result):
    """A distribution over the categories for each item; made by `soft_labels`.

    I items, K categories. Where annotations are sets of labels, the K categories are the labels,
    and each has a probability of its own.

    Parameters
    ----------
    question : str or None
    items : sequence
        (I,) names.
    scheme : Scheme
    kind : {'opinion', 'belief'}
        Opinion is the distribution of the labels that coders give; belief is how probable it is
        that a label is the true one.
    probabilities : ndarray
        (I, K); rows sum to 1 unless annotations are sets of labels.
    n : ndarray
        (I,) annotations of each item; effective ones if coders have weights, Σw² / (Σw)² to −1.
    made : str
        How they were made, for the signature.
    counts : ndarray or None
        (I, K) annotations that the opinion rests on.
    smoothing : Smoothing or None
        What was added to them.
    estimator : {'plug-in', 'miller-madow', 'bayes'}
        Of `entropy_estimate`.
    signature : str
    findings : tuple of Finding
    """

    told_as: ClassVar[str] = "soft"

    question: str | None
    items: Any
    scheme: Scheme
    kind: Kind
    probabilities: Floats
    n: Floats
    made: str = ""
    counts: Floats | None = None
    smoothing: Smoothing | None = None
    estimator: str = "plug-in"
    signature: str = ""
    findings: tuple[Finding, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.items)

    @property
    def categories(self) -> tuple[Label, ...]:
        """(K,) categories, or the labels of sets."""
        return self.scheme.categories

    @cached_property
    def names(self) -> list[Any]:
        """(I,) the items as plain objects."""
        return list(self.items.tolist() if hasattr(self.items, "tolist") else self.items)

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The place of each category by its text."""
        return {str(c): k for k, c in enumerate(self.categories)}

    @property
    def several(self) -> bool:
        """Whether an item has several labels, each with a probability of its own."""
        return self.scheme.max_labels != 1

    @cached_property
    def distributions(self) -> Floats:
        """(I, K) distributions; of labels of sets (I, K, 2), yes and no."""
        p = self.probabilities
        return np.stack([p, 1 - p], -1) if self.several else p

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits, of the distribution as it stands here; of sets the mean of the labels."""
        found = entropy(self.distributions)
        return found.mean(1) if self.several else found

    @cached_property
    def label_entropy(self) -> Floats:
        """(I, K) in bits, of each label of sets; of single labels −p log₂ p of each category."""
        if self.several:
            return entropy(self.distributions)
        p = self.probabilities
        return np.asarray(-p * np.log2(np.where(p > 0, p, 1))) + 0.0

    @cached_property
    def tables(self) -> Floats | None:
        """(I, K) counts; of labels of sets (I, K, 2), yes and no; None for a belief."""
        if self.counts is None or not self.several:
            return self.counts
        return np.stack([self.counts, self.n[:, None] - self.counts], -1)

    @cached_property
    def entropy_estimate(self) -> Floats | None:
        """(I,) estimated entropy of the opinion behind so few annotations; None for a belief.

        The entropy of a few votes is too low: two coders who agree show 0 bits, whatever a third
        would say.
        """
        if self.tables is None or self.smoothing is None:
            return None
        if self.estimator == "plug-in":
            return self.entropy
        if self.estimator == "miller-madow":
            found = miller_madow(self.tables)
        else:
            prior = self.smoothing.pseudo
            alpha = self.tables + np.where(prior.sum() > 0, prior, 0.5)  # Jeffreys without one
            found = expected_entropy(alpha)
        return np.asarray(found.mean(1) if self.several else found)

    @cached_property
    def disagreement(self) -> Floats | None:
        """(I,) share of the pairs of annotations that differ; NaN for one annotation."""
        if self.tables is None:
            return None
        n = self.tables.sum(-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = 1 - (self.tables * (self.tables - 1)).sum(-1) / (n * (n - 1))
        found = np.where(n > 1, found, math.nan)
        return np.asarray(found.mean(1) if self.several else found)

    @cached_property
    def tied(self) -> NDArray[np.bool_]:
        """(I,) whether the most frequent (most probable) category is not the only one."""
        p = self.probabilities if self.counts is None else self.counts
        return np.asarray(np.count_nonzero(p >= p.max(1, keepdims=True) - TIE, axis=1) > 1)

    @property
    def labels(self) -> list[Any]:
        """(I,) the category with most votes (most probable); None for a tie; sets as tuples."""
        names = self.categories
        if self.several:
            p = self.probabilities
            if self.counts is not None:
                p = self.counts / np.maximum(self.n, 1)[:, None]
            return [
                tuple(name for name, x in zip(names, row, strict=True) if x > 0.5)
                for row in p.tolist()
            ]
        p = self.probabilities if self.counts is None else self.counts
        found = np.where(self.tied, -1, p.argmax(1)).tolist()
        return [None if k < 0 else names[k] for k in found]

    @cached_property
    def top(self) -> Floats:
        """(I,) the largest probability."""
        return np.asarray(self.probabilities.max(1, initial=0))

    def top_interval(self, level: float = 0.95) -> tuple[Floats, Floats]:
        """(I,) and (I,): between what values the share of the most frequent category may lie.

        The share follows a beta law; without smoothing its prior is Jeffreys', and the interval
        reaches 0 and 1 where all votes do (Brown, Cai & DasGupta 2001). It takes the category as
        chosen beforehand, so that of the larger of two it is somewhat high.
        """
        from scipy.special import betaincinv

        if self.counts is None or self.smoothing is None or self.several:
            nothing = np.full(len(self), math.nan)
            return nothing, nothing
        rows, at = np.arange(len(self)), self.probabilities.argmax(1)
        x, n = self.counts[rows, at], self.counts.sum(1)
        pseudo = self.smoothing.pseudo
        without = not pseudo.sum() > 0
        a, b = (0.5, 0.5) if without else (pseudo[at], pseudo.sum() - pseudo[at])
        tail = (1 - level) / 2
        first, second = np.maximum(x + a, 1e-12), np.maximum(n - x + b, 1e-12)
        low, high = betaincinv(first, second, tail), betaincinv(first, second, 1 - tail)
        if without:
            low, high = np.where(x == 0, 0.0, low), np.where(x == n, 1.0, high)
        return np.asarray(low), np.asarray(high)

    # ------------------------------------------------------------------ shown

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item, with a column ``p_<category>`` for each category."""
        columns: dict[str, list[Any]] = {
            "item": self.names,
            "kind": [self.kind] * len(self),
            "label": self.labels,
            "n": self.n.tolist(),
            "entropy": self.entropy.tolist(),
        }
        if self.counts is not None and self.entropy_estimate is not None:
            columns["entropy_estimate"] = self.entropy_estimate.tolist()
        columns["effective_categories"] = effective(self.entropy).tolist()
        if self.disagreement is not None:
            columns["disagreement"] = self.disagreement.tolist()
        if self.several:
            for name, bits in zip(self.categories, self.label_entropy.T, strict=True):
                columns[f"entropy_{name}"] = bits.tolist()
        else:
            columns["top"] = self.top.tolist()
            if self.counts is not None:
                low, high = self.top_interval()
                columns |= {"top_low": low.tolist(), "top_high": high.tolist()}
            if told := ON_A_SCALE.get(self.scheme.scale):
                columns |= told(self.probabilities, self.scheme)
        for name, p in zip(self.categories, self.probabilities.T, strict=True):
            columns[f"p_{name}"] = p.tolist()
        names = list(columns)
        rows = zip(*columns.values(), strict=True)
        about = {"question": self.question}
        return [about | dict(zip(names, row, strict=True)) for row in rows]

    def save(self, path: str | Path) -> None:
        """Write them to a file whose suffix says the format: see `exchange.save_soft`."""
        from .exchange import save_soft

        save_soft(self, path)
