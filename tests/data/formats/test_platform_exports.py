"""Exports made by the platforms' own programs, compared with what was put in, cell by cell."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest

import accordant as ac

EXPORTS = (
    "argilla_parquet",
    "argilla_to_json",
    "brat_spec",
    "doccano_class_csv",
    "doccano_class_jsonl",
    "doccano_shared",
    "doccano_spans",
    "google_forms_csv",
    "hf_list_of_structs",
    "hf_long_disk",
    "hf_parallel_lists",
    "hf_splits",
    "hf_token_tags",
    "hf_wide_parquet",
    "inception_agreement_json",
    "inception_doclevel",
    "inception_xmi_nested",
    "ls_edits_csv",
    "ls_edits_json",
    "ls_mixed_csv",
    "ls_mixed_json",
    "ls_pairwise_csv",
    "ls_perregion_json",
    "ls_single_json",
    "ls_single_json_min",
    "ls_taxonomy_json",
    "memory_argilla_list",
    "memory_ls_tasks",
    "potato_csv",
    "potato_folder",
    "potato_jsonl",
    "qualtrics_csv",
    "redcap_csv",
    "refi_qda_spec",
    "spss_wide_labels",
    "stata_long",
    "uima_doclevel",
    "xlsx_sheets",
)

# What is not read as the platform holds it: a row goes when its reader is mended.
DIFFERENT: dict[str, set[str]] = {
    "doccano_class_csv": {"false"},
    "ls_mixed_json": {"statuses"},  # the export lost a draft
}

ANSWERED = ("answered", "answered_empty")
Cell = tuple[str, tuple[str, ...]]  # status and labels
Cells = dict[tuple[str, str, str], Cell]  # by item, coder and question


def word(value: Any) -> str:
    """A name or label as text; of a table 2.0 is 2."""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def labels(value: Any) -> tuple[str, ...]:
    if value is None:
        return ()
    return tuple(sorted(map(word, value))) if isinstance(value, list | tuple) else (word(value),)


def options_of(truth: dict[str, Any]) -> dict[str, Any]:
    """The options of the reading, under the names that they have now."""
    told = dict(truth["options"])
    if told.pop("coders_in", "") == "rows":
        told["layout"] = "transposed"
    if told.pop("spans", "") == "tokens":
        told["layout"] = "tokens"
    if "only_question" in told:
        told["label"] = told.pop("only_question")
    return told


def source_of(folder: Path, truth: dict[str, Any]) -> Any:
    files = [folder / name for name in truth["files"]]
    if truth.get("via") == "json":
        return json.loads(files[0].read_text(encoding="utf-8"))
    if truth.get("via") == "jsonl":
        return [json.loads(line) for line in files[0].read_text(encoding="utf-8").splitlines()]
    return files if len(files) > 1 else files[0]


def held(truth: dict[str, Any]) -> Cells:
    return {
        (word(item), str(coder), question or ""): (status, labels(label))
        for item, coder, question, status, label in truth["answers"]
    }


def found_in(data: ac.Annotations) -> Cells:
    return {
        (word(r["item"]), str(r["coder"]), r.get("question", "")): (r["status"], labels(r["label"]))
        for r in data.to_rows()
    }


def unnamed(cells: Cells) -> Cells:
    return {(item, coder, ""): cell for (item, coder, _), cell in cells.items()}


def spans_of(data: ac.Annotations) -> set[tuple[Any, ...]]:
    rows = [] if data.spans is None else data.spans.to_rows()
    return {(r["item"], r["coder"], r["start"], r["end"], r["label"]) for r in rows}


def differences(data: ac.Annotations, truth: dict[str, Any]) -> dict[str, list[Any]]:
    """What differs from the platform: the first few of each kind."""
    want, found = held(truth), found_in(data)
    if len({q for *_, q in want}) == len({q for *_, q in found}) == 1:
        want, found = unnamed(want), unnamed(found)  # what the only question is called is free
    told: dict[str, list[Any]] = {"false": [], "missing": [], "invented": [], "statuses": []}
    for at, cell in want.items():
        other = found.get(at)
        if cell[0] not in ANSWERED and (other is None or other[0] not in ANSWERED):
            if other != (cell[0], ()):
                told["statuses"].append((at, cell, other))
        elif other is None or other[0] not in ANSWERED:
            told["missing"].append((at, cell))
        elif other != cell:
            told["false"].append((at, cell, other))
    told["invented"] = [at for at in found.keys() - want.keys() if found[at][0] in ANSWERED]
    texts = dict(zip(map(word, data.items), data.texts or (), strict=False))
    told["texts"] = [i for i, text in truth["texts"].items() if texts.get(i) != text]
    gold = {
        word(item): word(label)
        for name, column in data.metadata.items()
        for item, label in zip(data.items, column, strict=True)
        if name.startswith("gold") and label is not None
    }
    told["gold"] = [i for i, label in truth["gold"].items() if gold.get(i) != word(label)]
    if truth.get("spans") is not None:
        marked = {(str(i), str(c), a, b, str(x)) for i, c, a, b, x in truth["spans"]}
        told["spans"] = sorted(marked ^ spans_of(data))
    return {kind: cases[:3] for kind, cases in told.items() if cases}


@pytest.mark.parametrize("name", EXPORTS)
def test_read_as_the_platform_holds_it(name: str, real_data: Any) -> None:
    folder = real_data(f"platform_exports/{name}")
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        try:
            found = differences(ac.read(source_of(folder, truth), **options_of(truth)), truth)
        except ac.AccordantError as error:
            found = {} if truth["expect"] == "refused" else {"refused": [str(error)]}
        else:
            assert truth["expect"] is None, "read, and to be refused"
    assert found.keys() == DIFFERENT.get(name, set()), found


def test_every_export_is_compared(real_data: Any) -> None:
    folders = {p.parent.name for p in real_data("platform_exports").glob("*/truth.json")}
    assert folders == {*EXPORTS}
    assert DIFFERENT.keys() <= folders
