"""Worked examples through the command line: a file in, JSON out.

Each call prints all coefficients, so it answers every example with these data and weights.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from accordant import Agreement
from golden.cases import COEFFICIENT, DATASETS, Case, of_measures, weights_of
from golden.dialects import dialect_of, restated
from papers.test_golden import NOT_REPRODUCED, misses


@dataclass(frozen=True)
class Call:
    """One command: a data set in one shape, weights, and how uncertainty is made."""

    data: str
    shape: str
    weights: str = "identity"
    large: bool = False
    alternative: str = "two-sided"

    def __str__(self) -> str:
        return f"{self.data}, {self.shape}, {self.weights}"


CALLS = [
    Call("kripp_4x12", "wide"),
    Call("kripp_4x12", "long", "quadratic"),
    Call("kripp_4x12", "long", "ordinal-metric"),
    Call("kripp_4x12", "wide", "ratio"),
    Call("kripp_4x12", "wide", alternative="greater"),
    Call("cac.raw5obser", "wide"),
    Call("cac.raw.gender", "long"),
    Call("cac.ben.gerry", "wide"),
    Call("fleiss1971", "long"),
    Call("wikipedia_fleiss_10x5", "counts"),
    Call("distrib.6raters", "counts"),
    Call("distrib.6raters", "counts", "quadratic"),
    Call("artstein_poesio_2008_t2", "table"),
    Call("feinstein_cicchetti_2", "table"),
    Call("cont3x3abstractors", "table", "linear", True),
    Call("cont4x4diagnosis_py", "table", large=True),
]


def answered_by(call: Call) -> list[Case]:
    """The examples that this call answers."""
    return [
        c
        for c in of_measures(*COEFFICIENT)
        if c.data == call.data
        and weights_of(c) == call.weights
        and "coders" not in c.params
        and c.id not in NOT_REPRODUCED
        and (dialect_of(c).large, dialect_of(c).alternative) == (call.large, call.alternative)
    ]


def write(path: Path, data: dict[str, Any], shape: str) -> list[str]:
    """The data set as CSV, and the options that say what the file cannot."""
    if shape == "table":
        names = data.get("categories") or list(range(1, len(data["table"]) + 1))
        rows = [["", *names], *([n, *row] for n, row in zip(names, data["table"], strict=True))]
        options = ["--layout", "table", "--categories", ",".join(map(str, names))]
    elif shape == "counts":
        names = list(range(1, len(data["counts"][0]) + 1))
        rows = [["item", *names], *([i, *row] for i, row in enumerate(data["counts"]))]
        options = ["--layout", "counts", "--categories", ",".join(map(str, names))]
    else:
        coders = data["coders"]
        names = [f"coder {c + 1}" for c in range(len(coders))]
        options = []
        if shape == "wide":
            rows = [
                ["item", *names],
                *([i, *row] for i, row in enumerate(zip(*coders, strict=True))),
            ]
        else:
            cells = [
                (i, n, v) for n, row in zip(names, coders, strict=True) for i, v in enumerate(row)
            ]
            rows = [["item", "coder", "label"], *(list(c) for c in cells if c[2] is not None)]
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return options


def as_row(answer: dict[str, Any]) -> Agreement:
    """A row of JSON as the result it came from; null is NaN again."""
    names = {f.name for f in fields(Agreement)}
    numbers = {"value", "observed", "expected", "se", "low", "high", "p_value"}
    return Agreement(
        **{
            k: math.nan if v is None and k in numbers else v
            for k, v in answer.items()
            if k in names
        }
    )


@pytest.mark.parametrize("call", CALLS, ids=str)
def test_examples_through_the_command_line(
    call: Call, tmp_path: Path, run: Callable[..., Result]
) -> None:
    path = tmp_path / "data.csv"
    options = write(path, DATASETS[call.data], call.shape)
    done = run(
        "agreement",
        str(path),
        "--format",
        "json",
        "--weights",
        call.weights,
        "--interval",
        "analytic",
        "--alternative",
        call.alternative,
        *options,
    )
    assert done.exit_code == 0, done.stderr
    answers = json.loads(done.stdout)
    rows = {a["coefficient"]: as_row(a) for a in answers}
    cases = answered_by(call)
    assert cases, "no example has these data and weights"
    for case in cases:
        assert not misses(case, restated(case, rows[COEFFICIENT[case.measure]])), case.id


def test_the_sample_is_large_and_of_all_shapes() -> None:
    assert {c.shape for c in CALLS} == {"wide", "long", "table", "counts"}
    assert sum(len(answered_by(c)) for c in CALLS) > 90
