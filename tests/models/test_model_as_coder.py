"""A model as coder: published outcomes, a second way to compute them, who is compared, laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import accordant as ac

Rows = list[tuple[str, str, Any]]

PUBLISHED = ("wax", "mtbench", "cebab_aspects", "10k_prompts", "cebab_stars", "lesion")
GOOD = {"A": 0.8, "B": 0.8, "C": 0.8, "D": 0.8}


def rows_of(table: dict[str, dict[str, Any]]) -> Rows:
    return [(item, coder, label) for coder, own in table.items() for item, label in own.items()]


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


def codes(found: Any) -> dict[str, Any]:
    return {f.code: f for f in found.findings}


# ------------------------------------------------------------------ as published


@pytest.mark.parametrize("name", PUBLISHED)
def test_outcomes_published_by_calderon_et_al(name: str, real_data) -> None:
    """All 34 printed rows: outcome, winning rate and advantage probability, to two decimals."""
    read = lambda what: json.loads(real_data(f"alt_test/{what}.json").read_text())  # noqa: E731
    expected = [r for r in read("expected")["rows"] if r["dataset"] == name]
    how = {k: expected[0][k] for k in ("epsilon", "alignment")}
    scale = {"scale": "interval"} if how["alignment"] == "neg_rmse" else {}
    humans, models = (rows_of(read(f"{name}_{who}")) for who in ("human", "models"))
    found = ac.model_as_coder(humans, ac.read(models, **scale), **how, **scale)
    assert len(found.tests) == len(expected)
    for row in expected:
        test = found[row["model"]]
        assert ("passed" if test.passed else "failed") == row["outcome"]
        assert f"{test.winning_rate:.2f}" == f"{row['winning_rate']:.2f}"
        assert f"{test.advantage:.2f}" == f"{row['advantage_probability']:.2f}"


# ------------------------------------------------------------------ a second way


def made(seed: int, n_items: int = 60, n_humans: int = 4, n_values: int = 3) -> tuple[Rows, Rows]:
    """Humans with gaps, and two models; labels 1, 2, …"""
    rng = np.random.default_rng(seed)
    right = rng.integers(1, n_values + 1, n_items)

    def said(i: int, chance: float) -> int:
        return int(right[i] if rng.random() < chance else rng.integers(1, n_values + 1))

    humans = [
        (f"i{i}", f"h{j}", said(i, 0.8 - 0.1 * (j % 3)))
        for i in range(n_items)
        for j in range(n_humans)
        if rng.random() < 0.7
    ]
    models = [
        (f"i{i}", f"m{k}", said(i, 0.6 + 0.2 * k))
        for i in range(n_items)
        for k in range(2)
        if rng.random() < 0.9
    ]
    return humans, models


def near(alignment: str, label: int, others: list[int]) -> float:
    if alignment == "accuracy":
        return float(np.mean([label == x for x in others]))
    return -float(np.sqrt(np.mean([(label - x) ** 2 for x in others])))


def by_hand(
    humans: Rows, models: Rows, model: str, alignment: str, epsilon: float, least: int = 0
) -> dict[str, Any]:
    """The test as the paper tells it: item by item, human by human."""
    given_by: dict[str, dict[str, int]] = {}
    for item, coder, label in humans:
        given_by.setdefault(item, {})[coder] = label
    said = {item: label for item, coder, label in models if coder == model}
    names = sorted({coder for _, coder, _ in humans})
    p, rho, differences = {}, {}, {}
    for human in names:
        wins, losses = [], []
        for item, own in given_by.items():
            others = [x for h, x in own.items() if h != human]
            if human not in own or item not in said or not others:
                continue
            a, b = (near(alignment, x, others) for x in (said[item], own[human]))
            same = abs(a - b) < 1e-9
            wins.append(a > b or same)
            losses.append(b > a or same)
        if len(wins) <= least:
            continue
        d = np.array(losses, float) - np.array(wins, float)
        p[human] = float(stats.ttest_1samp(d, epsilon, alternative="less").pvalue)
        rho[human] = float(np.mean(wins))
        differences[human] = float(d.mean())
    order = sorted(p, key=lambda h: p[h])
    m = len(order)
    bound = [0.05 * (k + 1) / (m * sum(1 / (i + 1) for i in range(m))) for k in range(m)]
    last = max((k for k in range(m) if p[order[k]] <= bound[k]), default=-1)
    return {
        "rate": (last + 1) / m,
        "rho": float(np.mean(list(rho.values()))),
        "p": p,
        "each": rho,
        "beaten": set(order[: last + 1]),
        "difference": differences,
    }


@pytest.mark.parametrize("alignment", ["accuracy", "neg_rmse"])
@pytest.mark.parametrize("seed", range(4))
def test_against_loops(alignment: str, seed: int) -> None:
    humans, models = made(seed, n_items=50 + 10 * seed, n_humans=3 + seed % 3)
    found = ac.model_as_coder(
        humans, ac.read(models), epsilon=0.15, min_items=0, scale="interval", alignment=alignment
    )
    for model in ("m0", "m1"):
        expected = by_hand(humans, models, model, alignment, 0.15)
        test = found[model]
        assert test.winning_rate == pytest.approx(expected["rate"])
        assert test.advantage == pytest.approx(expected["rho"])
        assert {t.human for t in test.tests if t.beaten} == expected["beaten"]
        for t in test.tests:
            assert t.p_value == pytest.approx(expected["p"][t.human], abs=1e-12)
            assert t.advantage == pytest.approx(expected["each"][t.human])
            assert t.difference == pytest.approx(expected["difference"][t.human])


def shares(found: Any) -> dict[str, tuple[float, float]]:
    return {t.human: (t.advantage, t.human_advantage) for t in found["m"].tests}


def test_similarity_of_sets() -> None:
    """The mean MASI weight of the other humans decides who is nearer."""
    humans = [("1", "A", "x;y"), ("1", "B", "x"), ("1", "C", "z")]
    found = ac.model_as_coder(
        humans,
        ac.read([("1", "m", "x"), ("2", "m", "x;y")], separator=";"),
        separator=";",
        alignment="similarity",
        coefficient="alpha_masi",
    )
    # MASI of {x} and {x, y} is 1/2 * 2/3: beside B and C, A gets 1/3 and the model 1 in sum;
    # beside A and C, B and the model say the same; beside A and B, C gets 0 and the model 4/3
    assert shares(found) == {"A": (1, 0), "B": (1, 1), "C": (1, 0)}


def test_nobody_wins_by_rounding() -> None:
    """0.2 and 0.3 are as near to 0.1 and 0.4, though floating-point squares say otherwise."""
    assert (0.2 - 0.1) ** 2 + (0.4 - 0.2) ** 2 != (0.3 - 0.1) ** 2 + (0.4 - 0.3) ** 2
    humans = [("1", "A", 0.1), ("1", "B", 0.4), ("1", "C", 0.2)]
    model = ac.read([("1", "m", 0.3)])
    found = ac.model_as_coder(humans, model, alignment="neg_rmse", scale="interval")
    assert shares(found)["C"] == (1, 1)


def test_agreement_of_groups_by_hand() -> None:
    """α of all pairs of two humans, and of the model with one: each item counts once."""
    rows = crowd(3, {"A": 0.7, "B": 0.8, "C": 0.9, "m": 0.6}, 80)
    found = ac.model_as_coder(rows, "m")
    label = {(i, c): x for i, c, x in rows}
    items = sorted({i for i, _, _ in rows})

    def alpha(pairs: list[tuple[str, str]]) -> tuple[float, float]:
        observed = float(np.mean([a == b for a, b in pairs]))
        share = float(np.mean([x == "x" for pair in pairs for x in pair]))
        n = 2 * len(items)
        chance = (share**2 + (1 - share) ** 2) * n / (n - 1) - 1 / (n - 1)
        return observed, (observed - chance) / (1 - chance)

    humans = [(label[i, a], label[i, b]) for i in items for a, b in ("AB", "AC", "BC")]
    model = [(label[i, a], label[i, "m"]) for i in items for a in "ABC"]
    for group, pairs in zip(found.groups, (humans, model), strict=True):
        assert (group.observed, group.value) == pytest.approx(alpha(pairs), abs=1e-9)
        assert group.low < group.value < group.high
    row = found.to_rows()[0]
    assert row["human_agreement"] == found.groups[0].value
    assert row["model_agreement"] == found.groups[1].value


# ------------------------------------------------------------------ few items


def one_human(nearer: int, farther: int, n: int, epsilon: float, **more: Any) -> Any:
    """Two humans who agree but for A, who is nearer to B than the model on ``farther`` items."""
    a = ["x" if k >= nearer else "y" for k in range(n)]
    model = ["y" if nearer <= k < nearer + farther else "x" for k in range(n)]
    rows = [(k, c, x) for c, own in (("A", a), ("B", ["x"] * n), ("m", model))
            for k, x in enumerate(own)]  # fmt: skip
    return ac.model_as_coder(rows, "m", epsilon=epsilon, **more)["m"].tests[0]


def test_few_items_have_an_exact_test() -> None:
    test = one_human(1, 2, 20, 0.2)
    assert (test.test, test.n_items) == ("exact", 20)
    p = [stats.binom.cdf(2, 20, 0.2), stats.binom.cdf(2, 3, 0.6)]
    assert test.p_value == pytest.approx(2 * min(p))
    assert one_human(0, 0, 4, 0.1).test == "none"  # no outcome could be significant
    long = one_human(1, 2, 40, 0.2)
    d = np.repeat([-1.0, 1.0, 0.0], [1, 2, 37])
    assert long.test == "t"
    assert long.p_value == pytest.approx(stats.ttest_1samp(d, 0.2, alternative="less").pvalue)
    assert one_human(1, 2, 40, 0.2, min_items=41).test == "exact"


def test_few_items_keep_the_error_rate() -> None:
    """A model that loses exactly ε, or more, is let through in 5 % of the tests at most."""
    n, epsilon = 14, 0.2
    outcomes = [(a, b) for a in range(n + 1) for b in range(n + 1 - a)]
    p = {o: one_human(*o, n, epsilon).p_value for o in outcomes}
    for share in (0.0, 0.02, 0.1, 0.25, 0.4):
        for loss in (epsilon, 0.3, 0.5):
            a, b = np.array(outcomes).T
            rest = min((share + loss) / (1 - share), 1)
            chance = stats.binom.pmf(a, n, share) * stats.binom.pmf(b, n - a, rest)
            assert chance[[p[o] <= 0.05 for o in outcomes]].sum() <= 0.05


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
    with pytest.raises(ac.InputError, match="needs two"):
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
    assert found.sides.data.scheme.categories == ("x", "y", "z")
    with pytest.raises(ac.InputError, match="label 'z' is not in the scheme"):
        ac.model_as_coder(ac.read(rows, categories=["x", "y"]), ac.read(models))


def test_what_does_not_enter_is_told() -> None:
    rows = crowd(3, {**GOOD, "m": 0.8})
    rows = [r for r in rows if r[1] != "m" or r[0] != "i3"] + [("alone", "m", "x")]
    found = ac.model_as_coder(rows, "m")
    assert found.sides.left_out["items that no human annotated"] == 1
    assert found["m"].n_items == 119
    assert "not_labelled" in codes(found)
    other = ac.model_as_coder(of(rows, *"ABCD"), ac.read(of(rows, "m")))
    assert other.sides.left_out["items of the models that are not in the data"] == 1


def test_the_first_of_repeated_annotations_counts() -> None:
    rows = crowd(4, {**GOOD, "m": 0.8})
    again = [*rows, *[(i, c, "x") for i, c, _ in rows[:50]]]
    found = ac.model_as_coder(again, "m", duplicates="keep")
    assert found.to_rows() == ac.model_as_coder(rows, "m").to_rows()
    assert found.sides.left_out == {
        "annotations of an item by the same coder after the first one": 50
    }


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
    assert found.constant.model == "a + b"
    single = ac.model_as_coder(data, ac.read([(str(i), "m", "a") for i in range(60)]))
    assert single["m"].n_items == 60


def test_codes_of_nothing_are_asked_about() -> None:
    """−1 beside a scale is doubted in either source, and is missing if the user says so."""
    rng = np.random.default_rng(16)
    labels = rng.integers(1, 5, (40, 4))
    labels[5, 3] = -1  # the model
    rows = [(k, c, int(x)) for k, own in enumerate(labels) for c, x in zip("ABCm", own)]
    for sources in ((rows, "m"), (of(rows, *"ABC"), of(rows, "m"))):
        with pytest.warns(UserWarning, match="nothing was given"):
            ac.model_as_coder(*sources)
    found = ac.model_as_coder(rows, "m", missing="-1")
    assert found.sides.data.scheme.categories == (1, 2, 3, 4)
    assert codes(found)["not_labelled"].evidence["models"] == {"m": 1}


# ------------------------------------------------------------------ what is told


def test_a_model_that_passes() -> None:
    found = ac.model_as_coder(crowd(6, {**GOOD, "m": 0.95}, 200), "m")
    told = codes(found)
    assert found["m"].passed
    assert told["stands_in"].facts["beaten"] == ("A", "B", "C", "D")
    assert "humans_disagree" in told  # α of .64
    assert "falls_short" not in told


def test_a_model_that_fails() -> None:
    found = ac.model_as_coder(crowd(7, {**GOOD, "m": 0.1}, 200), "m")
    told = codes(found)
    assert found["m"].passed is False
    assert told["falls_short"].severity == "warning"
    assert found.groups[1].value < found.groups[0].value
    assert "humans_disagree" not in told  # nobody passes an easy test


def test_too_few_items_to_decide() -> None:
    told = codes(ac.model_as_coder(crowd(8, {**GOOD, "m": 0.75}, 40), "m"))
    assert told["too_few_items"].facts["n_open"] > 0
    assert "falls_short" not in told


def test_an_answer_that_never_changes() -> None:
    chances = dict.fromkeys("ABC", 0.6)
    rows = crowd(9, {**chances, "m": 0.6}, 300, share=0.97)
    told = codes(ac.model_as_coder(rows, "m"))["easy_test"]
    assert (told.severity, told.facts["label"]) == ("problem", "y")
    rare = [(i, c, "x" if c == "m" else x) for i, c, x in rows]
    assert codes(ac.model_as_coder(rare, "m"))["easy_test"].severity == "warning"


def test_one_human_or_two() -> None:
    rows = crowd(11, {**GOOD, "m": 0.9}, 100)
    one = ac.model_as_coder(of(rows, "A", "m"), "m")
    assert one["m"].passed is None
    assert codes(one)["not_tested"].facts == {"n_humans": 1, "n_items": 0}
    assert one.groups[1].n_items == 100
    assert str(one)
    two = ac.model_as_coder(of(rows, "A", "B", "m"), "m")
    assert two["m"].passed is not None


def test_a_copy_is_told() -> None:
    rows = crowd(12, {**GOOD, "good": 0.95}, 60)
    rows += [(i, "copy", x) for i, c, x in rows if c == "A"]
    told = codes(ac.model_as_coder(rows, ["good", "copy"]))["copy"]
    assert told.facts == {"model": "copy", "humans": ("A",), "n": 60}


def test_rows_and_signature() -> None:
    rows = crowd(13, {**GOOD, "m1": 0.9, "m2": 0.5})
    found = ac.model_as_coder(rows, ["m1", "m2"], epsilon="skilled")
    for table, n in ((found.tests, 2), (found.human_tests, 8), (found.groups, 3)):
        every = [r for x in table for r in x.to_rows()]
        assert len(every) == n
        assert len({tuple(r) for r in every}) == 1
    assert "models m1, m2; 4 humans; alignment accuracy; epsilon 0.15" in found.signature
    assert found.to_frame().shape[0] == 2
    assert "NaN" not in found.to_json()


@pytest.mark.parametrize(
    "how",
    [
        {"models": "nobody"},
        {"models": []},
        {"models": list("ABCDm")},
        {"humans": ["A", "m"]},
        {"humans": ["A", "Z"]},
        {"alignment": "f1"},
        {"alignment": "neg_rmse"},
        {"q": 0},
        {"min_items": -1},
        {"epsilon": "cheap"},
        {"epsilon": 2},
        {"coefficient": "beta"},
        {"coefficient": ["alpha", "kappa"]},
    ],
)
def test_bad_requests(how: dict[str, Any]) -> None:
    rows = crowd(14, {**GOOD, "m": 0.8}, 20)
    with pytest.raises(ac.RequestError):
        ac.model_as_coder(rows, **{"models": "m", **how})


def test_bad_sources() -> None:
    rows = crowd(15, GOOD, 20)
    with pytest.raises(ac.RequestError, match="both called 'A'"):
        ac.model_as_coder(rows, ac.read(rows))
    with pytest.raises(ac.InputError, match="no item of the models is an item of the data"):
        ac.model_as_coder(rows, ac.read([("other", "m", "x")]))
    questions = {"item": [1, 1], "coder": ["A", "m"], "topic": ["x", "x"], "mood": ["y", "x"]}
    with pytest.raises(ac.RequestError, match=r"hold 2 questions: .*of_question\('topic'\)"):
        ac.model_as_coder(questions, "m", label=["topic", "mood"])
    table = ac.read({"item": [1, 2], "x": [2, 1], "y": [1, 2]}, layout="counts")
    with pytest.raises(ac.RequestError, match="do not say who annotated what"):
        ac.model_as_coder(table, [table.coders[0]])


def test_humans_beside_a_model_agree_on_the_items_that_it_labelled() -> None:
    """Else two figures that stand side by side would be of different items."""
    data = ac.example("crowd")
    there = [row["item"] for row in data.to_frame().to_dict("records") if row["coder"] == "c09"]
    (whole,) = ac.model_as_coder(data, ["c09"]).to_rows()
    shared = ac.model_as_coder(data.of_items(np.isin(data.items, there)), ["c09"])
    assert whole["human_agreement"] == pytest.approx(shared.groups[0].value, rel=1e-12)
    assert whole["human_agreement"] != ac.model_as_coder(data, ["c09"]).groups[0].value
