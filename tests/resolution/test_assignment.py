"""Items dealt to coders: loads exact, every item covered, pairs as even as they can be."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.errors import RequestError
from accordant.resolution import steps
from accordant.resolution.items import dealt, smallest_overlap
from resolution.build import ready_to_annotate

CODERS = ("A1", "A2", "A3", "A4")


def names(n: int) -> list[str]:
    return [f"i{k}" for k in range(n)]


@given(st.integers(1, 60), st.integers(2, 7), st.integers(1, 7), st.integers(0, 9))
def test_every_item_has_its_coders_and_loads_differ_by_one(
    n: int, c: int, k: int, seed: int
) -> None:
    coders = [f"A{j}" for j in range(c)]
    if k > c or k * n < c:
        with pytest.raises(RequestError):
            dealt(names(n), coders, overlap=k, seed=seed)
        return
    found = dealt(names(n), coders, overlap=k, seed=seed)
    covered = Counter(item for each in found.values() for item in each)
    assert covered == dict.fromkeys(names(n), k)
    loads = [len(each) for each in found.values()]
    assert max(loads) - min(loads) <= 1
    assert all(len(set(each)) == len(each) for each in found.values())
    assert found == dealt(names(n), coders, overlap=k, seed=seed)


@given(st.lists(st.integers(1, 40), min_size=2, max_size=6), st.integers(0, 9))
def test_quotas_are_exact_and_items_as_even_as_they_allow(sizes: list[int], seed: int) -> None:
    quota = {f"A{k}": size for k, size in enumerate(sizes)}
    if sum(sizes) < 40:
        with pytest.raises(RequestError):
            dealt(names(40), list(quota), quota=quota, seed=seed)
        return
    found = dealt(names(40), list(quota), quota=quota, seed=seed)
    assert {coder: len(each) for coder, each in found.items()} == quota
    covered = Counter(item for each in found.values() for item in each)
    assert len(covered) == 40
    assert max(covered.values()) - min(covered.values()) <= 1


@pytest.mark.parametrize(("n", "c", "k"), [(100, 5, 2), (60, 4, 2), (300, 10, 3), (200, 6, 4)])
def test_pairs_share_about_equally(n: int, c: int, k: int) -> None:
    found = dealt(names(n), [f"A{j}" for j in range(c)], overlap=k)
    shared = [len({*found[a]} & {*found[b]}) for a, b in combinations(found, 2)]
    assert max(shared) - min(shared) <= 3
    assert smallest_overlap(found)[1] == min(shared)


def test_with_quotas_pairs_share_by_their_loads() -> None:
    found = dealt(names(300), CODERS, quota={"A1": 250, "A2": 200, "A3": 100, "A4": 50})
    assert smallest_overlap(found) == (("A3", "A4"), 7)  # as 100 × 50 is of all products
    other = dealt(names(300), CODERS, overlap=2, quota={"A1": 30})
    assert sorted(map(len, other.values())) == [30, 190, 190, 190]


@pytest.mark.parametrize(
    "given_",
    [
        {"overlap": 5},
        {"overlap": -1},
        {"quota": {"A1": 4}},
        {"quota": {"Z": 4}, "overlap": 2},
        {"quota": {"A1": 9}, "overlap": 2},
        {"quota": {"A1": 0}, "overlap": 2},
        {"quota": dict.fromkeys(CODERS, 1)},
        {"quota": dict.fromkeys(CODERS, 8), "overlap": 3},
        {"overlap": 1, "quota": {"A1": 8}},
        {"overlap": 2, "coder": "A1"},
        {"overlap": 2, "items": ("i1",)},
        {},
    ],
    ids=str,
)
def test_what_the_numbers_do_not_allow(given_: dict[str, object]) -> None:
    here = ready_to_annotate(8, 4)
    with pytest.raises(RequestError):
        here.do(steps.assign, "R", **given_)


def test_the_command_assigns_every_coder() -> None:
    here = ready_to_annotate(8, 4)
    events = here.do(steps.assign, "R", overlap=2, seed=3)
    assert [event.coder for event in events] == list(CODERS)
    assert {coder: len(items) for coder, items in here.state.assigned.items()} == dict.fromkeys(
        CODERS, 4
    )
