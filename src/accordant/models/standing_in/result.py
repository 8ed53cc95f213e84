"""What `model_as_coder` gives: the test, the tables, and what to make of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..._version import __version__
from ...data.annotations import Annotations
from ...diagnosis.finding import Finding
from ...errors import unknown
from ...results import Result
from ..call import fit
from ..coders.schools import Schools, schools, searched
from ..posterior import Posterior
from .alternative import Epsilon, HumanTest, ModelTest
from .rivals import ModelDifference, rivals
from .sides import Sides
from .tables import Beside, GroupAgreement, PairAgreement, Tables

__all__ = ["ModelAsCoder"]

Signs: TypeAlias = NDArray[np.int8]


@dataclass(frozen=True, eq=False, repr=False)
class ModelAsCoder(Result):
    """Models beside humans; made by `model_as_coder`. M models, H humans.

    Parameters
    ----------
    question : str or None
    sides : Sides
        Who annotated what.
    tests : tuple of ModelTest
        (M,) the alternative annotator test of each model.
    unmoved : tuple of ModelTest
        The same test of answers that never change: always the label that is nearest to the
        humans. A yardstick for how easy the test is on these data.
    tables : Tables
        Agreement among humans, among models, and between both.
    alignment : str
    epsilon : float, str or mapping
    q, min_items, few, level
        As given to `model_as_coder`.
    signs : ndarray of int8
        (N, M) for each annotation of a human who was nearer to the others: 1 the human, −1 the
        model, 0 neither, 9 nothing to compare.

    Examples
    --------
    >>> import accordant as ac
    >>> right = [k % 3 for k in range(60)]
    >>> human = [[(x + (k % j == 0)) % 3 for k, x in enumerate(right)] for j in (5, 7, 9)]
    >>> names = ["Ada", "Bea", "Cem", "model"]
    >>> found = ac.model_as_coder([*human, right], ["model"], coder=names, epsilon="crowd")
    >>> found["model"].passed, found["model"].n_beaten
    (True, 3)
    """

    told_as: ClassVar[str] = "compare-models"

    question: str | None
    sides: Sides
    tests: tuple[ModelTest, ...]
    unmoved: tuple[ModelTest, ...]
    tables: Tables
    alignment: str
    epsilon: Epsilon
    q: float
    min_items: int
    few: str
    level: float
    signs: Signs = field(repr=False)

    @property
    def data(self) -> Annotations:
        """Everything that was compared."""
        return self.sides.data

    @property
    def humans(self) -> tuple[str, ...]:
        """(H,) names."""
        return self.sides.humans

    @property
    def models(self) -> tuple[str, ...]:
        """(M,) names."""
        return self.sides.models

    @property
    def left_out(self) -> Mapping[str, int]:
        """What did not enter, and how often."""
        return self.sides.left_out

    @property
    def measure(self) -> str:
        """The coefficient of the tables: ``'alpha'``."""
        return self.sides.measure.key

    def __getitem__(self, model: str) -> ModelTest:
        """The test of one model."""
        for test in self.tests:
            if test.model == model:
                return test
        raise unknown("model", model, self.models, have="there are")

    def __iter__(self) -> Any:
        return iter(self.tests)

    # ------------------------------------------------------------------ tables

    @property
    def human_tests(self) -> tuple[HumanTest, ...]:
        """(M x H) each model beside each human."""
        return tuple(t for model in self.tests for t in model.tests)

    @property
    def groups(self) -> tuple[GroupAgreement, ...]:
        """Agreement of two humans, of a human with each model, and of models."""
        return self.tables.groups

    @property
    def pairs(self) -> tuple[PairAgreement, ...]:
        """Agreement of every pair of coders."""
        return self.tables.pairs

    @property
    def beside(self) -> tuple[Beside, ...]:
        """(M,) human–model beside human–human agreement on the same items, with a paired test."""
        return self.tables.beside

    @property
    def beside_each(self) -> tuple[Beside, ...]:
        """(M x H) each model and each human, each with the same other humans."""
        return self.tables.beside_each

    @cached_property
    def rivals(self) -> tuple[ModelDifference, ...]:
        """Every pair of models by advantage probability, on the items of both."""
        s = self.sides
        return rivals(self.tests, self.signs, s.item, s.human, self.level)

    @cached_property
    def best(self) -> str | None:
        """The model with the highest advantage probability; None for a tie, or without any."""
        known = [t.advantage for t in self.tests if t.passed is not None]
        top = [t.model for t in self.tests if known and t.advantage >= max(known) - 1e-12]
        return top[0] if len(top) == 1 else None

    @cached_property
    def schools(self) -> Schools | None:
        """Schools of humans, as `fit` and `coders` find them; None where these do not look.

        That is so for sets of labels, for a hundred categories and more, and for humans who are
        fewer than four or more than sixty.
        """
        scheme, n = self.data.schemes[0], len(self.humans)
        if scheme.max_labels != 1 or not searched(n, len(scheme.categories)):
            return None
        found = fit(self.data.of_coders(self.humans))
        return schools(found) if isinstance(found, Posterior) else None

    # ------------------------------------------------------------------ shown

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Whether the models may stand in for the humans, and what must be said with it."""
        from .telling import told

        return told(self)

    @property
    def advice(self) -> tuple[str, ...]:
        """What to do about each finding."""
        return tuple(f.advice for f in self.findings if f.advice)

    @cached_property
    def signature(self) -> str:
        """The call, the data and the version, for others to repeat the numbers."""
        parts = [
            f"alignment {self.alignment}", f"epsilon {_spelt(self.epsilon)}", f"q {self.q:g}",
            f"min_items {self.min_items}, few {self.few}",
            f"{self.measure} ({self.sides.w.name})",
        ]  # fmt: skip
        who = f"models {', '.join(self.models)}; {len(self.humans)} humans"
        return (
            f"accordant {__version__} | model_as_coder: {who}; {'; '.join(parts)} | "
            f"data {self.data.fingerprint[:12]}"
        )

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each model: the test, and how far it agrees with the humans."""
        return [
            {"question": self.question}
            | test.to_rows()[0]
            | {
                "measure": self.measure,
                "human_agreement": beside.of_human,
                "model_agreement": beside.of_model,
                "difference": beside.difference,
                "difference_low": beside.low,
                "difference_high": beside.high,
                "difference_p_value": beside.p_value,
            }
            for test, beside in zip(self.tests, self.beside, strict=True)
        ]


def _spelt(epsilon: Epsilon) -> str:
    if isinstance(epsilon, Mapping):
        return ", ".join(f"{name} {x}" for name, x in sorted(epsilon.items()))
    return f"{epsilon}"
