"""Whether a model is surer of its labels than its coders can make it, as findings."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ...actions import FILE, Action
from ...diagnosis.finding import Finding
from ...numbers import count_of, decimal, percent
from ..votes import UNKNOWN
from .design_effect import SPREAD

if TYPE_CHECKING:
    from ..posterior import Posterior

__all__ = ["too_sure"]

CERTAIN = 0.999
HARDLY = 0.9  # a larger tau changes no belief that anybody would act on
MANY_TIMES = 3.0  # more labels wrong than claimed: then a belief misleads
FEW = 5.0  # annotations of a coder for each category: with fewer a model may learn chance
ASK = "Label about 50 items with care and compare: known labels show how right the labels are."
KNOWN_LABELS = Action("", {"gold": FILE}, "known labels")


def too_sure(posterior: Posterior) -> Iterator[Finding]:
    """What speaks against beliefs that are nearly certain.

    Parameters
    ----------
    posterior : Posterior

    Yields
    ------
    Finding
        ``overconfident``, or ``dependence_unseen`` where nothing could be seen.
    """
    if not posterior.model.probabilistic or posterior.withheld:
        return
    p = posterior.probabilities[posterior.votes.known == UNKNOWN]
    n = int((p.max(1, initial=0) > CERTAIN).sum())
    if not n:
        return
    design = posterior.design_effect
    if design.blind:
        yield _unseen(posterior, n, len(p))
    elif design.tau < HARDLY and posterior.weighing is not None and not posterior.tempering:
        yield _overconfident(posterior, n, len(p))


def _overconfident(posterior: Posterior, n: int, total: int) -> Finding:
    design = posterior.design_effect
    low, expected, high = (
        _wrong(posterior, min(design.tau * math.exp(x), 1.0)) for x in (SPREAD, 0.0, -SPREAD)
    )
    claimed = _claimed(posterior)
    misleads = low >= 1 and low > MANY_TIMES * claimed
    each = float(np.median(posterior.votes.per_coder))
    few = each < FEW * len(posterior.categories)
    or_few = f", or the model overfits {each:,.0f} annotations per coder" if few else ""
    return Finding(
        "overconfident",
        "warning" if misleads else "note",
        f"{_sure(n, total)}; by these probabilities {_number(claimed)} of them would be wrong. But "
        f"coders' labels correlate more than independent ones would{or_few}: probably "
        f"{_range(low, high)} are wrong (τ = {decimal(design.tau, 2)}; two of three public data "
        "sets with known labels lie in such a range).",
        f"{ASK} Until then use the recalibrated probabilities, which are the default: labels "
        "hardly change.",
        {
            "n": n, "share": n / total, "claimed_wrong": claimed, "expected_wrong": expected,
            "low": low, "high": high, "tau": design.tau, "correlation": design.correlation,
            "by_chance": design.by_chance, "error": design.error,
        },
        ("kish1965",),
        posterior.question,
    )  # fmt: skip


def _unseen(posterior: Posterior, n: int, total: int) -> Finding:
    design, votes = posterior.design_effect, posterior.votes
    each = float(np.median(votes.per_coder))
    return Finding(
        "dependence_unseen",
        "note",
        f"{_sure(n, total)}. Whether coders make the same errors, which would make it "
        f"overconfident, cannot be tested with {decimal(design.per_item, 1)} annotations per item "
        f"and {each:,.0f} per coder. Given the estimated labels, annotations correlate by "
        f"{decimal(design.correlation)}; independent ones would correlate by "
        f"{decimal(design.by_chance)} ± {decimal(design.error)}, and by "
        f"{decimal(design.planted)} if half of the coders were misled on every fifth item.",
        f"Do not rely on a probability near 1. {ASK}",
        {
            "n": n, "share": n / total, "per_item": design.per_item, "per_coder": each,
            "correlation": design.correlation, "by_chance": design.by_chance,
            "error": design.error, "planted": design.planted,
        },
        ("kish1965",),
        posterior.question,
    )  # fmt: skip


def _sure(n: int, total: int) -> str:
    return (
        f"The model gives {count_of(n, 'label')} ({percent(n / total, 0)} of all) a probability "
        f"above {CERTAIN:g}"
    )


def _claimed(posterior: Posterior) -> float:
    top = posterior.estimate.probabilities[posterior.votes.known == UNKNOWN].max(1)
    return float((1 - top[top > CERTAIN]).sum())


def _wrong(posterior: Posterior, tau: float) -> float:
    """How many of the sure labels are expected to be wrong, if evidence is worth so much."""
    p = posterior.estimate.probabilities
    sure = (posterior.votes.known == UNKNOWN) & (p.max(1) > CERTAIN)
    tempered = posterior.evidence.beliefs(tau, np.flatnonzero(sure))
    return float((1 - tempered[np.arange(len(tempered)), p[sure].argmax(1)]).sum())


def _number(x: float) -> str:
    return "fewer than 1" if x < 0.95 else f"{x:,.1f}" if x < 9.95 else f"{x:,.0f}"


def _range(low: float, high: float) -> str:
    a, b = round(low), round(high)
    if b < 1:
        return "1"
    return f"{a:,} to {b:,}" if a < b else f"{b:,}"
