"""Two hundred files made by recombining traps: none is read wrong in silence."""

from __future__ import annotations

from pathlib import Path

import pytest

from .judging import Annotation, Truth, Variant, Verdict, judge
from .traps import variants

N, SEED = 200, 9000


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Variant, Verdict]]:
    folder = tmp_path_factory.mktemp("traps")
    judged = []
    for one in variants(N, SEED):
        (place := folder / str(one.seed)).mkdir()
        judged.append((one, judge(one, place)))
    return judged


def listed(verdicts: list[tuple[Variant, Verdict]], *outcomes: str) -> list[str]:
    """Seeds, names and reasons."""
    return [f"{x.seed}: {x.name}: {v.why}" for x, v in verdicts if v.outcome in outcomes]


def test_no_traceback(verdicts) -> None:
    assert listed(verdicts, "crash") == []


def test_none_is_wrong_in_silence(verdicts) -> None:
    assert listed(verdicts, "wrong in silence") == []


def test_few_are_refused(verdicts) -> None:
    assert len(listed(verdicts, "refused")) <= N // 4


def test_each_refusal_offers_what_reads_the_file(verdicts) -> None:
    stuck = [(x, v) for x, v in verdicts if v.outcome == "refused" and not v.cured]
    assert listed(stuck, "refused") == []


def truth_of(table: str) -> Truth:
    """`Anna xyyx, Ben yyxx` as a truth."""
    said = [x.split() for x in table.split(", ")]
    annotations = [Annotation(i, "", c, (x,)) for c, labels in said for i, x in enumerate(labels)]
    return Truth(tuple(annotations), tuple(c for c, _ in said))


@pytest.mark.parametrize(
    "truth, outcome",
    [
        ("Anna xyxx, Ben yyxy", "right"),
        ("Ben yyxy, Anna xyxx", "right"),  # the order of coders does not matter
        ("Anna xxxy, Ben xyyy", "right"),  # nor which item is which
        ("Anna yyxy, Ben xyxx", "wrong in silence"),
        ("Anna xyxx, Cem yyxy", "wrong in silence"),
        ("Anna xyxx", "wrong in silence"),
        ("Anna xyxxx, Ben yyxyx", "wrong in silence"),
    ],
)
def test_the_judge_compares_with_the_truth(truth: str, outcome: str, tmp_path: Path) -> None:
    files = {"a.csv": b"item,Anna,Ben\n1,x,y\n2,y,y\n3,x,x\n4,x,y\n"}
    assert judge(Variant("", 0, "", files, (truth_of(truth),)), tmp_path).outcome == outcome


def test_the_judge_tries_what_is_offered(tmp_path: Path) -> None:
    files = {"a.csv": b"item,coder,label\n1,Anna,x\n1,Ben,y\n2,Anna,y\n2,Ben,y\n2,Ben,x\n"}
    verdict = judge(Variant("", 0, "", files, (truth_of("Anna xy, Ben yy"),)), tmp_path)
    assert (verdict.outcome, verdict.cure) == ("refused", "{'duplicates': 'first'}")
    verdict = judge(Variant("", 0, "", files, (truth_of("Anna xx, Ben yy"),)), tmp_path)
    assert (verdict.outcome, verdict.cured) == ("refused", False)
