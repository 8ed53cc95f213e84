"""A meeting at one keyboard: each consent is that of its person, and it is told where it was given."""

from __future__ import annotations

import pytest

from accordant.errors import RequestError
from accordant.resolution import steps
from accordant.resolution.meeting import (
    MeetingBegun,
    MeetingEnded,
    open_meeting,
    spoken_in_meetings,
)
from accordant.resolution.release import status_now
from accordant.views.blocks import Entry, Table
from accordant.views.project_report import project_report
from resolution.build import MODERATOR, OBSERVER, RESEARCHER, Session, refusal, resolving
from views.projects import records_of

THREE = {"Q": {"A1": "010101", "A2": "011100", "A3": "000100"}}


def proposed(here: Session, case: int) -> None:
    """All have given a reason, and A1 proposes that the item is read differently."""
    for coder in ("A1", "A2", "A3"):
        here.do(steps.give_reason, coder, case=case, text="so", cites=["rule R1"])
    here.do(steps.propose_cause, "A1", cases=[case], cause="d")


def test_which_consents_were_given_there() -> None:
    here = resolving(THREE)
    proposed(here, 1)
    here.do(steps.accept_cause, "A2", cases=[1])
    here.do(steps.begin_meeting, MODERATOR, present=["A1", "A3", "A1"])
    meeting = open_meeting(here.state)
    assert meeting is not None
    assert meeting.present == ("A1", "A3")
    here.do(steps.accept_cause, "A3", cases=[1])
    proposed(here, 2)
    here.do(steps.accept_cause, "A2", cases=[2])  # was not there
    here.do(steps.end_meeting, MODERATOR)
    here.do(steps.accept_cause, "A3", cases=[2])
    assert [(s.person, s.case) for s in spoken_in_meetings(here.state)] == [("A3", 1), ("A1", 2)]
    flags = [flag for flag in status_now(here.state).flags if "meeting" in flag]
    assert len(flags) == 1
    assert "2 consents" in flags[0]
    report = project_report(here.state, records=records_of(here))
    told = [f"{b.paragraphs}" for b in report["cases"].every_block() if isinstance(b, Entry)]
    assert [
        f"Consents of {who} were given in a meeting led by {MODERATOR}" in text
        for who, text in zip(("A3", "A1", ""), told, strict=True)
    ] == [True, True, False]
    [table] = [
        b
        for b in report["procedure"].every_block()
        if isinstance(b, Table) and "Meetings" in b.title
    ]
    [row] = table.rows
    assert (row["led_by"], row["present"], row["n"]) == (MODERATOR, "A1 and A3", 2)


def test_who_may_begin_and_end_one() -> None:
    here = resolving(THREE)
    assert refusal(here, steps.begin_meeting, "A1", present=["A1"]) == {"role"}
    assert refusal(here, steps.end_meeting, RESEARCHER) == {"meeting"}
    for present in ([], ["nobody"]):
        with pytest.raises(RequestError):
            here.do(steps.begin_meeting, MODERATOR, present=present)
    here.do(steps.begin_meeting, MODERATOR, present=["A1"])
    assert refusal(here, steps.begin_meeting, RESEARCHER, present=["A2"]) == {"meeting"}
    assert refusal(here, steps.end_meeting, OBSERVER) == {"role"}
    events = here.do(steps.begin_meeting, MODERATOR, present=["A2"])
    assert [type(e) for e in events] == [MeetingEnded, MeetingBegun], "the first was left"
    assert all(MODERATOR in event.sentence() for event in events)
    here.do(steps.end_meeting, RESEARCHER)
    assert open_meeting(here.state) is None
