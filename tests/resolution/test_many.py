"""Looking at many cells and cases at once says the same as looking at each."""

from __future__ import annotations

import pytest

from accordant.errors import RequestError
from accordant.resolution.cells import asked_at, cell_state, codes_at, look_at_many, states_of
from accordant.resolution.corrections import rescore
from accordant.resolution.disagreement import case_at, cases_about, label_of_case
from accordant.resolution.progress import tally
from accordant.resolution.sentences import listing
from accordant.resolution.state import Epoch
from accordant.resolution.views import cases
from accordant.resolution.words import Cause
from accordant.resolution.work import my_work, next_item
from resolution.build import open_blindly, ready_to_annotate, resolving, submit
from resolution.sessions import Walker
from resolution.talk import accepted


def each_cell(epoch: Epoch, n_items: int) -> list[object]:
    """Everything that is known of each cell, and in which order."""
    return [
        (list(codes_at(epoch, i, q).items()), asked_at(epoch, i, q), cell_state(epoch, i, q))
        for q in epoch.questions
        for i in range(n_items)
    ]


def looked_at(seed: int) -> int:
    """Compare both ways along a random session; how often that was possible."""
    walk, looked = Walker(seed), 0
    for number in range(240):
        walk.step(walk.likely())
        epoch, n = walk.state.epoch, len(walk.state.items.ids)
        if number % 20 or not epoch.current:
            continue
        epoch.forget()
        one_by_one = each_cell(epoch, n)
        look_at_many(epoch)
        assert each_cell(epoch, n) == one_by_one
        for question in epoch.questions:
            states = states_of(epoch, question)
            assert states == [cell_state(epoch, i, question) for i in range(len(states))]
        looked += 1
    return looked


def test_prepared_or_not() -> None:
    """In random sessions with declined, dependent and late items."""
    assert sum(map(looked_at, range(6))) > 36


def test_what_was_prepared_goes_with_the_next_event() -> None:
    here = resolving({"Q": {"A1": "0101", "A2": "0111"}})
    look_at_many(here.state.epoch)
    assert codes_at(here.state.epoch, 2, "Q") == {"A1": 0, "A2": 1}
    accepted(here, Cause.E, coder="A2", meant="0")
    look_at_many(here.state.epoch)
    assert codes_at(here.state.epoch, 2, "Q") == {"A1": 0, "A2": 1}
    here.do(rescore, "A2", case=1, answer="0")
    assert codes_at(here.state.epoch, 2, "Q") == {"A1": 0, "A2": 0}


def test_cases_by_item() -> None:
    here = resolving({"Q": {"A1": "0101", "A2": "0110"}, "P": {"A1": "0001", "A2": "1000"}})
    epoch = here.state.epoch
    for item in range(4):
        about = [case for case in epoch.cases.values() if case.item == item]
        assert list(cases_about(epoch, item)) == about
        for question in ("Q", "P"):
            found = [case for case in about if case.question == question]
            assert case_at(epoch, item, question) is (found[0] if found else None)


def test_page_by_page() -> None:
    here = resolving({"Q": {"A1": "0101010101", "A2": "1111111111"}})
    whole = cases(here.state, "A1")
    assert len(whole) == 5
    pages, after = [], 0
    while page := cases(here.state, "A1", after=after, most=2):
        pages.append(page)
        after = page[-1].number
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [row for page in pages for row in page] == whole
    assert cases(here.state, "A1", most=0) == []


def test_only_those_that_are_shown_are_named() -> None:
    here = resolving({"Q": {"A1": "0000000", "A2": "1111111"}})
    named = []

    def name(case: object) -> str:
        named.append(case)
        return label_of_case(here.state, case)  # type: ignore[arg-type]

    found = listing(here.state.epoch.cases.values(), most=2, named=name)
    assert found == "case 1 (i1, Q), case 2 (i2, Q) and 5 more"
    assert len(named) == 2


@pytest.mark.parametrize("seed", range(5))
def test_what_is_left_is_counted_on_as_if_it_were_counted_anew(seed: int) -> None:
    walk, looked = Walker(seed), 0
    for _ in range(200):
        walk.step(walk.likely())
        some = walk.state.epoch.round
        for coder in some.coders if some else ():
            looked += 1
            kept = tally(walk.state, some, coder)
            some.tallies.clear()
            assert tally(walk.state, some, coder) == kept
            work = my_work(walk.state, coder)
            assert [i.id for i in work.items if i.todo] == [
                i.id for i in my_work(walk.state, coder, todo=True).items
            ]
            assert work.n_left == sum(len(i.todo) for i in work.items)
            some.tallies[coder] = kept
    assert looked > 40


def test_the_next_item() -> None:
    here = open_blindly(ready_to_annotate(5, 2))
    submit(here, "A1", "Q", "00", ("i1", "i3"))
    asked = [next_item(here.state, "A1", after) for after in ("", "i2", "i4", "i5")]
    assert [item.id for item in asked if item] == ["i2", "i4", "i5", "i2"]
    submit(here, "A1", "Q", "000", ("i2", "i4", "i5"))
    assert next_item(here.state, "A1") is None
    assert next_item(here.state, "R") is None
    with pytest.raises(RequestError, match="i9"):
        next_item(here.state, "A1", "i9")
