"""What cannot be said of coders: of positions, and across parts that share no item."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import accordant as ac
from accordant.fields import shown
from accordant.models.coders.coders import told_once
from accordant.models.trust.verdicts import disjoint_coders, parts_of
from accordant.models.votes import votes

Row = tuple[str, str, str]


def crowd(coders: dict[str, float], items: range = range(120), seed: int = 0) -> list[Row]:
    """Each coder is right with a probability; below 0: a wrong label of one's own."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, 1000)
    return [
        (f"i{i}", name, "abc"[truth[i] if rng.random() < p else (truth[i] + 1) % 3])
        for i in items
        for name, p in coders.items()
    ]


# ------------------------------------------------------------------ positions


def test_nothing_is_said_of_positions() -> None:
    rows = crowd({"slot 1": 0.9, "slot 2": 0.9, "slot 3": 0.85, "slot 4": 0.1})
    found = ac.coders(ac.fit(rows))
    assert found.positions
    assert {c.verdict for c in found} == {"few"}
    assert [f.code for f in found.findings] == ["positions"]
    assert not found.schools
    assert found.leaving_out.each == ()
    codes = [f.code for f in found.posterior.findings]
    assert "positions" in codes
    assert "coder_below_chance" not in codes
    merged = told_once(found.posterior.findings, found.findings)
    assert [f.code for f in merged].count("positions") == 1


def test_persons_are_judged() -> None:
    found = ac.coders(ac.fit(crowd({"A": 0.9, "B": 0.9, "C": 0.85, "D": 0.1})))
    assert not found.positions
    assert found["D"].verdict == "adversarial"
    assert "positions" not in [f.code for f in found.posterior.findings]


# ------------------------------------------------------------------ one finding on one coder


def test_an_adversary_is_told_once() -> None:
    found = ac.coders(ac.fit(crowd({"A": 0.9, "B": 0.9, "C": 0.85, "D": 0.05})))
    alone = [f.code for f in found.posterior.findings]
    assert "coder_below_chance" in alone
    told = [f.code for f in told_once(found.posterior.findings, found.findings)]
    assert "coder_below_chance" not in told
    assert told.count("adversarial_coder") == 1
    finding = next(f for f in found.findings if f.code == "adversarial_coder")
    assert f"skill {shown('skill', found['D'].skill)}," in finding.sentence  # as in the table
    assert set(alone) - {"coder_below_chance"} <= set(told)


def test_who_is_told_by_nobody_else_stays() -> None:
    found = ac.coders(ac.fit(crowd({"A": 0.9, "B": 0.9, "C": 0.85, "D": 0.05})))
    below = [f for f in found.posterior.findings if f.code == "coder_below_chance"]
    others = [f for f in found.findings if f.code != "adversarial_coder"]
    assert below[0] in told_once(below, others)


# ------------------------------------------------------------------ coders who share no item


def code_of(rows: list[Row], **more: object) -> dict[str, ac.Posterior]:
    return {f.code: f for f in ac.fit(rows, restarts=0, **more).findings}  # type: ignore[return-value,arg-type]


def test_parts_cannot_be_compared() -> None:
    rows = crowd({"A": 0.9, "B": 0.8, "C": 0.8}, range(60))
    rows += crowd({"X": 0.9, "Y": 0.8}, range(60, 100))
    told = code_of(rows)["disjoint_coders"]
    assert told.evidence["parts"] == (("A", "B", "C"), ("X", "Y"))  # type: ignore[attr-defined]
    assert "“A”, “B” and “C” (60 items) and “X” and “Y” (40 items)" in str(told)


def test_one_common_item_is_enough() -> None:
    rows = crowd({"A": 0.9, "B": 0.8, "C": 0.8}, range(60))
    rows += crowd({"X": 0.9, "Y": 0.8}, range(59, 100))
    assert "disjoint_coders" not in code_of(rows)


def test_control_items_for_all_connect() -> None:
    rows = crowd({"A": 0.9, "B": 0.8}, range(60)) + crowd({"X": 0.9, "Y": 0.8}, range(60, 120))
    known = {"i0": "a", "i1": "b", "i60": "a", "i61": "c"}
    assert "disjoint_coders" not in code_of(rows, gold=known)
    assert "disjoint_coders" in code_of(rows, gold={"i0": "a", "i1": "b"})


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 5)), min_size=1, max_size=30))
def test_parts_against_a_walk(pairs: list[tuple[int, int]]) -> None:
    """Brute force: coders are joined again and again while they share an item."""
    rows = [(f"i{i}", f"c{c}", "a") for i, c in sorted(set(pairs))]
    if len({c for _, c, _ in rows}) < 2:
        return
    table = votes(ac.read(rows))
    groups = [{c} for c in table.coders]
    items = {c: {i for i, who, _ in rows if who == c} for c in table.coders}
    changed = True
    while changed:
        changed = False
        for a in groups:
            for b in groups:
                if a is not b and set.union(*(items[c] for c in a)) & set.union(
                    *(items[c] for c in b)
                ):
                    a |= b
                    groups.remove(b)
                    changed = True
                    break
            if changed:
                break
    of = parts_of(table)
    assert len(set(of.tolist())) == len(groups)
    for group in groups:
        assert len({int(of[table.coders.index(c)]) for c in group}) == 1
    assert (disjoint_coders(table) is not None) == (len(groups) > 1)


# ------------------------------------------------------------------ words fit figures


@pytest.mark.parametrize(
    ("skill", "low", "high", "verdict"),
    [
        (0.05, 0.01, 0.09, "random"),
        (0.05, -0.02, 0.12, "random"),
        (0.2, 0.12, 0.28, "sloppy"),
        (0.05, 0.01, 0.7, "few"),
        (0.09, 0.02, 0.39, "random"),
    ],
)
def test_nearly_random_is_not_sloppy(skill: float, low: float, high: float, verdict: str) -> None:
    from accordant.models.coders.verdicts import Judging, _verdict

    ends, others = np.array([low, high]), np.array([0.01, 0.2])
    assert _verdict(100, False, skill, ends, others, Judging(0.8)) == verdict
