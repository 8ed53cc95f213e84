"""What is told of label sets: facts, findings, and which measure to report."""

from __future__ import annotations

import numpy as np
import pytest

from accordant import agreement
from accordant.counts.count import count
from accordant.data.annotations import Annotations
from accordant.diagnosis.advice import RULES, advise
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.facts import Facts
from accordant.diagnosis.finding import Finding
from accordant.diagnosis.set_traps import NEAR, SETS
from accordant.literature import LITERATURE
from accordant.measure.coefficients import COEFFICIENTS
from accordant.measure.measures import OF_LABEL_SETS
from diagnosis.made import GOOD_SETS, from_coders, of_sets, sets_at_random
from diagnosis.test_label_sets import case  # noqa: F401  (a fixture)

OWN = set(SETS)


def facts(data: Annotations) -> Facts:
    return diagnose(data).pooled.facts


def codes(data: Annotations) -> set[str]:
    return {f.code for f in diagnose(data).findings}


def one(data: Annotations, code: str) -> Finding:
    return next(f for f in diagnose(data).findings if f.code == code)


def rows(*each: tuple[str, str, int]) -> Annotations:
    """Two coders: pairs of sets and how often they occur."""
    return of_sets(
        [[a for a, _, n in each for _ in range(n)], [b for _, b, n in each for _ in range(n)]],
        "abcde",
    )


SINGLES = [("a", "a", 60), ("b", "b", 60), ("c", "c", 60), ("a", "b", 5), ("c", "a", 5)]

SCENARIOS = {
    "the same sets": (GOOD_SETS, {"augmented_penalises", "set_sizes"}),
    "single labels only": (rows(*SINGLES), {"few_doubles", "set_sizes"}),
    "a handful of doubles": (rows(*SINGLES, ("ab", "a", 3)), {"few_doubles", "set_sizes"}),
    "the second coder gives more": (
        rows(*SINGLES, ("a", "ab", 20), ("b", "bc", 20), ("c", "ac", 20)),
        {
            "one_coder_decides",
            "asymmetric_sets",
            "augmented_penalises",
            "whole_sets_harsh",
            "set_sizes",
        },
    ),
    "either gives more": (
        rows(*SINGLES, ("a", "ab", 15), ("bc", "b", 15), ("c", "ac", 15), ("ac", "a", 15)),
        {"augmented_penalises", "whole_sets_harsh", "set_sizes"},
    ),
    "more labels, but of one's own": (
        rows(("a", "bc", 30), ("b", "ac", 30), ("c", "ab", 30), ("a", "a", 60), ("b", "b", 60)),
        {"asymmetric_sets", "augmented_penalises", "set_sizes", "soft_match_too_high"},
    ),
    "a frequent label": (
        rows(
            ("ab", "ac", 40), ("ad", "ae", 40), ("b", "b", 20), ("bc", "de", 20), ("de", "bc", 20)
        ),
        {"frequent_final", "augmented_penalises", "soft_match_too_high", "set_sizes"},
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    data, expected = SCENARIOS[name]
    assert codes(data) & OWN == expected


def test_every_rule_has_its_scenario() -> None:
    assert set().union(*(expected for _, expected in SCENARIOS.values())) == OWN


def test_nothing_of_this_is_told_of_single_labels() -> None:
    assert not codes(from_coders([["a", "b", "a"] * 20, ["a", "b", "b"] * 20])) & OWN


def test_what_is_cited_is_known() -> None:
    for data, _ in SCENARIOS.values():
        found = diagnose(data).pooled
        for finding in found.findings:
            assert set(finding.sources) <= set(LITERATURE)
            assert "nan" not in str(finding)
        assert set(found.recommendation.sources) <= set(LITERATURE)


def test_label_sets_are_told_of_first() -> None:
    """Before the other rules; what has agreement at stake comes before all of them."""
    told = [f.code for f in diagnose(SCENARIOS["a frequent label"][0]).findings]
    serious = [code for code in told if code in RULES]
    assert set(serious[:3]) <= OWN


@pytest.mark.parametrize(
    "first, second, same, told",
    [
        (40, 4, 100, True),
        (40, 4, 500, False),  # clear, but a small part of the final labels
        (100, 60, 100, False),  # clear, but less than two thirds of what one of them decides
        (5, 0, 20, False),  # may be an accident: p = 2 / 2**5
    ],
)
def test_one_coder_must_decide_clearly_mostly_and_often(
    first: int, second: int, same: int, told: bool
) -> None:
    data = rows(("a", "ab", first), ("ab", "b", second), ("c", "c", same))
    assert ("one_coder_decides" in codes(data)) is told


@pytest.mark.parametrize(
    "more, fewer, same, told",
    [(30, 5, 100, True), (30, 5, 400, False), (30, 20, 50, False), (5, 0, 5, False)],
)
def test_asymmetry_must_be_clear_and_large(more: int, fewer: int, same: int, told: bool) -> None:
    data = rows(("ab", "a", more), ("b", "bc", fewer), ("c", "c", same))
    assert ("asymmetric_sets" in codes(data)) is told


# ------------------------------------------------------------------ the case study


def test_the_case_study_is_told_with_its_numbers(case: Annotations) -> None:  # noqa: F811
    """Marchal et al. (2022, sec. 6 and 8, Table 2)."""
    told = {f.code: f for f in diagnose(case).findings}
    asymmetric = told["asymmetric_sets"]
    assert "several to 65.5\xa0%; “coder 1” gives 1.11, several to 11.4\xa0%" in asymmetric.sentence
    assert (
        "“coder 2” gave 76.1\xa0% of the labels of “coder 1”, vice versa 55.0\xa0%"
        in asymmetric.sentence
    )
    decides = told["one_coder_decides"]
    assert decides.evidence["coder"] == "coder 1"
    assert "of 698 items with a common label" in decides.sentence
    soft = told["soft_match_too_high"].evidence
    assert f"{soft['soft_match']:.2f} {soft['boot_match']:.2f}" == "0.73 0.68"
    assert {k: f"{v:.2f}" for k, v in soft["expected"].items()} == {
        "soft_match": "0.23",
        "boot_match": "0.34",
    }
    assert "11 of the 19 categories" in told["frequent_final"].sentence


def test_the_ceiling_of_augmented_kappa(case: Annotations) -> None:  # noqa: F811
    """If each item were agreed as far as sizes allow: A_o = mean of 1 / larger size."""
    pairs = [[len(case.values[v]) for v in row] for row in case.grid]
    most = np.mean([1 / max(p) for p in pairs])
    found = one(case, "augmented_penalises").evidence
    assert found["most"] == pytest.approx(most)
    assert f"{found['augmented']:.2f} {found['observed']:.2f}" == "0.38 0.51"  # Table 2
    expected = facts(case).coefficients["augmented"].expected
    assert found["ceiling"] == pytest.approx((most - expected) / (1 - expected))


def test_the_same_sets_reach_the_ceiling() -> None:
    found = one(GOOD_SETS, "augmented_penalises").evidence
    assert found["augmented"] == pytest.approx(found["ceiling"])
    assert found["ceiling"] < 0.8


# ------------------------------------------------------------------ facts


def test_facts_hold_the_default_measures_of_label_sets(case: Annotations) -> None:  # noqa: F811
    found = facts(case)
    keys = ["kappa" if key == "kappa_sets" else key for key in OF_LABEL_SETS]
    assert list(found.coefficients) == keys
    table = agreement(case)
    for key in keys:
        assert found.value(key) == table["kappa_sets" if key == "kappa" else key].value
    assert found.coefficients["percent"].weights == "identity"
    same = sum(case.values[a] == case.values[b] for a, b in case.grid)
    assert found.observed == pytest.approx(same / 884)
    assert found.name("kappa") == "κ of whole sets"


def test_facts_take_what_is_known(case: Annotations) -> None:  # noqa: F811
    table = agreement(case, ["boot_match", "kappa_masi"], interval="bootstrap", seed=1)
    found = diagnose(case, measured=table.rows).pooled.facts.coefficients
    assert found["boot_match"] is table["boot_match"]
    assert found["kappa"].weights == "identity"  # κ by MASI is another measure


def test_values_are_labels(case: Annotations) -> None:  # noqa: F811
    found = facts(case)
    assert found.n_values == 19
    assert sum(n for _, n in found.used) == 985 + 1463
    assert found.used[0] == ("a", 827)
    assert len(found.never_agreed) == 19 - 11
    assert found.two is None
    assert not found.skewed


def test_rules_of_single_labels_stay_sensible_on_sets() -> None:
    """Nothing about S, AC and π, which are not computed for sets."""
    for seed in range(40):
        data = sets_at_random(
            seed,
            items=3 + 2 * seed,
            coders=2 + seed % 5,
            labels=2 + seed % 6,
            missing=(0, 0.3, 0.7)[seed % 3],
            anonymous=seed % 4 == 3,
        )
        part = diagnose(data).pooled
        rules = [str(f) for f in part.findings if f.code in RULES]
        assert rules == [str(f) for f in advise(part.facts)]
        told = " ".join([*map(str, part.findings), str(part.recommendation)])
        for word in ("nan", "PABAK", "AC ", "π"):
            assert word not in told


def test_everything_the_same_set() -> None:
    found = one(rows(("ab", "ab", 40)), "no_variation")
    assert found.sentence.startswith("All 80 annotations are “a + b”")
    assert "“(no label)”" in one(rows(("", "", 40)), "no_variation").sentence


def test_one_way_of_labels() -> None:
    """The first gave b where the second gave c, whatever else they gave."""
    data = rows(("ab", "ac", 20), ("b", "c", 10), ("a", "a", 40), ("c", "c", 40), ("b", "b", 40))
    told = one(data, "one_sided").facts
    assert (told["coder"], told["first"], told["second"]) == ("coder 1", "b", "c")
    assert (told["n"], told["of"]) == (30, 30)


# ------------------------------------------------------------------ breakdowns


@pytest.mark.parametrize("seed", range(4))
def test_labels_one_by_one_and_their_mean(seed: int) -> None:
    data = sets_at_random(seed, coders=3, labels=6, missing=0.0)
    part = diagnose(data).pooled
    shown = [r.category for r in part.categories.rows]
    assert shown == [x for x in data.scheme.categories if x in shown]
    for key in ("kappa", "alpha"):
        mean = np.nanmean([getattr(r, key).value for r in part.categories.rows])
        assert mean == pytest.approx(part.facts.value(f"label_{key}"), abs=1e-12)


def test_labels_nobody_gave_are_listed() -> None:
    data = of_sets((["b", "ab"], ["b", "b"]), "cbad")
    part = diagnose(data).pooled
    assert part.categories.unused == ("c", "d")
    assert [r.category for r in part.categories.rows] == ["b", "a"]
    assert part.coverage.distribution.values == tuple("cbad")
    assert part.coverage.distribution.n.tolist() == [0, 4, 1, 0]
    assert part.facts.unused == ("c", "d")
    assert "unused_categories" in codes(data)


def test_labels_of_each_coder() -> None:
    data = of_sets((["ab", "a", "", "b"], ["a", "a", "b", None]), "abc")
    part = diagnose(data).pooled
    use = part.coders.labels
    assert use is not None
    assert use.values == ("a", "b", "c")
    assert use.given.tolist() == [[2, 2, 0], [2, 1, 0]]
    assert use.share[0].tolist() == [0.5, 0.5, 0]
    assert use.share_of_items[0].tolist() == [0.5, 0.5, 0]
    assert use.shared.tolist() == [[2, 1, 0], [2, 1, 0]]
    assert use.others[0] == pytest.approx([2 / 3, 1 / 3, 0])
    assert use.bias[0] == pytest.approx([0, 0, 0])
    first, second = part.coverage.coders
    assert (first.n_items, first.n_values, first.top_share, first.entropy) == (4, 2, 0.5, 1)
    assert (second.top, second.top_share) == ("a", 2 / 3)
    assert part.coders.entropy[0] == 1


def test_a_coder_without_a_label() -> None:
    data = of_sets((["", "", ""], ["a", "", "b"]), "ab")
    first = diagnose(data).pooled.coverage.coders[0]
    assert (first.n_values, first.top, first.top_share) == (0, None, 0)
    assert np.isnan(first.entropy)


def test_a_coder_who_leans_to_a_label() -> None:
    """The third adds b to every second item; the others give it to a quarter."""
    base = ["a", "b", "c", "a"] * 50
    third = [x if i % 2 or "b" in x else x + "b" for i, x in enumerate(base)]
    bias = diagnose(of_sets((base, base, third), "abc")).pooled.coders.labels.strongest_bias()
    assert bias[2] == ("b", pytest.approx(0.5))


def test_items_by_masi() -> None:
    """{a} and {a, b}: Jaccard 1/2 times 2/3 for a subset (Passonneau 2006)."""
    part = diagnose(of_sets((["a", "a", "ab"], ["ab", "a", "bc"]))).pooled
    assert part.w.name == part.metric.name == "masi"
    assert part.items.agreement == pytest.approx([1 / 3, 1, 1 / 9])
    assert part.items.entropy.tolist() == [1, 0, 1]
    assert part.items.hardest().tolist() == [2, 0]
    assert part.items.to_rows()[0]["labels"] == "coder 1: a + b, coder 2: b + c"
    other = diagnose(of_sets((["a"], ["ab"])), weights="overlap").pooled
    assert other.items.agreement.tolist() == [1]


# ------------------------------------------------------------------ which measure


@pytest.mark.parametrize(
    "data, primary, beside",
    [
        (GOOD_SETS, "boot_match", ("boot_f1", "boot_precision", "boot_recall")),
        (sets_at_random(1, coders=4), "boot_match", ("boot_f1",)),  # the others are equal
        (sets_at_random(1, coders=7, missing=0.4), "alpha_masi", ("boot_match",)),
        (sets_at_random(1, anonymous=True), "alpha_masi", ("label_alpha",)),
        (rows(("ab", "ab", 40)), "boot_match", ()),  # undefined
        (of_sets((["a", None], [None, "b"])), None, ()),
    ],
)
def test_recommended(data: Annotations, primary: str | None, beside: tuple[str, ...]) -> None:
    part = diagnose(data).pooled
    found = part.recommendation
    assert (found.primary, found.beside) == (primary, beside)
    assert {found.primary, *found.beside} - {None} <= set(part.facts.coefficients)
    assert "nan" not in str(found)
    for row in found.to_rows():
        assert row["name"]
        if row["role"] == "report":
            assert row["weights"] == part.facts.coefficients[str(primary)].weights
    keys = {row["coefficient"] for row in found.to_rows()}
    assert keys <= {*COEFFICIENTS, *OF_LABEL_SETS}


def test_advice_for_every_goal_with_the_numbers_of_the_data(case: Annotations) -> None:  # noqa: F811
    told = str(diagnose(case).recommendation)
    for words in (
        "one final label for an item is wanted, boot-match",
        "0.681",
        "79.0\xa0%",
        "34.1\xa0%",
        "boot-F1 (0.497) with precision (0.652) and recall (0.429)",
        "only one label can be right and a second one means doubt, quote augmented κ (0.382)",
        "11.4\xa0% (“coder 1”) and 65.5\xa0% (“coder 2”) of the annotations hold several",
        "made for single labels",
    ):
        assert words in told
    show = "; ".join(diagnose(case).recommendation.show)
    assert "coders (2) and categories (19, of which 19 used)" in show
    assert "log2 K = 4.25" in show


def test_few_doubles_make_the_measures_coincide() -> None:
    data = SCENARIOS["a handful of doubles"][0]
    found = facts(data)
    near = [found.value(k) for k in ("boot_match", "boot_f1", "augmented", "kappa")]
    assert max(near) - min(near) < NEAR
    assert "these measures nearly coincide" in str(diagnose(data).recommendation)
    assert "3 of 386 annotations hold several labels" in one(data, "few_doubles").sentence
    assert (
        "no annotation holds more than one"
        in one(SCENARIOS["single labels only"][0], "few_doubles").sentence
    )


def test_a_few_large_sets_set_the_measures_apart() -> None:
    """9 of 200 annotations hold all 12 labels: boot-match is far above the others."""
    every = "abcdefghijkl"
    first = [every[i % 12] for i in range(100)]
    second = [x if i % 6 else every[(i + 5) % 12] for i, x in enumerate(first)]
    first[:4], second[4:9] = [every] * 4, [every] * 5
    data = of_sets([first, second], every)
    found = facts(data)
    assert found.value("boot_match") - found.value("boot_f1") > NEAR
    assert "few_doubles" not in codes(data)
    told = str(diagnose(data).recommendation)
    assert "nearly coincide" not in told
    assert "quote augmented κ" in told


def test_empty_data_of_label_sets() -> None:
    data = of_sets(([None], [None]), "ab")
    assert count(data).n_values == 0
    assert diagnose(data).recommendation.primary is None
