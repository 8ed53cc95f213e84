"""Estimated labels and annotator reliability: the result of every model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ..arrays import Floats
from ..diagnosis.finding import Finding
from ..errors import RequestError
from ..scheme import Value, number
from .fitted_model import FittedModel
from .gold import Gold, truth_of
from .question_results import write_rows
from .trust.accuracy import (
    Calibration,
    CoderScores,
    Scores,
    Ties,
    calibration_of,
    coder_scores,
    scores,
)
from .trust.checks import Checks, checks_of
from .trust.coverage import Coverage, Kept, coverage_of, kept
from .trust.independence import copied, too_sure
from .trust.recalibration import Weighed, as_given, as_it_is
from .trust.verdicts import arranged, of_persons, verdicts

__all__ = ["Posterior"]


HALF = 1e-9  # of the weight of an item: sums that differ by less are equal


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(FittedModel):
    """Labels, coders and items of one question; made by `fit`. I items, C coders, K categories.

    Parameters
    ----------
    question : str or None
    data, votes : Annotations, Votes
        Of this question, and what the model was fitted to.
    model, how, options : Model, How, mapping
        The model; restarts, tolerance and seed; its options.
    estimate : Estimate
        What it found itself, not recalibrated.
    weighing : Weighed or None
        What an annotation counts; None if that is found when somebody asks, see `recalibrated`.
    remarks : tuple of Finding
        What was to be said before the model was fitted, of its known labels.
    """

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The verdict on this fit: what a reader of these labels must know."""
        told = verdicts(self.model, self.votes, self.estimate, self.how)
        own = () if self._withheld.labels_too else self.estimate.findings
        all_told = (*self.remarks, *own, *told, *copied(self), *too_sure(self))
        return arranged(replace(f, question=self.question) for f in of_persons(self, all_told))

    # ------------------------------------------------------------------ what can be relied on

    def accuracy(self, truth: Gold, *, ties: Ties = "share") -> float:
        """Share of right labels.

        Parameters
        ----------
        truth : str, path, mapping or frame
            Known labels, as ``gold`` of `fit`. Control items that the model was told do not count.
        ties : {'share', 'wrong', 'left out'}
            What a tie is worth: 1/k if one of its k categories is right, nothing, or it does not
            count. A tie is never right by luck.

        Returns
        -------
        float
            0 to 1.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.fit([["a", "b", "a"], ["a", "b", "b"]], "majority")
        >>> truth = {1: "a", 2: "b", 3: "b"}
        >>> round(found.accuracy(truth), 3), round(found.accuracy(truth, ties="wrong"), 3)
        (0.833, 0.667)
        """
        return self.scores(truth, ties=ties).accuracy

    def scores(self, truth: Gold, *, ties: Ties = "share", level: float = 0.95) -> Scores:
        """Accuracy with its interval (Wilson 1927), and precision, recall and F1 by category.

        ``truth`` and ``ties`` are as of `accuracy`.
        """
        return scores(self, truth, ties=ties, level=level)

    def coder_scores(self, truth: Gold, *, level: float = 0.95) -> CoderScores:
        """How often each coder gave the label that is known to be right, with intervals.

        Control items count too: coders were not told their labels.
        """
        return coder_scores(self, truth, level=level)

    def calibration(self, truth: Gold, *, level: float = 0.95) -> Calibration:
        """Whether probabilities hold: expected beside observed accuracy, log-loss, Brier score.

        ``truth`` is as of `accuracy`, ``level`` of the intervals.

        Raises
        ------
        RequestError
            Where nothing can be learned, so that there are no probabilities.
        """
        return calibration_of(self, truth, level=level)

    def recalibrated(self, worth: float | None = None, *, gold: Gold | None = None) -> Posterior:
        """The same labels with recalibrated probabilities.

        Models take errors as independent; coders err together. What `fit` returns is
        recalibrated already: averaged over how much they may do so (see `dependence`), given
        control items, each judged by a fit that was not told it. Parameters stay. Labels change
        only where a model held what it had not seen for impossible.

        Parameters
        ----------
        worth : float, optional
            What an annotation is worth, on every item; 1 for the model itself.
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
        evidence = self.evidence  # votes have none
        if worth is None:
            if gold is None:
                return self._weighed_as(self._weighed_by(self.votes.known, "control"))
            known = truth_of(self.votes, self.data, gold, told=True)
            return self._weighed_as(self._weighed_by(known.codes, "gold"))
        if gold is not None:
            raise RequestError(
                "give the worth of an annotation or gold labels, which are there to find it, "
                "not both"
            )
        return self._weighed_as(as_given(self.votes, self.estimate, evidence, worth))

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

    def keep(
        self,
        *,
        confidence: float | None = None,
        share: float | None = None,
        entropy: float | None = None,
    ) -> Kept:
        """The items whose labels are sure enough (Hovy et al. 2013).

        Parameters
        ----------
        confidence, entropy : float, optional
            Items whose label has this probability or more, or at most this entropy in bits.
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
        return kept(self, confidence, share, entropy)

    def coverage(self, truth: Gold | None = None) -> Coverage:
        """What accuracy the labels have if only the surest are kept.

        Without known labels (``truth``) there is the accuracy that probabilities promise.
        """
        return coverage_of(self, truth)

    def checks(
        self,
        n: int = 200,
        *,
        refits: int | None = None,
        seed: int = 0,
        progress: Callable[[int, int], None] | None = None,
    ) -> Checks:
        """Whether the model could have made these annotations (posterior predictive checks).

        Parameters
        ----------
        n : int
            Replicates.
        refits : int, optional
            Further replicates that the model is fitted to, so that p-values are right: 0, or 10 and
            more; by default 20 (10 for many annotations), and none for `hierarchical`, whose
            p-values are then too large.
        seed : int
        progress : callable, optional
            Called with (done, total).
        """
        return checks_of(self, n, refits=refits, seed=seed, progress=progress)

    # ------------------------------------------------------------------ numbers as answers

    def mean(self) -> Floats:
        """(I,) mean of the categories of each item, weighted by their probabilities.

        For votes that is the mean of the annotations. Only where categories are numbers.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.fit([[0, 0], [10, 0], [50, 1], [0, 1]], "majority")
        >>> found.mean().tolist(), found.median().tolist()
        ([15.0, 0.5], [5.0, 0.5])
        """
        return np.asarray(self.standing @ _numbers_of(self.categories))

    def median(self) -> Floats:
        """(I,) median, as `mean`; between two numbers where half of the weight is on each side."""
        return _median_of(self.standing, _numbers_of(self.categories))

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


def _numbers_of(categories: Sequence[Value]) -> Floats:
    """(K,) the categories as numbers.

    Raises
    ------
    RequestError
        If one of them is no number.
    """
    found = [None if isinstance(c, tuple) else number(c) for c in categories]
    if None in found:
        name = categories[found.index(None)]
        raise RequestError(f"the category {name!r} is not a number: there is no mean or median")
    return np.array(found, float)


def _median_of(probabilities: Floats, numbers: Floats) -> Floats:
    """(I,) median of each item; between two numbers where half of the weight is on each side."""
    order = np.argsort(numbers, kind="stable")
    below = probabilities[:, order].cumsum(1)
    half = below[:, -1:] / 2
    x = numbers[order]
    low = x[(below >= half - HALF).argmax(1)]
    above = below > half + HALF
    high = np.where(above.any(1), x[above.argmax(1)], low)
    return np.asarray((low + high) / 2)
