"""`fit`: every model on crowds whose truth is known, its laws, options, errors, files."""

from __future__ import annotations

import csv
import math
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from models.planted import Crowd, crowd, kinds, mixed, rare

MODELS = [row["model"] for row in ac.list_models().to_rows()]
PROBABILISTIC = [m for m in MODELS if m not in ("majority", "weighted")]
MATRICES = ("dawid_skene", "pooled", "map", "blend")


def codes(found: Any) -> set[str]:
    return {f.code for f in found.findings}


def finding(found: Any, code: str) -> Any:
    (one,) = [f for f in found.findings if f.code == code]
    return one


# ------------------------------------------------------------------ what is planted is found


def test_there_are_nine_models() -> None:
    assert MODELS == [
        "blend",
        "majority",
        "weighted",
        "dawid_skene",
        "pooled",
        "map",
        "one_coin",
        "mace",
        "glad",
    ]


@pytest.mark.parametrize("model", MODELS)
def test_an_easy_crowd_is_labelled(model: str) -> None:
    made = crowd(kinds(3, good=9), 150, 7, seed=2)
    found = ac.fit(made.rows, model, restarts=1)
    assert made.right(found.labelled()) > 0.97
    assert found.estimate.probabilities.sum(1) == pytest.approx(1)
    assert found.prevalence.sum() == pytest.approx(1)
    assert ac.fit(made.rows, model, restarts=1).to_json() == found.to_json()


@pytest.mark.parametrize("model", [m for m in MODELS if m != "majority"])
def test_models_do_better_than_votes_where_coders_differ(model: str) -> None:
    made = crowd(kinds(2, good=5, sloppy=4, spammer=3), 600, 7, seed=3)
    votes = made.right(ac.fit(made.rows, "majority").labelled())
    assert made.right(ac.fit(made.rows, model, restarts=0).labelled()) > votes


@pytest.mark.parametrize("model", MATRICES)
def test_confusion_prevalence_and_competence_are_found(model: str) -> None:
    """Each row of a matrix rests on 80 to 200 annotations: a cell's standard error is .03 at most."""
    made = crowd(kinds(3, good=18, sloppy=6, spammer=3, adversary=3), 2000, 6, [0.5, 0.3, 0.2], 1)
    found = ac.fit(made.rows, model, restarts=0)
    off = np.abs(found.confusion - np.array([made.confusion[c] for c in found.coders]))
    assert off.mean() < 0.025
    assert off.max() < 0.16
    assert found.prevalence == pytest.approx(made.prevalence, abs=0.03)
    right = [made.competence[c] for c in found.coders]
    assert found.competence == pytest.approx(right, abs=0.07)


@pytest.mark.parametrize("model", ["dawid_skene", "pooled", "mace", "glad", "blend"])
def test_an_adversary_is_known_as_one(model: str) -> None:
    found = ac.fit(mixed().rows, model)
    worst = found.coders[int(np.argmin(found.competence))]
    assert worst == "c11"
    assert found.competence.min() < 0.2


def test_abilities_and_difficulties_of_glad() -> None:
    rng = np.random.default_rng(4)
    ease = np.exp(rng.normal(0.5, 1, 200))
    ability = rng.uniform(0.3, 2.5, 40)
    truth = rng.integers(0, 2, 200)
    right = rng.random((40, 200)) < 1 / (1 + np.exp(-ability[:, None] * ease))
    found = ac.fit(np.where(right, truth, 1 - truth), "glad", restarts=0, layout="transposed")
    order = [int(name.split()[-1]) - 1 for name in found.coders]
    rank = [np.argsort(np.argsort(x)) for x in (found.competence, ability[order])]
    assert np.corrcoef(rank)[0, 1] > 0.8
    assert (found.estimate.coder_parameters["ability"] > 0).all()
    difficulty = found.estimate.item_parameters["difficulty"]
    assert np.corrcoef(np.log(difficulty), -np.log(ease))[0, 1] > 0.6
    assert "difficulty" in found.to_rows()[0]


@pytest.mark.parametrize("method", ["vb", "em"])
def test_competence_and_strategy_of_mace(method: str) -> None:
    rng = np.random.default_rng(5)
    knows = np.array([0.95, 0.8, 0.6, 0.4, 0.1, 0.0])
    strategy = np.array([[0.2, 0.3, 0.5]] * 4 + [[0.8, 0.1, 0.1], [0.1, 0.1, 0.8]])
    truth = rng.integers(0, 3, 1500)
    spam = np.array([rng.choice(3, 1500, p=s) for s in strategy])
    label = np.where(rng.random((6, 1500)) < knows[:, None], truth, spam)
    found = ac.fit(label, "mace", method=method, restarts=2, layout="transposed").estimate
    assert found.coder_parameters["competence"] == pytest.approx(knows, abs=0.05)
    assert found.coder_parameters["strategy"][2:] == pytest.approx(strategy[2:], abs=0.06)
    assert found.competence == pytest.approx(knows + (1 - knows) / 3, abs=0.04)


def test_learned_prevalence_mends_unequal_categories() -> None:
    made = rare()
    plain, learned = (
        ac.fit(made.rows, "mace", prevalence=x, restarts=0) for x in ("uniform", "learned")
    )
    assert made.right(learned.labelled()) >= made.right(plain.labelled())
    assert learned.prevalence[0] == pytest.approx(0.9, abs=0.05)


def test_restarts_find_what_the_votes_hide() -> None:
    """Three who always say 'a' outvote two who know, from where the votes begin."""
    truth = np.random.default_rng(2).choice(list("ab"), 60).tolist()
    rows = [["a"] * 60] * 3 + [truth] * 2
    misled, found = (ac.fit(rows, "mace", restarts=n) for n in (0, 5))
    assert misled.estimate.coder_parameters["competence"][:3].min() > 0.9
    assert found.labels == truth
    assert found.log_likelihood > misled.log_likelihood
    assert len(found.estimate.restarts) == 5
    told = ac.fit(rows, "mace", gold=dict(enumerate(truth[:20], 1)), restarts=0)
    assert told.labels == truth


# ------------------------------------------------------------------ laws


@pytest.mark.parametrize("model", MODELS)
def test_no_order_of_rows_or_categories_matters(model: str) -> None:
    made = mixed()
    order = np.random.default_rng(1).permutation(len(made.rows))
    one = ac.fit(made.rows, model, restarts=1)
    two = ac.fit([made.rows[k] for k in order], model, restarts=1)
    turned = ac.fit(ac.read(made.rows, categories=["c", "b", "a"]), model, restarts=1)
    first = {row["item"]: row for row in one.to_rows()}
    for other in (two, turned):
        for row in other.to_rows():
            for key in ("p_a", "p_b", "p_c", "confidence"):
                assert row[key] == pytest.approx(first[row["item"]][key], abs=1e-4)
    competence = dict(zip(one.coders, one.competence, strict=True))
    assert dict(zip(two.coders, two.competence, strict=True)) == pytest.approx(competence, abs=1e-5)


@pytest.mark.parametrize("model", MODELS)
def test_names_do_not_matter_from_the_votes(model: str) -> None:
    made = mixed()
    new = {name: f"z{99 - int(name[1:])}" for name in made.confusion}
    names: dict[Any, Any] = {"a": "yes", "b": "no", "c": "perhaps", None: None}
    renamed = [(i, new[c], names[x]) for i, c, x in made.rows]
    one, two = (ac.fit(rows, model, restarts=0) for rows in (made.rows, renamed))
    assert {i: names[x] for i, x in one.labelled().items()} == two.labelled()
    found = dict(zip(two.coders, two.competence, strict=True))
    for coder, x in zip(one.coders, one.competence, strict=True):
        assert found[new[coder]] == pytest.approx(x, abs=1e-6)


@settings(max_examples=20)
@given(
    st.integers(0, 10_000),
    st.integers(2, 4),
    st.sampled_from(["dawid_skene", "pooled", "map", "one_coin", "mace", "glad"]),
)
def test_the_objective_never_falls(seed: int, k: int, model: str) -> None:
    rng = np.random.default_rng(seed)
    names = list("abcd"[:k])
    rows = rng.choice(names, (5, 15)).astype(object)
    rows[1:][rng.random((4, 15)) < 0.3] = None
    data: Any = [list(row) for row in rows]
    found = ac.fit(data, model, categories=names, restarts=2)
    for run in (found.estimate.climb, *found.estimate.restarts):
        history = np.array(run.history)
        assert (np.diff(history) >= -1e-9 * np.abs(history[1:])).all()
    assert found.estimate.probabilities.sum(1) == pytest.approx(1)
    assert ((found.confidence > 0) & (found.confidence <= 1 + 1e-12)).all()


@pytest.mark.parametrize("model", MODELS)
def test_a_thousand_annotations_of_an_item_do_not_underflow(model: str) -> None:
    rng = np.random.default_rng(0)
    truth = np.arange(20) % 4
    said = np.where(rng.random((1000, 20)) < 0.7, truth, rng.integers(0, 4, (1000, 20)))
    found = ac.fit(said, model, restarts=1, layout="transposed")
    assert found.codes.tolist() == truth.tolist()
    assert model not in PROBABILISTIC or math.isfinite(found.log_likelihood)


@pytest.mark.parametrize("model", MODELS)
def test_one_category_is_no_crash(model: str) -> None:
    found = ac.fit([["a"] * 5] * 3, model)
    assert found.labels == ["a"] * 5
    both = ac.fit([["a"] * 6] * 4, model, categories=["a", "b"])
    assert both.labels == ["a"] * 6
    assert str(both)


def test_many_categories() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 200, 300)
    rows = [
        (i, f"c{c}", f"k{truth[i] if rng.random() < 0.8 else rng.integers(200):03}")
        for i in range(300)
        for c in range(5)
    ]
    for model in ("blend", "pooled", "one_coin", "mace"):
        found = ac.fit(rows, model, restarts=0).labelled()
        assert np.mean([found[i] == f"k{t:03}" for i, t in enumerate(truth)]) > 0.97


def test_no_prior_keeps_exact_zeros() -> None:
    made = crowd(kinds(3, good=6), 60, 4, seed=8)
    found = ac.fit(made.rows, "dawid_skene")
    assert (found.confusion == 0).any()
    assert (ac.fit(made.rows).probabilities > 0).all()
    for model in ("pooled", "map"):
        assert (ac.fit(made.rows, model).confusion > 0).all()


@pytest.mark.parametrize("model", ["map", "pooled", "glad"])
def test_the_log_likelihood_is_that_of_the_annotations(model: str) -> None:
    """Annotation by annotation, through what the model predicts."""
    found = ac.fit(crowd(kinds(2, good=4), 12, 3).rows, model, restarts=0)
    votes, estimate = found.votes, found.estimate
    prior = estimate.prevalence if estimate.prior is None else estimate.prior
    total = 0.0
    for i in range(votes.n_items):
        joint = np.log(prior)
        for at in np.flatnonzero(votes.item == i):
            table = estimate.emission.table(votes.item[[at]], votes.coder[[at]])
            joint = joint + np.log(table[0, :, votes.label[at]])
        total += float(np.log(np.exp(joint).sum()))
    assert found.log_likelihood == pytest.approx(total, abs=1e-6)
    assert math.isnan(ac.fit([["a", "b"], ["a", "a"]], "majority").log_likelihood)


# ------------------------------------------------------------------ votes and ties

TIED = [["a", "b", "a", "c"], ["a", "b", "b", "a"], ["a", "b", None, "b"]]


def test_a_tie_is_a_tie() -> None:
    found = ac.fit(TIED, "majority")
    assert found.labels == ["a", "b", None, None]
    assert found.probabilities[2].tolist() == [0.5, 0.5, 0]
    told = finding(found, "ties")
    assert told.facts["n"] == 2
    assert told.facts["items"] == [3, 4]
    scores = found.scores({1: "a", 2: "a", 3: "b", 4: "c"})
    assert scores.accuracy == pytest.approx((1 + 0 + 1 / 2 + 1 / 3) / 4)  # never right by luck
    assert scores.n_tied == 2
    assert "ties" not in codes(ac.fit([["a"], ["a"]], "majority"))


def test_votes_by_hand() -> None:
    found = ac.fit([["a", "b", "a", "b"], ["a", "b", "b", "a"], ["b", "b", None, "a"]], "majority")
    assert found.probabilities.tolist() == [[2 / 3, 1 / 3], [0, 1], [0.5, 0.5], [2 / 3, 1 / 3]]
    assert found.competence.tolist() == [2.5 / 4, 3.5 / 4, 2 / 3]
    assert found.prevalence.tolist() == [2.5 / 4, 1.5 / 4]
    weighted = ac.fit([list("abab"), list("abaa"), list("bbbb")], "weighted")
    assert weighted.estimate.coder_parameters["weight"].tolist() == [1, 0.75, 0.5]
    assert weighted.probabilities[0].tolist() == pytest.approx([1.75 / 2.25, 0.5 / 2.25])


def test_one_vote_per_coder() -> None:
    rows = [("1", "x", "a"), ("1", "x", "a"), ("1", "x", "b"), ("1", "y", "b"), ("1", "z", "b")]
    data = ac.read([*rows, ("2", "x", "a"), ("2", "y", "a")], duplicates="keep")
    each, once = (ac.fit(data, "majority", one_vote_per_coder=x) for x in (False, True))
    assert each.probabilities[0].tolist() == pytest.approx([2 / 5, 3 / 5])
    assert once.probabilities[0].tolist() == pytest.approx([2 / 9, 7 / 9])


# ------------------------------------------------------------------ what cannot be known

GIVEN = {f"i{k}": "xxy"[k % 3] for k in range(20)}
ONE_EACH = [(item, "abc"[k % 3], label) for k, (item, label) in enumerate(GIVEN.items())]
TWO = [[*"xyzxyzxyzx"], [*"xyzxyyxzzx"]]


@pytest.mark.parametrize("model", [m for m in MODELS if m != "majority"])
def test_one_coder_per_item_leaves_the_labels_that_were_given(model: str) -> None:
    found = ac.fit(ONE_EACH, model)
    assert found.labelled() == GIVEN
    told = finding(found, "nothing_to_learn")
    assert told.severity == "problem"
    if model not in PROBABILISTIC:
        return
    assert np.isnan(found.confidence).all()
    row = found.to_rows()[0]
    assert math.isnan(row["confidence"])
    assert math.isnan(row["p_x"])
    assert row["reason"] == found.withheld
    with pytest.raises(ac.RequestError, match="nothing shows who is right"):
        found.keep(confidence=0.5)
    assert np.isnan(found.coverage().expected).all()
    assert codes(found) == {"nothing_to_learn"}


def test_two_coders_promise_nothing() -> None:
    found = ac.fit(TWO)
    assert np.isnan(found.confidence).all()
    assert finding(found, "not_identified").facts["n_coders"] == 2
    for name in ("competence", "confusion", "prevalence"):
        assert np.isnan(found.interval(name).low).all()
        assert found.withheld in found.interval(name).method
    for coder in ac.coders(found):
        assert math.isnan(coder.low)
        assert math.isnan(coder.skill_high)
        assert coder.verdict is None
    with pytest.raises(ac.RequestError, match="two coders alone"):
        found.keep(share=0.5)
    with pytest.raises(ac.RequestError, match="no probabilities|two coders"):
        ac.fit(ONE_EACH).calibration(GIVEN)
    assert not ac.fit(TWO, gold={1: "x", 6: "y", 8: "y", 9: "z"}).withheld
    assert not ac.fit([*TWO, TWO[0]]).withheld
    assert not ac.fit(TWO, "majority").withheld


def test_measurements_are_no_categories() -> None:
    rng = np.random.default_rng(1)
    true = rng.normal(size=40)
    rows = [[round(float(x), 3) for x in true + rng.normal(0, 0.2, 40)] for _ in range(3)]
    found = ac.fit(rows)
    assert codes(found) >= {"nothing_to_learn"}
    assert "category of its own" in found.to_rows()[0]["reason"]
    assert "nothing_to_learn" not in codes(ac.fit([["a", "b"], ["c", "d"], ["a", "d"]]))


def test_a_category_that_stands_for_something_else_is_told() -> None:
    """Two camps of three coders, and a label No that slipped in twice: a class without a name."""
    rng = np.random.default_rng(0)
    kind = rng.choice(3, 500, p=[0.6, 0.15, 0.25])
    rows = []
    for c in range(6):
        one = np.array([0.04, 0.9, 0.75 if c < 3 else 0.08])[kind]
        rows.append(np.where(rng.random(500) < one, "1", "0").astype(object).tolist())
    for i in rng.choice(500, 2, replace=False):
        rows[1][i] = "No"
    free = ac.fit(rows, "map", restarts=0)
    facts = finding(free, "repurposed_category").facts
    assert facts["category"] == "No"
    assert facts["n"] == free.labels.count("No") > 100
    assert facts["unsaid"] > 100
    for model in ("pooled", "dawid_skene", "map"):
        held = ac.fit(rows, model)
        assert held.labels.count("No") <= 2
        assert "repurposed_category" not in codes(held)


def parts(first: range, second: range) -> list[tuple[str, str, str]]:
    made = crowd(kinds(3, good=5), 120, 5, seed=1)
    of = {"c00": first, "c01": first, "c02": first, "c03": second, "c04": second}
    return [(i, c, x) for i, c, x in made.rows if int(i[1:]) in of[c]]


def test_coders_who_share_no_item_are_not_compared() -> None:
    apart = parts(range(60), range(60, 100))
    told = finding(ac.fit(apart), "disjoint_coders")
    assert told.facts["parts"] == (("c00", "c01", "c02"), ("c03", "c04"))
    assert "disjoint_coders" not in codes(ac.fit(parts(range(60), range(59, 100))))
    known = {i: x for i, c, x in apart if i in ("i0000", "i0061") and c in ("c00", "c03")}
    assert "disjoint_coders" not in codes(ac.fit(apart, gold=known))
    assert "disjoint_coders" in codes(ac.fit(apart, gold={"i0000": "a"}))


def test_nothing_is_said_of_positions() -> None:
    made = crowd(kinds(2, good=4), 60, 4)
    rows = [(i, f"slot {int(c[1:]) + 1}", x) for i, c, x in made.rows]
    found = ac.fit(rows)
    assert "positions" in codes(found)
    table = ac.coders(found)
    assert table.positions
    assert {c.verdict for c in table} == {None}
    assert table.findings == ()
    assert "positions" not in codes(ac.fit(made.rows))


# ------------------------------------------------------------------ options and errors


@pytest.mark.parametrize("name", ["variational", "hierarchical", "subtypes", "ordinal"])
def test_a_model_that_is_gone_says_what_to_use(name: str) -> None:
    with pytest.raises(ac.RequestError, match="any more: use blend, the default"):
        ac.fit(TIED, name)


def test_a_call_that_is_gone_says_what_to_use() -> None:
    with pytest.raises(AttributeError, match=r"which_model.*scores\(truth\)"):
        getattr(ac, "which_model")  # noqa: B009 - it is no attribute that a checker knows


@pytest.mark.parametrize(
    "option",
    ["history", "worth", "tolerance", "max_iterations", "abstentions", "sets", "decide", "weights"],
)
def test_options_that_are_gone_are_refused(option: str) -> None:
    with pytest.raises(ac.RequestError, match=f"no option '{option}'"):
        ac.fit(TIED, "pooled", **{option: 1})


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("dawidskene", {}, "did you mean 'dawid_skene'"),
        ("dawid_skene", {"prior": -1}, "^prior: "),
        ("dawid_skene", {"prior": math.nan}, "^prior: "),
        ("dawid_skene", {"prior": "laplace"}, "^prior: "),
        ("mace", {"method": "mcmc"}, "^method: choose from vb, em"),
        ("glad", {"prevalence": "flat"}, "^prevalence: choose from uniform, learned"),
        ("glad", {"method": "em"}, "belongs to the model mace"),
        ("pooled", {"restart": 3}, "did you mean 'restarts'"),
        ("pooled", {"restarts": -1}, "restarts"),
        ("pooled", {"seed": -1}, "seed"),
    ],
)
def test_bad_requests(model: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ac.RequestError, match=message):
        ac.fit(TIED, model, **options)


def test_progress_and_aliases() -> None:
    seen: list[tuple[int, int]] = []
    found = ac.fit(mixed().rows, "DS", progress=lambda done, total: seen.append((done, total)))
    assert found.model.key == "dawid_skene"
    assert seen[-1][0] <= seen[-1][1]
    assert "fit: dawid_skene" in found.signature
    assert "seed 0" in found.signature


def test_every_option_is_listed() -> None:
    listed = {(row["model"], row["option"]) for row in ac.list_models(*MODELS).to_rows()}
    assert listed == {
        ("majority", "one_vote_per_coder"),
        ("weighted", "one_vote_per_coder"),
        ("dawid_skene", "prior"),
        ("pooled", "prior"),
        ("map", "prior"),
        ("mace", "method"),
        ("mace", "prevalence"),
        ("glad", "prevalence"),
    }


# ------------------------------------------------------------------ scored, kept, written


def test_scores_by_hand() -> None:
    found = ac.fit([list("aaab"), list("aaab")], "majority")
    scores = found.scores({1: "a", 2: "a", 3: "b", 4: "b"})
    rows = {row["category"]: row for row in scores.to_rows()}
    assert (rows["a"]["precision"], rows["a"]["recall"]) == pytest.approx((2 / 3, 1))
    assert (rows["b"]["precision"], rows["b"]["recall"]) == pytest.approx((1, 1 / 2))
    assert scores.macro_f1 == pytest.approx((0.8 + 2 / 3) / 2)
    # Wilson (1927) for 3 of 4
    assert (scores.low, scores.high) == pytest.approx((0.3006, 0.9544), abs=1e-4)
    never = ac.fit(ac.read([["a", "b"], ["a", "b"]], categories=list("abc")), "majority")
    assert never.scores({1: "c", 2: "b"}).accuracy == 0.5


def test_scores_agree_with_sklearn() -> None:
    from sklearn import metrics

    made = mixed()
    found = ac.fit(made.rows, "pooled", restarts=0)
    said = [found.labelled()[i] for i in made.truth]
    p, r, f, n = metrics.precision_recall_fscore_support(
        list(made.truth.values()), said, labels=list("abc")
    )
    scores = found.scores(made.truth)
    assert (scores.precision, scores.recall) == (pytest.approx(tuple(p)), pytest.approx(tuple(r)))
    assert (scores.f1, scores.n_true) == (pytest.approx(tuple(f)), tuple(n))


def test_coders_by_known_labels_by_hand() -> None:
    found = ac.fit([["a", "b", "a", "b"], ["a", "b", "b", None], ["b", "b", "a", "a"]])
    scores = found.coder_scores({1: "a", 2: "b", 3: "a", 99: "b"})
    assert scores.n.tolist() == [3, 3, 3]
    assert scores.accuracy == pytest.approx([1, 2 / 3, 2 / 3])
    assert (scores.low[1], scores.high[1]) == pytest.approx((0.2077, 0.9385), abs=1e-4)
    none = found.coder_scores({4: "b"})
    assert none.n.tolist() == [1, 0, 1]
    assert math.isnan(none.accuracy[1])


def test_calibration_by_its_definition() -> None:
    made = mixed()
    found = ac.fit(made.rows, restarts=0)
    told = found.calibration(made.truth)
    p = found.probabilities
    z = np.array([found.categories.index(made.truth[i]) for i in found.votes.names])
    true = p[np.arange(len(p)), z]
    right, sure = p.argmax(1) == z, p.max(1)
    assert told.log_loss == pytest.approx(-np.log(true).mean())
    assert told.brier == pytest.approx(((p - np.eye(3)[z]) ** 2).sum(1).mean())
    assert told.accuracy == pytest.approx(right.mean())
    gap = 0.0
    for row in told.to_rows():
        inside = (sure >= row["low_edge"]) & ((sure < row["high_edge"]) | (row["high_edge"] == 1))
        assert row["n"] == inside.sum()
        if row["n"]:
            assert row["observed"] == pytest.approx(right[inside].mean())
            assert row["low"] <= row["observed"] <= row["high"]
            gap += inside.sum() * abs(right[inside].mean() - sure[inside].mean())
        else:
            assert math.isnan(row["observed"])
    assert told.error == pytest.approx(gap / len(p))
    assert not ac.fit(made.rows, "majority").calibration(made.truth).beliefs


def test_coverage_is_that_of_the_surest() -> None:
    made = mixed()
    found = ac.fit(made.rows, restarts=0)
    curve = found.coverage(made.truth)
    assert curve.n_kept[-1] == curve.n_items == 400
    assert (np.diff(curve.threshold) < 0).all()
    for threshold, n, accuracy in zip(curve.threshold, curve.n_kept, curve.accuracy, strict=True):
        kept = found.keep(confidence=threshold)
        assert len(kept) == n
        assert kept.scores(made.truth).accuracy == pytest.approx(accuracy)
    assert curve.expected[-1] == pytest.approx(found.confidence.mean())
    half = found.keep(share=0.5)
    assert len(half) == pytest.approx(200, abs=3)
    assert {row["item"] for row in half.to_rows()} == set(half.items)
    for options in ({}, {"confidence": 0.5, "share": 0.5}, {"share": 50}):
        with pytest.raises(ac.RequestError, match="confidence or share"):
            found.keep(**options)


@pytest.mark.parametrize("labels", [(False, True), (0, 1), ("no", "yes")])
def test_labels_keep_their_type(labels: tuple[Any, Any], tmp_path: Path) -> None:
    import pandas as pd

    grid = np.array([[0, 1, 0, 1], [0, 1, 0, 1], [0, 1, 1, 1]])
    frame = pd.DataFrame(
        [(i, f"c{c}", labels[k]) for c, row in enumerate(grid) for i, k in enumerate(row)],
        columns=["item", "coder", "label"],
    )
    for data in (frame, np.array(labels)[grid]):
        found = ac.fit(data)
        assert [type(x) for x in found.categories] == [type(x) for x in labels]
        series = pd.Series(found.labelled())
        assert series.tolist() == [labels[k] for k in (0, 1, 0, 1)]
        gold = dict(zip(found.votes.names, series, strict=True))
        assert found.scores(gold).accuracy == 1
        found.write(tmp_path / "labels.csv")
        assert found.scores(tmp_path / "labels.csv").accuracy == 1


def test_rows_can_be_written(tmp_path: Path) -> None:
    found = ac.fit(TIED, "dawid_skene")
    found.write(tmp_path / "labels.csv")
    with open(tmp_path / "labels.csv", encoding="utf-8") as f:
        read = list(csv.DictReader(f))
    assert [row["item"] for row in read] == [str(x) for x in found.labelled()]
    assert [float(row["p_a"]) for row in read] == pytest.approx(found.probabilities[:, 0])
    with pytest.raises(ac.RequestError, match="must end in"):
        found.write(tmp_path / "labels.doc")
    rows = ac.fit(mixed().rows, "one_coin").coder_rows()
    assert sum(row["n_annotations"] for row in rows) == len(mixed().rows)
    assert all(row["low"] <= row["competence"] <= row["high"] for row in rows)


def test_several_questions() -> None:
    made = mixed()
    two = {"item": [], "coder": [], "one": [], "two": []}  # type: ignore[var-annotated]
    for i, c, x in made.rows:
        for key, value in zip(two, (i, c, x, "no" if x == "a" else "yes"), strict=True):
            two[key].append(value)
    found = ac.fit(ac.read(two, label=["one", "two"]))
    assert [one.question for one in found] == ["one", "two"]
    assert found["two"].categories == ("no", "yes")
    with pytest.raises(ac.RequestError, match="three"):
        found["three"]
    rows = found.to_rows()
    assert len(rows) == 800
    assert len({tuple(row) for row in rows}) == 1
    assert asdict(ac.coders(found)["one"].each[0])["question"] == "one"
    assert isinstance(made, Crowd)
