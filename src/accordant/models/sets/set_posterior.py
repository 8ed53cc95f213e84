"""Estimated sets of labels and annotator reliability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...data.annotations import Annotations
from ...diagnosis.finding import Finding
from ...diagnosis.words import label_text
from ...errors import unknown
from ...numbers import decimal
from ...results import Result
from ...scheme import Label
from ..gold import Gold, gold_labels
from ..posterior import Posterior
from ..trust.coverage import OF_VOTES, Coverage, expected_coverage
from ..trust.verdicts import arranged
from .deciding import Decided, Rule, decided
from .remarks import remarks
from .scores import SetScores, set_scores

__all__ = ["SetPosterior"]

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class SetPosterior(Result):
    """Label by label: a model of a yes or no for each label, and sets made of them; by `fit`.

    I items, C coders, L labels.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    categories : tuple
        (L,) the labels that a coder gave, in the order of the scheme.
    each : tuple of Posterior
        (L,) one for each label, with the categories False and True.
    rule : {'marginal', 'most probable', 'jaccard'}
        How probabilities become a set; see `deciding`.
    shared : bool
        Whether what a coder does with all labels together was the prior for each.
    remarks : tuple of Finding
        What was to be said before the model was fitted, of its known labels.
    """

    question: str | None
    data: Annotations
    categories: tuple[Label, ...]
    each: tuple[Posterior, ...]
    rule: Rule = "marginal"
    shared: bool = False
    remarks: tuple[Finding, ...] = ()
    told_as: ClassVar[str] = "fit"

    def __getitem__(self, label: Label) -> Posterior:
        for name, one in zip(self.categories, self.each, strict=True):
            if name == label:
                return one
        raise unknown("label", label, self.categories)

    def __iter__(self) -> Iterator[Posterior]:
        return iter(self.each)

    def __len__(self) -> int:
        return len(self.each)

    # ------------------------------------------------------------------ items

    @property
    def items(self) -> Any:
        """(I,) names."""
        return self.each[0].items

    @cached_property
    def probabilities(self) -> Floats:
        """(I, L) belief that the label is true of the item; rows need not sum to 1.

        Tempered, as those of `Posterior`; NaN where nothing can be learned.
        """
        return np.stack([one.probabilities[:, 1] for one in self.each], axis=1)

    @property
    def untempered(self) -> SetPosterior:
        """With the probabilities of the models themselves, which take coders as independent."""
        return replace(self, each=tuple(one.untempered for one in self.each))

    def tempered(self, tau: float | None = None) -> SetPosterior:
        """The same with beliefs weighed otherwise, label by label; see `Posterior.tempered`."""
        return replace(self, each=tuple(one.tempered(tau) for one in self.each))

    @property
    def tempering(self) -> str:
        """What annotations count in the beliefs, in a sentence; empty if they count in full."""
        taus = [one.tau for one in self.each if one.tempering]
        if not taus:
            return ""
        low, high = decimal(min(taus), 2), decimal(max(taus), 2)
        return (
            f"By label, τ is {low if low == high else f'{low} to {high}'}: what an annotation "
            "counts, by known labels or by how alike coders are beyond the estimated truth."
        )

    @property
    def withheld(self) -> str:
        """Why it cannot be said how sure the sets are, as a clause; empty if it can."""
        return next((one.withheld for one in self.each if one.withheld), "")

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How few and how many labels a set may have.

        None only if a coder gave an empty set; at most as many as the scheme or, where this does
        not say, as a coder ever gave.
        """
        values = [self.data.values[k] for k in np.unique(self.data.answered.value).tolist()]
        given = [len(v) if isinstance(v, tuple) else 1 for v in values]
        most = self.data.schemes[0].max_labels
        return min(1, min(given)), max(given) if most is None else most

    @cached_property
    def decided(self) -> Decided:
        """Labels of each item, and labels that a tie leaves open: (I, L) each."""
        p = np.stack([one.standing[:, 1] for one in self.each], axis=1)
        return decided(p, self.rule, *self.sizes)

    @property
    def tied(self) -> NDArray[np.bool_]:
        """(I,) whether a label may be in the set or not with equal right."""
        return np.asarray(self.decided.open.any(1))

    @cached_property
    def labels(self) -> list[tuple[Label, ...] | None]:
        """(I,) the set of labels, ``()`` if there is none; None for a tie."""
        return [
            None if tied else found
            for tied, found in zip(
                self.tied.tolist(), self._sets(self.decided.members), strict=True
            )
        ]

    @cached_property
    def confidence(self) -> Floats:
        """(I,) probability of just this set, if labels are independent; of a tie, of any of its.

        NaN where that is `withheld`.
        """
        p = self.probabilities
        if self.withheld and self.each[0].model.probabilistic:
            return np.full(len(p), np.nan)
        return self._confidence_by(p)

    def _confidence_by(self, p: Floats) -> Floats:
        found = self.decided
        each = np.where(found.members, p, np.where(found.open, np.maximum(p, 1 - p), 1 - p))
        return np.asarray(each.prod(1))

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits, summed over the labels."""
        return np.asarray(np.sum([one.entropy for one in self.each], axis=0))

    def deciding(self, rule: Rule) -> SetPosterior:
        """The same beliefs, with sets decided by another rule.

        Parameters
        ----------
        rule : {'marginal', 'most probable', 'jaccard'}
            'marginal': labels more probable than not; fewest wrong labels on average, but the set
            may be empty. 'most probable': the most probable set with an allowed number of labels.
            'jaccard': the set that overlaps most with the truth on average.
        """
        decided(np.empty((0, 1)), rule)
        return replace(self, rule=rule)

    def score(self, gold: Gold, *, chosen: NDArray[np.bool_] | None = None) -> SetScores:
        """The decided sets beside known ones.

        Parameters
        ----------
        gold : str, path, mapping or frame
            As in `fit`: item → set of labels.
        chosen : ndarray of bool, optional
            (I,) items that count; by default all.
        """
        known, _, unmatched = gold_labels(gold, self.data)
        if chosen is not None:
            names = self.each[0].votes.names
            known = {
                x: known[x] for x, yes in zip(names, chosen, strict=True) if yes and x in known
            }
        return set_scores(
            self.items, self.categories, self.decided.members, self.tied, known, unmatched
        )

    def coverage(self) -> Coverage:
        """What share of sets can be expected to be correct if only the surest are kept."""
        sure = self.confidence[~self.tied]
        if not self.each[0].model.probabilistic:
            return expected_coverage(self.question, sure, np.full(len(sure), np.nan), OF_VOTES)
        reason = self.withheld or self.tempering or "by the models, label by label"
        promise = f"{'No' if self.withheld else 'Expected'} accuracy: {reason.rstrip('.')}."
        return expected_coverage(self.question, sure, sure, promise)

    # ------------------------------------------------------------------ coders and the fit

    @property
    def coders(self) -> tuple[str, ...]:
        """(C,) names."""
        return self.each[0].coders

    @cached_property
    def competence_by_category(self) -> Floats:
        """(C, L) probability that the coder is right about whether an item has the label."""
        return np.stack([one.competence for one in self.each], axis=1)

    @cached_property
    def competence(self) -> Floats:
        """(C,) mean over the labels. Of rare labels anybody is right who never gives them."""
        return np.asarray(self.competence_by_category.mean(1))

    @cached_property
    def prevalence(self) -> Floats:
        """(L,) share of the items that have the label."""
        return np.array([one.prevalence[1] for one in self.each])

    @property
    def log_likelihood(self) -> float:
        """The sum over the labels, in nats."""
        return float(sum(one.log_likelihood for one in self.each))

    @property
    def converged(self) -> bool:
        """Whether every label did."""
        return all(one.converged for one in self.each)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What a reader of these sets must know: of all labels, then of single ones."""
        empty = int(np.count_nonzero(~(self.decided.members | self.decided.open).any(1)))
        told = remarks(
            self.question, self.data, self.categories, self.each,
            empty if self.sizes[0] > 0 else 0, shared=self.shared,
        )  # fmt: skip
        own = (replace(f, question=self.question) for f in self.remarks)
        return arranged((*own, *told)) if self.remarks else told

    # ------------------------------------------------------------------ shown

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the labels."""
        one = self.each[0]
        told = ", ".join(f"{k}={v}" for k, v in one.options.items())
        return (
            f"accordant {__version__} | fit: {one.model.key}{f' ({told})' if told else ''}, label "
            f"by label, decide {self.rule}; restarts {one.how.restarts}, seed {one.how.seed}"
            f"{self._taus} | "
            f"data {self.data.fingerprint[:12]}"
        )

    @property
    def _taus(self) -> str:
        taus = sorted({f"{one.tau:.4g}" for one in self.each if one.model.probabilistic})
        return f"; tau {' '.join(taus)}" if taus else ""

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: its set, how sure it is, the probability of each label.

        ``untempered`` and ``reason`` are as in `Posterior.to_rows`.
        """
        names = [f"p_{c}" for c in self.categories]
        own = self._own_confidence
        why = {"reason": self.withheld} if self.withheld else {}
        columns = zip(
            self.each[0].votes.names, self.labels, self.tied.tolist(),
            self._sets(self.decided.members),
            self._sets(self.decided.open), self.confidence.tolist(), self.entropy.tolist(),
            self.each[0].votes.per_item.tolist(), self.probabilities.tolist(), strict=True,
        )  # fmt: skip
        return [
            {
                "question": self.question,
                "item": item,
                "label": None if label is None else label_text(label),
                "tied": tied,
                "sure": label_text(sure),
                "open": label_text(left) if left else None,
                "confidence": confidence,
                **({} if own is None else {"untempered": own[i]}),
                **why,
                "entropy": entropy,
                "n_annotations": int(n),
                **dict(zip(names, p, strict=True)),
            }
            for i, (item, label, tied, sure, left, confidence, entropy, n, p) in enumerate(columns)
        ]

    @property
    def _own_confidence(self) -> list[float] | None:
        """(I,) what the models themselves would say of each set; None if nothing is tempered."""
        if not self.tempering or np.isnan(self.probabilities).any():
            return None
        p = np.stack([one.estimate.probabilities[:, 1] for one in self.each], axis=1)
        own: list[float] = self._confidence_by(p).tolist()
        return own

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
            for label, one in zip(self.categories, self.each, strict=True)
        ]

    def _sets(self, members: NDArray[np.bool_]) -> list[tuple[Label, ...]]:
        found: list[list[Label]] = [[] for _ in members]
        for i, k in zip(*(x.tolist() for x in np.nonzero(members)), strict=True):
            found[i].append(self.categories[k])
        return list(map(tuple, found))
