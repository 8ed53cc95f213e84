"""What simulated coders do: which labels, how many, and how often they share one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..inference.settings import number_of
from ..scheme import Label

__all__ = [
    "DEFAULT_CATEGORIES", "Categories", "Design", "Further", "Sizes", "design_of",
    "distribution_of_entropy", "entropy_of", "share_of", "whole",
]  # fmt: skip

Floats = NDArray[np.float64]
Categories: TypeAlias = int | Sequence[Label] | None
Sizes: TypeAlias = Mapping[int, float]  # number of labels to the share of annotations
Further: TypeAlias = Literal["uniform", "distribution"]
Shares: TypeAlias = tuple[float, ...]

DEFAULT_CATEGORIES = 5
MOST_CATEGORIES = 10_000
MOST_LABELS = 100  # of one annotation
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NEAR = 1e-6  # shares that sum to 1 but for how they were typed


@dataclass(frozen=True)
class Design:
    """Coders who share a label of some items, and no label of the first coder's of the others.

    K categories, C coders, at most S labels.

    Parameters
    ----------
    categories : tuple
        (K,) the labels.
    distribution : tuple of float
        (K,) how likely each label is the first of an annotation.
    sizes : tuple of tuple of float
        (C, S) share of the annotations of a coder that hold 1, 2, … labels.
    agreement : float
        Probability that all coders share a label of an item.
    further : {'uniform', 'distribution'}
        From what the other labels of an annotation are drawn.
    """

    categories: tuple[Label, ...]
    distribution: tuple[float, ...]
    sizes: tuple[tuple[float, ...], ...]
    agreement: float
    further: Further = "uniform"

    def __post_init__(self) -> None:
        known = get_args(Further)
        if self.further not in known:
            raise RequestError(
                f"further labels are drawn from one of {', '.join(known)}, not {self.further!r}"
            )
        _check_room(self)


def design_of(
    agreement: float,
    *,
    double: float | Sequence[float] | None = None,
    sizes: Sizes | Sequence[Sizes] | None = None,
    categories: Categories = None,
    distribution: Sequence[float] | None = None,
    entropy: float | None = None,
    further: Further = "uniform",
    n_coders: int = 2,
) -> Design:
    """The design of what a user asks for; see `accordant.simulate_multilabel`.

    Raises
    ------
    RequestError
        If a number is out of its range, or coders cannot do what they are asked to.

    Examples
    --------
    >>> design = design_of(0.75, double=0.25, distribution=[0.4, 0.3, 0.2, 0.1])
    >>> design.categories, design.sizes
    (('A', 'B', 'C', 'D'), ((0.75, 0.25), (0.75, 0.25)))
    """
    names = _names(categories, distribution)
    n_coders = whole("coders", n_coders, 2)
    shares = _distribution(len(names), distribution, entropy)
    laws = _sizes(double, sizes, n_coders)
    return Design(names, shares, laws, share_of("agreement", agreement), further)


# ------------------------------------------------------------------ how likely each label is


def distribution_of_entropy(entropy: float, n_categories: int) -> Floats:
    """(K,) shares in geometric proportion, p_k ~ x^k, that have the given entropy.

    Parameters
    ----------
    entropy : float
        In bits, from 0 (one label only) to log2 K (every label equally often).
    n_categories : int
        K.

    Returns
    -------
    ndarray
        (K,) falling, with sum 1.

    Raises
    ------
    RequestError
        If no distribution over K labels has that entropy.

    Examples
    --------
    >>> distribution_of_entropy(1.75, 5).round(3).tolist()
    [0.532, 0.256, 0.124, 0.06, 0.029]
    """
    most = math.log2(n_categories)
    wanted = number_of("entropy", entropy)
    if not 0 <= wanted <= most + NEAR:
        raise RequestError(
            f"the entropy of {n_categories} labels lies between 0 and log2 {n_categories} = "
            f"{most:.3f} bits; {entropy!r} does not"
        )
    if wanted >= most:
        return np.full(n_categories, 1 / n_categories)
    low, high = 0.0, 1.0
    for _ in range(60):  # the entropy rises with the ratio
        middle = (low + high) / 2
        below = entropy_of(_geometric(middle, n_categories)) < wanted
        low, high = (middle, high) if below else (low, middle)
    return _geometric(low, n_categories)


def entropy_of(distribution: Sequence[float] | Floats) -> float:
    """Entropy in bits (Marchal et al. 2022, equation 5)."""
    p = np.asarray(distribution, float)
    p = p[p > 0]
    return float(max(-(p * np.log2(p)).sum(), 0.0))


def _geometric(ratio: float, n: int) -> Floats:
    p = ratio ** np.arange(n, dtype=float)
    return np.asarray(p / p.sum())


def _distribution(n: int, given: Sequence[float] | None, entropy: float | None) -> Shares:
    if given is not None and entropy is not None:
        raise RequestError("give the distribution or its entropy, not both")
    if entropy is not None:
        return tuple(distribution_of_entropy(entropy, n).tolist())
    if given is None:
        return (1 / n,) * n
    shares = [share_of("a share of the distribution", x) for x in given]
    if len(shares) != n:
        raise RequestError(f"the distribution has {len(shares)} shares for {n} categories")
    if not math.isclose(sum(shares), 1, abs_tol=NEAR):
        raise RequestError(f"the shares of the distribution sum to {sum(shares):g}, not to 1")
    return tuple(x / sum(shares) for x in shares)


# ------------------------------------------------------------------ names and numbers of labels


def _names(given: Categories, distribution: Sequence[float] | None) -> tuple[Label, ...]:
    if given is None:
        given = DEFAULT_CATEGORIES if distribution is None else len(distribution)
    if isinstance(given, str):
        raise RequestError(f"the categories are a number or a list of names, not {given!r}")
    if not isinstance(given, Sequence):
        n = whole("categories", given, 2, MOST_CATEGORIES)
        width = len(str(n))
        return tuple(LETTERS[:n]) if n <= 26 else tuple(f"L{k:0{width}}" for k in range(1, n + 1))
    if len(given) < 2:
        raise RequestError("at least 2 categories are needed")
    return tuple(given)


def _sizes(
    double: float | Sequence[float] | None, sizes: Sizes | Sequence[Sizes] | None, n_coders: int
) -> tuple[Shares, ...]:
    """(C, S), S at least 2: that nobody gives a second label does not make it impossible."""
    if double is not None and sizes is not None:
        raise RequestError("give double or sizes, not both")
    if sizes is None:
        each = _for_each(0.0 if double is None else double, n_coders, "double")
        shares = (share_of("the share of double labels", d) for d in each)
        return tuple((1 - d, d) for d in shares)
    laws = [_law(x) for x in _for_each(sizes, n_coders, "sizes")]
    most = max(2, *(max(law) for law in laws))
    return tuple(tuple(law.get(s, 0.0) for s in range(1, most + 1)) for law in laws)


def _for_each(given: Any, n_coders: int, what: str) -> list[Any]:
    """One for each coder; one alone is that of all."""
    if not isinstance(given, Sequence) or isinstance(given, str):
        return [given] * n_coders
    if len(given) != n_coders:
        raise RequestError(f"{what} has {len(given)} entries, but there are {n_coders} coders")
    return list(given)


def _law(given: Sizes) -> dict[int, float]:
    if not isinstance(given, Mapping) or not given:
        raise RequestError(
            f"sizes maps numbers of labels to shares, such as {{1: 0.6, 2: 0.4}}, unlike {given!r}"
        )
    law = {
        whole("a number of labels", s, 1, MOST_LABELS): share_of("a share of sizes", x)
        for s, x in given.items()
    }
    if not math.isclose(sum(law.values()), 1, abs_tol=NEAR):
        raise RequestError(f"the shares of sizes sum to {sum(law.values()):g}, not to 1")
    return law


def _check_room(design: Design) -> None:
    """Refuse coders who would have to give more labels than there are."""
    likely = sum(p > 0 for p in design.distribution)
    every = likely if design.further == "distribution" else len(design.distribution)
    most = [max(s for s, x in enumerate(law, 1) if x > 0) for law in design.sizes]
    if max(most) > every:
        raise RequestError(
            f"coders who give up to {max(most)} labels need as many categories; there are {every}"
        )
    if design.agreement == 1:
        return
    if most[0] + max(most[1:]) > every:
        raise RequestError(
            f"coders who share no label of an item and give up to {most[0]} and {max(most[1:])} "
            f"need {most[0] + max(most[1:])} categories; there are {every}. Coders who agree on "
            "every item need fewer"
        )
    if most[0] >= likely:
        raise RequestError(
            f"where the first coder gives {most[0]} of the {likely} categories with a share above "
            "0 the others have none left to begin with: spread the distribution over more"
        )


def share_of(what: str, given: Any) -> float:
    """A number from 0 to 1."""
    x = number_of(what, given)
    if not 0 <= x <= 1:
        raise RequestError(f"{what} must lie between 0 and 1, not {given!r}")
    return x


def whole(what: str, given: Any, least: int, most: int | None = None) -> int:
    """A whole number that is not too small, nor too large."""
    if isinstance(given, bool) or not isinstance(given, Integral):
        raise RequestError(f"{what} must be a whole number, not {given!r}")
    n = int(given)
    if n < least or (most is not None and n > most):
        allowed = f"{least} or more" if most is None else f"from {least} to {most:,}"
        raise RequestError(f"{what} must be {allowed}, not {n}")
    return n
