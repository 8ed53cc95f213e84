"""Whether a model is surer of its labels than its coders can make it, as findings."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...actions import FILE, Action
from ...diagnosis.finding import Finding
from ...numbers import count_of, decimal, percent
from ..fitted_model import FittedModel
from ..votes import UNKNOWN, Votes

__all__ = ["UNSEEN", "too_sure"]

UNSEEN = "dependence_unseen"
"""Code of the finding that nothing shows whether coders err together."""
CERTAIN = 0.999
NEARLY_ALL = 0.95  # pairs of annotations of an item that are equal
MANY_TIMES = 3.0  # more labels wrong than claimed: then a belief misleads
ASK = "Label about 50 items with care and compare: known labels show how right the labels are."
KNOWN_LABELS = Action("", {"gold": FILE}, "known labels")


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
    if found.seen and posterior.weighing is not None and not posterior.recalibration:
        yield _overconfident(posterior, n, len(p))
    elif not found.seen:
        yield _unseen(posterior, n, len(p))


def _overconfident(posterior: FittedModel, n: int, total: int) -> Finding:
    found = posterior.dependence
    p = posterior.estimate.probabilities
    sure = (posterior.votes.known == UNKNOWN) & (p.max(1) > CERTAIN)
    claimed = float((1 - p[sure].max(1)).sum())
    other = posterior.evidence.averaged(found, posterior.votes.per_item)[sure]
    expected = float((1 - other[np.arange(len(other)), p[sure].argmax(1)]).sum())
    misleads = expected >= 1 and expected > MANY_TIMES * claimed
    return Finding(
        "overconfident",
        "warning" if misleads else "note",
        f"{_sure(n, total)}; by these probabilities {_number(claimed)} of them would be wrong. But "
        f"the errors of coders of the same item correlate by {decimal(found.correlation)} ± "
        f"{decimal(found.error)}, where models assume independence: by recalibrated probabilities "
        f"{_number(expected)} are wrong.",
        f"{ASK} Until then use the recalibrated probabilities, which are the default: labels "
        "hardly change.",
        {
            "n": n, "share": n / total, "claimed_wrong": claimed, "expected_wrong": expected,
            "worth": float(found.worth(posterior.votes.per_item).mean()),
            "correlation": found.correlation, "error": found.error,
        },
        ("kish1965",),
        posterior.question,
    )  # fmt: skip


def _unseen(posterior: FittedModel, n: int, total: int) -> Finding:
    found, votes = posterior.dependence, posterior.votes
    each = float(np.median(votes.per_coder))
    if math.isnan(found.correlation):
        seen = "no two coders annotated the same item"
    else:
        seen = (
            f"the errors of coders of the same item correlate by {decimal(found.correlation)} ± "
            f"{decimal(found.error)}"
        )
    alike = _alike(votes)
    same = alike > NEARLY_ALL
    if same:
        seen = f"in {percent(alike)} of all pairs of annotations of an item both labels are equal"
    return Finding(
        UNSEEN,
        "warning" if same else "note",
        f"{_sure(n, total)}. That holds if coders err independently, which these annotations "
        f"cannot show: {seen}, with {decimal(found.per_item, 1)} annotations per item and "
        f"{each:,.0f} per coder, and where all coders make the same error nothing is seen.",
        f"Do not rely on a probability near 1. {ASK}",
        {
            "n": n, "share": n / total, "per_item": found.per_item, "per_coder": each,
            "correlation": found.correlation, "error": found.error,
            "independent": found.independent, "alike": alike,
        },
        ("kish1965",),
        posterior.question,
    )  # fmt: skip


def _alike(votes: Votes) -> float:
    """The share of pairs of annotations of an item with the same label; 0 for a single label.

    That all coders ever gave the same label is said by a finding of its own.
    """
    of_label = votes.counts
    pairs = (of_label.sum(1) * (of_label.sum(1) - 1)).sum()
    if np.count_nonzero(of_label.any(0)) < 2 or not pairs:
        return 0.0
    return float((of_label * (of_label - 1)).sum() / pairs)


def _sure(n: int, total: int) -> str:
    return (
        f"The model gives {count_of(n, 'label')} ({percent(n / total, 0)} of all) a probability "
        f"above {CERTAIN:g}"
    )


def _number(x: float) -> str:
    return "fewer than 1" if x < 0.95 else f"{x:,.1f}" if x < 9.95 else f"{x:,.0f}"
