"""Values that papers print, from the bundled files through the command line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import Result

from pages import bundled

Run = Callable[..., Result]


def rows(run: Run, example: str, *words: str) -> dict[str, dict[str, float]]:
    result = run("agreement", str(bundled(example)), "-f", "json", "-q", *words)
    assert result.exit_code == 0, result.stderr
    return {row["coefficient"]: row for row in json.loads(result.stdout)}


@pytest.mark.parametrize(
    "scale, printed",
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_krippendorff2011(run: Run, scale: str, printed: float) -> None:
    """Data C in four metrics."""
    found = rows(run, "krippendorff2011", "-c", "alpha", "--scale", scale)
    assert found["alpha"]["value"] == pytest.approx(printed, abs=0.5e-3)


@pytest.mark.parametrize(
    "number, observed, kappa, ac1",
    [(2, 0.83, 0.67, 0.67), (3, 0.83, 0.56, 0.73), (4, 0.83, -0.09, 0.80)],
)
def test_hoek2017(run: Run, number: int, observed: float, kappa: float, ac1: float) -> None:
    """Table 6, as far as it prints two digits."""
    found = rows(run, f"hoek2017_table{number}", "-c", "kappa,ac1")
    assert found["kappa"]["observed"] == pytest.approx(observed, abs=0.5e-2)
    assert found["kappa"]["value"] == pytest.approx(kappa, abs=0.5e-2)
    assert found["ac"]["value"] == pytest.approx(ac1, abs=0.5e-2)
