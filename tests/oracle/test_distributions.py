"""Tails and quantiles of t beside SciPy's, at any degrees of freedom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr, stdtrit

from accordant.inference.distributions import t_quantile, t_tail

DF = st.floats(1, 1e4)


@given(st.floats(-40, 40), DF)
def test_tails_of_t(t: float, df: float) -> None:
    assert t_tail(t, df) == pytest.approx(stdtr(df, -t), rel=1e-11, abs=1e-200)


@given(st.floats(1e-5, 0.499) | st.floats(0.501, 1 - 1e-5), DF)
def test_quantiles_of_t(p: float, df: float) -> None:
    assert t_quantile(p, df) == pytest.approx(stdtrit(df, p), rel=1e-9)
