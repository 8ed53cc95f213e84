"""How reliable coders are: the numbers of `coders`, in one order everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.render.show import sections_of
from accordant.views.blocks import Block, Chart, Finding, Matrix, Prose, Table
from accordant.views.view import named, names
from claims.simulated_crowd import simulate_crowd

CROWD = simulate_crowd(250, {"good": 6, "spammer": 1, "adversary": 1}, 3, per_item=5, seed=3)
NAMES = ("coders", "confusion", "leave-one-out", "groups", "readings")


@pytest.fixture(scope="module")
def fitted() -> Any:
    return ac.fit(CROWD.data)


@pytest.fixture(scope="module")
def of_groups() -> Any:
    return ac.fit(simulate_crowd(300, {"good": 4, "school": 3}, 3, per_item=7, seed=1).data)


@pytest.fixture(scope="module")
def of_sets() -> Any:
    return ac.fit(ac.simulate(40, 3, 4, double=0.2, seed=1))


def blocks(found: Any, name: str, **options: Any) -> list[Block]:
    return list(named("fit", name).section(found.told_parts, **options).blocks)


def rows(found: Any, name: str, **options: Any) -> list[dict[str, Any]]:
    return named("fit", name).rows(found.told_parts, **options)


def accuracies(found: Any) -> list[tuple[float, str]]:
    return sorted((-c.competence, c.coder) for c in ac.coders(found, leave_out=0))


def test_golden_page(golden: Callable[..., None], of_groups: Any) -> None:
    sections = [named("fit", name).section(of_groups.told_parts) for name in NAMES]
    golden("annotator_reliability", sections)


def test_what_programs_get_is_that_of_coders(fitted: Any) -> None:
    expected = {c.coder: c for c in ac.coders(fitted, leave_out=0)}
    shown = rows(fitted, "coders")
    assert {row["coder"] for row in shown} == set(expected)
    keys = ("competence", "low", "high", "skill", "skill_low", "skill_high", "n_annotations")
    for row in shown:
        c = expected[row["coder"]]
        assert [row[key] for key in keys] == [getattr(c, key) for key in keys]
        assert row["verdict"] == c.words


def test_one_order_of_coders(fitted: Any) -> None:
    order = [name for _, name in accuracies(fitted)]
    for name in ("coders", "leave-one-out"):
        assert [row["coder"] for row in rows(fitted, name)] == order
    assert list(dict.fromkeys(row["coder"] for row in rows(fitted, "confusion"))) == order
    alone = named("coders", "coders").rows(ac.coders(fitted, leave_out=0).told_parts)
    assert [row["coder"] for row in alone] == order


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_every_format_has_the_same_cells_in_the_same_order(fitted: Any, form: str) -> None:
    page = {
        "markdown": fitted.to_markdown,
        "latex": fitted.to_latex,
        "html": fitted._repr_html_,
        "text": fitted.__str__,
    }[form]()
    own = ac.coders(fitted, leave_out=0)
    ends = [(own[name].low, own[name].high) for _, name in accuracies(fitted)]
    places = [page.index(f"{low:.3f}, {high:.3f}") for low, high in ends]
    assert places == sorted(places)


def test_the_chart_draws_the_table(fitted: Any) -> None:
    (chart,) = (b for b in blocks(fitted, "coders") if isinstance(b, Chart))
    drawn = {row["name"]: row for row in chart.definition["data"]["values"]}
    for row in chart.table.rows:
        own = drawn[row["coder"]]
        assert (own["value"], own["low"], own["high"]) == tuple(
            row[key] for key in ("competence", "low", "high")
        )
        # skill = (accuracy - chance) / (1 - chance)
        again = (row["competence"] - own["other"]) / (1 - own["other"])
        assert again == pytest.approx(row["skill"], abs=1e-9)
    assert drawn["adversary 1"]["colour"] != drawn["good 1"]["colour"]


def test_accuracy_on_known_labels_counted_by_hand(fitted: Any) -> None:
    truth = dict(zip(CROWD.data.items, CROWD.labels, strict=True))
    given: dict[str, list[bool]] = {}
    answered = CROWD.data.answered
    for i, c, v in zip(
        *(getattr(answered, key).tolist() for key in ("item", "coder", "value")), strict=True
    ):
        right = CROWD.data.values[v] == truth[CROWD.data.items[i]]
        given.setdefault(CROWD.data.coders[c], []).append(right)
    for row in rows(fitted, "coders", truth=truth):
        own = given[row["coder"]]
        assert row["n_known"] == len(own)
        assert row["accuracy"] == pytest.approx(sum(own) / len(own))
        assert row["accuracy_low"] < row["accuracy"] < row["accuracy_high"]


def test_one_coder_alone(fitted: Any) -> None:
    for name in ("coders", "confusion"):
        assert {row["coder"] for row in rows(fitted, name, of="good 1")} == {"good 1"}
        with pytest.raises(RequestError, match="nobody"):
            rows(fitted, name, of="nobody")


def test_rows_of_a_confusion_matrix_sum_to_one(fitted: Any) -> None:
    matrices = [b for b in blocks(fitted, "confusion") if isinstance(b, Matrix)]
    assert matrices
    for matrix in matrices:
        for line in matrix.cells:
            assert sum(cell.value for cell in line) == pytest.approx(1, abs=1e-9)


def test_without_a_coder(fitted: Any) -> None:
    shown = rows(fitted, "leave-one-out")
    for row in shown:
        n = row["n_changed"] + row["n_tied"] + row["n_unannotated"]
        assert row["labels_changing"] == pytest.approx(n / row["n_items"])
    whole = float(ac.agreement(CROWD.data, "alpha")["alpha"].value)
    assert all(row["alpha_without"] - row["alpha_change"] == pytest.approx(whole) for row in shown)


def test_groups_and_what_each_says(of_groups: Any) -> None:
    assert [row["n_coders"] for row in rows(of_groups, "groups")] == [4, 3]
    told = [b for b in blocks(of_groups, "groups") if isinstance(b, Finding)]
    assert len(told) == 1
    differing = rows(of_groups, "readings")
    assert len(differing) > 20
    assert all(row["school_1"] != row["school_2"] for row in differing)


def test_no_groups_say_why(fitted: Any) -> None:
    (table,) = (b for b in blocks(fitted, "groups") if isinstance(b, Table))
    assert table.rows == ()
    assert table.notes


def test_sets_label_by_label_and_on_average(of_sets: Any) -> None:
    expected = ac.coders(of_sets, leave_out=0)
    shown = rows(of_sets, "coders")
    assert len(shown) == 3 * len(of_sets.categories)
    for row in shown:
        assert row["skill"] == expected[row["label"]][row["coder"]].skill
    (chart,) = (b for b in blocks(of_sets, "coders") if isinstance(b, Chart))
    mean = of_sets.competence.tolist()
    order = sorted(zip(mean, of_sets.coders, strict=True), key=lambda x: (-x[0], x[1]))
    assert [row["coder"] for row in chart.table.rows] == [name for _, name in order]
    for name in NAMES:
        assert isinstance(rows(of_sets, name), list)


def test_many_coders_are_cut_for_readers_and_those_to_look_at_stay() -> None:
    found = ac.fit(simulate_crowd(500, {"good": 60, "spammer": 2}, 3, per_item=6, seed=5).data)
    assert len(rows(found, "coders")) == 62
    (chart,) = (b for b in blocks(found, "coders") if isinstance(b, Chart))
    assert len(chart.table.rows) == 12
    assert {"spammer 1", "spammer 2"} <= {row["coder"] for row in chart.table.rows}


def test_positions_are_no_persons() -> None:
    table = [{"item": i, "label": x} for i, y in enumerate(["aab", "abb", "aaa"]) for x in y]
    assert isinstance(blocks(ac.fit(table), "coders")[0], Prose)


def test_a_vote_has_agreement_with_the_vote() -> None:
    found = ac.fit(CROWD.data, "majority")
    (chart,) = (b for b in blocks(found, "coders") if isinstance(b, Chart))
    headings = {c.key: c.heading for c in chart.table.columns}
    assert headings["competence"] == "agreement with vote"


def test_a_result_shows_the_table_of_coders(fitted: Any) -> None:
    assert [s.key for s in sections_of(fitted)] == ["answer", "coders", "findings", "next"]
    assert [s.key for s in sections_of(ac.coders(fitted, leave_out=0))] == ["coders"]
    assert set(NAMES) < set(names("fit"))
