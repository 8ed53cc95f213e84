"""Scores of predictions over all items as functions of sums, so that each has a standard error.

Whatever is told of a set of predictions (a mean distance, F1, a correlation of entropies) is a
function of sums over items. Its standard error follows by the delta method from the sums of each
item, or of each cluster of items, and a bootstrap draws items without measuring anything anew.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

import numpy as np

from ...arrays import Floats, Ints
from ...diagnosis.finding import Finding
from ...errors import unknown
from ...results import Result
from ..estimate import TIE
from .distributions import DISTANCES, Measure, entropy, floored, smoothed, wasserstein
from .soft_labels import SoftLabels

__all__ = ["MEASURES", "REFERENCES", "ModelScores", "Score", "SoftScores", "Sums"]


AGGREGATES: Mapping[str, Measure] = {
    "entropy_gap": Measure("entropy, predicted − coders", "zero", -math.inf, math.inf, bits=1),
    "entropy_correlation": Measure("correlation of entropies", least=-1),
    "entropy_similarity": Measure("cosine of entropies"),
    "accuracy": Measure("accuracy (majority label)"),
    "micro_f1": Measure("micro F1 (majority label)"),
    "macro_f1": Measure("macro F1 (majority label)"),
}
"""Measures that are no mean over items, in the order of `values`."""
MEASURES: Mapping[str, Measure] = {
    **DISTANCES,
    "wasserstein": Measure("Wasserstein distance", "lower", most=math.inf),
    **AGGREGATES,
}
"""Every measure by its name, in the order of tables."""
REFERENCES: Mapping[str, str] = {
    "perfect": "a model that knows the true distribution of each item (votes are a sample of it)",
    "soft_labels": "the soft labels themselves: nothing can be better",
    "majority_label": "the coders' most frequent label, with certainty",
    "frequencies": "how frequent each category is, the same for every item",
    "uniform": "every category alike",
}
"""What a score stands beside."""

ENTROPIES = 5  # sums of t, p, t², p², tp
DRAWN = 4_000_000  # draws that are held at a time
TINY = 1e-20  # step of a complex derivative, which loses no digits
NODES = 32  # distributions that stand for the law of a share
CELLS = 1_000_000  # terms that are held at a time


# ---------------------------------------------------------------------- results


@dataclass(frozen=True)
class Score:
    """One measure of one set of predictions.

    Parameters
    ----------
    measure, name : str
        For programs and for people.
    value : float
        NaN where undefined.
    se, low, high : float
        Standard error and interval over items.
    better : {'lower', 'higher', 'zero'}
    references : mapping of str to float
        What others get: see `REFERENCES`; NaN where it is not known.
    one_coder, against_others : float
        What one coder gets against the other coders' labels, and the predictions against the
        same.
    difference, difference_low, difference_high : float
        The predictions less one coder, with its interval.
    """

    measure: str
    name: str
    value: float
    se: float
    low: float
    high: float
    better: str
    references: Mapping[str, float]
    one_coder: float = math.nan
    against_others: float = math.nan
    difference: float = math.nan
    difference_low: float = math.nan
    difference_high: float = math.nan

    def row(self) -> dict[str, Any]:
        """A flat row."""
        row: dict[str, Any] = {}
        for name in (own.name for own in fields(self) if own.name != "name"):
            if name == "references":
                row |= {who: self.references.get(who, math.nan) for who in REFERENCES}
            else:
                row[name] = getattr(self, name)
        return row


@dataclass(frozen=True, eq=False, repr=False)
class SoftScores(Result):
    """How well predictions fit soft labels; made by `score_predictions`. J items.

    Parameters
    ----------
    question : str or None
    kind : {'opinion', 'belief'}
        Of the soft labels.
    scores : tuple of Score
    items : sequence
        (J,) names of the items that were scored.
    of_items : mapping of str to ndarray
        (J,) each distance, and the entropies of soft labels and predictions, by item.
    n_missing, n_extra, n_tied : int
        Items without a prediction; predictions without an item; items whose coders are tied.
    unit : {'bits', 'nats'}
    ties : {'left_out', 'shared'}
    level : float
    method : str
        How standard errors and intervals were made.
    signature : str
    findings : tuple of Finding
    """

    told_as: ClassVar[str] = "soft-scores"

    question: str | None
    kind: str
    scores: tuple[Score, ...]
    items: Any
    of_items: Mapping[str, Floats]
    n_missing: int
    n_extra: int
    n_tied: int
    unit: str
    ties: str
    level: float
    method: str
    signature: str
    findings: tuple[Finding, ...] = field(default=())

    def __getitem__(self, measure: str) -> Score:
        for score in self.scores:
            if score.measure == measure:
                return score
        raise unknown("measure", measure, (s.measure for s in self.scores), "there are")

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each measure, with what others get beside it."""
        about = {"question": self.question, "kind": self.kind}
        more = {"unit": self.unit, "n_items": len(self.items)}
        return [about | score.row() | more for score in self.scores]

    def item_rows(self) -> list[dict[str, Any]]:
        """One row for each item: how far the prediction lies from the soft label."""
        about = {"question": self.question, "kind": self.kind}
        columns = zip(*(x.tolist() for x in self.of_items.values()), strict=True)
        return [
            about | {"item": item} | dict(zip(self.of_items, row, strict=True))
            for item, row in zip(self.items, columns, strict=True)
        ]


@dataclass(frozen=True, eq=False, repr=False)
class ModelScores(Result):
    """The scores of several models against the same soft labels; made by `score_predictions`.

    Parameters
    ----------
    each : mapping of str to SoftScores
        By the name of the model.
    findings : tuple of Finding
        Those of all models; that their items differ stands first.
    """

    told_as: ClassVar[str] = "model-scores"
    question: ClassVar[None] = None

    each: Mapping[str, SoftScores]
    findings: tuple[Finding, ...] = field(default=())

    def __iter__(self) -> Iterator[str]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    def __getitem__(self, model: str) -> SoftScores:
        if model not in self.each:
            raise unknown("model", model, self.each, "there are")
        return self.each[model]

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model: each measure, and its interval."""
        rows = []
        for name, found in self.each.items():
            row: dict[str, Any] = {
                "question": found.question,
                "model": name,
                "n_items": len(found.items),
            }
            for s in found.scores:
                row |= {s.measure: s.value, f"{s.measure}_low": s.low, f"{s.measure}_high": s.high}
            rows.append(row)
        return rows


# ---------------------------------------------------------------------- sums over items


@dataclass(frozen=True, eq=False)
class Sums:
    """What is summed: R rows, M columns.

    Parameters
    ----------
    names : tuple of str
        The distances, in the order of their columns.
    x : ndarray
        (R, M): weight; distances; five sums of entropies; weight of rows with a majority; credit;
        then, for each category, hits, predicted and true.
    """

    names: tuple[str, ...]
    x: Floats

    @property
    def measures(self) -> tuple[str, ...]:
        """What `values` gives, in order."""
        return (*self.names, *AGGREGATES)

    @property
    def values(self) -> Floats:
        """(D + 6,) every measure."""
        return np.asarray(values(self.x.sum(0), len(self.names)))

    def by(self, cluster: Ints, n_clusters: int) -> Floats:
        """(G, M) the sums of each cluster."""
        return np.stack([np.bincount(cluster, x, n_clusters) for x in self.x.T], 1)


def mass_of(p: Floats) -> Floats:
    """(..., K) the most probable category of each row, shared out where several are.

    Examples
    --------
    >>> mass_of(np.array([[0.2, 0.8], [0.5, 0.5]])).tolist()
    [[0.0, 1.0], [0.5, 0.5]]
    """
    top = p >= p.max(-1, keepdims=True) - TIE
    return np.asarray(top / top.sum(-1, keepdims=True))


def sums_of(
    target: Floats,
    majority: Floats,
    decided: Floats,
    p: Floats,
    *,
    floor: float,
    at: Floats | None,
    weight: Floats | None = None,
) -> Sums:
    """The columns to be summed, for R predictions.

    Parameters
    ----------
    target, p : ndarray
        (R, K) distributions, or (R, L, 2) of the labels of sets, yes first.
    majority : ndarray
        The coders' label in the same shape, shared out at a tie.
    decided : ndarray
        (R,) or (R, L) 1 where hard scores count, 0 at a tie that is left out.
    floor : float
        Least probability of a prediction, for logarithms.
    at : ndarray or None
        (K,) places on an ordered scale.
    weight : ndarray, optional
        (R,) of each row.
    """
    several = p.ndim == 3
    target, majority, p = (x if several else x[:, None] for x in (target, majority, p))
    decided = decided.reshape(len(p), -1)  # (R, L), L being 1 of single labels
    raised = floored(p, floor)
    found = {
        name: measure.of(target, raised if measure.bits == 1 else p).mean(1)
        for name, measure in DISTANCES.items()
    }
    if at is not None and not several:
        found["wasserstein"] = wasserstein(target[:, 0], p[:, 0], at)
    t, e = entropy(target).mean(1), entropy(p).mean(1)
    guess = mass_of(p)
    each = np.stack([guess * majority, guess, majority]) * decided[..., None]  # (3, R, L, K)
    n_decided = decided.sum(1)
    valid = (n_decided > 0).astype(float)
    credit = each[0].sum((1, 2)) / np.maximum(n_decided, 1)
    shown = each[..., 0] if several else each[:, :, 0]
    one = np.ones(len(p))
    columns = [one, *found.values(), t, e, t**2, e**2, t * e, valid, credit, *shown]
    x = np.column_stack(columns)
    return Sums(tuple(found), x if weight is None else x * weight[:, None])


def values(s: Any, n_distances: int) -> Any:
    """(..., D + 6) every measure, from sums (..., M), real or complex."""
    n = s[..., :1]
    distances = s[..., 1 : 1 + n_distances] / n
    rest = s[..., 1 + n_distances :]
    t, e, tt, ee, te = np.moveaxis(rest[..., :ENTROPIES] / n, -1, 0)
    hits, own, true = np.split(rest[..., ENTROPIES + 2 :], 3, -1)
    with np.errstate(invalid="ignore", divide="ignore"):
        vt, ve = tt - t * t, ee - e * e
        moves = (vt.real > TIE**1.5) & (ve.real > TIE**1.5)
        correlation = np.where(moves, (te - t * e) / np.sqrt(vt * ve), np.nan)
        similarity = te / np.sqrt(tt * ee)
        accuracy = rest[..., ENTROPIES + 1] / rest[..., ENTROPIES]
        micro = 2 * hits.sum(-1) / (own.sum(-1) + true.sum(-1))
        both = own + true
        occurs = both.real > TIE
        each = np.where(occurs, 2 * hits / np.where(occurs, both, 1), 0)
        macro = each.sum(-1) / occurs.sum(-1)
    aggregates = np.stack([e - t, correlation, similarity, accuracy, micro, macro], -1)
    return np.concatenate([distances, aggregates], -1)


def influences(sums: Sums, cluster: Ints, n_clusters: int) -> Floats:
    """(G, D + 6) how far each cluster, (R,) of 0 to G − 1, moves each measure.

    Their squares sum to its variance.
    """
    by = sums.by(cluster, n_clusters)
    total = by.sum(0)
    step = total.astype(complex) + 1j * TINY * np.eye(len(total))
    with np.errstate(invalid="ignore"):
        moved = by @ (values(step, len(sums.names)).imag / TINY)  # (M, D + 6)
    return np.where(np.isfinite(values(total, len(sums.names))), moved, np.nan)


def errors(moved: Floats) -> Floats:
    """(D + 6,) standard errors from influences (G, D + 6), with G − 1 for G."""
    g = len(moved)
    if g < 2:
        return np.full(moved.shape[1], np.nan)
    return np.asarray(np.sqrt(g / (g - 1) * (moved**2).sum(0)))


def resampled(sums: Sums, cluster: Ints, n_clusters: int, n_resamples: int, rng: Any) -> Floats:
    """(B, D + 6) the measures in resamples of the clusters.

    Parameters
    ----------
    sums : Sums
    cluster : ndarray
        (R,) from 0 to G − 1, in an order that does not hang on that of rows.
    n_clusters : int
        G.
    n_resamples : int
        B.
    rng : int or Generator
    """
    g, by = n_clusters, sums.by(cluster, n_clusters)
    generator = np.random.default_rng(rng)
    found, size = [], max(1, DRAWN // max(g, 1))
    for start in range(0, n_resamples, size):
        drawn = generator.multinomial(g, np.full(g, 1 / g), size=min(size, n_resamples - start))
        found.append(values(drawn @ by, len(sums.names)))
    return np.concatenate(found)


# ---------------------------------------------------------------------- what others would get


def perfect(soft: SoftLabels, floor: float) -> dict[str, Floats]:
    """What a model that knows the true distribution of each item would get: (I,) by distance.

    The votes of an item are a sample, so even the true distribution does not fit them exactly.
    What it may be follows, given the votes, a Dirichlet law (that of 'hierarchical' smoothing);
    for each such distribution the expected distance from as many new votes is a sum over the
    categories, since each count is binomial. Nothing is drawn.

    Parameters
    ----------
    soft : SoftLabels
        Opinions with their counts.
    floor : float
        Least probability of a prediction, for logarithms.

    Returns
    -------
    dict
        Empty where it cannot be known: for beliefs, from files, or if no item has two annotations.
        Distances that are no sum over categories are left out.
    """
    if soft.tables is None or soft.smoothing is None:
        return {}
    whole = np.rint(soft.tables)
    law = smoothed("hierarchical", whole)
    if law.name != "hierarchical":
        return {}
    alpha, own = soft.tables + law.pseudo, soft.smoothing.pseudo
    rest = alpha.sum(-1, keepdims=True) - alpha
    n = np.rint(soft.n).reshape(-1, *[1] * (alpha.ndim - 1))
    kinds = np.broadcast_arrays(alpha, rest, n, own, own.sum(-1, keepdims=True))
    cells = np.stack(kinds, -1).reshape(-1, len(kinds))
    _, first, which = np.unique(cells.round(9), axis=0, return_index=True, return_inverse=True)
    return {
        name: soft.of_items(each[which.reshape(alpha.shape)].sum(-1))
        for name, each in _expected(cells[first], floor).items()
    }


def _expected(kinds: Floats, floor: float) -> dict[str, Floats]:
    """(U,) expected terms for each distinct (α_k, A − α_k, n, pseudo-count, their sum)."""
    from scipy.special import betaincinv, gammaln

    terms = {name: (m.terms, m.bits == 1) for name, m in DISTANCES.items() if m.terms is not None}
    found = {name: np.zeros(len(kinds)) for name in terms}
    nodes = (np.arange(NODES) + 0.5) / NODES
    for n in np.unique(kinds[:, 2]).tolist():
        rows = np.flatnonzero(kinds[:, 2] == n)
        size = max(1, CELLS // int(NODES * (n + 1)))
        x = np.arange(n + 1)
        ways = gammaln(n + 1) - gammaln(x + 1) - gammaln(n - x + 1)
        for start in range(0, len(rows), size):
            at = rows[start : start + size]
            a, b, _, pseudo, total = kinds[at].T[:, :, None]
            inside = (a > 0) & (b > 0)
            p = betaincinv(np.where(inside, a, 1), np.where(inside, b, 1), nodes)
            p = np.where(inside, p, a > 0).clip(0, 1)[..., None]  # (u, nodes, 1)
            with np.errstate(divide="ignore", invalid="ignore"):
                log = ways + np.where(x > 0, x * np.log(p), 0)
                log += np.where(x < n, (n - x) * np.log1p(-p), 0)
                share = (x + pseudo[..., None]) / (n + total[..., None])
            weight = np.exp(log) / NODES
            for name, (of, in_bits) in terms.items():
                each = of(share, np.maximum(p, floor) if in_bits else p)
                found[name][at] = (weight * each).sum((1, 2))
    return found


def one_coder(soft: SoftLabels, at: Ints) -> tuple[Ints, Floats, Floats, Floats, Floats] | None:
    """Each annotation as a prediction of the others: one coder's label against the rest.

    Annotations of an item with the same label are one row, so that the cost does not grow with
    the coders.

    Parameters
    ----------
    soft : SoftLabels
    at : ndarray
        (J,) positions of the items that were predicted.

    Returns
    -------
    row, target, others, label, weight : ndarray
        (R,) position in ``at``; (R, K) distribution of the other annotations; (R, K) their counts;
        (R, K) the label; (R,) weight, 1 for each item together. None where counts are unknown or
        weighted, annotations are sets of labels, or no item has two annotations.
    """
    if soft.counts is None or soft.smoothing is None or soft.several:
        return None
    counts = soft.counts[at]
    if (counts != np.rint(counts)).any():
        return None
    n = counts.sum(1)
    row, label = np.nonzero((counts > 0) & (n[:, None] > 1))
    if not len(row):
        return None
    one = np.eye(counts.shape[1])[label]
    others = counts[row] - one
    weight = counts[row, label] / n[row]
    return row, soft.smoothing.shares(others), others, one, weight
