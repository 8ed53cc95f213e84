"""Makes levi2022_neat.csv: sentences with the label combinations that two published tables imply.

The annotations of NEAT are not bundled here. The tables below, of coder A1 (rows) and of the second
coder of a sentence (columns), were reconstructed by a numerical search: they bring out each of the
787 figures that Levi & Shenhav (2022) print. Which combinations were confused how often came out
the same in every solution found; who said which of the two did not, and the diagonal varies by 1
or 2. Run ``python tests/data/example_neat.py`` to write the file again.
"""

from __future__ import annotations

import csv
from itertools import product

from accordant.data.examples import path

__all__ = ["LABELS", "TABLES", "rows"]

LABELS = ("Complication", "Resolution", "Success")

# Rows and columns: 000 001 010 011 100 101 110 111, a bit for each label in this order.
TABLES = {
    ("A1", "A2"): """
        341 12 27  2  22 0  5  1
         17 50  2  8   1 0  0  1
         11  2 32  3   0 0  6  0
          4  4  9 16   0 0  0  1
         48  1  7  1 319 2 28  1
          0  3  0  0   7 3  1  3
          6  1 17  1  14 1 67  5
          0  3  2  1   0 1  5 10
    """,
    ("A1", "A3"): """
        244 22 34  4  46 0  5  0
         14 45  3 10   2 1  1  1
          5  0 43  4   5 0  6  0
          0  3  5 40   1 0  4  1
         11  1  8  2 349 3 35  2
          0  0  0  0   1 3  0  1
          0  0  4  2  21 0 55  3
          0  0  0  1   0 1  4 18
    """,
}


def rows() -> list[dict[str, str]]:
    """One row for each sentence: the labels of each of its two coders, ``[]`` for none."""
    sets = [
        ";".join(label for label, bit in zip(LABELS, bits, strict=True) if bit) or "[]"
        for bits in product((0, 1), repeat=len(LABELS))
    ]
    coders = dict.fromkeys((c for pair in TABLES for c in pair), "")
    out: list[dict[str, str]] = []
    for pair, table in TABLES.items():
        for cell, n in enumerate(map(int, table.split())):
            first, second = divmod(cell, len(sets))
            given = dict(zip(pair, (sets[first], sets[second]), strict=True))
            for _ in range(n):
                out.append({"item": f"s{len(out) + 1:04}"} | coders | given)
    return out


if __name__ == "__main__":
    made = rows()
    with path("levi2022_neat").open("w", encoding="utf-8", newline="") as f:
        writer = csv.DictWriter(f, list(made[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)
