"""Six questions about the articles of a journal, two coders (Oortwijn, Ossenkoppele & Betti 2021).

The paper publishes kappa .71 over all comparable answers and .45 over the questions about
wide-scope claims, with the counts behind them. The annotation files give slightly different
counts. Wide scope is questions 5a and 5c together. Questions 2 and 4 got the same answer from
both coders for every article, so kappa, pi and alpha have no value there.

Question 5c is asked only if the coder's own answer to 5a is yes. For 13 articles one coder
answered it and for the other it did not apply. The paper compares the 295 answers that both
gave. Our default follows Gwet (2014): an answer without a partner still tells how its coder
uses the categories, so kappa is .698 pooled and .443 for wide scope. With items="shared" these 13
answers are left out, and kappa is the paper's kind of figure, .6829 and .4563. Alpha never counts them and is the same both ways.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from accordant import Annotations, agreement, diagnose, read
from papers.tables import measured

if TYPE_CHECKING:
    from accordant import Diagnosis

RealData = Callable[[str], Path]

DIGITS = 1e-10  # the paper's own spreadsheet prints ten digits


def table(n00: int, n01: int, n10: int, n11: int) -> list[list[int]]:
    return [[n00, n01], [n10, n11]]


# ------------------------------------------------------------------ the published counts


@pytest.mark.parametrize(
    "counts, kappa, observed, expected, alpha, ac1, pabak",
    [
        (
            table(216, 24, 5, 50),
            0.7140230654,
            0.9016949153,
            0.6562482045,
            0.7127747229649061,
            0.8506733228022098,
            0.8033898305084746,
        ),
        (
            table(16, 17, 3, 43),
            0.4463910301,
            0.7468354430,
            0.5427014901,
            0.43033381712626995,
            0.5466284074605452,
            0.49367088607594933,
        ),
    ],
    ids=["all", "wide scope"],
)
def test_published_counts(
    counts: list[list[int]],
    kappa: float,
    observed: float,
    expected: float,
    alpha: float,
    ac1: float,
    pabak: float,
) -> None:
    rows = measured(counts, [0, 1])
    assert rows["kappa"].value == pytest.approx(kappa, abs=DIGITS)
    assert rows["kappa"].observed == pytest.approx(observed, abs=DIGITS)
    assert rows["kappa"].expected == pytest.approx(expected, abs=DIGITS)
    # computed from the same counts with other programs, to full precision
    assert rows["alpha"].value == pytest.approx(alpha, abs=1e-12)
    assert rows["ac1"].value == pytest.approx(ac1, abs=1e-12)
    assert rows["pabak"].value == pytest.approx(pabak, abs=1e-12)


# The paper's tally of each question: n00, n01, n10, n11, and the kappa that follows.
TALLY = {
    "1": (table(45, 3, 1, 5), 0.6727272727272727),
    "3": (table(47, 4, 1, 2), 0.4),
    "5a": (table(16, 10, 3, 25), 0.5131761442441054),
    "5c": (table(0, 7, 0, 18), 0.0),
}


@pytest.mark.parametrize("question", TALLY)
def test_published_tally(question: str) -> None:
    counts, kappa = TALLY[question]
    assert measured(counts, [0, 1])["kappa"].value == pytest.approx(kappa, abs=1e-12)


def test_the_tallies_add_up_to_the_published_counts() -> None:
    whole = sum(np.array(t) for t, _ in TALLY.values()) + 2 * np.array(table(54, 0, 0, 0))
    assert whole.tolist() == table(216, 24 + 0, 5, 50)
    wide = np.array(TALLY["5a"][0]) + np.array(TALLY["5c"][0])
    assert wide.tolist() == table(16, 17, 3, 43)


@pytest.mark.parametrize("declared", [[0, 1], None])
def test_questions_2_and_4_are_undefined_and_say_why(declared: Any) -> None:
    zeros = [[0] * 54, [0] * 54]
    rows = agreement(zeros, categories=declared)
    for key in ("pi", "kappa", "alpha"):
        assert np.isnan(rows[key].value)
        assert rows[key].undefined is not None
        assert rows[key].undefined.reason == "no_variation"
        assert "every annotation is 0" in str(rows[key].undefined)
        assert rows[key].observed == 1
        assert rows[key].n_items == 54
    assert rows["percent"].value == 1
    if declared:  # a scheme with two options leaves something to chance
        assert rows["ac1"].value == rows["s"].value == 1
    else:
        assert np.isnan(rows["ac1"].value)
        assert np.isnan(rows["s"].value)


# ------------------------------------------------------------------ the files


def read_long(folder: Path, **options: Any) -> Annotations:
    return read(
        folder / "bjhp_annotations_long.csv",
        item="item",
        question="question",
        coder="annotator",
        label="score",
        categories=[0, 1],
        **options,
    )


def test_files_pooled(real_data: RealData) -> None:
    rows = agreement(read_long(real_data("bjhp"), items="shared"))
    known = json.loads((real_data("bjhp/bjhp_expected_agreement.json")).read_text("utf-8"))
    wanted = known["from_annotator_files"]["all"]
    assert rows["kappa"].value == pytest.approx(0.6828809459822629, abs=1e-12)
    assert rows["kappa"].n_pairable == wanted["n"] == 295
    agrees_with(rows, None, wanted)


def test_files_wide_scope_is_questions_5a_and_5c(real_data: RealData) -> None:
    data = read_long(real_data("bjhp"))
    known = json.loads((real_data("bjhp/bjhp_expected_agreement.json")).read_text("utf-8"))
    rows = agreement(data.of_questions(["5a", "5c"]).of_shared())
    assert rows["kappa"].value == pytest.approx(0.45629731589814176, abs=1e-12)
    agrees_with(rows, None, known["from_annotator_files"]["wide_scope"])


def test_files_per_question(real_data: RealData) -> None:
    data = read_long(real_data("bjhp"), items="shared")
    known = json.loads((real_data("bjhp/bjhp_expected_agreement.json")).read_text("utf-8"))
    rows = agreement(data)
    assert data.questions == ("1", "2", "3", "4", "5a", "5c")
    for question in data.questions:
        agrees_with(rows, question, known["from_annotator_files"][question])
    undefined = [r.question for r in rows if r.coefficient == "kappa" and r.undefined]
    assert undefined == ["2", "4"]
    assert rows["2", "kappa"].undefined is not None
    assert rows["2", "kappa"].undefined.reason == "no_variation"


def test_answers_without_a_partner_count_for_chance_by_default(real_data: RealData) -> None:
    data = read_long(real_data("bjhp"))
    rows = agreement(data)
    assert (rows["kappa"].n_items, rows["kappa"].n_pairable) == (308, 295)
    assert rows["kappa"].observed == pytest.approx(0.8915254237288136, abs=1e-12)
    first, second = ([r["label"] for r in data.to_rows() if r["coder"] == c] for c in data.coders)
    first, second = ([v for v in labels if v is not None] for labels in (first, second))
    assert len(first) + len(second) == 2 * 295 + 13
    p, q = np.mean(first), np.mean(second)
    assert rows["kappa"].expected == pytest.approx(p * q + (1 - p) * (1 - q), abs=1e-12)
    assert f"{rows['kappa'].value:.3f}" == "0.698"
    assert rows["alpha"].value == pytest.approx(
        agreement(data.of_shared())["alpha"].value, abs=1e-15
    )


def test_long_and_wide_file_are_the_same_annotations(real_data: RealData) -> None:
    folder = real_data("bjhp")
    wide = read(
        folder / "bjhp_annotations_wide.csv",
        item="item",
        question="question",
        coder=["score_A1", "score_A2"],
        categories=[0, 1],
    )
    long_rows, wide_rows = agreement(read_long(folder)), agreement(wide)
    for a, b in zip(long_rows, wide_rows, strict=True):
        assert (a.question, a.coefficient, a.value, a.n_annotations) == pytest.approx(
            (b.question, b.coefficient, b.value, b.n_annotations), nan_ok=True
        )


def agrees_with(rows: Any, question: str | None, wanted: dict[str, Any]) -> None:
    """The figures of the expected file; null there is undefined here."""
    names = {"kappa": "kappa", "alpha": "alpha_nominal", "ac1": "gwet_ac1", "pabak": "pabak"}
    for key, name in names.items():
        row = rows[question, key] if question else rows[key]
        if wanted[name] is None:
            assert np.isnan(row.value)
            assert row.undefined is not None
        else:
            assert row.value == pytest.approx(wanted[name], abs=1e-12)
        assert row.observed == pytest.approx(wanted["p_o"], abs=1e-12)
        assert row.n_pairable == wanted["n"]
    kappa = rows[question, "kappa"] if question else rows["kappa"]
    assert kappa.expected == pytest.approx(wanted["p_e"], abs=1e-12)


# ------------------------------------------------------------------ which way they differ


def of_tally() -> Annotations:
    """The published counts of each question as answers about articles, whichever they were."""
    tables = {q: t for q, (t, _) in TALLY.items()} | dict.fromkeys("24", table(54, 0, 0, 0))
    rows = []
    for question, counts in sorted(tables.items()):
        cells = [(a, b) for a in (0, 1) for b in (0, 1) for _ in range(counts[a][b])]
        for item, answers in enumerate(cells):
            rows += [(item, question, coder, x) for coder, x in zip("AB", answers, strict=True)]
    names = ("item", "question", "coder", "label")
    return read([dict(zip(names, row, strict=True)) for row in rows], categories=[0, 1])


def ways(found: Diagnosis) -> dict[str | None, tuple[int, int]]:
    """Of each question how often the second coder says 1 where the first says 0, and the reverse."""
    tables = {part.question: part.contingency() for part in found.each}
    return {
        name: tuple(int(t.table[a, b]) if len(t.table) > 1 else 0 for a, b in ((0, 1), (1, 0)))
        for name, t in tables.items()
    }


def test_published_tally_goes_one_way() -> None:
    """The paper's counts: 24 of 29 differences are a 0 of the first and a 1 of the second."""
    way = ways(diagnose(of_tally()))
    assert way == {"1": (3, 1), "2": (0, 0), "3": (4, 1), "4": (0, 0), "5a": (10, 3), "5c": (7, 0)}
    assert np.sum(list(way.values()), 0).tolist() == [24, 5]


def test_published_tally_pooled_hides_undefined_questions() -> None:
    """Of the published counts question 1 has kappa .673; the pooled .714 is above it."""
    told = {f.code: f.facts for f in diagnose(of_tally()).caveats if f.question is None}
    hides, above = told["pooled_hides_undefined"], told["pooled_above_all"]
    assert (hides["hidden"], hides["of"]) == (["2", "4"], 6)
    assert f"{hides['kappa']:.3f}" == f"{above['kappa']:.3f}" == "0.714"
    assert f"{max(above['kappas'].values()):.3f}" == f"{above['kappas']['1']:.3f}" == "0.673"


def test_files_go_one_way(real_data: RealData) -> None:
    """26 of 32 differences go the same way."""
    way = ways(diagnose(read_long(real_data("bjhp"), items="shared")))
    assert way == {"1": (3, 2), "2": (0, 0), "3": (6, 1), "4": (0, 0), "5a": (10, 3), "5c": (7, 0)}
    assert np.sum(list(way.values()), 0).tolist() == [26, 6]


def test_files_no_question_is_above_60(real_data: RealData) -> None:
    found = diagnose(read_long(real_data("bjhp"), items="shared"))
    kappa = {p.question: p.facts.value("kappa") for p in found.each}
    assert [q for q, x in kappa.items() if np.isnan(x)] == ["2", "4"]
    assert max(x for x in kappa.values() if not np.isnan(x)) < 0.60
    told = {f.code: f.facts for f in found.caveats if f.question is None}
    hides, above = told["pooled_hides_undefined"], told["pooled_above_all"]
    assert [f"{hides[key]:.3f}" for key in ("alpha", "kappa")] == ["0.681", "0.683"]
    assert (above["best"], f"{above['value']:.3f}") == ("1", "0.567")
    assert f"{max(above['kappas'].values()):.3f}" == "0.563"
