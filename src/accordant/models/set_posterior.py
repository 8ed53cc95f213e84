"""Estimated sets of labels: a model of a yes or no for each label, and sets made of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from .._version import __version__
from ..arrays import Bools, Floats
from ..data.annotations import NO_VALUE, Annotations
from ..diagnosis.finding import SEVERITIES, Finding, ranked
from ..errors import RequestError, unknown
from ..messages import label_text, listed, quoted
from ..results import Result
from ..scheme import Label, Scheme, Value
from .estimate import TIE
from .gold import ALL_MATCHED, Gold, Unmatched, gold_labels, members_of
from .posterior import OF_VOTES, Posterior
from .trust.accuracy import CoverageCurve, coverage_of

YES_NO = Scheme((False, True), declared=True)
Known = Mapping[Hashable, Value]


def fit_sets(
    question: str | None,
    data: Annotations,
    known: Known,
    fitted: Callable[[str, Annotations, Known], Posterior],
) -> SetPosterior:
    """Fit a model of each label that a coder gave.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of one question of label sets.
    known : mapping
        Sets of control items.
    fitted : callable
        The model, fitted to yes or no about a label, with the control items of these.

    Raises
    ------
    RequestError
        If no label was given.
    """
    members = [{*members_of(value)} for value in data.values]
    used = {x for k in np.unique(data.answered.value).tolist() for x in members[k]}
    labels = tuple(c for c in data.schemes[0].categories if c in used)
    if not labels:
        raise RequestError("no coder gave any label")
    each = []
    for label in labels:  # items, coders and gaps stay
        code = np.array([*(label in s for s in members), NO_VALUE], np.int8)
        layout = replace(data.columns, value=code[data.columns.value])
        part = replace(data, schemes=(YES_NO,), values=(False, True), layout=layout)
        each.append(fitted(str(label), part, label_truth(known, label)))
    return SetPosterior(question, data, labels, tuple(each))


def label_truth(known: Known, label: Label) -> dict[Hashable, Value]:
    """Of control items, whether their set holds the label."""
    return {item: label in members_of(value) for item, value in known.items()}


@dataclass(frozen=True, eq=False, repr=False)
class SetPosterior(Result):
    """Label by label: a model of each label, and sets of the labels more probable than not.

    Made by `fit`. I items, C coders, L labels.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    categories : tuple
        (L,) the labels that a coder gave, in the order of the scheme.
    each : tuple of Posterior
        (L,) one for each label, with the categories False and True.
    remarks : tuple of Finding
        What was to be said before the model was fitted, of its known labels.
    """

    question: str | None
    data: Annotations
    categories: tuple[Label, ...]
    each: tuple[Posterior, ...]
    remarks: tuple[Finding, ...] = ()
    told_as: ClassVar[str] = "fit"

    def __getitem__(self, label: Label) -> Posterior:
        for name, one in self.by_label:
            if name == label:
                return one
        raise unknown("label", label, self.categories)

    def __iter__(self) -> Iterator[Posterior]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    @property
    def by_label(self) -> list[tuple[Label, Posterior]]:
        """(L,) each label with what the model made of it."""
        return list(zip(self.categories, self.each, strict=True))

    # ------------------------------------------------------------------ items

    @property
    def items(self) -> Any:
        """(I,) names."""
        return self.each[0].items

    @cached_property
    def probabilities(self) -> Floats:
        """(I, L) belief that the label is true of the item; rows need not sum to 1.

        NaN where nothing can be learned.
        """
        return np.stack([one.probabilities[:, 1] for one in self.each], axis=1)

    @property
    def shared_errors(self) -> str:
        """That errors of coders were asked for, in a sentence; empty if they were not."""
        some = any(one.shared_errors for one in self.each)
        return "By label: known labels and how errors of coders correlate." if some else ""

    @property
    def withheld(self) -> str:
        """Why it cannot be said how sure the sets are, as a clause; empty if it can."""
        return next((one.withheld for one in self.each if one.withheld), "")

    @cached_property
    def _standing(self) -> Floats:
        return np.stack([one.standing[:, 1] for one in self.each], axis=1)

    @property
    def members(self) -> Bools:
        """(I, L) labels that are more probable than not."""
        return np.asarray(self._standing > 0.5 + TIE)

    @property
    def tied(self) -> Bools:
        """(I,) whether a label is as probable as not, so that the set is open."""
        return np.asarray((np.abs(self._standing - 0.5) <= TIE).any(1))

    @cached_property
    def labels(self) -> list[tuple[Label, ...] | None]:
        """(I,) the set of labels, ``()`` if there is none; None for a tie."""
        found: list[list[Label]] = [[] for _ in self.items]
        for i, k in zip(*(x.tolist() for x in np.nonzero(self.members)), strict=True):
            found[i].append(self.categories[k])
        return [
            None if tied else tuple(x) for tied, x in zip(self.tied.tolist(), found, strict=True)
        ]

    @cached_property
    def confidence(self) -> Floats:
        """(I,) probability of just this set, if labels are independent; of a tie, of any of its.

        NaN where that is `withheld`.
        """
        p = self.probabilities
        if self.withheld and self.each[0].model.probabilistic:
            return np.full(len(p), np.nan)
        return np.asarray(np.maximum(p, 1 - p).prod(1))

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits, summed over the labels."""
        return np.asarray(np.sum([one.entropy for one in self.each], axis=0))

    def labelled(self) -> dict[Any, tuple[Label, ...] | None]:
        """Item → set of labels; None for a tie."""
        return dict(zip(self.each[0].votes.names, self.labels, strict=True))

    # ------------------------------------------------------------------ coders and the fit

    @property
    def coders(self) -> tuple[str, ...]:
        """(C,) names."""
        return self.each[0].coders

    @cached_property
    def competence(self) -> Floats:
        """(C,) mean over the labels. Of rare labels anybody is right who never gives them."""
        return np.asarray(np.mean([one.competence for one in self.each], axis=0))

    @cached_property
    def prevalence(self) -> Floats:
        """(L,) share of the items that have the label."""
        return np.array([one.prevalence[1] for one in self.each])

    @property
    def converged(self) -> bool:
        """Whether every label did."""
        return all(one.converged for one in self.each)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of these sets must know; the same of several labels is told once."""
        by_code: dict[str, list[tuple[Label, Finding]]] = {}
        for label, one in self.by_label:
            for finding in one.findings:
                by_code.setdefault(finding.code, []).append((label, finding))
        told = [replace(f, question=self.question) for f in self.remarks]
        for same in by_code.values():
            same.sort(key=lambda pair: SEVERITIES.index(pair[1].severity))
            (label, first), names = same[0], tuple(name for name, _ in same)
            more = f" The same holds for {listed(names[1:])}." if names[1:] else ""
            sentence = f"About {quoted(label)}: {first.sentence}{more}"
            facts = {**first.evidence, "labels": names}
            told.append(replace(first, sentence=sentence, question=self.question, evidence=facts))
        return ranked(told)

    # ------------------------------------------------------------------ what can be relied on

    def scores(self, truth: Gold, *, chosen: Bools | None = None) -> SetScores:
        """The sets beside known ones.

        Parameters
        ----------
        truth : str, path, mapping or frame
            As ``gold`` in `fit`: item → set of labels.
        chosen : ndarray of bool, optional
            (I,) items that count; by default all.
        """
        known, _, unmatched, _ = gold_labels(truth, self.data)
        names = self.each[0].votes.names
        every = np.ones(len(names), bool) if chosen is None else chosen
        where = [k for k, name in enumerate(names) if name in known and every[k]]
        sets = [{*members_of(known[names[k]])} for k in where]
        beyond = {x for s in sets for x in s} - {*self.categories}
        labels = (*self.categories, *sorted(beyond, key=str))  # true, though nobody gave them
        said = np.zeros((len(where), len(labels)), bool)
        said[:, : len(self.categories)] = self.members[where]
        true = np.array([[x in s for x in labels] for s in sets], bool).reshape(said.shape)
        return _set_scores(labels, said, true, int(self.tied[where].sum()), unmatched)

    def coverage(self) -> CoverageCurve:
        """What share of sets can be expected to be correct if only the surest are kept."""
        sure = self.confidence[~self.tied]
        unknown_ = np.full(len(sure), np.nan)
        if not self.each[0].model.probabilistic:
            return coverage_of(self.question, sure, unknown_, unknown_, OF_VOTES)
        promise = self.shared_errors or "By the models, label by label."
        if self.withheld:
            promise = f"No accuracy can be expected: {self.withheld}."
        return coverage_of(self.question, sure, sure, unknown_, promise)

    # ------------------------------------------------------------------ shown

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the labels."""
        one = self.each[0]
        told = ", ".join(f"{k}={v}" for k, v in one.options.items())
        return (
            f"accordant {__version__} | fit: {one.model.key}{f' ({told})' if told else ''}, label "
            f"by label; restarts {one.how.restarts}, seed {one.how.seed} | "
            f"data {self.data.fingerprint[:12]}"
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: its set, how sure it is, the probability of each label."""
        n = len(self.items)
        columns: dict[str, Any] = {
            "question": [self.question] * n,
            "item": self.each[0].votes.names,
            "label": [None if x is None else label_text(x) for x in self.labels],
            "tied": self.tied.tolist(),
            "confidence": self.confidence.tolist(),
            **({"reason": [self.withheld] * n} if self.withheld else {}),
            "entropy": self.entropy.tolist(),
            "n_annotations": self.each[0].votes.per_item.astype(int).tolist(),
        }
        shares = zip(self.categories, self.probabilities.T.tolist(), strict=True)
        columns |= {f"p_{name}": p for name, p in shares}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def coder_rows(self) -> list[dict[str, Any]]:
        """One row for each coder and label: competence, sensitivity, specificity.

        Sensitivity is the probability to give the label where it is true, specificity not to give
        it where it is not; None if the model has no confusion matrix.
        """
        return [
            {
                "question": self.question,
                "coder": coder,
                "label": label,
                "competence": float(one.competence[c]),
                "sensitivity": None if one.confusion is None else float(one.confusion[c, 1, 1]),
                "specificity": None if one.confusion is None else float(one.confusion[c, 0, 0]),
                "n_annotations": int(one.votes.per_coder[c]),
            }
            for c, coder in enumerate(self.coders)
            for label, one in self.by_label
        ]


@dataclass(frozen=True, repr=False)
class SetScores(Result):
    """How well estimated sets fit known ones.

    Parameters
    ----------
    n_items : int
        Items of which both are there.
    n_tied : int
        Items with a label that a tie leaves open; it counts as not in the set.
    exact : float
        Share of the items whose set is just the known one.
    jaccard : float
        Mean over items of labels in both sets / labels in either; 1 for two empty sets.
    f1 : float
        F1 of all decisions about a label of an item together (micro).
    mean_f1 : float
        Mean of the F1 of the labels that are true of an item (macro).
    by_label : tuple of dict
        For each label its number of items, precision, recall and F1; NaN where undefined.
    unmatched : Unmatched
        Items with a known set that are no items of the data.
    """

    n_items: int
    n_tied: int
    exact: float
    jaccard: float
    f1: float
    mean_f1: float
    by_label: tuple[dict[str, Any], ...]
    unmatched: Unmatched = ALL_MATCHED
    told_as: ClassVar[str] = "scores"
    question: ClassVar[None] = None

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each label."""
        return list(self.by_label)


def _set_scores(
    labels: tuple[Label, ...], said: Bools, true: Bools, n_tied: int, unmatched: Unmatched
) -> SetScores:
    """From whether labels are said and true of items, (n, L) each."""
    shared, either = (said & true).sum(1), (said | true).sum(1)
    both, n_decided, n_true = (x.sum(0) for x in (said & true, said, true))
    with np.errstate(invalid="ignore", divide="ignore"):
        f1 = 2 * both / (n_decided + n_true)
        micro = float(2 * both.sum() / (n_decided + n_true).sum())
        columns: dict[str, Any] = {
            "label": np.array(labels, object),
            "n_true": n_true,
            "n_decided": n_decided,
            "precision": both / n_decided,
            "recall": both / n_true,
            "f1": f1,
        }
    rows = zip(*(x.tolist() for x in columns.values()), strict=True)
    return SetScores(
        len(said),
        n_tied,
        _mean((said == true).all(1)),
        _mean(np.where(either > 0, shared / np.maximum(either, 1), 1.0)),
        micro,
        _mean(f1[n_true > 0]),
        tuple(dict(zip(columns, row, strict=True)) for row in rows),
        unmatched,
    )


def _mean(x: Any) -> float:
    return float(np.mean(x)) if x.size else math.nan
