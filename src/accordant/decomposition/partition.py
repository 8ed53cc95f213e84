"""A partition of values: which values count as the same on one level of the scheme."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import RequestError
from ..scheme import Value

__all__ = ["Partition"]


@dataclass(frozen=True)
class Partition:
    """Values in blocks: values of one block count as the same, of different blocks as different.

    Parameters
    ----------
    rule : str
        What it asks, in words: ``'any label'``, ``'exactly one label'``.
    blocks : tuple of tuple of Value
        (B,) the values of each block.
    names : tuple of str
        (B,) what each block is called.
    """

    rule: str
    blocks: tuple[tuple[Value, ...], ...]
    names: tuple[str, ...]

    def of(self, values: tuple[Value, ...]) -> NDArray[np.int64]:
        """(C,) the block of each value.

        Examples
        --------
        >>> Partition("vowel", (("a", "e"), ("b",)), ("yes", "no")).of(("a", "b", "e")).tolist()
        [0, 1, 0]

        Raises
        ------
        RequestError
            If a value is in no block.
        """
        block = {value: b for b, inside in enumerate(self.blocks) for value in inside}
        lost = [v for v in values if v not in block]
        if lost:
            raise RequestError(f"the partition {self.rule!r} has no block for {lost[0]!r}")
        return np.array([block[v] for v in values], np.int64)

    @property
    def n_blocks(self) -> int:
        """B."""
        return len(self.blocks)

    def __str__(self) -> str:
        return self.rule
