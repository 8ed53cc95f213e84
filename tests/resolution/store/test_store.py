"""What a store promises, in a file and on a server alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accordant.errors import Conflict, RequestError, StoreError
from accordant.resolution.store.record import FIRST, hash_of, sealed
from accordant.resolution.store.store import Draft, Record, Store


@pytest.fixture
def store(where: str) -> Iterator[Store]:
    with Store.create(where) as made:
        yield made


def add(
    store: Store, *streams: str, id: str, expect: Mapping[str, int] | None = None, **more: object
) -> list[Record]:
    with store.writing() as writing:
        writing.expect(expect or {})
        return writing.append(
            [Draft("noted", stream, '{"é":1}') for stream in streams], actor="ana", id=id, **more
        )


def test_events_come_back_as_they_went_in(store: Store, where: str) -> None:
    assert store.head == (0, FIRST)
    assert list(store.records()) == []
    at = "2025-03-01T09:00:00Z"
    first = add(store, "a", "b", "a", id="c1", at=at)
    second = add(store, "b", id="c2")
    assert [(r.seq, r.id, r.stream, r.version) for r in first + second] == [
        (1, "c1/0", "a", 1),
        (2, "c1/1", "b", 1),
        (3, "c1/2", "a", 2),
        (4, "c2/0", "b", 2),
    ]
    assert {record.at for record in first} == {at}
    assert first[0].prev == FIRST
    assert all(record.hash == hash_of(record) for record in first + second)
    assert list(store.records()) == first + second
    assert list(store.records(2)) == [first[2], *second]
    assert list(store.records(kinds=["noted"])) == first + second
    assert list(store.records(kinds=["other"])) == []
    assert store.head == (4, second[0].hash)
    store.close()
    for read_only in (True, False):
        with Store.open(where, read_only=read_only) as again:
            assert list(again.records()) == first + second
            assert again.verify(head=second[0].hash) == []


def test_no_time_lies_far_ahead_of_the_clock(store: Store) -> None:
    with pytest.raises(RequestError, match="more than a day ahead of the clock"):
        add(store, "a", id="c1", at="2999-01-01T09:00:00Z")
    soon = (datetime.now(UTC) + timedelta(hours=20)).isoformat()  # a clock may be wrong
    assert [record.at for record in add(store, "a", id="c2", at=soon)] == [soon]
    older = sealed(
        [Draft("noted", "b", "{}")],
        id="c3",
        at="2999-01-01T09:00:00Z",
        actor="ana",
        head=store.head,
        versions={},
    )
    with store.writing() as writing:
        writing.take_over(older)
    assert add(store, "a", id="c4")[0].at == "2999-01-01T09:00:00Z"  # a log that has it goes on


def test_a_repeated_command_gives_its_first_answer(store: Store) -> None:
    first = add(store, "a", "b", id="c1")
    add(store, "a", id="c1/0")  # another command, whose id looks like an event's
    assert add(store, "z", id="c1") == first
    with store.writing() as writing:
        assert writing.earlier("c1") == first
        assert writing.earlier("c") is None
        assert writing.earlier("c1/") is None
        again = writing.append([Draft("k", "s", "{}")], actor="b", id="new")
        assert writing.append([], actor="b", id="new") == again
    assert store.head[0] == 4
    assert store.verify() == []


def test_a_long_command_comes_back_whole(store: Store) -> None:
    add(store, "before", id="c0")
    long = add(store, *map(str, range(6_000)), id="c1")
    add(store, "after", *map(str, range(6_000)), id="c2")
    with store.writing() as writing:
        assert writing.earlier("c1") == long
        assert len(writing.earlier("c2") or []) == 6_001
        assert len(writing.tail(1)) == 12_001
        assert writing.tail(writing.head[0]) == []
    assert sum(1 for _ in store.records(6_001)) == 6_001
    assert {record.version for record in store.records(6_002)} == {2}
    seen: list[tuple[int, int]] = []
    assert store.verify(progress=lambda *now: seen.append(now)) == []
    assert seen == [(5_000, 12_002), (10_000, 12_002), (12_002, 12_002)]


def test_reading_ends_where_it_was_when_it_began(store: Store) -> None:
    add(store, *("a" for _ in range(5_001)), id="c1")
    reading = store.records()
    next(reading)
    add(store, "a", "a", id="c2")  # and whoever reads slowly is in nobody's way
    assert sum(1 for _ in reading) == 5_000


def test_who_comes_second_is_told(store: Store) -> None:
    add(store, "case 1", id="c1", expect={"case 1": 0})
    with pytest.raises(Conflict, match="'case 1' has changed since you looked.*version 0.*'ana'"):
        add(store, "case 1", id="c2", expect={"case 1": 0})
    with pytest.raises(Conflict, match="you saw version 3, now it has 0. Nothing was written"):
        add(store, "case 2", id="c2", expect={"case 2": 3})
    assert store.head[0] == 1
    add(store, "case 1", id="c2", expect={"case 1": 1, "case 2": 0})
    assert store.head[0] == 2


def test_an_error_takes_all_back(store: Store) -> None:
    add(store, "a", id="c1")
    before = store.head

    def fails() -> None:
        with store.writing() as writing:
            writing.append([Draft("k", "a", "{}")], actor="ana", id="c2")
            assert writing.head[0] == 2
            writing.append([Draft("k", "", "{}")], actor="ana", id="c3")

    with pytest.raises(RequestError, match="the stream of an event is empty"):
        fails()
    assert store.head == before
    assert [record.version for record in add(store, "a", id="c2")] == [2]


def test_only_reading(store: Store, where: str) -> None:
    seq, head = add(store, "a", id="c1")[0].seq, store.head[1]
    with Store.open(where, read_only=True) as reader:
        with pytest.raises(StoreError, match="read only"), reader.writing():
            pass
        with pytest.raises(StoreError, match="read only"):
            reader.keep_snapshot(seq, head, 1, b"")
        add(store, "a", id="c2")
        assert reader.head == store.head


def test_snapshots_are_of_an_event_and_passed_over_else(store: Store) -> None:
    assert store.snapshot() is None
    first, second = add(store, "a", "a", id="c1")
    with pytest.raises(RequestError, match="there is no event 1 with the hash"):
        store.keep_snapshot(1, second.hash, 1, b"x")
    store.keep_snapshot(1, first.hash, 1, b"old")
    blob = bytes(range(256)) * 100
    store.keep_snapshot(2, second.hash, 7, blob)
    assert store.snapshot() == (2, second.hash, 7, blob)
    assert store.snapshot(7) == store.snapshot()
    assert store.snapshot(8) is None
    store.keep_snapshot(2, second.hash, 8, b"new")
    assert store.snapshot(8) == (2, second.hash, 8, b"new")
    assert store.verify() == []


def test_a_copy_has_the_same_chain(
    store: Store, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    add(store, *"abc", id="c1")
    add(store, *"bcd", id="c2")
    targets: list[str] = [str(tmp_path / "copy.accordant")]
    if store.shown.startswith("postgresql"):
        targets.append(request.getfixturevalue("postgres")())
    for target in targets:
        with store.copy_to(target) as copy:
            assert list(copy.records()) == list(store.records())
            assert copy.verify(head=store.head[1]) == []
            add(copy, "a", id="c3")
        with pytest.raises(StoreError, match="already"):
            store.copy_to(target)


def test_a_file_goes_to_a_server_and_back(postgres: Callable[[], str], tmp_path: Path) -> None:
    with Store.create(tmp_path / "one.accordant") as one:
        add(one, *"aab", id="c1")
        with one.copy_to(postgres()) as two, two.copy_to(tmp_path / "three.accordant") as three:
            assert list(one.records()) == list(two.records()) == list(three.records())
            assert one.head == three.head


def test_two_projects_of_a_server_are_apart(postgres: Callable[[], str]) -> None:
    with Store.create(postgres()) as one, Store.create(postgres()) as two:
        add(one, "a", id="c1")
        assert two.head == (0, FIRST)
        with one.writing(), two.writing() as writing:  # nor do they wait for each other
            writing.append([Draft("k", "a", "{}")], actor="ana", id="c1")
        assert one.head[0] == two.head[0] == 1


def test_making_what_is_there(store: Store, where: str) -> None:
    with pytest.raises(StoreError, match="already"):
        Store.create(where)
    add(store, "a", id="c1")
    with Store.open(where) as again:
        assert again.head[0] == 1


COMMANDS = st.lists(
    st.tuples(
        st.sampled_from(["c1", "c2", "c3", "c4", "c/5"]),
        st.lists(st.sampled_from("xyz"), max_size=3),
        st.booleans(),
    ),
    max_size=12,
)


@pytest.mark.filterwarnings("ignore::hypothesis.errors.NonInteractiveExampleWarning")
@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(COMMANDS)
def test_any_commands_against_a_list(
    tmp_path_factory: pytest.TempPathFactory, commands: list[tuple[str, list[str], bool]]
) -> None:
    """A list and a dictionary do the same as the store."""
    answers: dict[str, list[tuple[int, str, str, int]]] = {}
    log: list[tuple[int, str, str, int]] = []
    with Store.create(tmp_path_factory.mktemp("any") / "p.accordant") as store:
        for id, streams, fails in commands:
            new = []
            for place, stream in enumerate(streams if id not in answers else []):
                version = 1 + sum(row[2] == stream for row in log + new)
                new.append((len(log) + len(new) + 1, f"{id}/{place}", stream, version))
            drafts = [Draft("k", stream, "{}") for stream in streams]
            try:
                with store.writing() as writing:
                    found = writing.append(drafts, actor="a", id=id)
                    if fails:
                        raise KeyError(id)
            except KeyError:
                continue
            if new:
                answers[id] = new
                log += new
            assert [(r.seq, r.id, r.stream, r.version) for r in found] == answers.get(id, [])
        assert [(r.seq, r.id, r.stream, r.version) for r in store.records()] == log
        assert store.verify() == []
