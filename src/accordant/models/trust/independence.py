"""What speaks against coders who err independently: copied labels, and too much certainty."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...arrays import Floats, Ints
from ...diagnosis.finding import Finding, Told, found_by, rule
from ...diagnosis.words import quoted
from ...numbers import count_of, decimal, joined, percent, tied
from ..emission import DRAWN, Confusions, answers_by_truth, drawn_together, logs
from ..estimate import shares_of
from ..fitted_model import FittedModel
from ..votes import UNKNOWN, Votes

__all__ = ["UNSEEN", "copied", "too_sure"]


SHARED = 10  # items that two coders must have in common
LEVEL = 0.01  # for all pairs together
MOST_PAIRS = 1_000_000  # of annotations of the same item
MOST = 100  # pairs that are looked at: those with most items in common
TOLD = 3  # pairs that are named


def copied(posterior: FittedModel) -> Iterator[Finding]:
    """Pairs of coders with the same labels for all that both annotated, errors included.

    Parameters
    ----------
    posterior : FittedModel

    Yields
    ------
    Finding
        ``copied_labels``.

    Notes
    -----
    Independent coders agree on item i with probability Σ_k q_ik Σ_o p_ko p'_ko. For the beliefs q
    the two count as one witness; confusions p follow from these beliefs and what both said, each
    row drawn to that of all coders as if by two annotations. The one witness moves the beliefs, so
    the probability that they never differ is rather too large: two good coders are not suspected.
    It is held against .01 divided by the number of pairs.
    """
    votes, q = posterior.votes, posterior.estimate.probabilities
    if not posterior.model.probabilistic:
        return
    pairs, n_pairs = _never_differ(votes)
    if not len(pairs):
        return
    counts = answers_by_truth(votes, q)
    own = Confusions(drawn_together(counts))
    joint = own.log_likelihood(votes) + logs(q.mean(0))
    pooled = counts.sum(0) + 0.01
    pooled *= DRAWN / pooled.sum(-1, keepdims=True)
    of_coder = np.argsort(votes.coder, kind="stable")
    rows = np.split(of_coder, np.cumsum(np.bincount(votes.coder, minlength=votes.n_coders))[:-1])
    judged = [
        (*pair, *_by_chance(votes, rows, joint, own.logs, pooled, *pair)) for pair in pairs.tolist()
    ]
    found = [x for x in judged if n_pairs * np.exp(x[3]) < LEVEL]
    yield from found_by(copied_labels(posterior, sorted(found, key=lambda x: tied(x[3])), n_pairs))


def _never_differ(votes: Votes) -> tuple[Ints, int]:
    """(n, 2) pairs of coders who never differ, and how many pairs have enough in common."""
    from scipy.sparse import csr_array

    some = _some(votes)
    item, coder, label = some.item, some.coder, some.label
    active = np.flatnonzero(np.bincount(coder, minlength=votes.n_coders) >= SHARED)
    place = np.full(votes.n_coders, -1)
    place[active] = np.arange(len(active))
    keep = place[coder] >= 0
    item, coder, label = item[keep], place[coder[keep]], label[keep]
    if len(active) < 2 or not len(item):
        return np.empty((0, 2), int), 0
    ones = np.ones(len(item), np.int32)
    cell = item.astype(np.int64) * votes.n_answers + label
    shape = (votes.n_items, len(active))
    annotated = csr_array((ones, (item, coder)), shape=shape)
    gave = csr_array((ones, (cell, coder)), shape=(votes.n_items * votes.n_answers, len(active)))
    shared = (annotated.T @ annotated).tocoo()
    enough = (shared.data >= SHARED) & (shared.row < shared.col)
    if not enough.any():
        return np.empty((0, 2), int), 0
    row, column, n = (x[enough] for x in (shared.row, shared.col, shared.data))
    asked = csr_array((np.ones(len(n), np.int32), (row, column)), shape=shared.shape)
    agree = (gave.T @ gave).multiply(asked)
    differ = csr_array((n, (row, column)), shape=shared.shape) - agree.tocsr()
    never = np.flatnonzero(np.asarray(differ[row, column]).ravel() == 0)
    order = never[np.lexsort((column[never], row[never], -n[never]))][:MOST]
    return np.stack([active[row[order]], active[column[order]]], 1), len(n)


def _some(votes: Votes) -> Votes:
    """The annotations, or those of some items."""
    width = np.diff(votes.item_start).astype(np.int64)
    step = -(-int((width**2).sum()) // MOST_PAIRS)
    return votes if step <= 1 else votes.on(votes.order[::step])


def _by_chance(
    votes: Votes,
    rows: Sequence[Ints],
    joint: Floats,
    evidence: Floats,
    pooled: Floats,
    one: int,
    other: int,
) -> tuple[int, float, float]:
    """Items in common, log probability that two coders agree on all, share of expected errors."""
    at = rows[other]
    both = np.intersect1d(votes.item[rows[one]], votes.item[at])
    at = at[np.isin(votes.item[at], both)]
    label = votes.label[at]
    q = joint[votes.item[at]] - evidence[other][:, label].T  # the second witness leaves
    known = votes.known[votes.item[at]]
    q = np.where((known[:, None] >= 0) & (known[:, None] != np.arange(q.shape[1])), -np.inf, q)
    q = shares_of(q)
    found = pooled.copy()
    np.add.at(found.T, label, q)
    found /= found.sum(-1, keepdims=True)
    likely = np.log(np.maximum(q @ (found**2).sum(-1), 1e-300)).sum()
    right = q @ np.diagonal(found[:, : q.shape[1]])
    return len(both), float(likely), float(1 - right.mean())


@rule("warning")
def copied_labels(
    posterior: FittedModel, found: list[tuple[Any, ...]], n_pairs: int
) -> Told | None:
    """Coders with identical labels.

    {coders[0]:quoted} and {coders[1]:quoted} agree on all {n_items:item} that both annotated,
    though each errs on about {errs} of them: independent coders would hardly do so ({p_value:p},
    for all {n_pairs:pair} together).{others}

    Ask how they worked: one may have copied the other, or both are one person. Leave one of them
    out, since the model treats them as independent.
    """
    if not found:
        return None
    names = posterior.coders
    one, other, n, likely, errs = found[0]
    more = [f"{quoted(names[a])} and {quoted(names[b])}" for a, b, *_ in found[1 : 1 + TOLD]]
    rest, others = len(found) - 1, ""
    if rest:
        end = ", …." if rest > TOLD else "."
        others = f" The same holds for {count_of(rest, 'other pair')}: {joined(more)}{end}"
    return Told(
        {
            "pairs": [[names[a], names[b]] for a, b, *_ in found],
            "n_items": n,
            "p_value": min(1.0, n_pairs * float(np.exp(likely))),
            "coders": [names[one], names[other]],
        },
        {"errs": percent(errs, 0), "n_pairs": n_pairs, "others": others},
    )


UNSEEN = "dependence_unseen"
"""Code of the finding that nothing shows whether coders err together."""
CERTAIN = 0.999
NEARLY_ALL = 0.95  # pairs of annotations of an item that are equal
MANY_TIMES = 3.0  # more labels wrong than claimed: then a belief misleads
ASK = "Label about 50 items with care and compare: known labels show how right the labels are."


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
        "n": n,
        "share": n / total,
        "claimed_wrong": claimed,
        "expected_wrong": expected,
        "worth": float(found.worth(posterior.votes.per_item).mean()),
        "correlation": found.correlation,
        "error": found.error,
    }
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
        one = votes.n_categories < 2
        seen = "all have the same label" if one else "no two coders annotated the same item"
    each = float(np.average(votes.per_item, weights=votes.per_item))
    alike = _alike(votes)
    if same := alike > NEARLY_ALL:
        pairs = f"in {percent(alike)} of all pairs of annotations of an item"
        seen = f"{pairs} both labels are equal"
    facts = {
        "n": n,
        "share": n / total,
        "per_item": each,
        "per_coder": float(np.median(votes.per_coder)),
        "correlation": found.correlation,
        "error": found.error,
        "independent": found.independent,
        "alike": alike,
    }
    words = _words(n, total) | {"seen": seen, "per_item": decimal(each, 1)}
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
