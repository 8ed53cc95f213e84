"""A model fitted to sets of labels: label by label, or with each set as a category.

What a coder does with all labels together can be the prior for each. A label that is true of five
items tells hardly anything about how often each coder finds it, and a model that learns from these
items alone loses the label: it explains the few annotations as slips. But a coder who misses many
labels will miss a rare one too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np

from ...actions import Action
from ...arrays import Floats
from ...data.annotations import NO_VALUE, Annotations
from ...diagnosis.finding import Told, rule
from ...errors import RequestError
from ...scheme import Label, Scheme, Value
from ..em import How
from ..emission import Confusions, answers_by_truth, rows_of
from ..estimate import believed
from ..model import Model
from ..posterior import Posterior
from ..priors import learned
from ..solutions import anchor
from ..votes import Votes
from .label_decisions import Rule, members_of
from .set_posterior import FEW, SetPosterior

__all__ = ["Behaviour", "Known", "Sets", "behaviour", "can_share", "fit_sets", "label_truth"]

Sets: TypeAlias = Literal["labels", "apart", "whole"]
Known: TypeAlias = Mapping[Hashable, Value]

YES_NO = Scheme((False, True), declared=True)
STRENGTH = 10.0  # annotations in a row that all labels together count for
ROUNDS = 100
STILL = 1e-3  # of a confusion probability: for a prior this is exact enough


def fit_sets(
    question: str | None,
    data: Annotations,
    known: Known,
    prepared: Callable[[Annotations, Known], Votes],
    fitted: Callable[..., Posterior],
    *,
    shares: bool,
    how: How,
    sets: Sets,
    rule: Rule,
) -> SetPosterior | Posterior:
    """The sets of one question.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of one question of label sets.
    known : mapping
        Sets of control items.
    prepared : callable
        The votes of a question of single labels, with their control items.
    fitted : callable
        The model, fitted to them, with further options of it.
    shares : bool
        Whether the model takes what coders did elsewhere as a prior.
    how : How
    sets : {'labels', 'apart', 'whole'}
        'labels': whether an item has a label is one model for each label; what a coder does with
        all labels together is the model's prior for each, if it takes one. 'apart': the same, but
        nothing is shared. 'whole': each set that a coder gave is a category.
    rule : str
        How probabilities become sets, label by label.

    Returns
    -------
    SetPosterior
        Or `Posterior`, with sets as categories, for whole sets.

    Raises
    ------
    RequestError
        If no label was given.
    """
    if sets == "whole":
        return _whole(fitted(question, data, prepared(data, known)))
    members = [set(members_of(value)) for value in data.values]
    used = {x for k in np.unique(data.answered.value).tolist() for x in members[k]}
    labels = tuple(c for c in data.schemes[0].categories if c in used)
    if not labels:
        raise RequestError("no coder gave any label, so there is nothing to learn from")
    parts = [_yes_no(data, [label in s for s in members]) for label in labels]
    tables = [
        prepared(part, label_truth(known, label)) for label, part in zip(labels, parts, strict=True)
    ]
    shared = shares and sets == "labels" and len(labels) > 1
    more: dict[str, Any] = {"history": behaviour(tables, how)} if shared else {}
    each = tuple(
        fitted(str(label), part, table, **more)
        for label, part, table in zip(labels, parts, tables, strict=True)
    )
    return SetPosterior(question, data, labels, each, rule, shared)


def _yes_no(data: Annotations, holds: Sequence[bool]) -> Annotations:
    """The same annotations as whether they hold a label; items, coders and gaps stay."""
    code, columns = np.array([*holds, NO_VALUE], np.int8), data.columns
    layout = replace(columns, value=code[columns.value])
    return replace(data, schemes=(YES_NO,), values=(False, True), layout=layout)


def label_truth(known: Known, label: Label) -> dict[Hashable, Value]:
    """Of control items, whether their set holds the label."""
    return {item: label in members_of(value) for item, value in known.items()}


# ------------------------------------------------------------------ what labels share


class Behaviour(dict[str, Floats]):
    """For each coder a (2, 2) table of made-up annotations; short where options are shown."""

    def __repr__(self) -> str:
        return "all labels together"


def can_share(model: Model, options: Any) -> bool:
    """Whether a model can start from what coders did elsewhere, and was not told already."""
    return "history" in model.takes and options.get("history") is None


def behaviour(tables: Sequence[Votes], how: How) -> Behaviour:
    """How coders say yes and no, whichever the label, while each label has its own prevalence.

    Parameters
    ----------
    tables : sequence of Votes
        (L,) yes or no about each label, by the same coders.
    how : How

    Returns
    -------
    Behaviour
        Rows (what is true) of `STRENGTH` annotations.
    """
    beliefs = [anchor(table) for table in tables]
    confusion = np.zeros(1)
    for _ in range(min(ROUNDS, how.max_iterations)):
        counts: Any = sum(answers_by_truth(t, q) for t, q in zip(tables, beliefs, strict=True))
        new = rows_of(counts + learned(counts, 2.0))
        change = float(np.abs(new - confusion).max())
        confusion = new
        if change < STILL:
            break
        emission = Confusions(confusion)
        beliefs = [
            believed(t, _prevalence(q), emission.log_likelihood(t))[0]
            for t, q in zip(tables, beliefs, strict=True)
        ]
    return Behaviour(zip(tables[0].coders, STRENGTH * confusion, strict=True))


def _prevalence(q: Floats) -> Floats:
    """(2,) with one item made up, half of each: none is impossible."""
    return np.asarray((q.sum(0) + 0.5) / (len(q) + 1))


# ------------------------------------------------------------------ whole sets


def _whole(posterior: Posterior) -> Posterior:
    """The posterior of whole sets, with a warning where these are many and rare."""
    finding = many_sets(posterior)
    if finding is None:
        return posterior
    estimate = posterior.estimate
    return replace(posterior, estimate=replace(estimate, findings=(*estimate.findings, finding)))


@rule("warning")
def many_sets(posterior: Posterior) -> Told | None:
    """Most sets were given hardly ever.

    The coders gave {n:,} different sets of labels, {rare:,} of them fewer than {few} times: too
    little to learn how coders confuse them, and a set that nobody gave cannot be found.

    Fit a model of each label instead of whole sets.
    """
    counts = posterior.votes.counts.sum(0)
    n, rare = len(counts), int(np.count_nonzero(counts < FEW))
    do = (Action("", {"sets": "labels"}),)
    return Told({"n": n, "rare": rare}, {"few": FEW}, do=do) if 2 * rare > n else None
