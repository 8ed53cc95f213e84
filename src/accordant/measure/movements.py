"""How far prevalence and bias move each coefficient away from where equal categories would put it.

S takes all categories for equally likely, so it follows from observed agreement alone. Pi also
knows how frequent the categories are: pi - S is what prevalence does. Kappa also knows that the
coders' distributions differ: kappa - pi is what bias does. Feinstein & Cicchetti (1990) call the
two consequences paradoxes: much agreement with a low kappa, and margins that differ with a kappa
that is higher for it.

The coefficients are those that are reported: where annotations are missing, the distributions that
stand for chance are of all annotations, also of items that only one coder annotated. What is told
of a pair of coders (`Margins`, `Indices`, contingency tables) is of the items of both, so kappa of
two coders may stand there with another value.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

from ..counts.counts import Counts
from ..numbers import decimal, percent
from ..results import Record, Result
from .coefficients import COEFFICIENTS
from .confusion import contingency
from .weights import Weights

__all__ = ["Movement", "Movements", "Paradox", "byrt_kappa", "movements"]

Paradox = Literal["high agreement, low kappa", "unequal margins raise kappa"]

SHOWS = 0.02  # differences that show in the second digit; our convention
FAR = 0.1  # pi this far below S is low because of prevalence; our convention
HIGH = 0.8  # agreement that a reader takes for good; our convention


@dataclass(frozen=True)
class Movement(Record):
    """One coefficient, and how it comes about: S + prevalence + bias + sample = value.

    Parameters
    ----------
    coefficient, symbol : str
    value, expected : float
        The coefficient and its expected agreement.
    by_prevalence, by_bias, by_sample : float
        What the frequency of the categories, the difference of the coders and the correction for
        a small sample add to S.
    """

    row_of = "coefficient symbol value expected by_prevalence by_bias by_sample moved"

    coefficient: str
    symbol: str
    value: float
    expected: float
    by_prevalence: float
    by_bias: float = 0.0
    by_sample: float = 0.0

    @property
    def moved(self) -> float:
        """How far it is from S."""
        return self.by_prevalence + self.by_bias + self.by_sample


@dataclass(frozen=True)
class Movements(Result):
    """What prevalence and bias do to the coefficients of the same annotations.

    Parameters
    ----------
    observed : float
        Observed agreement, the same for all of them.
    n_categories : int
    prevalence_index, bias_index : float
        Of two coders and two categories (Byrt, Bishop & Carlin 1993); else NaN.
    rows : tuple of Movement
        S, pi, kappa, alpha and AC, as far as they exist.
    """

    observed: float
    n_categories: int
    prevalence_index: float
    bias_index: float
    rows: tuple[Movement, ...]

    def __getitem__(self, coefficient: str) -> Movement:
        return next(r for r in self.rows if r.coefficient == coefficient)

    @property
    def paradoxes(self) -> tuple[Paradox, ...]:
        """Which of the two paradoxes shows (Feinstein & Cicchetti 1990)."""
        pi, kappa = self["pi"], self["kappa"]
        found: list[Paradox] = []
        if self.observed >= HIGH and pi.by_prevalence <= -FAR:
            found.append("high agreement, low kappa")
        if kappa.by_bias >= SHOWS:
            found.append("unequal margins raise kappa")
        return tuple(found)

    @property
    def sentence(self) -> str:
        """What moved, in words; says so if a coefficient does not exist.

        Examples
        --------
        >>> from accordant import diagnose
        >>> from accordant.data.examples import load
        >>> diagnose(load("hoek2017_table3")).pooled.movements.sentence[-63:]
        'one category prevails and little is left to agree on beyond it.'
        """
        s, pi, kappa = self["s"], self["pi"], self["kappa"]
        told = f"Coders agree on {percent(self.observed)}."
        if math.isnan(s.value):
            return f"{told} Nothing corrects for chance here, because there is only one category."
        told += f" Were all categories equally frequent, that would be {decimal(s.value)} (S)"
        if math.isnan(pi.value):
            return f"{told}; all annotations are the same, so π, κ and α do not exist."
        told += (
            f"; as frequent as they are, it is {decimal(pi.value)} (π, {_signed(pi.by_prevalence)})"
        )
        if not math.isnan(kappa.value):
            told += (
                ", and with each coder's own distribution as expected agreement, "
                f"{decimal(kappa.value)} (κ, {_signed(kappa.by_bias)})"
            )
        told += "."
        if "high agreement, low kappa" in self.paradoxes:
            told += (
                " This is the first paradox: much agreement and a low κ, because one category "
                "prevails and little is left to agree on beyond it."
            )
        if "unequal margins raise kappa" in self.paradoxes:
            told += (
                " This is the second paradox: κ is higher because the coders use the categories "
                "differently, and κ forgives that."
            )
        return told

    def to_rows(self) -> list[dict[str, Any]]:
        """One row for each coefficient."""
        return [row for r in self.rows for row in r.to_rows()]


def _signed(x: float) -> str:
    return ("+" if x >= 0 else "") + decimal(x)


def movements(counts: Counts, w: Weights) -> Movements | None:
    """How prevalence and bias move the coefficients; None for sets of labels.

    Parameters
    ----------
    counts : Counts
    w : Weights
        What counts as agreement, for all coefficients.

    Examples
    --------
    >>> from accordant import read
    >>> from accordant.counts.count import count
    >>> from accordant.measure.distances import weights_for
    >>> counts = count(read([["y"] * 8 + ["n", "y"], ["y"] * 8 + ["y", "n"]], layout="transposed"))
    >>> found = movements(counts, weights_for("identity", counts))
    >>> [(r.coefficient, round(r.value, 3), round(r.by_prevalence, 3)) for r in found.rows[:2]]
    [('s', 0.6, 0.0), ('pi', -0.111, -0.711)]
    """
    if counts.of_sets or not counts.n_pairable:
        return None
    known = counts.coder is not None and counts.n_coders > 1
    keys = ("s", "pi", "kappa", "alpha", "ac") if known else ("s", "pi", "alpha", "ac")
    part = {key: COEFFICIENTS[key].parts(counts, w) for key in keys}
    value = {key: float(p.value) for key, p in part.items()}
    value.setdefault("kappa", math.nan)
    prevails, bias, sample = (
        value[key] - value[other] for key, other in (("pi", "s"), ("kappa", "pi"), ("alpha", "pi"))
    )
    moved = {
        "s": (0.0,),
        "pi": (prevails,),
        "kappa": (prevails, bias),
        "alpha": (prevails, 0.0, sample),
        "ac": (value["ac"] - value["s"],),
    }
    two = math.nan, math.nan
    if known and counts.n_coders == 2 and counts.n_values == 2:
        table = contingency(counts).table
        shares = table / table.sum()
        two = float(shares[0, 0] - shares[1, 1]), float(shares[0, 1] - shares[1, 0])
    rows = tuple(
        Movement(
            key,
            COEFFICIENTS[key].symbol,
            value[key],
            float(part[key].expected) if key in part else math.nan,
            *by,
        )
        for key, by in moved.items()
    )
    return Movements(float(part["pi"].observed), counts.n_values, *two, rows)


def byrt_kappa(pabak: float, prevalence: float, bias: float) -> float:
    """Kappa of a 2 x 2 table from three numbers (Byrt, Bishop & Carlin 1993).

    (PABAK - PI² + BI²) / (1 - PI² + BI²): prevalence lowers kappa, bias raises it.

    Examples
    --------
    >>> round(byrt_kappa(2 / 3, 0.5, 1 / 30), 3)
    0.556
    """
    room = 1 - prevalence**2 + bias**2
    return (pabak - prevalence**2 + bias**2) / room if room else math.nan
