"""Gwet's coefficients with errors, intervals and p-values against irrCAC (Python 0.4.4).

irrCAC asks for an old SciPy, so it runs in an environment of its own: `make irrcac`. Its answers
to 200 random data sets are also frozen in irrcac.json, which holds the data too, so that the
comparison runs everywhere. To make the file anew: `make irrcac`, then

    python -m oracle.test_irrcac        (in tests/, with the package installed)

Where irrCAC differs, and why:

- alpha: A_o has the small-sample term, A_e lacks it (the value is the same); its standard
  error mixes both versions of A_o where items differ in their number of annotations (R's
  irrCAC 1.4 does not, and agrees with us).
- Brennan-Prediger: the p-value is one tail (of the absolute score), all others are two.
- A standard error of 0 becomes 1e-15, so p becomes 0; ours has no p-value then.
- Where all pairs agree, nothing tells how much the coefficient varies: ours has no standard
  error but an exact bound. irrCAC's is 0, or more than 0 from items with one annotation.
- Undefined: alpha and Fleiss divide by zero, AC1 and Brennan-Prediger go on.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant import Agreement, agreement
from golden.dialects import weights_as_matrix
from golden.variants import alpha_linearised
from oracle.random_data import Differences, Sample, ours_of, samples

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FROZEN = HERE / "irrcac.json"
PYTHON = ROOT / ".venv-irrcac" / "bin" / "python"

NAMES = {"gwet": "ac", "fleiss": "pi", "conger": "kappa", "bp": "s", "krippendorff": "alpha"}
PARTS = ("value", "pa", "pe", "se", "low", "high", "p")
WEIGHTS = ("linear", "quadratic", "radical", "ratio", "ordinal", "circular", "bipolar")
PRINTED = 6e-8  # the frozen numbers have eight digits
RUN = 1e-9
QUANTILE = 2e-8  # t(39) of SciPy 1.12 errs by 4e-9 of itself; newer versions do not

N_FROZEN = 200
N_LIVE = 40


def jobs(chosen: list[Sample]) -> list[dict[str, Any]]:
    """Each sample with identity and with two other weights, all weights in turn."""
    found = []
    for k, s in enumerate(chosen):
        for w in ("identity", WEIGHTS[k % 7], WEIGHTS[(k + 3) % 7]):
            found.append(
                {"sample": s.number, "labels": s.labels, "categories": s.categories, "weights": w}
            )
    return found


def run(wanted: list[dict[str, Any]]) -> Any:
    done = subprocess.run(
        [PYTHON, HERE / "irrcac_batch.py"],
        input=json.dumps(wanted),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def check(
    differences: Differences, sample: Sample, weights: str, theirs: Any, within: float
) -> None:
    """All numbers of one data set with one kind of weights."""
    rows = ours_of(sample, list(NAMES.values()), weights, interval="analytic")
    for name, numbers in theirs.items():
        row = rows[NAMES[name]]
        if numbers is None:
            assert row.undefined or not row.se > 0, f"{sample}, {name}: irrCAC has no value"
            continue
        if row.undefined:  # its Brennan-Prediger and AC1 go on with a single category
            assert None in numbers or not abs(numbers[2] - 1) > 1e-9, f"{sample}, {name}"
            continue
        wanted = dict(zip(PARTS, [np.nan if x is None else x for x in numbers], strict=True))
        compare_row(differences, sample, f"{name} {weights}", row, wanted, within)


def compare_row(
    differences: Differences, sample: Sample, what: str, row: Agreement, wanted: Any, within: float
) -> None:
    def compare(part: str, mine: float) -> None:
        room = max(within, QUANTILE) if part in ("low", "high") else within
        differences.compare(sample, f"{what} {part}", mine, wanted[part], within=room)

    compare("value", row.value)
    observed, expected, se = row.observed, row.expected, row.se
    if row.coefficient == "alpha":
        observed, expected, se = alpha_of_irrcac(sample, row, what.split()[1])
    compare("pa", observed)
    compare("pe", expected)
    if row.value > 1 - 1e-12:
        assert np.isnan(row.se)
        assert row.low < row.high == 1
        return
    if not se > 1e-9:
        assert wanted["se"] <= 1e-9
        return
    compare("se", se)
    if row.coefficient == "alpha" and abs(se - row.se) > 1e-12:
        return  # another standard error: another interval and p-value
    if wanted["low"] < row.low - PRINTED:  # ours stops at what is possible, theirs goes on
        assert row.low <= row.value
    else:
        compare("low", row.low)
        compare("high", min(1.0, 2 * row.value - row.low))
    compare("p", row.p_value / 2 if row.coefficient == "s" else row.p_value)


def alpha_of_irrcac(sample: Sample, row: Agreement, weights: str) -> tuple[float, float, float]:
    """A_o, A_e and standard error of alpha as irrCAC writes them."""
    pool = sample.counts[sample.counts.sum(1) >= 2].sum(0)
    n, w = pool.sum(), weights_as_matrix(weights, tuple(sample.categories))
    p = pool / n
    _, se, _ = alpha_linearised(sample.counts, w, corrected_centre=True)
    return float((1 - 1 / n) * row.observed + 1 / n), float(p @ w @ p), se


def test_frozen() -> None:
    """200 data sets, three kinds of weights each, five coefficients, seven numbers."""
    frozen = json.loads(FROZEN.read_text(encoding="utf-8"))
    differences = Differences()
    for job in frozen["jobs"]:
        codes = np.array([[-1 if v is None else v - 1 for v in row] for row in job["labels"]]).T
        sample = Sample(job["sample"], codes, job["n_values"])
        for weights, theirs in job["results"].items():
            check(differences, sample, weights, theirs, PRINTED)
    differences.none_left(of_at_least=15_000)


@pytest.mark.needs("irrcac")
def test_live() -> None:
    """Other samples than the frozen ones, to full precision."""
    chosen = samples()[N_FROZEN : N_FROZEN + N_LIVE]
    differences = Differences()
    wanted = jobs(chosen)
    for job, theirs in zip(wanted, run(wanted)["results"], strict=True):
        sample = samples()[job["sample"]]
        check(differences, sample, job["weights"], theirs, RUN)
    differences.none_left(of_at_least=3_000)


def test_finite_population() -> None:
    """irrCAC's N: of 40 items, 10 sampled ones leave 1 - 10 / 40 of the variance."""
    rows = [[1, 2, 3, 3, 2, 1, 4, 1, 2, 2], [1, 2, 3, 3, 2, 2, 4, 1, 2, 1]]
    free, bound = (agreement(rows, "ac1", population=n)["ac1"] for n in (None, 40))
    assert bound.se == pytest.approx(free.se * np.sqrt(1 - 10 / 40), abs=1e-15)


# ------------------------------------------------------------------ make irrcac.json anew


def freeze() -> None:
    chosen = samples()[:N_FROZEN]
    wanted = jobs(chosen)
    found = run(wanted)

    def short(x: Any) -> Any:
        return None if x is None else float(f"{x:.8g}")

    by_sample: dict[int, Any] = {}
    for job, result in zip(wanted, found["results"], strict=True):
        one = by_sample.setdefault(
            job["sample"],
            {
                "sample": job["sample"],
                "n_values": len(job["categories"]),
                "labels": job["labels"],
                "results": {},
            },
        )
        one["results"][job["weights"]] = {
            c: None if numbers is None else [short(x) for x in numbers]
            for c, numbers in result.items()
        }
    head = {
        "about": "Answers of the Python package irrCAC to random data sets. Not accordant's output.",
        "parts": PARTS,
        "versions": found["versions"],
        "seed": "oracle/random_data.py, the first samples",
        "made by": "python -m oracle.test_irrcac",
    }
    lines = ",\n".join(json.dumps(job, separators=(",", ":")) for job in by_sample.values())
    text = json.dumps(head, indent=1)[:-2] + ',\n "jobs": [\n' + lines + "\n]}\n"
    FROZEN.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    freeze()
