"""How far prevalence and bias move each coefficient: Byrt's identity, and published tables."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.data.examples import load
from accordant.diagnosis.diagnose import diagnose
from accordant.measure.movements import Movements, byrt_kappa
from diagnosis.made import FLEISS_1971, at_random, from_counts, from_table, of_grid, of_sets

CELL = st.integers(0, 60)

# Hoek & Scholman (2017): observed agreement, kappa and AC1 of tables 2 to 5 (their table 6).
HOEK = {
    2: (0.83, 0.67, 0.67),
    3: (0.83, 0.56, 0.73),
    4: (0.83, -0.09, 0.80),
    5: (0.08, 0.004, -0.83),
}


def of(table: list[list[int]], values: str = "ab") -> Movements:
    found = diagnose(from_table(table, values)).pooled.movements
    assert found is not None
    return found


@given(CELL, CELL, CELL, CELL)
def test_byrt_identity(a: int, b: int, c: int, d: int) -> None:
    """Byrt, Bishop & Carlin (1993): kappa from PABAK, prevalence and bias index alone."""
    if not (a + b + c + d):
        return
    found = of([[a, b], [c, d]])
    kappa = found["kappa"].value
    if np.isnan(kappa):
        return
    pabak = 2 * found.observed - 1
    assert pabak == pytest.approx(found["s"].value)
    wanted = byrt_kappa(pabak, found.prevalence_index, found.bias_index)
    assert kappa == pytest.approx(wanted, abs=1e-9)
    # pi is the same without bias
    prevails = found.prevalence_index**2
    if prevails < 1:
        assert found["pi"].value == pytest.approx((pabak - prevails) / (1 - prevails), abs=1e-9)


@given(st.integers(0, 10_000))
def test_the_parts_add_up_and_go_the_way_they_must(seed: int) -> None:
    found = diagnose(at_random(seed, coders=2 + seed % 3, missing=0.0)).pooled.movements
    assert found is not None
    s = found["s"].value
    for row in found.rows:
        if not np.isnan(row.value):
            assert s + row.moved == pytest.approx(row.value, abs=1e-9)
    if not np.isnan(found["pi"].value):
        assert found["pi"].by_prevalence <= 1e-9  # pi is at most S
        assert found["kappa"].by_bias >= -1e-9  # kappa is at least pi
        assert found["alpha"].by_sample >= -1e-9


@pytest.mark.parametrize("number", HOEK)
def test_hoek_and_scholman(number: int) -> None:
    found = diagnose(load(f"hoek2017_table{number}")).pooled.movements
    observed, kappa, ac = HOEK[number]
    assert found.observed == pytest.approx(observed, abs=0.005)
    assert found["kappa"].value == pytest.approx(kappa, abs=0.005)
    assert found["ac"].value == pytest.approx(ac, abs=0.005)


def test_hoek_and_scholman_the_paradoxes() -> None:
    """The same agreement in tables 2 to 4: prevalence takes it down step by step."""
    made = {n: diagnose(load(f"hoek2017_table{n}")).pooled.movements for n in HOEK}
    assert {n: m.paradoxes for n, m in made.items()} == {
        2: (),
        3: ("high agreement, low kappa",),
        4: ("high agreement, low kappa",),
        5: ("unequal margins raise kappa",),
    }
    by = [round(made[n]["kappa"].by_prevalence, 3) for n in (2, 3, 4)]
    assert by == [0.0, -0.111, -0.758]
    assert [round(made[n].prevalence_index, 2) for n in (2, 3, 4)] == [0.0, -0.5, -0.83]
    assert made[5]["kappa"].by_bias == pytest.approx(0.84, abs=0.005)
    assert made[5].bias_index == pytest.approx(110 / 120)
    assert "first paradox" in made[3].sentence
    assert "second paradox" in made[5].sentence
    assert "paradox" not in made[2].sentence


def test_the_sentence_has_the_numbers() -> None:
    told = of([[20, 12], [8, 80]]).sentence
    for words in ("83.3\xa0%", "0.667 (S)", "0.556 (π, −0.111)", "0.556 (κ, +0.001)"):
        assert words in told


def test_feinstein_and_cicchetti() -> None:
    """(1990), the two pairs of tables: .85 agreement with kappa .70 and .32; .60 with .13, .26."""
    first = of([[40, 9], [6, 45]]), of([[80, 10], [5, 5]])
    assert [round(m.observed, 2) for m in first] == [0.85, 0.85]
    assert [round(m["kappa"].value, 2) for m in first] == [0.70, 0.32]
    assert [m.paradoxes for m in first] == [(), ("high agreement, low kappa",)]
    second = of([[45, 15], [25, 15]]), of([[25, 35], [5, 35]])
    assert [round(m.observed, 2) for m in second] == [0.60, 0.60]
    assert [round(m["kappa"].value, 2) for m in second] == [0.13, 0.26]
    assert second[1]["kappa"].by_bias > second[0]["kappa"].by_bias
    assert second[1].paradoxes == ("unequal margins raise kappa",)


def test_what_does_not_exist_is_said() -> None:
    none = of([[30, 0], [0, 0]])
    assert np.isnan(none["pi"].value)
    assert none.sentence.endswith("so π, κ and α do not exist.")
    one = diagnose(of_grid(np.zeros((5, 2), int), "a")).pooled.movements
    assert "only one category" in one.sentence
    assert diagnose(of_sets([["a", "ab"], ["a", "b"]], "ab")).pooled.movements is None
    assert diagnose(of_grid(np.array([[0, -1]]), "ab")).pooled.movements is None


def test_more_coders_and_unknown_coders() -> None:
    found = diagnose(FLEISS_1971).pooled.movements
    assert round(found["pi"].value, 3) == 0.430  # Fleiss (1971), p. 381
    assert np.isnan(found.prevalence_index)
    unknown = diagnose(from_counts([[3, 0], [1, 2], [0, 3]] * 5)).pooled.movements
    assert np.isnan(unknown["kappa"].value)
    assert "κ" not in unknown.sentence
    assert len(unknown.to_rows()) == 5
