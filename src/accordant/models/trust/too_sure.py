"""Whether a model is surer of its labels than its coders can make it, as findings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...diagnosis.finding import Catalogue, Finding, Told, found_by
from ...numbers import decimal, percent
from ..fitted_model import FittedModel
from ..votes import UNKNOWN, Votes

__all__ = ["UNSEEN", "too_sure"]

UNSEEN = "dependence_unseen"
"""Code of the finding that nothing shows whether coders err together."""
CERTAIN = 0.999
NEARLY_ALL = 0.95  # pairs of annotations of an item that are equal
MANY_TIMES = 3.0  # more labels wrong than claimed: then a belief misleads
ASK = "Label about 50 items with care and compare: known labels show how right the labels are."

rule = Catalogue().rule


def too_sure(posterior: FittedModel) -> Iterator[Finding]:
    """What speaks against probabilities that are nearly certain.

    Parameters
    ----------
    posterior : FittedModel

    Yields
    ------
    Finding
        ``overconfident``, where probabilities are those of the model itself and coders err
        together, or ``dependence_unseen`` where it cannot be seen that they do.
    """
    if not posterior.model.probabilistic or posterior.withheld:
        return
    p = posterior.probabilities[posterior.votes.known == UNKNOWN]
    n = int((p.max(1, initial=0) > CERTAIN).sum())
    if not n:
        return
    found = posterior.dependence
    told = None
    if found.seen and posterior.weighing is not None and not posterior.recalibration:
        told = overconfident(posterior, n, len(p))
    elif not found.seen:
        told = dependence_unseen(posterior, n, len(p))
    yield from found_by(told)


@rule("warning", "kish1965")
def overconfident(posterior: FittedModel, n: int, total: int) -> Told:
    """Overconfident probabilities.

    The model gives {n:label} ({sure} of all) a probability above {certain}; by these
    probabilities {claimed} of them would be wrong. But the errors of coders of the same item
    correlate by {correlation:.3} ± {error:.3}, where models assume independence: by recalibrated
    probabilities {expected} are wrong.

    {ask} Until then use the recalibrated probabilities, which are the default: labels hardly
    change.
    """
    found = posterior.dependence
    p = posterior.estimate.probabilities
    sure = (posterior.votes.known == UNKNOWN) & (p.max(1) > CERTAIN)
    claimed = float((1 - p[sure].max(1)).sum())
    other = posterior.evidence.averaged(found, posterior.votes.per_item)[sure]
    expected = float((1 - other[np.arange(len(other)), p[sure].argmax(1)]).sum())
    misleads = expected >= 1 and expected > MANY_TIMES * claimed
    facts = {
        "n": n, "share": n / total, "claimed_wrong": claimed, "expected_wrong": expected,
        "worth": float(found.worth(posterior.votes.per_item).mean()),
        "correlation": found.correlation, "error": found.error,
    }  # fmt: skip
    words = _words(n, total) | {"claimed": _number(claimed), "expected": _number(expected)}
    return Told(facts, words, None if misleads else "note")


@rule("note", "kish1965")
def dependence_unseen(posterior: FittedModel, n: int, total: int) -> Told:
    """Conditional independence cannot be checked.

    The model gives {n:label} ({sure} of all) a probability above {certain}. That holds if coders
    err independently, which these annotations cannot show: {seen}, with {per_item} annotations per
    item and {per_coder:,.0f} per coder, and where all coders make the same error nothing is seen.

    Do not rely on a probability near 1. {ask}
    """
    found, votes = posterior.dependence, posterior.votes
    size = f"{decimal(found.correlation)} ± {decimal(found.error)}"
    seen = f"the errors of coders of the same item correlate by {size}"
    if math.isnan(found.correlation):
        seen = "no two coders annotated the same item"
    alike = _alike(votes)
    if same := alike > NEARLY_ALL:
        pairs = f"in {percent(alike)} of all pairs of annotations of an item"
        seen = f"{pairs} both labels are equal"
    facts = {
        "n": n, "share": n / total, "per_item": found.per_item,
        "per_coder": float(np.median(votes.per_coder)), "correlation": found.correlation,
        "error": found.error, "independent": found.independent, "alike": alike,
    }  # fmt: skip
    words = _words(n, total) | {"seen": seen, "per_item": decimal(found.per_item, 1)}
    return Told(facts, words, "warning" if same else None)


def _words(n: int, total: int) -> dict[str, Any]:
    """What both say of labels that are nearly certain, and of known labels."""
    return {"sure": percent(n / total, 0), "certain": str(CERTAIN), "ask": ASK}


def _alike(votes: Votes) -> float:
    """The share of pairs of annotations of an item with the same label; 0 for a single label.

    That all coders ever gave the same label is said by a finding of its own.
    """
    of_label = votes.counts
    pairs = (of_label.sum(1) * (of_label.sum(1) - 1)).sum()
    if np.count_nonzero(of_label.any(0)) < 2 or not pairs:
        return 0.0
    return float((of_label * (of_label - 1)).sum() / pairs)


def _number(x: float) -> str:
    return "fewer than 1" if x < 0.95 else f"{x:,.1f}" if x < 9.95 else f"{x:,.0f}"
