"""When each coder annotated an item is kept, a column for each coder."""

from __future__ import annotations

import pandas as pd
import pytest

import accordant as ac


def long_frame(**columns: list[object]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "item": [1, 1, 2, 2, 3],
            "coder": ["ann", "bob", "bob", "ann", "ann"],
            "label": ["x", "y", "x", "x", "y"],
            **columns,
        }
    )


def test_a_time_that_differs_between_coders_has_a_column_for_each() -> None:
    data = ac.read(long_frame(created_at=["09:00", "10:00", "10:05", "09:10", "09:20"]))
    assert data.metadata["ann: created_at"] == ("09:00", "09:10", "09:20")
    assert data.metadata["bob: created_at"] == ("10:00", "10:05", None)
    assert "created_at" not in data.metadata
    assert not any("ignored" in note for note in data.reading.notes)


def test_a_time_of_the_item_is_one_fact_about_it() -> None:
    data = ac.read(long_frame(created_at=["09:00", "09:00", "09:05", "09:05", "09:20"]))
    assert data.metadata["created_at"] == ("09:00", "09:05", "09:20")


@pytest.mark.parametrize("name", ["position", "time", "order"])
def test_numbers_count_as_an_order_only_under_such_a_name(name: str) -> None:
    data = ac.read(long_frame(**{name: [1, 1, 2, 3, 2]}), label="label")
    assert data.metadata[f"ann: {name}"] == (1, 3, 2)
    other = ac.read(long_frame(effort=[1, 1, 2, 3, 2]), label="label")
    assert other.metadata == {}
    assert any("'effort'" in note for note in other.reading.notes)


def test_the_first_time_counts_where_a_coder_answers_several_questions() -> None:
    frame = pd.concat(
        [
            long_frame(time=[1, 1, 2, 2, 3]).assign(question="q1"),
            long_frame(time=[5, 6, 7, 8, 9]).assign(question="q2"),
        ]
    )
    assert ac.read(frame).metadata["ann: time"] == (1, 2, 3)
