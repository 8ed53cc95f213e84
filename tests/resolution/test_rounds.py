"""Steps 3 and 4: blind annotation, and how it compares."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import accordant as ac
from resolution.team import (
    Team,
    at_alignment,
    at_annotation,
    at_comparison,
    at_resolution,
    concept,
    rules,
)

ASKED = [
    {"id": "Q", "text": "Is there one?"},
    {"id": "P", "text": "Which?", "asked_if": {"question": "Q", "labels": ["1"]}},
]
AMBIGUOUS, NOT_APPLICABLE = "ambiguous", "not applicable"


def opened(n_items: int = 4, coders: int = 3, **options: Any) -> Team:
    team = at_alignment(n_items, coders, **options)
    team.do("round open")
    return team


def say(team: Team, coder: str, labels: str, question: str = "Q") -> None:
    """One letter for each item: a label, ``a``mbiguous, ``n``ot applicable, ``-`` declined."""
    said: dict[str, str] = {}
    notes: dict[str, dict[str, str]] = {}
    for k, letter in enumerate(labels):
        item = f"i{k + 1}"
        if letter == "-":
            team.do("decline", by=coder, question=question, items=[item], reason="its author")
        elif letter != " ":
            said[item] = {"a": AMBIGUOUS, "n": NOT_APPLICABLE}.get(letter, letter)
            notes[item] = {"a": {"source": "missing context"}, "n": {"reason": "no text"}}.get(
                letter, {"comment": ""}
            )
    if said:
        team.do("annotate", by=coder, answers={question: said}, notes={question: notes})


# ------------------------------------------------------------------ what a round asks


def test_the_first_round_is_about_everything_unless_a_scope_is_given() -> None:
    two = [{"id": "Q", "text": "a"}, {"id": "P", "text": "b"}]
    team = at_alignment(4, 2, questions=two)
    assert "Z" in team.wrong("round open", questions=["Z"])
    assert "no item" in team.wrong("round open", items=[])
    team.do("round open", questions=["P"], items=["i2", "i1"])
    here = team.status().round
    assert (here.questions, here.n_items, here.again) == (("P",), 2, False)
    assert team.refused("annotate", by="A1", answers={"Q": {"i1": "0"}}) == {"scope"}
    assert team.refused("annotate", by="A1", answers={"P": {"i3": "0"}}) == {"assigned"}
    parents = at_alignment(2, 2, questions=ASKED)
    parents.do("round open", questions=["Q"])
    assert parents.status().round.questions == ("Q", "P")


def test_a_later_round_is_about_what_is_owed() -> None:
    values = {"Q": {"A1": "01", "A2": "01"}, "P": {"A1": "00", "A2": "01"}}
    team = at_comparison(values)
    team.do("go", to="alignment", reason="r", questions=["Q", "P"])
    narrow = {"reason": "y", "narrowed": "z"}
    team.do("concept", concept=concept("x", "a", questions=["Q"]), items=["i1"], **narrow)
    team.do("concept", concept=concept("x", "b", questions=["P"]), items=["i2"], **narrow)
    team.all("sign-off")
    assert "orders" in team.wrong("round open", questions=["Q"], orders=[2])
    assert "3" in team.wrong("round open", orders=[3])
    team.do("round open")
    assert (team.status().round.questions, team.status().round.n_items) == (("Q",), 1)
    team.all("annotate", answers={"Q": {"i1": "0"}})
    team.do("round close")
    team.do("go", to="resolution")
    assert team.refused("round open") == {"settle"}
    team.aligned().do("round open")
    assert (team.status().round.questions, team.status().round.n_items) == (("P",), 1)
    assert team.status().round.again


def test_a_missing_annotation_and_new_items_can_be_asked_for() -> None:
    team = at_comparison({"Q": {"A1": "011", "A2": ["0", None, "1"]}})
    team.do("items add", items={"ids": ["new"]})
    team.do("items freeze")
    team.do("go", to="resolution")
    team.do("round open")
    assert [one.id for one in team.project.work("A1").items] == ["i2", "new"]
    team.all("annotate", answers={"Q": {"i2": "1", "new": "0"}})
    team.do("round close")
    assert team.project.comparison().counts == {"Q": {"agreed": 2}}
    assert {row["answer"] for row in team.project.answers()} == {"0", "1"}


# ------------------------------------------------------------------ annotating


def test_answers_are_checked_at_the_door() -> None:
    team = opened()
    for answers, says in (
        ({"Q": {"i1": "2"}}, "item 'i1': there is no label '2'"),
        ({"Q": {"i1": ["0", "1"]}}, "takes one label"),
        ({"Q": {"i1": []}}, "takes one label"),
        ({"Q": {"i1": {"special": "odd"}}}, "odd"),
        ({"Q": {"i9": "0"}}, "no item 'i9'"),
        ({"Z": {"i1": "0"}}, "no question 'Z'"),
        ({"Q": {}}, "no answer"),
        ({"Q": {"i1": 0}}, "answers"),
    ):
        assert says in team.wrong("annotate", by="A1", answers=answers)
    note = {"Q": {"i2": {"comment": "?"}}}
    assert "i2" in team.wrong("annotate", by="A1", answers={"Q": {"i1": "0"}}, notes=note)
    one = {"Q": {"i1": "0"}}
    assert team.refused("annotate", by="R", answers=one) == {"role"}
    assert at_alignment().refused("annotate", by="A1", answers=one) == {"step"}
    team.do("person", name="A9")
    assert team.refused("annotate", by="A9", answers=one) == {"coder_of_round"}


def test_all_of_a_sheet_or_nothing() -> None:
    team = opened(2, 2, questions=[{"id": "Q", "text": "a"}, {"id": "P", "text": "b"}])
    team.wrong("annotate", by="A1", answers={"Q": {"i1": "0"}, "P": {"i1": "9"}})
    team.do("annotate", by="A1", answers={"Q": {"i1": "0"}, "P": {"i1": "1", "i2": "1"}})
    work = team.project.work("A1")
    assert (work.n_asked, work.n_answered) == (4, 3)
    assert [str(a) for a in work.items[0].answers.values()] == ["0", "1"]
    assert work.items[1].todo == ("Q",)


def test_answering_again_replaces_and_the_log_keeps_both() -> None:
    team = opened(2, 2)
    say(team, "A1", "0a")
    say(team, "A1", "1")
    work = team.project.work("A1")
    assert [str(one.answers["Q"]) for one in work.items] == ["1", "ambiguous"]
    assert sum(entry.kind == "annotated" for entry in team.project.log("A1")) == 2


def test_a_special_answer_says_why() -> None:
    team = opened()
    for label, guard in (
        (AMBIGUOUS, "ambiguity_source"),
        (NOT_APPLICABLE, "not_applicable_reason"),
    ):
        assert team.refused("annotate", by="A1", answers={"Q": {"i1": label}}) == {guard}
    said = {"answers": {"Q": {"i1": AMBIGUOUS}}, "notes": {"Q": {"i1": {"source": "mood"}}}}
    assert "mood" in team.wrong("annotate", by="A1", **said)
    allowed = at_alignment(2, 2)
    allowed.do("go", to="task", reason="r")
    no = {"allowed": False, "reason": "two values only"}
    allowed.do("guidelines", guidelines=rules(ambiguity=no))
    allowed.all("sign-off", concept="guidelines")
    allowed.do("go", to="alignment")
    allowed.do("round open")
    said["notes"]["Q"]["i1"]["source"] = "missing context"
    assert "two values only" in allowed.wrong("annotate", by="A1", **said)
    label = opened(options={"Q": [AMBIGUOUS, "clear"]})
    label.do("annotate", by="A1", answers={"Q": {"i1": AMBIGUOUS}})  # which is a label here


def test_sets_and_spans() -> None:
    team = opened(3, 2, questions=[{"id": "Q", "text": "Which?", "answering": "several"}])
    team.do("annotate", by="A1", answers={"Q": {"i1": ["1", "0", "1"], "i2": [], "i3": "1"}})
    said = [one.answers["Q"].labels for one in team.project.work("A1").items]
    assert said == [("0", "1"), (), ("1",)]
    team = at_alignment(1, 2, questions=[{"id": "Q", "text": "Where?", "answering": "spans"}])
    team.do("items add", items={"ids": ["t"], "texts": ["naïve 𝒳 text"]})
    team.do("items freeze")
    team.do("round open")
    team.do("annotate", by="A1", answers={"Q": {"t": ["6-7:1", "0-5:0", "10-12:1"]}})
    assert team.project.work("A1").items[1].answers["Q"].labels[0] == "0-5:0"
    for span in ("0-13:1", "3-3:1", "3:1", "0-1:9"):
        team.wrong("annotate", by="A1", answers={"Q": {"t": [span]}})


def test_declining() -> None:
    team = opened(2, 2)
    say(team, "A1", "01")
    assert team.refused("round close") == {"all_submitted_or_declined"}
    assert team.refused("round close", by="A1") == {"role"}
    say(team, "A2", "0")
    decline = {"question": "Q", "items": ["i2"]}
    assert "empty" in team.wrong("decline", by="A2", **decline, reason=" ")
    assert team.refused("decline", by="A1", **decline, reason="x", coder="A2") == {"role"}
    [event] = team.project.do("decline", by="R", **decline, reason="left", coder="A2")
    assert event.sentence() == "R, for A2, declines 1 item on question Q"
    team.do("decline", by="A1", **decline, reason="I know the author")  # withdraws the answer
    say(team, "A1", " 1")  # and takes that back
    team.do("round close")
    assert team.project.comparison().counts == {"Q": {"agreed": 1, "incomplete": 1}}


# ------------------------------------------------------------------ questions that depend on others


def test_a_dependent_question_follows_ones_own_answer() -> None:
    team = opened(3, 2, questions=ASKED)
    child = {"P": {"i2": "0"}}
    assert team.refused("annotate", by="A1", answers=child) == {"parent_answered"}
    say(team, "A1", "10")
    say(team, "A2", "010")
    assert team.refused("annotate", by="A1", answers=child) == {"asked_if"}
    say(team, "A1", "0", "P")
    told = [(one.submitted, one.expected, one.done) for one in team.status().round.coders]
    assert told == [(2, 3, False), (3, 3, False)]  # how many children are asked tells answers
    assert team.refused("submit", by="A2") == {"all_submitted_or_declined"}
    say(team, "A2", " 0", "P")
    team.do("submit", by="A2")
    assert [one.done for one in team.status().round.coders] == [False, True]
    assert team.refused("submit", by="A2") == {"submitted"}
    say(team, "A2", "1")  # who answers again is not done any more
    assert not team.status().round.coders[1].done


def test_a_researcher_submits_for_who_has_left_and_is_told_nothing() -> None:
    team = opened(2, 3, questions=ASKED)
    for coder in ("A1", "A2"):
        say(team, coder, "10")
    assert team.refused("submit", coder="A1") == {"reason"}
    assert team.refused("submit", by="A3", coder="A1", reason="left") == {"role"}
    assert team.refused("submit", coder="A3", reason="left") == {"all_submitted_or_declined"}
    for coder in ("A1", "A2"):
        assert team.do("submit", coder=coder, reason="has left") == ["declined", "submitted"]
    say(team, "A3", "--")
    team.do("submit", by="A3")
    team.do("round close")
    assert team.project.comparison().counts["P"] == {"incomplete": 1, "not applicable": 1}


def test_a_child_that_is_no_longer_asked_does_not_count() -> None:
    team = opened(1, 2, questions=ASKED)
    for coder in team.coders:
        say(team, coder, "1")
        say(team, coder, "0", "P")
    say(team, "A1", "0")
    team.all("submit")
    team.do("round close")
    assert team.project.comparison().counts["P"] == {"one not applicable": 1}


# ------------------------------------------------------------------ the comparison


def state_of(parents: str, children: str) -> tuple[str, str]:
    """The states of a cell and of the one that depends on it, from the definitions."""

    def judged(asked: str, n: int) -> str:
        given = {letter for letter in asked if letter != "-"}
        if len(given) > 1:
            return "conflicting"
        if "-" in asked or len(asked) == 1 == n:
            return "incomplete"
        if given <= {"n"}:
            return "not applicable"
        return "agreed" if len(asked) == n else "one not applicable"

    asked = "".join(c for p, c in zip(parents, children, strict=True) if p == "1")
    return judged(parents, len(parents)), judged(asked, len(parents))


@settings(max_examples=25)
@given(st.data())
def test_every_cell_is_in_the_state_of_its_definition(data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 4))
    letters = st.text(st.sampled_from("01an-"), min_size=n, max_size=n)
    parents, children = data.draw(letters), data.draw(letters)
    team = opened(1, n, questions=ASKED)
    for coder, parent, child in zip(team.coders, parents, children, strict=True):
        say(team, coder, parent)
        if parent == "1":
            say(team, coder, child, "P")
        team.do("submit", by=coder)
    team.do("round close")
    found = {q: next(iter(counts)) for q, counts in team.project.comparison().counts.items()}
    assert (found["Q"], found["P"]) == state_of(parents, children)


# ------------------------------------------------------------------ blindness


def seen(team: Team, person: str) -> Any:
    """All that one person can look at, times left out."""
    project = team.project
    found: list[Any] = [project.cases(person, earlier=True), project.status(person)]
    found += [project.work(person)] if person else []
    found.append([(e.kind, e.actor, e.stream, e.withheld, e.body) for e in project.log(person)])
    found += [project.case(row.number, person) for row in project.cases(person)]
    for look in (project.comparison, project.answers):
        try:
            found.append(look(person))
        except (ac.Refused, ac.RequestError) as error:
            found.append(str(error))
    report = ac.project_report(project, person=person)
    found.append([section.key for section in report.sections])
    found.append(str(report.to_json()) if hasattr(report, "to_json") else "")
    return timeless(found)


def timeless(thing: Any) -> str:
    import re

    text = re.sub(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+Z)?", "", repr(thing))
    return re.sub(r"[0-9a-f]{12,64}", "", text)


LOOKERS = ("A1", "R", "")


@pytest.mark.parametrize("again", [False, True], ids=["first round", "again"])
def test_nobody_sees_what_others_answer_while_a_round_is_open(again: bool) -> None:
    """Whatever the others say, or said before, every look of everybody else is the same."""
    found = []
    for answers, before in (("0110", ("0011", "0010")), ("1001", ("0010", "0011"))):
        team = at_alignment(4, 3)
        team.do("round open")
        if again:
            for coder, labels in zip(team.coders, ("0000", *before), strict=True):
                say(team, coder, labels)
            team.do("round close")
            team.do("go", to="resolution")
            for coder in team.coders:
                team.do("case reason", by=coder, cases=[1], text="so", cites=["rule R1"])
            cause = {"concept": "claim", "knowledge": "what a claim is", "width": "too wide"}
            team.do("case cause", by="A1", cases=[1], cause="b", evidence=cause)
            for coder in ("A2", "A3"):
                team.do("case accept", by=coder, cases=[1])
            team.do("case return", cases=[1])
            team.do("concept", concept=concept("what a text argues"), reason="too wide")
            team.aligned()
            team.do("round open")
        say(team, "A1", "01")
        say(team, "A2", answers)
        say(team, "A3", answers[::-1])
        found.append([seen(team, person) for person in LOOKERS])
    assert found[0] == found[1]


def test_after_the_round_everything_is_seen() -> None:
    team = at_annotation({"Q": {"A1": "01", "A2": "00"}})
    with pytest.raises(ac.RequestError):
        team.project.comparison("A1")
    with pytest.raises(ac.Refused):
        team.project.answers("A1")
    assert team.project.log("R")[-1].hash == ""  # a hash would let anybody try out answers
    team.do("round close")
    assert team.project.comparison("A1").counts == {"Q": {"agreed": 1, "conflicting": 1}}
    assert team.project.log("R")[-1].hash
    team.do("go", to="resolution")
    [row] = team.project.cases("A1")
    assert {coder: str(said) for coder, said in row.answers.items()} == {"A1": "1", "A2": "0"}


def test_what_is_expected_tells_nothing() -> None:
    """Who names how often another annotated is told the same, whether it is right or wrong."""
    team, told = opened(2, 2), set[str]()
    say(team, "A1", "01")
    answers, name = {"answers": {"Q": {"i1": "0"}}}, {"name": "dora"}
    for by, what, more in (
        ("A2", "annotate", answers),
        ("A2", "person", name),
        ("", "person", name),
    ):
        for version in range(4):
            with pytest.raises((ac.Refused, ac.RequestError)) as error:
                team.project.do(what, by=by, expect={"round 1 A1": version}, **more)
            told.add(str(error.value))
    assert len(told) == 2
    assert team.do("annotate", "A1", answers={"Q": {"i1": "1"}}, expect={"round 1 A1": 1})


def test_what_is_expected_may_have_grown_by_what_commutes() -> None:
    team = at_resolution({"Q": {"A1": "01", "A2": "00"}})
    seen = {"case 1": team.project.case(1, "A2").version}
    cited: dict[str, Any] = {"cases": [1], "text": "so", "cites": ["rule R1"]}
    team.do("case reason", by="A1", **cited)
    cause: dict[str, Any] = {"cases": [1], "cause": "d"}
    assert team.do("case reason", by="A2", **cited, expect=seen)
    with pytest.raises(ac.Conflict):
        team.project.do("case cause", by="A2", **cause, expect=seen)
    team.do("case cause", by="R", **cause)
    seen = {"case 1": team.project.case(1, "A2").version}
    team.do("case accept", "A1", cases=[1])
    assert team.do("case accept", "A2", cases=[1], expect=seen)
    with pytest.raises(ac.Conflict):
        team.project.do("case remark", by="A1", cases=[1], text="but", expect={"case 1": 99})


def test_reasons_wait_for_ones_own() -> None:
    team = at_resolution({"Q": {"A1": "01", "A2": "00"}})
    team.do("case reason", by="A1", cases=[1], text="it says so", cites=["rule R1"])
    assert team.project.case(1, "A2").unread == ("A1",)
    assert "it says so" not in timeless(team.project.case(1, "A2"))
    team.do("case reason", by="A2", cases=[1], text="it does not", cites=["rule R1"])
    assert team.project.case(1, "A2").reasons["A1"].text == "it says so"


# ------------------------------------------------------------------ sheets


def test_a_project_travels_as_one_file(tmp_path: Path) -> None:
    team = opened(2, 2)
    say(team, "A1", "01")
    copy = tmp_path / "copy.accordant"
    team.project.close()
    copy.write_bytes(Path(team.where).read_bytes())
    with ac.Project.open(copy) as project:
        assert [str(one.answers["Q"]) for one in project.work("A1").items] == ["0", "1"]
        assert project.verify() == []
