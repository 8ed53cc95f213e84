"""What to check next, what checked labels tell of the others, and coders who err alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import accordant as ac
from accordant.cli.main import cli
from accordant.errors import AccordantError

K = 3


def world(seed: int, n: int = 300, per_item: int = 3) -> tuple[Any, dict[str, str]]:
    """Annotations of coders of unequal accuracy, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, K, n)
    right = random.uniform(0.5, 0.9, 12)
    rows: dict[str, list[str]] = {"item": [], "coder": [], "label": []}
    for i, true in enumerate(truth.tolist()):
        for c in random.choice(len(right), per_item, replace=False).tolist():
            said = true if random.random() < right[c] else int(random.integers(0, K))
            for name, x in zip(rows, (f"i{i}", f"c{c}", "abc"[said]), strict=True):
                rows[name].append(x)
    return rows, {f"i{i}": "abc"[k] for i, k in enumerate(truth.tolist())}


def filled(found: Any, truth: dict[str, str]) -> Any:
    """A sheet as somebody fills it in."""
    sheet = found.to_frame()
    sheet["gold"] = [truth[item] for item in sheet["item"]]
    return sheet[["item", "gold", "chosen"]]


def test_three_of_ten_are_random_wherever_one_stops() -> None:
    rows, _ = world(1)
    found = ac.to_check(rows, 50)
    drawn = np.array([why == "at random" for why in found.chosen])
    assert len({*found.items}) == 50
    assert all(abs(drawn[:k].sum() - 0.3 * k) <= 1 for k in range(1, 51))
    sure = {r["item"]: r["confidence"] for r in ac.fit(rows).to_rows()}
    chosen = {x for x, why in zip(found.items, found.chosen, strict=True) if why == "uncertain"}
    rest = {*sure} - {*found.items}
    assert max(sure[x] for x in chosen) <= min(sure[x] for x in rest) + 1e-6


def test_rows_have_no_order_and_the_seed_decides() -> None:
    rows, _ = world(2)
    order = np.random.default_rng(0).permutation(len(rows["item"])).tolist()
    mixed = {name: [column[k] for k in order] for name, column in rows.items()}
    found, same = ac.to_check(rows, 30), ac.to_check(mixed, 30)
    assert (same.items, same.chosen) == (found.items, found.chosen)
    assert ac.to_check(rows, 30, seed=1).items != found.items


def test_a_sheet_comes_back_as_gold(tmp_path: Path) -> None:
    import pandas as pd

    def run(*words: Any) -> str:
        found = CliRunner().invoke(cli, [*map(str, words), "-q"])
        assert found.exit_code == 0, found.output
        return str(found.output)

    rows, truth = world(3, 120)
    file, sheet, more = (tmp_path / name for name in ("ratings.csv", "check.csv", "more.xlsx"))
    pd.DataFrame(rows).to_csv(file, index=False)
    run("check-next", file, "-n", 20, "-o", sheet)
    table = pd.read_csv(sheet)
    assert list(table) == ["item", "gold", "chosen"]
    assert table["gold"].isna().all()
    table["gold"] = [truth[x] for x in table["item"]]
    table.to_csv(sheet, index=False)
    found = ac.to_check(file, 20, gold=sheet)
    assert found.known == {x: truth[x] for x in table["item"]}
    assert found.unchecked.n_drawn == 6
    assert not {*found.items} & {*table["item"]}
    assert "6 items that were drawn at random" in run("check-next", file, "--gold", sheet)
    run("check-next", file, "--gold", sheet, "-n", 9, "-o", more)
    again = ac.to_check(file, 5, gold=more)  # those of before stand in it
    assert (again.known, again.at_random) == (found.known, found.at_random)
    assert ac.fit(file, gold=more).labelled().items() >= found.known.items()


def test_what_is_said_of_labels_that_nobody_checked_holds() -> None:
    held, wrong, said = [], 0, 0.0
    for seed in range(25):
        rows, truth = world(100 + seed, 120, 2 + seed % 3)
        found = ac.to_check(rows, 20, gold=filled(ac.to_check(rows, 40), truth))
        label = found.fitted.labelled()
        right = np.mean([label[x] == truth[x] for x in truth if x not in found.known])
        held.append(found.unchecked.low <= right <= found.unchecked.high)
        wrong, said = wrong + sum(label[x] != truth[x] for x in found.items), said + found.wrong
    assert np.sum(held) >= 21  # of 25 that hold in .95, fewer do once in a hundred times
    assert 0.75 < said / wrong < 1.3


def test_without_items_drawn_at_random_there_is_no_accuracy() -> None:
    rows, truth = world(4)
    some = dict(list(truth.items())[:20])
    found = ac.to_check(rows, 10, gold=some).unchecked
    assert (found.n, found.n_drawn) == (280, 0)
    assert np.isnan([found.accuracy, found.low]).all()


SAME = {"item": [1, 1, 2, 2, 3, 3], "coder": ["A", "B"] * 3, "label": ["a"] * 6}
PAIRS = {**SAME, "label": ["a", "b", "a", "a", "b", "b"], "coder": ["A", "B", "C"] * 2}


@pytest.mark.parametrize(
    ("gold", "said"),
    [
        ({1: "z"}, "'z' of item '1' is not in the scheme"),
        ({9: "a"}, "none of the items with a gold label"),
        ({"item": [1, 1], "gold": ["a", "b"]}, "item '1' has two gold labels, 'a' and 'b'"),
        ({"item": [1], "gold": [""]}, "no item has a gold label"),
    ],
)
@pytest.mark.parametrize("call", [ac.fit, ac.to_check])
def test_gold_that_cannot_be_is_one_sentence(call: Any, gold: Any, said: str) -> None:
    with pytest.raises(AccordantError, match=said) as error:
        call(PAIRS, gold=gold)
    assert str(error.value).count(". ") <= 1
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ({name: x[::2] for name, x in SAME.items()}, "no item has annotations of two coders"),
        (SAME, "every annotation is the same"),
    ],
)
def test_where_nothing_can_be_learned_all_are_drawn_at_random(rows: Any, why: str) -> None:
    found = ac.fit(rows)
    assert [f.code for f in found.findings] == ["nothing_to_learn"]
    assert why in found.withheld
    next_ = ac.to_check(rows, 3)
    assert next_.chosen == ["at random"] * 3
    assert np.isnan(next_.fitted.confidence).all()


# ------------------------------------------------------------------ models of one family


FAMILIES = (
    "gpt-4 gpt-4o gpt-4o-mini",
    "claude-3-opus claude-3-sonnet claude-3-haiku",
    "llama-3-8b llama-3-70b",
)


def judges(shared: float, seed: int, n: int = 400) -> dict[str, list[str]]:
    """Eight models of three families: so probably a model says what its family does."""
    random = np.random.default_rng(seed)

    def answers() -> Any:
        return np.where(random.random(n) < 0.8, truth, random.integers(0, K, n))

    truth, found = random.integers(0, K, n), {"item": [f"i{k}" for k in range(n)]}
    for family in FAMILIES:
        alike = answers()
        for name in family.split():
            said = np.where(random.random(n) < shared, alike, answers())
            found[name] = ["abc"[k] for k in said.tolist()]
    return found


def test_models_of_one_family_are_told_and_independent_ones_are_not() -> None:
    for seed in range(3):
        told = [f for f in ac.coders(judges(0.6, seed)).findings if f.code == "alike_coders"]
        (found,) = told
        families = [{c.split("-")[0] for c in found.facts[side]} for side in ("coders", "others")]
        assert not families[0] & families[1]
        assert found.facts["within"] > found.facts["between"]
        assert not [f for f in ac.coders(judges(0, seed)).findings if f.code == "alike_coders"]
