"""What a report says: the same numbers as the calls behind it, and nothing empty."""

from __future__ import annotations

import math

import numpy as np
import pytest

import accordant as ac
from accordant.errors import RequestError
from accordant.results import plain
from accordant.views.document import Chart, Choice, Finding, Matrix, Prose, Table
from accordant.views.report import Report, report

from .conftest import rows

KEYS = [
    "data", "coverage", "labels", "questions", "agreement", "scales", "why", "levers",
    "annotator_reliability", "estimated_labels", "ambiguity", "categories", "coders", "confusion", "items", "findings", "advice", "writing", "method",
    "references",
]  # fmt: skip


POOLED = "All questions together"
BY_QUESTION = ("levers", "levels", "annotator_reliability", "estimated_labels", "ambiguity")
"""What is settled, and what is true, is so in one question."""


def tables(report: Report, key: str) -> list[Table]:
    return [b for b in report[key].every_block() if isinstance(b, Table)]


def matrices(report: Report) -> list[Matrix]:
    return [b for b in report["confusion"].every_block() if isinstance(b, Matrix)]


def test_sections_stand_in_the_order_of_reading(made: Report) -> None:
    assert [section.key for section in made.sections] == KEYS


def test_nothing_is_empty(made: Report, single: Report) -> None:
    for found in (made, single):
        for section in found.sections:
            assert section.title
            assert section.lead.endswith((".", "?"))
            for block in section.every_block():
                if isinstance(block, Table):
                    assert block.rows, (section.key, block.title)
                elif isinstance(block, Chart):
                    assert block.title
                    assert block.definition["data"]["values"]
                elif isinstance(block, Matrix):
                    assert block.cells
                elif isinstance(block, Prose):
                    assert block.text


def test_coefficients_are_those_of_agreement(made: Report) -> None:
    expected = ac.agreement(rows())
    assert plain(made.to_rows()) == plain(expected.to_rows())
    shown = [row for table in tables(made, "agreement") for row in table.rows]
    by_key = {(row["question"], row["coefficient"]): row for row in shown if "se" in row}
    assert len(by_key) == len(expected)
    for row in expected:
        cell = by_key[row.question, row.coefficient]
        for name in ("value", "observed", "expected", "se", "n_pairable"):
            assert cell[name] == pytest.approx(getattr(row, name), nan_ok=True, abs=0)


def test_pooled_never_without_the_questions(made: Report) -> None:
    names = {p.question for p in made.table}
    for section in made.sections:
        for block in section.blocks:
            if isinstance(block, Choice) and block.label == "Show":
                assert len(block.options) >= len(names) - 1 or section.key in BY_QUESTION
    (chart,) = made["questions"].blocks
    assert isinstance(chart, Chart)
    assert [row["question"] for row in chart.table.rows] == ["stance", "spam", "pooled"]


def test_questions_with_different_schemes_come_first(made: Report) -> None:
    """stance has three labels, spam one: nothing that pools them may lead."""
    stance, pooled = made.table["stance", "alpha"], made.table["alpha"]
    assert f"is {stance.value:.3f} (95\xa0% interval" in made.verdict[0]
    assert f"is {pooled.value:.3f}" not in made.verdict[0]
    assert f"it would be {pooled.value:.3f}: not a figure to quote" in made.verdict[1]
    assert [f.label for f in made.figures][:2] == [
        "Krippendorff's α · stance", "Krippendorff's α · spam",
    ]  # fmt: skip
    for section in made.sections:
        for block in section.blocks:
            if isinstance(block, Choice) and block.label == "Show":
                assert [name for name, _ in block.options] == [
                    "Question stance",
                    *([] if section.key in BY_QUESTION else ["Question spam", POOLED]),
                ]  # fmt: skip
    told = made["writing"].blocks[0].text  # type: ignore[union-attr]
    assert told.index("For stance (3 categories") < told.index("All questions together")
    assert "the questions have different schemes." in told
    assert made["agreement"].lead.startswith("Question stance: Observed agreement is ")
    shown = [
        line for line in made.summary().splitlines() if line.startswith(("stance ", "pooled "))
    ]
    assert [line.split()[0] for line in shown] == ["stance", "pooled"]


def test_questions_with_one_scheme_may_be_pooled() -> None:
    found = report([
        {**row, "question": q}
        for row in rows() if row["question"] == "stance" for q in ("before", "after")
    ])  # fmt: skip
    first = next(b for b in found["agreement"].blocks if isinstance(b, Choice))
    assert first.options[0][0] == "All questions together"
    assert "Quote it only together with these." in found.verdict[1]
    assert "By question, Krippendorff's α was" in found["writing"].blocks[0].text  # type: ignore[union-attr]


def test_ends_far_below_are_cut_and_the_note_says_so_once() -> None:
    found = report([["a", "b"], ["a", "c"]])
    assert found.table["alpha"].low < -1
    (table,) = tables(found, "agreement")
    assert sum("“< −1”" in note for note in table.notes) == 1
    assert "[< −1, 1.000]" in found["agreement"].lead
    assert "runs from below −1 to 1.000" in found.verdict[0]
    assert min(row["low"] for row in table.rows if row["low"] == row["low"]) < -1  # in JSON, whole


def test_pairs_without_kappa_are_told() -> None:
    found = report([["a", "b", "b", "a"], ["a", "b", "a", "a"], ["a", None, None, "a"]])
    (notes,) = [t.notes for t in tables(found, "agreement")]
    assert "Light's κ is the mean over 1 of 3 pairs of coders; 2 have no κ of their own." in notes


def test_undefined_is_a_sentence(made: Report) -> None:
    notes = [note for table in tables(made, "agreement") for note in table.notes]
    assert any("undefined: every annotation is 'no'" in note for note in notes)
    assert "It is undefined for question spam: every annotation is 'no'" in " ".join(made.verdict)


def test_disagreements_open_their_items(made: Report) -> None:
    evidence = made.evidence
    for matrix in matrices(made):
        for r, line in enumerate(matrix.cells):
            for c, cell in enumerate(line):
                assert cell.items is None or (cell.value > 0 and r != c)
                if cell.items is None:
                    continue
                total, positions = evidence.cells[cell.items]
                assert len(positions) == min(total, len(positions)) > 0
                wanted = {matrix.row_names[r], matrix.column_names[c]}
                for position in positions:
                    answers = evidence.entries[position][3]
                    assert wanted <= {evidence.values[value] for _, value in answers}


def test_items_keep_their_texts(made: Report) -> None:
    assert any("<script>" in text for text in made.evidence.texts)
    assert all(entry[2] is not None for entry in made.evidence.entries)


def test_verdict_says_number_interval_and_what_it_rests_on(single: Report) -> None:
    row = single.table["alpha"]
    text = " ".join(single.verdict)
    for number in (row.value, row.low, row.high):
        assert f"{abs(number):.3f}" in text
    assert "5 items" in text
    assert "Quote" in text


def test_no_adjective_without_its_scale(made: Report) -> None:
    words = ("substantial", "almost perfect", "moderate")
    scales = " ".join(map(str, made["scales"].blocks))
    for section in made.sections:
        told = [section.lead, *(b.text for b in section.every_block() if isinstance(b, Prose))]
        assert not any(word in text for text in [*made.verdict, *told] for word in words)
    assert "Landis & Koch (1977, p. 165)" in scales


def test_findings_have_advice_and_sources(made: Report) -> None:
    found = [b for b in made["findings"].every_block() if isinstance(b, Finding)]
    assert any(f.severity == "problem" for f in found)
    assert all(sentence for f in found for _, sentence in f.about)
    assert any(f.advice and f.sources for f in found)
    n = sum(f.severity != "note" for f in found)
    assert made["findings"].lead.startswith(f"{n} findings")
    assert f"read the {n} findings" in made.verdict[-1]


def test_what_is_cited_is_listed(made: Report) -> None:
    listed = " ".join(text for _, text, _ in made["references"].blocks[0].entries)  # type: ignore[union-attr]
    for name in ("Cohen, J. (1960)", "Gwet, K", "Landis, J"):
        assert name in listed
    bibtex = made["references"].blocks[1].text  # type: ignore[union-attr]
    assert "@article{cohen1960," in bibtex


def test_signature_repeats_the_call(made: Report) -> None:
    assert made.signature.startswith("accordant ")
    assert made.table.data.fingerprint[:12] in made.signature


@pytest.mark.parametrize(
    "data",
    [
        [["a", "b", "a"]],
        [["a"], ["b"]],
        [["a", "a", "a"], ["a", "a", "a"]],
        [["a", "b", None, None], [None, None, "a", "b"]],
        [["a", "b", "a", "b"], ["a", "b", "a", "b"]],
        [["a", "b", "a", "b"], ["b", "a", "b", "a"]],
    ],
    ids=["one coder", "one item", "one category", "no overlap", "perfect", "opposite"],
)
def test_thin_data_are_told_not_refused(data: list[list[str | None]]) -> None:
    found = report(data)
    text = found.summary()
    assert "nan" not in text.lower().replace("finan", "")
    assert found.verdict


@pytest.mark.parametrize("n_coders, n_values, scale", [(3, 5, "ordinal"), (3, 300, "interval")])
def test_scales(n_coders: int, n_values: int, scale: str) -> None:
    rng = np.random.default_rng(1)
    data = rng.integers(0, n_values, (n_coders, 200))
    found = report(data, scale=scale)
    keys = [section.key for section in found.sections]
    assert ("confusion" in keys) == (n_values < 100)
    if n_values > 100:
        (table,) = [t for t in tables(found, "data") if "mean" in t.rows[0]]
        assert [row["mean"] for row in table.rows] == pytest.approx(data.mean(1).tolist())
    assert "near misses counting in part, Krippendorff's α is" in found.verdict[0]


def test_options_reach_agreement() -> None:
    data = [["a", "b", "a", "c"], ["a", "b", "b", "c"]]
    found = report(data, coefficients=["kappa"], interval="bootstrap", n_resamples=50, rng=1)
    assert [row.coefficient for row in found.table] == ["kappa"]
    assert "50 resamples, seed 1" in found.signature
    assert "Cohen's κ" in found.verdict[0]
    with pytest.raises(RequestError, match="unknown coefficient"):
        report(data, coefficients="kapa")


def test_large_data_are_capped_and_say_so() -> None:
    rng = np.random.default_rng(2)
    data = rng.integers(0, 2, (3, 200_000))
    found = report(data)
    assert len(found.evidence.entries) <= 2_500
    totals = [total for total, _ in found.evidence.cells.values()]
    assert max(totals) > 10_000
    assert len(found.to_json()) < 3_000_000


def test_the_call_survives_the_import_of_its_package() -> None:
    import accordant.render.html  # noqa: F401  (puts the package where the call would be)

    found = ac.report([["a", "b", "a"], ["a", "b", "b"]])
    assert isinstance(found, Report)
    assert math.isfinite(found.table["kappa"].value)
