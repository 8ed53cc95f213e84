"""NEAT as the tests use it: two tables reconstructed from the figures of Levi & Shenhav (2022).

Rows are A1; the combinations are bits Complication, Resolution, Success. They reproduce every
figure that the paper prints, and need not be the original counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from accordant.decomposition.tables import Cells, States
from data.example_neat import LABELS, TABLES

__all__ = ["A1_A2", "A1_A3", "BITS", "LABELS", "cells_of_tables", "neat", "side"]

BITS = ("000", "001", "010", "011", "100", "101", "110", "111")

A1_A2, A1_A3 = (
    np.array(table.split(), float).reshape(len(BITS), len(BITS)) for table in TABLES.values()
)


def side(*bits: str) -> list[bool]:
    """Side 0 of a bipartition, by the bits of its combinations."""
    return [b in bits for b in BITS]


def neat() -> States:
    """The eight combinations and the tables of both pairs."""
    members = np.array([[bit == "1" for bit in bits] for bits in BITS])
    values = tuple(tuple(label for label, holds in zip(LABELS, row) if holds) for row in members)
    pairs = (("A1", "A2"), ("A1", "A3"))
    return States(values, LABELS, members, pairs, np.array([A1_A2, A1_A3]))


def cells_of_tables(made: States) -> Cells:
    """The cells of tables that no items stand behind."""
    pair, first, second = np.nonzero(made.tables)
    none: Any = None
    n, nothing = made.tables[pair, first, second], np.zeros(0, np.int64)
    return Cells(made, pair, first, second, n, none, nothing, nothing, np.zeros(0))
