"""A model fitted to sets of labels: label by label, or with each set as a category."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Literal, Protocol, TypeAlias, get_args

from ...data.annotations import Annotations
from ...errors import RequestError
from ...scheme import Value
from ..em import How
from ..posterior import Posterior
from ..votes import Votes
from .deciding import RULES, Rule
from .label_data import given_labels, label_data, label_truth
from .remarks import about_whole_sets
from .set_posterior import SetPosterior
from .sharing import behaviour

__all__ = ["FitsVotes", "Known", "Sets", "fit_sets"]

Sets: TypeAlias = Literal["labels", "apart", "whole"]
Known: TypeAlias = Mapping[Hashable, Value]


class FitsVotes(Protocol):
    """Fits the model to votes, with further options of it."""

    def __call__(
        self, question: str | None, data: Annotations, table: Votes, /, **more: Any
    ) -> Posterior: ...


def fit_sets(
    question: str | None,
    data: Annotations,
    known: Known,
    prepared: Callable[[Annotations, Known], Votes],
    fitted: FitsVotes,
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
        The model, fitted to them.
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
        If an option is unknown, or no label was given.
    """
    if sets not in get_args(Sets):
        known_sets = ", ".join(map(repr, get_args(Sets)))
        raise RequestError(f"choose one of {known_sets}, not {sets!r}", parameter="sets")
    if rule not in RULES:
        known_rules = ", ".join(map(repr, RULES))
        raise RequestError(f"choose one of {known_rules}, not {rule!r}", parameter="decide")
    if sets == "whole":
        return about_whole_sets(fitted(question, data, prepared(data, known)))
    labels = given_labels(data)
    if not labels:
        raise RequestError("no coder gave any label, so there is nothing to learn from")
    parts = list(label_data(data, labels))
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
