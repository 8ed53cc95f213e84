"""How far a model fits, which model is advised, and CrowdTruth's measures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.render.show import sections_of
from accordant.views.blocks import Actions, Finding, Table
from accordant.views.view import named
from claims.simulated_crowd import simulate_crowd

CROWD = simulate_crowd(
    150, {"good": 6, "spammer": 2}, ["yes", "no", "unsure"], per_item=4, gold=0.1, seed=4
)


@pytest.fixture(scope="module")
def fitted() -> Any:
    return ac.fit(CROWD.data)


@pytest.fixture(scope="module")
def choice() -> Any:
    return ac.which_model(CROWD.data, ["majority", "pooled", "mace"])


def rows(found: Any, name: str, of: str = "fit") -> list[dict[str, Any]]:
    return named(of, name).rows(found.told_parts)


def test_golden_page(golden: Callable[..., None], fitted: Any) -> None:
    shown = ("model", "findings", "checks", "convergence")
    golden("model_fit", [named("fit", name).section(fitted.told_parts) for name in shown])


def test_golden_page_of_crowdtruth(golden: Callable[..., None], fitted: Any) -> None:
    shown = ("crowdtruth", "crowdtruth-original")
    golden("crowdtruth", [named("fit", name).section(fitted.told_parts) for name in shown])


def test_findings_are_those_of_labels_and_coders(fitted: Any) -> None:
    codes = {f.code for f in (*fitted.findings, *ac.coders(fitted, leave_out=0).findings)}
    shown = rows(fitted, "findings")
    assert {row["code"] for row in shown} <= codes
    assert "random_coder" in {row["code"] for row in shown}
    blocks = named("fit", "findings").section(fitted.told_parts).blocks
    grave = [b for b in blocks if isinstance(b, Finding)]
    assert len(grave) == len({r["code"] for r in shown if r["severity"] != "note"})


def test_checks_are_those_of_the_posterior(fitted: Any) -> None:
    made = fitted.checks()
    assert rows(fitted, "checks") == list(made.to_rows())
    table = next(
        b
        for b in named("fit", "checks").section(fitted.told_parts).blocks
        if isinstance(b, Table) and b.depth == "main"
    )
    assert [(row["check"], row["fits"]) for row in table.rows] == [
        (c.title, c.fits) for c in made.each
    ]
    assert made.each[0].title in str(made)


def test_convergence_of_every_start(fitted: Any) -> None:
    shown = rows(fitted, "convergence")
    runs = (fitted.estimate.climb, *fitted.estimate.restarts)
    assert [row["reached"] for row in shown] == [run.value for run in runs]
    assert [row["converged"] for row in shown] == [run.converged for run in runs]


def test_models_the_best_first_and_the_advised_one_next(choice: Any) -> None:
    shown = rows(choice, "models", "which_model")
    assert [row["model"] for row in shown] == [row["model"] for row in choice.to_rows()]
    (actions,) = (b for s in sections_of(choice) for b in s.blocks if isinstance(b, Actions))
    assert actions.actions[0].options == {"model": choice.advised}
    assert choice.each[0].model.name in str(choice)


def test_crowdtruth_ranks_coders_by_quality(fitted: Any) -> None:
    found, original = (ac.crowdtruth(CROWD.data, version=x) for x in ("2.0", "1.0"))
    assert rows(fitted, "crowdtruth") == found.to_rows()
    assert rows(fitted, "crowdtruth-original") == original.to_rows()
    (table,) = (
        b for b in sections_of(found)[0].blocks if isinstance(b, Table) and b.depth == "main"
    )
    quality = [row["quality"] for row in table.rows if row["of"] == "coder"]
    assert quality == sorted(quality, reverse=True)
    items = [row["quality"] for row in table.rows if row["of"] == "item"]
    assert items == sorted(found["item_quality"].tolist())[:5]
    (table,) = (
        b for b in sections_of(original)[0].blocks if isinstance(b, Table) and b.depth == "main"
    )
    apart = [row["disagreement_with_items"] for row in table.rows if row["of"] == "coder"]
    assert apart == sorted(apart)


def test_what_lies_deep_is_not_shown_by_print(fitted: Any) -> None:
    deep = [
        b.title
        for s in sections_of(fitted)
        for b in s.every_block()
        if isinstance(b, Table) and b.depth == "evidence"
    ]
    assert deep
    pages = (str(fitted), fitted._repr_html_(), fitted.to_markdown(), fitted.to_latex())
    assert not any(title in page for title in deep for page in pages)
