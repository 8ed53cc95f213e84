"""A model as coder: who is compared, what is told, and bad requests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import accordant as ac
from accordant.errors import InputError, ReadingWarning, RequestError
from accordant.models.alternative_test.model_as_coder import ModelAsCoder
from accordant.views.view import named

Rows = list[tuple[str, str, Any]]


def crowd(seed: int, chances: dict[str, float], n_items: int = 120, share: float = 0.5) -> Rows:
    """Coders who are right so often, else give x with probability ``share``; labels x and y."""
    rng = np.random.default_rng(seed)
    right = rng.random(n_items) < share
    return [
        (f"i{i}", name, "xy"[int(right[i] if rng.random() < p else rng.random() < share)])
        for i in range(n_items)
        for name, p in chances.items()
    ]


def of(rows: Rows, *names: str) -> Rows:
    return [r for r in rows if r[1] in names]


def codes(found: ModelAsCoder) -> dict[str, Any]:
    return {f.code: f for f in found.findings}


GOOD = {"A": 0.8, "B": 0.8, "C": 0.8, "D": 0.8}


# ------------------------------------------------------------------ who is who


def test_the_same_from_one_source_or_two(tmp_path: Path) -> None:
    rows = crowd(1, {**GOOD, "m1": 0.9, "m2": 0.5})
    humans, models = of(rows, *"ABCD"), of(rows, "m1", "m2")
    base = ac.model_as_coder(rows, ["m1", "m2"])
    path = tmp_path / "models.csv"
    path.write_text("item,coder,label\n" + "".join(f"{i},{c},{x}\n" for i, c, x in models))
    frame = [dict(zip(("item", "coder", "label"), r, strict=True)) for r in models]
    for other in (ac.read(models), path, str(path), frame):
        found = ac.model_as_coder(humans, other)
        assert found.to_rows() == base.to_rows()
        assert found.signature == base.signature
    assert base.humans == ("A", "B", "C", "D")
    assert base.models == ("m1", "m2")
    one = ac.model_as_coder(rows, "m1", humans=["A", "B", "C"])
    assert (one.humans, one.models) == (("A", "B", "C"), ("m1",))


@pytest.mark.parametrize(
    ("head", "columns", "name"),
    [
        ("item,coder,label", (0, 1, 2), "m1"),
        ("item,label", (0, 2), "single"),
        ("item,prediction", (0, 2), "single"),
    ],
)
def test_a_file_of_one_model(
    tmp_path: Path, head: str, columns: tuple[int, ...], name: str
) -> None:
    rows = crowd(1, {**GOOD, "m1": 0.9})
    base = ac.model_as_coder(rows, "m1").to_rows()
    path = tmp_path / "single.csv"
    lines = [",".join(str(row[k]) for k in columns) for row in of(rows, "m1")]
    path.write_text("\n".join([head, *lines]) + "\n")
    found = ac.model_as_coder(of(rows, *"ABCD"), path)
    assert found.models == (name,)
    assert [r["winning_rate"] for r in found.to_rows()] == [r["winning_rate"] for r in base]
    assert not found.sides.data.reading.notes
    with pytest.raises(InputError, match="needs two"):
        ac.read(path)


def test_labels_and_items_are_matched_as_text() -> None:
    humans = [(k, c, 1 + (k + j) % 2) for k in range(40) for j, c in enumerate("AB")]
    models = [(str(k), "m", str(1 + k % 2)) for k in range(40)]
    found = ac.model_as_coder(humans, ac.read(models), categories=[1, 2])
    assert found["m"].n_items == 40
    assert {t.human: t.advantage for t in found["m"].tests} == {"A": 1, "B": 1}
    assert {t.human: t.human_advantage for t in found["m"].tests} == {"A": 1, "B": 0}


def test_a_model_may_say_what_no_human_said() -> None:
    rows = crowd(2, GOOD)
    models = [(f"i{i}", "m", "z") for i in range(120)]
    found = ac.model_as_coder(rows, ac.read(models))
    assert found["m"].passed is False
    assert found.data.scheme.categories == ("x", "y", "z")
    with pytest.raises(InputError, match="label 'z' is not in the scheme"):
        ac.model_as_coder(ac.read(rows, categories=["x", "y"]), ac.read(models))


def test_what_does_not_enter_is_told() -> None:
    rows = crowd(3, {**GOOD, "m": 0.8})
    rows = [r for r in rows if r[1] != "m" or r[0] != "i3"] + [("alone", "m", "x")]
    found = ac.model_as_coder(rows, "m")
    assert found.left_out["items that no human annotated"] == 1
    assert found["m"].n_items == 119
    assert "not_labelled" in codes(found)
    other = ac.model_as_coder(of(rows, *"ABCD"), ac.read(of(rows, "m")))
    assert other.left_out["items of the models that are no items of the data"] == 1


def test_the_first_of_repeated_annotations_counts() -> None:
    rows = crowd(4, {**GOOD, "m": 0.8})
    again = [*rows, *[(i, c, "x") for i, c, _ in rows[:50]]]
    found = ac.model_as_coder(again, "m", duplicates="keep")
    assert found.to_rows() == ac.model_as_coder(rows, "m").to_rows()
    assert found.left_out == {"annotations of an item by the same coder after the first one": 50}


def test_sets_of_labels() -> None:
    rng = np.random.default_rng(5)
    sets = [["a"], ["b"], ["a", "b"], ["b", "c"]]
    rows = [(str(i), c, sets[rng.integers(4)]) for i in range(60) for c in ("A", "B", "C")]
    models = [(str(i), "m", ["b", "a"]) for i in range(60)]
    data = ac.read([dict(zip(("item", "coder", "label"), r, strict=True)) for r in rows])
    told = ac.read([dict(zip(("item", "coder", "label"), r, strict=True)) for r in models])
    found = ac.model_as_coder(data, told, alignment="similarity", coefficient="alpha_masi")
    assert found["m"].n_items == 60
    assert 0 < found["m"].advantage < 1
    assert [t.model for t in found.unmoved] == ["always a + b"]
    exact = ac.model_as_coder(data, told)
    same = sum(x == ["a", "b"] for _, _, x in rows)
    assert exact.groups[1].observed != same  # by MASI, not by equality
    single = ac.model_as_coder(data, ac.read([(str(i), "m", "a") for i in range(60)]))
    assert single["m"].n_items == 60


def test_codes_of_nothing_are_asked_about() -> None:
    """−1 beside a scale is doubted in either source, and is missing if the user says so."""
    rng = np.random.default_rng(16)
    labels = rng.integers(1, 5, (40, 4))
    labels[5, 3] = -1  # the model
    rows = [(k, c, int(x)) for k, own in enumerate(labels) for c, x in zip("ABCm", own)]
    with pytest.warns(ReadingWarning, match="may say that nothing was given"):
        ac.model_as_coder(rows, "m")
    with pytest.warns(ReadingWarning, match="may say that nothing was given"):
        ac.model_as_coder(of(rows, *"ABC"), of(rows, "m"))
    found = ac.model_as_coder(rows, "m", missing="-1")
    assert found.data.scheme.categories == (1, 2, 3, 4)
    assert codes(found)["not_labelled"].evidence["models"] == {"m": 1}


def test_booleans_stay_unless_words_are_declared() -> None:
    rows = [(i, c, x == "y") for i, c, x in crowd(17, {**GOOD, "m": 0.9})]
    seen: set[Any] = set()

    def alike(label: Any, others: list[Any]) -> float:
        seen.update((label, *others))
        return float(np.mean([label == x for x in others]))

    for how, labels in (
        ({}, {False, True}),
        ({"categories": ["False", "True"]}, {"False", "True"}),
    ):
        seen.clear()
        found = ac.model_as_coder(rows, "m", alignment=alike, **how)
        assert seen == labels
        plain = ac.model_as_coder(rows, "m", **how)
        assert found["m"].advantage == plain["m"].advantage
        two = ac.model_as_coder(of(rows, *"ABCD"), ac.read(of(rows, "m"), **how), **how)
        assert two.to_rows() == plain.to_rows()


# ------------------------------------------------------------------ what is told


def test_a_model_that_passes() -> None:
    found = ac.model_as_coder(crowd(6, {**GOOD, "m": 0.95}, 200), "m")
    told = codes(found)
    assert found["m"].passed
    assert "(4 of 4 humans, ε = 0.1)" in told["stands_in"].sentence
    assert "ε and why it was chosen" in told["stands_in"].advice
    assert told["agrees_more"].evidence["models"] == ("m",)
    assert "majority" in told
    assert "humans_disagree" in told  # α of .64
    assert "falls_short" not in told


def test_a_model_that_fails() -> None:
    found = ac.model_as_coder(crowd(7, {**GOOD, "m": 0.1}, 200), "m")
    told = codes(found)
    assert found["m"].passed is False
    assert told["falls_short"].severity == "warning"
    assert "Do not replace a human by it." in told["falls_short"].advice
    assert "agrees_less" in told
    assert "humans_disagree" not in told  # nobody passes an easy test


def test_too_few_items_to_decide() -> None:
    found = ac.model_as_coder(crowd(8, {**GOOD, "m": 0.75}, 40), "m")
    told = codes(found)["too_few_items"]
    assert "not significantly" in told.sentence
    assert "items for each human" in told.advice


def test_an_answer_that_never_changes() -> None:
    chances = dict.fromkeys("ABC", 0.6)
    found = ac.model_as_coder(crowd(9, {**chances, "m": 0.6}, 300, share=0.97), "m")
    told = codes(found)
    assert found.unmoved[0].passed
    assert told["test_too_easy"].severity == "problem"
    assert told["test_too_easy"].evidence["label"] == "y"
    assert "would pass as well" in told["test_too_easy"].sentence
    rare = [(i, c, "x" if c == "m" else x) for i, c, x in crowd(9, {**chances, "m": 1}, 300, 0.97)]
    bad = codes(ac.model_as_coder(rare, "m"))["test_too_easy"]
    assert bad.severity == "warning"
    assert "would pass (" in bad.sentence


def test_the_ideal_of_the_test_is_that_of_the_alignment() -> None:
    """Most other humans may say 1 or 5 where 3 is closest by distance."""
    rows = [(i, c, 1 + 4 * (x == "y")) for i, c, x in crowd(18, {**GOOD, "m": 1.0}, 200)]
    by = {a: codes(ac.model_as_coder(rows, "m", alignment=a)) for a in ("accuracy", "neg_rmse")}
    assert "the label of most other humans" in by["accuracy"]["majority"].sentence
    assert "the label closest to those" in by["neg_rmse"]["majority"].sentence


def test_schools_of_humans() -> None:
    """Two schools, the same as `coders` finds: the model speaks for one of them."""
    rng = np.random.default_rng(10)
    one = rng.integers(0, 2, 200)
    other = np.where(rng.random(200) < 0.3, 1 - one, one)
    rows = [
        (f"i{i}", f"{school}{j}", "xy"[int(right[i] if rng.random() < 0.9 else 1 - right[i])])
        for i in range(200)
        for school, right, n in (("p", one, 4), ("q", other, 2))
        for j in range(n)
    ]
    rows += [(f"i{i}", "m", "xy"[int(one[i])]) for i in range(200)]
    told = codes(ac.model_as_coder(rows, "m"))["minority_school"]
    assert told.evidence["schools"] == (("p0", "p1", "p2", "p3"), ("q0", "q1"))
    assert all("humans" in step.options for step in told.do)
    alone = ac.coders([row for row in rows if row[1] != "m"], leave_out=0).schools
    assert alone.names == told.evidence["schools"]


def test_one_human_or_two() -> None:
    rows = crowd(11, {**GOOD, "m": 0.9}, 100)
    one = ac.model_as_coder(of(rows, "A", "m"), "m")
    assert one["m"].passed is None
    assert "Only one human, “A”" in codes(one)["no_other_human"].sentence
    assert codes(one)["no_other_human"].severity == "problem"
    assert one.groups[1].n_items == 100
    assert "No model could be tested" in str(one)
    assert np.isnan(one.to_rows()[0]["difference"])
    two = ac.model_as_coder(of(rows, "A", "B", "m"), "m")
    assert two["m"].passed is not None
    assert "two_humans" in codes(two)
    apart = [(i, "A" if k % 2 else "B", x) for k, (i, _, x) in enumerate(of(rows, "A"))]
    none = ac.model_as_coder([*apart, *of(rows, "m")], "m")
    assert "No item was annotated by two" in codes(none)["no_other_human"].sentence


def test_several_models() -> None:
    rows = crowd(12, {**GOOD, "good": 0.95, "twin": 0.95, "bad": 0.3}, 300)
    found = ac.model_as_coder(rows, ["good", "twin", "bad"])
    told = codes(found)["nearest_model"]
    assert found.best in ("good", "twin")
    assert told.evidence["ahead_of"] == ("bad",)
    assert len(told.evidence["like"]) == 1
    assert named("compare-models", "tests").rows([found])[-1]["model"] == "bad"


def test_rows_and_signature() -> None:
    rows = crowd(13, {**GOOD, "m1": 0.9, "m2": 0.5})
    found = ac.model_as_coder(rows, ["m1", "m2"], epsilon="skilled")
    for table, n in (
        (found.tests, 2),
        (found.human_tests, 8),
        (found.groups, 4),
        (found.pairs, 15),
        (found.beside, 2),
        (found.beside_each, 8),
        (found.rivals, 1),
    ):
        every = [r for x in table for r in x.to_rows()]
        assert len(every) == n
        assert len({tuple(r) for r in every}) == 1
    assert "models m1, m2; 4 humans; alignment accuracy; epsilon skilled" in found.signature
    assert found.data.fingerprint[:12] in found.signature
    assert found.to_frame().shape[0] == 2
    assert "NaN" not in found.to_json()


# ------------------------------------------------------------------ bad requests


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"models": "nobody"}, "there is no coder 'nobody'"),
        ({"models": []}, "^models: name the coders"),
        ({"models": list("ABCDm")}, "all coders are models"),
        ({"humans": ["A", "m"]}, "named as a model and as a human"),
        ({"humans": ["A", "Z"]}, "there is no coder 'Z'"),
        ({"alignment": "f1"}, "unknown alignment 'f1': choose one of 'accuracy'"),
        ({"alignment": "neg_rmse"}, "needs labels that are numbers, and 'x' is none"),
        ({"alignment": lambda x, others: "near"}, "the alignment function gave 'near'"),
        ({"q": 0}, "^q: between 0 and 1"),
        ({"min_items": -1}, "^min_items: 0 or more"),
        ({"few": "drop"}, "choose one of 'exact', 'wilcoxon', 'leave_out'"),
        ({"epsilon": "cheap"}, "unknown epsilon"),
        ({"coefficient": "beta"}, "beta"),
        ({"coefficient": ["alpha", "kappa"]}, "coefficient: a text"),
    ],
)
def test_bad_requests(how: dict[str, Any], message: str) -> None:
    rows = crowd(14, {**GOOD, "m": 0.8}, 20)
    with pytest.raises(RequestError, match=message):
        ac.model_as_coder(rows, **{"models": "m", **how})


def test_bad_sources() -> None:
    rows = crowd(15, GOOD, 20)
    with pytest.raises(RequestError, match="called 'A', and so is a coder of the data"):
        ac.model_as_coder(rows, ac.read(rows))
    with pytest.raises(InputError, match="no item of the models is an item of the data"):
        ac.model_as_coder(rows, ac.read([("other", "m", "x")]))
    questions = {"item": [1, 1], "coder": ["A", "m"], "topic": ["x", "x"], "mood": ["y", "x"]}
    with pytest.raises(RequestError, match=r"hold 2 questions: .*of_question\('topic'\)"):
        ac.model_as_coder(questions, "m", label=["topic", "mood"])
    table = ac.read({"item": [1, 2], "x": [2, 1], "y": [1, 2]}, layout="counts")
    with pytest.raises(RequestError, match="do not say who annotated what"):
        ac.model_as_coder(table, [table.coders[0]])
