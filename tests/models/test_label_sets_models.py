"""Sets of labels: label by label or as wholes, the rules that decide, and scores against gold."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from accordant.data.annotations import Annotations
from accordant.errors import ReadingWarning
from accordant.models.posterior import Posterior
from accordant.models.sets.label_decisions import RULES, decided
from accordant.models.sets.set_posterior import SetPosterior

LABELS = ("a", "b", "c", "d")
SHARES = np.array([0.5, 0.3, 0.2, 0.1])


def crowd(
    n_items: int = 300, n_coders: int = 9, per_item: int = 5, seed: int = 1
) -> tuple[list[dict[str, Any]], dict[str, tuple[str, ...]], np.ndarray, np.ndarray]:
    """Rows, the true sets, and (C, L) sensitivity and specificity of the coders."""
    rng = np.random.default_rng(seed)
    truth = rng.random((n_items, 4)) < SHARES
    truth[~truth.any(1), 0] = True
    sensitivity = rng.uniform(0.5, 0.95, (n_coders, 4))
    specificity = rng.uniform(0.8, 0.98, (n_coders, 4))
    rows = []
    for i in range(n_items):
        for c in rng.choice(n_coders, per_item, replace=False):
            p = np.where(truth[i], sensitivity[c], 1 - specificity[c])
            said = [x for x, yes in zip(LABELS, rng.random(4) < p, strict=True) if yes]
            rows.append({"item": f"i{i:03d}", "coder": f"w{c}", "label": "|".join(said) or "none"})
    sets = {
        f"i{i:03d}": tuple(x for x, yes in zip(LABELS, row, strict=True) if yes)
        for i, row in enumerate(truth)
    }
    return rows, sets, sensitivity, specificity


def read(rows: list[dict[str, Any]]) -> Annotations:
    return ac.read(
        rows,
        item="item",
        coder="coder",
        label="label",
        separator="|",
        empty=["none"],
        categories=list(LABELS),
    )


def by_label(data: Any, model: str = "pooled", **more: Any) -> SetPosterior:
    found = ac.fit(data, model, **more)
    assert isinstance(found, SetPosterior)
    return found


# ------------------------------------------------------------------ rules


def overlap(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    either = set(one) | set(other)
    return len(set(one) & set(other)) / len(either) if either else 1.0


def expected(p: list[float], chosen: tuple[int, ...], rule: str) -> float:
    """What a rule maximises, over every possible truth."""
    total = 0.0
    for truth in product([0, 1], repeat=len(p)):
        chance = float(np.prod([q if yes else 1 - q for q, yes in zip(p, truth, strict=True)]))
        true = tuple(k for k, yes in enumerate(truth) if yes)
        if rule == "marginal":
            gain = -float(len(set(true) ^ set(chosen)))
        else:
            gain = float(true == chosen) if rule == "most probable" else overlap(true, chosen)
        total += chance * gain
    return total


@given(
    st.lists(
        st.sampled_from([0.0, 0.1, 0.3, 0.45, 0.5, 0.6, 0.6, 0.9, 1.0]), min_size=1, max_size=5
    ),
    st.sampled_from(RULES),
    st.integers(0, 1),
    st.integers(1, 3),
)
@settings(max_examples=150)
def test_every_rule_finds_the_best_set(p: list[float], rule: Any, least: int, most: int) -> None:
    found = decided(np.array([p]), rule, least, most)
    free = rule == "marginal"
    sets = [
        s
        for n in range(len(p) + 1)
        for s in combinations(range(len(p)), n)
        if free or least <= n <= most
    ]
    gains = {s: expected(p, s, rule) for s in sets}
    top = max(gains.values())
    best = [s for s, x in gains.items() if x > top - 1e-9]
    sure, left = (set(np.flatnonzero(x[0]).tolist()) for x in found)
    if not left:
        assert tuple(sorted(sure)) in best
    if len(best) == 1:
        assert sure == set(best[0])
        assert not left
    else:
        some = any if top < 1e-9 else all  # where every allowed set is impossible, any will do
        assert some(sure <= set(s) <= sure | left for s in best)


def test_random_probabilities_are_decided_as_by_trying_all_sets() -> None:
    rng = np.random.default_rng(3)
    p = rng.random((40, 5)) ** 2
    for rule in RULES:
        found = decided(p, rule, 1, 3)
        assert not found.open.any()
        for row, members in zip(p.tolist(), found.members, strict=True):
            sets = [s for n in (1, 2, 3) for s in combinations(range(5), n)]
            sets = [*sets, ()] if rule == "marginal" else sets
            if rule == "marginal":
                sets += [s for n in (4, 5) for s in combinations(range(5), n)]
            best = max(sets, key=lambda s: expected(row, s, rule))
            assert tuple(np.flatnonzero(members).tolist()) == best


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ac.RequestError, match="'marginal', 'most probable', 'jaccard'"):
        decided(np.array([[0.5]]), "best")  # type: ignore[arg-type]


# ------------------------------------------------------------------ label by label


def test_true_sets_and_coders_are_recovered() -> None:
    rows, truth, sensitivity, specificity = crowd()
    data = read(rows)
    found = by_label(data, "dawid_skene")
    score, votes = found.score(truth), by_label(data, "majority").score(truth)
    assert score.n_items == 300
    assert score.exact > votes.exact + 0.05
    assert score.jaccard > max(0.9, votes.jaccard)
    assert score.f1 > max(0.92, votes.f1)
    table = found.coder_rows()
    assert len(table) == 9 * 4
    by_cell = {(row["coder"], row["label"]): row for row in table}
    for k, label in enumerate(LABELS[:3]):
        told = [by_cell[f"w{c}", label] for c in range(9)]
        error = np.abs(np.array([row["sensitivity"] for row in told]) - sensitivity[:, k])
        assert error.mean() < 0.08
        error = np.abs(np.array([row["specificity"] for row in told]) - specificity[:, k])
        assert error.mean() < 0.04
    assert np.abs(found.prevalence - SHARES)[1:].max() < 0.05
    assert found.competence.shape == (9,)
    assert found.competence == pytest.approx(found.competence_by_category.mean(1))


def test_each_label_is_an_ordinary_fit() -> None:
    rows, *_ = crowd(60)
    found = by_label(read(rows), sets="apart")
    for label in LABELS:
        yes_no = [row | {"label": str(label in row["label"].split("|"))} for row in rows]
        one = ac.fit(yes_no, found[label].model, item="item", coder="coder", label="label")
        assert isinstance(one, Posterior)
        assert one.categories == ("False", "True")
        assert one.probabilities == pytest.approx(found[label].probabilities, abs=1e-9)
        assert one.competence == pytest.approx(found[label].competence, abs=1e-9)
    assert found.log_likelihood == pytest.approx(sum(x.log_likelihood for x in found))
    with pytest.raises(ac.RequestError, match="no label 'e'"):
        found["e"]


def test_rare_labels_are_kept_because_coders_are_known_from_the_others() -> None:
    # Each label by itself loses the rare ones: a few annotations look like slips.
    f1: dict[str, list[float]] = {"labels": [], "apart": [], "votes": []}
    for seed in range(3):
        data, truth = rare_labels(seed)
        f1["labels"].append(by_label(data).score(truth).f1)
        f1["apart"].append(by_label(data, "dawid_skene", sets="apart").score(truth).f1)
        f1["votes"].append(by_label(data, "majority").score(truth).f1)
    assert np.mean(f1["labels"]) > np.mean(f1["votes"]) + 0.01
    assert np.mean(f1["apart"]) < np.mean(f1["votes"])
    found = by_label(data)
    assert found.shared
    assert "history=all labels together" in found.signature
    assert "labels_apart" not in {f.code for f in found.findings}
    apart = {f.code: f for f in by_label(data, "mace").findings}["labels_apart"]
    assert "MACE learned about each label alone" in apart.sentence


def rare_labels(seed: int) -> tuple[Annotations, dict[str, tuple[str, ...]]]:
    """100 items, five of 20 coders each, who are alike for all labels; most labels are rare."""
    rng = np.random.default_rng(seed)
    labels = np.array(list("abcdef"))
    truth = rng.random((100, 6)) < [0.3, 0.2, 0.05, 0.03, 0.02, 0.02]
    sensitivity, specificity = rng.uniform(0.4, 0.95, 20), rng.uniform(0.85, 0.99, 20)
    rows = []
    for i in range(100):
        for c in rng.choice(20, 5, replace=False):
            p = np.where(truth[i], sensitivity[c], 1 - specificity[c])
            said = labels[rng.random(6) < p].tolist()
            rows.append({"item": f"i{i}", "coder": f"w{c}", "label": "|".join(said) or "none"})
    data = ac.read(
        rows,
        item="item",
        coder="coder",
        label="label",
        separator="|",
        empty=["none"],
        categories=labels.tolist(),
    )
    return data, {f"i{i}": tuple(labels[row].tolist()) for i, row in enumerate(truth)}


def test_a_history_of_ones_own_is_not_replaced() -> None:
    rows, *_ = crowd(60)
    own = {"w0": [[50.0, 1.0], [1.0, 50.0]]}
    found = by_label(read(rows), history=own)
    assert not found.shared
    assert found["a"].options["history"] == own


def test_order_of_rows_coders_and_labels_change_nothing() -> None:
    rows, *_ = crowd(80)
    one = by_label(read(rows))
    shuffled = [rows[k] for k in np.random.default_rng(5).permutation(len(rows))]
    two = by_label(read(shuffled))
    place = {item: k for k, item in enumerate(two.items)}
    order = [place[item] for item in one.items]
    assert two.probabilities[order] == pytest.approx(one.probabilities, abs=1e-9)
    assert [two.labels[k] for k in order] == one.labels
    names = dict(zip(LABELS, "zyxw", strict=True))
    renamed = [
        row
        | {
            "label": "|".join(names.get(x, x) for x in row["label"].split("|")),
            "coder": "v" + row["coder"][::-1],
        }
        for row in rows
    ]
    three = by_label(
        renamed,
        item="item",
        coder="coder",
        label="label",
        separator="|",
        empty=["none"],
        categories=["w", "x", "y", "z"],
    )
    assert three.probabilities[:, ::-1] == pytest.approx(one.probabilities, abs=1e-9)


def test_ties_are_explicit() -> None:
    table = [["a|b", "a"], ["a", "a"]]
    found = by_label(table, "majority", layout="transposed", separator="|")
    assert found.labels == [None, ("a",)]
    assert found.tied.tolist() == [True, False]
    row = found.to_rows()[0]
    assert (row["label"], row["sure"], row["open"]) == (None, "a", "b")
    assert len({tuple(r) for r in found.to_rows()}) == 1


def test_empty_sets_are_found_where_coders_give_them() -> None:
    rows, *_ = crowd(100, seed=4)
    for k in range(5):
        rows += [{"item": f"n{k}", "coder": f"w{c}", "label": "none"} for c in range(5)]
    found = by_label(read(rows))
    sets = dict(zip(found.items, found.labels, strict=True))
    assert [sets[f"n{k}"] for k in range(5)] == [()] * 5
    assert found.sizes == (0, 4)
    assert "empty_sets" not in {f.code for f in found.findings}


def test_empty_sets_are_warned_of_where_nobody_gave_one() -> None:
    table = [["a", "a|b", "c"], ["b", "a|b", "c"], ["c", "a", "c"]]
    found = by_label(table, "majority", layout="transposed", separator="|")
    assert found.labels[0] == ()
    assert "empty_sets" in {f.code for f in found.findings}
    forced = found.deciding("most probable")
    assert forced.labels == [None, ("a", "b"), ("c",)]
    assert "empty_sets" not in {f.code for f in forced.findings}
    same = by_label(table, "majority", decide="most probable", layout="transposed", separator="|")
    assert same.labels == forced.labels


def test_the_expected_overlap_is_no_worse_by_its_own_rule() -> None:
    rows, truth, *_ = crowd(400, per_item=3, seed=8)
    found = by_label(read(rows), "dawid_skene")
    scores = {rule: found.deciding(rule).score(truth) for rule in RULES}
    assert scores["jaccard"].jaccard >= scores["marginal"].jaccard - 0.002
    assert scores["marginal"].wrong <= scores["jaccard"].wrong + 0.005


def test_control_items_teach_the_model() -> None:
    rows, truth, *_ = crowd(150, per_item=3, seed=6)
    known = dict(list(truth.items())[:75])
    found = by_label(read(rows), gold=known)
    sets = dict(zip(found.items, found.labels, strict=True))
    assert all(sets[item] == label for item, label in known.items())
    rest = dict(list(truth.items())[75:])
    assert found.score(rest).f1 >= by_label(read(rows)).score(rest).f1 - 0.01


def test_labels_that_are_rare_or_not_given_are_told() -> None:
    rows, *_ = crowd(40)
    more = [
        row | {"label": row["label"] + "|odd"} if k < 2 else row
        for k, row in enumerate(rows)
        if row["label"] != "none"
    ]
    found = by_label(
        more,
        item="item",
        coder="coder",
        label="label",
        separator="|",
        categories=[*LABELS, "odd", "never"],
    )
    assert found.categories == (*LABELS, "odd")
    told = {f.code: f for f in found.findings}
    assert told["rare_labels"].evidence["labels"] == ("odd",)
    assert told["labels_not_given"].evidence["labels"] == ("never",)
    codes = [f.code for f in found.findings]
    assert len(codes) == len(set(codes))


def test_a_label_that_everybody_always_gives_is_no_accident() -> None:
    table = [["a|b", "a", "a|b"], ["a|b", "a", "a"]]
    found = by_label(table, "dawid_skene", layout="transposed", separator="|")
    assert found.probabilities[:, 0] == pytest.approx(1, abs=1e-6)


def test_codes_of_nothing_are_asked_about_and_labels_keep_their_type() -> None:
    table = [["1|2", "3", "4|-1"], ["1|2", "3|4", "4"], ["1", "3", "4"]]
    how: dict[str, Any] = {"layout": "transposed", "separator": "|"}
    with pytest.warns(ReadingWarning, match="may say that nothing was given"):
        assert -1 in by_label(table, **how).categories
    found = by_label(table, missing="-1", **how)
    assert found.categories == (1, 2, 3, 4)
    assert found.labels[1] == (3,)
    rows = [
        {"item": i, "coder": c, "label": [True, False] if i % 2 else [True]}
        for i in range(6)
        for c in "xyz"
    ]
    assert by_label(rows).labels[0] == ("True",)  # as text, whatever the source
    declared = by_label(rows, categories=[False, True])
    assert declared.labels[:2] == [(True,), (False, True)]


# ------------------------------------------------------------------ whole sets


def test_whole_sets_are_categories() -> None:
    table = [["a|b", "a", "b"] * 6, ["a|b", "a", "a|b"] * 6, ["a|b", "a", "b"] * 6]
    found = ac.fit(table, sets="whole", layout="transposed", separator="|")
    assert isinstance(found, Posterior)
    assert found.labels == [("a", "b"), ("a",), ("b",)] * 6
    assert "many_sets" not in {f.code for f in found.findings}


def test_many_rare_sets_are_warned_of() -> None:
    rows, *_ = crowd(8)
    found = ac.fit(read(rows), sets="whole")
    assert "many_sets" in {f.code for f in found.findings}


def test_single_labels_do_not_ask() -> None:
    table = [["a", "b", "a"], ["a", "b", "b"]]
    one, two = ac.fit(table), ac.fit(table, sets="whole")
    assert isinstance(one, Posterior)
    assert isinstance(two, Posterior)
    assert one.probabilities.tolist() == two.probabilities.tolist()


@pytest.mark.parametrize(
    ("options", "text"),
    [({"sets": "both"}, "'labels', 'apart', 'whole'"), ({"decide": "best"}, "'marginal'")],
)
def test_bad_requests_are_refused(options: dict[str, Any], text: str) -> None:
    with pytest.raises(ac.RequestError, match=text):
        ac.fit([["a|b", "a"], ["a", "a"]], layout="transposed", separator="|", **options)
    with pytest.raises(ac.RequestError, match=text):  # the same of data without sets
        ac.fit([["a", "b"], ["a", "a"]], **options)


def test_nothing_but_empty_sets_is_refused() -> None:
    rows = [{"item": i, "coder": c, "label": "none"} for i in "12" for c in "xy"]
    with pytest.raises(ac.RequestError, match="no coder gave any label"):
        ac.fit(read(rows))


# ------------------------------------------------------------------ scores


def test_scores_by_hand() -> None:
    table = [["a|b", "a", "c", "b"], ["a|b", "a", "c", "b"]]
    found = by_label(table, "majority", layout="transposed", separator="|")
    gold = dict(zip(found.items, [("a", "b"), ("a", "c"), ("b",), ("b",)], strict=True))
    score = found.score(gold)
    assert score.exact == pytest.approx(2 / 4)
    assert score.jaccard == pytest.approx((1 + 1 / 2 + 0 + 1) / 4)
    assert score.wrong == pytest.approx(3 / 12)
    # Decided: ab, a, c, b. True: ab, ac, b, b. Both: a, b, a, b.
    assert score.f1 == pytest.approx(2 * 4 / (5 + 6))
    f1 = {row["label"]: row["f1"] for row in score.to_rows()}
    assert f1 == pytest.approx({"a": 1, "b": 2 * 2 / (2 + 3), "c": 0})
    assert score.mean_f1 == pytest.approx((1 + 0.8 + 0) / 3)
    assert "0.500 of 4 sets" in str(score)


def test_shown() -> None:
    rows, *_ = crowd(30)
    found = by_label(read(rows))
    assert "label by label · 30 items · 9 coders" in str(found)
    assert "label by label, decide marginal" in found.signature
    assert found.converged
    assert found.entropy == pytest.approx(sum(one.entropy for one in found))
    assert (found.confidence <= 1).all()
