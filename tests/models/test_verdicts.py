"""What is said of a fit: each verdict where it must be, and not where it must not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.data import examples
from accordant.models.em import Climb
from accordant.models.estimate import Estimate
from accordant.models.model import model_of
from accordant.models.trust.verdicts import verdicts
from accordant.models.votes import votes
from models.planted import binary, certain, mixed, sparse


def codes(found: Any) -> list[str]:
    return [f.code for f in found.findings]


def told(found: Any, code: str) -> Any:
    (one,) = [f for f in found.findings if f.code == code]
    return one


def test_a_good_fit_has_converged_and_nothing_else() -> None:
    found = ac.fit(certain().data, "pooled")
    assert set(codes(found)) <= {"converged", "overconfident", "dependence_unseen"}
    assert "5 further starts" in told(found, "converged").sentence


def test_the_limit_of_iterations_is_told() -> None:
    found = ac.fit(mixed().data, "dawid_skene", max_iterations=3)
    assert not found.converged
    one = told(found, "iteration_limit")
    assert one.severity == "warning"
    assert "after 3 iterations (the limit is 3)" in one.sentence
    assert any("max_iterations" in step.options for step in one.do)
    assert "converged" not in codes(found)


def test_one_annotation_per_item_teaches_nothing() -> None:
    rows = [("i1", "A", "x"), ("i2", "B", "y"), ("i3", "A", "y"), ("i4", "B", "x")]
    for model in ("majority", "dawid_skene", "pooled", "variational", "one_coin"):
        found = ac.fit(rows, model)
        one = told(found, "nothing_to_learn")
        assert one.severity == "problem"
        assert "4 items, 2 coders" in one.sentence
        assert found.labels == ["x", "y", "y", "x"]
    known = told(ac.fit(rows, "dawid_skene", gold={"i1": "x"}), "nothing_to_learn")
    assert "control items" in known.sentence


def test_repeated_annotations_by_one_coder_are_no_second_coder() -> None:
    rows = [("i1", "A", "x"), ("i1", "A", "x"), ("i2", "B", "y"), ("i2", "B", "x")]
    assert "nothing_to_learn" in codes(ac.fit(rows, "pooled", duplicates="keep"))


def test_two_coders_are_not_identified() -> None:
    rows = [list("abababab") * 3, list("abaababb") * 3]
    one = told(ac.fit(rows, "dawid_skene"), "not_identified")
    assert one.severity == "warning"
    assert one.evidence["parameters"] == 5
    assert "3 degrees of freedom" in one.sentence
    found = ac.fit(rows, "dawid_skene", gold={1: "a", 2: "b"})
    assert "not_identified" not in codes(found)
    assert "not_identified" not in codes(ac.fit(rows, "majority"))


def test_three_coders_and_two_categories_are_just_identified() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 200)
    rows = np.where(rng.random((3, 200)) < 0.8, truth, 1 - truth)
    found = ac.fit(rows, "dawid_skene", tolerance=1e-13, max_iterations=20_000)
    assert told(found, "not_identified").severity == "note"
    # so the model reproduces the table of the three coders exactly
    theta, pi = found.confusion, found.prevalence
    expected = np.einsum("k,ka,kb,kc->abc", pi, *theta)
    observed = np.zeros((2, 2, 2))
    np.add.at(observed, tuple(rows), 1 / 200)
    assert expected == pytest.approx(observed, abs=1e-3)
    assert "not_identified" not in codes(ac.fit(np.vstack([rows, truth]), "dawid_skene"))


def test_a_lost_category_is_told() -> None:
    """Two coders say c now and then, each alone: the category is given up."""
    rng = np.random.default_rng(1)
    truth = rng.choice(["a", "b"], 150)
    rows = [np.where(rng.random(150) < 0.9, truth, "b") for _ in range(6)]
    rows[0][[3, 50]] = "c"
    rows[1][[9, 70]] = "c"
    one = told(ac.fit([list(r) for r in rows], "one_coin"), "degenerate_class")
    assert "“c”" in one.sentence
    assert "4 times" in one.sentence
    assert one.evidence["expected"] < 1
    assert "degenerate_class" not in codes(ac.fit(mixed().data, "dawid_skene"))


@pytest.mark.parametrize("model", ["pooled", "dawid_skene", "one_coin", "variational"])
def test_of_a_single_item_no_category_is_lost(model: str) -> None:
    rows = [(1, coder, label) for coder, label in zip("ABCDE", "xxxyy", strict=True)]
    assert "degenerate_class" not in codes(ac.fit(rows, model))


def test_labels_of_single_coders_that_the_model_changes_are_counted() -> None:
    said = [("a", "x")] * 6 + [("b", "x")] * 6 + [("a", "y")] * 3 + [("c", "y")] * 4
    rows = [(f"i{k}", *one) for k, one in enumerate(said)]
    found = ac.fit(rows, "pooled")
    given = dict(zip((r[0] for r in rows), (r[2] for r in rows), strict=True))
    assert found.labelled() == given
    model = found.not_recalibrated.probabilities.argmax(1)
    own = [found.categories[k] for k in model.tolist()]
    other = sum(given[str(i)] != one for i, one in zip(found.items, own, strict=True))
    assert other > 0
    assert f"would give {other} items another label" in told(found, "nothing_to_learn").sentence
    kept = told(ac.fit(rows, "majority"), "nothing_to_learn").sentence
    assert "The labels are those that the coders gave" in kept


def test_an_adversary_is_shown() -> None:
    crowd = mixed()
    adversary = [
        c for c, kind in zip(crowd.data.coders, crowd.kinds, strict=True) if kind == "adversary"
    ]
    for model in ("dawid_skene", "pooled", "one_coin", "variational"):
        one = told(ac.fit(crowd.data, model), "coder_below_chance")
        assert one.evidence["coders"] == adversary, model
        assert one.evidence["coder"] == adversary[0]
        line = one.seen.lines[0]
        assert line.share < line.other
        assert "exchanged" in one.advice
    assert "coder_below_chance" not in codes(ac.fit(binary().data, "pooled"))


def test_a_constant_coder_is_at_chance_and_not_below() -> None:
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 200)
    rows = np.where(rng.random((5, 200)) < 0.85, truth, 1 - truth)
    rows[4] = 1
    assert "coder_below_chance" not in codes(ac.fit(rows, "dawid_skene"))


def test_coders_with_few_annotations_are_named() -> None:
    data = sparse().data
    few = [c for c, n in zip(*_per_coder(data), strict=True) if n < 5]
    assert few
    assert set(told(ac.fit(data, "pooled"), "coder_with_few").evidence["coders"]) == set(few)
    rows = [(k, c, "a" if k % 2 else "b") for k in range(30) for c in "ABC"]
    found = ac.fit([*rows, (7, "Zoe", "b")], "dawid_skene")
    one = told(found, "coder_with_few")
    assert one.evidence == {"coder": "Zoe", "coders": ["Zoe"], "n": 1, "least": 1}
    assert np.isfinite(found.competence).all()


def _per_coder(data: Any) -> tuple[tuple[str, ...], Any]:
    found = votes(data)
    return found.coders, found.per_coder


def test_ties_are_told_once() -> None:
    rows = [list("aabb"), list("abba")]
    found = ac.fit(rows, "majority")
    assert codes(found).count("ties") == 1
    assert found.labels == ["a", None, "b", None]


def test_items_annotated_once_are_told() -> None:
    rows = [(k, "A" if k % 2 else "B", "x" if k % 3 else "y") for k in range(20)]
    more = [(k, c, "x" if k % 3 else "y") for k in range(6) for c in "CD"]
    assert told(ac.fit([*rows, *more], "pooled"), "single_annotations").evidence["n"] == 14


def test_an_objective_that_falls_is_a_problem() -> None:
    found = ac.fit(mixed().data, "dawid_skene", restarts=0)
    e = found.estimate
    run = Climb("log-likelihood", (-3.0, -1.0, -2.5), True, fell=True)
    broken = Estimate(e.probabilities, e.prevalence, e.emission, e.competence, run)
    first = verdicts(model_of("dawid_skene"), found.votes, broken, found.how)[0]
    assert first.code == "objective_fell"
    assert first.severity == "problem"
    assert "fell by 1.500000 in iteration 3 of 3" in first.sentence


def test_findings_belong_to_their_question() -> None:
    data = examples.load("visitors")
    found = ac.fit(data, "pooled")
    for one in found:
        assert one.findings
        assert {f.question for f in one.findings} == {one.question}
        for f in one.findings:
            assert f.sentence.endswith(".")
            assert f.to_rows()


def test_one_category_is_no_crash() -> None:
    rows = [["a"] * 5, ["a"] * 5, ["a"] * 5]
    for model in ("majority", "dawid_skene", "pooled", "variational", "one_coin", "map"):
        found = ac.fit(rows, model)
        assert found.labels == ["a"] * 5
        assert found.findings is not None


@pytest.mark.parametrize(
    "model", ["majority", "dawid_skene", "pooled", "map", "variational", "one_coin", "subtypes"]
)
def test_one_label_for_everything_says_nothing_about_coders(model: str) -> None:
    found = ac.fit([["a"] * 6] * 4, model, categories=["a", "b"])
    assert found.labels == ["a"] * 6
    assert found.confidence.min() > 0.99
    one = told(found, "one_label")
    assert one.severity == "warning"
    assert "Each of the 24 annotations by 4 coders is “a”" in one.sentence
    assert "not_identified" not in codes(found)
    assert "one_label" not in codes(ac.fit([["a"] * 6] * 3 + [["a"] * 5 + ["b"]], model))


def test_a_label_that_all_sets_hold_is_told() -> None:
    rows = [[("x", "y")] * 3 + [("x",)] * 3] * 4
    found = ac.fit(rows, "pooled")
    one = told(found, "one_label")
    assert one.evidence["labels"] == ("x",)
    assert "About “x”: Each of the 24 annotations by 4 coders is “yes”" in one.sentence
    assert codes(found)[-1] == "converged"


def test_numbers_as_categories_are_no_yes_and_no() -> None:
    assert "is “1”" in told(ac.fit(np.ones((3, 4), int), "pooled"), "one_label").sentence


def turned(n: int) -> list[list[str | None]]:
    """Six coders know; three turn all labels round, and are alone with n further items."""
    known = ["a", "b"] * 40
    alone: list[str | None] = [None] * n
    return [known + alone] * 6 + [["b", "a"] * 40 + ["a"] * n] * 3


def test_labels_against_all_coders_are_told() -> None:
    found = ac.fit(turned(12), "dawid_skene")
    assert found.labels[80:] == ["b"] * 12
    one = told(found, "against_all_coders")
    assert one.severity == "warning"  # no other item has coders who are all alike
    assert one.evidence["n"] == 12
    assert one.evidence["share"] == 1
    assert set(one.evidence["items"]) <= set(range(81, 93))
    assert "12 of the 12 items (100.0\u00a0%) to which 3 coders or more all gave" in one.sentence
    assert "3 coders say “a”, the model says “b”" in one.sentence
    assert "against_all_coders" not in codes(ac.fit(turned(12), "majority"))
    known = dict.fromkeys(range(81, 93), "b")
    assert "against_all_coders" not in codes(ac.fit(turned(12), "dawid_skene", gold=known))


def test_two_coders_alike_or_one_who_says_it_thrice_are_not_all_coders() -> None:
    rows = [row if k < 7 else row[:80] + [None] * 12 for k, row in enumerate(turned(12))]
    assert "against_all_coders" not in codes(ac.fit(rows, "dawid_skene"))
    again = [(k, f"c{c}", x) for c, row in enumerate(rows) for k, x in enumerate(row) if x]
    again += [(k, "c6", "a") for k in range(80, 92) for _ in range(3)]
    found = ac.fit(again, "dawid_skene", duplicates="keep")
    assert found.labels[80:] == ["b"] * 12
    assert "against_all_coders" not in codes(found)


def test_what_is_not_determined_depends_on_the_model() -> None:
    two = [list("abababab") * 3, list("abaababb") * 3]
    for model in ("one_coin", "mace", "glad"):
        one = told(ac.fit(two, model), "not_identified")
        assert one.severity == "warning"
        assert "confusion matrix" not in one.sentence
        three = ac.fit([*two, list("bbaababa") * 3], model)
        assert "not_identified" not in codes(three), model
    assert "not_identified" in codes(ac.fit([*two, list("bbaababa") * 3], "pooled"))


def test_three_coders_with_two_categories_determine_the_one_coin_model() -> None:
    """E x_i x_j = r_i r_j for labels of ±1: three products, three coders (no prevalence needed)."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 40_000)
    right = np.array([0.9, 0.75, 0.65])
    rows = np.where(rng.random((3, 40_000)) < right[:, None], truth, 1 - truth)
    found = ac.fit(rows, "one_coin", restarts=0)
    assert found.competence == pytest.approx(right, abs=0.03)


def test_that_the_search_ended_comes_last() -> None:
    rows = [(k, c, "a" if k % 2 else "b") for k in range(30) for c in "ABC"]
    found = ac.fit([*rows, (7, "Zoe", "b")], "dawid_skene")
    assert {"coder_with_few", "converged"} <= set(codes(found))
    assert codes(found)[-1] == "converged"
    severity = ["problem", "warning", "note"]
    places = [severity.index(f.severity) for f in found.findings]
    assert places == sorted(places)
