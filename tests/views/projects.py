"""Projects whose reports are looked at: a small one with every outcome, and its log as a store keeps it."""

from __future__ import annotations

from accordant.resolution.outcomes import decide, leave_disagreed

from accordant.resolution.completion import finish
from accordant.resolution.procedure import written
from accordant.resolution.setup import add_person, appoint_adjudicator
from accordant.resolution.statement import write_statement
from accordant.resolution.store.record import Draft, Record, sealed
from accordant.resolution.words import Cause, Role
from resolution.build import Session, ready_to_annotate
from resolution.build import resolving as resolved
from resolution.talk import again, agreed, aligned, returned, with_concept

FIRST = {
    "Q": {"A1": "01010101", "A2": "01110101", "A3": "00010111"},
    "P": {"A1": "00000000", "A2": "00000000", "A3": "00000000"},
}
"""Cases of Q: i2 (1, 1, 0), i3 (0, 1, 0) and i7 (0, 0, 1). On P nothing varies."""
SECOND = {"Q": {"A1": "11010101", "A2": "11010101", "A3": "11010111"}}
"""After the concept is refined: i1 agreed on 0 before and on 1 now; i2 and i3 agree; i7 does not."""


def records_of(here: Session) -> list[Record]:
    """The log as a store would keep it; the state gets its number and hash."""
    found: list[Record] = []
    versions: dict[str, int] = {}
    head = (0, "0" * 64)
    for k, (event, (at, actor)) in enumerate(here.log):
        draft = Draft(event.kind, event.stream, written(event))
        [record] = sealed(
            [draft],
            id=f"x{k}",
            at=at.replace("Z", ".000000Z"),
            actor=actor,
            head=head,
            versions=versions,
        )
        versions[event.stream] = record.version
        head = (record.seq, record.hash)
        found.append(record)
    here.state.seq, here.state.head = head
    return found


def resolving() -> Session:
    """Step 5: three cases about eight items, three coders, two questions."""
    here = ready_to_annotate(8, 3, ("Q", "P"), texts=[f"Text number {k}." for k in range(1, 9)])
    return resolved(FIRST, here)


def deprecated() -> Session:
    """Case 1 argued, case 2 returned and annotated again, case 3 left and then decided."""
    here = resolving()
    here.do(add_person, "R", "Dee", [Role.OBSERVER])
    here.do(appoint_adjudicator, "R", person="Dee")
    agreed(here, 1, "1")
    returned(here, Cause.B, 2)
    with_concept(here)
    aligned(here)
    again(here, SECOND)
    here.do(leave_disagreed, "R", cases=3, reason="the passage cannot be read either way")
    here.do(decide, "Dee", case=3, answer="0", reason="the title says so")
    here.do(write_statement, "R", section="A", text="All letters of one archive.")
    here.do(finish, "R", reason="no more time")
    return here


def ground_truth() -> Session:
    """Every case argued until all agree."""
    here = resolving()
    for number, answer in ((1, "1"), (2, "0"), (3, "0")):
        agreed(here, number, answer)
    here.do(finish, "R")
    return here
