"""Files as people publish them."""

from __future__ import annotations

from collections import Counter

import pytest

from accordant import read

# file: items, coders, annotations, categories: the data sets' own manifest, less 35 blanks of
# the two discogem_qa sets, which it counts as a label
CROWD = {
    "snow_rte": (800, 164, 8000, 2),
    "snow_temporal": (462, 76, 4620, 2),
    "snow_wsd": (177, 34, 1770, 3),
    "caries": (3869, 5, 19345, 2),
    "bluebird": (108, 39, 4212, 2),
    "web": (2665, 177, 15567, 5),
    "trec": (19033, 762, 88385, 2),
    "weather_cf": (300, 461, 1720, 5),
    "sp_polarity": (4999, 203, 27746, 2),
    "product": (8315, 176, 24945, 2),
    "tweet_sentiment": (1000, 85, 20000, 2),
    "face_sentiment": (584, 27, 5242, 4),
    "hsbrexit_hate": (1120, 6, 6720, 2),
    "hsbrexit_offensive": (1120, 6, 6720, 3),
    "hsbrexit_aggressive": (1120, 6, 6720, 2),
    "armis": (943, 3, 2829, 2),
    "paraphrase_likert": (500, 4, 2000, 11),
    "csc_sarcasm_devtest": (1408, 872, 6410, 6),
    "masc_add_v": (967, 57, 24095, 7),
    "masc_fair_j": (660, 37, 16500, 10),
    "masc_date_n": (959, 42, 23975, 9),
    "masc_know_v": (1309, 52, 32725, 12),
    "rzhetsky_polarity": (1686, 13, 13445, 7),
    "rzhetsky_evidence": (1686, 13, 13445, 4),
    "discogem_qa_l2": (900, 12, 9012, 17),
    "discogem_qa_l3": (900, 12, 9012, 27),
    "discogem_pdtb300": (302, 11, 3040, 21),
    "crowd_ner_60docs": (11359, 40, 33317, 9),
    "snow_wordsim": (30, 10, 300, 11),
}
# Files in which a coder annotates an item again: rows that repeat an earlier one.
REPEATED = {
    "anesthesia": 90,
    "zencrowd_us": 1035,
    "relevance": 1570,
    "adult": 2922,
    "md_agreement": 1,
    "polyseme_similarity": 6,
    "adult3_hcomp": 9050,
}


@pytest.mark.parametrize("name", CROWD)
def test_crowd(name: str, real_data) -> None:
    data = read(real_data(f"crowd/{name}.csv"))
    got = (len(data.items), len(data.coders), len(data), len(data.values))
    assert got == CROWD[name]
    assert data.reading.layout == "long"


@pytest.mark.parametrize("name", REPEATED)
def test_crowd_with_repetitions(name: str, real_data) -> None:
    path = real_data(f"crowd/{name}.csv")
    n = REPEATED[name]
    if name == "md_agreement":  # every repeated row says the same
        assert read(path).reading.left_out == (
            ("rows that repeat an annotation with the same label", n),
        )
    else:
        with pytest.raises(ValueError, match="twice"):
            read(path)
    data = read(path, duplicates="first")
    assert data.reading.left_out == (("duplicate annotations (kept the first)", n),)


def test_zeros_written_twice_are_numbers(real_data) -> None:
    data = read(real_data("crowd/snow_affect.csv"), scale="interval")
    assert len(data.values) == 94  # 96 spellings: '00' and '-0' are 0
    assert min(data.values) == -100


@pytest.mark.parametrize("name", ["adult", "snow_rte", "web"])
def test_gold_labels_alone_are_refused(name: str, real_data) -> None:
    with pytest.raises(ValueError, match="agreement needs two coders"):
        read(real_data(f"crowd/{name}.gold.csv"))


# ------------------------------------------------------------------ BJHP through its doors


def test_bjhp(real_data) -> None:
    long = read(real_data("bjhp/bjhp_annotations_long.csv"))
    assert (len(long.items), len(long.questions), len(long)) == (54, 6, 603)
    assert long.statuses() == {"answered": 603, "not applicable": 45}
    wide = read(real_data("bjhp/bjhp_annotations_wide.csv"))
    assert wide.coders == ("A1", "A2")
    assert wide.reading.blanks == 45
    assert (
        wide.fingerprint
        == read(
            real_data("bjhp/bjhp_annotations_wide.csv"), coder=["score_A1", "score_A2"]
        ).fingerprint
    )
    marked = read(real_data("bjhp/bjhp_annotations_wide.csv"), blank="not_applicable")
    assert marked.fingerprint == long.fingerprint
    parquet = read(real_data("samples/derived/bjhp_annotations_long.parquet"))
    assert parquet.fingerprint == long.fingerprint


# ------------------------------------------------------------------ samples


def test_mace(real_data) -> None:
    data = read(real_data("samples/wide_csv/mace_example.csv"))
    assert (len(data.items), len(data.coders), len(data), data.values) == (
        100,
        20,
        1000,
        (0, 1, 2, 3),
    )
    tags = read(real_data("samples/wide_csv/mace_pos.csv"))
    assert (len(tags.items), len(tags.coders), len(tags)) == (5, 5, 15)


def test_artstein_poesio(real_data) -> None:
    data = read(real_data("samples/long_csv/artstein_poesio_example.txt"))
    assert (len(data.items), data.coders, data.values) == (
        100,
        ("a", "b"),
        ("chck", "ireq", "stat"),
    )
    grid = data.grid
    assert grid is not None
    pairs = Counter((data.values[a], data.values[b]) for a, b in grid.tolist())
    assert pairs == {
        ("stat", "stat"): 46,
        ("ireq", "ireq"): 32,
        ("chck", "chck"): 10,
        ("ireq", "stat"): 6,
        ("ireq", "chck"): 6,
    }


def test_label_distributions_are_no_annotations(real_data) -> None:
    with pytest.raises(ValueError, match="may be read in two ways|agreement needs two coders"):
        read(real_data("samples/wide_csv/discogem_qa_wide_head120.tsv"))


def test_crowdflower_and_mturk(real_data) -> None:
    appen = read(real_data("samples/appen_crowdflower/relex-multiple-choice.csv"))
    assert (len(appen.items), len(appen.coders), len(appen)) == (10, 67, 150)
    assert "_ip" not in appen.metadata
    assert appen.texts is not None
    mturk = read(real_data("samples/mturk/opinion_mining_spanish_batch.csv"))
    assert mturk.anonymous


def test_labels_with_leading_zeros_stay_words(real_data) -> None:
    data = read(real_data("neat/neat_wide.csv"))
    assert data.values == ("000", "001", "010", "011", "100", "101", "110", "111")
    pair = read(real_data("neat/pair_13.csv"))
    assert pair.reading.layout == "contingency table"
    assert pair.values == data.values
    long = read(real_data("neat/neat_long.csv"))
    assert long.questions == ("Complication", "Resolution", "Success")
