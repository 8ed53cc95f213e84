"""Disagreement of an item: observed, expected of its coders, and annotation by annotation."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...diagnosis.finding import Contrast, Evidence, Finding
from ...diagnosis.words import listed
from ...numbers import count_of, p_text, percent
from ..emission import Emission, logs
from ..votes import Votes
from .readings import likelihoods, same_size

if TYPE_CHECKING:
    from .ambiguous import Ambiguity
    from .parting import Parted

__all__ = ["disagreements", "expected_disagreement", "surprises", "told"]

Floats = NDArray[np.float64]

CHUNK = 1 << 18  # annotations that are looked at together
MOST_ITEMS = 20  # that a finding names


def disagreements(votes: Votes) -> Floats:
    """(I,) share of the pairs of annotations of an item that differ; NaN for one annotation."""
    cell = votes.item.astype(np.int64) * votes.n_answers + votes.label
    counts = np.bincount(cell, votes.times, votes.n_items * votes.n_answers)
    counts = counts.reshape(votes.n_items, -1)
    n = counts.sum(1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = 1 - (counts * (counts - 1)).sum(1) / (n * (n - 1))
    return np.asarray(np.where(n > 1, np.maximum(found, 0), math.nan))


def expected_disagreement(votes: Votes, emission: Emission, beliefs: Floats) -> Floats:
    """(I,) what `disagreements` is on average if all coders read an item the same.

    For two coders whose answers follow p and p', given what is true, 1 − Σ_o p_o p'_o; the mean
    over all pairs needs the sum of the p and of their squares only.
    """
    found = np.full(votes.n_items, math.nan)
    for items, given_at in same_size(votes):
        n = given_at.shape[1]
        size = max(1, CHUNK // n)
        for start in range(0, len(items), size):
            part = slice(start, start + size)
            table = likelihoods(emission, votes, given_at[part])  # (b, n, S, O)
            same = (table.sum(1) ** 2).sum(-1) - (table**2).sum((1, 3))  # (b, S)
            apart = 1 - same / (n * (n - 1))
            found[items[part]] = (beliefs[items[part]] * apart).sum(1)
    return found


def surprises(votes: Votes, emission: Emission, prior: Floats) -> Floats:
    """(N,) bits of each annotation, given the others of its item: −log₂ Σ_k b_k P(label | k)."""
    whole = emission.log_likelihood(votes) + logs(prior)
    found = np.empty(len(votes.item))
    for start in range(0, len(found), CHUNK):
        part = slice(start, start + CHUNK)
        item, label = votes.item[part], votes.label[part]
        table = emission.table(item, votes.coder[part])
        own = np.take_along_axis(table, label.astype(np.intp)[:, None, None], 2)[..., 0]
        others = whole[item] - votes.times[part][:, None] * logs(own)
        others -= others.max(1, keepdims=True)
        belief = np.exp(others)
        belief /= belief.sum(1, keepdims=True)
        found[part] = -np.log2(np.maximum((belief * own).sum(1), 1e-300))
    return np.maximum(found, 0.0)


# ---------------------------------------------------------------------- words


def told(found: Ambiguity, apart: Parted) -> tuple[Finding, ...]:
    """What a reader must know."""
    model = tuple(f for f in found.posterior.findings if f.severity == "problem")
    own = (replace(f, question=found.question) for f in _told(found, apart))
    return (*own, *model)


def _told(found: Ambiguity, apart: Parted) -> Iterator[Finding]:
    if not (found.votes.per_item > 1).any():
        yield Finding(
            "one_annotation_each", "problem",
            "Every item has a single annotation, so errors and ambiguity cannot be told apart.",
            "Have some items annotated by several coders.",
        )  # fmt: skip
        return
    if apart.schools and found.schools_differ.any():
        yield _schools(found, apart)
    n = int(found.ambiguous.sum())
    if n:
        yield _called(
            found, found.ambiguous, found.items, "ambiguous_items",
            f"{count_of(n, 'item is', 'items are')} ambiguous: coders who differ from the majority "
            "agree on another label, more often than errors explain even on a difficult item",
            f"at most {percent(found.level, 0)} of them are expected to be false discoveries",
            "Read them, then revise the guideline or keep the distribution of labels in place of "
            "one label.",
            ("gilbert2005", "benjamini1995"),
        )  # fmt: skip
    more = int(found.unclear.sum())
    if more > n:
        apart_from = "" if found.told_apart else (
            ". With two categories all errors are the same label, so the two cannot be separated"
        )  # fmt: skip
        among = f", the {n} ambiguous ones among them" if n > 1 else ""
        yield _called(
            found, found.unclear, found.unclear_items, "unclear_items",
            f"{count_of(more, 'item is', 'items are')} ambiguous or difficult{among}: coders "
            f"disagree there more than their usual errors explain",
            f"at most {percent(found.level, 0)} of them are expected to be false discoveries"
            f"{apart_from}",
            "Read them. If they have several readings, revise the guideline; if they are "
            "difficult, have them labelled by more coders, or by better ones.",
            ("gelman1996", "benjamini1995"),
        )  # fmt: skip
    if not more and found.total > 0:
        yield _nothing(found)


def _called(
    found: Ambiguity, chosen: NDArray[np.bool_], names: list[Any], code: str, what: str,
    false: str, advice: str, sources: tuple[str, ...],
) -> Finding:  # fmt: skip
    """Items beyond what errors explain, and how many of them are false."""
    n = int(chosen.sum())
    shared = int((chosen & found.schools_differ).sum())
    also = f"; coder groups differ on {shared:,} of them" if shared else ""
    lines = (
        Contrast(
            "ambiguous items" if code == "ambiguous_items" else "ambiguous or difficult items", n,
            float(found.disagreement[chosen].mean()), float(found.expected[chosen].mean()),
        ),
    )  # fmt: skip
    return Finding(
        code, "note", f"{what} ({listed(names)}){also}; {false}.", advice,
        {"n": n, "level": found.level}, sources,
        seen=Evidence(lines, "items", "items", "disagreement", "expected of coders",
                      names=tuple(names[:MOST_ITEMS])),
    )  # fmt: skip


def _schools(found: Ambiguity, apart: Parted) -> Finding:
    n = int(found.schools_differ.sum())
    return Finding(
        "schools_differ", "warning",
        f"Coders form {count_of(len(apart.schools), 'group')} that give different labels to "
        f"{count_of(n, 'item')}: {percent(found.between_schools, 0)} of all disagreeing pairs are "
        "between groups. A model with one true label treats this as errors of the smaller group.",
        "Report both labels, or fit a model to each group; neither is noise.",
        {"n": n, "share": found.between_schools}, ("kairam2016",), remedy="guideline",
    )  # fmt: skip


def _nothing(found: Ambiguity) -> Finding:
    n = float(np.median(found.votes.per_item[found.votes.per_item > 1]))
    least: Any = np.nanmin(found.p_value)
    return Finding(
        "nothing_ambiguous", "note",
        f"No item is clearly {found.what}: the usual errors of coders suffice to explain each of "
        f"them (smallest {p_text(float(least))} of {count_of(len(found.p_value), 'item')}; half of "
        f"the items have {count_of(n, 'annotation')} or fewer).",
        "Ambiguity and a few errors look alike until many coders have seen an item; if it matters, "
        "have ten or more annotate the items with the most surprising labels.",
        {"p_value": float(least), "n": n},
    )  # fmt: skip
