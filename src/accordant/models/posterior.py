"""What is probably true of each item, and how far each coder can be trusted: the one shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._version import __version__
from ..data.annotations import Annotations
from ..diagnosis.finding import Finding
from ..measure.results import Rows
from ..scheme import Value
from .em import How
from .estimate import Estimate
from .gold import Gold
from .model import Model
from .votes import Votes

if TYPE_CHECKING:  # what builds on a posterior is loaded when it is asked for
    from .trust.accuracy import Scores, Ties
    from .trust.calibration import Calibration
    from .trust.checks import Checks
    from .trust.coverage import Coverage, Kept
    from .trust.design_effect import DesignEffect
    from .trust.tempering import Evidence

__all__ = ["TIE", "Posterior"]

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]

TIE = 1e-9
"""Probabilities that differ by less are equal: no label is chosen by rounding."""


@dataclass(frozen=True, eq=False)
class Posterior(Rows):
    """Labels, coders and items of one question as a model sees them; made by `fit`.

    I items, C coders, K categories.

    Parameters
    ----------
    question : str or None
    data : Annotations
        Of this question.
    votes : Votes
        What the model was fitted to.
    model : Model
    how : How
        Restarts, tolerance, seed.
    options : mapping
        Options of the model.
    estimate : Estimate
        What it found.
    tau : float
        1, or the power that probabilities were raised to; see `tempered`.
    tempering : str
        How tau was found; empty for the posterior of the model itself.
    """

    question: str | None
    data: Annotations
    votes: Votes
    model: Model
    how: How
    options: Mapping[str, Any]
    estimate: Estimate
    tau: float = 1.0
    tempering: str = field(default="")

    # ------------------------------------------------------------------ items

    @property
    def items(self) -> Any:
        """(I,) names."""
        return self.votes.items

    @property
    def categories(self) -> tuple[Value, ...]:
        """(K,) what may be true."""
        return self.votes.categories

    @property
    def probabilities(self) -> Floats:
        """(I, K) belief that category k is true of item i (for votes: their shares)."""
        return self.estimate.probabilities

    @cached_property
    def tied(self) -> NDArray[np.bool_]:
        """(I,) whether two categories are equally probable, and none more."""
        p = self.probabilities
        return np.asarray(np.count_nonzero(p >= p.max(1, keepdims=True) - TIE, axis=1) > 1)

    @cached_property
    def codes(self) -> Ints:
        """(I,) position of the most probable category; -1 for a tie."""
        return np.where(self.tied, -1, self.probabilities.argmax(1))

    @property
    def labels(self) -> list[Value | None]:
        """(I,) the most probable category; None for a tie."""
        return [None if k < 0 else self.categories[k] for k in self.codes.tolist()]

    @cached_property
    def confidence(self) -> Floats:
        """(I,) probability of the most probable category."""
        return np.asarray(self.probabilities.max(1))

    @cached_property
    def entropy(self) -> Floats:
        """(I,) in bits."""
        p = self.probabilities
        return np.asarray(np.abs((p * np.log2(np.where(p > 0, p, 1))).sum(1)))

    # ------------------------------------------------------------------ coders and the fit

    @property
    def coders(self) -> tuple[str, ...]:
        """(C,) names."""
        return self.votes.coders

    @property
    def competence(self) -> Floats:
        """(C,) probability that the coder is right."""
        return self.estimate.competence

    @property
    def confusion(self) -> Floats | None:
        """(C, K, O) probability that the coder answers o where k is true, if the model has it."""
        return self.estimate.confusion

    @property
    def prevalence(self) -> Floats:
        """(K,) how frequent each category is."""
        return self.estimate.prevalence

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

        Of a model with a prior it is less than the most that could be reached without one.
        Variational models stand with the expected logarithms of their parameters.
        """
        from .trust.states import log_marginal

        if not self.model.probabilistic:
            return float("nan")
        run = self.estimate.climb
        if run.objective == "log-likelihood":
            return run.value
        return log_marginal(self.estimate, self.votes)

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
        from .trust.copies import copied
        from .trust.too_sure import too_sure
        from .trust.verdicts import arranged, verdicts

        told = verdicts(self.model, self.votes, self.estimate, self.how)
        all_told = (*self.estimate.findings, *told, *copied(self), *too_sure(self))
        return arranged(replace(f, question=self.question) for f in all_told)

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
        """Accuracy with its interval, and precision, recall and F1 of each category.

        Parameters
        ----------
        truth, ties
            As of `accuracy`.
        level : float
            Of the interval (Wilson 1927).
        """
        from .trust.accuracy import scores

        return scores(self, truth, ties=ties, level=level)

    def calibration(self, truth: Gold, *, level: float = 0.95) -> Calibration:
        """Whether probabilities hold: expected beside observed accuracy, log-loss, Brier score.

        Parameters
        ----------
        truth : str, path, mapping or frame
            Known labels; control items that the model was told do not count.
        level : float
            Of the intervals.
        """
        from .trust.calibration import calibration_of

        return calibration_of(self, truth, level=level)

    def tempered(self, tau: float | None = None, *, gold: Gold | None = None) -> Posterior:
        """The same labels, believed less: L = tau (log prior + Σ log P(annotation | truth)).

        Models of coders take errors as independent, and coders err together, so beliefs are too
        sure. Parameters stay as they are, and control items keep their labels. Only where a model
        held something for impossible, because it had not seen it, can labels change.

        Parameters
        ----------
        tau : float, optional
            What an annotation is worth; by default found from ``gold``, else from control items
            (each judged by a fit that was not told it), else from the correlation of coders
            beyond chance (see `design_effect`): 1 where none is seen.
        gold : str, path, mapping or frame, optional
            Items with known labels: tau has the least log-loss on them, drawn towards the value
            of the design effect as far as they are few.

        Returns
        -------
        Posterior
            ``tempering`` says how tau was found.

        Raises
        ------
        RequestError
            For votes, whose shares are opinions.
        """
        from .trust.tempering import temper

        return temper(self, tau, gold)

    @cached_property
    def design_effect(self) -> DesignEffect:
        """How alike coders are beyond the estimated truth, and what evidence is worth then."""
        from .trust.by_chance import compared

        return compared(self)

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
        confidence : float, optional
            Items whose label has this probability or more.
        share : float, optional
            This share of the items, those with the least entropy; items with the same entropy
            as the last of them are kept too.
        entropy : float, optional
            Items with at most this entropy, in bits.

        Returns
        -------
        Kept
            Tied items are left out: they have no label.

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

        Parameters
        ----------
        truth : str, path, mapping or frame, optional
            Known labels; without them there is the accuracy that tempered beliefs promise.
        """
        from .trust.coverage import coverage_of

        return coverage_of(self, truth)

    def checks(
        self,
        n: int = 200,
        *,
        refits: int | None = None,
        rng: int = 0,
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
        rng : int
            Seed.
        progress : callable, optional
            Called with (done, total).
        """
        from .trust.checks import checks_of

        return checks_of(self, n, refits=refits, rng=rng, progress=progress)

    # ------------------------------------------------------------------ numbers as answers

    def mean(self) -> Floats:
        """(I,) mean of the categories of each item, weighted by their probabilities.

        For votes that is the mean of the annotations. Only where categories are numbers.
        """
        from .trust.averages import mean_of, numbers_of

        return mean_of(self.probabilities, numbers_of(self.categories))

    def median(self) -> Floats:
        """(I,) median, as `mean`; between two numbers where half of the weight is on each side."""
        from .trust.averages import median_of, numbers_of

        return median_of(self.probabilities, numbers_of(self.categories))

    # ------------------------------------------------------------------ shown

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the labels."""
        told = ", ".join(f"{k}={v}" for k, v in self.options.items())
        return (
            f"accordant {__version__} | fit: {self.model.key}{f' ({told})' if told else ''}; "
            f"restarts {self.how.restarts}, seed {self.how.seed}"
            f"{f'; tau {self.tau:.4g}' if self.tempering else ''} | "
            f"data {self.data.fingerprint[:12]}"
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each item: its label, how sure it is, the probability of each category."""
        names = [f"p_{c}" for c in self.categories]
        more = {name: x.tolist() for name, x in self.estimate.item_parameters.items()}
        columns = zip(
            self._names, self.labels, self.tied.tolist(), self.confidence.tolist(),
            self.entropy.tolist(), self.votes.per_item.tolist(), self.probabilities.tolist(),
            strict=True,
        )  # fmt: skip
        return [
            {
                "question": self.question,
                "item": item,
                "label": label,
                "tied": tied,
                "confidence": confidence,
                "entropy": entropy,
                "n_annotations": int(n),
                **{name: x[i] for name, x in more.items()},
                **dict(zip(names, p, strict=True)),
            }
            for i, (item, label, tied, confidence, entropy, n, p) in enumerate(columns)
        ]

    def labelled(self) -> dict[Any, Value | None]:
        """Item → label; None for a tie."""
        return dict(zip(self._names, self.labels, strict=True))

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
        estimate = self.estimate
        columns: dict[str, Any] = {
            "coder": self.coders,
            "n_annotations": [int(n) for n in self.votes.per_coder],
            "competence": self.competence.tolist(),
        }
        if (about := estimate.intervals.get("competence")) is not None:
            columns |= {"low": about.low.tolist(), "high": about.high.tolist()}
        columns |= {
            name: x.tolist() for name, x in estimate.coder_parameters.items() if x.ndim == 1
        }
        return [
            {"question": self.question, **dict(zip(columns, row, strict=True))}
            for row in zip(*columns.values(), strict=True)
        ]

    @property
    def _names(self) -> Any:
        items = self.votes.items
        return items.tolist() if isinstance(items, np.ndarray) else items

    def __str__(self) -> str:
        run = self.estimate.climb
        end = "" if run.objective == "none" else (
            f", {run.objective} {run.value:,.3f} after {run.n_iterations} iterations"
            f"{'' if run.converged else ' (not converged)'}"
        )  # fmt: skip
        where = f"{self.question}: " if self.question else ""
        tempered = f", tempered (tau {self.tau:.2f})" if self.tempering else ""
        return (
            f"{where}{self.model.name}: {self.votes.n_items:,} items, {len(self.coders):,} "
            f"coders{end}{tempered}"
        )

    __repr__ = __str__
