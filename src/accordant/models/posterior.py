"""Estimated labels and annotator reliability: the result of every model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..data.annotations import Annotations
from ..diagnosis.finding import Finding
from ..results import Result
from ..scheme import Value
from .dependence import Dependence, dependence
from .em import How
from .estimate import TIE, Estimate, Interval
from .gold import Gold
from .model import Model
from .showing import coder_rows, item_rows, signature_of
from .uncertainty import LEVEL, Answers, compared_with_others, counted, interval_of
from .votes import Votes

if TYPE_CHECKING:  # what builds on a posterior is loaded when it is asked for
    from .trust.accuracy import Scores, Ties
    from .trust.calibration import Calibration
    from .trust.checks import Checks
    from .trust.coder_scores import CoderScores
    from .trust.coverage import Coverage, Kept
    from .trust.learnable import Withheld
    from .trust.tempering import Evidence, Weighed

__all__ = ["Posterior"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True, eq=False, repr=False)
class Posterior(Result):
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
        What an annotation counts; None if that is found when somebody asks, see `tempered`.
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

        Recalibrated; NaN where nothing can be learned. Those of the model are in `untempered`.
        """
        if self._withheld.labels_too and self.model.probabilistic:
            return np.full(self.estimate.probabilities.shape, np.nan)
        return self.weighed.probabilities

    @property
    def standing(self) -> Floats:
        """(I, K) what labels are chosen by: beliefs, or votes where nothing can be learned."""
        return self.votes.shares if self._withheld.labels_too else self.probabilities

    @cached_property
    def tied(self) -> NDArray[np.bool_]:
        """(I,) whether two categories are equally probable, and none more."""
        p = self.standing
        return np.asarray(np.count_nonzero(p >= p.max(1, keepdims=True) - TIE, axis=1) > 1)

    @cached_property
    def codes(self) -> Ints:
        """(I,) position of the most probable category; -1 for a tie."""
        return np.where(self.tied, -1, self.standing.argmax(1))

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
        from .trust.learnable import withheld

        return withheld(self.model, self.votes)

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits."""
        p = self.probabilities
        return np.asarray(np.abs((p * np.log2(np.where(p <= 0, 1, p))).sum(1)))

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
        """(C, K, O) probability that the coder answers o where k is true, if the model has it."""
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
        return counted(self.votes, q, self._shown, 0.0 if by is None else by.misjudged)

    def interval(self, of: str, level: float = LEVEL) -> Interval:
        """The interval of ``'competence'`` (C,), ``'confusion'`` (C, K, O) or ``'prevalence'``.

        It allows for uncertain labels and for coders who err together. NaN where `withheld`, and
        for votes, which have no probabilities.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.fit(ac.simulate_crowd(100, 5, 2, seed=1).data)
        >>> bool((found.interval("prevalence").low < found.prevalence).all())
        True
        """
        why = "" if self.model.probabilistic else "shares of votes are no probabilities"
        known = self.answers, self.prevalence, self._shown, self.weighed.worth
        return interval_of(of, *known, level, self.withheld or why)

    @property
    def _shown(self) -> Floats:
        """(I, K) the probabilities, or where they are withheld those of the model itself."""
        if self._withheld.labels_too or not self.model.probabilistic:
            return self.estimate.probabilities
        return self.weighed.probabilities

    @property
    def history(self) -> tuple[float, ...]:
        """The objective in each iteration."""
        return self.estimate.climb.history

    @property
    def objective(self) -> float:
        """What the model maximised, in the end: see ``history``; NaN for a vote."""
        return self.estimate.climb.value

    @cached_property
    def log_likelihood(self) -> float:
        """Log probability of all annotations under the fitted model, in nats; NaN for a vote.

        Variational models stand with the expected logarithms of their parameters.
        """
        from .trust.states import log_marginal

        run = self.estimate.climb
        if run.objective == "log-likelihood":
            return run.value
        none = not self.model.probabilistic
        return float("nan") if none else log_marginal(self.estimate, self.votes)

    @property
    def converged(self) -> bool:
        """Whether the loop ended because nothing changed any more."""
        return self.estimate.climb.converged

    @property
    def seed(self) -> int:
        """Of the restarts and of whatever was drawn."""
        return self.how.seed

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The verdict on this fit: what a reader of these labels must know."""
        from .coders.told import of_persons
        from .trust.copies import copied
        from .trust.too_sure import too_sure
        from .trust.verdicts import arranged, verdicts

        told = verdicts(self.model, self.votes, self.estimate, self.how)
        own = () if self._withheld.labels_too else self.estimate.findings
        all_told = (*self.remarks, *own, *told, *copied(self), *too_sure(self))
        shown = of_persons(self.question, self.data, self.coders, all_told)
        return arranged(replace(f, question=self.question) for f in shown)

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
        from .trust.accuracy import scores

        return scores(self, truth, ties=ties, level=level)

    def coder_scores(self, truth: Gold, *, level: float = 0.95) -> CoderScores:
        """How often each coder gave the label that is known to be right, with intervals.

        Control items count too, since coders were not told their labels.
        """
        from .trust.coder_scores import coder_scores

        return coder_scores(self, truth, level=level)

    def calibration(self, truth: Gold, *, level: float = 0.95) -> Calibration:
        """Whether probabilities hold: expected beside observed accuracy, log-loss, Brier score.

        ``truth`` is as of `accuracy`, ``level`` of the intervals.
        """
        from .trust.calibration import calibration_of

        return calibration_of(self, truth, level=level)

    def tempered(self, tau: float | None = None, *, gold: Gold | None = None) -> Posterior:
        """The same labels with recalibrated probabilities.

        Models take errors as independent, and coders err together. What `fit` returns is
        recalibrated already: averaged over how much they may do so (see `dependence`), given
        control items, each judged by a fit that was not told it. Parameters stay. Labels change
        only where a model held what it had not seen for impossible.

        Parameters
        ----------
        tau : float, optional
            What an annotation is worth, on every item; 1 for the model itself.
        gold : str, path, mapping or frame, optional
            Items with known labels: how probable they are weighs how much coders may err together.

        Returns
        -------
        Posterior
            ``tempering`` says how it was done.

        Raises
        ------
        RequestError
            For votes, whose shares are opinions.
        """
        from .trust.tempering import weighed

        return self._weighed_as(weighed(self, tau, gold))

    @property
    def untempered(self) -> Posterior:
        """With the probabilities of the model itself, which takes coders as independent."""
        from .trust.tempering import as_it_is

        return self._weighed_as(as_it_is(self))

    def _weighed_as(self, weighing: Weighed) -> Posterior:
        """The same with other beliefs; what does not depend on them is not computed again."""
        other = replace(self, weighing=weighing)
        for name in ("dependence", "evidence", "control_evidence", "_withheld"):
            if name in self.__dict__:
                other.__dict__[name] = self.__dict__[name]
        return other

    @cached_property
    def weighed(self) -> Weighed:
        """Beliefs, and what an annotation counts in them."""
        from .trust.tempering import as_it_is, weighed

        if self.weighing is not None:
            return self.weighing
        return weighed(self) if self.model.probabilistic else as_it_is(self)

    @property
    def tau(self) -> float:
        """What an annotation counts on average; 1 for the model itself."""
        return float(np.average(self.weighed.worth, weights=self.votes.per_item))

    @property
    def tempering(self) -> str:
        """How probabilities were recalibrated; empty for the model itself, and for votes."""
        return self.weighed.sentence

    @cached_property
    def dependence(self) -> Dependence:
        """How much the coders of an item err together."""
        return dependence(self.votes)

    @cached_property
    def control_evidence(self) -> Floats:
        """(I, K) evidence of control items, from fits that were not told their labels."""
        from .trust.tempering import control_evidence

        return control_evidence(self)

    @cached_property
    def evidence(self) -> Evidence:
        """What the model knows of each item in logarithms, so that it can be weighed."""
        from .trust.tempering import evidence_of

        return evidence_of(self)

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
        from .trust.coverage import kept

        return kept(self, confidence, share, entropy)

    def coverage(self, truth: Gold | None = None) -> Coverage:
        """What accuracy the labels have if only the surest are kept.

        Without known labels (``truth``) there is the accuracy that probabilities promise.
        """
        from .trust.coverage import coverage_of

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
        from .trust.checks import checks_of

        return checks_of(self, n, refits=refits, seed=seed, progress=progress)

    # ------------------------------------------------------------------ numbers as answers

    def mean(self) -> Floats:
        """(I,) mean of the categories of each item, weighted by their probabilities.

        For votes that is the mean of the annotations. Only where categories are numbers.
        """
        from .trust.averages import mean_of, numbers_of

        return mean_of(self.standing, numbers_of(self.categories))

    def median(self) -> Floats:
        """(I,) median, as `mean`; between two numbers where half of the weight is on each side."""
        from .trust.averages import median_of, numbers_of

        return median_of(self.standing, numbers_of(self.categories))

    # ------------------------------------------------------------------ shown

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the labels."""
        return signature_of(self)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: its label, how sure it is, the probability of each category.

        ``untempered`` is what the model itself says of the label, ``reason`` why it is `withheld`.
        """
        return item_rows(self)

    def labelled(self) -> dict[Any, Value | None]:
        """Item → label; None for a tie."""
        return dict(zip(self.votes.names, self.labels, strict=True))

    def write(self, path: str | Path) -> None:
        """Write the rows, one for each item; the suffix says the format.

        Parameters
        ----------
        path : str or Path
            Ends in .csv, .tsv, .xlsx, .parquet or .jsonl.

        Raises
        ------
        RequestError
            If it ends otherwise or cannot be written.
        """
        from .labels_file import write_rows

        write_rows(self.to_rows(), Path(path))

    def coder_rows(self) -> list[dict[str, Any]]:
        """One row for each coder: annotations, competence with its interval, parameters."""
        return coder_rows(self)
