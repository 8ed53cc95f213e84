"""Estimated sets of labels and annotator reliability."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..._version import __version__
from ...actions import Action
from ...arrays import Bools, Floats
from ...data.annotations import Annotations
from ...diagnosis.finding import SEVERITIES, Catalogue, Finding, Told
from ...diagnosis.words import label_text, listed, quoted
from ...errors import unknown
from ...numbers import decimal
from ...results import Result
from ...scheme import Label
from ..gold import Gold, gold_labels
from ..posterior import Posterior
from ..trust.coverage import OF_VOTES, Coverage, expected_coverage
from ..trust.verdicts import arranged
from .label_decisions import Decided, Rule, SetScores, decided, set_scores

__all__ = ["SetPosterior"]


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

        Recalibrated, as those of `Posterior`; NaN where nothing can be learned.
        """
        return np.stack([one.probabilities[:, 1] for one in self.each], axis=1)

    @property
    def not_recalibrated(self) -> SetPosterior:
        """With the probabilities of the models themselves, which take coders as independent."""
        return replace(self, each=tuple(one.not_recalibrated for one in self.each))

    def recalibrated(self, worth: float | None = None) -> SetPosterior:
        """The same with beliefs weighed otherwise, label by label; see `Posterior.recalibrated`."""
        return replace(self, each=tuple(one.recalibrated(worth) for one in self.each))

    @property
    def recalibration(self) -> str:
        """What annotations count in the beliefs, in a sentence; empty if they count in full."""
        worths = [one.worth for one in self.each if one.recalibration]
        if not worths:
            return ""
        low, high = decimal(min(worths), 2), decimal(max(worths), 2)
        return (
            f"By label, an annotation counts {low if low == high else f'{low} to {high}'} of an "
            "independent one, by known labels or by how much errors of coders correlate."
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
    def tied(self) -> Bools:
        """(I,) whether a label may be in the set or not with equal right."""
        return np.asarray(self.decided.open.any(1))

    @cached_property
    def labels(self) -> list[tuple[Label, ...] | None]:
        """(I,) the set of labels, ``()`` if there is none; None for a tie."""
        sets = zip(self.tied.tolist(), self._sets(self.decided.members), strict=True)
        return [None if tied else found for tied, found in sets]

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

    def score(self, gold: Gold, *, chosen: Bools | None = None) -> SetScores:
        """The decided sets beside known ones.

        Parameters
        ----------
        gold : str, path, mapping or frame
            As in `fit`: item → set of labels.
        chosen : ndarray of bool, optional
            (I,) items that count; by default all.
        """
        known, _, unmatched = gold_labels(gold, self.data)
        names = self.each[0].votes.names
        if chosen is not None:
            counting = {x for x, yes in zip(names, chosen, strict=True) if yes}
            known = {x: value for x, value in known.items() if x in counting}
        return set_scores(names, self.categories, self.decided.members, self.tied, known, unmatched)

    def coverage(self) -> Coverage:
        """What share of sets can be expected to be correct if only the surest are kept."""
        sure = self.confidence[~self.tied]
        if not self.each[0].model.probabilistic:
            return expected_coverage(self.question, sure, np.full(len(sure), np.nan), OF_VOTES)
        reason = self.withheld or self.recalibration or "by the models, label by label"
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
        own = [replace(f, question=self.question) for f in self.remarks]
        told = [f for rule in REMARKS.values() if (f := rule(self)) is not None]
        return arranged((*own, *told, *self._of_labels()))

    def _of_labels(self) -> Iterator[Finding]:
        """The findings of the single models; the same one of several labels is told once."""
        by_code: dict[str, list[tuple[Label, Finding]]] = {}
        for label, one in self.by_label:
            for finding in one.findings:
                by_code.setdefault(finding.code, []).append((label, finding))
        for told in by_code.values():
            found = sorted(told, key=lambda pair: SEVERITIES.index(pair[1].severity))
            label, first = found[0]
            others = [name for name, _ in found[1:]]
            more = f" The same holds for {listed(others)}." if others else ""
            yield replace(
                first,
                sentence=f"About {quoted(label)}: {first.sentence}{more}",
                question=self.question,
                evidence={**first.evidence, "labels": tuple(name for name, _ in found)},
            )

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
        worths = sorted({f"{one.worth:.4g}" for one in self.each if one.model.probabilistic})
        return f"; worth {' '.join(worths)}" if worths else ""

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: its set, how sure it is, the probability of each label.

        ``not_recalibrated`` and ``reason`` are as in `Posterior.to_rows`.
        """
        own, n, table = self._own_confidence, len(self.items), self.each[0].votes
        columns: dict[str, Any] = {
            "question": [self.question] * n,
            "item": table.names,
            "label": [None if x is None else label_text(x) for x in self.labels],
            "tied": self.tied.tolist(),
            "sure": map(label_text, self._sets(self.decided.members)),
            "open": [label_text(x) if x else None for x in self._sets(self.decided.open)],
            "confidence": self.confidence.tolist(),
            **({} if own is None else {"not_recalibrated": own}),
            **({"reason": [self.withheld] * n} if self.withheld else {}),
            "entropy": self.entropy.tolist(),
            "n_annotations": table.per_item.astype(int).tolist(),
        }
        shares = zip(self.categories, self.probabilities.T.tolist(), strict=True)
        columns |= {f"p_{name}": p for name, p in shares}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    @property
    def _own_confidence(self) -> list[float] | None:
        """(I,) what the models themselves say of each set; None if nothing is recalibrated."""
        if not self.recalibration or np.isnan(self.probabilities).any():
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
            for label, one in self.by_label
        ]

    def _sets(self, members: Bools) -> list[tuple[Label, ...]]:
        found: list[list[Label]] = [[] for _ in members]
        for i, k in zip(*(x.tolist() for x in np.nonzero(members)), strict=True):
            found[i].append(self.categories[k])
        return list(map(tuple, found))


# ------------------------------------------------------------------ what to know of all labels

REMARKS = Catalogue()

THIN = 20  # items that a label fits, below which a model of it alone goes astray
FEW = 5  # times that a set or label was given, below which little is learned about it


@REMARKS.rule("note")
def rare_labels(found: SetPosterior) -> Told | None:
    """Labels given hardly ever.

    {n:label} of {all:,} ({labels:listed}) {n:was|were} given fewer than {few} times.

    Do not rely on what the model estimates for them.
    """
    labels = tuple(x for x, one in found.by_label if one.votes.counts[:, 1].sum() < FEW)
    facts = {"labels": labels, "n": len(labels)}
    return Told(facts, {"all": len(found), "few": FEW}) if labels else None


@REMARKS.rule("warning")
def labels_apart(found: SetPosterior) -> Told | None:
    """Labels that are true of few items, learned by themselves.

    {model} learned about each label alone, and {n:label} of {all:,} ({labels:listed}) {n:fits|fit}
    fewer than {few} items by the votes: too few to tell slips from coders who overlook the label,
    so it may be lost.

    Use the pooled model, in which a coder's habits with all labels count for each.
    """
    labels = tuple(x for x, one in found.by_label if one.votes.shares[:, 1].sum() < THIN)
    model = found.each[0].model
    if not labels or found.shared or not model.probabilistic:
        return None
    do = (Action("fit", {"model": "pooled", "sets": "labels"}),)
    words = {"model": model.name, "all": len(found), "few": THIN}
    return Told({"labels": labels, "n": len(labels)}, words, do=do)


@REMARKS.rule("note")
def labels_not_given(found: SetPosterior) -> Told | None:
    """Categories that nobody used.

    {n:category} of the scheme ({labels:listed}) {n:was|were} given by no coder.

    They are left out; whether they are true of an item is not known.
    """
    unused = tuple(c for c in found.data.schemes[0].categories if c not in found.categories)
    return Told({"labels": unused, "n": len(unused)}) if unused else None


@REMARKS.rule("warning", "dembczynski2012")
def empty_sets(found: SetPosterior) -> Told | None:
    """Items without a label, though nobody said that none applies.

    {n:item} of {all:,} {n:has|have} no label that is more probable than not, though no coder ever
    said that nothing applies.

    Read these items, or choose the rule that gives each item its most probable label.
    """
    n = int(np.count_nonzero(~(found.decided.members | found.decided.open).any(1)))
    if not n or not found.sizes[0]:
        return None
    words, do = {"all": len(found.items)}, (Action("", {"decide": "most probable"}),)
    return Told({"n": n}, words, do=do)
