"""Every sample file: read as its maker describes it, or refused with the reason that is known.

The figures record how each file is read, so that a change is seen. That they
are true is shown beside each platform (`test_<platform>.py`), where other parsers count. No test of this file gives an option.
"""

from __future__ import annotations

import re
import warnings
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from accordant import read
from accordant.data.annotations import Annotations
from accordant.data.formats.format import files_of, formats
from accordant.errors import InputError, ReadingWarning

# What is given -> the number of items, coders, annotations, questions.
READ: dict[str | tuple[str, ...], tuple[int, int, int, int]] = {
    "appen_crowdflower/empty_rows.csv": (9, 18, 24, 1),
    "appen_crowdflower/platform_cf1.csv": (9, 18, 27, 1),
    "appen_crowdflower/platform_cf2.csv": (7, 17, 63, 1),
    "appen_crowdflower/platform_cf3.csv": (5, 18, 30, 1),
    "appen_crowdflower/platform_cf4.csv": (2, 11, 16, 1),
    "appen_crowdflower/relex-multiple-choice.csv": (10, 67, 150, 1),
    "appen_crowdflower/relex-sparse-multiple-choice.csv": (10, 67, 150, 1),
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
    "constructed/prodigy_review_versions.jsonl": (1, 3, 3, 1),
    "constructed/toloka_assignments.tsv": (2, 3, 4, 1),
    "derived/bjhp_annotations_long.parquet": (54, 2, 603, 6),
    "derived/bjhp_workbook.xlsx": (54, 2, 603, 6),
    "gate_teamware/documented_raw_export.jsonl": (1, 2, 3, 3),
    "hf_label_distribution/HS-Brexit_dev.json": (168, 6, 168 * 6 * 3, 3),
    "hf_label_distribution/VariErrNLI_dev.json": (50, 4, 181, 1),
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
    "label_studio/sublabels_export.json": (2, 3, 15, 4),
    "long_csv/artstein_poesio_example.txt": (100, 2, 200, 1),
    "long_csv/discogem_qa_nonwide_head200.tsv": (18, 12, 199, 1),  # answer; others are asked about
    "mturk/commongen_evals_batch.csv": (33, 3, 194, 2),
    "mturk/generics_list_in_cell_head40.csv": (13, 3, 78, 2),
    "mturk/opinion_mining_spanish_batch.csv": (34, 3, 100, 1),
    "mturk/platform_amt1.csv": (9, 18, 27, 1),
    "mturk/platform_amt2.csv": (7, 17, 63, 1),
    "mturk/platform_amt3.csv": (5, 18, 30, 1),
    "mturk/platform_amt4.csv": (2, 11, 16, 1),
    "mturk/platform_amt5.csv": (6, 10, 12, 1),
    ("pdtb/English_ann_talk_2150_en_inter.txt", "pdtb/English_ann_talk_2150_en_intra.txt"): (
        98,
        2,
        196,
        2,
    ),
    # 85 and 64 relations, 61 with the same arguments; two of the first coder share theirs
    (
        "pdtb/Turkish_ann_talk_2150_tr.txt",
        "pdtb/Turkish_ann_talk_2150_tr_inter.txt",
        "pdtb/Turkish_raw_talk_2150_tr.txt",
    ): (86, 2, 294, 2),
    ("potato/alice", "potato/bob", "potato/items.json"): (6, 2, 24, 2),
    ("wide_csv/bjhp/bjhp_Annotator_1.csv", "wide_csv/bjhp/bjhp_Annotator_2.csv"): (54, 2, 603, 6),
    "wide_csv/bjhp": (54, 2, 603, 6),
    "wide_csv/mace_example.csv": (100, 20, 1000, 1),
    "wide_csv/mace_pos.csv": (5, 5, 15, 1),
}
ONE = "only one coder was found"
NOBODY = "does not say (in the file who annotated|who the coders are)"
# What is refused, alone and with the files beside it, and why.
REFUSED = {
    r"brat/(edge_cases|single)/.*\.ann": ONE,
    r"brat/single/.*\.txt": "the row has 8 cells|only a header was found",  # a text
    r"conll_bio/conll2000_chunk\.conll": ONE,
    r"doccano/.*": NOBODY,
    r"inception_webanno/agreement/.*": "WebAnno TSV of version 1 or 2, which does not say where",
    r"inception_webanno/tsv3_edge_cases/.*\.tsv": ONE,
    r".*\.xmi": "the type system of this XMI is missing",
    r"label_studio/.*\.yaml": "a configuration",
    r"label_studio/((csv|enterprise|json_min)_.*\.json|csv_export_result\.csv)": ONE,
    r"pdtb/English_ann_talk_1971_en\.txt": ONE,
    r"pdtb/English_(raw|comment)_.*": r"this is no table|than the \d+ columns",
    r"potato/lina1_behaviour_user_state\.json": ONE,
    r"prodigy/.*": ONE,
    r"uima_cas/.*\.json": ONE,
    r"uima_cas/.*\.xml": "XML, such as a type system",
    r"wide_csv/discogem_qa_wide_head120\.tsv": "agreement needs two coders|may be read in two ways",  # shares, no coder
    r"MANIFEST\..*": "not a table of annotations|agreement needs two coders|a label but no item",
}


def paths_of(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given


@cache
def outcome(*paths: Path) -> Annotations | InputError:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", ReadingWarning)
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


def test_every_sample_is_read_or_refused_for_a_known_reason(real_data: Any) -> None:
    folder = real_data("samples")
    groups = [paths_of(g) for g in READ]
    files = sorted(p for p in folder.rglob("*") if p.is_file())
    assert len(files) == 138  # 136 samples
    for path in files:
        name, found = path.relative_to(folder).as_posix(), outcome(path)
        read_with = any(name == p or name.startswith(f"{p}/") for group in groups for p in group)
        if name in READ:
            assert isinstance(found, Annotations)
            continue
        assert isinstance(found, InputError), name
        assert path.name in str(found)
        assert "\n" not in str(found)
        assert len(str(found)) < 700
        reasons = [why for pattern, why in REFUSED.items() if re.fullmatch(pattern, name)]
        assert len(reasons) == (not read_with), name  # each file has one expectation
        for why in reasons:
            assert re.search(why, str(found)), found


def test_no_two_formats_take_one_file(real_data: Any) -> None:
    folder, taken = real_data("samples"), 0
    for file in files_of([folder, folder / "inception_webanno/Example_Project_POS.zip"]):
        keys = [key for key, format_ in formats().items() if format_.takes(file)]
        assert len(keys) < 2, (file.source, keys)
        taken += len(keys)
    assert taken > 100
