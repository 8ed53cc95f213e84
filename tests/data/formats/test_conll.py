"""CoNLL and BIO: columns, tags, sentences, and coders by file or by column."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import accordant as ac
from accordant import InputError, read
from data.formats.test_webanno_tsv import write


def test_the_samples_of_two_users(real_data: Any) -> None:
    paths = [
        real_data(f"samples/conll_bio/conll2006_someDifferences_user{k}.conll") for k in (1, 2)
    ]
    data = read(paths)
    assert (len(data.items), data.coders, len(data)) == (26, ("user1", "user2"), 156)
    assert data.questions == ("CPOSTAG", "POSTAG", "DEPREL")
    rows = {(r["item"], r["question"], r["coder"]): r["label"] for r in data.to_rows()}
    differ = Counter[str]()
    for coder, path in zip(data.coders, paths):
        for line in path.read_text(encoding="utf-8").splitlines():
            cells = line.split("\t")
            for question, k in (("CPOSTAG", 3), ("POSTAG", 4), ("DEPREL", 7)):
                assert rows[f"1:{cells[0]}", question, coder] == cells[k]
    for (item, question, coder), label in rows.items():
        differ[question] += coder == "user1" and rows[item, question, "user2"] != label
    assert differ == {"CPOSTAG": 4, "POSTAG": 4, "DEPREL": 3}
    single = [
        real_data(f"samples/conll_bio/conll2006_singleSpanDifference_user{k}.conll") for k in (1, 2)
    ]
    assert [r["label"] for r in read(single).of_question("POSTAG").to_rows()] == ["ADV", "NN"]


def test_a_single_file_and_a_mixed_folder_are_refused(real_data: Any) -> None:
    with pytest.raises(InputError, match="only one coder"):
        read(real_data("samples/conll_bio/conll2000_chunk.conll"))
    with pytest.raises(InputError, match=r"has other columns \(4 with labels\) than .*conll2000"):
        read(real_data("samples/conll_bio"))


@pytest.mark.parametrize(
    ("tags", "spans"),
    [
        ("B-X I-X O", [(0, 1, "X")]),
        ("I-X I-X B-X O", [(0, 1, "X"), (2, 2, "X")]),  # IOB1
        ("B-X I-Y", [(0, 0, "X"), (1, 1, "Y")]),
        ("O I-X O", [(1, 1, "X")]),  # I without B
        ("S-X B-X E-X I-X", [(0, 0, "X"), (1, 2, "X"), (3, 3, "X")]),
        ("B-X B-X U-Y L-Y", [(0, 0, "X"), (1, 1, "X"), (2, 2, "Y"), (3, 3, "Y")]),
        ("O O", []),
    ],
)
def test_dialects_of_tags(tags: str, spans: list[tuple[int, int, str]], tmp_path: Path) -> None:
    """Tokens of one letter: the k-th begins at 2 k."""
    text = "".join(f"w {tag}\n" for tag in tags.split())
    data = read(write(tmp_path, {"anna.bio": text, "bob.bio": text + "\nw B-END\n"}))
    found = [r for r in data.spans.to_rows() if r["coder"] == "anna"] if data.spans else []
    assert [(r["start"] // 2, r["end"] // 2, r["label"]) for r in found] == spans


BIO = "-DOCSTART- O\n\nBob B-PER\nLee I-PER\nsleeps O\n\nIn O\nRome B-LOC\n"


def test_tags_are_spans_and_labels_of_tokens(tmp_path: Path) -> None:
    other = BIO.replace("Lee I-PER", "Lee O").replace("\n", "\r\n").replace(" ", "\t")
    data = read(write(tmp_path, {"anna.bio": BIO, "bob.bio": other}))
    assert data.items == ("1:1", "1:2", "1:3", "2:1", "2:2")
    assert [r["label"] for r in data.to_rows() if r["coder"] == "bob"] == [
        "PER",
        "O",
        "O",
        "O",
        "LOC",
    ]
    assert data.metadata["token"] == ("Bob", "Lee", "sleeps", "In", "Rome")
    assert ac.span_f1(data).mean() == 0.5
    assert ac.span_f1(data, match="overlap").mean() == 1


def test_o_everywhere_is_an_answer(tmp_path: Path) -> None:
    nothing = BIO.replace("B-PER", "O").replace("I-PER", "O").replace("B-LOC", "O")
    data = read(write(tmp_path, {"anna.bio": BIO, "bob.bio": nothing}))
    assert data.statuses() == {"answered": 10}


def test_sentences_of_other_tokens(tmp_path: Path) -> None:
    data = read(write(tmp_path, {"anna.bio": BIO, "bob.bio": BIO.replace("In O", "At O")}))
    assert (
        "2 sentences are in one file only, or have other tokens there" in data.reading.warnings[0]
    )
    assert data.statuses()["not assigned"] == 4
    gap = write(
        tmp_path / "gap",
        {
            "anna.bio": "x O\n\n" + BIO,
            "bob.bio": "x O\n\n" + BIO.partition("\n\n")[2].partition("\n\n")[2],
        },
    )
    rows = [r for r in read(gap).to_rows() if r["coder"] == "bob"]
    assert [(r["item"], r["label"]) for r in rows] == [("1:1", "O"), ("3:1", "O"), ("3:2", "LOC")]
    other = write(
        tmp_path / "none", {"talk_anna.bio": BIO, "talk_bob.bio": "Some O\n\nother B-X\n"}
    )
    with pytest.raises(
        InputError, match="begin with different sentences|no two files have a sentence"
    ):
        read(other)


UNIVERSAL = """# sent_id = s1
# text = Let's go
1-2\tLet's\t_\t_\t_\t_\t_\t_\t_\t_
1\tLet\tlet\tVERB\tVB\tMood=Imp|Tense=Pres\t0\troot\t_\t_
2\t's\twe\tPRON\tPRP\t_\t1\tobj\t_\t_
2.1\tus\t_\t_\t_\t_\t_\t_\t_\t_
3\tgo\tgo\tVERB\tVB\t_\t1\txcomp\t_\tSpaceAfter=No

"""


def test_universal_dependencies(tmp_path: Path) -> None:
    other = UNIVERSAL.replace("PRON", "PART").replace("Mood=Imp|", "")
    data = read(write(tmp_path, {"anna.conllu": UNIVERSAL, "bob.conllu": other}))
    assert data.questions == ("UPOS", "XPOS", "FEATS", "DEPREL")
    assert data.items == ("s1:1", "s1:2", "s1:3")
    feats = {(r["coder"], r["item"]): r["label"] for r in data.of_question("FEATS").to_rows()}
    assert feats["anna", "s1:1"] == ("Mood=Imp", "Tense=Pres")
    assert feats["bob", "s1:1"] == ("Tense=Pres",)
    assert feats["anna", "s1:2"] == ()
    assert ("multi-word tokens and empty nodes", 4) in data.reading.left_out
    assert any("lemmas, heads" in note for note in data.reading.notes)


def test_rows_of_another_width_are_counted_and_plain_tables_are_no_conll(tmp_path: Path) -> None:
    odd = write(tmp_path, {"anna.bio": BIO, "bob.bio": BIO + "too many cells here\n"})
    assert ("rows with another number of cells", 1) in read(odd).reading.left_out
    table = "item,coder,label\n1,anna,B-PER\n1,bob,O\n\n2,anna,O\n2,bob,O\n"
    assert read(write(tmp_path / "t", {"t.csv": table}) / "t.csv").reading.layout == "long"
