"""Answers: frozen, with everything needed to check them, and one way to show them."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from ..numbers import count_of
from ..results import Result


@dataclass(frozen=True)
class Undefined:
    """Why a number does not exist: a code for programs and a sentence for people."""

    reason: str
    sentence: str

    def __str__(self) -> str:
        return self.sentence

    def to_row(self, name: str) -> dict[str, str]:
        """Its column in a table."""
        return {name: self.sentence}


@dataclass(frozen=True)
class Agreement(Result):
    """One coefficient of one question (or pooled), with its ingredients and its uncertainty.

    Parameters
    ----------
    question : str or None
        None for the pooled figure, or if there is a single question without a name.
    coefficient : str
        Key of the coefficient.
    weights : str
        Name of the weights, as resolved.
    value, observed, expected : float
        (A_o - A_e) / (1 - A_e), A_o and A_e; NaN where undefined.
    se, low, high, level, method, p_value
        Standard error, interval, its level and how they were made; the p-value of ``null``.
    null : float
        The value that ``p_value`` tests against.
    n_items, n_pairable, n_coders, n_values, n_annotations : int
        What the figure rests on. ``n_items`` counts items with at least one annotation,
        ``n_pairable`` those with two or more.
    undefined : Undefined or None
        Why there is no value.
    n_undefined_resamples : int
        Resamples of the bootstrap without a value; the interval rests on the others.
    note : str or None
        What to know about the standard error and the interval.
    expected_error : float
        Standard error of ``expected`` where it was simulated; NaN where it is exact.
    """

    question: str | None
    coefficient: str
    weights: str
    value: float
    observed: float
    expected: float
    se: float = math.nan
    low: float = math.nan
    high: float = math.nan
    level: float = math.nan
    method: str = ""
    null: float = 0.0
    p_value: float = math.nan
    n_items: int = 0
    n_pairable: int = 0
    n_coders: int = 0
    n_values: int = 0
    n_annotations: int = 0
    undefined: Undefined | None = None
    n_undefined_resamples: int = 0
    note: str | None = None
    expected_error: float = math.nan

    def __float__(self) -> float:
        """The value, NaN where it is undefined."""
        return self.value

    @property
    def confidence_interval(self) -> tuple[float, float]:
        """The limits of the interval."""
        return self.low, self.high

    @property
    def measure(self) -> str:
        """What users call it: ``'alpha'``, ``'boot_match'``."""
        from .measures import key_of  # needs numpy, which tables of a project do without

        return key_of(self.coefficient, self.weights)

    def to_rows(self) -> list[dict[str, Any]]:
        """One row; ``undefined`` is the sentence, ``reason`` its code."""
        row: dict[str, Any] = {"question": self.question, "measure": self.measure}
        row |= {f.name: getattr(self, f.name) for f in fields(self)}
        row["undefined"] = str(self.undefined) if self.undefined else None
        row["reason"] = self.undefined.reason if self.undefined else None
        return [row]

    def __str__(self) -> str:
        where = f"{self.question}: " if self.question else ""
        if self.undefined:
            return f"{where}{self.measure} is undefined: {self.undefined}"
        items = count_of(self.n_pairable, "item")
        interval = "" if math.isnan(self.low) else f" [{self.low:.3f}, {self.high:.3f}]"
        parts = f"A_o {self.observed:.3f}, A_e {self.expected:.3f}, "
        shown = "" if math.isnan(self.observed) else parts
        return f"{where}{self.measure} = {self.value:.3f}{interval} ({shown}{items})"
