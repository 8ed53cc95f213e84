"""The lists of coefficients and of models."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.measure.coefficient_list import list_coefficients
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.measures import NAMED
from accordant.models.model_list import MODELS
from accordant.render.show import sections_of
from accordant.views.registries import formula_text
from accordant.views.view import named


def test_golden_page(golden: Callable[..., None]) -> None:
    lists = (
        list_coefficients(),
        list_coefficients("alpha", "boot_match"),
        ac.list_models(),
        ac.list_models("mace", "majority"),
    )
    golden("registries", [section for found in lists for section in sections_of(found)])


def test_every_coefficient_and_every_measure_is_listed() -> None:
    rows = named("coefficients", "definitions").rows([list_coefficients()])
    assert [row["coefficient"] for row in rows] == [*COEFFICIENTS, *NAMED]
    assert rows == [{"question": None} | row for row in list_coefficients().to_rows()]


def test_coefficients_go_by_any_of_their_names() -> None:
    rows = named("coefficients", "definitions").rows([list_coefficients("fleiss", "ac1")])
    assert [row["coefficient"] for row in rows] == ["pi", "ac"]
    with pytest.raises(RequestError, match="alpha"):
        list_coefficients("alfa")


def test_every_model_is_listed() -> None:
    rows = named("list_models", "definitions").rows([ac.list_models()])
    assert [row["model"] for row in rows] == list(MODELS)


def test_options_of_a_model_but_none_for_programs() -> None:
    rows = named("list_models", "definitions").rows([ac.list_models("mace", "glad")])
    every = ac.list_models("mace", "glad").to_rows()
    assert rows == [{"question": None} | row for row in every if row["option"] != "history"]
    assert {row["model"] for row in rows} == {"mace", "glad"}


@pytest.mark.parametrize("key", COEFFICIENTS)
def test_formulas_are_plain_text(key: str) -> None:
    assert not set("\\{}") & set(formula_text(COEFFICIENTS[key].formula))
