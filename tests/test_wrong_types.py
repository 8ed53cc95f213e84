"""Every public call refuses wrong types for every parameter, with an error of ours."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.inputs import hints_of, inputs_of
from accordant.validation import checked, fits

LABELS = [list("abaabcab"), list("abbabcaa"), list("acbabcba")]
PEOPLE = {"item": list(range(8)), "anna": LABELS[0], "bob": LABELS[1]}
MODEL = {"item": list(range(8)), "gpt": LABELS[0]}
NEEDED: dict[str, Callable[[], tuple[Any, ...]]] = {
    "agreement": lambda: (LABELS,),
    "benchmark": lambda: (0.7, 0.05),
    "coders": lambda: (LABELS,),
    "check": lambda: (LABELS,),
    "compare": lambda: (LABELS, LABELS),
    "crowdtruth": lambda: (LABELS,),
    "to_check": lambda: (LABELS,),
    "decompose": lambda: (LABELS,),
    "describe": lambda: (LABELS,),
    "diagnose": lambda: (LABELS,),
    "example": lambda: ("visitors",),
    "fit": lambda: (LABELS,),
    "items_needed": lambda: (0.1, LABELS),
    "list_models": lambda: (),
    "model_as_coder": lambda: (PEOPLE, MODEL),
    "multilabel_study": lambda: (),
    "project_report": lambda: (object(),),
    "read": lambda: (LABELS,),
    "report": lambda: (LABELS,),
    "score_predictions": lambda: (PEOPLE, PEOPLE),
    "simulate": lambda: (10, 5, 3),
    "soft_labels": lambda: (LABELS,),
    "span_f1": lambda: (LABELS,),
}
"""What each public function cannot do without."""

PUBLIC = {
    name: found
    for name in ac.__all__
    if callable(found := getattr(ac, name)) and not inspect.isclass(found)
}
TAKEN = [(name, one.name) for name, f in PUBLIC.items() for one in inputs_of(f) if not one.several]
TYPED = [
    (name, parameter)
    for name, parameter in TAKEN
    if not fits(object(), hints_of(PUBLIC[name])[parameter])
]
WRONG = [3, -1, 1.5, math.nan, "x", object(), [], {}, None, True, b"x", [None]]
QUICK = {
    "multilabel_study": {"items": 4, "datasets": 1, "double": (0.0,), "agreement": (0.7,)},
    "score_predictions": {"resamples": 2},
}


def given(name: str, parameter: str, value: Any) -> None:
    """The call with one argument replaced."""
    needed = dict(zip(hints_of(PUBLIC[name]), NEEDED[name](), strict=False))
    options = {k: v for k, v in QUICK.get(name, {}).items() if k in hints_of(PUBLIC[name])}
    PUBLIC[name](**options | needed | {parameter: value})


def test_the_list_is_whole() -> None:
    assert NEEDED.keys() == PUBLIC.keys()


@pytest.mark.parametrize(("name", "parameter"), TYPED)
def test_an_object_is_refused_by_name(name: str, parameter: str) -> None:
    with pytest.raises(ac.RequestError) as caught:
        given(name, parameter, object())
    assert caught.value.parameter in (parameter, "project")
    assert "not <object" in caught.value.message


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "parameter"), TAKEN)
def test_no_error_of_others(name: str, parameter: str) -> None:
    """Whatever is given: an answer, or an error of ours."""
    for value in WRONG:
        with suppress(ac.AccordantError):
            given(name, parameter, value)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: ac.agreement(LABELS, coefficients=3), "coefficients: .*not 3"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, weights=3), "weight"),
        (lambda: ac.agreement(LABELS, interval=3), "interval: .*not 3"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, interval="x"), "interval"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, level="x"), "level: .*not 'x'"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, level=1), "level: .*not 1"),
        (lambda: ac.agreement(LABELS, level=0.0), "level: .*not 0.0"),
        (lambda: ac.agreement(LABELS, null="x"), "null: .*not 'x'"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, resamples=-1), "resamples: .*not -1"),
        (lambda: ac.agreement(LABELS, resamples=1.5), "resamples: .*not 1.5"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, seed="x"), "seed"),
        (lambda: ac.agreement(LABELS, undefined="x"), "undefined"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, population=-3), "population"),
        (lambda: ac.agreement(LABELS, sampled_coders="no"), "sampled_coders: .*not 'no'"),  # type: ignore[arg-type]
        (lambda: ac.agreement(LABELS, scale=3), "scale: .* 3"),
        (lambda: ac.compare(LABELS, LABELS, paired="x"), "paired: .*not 'x'"),  # type: ignore[arg-type]
        (lambda: ac.report(LABELS, title=3), "title: .*not 3"),  # type: ignore[arg-type]
    ],
)
def test_what_was_found_is_named(call: Callable[[], Any], named: str) -> None:
    with pytest.raises(ac.RequestError, match=named):
        call()


def test_numbers_of_numpy_are_numbers() -> None:
    table = ac.agreement(
        LABELS,
        ("alpha",),
        level=np.float32(0.9),
        resamples=np.int64(50),  # type: ignore[arg-type]
        sampled_coders=np.bool_(False),
        null=np.float64(0),  # type: ignore[arg-type]
    )
    assert table["alpha"].level == pytest.approx(0.9)
    plan = ac.items_needed(0.2, shares=np.array([0.5, 0.5]), agreement=0.7)  # type: ignore[arg-type]
    assert (plan.n_items or 0) > 0


def test_a_missing_argument_is_pythons_own_error() -> None:
    @checked
    def half(x: float) -> float:
        return x / 2

    assert half(3) == 1.5
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        half()  # type: ignore[call-arg]
    with pytest.raises(ac.RequestError, match="no option 'y': half has x"):
        half(1, y=2)  # type: ignore[call-arg]
