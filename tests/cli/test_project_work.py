"""`project work`: a person walked through what waits for them, with keys; a whole project of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.projects import CODERS, TOOLBOX, Walk, aligned, resolving

CITED = "1"
MOST = 35  # commands from the beginning to a release
ITEMS = "item,text\n" + "".join(f"p{k},Text number {k}.\n" for k in range(1, 13))
TWO_CONCEPTS = (
    TOOLBOX.replace('questions = ["claim", "scope"]', 'questions = ["claim"]')
    + """
[[concept]]
name = "width"
definition = "How much it is about."
questions = ["scope"]
"""
)
AMENDED = (
    TWO_CONCEPTS.replace(
        "[guidelines.options]",
        """change = "local"
reason = "nothing was said about wishes"

[guidelines.options]""",
        1,
    )
    .replace("A question is no claim.", "A question is no claim; a wish is.")
    .replace("How much it is about.", "How many things it is about.")
)


@pytest.fixture
def say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """A command line in an empty folder."""
    return Walk.into(tmp_path, monkeypatch)


def keys(*typed: str) -> str:
    """Keys as lines."""
    return "".join(f"{key}\n" for key in typed)


def answers(claims: str, scopes: dict[int, str]) -> list[str]:
    """The keys of one coder: claim of each item (y, n), then scope where it is asked."""
    found = []
    for k, claim in enumerate(claims, 1):
        found.append("1" if claim == "y" else "2")
        if claim == "y":
            found.append("2" if scopes.get(k) == "narrow" else "1")
    return found


def reason(text: str = "as I read it") -> list[str]:
    return ["r", text, CITED]


# ---------------------------------------------------------------- from the beginning to a release


def test_a_team_can_finish(say: Walk) -> None:
    """12 items × 2 questions, one of them dependent, × 3 coders, with causes a to e.

    Case 1 is p1, claim (a2); 2 is p2, scope (b); 3 is p3, claim (c); 4 is p5, scope (d); 5 is p6,
    claim (e).
    """
    n = 0

    def typed(words: str, by: str = "ana", *given: str) -> str:
        nonlocal n
        n += 1
        return say(words, by, keys(*given) if given else None)

    Path("toolbox.toml").write_text(TWO_CONCEPTS)
    Path("amended.toml").write_text(AMENDED)
    Path("items.csv").write_text(ITEMS)
    typed("new Letters")
    typed("question 'What is claimed?'")
    typed("purpose 'ground truth'")
    typed("person ana --role researcher --role coder")
    typed("person bob")
    typed("person cleo")
    typed("go task")
    typed("task toolbox.toml")
    typed("guidelines toolbox.toml")
    typed("concepts toolbox.toml")
    typed("items items.csv --freeze")
    typed("training 'an afternoon'")
    # Acknowledge, sign two concepts; then on to step 2, a round, and the items.
    first = {
        "ana": answers("yyyyyyyynnnn", {8: "narrow"}),
        "bob": answers("nynyyyyynnnn", {2: "narrow", 5: "narrow", 8: "narrow"}),
        "cleo": answers("yyyyynyynnnn", {5: "narrow", 8: "narrow"}),
    }
    typed("work", "bob", "y", "y", "y")
    typed("work", "cleo", "y", "y", "y")
    typed("work", "ana", "y", "y", "y", "y", "y", *first["ana"], "y")
    typed("work", "bob", *first["bob"], "y")
    typed("work", "cleo", *first["cleo"], "y")
    told = typed("work", "ana", "y", "y", *(5 * reason()))
    assert "5 cases are open: 1 to 5" in told
    typed("work", "bob", *(5 * reason()))
    a2, b = ["a", "3", "2", "a wish is a claim"], ["b", "2", "it counts words", ""]
    told = typed("work", "cleo", *reason(), *a2, *reason(), *b, *(3 * [*reason(), "s"]))
    assert "settle case 1 (a, b) first" in " ".join(told.split())
    typed("work", "ana", "y", "y", "q")
    typed("work", "bob", "y", "y", "q")
    told = typed("work", "ana", "y", "q")
    assert "write the change that cases ask for: the guidelines and concept width" in told
    typed("guidelines amended.toml --bears-on claim")
    typed("concepts amended.toml --reason 'it counts things'")
    second = {
        "ana": answers("yyyyyyyynnnn", {8: "narrow"}),
        "bob": answers("yynyyyyynnnn", {5: "narrow", 8: "narrow"}),
        "cleo": answers("yyyyynyynnnn", {5: "narrow", 8: "narrow"}),
    }
    typed("work", "bob", "y", "y")
    typed("work", "cleo", "y", "y")
    typed("work", "ana", "y", "y", "y", *second["ana"], "y")
    typed("work", "bob", *second["bob"], "y")
    typed("work", "cleo", *second["cleo"], "y")
    # The rest in a meeting: c of bob, d of all, e of cleo, with what is asked because of that.
    c = ["c", "2", "p4", "the same words", "y", "1", "1", "1"]
    d = ["d", "y", "y", "2", CITED, "as bob and cleo read it", "y", "y"]
    e = ["e", "3", "yes", "y", "1", "1"]
    given = ["y", "y", *c, *d, *e, "y"]
    told = typed("work --meeting --present ana --present bob --present cleo", "ana", *given)
    assert json.loads(say("release --list -f json"))[-1]["status"] == "ground truth", told
    cases = json.loads(say("cases -f json"))
    assert {row["cause"] for row in cases} == {"a2", "b", "c", "d", "e"}
    assert n <= MOST


# ---------------------------------------------------------------- single things


def kinds(say: Walk, by: str = "ana") -> list[str]:
    return [entry["what"] for entry in json.loads(say("log -f json", by))]


def test_guidelines_are_read_and_concepts_signed_or_objected_to(say: Walk) -> None:
    Path("toolbox.toml").write_text(TOOLBOX)
    for typed in (
        "new L",
        "question Q",
        "purpose 'ground truth'",
        "person bob",
        "person cleo",
        "go task",
        "task toolbox.toml",
        "guidelines toolbox.toml",
        "concepts toolbox.toml",
    ):
        say(typed)
    told = say("work", "bob", keys("", "y", "n", "too wide"))
    assert "Is there a claim?" in told
    assert "A question is no claim." in told
    assert "What could be false." in told
    assert kinds(say).count("acknowledged") == 1
    assert "objected" in kinds(say)
    told = say("work", "bob", keys("y", "y"))
    assert "nothing waits for bob" in told
    assert kinds(say)[-2:] == ["objection withdrawn", "signed off"]


def test_consent_has_no_default_and_what_was_given_is_kept(say: Walk) -> None:
    resolving(say)
    say.all(CODERS, "case 1 reason 'as I read it' --cites R1")
    say("case 1 cause d")
    before = kinds(say)
    told = say("work", "bob", keys("", "x", " "))  # the input ends
    assert "bob: answer a proposed cause: 1 case (1)" in told
    assert kinds(say) == before
    say("work", "bob", keys("y", "q"))
    assert kinds(say)[-1] == "cause accepted"
    say("work", "cleo", keys("n", "it is a matter of the rule", "q"))
    assert kinds(say)[-1] == "cause refused"


def test_a_refusal_is_shown_and_the_walk_goes_on(say: Walk) -> None:
    resolving(say)
    told = say("work", "bob", keys("r", "", "", "r", "I read it so", "9", "1", "s"))
    assert "no reason is given" in told
    assert "'9' cites nothing" in told
    assert kinds(say).count("reason given") == 1
    assert "“I read it so”" in say("case 1", "bob")  # what was typed before the “9” is not lost
    assert "bob: give a reason: 1 case (2)" in told


def test_back_to_the_one_before(say: Walk) -> None:
    resolving(say)
    told = say("work", "bob", keys("s", "b", "r", "first of all", "1", "q"))
    assert "Case 2: item p4" in told
    assert "case 1: bob gave a reason" in told


def test_cases_that_look_alike_are_answered_together(say: Walk) -> None:
    """On p2 and p4 bob differs in the same way from ana and cleo."""
    aligned(say)
    say("round open")
    for coder, claims in {"ana": "nnnn", "bob": "nyny", "cleo": "nnnn"}.items():
        say("work", coder, keys(*answers(claims, {}), "y"))
    say("work", "ana", keys("y", "y", "q"))
    for coder in CODERS:
        told = say("work", coder, keys("p", "", "r", "as I read it", "1", "q"))
        assert "p with 2" in told
    given = [e["body"]["case"] for e in json.loads(say("log -f json --kind 'reason given'"))]
    assert given == [1, 2] * 3
    say("work", "ana", keys("p", "", "d"))
    assert [row["state"] for row in json.loads(say("cases -f json"))] == ["cause proposed"] * 2
    say("work", "bob", keys("p", "", "y"))
    say("work", "cleo", keys("p", "", "y", "p", "", "2", "1", "as ana and cleo read it"))
    for coder in ("ana", "bob"):
        say("work", coder, keys("p", "", "y"))
    assert [row["outcome"] for row in json.loads(say("cases -f json"))] == ["no", "no"]


def test_what_moved_on_is_looked_at_again(say: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bob looks at a proposal; before he consents ana withdraws it."""
    from accordant.resolution import steps
    from accordant.resolution.project import Project

    resolving(say)
    say.all(CODERS, "case 1 reason 'as I read it' --cites R1")
    say("case 1 cause d")
    whole = Project.do

    def slow(self: Project, function: object, by: str, *args: object, **given: object) -> object:
        if by == "bob" and not moved:
            moved.append(by)
            with Project.open("claims.accordant") as other:
                whole(other, steps.withdraw_cause, "ana", case=1)
        return whole(self, function, by, *args, **given)

    moved: list[str] = []
    monkeypatch.setattr(Project, "do", slow)
    told = say("work", "bob", keys("y", "q"))
    assert moved
    assert kinds(say)[-1] == "cause withdrawn"
    assert "has changed since you looked" in told
    assert "propose a cause" in told


@pytest.mark.parametrize(
    "typed", ["work --meeting", "work --present bob", "work --meeting --present bop"]
)
def test_a_meeting_needs_people(say: Walk, typed: str) -> None:
    resolving(say)
    assert "present" in say.refused(typed, code=2) or "bop" in say.refused(typed)


def test_nobody_annotates_in_a_meeting(say: Walk) -> None:
    aligned(say)
    say("round open")
    told = say("work --meeting --present ana --present bob", "ana", keys("1"))
    assert "nothing waits for ana and bob" in told


def test_a_label_that_is_a_letter_goes_before_a_key(say: Walk) -> None:
    letters = TOOLBOX.replace('claim = ["yes", "no"]', 'claim = ["s", "q"]').replace(
        'labels = ["yes"]', 'labels = ["s"]'
    )
    aligned(say, letters)
    say("round open")
    told = say("work", "bob", keys("2", "1", "1", ":s"))
    assert "bob: annotate: round 1, 2 left" in told


def test_in_a_meeting_everybody_speaks_for_themselves_and_nobody_reads_ahead(say: Walk) -> None:
    resolving(say)
    say("case 1 reason 'a secret of cleo' --cites R1", "cleo")
    meeting = "work --meeting --present ana --present bob --present cleo"
    told = say(meeting, "ana", keys(*reason("ana reads it so"), *reason("bob reads it so"), "s"))
    before, after = told.split("bob gave a reason")
    assert "a secret of cleo" not in before
    assert "a secret of cleo" in after
    log = json.loads(say("log -f json --kind 'reason given'"))
    assert [(one["who"], one["body"]["coder"]) for one in log] == [
        ("cleo", "cleo"),
        ("ana", "ana"),
        ("bob", "bob"),
    ]


def test_a_slip_a_remark_and_another_cause_by_keys(say: Walk) -> None:
    resolving(say)
    say("work", "bob", keys("m", "1" if "bob: yes" not in say("case 1", "bob") else "2", "1", "q"))
    assert kinds(say)[-2:] == ["rescored", "case agreed"]
    say.all(CODERS, "case 2 reason 'as I read it' --cites R1")
    say("case 2 cause d")
    told = say(
        "work",
        "bob",
        keys(
            "w",
            "it is a matter of the rule",
            "i",
            "not of reading",
            "a2",
            "missing",
            "what is meant",
            "q",
        ),
    )
    assert "it is a matter of the rule" in say("case 2", "cleo"), told
    assert kinds(say)[-4:] == ["remark made", "cause refused", "cause proposed", "cause accepted"]


def test_interrupted_anywhere_nothing_is_lost(say: Walk, monkeypatch: pytest.MonkeyPatch) -> None:
    resolving(say)
    typed = iter(["r", "as I read it", "1", "r", "half a reason"])

    def prompt(*args: object, **options: object) -> str:
        for word in typed:
            return word
        raise KeyboardInterrupt

    monkeypatch.setattr("accordant.cli.project.keyboard.click.prompt", prompt)
    assert "bob: give a reason: 1 case (2)" in say("work", "bob")
    assert kinds(say).count("reason given") == 1
