"""Annotations that have everything a report shows, and the report of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import read
from accordant.data import examples
from accordant.views.report import Report, report

TEXTS = ("A short text.", "Another, with <script>alert('text')</script> in it.", "Schön & gut.")


def rows() -> list[dict[str, Any]]:
    """Three coders, two questions, gaps, texts; one question never varies."""
    rng = np.random.default_rng(7)
    found = []
    for item in range(30):
        right = rng.choice(["pro", "con", "neutral"])
        for coder in ("Ann", "Bob", "Cleo"):
            if rng.random() < 0.1:
                continue
            label = right if rng.random() < 0.75 else rng.choice(["pro", "con", "neutral"])
            found.append({
                "item": f"t{item}", "question": "stance", "coder": coder, "label": label,
                "text": TEXTS[item % 3],
            })  # fmt: skip
            found.append({**found[-1], "question": "spam", "label": "no"})
    return found


@pytest.fixture(scope="session")
def made() -> Report:
    """A report on two questions."""
    return report(rows())


@pytest.fixture(scope="session")
def single() -> Report:
    """A report on one question and two coders."""
    return report([["a", "b", "a", "a", "c"], ["a", "b", "b", "a", "c"]])


@pytest.fixture(scope="session")
def hostile() -> Report:
    """Every text tries to be markup."""
    evil = "</script><img src=x onerror=alert(1)>"
    data = {
        "item": [f"{evil}{k}" for k in (1, 2, 3) for _ in "ab"],
        "coder": ["<b>A</b>|&", '"B" {{ 7 * 7 }}'] * 3,
        "label": [evil, "`x`|y", evil, evil, "\\alert{%$#_^~}", "`x`|y"],
        "text": ["<!-- <script>alert(2)</script>" for _ in range(6)],
    }
    return report(read(data), title="<script>alert(0)</script>")


@pytest.fixture(scope="session")
def case() -> Report:
    """A report on the case study of Marchal et al. (2022): two coders, one or two labels."""
    return report(examples.path("marchal2022_case"), separator=";")


N = 240


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
    for c, name in enumerate(("Ann", "Bob", "Cleo", "Dan")):
        said = np.where((right == 1) & (c > 1), 0, right)
        wrong = rng.random(N) < np.where(poem, 0.4, 0.04)
        said = np.where(wrong, rng.integers(0, 4, N), said)
        found[name] = ["abcd"[k] for k in said]
    return found


@pytest.fixture(scope="session")
def known() -> Report:
    """A report on everything that can be known."""
    coders = ["Ann", "Bob", "Cleo", "Dan"]
    return report(read(planted(), coder=coders, text="text"))
