"""What a coefficient is, and the table of all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from ..arrays import Bools, Floats
from ..counts.counts import Counts
from ..counts.row_keys import sums
from .weights import Weights, ordered_pairs

Chance: TypeAlias = Callable[[Counts, Weights], Floats]
Progress: TypeAlias = Callable[[int, int], None] | None
Simulator: TypeAlias = Callable[[Counts, Weights, int, np.random.Generator, Progress], Floats]
Remark: TypeAlias = Callable[[Counts, Weights], str | None]
Weighed: TypeAlias = tuple["Coefficient", Counts, Weights]

COEFFICIENTS: dict[str, Coefficient] = {}


@dataclass(frozen=True)
class Parts:
    """Observed agreement, expected agreement and coefficient, one entry per resample: (...)."""

    observed: Floats
    expected: Floats
    value: Floats


@dataclass(eq=False, kw_only=True)
class Coefficient:
    """One definition of expected agreement, with all that text, tables and tests say about it.

    Written above the definition of expected agreement, (counts, weights) to shape (...), it stands
    in `COEFFICIENTS` under the name of that function. The docstring of the function is the
    ``assumption``, what coders do who guess: the sentence that a reader must judge.

    Parameters
    ----------
    symbol, name : str
    formula : str
        Expected agreement in LaTeX.
    sources : tuple of str
        Keys of the literature, the origin first.
    variants : tuple of str
        Names under which the literature knows special cases.
    aliases : tuple of str
        Further names that users may type.
    per_value : bool
        An item counts once for each pairable annotation (Krippendorff) instead of once.
    needs_coders : bool
        Whether it must know which coder gave which label.
    corrected : bool
        Whether it is corrected for chance. Percent agreement is not: unless weights are asked
        for it counts equal labels on every scale, so that everybody can check it.
    of_sets : str or None
        Its weights for sets of labels unless others are asked for; None for those of all.
    only_sets : bool
        Whether it says nothing about single labels that another coefficient does not say.
    fixed_weights : bool
        Whether it has no others than ``of_sets``.
    pairs_only : bool
        Whether it rests on items with two or more annotations only: alpha and means over pairs of
        coders do not know any others; to the rest a single annotation tells about chance.
    parts_of : callable, optional
        Finds A_o, A_e and the value of a mean of coefficients, to which the formula does not apply.
    each_of : callable, optional
        Gives the coefficients that it is the mean of, each with its counts and weights.
    remark_of : callable, optional
        What to say of a value, such as what a mean leaves out.
    doubt_of : callable, optional
        Why, if at all, it has no interval of such data.
    simulated_if : callable, optional
        Whether A_e of such data can only be simulated.
    """

    symbol: str
    name: str
    formula: str
    sources: tuple[str, ...]
    variants: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    per_value: bool = False
    needs_coders: bool = False
    corrected: bool = True
    of_sets: str | None = None
    only_sets: bool = False
    fixed_weights: bool = False
    pairs_only: bool = False
    parts_of: Callable[[Counts, Weights], Parts] | None = field(default=None, repr=False)
    each_of: Callable[[Counts], Iterator[Weighed]] | None = field(default=None, repr=False)
    remark_of: Remark | None = field(default=None, repr=False)
    doubt_of: Remark | None = field(default=None, repr=False)
    simulated_if: Callable[[Counts], bool] | None = field(default=None, repr=False)
    key: str = field(init=False)
    assumption: str = field(init=False)
    expected: Chance = field(init=False, repr=False)
    slope_of: Chance | None = field(default=None, init=False, repr=False)
    simulated_by: Simulator | None = field(default=None, init=False, repr=False)

    def __call__(self, expected: Chance) -> Coefficient:
        """Register the definition of expected agreement."""
        self.expected, self.assumption = expected, inspect.getdoc(expected) or ""
        self.key = getattr(expected, "__name__", "")
        COEFFICIENTS[self.key] = self
        return self

    @property
    def is_mean(self) -> bool:
        """Whether it is a mean of coefficients, so that one A_o and A_e do not give its value."""
        return self.parts_of is not None

    @property
    def has_formula(self) -> bool:
        """Whether its standard error follows from how it moves with each item."""
        return self.slope_of is not None or self.each_of is not None

    def sample(self, counts: Counts) -> Counts:
        """The items that it rests on: they alone are drawn, left out and counted."""
        return counts.pairable if self.pairs_only else counts

    def sample_size(self, counts: Counts) -> float:
        """How many items it rests on; several questions about one item are one item."""
        return self.sample(counts).kinds.n

    def doubt(self, counts: Counts, w: Weights) -> str | None:
        """Why it has no interval of these counts."""
        return self.doubt_of(*self.view(counts, w)) if self.doubt_of else None

    def simulation(self, function: Simulator) -> Simulator:
        """Register how A_e is simulated: (counts, weights, n, rng, progress) to (n,) draws."""
        self.simulated_by = function
        return function

    def slope(self, function: Chance) -> Chance:
        """Register how A_e moves with each item.

        The function gives, for each pattern, n times the derivative of A_e by the weight of an
        item that shows it: (P,). Its mean over the items is zero.
        """
        self.slope_of = function
        return function

    def view(self, counts: Counts, w: Weights) -> tuple[Counts, Weights]:
        """The counts and weights that this coefficient looks at.

        Weights with w(a, b) other than w(b, a) speak of a first and a second coder. With more
        than two coders nobody is first, and the mean of both directions is taken.
        """
        directed = not w.symmetric and counts.coder is not None and counts.n_coders == 2
        if not (w.symmetric or directed):
            w = w.symmetrised
        return counts if self.needs_coders or directed else counts.anonymous, w

    def parts(self, counts: Counts, w: Weights) -> Parts:
        """Observed and expected agreement and the coefficient; NaN where undefined."""
        counts, w = self.view(counts, w)
        if self.needs_coders and counts.coder is None:
            nothing = np.full(counts.n_items.shape, np.nan)
            return Parts(observed_agreement(counts, w), nothing, nothing)
        if self.parts_of is not None:
            return self.parts_of(counts, w)
        observed = observed_agreement(counts, w, per_value=self.per_value)
        expected = self.expected(counts, w)
        return Parts(observed, expected, chance_corrected(observed, expected))


def chance_corrected(observed: Floats, expected: Floats) -> Floats:
    """(A_o - A_e) / (1 - A_e): the only place where this formula is written."""
    room = np.where(certain(expected), np.nan, 1 - np.asarray(expected))
    return np.asarray((observed - expected) / room)


def certain(expected: Floats) -> Bools:
    """Whether agreement is certain by chance: A_e = 1 but for rounding."""
    return np.asarray(np.abs(1 - np.asarray(expected)) < 1e-12)


def item_agreement(counts: Counts, w: Weights) -> Floats:
    """Mean weight of two different annotations of an item: (P,); 0 with fewer than two."""
    size = counts.size
    pairs = np.where(size >= 2, size * (size - 1), 1)
    if w.symmetric or counts.coder is None:
        anonymous = w.pairs(counts.drawn(np.ones(counts.n_patterns)))  # however often they occur
        return np.asarray(anonymous[counts.anonymous_of] / pairs)
    total = np.zeros(counts.n_patterns)
    for a, b in ordered_pairs(counts):
        weight = w.at(counts.value[a], counts.value[b])
        total += sums(counts.row[a], weight, counts.n_patterns)
    return np.asarray(2 * total / pairs)


def observed_agreement(counts: Counts, w: Weights, *, per_value: bool = False) -> Floats:
    """Mean agreement of two coders on the same item: (...).

    Items with fewer than two annotations do not enter. An item counts once (Gwet 2014, ch. 2),
    or once for each of its annotations (``per_value``; Krippendorff 2011).
    """
    weight = (counts.size >= 2) * (counts.size if per_value else 1.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(
            counts.times @ (weight * item_agreement(counts, w)) / (counts.times @ weight)
        )
