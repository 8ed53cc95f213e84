"""Scenarios and the findings they must lead to."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from accordant.data.annotations import Annotations
from accordant.data.read import read
from accordant.diagnosis.advice import POOLED, RULES, advise
from accordant.diagnosis.diagnose import diagnose
from accordant.diagnosis.finding import SEVERITIES, Finding
from accordant.diagnosis.set_traps import SETS
from accordant.literature import LITERATURE
from diagnosis.made import at_random, from_counts, from_table, of_grid, of_questions

# Hoek & Scholman (2017), tables 2 to 5: rows coder B, columns coder A.
TABLE_2 = [[50, 12], [8, 50]]
TABLE_3 = [[20, 12], [8, 80]]
TABLE_4 = [[0, 12], [8, 100]]
TABLE_5 = [[5, 110], [0, 5]]
# Matrices of the slides "Evaluating Annotation Reliability".
FORGE = np.diag([1, 8, 4, 4, 0, 1, 0, 0]) + 32 * np.outer(np.arange(8) == 5, np.arange(8) == 2)
EXPLOIT = [[27, 14, 6, 0], [0, 2, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
BOOST = [[48, 1], [1, 0]]

GOOD = of_grid(np.repeat([[0, 0], [1, 1], [0, 1], [1, 0]], [950, 950, 50, 50], axis=0), "ab")


IN_PLACE = {"stretch", "trend", "no_pattern"}


def codes(data: Annotations) -> set[str]:
    """What is told, except notes on the order of items: those of tables and patterns are sorted."""
    found = diagnose(data).findings
    return {f.code for f in found if f.code not in IN_PLACE or f.severity != "note"}


def one(data: Annotations, code: str) -> Finding:
    return next(f for f in diagnose(data).findings if f.code == code)


def rows_of(grid: list[list[int]], values: str = "ab", **options) -> Annotations:
    return of_grid(np.array(grid), values, **options)


SCENARIOS = {
    "large, balanced, good": (GOOD, set()),
    "Hoek & Scholman, table 2": (from_table(TABLE_2), {"wide_interval", "threshold_open"}),
    "Hoek & Scholman, table 3": (
        from_table(TABLE_3),
        {"prevalence", "wide_interval", "threshold_open"},
    ),
    "Hoek & Scholman, table 4": (
        from_table(TABLE_4),
        {"prevalence", "never_agreed", "below_chance", "wide_interval"},
    ),
    "Hoek & Scholman, table 5": (
        from_table(TABLE_5),
        {"below_chance", "coder_bias", "one_sided", "kappa_above_pi", "wide_interval"},
    ),
    "table 2 with an unused category": (
        from_table([[50, 12, 0], [8, 50, 0], [0, 0, 0]], "abc"),
        {"unused_categories", "wide_interval", "threshold_open"},
    ),
    "slides, FORGE": (
        from_table(FORGE, "abcdefgh"),
        {
            "coder_bias",
            "one_sided",
            "kappa_above_pi",
            "wide_interval",
            "rare_category",
            "unused_categories",
        },
    ),
    "slides, EXPLOIT": (
        from_table(EXPLOIT, "abcd"),
        {
            "prevalence",
            "never_agreed",
            "coder_bias",
            "one_sided",
            "kappa_above_pi",
            "below_chance",
            "wide_interval",
            "unused_categories",
            "alpha_small_sample",
        },
    ),
    "slides, BOOST": (
        from_table(BOOST),
        {
            "prevalence",
            "never_agreed",
            "below_chance",
            "little_room",
            "rare_category",
            "alpha_small_sample",
            "wide_interval",
            "threshold_open",
        },
    ),
    "pairs of coders who share five items": (
        rows_of(
            [
                [(k // 2) % 2 if j in (k % 12, (k * 5 + 1) % 12) else -1 for j in range(12)]
                for k in range(60)
            ]
        ),
        {"no_overlap", "missing", "perfect_agreement"},
    ),
    "no annotation": (rows_of([[-1, -1]]), {"one_coder", "items_without_annotations"}),
    "one coder": (rows_of([[0, -1], [1, -1]]), {"one_coder"}),
    "no common item": (rows_of([[0, -1], [-1, 1]]), {"nothing_to_compare"}),
    "one label only": (rows_of([[0, 0]] * 50), {"no_variation", "unused_categories"}),
    "one label wherever coders met": (
        rows_of([[0, 0]] * 40 + [[1, -1]] * 10),
        {"no_variation_in_pairs", "missing", "single_annotations"},
    ),
    "perfect": (rows_of([[0, 0]] * 30 + [[1, 1]] * 30), {"perfect_agreement"}),
    "ten items": (
        rows_of([[0, 0]] * 5 + [[1, 1]] * 5),
        {"few_items", "perfect_agreement", "wide_interval", "threshold_open"},
    ),
    "two groups of coders": (
        rows_of([[0, 0, -1, -1], [1, 1, -1, -1], [-1, -1, 0, 0], [-1, -1, 1, 1]] * 20),
        {"no_overlap", "missing", "perfect_agreement"},
    ),
    "most items annotated once": (
        rows_of([[0, 0], [1, 1]] * 20 + [[0, -1], [-1, 1]] * 30),
        {"single_annotations", "missing", "perfect_agreement"},
    ),
    "numbers without a scale": (
        rows_of([[k, k] for k in range(5)] * 20, (1, 2, 3, 4, 5)),
        {"numbers_as_names", "perfect_agreement"},
    ),
    "the same numbers as grades": (
        rows_of([[k, k] for k in range(5)] * 20, (1, 2, 3, 4, 5), scale="ordinal"),
        {"perfect_agreement"},
    ),
    "a scheme read off the data": (
        replace(GOOD, schemes=(replace(GOOD.scheme, declared=False),)),
        {"undeclared_categories"},
    ),
    "only numbers of coders": (
        from_counts([[3, 0], [0, 3]] * 20),
        {"unknown_coders", "perfect_agreement"},
    ),
    "a coder who says yes too easily": (
        rows_of([[k % 2, k % 2, int(k % 2 or k % 8 == 0)] for k in range(4000)]),
        {"coder_gives"},
    ),
    "a coder who answers at random": (
        rows_of([[k % 2, k % 2, (k // 2) % 2] for k in range(400)]),
        {"coder"},
    ),
}


@pytest.mark.parametrize("name", SCENARIOS)
def test_scenario(name: str) -> None:
    data, expected = SCENARIOS[name]
    assert codes(data) == expected


def test_every_rule_has_its_scenario() -> None:
    """Beside these, pooled questions have tests of their own below, label sets in another file."""
    seen = set().union(*(expected for _, expected in SCENARIOS.values()))
    assert set(RULES) - seen == set(SETS)


def test_rules_are_named_after_their_findings() -> None:
    for data, _ in SCENARIOS.values():
        part = diagnose(data).pooled
        for code, rule in RULES.items():
            finding = rule(part.facts)
            assert finding is None or finding.code == code


@pytest.mark.parametrize("name", SCENARIOS)
def test_every_finding_says_its_numbers_and_its_sources(name: str) -> None:
    for f in diagnose(SCENARIOS[name][0]).findings:
        assert f.severity in SEVERITIES
        assert f.sentence.endswith(".")
        assert f.advice.endswith(".")
        assert "nan" not in str(f)
        assert f.evidence
        assert any(character.isdigit() for character in f.sentence) or f.code in {
            "one_coder",
            "unknown_coders",
        }
        assert set(f.sources) <= set(LITERATURE)


def test_problems_come_first() -> None:
    found = [SEVERITIES.index(f.severity) for f in diagnose(from_table(TABLE_5)).findings]
    assert found == sorted(found)


# ------------------------------------------------------------------ the numbers in the sentences


def test_the_paradox_is_told_with_its_numbers() -> None:
    """Hoek & Scholman (2017), table 6: A_o .83, κ .56, AC1 .73; 2 A_o − 1 = .67; PI −.50."""
    told = one(from_table(TABLE_3), "prevalence").sentence
    for words in (
        "180 of 240",
        "75.0\xa0%",
        "83.3\xa0%",
        "κ = 0.556",
        "AC = 0.733",
        "0.667",
        "index −0.50",
    ):
        assert words in told
    told = one(from_table(TABLE_4), "prevalence").sentence
    for words in ("κ = −0.087", "AC = 0.803", "PABAK"):
        assert words in told
    assert "20 times" in one(from_table(TABLE_4), "never_agreed").sentence


def test_unused_category_lifts_ac_from_67_to_78() -> None:
    """Hoek & Scholman (2017), section 3.3."""
    found = one(SCENARIOS["table 2 with an unused category"][0], "unused_categories")
    assert "AC is 0.778 with them in the scheme and 0.667 without" in found.sentence
    assert found.evidence["unused"] == ("c",)


def test_exchanged_labels_are_a_problem_and_a_small_minus_is_not() -> None:
    assert one(from_table(TABLE_5), "below_chance").severity == "problem"
    assert one(from_table(TABLE_4), "below_chance").severity == "warning"
    assert "exchanged" in one(from_table(TABLE_5), "below_chance").advice


def test_nothing_seen_is_told_with_the_exact_bound() -> None:
    """The same bound that stands in the table."""
    found = one(SCENARIOS["perfect"][0], "perfect_agreement")
    assert found.evidence["at_least"] == pytest.approx(0.025 ** (1 / 60))  # Clopper & Pearson
    assert "percent agreement could be as low as 94.0\xa0%, and α as low as 0.882" in found.advice
    assert "exact bound for no disagreement in 60 items (95\xa0%, two-sided)" in found.advice
    assert (
        found.evidence["alpha_at_least"]
        == diagnose(SCENARIOS["perfect"][0]).pooled.facts.coefficients["alpha"].low
    )


def test_one_item_decides_where_chance_is_certain() -> None:
    found = one(from_table(BOOST), "little_room")
    assert found.evidence["cost"] == pytest.approx(1 / (50 * (1 - (0.98**2 + 0.02**2))))
    assert found.evidence["n_disputed"] == 2


def test_a_coder_is_named() -> None:
    found = one(SCENARIOS["a coder who answers at random"][0], "coder")
    assert found.facts["coder"] == "coder 3"
    found = one(SCENARIOS["a coder who says yes too easily"][0], "coder_gives")
    assert (found.facts["coder"], found.facts["first"]) == ("coder 3", "b")


def test_prevalence_speaks_of_one_category_not_of_many() -> None:
    """FORGE is skewed by a difference between the coders: no category has half of the labels."""
    assert "prevalence" not in codes(from_table(FORGE, "abcdefgh"))


def test_unused_categories_alone_are_no_prevalence() -> None:
    """Seven declared categories lift S of table 2 far above π; nothing prevails for that."""
    grid = from_table(TABLE_2).grid
    assert codes(of_grid(grid, "abcdefg")) >= {"unused_categories"}
    assert "prevalence" not in codes(of_grid(grid, "abcdefg"))


def test_a_weighted_scale_is_not_told_about_nominal_paradoxes() -> None:
    grid = np.repeat([[0, 0], [0, 1], [1, 2], [2, 2]], [80, 10, 5, 5], axis=0)
    assert "prevalence" in codes(of_grid(grid, (1, 2, 3)))
    assert "prevalence" not in codes(of_grid(grid, (1, 2, 3), scale="ordinal"))


# ------------------------------------------------------------------ several questions


AGREED = np.repeat([[0, 0], [1, 1], [0, 1]], [40, 40, 20], axis=0)


def test_pooled_figures_that_hide_undefined_questions() -> None:
    found = one(
        of_questions({"q1": AGREED, "q2": np.zeros((100, 2), int)}), "pooled_hides_undefined"
    )
    assert "(“q2”)" in found.sentence
    assert "200 of the 400 annotations" in found.sentence


def test_pooled_figure_above_every_question() -> None:
    """Each question alone is near chance; telling the questions apart looks like agreement."""
    low = np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], [90, 5, 4, 1], axis=0)
    found = one(of_questions({"low": low, "high": 1 - low}), "pooled_above_all")
    assert found.severity == "problem"


def test_questions_that_differ() -> None:
    noise = np.array([[k % 2, (k // 2) % 2] for k in range(100)])
    assert "pooled_range" in codes(of_questions({"q1": AGREED, "q2": noise}))
    assert "pooled_above_all" not in codes(of_questions({"q1": AGREED, "q2": noise}))
    assert "pooled_range" not in codes(of_questions({"q1": AGREED, "q2": AGREED}))
    told = one(of_questions({"q1": AGREED, "q2": AGREED}), "pooled_not_independent")
    assert "clustered by item" in told.advice


def test_schemes_without_a_common_category() -> None:
    data = of_questions({"q1": AGREED, "q2": AGREED}, {"q1": "ab", "q2": "xy"})
    found = one(data, "schemes_differ")
    assert "some without one in common" in found.sentence
    first, second = (sorted(map(str, scheme.categories)) for scheme in data.schemes)
    assert found.evidence["categories"] == [first, second]  # in the order of the questions
    assert not diagnose(data).same_scheme
    some = of_questions({"q1": AGREED, "q2": AGREED}, {"q1": "ab", "q2": "bc"})
    assert one(some, "schemes_differ").severity == "warning"
    same = of_questions({"q1": AGREED, "q2": AGREED})
    assert "schemes_differ" not in codes(same)
    assert diagnose(same).same_scheme


def test_found_labels_that_differ_are_a_note() -> None:
    """Nobody knows whether the rarer label was on offer."""
    data = of_questions({"q1": AGREED, "q2": AGREED}, {"q1": "ab", "q2": "bc"})
    found = replace(data, schemes=tuple(replace(s, declared=False) for s in data.schemes))
    assert one(found, "schemes_differ").severity == "note"
    assert not diagnose(found).same_scheme


def test_scales_differ() -> None:
    data = of_questions({"q1": AGREED, "q2": AGREED})
    data = replace(data, schemes=(data.schemes[0], replace(data.schemes[1], scale="ordinal")))
    assert "scales (nominal, ordinal)" in one(data, "schemes_differ").sentence
    assert not diagnose(data).same_scheme


def test_every_rule_about_pooling_was_tried() -> None:
    assert set(POOLED) == {
        "pooled_hides_undefined",
        "pooled_above_all",
        "pooled_range",
        "pooled_not_independent",
        "schemes_differ",
        "one_direction",
    }


def test_real_questions(real_data) -> None:
    """BJHP: questions 2 and 4 are undefined, and no question reaches the pooled figure."""
    found = diagnose(read(real_data("bjhp/bjhp_annotations_long.csv")))
    told = {(f.question, f.code) for f in found.findings}
    assert {("2", "no_variation"), ("4", "no_variation"), (None, "pooled_hides_undefined")} <= told
    assert (None, "pooled_above_all") in told
    lean = next(f for f in found.findings if f.code == "one_direction")
    assert lean.sentence.startswith("26 of 32 differences over all questions")


def test_random_data_never_break_the_rules() -> None:
    for seed in range(40):
        data = at_random(
            seed, items=3 + seed, coders=2 + seed % 4, values=2 + seed % 5, missing=0.6
        )
        for scale in ("nominal", "ordinal", "interval"):
            scaled = replace(
                data,
                values=tuple(range(len(data.values))),
                schemes=(
                    replace(data.scheme, categories=tuple(range(len(data.values))), scale=scale),
                ),
            )
            part = diagnose(scaled).pooled
            traps = [replace(f, title="") for f in part.findings if f.code in RULES]
            assert list(advise(part.facts)) == traps
            assert part.recommendation.primary in {None, "alpha", "pi"}


@pytest.mark.parametrize("shares", [(0.45, 0.45, 0.1), (0.6, 0.2, 0.2)])
@pytest.mark.parametrize("code", ["coder", "pair"])
def test_coders_who_are_alike_rarely_raise_an_alarm(code: str, shares: tuple[float, ...]) -> None:
    """Coders know the answer in 70 % of cases and guess by the shares in the others."""
    rng, alarms = np.random.default_rng(5), 0
    for _ in range(40):
        truth = rng.choice(3, size=(60, 1), p=shares)
        guess = rng.choice(3, size=(60, 3), p=shares)
        grid = np.where(rng.random((60, 3)) < 0.7, truth, guess)
        alarms += code in codes(of_grid(grid, "abc"))
    assert alarms <= 6


def test_a_coder_who_guesses_is_found() -> None:
    rng = np.random.default_rng(5)
    truth = rng.choice(3, size=(200, 1))
    grid = np.repeat(truth, 4, axis=1)
    noise = rng.random(grid.shape) < [0.1, 0.1, 0.1, 0.7]
    grid[noise] = rng.choice(3, size=int(noise.sum()))
    assert "coder" in codes(of_grid(grid, "abc"))


def test_a_pair_that_is_really_confused_is_found() -> None:
    table = [[60, 15, 1], [15, 60, 1], [1, 1, 60]]
    assert "pair" in codes(from_table(table, "abc"))


def test_findings_have_their_words_where_docstrings_are_left_out() -> None:
    """Their templates are docstrings, which `python -OO` drops."""
    code = (
        "import accordant as ac; found = ac.diagnose([list('abaa'), list('abba')]);"
        "print(all(f.sentence and f.advice for f in found.findings), len(found.findings))"
    )
    found = subprocess.run(
        [sys.executable, "-OO", "-B", "-c", code], capture_output=True, text=True, check=True
    )
    flag, n = found.stdout.split()
    assert flag == "True"
    assert int(n) > 2
