"""Every sample file: read as its maker describes it, or refused with the reason that is known.

The figures record how each file is read, so that a change is seen. That they
are true is shown beside each platform (`test_<platform>.py`), where other parsers count. No test of this file gives an option.
"""

from __future__ import annotations

import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from accordant import Annotations, InputError, read

# What is given -> the number of items, coders, annotations, questions.
READ: dict[str | tuple[str, ...], tuple[int, int, int, int]] = {
    "appen_crowdflower/empty_rows.csv": (9, 18, 24, 1),
    "appen_crowdflower/platform_cf1.csv": (9, 18, 27, 1),
    "appen_crowdflower/platform_cf2.csv": (7, 17, 63, 1),
    "appen_crowdflower/platform_cf3.csv": (5, 18, 30, 1),
    "appen_crowdflower/platform_cf4.csv": (2, 11, 16, 1),
    "appen_crowdflower/relex-multiple-choice.csv": (10, 67, 150, 1),
    "appen_crowdflower/relex-sparse-multiple-choice.csv": (10, 67, 300, 2),
    "argilla/v2_records_flattened_CONSTRUCTED.json": (2, 3, 6, 3),
    "argilla/v2_records_to_json_CONSTRUCTED.json": (2, 3, 8, 3),
    "argilla/v2_to_datasets_CONSTRUCTED.parquet": (2, 3, 6, 3),
    ("brat/annotator_A", "brat/annotator_B"): (2, 2, 4, 1),
    (
        "conll_bio/conll2006_singleSpanDifference_user1.conll",
        "conll_bio/conll2006_singleSpanDifference_user2.conll",
    ): (1, 2, 6, 3),
    (
        "conll_bio/conll2006_someDifferences_user1.conll",
        "conll_bio/conll2006_someDifferences_user2.conll",
    ): (26, 2, 156, 3),
    "constructed/doccano_individual_export": (3, 2, 5, 1),
    "constructed/prodigy_choice_three_sessions.jsonl": (3, 3, 7, 1),
    "constructed/toloka_assignments.tsv": (2, 3, 4, 1),
    "derived/bjhp_annotations_long.parquet": (54, 2, 603, 6),
    "derived/bjhp_workbook.xlsx": (54, 2, 603, 6),
    "inception_webanno/Example_Project_POS.zip": (3, 4, 9, 1),
    **{
        f"inception_webanno/curation_testsuite/{name}": (1, 2, 2 * questions, questions)
        for name, questions in (
            ("multipleStackedAnnotationsAreNotMergedTest", 1),
            ("relationLabelTest", 3),
            ("simpleRelGovDiffTest", 1),
            ("simpleRelTypeDiffTest", 1),
            ("simpleSpanDiffIncompleteTest", 1),
            ("simpleSpanDiffWithLabelStacking2Test", 1),
            ("simpleSpanDiffWithLabelTest", 1),
        )
    },
    "label_studio/multi_annotator_cold_export.json": (4, 3, 11, 1),
    "label_studio/multi_annotator_ignore_export.json": (5, 2, 10, 1),
    "label_studio/one_project_per_annotator": (7, 2, 14, 1),
    (
        "label_studio/previous_export.json",
        "label_studio/previous_export_unknown_completed_by.json",
    ): (1, 2, 2, 1),
    "label_studio/sublabels_export.json": (2, 3, 6, 1),
    "long_csv/artstein_poesio_example.txt": (100, 2, 200, 1),
    "long_csv/discogem_qa_nonwide_head200.tsv": (18, 12, 199, 1),  # answer; others are asked about
    "mturk/commongen_evals_batch.csv": (33, 3, 194, 2),
    "mturk/opinion_mining_spanish_batch.csv": (34, 3, 200, 2),
    "mturk/platform_amt1.csv": (9, 18, 27, 1),
    "mturk/platform_amt2.csv": (7, 17, 63, 1),
    "mturk/platform_amt3.csv": (5, 18, 30, 1),
    "mturk/platform_amt4.csv": (2, 11, 16, 1),
    "mturk/platform_amt5.csv": (6, 10, 12, 1),
    ("potato/alice", "potato/bob", "potato/items.json"): (6, 2, 24, 2),
    ("wide_csv/bjhp/bjhp_Annotator_1.csv", "wide_csv/bjhp/bjhp_Annotator_2.csv"): (54, 2, 603, 6),
    "wide_csv/bjhp": (54, 2, 603, 6),
    "wide_csv/mace_example.csv": (100, 20, 1000, 1),
    "wide_csv/mace_pos.csv": (5, 5, 15, 1),
}


def paths_of(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given


@cache
def outcome(*paths: Path) -> Annotations | InputError:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        try:
            return read(list(paths))
        except InputError as error:
            return error


@pytest.mark.parametrize("given", READ, ids=lambda given: paths_of(given)[0].split("/", 1)[-1])
def test_what_is_read(given: str | tuple[str, ...], real_data: Any) -> None:
    data = outcome(*(real_data(f"samples/{name}") for name in paths_of(given)))
    assert isinstance(data, Annotations), data
    found = (len(data.items), len(data.coders), len(data), len(data.questions))
    assert found == READ[given]


def test_every_sample_is_read_or_refused_in_a_sentence(real_data: Any) -> None:
    folder = real_data("samples")
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    assert len(files) == 138
    for path in files:
        found = outcome(path)
        if path.relative_to(folder).as_posix() in READ:
            assert isinstance(found, Annotations)
        if isinstance(found, InputError):
            assert path.name in str(found)
            assert "\n" not in str(found)
            assert len(str(found)) < 700
