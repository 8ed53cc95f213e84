"""Several columns that hold the labels of one annotation: a column for each label, or ranks."""

from __future__ import annotations

from typing import Any

import pytest

from accordant import Annotations, InputError, read

BASE = {"item": ["1", "1", "2", "2", "3", "3"], "coder": ["A", "B"] * 3}
JOY, AWE = [1, 1, 0, 1, 0, 1], [0, 1, 1, 1, 0, 0]


def sets(data: Annotations) -> list[Any]:
    return [r["label"] for r in sorted(data.to_rows(), key=lambda r: (str(r["item"]), r["coder"]))]


EXPECTED = [("joy",), ("joy", "awe"), ("awe",), ("joy", "awe"), (), ("joy",)]


@pytest.mark.parametrize(
    "columns, options",
    [
        ({"label_joy": JOY, "label_awe": AWE}, {}),
        ({"label[joy]": JOY, "label[awe]": AWE}, {"layout": "onehot"}),
        ({"joy": JOY, "awe": AWE}, {"layout": "onehot"}),
        ({"joy": [bool(x) for x in JOY], "awe": ["yn"[not x] for x in AWE]}, {"layout": "onehot"}),
        ({"joy": JOY, "awe": AWE, "n": [0, 1] * 3}, {"layout": "onehot", "label": ["joy", "awe"]}),
    ],
)
def test_a_column_for_each_label(columns: dict[str, Any], options: dict[str, Any]) -> None:
    columns = {
        k: ["y" if x == "y" else "n" if x == "n" else x for x in v] for k, v in columns.items()
    }
    data = read({**BASE, **columns}, **options)
    assert sets(data) == EXPECTED
    assert data.scheme.categories == ("joy", "awe")


@pytest.mark.parametrize("form", ["{c}_{x}", "{x}: {c}", "{c} {x}"])
def test_a_column_for_each_label_of_each_coder(form: str) -> None:
    cells = {
        form.format(c=c, x=x): [v[2 * i + k] for i in range(3)]
        for k, c in enumerate(("Ann", "Bob"))
        for x, v in (("joy", JOY), ("awe", AWE))
    }
    data = read({"item": ["1", "2", "3"], **cells}, layout="onehot", coder=["Ann", "Bob"])
    assert data.coders == ("Ann", "Bob")
    assert sets(data) == EXPECTED


def test_marks_that_may_be_labels_of_one_question_are_asked_about() -> None:
    """Exactly one mark in each row: nobody asks such questions one by one."""
    once = {"pro": [1, 0, 1, 1, 0, 0], "con": [0, 1, 0, 0, 1, 1]}
    with pytest.raises(InputError) as error:
        read(BASE | once)
    assert {"layout": "onehot", "label": ["pro", "con"]} in [
        dict(a.options) for a in error.value.do
    ]


def test_rows_without_a_mark_are_asked_about_where_only_marks_are_written() -> None:
    marks = {"joy": ["x", "x", "", "x", "", "x"], "awe": ["", "x", "x", "x", "", ""]}
    with pytest.warns(UserWarning, match="without any mark"):
        data = read(BASE | marks, layout="onehot")
    assert data.statuses()["not assigned"] == 1
    assert read(BASE | marks, layout="onehot", blank="empty").values[0] == ()


@pytest.mark.parametrize(
    "columns, options",
    [
        ({"joy": JOY, "awe": [0, 2, 1, 1, 0, 0]}, {"label": ["joy", "awe"]}),
        ({"joy": JOY}, {}),
        ({"joy": JOY, "awe": AWE}, {"label": ["joy", "fear"]}),
        ({"joy": JOY, "awe": AWE}, {"coder": ["Ann", "Bob"]}),
    ],
)
def test_what_is_no_column_of_marks(columns: dict[str, Any], options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        read({**BASE, **columns}, layout="onehot", **options)


RANKS = {
    "p": ["joy", "awe", "awe", "joy", "fear", "joy"],
    "s": ["awe", None, "joy", "awe", None, None],
}


def test_ranked_columns_keep_the_order_of_labels() -> None:
    data = read(BASE | RANKS, label=["p", "s"], layout="ranked")
    assert sets(data)[:3] == [("joy", "awe"), ("awe",), ("awe", "joy")]
    assert data.scheme.ranked
    none = read(BASE | RANKS | {"s": ["none"] * 6}, label=["p", "s"], layout="ranked", empty="none")
    assert {len(x) for x in sets(none)} == {1}


def test_a_second_label_without_a_first_is_refused() -> None:
    with pytest.raises(InputError) as error:
        read(BASE | RANKS | {"p": [None, *RANKS["p"][1:]]}, label=["p", "s"], layout="ranked")
    assert (error.value.row, error.value.column) == (1, "s")


def test_ranked_cells_are_apart_from_sets() -> None:
    cells = [["joy;awe", "awe"], ["awe;joy", "awe"]]
    assert len(read(cells).values) == 2
    assert len(read(cells, layout="ranked").values) == 3
