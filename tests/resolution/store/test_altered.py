"""Every change that is not an event is found, whoever made it and however."""

from __future__ import annotations

import os
import random
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from accordant.errors import StoreError
from accordant.resolution.store.record import FIELDS, Draft, sealed
from accordant.resolution.store.store import Store

GUARDS = ("event_follows", "event_is_fixed", "event_is_kept")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "project.accordant"
    with Store.create(path) as store:
        fill(store)
    return path


def fill(store: Store) -> None:
    for command in range(4):
        drafts = [Draft("scored", f"s{k}", f'{{"label":{k}}}') for k in range(2)]
        with store.writing() as writing:
            writing.append(drafts, actor="ana", id=f"c{command}")
    store.keep_snapshot(*store.head, 1, b"state")


def alter(path: Path, *statements: str) -> None:
    """As somebody does who knows SQL: without the guards, which are put back afterwards."""
    with closing(sqlite3.connect(path)) as connection:
        query = "select name, sql from sqlite_master where type = 'trigger'"
        guards = connection.execute(query).fetchall()
        for name, _ in guards:
            connection.execute(f"drop trigger {name}")
        for statement in statements:
            connection.execute(statement)
        for _, sql in guards:
            connection.execute(sql)
        connection.commit()


def faults(path: Path, head: str | None = None) -> list[tuple[int | None, str]]:
    with Store.open(path) as store:
        return [(fault.seq, fault.what) for fault in store.verify(head=head)]


@pytest.mark.parametrize("name", FIELDS)
def test_every_field(file: Path, name: str) -> None:
    value = (
        "100" if name in {"seq", "version"} else f"substr({name}, 1, 3) || 'ß' || substr({name}, 5)"
    )
    alter(file, f"update event set {name} = {value} where seq = 4")
    found = faults(file)
    assert found
    assert {seq for seq, _ in found} <= {4, 5, 6, 100}


def test_every_character_of_a_body(file: Path) -> None:
    with Store.open(file) as store:
        body = list(store.records())[3].body
    for place in range(1, len(body) + 1):
        for new in ("''", "'7'"):
            changed = f"substr(body, 1, {place - 1}) || {new} || substr(body, {place + 1})"
            alter(file, f"update event set body = {changed} where seq = 4")
            found = faults(file)
            same = body[place - 1] == "7"
            assert found == ([] if same else [(4, "its content does not fit its hash")])
            alter(file, f"update event set body = '{body}' where seq = 4")
    assert faults(file) == []


@pytest.mark.parametrize(
    "statement, expected",
    [
        ("delete from event where seq = 4", "1 event is missing before it"),
        ("delete from event where seq in (3, 4)", "2 events are missing before it"),
        ("update event set seq = -4 where seq = 4", "its number is not 1, which is due"),
        ("update event set body = cast(body as blob) where seq = 4", "its body is no text"),
        ("update event set body = x'ff' where seq = 4", "its body is no text"),
        ("update event set body = cast(x'7bff7d' as text) where seq = 4", "does not fit its hash"),
        ("update event set actor = cast(x'ff' as text) where seq = 1", "does not fit its hash"),
        ("update event set version = 9 where seq = 4", "it is version 9 of 's1', where 2 is due"),
        ("update event set id = 'c9/1' where seq = 4", "belongs to a command that is not whole"),
        ("update event set id = 'c1/2' where seq = 4", "belongs to a command that is not whole"),
        ("update snapshot set blob = x'00'", "the snapshot after event 8 does not fit"),
        ("update snapshot set hash = 'x'", "the snapshot after event 8 does not fit"),
        ("update snapshot set seq = 7", "the snapshot after event 7 does not fit"),
        ("update snapshot set format = 2", "the snapshot after event 8 does not fit"),
    ],
)
def test_what_is_said(file: Path, statement: str, expected: str) -> None:
    alter(file, statement)
    assert any(expected in what for _, what in faults(file))
    with Store.open(file) as store:
        assert (store.snapshot() is None) is ("snapshot" in statement)


def test_swapped_events(file: Path) -> None:
    alter(
        file,
        "update event set seq = -3 where seq = 3",
        "update event set seq = 3 where seq = 5",
        "update event set seq = 5 where seq = -3",
    )
    assert {3, 5} <= {seq for seq, _ in faults(file)}


def test_an_end_that_was_cut_off_shows_against_a_noted_hash_only(file: Path) -> None:
    with Store.open(file) as store:
        noted, before = store.head[1], list(store.records())[5].hash
    assert faults(file, head=noted) == faults(file, head=noted[:12].upper()) == []
    alter(file, "delete from event where seq > 6", "delete from snapshot")
    assert faults(file) == []
    assert faults(file, head=before) == []
    [(seq, what)] = faults(file, head=noted)
    assert seq is None
    assert f"no event has the hash {noted}, which was noted outside: it ends with event 6" in what


def test_a_past_that_was_written_anew(file: Path) -> None:
    """Whoever seals all later events again is found out by a hash that was noted outside."""
    with Store.open(file) as store:
        noted, records = store.head[1], list(store.records())
    head, statements = (0, records[0].prev), ["delete from snapshot"]
    versions: dict[str, int] = {}
    for record in records:
        body = '{"label":9}' if record.seq == 3 else record.body
        [new] = sealed(
            [Draft(record.kind, record.stream, body)],
            id=record.command,
            at=record.at,
            actor=record.actor,
            head=head,
            versions=versions,
        )
        if record.place:  # `sealed` numbers from 0: only the hash of first events is forged here
            break
        head, versions[record.stream] = (new.seq, new.hash), new.version
        statements.append(
            f"update event set body = '{body}', prev = '{new.prev}', hash = '{new.hash}' "
            f"where seq = {record.seq}"
        )
    alter(file, "delete from event where seq > 1", *statements)
    assert faults(file, head=noted) != []


def test_missing_guards_and_rules(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        for name in GUARDS:
            connection.execute(f"drop trigger {name}")
    assert [what for _, what in faults(file)] == [
        f"the guard {name!r} of the events is missing" for name in GUARDS
    ]


def test_a_changed_guard(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("drop trigger event_is_kept")
        connection.execute(
            "create trigger event_is_kept before delete on event begin select 1; end"
        )
    assert [what for _, what in faults(file)] == [
        "the guard 'event_is_kept' of the events was changed"
    ]


def test_so_many_faults_that_the_rest_is_not_listed(tmp_path: Path) -> None:
    path = tmp_path / "project.accordant"
    with Store.create(path) as store, store.writing() as writing:
        writing.append([Draft("k", f"s{k}", "{}") for k in range(500)], actor="a", id="c")
    alter(path, "update event set body = '[]'")
    found = faults(path)
    assert len(found) == 101
    assert "the rest was not looked at" in found[-1][1]


def test_the_database_refuses_changes(where: str) -> None:
    with Store.create(where) as store:
        fill(store)
        server = where.startswith("postgresql")
        copied = "insert into event select {} from event where seq = 8"
        fields = "seq + 1, 'n' || id, at, actor, kind, stream, version + 1, body, {}, hash || 'n'"
        statements = [
            "update event set body = '{}' where seq = 8",
            "delete from event where seq = 8",
            "delete from event",
            copied.format(fields.format("prev")),  # does not follow the last one
            copied.format(fields.format("hash").replace("seq + 1", "seq + 2")),
            copied.format("*"),
        ]
        if server:
            statements.append("truncate event")
        else:
            followed = fields.format("hash")
            statements += [
                copied.format("*").replace("insert", "insert or replace"),
                copied.format(followed.replace("'n' || id", "id")).replace("insert", "replace"),
                copied.format(followed.replace("version + 1", "version")).replace(
                    "insert", "replace"
                ),
            ]
        before = list(store.records())
        for statement in statements:
            with (
                pytest.raises(DBAPIError, match="accepted events are never|must follow"),
                store._engine.begin() as connection,
            ):
                connection.execute(text(statement))
        assert list(store.records()) == before
        with store._engine.begin() as connection:  # what may be inserted, may be
            connection.execute(text(copied.format(fields.format("hash"))))
        assert store.verify() != []  # its hash is wrong


def test_altered_on_a_server(postgres: Callable[[], str]) -> None:
    with Store.create(postgres()) as store:
        fill(store)
        noted = store.head[1]

        def alter(*statements: str) -> list[str]:
            with store._engine.begin() as connection:
                connection.execute(text("alter table event disable trigger user"))
                for statement in statements:
                    connection.execute(text(statement))
                connection.execute(text("alter table event enable trigger user"))
            return [str(fault) for fault in store.verify(head=noted)]

        assert alter() == []
        assert (
            "event 3: its content does not fit"
            in alter("update event set at = replace(at, '0', '1') where seq = 3")[0]
        )
        assert any(
            "event 5: 1 event is missing" in told
            for told in alter("delete from event where seq = 4")
        )
        assert any("was noted outside" in told for told in alter("delete from event where seq = 8"))
        with store._engine.begin() as connection:
            connection.execute(text("alter table event disable trigger event_is_fixed"))
        assert any("guard 'event_is_fixed'" in str(fault) for fault in store.verify())


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_on_a_server(postgres: Callable[[], str], name: str) -> None:
    flipped = f"chr(ascii({name}) # 1) || substr({name}, 2)"
    value = f"{name} # 64" if name in {"seq", "version"} else flipped
    with Store.create(postgres()) as store:
        fill(store)
        for seq in (1, 4, 8):
            with store._engine.begin() as connection:
                one = f"update event set {name} = {value} where seq = {seq}"
                connection.execute(text("alter table event disable trigger user"))
                connection.execute(text(one))
            assert store.verify(), f"a bit of {name} in event {seq}"
            with store._engine.begin() as connection:
                number = seq ^ 64 if name == "seq" else seq
                connection.execute(text(one.replace(f"seq = {seq}", f"seq = {number}")))
                connection.execute(text("alter table event enable trigger user"))
            assert not store.verify()


def damaged(path: Path) -> str:
    """'told' where opening, reading or verifying says so; the events where nothing does."""
    try:
        with Store.open(path) as store:
            return "told" if store.verify() else repr(list(store.records()))
    except StoreError as error:
        message = str(error)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return "told"


@pytest.fixture
def many(tmp_path: Path) -> Path:
    path = tmp_path / "many.accordant"
    with Store.create(path) as store:
        for command in range(20):
            drafts = [Draft("k", f"s{command}", f'"{"x" * 700}"') for _ in range(5)]
            with store.writing() as writing:
                writing.append(drafts, actor="ana", id=f"c{command}")
    return path


def test_any_flipped_byte(file: Path) -> None:
    """What is not told has changed nothing that is ever read."""
    whole, right = file.read_bytes(), damaged(file)
    draw = random.Random(4)
    told = 0
    # Bytes of 0 are mostly unused room; those that broke something once are tried always.
    places = [place for place, byte in enumerate(whole) if byte]
    for place, change in [
        *((place, draw.randrange(1, 256)) for place in draw.sample(places, 400)),
        *((place, change) for place in places[-300:] for change in (1, 255)),
        *((place, 1) for place in places if whole[place : place + 4] in {b"0001", b"text"}),
        *((match.end() - 1, 255) for match in re.finditer(rb"c[0-9]/[01]", whole)),
    ]:
        broken = bytearray(whole)
        broken[place] ^= change
        file.write_bytes(broken)
        found = damaged(file)
        assert found in {"told", right}, (place, change)
        told += found == "told"
    print(f"told: {told} flipped bytes, each of the others means nothing")
    assert told > 500


def test_any_corrupted_page(many: Path) -> None:
    whole = many.read_bytes()
    right = damaged(many)
    pages = len(whole) // 4096
    draw = random.Random(5)
    for page in range(pages):
        for noise in (draw.randbytes(4096), bytes(4096)):
            many.write_bytes(whole[: page * 4096] + noise + whole[(page + 1) * 4096 :])
            assert damaged(many) == "told", page
    many.write_bytes(whole)
    assert damaged(many) == right != "told"


def test_reading_a_corrupted_page_says_so(many: Path) -> None:
    whole = many.read_bytes()
    at = whole.index(b"x" * 700) // 4096 * 4096
    many.write_bytes(whole[:at] + os.urandom(4096) + whole[at + 4096 :])
    with Store.open(many) as store, pytest.raises(StoreError, match="the file is damaged") as told:
        list(store.records())
    assert "go back to a copy" in str(told.value)


def test_a_file_that_was_cut_off_anywhere(many: Path) -> None:
    whole = many.read_bytes()
    for size in [*range(0, 200, 20), *range(4096, len(whole), 5000), len(whole) - 1]:
        many.write_bytes(whole[:size])
        assert damaged(many) == "told", size
    many.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreError, match=r"is cut off: .* bytes of .* copied whole"):
        Store.open(many)


def test_an_unreadable_text_says_so(file: Path) -> None:
    alter(file, "update event set body = cast(x'7bff7d' as text) where seq = 4")
    with Store.open(file) as store, pytest.raises(StoreError, match="the file is damaged"):
        list(store.records())
