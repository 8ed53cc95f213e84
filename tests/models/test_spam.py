"""Verdicts: honest coders are hardly ever called anything else, useless ones are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import accordant as ac
from accordant.models.coders.verdicts import beyond_chance
from accordant.models.em import How
from accordant.models.votes import votes
from claims.simulated_crowd import simulate_crowd

BAD = {"random", "adversarial", "constant"}


def verdicts(n: int, model: str, **crowd) -> dict[str, Counter]:
    """Kind of coder → how often each verdict."""
    found: dict[str, Counter] = {}
    for seed in range(n):
        made = simulate_crowd(seed=700 + seed, **crowd)
        kind = dict(zip(made.data.coders, made.kinds, strict=True))
        for c in ac.coders(made.data, model, leave_out=0, restarts=0):
            found.setdefault(kind[c.coder], Counter())[c.verdict] += 1
    return found


@pytest.mark.parametrize(
    "crowd",
    [
        {"items": 300, "coders": 8, "categories": 2, "per_item": 5},
        {"items": 300, "coders": 100, "categories": 3, "per_item": 5},
        {"items": 500, "coders": 20, "categories": 2, "per_item": 5, "prevalence": [0.9, 0.1]},
        {
            "items": 300,
            "coders": 20,
            "categories": 3,
            "per_item": 5,
            "difficulty": 0.8,
            "errors": "equal",
        },
    ],
)
@pytest.mark.parametrize("model", ["pooled", "majority"])
def test_honest_coders_are_not_called_spammers(crowd: dict, model: str) -> None:
    found = verdicts(5, model, **crowd)["good"]
    assert sum(found[v] for v in BAD) <= 0.01 * found.total()


def test_useless_coders_are_found() -> None:
    kinds = {"good": 10, "spammer": 2, "constant": 1, "adversary": 1}
    found = verdicts(12, "pooled", items=400, coders=kinds, categories=3, per_item=6)
    assert found["constant"]["constant"] == 12
    assert found["adversary"]["adversarial"] >= 11
    assert found["spammer"]["random"] >= 20
    assert found["good"]["reliable"] >= 0.97 * found["good"].total()


def test_the_spammers_of_rte(real_data: Callable[[str], Path]) -> None:
    found = ac.coders(real_data("crowd/snow_rte.csv"), leave_out=0, restarts=0)
    assert {"w5", "w9", "w6"} <= set(found.of_verdict("random"))  # 2,100 of 8,000 labels
    assert found.of_verdict("constant") == ("w125",)
    finding = next(f for f in found.findings if f.code == "random_coder")
    assert finding.severity == "warning"
    assert finding.evidence["share"] > 0.25
    assert [line.name for line in finding.seen.lines][:2] == ["w5", "w9"]


def test_turned_labels_are_said_to_help() -> None:
    kinds = {"good": 6, "adversary": 1}
    found = ac.coders(simulate_crowd(300, kinds, 2, per_item=7, seed=1).data)
    one = found["adversary 1"]
    assert one.verdict == "adversarial"
    assert one.skill_high < 0
    (finding,) = (f for f in found.findings if f.code == "adversarial_coder")
    assert [line.name for line in finding.seen.lines] == ["adversary 1"]
    assert "inverts such labels" in finding.advice


def test_with_few_annotations_nothing_is_said() -> None:
    crowd = simulate_crowd(60, {"good": 80, "spammer": 20}, 2, per_item=5, seed=1)
    found = ac.coders(crowd.data)
    small = [c for c in found if c.n_annotations < 5]
    assert small
    assert all(c.verdict == "few" for c in small)
    assert any(f.code == "few_annotations" for f in found.findings)


def test_always_the_same_label_is_no_fault_where_it_is_right() -> None:
    table = [["a"] * 40 + ["b"], ["a"] * 40 + ["b"], ["a"] * 41, ["a"] * 40 + ["b"]]
    found = ac.coders(table, "dawid_skene")
    assert found["coder 3"].verdict != "constant"
    half = [["a", "b"] * 20, ["a", "b"] * 20, ["a"] * 40, ["a", "b"] * 20]
    assert ac.coders(half, "dawid_skene")["coder 3"].verdict == "constant"


NOISE = [
    {"items": 60, "coders": {"spammer": 4}, "categories": 20, "per_item": 4},
    {"items": 60, "coders": {"spammer": 3}, "categories": 5, "per_item": 3},
    {"items": 100, "coders": {"spammer": 5}, "categories": 2, "per_item": 5},
]


@pytest.mark.parametrize("crowd", NOISE)
def test_noise_is_not_called_reliable(crowd: dict) -> None:
    said = 0
    for seed in range(12):
        made = simulate_crowd(seed=seed, **crowd)
        found = ac.coders(made.data, leave_out=0, restarts=0)
        assert not found.of_verdict("reliable")
        assert not found.of_verdict("adversarial")
        told = [f for f in found.findings if f.code == "no_agreement"]
        if told:
            said += 1
            assert {c.verdict for c in found} == {"few"}
            assert "more than by chance is not shown" in told[0].sentence
            assert not any(f.code == "few_annotations" for f in found.findings)
    assert said >= 10


@pytest.mark.parametrize("crowd", NOISE)
def test_the_others_must_confirm_a_coder(crowd: dict, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accordant.models.coders.verdicts.BeyondChance.none", False)
    found = verdicts(12, "dawid_skene", **crowd)["spammer"]
    assert found["reliable"] + found["sloppy"] + found["adversarial"] <= 0.05 * found.total()


def test_sloppy_coders_with_many_annotations_are_not_called_reliable() -> None:
    more = {"accuracy": {"sloppy": 0.65}, "errors": "equal"}
    kinds = {"good": 8, "sloppy": 4}
    for seed in range(3):
        made = simulate_crowd(1500, kinds, 3, per_item=5, seed=seed, **more)
        found = ac.coders(made.data, leave_out=0, restarts=0)
        certain = [c for c in found if c.skill_low > 0 and c.skill_high < c.against.sloppy]
        assert len(certain) >= 2
        assert {c.verdict for c in certain} == {"sloppy"}
        assert len(found.of_verdict("reliable")) >= 8


def test_beyond_chance_by_all_pairs() -> None:
    made = simulate_crowd(40, 5, 3, per_item=3, seed=4)
    v = votes(made.data)
    found = beyond_chance(v, np.ones(5), How())
    for item, coder, agreed, chance in zip(
        found.item, found.coder, found.agreed, found.chance, strict=True
    ):
        others = [d for d in v.coder[v.item == item].tolist() if d != coder]
        mine = v.label[(v.item == item) & (v.coder == coder)]
        theirs = [v.label[(v.item == item) & (v.coder == d)] for d in others]
        assert agreed == pytest.approx(np.mean([(mine == x).mean() for x in theirs]))
        habit = {c: v.label[(v.coder == c) & (v.item != item)] for c in (*others, coder)}
        same = [(habit[coder][:, None] == habit[d][None, :]).mean() for d in others]
        assert chance == pytest.approx(np.mean(same))


def test_chance_agreement_is_seldom_called_agreement() -> None:
    p = []
    for seed in range(60):
        made = simulate_crowd(100, {"spammer": 30}, 3, per_item=3, seed=seed)
        p.append(beyond_chance(votes(made.data), np.ones(30), How()).p_value)
    assert np.mean(np.array(p) <= 0.05) <= 0.15
    assert 0.35 <= np.mean(p) <= 0.65


def test_two_camps_who_contradict_each_other_do_agree() -> None:
    kinds = {"good": 3, "adversary": 2}
    made = simulate_crowd(100, kinds, 2, per_item=5, seed=1)
    found = ac.coders(made.data, "pooled", leave_out=0, restarts=0)
    assert found.beyond_chance.p_value > 0.05  # most pairs contradict each other
    assert not found.beyond_chance.none
    assert found.of_verdict("adversarial")


def test_control_items_judge_coders_who_do_not_agree() -> None:
    kinds = {"good": 1, "spammer": 3}
    made = simulate_crowd(120, kinds, 3, per_item=3, gold=0.5, seed=2)
    found = ac.coders(made.data, gold=made.gold, leave_out=0, restarts=0)
    assert not any(f.code == "no_agreement" for f in found.findings)
    assert found.of_verdict("reliable") == ("good 1",)


def test_of_two_coders_neither_is_called_reliable() -> None:
    """They agree far beyond chance, but where they differ nobody sides with either."""
    first = list("aabbccabcb") * 6
    second = [x if k % 7 else "b" for k, x in enumerate(first)]
    found = ac.coders([first, second])
    assert {c.verdict for c in found} == {"few"}
    known = ac.coders([first, second], gold={k + 1: x for k, x in enumerate(first[:50])})
    assert {c.verdict for c in known} != {"few"}
