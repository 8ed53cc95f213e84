"""Coders at a glance: figures by hand, three verdicts, intervals that cover, laws."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import accordant as ac
from models.planted import crowd, kinds, mixed


def codes(found: Any) -> set[str]:
    return {f.code for f in found.findings}


# ------------------------------------------------------------------ figures


def test_skill_and_bits_by_the_joint_table() -> None:
    found = ac.coders(mixed().rows, "dawid_skene", restarts=0)
    post = found.posterior
    p = post.prevalence
    for c, one in enumerate(found):
        a = post.confusion[c]
        joint = p[:, None] * a
        chance = float((p * joint.sum(0)).sum())
        assert one.skill == pytest.approx(max((one.competence - chance) / (1 - chance), -1))
        with np.errstate(divide="ignore", invalid="ignore"):
            told = np.nansum(joint * np.log2(joint / (p[:, None] * joint.sum(0))))
        assert one.bits == pytest.approx(told, abs=1e-9)
        pairs = sum(((a[i] - a[j]) ** 2).sum() for i in range(3) for j in range(i)) / 6
        assert one.spammer_score == pytest.approx(pairs)


def test_a_spammer_has_no_skill_and_says_nothing() -> None:
    found = ac.coders(mixed().rows)
    for name in ("c09", "c10"):
        one = found[name]
        assert one.skill == pytest.approx(0, abs=0.15)
        assert one.skill_low < 0.1
        assert one.bits < 0.1 < found["c00"].bits
        assert one.verdict is None
    assert min(found[f"c0{k}"].skill_low for k in range(6)) > 0.5


def test_agreement_with_others_by_hand() -> None:
    rows = [["a", "a", "b", None], ["a", "b", "b", "a"], ["a", "b", None, None]]
    found = [c.agreement for c in ac.coders(rows, "majority")]
    assert found == pytest.approx([(1 + 0 + 1) / 3, (1 + 0.5 + 1) / 3, (1 + 0.5) / 2])
    alone = ac.coders([["a", "b", None, None], [None, None, "a", "b"]], "majority")
    assert all(math.isnan(c.agreement) and c.verdict == "few" for c in alone)


# ------------------------------------------------------------------ verdicts


def test_bad_coders_are_found_and_good_ones_are_not_blamed() -> None:
    hits = {"below chance": 0, "constant": 0}
    for seed in range(4):
        made = crowd(kinds(3, good=12, sloppy=3, adversary=1, constant=1), 300, 6, seed=seed)
        found = ac.coders(made.rows)
        assert found["c15"].verdict in ("below chance", None)
        hits["below chance"] += found["c15"].verdict == "below chance"
        hits["constant"] += found["c16"].verdict == "constant"
        assert {c.verdict for c in found.each[:15]} == {None}
    assert hits["constant"] == 4
    assert hits["below chance"] >= 3
    told = {f.code: f for f in found.findings}
    assert told["coder_below_chance"].facts["coders"] == ("c15",)
    assert told["constant_coder"].facts["coder"] == "c16"
    assert found.of_verdict("constant") == ("c16",)
    with pytest.raises(ac.RequestError, match="verdict"):
        found.of_verdict("bad")  # type: ignore[arg-type]


def test_few_annotations_are_no_verdict() -> None:
    made = crowd(kinds(2, good=5), 60, 4)
    found = ac.coders([*made.rows, ("i0000", "new", "a"), ("i0001", "new", "b")])
    assert found["new"].verdict == "few"
    (told,) = [f for f in found.findings if f.code == "few_annotations"]
    assert told.facts["coders"] == ("new",)
    assert told.facts["n"] == 2
    same = ac.coders([["a"] * 9] * 3, "majority")
    assert {c.verdict for c in same} == {None}  # all said it, so it is no habit
    assert str(same)


def test_labels_without_agreement_judge_nobody() -> None:
    rng = np.random.default_rng(0)
    silent = 0
    for _ in range(20):
        found = ac.coders(rng.choice(list("abc"), (5, 60)), layout="transposed")
        if "no_agreement" in codes(found):
            silent += 1
            assert {c.verdict for c in found} == {None}
            assert 0.2 < found.findings[0].facts["chance"] < 0.5
        assert "constant_coder" not in codes(found)
    assert silent >= 17  # at a level of five per cent
    known = {k + 1: "abc"[k % 3] for k in range(6)}
    told = ac.coders(rng.choice(list("abc"), (5, 60)), gold=known, layout="transposed")
    assert "no_agreement" not in codes(told)


# ------------------------------------------------------------------ intervals


@pytest.mark.parametrize(
    ("coders", "k", "per_item", "model"),
    [(6, 2, 6, "dawid_skene"), (20, 3, 5, "pooled"), (60, 3, 5, "blend"), (16, 2, 5, "one_coin")],
)
def test_intervals_cover(coders: int, k: int, per_item: int, model: str) -> None:
    """Of accuracies, confusions and prevalence, over crowds with coders of all kinds."""
    held: dict[str, list[float]] = {"competence": [], "confusion": [], "prevalence": []}
    for seed in range(8):
        made = crowd(kinds(k, good=coders // 2, sloppy=coders // 2), 240, per_item, seed=seed)
        found = ac.fit(made.rows, model, restarts=0)
        confusion = np.array([made.confusion[c] for c in found.coders])
        right = np.array([made.competence[c] for c in found.coders])
        truth = {"competence": right, "confusion": confusion, "prevalence": made.prevalence}
        for name, x in truth.items():
            ends = found.interval(name)
            held[name].append(float(((ends.low <= x) & (x <= ends.high)).mean()))
            shown = found.answers.confusion if name == "confusion" else getattr(found, name)
            assert (ends.low <= shown + 1e-9).all()
            assert (shown <= ends.high + 1e-9).all()
    assert 0.86 <= np.mean(held["competence"]) <= 0.998
    assert np.mean(held["confusion"]) >= 0.85
    assert np.mean(held["prevalence"]) >= 0.75


def test_intervals_cover_where_spammers_move_the_labels() -> None:
    inside = []
    for seed in range(8):
        made = crowd(kinds(3, good=8, sloppy=6, spammer=6), 200, 4, seed=seed)
        right = made.competence
        inside += [c.low <= right[c.coder] <= c.high for c in ac.coders(made.rows)]
    assert np.mean(inside) >= 0.87


@pytest.mark.parametrize("model", ["pooled", "map", "dawid_skene"])
def test_coders_who_never_disagree_are_not_known_exactly(model: str) -> None:
    found = ac.coders([["a", "b", "c", "a", "b"] * 4] * 4, model)
    for c in found:
        assert c.low <= 0.9 + 1e-9
        assert c.skill_low <= 0.85
        assert 0.99 < c.competence <= c.high
    rows = found.confusion_of("coder 1")
    assert all((row["low"] if row["true"] == row["answer"] else -row["high"]) < 0.9 for row in rows)
    few, many = (ac.coders([["a", "b"] * n] * 4).each[0] for n in (10, 200))
    assert few.low < many.low < 1
    assert few.skill_low < many.skill_low < 1


def test_the_matrix_of_a_coder_adds_up() -> None:
    found = ac.coders(mixed().rows, "dawid_skene")
    for one in found:
        rows = found.confusion_of(one.coder)
        table = np.array([row["probability"] for row in rows]).reshape(3, 3)
        assert table.sum(1) == pytest.approx(1)
        assert sum(row["n"] for row in rows) == pytest.approx(one.n_annotations)
        assert all(row["low"] <= row["probability"] <= row["high"] for row in rows)
    with pytest.raises(ac.RequestError, match="nobody"):
        found.confusion_of("nobody")


# ------------------------------------------------------------------ doors


def test_one_table_through_every_door() -> None:
    made = mixed()
    post = ac.fit(made.rows, "dawid_skene")
    one, other = ac.coders(post), ac.coders(made.rows, "dawid_skene")
    assert json.loads(one.to_json()) == json.loads(other.to_json())
    assert [row["coder"] for row in one.to_rows()] == sorted(made.confusion)
    assert "seed 0" in one.signature
    assert ac.coders(post, level=0.5)["c00"].low > one["c00"].low
    order = np.random.default_rng(1).permutation(len(made.rows))
    again = ac.coders([made.rows[k] for k in order], "dawid_skene")
    for a, b in zip(one, again, strict=True):
        assert (a.verdict, a.skill) == (b.verdict, pytest.approx(b.skill, abs=1e-6))


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"level": 95}, "between 0 and 1"),
        ({"model": "bayes theorem"}, "no model"),
        ({"gold": "nobody"}, "is no coder"),
        ({"leave_out": 3}, "no option 'leave_out'"),
    ],
)
def test_bad_arguments(more: dict[str, Any], told: str) -> None:
    with pytest.raises(ac.RequestError, match=told):
        ac.coders([["a", "b"], ["a", "b"]], **more)
    with pytest.raises(ac.RequestError, match="posterior is fitted"):
        ac.coders(ac.fit([["a", "b"], ["a", "b"]]), gold={1: "a"})
