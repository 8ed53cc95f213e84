"""What to report, and the bundle: on data that are small, broken, many questions."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import accordant as ac
from diagnosis.annotated import FLEISS_1971, guessing, of_grid, of_pairs, of_table

GAPS = [[0, 0], [1, 1], [0, -1]] * 30
SETS = ("ab", "ab", 60), ("a", "a", 90), ("bc", "bc", 60), ("c", "ac", 90)


def sets(coders: int, missing: float) -> ac.Annotations:
    names = ["a", "b", "a,b", "c", "b,c"]
    grid, rng = guessing(1, 60, 5, 0.7, coders), np.random.default_rng(1)
    grid[rng.random(grid.shape) < missing] = -1
    return of_grid(grid, names, separator=",")


@pytest.mark.parametrize(
    ("data", "primary", "beside"),
    [
        (FLEISS_1971, "alpha", ("pi",)),  # six coders
        (of_grid(GAPS), "alpha", ("pi",)),  # a gap
        (of_table([[50, 12], [8, 50]]), "pi", ("kappa",)),  # two coders, complete
        (of_table([[5, 1], [1, 5]]), "alpha", ("pi", "kappa")),  # the same, small sample
        (of_table([[20, 12], [8, 80]]), "pi", ("kappa", "ac", "s")),  # one category prevails
        (of_table([[9, 1], [9, 9]] * 3, (1, 2, 3, 4, 5, 6), scale="ordinal"), "alpha", ("kappa",)),
        (of_grid(np.zeros((60, 2), int)), "pi", ()),  # undefined
        (of_grid([[0, -1], [-1, 0]]), None, ()),  # nothing to compare
        (of_pairs(*SETS), "boot_match", ("boot_f1", "boot_precision", "boot_recall")),
        (sets(4, 0), "boot_match", ("boot_f1",)),  # of more coders the others are equal
        (sets(7, 0.4), "alpha_masi", ("boot_match",)),
    ],
)
def test_recommended(data: Any, primary: str | None, beside: tuple[str, ...]) -> None:
    table = ac.agreement(data)
    found = table.recommendation
    assert (found.primary, found.beside) == (primary, beside)
    assert found.always == (("percent",) if primary else ())
    assert all(s.endswith(".") for s in (*found.reasons, *found.reading))
    assert "nan" not in str(found)
    assert {row["coefficient"] for row in found.to_rows()} == {*beside, *found.always} | (
        {primary} if primary else set()
    )
    if primary:
        assert found.weights == table[primary].weights


def test_one_coefficient_for_all_questions() -> None:
    """Alone, the first question would have π; with gaps in the second, α fits both."""
    full, gaps = (list("aab" * 30), list("abb" * 30)), (list("aab" * 30), ["a", None, "b"] * 30)
    rows = [
        {"item": i, "coder": c, "full": full[k][i], "gaps": gaps[k][i]}
        for k, c in enumerate(("ann", "bob"))
        for i in range(90)
    ]
    found = ac.diagnose(rows, label=["full", "gaps"])
    assert {p.recommendation.primary for p in found} == {found.recommendation.primary} == {"alpha"}
    assert found["full"].recommendation.beside[0] == "pi"
    alone = ac.diagnose(rows, label="full")
    assert alone.recommendation.primary == "pi"
    assert found.same_scheme
    assert found[None] is found.pooled
    with pytest.raises(ac.RequestError, match="no question '9'"):
        found["9"]


def test_thresholds_come_with_their_authors_and_without_verdicts() -> None:
    found = ac.agreement(FLEISS_1971).recommendation
    assert {"krippendorff2004", "artstein2008", "landis1977"} <= set(found.sources)
    for verdict in ("substantial", "moderate", "almost perfect", "excellent"):
        assert verdict not in str(found)


@pytest.mark.parametrize("seed", range(4))
def test_the_same_whatever_the_order_of_rows_and_coders(seed: int) -> None:
    grid, rng = guessing(seed, right=0.8), np.random.default_rng(seed)
    grid[(grid[:, 2] == 0) & (rng.random(300) < 0.5), 2] = 1
    mixed = grid[rng.permutation(300)]
    first, second = (
        [(f.code, f.severity, f.facts.get("n"), f.facts.get("first")) for f in found]
        for found in (ac.diagnose(of_grid(x)).findings for x in (grid, mixed))
    )
    assert first == second


def test_what_is_measured_is_not_measured_again() -> None:
    """A bootstrap interval that was asked for is the one that caveats speak of."""
    table = ac.agreement(of_grid(guessing(2, 40)), interval="bootstrap", resamples=50, seed=1)
    assert table.diagnosis.pooled.facts.coefficients["alpha"] is table["alpha"]
    bare = ac.agreement(of_grid(guessing(2, 40)), "alpha", interval="none")
    alpha = bare.diagnosis.pooled.facts.coefficients["alpha"]
    assert alpha.low < alpha.high


def test_the_level_reaches_every_interval() -> None:
    narrow, wide = (ac.diagnose(of_grid(guessing(2, 40)), level=x).pooled for x in (0.5, 0.99))
    assert narrow.categories.rows[0].pi.high < wide.categories.rows[0].pi.high
    assert narrow.facts.coefficients["pi"].high < wide.facts.coefficients["pi"].high


def test_findings_are_rows_and_json() -> None:
    found = ac.diagnose(of_table([[60, 15, 1], [15, 60, 1], [1, 1, 60]]))
    keys = (
        "question severity code title stake remedy coder categories n p_value items sentence "
        "advice sources"
    )
    assert list(found.to_rows()[0]) == keys.split()
    pair = next(
        x for x in json.loads(json.dumps(found.nested(), default=str)) if x["code"] == "pair"
    )
    assert pair["categories"] == ["a", "b"]
    assert (pair["evidence"]["first"], pair["remedy"]) == ("a", "categories")
    assert pair["seen"]["items"] == pair["items"]


def test_caveats_do_not_load_what_only_causes_need() -> None:
    code = (
        "import sys, accordant as ac; t = ac.agreement([list('abaa'), list('abba')]);"
        "print([f.code for f in t.caveats], str(t)[:0]);"
        "print(sorted(m.rpartition('.')[2] for m in sys.modules if 'accordant.diagnosis.' in m))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    codes, loaded = shown.stdout.splitlines()
    assert "few_items" in codes
    assert not {"explanations", "what_if", "scores"} & set(eval(loaded))


def test_messages_stand_where_docstrings_are_left_out() -> None:
    code = (
        "import accordant as ac; found = ac.diagnose([list('abaa'), list('abba')]);"
        "print(all(f.sentence and f.advice for f in found.findings), len(found.findings))"
    )
    shown = subprocess.run(
        [sys.executable, "-OO", "-B", "-c", code], capture_output=True, text=True, check=True
    )
    assert shown.stdout.split()[0] == "True"
