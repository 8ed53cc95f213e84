"""What a model found of one question, as data: labels, coders, items, and how sure they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from .._version import __version__
from ..arrays import Bools, Floats, Ints
from ..data.annotations import Annotations
from ..diagnosis.finding import Finding
from ..errors import RequestError
from ..results import Result
from ..scheme import Value
from .dependence import Dependence, dependence
from .em import How
from .emission import with_known
from .estimate import Estimate, Interval, label_codes, log_marginal
from .estimators.blend import held_out
from .model import Model
from .trust.identifiability import Withheld, withheld
from .trust.recalibration import (
    Evidence,
    Weighed,
    as_it_is,
    control_evidence,
    evidence_of,
    recalibrated,
)
from .trust.replicates import Replicator
from .uncertainty import (
    LEVEL,
    Answers,
    compared_with_others,
    counted,
    prevalence_interval,
    times_as_uncertain,
)
from .votes import UNKNOWN, Votes

__all__ = ["FittedModel"]

CELLS = 20_000_000  # annotations x categories of the largest table


@dataclass(frozen=True, eq=False, repr=False)
class FittedModel(Result):
    """What was fitted to what, and what follows from that alone; see `Posterior`."""

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
        together = 0.0 if by is None else by.misjudged
        return counted(self.votes, q, self._shown, self._doubted, together)

    @cached_property
    def _held_out(self) -> Evidence:
        """Each coder judged by other items; the model's own evidence where a table is too large."""
        size = len(self.votes.item) * self.votes.n_categories
        if self.model.key == "blend" or size > CELLS:  # that of the blend is such
            return self.evidence
        return Evidence(held_out(self.votes, self.estimate.probabilities))

    @cached_property
    def _doubted(self) -> Floats:
        """(I, K) by these probabilities it is known how unsure labels are."""
        by, worth = self.weighed.dependence, self.weighed.worth
        of = self._held_out
        q = of.beliefs(worth) if by is None else of.averaged(by, self.votes.per_item)
        return with_known(self.votes, q)

    def interval(self, of: str, level: float = LEVEL) -> Interval:
        """The interval of ``'competence'`` (C,), ``'confusion'`` (C, K, O) or ``'prevalence'``.

        It allows for uncertain labels and for coders who err together. NaN where `withheld`, and
        for votes, which have no probabilities.

        Examples
        --------
        >>> import accordant as ac
        >>> found = ac.fit(ac.simulate(100, 5, 2, seed=1))
        >>> bool((found.interval("prevalence").low < found.prevalence).all())
        True
        """
        match of:
            case "competence":
                found = self.answers.right_interval(level)
            case "confusion":
                found = self.answers.confusion_interval(level)
            case "prevalence":
                less_sure = min(self._shown, self._doubted, key=lambda q: float((q**2).sum()))
                figures = less_sure, self.weighed.worth, self.answers.misjudged
                starts = [self.estimate.probabilities]
                if self._held_out is not self.evidence:
                    starts.append(with_known(self.votes, self._held_out.beliefs(1.0)))
                more = times_as_uncertain(self.votes, *starts)
                found = prevalence_interval(self.prevalence, *figures, level, more)
            case _:
                raise RequestError(f"choose 'competence', 'confusion' or 'prevalence', not {of!r}")
        why = "" if self.model.probabilistic else "shares of votes are no probabilities"
        if not (without := self.withheld or why):
            return found
        nothing = np.full_like(found.low, np.nan)
        return Interval(nothing, nothing, level, f"none, since {without}")

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
        return dependence(self.votes, q, self._usual if self.model.averages else None)

    def _usual(self) -> Dependence:
        """What the model shows in annotations that it has drawn itself."""
        replicator = Replicator(self.votes, self.estimate)
        label = replicator.labels(self.how.generator(9)).astype(self.votes.label.dtype)
        drawn = replace(self.votes, label=label)
        how = replace(self.how, restarts=0, progress=None)
        return dependence(drawn, self.model.fit(drawn, how, **self.options).probabilities)

    @cached_property
    def control_evidence(self) -> Floats:
        """(I, K) evidence of control items, from fits that were not told their labels."""
        return control_evidence(self.model, self.votes, self.how, self.options)

    @cached_property
    def evidence(self) -> Evidence:
        """What the model knows of each item in logarithms, so that it can be weighed."""
        return evidence_of(self.model, self.votes, self.estimate)

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
        names = [f"p_{c}" for c in self.categories]
        more = {name: x.tolist() for name, x in self.estimate.item_parameters.items()}
        own = self._own_confidence
        why = {"reason": self.withheld} if self.withheld else {}
        columns = zip(
            self.votes.names,
            self.labels,
            self.tied.tolist(),
            self.confidence.tolist(),
            self.entropy.tolist(),
            self.votes.per_item.tolist(),
            self.probabilities.tolist(),
            strict=True,
        )
        return [
            {
                "question": self.question,
                "item": item,
                "label": label,
                "tied": tied,
                "confidence": confidence,
                **({} if own is None else {"not_recalibrated": own[i]}),
                **why,
                "entropy": entropy,
                "n_annotations": int(n),
                **{name: x[i] for name, x in more.items()},
                **dict(zip(names, p, strict=True)),
            }
            for i, (item, label, tied, confidence, entropy, n, p) in enumerate(columns)
        ]

    @property
    def _own_confidence(self) -> list[float] | None:
        """(I,) what the model itself would say of each label; None if it is not recalibrated."""
        if not self.recalibration or np.isnan(self.probabilities).any():
            return None
        p = self.estimate.probabilities
        label = np.where(self.tied, p.argmax(1), self.codes)
        own: list[float] = p[np.arange(len(p)), label].tolist()
        return own

    def labelled(self) -> dict[Any, Value | None]:
        """Item → label; None for a tie."""
        return dict(zip(self.votes.names, self.labels, strict=True))

    def coder_rows(self) -> list[dict[str, Any]]:
        """One row for each coder: annotations, competence with its interval, parameters."""
        estimate = self.estimate
        columns: dict[str, Any] = {
            "coder": self.coders,
            "n_annotations": [int(n) for n in self.votes.per_coder],
            "competence": self.competence.tolist(),
        }
        if self.model.probabilistic:
            about = self.interval("competence")
            columns |= {"low": about.low.tolist(), "high": about.high.tolist()}
        columns |= {
            name: x.tolist() for name, x in estimate.coder_parameters.items() if x.ndim == 1
        }
        return [
            {"question": self.question, **dict(zip(columns, row, strict=True))}
            for row in zip(*columns.values(), strict=True)
        ]
