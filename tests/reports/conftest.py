"""Annotations that have everything a report shows, and the report of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from accordant import Report, read, report
from pages import bundled
from planted import CODERS, planted

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
            found.append(
                {
                    "item": f"t{item}",
                    "question": "stance",
                    "coder": coder,
                    "label": label,
                    "text": TEXTS[item % 3],
                }
            )
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
    return report(bundled("marchal2022_case"), separator=";")


@pytest.fixture(scope="session")
def known() -> Report:
    """A report on everything that can be known."""
    return report(read(planted(), coder=list(CODERS)))
