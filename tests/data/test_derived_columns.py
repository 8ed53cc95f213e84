"""Columns that follow from the labels are no cause, no coder and no question, whatever they say."""

from __future__ import annotations

import io
import random
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
import pytest

import accordant as ac

Row = Sequence[Any]


def usual(row: Row) -> Any:
    """The majority; of those that are tied the last by name."""
    times = Counter(row)
    return max(times, key=lambda x: (times[x], str(x)))


KINDS: dict[str, Callable[[Row], Any]] = {
    "equal": lambda row: len({*row}) == 1,
    "conflict": lambda row: "ja" if len({*row}) > 1 else "nein",
    "majority": usual,
    "votes": lambda row: Counter(row).most_common(1)[0][1],
    "different": lambda row: len({*row}),
    "share": lambda row: round(Counter(row).most_common(1)[0][1] / len(row), 2),
    "level": lambda row: ("full", "partial", "none", "none")[len({*row}) - 1],
    "copy": lambda row: row[1],
}
# Twelve names in five languages, and some that tell nothing.
NAMES = [
    "agree?",
    "match",
    "Konflikt",
    "Einigkeit",
    "accord",
    "désaccord",
    "acuerdo",
    "mayoría",
    "esito",
    "x1",
    "col7",
    "aux",
]
WORDS, NUMBERS = ("claim", "premise", "other"), (1, 2, 3)


def study(seed: int, labels: Sequence[Any], n: int = 60) -> list[list[Any]]:
    """Labels of four coders; items of the first genre are harder."""
    d = random.Random(seed)
    rows = []
    for i in range(n):
        true, skill = d.choice(labels), 0.45 if i % 2 else 0.95
        rows.append([true if d.random() < skill else d.choice(labels) for _ in range(4)])
    return rows


def read(rows: list[list[Any]], name: str, kind: str, layout: str, coders: Sequence[str]) -> Any:
    """What is read of a table with a column that follows, and the genre of the items."""
    said = [KINDS[kind](row) for row in rows]
    frame = pd.DataFrame(rows, columns=list(coders))
    frame.insert(0, "item", [f"t{i:02}" for i in range(len(rows))])
    frame["genre"] = ["verse" if i % 2 else "prose" for i in range(len(rows))]
    frame[name] = said
    if layout == "long":
        frame = frame.melt(["item", "genre", name], var_name="coder", value_name="label")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return ac.read(frame)


def told(data: Any) -> str:
    """Everything that a diagnosis says, as facts."""
    return str([(f.code, dict(f.facts)) for f in ac.diagnose(data).findings])


@pytest.mark.parametrize("layout", ["wide", "long"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_column_that_follows_is_found_by_computing(kind: str, layout: str) -> None:
    place = [*KINDS].index(kind)
    for k, coders in enumerate((("Ann", "Bob", "Cy", "Di"), ("r1", "r2", "r3", "r4"))):
        name = NAMES[(2 * place + k + (layout == "long")) % len(NAMES)]
        data = read(study(place, (WORDS, NUMBERS)[k]), name, kind, layout, coders)
        assert (data.coders, data.questions) == (coders, ("",))
        assert {*data.reading.derived} == {name}
        assert name in data.metadata
        assert f"'{name}'" in " ".join(data.reading.notes)


@pytest.mark.parametrize("name", NAMES)
def test_it_is_no_cause_and_real_ones_stay(name: str) -> None:
    place = NAMES.index(name)
    kind, layout = [*KINDS][place % len(KINDS)], ("wide", "long")[place % 2]
    data = read(study(place + 20, WORDS, n=120), name, kind, layout, ("Ann", "Bob", "Cy", "Di"))
    found = told(data)
    assert "'genre'" in found
    assert f"'{name}'" not in found


def test_what_matches_by_chance_is_a_fact_about_the_items() -> None:
    rows = "item,Ann,Bob,genre\n1,x,x,a\n2,x,y,b\n3,y,y,a\n4,y,x,b\n5,x,x,a\n6,x,x,a\n"
    data = ac.read(pd.read_csv(io.StringIO(rows)), coder=["Ann", "Bob"])
    assert data.reading.derived == {}
    rows = study(3, WORDS)
    nearly = read(rows, "x1", "equal", "wide", ("Ann", "Bob", "Cy", "Di"))
    frame = nearly.to_frame("wide").assign(x1=[*nearly.metadata["x1"]])
    frame.loc[7, "x1"] = not frame.loc[7, "x1"]  # it does not follow
    assert ac.read(frame).reading.derived == {}


def test_a_coder_who_is_never_outvoted_stays() -> None:
    rows = [
        (f"t{k}", *("x" if (k + j) % 3 or j == 0 else "y" for j in range(3))) for k in range(30)
    ]
    data = ac.read(pd.DataFrame(rows, columns=["item", "rater1", "rater2", "rater3"]))
    assert data.coders == ("rater1", "rater2", "rater3")


def test_a_copy_of_a_coder_by_another_name_is_told() -> None:
    data = read(study(5, WORDS), "Dora", "copy", "wide", ("Ann", "Bob", "Cy", "Di"))
    assert data.reading.derived == {"Dora": "a copy of the labels of 'Bob'"}


def test_facts_about_coders_are_no_facts_about_items() -> None:
    d = random.Random(4)
    age, rows = {"Ann": 31, "Bob": 54, "Cy": 28}, []
    for k in range(30):
        for coder in age:
            group, seconds = "expert" if coder == "Cy" else "crowd", round(d.uniform(2, 50), 1)
            rows.append((k, coder, d.choice(WORDS), age[coder], group, seconds))
    names = ["item", "coder", "label", "age", "x7", "seconds"]
    data = ac.read(pd.DataFrame(rows, columns=names))
    assert (data.questions, data.metadata) == (("",), {})
    assert all(f"'{n}'" in " ".join(data.reading.notes) for n in names[3:])
