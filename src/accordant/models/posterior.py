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
from .em import How
from .estimate import Average, Estimate, Interval, label_codes, log_marginal
from .estimators.blend import average
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
from .trust.verdicts import (
    Withheld,
    dependence_unseen,
    positions,
    shared_errors,
    verdicts,
    withheld,
)
from .uncertainty import LEVEL, Answers, compared_with_others, counted, prevalence_interval
from .votes import UNKNOWN, Votes

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
        What it found.
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

        NaN where nothing can be learned.
        """
        if self._withheld.labels_too and self.model.probabilistic:
            return np.full(self.estimate.probabilities.shape, np.nan)
        return self.estimate.probabilities

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
        q, own = self.estimate.probabilities, self.estimate.average
        return counted(self.votes, q if own is None else own.alone, q, self.average)

    @cached_property
    def average(self) -> Average:
        """What the default averages over, which intervals of every model rest on."""
        return self.estimate.average or average(self.votes, self.how)[0]

    def interval(self, of: str, level: float = LEVEL) -> Interval:
        """The interval of ``'competence'`` (C,), ``'confusion'`` (C, K, K) or ``'prevalence'``.

        It allows for uncertain labels, coders who err together and accounts that differ. NaN where
        `withheld`, and for votes, which have no probabilities.

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
        return prevalence_interval(self.prevalence, self.average, level)

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
        if self.estimate.average is not None and not self.withheld:
            told += found_by(dependence_unseen(self.votes, self.estimate.average))
        if anonymous:
            told += found_by(positions(len(self.coders)))
        return ranked(replace(f, question=self.question) for f in told)

    @property
    def worth(self) -> float:
        """What an annotation counts on average; 1 for a model that takes errors as independent."""
        own = self.estimate.average
        return 1.0 if own is None else float(np.average(own.worth, weights=self.votes.per_item))

    @property
    def shared_errors(self) -> str:
        """How far coders err together, and what tells so; empty for models that do not ask."""
        own = self.estimate.average
        return "" if own is None else shared_errors(self.votes, own)

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
        known, beliefs = truth_of(self.votes, self.data, truth), self.model.probabilistic
        return calibration_of(self.question, self.probabilities, known, level, beliefs=beliefs)

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
            promise = f"Expected accuracy: by the posterior. {self.shared_errors}"
            if not self.shared_errors:
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
            f"{f'; worth {self.worth:.4g}' if self.estimate.average else ''} | "
            f"data {self.data.fingerprint[:12]}"
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: its label, how sure it is, the probability of each category.

        ``reason`` is why that is `withheld`.
        """
        n = self.votes.n_items
        columns: dict[str, Any] = {
            "question": [self.question] * n,
            "item": self.votes.names,
            "label": self.labels,
            "tied": self.tied.tolist(),
            "confidence": self.confidence.tolist(),
            **({"reason": [self.withheld] * n} if self.withheld else {}),
            "entropy": self.entropy.tolist(),
            "n_annotations": self.votes.per_item.astype(int).tolist(),
            **{name: x.tolist() for name, x in self.estimate.item_parameters.items()},
        }
        shares = zip(self.categories, self.probabilities.T.tolist(), strict=True)
        columns |= {f"p_{name}": p for name, p in shares}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

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
