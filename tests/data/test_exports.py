"""Files of annotation tools: read, or refused in one sentence that says what to do instead."""

from __future__ import annotations

import json
import warnings
import zipfile
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.data.annotations import Annotations
from accordant.errors import InputError

# Files that the tools really wrote, which hold annotations by several coders that can be read.
# The figures are those of the same files as plain tables (item=…, coder=…, label=…), but that
# questions are called without the "Answer." of the platform.
READ = {
    "appen_crowdflower/empty_rows.csv": (9, 18, 24, ("",)),
    "appen_crowdflower/platform_cf2.csv": (7, 17, 63, ("",)),
    "constructed/toloka_assignments.tsv": (2, 3, 4, ("",)),
    "mturk/commongen_evals_batch.csv": (33, 3, 194, ("coherence", "commonsense")),
    "mturk/generics_list_in_cell_head40.csv": (13, 3, 78, ("def1", "def2")),
    "mturk/opinion_mining_spanish_batch.csv": (34, 3, 100, ("",)),
    "mturk/platform_amt2.csv": (7, 17, 63, ("",)),
    "mturk/platform_amt5.csv": (6, 10, 12, ("",)),
}


def test_every_sample_gives_annotations_or_one_clear_error(real_data: Any) -> None:
    folder = real_data("samples")
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    assert len(files) > 100
    for path in files:
        found = outcome(path)
        if isinstance(found, Annotations):
            assert len(found.coders) > 1
            assert len(found)
        else:
            assert path.name in str(found)
            assert "\n" not in str(found)
            assert len(str(found)) < 700


def outcome(path: Path) -> Annotations | InputError:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return read(path)
        except InputError as error:
            return error


@pytest.mark.parametrize("name", READ)
def test_exports_of_crowdsourcing_platforms(name: str, real_data: Any) -> None:
    data = read(real_data(f"samples/{name}"))
    assert (len(data.items), len(data.coders), len(data), data.questions) == READ[name]


@pytest.mark.parametrize(
    ("folder", "tool"),
    [
        ("brat", "brat"),
        ("inception_webanno", "WebAnno|UIMA|Project_POS.zip"),
        ("conll_bio", "CoNLL"),
        ("uima_cas", "UIMA"),
        ("prodigy", "Prodigy"),
        ("argilla", "Argilla"),
        ("gate_teamware", "Teamware"),
        ("hf_label_distribution", "an entry for each item"),
    ],
)
def test_tools_are_told_by_name(folder: str, tool: str, real_data: Any) -> None:
    for path in real_data(f"samples/{folder}").rglob("*"):
        if path.is_file() and path.name != "PMID-8808606.txt":
            with pytest.raises(InputError, match=tool):
                read(path)


WEBANNO = "#FORMAT=WebAnno TSV 3.3\n\n\n#Text=So it is .\n1-1\t0-2\tSo\tADV\n1-2\t3-5\tit\tPRON\n"
PDTB = "Explicit|22..25|Wr|Comm|||||Expansion.Conjunction||||||1..20||||||27..40|||||||||||\n"
EXPORTS: dict[str, tuple[str, Any, str]] = {
    "prodigy": ("a.jsonl", [{"text": "t", "_input_hash": 1, "_task_hash": 2, "spans": []}], "Prodigy.*label='accept'"),
    "doccano spans": ("a.jsonl", [{"text": "t", "label": [[0, 1, "X"]]}], "doccano with spans"),
    "argilla": ("a.json", [{"id": 1, "fields": {}, "responses": {}}], "Argilla"),
    "argilla flat": ("a.json", [{"id": 1, "tone.responses": ["a", "b"]}], "Argilla"),
    "teamware": ("a.json", [{"id": 1, "annotation_sets": {}}], "Teamware"),
    "potato": ("a.json", [{"user_id": "a", "instance_id_to_label_to_value": {}}], "Potato"),
    "cas": ("a.json", [{"%TYPES": {}, "%FEATURE_STRUCTURES": []}], "UIMA CAS"),
    "by item": ("a.json", {"1": {"text": "a"}, "2": {"text": "b"}}, "an entry for each item"),
    "brat": ("a.ann", "T1\tName 0 3\tBob\nR1\tKnows Arg1:T1 Arg2:T2\n*\tEquiv T1 T2\n", "brat"),
    "webanno": ("a.tsv", WEBANNO, "WebAnno or INCEpTION"),
    "conll": ("a.txt", "1\tSo\tso\tADV\tRB\t_\t2\tadvmod\n2\tis\tbe\tV\tVB\t_\t0\troot\n", "CoNLL"),
    "conll by suffix": ("a.conll", "So RB B-NP\nis VB O\n", "CoNLL"),
    "pdtb": ("a.txt", PDTB * 2, "PDTB"),
    "fasttext": ("a.txt", "__label__a one text\n__label__b another\n", "fastText"),
    "xml": ("a.xmi", '<?xml version="1.0"?>\n<a/>\n', "XML"),
    "yaml": ("a.yaml", "a: 1\nb: 2\n", "a configuration, not a table"),
    "markdown": ("README.md", "# Data\n\nOne, two, three\n", "Markdown"),
    "text": ("a.txt", "A title\nOne sentence, with commas, three of them\nTwo, and\n", "no table"),
}  # fmt: skip


@pytest.mark.parametrize("case", EXPORTS)
def test_exports_that_are_not_read_yet(case: str, tmp_path: Path) -> None:
    name, content, message = EXPORTS[case]
    if name.endswith(".jsonl"):
        content = "".join(json.dumps(r) + "\n" for r in content)
    elif name.endswith(".json"):
        content = json.dumps(content)
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(InputError, match=f"{path.name}.*({message})"):
        read(path)


def test_an_archive_without_tables(tmp_path: Path) -> None:
    path = tmp_path / "project.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("annotations/a.xmi", "x")
    with pytest.raises(InputError, match=r"project\.zip: a\.xmi: this looks like XML"):
        read(path)


# ------------------------------------------------------------------ lists and objects in cells

PRODIGY = [
    {"_input_hash": i, "_task_hash": i, "_annotator_id": c, "accept": [x], "options": [{"id": "a"}]}
    for i, x in ((1, "a"), (2, "b"))
    for c in ("Ann", "Bob")
]


def test_a_user_who_says_what_is_what_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in PRODIGY))
    data = read(path, item="_input_hash", coder="_annotator_id", label="accept")
    assert (data.coders, data.values, len(data)) == (("Ann", "Bob"), ("a", "b"), 4)


def test_a_list_of_one_label_is_that_label(tmp_path: Path) -> None:
    for name, labels in (("ann", ["x", "y"]), ("bob", ["x", "x"])):
        rows = [{"id": k, "text": "t", "label": [w], "Comments": []} for k, w in enumerate(labels)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    data = read([tmp_path / "ann.jsonl", tmp_path / "bob.jsonl"])
    assert (data.coders, data.values, len(data)) == (("ann", "bob"), ("x", "y"), 4)


@pytest.mark.parametrize(
    ("cell", "value", "message"),
    [(["x", "y"], ("x", "y"), "holds 2 labels, 'x', 'y'"), ([], (), "holds an empty list")],
)
def test_a_list_of_another_length_is_a_set_of_labels(
    cell: list[str], value: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"item": 1, "coder": c, "label": x} for c, x in (("A", ["x"]), ("B", cell))]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert [r["label"] for r in read(path).to_rows()] == [("x",), value]
    with pytest.raises(InputError, match=f"row 2, column 'label': the cell {message}"):
        read(path, max_labels=1)


@pytest.mark.parametrize(
    "cell", [{"a": 1}, [{"a": 1}], [[1, "x"]], [1, [2]], ({"s"},), {"x": {1, 2}}]
)
def test_anything_in_a_cell_beside_the_labels_is_a_fact(cell: Any) -> None:
    rows = [
        {"item": i, "coder": c, "label": x, "meta": cell}
        for i, c, x in ((1, "A", "x"), (1, "B", "x"), (2, "A", "y"), (2, "B", "x"))
    ]
    data = read(rows)
    assert data.values == ("x", "y")
    assert list(data.metadata) == ["meta"]
