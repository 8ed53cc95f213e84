"""Records: their hash, their ids, what cannot be kept."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accordant.errors import RequestError
from accordant.resolution.store.record import (
    FIELDS,
    FIRST,
    Draft,
    Record,
    checked,
    hash_of,
    moment,
    sealed,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
RECORDS = st.builds(
    Record,
    seq=st.integers(1, 10**9),
    id=TEXT,
    at=TEXT,
    actor=TEXT,
    kind=TEXT,
    stream=TEXT,
    version=st.integers(1, 10**9),
    body=TEXT,
    prev=TEXT,
    hash=st.just(""),
)


def test_the_hash_is_as_documented() -> None:
    """Written out by hand: a line, then netstrings."""
    record = Record(
        1, "c1/0", "2025-03-01T09:00:00Z", "Åsa", "begun", "project", 1, "{}", FIRST, ""
    )
    encoding = (
        b"accordant event 1\n1:1,4:c1/0,20:2025-03-01T09:00:00Z,4:\xc3\x85sa,5:begun,7:project,"
        b"1:1,2:{},64:" + b"0" * 64 + b","
    )
    assert hash_of(record) == hashlib.sha256(encoding).hexdigest()


@given(RECORDS, RECORDS)
def test_different_records_have_different_hashes(one: Record, other: Record) -> None:
    assert (hash_of(one) == hash_of(other)) == (one == other)


@given(RECORDS, st.data())
def test_text_cannot_move_between_fields(record: Record, data: st.DataObject) -> None:
    names = ["id", "at", "actor", "kind", "stream", "body", "prev"]
    left = data.draw(st.sampled_from(range(len(names) - 1)))
    a, b = names[left], names[left + 1]
    joined = getattr(record, a) + getattr(record, b)
    cut = data.draw(st.integers(0, len(joined)))
    moved = replace(record, **{a: joined[:cut], b: joined[cut:]})
    assert (hash_of(moved) == hash_of(record)) == (moved == record)


def test_every_field_but_the_hash_counts() -> None:
    record = Record(1, "c1/0", "t", "a", "k", "s", 1, "{}", FIRST, "h")
    for name in FIELDS:
        value = getattr(record, name)
        other = replace(record, **{name: value + 1 if isinstance(value, int) else f"{value}x"})
        assert (hash_of(other) != hash_of(record)) is (name != "hash"), name


def test_sealed_follow_one_another() -> None:
    drafts = [Draft("k", stream, "{}") for stream in ["a", "b", "a"]]
    made = list(sealed(drafts, id="x/y", at="t", actor="z", head=(7, "p" * 64), versions={"a": 3}))
    assert [record.seq for record in made] == [8, 9, 10]
    assert [record.version for record in made] == [4, 1, 5]
    assert [(record.command, record.place) for record in made] == [("x/y", k) for k in range(3)]
    assert [record.prev for record in made] == ["p" * 64, made[0].hash, made[1].hash]


@pytest.mark.parametrize(
    "draft, actor, id, says",
    [
        (Draft("", "s", "{}"), "a", "c", "the kind of an event is empty: it needs 1 to 500"),
        (Draft("k", "s" * 501, "{}"), "a", "c", "stream of an event has 501 characters"),
        (Draft("k", "s", "\0"), "a", "c", "zero byte"),
        (Draft("k", "s", "\ud800"), "a", "c", "half a character"),
        (Draft("k", "s", "{}"), "", "c", "the actor is empty"),
        (Draft("k", "s", "{}"), "a", "", "the id of a command is empty"),
        (Draft("k", "s", b"{}"), "a", "c", "must be text, not bytes"),
    ],
)
def test_what_cannot_be_kept(draft: Draft, actor: str, id: str, says: str) -> None:
    with pytest.raises(RequestError, match=says):
        checked([draft], actor, id)


def test_moments() -> None:
    assert moment("2025-03-01T09:00:00+00:00") == "2025-03-01T09:00:00+00:00"
    assert moment(None).endswith("Z")
    assert moment(moment(None))
    for wrong in ["", "soon", "2025-03-01", "2025-03-01T09:00:00", "2025-03-01T09:00:00+01:00"]:
        with pytest.raises(RequestError, match="is no time in UTC"):
            moment(wrong)
