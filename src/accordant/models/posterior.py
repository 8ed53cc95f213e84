"""Estimated labels and annotator reliability: the result of every model."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from .._version import __version__
from ..arrays import Bools, Floats, Ints
from ..data.annotations import Annotations
from ..diagnosis.finding import Finding, found_by, ranked
from ..errors import RequestError
from ..numbers import count_of, decimal, percent
from ..results import Result
from ..scheme import Value
from .dependence import Dependence, dependence
from .em import How
from .emission import with_known
from .estimate import Estimate, Interval, label_codes, log_marginal
from .estimators.blend import held_out
from .gold import Gold, truth_of
from .model import Model
from .question_results import write_rows
from .trust.accuracy import (
    Calibration,
    CoderScores,
    CoverageCurve,
    LabelScores,
    best_share,
    best_weights,
    calibration_of,
    coder_scores,
    coverage_of,
    scores,
)
from .trust.recalibration import (
    ItemEvidence,
    Weighed,
    as_it_is,
    control_evidence,
    evidence_of,
    recalibrated,
)
from .trust.verdicts import Withheld, dependence_unseen, positions, verdicts, withheld
from .uncertainty import (
    LEVEL,
    Answers,
    compared_with_others,
    counted,
    prevalence_interval,
    times_as_uncertain,
)
from .votes import UNKNOWN, Votes

CELLS = 20_000_000  # annotations x categories of the largest table
OF_VOTES = "Shares of votes are not probabilities: no accuracy can be expected from them."
OF_CODERS = ("disjoint_coders",)
EQUAL = 1e-12  # entropies that differ by less are one: the same sum in another order


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Result):
    """Labels, coders and items of one question; made by `fit`. I items, C coders, K categories.

    Parameters
    ----------
    question : str or None
    data, votes : Annotations, Votes
        Of this question, and what the model was fitted to.
    model, how, options : Model, How, mapping
        The model; restarts and seed; its options.
    estimate : Estimate
        What it found itself, not recalibrated.
    weighing : Weighed or None
        What an annotation counts; None if that is found when somebody asks, see `recalibrated`.
    remarks : tuple of Finding
        What was to be said before the model was fitted, of its known labels.
    """

    question: str | None
    data: Annotations
    votes: Votes
    model: Model
    how: How
    options: Mapping[str, Any]
    estimate: Estimate
    weighing: Weighed | None = None
    remarks: tuple[Finding, ...] = ()
    told_as: ClassVar[str] = "fit"

    # ------------------------------------------------------------------ items

    @property
    def items(self) -> Any:
        """(I,) names."""
        return self.votes.items

    @property
    def categories(self) -> tuple[Value, ...]:
        """(K,) what may be true."""
        return self.votes.categories

    @cached_property
    def probabilities(self) -> Floats:
        """(I, K) probability that category k is true of item i (for votes: their shares).

        Recalibrated; NaN where nothing can be learned. `not_recalibrated` has the model's own.
        """
        if self._withheld.labels_too and self.model.probabilistic:
            return np.full(self.estimate.probabilities.shape, np.nan)
        return self.weighed.probabilities

    @property
    def standing(self) -> Floats:
        """(I, K) what labels are chosen by: beliefs, or votes where nothing can be learned."""
        return self.votes.shares if self._withheld.labels_too else self.probabilities

    @cached_property
    def tied(self) -> Bools:
        """(I,) whether two categories are equally probable, and none more."""
        return np.asarray(self.codes < 0)

    @cached_property
    def codes(self) -> Ints:
        """(I,) position of the most probable category; -1 for a tie."""
        return label_codes(self.standing)

    @property
    def labels(self) -> list[Value | None]:
        """(I,) the most probable category; None for a tie."""
        return [None if k < 0 else self.categories[k] for k in self.codes.tolist()]

    @cached_property
    def confidence(self) -> Floats:
        """(I,) probability of the label; NaN where that is `withheld`."""
        if self.withheld and self.model.probabilistic:
            return np.full(self.votes.n_items, np.nan)
        return np.asarray(self.probabilities.max(1))

    @property
    def withheld(self) -> str:
        """Why it cannot be said how sure the labels are, as a clause; empty if it can."""
        return self._withheld.reason

    @cached_property
    def _withheld(self) -> Withheld:
        return withheld(self.model, self.votes)

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits."""
        p = self.probabilities
        return np.asarray(np.abs((p * np.log2(np.where(p <= 0, 1, p))).sum(1)))

    def labelled(self) -> dict[Any, Value | None]:
        """Item → label; None for a tie."""
        return dict(zip(self.votes.names, self.labels, strict=True))

    # ------------------------------------------------------------------ coders and the fit

    @property
    def coders(self) -> tuple[str, ...]:
        """(C,) names."""
        return self.votes.coders

    @property
    def competence(self) -> Floats:
        """(C,) expected share of right labels among those that the coder gave.

        For votes the share that agrees with the vote; the model's own stands in ``estimate``.
        """
        return self.answers.right if self.model.probabilistic else self.estimate.competence

    @property
    def confusion(self) -> Floats | None:
        """(C, K, K) probability that the coder answers o where k is true, if the model has it."""
        return self.estimate.confusion

    @property
    def prevalence(self) -> Floats:
        """(K,) how frequent each category is, by the model itself."""
        return self.estimate.prevalence

    @cached_property
    def answers(self) -> Answers:
        """What coders answered to what: intervals rest on it."""
        if not self.model.probabilistic:
            return compared_with_others(self.votes)
        by, q = self.weighed.dependence, self.estimate.probabilities
        together = 0.0 if by is None else by.misjudged
        return counted(self.votes, q, self._shown, self._doubted, together)

    @cached_property
    def _held_out(self) -> ItemEvidence:
        """Each coder judged by other items; the model's own evidence where a table is too large."""
        size = len(self.votes.item) * self.votes.n_categories
        if self.model.key == "blend" or size > CELLS:  # that of the blend is such
            return self.evidence
        return ItemEvidence(held_out(self.votes, self.estimate.probabilities))

    @cached_property
    def _doubted(self) -> Floats:
        """(I, K) by these probabilities it is known how unsure labels are."""
        by, worth = self.weighed.dependence, self.weighed.worth
        of = self._held_out
        q = of.beliefs(worth) if by is None else of.averaged(by, self.votes.per_item)
        return with_known(self.votes, q)

    @property
    def _shown(self) -> Floats:
        """(I, K) the probabilities, or where they are withheld those of the model itself."""
        if self._withheld.labels_too or not self.model.probabilistic:
            return self.estimate.probabilities
        return self.weighed.probabilities

    def interval(self, of: str, level: float = LEVEL) -> Interval:
        """The interval of ``'competence'`` (C,), ``'confusion'`` (C, K, K) or ``'prevalence'``.

        It allows for uncertain labels and for coders who err together. NaN where `withheld`, and
        for votes, which have no probabilities.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.fit(ac.simulate(100, 5, 2, seed=1))
        >>> bool((found.interval("prevalence").low < found.prevalence).all())
        True
        """
        shapes = {
            "competence": self.competence.shape,
            "confusion": self.answers.counts.shape,
            "prevalence": self.prevalence.shape,
        }
        if of not in shapes:
            raise RequestError(f"choose 'competence', 'confusion' or 'prevalence', not {of!r}")
        why = "" if self.model.probabilistic else "shares of votes are no probabilities"
        if without := self.withheld or why:
            nothing = np.full(shapes[of], np.nan)
            return Interval(nothing, nothing, level, f"none, since {without}")
        if of == "competence":
            return self.answers.right_interval(level)
        if of == "confusion":
            return self.answers.confusion_interval(level)
        less_sure = min(self._shown, self._doubted, key=lambda q: float((q**2).sum()))
        figures = less_sure, self.weighed.worth, self.answers.misjudged
        return prevalence_interval(self.prevalence, *figures, level, self._times_as_uncertain)

    @cached_property
    def _times_as_uncertain(self) -> Floats | None:
        """(K,) how much more uncertain shares are because labels are; it takes EM once more."""
        starts = [self.estimate.probabilities]
        if self._held_out is not self.evidence:
            starts.append(with_known(self.votes, self._held_out.beliefs(1.0)))
        return times_as_uncertain(self.votes, *starts)

    @property
    def history(self) -> tuple[float, ...]:
        """The objective in each iteration; empty for a vote and for the blend, which have none."""
        return self.estimate.climb.history

    @cached_property
    def log_likelihood(self) -> float:
        """Log probability of all annotations under the fitted model, in nats; NaN for a vote."""
        run = self.estimate.climb
        if run.objective == "log-likelihood":
            return run.value
        return log_marginal(self.estimate, self.votes) if self.model.probabilistic else math.nan

    @property
    def converged(self) -> bool:
        """Whether the loop ended because nothing changed any more."""
        return self.estimate.climb.converged

    @property
    def seed(self) -> int:
        """Of the restarts."""
        return self.how.seed

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The verdict on this fit: what a reader of these labels must know."""
        anonymous = self.data.anonymous
        told = [*self.remarks, *verdicts(self.model, self.votes, self.estimate)]
        told = [f for f in told if not (anonymous and f.code in OF_CODERS)]
        if self.model.probabilistic and not self.withheld:
            unseen = dependence_unseen(self.votes, self.probabilities, self.dependence)
            told += found_by(unseen)
        if anonymous:
            told += found_by(positions(len(self.coders)))
        return ranked(replace(f, question=self.question) for f in told)

    # ------------------------------------------------------------------ recalibration

    @cached_property
    def weighed(self) -> Weighed:
        """Beliefs, and what an annotation counts in them."""
        if self.weighing is not None:
            return self.weighing
        if not self.model.probabilistic:
            return as_it_is(self.votes, self.estimate)
        return self._weighed_by(self.votes.known, "control")

    def _weighed_by(self, codes: Ints, kind: str) -> Weighed:
        """By the known categories (I,) of items, -1 for none."""
        told = bool(((codes != UNKNOWN) & (self.votes.known != UNKNOWN)).any())
        of_controls = self.control_evidence if told else None
        return recalibrated(self.votes, self.evidence, self.dependence, codes, kind, of_controls)

    @property
    def worth(self) -> float:
        """What an annotation counts on average; 1 for the model itself."""
        return float(np.average(self.weighed.worth, weights=self.votes.per_item))

    @property
    def recalibration(self) -> str:
        """How probabilities were recalibrated; empty for the model itself, and for votes."""
        return self.weighed.sentence

    @cached_property
    def dependence(self) -> Dependence:
        """How much the coders of an item err together."""
        q = self.estimate.probabilities if self.model.key not in ("blend", "majority") else None
        return dependence(self.votes, q)

    @cached_property
    def control_evidence(self) -> Floats:
        """(I, K) evidence of control items, from fits that were not told their labels."""
        return control_evidence(self.model, self.votes, self.how, self.options)

    @cached_property
    def evidence(self) -> ItemEvidence:
        """What the model knows of each item in logarithms, so that it can be weighed."""
        return evidence_of(self.model, self.votes, self.estimate)

    def recalibrated(self, gold: Gold | None = None) -> Posterior:
        """The same labels with recalibrated probabilities.

        Models take errors as independent; coders err together. What `fit` returns is
        recalibrated already: averaged over how much they may do so (see `dependence`), given
        control items, each judged by a fit that was not told it. Parameters stay. Labels change
        only where a model held what it had not seen for impossible.

        Parameters
        ----------
        gold : str, path, mapping or frame, optional
            Items with known labels: how probable they are weighs how much coders may err together.

        Returns
        -------
        Posterior
            ``recalibration`` says how it was done.

        Raises
        ------
        RequestError
            For votes, whose shares are opinions.
        """
        self.evidence  # noqa: B018 - votes have none
        if gold is None:
            return self._weighed_as(self._weighed_by(self.votes.known, "control"))
        known = truth_of(self.votes, self.data, gold, told=True)
        return self._weighed_as(self._weighed_by(known.codes, "gold"))

    @property
    def not_recalibrated(self) -> Posterior:
        """With the probabilities of the model itself, which takes coders as independent."""
        return self._weighed_as(as_it_is(self.votes, self.estimate))

    def _weighed_as(self, weighing: Weighed) -> Posterior:
        """The same with other beliefs; what does not depend on them is not computed again."""
        other = replace(self, weighing=weighing)
        for name in ("dependence", "evidence", "control_evidence", "_withheld"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    # ------------------------------------------------------------------ what can be relied on

    def scores(
        self, truth: Gold, *, level: float = LEVEL, chosen: Bools | None = None
    ) -> LabelScores:
        """Accuracy with its interval (Wilson 1927), and precision, recall and F1 by category.

        Parameters
        ----------
        truth : str, path, mapping or frame
            Known labels, as ``gold`` of `fit`. Control items that the model was told do not count.
        level : float
            Of the interval.
        chosen : ndarray of bool, optional
            (I,) items that count; by default all.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"]], "majority")
        >>> round(found.scores({1: "a", 2: "b", 3: "b"}).accuracy, 3)
        0.833
        """
        known = truth_of(self.votes, self.data, truth)
        every = np.ones(self.votes.n_items, bool) if chosen is None else chosen
        return scores(self.categories, self.standing, known, level, every)

    def coder_scores(self, truth: Gold, *, level: float = LEVEL) -> CoderScores:
        """How often each coder gave the label that is known to be right, with intervals.

        Control items count too: coders were not told their labels.
        """
        codes = truth_of(self.votes, self.data, truth, told=True).codes
        return coder_scores(self.question, self.votes, codes, self.competence, level)

    def calibration(self, truth: Gold, *, level: float = LEVEL) -> Calibration:
        """Whether probabilities hold: expected beside observed accuracy, log-loss, Brier score.

        ``truth`` is as of `scores`, ``level`` of the intervals.

        Raises
        ------
        RequestError
            Where nothing can be learned, so that there are no probabilities.
        """
        if np.isnan(self.probabilities).any():
            raise RequestError(f"there are no probabilities to judge: {self.withheld}")
        known, how = truth_of(self.votes, self.data, truth), self.recalibration
        beliefs = self.model.probabilistic
        return calibration_of(self.question, self.probabilities, known, level, how, beliefs=beliefs)

    def keep(self, *, confidence: float | None = None, share: float | None = None) -> Kept:
        """The items whose labels are sure enough (Hovy et al. 2013).

        Parameters
        ----------
        confidence : float, optional
            Items whose label has this probability or more.
        share : float, optional
            This share of the items, those with the least entropy; items with the same entropy
            as the last of them are kept too. Tied items are left out: they have no label.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"], ["a", "b", "b"]], "majority")
        >>> found.keep(confidence=0.9).items
        [1, 2]
        """
        x = share if confidence is None else confidence
        if (confidence is None) == (share is None) or x is None or not 0 <= x <= 1:
            raise RequestError("give confidence or share, from 0 to 1")
        if np.isnan(self.confidence).any():
            raise RequestError(f"no label can be kept for being sure: {self.withheld}")
        if share is None:
            chosen = self.confidence >= x - EQUAL
            return Kept(self, chosen & ~self.tied, f"confidence of {decimal(x)} or more")
        n = math.ceil(x * len(self.entropy) - 1e-9)
        limit = np.sort(self.entropy)[n - 1] if n else -math.inf
        chosen = self.entropy <= limit + EQUAL
        return Kept(self, chosen & ~self.tied, f"the {percent(x)} with the least entropy")

    def coverage(self, truth: Gold | None = None) -> CoverageCurve:
        """What accuracy the labels have if only the surest are kept.

        Without known labels (``truth``) there is the accuracy that probabilities promise.
        """
        p, standing = self.probabilities, self.standing
        free = self.votes.known == UNKNOWN
        expected = np.full(len(p), np.nan)
        promise = OF_VOTES
        if self.withheld:
            promise = f"No accuracy can be expected: {self.withheld}."
        elif self.model.probabilistic:
            expected = (best_weights(p) * p).sum(1)
            promise = f"Expected accuracy: by recalibrated probabilities. {self.recalibration}"
            if not self.recalibration:
                promise = "Expected accuracy: by the model, which takes coders as independent."
        right = np.full(len(p), np.nan)
        if truth is not None:
            codes = truth_of(self.votes, self.data, truth).codes
            right[codes >= 0] = best_share(standing[codes >= 0], codes[codes >= 0])
        sure = standing.max(1)[free]
        return coverage_of(self.question, sure, expected[free], right[free], promise)

    # ------------------------------------------------------------------ shown

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the labels."""
        told = ", ".join(f"{k}={v}" for k, v in self.options.items())
        return (
            f"accordant {__version__} | fit: {self.model.key}{f' ({told})' if told else ''}; "
            f"restarts {self.how.restarts}, seed {self.how.seed}"
            f"{f'; worth {self.worth:.4g}' if self.model.probabilistic else ''} | "
            f"data {self.data.fingerprint[:12]}"
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: its label, how sure it is, the probability of each category.

        ``not_recalibrated`` is what the model itself says of the label, ``reason`` why that is
        `withheld`.
        """
        n = self.votes.n_items
        columns: dict[str, Any] = {
            "question": [self.question] * n,
            "item": self.votes.names,
            "label": self.labels,
            "tied": self.tied.tolist(),
            "confidence": self.confidence.tolist(),
            **self._own_confidence(),
            **({"reason": [self.withheld] * n} if self.withheld else {}),
            "entropy": self.entropy.tolist(),
            "n_annotations": self.votes.per_item.astype(int).tolist(),
            **{name: x.tolist() for name, x in self.estimate.item_parameters.items()},
        }
        shares = zip(self.categories, self.probabilities.T.tolist(), strict=True)
        columns |= {f"p_{name}": p for name, p in shares}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def _own_confidence(self) -> dict[str, list[float]]:
        """(I,) what the model itself would say of each label; nothing if it is not recalibrated."""
        if not self.recalibration or np.isnan(self.probabilities).any():
            return {}
        p = self.estimate.probabilities
        label = np.where(self.tied, p.argmax(1), self.codes)
        return {"not_recalibrated": p[np.arange(len(p)), label].tolist()}

    def coder_rows(self) -> list[dict[str, Any]]:
        """One row for each coder: annotations, competence with its interval, parameters."""
        columns: dict[str, Any] = {
            "question": [self.question] * len(self.coders),
            "coder": self.coders,
            "n_annotations": self.votes.per_coder.astype(int).tolist(),
            "competence": self.competence.tolist(),
        }
        if self.model.probabilistic:
            about = self.interval("competence")
            columns |= {"low": about.low.tolist(), "high": about.high.tolist()}
        parameters = self.estimate.coder_parameters.items()
        columns |= {name: x.tolist() for name, x in parameters if x.ndim == 1}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def write(self, path: str | Path) -> None:
        """Write the rows, one for each item.

        Parameters
        ----------
        path : str or Path
            Ends in .csv, .tsv, .xlsx, .parquet or .jsonl, which says the format.

        Raises
        ------
        RequestError
            If it ends otherwise or cannot be written.
        """
        write_rows(self.to_rows(), Path(path))


@dataclass(frozen=True, eq=False, repr=False)
class Kept(Result):
    """The items whose labels are sure enough; made by `Posterior.keep`.

    Parameters
    ----------
    posterior : Posterior
    chosen : ndarray of bool
        (I,) whether the item is kept.
    rule : str
        What was asked, in words.
    """

    posterior: Posterior
    chosen: Bools
    rule: str
    told_as: ClassVar[str] = "kept"

    def __len__(self) -> int:
        return int(self.chosen.sum())

    @property
    def share(self) -> float:
        """Share of the items that are kept."""
        return float(self.chosen.mean())

    @property
    def items(self) -> list[Any]:
        """Names of the items that are kept."""
        return [row["item"] for row in self.to_rows()]

    @property
    def labels(self) -> list[Any]:
        """Their labels."""
        return [row["label"] for row in self.to_rows()]

    @property
    def sentence(self) -> str:
        """How many are kept, and by what rule."""
        return (
            f"{count_of(len(self), 'item')} of {len(self.chosen):,} kept ({percent(self.share)}): "
            f"{self.rule}."
        )

    def scores(self, truth: Gold, *, level: float = LEVEL) -> LabelScores:
        """How right the labels that are kept are; as `Posterior.scores`, of these items only."""
        return self.posterior.scores(truth, level=level, chosen=self.chosen)

    def to_rows(self) -> list[dict[str, Any]]:
        """The rows of these items, as in the posterior."""
        rows = zip(self.posterior.to_rows(), self.chosen.tolist(), strict=True)
        return [row for row, keep in rows if keep]
