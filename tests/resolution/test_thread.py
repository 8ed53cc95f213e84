"""A case is talked about in the open only after one's own reason; everything said stays."""

from __future__ import annotations

import re

import pytest

from accordant.errors import RequestError
from accordant.resolution.assessment import (
    CauseAccepted,
    CauseProposed,
    CauseRefused,
    accept_cause,
    propose_cause,
    refuse_cause,
)
from accordant.resolution.case_table import CASE_TABLE, VARIANTS, actions
from accordant.resolution.cases import give_reason, remark, take_back_consent
from accordant.resolution.causes import CAUSES, FIELDS
from accordant.resolution.command import COMMANDS, Refused
from accordant.resolution.corrections import Rescored, correct_slip
from accordant.resolution.logbook import log
from accordant.resolution.outcomes import OutcomeRefused, accept_outcome, propose_outcome
from accordant.resolution.records import Evidence, Highlight, Note
from accordant.resolution.returns import postpone
from accordant.resolution.sight import SHOWN
from accordant.resolution.views import case_view, cases
from accordant.resolution.words import CaseState, Cause
from resolution.build import refusal
from resolution.sessions import MAKERS, Walker
from resolution.talk import accepted, case, evidence_of, here_with, proposed, reasons
from resolution.test_blindness import records_of

SAID = "a2 because titles are not mentioned"


def one_has_spoken():
    """A1 has given a reason and proposed a cause with evidence."""
    here = here_with()
    here.do(give_reason, "A1", case=1, text="titles count", cites=["rule R1"])
    here.do(propose_cause, "A1", cases=1, cause="a2", evidence=Evidence(rule="R1", wording=SAID))
    return here


def everything_shown(here, person):
    """Whatever a person can read about case 1."""
    view = case_view(here.state, 1, person)
    return f"{view} {cases(here.state, person)} {[*log(records_of(here), here.state, person)]}"


def test_causes_are_read_after_ones_own_reason():
    here = one_has_spoken()
    before = everything_shown(here, "A2")
    assert SAID not in before
    assert "titles count" not in before
    assert case_view(here.state, 1, "A2").assessments == ()
    assert cases(here.state, "A2")[0].cause is None
    assert set(case_view(here.state, 1, "A2").withheld) == {
        "reason given",
        "cause proposed",
        "cause accepted",
    }
    assert refusal(here, accept_cause, "A2", cases=1) == {"own_reason"}
    assert [u.guard for u in actions(here.state, 1, "A2")["cause accept"]] == ["own_reason"]
    here.do(give_reason, "A2", case=1, text="they do not")
    assert SAID in everything_shown(here, "A2")
    assert cases(here.state, "A2")[0].cause is Cause.A2
    here.do(accept_cause, "A2", cases=1)


def test_who_does_not_annotate_reads_at_once():
    here = one_has_spoken()
    assert SAID in everything_shown(here, "R")


def test_the_public_reads_what_every_coder_may():
    """Whoever gives no name may be one who has not said why."""
    here = one_has_spoken()
    assert SAID not in everything_shown(here, "")
    assert "titles count" not in everything_shown(here, "")
    here.do(give_reason, "A2", case=1, text="they do not")
    assert SAID not in everything_shown(here, "")
    here.do(give_reason, "A3", case=1, text="nor here")
    assert SAID in everything_shown(here, "")


PROPOSED = {
    "a2": Evidence(rule="R1", wording="titles too"),
    "b": Evidence(concept="claim", width="titles are out"),
    "e": Evidence(coder="A3", meant="1"),
}


def looks(cause: str, person: str) -> dict[str, str]:
    """Everything that shows something to somebody, where two causes were proposed."""
    here = here_with()
    for number in (1, 2):
        here.do(give_reason, "A1", case=number, text=cause)
        here.do(give_reason, "A3", case=number, text=cause)
    here.do(propose_cause, "A1", cases=1, cause=cause, evidence=PROPOSED[cause])
    here.do(remark, "A3", case=1, text=cause)
    here.do(propose_cause, "R", cases=2, cause=cause, evidence=PROPOSED[cause])
    here.do(refuse_cause, "A3", case=2, reason=cause)
    here.do(propose_cause, "A1", cases=2, cause="a2", evidence=PROPOSED["a2"])
    here.do(postpone, "A3", cases=2, reason=cause, review_date="2030-01-01")
    records = records_of(here)
    told = {name: show(here.state, person, records) for name, show in SHOWN.items()}
    if person:
        told |= {f"may {n}": actions(here.state, n, person) for n in (1, 2)}
        numbers = [one.seq for n in (1, 2) for one in case(here, n).proposed]
        for number in (0, *numbers):
            named = [number] if number else []
            told[f"refused {number}"] = [
                refused_in_words(here, function, person, **given, proposals=named)
                for function, given in (
                    (accept_cause, {"cases": 1}),
                    (refuse_cause, {"case": 1, "reason": "no"}),
                )
            ]
    return {name: re.sub(r"[0-9a-f]{32,}", "", repr(one)) for name, one in told.items()}


def refused_in_words(here, function, by, **given):
    with pytest.raises(Refused) as refused:
        here.do(function, by, **given)
    return str(refused.value)


@pytest.mark.parametrize("person", ["A2", ""])
def test_nothing_tells_what_was_proposed(person):
    """Two projects that differ only in what others said before one's own reason look alike."""
    one, other = looks("a2", person), looks("b", person)
    assert {name for name in one if one[name] != other[name]} == set()


@pytest.mark.parametrize("name", ["asked_of", "waiting", "cases", "standing", "may 1"])
def test_nothing_tells_whom_a_cause_asks(name):
    assert looks("a2", "A2")[name] == looks("e", "A2")[name]


def test_whom_a_slip_is_asked_of_reads_that_alone():
    here = here_with()
    here.do(give_reason, "A1", case=1, text="titles count")
    proposed(here, Cause.E, by="A1")
    assert [a.cause for a in case_view(here.state, 1, "A3").assessments] == [Cause.E]
    assert case_view(here.state, 1, "A2").assessments == ()
    assert "titles count" not in everything_shown(here, "A3")
    here.do(accept_cause, "A3", cases=1)


def test_comments_of_the_annotation_are_shown_with_the_reasons():
    here = here_with()
    epoch = here.state.epoch
    epoch.notes["Q"] = {"A1": {case(here).item: Note("the title says so")}}
    assert "A1" not in case_view(here.state, 1, "A2").notes
    assert case_view(here.state, 1, "R").notes["A1"].comment == "the title says so"
    reasons(here)
    assert case_view(here.state, 1, "A2").notes["A1"].comment == "the title says so"


def test_the_first_reason_stays_as_it_was():
    here = here_with()
    here.do(give_reason, "A1", case=1, text="first")
    here.do(give_reason, "A1", case=1, text="second", cites=["rule R1"])
    told = [t for t in case_view(here.state, 1, "A1").thread if t.kind == "reason given"]
    assert [(t.by, t.text, t.cites) for t in told] == [
        ("A1", "first", ()),
        ("A1", "second", ("rule R1",)),
    ]
    assert case(here).reasons["A1"].cites == ("rule R1",), "the last one is what d asks for"


def test_a_thread_of_argument_and_answer():
    here = here_with()
    assert refusal(here, remark, "A1", case=1, text="so") == {"own_reason"}
    reasons(here)
    here.do(remark, "A1", case=1, text="the title decides", cites=["rule R1"])
    number = case(here).thread[-1].seq
    here.do(remark, "A2", case=1, text="it does not", reply_to=number)
    here.do(remark, "R", case=1, text="see R1")
    view = case_view(here.state, 1, "A3")
    assert [(t.by, t.text, t.about) for t in view.thread if t.kind == "remark made"] == [
        ("A1", "the title decides", 0),
        ("A2", "it does not", number),
        ("R", "see R1", 0),
    ]
    assert [t.seq for t in view.thread] == sorted(t.seq for t in view.thread)
    assert refusal(here, remark, "A1", case=1, text=" ") == {"text"}
    with pytest.raises(RequestError, match="entry of the thread"):
        here.do(remark, "A1", case=1, text="so", reply_to=9999)


def test_several_stretches_of_the_text():
    here = here_with()
    here.state.items.texts = ["a text of some length"] * len(here.state.items.ids)
    marks = [(0, 1), Highlight(2, 6)]
    here.do(give_reason, "A1", case=1, text="these", highlight=marks)
    assert case(here).reasons["A1"].highlights == (Highlight(0, 1), Highlight(2, 6))
    here.do(give_reason, "A2", case=1, text="this", highlight=(2, 6))
    with pytest.raises(RequestError, match="not a stretch"):
        here.do(give_reason, "A3", case=1, text="that", highlight=[(2, 99)])


# ------------------------------------------------------------------ one act for two


def test_another_cause_instead():
    here = reasons(here_with())
    proposed(here, Cause.A2, by="A1")
    given = {"cases": 1, "cause": "d", "evidence": evidence_of(here, Cause.D)}
    assert refusal(here, propose_cause, "A2", **given) == {"case_state"}
    events = here.do(propose_cause, "A2", **given, instead="R1 is clear")
    assert [type(e) for e in events] == [CauseRefused, CauseProposed, CauseAccepted]
    assert case(here).assessments[0].refusals == {"A2": "R1 is clear"}
    assert (case(here).assessments[-1].cause, case(here).state) == (
        Cause.D,
        CaseState.CAUSE_PROPOSED,
    )
    assert case(here).assessments[-1].consents == ["A2"]
    assert refusal(here, propose_cause, "R", **given, instead="no") == {"consent"}


def test_another_outcome_instead():
    here = accepted(here_with(), Cause.D)
    given = {"cases": 1, "cites": ["rule R1"], "text": "so"}
    here.do(propose_outcome, "A1", answer="1", **given)
    assert refusal(here, propose_outcome, "A2", answer="0", **given) == {"proposal"}
    events = here.do(propose_outcome, "A2", answer="0", **given, instead="the title says otherwise")
    assert isinstance(events[0], OutcomeRefused)
    assert [str(p.answer) for p in case(here).proposals] == ["1", "0"]
    assert case(here).proposals[0].refusals == {"A2": "the title says otherwise"}


def test_a_consent_is_taken_back_while_others_are_asked():
    here = reasons(here_with())
    proposed(here, Cause.D, by="A1")
    here.do(accept_cause, "A2", cases=1)
    here.do(take_back_consent, "A2", cases=1)
    assert case(here).assessments[-1].consents == ["A1"]
    assert refusal(here, take_back_consent, "A2", cases=1) == {"consent"}
    here.do(accept_cause, "A3", cases=1)
    assert case(here).state == CaseState.CAUSE_PROPOSED, "A2 is asked again"
    here.do(accept_cause, "A2", cases=1)
    assert case(here).state == CaseState.ARGUED
    assert refusal(here, take_back_consent, "A2", cases=1) == {"consent"}
    here.do(propose_outcome, "A1", cases=1, answer="1", cites=["rule R1"], text="so")
    here.do(accept_outcome, "A2", cases=1)
    here.do(take_back_consent, "A2", cases=1)
    assert case(here).proposals[-1].consents == ["A1"]


def test_a_slip_is_corrected_in_one():
    here = here_with()
    events = here.do(correct_slip, "A3", case=1, meant="1", cites=["rule R1"])
    assert [e.kind for e in events[:4]] == [
        "reason given",
        "cause proposed",
        "cause accepted",
        "rescored",
    ]
    assert isinstance(events[3], Rescored)
    assert case(here).state == CaseState.AGREED
    assert refusal(here, correct_slip, "A1", case=2, meant="0") == {"changed"}


# ------------------------------------------------------------------ the table


def test_every_row_has_a_command():
    named = {VARIANTS.get(name, name) for name in CASE_TABLE}
    of_cases = {name for name in COMMANDS if name.split()[0] in ("case", "cause", "outcome")}
    assert named == of_cases - {"case group", "case dependent"}


def test_each_field_is_asked_for_and_each_cause_has_its_fields():
    keys = {key for row in CAUSES.values() for way in row.record for key in way}
    assert keys == set(FIELDS) == set(Evidence.__struct_fields__)


@pytest.mark.parametrize("part", range(5))
def test_what_one_may_do_is_what_is_not_refused(part):
    """`actions` against the commands themselves, at random places with random people."""
    assert sum(compared(Walker(7000 + 4 * part + k)) for k in range(4)) > 300


def compared(walk):
    """How many acts of a session were compared with what was offered before."""
    n = 0
    for _ in range(700):
        name = walk.likely()
        made = MAKERS[name](walk)
        if made is None:
            continue
        by, given = made
        number = given.get("case", given.get("cases"))
        known = name in CASE_TABLE and isinstance(number, int) and not given.get("instead")
        own = known and given.get("question", "") in ("", case(walk.here, number).question)
        expected = {u.guard for u in actions(walk.state, number, by)[name]} if own else None
        happened = walk.tried(name, by, given)
        if expected is None or isinstance(walk.refusal, RequestError):
            continue
        n += 1
        if happened is not None:
            assert not expected, (name, by, given)
        else:
            assert expected <= {u.guard for u in walk.refusal.unmet}, (name, by, given)
    return n
