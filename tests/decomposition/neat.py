"""NEAT as the tests use it: two tables reconstructed from the figures of Levi & Shenhav (2022).

Rows are A1; the combinations are bits Complication, Resolution, Success. They reproduce every
figure that the paper prints, and need not be the original counts.
"""

from __future__ import annotations

import numpy as np

from accordant.decomposition.states import States

LABELS = ("Complication", "Resolution", "Success")
BITS = ("000", "001", "010", "011", "100", "101", "110", "111")

A1_A2 = (
    (341, 12, 27, 2, 22, 0, 5, 1),
    (17, 50, 2, 8, 1, 0, 0, 1),
    (11, 2, 32, 3, 0, 0, 6, 0),
    (4, 4, 9, 16, 0, 0, 0, 1),
    (48, 1, 7, 1, 319, 2, 28, 1),
    (0, 3, 0, 0, 7, 3, 1, 3),
    (6, 1, 17, 1, 14, 1, 67, 5),
    (0, 3, 2, 1, 0, 1, 5, 10),
)
A1_A3 = (
    (244, 22, 34, 4, 46, 0, 5, 0),
    (14, 45, 3, 10, 2, 1, 1, 1),
    (5, 0, 43, 4, 5, 0, 6, 0),
    (0, 3, 5, 40, 1, 0, 4, 1),
    (11, 1, 8, 2, 349, 3, 35, 2),
    (0, 0, 0, 0, 1, 3, 0, 1),
    (0, 0, 4, 2, 21, 0, 55, 3),
    (0, 0, 0, 1, 0, 1, 4, 18),
)


def side(*bits: str) -> list[bool]:
    """Side 0 of a bipartition, by the bits of its combinations."""
    return [b in bits for b in BITS]


def neat() -> States:
    """The eight combinations and the tables of both pairs."""
    members = np.array([[bit == "1" for bit in bits] for bits in BITS])
    values = tuple(tuple(label for label, holds in zip(LABELS, row) if holds) for row in members)
    pairs = (("A1", "A2"), ("A1", "A3"))
    return States(values, LABELS, members, pairs, np.array([A1_A2, A1_A3], float))
