"""The feed of what happened: nothing twice, nothing lost, nothing of an open round."""

from __future__ import annotations

import pytest

from accordant.errors import RequestError
from accordant.resolution import steps
from accordant.resolution.items import ItemsAdded
from accordant.resolution.logbook import TOLD, changes, log, since
from accordant.resolution.records import AskedIf, Items, Question
from accordant.resolution.sight import seeing
from resolution.build import Session, begun, open_blindly, ready_to_annotate, submit
from resolution.sessions import Walker
from resolution.test_blindness import records_of

QUESTIONS = (Question("P", "Is it?"), Question("C", "How?", asked_if=AskedIf("P", ("1",))))


def told(
    here: Session, person: str, after: int | str, most: int | None = None
) -> tuple[list[tuple[str, int]], str]:
    """Kinds and numbers of what is new, read from where the cursor says; and the next cursor."""
    records = [r for r in records_of(here) if r.seq > since(after) and r.kind in TOLD]
    found = changes(here.state, records, person, after, most=most)
    assert not any(entry.hash for entry in found.entries)
    return [(entry.kind, entry.seq) for entry in found.entries], found.cursor


def test_an_open_round_tells_only_that_somebody_has_submitted() -> None:
    here = open_blindly(ready_to_annotate(2, 2, QUESTIONS))
    begun = told(here, "A1", 0)[1]
    submit(here, "A2", "P", ["0", "1"])
    assert told(here, "A1", begun) == ([], begun)
    submit(here, "A2", "C", ["", "1"])
    here.do(steps.submit, "A2")
    new, cursor = told(here, "A1", begun)
    assert new == [("submitted", 0)]
    assert since(cursor) == since(begun)
    assert told(here, "A1", cursor) == ([], cursor)
    submit(here, "A1", "P", ["0", "0"])
    here.do(steps.submit, "A1")
    new, cursor = told(here, "A2", cursor)
    assert new == [("submitted", 0)]
    here.do(steps.close_round, "R")
    new, last = told(here, "A2", cursor)
    assert [kind for kind, _ in new] == ["round closed", "compared", "moved"]
    assert last == str(here.state.seq)


@pytest.mark.parametrize("seed", range(3))
def test_asked_again_and_again_nothing_is_lost_or_told_twice(seed: int) -> None:
    walk = Walker(seed)
    cursor, heard = "0", list[str]()
    for number in range(400):
        walk.step(walk.likely())
        if number % 9 == 0:
            new, cursor = told(walk.here, "A1", cursor)
            heard += [kind for kind, _ in new]
    new, cursor = told(walk.here, "A1", cursor)
    heard += [kind for kind, _ in new]
    assert heard == [event.kind for event, _ in walk.here.log if event.kind in TOLD]
    if seeing(walk.state, "A1").round is None:
        assert cursor == str(walk.state.seq)


@pytest.mark.parametrize("most", [1, 3])
@pytest.mark.parametrize("seed", range(2))
def test_page_by_page_it_is_the_same(seed: int, most: int) -> None:
    walk = Walker(seed)
    for _ in range(160):
        walk.step(walk.likely())
        if walk.state.epoch.round is not None and walk.state.epoch.round.submitted:
            break
    cursor, heard = "0", list[str]()
    while True:
        new, cursor = told(walk.here, "A1", cursor, most)
        heard += [kind for kind, _ in new]
        if not new:
            break
    assert heard == [kind for kind, _ in told(walk.here, "A1", 0)[0]]
    assert cursor == told(walk.here, "A1", 0)[1]


@pytest.mark.parametrize("name", ["i1", 'a"]b', 'a"]', "a\\", 'a\\"]', "é"])
def test_new_items_are_told_by_their_names(name: str) -> None:
    """The feed is read again and again: their texts are in the log, and with the items."""
    here = begun(2).tell(ItemsAdded(Items((name, "i2"), ("one text", "another"))))
    records = records_of(here)
    told = changes(here.state, records, "A1").entries[-1]
    assert told.body == {"items": {"ids": (name, "i2")}}
    whole = [*log(records, here.state, "A1")][-1]
    assert (told.kind, whole.body["items"]["texts"]) == (whole.kind, ("one text", "another"))


@pytest.mark.parametrize("cursor", ["", "x", "-1", "1+", "1+2+3"])
def test_a_cursor_that_is_none(cursor: str) -> None:
    here = ready_to_annotate(2, 2)
    with pytest.raises(RequestError):
        changes(here.state, [], "A1", cursor)
