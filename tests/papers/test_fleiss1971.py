"""Fleiss (1971), Measuring nominal scale agreement among many raters: 30 patients, 6 coders."""

from __future__ import annotations

import pytest

from accordant import agreement
from golden.cases import annotations

PRINTED = 0.5e-3 + 1e-9


def test_fleiss_kappa() -> None:
    row = agreement(annotations("fleiss1971"), "fleiss")["pi"]
    assert row.observed == pytest.approx(0.5556, abs=1e-4)
    # the paper squares shares that it rounded to three digits: .2201 for .21994
    assert row.expected == pytest.approx(0.2201, abs=2e-4)
    assert row.value == pytest.approx(0.430, abs=PRINTED)


def test_conger_is_higher_because_coders_differ() -> None:
    """Conger (1980): the "exact" kappa .442 of the same data, as R's irr prints it."""
    rows = agreement(annotations("fleiss1971"), ["pi", "kappa"])
    assert rows["kappa"].value == pytest.approx(0.44180854, abs=1e-7)
    assert rows["kappa"].value > rows["pi"].value
