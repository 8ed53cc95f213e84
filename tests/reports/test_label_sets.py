"""What a report says where coders may give several labels."""

from __future__ import annotations

import csv
import json
import math
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accordant.data import examples
from accordant.render.latex import latex
from accordant.render.markdown import markdown
from accordant.views.coefficients import methods_text
from accordant.views.document import Chart, Matrix, Prose, Quotation, Table
from accordant.views.names import begun, name_of
from accordant.views.report import FORMATS, Report, report
from papers.tables import MARCHAL_2

TABLE_2 = {name: tuple(printed) for name, *printed in MARCHAL_2.values()}
"""Marchal et al. (2022), Table 2: observed, expected, adjusted."""

REST = "nothing more"
Sets = list[tuple[str, frozenset[str], frozenset[str]]]


@pytest.fixture(scope="module")
def sets() -> Sets:
    """The file as it is: item, labels of c1, labels of c2."""
    with examples.path("marchal2022_case").open(newline="") as file:
        return [
            (row["item"], frozenset(row["c1"].split(";")), frozenset(row["c2"].split(";")))
            for row in csv.DictReader(file)
        ]


def table(found: Report, key: str, title: str) -> Table:
    """The table of a section whose title begins so."""
    each = [b for b in found[key].every_block() if isinstance(b, Table)]
    return next(t for t in each if t.title.startswith(title))


def labels_of(shown: str) -> frozenset[str]:
    return frozenset(shown.split(" + "))


def opened(found: Report, key: str) -> dict[str, tuple[frozenset[str], ...]]:
    """The items behind a cell: item to the labels of each coder."""
    evidence = found.evidence
    entries = [evidence.entries[k] for k in evidence.cells[key][1]]
    return {e[0]: tuple(labels_of(evidence.values[v]) for _, v in e[3]) for e in entries}


# ------------------------------------------------------------------ the numbers of the paper


def test_the_table_of_the_paper(case: Report) -> None:
    rows = {row["name"]: row for row in table(case, "agreement", "Measures").rows}
    for name, printed in TABLE_2.items():
        found = [rows[name][key] for key in ("observed", "expected", "value")]
        assert [round(x, 2) for x in found] == list(printed), name
        assert rows[name]["low"] < rows[name]["value"] < rows[name]["high"]


def test_the_table_in_every_text(case: Report) -> None:
    lines = markdown(case).splitlines()
    latex_lines = latex(case).splitlines()
    for name, printed in TABLE_2.items():
        line = next(x for x in lines if x.startswith(f"| {name} |") and "[" in x)
        cells = [cell.strip() for cell in line.split("|")]
        assert [round(float(cell), 2) for cell in cells[2:5]] == list(printed)
        plain = name.replace("κ", r"\ensuremath{\kappa}")
        assert any(x.startswith(f"{plain} & {cells[2]} & {cells[3]} & {cells[4]}")
                   for x in latex_lines)  # fmt: skip


def test_sizes_are_those_of_the_paper(case: Report) -> None:
    rows = {row["coder"]: row for row in table(case, "sizes", "Labels of an").rows}
    assert [round(100 * rows[c]["size 2"], 1) for c in ("c1", "c2")] == [11.4, 65.5]
    assert "11.4\xa0% of those of c1 and 65.5\xa0% of those of c2" in case["sizes"].lead


def test_eleven_categories_are_final(case: Report) -> None:
    assert any(
        note.startswith("11 of 19 categories")
        for note in table(case, "final", "Final labels").notes
    )


# ------------------------------------------------------------------ against the file


def test_who_gives_more(case: Report, sets: Sets) -> None:
    (row,) = table(case, "sizes", "Who gives more").rows
    found = Counter(np.sign(len(a) - len(b)) for _, a, b in sets)
    assert (row["n_more"], row["n_same"], row["n_fewer"]) == (found[1], found[0], found[-1])
    assert row["precision"] == pytest.approx(np.mean([len(a & b) / len(a) for _, a, b in sets]))
    assert row["recall"] == pytest.approx(np.mean([len(a & b) / len(b) for _, a, b in sets]))


def test_final_labels_and_their_items(case: Report, sets: Sets) -> None:
    final = Counter(label for _, a, b in sets for label in a & b)
    given = Counter(label for _, a, b in sets for s in (a, b) for label in s)
    for row in table(case, "final", "Final labels").rows:
        label = row["label"]
        assert (row["n"], row["n_given"]) == (final[label], given[label])
        assert ("opens" in row) == (final[label] > 0)
        if "opens" in row:
            items = opened(case, row["opens"]["n"])
            assert case.evidence.cells[row["opens"]["n"]][0] == final[label]
            assert items
            assert all(label in a & b for a, b in items.values())


def test_what_coders_have_in_common(case: Report, sets: Sets) -> None:
    n = Counter(min(len(a & b), 2) for _, a, b in sets)
    rows = {row["kind"]: row for row in table(case, "final", "What all coders").rows}
    assert {k: r["n"] for k, r in rows.items()} == {
        "exactly one label": n[1], "several labels": n[2], "nothing in common": n[0],
    }  # fmt: skip
    for kind, size in (("exactly one label", 1), ("several labels", 2), ("nothing in common", 0)):
        items = opened(case, rows[kind]["opens"]["n"])
        assert items
        assert all(len(a & b) == size for a, b in items.values())


def test_who_decides(case: Report, sets: Sets) -> None:
    rows = {row["coder"]: row for row in table(case, "final", "Who decides").rows}
    first = sum(bool(a & b) and a < b for _, a, b in sets)
    second = sum(bool(a & b) and b < a for _, a, b in sets)
    assert (rows["c1"]["alone"], rows["c2"]["alone"]) == (first, second)
    assert f"On {first} of these c1 alone decides" in case["final"].lead


def stands(row: str, column: str, a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether an item stands in a cell of the table of labels."""
    if row == column:
        return row in a & b
    alone = row in a - b if row != REST else a <= b
    other = column in b - a if column != REST else b <= a
    return alone and other


def test_labels_taken_for_labels(case: Report, sets: Sets) -> None:
    """Each cell is counted from the file, and opens items that belong there."""
    (matrix,) = (b for b in case["confusion"].every_block() if isinstance(b, Matrix))
    names = matrix.row_names
    assert names[-1] == REST
    for row, line in zip(names, matrix.cells, strict=True):
        for column, cell in zip(names, line, strict=True):
            assert cell.value == sum(stands(row, column, a, b) for _, a, b in sets), (row, column)
            if cell.items:
                items = opened(case, cell.items)
                assert items
                assert all(stands(row, column, a, b) for a, b in items.values())


def test_the_mean_over_labels_stands_below_them(case: Report) -> None:
    *rows, mean = table(case, "categories", "Every category").rows
    for key, measure in (("alpha", "label_alpha"), ("kappa", "label_kappa")):
        known = [row[key] for row in rows if not math.isnan(row[key])]
        assert mean[key] == pytest.approx(np.mean(known))
        assert mean[key] == case.table[measure].value
    assert "| mean over labels |  |" in markdown(case)


# ------------------------------------------------------------------ words


def test_the_verdict_and_the_figures(case: Report) -> None:
    assert "share a label in 79.0\xa0% of cases" in case.verdict[0]
    assert "exactly the same labels in 30.7\xa0%" in case.verdict[0]
    assert "boot-match is 0.681" in case.verdict[0]
    assert "near misses" not in " ".join(case.verdict)
    assert [f.large for f in case.figures][:2] == ["0.681", "79.0\xa0%"]


def test_the_paragraph_for_the_paper(case: Report) -> None:
    (text,) = (b.text for b in case["writing"].blocks if isinstance(b, Quotation))
    row = case.table["boot_match"]
    for said in (
        "884 items, giving each up to 2 of 19 labels",
        "c1 gave several labels to 11.4\xa0% of the items and c2 to 65.5\xa0%",
        "computed exactly, not simulated",
        f"boot-match = {row.value:.3f} (95\xa0% CI [{row.low:.3f}, {row.high:.3f}]",
        "Marchal et al., 2022",
        f"A_o = {row.observed:.3f} and expected agreement A_e = {row.expected:.3f}",
    ):
        assert said in text


def test_simulated_chance_is_said() -> None:
    found = report(
        examples.path("marchal2022_table1"), separator=";", method="simulation", n_simulations=20,
        rng=1,
    )  # fmt: skip
    text = " ".join(b.text for s in found.sections for b in s.every_block() if isinstance(b, Prose))
    assert "simulated, each with" in text
    assert "computed exactly" not in text
    notes = table(found, "agreement", "Measures").notes
    assert any("from 20 simulations, with a standard error of" in note for note in notes)


def test_directions_name_the_coders(case: Report) -> None:
    rows = {row["name"]: row for row in table(case, "agreement", "Measures").rows}
    assert rows["boot-precision"]["counts_as"] == "share of the labels of c1 that c2 gave too"
    assert rows["boot-recall"]["counts_as"] == "share of the labels of c2 that c1 gave too"


@pytest.mark.parametrize(
    "key, weights, name",
    [
        ("boot", "f1", "boot-F1"),
        ("kappa", "divided-vote", "augmented κ"),
        ("kappa", "divided-vote:0.6,0.4", "augmented κ (0.6, 0.4)"),
        ("alpha", "divided-vote:0.6,0.4", "α (divided vote 0.6, 0.4)"),
        ("pi", "masi", "π (MASI)"),
        ("alpha_masi", "identity", "α (MASI)"),
        ("percent", "jaccard", "percent agreement (Jaccard)"),
        ("ac", "masi", "AC2 (MASI)"),
    ],
)
def test_names_of_measures(key: str, weights: str, name: str) -> None:
    assert name_of(key, weights=weights) == name
    assert begun(name)[1:] == name[1:]


def test_single_labels_have_no_chapters_of_sets(made: Report, single: Report) -> None:
    for found in (made, single):
        assert not {"sizes", "final"} & {section.key for section in found.sections}


# ------------------------------------------------------------------ other shapes of data


def drawn(n_items: int, n_coders: int, sizes: tuple[int, int] = (0, 3)) -> list[list[Any]]:
    rng = np.random.default_rng(4)
    return [
        [tuple(sorted(rng.choice(list("abcde"), rng.integers(*sizes), replace=False).tolist()))
         for _ in range(n_items)]
        for _ in range(n_coders)
    ]  # fmt: skip


def two_questions() -> list[dict[str, Any]]:
    each = drawn(12, 2, (1, 3))
    return [
        row
        for c, coder in enumerate(("Ann", "Bob"))
        for i in range(12)
        for row in (
            {"item": i, "question": "emotion", "coder": coder, "label": each[c][i]},
            {"item": i, "question": "spam", "coder": coder, "label": ("yes", "no")[(i + c) % 2]},
        )
    ]


SHAPES: dict[str, Any] = {
    "three coders": drawn(20, 3),
    "empty sets": [[(), ("a",), ("a", "b"), ()], [(), (), ("b",), ()]],
    "missing": [[("a",), None, ("a", "b"), None], [("a", "b"), ("b",), None, None]],
    "one coder": drawn(5, 1),
    "one item": [[("a", "b")], [("b",)]],
    "nothing shared": [[("a",)] * 5, [("b", "c")] * 5],
    "all the same": [[("a", "b"), ("a",)] * 5] * 2,
    "two questions, one of single labels": two_questions(),
    "slots": [
        {"item": i, "coder": f"slot{c:02d}", "label": labels[i]}
        for c, labels in enumerate(drawn(10, 3, (1, 3)))
        for i in range(10)
    ],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_of_data(shape: str, tmp_path: Path) -> None:
    found = report(SHAPES[shape])
    assert "nan" not in found.summary().lower().replace("finan", "")
    for suffix in FORMATS.keys() - {".pdf"}:
        found.save(tmp_path / f"report{suffix}")
    json.loads((tmp_path / "report.json").read_text())
    assert "sizes" in [section.key for section in found.sections]


def test_empty_sets_are_told() -> None:
    found = report(SHAPES["empty sets"])
    assert "5 annotations say that no label applies" in found["sizes"].lead
    rows = {row["kind"]: row["n"] for row in table(found, "final", "What all coders").rows}
    assert rows == {"exactly one label": 1, "several labels": 0,
                    "nothing in common": 1, "both say none applies": 2}  # fmt: skip
    assert "share a label or both give none" in found.verdict[0]
    assert "both none in 50.0\xa0%" in found.verdict[0]
    large = next(f for f in found.figures if f.label == "A label in common")
    assert (large.large, large.small.partition(";")[0]) == (
        "25.0\xa0%", "and none from both in 50.0\xa0%"
    )  # fmt: skip
    assert "both give none (boot-match)" in " ".join(
        b.text for b in found["writing"].blocks if isinstance(b, Quotation)
    )


def test_the_measure_stands_beside_agreement(case: Report) -> None:
    """Percent agreement, boot-match and MASI are three numbers: headings say which it is."""
    assert "agreement (MASI) of c1 and c2" in case["coders"].lead
    coders = table(case, "coders", "Each coder").columns
    assert "with others (MASI)" in [c.heading for c in coders]
    items = table(case, "items", "Where coders").columns
    assert "agreement (MASI)" in [c.heading for c in items]
    chart = next(b for b in case["items"].blocks if isinstance(b, Chart))
    assert "agreement on an item (MASI), in percent" in json.dumps(chart.definition)
    by_jaccard = report(SHAPES["three coders"], weights="jaccard")
    assert "(Jaccard)" in by_jaccard["coders"].lead


def test_single_labels_are_measured_in_one_way(single: Report) -> None:
    assert "with others" in [c.heading for c in table(single, "coders", "Each coder").columns]
    assert "agreement" in [c.heading for c in table(single, "items", "Where coders").columns]


def test_who_decides_by_chance_is_no_finding() -> None:
    """Each coder decides once or twice: the exact sign test of 1 against 2 has p = 1."""
    first = [("a",), ("a", "b"), ("a", "b"), ("c",), ("b",)]
    second = [("a", "b"), ("a",), ("b",), ("c",), ("b",)]
    found = report([first, second])
    rows = {row["coder"]: row["alone"] for row in table(found, "final", "Who decides").rows}
    assert rows == {"coder 1": 1, "coder 2": 2}
    assert "decides" not in found["final"].lead
    paragraph = " ".join(b.text for b in found["writing"].blocks if isinstance(b, Quotation))
    assert "decided" not in paragraph


def test_no_limit_says_how_many_there_are(case: Report) -> None:
    (row,) = table(case, "data", "The annotation scheme").rows
    assert row["labels"] == "any number (here up to 2)"
    limited = report(SHAPES["nothing shared"], max_labels=3)
    assert table(limited, "data", "The annotation scheme").rows[0]["labels"] == "up to 3"


@pytest.mark.parametrize(
    "methods, told",
    [
        (("linearised, t(59)", "linearised, t(59)"), "linearised, t(59)"),
        (("linearised, t(59)", "linearised, t(56)"), "linearised, t"),
        (("linearised, t(59)", "exact bound"), "linearised, t(59); exact bound"),
    ],
)
def test_degrees_of_freedom_are_told_if_all_have_the_same(
    single: Report, methods: tuple[str, ...], told: str
) -> None:
    rows = [replace(single.table.rows[0], method=method) for method in methods]
    assert methods_text(rows) == told


def test_every_pair_of_three_coders() -> None:
    """Coders 1 and 2 agree in full; the third gives another label beside."""
    each = [[("a",), ("b",), ("c",), ("b",)] * 5] * 2
    found = report([*each, [("a", "b"), ("b", "c"), ("c", "a"), ("b",)] * 5])
    rows = table(found, "coders", "Boot-match of every pair").rows
    assert rows[0]["pair"] == "coder 1 – coder 2"
    assert [rows[0][k] for k in ("boot_match", "boot_precision", "boot_recall")] == [1, 1, 1]
    for row in rows[1:]:
        assert row["boot_precision"] == 1 > row["boot_recall"]
    assert not any("Boot-match of every" in t.title for t in every_table(report(drawn(8, 2))))


def every_table(found: Report) -> list[Table]:
    return [b for s in found.sections for b in s.every_block() if isinstance(b, Table)]


def test_agreed_empty_sets_of_some_coders_are_told() -> None:
    """On no item all three give none, but two of them do."""
    found = report([[(), ("a",)], [(), ("a",)], [("a",), ("b",)]])
    assert "both give none" in found.verdict[0]


def test_two_questions_keep_apart() -> None:
    found = report(two_questions())
    assert "Question spam: Every annotation holds one label." in found["sizes"].lead
    shown = {row["name"] for row in table(found, "agreement", "Measures").rows}
    assert "boot-match" in shown


def test_ranked_labels_say_so() -> None:
    found = report(
        [["a;b", "b", "c;a", "a"] * 5, ["b;a", "b;c", "c", "a;c"] * 5], separator=";", ranked=True,
        weights="divided-vote:0.6,0.4", coefficients=["kappa"],
    )  # fmt: skip
    assert "augmented κ (0.6, 0.4)" in found.verdict[0]
    (scheme,) = table(found, "data", "The annotation scheme").rows
    assert scheme["labels"].endswith("the first is the primary one")


def test_a_real_data_set(real_data: Any, tmp_path: Path) -> None:
    found = report(real_data("crowd/varierr_round1.csv"), separator="|")
    assert found["final"].blocks
    chart = next(b for b in found["agreement"].blocks if isinstance(b, Chart))
    assert len(chart.table.rows) == 12
    assert found.save(tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")
