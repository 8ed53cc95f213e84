"""Annotation on the command line: sheets, single items, item by item."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from accordant.errors import RequestError
from accordant.resolution.answers import written_answer as answer_of
from accordant.resolution.records import AMBIGUOUS, NOT_APPLICABLE, Answer, Question
from accordant.resolution.words import Answering
from cli.projects import TOOLBOX, Walk, aligned, annotated


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A command line in an empty folder."""
    return Walk.into(tmp_path, monkeypatch)


def opened(say: Walk, toolbox: str = TOOLBOX, items: str = "item\np1\np2\np3\np4\n") -> Walk:
    """Round 1 is open."""
    aligned(say, toolbox, items)
    say("round open")
    return say


def rows(path: str) -> list[dict[str, str]]:
    """A CSV file."""
    with Path(path).open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------- what is written in a cell


@pytest.mark.parametrize(
    "text, answering, options, answer",
    [
        ("yes", "one", ("yes", "no"), Answer(("yes",))),
        (" YES ", "one", ("yes", "no"), Answer(("yes",))),
        ("−1", "one", ("1", "0", "-1"), Answer(("-1",))),
        ("ambiguous", "one", ("yes", "no"), AMBIGUOUS),
        ("Ambiguous", "one", ("yes", "ambiguous"), Answer(("ambiguous",))),
        ("N/A", "one", ("yes", "no"), NOT_APPLICABLE),
        ("ambiguous", "one", ("yes", "ambiguous"), Answer(("ambiguous",))),
        ("n/a", "several", ("a", "b"), NOT_APPLICABLE),
        ("b ; a; b", "several", ("a", "b"), Answer(("a", "b"))),
        ("none", "several", ("a", "b"), Answer()),
        ("none", "one", ("none", "b"), Answer(("none",))),
        ("x; y", "several", ("x; y", "b"), Answer(("x; y",))),
        ("5-7:b; 0–3 : a", "spans", ("a", "b"), Answer(("0-3:a", "5-7:b"))),
        ("none", "spans", ("a", "b"), Answer()),
    ],
)
def test_an_answer_as_it_is_written(
    text: str, answering: str, options: tuple[str, ...], answer: Answer
) -> None:
    assert answer_of(text, Question("q", "?", answering=Answering(answering)), options) == answer


@pytest.mark.parametrize(
    "text, answering, says",
    [
        ("yess", "one", "did you mean 'yes'"),
        ("yes; no", "one", "2 labels: this question takes one"),
        ("none", "one", "no label 'none'"),
        ("yes; maybe", "several", "no label 'maybe'"),
        ("yes", "spans", "START-END:LABEL"),
    ],
)
def test_what_is_no_answer(text: str, answering: str, says: str) -> None:
    with pytest.raises(RequestError, match=says):
        answer_of(text, Question("q", "?", answering=Answering(answering)), ("yes", "no"))


# ---------------------------------------------------------------- sheets


def test_a_sheet_there_and_back(say: Walk) -> None:
    opened(say, items="item,text\np1,One.\np2,Two?\n")
    say("annotate --sheet bob.csv", "bob")
    sheet = rows("bob.csv")
    assert [(r["item"], r["question"], r["options"]) for r in sheet][:2] == [
        ("p1", "claim", "yes; no; ambiguous"),
        ("p1", "scope", "wide; narrow; ambiguous"),
    ]
    assert sheet[0]["text"] == "One."
    assert "exists" in say.refused("annotate --sheet bob.csv", "bob")
    sheet[0]["label"], sheet[0]["comment"] = "yes", "clear"
    sheet[1]["label"] = "narrow"
    with Path("bob.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, list(sheet[0]))
        writer.writeheader()
        writer.writerows(sheet)
    told = say("annotate bob.csv", "bob")
    assert "2 rows of bob.csv without a label: not yet" in told
    assert "1 annotation of 3 left" in told.replace("annotations", "annotation")
    say("annotate --sheet again.csv", "bob")
    assert [(r["label"], r["comment"]) for r in rows("again.csv")][:2] == [
        ("yes", "clear"),
        ("narrow", ""),
    ]
    say("annotate --sheet cleo.csv", "cleo")
    assert {r["label"] for r in rows("cleo.csv")} == {""}, "nobody sees another's annotations"


@pytest.mark.parametrize(
    "text, says",
    [
        ("item,question,label\np1,claim,yess\n", "row 2, column 'label': there is no label 'yess'"),
        ("item,question,label\np1,claim,yes\np1,claim,no\n", "row 3, column 'item'"),
        ("item,question,label\np1,tone,yes\n", "round 1 does not ask 'tone'"),
        ("item,question,label\np9,claim,yes\n", "there is no item 'p9'"),
        ("item,question\np1,claim\n", "no column is called 'label'"),
        ("item,label\np1,yes\n", "one of claim, scope"),
        ("item,question,label\np1,claim,\n", "no row has a label yet"),
        ("item,question,label,confidence\np1,claim,yes,much\n", "no number from 0 to 1"),
        ("item,question,label\np1,claim,no\np1,scope,wide\n", "asked only where claim"),
    ],
)
def test_a_sheet_that_is_wrong(say: Walk, text: str, says: str) -> None:
    opened(say)
    Path("bob.csv").write_text(text)
    assert says in say.refused("annotate bob.csv", "bob")


def test_all_that_is_wrong_in_a_sheet_is_told_at_once(say: Walk) -> None:
    opened(say)
    rows = ["p1,claim,maybe", "p2,clam,yes", "p9,claim,yes", "p3,claim,ambiguous", "p4,claim,yes"]
    Path("bob.csv").write_text("\n".join(["ITEM,Question,Label", *rows]))
    told = say.refused("annotate bob.csv", "bob")
    assert "4 of 5 cannot be done" in told
    assert all(f"bob.csv, row {row}" in told for row in (2, 3, 4, 5))
    assert "row 6" not in told


def test_an_answer_that_was_kept_is_not_called_unwritten(
    say: Walk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(say)
    typed = iter("12")

    def getchar() -> str:
        for char in typed:
            return char
        raise KeyboardInterrupt

    monkeypatch.setattr("accordant.cli.project.annotation.at_terminal", lambda: True)
    monkeypatch.setattr("accordant.cli.project.keyboard.at_terminal", lambda: True)
    monkeypatch.setattr("click.getchar", getchar)
    told = say("annotate", "bob")
    assert "nothing was written" not in told
    assert " left" in told.splitlines()[-1]
    say("annotate --sheet kept.csv", "bob")
    assert any(",yes," in line for line in Path("kept.csv").read_text().splitlines())


def test_headings_of_a_wide_sheet_in_capital_letters(say: Walk) -> None:
    opened(say)
    Path("bob.csv").write_text("Item;CLAIM\np1;Yes\np2;maybe\np3;perhaps\n")
    told = say.refused("annotate bob.csv", "bob")
    assert all(f"bob.csv, row {row}, column 'claim'" in told for row in (3, 4))


def test_no_round_or_not_asked(say: Walk) -> None:
    aligned(say)
    assert "no round is open" in say.refused("annotate --ask", "bob")
    say("round open")
    assert "does not ask dora: it asks ana, bob, cleo" in say.refused("annotate --ask", "dora")
    assert "name a FILE or an --item" in say.refused("annotate", "bob", code=2)
    assert "give a FILE, --item or --sheet" in say.refused("annotate x.csv --sheet y.csv", "bob", 2)


# ---------------------------------------------------------------- one item


def test_one_item(say: Walk) -> None:
    opened(say)
    say("annotate --item p1 -q claim --label yes --comment 'plain' --confidence 0.9", "bob")
    say("annotate --item p1 -q scope --label wide", "bob")
    say("annotate --item p2 -q claim --ambiguous 'missing context'", "bob")
    say("annotate --item p3 -q claim --not-applicable 'a table'", "bob")
    assert "no item" not in say("decline p4 'I wrote it' -q claim", "bob")
    assert "nothing is left" in say("annotate --item p1 -q scope --label narrow", "bob")
    assert "which question" in say.refused("annotate --item p1 --label yes", "bob")
    assert "there is no source" in say.refused(
        "annotate --item p2 -q claim --ambiguous moon", "bob"
    )
    assert "--label" in say.refused("annotate --item p1 -q claim", "bob", code=2)
    assert "--item" in say.refused("annotate --label yes", "bob", code=2)
    log = json.loads(say("log -f json --kind annotated", "bob"))
    assert log[0]["body"]["notes"]["p1"] == {"comment": "plain", "confidence": 0.9}
    assert log[2]["body"]["notes"]["p2"] == {"source": "missing context"}


def test_a_researcher_declines_for_who_has_left(say: Walk) -> None:
    opened(say)
    say("decline p1 p2 p3 p4 --reason 'left the project' -q claim --of cleo")
    assert "cleo: 4 of 4" in say("status")
    assert "only cleo or a researcher" in say.refused("decline p1 'no' -q claim --of cleo", "bob")


# ---------------------------------------------------------------- item by item


def test_item_by_item(say: Walk) -> None:
    opened(say, items="item,text\np1,One.\np2,Two?\np3,Three.\np4,Four.\n")
    typed = [
        "?!",
        ":?",
        ":r",
        "yes",
        "narrow",  # p1, its dependent question too
        ":c",
        "hard to say",
        ":a",
        "2",  # p2 is ambiguous, with a comment
        ":s",  # p3 is put off
        ":d",
        "I know the author",  # p4 is declined
    ]
    told = say("annotate --ask", "bob", input="\n".join(typed) + "\n")
    assert "no label '?!'" in told
    assert "rule R1" in told
    assert "What could be false." in told
    assert "scope: How wide is it?" in told
    assert "Three." in told
    assert "p2  3 left" in told, "the dependent question of p1 was asked and answered"
    assert "1 annotation of 5 left" in told
    again = say("annotate --ask -q claim", "bob", input=":n\na table\n")
    assert "One." not in again
    assert "nothing is left" in again
    log = json.loads(say("log -f json --by bob", "bob"))
    kept = [e["body"].get("notes", {}) for e in log if e["what"] == "annotated"]
    assert kept[2] == {"p2": {"comment": "hard to say", "source": "missing context"}}
    assert kept[3] == {"p3": {"reason": "a table"}}
    assert [e["body"]["items"] for e in log if e["what"] == "declined"] == [["p4"]]


@pytest.mark.parametrize("end", [":q\n", ""])
def test_stopped_in_the_middle(say: Walk, end: str) -> None:
    """What was given is kept, whether the coder stops or the input ends."""
    opened(say)
    told = say("annotate --ask", "bob", input=f"no\nno\n{end}")
    assert "2 annotations of 4 left" in told


def test_everything_answered_is_said_at_once(say: Walk) -> None:
    annotated(say)
    assert (
        say("annotate --ask", "bob", input="") == "nothing is left: all 6 annotations are given\n"
    )


def test_spans_and_sets(say: Walk) -> None:
    toolbox = """
[task]
[[task.question]]
id = "parts"
text = "Where?"
answering = "spans"
[guidelines.options]
parts = ["claim", "ground"]
[guidelines.ambiguity]
allowed = false
reason = "all is clear"
[[guidelines.rule]]
id = "R1"
text = "Mark all."
[[concept]]
name = "claim"
definition = "What could be false."
questions = ["parts"]
"""
    opened(say, toolbox, items="item,text\np1,It rains today.\np2,Why?\n")
    told = say("annotate --ask", "bob", input="0-8:claim\nnone\n")
    assert "nothing is left" in told
    assert "lies outside its text" in say.refused("annotate --item p1 --label 0-99:claim", "bob")
    say("annotate --item p1 --label 0-8:claim --label 9-14:ground", "ana")
    log = json.loads(say("log -f json --kind annotated", "ana"))
    assert log[-1]["body"]["answers"] == [{"labels": ["0-8:claim", "9-14:ground"]}]


@pytest.mark.parametrize(
    "text, says",
    [
        ("item\np1\np2\n\np1\n", "row 5: item 'p1' stands there twice"),
        ("item,text\np1,a\n,b\n", "row 3: there is no id"),
        ("name,text\np1,a\n", "no column is called 'item'"),
        ("item,Text,text\np1,a,b\n", "two columns are called"),
        ("", "empty"),
    ],
)
def test_items_that_are_wrong(say: Walk, text: str, says: str) -> None:
    say("new Letters")
    Path("items.csv").write_text(text)
    assert says in say.refused("items items.csv")


def test_items_with_more_columns(say: Walk) -> None:
    say("new Letters")
    Path("items.csv").write_text("item,text,batch,year\np1,One.,A,1802\np2,Two.,,1803\n")
    say("items items.csv")
    rows = json.loads(say("items -f json"))
    assert rows[1] == {"item": "p2", "text": "Two.", "context": "", "batch": "", "year": "1803"}
    assert "2 items, not settled yet" in say("items")
    say("person bob")
    say("assign bob --item p2")
    assert "bob 1" in " ".join(say("assign").split())
    assert "no item is named" in say.refused("assign bob")


def test_a_sheet_is_kept_whole_or_not_at_all(say: Walk) -> None:
    """A fault in the second question leaves nothing of the first behind."""
    opened(say)
    Path("bob.csv").write_text(
        "item,question,label\np1,claim,yes\np1,scope,wide\np2,claim,no\np2,scope,wide\n"
    )
    assert "is asked only where claim is answered yes" in say.refused("annotate bob.csv", "bob")
    assert not [e for e in json.loads(say("log -f json", "bob")) if e["what"] == "annotated"]
    Path("bob.csv").write_text("item,question,label\np1,scope,wide\np1,claim,yes\np2,claim,no\n")
    say("annotate bob.csv", "bob")
    kinds = [e["what"] for e in json.loads(say("log -f json", "bob"))]
    assert kinds.count("annotated") == 2
