"""Quadratic functions of a bipartition, for all bipartitions of a few states at once.

With s the 0/1 vector of the states on side 0, all that scores rest on is a constant, a linear and
a quadratic part of s. Over all subsets of m states such a function is one product of two thin
matrices: side 0 is what it holds of the first states and what it holds of the others,

    f(x, y) = f(y) + f(x) − f(0) + 2 Σ_ij y_i q_ij x_j.

So a value costs a dozen multiplications, in blocks that stay in the cache.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Blocks", "Forms", "apart", "subsets_of"]

Floats = NDArray[np.float64]

ROWS = 4096  # bipartitions evaluated at a time where they are given one by one


@dataclass(frozen=True, eq=False)
class Forms:
    """F functions of a bipartition: constant + Σ_i linear_i + Σ_ij quadratic_ij, over side 0.

    Parameters
    ----------
    constant : ndarray
        (F,)
    linear : ndarray
        (F, C)
    quadratic : ndarray
        (F, C, C) symmetric, its diagonal zero (it belongs to the linear part).

    Examples
    --------
    >>> import numpy as np
    >>> cut = apart(np.array([[[5.0, 1], [2, 5]]]))  # how many items a cut separates
    >>> cut.at(np.array([[True, False], [True, True]])).tolist()
    [[3.0, 0.0]]
    """

    constant: Floats
    linear: Floats
    quadratic: Floats

    @classmethod
    def of(cls, constant: Any, linear: Any, quadratic: Any) -> Forms:
        """From any square matrices: made symmetric, the diagonal moved to the linear part."""
        q = np.asarray(quadratic, float)
        q = (q + q.swapaxes(-1, -2)) / 2
        diagonal = np.diagonal(q, axis1=-2, axis2=-1)
        linear = linear + diagonal
        q = q.copy()
        every = np.arange(q.shape[-1])
        q[..., every, every] = 0
        return cls(np.asarray(constant, float), np.asarray(linear), q)

    @classmethod
    def stacked(cls, parts: list[Forms]) -> Forms:
        """The functions of several, one after the other."""
        return cls(
            np.concatenate([f.constant for f in parts]),
            np.concatenate([f.linear for f in parts]),
            np.concatenate([f.quadratic for f in parts]),
        )

    @property
    def forms(self) -> Forms:
        """Themselves."""
        return self

    def __len__(self) -> int:
        return len(self.constant)

    def only(self, which: list[int]) -> Forms:
        """Some of them."""
        return Forms(self.constant[which], self.linear[which], self.quadratic[which])

    def at(self, sides: NDArray[np.bool_]) -> Floats:
        """(F, N) the values at bipartitions (N, C)."""
        found = np.empty((len(self), len(sides)))
        for low in range(0, len(sides), ROWS):
            x = sides[low : low + ROWS].astype(float)
            squares = [np.einsum("nc,nc->n", x @ q, x) for q in self.quadratic]
            found[:, low : low + ROWS] = self.linear @ x.T
            found[:, low : low + ROWS] += np.array(squares).reshape(len(self), -1)
        found += self.constant[:, None]
        return found


def apart(tables: Floats) -> Forms:
    """What a cut separates of each table: the cells (F, C, C) whose two states it parts."""
    both = tables + tables.swapaxes(-1, -2)
    every = np.arange(both.shape[-1])
    both[..., every, every] = 0
    return Forms(np.zeros(len(both)), both.sum(-1), -both)


def subsets_of(m: int) -> Floats:
    """(2^m, m) all subsets of m states: row x holds state j where bit j of x is set.

    Examples
    --------
    >>> subsets_of(2).tolist()
    [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]
    """
    return np.asarray((np.arange(2**m)[:, None] >> np.arange(m)) & 1, float)


class Blocks:
    """The values of forms at all subsets of the first ``bits`` states, the rest held fixed.

    What does not depend on the states held fixed is worked out once.
    """

    def __init__(self, forms: Forms, bits: int) -> None:
        low = bits // 2
        high = bits - low
        self.forms, self.bits, self.low = forms, bits, low
        self.x_low, self.x_high = subsets_of(low), subsets_of(high)
        q, n = forms.quadratic, len(forms)
        self.q_high = _squares(self.x_high, q[:, low:bits, low:bits])
        self.cross = 2 * (self.x_high @ q[:, low:bits, :low])
        self.left = np.ones((n, 2**high, low + 2))
        self.right = np.ones((n, low + 2, 2**low))
        self.right[:, :low] = self.x_low.T
        self.right[:, low] = _squares(self.x_low, q[:, :low, :low])

    def at(self, start: int) -> Floats:
        """(F, 2^bits) the values at the codes from ``start`` on, a multiple of 2^bits."""
        forms, bits, low = self.forms, self.bits, self.low
        fixed = [j for j in range(bits, forms.linear.shape[1]) if start >> j & 1]
        linear, constant = forms.linear[:, :bits], forms.constant
        if fixed:
            inside = forms.quadratic[:, fixed][:, :, fixed].sum((1, 2))
            constant = constant + forms.linear[:, fixed].sum(1) + inside
            linear = linear + 2 * forms.quadratic[:, fixed, :bits].sum(1)
        np.add(self.cross, linear[:, None, :low], out=self.left[:, :, :low])
        np.add(self.q_high, linear[:, low:] @ self.x_high.T, out=self.left[:, :, -1])
        self.left[:, :, -1] += constant[:, None]
        return np.asarray(np.matmul(self.left, self.right).reshape(len(forms), -1))


def _squares(x: Floats, q: Floats) -> Floats:
    """(F, N) x'qx for rows of x (N, m) and matrices q (F, m, m)."""
    return np.asarray(np.einsum("fnm,nm->fn", x @ q, x))
