"""Scenarios and the caveats they must lead to."""

from __future__ import annotations

import math

import numpy as np
import pytest

import accordant as ac
from diagnosis.annotated import of_grid, of_pairs, of_table, slipped

# Hoek & Scholman (2017), tables 2 to 5: rows coder B, columns coder A.
TABLE_2 = [[50, 12], [8, 50]]
TABLE_3 = [[20, 12], [8, 80]]
TABLE_4 = [[0, 12], [8, 100]]
TABLE_5 = [[5, 110], [0, 5]]
# Matrices of the slides "Evaluating Annotation Reliability".
EXPLOIT = [[27, 14, 6, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
BOOST = [[48, 1], [1, 0]]
GOOD = np.repeat([[0, 0], [1, 1], [0, 1], [1, 0]], [950, 950, 50, 50], axis=0)
SINGLES = [("a", "a", 60), ("b", "b", 60), ("c", "c", 60), ("a", "b", 5), ("c", "a", 5)]

SCENARIOS = {
    "large, balanced, good": (of_grid(GOOD), set()),
    "Hoek & Scholman, table 2": (of_table(TABLE_2), {"wide_interval"}),
    "Hoek & Scholman, table 3": (of_table(TABLE_3), {"prevalence", "wide_interval"}),
    "Hoek & Scholman, table 4": (
        of_table(TABLE_4),
        {"prevalence", "never_agreed", "below_chance", "wide_interval"},
    ),
    "Hoek & Scholman, table 5": (
        of_table(TABLE_5),
        {"below_chance", "kappa_above_pi", "wide_interval"},
    ),
    "table 2 with an unused category": (
        of_table(TABLE_2, categories=list("abc")),
        {"unused_categories", "wide_interval"},
    ),
    "slides, EXPLOIT": (
        of_table(EXPLOIT, categories=list("abcd")),
        {
            "prevalence",
            "never_agreed",
            "kappa_above_pi",
            "below_chance",
            "wide_interval",
            "unused_categories",
        },
    ),
    "slides, BOOST": (
        of_table(BOOST),
        {"prevalence", "never_agreed", "below_chance", "rare_category", "wide_interval"},
    ),
    "one coder": (of_grid([[0], [1]]), {"one_coder"}),
    "no common item": (of_grid([[0, -1], [-1, 1]]), {"nothing_to_compare"}),
    "one label only": (of_grid([[0, 0]] * 50), {"no_variation"}),
    "one label wherever coders met": (
        of_grid([[0, 0]] * 40 + [[1, -1]] * 10),
        {"no_variation", "missing"},
    ),
    "perfect": (of_grid([[0, 0]] * 30 + [[1, 1]] * 30), {"perfect_agreement"}),
    "ten items": (
        of_grid([[0, 0]] * 5 + [[1, 1]] * 5),
        {"few_items", "perfect_agreement", "wide_interval"},
    ),
    "most items annotated once": (
        of_grid([[0, 0], [1, 1]] * 20 + [[0, -1], [-1, 1]] * 30),
        {"missing", "perfect_agreement"},
    ),
    "numbers without a scale": (
        of_grid([[k, k] for k in range(5)] * 20, (1, 2, 3, 4, 5)),
        {"numbers_as_names", "perfect_agreement"},
    ),
    "the same numbers as grades": (
        of_grid([[k, k] for k in range(5)] * 20, (1, 2, 3, 4, 5), scale="ordinal"),
        {"perfect_agreement"},
    ),
    "the same sets": (
        of_pairs(("ab", "ab", 60), ("a", "a", 90), ("bc", "bc", 60), ("c", "c", 90)),
        {"augmented_penalises", "perfect_agreement", "unused_categories"},
    ),
    "the second coder gives more": (
        of_pairs(*SINGLES, ("a", "ab", 20), ("b", "bc", 20), ("c", "ac", 20)),
        {"one_coder_decides", "asymmetric_sets", "augmented_penalises", "unused_categories"},
    ),
    "either gives more": (
        of_pairs(*SINGLES, ("a", "ab", 15), ("bc", "b", 15), ("c", "ac", 15), ("ac", "a", 15)),
        {"augmented_penalises", "unused_categories"},
    ),
    "more labels, but of one's own": (
        of_pairs(("a", "bc", 30), ("b", "ac", 30), ("c", "ab", 30), ("a", "a", 60), ("b", "b", 60)),
        {
            "asymmetric_sets",
            "augmented_penalises",
            "soft_match_too_high",
            "unused_categories",
            "never_agreed",
            "wide_interval",
        },
    ),
}


def codes(data: object) -> set[str]:
    return {f.code for f in ac.agreement(data).caveats}


def one(data: object, code: str) -> object:
    return next(f for f in ac.agreement(data).caveats if f.code == code)


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    data, expected = SCENARIOS[name]
    assert codes(data) == expected


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_caveat_is_whole(name: str) -> None:
    table = ac.agreement(SCENARIOS[name][0])
    for f in table.caveats:
        assert f.severity in ("problem", "warning", "note")
        assert f.sentence.endswith(".")
        assert f.advice.endswith(".")
        assert f.title
        assert "nan" not in str(f)
        assert "{" not in str(f)
        assert f.facts
    order = [("problem", "warning", "note").index(f.severity) for f in table.findings]
    assert order == sorted(order)
    assert all(f in table.findings for f in table.caveats)
    assert [f.code for f in ac.diagnose(SCENARIOS[name][0]).caveats] == [
        f.code for f in table.caveats
    ]


# ------------------------------------------------------------------ the numbers behind them


def test_the_paradox_is_told_with_its_numbers() -> None:
    """Hoek & Scholman (2017), table 6: A_o .83, κ .56, AC1 .73; 2 A_o − 1 = .67."""
    facts = one(of_table(TABLE_3), "prevalence").facts
    shown = {key: round(facts[key], 3) for key in ("percent", "kappa", "ac", "s", "top_share")}
    assert shown == {"percent": 0.833, "kappa": 0.556, "ac": 0.733, "s": 0.667, "top_share": 0.75}
    assert (facts["top"], facts["n"], facts["n_annotations"]) == ("b", 180, 240)
    facts = one(of_table(TABLE_4), "prevalence").facts
    assert (round(facts["kappa"], 3), round(facts["ac"], 3)) == (-0.087, 0.803)
    assert one(of_table(TABLE_4), "never_agreed").facts["categories"] == ["a"]


def test_unused_category_lifts_ac_from_67_to_78() -> None:
    """Hoek & Scholman (2017), section 3.3."""
    facts = one(of_table(TABLE_2, categories=list("abc")), "unused_categories").facts
    assert (round(facts["with"]["ac"], 3), round(facts["without"]["ac"], 3)) == (0.778, 0.667)
    assert facts["unused"] == ("c",)


def test_the_second_paradox_is_told_with_its_numbers() -> None:
    facts = one(of_table(TABLE_5), "kappa_above_pi").facts
    assert facts["kappa"] - facts["pi"] == pytest.approx(facts["gap"])
    assert facts["gap"] > 0.8
    assert facts["p_value"] < 0.001
    assert facts["kappa_max"] == pytest.approx(facts["kappa"], abs=0.05)


def test_nothing_seen_is_told_with_the_exact_bound() -> None:
    """The same bound that stands in the table (Clopper & Pearson)."""
    table = ac.agreement(SCENARIOS["perfect"][0])
    facts = next(f.facts for f in table.caveats if f.code == "perfect_agreement")
    assert facts["at_least"] == pytest.approx(0.025 ** (1 / 60))
    assert facts["alpha_at_least"] == table["alpha"].low


def test_numbers_have_scales_to_try() -> None:
    found = one(SCENARIOS["numbers without a scale"][0], "numbers_as_names")
    assert [x.options for x in found.do] == [{"scale": "ordinal"}, {"scale": "interval"}]


def test_unused_categories_alone_are_no_prevalence() -> None:
    """Five further categories lift S of table 2 far above π; nothing prevails for that."""
    found = codes(of_table(TABLE_2, categories=list("abcdefg")))
    assert "unused_categories" in found
    assert "prevalence" not in found


def test_a_weighted_scale_is_not_told_about_nominal_paradoxes() -> None:
    grid = np.repeat([[0, 0], [0, 1], [1, 2], [2, 2]], [80, 10, 5, 5], axis=0)
    assert "prevalence" in codes(of_grid(grid, (1, 2, 3)))
    assert "prevalence" not in codes(of_grid(grid, (1, 2, 3), scale="ordinal"))
    assert "numbers_as_names" not in {
        f.code for f in ac.agreement(of_grid(grid, (1, 2, 3)), weights="linear").caveats
    }


# ------------------------------------------------------------------ sets of labels


@pytest.mark.parametrize(
    ("first", "second", "same", "told"),
    [
        (40, 4, 100, True),
        (40, 4, 500, False),  # clear, but a small part of the final labels
        (100, 60, 100, False),  # clear, but less than two thirds of what one of them decides
        (5, 0, 20, False),  # may be an accident: p = 2 / 2**5
    ],
)
def test_one_coder_must_decide_clearly_mostly_and_often(first, second, same, told) -> None:
    data = of_pairs(("a", "ab", first), ("ab", "b", second), ("c", "c", same))
    assert ("one_coder_decides" in codes(data)) is told


@pytest.mark.parametrize(
    ("more", "fewer", "same", "told"),
    [(30, 5, 100, True), (30, 5, 400, False), (30, 20, 50, False), (5, 0, 5, False)],
)
def test_asymmetry_must_be_clear_and_large(more, fewer, same, told) -> None:
    data = of_pairs(("ab", "a", more), ("b", "bc", fewer), ("c", "c", same))
    assert ("asymmetric_sets" in codes(data)) is told
    if told:
        facts = one(data, "asymmetric_sets").facts
        assert (facts["more"], facts["n_more"], facts["n_fewer"]) == ("coder 1", more, fewer)


def test_the_case_study_is_told_with_its_numbers() -> None:
    """Marchal et al. (2022, sec. 6 and 8, Table 2)."""

    told = {f.code: f.facts for f in ac.agreement(ac.example("marchal2022_case")).caveats}
    assert f"{told['asymmetric_sets']['mean_more']:.2f}" == "1.65"
    assert f"{told['asymmetric_sets']['mean_fewer']:.2f}" == "1.11"
    assert told["one_coder_decides"]["n_final"] == 698
    soft = told["soft_match_too_high"]
    assert f"{soft['soft_match']:.2f} {soft['boot_match']:.2f}" == "0.73 0.68"
    assert f"{soft['expected_soft']:.2f} {soft['expected_boot']:.2f}" == "0.23 0.34"
    penalised = told["augmented_penalises"]
    assert f"{penalised['augmented']:.2f} {penalised['observed']:.2f}" == "0.38 0.51"


def test_the_same_sets_reach_the_ceiling_of_augmented_kappa() -> None:
    facts = one(SCENARIOS["the same sets"][0], "augmented_penalises").facts
    assert facts["augmented"] == pytest.approx(facts["ceiling"])
    assert facts["ceiling"] < 0.9


# ------------------------------------------------------------------ several questions


def questions(**each: tuple[list[str], list[str]]) -> ac.Annotations:
    """Two coders, several questions about the same items."""
    return ac.read(
        [
            {"item": i, "coder": coder, **{q: rows[c][i] for q, rows in each.items()}}
            for c, coder in enumerate(("ann", "bob"))
            for i in range(100)
        ],
        label=list(each),
    )


AGREED = (list("a" * 40 + "b" * 40 + "a" * 20), list("a" * 40 + "b" * 40 + "b" * 20))


def test_pooled_figures_that_hide_undefined_questions() -> None:
    facts = one(questions(q1=AGREED, q2=(["a"] * 100, ["a"] * 100)), "pooled_hides_undefined").facts
    assert (facts["hidden"], facts["n_annotations"], facts["of"]) == (["q2"], 200, 2)


def test_pooled_figure_above_every_question() -> None:
    """Each question alone is near chance; telling the questions apart looks like agreement."""
    low = list("a" * 90 + "a" * 5 + "b" * 4 + "b"), list("a" * 90 + "b" * 5 + "a" * 4 + "b")
    high = tuple(["a" if x == "b" else "b" for x in row] for row in low)
    found = one(questions(low=low, high=high), "pooled_above_all")
    assert found.severity == "problem"
    assert found.facts["alpha"] > found.facts["value"]
    assert found.question is None
    assert "pooled_above_all" not in codes(questions(q1=AGREED, q2=AGREED))


# ------------------------------------------------------------------ whatever the data


@pytest.mark.parametrize("seed", range(12))
def test_random_data_never_break_the_rules(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = slipped(seed, [1 / 3] * 3, 4 + 4 * seed, 2 + seed % 4, 0.3)
    grid[rng.random(grid.shape) < 0.4] = -1
    for scale in ("nominal", "ordinal", "interval"):
        found = ac.agreement(of_grid(grid, (1, 2, 3), scale=scale))
        assert "nan" not in " ".join(map(str, found.caveats))
        assert found.recommendation.primary in {None, "alpha", "pi"}


def test_real_questions(real_data) -> None:
    """BJHP: questions 2 and 4 are undefined, and no question reaches the pooled figure."""
    found = ac.diagnose(real_data("bjhp/bjhp_annotations_long.csv"))
    told = {(f.question, f.code): f for f in found.caveats}
    assert {("2", "no_variation"), ("4", "no_variation")} <= set(told)
    assert told[None, "pooled_hides_undefined"].facts["hidden"] == ["2", "4"]
    assert (None, "pooled_above_all") in told
    assert not math.isnan(told[None, "pooled_above_all"].facts["kappa"])
