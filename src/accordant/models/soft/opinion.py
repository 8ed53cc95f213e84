"""What coders say of an item: their votes, weighted if asked, and smoothed."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ...diagnosis.finding import Finding
from ...diagnosis.words import listed
from ...errors import RequestError, unknown
from ...numbers import count_of, decimal
from ..votes import Votes
from .entropies import ENTROPIES
from .smoothing import SMOOTHINGS, smoothed
from .soft_labels import SoftLabels

__all__ = ["membership", "opinion", "weights_of"]

Floats = NDArray[np.float64]

FEW = 5  # annotations of an item below which its entropy is a rough guess; our convention


def opinion(
    question: str | None,
    table: Votes,
    smoothing: str,
    estimator: str | None,
    weights: Floats | None,
    signature: str,
) -> SoftLabels:
    """The distribution of labels that coders give to each item.

    Parameters
    ----------
    question : str or None
    table : Votes
    smoothing : str
        See `smoothed`.
    estimator : str or None
        Of the entropy; by default 'miller-madow' without smoothing, else 'bayes'.
    weights : ndarray or None
        (C,) weight of each coder; None if all have the same.
    signature : str

    Returns
    -------
    SoftLabels
    """
    plain, size = _counts(table, None)
    rule = smoothed(smoothing, _tables(plain, size, table))
    counts, n = (plain, size) if weights is None else _counts(table, weights)
    if estimator is None:
        estimator = "miller-madow" if rule.name == "none" else "bayes"
    if estimator not in ENTROPIES:
        raise unknown("estimator of entropy", estimator, ENTROPIES, "choose from")
    shares = rule.shares(_tables(counts, n, table))
    several = table.scheme.max_labels != 1
    made = f"{SMOOTHINGS[rule.name]}" + (
        f" ({decimal(rule.concentration, 2)} annotations)" if rule.name == "hierarchical" else ""
    )
    if weights is not None:
        made += "; coders weighted"
    return SoftLabels(
        question, table.items, table.scheme, "opinion", shares[..., 0] if several else shares, n,
        made, counts, rule, estimator, f"{signature}; {made}; entropy {estimator}",
        _findings(question, size),
    )  # fmt: skip


def _counts(table: Votes, weights: Floats | None) -> tuple[Floats, Floats]:
    """(I, K) counts and (I,) annotations; with weights counts of as many equal annotations.

    Kish's effective number, (Σw)² / Σw², says how many equal annotations tell as much.
    """
    given = table.label < table.n_categories  # an abstention is no label
    item, label, times = table.item[given], table.label[given], table.times[given]
    weight = times if weights is None else times * weights[table.coder[given]]
    cell = item.astype(np.int64) * table.n_categories + label
    n_cells = table.n_items * table.n_categories
    flat: Floats = np.asarray(np.bincount(cell, weight, n_cells), np.float64)
    counts: Floats = flat.reshape(table.n_items, -1)
    total: Floats = counts.sum(1)
    if weights is not None:
        squares = np.bincount(item, times * weights[table.coder[given]] ** 2, table.n_items)
        if not total.all():
            name = table.items[int(np.argmin(total))]
            raise RequestError(f"item {name!r} has annotations of coders of weight 0 only")
        n = total**2 / np.where(squares > 0, squares, 1)
        counts = counts * (n / np.where(total > 0, total, 1))[:, None]
        total = n
    if table.scheme.max_labels != 1:
        counts = counts @ membership(table)
    return counts, np.asarray(total)


def _tables(counts: Floats, n: Floats, table: Votes) -> Floats:
    return counts if table.scheme.max_labels == 1 else np.stack([counts, n[:, None] - counts], -1)


def membership(table: Votes) -> Floats:
    """(K, L) whether each set of labels that was given holds each label."""
    labels = table.scheme.categories
    return np.array(
        [
            [label in (v if isinstance(v, tuple) else (v,)) for label in labels]
            for v in table.categories
        ],
        float,
    )


def weights_of(given: Mapping[str, float], table: Votes) -> Floats:
    """(C,) weights by the names of coders.

    Raises
    ------
    RequestError
        If a coder has no weight, or a weight is no positive number.
    """
    missing = [name for name in table.coders if name not in given]
    if missing:
        raise RequestError(f"no weight is given for {listed(missing)}", parameter="weights")
    found = np.array([float(given[name]) for name in table.coders])
    if not (np.isfinite(found).all() and (found >= 0).all() and found.any()):
        raise RequestError("numbers from 0 up, one of them above 0", parameter="weights")
    return found


def _findings(question: str | None, n: Floats) -> tuple[Finding, ...]:
    found = []
    if n.max(initial=0) < 2:
        found.append(Finding(
            "one_annotation_each", "problem",
            "Every item has a single annotation, so the distribution of labels cannot be "
            "estimated; the shares are the labels themselves.",
            "Have some items annotated by several coders.",
            {"n": len(n)}, question=question,
        ))  # fmt: skip
    elif np.median(n) < FEW:
        found.append(Finding(
            "few_annotations", "note",
            f"Half of the items have {count_of(float(np.median(n)), 'annotation')} or fewer, which "
            "say little about how much coders would differ on one item.",
            "Read the interval of the largest share before calling an item clear, and the "
            "estimated entropy instead of the entropy of the votes.",
            {"n": float(np.median(n))}, ("miller1955",), question=question,
        ))  # fmt: skip
    return tuple(found)
