"""What findings say about groups of items, and about all coders in the course of time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from accordant.diagnosis.patterns.groups import ambiguous_items
from accordant.diagnosis.patterns.pattern import PATTERNS

from accordant.data.annotations import Annotations
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.finding import Finding
from accordant.literature import LITERATURE
from diagnosis.made import of_grid


def of(data: Annotations, code: str, **more) -> list[Finding]:
    return list(PATTERNS[code](diagnose(data, **more).pooled))


def ambiguous(seed: int = 1, wrong: float = 0.6, coders: int = 4) -> Annotations:
    """On the verses coders guess in most cases."""
    rng = np.random.default_rng(seed)
    truth, genre = rng.integers(3, size=(240, 1)), rng.integers(4, size=240)
    guess = rng.random((240, coders)) < np.where(genre == 1, wrong, 0.05)[:, None]
    grid = np.where(guess, rng.integers(3, size=(240, coders)), truth)
    names = ("prose", "verse", "news", "talk")
    return replace(
        of_grid(grid, "abc"),
        texts=tuple("x" * int(n) for n in rng.integers(5, 300, size=240)),
        metadata={
            "genre": tuple(names[g] for g in genre),
            "year": tuple(rng.integers(1990, 2024, size=240).tolist()),
        },
    )


@pytest.mark.parametrize("coders", [2, 3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_an_ambiguous_group_is_named_first(seed: int, coders: int) -> None:
    data = ambiguous(seed, coders=coders)
    first = diagnose(data).findings[0]
    assert (first.code, first.evidence["column"], first.evidence["value"]) == (
        "item_group",
        "genre",
        "verse",
    )
    assert first.remedy == "items"
    genre = np.array(data.metadata["genre"])
    assert (genre[list(first.seen.items)] == "verse").all()
    assert first.seen.lines[0].name == "verse"
    assert len(first.seen.lines) == 4
    assert (ambiguous_items(diagnose(data).pooled) == (genre == "verse")).all()


def test_the_sentence_has_the_numbers() -> None:
    data = ambiguous()
    (found,) = of(data, "item_group")
    n = data.metadata["genre"].count("verse")
    assert found.sentence.startswith(f"On {n} items with genre = “verse” observed agreement is")
    assert "α is" in found.sentence
    assert f"{100 * n / 240:.1f}\xa0% of the items" in found.sentence
    assert set(found.sources) <= set(LITERATURE)
    assert 0.02 < found.stake < 1


def test_long_texts_that_are_hard() -> None:
    data, rng = ambiguous(wrong=0.05), np.random.default_rng(2)
    long = np.array([len(t) for t in data.texts]) > 230
    grid = data.grid.copy()
    grid[long] = rng.integers(3, size=(long.sum(), 4))
    (found,) = of(replace(data, layout=grid), "item_group")
    assert found.evidence["column"] == "length of the text"
    assert "characters long" in found.sentence


def test_columns_that_say_the_same_are_told_once() -> None:
    data = ambiguous()
    genre = data.metadata["genre"]
    twice = replace(data, metadata={"genre": genre, "source": tuple(g.upper() for g in genre)})
    assert len(of(twice, "item_group")) == 1


def test_a_careless_coder_is_not_the_fault_of_the_items_that_it_annotated() -> None:
    rng = np.random.default_rng(3)
    truth, genre = rng.integers(3, size=(300, 1)), rng.integers(3, size=300)
    grid = np.where(rng.random((300, 4)) < 0.95, truth, rng.integers(3, size=(300, 4)))
    grid[:, 3] = np.where(genre == 0, rng.integers(3, size=300), -1)
    data = replace(of_grid(grid, "abc"), metadata={"genre": tuple("xyz"[g] for g in genre)})
    assert not of(data, "item_group")
    assert diagnose(data).findings[0].evidence["coder"] == "coder 4"


def test_nothing_known_nothing_told() -> None:
    plain = replace(ambiguous(), metadata={}, texts=None)
    assert not of(plain, "item_group")
    assert ambiguous_items(diagnose(plain).pooled) is None


def worse(seed: int = 1, coders: int = 3) -> Annotations:
    rng = np.random.default_rng(seed)
    truth = rng.integers(3, size=(300, 1))
    right = np.linspace(0.98, 0.6, 300)[:, None]
    grid = np.where(rng.random((300, coders)) < right, truth, rng.integers(3, size=(300, coders)))
    return replace(of_grid(grid, "abc"), metadata={"minute": tuple(range(300))})


@pytest.mark.parametrize("coders", [2, 4])
def test_all_coders_tire(coders: int) -> None:
    (found,) = of(worse(coders=coders), "common_drift", order="minute")
    assert found.evidence["to"] < found.evidence["from"]
    assert "in the order of “minute”" in found.sentence
    assert (found.remedy, found.severity) == ("task", "warning")
    assert found.evidence["from"] > found.evidence["to"]
    assert [x.n for x in found.seen.lines] == [60] * 5
    assert not of(worse(coders=coders), "drift", order="minute")  # nobody beyond the others


def test_all_coders_learn() -> None:
    data = worse()
    (found,) = of(replace(data, layout=data.grid[::-1]), "common_drift", order="minute")
    assert found.evidence["to"] > found.evidence["from"]


def test_an_order_that_is_not_known_is_not_blamed() -> None:
    assert not of(worse(), "common_drift")


def test_one_who_tires_is_not_all() -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(3, size=(400, 1))
    right = np.column_stack([np.full(400, 0.95)] * 3 + [np.linspace(0.95, 0.3, 400)])
    grid = np.where(rng.random((400, 4)) < right, truth, rng.integers(3, size=(400, 4)))
    data = replace(of_grid(grid, "abc"), metadata={"minute": tuple(range(400))})
    assert [f.evidence["coder"] for f in of(data, "drift", order="minute")] == ["coder 4"]
    assert not of(data, "common_drift", order="minute")
