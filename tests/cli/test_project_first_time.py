"""What somebody meets who uses a project for the first time: slips, hints, what comes next."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import openpyxl
import pytest

from cli.projects import CODERS, Walk, aligned, annotated, resolving


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A person in an empty folder."""
    return Walk.into(tmp_path, monkeypatch)


def sheet(*rows: str, head: str = "item,question,label,source,reason") -> str:
    Path("sheet.csv").write_text("\n".join([head, *rows]) + "\n")
    return "annotate sheet.csv"


# ---------------------------------------------------------------- status


def test_what_is_possible_stands_apart_from_what_is_not(say: Walk) -> None:
    say("new Letters")
    lines = [line.strip() for line in say("status").splitlines()]
    assert "Possible now" not in lines
    assert any(line.startswith("Not yet: ") for line in lines)
    say("question 'Who?'")
    say("purpose 'ground truth'")
    lines = [line.strip() for line in say("status").splitlines()]
    assert not any(line.startswith("Not yet") for line in lines)
    assert "Possible now" in lines


def test_what_several_are_awaited_for_is_said_once(say: Walk) -> None:
    aligned(say)
    say("round open")
    say("annotate --item p1 -q claim --label no", "bob")
    told = " ".join(say("status").split())
    assert "ana and cleo: annotate: round 1, 4 left" in told
    assert "bob: annotate: round 1, 3 left" in told
    assert "questions claim and scope, 4 items" in told


def test_a_release_stands_when_the_project_is_opened_again(say: Walk) -> None:
    resolving(say)
    say("case 1-2 leave 'no time'")
    say("release --reason 'no time'")
    told = say("status")
    assert "Release 1: deprecated" in told
    assert "accordant project go" in told  # opening it again is all that there is to do
    say("go task 'a rule is missing'")
    told = " ".join(say("status").split())
    assert "Release 1: deprecated; it stands until the next one" in told
    say("report -o r.md")
    report = Path("r.md").read_text()
    assert "Opened again after a release" in report
    assert "(deprecated) stands until another one replaces it" in report


def test_nothing_is_called_released_that_is_not(say: Walk) -> None:
    annotated(say)
    say("round close")
    say("export labels.csv")
    with Path("labels.csv").open(encoding="utf-8-sig", newline="") as file:
        assert {row["status"] for row in csv.DictReader(file)} == {
            "not released; as it is: comparison only"
        }
    bundle = json.loads(say("export --bundle"))
    assert bundle["status"] == "not released; as it is: comparison only"


# ---------------------------------------------------------------- sheets


@pytest.mark.parametrize(
    "row, says",
    [
        ("p1,claim,,other,", "there is a source and no label: write 'ambiguous' as the label"),
        ("p1,claim,,,a blank page", "a reason and no label: write 'not applicable' as the label"),
        ("p1,claim,no,other,", "'no' has a source, which only 'ambiguous' has"),
        ("p1,claim,ambiguous,other,why", "'ambiguous' has a reason, which only 'not applicable'"),
        ("p1,claim,yes; no,,", "2 labels: this question takes one"),
    ],
)
def test_a_row_that_says_two_things_is_not_read_as_one(say: Walk, row: str, says: str) -> None:
    aligned(say)
    say("round open")
    assert says in say.refused(sheet(row))


def test_a_source_and_a_reason_where_they_belong(say: Walk) -> None:
    aligned(say)
    say("round open")
    say(sheet("p1,claim,ambiguous,other,", "p2,claim,not applicable,,a blank page"))
    say("annotate --sheet back.csv")
    with Path("back.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {(r["item"], r["question"]): r for r in csv.DictReader(file)}
    assert rows["p1", "claim"]["source"] == "other"
    assert rows["p2", "claim"]["reason"] == "a blank page"
    assert rows["p1", "claim"]["options"] == "yes; no; ambiguous"


def test_a_workbook_with_two_sheets_names_the_option_that_chooses(say: Walk) -> None:
    aligned(say)
    say("round open")
    book = openpyxl.Workbook()
    for page in (book.active, book.create_sheet("more")):
        page.append(["item", "question", "label"])
        page.append(["p1", "claim", "no"])
    book.save("bob.xlsx")
    assert "name the one to read" in say.refused("annotate bob.xlsx", "bob")
    assert "1 annotation" in say("annotate bob.xlsx --sheet-name more", "bob")


# ---------------------------------------------------------------- words that lead on


def test_a_wrong_step_leads_to_the_status(say: Walk) -> None:
    say("new Letters")
    assert "→ see the ways from here: accordant project status" in say.refused("round open")


def test_an_adjudicator_is_appointed(say: Walk) -> None:
    resolving(say)
    told = say.refused("person dora --role adjudicator")
    assert "→ appoint dora: accordant project adjudicator dora" in told


def test_who_objects_is_not_told_to_have_signed_everything(say: Walk) -> None:
    aligned(say)
    say("object 'too wide' --to claim", "bob")
    assert "bob objects to claim" in say.refused("sign-off", "bob")
    say("sign-off claim", "bob")


def test_a_mistyped_action_is_no_group(say: Walk) -> None:
    resolving(say)
    assert "There is no command 'explode'" in say.refused("case 1 explode", code=2)


def test_a_concept_that_is_nearly_one_is_a_slip(say: Walk) -> None:
    resolving(say)
    say.all(CODERS, "case 1 reason 'as I read it' --cites R1")
    told = say.refused("case 1 cause b --concept claims --width 'too narrow'")
    assert "there is no concept 'claims': there are claim; did you mean 'claim'?" in told
    say("case 1 cause b --concept 'reported speech' --width 'not there'")  # its absence is why
    told = say.refused("case 1 cause d")
    assert "accept or refuse the cause that is proposed" in told


def test_what_is_asked_now_is_said(say: Walk) -> None:
    """Case 2 is p4, on which bob alone said no: once bob says yes, the scope is asked too."""
    resolving(say)
    say.all(CODERS, "case 2 reason 'as I read it' --cites R1")
    say("case 2 cause e --coder bob --meant yes")
    say("case 2 accept --yes", "bob")
    told = " ".join(say("case 2 rescore yes", "bob").split())
    next_ = "accordant project case rescore 2 ANSWER"
    assert f"Next: bob is now asked question scope about p4: {next_}" in told
    assert "answer in the parent's case" in " ".join(say("release --check").split())
    assert "Next:" not in say("case 2 rescore wide --question scope", "bob")


def test_a_local_change_brings_what_depends_on_its_question(say: Walk) -> None:
    """R1 counts for all questions; claim brings scope with it, so nothing is left out."""
    resolving(say)
    say.all(CODERS, "case 1 reason 'as I read it' --cites R1")
    say("case 1 cause a2 --rule R1 --wording 'x'")
    say.all(CODERS, "case 1 accept --yes", but="ana")
    say("case 1 return")
    changed = Path("toolbox.toml").read_text().replace("is no claim.", "is never a claim.")
    Path("changed.toml").write_text(changed)
    change = "guidelines changed.toml --change local --reason 'it was silent' --case 1"
    assert "it bears on claim too" in say.refused(f"{change} --bears-on scope")
    say(f"{change} --bears-on claim")
    assert "claim and scope" in say("reannotate")


# ---------------------------------------------------------------- a terminal of 80 columns


def test_ids_are_not_broken_where_columns_can_go(say: Walk) -> None:
    aligned(say, items="item\n" + "".join(f"letter-{k:02}\n" for k in range(1, 5)))
    say("round open")
    for coder, label in zip(CODERS, ("yes", "no", "yes"), strict=True):
        rows = [f"letter-{k:02},claim,{label},," for k in range(1, 5)]
        say(sheet(*rows), coder)
    say.all(("ana", "cleo"), sheet(*[f"letter-{k:02},scope,wide,," for k in range(1, 5)]))
    say.all(CODERS, "submit")
    say("round close")
    say("resolve")
    told = say("export")
    assert "letter-04" in told
    assert "columns hidden at this width" in told


# ---------------------------------------------------------------- what waits


def test_what_is_withheld_says_until_when(say: Walk) -> None:
    annotated(say)
    assert "Withheld until round 1 closes" in say("suggest", "dora")
    say("round close")
    assert "There are no cases yet" in say("suggest")
    assert "No cases yet: step 5 opens them." in " ".join(say("cases").split())
    assert "Nothing has to be annotated again" in say("reannotate")


# ---------------------------------------------------------------- finished annotations


def test_a_cause_is_not_lost_because_of_the_name_of_its_column(say: Walk) -> None:
    Path("a.csv").write_text("item,A1,A2,gold\np1,yes,no,yes\np2,no,no,no\np3,no,yes,yes\n")
    Path("known.csv").write_text("item,question,cause_csv,cause_pdf\np1,question,c,d\n")
    given = "import a.csv --coder A1 --coder A2"
    told = say.refused(f"{given} --cases known.csv")
    assert "which column is the cause? 'cause_csv' or 'cause_pdf'" in told
    assert "--case-column cause=cause_csv" in told
    assert not list(Path().glob("*.accordant"))
    done = say.run(f"{given} --cases known.csv --case-column cause=cause_pdf")
    assert done.exit_code == 0
    heard = " ".join(done.stderr.split())
    assert "cause = cause_pdf); not read: cause_csv" in heard
    assert "not read: 'gold'. If the coders agreed on it" in heard
    assert "d" in say("cases -f csv").splitlines()[1].split(",")


def test_who_was_asked_later_did_not_answer_in_the_round(say: Walk) -> None:
    aligned(say)
    say("round open")
    for coder, (claim, scope) in zip(
        CODERS, [("yes", "wide"), ("no", ""), ("yes", "narrow")], strict=True
    ):
        say(sheet(f"p1,claim,{claim},,", f"p1,scope,{scope},,"), coder)
        say(sheet("p2,claim,no,,", "p3,claim,no,,", "p4,claim,no,,"), coder)
    say.all(CODERS, "submit")
    say("round close")
    say("resolve")
    say.all(CODERS, "case 1 reason 'as I read it' --cites R1")
    say("case 1 cause e --coder bob --meant yes")
    say("case 1 accept --yes", "bob")
    say("case 1 rescore yes", "bob")
    say("case 1 rescore wide -q scope", "bob")
    say("report -o r.md")
    text = Path("r.md").read_text()
    assert "ana answered “wide” and cleo answered “narrow” (round 1). bob was asked later" in text
    assert "bob was now asked question scope about p1, and answered “wide”." in text
    assert "| ana: wide · cleo: narrow |" in text


def test_what_is_still_to_be_given_is_named(say: Walk) -> None:
    annotated(say)
    say("round close")
    assert "release --reason TEXT" in " ".join(say("status --all").split())
    say("resolve")
    say("case 1 reason 'so it is'", "bob")
    assert "--review is needed" in say.refused("case 1 postpone 'nobody knows'", "bob")
    assert "accordant project causes" in say.refused("case 1 cause e", "bob")
    for typed in ("retract", "withdraw", "reopen 'I was wrong'"):
        assert "→" in say.refused(f"case 1 {typed}", "bob"), "every refusal says what to do"


def test_the_next_step_of_a_case_is_ones_own(say: Walk) -> None:
    resolving(say)
    reason = "accordant project case reason 1"
    assert reason in say("case 1", "bob")
    say("case 1 reason 'so it is'", "bob")
    assert reason not in say("case 1", "bob"), "ana and cleo are awaited"
    assert reason in say("case 1", "ana")
    assert reason in say("case 1", "")
