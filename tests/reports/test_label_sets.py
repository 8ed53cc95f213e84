"""What a report says where coders may give several labels."""

from __future__ import annotations

import csv
import json
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

REST = "(nothing more)"
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


# ------------------------------------------------------------------ against the file


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


def every_table(found: Report) -> list[Table]:
    return [b for s in found.sections for b in s.every_block() if isinstance(b, Table)]


def test_agreed_empty_sets_of_some_coders_are_told() -> None:
    """On no item all three give none, but two of them do."""
    found = report([[(), ("a",)], [(), ("a",)], [("a",), ("b",)]])
    assert "both give none" in found.verdict[0]


def test_two_questions_keep_apart() -> None:
    found = report(two_questions())
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
