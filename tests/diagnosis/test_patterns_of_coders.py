"""What findings say about single coders and groups of them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from accordant.diagnosis.patterns.coders import coders_apart
from accordant.diagnosis.patterns.of_coders import OF_CODERS, OF_ITEMS
from accordant.diagnosis.patterns.pattern import PATTERNS

from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.diagnose import Part, diagnose
from accordant.diagnosis.finding import Finding
from accordant.literature import LITERATURE
from accordant.numbers import percent
from diagnosis.made import at_random, from_counts, of_grid, of_sets, sets_at_random

OWN = OF_CODERS | OF_ITEMS


def told(part: Part) -> list[Finding]:
    return [f for name in sorted(OWN) for f in PATTERNS[name](part)]


def of(data: Annotations, code: str, **more) -> list[Finding]:
    return [f for f in told(diagnose(data, **more).pooled) if f.code == code]


def made(seed: int, items: int = 300, k: int = 4, right=0.95, coders: int = 4) -> np.ndarray:
    rng = np.random.default_rng(seed)
    truth = rng.integers(k, size=(items, 1))
    return np.where(
        rng.random((items, coders)) < right, truth, rng.integers(k, size=(items, coders))
    )


def biased(seed: int, share: float = 0.5) -> Annotations:
    """The third coder gives b instead of a."""
    grid, rng = made(seed), np.random.default_rng(seed)
    grid[(grid[:, 2] == 0) & (rng.random(300) < share), 2] = 1
    return of_grid(grid, "abcd")


def tired(seed: int, **more) -> Annotations:
    return of_grid(made(seed, right=np.column_stack([
        np.full(300, 0.95), np.linspace(0.95, 0.4, 300), *[np.full(300, 0.95)] * 2,
    ])), "abcd", **more)  # fmt: skip


def carried(seed: int, share: float = 0.2) -> Annotations:
    grid, rng = made(seed), np.random.default_rng(seed)
    for i in range(1, 300):
        if rng.random() < share:
            grid[i, 1] = grid[i - 1, 1]
    return replace(of_grid(grid, "abcd"), items=tuple(range(300)))


def leaning() -> np.ndarray:
    """Coders who often differ; the fifth gives a less often, and the others in its place."""
    grid, rng = made(0, items=400, right=0.2, coders=5), np.random.default_rng(0)
    some = (rng.random(400) < 0.5) & (grid[:, 4] == 0)
    grid[some, 4] = rng.integers(1, 4, size=400)[some]
    return grid


def schools(seed: int) -> Annotations:
    grid, rng = made(seed, coders=5), np.random.default_rng(seed)
    grid[:, 3:][(grid[:, 3:] == 0) & (rng.random((300, 2)) < 0.8)] = 1
    return of_grid(grid, "abcde")


def repeated(seed: int) -> Annotations:
    """Two coders, the second errs; each text stands there twice."""
    rng = np.random.default_rng(seed)
    truth = np.tile(rng.integers(4, size=150), 2)[:, None]
    right = rng.random((300, 2)) < [0.98, 0.7]
    grid = np.where(right, truth, rng.integers(4, size=(300, 2)))
    return replace(of_grid(grid, "abcd"), texts=tuple(f"text {i % 150}" for i in range(300)))


CASES = {
    "coder_apart": biased(1), "drift": tired(1), "sequence_effect": carried(2, 0.07),
    "camps": schools(1), "inconsistent_coder": repeated(1), "contradictions": repeated(1),
}  # fmt: skip


@pytest.mark.parametrize("code", CASES)
def test_every_finding_is_complete(code: str) -> None:
    found = of(CASES[code], code)
    assert found
    for f in found:
        assert f.code == code
        if code == "contradictions":  # what makes coders do so is told elsewhere
            assert math.isnan(f.stake)
        else:
            assert f.severity == ("warning" if f.stake >= 0.02 else "note")
            assert 0 < f.stake < 1
            assert f.title
        assert f.remedy in {"coder", "guideline", "task", "items"}
        assert f.sentence.endswith(".")
        assert f.advice.endswith(".")
        assert "nan" not in f"{f} {f.seen}"
        assert set(f.sources) <= set(LITERATURE)
        assert 1 <= len(f.seen.lines) <= 8
        assert all(0 <= x.share <= 1 and 0 <= x.other <= 1 and x.n > 0 for x in f.seen.lines)
        assert 0 < len(f.seen.items) <= 25
        assert all(0 <= i < len(CASES[code].items) for i in f.seen.items)
        assert PATTERNS[code].__doc__


@pytest.mark.parametrize("seed", range(8))
def test_a_coder_who_is_biased_is_named_with_the_way(seed: int) -> None:
    data = biased(seed)
    first = diagnose(data).findings[0]
    names = {"coder": "coder 3", "how": "leans", "value": "b", "instead": "a"}
    assert first.code == "coder_apart"
    assert names.items() <= first.evidence.items()
    assert "gives “b” where others give mostly “a”" in first.sentence
    assert first.title == "“coder 3” gives “b” where others give “a”"
    most = np.array([np.bincount(np.delete(row, 2), minlength=4) for row in data.grid])
    n = ((data.grid[:, 2] == 1) & (most[:, 1] < 1.5)).sum()
    of_all = n + ((data.grid[:, 2] != 1) & (most[:, 1] > 1.5)).sum()
    assert f"on {n} of the {of_all} items" in first.sentence
    assert all(data.grid[i, 2] == 1 for i in first.seen.items)
    assert coders_apart(diagnose(data).pooled) == ("coder 3",)


def test_the_items_show_it() -> None:
    data = biased(1)
    (found,) = of(data, "coder_apart")
    for i in found.seen.items[:10]:
        row = data.grid[i]
        assert (np.delete(row, 2) != row[2]).any()


def test_who_is_left_out_is_named() -> None:
    """Coder 4 guesses, coder 3 errs: the latter is told by the two who are left."""
    grid = made(2, right=np.array([0.95, 0.95, 0.6, 0.1]))
    second = next(
        f for f in of(of_grid(grid, "abcd"), "coder_apart") if f.evidence["coder"] == "coder 3"
    )
    assert second.evidence["compared"] == ("coder 1", "coder 2")
    assert "“coder 4” is excluded here" in second.sentence
    assert [x.name for x in second.seen.lines] == ["“coder 3”", "“coder 2”", "“coder 1”"] or [
        x.name for x in second.seen.lines
    ] == ["“coder 3”", "“coder 1”", "“coder 2”"]
    plain = [(grid[:, 2] == grid[:, o]).mean() for o in (0, 1)]
    assert second.seen.lines[0].share == pytest.approx(np.mean(plain))


def test_a_coder_who_swaps_two_categories() -> None:
    grid = made(8)
    grid[:, 1] = np.choose(grid[:, 1], [1, 0, 2, 3])
    first = diagnose(of_grid(grid, "abcd")).findings[0]
    assert (first.code, first.evidence["how"]) == ("coder_apart", "swapped")
    assert first.title == "“coder 2” swaps “a” and “b”"
    assert "The coder swaps “a” and “b”" in first.sentence


def test_a_coder_who_avoids_the_ends_of_the_scale() -> None:
    rng = np.random.default_rng(1)
    truth = rng.integers(7, size=(300, 1))
    grid = np.clip(truth + rng.choice([-1, 0, 0, 0, 0, 1], (300, 4)), 0, 6)
    grid[:, 2] = np.clip(grid[:, 2], 2, 4)
    (found,) = of(of_grid(grid, (1, 2, 3, 4, 5, 6, 7), scale="ordinal"), "coder_apart")
    assert found.evidence["how"] == "narrow"
    assert "uses only “3”, “4” and “5”: never “1”, “2”, “6” and “7”" in found.sentence


def test_a_coder_who_gives_more_labels() -> None:
    rng = np.random.default_rng(1)
    held = rng.random((250, 5)) < 0.25
    rows = []
    for c in range(3):
        own = held ^ (rng.random(held.shape) < 0.03)
        if c == 2:
            own[np.arange(250), rng.integers(5, size=250)] |= rng.random(250) < 0.5
        rows.append(["".join(np.array(list("abcde"))[x]) for x in own])
    (found,) = of(of_sets(rows, "abcde"), "coder_apart")
    assert (found.evidence["coder"], found.evidence["how"]) == ("coder 3", "more_labels")
    own, others = (np.mean([len(x) for x in row]) for row in (rows[2], rows[0] + rows[1]))
    assert f"gives {own:.1f} labels per item, the others {others:.1f}" in found.sentence


def test_a_coder_who_is_bad_in_one_batch() -> None:
    """Without an order: the batch is a column as any other, and its name a hint."""
    grid = made(6)
    grid[120:180, 3] = np.random.default_rng(2).integers(4, size=60)
    batch = tuple("batch " + str(i // 60 + 1) for i in range(300))
    data = replace(of_grid(grid, "abcd"), metadata={"batch": batch})
    part = diagnose(data).pooled
    (found,) = [f for f in told(part) if f.severity == "warning"]
    assert (found.code, found.evidence["coder"]) == ("coder_apart", "coder 4")
    assert (found.evidence["column"], found.evidence["group"]) == ("batch", "batch 3")
    assert "with batch = “batch 3”" in found.sentence
    assert "give it as the order" in found.advice
    assert all(120 <= i < 180 for i in found.seen.items)
    assert not of(data, "drift")


def test_a_change_in_the_use_of_a_category_is_told_with_the_coder() -> None:
    """A coder who is apart from the first item on, and more so later."""
    grid, rng = made(3), np.random.default_rng(3)
    some = (grid[:, 2] == 0) & (rng.random(300) < np.linspace(0.5, 0.9, 300))
    grid[some, 2] = 1
    found = told(diagnose(of_grid(grid, "abcd")).pooled)
    (first,) = [f for f in found if f.evidence.get("coder") == "coder 3"]
    assert first.code == "coder_apart"
    assert "This changes over time" in first.sentence


def test_one_coder_is_told_once() -> None:
    for data in (biased(1), tired(1), carried(1, 0.3)):
        codes = [f.code for f in told(diagnose(data).pooled)]
        assert len(codes) == 1


def test_a_coder_at_random_and_one_who_says_always_the_same() -> None:
    grid = made(3, coders=6)
    grid[:, 0] = np.random.default_rng(1).integers(4, size=300)
    grid[:, 5] = 2
    how = {f.evidence["coder"]: f.evidence["how"] for f in of(of_grid(grid, "abcd"), "coder_apart")}
    assert how == {"coder 1": "random", "coder 6": "constant"}


def test_a_shift_on_an_ordered_scale() -> None:
    grid = made(4, k=5, right=0.99)
    grid[::2, 1] = np.minimum(grid[::2, 1] + 1, 4)
    for scale in ("ordinal", "interval"):
        (found,) = of(of_grid(grid, (1, 2, 3, 4, 5), scale=scale), "coder_apart")
        assert found.evidence["how"] == "shifted"
        assert "values are higher on" in found.sentence
        n = (grid[:, 1:2] > np.delete(grid, 1, axis=1)).sum(1)
        back = (grid[:, 1:2] < np.delete(grid, 1, axis=1)).sum(1)
        assert found.evidence["n"] == (n > back).sum()


def test_many_coders_are_told_together() -> None:
    right = np.array([0.95] * 12 + [0.2] * 5)
    (found,) = of(of_grid(made(5, right=right, coders=17), "abcd"), "coder_apart")
    assert set(found.evidence["coders"]) == {f"coder {i}" for i in range(13, 18)}
    assert found.sentence.startswith("5 of 17 coders agree less")


@pytest.mark.parametrize("seed", range(8))
def test_a_coder_who_drifts_is_named_with_from_and_to(seed: int) -> None:
    first = diagnose(tired(seed)).findings[0]
    assert (first.code, first.evidence["coder"]) == ("drift", "coder 2")
    assert first.evidence["from"] > first.evidence["to"] + 0.2
    assert first.sentence.startswith("Agreement of “coder 2” with the others falls")
    assert "order of the data" in first.sentence


def test_a_coder_who_learns() -> None:
    data = tired(1)
    (found,) = of(replace(data, layout=data.grid[::-1]), "drift")
    assert found.evidence["to"] > found.evidence["from"]
    assert "learning" in found.advice
    assert max(found.seen.items) < 200


def test_the_order_is_told_and_followed() -> None:
    data, mixed = tired(1), np.random.default_rng(1).permutation(300)
    other = replace(data, layout=data.grid[mixed], metadata={"minute": tuple(mixed.tolist())})
    assert not of(other, "drift")
    (found,) = of(other, "drift", order="minute")
    assert found.evidence["order"] == "minute"
    assert "in the order of “minute”" in found.sentence
    late = [other.metadata["minute"][i] for i in found.seen.items]
    assert min(late) > 150


def test_one_bad_batch() -> None:
    grid = made(6)
    grid[120:180, 3] = np.random.default_rng(2).integers(4, size=60)
    batch = tuple("batch " + str(i // 60 + 1) for i in range(300))
    data = replace(of_grid(grid, "abcd"), metadata={"batch": batch})
    (found,) = of(data, "drift", order="batch")
    assert (found.evidence["coder"], found.evidence["what"]) == ("coder 4", "batch")
    assert "“batch 3” items" in found.sentence
    assert all(120 <= i < 180 for i in found.seen.items)


def test_camps_are_shown_and_their_members_are_not_blamed() -> None:
    part = diagnose(schools(1)).pooled
    (found,) = of(schools(1), "camps")
    assert set(found.evidence["camps"]) == {
        ("coder 1", "coder 2", "coder 3"),
        ("coder 4", "coder 5"),
    }
    assert {found.evidence["first"], found.evidence["second"]} == {"a", "b"}
    assert "p ≤ 0.005)" in found.sentence
    assert coders_apart(part) == ()
    for i in found.seen.items[:5]:
        assert set(schools(1).grid[i, :3]) != set(schools(1).grid[i, 3:])


def test_a_coder_who_contradicts_itself() -> None:
    (found,) = of(repeated(1), "inconsistent_coder")
    assert found.evidence["coder"] == "coder 2"
    data = repeated(1)
    n = (data.grid[:150, 1] != data.grid[150:, 1]).sum()
    assert f"gave different labels to {n} of 150 texts" in found.sentence
    (every,) = of(repeated(1), "contradictions")
    assert every.severity == "warning"
    assert every.evidence["n"] == (data.grid[:150] != data.grid[150:]).sum()
    assert every.evidence["from_itself"] == (data.grid[:150] != data.grid[150:]).mean()
    assert every.evidence["from_others"] == (data.grid[:, 0] != data.grid[:, 1]).mean()


def test_contradictions_by_their_rate() -> None:
    """Few are a note, and so are many where the label hangs on more than the text."""
    few = repeated(1)
    grid = few.grid.copy()
    grid[:, 1] = grid[:, 0]
    (found,) = of(replace(few, layout=grid), "contradictions")
    assert found.severity == "note"
    rng = np.random.default_rng(1)
    truth = rng.integers(4, size=(300, 1))  # whatever the text
    grid = np.where(rng.random((300, 2)) < 0.9, truth, rng.integers(4, size=(300, 2)))
    (found,) = of(replace(few, layout=grid), "contradictions")
    assert found.severity == "note"
    assert found.evidence["from_itself"] > found.evidence["from_others"]


def test_contradictions_of_a_coder_who_is_apart_are_told_there() -> None:
    grid = made(7, right=np.array([0.95, 0.95, 0.95, 0.6]))
    truth = np.concatenate([grid[:150, 0]] * 2)[:, None]
    rng = np.random.default_rng(7)
    grid = np.where(
        rng.random((300, 4)) < [0.98, 0.98, 0.98, 0.6], truth, rng.integers(4, size=(300, 4))
    )
    data = replace(of_grid(grid, "abcd"), texts=tuple(f"text {i % 150}" for i in range(300)))
    assert not of(data, "inconsistent_coder")
    (found,) = of(data, "coder_apart")
    assert "duplicate text" in found.sentence


def test_a_coder_who_carries_labels_on() -> None:
    (found,) = of(carried(2, 0.07), "sequence_effect")
    assert found.evidence["coder"] == "coder 2"
    assert found.evidence["effect"] == pytest.approx(0.05, abs=0.05)
    (merged,) = of(carried(1, 0.3), "coder_apart")
    assert "label of the previous item is repeated" in merged.sentence


def test_a_coder_who_leans_without_agreeing_less() -> None:
    """Among coders who often differ, a liking costs hardly any agreement."""
    rng, hits = np.random.default_rng(9), 0
    for _ in range(10):
        grid = made(int(rng.integers(1000)), items=600, k=2, right=0.55, coders=5)
        grid[(rng.random(600) < 0.35) & (grid[:, 4] == 1), 4] = 0
        found = told(diagnose(of_grid(grid, "ab")).pooled)
        hits += any(
            f.evidence.get("coder") == "coder 5" for f in diagnose(of_grid(grid, "ab")).findings
        )
        assert len([f for f in found if f.evidence.get("coder") == "coder 5"]) <= 1
    assert hits >= 8


def test_a_real_leaning(real_data) -> None:
    """VariErr: one of four annotators gives neutral less often than the others."""
    found = of(read(real_data("crowd/varierr_nli.csv")), "coder_leans")
    assert [f.evidence["coder"] for f in found] == ["Ann4"]
    assert found[0].evidence["value"] == "neutral"
    assert found[0].title == "“Ann4” avoids “neutral”"
    assert found[0].evidence["instead"] == "contradiction"


def test_a_leaning_says_what_is_given_instead() -> None:
    grid = leaning()
    (found,) = of(of_grid(grid, "abcd"), "coder_leans")
    assert (found.evidence["coder"], found.evidence["value"]) == ("coder 5", "a")
    assert found.title == "“coder 5” avoids “a”"
    c = [(grid[:, 4] == 2).mean(), (grid[:, :4] == 2).mean()]
    assert found.evidence["instead"] == "c"
    assert f"instead, “c” to {percent(c[0])}, the others to {percent(c[1])}" in found.sentence
    for i in found.seen.items:
        assert grid[i, 4] != 0
        assert (grid[i, :4] == 0).any()


def test_clean_data_have_no_warning() -> None:
    rng, loud = np.random.default_rng(11), 0
    for _ in range(60):
        items, coders, k = (
            int(rng.integers(50, 300)),
            int(rng.integers(2, 7)),
            int(rng.integers(2, 6)),
        )
        truth = rng.choice(k, size=(items, 1), p=rng.dirichlet(np.ones(k)))
        right = rng.choice([0.7, 0.9, 0.95])
        grid = np.where(
            rng.random((items, coders)) < right, truth, rng.integers(k, size=(items, coders))
        )
        data = replace(
            of_grid(grid, "abcdef"[:k]),
            items=tuple(range(items)),
            texts=tuple(f"text {x}" for x in rng.integers(items, size=items)),
            metadata={"genre": tuple("wxyz"[x] for x in rng.integers(4, size=items))},
        )
        if not np.isnan(diagnose(data).pooled.alpha):
            loud += any(f.severity != "note" for f in told(diagnose(data).pooled))
    assert loud <= 4


def test_two_coders_and_unknown_ones_have_no_pattern_of_coders() -> None:
    for data in (at_random(1, coders=2, items=80), from_counts([[3, 1], [2, 2]] * 40)):
        codes = {f.code for f in told(diagnose(data).pooled)}
        assert not codes & {"coder_apart", "coder_leans", "drift", "camps", "sequence_effect"}


def test_nothing_breaks() -> None:
    for seed in range(25):
        plain = at_random(seed, items=5 + 8 * seed, coders=2 + seed % 6, missing=0.1 * (seed % 8))
        sets = sets_at_random(
            seed, items=5 + 8 * seed, coders=2 + seed % 6, anonymous=seed % 5 == 4
        )
        for data in (plain, sets):
            n = len(data.items)
            data = replace(
                data,
                items=tuple(range(n)),
                texts=tuple(f"text {i % 7}" for i in range(n)),
                metadata={"genre": tuple(i % 3 for i in range(n)), "time": tuple(range(n, 0, -1))},
            )
            for order in (None, "time", "genre"):
                for f in diagnose(data, order=order).pooled.patterns:
                    assert "nan" not in f.sentence
