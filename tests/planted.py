"""Annotations in which every cause of disagreement is planted."""

from typing import Any

import numpy as np

N = 240
CODERS = ("Ann", "Bob", "Cleo", "Dan")


def planted() -> dict[str, list[Any]]:
    """Four coders with metadata and repeated texts; two of them read "b" as "a"; poems are hard."""
    rng = np.random.default_rng(11)
    right = rng.integers(0, 4, N)
    poem = rng.random(N) < 0.4
    found: dict[str, list[Any]] = {
        "item": list(range(N)),
        "genre": ["poem" if p else "news" for p in poem],
        "day": [k // 20 for k in range(N)],
        "text": [f"text {k % 200}" for k in range(N)],
    }
    for c, name in enumerate(CODERS):
        said = np.where((right == 1) & (c > 1), 0, right)
        wrong = rng.random(N) < np.where(poem, 0.4, 0.04)
        said = np.where(wrong, rng.integers(0, 4, N), said)
        found[name] = ["abcd"[k] for k in said]
    return found
