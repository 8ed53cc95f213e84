"""Layout and columns are recognised by their names, then by their cells; users can overrule."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import accordant as ac
from accordant import read


@pytest.fixture
def file(tmp_path: Path):
    def make(content: str, name: str = "data.csv") -> Path:
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        return path

    return make


@pytest.mark.parametrize(
    "header",
    [
        "item,coder,label",
        "Item ID,Annotator,Rating",
        "_unit_id,_worker_id,answer",
        "instance_id,user_id,value",
        "Text-ID,Rater,Score",
        "DocumentID,judge,category",
        "HITId,WorkerId,Answer.label",
        "subject,observer,code",
    ],
)
def test_usual_names(file, header: str) -> None:
    data = read(file(f"{header}\n1,A,x\n1,B,y\n2,A,x\n2,B,x\n"))
    assert data.coders == ("A", "B")
    assert data.values == ("x", "y")
    assert list(data.reading.columns) == ["item", "coder", "label"]


def test_cells_tell_where_names_do_not(file) -> None:
    rows = "\n".join(f"{c},{i},{x}" for i, x in enumerate("xyxxyz") for c in "ab")
    data = read(file(rows))
    assert data.coders == ("a", "b")
    assert len(data.items) == 6
    named = read(file(f"who,which,what\n{rows}"))
    assert named.reading.columns == {"item": "which", "coder": "who", "label": "what"}


def test_roles_can_be_given(file) -> None:
    path = file("a,b,c,d\n1,A,x,p\n1,B,y,p\n2,A,x,q\n2,B,x,p\n")
    data = read(path, item="a", coder="b", label="d")
    assert data.values == ("p", "q")
    both = read(path, item="a", coder="b", label=["c", "d"])
    assert both.questions == ("c", "d")


def test_who_says_the_items_keeps_the_coders(file) -> None:
    rows = [f"d{k // 3},{'abc'[k % 3]},{'xyz'[(k // 3 + (k % 7 == 0)) % 3]}" for k in range(60)]
    path = file("\n".join(["doc,done,tone", *rows]))
    assert read(path, item="doc").to_rows() == read(path).to_rows()
    assert read(path).coders == ("a", "b", "c")


@pytest.mark.parametrize("name", ["label_count", "soft_label"])
def test_shares_of_labels_say_nothing_of_coders(name: str, file) -> None:
    rows = [f'{k},"[{k % 3}, {3 - k % 3}]"' for k in range(9)]
    with pytest.raises(ac.InputError, match=f"{name}' say how often each label was given"):
        read(file("\n".join([f"item,{name}", *rows])))


def test_coder_columns_can_be_given(file) -> None:
    path = file("item,A,B,final\n1,x,y,x\n2,x,x,x\n")
    assert read(path).coders == ("A", "B")
    assert read(path).metadata["final"] == ("x", "x")
    assert read(path, coder=["A", "B", "final"]).coders == ("A", "B", "final")


@pytest.mark.parametrize(
    ("header", "questions", "coders"),
    [
        ("id,q1_A,q1_B,q2_A,q2_B", ("q1", "q2"), ("A", "B")),
        ("id,score_A1,score_A2", ("",), ("A1", "A2")),
        ("id,annotator_1,annotator_2", ("",), ("annotator_1", "annotator_2")),
        ("id,coder 1,coder 2", ("",), ("coder 1", "coder 2")),
        ("id,sentiment_anna,sentiment_bob", ("sentiment",), ("anna", "bob")),
        ("id,ann1.tone,ann1.topic,ann2.tone,ann2.topic", ("tone", "topic"), ("ann1", "ann2")),
        ("id,Anna,Bob", ("",), ("Anna", "Bob")),
        ("id,model,human", ("",), ("model", "human")),
    ],
)
def test_wide_headers(file, header: str, questions: tuple[str], coders: tuple[str]) -> None:
    n = header.count(",")
    data = read(file(f"{header}\n1{',x' * n}\n2{',y' * n}\n3{',x' * n}\n"))
    assert (data.questions, data.coders) == (questions, coders)


def test_addresses_of_persons_are_not_kept(file) -> None:
    data = read(file("_unit_id,_worker_id,_ip,label\n1,A,10.0.0.1,x\n1,B,10.0.0.2,x\n"))
    assert not data.metadata
    assert any("'_ip' is not kept" in n for n in data.reading.notes)


def test_a_file_without_coders_is_read_as_anonymous(file) -> None:
    data = read(file("item,label\n1,x\n1,y\n1,x\n2,y\n2,y\n2,y\n"))
    assert data.anonymous
    assert data.coders == ("slot 1", "slot 2", "slot 3")
    assert any("anonymous" in n for n in data.reading.notes)


def test_coders_that_are_slots_are_anonymous(file) -> None:
    assert read(
        file("item,coder,label\n1,slot01,x\n1,slot02,y\n2,slot01,y\n2,slot02,y\n")
    ).anonymous


def test_a_wide_file_that_looks_transposed_is_questioned(file) -> None:
    header = ",".join(f"c{k}" for k in range(60))
    rows = "\n".join(",".join("xy"[(k + r) % 2] for k in range(60)) for r in range(4))
    assert "layout='transposed'" in str(read(file(f"{header}\n{rows}\n")).reading)


# ------------------------------------------------------------------ columns that never vary


def long(file, header: str, *rows: str):
    """A long file of two coders: `rows` are the cells of each item, "A|B" where they differ."""
    lines = [f"item,coder,{header}"]
    for k, row in enumerate(rows, 1):
        for j, coder in enumerate(("A", "B")):
            cells = [c.split("|")[j] if "|" in c else c for c in row.split(",")]
            lines.append(",".join([str(k), coder, *cells]))
    return file("\n".join(lines) + "\n")


@pytest.mark.parametrize("name", ["batch", "Language", "source", "round", "url", "seconds"])
def test_a_column_that_is_no_label_is_a_fact(file, name: str) -> None:
    data = read(long(file, f"hate,{name}", "1|0,1", "1,1", "0,1"))
    assert (data.questions, list(data.metadata)) == (("",), [name])
    assert not data.reading.warnings


# ------------------------------------------------------------------ counts per item

COUNTS = "item,no,unsure,yes\n1,2,0,1\n2,1,1,1\n3,0,0,3\n4,3,0,0\n"


@pytest.mark.parametrize(
    "content",
    [
        COUNTS,
        COUNTS + "5,1,0,1\n",  # an annotation is missing
        "item,1,2,3,4,5\na,0,0,4,0,0\nb,1,3,0,0,0\nc,0,2,2,0,0\n",
        "text,pro,con,n\ns1,2,0,2\ns2,1,1,2\ns3,0,2,2\n",
        "item,x,y\n1,3,0\n2,2,1\n3,1,2\n",
        "item,Ann,Bob,Cem\n" + "".join(f"{k},{k % 3},{3 - k % 3},2\n" for k in range(1, 9)),
    ],
)
def test_counts_are_told_from_labels(file, content: str) -> None:
    data = read(file(content))
    assert data.reading.layout == "counts per item"
    assert data.anonymous
    assert "layout='wide'" in str(data.reading)


@pytest.mark.parametrize(
    "content",
    [
        "item,Ann,Bob\n1,0,1\n2,1,1\n3,0,0\n4,1,1\n",
        "item,Ann,Bob,Cem\n1,2,2,2\n2,0,1,0\n3,2,1,2\n4,0,0,0\n",
        "item,coder 1,coder 2\n1,2,0\n2,0,2\n3,1,1\n",
        "item,Ann,Bob\n1,1,1\n2,1,1\n3,1,1\n",
        "item,Ann,Bob\n1,3,1\n2,1,3\n3,2,2\n",
        "item,Ann,Bob\n1,2,\n2,,2\n3,2,2\n",
        "item,Ann,Bob\n1,99999999999999999999,0\n2,1,0\n3,0,1\n",
    ],
)
def test_labels_are_told_from_counts(file, content: str) -> None:
    assert read(file(content)).reading.layout == "wide"


def test_counts_that_cannot_be_told_from_labels_are_warned_of(file) -> None:
    path = file("item,low,high\n1,2,0\n2,1,0\n3,1,1\n4,0,1\n5,0,1\n")
    data = read(path)
    assert data.reading.layout == "wide"
    assert "layout='counts'" in str(data.reading)
    assert read(path, layout="counts").values == ("high", "low")
    assert read(path, categories=["low", "high"]).reading.layout == "counts per item"
    assert not read(path, layout="wide").reading.warnings


def test_a_doubt_points_at_the_line_of_the_user() -> None:
    with pytest.warns(UserWarning, match="4 coders") as found:
        ac.agreement([["x", "y", "x"], ["x", "y", "y"], ["x", "y", "x"], ["y", "y", "x"]])
    assert found[0].filename == __file__


THREE = [  # of labels, from coders who agree beyond chance
    "x,x,y",
    "y,y,y",
    "z,y,z",
    "x,x,x",
    "y,z,y",
    "z,z,z",
    "x,y,x",
    "y,y,x",
    "z,z,z",
    "x,x,x",
    "y,y,z",
    "z,x,z",
    "x,x,x",
    "y,y,y",
]


@pytest.mark.parametrize(
    "below", ["\n,Anzahl Kodierungen,9,9,9", "\nN,,9,9,9\n,,71 %,80 %,65 %", "Total coded,,9,9,9"]
)
def test_sums_below_the_data_are_no_items(file, below: str) -> None:
    rows = "\n".join(f"{k},text {k},{row}" for k, row in enumerate(THREE, 1))
    data = read(file(f"Nr.,Text,Ann,Bob,Cy\n{rows}\n{below}\n"))
    assert (len(data.items), data.schemes[0].categories) == (14, ("x", "y", "z"))
    assert any("below the table" in n for n in data.reading.notes)


def test_a_row_below_an_empty_one_that_holds_labels_is_an_item(file) -> None:
    rows = "\n".join(f"{k},{row}" for k, row in enumerate(THREE, 1))
    assert len(read(file(f"Nr.,Ann,Bob,Cy\n{rows}\n\n15,x,x,w\n")).items) == 15


@pytest.mark.parametrize("name", ["Konsens", "Endgültig", "Master", "Musterlösung", "Référence"])
def test_a_consensus_is_known_by_its_name_in_other_languages(file, name: str) -> None:
    rows = "\n".join(f"{k},{row},{row[k % 3 * 2]}" for k, row in enumerate(THREE))
    assert read(file(f"item,Ann,Bob,Cy,{name}\n{rows}\n")).coders == ("Ann", "Bob", "Cy")


QUESTIONS = {"tone": THREE, "irony": [row.translate({120: 48, 121: 49, 122: 49}) for row in THREE]}


@pytest.mark.parametrize("asked", [("tone", "irony"), ("Size (1-7) | ", "How odd? | ")])
def test_a_question_that_a_coder_did_not_answer_is_read(file, asked: tuple[str, str]) -> None:
    mark = "" if "|" in asked[0] else "_"
    first = [f"{asked[0]}{mark}{c}" for c in ("Ann", "Bob", "Cy")]
    second = [f"{asked[1]}{mark}{c}" for c in ("Ann", "Bob", "Cy")]
    both = zip(*QUESTIONS.values(), strict=True)
    whole = [f"{k},{tone},{irony}" for k, (tone, irony) in enumerate(both)]
    header = ",".join(["case_id", *first, *second])
    for n in (0, 2):  # columns that are not there: irony of Cy
        head, *rows = (line[: len(line) - n] for line in [header, *whole])
        head = head if not n else ",".join(["case_id", *first, *second[:2]])
        data = read(file("\n".join([head, *rows])))
        assert (data.coders, len(data.questions)) == (("Ann", "Bob", "Cy"), 2)
        assert len(data) == 14 * (6 - n // 2)


def test_the_headers_of_qualtrics(file) -> None:
    asked = [f"Q{k}" for k in range(1, 9)]
    answers = ["AADNADAD", "AADNADAA", "ADDNADAD", "AADNNDAD"]
    rows = [
        ["StartDate", "IPAddress", "Progress", "ResponseId", *asked],
        ["Start Date", "IP Address", "Progress", "Response ID", *(f"Statement {q}" for q in asked)],
        [f'"{{""ImportId"": ""{x}""}}"' for x in ("s", "i", "p", "r", *asked)],
        *(
            [f"2024-03-0{k} 10:00:00", f"10.0.0.{k}", "100", f"R_{k}aB", *said]
            for k, said in enumerate(answers, 1)
        ),
    ]
    data = read(file("\n".join(map(",".join, rows))), layout="transposed", label=asked)
    assert data.coders == ("R_1aB", "R_2aB", "R_3aB", "R_4aB")
    assert (data.items, data.values) == (tuple(asked), ("A", "D", "N"))


def test_a_turned_survey_of_numbered_questions_keeps_its_progress_out(file) -> None:
    rows = "\n".join(
        f"2026-01-0{k},100,R_{k},{'yn'[k % 2]},{'yn'[k % 3 == 0]}" for k in range(1, 6)
    )
    data = read(file(f"StartDate,Progress,ResponseId,Q1_1,Q1_2\n{rows}\n"), layout="transposed")
    assert [*data.items] == ["Q1_1", "Q1_2"]
    assert "'Progress'" in str(data.reading)


# ------------------------------------------------------------------ textbooks

SHROUT_FLEISS = [
    [9, 2, 5, 8],
    [6, 1, 3, 2],
    [8, 4, 6, 8],
    [7, 1, 2, 6],
    [10, 5, 6, 9],
    [6, 2, 4, 7],
]


@pytest.mark.parametrize("head", ["judge1,judge2,judge3,judge4", "1,2,3,4", "J1,J2,J3,J4", ""])
@pytest.mark.parametrize("ids", ["target", ""])
def test_six_targets_by_four_judges(file, head: str, ids: str) -> None:
    """Shrout & Fleiss (1979), table 2."""
    rows = [",".join(map(str, [*[k + 1] * bool(ids), *r])) for k, r in enumerate(SHROUT_FLEISS)]
    names = ",".join(filter(None, [ids, head]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        data = read(file("\n".join([names, *rows] if head else rows) + "\n"))
        other = read([*map(list, SHROUT_FLEISS)], layout="wide")
    for found in (data, other):
        assert (len(found.items), len(found.coders)) == (6, 4)
        assert [r["label"] for r in found.to_rows()] == [x for r in SHROUT_FLEISS for x in r]


def test_a_tall_array_is_not_questioned() -> None:
    data = read(np.tile([[1, 2, 1], [2, 2, 1]], (20_000, 1)))
    assert (len(data.items), len(data.coders), data.reading.warnings) == (40_000, 3, ())


@pytest.mark.parametrize("code", [9, 99, -1, -99, 999])
def test_a_number_that_no_scale_holds_is_asked_about(file, code: int) -> None:
    rows = "".join(f"t{k},{1 + k % 5},{code if k % 9 == 0 else 1 + k % 4}\n" for k in range(40))
    path = file(f"id,A1,A2\n{rows}")
    with pytest.warns(UserWarning, match="may say that nothing was given") as told:
        data = read(path)
    assert code in data.values
    doubt = next(w for w in data.reading.warnings if "nothing was given" in w)
    assert [sorted(a.options) for a in doubt.do] == [["categories"], ["missing"]]
    assert told
    assert code not in read(path, missing=str(code)).values


def test_coders_called_by_numbers_and_judges_of_one_item_each(file) -> None:
    rows = "".join(f"t{k},{'xyz'[k % 3]},{'xyz'[k % 2]},{'xyz'[k % 3]}\n" for k in range(20))
    assert read(file(f"id,1,2,3\n{rows}")).coders == ("1", "2", "3")
    rows = "".join(f"t{k // 3},J{k},{'xy'[k % 5 > 2]}\n" for k in range(60))
    nested = read(file(f"item,judge,rating\n{rows}"))
    assert (len(nested.items), len(nested.coders), len(nested)) == (20, 60, 60)
